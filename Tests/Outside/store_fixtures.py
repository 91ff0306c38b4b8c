"""Makes the SQL text of every store as this version of the program writes it: Tests/Fixtures/Stores, which test_stores.py opens.

Every server runs in test mode on stores of its own, first on SQLite, then on PostgreSQL. What a store is there to remember is made over
the servers' interfaces, the sandbox plays everybody else, and when everything has settled the servers are stopped and their stores
written down. ENGINE.json beside them has the names by which the test asks for some of it.

    python store_fixtures.py [--engine sqlite|postgresql] [--version VERSION] [--replace]

A version's stores are made once, the last time before its release: stores that a later program wrote show nothing about it. So what
is there is replaced with --replace alone. A version whose migrations are those of the one before needs no stores of its own.
"""
import argparse
import datetime
import json
import pathlib
import re
import sys
import tempfile
import time
import urllib.parse
import urllib.request

import alipay_plus
import super_app
from alipay_wallet import MEI, Application, Browser, Notified, Page, pay, until_password
from issuer import Provisioning
from overload import PresentBank
from parties import ROOT, Billfold, buy, get, get_json, merchant_books, post, provision
from stores import FIXTURES, KINDS, PLACES, SANDBOX, ask, run, write_keys

# Not among those that the system gives to anybody: what a store sends long afterwards goes to nobody.
PORTS = {"public": 20101, "console": 20102, "sandbox": 20103, "acquirer": 20104, "merchant": 20105}
ROLES = [
    "card-payments", "provisioning", "alipay-gateway", "alipay-plus", "wallet", "console", "unionpay", "certificates", "broker",
    "card-network", "card-processor", "shop", "phone", "bank-app", "alipay-merchant"]
# Who asks and who approves.
OPERATORS, PASSWORD = ("chief", "deputy"), "correct horse battery staple"
CUSTOMER = "2088000000000017"


class Host(PresentBank):
    """The bank's host of the program that runs, whatever its store is."""

    def live_tokens(self, network):
        return 0


class Network(alipay_plus.Network):
    """An acquirer of the wallet of the program that runs too, and wallets whose customers agree to be debited."""

    port = PORTS["acquirer"]
    consent = None

    def acquirer(self):
        told = super().acquirer()
        return {**told, "wallets": [*told["wallets"], "ALIPAY_CN"]}

    def answer(self, path, body):
        good = {"result": alipay_plus.result("S", "SUCCESS")}
        if path.endswith("/authorizations/prepare"):
            self.consent = body["authState"]
            return self.wallet_key, {**good, "authUrl": f"{self.origin}/consent", "normalUrl": f"{self.origin}/consent"}
        if path.endswith("/authorizations/applyToken"):
            ends = (datetime.datetime.now(alipay_plus.CHINA) + datetime.timedelta(days=365)).isoformat(timespec="seconds")
            return self.wallet_key, {
                **good, "accessToken": "access-1", "accessTokenExpiryTime": ends, "refreshToken": "refresh-1",
                "refreshTokenExpiryTime": ends, "customerId": "c-1"}
        return super().answer(path, body)

    def taken(self, api, body, wallet=None, status="S"):
        answer = self.call(api, body, wallet)
        if answer["result"]["resultStatus"] != status:
            raise RuntimeError(f"{api}: {answer}")
        return answer

    def refund(self, request, number, value):
        return self.call("payments/refund", {
            "paymentRequestId": request["paymentRequestId"], "refundRequestId": number, "refundAmount": {"currency": "SGD", "value": value}})


class SuperApp(super_app.SuperApp):
    """A super app whose steps two people take who signed in."""

    def __init__(self, making):
        self.by_two = making.approve
        super().__init__(making.billfold)

    def approve(self, kind, subject, detail):
        self.by_two(kind, subject, **detail)


