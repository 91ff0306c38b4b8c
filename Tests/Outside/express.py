"""Kills the order gateway and the wallet while customers pay express orders, and compares three books.

Customers order at the sandbox's merchant, pay on the wallet's pages, and some of them get parts of their money back. Gateway and wallet
are killed with SIGKILL at random moments and started again, over and over, while the merchant lives on in a process and a folder of
its own. Whoever got no answer looks again, as a person with a browser does. Then everything is given time to settle, and the books of
wallet, gateway and merchant are compared line by line, with what customers were shown, with balances, and with every notification.

    python express.py [--engine sqlite|postgresql] [--servers N] [--kills N] [--seed N] [--customers N]
"""
import argparse
import contextlib
import datetime
import http.client
import json
import pathlib
import random
import secrets
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error

from alipay_wallet import MEI, Browser, Page, result_of
from parties import PROGRAM, free_ports, get, get_json, post
from postgresql import Cluster
from proxies import Balancer

PATIENCE = 120
BUYER = "2088000000000017"
# In minor units: what Mei has from the start, as somebody else has too, and what is brought in for her.
DEMONSTRATION, TOP_UP = 1_000_000, 100_000_000
OFFERS = [
    ("longjing", "modern", "128.00"), ("longjing", "legacy", "128.00"), ("celadon-cup", "modern", "88.00"),
    ("celadon-cup", "legacy", "88.00"), ("tea-tasting", "legacy", "320.00"), ("harbour-tray", "legacy", "260.00")]
FAULTS = [[], [], [], ["notification-doubled"], ["notification-reordered"], ["close-races-payment"]]
UNANSWERED = (OSError, http.client.HTTPException, urllib.error.URLError)


class Fault(Exception):
    """Something happened that may not happen, whoever is killed."""


