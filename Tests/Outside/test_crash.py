"""A few kills of the server under load, on each engine; `make soak` runs fifty on each."""
import random
import unittest

import crash


class CrashTests(unittest.TestCase):
    def hold(self, engine, servers):
        seed = random.SystemRandom().randrange(1 << 32)
        result = crash.run(engine, servers, kills=4, seed=seed, customers=4)
        print(f"seed {seed}: {result}")
        self.assertEqual(result["faults"], [], f"seed {seed}")
        self.assertGreater(result["merchantPaid"], 0, f"seed {seed}")

    def test_one_server_on_sqlite(self):
        self.hold("sqlite", 1)

    def test_three_servers_on_one_postgresql(self):
        self.hold("postgresql", 3)


if __name__ == "__main__":
    unittest.main(verbosity=2)
