"""A bank's own sender of pushes, as `docs/guides/bank.md` sets it up beside the sandbox: its commands and its program, as they stand there."""
import json
import re
import subprocess
import sys
import unittest
import urllib.request

from parties import PROGRAM, ROOT, Billfold, free_ports, get_json, provision, wait_for

HEADING = "### Pushes to a sender of your own\n"


class OwnSenderTests(unittest.TestCase):
    def test_pushes_come_to_a_sender_of_ones_own(self):
        guide = (ROOT / "docs/guides/bank.md").read_text()
        section = re.split(r"^#{2,3} ", guide[guide.index(HEADING) + len(HEADING):], maxsplit=1, flags=re.M)[0]
        prepare, serve = re.findall(r"^```bash\n(.*?)^```$", section, re.M | re.S)
        program, = re.findall(r"^```python\n(.*?)^```$", section, re.M | re.S)
        sender, *serves = serve.splitlines()
        self.assertEqual((sender, serves[0]), ("python3 sender.py &", "billfold serve --issuer .billfold/own-issuer.json &"))

        (port,) = free_ports(1)
        billfold = Billfold()
        self.addCleanup(billfold.stop)
        folder = billfold.folder / "guide"
        folder.mkdir()
        (folder / ".billfold").symlink_to(billfold.folder / "data")
        billfold.start()
        left = folder / ".billfold/issuer.json"
        wait_for("the issuer's file", left.exists)
        self.assertEqual(left.stat().st_mode & 0o077, 0)
        subprocess.run(["bash", "-euo", "pipefail", "-c", prepare.replace("3001", str(port))], cwd=folder, check=True)
        billfold.end()

        (folder / "sender.py").write_text(program.replace("3001", str(port)))
        with (folder / "said.txt").open("wb") as said, (folder / "log.txt").open("wb") as log:
            own = subprocess.Popen([sys.executable, "sender.py"], cwd=folder, stdout=said, stderr=log)
        self.addCleanup(own.wait)
        self.addCleanup(own.kill)
        billfold.command += ["--issuer", str(folder / ".billfold/own-issuer.json")]
        billfold.start()
        self.assertEqual(provision(billfold.sandbox, "visa-1"), "ready")
        wait_for("the push", lambda: "c-1 en Your card ending in" in (folder / "said.txt").read_text())
        key = (billfold.folder / "data/bank.key").read_text().strip()

        def told(card):
            request = urllib.request.Request(
                f"{billfold.public}/bank/v1/cards/{card}/messages", headers={"Authorization": f"Bearer {key}"})
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.loads(answer.read())["messages"]

        wait_for("its mark", lambda: all(each["state"] == "delivered" for each in told("visa-1")))
        self.assertEqual({(each["channel"], each["note"], "contact" in each) for each in told("visa-1")}, {("app", "pushed", False)})
        # A host that is refused has the customer told in another way, and says why.
        (folder / ".billfold/push-sender.key").write_text("another key\n")
        billfold.end()
        billfold.start()
        self.assertEqual(provision(billfold.sandbox, "mastercard-1", "tablet"), "ready")
        wait_for("another way", lambda: any(each["channel"] != "app" for each in told("mastercard-1")))
        other = next(each for each in told("mastercard-1") if each["channel"] != "app")
        self.assertEqual((other["state"], other["note"]), ("delivered", "the push sender answered 401: unauthorized; SMS"))
        self.assertRegex(other["contact"], "^•••[0-9]{2}$")
        # The log has the refused push, in the token's story.
        logs = [str(PROGRAM), "logs", "--once", "--json", "--problems", "--data", str(billfold.folder / "data")]

        def refused():
            said = subprocess.run(logs, capture_output=True, text=True, timeout=120).stdout.splitlines()
            return [each for each in map(json.loads, said) if each["title"] == "push"]

        wait_for("the refused push in the log", refused)
        self.assertEqual({(each["from"], each["to"], each["problem"]) for each in refused()}, {
            ("push-sender", "issuer", "the push sender answered 401: unauthorized")})
        self.assertTrue(all("provisioning.token" in each["correlation"] for each in refused()))
        self.assertTrue(get_json(f"{billfold.sandbox}/processor/v1/inbox?customer=c-1")["messages"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
