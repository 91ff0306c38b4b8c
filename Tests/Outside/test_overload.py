"""A short turn of overload.py: customers are served while strangers ask for more than they are due."""
import json
import unittest

from overload import Overload


class OverloadTests(unittest.TestCase):
    def test_customers_are_served_beside_greedy_strangers(self):
        overload = Overload(count=5, sockets=10_000, calls=100)
        self.addCleanup(overload.close)
        if not overload.has_name_server:
            print("SKIPPED: names that are never resolved; that takes root and a mount namespace", flush=True)
        result = overload.run()
        print(json.dumps(result, indent=1), flush=True)
        self.assertEqual(result["faults"], [])


if __name__ == "__main__":
    unittest.main()
