"""The server of a mini program that takes money: signs an order for it, hears that it was paid, and tells the program.

    shop.py

Its environment is what `billfold sandbox register` writes for an author and for a merchant: a mini program is paid by an express order. It needs
`pip install cryptography`, and the merchant's program, which signs, verifies and asks the gateway.
"""
import decimal
import http.server
import json
import os
import pathlib
import queue
import sys
import threading
import urllib.parse
import uuid

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "merchant/python"))
import express_orders as gateway

AMOUNT = "12.50"
STATES = {}
# Orders of which the program was told that they are paid.
ended = queue.Queue()


class Listener(gateway.Listener):
    """The program asks for an order, the gateway tells that it was paid, and the program asks for its state."""

    def do_POST(self):
        if self.path == "/notify":
            return super().do_POST()
        self.rfile.read(min(int(self.headers.get("Content-Length", 0)), 10_000))
        if self.path == "/orders":
            return self.answer(order())
        number = self.path.removeprefix("/orders/")
        if number not in STATES:
            return self.answer({"error": "no order has this number"}, 404)
        state = settle(number)
        self.answer({"state": state})
        if state == "paid":
            ended.put(number)

    def answer(self, content, status=200):
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def order():
    """A new order, signed: the program hands it to `my.tradePay`, and nobody can change its amount on the way."""
    number = f"MY{uuid.uuid4().hex}"
    STATES[number] = "open"
    content = {"out_trade_no": number, "total_amount": AMOUNT, "subject": "Notebook", "product_code": "QUICK_MSECURITY_PAY"}
    return {"number": number, "orderStr": gateway.signed("alipay.trade.app.pay", content, notify_url=f"{gateway.OWN}/notify")}


def settle(number):
    """An order's state by what the gateway signed: its notifications, and its answer where none came yet. The phone's word is no proof."""
    told = []
    while not Listener.heard.empty():
        told.append(Listener.heard.get())
        print(f"heard {told[-1]['trade_status']} of {told[-1]['out_trade_no']}", flush=True)
    if STATES[number] == "open":
        told.append(gateway.ask("alipay.trade.query", {"out_trade_no": number}))
    for each in told:
        if each.get("out_trade_no") in STATES and each.get("trade_status") in ("TRADE_SUCCESS", "TRADE_FINISHED"):
            is_whole = decimal.Decimal(each["total_amount"]) == decimal.Decimal(AMOUNT)
            STATES[each["out_trade_no"]] = "paid" if is_whole else "a person has to look"
    return STATES[number]


def main():
    address = urllib.parse.urlsplit(gateway.OWN)
    server = http.server.ThreadingHTTPServer((address.hostname, address.port), Listener)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"user buys at {os.environ['BILLFOLD_PHONE']} in {os.environ['MINI_PROGRAM_ID']}, Own program", flush=True)
    try:
        number = ended.get(timeout=gateway.PATIENCE)
    except queue.Empty:
        raise SystemExit("nobody bought anything") from None
    print(f"paid {AMOUNT} CNY, order {number}")


if __name__ == "__main__":
    sys.exit(main())
