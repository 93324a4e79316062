#!/usr/bin/env python3
"""build.py [--check] [--serve PORT]: the book, build/book/, made of the Markdown that GitHub shows.

The generator takes a folder of its own. So the pages are written to build/book-pages/ first, each in its place, with what
the two see differently said in the generator's way: a README.md is its folder's index.md; a heading has GitHub's
anchor; a comment is gone, or is a player or a figure that moves; quoted code has its line numbers, and a link to its file; a link to a file or a
folder leads to a page that shows it. Nothing is written by hand there. Then the generator makes HTML, and every link
and anchor of it is tried.

--serve shows the book at http://localhost:PORT, and makes it anew when a page changes. --check makes nothing: is all
there that it needs?
Exit status: 0 made; 1 a broken link, or the generator failed; 2 something is missing, or usage.
"""
import collections
import csv
import functools
import glob
import html
import importlib.util
import json
import os
import posixpath
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.parse

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tools", "pages"), os.path.join(ROOT, "tools", "draw")]
import output
import registry
import page_markdown
import results
import tables_model
from check_book import problems as link_problems
from dark import darkened
from finish import finish
from page_markdown import FENCE, LINK, Problem, blank, content, edited, heading_text, headings, run, targets, without_code, written
from quotes import numbers_in
import translation
from translation import chinese_of, english_of, is_chinese, places_of

results.use_root(ROOT)
BUILD = os.path.join(ROOT, "build")
PAGES = os.path.join(BUILD, "book-pages")
SITE = os.path.join(BUILD, "book")
INSTALL = "python3 -m venv .venv && .venv/bin/pip install -r tools/book/requirements.txt"
if importlib.util.find_spec("ensurepip") is None:  # as on Debian, where venv is a package of its own
    INSTALL = "sudo apt-get install python3-venv && " + INSTALL
AS_THEY_ARE = (".svg", ".ipynb")
NAMES = {"en": "Summing an array on a GPU", "zh": "在 GPU 上给数组求和"}  # of the book; the first is zensical.toml's, too
PLAYER_PAGE = "tools/book/player/page"  # .md and .zh-CN.md: player.html beside the front page
EXERCISES = ("practice/exercises", "practice/exercises/index.zh-CN.md")  # the pages that list all exercises, which the book makes
WITH_FILES = ("steps/", "practice/exercises/", "library/")  # a page of these folders lists the files beside it


# ---- names: those of the repository, and of the pages of exercises, which are made of their TOML ----

@functools.cache
def exercise_pages():
    sys.path.insert(0, os.path.join(ROOT, "practice", "judge"))
    import exercise_pages as pages
    return pages.all_pages()


def page_names(root):
    return sorted([*page_markdown.page_names(root), *exercise_pages()])


def read(path):
    return exercise_pages().get(os.path.relpath(path, ROOT)) or page_markdown.read(path)


translation.read = read  # for places_of()


@functools.cache
def files():
    """The names of all files of the repository."""
    listing = subprocess.run([os.path.join(ROOT, "tools", "files.sh")], capture_output=True, check=True).stdout
    return sorted([*(os.fsdecode(name) for name in listing.split(b"\0") if name), *exercise_pages()])


@functools.cache
def folders():
    return {folder for name in files() for folder in parents(name)}


def parents(name):
    while "/" in name:
        name = name.rsplit("/", 1)[0]
        yield name


def staged(name):
    """Where the page of a file or folder stands: v0.cu has v0.cu.md; pictures stay what they are."""
    if name in folders():
        return name + "/index.md"
    if name.startswith(PLAYER_PAGE):
        return "player" + name[len(PLAYER_PAGE):]
    if posixpath.basename(name) == "README.md":
        return name[:-len("README.md")] + "index.md"
    return name if name.endswith((".md", *AS_THEY_ARE)) else name + ".md"


def relative(page, name):
    """The link from a page to another file, both of them names in the repository."""
    return posixpath.relpath(staged(name), posixpath.dirname(staged(page)) or ".")


def address(page, name):
    """The same to a page, as the browser sees it."""
    return re.sub(r"\.md$", ".html", relative(page, name))


# ---- a page, as the generator wants it ----

def moved_link(page, target, wanted):
    """The same link in the book. What it leads to is wanted as a page, too."""
    url = urllib.parse.urlsplit(target)
    if url.scheme or url.netloc or not url.path:
        return target
    name = posixpath.normpath(posixpath.join(posixpath.dirname(page), urllib.parse.unquote(url.path)))
    if name not in folders() and name not in files():
        return target  # the check of the links will say so
    if is_chinese(page) and name + "/README.zh-CN.md" in exercise_pages():
        name += "/README.zh-CN.md"
    wanted.append(name)
    line = re.match(r"L(\d+)", url.fragment) if not name.endswith(".md") else None
    fragment = f"__codelineno-0-{line[1]}" if line else url.fragment
    return urllib.parse.quote(relative(page, name)) + ("#" + fragment if fragment else "")


