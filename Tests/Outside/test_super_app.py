"""The super app's pages in a real Chromium: consent and contract at the wallet, and the platform in the console."""
import re
import urllib.parse

import super_app
from browser import DESKTOP, PHONE, BrowserTests, main
from parties import Billfold

LOGIN = ("mei@example.test", "two-leaves-tea", "246810")
PAGE = f"/wallet/consent/{super_app.APP}/USER_NAME-USER_AVATAR/state1"


class SuperAppTests(BrowserTests):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.billfold = Billfold("--roles", "wallet,console")
        cls.billfold.ready = [f"{cls.billfold.public}/readyz", f"{cls.billfold.console}/readyz"]
        cls.billfold.start()
        cls.author = super_app.SuperApp(cls.billfold)
        cls.version = cls.author.publish()
        cls.author.approve("mini-program-grant", super_app.APP, {
            "reason": "contracts", "grant": {"scopes": [{"scope": "AGREEMENT_PAY", "rule": "ask"}], "scenes": ["SCAN"]}})

    @classmethod
    def tearDownClass(cls):
        cls.billfold.stop()
        super().tearDownClass()

    def log_in(self, page):
        page.get_by_label("E-mail or mobile number").fill(LOGIN[0])
        page.get_by_label("Login password", exact=True).fill(LOGIN[1])
        page.get_by_role("button", name="Log in").click()

    def way_back(self, page):
        """Where the page leads: no app of this browser takes the address, so that the page stays."""
        link = page.locator("[data-way-back]")
        link.wait_for()
        return urllib.parse.urlsplit(link.get_attribute("href"))

    def test_consent(self):
        for size, scheme, name in ((PHONE, "light", "phone"), (DESKTOP, "dark", "desktop")):
            with self.subTest(name):
                page = self.page(size, scheme)
                page.goto(self.billfold.public + PAGE)
                self.hold(page)
                self.log_in(page)
                page.get_by_role("heading", name="Outside would like to know").wait_for()
                self.assertEqual(page.locator(".wallet-scopes li").all_inner_texts(), ["Your picture", "Your name"])
                self.hold(page)
                self.picture(page, f"consent-{name}")
                page.get_by_role("button", name="Do not agree").click()
                self.assertEqual(self.way_back(page).query, "state=state1&error=1001")
                # A page whose browser asks which app shall take an address takes no more clicks.
                page = page.context.new_page()
                page.goto(self.billfold.public + PAGE)
                page.get_by_role("link", name="简体中文").click()
                page.get_by_role("heading", name="Outside 申请获取").wait_for()
                page.get_by_role("button", name="同意", exact=True).click()
                back = self.way_back(page)
                self.assertEqual(f"{back.scheme}://{back.netloc}", "billfoldwallet://consent")
                self.assertRegex(back.query, "^state=state1&referenceAgreementId=[0-9a-f]{32}$")
                # What was agreed to gives a code at once; taken back, it is asked again.
                self.assertEqual(self.scopes(), {"USER_NAME", "USER_AVATAR"})
                self.author.as_user("/v1/authorizations/revoke", {"appId": super_app.APP, "authClientId": super_app.CLIENT})

    def scopes(self):
        answer = self.author.as_user("/v1/authorizations/applyAuthCode", {
            "appId": super_app.APP, "authClientId": super_app.CLIENT, "scopes": ["USER_NAME", "USER_AVATAR"]})
        return set(answer["authSuccessScopes"])

    def test_contract(self):
        for size, name in ((PHONE, "phone"), (DESKTOP, "desktop")):
            with self.subTest(name):
                page = self.page(size)
                page.goto(f"{self.billfold.public}/wallet/contracts/{self.author.contract()}")
                self.log_in(page)
                page.get_by_role("heading", name="Automatic debit by Outside").wait_for()
                self.assertIn("Tea every week", page.locator(".wallet-terms").inner_text())
                self.hold(page)
                self.picture(page, f"contract-{name}")
                page.get_by_label("Payment password").fill("000000")
                with page.expect_response(lambda answer: answer.request.method == "POST") as answer:
                    page.get_by_role("button", name="Sign").click()
                self.assertEqual(answer.value.status, 422)
                page.get_by_role("alert").wait_for()
                # A browser tells of a status that is none of success.
                self.problems.clear()
                self.hold(page)
                page.get_by_label("Payment password").fill(LOGIN[2])
                page.get_by_role("button", name="Sign").click()
                code = urllib.parse.parse_qs(self.way_back(page).query)["authCode"][0]
                tokens = self.author.call("/v2/authorizations/applyToken", {
                    "appId": super_app.APP, "authClientId": super_app.CLIENT, "grantType": "AUTHORIZATION_CODE", "authCode": code})
                self.assertEqual(tokens["result"]["resultCode"], "SUCCESS")

    def test_platform(self):
        for size, scheme, name in ((PHONE, "dark", "phone"), (DESKTOP, "light", "desktop")):
            with self.subTest(name):
                page = self.page(size, scheme)
                page.goto(f"{self.billfold.console}/mini-programs")
                self.hold(page)
                self.picture(page, f"platform-{name}", full=True)
                page.get_by_role("link", name="Outside", exact=True).click()
                build = page.locator(f'[data-build="{self.version}"]')
                self.assertIn("Full Release", build.inner_text())
                page.locator("summary", has_text="Ask for a step").first.click()
                page.locator("summary", has_text="Ask for other permissions").click()
                self.hold(page)
                self.picture(page, f"mini-program-{name}", full=True)

    def test_a_version_is_released_by_share_from_the_console(self):
        built = self.author.call(
            f"{super_app.BASE}/author/apps/{super_app.APP}/versions", self.author.package("1.1.0"), super_app.AUTHOR, "application/zip")
        version = built["releaseVersion"]
        self.author.call(
            f"{super_app.BASE}/author/apps/{super_app.APP}/steps", {"releaseVersion": version, "step": "submit"}, super_app.AUTHOR)
        page = self.page(DESKTOP)
        self.ask(page, version, "Approve the review", {"Why": "it is sound"})
        self.ask(page, version, "Give it to a share of users", {
            "Share of users, in percent": "25", "Test group: users’ numbers, one a line": "2088000000000017\n2088000000000025",
            "Why": "a quarter first"})
        page.goto(f"{self.billfold.console}/mini-programs/{super_app.APP}")
        build = page.locator(f'[data-build="{version}"]')
        self.assertIn("Grayscale Release", build.inner_text())
        self.assertIn("25 % of all users", build.inner_text())
        self.assertIn("2088000000000017, 2088000000000025", build.inner_text())
        self.ask(page, version, "Give it up", {"Why": "the test is over"})

    def test_permissions_are_asked_for_from_the_console(self):
        page = self.page(DESKTOP)
        page.goto(f"{self.billfold.console}/mini-programs/{super_app.APP}")
        page.locator("summary", has_text="Ask for other permissions").click()
        form = page.locator('[data-ask="mini-program-grant"]')
        form.get_by_label("Scenes, one a line").fill("SCAN\nTOP_UP")
        form.get_by_label("Why").fill("top up")
        form.get_by_role("button").click()
        self.approve(page)
        page.goto(f"{self.billfold.console}/mini-programs/{super_app.APP}")
        self.assertIn("TOP_UP", page.locator("dl.facts").inner_text())
        # What was not touched stays.
        self.assertRegex(page.locator("table").inner_text(), r"AGREEMENT_PAY\s+ask\s+this program’s own")

    def ask(self, page, version, label, fields):
        page.goto(f"{self.billfold.console}/mini-programs/{super_app.APP}")
        build = page.locator(f'[data-build="{version}"]')
        build.locator("summary").click()
        form = build.locator("form", has=page.get_by_role("button", name=label, exact=True))
        for name, value in fields.items():
            form.get_by_label(name).fill(value)
        form.get_by_role("button").click()
        self.approve(page)

    def approve(self, page):
        page.wait_for_url(re.compile("/approvals$"))
        page.get_by_role("button", name="Approve").first.click()
        page.get_by_role("button", name="Approve").first.wait_for(state="detached")
        self.assertIn("done", page.locator(".requests > li").first.inner_text())


if __name__ == "__main__":
    main()
