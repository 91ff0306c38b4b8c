"""An issuer's host whose zone and signing keys lie on a PKCS#11 token: cards through the running servers, keys that are exchanged
while it runs, and a token that is taken away."""
import base64
import http.client
import http.server
import json
import os
import pathlib
import secrets
import signal
import subprocess
import threading
import time
import unittest
import urllib.parse

import issuer
from parties import PROGRAM, free_ports

MODULES = ["/usr/lib/softhsm/libsofthsm2.so", "/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so", "/usr/lib64/libsofthsm2.so"]
MODULE = next((path for path in MODULES if os.path.exists(path)), None)
TOKEN = "issuer"


class Listener(http.server.BaseHTTPRequestHandler):
    """Stands between the host and the network while the host enrols, and keeps what the network calls it by from then on."""

    protocol_version = "HTTP/1.1"

    def relay(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        target = urllib.parse.urlsplit(self.server.target)
        connection = http.client.HTTPConnection(target.hostname, target.port, timeout=60)
        headers = {name: value for name, value in self.headers.items() if name.lower() not in ("host", "connection", "content-length")}
        connection.request(self.command, self.path, body or None, headers)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        if self.path.endswith("/enrolment"):
            self.server.credential = json.loads(content)["credential"]
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.getheader("Content-Type") or "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = relay

    def log_message(self, *_):
        pass


class TokenBank(issuer.Bank):
    """The sandbox's bank, whose keys move to a token after the network has been told of them."""

    def __init__(self):
        super().__init__(kills=0, seed=1, customers=1)
        self.pin = secrets.token_hex(8)
        self.environment = {**os.environ, "SOFTHSM2_CONF": str(self.folder / "softhsm2.conf")}
        (self.folder / "tokens").mkdir()
        (self.folder / "softhsm2.conf").write_text(
            f"directories.tokendir = {self.folder / 'tokens'}\nobjectstore.backend = file\nlog.level = ERROR\n")
        self.key_folder = self.folder / "issuer/issuer-keys"
        self.file = self.folder / "issuer.json"

    def spawn(self, name, *arguments):
        with (self.folder / f"{name}.log").open("ab") as log:
            self.processes[name] = subprocess.Popen(
                [str(PROGRAM), "serve", "--data", str(self.folder / name), *arguments], stdout=log, stderr=subprocess.STDOUT,
                env=self.environment)

    def run_tool(self, *command, good=True):
        run = subprocess.run([str(each) for each in command], capture_output=True, text=True, env=self.environment)
        if good and run.returncode != 0:
            raise RuntimeError(f"{command[:3]} ended with {run.returncode}: {run.stdout}{run.stderr}")
        return run

    def command(self, *arguments, good=True):
        """`billfold keys issuer …`. Returns its JSON."""
        run = self.run_tool(PROGRAM, "keys", "issuer", *arguments, "--issuer", self.file, "--json", good=good)
        return json.loads(run.stdout)

    def private(self, name, text):
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o600)
        return path

    def start(self):
        """The host is first the sandbox's, makes its keys and tells the network. Then they go to the token, and the host has a file."""
        (port,) = free_ports(1)
        listener = http.server.ThreadingHTTPServer(("127.0.0.1", port), Listener)
        listener.target, listener.credential = self.sandbox, None
        threading.Thread(target=listener.serve_forever, daemon=True).start()
        network, self.network_url = self.sandbox, f"http://127.0.0.1:{port}"
        super().start()
        self.stop_issuer()
        listener.shutdown()
        listener.server_close()
        self.network_url = network
        self.private("network.key", listener.credential)
        enrolled = self.until_answered("POST", f"{self.sandbox}/processor/v1/enrolment", {"issuer": "bank"})[1]
        self.private("processor.key", json.loads(enrolled)["credential"])
        self.private("token.pin", f"{self.pin}\n")
        self.zone_key, self.signing_key = ((self.key_folder / name).read_bytes() for name in ("405551.1.tdes", "bank-tav-1.rsa"))
        for name in ("405551.1.tdes", "bank-tav-1.rsa"):
            (self.key_folder / name).unlink()
        self.make_token()
        self.start_issuer()

    def write_file(self, visa=("405551.1",)):
        text = json.dumps({
            "issuer": "bank", "programmes": [
                {"id": "visa-credit", "network": "visa", "numberPrefixes": ["405551"], "displayName": "Visa", "payload": "encryptedFPAN",
                 "prefixDigits": 6},
                {"id": "mastercard-debit", "network": "mastercard", "numberPrefixes": ["520400"], "displayName": "Mastercard",
                 "payload": "fpan"},
                {"id": "unionpay-debit", "network": "unionPay", "numberPrefixes": ["621483"], "displayName": "UnionPay", "payload": "fpan",
                 "encryptionScheme": "EV_RSA_v2"}],
            "keys": {"folder": "issuer/issuer-keys", "module": MODULE, "token": TOKEN, "pin": "token.pin", "visa": list(visa),
                     "mastercard": ["bank-tav-1"]},
            "decisionKeys": ["decision-1"], "bankKey": "issuer/bank.key",
            "processor": {"origin": self.sandbox, "credential": "processor.key"},
            "networks": [
                {"network": network, "origin": f"{self.sandbox}/card-network", "credential": "network.key",
                 "callerKey": f"issuer/network-{network}.key"} for network in ("visa", "mastercard", "unionPay")]})
        # Whole or not at all: the host reads it whenever it likes.
        fresh = self.folder / "issuer.json.new"
        fresh.write_text(text)
        fresh.rename(self.file)

    def make_token(self):
        self.run_tool("softhsm2-util", "--init-token", "--free", "--label", TOKEN, "--pin", self.pin, "--so-pin", "1357-officer")
        self.write_file()
        first = secrets.token_bytes(16)
        second = bytes(left ^ right for left, right in zip(first, self.zone_key))
        components = [self.private(f"component-{number}", part.hex()) for number, part in enumerate((first, second))]
        self.imported = self.command(
            "import", "--kind", "zone", "--id", "405551.1", "--component", str(components[0]), "--component", str(components[1]))
        der, pem = self.folder / "tav.der", self.folder / "tav.pem"
        der.write_bytes(self.signing_key)
        self.run_tool("openssl", "pkcs8", "-inform", "DER", "-in", der, "-nocrypt", "-topk8", "-out", pem)
        self.run_tool("softhsm2-util", "--import", pem, "--token", TOKEN, "--label", "bank-tav-1", "--id", "0a", "--pin", self.pin)
        for path in [*components, der, pem]:
            path.unlink()

    def start_issuer(self, ready=True):
        self.spawn(
            "issuer", "--roles", "provisioning", "--listen", self.public.removeprefix("http://"), "--broker-url", self.sandbox,
            "--card-network-url", self.network_url, "--card-processor-url", self.sandbox, "--console-url", self.console, "--issuer-url",
            self.public, *(["--issuer", str(self.file)] if self.file.exists() else []))
        if ready:
            self.wait_for("issuer", f"{self.public}/readyz")
            self.api_key = (self.folder / "issuer/bank.key").read_text().strip()

    def stop_issuer(self):
        self.processes["issuer"].send_signal(signal.SIGTERM)
        return self.processes["issuer"].wait(60)

    def log(self):
        return (self.folder / "issuer.log").read_text()

    def provisioning(self, network, seed):
        provisioning = issuer.Provisioning(self, seed)
        provisioning.network, provisioning.card, provisioning.account = network, issuer.CARDS[network], "trusted@example.com"
        return provisioning

    def pass_data(self, network, seed):
        """Status and answer of one request for pass data, from a session of its own."""
        provisioning = self.provisioning(network, seed)
        element = provisioning.element
        session = json.loads(self.until_answered(
            "POST", f"{self.public}/provisioning/v1/sessions", {"customer": "c-1", "device": element}, self.api_key)[1])
        scheme = "EV_RSA_v2" if network == "unionPay" else "EV_ECC_v2"
        query = urllib.parse.urlencode({"encryptionVersion": scheme, "appleAccount": provisioning.account})
        challenge = json.loads(provisioning.broker("GET", f"issuerProvisioningCertificates?{query}")[1])
        status, answer = self.ask(
            "POST", f"{self.public}/provisioning/v1/cards/{provisioning.card}/pass-data",
            {"certificates": challenge["certificates"], "nonce": challenge["nonce"], "nonceSignature": challenge["nonceSignature"],
             "encoding": "hex"}, session["token"])
        return status, json.loads(answer)

    def key_set(self, seed):
        """The key set that Visa's activation data name now."""
        status, answer = self.pass_data("visa", seed)
        return base64.b64decode(answer["activationData"]).decode().split("-")[3] if status == 200 else f"{status} {answer}"

    def until(self, description, condition, patience=60):
        end = time.monotonic() + patience
        while not (result := condition()):
            if time.monotonic() > end:
                raise RuntimeError(f"{description}: not in {patience} s:\n{self.log()[-3000:]}")
            time.sleep(1.1)
        return result


