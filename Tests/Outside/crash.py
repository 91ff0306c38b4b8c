"""Kills the merchant's server under load at random moments, and counts what it owes.

Customers pay with scripted phones. The server is killed with SIGKILL and started again, over and over, while the phones and
the acquirer live on in a process of their own. Then everything is given time to settle, and three books are compared:
what customers saw, what the merchant has, and what the acquirer took.

    python crash.py [--engine sqlite|postgresql] [--servers N] [--kills N] [--seed N] [--customers N]
"""
import argparse
import json
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

from parties import PROGRAM, free_ports, get, get_json
from postgresql import Cluster


def post(url, body, headers=None, timeout=90):
    request = urllib.request.Request(
        url, data=json.dumps(body).encode(), method="POST", headers={"Content-Type": "application/json", **(headers or {})})
    with urllib.request.urlopen(request, timeout=timeout) as answer:
        return json.loads(answer.read())


class Balancer:
    """Sends each connection to the next server that takes it, as a load balancer without health checks would."""

    def __init__(self, targets):
        self.targets = targets
        self.turn = 0
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.address = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(near,), daemon=True).start()

    def serve(self, near):
        for _ in self.targets:
            self.turn += 1
            try:
                far = socket.create_connection(("127.0.0.1", self.targets[self.turn % len(self.targets)]), timeout=5)
                break
            except OSError:
                continue
        else:
            near.close()
            return
        far.settimeout(None)
        other = threading.Thread(target=self.pipe, args=(near, far), daemon=True)
        other.start()
        self.pipe(far, near)
        other.join()
        near.close()
        far.close()

    @staticmethod
    def pipe(source, target):
        try:
            while data := source.recv(65536):
                target.sendall(data)
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


