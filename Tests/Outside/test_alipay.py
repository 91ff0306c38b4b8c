"""Pays express orders in a real Chromium: the shop's app on a phone, the wallet's app and the web cashier, and the merchant's desk.

`--pictures FOLDER` keeps the pictures that the documentation shows.
"""
import html
import http.server
import json
import re
import threading
import urllib.error
import urllib.request

from playwright.sync_api import expect

from alipay_wallet import MEI, WEI, result_of
from browser import DESKTOP, PHONE, BrowserTests, main
from parties import Billfold, put
from proxies import Breakable


class Elsewhere:
    """Another origin's pages. It is the same site to a browser, so that cookies go along: what refuses is the server's own check."""

    def __init__(self):
        self.pages = {}
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = outer.pages.get(self.path, "").encode()
                self.send_response(200 if body else 404)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def serve(self, path, body):
        self.pages[path] = f"<!doctype html><title>Elsewhere</title>{body}"
        return self.origin + path

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class ExpressTests(BrowserTests):
    """A shop, a wallet and a gateway in one process, and what people do there."""

    @classmethod
    def parties(cls):
        return Billfold()

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.billfold = cls.parties()
        cls.billfold.start()

    @classmethod
    def tearDownClass(cls):
        cls.billfold.stop()
        super().tearDownClass()

    def shop(self, page, model="with-wallet"):
        page.goto(f"{self.billfold.sandbox}/alipay-shop/")
        page.get_by_role("button", name="Pay for Longjing").wait_for()
        if model != "with-wallet":
            with page.expect_response("**/alipay-shop/phones"):
                page.select_option("[data-express-model]", model)
            page.get_by_role("button", name="Pay for Longjing").wait_for()
        return page

    def buy(self, page, name="Longjing", generation="modern", fault=""):
        page.select_option("[data-express-generation]", generation)
        page.select_option("[data-express-fault]", fault)
        page.get_by_role("button", name=f"Pay for {name}").click()

    def through_wallet(self, page, link="Open the wallet", customer=MEI):
        """From the shop's app through order, log-in, means and password to the result."""
        page.get_by_role("link", name=link).click()
        page.get_by_role("heading", level=1).wait_for()
        self.hold(page)
        page.locator("main a.button-main").click()
        page.locator("input[name=name]").wait_for()
        self.hold(page)
        page.locator("input[name=name]").fill(customer[0])
        page.locator("input[name=password]").fill(customer[1])
        page.locator("form[action$='/login'] button[type=submit]").click()
        page.locator("input[name=means]").wait_for()
        self.hold(page)
        page.locator("form[action$='/means'] button[type=submit]").click()
        page.locator("input[name=password]").wait_for()
        self.hold(page)
        page.locator("input[name=password]").fill(customer[2])
        page.locator("form[action$='/password'] button[type=submit]").click()
        page.locator("[data-outcome='9000']").wait_for()
        self.hold(page)

    def back(self, page, outcome="paid"):
        page.locator("[data-way-back]").click()
        expect(page.locator(f"[data-outcome={outcome}]")).to_be_visible()
        self.hold(page)

    def until_password(self, page, customer=MEI):
        """A customer who is logged in and looks at the password page."""
        self.buy(page)
        page.get_by_role("link", name="Open the wallet").click()
        page.locator("main a.button-main").click()
        page.locator("input[name=name]").fill(customer[0])
        page.locator("input[name=password]").fill(customer[1])
        page.locator("form[action$='/login'] button[type=submit]").click()
        page.locator("form[action$='/means'] button[type=submit]").click()
        page.locator("input[name=password]").wait_for()
        return re.search("/cashier/[0-9a-f]{64}", page.url).group()

    def paid_and_refunded(self, fault="", name="Longjing"):
        """An order that was paid and given back in part. Returns the merchant's number."""
        page = self.shop(self.page(PHONE))
        self.buy(page, name, fault=fault)
        self.through_wallet(page)
        self.back(page)
        page.get_by_role("link", name="See it as the merchant does").click()
        page.get_by_label(re.compile("Give back")).fill("28.00")
        page.get_by_role("button", name="Refund").click()
        expect(page.get_by_role("region", name="Refunds")).to_contain_text("28.00 CNY")
        return page.locator("[data-order]").inner_text()

    def gateway(self, size=DESKTOP, scheme="light", path="/gateway"):
        page = self.page(size, scheme)
        page.goto(self.billfold.console + path)
        page.get_by_role("heading", level=1).wait_for()
        return page