@unittest.skipIf(MODULE is None, "SKIPPED: SoftHSM is not installed; an issuer's keys on a token are NOT tested")
class IssuerKeysTests(unittest.TestCase):
    def setUp(self):
        self.bank = TokenBank()
        self.addCleanup(self.bank.close)
        self.bank.start()

    def test_cards_are_added_with_keys_that_never_leave_the_token(self):
        bank = self.bank
        for seed, network in enumerate(("visa", "mastercard")):
            token, _, outcome, _ = bank.provisioning(network, seed).run()
            self.assertEqual(outcome, "green", f"{network}: the network took the activation data for something else")
            self.assertIn(token, bank.network_books())
        listed = {each["id"]: each for each in bank.command("list")["keys"]}
        self.assertEqual({name: each["place"] for name, each in listed.items()},
                         {"405551.1": "token", "bank-tav-1": "token", "decision-1": "plain"})
        self.assertEqual(listed["405551.1"]["checkValue"], bank.imported["checkValue"])
        clear = subprocess.run(
            ["openssl", "enc", "-e", "-des-ede", "-nopad", "-K", bank.zone_key.hex()], input=bytes(8), capture_output=True, check=True).stdout
        self.assertEqual(bank.imported["checkValue"], clear[:3].hex().upper())
        command_line = pathlib.Path(f"/proc/{bank.processes['issuer'].pid}/cmdline").read_bytes()
        environment = pathlib.Path(f"/proc/{bank.processes['issuer'].pid}/environ").read_bytes()
        for secret in (bank.pin.encode(), bank.zone_key.hex().encode()):
            for place in (command_line, environment, bank.log().encode()):
                self.assertNotIn(secret, place)

    def test_a_new_key_set_is_taken_over_by_a_running_host(self):
        bank = self.bank
        process = bank.processes["issuer"].pid
        self.assertEqual(bank.key_set(1), "405551.1")
        # A name without a key: the host goes on with what it has.
        bank.write_file(visa=("405551.1", "405551.2"))
        bank.until("a refusal in the log", lambda: "unknown-key" in bank.log())
        self.assertEqual(bank.key_set(2), "405551.1")
        made = bank.command("make", "--kind", "zone", "--id", "405551.2")
        self.assertEqual((made["place"], made["use"]), ("token", "active"))
        seeds = iter(range(3, 1_000))
        bank.until("the new key set", lambda: bank.key_set(next(seeds)) == "405551.2")
        # Old and new are there at once; going back is naming the old one last.
        bank.write_file(visa=("405551.2", "405551.1"))
        bank.until("the old key set", lambda: bank.key_set(next(seeds)) == "405551.1")
        self.assertEqual(bank.processes["issuer"].pid, process)
        self.assertIsNone(bank.processes["issuer"].poll())

    def test_a_token_that_is_taken_away_is_said_and_comes_back(self):
        bank = self.bank
        self.assertEqual(bank.key_set(1), "405551.1")
        bank.run_tool("softhsm2-util", "--delete-token", "--token", TOKEN)
        seeds = iter(range(2, 1_000))
        for network in ("visa", "mastercard"):
            status, answer = bank.until(
                "a refusal", lambda: (got := bank.pass_data(network, next(seeds)))[0] != 200 and got)
            self.assertEqual((status, answer["error"]["code"]), (503, "keys-unavailable"))
        self.assertEqual(bank.pass_data("unionPay", 900)[0], 200, "what needs no key of the token goes on")
        self.assertIsNone(bank.processes["issuer"].poll(), "the host ended")
        bank.make_token()
        bank.until("the keys of the new token", lambda: bank.key_set(next(seeds)) == "405551.1")
        _, _, outcome, _ = bank.provisioning("mastercard", 901).run()
        self.assertEqual(outcome, "green")

    def test_a_token_that_cannot_be_used_is_refused_at_the_start(self):
        bank = self.bank
        for change, code in [
            (lambda: bank.private("token.pin", "another-pin\n"), "key-store-unavailable"),
            (lambda: (bank.private("token.pin", bank.pin), (bank.folder / "token.pin").chmod(0o644)), "key-store-exposed"),
            (lambda: ((bank.folder / "token.pin").chmod(0o600), bank.write_file(visa=("405551.9",))), "unknown-key"),
        ]:
            bank.stop_issuer()
            change()
            bank.start_issuer(ready=False)
            self.assertNotEqual(bank.processes["issuer"].wait(60), 0)
            self.assertIn(code, bank.log().splitlines()[-1])


if __name__ == "__main__":
    unittest.main(verbosity=2)
