"""A bank's own systems at the issuer's host, over HTTP: the nightly job with a kill in the middle, blocked cards, and the support desk.

`BILLFOLD_BANK_CARDS` and `BILLFOLD_BANK_EVENTS` make the job larger.
"""
import base64
import concurrent.futures
import http.client
import json
import os
import re
import signal
import sqlite3
import subprocess
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request

import yaml
from cryptography.hazmat.primitives import hpke
from cryptography.hazmat.primitives.serialization import load_der_private_key

from parties import PROGRAM, ROOT, Billfold, get_json, provision, put, take_up

CARDS = int(os.environ.get("BILLFOLD_BANK_CARDS", 10_000))
EVENTS = int(os.environ.get("BILLFOLD_BANK_EVENTS", 500))
PART, BATCH = 500, 100


def card_number(index):
    """A number of the demo bank's Visa range that passes Luhn's check."""
    body = f"405551{index:09d}"
    total = sum(digit if place % 2 else digit * 2 - 9 * (digit > 4) for place, digit in enumerate(map(int, reversed(body))))
    return f"{body}{-total % 10}"


def seal(key, text):
    """What a network sends instead of a card number (RFC 9180)."""
    suite = hpke.Suite(hpke.KEM.P256, hpke.KDF.HKDF_SHA256, hpke.AEAD.AES_256_GCM)
    return base64.b64encode(suite.encrypt(text, key, b"billfold network account")).decode()


class Silent(Exception):
    """Nobody answered."""


