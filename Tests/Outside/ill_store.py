"""Lets the merchant's store fall ill while customers pay, mends it, and compares the books.

An ill store must say so: `/readyz` names it within two seconds, orders are refused with 503 and `Retry-After`, the log has one line. It
takes writes again within ten seconds of the mend, by itself. Nothing acknowledged is lost, and nothing is told as failed that was taken.

    python ill_store.py ILLNESS [--seconds N] [--customers N]

    full, sync, broken, read-only   SQLite on a disk with a switch (Tests/PowerCut/ill-disk.c)
    small-disk                      SQLite on a small file system in memory that is filled up; needs root
    server-killed                   PostgreSQL killed with SIGKILL, started again
    server-read-only                PostgreSQL with default_transaction_read_only
    server-small-disk               PostgreSQL's data on a small file system in memory that is filled up; needs root
"""
import argparse
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
import urllib.error

import crash
from parties import get, post
from postgresql import Cluster

LIMIT_TOLD, LIMIT_MENDED = 2, 10


def fill(folder):
    """Takes all the room there is. Returns how to give it back."""
    ballast = pathlib.Path(folder) / "ballast"
    with ballast.open("wb", buffering=0) as file:
        size = 1 << 20
        while size:
            try:
                file.write(b"\0" * size)
            except OSError:
                size //= 2
    return ballast.unlink


def mount(folder, size, mode="700"):
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},mode={mode}", "tmpfs", str(folder)], check=True)


class Switch:
    """A disk that a preloaded library makes ill."""

    def __init__(self, run, word):
        self.word, self.switch = word, run.folder / "switch"
        shim = run.folder / "ill-disk.so"
        source = pathlib.Path(__file__).resolve().parent.parent / "PowerCut/ill-disk.c"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o", shim, source, "-ldl"], check=True)
        self.environment = {
            **os.environ, "LD_PRELOAD": str(shim), "BILLFOLD_ILL_FOLDER": str(run.folder / "merchant"),
            "BILLFOLD_ILL_SWITCH": str(self.switch)}

    def fall_ill(self):
        (self.switch.parent / "switch.new").write_text(self.word)
        (self.switch.parent / "switch.new").rename(self.switch)

    def mend(self):
        self.switch.unlink()

    def faults(self):
        believed = self.switch.with_name("switch.believed")
        return ["a sync was believed whose file had failed one before"] if believed.exists() else []

    def close(self):
        pass


class SmallDisk:
    """The merchant's folder on a file system of 20 MB."""

    def __init__(self, run):
        self.folder, self.environment = run.folder / "merchant", None
        key = (self.folder / "api.key").read_bytes()
        mount(self.folder, "20m")
        (self.folder / "api.key").touch(mode=0o600)
        (self.folder / "api.key").write_bytes(key)

    def fall_ill(self):
        self.mend = fill(self.folder)

    def faults(self):
        return []

    def close(self):
        subprocess.run(["umount", "-l", str(self.folder)], check=False)


class Server:
    """PostgreSQL, in one of three ways."""
    environment = None

    def __init__(self, run, way):
        self.cluster, self.way = run.cluster, way

    def fall_ill(self):
        if self.way == "server-killed":
            os.kill(int((self.cluster.folder / "data/postmaster.pid").read_text().split()[0]), signal.SIGKILL)
        elif self.way == "server-read-only":
            self.cluster.set("default_transaction_read_only", "on")
        else:
            self.give_back = fill(self.cluster.folder)

    def mend(self):
        if self.way == "server-read-only":
            return self.cluster.set("default_transaction_read_only", "off")
        if self.way == "server-small-disk":
            self.give_back()
        # What a supervisor does. A server that lost its log's disk has ended.
        end = time.monotonic() + 30
        while True:
            try:
                self.cluster.run("pg_ctl", "-D", str(self.cluster.folder / "data"), "status")
                return
            except subprocess.CalledProcessError:
                pass
            try:
                self.cluster.start()
                return
            except subprocess.CalledProcessError:
                # Orphans of the killed server still hold its memory.
                if time.monotonic() > end:
                    raise
                time.sleep(0.2)

    def faults(self):
        return []

    def close(self):
        pass