def with_links(page, text, wanted):
    return edited(text, [(start, end, moved_link(page, text[start:end], wanted)) for start, end in targets(written(text))])


def twin(page):
    """The same page in the other language, or None."""
    if page in EXERCISES:
        return EXERCISES[page == EXERCISES[0]]
    other = english_of(page) if is_chinese(page) else chinese_of(page)
    return other if page.endswith(".md") and other in files() else None


def twins_of_anchors(page):
    """{anchor: that of the same heading in the other language}."""
    if not twin(page) or page in EXERCISES:
        return {}
    same = places_of(ROOT, page if is_chinese(page) else twin(page))[0]
    return {there: here for here, there in same.items()} if is_chinese(page) else same


def with_anchors(page, text):
    """GitHub's and the generator's anchors differ: each heading gets GitHub's, and that of the other language."""
    twins = twins_of_anchors(page)
    attributes = lambda anchor: f"#{anchor}" + (f' data-twin="{twins[anchor]}"' if anchor in twins else "")
    return edited(text, [(end, end, f" {{{attributes(anchor)}}}") for end, anchor in headings(text)])


@functools.cache
def glossary(page):
    """{term in small letters: (anchor, the term and what it means, the page that explains it)} of a glossary."""
    text = read(os.path.join(ROOT, page))
    places = {name: posixpath.normpath(posixpath.join("docs", target.partition("#")[0])) for name, target in re.findall(r"^\[(.+?)\]: (\S+)", text, re.M)}
    entries = {}
    for anchor, names, rest in re.findall(r'^- <a id="([^"]+)"></a>\*\*(.+?)\*\*(.*(?:\n  .*)*)', text, re.M):
        meaning, _, link = re.fullmatch(r"(?s)(.*?)(\s*\[([^\[\]]*)\])?\s*", rest).groups()
        meaning = re.sub(r"\s+", " ", re.sub(r"[`*]", "", meaning)).rstrip()
        entries |= {name.lower(): (anchor, names + meaning, places.get(link)) for name in re.split(r", |；", names)}
    return entries


def with_terms(page, text):
    """A word in bold leads to its entry in the glossary; book.js shows there what it means."""
    entries_in = "docs/glossary" + (".zh-CN.md" if is_chinese(page) else ".md")
    if page == entries_in or not page.endswith(".md"):
        return text
    shown, edits = written(text), []
    headed = [match.span() for pattern in (r"^#.*$", LINK.pattern, r"<summary>.*?</summary>") for match in re.finditer(pattern, shown, re.M)]
    for bold in re.finditer(r"\*\*([^*\n]+)\*\*", shown):
        name = bold[1].lower()
        found = next((glossary(entries_in)[form] for form in (name, name.removesuffix("s"), name.removesuffix("es")) if form in glossary(entries_in)), None)
        if found and not any(start <= bold.start() < end for start, end in headed):
            href = f"{address(page, entries_in)}#{found[0]}"
            means = re.sub(r"[`*_\[\]|\\{}]", lambda mark: f"&#{ord(mark[0])};", html.escape(found[1]))
            edits.append((*bold.span(), f'<a class="term" href="{href}" data-means="{means}"><strong>{bold[1]}</strong></a>'))
    return edited(text, edits)


NO_SCRIPT = {False: "The player needs JavaScript. The pictures of the lessons show the same, step by step.",
             True: "播放器需要 JavaScript。各课的图逐步画出了同样的内容。"}


def place_of_script(kind, what, words, picture):
    """Where a script puts something. The picture of the line after the marker stands there without JavaScript, and on paper."""
    if picture:
        return f'\n<div class="{kind} with-picture" {what} markdown="1">\n\n{picture}\n</div>\n'
    return f'\n<div class="{kind}" {what}><noscript>{words}</noscript></div>\n'


def player(page, words, picture):
    """A marker <!-- player: 01_interleaved v0 v1 -->: the traces of a lesson, and the variants that are shown first. Without
    them, the reader chooses the lesson. book.js fetches the player."""
    what = f'data-traces="{words[0]}" data-variants="{" ".join(words[1:])}"' if words else "data-choose"
    return place_of_script("player", what, NO_SCRIPT[is_chinese(page)], picture)


STATIC = {False: "With JavaScript there is a figure with sliders here. The text and the pictures around it show some of its positions.",
          True: "启用 JavaScript 后，这里是一幅可以拖动滑块的图。旁边的文字和图画出了其中的几种情形。"}


