"""Runs every back end under `Examples/BackEnds` to its end, paid and refunded, and holds what it says to the OpenAPI files; and every
command of its page and of `docs/connect.md`, and of the console's guides.

Java, Go and Swift are taken where they are; where one is not, that is said.
"""
import concurrent.futures
import html
import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
import unittest

import back_ends
from parties import PROGRAM, ROOT, Billfold, free_ports, get, get_json
from recording import Contract, Exchange, Recorder

BACK_ENDS = ROOT / "Examples/BackEnds"
# Which door of a back end a stranger finds, and what it answers there.
DOORS = {
    "card": ("/hook", 400), "express": ("/notify", "fail"), "issuer": ("/hook", 400), "acquirer": ("/alipay-plus/notify", 401),
    "author": ("/sign-in", 400)}
TOLD = {
    "card": ["heard payment.succeeded of", "paid 33.00 CNY", "heard refund.succeeded of", "refunded 10.00"],
    "express": ["heard TRADE_SUCCESS of", "paid 12.50 CNY", "the query says TRADE_SUCCESS", "refunded 2.50"],
    "issuer": ["c-1 has", "reported blocked: applied", "heard token.suspended of", "reported unblocked: applied", "active again: "],
    "acquirer": ["heard S of", "paid 1999 of SGD", "the inquiry says S", "refunded 999"],
    "author": ["uploaded 1.0.", "is in Full Release", "signed in: ", "Mei Lin"],
    "seller": ["heard TRADE_SUCCESS of", "paid 12.50 CNY, order MY"]}
# Where the files say what is spoken: everywhere else are pages for people.
SPOKEN = ("BILLFOLD_API", "ALIPAY_GATEWAY", "BILLFOLD_PROVISIONING", "ALIPAY_PLUS_GATEWAY", "BILLFOLD_WALLET", "BILLFOLD_ONBOARDING")


def commands(page):
    """The text of a page's commands, those of a tool that is not here left out and said."""
    lines = []
    for _, block in re.findall(r"^( *)```sh\n(.*?)^\1```$", page, re.MULTILINE | re.DOTALL):
        for line in textwrap.dedent(block).splitlines():
            tool = line.split()[0] if line.split() else ""
            if tool in ("java", "go", "swiftc") and not shutil.which(tool):
                print(f"SKIPPED: {line}: there is no {tool}", file=sys.stderr, flush=True)
                lines.append("true")
            else:
                lines.append(line)
    return "\n".join(lines)


