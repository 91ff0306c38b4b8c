"""Faults of one's own orders: a merchant with a key, a listener and orders of its own is answered 8000, loses a notification, gets others
twice, late, damaged and unsigned, and at the end the books of gateway and wallet agree about every order."""
import base64
import datetime
import http.server
import json
import threading
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding

from alipay_wallet import Application, connect, modern, pay
from parties import Billfold, get_json, post, put, wait_for
from webhooks import Receiver


class OwnListener(http.server.ThreadingHTTPServer):
    """Verifies each notification as a merchant must, and answers `success` to what the gateway signed alone."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), OwnListenerHandler)
        self.key, self.heard, self.lock = None, [], threading.Lock()
        self.origin = f"http://127.0.0.1:{self.server_address[1]}"
        self.url = f"{self.origin}/notify"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def verdict(self, fields):
        if "sign" not in fields:
            return "unsigned"
        text = "&".join(f"{key}={value}" for key, value in sorted(fields.items()) if key not in ("sign", "sign_type") and value)
        try:
            self.key.verify(base64.b64decode(fields["sign"]), text.encode(), padding.PKCS1v15(), hashes.SHA256())
        except InvalidSignature:
            return "corrupt"
        return "good"

    def of(self, number):
        """What was heard of an order, in the order in which it came."""
        with self.lock:
            return [verdict for order, verdict, _ in self.heard if order == number]

    def stop(self):
        self.shutdown()
        self.server_close()


class OwnListenerHandler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        fields = dict(urllib.parse.parse_qsl(body, keep_blank_values=True, strict_parsing=True))
        verdict = self.server.verdict(fields)
        with self.server.lock:
            self.server.heard.append((fields["out_trade_no"], verdict, fields["notify_id"]))
        answer = b"success" if verdict == "good" else b"fail"
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)


class OwnFaultTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.billfold = Billfold().start()
        cls.addClassCleanup(cls.billfold.stop)
        cls.listener = OwnListener()
        cls.addClassCleanup(cls.listener.stop)
        onboarding = (cls.billfold.folder / "data/alipay-onboarding.key").read_text().strip()
        cls.application = Application(
            cls.billfold.public, onboarding, cls.listener, partner="2088990000000777", app_id="2021990000000777")
        cls.listener.key = serialization.load_pem_public_key(cls.application.gateway_pem().encode())
        cls.paid = {}

    def plan(self, order, faults, journey="express-order", headers=None, **more):
        request = urllib.request.Request(
            f"{self.billfold.sandbox}/faults/orders/{journey}/{order}", json.dumps({"faults": faults, **more}).encode(),
            {"Content-Type": "application/json", **(headers or {})}, method="PUT")
        with urllib.request.urlopen(request, timeout=30) as answer:
            self.assertEqual(answer.status, 204)

    def buy(self, number, amount="12.50"):
        return pay(self.billfold.public, self.application.order(number, amount, self.listener.url))

    def ask(self, number):
        """The gateway's answer as it comes, and the trade's state in it."""
        call = modern(self.application.key, self.application.app_id, "alipay.trade.query", {"out_trade_no": number})
        with urllib.request.urlopen(f"{self.billfold.public}/gateway.do?{urllib.parse.urlencode(call)}", timeout=30) as answer:
            read = json.loads(answer.read())
        return read, read["alipay_trade_query_response"].get("trade_status")

    def advance(self, minutes):
        put(f"{self.billfold.sandbox}/clock", {"advanceSeconds": minutes * 60})

    def until(self, number, verdicts):
        wait_for(f"{number}: {verdicts}, not {self.listener.of(number)}", lambda: len(self.listener.of(number)) >= len(verdicts))
        self.assertEqual(self.listener.of(number), verdicts)

    def test_1_paid_and_told_8000_and_the_notification_is_lost_and_then_comes_twice(self):
        # Before there is such an order.
        self.plan("OWN-LOST", ["result-8000", "notification-lost", "notification-doubled"])
        told = self.buy("OWN-LOST")
        self.assertEqual((told["resultStatus"], told["result"]), ("8000", ""))
        wait_for("the trade", lambda: self.ask("OWN-LOST")[1] == "TRADE_SUCCESS")
        plan = wait_for("the loss", lambda: self.told("OWN-LOST")["met"].get("notification") and self.told("OWN-LOST"))
        # The page and the answer told the app one result.
        self.assertEqual(plan["met"], {"notification": 1, "result": 1})
        self.assertEqual(self.listener.of("OWN-LOST"), [])
        self.advance(5)
        self.until("OWN-LOST", ["good", "good"])
        self.assertEqual(len({each for order, _, each in self.listener.heard if order == "OWN-LOST"}), 1)

    def told(self, order):
        return get_json(f"{self.billfold.sandbox}/faults/orders/express-order/{order}")

    def test_2_the_next_order_has_a_damaged_and_an_unsigned_notification_and_then_a_right_one(self):
        self.plan("next", ["notification-corrupt", "notification-unsigned"], owner=self.application.app_id)
        self.assertEqual(self.buy("OWN-NEXT")["resultStatus"], "9000")
        self.until("OWN-NEXT", ["corrupt"])
        self.advance(5)
        self.until("OWN-NEXT", ["corrupt", "unsigned"])
        self.advance(12)
        self.until("OWN-NEXT", ["corrupt", "unsigned", "good"])
        # The plan was the one order's.
        self.assertEqual(self.buy("OWN-AFTER")["resultStatus"], "9000")
        self.until("OWN-AFTER", ["good"])

    def test_3_a_notification_comes_late(self):
        self.plan("OWN-LATE", ["notification-late"], delayMilliseconds=3_000)
        self.assertEqual(self.buy("OWN-LATE")["resultStatus"], "9000")
        began = time.monotonic()
        self.assertEqual(self.listener.of("OWN-LATE"), [])
        self.until("OWN-LATE", ["good"])
        self.assertGreater(time.monotonic() - began, 1)

    def test_4_every_undecided_word_is_told_of_a_paid_order(self):
        for code in ("6004", "6002", "5000"):
            with self.subTest(code):
                number = f"OWN-{code}"
                self.plan(number, [f"result-{code}"])
                self.assertEqual(self.buy(number)["resultStatus"], code)
                self.assertEqual(self.ask(number)[1], "TRADE_SUCCESS")
                self.until(number, ["good"])

    def test_5_a_payment_is_refused_with_4000_and_the_next_try_is_taken(self):
        self.plan("OWN-4000", ["result-4000"])
        self.assertEqual(self.buy("OWN-4000")["resultStatus"], "4000")
        self.assertEqual((self.ask("OWN-4000")[1], self.listener.of("OWN-4000")), ("WAIT_BUYER_PAY", []))
        self.assertEqual(self.buy("OWN-4000")["resultStatus"], "9000")
        self.until("OWN-4000", ["good"])

    def test_6_answers_are_lost_refused_damaged_and_unsigned(self):
        self.assertEqual(self.buy("OWN-REPLY")["resultStatus"], "9000")
        right = self.ask("OWN-REPLY")[0]
        self.plan("OWN-REPLY", ["request-refused", "reply-lost", "reply-corrupt", "reply-unsigned"])
        with self.assertRaises(urllib.error.HTTPError) as refused:
            self.ask("OWN-REPLY")
        self.assertEqual(refused.exception.code, 503)
        with self.assertRaises(Exception):
            self.ask("OWN-REPLY")
        corrupt = self.ask("OWN-REPLY")[0]
        self.assertNotEqual(corrupt["sign"], right["sign"])
        self.assertEqual(corrupt["alipay_trade_query_response"], right["alipay_trade_query_response"])
        self.assertNotIn("sign", self.ask("OWN-REPLY")[0])
        again = self.ask("OWN-REPLY")[0]
        self.assertEqual(again["alipay_trade_query_response"], right["alipay_trade_query_response"])
        self.assertIn("sign", again)

    def test_7_a_card_orders_webhook_is_damaged_and_comes_again(self):
        bearer = {"Authorization": f"Bearer {(self.billfold.folder / 'data/api.key').read_text().strip()}"}
        receiver = Receiver(lambda call: 400 if len(receiver.faults) == len(receiver.calls) else 204)
        self.addCleanup(receiver.stop)
        endpoint = post(f"{self.billfold.public}/v1/webhook-endpoints", {"url": receiver.url, "events": ["payment.succeeded"]}, bearer)
        receiver.secrets = [endpoint["secret"]]
        for journey in ("apple-pay-unionpay", "provision-card"):
            with self.assertRaises(urllib.error.HTTPError) as refused:
                self.plan("own-card-1", ["notification-corrupt"], journey, {"Authorization": "Bearer nope"})
            self.assertEqual((refused.exception.code, json.load(refused.exception)["error"]["code"]), (401, "unauthorized"))
        bank = {"Authorization": f"Bearer {(self.billfold.folder / 'data/bank.key').read_text().strip()}"}
        self.plan("own-card-1", ["notification-lost"], "provision-card", bank)
        self.plan("own-card-1", ["notification-corrupt"], "apple-pay-unionpay", bearer)
        order = post(f"{self.billfold.public}/v1/orders", {
            "reference": "own-card-1", "goods": "electronic", "currency": "CNY", "country": "CN", "merchantName": "Two Leaves",
            "lines": [{"label": "Field guide", "unitAmount": "33.00", "quantity": 1}]}, {**bearer, "Idempotency-Key": "own-card-1"})
        secret = {"Authorization": f"Bearer {order['clientSecret']}", "Idempotency-Key": "own-number-1"}
        number = post(f"{self.billfold.public}/v1/orders/{order['id']}/transaction-numbers", {}, secret)["tn"]
        connection = connect(self.billfold.sandbox)
        self.addCleanup(connection.close)
        connection.request(
            "POST", f"/unionpay/pay/{number}/pay", urllib.parse.urlencode({"scheme": "ownshop"}),
            {"Content-Type": "application/x-www-form-urlencoded", "Origin": self.billfold.sandbox})
        self.assertEqual(connection.getresponse().status, 303)
        wait_for("the damaged webhook", lambda: receiver.calls)
        self.advance(1)
        wait_for("the right webhook", lambda: receiver.taken)
        self.assertEqual((len(receiver.calls), len(receiver.faults), len(receiver.taken)), (2, 1, 1))
        self.assertEqual(receiver.taken[0]["data"]["order"], order["id"])

    def test_8_the_console_offers_the_same_for_an_order(self):
        for journey in ("apple-pay-unionpay", "provision-card", "express-order", "payment-sheet", "mini-program"):
            page = urllib.request.urlopen(f"{self.billfold.console}/journeys/{journey}", timeout=30).read().decode()
            self.assertIn(f'data-fault-plan="/api/sandbox/faults/{journey}/next"', page)
        request = urllib.request.Request(
            f"{self.billfold.console}/api/sandbox/faults/express-order/OWN-CONSOLE", b'{"faults":["notification-doubled"]}',
            {"Content-Type": "application/json", "Origin": self.billfold.console})
        self.assertEqual(urllib.request.urlopen(request, timeout=30).status, 204)
        self.assertEqual(self.buy("OWN-CONSOLE")["resultStatus"], "9000")
        self.until("OWN-CONSOLE", ["good", "good"])

    def test_9_the_books_agree_about_every_order(self):
        china = datetime.timezone(datetime.timedelta(hours=8))
        days = sorted({(datetime.datetime.now(china) + datetime.timedelta(hours=hour)).strftime("%Y-%m-%d") for hour in range(-3, 4)})

        def lines(path, key):
            bearer = {"Authorization": f"Bearer {(self.billfold.folder / 'data' / key).read_text().strip()}"}
            entries = []
            for day in days:
                page = get_json(f"{self.billfold.public}{path}?day={day}", bearer)
                self.assertNotIn("next", page)
                entries += page["entries"]
            return sorted((each["tradeNo"], each["requestId"], each["kind"], each["amount"]["value"]) for each in entries)

        gateway = lines("/link/v1/books", "wallet-link.key")
        self.assertEqual(gateway, lines("/wallet/link/v1/books", "gateway-link.key"))
        # Each order is paid once, whatever its app and its server were told.
        told = {order for order, verdict, _ in self.listener.heard if verdict == "good"}
        self.assertEqual(len(gateway), len({each[0] for each in gateway}))
        self.assertEqual(len(told), len(gateway))


if __name__ == "__main__":
    unittest.main(verbosity=2)
