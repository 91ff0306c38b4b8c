"""Pays through the payment sheet in a real Chromium: eight languages, phone and desk, by keyboard alone, twice at once, and too late.

`--pictures FOLDER` keeps the pictures that the documentation shows.
"""
import re
import statistics
import urllib.error
import urllib.parse
import urllib.request

from playwright.sync_api import expect

from alipay_plus import Network
from browser import DESKTOP, PHONE, BrowserTests, main
from parties import Billfold, get_json, put

# A page's language, and what it says for "Pay now" and of a finished payment.
LANGUAGES = {
    "en_US": ("en-US", "Pay now", "Paid"), "zh_CN": ("zh-Hans", "立即付款", "已付款"), "zh_HK": ("zh-Hant-HK", "立即付款", "已付款"),
    "ko_KR": ("ko-KR", "지금 결제", "결제 완료"), "fil_PH": ("fil-PH", "Magbayad ngayon", "Bayad na"),
    "ms_MY": ("ms-MY", "Bayar sekarang", "Telah dibayar"), "id_ID": ("id-ID", "Bayar sekarang", "Sudah dibayar"),
    "th_TH": ("th-TH", "ชำระเงินเลย", "ชำระเงินแล้ว")}
# The gateway, and of the sandbox what moves the clock.
ROLES = "alipay-plus,console,shop"
SCRIPT_LIMIT = 10 * 1024
# The moment of the first contentful paint, as soon as there is one. The pages' own policy keeps any script from being made of text, so it
# is not asked for again and again by Playwright.
PAINTED = """() => new Promise((done) => new PerformanceObserver((list) => {
    const paint = list.getEntriesByName("first-contentful-paint")[0];
    if (paint) done(paint.startTime);
}).observe({type: "paint", buffered: true}))"""
BRIDGE = """
window.heard = [];
window.webkit = {messageHandlers: {alipayPlusSheet: {postMessage: text => window.heard.push(JSON.parse(text))}}};
"""