def interaction(page, words, picture):
    """A marker <!-- interaction: sectors stride=3 offset=0 -->: a figure that the reader moves (interaction.js), and the position
    that is asked first."""
    if not re.fullmatch(r"[a-z]+( [a-z]+=\d+)+", " ".join(words)):
        raise Problem(f"{page}: a figure that moves is asked for so: <!-- interaction: KIND NAME=NUMBER... -->")
    return place_of_script("interaction", f'data-kind="{words[0]}" data-at="{" ".join(words[1:])}"', STATIC[is_chinese(page)], picture)


UNITS = {"": "", "µs": "µs", "KB": "KB", "times": "倍", "times as fast": "倍", "times the time": "倍", "% of the roof": "%"}  # of measured answers


def answer(page, text, words):
    """After a prediction in bold, <!-- counted --> or <!-- measured: h200 v0/v1 256M median_us in UNIT -->: what a reader's number is
    compared with by book.js. Counted is the number in bold; measured is what results/ has, which stands on the page."""
    if words == ["counted"]:
        return '<span class="book-answer" data-how="counted"></span>'
    value, _, unit = " ".join(words[1:]).partition(" in ")
    if unit not in UNITS:
        raise Problem(f"{page}: the unit of a measured answer is one of {', '.join(filter(None, UNITS))}: {unit}")
    made = registry.make_value(value.split())
    if not numbers_in(re.sub(r"<!--.*?-->", blank, without_code(text), flags=re.S), made):
        raise Problem(f"{page}: {value} is {made}, which does not stand on the page")
    return f'<span class="book-answer" data-how="measured" data-is="{html.escape(made)}" data-unit="{UNITS[unit] if is_chinese(page) else unit}"></span>'


def without_comments(page, text):
    """Comments are gone, and so are the lines that they had for themselves. A marker is a player, or a figure that moves."""
    edits = []
    for comment in re.finditer(r"<!--(.*?)-->", without_code(text), re.S):
        start, end = text.rfind("\n", 0, comment.start()) + 1, text.find("\n", comment.end()) + 1 or len(text)
        words = text[comment.start(1):comment.end(1)].split()
        alone = not (text[start:comment.start()] + text[comment.end():end]).strip()
        picture = re.compile(r"!\[.*\n").match(text, end) if alone else None
        shown, after = (picture[0], picture.end()) if picture else ("", end)
        if words[:1] == ["player:"]:
            if len(words) == 2 or not alone:
                raise Problem(f"{page}: a player is a line of its own: <!-- player: TRACES VARIANT... -->")
            edits.append((start, after, player(page, words[1:], shown)))
        elif words[:1] == ["interaction:"]:
            if not alone:
                raise Problem(f"{page}: a figure that moves has a line of its own")
            edits.append((start, after, interaction(page, words[1:], shown)))
        elif words[:1] in (["counted"], ["measured:"]):
            if not re.search(r"\*\*[^*\n]*\d[^*\n]*\*\*$" if words == ["counted"] else r"\*\*$", text[:comment.start()]):
                raise Problem(f"{page}: {words[0]} what? It stands right after a prediction in bold, and what is counted is a number")
            edits.append((*comment.span(), answer(page, text, words)))
        elif alone:
            apart = re.search(r"(^|\n)\n$", text[:start]) or re.match(r"\n|$|[-*] |\d+\. ", text[end:])
            edits.append((start, end, "" if apart else "\n"))
        else:
            edits.append((*comment.span(), ""))
    return edited(text, edits)


def with_pictures(page, text):
    """A picture is loaded when it comes near, and its place is kept until then. Each is there twice, for light and for dark pages; book.css shows one, and the browser loads that alone."""
    edits = []
    for picture in re.finditer(r"!\[[^\]]*\]\(([^)\s]+\.svg)(#zh)?\)", without_code(text)):
        name = posixpath.normpath(posixpath.join(posixpath.dirname(page), picture[1]))
        size = re.search(r"<svg [^>]*?\bwidth=['\"](\d+)['\"] height=['\"](\d+)['\"]", read(os.path.join(ROOT, name))) if name in files() else None
        if size:
            ends = " .ends" * ("rotate(" in read(os.path.join(ROOT, name)))  # curves, named at their right ends: what a phone shows first
            words, target = text[picture.start():picture.start(1)], picture[1]
            edits.append((*picture.span(), "".join(f"{words}{made}{picture[2] or ''}){{.{scheme}{ends} loading=lazy width={size[1]} height={size[2]}}}"
                                                   for scheme, made in (("on-light", target), ("on-dark", dark_picture(target))))))
    return edited(text, edits)


