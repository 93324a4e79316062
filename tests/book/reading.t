#!/usr/bin/env python3
"""Reading the book in a browser: the search leads to the right page, in both languages, and loads nothing before it is
opened; the switch of languages stays on the place; keys turn pages; terms say what they mean; pictures are
drawn for the colours of the page. Each check of a page finds a fault planted for it."""
import json
import os
import posixpath
import re
import sys
import time
import urllib.parse

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import BOOK, ROOT, browser, watched
sys.path[:0] = [os.path.join(ROOT, "tests"), os.path.join(ROOT, "tools", "book")]
import build
import dark
import finish
from page_markdown import page_names
from tap import done, ok

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


def html_of(name):
    return re.sub(r"\.md$", ".html", build.staged(name))


def opened(chromium, name):
    """(page, what it loaded, what it complained of)"""
    page = chromium.new_page(viewport={"width": 1280, "height": 900})
    complaints, loaded = watched(page), []
    page.on("request", lambda request: loaded.append(urllib.parse.unquote(urllib.parse.urlsplit(request.url).path)))
    page.goto(f"{BOOK}/{name}")
    page.wait_for_load_state("load")
    return page, loaded, complaints


def type_query(page, words):
    page.get_by_role("combobox").fill(words)


def first_found(page):
    """The address that the first result leads to, from the book's folder."""
    link = page.locator("[role=option] a").first
    return urllib.parse.unquote(link.evaluate("link => link.href")).removeprefix(BOOK + "/") if link.count() else None


def test_search(chromium):
    for start, searches in (("steps/02_sequential/index.html", SEARCHES), ("steps/02_sequential/README.zh-CN.html", CHINESE)):
        page, loaded, complaints = opened(chromium, start)
        ok(not any("search" in name for name in loaded), f"{start}: nothing of the search is loaded before it is opened", loaded)
        page.keyboard.press("Control+k")
        page.wait_for_function("!!window.bookSearch && bookSearch('warp').length > 0")
        ok(sum(os.path.basename(name).startswith("search") for name in loaded) == 2, "then the script and one language's index are", loaded)
        for words, wanted in searches.items():
            type_query(page, words)
            found = first_found(page)
            ok(found and found.startswith(wanted), f"{words} leads to {wanted}", found)
        type_query(page, "qqqq")
        ok(first_found(page) is None and page.inner_text(".book-search [role=status]") != "", "a word that is nowhere: a line says so")
        type_query(page, "warp")
        page.keyboard.press("ArrowDown")
        chosen = page.get_by_role("combobox").get_attribute("aria-activedescendant")
        ok(page.locator("[role=option][aria-selected=true]").get_attribute("id") == chosen == "book-found-1", "the arrows choose, and say what", chosen)
        page.keyboard.press("Enter")
        page.wait_for_timeout(100)
        ok(not page.locator(".book-search").evaluate("dialog => dialog.open") and page.url.startswith(BOOK), "Enter opens it", page.url)
        ok(not complaints, f"{start}: no complaint", complaints)
        page.close()
    page, _, _ = opened(chromium, "index.html")
    page.evaluate("document.querySelector('.book-search').dataset.index = 'none.js'")
    page.keyboard.press("/")
    page.wait_for_function("document.querySelector('.book-search [role=status]').textContent.includes('make book')")
    ok(True, "without its index the search says so")
    page.close()


def test_switch(chromium):
    for start, anchor, wanted in (("steps/01_interleaved/index.html", "predict", "steps/01_interleaved/README.zh-CN.html#预测"),
                                  ("steps/01_interleaved/README.zh-CN.html", "线程束与分化", "steps/01_interleaved/index.html#warps-and-what-divergence-is"),
                                  ("index.html", "what-you-need", "README.zh-CN.html#需要什么"), ("docs/glossary.zh-CN.html", "", "docs/glossary.html"),
                                  ("docs/ladder.html", "", "README.zh-CN.html"), ("steps/02_sequential/v2.cu.html", "", "README.zh-CN.html")):
        page, _, complaints = opened(chromium, start)
        if anchor:
            page.evaluate("anchor => document.getElementById(anchor).scrollIntoView()", anchor)
        page.click(".book-switch")
        page.wait_for_load_state("load")
        found = urllib.parse.unquote(page.url).removeprefix(BOOK + "/")
        ok(found == wanted, f"{start}#{anchor}: the switch leads to {wanted}", found)
        ok(not complaints, f"{start}: no complaint", complaints)
        page.close()
    for name in page_names(ROOT):
        with open(os.path.join(ROOT, "build", "book", html_of(name)), encoding="utf-8") as file:
            text = file.read()
        chinese = name.endswith(".zh-CN.md")
        twin = build.twin(name)
        switch = re.search(r'<a class="book-switch" href="([^"]*)"', text)[1]
        there = os.path.normpath(os.path.join(os.path.dirname(html_of(name)), switch))
        right = there == (html_of(twin) if twin else "README.zh-CN.html")
        home = re.search(r'<a href="([^"]*)" title="([^"]*)" class="md-header__button md-logo"', text)
        right &= home is not None and posixpath.normpath(posixpath.join(os.path.dirname(html_of(name)), home[1])) == ("README.zh-CN.html" if chinese else "index.html") \
            and home[2] == build.NAMES["zh" if chinese else "en"] and (build.NAMES["en"] in text) != chinese
        ok(f'<html lang="{"zh" if chinese else "en"}"' in text and right, f"{name}: its language, its switch, and the book's name, which leads to the front page", switch)


