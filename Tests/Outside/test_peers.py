"""Public clients of other languages, unmodified, against the order gateway: the Ruby gem `alipay` (both generations), the SDKs of PHP and
Java, and gopay.

Each is driven by a small program of ours in `peers`, which knows the client's public calls alone. The clients lie in the folder that
`BILLFOLD_PEERS` names, which is nobody's to commit:

- `ruby/alipay`: the gem's source (`lib` in it);
- `php/alipay`: the SDK's source (`v2/aop` in it);
- `java`: the SDK's compiled classes in `classes`, and what they need as `*.jar`;
- `go/gopay`: `peers/gopay.go` as a program, with a gopay that the Go at hand builds.

Debian 12 has Ruby 3.1, PHP 8.2 (with curl, mbstring, ctype and iconv), Java 17, and Go 1.19, which compiles gopay up to 1.5.98.
An interpreter may lie beside them as `ruby/ruby` and `php/php`; else the machine's own is taken. What is absent is skipped, and said so.

For each client the calls that it made, and those that came to what they should, are printed; the rest with what the gateway said.
"""
import datetime
import html
import http.client
import http.server
import io
import json
import os
import pathlib
import re
import shutil
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.parse
import urllib.request
import zipfile

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from alipay_wallet import Application, Browser, Notified, Page, pay, until_password
from parties import Billfold, put

HERE = pathlib.Path(__file__).resolve().parent / "peers"
PEERS = pathlib.Path(os.environ["BILLFOLD_PEERS"]).resolve() if os.environ.get("BILLFOLD_PEERS") else None
MD5, REFUND_PASSWORD = "two-leaves-and-a-bud-0123456789", "leaves and patience"

# What no gateway of this kind has: the methods of other products, by the documented code.
NO_METHOD = "isv.invalid-method"


def absent(*places):
    """Why a client is skipped, or nothing."""
    if PEERS is None:
        return "BILLFOLD_PEERS names no folder"
    missing = [place for place in places if not (PEERS / place).exists()]
    return f"{', '.join(missing)} is not in BILLFOLD_PEERS" if missing else ""


def interpreter(name):
    own = PEERS / name / name
    return str(own) if own.exists() else shutil.which(name)


