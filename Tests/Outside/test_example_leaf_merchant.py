"""Drives `Examples/LeafMerchant` through the sandbox: a phone with the app, the Alipay app and the web cashier, the payment sheet and its wallets, and
the shop's servers, whose books say what became of each order.
"""
import html
import json
import pathlib
import re
import tempfile
import time
import unittest
import urllib.parse

from alipay_wallet import MEI, Browser, Page, result_of
from client_code import EXAMPLES, MODES, Built, Example, workshop
from example_phone import ExamplePhone, Line
from parties import Billfold, get_json

PLIST = EXAMPLES / "LeafMerchant/Info.plist"
TEA, CUP, BOX, NIGHT_TEA = "Longjing, spring picking, 128.00 CNY", "Celadon cup, 88.00 CNY", "Kaya gift box, 38.80 SGD", "Night tea, 168.00 HKD"
LUZ = ("ph-luz", "631204")
PAID, OPEN, CANCELLED, FAILED = "Your payment went through.", "We are confirming", "You cancelled the payment.", "did not go through"

DRIVEN_MODE = "6"


class Customer:
    """Whoever holds the phone, in the wallets that it opens."""

    def __init__(self, billfold):
        self.billfold = billfold

    # The Alipay app

    def opens_alipay(self, link):
        """The app with an order: its pages are the wallet's own. Returns the browser and the session's path."""
        browser = Browser(self.billfold.public)
        status, session, text = browser.ask("GET", f"/wallet/pay?{link.partition('?')[2]}")
        assert status == 200 and session.startswith("/cashier/"), (status, session, text[:2_000])
        return browser, session

    def opens_cashier(self, order):
        browser = Browser(self.billfold.public)
        status, session, text = browser.ask("POST", "/cashier", {"order": order, "scheme": "leafmerchant"})
        assert status == 200, (status, text[:2_000])
        return browser, session

    def pays(self, browser, session):
        """Logs in and pays. Returns the way back to the app."""
        _, _, text = browser.ask("GET", f"{session}/login")
        _, path, text = browser.submit(Page(text), "/login", {"name": MEI[0], "password": MEI[1]})
        if path.endswith("/means"):
            _, path, text = browser.submit(Page(text), "/means", {"means": "balance"})
        assert path.endswith("/password"), (path, text[:2_000])
        browser.submit(Page(text), "/password", {"password": MEI[2]})
        return self.way_back(browser, session)

    def leaves(self, browser, session):
        _, _, text = browser.ask("GET", session)
        browser.submit(Page(text), "/cancel", {})
        return self.way_back(browser, session)

    def way_back(self, browser, session):
        for _ in range(50):
            if result_of(self.billfold.public, session)["resultStatus"] != "8000":
                break
            time.sleep(0.1)
        _, _, text = browser.ask("GET", session)
        return next(link for link, is_back in Page(text).links if is_back)

    # The payment sheet and its wallets

    def chooses(self, phone, sheet, wallet):
        """The sheet's page draws itself, takes the choice and says it to the app, as its script does."""
        place = urllib.parse.urlsplit(sheet)
        browser = Browser(f"{place.scheme}://{place.netloc}")
        _, _, text = browser.ask("GET", f"{place.path}?{place.query}")
        assert phone.does("sheet", '{"event":"show"}') == "heard"
        row = next(tag for tag in re.findall(r"<input type=\"radio\"[^>]*>", text) if f'value="{wallet}"' in tag)
        links = {name: html.unescape(re.search(rf'data-{name}="([^"]*)"', row).group(1)) for name in ("applink", "scheme", "normal")}
        browser.ask("POST", f"{place.path}/choices", {"wallet": wallet, "client": "app"}, {"Accept": "application/json"})
        assert phone.does(
            "sheet", '{"event":"select","walletName":"%s","links":{"applinkUrl":"%s","schemeUrl":"%s","normalUrl":"%s"}}' % (
                wallet, links["applink"], links["scheme"], links["normal"])) == "heard"

    def in_wallet(self, link, person):
        """The wallet with the payment before its customer. Returns browser, path and page."""
        place = urllib.parse.urlsplit(link)
        browser = Browser(f"{place.scheme}://{place.netloc}")
        _, _, text = browser.ask("GET", f"{place.path}?{place.query}")
        page = Page(text)
        login = next(form for form in page.forms if (form["action"] or "").endswith("/login"))
        _, path, text = browser.ask("POST", login["action"], {**login["fields"], "id": person[0], "pin": person[1]})
        assert "/payments/" in path, (path, text[:2_000])
        # The gateway asks the wallet to collect a moment after the customer came.
        for _ in range(100):
            if any((form["action"] or "").endswith("/confirm") for form in Page(text).forms):
                break
            time.sleep(0.1)
            _, _, text = browser.ask("GET", path)
        return browser, path, Page(text)

    def confirms(self, link, person=LUZ):
        browser, path, page = self.in_wallet(link, person)
        browser.submit(page, "/confirm", {})
        for _ in range(100):
            _, _, text = browser.ask("GET", path)
            back = [link for link, is_back in Page(text).links if is_back]
            if 'data-outcome="paid"' in text and back:
                return back[0]
            time.sleep(0.1)
        raise AssertionError(text[:4_000])

    def declines(self, link, person=LUZ):
        browser, _, page = self.in_wallet(link, person)
        browser.submit(page, "/decline", {})


class LeafMerchantTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        made = cls.enterClassContext(workshop(Example("LeafMerchant"), DRIVEN_MODE, Built()))
        made.build()
        cls.program = made.folder / "program"
        cls.start()

    @classmethod
    def start(cls):
        cls.billfold = Billfold()
        cls.addClassCleanup(cls.billfold.stop)
        cls.billfold.start()
        cls.customer = Customer(cls.billfold)
        sandbox = cls.billfold.sandbox
        keys = cls.until("the shop's keys", lambda: get_json(f"{sandbox}/alipay-merchant/v1/keys"))
        cls.key = keys["partners"]["domestic"]["application"]
        cls.until("the acquirer's registration", lambda: get_json(f"{sandbox}/acquirer/v1/state")["registered"])

    @staticmethod
    def until(what, ask):
        for _ in range(120):
            try:
                if value := ask():
                    return value
            except OSError:
                pass
            time.sleep(0.5)
        raise RuntimeError(f"{what} never came")

    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory(prefix="billfold-leaf-"))
        self.line = Line(self.billfold.sandbox)
        self.addCleanup(self.line.stop)

    def phone(self, link=None, **more):
        """The app's start, on the files that an earlier run left."""
        phone = ExamplePhone(
            self.program, self.folder, PLIST, *([link] if link else []),
            **{"LeafShop": self.line.url, "LeafGateway": self.billfold.public, "LeafAlipayKey": self.key, **more})
        self.addCleanup(phone.end)
        return phone

    def buys(self, phone, offer, way):
        phone.tap(offer)
        if way == "sheet":
            phone.until("Alipay+")
        phone.tap("Pay with Alipay" if way == "alipay" else "Pay with Alipay+")
        return phone.hears(way)

    def order(self, way):
        """The only order of this app, in the shop's own books, which nobody changed on the line."""
        place = "alipay-merchant" if way == "alipay" else "acquirer"
        number = next(path.split("/")[4] for path in reversed(self.line.asked) if re.match(rf"/{place}/v1/orders/\w+/", path))
        return get_json(f"{self.billfold.sandbox}/{place}/v1/orders/{number}")

    def kept(self):
        """The orders that the app still asks about."""
        file = pathlib.Path(self.folder) / "orders.json"
        return file.read_text() if file.exists() else "[]"

    def ends(self, phone, way, text, state, open_orders=0):
        print(f"{self._testMethodName[5:]}: {phone.until(text)}", flush=True)
        self.assertEqual(self.order(way)["state"], state)
        self.assertEqual(self.kept().count('"number"'), open_orders, self.kept())
        self.assertEqual(phone.does("faults"), "", "a mistake of the app's on the phone")

    # The Alipay app

    def test_alipay_paid(self):
        phone = self.phone()
        link = self.buys(phone, TEA, "alipay")
        phone.does("open", self.customer.pays(*self.customer.opens_alipay(link)))
        self.ends(phone, "alipay", PAID, "paid")

    def test_alipay_paid_in_the_web_cashier(self):
        phone = self.phone(WithoutAlipay="1")
        phone.tap(CUP)
        phone.tap("Pay with Alipay")
        browser, session = self.customer.opens_cashier(phone.hears("cashier"))
        back = self.customer.pays(browser, session)
        self.assertTrue(back.startswith("leafmerchant://safepay/"))
        self.assertEqual(phone.does("cashier", urllib.parse.unquote(back.partition("?")[2])), "closed")
        self.ends(phone, "alipay", PAID, "paid")

    def test_alipay_cancelled_and_then_paid(self):
        phone = self.phone()
        link = self.buys(phone, TEA, "alipay")
        phone.does("open", self.customer.leaves(*self.customer.opens_alipay(link)))
        self.ends(phone, "alipay", CANCELLED, "unpaid")
        phone.tap("Pay with Alipay")
        again = phone.hears("alipay")
        self.assertEqual(again, link, "the same order, which is paid once")
        phone.does("open", self.customer.pays(*self.customer.opens_alipay(again)))
        self.ends(phone, "alipay", PAID, "paid")

    def test_alipay_refused(self):
        # The shop signs wrongly: the wallet does not take the order, and says so.
        self.line.changed["/v1/orders"] = lambda body: json.dumps({**json.loads(body), "faults": ["order-corrupt"]}).encode()
        phone = self.phone()
        link = self.buys(phone, TEA, "alipay")
        self.line.changed.clear()
        status, _, text = Browser(self.billfold.public).ask("GET", f"/wallet/pay?{link.partition('?')[2]}")
        self.assertEqual(status, 422)
        self.assertIn("ALI40247", text)
        phone.does("open", next(link for link, is_back in Page(text).links if is_back))
        self.ends(phone, "alipay", FAILED, "unpaid")

    def test_alipay_unknown_until_it_is_asked_again(self):
        phone = self.phone()
        link = self.buys(phone, TEA, "alipay")
        self.line.lost.add("/state")
        phone.does("open", self.customer.pays(*self.customer.opens_alipay(link)))
        self.ends(phone, "alipay", OPEN, "paid", open_orders=1)
        self.line.lost.clear()
        phone.tap("Ask again")
        self.ends(phone, "alipay", PAID, "paid")

    def test_alipay_without_the_way_back(self):
        phone = self.phone()
        link = self.buys(phone, TEA, "alipay")
        self.customer.pays(*self.customer.opens_alipay(link))
        phone.does("front")
        self.ends(phone, "alipay", PAID, "paid")

    def test_alipay_with_a_killed_app(self):
        for by_link in (False, True):
            with self.subTest(by_link=by_link):
                phone = self.phone()
                link = self.buys(phone, TEA, "alipay")
                phone.kill()
                back = self.customer.pays(*self.customer.opens_alipay(link))
                self.ends(self.phone(back if by_link else None), "alipay", f"Longjing, spring picking: {PAID}", "paid")

    def test_alipay_unknown_over_a_killed_app(self):
        phone = self.phone()
        link = self.buys(phone, TEA, "alipay")
        phone.kill()
        self.line.lost.add("/state")
        self.customer.pays(*self.customer.opens_alipay(link))
        phone = self.phone()
        self.ends(phone, "alipay", OPEN, "paid", open_orders=1)
        phone.kill()
        self.line.lost.clear()
        self.ends(self.phone(), "alipay", PAID, "paid")

    # The payment sheet

    def test_sheet_paid(self):
        phone = self.phone()
        self.customer.chooses(phone, self.buys(phone, BOX, "sheet"), "GCASH")
        back = self.customer.confirms(phone.hears("wallet"))
        self.assertIn("/plus-shop/return?order=", back)
        phone.does("open", back)
        self.ends(phone, "sheet", PAID, "paid")

    def test_sheet_in_the_customers_language(self):
        phone = self.phone(LeafLanguage="zh-Hant-HK")
        sheet = self.buys(phone, BOX, "sheet")
        self.assertIn("language=zh_HK", sheet)
        self.customer.chooses(phone, sheet, "GCASH")
        phone.does("open", self.customer.confirms(phone.hears("wallet")))
        self.ends(phone, "sheet", "付款成功。", "paid")

    def test_sheet_cancelled_and_then_paid(self):
        phone = self.phone()
        self.buys(phone, BOX, "sheet")
        phone.does("sheet", '{"event":"show"}')
        phone.does("sheet", '{"event":"cancel"}')
        self.ends(phone, "sheet", CANCELLED, "cancelled")
        phone.tap("Pay with Alipay+")
        self.customer.chooses(phone, phone.hears("sheet"), "GCASH")
        phone.does("open", self.customer.confirms(phone.hears("wallet")))
        self.ends(phone, "sheet", PAID, "paid")

    def test_sheet_refused(self):
        phone = self.phone()
        self.customer.chooses(phone, self.buys(phone, BOX, "sheet"), "GCASH")
        self.customer.declines(phone.hears("wallet"))
        phone.does("front")
        self.ends(phone, "sheet", FAILED, "failed")

    def test_sheet_unknown_until_it_is_asked_again(self):
        phone = self.phone()
        self.customer.chooses(phone, self.buys(phone, NIGHT_TEA, "sheet"), "GCASH")
        self.line.lost.add("/state")
        phone.does("open", self.customer.confirms(phone.hears("wallet")))
        self.ends(phone, "sheet", OPEN, "paid", open_orders=1)
        self.line.lost.clear()
        phone.tap("Ask again")
        self.ends(phone, "sheet", PAID, "paid")

    def test_sheet_without_the_way_back(self):
        phone = self.phone()
        self.customer.chooses(phone, self.buys(phone, BOX, "sheet"), "GCASH")
        self.customer.confirms(phone.hears("wallet"))
        phone.does("front")
        self.ends(phone, "sheet", PAID, "paid")

    def test_sheet_with_a_killed_app(self):
        phone = self.phone()
        self.customer.chooses(phone, self.buys(phone, BOX, "sheet"), "GCASH")
        link = phone.hears("wallet")
        phone.kill()
        self.customer.confirms(link)
        self.ends(self.phone(), "sheet", f"Kaya gift box: {PAID}", "paid")

    def test_sheet_is_not_offered_where_it_is_not_published(self):
        phone = self.phone(LeafGateway=self.line.url)
        self.line.origin = "http://127.0.0.1:9"
        phone.tap(BOX)
        self.assertIn("Alipay+", phone.until("cannot be reached"))


class LeafMerchantModeTests(unittest.TestCase):
    def test_it_compiles_in_the_other_mode_too(self):
        for mode in MODES:
            if mode != DRIVEN_MODE:
                with self.subTest(mode=mode), workshop(Example("LeafMerchant"), mode, Built()) as made:
                    made.build()


if __name__ == "__main__":
    unittest.main()
