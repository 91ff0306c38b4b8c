"""Stores that earlier versions wrote are migrated, found sound and served from, on both engines.

Tests/Fixtures/Stores has them as SQL text, a folder for each version; store_fixtures.py made them.
"""
import json
import pathlib
import shutil
import tempfile
import unittest

from alipay_plus import Network
from alipay_wallet import MEI, Browser, Page
from issuer import Provisioning
from parties import Billfold, get, get_json
from postgresql import installed
from store_fixtures import CUSTOMER, OPERATORS, Host, Making, sign_in
from stores import FIXTURES, KINDS, PLACES, SANDBOX, ask, write_keys
from super_app import APP

# The servers, and those parties of the sandbox whom they need.
ROLES = "card-payments,provisioning,alipay-gateway,alipay-plus,wallet,console,unionpay,certificates,broker,card-network,card-processor"
MIGRATIONS = "SELECT name, checksum FROM billfold_migrations ORDER BY name"


def versions():
    return sorted(folder.name for folder in FIXTURES.iterdir() if folder.is_dir())


def by_component(migrations):
    """What ran on a store, for each component in its order: a later version's stand behind an earlier one's."""
    found = {}
    for name, checksum in migrations:
        found.setdefault(name.split("-")[0], []).append((name, checksum))
    return found


