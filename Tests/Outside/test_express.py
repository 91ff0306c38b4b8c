"""A few kills of the order gateway and the wallet while customers pay, on each engine; `make soak` kills them often."""
import random
import unittest

import express


class ExpressTests(unittest.TestCase):
    def hold(self, engine, servers=1, kills=2):
        seed = random.SystemRandom().randrange(1 << 32)
        print(f"seed {seed}", flush=True)
        result = express.run(engine=engine, servers=servers, kills=kills, seed=seed, customers=3)
        print(result, flush=True)
        self.assertEqual(result["faults"], [], f"seed {seed}")
        self.assertGreater(result["payments"], 0, f"seed {seed}")
        if servers == 1:
            # Of two servers the other may have answered whatever was asked.
            self.assertGreater(result["interruptions"], 0, f"seed {seed}: no kill interrupted anything")

    def test_kills_on_sqlite(self):
        self.hold("sqlite")

    def test_kills_among_two_gateways_and_two_wallets_on_postgresql(self):
        self.hold("postgresql", servers=2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