class AlipayTests(ExpressTests):
    def test_app_switch_on_a_phone_in_the_dark(self):
        page = self.shop(self.page(PHONE, "dark"))
        self.hold(page)
        self.picture(page, "express-shop")
        self.buy(page)
        page.get_by_role("link", name="Open the wallet").wait_for()
        self.hold(page)
        self.through_wallet(page)
        self.picture(page, "express-result")
        self.back(page)

    def test_cashier_on_a_desk_in_the_light(self):
        page = self.shop(self.page(DESKTOP), "without-wallet")
        self.hold(page)
        self.buy(page, generation="legacy")
        self.through_wallet(page, "Open the web cashier")
        self.back(page)
        page.get_by_role("link", name="See it as the merchant does").click()
        expect(page.locator("[data-state]")).to_have_text("paid")
        self.hold(page)
        page.get_by_label(re.compile("Give back")).fill("28.00")
        page.get_by_role("button", name="Refund").click()
        expect(page.get_by_role("region", name="Refunds")).to_contain_text("28.00 CNY")
        self.hold(page)
        page.get_by_label(re.compile("Give back")).fill("200.00")
        page.get_by_role("button", name="Refund").click()
        expect(page.get_by_role("alert")).to_contain_text("more would go back")
        self.problems.clear()  # The refusal's status is shown by the browser as an error.
        self.hold(page)

    def test_a_refund_is_confirmed_with_the_merchants_password(self):
        page = self.shop(self.page(PHONE), "without-wallet")
        self.buy(page, generation="legacy")
        self.through_wallet(page, "Open the web cashier")
        self.back(page)
        page.get_by_role("link", name="See it as the merchant does").click()
        page.get_by_label(re.compile("Give back")).fill("28.00")
        page.get_by_label(re.compile("Confirm it with the merchant’s password")).check()
        page.get_by_role("button", name="Refund").click()
        expect(page.get_by_role("region", name="Refunds")).to_contain_text("under way")
        self.hold(page)
        desk = page.url
        page.get_by_role("link", name="Confirm it at the gateway").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Confirm the refunds")
        self.assertTrue(page.url.startswith(f"{self.billfold.public}/gateway.do?"), page.url)
        self.hold(page)
        self.picture(page, "refund-password", full=True)
        signed = page.url
        page.get_by_label("Refund password of the merchant").fill("two-leaves-give")
        page.keyboard.press("Enter")
        expect(page.get_by_role("alert")).to_contain_text("Nothing was given back")
        self.problems.clear()  # The refusal's status is shown by the browser as an error.
        self.hold(page)
        page.get_by_label("Refund password of the merchant").fill("two-leaves-give-back")
        page.get_by_role("button", name="Give back 28.00 CNY").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("The refunds are confirmed")
        self.hold(page)
        page.goto(desk)
        while "done" not in page.get_by_role("region", name="Refunds").inner_text():
            page.wait_for_timeout(200)
            page.reload()
        # The same address tells what became of it, and asks for nothing any more.
        for size, scheme in ((PHONE, "dark"), (DESKTOP, "light")):
            later = self.page(size, scheme)
            later.goto(signed)
            expect(later.get_by_role("heading", level=1)).to_have_text("The refunds are confirmed")
            expect(later.get_by_role("region", name="Refunds")).to_contain_text("done")
            self.assertEqual(later.locator("input").count(), 0)
            self.hold(later)
            self.picture(later, f"refund-confirmed-{size['width']}", full=True)
        later.goto(signed.replace("28.00", "29.00"))
        expect(later.get_by_role("alert")).to_contain_text("ILLEGAL_SIGN")
        self.problems.clear()
        self.hold(later)
        self.picture(later, "refund-refused", full=True)

    def test_a_merchant_is_paid_out_no_more_than_it_has(self):
        number = self.paid_and_refunded()
        for amount, outcome in (("1.00", "paid out 1.00 CNY"), ("1000000.00", "balance-too-small")):
            page = self.gateway()
            page.get_by_role("link", name=number).click()
            page.get_by_label("Amount in CNY").fill(amount)
            page.get_by_label("Why it is paid out").fill("end of the day")
            page.get_by_role("button", name="Ask to pay it out").click()
            page.get_by_role("button", name="Approve").first.click()
            expect(page.get_by_text(outcome).first).to_be_visible()
            self.problems.clear()  # A refusal's status is shown by the browser as an error.
            self.hold(page)

    def test_cross_border_and_the_story(self):
        page = self.shop(self.page(PHONE))
        self.buy(page, "Tea tasting", generation="legacy")
        self.through_wallet(page)
        self.back(page)
        page.get_by_role("link", name="Read every message of this order").click()
        page.get_by_role("heading", level=1).wait_for()
        expect(page.get_by_text("make an order").first).to_be_visible()
        self.hold(page)

    def test_what_goes_wrong_ends_right(self):
        for fault in ("processing-first", "unknown-result", "lost-return", "notification-lost", "notification-doubled"):
            with self.subTest(fault):
                page = self.shop(self.page(PHONE))
                self.buy(page, fault=fault)
                self.through_wallet(page)
                self.back(page)

    def test_killed_app(self):
        page = self.shop(self.page(PHONE))
        self.buy(page, fault="killed-app")
        page.get_by_role("heading", name="The system has ended the shop’s app").wait_for()
        self.hold(page)
        self.through_wallet(page, "Go on in the wallet")
        self.back(page)

    def test_closed_cashier_is_cancelled(self):
        page = self.shop(self.page(PHONE), "without-wallet")
        self.buy(page)
        page.get_by_role("button", name="Close the cashier").click()
        expect(page.locator("[data-outcome=cancelled]")).to_be_visible()
        self.hold(page)

    def test_damaged_signature_is_refused(self):
        page = self.shop(self.page(PHONE))
        self.buy(page, fault="order-corrupt")
        page.get_by_role("link", name="Open the wallet").click()
        expect(page.locator("main")).to_contain_text("ALI40247")
        self.problems.clear()
        self.hold(page)

    def test_too_little_money(self):
        page = self.shop(self.page(PHONE))
        self.buy(page, "Celadon cup")
        page.get_by_role("link", name="Open the wallet").click()
        page.locator("main a.button-main").click()
        page.locator("input[name=name]").fill(WEI[0])
        page.locator("input[name=password]").fill(WEI[1])
        page.locator("form[action$='/login'] button[type=submit]").click()
        page.locator("input[name=means]").wait_for()
        expect(page.locator("form[action$='/means'] button[type=submit]")).to_have_count(0)
        self.hold(page)

    def test_a_page_elsewhere_pays_nothing_in_a_customers_browser(self):
        """The customer's cookie and the form's own secret go along, and yet it is refused: the page is another's."""
        elsewhere = Elsewhere()
        self.addCleanup(elsewhere.stop)
        page = self.shop(self.page(PHONE))
        session = self.until_password(page)
        fields = page.locator("form[action$='/password']").evaluate("form => Object.fromEntries(new FormData(form))")
        self.assertIn("csrf", fields)
        inputs = "".join(
            f'<input name="{html.escape(name)}" value="{html.escape(value)}">' for name, value in {**fields, "password": MEI[2]}.items())
        other = page.context.new_page()
        for step in ("password", "means", "cancel"):
            address = elsewhere.serve(
                f"/{step}", f'<form method="post" action="{self.billfold.public}{session}/{step}">{inputs}</form>'
                "<script>document.forms[0].submit()</script>")
            with other.expect_response(f"**{session}/{step}") as answer:
                other.goto(address)
            self.assertEqual(answer.value.status, 403, step)
            self.assertEqual(result_of(self.billfold.public, session)["resultStatus"], "6001", step)
        # The same values from the wallet's own page pay: it was the page that was refused.
        page.locator("input[name=password]").fill(MEI[2])
        page.locator("form[action$='/password'] button[type=submit]").click()
        page.locator("[data-outcome='9000']").wait_for()

    def test_no_page_frames_the_cashier(self):
        elsewhere = Elsewhere()
        self.addCleanup(elsewhere.stop)
        page = self.shop(self.page(PHONE))
        session = self.until_password(page)
        other = page.context.new_page()
        refusals = []
        other.on("console", lambda entry: refusals.append(entry.text))
        other.goto(elsewhere.serve("/frame", f'<iframe src="{self.billfold.public}{session}/password"></iframe>'))
        other.wait_for_timeout(500)
        self.assertTrue(any("frame-ancestors" in each for each in refusals), refusals)
        self.assertEqual(other.frames[1].locator("input").count(), 0)

    def test_the_gateways_pages_on_every_screen(self):
        number = self.paid_and_refunded()
        self.paid_and_refunded("notification-lost")
        trade = self.gateway().get_by_role("link", name=number).get_attribute("href")
        for size, scheme in ((PHONE, "light"), (PHONE, "dark"), (DESKTOP, "light"), (DESKTOP, "dark")):
            for path, picture in (("/gateway", "gateway"), (trade, "gateway-trade"), ("/gateway/books", "gateway-books"),
                                  ("/gateway?number=NONE", "gateway-none"), ("/gateway/books?day=2020-01-01", "gateway-books-none")):
                with self.subTest(f"{path} {size['width']} {scheme}"):
                    page = self.gateway(size, scheme, path)
                    self.hold(page)
                    self.picture(page, f"{picture}-{size['width']}-{scheme}", full=True)

    def test_trades_are_found_by_keyboard(self):
        number = self.paid_and_refunded()
        page = self.gateway()
        page.get_by_label("Order or trade number").focus()
        page.keyboard.type(number)
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Trades found")).to_be_visible()
        expect(page.get_by_role("region", name="Trades").get_by_role("row")).to_have_count(2)
        page.get_by_role("link", name=number).focus()
        page.keyboard.press("Enter")
        expect(page.get_by_text("28.00 CNY").first).to_be_visible()
        expect(page.get_by_text("alipay.trade.refund")).to_be_visible()
        page.get_by_role("link", name="Its messages as a sequence diagram").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_text("trade paid").first).to_be_visible()
        self.hold(page)

    def test_a_notification_is_sent_again_and_its_result_is_shown(self):
        number = self.paid_and_refunded()
        page = self.gateway()
        page.get_by_role("link", name=number).click()
        item = page.locator("[data-notification]").first
        expect(item.locator("[data-attempt]")).to_have_count(1)
        item.get_by_label("Why it is sent again").fill("the shop lost its books")
        item.get_by_role("button", name="Send it again").focus()
        page.keyboard.press("Enter")
        expect(item.locator("[data-attempt]")).to_have_count(2)
        expect(item.get_by_role("status")).to_have_text("It was sent again and answered with success.")
        self.hold(page)
        # Without a reason nothing is sent.
        item.get_by_role("button", name="Send it again").click()
        page.wait_for_timeout(300)
        expect(item.locator("[data-attempt]")).to_have_count(2)

    def test_what_a_notification_was_answered_is_shown_with_every_attempt(self):
        number = self.paid_and_refunded("notification-lost")
        page = self.gateway()
        page.get_by_role("link", name=number).click()
        item = page.locator("[data-notification]").first
        expect(item.locator("[data-reason]").first).to_have_text("refused")
        expect(item.locator("[data-attempt]").first).to_contain_text(" ms")
        expect(item.locator("[data-next]")).to_contain_text("Sent next at")
        expect(item.get_by_role("button")).to_have_count(0)

    def test_the_books_of_gateway_and_wallet_agree(self):
        self.paid_and_refunded()
        page = self.gateway(path="/gateway/books")
        expect(page.locator("[data-agreed]")).to_contain_text("both sides have the same")
        rows = page.get_by_role("region", name="Sums").get_by_role("row")
        ours, theirs = ([cell.inner_text() for cell in rows.nth(place).get_by_role("cell").all()] for place in (1, 2))
        self.assertEqual(ours, theirs)
        page.get_by_role("link", name="the same as JSON").click()
        self.assertEqual(json.loads(page.locator("body").inner_text())["differences"], 0)

    def test_a_replay_from_elsewhere_is_refused(self):
        number = self.paid_and_refunded()
        page = self.gateway()
        page.get_by_role("link", name=number).click()
        path = page.locator("[data-replay]").first.get_attribute("data-replay")
        request = urllib.request.Request(
            self.billfold.console + path, b'{"remark":"x"}', {"Content-Type": "application/json", "Origin": "http://elsewhere.example"})
        with self.assertRaises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request, timeout=60)
        self.assertEqual(refused.exception.code, 403)
        page.reload()
        expect(page.locator("[data-notification]").first.locator("[data-attempt]")).to_have_count(1)

    def test_framing_and_posts_from_elsewhere_are_refused(self):
        def ask(url, body=None, **headers):
            request = urllib.request.Request(url, data=body, headers=headers, method="POST" if body is not None else "GET")
            try:
                with urllib.request.urlopen(request, timeout=60) as answer:
                    return answer.status, answer.headers
            except urllib.error.HTTPError as refused:
                return refused.code, refused.headers

        for url in (f"{self.billfold.sandbox}/alipay-shop/", f"{self.billfold.sandbox}/alipay-shop/orders",
                    f"{self.billfold.public}/wallet/login"):
            status, headers = ask(url)
            self.assertEqual(status, 200, url)
            self.assertIn("frame-ancestors 'none'", headers["Content-Security-Policy"], url)
        elsewhere = {"Origin": "http://elsewhere.example"}
        self.assertEqual(
            ask(f"{self.billfold.sandbox}/alipay-shop/phones", b'{"model":"with-wallet"}', **{"Content-Type": "application/json"}, **elsewhere)[0], 403)
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        self.assertEqual(ask(f"{self.billfold.sandbox}/alipay-shop/orders/TL1/refund", b"amount=1.00", **form, **elsewhere)[0], 403)
        status, _ = ask(f"{self.billfold.public}/wallet/login", b"name=mei%40example.test&password=two-leaves-tea", **form, **elsewhere)
        self.assertIn(status, (400, 403))


