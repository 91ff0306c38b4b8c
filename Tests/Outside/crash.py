"""Kills the merchant's server under load at random moments, or cuts its machine's power, and counts what it owes.

Customers pay with scripted phones. One server is killed with SIGKILL and started again, over and over, while the phones and
the acquirer live on in a process and a folder of their own. Then everything is given time to settle, and three books are
compared: what customers saw, what the merchant has, and what the acquirer took.

`--power` ends every server at once, and leaves of the merchant's folder only what was synced (Tests/PowerCut); PostgreSQL is
stopped without a checkpoint at the same moment. `--weak` lowers `synchronous` or `synchronous_commit` behind the server's back:
such a run must find losses.

    python crash.py [--engine sqlite|postgresql] [--servers N] [--kills N] [--seed N] [--customers N] [--power [--weak]]
"""
import argparse
import datetime
import json
import pathlib
import os
import random
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error

from parties import PROGRAM, buy, free_ports, get, get_json, merchant_books
from postgresql import Cluster
from proxies import Balancer


class Disk:
    """The folder of a machine that can lose its power: of its files, what was synced survives in a shadow."""

    def __init__(self, folder, is_weak):
        self.files, self.shadow = folder / "merchant", folder / "shadow"
        shim = folder / "sync-shadow.so"
        source = pathlib.Path(__file__).resolve().parent.parent / "PowerCut/sync-shadow.c"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o", shim, source, "-ldl"], check=True)
        shutil.copytree(self.files, self.shadow)
        self.environment = {
            **os.environ, "LD_PRELOAD": str(shim), "BILLFOLD_SHADOW_FROM": str(self.files), "BILLFOLD_SHADOW_TO": str(self.shadow)}
        if is_weak:
            self.environment["BILLFOLD_SHADOW_WEAK"] = "1"

    def lose_what_was_not_synced(self):
        for unfinished in self.shadow.rglob("*.partial"):
            unfinished.unlink()
        shutil.rmtree(self.files)
        shutil.copytree(self.shadow, self.files)