class IllStore(crash.Crash):
    def __init__(self, illness, seconds, customers):
        super().__init__("sqlite", 1, 0, 1, customers)
        self.illness, self.seconds, self.ailment = illness, seconds, None
        if illness.startswith("server-"):
            self.cluster = Cluster(size="160m" if illness == "server-small-disk" else None)
            self.ailment = Server(self, illness)
        else:
            self.ailment = SmallDisk(self) if illness == "small-disk" else Switch(self, illness)
        self.disk = self.ailment if self.ailment.environment else None

    def readiness(self):
        """What `/readyz` says: its status, and what it says of the store."""
        try:
            status, body = get(f"http://127.0.0.1:{self.public[0]}/readyz", timeout=5)
        except urllib.error.HTTPError as error:
            status, body = error.code, error.read()
        return status, json.loads(body).get("database")

    def order(self, name):
        """Asks for an order. Returns the status, and when to ask again."""
        key = (self.folder / "sandbox/api.key").read_text()
        line = {"label": "S", "unitAmount": "1.00", "quantity": 1, "taxRate": "0"}
        body = {
            "reference": name, "goods": "electronic", "currency": "CNY", "country": "CN", "merchantName": "T", "lines": [line]}
        try:
            post(f"http://127.0.0.1:{self.public[0]}/v1/orders", body, {"Authorization": f"Bearer {key}", "Idempotency-Key": name}, timeout=40)
            return 201, None
        except urllib.error.HTTPError as error:
            return error.code, error.headers.get("Retry-After")

    def until(self, reached, limit):
        """The seconds until then, or None."""
        start = time.monotonic()
        while (passed := time.monotonic() - start) < limit:
            if reached():
                return round(passed, 2)
            time.sleep(0.05)
        return None

    def run(self):
        self.start()
        threads = [threading.Thread(target=self.customer, args=(number,), daemon=True) for number in range(self.customers)]
        for thread in threads:
            thread.start()
        for _ in range(3):
            self.wait_for_sale()
        faults = []
        self.ailment.fall_ill()
        told = self.until(lambda: self.readiness() == (503, "failing"), LIMIT_TOLD + 5)
        if told is None or told > LIMIT_TOLD:
            faults.append(f"readiness told after {told} s: {self.readiness()}")
        status, again = self.order("while-ill")
        if status != 503 or not again:
            faults.append(f"an order was answered {status}, Retry-After {again}")
        time.sleep(self.seconds)
        if self.readiness()[0] != 503:
            faults.append("ready while ill")
        before = self.sales()
        self.ailment.mend()
        mended = time.monotonic()
        recovered = self.until(lambda: self.readiness()[0] == 200 and self.order("after-mend")[0] == 201, LIMIT_MENDED + 10)
        if recovered is None or time.monotonic() - mended > LIMIT_MENDED:
            faults.append(f"recovered after {recovered} s")
        if (code := self.processes["server-0"].poll()) is not None:
            faults.append(f"the server ended with {code}")
        self.wait_for_sale()
        self.stopping.set()
        for thread in threads:
            thread.join(120)
        log = (self.folder / "log").read_text().splitlines()
        lines = [sum(text in line for line in log) for text in ("store is ill", "takes writes again")]
        # A disk of a file's granularity may have room for one more attempt.
        if not 1 <= lines[0] <= 3 or lines[1] != lines[0]:
            faults.append(f"the log tells {lines[0]} times of illness and {lines[1]} times of health")
        faults += self.ailment.faults()
        result = self.judge()
        result["faults"] = faults + result["faults"]
        return {"illness": self.illness, "told": told, "recovered": recovered, "soldAfterwards": self.sales() - before, **result}

    def close(self):
        self.stopping.set()
        for process in self.processes.values():
            if process.poll() is None:
                process.kill()
                process.wait()
        if self.ailment:
            self.ailment.close()
        super().close()


def run(illness, seconds=2.5, customers=3):
    store = IllStore(illness, seconds, customers)
    try:
        return store.run()
    finally:
        store.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("illness")
    parser.add_argument("--seconds", type=float, default=2.5)
    parser.add_argument("--customers", type=int, default=3)
    result = run(**vars(parser.parse_args()))
    print(json.dumps(result, indent=1))
    sys.exit(0 if not result["faults"] and result["merchantPaid"] > 0 else 1)
