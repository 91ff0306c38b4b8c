"""Compiles the bridges for React Native and Flutter against declarations of both, in Swift 5 and Swift 6 mode, and drives them on the simulated phone.

The declarations are `Tests/Outside/bridges`: what the frameworks' headers say, written out as far as the bridges use it. `@objc` is taken away, as
Linux has no Objective-C: what it says is compared with the declarations that React reads. The JavaScript half is run by `AppContainerTests`; the Dart
half is read here and not run.
"""
import re
import tempfile
import time
import unittest

from client_code import CORPUS, MODES, ROOT, Built, Refused, Workshop, run

HERE = ROOT / "Tests/Outside/bridges"
BRIDGES = ROOT / "Bridges"
FUNCTIONS = ["showButton", "containsCard", "activationState", "addCard"]


class Bridge:
    """The part of a group that `Workshop` reads."""

    aliases = {"PassKit": "PassKitSimulator", "UIKit": "UIKitSimulator"}
    modules = ["ApplePayApp", "PassKitSimulator", "UIKitSimulator"]
    bridged = []

    def __init__(self, name, framework, outcomes, of_the_main_actor):
        self.name, self.framework, self.outcomes = name, framework, outcomes
        # What belongs to the main actor by its use. Today's headers do not say so; others may.
        self.of_the_main_actor = of_the_main_actor
        self.app = sorted((BRIDGES / "Shared").glob("*.swift")) + sorted((BRIDGES / name).glob("*.swift"))
        self.driver = [HERE / "BridgeStage.swift", HERE / f"{name}Driver.swift", CORPUS / "Provisioning/Driver/PlayedBank.swift"]


class BridgeShop(Workshop):
    def build(self, says_main_actor=False):
        """Declarations first, then the bridge without its `@objc` and without a warning, then what drives it."""
        framework = self.group.framework
        declared = (HERE / f"{framework}.swift").read_text()
        if says_main_actor:
            names = "|".join(self.group.of_the_main_actor)
            declared, found = re.subn(rf"^(?=(?:open|public) (?:class|protocol) (?:{names})\b)", "@MainActor @preconcurrency ", declared, flags=re.M)
            if found != len(self.group.of_the_main_actor):
                raise Refused("the declarations", "a name is not declared")
        (self.folder / f"{framework}.swift").write_text(declared)
        aliases = [option for alias, name in self.group.aliases.items() for option in ("-module-alias", f"{alias}={name}")]
        run("the declarations do not compile", [
            "swiftc", "-c", "-wmo", "-module-name", framework, "-emit-module", "-emit-module-path",
            str(self.folder / f"{framework}.swiftmodule"), *self.options, *aliases, str(self.folder / f"{framework}.swift"),
            "-o", str(self.folder / f"{framework}.o")])
        self.options += ["-I", str(self.folder)]
        sources = []
        for path in self.group.app:
            sources.append(self.folder / path.name)
            sources[-1].write_text(re.sub(r"@objc(\([\w:]*\))? ?", "", path.read_text()))
        self.options.append("-warnings-as-errors")
        self.compile_app(sources)
        if says_main_actor:
            return
        self.options.remove("-warnings-as-errors")
        self.compile_driver()
        # The linker reads both.
        run("the objects do not join", [
            "ld", "-r", str(self.folder / "ClientCode.o"), str(self.folder / f"{framework}.o"), "-o", str(self.folder / "joined.o")])
        (self.folder / "joined.o").replace(self.folder / "ClientCode.o")
        self.link()


class BridgeTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.built = Built()

    def drives(self, bridge):
        for mode in MODES:
            start = time.monotonic()
            with self.subTest(mode=mode), tempfile.TemporaryDirectory(prefix=f"billfold-bridge-{bridge.name}-") as folder:
                shop = BridgeShop(bridge, mode, self.built, folder)
                shop.build()
                said = shop.drive_to_the_end()
                self.assertNotIn("DIFFERS", said)
                with tempfile.TemporaryDirectory(prefix=f"billfold-bridge-{bridge.name}-") as other:
                    BridgeShop(bridge, mode, self.built, other).build(says_main_actor=True)
                print(f"{bridge.name}, Swift {mode}: {len(said.splitlines())} outcomes, {time.monotonic() - start:.1f} s", flush=True)

    def test_react_native(self):
        self.drives(Bridge("ReactNative", "React", 12, ["RCTViewManager"]))

    def test_flutter(self):
        self.drives(Bridge(
            "Flutter", "Flutter", 14, ["FlutterPlugin", "FlutterPluginRegistrar", "FlutterPlatformView", "FlutterPlatformViewFactory"]))


class SpellingTests(unittest.TestCase):
    def test_react_finds_what_swift_declares(self):
        swift = "".join(path.read_text() for path in sorted((BRIDGES / "ReactNative").glob("*.swift")))
        declared = (BRIDGES / "ReactNative/BillfoldWallet.m").read_text()
        methods = ["".join(f"{label}:" for label in re.findall(r"(\w+):\(", each))
                   for each in re.findall(r"RCT_EXTERN_METHOD\((.*)\)\n", declared)]
        self.assertEqual(methods, [f"{name}:resolver:rejecter:" for name in FUNCTIONS])
        self.assertEqual(re.findall(r"@objc\((\w+:[\w:]*)\)", swift), methods)
        # A method's Objective-C name is made of its labels.
        for name in FUNCTIONS:
            self.assertRegex(swift, rf"func {name}\(\s*_ card: String, resolver resolve: .*, rejecter reject: ")
        self.assertEqual(re.findall(r"RCT_EXTERN_MODULE \((\w+),", declared), ["BillfoldWallet", "BillfoldAddPassButtonManager"])
        self.assertEqual(set(re.findall(r"@objc\(([A-Z]\w+)\)", swift)), {"BillfoldWallet", "BillfoldAddPassButtonManager"})
        self.assertEqual(re.findall(r"RCT_EXPORT_VIEW_PROPERTY\((\w+),", declared), re.findall(r"@objc var (\w+):", swift))

    def test_each_half_says_the_same_names(self):
        calls = (BRIDGES / "Shared/WalletCalls.swift").read_text()
        self.assertEqual(re.findall(r"^        case (\w+)$", calls, re.MULTILINE), FUNCTIONS)
        script = (BRIDGES / "ReactNative/index.js").read_text()
        dart = (BRIDGES / "Flutter/lib/billfold_wallet.dart").read_text()
        plugin = (BRIDGES / "Flutter/BillfoldWalletPlugin.swift").read_text()
        for name in FUNCTIONS:
            self.assertIn(f'ask("{name}", card)', script)
            self.assertRegex(dart, rf"<[\w?, ]+>\('{name}', \{{'card': card\}}\)")
        for name in re.findall(r'static let \w+ = "([^"]+)"', plugin) + ["addButtonTapped"]:
            self.assertIn(f'"{name}"', plugin)
            self.assertIn(f"'{name}'", dart)
        self.assertIn("requireNativeComponent(\"BillfoldAddPassButton\")", script)
        self.assertTrue(dart.startswith("// Not checked here"))


if __name__ == "__main__":
    unittest.main()
