"""Runs mini programs on the super app's phone in a real Chromium: a program of scripts with consent, cashier, scanner and scenes, and one
of HTML5 pages in a frame.

`--pictures FOLDER` keeps the pictures that the documentation shows.
"""
import json
import os
import pathlib
import re
import time
import urllib.error

from playwright.sync_api import expect

import pictures
from alipay_wallet import MEI
from browser import CHROMIUM, DESKTOP, PHONE, BrowserTests, main
from parties import Billfold, get_json, post

ROLES = "wallet,alipay-gateway,alipay-merchant,mini-program-author,super-app,console"
SMALL = {"width": 360, "height": 640}
PROGRAMS = {"Tea Counter", "Postcards"}


class SuperAppPhoneTests(BrowserTests):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.billfold = Billfold("--roles", ROLES)
        cls.billfold.ready = [f"{cls.billfold.public}/readyz", f"{cls.billfold.console}/readyz", f"{cls.billfold.sandbox}/super-app/"]
        cls.addClassCleanup(cls.billfold.stop)
        cls.billfold.start()
        cls.until_published()

    @classmethod
    def until_published(cls):
        """The author publishes when the platform is there: until then nobody's home lists a program."""
        listed = set()
        for _ in range(120):
            phones = f"{cls.billfold.sandbox}/super-app/phones"
            phone = f"{phones}/{post(phones, {})['session']}"
            screen = post(f"{phone}/taps", {"do": "signIn", "value": MEI[0], "secret": MEI[1]})
            for _ in range(10):
                if screen["place"] == "home" and "apps" in screen:
                    break
                screen = get_json(f"{phone}?after={screen['revision']}&wait=5", timeout=60)
            listed = {app["name"] for app in screen.get("apps", [])}
            if PROGRAMS <= listed:
                return
            time.sleep(0.5)
        raise RuntimeError(f"the home lists only {sorted(listed)}")

    def test_a_tap_that_nobody_knows_is_answered_with_those_that_there_are(self):
        phones = f"{self.billfold.sandbox}/super-app/phones"
        phone = f"{phones}/{post(phones, {})['session']}"
        for body, reason in (({"do": "press"}, "do is none of signIn, signOut, open, "),
                             ({"do": "open", "app": "x"}, "the body has no member app; there are do, value, ")):
            with self.subTest(body), self.assertRaises(urllib.error.HTTPError) as refused:
                post(f"{phone}/taps", body)
            with refused.exception:
                self.assertEqual(refused.exception.code, 400)
                self.assertIn(reason, json.loads(refused.exception.read())["error"]["reason"])

    def test_nothing_looks_ready_before_it_is(self):
        """A log-in under way, and a page whose script has not told its data: what the interface says of them, drawn."""
        for size in (PHONE, DESKTOP):
            with self.subTest(size=size):
                page = self.page(size)
                with page.expect_response(re.compile("/super-app/phones$")) as opened:
                    page.goto(f"{self.billfold.sandbox}/super-app/")
                first = opened.value.json()
                program = {"appId": "1", "name": "Tea", "version": "1.0.0", "kind": "script", "title": "Tea", "canGoBack": False, "log": []}
                there = {**program, "route": "a", "data": [], "controls": [{"kind": "button", "handler": "onMore", "label": "More"}]}
                screens = [
                    {**first, "loading": "Logging in"}, {**first, "place": "program", "program": program},
                    {**first, "place": "program", "program": there}]
                told = iter({**screen, "revision": first["revision"] + 1_000 + turn} for turn, screen in enumerate(screens))
                page.route("**/taps", lambda route: route.fulfill(json=next(told)))
                network = page.get_by_label("The phone has a network")
                expect(network).to_be_enabled()
                person = page.get_by_role("button", name=re.compile("^Log in as")).first
                person.click()
                expect(person).to_have_attribute("aria-disabled", "true")
                expect(page.locator("[data-super-loading]")).to_contain_text("Logging in")
                person.click(force=True)  # It does nothing: no tap is sent, and the next screen is still to come.
                network.click()
                expect(page.locator("[data-super-screen]")).to_contain_text("The page is starting")
                self.assertEqual(page.locator("[data-super-screen] [data-handler]").count(), 0)
                self.hold(page)
                network.click()
                expect(self.control(page, "More")).to_be_visible()

    # What a user does

    def home(self, page):
        """A phone of its own, where Mei is logged in."""
        page.goto(f"{self.billfold.sandbox}/super-app/")
        page.get_by_label("E-mail or mobile number").fill(MEI[0])
        page.get_by_label("Login password", exact=True).fill(MEI[1])
        page.get_by_role("button", name="Log in", exact=True).click()
        page.get_by_role("heading", name="Mini programs").wait_for()
        return page

    def open(self, page, name="Tea Counter"):
        page.get_by_role("button", name=re.compile(f"^{name}")).click()
        page.get_by_role("button", name="Close", exact=True).wait_for()
        return page

    def counter(self, size=PHONE, scheme="light"):
        page = self.open(self.home(self.page(size, scheme)))
        self.control(page, "Sign in with name and picture").wait_for()
        return page

    def control(self, page, label):
        return page.locator("[data-super-screen]").get_by_role("button", name=label, exact=True)

    def press(self, page, label):
        self.control(page, label).click()

    def hold_down(self, page, label):
        """Presses a control and keeps it pressed. What the program shows of late may move it before the press, which then meets another."""
        control = self.control(page, label)
        for _ in range(20):
            control.hover()
            page.mouse.down()
            if control.evaluate("control => control.matches(':active')"):
                return
            page.mouse.move(0, 0)
            page.mouse.up()
        self.fail(f"{label} does not stand still")

    def sheet(self, page, kind):
        sheet = page.get_by_role("dialog")
        expect(sheet).to_have_attribute("data-sheet", kind)
        expect(sheet.locator(":focus")).to_have_count(1)
        return sheet

    def call(self, page, name, state="done"):
        """The newest call of that interface, in that state."""
        newest = page.locator(f"[data-call={name}]").first
        expect(newest).to_have_attribute("data-state", state)
        return newest

    def data(self, page, text):
        expect(page.locator(".super-data")).to_contain_text(text)

    def wallet(self, page):
        """The wallet's pages, which open in a tab of their own."""
        link = self.sheet(page, "cashier").get_by_role("link", name="Open the wallet")
        with page.context.expect_page() as opened:
            link.click()
        wallet = opened.value
        wallet.on("pageerror", lambda error: self.problems.append(str(error)))
        return wallet

    def pay(self, page):
        """From the super app's cashier through the wallet's pages to their result, with the way back not yet taken."""
        wallet = self.wallet(page)
        # What is shown first depends on who is logged in at the wallet already.
        for _ in range(6):
            wallet.locator("main a.button-main, input[name=name], input[name=means], input[name=password]").first.wait_for()
            if wallet.locator("input[name=name]").count():
                wallet.locator("input[name=name]").fill(MEI[0])
                wallet.locator("input[name=password]").fill(MEI[1])
                wallet.locator("form[action$='/login'] button[type=submit]").click()
            elif wallet.locator("input[name=means]").count():
                wallet.locator("form[action$='/means'] button[type=submit]").click()
            elif wallet.locator("form[action$='/password']").count():
                break
            else:
                wallet.locator("main a.button-main").click()
            wallet.wait_for_load_state()
        wallet.locator("form[action$='/password'] input[name=password]").fill(MEI[2])
        wallet.locator("form[action$='/password'] button[type=submit]").click()
        wallet.locator("[data-outcome='9000']").wait_for()
        return wallet

    def come_back(self, wallet):
        """Takes the way back, which ends at a page of the super app's that says where to go on."""
        wallet.locator("[data-way-back]").click()
        wallet.get_by_role("heading", name="Back in the super app").wait_for()
        self.hold(wallet)

    # The app itself

    def test_log_in_and_home_on_every_screen(self):
        for size, scheme in ((SMALL, "light"), (PHONE, "dark"), (DESKTOP, "light"), (DESKTOP, "dark")):
            with self.subTest(f"{size['width']} {scheme}"):
                page = self.page(size, scheme)
                page.goto(f"{self.billfold.sandbox}/super-app/")
                page.get_by_role("button", name="Log in", exact=True).wait_for()
                self.hold(page)
                page.get_by_role("button", name="Log in as Mei").click()
                page.get_by_role("heading", name="Mini programs").wait_for()
                for name in PROGRAMS:
                    expect(page.get_by_role("button", name=re.compile(f"^{name}"))).to_be_visible()
                self.hold(page)
                self.picture(page, f"super-app-home-{size['width']}-{scheme}")
                page.get_by_role("button", name="Sign out").click()
                page.get_by_role("button", name="Log in", exact=True).wait_for()

    def test_a_wrong_password_is_told(self):
        page = self.page(PHONE)
        page.goto(f"{self.billfold.sandbox}/super-app/")
        page.get_by_label("E-mail or mobile number").fill(MEI[0])
        page.get_by_label("Login password", exact=True).fill("wrong")
        page.get_by_role("button", name="Log in", exact=True).click()
        expect(page.locator("[data-problem], [data-super-trouble]:not(:empty)").first).to_be_visible()
        self.problems.clear()  # A browser tells of a status that is none of success.
        self.hold(page)

    def test_a_link_to_no_program_is_told(self):
        page = self.home(self.page(PHONE))
        page.get_by_label("A link, or a code’s content").fill("nothing of ours")
        page.get_by_role("button", name="Open", exact=True).click()
        sheet = self.sheet(page, "alert")
        expect(sheet).to_contain_text("nothing of ours")
        self.hold(page)
        sheet.get_by_role("button", name="OK").click()
        expect(sheet).to_have_count(0)

    def test_a_programs_own_link_opens_it(self):
        programs = get_json(f"{self.billfold.sandbox}/author/v1/programs")["programs"]
        code = next(program for program in programs if program["name"] == "Tea Counter")["codes"][0]
        for link in (code["deepLink"], code["content"]):
            with self.subTest(link):
                page = self.home(self.page(PHONE))
                page.get_by_label("A link, or a code’s content").fill(link)
                page.get_by_role("button", name="Open", exact=True).click()
                self.control(page, "Sign in with name and picture").wait_for()
                self.press(page, "Close")
                page.get_by_role("heading", name="Mini programs").wait_for()

    # Tea Counter: a program of scripts

    def test_consent_refused_agreed_and_remembered(self):
        page = self.counter(PHONE, "dark")
        self.hold(page)
        self.picture(page, "super-app-program")
        self.press(page, "Sign in with name and picture")
        sheet = self.sheet(page, "consent")
        self.hold(page)
        self.picture(page, "super-app-consent")
        # The tabulator stays inside, and Escape refuses.
        for _ in range(5):
            page.keyboard.press("Tab")
            expect(sheet.locator(":focus")).to_have_count(1)
        page.keyboard.press("Escape")
        expect(sheet).to_have_count(0)
        self.call(page, "getAuthCode", "failed")
        expect(self.control(page, "Sign in with name and picture")).to_be_focused()
        self.press(page, "Sign in with name and picture")
        self.sheet(page, "consent").get_by_role("button", name="Do not agree").click()
        self.call(page, "getAuthCode", "failed")
        self.press(page, "Sign in with name and picture")
        self.sheet(page, "consent").get_by_role("button", name="Agree", exact=True).click()
        self.call(page, "getAuthCode")
        self.hold(page)
        # What was agreed to is not asked again.
        self.press(page, "Sign in with name and picture")
        expect(page.locator("[data-call=getAuthCode]")).to_have_count(4)
        self.call(page, "getAuthCode")
        expect(page.get_by_role("dialog")).to_have_count(0)

    def test_a_basic_identity_needs_no_consent(self):
        page = self.counter()
        self.press(page, "Sign in without a name")
        self.call(page, "getAuthCode")
        expect(page.get_by_role("dialog")).to_have_count(0)
        self.hold(page)

    def test_some_scopes_are_given_and_others_not(self):
        page = self.counter(DESKTOP)
        self.press(page, "Sign in and ask for too much")
        sheet = self.sheet(page, "consent")
        page.evaluate("document.querySelector('[data-super-screen]').scrollTop = 0; window.scrollTo(0, 370)")
        self.picture(page, "super-app-desktop")
        sheet.get_by_role("button", name="Agree", exact=True).click()
        self.call(page, "getAuthCode")
        self.hold(page)

    def test_tea_is_bought_in_the_wallet(self):
        for label, size in (("Buy Longjing", PHONE), ("Buy Longjing on the wallet’s page", DESKTOP)):
            with self.subTest(label):
                page = self.counter(size)
                self.press(page, label)
                self.sheet(page, "cashier")
                self.hold(page)
                self.picture(page, f"super-app-cashier-{size['width']}")
                self.come_back(self.pay(page))
                self.call(page, "tradePay")
                self.data(page, "Paid.")
                self.hold(page)
                story = page.get_by_role("link", name="Read every message of this run").get_attribute("href")
                page.goto(story)
                expect(page.locator("main")).to_contain_text("tradePay")

    def test_a_screen_that_changes_under_a_press_takes_no_click_away(self):
        page = self.counter()
        phone = f"{self.billfold.sandbox}/super-app/phones/" + page.evaluate(
            "performance.getEntriesByType('resource').map(({ name }) => name.match('/super-app/phones/([^/]+)/taps')?.[1]).find(Boolean)"
        )
        self.hold_down(page, "Buy Longjing")
        screen = post(f"{phone}/taps", {"do": "event", "value": "onBasic"})
        while "Signed in." not in [datum["value"] for datum in screen["program"]["data"]]:
            screen = get_json(f"{phone}?after={screen['revision']}&wait=5", timeout=60)
        page.wait_for_timeout(500)  # The browser is told of the same screen meanwhile.
        page.mouse.up()
        self.sheet(page, "cashier")
        self.data(page, "USER_ID")

    def test_a_payment_cancelled_in_the_wallet(self):
        page = self.counter()
        self.press(page, "Buy Longjing")
        wallet = self.wallet(page)
        wallet.locator("form[action$='/cancel'] button[type=submit]").click()
        self.come_back(wallet)
        expect(self.call(page, "tradePay")).to_contain_text("6001")
        self.data(page, "Not paid")

    def test_who_comes_back_before_paying_has_not_paid_and_cannot_any_more(self):
        page = self.counter()
        self.press(page, "Buy Longjing")
        sheet = self.sheet(page, "cashier")
        away = sheet.get_by_role("link", name="Open the wallet").get_attribute("href")
        sheet.get_by_role("button", name="Back to the app").click()
        expect(self.call(page, "tradePay")).to_contain_text("6001")
        self.data(page, "Not paid")
        self.hold(page)
        # The cashier's page has ended with it: nobody pays there later what the program was told is not paid.
        self.assertTrue(away.startswith(self.billfold.public))
        wallet = self.page(PHONE)
        wallet.goto(away)
        self.problems.clear()  # A browser tells of a status that is none of success.
        expect(wallet.locator("[data-outcome]")).to_have_attribute("data-outcome", "6001")

    def test_paid_in_the_wallet_and_back_without_its_way(self):
        """The money moved before the person changed tabs: the super app asks the wallet how it ended."""
        page = self.counter()
        self.press(page, "Buy Longjing")
        self.pay(page)
        self.sheet(page, "cashier").get_by_role("button", name="Back to the app").click()
        expect(self.call(page, "tradePay")).to_contain_text("9000")
        self.data(page, "Paid.")

    def test_without_a_network_nobody_is_told_that_it_is_not_paid(self):
        page = self.counter()
        self.press(page, "Buy Longjing")
        self.pay(page)
        page.locator("[data-super-network]").uncheck()
        page.get_by_role("dialog").get_by_role("button", name="Back to the app").click()
        expect(self.call(page, "tradePay")).to_contain_text("6004")
        # The program asks its server several times before it says so.
        expect(page.locator(".super-data")).to_contain_text("Not known yet")
        self.hold(page)

    def test_codes_are_read_from_pictures(self):
        page = self.counter(SMALL)
        for label, kind, picture, text in (
                ("Scan a QR code", "Scan a QR code", pictures.qr_code("table 7, by the window"), "table 7, by the window"),
                ("Scan a bar code", "Scan a bar code", pictures.bar_code("400638133393"), "4006381333931")):
            with self.subTest(kind):
                self.press(page, label)
                sheet = self.sheet(page, "scanner")
                expect(sheet.get_by_role("heading", name=kind)).to_be_visible()
                expect(sheet.locator("[data-camera=refused]")).to_contain_text("The camera cannot be used here.")
                self.hold(page)
                self.picture(page, "super-app-scanner")
                # The album's picture is the person's only answer.
                sheet.get_by_label("Choose a picture").set_input_files(self.file(pictures.nothing()))
                expect(sheet).to_have_count(0)
                self.call(page, "scan", "failed")
                self.data(page, "Nothing was scanned")
                self.press(page, label)
                sheet = self.sheet(page, "scanner")
                sheet.get_by_label("Choose a picture").set_input_files(self.file(picture))
                expect(sheet).to_have_count(0)
                self.call(page, "scan")
                self.data(page, text)
                self.press(page, label)
                self.sheet(page, "scanner").get_by_role("button", name="Cancel").click()
                self.call(page, "scan", "failed")

    def test_photographs_are_read(self):
        folder = pathlib.Path(os.environ.get("BILLFOLD_PHOTOGRAPHS", ".build/photographs"))
        page = self.counter(PHONE)
        for label, name, text in (
                ("Scan a bar code", "book-stained.jpg", "9780070660489"),
                ("Scan a QR code", "card.jpg", "MECARD:N:Google 411,;TEL:18665881077;;")):
            if not (folder / name).exists():
                self.skipTest(f"SKIPPED: no photograph {name}: run scripts/install-photographs, or set BILLFOLD_PHOTOGRAPHS")
            self.press(page, label)
            self.sheet(page, "scanner").get_by_label("Choose a picture").set_input_files(folder / name)
            self.call(page, "scan")
            self.data(page, text)
            self.hold(page)

    @staticmethod
    def file(picture):
        return {"name": "code.png", "mimeType": "image/png", "buffer": picture}

    def test_a_code_is_read_by_the_camera(self):
        film = pathlib.Path(self.billfold.folder) / "camera.mjpeg"
        pictures.camera(film, pictures.qr_code("table 9, by the door"))
        browser = self.playwright.chromium.launch(executable_path=CHROMIUM, args=[
            "--no-sandbox", "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream",
            f"--use-file-for-fake-video-capture={film}"])
        self.addCleanup(browser.close)
        page = browser.new_context(viewport=PHONE).new_page()
        page.set_default_timeout(self.patience)
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        # Whether a camera's light goes out is seen by its tracks.
        page.add_init_script("""
            window.tracks = [];
            const media = navigator.mediaDevices, ask = media.getUserMedia.bind(media);
            media.getUserMedia = async (wish) => { const stream = await ask(wish); window.tracks.push(...stream.getTracks()); return stream; };
        """)
        self.open(self.home(page))
        with page.expect_request(re.compile("/pictures\\?from=camera")) as sent:
            self.press(page, "Scan a QR code")
        self.assertEqual(sent.value.headers["content-type"], "image/jpeg")
        expect(page.get_by_role("dialog")).to_have_count(0)
        self.call(page, "scan")
        self.data(page, "table 9, by the door")
        self.assertEqual(page.evaluate("window.tracks.map((track) => track.readyState)"), ["ended"])
        self.hold(page)

    def test_the_home_scans_a_programs_code(self):
        programs = get_json(f"{self.billfold.sandbox}/author/v1/programs")["programs"]
        code = next(program for program in programs if program["name"] == "Tea Counter")["codes"][0]
        page = self.home(self.page(PHONE))
        page.get_by_role("button", name="Scan", exact=True).click()
        self.sheet(page, "scanner").get_by_label("Choose a picture").set_input_files(self.file(pictures.qr_code(code["content"])))
        self.control(page, "Sign in with name and picture").wait_for()
        self.hold(page)

    def test_a_scene_of_the_super_app(self):
        page = self.counter()
        self.press(page, "Scene: top up")
        sheet = self.sheet(page, "scene")
        self.hold(page)
        self.picture(page, "super-app-scene")
        sheet.get_by_role("button", name="Done").click()
        expect(sheet).to_have_count(0)
        self.call(page, "navigateToBizScene")

    def test_toast_and_question(self):
        page = self.counter()
        self.press(page, "Show a toast")
        toast = page.locator("[data-super-toast]")
        expect(toast).not_to_be_empty()
        self.hold(page)
        expect(toast).to_be_empty()
        for button, count in (("cancel", 1), ("confirm", 2)):
            self.press(page, "Call the waiter")
            sheet = self.sheet(page, "confirm")
            self.hold(page)
            sheet.locator(f"[data-key={button}]").click()
            expect(sheet).to_have_count(0)
            expect(page.locator("[data-call=confirm]")).to_have_count(count)
            self.call(page, "confirm")

    # Postcards: a program of HTML5 pages

    def postcards(self, size=PHONE, scheme="light"):
        page = self.open(self.home(self.page(size, scheme)), "Postcards")
        page.frame_locator("iframe.super-page").locator("body").wait_for()
        return page

    def poll(self, frame, expression):
        """What something comes to in a frame whose policy allows no texts to be run as scripts by the page."""
        for _ in range(200):
            if value := frame.evaluate(expression):
                return value
            time.sleep(0.05)
        raise AssertionError(f"{expression} never came to anything")

    def ask(self, page, name, given):
        """The page in the frame calls an interface, and its answer is kept where it can be read."""
        frame = page.locator("iframe.super-page").element_handle().content_frame()
        self.poll(frame, "Boolean(window.my && window.AlipayJSBridge)")
        frame.evaluate(
            "([name, given]) => { window.answer = undefined; window.my[name](given).then("
            "(value) => { window.answer = { ok: true, value }; }, (value) => { window.answer = { ok: false, value }; }); }", [name, given])

        def answer():
            return self.poll(frame, "window.answer")

        return answer

    def test_a_page_is_given_an_identity_and_shows_an_alert(self):
        for size, scheme in ((PHONE, "light"), (DESKTOP, "dark")):
            with self.subTest(size["width"]):
                page = self.postcards(size, scheme)
                self.hold(page)
                self.picture(page, f"super-app-postcards-{size['width']}")
                loads = page.frame_locator("iframe.super-page").locator("html")
                loads.evaluate("(html) => { html.dataset.seen = 'yes'; }")
                answer = self.ask(page, "alert", {"title": "Postcards", "content": "A card is on its way"})
                sheet = self.sheet(page, "alert")
                expect(sheet).to_contain_text("A card is on its way")
                self.hold(page)
                sheet.get_by_role("button").click()
                self.assertTrue(answer()["ok"])
                answer = self.ask(page, "getAuthCode", {"scopes": ["USER_NAME"]})
                dialog = page.locator("[data-sheet=consent]")
                page.locator("[data-call=getAuthCode][data-state=done], [data-sheet=consent]").first.wait_for()
                if dialog.count():
                    dialog.get_by_role("button", name="Agree", exact=True).click()
                got = answer()
                self.assertTrue(got["ok"], got)
                self.assertTrue(got["value"]["authCode"])
                # Nothing that was drawn meanwhile loaded the page again.
                self.assertEqual(loads.get_attribute("data-seen"), "yes")

    def test_a_page_buys_in_the_wallet_and_keeps_its_state(self):
        page = self.postcards(DESKTOP)
        frame = page.frame_locator("iframe.super-page")
        frame.get_by_role("button", name="Sign in").click()
        page.locator("[data-call=getAuthCode][data-state=done], [data-sheet=consent]").first.wait_for()
        if page.locator("[data-sheet=consent]").count():
            self.sheet(page, "consent").get_by_role("button", name="Agree", exact=True).click()
        expect(frame.locator("#log li")).to_have_text("Signed in: Mei Lin")
        for label in ("Buy a cup on the wallet’s page", "Buy a cup in the super app"):
            with self.subTest(label):
                frame.get_by_role("button", name=label).click()
                self.come_back(self.pay(page))
                expect(self.call(page, "tradePay")).to_contain_text("9000")
                expect(frame.locator("#log li").last).to_contain_text(": paid")
        self.hold(page)
        self.picture(page, "super-app-postcards-paid")
        # The page was never loaded again: what it said first is still there.
        expect(frame.locator("#log li")).to_have_count(3)

    def test_a_message_of_another_frame_is_not_taken(self):
        page = self.postcards()
        sent = []
        page.on("request", lambda request: sent.append(request.url) if request.url.endswith("/frames") else None)
        message = '{"v":1,"kind":"call","seq":1,"name":"alert","args":{"content":"from elsewhere"}}'
        page.evaluate("(message) => { window.postMessage(message, '*'); }", message)
        foreign = page.evaluate_handle("() => document.body.appendChild(document.createElement('iframe'))").as_element()
        foreign.content_frame().evaluate("(message) => { window.parent.postMessage(message, '*'); }", message)
        page.wait_for_timeout(500)
        foreign.evaluate("(frame) => frame.remove()")
        expect(page.get_by_role("dialog")).to_have_count(0)
        self.assertEqual(sent, [])
        self.assertEqual(page.locator("[data-call=alert]").count(), 0)
        # The frame itself is heard.
        self.ask(page, "alert", {"content": "from the card"})
        self.sheet(page, "alert")

    # What does not come from the page

    def test_pictures_without_a_scanner_and_foreign_origins_are_refused(self):
        phones = f"{self.billfold.sandbox}/super-app/phones"
        phone = f"{phones}/{post(phones, {})['session']}"
        for url, headers, status in (
                (f"{phone}/pictures?from=album", {}, 409), (f"{phone}/taps", {"Origin": "https://elsewhere.example"}, 403)):
            with self.subTest(url), self.assertRaises(urllib.error.HTTPError) as refused:
                post(url, {"do": "signOut"}, headers)
            self.assertEqual(refused.exception.code, status)


if __name__ == "__main__":
    main()
