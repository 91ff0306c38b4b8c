"""Events as back ends get them: signed messages, the feed and the stream; and a thousand of them with kills and a receiver that fails.

`BILLFOLD_WEBHOOK_EVENTS` makes it more (`make soak`), `BILLFOLD_WEBHOOK_ENGINE=postgresql` runs it on PostgreSQL.
"""
import base64
import concurrent.futures
import datetime
import hashlib
import json
import os
import pathlib
import random
import re
import subprocess
import threading
import time
import unittest
import urllib.error
import urllib.request

from standardwebhooks import Webhook, WebhookVerificationError

from crash import Crash
from parties import Billfold, buy, get, get_json, merchant_books, post, provision, wait_for
from webhooks import Receiver, in_order

EVENTS = int(os.environ.get("BILLFOLD_WEBHOOK_EVENTS", 1_000))
ENGINE = os.environ.get("BILLFOLD_WEBHOOK_ENGINE", "sqlite")
ROOT = pathlib.Path(__file__).resolve().parents[2]


class BackEnd:
    """The owner's side: its key, and short ways to ask."""

    def __init__(self, base, key):
        self.base, self.bearer = base, {"Authorization": f"Bearer {key}"}

    def get(self, path):
        return get_json(f"{self.base}/{path}", self.bearer)

    def post(self, path, body=None):
        return post(f"{self.base}/{path}", {} if body is None else body, self.bearer)

    def add(self, url, **more):
        return self.post("webhook-endpoints", {"url": url, **more})

    def refuses(self, path):
        try:
            get(f"{self.base}/{path}", self.bearer)
        except urllib.error.HTTPError as refusal:
            return refusal.code, json.loads(refusal.read())["error"]["code"]
        return None

    def feed(self):
        events, page = [], self.get("events?limit=200")
        while True:
            events += page["events"]
            if not page["hasMore"]:
                return events
            page = self.get(f"events?limit=200&after={page['next']}")

    def stream(self, last=None, timeout=60):
        headers = {**self.bearer, **({"Last-Event-ID": last} if last else {})}
        return urllib.request.urlopen(urllib.request.Request(f"{self.base}/events/stream", headers=headers), timeout=timeout)


def next_event(stream):
    """The next event of a stream: its id, its type and itself."""
    fields = {}
    while True:
        line = stream.readline()
        if not line:
            raise EOFError("the stream ended")
        line = line.decode().rstrip("\n")
        if not line and "data" in fields:
            return fields["id"], fields["event"], json.loads(fields["data"])
        if line and not line.startswith(":"):
            name, value = line.split(": ", 1)
            fields[name] = value


class WebhookTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.billfold = Billfold()
        cls.addClassCleanup(cls.billfold.stop)
        cls.billfold.start()
        key = (cls.billfold.folder / "data/api.key").read_text().strip()
        cls.merchant = BackEnd(f"{cls.billfold.public}/v1", key)

    def receiver(self, *judge):
        receiver = Receiver(*judge)
        self.addCleanup(receiver.stop)
        return receiver

    def hook(self, receiver, **more):
        endpoint = self.merchant.add(receiver.url, **more)
        receiver.secrets = [endpoint["secret"]]
        self.addCleanup(self.delete, endpoint["id"])
        return endpoint

    def delete(self, name):
        request = urllib.request.Request(
            f"{self.merchant.base}/webhook-endpoints/{name}", headers=self.merchant.bearer, method="DELETE")
        with urllib.request.urlopen(request, timeout=60) as answer:
            self.assertEqual(answer.status, 204)

    def test_public_library_accepts_our_messages_and_refuses_altered_old_and_others(self):
        receiver = self.receiver()
        endpoint = self.hook(receiver)
        order, outcome = buy(self.billfold.sandbox, "longjing")
        self.assertEqual(outcome, "succeeded")
        wait_for("the event", lambda: [each for each in receiver.taken if each["data"].get("order") == order])
        self.assertEqual(receiver.faults, [])
        call = next(each for each in receiver.calls if each["event"]["data"].get("order") == order)
        event = call["event"]
        self.assertEqual((event["type"], event["object"]["kind"], event["sequence"]), ("payment.succeeded", "payment", 1))
        # What it says is what the interface says.
        self.assertEqual(event["data"], self.merchant.get(f"payments/{event['object']['id']}"))
        self.assertEqual(call["headers"]["webhook-key-id"], endpoint["keys"][0]["id"])
        verifier = Webhook(endpoint["secret"])
        self.assertEqual(verifier.verify(call["body"], call["headers"]), event)
        for altered in (call["body"].replace(b"succeeded", b"failed"), call["body"] + b" ", b"{}"):
            with self.assertRaises(WebhookVerificationError):
                verifier.verify(altered, call["headers"])
        for name, other in (
                ("webhook-id", "evt_0"), ("webhook-timestamp", str(int(time.time()) + 1)), ("webhook-signature", "v1,AAAA")):
            with self.assertRaises(WebhookVerificationError):
                verifier.verify(call["body"], {**call["headers"], name: other})
        with self.assertRaises(WebhookVerificationError):
            Webhook("whsec_" + "A" * 43 + "=").verify(call["body"], call["headers"])
        # The same message after six minutes: its own signature holds, and it is too old all the same.
        old = datetime.datetime.now(tz=datetime.timezone.utc) - datetime.timedelta(minutes=6)
        signed = verifier.sign(event["id"], old, call["body"].decode())
        with self.assertRaisesRegex(WebhookVerificationError, "too old"):
            verifier.verify(call["body"], {
                "webhook-id": event["id"], "webhook-timestamp": str(int(old.timestamp())), "webhook-signature": signed})

    def test_worked_example_of_the_page_is_right(self):
        """By the page's own command, and by the public library for the same bytes."""
        page = (ROOT / "docs/webhooks.md").read_text()
        example = re.search(r"```sh\n(secret=whsec_.*?)```", page, re.DOTALL)[1]
        secret = re.match(r"secret=(\S+)", example)[1]
        event, seconds, body = re.search(r"printf %s '(evt_\w+)\.(\d+)\.(.*?)'", example).groups()
        written = re.search(r"webhook-signature is (v1,\S+)", example)[1]
        computed = subprocess.run(["sh", "-c", example], capture_output=True, text=True, check=True).stdout
        self.assertEqual("v1," + computed.strip(), written)
        then = datetime.datetime.fromtimestamp(int(seconds), tz=datetime.timezone.utc)
        self.assertEqual(Webhook(secret).sign(event, then, body), written)
        self.assertEqual(base64.b64decode(secret.removeprefix("whsec_")), bytes(range(32)))

    def test_message_that_is_sent_again_is_known_by_its_id(self):
        receiver = self.receiver()
        endpoint = self.hook(receiver)
        buy(self.billfold.sandbox, "field-guide")
        wait_for("the event", lambda: receiver.taken)
        event = receiver.taken[0]
        self.assertEqual([each["state"] for each in self.merchant.post(f"events/{event['id']}/resend", {"endpoint": endpoint["id"]})[
            "deliveries"]], ["waiting"])
        wait_for("the second copy", lambda: len([each for each in receiver.calls if each["event"]["id"] == event["id"]]) == 2)
        copies = [each for each in receiver.calls if each["event"]["id"] == event["id"]]
        self.assertEqual(copies[0]["body"], copies[1]["body"])
        log = wait_for("both in the log", lambda: (
            found := self.merchant.get(f"events/{event['id']}/deliveries")["deliveries"]) and all(
                each["state"] == "delivered" for each in found if each["endpoint"] == endpoint["id"]) and found)
        own = [each for each in log if each["endpoint"] == endpoint["id"]]
        self.assertEqual([[attempt["status"] for attempt in each["attempts"]] for each in own], [[204], [204]])
        self.assertEqual(receiver.faults, [])

    def test_after_a_downtime_what_waits_is_sent_when_it_is_asked_for(self):
        receiver = self.receiver(lambda call: 503 if len(receiver.calls) <= 2 else 204)
        endpoint = self.hook(receiver, events=["payment.succeeded"])
        buy(self.billfold.sandbox, "longjing")
        wait_for("two attempts that fail", lambda: len(receiver.calls) == 2)
        event = receiver.calls[0]["event"]

        def waiting():
            (delivery,) = [
                each for each in self.merchant.get(f"events/{event['id']}/deliveries")["deliveries"] if each["endpoint"] == endpoint["id"]]
            return len(delivery["attempts"]) == 2 and delivery

        wait_for("the second attempt's end", waiting)
        # The third is half a minute away.
        began = time.monotonic()
        (sent,) = self.merchant.post(f"events/{event['id']}/resend", {"endpoint": endpoint["id"]})["deliveries"]
        self.assertEqual((sent["state"], "behind" in sent), ("waiting", False))
        wait_for("the third attempt", lambda: receiver.taken)
        self.assertLess(time.monotonic() - began, 15)
        self.assertEqual(receiver.taken[0]["id"], event["id"])

    def test_both_keys_sign_while_a_rotation_lasts(self):
        receiver = self.receiver()
        endpoint = self.hook(receiver)
        rotated = self.merchant.post(f"webhook-endpoints/{endpoint['id']}/rotation", {"overlap": 3_600})
        # Either verifies it.
        receiver.secrets = [endpoint["secret"], rotated["secret"]]
        buy(self.billfold.sandbox, "longjing")
        wait_for("the event", lambda: receiver.taken)
        self.assertEqual(receiver.faults, [])
        self.assertEqual(receiver.calls[0]["headers"]["webhook-key-id"], " ".join(each["id"] for each in rotated["keys"]))
        last = self.merchant.post(f"webhook-endpoints/{endpoint['id']}/rotation", {"overlap": 0})
        receiver.secrets = [last["secret"]]
        count = len(receiver.taken)
        buy(self.billfold.sandbox, "longjing")
        wait_for("the next event", lambda: len(receiver.taken) > count)
        self.assertEqual(receiver.faults, [])
        with self.assertRaises(WebhookVerificationError):
            Webhook(endpoint["secret"]).verify(receiver.calls[-1]["body"], receiver.calls[-1]["headers"])

    def test_refund_is_told_and_the_log_says_why_an_attempt_did_not_count(self):
        receiver = self.receiver(lambda call: 500 if len(receiver.calls) == 1 else 200)
        self.hook(receiver, events=["refund.succeeded", "refund.failed"])
        order, _ = buy(self.billfold.sandbox, "longjing")
        (payment,) = [each["id"] for each in self.merchant.get(f"orders/{order}")["payments"]]
        refund = post(
            f"{self.merchant.base}/payments/{payment}/refunds", {"amount": "1.00"}, {**self.merchant.bearer, "Idempotency-Key": "hook-refund"})
        wait_for("the refund's event", lambda: receiver.taken)
        self.assertEqual([(each["type"], each["object"]["id"]) for each in receiver.taken], [("refund.succeeded", refund["id"])])
        first, second = wait_for("the log", lambda: self.attempts(receiver.taken[0]["id"], 2))
        self.assertEqual((first["status"], first["reason"], second["status"]), (500, "wrong-status", 200))
        self.assertNotIn("reason", second)
        self.assertGreaterEqual(first["milliseconds"], 0)
        # The payment's own event follows the refund's.
        types = [each["type"] for each in self.merchant.get(f"events?object={payment}")["events"]]
        self.assertEqual(types, ["payment.succeeded", "payment.partly_refunded"])

    def attempts(self, event, count):
        (delivery,) = self.merchant.get(f"events/{event}/deliveries")["deliveries"]
        return len(delivery["attempts"]) == count and delivery["attempts"]

    def test_stream_goes_on_where_it_ended(self):
        with self.merchant.stream() as stream:
            order, _ = buy(self.billfold.sandbox, "longjing")
            first, kind, event = next_event(stream)
            while event["data"].get("order") != order:
                first, kind, event = next_event(stream)
            self.assertEqual((kind, event["type"]), ("payment.succeeded", "payment.succeeded"))
        buy(self.billfold.sandbox, "longjing")
        # What happened meanwhile comes first, and nothing twice.
        with self.merchant.stream(first) as stream:
            second, _, other = next_event(stream)
            self.assertNotEqual(event["id"], other["id"])
        page = self.merchant.get(f"events?after={first}")
        self.assertEqual((page["events"][0], page["next"]), (other, second))
        self.assertEqual(self.merchant.refuses("events?after=evc_ffffff"), (410, "cursor-unknown"))

    def test_streams_of_one_owner_are_bounded(self):
        streams = []
        self.addCleanup(lambda: [each.close() for each in streams])
        # Those of other tests end once it is seen that their readers have gone.
        wait_for("eight free places", lambda: self.fill(streams))
        self.assertEqual(self.merchant.refuses("events/stream"), (429, "stream-limit"))
        for each in streams:
            each.close()
        wait_for("a free place", self.opens)

    def fill(self, streams):
        """Opens streams until one is refused, and tells whether eight are open."""
        try:
            while len(streams) < 9:
                streams.append(self.merchant.stream())
        except urllib.error.HTTPError as refusal:
            refusal.close()
        self.assertLessEqual(len(streams), 8)
        return len(streams) == 8

    def opens(self):
        try:
            self.merchant.stream(timeout=5).close()
            return True
        except urllib.error.HTTPError:
            return False

    def test_issuers_events_reach_the_bank(self):
        bank = BackEnd(f"{self.billfold.public}/provisioning/v1", (self.billfold.folder / "data/bank.key").read_text().strip())
        receiver = self.receiver()
        endpoint = bank.add(receiver.url)
        receiver.secrets = [endpoint["secret"]]
        self.assertEqual(provision(self.billfold.sandbox, "visa-1"), "ready")
        wait_for("the token", lambda: [each for each in receiver.taken if each["type"] == "token.active"])
        self.assertEqual((receiver.faults, in_order(receiver.taken)), ([], []))
        token = next(each for each in receiver.taken if each["type"] == "token.active")
        self.assertIn(token["object"]["id"], [each["tokenReference"] for each in bank.get("tokens")["tokens"]])
        self.assertEqual(token["data"]["tokenReference"], token["object"]["id"])
        # The merchant's key opens nothing here, nor the bank's there.
        for base, bearer in ((bank.base, self.merchant.bearer), (self.merchant.base, bank.bearer)):
            with self.assertRaises(urllib.error.HTTPError) as refused:
                get(f"{base}/events", bearer)
            self.assertEqual(refused.exception.code, 401)


