"""Pays through the payment sheet in a real Chromium: the merchant's app on a phone with the sheet in its web view, the wallets' apps, the till
and the merchant's desk.

`--pictures FOLDER` keeps the pictures that the documentation shows.
"""
import re
import time

from playwright.sync_api import expect

from alipay_wallet import MEI
from browser import DESKTOP, PHONE, BrowserTests, main
from parties import Billfold, get_json, post

YAN = ("alipay-hk", "ALIPAY_HK", "hk-yan", "280911")
SORA = ("kakaopay", "KAKAOPAY", "kr-sora", "820415")
JUN = ("gcash", "GCASH", "ph-jun", "135790")


class PlusShopTests(BrowserTests):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.billfold = Billfold()
        cls.addClassCleanup(cls.billfold.stop)
        cls.billfold.start()
        cls.until_offered()

    @classmethod
    def until_offered(cls):
        """The parties register themselves at the gateway when it is there: until then nothing can be paid with."""
        phones = f"{cls.billfold.sandbox}/plus-shop/phones"
        for _ in range(60):
            phone = f"{phones}/{post(phones, {'model': 'with-wallets'})['session']}"
            screen = post(f"{phone}/taps", {"do": "choose", "value": "cup"})
            while not (screen.get("row") or screen.get("problem")):
                screen = get_json(f"{phone}?after={screen['revision']}", timeout=60)
            if (screen.get("row") or {}).get("enabled"):
                return
            time.sleep(0.5)
        raise RuntimeError("the shop never offered to pay with Alipay+")

    def shop(self, page, language="en_US"):
        page.goto(f"{self.billfold.sandbox}/plus-shop/")
        page.get_by_role("button", name="Buy Kaya gift box").wait_for()
        if language != "en_US":
            with page.expect_response("**/plus-shop/phones"):
                page.select_option("[data-plus-language]", language)
            page.get_by_role("button", name="Buy Kaya gift box").wait_for()
        return page

    def sheet(self, page, name="Kaya gift box"):
        """From the shop to the sheet in the app's web view."""
        page.get_by_role("button", name=f"Buy {name}").click()
        page.get_by_role("button", name="Pay with Alipay+").wait_for()
        self.hold(page)
        page.get_by_role("button", name="Pay with Alipay+").click()
        sheet = page.frame_locator("iframe.plus-sheet")
        sheet.locator("input[name=wallet]").first.wait_for()
        return sheet

    def choose(self, page, sheet, wallet):
        sheet.locator(f"input[name=wallet][value={wallet}]").check()
        sheet.locator("form[data-choices] button[type=submit]").click()
        page.get_by_role("link", name="Go on in the wallet").wait_for()

    def log_in(self, page, customer):
        page.locator("select[name=id]").select_option(customer[2])
        page.locator("input[name=pin]").fill(customer[3])
        page.get_by_role("button", name="Log in", exact=True).click()

    def confirm(self, page, customer):
        """From the shop's app through the wallet's log-in to its result."""
        page.get_by_role("link", name="Go on in the wallet").click()
        page.locator("input[name=pin]").wait_for()
        self.hold(page)
        self.log_in(page, customer)
        page.locator("[data-outcome=waiting]").wait_for()
        self.hold(page)
        page.get_by_role("button", name=re.compile("^Pay ")).click()
        page.locator("[data-outcome=paid]").wait_for()
        self.hold(page)

    def wallet(self, page, customer):
        page.goto(f"{self.billfold.sandbox}/wallets/{customer[0]}/")
        self.log_in(page, customer)
        page.locator("[data-balance]").wait_for()
        return page

    def test_sheet_on_a_phone_in_the_dark(self):
        page = self.shop(self.page(PHONE, "dark"))
        self.hold(page)
        self.picture(page, "plus-shop")
        sheet = self.sheet(page)
        self.hold(page)
        self.picture(page, "plus-sheet")
        self.choose(page, sheet, "ALIPAY_HK")
        self.confirm(page, YAN)
        self.picture(page, "mobile-wallet-result")
        page.locator("[data-way-back]").click()
        expect(page.locator("[data-outcome=paid]")).to_be_visible()
        self.hold(page)

    def test_sheet_on_a_desk_comes_back_by_itself_and_is_refunded(self):
        page = self.shop(self.page(DESKTOP))
        self.hold(page)
        sheet = self.sheet(page, "Travel cup")
        self.choose(page, sheet, "KAKAOPAY")
        self.confirm(page, SORA)
        # The result page returns of itself after six seconds.
        expect(page.locator("[data-plus-glass] [data-outcome=paid]")).to_be_visible()
        page.get_by_role("link", name="See it as the merchant does").click()
        expect(page.locator("[data-state]")).to_have_text("paid")
        self.hold(page)
        page.get_by_label(re.compile("Give back")).fill("1000")
        page.get_by_role("button", name="Refund").click()
        expect(page.get_by_role("region", name="Refunds")).to_contain_text("1000 JPY")
        self.hold(page)

    def test_the_wallet_of_express_orders_pays_as_alipay(self):
        page = self.shop(self.page(PHONE))
        sheet = self.sheet(page, "Night tea")
        self.choose(page, sheet, "ALIPAY_CN")
        page.get_by_role("link", name="Go on in the wallet").click()
        page.locator("input[name=name]").fill(MEI[0])
        page.locator("input[name=password]").fill(MEI[1])
        page.locator("form[action*='/login'] button[type=submit]").click()
        page.locator("form[action$='/confirm'] input[name=password]").wait_for()
        self.hold(page)
        self.picture(page, "plus-alipay-cn")
        page.locator("form[action$='/confirm'] input[name=password]").fill(MEI[2])
        page.get_by_role("button", name=re.compile("^Pay ")).click()
        page.locator("[data-outcome=paid]").wait_for()
        self.hold(page)
        page.locator("[data-way-back]").click()
        expect(page.locator("[data-plus-glass] [data-outcome=paid]")).to_be_visible()
        page.get_by_role("link", name="See it as the merchant does").click()
        page.get_by_label(re.compile("Give back")).fill("28.00")
        page.get_by_role("button", name="Refund").click()
        expect(page.get_by_role("region", name="Refunds")).to_contain_text("28.00 HKD")

    def test_a_closed_sheet_leads_back_to_the_checkout(self):
        page = self.shop(self.page(PHONE), "ko_KR")
        sheet = self.sheet(page)
        sheet.locator("[data-close]").click()
        page.get_by_role("button", name="Pay with Alipay+").wait_for()
        expect(page.locator("[data-plus-events]")).to_contain_text("UserDidCancel")
        self.hold(page)

    def test_too_little_money_is_said_and_nothing_taken(self):
        page = self.shop(self.page(PHONE))
        sheet = self.sheet(page, "Harbour print")
        self.choose(page, sheet, "GCASH")
        page.get_by_role("link", name="Go on in the wallet").click()
        self.log_in(page, JUN)
        page.locator("[data-outcome=waiting]").wait_for()
        page.get_by_role("button", name=re.compile("^Pay ")).click()
        expect(page.get_by_role("alert")).to_contain_text("does not reach")
        self.problems.clear()  # The refusal's status is shown by the browser as an error.
        self.hold(page)
        page.get_by_role("button", name="Do not pay").click()
        page.locator("[data-outcome=refused]").wait_for()
        self.hold(page)
        page.locator("[data-way-back]").click()
        expect(page.locator("[data-outcome=failed]")).to_be_visible()

    def test_the_till_scans_a_code_and_shows_one(self):
        wallet = self.wallet(self.page(PHONE), YAN)
        self.hold(wallet)
        self.picture(wallet, "mobile-wallet")
        wallet.get_by_role("button", name="Show my code").click()
        code = wallet.locator("[data-code]").get_attribute("data-code")
        self.hold(wallet)
        till = self.page(DESKTOP)
        till.goto(f"{self.billfold.sandbox}/plus-shop/till")
        self.hold(till)
        till.get_by_label("The code, as the scanner reads it").fill(code)
        till.get_by_role("button", name="Take the payment").click()
        expect(till.locator("[data-till-state]")).to_contain_text("paid")
        self.hold(till)
        till.get_by_role("button", name="Show a code").click()
        shown = till.locator("[data-till-code]").inner_text()
        self.hold(till)
        wallet.goto(f"{self.billfold.sandbox}/wallets/alipay-hk/")
        wallet.get_by_label(re.compile("Scan a merchant")).fill(shown)
        wallet.get_by_role("button", name="Scan", exact=True).click()
        wallet.locator("[data-outcome=waiting]").wait_for()
        wallet.get_by_role("button", name=re.compile("^Pay ")).click()
        wallet.locator("[data-outcome=paid]").wait_for()
        till.get_by_role("link", name="Look again").click()
        expect(till.locator("[data-till-state]")).to_contain_text("paid")
        till.goto(f"{self.billfold.sandbox}/plus-shop/orders")
        self.hold(till)

    def test_the_counter_asks_for_the_amount(self):
        store = self.page(DESKTOP)
        store.goto(f"{self.billfold.sandbox}/plus-shop/store")
        expect(store.get_by_role("img", name="QR code of the counter")).to_be_visible()
        self.hold(store)
        address = store.locator("[data-store-code]").inner_text()
        page = self.wallet(self.page(PHONE, "dark"), YAN)
        page.get_by_label(re.compile("Scan a merchant")).fill(address)
        page.get_by_role("button", name="Scan", exact=True).click()
        page.get_by_label("Amount in SGD").fill("7.80")
        self.hold(page)
        page.get_by_role("button", name="Next").click()
        page.get_by_role("link", name="Go on to pay").wait_for()
        self.hold(page)
        page.get_by_role("link", name="Go on to pay").click()
        page.get_by_role("group").get_by_text("AlipayHK", exact=True).click()
        page.get_by_role("button", name="Pay now").click(no_wait_after=True)
        page.locator("[data-outcome=waiting]").wait_for()
        page.get_by_role("button", name=re.compile("^Pay ")).click()
        page.locator("[data-outcome=paid]").wait_for()
        page.locator("[data-way-back]").click()
        expect(page.locator("[data-state]")).to_have_text("paid")

    def test_a_weekly_debit_from_consent_to_end(self):
        page = self.wallet(self.page(PHONE), SORA)
        page.goto(f"{self.billfold.sandbox}/plus-shop/weekly")
        self.hold(page)
        page.get_by_label("Debited from").select_option("KAKAOPAY")
        page.get_by_role("button", name="Ask for my consent").click()
        page.get_by_role("link", name="Go on in Kakao Pay").wait_for()
        self.hold(page)
        page.get_by_role("link", name="Go on in Kakao Pay").click()
        page.get_by_role("button", name="Allow").click()
        page.locator("[data-way-back]").click()
        expect(page.locator("[data-agreement=active]")).to_be_visible()
        self.hold(page)
        page.get_by_role("button", name="Debit a jar").click()
        expect(page.locator("[data-state]")).to_have_text("paid")
        self.hold(page)
        page.goto(f"{self.billfold.sandbox}/plus-shop/weekly")
        page.get_by_role("button", name="End it").click()
        expect(page.locator("[data-agreement=ended]")).to_be_visible()
        self.hold(page)

    def test_the_wallets_on_every_screen(self):
        for size, scheme in ((PHONE, "light"), (PHONE, "dark"), (DESKTOP, "light"), (DESKTOP, "dark")):
            page = self.page(size, scheme)
            page.goto(f"{self.billfold.sandbox}/wallets/")
            self.hold(page)
            self.picture(page, f"wallets-{size['width']}-{scheme}", full=True)
            page = self.wallet(page, YAN)
            self.hold(page)
            self.picture(page, f"wallet-home-{size['width']}-{scheme}", full=True)


if __name__ == "__main__":
    main()