def with_quotes(page, text):
    """```cuda steps/01_interleaved/v0.cu:20-27: its lines have their numbers, and the link above it is part of the block."""
    edits = []
    for fence in FENCE.finditer(text):
        language, _, place = fence["info"].strip().partition(" ")
        quoted = re.fullmatch(r"(\S+):(\d+)-\d+", place)
        if quoted:
            edits.append((*fence.span("info"), f'{language} linenums="{quoted[2]}"'))
            link = re.compile(r"^\[`[^`\n]+:\d+-\d+`\]\([^)\n]*\)(?=\n\n\Z)", re.M).search(text, max(0, fence.start() - 300), fence.start())
            edits += [(link.end(), link.end(), "{.quoted}")] if link else []
        elif language == "output" or place:  # the generator takes a language alone
            edits.append((*fence.span("info"), "text" if language == "output" else language))
    return edited(text, edits)


def with_lists(text):
    """GitHub lets a list follow its sentence at once; the generator wants an empty line between."""
    blanked = FENCE.sub(blank, text)
    return edited(text, [(line.end(1), line.end(1), "\n") for line in
                         re.finditer(r"^((?![-*+] |\d+\. |[|#>])\S.*\n)(?=[-*+] |1\. )", blanked, re.M)])


def with_model(page, text):
    """Below the table of a lesson's measured times, folded: what the model of time says of the same variants."""
    edits = []
    for shown in re.finditer(r"^<!-- table: lesson:(\S+) (\w+) -->\n.*?^<!-- end -->\n", text, re.M | re.S):
        made = tables_model.beside(shown[1].split(","), shown[2])
        if made:
            link = f"[{'时间模型' if is_chinese(page) else 'model of time'}]({posixpath.relpath('docs/time.md', posixpath.dirname(page))})"
            summary = "模型怎么说" if is_chinese(page) else "What the model says"
            says = f"不是实测，而是{link}的预测：范围，以及受什么限制。" if is_chinese(page) else f"Not measured: ranges that the {link} predicts, and what limits."
            made = translation.table(ROOT, page, made) if is_chinese(page) else made
            edits.append((shown.end(), shown.end(), f"\n<details>\n<summary>{summary}</summary>\n\n{says}\n\n{made}\n\n</details>\n"))
    return edited(text, edits)


def with_folds(text):
    blanked = FENCE.sub(blank, text)
    return edited(text, [(tag.start(), tag.end(), '<details markdown="1">') for tag in re.finditer(r"<details>", blanked)])


def listing(page, names, wanted):
    wanted += names
    return " · ".join(f"[{posixpath.basename(name)}]({relative(page, name)})" for name in names)


def with_files(page, text, wanted):
    """A folder's page lists what is in it, as GitHub does above the text."""
    folder = posixpath.dirname(page) + "/"
    beside = [name for name in files() if name.startswith(folder) and name.count("/") == folder.count("/") and name != page]
    if not page.startswith(WITH_FILES) or not beside:
        return text
    return f"{text}\n\nThe files of {folder[:-1]}: {listing(page, beside, wanted)}\n{{.files}}\n"


SOURCE = {False: ("Source of this page", "edit"), True: ("本页源文件", "编辑")}


@functools.cache
def repository():
    """Its address, by zensical.toml; "" as long as it has none."""
    return re.search(r'^repository = "(.*)"', read(os.path.join(ROOT, "tools", "book", "zensical.toml")), re.M)[1]


def with_source(page, text, address=None):
    """Last on a page: the file that it is made of, and, once the repository has an address, links to it and to edit it."""
    source, edit = SOURCE[is_chinese(page)]
    address = repository() if address is None else address
    link = f"[{page}]({address}/blob/HEAD/{page}) · [{edit}]({address}/edit/HEAD/{page})" if address else f"`{page}`"
    return f"{text}\n\n{source}: {link}\n{{.files}}\n"


def front_matter(page):
    """What the templates of tools/book/theme ask of a page: its language, and where it stands in the other one."""
    other = twin(page)
    lines = ["lang: zh"] * is_chinese(page) + ["hide: [toc]"] * page.startswith(PLAYER_PAGE) + ([f"twin: {address(page, other)}"] if other else [])
    return "---\n" + "\n".join(lines) + "\n---\n" if lines else ""


# The other language, and the lessons before and after: the header and the pager have them.
FIRST_LINE = re.compile(r"\A\[.*\n\n(?=# )")


