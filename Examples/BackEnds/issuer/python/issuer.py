"""A bank's back end at its issuer's host: a session, the customer's cards, a blocked card, its tokens, and the webhooks that tell of them.

Its environment is what `billfold sandbox register bank` writes. It needs `pip install standardwebhooks`.
"""
import http.server
import json
import os
import queue
import secrets
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

from standardwebhooks import Webhook, WebhookVerificationError

HOST, KEY, BANK_APP = os.environ["BILLFOLD_PROVISIONING"], os.environ["BILLFOLD_BANK_KEY"], os.environ["BILLFOLD_BANK_APP"]
OWN = os.environ.get("OWN_ORIGIN", "http://127.0.0.1:3000")
CUSTOMER, CARD = "c-1", "visa-1"
PATIENCE = 180


def call(method, path, body=None, key=KEY):
    """Calls the host. Card events have ids of the bank's, so what was not answered is sent again as it was."""
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    for attempt in range(4):
        try:
            with urllib.request.urlopen(urllib.request.Request(HOST + path, data, headers, method=method), timeout=30) as answer:
                return json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as refusal:
            if refusal.code not in (429, 503):
                error = json.loads(refusal.read())["error"]
                raise SystemExit(f"{method} {path} was refused: {refusal.code} {error['code']}: {error['reason']}") from None
            time.sleep(int(refusal.headers.get("Retry-After", 1)))
        except (urllib.error.URLError, TimeoutError, ConnectionError):
            time.sleep(2**attempt)
    raise SystemExit(f"{method} {path} was not answered; whether it happened is not known")


class Hook(http.server.ThreadingHTTPServer):
    """Listens for events. What it takes it puts into a queue and answers at once; a bank would put it into its database."""

    def __init__(self):
        address = urllib.parse.urlsplit(OWN)
        super().__init__((address.hostname, address.port), HookHandler)
        self.events, self.seen, self.secret = queue.Queue(), set(), None
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def register(self):
        url = f"{OWN}/hook"
        for endpoint in call("GET", "/provisioning/v1/webhook-endpoints")["endpoints"]:
            if endpoint["url"] == url:
                # Left by an earlier run: its secret was told then and is told no more.
                call("DELETE", f"/provisioning/v1/webhook-endpoints/{endpoint['id']}")
        endpoint = call("POST", "/provisioning/v1/webhook-endpoints", {"url": url})
        self.secret = endpoint["secret"]
        return endpoint["id"]

    def wait(self, wanted):
        """The first event of our card that has this type. Types that are not known are passed over."""
        end = time.monotonic() + PATIENCE
        while (left := end - time.monotonic()) > 0:
            try:
                event = self.events.get(timeout=left)
            except queue.Empty:
                break
            print(f"heard {event['type']} of {event['object']['id']}", flush=True)
            if event["type"] == wanted and event["data"].get("card") == CARD:
                return event["data"]
        raise SystemExit(f"no {wanted} came in time: what became of the token is not known; look at /bank/v1/tokens later")


class HookHandler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(min(int(self.headers.get("Content-Length", 0)), 100_000))
        status = 204
        try:
            # The bytes as they came, before anything parses them.
            event = Webhook(self.server.secret).verify(body, {name.lower(): value for name, value in self.headers.items()})
        except WebhookVerificationError:
            status = 400
        else:
            if event["id"] not in self.server.seen:
                self.server.seen.add(event["id"])
                self.server.events.put(event)
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def tokens():
    """The card's tokens that are not deleted, page by page."""
    found, cursor = [], ""
    while cursor is not None:
        page = call("GET", f"/bank/v1/tokens?card={CARD}&limit=50{cursor}")
        found += [token for token in page["tokens"] if token["state"] != "deleted"]
        cursor = f"&cursor={urllib.parse.quote(page['next'])}" if "next" in page else None
    return found


def active():
    """The card's first token that pays, waited for: one that was just added or released pays a moment later."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        for token in tokens():
            if token["state"] == "active":
                return token
        time.sleep(0.5)
    raise SystemExit(f"no token of {CARD} is active: look at its heldFor in /bank/v1/tokens?card={CARD}")


def report(kind):
    """Says what happened to the card. The same event twice is one; what the host did with it stands in `effect`."""
    event = {"eventId": uuid.uuid4().hex, "card": CARD, "kind": kind, "occurredAt": int(time.time() * 1000)}
    taken = call("POST", "/bank/v1/card-events", event)
    # `noted`: kept, and the card has no token that the event moves. `overtaken`: something later was reported before.
    why = ", for no token of the card has to move" if taken["effect"] == "noted" else ""
    print(f"reported {kind}: {taken['effect']}, {taken['actions']} actions asked of networks{why}")


def main():
    hook = Hook()
    endpoint = hook.register()
    # After the customer's own log in. The token is for your app on that phone; its SEID is here a made one.
    session = call("POST", "/provisioning/v1/sessions", {"customer": CUSTOMER, "device": secrets.token_hex(24)})
    cards = call("GET", "/provisioning/v1/cards", key=session["token"])["cards"]
    print(f"{CUSTOMER} has {', '.join(card['id'] for card in cards)}")
    # A token that is suspended is one too: a card is not added a second time to make it pay.
    if not tokens():
        print(f"customer adds {CARD} at {BANK_APP}", flush=True)
    print(f"active: {active()['tokenReference']}")

    report("blocked")
    print(f"suspended: {hook.wait('token.suspended')['tokenReference']}")
    report("unblocked")
    print(f"active again: {hook.wait('token.active')['tokenReference']}")
    for token in tokens():
        print(f"{token['tokenReference']} is {token['state']} in {token.get('device', {}).get('name', 'a device')}")
    call("DELETE", f"/provisioning/v1/webhook-endpoints/{endpoint}")


if __name__ == "__main__":
    sys.exit(main())
