"""Compiles the phone's targets on Linux as a device would have them: against declarations of Apple's modules that stand under
Tests/ApplePlatforms, apart from the package's own build. Every module of ours that a client needs is compiled anew, for a condition such as
`canImport(Darwin)` decides otherwise here.

`python3 apple_platforms.py [--sources FOLDER] [--modules FOLDER]` prints what is wrong with a checkout.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
DECLARATIONS = ROOT / "Tests/ApplePlatforms/Declarations"
# Where the modules of other packages lie.
BUILT = pathlib.Path(os.environ.get("BILLFOLD_MODULES", ROOT / ".build/debug/Modules"))
# Each after those that it imports. The first is imported by every file without a word: Apple's Foundation holds more than the one here.
DECLARED = ["Darwin", "AppleFoundation", "os", "CoreGraphics", "Contacts", "CryptoKit", "UIKit", "WebKit", "PassKit"]
# Whose classes may stand in what is offered to Objective-C.
REPRESENTED = ["AppleFoundation", "UIKit"]
STRICT = ["-swift-version", "6", "-parse-as-library", "-package-name", "billfold"]
STRICT += [word for name in ("ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility")
           for word in ("-enable-upcoming-feature", name)]
# What a phone answers to a condition. All else is asked of the modules that are declared.
PHONE = {"os(iOS)": "true", "os(Linux)": "false", "os(macOS)": "false", "os(watchOS)": "false", "canImport(Darwin)": "true",
         "canImport(Glibc)": "false"}
INTEROPERABLE = [word for flag in ("-enable-objc-interop", "-disable-objc-attr-requires-foundation-module") for word in ("-Xfrontend", flag)]
# Headers of one year isolate a delegate's calls to the main actor, those of another do not: ours must do with either.
TOLERATED = re.compile(r"warning: '@preconcurrency' on conformance to '\w+' has no effect")
IMPORT = re.compile(r"^\s*(?:(?:public|package|internal|private|fileprivate|@\w+)\s+)*import\s+(?:(?:struct|class|enum|protocol|func|var|let)\s+)?(\w+)",
                    re.MULTILINE)


class AppleBuild:
    """One check of a checkout. What it makes lies in a folder of its own, which `close` takes away."""

    def __init__(self, sources=ROOT, built=BUILT):
        self.sources, self.built = pathlib.Path(sources).resolve(), pathlib.Path(built).resolve()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="billfold-apple-"))
        self.declared, self.ours, self.objective_c = (self.folder / name for name in ("declared", "ours", "objective-c"))
        for place in (self.declared, self.ours, self.objective_c):
            place.mkdir()
        toolchain = pathlib.Path(shutil.which("swiftc")).resolve().parents[1]
        self.plugins = ["-plugin-path", str(toolchain / "lib/swift/host/plugins")]
        engine = ["pkg-config", "--cflags-only-I", "javascriptcoregtk-4.1"]
        self.engine = subprocess.run(engine, capture_output=True, text=True, check=True).stdout.split()
        arrows = (self.sources / "Tests/LayoutTests/Arrows.swift").read_text()
        self.clients = re.findall(r'"(\w+)"', re.search(r"static let appClients: Set<String> = \[(.*?)\]", arrows, re.DOTALL)[1])
        self.claimed = (int(re.search(r"\.iOS\(\.v(\d+)\)", (self.sources / "Package.swift").read_text())[1]), 0)

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    # What is compiled

    def files(self, module):
        """The module's files, by their paths below the checkout."""
        folder = self.sources / "Sources" / module
        return {str(path.relative_to(self.sources)): path.read_text() for path in sorted(folder.rglob("*.swift"))
                if not any(part.endswith(".docc") or part == "Resources" for part in path.parts)}

    @staticmethod
    def on_a_phone(text, objective_c=False):
        """The text with its conditions answered, line by line. Without Objective-C its attributes are blanked out."""
        def answered(line):
            return re.sub(r"\b(?:os|canImport)\(\w+\)", lambda asked: PHONE.get(asked[0], asked[0]), line[0])
        if not objective_c:
            text = re.sub(r"@objc(Members)?\b(\([\w:]+\))?", lambda attribute: " " * len(attribute[0]), text)
        return re.sub(r"^ *#(?:if|elseif) .*$", answered, text, flags=re.MULTILINE)

    def with_resources(self, module, files):
        """SwiftPM writes the file by which a target finds the resources that it embeds."""
        names = sorted(set(re.findall(r"\bPackageResources\.(\w+)", "\n".join(files.values()))))
        made = "enum PackageResources {\n" + "".join(f"    static let {name}: [UInt8] = []\n" for name in names) + "}\n"
        return files | ({f"Sources/{module}/PackageResources.swift": made} if names else {})

    def imports(self, module):
        return set().union(*(IMPORT.findall(text) for text in self.files(module).values()))

    def modules(self):
        """The clients and what they import of ours, each after what it imports. A simulator stands in for what a phone has."""
        found = []

        def visit(module):
            if module in found or module.endswith("Simulator") or not self.files(module):
                return
            for name in sorted(self.imports(module)):
                visit(name)
            found.append(module)

        for client in sorted(self.clients):
            visit(client)
        return found

    # How it is compiled

    def run(self, command, files, objective_c=False):
        """Runs a compiler on a copy of the files, so that what it says names them as the checkout does."""
        with tempfile.TemporaryDirectory(dir=self.folder) as copy:
            for name, text in files.items():
                path = pathlib.Path(copy) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(self.on_a_phone(text, objective_c))
            return subprocess.run(command, cwd=copy, capture_output=True, text=True, timeout=300, check=False)

    def flags(self, implicit=True):
        flags = STRICT + ["-module-cache-path", str(self.folder / "cache"), "-I", str(self.declared), "-I", str(self.ours)]
        flags += ["-I", str(self.built), "-I", str(DECLARATIONS / "JavaScriptCore")]
        flags += [word for flag in self.engine for word in ("-Xcc", flag)]
        return flags + (["-Xfrontend", "-import-module", "-Xfrontend", DECLARED[1]] if implicit else [])

    @staticmethod
    def verdict(ran):
        """What a compiler found wrong: errors, and warnings too, since the package's own build takes them for errors."""
        told = [line for line in ran.stderr.splitlines() if re.search(r"(?<!`- )\b(error|warning): ", line) and not line.startswith(" ")]
        told = [line for line in told if not TOLERATED.search(line)]
        return told or ([ran.stderr[-2000:] or "the compiler failed"] if ran.returncode else [])

    def declare(self):
        """Compiles the declarations. Returns what is wrong with them."""
        wrong = []
        for module in DECLARED:
            wrong += self.declared_module(module, self.declared, [])
        # Where this module can be imported, `@objc` is compiled; only a check of that is given its folder.
        empty = {"ObjectiveC.swift": ""}
        target = ["-emit-module", "-module-name", "ObjectiveC", "-emit-module-path", str(self.objective_c / "ObjectiveC.swiftmodule")]
        wrong += self.verdict(self.run(["swiftc", *target, *empty], empty))
        for module in REPRESENTED:
            wrong += self.declared_module(module, self.objective_c, ["-I", str(self.objective_c), *INTEROPERABLE])
        return wrong

    def declared_module(self, module, folder, more):
        files = {str(path.relative_to(ROOT)): path.read_text() for path in sorted((DECLARATIONS / module).rglob("*.swift"))}
        if more:
            files = {name: re.sub(r"^(?=open class )", "@objc ", text, flags=re.MULTILINE) for name, text in files.items()}
        target = ["-emit-module", "-wmo", "-module-name", module, "-emit-module-path", str(folder / f"{module}.swiftmodule")]
        return self.verdict(self.run(["swiftc", *target, *more, *self.flags(implicit=False), *files], files, objective_c=bool(more)))

    def compile(self, module, files=None):
        """Compiles one module for those that import it. Returns what is wrong."""
        files = self.with_resources(module, files or self.files(module))
        target = ["-emit-module", "-wmo", "-module-name", module, "-emit-module-path", str(self.ours / f"{module}.swiftmodule")]
        return self.verdict(self.run(["swiftc", *target, *self.flags(), *files], files))

    def offers_objective_c(self, module):
        return any("@objc" in text for text in self.files(module).values())

    def header(self, module, files=None):
        """Compiles one module once more with what it offers to Objective-C. Returns the header that the compiler makes of it, and what is wrong."""
        files = self.with_resources(module, files or self.files(module))
        for name, text in files.items():
            # On Apple's systems a subclass of NSObject is known to Objective-C without being told so.
            text = re.sub(r"^( *@objc\(\w+\)\n)?( *)(?=@objcMembers$)", lambda found: found[0] if found[1] else f"{found[2]}@objc ", text,
                          flags=re.MULTILINE)
            # There the protocol of all objects is one of Objective-C's own.
            files[name] = re.sub(r"\b(protocol \w+): NSObjectProtocol\b", r"\1: AnyObject", text)
        header = self.folder / f"{module}.h"
        target = ["-typecheck", *self.plugins, "-module-name", module, "-emit-objc-header-path", str(header), "-I", str(self.objective_c)]
        flags = [flag for flag in INTEROPERABLE + self.flags() if flag != "-Xfrontend"]
        wrong = self.verdict(self.run(["swiftc", "-frontend", *target, *flags, *files], files, objective_c=True))
        return header.read_text() if header.exists() else "", wrong

    def trees(self, module, files=None, only=None):
        """The syntax tree of each file, or of some, checked: what every name means."""
        files = self.with_resources(module, files or self.files(module))
        primary = [word for name in files for word in (["-primary-file", name] if not only or name in only else [name])]
        flags = [flag for flag in self.flags() if flag != "-Xfrontend"]
        ran = self.run(["swiftc", "-frontend", "-dump-ast", "-dump-ast-format", "json", *self.plugins, "-module-name", module, *flags, *primary], files)
        decoder, place, trees = json.JSONDecoder(), 0, []
        while place < len(ran.stdout):
            tree, place = decoder.raw_decode(ran.stdout, place)
            trees.append(tree)
            while place < len(ran.stdout) and ran.stdout[place].isspace():
                place += 1
        return {tree["filename"]: tree for tree in trees}


def main():
    parser = argparse.ArgumentParser(description="Checks the code for Apple's platforms.")
    parser.add_argument("--sources", default=ROOT)
    parser.add_argument("--modules", default=BUILT)
    chosen = parser.parse_args()
    build = AppleBuild(chosen.sources, chosen.modules)
    try:
        import apple_availability
        wrong = build.declare()
        modules = build.modules()
        for module in modules:
            wrong += build.compile(module)
            if build.offers_objective_c(module):
                wrong += build.header(module)[1]
        wrong += apple_availability.Availability(build).check(modules)
        print("\n".join(wrong) or f"nothing is wrong with {', '.join(modules)}")
        sys.exit(1 if wrong else 0)
    finally:
        build.close()


if __name__ == "__main__":
    main()
