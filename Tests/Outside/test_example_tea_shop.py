"""Drives the example of a shop with Apple Pay through the sandbox: `Examples/TeaShop` on the simulated phone, against a running `billfold serve`.

Each visit of a customer is a process of its own, so that a killed app is one. The line to the merchant's server loses what a visit wants lost.
"""
import pathlib
import tempfile
import unittest

from client_code import MODES, Built, Example, workshop
from parties import PROGRAM, Billfold, get_json, tell
from proxies import LossyLine

PAID = "Paid. Thank you."
CONFIRMING = "Your payment is being confirmed. Please do not pay again: you will hear from us."


class TeaShopTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.billfold = Billfold()
        cls.addClassCleanup(cls.billfold.stop)
        cls.billfold.start()
        cls.line = LossyLine(int(cls.billfold.public.rsplit(":", 1)[1]))
        cls.addClassCleanup(cls.line.close)
        cls.key = (cls.billfold.folder / "data/api.key").read_text().strip()
        certificates = get_json(f"{cls.billfold.sandbox}/certificates")["certificates"]
        active = next(each for each in certificates if each["kind"] == "processing" and each["active"])
        cls.certificate = cls.billfold.folder / "processing.pem"
        cls.certificate.write_text(active["pem"])
        cls.made = cls.enterClassContext(workshop(Example("TeaShop"), "6", Built()))
        cls.made.build()

    def setUp(self):
        self.home = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="billfold-tea-shop-")))
        self.line.told("nothing")

    def visit(self, name, ends=0):
        """What the customer was told in a visit, and the order's number."""
        said = self.made.drive(
            name, ends=ends, APP_FOLDER=str(self.home), SHOP=self.billfold.sandbox, MERCHANT_LINE=self.line.address,
            BILLFOLD_PROGRAM=str(PROGRAM), WALLET=str(self.billfold.folder / "data/wallet"), CERTIFICATE=str(self.certificate))
        lines = [line.partition(": ") for line in said.splitlines()]
        order = next((value for word, _, value in lines if word in ("order", "kept")), None)
        return [value for word, _, value in lines if word == "reads"], order

    def books(self, order):
        """The order's state at the merchant's server, and the states of its payments."""
        found = get_json(f"{self.billfold.public}/v1/orders/{order}", {"Authorization": f"Bearer {self.key}"})
        return found["state"], sorted(each["state"] for each in found.get("payments", []))

    def test_paid(self):
        told, order = self.visit("paid")
        self.assertEqual(told, [PAID])
        self.assertEqual(self.books(order), ("paid", ["succeeded"]))

    def test_cancelled(self):
        told, order = self.visit("cancelled")
        self.assertEqual(told, ["You closed the payment. Nothing was paid."])
        self.assertEqual(self.books(order), ("open", []))

    def test_refused_and_paid_by_a_second_attempt(self):
        # The acquirer declines the next payment.
        tell(f"{self.billfold.console}/api/sandbox/plans/next", {"replyCode": "61"})
        told, order = self.visit("refused")
        self.assertEqual(told, ["The payment did not go through. No money was taken, and you can try again.", PAID])
        self.assertEqual(self.books(order), ("paid", ["failed", "succeeded"]))

    def test_a_lost_answer_is_unknown_and_found_by_asking(self):
        told, order = self.visit("answer-lost")
        self.assertEqual(told, [CONFIRMING, PAID])
        self.assertEqual(self.books(order), ("paid", ["succeeded"]))

    def test_a_lost_callback_is_found_by_asking(self):
        told, order = self.visit("callback-lost")
        self.assertEqual(told, [PAID])
        self.assertEqual(self.books(order), ("paid", ["succeeded"]))

    def test_an_app_that_was_killed_after_the_payment_left_asks_at_its_next_start(self):
        told, order = self.visit("killed-after", ends=-9)
        self.assertEqual(told, [])
        told, kept = self.visit("again")
        self.assertEqual((told, kept), ([CONFIRMING, PAID], order))
        self.assertEqual(self.books(order), ("paid", ["succeeded"]))

    def test_an_app_that_was_killed_before_the_payment_left_took_nothing(self):
        told, order = self.visit("killed-before", ends=-9)
        self.assertEqual(told, [])
        told, kept = self.visit("again")
        self.assertEqual((told, kept), ([CONFIRMING, "You closed the payment. Nothing was paid."], order))
        self.assertEqual(self.books(order), ("open", []))

    def test_the_button_follows_the_phone(self):
        told, order = self.visit("buttons")
        self.assertEqual(told, [])
        self.assertEqual(self.books(order), ("open", []))


class OtherModeTests(unittest.TestCase):
    def test_the_app_compiles_as_swift_5_too(self):
        for mode in MODES:
            with self.subTest(mode=mode), workshop(Example("TeaShop"), mode, Built()) as made:
                made.compile_app()


if __name__ == "__main__":
    unittest.main()