def page_text(page, text, wanted):
    """A page as the generator wants it. The files and folders that it leads to are added to those wanted."""
    text = with_model(page, FIRST_LINE.sub("", text))
    text = with_terms(page, with_links(page, with_pictures(page, text), wanted))
    text = without_comments(page, with_anchors(page, text))
    text = with_quotes(page, with_folds(with_lists(text)))
    text = with_files(page, text, wanted)
    return front_matter(page) + (text if page.startswith(PLAYER_PAGE) else with_source(page, text))


def dark_picture(name):
    return name[:-len(".svg")] + ".dark.svg"


# ---- the pages that show a file or a folder ----

NOT_SEARCHED = "---\nsearch:\n  exclude: true\n---\n"


def language_of(name, text):
    from pygments.lexers import find_lexer_class_for_filename
    first = text.split("\n", 1)[0]
    if first.startswith("#!"):
        return next((language for language in ("python", "bash", "perl") if language in first), "text")
    lexer = find_lexer_class_for_filename(posixpath.basename(name), text)
    return lexer.aliases[0] if lexer and lexer.aliases else "text"


def place(name):
    """A file's folder, with a link to the page that explains it."""
    folder = posixpath.dirname(name)
    pages = [f"{above}/README.md" for above in parents(name) if f"{above}/README.md" in files()]
    return f"In {folder or 'the root'}." if not pages else f"In [{folder}]({relative(name, pages[0])})."


def file_page(name, text):
    text = text.replace("\r", "").rstrip("\n") + "\n"
    mark = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    language = language_of(name, text)
    info = language if language == "text" else f'{language} linenums="1"'
    return f"{NOT_SEARCHED}# {posixpath.basename(name)}\n\n{place(name)}\n{{.files}}\n\n{mark}{info}\n{text}{mark}\n"


def folder_page(folder, wanted):
    within = [name[len(folder) + 1:].split("/")[0] for name in files() if name.startswith(folder + "/")]
    names = [f"{folder}/{name}" for name in dict.fromkeys(within) if not name.startswith(".")]
    wanted += names
    rows = "".join(f"- [{posixpath.basename(name)}{'/' * (name in folders())}]({relative(folder, name)})\n" for name in names)
    return f"{NOT_SEARCHED}# {folder}/\n\n{rows}"


ALL_EXERCISES = {
    False: ("Exercises", "Each exercise is one file with a hole or a mistake. `make practice` shows the next one that you have not solved, and what is wrong with it "
            "still; no GPU is needed. Tick here what you have solved: this browser keeps it.\n\nWhat your files say: `make practice-list`. To tick all that they solve, type "
            "`practice/run --json list >solved.json`, and open that file here.\n{.book-bring}"),
    True: ("练习", "每道练习是一个文件，里面有一处空缺或一个错误。`make practice` 显示下一道还没有解出的练习，以及还差什么；不需要 GPU。解出的可以在这里打勾，"
           "记录保存在这个浏览器里。\n\n你的文件解到哪里，用 `make practice-list` 看。要把解出的都打上勾，请运行 `practice/run --json list >solved.json`，再在这里打开这个文件。\n{.book-bring}")}


def topics():
    """Of the toolbox, in its order."""
    return [page.split("/")[2] for page in in_order_of("steps/toolbox/README.md", [page for page in files() if re.fullmatch(r"steps/toolbox/\w+/README\.md", page)])]


def pages_of_exercises(chinese):
    """Those of the lessons, then those of the toolbox in its order."""
    name = "README.zh-CN.md" if chinese else "README.md"
    pages = sorted(page for page in files() if re.fullmatch(rf"practice/exercises/\w+/{re.escape(name)}", page))
    order, folder = topics(), lambda page: page.split("/")[2]
    return sorted(pages, key=lambda page: (order.index(folder(page).removeprefix("toolbox_")) if "toolbox_" in page else -1, page))


def exercises_page(page):
    """All exercises, by lesson. book.js adds boxes to tick, and how many of each lesson are."""
    chinese = page == EXERCISES[1]
    heading, words = ALL_EXERCISES[chinese]
    parts = [f"{front_matter(page)}# {heading}\n\n{words}\n\n<div class=\"book-exercises\" markdown=\"1\">\n"]
    for of_lesson in pages_of_exercises(chinese):
        folder = of_lesson.split("/")[2]
        lesson = "steps/" + (folder.replace("_", "/", 1) if folder.startswith("toolbox_") else folder)
        lesson = next(name for name in (f"{lesson}/README{'.zh-CN' * chinese}.md", f"{lesson}/README.md") if name in files())
        parts.append(f"## {title(lesson)} {{#{folder.replace('_', '-')}}}\n\n<p class=\"book-progress\"></p>\n")
        parts += [f"- [{words}]({relative(page, of_lesson)}#{anchor})" for _, anchor, words in headed(read(os.path.join(ROOT, of_lesson))) if re.match(r"\d+_\w+", words)]
        parts.append("")
    return "\n".join([*parts, "</div>\n"])


