"""Holds the running servers to their OpenAPI files: schemathesis sends what the files allow and what they do not.

Each operation has to be seen to succeed, and nothing may be answered with a status that its file does not name.
`BILLFOLD_API_EXAMPLES` and `BILLFOLD_API_SEED` make a run longer and repeatable.
"""
import hashlib
import http.client
import http.server
import json
import os
import pathlib
import random
import re
import secrets
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request

import yaml

import alipay_plus
import issuer
import super_app
from alipay_wallet import Application, Notified, pay as pay_in_wallet
from parties import PROGRAM, ROOT, Billfold, buy, free_ports, get, get_json, merchant_books, post, provision, put, wait_for

EXAMPLES = int(os.environ.get("BILLFOLD_API_EXAMPLES", 10))
SEED = int(os.environ.get("BILLFOLD_API_SEED", 20_261_121))
OUTSIDE = pathlib.Path(__file__).resolve().parent
# Their success takes what this setting has not: the code that a customer got, Apple's gateway, a merchant with a domain, an alarm, a query without
# names. Other suites have them.
SUCCEEDS_ELSEWHERE = {
    "activateBrokerCard", "answerBankPage", "clearAlarm", "resolveStop", "startSession", "domainAssociation", "domainAssociationText", "landAppSwitch",
    "openConsent", "leaveConsent", "readOption"}
REFUND_PASSWORD = "leaves and patience"
ORDER = {
    "goods": "electronic", "currency": "CNY", "country": "CN", "merchantName": "Shop",
    "lines": [{"label": "Song", "unitAmount": "16.50", "quantity": 2, "taxRate": "0"}]}


class Tap(http.server.ThreadingHTTPServer):
    """Stands before the public listener and keeps what others sign: notifications, and payments that never arrive.

    A payment that is kept has a good token, and its order is still open: whoever sends it is the first.
    """

    daemon_threads = True

    def __init__(self, port):
        super().__init__(("127.0.0.1", port), TapHandler)
        self.target = None
        self.keeps_payments = False
        # A wallet that credits nothing is told again and again.
        self.refuses_refunds = False
        self.notifications, self.payments = [], []
        # What networks told the issuer, by operation.
        self.told = {"decisions": [], "codes": [], "events": []}
        threading.Thread(target=self.serve_forever, daemon=True).start()


class TapHandler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.server.keeps_payments and self.path.endswith("/payments"):
            self.server.payments.append({
                "id": self.path.split("/")[3], "body": json.loads(body),
                "secret": self.headers["Authorization"].removeprefix("Bearer ")})
            return self.answer(503, "application/json", b'{"error":{"code":"unavailable","reason":"kept"}}')
        if self.server.refuses_refunds and self.path == "/wallet/link/v1/refunds":
            return self.answer(503, "application/json", b'{"error":{"code":"unavailable","reason":"refused"}}')
        self.forward(body)
        if self.path.startswith("/network/v1/"):
            self.server.told[self.path.rsplit("/", 1)[1]].append(json.loads(body))
        if self.path == "/unionpay/notify":
            self.server.notifications.append(dict(urllib.parse.parse_qsl(body.decode(), keep_blank_values=True)))

    def do_GET(self):
        self.forward(None)

    def forward(self, body):
        headers = {name: value for name, value in self.headers.items() if name.lower() not in ("host", "connection", "content-length")}
        request = urllib.request.Request(self.server.target + self.path, data=body, headers=headers, method=self.command)
        try:
            answer = urllib.request.urlopen(request, timeout=60)
        except urllib.error.HTTPError as refusal:
            answer = refusal
        with answer:
            self.answer(answer.status, answer.headers["Content-Type"], answer.read())

    def answer(self, status, content_type, body):
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class RemoteConsole(Billfold):
    """A console that is reached beyond loopback: behind TLS, and operators sign in."""

    def __init__(self):
        super().__init__("--roles", "console")
        port = self.console.rsplit(":", 1)[1]
        self.certificate, key = self.folder / "tls.pem", self.folder / "tls.key.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
             "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", self.certificate],
            check=True, capture_output=True)
        self.command[self.command.index("--console") + 1] = f"0.0.0.0:{port}"
        self.command += ["--tls-certificate", str(self.certificate), "--tls-key", str(key)]
        self.console = f"https://127.0.0.1:{port}"
        self.ready = [f"{self.console}/readyz"]
        self.operator, self.password = "administrator", secrets.token_urlsafe(24)
        data = self.folder / "data"
        data.mkdir(mode=0o700)
        subprocess.run([PROGRAM, "db", "migrate", "--kind", "cards", "--database", data / "billfold.sqlite"], check=True, capture_output=True)
        subprocess.run(
            [PROGRAM, "operators", "add", self.operator, "--roles", "viewer,operator,approver,administrator", "--data", data], check=True,
            capture_output=True, text=True, input=f"{self.password}\n")
        # What Python trusts by default.
        os.environ["SSL_CERT_FILE"] = str(self.certificate)

    def stop(self):
        os.environ.pop("SSL_CERT_FILE", None)
        super().stop()


