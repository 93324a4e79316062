"""Reading the book in a browser: the search leads to the right page, in both languages, and loads nothing before it is opened; the
switch of languages stays on the place; keys turn pages; terms say what they mean; pictures are drawn for the colours of the page."""
import glob
import json
import os
import posixpath
import re
import time
import urllib.parse

import pytest
from common import ROOT, read
from conftest import BOOK, build, html_of
from page_markdown import page_names

import dark
import finish

# What a learner types, and the page that must come first: its address begins so.
SEARCHES = {
    "warp shuffle": "steps/05", "half": "steps/12", "install": "index.html#what-you-need", "error": "docs/questions", "bank conflict": "steps/04_shared/index.html#banks",
    "__syncthreads": "steps/01", "softmax": "steps/toolbox/softmax", "cheat sheet": "docs/card", "reduction": "steps/01", "shuf": "steps/05", "shuffel": "steps/05",
    "exercises": "practice/exercises/index.html", "pkg-config": "library/index.html", "nvcc not found": "index.html#what-you-need", "what is a warp": "steps/01",
    "wavefront": "steps/04_shared/index.html#banks", "warp divergence": "steps/01_interleaved/index.html#warps-and-what-divergence-is", "bankconflict": "steps/04_shared/index.html#banks",
    "why is atomic slow": "steps/05", "race": "steps/04", "fastest kernel": "docs/ladder.html#the-fastest"}
CHINESE = {
    "线程束": "steps/01", "规约": "steps/01", "银行冲突": "steps/04", "bank 冲突": "steps/04", "warp shuffle": "steps/05", "死锁": "steps/07", "半精度": "steps/12",
    "安装": "README.zh-CN.html#需要什么", "报错": "docs/questions.zh-CN", "数据竞争": "docs/messages.zh-CN", "误差界": "docs/accuracy.zh-CN.html#求和树",
    "没有显卡": "simulator/README.zh-CN", "怎样消除存储体冲突": "steps/04", "练习": "practice/exercises/index.zh-CN", "调试": "docs/simulator.html"}  # an English page
EXERCISES = sorted(path for path in glob.glob("practice/exercises/*/*.cu") if re.match(r"\d+_", os.path.basename(path)))
STEP02 = "steps/02_sequential/index.html"


def address(url):
    """From the book's folder."""
    return urllib.parse.unquote(url).removeprefix(BOOK + "/")


def first_found(page, words):
    """The address that the first result leads to."""
    page.get_by_role("combobox").fill(words)
    link = page.locator("[role=option] a").first
    return address(link.evaluate("link => link.href")) if link.count() else None


@pytest.mark.parametrize("start, searches", [(STEP02, SEARCHES), ("steps/02_sequential/README.zh-CN.html", CHINESE)])
def test_the_search(ok, opened, start, searches):
    loaded = []
    page = opened(start, loaded=loaded)
    ok(not any("search" in name for name in loaded), "nothing of it is loaded before it is opened", loaded)
    page.keyboard.press("Control+k")
    page.wait_for_function("!!window.bookSearch && bookSearch('warp').length > 0")
    ok(sum(os.path.basename(name).startswith("search") for name in loaded) == 2, "then the script and one language's index are", loaded)
    for words, wanted in searches.items():
        found = first_found(page, words)
        ok(found and found.startswith(wanted), f"{words} leads to {wanted}", found)
    ok(first_found(page, "qqqq") is None and page.inner_text(".book-search [role=status]") != "", "a word that is nowhere: a line says so")
    first_found(page, "warp")
    page.keyboard.press("ArrowDown")
    chosen = page.get_by_role("combobox").get_attribute("aria-activedescendant")
    ok(page.locator("[role=option][aria-selected=true]").get_attribute("id") == chosen == "book-found-1", "the arrows choose, and say what", chosen)
    page.keyboard.press("Enter")
    page.wait_for_timeout(100)
    ok(not page.locator(".book-search").evaluate("dialog => dialog.open") and page.url.startswith(BOOK), "Enter opens it", page.url)


def test_the_search_without_its_index(chromium):
    page = chromium.new_page()
    page.goto(f"{BOOK}/index.html")
    page.evaluate("document.querySelector('.book-search').dataset.index = 'none.js'")
    page.keyboard.press("/")
    page.wait_for_function("document.querySelector('.book-search [role=status]').textContent.includes('make book')")
    page.close()