class Crash:
    def __init__(self, engine, servers, kills, seed, customers):
        self.kills, self.customers = kills, customers
        self.random = random.Random(seed)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="billfold-crash-"))
        self.cluster = Cluster() if engine == "postgresql" else None
        self.public = free_ports(servers)
        self.balancer = Balancer(self.public)
        (sandbox,) = free_ports(1)
        self.sandbox = f"http://127.0.0.1:{sandbox}"
        self.processes = {}
        self.outcomes = []
        self.lock = threading.Lock()
        self.stopping = threading.Event()
        self.log = (self.folder / "log").open("ab")

    def spawn(self, name, *arguments):
        self.processes[name] = subprocess.Popen(
            [str(PROGRAM), "serve", "--data", str(self.folder / "data"), *arguments], stdout=self.log, stderr=subprocess.STDOUT)

    def spawn_server(self, index):
        database = ["--database", self.cluster.address] if self.cluster else []
        self.spawn(
            f"server-{index}", "--roles", "card-payments", "--listen", f"127.0.0.1:{self.public[index]}", "--unionpay-url", self.sandbox,
            "--certificates-url", self.sandbox, "--merchant-url", self.balancer.address, *database)

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

    def start(self):
        port = self.sandbox.rsplit(":", 1)[1]
        self.spawn(
            "sandbox", "--roles", "phone,shop,unionpay,certificates", "--sandbox", f"127.0.0.1:{port}", "--merchant-url",
            self.balancer.address)
        self.wait_for(f"{self.sandbox}/shop")
        for index in range(len(self.public)):
            self.spawn_server(index)
            self.wait_for(f"http://127.0.0.1:{self.public[index]}/readyz")

    def customer(self, number):
        products = ["longjing", "field-guide", "celadon-cup", "rain-on-slate"]
        count = 0
        while not self.stopping.is_set():
            count += 1
            try:
                self.buy(products[(number + count) % len(products)])
            except (OSError, ValueError, KeyError, urllib.error.URLError):
                time.sleep(0.05)

    def buy(self, product):
        screen = post(f"{self.sandbox}/phone/sessions", {"model": "ready", "lines": [{"product": product, "quantity": 1}]})
        base = f"{self.sandbox}/phone/sessions/{urllib.parse.quote(screen['session'])}"

        def tap(action, value=None):
            return post(f"{base}/taps", {"do": action, **({"value": value} if value else {})})

        def until(screen, reached):
            for _ in range(200):
                if reached(screen):
                    return screen
                screen = get_json_patiently(f"{base}?after={screen['revision']}")
            return screen

        def at_rest(screen):
            return screen["place"] == "outcome" or (screen["place"] == "sheet" and screen["sheet"]["phase"] in ("ready", "enteringPIN"))

        screen = until(tap("pay"), at_rest)
        if screen["place"] == "sheet":
            before = screen["revision"]
            screen = until(tap("authorize"), lambda each: each["revision"] > before and at_rest(each))
            if screen["place"] == "sheet" and screen["sheet"]["phase"] == "enteringPIN":
                screen = until(tap("enterPIN", "123456"), lambda each: each["place"] == "outcome")
        order = (screen.get("order") or {}).get("id")
        outcome = (screen.get("outcome") or {}).get("kind")
        if order:
            with self.lock:
                self.outcomes.append((order, outcome))

    def run(self):
        self.start()
        threads = [threading.Thread(target=self.customer, args=(number,), daemon=True) for number in range(self.customers)]
        for thread in threads:
            thread.start()
        for _ in range(self.kills):
            time.sleep(self.random.uniform(0.2, 2.0))
            index = self.random.randrange(len(self.public))
            server = self.processes[f"server-{index}"]
            server.send_signal(signal.SIGKILL)
            server.wait()
            self.spawn_server(index)
            self.wait_for(f"http://127.0.0.1:{self.public[index]}/readyz")
        time.sleep(2)
        self.stopping.set()
        for thread in threads:
            thread.join(120)
        return self.judge()

    def books(self):
        key = (self.folder / "data/api.key").read_text().strip()
        merchant = get_json(f"http://127.0.0.1:{self.public[0]}/v1/books", {"Authorization": f"Bearer {key}"})
        acquirer = get_json(f"{self.sandbox}/unionpay/control/books")
        return merchant, acquirer

    def judge(self):
        """Waits until nothing is undecided any more, then compares."""
        undecided = {"created", "authorised", "submitted", "accepted", "unknown"}
        end = time.monotonic() + 180
        while True:
            merchant, acquirer = self.books()
            open_payments = [each for each in merchant["payments"] if each["state"] in undecided]
            if not open_payments or time.monotonic() > end:
                break
            time.sleep(1)
        faults = []
        if open_payments:
            faults.append(f"{len(open_payments)} payments are still undecided after 180 s")
        if not merchant["balanced"]:
            faults.append("the merchant's ledger does not sum to zero")
        taken = {}
        for entry in acquirer["entries"]:
            if entry["type"] == "consume" and entry["paid"] and entry["standing"] == "live":
                taken[entry["queryId"]] = entry
        paid = {each["acquirerReference"]: each for each in merchant["payments"] if each["state"] == "succeeded"}
        if missing := taken.keys() - paid.keys():
            faults.append(f"taken by the acquirer and not in the merchant's books: {sorted(missing)[:5]}")
        if invented := paid.keys() - taken.keys():
            faults.append(f"in the merchant's books and not taken by the acquirer: {sorted(map(str, invented))[:5]}")
        orders = {}
        for each in paid.values():
            orders.setdefault(each["order"], []).append(each["id"])
        if doubled := {order: ids for order, ids in orders.items() if len(ids) > 1}:
            faults.append(f"paid twice: {doubled}")
        acknowledged = {order for order, outcome in self.outcomes if outcome == "succeeded"}
        if lost := acknowledged - orders.keys():
            faults.append(f"shown as paid to the customer and not in the books: {sorted(lost)[:5]}")
        told_no = {order for order, outcome in self.outcomes if outcome == "failed"}
        if charged := told_no & orders.keys():
            faults.append(f"shown as failed to the customer and charged: {sorted(charged)[:5]}")
        kinds = {}
        for _, outcome in self.outcomes:
            kinds[outcome] = kinds.get(outcome, 0) + 1
        return {
            "customersSaw": kinds, "merchantPaid": len(paid), "acquirerTook": len(taken), "merchantPayments": len(merchant["payments"]),
            "faults": faults}

    def close(self):
        self.stopping.set()
        for process in self.processes.values():
            if process.poll() is None:
                process.kill()
                process.wait()
        if self.cluster:
            self.cluster.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def get_json_patiently(url):
    return json.loads(get(url, timeout=60)[1])


def run(engine, servers, kills, seed, customers):
    crash = Crash(engine, servers, kills, seed, customers)
    try:
        return crash.run()
    finally:
        crash.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--servers", type=int, default=1)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--customers", type=int, default=8)
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    result = run(options.engine, options.servers, options.kills, options.seed, options.customers)
    print(json.dumps(result, indent=1))
    sys.exit(1 if result["faults"] or not result["merchantPaid"] else 0)