class Office(issuer.Bank):
    """A bank that runs already, for customers who go as far as they are told."""

    def __init__(self, billfold):
        self.public, self.sandbox = billfold.public, billfold.sandbox
        self.api_key = (billfold.folder / "data/bank.key").read_text().strip()
        self.lock, self.unanswered, self.error_bodies = threading.Lock(), 0, bytearray()

    def customer(self, seed, account="moved@example.com"):
        customer = issuer.Provisioning(self, seed)
        customer.network, customer.card, customer.account = "visa", issuer.CARDS["visa"], account
        customer.token = json.loads(self.until_answered(
            "POST", f"{self.public}/provisioning/v1/sessions", {"customer": "c-1", "device": customer.element}, self.api_key)[1])["token"]
        return customer

    def challenge(self, customer):
        query = urllib.parse.urlencode({"encryptionVersion": "EV_ECC_v2", "appleAccount": customer.account})
        return json.loads(customer.broker("GET", f"issuerProvisioningCertificates?{query}")[1])

    def request(self, seed):
        """A body for pass data with a challenge of its own."""
        challenge = self.challenge(self.customer(seed))
        return {name: challenge[name] for name in ("certificates", "nonce", "nonceSignature")} | {"encoding": "hex"}

    def sealed(self, seed):
        """A card that the host sealed, as its device brings it to the broker, and nobody brought it yet."""
        customer = self.customer(seed)
        path = f"/provisioning/v1/cards/{customer.card}"
        configuration = json.loads(customer.issuer("GET", f"{path}/configuration")[1])
        challenge = self.challenge(customer)
        body = {name: challenge[name] for name in ("certificates", "nonce", "nonceSignature")} | {"encoding": "hex"}
        sealed = json.loads(customer.issuer("POST", f"{path}/pass-data", body)[1])
        # With it the token would be active at once.
        del sealed["activationData"]
        brought, broker = {}, customer.broker
        customer.broker = lambda method, path, body: (200, json.dumps({"cardId": brought.update(body)}))
        customer.submit(sealed, challenge, configuration, "EV_ECC_v2")
        customer.broker = broker
        return customer, brought

    def cards(self, first=0):
        """Cards at each step of their way into a device, for the broker's operations."""
        pools = {"sealedCards": [], "removableCards": [], "enabledCards": [], "waitingCards": [], "lostDevices": [], "devices": []}
        for seed in range(4):
            customer, body = self.sealed(first + seed)
            if seed == 0:
                pools["sealedCards"].append({"element": customer.element, "body": body})
                continue
            place = {"element": customer.element, "card": json.loads(customer.broker("POST", "cards", body)[1])["cardId"]}
            enabled = json.loads(customer.broker("POST", f"cards/{place['card']}/enable", {"termsAccepted": True})[1])
            if seed == 1:
                pools["removableCards"].append(place)
                continue
            if seed == 2:
                pools["enabledCards"].append({**place, "body": {"termsAccepted": True}})
                pools["lostDevices"].append({"element": customer.element, "body": {"lost": False}})
                pools["devices"].append({"element": customer.element})
                continue
            method = next(each for each in enabled["verificationMethods"] if each["type"] == "TEXT_TO_CARDHOLDER_NUMBER")
            pools["waitingCards"].append({**place, "body": {"methodIdentifier": method["identifier"]}})
        return pools

    def waiting(self, seed):
        """A token whose customer has asked for a code and not entered it."""
        customer = self.customer(seed)
        path = f"/provisioning/v1/cards/{customer.card}"
        configuration = json.loads(customer.issuer("GET", f"{path}/configuration")[1])
        challenge = self.challenge(customer)
        body = {name: challenge[name] for name in ("certificates", "nonce", "nonceSignature")} | {"encoding": "hex"}
        sealed = json.loads(customer.issuer("POST", f"{path}/pass-data", body)[1])
        # With it the token would be active at once.
        del sealed["activationData"]
        card = customer.submit(sealed, challenge, configuration, "EV_ECC_v2")
        enabled = json.loads(customer.broker("POST", f"cards/{card}/enable", {"termsAccepted": True})[1])
        method = next((each for each in enabled["verificationMethods"] if each["type"] == "TEXT_TO_CARDHOLDER_NUMBER"), None)
        if method is None:
            raise RuntimeError(f"no code can be sent: {enabled}")
        customer.broker("POST", f"cards/{card}/verification", {"methodIdentifier": method["identifier"]}, good=(202,))
        return {"card": customer.card, "token": enabled["pass"]["deviceAccountIdentifier"]}


class ApiTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        (port,) = free_ports(1)
        cls.tap = Tap(port)
        address = f"http://127.0.0.1:{port}"
        cls.billfold = Billfold("--merchant-url", address, "--issuer-url", address, "--wallet-url", address)
        cls.tap.target = cls.billfold.public
        cls.addClassCleanup(cls.tap.server_close)
        cls.addClassCleanup(cls.tap.shutdown)
        cls.addClassCleanup(cls.billfold.stop)
        cls.billfold.start()
        cls.key = (cls.billfold.folder / "data/api.key").read_text().strip()

    def merchant(self, path, body=None):
        headers = {"Authorization": f"Bearer {self.key}"}
        if body is None:
            return get_json(self.billfold.public + path, headers)
        return post(self.billfold.public + path, body, {**headers, "Idempotency-Key": f"{random.getrandbits(64):x}"})

    def tokens(self, card):
        """A card's tokens with their secure elements, as the back office shows them."""
        page = get(f"{self.billfold.console}/provisioning/cards/{card}")[1].decode()
        parts = page.split('<li data-token="')[1:]
        return [(part.split('"')[0], re.search("[0-9A-F]{48}", part).group()) for part in parts]

    def payments(self):
        return [
            each for each in merchant_books(self.billfold.public, self.key)["payments"]
            if each["state"] == "succeeded" and each.get("settlementDay")]

    def setting(self):
        """Orders, payments in each state that an operation needs, and what only others can sign."""
        for product in ["longjing", "field-guide", "celadon-cup", "rain-on-slate", "longjing", "field-guide", "celadon-cup"]:
            buy(self.billfold.sandbox, product)
        paid = [each["id"] for each in wait_for("payments", lambda: len(self.payments()) >= 7 and self.payments())]
        self.tap.keeps_payments = True
        for product in ["field-guide", "rain-on-slate", "longjing"]:
            threading.Thread(target=buy, args=(self.billfold.sandbox, product), daemon=True).start()
        wait_for("kept payments", lambda: len({each["id"] for each in self.tap.payments}) >= 3)
        self.tap.keeps_payments = False
        orders = [self.merchant("/v1/orders", {**ORDER, "reference": f"A-{number}"}) for number in range(3)]
        refunds = [self.merchant(f"/v1/payments/{paid[0]}/refunds", {"amount": "0.01"})["id"] for _ in range(2)]
        return {
            "key": self.key, "turns": [True, False], "payments": paid[:4], "cancellable": paid[4:], "refunds": refunds,
            "orders": [{"id": each["id"], "secret": each["clientSecret"]} for each in orders],
            "kept": list({each["id"]: each for each in self.tap.payments}.values()),
            "notifications": self.tap.notifications[:], "day": self.payments()[0]["settlementDay"]}

    def hold(self, file, address, setting, *, leaving_out=(), only=None, options=(), examples=EXAMPLES):
        """Runs schemathesis over one API, and counts what each operation answered."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.billfold.folder))
        (folder / "setting.json").write_text(json.dumps(setting))
        counts = folder / "counts"
        counts.touch()
        path = ROOT / "docs/openapi" / f"{file}.yaml"
        command = [
            str(pathlib.Path(sys.executable).parent / "st"), "--config-file", str(OUTSIDE / "schemathesis.toml"), "run", str(path), "--url",
            address, "--seed", str(SEED), "--max-examples", str(examples), "--continue-on-failure", "--workers", "1", *options]
        for operation in only or ():
            command += ["--include-operation-id", operation]
        for operation in leaving_out:
            command += ["--exclude-operation-id", operation]
        print(f"{file}: seed {SEED}, {examples} examples", flush=True)
        run = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, env={
                **os.environ, "SCHEMATHESIS_HOOKS": "api_hooks", "PYTHONPATH": str(OUTSIDE), "BILLFOLD_API_SETTING": str(folder / "setting.json"),
                "BILLFOLD_API_COUNTS": str(counts)})
        seen = {}
        for line in counts.read_text().splitlines():
            name, status = line.split(" ")
            seen.setdefault(name, {}).setdefault(status, 0)
            seen[name][status] += 1
        for name, statuses in sorted(seen.items()):
            print(f"  {name:20} {dict(sorted(statuses.items()))}")
        self.assertEqual(run.returncode, 0, f"{run.stdout}\n{run.stderr}")
        faults = []
        for operations in yaml.safe_load(path.read_text())["paths"].values():
            for operation in operations.values():
                if not isinstance(operation, dict) or (name := operation["operationId"]) in leaving_out or only and name not in only:
                    continue
                documented = {str(each) for each in operation["responses"]}
                answered = seen.get(name, {})
                if name not in SUCCEEDS_ELSEWHERE and not any(each[0] in "23" and each in documented for each in answered):
                    faults.append(f"{name} was never seen to succeed: {answered}")
                if strange := answered.keys() - documented:
                    faults.append(f"{name} answered what its file does not name: {sorted(strange)}")
        self.assertEqual(faults, [])

    def test_card_payments(self):
        self.hold("card-payments", self.billfold.public, self.setting())

    # An endpoint that a chain of requests has made is not the one that is fed to its next request.
    WITHOUT_CHAINS = ("--phases", "examples,coverage,fuzzing")

    def events_setting(self, base, key):
        """Events, and endpoints that nobody listens at: how a delivery ends is another suite's."""
        bearer = {"Authorization": f"Bearer {key}"}
        def enough():
            # A stream is read until three have come.
            events = get_json(f"{base}/v1/events?limit=20", bearer)["events"]
            return len(events) >= 3 and events

        events = wait_for("events", enough)
        names = [
            post(f"{base}/v1/webhook-endpoints", {"url": f"http://localhost:9/{number}", "enabled": number % 2 == 0}, bearer)["id"]
            for number in range(9)]
        self.addCleanup(self.delete_endpoints, base, bearer)
        return {
            "key": key, "turns": [True, False], "events": [each["id"] for each in events], "eventObjects": [events[0]["object"]["id"]],
            "eventCursors": [get_json(f"{base}/v1/events?limit=1", bearer)["next"]], "endpoints": names[:4], "deletable": names[4:],
            "hooks": [{"url": f"http://localhost:9/new/{number}", "events": ["payment.failed"]} for number in range(4)]}

    def delete_endpoints(self, base, bearer):
        for each in get_json(f"{base}/v1/webhook-endpoints", bearer)["endpoints"]:
            request = urllib.request.Request(f"{base}/v1/webhook-endpoints/{each['id']}", headers=bearer, method="DELETE")
            urllib.request.urlopen(request, timeout=60).close()

    def test_events(self):
        for _ in range(3):
            buy(self.billfold.sandbox, "longjing")
        self.hold(
            "events", self.billfold.public, self.events_setting(self.billfold.public, self.key), options=self.WITHOUT_CHAINS)

    def test_events_of_the_issuer(self):
        """The same interface below another path, with the bank's key and books."""
        office = Office(self.billfold)
        # Cards are known once their customer has logged in; the console's test may have switched them off.
        office.customer(299)
        for place in ["programmes/visa-credit", "cards/visa-1"]:
            self.switch_on(place)
        for seed in range(300, 303):
            office.waiting(seed)
        base = f"{self.billfold.public}/provisioning"
        key = (self.billfold.folder / "data/bank.key").read_text().strip()
        self.hold("events", base, self.events_setting(base, key), options=self.WITHOUT_CHAINS)

    def test_provisioning(self):
        office = Office(self.billfold)
        # Cards are known once their customer has logged in; the console's test may have switched them off.
        office.customer(298)
        for place in ["programmes/visa-credit", "cards/visa-1"]:
            self.switch_on(place)
        for told in self.tap.told.values():
            told.clear()
        waiting = [office.waiting(seed) for seed in range(3)]
        told = {name: wait_for(name, lambda: self.tap.told[name][:]) for name in self.tap.told}
        session = office.customer(100).token
        # For the bank's own systems: an active token, and an import of which a part was taken.
        place, bearer = office.waiting(50), {"Authorization": f"Bearer {office.api_key}"}
        token, activations = place["token"], f"{office.public}/provisioning/v1/cards/{place['card']}/activations"
        wait_for("the activation", lambda: office.ask("POST", activations, {"tokenReference": token}, session)[0] in (200, 202))
        wait_for("the bank's token", lambda: self.state_at_the_bank(office, token) == "active")
        post(f"{office.public}/bank/v1/card-imports", {"importId": "api", "part": 0, "cards": [
            {"id": "api-1", "primaryAccountNumber": "4055510000000046", "expiration": "12/33", "cardholderName": "NAME SPECIMEN",
             "network": "visa", "customer": "api", "status": "active", "contacts": []}]}, bearer)
        network = (self.billfold.folder / "data/network-visa.key").read_text().strip()
        app = [
            "listCards", "readEligibility", "readConfiguration", "makePassData", "readDocumentedConfiguration", "makeDocumentedPassData",
            "activateToken"]
        self.hold("provisioning", self.billfold.public, {
            "key": office.api_key, "turns": [True, False], "customers": ["c-1", "c-2"], "cards": ["visa-1"], "waiting": waiting,
            "challenges": [office.request(seed) for seed in range(200, 204)],
            "documentedChallenges": [office.request(seed) for seed in range(204, 208)],
            "eventCards": ["unionpay-1"], "bankTokens": [token], "bankActions": ["resume", "suspend"], "imports": ["api"],
            "switchable": ["mastercard-debit"], "switchableCards": ["unionpay-1"],
            "credentials": {**dict.fromkeys(app, session), **dict.fromkeys(["decide", "deliverCode", "takeEvent"], network)}, **told})

    def state_at_the_bank(self, office, token):
        status, body = office.ask("GET", f"{office.public}/bank/v1/tokens/{token}", bearer=office.api_key)[:2]
        return json.loads(body)["state"] if status == 200 else None

    def switch_on(self, place):
        request = urllib.request.Request(
            f"{self.billfold.console}/api/provisioning/{place}/switch", json.dumps({"on": True, "remark": "for the test"}).encode(),
            {"Content-Type": "application/json"}, method="PUT")
        with urllib.request.urlopen(request) as answer:
            self.assertEqual(answer.status, 204)

    def express(self, billfold):
        """A merchant of the order gateway with paid orders: its application, and what was paid."""
        notified = Notified()
        self.addCleanup(notified.stop)
        data = billfold.folder / "data"
        keys = {name: (data / f"{name}.key").read_text().strip() for name in ("wallet-link", "gateway-link", "alipay-onboarding")}
        application = Application(billfold.public, keys["alipay-onboarding"], notified, md5="two-leaves-and-a-bud-0123456789", refund_password=REFUND_PASSWORD)
        numbers = [f"API{number}" for number in range(3)]
        for number in numbers:
            self.assertEqual(pay_in_wallet(billfold.public, application.order(number, "9.00", notified.url))["resultStatus"], "9000")
        return application, notified, numbers, keys

    def gateway_setting(self, billfold):
        application, notified, numbers, keys = self.express(billfold)
        wallet = {"Authorization": f"Bearer {keys['wallet-link']}"}
        day = time.strftime("%Y-%m-%d", time.gmtime(time.time() + 8 * 3600))
        entries = get_json(f"{billfold.public}/link/v1/books?day={day}", wallet)["entries"]
        order = application.order("APIREF", "9.00", notified.url)
        shown = post(f"{billfold.public}/link/v1/orders", {"requestId": "ref", "order": order, "channel": "app"}, wallet)
        return {
            "turns": [True, False], "gateway": billfold.public, "walletKey": keys["wallet-link"], "md5": application.md5, "refundPassword": REFUND_PASSWORD,
            "application": {
                "appID": application.app_id, "partner": application.partner, "key": application.private_pem(), "notify": notified.url},
            "gatewayCalls": [
                "alipay.trade.query", "single_trade_query", "alipay.trade.refund", "forex_rate_file", "alipay.trade.close",
                "alipay.trade.cancel", "alipay.trade.fastpay.refund.query"],
            "outTradeNos": numbers + ["NONE"], "paymentRequests": [each["requestId"] for each in entries], "refs": [shown["ref"]],
            "billDay": day, "batchDay": day.replace("-", ""),
            "credentials": {
                **dict.fromkeys(["showOrder", "openTrade", "pay", "askPayment", "withdrawPayment", "askResult", "readBooks"], keys["wallet-link"]),
                **dict.fromkeys(["refundCustomer", "listBooks"], keys["gateway-link"]), "registerMerchant": keys["alipay-onboarding"]}}, application, notified

    def test_order_gateway(self):
        # Its own, because the clock is moved: a bill is there the next day.
        with Billfold() as billfold:
            setting, *_ = self.gateway_setting(billfold)
            put(f"{billfold.sandbox}/clock", {"advanceSeconds": 36 * 3600})
            setting["batchDay"] = time.strftime("%Y%m%d", time.gmtime(time.time() + (36 + 8) * 3600))
            self.hold("alipay", billfold.public, setting)

    def acquiring_setting(self, network, begun):
        described = yaml.safe_load((ROOT / "docs/openapi/alipay-plus.yaml").read_text())["paths"]
        calls = [path["post"] for name, path in described.items() if name.startswith(alipay_plus.BASE)]
        signers = {
            "acquirer": {"client": alipay_plus.CLIENT, "key": "acquirer"}, "wallet": {"client": "SANDBOX_TEST_PH", "key": "wallet"}}
        option = {
            "acquirer": alipay_plus.ACQUIRER_ID, "merchant": hashlib.sha256(alipay_plus.MERCHANT.encode()).hexdigest(),
            "product": "CASHIER_PAYMENT", "currency": "SGD", "region": "HK", "pattern": "P1-APP-01"}
        # What is cancelled or given back has no sheet that anybody can choose on.
        shown, named = begun[:2], begun[2:]
        return {
            "turns": [True, False, False], "sheets": [address.rsplit("/", 1)[1] for _, address in shown],
            "payRequests": [request for request, _ in begun], "paymentNames": [request["paymentRequestId"] for request, _ in named],
            "options": [{**option, "file": f"alipayplus.{ending}"} for ending in ("json", "svg")], "logos": ["TEST_PH.svg"],
            "acquirers": [network.acquirer()], "wallets": [network.wallet(name) for name in alipay_plus.WALLETS],
            "partyKeys": {"acquirer": alipay_plus.pem(network.key), "wallet": alipay_plus.pem(network.wallet_key)},
            "signers": {each["operationId"]: signers[each["tags"][0]] for each in calls},
            "credentials": dict.fromkeys(["registerAcquirer", "registerWallet"], network.onboarding_key)}

    def test_acquiring_gateway(self):
        with Billfold() as billfold:
            network = alipay_plus.Network(billfold)
            self.addCleanup(network.stop)
            begun = [network.begin(value=str(1000 + number)) for number in range(4)]
            self.hold("alipay-plus", billfold.public, self.acquiring_setting(network, begun))

    def test_wallet(self):
        with Billfold() as billfold:
            setting, application, notified = self.gateway_setting(billfold)
            # The merchant is told whose each payment is.
            told = [notified.wait(lambda each: each.get("out_trade_no") == number) for number in setting["outTradeNos"][:3]]
            setting["walletPayments"] = [{"tradeNo": each["trade_no"], "buyerID": each["buyer_id"]} for each in told]
            setting["checkouts"] = []
            for number in range(2):
                order = application.order(f"CHECKOUT{number}", "9.00", notified.url)
                request = urllib.request.Request(f"{billfold.public}/cashier", urllib.parse.urlencode({"order": order}).encode())
                with urllib.request.urlopen(request, timeout=60) as page:
                    setting["checkouts"].append(re.search("[0-9a-f]{64}", page.url).group())
            self.hold("wallet", billfold.public, setting)

    def super_app_setting(self, outside):
        """Everything that has to be somebody's, a few of each."""
        tokens = [outside.tokens() for _ in range(4)]
        refreshable = [outside.tokens()["refreshToken"] for _ in range(4)]
        # An agreement that is taken back ends tokens, so those who test that have a user of their own.
        other = outside.sign_in("wei@example.test")
        outside.approve("mini-program-grant", super_app.APP, {
            "reason": "test", "grant": {"scopes": [{"scope": "AGREEMENT_PAY", "rule": "ask"}]}})
        calls = {
            "merchant": ["exchangeToken", "exchangeTokenOlder", "inquiryUserInfo", "inquiryUserInfoOlder", "prepareContract"],
            "author": ["putApp", "putPage", "takeStep", "inquireApp", "putCode"]}
        clients = {"merchant": super_app.CLIENT, "author": super_app.AUTHOR}
        users = ["applyAuthCode", "agree", "listAgreements", "readContract", "signContract"]
        client = {"appId": super_app.APP, "authClientId": super_app.CLIENT}
        return {
            "turns": [True, False], "partyKeys": {"outside": alipay_plus.pem(outside.key)},
            "signers": {each: {"client": clients[who], "key": "outside"} for who, names in calls.items() for each in names},
            "credentials": {
                **dict.fromkeys(users, outside.session), "revoke": other, "registerAtSuperApp": outside.onboarding_key,
                "endUserSession": outside.app_session()},
            "person": {"name": "mei@example.test", "password": "two-leaves-tea"},
            "endable": [outside.app_session() for _ in range(4)],
            "scopes": [{**client, "scopes": ["auth_base"]}, {**client, "scopes": ["USER_NAME"]}],
            "exchanges": [
                *({**client, "grantType": "AUTHORIZATION_CODE", "authCode": outside.code()} for _ in range(8)),
                *({**client, "grantType": "REFRESH_TOKEN", "refreshToken": each} for each in refreshable)],
            "inquiries": [{**client, "accessToken": each["accessToken"]} for each in tokens],
            "contracts": [{"scopes": "AGREEMENT_PAY", "extendInfo": json.dumps({"contractDesc": "Tea"})}],
            "addresses": [outside.contract()], "miniPrograms": [super_app.APP], "packages": [outside.package_name()],
            "registrations": [outside.registration()]}

    def test_super_app(self):
        with Billfold() as billfold:
            outside = super_app.SuperApp(billfold)
            version = outside.publish()
            listed = get_json(f"{billfold.public}{super_app.BASE}/apps?container=1.0.0")["apps"]
            self.assertEqual([each["releaseVersion"] for each in listed if each["appId"] == super_app.APP], [version])
            setting = self.super_app_setting(outside)
            self.assertTrue(all(each["accessToken"] for each in setting["inquiries"]))
            self.hold("oauth", billfold.public, setting)
            # An archive that nobody signed tells little: one was uploaded above, and its answer held to its signature.
            self.hold("mini-programs", billfold.public, setting, leaving_out=["uploadPackage"])

    def test_every_route_is_in_its_file(self):
        """Routes as the sources add them: a server has no list of them to ask for."""
        for server, file in (("ProvisioningServer", "provisioning"), ("AlipayServer", "alipay")):
            with self.subTest(server):
                self.routes_are_described(f"{server}/Routes", file)
        # The wallet's other routes are pages, and two interfaces that its own file describes.
        for folder, file in (("OAuth", "oauth"), ("MiniPrograms", "mini-programs")):
            with self.subTest(folder):
                self.routes_are_described(f"WalletServer/Routes/{folder}", file)
        with self.subTest("AlipayPlusServer"):
            self.routes_are_described("AlipayPlusServer/Routes", "alipay-plus", self.signed_calls())
        # What a server brings to the console is in the console's file.
        with self.subTest("Console"):
            routes = {each for desk in ROOT.glob("Sources/*Server/Console") for each in self.routes(desk) if each[1].startswith("/api/")}
            self.assertGreater(len(routes), 10, "no route of a desk is found in the sources")
            self.assertEqual(routes - self.operations("console"), set())

    def signed_calls(self):
        """The signed API's, which its tables name by their messages."""
        names = {}
        for source in (ROOT / "Sources/AlipayPlus/Messages").rglob("*.swift"):
            for name, api in re.findall(r'struct (\w+): AlipayPlusRequest \{.*?static let api = "([^"]+)"', source.read_text(), re.S):
                names[name] = api
        tables = (ROOT / "Sources/AlipayPlusServer/Routes/Envelope/PartyAPI.swift").read_text()
        called = re.findall(r"(\w+)\.api: PartyCall", tables)
        self.assertGreater(len(called), 10, "no call is found in the sources")
        return {("post", alipay_plus.BASE + names[each]) for each in called}

    def routes_are_described(self, folder, file, others=()):
        routes = self.routes(ROOT / "Sources" / folder)
        self.assertGreater(len(routes), 5, "no route is found in the sources")
        self.assertEqual(routes | set(others), self.operations(file))

    def routes(self, folder):
        routes = set()
        for source in folder.rglob("*.swift"):
            text = source.read_text()
            base = re.search(r'base = "([^"]*)"', text)
            for method, path in re.findall(r'router\.(get|post|put|delete|patch)\("([^"]*)"', text):
                path = path.replace("\\(base)", base.group(1) if base else "").replace("\\(Bills.path)", "/bill")
                path = path.replace("\\(RefundBatchPage.path)", "/refund-batches")
                # One closure serves the two steps that an alarm has.
                for step in ("retry", "clear") if "\\(step)" in path else ("",):
                    routes.add((method, re.sub(r":\w+|{\w+}", "{}", path.replace("\\(step)", step))))
        return routes

    def operations(self, file):
        described = yaml.safe_load((ROOT / f"docs/openapi/{file}.yaml").read_text())["paths"]
        described = {re.sub(r"{\w+}", "{}", path): methods for path, methods in described.items()}
        return {(method, path) for path, methods in described.items() for method in methods if method != "parameters"}

    def test_console(self):
        buy(self.billfold.sandbox, "field-guide")
        stories = [each["id"] for each in get_json(f"{self.billfold.console}/api/stories")["stories"] if each["entries"] >= 10]
        order = self.merchant("/v1/orders", {**ORDER, "reference": "C-1"})["id"]
        application, notified, numbers, _ = self.express(self.billfold)
        self.assertTrue(notified.wait(lambda each: each.get("out_trade_no") == numbers[-1]))
        self.tap.refuses_refunds = True
        self.addCleanup(setattr, self.tap, "refuses_refunds", False)
        application.refund(self.billfold.public, numbers[0], "0.01")
        owed = wait_for("a refund that is not credited", lambda: re.findall(
            'data-resend="/api/gateway/refunds/([0-9]{16})/([0-9a-f]+)/resend"', get(f"{self.billfold.console}/gateway")[1].decode()))
        trades = re.findall('href="/gateway/trades/([0-9]{28})"', get(f"{self.billfold.console}/gateway")[1].decode())
        told = wait_for("settled notifications", lambda: self.replays(trades))
        network = alipay_plus.Network(self.billfold)
        self.addCleanup(network.stop)
        paid = []
        for _ in range(3):
            request, address = network.begin()
            network.confirm("TEST_PH", network.scan(address, "TEST_PH"))
            paid.append(network.until_told(request["paymentRequestId"])["paymentId"])
        acquired = wait_for("told payments", lambda: self.acquiring_replays(paid))
        alarms = self.acquiring_alarms(network)
        told_of, resendable = self.told_events()
        hosted = super_app.SuperApp(self.billfold)
        hosted.publish()
        # A token to act on, and one in a device that gets lost.
        self.assertEqual(provision(self.billfold.sandbox, "visa-1"), "ready")
        phone = wait_for("a token in the phone", lambda: self.tokens("visa-1"))
        self.assertEqual(provision(self.billfold.sandbox, "visa-1", "tablet"), "ready")
        tablet = wait_for("one in the tablet", lambda: [each for each in self.tokens("visa-1") if each not in phone])
        lost = [f"{number:048X}" for number in range(1, 13)]
        for element in lost:
            post(f"{self.billfold.console}/api/provisioning/lost-devices", {"secureElement": element})
        self.hold(
            "console", self.billfold.console,
            {"turns": [True, False], "stories": stories, "orderIds": [order], "console": self.billfold.console,
             "cards": ["visa-1"], "programmes": ["visa-credit"], "tokens": [each[0] for each in phone],
             "tokenActions": ["suspend", "resume"], "secureElements": [each[1] for each in tablet], "lostElements": lost, "trades": trades,
             "hosted": [super_app.APP], "notifications": [{"merchant": each[0], "id": each[1]} for each in told],
             "owedRefunds": [{"merchant": each[0], "id": each[1]} for each in owed], "plusPayments": paid,
             "plusNotifications": [{"acquirer": each[0], "id": each[1]} for each in acquired],
             "toldOwners": [{"office": "merchants", "owner": each["owner"]} for each in told_of], "toldEvents": told_of, "resendable": resendable,
             "stuckAlarms": alarms["leg-stuck"], "amountAlarms": alarms["amount-differs"]},
            # Signing in exists beyond loopback only.
            leaving_out=["signIn", "signOut"])

    def told_events(self):
        """Events, and an endpoint that was not told of them: what is sent there is soon refused, and can be sent again."""
        owner = re.search('href="/webhooks/merchants/([^"?/]+)"', get(f"{self.billfold.console}/webhooks")[1].decode())[1]
        bearer = {"Authorization": f"Bearer {self.key}"}
        events = wait_for("events", lambda: get_json(f"{self.billfold.public}/v1/events?limit=20", bearer)["events"])
        endpoints = [
            post(f"{self.billfold.public}/v1/webhook-endpoints", {"url": f"http://localhost:9/console/{number}"}, bearer)["id"]
            for number in range(2)]
        self.addCleanup(self.delete_endpoints, self.billfold.public, bearer)
        told = [{"office": "merchants", "owner": owner, "event": each["id"]} for each in events]
        return told, [{**each, "endpoint": endpoint} for each in told for endpoint in endpoints]

    def acquiring_alarms(self, network, count=12):
        """Alarms about wallets that give nothing back, and about another amount than was asked for."""
        network.refusing = {"cancelPayment": "CANCEL_WINDOW_EXCEED", "refund": "PROCESS_FAIL"}
        for _ in range(count):
            _, address = network.begin()
            network.scan(address, "TEST_PH")
            other = network.scan(address, "TEST_HK")
            network.call("payments/notifyPayment", {
                "paymentResult": {"resultStatus": "S", "resultCode": "SUCCESS", "resultMessage": "success"}, "paymentRequestId": other,
                "paymentId": "W", "paymentAmount": {"currency": "SGD", "value": "1"}}, "TEST_HK")

        def found():
            page = get(f"{self.billfold.console}/acquiring")[1].decode()
            places = re.findall('data-step="/api/acquiring/alarms/([0-9]+)/([a-z-]+)/([0-9a-f]{32})/(?:retry|clear)"', page)
            alarms = {kind: [] for kind in ("leg-stuck", "amount-differs")}
            for acquirer, kind, subject in places:
                alarms[kind].append({"acquirer": acquirer, "kind": kind, "subject": subject})
            return alarms if all(len(each) >= count for each in alarms.values()) else None

        return wait_for("the acquiring gateway's alarms", found)

    def acquiring_replays(self, payments):
        pages = "".join(get(f"{self.billfold.console}/acquiring/payments/{each}")[1].decode() for each in payments)
        return re.findall('data-replay="/api/acquiring/notifications/([0-9A-Za-z]{16})/([0-9a-f]+)/replay"', pages)

    def replays(self, trades):
        """What can be sent again, as the gateway's back office offers it."""
        pages = "".join(get(f"{self.billfold.console}/gateway/trades/{each}")[1].decode() for each in trades)
        return re.findall('data-replay="/api/gateway/notifications/([0-9]{16})/([0-9a-f]+)/replay"', pages)

    def test_console_where_operators_sign_in(self):
        with RemoteConsole() as console:
            self.hold(
                "console", console.console,
                {"turns": [True, False], "console": console.console, "operator": {"name": console.operator, "password": console.password}},
                only=["signIn", "getSession", "signOut", "listStories", "metrics"], options=["--tls-verify", str(console.certificate)],
                # A password takes its time to check.
                examples=max(1, EXAMPLES // 10))


    def test_sandbox(self):
        # Its own, because plans, wallet and clock are set at will.
        with Billfold() as billfold:
            buy(billfold.sandbox, "field-guide")
            issued = get_json(f"{billfold.sandbox}/certificates")["certificates"]
            notices = wait_for("a back notice", lambda: [
                {"merchant": order["transaction"]["merId"], "id": each["id"]}
                for order in get_json(f"{billfold.sandbox}/unionpay/control/orders")["orders"] for each in order["notifications"]])
            # Its author publishes them by itself, once the wallet is there.
            wait_for("mini programs", lambda: all(
                each["state"] == "Full Release" for each in get_json(f"{billfold.sandbox}/author/v1/programs")["programs"]))
            orders = [self.client_order(billfold.sandbox) for _ in range(3)]
            self.hold("sandbox", billfold.sandbox, {
                **Office(billfold).cards(),
                "numbers": [number for number, _ in orders], "clientOrders": [cookie for _, cookie in orders],
                "turns": [True, False], "sandbox": billfold.sandbox, "public": billfold.public, "authorCodes": [True] * 6,
                "authorApp": {"appId": "2026112300000001", "authClientId": "tea-counter"}, "forms": ["orderStr", "paymentUrl"],
                "authorOperations": ["sign-in", "order", "order-state", "apply-token"],
                "person": {"name": "mei@example.test", "password": "two-leaves-tea"}, "products": ["longjing", "field-guide"],
                "serials": [each["serial"] for each in issued],
                "processing": [certificate_request(), certificate_request("RSA")], "identity": [certificate_request("RSA")],
                "plans": ["next", "default"], "backNotices": notices, "keys": ["EC"] * 7 + ["RSA"]},
                # The certificate office reads all that it issued each time.
                examples=min(EXAMPLES, 200))


    def client_order(self, sandbox):
        """An order of a browser that is paid by UnionPay's own client, by its number and by the cookie."""
        host = urllib.parse.urlsplit(sandbox).netloc
        connection = http.client.HTTPConnection(host, timeout=60)
        self.addCleanup(connection.close)

        def ask(method, path, body=None, **headers):
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read().decode()

        status, headers, _ = ask("POST", "/shop/unionpay", "", Cookie="cart=field-guide.1")
        self.assertEqual(status, 303)
        cookie = headers["Set-Cookie"].split(";")[0]
        number = re.search("/unionpay/pay/([0-9]{21})", ask("GET", "/shop/unionpay", Cookie=cookie)[2]).group(1)
        status, headers, _ = ask(
            "POST", f"/unionpay/pay/{number}/pay", "scheme=two-leaves-shop", **{"Content-Type": "application/x-www-form-urlencoded"})
        self.assertEqual((status, headers["Location"].split("?")[0]), (303, f"{sandbox}/shop/unionpay/result"))
        return number, cookie.split("=", 1)[1]


def certificate_request(kind="EC"):
    """A request in PEM, signed with a new key."""
    key = {"EC": ["ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"], "RSA": ["rsa:2048"]}[kind]
    return subprocess.run(
        ["openssl", "req", "-new", "-newkey", *key, "-nodes", "-keyout", os.devnull, "-subj", "/CN=merchant.example"], check=True,
        capture_output=True, text=True).stdout


if __name__ == "__main__":
    unittest.main(verbosity=2)