class AlipayOperatorTests(ExpressTests):
    """What people do where gateway and wallet cannot reach each other."""

    @classmethod
    def parties(cls):
        billfold = Billfold()
        port = int(billfold.public.rsplit(":", 1)[1])
        cls.wallet_line, cls.gateway_line = Breakable(port), Breakable(port)
        billfold.command += ["--wallet-url", cls.wallet_line.address, "--alipay-gateway-url", cls.gateway_line.address]
        return billfold

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        cls.wallet_line.close()
        cls.gateway_line.close()

    def tearDown(self):
        self.wallet_line.mend()
        self.gateway_line.mend()

    def later(self, seconds):
        put(f"{self.billfold.sandbox}/clock", {"advanceSeconds": seconds})

    def on_every_screen(self, path, name):
        for size, scheme in ((PHONE, "light"), (PHONE, "dark"), (DESKTOP, "light"), (DESKTOP, "dark")):
            page = self.gateway(size, scheme, path)
            self.hold(page)
            self.picture(page, f"{name}-{size['width']}-{scheme}", full=True)

    def test_a_refund_that_the_wallet_does_not_credit_is_sent_again(self):
        page = self.shop(self.page(PHONE))
        self.buy(page)
        self.through_wallet(page)
        self.back(page)
        page.get_by_role("link", name="See it as the merchant does").click()
        self.wallet_line.cut()
        page.get_by_label(re.compile("Give back")).fill("28.00")
        page.get_by_role("button", name="Refund").click()
        expect(page.get_by_role("region", name="Refunds")).to_contain_text("28.00 CNY")

        page = self.gateway()
        item = page.locator("[data-owed]")

        def told():
            page.reload()
            return int(item.get_attribute("data-attempts"))

        def quiet():
            """The breaker lets the next attempt through, and none is made by itself meanwhile."""
            while True:
                seen = told()
                self.later(31)
                page.wait_for_timeout(600)
                if told() == seen:
                    return seen

        # The waits between attempts grow, so that it is hardly sent again by itself while this test looks.
        while told() < 10:
            self.later(300)
            page.wait_for_timeout(300)
        expect(item).to_contain_text("28.00 CNY")
        expect(item.locator("[data-note]")).to_contain_text("connection-lost")
        self.on_every_screen("/gateway", "gateway-owed")

        before = quiet()
        item.get_by_label("Why it is sent again").fill("the wallet says that it is back")
        item.get_by_role("button", name="Send it again").focus()
        page.keyboard.press("Enter")
        expect(item.get_by_role("status")).to_contain_text("has not credited it: ")
        self.assertEqual(told(), before + 1)

        quiet()
        item.get_by_label("Why it is sent again").fill("now it is")
        self.wallet_line.mend()
        item.get_by_role("button", name="Send it again").click()
        expect(item.get_by_role("status")).to_have_text("The wallet has credited it.")
        self.hold(page)
        page.reload()
        expect(page.locator("[data-none-owed]")).to_be_visible()
        page.goto(f"{self.billfold.console}/gateway/books")
        expect(page.locator("[data-agreed]")).to_contain_text("both sides have the same")

    def test_a_payment_that_the_gateway_does_not_judge_is_settled_by_people(self):
        page = self.shop(self.page(PHONE))
        session = self.until_password(page)
        self.gateway_line.cut()
        page.locator("input[name=password]").fill(MEI[2])
        page.locator("form[action$='/password'] button[type=submit]").click()
        page.locator("[data-outcome='8000']").wait_for()
        self.problems.clear()
        alarms = self.gateway(path="/alarms")
        expect(alarms.get_by_text("every payment is settled, or the gateway is still being asked")).to_be_visible()
        self.later(901)
        self.on_every_screen("/alarms", "wallet-alarms")

        alarms.reload()
        item = alarms.locator("[data-wallet-payment]")
        expect(item).to_contain_text("Not judged by the gateway")
        item.get_by_label("What the gateway’s operators have").select_option("released")
        item.get_by_label("Who said so").fill("Ada of the gateway, by telephone")
        item.get_by_role("button", name="Ask to settle it").focus()
        alarms.keyboard.press("Enter")
        alarms.get_by_role("button", name="Approve").click()
        expect(alarms.get_by_text("released", exact=True)).to_be_visible()
        self.hold(alarms)
        alarms.goto(f"{self.billfold.console}/alarms")
        expect(alarms.locator("[data-wallet-payment]")).to_have_count(0)
        self.assertEqual(result_of(self.billfold.public, session)["resultStatus"], "4000")


if __name__ == "__main__":
    main()