class SheetTests(BrowserTests):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.billfold = Billfold("--roles", ROLES)
        cls.addClassCleanup(cls.billfold.stop)
        cls.billfold.start()
        cls.network = Network(cls.billfold)
        cls.addClassCleanup(cls.network.stop)

    def sheet(self, page, query="", **more):
        request, address = self.network.begin(**more)
        page.goto(address + query)
        page.get_by_role("heading", level=1).wait_for()
        return request, address

    def brands(self, page):
        return page.eval_on_selector_all("input[name=wallet]", "each => each.map(one => one.value)")

    def title(self, page, text):
        expect(page.get_by_role("heading", level=1)).to_have_text(text)

    def collect(self, address, wallet="TEST_PH"):
        self.network.confirm(wallet, self.network.scan(address, wallet))

    def test_every_language_on_phone_and_desk(self):
        for number, (language, (tag, pay, paid)) in enumerate(LANGUAGES.items()):
            scheme = ("light", "dark")[number % 2]
            for size in (PHONE, DESKTOP):
                with self.subTest(language=language, width=size["width"], scheme=scheme):
                    page = self.page(size, scheme)
                    _, address = self.sheet(page, f"?language={language}")
                    self.assertEqual(page.locator("html").get_attribute("lang"), tag)
                    expect(page.get_by_role("button", name=pay, exact=True)).to_be_visible()
                    self.assertEqual(len(self.brands(page)), 4)
                    self.hold(page)
                    self.picture(page, f"sheet-{language}-{'phone' if size == PHONE else 'desk'}")
                    page.goto(f"{address}?language={language}&wallet=TEST_PH")
                    self.assertEqual(page.locator("main").get_attribute("data-view"), "waiting")
                    self.hold(page)
                    self.collect(address)
                    self.title(page, paid)
                    self.hold(page)
                    page.context.close()

    def test_every_ending_is_told_and_reads(self):
        page = self.page(PHONE, "dark")
        _, refused = self.sheet(page)
        self.network.refuse("TEST_PH", self.network.scan(refused, "TEST_PH"))
        expect(page.locator("[data-outcome=failed]")).to_be_visible()
        self.hold(page)
        request, _ = self.sheet(page)
        self.network.call("payments/cancelPayment", {"paymentRequestId": request["paymentRequestId"]})
        expect(page.locator("[data-outcome=cancelled]")).to_be_visible()
        self.hold(page)
        # Nobody there has a wallet of the one region that is allowed.
        self.sheet(page, allowedPspRegions=["ID"])
        self.title(page, "No wallet fits")
        self.hold(page)
        page.goto(f"{self.billfold.public}/sheet/{'0' * 32}")
        self.title(page, "No such payment")
        self.problems.clear()  # The status is shown by the browser as an error.
        self.hold(page)

    def test_a_tap_chooses_and_a_tap_opens_the_wallet(self):
        page = self.page(PHONE)
        request, address = self.sheet(page, "?installed=TEST_KR")
        self.assertEqual(self.brands(page)[0], "TEST_KR")
        page.get_by_role("button", name="Pay now").click()
        expect(page.get_by_role("alert")).to_have_text("Choose a wallet first.")
        self.hold(page)
        page.get_by_role("group").get_by_text("GCash", exact=True).click()
        # Two impatient taps are one.
        page.get_by_role("button", name="Pay now").dblclick(no_wait_after=True)
        page.wait_for_url(re.compile("/wallets/TEST_PH/app"))
        code = urllib.parse.parse_qs(urllib.parse.urlsplit(page.url).query)["codeValue"]
        self.assertEqual(code, [f"https://qr.alipay-plus.example/281010040001{address.rsplit('/', 1)[1]}"])
        # Back without having paid: nobody says "paid", nobody says "failed".
        page.go_back()
        self.title(page, "Waiting for GCash")
        page.reload()
        self.title(page, "Waiting for GCash")
        self.hold(page)
        self.picture(page, "sheet-waiting")
        self.collect(address)
        self.title(page, "Paid")
        self.hold(page)
        self.picture(page, "sheet-paid")
        page.get_by_role("link", name="Back to Corner Tea").click()
        page.wait_for_url(f"{self.network.origin}/return")
        self.assertEqual(self.network.until_told(request["paymentRequestId"])["paymentResult"]["resultStatus"], "S")

    def test_another_wallet_can_be_chosen_and_pays_alone(self):
        page = self.page(PHONE)
        request, address = self.sheet(page)
        first = self.network.scan(address, "TEST_PH")
        self.title(page, "Waiting for GCash")
        page.get_by_role("link", name="Choose another wallet").click()
        expect(page.get_by_text("Offer: 2 HKD off")).to_be_visible()
        page.get_by_role("group").get_by_text("AlipayHK", exact=True).click()
        self.collect(address, "TEST_HK")
        self.title(page, "Paid")
        answer = self.network.call("payments/inquiryPayment", {"paymentRequestId": request["paymentRequestId"]})
        self.assertEqual(answer["walletBrandName"], "AlipayHK")
        self.assertNotIn(first, self.network.paid)

    def test_keyboard_alone(self):
        page = self.page(PHONE)
        self.sheet(page)
        reached = []
        while "wallet" not in reached and len(reached) < 12:
            page.keyboard.press("Tab")
            reached.append(page.evaluate("document.activeElement.name || document.activeElement.className || document.activeElement.tagName"))
        self.assertEqual((reached[0], reached[-1]), ("skip", "wallet"))
        page.keyboard.press("Space")
        page.keyboard.press("ArrowDown")
        chosen = page.locator("input[name=wallet]:checked").get_attribute("value")
        self.assertEqual(chosen, self.brands(page)[1])
        self.hold(page)
        page.keyboard.press("Enter")
        page.wait_for_url(re.compile(f"/wallets/{chosen}/app"))

    def test_a_code_on_the_desk(self):
        page = self.page(DESKTOP, "dark")
        _, address = self.sheet(page, terminal="WEB")
        expect(page.get_by_role("img", name="QR code of this payment")).to_be_visible()
        self.picture(page, "sheet-desk")
        self.hold(page)
        # Somebody scans it with a phone, and the desk says so without being asked.
        self.collect(address, "TEST_MY")
        self.title(page, "Paid")
        # What is chosen here opens here.
        self.sheet(page, terminal="WEB")
        page.get_by_role("radio", name=re.compile("Kakao Pay")).check()
        page.get_by_role("button", name="Pay now").click(no_wait_after=True)
        page.wait_for_url(re.compile("/wallets/TEST_KR/page"))

    def test_without_a_script(self):
        context = self.browser.new_context(viewport=PHONE, java_script_enabled=False)
        self.addCleanup(context.close)
        page = context.new_page()
        _, address = self.network.begin()
        page.goto(address)
        page.get_by_role("group").get_by_text("GCash", exact=True).click()
        page.get_by_role("button", name="Pay now").click()
        page.get_by_role("link", name="Open GCash").click()
        page.wait_for_url(re.compile("/wallets/TEST_PH/page"))

    def test_rotation_and_reload_lose_nothing(self):
        page = self.page(PHONE)
        self.sheet(page)
        page.get_by_role("group").get_by_text("Kakao Pay", exact=True).click()
        for width, height in ((844, 390), (320, 640)):
            page.set_viewport_size({"width": width, "height": height})
            expect(page.get_by_role("radio", name=re.compile("Kakao Pay"))).to_be_checked()
            self.hold(page)
        page.reload()
        self.title(page, "Pay Corner Tea")

    def test_nobody_elsewhere_posts_or_frames(self):
        _, address = self.network.begin()
        request = urllib.request.Request(
            f"{address}/choices", b"wallet=TEST_PH", {"Origin": "https://elsewhere.example", "Content-Type": "application/x-www-form-urlencoded"})
        with self.assertRaises(urllib.error.HTTPError) as refusal:
            urllib.request.urlopen(request, timeout=60)
        with refusal.exception as answer:
            self.assertEqual(answer.code, 403)
        page = self.page(PHONE)
        page.goto(f"{self.network.origin}/elsewhere")
        page.evaluate("address => document.body.append(Object.assign(document.createElement('iframe'), {src: address}))", address)
        # The acquirer's registered origin may, in test mode.
        expect(page.frame_locator("iframe").get_by_role("heading", level=1)).to_have_text("Pay Corner Tea")
        page.goto(f"{self.billfold.sandbox}/shop")
        page.evaluate("address => document.body.append(Object.assign(document.createElement('iframe'), {src: address}))", address)
        for _ in range(100):
            if self.problems:
                break
            page.wait_for_timeout(100)
        self.assertTrue(any("frame" in each.lower() for each in self.problems), self.problems)

    def test_an_app_around_the_page_is_told(self):
        page = self.page(PHONE)
        page.add_init_script(BRIDGE)
        _, address = self.sheet(page, "?client=app&language=ko_KR&installed=TEST_KR", terminal="APP")
        self.assertEqual(page.evaluate("window.heard"), [{"event": "show"}])
        self.assertEqual(page.locator("html").get_attribute("lang"), "ko-KR")
        self.hold(page)
        page.get_by_role("group").get_by_text("Kakao Pay", exact=True).click()
        page.get_by_role("button", name="지금 결제").dblclick()
        heard = page.evaluate("window.heard")[1:]
        self.assertEqual([(each["event"], each["walletName"]) for each in heard], [("select", "TEST_KR")])
        self.assertIn("codeValue=", heard[0]["links"]["applinkUrl"])
        page.get_by_role("button", name="닫기").click()
        self.assertEqual(page.evaluate("window.heard").pop(), {"event": "cancel"})
        self.assertEqual(page.url.split("?")[0], address)

    def test_script_size_and_first_paint(self):
        page = self.page(PHONE)
        sizes = {}
        page.on("response", lambda answer: sizes.update({answer.url: len(answer.body())}) if answer.ok and answer.url.endswith(".js") else None)
        _, address = self.sheet(page)
        page.wait_for_load_state("networkidle")
        self.assertEqual(len(sizes), 1)
        self.assertLessEqual(sum(sizes.values()), SCRIPT_LIMIT)
        paints = []
        for _ in range(9):
            page.goto(address)
            paints.append(page.evaluate(PAINTED))
        print(f"sheet: script {sum(sizes.values())} bytes, first paint {statistics.median(paints):.0f} ms, median of {len(paints)}", flush=True)


