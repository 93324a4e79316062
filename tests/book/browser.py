"""What the tests of the book share: the browser that is installed, driven by Playwright, and where the book is."""
import contextlib
import os
import shutil
import sys

from playwright.sync_api import sync_playwright

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BOOK = "file://" + os.path.join(ROOT, "build", "book")


@contextlib.contextmanager
def browser():
    """Playwright's Browser; no other is downloaded. Its own sandbox needs rights that containers lack."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        sys.exit("no chromium here; on Debian: apt-get install chromium")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            yield chromium
        finally:
            chromium.close()


def watched(page):
    """A list that fills with what the page complains of: its console, exceptions, what it could not load."""
    complaints = []
    page.on("console", lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("requestfailed", lambda request: complaints.append(f"could not load {request.url}"))
    page.on("request", lambda request: complaints.append(f"asks the network for {request.url}")
            if not request.url.startswith(("file:", "data:", "blob:")) else None)
    return complaints
