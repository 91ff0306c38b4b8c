"""A store that falls ill says so, loses nothing and recovers; `make soak` tries every illness that ill_store.py knows."""
import os
import unittest

import ill_store


class IllStoreTests(unittest.TestCase):
    def hold(self, illness):
        result = ill_store.run(illness)
        print(result)
        self.assertEqual(result["faults"], [])
        self.assertGreater(result["merchantPaid"], 0)
        self.assertGreater(result["soldAfterwards"], 0)

    def test_full_disk(self):
        if os.getuid() != 0:
            print("SKIPPED: a file system of the test's own needs root; a preloaded library plays the full disk")
        self.hold("small-disk" if os.getuid() == 0 else "full")

    def test_disk_whose_syncs_fail(self):
        self.hold("sync")

    def test_killed_postgresql(self):
        self.hold("server-killed")


if __name__ == "__main__":
    unittest.main(verbosity=2)
