"""What `billfold doctor` says of files as people hold them, of the kinds of `Tests/Field`, that are made here with keys of this run. Each
is judged by the program itself; sound files beside them have to stay quiet.
"""
import base64
import json
import os
import subprocess
import tempfile
import unittest
import urllib.parse
from pathlib import Path

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography import x509
from cryptography.x509.oid import NameOID

from parties import PROGRAM, ROOT

FIELD = ROOT / "Tests" / "Field"
MERCHANT = rsa.generate_private_key(65537, 2048)
ALIPAY = rsa.generate_private_key(65537, 2048)


def doctor(folder, arguments):
    """The findings of a command, as `severity code in file`, and its exit."""
    done = subprocess.run(
        [PROGRAM, *arguments, "--json"], cwd=folder, capture_output=True, timeout=60, stdin=subprocess.DEVNULL,
        env={**os.environ, "LLVM_PROFILE_FILE": "/dev/null"})
    answer = json.loads(done.stdout)
    return [f"{each['severity']} {each['code']} in {each['subject']}" for each in answer.get("findings", [])], done.returncode, answer


def public(key):
    return key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)


def sign(key, text, algorithm=None):
    data = text if isinstance(text, bytes) else text.encode()
    return base64.b64encode(key.sign(data, padding.PKCS1v15(), algorithm or hashes.SHA256())).decode()


def form(pairs):
    return "&".join(f"{name}={urllib.parse.quote_plus(value)}" for name, value in pairs)


def joined(pairs, without=("sign",)):
    return "&".join(f"{name}={value}" for name, value in sorted(pairs) if name not in without and value)


# Alipay

CONTENT = '{"out_trade_no":"E1","total_amount":"128.00","subject":"Tea","product_code":"QUICK_MSECURITY_PAY"}'
ORDER = [
    ("app_id", "2021003100000017"), ("method", "alipay.trade.app.pay"), ("format", "JSON"), ("charset", "utf-8"), ("sign_type", "RSA2"),
    ("timestamp", "2026-11-27 14:45:00"), ("version", "1.0"), ("notify_url", "https://shop.example/notify"), ("biz_content", CONTENT)]
LEGACY = [
    ("partner", "2088000000000101"), ("seller_id", "2088000000000101"), ("out_trade_no", "L1"), ("subject", "Tea"), ("body", "of spring"),
    ("total_fee", "12.80"), ("currency", "USD"), ("forex_biz", "FP"), ("notify_url", "https://shop.example/notify"),
    ("service", "mobile.securitypay.pay"), ("payment_type", "1"), ("_input_charset", "utf-8"), ("it_b_pay", "30m")]
NOTIFIED = [
    ("notify_time", "2026-11-27 14:45:20"), ("notify_type", "trade_status_sync"), ("notify_id", "1" * 32), ("app_id", "2021003100000017"),
    ("charset", "utf-8"), ("version", "1.0"), ("trade_no", "2" * 28), ("out_trade_no", "E1"), ("trade_status", "TRADE_SUCCESS"),
    ("total_amount", "128.00"), ("subject", "Tea")]
NODE = '{"code":"10000","msg":"Success","out_trade_no":"E1","total_amount":"128.00","trade_no":"3"}'


def order(pairs=ORDER, added=()):
    return form([*pairs, ("sign", sign(MERCHANT, joined(pairs))), *added])


def legacy(pairs=LEGACY):
    text = "&".join(f'{name}="{value}"' for name, value in pairs)
    signature = urllib.parse.quote(sign(MERCHANT, text, hashes.SHA1()), safe="")
    return f'{text}&sign="{signature}"&sign_type="RSA"'


def notification(pairs=NOTIFIED, changed=None):
    signed = sign(ALIPAY, joined(pairs))
    return form([*(changed or pairs), ("sign_type", "RSA2"), ("sign", signed)])


def result(node=NODE):
    return json.dumps({"alipay_trade_app_pay_response": 0, "sign": sign(ALIPAY, node), "sign_type": "RSA2"}, separators=(",", ":")).replace(
        '"alipay_trade_app_pay_response":0', f'"alipay_trade_app_pay_response":{node}')


