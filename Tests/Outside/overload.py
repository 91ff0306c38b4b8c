"""Strangers ask for more than they are due while customers pay, and everybody who is honest is served.

One program with every role speaks TLS. Beside it run strangers in a process of their own: sockets that say nothing, TLS handshakes that end
after their first byte, headers that come byte by byte, bodies that do not come, diagnoses at the limit of their size with keys that take
long to open, and calls signed by nobody in the name of a partner. A verified acquirer names notification addresses whose names are never
resolved, where a name server of ours can be put in place of the machine's (root). Meanwhile customers pay by card, on the wallet's pages
and on the payment sheet, and add cards to phones; all must come through, every notification within five seconds, and SIGTERM must end the
program in time.

    python overload.py [--count N] [--sockets N]
"""
import argparse
import asyncio
import base64
import collections
import http.client
import json
import os
import pathlib
import re
import resource
import secrets
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import unittest.mock
import urllib.error
import urllib.parse

import alipay_plus
from alipay_plus import BASE, CLIENT, Network
from alipay_wallet import pay
from issuer import Bank, Provisioning
from parties import Billfold, buy, get_json, post

# The grace that the program gives requests in flight, and what its end may take besides.
GRACE, MARGIN = 20, 10
TOLD_WITHIN = 5
STRANGER = "127.0.0.66"


class Neglected(alipay_plus.Network):
    """An acquirer whose notification addresses have names that nobody ever finds, more than there are threads for them."""

    client, acquirer_id, wallets = "SANDBOX_NEGLECTED", "1022188000000778", ()
    addresses = [f"https://never-{number}.example" for number in range(40)]


class PresentBank(Bank):
    """The bank's host, and everybody else of it, in a program that runs."""

    def __init__(self, billfold):
        super().__init__(kills=0, seed=billfold.public, customers=1)
        (self.folder / "issuer").symlink_to(billfold.folder / "data")
        self.public, self.console, self.sandbox = billfold.public, billfold.console, billfold.sandbox
        self.api_key = self.key_file("bank").read_text().strip()


