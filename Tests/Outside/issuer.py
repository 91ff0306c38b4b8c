"""Kills the issuer's host while cards are provisioned, lets everybody try again, and searches what is left for secrets.

Customers add cards from many devices at once. The issuer's host is killed with SIGKILL and started again, over and over, while
broker, network and processor live on in a process and a folder of their own. Whoever got no answer asks again with the same
session and nonce. Then the bank's and the network's books are compared, and everything that the host left behind is searched
for card numbers, keys, tokens and codes.

    python issuer.py [--kills N] [--seed N] [--customers N]
"""
import argparse
import base64
import http.client
import json
import pathlib
import random
import re
import secrets
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

from parties import PROGRAM, free_ports
from secrets_search import Search, Secret

CARDS = {"visa": "visa-1", "mastercard": "mastercard-1", "unionPay": "unionpay-1"}
PASSKIT_NETWORKS = {"visa": "Visa", "mastercard": "MasterCard", "unionPay": "ChinaUnionPay"}
PATIENCE = 120
# What the sandbox's bank takes; the next is red.
TOKENS_PER_CARD = 10


class Fault(Exception):
    """Something happened that may not happen, whenever the host is killed."""


class Provisioning:
    """One customer's card on its way to one device."""

    def __init__(self, bank, seed):
        self.bank = bank
        self.random = random.Random(seed)
        self.element = "04" + self.random.randbytes(23).hex().upper()
        self.network = self.random.choice(sorted(CARDS))
        self.card = CARDS[self.network]
        self.account = self.random.choice(["trusted@example.com", "moved@example.com"])
        self.retries = 0

    def issuer(self, method, path, body=None, good=(200,), patient=(429, 503)):
        """Asks the host until it answers; what is not `good` must be a clear refusal that asks for patience."""
        end = time.monotonic() + PATIENCE
        while True:
            status, answer = self.bank.ask(method, self.bank.public + path, body, bearer=self.token if "sessions" not in path else None)
            if status in good:
                return status, answer
            if status is not None and status not in patient:
                raise Fault(f"{method} {path} was answered {status} {answer[:200]}")
            if time.monotonic() > end:
                raise Fault(f"{method} {path} had no answer in {PATIENCE} s: {status} {answer[:200]}")
            self.retries += 1
            time.sleep(self.random.uniform(0.05, 0.5))

    def broker(self, method, path, body=None, good=(200,), patient=()):
        end = time.monotonic() + PATIENCE
        while True:
            status, answer = self.bank.ask(method, f"{self.bank.sandbox}/broker/v4/devices/{self.element}/{path}", body)
            if status in good:
                return status, answer
            if status is not None and not any(status == code and text in answer for code, text in patient):
                raise Fault(f"broker: {method} {path} was answered {status} {answer[:200]}")
            if time.monotonic() > end:
                raise Fault(f"broker: {method} {path} was not done in {PATIENCE} s: {status} {answer[:200]}")
            self.retries += 1
            time.sleep(self.random.uniform(0.1, 0.5))

    def run(self):
        self.token = None
        end = time.monotonic() + PATIENCE
        while self.bank.live_tokens(self.network) + self.bank.customers >= TOKENS_PER_CARD:
            if time.monotonic() > end:
                raise Fault(f"the bank does not hear of removed tokens for {PATIENCE} s")
            time.sleep(0.2)
        _, answer = self.bank.until_answered(
            "POST", self.bank.public + "/provisioning/v1/sessions", {"customer": "c-1", "device": self.element}, self.bank.api_key)
        self.token = json.loads(answer)["token"]
        self.bank.note(tokens=self.token)
        path = f"/provisioning/v1/cards/{self.card}"
        eligibility = json.loads(self.issuer("GET", f"{path}/eligibility")[1])
        if eligibility != {"enabled": True}:
            raise Fault(f"the card cannot be added: {eligibility}")
        configuration = json.loads(self.issuer("GET", f"{path}/configuration")[1])
        scheme = configuration["encryptionScheme"]
        query = urllib.parse.urlencode({"encryptionVersion": scheme, "appleAccount": self.account})
        challenge = json.loads(self.broker("GET", f"issuerProvisioningCertificates?{query}")[1])
        sealed = self.pass_data(path, challenge)
        card = self.submit(sealed, challenge, configuration, scheme)
        # 40456: the network got no decision, and nothing is decided.
        enabled = json.loads(self.broker("POST", f"cards/{card}/enable", {"termsAccepted": True}, patient=[(500, b"40456")])[1])
        again = json.loads(self.broker("POST", f"cards/{card}/enable", {"termsAccepted": True})[1])
        token = enabled["pass"]["deviceAccountIdentifier"]
        if again["pass"]["deviceAccountIdentifier"] != token:
            raise Fault("the same card was enabled twice, with two tokens")
        outcome = "green"
        if enabled["pass"]["activationState"] != 0:
            outcome = self.verify(card, token, enabled["verificationMethods"], path)
        self.wait_until_active(token)
        return token, self.element, outcome, self.afterwards(card)

    def pass_data(self, path, challenge):
        """The first whole answer; every repetition has to be the same."""
        body = {
            "certificates": challenge["certificates"], "nonce": challenge["nonce"], "nonceSignature": challenge["nonceSignature"],
            "encoding": "hex"}
        answers = []

        def ask():
            try:
                answers.append(json.loads(self.issuer("POST", f"{path}/pass-data", body)[1]))
            except Fault as fault:
                answers.append(fault)

        # An impatient app asks again before it has an answer.
        asking = [threading.Thread(target=ask) for _ in range(2 if self.random.random() < 0.3 else 1)]
        for thread in asking:
            thread.start()
        for thread in asking:
            thread.join()
        ask()
        for answer in answers:
            if isinstance(answer, Fault):
                raise answer
        if any(answer != answers[0] for answer in answers):
            raise Fault("one session and nonce got two answers")
        if self.random.random() < 0.2:
            other = {**body, "certificates": list(reversed(body["certificates"]))}
            self.issuer("POST", f"{path}/pass-data", other, good=(409,))
        self.bank.note(challenges=challenge["nonce"] + challenge["nonceSignature"])
        if answers[0].get("activationData") and self.network == "visa":
            self.bank.note(activations=base64.b64decode(answers[0]["activationData"]).decode())
        return answers[0]

    def submit(self, sealed, challenge, configuration, scheme):
        body = {
            **sealed, "publicKeyHash": challenge["publicKeyHash"], "encryptionVersion": scheme, "appleAccount": self.account,
            "deviceName": "Device", "productType": "iPhone15,2", "deviceKind": "phone", "bundleIdentifier": "TEAM123456.example.bank.app",
            "adamID": 1234567890, "configuration": {
                "cardholderName": configuration["cardholderName"], "primaryAccountSuffix": configuration["primaryAccountSuffix"],
                "paymentNetwork": PASSKIT_NETWORKS[self.network], "localizedDescription": configuration["localizedDescription"]}}
        return json.loads(self.broker("POST", "cards", body)[1])["cardId"]

    def verify(self, card, token, methods, path):
        method = next(each for each in methods if each["type"] == "TEXT_TO_CARDHOLDER_NUMBER")
        if self.random.random() < 0.5 and self.enter_code(card, method):
            return "yellow, by code"
        # 404: the network has not told the host of the token yet, killed as it was.
        self.issuer("POST", f"{path}/activations", {"tokenReference": token}, good=(200, 202), patient=(404, 429, 503))
        return "yellow, in the app"

    def enter_code(self, card, method):
        # Codes of all devices come to one inbox.
        with self.bank.inbox:
            end = time.monotonic() + PATIENCE
            while True:
                status, answer = self.bank.ask(
                    "POST", f"{self.bank.sandbox}/broker/v4/devices/{self.element}/cards/{card}/verification",
                    {"methodIdentifier": method["identifier"]})
                if status == 202:
                    break
                # Each code that was perhaps sent counts. Then the customer takes another way.
                if any(limit in answer for limit in (b"code-resend-limit", b"code-card-limit")) or time.monotonic() > end:
                    return False
                self.retries += 1
                time.sleep(0.2)
            code = self.bank.codes()[-1]
        answer = json.loads(self.broker("POST", f"cards/{card}/activation", {"code": code})[1])
        if answer["activationState"] != 0:
            raise Fault(f"the right code gave {answer}")
        return True

    def states(self):
        passes = json.loads(self.broker("GET", "passes")[1])["passes"]
        return {each["deviceAccountIdentifier"]: each["activationState"] for each in passes}

    def wait_until_active(self, token):
        end = time.monotonic() + PATIENCE
        while self.states().get(token) != 0:
            if time.monotonic() > end:
                raise Fault(f"token {token} is not active after {PATIENCE} s: {self.states()}")
            time.sleep(0.2)

    def afterwards(self, card):
        """What the network tells the host of, killed or not."""
        told = "kept"
        if self.random.random() < 0.3:
            self.broker("POST", "lost", {"lost": True}, good=(204,))
            told = "lost"
            if self.random.random() < 0.5:
                self.broker("POST", "lost", {"lost": False}, good=(204,))
                told = "found again"
        if self.random.random() < 0.2 or self.bank.live_tokens(self.network) > 1:
            self.broker("DELETE", f"cards/{card}", good=(204,))
            told += ", removed"
        return told


