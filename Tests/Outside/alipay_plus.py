"""An acquirer and wallets of Alipay+ outside the program: signed calls, wallets that answer, and what the gateway tells."""
import base64
import datetime
import http.server
import json
import threading
import urllib.parse
import urllib.request
import uuid

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from parties import post

# Parties of their own, whatever others the gateway has.
ACQUIRER_ID = "1022188000000777"
CLIENT = "SANDBOX_OUTSIDE"
MERCHANT = "MER-0001"
# What a wallet is called, its region and currency, the digits of its codes, and what is told of it besides.
WALLETS = {
    "TEST_PH": ("GCash", "PH", "PHP", "281001", {}),
    "TEST_HK": ("AlipayHK", "HK", "HKD", "281002", {"promotions": [{
        "id": "spring", "funder": "ALIPAY_PLUS", "fixed": "200", "minimum": "1000",
        "names": [{"language": "en_US", "name": "2 HKD off"}, {"language": "zh_HK", "name": "減 2 港元"}]}]}),
    "TEST_KR": ("Kakao Pay", "KR", "KRW", "281003", {}),
    "TEST_MY": ("Touch 'n Go eWallet", "MY", "MYR", "281004", {}),
}
BASE = "/aps/api/v1/"
CHINA = datetime.timezone(datetime.timedelta(hours=8))


def new_key():
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def public_key(key):
    der = key.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    return base64.b64encode(der).decode()


def pem(key):
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()


def signed_headers(key, client, path, body, time_name="request-time"):
    at = datetime.datetime.now(CHINA).isoformat(timespec="seconds")
    text = f"POST {path}\n{client}.{at}.".encode() + body
    signature = urllib.parse.quote(base64.b64encode(key.sign(text, padding.PKCS1v15(), hashes.SHA256())), safe="")
    return {
        "client-id": client, time_name: at, "signature": f"algorithm=RSA256, keyVersion=1, signature={signature}",
        "content-type": "application/json; charset=UTF-8"}


def result(status, code):
    return {"resultStatus": status, "resultCode": code, "resultMessage": code.lower()}