def test_navigation(chromium):
    page, _, _ = opened(chromium, "index.html")
    lessons = page.locator(".md-nav--primary a.md-nav__link:visible").all_inner_texts()
    ok({"00 baselines", "15 operators"} <= set(lessons), "the front page shows all lessons", lessons)
    page.close()
    page, _, _ = opened(chromium, "steps/01_interleaved/README.zh-CN.html")
    entries = page.locator(".md-nav--primary > .md-nav__list > .md-nav__item").evaluate_all("all => all.map(one => one.querySelector('.md-nav__link').innerText.trim())")
    ok("课程" in entries and "Lessons" not in entries, "a Chinese page has the Chinese navigation", entries)
    page.close()
    page, _, _ = opened(chromium, "steps/02_sequential/index.html")
    ok([page.locator(f".book-pager a[rel={rel}]").first.get_attribute("href") for rel in ("prev", "next")]
       == ["../01_interleaved/index.html", "../03_unrolled/index.html"] and page.locator("article .book-pager").is_visible(), "above a lesson: the one before and the next")
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**/03_unrolled/index.html")
    page.keyboard.press("ArrowLeft")
    page.wait_for_url("**/02_sequential/index.html")
    page.evaluate("document.body.append(Object.assign(document.createElement('input'), {id: 'field'}))")
    page.focus("#field")
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(200)
    ok("02_sequential" in page.url, "the arrows turn pages, but not from a field", page.url)
    page.close()
    for name, rel in (("README.zh-CN.html", "prev"), (html_of("tools/book/README.md"), "next")):
        page, _, _ = opened(chromium, name)
        ok(page.locator(f".book-pager a[rel={rel}]").count() == 0, f"{name}: no page of the other language beside it")
        page.close()


# The contents at the side: {entry: the entries below it}.
CONTENTS = """() => Object.fromEntries([...document.querySelectorAll(".md-sidebar--secondary [data-md-component=toc] > li")]
    .map(entry => [entry.querySelector("a").innerText.trim(), [...entry.querySelectorAll(":scope > nav a")].map(link => link.innerText.trim())]))"""


