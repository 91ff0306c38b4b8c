"""Finds what came to iOS after the version that the manifest claims and is used without asking for it.

The compiler does not look at availability on Linux. But the toolchain's modules say for each name which iOS brought it, the checked syntax tree
says which name is meant where, and below which `#available` and `@available` that stands.
"""
import json
import pathlib
import re
import subprocess
import tempfile

from apple_platforms import DECLARED, ROOT

# Foundation says it of a part of its names: the rest are in a table.
TOOLCHAIN = ["Swift", "_Concurrency", "_StringProcessing", "Synchronization", "Foundation", "FoundationEssentials", "FoundationNetworking"]
UNVERSIONED = ROOT / "Tests/ApplePlatforms/foundation.json"


def version(text):
    parts = [int(part) for part in text.split(".")[:2]]
    return (parts[0], parts[1] if len(parts) > 1 else 0)


class Availability:
    def __init__(self, build):
        self.build = build
        # By the compiler's own name of a declaration: which iOS brought it, and how people call it.
        self.introduced, self.names, self.types, self.foundation = {}, {}, {}, set()
        target = subprocess.run(["swiftc", "-print-target-info"], capture_output=True, text=True, check=True).stdout
        self.triple = json.loads(target)["target"]["triple"]
        with tempfile.TemporaryDirectory(dir=build.folder) as folder:
            for module in TOOLCHAIN + DECLARED:
                self.extract(module, folder)
            for path in sorted(pathlib.Path(folder).glob("*.symbols.json")):
                self.read(json.loads(path.read_text()), path.name)

    def extract(self, module, folder):
        subprocess.run(
            ["swift-symbolgraph-extract", "-module-name", module, "-target", self.triple, "-output-dir", folder,
             "-minimum-access-level", "public", "-skip-synthesized-members", "-module-cache-path", str(self.build.folder / "cache"),
             "-I", str(self.build.declared)], capture_output=True, text=True, timeout=120, check=True)

    def read(self, graph, name):
        isFoundation = re.match(r"Foundation(Essentials|Networking)?[@.]", name) is not None
        for symbol in graph["symbols"]:
            usr, path = symbol["identifier"]["precise"], symbol["pathComponents"]
            self.names[usr] = ".".join(path)
            since = [each["introduced"] for each in symbol.get("availability", []) if each.get("domain") == "iOS" and "introduced" in each]
            if since:
                self.introduced[usr] = max((each["major"], each.get("minor", 0)) for each in since)
                if symbol["kind"]["identifier"] in ("swift.struct", "swift.class", "swift.enum", "swift.protocol", "swift.actor"):
                    self.types[f"{graph['module']['name']}.{'.'.join(path)}"] = self.introduced[usr]
            elif isFoundation:
                self.foundation.add(usr)
        for each in graph["relationships"]:
            # What a protocol began to ask for later may have been offered before: the compiler then takes what is there.
            if each["kind"] == "defaultImplementationOf" and each["source"] not in self.introduced:
                self.introduced.pop(each["target"], None)

    # What is used

    def check(self, modules, changed=None):
        """What is used too early in the modules; `changed` holds other texts for some files, and then only those are looked at."""
        wrong, types = [], []
        table = json.loads(UNVERSIONED.read_text())
        by_hand = {name: version(since) for name, since in table["introduced"].items()}
        for module in modules:
            files = self.build.files(module) | {name: text for name, text in (changed or {}).items() if name.startswith(f"Sources/{module}/")}
            for name, tree in self.build.trees(module, files, changed).items():
                if name not in files:
                    continue
                data = self.build.on_a_phone(files[name]).encode()
                for usr, place, at in Uses(self.build.claimed).of(tree):
                    line = data[:place].count(b"\n") + 1
                    if usr.startswith("$s"):
                        types.append((usr, name, line, at))
                        continue
                    what = self.names.get(usr, usr)
                    since = by_hand.get(what, self.introduced.get(usr))
                    if since is None and usr in self.foundation:
                        wrong.append(f"{name}:{line}: {what}: no table says which iOS brought it")
                    if since and since > at:
                        wrong.append(self.told(name, line, what, since))
        return list(dict.fromkeys(wrong + self.named(types)))

    def told(self, name, line, what, since):
        return f"{name}:{line}: {what} came with iOS {since[0]}.{since[1]}, and is used where iOS {self.build.claimed[0]} may be"

    def named(self, types):
        """The types that a declaration names, which a tree gives in the compiler's own spelling."""
        newer = {name: since for name, since in self.types.items() if since > self.build.claimed}
        unique = sorted({usr for usr, *_ in types})
        said = subprocess.run(["swift", "demangle", "-compact"], input="\n".join(unique), capture_output=True, text=True, check=True).stdout
        readable = dict(zip(unique, said.splitlines()))
        expression = re.compile(r"(?<![\w.])(?:" + "|".join(map(re.escape, sorted(newer, key=len, reverse=True))) + r")(?![\w])")
        found = []
        for usr, name, line, at in types:
            for hit in expression.finditer(readable[usr]):
                if newer[hit[0]] > at:
                    found.append(self.told(name, line, hit[0], newer[hit[0]]))
        return found


class Uses:
    """Walks a tree and gives each use: the name, where it stands, and which iOS is certain there."""

    def __init__(self, claimed):
        self.claimed, self.found = claimed, []

    def of(self, tree):
        self.visit(tree, self.claimed, 0)
        return self.found

    def visit(self, node, at, place):
        if isinstance(node, list):
            self.sequence(node, at, place)
        elif isinstance(node, dict):
            self.node(node, at, place)

    def sequence(self, nodes, at, place):
        """Behind a `guard`, what it asked for holds to the end."""
        for node in nodes:
            self.visit(node, at, place)
            if isinstance(node, dict) and node.get("_kind") == "guard_stmt":
                at = max(at, asked(node.get("conditions", [])))

    def node(self, node, at, place):
        kind, place = node.get("_kind", ""), node.get("range", {}).get("start", place)
        at = max([at] + [version(each["introduced"]) for each in node.get("attrs", [])
                         if each.get("_kind") == "available_attr" and each.get("domain") == "iOS" and "introduced" in each])
        if "decl_usr" in node and node["decl_usr"]:
            self.found.append((node["decl_usr"], place, at))
        names = ("type",) if kind == "type_expr" else ("interface_type", "result", "inherits") if kind.endswith("_decl") or kind == "parameter" else ()
        for name in names:
            for text in node[name] if isinstance(node.get(name), list) else [node.get(name)]:
                if isinstance(text, str) and text.startswith("$s"):
                    self.found.append((text, place, at))
        if kind in ("if_stmt", "guard_stmt", "while_stmt"):
            certain = at
            for condition in node.get("conditions", []):
                self.visit(condition, certain, place)
                certain = max(certain, asked([condition]))
            for name, child in node.items():
                if name != "conditions":
                    self.visit(child, certain if name in ("then_stmt", "body") and kind != "guard_stmt" else at, place)
            return
        for child in node.values():
            self.visit(child, at, place)


def asked(conditions):
    """The iOS that `#available` among conditions makes certain."""
    queries = [query for each in conditions if each.get("_kind") == "#available" for query in each.get("queries", [])]
    return max([version(query["version"]) for query in queries if query.get("domain") == "iOS"], default=(0, 0))