class Network:
    """One acquirer with its merchant, and wallets that do as they are told."""

    client, acquirer_id, wallets = CLIENT, ACQUIRER_ID, WALLETS
    # Further origins at which the acquirer may be told of payments.
    addresses = ()
    # Where acquirer and wallets listen; 0 for any.
    port = 0

    def __init__(self, billfold):
        self.gateway, self.key, self.wallet_key = billfold.public, new_key(), new_key()
        # What the acquirer was told, what wallets were asked to collect, and what of it their customers have paid.
        self.told, self.asked, self.paid = [], {}, set()
        # What wallets refuse, by the end of its path, with a code.
        self.refusing = {}
        self.changed = threading.Condition()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), self.handler())
        self.origin = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.onboarding_key = (billfold.folder / "data/alipay-plus-onboarding.key").read_text().strip()
        bearer = {"Authorization": f"Bearer {self.onboarding_key}"}
        registered = post(f"{self.gateway}/onboarding/v1/acquirers", self.acquirer(), bearer)
        # PEM: what the gateway signs with for the acquirer.
        self.gateway_key = registered["gatewayKeys"][0]["publicKey"]
        for name in self.wallets:
            post(f"{self.gateway}/onboarding/v1/wallets", self.wallet(name), bearer)

    def acquirer(self):
        return {
            "clientId": self.client, "acquirerId": self.acquirer_id, "name": "Corner Acquiring",
            "keys": [{"version": 1, "publicKey": public_key(self.key)}], "notifyUrl": f"{self.origin}/notify", "origins": [self.origin],
            "addresses": list(self.addresses), "settlementCurrency": "SGD", "agreementId": "AG-1", "feePercent": "0.8",
            "wallets": list(WALLETS), "merchants": [{"id": MERCHANT, "name": "Corner Tea", "mcc": "5411"}]}

    def wallet(self, name):
        brand, region, currency, issuer, more = WALLETS[name]
        page = f"{self.origin}/wallets/{name}"
        return {
            "clientId": f"SANDBOX_{name}", "pspId": f"1022{issuer}", "paymentMethodType": name, "brand": brand, "region": region,
            "currency": currency, "scenarios": ["cashier", "orderCode", "entryCode", "paymentCode", "automaticDebit"],
            "keys": [{"version": 1, "publicKey": public_key(self.wallet_key)}], "origin": self.origin,
            "links": {"normal": f"{page}/page", "applink": f"{page}/app", "appIdentifier": f"example.{name.lower()}"}, "codeIssuer": issuer,
            **more}

    def stop(self):
        self.server.shutdown()
        self.server.server_close()

    def call(self, api, body, wallet=None):
        client, key = (f"SANDBOX_{wallet}", self.wallet_key) if wallet else (self.client, self.key)
        path, sent = BASE + api, json.dumps(body).encode()
        request = urllib.request.Request(self.gateway + path, data=sent, headers=signed_headers(key, client, path, sent))
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.loads(answer.read())

    def pay_request(self, value="1999", currency="SGD", terminal="WAP", **more):
        amount = {"currency": currency, "value": value}
        env = {"terminalType": terminal, **({"osType": "IOS"} if terminal in ("WAP", "APP") else {})}
        return {
            "paymentRequestId": f"p-{uuid.uuid4().hex}", "paymentAmount": amount,
            "order": {
                "referenceOrderId": f"o-{uuid.uuid4().hex}", "orderDescription": "green tea", "orderAmount": amount, "env": env,
                "merchant": {"referenceMerchantId": MERCHANT, "merchantMCC": "5411", "merchantName": "Corner Tea"}},
            "paymentMethod": {"paymentMethodType": "CONNECT_WALLET"}, "paymentFactor": {"isCashierPayment": True},
            "paymentNotifyUrl": f"{self.origin}/notify", "paymentRedirectUrl": f"{self.origin}/return", **more}

    def begin(self, **more):
        """A cashier payment. Returns its request and the sheet's address."""
        request = self.pay_request(**more)
        answer = self.call("payments/pay", request)
        if answer["result"]["resultStatus"] != "U":
            raise RuntimeError(f"pay: {answer}")
        return request, answer["normalUrl"]

    def scan(self, sheet, wallet):
        """The wallet's customer has the payment before them. Returns the wallet's request id of it."""
        code = f"https://qr.alipay-plus.example/281010040001{sheet.rsplit('/', 1)[1]}"
        answer = self.call("payments/userInitiatedPay", {"codeValue": code, "customerId": "c-1"}, wallet)
        if answer["result"]["resultStatus"] != "S":
            raise RuntimeError(f"userInitiatedPay: {answer}")
        return answer["paymentRequestId"]

    def decide(self, wallet, request, outcome, patience=30):
        """The wallet waits until it is asked to collect, and tells what became of it."""
        with self.changed:
            if not self.changed.wait_for(lambda: request in self.asked, patience):
                raise RuntimeError(f"{wallet} was never asked to collect {request}")
            if outcome["resultStatus"] == "S":
                self.paid.add(request)
        return self.call("payments/notifyPayment", {
            "paymentResult": outcome, "paymentRequestId": request, "paymentId": f"W{request}", "customerId": "c-1",
            **self.amounts(request)}, wallet)

    def amounts(self, request):
        """What a wallet was asked to collect, as it tells it."""
        asked = self.asked[request]
        return {"paymentAmount": asked["paymentAmount"], "payToAmount": asked.get("payToAmount", asked["paymentAmount"])}

    def confirm(self, wallet, request):
        return self.decide(wallet, request, result("S", "SUCCESS"))

    def refuse(self, wallet, request):
        return self.decide(wallet, request, result("F", "USER_BALANCE_NOT_ENOUGH"))

    def until_told(self, request, patience=30):
        """What the acquirer was told of a payment."""
        def found():
            return next((each for each in self.told if each.get("paymentRequestId") == request), None)

        with self.changed:
            if not self.changed.wait_for(found, patience):
                raise RuntimeError(f"nothing was told of {request}")
            return found()

    def answer(self, path, body):
        """What the acquirer, or a wallet, says to the gateway."""
        with self.changed:
            self.changed.notify_all()
            if path == "/notify":
                self.told.append(body)
                return self.key, {"result": result("S", "SUCCESS")}
            request = body.get("paymentRequestId")
            if path.rsplit("/", 1)[1] in self.refusing:
                answer = {"result": result("F", self.refusing[path.rsplit("/", 1)[1]])}
            elif path.endswith("/payments/pay"):
                self.asked[request] = body
                answer = {"result": result("U", "PAYMENT_IN_PROCESS"), "paymentId": f"W{request}"}
            elif path.endswith("/payments/inquiryPayment") and request in self.asked:
                state = result("S", "SUCCESS") if request in self.paid else result("U", "PAYMENT_IN_PROCESS")
                answer = {"result": result("S", "SUCCESS"), "paymentResult": state, **self.amounts(request)}
            elif path.endswith("/payments/inquiryPayment"):
                answer = {"result": result("F", "ORDER_NOT_EXIST")}
            elif path.endswith("/payments/cancelPayment"):
                answer = {"result": result("S", "SUCCESS")}
            elif path.endswith("/payments/refund"):
                answer = {"result": result("S", "SUCCESS"), "refundId": f"R{uuid.uuid4().hex}"}
            else:
                answer = {"result": result("F", "NO_INTERFACE_DEF")}
            return self.wallet_key, answer

    def handler(network):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)))
                key, answer = network.answer(self.path, body)
                sent = json.dumps(answer).encode()
                self.give(sent, signed_headers(key, self.headers["client-id"], self.path, sent, "response-time"))

            def do_GET(self):
                name = urllib.parse.urlsplit(self.path).path
                page = "<!doctype html><html lang=en><meta name=viewport content='width=device-width'><title>Here</title><h1>At {}</h1>"
                self.give(page.format(name).encode(), {"content-type": "text/html; charset=utf-8"})

            def give(self, body, headers):
                self.send_response(200)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        return Handler
