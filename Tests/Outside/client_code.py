"""Compiles client code against the modules that the build left, links it with their objects and runs it. Builds no package.

An app's files are a module of their own, `ClientCode`, in which the real SDKs' modules are ours by another name. The driver is a second module that
sees the app's by a testable import that it need not write. It names our modules by their own names or by the SDKs', each by one of the two: an alias
hides the name that it stands for.
"""
import contextlib
import json
import os
import pathlib
import re
import subprocess
import tempfile

from client_selectors import lowered

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPUS = ROOT / "Tests/ClientCode"
EXAMPLES = ROOT / "Examples"
# What drives the examples lies beside the corpus: an example's own folder holds the app and nothing else.
DRIVEN = CORPUS / "Examples"
# Another build's folder, for whoever tries a corpus beside a build.
BUILD = pathlib.Path(os.environ.get("BILLFOLD_BUILD", ROOT / ".build"))
MODES = ("5", "6")
LONGEST_RUN = 120


class Refused(Exception):
    """A stage that did not go well, with what the tool said."""

    def __init__(self, stage, said):
        super().__init__(f"{stage}:\n{said}")
        self.stage, self.said = stage, said


class Built:
    """What the build knows of its modules: their objects, what they import, where C is found."""

    def __init__(self, folder=BUILD):
        text = (folder / "debug.yaml").read_text()
        self.modules = {}
        command = re.compile(
            r'^  "C\.(\w+)-[\w-]+-debug\.module":\n    tool: shell\n    inputs: (\[.*\])\n    outputs: (\[.*\])\n.*\n    args: (\[.*\])$',
            re.MULTILINE)
        for name, inputs, outputs, arguments in command.findall(text):
            self.modules[name] = tuple(json.loads(each) for each in (inputs, outputs, arguments))
        linked = re.search(r'^  "C\.billfoldPackageTests-[\w-]+-debug\.test":\n(?:.*\n)*?    args: (\[.*\])$', text, re.MULTILINE)
        # Of the system, such as -lcrypto, without the servers' allocator; what nobody needs is not linked.
        self.libraries = [each for each in json.loads(linked.group(1)) if re.match(r"-[lL].", each) and each != "-lmimalloc"] if linked else []

    def closure(self, names):
        found, queue = [], list(names)
        while queue:
            name = queue.pop()
            if name in found:
                continue
            if name not in self.modules:
                raise Refused("build", f"the build has no module {name}")
            found.append(name)
            queue += [path.stem for path in map(pathlib.Path, self.modules[name][0]) if path.suffix == ".swiftmodule"]
        return found

    def folders(self, names):
        """Where the compiled modules lie."""
        return sorted({str(pathlib.Path(path).parent) for name in names for path in self.modules[name][1] if path.endswith(".swiftmodule")})

    def headers(self, names):
        """The options by which C modules are found, without those that say how C is compiled."""
        found = []
        for name in names:
            arguments = self.modules[name][2]
            taken = [arguments[i + 1] for i, each in enumerate(arguments[:-1]) if each == "-Xcc"]
            skip = False
            for place, each in enumerate(taken):
                if skip:
                    skip = False
                elif each == "-I" and place + 1 < len(taken):
                    found += [("-Xcc", "-I", "-Xcc", taken[place + 1])]
                    skip = True
                elif each.startswith(("-fmodule-map-file=", "-I")):
                    found += [("-Xcc", each)]
            found += [("-Xcc", each) for each in arguments if each.startswith("-I/")]
        return [option for options in dict.fromkeys(found) for option in options]

    def objects(self, names):
        found = []
        for name in names:
            found += [path for path in self.modules[name][1] if path.endswith(".o")]
        beside = {str(pathlib.Path(path).parent.parent) for path in found if pathlib.Path(path).parent.suffix == ".build"}
        for option in self.headers(names):
            # …/Sources/CTarget/include/module.modulemap, or …/CTarget.build/module.modulemap where the build has written it
            target = re.search(r"-fmodule-map-file=.*/(\w+)(?:/include|\.build)/module\.modulemap$", option)
            for folder in beside if target else []:
                found += map(str, sorted(pathlib.Path(folder, f"{target.group(1)}.build").rglob("*.o")))
        return list(dict.fromkeys(found))


class Group:
    """The files of one SDK's clients, and what they need."""

    def __init__(self, folder):
        self.name = folder.name
        said = json.loads((folder / "modules.json").read_text())
        self.aliases, self.modules = said["aliases"], said["modules"]
        # What an app has by its bridging header, without an import.
        self.bridged = said.get("bridged", [])
        # How many its driver prints. A driver that returns too early is seen by it.
        self.outcomes = said["outcomes"]
        self.app = sorted(folder.glob("*.swift"))
        self.driver = sorted((folder / "Driver").glob("*.swift"))
        # Documents, each with the names that it prints. What no file can have stands under "left out", each name with its reason.
        names = json.loads((folder / "names.json").read_text())
        self.left_out = names.pop("left out", {})
        self.names = {name: document for document, printed in names.items() for name in printed}
        self.repeated = [name for printed in names.values() for name in set(printed) if printed.count(name) > 1]

    @staticmethod
    def all():
        return [Group(path.parent) for path in sorted(CORPUS.glob("*/modules.json"))]


class Example:
    """An app of `Examples`, and what drives it through the sandbox: its folder under `Tests/ClientCode/Examples`. `Workshop` takes it as a group."""

    def __init__(self, name):
        self.name = name
        said = json.loads((DRIVEN / name / "modules.json").read_text())
        self.aliases, self.modules, self.bridged = said["aliases"], said["modules"], []
        self.app = sorted((EXAMPLES / name).rglob("*.swift"))
        self.driver = sorted((DRIVEN / name / "Driver").glob("*.swift"))

    @staticmethod
    def all():
        return [Example(path.name) for path in sorted(EXAMPLES.iterdir()) if (path / f"{path.name}.xcodeproj").is_dir()]