def all_pages():
    """{name in the repository: text} of all that the book shows: the pages, and what they lead to."""
    pages, wanted = {page: exercises_page(page) for page in EXERCISES}, [PLAYER_PAGE + ".md", PLAYER_PAGE + ".zh-CN.md"]
    for page in page_names(ROOT):
        pages[page] = page_text(page, read(os.path.join(ROOT, page)), wanted)
    while wanted:
        name = wanted.pop()
        if name in folders() and name + "/README.md" in files():
            name += "/README.md"
        if name in pages or name.endswith(AS_THEY_ARE):
            continue
        if name in folders():
            pages[name] = folder_page(name, wanted)
        else:
            text = read(os.path.join(ROOT, name))
            pages[name] = page_text(name, text, wanted) if name.endswith(".md") else file_page(name, text)
    return pages


# ---- the navigation: the ladder, and what stands beside it ----

def title(page):
    heading = re.search(r"^# +(.*)", read(os.path.join(ROOT, page)), re.M)
    return heading_text(heading[1]) if heading else page


def in_order_of(page, names):
    """The names as the rows of a page's tables begin with them, the rest after them; Chinese pages as their English ones."""
    rows = re.findall(r"^\| \[[^\]]*\]\(([^)#]+)", read(os.path.join(ROOT, page)), re.M)
    places = [posixpath.normpath(posixpath.join(posixpath.dirname(page), row)) for row in rows]
    english = lambda name: english_of(name) if is_chinese(name) else name
    return sorted(names, key=lambda name: (places.index(english(name)) if english(name) in places else len(places), name))


def navigation():
    """[{title: page or list}] for the generator."""
    left = [name for name in files() if name.endswith(".md")]

    def take(pattern, page="README.md", label=title):
        taken = in_order_of(page, [name for name in left if re.fullmatch(pattern, name)])
        left[:] = [name for name in left if name not in taken]
        return [{label(name): staged(name)} for name in taken]

    chinese = chinese_navigation(take)
    folder = lambda name: name.split("/")[-2].replace("toolbox_", "").replace("_", " ")
    return [*take("README.md", label=lambda name: "Start"),
            {"Lessons": take(r"steps/\d.*", label=folder)},
            {"Toolbox": take("steps/toolbox/README.md", label=lambda name: "overview") + take("steps/toolbox/.*", "steps/toolbox/README.md", folder)},
            {"Library": take("library/README.md", label=lambda name: "sum_f32 and the others")},
            {"Exercises": [{"all, and what you solved": staged(EXERCISES[0])}] + take(r"practice/exercises/\d.*", label=folder)
                          + [entry for topic in topics() for entry in take(f"practice/exercises/toolbox_{topic}/README.md", label=folder)]},
            {"Simulator": take("simulator/README.md|docs/simulator.md")},
            *take(PLAYER_PAGE + ".md", label=lambda name: "Player"),
            {"Reference": take("docs/README.md", label=lambda name: "the map") + take("docs/.*", "docs/README.md")},
            {"About": take(".*", "CONTRIBUTING.md")},
            {"中文": chinese}]


def chinese_navigation(take):
    """The same for the Chinese pages that are there, each in the place of its English one."""
    pages = lambda pattern, page="README.md", label=title: take(pattern + r"\.zh-CN\.md", page, label)
    start = pages("README", label=lambda name: "首页")
    player_page = pages(PLAYER_PAGE, label=lambda name: "播放器")
    sections = {"课程": pages(r"steps/\d.*"),
                "工具箱": pages("steps/toolbox/README", label=lambda name: "概览") + pages("steps/toolbox/.*", "steps/toolbox/README.md"),
                "函数库": pages("library/README", label=lambda name: "sum_f32 等函数"),
                "练习": [{"全部练习与进度": EXERCISES[1]}] + pages(r"practice/exercises/\d.*") + pages("practice/exercises/toolbox_.*"),
                "参考": pages("docs/README", label=lambda name: "全部页面") + pages(".*", "docs/README.md")}
    return start + [{name: entries} for name, entries in sections.items() if entries] + player_page


# ---- the search (search.js): an index for each language, which a page loads when the search is opened ----

