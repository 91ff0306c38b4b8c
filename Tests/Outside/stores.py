"""The stores of an installation on either engine: read from SQL text, written as SQL text, and looked at.

Tests/Fixtures/Stores has, in a folder for each version, each server's store as that version wrote it; store_fixtures.py makes them.
"""
import contextlib
import json
import os
import re
import sqlite3
import subprocess

from parties import PROGRAM, ROOT
from postgresql import Cluster

FIXTURES = ROOT / "Tests/Fixtures/Stores"
# Each server's store: its file in the data folder, and the flag that names it elsewhere.
KINDS = {
    "cards": ("billfold.sqlite", "--database"), "alipay-gateway": ("alipay-gateway.sqlite", "--alipay-gateway-database"),
    "alipay-plus": ("alipay-plus.sqlite", "--alipay-plus-database"), "wallet": ("wallet.sqlite", "--wallet-database"),
    "issuer": ("issuer.sqlite", "--issuer-database")}
# Stores of the sandbox lie in the data folder, whatever the servers' engine is.
SANDBOX = {"sandbox-unionpay": ("unionpay.sqlite", None), "sandbox-party": ("card-network.sqlite", None)}
# What the stores are read with. These are keys of the tests and secret to nobody.
TEST_KEYS = {f"{name}.key": f"{name} key of tests, not secret".ljust(32, ".").encode() for name in ("audit", "hashing", "sealing")}


def write_keys(folder):
    """Makes a data folder with the tests' keys."""
    folder.mkdir(mode=0o700)
    for name, key in TEST_KEYS.items():
        (folder / name).touch(mode=0o600)
        (folder / name).write_bytes(key)


def run(*arguments, given=None, environment=None):
    """One command of the program, to its end. Returns its status and its standard output; what it says of a failure comes behind that."""
    ending = subprocess.run(
        [str(PROGRAM), *arguments], capture_output=True, text=True, timeout=120, input=given, env={**os.environ, **(environment or {})})
    return ending.returncode, ending.stdout + (ending.stderr if ending.returncode else "")


def ask(*arguments):
    """One `db` command with `--json`. Returns its status and its answer."""
    status, said = run("db", *arguments, "--json")
    try:
        return status, json.JSONDecoder().raw_decode(said)[0]
    except ValueError as error:
        raise RuntimeError(f"db {' '.join(map(str, arguments))}: {status}\n{said}") from error


def statements(text):
    """The statements of a dump, without comments and without what is meant for psql. What stands in quotes is text, on however many lines."""
    found, start, place = [], None, 0
    token = re.compile(r"""--[^\n]*|\\[^\n]*|'(?:[^']|'')*'|"(?:[^"]|"")*"|;|[^\s;'"]+""")
    while match := token.search(text, place):
        place, word = match.end(), match.group()
        if start is None and word.startswith(("--", "\\")):
            continue
        start = match.start() if start is None else start
        if word == ";":
            found.append(text[start:place])
            start = None
    return found


class SQLite:
    """Stores in a folder."""

    def __init__(self, folder):
        self.folder = folder

    def beside(self, folder):
        """The stores of another data folder."""
        return SQLite(folder)

    def address(self, kind):
        return str(self.folder / {**KINDS, **SANDBOX}[kind][0])

    def flags(self):
        """How a server of that data folder is told of its stores."""
        return []

    def load(self, kind, text):
        with contextlib.closing(sqlite3.connect(self.address(kind))) as store:
            store.executescript(text)

    def dump(self, kind):
        with contextlib.closing(sqlite3.connect(self.address(kind))) as store:
            return "".join(f"{statement}\n" for statement in store.iterdump())

    def rows(self, kind, query):
        with contextlib.closing(sqlite3.connect(f"file:{self.address(kind)}?mode=ro", uri=True, timeout=30)) as store:
            return [[str(value) for value in row] for row in store.execute(query)]

    def schema(self, kind):
        return {statement for (statement,) in self.rows(kind, "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")}

    def tables(self, kind):
        return {name for (name,) in self.rows(kind, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")}

    def close(self):
        pass


class PostgreSQL:
    """Stores in a cluster, a database for each."""

    def __init__(self, folder, cluster=None):
        self.cluster, self.is_own, self.prefix, self.made = cluster or Cluster(), cluster is None, folder.parent.name, set()

    def beside(self, folder):
        """The stores of another data folder, in the same cluster."""
        return PostgreSQL(folder, self.cluster)

    def database(self, kind):
        name = f"{self.prefix}-{kind}"
        if name not in self.made:
            self.made.add(name)
            self.tool("psql", "-d", "postgres", "-Xqc", f'CREATE DATABASE "{name}"')
        return name

    def address(self, kind):
        return f"{self.cluster.address.rsplit('/', 1)[0]}/{self.database(kind)}"

    def flags(self):
        return [word for kind, (_, flag) in KINDS.items() for word in (flag, self.address(kind))]

    def tool(self, program, *arguments, given=None):
        place = ["-h", "127.0.0.1", "-p", str(self.cluster.port), "-U", "billfold"]
        ending = subprocess.run([self.cluster.bin / program, *place, *arguments], capture_output=True, text=True, input=given)
        if ending.returncode:
            raise RuntimeError(f"{program} ended with {ending.returncode}: {ending.stderr[-2000:]}")
        return ending.stdout

    def load(self, kind, text):
        self.tool("psql", "-d", self.database(kind), "-Xq", "--single-transaction", "-v", "ON_ERROR_STOP=1", given=text)

    def dumped(self, kind, *flags):
        text = self.tool("pg_dump", "--inserts", "--no-owner", "--no-privileges", "--encoding=UTF8", *flags, self.database(kind))
        # What the tool says of itself and of the session is none of the store.
        return [each for each in statements(text) if not re.match(r"SET |SELECT pg_catalog\.", each)]

    def dump(self, kind):
        return "".join(f"{statement}\n" for statement in self.dumped(kind))

    def rows(self, kind, query):
        return [line.split("\t") for line in self.tool("psql", "-d", self.database(kind), "-XqAtF", "\t", "-c", query).splitlines()]

    def schema(self, kind):
        return set(self.dumped(kind, "--schema-only"))

    def tables(self, kind):
        return {name for (name,) in self.rows(kind, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")}

    def close(self):
        if self.is_own:
            self.cluster.close()


PLACES = {"sqlite": SQLite, "postgresql": PostgreSQL}