def sign_in(console, name):
    """What an operator's requests carry."""
    request = urllib.request.Request(
        f"{console}/api/session", json.dumps({"name": name, "password": PASSWORD}).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return {"Cookie": answer.headers["Set-Cookie"].split(";")[0], "X-CSRF-Token": json.loads(answer.read())["csrfToken"]}


class Making:
    """What lies in the stores, made at servers that run."""

    def __init__(self, billfold):
        self.billfold, self.public, self.console, self.sandbox = billfold, billfold.public, billfold.console, billfold.sandbox
        # What the test asks for.
        self.told, self.closing = {}, []
        self.people = [sign_in(self.console, name) for name in OPERATORS]

    def run(self):
        try:
            self.told["day"] = datetime.datetime.now(alipay_plus.CHINA).strftime("%Y-%m-%d")
            for make in (self.cards, self.cards_books, self.issuer, self.express, self.sheet, self.account, self.mini_program):
                make()
            return self.told
        finally:
            for close in self.closing:
                close()

    def key(self, name):
        return (self.billfold.folder / "data" / name).read_text().strip()

    def until(self, what, reached, patience=90):
        end = time.monotonic() + patience
        while not (value := reached()):
            if time.monotonic() > end:
                raise RuntimeError(f"{what}: not in {patience} s")
            time.sleep(0.1)
        return value

    def page(self, path):
        return get(self.console + path, {"Accept": "text/html", **self.people[0]})[1].decode()

    def put(self, path, body, method="POST"):
        """A word to the console that has no answer."""
        request = urllib.request.Request(
            self.console + path, json.dumps(body).encode(), {"Content-Type": "application/json", **self.people[0]}, method=method)
        urllib.request.urlopen(request, timeout=60).close()

    def approve(self, kind, subject, /, **detail):
        done = self.decide(kind, subject, detail, "approval")
        if done["state"] != "done":
            raise RuntimeError(f"{kind} of {subject}: {done}")

    def decide(self, kind, subject, detail, decision):
        asked = post(f"{self.console}/api/approvals", {"kind": kind, "subject": subject, "detail": json.dumps(detail)}, self.people[0])
        return post(f"{self.console}/api/approvals/{asked['id']}/{decision}", {}, self.people[1])

    # Cards

    def cards(self):
        """Orders that are open, paid, given back in part, undone and refused."""
        bearer = {"Authorization": f"Bearer {self.key('api.key')}"}
        self.told["open"] = self.place_open_order(self.public, bearer["Authorization"])["id"]
        for product, end in (("longjing", "refunds"), ("field-guide", "cancellation")):
            order = self.bought(product)
            payment = self.until("a payment", lambda: self.payment(order, "succeeded"))
            if end == "cancellation":
                post(f"{self.public}/v1/payments/{payment}/cancellation", {}, {**bearer, "Idempotency-Key": "undone"})
                self.until("the void", lambda: self.payment(order, "reversed"))
                continue
            post(f"{self.public}/v1/payments/{payment}/refunds", {"amount": "1.00"}, {**bearer, "Idempotency-Key": "part"})
            self.approve("refund", payment, amount="2.50", reason="came late")
            self.until("the refund", lambda: get_json(f"{self.public}/v1/payments/{payment}", bearer)["refunded"] == "3.50")
            self.decide("refund", payment, {"amount": "4.00", "reason": "once more"}, "rejection")
            self.told |= {"order": order, "payment": payment}
        self.put("/api/sandbox/plans/next", {"replyCode": "61"})
        self.bought("rain-on-slate", "failed")

    @staticmethod
    def place_open_order(public, authorization):
        """An order that nobody pays. It is the same one whenever it is placed again."""
        line = {"label": "Song", "unitAmount": "16.50", "quantity": 2, "taxRate": "0.13"}
        return post(f"{public}/v1/orders", {
            "reference": "nobody-pays", "goods": "electronic", "currency": "CNY", "country": "CN", "merchantName": "Two Leaves 茶",
            "lines": [line]}, {"Authorization": authorization, "Idempotency-Key": "nobody-pays"})

    def bought(self, product, outcome="succeeded"):
        order, shown = buy(self.sandbox, product)
        if shown != outcome:
            raise RuntimeError(f"{product}: the customer was shown {shown}")
        return order

    def payment(self, order, state):
        payments = merchant_books(self.public, self.key("api.key"))["payments"]
        return next((each["id"] for each in payments if each["order"] == order and each["state"] == state), None)

    def cards_books(self):
        """A day that is compared with the acquirer's file, in which two amounts are others. One of the alarms is cleared."""
        bearer, payments = {"Authorization": f"Bearer {self.key('api.key')}"}, []
        for _ in range(2):
            self.put("/api/sandbox/plans/next", {"fileDifference": "amount"})
            order = self.bought("longjing")
            payments.append(self.until("a payment", lambda: self.payment(order, "succeeded")))
        day = get_json(f"{self.public}/v1/payments/{payments[0]}", bearer)["settlementDay"]
        said = post(f"{self.public}/v1/reconciliations", {"settleDate": day}, bearer)
        if said["classes"]["amount-differs"] != 2:
            raise RuntimeError(f"the day was compared otherwise: {said['classes']}")
        self.put("/api/alarms/clearances", {"payment": payments[0], "alarm": "amount-differs", "remark": "the file is wrong"})

    # The issuer's host

    def issuer(self):
        """Cards on phones in every colour of the decision, and what the bank does with them."""
        bank = Host(self.billfold)
        self.closing.append(bank.close)
        # By code, in the app and at once; kept, lost and found, removed.
        tokens = [Provisioning(bank, seed).run()[:2] for seed in range(6)]
        provision(self.sandbox, "visa-1", "risky")
        page = self.until("a review", lambda: re.search(
            'data-ask="provisioning-review" data-subject="([0-9a-f]+)"', self.page("/provisioning")))
        self.approve("provisioning-review", page[1], outcome="approve", remark="called back on the number of the branch")
        self.put("/api/provisioning/lost-devices", {"secureElement": tokens[0][1]})
        self.put("/api/provisioning/found-devices", {"secureElement": tokens[0][1], "remark": "in her bag"})
        self.put("/api/provisioning/lost-devices", {"secureElement": tokens[1][1]})
        self.put(f"/api/provisioning/tokens/{urllib.parse.quote(tokens[2][0])}/actions", {"action": "suspend", "reason": "F"})
        self.put("/api/provisioning/allow-list", {"card": "visa-1", "secureElement": "0A1B2C3D" * 6, "allowed": True, "remark": "a test phone"})
        for on in (False, True):
            self.put("/api/provisioning/programmes/visa-credit/switch", {"on": on, "remark": "a fire drill"}, "PUT")

    # Express orders

    def express(self):
        """Trades of both generations that are paid and given back in part, one that waits for its buyer, and what is paid out."""
        orders = f"{self.sandbox}/alipay-merchant/v1/orders"
        for offer, generation in (("longjing", "modern"), ("celadon-cup", "legacy")):
            order = post(orders, {"offer": offer, "generation": generation, "faults": []})
            self.pay_express(order["order"])
            self.until("the notification", lambda: get_json(f"{orders}/{order['number']}")["state"] == "paid")
            # A batch of the old generation is numbered by the day in China.
            post(f"{orders}/{order['number']}/refunds", {"amount": "28.00", "number": f"{self.told['day'].replace('-', '')}0001"})
        notified, onboarding = Notified(PORTS["merchant"]), self.key("alipay-onboarding.key")
        self.closing.append(notified.stop)
        merchant = Application(
            self.public, onboarding, notified, md5="two-leaves-and-a-bud-0123456789", refund_password="two-leaves-give-back")
        Application(self.public, onboarding, notified, partner="2088000000000608", app_id="2026000000000608", certificate=True)
        self.pay_express(merchant.order("OUTSIDE_1", "9.00", notified.url))
        self.told["trade"] = notified.wait(lambda each: each.get("out_trade_no") == "OUTSIDE_1")["trade_no"]
        merchant.refund(self.public, "OUTSIDE_1", "4.00")
        until_password(self.public, merchant.order("OUTSIDE_2", "9.00", notified.url))
        self.approve("merchant-payout", merchant.partner, amount={"amount": "1.00", "currency": "CNY"}, reason="end of the day")

    def pay_express(self, order):
        result = pay(self.public, order)
        if result["resultStatus"] != "9000":
            raise RuntimeError(f"the customer was shown {result}")

    # The payment sheet

    def sheet(self):
        """Payments that are paid, given back in part, refused and cancelled, a code that a customer shows, a debit, and alarms."""
        network = Network(self.billfold)
        self.closing.append(network.stop)
        request, sheet = network.begin()
        # The customer chose another wallet before.
        network.scan(sheet, "TEST_HK")
        network.confirm("TEST_PH", network.scan(sheet, "TEST_PH"))
        network.until_told(request["paymentRequestId"])
        network.refund(request, "part", "999")
        self.told["paymentRequest"] = request["paymentRequestId"]
        _, sheet = network.begin()
        network.refuse("TEST_PH", network.scan(sheet, "TEST_PH"))
        cancelled, _ = network.begin()
        network.taken("payments/cancelPayment", {"paymentRequestId": cancelled["paymentRequestId"]})
        network.taken("codes/getPaymentCode", {"customerId": "c-1", "codeQuantity": 1, "env": {"terminalType": "APP", "osType": "IOS"}}, "TEST_KR")
        self.debit(network)
        self.pay_from_our_wallet(network)
        self.keep_what_was_chosen_before(network)
        # What the books do not know.
        network.taken("payments/notifyPayment", {
            "paymentRequestId": "0" * 32, "paymentId": "W0", "paymentResult": alipay_plus.result("S", "SUCCESS"), "customerId": "c-1",
            "paymentAmount": {"currency": "SGD", "value": "100"}, "payToAmount": {"currency": "HKD", "value": "577"}}, "TEST_HK")

    def debit(self, network):
        network.taken("authorizations/prepare", {
            "authClientId": alipay_plus.MERCHANT, "authClientName": "Corner Tea", "authRedirectUrl": f"{network.origin}/return",
            "authState": "weekly", "referenceAgreementId": "weekly", "scopes": ["AGREEMENT_PAY"], "paymentMethodType": "TEST_KR",
            "terminalType": "WEB"})
        network.taken("authorizations/authNotify", {
            "authorizationNotifyType": "AUTHCODE_CREATED", "authState": network.consent, "authCode": "code-1", "customerId": "c-1"}, "TEST_KR")
        code = self.until("the consent", lambda: next((each["authCode"] for each in network.told if "authCode" in each), None))
        tokens = network.taken("authorizations/applyToken", {
            "grantType": "AUTHORIZATION_CODE", "authClientId": alipay_plus.MERCHANT, "authCode": code})
        debit = network.pay_request(terminal="WEB", paymentFactor={"isAgreementPayment": True}, paymentMethod={
            "paymentMethodType": "TEST_KR", "paymentMethodId": tokens["accessToken"], "customerId": "c-1",
            "paymentMethodMetaData": {"authClientId": alipay_plus.MERCHANT}})
        network.taken("payments/pay", debit, status="U")
        asked = self.until("the debit", lambda: next((
            name for name, each in list(network.asked.items()) if each["paymentMethod"].get("paymentMethodId") == "access-1"), None))
        network.confirm("TEST_KR", asked)
        network.until_told(debit["paymentRequestId"])

    def pay_from_our_wallet(self, network):
        request, sheet = network.begin()
        code = urllib.parse.quote(f"https://qr.alipay-plus.example/281010040001{sheet.rsplit('/', 1)[1]}", safe="")
        customer, opening = Browser(self.public), "/wallet/alipay-plus/open"
        _, path, text = customer.ask("GET", f"{opening}?codeValue={code}")
        _, path, text = customer.submit(Page(text), path.removeprefix(opening), {"name": MEI[0], "password": MEI[1]})
        self.until("the amount", lambda: '/confirm"' in customer.ask("GET", path)[2])
        customer.submit(Page(customer.ask("GET", path)[2]), "/confirm", {"password": MEI[2]})
        network.until_told(request["paymentRequestId"])
        network.refund(request, "part-2", "500")

    def keep_what_was_chosen_before(self, network):
        """A wallet does not let go of a payment that another one takes, and people settle it."""
        network.refusing = {"cancelPayment": "CANCEL_WINDOW_EXCEED", "refund": "PROCESS_FAIL"}
        request, sheet = network.begin()
        network.scan(sheet, "TEST_PH")
        second = network.scan(sheet, "TEST_HK")

        def alarm():
            return re.search('data-ask="acquiring-settle-alarm" data-subject="([0-9a-f]+)"', self.page("/acquiring"))

        self.approve(
            "acquiring-settle-alarm", self.until("an alarm", alarm)[1], acquirer=network.acquirer_id, kind="leg-stuck",
            reason="paid back by hand")
        network.confirm("TEST_HK", second)
        network.until_told(request["paymentRequestId"])

    # The wallet

    def account(self):
        """Money that comes and goes, and an account that is closed for a while."""
        for kind in ("wallet-top-up", "wallet-withdrawal"):
            self.approve(kind, CUSTOMER, amount={"amount": "10.00", "currency": "CNY"}, reason="transfer 1")
        for kind in ("wallet-freeze", "wallet-thaw"):
            self.approve(kind, CUSTOMER, reason="a phone that was lost and found")

    def mini_program(self):
        """A mini program that is released, with a code that opens it, and what a user agreed to."""
        outside = SuperApp(self)
        outside.publish()
        outside.call(f"{super_app.BASE}/author/apps/{super_app.APP}/codes", {
            "codeId": "2026112200000778", "page": "pages/start/index"}, super_app.AUTHOR)
        outside.approve("mini-program-grant", super_app.APP, {
            "reason": "test", "grant": {"scopes": [{"scope": "AGREEMENT_PAY", "rule": "ask"}]}})
        client = {"appId": super_app.APP, "authClientId": super_app.CLIENT}
        outside.as_user("/v1/authorizations/agreements", {**client, "scopes": ["USER_NAME"]})
        outside.tokens()
        outside.as_user(f"/v1/authorizations/contracts/{outside.contract()}/signature", {**client, "paymentPassword": MEI[2]})


def unsettled(place):
    """Who has still to be told or asked something."""
    waiting = "SELECT destination, kind, state, note FROM outbox WHERE state = 'ready'"
    return [row for kind in KINDS for row in place.rows(kind, waiting)]


def make(engine):
    """Each store's text by its kind, and what the test asks for."""
    billfold = Billfold("--sign-in", "--roles", ",".join(ROLES), ports=[PORTS[name] for name in ("public", "console", "sandbox")])
    data = billfold.folder / "data"
    write_keys(data)
    place = PLACES[engine](data)
    try:
        ask("migrate", "--kind", "cards", "--database", place.address("cards"))
        for name in OPERATORS:
            status, said = run(
                "operators", "add", name, "--roles", "viewer,operator,approver,administrator", "--data", str(data), "--database",
                place.address("cards"), given=f"{PASSWORD}\n")
            if status:
                raise RuntimeError(said)
        billfold.command += place.flags()
        billfold.start()
        making = Making(billfold)
        told = making.run()
        making.until("everybody was told", lambda: not unsettled(place))
        billfold.end()
        files = PLACES["sqlite"](data)
        texts = {}
        for kind in [*KINDS, *(SANDBOX if engine == "sqlite" else [])]:
            source = place if kind in KINDS else files
            status, check = ask("check", "--database", source.address(kind), "--data", str(data))
            if status:
                raise RuntimeError(f"the store {kind} is not sound: {check}")
            texts[kind] = source.dump(kind)
        return texts, told
    except BaseException:
        print(billfold.log.read_text()[-4000:], file=sys.stderr)
        raise
    finally:
        billfold.stop()
        place.close()


def cleaned(text):
    """The text without private keys, which the sandbox's parties keep in their stores. Refuses what names a folder of this machine."""
    text = re.sub(r"-----BEGIN ([A-Z ]*PRIVATE KEY)-----.*?-----END \1-----", "a private key, left out", text, flags=re.DOTALL)
    for folder in (tempfile.gettempdir(), str(ROOT), str(pathlib.Path.home())):
        if f"{folder}/" in text:
            raise RuntimeError(f"a store names {folder}")
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", choices=[*PLACES], action="append", help="default: both")
    parser.add_argument("--version", default=run("--version")[1].split()[0].removesuffix("-unreleased"), help="default: the program's")
    parser.add_argument("--replace", action="store_true", help="put them in the place of those that are there")
    options = parser.parse_args()
    folder = FIXTURES / options.version
    for engine in options.engine or PLACES:
        if not options.replace and (folder / f"{engine}.json").exists():
            parser.error(f"{options.version} has its stores on {engine}: only before its release may they be made again, with --replace")
        texts, told = make(engine)
        folder.mkdir(parents=True, exist_ok=True)
        for kind, text in texts.items():
            (folder / f"{kind}.{engine}.sql").write_text(cleaned(text))
            print(f"{kind:18} {engine:11} {len(text.encode()):7} bytes", flush=True)
        (folder / f"{engine}.json").write_text(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main()
