"""Buys from the shop in a real Chromium, on a phone and on a desktop, and reads the order's story.

`--pictures FOLDER` keeps the pictures that the README shows.
"""
import re
import subprocess
import time
import urllib.parse
import urllib.request

from playwright.sync_api import expect

from browser import DESKTOP, PHONE, BrowserTests, main
from parties import Billfold, buy, get_json, merchant_books, post, wait_for
from webhooks import Receiver


class ShopTests(BrowserTests):
    @classmethod
    def setUpClass(cls):
        cls.billfold = Billfold().start()
        super().setUpClass()

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        cls.billfold.stop()

    def page(self, size, scheme="light"):
        # Each page is judged by itself.
        self.problems = []
        return super().page(size, scheme)

    def fill_cart(self, page, group):
        page.goto(f"{self.billfold.sandbox}/shop")
        self.hold(page)
        self.picture(page, f"shop-{group}")
        page.locator("section", has=page.get_by_role("heading", level=2)).nth(group).locator("a.ware").first.click()
        self.hold(page)
        page.get_by_role("button", name="Put in the cart").click()
        page.wait_for_url("**/shop/cart")

    def authorise(self, page):
        """Presses the side button, and types a PIN where the issuer asks for one."""
        page.get_by_role("button", name="Confirm with side button").click()
        pad = page.get_by_role("group", name="Six-digit card PIN")
        done = page.get_by_role("heading", name=re.compile("^(Paid|Not paid|Being confirmed)$"))
        pad.or_(done).first.wait_for()
        if pad.is_visible():
            pad.press_sequentially("123456", delay=20)

    def buy(self, size, group, name):
        page = self.page(size)
        self.fill_cart(page, group)
        page.get_by_role("button", name="Pay with phone").click()
        page.get_by_role("button", name="Confirm with side button").wait_for()
        self.hold(page)
        self.picture(page, f"sheet-{name}")
        # The story is watched from before the payment: its first message is there while the sheet is still open.
        story = self.open_story(page, size)
        first = story.locator("[data-messages] > li.message").first
        first.wait_for()
        self.assertTrue(page.get_by_role("button", name="Confirm with side button").is_visible())
        before = story.locator("[data-messages] > li.message").count()

        self.authorise(page)
        page.get_by_role("heading", name="Paid", exact=True).wait_for()
        self.hold(page)
        self.picture(page, f"paid-{name}")
        # The page was never reloaded: what the payment added came by itself.
        settled = story.locator("li.message", has_text="consume notification").first
        expect(settled).to_be_visible()
        self.assertGreater(story.locator("[data-messages] > li.message").count(), before)
        self.compare(story)
        self.hold(story)
        self.picture(story, f"story-{name}", full=True)
        story.locator("li.message summary").nth(1).click()
        self.picture(story, f"message-{name}")
        return page

    def open_story(self, page, size):
        """The newest order's page, found as an operator would: through the console's list."""
        stories = get_json(f"{self.billfold.console}/api/stories")
        stories = stories if isinstance(stories, list) else stories["stories"]
        newest = max(stories, key=lambda each: each.get("lastAt") or each.get("at") or 0)
        story = page.context.new_page()
        story.goto(f"{self.billfold.console}/stories/{urllib.parse.quote(newest['id'])}")
        return story

    def compare(self, story):
        """The diagram's entries equal the recorded messages in number, order and decoded fields."""
        # Trace entries travel off the payment's path: wait until no more arrive.
        drawn = story.locator("[data-messages] > li.message")
        count = -1
        while drawn.count() != count:
            count = drawn.count()
            story.wait_for_timeout(1_500)
        identifier = story.url.rsplit("/", 1)[1]
        recorded = get_json(f"{self.billfold.console}/api/stories/{identifier}")
        recorded = recorded if isinstance(recorded, list) else recorded["entries"]
        shown = drawn.evaluate_all(
            """messages => messages.map(message => ({
                id: message.id.replace(/^message-/, ''),
                title: message.querySelector('.message-title').textContent,
                fields: [...message.querySelectorAll('tbody tr')].map(row => [
                    row.querySelector('th').textContent, row.querySelectorAll('td')[0].textContent]),
            }))""")
        self.assertEqual([each["id"] for each in shown], [each["id"] for each in recorded])
        self.assertEqual(self.doubled(recorded), [])
        for left, right in zip(shown, recorded):
            self.assertEqual(left["title"], right["title"])
            self.assertEqual(left["fields"], [[field["name"], field["value"]] for field in right["fields"]])

    def doubled(self, recorded):
        """Messages that follow one of the same kind between the same parties with no answer between: one exchange, told twice."""
        last, found = {}, []
        for entry in recorded:
            if entry["kind"] == "note":
                continue
            exchange = (*sorted([entry["from"], entry["to"]]), entry["title"])
            if last.get(exchange) == entry["kind"]:
                found.append((entry["kind"], *exchange))
            last[exchange] = entry["kind"]
        return found

    def test_delivered_goods_are_bought_on_a_phone(self):
        self.buy(PHONE, 0, "phone")

    def test_electronic_goods_are_bought_on_a_desktop(self):
        self.buy(DESKTOP, 1, "desktop")

    def open_client(self, size):
        """UnionPay's own client with a new order of electronic goods, as the shop's page leads there."""
        page = self.page(size)
        self.fill_cart(page, 1)
        self.hold(page)
        page.get_by_role("button", name="Pay with UnionPay").click()
        page.wait_for_url("**/shop/unionpay")
        self.hold(page)
        page.get_by_role("link", name="Open UnionPay’s client").click()
        page.get_by_role("heading", name="Pay this order").wait_for()
        self.hold(page)
        return page

    def by_client(self, size, name):
        page = self.open_client(size)
        self.picture(page, f"client-{name}")
        page.get_by_role("button", name="Pay", exact=True).click()
        page.get_by_role("heading", name="Paid", exact=True).wait_for()
        self.assertTrue(page.url.endswith("/shop/unionpay?word=success"), page.url)
        self.hold(page)
        self.picture(page, f"client-paid-{name}")
        page.get_by_role("link", name="Read every message of this order").click()
        for title in ("checkout", "transaction number", "push", "client page", "pay in client", "app result", "consume notification"):
            expect(page.locator("li.message", has_text=title).first).to_be_visible()
        expect(page.locator(".story-standing .mark")).to_have_text("paid")
        order = page.url.rsplit("/", 1)[1]
        (story,) = [each for each in get_json(f"{self.billfold.console}/api/stories")["stories"] if order in each["correlation"].get("order", [])]
        entries = get_json(f"{self.billfold.console}/api/stories/{story['id']}")["entries"]
        # The app's word and the schedule may ask UnionPay at one time.
        self.assertEqual(self.doubled([each for each in entries if each["title"] != "query"]), [])
        self.assertEqual([each["problem"] for each in entries if each.get("problem")], [])

    def test_an_order_is_paid_by_unionpays_client_on_a_phone(self):
        self.by_client(PHONE, "phone")

    def test_an_order_is_paid_by_unionpays_client_on_a_desktop(self):
        self.by_client(DESKTOP, "desktop")

    def test_whoever_leaves_unionpays_client_comes_back_to_the_same_number(self):
        page = self.open_client(PHONE)
        client = page.url
        for button in ("Cancel", "Pay with a card that is refused"):
            page.get_by_role("button", name=button).click()
            page.get_by_role("heading", name="Pay with UnionPay").wait_for()
            self.assertIn("do not pay again", page.get_by_role("status").inner_text())
            self.hold(page)
            page.get_by_role("link", name="Ask again").click()
            expect(page.get_by_role("status")).to_have_count(0)
            page.get_by_role("link", name="Open UnionPay’s client").click()
            page.get_by_role("heading", name="Pay this order").wait_for()
            self.assertEqual(page.url, client)
        page.get_by_role("button", name="Pay", exact=True).click()
        page.get_by_role("heading", name="Paid", exact=True).wait_for()
        page.goto(client)
        page.get_by_role("heading", name="This order is paid").wait_for()

    def orders(self):
        stories = get_json(f"{self.billfold.console}/api/stories")["stories"]
        return {number for each in stories for number in each["correlation"].get("order", [])}

    def order_since(self, known):
        """The order that was made since. Its story comes to the console a moment after it."""
        end = time.monotonic() + 20
        while not (new := self.orders() - known):
            self.assertLess(time.monotonic(), end, "no new order came to the console")
            time.sleep(0.1)
        self.assertEqual(len(new), 1)
        return new.pop()

    def test_an_order_is_disturbed_before_it_is_paid_and_settles_all_the_same(self):
        known = self.orders()
        page = self.page(DESKTOP)
        self.fill_cart(page, 1)
        page.get_by_role("button", name="Pay with phone").click()
        page.get_by_role("button", name="Confirm with side button").wait_for()
        order = page.context.new_page()
        order.goto(f"{self.billfold.console}/orders/{self.order_since(known)}")
        expect(order.locator(".story-standing .mark")).to_have_text("open")
        expect(order.get_by_text("No payment was tried.")).to_be_visible()
        order.get_by_label("Book it and lose the reply").check()
        order.get_by_role("button", name="Set the plan").first.click()
        expect(order.get_by_text("Set: Book it and lose the reply.")).to_be_visible()
        order.reload()
        expect(order.get_by_label("Book it and lose the reply")).to_be_checked()
        self.authorise(page)
        page.get_by_role("heading", name="Paid", exact=True).wait_for()
        # The page was never reloaded since: the state came with the messages.
        expect(order.locator(".story-standing .mark")).to_have_text("paid")
        expect(order.locator("li.message", has_text="consume lost")).to_be_visible()
        expect(order.locator("[data-live=order]").get_by_text("capture").first).to_be_visible()
        self.hold(order)
        self.picture(order, "order-disturbed-desktop", full=True)

    def test_the_next_order_is_disturbed_from_the_journeys_page(self):
        known = self.orders()
        page = self.page(PHONE)
        journey = f"{self.billfold.console}/journeys/apple-pay-unionpay"
        page.goto(journey)
        page.get_by_label("Corrupt the signature").check()
        page.get_by_role("button", name="Set the plan").first.click()
        expect(page.get_by_text("Set: Corrupt the signature.")).to_be_visible()
        page.reload()
        expect(page.get_by_text("Set now: Corrupt the signature.")).to_be_visible()
        self.hold(page)
        self.fill_cart(page, 1)
        page.get_by_role("button", name="Pay with phone").click()
        page.get_by_role("button", name="Confirm with side button").wait_for()
        self.authorise(page)
        page.get_by_role("heading", name="Paid", exact=True).wait_for()
        order = page.context.new_page()
        order.goto(f"{self.billfold.console}/orders/{self.order_since(known)}")
        # The forged notification is one problem, told by the party that refused it.
        expect(order.locator("li.message", has_text="notification refused")).to_have_count(1)
        expect(order.locator("li.message[data-problem]")).to_have_count(1)
        self.picture(order, "order-forged-phone", full=True)
        page.goto(journey)
        expect(page.get_by_text("No fault is set.").first).to_be_visible()

    def test_money_goes_back_after_an_approval(self):
        known = self.orders()
        page = self.buy(DESKTOP, 1, "refunded")
        order = page.context.new_page()
        number = self.order_since(known)
        order.goto(f"{self.billfold.console}/orders/{number}")
        form = order.locator("form[data-ask=refund]")
        form.get_by_label("Amount").fill("2.50")
        form.get_by_label("Reason").fill("came late")
        form.get_by_role("button", name="Ask for a refund").click()
        order.wait_for_url("**/approvals")
        expect(order.get_by_text("one person suffices")).to_be_visible()
        self.hold(order)
        self.picture(order, "approvals-desktop")
        # Pressed before the page's scripts are there, however often, it is done once when they are.
        late, on_time, said = [], [], []
        order.on("request", lambda request: said.append(request.url) if request.method == "POST" else None)
        order.route("**/operators.js", lambda route: route.continue_() if on_time else late.append(route))
        order.reload(wait_until="commit")
        for _ in range(2):
            order.get_by_role("button", name="Approve").click(no_wait_after=True)
        while not late:
            order.wait_for_timeout(50)
        expect(order.get_by_role("button", name="Approve")).to_be_enabled()
        on_time.append(True)
        for route in late:
            route.continue_()
        expect(order.locator(".requests li").first.get_by_text("done", exact=True)).to_be_visible()
        self.assertEqual(len(said), 1, said)
        order.goto(f"{self.billfold.console}/orders/{number}")
        expect(order.get_by_text("partlyRefunded")).to_be_visible()
        expect(order.locator("[data-live=order]").get_by_text("refund: ")).to_be_visible()
        self.hold(order)
        self.picture(order, "order-refunded-desktop", full=True)
        order.goto(f"{self.billfold.console}/audit")
        expect(order.get_by_text("Every row was checked, and the chain holds.")).to_be_visible()
        expect(order.get_by_text("approval.run.refund")).to_be_visible()

    def hook(self):
        """A back end of the shop's merchant that is told of payments, and what its messages are signed by."""
        bearer = {"Authorization": f"Bearer {(self.billfold.folder / 'data/api.key').read_text().strip()}"}
        receiver = Receiver()
        self.addCleanup(receiver.stop)
        endpoint = post(
            f"{self.billfold.public}/v1/webhook-endpoints", {"url": f"{receiver.url}?token=hidden", "events": ["payment.succeeded"]}, bearer)

        def delete():
            urllib.request.urlopen(urllib.request.Request(
                f"{self.billfold.public}/v1/webhook-endpoints/{endpoint['id']}", headers=bearer, method="DELETE"), timeout=60).close()

        self.addCleanup(delete)
        return receiver, endpoint

    def test_what_the_back_end_was_told_is_shown_and_sent_again(self):
        receiver, endpoint = self.hook()
        order, _ = buy(self.billfold.sandbox, "longjing")
        wait_for("the event", lambda: [each for each in receiver.taken if each["data"].get("order") == order])
        for size in (PHONE, DESKTOP):
            page = self.page(size)
            page.goto(f"{self.billfold.console}/orders/{order}")
            page.get_by_role("link", name=re.compile("what its back end was told of payment")).click()
            page.wait_for_url("**/webhooks/merchants/**")
            self.hold(page)
            page.get_by_role("link", name=re.compile("^payment.succeeded")).click()
            page.wait_for_url("**/events/evt_**")
            expect(page.locator("[data-attempt=settled]")).to_have_count(1)
            expect(page.get_by_role("link", name="Order", exact=True)).to_have_attribute("href", f"/orders/{order}")
            self.hold(page)
        page.get_by_label("Why it is sent again").fill("Their store was lost")
        page.get_by_role("button", name="Send it again").click()
        expect(page.locator("[data-answer]")).to_have_text("It was sent again and answered with success.")
        expect(page.locator("[data-attempt=settled]")).to_have_count(2)
        first, second = [each for each in receiver.calls if each["event"]["data"].get("order") == order]
        self.assertEqual((first["event"]["id"], first["body"]), (second["event"]["id"], second["body"]))
        for path in ("/webhooks", urllib.parse.urlsplit(page.url).path, "/audit?owner=two-leaves&chain=operators"):
            page.goto(self.billfold.console + path)
            self.hold(page)
            for secret in (endpoint["secret"], endpoint["secret"].removeprefix("whsec_"), "token=hidden"):
                self.assertNotIn(secret, page.content())
        # The trail has who asked, and why.
        expect(page.get_by_role("main")).to_contain_text("event.resend")
        expect(page.get_by_role("main")).to_contain_text("Their store was lost")
        page.goto(f"{self.billfold.console}/webhooks")
        line = page.locator(f"[data-endpoint={endpoint['id']}]")
        expect(line.locator("[data-last]")).to_contain_text("204")
        expect(line).to_contain_text(endpoint["keys"][0]["id"])

    def test_an_alarm_is_cleared_with_a_remark(self):
        # The acquirer's file has another amount than the books.
        page = self.page(PHONE)
        plan = {"fileDifference": "amount"}
        self.assertEqual(page.request.post(f"{self.billfold.console}/api/sandbox/plans/next", data=plan).status, 204)
        number, _ = buy(self.billfold.sandbox, "longjing")
        key = (self.billfold.folder / "data/api.key").read_text().strip()
        for _ in range(60):
            payments = merchant_books(self.billfold.public, key)["payments"]
            day = next((each.get("settlementDay") for each in payments if each["order"] == number), None)
            if day:
                break
            page.wait_for_timeout(500)
        post(f"{self.billfold.public}/v1/reconciliations", {"settleDate": day}, {"Authorization": f"Bearer {key}"})
        page.goto(f"{self.billfold.console}/alarms")
        alarm = page.locator("li", has_text="amount-differs")
        expect(alarm.get_by_role("link")).to_have_attribute("href", f"/orders/{number}")
        self.hold(page)
        self.picture(page, "alarm-phone", full=True)
        alarm.get_by_role("button", name="Clear the alarm").click()
        self.assertTrue(alarm.get_by_label("What was done about it").evaluate("field => field.matches(':invalid')"))
        alarm.get_by_label("What was done about it").fill("asked the acquirer: its file is wrong")
        alarm.get_by_role("button", name="Clear the alarm").click()
        expect(alarm).to_have_count(0)
        page.goto(f"{self.billfold.console}/audit")
        page.get_by_label("Whose chains").get_by_role("link").nth(1).click()
        expect(page.get_by_role("cell", name="amount-differs asked the acquirer: its file is wrong")).to_be_visible()
        expect(page.get_by_text("Every row was checked, and the chain holds.")).to_be_visible()
        self.hold(page)
        self.picture(page, "audit-merchant-phone", full=True)
        page.get_by_role("link", name="payment:").first.click()
        expect(page.get_by_text("Every row was checked, and the chain holds.")).to_be_visible()
        self.hold(page)

    def test_the_doctor_examines_what_is_pasted_and_keeps_no_key(self):
        key = subprocess.run(
            ["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"], check=True, capture_output=True,
            text=True).stdout
        page = self.page(PHONE)
        page.goto(f"{self.billfold.console}/doctor")
        page.get_by_role("button", name="Examine", exact=True).click()
        expect(page.get_by_text("Choose a file or paste one first.")).to_be_visible()
        page.get_by_label("Or paste one").fill(key)
        with page.expect_response("**/doctor") as answer:
            page.get_by_role("button", name="Examine", exact=True).click()
        findings = answer.value.text()
        expect(page.get_by_role("heading", name="Findings")).to_be_visible()
        expect(page.get_by_role("cell", name="private-key")).to_be_visible()
        for line in key.splitlines()[1:-1]:
            self.assertNotIn(line, findings)
        self.hold(page)
        self.picture(page, "doctor-phone", full=True)

    def test_the_button_has_three_states(self):
        page = self.page(DESKTOP)
        self.fill_cart(page, 0)
        models = page.locator("[data-phone-model] option").evaluate_all("options => options.map(each => each.value)")
        seen = set()
        for model in models:
            page.select_option("[data-phone-model]", model)
            pay = page.get_by_role("button", name="Pay with phone")
            set_up = page.get_by_role("button", name="Set up payment")
            hidden = page.get_by_text("No wallet button here")
            page.wait_for_timeout(1_500)
            pay.or_(set_up).or_(hidden).first.wait_for()
            seen.add("pay" if pay.is_visible() else "set up" if set_up.is_visible() else "hidden")
            self.hold(page)
        self.assertEqual(seen, {"pay", "set up", "hidden"})

    def test_the_consoles_head_has_the_mode_beside_the_name_at_every_width(self):
        for width in (390, 1024, 1280, 1440):
            with self.subTest(width=width):
                page = self.page({"width": width, "height": 800})
                page.goto(self.billfold.console)
                self.assertGreater(page.locator(".masthead nav li").count(), 6)
                name, mode, pages = (page.locator(f".masthead {each}").bounding_box() for each in (".wordmark", ".standing", "nav"))
                self.assertLess(mode["y"], name["y"] + name["height"])
                self.assertLessEqual(max(each["y"] + each["height"] for each in (name, mode)), pages["y"] + 1)

    def test_every_console_page_holds_on_both_sizes_and_schemes(self):
        for size, name in [(PHONE, "phone"), (DESKTOP, "desktop")]:
            for scheme in ["light", "dark"]:
                page = self.page(size, scheme)
                for path in [
                    "/", "/journeys/apple-pay-unionpay", "/stories", "/alarms", "/webhooks", "/approvals", "/audit", "/doctor",
                ]:
                    with self.subTest(path=path, size=name, scheme=scheme):
                        answer = page.goto(self.billfold.console + path)
                        self.assertEqual(answer.status, 200)
                        self.hold(page)
                        self.picture(page, f"console{path.replace('/', '-')}-{name}-{scheme}", full=True)


if __name__ == "__main__":
    main()
