"""Every page of the book for those who use a keyboard, a screen reader or paper: axe-core finds nothing serious, Tab does not stop at
each line of code, what scrolls can be reached, the card fits one sheet. -k docs/card.md asks axe of that page alone."""
import os
import re

import axe_playwright_python
import pytest
from common import ROOT
from page_markdown import page_names

AXE = os.path.join(os.path.dirname(axe_playwright_python.__file__), "axe.min.js")
# Serious findings of all rules; the frame that axe would open for other origins is not needed.
SERIOUS = """() => axe.run(document, {resultTypes: ["violations"]}).then(({violations}) => violations
    .filter(({impact}) => impact === "serious" || impact === "critical")
    .map(({id, nodes}) => `${id}: ${nodes[0].html.slice(0, 120)} ${nodes[0].failureSummary}`.replace(/\\s+/g, " ")))"""
FILES = ["steps/02_sequential/v2.cu", "common", "practice/exercises", "practice/exercises/index.zh-CN.md", "tools/book/player/page.md", "tools/book/player/page.zh-CN.md"]


def serious(page):
    page.add_script_tag(path=AXE)
    return page.evaluate(SERIOUS)


@pytest.mark.parametrize("k, name", [*enumerate(page_names(ROOT) + FILES)])
def test_axe_finds_nothing_serious(opened, k, name):
    page = opened(name, axe=True, color_scheme=("light", "dark")[k % 2])  # the colours are the same on all pages
    if page.locator("[data-choose]").count():
        page.wait_for_function("document.querySelector('.player').player?.clock")
    if page.locator(".interaction button").count():
        page.locator(".interaction button").first.click()  # the figure after its answer
    assert serious(page) == []


def test_axe_on_a_phone(ok, opened):
    page = opened("index.html", 400, axe=True)
    ok.equal(serious(page), [], "nothing serious")
    for fault, wanted in (("insertAdjacentHTML('beforeend', '<input type=range>')", "label"), ("append(new Image())", "image-alt"), ("append(document.createElement('button'))", "button-name"),
                          ("insertAdjacentHTML('afterbegin', '<p style=\"color: #aaa; background: #fff\">pale words</p>')", "color-contrast")):
        page.evaluate("document.querySelector('article')." + fault)
        ok(any(one.startswith(wanted) for one in serious(page)), f"{fault} is found")


@pytest.mark.parametrize("name", ["docs/card.html", "steps/02_sequential/index.html", "steps/02_sequential/v2.cu.html"])
def test_tab_does_not_stop_at_lines_of_code(opened, name):
    page = opened(name)
    stops = lambda: page.locator("article pre :is(a[href], button, [tabindex='0']), article pre[tabindex='0']").count()  # noqa: E731
    assert stops() <= page.locator("article pre").count()
    page.evaluate("document.querySelector('article pre').insertAdjacentHTML('beforeend', '<a href=#x>x</a>'.repeat(34))")
    assert stops() > page.locator("article pre").count(), "34 stops in the code would be noticed"


def test_what_scrolls_on_a_phone(opened):
    """It can be focused and has a name."""
    page = opened("docs/ladder.html", 400)
    assert page.evaluate("""() => [...document.querySelectorAll("article *")].filter(box => box.scrollWidth > box.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(box).overflowX)
        && box.tabIndex < 0 && !box.querySelector("a[href], [tabindex='0']") && box.offsetParent).map(box => box.outerHTML.slice(0, 100))""") == []
    assert page.locator("article .book-scrolls").count() > 0 and page.locator("article .book-scrolls:not([aria-label])").count() == 0


@pytest.mark.parametrize("act", ["tap", "Enter"])
def test_pictures_on_a_phone(opened, act):
    """One opens by a touch, and by keys where it scrolls."""
    page = opened("steps/02_sequential/index.html", 400, has_touch=True)
    picture = page.locator("article p > img[src$='trace/v2.svg']")
    picture.scroll_into_view_if_needed()
    page.wait_for_timeout(200)
    if act == "tap":
        picture.tap()
    else:
        page.locator("article p.book-scrolls:has(> img[src$='trace/v2.svg'])").focus()
        page.keyboard.press("Enter")
    page.wait_for_url("**/plots/trace/v2.svg")


@pytest.mark.parametrize("name", ["docs/card.html", "docs/card.zh-CN.html"])
def test_the_card_on_paper(opened, name):
    page = opened(name)
    sheets = lambda size: len(re.findall(rb"/Type\s*/Page\b", page.pdf(format=size, margin=dict.fromkeys(("top", "bottom", "left", "right"), "1cm"))))  # noqa: E731
    assert (sheets("A4"), sheets("Letter")) == (1, 1)
    page.evaluate("document.querySelector('article').append(document.querySelector('article .highlight').cloneNode(true))")
    assert sheets("A4") == 2, "one that is too long would be noticed"


def test_a_lesson_on_paper(opened):
    """There is no frame of the player, no navigation, no button."""
    page = opened("steps/01_interleaved/index.html")
    page.emulate_media(media="print")
    assert page.evaluate("""[...document.querySelectorAll(".player:not(.with-picture), .interaction:not(.with-picture), .with-picture > :not(p:has(> img)), .book-pager, .md-header, .md-sidebar, .md-code__nav")].filter(one => one.offsetHeight > 0).map(one => one.className)""") == []
