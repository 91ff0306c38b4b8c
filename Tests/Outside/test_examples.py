"""What holds for every app under `Examples`: it is whole, and it knows its SDKs and this package's products and nothing else.

Each app is driven by a test of its own, `test_example_….py`. Xcode is not here: a project file's references are read, and what it names is looked for.
"""
import json
import plistlib
import re
import unittest

from client_code import CORPUS, DRIVEN, EXAMPLES, ROOT, Example, imports, run

PACKAGE = (ROOT / "Package.swift").read_text()
PRODUCTS = set(re.findall(r'\.library\(name: "(\w+)"', PACKAGE))
SYSTEM = {"Foundation", "UIKit", "PassKit", "WatchConnectivity", "AlipaySDK", "AlipayPlusClient"}


class ExampleTests(unittest.TestCase):
    def test_each_has_a_driver_and_a_test(self):
        names = [example.name for example in Example.all()]
        self.assertEqual(names, sorted(path.name for path in DRIVEN.iterdir() if path.is_dir()))
        self.assertEqual(DRIVEN.parent, CORPUS)
        tests = "".join(path.read_text() for path in sorted((ROOT / "Tests/Outside").glob("test_example_*.py")))
        for example in Example.all():
            with self.subTest(example=example.name):
                self.assertTrue(example.app and example.driver)
                self.assertIn(f'Example("{example.name}")', tests)

    def test_each_has_what_an_app_needs_and_nothing_of_its_tests(self):
        for example in Example.all():
            with self.subTest(example=example.name):
                folder = EXAMPLES / example.name
                readme = (folder / "README.md").read_text()
                self.assertIn("not built here", readme)
                self.assertIn(f"{example.name}.xcodeproj", readme)
                self.assertIn(f"Examples/{example.name}", (ROOT / "docs/guides/app.md").read_text())
                for path in folder.rglob("*.plist"):
                    plistlib.loads(path.read_bytes())
                for path in example.app:
                    known = set(imports(path.read_text()))
                    self.assertEqual(known - SYSTEM - PRODUCTS, set(), path)
                    self.assertFalse({name for name in known if "Simulator" in name}, path)

    def test_project_files_name_what_is_there(self):
        for example in Example.all():
            with self.subTest(example=example.name):
                folder = EXAMPLES / example.name
                file = folder / f"{example.name}.xcodeproj/project.pbxproj"
                project = json.loads(run("the project file cannot be read", ["plutil", "-convert", "json", "-o", "-", str(file)]))
                objects = project["objects"]
                text = re.sub(r"/\*.*?\*/", "", file.read_text())
                self.assertEqual(set(re.findall(r"\b[0-9A-F]{24}\b", text)), set(objects), "each object is named, and each name is an object's")
                self.assertEqual(objects[project["rootObject"]]["isa"], "PBXProject")

                def of(isa):
                    return [each for each in objects.values() if each["isa"] == isa]

                groups = [folder / each["path"] for each in of("PBXFileSystemSynchronizedRootGroup")]
                self.assertTrue(groups and all(path.is_dir() for path in groups))
                for path in example.app:
                    self.assertTrue(any(group in path.parents for group in groups), f"{path} is in no target")
                for settings in (each["buildSettings"] for each in of("XCBuildConfiguration")):
                    for key in {"INFOPLIST_FILE", "CODE_SIGN_ENTITLEMENTS"} & set(settings):
                        plistlib.loads((folder / settings[key]).read_bytes())
                place, = (each["relativePath"] for each in of("XCLocalSwiftPackageReference"))
                self.assertEqual((folder / place).resolve(), ROOT)
                linked = {each["productName"] for each in of("XCSwiftPackageProductDependency")}
                used = {name for path in example.app for name in imports(path.read_text())} & PRODUCTS
                self.assertEqual(linked, used, "the project links what the files import")


if __name__ == "__main__":
    unittest.main()
