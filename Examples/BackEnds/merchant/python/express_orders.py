"""A merchant's server for Alipay express orders: signs one, has it paid, takes the notification, queries, and gives a part back.

Its environment is what `billfold sandbox register merchant` writes. It needs `pip install cryptography`.
"""
import base64
import datetime
import decimal
import http.server
import json
import os
import pathlib
import queue
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

GATEWAY, CASHIER, APP = os.environ["ALIPAY_GATEWAY"], os.environ["ALIPAY_CASHIER"], os.environ["ALIPAY_APP_ID"]
OWN = os.environ.get("OWN_ORIGIN", "http://127.0.0.1:3000")
MY_KEY = serialization.load_pem_private_key(pathlib.Path(os.environ["ALIPAY_PRIVATE_KEY_FILE"]).read_bytes(), None)
ALIPAY_KEY = serialization.load_pem_public_key(pathlib.Path(os.environ["ALIPAY_PUBLIC_KEY_FILE"]).read_bytes())
CHINA = datetime.timezone(datetime.timedelta(hours=8))
PATIENCE = 180


def covered(fields, without=()):
    """The text that a signature covers: sorted by name, decoded values, nothing empty."""
    return "&".join(f"{name}={value}" for name, value in sorted(fields.items()) if value and name not in without).encode()


def verify(signature, text):
    """Raises unless the gateway signed these bytes."""
    ALIPAY_KEY.verify(base64.b64decode(signature), text, padding.PKCS1v15(), hashes.SHA256())


def signed(method, content, **more):
    fields = {
        "app_id": APP, "method": method, "format": "JSON", "charset": "utf-8", "sign_type": "RSA2", "version": "1.0",
        "timestamp": datetime.datetime.now(CHINA).strftime("%Y-%m-%d %H:%M:%S"), "biz_content": json.dumps(content), **more}
    signature = MY_KEY.sign(covered(fields), padding.PKCS1v15(), hashes.SHA256())
    return urllib.parse.urlencode({**fields, "sign": base64.b64encode(signature).decode()})


def ask(method, content):
    """Calls the gateway. The answer is believed for its signature, which covers the node's text as it came."""
    for attempt in range(4):
        try:
            with urllib.request.urlopen(GATEWAY, signed(method, content).encode(), timeout=30) as answer:
                text = answer.read().decode()
            break
        except (urllib.error.URLError, TimeoutError, ConnectionError):
            # Queries change nothing, and a refund is known by its own number: to ask again is safe.
            time.sleep(2**attempt)
    else:
        raise SystemExit(f"{method} was not answered; whether it happened is not known")
    name = method.replace(".", "_") + "_response"
    start = text.index(f'"{name}":') + len(name) + 3
    node, end = json.JSONDecoder().raw_decode(text, start)
    verify(json.loads(text)["sign"], text[start:end].encode())
    return node


class Listener(http.server.BaseHTTPRequestHandler):
    """Takes notifications. The answer is `success` and nothing else; without it they come again."""

    heard = queue.Queue()

    def do_POST(self):
        body = self.rfile.read(min(int(self.headers.get("Content-Length", 0)), 100_000)).decode()
        fields = dict(urllib.parse.parse_qsl(body, keep_blank_values=True))
        word = b"success"
        try:
            verify(fields.get("sign", ""), covered(fields, without=("sign", "sign_type")))
        except (InvalidSignature, ValueError):
            word = b"fail"
        else:
            self.heard.put(fields)
        self.send_response(200)
        self.send_header("Content-Length", str(len(word)))
        self.end_headers()
        self.wfile.write(word)

    def log_message(self, *_):
        pass


def paid(number, amount):
    """Waits for the notification, and asks where none comes. Only these two say that money came; the payer's app does not."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            told = Listener.heard.get(timeout=15)
            print(f"heard {told['trade_status']} of {told['out_trade_no']}", flush=True)
        except queue.Empty:
            told = ask("alipay.trade.query", {"out_trade_no": number})
        if told.get("out_trade_no") != number:
            # Of another order, or ACQ.TRADE_NOT_EXIST: nobody came to the cashier's password yet.
            continue
        if told["trade_status"] in ("TRADE_SUCCESS", "TRADE_FINISHED"):
            if decimal.Decimal(told["total_amount"]) != decimal.Decimal(amount):
                raise SystemExit(f"{told['total_amount']} came in place of {amount}: a person has to look")
            return told["trade_no"]
        if told["trade_status"] == "TRADE_CLOSED":
            raise SystemExit("the trade was closed: no money moved")
    raise SystemExit("the outcome is not known, neither paid nor failed: query later, and close the trade before selling again")


def main():
    address = urllib.parse.urlsplit(OWN)
    server = http.server.ThreadingHTTPServer((address.hostname, address.port), Listener)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    number, amount = f"MY{uuid.uuid4().hex}", "12.50"
    order = signed(
        "alipay.trade.app.pay",
        {"out_trade_no": number, "total_amount": amount, "subject": "Notebook", "product_code": "QUICK_MSECURITY_PAY"},
        notify_url=f"{OWN}/notify")
    # An app hands the string to the wallet. Here a browser pays it: the cashier answers with the address of its page.
    with urllib.request.urlopen(CASHIER, urllib.parse.urlencode({"order": order}).encode(), timeout=30) as page:
        print(f"customer pays at {page.geturl()}", flush=True)
    trade = paid(number, amount)
    print(f"paid {amount} CNY, trade {trade}")

    state = ask("alipay.trade.query", {"out_trade_no": number})
    print(f"the query says {state['trade_status']}")

    refund = {"out_trade_no": number, "refund_amount": "2.50", "out_request_no": f"R{number}"}
    answer = ask("alipay.trade.refund", refund)
    if answer["code"] != "10000":
        raise SystemExit(f"the refund was refused: {answer.get('sub_code')}: {answer.get('sub_msg')}")
    # fund_change N is no failure: the same refund, asked for again, or one that is still on its way. The query tells.
    told = ask("alipay.trade.fastpay.refund.query", {"out_trade_no": number, "out_request_no": refund["out_request_no"]})
    if told.get("refund_status") != "REFUND_SUCCESS":
        raise SystemExit("the refund is not known to be done: query it later, under the same out_request_no")
    print(f"refunded {told['refund_amount']}")


if __name__ == "__main__":
    sys.exit(main())