def switched(text, **others):
    data = {"requestType": "SafePay", "fromAppUrlScheme": "shop", "dataString": text, **others}
    return "alipay://alipayclient/?" + urllib.parse.quote(json.dumps({name: value for name, value in data.items() if value}))


def refusal(sub_code, message="", code="40002", node="alipay_trade_query_response"):
    return json.dumps({node: {"code": code, "msg": "x", "sub_code": sub_code, "sub_msg": message}}, ensure_ascii=False)


def escaped(text):
    return text.replace("&", "&amp;").replace('"', "&quot;")


NAMED = NODE.replace('"msg":"Success"', '"msg":"Success","app_id":"2021003100000017"')
REORDERED = json.dumps(json.loads(NAMED), sort_keys=True, separators=(",", ":"))
WORDS = "验签出错，网关生成的验签字符串为："
RETURN = [
    ("charset", "utf-8"), ("out_trade_no", "E1"), ("method", "alipay.trade.page.pay.return"), ("total_amount", "1.00"), ("trade_no", "4" * 28),
    ("app_id", "2021003100000017"), ("timestamp", "2026-11-27 14:50:00"), ("version", "1.0")]
OTHER = [("passback_params", "a%3d1%26b%3d2"), *NOTIFIED]

ALIPAYS = [
    ("a sound order", order(), []),
    ("a sound legacy order", legacy(), []),
    ("a sound notification", notification(), []),
    ("a sound result", result(), []),
    ("a currency alone as a sign", legacy().replace("&currency", "¤cy"), ["defect alipay.html-entity"]),
    ("a time as a sign in a query", "https://openapi.alipay.com/gateway.do?" + order().replace("&timestamp", "×tamp"),
     ["defect alipay.html-entity"]),
    ("a notification's id as a sign", notification().replace("&notify_id", "¬ify_id"), ["defect alipay.not-entity"]),
    ("a legacy order out of a page", escaped(legacy()), ["defect alipay.html-escaped"]),
    ("a notification out of a page", escaped(notification()), ["defect alipay.html-escaped"]),
    ("two parameters of a library's own", order(added=[("terminal_type", "app"), ("terminal_info", "ios")]), ["defect alipay.extra-parameter"]),
    ("parameters in a notification, decoded once more", notification(OTHER, [("passback_params", "a=1&b=2"), *NOTIFIED]),
     ["defect alipay.percent-encoding"]),
    ("a partner's number that is an application's", legacy([("partner", "2021003100000017"), *LEGACY[1:]]),
     ["warning alipay.partner", "defect alipay.partner-id"]),
    ("an order as JSON's text with its quotation marks", '"' + order().replace("&", "\\u0026") + '"', ["defect alipay.json-escaped"]),
    ("a legacy order in JSON's escapes", legacy().replace("=", "\\u003d").replace("&", "\\u0026"), ["defect alipay.json-escaped"]),
    ("a legacy order encoded as a whole", urllib.parse.quote(legacy(), safe=""), ["defect alipay.percent-encoding"]),
    ("a notification encoded as a whole", urllib.parse.quote(notification(), safe=""), ["defect alipay.percent-encoding"]),
    ("the wallet's other URL", "alipays://platformapi/startApp?appId=20000125&orderSuffix=" + urllib.parse.quote(order(), safe=""), []),
    ("the wallet's URL with a legacy order", switched(legacy()), []),
    ("the wallet's URL without a way back", switched(order(), fromAppUrlScheme=""), ["defect alipay.switch-scheme"]),
    ("a text that was encoded in a legacy order",
     legacy([(name, "%E8%8C%B6%E5%8F%B6" if name == "subject" else value) for name, value in LEGACY]), ["warning alipay.text-encoded"]),
    ("a page's return of another product",
     "https://shop.example/r?" + form([*RETURN, ("sign_type", "RSA2"), ("sign", sign(ALIPAY, joined(RETURN)))]), []),
    ("a result as Swift prints a dictionary",
     '["resultStatus": "9000", "memo": "", "result": ' + json.dumps(result()) + "]", []),
    ("a result as Foundation prints it, with its escapes",
     '{\n    memo = "\\U5904\\U7406";\n    result = ' + json.dumps(result()) + ";\n    resultStatus = 9000;\n}", []),
    ("a result with sorted members", result(NAMED).replace(NAMED, REORDERED), ["defect alipay.json-reserialised"]),
    ("a missing signature", refusal("isv.missing-signature", code="40001"), ["defect alipay.refused"]),
    ("a trade that there is not yet", refusal("ACQ.TRADE_NOT_EXIST", code="40004"), ["warning alipay.refused"]),
]