class Bank:
    """A bank's host in one process, everybody else in another."""

    def __init__(self, kills, seed, customers):
        self.kills, self.customers, self.seed = kills, customers, seed
        self.random = random.Random(seed)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="billfold-issuer-"))
        public, console, sandbox = free_ports(3)
        self.public, self.console, self.sandbox = (f"http://127.0.0.1:{port}" for port in (public, console, sandbox))
        self.processes = {}
        self.lock, self.inbox = threading.Lock(), threading.Lock()
        self.stopping = threading.Event()
        self.noted = {"tokens": set(), "challenges": set(), "activations": set()}
        self.error_bodies = bytearray()
        self.unanswered = 0
        self.done, self.faults = [], []
        self.api_key = None
        self.provoked = "40555199" + "".join(self.random.choices("0123456789", k=8))

    # Processes

    def spawn(self, name, *arguments):
        with (self.folder / f"{name}.log").open("ab") as log:
            self.processes[name] = subprocess.Popen(
                [str(PROGRAM), "serve", "--data", str(self.folder / name), *arguments], stdout=log, stderr=subprocess.STDOUT)

    def start(self):
        self.spawn(
            "sandbox", "--roles", "broker,card-network,card-processor,console", "--sandbox", self.sandbox.removeprefix("http://"),
            "--console", self.console.removeprefix("http://"), "--issuer-url", self.public)
        self.wait_for("sandbox", f"{self.console}/readyz")
        self.wait_for("sandbox", f"{self.sandbox}/processor/v1/bins")
        self.start_issuer()

    def start_issuer(self):
        self.spawn(
            "issuer", "--roles", "provisioning", "--listen", self.public.removeprefix("http://"), "--broker-url", self.sandbox,
            "--card-network-url", self.sandbox, "--card-processor-url", self.sandbox, "--console-url", self.console, "--issuer-url",
            self.public)
        self.wait_for("issuer", f"{self.public}/readyz")
        self.api_key = self.key_file("bank").read_text().strip()

    def key_file(self, kind):
        return next(path for path in sorted((self.folder / "issuer").glob("bank*.key")) if kind in path.name)

    def kill_issuer(self):
        process = self.processes["issuer"]
        process.send_signal(signal.SIGKILL)
        process.wait()

    def wait_for(self, name, url):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self.processes[name].poll() is not None:
                break
            if self.ask("GET", url, timeout=2)[0] == 200:
                return
            time.sleep(0.05)
        raise RuntimeError(f"{name} did not get ready:\n{(self.folder / f'{name}.log').read_text()[-3000:]}")

    def close(self):
        self.stopping.set()
        for process in self.processes.values():
            if process.poll() is None:
                process.kill()
                process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    # Talking

    def ask(self, method, url, body=None, bearer=None, timeout=60):
        """Status and body; no status where there was no answer."""
        place = urllib.parse.urlsplit(url)
        kind = http.client.HTTPSConnection if place.scheme == "https" else http.client.HTTPConnection
        connection = kind(place.hostname, place.port, timeout=timeout)
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if bearer:
            headers["Authorization"] = f"Bearer {bearer}"
        try:
            connection.request(
                method, place.path + (f"?{place.query}" if place.query else ""), json.dumps(body) if body is not None else None, headers)
            answer = connection.getresponse()
            status, content = answer.status, answer.read()
        except (OSError, http.client.HTTPException) as error:
            with self.lock:
                self.unanswered += 1
            return None, str(error).encode()
        finally:
            connection.close()
        if status >= 400:
            with self.lock:
                self.error_bodies += content + b"\n"
        return status, content

    def until_answered(self, method, url, body=None, bearer=None):
        end = time.monotonic() + PATIENCE
        while True:
            status, answer = self.ask(method, url, body, bearer)
            if status and status < 300:
                return status, answer
            if status and status not in (429, 503) or time.monotonic() > end:
                raise Fault(f"{method} {url} was answered {status} {answer[:200]}")
            time.sleep(0.2)

    def note(self, **named):
        with self.lock:
            for kind, value in named.items():
                self.noted[kind].add(value)

    def messages(self):
        messages = json.loads(self.until_answered("GET", f"{self.sandbox}/processor/v1/inbox?customer=c-1")[1])["messages"]
        return [each["text"] for each in messages]

    def codes(self):
        return [code for text in self.messages() for code in re.findall(r"\b[0-9]{6}\b", text)]

    # The run

    def customer(self, seed):
        chance = random.Random(seed)
        while not self.stopping.is_set():
            provisioning = Provisioning(self, chance.getrandbits(64))
            try:
                result = provisioning.run()
                with self.lock:
                    self.done.append((*result, provisioning.retries))
            except Fault as fault:
                with self.lock:
                    self.faults.append(str(fault))
            except (KeyError, ValueError, IndexError, StopIteration) as error:
                with self.lock:
                    self.faults.append(f"an answer could not be read: {error!r}")

    def run(self):
        self.start()
        threads = [threading.Thread(target=self.customer, args=(self.random.getrandbits(64),)) for _ in range(self.customers)]
        for thread in threads:
            thread.start()
        try:
            for _ in range(self.kills):
                self.wait_for_provisioning()
                time.sleep(self.random.uniform(0.05, 2.0))
                self.kill_issuer()
                time.sleep(self.random.uniform(0, 0.5))
                self.start_issuer()
            self.wait_for_provisioning()
        finally:
            self.stopping.set()
            for thread in threads:
                thread.join(PATIENCE * 4)
        self.provoke_errors()
        self.compare()
        return self.summary()

    def summary(self):
        kinds = {}
        for _, _, outcome, fate, _ in self.done:
            kinds[f"{outcome}, {fate}"] = kinds.get(f"{outcome}, {fate}", 0) + 1
        return {
            "provisioned": len(self.done), "triedAgain": sum(1 for each in self.done if each[-1]), "unanswered": self.unanswered,
            "kinds": dict(sorted(kinds.items())), "tokens": len(self.bank_books()), "faults": self.faults}

    def wait_for_provisioning(self):
        """A kill proves something only when cards were added since the last."""
        before, end = len(self.done), time.monotonic() + PATIENCE
        while len(self.done) == before and not self.faults:
            if time.monotonic() > end:
                raise RuntimeError(f"no card was added in {PATIENCE} s:\n{(self.folder / 'issuer.log').read_text()[-3000:]}")
            time.sleep(0.05)

    def provoke_errors(self):
        """Refusals of every kind, whose bodies are searched too."""
        # What strangers send is theirs; that it comes back in no answer and no log is searched for all the same.
        number = self.provoked
        token = next(iter(self.noted["tokens"]))
        path = "/provisioning/v1/cards/visa-1"
        for method, address, body, bearer in [
            ("POST", f"{path}/pass-data", {"primaryAccountNumber": number}, token), ("GET", "/provisioning/v1/cards/none/eligibility", None, token),
            ("GET", "/provisioning/v1/cards", None, token[:-1]), ("GET", "/provisioning/v1/cards", None, self.api_key),
            ("POST", "/provisioning/v1/sessions", {"customer": number, "device": "d"}, token),
            ("POST", "/provisioning/v1/sessions", {"customer": number, "device": "d"}, self.api_key),
            ("POST", f"{path}/pass-data", {"certificates": [], "nonce": number, "nonceSignature": number, "encoding": "hex"}, token),
            ("POST", "/network/v1/decisions", {"requestId": number}, token), ("GET", f"/provisioning/v1/cards/{number}/eligibility", None, token),
        ]:
            status, _ = self.ask(method, self.public + address, body, bearer)
            if status is None or status < 400:
                self.faults.append(f"{method} {address} should have been refused and was answered {status}")

    # The books

    def live_tokens(self, network):
        connection = sqlite3.connect(f"file:{self.folder / 'issuer/issuer.sqlite'}?mode=ro", uri=True, timeout=30)
        try:
            return connection.execute(
                "SELECT count(*) FROM tokens WHERE network = ? AND state <> 'deleted'", [network]).fetchone()[0]
        finally:
            connection.close()

    def bank_books(self):
        connection = sqlite3.connect(f"file:{self.folder / 'issuer/issuer.sqlite'}?mode=ro", uri=True)
        try:
            rows = connection.execute("SELECT reference, state, sequence, secure_element, account_identifier FROM tokens").fetchall()
        finally:
            connection.close()
        return {row[0]: row[1:] for row in rows}

    def network_books(self):
        tokens = json.loads(self.until_answered("GET", f"{self.sandbox}/card-network/control/books")[1])["tokens"]
        return {
            each["tokenReference"]: (each["state"], each["sequence"], each["secureElement"].upper(), each["primaryAccountIdentifier"])
            for each in tokens}

    def compare(self):
        end = time.monotonic() + PATIENCE
        while (bank := self.bank_books()) != (network := self.network_books()) and time.monotonic() < end:
            time.sleep(0.5)
        for token in sorted(bank.keys() | network.keys()):
            if bank.get(token) != network.get(token):
                self.faults.append(f"the bank has {token} as {bank.get(token)}, the network as {network.get(token)}")
        places = [(element, account) for _, _, element, account in network.values()]
        if len(places) != len(set(places)):
            self.faults.append("a device has two tokens of one card")
        if lost := {token for token, *_ in self.done} - bank.keys():
            self.faults.append(f"on a device and not in the bank's books: {sorted(lost)[:5]}")
        connection = sqlite3.connect(f"file:{self.folder / 'issuer/issuer.sqlite'}?mode=ro", uri=True)
        try:
            stored = connection.execute("SELECT hex(challenge) FROM provisioning_pass_data").fetchall()
        finally:
            connection.close()
        if len(stored) < len(self.noted["challenges"]):
            self.faults.append(f"{len(self.noted['challenges'])} challenges were answered, and {len(stored)} answers are stored")

    # The search

    def card_numbers(self):
        """Number and expiry of every card, as the processor tells them to a bank."""
        credential = json.loads(self.until_answered("POST", f"{self.sandbox}/processor/v1/enrolment", {"issuer": "search"})[1])["credential"]
        return [
            (card["primaryAccountNumber"], card["expiration"])
            for customer in ("c-1", "c-2")
            for card in json.loads(
                self.until_answered("GET", f"{self.sandbox}/processor/v1/cards?customer={customer}", bearer=credential)[1])["cards"]]

    def numbers(self):
        for number, expiration in self.card_numbers():
            month, year = expiration.split("/")
            yield Secret(f"the card number ending in {number[-4:]}", number.encode())
            # Where the number is packed or cut, what follows it gives it away.
            yield Secret(f"number and expiry ending in {number[-4:]}", f"{number[6:]}{year}{month}".encode())

    def one_time_codes(self):
        for code in sorted(set(self.codes())):
            yield Secret("a code that a customer received", code.encode(), short=True)
        zone_key = next((self.folder / "issuer/issuer-keys").glob("*.tdes")).read_bytes()
        for text in sorted(self.noted["activations"]):
            clear = subprocess.run(
                ["openssl", "enc", "-d", "-des-ede-cbc", "-nopad", "-K", zone_key.hex(), "-iv", "0" * 16],
                input=bytes.fromhex(text.rsplit("-", 1)[1]), stdout=subprocess.PIPE, check=True).stdout
            code = re.search(rb"authcode=([0-9A-Z]{6})", clear)
            yield Secret("a code in activation data", code.group(1), short=True)

    def credentials(self):
        for token in self.random.sample(sorted(self.noted["tokens"]), min(8, len(self.noted["tokens"]))):
            yield Secret("a session token", token.encode())
        for path in (self.folder / "issuer").glob("*.key"):
            if path.name.startswith(("bank", "network")):
                yield Secret(f"the API key of {path.name}", path.read_bytes().strip())

    def keys(self):
        for path in (self.folder / "issuer/issuer-keys").iterdir():
            held = path.read_bytes()
            # The last numbers of a private key are secret; the first are not.
            yield Secret(f"the key {path.name}", held if len(held) == 16 else self.scalar(held) if len(held) < 300 else held[-64:])
        for path in (self.folder / "issuer").glob("*.key"):
            if len(held := path.read_bytes()) == 32:
                yield Secret(f"the key {path.name}", held)

    @staticmethod
    def scalar(pkcs8):
        at = pkcs8.index(b"\x04\x20") + 2
        return pkcs8[at:at + 32]

    def stories(self):
        """The trace with all details."""
        listed = json.loads(self.until_answered("GET", f"{self.console}/api/stories?limit=500")[1])["stories"]
        return b"\n".join(
            self.until_answered("GET", f"{self.console}/api/stories/{urllib.parse.quote(each['id'], safe='')}")[1] for each in listed)

    def backup(self):
        copy = self.folder / "backup.sqlite"
        subprocess.run(
            [str(PROGRAM), "db", "backup", "--database", str(self.folder / "issuer/issuer.sqlite"), "--to", str(copy)], check=True,
            stdout=subprocess.DEVNULL)
        return copy

    def places(self):
        """Everything that is left behind, by name; what is a file is named by its path."""
        result = {
            "the host's log": self.folder / "issuer.log", "the sandbox's log": self.folder / "sandbox.log", "the backup": self.backup()}
        for owner in ("issuer", "sandbox"):
            for path in (self.folder / owner).rglob("*"):
                if path.is_file() and ".sqlite" in path.name:
                    result[f"{owner}/{path.name}"] = path
        return result

    def search(self):
        everything = [
            *self.numbers(), *self.one_time_codes(), *self.credentials(), *self.keys(), Secret("a provoked number", self.provoked.encode())]
        search = Search(everything)
        places, stories, errors = self.places(), self.stories(), bytes(self.error_bodies)
        found = search.run("the trace", stories) + search.run("the bodies of errors", errors)
        for place, path in places.items():
            found += search.run_file(place, path)
        for name, wanted in (("the trace", stories), ("the bodies of errors", errors)):
            if len(wanted) < 1_000:
                found.append(f"{name} is empty: nothing was searched")
        if not any(place.endswith("-wal") and path.stat().st_size for place, path in places.items()):
            found.append("there is no WAL: nothing was searched")
        return found, self.unnoticed(search, everything, places["issuer/issuer.sqlite"])

    def unnoticed(self, search, everything, database):
        """What a search does not find although it was put into a copy of the database's file."""
        content = database.read_bytes()
        planted = [(f"{secret.name} as {form} in ", found) for secret in everything for form, found in secret.forms()]
        cuts = sorted(self.random.randrange(len(content)) for _ in planted)
        pieces = [content[start:end] for start, end in zip([0, *cuts], [*cuts, len(content)])]
        copy = b"".join(b"\n" + found + b"\n" + piece for (_, found), piece in zip(planted, pieces[1:]))
        noticed = search.run("the copy", copy)
        return [name for name, _ in planted if not any(line.startswith(name) for line in noticed)]

    def core_dump(self):
        """A core dump of the idle host, or nothing where there is no debugger."""
        if not shutil.which("gdb"):
            return None
        path = self.folder / "core"
        subprocess.run(
            ["gdb", "-nx", "-batch", "-readnever", "-p", str(self.processes["issuer"].pid), "-ex", f"gcore {path}"], check=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return path

    def search_core_dump(self):
        """Of the idle host's memory: everybody else leaves first, and with their connections what was said last on each.

        The keys that the host works with itself are there, unless they are on a token of their own, and are not looked for."""
        search = Search([*self.numbers(), *self.one_time_codes(), *self.credentials()])
        self.processes["sandbox"].kill()
        self.processes["sandbox"].wait()
        end = time.monotonic() + PATIENCE
        while self.connections() and time.monotonic() < end:
            time.sleep(0.1)
        path = self.core_dump()
        if path is None:
            return None
        pages = self.written_pages(path)
        path.unlink()
        found = search.run("the core dump", pages)
        if b"/provisioning/v1/cards" not in pages:
            found.append("the core dump is not of the host: nothing was searched")
        return found

    def connections(self):
        """How many connections to the host are established."""
        port = f":{int(self.public.rsplit(':', 1)[1]):04X}"
        lines = [line.split() for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]]
        return sum(1 for line in lines if line[1].endswith(port) and line[3] == "01")

    @staticmethod
    def written_pages(path):
        """Most of a core dump is memory that was never written."""
        pages, was_empty = [], True
        with path.open("rb") as file:
            while page := file.read(4_096):
                is_empty = page.count(0) == len(page)
                if not is_empty:
                    pages.append(b"\n" * was_empty + page)
                was_empty = is_empty
        return b"".join(pages)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--customers", type=int, default=6)
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    bank = Bank(**vars(options))
    try:
        result = bank.run()
        found, missed = bank.search()
        result["found"], result["missed"], result["foundInCoreDump"] = found, missed, bank.search_core_dump()
    finally:
        bank.close()
    print(json.dumps(result, indent=1))
    sys.exit(1 if result["faults"] or found or missed or result["foundInCoreDump"] or not result["provisioned"] else 0)
