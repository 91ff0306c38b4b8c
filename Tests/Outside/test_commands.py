"""Runs the commands of `docs/commands.md`, `docs/sandbox.md` and `docs/webhooks.md` that speak to a running sandbox or work step by step, as they
stand there: with the ports of this run, and with an end for those that go on for ever.
"""
import json
import os
import re
import shlex
import subprocess
import unittest

import back_ends
from parties import PROGRAM, ROOT, Billfold, get_json, post, wait_for
from webhooks import Receiver

ORDER = {
    "goods": "electronic", "currency": "CNY", "country": "CN", "merchantName": "Two Leaves",
    "lines": [{"label": "Song", "unitAmount": "12.00", "quantity": 1}]}
PAYLOAD = {
    "primaryAccountNumber": "4000000000000002", "expiration": "12/30", "name": "JANE SPECIMEN", "nonce": "0102030405060708",
    "nonceSignature": "40aa"}
LISTENING = "billfold listen "


def blocks(page, heading):
    """The commands below a heading of a page, block by block, without their comments."""
    section = page[page.index(f"{heading}\n") + len(heading):]
    section = re.split(r"^#{2,4} ", section, maxsplit=1, flags=re.MULTILINE)[0]
    return [re.sub(r" {2,}# .*$", "", each, flags=re.MULTILINE) for each in re.findall(r"^```sh\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)]


def leaves(command, path=()):
    """The program's commands with their arguments, as it tells them itself."""
    below = [each for each in command.get("subcommands", []) if each["commandName"] != "help"]
    if not below:
        yield path, command.get("arguments", [])
    for each in below:
        yield from leaves(each, (*path, each["commandName"]))


class Usage:
    """What a command takes and needs."""

    def __init__(self, arguments):
        self.flags, self.options, self.required, self.least, self.most = set(), set(), set(), 0, 0
        for each in arguments:
            if each["kind"] == "positional":
                self.least += not each["isOptional"]
                self.most += 1000 if each.get("isRepeating") else 1
                continue
            names = {("--" if name["kind"] == "long" else "-") + name["name"] for name in each["names"]}
            (self.flags if each["kind"] == "flag" else self.options).update(names)
            if not each["isOptional"]:
                self.required.add("--" + each["preferredName"]["name"])

    def faults(self, words):
        seen, operands, words = set(), 0, iter(words)
        for word in words:
            if not re.match(r"-.", word):
                operands += 1
                continue
            name = word.split("=")[0]
            seen.add(name)
            if name in self.options:
                if "=" not in word:
                    next(words, None)
            elif name not in self.flags:
                yield f"{name} is no option"
        yield from (f"{each} is missing" for each in sorted(self.required - seen))
        if not self.least <= operands <= self.most:
            yield f"{operands} operands in place of {self.least} to {self.most}"


def calls(page):
    """The program's calls in the shell blocks of a page: the line, and the words behind `billfold`."""
    for block in re.findall(r"^```(?:sh|bash)\n(.*?)^```", page, re.MULTILINE | re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
            lexer.whitespace_split = True
            try:
                tokens = list(lexer)
            except ValueError:
                # A part of a text of several lines.
                continue
            starts = [place for place, token in enumerate(tokens) if token == "billfold" and (
                place == 0 or re.fullmatch(r"[(|&;]+|if|until|while|do|then|!|\w+=.*", tokens[place - 1]))]
            for start in starts:
                words = []
                for token in tokens[start + 1:]:
                    if re.fullmatch(r"[();<>|&]+", token):
                        break
                    words.append(token)
                yield line, words


class UsageTests(unittest.TestCase):
    """What pages say of the commands, beside what the program says of itself."""

    @classmethod
    def setUpClass(cls):
        told = subprocess.run([str(PROGRAM), "--experimental-dump-help"], capture_output=True, text=True, check=True, timeout=60)
        cls.usages = {path: Usage(arguments) for path, arguments in leaves(json.loads(told.stdout)["command"])}

    def find(self, words):
        return next((path for path in (tuple(words[:length]) for length in (3, 2, 1)) if path in self.usages), None)

    def test_every_command_has_its_row_with_what_it_needs(self):
        page = (ROOT / "docs/commands.md").read_text()
        rows = [row.split() for row in re.findall(r"^\| `([^`]+)` \| ", page[page.index("## Every command"):], re.MULTILINE)]
        self.assertEqual(sorted(filter(None, map(self.find, rows))), sorted(self.usages))
        for row in rows:
            with self.subTest(" ".join(row)):
                path = self.find(row)
                self.assertEqual(list(self.usages[path].faults(row[len(path):])), [])
                # Nothing stands there that may be left out.
                self.assertLessEqual({word for word in row if word.startswith("--")}, self.usages[path].required)

    def test_every_call_of_every_page_is_one_that_the_program_takes(self):
        pages = [path for folder in ("docs", "Examples", "Sources") for path in (ROOT / folder).rglob("*.md")] + list(ROOT.glob("*.md"))
        count = 0
        for path in pages:
            for line, words in calls(path.read_text()):
                if words[:1] in (["help"], ["--version"], ["--help"]) or "--help" in words or "…" in words:
                    continue
                count += 1
                with self.subTest(f"{path.relative_to(ROOT)}: {line.strip()}"):
                    command = self.find(words)
                    self.assertIsNotNone(command)
                    self.assertEqual(list(self.usages[command].faults(words[len(command):])), [])
        self.assertGreater(count, 100)


class CommandTests(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.billfold = Billfold()
        cls.addClassCleanup(cls.billfold.stop)
        cls.billfold.start()
        cls.data = cls.billfold.folder / "data"
        wait_for("the addresses", (cls.data / "addresses.json").exists)
        tools = cls.billfold.folder / "tools"
        tools.mkdir()
        (tools / "billfold").write_text(back_ends.SHIM.format(program=PROGRAM, data=cls.data))
        # Where there is a browser, none is opened.
        (tools / "xdg-open").write_text("#!/bin/sh\n")
        for tool in tools.iterdir():
            tool.chmod(0o755)
        cls.environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}

    def setUp(self):
        self.folder = self.billfold.folder / self.id().rsplit(".", 1)[1]
        self.folder.mkdir()
        # As it lies where `make run` was called, for who reads keys there.
        (self.folder / ".billfold").symlink_to(self.data)
        self.receiver = Receiver()
        self.addCleanup(self.receiver.stop)

    def key(self):
        return (self.data / "api.key").read_text().strip()

    def order(self, reference):
        return post(
            f"{self.billfold.public}/v1/orders", {**ORDER, "reference": reference},
            {"Authorization": f"Bearer {self.key()}", "Idempotency-Key": f"order-{reference}"})

    def run_commands(self, text):
        """Runs commands by a shell that ends with the first that fails, and returns what they said."""
        hook = self.receiver.url.removesuffix("/hook")
        for usual, address in (
                ("http://127.0.0.1:8080", self.billfold.public), ("http://127.0.0.1:8081", self.billfold.console),
                ("http://127.0.0.1:8082", self.billfold.sandbox), ("http://localhost:3000", hook), ("http://127.0.0.1:3000", hook)):
            text = text.replace(usual, address)
        # Each page is another newcomer's, and a name is one's own.
        text = back_ends.own_names(text, self.folder.name[5:40])
        ended = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", text], cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=180,
            check=False)
        self.assertEqual(ended.returncode, 0, f"{text}\n{ended.stdout}{ended.stderr}")
        return ended.stdout + ended.stderr

    def listening(self, text):
        """The same commands, with those that listen in the background until each has heard of two events that are triggered last."""
        lines = text.splitlines()
        self.assertTrue([line for line in lines if line.startswith(LISTENING)], text)
        for place, line in enumerate(lines):
            if line.startswith(LISTENING):
                heard = f"heard-{place}"
                lines[place] = f"{line.removesuffix(' &')} --count 2 > {heard} 2>&1 &\nuntil grep -q listening {heard}; do sleep 0.1; done"
        last = ["billfold trigger payment.succeeded", "billfold trigger payment.succeeded", "wait", "cat heard-*"]
        return "\n".join([*lines, *last])

    def test_every_command_beside_a_running_sandbox(self):
        self.order("MY-ORDER-1")
        wait_for("its story", lambda: get_json(f"{self.billfold.console}/api/stories")["stories"])
        text, = blocks((ROOT / "docs/commands.md").read_text(), "## Beside a running sandbox")
        text = re.sub(r"^(billfold logs --party .*)$", r"\1 --once", text, flags=re.MULTILINE)
        said = self.run_commands(self.listening(text))
        for told in (
                "is unknown", "listening at ", "events are signed by whsec_", '"type":"payment.succeeded"', "MY-ORDER-1",
                f"{self.billfold.sandbox}/shop"):
            self.assertIn(told, said)
        self.assertEqual(
            {path.name for path in self.folder.iterdir() if path.is_dir()} - {".billfold"}, {"ann", "my-shop", "billfold-bank"})
        # What is forwarded is an event that a receiver can verify.
        self.receiver.secrets = re.findall(r"events are signed by (whsec_\S+)", said)
        self.assertIn("payment.succeeded", [call["event"]["type"] for call in self.receiver.calls])
        for call in list(self.receiver.calls):
            self.receiver.take(call["headers"], call["body"])
        self.assertEqual(self.receiver.faults, [])

    def test_sealing_step_by_step(self):
        """`mine.json` is what a bank's own code made: here an earlier answer, in which the last run finds one value that was altered."""
        (self.folder / "payload.json").write_text(json.dumps(PAYLOAD))
        text, = blocks((ROOT / "docs/commands.md").read_text(), "### Sealing, step by step")
        made, sealed, opened = text.splitlines()
        earlier = sealed.replace("--expected mine.json", "--json") + " > mine.json\ncp mine.json sealed.json"
        said = self.run_commands("\n".join([made, earlier, sealed, opened]))
        for step in ("otherInfo", "aesKey", "encryptedPassData"):
            self.assertIn(step, said)
        mine = json.loads((self.folder / "mine.json").read_text())
        self.assertIsNone(mine.get("firstDifference"))
        mine["steps"]["aesKey"] = "00" * 32
        (self.folder / "mine.json").write_text(json.dumps(mine))
        differs = self.run_commands(f"{opened} --json && exit 1 || true")
        self.assertEqual(json.loads(differs)["firstDifference"]["step"], "aesKey")

    def test_every_command_of_the_sandboxs_page(self):
        page = (ROOT / "docs/sandbox.md").read_text()
        headings = [line for line in page.splitlines() if re.match(r"#{2,4} ", line)]
        found = {heading: blocks(page, heading) for heading in headings if blocks(page, heading)}
        self.assertEqual(sum(map(len, found.values())), page.count("```sh\n"))
        said = ""
        for heading, texts in found.items():
            for text in texts:
                with self.subTest(heading):
                    said += self.run_commands(self.listening(text) if LISTENING in text else text)
        for told in ('"result-8000"', "payment.succeeded", '"encryptedPassData"', '"tn"'):
            self.assertIn(told, said)

    def test_an_endpoint_is_made_as_the_webhooks_page_says(self):
        page = (ROOT / "docs/webhooks.md").read_text()
        text = next(each for each in re.findall(r"```sh\n(.*?)```", page, re.DOTALL) if each.startswith("curl"))
        made = json.loads(self.run_commands(text))
        self.receiver.secrets = [made["secret"]]
        self.run_commands("billfold trigger payment.succeeded\nbillfold trigger payment.failed")
        wait_for("both events", lambda: len(self.receiver.taken) >= 2)
        self.assertEqual([each["type"] for each in self.receiver.taken], ["payment.succeeded", "payment.failed"])
        self.assertEqual(self.receiver.faults, [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