class MadeTests(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def judge(self, files, *options):
        for name, content in files.items():
            (self.folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return doctor(self.folder, ["doctor", *files, *options])

    def codes(self, files, *options):
        return [finding.rsplit(" in ", 1)[0] for finding in self.judge(files, *options)[0]]

    def test_orders_and_results_of_alipay(self):
        keys = {"merchant.pub": public(MERCHANT), "alipay.pub": public(ALIPAY)}
        for name, text, expected in ALIPAYS:
            with self.subTest(name):
                self.assertEqual(self.codes({"message.txt": text, **keys}), expected)

    def test_the_text_that_the_gateway_quotes(self):
        keys = {"merchant.pub": public(MERCHANT), "alipay.pub": public(ALIPAY)}
        text = joined(ORDER)
        other = text.replace("128.00", "12.80").replace('"', "&quot;")
        for name, quoted, expected, said in [
            ("another amount, escaped", other, "alipay.gateway-text-differs", "biz_content"),
            ("the same text", text, "alipay.refused", "another key"),
            ("a parameter more", text + "&z=1", "alipay.gateway-text-differs", "version"),
        ]:
            with self.subTest(name):
                files = {"answer.json": refusal("isv.invalid-signature", WORDS + quoted), "order.txt": order(), **keys}
                findings, _, answer = self.judge(files)
                self.assertEqual(findings, [f"defect {expected} in answer.json"])
                self.assertIn(said, answer["findings"][0]["cause"])

    def test_messages_of_alipay_plus(self):
        client, time = "SANDBOX_5Y0000000000001", "2026-11-27T14:00:00+08:00"

        def http(path, body, key=MERCHANT, signed=None, over=None, answer=False, names=str.lower):
            text = body if isinstance(body, str) else json.dumps(body, separators=(",", ":"))
            value = sign(key, f"POST {over or path}\n{client}.{time}.{signed if signed is not None else text}")
            moment = "response-time" if answer else "request-time"
            head = [(names("client-id"), client), (names(moment), time),
                    (names("signature"), f"algorithm=RSA256,keyVersion=1,signature={urllib.parse.quote(value, safe='')}")]
            first = "HTTP/1.1 200 OK" if answer else f"POST {path} HTTP/1.1\r\nHost: open-sea-global.alipayplus.com"
            return first + "\r\n" + "".join(f"{name}: {each}\r\n" for name, each in head) + "\r\n" + text

        pay, inquiry, refund = (f"/aps/api/v1/payments/{name}" for name in ("pay", "inquiryPayment", "refund"))

        def amount(value, currency="USD"):
            return {"currency": currency, "value": value}

        def payment(value="1999", currency="USD", **changes):
            return {
                "paymentRequestId": "p1", "order": {
                    "referenceOrderId": "o1", "orderDescription": "tea", "orderAmount": amount(value, currency),
                    "env": {"terminalType": "WAP", "osType": "IOS"},
                    "merchant": {"referenceMerchantId": "M1", "merchantMCC": "5411", "merchantName": "Tea"}},
                "paymentAmount": amount(value, currency), "paymentMethod": {"paymentMethodType": "CONNECT_WALLET"},
                "paymentFactor": {"isCashierPayment": "true"}, "paymentRedirectUrl": "https://shop.example/return",
                "paymentNotifyUrl": "https://acq.example/hooks/notifyPayment", **changes}

        def told(value, currency="USD"):
            return {
                "paymentResult": {"resultStatus": "S", "resultCode": "SUCCESS"}, "acquirerId": "1", "paymentRequestId": "p1",
                "paymentAmount": amount(value, currency)}

        def ordered(unit):
            body = payment("10", "KRW")
            body["order"]["goods"] = [{"goodsUnitAmount": amount(unit, "KRW"), "goodsQuantity": "2"}]
            return body

        sound, hook = http(pay, payment()), "/hooks/notifyPayment"
        asked, again = http(inquiry, {"paymentRequestId": "p1"}), {"result": {"resultStatus": "S"}, **told("1999")}
        unknown = http(pay, {"result": {"resultStatus": "U", "resultCode": "PAYMENT_IN_PROCESS"}}, ALIPAY, answer=True)
        second = http(pay, payment(paymentRequestId="p2"))
        part, whole = ({"paymentRequestId": "p1", "refundRequestId": name, "refundAmount": amount(value)} for name, value in (
            ("r1", "1000"), ("r2", "1500")))
        reserialised = ["defect alipay-plus.body-reserialised"]
        cases = [
            ("a sound payment", {"a.http": sound}, []),
            ("LF when signed, CR LF when sent", {"a.http": http(inquiry, '{\r\n"paymentId":"1"\r\n}', signed='{\n"paymentId":"1"\n}')}, reserialised),
            ("a flag that lost its marks", {"a.http": http(inquiry, '{"paymentId":"1","a":true}', signed='{"paymentId":"1","a":"true"}')},
             reserialised),
            ("a text that was a number", {"a.http": http(inquiry, '{"paymentId":"1","a":"5"}', signed='{"paymentId":"1","a":5}')}, reserialised),
            ("a member in front that was null", {"a.http": http(inquiry, '{"paymentId":"1"}', signed='{"extendInfo":null,"paymentId":"1"}')},
             reserialised),
            ("a member inside that was null", {"a.http": http(inquiry, '{"a":{"b":"1"}}', signed='{"a":{"b":"1","memo":null}}')}, reserialised),
            ("another currency told", {"a.http": sound, "b.http": http(hook, told("1999", "SGD"), ALIPAY)},
             ["defect alipay-plus.notification-differs"]),
            ("the amount told", {"a.http": sound, "b.http": http(hook, told("1999"), ALIPAY)}, []),
            ("another amount in an answer", {"a.http": sound, "b.http": http(pay, {**again, **told("19")}, ALIPAY, answer=True)},
             ["defect alipay-plus.answer-differs"]),
            ("names of one answer in capitals", {"a.http": asked, "b.http": http(inquiry, again, ALIPAY, answer=True, names=str.title)},
             ["warning alipay-plus.header-case"]),
            ("won that were divided", {"a.http": http(pay, ordered("500"))}, ["defect alipay-plus.amount-hundredfold"]),
            ("won that were not", {"a.http": http(pay, ordered("5"))}, []),
            ("a large amount", {"a.http": http(pay, payment("9000000", "JPY"))}, []),
            ("two refunds of more than all", {"a.http": sound, "b.http": http(refund, part), "c.http": http(refund, whole)},
             ["defect alipay-plus.refund-differs"]),
            ("a refund that is repeated", {"a.http": sound, "b.http": http(refund, part), "c.http": http(refund, part)}, []),
            ("a second attempt after U", {"a.http": sound, "b.http": unknown, "c.http": second},
             ["warning alipay-plus.unknown-taken-as-failed"]),
            ("a second attempt after a cancel", {
                "a.http": sound, "b.http": unknown, "c.http": second,
                "d.http": http("/aps/api/v1/payments/cancelPayment", {"paymentRequestId": "p1"})}, []),
            ("an address of the own network", {"a.http": http(pay, payment(paymentNotifyUrl="http://192.168.1.7:80/notify"))},
             ["warning alipay-plus.callback-address"]),
            ("an expiry of the same moment", {"a.http": http(pay, payment(paymentExpiryTime=time))}, ["defect alipay-plus.expiry"]),
            ("an expiry without a zone", {"a.http": http(pay, payment(paymentExpiryTime="2026-11-27T15:00:00"))},
             ["defect alipay-plus.expiry"]),
            ("no way back", {"a.http": http(pay, payment(paymentRedirectUrl=None))}, ["defect alipay-plus.request-rule"]),
            ("another API's path", {"a.http": http(hook, told("1999"), ALIPAY, over=pay)}, ["defect alipay-plus.signed-path"]),
        ]
        keys = {"client-v1.pem": public(MERCHANT), "gateway-v1.pem": public(ALIPAY)}
        bare = base64.b64encode(MERCHANT.private_bytes(
            serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())).decode()
        for name, files, expected in [*cases, ("a bare private key in lines", {
            "a.http": http(inquiry, {"paymentId": "1"}), "client-v2.txt": "\n".join(bare[start:start + 64] for start in range(0, len(bare), 64))},
                ["defect alipay-plus.key-version"])]:
            with self.subTest(name):
                self.assertEqual(self.codes({**files, **({} if "client-v2.txt" in files else keys)}, "--at", "2026-11-27T14:00:30+08:00"), expected)

    def test_a_whole_folder_is_taken(self):
        findings, code, answer = doctor(FIELD / "applepay", ["doctor", "token-in-wrapper", "--at", "2026-11-20T12:00:00Z"])
        self.assertEqual((findings, code), ([], 0))
        self.assertEqual(
            {each["artifact"] for each in answer["identified"]}, {"23-token-data.json", "proc.key", "proc.pem", "simulator-root.pem"})
        findings, _, _ = doctor(FIELD / "provisioning", ["doctor", "31-identifier-is-the-processors-token"])
        self.assertEqual(findings, ["warning provisioning.identifier-unknown in configuration.json"])
        _, code, answer = doctor(self.folder, ["doctor", "."])
        self.assertEqual(answer["error"]["code"], "unreadable-folder")
        self.assertNotEqual(code, 0)

    def test_what_stands_round_a_file_does_not_hide_it(self):
        library = (FIELD / "provisioning/31-identifier-is-the-processors-token/library.json").read_bytes()
        configuration = (FIELD / "provisioning/31-identifier-is-the-processors-token/configuration.json").read_bytes()
        flat = json.dumps(json.loads(configuration))
        wrapped = b"\r\n".join(
            base64.b64encode(configuration)[start:start + 64] for start in range(0, len(configuration) * 4 // 3 + 4, 64))
        for name, content in [
            ("as it is", configuration), ("behind a byte order mark", b"\xef\xbb\xbf" + configuration),
            ("with the line ends of another system", configuration.replace(b"\n", b"\r\n")),
            ("in UTF-16", configuration.decode().encode("utf-16")),
            ("in a line of a log", f"2026-11-27 10:00:00 INFO request={flat} took 12 ms\n".encode()),
            ("as a text of JSON", json.dumps(flat).encode()),
            ("percent-encoded", urllib.parse.quote(flat).encode()),
            ("with entities of HTML", flat.replace('"', "&quot;").encode()),
            ("in base64, in lines", wrapped),
        ]:
            with self.subTest(name):
                findings = self.codes({"library.json": library, "configuration.txt": content})
                self.assertEqual(findings, ["warning provisioning.identifier-unknown"])

    def test_requests_of_the_web(self):
        def web(total, items):
            def item(label, value):
                return {"label": label, "amount": {"currency": "USD", "value": value}}
            data = {
                "merchantIdentifier": "merchant.example.shop", "merchantCapabilities": ["supports3DS"], "supportedNetworks": ["visa"],
                "countryCode": "US"}
            return {
                "methodData": [{"supportedMethods": "basic-card"}, {"supportedMethods": ["https://apple.com/apple-pay"], "data": data}],
                "details": {"total": item("Shop", total), "displayItems": [item("Tea", each) for each in items]}}

        for name, files, expected in [
            ("a sound sum", {"c.json": web("3.00", ["1.00", "2.00"])}, []),
            ("a sum that is none", {"c.json": web("3.00", ["1.00", "1.00"])}, ["defect apple-pay.request.total-sum"]),
        ]:
            with self.subTest(name):
                self.assertEqual(self.codes({file: json.dumps(content) for file, content in files.items()}), expected)

    def test_requests_for_certificates(self):
        def request(key):
            subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Shop")])
            made = x509.CertificateSigningRequestBuilder().subject_name(subject).sign(key, hashes.SHA256())
            return made.public_bytes(serialization.Encoding.PEM), made.public_bytes(serialization.Encoding.DER)

        for name, key, expected in [
            ("P-256", ec.generate_private_key(ec.SECP256R1()), []),
            ("RSA with 2048 bits", MERCHANT, []),
            ("P-521", ec.generate_private_key(ec.SECP521R1()), ["defect apple-pay.request-key-kind"]),
            ("RSA with 3072 bits", rsa.generate_private_key(65537, 3072), ["defect apple-pay.request-key-kind"]),
        ]:
            with self.subTest(name):
                pem, der = request(key)
                self.assertEqual(self.codes({"a.csr": pem}), expected)
                if not expected:
                    self.assertEqual(self.codes({"b.csr": der}), [])

    def test_artifacts_of_in_app_provisioning(self):
        damaged = json.loads((FIELD / "provisioning/07-plus-became-space/request.json").read_text())
        sound = {name: value.replace(" ", "+") for name, value in damaged.items()}
        answer = json.loads((FIELD / "provisioning/02-stripe-answer-spki-key/push_provisioning_details.json").read_text())

        def changed(change):
            return json.dumps({**sound, "encryptedPassData": change(sound["encryptedPassData"])})

        log = "passd[1]: POST https://a.example/broker/v4/devices/04AA/cards/12/enable 500\n{\"errorCode\": \"40456\"}\n"
        entitlements = '<plist version="1.0"><dict><key>application-identifier</key><string>A.b</string>' \
            "<key>com.apple.developer.payment-pass-provisioning</key><true/>" \
            "<key>com.apple.security.application-groups</key><array><string>{}</string></array></dict></plist>"
        unreadable = ["defect provisioning.member-unreadable"]
        for name, files, expected in [
            ("a sound request", {"a.json": json.dumps(sound)}, []),
            ("broken lines", {"a.json": changed(lambda text: text[:64] + "\r\n" + text[64:])}, unreadable),
            ("the other alphabet", {"a.json": changed(lambda text: text.replace("+", "-").replace("/", "_"))}, unreadable),
            ("percent signs", {"a.json": changed(lambda text: text.replace("+", "%2B"))}, unreadable),
            ("an answer under ios", {"a.json": json.dumps({"object": "x", "ios": answer})}, ["defect provisioning.ephemeral-key-form"]),
            ("names with underscores", {"a.json": json.dumps({
                "card_token": "x", "encrypted_pass_data": sound["encryptedPassData"], "activation_data": sound["activationData"],
                "ephemeral_public_key": sound["ephemeralPublicKey"]})}, []),
            ("a code as a text", {"a.log": log}, ["defect provisioning.enable-failed"]),
            ("a refusal with another code", {"a.log": log.replace("40456", "40999")}, ["defect provisioning.broker-refused"]),
            ("another step", {"a.log": "Wallet: ProvisioningOperationComposer: Step 'provision' failed with error <PKProvisioningError>\n"},
             ["defect provisioning.step-failed"]),
            ("groups apart, and no extension's times", {"a.entitlements": entitlements.format("group.a"),
             "b.entitlements": entitlements.format("group.b")}, ["warning provisioning.app-group-differs"]),
            ("one group", {"a.entitlements": entitlements.format("group.a"), "b.entitlements": entitlements.format("group.a")}, []),
            ("a key for two cards", {"a.json": json.dumps(sound), "b.json": changed(lambda text: "AAAA" + text[4:])},
             ["defect provisioning.ephemeral-key-repeated"]),
            ("one request in two files", {"a.json": json.dumps(sound), "b.json": json.dumps(sound, indent=2)}, []),
        ]:
            with self.subTest(name):
                self.assertEqual(self.codes(files), expected)
                for file in files:
                    (self.folder / file).unlink()


if __name__ == "__main__":
    unittest.main()
