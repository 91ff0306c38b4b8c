"""A team on one sandbox: each has orders and a time of its own, and moves nobody else's."""
import http.server
import json
import pathlib
import queue
import subprocess
import threading
import unittest
import urllib.error
import urllib.parse
import urllib.request

from alipay_wallet import connect
from parties import PROGRAM, Billfold, get, get_json, post, wait_for
from webhooks import Receiver

PATIENCE = 90


class Member:
    """A merchant with a space of its own, as the command leaves it."""

    def __init__(self, team, name):
        self.team, self.folder = team, team.billfold.folder / name
        told = json.loads(team.run_command("sandbox", "register", "merchant", "--name", name, "--space", "--to", str(self.folder), "--json"))
        self.api, self.key_file = told["variables"]["BILLFOLD_API"], told["variables"]["BILLFOLD_API_KEY_FILE"]
        self.bearer = {"Authorization": f"Bearer {pathlib.Path(self.key_file).read_text().strip()}"}

    def order(self, reference):
        return post(f"{self.api}/v1/orders", {
            "reference": reference, "goods": "electronic", "currency": "CNY", "country": "CN", "merchantName": "Team shop",
            "lines": [{"label": "Field guide", "unitAmount": "33.00", "quantity": 1}]}, {**self.bearer, "Idempotency-Key": reference})

    def state(self, order):
        return get_json(f"{self.api}/v1/orders/{order['id']}", self.bearer)["state"]

    def number(self, order):
        secret = {"Authorization": f"Bearer {order['clientSecret']}", "Idempotency-Key": f"number-{order['id']}"}
        return post(f"{self.api}/v1/orders/{order['id']}/transaction-numbers", {}, secret)["tn"]

    def pay(self, number):
        connection = connect(self.team.billfold.sandbox)
        try:
            connection.request(
                "POST", f"/unionpay/pay/{number}/pay", urllib.parse.urlencode({"scheme": "teamshop"}),
                {"Content-Type": "application/x-www-form-urlencoded", "Origin": self.team.billfold.sandbox})
            return connection.getresponse().status
        finally:
            connection.close()

    def clock(self, *arguments):
        return json.loads(self.team.run_command("sandbox", "clock", "--key-file", self.key_file, "--json", *arguments))


class SpacesTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.billfold = Billfold()
        cls.addClassCleanup(cls.billfold.stop)
        cls.billfold.start()
        cls.data = cls.billfold.folder / "data"
        wait_for("the addresses", (cls.data / "addresses.json").exists)

    def run_command(self, *arguments, status=0):
        ended = subprocess.run(
            [str(PROGRAM), *arguments, "--data", str(self.data)], capture_output=True, text=True, timeout=PATIENCE, check=False)
        self.assertEqual(ended.returncode, status, f"{arguments}: {ended.stdout}{ended.stderr}")
        return ended.stdout

    def shown(self, order):
        """An order's page of the console."""
        return get(f"{self.billfold.console}/orders/{order['id']}")[1].decode()

    def refused(self, body, headers):
        request = urllib.request.Request(
            f"{self.billfold.sandbox}/clock", data=json.dumps(body).encode(), method="PUT",
            headers={"Content-Type": "application/json", **headers})
        with self.assertRaises(urllib.error.HTTPError) as raised:
            urllib.request.urlopen(request, timeout=PATIENCE)
        with raised.exception as error:
            return error.code, json.loads(error.read())["error"]["code"]

    def test_orders_expire_by_their_own_merchants_time(self):
        ann, bob = Member(self, "Ann 1"), Member(self, "Bob 1")
        ours, theirs = ann.order("ann-1"), bob.order("bob-1")
        late, timely = ann.number(ann.order("ann-2")), bob.number(bob.order("bob-2"))
        # Neither sees what is the other's.
        with self.assertRaises(urllib.error.HTTPError) as raised:
            bob.state(ours)
        raised.exception.close()
        self.assertEqual(ann.clock("--advance", "31m")["offsetSeconds"], 1860)
        self.assertEqual((ann.state(ours), bob.state(theirs)), ("expired", "open"))
        self.assertEqual(bob.clock()["offsetSeconds"], 0)
        # Whoever looks at the console sees why one is over and the other is not.
        self.assertRegex(self.shown(ours), '(?s)>expired<.*data-space="own-[0-9]{8}".*, 31 min ahead of everybody')
        self.assertRegex(self.shown(theirs), '(?s)>open<.*data-space="own-[0-9]{8}".*, as everywhere')
        # UnionPay's page, too, is over by the merchant's time.
        ann.pay(late)
        bob.pay(timely)
        wait_for("the other's payment", lambda: [
            each for each in get_json(f"{bob.api}/v1/payments", bob.bearer)["payments"] if each["state"] == "succeeded"])
        self.assertEqual(
            [each for each in get_json(f"{ann.api}/v1/payments", ann.bearer)["payments"] if each["state"] == "succeeded"], [])
        # Whoever is ahead pays as anybody does.
        next_order = ann.order("ann-3")
        self.assertEqual(ann.pay(ann.number(next_order)), 303)
        wait_for("the payment of who is ahead", lambda: ann.state(next_order) == "paid")

    def test_a_space_hears_what_its_key_has_happen(self):
        ann, bob = Member(self, "Ann hears"), Member(self, "Bob hears")
        listening = {
            member: subprocess.Popen(
                [str(PROGRAM), "listen", "--key-file", member.key_file, "--json", "--count", "1", "--only", "payment.succeeded", "--data",
                 str(self.data)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            for member in (ann, bob)}
        for process in listening.values():
            self.addCleanup(process.stdout.close)
            self.addCleanup(process.stderr.close)
            self.addCleanup(process.wait)
            self.addCleanup(process.kill)
            self.assertTrue(process.stderr.readline().startswith("listening"))
        ann.clock("--advance", "16m")
        paid = json.loads(self.run_command("trigger", "payment.succeeded", "--key-file", ann.key_file, "--json"))
        self.assertEqual(listening[ann].wait(PATIENCE), 0)
        self.assertEqual(json.loads(listening[ann].stdout.read())["object"]["id"], paid["payment"])
        self.assertIsNone(listening[bob].poll())
        self.assertEqual(get_json(f"{ann.api}/v1/payments/{paid['payment']}", ann.bearer)["order"], paid["order"])
        with self.assertRaises(urllib.error.HTTPError) as raised:
            get_json(f"{bob.api}/v1/payments/{paid['payment']}", bob.bearer)
        raised.exception.close()
        self.assertEqual(raised.exception.code, 404)

    def test_every_trigger_that_takes_a_key_comes_about(self):
        ann = Member(self, "Ann triggers")
        said = self.run_command("trigger", "express-order.paid", "--key-file", ann.key_file, "--json", status=64)
        names = json.loads(said)["error"]["reason"].split("there are ")[1].split(", ")
        self.assertGreater(len(names), 8)
        for name in names:
            with self.subTest(name):
                told = json.loads(self.run_command("trigger", name, "--key-file", ann.key_file, "--json"))
                self.assertIn(told["order"], [each["id"] for each in get_json(f"{ann.api}/v1/orders", ann.bearer)["orders"]])

    def test_webhooks_come_again_by_their_owners_time(self):
        ann, bob = Member(self, "Ann 2"), Member(self, "Bob 2")
        deaf = {member: Receiver(lambda call: 500) for member in (ann, bob)}
        for member, receiver in deaf.items():
            self.addCleanup(receiver.stop)
            post(f"{member.api}/v1/webhook-endpoints", {"url": receiver.url, "events": ["payment.succeeded"]}, member.bearer)
            self.assertEqual(member.pay(member.number(member.order("told"))), 303)
        for receiver in deaf.values():
            wait_for("the first attempt", lambda: receiver.calls)
        for attempt, wait in enumerate(("1m", "3m", "15m", "40m"), start=2):
            ann.clock("--advance", wait)
            wait_for(f"attempt {attempt}", lambda: len(deaf[ann].calls) >= attempt)
        # By his own time he has waited for the second, and perhaps for the third.
        self.assertLess(len(deaf[bob].calls), 4)
        event = deaf[ann].calls[0]["event"]
        told = get_json(f"{ann.api}/v1/events/{event['id']}/deliveries", ann.bearer)["deliveries"]
        self.assertGreaterEqual(len(told[0]["attempts"]), 4)

    def test_a_time_is_kept_and_nobody_moves_anothers(self):
        ann, bob = Member(self, "Ann 3"), Member(self, "Bob 3")
        ann.clock("--advance", "2h")
        self.assertEqual(self.refused({"advanceSeconds": 60}, {"Authorization": "Bearer nobody"}), (401, "unauthorized"))
        self.assertEqual(self.refused({"offsetSeconds": 60}, ann.bearer), (409, "clock-backwards"))
        self.assertEqual(self.refused({"reset": True}, ann.bearer), (409, "clock-backwards"))
        self.assertEqual(self.refused({"advanceSeconds": 401 * 86_400}, ann.bearer), (409, "clock-too-far"))
        self.run_command("sandbox", "clock", "--advance", "1m", status=64)
        self.billfold.end()
        self.billfold.start()
        self.assertEqual((ann.clock()["offsetSeconds"], bob.clock()["offsetSeconds"]), (7200, 0))
        # The same name has the same space, by its new key alone.
        again = Member(self, "Ann 3")
        self.assertEqual(again.clock()["offsetSeconds"], 7200)
        self.assertEqual(self.refused({"advanceSeconds": 60}, ann.bearer), (401, "unauthorized"))
        order = again.order("ann-again")
        self.assertEqual(again.pay(again.number(order)), 303)
        wait_for("the payment", lambda: again.state(order) == "paid")

    def test_an_acquirer_has_a_key_for_its_time(self):
        ann, folder = Member(self, "Ann 4"), self.billfold.folder / "acquirer"
        told = json.loads(self.run_command("sandbox", "register", "acquirer", "--name", "Carl", "--space", "--to", str(folder), "--json"))
        place = ["sandbox", "clock", "--key-file", told["variables"]["BILLFOLD_SPACE_KEY_FILE"], "--json"]
        self.assertEqual(json.loads(self.run_command(*place, "--advance", "1d"))["offsetSeconds"], 86_400)
        self.assertEqual(ann.clock()["offsetSeconds"], 0)
        # A payment that it asks for itself reaches its own program.
        heard = queue.SimpleQueue()

        class Program(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                heard.put((self.path, json.loads(self.rfile.read(int(self.headers["Content-Length"])))))
                self.send_response(503)
                self.end_headers()

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Program)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.run_command(
            "sandbox", "register", "acquirer", "--name", "Carl", "--space", "--to", str(folder), "--address",
            f"http://127.0.0.1:{server.server_port}")
        key_file = told["variables"]["BILLFOLD_SPACE_KEY_FILE"]
        for name in ("payment-sheet.paid", "payment-sheet.code-paid"):
            paid = json.loads(self.run_command("trigger", name, "--key-file", key_file, "--json"))
            self.assertEqual(paid["state"], "paid")
            path, message = heard.get(timeout=PATIENCE)
            while message["paymentRequestId"] != paid["paymentRequestId"]:
                path, message = heard.get(timeout=PATIENCE)
            self.assertEqual((path, message["paymentResult"]["resultStatus"]), ("/alipay-plus/notify", "S"))
        self.assertIn("key-not-taken", self.run_command("listen", "--key-file", key_file, "--json", status=64))
        # Everybody's time takes all along, and a space stays as far ahead.
        before = json.loads(self.run_command("sandbox", "clock", "--json"))["offsetSeconds"]
        self.run_command("sandbox", "clock", "--everybody", "--advance", "1m")
        self.assertEqual(json.loads(self.run_command("sandbox", "clock", "--json"))["offsetSeconds"], before + 60)
        self.assertEqual(json.loads(self.run_command(*place))["offsetSeconds"], 86_400)


if __name__ == "__main__":
    unittest.main()
