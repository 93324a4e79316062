"""What the tests of the book share: the browser that is installed, driven by Playwright, and pages of the book in it."""
import re
import shutil
import urllib.parse

import pytest
from common import ROOT
from playwright.sync_api import sync_playwright

import build

BOOK = f"file://{ROOT}/build/book"


def html_of(name):
    """The file in the book of a page, or of another file."""
    return name if ".html" in name else re.sub(r"\.md$", ".html", build.staged(name))


def watched(page):
    """A list that fills with what the page complains of: its console, exceptions, what it could not load."""
    complaints = []
    page.on("console", lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("requestfailed", lambda request: complaints.append(f"could not load {request.url}") if request.failure != "net::ERR_ABORTED" else None)  # the page was left
    page.on("request", lambda request: complaints.append(f"asks the network for {request.url}")
            if not request.url.startswith(("file:", "data:", "blob:")) else None)
    return complaints


@pytest.fixture(scope="session")
def chromium():
    """Playwright's Browser; no other is downloaded. Its own sandbox needs rights that containers lack."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        pytest.exit("no chromium here; on Debian: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def opened(chromium):
    """opened(name, ...): a page of the book, or an address, in a window of its own, which must not complain of anything until the test is
    over (axe makes it complain: axe=True). loaded: a list that fills with what it loads; before: a script that runs first."""
    pages, complaints = [], []

    def open_it(name, width=1280, loaded=None, before="", axe=False, **options):
        page = chromium.new_page(viewport={"width": width, "height": 900}, **options)
        pages.append(page)
        complaints.append(watched(page) if not axe else [])
        if loaded is not None:
            page.on("request", lambda request: loaded.append(urllib.parse.unquote(urllib.parse.urlsplit(request.url).path)))
        page.add_init_script(before)
        page.goto(name if ":" in name else f"{BOOK}/{html_of(name)}")
        page.wait_for_load_state("load")
        return page

    yield open_it
    for page in pages:
        page.close()
    assert not any(complaints), complaints
