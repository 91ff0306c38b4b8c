"""What the tests in a real Chromium share: the browser, its pages, what every page has to hold, and pictures."""
import pathlib
import sys
import unittest

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 800}
CHROMIUM = "/usr/bin/chromium"


class BrowserTests(unittest.TestCase):
    # The folder for pictures; None takes none.
    pictures = None
    # How long a page may take, in milliseconds: it says what is broken, not what is slow.
    patience = 60_000

    @classmethod
    def setUpClass(cls):
        cls.playwright = sync_playwright().start()
        expect.set_options(timeout=cls.patience)
        cls.browser = cls.playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.playwright.stop()

    def setUp(self):
        self.problems = []

    def page(self, size, scheme="light"):
        context = self.browser.new_context(viewport=size, color_scheme=scheme)
        self.addCleanup(context.close)
        # Those of the context that the test opens itself as well.
        context.set_default_timeout(self.patience)
        page = context.new_page()
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("console", lambda entry: self.problems.append(entry.text) if entry.type == "error" else None)
        return page

    def picture(self, page, name, full=False):
        if self.pictures:
            page.screenshot(path=str(self.pictures / f"{name}.png"), full_page=full)

    def hold(self, page):
        """No script error, nothing wider than the screen, no accessibility violation."""
        page.wait_for_load_state()  # A text is found while the style sheets are still on their way.
        self.assertEqual(self.problems, [])
        overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        self.assertLessEqual(overflow, 0, f"{page.url} is wider than the screen")
        report = Axe().run(page)
        self.assertEqual(report.violations_count, 0, f"{page.url}: {report.generate_report()}")


def main():
    """Runs the tests of the program; `--pictures FOLDER` keeps pictures."""
    if "--pictures" in sys.argv:
        place = sys.argv.index("--pictures")
        BrowserTests.pictures = pathlib.Path(sys.argv[place + 1])
        BrowserTests.pictures.mkdir(parents=True, exist_ok=True)
        del sys.argv[place:place + 2]
    unittest.main(verbosity=2)
