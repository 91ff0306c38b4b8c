"""Compiles what runs in a phone against declarations of Apple's modules, asks which iOS brought each name that it uses, and compares its
Objective-C names with those of the documents. Nothing here runs on a device: docs/apple-platforms.md says what that leaves unproved.
"""
import re
import tempfile
import unittest
from urllib.parse import urlparse

import apple_objective_c as objective_c
from apple_availability import Availability
from apple_platforms import DECLARATIONS, DECLARED, PHONE, AppleBuild

# Modules of Linux alone: what a phone takes instead stands behind `#else`.
LINUX_ONLY = {"CJavaScriptCore", "CWorkerSandbox"}
SPELLED = re.compile(r"@objc\(([\w:]+)\)")
# What begins a declaration that strangers see, with its name.
DECLARES = re.compile(
    r"^(?P<indent> *)(?:(?:public|open|nonisolated(?:\(nonsending\))?|static|final|convenience|weak|required|override|@\w+) )*"
    r"(?:(?P<type>class|struct|enum|protocol|typealias) (?!func|var)|(?:class )?(?:func|var|let|case) )?`?(?P<name>\w+)")


class ApplePlatformTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.build = AppleBuild()
        cls.addClassCleanup(cls.build.close)
        cls.declared = cls.build.declare()
        cls.modules = cls.build.modules()
        cls.wrong = {module: cls.build.compile(module) for module in cls.modules}
        cls.headers = {module: cls.build.header(module) for module in cls.modules if cls.build.offers_objective_c(module)}
        cls.availability = Availability(cls.build)
        cls.listed = objective_c.documented()

    def changed(self, path, old, new):
        """The files of one module with one place of one file changed."""
        files = self.build.files(path.split("/")[1])
        self.assertIn(old, files[path])
        return files | {path: files[path].replace(old, new, 1)}

    # What is compiled

    def test_the_declarations_compile(self):
        self.assertEqual(self.declared, [])

    def test_the_code_of_a_phone_compiles(self):
        self.assertLess(set(self.build.clients), set(self.modules))
        apple = [name for module in self.modules for name in self.build.files(module) if "/Apple/" in name]
        self.assertGreater(len(apple), 8)
        self.assertEqual(self.wrong, {module: [] for module in self.modules})
        print(f"{len(self.modules)} modules, {len(apple)} files in Apple folders", flush=True)

    def test_what_is_offered_to_objective_c_compiles(self):
        self.assertEqual({module: wrong for module, (_, wrong) in self.headers.items() if wrong}, {})
        self.assertLessEqual({"AlipayApp", "AlipayPlusApp", "WalletAPI"}, set(self.headers))

    def test_no_condition_hides_code_from_this_check(self):
        known = {re.search(r"\((\w+)\)", each)[1] for each in PHONE if each.startswith("canImport")} | set(DECLARED) | LINUX_ONLY
        for module in self.modules:
            for name, text in self.build.files(module).items():
                for asked in re.findall(r"\bcanImport\((\w+)\)", text):
                    self.assertIn(asked, known | {"ObjectiveC"}, f"{name}: declare {asked}, or nobody compiles what stands behind it")

    def test_a_name_that_uikit_has_not_is_found(self):
        path = "Sources/AlipayApp/Apple/UIKitSurroundings.swift"
        wrong = self.build.compile("AlipayApp", self.changed(path, "UIApplication.shared.canOpenURL(url)", "UIApplication.shared.canOpen(url)"))
        self.assertIn(f"{path}:", wrong[0])
        self.assertIn("has no member 'canOpen'", wrong[0])

    def test_uikit_off_the_main_actor_is_found(self):
        path = "Sources/AlipayApp/Apple/UIKitSurroundings.swift"
        alone = "enum Anywhere { static func may(_ url: URL) -> Bool { UIApplication.shared.canOpenURL(url) } }\n#endif"
        wrong = self.build.compile("AlipayApp", self.changed(path, "#endif", alone))
        self.assertTrue(wrong and all("main actor-isolated" in line for line in wrong), wrong)

    # Which system brought what

    def test_nothing_is_used_before_the_system_that_brought_it(self):
        self.assertGreater(len(self.availability.introduced), 5_000)
        self.assertEqual(self.availability.check(self.modules), [])

    def test_a_removed_question_for_the_system_is_found(self):
        asking = {name: text for module in self.modules for name, text in self.build.files(module).items() if "#available(iOS" in text}
        self.assertGreater(len(asking), 2)
        for name, text in asking.items():
            with self.subTest(file=name):
                without, count = re.subn(r"if #available\(iOS [\d.]+, \*\)", "if Bool(true)", text)
                self.assertEqual(count, 1)
                found = self.availability.check([name.split("/")[1]], {name: without})
                self.assertTrue(found and all(line.startswith(name) and " came with iOS 1" in line for line in found), found)

    def test_a_later_name_is_found_where_nothing_asks(self):
        toy = """
            import Foundation
            import Synchronization
            func asked(_ bytes: [UInt8]) -> String? {
                if #available(iOS 18, *) { return String(validating: bytes, as: UTF8.self) }
                return String(validating: bytes, as: UTF8.self)
            }
            func guarded(_ bytes: [UInt8]) -> String? {
                guard #available(iOS 18, *), bytes.count > 1 else { return nil }
                return String(validating: bytes, as: UTF8.self)
            }
            @available(iOS 18, *) func offered(_ set: RangeSet<Int>) {}
            func named(_ set: RangeSet<Int>) {}
            func tooLow() { if #available(iOS 17, *) { let lock = Mutex<Int>(0); lock.withLock { $0 = 1 } } }
            func plain() -> Int { ([1, 2] as [Int]).map { $0 &* 2 }.count }
            """
        found = self.availability.check(["Toy"], {"Sources/Toy/Toy.swift": toy})
        lines = sorted({int(line.split(":")[1]) for line in found})
        self.assertEqual(lines, [6, 13, 14], found)

    def test_a_name_of_foundation_that_no_table_knows_is_found(self):
        toy = "import Foundation\nfunc count() -> Int { ProcessInfo.processInfo.activeProcessorCount }\n"
        found = self.availability.check(["Toy"], {"Sources/Toy/Toy.swift": toy})
        self.assertEqual(len(found), 1)
        self.assertIn("activeProcessorCount: no table says which iOS brought it", found[0])

    # Documents

    def test_each_declaration_gives_its_document(self):
        count = 0
        for path in sorted(DECLARATIONS.rglob("*.swift")):
            for line, name, document in documents(path.read_text()):
                count += 1
                if "developer.apple.com" not in document:
                    self.assertRegex(document, r"^(IEEE Std|ISO/IEC) \d", f"{path.name}:{line}: {name} gives no document")
                    continue
                last = urlparse(document.strip("<>")).path.split("/")[-1]
                self.assertEqual(re.split(r"[(-]", last)[0], name.lower(), f"{path.name}:{line}: the document is not of {name}")
        self.assertGreater(count, 250)

    def test_a_declaration_without_its_document_is_found(self):
        text = "/// <https://developer.apple.com/documentation/uikit/uiview>\n@available(iOS 2, *)\nopen class UIView {\n    open var tag = 0\n}\n"
        self.assertEqual([(name, document) for _, name, document in documents(text)],
                         [("UIView", "<https://developer.apple.com/documentation/uikit/uiview>"), ("tag", "")])

    def test_each_selector_gives_its_document(self):
        for each in self.listed["types"]:
            for member in each["members"]:
                self.assertIn(member["document"], self.listed["documents"], member["declaration"])

    # Objective-C

    def missing(self, module, header):
        """The documented names that a header of the compiler has not."""
        offered = objective_c.declared_selectors(objective_c.made_header(header))
        return [f"{each['name']} {name}" for each in self.listed["types"] if each["module"] == module
                for name in map(objective_c.selector, (member["declaration"] for member in each["members"]))
                if name not in offered.get(each["name"], set())]

    def unlisted(self, module, files):
        """What attributes of a module spell that no document has."""
        known = {each["name"] for each in self.listed["types"]}
        known |= {objective_c.selector(member["declaration"]) for each in self.listed["types"] for member in each["members"]}
        return sorted({name for text in files.values() for name in SPELLED.findall(text)} - known)

    def test_the_documented_selectors_are_offered(self):
        for module in sorted({each["module"] for each in self.listed["types"]}):
            self.assertEqual(self.missing(module, self.headers[module][0]), [])

    def test_attributes_spell_the_documented_selectors(self):
        for module in sorted({each["module"] for each in self.listed["types"]}):
            files = self.build.files(module)
            self.assertEqual(self.unlisted(module, files), [], "no document has it")
            spelled = {name for text in files.values() for name in SPELLED.findall(text)}
            for each in self.listed["types"]:
                for member in each["members"] if each["module"] == module else []:
                    name = objective_c.selector(member["declaration"])
                    # One argument without a label reads the same in both languages.
                    if name.count(":") > 1:
                        self.assertIn(name, spelled, f"{each['name']}: spell it")

    def test_a_misspelled_selector_is_found(self):
        path, old, new = "Sources/AlipayApp/SDK/AlipaySDK.swift", "@objc(payOrder:fromScheme:callback:)", "@objc(payOrder:fromSchema:callback:)"
        files = self.changed(path, old, new)
        self.assertEqual(self.unlisted("AlipayApp", files), ["payOrder:fromSchema:callback:"])
        header, wrong = self.build.header("AlipayApp", files)
        self.assertEqual((wrong, self.missing("AlipayApp", header)), ([], ["AlipaySDK payOrder:fromScheme:callback:"]))
        said = self.clang(objective_c.made_header(header), "ExpressOrder.m")
        self.assertTrue(said and all("payOrder:fromScheme:callback:" in line for line in said), said)

    def test_what_objective_c_cannot_take_is_found(self):
        path = "Sources/AlipayApp/SDK/AlipaySDK.swift"
        files = self.changed(path, "public func currentVersion() -> String", "public func currentVersion() -> Duration")
        self.assertIn("cannot be represented in Objective-C", "\n".join(self.build.header("AlipayApp", files)[1]))

    def clang(self, header, calls):
        with tempfile.TemporaryDirectory() as folder:
            return objective_c.check(header, (objective_c.FOLDER / calls).read_text(), folder)

    def test_the_documents_calls_pass_against_the_list_and_against_our_own_header(self):
        listed = objective_c.listed_header(self.listed["types"])
        self.assertEqual(set(self.listed["calls"]), {path.name for path in objective_c.FOLDER.glob("*.m")})
        self.assertEqual(set(self.listed["calls"].values()), {each["module"] for each in self.listed["types"]})
        for calls, module in self.listed["calls"].items():
            with self.subTest(calls=calls):
                self.assertEqual(self.clang(listed, calls), [])
                self.assertEqual(self.clang(objective_c.made_header(self.headers[module][0]), calls), [])

    def test_a_call_that_no_document_has_is_found(self):
        listed = objective_c.listed_header(self.listed["types"]).replace("showPaymentSheetWithData:", "showPaymentSheetWithDate:")
        said = self.clang(listed, "PaymentSheet.m")
        self.assertEqual(len(said), 1)
        self.assertIn("showPaymentSheetWithData:callback:", said[0])