class AlarmTests(BrowserTests):
    """What a wallet does wrong, and people settle in the console."""

    def test_people_settle_what_a_wallet_keeps(self):
        with Billfold("--roles", ROLES) as billfold:
            network = Network(billfold)
            self.addCleanup(network.stop)
            network.refusing = {"cancelPayment": "CANCEL_WINDOW_EXCEED", "refund": "PROCESS_FAIL"}
            kept = []
            for _ in range(2):
                request, address = network.begin()
                network.scan(address, "TEST_PH")
                second = network.scan(address, "TEST_HK")
                kept.append((request["paymentRequestId"], second))
            for size in (PHONE, DESKTOP):
                page = self.page(size)
                page.goto(f"{billfold.console}/alarms")
                expect(page.get_by_role("heading", name="The acquiring gateway")).to_be_visible()
                self.hold(page)
            alarms = page.locator("[data-alarm=leg-stuck]")
            for _ in range(100):
                page.goto(f"{billfold.console}/acquiring")
                if alarms.count() == 2:
                    break
                page.wait_for_timeout(200)
            for size, scheme in ((PHONE, "light"), (DESKTOP, "light"), (PHONE, "dark")):
                page = self.page(size, scheme)
                page.goto(f"{billfold.console}/acquiring")
                self.hold(page)
                self.picture(page, f"acquiring-alarms-{size['width']}-{scheme}")
            page.goto(f"{billfold.console}/alarms")
            page.get_by_text("2 things that no server can settle").get_by_role("link").click()
            # The wallet is asked again, and this time it gives back.
            network.refusing = {}
            alarms = page.locator("[data-alarm=leg-stuck]")
            alarms.first.get_by_label("Why again").fill("they mended it")
            alarms.first.get_by_role("button", name="Ask the wallet again").click()
            expect(alarms).to_have_count(1)
            # The other was given back by hand.
            alarms.first.get_by_label("What the wallet’s people did by hand").fill("paid back, ticket 7")
            alarms.first.get_by_role("button", name="Ask to settle it").click()
            page.wait_for_url("**/approvals")
            self.hold(page)
            page.get_by_role("button", name="Approve").click()
            expect(page.locator(".requests li").first.get_by_text("done", exact=True)).to_be_visible()
            for _ in range(50):
                page.goto(f"{billfold.console}/acquiring")
                if page.locator("[data-alarm]").count() == 0:
                    break
                page.wait_for_timeout(200)
            expect(page.get_by_text("Nothing: wallets and books agree.")).to_be_visible()
            # Both payments went on to the wallet that their payers chose.
            for request, second in kept:
                network.confirm("TEST_HK", second)
                self.assertEqual(network.until_told(request)["paymentResult"]["resultStatus"], "S")


