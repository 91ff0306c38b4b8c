"""An acquirer's server at Alipay+: begins a payment, takes the notification and signs the answer, inquires, and gives a part back.

Its environment is what `billfold sandbox register acquirer` writes. It needs `pip install cryptography`.
"""
import base64
import datetime
import http.server
import json
import os
import pathlib
import queue
import re
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding

GATEWAY, CLIENT = os.environ["ALIPAY_PLUS_GATEWAY"], os.environ["ALIPAY_PLUS_CLIENT_ID"]
MERCHANT, NOTIFY = os.environ["ALIPAY_PLUS_MERCHANT_ID"], os.environ["ALIPAY_PLUS_NOTIFY_URL"]
CURRENCY = os.environ["ALIPAY_PLUS_SETTLEMENT_CURRENCY"]
MY_KEY = serialization.load_pem_private_key(pathlib.Path(os.environ["ALIPAY_PLUS_PRIVATE_KEY_FILE"]).read_bytes(), None)
GATEWAY_KEY = serialization.load_pem_public_key(pathlib.Path(os.environ["ALIPAY_PLUS_PUBLIC_KEY_FILE"]).read_bytes())
CHINA = datetime.timezone(datetime.timedelta(hours=8))
PATIENCE = 180


def covered(path, client, time_text, body):
    return f"POST {path}\n{client}.{time_text}.".encode() + body


def signed(path, body, time_name):
    """The headers of a request (`request-time`) or of an answer (`response-time`)."""
    now = datetime.datetime.now(CHINA).isoformat(timespec="seconds")
    signature = MY_KEY.sign(covered(path, CLIENT, now, body), padding.PKCS1v15(), hashes.SHA256())
    signature = urllib.parse.quote(base64.b64encode(signature), safe="")
    return {
        "client-id": CLIENT, time_name: now, "signature": f"algorithm=RSA256, keyVersion=1, signature={signature}",
        "content-type": "application/json; charset=UTF-8"}


def verify(path, headers, body, time_name):
    """Raises `InvalidSignature` unless the gateway signed it for us."""
    found = re.search(r"signature=([^,\s]+)$", headers.get("signature") or "")
    if not found or headers.get("client-id") != CLIENT:
        raise InvalidSignature
    signature = base64.b64decode(urllib.parse.unquote(found[1]))
    GATEWAY_KEY.verify(signature, covered(path, CLIENT, headers.get(time_name), body), padding.PKCS1v15(), hashes.SHA256())


def call(api, content):
    """A signed call. What was not answered is sent again as it was: its request id says that it is the same."""
    path, body = f"/aps/api/v1/payments/{api}", json.dumps(content).encode()
    for attempt in range(4):
        try:
            request = urllib.request.Request(GATEWAY + path, body, signed(path, body, "request-time"))
            with urllib.request.urlopen(request, timeout=30) as answer:
                text = answer.read()
                if "signature" not in answer.headers:
                    # Only a caller whom the gateway does not know by the signature gets an answer without one.
                    raise SystemExit(f"{api} was refused: {text.decode()}")
                verify(path, answer.headers, text, "response-time")
                return json.loads(text)
        except (urllib.error.URLError, TimeoutError, ConnectionError):
            time.sleep(2**attempt)
    raise SystemExit(f"{api} was not answered; whether it happened is not known: inquire under the same request id")


class Listener(http.server.BaseHTTPRequestHandler):
    """Takes notifications. An answer that is not signed, or not S, has them come again."""

    heard = queue.Queue()

    def do_POST(self):
        body = self.rfile.read(min(int(self.headers.get("Content-Length", 0)), 100_000))
        try:
            verify(self.path, self.headers, body, "request-time")
        except (InvalidSignature, ValueError):
            return self.answer(401, b"", {})
        self.heard.put(json.loads(body))
        taken = json.dumps({"result": {"resultStatus": "S", "resultCode": "SUCCESS", "resultMessage": "success"}}).encode()
        self.answer(200, taken, signed(self.path, taken, "response-time"))

    def answer(self, status, body, headers):
        self.send_response(status)
        for name, value in {**headers, "content-length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def outcome(name):
    """S or F of a payment: by notification, by inquiry where none comes. U is not F, so it is asked again."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            told = Listener.heard.get(timeout=10)
            print(f"heard {told['paymentResult']['resultStatus']} of {told['paymentRequestId']}", flush=True)
            if told["paymentRequestId"] != name:
                continue
        except queue.Empty:
            told = call("inquiryPayment", {"paymentRequestId": name})
        if told.get("paymentResult", {}).get("resultStatus") in ("S", "F"):
            return told
    raise SystemExit("the outcome is not known, neither paid nor failed: inquire later, or cancel the payment before selling again")


def main():
    address = urllib.parse.urlsplit(NOTIFY)
    server = http.server.ThreadingHTTPServer((address.hostname, address.port), Listener)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    name, amount = f"P{uuid.uuid4().hex}", {"currency": CURRENCY, "value": "1999"}
    answer = call("pay", {
        "paymentRequestId": name, "paymentAmount": amount, "paymentMethod": {"paymentMethodType": "CONNECT_WALLET"},
        "paymentFactor": {"isCashierPayment": True}, "paymentNotifyUrl": NOTIFY,
        "paymentRedirectUrl": f"{address.scheme}://{address.netloc}/",
        "order": {
            "referenceOrderId": f"O{name[:20]}", "orderDescription": "Green tea", "orderAmount": amount,
            "env": {"terminalType": "WAP", "osType": "IOS"},
            "merchant": {"referenceMerchantId": MERCHANT, "merchantMCC": "5499", "merchantName": "My shop"}}})
    if answer["result"]["resultStatus"] != "U":
        raise SystemExit(f"no payment was begun: {answer['result']}")
    print(f"customer pays at {answer['normalUrl']}", flush=True)
    told = outcome(name)
    if told["paymentResult"]["resultStatus"] == "F":
        raise SystemExit(f"the payment failed: {told['paymentResult']['resultCode']}")
    print(f"paid {amount['value']} of {CURRENCY}'s smallest unit, payment {told['paymentId']}")

    print(f"the inquiry says {call('inquiryPayment', {'paymentRequestId': name})['paymentResult']['resultStatus']}")

    refund = {"paymentRequestId": name, "refundRequestId": f"R{name[1:]}", "refundAmount": {"currency": CURRENCY, "value": "999"}}
    while (answer := call("refund", refund))["result"]["resultStatus"] == "U":
        time.sleep(2)
    if answer["result"]["resultStatus"] != "S":
        raise SystemExit(f"the refund was refused: {answer['result']}")
    print(f"refunded 999, refund {answer['refundId']}")


if __name__ == "__main__":
    sys.exit(main())