class StopTests(unittest.TestCase):
    def test_open_streams_do_not_hold_up_a_stop(self):
        with Billfold() as billfold:
            merchant = BackEnd(f"{billfold.public}/v1", (billfold.folder / "data/api.key").read_text().strip())
            with merchant.stream() as stream:
                stream.readline()
                begun = time.monotonic()
                billfold.end()
                self.assertLess(time.monotonic() - begun, 15)
                self.assertEqual(billfold.process.returncode, 0)


class KillTests(unittest.TestCase):
    """The server is killed while it tells; a tenth of the messages fails at first. Each event comes at least once, in its object's order."""

    refunds_each = 25

    def test_many_events_with_kills_and_a_receiver_that_fails(self):
        seed = random.SystemRandom().randrange(1 << 32)
        print(f"seed {seed}, {EVENTS} events, {ENGINE}")
        self.crash = Crash(ENGINE, 1, kills=0, seed=seed, customers=0)
        self.addCleanup(self.crash.close)
        self.crash.start()
        key = (self.crash.folder / "merchant/api.key").read_text().strip()
        self.public = f"http://127.0.0.1:{self.crash.public[0]}"
        merchant = BackEnd(f"{self.public}/v1", key)
        receiver = Receiver(self.fails_at_first(seed))
        self.addCleanup(receiver.stop)
        receiver.secrets = [merchant.add(receiver.url)["secret"]]
        payments = self.pay(max(1, EVENTS // (2 * self.refunds_each)), key)
        working = threading.Thread(target=self.refund_all, args=(payments, merchant))
        working.start()
        chance = random.Random(seed)
        for _ in range(3):
            time.sleep(chance.uniform(1, 4))
            self.crash.kill(0)
        working.join(600)
        self.assertFalse(working.is_alive(), "the refunds were not taken")
        told = self.settle(merchant, receiver, payments)
        # What the books say happened was told, once in the feed and at least once here, in order.
        self.assertGreaterEqual(len(told), EVENTS)
        self.assertEqual((receiver.faults, in_order(told), in_order(receiver.taken)), ([], [], []))
        self.assertEqual({each["id"] for each in told} - {each["id"] for each in receiver.taken}, set(), "lost")
        books = {each["id"]: each for each in merchant_books(self.public, key)["payments"]}
        succeeded = {each["object"]["id"] for each in told if each["type"] == "refund.succeeded"}
        for payment in payments:
            self.assertEqual({each["id"] for each in books[payment]["modifications"] if each["state"] == "succeeded"} - succeeded, set())
        print(f"{len(told)} events, {len(receiver.calls)} calls, {len(receiver.calls) - len(receiver.taken)} of them failed")

    @staticmethod
    def fails_at_first(seed):
        failed = set()

        def judge(call):
            name = call["event"]["id"]
            turn = hashlib.sha256(f"{seed} {name}".encode()).digest()[0]
            if turn < 26 and name not in failed:
                failed.add(name)
                return (500, 302, None)[turn % 3]
            return 200

        return judge

    def pay(self, count, key):
        orders = []
        for number in range(count):
            order, _ = buy(self.crash.sandbox, ["longjing", "field-guide"][number % 2])
            orders.append(order)

        def settled():
            payments = [each for each in merchant_books(self.public, key)["payments"] if each["state"] == "succeeded"]
            return len(payments) >= count and [each["id"] for each in payments]

        return wait_for("the payments", settled)

    def refund_all(self, payments, merchant):
        def refund(wish):
            payment, number = wish
            headers = {**merchant.bearer, "Idempotency-Key": f"{payment}-{number}"}
            while True:
                try:
                    return post(f"{self.public}/v1/payments/{payment}/refunds", {"amount": "0.01"}, headers)
                except (OSError, urllib.error.URLError):
                    # Asked again with the same key: it is done once.
                    time.sleep(0.2)

        wishes = [(payment, number) for number in range(self.refunds_each) for payment in payments]
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            list(pool.map(refund, wishes))

    def settle(self, merchant, receiver, payments):
        """Waits until every refund has ended and every event was taken; returns the feed."""
        wanted = len(payments) * self.refunds_each
        patience = time.monotonic() + 300 + EVENTS / 20
        while True:
            told = merchant.feed()
            done = sum(each["type"] in ("refund.succeeded", "refund.failed") for each in told)
            with receiver.lock:
                taken = {each["id"] for each in receiver.taken}
            if done >= wanted and all(each["id"] in taken for each in told):
                return told
            if time.monotonic() > patience:
                self.fail(f"{done} of {wanted} refunds ended, {len(taken)} of {len(told)} events taken, faults {receiver.faults[:3]}")
            time.sleep(0.5)


if __name__ == "__main__":
    unittest.main(verbosity=2)