def search_words(language):
    """{page, or page#anchor: [a learner's words for it]} of tools/book/search.csv."""
    words = collections.defaultdict(list)
    with open(os.path.join(ROOT, "tools", "book", "search.csv"), encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            page, _, anchor = row["place"].partition("#")
            if language == "zh" and twin(page):
                anchor = twins_of_anchors(page).get(anchor, "")
                page = twin(page)
            words[page + ("#" + anchor if anchor else "")] += row["words"].split("; ")
    return words


def terms_of(language):
    """{page: [the terms that it explains, in both languages]}, as the glossary says."""
    terms = collections.defaultdict(list)
    for name, (anchor, meaning, page) in glossary("docs/glossary" + (".zh-CN.md" if language == "zh" else ".md")).items():
        terms[page] += [name, anchor.replace("-", " "), *re.findall(r"^[^–]*?([\u4e00-\u9fff]+)[^–]* – ", meaning)]
    return terms


def plain_text(text):
    """Markdown as it is read: without comments, targets of links, marks."""
    text = re.sub(r"<!--.*?-->|<[^>\n]+>|^```.*$|^\|[ :|-]+\|$", " ", text, flags=re.M | re.S)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"\s+", " ", re.sub(r"[`*|]|^#+ ", " ", text, flags=re.M)).strip()


def headed(text):
    """[(where its line ends, anchor, as it is read)] of each heading."""
    return [(end, anchor, heading_text(text[text.rfind("\n", 0, end) + 1:end].lstrip("# "))) for end, anchor in headings(text)]


def told_where(asked, sections):
    """The section of a page in which a word of the whole page is explained: the first that has it in bold, or in its heading; the
    page's beginning, if none does."""
    plain = lambda text: re.sub(r"\W+", " ", text.lower()).strip().removesuffix("s")
    word = plain(asked)
    for k, (_, heading, _, bold, _) in enumerate(sections):
        if k > 0 and (any(word == plain(term) or word.endswith(" " + plain(term)) for term in bold if plain(term)) or f" {word} " in f" {plain(heading)} "):
            return k
    return 0


def search_index(language):
    """[address, title, sections: anchor, heading, a learner's words, terms that are explained there, text] of each page. Where
    there is no Chinese page, readers of Chinese are led to the English one by what search.csv has of it."""
    words, terms, index = search_words(language), terms_of(language), []
    for page in [*page_names(ROOT), PLAYER_PAGE + ".md", PLAYER_PAGE + ".zh-CN.md"]:
        text = read(os.path.join(ROOT, page))
        marks, url = headed(text), re.sub(r"\.md$", ".html", staged(page))
        if is_chinese(page) != (language == "zh"):
            sections = [[anchor, heading, words[f"{page}#{anchor}"], [], ""] for _, anchor, heading in marks]
            sections[0][2:4] = [words[page], terms[page]]
            named = [section for k, section in enumerate(sections) if k == 0 or section[2]]
            if language == "zh" and not twin(page) and any(section[2] for section in named):
                index.append([url, title(page) + "（英文）", named])
            continue
        ends = [text.rfind("\n", 0, mark[0]) + 1 for mark in marks[1:]] + [len(text)]
        sections = [[anchor, heading, words[f"{page}#{anchor}"], re.findall(r"\*\*([^*\n]+)\*\*", text[begin:end]), plain_text(text[begin:end])]
                    for (begin, anchor, heading), end in zip(marks, ends)]
        at = {word: told_where(word, sections) for word in [*words[page], *terms[page]]}
        for k, section in enumerate(sections):
            section[2] = section[2] + [word for word in words[page] if at[word] == k]
            section[3] = [term for term in terms[page] if at[term] == k] + (section[3] if k > 0 else [])
        if page.startswith("docs/glossary"):  # each entry is found
            sections = sections[:1] + [[anchor, name, [], [], meaning] for name, (anchor, meaning, _) in glossary(page).items()]
        index.append([url, title(page), sections])
    page = EXERCISES[language == "zh"]
    heading, text = ALL_EXERCISES[language == "zh"]
    index.append([re.sub(r"\.md$", ".html", staged(page)), heading, [["", heading, words[page], [], plain_text(text)]]])
    return index


def write_search():
    for language in ("en", "zh"):
        with open(os.path.join(PAGES, f"search.{language}.js"), "w", encoding="utf-8") as file:
            file.write(f"bookIndex({json.dumps(search_index(language), ensure_ascii=False, separators=(',', ':'))});\n")


# ---- making it ----

def write_page(name, text):
    """One that did not change stays: what watches the folder makes it not anew."""
    path = os.path.join(PAGES, name)
    if not os.path.exists(path) or read(path) != text:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def write_pages(pages):
    for name, text in pages.items():
        write_page(staged(name), text)


