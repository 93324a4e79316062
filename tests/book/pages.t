#!/usr/bin/env python3
"""The book in a browser, opened from disk: every page of Markdown, and some that show files, loads without a complaint,
fits 400 and 1280 pixels, opens its folds, can be copied from; and says what GitHub's Markdown says.
Each of these checks finds a fault planted for it.

ONLY=PAGE: that page alone, in the browser."""
import os
import re
import sys
import tempfile
from html.parser import HTMLParser

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import BOOK, ROOT, browser, watched
sys.path[:0] = [os.path.join(ROOT, "tests"), os.path.join(ROOT, "tools", "book")]
import build
from page_markdown import page_names, read
from markdown_it import MarkdownIt
from tap import done, ok

FILES = ["steps/02_sequential/v2.cu", "common", "results/h200/racecheck.txt", "simulator/simcc", "LICENSE"]

# What is wrong with how a page looks, in the browser: words for each fault.
LOOKS = """() => {
    const faults = [], wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    if (wide > 0) faults.push(wide + " pixels too wide");
    for (const image of document.images)
        if (image.complete && !image.naturalWidth) faults.push("no picture " + image.src);
    return faults;
}"""

# What is wrong with what a page can do: folds that are open or do not open, code without a button.
WORKS = """() => {
    document.querySelector(".book-reveal")?.click(); /* folds that wait for a prediction */
    const faults = [], folds = [...document.querySelectorAll("article details")];
    for (const fold of folds) {
        if (fold.open) faults.push("an open fold");
        const height = fold.offsetHeight;
        fold.querySelector(":scope > summary")?.click();
        if (!fold.open || fold.offsetHeight <= height) faults.push("a fold that stays shut");
    }
    for (const code of document.querySelectorAll("article .highlight"))
        if (!code.querySelector("button[data-md-type='copy']")) { faults.push("code without a button that copies it"); break; }
    return faults;
}"""


def faults(chromium, address):
    """All that is wrong with a page, in both widths."""
    page = chromium.new_page(viewport={"width": 1280, "height": 900})
    complaints = watched(page)
    page.goto(address)
    page.wait_for_load_state("load")
    page.evaluate("document.querySelectorAll('img').forEach((image) => { image.loading = 'eager' })")
    works = page.evaluate(WORKS)
    for width in (1280, 400):
        page.set_viewport_size({"width": width, "height": 900})
        complaints += [f"{width}: {fault}" for fault in page.evaluate(LOOKS)]
    page.close()
    return works + complaints


# ---- what GitHub shows, and what the book shows ----

class Text(HTMLParser):
    """The words of an article, without what the book adds to it; and how many there are of some elements."""
    COUNTED = ("li", "th", "td", "pre", "details", "strong", "em", "h1", "h2", "h3")
    ADDED = ("headerlink", "linenos", "files", "player", "interaction", "book-pager")
    FOLDS = ("fold-what-the-model-says", "fold-模型怎么说")

    def __init__(self, html, within=None):
        super().__init__()
        self.words, self.counts, self.open, self.added = [], dict.fromkeys(self.COUNTED, 0), [], 0
        self.within = within
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        if tag == self.within:
            self.within = None
        if self.within or tag in ("br", "img", "input", "hr", "link", "meta"):
            return
        classes = (dict(attributes).get("class") or "").split()
        in_table_of_code = bool(self.open) and self.open[-1][2]
        table_of_code = "highlighttable" in classes or (in_table_of_code and tag in ("tbody", "tr", "td", "th"))
        added = any(name in classes for name in self.ADDED) or tag in ("script", "style") or dict(attributes).get("id") in self.FOLDS
        self.open.append((tag, added, table_of_code))
        self.added += added
        if not self.added and not table_of_code and tag in self.counts:
            self.counts[tag] += 1

    def handle_endtag(self, tag):
        if tag == "article":
            self.within = "article"
        while self.open and not self.within:
            name, added, _ = self.open.pop()
            self.added -= added
            if name == tag:
                break

    def handle_data(self, data):
        if not self.within and not self.added:
            self.words.append(data)

    def all_words(self):
        return re.sub(r"\s+", "", "".join(self.words))


GITHUB = MarkdownIt("commonmark", {"html": True}).enable("table")