class LateTests(BrowserTests):
    """With a clock of their own, which is moved."""

    def test_time_that_is_over(self):
        with Billfold("--roles", ROLES) as billfold:
            network = Network(billfold)
            self.addCleanup(network.stop)
            page, waiting = self.page(PHONE), self.page(PHONE, "dark")
            request, address = network.begin()
            page.goto(address)
            expect(page.get_by_role("timer")).to_have_text(re.compile("^13:[0-5][0-9]$"))
            _, asked = network.begin()
            network.scan(asked, "TEST_PH")
            waiting.goto(asked)
            expect(waiting.get_by_role("heading", level=1)).to_have_text("Waiting for GCash")
            put(f"{billfold.sandbox}/clock", {"advanceSeconds": 15 * 60})
            expect(page.locator("[data-outcome=expired]")).to_be_visible()
            self.hold(page)
            # Its wallet has confirmed that nothing was taken before anybody says so.
            expect(waiting.locator("[data-outcome=expired]")).to_be_visible()
            self.hold(waiting)
            self.assertEqual(get_json(f"{asked}/state")["view"], "expired")
            told = network.until_told(request["paymentRequestId"])
            self.assertEqual(told["paymentResult"]["resultCode"], "ORDER_IS_CLOSED")


if __name__ == "__main__":
    main()