def test_contents(chromium):
    """Headings in a fold stand below their fold, and each fold with headings is there."""
    wrong, folds = [], 0
    page = chromium.new_page(viewport={"width": 1280, "height": 900})
    for name in page_names(ROOT):
        page.goto(f"{BOOK}/{html_of(name)}")
        found = page.evaluate("""() => [...document.querySelectorAll("article details")].filter(fold => !fold.parentElement.closest("details") && fold.querySelector("h2, h3")).map(fold => {
            const entry = document.querySelector(`.md-sidebar--secondary a[href="#${CSS.escape(fold.id)}"]`)?.closest("li");
            return [fold.querySelector("summary").innerText.trim(), [...fold.querySelectorAll("h2, h3")].map(heading => heading.id), entry
                ? [...entry.querySelectorAll(":scope > nav a")].map(link => decodeURIComponent(link.hash.slice(1))) : null];
        })""")
        wrong += [f"{name}: {summary}: {wanted}, the contents {got}" for summary, wanted, got in found if wanted != got]
        folds += len(found)
    ok(folds > 30 and not wrong, f"headings in {folds} folds stand below their fold in the contents", "\n".join(wrong))
    page.goto(f"{BOOK}/steps/01_interleaved/index.html")
    contents = page.evaluate(CONTENTS)
    ok(contents["Next"] == [] and "All sizes and counters" in contents and "The picture as text" not in contents, "a lesson's last folds are there, Next has nothing below it", contents)
    page.locator(".md-sidebar--secondary a", has_text="All sizes and counters").click()
    page.wait_for_function("document.getElementById(decodeURIComponent(location.hash.slice(1))).open")
    ok(page.locator("article details[open]").count() == 1, "an entry opens its fold")
    page.goto("about:blank")
    page.goto(f"{BOOK}/steps/01_interleaved/index.html#fold-all-sizes-and-counters")
    ok(page.locator("article details[open]").count() == 1, "and so does its address")
    page.close()
    with_fold = '<ul data-md-component="toc" data-md-scrollfix><li><a href="#a" class="md-nav__link">A</a></li><li><a href="#b" class="md-nav__link">B</a></li></ul><article><h2 id="a">A</h2>{}</article>'
    flat, deep = '<h2 id="b">B</h2>', '<details><summary>F</summary><h2 id="b">B</h2></details>'
    ok(finish.with_folds_in_contents(with_fold.format(flat)) == with_fold.format(flat) and 'href="#fold-f"' in finish.with_folds_in_contents(with_fold.format(deep)), "only where there is a fold")


def test_bring(page):
    """What practice/run --json list says is solved is ticked; a file that is none is refused."""
    exercises = sorted(os.path.relpath(os.path.join(folder, file), ROOT) for folder, _, files in os.walk(os.path.join(ROOT, "practice", "exercises")) for file in files if re.match(r"\d+_.*\.cu$", file))
    solved = exercises[::3]
    listed = json.dumps({"solved": len(solved), "of": len(exercises), "status": 1, "exercises": [
        {"exercise": "0-0", "file": file, "verdict": "solved" if file in solved else "open", "criteria": []} for file in exercises]})
    for name, said, refused in (("practice/exercises/index.html", f"{len(solved)} solved in that file", "no file of"), ("practice/exercises/index.zh-CN.html", f"解出 {len(solved)} 道", "不是")):
        page.goto(f"{BOOK}/{name}")
        page.evaluate("localStorage.clear()")
        page.reload()
        field, status = page.locator(".book-bring input"), page.locator(".book-bring [role=status]")
        field.set_input_files({"name": "solved.json", "mimeType": "application/json", "buffer": b'{"exercises": 7}'})
        page.wait_for_function("document.querySelector('.book-bring [role=status]').textContent")
        ok(refused in status.inner_text() and page.locator(".book-exercises input:checked").count() == 0, f"{name}: another file is refused", status.inner_text())
        field.set_input_files({"name": "solved.json", "mimeType": "application/json", "buffer": listed.encode()})
        page.wait_for_function("document.querySelector('.book-exercises input:checked')")
        page.reload()
        ticked = page.locator(".book-exercises li:has(input:checked) a").evaluate_all("links => links.map(link => [link.closest('ul').previousElementSibling.previousElementSibling.id, link.textContent.split(/[:：]/)[0]])")
        wanted = [[file.split("/")[2].replace("_", "-"), file.split("/")[3].removesuffix(".cu")] for file in solved]
        ok(sorted(ticked) == sorted(wanted), f"{name}: {len(solved)} of {len(exercises)} are ticked, and stay", f"{ticked[:4]} {wanted[:4]}")
        field.set_input_files({"name": "solved.json", "mimeType": "application/json", "buffer": listed.encode()})
        page.wait_for_function("document.querySelector('.book-bring [role=status]').textContent")
        ok(said in status.inner_text(), f"{name}: it says so", status.inner_text())
    page.evaluate("localStorage.clear()")