def documents(text):
    """Each declaration that strangers see: its line, its name and the document above it. A name that a type only takes over, from a protocol
    of the language or from the class above, has none of its own, and neither has what an extension of a protocol stands in with."""
    lines, inside, protocols, found = text.splitlines(), [], set(), []
    for number, line in enumerate(lines):
        code = line.strip()
        indent = len(line) - len(line.lstrip())
        while inside and code and indent <= inside[-1][0]:
            inside.pop()
        opened = re.match(r"(?:public |open |final )*(class|struct|enum|protocol|extension) (?!func|var)(\w+)", code)
        parent = inside[-1] if inside else (-1, "", "")
        if opened and opened[1] == "protocol":
            protocols.add(opened[2])
        seen = re.match(r"(public|open|nonisolated\(nonsending\) open|case )", code) and not code.startswith(("public import", "@_exported"))
        seen = seen or parent[1] == "protocol" and re.match(r"(func|var) ", code)
        taken = re.search(r"\brawValue\b|\boverride\b|required init|makeIterator|init\(\)", code)
        if seen and not taken and not (parent[1] == "extension" and parent[2] in protocols):
            name = DECLARES.match(line)["name"]
            above = number - 1
            while above >= 0 and re.match(r" *(@|// )", lines[above]):
                above -= 1
            document = re.match(r" */// (.*)", lines[above]) if above >= 0 else None
            found.append((number + 1, name, document[1] if document else ""))
        if opened and code.endswith("{"):
            inside.append((indent, opened[1], opened[2]))
    return found


if __name__ == "__main__":
    unittest.main()
