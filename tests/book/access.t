#!/usr/bin/env python3
"""Every page of the book for those who use a keyboard, a screen reader or paper: axe-core finds nothing serious, Tab does not
stop at each line of code, what scrolls can be reached, the card fits one sheet. Each check finds a fault planted for it.

tests/book/access.t PAGE... asks axe of these pages alone."""
import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import axe_playwright_python
from browser import BOOK, ROOT, browser
sys.path[:0] = [os.path.join(ROOT, "tests"), os.path.join(ROOT, "tools", "book")]
import build
from page_markdown import page_names
from tap import done, ok

AXE = os.path.join(os.path.dirname(axe_playwright_python.__file__), "axe.min.js")
# Serious findings of all rules; the frame that axe would open for other origins is not needed.
SERIOUS = """() => axe.run(document, {resultTypes: ["violations"]}).then(({violations}) => violations
    .filter(({impact}) => impact === "serious" || impact === "critical")
    .map(({id, nodes}) => `${id}: ${nodes[0].html.slice(0, 120)} ${nodes[0].failureSummary}`.replace(/\\s+/g, " ")))"""
FILES = ["steps/02_sequential/v2.cu", "common", "practice/exercises", "practice/exercises/index.zh-CN.md", "tools/book/player/page.md", "tools/book/player/page.zh-CN.md"]
CARDS = ("docs/card.html", "docs/card.zh-CN.html")
MARGIN = dict.fromkeys(("top", "bottom", "left", "right"), "1cm")


def html_of(name):
    return re.sub(r"\.md$", ".html", build.staged(name))


def opened(chromium, name, width=1280, scheme="light"):
    page = chromium.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.goto(f"{BOOK}/{name}")
    page.wait_for_load_state("load")
    return page


def serious(page):
    page.add_script_tag(path=AXE)
    return page.evaluate(SERIOUS)


def test_axe(chromium):
    for k, name in enumerate(sys.argv[1:] or page_names(ROOT) + FILES):
        page = opened(chromium, html_of(name), scheme=("light", "dark")[k % 2])  # the colours are the same on all pages
        if page.locator("[data-choose]").count():
            page.wait_for_function("document.querySelector('.player').player?.clock")
        if page.locator(".interaction button").count():
            page.locator(".interaction button").first.click()  # the figure after its answer
        found = serious(page)
        ok(not found, f"{name}: axe finds nothing serious", "\n".join(found))
        page.close()
    page = opened(chromium, "index.html", 400)
    ok(not serious(page), "nor on a phone", serious(page))
    for what, fault, wanted in (("a slider without a label", "article.insertAdjacentHTML('beforeend', '<input type=range>')", "label"), ("a picture without a description", "article.append(new Image())", "image-alt"),
                                ("a button without a name", "article.append(document.createElement('button'))", "button-name"),
                                ("grey on white", "article.insertAdjacentHTML('afterbegin', '<p style=\"color: #aaa; background: #fff\">pale words</p>')", "color-contrast")):
        page.evaluate("document.querySelector('article')." + fault.removeprefix("article."))
        ok(any(one.startswith(wanted) for one in serious(page)), f"{what} is found")
    page.close()


def stops(page):
    """How often Tab stops in the article, and how many of these stops are in code."""
    return page.evaluate("""() => [...document.querySelectorAll("article a[href], article button, article [tabindex='0']")].map(one => one.closest("pre") ? 1 : 0)""")


def test_keyboard(chromium):
    for name in ("docs/card.html", "steps/02_sequential/index.html", "steps/02_sequential/v2.cu.html"):
        page = opened(chromium, name)
        ok(sum(stops(page)) <= page.locator("article pre").count(), f"{name}: Tab does not stop at lines of code", sum(stops(page)))
        page.evaluate("document.querySelector('article pre').insertAdjacentHTML('beforeend', '<a href=#x>x</a>'.repeat(34))")
        ok(sum(stops(page)) > page.locator("article pre").count(), "34 stops in the code would be noticed")
        page.close()
    page = opened(chromium, "docs/ladder.html", 400)
    unreached = page.evaluate("""() => [...document.querySelectorAll("article *")].filter(box => box.scrollWidth > box.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(box).overflowX)
        && box.tabIndex < 0 && !box.querySelector("a[href], [tabindex='0']") && box.offsetParent).map(box => box.outerHTML.slice(0, 100))""")
    named = page.evaluate("() => [...document.querySelectorAll('article .book-scrolls')].every(box => box.getAttribute('aria-label'))")
    ok(not unreached and named and page.locator("article .book-scrolls").count() > 0, "on a phone, what scrolls can be focused and has a name", unreached)
    page.close()


def test_pictures(chromium):
    """On a phone a picture opens by a touch, and by keys where it scrolls."""
    page = chromium.new_page(viewport={"width": 400, "height": 900}, has_touch=True)
    for act in ("tap", "Enter"):
        page.goto(f"{BOOK}/steps/02_sequential/index.html")
        picture = page.locator("article p > img[src$='trace/v2.svg']")
        picture.scroll_into_view_if_needed()
        page.wait_for_timeout(200)
        if act == "tap":
            picture.tap()
        else:
            page.locator("article p.book-scrolls:has(> img[src$='trace/v2.svg'])").focus()
            page.keyboard.press("Enter")
        page.wait_for_url("**/plots/trace/v2.svg")
        ok(True, f"{act} opens the picture")
    page.close()


def sheets(page, size):
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(format=size, margin=MARGIN)))


def test_print(chromium):
    for name in CARDS:
        page = opened(chromium, name)
        for size in ("A4", "Letter"):
            ok(sheets(page, size) == 1, f"{name}: one sheet of {size}", sheets(page, size))
        page.evaluate("document.querySelector('article').append(document.querySelector('article .highlight').cloneNode(true))")
        ok(sheets(page, "A4") == 2, "a card that is too long would be noticed")
        page.close()
    page = opened(chromium, "steps/01_interleaved/index.html")
    page.emulate_media(media="print")
    left = page.evaluate("""[...document.querySelectorAll(".player:not(.with-picture), .interaction:not(.with-picture), .with-picture > :not(p:has(> img)), .book-pager, .md-header, .md-sidebar, .md-code__nav")].filter(one => one.offsetHeight > 0).map(one => one.className)""")
    ok(not left, "on paper there is no frame of the player, no navigation, no button", left)
    page.close()


with browser() as chromium:
    test_keyboard(chromium)
    test_print(chromium)
    test_pictures(chromium)
    test_axe(chromium)
done()