@pytest.mark.parametrize("start, anchor, wanted", [
    ("steps/01_interleaved/index.html", "predict", "steps/01_interleaved/README.zh-CN.html#预测"),
    ("steps/01_interleaved/README.zh-CN.html", "线程束与分化", "steps/01_interleaved/index.html#warps-and-what-divergence-is"),
    ("index.html", "what-you-need", "README.zh-CN.html#需要什么"), ("docs/glossary.zh-CN.html", "", "docs/glossary.html"),
    ("docs/ladder.html", "", "README.zh-CN.html"), ("steps/02_sequential/v2.cu.html", "", "README.zh-CN.html")])
def test_the_switch_of_languages(opened, start, anchor, wanted):
    page = opened(start)
    if anchor:
        page.evaluate("anchor => document.getElementById(anchor).scrollIntoView()", anchor)
    page.click(".book-switch")
    page.wait_for_load_state("load")
    assert address(page.url) == wanted


def test_the_head_of_each_page(ok):
    """Its language, its switch, and the book's name, which leads to the front page; and its own file."""
    for name in page_names(ROOT):
        text, chinese, twin = read(f"build/book/{html_of(name)}"), name.endswith(".zh-CN.md"), build.twin(name)
        from_here = lambda link: posixpath.normpath(posixpath.join(posixpath.dirname(html_of(name)), link))  # noqa: E731
        switch = from_here(re.search(r'<a class="book-switch" href="([^"]*)"', text)[1])
        home = re.search(r'<a href="([^"]*)" title="([^"]*)" class="md-header__button md-logo"', text)
        ok(switch == (html_of(twin) if twin else "README.zh-CN.html") and f'<html lang="{"zh" if chinese else "en"}"' in text, f"{name}: its language and its switch", switch)
        ok(home and from_here(home[1]) == ("README.zh-CN.html" if chinese else "index.html") and home[2] == build.NAMES["zh" if chinese else "en"] and (build.NAMES["en"] in text) != chinese, f"{name}: the book's name", home)
        ok(name in text, f"{name}: its file")
    with_link, without = (build.with_source("docs/card.md", "x", repository) for repository in ("https://github.com/o/n", ""))
    ok("(https://github.com/o/n/blob/HEAD/docs/card.md)" in with_link and "(https://github.com/o/n/edit/HEAD/docs/card.md)" in with_link and "docs/card.md" in without and "](" not in without,
       "a page links to its file once the repository has an address", with_link)


def test_navigation(ok, opened):
    lessons = opened("index.html").locator(".md-nav--primary a.md-nav__link:visible").all_inner_texts()
    ok({"00 baselines", "15 operators"} <= set(lessons), "the front page shows all lessons", lessons)
    entries = opened("steps/01_interleaved/README.zh-CN.html").locator(".md-nav--primary > .md-nav__list > .md-nav__item").evaluate_all("all => all.map(one => one.querySelector('.md-nav__link').innerText.trim())")
    ok("课程" in entries and "Lessons" not in entries, "a Chinese page has the Chinese navigation", entries)
    for name, rel in (("README.zh-CN.html", "prev"), ("tools/book/README.md", "next")):
        ok(opened(name).locator(f".book-pager a[rel={rel}]").count() == 0, f"{name}: no page of the other language beside it")


def test_the_arrows_turn_pages(opened):
    """But not from a field."""
    page = opened(STEP02)
    assert [page.locator(f".book-pager a[rel={rel}]").first.get_attribute("href") for rel in ("prev", "next")] == ["../01_interleaved/index.html", "../03_unrolled/index.html"]
    assert page.locator("article .book-pager").is_visible()
    for key, there in (("ArrowRight", "03_unrolled"), ("ArrowLeft", "02_sequential")):
        page.keyboard.press(key)
        page.wait_for_url(f"**/{there}/index.html")
    page.evaluate("document.body.append(Object.assign(document.createElement('input'), {id: 'field'}))")
    page.focus("#field")
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(200)
    assert "02_sequential" in page.url