def differences(markdown, html):
    """Between what the Markdown means on GitHub, and a page of the book."""
    wanted, found = Text(GITHUB.render(markdown)), Text(html, "article")
    result = [f"{name}: {count} on GitHub, {found.counts[name]} in the book" for name, count in wanted.counts.items() if found.counts[name] != count]
    a, b = wanted.all_words(), found.all_words()
    if a != b:
        k = next((k for k, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
        result.append(f"GitHub: {a[max(0, k - 20):k + 40]}\nthe book: {b[max(0, k - 20):k + 40]}")
    return result


def html_of(name):
    return os.path.join(ROOT, "build", "book", re.sub(r"\.md$", ".html", build.staged(name)))


ONLY = os.environ.get("ONLY")
for page in [ONLY] if ONLY else page_names(ROOT):
    found = differences(build.FIRST_LINE.sub("", read(os.path.join(ROOT, page))), read(html_of(page)))
    ok(not found, f"{page}: the book says what GitHub's Markdown says", "\n".join(found))
for what, markdown, html, wanted in (
        ("a list that became a sentence", "a\n- b\n- c\n", "<p>a - b - c</p>", "li: 2 on GitHub, 0 in the book"),
        ("a word that is gone", "a *b* c\n", "<p>a <em>b</em></p>", "GitHub: abc"),
        ("figures that were raised", "2^28 to 2^30\n", "<p>2<sup>28 to 2</sup>30</p>", "GitHub: 2^28"),
        ("a fold that is lost", "<details>\n<summary>a</summary>\n\nb\n</details>\n", "<p>a</p><p>b</p>", "details: 1 on GitHub")):
    found = differences(markdown, f"<article>{html}</article>")
    ok(any(wanted in difference for difference in found), f"differences: {what}", found)
ok(not differences("a `b`\n", '<nav>x</nav><article><p class="files">x</p><p>a <code>b</code><a class="headerlink">¶</a></p></article>y'),
   "differences: what the book adds is none")

# ---- in the browser ----

GOOD = """<article><p>text</p><details><summary>a</summary><p>b</p></details><div class="highlight"><button data-md-type="copy"></button></div></article>"""


def planted(chromium, change, wanted, what):
    with tempfile.NamedTemporaryFile("w", suffix=".html") as file:
        file.write("<!doctype html>" + change(GOOD))
        file.flush()
        found = faults(chromium, "file://" + file.name)
    ok(found == [] if wanted is None else any(wanted in fault for fault in found), f"faults: {what}", found)


def player_faults(chromium, name, width, style):
    """Of the player below the predictions of lesson 01: an answer before its question, what it moves when it comes, its height."""
    page = chromium.new_page(viewport={"width": width, "height": 800})
    page.goto(f"{BOOK}/{name}")
    page.add_style_tag(content=style)
    read = page.locator(":is(#predict, #预测) ~ h2").first.evaluate("""next => [...next.parentElement.children].filter(one => one.offsetHeight &&
        next.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING).map(one => one.innerText).join(" ")""")
    found = ["before"] * (page.locator(".player:visible").count() > 0 or re.search(r"\b95\b", read) is not None)
    page.evaluate("document.querySelector('.book-reveal').click()")
    place = "() => document.querySelector('.player').nextElementSibling.getBoundingClientRect().top + scrollY"
    before = page.evaluate(place)
    page.locator(".player").scroll_into_view_if_needed()
    page.wait_for_function("document.querySelector('.player').player?.clock")
    found += ["moves"] * (page.evaluate(place) != before) + ["high"] * (width > 1200 and page.locator(".player").bounding_box()["height"] > 640)
    page.close()
    return found


with browser() as chromium:
    for name in [ONLY] if ONLY else page_names(ROOT) + FILES:
        found = faults(chromium, "file://" + html_of(name))
        ok(not found, f"{name}: loads, fits, opens and can be copied", "\n".join(found))

    planted(chromium, lambda page: page, None, "a good page")
    planted(chromium, lambda page: page + "<div style='width: 600px'>x</div>", "400: ", "too wide for a phone")
    planted(chromium, lambda page: page + "<script>console.error('x')</script>", "x", "an error on the console")
    planted(chromium, lambda page: page + "<script>nobody()</script>", "nobody is not defined", "an exception")
    planted(chromium, lambda page: page + "<img src='no.svg'>", "no.svg", "a picture that is not there")
    planted(chromium, lambda page: page + "<script src='https://localhost:1/x.js'></script>", "asks the network", "a script from elsewhere")
    planted(chromium, lambda page: page.replace("<details>", "<details open>"), "an open fold", "an open fold")
    planted(chromium, lambda page: page.replace("<p>b</p>", ""), "stays shut", "a fold with nothing in it")
    planted(chromium, lambda page: page.replace("<button", "<i"), "code without a button", "no button to copy")

    for name, width, fault, wanted in (("index", 1280, "", []), ("index", 400, "", []), ("README.zh-CN", 1280, "", []), ("index", 1280, ".player { height: auto !important }", ["moves"]),
                                       ("index", 1280, ".player { height: 700px !important }", ["high"]), ("index", 400, ".book-waits { display: block !important }", ["before"])):
        found = player_faults(chromium, f"steps/01_interleaved/{name}.html", width, fault or "/* none */")
        ok(found == wanted, f"{name}, {width} pixels: the player below the predictions: {fault or 'no answer before its question, stands still, low enough'}", found)

    page = chromium.new_page(viewport={"width": 1280, "height": 900})
    complaints = watched(page)
    page.goto(BOOK + "/steps/02_sequential/index.html")
    code = page.locator("article .highlight:has(.linenos)").first
    code.hover()
    code.locator("button[data-md-type='copy']").click()
    page.evaluate("document.body.append(Object.assign(document.createElement('textarea'), { id: 'paste' }))")
    page.locator("#paste").focus()
    page.keyboard.press("Control+v")
    copied = page.locator("#paste").input_value()
    ok(copied.startswith("    for (unsigned stride = blockDim.x / 2;") and "22" not in copied, "code is copied without its line numbers", copied)
    ok(not complaints, "nothing was complained of meanwhile", complaints)
    page.close()
done()
