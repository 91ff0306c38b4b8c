"""Drives the example of a bank with Add to Wallet through the sandbox: `Examples/LeafBank` on a simulated phone with a watch, against a running
`billfold serve`, and its back end beside it.

Each visit of a customer is a process of its own, so that a killed app is one. The lines to broker and issuer lose what a visit wants lost.
"""
import hashlib
import pathlib
import secrets
import subprocess
import sys
import tempfile
import unittest

from client_code import EXAMPLES, MODES, Built, Example, workshop
from parties import Billfold, free_ports, get_json
from proxies import LossyLine


class LeafBankTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.billfold = Billfold()
        cls.addClassCleanup(cls.billfold.stop)
        cls.billfold.start()
        cls.broker, cls.issuer = (LossyLine(int(url.rsplit(":", 1)[1])) for url in (cls.billfold.sandbox, cls.billfold.public))
        cls.addClassCleanup(cls.broker.close)
        cls.addClassCleanup(cls.issuer.close)
        key = cls.billfold.folder / "data/bank.key"
        cls.key, port = key.read_text().strip(), free_ports(1)[0]
        cls.bank = f"http://127.0.0.1:{port}"
        back_end = subprocess.Popen(
            [sys.executable, str(EXAMPLES / "LeafBank/back-end.py"), "--key-file", str(key), "--issuer", cls.billfold.public, "--port", str(port)],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        cls.addClassCleanup(cls.end, back_end)
        back_end.stdout.readline()
        cls.made = cls.enterClassContext(workshop(Example("LeafBank"), "6", Built()))
        cls.made.build()

    @staticmethod
    def end(process):
        process.kill()
        process.wait()
        process.stdout.close()

    def setUp(self):
        self.home = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="billfold-leaf-bank-")))
        # A phone that nobody has held before.
        self.element = "04" + secrets.token_hex(23)
        for line in (self.broker, self.issuer):
            line.told("nothing")

    def visit(self, name, ends=0):
        """What the customer was told in a visit."""
        said = self.made.drive(
            name, ends=ends, APP_FOLDER=str(self.home), BANK=self.bank, BROKER_LINE=self.broker.address, ISSUER_LINE=self.issuer.address,
            SECURE_ELEMENT=self.element)
        return [value for word, _, value in (line.partition(": ") for line in said.splitlines()) if word == "reads"]

    def passes(self):
        """The states of the phone's passes at the broker, by its books; 0 is active."""
        return [each["activationState"] for each in get_json(f"{self.billfold.sandbox}/broker/v4/devices/{self.element}/passes")["passes"]]

    def active_tokens(self):
        """By the bank's books."""
        books = get_json(f"{self.billfold.public}/provisioning/v1/tokens", {"Authorization": f"Bearer {self.key}"})["tokens"]
        return len([each for each in books if each["state"] == "active"])

    def test_added(self):
        before = self.active_tokens()
        told = self.visit("added")
        self.assertRegex(told[0], r"^Your card ending in \d{4} is ready to pay\.$")
        self.assertEqual((self.passes(), self.active_tokens()), ([0], before + 1))

    def test_the_watch_is_added_by_the_button_that_stays(self):
        before = self.active_tokens()
        self.assertEqual(self.visit("watch"), ["In Wallet, ready to pay. It can be added to your other device.", "In Wallet, ready to pay"])
        self.assertEqual((self.passes(), self.active_tokens()), ([0], before + 2))

    def test_cancelled(self):
        self.assertEqual(self.visit("cancelled"), ["The card was not added."])
        self.assertEqual(self.passes(), [])

    def test_refused_while_it_is_added(self):
        self.assertEqual(self.visit("refused"), ["The wallet did not take the card. Please look there before you try again."])
        self.assertEqual(self.passes(), [])

    def test_cards_that_the_bank_switched_off_have_no_button(self):
        self.assertEqual(len(self.visit("switched-off")), 2)

    def test_a_proof_in_the_app_makes_the_pass_ready(self):
        # The broker knows that this phone is abroad.
        self.element = "04" + hashlib.sha256(b"secure element phone moved@example.com").hexdigest()[:46]
        told = self.visit("proof")
        self.assertRegex(told[0], "is in the wallet and cannot pay yet")
        self.assertEqual(told[1:], ["In Wallet, not usable yet", "Thank you. Your card will be ready in a moment.", "In Wallet, ready to pay"])
        self.assertEqual(self.passes(), [0])

    def test_a_lost_answer_of_the_issuer_is_asked_for_again(self):
        self.assertEqual(self.visit("answer-lost"), ["In Wallet, ready to pay"])
        self.assertEqual(self.passes(), [0])

    def test_an_unknown_addition_is_found_in_the_wallet(self):
        told = self.visit("unknown")
        self.assertRegex(told[0], "^It is not certain yet whether your card was added")
        self.assertRegex(told[1], r"^Your card ending in \d{4} was added\.$")
        self.assertEqual(self.passes(), [0])

    def test_a_lost_callback_is_found_in_the_wallet(self):
        told = self.visit("callback-lost")
        self.assertRegex(told[0], "^It is not certain yet")
        self.assertRegex(told[1], r"was added\.$")
        self.assertEqual(self.passes(), [0])

    def test_an_app_that_was_killed_after_the_card_left_finds_it(self):
        self.assertEqual(self.visit("killed-after", ends=-9), [])
        told, = self.visit("again")
        self.assertRegex(told, r"^Your card ending in \d{4} was added\.$")
        self.assertEqual(self.passes(), [0])

    def test_an_app_that_was_killed_before_the_card_left_says_that_it_is_not_there(self):
        self.assertEqual(self.visit("killed-before", ends=-9), [])
        told, = self.visit("again")
        self.assertRegex(told, r"^Your card ending in \d{4} is not in Wallet\. You can add it again\.$")
        self.assertEqual(self.passes(), [])


class OtherModeTests(unittest.TestCase):
    def test_the_app_compiles_in_both_modes(self):
        for mode in MODES:
            with self.subTest(mode=mode), workshop(Example("LeafBank"), mode, Built()) as made:
                made.compile_app()


if __name__ == "__main__":
    unittest.main()