# The contents at the side: {entry: the entries below it}.
CONTENTS = """() => Object.fromEntries([...document.querySelectorAll(".md-sidebar--secondary [data-md-component=toc] > li")]
    .map(entry => [entry.querySelector("a").innerText.trim(), [...entry.querySelectorAll(":scope > nav a")].map(link => link.innerText.trim())]))"""
# Of each fold with headings: its summary, the headings, what is below it in the contents.
FOLDS = """() => [...document.querySelectorAll("article details")].filter(fold => !fold.parentElement.closest("details") && fold.querySelector("h2, h3")).map(fold => {
    const entry = document.querySelector(`.md-sidebar--secondary a[href="#${CSS.escape(fold.id)}"]`)?.closest("li");
    return [fold.querySelector("summary").innerText.trim(), [...fold.querySelectorAll("h2, h3")].map(heading => heading.id), entry
        ? [...entry.querySelectorAll(":scope > nav a")].map(link => decodeURIComponent(link.hash.slice(1))) : null];
})"""


def test_headings_in_a_fold_stand_below_it_in_the_contents(ok, opened):
    page = opened("index.html")
    folds = []
    for name in page_names(ROOT):
        page.goto(f"{BOOK}/{html_of(name)}")
        folds += [(name, *fold) for fold in page.evaluate(FOLDS)]
    ok.equal([fold for fold in folds if fold[2] != fold[3]], [], "each fold with headings is there")
    ok(len(folds) > 30, "there are many", len(folds))
    page.goto(f"{BOOK}/steps/01_interleaved/index.html")
    contents = page.evaluate(CONTENTS)
    ok(contents["Next"] == [] and "All sizes and counters" in contents and "The picture as text" not in contents, "a lesson's last folds are there, Next has nothing below it", contents)
    page.locator(".md-sidebar--secondary a", has_text="All sizes and counters").click()
    page.wait_for_function("document.getElementById(decodeURIComponent(location.hash.slice(1))).open")
    ok(page.locator("article details[open]").count() == 1, "an entry opens its fold")
    page.goto("about:blank")
    page.goto(f"{BOOK}/steps/01_interleaved/index.html#fold-all-sizes-and-counters")
    ok(page.locator("article details[open]").count() == 1, "and so does its address")
    with_fold = '<ul data-md-component="toc" data-md-scrollfix><li><a href="#a" class="md-nav__link">A</a></li><li><a href="#b" class="md-nav__link">B</a></li></ul><article><h2 id="a">A</h2>{}</article>'
    flat, deep = '<h2 id="b">B</h2>', '<details><summary>F</summary><h2 id="b">B</h2></details>'
    ok(finish.with_folds_in_contents(with_fold.format(flat)) == with_fold.format(flat) and 'href="#fold-f"' in finish.with_folds_in_contents(with_fold.format(deep)), "only where there is a fold")


def test_exercises(ok, opened):
    """All on one page; what is ticked is kept, in both languages, and counted by lesson."""
    page = opened("practice/exercises/index.html")
    for name, said in (("index.html", "1 of {} solved"), ("index.zh-CN.html", "已解出 1 / {}")):
        page.goto(f"{BOOK}/practice/exercises/{name}")
        links = page.locator(".book-exercises li a").evaluate_all("links => links.map(link => link.getAttribute('href'))")
        ok(len(links) == len(set(links)) == len(EXERCISES) > 80, f"{name}: all {len(EXERCISES)} exercises", len(links))
        boxes, line = page.locator(".book-exercises ul").first.locator("input"), page.locator(".book-exercises .book-progress").first
        ok(boxes.nth(1).is_checked() == ("zh" in name), f"{name}: what was ticked on the English page is ticked on the other")
        boxes.nth(1).check()
        ok.equal(line.inner_text().strip(), said.format(boxes.count()), f"{name}: progress by lesson")
        page.reload()
        ok(page.locator(".book-exercises input:checked").count() == 1, f"{name}: a tick is kept")
    page.locator(".book-exercises input:checked").uncheck()
    page.reload()
    ok(page.locator(".book-exercises input:checked").count() == 0, "and can be taken back")
    page.goto(f"{BOOK}/index.html")
    page.locator(".md-nav--primary a[href='./practice/exercises/index.html']").first.evaluate("link => link.click()")  # the navigation leads there
    page.wait_for_url("**/exercises/index.html")