class Strangers:
    """What runs in the strangers' process, all at once and for as long as it lives."""

    def __init__(self, plan):
        self.public, self.console = (urllib.parse.urlsplit(plan[name]) for name in ("public", "console"))
        self.plan, self.seen = plan, collections.Counter()
        self.trust = ssl.create_default_context()

    async def run(self):
        each = self.plan["sockets"] // 4
        tasks = [self.silent(b"", STRANGER) for _ in range(2 * each)]
        # The same address as the customers'.
        tasks += [self.silent(b"", "127.0.0.1") for _ in range(each)]
        # The first bytes of a TLS handshake.
        tasks += [self.silent(b"\x16\x03\x01\x02\x00\x01", STRANGER) for _ in range(each)]
        tasks += [self.slow_header() for _ in range(self.plan["slow"])]
        # From as many addresses as would fill the listener.
        tasks += [self.slow_body(f"127.0.1.{1 + number % 8}") for number in range(self.plan["slow"] * 10)]
        tasks += [self.diagnose() for _ in range(8)]
        callers = 20
        tasks += [self.call(callers / self.plan["calls"]) for _ in range(callers)]
        tasks.append(self.tell())
        await asyncio.gather(*tasks)

    async def tell(self):
        while True:
            await asyncio.sleep(1)
            print(json.dumps(self.seen), flush=True)

    async def silent(self, first, address):
        while True:
            try:
                reader, writer = await asyncio.open_connection(self.public.hostname, self.public.port, local_addr=(address, 0))
                self.seen["sockets"] += 1
                writer.write(first)
                await reader.read()
                writer.close()
            except OSError:
                pass
            await asyncio.sleep(10)

    async def connected(self, place):
        return await asyncio.open_connection(place.hostname, place.port, ssl=self.trust, local_addr=(STRANGER, 0))

    async def slow_header(self):
        while True:
            try:
                _, writer = await self.connected(self.public)
                for byte in b"GET /healthz HTTP/1.1\r\nHost: " + b"a" * 600:
                    writer.write(bytes([byte]))
                    await writer.drain()
                    self.seen["slow bytes"] += 1
                    await asyncio.sleep(1)
            except OSError:
                await asyncio.sleep(1)

    async def slow_body(self, address):
        head = f"POST /unionpay/notify HTTP/1.1\r\nHost: {self.public.netloc}\r\nContent-Length: 1000\r\n" \
            "Content-Type: application/x-www-form-urlencoded\r\n\r\nx"
        while True:
            try:
                reader, writer = await asyncio.open_connection(
                    self.public.hostname, self.public.port, ssl=self.trust, local_addr=(address, 0))
                self.seen["slow bodies"] += 1
                writer.write(head.encode())
                await reader.read()
                writer.close()
            except OSError:
                pass
            await asyncio.sleep(10)

    async def ask(self, stream, place, path, body, headers):
        reader, writer = stream
        head = f"POST {path} HTTP/1.1\r\nHost: {place.netloc}\r\nContent-Length: {len(body)}\r\n" + "".join(
            f"{name}: {value}\r\n" for name, value in headers.items())
        writer.write(head.encode() + b"\r\n" + body)
        await writer.drain()
        status = (await reader.readline()).split(b" ")[1].decode()
        length = 0
        while (line := await reader.readline()).strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        await reader.readexactly(length)
        return status

    async def diagnose(self):
        slow = pathlib.Path(self.plan["slow key"]).read_bytes()
        filler = secrets.token_bytes(262_144 - 1_024)
        artifacts = [{"name": f"{number}.p12", "bytes": base64.b64encode(slow).decode()} for number in range(9)]
        artifacts += [{"name": f"{number}.bin", "bytes": base64.b64encode(filler).decode()} for number in range(2)]
        body = json.dumps({"artifacts": artifacts}).encode()
        for _ in range(8):
            try:
                stream = await self.connected(self.console)
                self.seen[f"diagnosis {await self.ask(stream, self.console, '/doctor', body, {'Content-Type': 'application/json'})}"] += 1
                stream[1].close()
            except (OSError, IndexError, asyncio.IncompleteReadError):
                self.seen["diagnosis without an answer"] += 1
                await asyncio.sleep(0.2)

    async def call(self, pause):
        body = b'{"paymentRequestId":"x"}'
        headers = {
            "client-id": CLIENT, "request-time": "2026-01-01T00:00:00+08:00", "content-type": "application/json; charset=UTF-8",
            "signature": "algorithm=RSA256, keyVersion=1, signature=" + "A" * 342 + "%3D%3D"}
        while True:
            try:
                stream = await self.connected(self.public)
                while True:
                    start = time.monotonic()
                    self.seen[f"unsigned call {await self.ask(stream, self.public, BASE + 'payments/pay', body, headers)}"] += 1
                    await asyncio.sleep(max(0, pause - (time.monotonic() - start)))
            except (OSError, IndexError, asyncio.IncompleteReadError):
                await asyncio.sleep(pause)


