"""Compiles what an app's engineer writes against the real SDKs, unchanged, in Swift 5 and Swift 6 mode, and drives it to its documented outcomes.

The corpus is `Tests/ClientCode`: a folder for each SDK with app files, a `Driver` that plays the system and the customer, and the names that the
documents print. One group alone: `test_client_code.py ClientCodeTests.test_UIKit`.
"""
import re
import tempfile
import pathlib
import time
import unittest

from client_code import CORPUS, DRIVEN, MODES, Built, Group, Refused, code, imports, says, workshop
from client_selectors import lowered

GROUPS = Group.all()


class ClientCodeTests(unittest.TestCase):
    """A test for each group is added below."""

    @classmethod
    def setUpClass(cls):
        cls.built = Built()

    def runs(self, group):
        self.assertTrue(group.app and group.driver, "a group has app files and a driver")
        for mode in MODES:
            start = time.monotonic()
            with self.subTest(mode=mode), workshop(group, mode, self.built) as made:
                made.build()
                said = made.drive_to_the_end()
                rewritten = sum(lowered(path.read_text()) is not None for path in group.app)
                print(f"{group.name}, Swift {mode}: {len(group.app)} files, {rewritten} with selectors written out, "
                      f"{len(said.splitlines())} outcomes, {time.monotonic() - start:.1f} s", flush=True)

    def test_every_folder_is_a_group(self):
        folders = sorted(path.name for path in CORPUS.iterdir() if path.is_dir() and path != DRIVEN)
        self.assertEqual([group.name for group in GROUPS], folders)

    def test_app_files_know_nothing_of_this_package(self):
        ours = set(self.built.modules) - {"Crypto", "Logging"}
        for group in GROUPS:
            for path in group.app:
                # A document may print the name of one of our modules.
                self.assertEqual(set(imports(path.read_text())) & ours - set(group.aliases) - set(group.names), set(), path)


class NameTests(unittest.TestCase):
    def test_every_documented_name_is_in_a_client_file(self):
        for group in GROUPS:
            with self.subTest(group=group.name):
                texts = [code(path.read_text()) for path in group.app]
                self.assertEqual(group.repeated, [], "a name is listed twice")
                missing = [name for name in group.names if not any(says(text, name) for text in texts)]
                self.assertTrue(all(group.left_out.values()), "a name is left out without a reason")
                print(f"{group.name}: {len(group.names) - len(missing)} of {len(group.names)} names of {len(set(group.names.values()))} "
                      f"documents, {len(group.left_out)} left out", flush=True)
                self.assertEqual(missing, [])

    def test_names_are_found_as_documents_print_them(self):
        text = code('app.open(link, options: [:]) { _ in } // canOpenURL(x)\nlet a = "https://9000"\nfunc scene(_ s: S, openURLContexts c: C) {}')
        for name in ["UIApplication.open(_:options:)", "open", "9000", "scene(_:openURLContexts:)", "UISceneDelegate.scene(_:openURLContexts:)"]:
            self.assertTrue(says(text, name), name)
        for name in ["canOpenURL(_:)", "x", "open(_:from:)", "ope", "scene(_:continue:)"]:
            self.assertFalse(says(text, name), name)