class EarlierStores:
    """What holds on either engine."""

    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.kinds = [*KINDS, *(SANDBOX if cls.engine == "sqlite" else [])]
        folder = pathlib.Path(tempfile.mkdtemp(prefix="billfold-stores-"))
        cls.addClassCleanup(shutil.rmtree, folder, ignore_errors=True)
        cls.new = PLACES[cls.engine](folder)
        cls.addClassCleanup(cls.new.close)
        for kind in cls.kinds:
            ask("migrate", "--kind", kind, "--database", cls.new.address(kind))

    def test_every_version(self):
        self.assertTrue(versions())
        for version in versions():
            with self.subTest(version=version):
                self.hold(FIXTURES / version)

    def hold(self, fixtures):
        billfold = Billfold("--sign-in", "--roles", ROLES)
        self.addCleanup(billfold.stop)
        self.data = billfold.folder / "data"
        write_keys(self.data)
        self.place = self.new.beside(self.data)
        sound = []
        for kind in self.kinds:
            with self.subTest(kind=kind):
                self.place.load(kind, (fixtures / f"{kind}.{self.engine}.sql").read_text())
                self.hold_to_its_past(kind)
                self.migrate(kind)
                self.assert_sound(kind)
                sound.append(kind)
        if sound == self.kinds:
            self.serve(billfold, json.loads((fixtures / f"{self.engine}.json").read_text()))

    def serve(self, billfold, told):
        # What the sandbox's parties have as keys is left out, and they need it.
        for name, _ in SANDBOX.values():
            (self.data / name).unlink(missing_ok=True)
        told["balance"] = int(self.place.rows("wallet", (
            "SELECT b.available FROM wallet_balances b JOIN wallet_accounts a ON a.id = b.account "
            f"WHERE a.number = '{CUSTOMER}'"))[0][0])
        billfold.command += self.place.flags()
        # There is no shop.
        billfold.ready = [f"{origin}/readyz" for origin in (billfold.public, billfold.console)]
        billfold.start()
        for answers in (self.cards_answer, self.issuer_answers, self.gateways_answer, self.wallet_answers):
            with self.subTest(answers.__name__):
                answers(billfold, told)
        billfold.end()
        for kind in KINDS:
            with self.subTest(kind=kind, after="it was served"):
                self.assert_sound(kind)

    # The schema

    def hold_to_its_past(self, kind):
        """A migration keeps its name and its statements, and a table its name."""
        then, now = (by_component(place.rows(kind, MIGRATIONS)) for place in (self.place, self.new))
        for component, migrations in then.items():
            self.assertEqual(migrations, now.get(component, [])[:len(migrations)], f"{component}: migrations that ran are not those of today")
        self.assertEqual(self.place.tables(kind) - self.new.tables(kind), set(), "a table is gone")

    def migrate(self, kind):
        """What is missing is run, and leaves a new store's schema."""
        then, now = ({name for name, _ in place.rows(kind, MIGRATIONS)} for place in (self.place, self.new))
        status, done = ask("migrate", "--database", self.place.address(kind))
        self.assertEqual((status, done.get("kind"), set(done.get("applied", []))), (0, kind, now - then), done)
        self.assertEqual(self.place.schema(kind), self.new.schema(kind))

    def assert_sound(self, kind):
        _, check = ask("check", "--database", self.place.address(kind), "--data", str(self.data))
        sound = {
            "kind": kind, "mode": "test", "auditKeyGiven": True, "pending": [], "unknown": [], "integrityProblems": [], "unbalanced": [],
            "findings": [], "passed": True, "error": None}
        self.assertEqual({name: check.get(name) for name in sound}, sound)

    # What is in them

    def cards_answer(self, billfold, told):
        bearer = {"Authorization": f"Bearer {(self.data / 'api.key').read_text().strip()}"}
        order = get_json(f"{billfold.public}/v1/orders/{told['order']}", bearer)
        self.assertEqual([each["id"] for each in order["payments"]], [told["payment"]])
        payment = get_json(f"{billfold.public}/v1/payments/{told['payment']}", bearer)
        self.assertEqual((payment["state"], payment["refunded"]), ("partlyRefunded", "3.50"))
        self.assertEqual(sorted(each["amount"] for each in payment["modifications"]), ["1.00", "2.50"])
        # The same request is the same order.
        self.assertEqual(Making.place_open_order(billfold.public, bearer["Authorization"])["id"], told["open"])
        people = sign_in(billfold.console, OPERATORS[0])
        audit = get(f"{billfold.console}/audit", {"Accept": "text/html", **people})[1].decode()
        self.assertIn("Every row was checked, and the chain holds.", audit)
        self.assertIn("approval.run.refund", audit)

    def issuer_answers(self, billfold, told):
        bearer = {"Authorization": f"Bearer {(self.data / 'bank.key').read_text().strip()}"}
        known = {each["tokenReference"] for each in get_json(f"{billfold.public}/provisioning/v1/tokens", bearer)["tokens"]}
        self.assertEqual(known, {reference for (reference,) in self.place.rows("issuer", "SELECT reference FROM tokens")})
        bank = Host(billfold)
        self.addCleanup(bank.close)
        # A card that lies sealed in the store goes to one more phone.
        self.assertNotIn(Provisioning(bank, 100).run()[0], known)

    def gateways_answer(self, billfold, told):
        books = [
            get_json(f"{billfold.public}{path}?day={told['day']}", {"Authorization": f"Bearer {(self.data / key).read_text().strip()}"})["entries"]
            for path, key in (("/link/v1/books", "wallet-link.key"), ("/wallet/link/v1/books", "gateway-link.key"))]
        ours, theirs = ({(each["tradeNo"], each["requestId"], each["kind"], each["amount"]["value"]) for each in side} for side in books)
        self.assertEqual(ours, theirs)
        self.assertEqual({(kind, value) for trade, _, kind, value in ours if trade == told["trade"]}, {("payment", "9.00"), ("refund", "4.00")})
        network = Network(billfold)
        self.addCleanup(network.stop)
        payment = network.call("payments/inquiryPayment", {"paymentRequestId": told["paymentRequest"]})
        self.assertEqual((payment["paymentResult"]["resultStatus"], payment["walletBrandName"]), ("S", "GCash"), payment)
        again = network.call("payments/refund", {
            "paymentRequestId": told["paymentRequest"], "refundRequestId": "part", "refundAmount": {"currency": "SGD", "value": "999"}})
        self.assertEqual(again["result"]["resultStatus"], "S", again)

    def wallet_answers(self, billfold, told):
        customer = Browser(billfold.public)
        _, _, page = customer.ask("GET", "/wallet/login")
        status, path, page = customer.submit(Page(page), "/login", {"name": MEI[0], "password": MEI[1]})
        self.assertEqual(status, 200, page[:2000])
        _, _, page = customer.ask("GET", "/wallet")
        self.assertIn(f"{told['balance'] / 100:.2f} CNY", page)
        program = get_json(f"{billfold.public}/mini-programs/v1/apps/{APP}/metadata?container=1.0.0")
        status, package = get(f"{billfold.public}/mini-programs/v1/packages/{program['package']['sha256']}")
        self.assertEqual((status, len(package)), (200, program["package"]["size"]))


class SQLiteTests(EarlierStores, unittest.TestCase):
    engine = "sqlite"


class PostgreSQLTests(EarlierStores, unittest.TestCase):
    engine = "postgresql"

    @classmethod
    def setUpClass(cls):
        if not installed():
            raise unittest.SkipTest("SKIPPED: PostgreSQL's server is not installed; earlier stores on it are NOT opened")
        super().setUpClass()


if __name__ == "__main__":
    unittest.main(verbosity=2)
