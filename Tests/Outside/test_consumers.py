"""What a stranger's package has to fetch and to build for phone clients and protocols: one that names them and no trait resolves few others."""
import json
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# One of each kind. Whatever one of them resolves, all together resolve.
PRODUCTS = ["AlipayPlusApp", "ApplePay", "ApplePayApp", "UnionPay"]
MOST_PACKAGES = 5


class ConsumerTests(unittest.TestCase):
    def test_clients_and_protocols_resolve_few_packages(self):
        products = ", ".join(f'.product(name: "{name}", package: "{ROOT.name}")' for name in PRODUCTS)
        with tempfile.TemporaryDirectory(prefix="billfold-consumer-") as folder:
            consumer = pathlib.Path(folder)
            (consumer / "Sources/Consumer").mkdir(parents=True)
            (consumer / "Sources/Consumer/Consumer.swift").write_text("\n".join(f"public import {name}" for name in PRODUCTS) + "\n")
            (consumer / "Package.swift").write_text(
                "// swift-tools-version: 6.2\nimport PackageDescription\n\n"
                "let package = Package(\n"
                '    name: "consumer", platforms: [.macOS(.v15), .iOS(.v16)],\n'
                f'    dependencies: [.package(path: "{ROOT}")],\n'
                f'    targets: [.target(name: "Consumer", dependencies: [{products}])])\n')
            resolving = subprocess.run(
                ["swift", "package", "resolve"], cwd=consumer, capture_output=True, text=True, timeout=600, check=False)
            self.assertEqual(resolving.returncode, 0, resolving.stderr)
            state = json.loads((consumer / ".build/workspace-state.json").read_text())
        names = sorted(each["packageRef"]["identity"] for each in state["object"]["dependencies"])
        print("resolved:", ", ".join(names), flush=True)
        others = [name for name in names if name != ROOT.name.lower()]
        self.assertEqual(len(others), len(names) - 1, "the package itself is not among what was resolved")
        self.assertLessEqual(len(others), MOST_PACKAGES, others)

    def test_a_payment_sheet_builds_no_cryptography_for_a_phone(self):
        described = subprocess.run(
            ["swift", "package", "dump-package"], cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(described.returncode, 0, described.stderr)
        targets = {target["name"]: target for target in json.loads(described.stdout)["targets"]}
        built, products, queue = set(), set(), ["AlipayPlusApp"]
        while queue:
            name = queue.pop()
            if name in built:
                continue
            built.add(name)
            for dependency in targets[name]["dependencies"]:
                for kind, (dependency_name, *_) in dependency.items():
                    if kind == "product":
                        products.add((dependency_name, *(dependency[kind][-1] or {}).get("platformNames", [])))
                    else:
                        queue.append(dependency_name)
        print("built:", ", ".join(sorted(built)), flush=True)
        self.assertIn("AlipayPlusValues", built)
        self.assertNotIn("PaymentCrypto", built)
        # It hashes by the system's own library; on Linux there is none.
        self.assertEqual(products, {("Crypto", "linux")}, "a product of another package is built")


if __name__ == "__main__":
    unittest.main()