class RunnerTests(unittest.TestCase):
    """What is wrong is seen."""

    def test_a_misspelled_name_is_refused(self):
        built = Built()
        for group in GROUPS:
            used = [(path, name) for path in group.app for each in group.names
                    for name in [re.sub(r"\(.*", "", each).split(".")[-1]]
                    if re.search(rf"\.{name}\b", code(path.read_text())) and not re.search(rf"\b(?:func|var|let|case) {name}\b", path.read_text())]
            self.assertTrue(used, f"{group.name} uses none of its names")
            path, name = used[0]
            with self.subTest(group=group.name, name=name), tempfile.TemporaryDirectory() as folder:
                copy = pathlib.Path(folder) / path.name
                copy.write_text(re.sub(rf"\.{name}\b", f".{name}x", path.read_text()))
                with self.assertRaises(Refused) as caught, workshop(group, "6", built) as made:
                    made.compile_app([copy if other == path else other for other in group.app])
                self.assertIn(f"{name}x", caught.exception.said)

    def test_a_driver_that_fails_fails_its_group(self):
        with tempfile.TemporaryDirectory() as folder:
            driver = pathlib.Path(folder) / "Driver.swift"
            driver.write_text('import Foundation\n@main struct Driver { static func main() { print("differs"); exit(3) } }\n')
            group = Group(CORPUS / "UIKit")
            group.driver = [driver]
            with workshop(group, "6", Built()) as made:
                made.build()
                with self.assertRaises(Refused) as caught:
                    made.drive_to_the_end()
        self.assertIn("differs", caught.exception.said)

    def test_a_driver_that_returns_early_fails_its_group(self):
        with tempfile.TemporaryDirectory() as folder:
            driver = pathlib.Path(folder) / "Driver.swift"
            driver.write_text('@main struct Driver { static func main() { print("paid") } }\n')
            group = Group(CORPUS / "UIKit")
            group.driver = [driver]
            with workshop(group, "6", Built()) as made:
                made.compile_app()
                made.compile_driver()
                made.link()
                with self.assertRaises(Refused) as caught:
                    made.drive_to_the_end()
        self.assertIn(f"1 and not {group.outcomes}", caught.exception.said)

    def test_selectors_are_written_out(self):
        text = ("class Shop: UIViewController {\n    func show() { button.addTarget(self, action: #selector(Shop.pay(_:)), for: .touchUpInside) }\n"
                "    @objc private func pay(_ sender: UIButton) {}\n    @objc func woke() {}\n}\n")
        written = lowered(text)
        self.assertIn('action: Selector("pay"), for:', written)
        self.assertIn("extension Shop: SelectorReceiver", written)
        self.assertIn('case "pay": pay(sender as! UIButton)', written)
        self.assertIn('case "woke": woke()', written)
        self.assertNotIn("@objc", written)
        self.assertIsNone(lowered("class Shop {}"))

    def test_key_paths_are_written_out(self):
        written = lowered("page.addObserver(self, forKeyPath: #keyPath(WKWebView.isLoading), options: .new, context: nil)\n"
                          "if keyPath == #keyPath(WKWebView.url) || keyPath == #keyPath(estimatedProgress) {}\n")
        self.assertEqual([each for each in written.split('"')[1::2]], ["loading", "URL", "estimatedProgress"])

    def test_actions_and_outlets_of_a_storyboard_are_written_out(self):
        written = lowered("class Login: UIViewController {\n    @IBOutlet weak var field: UITextField!\n"
                          "    @IBAction func login(_ sender: UIButton!) {}\n    @IBAction func twice(_ sender: Any, forEvent event: UIEvent) {}\n}\n")
        self.assertIn("weak var field: UITextField!", written)
        self.assertIn('case "login": login(sender as! UIButton)', written)
        self.assertNotIn("@IB", written)
        self.assertNotIn('case "twice"', written)

    def test_a_class_is_asked_by_the_one_that_it_derives_from(self):
        written = lowered("class Base: UIViewController {\n    @objc func back() {}\n}\nclass Pay: Base {\n    @objc func pay(_ sender: UIButton?) {}\n}\n")
        self.assertEqual(written.count(": SelectorReceiver"), 1)
        self.assertIn("default: return false || (self as? Pay)?.receiveInPay(selector, from: sender) ?? false", written)
        self.assertIn("func receiveInPay", written)
        self.assertIn('case "pay": pay(sender as? UIButton)', written)


for each in GROUPS:
    setattr(ClientCodeTests, f"test_{each.name}", lambda self, group=each: self.runs(group))


if __name__ == "__main__":
    unittest.main()