class Peer:
    """One running driver: a call a line, an answer a line. What it prints besides goes to a log."""

    def __init__(self, command, log, environment=None):
        self.log = log
        with log.open("w") as errors:
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True, encoding="utf-8",
                env={**os.environ, "TZ": "Asia/Shanghai", "no_proxy": "127.0.0.1", **(environment or {})})

    def ask(self, call, **arguments):
        self.process.stdin.write(json.dumps({"call": call, **arguments}, ensure_ascii=False) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise AssertionError(f"the driver ended at {call} with {self.process.wait()}: {self.log.read_text()[-2000:]}")
        return json.loads(line)

    def stop(self):
        self.process.stdin.close()
        self.process.wait(30)
        self.process.stdout.close()


class Count:
    """The calls that a client made, and what came of them."""

    def __init__(self, name, peer):
        self.name, self.peer, self.made, self.passed, self.rest = name, peer, [], [], {}

    def call(self, title, call, fits, **arguments):
        """Has the client make a call. `fits` says of its answer whether it is the right one."""
        return self.judge(title, self.peer.ask(call, **arguments), fits)

    def judge(self, title, answer, fits):
        self.made.append(title)
        try:
            passed = bool(fits(answer))
        except (KeyError, TypeError, AttributeError):
            passed = False
        if passed:
            self.passed.append(title)
        else:
            said = answer.get("refused") or answer.get("failed") or json.dumps(answer, ensure_ascii=False)
            # A client that knows no `error_response` shows the whole of it.
            code = re.search(r'"sub_code":"([^"]+)"', said)
            self.rest[title] = code[1] if code else said[:200]
        return answer if passed else None

    def report(self):
        print(f"{self.name}: {len(self.passed)} of {len(self.made)} calls passed", file=sys.stderr)
        for title, said in self.rest.items():
            print(f"    not {title}: {said}", file=sys.stderr)


class NamedGateway:
    """An HTTPS proxy that takes every name for ours: what a line in the table of hosts is to a client whose gateway's name is fixed."""

    def __init__(self, gateway, folder):
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "openapi.alipay.com")])
        now = datetime.datetime.now(datetime.timezone.utc)
        certificate = (
            x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(1)
            .not_valid_before(now - datetime.timedelta(days=1)).not_valid_after(now + datetime.timedelta(days=1))
            .sign(key, hashes.SHA256()))
        pem = folder / "named.pem"
        pem.write_bytes(
            certificate.public_bytes(serialization.Encoding.PEM) + key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(pem)
        target = urllib.parse.urlsplit(gateway).netloc

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_CONNECT(self):
                self.send_response(200)
                self.end_headers()
                self.connection = context.wrap_socket(self.connection, server_side=True)
                self.rfile, self.wfile = self.connection.makefile("rb"), self.connection.makefile("wb", buffering=0)

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                onward = http.client.HTTPConnection(target, timeout=60)
                onward.request("POST", self.path, body, {"Content-Type": self.headers["Content-Type"]})
                answer = onward.getresponse()
                said = answer.read()
                onward.close()
                self.send_response(answer.status)
                self.send_header("Content-Type", answer.headers["Content-Type"])
                self.send_header("Content-Length", str(len(said)))
                self.end_headers()
                self.wfile.write(said)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


def pkcs8(application):
    return application.key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()


def followed(answer, gateway):
    """What a browser is shown that goes where a client sends it: an address, or a form that submits itself. A client whose gateway's name is
    fixed sends it there, and the name leads to ours."""
    if "form" in answer:
        form = Page(answer["form"]).forms[0]
        # In an attribute a browser takes "&times" of "&timestamp" for no entity; Python's parser does.
        action = re.search("""action=['"]([^'"]*)""", answer["form"])[1]
        action = re.sub("&#?[0-9A-Za-z]+;", lambda entity: html.unescape(entity[0]), action)
        with urllib.request.urlopen(action, urllib.parse.urlencode(form["fields"]).encode(), timeout=60) as said:
            return said.read().decode()
    if "url" not in answer:
        return ""
    with urllib.request.urlopen(f"{gateway}/gateway.do?{urllib.parse.urlsplit(answer['url']).query}", timeout=60) as said:
        return said.read().decode()


def outcome(text):
    """The node of an answer that a browser was shown, as drivers tell it."""
    try:
        node = next(value for name, value in json.loads(text).items() if name not in ("sign", "alipay_cert_sn"))
    except (ValueError, StopIteration):
        return {"failed": text[:200]}
    return {"answer": node} if node.get("code") == "10000" else {"refused": node.get("sub_code"), "says": node.get("sub_msg")}


class PeerTests(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="billfold-peers-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.billfold = Billfold()
        self.addCleanup(self.billfold.stop)
        self.billfold.start()
        self.notified = Notified()
        self.addCleanup(self.notified.stop)
        self.onboarding = (self.billfold.folder / "data/alipay-onboarding.key").read_text().strip()
        self.ahead, self.numbers = 0, 0

    def application(self, **options):
        return Application(self.billfold.public, self.onboarding, self.notified, **options)

    def start(self, name, command, application, certificate=False, environment=None):
        """Starts a driver with what it is to know, and counts its calls."""
        known = application.known
        settings = {
            "gateway": f"{self.billfold.public}/gateway.do", "appId": application.app_id, "partner": application.partner,
            "privateKey": application.private_pem(), "privateKey8": pkcs8(application), "gatewayKey": application.gateway_pem(), "md5": application.md5}
        if certificate:
            settings["certificate"] = {
                "application": known["applicationCertificate"], "gateway": known["gatewayCertificate"], "root": known["rootCertificate"]}
            settings["files"] = {}
            for part, pem in settings["certificate"].items():
                (self.folder / f"{part}.crt").write_text(pem)
                settings["files"][part] = str(self.folder / f"{part}.crt")
        file = self.folder / "settings.json"
        file.write_text(json.dumps(settings))
        peer = Peer([*command, str(file)], self.folder / "driver.log", environment)
        self.addCleanup(peer.stop)
        return Count(name, peer)

    def number(self, name):
        self.numbers += 1
        return f"{name}{time.time_ns()}{self.numbers}"

    def advance(self, seconds):
        put(f"{self.billfold.sandbox}/clock", {"advanceSeconds": seconds})
        self.ahead += seconds

    def paid(self, count, name, amount):
        """An order of the client that Mei pays, and the notification of it. Returns number and fields."""
        number = self.number(name)
        order = count.call(
            f"order for {name}", "app", lambda answer: answer["answer"], number=number, amount=amount, subject="Longjing 明前 #1",
            notify=self.notified.url)
        self.assertIsNotNone(order, count.rest)
        result = pay(self.billfold.public, order["answer"])
        count.judge(f"payment of {name}", {"failed": str(result)[:300], **result}, lambda answer: answer["resultStatus"] == "9000")
        told = self.notified.wait(lambda each: each.get("out_trade_no") == number and each["trade_status"] in ("TRADE_SUCCESS", "TRADE_FINISHED"))
        self.assertIsNotNone(told, "no notification came")
        return number, told

    def opened(self, count, name):
        """An order of the client whose payer has come to the password."""
        number = self.number(name)
        order = count.call(
            f"order for {name}", "app", lambda answer: answer["answer"], number=number, amount="1.00", subject="Tea",
            notify=self.notified.url)
        until_password(self.billfold.public, order["answer"])
        return number

    def verified(self, count, told, title=None):
        if told is None:
            count.judge(f"verify {title}", {"failed": "no notification came"}, lambda answer: False)
            return
        count.call(f"verify {told['trade_status']}", "verify", lambda answer: answer["answer"] is True, fields=told)
        changed = {**told, "total_amount": "0.01", "total_fee": "0.01"}
        count.call(f"verify a changed {told['trade_status']}", "verify", lambda answer: answer["answer"] is False, fields=changed)

    def modern(self, count, pages=True):
        """Every client of the open platform goes through this."""
        number, told = self.paid(count, "query", "128.00")
        self.verified(count, told)
        count.call("query", "query", lambda answer: answer["answer"]["trade_status"] == "TRADE_SUCCESS", number=number)
        count.call("query of nothing", "query", lambda answer: answer["refused"] == "ACQ.TRADE_NOT_EXIST", number=self.number("none"))
        if pages:
            for way in ("query-url", "query-form"):
                shown = outcome(followed(count.peer.ask(way, number=number), self.billfold.public))
                count.judge(way, shown, lambda answer: answer["answer"]["out_trade_no"] == number)
        count.call("close", "close", lambda answer: answer["answer"]["out_trade_no"], number=self.opened(count, "close"))
        count.call("close what is paid", "close", lambda answer: answer["refused"] == "ACQ.TRADE_STATUS_ERROR", number=number)
        count.call("cancel", "cancel", lambda answer: answer["answer"]["action"] == "close", number=self.opened(count, "cancel"))
        # Sent in the body, in Chinese: the charset that the client names is what the gateway reads it by.
        refund = {"number": number, "amount": "30.00", "request": "part-1", "why": "茶凉了"}
        taken = count.call("refund", "refund", lambda answer: answer["answer"]["fund_change"] == "Y", **refund)
        self.advance(5)
        count.call("the same refund", "refund", lambda answer: answer["answer"]["fund_change"] == "N", **refund)
        count.call(
            "refund of too much", "refund", lambda answer: answer["refused"].startswith("ACQ."),
            **{**refund, "amount": "99.00", "request": "part-2"})
        self.advance(15)
        count.call(
            "refund query", "refund-query", lambda answer: answer["answer"]["refund_amount"] == "30.00", number=number, request="part-1")
        told = self.notified.wait(
            lambda each: each.get("out_trade_no") == number and each.get("out_biz_no") == "part-1", patience=30 if taken else 1)
        self.verified(count, told, "a refund's notification")
        cancelled, _ = self.paid(count, "cancelpaid", "3.00")
        count.call("cancel what is paid", "cancel", lambda answer: answer["answer"]["action"] == "refund", number=cancelled)
        self.bill(count, number)
        for title, call in (("page pay", "page"), ("wap pay", "wap")):
            asked = count.peer.ask(call, number=self.number(call), amount="1.00", subject="Tea", notify=self.notified.url)
            count.judge(title, outcome(followed(asked, self.billfold.public)), lambda answer: answer["answer"])
        count.call("precreate", "precreate", lambda answer: answer["answer"], number=self.number("pre"), amount="1.00", subject="Tea")

    def bill(self, count, number):
        china = datetime.timezone(datetime.timedelta(hours=8))
        day = datetime.datetime.fromtimestamp(time.time() + self.ahead, china).strftime("%Y-%m-%d")
        self.advance(36 * 3600)
        answer = count.call("bill", "bill", lambda answer: answer["answer"]["bill_download_url"], day=day)
        if answer:
            with urllib.request.urlopen(answer["answer"]["bill_download_url"], timeout=30) as said:
                archive = zipfile.ZipFile(io.BytesIO(said.read()))
            rows = "\n".join(archive.read(name).decode("gbk") for name in archive.namelist())
            self.assertIn(number, rows)

    def ends(self, count, rest):
        """Prints the figures and holds them: what did not pass is what the gateway documents, and nothing else."""
        count.report()
        self.assertEqual(count.rest, rest)


@unittest.skipIf(absent("ruby/alipay/lib"), absent("ruby/alipay/lib"))
class RubyTests(PeerTests):
    def command(self, driver):
        return [interpreter("ruby"), "-I", str(PEERS / "ruby/alipay/lib"), str(HERE / driver)]

    def test_the_open_platform(self):
        count = self.start("Ruby alipay, keys", self.command("modern.rb"), self.application())
        self.modern(count)
        self.ends(count, {"page pay": NO_METHOD, "wap pay": NO_METHOD, "precreate": NO_METHOD})

    def test_the_open_platform_with_certificates(self):
        count = self.start(
            "Ruby alipay, certificates", self.command("modern.rb"), self.application(certificate=True), certificate=True)
        self.modern(count)
        self.ends(count, {"page pay": NO_METHOD, "wap pay": NO_METHOD, "precreate": NO_METHOD})

    def test_the_old_gateway(self):
        application = self.application(md5=MD5, refund_password=REFUND_PASSWORD)
        count = self.start("Ruby alipay, old gateway", self.command("legacy.rb"), application)
        self.notified.reply = b"later"
        number, told = self.paid(count, "old", "128.00")
        self.verified(count, told)
        count.call("the id of a notification", "notify-id", lambda answer: answer["answer"] is True, id=told["notify_id"])
        count.call("an id of nobody", "notify-id", lambda answer: answer["answer"] is False, id="1" * 32)
        self.notified.reply = b"success"
        count.call("query", "query", lambda answer: answer["answer"]["out_trade_no"] == number, number=number)
        count.call("query of nothing", "query", lambda answer: answer["refused"] == "TRADE_NOT_EXIST", number=self.number("none"))
        count.call("close", "close", lambda answer: answer["answer"] is not None, number=self.opened(count, "close"))
        self.refunded(count, told["trade_no"])
        count.call("account pages", "account", lambda answer: answer["answer"])
        for title, call in (("page pay", "page"), ("wap pay", "wap"), ("overseas query", "overseas"), ("cross-border refund", "forex-refund")):
            asked = count.peer.ask(
                call, number=number, request=self.number("r"), amount="1.00", subject="Tea", why="cold", notify=self.notified.url)
            said = followed(asked, self.billfold.public)
            code = said.partition("<error>")[2].partition("</error>")[0]
            count.judge(title, {"refused": code or said[:200]}, lambda answer: answer["answer"])
        self.ends(count, {
            # The gem holds the real gateway's own RSA key, and no setting for another.
            "verify TRADE_SUCCESS": '{"answer": false}', "account pages": "ILLEGAL_SERVICE", "page pay": "ILLEGAL_SERVICE",
            "wap pay": "ILLEGAL_SERVICE", "overseas query": "ILLEGAL_SERVICE", "cross-border refund": "INVALID_PARAMETER"})

    def refunded(self, count, trade):
        """The batch that a person confirms at the gateway with a password."""
        # The day is the gateway's.
        batch = time.strftime("%Y%m%d", time.gmtime(time.time() + 8 * 3_600)) + f"{time.time_ns() % 10 ** 12:012}"
        asked = count.peer.ask("refund", trade=trade, amount="8.00", why="冷茶", batch=batch, notify=self.notified.url)
        parts = urllib.parse.urlsplit(asked["url"])
        browser = Browser(self.billfold.public)
        status, _, text = browser.ask("GET", f"{parts.path}?{parts.query}")
        count.judge("refund page", {"failed": text[:200], "status": status}, lambda answer: answer["status"] == 200 and batch in text)
        form = Page(text).forms[0]
        # A notification's id is good until it is acknowledged, and the client asks for it.
        self.notified.reply = b"later"
        status, _, text = browser.ask("POST", form["action"], {**form["fields"], "password": REFUND_PASSWORD})
        told = self.notified.wait(lambda each: each.get("batch_no") == batch)
        count.judge("refund's notification", told or {"failed": text[:200]}, lambda answer: answer["success_num"] == "1")
        count.call("verify a refund's notification", "verify", lambda answer: answer["answer"] is True, fields=told)
        changed = {**told, "success_num": "2"}
        count.call("verify a changed refund's notification", "verify", lambda answer: answer["answer"] is False, fields=changed)
        self.notified.reply = b"success"


@unittest.skipIf(absent("php/alipay/v2/aop"), absent("php/alipay/v2/aop"))
class PHPTests(PeerTests):
    # The SDK tells of no failure that is unsigned, as the gateway's own are.
    UNSIGNED = "Exception:  check sign Fail! The reason : signData is Empty"
    command = property(lambda self: [interpreter("php"), str(HERE / "aop.php"), str(PEERS / "php/alipay/v2/aop")])

    def test_keys(self):
        count = self.start("PHP AopClient", self.command, self.application())
        self.modern(count)
        self.ends(count, {"page pay": NO_METHOD, "wap pay": NO_METHOD, "precreate": self.UNSIGNED})

    def test_certificates(self):
        count = self.start("PHP AopCertClient", self.command, self.application(certificate=True), certificate=True)
        self.modern(count)
        self.ends(count, {"page pay": NO_METHOD, "wap pay": NO_METHOD, "precreate": self.UNSIGNED})


@unittest.skipIf(absent("java/classes/com/alipay/api"), absent("java/classes/com/alipay/api"))
@unittest.skipIf(not shutil.which("java"), "there is no java")
class JavaTests(PeerTests):
    def test_keys(self):
        place = PEERS / "java"
        path = os.pathsep.join([str(place / "classes"), *(str(each) for each in sorted(place.glob("*.jar")))])
        count = self.start("Java AlipayClient", ["java", "-cp", path, str(HERE / "Aop.java")], self.application())
        self.modern(count)
        self.ends(count, {"page pay": NO_METHOD, "wap pay": NO_METHOD, "precreate": NO_METHOD})


@unittest.skipIf(absent("go/gopay"), absent("go/gopay"))
class GoTests(PeerTests):
    def go(self, name, application, certificate=False):
        named = NamedGateway(self.billfold.public, self.folder)
        self.addCleanup(named.stop)
        count = self.start(
            name, [str(PEERS / "go/gopay")], application, certificate,
            {"HTTPS_PROXY": named.url, "https_proxy": named.url})
        self.modern(count, pages=False)
        self.ends(count, {"page pay": NO_METHOD, "wap pay": NO_METHOD, "precreate": NO_METHOD})

    def test_keys(self):
        self.go("gopay", self.application())

    def test_certificates(self):
        self.go("gopay, certificates", self.application(certificate=True), certificate=True)


def main():
    for suite in (RubyTests, PHPTests, JavaTests, GoTests):
        if getattr(suite, "__unittest_skip__", False):
            print(f"SKIPPED {suite.__name__}: {suite.__unittest_skip_why__}", file=sys.stderr)
    unittest.main()


if __name__ == "__main__":
    main()
