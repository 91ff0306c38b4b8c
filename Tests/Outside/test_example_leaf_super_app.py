"""Drives `Examples/LeafSuperApp` through the sandbox: a phone with the super app, a mini program that its author published, the wallet's cashier in a
browser, and the author's books.
"""
import re
import tempfile
import time
import unittest
import urllib.request

from alipay_wallet import MEI, Browser, Page, result_of
from client_code import MODES, Built, Example, workshop
from example_phone import ExamplePhone, Line
from parties import Billfold, get_json, post

ROLES = "wallet,alipay-gateway,alipay-merchant,mini-program-author,super-app,console"
PROGRAM = "Tea Counter"
DRIVEN_MODE = "6"


class LeafSuperAppTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        made = cls.enterClassContext(workshop(Example("LeafSuperApp"), DRIVEN_MODE, Built()))
        made.build()
        cls.program = made.folder / "program"
        cls.start()

    @classmethod
    def start(cls):
        cls.billfold = Billfold("--roles", ROLES)
        cls.billfold.ready = [f"{cls.billfold.public}/readyz", f"{cls.billfold.console}/readyz", f"{cls.billfold.sandbox}/super-app/"]
        cls.addClassCleanup(cls.billfold.stop)
        cls.billfold.start()
        # The author publishes when the platform is there.
        for _ in range(120):
            programs = get_json(f"{cls.billfold.sandbox}/author/v1/programs")["programs"]
            if any(each["name"] == PROGRAM and each.get("codes") for each in programs):
                return
            time.sleep(0.5)
        raise RuntimeError(f"{PROGRAM} was never published")

    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory(prefix="billfold-leaf-"))

    def plan(self, method, body=None):
        """What goes wrong with the author's answers about orders."""
        address = f"{self.billfold.sandbox}/author/v1/faults/order-state"
        request = urllib.request.Request(address, body, {"Content-Type": "application/json"}, method=method)
        urllib.request.urlopen(request, timeout=60).close()

    def phone(self, wallet=None):
        """The app's start, on the files that an earlier run left, and the way to the mini program."""
        phone = ExamplePhone(self.program, self.folder, LeafWallet=wallet or self.billfold.public)
        self.addCleanup(phone.end)
        phone.tap("Sign in")
        phone.until("Mini programs")
        phone.tap(PROGRAM)
        phone.until("status: Welcome.")
        return phone

    def buys(self, phone, title="Buy Longjing"):
        """Has the mini program ask for money. Returns the browser and the path of the cashier's session."""
        phone.tap(title)
        session = "/cashier/" + phone.hears("browser").rsplit("/", 1)[1]
        return Browser(self.billfold.public), session

    def pays(self, browser, session):
        """Logs in and pays. Returns the way back to the app."""
        _, _, text = browser.ask("GET", f"{session}/login")
        _, path, text = browser.submit(Page(text), "/login", {"name": MEI[0], "password": MEI[1]})
        if path.endswith("/means"):
            _, path, text = browser.submit(Page(text), "/means", {"means": "balance"})
        self.assertTrue(path.endswith("/password"), text[:2_000])
        browser.submit(Page(text), "/password", {"password": MEI[2]})
        return self.way_back(browser, session)

    def way_back(self, browser, session):
        for _ in range(50):
            if result_of(self.billfold.public, session)["resultStatus"] != "8000":
                break
            time.sleep(0.1)
        _, _, text = browser.ask("GET", session)
        return next(link for link, is_back in Page(text).links if is_back)

    def ends(self, phone, text, state=None):
        print(f"{self._testMethodName[5:]}: {phone.until(text)}", flush=True)
        if state:
            number = re.search(r"order: (\w+)", phone.does("texts")).group(1)
            self.assertEqual(post(f"{self.billfold.sandbox}/author/v1/orders/{number}/state", {})["state"], state)
        self.assertEqual(phone.does("faults"), "", "a mistake of the app's on the phone")

    # Paying

    def test_paid(self):
        for title in ("Buy Longjing", "Buy Longjing on the wallet’s page"):
            with self.subTest(title):
                phone = self.phone()
                back = self.pays(*self.buys(phone, title))
                phone.does("open", back)
                self.ends(phone, "status: Paid.", "paid")

    def test_cancelled(self):
        phone = self.phone()
        browser, session = self.buys(phone)
        _, _, text = browser.ask("GET", session)
        browser.submit(Page(text), "/cancel", {})
        phone.does("open", self.way_back(browser, session))
        self.ends(phone, "status: Not paid: you left the payment.", "unpaid")

    def test_back_before_paying(self):
        phone = self.phone()
        _, session = self.buys(phone)
        phone.does("front")
        self.ends(phone, "status: Not paid: you left the payment.", "unpaid")
        # Nobody pays there later what the mini program was told is not paid.
        self.assertEqual(result_of(self.billfold.public, session)["resultStatus"], "6001")

    def test_refused_by_the_cashier(self):
        line = Line(self.billfold.public)
        self.addCleanup(line.stop)
        line.changed["/cashier"] = self.spoiled
        phone = self.phone(line.url)
        phone.tap("Buy Longjing")
        self.ends(phone, "status: The payment failed. No money has moved.", "unpaid")
        self.assertEqual(line.statuses["/cashier"], 422)

    @staticmethod
    def spoiled(body):
        """The order with one letter of its signature changed: the first that is no part of an escape."""
        return re.sub(
            rb"(sign%3D(?:%25[0-9A-F]{2})*)([A-Za-z0-9])", lambda found: found.group(1) + (b"B" if found.group(2) == b"A" else b"A"), body, count=1)

    def test_refused_by_the_author(self):
        phone = self.phone()
        phone.tap("Buy Longjing by its trade number")
        self.ends(phone, "status: The order could not be made")

    def test_unknown_until_it_is_asked_again(self):
        phone = self.phone()
        browser, session = self.buys(phone)
        self.plan("PUT", b'{"fault":"reply-lost","times":100}')
        self.addCleanup(self.plan, "DELETE")
        phone.does("open", self.pays(browser, session))
        self.ends(phone, "status: Not known yet.")
        self.plan("DELETE")
        phone.tap("Ask about the order again")
        self.ends(phone, "status: Paid.", "paid")

    def test_without_the_way_back(self):
        phone = self.phone()
        self.pays(*self.buys(phone))
        phone.does("front")
        self.ends(phone, "status: Paid.", "paid")

    def test_without_the_cashiers_answer(self):
        line = Line(self.billfold.public)
        self.addCleanup(line.stop)
        line.lost.add("/closing")
        phone = self.phone(line.url)
        phone.does("open", self.pays(*self.buys(phone)))
        self.ends(phone, "status: Paid.", "paid")

    def test_with_a_killed_app(self):
        phone = self.phone()
        browser, session = self.buys(phone)
        phone.kill()
        self.pays(browser, session)
        # The mini program has kept its order's number on the device.
        phone = self.phone()
        phone.until("order: TL")
        phone.tap("Ask about the order again")
        self.ends(phone, "status: Paid.", "paid")

    # Identity, and what else a mini program asks a person

    def test_consent_refused_agreed_and_remembered(self):
        phone = self.phone()
        for answer, text in (("Not now", "status: Not signed in"), ("Agree", "status: Signed in."), (None, "status: Signed in.")):
            with self.subTest(answer=answer):
                phone.tap("Sign in with name and picture")
                if answer:
                    phone.until("Your name")
                    phone.tap(answer)
                self.ends(phone, text)
        phone.until("user: Mei")

    def test_a_basic_identity_needs_no_consent(self):
        phone = self.phone()
        phone.tap("Sign in without a name")
        self.ends(phone, "status: Signed in.")

    def test_a_question_of_the_mini_programs_own(self):
        phone = self.phone()
        phone.tap("Call the waiter")
        phone.until("Shall we call the waiter?")
        phone.tap("Call")
        self.ends(phone, "status: The waiter is coming.")

    def test_without_a_wallet_nobody_is_signed_in(self):
        phone = ExamplePhone(self.program, self.folder, LeafWallet="http://127.0.0.1:9")
        self.addCleanup(phone.end)
        phone.tap("Sign in")
        phone.until("Nobody was signed in.")


class LeafSuperAppModeTests(unittest.TestCase):
    def test_it_compiles_in_the_other_mode_too(self):
        for mode in MODES:
            if mode != DRIVEN_MODE:
                with self.subTest(mode=mode), workshop(Example("LeafSuperApp"), mode, Built()) as made:
                    made.build()


if __name__ == "__main__":
    unittest.main()
