"""A merchant's back end for card payments: an order, its payment, the webhook that tells of it, and a refund.

Its environment is what `billfold sandbox register merchant` writes. It needs `pip install standardwebhooks`.
"""
import http.server
import json
import os
import queue
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

from standardwebhooks import Webhook, WebhookVerificationError

API, KEY, PAY_PAGE = os.environ["BILLFOLD_API"], os.environ["BILLFOLD_API_KEY"], os.environ["BILLFOLD_PAY_PAGE"]
OWN = os.environ.get("OWN_ORIGIN", "http://127.0.0.1:3000")
PATIENCE = 180


def call(method, path, body=None, key=KEY, name=None):
    """Calls the server. A write has a name, its idempotency key: what was not answered is sent again under the same one, so that
    nothing happens twice."""
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    if name:
        headers["Idempotency-Key"] = name
    data = None if body is None else json.dumps(body).encode()
    for attempt in range(4):
        try:
            request = urllib.request.Request(API + path, data, headers, method=method)
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as refusal:
            if refusal.code not in (429, 503):
                error = json.loads(refusal.read())["error"]
                raise SystemExit(f"{method} {path} was refused: {refusal.code} {error['code']}: {error['reason']}") from None
            time.sleep(int(refusal.headers.get("Retry-After", 1)))
        except (urllib.error.URLError, TimeoutError, ConnectionError) as problem:
            if method == "POST" and not name:
                raise SystemExit(f"{method} {path} was not answered: {problem}") from None
            time.sleep(2**attempt)
    raise SystemExit(f"{method} {path} was not answered; whether it happened is not known")


class Hook(http.server.ThreadingHTTPServer):
    """Listens for events. What it takes it puts into a queue and answers at once; a shop would put it into its database."""

    def __init__(self):
        address = urllib.parse.urlsplit(OWN)
        super().__init__((address.hostname, address.port), HookHandler)
        self.events, self.seen, self.secret = queue.Queue(), set(), None
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def register(self):
        url = f"{OWN}/hook"
        for endpoint in call("GET", "/v1/webhook-endpoints")["endpoints"]:
            if endpoint["url"] == url:
                # Left by an earlier run: its secret was told then and is told no more.
                call("DELETE", f"/v1/webhook-endpoints/{endpoint['id']}")
        endpoint = call("POST", "/v1/webhook-endpoints", {"url": url})
        self.secret = endpoint["secret"]
        return endpoint["id"]

    def wait(self, wanted):
        """The first event that `wanted` says yes to. Types that are not known are passed over."""
        end = time.monotonic() + PATIENCE
        while (left := end - time.monotonic()) > 0:
            try:
                event = self.events.get(timeout=left)
            except queue.Empty:
                break
            print(f"heard {event['type']} of {event['object']['id']}", flush=True)
            if wanted(event):
                return event
        raise SystemExit("no event came in time: the outcome is not known, neither paid nor failed; ask for the order later")


class HookHandler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(min(int(self.headers.get("Content-Length", 0)), 100_000))
        try:
            # The bytes as they came, before anything parses them.
            event = Webhook(self.server.secret).verify(body, {name.lower(): value for name, value in self.headers.items()})
        except WebhookVerificationError as problem:
            return self.answer(400, str(problem))
        if event["id"] not in self.server.seen:
            self.server.seen.add(event["id"])
            self.server.events.put(event)
        self.answer(204)

    def answer(self, status, why=""):
        self.send_response(status)
        self.send_header("Content-Length", str(len(why)))
        self.end_headers()
        self.wfile.write(why.encode())

    def log_message(self, *_):
        pass


def main():
    hook = Hook()
    endpoint = hook.register()
    run = uuid.uuid4().hex
    order = call("POST", "/v1/orders", {
        "reference": f"shop-{run[:12]}", "goods": "electronic", "currency": "CNY", "country": "CN", "merchantName": "My shop",
        "lines": [{"label": "Field guide", "unitAmount": "33.00", "quantity": 1}]}, name=f"order-{run}")
    # A shop's app asks for the number itself: the client secret is good for this order alone.
    number = call("POST", f"/v1/orders/{order['id']}/transaction-numbers", {}, key=order["clientSecret"], name=f"number-{run}")
    if "tn" not in number:
        raise SystemExit(f"there is no number: the payment is {number['payment']['state']}")
    print(f"customer pays at {PAY_PAGE}/{number['tn']}?scheme=myshop&mode=01", flush=True)

    final = ("payment.succeeded", "payment.failed")
    outcome = hook.wait(lambda event: event["data"].get("order") == order["id"] and event["type"] in final)
    if outcome["type"] == "payment.failed":
        raise SystemExit("the payment failed: no money moved")
    payment = outcome["data"]
    print(f"paid {payment['amount']} {payment['currency']}")

    refund = call("POST", f"/v1/payments/{payment['id']}/refunds", {"amount": "10.00", "reason": "a torn page"}, name=f"refund-{run}")
    print(f"refund is {refund['state']}: on its way, not yet given back")
    outcome = hook.wait(lambda event: event["object"]["id"] == refund["id"] and event["type"] in ("refund.succeeded", "refund.failed"))
    print("refunded 10.00" if outcome["type"] == "refund.succeeded" else "the refund failed")
    call("DELETE", f"/v1/webhook-endpoints/{endpoint}")
    return outcome["type"] != "refund.succeeded"


if __name__ == "__main__":
    sys.exit(main())
