"""Puts cards into wallets in a real Chromium: the bank's app on a phone and a watch, and the bank's back office beside it.

`--pictures FOLDER` keeps the pictures that the documentation shows.
"""
import json
import re

from playwright.sync_api import expect

from browser import DESKTOP, PHONE, BrowserTests, main
from parties import Billfold, get_json


class BankTests(BrowserTests):
    """Each test has an installation of its own: what one puts into a wallet, no other finds there."""

    def setUp(self):
        super().setUp()
        self.billfold = Billfold()
        self.addCleanup(self.billfold.stop)
        self.billfold.start()

    # The bank's app

    def take(self, page, model="trusted", customer="Mei Lin"):
        """A phone with the bank's app and somebody logged in."""
        with page.expect_response("**/bank/phones"):
            page.goto(f"{self.billfold.sandbox}/bank")
        if model != "trusted":
            with page.expect_response("**/bank/phones"):
                page.select_option("[data-bank-model]", model)
        page.get_by_role("button", name=customer).click()
        page.get_by_role("button", name="Log out").wait_for()
        page.locator("[data-card]").first.wait_for()
        return page

    def card(self, page, name):
        return page.locator(f"[data-card={name}]")

    def begin(self, page, card, device="phone", button="Add to the wallet"):
        """From the button to the terms, which are read and agreed to."""
        self.card(page, card).get_by_role("button", name=button).click()
        page.get_by_role("button", name="Next").wait_for()
        self.hold(page)
        page.get_by_role("button", name="Next").click()
        choice = page.get_by_role("button", name=re.compile(f"{device}$", re.I))
        agree = page.get_by_role("button", name="Agree", exact=True)
        choice.or_(agree).first.wait_for()
        if choice.is_visible():
            self.hold(page)
            choice.click()
        agree.wait_for()
        self.hold(page)
        agree.click()

    def finish(self, page, heading):
        """From the sheet's last screen to what the app says of it."""
        page.get_by_role("button", name="Done").click()
        expect(page.locator("[data-outcome]").get_by_role("heading", name=heading)).to_be_visible()
        self.hold(page)

    def wallet(self, page, name="Wallet"):
        page.get_by_role("navigation", name="Apps").get_by_role("button", name=name).click()

    def verify_by_text(self, page, wrong_first=False):
        """Chooses the text message, and types what it says."""
        page.get_by_role("button", name=re.compile("^Text message")).click()
        page.get_by_label("Verification code").wait_for()
        message = page.locator("[data-bank-inbox] li[data-channel=SMS]").first
        message.wait_for()
        code = re.search(r"(?<!•)\b\d{6,8}\b", message.inner_text()).group()
        if wrong_first:
            page.get_by_label("Verification code").fill("000000" if code != "000000" else "111111")
            page.get_by_role("button", name="Confirm", exact=True).click()
            expect(page.get_by_text("The code is not correct.")).to_be_visible()
            self.hold(page)
        page.get_by_label("Verification code").fill(code)
        if self.pictures and wrong_first:
            page.locator("[data-bank]").screenshot(path=str(self.pictures / "bank.png"))
        page.get_by_role("button", name="Confirm", exact=True).click()

    # The back office

    def office(self, page, path="/provisioning"):
        desk = page.context.new_page()
        desk.on("pageerror", lambda error: self.problems.append(str(error)))
        desk.goto(self.billfold.console + path)
        return desk

    def act(self, desk, button):
        """Presses a button of the back office and waits until its page was read again, which its script does once the bank has answered."""
        with desk.expect_event("load"):
            button.click()

    def story(self, page):
        """The attempt's messages, by the link that the app shows."""
        link = page.get_by_role("link", name="Read every message of this attempt").get_attribute("href")
        story = page.context.new_page()
        story.goto(link)
        return story

    def test_the_wallet_lists_what_the_banks_extension_offers(self):
        page = self.take(self.page(PHONE))
        self.wallet(page)
        self.hold(page)
        page.get_by_role("button", name="Add a card from the bank’s app").click()
        offers = page.get_by_role("region", name="From the bank’s app")
        offers.wait_for()
        # Three cards, each to the phone and to the watch.
        expect(offers.get_by_role("listitem")).to_have_count(6)
        self.hold(page)
        self.picture(page, "bank-offers")
        offers.get_by_role("button", name=re.compile("Visa.*phone", re.S)).first.click()
        page.get_by_role("button", name="Next").click()
        page.get_by_role("button", name="Agree", exact=True).click()
        page.get_by_role("button", name="Done").click()
        expect(page.locator("[data-pass][data-state=activated]")).to_have_count(1)
        self.hold(page)
        # The extension sees the pass, because its metadata names it.
        page.get_by_role("button", name="Add a card from the bank’s app").click()
        expect(offers.get_by_role("listitem")).to_have_count(5)
        page.get_by_role("button", name="Not now").click()
        expect(offers).to_have_count(0)
        self.wallet(page, "Bank")
        expect(self.card(page, "visa-1").get_by_role("button", name="Add to the watch")).to_be_visible()
        # Nobody logged in: nothing is offered.
        page.get_by_role("button", name="Log out").click()
        self.wallet(page)
        page.get_by_role("button", name="Add a card from the bank’s app").click()
        expect(offers).to_contain_text("Log in to the bank’s app first.")
        self.hold(page)

    def test_green_is_usable_at_once(self):
        page = self.take(self.page(PHONE))
        self.hold(page)
        self.picture(page, "bank-cards-phone")
        self.begin(page, "visa-1")
        page.get_by_role("heading", name="Ready to use").wait_for()
        self.picture(page, "bank-ready-phone")
        self.finish(page, "Ready to use")
        story = self.story(page)
        expect(story.locator("li.message").filter(has_text="decision").first).to_be_visible()
        expect(story.locator(".sequence-head").nth(4)).to_have_text("Issuer")
        self.hold(story)
        self.picture(story, "bank-story-phone", full=True)
        page.get_by_role("button", name="Back to the cards").click()
        # The phone has it, the watch could.
        expect(self.card(page, "visa-1").get_by_role("button", name="Add to the watch")).to_be_visible()
        self.wallet(page)
        expect(page.locator(".phone [data-pass]")).to_have_attribute("data-state", "activated")
        self.hold(page)
        self.picture(page, "bank-wallet-phone")
        desk = self.office(page)
        expect(desk.locator(".decisions > li").first.locator(".colour")).to_have_text("green")
        self.hold(desk)
        self.picture(desk, "back-office-phone", full=True)

    def test_yellow_waits_for_a_code(self):
        page = self.take(self.page(DESKTOP), "moved")
        self.begin(page, "visa-1")
        page.get_by_role("heading", name="Card verification").wait_for()
        self.hold(page)
        self.picture(page, "bank-methods-desktop", full=True)
        self.verify_by_text(page, wrong_first=True)
        page.get_by_role("heading", name="Ready to use").wait_for()
        self.finish(page, "Ready to use")
        self.picture(page, "bank-verified-desktop", full=True)
        desk = self.office(page)
        expect(desk.locator(".decisions > li").first.locator(".colour")).to_have_text("yellow")

    def test_yellow_put_off_is_not_told_as_ready(self):
        page = self.take(self.page(PHONE, "dark"), "moved")
        self.begin(page, "mastercard-1")
        page.get_by_role("button", name="Verify later").click()
        page.get_by_role("heading", name="Added, not usable yet").wait_for()
        self.finish(page, "Added, not usable yet")
        self.picture(page, "bank-pending-phone-dark")
        page.get_by_role("button", name="Finish set-up in the wallet").click()
        self.picture(page, "bank-wallet-pending-phone-dark")
        expect(page.locator(".phone [data-pass]")).to_have_attribute("data-state", "requiresActivation")
        page.get_by_role("button", name="Verify", exact=True).click()
        self.hold(page)
        self.verify_by_text(page)
        expect(page.locator(".phone [data-pass]")).to_have_attribute("data-state", "activated")
        self.hold(page)

    def test_the_banks_app_vouches_for_its_customer(self):
        page = self.take(self.page(PHONE), "moved")
        self.begin(page, "visa-1")
        page.get_by_role("button", name=re.compile("^The bank.s app")).click()
        page.get_by_role("button", name="Done").click()
        page.get_by_role("heading", name="Is this you?").wait_for()
        self.hold(page)
        self.picture(page, "bank-prompt-phone")
        page.get_by_role("button", name="Yes, this is me").click()
        self.wallet(page)
        expect(page.locator(".phone [data-pass]")).to_have_attribute("data-state", "activated")

    def test_orange_takes_two_persons(self):
        page = self.take(self.page(DESKTOP), "risky")
        self.begin(page, "visa-1")
        page.get_by_role("heading", name="Added, not usable yet").wait_for()
        self.finish(page, "We look at this ourselves")
        self.picture(page, "bank-review-desktop", full=True)
        page.get_by_role("button", name="Back to the cards").click()
        self.wallet(page)
        expect(page.locator(".phone [data-pass]")).to_have_attribute("data-state", "requiresActivation")
        # Nothing that the customer could do.
        expect(page.get_by_role("button", name="Verify", exact=True)).to_have_count(0)
        desk = self.office(page)
        self.hold(desk)
        self.picture(desk, "back-office-review-desktop", full=True)
        if self.pictures:
            desk.locator("section[aria-labelledby=reviews]").screenshot(path=str(self.pictures / "review.png"))
        form = desk.locator("form[data-ask=provisioning-review]")
        form.get_by_label("Approve").check()
        form.get_by_label("Remark").fill("called back on the number of the branch")
        form.get_by_role("button", name="Ask a second person").click()
        desk.wait_for_url("**/approvals")
        self.hold(desk)
        desk.get_by_role("button", name="Approve").click()
        expect(desk.locator(".requests li").first.get_by_text("done", exact=True)).to_be_visible()
        expect(page.locator(".phone [data-pass]")).to_have_attribute("data-state", "activated")
        desk.goto(f"{self.billfold.console}/provisioning")
        desk.get_by_text("Concluded reviews").click()
        expect(desk.get_by_text("called back on the number of the branch")).to_be_visible()

    def test_red_adds_nothing(self):
        page = self.take(self.page(PHONE), "fresh")
        self.begin(page, "visa-1")
        page.get_by_role("heading", name="Could Not Add Card").wait_for()
        self.hold(page)
        self.finish(page, "Not added")
        self.picture(page, "bank-refused-phone")
        page.get_by_role("button", name="Back to the cards").click()
        self.wallet(page)
        expect(page.get_by_text("No card yet")).to_be_visible()
        desk = self.office(page)
        expect(desk.locator(".decisions > li").first.locator(".colour")).to_have_text("red")

    def test_the_watch_takes_a_number_of_its_own(self):
        page = self.take(self.page(DESKTOP, "dark"))
        for device, button in [("phone", "Add to the wallet"), ("watch", "Add to the watch")]:
            self.begin(page, "visa-1", device, button)
            page.get_by_role("heading", name="Ready to use").wait_for()
            self.finish(page, "Ready to use")
            page.get_by_role("button", name="Back to the cards").click()
        expect(self.card(page, "visa-1").get_by_text("In the wallet, ready to use.")).to_be_visible()
        self.wallet(page)
        expect(page.locator(".watch [data-pass]")).to_have_attribute("data-state", "activated")
        expect(page.locator(".phone [data-pass]")).to_have_count(1)
        self.hold(page)
        self.picture(page, "bank-watch-desktop-dark", full=True)

    def test_switches_take_the_button_away(self):
        page = self.take(self.page(PHONE))
        desk = self.office(page)
        programme = desk.locator(".switch").first
        programme.get_by_label("Why").fill("a fire drill")
        programme.get_by_role("button", name="Switch off").click()
        expect(desk.locator(".switch").first.get_by_role("button", name="Switch on")).to_be_visible()
        self.hold(desk)
        page.get_by_role("button", name="Log out").click()
        page.get_by_role("button", name="Mei Lin").click()
        off = page.get_by_text("The bank does not offer this at the moment.")
        expect(off.first).to_be_visible()
        self.hold(page)
        self.picture(page, "bank-off-phone")
        again = desk.locator(".switch").first
        again.get_by_label("Why").fill("the drill is over")
        again.get_by_role("button", name="Switch on").click()
        expect(desk.locator(".switch").first.get_by_role("button", name="Switch off")).to_be_visible()
        # One card alone.
        desk.locator("table").get_by_role("link").first.click()
        expect(desk.get_by_role("heading", name="Offered to the customer")).to_be_visible()
        desk.locator(".switch").get_by_label("Why").fill("a worn chip")
        desk.locator(".switch").get_by_role("button", name="Switch off").click()
        expect(desk.locator(".switch").get_by_role("button", name="Switch on")).to_be_visible()
        self.hold(desk)
        page.get_by_role("button", name="Log out").click()
        page.get_by_role("button", name="Mei Lin").click()
        expect(off).to_have_count(1)

    def test_closed_and_blocked_cards_say_so(self):
        page = self.take(self.page(PHONE), customer="Ana Specimen")
        expect(page.get_by_text("This card is closed.")).to_be_visible()
        expect(page.get_by_text("This card is blocked. Please call us.")).to_be_visible()
        self.hold(page)
        self.picture(page, "bank-blocked-phone")

    def test_a_phone_that_cannot_hold_cards_has_no_button(self):
        page = self.take(self.page(PHONE), "without-wallet")
        expect(page.get_by_text("This phone cannot hold cards.").first).to_be_visible()
        expect(page.locator(".add-button")).to_have_count(0)
        self.hold(page)

    def test_what_the_bank_does_is_seen_on_the_phone(self):
        page = self.take(self.page(DESKTOP))
        self.begin(page, "visa-1")
        page.get_by_role("heading", name="Ready to use").wait_for()
        self.finish(page, "Ready to use")
        page.get_by_role("button", name="Back to the cards").click()
        self.wallet(page)
        held = page.locator(".phone [data-pass]")
        desk = self.office(page, "/provisioning/cards/visa-1")
        token = desk.locator("[data-token]").first
        for act, state in [("Suspend", "suspended"), ("Resume", "activated")]:
            self.act(desk, token.get_by_role("button", name=act))
            expect(held).to_have_attribute("data-state", state)
            desk.reload()
            self.hold(desk)
            self.picture(page, f"bank-{state}-desktop", full=True)
            self.picture(desk, f"back-office-{state}-desktop", full=True)
        desk.get_by_label("Replace the card").fill("worn out")
        self.act(desk, desk.get_by_role("button", name="Replace the card"))
        expect(held).to_have_attribute("data-state", "activated")
        desk.reload()
        self.act(desk, desk.locator("[data-token]").first.get_by_role("button", name="The device is lost"))
        expect(held).to_have_attribute("data-state", "suspended")
        desk.reload()
        self.act(desk, desk.locator("[data-token]").first.get_by_role("button", name="Delete"))
        expect(held).to_have_count(0)
        desk.reload()
        expect(desk.locator("[data-token]").first.get_by_text("deleted", exact=True)).to_be_visible()
        desk.goto(f"{self.billfold.console}/provisioning")
        lost = desk.locator("[data-lost]")
        expect(lost).to_have_count(1)
        self.hold(desk)
        self.picture(desk, "back-office-lost-desktop", full=True)
        lost.get_by_label("How the bank knows").fill("she has it back")
        self.act(desk, lost.get_by_role("button", name="The device is found"))
        expect(desk.locator("[data-lost]")).to_have_count(0)
        self.assertEqual(self.problems, [])

    def test_a_card_removed_from_the_wallet_can_be_added_again(self):
        page = self.take(self.page(PHONE))
        self.begin(page, "visa-1")
        page.get_by_role("heading", name="Ready to use").wait_for()
        self.finish(page, "Ready to use")
        page.get_by_role("button", name="Back to the cards").click()
        self.wallet(page)
        page.locator(".phone [data-pass]").get_by_role("button", name="Remove").click()
        expect(page.get_by_text("No card yet")).to_be_visible()
        self.wallet(page, "Bank")
        expect(self.card(page, "visa-1").get_by_role("button", name="Add to the wallet")).to_be_visible()

    def test_a_card_and_a_device_are_listed_and_taken_off(self):
        # The bank knows the cards of customers who have logged in.
        desk = self.office(self.take(self.page(PHONE)))
        element = "0a1b2c3d" * 6
        form = desk.locator(".allow-form")
        form.get_by_label("Secure element").fill(element)
        form.get_by_role("button", name="Put on the list").click()
        listed = desk.locator(".allowed li", has_text=re.compile(element, re.I))
        expect(listed).to_be_visible()
        self.hold(desk)
        listed.get_by_role("button", name="Take off").click()
        expect(desk.get_by_text("No card is listed.")).to_be_visible()

    def test_a_page_inside_the_app_uses_the_bridge(self):
        page = self.page(PHONE)
        opened = []
        page.on("response", lambda answer: opened.append(answer.json()["session"]) if answer.url.endswith("/bank/phones") else None)
        self.take(page)
        # The app's web view: its channel to the native side, the bridge that the app puts before the page's scripts, and the page.
        web = page.context.new_page()
        web.on("pageerror", lambda error: self.problems.append(str(error)))
        web.add_init_script("""(session => {
            window.webkit = { messageHandlers: { billfoldWallet: { postMessage: async (text) => (await fetch(
                `/bank/phones/${session}/bridge`, { method: "POST", body: text })).text() } } };
        })(%s)""" % json.dumps(opened[-1]))
        web.route("**/bank/hybrid", lambda route: route.fulfill(
            content_type="text/html", body="<!doctype html><title>Cards</title><script src=/bank/bridge.js></script>"))
        web.goto(f"{self.billfold.sandbox}/bank/hybrid")

        def ask(call, card="visa-1"):
            return web.evaluate(
                "([call, card]) => billfoldWallet[call](card).catch(error => ({ refused: error.code }))", [call, card])

        self.assertEqual(ask("showButton"), {"state": 2, "devices": ["thisDevice", "watch"]})
        self.assertEqual(ask("containsCard"), False)
        self.assertEqual(ask("activationState"), {})
        self.assertEqual(ask("containsCard", "other"), {"refused": "unknown-card"})
        web.evaluate("() => { window.adding = billfoldWallet.addCard('visa-1'); }")
        page.get_by_role("button", name="Next").wait_for()
        second = ask("addCard", "mastercard-1")
        self.assertEqual((second["outcome"], second["code"]), ("failed", "flow-under-way"))
        page.get_by_role("button", name="Next").click()
        page.get_by_role("button", name=re.compile("phone$", re.I)).click()
        page.get_by_role("button", name="Agree", exact=True).click()
        page.get_by_role("button", name="Done").click()
        added = web.evaluate("() => window.adding")
        self.assertEqual((added["outcome"], added["device"], added["activation"]), ("added", "thisDevice", 0))
        self.assertRegex(added["text"], "^Your card ending in [0-9]{4} is ready to pay.$")
        self.assertEqual(ask("containsCard"), True)
        self.assertEqual(ask("activationState"), {"thisDevice": 0})
        self.assertEqual(ask("showButton"), {"state": 2, "devices": ["watch"]})
        self.assertTrue(web.evaluate("Object.isFrozen(billfoldWallet)"))
        # The customer turns back, and the bridge can be used again.
        web.evaluate("() => { window.adding = billfoldWallet.addCard('mastercard-1'); }")
        page.get_by_role("button", name="Next").wait_for()
        page.get_by_role("button", name="Close").click()
        self.assertEqual(web.evaluate("() => window.adding"), {"outcome": "cancelled", "text": "The card was not added."})
        # Outside the app there is no channel.
        alone = page.context.new_page()
        alone.route("**/bank/hybrid", lambda route: route.fulfill(
            content_type="text/html", body="<!doctype html><title>Cards</title><script src=/bank/bridge.js></script>"))
        alone.goto(f"{self.billfold.sandbox}/bank/hybrid")
        self.assertEqual(
            alone.evaluate("() => billfoldWallet.showButton('visa-1').catch(error => error.code)"), "no-wallet")
        self.assertEqual(self.problems, [])

    def test_every_page_holds_on_both_sizes_and_schemes(self):
        for size, name in [(PHONE, "phone"), (DESKTOP, "desktop")]:
            for scheme in ["light", "dark"]:
                page = self.page(size, scheme)
                for path in ["/", "/journeys/provision-card", "/provisioning"]:
                    with self.subTest(path=path, size=name, scheme=scheme):
                        self.assertEqual(page.goto(self.billfold.console + path).status, 200)
                        self.hold(page)
                        self.picture(page, f"console{path.replace('/', '-')}-{name}-{scheme}", full=True)
                with self.subTest(path="/bank", size=name, scheme=scheme):
                    self.take(page)
                    self.hold(page)
                    self.picture(page, f"bank-{name}-{scheme}", full=True)
                self.assertTrue(get_json(f"{self.billfold.console}/api/stories")["stories"])


if __name__ == "__main__":
    main()
