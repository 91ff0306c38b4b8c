"""What the script that makes a release does to a clone, and what it refuses. What asks for broken interfaces builds twice and is not run."""
import pathlib
import re
import subprocess
import tempfile
import unittest

from parties import PROGRAM

ROOT = pathlib.Path(__file__).resolve().parents[2]


class ReleaseTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="billfold-release-")
        self.addCleanup(folder.cleanup)
        self.clone = pathlib.Path(folder.name) / "billfold"
        subprocess.run(["git", "clone", "--quiet", "--no-tags", str(ROOT), str(self.clone)], check=True)
        # What is tried may not be committed yet.
        for path in ["scripts/release", "Sources/billfold/Billfold.swift"]:
            (self.clone / path).write_bytes((ROOT / path).read_bytes())
        (self.clone / "scripts/release").chmod(0o755)
        # Whether something is listed as unreleased differs from day to day.
        changelog = self.clone / "CHANGELOG.md"
        changelog.write_text(changelog.read_text().replace("## Unreleased\n", "## Unreleased\n\n- Something new.\n", 1))
        self.git("config", "user.name", "Releaser")
        self.git("config", "user.email", "releaser@example.test")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", "Try a release")

    def git(self, *arguments):
        return subprocess.run(["git", *arguments], cwd=self.clone, capture_output=True, text=True, check=True).stdout

    def release(self, *arguments):
        return subprocess.run(["scripts/release", *arguments], cwd=self.clone, capture_output=True, text=True, timeout=120, check=False)

    def test_a_release_numbers_the_changelog_and_the_program_and_is_tagged(self):
        done = self.release("7.1.0")
        self.assertEqual(done.returncode, 0, done.stderr)
        changelog = (self.clone / "CHANGELOG.md").read_text()
        self.assertRegex(changelog, r"\n## Unreleased\n\n## 7\.1\.0, \d{4}-\d\d-\d\d\n\n- Something new\.\n")
        self.assertIn('static let version = "7.1.0"', (self.clone / "Sources/billfold/Billfold.swift").read_text())
        self.assertEqual(self.git("describe", "--exact-match").strip(), "7.1.0")
        self.assertEqual(self.git("status", "--porcelain"), "")
        # Nothing new has been listed since.
        again = self.release("7.2.0")
        self.assertEqual((again.returncode, "lists nothing" in again.stderr), (1, True), again.stderr)

    def test_the_program_tells_its_version(self):
        told = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, timeout=60, check=True).stdout
        said = subprocess.run([PROGRAM, "version"], capture_output=True, text=True, timeout=60, check=True).stdout
        self.assertEqual(said, told)
        # The commit is one of ours: the scripts told it to the build.
        commit = re.search(r"\(commit ([0-9a-f]{12})(\+changes)?, (debug|release) build, ", told)
        self.assertTrue(commit, told)
        subprocess.run(["git", "cat-file", "-e", commit[1] + "^{commit}"], cwd=ROOT, check=True)
        self.assertIn(f'static let version = "{told.split()[0]}"', (ROOT / "Sources/billfold/Billfold.swift").read_text())

    def test_what_is_no_version_is_wrong_usage(self):
        for arguments in [[], ["1"], ["1.2"], ["v1.2.3"], ["1.2.03"], ["1.2.3-beta"], ["1.2.3", "now"], ["1.2.3\n"]]:
            refused = self.release(*arguments)
            self.assertEqual((refused.returncode, refused.stdout), (64, ""), arguments)
            self.assertTrue(re.search(r"^usage: scripts/release VERSION", refused.stderr, re.MULTILINE), refused.stderr)

    def test_changes_that_are_not_committed_and_versions_that_are_not_new_are_refused(self):
        (self.clone / "README.md").write_text("changed")
        self.assertIn("not committed", self.release("0.1.0").stderr)
        self.git("checkout", "--quiet", "README.md")
        self.git("tag", "0.3.0")
        for version in ["0.3.0", "0.2.9", "0.0.1"]:
            refused = self.release(version)
            self.assertEqual((refused.returncode, "does not come after 0.3.0" in refused.stderr), (1, True), refused.stderr)
        self.assertEqual(self.git("tag", "--list").split(), ["0.3.0"])


if __name__ == "__main__":
    unittest.main()
