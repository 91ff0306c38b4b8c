"""A few kills and power cuts under load, on each engine; `make soak` runs many on each."""
import random
import unittest

import crash


class CrashTests(unittest.TestCase):
    def run_once(self, engine, servers=1, kills=4, **faults):
        self.seed = random.SystemRandom().randrange(1 << 32)
        result = crash.run(engine, servers, kills=kills, seed=self.seed, customers=4, **faults)
        print(f"seed {self.seed}: {result}")
        return result

    def hold(self, *arguments, **named):
        result = self.run_once(*arguments, **named)
        self.assertEqual(result["faults"], [], f"seed {self.seed}")
        self.assertGreater(result["merchantPaid"], 0, f"seed {self.seed}")

    def lose(self, engine):
        """The power cuts are worth something only if they find losses where durability is lowered."""
        result = self.run_once(engine, kills=1, power=True, weak=True)
        self.assertTrue(any("not in the books" in fault for fault in result["faults"]), f"seed {self.seed}: {result}")

    def test_kills_of_one_server_on_sqlite(self):
        self.hold("sqlite")

    def test_kills_among_three_servers_on_one_postgresql(self):
        self.hold("postgresql", servers=3)

    def test_power_cuts_on_sqlite(self):
        self.hold("sqlite", kills=2, power=True)

    def test_power_cuts_on_postgresql(self):
        self.hold("postgresql", kills=2, power=True)

    def test_power_cut_loses_payments_on_sqlite_when_synchronous_is_weakened(self):
        self.lose("sqlite")

    def test_power_cut_loses_payments_on_postgresql_when_synchronous_commit_is_off(self):
        self.lose("postgresql")


if __name__ == "__main__":
    unittest.main(verbosity=2)