class Overload:
    def __init__(self, count, sockets, calls=500):
        self.count, self.sockets, self.calls = count, sockets, calls
        self.folder = tempfile.TemporaryDirectory(prefix="billfold-overload-")
        self.path = pathlib.Path(self.folder.name)
        self.make_files()
        self.billfold = Billfold("--outgoing-roots", str(self.path / "tls.pem"))
        self.billfold.speak_tls(self.path / "tls.pem", self.path / "tls.key")
        self.has_name_server = os.geteuid() == 0 and self.stand_in_for_the_name_server()
        self.strangers, self.faults, self.lock, self.parties = None, [], threading.Lock(), []
        self.slowest, self.ended_early = collections.defaultdict(float), 0
        connect = http.client.HTTPSConnection.connect
        again = unittest.mock.patch.object(http.client.HTTPSConnection, "connect", lambda customer: self.connect(customer, connect))
        again.start()
        self.parties.append(again.stop)

    def connect(self, customer, connect):
        """Opens a customer's connection. The strangers at the customers' own address push the oldest of its connections out; where that
        hits one before its request, the customer opens another, as browsers do."""
        for _ in range(3):
            try:
                return connect(customer)
            except (ssl.SSLEOFError, ConnectionResetError):
                with self.lock:
                    self.ended_early += 1
        return connect(customer)

    def make_files(self):
        def openssl(*words):
            subprocess.run(["openssl", *words], check=True, capture_output=True, cwd=self.path)
        openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
            "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "tls.key", "-out", "tls.pem")
        # As many rounds as a reader takes: a second of work each.
        openssl("pkcs12", "-export", "-inkey", "tls.key", "-in", "tls.pem", "-out", "slow.p12", "-passout", "pass:000000", "-iter", "2000000")
        os.chmod(self.path / "tls.key", 0o600)
        os.environ["SSL_CERT_FILE"] = str(self.path / "tls.pem")

    def stand_in_for_the_name_server(self):
        """A name server that never answers, for the program alone."""
        self.silence = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            self.silence.bind(("127.0.0.97", 53))
        except OSError:
            return False
        (self.path / "resolv.conf").write_text("nameserver 127.0.0.97\n")
        script = f"mount --bind {self.path / 'resolv.conf'} /etc/resolv.conf && exec \"$@\""
        if subprocess.run(["unshare", "--mount", "sh", "-c", script, "sh", "true"], capture_output=True).returncode:
            return False
        self.billfold.command = ["unshare", "--mount", "sh", "-c", script, "sh", *self.billfold.command]
        return True

    # The strangers

    def set_loose(self):
        plan = {
            "public": self.billfold.public, "console": self.billfold.console, "sockets": self.sockets, "slow": 100, "calls": self.calls,
            "slow key": str(self.path / "slow.p12")}
        self.strangers = subprocess.Popen(
            [sys.executable, __file__, "--strangers", json.dumps(plan)], stdout=subprocess.PIPE, text=True)
        self.seen = {}

        def read():
            for line in self.strangers.stdout:
                self.seen = json.loads(line)

        threading.Thread(target=read, daemon=True).start()
        end = time.monotonic() + 60
        while self.seen.get("sockets", 0) < self.sockets * 0.9 and time.monotonic() < end:
            time.sleep(0.2)
        if self.seen.get("sockets", 0) < self.sockets * 0.9:
            self.faults.append(f"the strangers opened {self.seen.get('sockets', 0)} of {self.sockets} sockets")

    # The customers

    def note(self, what, begun):
        with self.lock:
            self.slowest[what] = max(self.slowest[what], time.monotonic() - begun)

    def fail(self, text):
        with self.lock:
            self.faults.append(text)

    def card(self, _):
        _, outcome = buy(self.billfold.sandbox, "longjing")
        if outcome != "succeeded":
            return f"the customer was told {outcome}"
        orders = f"{self.billfold.sandbox}/unionpay/control/orders"
        return self.told("UnionPay", lambda: all(
            each["state"] == "acknowledged" for order in get_json(orders)["orders"] for each in order["notifications"]))

    def provisioning(self, number):
        Provisioning(self.bank, number).run()
        return True

    def express(self, number):
        orders = f"{self.billfold.sandbox}/alipay-merchant/v1/orders"
        order = post(orders, {"offer": "celadon-cup", "generation": ["modern", "legacy"][number % 2], "faults": []})
        shown = pay(self.billfold.public, order["order"], patience=60)["resultStatus"]
        if shown != "9000":
            return f"the customer was shown {shown}"
        return self.told("Alipay", lambda: get_json(f"{orders}/{order['number']}")["state"] == "paid")

    def sheet(self, _):
        request, sheet = self.network.begin()
        wallet_request = self.network.scan(sheet, "TEST_PH")
        self.network.confirm("TEST_PH", wallet_request)
        begun = time.monotonic()
        try:
            self.network.until_told(request["paymentRequestId"], 30)
        except RuntimeError as error:
            return str(error)
        self.note("Alipay+ notification", begun)
        return True

    def told(self, party, ask):
        begun = time.monotonic()
        while time.monotonic() - begun < 30:
            if ask():
                self.note(f"{party} notification", begun)
                return True
            time.sleep(0.1)
        return f"{party}'s notification did not come in 30 s"

    def customers(self, name, journey, count):
        for number in range(count):
            begun = time.monotonic()
            try:
                outcome = journey(number)
            except urllib.error.HTTPError as error:
                outcome = f"{error.code} {error.read().decode()}"
            except Exception as error:  # Whatever is thrown, somebody was not served.
                outcome = f"{type(error).__name__}: {error}"
            self.note(name, begun)
            if outcome is not True:
                self.fail(f"{name} {number}: {outcome}")

    def name_what_is_never_found(self, number):
        """A payment whose acquirer is told at a name that is never resolved."""
        _, sheet = self.neglected.begin(paymentNotifyUrl=f"{Neglected.addresses[number]}/notify")
        self.network.confirm("TEST_HK", self.network.scan(sheet, "TEST_HK"))
        return True

    def run(self):
        self.billfold.start()
        self.network, self.bank = Network(self.billfold), PresentBank(self.billfold)
        self.parties += [self.network.stop, self.bank.close]
        journeys = [
            ("card", self.card, self.count), ("provisioning", self.provisioning, self.count), ("express", self.express, self.count),
            ("sheet", self.sheet, self.count)]
        if self.has_name_server:
            self.neglected = Neglected(self.billfold)
            self.parties.append(self.neglected.stop)
            journeys.append(("unknown name", self.name_what_is_never_found, len(Neglected.addresses)))
        self.set_loose()
        threads = [threading.Thread(target=self.customers, args=each, daemon=True) for each in journeys]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for what, seconds in self.slowest.items():
            if what.endswith("notification") and seconds > TOLD_WITHIN:
                self.faults.append(f"the slowest {what} took {seconds:.1f} s")
        begun = time.monotonic()
        self.billfold.process.send_signal(signal.SIGTERM)
        try:
            status = self.billfold.process.wait(GRACE + MARGIN)
            if status:
                self.faults.append(f"SIGTERM ended the program with {status}")
        except subprocess.TimeoutExpired:
            self.faults.append(f"SIGTERM did not end the program within {GRACE + MARGIN} s")
        if self.faults:
            lines = self.billfold.log.read_text().splitlines()
            warnings = [line for line in lines if re.search(r"\b(warning|error|critical)\b", line)]
            print("what the program warned of last:", *warnings[-40:], "its last lines:", *lines[-5:], sep="\n", flush=True)
        return {
            "served": self.count, "slowest": {name: round(seconds, 1) for name, seconds in sorted(self.slowest.items())},
            "connections ended before their request": self.ended_early, "strangers": self.seen,
            "ended after": round(time.monotonic() - begun, 1), "names": self.has_name_server, "faults": self.faults}

    def close(self):
        if self.strangers:
            self.strangers.kill()
            self.strangers.wait()
        for each in self.parties:
            each()
        self.billfold.stop()
        os.environ.pop("SSL_CERT_FILE", None)
        self.folder.cleanup()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100, help="how many customers of each journey")
    parser.add_argument("--sockets", type=int, default=10_000)
    parser.add_argument("--strangers", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.strangers:
        plan = json.loads(options.strangers)
        wanted = plan["sockets"] + 11 * plan["slow"] + 1_000
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, max(wanted, resource.getrlimit(resource.RLIMIT_NOFILE)[1])))
        asyncio.run(Strangers(plan).run())
    overload = Overload(options.count, options.sockets)
    try:
        result = overload.run()
    finally:
        overload.close()
    print(json.dumps(result, indent=1))
    return 1 if result["faults"] else 0


if __name__ == "__main__":
    sys.exit(main())