class Bank:
    """The bank's own systems: they know the host's address and have a key."""

    def __init__(self, billfold):
        self.billfold = billfold
        self.key = (billfold.folder / "data/bank.key").read_text().strip()

    def ask(self, method, path, body=None, headers=None):
        """Status, headers and bytes of the answer."""
        place = urllib.parse.urlsplit(self.billfold.public)
        connection = http.client.HTTPConnection(place.hostname, place.port, timeout=60)
        try:
            connection.request(
                method, path, None if body is None else json.dumps(body),
                {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json", **(headers or {})})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise Silent(str(error)) from error
        finally:
            connection.close()

    def good(self, method, path, body=None, headers=None):
        status, _, answer = self.ask(method, path, body, headers)
        if status not in (200, 202):
            raise AssertionError(f"{method} {path} was answered {status} {answer[:300]}")
        return json.loads(answer)

    def report(self, name, kind, card):
        return self.good("POST", "/bank/v1/card-events", {"eventId": name, "card": card, "kind": kind, "occurredAt": self.now()})

    def pages(self, path, member):
        """All rows of a list, page by page."""
        rows, cursor = [], None
        while True:
            page = self.good("GET", path + (f"&cursor={cursor}" if cursor else ""))
            rows += page[member]
            if not (cursor := page.get("next")):
                return rows

    @staticmethod
    def now():
        return int(time.time() * 1000)


def cards(part):
    return [
        {"id": f"n-{index}", "primaryAccountNumber": card_number(index), "expiration": "12/33", "cardholderName": "NAME SPECIMEN",
         "network": "visa", "customer": f"n-customer-{index // 2}", "status": "active", "contacts": []}
        for index in range(part * PART, (part + 1) * PART)]


class BankAPITests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.billfold = Billfold().start()
        cls.addClassCleanup(cls.billfold.stop)
        cls.bank = Bank(cls.billfold)

    def until(self, what, condition, patience=60):
        end = time.monotonic() + patience
        while not (result := condition()):
            self.assertLess(time.monotonic(), end, f"not within {patience} s: {what}")
            time.sleep(0.05)
        return result

    def states(self, card):
        return [each["state"] for each in self.bank.good("GET", f"/bank/v1/tokens?card={card}")["tokens"] if each["state"] != "deleted"]

    def rows(self, sql):
        connection = sqlite3.connect(f"file:{self.billfold.folder / 'data/issuer.sqlite'}?mode=ro", uri=True, timeout=30)
        try:
            return connection.execute(sql).fetchall()
        finally:
            connection.close()

    # The nightly job

    def job(self, requests, answers, kill_after=None):
        """Sends what is to be sent, in order, from the beginning. What was answered before has to be answered the same. Returns how much was
        sent; the kill comes while an answer is waited for."""
        repeated = 0
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            for place, (path, body) in enumerate(requests):
                answer = pool.submit(self.bank.ask, "POST", path, body)
                if place == kill_after:
                    time.sleep(0.05)
                    self.billfold.process.send_signal(signal.SIGKILL)
                    self.billfold.process.wait()
                try:
                    status, headers, content = answer.result()
                except Silent:
                    self.assertEqual(place, kill_after, "nobody answered although nothing was killed")
                    return repeated
                self.assertEqual(status, 200, content[:300])
                if place in answers:
                    self.assertEqual(content, answers[place], f"{path}, part {place}: another answer than before")
                    repeated += headers.get("Idempotent-Replayed") == "true"
                answers[place] = content
                if place == kill_after:
                    return repeated
        return repeated

    def test_a_nightly_job_that_is_killed_in_the_middle_loses_nothing_and_does_nothing_twice(self):
        imports = [
            ("/bank/v1/card-imports", {"importId": "night", "part": part, "cards": cards(part)}) for part in range(CARDS // PART)]
        kinds = ["blocked", "unblocked", "lost", "stolen", "closed"]
        start = int(time.time() * 1000) - EVENTS
        events = [
            {"eventId": f"night-{index}", "card": f"n-{index // 2 * 7 % CARDS}", "kind": kinds[index % 5], "occurredAt": start + index}
            for index in range(EVENTS)]
        batches = [("/bank/v1/card-event-batches", {"events": events[at:at + BATCH]}) for at in range(0, EVENTS, BATCH)]
        requests, answers = imports + batches, {}
        began = time.monotonic()
        for kill_after in (len(imports) // 2, len(imports) + len(batches) // 2):
            self.job(requests, answers, kill_after)
            self.billfold.start()
        repeated = self.job(requests, answers)
        print(f"{CARDS} cards and {EVENTS} events with two kills: {time.monotonic() - began:.1f} s", flush=True)
        self.assertGreater(repeated, len(imports) // 2, "nothing was answered as it was before")

        parts = self.bank.pages("/bank/v1/card-imports/night?limit=7", "parts")
        self.assertEqual([each["part"] for each in parts], list(range(len(imports))))
        self.assertEqual(sum(each["created"] for each in parts), CARDS, "each card was brought in once")
        self.assertEqual(sum(each["changed"] + each["overtaken"] + each["refused"] for each in parts), 0)
        self.assertEqual(self.rows("SELECT COUNT(*) FROM provisioning_cards WHERE id LIKE 'n-%'"), [(CARDS,)])
        taken = self.bank.pages("/bank/v1/card-events?limit=200", "events")
        ours = [each["eventId"] for each in taken if each["eventId"].startswith("night-")]
        self.assertEqual(sorted(ours), sorted(each["eventId"] for each in events), "each event was taken once")
        # What the events make of the cards, told by the bank's own books.
        expected = {}
        for event in events:
            expected.setdefault(event["card"], []).append(event["kind"])
        found = dict(self.rows("SELECT id, status FROM provisioning_cards WHERE id LIKE 'n-%'"))
        for card, told in expected.items():
            holds = set()
            for kind in told:
                holds = holds - {"blocked", "lost", "stolen"} if kind == "unblocked" else holds | {kind}
            self.assertEqual(found[card], "closed" if "closed" in holds else "blocked" if holds else "active", f"{card}: {told}")
        trail = self.rows("SELECT COUNT(*) FROM audit_rows WHERE action LIKE 'card.%' AND result LIKE 'event night-%'")
        self.assertEqual(trail, [(EVENTS,)])

    # Blocked cards

    def test_a_blocked_cards_token_is_suspended_within_a_minute_and_nobody_logs_in(self):
        ready = ["visa-1", "mastercard-1"]
        for name in ready:
            self.assertEqual(provision(self.billfold.sandbox, name), "ready")
            self.until("a token that pays", lambda: self.states(name) == ["active"])
        took = []
        for turn in range(8):
            for name in ready:
                began = time.monotonic()
                self.assertEqual(self.bank.report(f"block-{turn}-{name}", "blocked", name)["effect"], "applied")
                self.until(f"{name} suspended", lambda: self.states(name) == ["suspended"])
                took.append(time.monotonic() - began)
                self.bank.report(f"unblock-{turn}-{name}", "unblocked", name)
                self.until(f"{name} active", lambda: self.states(name) == ["active"])
        worst = sorted(took)[min(len(took) - 1, int(len(took) * 0.99))]
        print(f"blocked to suspended: {len(took)} times, p50 {sorted(took)[len(took) // 2]:.2f} s, p99 {worst:.2f} s", flush=True)
        self.assertLess(worst, 60)

        # The processor says it and the bank says nothing: it is asked regularly.
        control = f"{self.billfold.sandbox}/processor/control/cards/{ready[0]}/status"
        put(control, {"status": "blocked"})
        self.until("suspended by what changed at the processor", lambda: self.states(ready[0]) == ["suspended"])
        put(control, {"status": "active"})
        self.until("active again", lambda: self.states(ready[0]) == ["active"])

    # A customer who never opened the app

    def test_a_card_that_no_session_brought_in_is_asked_for_by_its_number(self):
        put(f"{self.billfold.sandbox}/processor/control/cards/visa-2/status", {"status": "active"})
        enrolled = urllib.request.Request(
            f"{self.billfold.sandbox}/processor/v1/enrolment", json.dumps({"issuer": "test"}).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(enrolled, timeout=60) as answer:
            credential = json.loads(answer.read())["credential"]
        known = get_json(
            f"{self.billfold.sandbox}/processor/v1/cards?customer=c-2", {"Authorization": f"Bearer {credential}"})["cards"]
        card = next(each for each in known if each["id"] == "visa-2")
        folder = self.billfold.folder / "data"
        key = load_der_private_key((folder / "issuer-keys/decision-1.p256").read_bytes(), None).public_key()
        account = json.dumps({name: card[name] for name in ("primaryAccountNumber", "expiration")}).encode()
        body = {
            "requestId": "by-number", "network": "visa", "encryptedAccount": seal(key, account), "primaryAccountIdentifier": "V-BYNUMBER",
            "tokenReference": "token-by-number", "tokenRequestor": "40010030273",
            "device": {"secureElement": "0C" * 24, "kind": "phone", "name": "A phone"},
            "recommendation": {"outcome": "APPROVED", "deviceScore": 5, "accountScore": 5, "phoneNumberScore": 5, "reasons": []},
            "activation": {"present": False, "valid": False}}
        request = urllib.request.Request(
            f"{self.billfold.public}/network/v1/decisions", json.dumps(body).encode(),
            {"Content-Type": "application/json", "Authorization": f"Bearer {(folder / 'network-visa.key').read_text().strip()}"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            decision = json.loads(answer.read())
        self.assertEqual((decision["colour"], decision["reasons"]), ("yellow", ["activation-missing"]))

    # The guide

    def test_the_guides_commands_do_what_they_say(self):
        """Every command, from top to bottom, as a newcomer runs them where `make run` was called."""
        folder = self.billfold.folder / "guide"
        folder.mkdir()
        (folder / ".billfold").symlink_to(self.billfold.folder / "data")
        shim = folder / "billfold"
        shim.write_text(f'#!/bin/sh\nexec "{PROGRAM}" "$@"\n')
        shim.chmod(0o755)
        guide = (ROOT / "docs/guides/bank.md").read_text()
        commands = "\n".join(re.findall(r"```sh\n(.*?)```", guide, re.S)).replace(
            "http://127.0.0.1:8080", self.billfold.public).replace("http://127.0.0.1:8082", self.billfold.sandbox)
        run = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", commands], capture_output=True, text=True, timeout=120, cwd=folder,
            env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"})
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        said = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
        (programmes, imported, session, proven, messages, inbox, event, held, batch, acted, token, changed, resumed, off, on, told,
         wanted, paid, sent) = said[:19]
        self.assertIn("405551", programmes["programmes"][0]["numberPrefixes"])
        self.assertEqual((imported["created"], imported["refused"]), (1, 0))
        self.assertTrue(session["token"].startswith("pst_"))
        # A card that the bank brought in itself, on a phone and active.
        self.assertRegex(run.stdout, r"token.active: own-1 on a phone of the kind trusted: the bank's app says ready, token \S+")
        own = self.bank.good("GET", f"/bank/v1/tokens/{proven['tokenReference']}")
        self.assertEqual((own["card"], own["customer"]), ("own-1", "own-c-1"))
        self.assertIn("token added", [each["subject"] for each in messages["messages"]])
        self.assertIn("messages", inbox)
        self.assertEqual(event["effect"], "applied")
        self.assertIn("visa-1", [each["card"] for each in held["tokens"]])
        self.assertEqual([each["status"] for each in batch["results"]], ["active", "blocked"])
        self.assertEqual(acted["outcome"], "asked")
        self.assertEqual((token["lastAction"]["remark"], token["heldFor"]), ("case 8", ["person"]))
        self.assertIn(token["tokenReference"], [each["tokenReference"] for each in changed["tokens"]])
        self.assertEqual((resumed["outcome"], off["on"], on["on"], told["language"]), ("asked", False, True, "zh-Hant"))
        self.until("active again", lambda: "suspended" not in self.states("visa-1"))
        self.assertEqual((wanted["transactionMessages"], paid["message"]), (True, "queued"))
        self.assertEqual(sent["messages"][0]["subject"], "card transaction")
        # What was queued came to the played phone.
        reader = f"{self.billfold.sandbox}/processor/v1/inbox?customer=own-c-1"
        self.until("the push", lambda: any("12.30 CNY" in each["text"] for each in get_json(reader)["messages"]))
        self.until("told", lambda: all(
            each["state"] == "delivered" for each in self.bank.good("GET", "/bank/v1/cards/own-1/messages")["messages"]))
        pushed = self.bank.good("GET", "/bank/v1/cards/own-1/messages")["messages"][0]
        self.assertEqual((pushed["channel"], pushed["note"], "contact" in pushed), ("app", "pushed", False))
        # What the host sealed opens with the key that the played wallet gives, and its chain ends at the root that it gives.
        self.assertIn("nothing wrong was found", run.stdout)
        self.assertIn("Billfold-Test-Key: ", (folder / "leaf.key").read_text())
        # That the processor does not know a customer whom the bank imported is its answer, and no problem.
        asked = [json.loads(line) for line in self.command("logs", "--once", "--last", "500", "--party", "processor").stdout.splitlines()]
        answers = [each for each in asked if any(
            field["value"].startswith("customer-unknown") for field in each["fields"] if field["name"] == "answer")]
        self.assertTrue(answers)
        self.assertEqual([each for each in answers if each.get("problem")], [])

    # A card of one's own

    def command(self, *arguments):
        return subprocess.run(
            [str(PROGRAM), *arguments, "--data", str(self.billfold.folder / "data"), "--json"], capture_output=True, text=True, timeout=120)

    def bring_in(self, name, index, holder):
        """A card of a customer of its own, with a contact that the bank alone knows."""
        brought = self.bank.good("POST", "/bank/v1/card-imports", {"importId": f"import-{name}", "part": 0, "cards": [
            {"id": name, "primaryAccountNumber": card_number(index), "expiration": "12/33", "cardholderName": holder, "network": "visa",
             "customer": f"customer {name}", "status": "active",
             "contacts": [{"identifier": f"{name}-sms", "type": "TEXT_TO_CARDHOLDER_NUMBER", "value": "+86 139 0000 0001"}]}]})
        self.assertEqual(brought["created"], 1, brought)

    def test_a_code_reaches_a_contact_that_the_bank_alone_knows(self):
        self.bring_in("coded", 900_001, "ANN SPECIMEN")
        tap, until = take_up(f"{self.billfold.sandbox}/bank/phones", {"model": "moved"})

        def phase(*names):
            return lambda each: (each.get("sheet") or {}).get("phase") in names

        until(tap("logIn", "customer coded"), lambda each: each["cards"])
        until(tap("add", "coded"), phase("introduction"))
        screen = until(tap("next"), phase("choosingDevice", "terms"))
        if screen["sheet"]["phase"] == "choosingDevice":
            until(tap("chooseDevice", screen["sheet"]["devices"][0]["id"]), phase("terms"))
        screen = until(tap("acceptTerms"), phase("choosingMethod"))
        self.assertEqual([each["id"] for each in screen["sheet"]["methods"]], ["coded-sms"])

        def codes(each):
            return re.findall(r"\b\d{6}\b", " ".join(message["text"] for message in each["inbox"]))

        screen = until(tap("chooseMethod", "coded-sms"), codes)
        code = codes(screen)[-1]
        until(screen, phase("enteringCode"))
        until(tap("enterCode", code), phase("added"))
        self.assertEqual(until(tap("done"), lambda each: each.get("outcome"))["outcome"]["kind"], "ready")
        self.until("a token that pays", lambda: self.states("coded") == ["active"])

    def test_a_trigger_comes_about_whatever_was_added_by_hand(self):
        """Three cardholders on the account that everybody shares, and on their own: none is in the way of the next trigger."""
        for index, holder in enumerate(("ONE SPECIMEN", "TWO SPECIMEN", "THREE SPECIMEN")):
            self.bring_in(f"held-{index}", 900_010 + index, holder)
            ended = self.command("trigger", "token.active", "--card", f"held-{index}")
            self.assertEqual(ended.returncode, 0, ended.stdout)
            told = json.loads(ended.stdout)
            self.assertEqual((told["card"], told["outcome"]), (f"held-{index}", "ready"))
            self.until("the token", lambda: self.states(f"held-{index}") == ["active"])

    def test_a_trigger_that_cannot_come_about_says_why(self):
        self.bring_in("stopped", 900_020, "ANN SPECIMEN")
        self.bank.report("stop-1", "blocked", "stopped")
        for name, arguments, code, words in (
                ("a card that is blocked", ["token.active", "--card", "stopped"], "not-reached", "blocked"),
                ("a card that nobody has", ["token.active", "--card", "nobodys"], "card-not-found", "card-imports"),
                ("a trigger without a card", ["payment.succeeded", "--card", "stopped"], "card-not-taken", "token.active")):
            with self.subTest(name):
                ended = self.command("trigger", *arguments)
                error = json.loads(ended.stdout)["error"]
                self.assertEqual((error["code"], ended.returncode != 0), (code, True), error)
                self.assertIn(words, error["reason"])

    def test_a_refusal_is_found_below_the_stories_of_others(self):
        self.bank.ask("POST", "/bank/v1/card-events", {
            "eventId": "e-of-nobody", "card": "nobodys-card", "kind": "blocked", "occurredAt": self.bank.now()})
        for index in range(25):
            self.bring_in(f"above-{index}", 901_000 + index, "ANN SPECIMEN")
            self.bank.report(f"above-{index}", "blocked", f"above-{index}")
        self.until("the refusal", lambda: any(
            json.loads(line)["correlation"].get("provisioning.card") == "nobodys-card" and json.loads(line)["problem"].startswith("card-not-found: ")
            for line in self.command("logs", "--once", "--problems").stdout.splitlines()))

    def test_the_played_sender_takes_what_the_file_describes(self):
        schemas = yaml.safe_load((ROOT / "docs/openapi/provisioning.yaml").read_text())["components"]["schemas"]
        enrolled = urllib.request.Request(
            f"{self.billfold.sandbox}/processor/v1/enrolment", b'{"issuer":"described"}', {"Content-Type": "application/json"})
        with urllib.request.urlopen(enrolled, timeout=60) as answer:
            bearer = {"Authorization": f"Bearer {json.loads(answer.read())['credential']}", "Content-Type": "application/json"}
        for schema, path in (("OutgoingPush", "/processor/push/v1/messages"), ("OutgoingMessage", "/processor/v1/messages")):
            names = schemas[schema]["required"]
            self.assertEqual(set(names), set(schemas[schema]["properties"]))
            whole = {name: "described" for name in names}
            bodies = [(whole, 202), *(({key: value for key, value in whole.items() if key != name}, 400) for name in names)]
            for body, status in bodies:
                request = urllib.request.Request(self.billfold.sandbox + path, json.dumps(body).encode(), bearer)
                try:
                    with urllib.request.urlopen(request, timeout=60) as answer:
                        self.assertEqual(answer.status, status, body)
                except urllib.error.HTTPError as refusal:
                    with refusal:
                        self.assertEqual(refusal.code, status, body)

    # The support desk

    def test_a_support_desk_finds_a_customers_tokens_page_by_page(self):
        before = len(self.states("visa-1"))
        provision(self.billfold.sandbox, "visa-1", "tablet")
        # The bank hears of the tablet's token after the tablet holds it: its other tokens alone prove nothing.
        self.until("tokens that pay", lambda: self.states("visa-1") == ["active"] * (before + 1))
        everything = self.bank.pages("/bank/v1/tokens?customer=c-1&limit=1", "tokens")
        self.assertEqual(len({each["tokenReference"] for each in everything}), len(everything))
        self.assertEqual(everything, self.bank.pages("/bank/v1/tokens?customer=c-1&limit=200", "tokens"))
        token = next(each for each in everything if each["card"] == "visa-1")
        self.assertEqual(token["wallet"]["name"], "Apple Pay")
        self.assertEqual(token["customer"], "c-1")
        self.assertIn("secureElement", token["device"])
        self.assertLessEqual(token["createdAt"], token["changedAt"])
        by_device = self.bank.pages(f"/bank/v1/tokens?secureElement={token['device']['secureElement']}", "tokens")
        self.assertIn(token["tokenReference"], [each["tokenReference"] for each in by_device])
        for state in ("inactive", "active", "suspended", "deleted"):
            listed = self.bank.pages(f"/bank/v1/tokens?state={state}&customer=c-1", "tokens")
            self.assertEqual(listed, [each for each in everything if each["state"] == state])
        # A wish under one key is done once, and a cursor is of its own list.
        wish, path = {"action": "suspend", "reason": "F"}, f"/bank/v1/tokens/{token['tokenReference']}/actions"
        first, again = (self.bank.ask("POST", path, wish, {"Idempotency-Key": "desk-1"}) for _ in range(2))
        self.assertEqual((first[0], first[2]), (again[0], again[2]))
        self.assertEqual(again[1]["Idempotent-Replayed"], "true")
        self.until("suspended", lambda: self.bank.good("GET", f"/bank/v1/tokens/{token['tokenReference']}")["state"] == "suspended")
        self.assertEqual(self.bank.good("GET", f"/bank/v1/tokens/{token['tokenReference']}")["heldFor"], ["person"])
        self.bank.good("POST", path, {"action": "resume", "reason": "T"}, {"Idempotency-Key": "desk-2"})
        cursor = self.bank.good("GET", "/bank/v1/tokens?limit=1").get("next")
        if cursor:
            self.assertEqual(self.bank.ask("GET", f"/bank/v1/tokens?customer=c-1&cursor={cursor}")[0], 400)
        self.assertEqual(self.bank.ask("GET", "/bank/v1/tokens", headers={"Authorization": "Bearer none"})[0], 401)


if __name__ == "__main__":
    unittest.main(verbosity=2)