class BackEndTests(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.billfold = Billfold()
        cls.addClassCleanup(cls.billfold.stop)
        cls.billfold.start()
        cls.data = cls.billfold.folder / "data"
        cls.contract = Contract()
        cls.recorder = Recorder(cls.billfold.public)
        cls.addClassCleanup(cls.recorder.stop)
        tools = cls.billfold.folder / "tools"
        tools.mkdir()
        for name, text in (
                ("billfold", back_ends.SHIM.format(program=PROGRAM, data=cls.data)), ("python3", f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')):
            (tools / name).write_text(text)
            (tools / name).chmod(0o755)
        cls.environment = {
            **os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "GOCACHE": str(cls.billfold.folder / "go"), "NODE_NO_WARNINGS": "1"}

    def setUp(self):
        self.port = free_ports(1)[0]
        self.own = f"http://127.0.0.1:{self.port}"
        self.folder = self.billfold.folder / self.id().rsplit(".", 1)[1]
        self.folder.mkdir()
        self.recorder.exchanges.clear()

    # Programs

    def register(self, role):
        """Registers a party as a newcomer does, and reads its env file as a shell does; the program's words go by the recorder."""
        told = subprocess.run(
            ["billfold", "sandbox", "register", role, "--name", self.folder.name[:64], "--to", f"own-{role}", "--address", self.own,
             "--json"], env=self.environment, cwd=self.folder, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(told.returncode, 0, told.stdout + told.stderr)
        self.assertNotIn("bf_test_", told.stdout, "a key is for the env file alone")
        read = subprocess.run(
            ["sh", "-c", 'set -a; . "$1"; env -0', "sh", json.loads(told.stdout)["env"]],
            env={"PATH": os.environ["PATH"]}, capture_output=True, text=True, check=True)
        values = dict(each.split("=", 1) for each in read.stdout.split("\0") if "=" in each)
        for name in SPOKEN:
            if name in values:
                values[name] = values[name].replace(self.billfold.public, self.recorder.origin)
        return {**self.environment, **{name: value for name, value in values.items() if name != "PATH"}}

    def follow(self, kind, role, *command):
        """Runs a program; before its customer acts, a stranger says what was never signed, and is not believed."""
        environment = self.register(role)
        answers = []

        def meddle(_):
            if DOORS[kind]:
                path, refusal = DOORS[kind]
                status, text = back_ends.forge(self.own)[path]
                answers.append((text if status == 200 else status, refusal))

        status, said = back_ends.follow(command, self.billfold.sandbox, meddle, env=environment, cwd=self.folder)
        self.assertEqual(status, 0, said)
        for line in TOLD[kind]:
            self.assertIn(line, said)
        for given, refusal in answers:
            self.assertEqual(given, refusal, "a forged message")
        self.assertEqual([fault for each in self.recorder.exchanges for fault in self.contract.faults(each)], [])
        self.assertGreaterEqual(len(self.recorder.exchanges), 3)
        return said

    def card(self, *command):
        self.follow("card", "merchant", *command)
        key = {"Authorization": f"Bearer {(self.data / 'api.key').read_text().strip()}"}
        made = next(json.loads(each.answer) for each in self.recorder.exchanges if (each.method, each.path) == ("POST", "/v1/orders"))
        payments = get_json(f"{self.billfold.public}/v1/payments?order={made['id']}", key)["payments"]
        self.assertEqual([(each["state"], each["refunded"]) for each in payments], [("partlyRefunded", "10.00")])

    def test_merchant_of_cards_in_python(self):
        self.card("python3", BACK_ENDS / "merchant/python/card_payments.py")

    def test_merchant_of_cards_in_node(self):
        self.card("node", BACK_ENDS / "merchant/node/card-payments.mjs")

    @unittest.skipUnless(shutil.which("java"), "SKIPPED: there is no java")
    def test_merchant_of_cards_in_java(self):
        self.card("java", BACK_ENDS / "merchant/java/CardPayments.java")

    @unittest.skipUnless(shutil.which("swiftc"), "SKIPPED: there is no swiftc")
    def test_merchant_of_cards_in_swift(self):
        program = self.folder / "card-payments"
        subprocess.run(["swiftc", BACK_ENDS / "merchant/swift/main.swift", "-o", program], check=True, timeout=300)
        # It reads the feed, so there is no door.
        doors, DOORS["card"] = DOORS["card"], None
        try:
            self.card(program)
        finally:
            DOORS["card"] = doors

    def test_merchant_of_express_orders_in_python(self):
        self.follow("express", "merchant", "python3", BACK_ENDS / "merchant/python/express_orders.py")

    def test_merchant_of_express_orders_in_node(self):
        self.follow("express", "merchant", "node", BACK_ENDS / "merchant/node/express-orders.mjs")

    def test_issuer_in_python(self):
        self.follow("issuer", "bank", "python3", BACK_ENDS / "issuer/python/issuer.py")

    def test_issuer_in_node(self):
        self.follow("issuer", "bank", "node", BACK_ENDS / "issuer/node/issuer.mjs")

    def test_acquirer_in_python(self):
        self.follow("acquirer", "acquirer", "python3", BACK_ENDS / "acquirer/python/acquirer.py")

    def test_acquirer_in_node(self):
        self.follow("acquirer", "acquirer", "node", BACK_ENDS / "acquirer/node/acquirer.mjs")

    @unittest.skipUnless(shutil.which("go"), "SKIPPED: there is no go")
    def test_acquirer_in_go(self):
        self.follow("acquirer", "acquirer", "go", "run", BACK_ENDS / "acquirer/go/acquirer.go")

    def author(self, version, *command):
        known = self.register("author")
        packed, signed, source = self.folder / "program.zip", self.folder / "signed.zip", self.folder / "program"
        shutil.copytree(BACK_ENDS / "author/program", source)
        (source / "server.js").write_text(f"module.exports = '{self.own}';\n")
        for each in (
                ["pack", source, "--app-id", known["MINI_PROGRAM_ID"], "--version", version, "--to", packed],
                ["sign", packed, "--key", known["PACKAGE_PRIVATE_KEY_FILE"], "--key-id", known["PACKAGE_KEY_ID"], "--to", signed]):
            subprocess.run([PROGRAM, "mini-program", *each], check=True, capture_output=True, timeout=60)
        self.follow("author", "author", *command, signed)

    def test_author_in_python(self):
        self.author("1.0.1", "python3", BACK_ENDS / "author/python/author.py")

    def test_author_in_node(self):
        self.author("1.0.2", "node", BACK_ENDS / "author/node/author.mjs")

    def test_what_is_refused_is_told_and_what_is_not_answered_is_not_known(self):
        """A wrong key, and a server that is not there: the first is a refusal with its code, the second neither paid nor failed."""
        gone, own = (f"http://127.0.0.1:{port}" for port in free_ports(2))
        environment = {**self.register("acquirer"), "ALIPAY_PLUS_GATEWAY": gone, "ALIPAY_PLUS_NOTIFY_URL": f"{own}/alipay-plus/notify"}
        pool = concurrent.futures.ThreadPoolExecutor(1)
        self.addCleanup(pool.shutdown)
        # It asks again for some seconds.
        silent = pool.submit(
            back_ends.follow, ["node", BACK_ENDS / "acquirer/node/acquirer.mjs"], self.billfold.sandbox, env=environment, cwd=self.folder)
        for role, wrong, programs in (
                ("merchant", "BILLFOLD_API_KEY", ("merchant/python/card_payments.py", "merchant/node/card-payments.mjs")),
                ("bank", "BILLFOLD_BANK_KEY", ("issuer/python/issuer.py", "issuer/node/issuer.mjs")),
                ("acquirer", "ALIPAY_PLUS_CLIENT_ID", ("acquirer/python/acquirer.py", "acquirer/node/acquirer.mjs"))):
            environment = self.register(role)
            for program in programs:
                command = ["python3" if program.endswith(".py") else "node", BACK_ENDS / program]
                with self.subTest(program):
                    status, said = back_ends.follow(
                        command, self.billfold.sandbox, env={**environment, wrong: "nobody"}, cwd=self.folder)
                    self.assertEqual((status, "was refused" in said, "Traceback" in said), (1, True, False), said)
        status, said = silent.result()
        self.assertEqual((status, "is not known" in said, "failed" in said), (1, True, False), said)

    # Pages

    def hold(self, pages):
        """Runs the commands of several pages beside each other, each as a newcomer with a folder of their own: as they stand there, but
        for the ports, which may be taken. A page is its commands and what they have to say."""
        places = zip(pages, free_ports(len(pages)))

        def run(place):
            name, port = place
            text = pages[name][0].replace("127.0.0.1:3000", f"127.0.0.1:{port}").replace("{own}", f"http://127.0.0.1:{port}")
            # Several newcomers are at this sandbox, and a name is one's own.
            text = back_ends.own_names(text, f"{self.folder.name[5:30]} {name}")
            for usual, address in (("8080", self.billfold.public), ("8081", self.billfold.console), ("8082", self.billfold.sandbox)):
                text = text.replace(f"http://127.0.0.1:{usual}", address)
            folder = self.folder / name
            folder.mkdir(exist_ok=True)
            (folder / "Examples").symlink_to(ROOT / "Examples")
            command = ["bash", "-euo", "pipefail", "-c", text]
            return name, text, *back_ends.follow(command, self.billfold.sandbox, env=self.environment, cwd=folder)

        with concurrent.futures.ThreadPoolExecutor(len(pages)) as pool:
            for name, text, status, said in pool.map(run, places):
                with self.subTest(name):
                    self.assertEqual(status, 0, f"{text}\n{said}")
                    for line in pages[name][1]:
                        self.assertIn(line, said, text)

    def test_every_command_of_a_back_ends_page(self):
        kinds = {"merchant": ["card", "express"], "issuer": ["issuer"], "acquirer": ["acquirer"], "author": ["author", "seller"]}
        self.assertEqual(sorted(kinds), sorted(path.name for path in BACK_ENDS.iterdir() if path.is_dir()))
        pages = {}
        for role, names in kinds.items():
            page = (BACK_ENDS / role / "README.md").read_text()
            for program in (BACK_ENDS / role).glob("*/*.*"):
                if program.suffix in (".py", ".mjs", ".java", ".go", ".swift"):
                    self.assertIn(str(program.relative_to(ROOT)), page)
            pages[role] = commands(page), [line for name in names for line in TOLD[name]]
        self.hold(pages)

    def test_every_command_of_the_chapters(self):
        text = commands((ROOT / "docs/connect.md").read_text())
        said = [line for kind, told in TOLD.items() if kind != "seller" for line in told] + ["my-1 is paid", "payment.succeeded: payment"]
        self.hold({"chapters": (text, said)})

    def test_a_merchants_order_is_paid_as_its_guide_says(self):
        page = (ROOT / "docs/guides/merchant.md").read_text()
        section = page[page.index("## UnionPay's own client"):page.index("## Hear what became of it")]
        self.hold({"merchants-guide": (commands(section), ["guide-1 is paid"])})

    def test_every_command_of_the_authors_guide(self):
        """A program of the chapter before takes money, runs from a script, and its phone is driven."""
        chapter = (ROOT / "docs/connect.md").read_text()
        chapter = chapter[chapter.index("## An author of mini programs"):chapter.index("## A space per key")]
        guide = commands((ROOT / "docs/guides/mini-program.md").read_text())
        said = TOLD["author"] + TOLD["seller"] + ["Signed in as Mei", "You left the payment", "Paid, order MY1", '"name": "Own program"']
        self.hold({"authors-guide": (commands(chapter) + "\n" + guide, said)})

    def test_an_acquirers_payment_is_paid_as_its_guide_says(self):
        page = (ROOT / "docs/guides/acquirer.md").read_text()
        section = page[page.index("## Have your payments paid"):page.index("## What to hold on to")]
        signing = page[page.index("## Sign a request"):page.index("## Have your payments paid")]
        self.hold({
            "acquirers-guide": (commands(section), TOLD["acquirer"]),
            "acquirers-signature": (commands(signing), ["the same signature", "verified with key version 1"])})

    def test_an_express_order_is_paid_as_its_guide_says(self):
        page = (ROOT / "docs/guides/merchant.md").read_text()
        section = page[page.index("### Have your orders paid"):page.index("## In production")]
        name = "merchants-guide"
        self.hold({name: (commands(section), ["total_amount"])})
        place = self.folder / name
        paid, again = (json.loads((place / file).read_text()) for file in ("result.json", "again.json"))
        self.assertEqual(paid["resultStatus"], "9000")
        self.assertEqual(again, paid)

    def test_every_command_of_the_consoles_guides(self):
        kinds = {"card-merchant": "card", "express-merchant": "express", "bank": "issuer", "acquirer": "acquirer", "author": "author"}
        found = re.findall(r'href="/connect/([a-z-]+)', get(f"{self.billfold.console}/connect")[1].decode())
        self.assertEqual(sorted(set(found)), sorted(kinds))
        pages = {}
        for slug, kind in kinds.items():
            page = get(f"{self.billfold.console}/connect/{slug}?language=en")[1].decode()
            steps = [html.unescape(each) for each in re.findall(r"<pre[^>]*>(.*?)</pre>", page, re.DOTALL)]
            self.assertGreater(len(steps), 1)
            (self.folder / slug).mkdir()
            (self.folder / slug / "read.env").write_text(get(f"{self.billfold.console}/connect/{slug}/environment")[1].decode())
            # The address that the second step prints is paid at, as a person does.
            text = "\n".join(steps).replace('echo "$BILLFOLD_PAY_PAGE', 'echo "customer pays at $BILLFOLD_PAY_PAGE')
            text = text.replace("payment=$(", "sleep 3; payment=$(")
            text = re.sub(r"sandbox register (?!.* --address )", "sandbox register --address {own} ", text)
            more = {"card": ['"kind":"refund"'], "issuer": ['"status":"blocked"'], "author": TOLD["seller"]}.get(kind, [])
            pages[slug] = "set -a; . ./read.env; set +a; export OWN_ORIGIN={own}\n" + text, TOLD[kind] + more
        self.hold(pages)

    def test_both_ways_to_an_environment_give_the_same_names(self):
        chapters = (ROOT / "docs/connect.md").read_text()
        roles = {"card-merchant": "merchant", "express-merchant": "merchant", "bank": "bank", "acquirer": "acquirer", "author": "author"}
        for slug, role in roles.items():
            with self.subTest(slug):
                text = get(f"{self.billfold.console}/connect/{slug}/environment")[1].decode()
                # What an application's own registration needs stands at the console alone.
                named = set(re.findall(r"^([A-Z_]+)=", text, re.MULTILINE)) - {"BILLFOLD_ONBOARDING", "BILLFOLD_ONBOARDING_KEY"}
                given = self.register(role)
                self.assertEqual({name for name in named if name not in given}, set())
                for name in named - set(SPOKEN) - {"BILLFOLD_API_KEY"}:
                    self.assertIn(f"{name}='{given[name]}'\n", text)
                self.assertEqual({name for name in given if name not in self.environment and f"`{name}`" not in chapters}, set())

    # The test itself

    def test_what_is_not_as_the_files_say_is_found(self):
        def faults(method, path, body, status=201, answer=b"{}", **headers):
            return self.contract.faults(Exchange(
                method, path, {"content-type": "application/json", **headers}, body, status, "application/json", answer))

        self.assertEqual(len(faults("GET", "/v1/nothing", None)), 1)
        told = "\n".join(faults("POST", "/v1/orders", b'{"reference":1}'))
        self.assertRegex(told, "Idempotency-Key is missing")
        self.assertRegex(told, "createOrder: .*reference|not of type|is not")
        self.assertRegex("\n".join(faults("GET", "/v1/payments?nothing=1", None, 200)), "the query has nothing")
        self.assertRegex("\n".join(faults("GET", "/v1/payments", None, 299)), "no answer has 299")


if __name__ == "__main__":
    unittest.main(verbosity=2)
