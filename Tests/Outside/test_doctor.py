"""What `billfold doctor` says of files as people hold them: the cases of `Tests/Field`, and others of the same kinds that are made here with keys
of this run. Each is judged by the program itself; sound files beside them have to stay quiet.
"""
import base64
import hashlib
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
    return [f"{each['severity']} {each['code']} in {each['subject']}" for each in answer["findings"]], done.returncode, answer


def public(key):
    return key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)


def sign(key, text, algorithm=None):
    return base64.b64encode(key.sign(text if isinstance(text, bytes) else text.encode(), padding.PKCS1v15(), algorithm or hashes.SHA256())).decode()


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


class FieldTests(unittest.TestCase):
    """Every case of `Tests/Field/cases.json`: the findings in their order, and nothing else."""

    maxDiff = None

    def test_the_cases_of_the_field(self):
        cases = json.loads((FIELD / "cases.json").read_text())
        self.assertGreater(len(cases), 90)
        for case in cases:
            with self.subTest(case=f"{case['folder']} {case['case']}"):
                findings, code, _ = doctor(FIELD / case["folder"], case["command"])
                self.assertEqual((findings, code), (case["findings"], case["exit"]))


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


if __name__ == "__main__":
    unittest.main()