def test_exercises(chromium):
    """All exercises on one page; what is ticked is kept, and counted by lesson."""
    context = chromium.new_context()
    page = context.new_page()
    for name, said in (("practice/exercises/index.html", "1 of {} solved"), ("practice/exercises/index.zh-CN.html", "已解出 1 / {}")):
        chinese = "zh" in name
        page.goto(f"{BOOK}/{name}")
        links = page.locator(".book-exercises li a").evaluate_all("links => links.map(link => link.getAttribute('href'))")
        wanted = len([file for folder, _, files in os.walk(os.path.join(ROOT, "practice", "exercises")) for file in files if re.match(r"\d+_.*\.cu$", file)])
        ok(len(links) == len(set(links)) == wanted > 80, f"{name}: all {wanted} exercises", len(links))
        line = page.locator(".book-exercises .book-progress").first
        boxes = page.locator(".book-exercises ul").first.locator("input")
        ok(boxes.nth(1).is_checked() == chinese, f"{name}: " + ("what was ticked on the English page is ticked here" if chinese else "nothing is ticked at first"))
        boxes.nth(1).check()
        ok(line.inner_text().strip() == said.format(boxes.count()), f"{name}: progress by lesson", line.inner_text())
        page.reload()
        ok(page.locator(".book-exercises input:checked").count() == 1, f"{name}: a tick is kept")
    page.locator(".book-exercises input:checked").uncheck()
    page.reload()
    ok(page.locator(".book-exercises input:checked").count() == 0, "and can be taken back")
    test_bring(page)
    page.goto(f"{BOOK}/index.html")
    ok(page.locator(".md-nav--primary a[href='./practice/exercises/index.html']").count() > 0, "the navigation leads there")
    page.locator(".md-nav--primary a[href='./practice/exercises/index.html']").first.evaluate("link => link.click()")
    page.wait_for_url("**/exercises/index.html")
    context.close()


def test_source():
    with_link, without = (build.with_source("docs/card.md", "x", address) for address in ("https://github.com/o/n", ""))
    ok("(https://github.com/o/n/blob/HEAD/docs/card.md)" in with_link and "(https://github.com/o/n/edit/HEAD/docs/card.md)" in with_link and "docs/card.md" in without and "](" not in without,
       "a page says which file it is, and links to it once the repository has an address", with_link)
    missing = [name for name in page_names(ROOT) if name not in page_text(name)]
    ok(not missing, "each page of the book names its file", missing)


def page_text(name):
    with open(os.path.join(ROOT, "build", "book", html_of(name)), encoding="utf-8") as file:
        return file.read()


def test_terms(chromium):
    page, _, _ = opened(chromium, "steps/04_shared/index.html")
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
    page.close()
    for lesson in sorted(name for name in os.listdir(os.path.join(ROOT, "steps")) if name[:2].isdigit()):
        for name in ("index.html", "README.zh-CN.html"):
            path = os.path.join(ROOT, "build", "book", "steps", lesson, name)
            if os.path.exists(path):
                with open(path, encoding="utf-8") as file:
                    ok('class="term"' in file.read(), f"{lesson}/{name} has terms")


# The pictures that one sees, also those below the window: [the file's name, its width once it is loaded].
SHOWN = """() => [...document.querySelectorAll("article img[src$='.svg']")].filter(image => image.offsetParent).map(image => {
    image.loading = "eager";
    return [image.getAttribute("src"), image.naturalWidth];
})"""


def test_pictures(chromium):
    """Each page shows the pictures of its colours, and no others: as the machine has it, and by the page's own switch; on paper those on white."""
    page, loaded, complaints = opened(chromium, "steps/01_interleaved/index.html")
    for how, dark_ones in (("light", False), ("dark", True), ("by the switch", True), ("print", False)):
        if how == "by the switch":
            page.emulate_media(color_scheme="light")
            page.evaluate("document.querySelectorAll('.md-option[name=__palette]')[2].click()")
        elif how == "print":
            page.emulate_media(media="print")
        else:
            page.emulate_media(color_scheme=how)
        end = time.monotonic() + 20  # a page loads the pictures for new colours some time after it has got them
        while True:
            shown = page.evaluate(SHOWN)
            right = bool(shown) and all(picture.endswith(".dark.svg") == dark_ones and width > 0 for picture, width in shown)
            if right or time.monotonic() > end:
                break
            time.sleep(0.05)
        ok(right, f"{how}: {len(shown)} pictures of these colours", shown)
        if how == "light":
            ok(not [path for path in loaded if path.endswith(".dark.svg")], "those of the other colours are not loaded")
    ok(not complaints, "nothing is complained of", complaints)
    page.close()
    found = [name for name in build.files() if name.endswith(".svg") and dark.darkened(build.read(os.path.join(ROOT, name))) != build.read(os.path.join(ROOT, "build/book", build.dark_picture(name)))]
    ok(not found, "each picture is there for dark pages", found)


with browser() as chromium:
    test_pictures(chromium)
    test_search(chromium)
    test_switch(chromium)
    test_navigation(chromium)
    test_contents(chromium)
    test_exercises(chromium)
    test_source()
    test_terms(chromium)
done()