@pytest.mark.parametrize("name, said, refused", [("index.html", "{} solved in that file", "no file of"), ("index.zh-CN.html", "解出 {} 道", "不是")])
def test_what_was_solved_elsewhere(ok, opened, name, said, refused):
    """What practice/run --json list says is solved is ticked; a file that is none is refused."""
    solved = EXERCISES[::3]
    listed = json.dumps({"solved": len(solved), "of": len(EXERCISES), "status": 1, "exercises": [
        {"exercise": "0-0", "file": file, "verdict": "solved" if file in solved else "open", "criteria": []} for file in EXERCISES]})
    page = opened(f"practice/exercises/{name}")

    def bring(text):
        page.locator(".book-bring input").set_input_files({"name": "solved.json", "mimeType": "application/json", "buffer": text.encode()})
        page.wait_for_function("document.querySelector('.book-bring [role=status]').textContent")
        return page.locator(".book-bring [role=status]").inner_text()

    ok(refused in bring('{"exercises": 7}') and page.locator(".book-exercises input:checked").count() == 0, "another file is refused")
    page.reload()
    bring(listed)
    page.wait_for_function("document.querySelector('.book-exercises input:checked')")
    page.reload()
    ticked = page.locator(".book-exercises li:has(input:checked) a").evaluate_all("links => links.map(link => [link.closest('ul').previousElementSibling.previousElementSibling.id, link.textContent.split(/[:：]/)[0]])")
    ok.equal(sorted(ticked), sorted([file.split("/")[2].replace("_", "-"), file.split("/")[3].removesuffix(".cu")] for file in solved), f"{len(solved)} are ticked, and stay")
    ok(said.format(len(solved)) in bring(listed), "it says so")


def test_terms(ok, opened):
    page = opened("steps/04_shared/index.html")
    term = page.locator("article a.term", has_text=re.compile("^wavefronts?$")).first
    ok("docs/glossary.html#wavefront" in term.evaluate("link => link.href"), "a term leads to its entry in the glossary", term.get_attribute("href"))
    term.hover()
    ok("What the banks of shared memory serve at once" in page.inner_text(".book-means"), "pointed at, it shows what it means", page.inner_text(".book-means"))
    page.mouse.move(0, 0)
    ok(not page.is_visible(".book-means"), "and no longer")
    term.focus()
    ok(page.is_visible(".book-means") and term.get_attribute("aria-describedby") == "book-means", "focused, too")
    page.keyboard.press("Escape")
    ok(not page.is_visible(".book-means"), "Escape puts it away")
    ok.equal([path for path in glob.glob("build/book/steps/[0-9]*/index.html") + glob.glob("build/book/steps/[0-9]*/README.zh-CN.html") if 'class="term"' not in read(path)], [], "each lesson has terms")


# The pictures that one sees, also those below the window: [the file's name, its width once it is loaded].
SHOWN = """() => [...document.querySelectorAll("article img[src$='.svg']")].filter(image => image.offsetParent).map(image => {
    image.loading = "eager";
    return [image.getAttribute("src"), image.naturalWidth];
})"""


@pytest.mark.parametrize("how, dark_ones", [("light", False), ("dark", True), ("by the switch", True), ("print", False)])
def test_pictures_of_its_colours(opened, how, dark_ones):
    """Each page shows these, and no others: as the machine has it, and by the page's own switch; on paper those on white."""
    loaded = []
    page = opened("steps/01_interleaved/index.html", loaded=loaded, color_scheme="dark" if how == "dark" else "light")
    if how == "by the switch":
        page.evaluate("document.querySelectorAll('.md-option[name=__palette]')[2].click()")
    elif how == "print":
        page.emulate_media(media="print")
    end, right = time.monotonic() + 20, False  # a page loads the pictures for new colours some time after it has got them
    while not right and time.monotonic() < end:
        shown = page.evaluate(SHOWN)
        right = bool(shown) and all(picture.endswith(".dark.svg") == dark_ones and width > 0 for picture, width in shown)
        time.sleep(0.05)
    assert right, shown
    assert how != "light" or not [path for path in loaded if path.endswith(".dark.svg")], "those of the other colours are not loaded"


def test_each_picture_is_there_for_dark_pages():
    assert [name for name in build.files() if name.endswith(".svg") and dark.darkened(read(name)) != read("build/book/" + build.dark_picture(name))] == []