class Purchase:
    """One customer, from the order to the last part of the refund."""

    def __init__(self, town, seed, browser):
        self.town, self.random, self.browser = town, random.Random(seed), browser
        self.interruptions = 0

    def until(self, what, ask):
        """Asks until there is a value; no answer, 429 and 5xx are a reason to look again."""
        end = time.monotonic() + PATIENCE
        last = None
        while time.monotonic() < end:
            try:
                value = ask()
                if value is not None:
                    return value
            except urllib.error.HTTPError as refused:
                last = f"{refused.code} {refused.read()[:200]}"
                if refused.code != 429 and refused.code < 500:
                    raise Fault(f"{what} was answered {last}") from refused
            except UNANSWERED as error:
                last = error
            self.interruptions += 1
            time.sleep(self.random.uniform(0.05, 0.5))
        raise Fault(f"{what} had no answer in {PATIENCE} s: {last}")

    def run(self):
        offer, generation, price = self.random.choice(OFFERS)
        faults = self.random.choice(FAULTS)
        orders = f"{self.town.sandbox}/alipay-merchant/v1/orders"
        order = self.until("an order", lambda: post(orders, {"offer": offer, "generation": generation, "faults": faults}))
        number = order["number"]
        outcome = self.pay(order["order"])
        self.town.note(number, outcome, faults)
        if outcome != "9000":
            return
        state = self.until("the order's state", lambda: post(f"{orders}/{number}/state", {}))
        if state["state"] not in ("paid", "refunded"):
            raise Fault(f"{number} was shown as paid, and the merchant has it as {state['state']}")
        for part in self.parts(price):
            # The same number until there is an answer: a refund is known by it.
            # A legacy batch is numbered by the day in China.
            day = time.strftime("%Y%m%d", time.gmtime(time.time() + 8 * 3_600))
            body = {"amount": part, "number": f"{day}{secrets.token_hex(6)}"}
            self.until("a refund", lambda: post(f"{orders}/{number}/refunds", body))
            self.town.count("refundsAsked")

    def parts(self, price):
        if self.random.random() < 0.5:
            return []
        cents = int(price.replace(".", ""))
        if self.random.random() < 0.3:
            return [price]
        return [f"{part // 100}.{part % 100:02}" for part in (self.random.randrange(1, cents // 2), self.random.randrange(1, cents // 2))]

    def pay(self, order):
        """What the customer is shown in the end."""
        session = self.until("the cashier", lambda: self.open(order))
        if session == "refused":
            return "refused"
        self.until("the way to the password", lambda: self.submit_password(session))

        def outcome():
            status = result_of(self.town.wallet, session)["resultStatus"]
            return None if status == "8000" else status

        return self.until("the result", outcome)

    def open(self, order):
        status, path, text = self.browser.ask("POST", "/cashier", {"order": order})
        if status == 422 and "T8912" in text:
            return "refused"
        return path if self.is_good(status, path, text) else None

    def submit_password(self, session):
        """One try to get through the pages; where it stands is the wallet's business."""
        status, path, text = self.browser.ask("GET", session)
        if not self.is_good(status, path, text):
            return None
        if path == session and "resultStatus" in text:
            return True
        status, path, text = self.browser.ask("GET", f"{session}/means")
        if path.endswith("/login"):
            status, path, text = self.browser.submit(Page(text), "/login", {"name": MEI[0], "password": MEI[1]})
        if path.endswith("/means") and self.is_good(status, path, text):
            status, path, text = self.browser.submit(Page(text), "/means", {"means": "balance"})
        if path.endswith("/password") and self.is_good(status, path, text):
            status, path, text = self.browser.submit(Page(text), "/password", {"password": MEI[2]})
        return True if path == session and status == 200 else None

    def is_good(self, status, path, text):
        """A page that goes on; 409 is the end of an order that somebody closed, and the next look shows it."""
        if status in (200, 303):
            return True
        if status in (409, 429) or status >= 500:
            return False
        raise Fault(f"{path} was answered {status}: {text[:300]}")


class Town:
    """The gateway and the wallet, each killed in turn, and the merchant, who is not."""

    def __init__(self, engine, servers, kills, seed, customers):
        self.engine, self.kills, self.customers, self.seed = engine, kills, customers, seed
        self.random = random.Random(seed)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="billfold-express-"))
        self.cluster = Cluster() if engine == "postgresql" else None
        if self.cluster:
            for name in ("gateway", "wallet"):
                self.cluster.run("createdb", "-h", str(self.cluster.folder), "-p", str(self.cluster.port), "-U", "billfold", name)
        # What the parties know each other by, in three folders of their own.
        self.keys = {name: secrets.token_urlsafe(32) for name in ("wallet-link.key", "gateway-link.key", "alipay-onboarding.key")}
        for owner in ("gateway", "wallet", "sandbox"):
            (self.folder / owner).mkdir(mode=0o700)
            for name, key in self.keys.items():
                (self.folder / owner / name).touch(mode=0o600)
                (self.folder / owner / name).write_text(key)
        ports = free_ports(2 * servers + 2)
        self.ports = {"gateway": ports[:servers], "wallet": ports[servers:2 * servers]}
        self.balancers = {name: Balancer(each) for name, each in self.ports.items()}
        self.gateway, self.wallet = (self.balancers[name].address for name in ("gateway", "wallet"))
        self.sandbox, self.console = (f"http://127.0.0.1:{port}" for port in ports[-2:])
        self.processes = {}
        self.log = (self.folder / "log").open("ab")
        self.lock, self.stopping = threading.Lock(), threading.Event()
        self.shown, self.counts, self.faults = {}, {"refundsAsked": 0, "interruptions": 0}, []
        self.ahead = 0

    # Processes

    def spawn(self, name, folder, *arguments):
        self.processes[name] = subprocess.Popen(
            [str(PROGRAM), "serve", "--data", str(self.folder / folder), "--alipay-gateway-url", self.gateway, "--wallet-url", self.wallet,
             "--alipay-merchant-url", self.sandbox, *arguments], stdout=self.log, stderr=subprocess.STDOUT)

    def spawn_server(self, kind, index, with_console=False):
        store = [f"--{'alipay-gateway' if kind == 'gateway' else kind}-database", self.address(kind)] if self.cluster else []
        role = "alipay-gateway" if kind == "gateway" else kind
        console = ["--console", self.console.removeprefix("http://")] if with_console else []
        self.spawn(
            f"{kind}-{index}", kind, "--roles", f"{role},console" if with_console else role, "--listen",
            f"127.0.0.1:{self.ports[kind][index]}", *store, *console)

    def address(self, kind):
        return self.cluster.address.rsplit("/", 1)[0] + f"/{kind}"

    def wait_for(self, url, patience=90):
        end = time.monotonic() + patience
        while time.monotonic() < end:
            try:
                if get(url, timeout=2)[0] == 200:
                    return
            except (OSError, urllib.error.URLError):
                pass
            time.sleep(0.05)
        raise RuntimeError(f"{url} was not ready in {patience} s:\n{(self.folder / 'log').read_text()[-3000:]}")

    def wait_for_server(self, kind, index):
        self.wait_for(f"http://127.0.0.1:{self.ports[kind][index]}/readyz")

    def start(self):
        for index in range(len(self.ports["gateway"])):
            self.spawn_server("gateway", index)
            self.wait_for_server("gateway", index)
        # Money is brought in through the console of the first wallet, which then starts again without one.
        self.spawn_server("wallet", 0, with_console=True)
        self.wait_for_server("wallet", 0)
        self.wait_for(f"{self.console}/readyz")
        self.top_up()
        self.kill("wallet", 0)
        for index in range(1, len(self.ports["wallet"])):
            self.spawn_server("wallet", index)
            self.wait_for_server("wallet", index)
        self.spawn("sandbox", "sandbox", "--roles", "alipay-merchant", "--sandbox", self.sandbox.removeprefix("http://"))
        self.wait_for(f"{self.sandbox}/alipay-shop/")

    def top_up(self):
        detail = json.dumps({"amount": {"amount": f"{TOP_UP // 100}.00", "currency": "CNY"}, "reason": "for a long day"})
        asked = post(f"{self.console}/api/approvals", {"kind": "wallet-top-up", "subject": BUYER, "detail": detail})
        if asked.get("state") == "waiting":
            post(f"{self.console}/api/approvals/{asked['id']}/approval", {})
        end = time.monotonic() + 30
        while self.rows("wallet", "SELECT COUNT(*) FROM wallet_transfers WHERE kind = 'top-up'")[0][0] < 3:
            if time.monotonic() > end:
                raise RuntimeError(f"the money was not brought in: {asked}")
            time.sleep(0.1)

    def kill(self, kind, index):
        server = self.processes[f"{kind}-{index}"]
        server.send_signal(signal.SIGKILL)
        server.wait()
        self.spawn_server(kind, index)
        self.wait_for_server(kind, index)

    def close(self):
        self.stopping.set()
        for process in self.processes.values():
            if process.poll() is None:
                process.kill()
                process.wait()
        for balancer in self.balancers.values():
            balancer.close()
        self.log.close()
        if self.cluster:
            self.cluster.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    # Customers

    def note(self, number, outcome, faults):
        with self.lock:
            self.shown[number] = (outcome, faults)

    def count(self, name, by=1):
        with self.lock:
            self.counts[name] += by

    def customer(self, number):
        browser, turn = Browser(self.wallet), 0
        while not self.stopping.is_set():
            turn += 1
            purchase = Purchase(self, f"{self.seed}/{number}/{turn}", browser)
            try:
                purchase.run()
            except Fault as fault:
                with self.lock:
                    self.faults.append(str(fault))
            self.count("interruptions", purchase.interruptions)

    def run(self):
        self.start()
        threads = [threading.Thread(target=self.customer, args=(number,), daemon=True) for number in range(self.customers)]
        for thread in threads:
            thread.start()
        for _ in range(self.kills):
            time.sleep(self.random.uniform(0.2, 2.0))
            kind = self.random.choice(["gateway", "wallet"])
            self.kill(kind, self.random.randrange(len(self.ports[kind])))
        time.sleep(2)
        self.stopping.set()
        # Books that are read while somebody still asks for a refund differ, and nobody is to blame.
        end = time.monotonic() + 5 * PATIENCE
        for thread in threads:
            thread.join(max(0, end - time.monotonic()))
        if waiting := sum(thread.is_alive() for thread in threads):
            raise RuntimeError(f"{waiting} customers are not done {5 * PATIENCE} s after the last kill")
        return self.judge()

    # Books

    def rows(self, kind, query):
        """What lies in a server's store, read from outside."""
        if self.cluster:
            text = self.cluster.run(
                "psql", "-h", str(self.cluster.folder), "-p", str(self.cluster.port), "-U", "billfold", "-d", kind, "-AtF", "\t", "-c", query)
            return [[int(each) if each.lstrip("-").isdigit() else each for each in line.split("\t")] for line in text.splitlines()]
        name = "alipay-gateway.sqlite" if kind == "gateway" else "wallet.sqlite"
        with contextlib.closing(sqlite3.connect(f"file:{self.folder / kind / name}?mode=ro", uri=True, timeout=30)) as store:
            return [list(row) for row in store.execute(query)]

    def undecided(self):
        """How much is still under way, by what it is."""
        counts = {
            "holds": self.rows("wallet", "SELECT COUNT(*) FROM wallet_holds WHERE state = 'held'")[0][0],
            "wallet messages": self.rows("wallet", "SELECT COUNT(*) FROM outbox WHERE state = 'ready'")[0][0],
            "refunds": self.rows("gateway", "SELECT COUNT(*) FROM alipay_refunds WHERE state IN ('accepted', 'booked')")[0][0],
            "notifications": self.rows("gateway", "SELECT COUNT(*) FROM alipay_notifications WHERE state = 'waiting'")[0][0]}
        return {name: count for name, count in counts.items() if count}

    def link_books(self, url, key, days):
        headers = {"Authorization": f"Bearer {self.keys[key]}"}
        entries = []
        for day in days:
            page = get_json(f"{url}?day={day}", headers, timeout=60)
            entries += page["entries"]
            while "next" in page:
                page = get_json(f"{url}?day={day}&cursor={page['next']}", headers, timeout=60)
                entries += page["entries"]
        return entries

    def advance(self, seconds):
        """Moves everybody's clock, so that leases end and notifications come when they are due."""
        self.ahead += seconds
        for owner in ("gateway", "wallet", "sandbox"):
            (self.folder / owner / "clock").write_text(f"{self.ahead * 1_000_000:<24}")

    def judge(self):
        # A minute at a time for leases, then half an hour: a notification that nobody takes is parked after a day.
        end, turn = time.monotonic() + PATIENCE, 0
        while (undecided := self.undecided()) and time.monotonic() < end:
            time.sleep(1)
            turn += 1
            self.advance(60 if turn < 20 else 1800)
        faults = list(self.faults)
        if undecided:
            faults.append(f"still undecided after {self.ahead} s: {undecided}")
        merchant = get_json(f"{self.sandbox}/alipay-merchant/v1/books", timeout=60)["entries"]
        china = datetime.timezone(datetime.timedelta(hours=8))
        hours = range(-6, self.ahead // 3600 + 2)
        days = sorted({(datetime.datetime.now(china) + datetime.timedelta(hours=hour)).strftime("%Y-%m-%d") for hour in hours})
        gateway = self.link_books(f"{self.gateway}/link/v1/books", "wallet-link.key", days)
        wallet = self.link_books(f"{self.wallet}/wallet/link/v1/books", "gateway-link.key", days)
        faults += self.compare(gateway, wallet, merchant) + self.hold_against(merchant) + self.hold_balances(wallet)
        kinds = {}
        for outcome, _ in self.shown.values():
            kinds[outcome] = kinds.get(outcome, 0) + 1
        notifications = dict(self.rows("gateway", "SELECT state, COUNT(*) FROM alipay_notifications GROUP BY state"))
        return {
            "customersSaw": kinds, "payments": sum(1 for each in gateway if each["kind"] == "payment"),
            "refunds": sum(1 for each in gateway if each["kind"] == "refund"), "notifications": notifications, **self.counts, "faults": faults}

    @staticmethod
    def compare(gateway, wallet, merchant):
        faults = []
        ours, theirs = ({(each["tradeNo"], each["requestId"], each["kind"], each["amount"]["value"]) for each in books} for books in (gateway, wallet))
        for name, lines, entries in (("gateway", ours, gateway), ("wallet", theirs, wallet)):
            if len(lines) != len(entries):
                faults.append(f"the {name} has a line twice")
        if alone := ours - theirs:
            faults.append(f"the gateway alone has {sorted(alone)[:5]}")
        if alone := theirs - ours:
            faults.append(f"the wallet alone has {sorted(alone)[:5]}")
        trades = [each["tradeNo"] for each in gateway if each["kind"] == "payment"]
        if len(trades) != len(set(trades)):
            faults.append("a trade was paid twice")
        # The merchant counts in the price's currency, the link in what the payer paid: amounts are compared where both are CNY.
        foreign = {each["tradeNo"] for each in merchant if each["amount"]["currency"] != "CNY"}

        def lines(books):
            return sorted((each["tradeNo"], each["kind"], "" if each["tradeNo"] in foreign else each["amount"]["value"]) for each in books)

        if lines(gateway) != lines(merchant):
            ours, theirs = set(lines(gateway)), set(lines(merchant))
            faults.append(f"gateway and merchant differ: {sorted(ours - theirs)[:5]} and {sorted(theirs - ours)[:5]}")
        return faults

    def hold_against(self, merchant):
        """What customers were shown has to be what happened."""
        faults = []
        paid = {each["order"] for each in merchant if each["kind"] == "payment"}
        told = {number for number, (outcome, _) in self.shown.items() if outcome == "9000"}
        told_no = {number for number, (outcome, _) in self.shown.items() if outcome != "9000"}
        if lost := told - paid:
            faults.append(f"shown as paid to the customer and not in the books: {sorted(lost)[:5]}")
        if charged := told_no & paid:
            faults.append(f"shown as not paid to the customer and charged: {sorted(charged)[:5]}")
        # Only a merchant who closes makes a payment fail here.
        if odd := {(number, outcome) for number, (outcome, plan) in self.shown.items() if outcome != "9000" and "close-races-payment" not in plan}:
            faults.append(f"refused without a reason: {sorted(odd)[:5]}")
        return faults

    def hold_balances(self, wallet):
        faults = []
        spent = sum((1 if each["kind"] == "payment" else -1) * int(each["amount"]["value"].replace(".", "")) for each in wallet)
        available, held = self.rows(
            "wallet", f"SELECT b.available, b.held FROM wallet_balances b JOIN wallet_accounts a ON a.id = b.account WHERE a.number = '{BUYER}'")[0]
        if (available, held) != (DEMONSTRATION + TOP_UP - spent, 0):
            faults.append(f"the customer has {available} and {held} held, and should have {DEMONSTRATION + TOP_UP - spent}")
        return faults


def run(**options):
    town = Town(**options)
    try:
        return town.run()
    finally:
        town.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--servers", type=int, default=1)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--customers", type=int, default=4)
    options = parser.parse_args()
    print(" ".join(sys.argv[1:]), f"seed {options.seed}", flush=True)
    result = run(**vars(options))
    print(json.dumps(result, indent=1))
    sys.exit(1 if result["faults"] or not result["payments"] else 0)
