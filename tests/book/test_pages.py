"""The book in a browser, opened from disk: every page of Markdown, and some that show files, loads without a complaint, fits 400 and
1280 pixels, opens its folds, can be copied from; and says what GitHub's Markdown says. -k steps/01_interleaved: these pages alone."""
import os
import re

import pytest
from common import ROOT, read, write
from conftest import BOOK, build, html_of, watched
from markdown_it import MarkdownIt
from page_markdown import page_names

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


# The words of an element without what the book adds to it, and how many there are of some elements; a table that only numbers lines is none.
TEXT = """([html, within]) => {
    const all = new DOMParser().parseFromString(html, "text/html").querySelector(within);
    const added = ".headerlink, .linenos, .files, .player, .interaction, .book-pager, script, style, #fold-what-the-model-says, #fold-模型怎么说";
    all.querySelectorAll(added).forEach(one => one.remove());
    const counted = name => all.querySelectorAll(name + (/^t[hd]$/.test(name) ? ":not(.highlighttable *)" : "")).length;
    return [all.textContent.replace(/\\s+/g, ""), "li th td pre details strong em h1 h2 h3".split(" ").map(name => [name, counted(name)])];
}"""


@pytest.fixture(scope="module")
def difference(chromium):
    """What there is between what the Markdown means on GitHub, and a page of the book."""
    page = chromium.new_page()

    def between(markdown, html):
        html_of_github = MarkdownIt("commonmark", {"html": True}).enable("table").render(markdown)
        (a, wanted), (b, found) = (page.evaluate(TEXT, part) for part in ([html_of_github, "body"], [html, "article"]))
        k = len(os.path.commonprefix([a, b]))
        return ([f"{name}: {count} on GitHub, {here} in the book" for (name, count), (_, here) in zip(wanted, found) if count != here]
                + [f"GitHub: {a[max(0, k - 20):k + 40]}\nthe book: {b[max(0, k - 20):k + 40]}"] * (a != b))
    yield between
    page.close()


@pytest.mark.parametrize("page", page_names(ROOT))
def test_every_page_says_what_githubs_says(difference, page):
    assert difference(build.FIRST_LINE.sub("", read(page)), read(f"build/book/{html_of(page)}")) == []


@pytest.mark.parametrize("markdown, html, wanted", [
    ("a\n- b\n- c\n", "<p>a - b - c</p>", "li: 2 on GitHub, 0 in the book"), ("a *b* c\n", "<p>a <em>b</em></p>", "GitHub: abc"), ("2^28 to 2^30\n", "<p>2<sup>28 to 2</sup>30</p>", "GitHub: 2^28"),
    ("<details>\n<summary>a</summary>\n\nb\n</details>\n", "<p>a</p><p>b</p>", "details: 1 on GitHub"),
    ("a `b`\n", '<p class="files">x</p><p>a <code>b</code><a class="headerlink">¶</a></p>', None)])  # what the book adds is none
def test_planted_differences(difference, markdown, html, wanted):
    found = difference(markdown, f"<nav>x</nav><article>{html}</article>y")
    assert found == [] if wanted is None else any(wanted in difference for difference in found)


@pytest.mark.parametrize("page", page_names(ROOT) + FILES)
def test_every_page_loads_fits_opens(chromium, page):
    assert faults(chromium, f"{BOOK}/{html_of(page)}") == []


GOOD = """<!doctype html><article><p>text</p><details><summary>a</summary><p>b</p></details><div class="highlight"><button data-md-type="copy"></button></div></article>"""


@pytest.mark.parametrize("old, new, wanted", [
    ("</article>", "</article>", None), ("</article>", "</article><div style='width: 600px'>x</div>", "400: "), ("</article>", "</article><script>console.error('x')</script>", "x"),
    ("</article>", "</article><script>nobody()</script>", "nobody is not defined"), ("</article>", "</article><img src='no.svg'>", "no.svg"),
    ("</article>", "</article><script src='https://localhost:1/x.js'></script>", "asks the network"), ("<details>", "<details open>", "an open fold"), ("<p>b</p>", "", "stays shut"),
    ("<button", "<i", "code without a button")])
def test_planted_faults(chromium, tmp_path, old, new, wanted):
    write(f"{tmp_path}/page.html", GOOD.replace(old, new))
    found = faults(chromium, f"file://{tmp_path}/page.html")
    assert found == [] if wanted is None else any(wanted in fault for fault in found)


@pytest.mark.parametrize("name, width, style, wanted", [
    ("index", 1280, "", []), ("index", 400, "", []), ("README.zh-CN", 1280, "", []), ("index", 1280, ".player { height: auto !important }", ["moves"]),
    ("index", 1280, ".player { height: 700px !important }", ["high"]), ("index", 400, ".book-waits { display: block !important }", ["before"])])
def test_the_player_below_the_predictions(opened, name, width, style, wanted):
    """Of lesson 01: no answer before its question, it moves nothing when it comes, it is low enough. style: a fault."""
    page = opened(f"steps/01_interleaved/{name}.html", width)
    page.add_style_tag(content=style or "/* none */")
    text = page.locator(":is(#predict, #预测) ~ h2").first.evaluate("""next => [...next.parentElement.children].filter(one => one.offsetHeight &&
        next.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING).map(one => one.innerText).join(" ")""")
    found = ["before"] * (page.locator(".player:visible").count() > 0 or re.search(r"\b95\b", text) is not None)
    page.evaluate("document.querySelector('.book-reveal').click()")
    place = "() => document.querySelector('.player').nextElementSibling.getBoundingClientRect().top + scrollY"
    before = page.evaluate(place)
    page.locator(".player").scroll_into_view_if_needed()
    page.wait_for_function("document.querySelector('.player').player?.clock")
    found += ["moves"] * (page.evaluate(place) != before) + ["high"] * (width > 1200 and page.locator(".player").bounding_box()["height"] > 640)
    assert found == wanted


def test_code_is_copied_without_its_line_numbers(opened):
    page = opened("steps/02_sequential/index.html")
    code = page.locator("article .highlight:has(.linenos)").first
    code.hover()
    code.locator("button[data-md-type='copy']").click()
    page.evaluate("document.body.append(Object.assign(document.createElement('textarea'), { id: 'paste' }))")
    page.locator("#paste").focus()
    page.keyboard.press("Control+v")
    copied = page.locator("#paste").input_value()
    assert copied.startswith("    for (unsigned stride = blockDim.x / 2;") and "22" not in copied