def imports(text):
    return re.findall(r"^\s*(?:@\w+ )*import (?:(?:class|struct|enum|protocol|func) )?(\w+)", text, re.MULTILINE)


def run(stage, command, timeout=600, ends=0, **options):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False, **options)
    except subprocess.TimeoutExpired as late:
        raise Refused(stage, f"did not end within {timeout} seconds") from late
    if done.returncode != ends:
        said = done.stdout + done.stderr
        # Of a compiler's words the errors come first: what it warns of may be longer.
        errors = "\n".join(line for line in said.splitlines() if " error: " in line)[:2_000]
        raise Refused(stage, f"ended with {done.returncode}\n{errors}\n{said[-6_000:]}")
    return done.stdout


class Workshop:
    """A folder in which one group is compiled in one mode."""

    def __init__(self, group, mode, built, folder):
        self.group, self.mode, self.built, self.folder = group, mode, built, pathlib.Path(folder)
        self.names = built.closure(set(group.modules) | set(group.aliases.values()))
        seen = [option for path in built.folders(self.names) for option in ("-I", path)]
        self.options = ["-parse-as-library", "-swift-version", mode, "-Onone", *seen, *built.headers(self.names),
                        "-module-cache-path", str(BUILD / "client-code-cache")]

    def compile_app(self, files=None):
        """Compiles the app's files as they are. Those that name selectors are compiled as `client_selectors` writes them."""
        sources = []
        for path in files or self.group.app:
            written = lowered(path.read_text())
            if written is not None:
                path = self.folder / path.name
                path.write_text(written)
            sources.append(str(path))
        # A module that the app knows by our own name needs no other.
        aliases = [option for alias, name in sorted(self.group.aliases.items()) if alias != name for option in ("-module-alias", f"{alias}={name}")]
        run("the app does not compile", [
            "swiftc", "-c", "-wmo", "-module-name", "ClientCode", "-enable-testing", "-emit-module", "-emit-module-path",
            str(self.folder / "ClientCode.swiftmodule"), *self.options, *aliases,
            # Foundation is one module on a phone, and two here.
            "-Xfrontend", "-import-module", "-Xfrontend", "FoundationNetworking",
            *(option for name in self.group.bridged for option in ("-Xfrontend", "-import-module", "-Xfrontend", name)),
            # An app's own entry point stands beside the driver's.
            "-Xfrontend", "-entry-point-function-name", "-Xfrontend", "client_main",
            *sources, "-o", str(self.folder / "ClientCode.o")])

    def compile_driver(self):
        imported = {name for path in self.group.driver for name in imports(path.read_text())}
        aliases = [option for alias, name in sorted(self.group.aliases.items()) if alias in imported and alias != name
                   for option in ("-module-alias", f"{alias}={name}")]
        run("the driver does not compile", [
            "swiftc", "-c", "-wmo", "-module-name", "ClientDriver", *self.options, *aliases, "-I", str(self.folder),
            "-Xfrontend", "-testable-import-module", "-Xfrontend", "ClientCode", *map(str, self.group.driver),
            "-o", str(self.folder / "ClientDriver.o")])

    def link(self):
        listed = self.folder / "objects"
        listed.write_text("\n".join(f'"{path}"' for path in self.built.objects(self.names)))
        # The build's objects count what is covered.
        run("the program does not link", [
            "swiftc", "-profile-generate", str(self.folder / "ClientDriver.o"), str(self.folder / "ClientCode.o"), f"@{listed}",
            "-Xlinker", "--as-needed", *self.built.libraries, "-o", str(self.folder / "program")])

    def build(self):
        self.compile_app()
        self.compile_driver()
        self.link()

    def drive(self, *arguments, ends=0, **environment):
        """What the program prints. One that is killed on purpose ends with the signal's number, negative."""
        environment = {**os.environ, "LLVM_PROFILE_FILE": "/dev/null", **environment}
        return run("the app does not do what it should", [str(self.folder / "program"), *arguments], LONGEST_RUN, ends,
                   env=environment, cwd=self.folder)

    def drive_to_the_end(self):
        """Runs the program of a group; what it printed, an outcome a line, as many as are expected."""
        said = self.drive()
        seen = len(said.splitlines())
        if seen != self.group.outcomes:
            raise Refused("the driver's outcomes are not those that are expected", f"{seen} and not {self.group.outcomes}:\n{said[-6_000:]}")
        return said


@contextlib.contextmanager
def workshop(group, mode, built):
    with tempfile.TemporaryDirectory(prefix=f"billfold-client-{group.name}-") as folder:
        yield Workshop(group, mode, built, folder)


def code(text):
    """Swift without its comments. What stands in quotation marks stays: the keys of a result are names too."""
    parts = r'"""(?s:.*?)"""|"(?:\\.|[^"\\\n])*"|(/\*(?s:.*?)\*/|//[^\n]*)'
    return re.sub(parts, lambda found: "" if found.group(1) else found.group(), text)


def says(text, name):
    """Whether code says a name as the documents print it, such as `UIApplication.open(_:options:completionHandler:)`."""
    before, _, labels = name.partition("(")
    base = before.split(".")[-1]
    pattern = rf"(?<!\w){re.escape(base)}(?!\w)"
    wanted = [each for each in labels.rstrip(")").split(":") if each and each != "_"]
    if wanted:
        pattern += r"\s*[!?]*\s*\(" + "".join(rf"(?s:.{{0,600}}?)(?<!\w){re.escape(each)}(?!\w)" for each in wanted)
    return re.search(pattern, text) is not None