class Crash:
    def __init__(self, engine, servers, kills, seed, customers, power=False, weak=False):
        self.kills, self.customers, self.is_weak = kills, customers, weak
        self.random = random.Random(seed)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="billfold-crash-"))
        self.cluster = Cluster() if engine == "postgresql" else None
        # The shop and the merchant's server are two machines that share one secret.
        key = f"bf_test_{secrets.token_urlsafe(32)}"
        for name in ("merchant", "sandbox"):
            (self.folder / name).mkdir(mode=0o700)
            (self.folder / name / "api.key").touch(mode=0o600)
            (self.folder / name / "api.key").write_text(key)
        self.disk = Disk(self.folder, weak) if power else None
        if power and self.cluster:
            self.cluster.pause_log_writer()
        self.public = free_ports(servers)
        self.balancer = Balancer(self.public)
        (sandbox,) = free_ports(1)
        self.sandbox = f"http://127.0.0.1:{sandbox}"
        self.processes = {}
        self.outcomes = []
        self.lock = threading.Lock()
        self.stopping = threading.Event()
        self.log = (self.folder / "log").open("ab")

    def spawn(self, name, folder, *arguments, environment=None):
        self.processes[name] = subprocess.Popen(
            [str(PROGRAM), "serve", "--data", str(self.folder / folder), *arguments], stdout=self.log, stderr=subprocess.STDOUT,
            env=environment)

    def spawn_server(self, index):
        database = ["--database", self.cluster.address] if self.cluster else []
        self.spawn(
            f"server-{index}", "merchant", "--roles", "card-payments", "--listen", f"127.0.0.1:{self.public[index]}", "--unionpay-url",
            self.sandbox, "--certificates-url", self.sandbox, "--merchant-url", self.balancer.address, *database,
            environment=self.disk.environment if self.disk else None)

    def wait_for_server(self, index):
        self.wait_for(f"http://127.0.0.1:{self.public[index]}/readyz", f"server-{index}")

    def wait_for(self, url, name, patience=90):
        end = time.monotonic() + patience
        while time.monotonic() < end:
            try:
                if get(url, timeout=2)[0] == 200:
                    return
            except (OSError, urllib.error.URLError):
                pass
            if (code := self.processes[name].poll()) is not None:
                # All processes write to one log, and the others' requests would hide why this one ended.
                told = [line for line in (self.folder / "log").read_text().splitlines() if " request listener=" not in line]
                raise RuntimeError(f"{name} ended with {code}:\n" + "\n".join(told)[-3000:])
            time.sleep(0.05)
        raise RuntimeError(f"{url} was not ready in {patience} s:\n{(self.folder / 'log').read_text()[-3000:]}")

    def start(self):
        port = self.sandbox.rsplit(":", 1)[1]
        self.spawn(
            "sandbox", "sandbox", "--roles", "phone,shop,unionpay,certificates", "--sandbox", f"127.0.0.1:{port}", "--merchant-url",
            self.balancer.address)
        self.wait_for(f"{self.sandbox}/shop", "sandbox")
        for index in range(len(self.public)):
            self.spawn_server(index)
            self.wait_for_server(index)
        if self.is_weak and self.cluster:
            self.cluster.set("synchronous_commit", "off")

    def customer(self, number):
        products = ["longjing", "field-guide", "celadon-cup", "rain-on-slate"]
        count = 0
        while not self.stopping.is_set():
            count += 1
            try:
                order, outcome = buy(self.sandbox, products[(number + count) % len(products)])
                if order:
                    with self.lock:
                        self.outcomes.append((order, outcome))
            except (OSError, ValueError, KeyError, urllib.error.URLError):
                time.sleep(0.05)

    def run(self):
        self.start()
        threads = [threading.Thread(target=self.customer, args=(number,), daemon=True) for number in range(self.customers)]
        for thread in threads:
            thread.start()
        for _ in range(self.kills):
            if self.disk:
                self.wait_for_sale()
            time.sleep(self.random.uniform(0.2, 2.0))
            if self.disk:
                self.cut_power()
            else:
                self.kill(self.random.randrange(len(self.public)))
        time.sleep(2)
        self.stopping.set()
        for thread in threads:
            thread.join(120)
        return self.judge()

    def kill(self, index):
        self.end_server(index)
        self.spawn_server(index)
        self.wait_for_server(index)

    def end_server(self, index):
        server = self.processes[f"server-{index}"]
        server.send_signal(signal.SIGKILL)
        server.wait()

    def cut_power(self):
        for index in range(len(self.public)):
            self.end_server(index)
        if self.cluster:
            self.cluster.stop("immediate")
            if self.is_weak:
                self.cluster.set("synchronous_commit", "on", is_running=False)
            self.cluster.start()
            self.cluster.pause_log_writer()
        self.disk.lose_what_was_not_synced()
        for index in range(len(self.public)):
            self.spawn_server(index)
            self.wait_for_server(index)

    def sales(self):
        with self.lock:
            return sum(1 for _, outcome in self.outcomes if outcome == "succeeded")

    def wait_for_sale(self, patience=90):
        """A power cut proves something only when a customer was told of a payment since the last."""
        before, end = self.sales(), time.monotonic() + patience
        while self.sales() == before:
            if time.monotonic() > end:
                raise RuntimeError(f"nothing was sold in {patience} s:\n{(self.folder / 'log').read_text()[-3000:]}")
            time.sleep(0.05)

    def books(self):
        key = (self.folder / "merchant/api.key").read_text().strip()
        merchant = merchant_books(f"http://127.0.0.1:{self.public[0]}", key)
        # The acquirer keeps its books by Beijing's day; a run may pass midnight there.
        beijing = datetime.timezone(datetime.timedelta(hours=8))
        days = {(datetime.datetime.now(beijing) - datetime.timedelta(hours=hours)).strftime("%m%d") for hours in (0, 6)}
        days |= {each["settlementDay"] for each in merchant["payments"] if each.get("settlementDay")}
        entries = [
            entry for day in sorted(days) for entry in get_json(f"{self.sandbox}/unionpay/control/books?settleDate={day}")["entries"]]
        return merchant, {"entries": entries}

    def judge(self):
        """Waits until nothing is undecided any more, then compares."""
        undecided = {"created", "authorised", "submitted", "accepted", "unknown"}
        # The fast queries are over after a minute, and the next is five minutes later.
        end = time.monotonic() + 420
        while True:
            merchant, acquirer = self.books()
            open_payments = [each for each in merchant["payments"] if each["state"] in undecided]
            if not open_payments or time.monotonic() > end:
                break
            time.sleep(1)
        faults = []
        if open_payments:
            faults.append(f"{len(open_payments)} payments are still undecided after 420 s: {open_payments[:3]}")
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
        self.balancer.listener.close()
        self.log.close()
        if self.cluster:
            self.cluster.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def run(engine, servers, kills, seed, customers, **faults):
    crash = Crash(engine, servers, kills, seed, customers, **faults)
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
    parser.add_argument("--power", action="store_true")
    parser.add_argument("--weak", action="store_true")
    options = parser.parse_args()
    if options.weak and not options.power:
        parser.error("--weak needs --power: a killed process loses nothing that it wrote")
    print(" ".join(sys.argv[1:]), f"seed {options.seed}", flush=True)
    result = run(**vars(options))
    print(json.dumps(result, indent=1))
    is_sound = not result["faults"] and result["merchantPaid"] > 0
    sys.exit(0 if is_sound != options.weak else 1)
