"""A back end of a developer's own beside the sandbox, told by `billfold sandbox register` alone what it needs: no port and no key is guessed."""
import base64
import http.server
import json
import pathlib
import re
import subprocess
import threading
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding

from alipay_wallet import connect, pay
from parties import PROGRAM, ROOT, Billfold, get_json, post, wait_for
from webhooks import Receiver

PATIENCE = 90


class OwnShop(http.server.ThreadingHTTPServer):
    """Takes the order gateway's notifications as its public libraries do: verifies, and answers exactly `success`."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), OwnShopHandler)
        self.key, self.heard, self.faults = None, [], []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def origin(self):
        return f"http://127.0.0.1:{self.server_address[1]}"

    def stop(self):
        self.shutdown()
        self.server_close()


class OwnShopHandler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_POST(self):
        fields = dict(urllib.parse.parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
        text = "&".join(f"{key}={value}" for key, value in sorted(fields.items()) if key not in ("sign", "sign_type") and value)
        answer = b"success"
        try:
            self.server.key.verify(base64.b64decode(fields["sign"]), text.encode(), padding.PKCS1v15(), hashes.SHA256())
            self.server.heard.append(fields)
        except Exception as problem:
            self.server.faults.append(repr(problem))
            answer = b"fail"
        self.send_response(200)
        self.end_headers()
        self.wfile.write(answer)


def sign(parameters, key):
    """Signs parameters of the open platform as their document says, with a key of RSA2."""
    text = "&".join(f"{name}={value}" for name, value in sorted(parameters.items()))
    parameters["sign"] = base64.b64encode(key.sign(text.encode(), padding.PKCS1v15(), hashes.SHA256())).decode()


class OwnBackEndTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.billfold = Billfold()
        cls.addClassCleanup(cls.billfold.stop)
        cls.billfold.start()
        cls.data = cls.billfold.folder / "data"
        wait_for("the addresses", (cls.data / "addresses.json").exists)

    def command(self, *arguments):
        return [str(PROGRAM), *arguments, "--data", str(self.data)]

    def run_command(self, *arguments, status=0):
        ended = subprocess.run(self.command(*arguments), capture_output=True, text=True, timeout=PATIENCE, check=False)
        self.assertEqual(ended.returncode, status, f"{arguments}: {ended.stdout}{ended.stderr}")
        return ended.stdout

    def register(self, role, *arguments):
        """Registers a party and reads its env file as a shell does, from which alone the program works."""
        folder = self.billfold.folder / f"own-{role}"
        told = json.loads(self.run_command("sandbox", "register", role, "--to", str(folder), "--json", *arguments))
        shell = subprocess.run(
            ["sh", "-c", 'set -a; . "$1"; env -0', "sh", told["env"]], capture_output=True, text=True, check=True,
            env={"PATH": "/usr/bin:/bin"})
        values = dict(each.split("=", 1) for each in shell.stdout.split("\0") if "=" in each)
        self.assertEqual({name: values[name] for name in told["variables"]}, told["variables"])
        return told["variables"]

    # A merchant

    def test_own_shop_is_paid_by_an_express_order_and_hears_of_it(self):
        shop = OwnShop()
        self.addCleanup(shop.stop)
        own = self.register("merchant", "--name", "Own tea house", "--address", shop.origin)
        shop.key = serialization.load_pem_public_key(pathlib.Path(own["ALIPAY_PUBLIC_KEY_FILE"]).read_bytes())
        key = serialization.load_pem_private_key(pathlib.Path(own["ALIPAY_PRIVATE_KEY_FILE"]).read_bytes(), None)
        number = f"OWN{time.time_ns()}"
        order = {
            "app_id": own["ALIPAY_APP_ID"], "method": "alipay.trade.app.pay", "charset": "utf-8", "sign_type": "RSA2",
            "timestamp": time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(time.time() + 8 * 3600)), "version": "1.0",
            "notify_url": f"{shop.origin}/notify",
            "biz_content": json.dumps({
                "out_trade_no": number, "total_amount": "12.50", "subject": "Notebook", "product_code": "QUICK_MSECURITY_PAY"})}
        sign(order, key)
        cashier = own["ALIPAY_CASHIER"].removesuffix("/cashier")
        result = pay(cashier, urllib.parse.urlencode(order))
        self.assertEqual(result["resultStatus"], "9000", result)
        heard = wait_for("the notification", lambda: [each for each in shop.heard if each["out_trade_no"] == number])
        self.assertEqual(shop.faults, [])
        self.assertEqual((heard[0]["trade_status"], heard[0]["total_amount"]), ("TRADE_SUCCESS", "12.50"))

    def test_a_scripts_cookies_are_carried_as_the_chapter_says(self):
        """The wallet's cookie is for HTTPS and for this machine; a jar of Python's sends it once it is told so."""
        chapter = (ROOT / "docs/connect.md").read_text()
        code, = re.findall(r"^```python\n(.*?)^```$", chapter, re.MULTILINE | re.DOTALL)
        names = {}
        exec(code, names)
        strict = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        for browser, is_known in ((names["browser"], True), (strict, False)):
            page = browser.open(f"{self.billfold.public}/wallet", timeout=PATIENCE).headers
            self.assertIn("Secure", page["Set-Cookie"])
            again = browser.open(f"{self.billfold.public}/wallet", timeout=PATIENCE).headers
            # Who comes with the cookie gets no other one.
            self.assertEqual("Set-Cookie" not in again, is_known)

    def test_a_calls_charset_stands_where_a_client_puts_it(self):
        """In address and form, as gopay and the Ruby gem's form send it; in one of them; and in another letter case. Two are refused."""
        own = self.register("merchant", "--name", "Charset shop")
        key = serialization.load_pem_private_key(pathlib.Path(own["ALIPAY_PRIVATE_KEY_FILE"]).read_bytes(), None)
        call = {
            "app_id": own["ALIPAY_APP_ID"], "method": "alipay.trade.query", "charset": "utf-8", "sign_type": "RSA2", "version": "1.0",
            "timestamp": time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(time.time() + 8 * 3600)),
            "biz_content": json.dumps({"out_trade_no": "茶-1"}, ensure_ascii=False)}
        sign(call, key)
        form = urllib.parse.urlencode(call)
        bare = urllib.parse.urlencode({name: value for name, value in call.items() if name != "charset"})
        for query, body, code in [
                ("?charset=utf-8", form, "ACQ.TRADE_NOT_EXIST"), ("?charset=utf-8", bare, "ACQ.TRADE_NOT_EXIST"),
                ("", form, "ACQ.TRADE_NOT_EXIST"), ("?charset=UTF-8", form, "ACQ.TRADE_NOT_EXIST"),
                ("?charset=utf-8", form + "\r\n", "ACQ.TRADE_NOT_EXIST"), ("?charset=gbk", form, "isv.invalid-charset"),
                ("?charset=utf-8", form + "&method=alipay.trade.close", "isv.invalid-parameter")]:
            with self.subTest(query=query, code=code):
                with urllib.request.urlopen(own["ALIPAY_GATEWAY"] + query, body.encode()) as answer:
                    said = json.loads(answer.read())
                self.assertEqual((said.get("alipay_trade_query_response") or said["error_response"])["sub_code"], code, said)

    def test_own_back_end_makes_a_card_order_that_is_paid_by_its_number(self):
        own = self.register("merchant", "--name", "Card shop")
        bearer = {"Authorization": f"Bearer {pathlib.Path(own['BILLFOLD_API_KEY_FILE']).read_text().strip()}"}
        order = post(
            f"{own['BILLFOLD_API']}/v1/orders", {
                "reference": "own-1", "goods": "electronic", "currency": "CNY", "country": "CN", "merchantName": "Card shop",
                "lines": [{"label": "Field guide", "unitAmount": "33.00", "quantity": 1}]}, {**bearer, "Idempotency-Key": "own-order-1"})
        secret = {"Authorization": f"Bearer {order['clientSecret']}"}
        place = f"{own['BILLFOLD_API']}/v1/orders/{order['id']}"
        number = post(f"{place}/transaction-numbers", {}, {**secret, "Idempotency-Key": "own-number-1"})["tn"]
        connection = connect(self.billfold.sandbox)
        self.addCleanup(connection.close)
        connection.request(
            "POST", f"/unionpay/pay/{number}/pay", urllib.parse.urlencode({"scheme": "ownshop"}),
            {"Content-Type": "application/x-www-form-urlencoded", "Origin": self.billfold.sandbox})
        # Back to the app, which is none of ours.
        self.assertEqual(connection.getresponse().status, 303)
        wait_for("the order", lambda: get_json(place, bearer)["state"] == "paid")
        # Another registration under the name ends the key before it.
        again = self.register("merchant", "--name", "Card shop")
        self.assertNotEqual(pathlib.Path(again["BILLFOLD_API_KEY_FILE"]).read_text().strip(), bearer["Authorization"].split()[1])
        with self.assertRaises(urllib.error.HTTPError) as refused:
            get_json(place, bearer)
        self.assertEqual(refused.exception.code, 401)

    # Events

    def listen(self, *arguments):
        process = subprocess.Popen(self.command("listen", *arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def told(self, process):
        """The secret that it says at the start, once it listens."""
        secret = None
        while not (line := process.stderr.readline()).startswith("listening"):
            self.assertTrue(line, "it ended")
            if found := re.search(r"whsec_\S+", line):
                secret = found[0]
        return secret

    def test_own_program_hears_what_is_triggered_signed_as_webhooks_are(self):
        own = self.register("merchant", "--name", "Hearing shop")
        # The first attempt fails: it comes again under the same id.
        receiver = Receiver(lambda call: 500 if len(receiver.calls) == 1 else 204)
        self.addCleanup(receiver.stop)
        process = self.listen(
            "--forward-to", receiver.url, "--only", "payment.succeeded,payment.failed", "--count", "2", "--json",
            "--key-file", own["BILLFOLD_API_KEY_FILE"])
        receiver.secrets = [self.told(process)]
        paid = json.loads(self.run_command("trigger", "payment.succeeded", "--json"))
        failed = json.loads(self.run_command("trigger", "payment.failed", "--json"))
        self.assertEqual(process.wait(PATIENCE), 0, process.stderr.read())
        self.assertEqual(receiver.faults, [])
        self.assertEqual(
            [(each["type"], each["object"]["id"]) for each in receiver.taken],
            [("payment.succeeded", paid["payment"]), ("payment.failed", failed["payment"])])
        self.assertEqual([call["event"]["id"] for call in receiver.calls[:2]], [receiver.taken[0]["id"]] * 2)
        # What is printed is what was sent.
        self.assertEqual([json.loads(line) for line in process.stdout.read().splitlines()], receiver.taken)

    def test_listening_goes_on_where_it_left_off_when_the_server_comes_again(self):
        process = self.listen("--only", "payment.succeeded", "--count", "2")
        self.told(process)
        first = json.loads(self.run_command("trigger", "payment.succeeded", "--json"))
        self.assertIn(first["payment"], process.stdout.readline())
        self.billfold.end()
        self.billfold.start()
        second = json.loads(self.run_command("trigger", "payment.succeeded", "--json"))
        self.assertEqual(process.wait(PATIENCE), 0)
        rest = process.stdout.read().splitlines()
        self.assertEqual((len(rest), second["payment"] in rest[0]), (1, True), rest)

    def test_a_key_that_is_nobodys_ends_it(self):
        wrong = self.billfold.folder / "wrong.key"
        wrong.touch(mode=0o600)
        wrong.write_text("bf_test_nobody")
        ended = subprocess.run(
            self.command("listen", "--key-file", str(wrong), "--json"), capture_output=True, text=True, timeout=PATIENCE, check=False)
        self.assertEqual(ended.returncode, 1, ended)
        self.assertEqual(json.loads(ended.stdout)["error"]["code"], "unauthorized")

    # Commands beside it

    def test_a_story_is_found_by_the_merchants_own_number_however_many_came_after(self):
        bearer = {"Authorization": f"Bearer {(self.data / 'api.key').read_text().strip()}"}
        for number in range(25):
            post(
                f"{self.billfold.public}/v1/orders", {
                    "reference": f"story-{number}", "goods": "electronic", "currency": "CNY", "country": "CN", "merchantName": "Own",
                    "lines": [{"label": "Field guide", "unitAmount": "33.00", "quantity": 1}]},
                {**bearer, "Idempotency-Key": f"story-{number}"})
        (first,) = get_json(f"{self.billfold.public}/v1/orders?reference=story-0", bearer)["orders"]
        for name in ("story-0", first["id"]):
            lines = wait_for("the story", lambda: self.lines_of(name))
            self.assertEqual([line["title"] for line in lines], ["create order"] * 2, lines)
            self.assertEqual({line["correlation"].get("order") for line in lines}, {None, first["id"]})
        none = json.loads(self.run_command("logs", "--once", "--story", "story-none", "--json", status=1))
        self.assertEqual(none["error"]["code"], "unknown-story")

    def lines_of(self, name):
        ended = subprocess.run(
            self.command("logs", "--once", "--story", name, "--json"), capture_output=True, text=True, timeout=PATIENCE, check=False)
        return ended.returncode == 0 and [json.loads(line) for line in ended.stdout.splitlines()]

    def test_commands_know_at_once_that_the_server_has_stopped(self):
        def refused():
            return json.loads(self.run_command("trigger", "payment.succeeded", "--json", status=1))["error"]

        written = self.data / "addresses.json"
        self.billfold.end()
        self.assertFalse(written.exists())
        self.assertEqual(refused()["code"], "no-server")
        self.billfold.start()
        self.assertTrue(written.exists())
        # One that is killed takes nothing back.
        self.billfold.process.kill()
        self.billfold.process.wait()
        self.assertTrue(written.exists())
        self.assertEqual(refused()["code"], "no-server")
        self.assertIn("does not answer", refused()["reason"])
        self.billfold.start()
        self.assertEqual(json.loads(self.run_command("trigger", "payment.succeeded", "--json"))["state"], "succeeded")

    def test_every_state_that_is_listed_comes_about(self):
        for trigger in json.loads(self.run_command("trigger", "--list", "--json"))["triggers"]:
            with self.subTest(trigger["name"]):
                self.assertEqual(json.loads(self.run_command("trigger", trigger["name"], "--json"))["trigger"], trigger["name"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