def copy_rest():
    for name in files():
        if name.endswith(AS_THEY_ARE):
            os.makedirs(os.path.dirname(os.path.join(PAGES, name)), exist_ok=True)
            with open(os.path.join(PAGES, name), "wb") as file:
                file.write(content(os.path.join(ROOT, name)))
        if name.endswith(".svg"):
            write_page(dark_picture(name), darkened(read(os.path.join(ROOT, name))))
    for name in ("book.css", "book.js", "search.js", "interaction.js"):
        write_page(name, re.sub(r"^ +", "", read(os.path.join(ROOT, "tools", "book", name)), flags=re.M))  # lighter; no text there goes on in a second line
    if os.path.isdir(os.path.join(BUILD, "player")):
        shutil.copytree(os.path.join(BUILD, "player"), os.path.join(PAGES, "player"), dirs_exist_ok=True)
        with open(os.path.join(PAGES, "player", "words.zh.js"), "w", encoding="utf-8") as file:
            file.write(f"playerWords = {json.dumps(output.chinese_words(), ensure_ascii=False)};\n")


def write_settings(served):
    """The generator's file: tools/book/zensical.toml with the navigation. JSON's lists and strings are TOML's, and its objects with = for :.
    A book that is served stays out of build/book."""
    toml = lambda value: json.dumps(value, ensure_ascii=False, separators=(", ", " = "))
    settings = read(os.path.join(ROOT, "tools", "book", "zensical.toml"))
    own = f"nav = {toml(navigation())}\n"
    if os.environ.get("BOOK_URL"):
        own += f"site_url = {toml(os.environ['BOOK_URL'])}\n"
    if served:
        settings = settings.replace('site_dir = "book"', 'site_dir = "book-served"')
    with open(os.path.join(BUILD, "zensical.toml"), "w", encoding="utf-8") as file:
        file.write(settings.replace("[project]\n", "[project]\n" + own, 1))


def generate(*arguments):
    return [sys.executable, "-m", "zensical", *arguments, "-f", os.path.join(BUILD, "zensical.toml")]


def stage(served=False):
    """All that the generator takes."""
    shutil.rmtree(PAGES, ignore_errors=True)
    write_pages(all_pages())
    copy_rest()
    write_search()
    write_settings(served)


def make():
    stage()
    shutil.rmtree(SITE, ignore_errors=True)
    made = subprocess.run(generate("build", "--strict", "--clean"), capture_output=True, text=True, env={**os.environ, "NO_COLOR": "1"})
    finish(SITE, NAMES)
    problems = link_problems(SITE) if os.path.isdir(SITE) else []
    if problems:
        print(*problems, sep="\n", file=sys.stderr)
        raise Problem(f"{len(problems)} broken links" if len(problems) > 1 else "a broken link")
    if made.returncode != 0:
        raise Problem(f"the generator failed:\n{made.stdout}{made.stderr}")


def free(port):
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("localhost", port))
        except OSError:
            return False
    return True


def newest():
    changed = max(os.stat(os.path.join(ROOT, name)).st_mtime_ns for name in page_markdown.page_names(ROOT))
    return max(changed, *(os.stat(path).st_mtime_ns for path in glob.glob(os.path.join(ROOT, "practice", "*", "*", "*.*"))))


def serve(port):
    """Until it is interrupted. The generator watches the folder of pages, we those that were written by hand."""
    stage(served=True)
    seen = newest()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    server = subprocess.Popen(generate("serve", "-a", f"localhost:{port}"))
    try:
        while server.poll() is None:
            time.sleep(1)
            if newest() != seen:
                seen = newest()
                write_pages(all_pages())
    except KeyboardInterrupt:
        pass
    finally:
        server.terminate()
        server.wait()


def main(arguments):
    rest = arguments[1:] if arguments[:1] == ["--check"] else arguments
    port = rest[1] if rest[:1] == ["--serve"] and len(rest) == 2 else None
    if rest and port is None:
        print("usage: build.py [--check] [--serve PORT]", file=sys.stderr)
        return 2
    if port is not None and not (port.isdecimal() and 0 < int(port) < 65536):
        print(f"book: PORT={port}: a port is a number from 1 to 65535", file=sys.stderr)
        return 2
    if importlib.util.find_spec("zensical") is None:
        print(f"book: Python's packages for the book are missing; type: {INSTALL}", file=sys.stderr)
        return 2
    if port is not None and not free(int(port)):
        print(f"book: port {port} is in use: make book-serve PORT={int(port) + 1 if int(port) < 65535 else 8000}", file=sys.stderr)
        return 1
    if rest != arguments:
        return 0
    if port is not None:
        serve(int(port))
        return 0
    make()
    print(f"build/book/index.html: {len(page_names(ROOT))} pages, and the files that they name")
    return 0


if __name__ == "__main__":
    run(main)
