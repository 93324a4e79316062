#!/usr/bin/env python3
# tier: more
"""The book, as far as it can be tested without the packages that make it: how a page is changed for the generator, that
broken links are found, and bad input. tests/book/ makes the book, and looks at it in a browser."""
import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(ROOT, "tests"), os.path.join(ROOT, "tools", "book")]
import build
import check_book
from page_markdown import Problem, page_names, read
from tap import done, ok

PAGE = "steps/02_sequential/README.md"
SIZE = "loading=lazy width=800 height=683}"
PICTURE = f"{{.on-light {SIZE}![e f](../../plots/trace/v2.dark.svg){{.on-dark {SIZE}"  # what its picture gets


def becomes(before, after, what, wanted=(), said=()):
    """The page's text, without the list of files at its end, or what it says; and the files that it leads to."""
    led_to = []
    found = build.page_text(PAGE, before, led_to).split("\n\nThe files of steps/02_sequential: ")[0].removeprefix("---\ntwin: README.zh-CN.html\n---\n")
    ok(after in (found, None) and all(words in found for words in said), what, f"found:\n{found}\nwanted:\n{after or said}")
    for name in wanted:
        ok(name in led_to, f"{what}: {name} is wanted", led_to)


becomes("<!-- table: lesson:v1,v2 h200 -->\n| x |\n| :-- |\n<!-- end -->\n", None, "below measured times, folded: what the model says",
        said=('<details markdown="1">\n<summary>What the model says</summary>', "[model of time](../../docs/time.md)", "| v2 | ", " | launches |"))
becomes("<!-- table: lesson:cub h200 -->\n| x |\n| :-- |\n<!-- end -->\n", "\n| x |\n| :-- |\n", "and nothing of what it does not know")

# ---- a page, as a chapter of the PDF ----

import pdf

CHAPTERS = {"docs/a.html": "chapter1", "steps/b/index.html": "chapter2"}


def chapter(text):
    made = pdf.Chapter("steps/b/index.html", CHAPTERS)
    made.feed(text)
    made.close()
    return "".join(made.out)


for before, after, what in (
        ('<h2 id="why">Why</h2>', '<h2 id="chapter2--why">Why</h2>', "ids belong to their chapter"),
        ('<a href="../../docs/a.html#x">a</a> <a href="#why">b</a>', '<a href="#chapter1--x">a</a> <a href="#chapter2--why">b</a>', "links lead to chapters"),
        ('<a href="../../docs/a.html">a</a>', '<a href="#chapter1">a</a>', "to their beginnings, too"),
        ('<a href="v2.cu.html#__codelineno-0-1">a</a>', "<a>a</a>", "a link to what the PDF does not hold is text"),
        ('<a href="https://a.org/?b=1&amp;c">a &lt; b &#38; c</a>', '<a href="https://a.org/?b=1&amp;c">a &lt; b &#38; c</a>', "other links stay, and signs"),
        ('<details><summary>x</summary></details>', '<details open="open"><summary>x</summary></details>', "folds are open"),
        ('<img src="../../plots/p.svg" loading="lazy" alt="&quot;">', '<img src="plots/p.svg" alt="&quot;">', "pictures come at once"),
        ('<nav class="book-pager"><a href="#"><span>x</span></a></nav>a<iframe src="x"></iframe><div class="player"><noscript>c<br>d</noscript></div>b', "ab", "what is for a screen is gone")):
    ok(chapter(before) == after, f"PDF: {what}", f"{chapter(before)}\nwanted:\n{after}")

for words, says in ((["--x"], "usage: tools/book/pdf.py"), ([], "pdf.py: no browser that prints"), (["--check"], "pdf.py: no browser that prints")):
    result = subprocess.run([sys.executable, f"{ROOT}/tools/book/pdf.py", *words], capture_output=True, text=True, env={**os.environ, "CHROMIUM": "/no/browser"})
    ok(result.returncode in (1, 2) and result.stderr.startswith(says) and result.stderr.count("\n") == 1, f"pdf.py {words}: one line", result)

# ---- a page, as the generator wants it ----

becomes("# One `code` & more: *x*\n\n# Again\n# Again\n", "# One `code` & more: *x* {#one-code--more-x}\n\n# Again {#again}\n# Again {#again-1}\n",
        "headings have GitHub's anchors")
becomes("## Why\n", '## Why {#why data-twin="原因"}\n', "headings name that of the Chinese page")
becomes("A **wavefront**, **wavefronts**, **not a term** and `**bank**`.\n", None, "a term leads to the glossary, and says what it means", said=(
    'A <a class="term" href="../../docs/glossary.html#wavefront" data-means="wavefront 波前 – What the banks of shared memory serve at once: one word of each.',
    '<strong>wavefronts</strong></a>, **not a term** and `**bank**`.'))
becomes("[a](../01_interleaved/README.md#why), [b](../../README.md), [c](v2.cu#L22-L26), [d](../../common), ![e f](../../plots/trace/v2.svg)\n",
        "[a](../01_interleaved/index.md#why), [b](../../index.md), [c](v2.cu.md#__codelineno-0-22), [d](../../common/index.md), "
        f"![e f](../../plots/trace/v2.svg){PICTURE}\n", "links lead to the book's pages", ["steps/02_sequential/v2.cu", "common"])
becomes("[a](https://a.org) [b](#here) [c](no.md) `[d](v2.cu)`\n\n[e]: ../../docs/card.md\n",
        "[a](https://a.org) [b](#here) [c](no.md) `[d](v2.cu)`\n\n[e]: ../../docs/card.md\n", "other links, and code, stay as they are")
becomes("a\n<!-- 1 = pinned -->\n\nb <!-- c --> `<!-- d -->`\n\n- e\n<!-- f -->\n- g\n\nh\n<!-- i\nj -->\nk\n",
        "a\n\nb  `<!-- d -->`\n\n- e\n- g\n\nh\n\nk\n", "comments are gone")
becomes("[`v2.cu:22-23`](v2.cu#L22-L23)\n\n```cuda steps/02_sequential/v2.cu:22-23\nfor # it\n# that\n```\n",
        '[`v2.cu:22-23`](v2.cu.md#__codelineno-0-22){.quoted}\n\n```cuda linenums="22"\nfor # it\n# that\n```\n',
        "quoted code has its numbers, and its link belongs to it", ["steps/02_sequential/v2.cu"])
becomes("````markdown steps/19/README.md\n[a](b.md)\n````\n", "````markdown\n[a](b.md)\n````\n", "a fence for the generator has a language alone")
becomes("Look:\n- a\n  b\n- c\n\n```output\n1. x\n```\n", "Look:\n\n- a\n  b\n- c\n\n```text\n1. x\n```\n", "a list begins after an empty line")
becomes("<details>\n<summary>x</summary>\n\n`<details>`\n</details>\n".replace("`<details>`\n", ""), '<details markdown="1">\n<summary>x</summary>\n\n</details>\n',
        "what is folded is Markdown")
becomes("![e f](../../plots/trace/v2.svg)\n\n<!-- player: 02_sequential v1 v2 -->\n\nx\n",
        f"![e f](../../plots/trace/v2.svg){PICTURE}\n\n\n<div class=\"player\" data-traces=\"02_sequential\" data-variants=\"v1 v2\"><noscript>{build.NO_SCRIPT[False]}</noscript></div>\n\nx\n",
        "a marker is a player, and a picture has its size")
becomes("<!-- player: -->\n", f'\n<div class="player" data-choose><noscript>{build.NO_SCRIPT[False]}</noscript></div>\n', "one without names lets the reader choose")

becomes("<!-- interaction: sectors stride=3 offset=0 -->\n", f'\n<div class="interaction" data-kind="sectors" data-at="stride=3 offset=0"><noscript>{build.STATIC[False]}</noscript></div>\n',
        "a marker is a figure with sliders")

becomes("<!-- interaction: sectors stride=3 offset=0 -->\n![e f](../../plots/trace/v2.svg)\n\nx\n",
        f'\n<div class="interaction with-picture" data-kind="sectors" data-at="stride=3 offset=0" markdown="1">\n\n![e f](../../plots/trace/v2.svg){PICTURE}\n\n</div>\n\nx\n',
        "the picture of the next line stands there without JavaScript")

# ---- predictions that are judged ----

with open(f"{ROOT}/results/h200/runs.csv", encoding="utf-8") as runs:
    US = {row["variant"]: float(row["median_us"]) for row in csv.DictReader(runs) if (row["n"], row["cache"], row["launch"]) == (str(1 << 28), "cold", "plain")}
TIMES = f"{US['v1'] / US['v2']:.3g}"
becomes("**95**<!-- counted -->, **2 to 3**<!-- measured: h200 v1/v2 256M median_us in times -->. It was " + TIMES + ".\n",
        '**95**<span class="book-answer" data-how="counted"></span>, **2 to 3**<span class="book-answer" data-how="measured" data-is="' + TIMES + '" data-unit="times"></span>. It was ' + TIMES + '.\n',
        "a number that is foretold carries the one that it is compared with, from results/")
for said, why in (("**2**<!-- measured: h200 v1/v2 256M median_us -->. It was 9.15.", "does not stand on the page"), ("2 <!-- counted -->", "right after a prediction"), ("**few**<!-- counted -->", "is a number"),
                  ("**2**<!-- measured: h200 v1/v2 256M median_us in miles -->. It was " + TIMES + ".", "unit"), ("**2**<!-- measured: h200 v99 256M median_us -->", "v99")):
    try:
        build.page_text(PAGE, said + "\n", [])
        ok(False, f"{said}: refused")
    except Problem as problem:
        ok(why in str(problem), f"{said}: refused", problem)

for marker in ("<!-- interaction: sectors -->", "<!-- interaction: sectors stride=a -->", "<!-- interaction: stride=3 -->", "x <!-- interaction: sectors stride=3 -->"):
    try:
        build.page_text(PAGE, marker, [])
        ok(False, f"{marker}: refused")
    except Problem as problem:
        ok("steps/02_sequential/README.md: a figure that moves " in str(problem), f"{marker}: refused", problem)
for marker in ("<!-- player: 02_sequential -->", "x <!-- player: 02_sequential v1 -->"):
    try:
        build.page_text(PAGE, marker, [])
        ok(False, f"{marker}: refused")
    except Problem as problem:
        ok("steps/02_sequential/README.md: a player is a line of its own" in str(problem), f"{marker}: refused", problem)

for page in page_names(ROOT):
    found = build.page_text(page, read(os.path.join(ROOT, page)), [])
    ok("<!--" not in build.without_code(found), f"{page}: nothing is left that a reader should not see", found)

places = str(build.navigation())
lost = [page for page in page_names(ROOT) if f"'{build.staged(page)}'" not in places]
ok(not lost, "each page stands in the navigation", lost)
ladder = [place for entry in build.navigation() if "Lessons" in entry for lesson in entry["Lessons"] for place in lesson.values()]
ok(ladder == sorted(ladder) and len(ladder) > 12, "the lessons stand there in order", ladder)

chinese = build.navigation()[-1]
ok([*chinese] == ["中文"] and "'首页': 'README.zh-CN.md'" in str(chinese) and not any("zh-CN" in str(entry) for entry in build.navigation()[:-1]),
   "the Chinese pages have a navigation of their own, at the end", chinese)

# ---- the words of the player and of pictures in Chinese ----

numbers = lambda text: sorted(re.findall(r"\{\d\}", text))
wrong = [english for english, chinese in build.output.chinese_words().items() if numbers(chinese) != [f"{{{k}}}" for k in range(english.count("{}"))]]
ok(not wrong, "each Chinese text has the same gaps", wrong)
torn = [english for english, chinese in build.output.chinese_words().items() if re.search(r"[\u3000-\u9fff]", english) or not re.search(r"[\u4e00-\u9fff，：/]|\{\d\}", chinese)]
ok(not torn, "no row of tools/book/chinese.csv is torn at a comma", torn)

# ---- the search's index ----

english, chinese = build.search_index("en"), build.search_index("zh")
ok({address for address, _, _ in english + chinese} == {re.sub(r"\.md$", ".html", build.staged(page)) for page in [*build.page_names(ROOT), *build.EXERCISES, build.PLAYER_PAGE + ".md", build.PLAYER_PAGE + ".zh-CN.md"]}, "each page is in an index")
alone = {re.sub(r"\.md$", ".html", build.staged(page)) for page in (place.partition("#")[0] for place in build.search_words("en")) if not build.twin(page)}
in_english = {address: title for address, title, _ in chinese if "zh-CN" not in address}
ok(not any("zh-CN" in address for address, _, _ in english) and set(in_english) == alone and all(title.endswith("（英文）") for title in in_english.values()),
   "an index has the pages of its language, and the Chinese one leads to an English page where there is no other", (set(in_english) ^ alone, in_english))
for language, index in (("en", english), ("zh", chinese)):
    there = {address + fragment for address, _, sections in index for fragment in ("", *("#" + section[0] for section in sections))}
    lost = [place for place in build.search_words(language) if build.staged(place.split("#")[0]).replace(".md", ".html") + place[len(place.split("#")[0]):] not in there]
    ok(not lost, f"{language}: each place of tools/book/search.csv is one of the index", lost)
ok(build.plain_text("a <!-- b --> [c](d) `e`\n\n| f | g |\n|:--|--:|\n") == "a c e f g", "what is searched is what is read", build.plain_text("a [c](d)"))

# ---- the notebook's first cell ----

with open(os.path.join(ROOT, "ladder.ipynb")) as file:
    first = next("".join(cell["source"]) for cell in json.load(file)["cells"] if cell["cell_type"] == "code")


def cell_in(folder, repository="", **environment):
    """Its exit status, the last line of its complaint, and where it ended."""
    made = subprocess.run([sys.executable, "-c", first.replace('REPOSITORY = ""', f"REPOSITORY = {repository!r}", 1)], cwd=folder, capture_output=True, text=True,
                          env={**os.environ, "GIT_CEILING_DIRECTORIES": os.path.dirname(folder), **environment})
    return made.returncode, (made.stderr.splitlines() or [""])[-1], made.stdout.strip()


with tempfile.TemporaryDirectory() as folder:
    folder = os.path.realpath(folder)
    for name in ("clone", "alone", "other", "remote"):
        os.mkdir(f"{folder}/{name}")
    open(folder + "/clone/run_all.sh", "w").close()
    ok(cell_in(folder + "/clone") == (0, "", folder + "/clone"), "the notebook in a clone: it stays there")
    ok(cell_in(folder + "/alone", PATH="/nonexistent")[1].endswith("Stop: git is missing: install it, then run this cell again"), "the notebook without git: one line")
    if shutil.which("git"):
        asked = "Stop: set REPOSITORY to the address of the repository that you took this notebook from, then run this cell again"
        found = cell_in(folder + "/alone")
        ok(found[0] == 1 and found[1].endswith(asked), "the notebook alone: it asks for the address, in one line", found)
        git = ["git", "-C", folder + "/clone", "-c", "user.name=t", "-c", "user.email=t@t"]
        for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "t"]):
            subprocess.run(git + command, check=True)
        found = cell_in(folder + "/alone", folder + "/clone")
        ok(found == (0, "", folder + "/alone/ladder"), "with an address it fetches the repository", found)
        subprocess.run(["git", "init", "-q", folder + "/remote"], check=True)
        subprocess.run(["git", "-C", folder + "/remote", "remote", "add", "origin", folder + "/clone"], check=True)
        found = cell_in(folder + "/remote")
        ok(found == (0, "", folder + "/remote/ladder"), "within a repository it takes that one's remote", found)
        found = cell_in(folder + "/other", folder + "/none")
        ok(found[0] == 1 and "Stop: set REPOSITORY to another address: " in found[1], "an address that is none: one line", found)

# ---- broken links are found ----

GOOD = '<a id="here" href="#here">x</a><a href="sub/b.html#t%C3%BC">y</a><img src="p.svg"><a href="https://a.org">z</a>'
for what, change, wanted in (
        ("a good book", {}, []),
        ("a page that is not there", {"a.html": GOOD + '<a href="c.html">'}, ["a.html: c.html: there is no such file"]),
        ("a folder", {"a.html": GOOD + '<a href="sub/">'}, ["a.html: sub/: there is no such file"]),
        ("an anchor that is not there", {"a.html": GOOD + '<a href="sub/b.html#x">'}, ["a.html: sub/b.html#x: there is no such anchor"]),
        ("one of the page itself", {"a.html": GOOD + '<a href="#x">'}, ["a.html: #x: there is no such anchor"]),
        ("a picture", {"a.html": GOOD + '<img alt="a b" src="q.svg">'}, ["a.html: q.svg: there is no such file"]),
        ("a script from elsewhere", {"sub/b.html": '<h1 id="tü"></h1><script src="https://a.org/x.js">'},
         ["sub/b.html: https://a.org/x.js: is loaded from the network"]),
        ("an address of a server", {"a.html": GOOD + '<a href="/a.html">'}, ["a.html: /a.html: begins with /: the book may stand in any folder"])):
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(folder + "/sub")
        for name, text in {"a.html": GOOD, "sub/b.html": '<h1 id="tü"></h1>', "p.svg": "", **change}.items():
            with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
                file.write(text)
        found = check_book.problems(folder)
        ok(found == wanted, f"links of HTML: {what}", found)

# ---- bad input ----

for arguments, status, said in ((["--serve"], 2, "usage: build.py [--check] [--serve PORT]"), (["x"], 2, "usage: "),
                                (["--serve", "0"], 2, "book: PORT=0: a port is a number from 1 to 65535"),
                                (["--serve", "a"], 2, "book: PORT=a: "), (["--check", "--serve", "a"], 2, "book: PORT=a: "), (["--serve", "a", "--check"], 2, "usage: ")):
    result = subprocess.run([sys.executable, ROOT + "/tools/book/build.py", *arguments], capture_output=True, text=True)
    ok(result.returncode == status and result.stderr.startswith(said) and result.stderr.count("\n") == 1, f"build.py {' '.join(arguments)}", result)
result = subprocess.run([sys.executable, "-S", ROOT + "/tools/book/build.py"], capture_output=True, text=True)
ok(result.returncode == 2 and result.stderr == f"book: Python's packages for the book are missing; type: {build.INSTALL}\n",
   "without the packages: one line, with the command", result)

# What is missing is reported before anything is built.
with tempfile.TemporaryDirectory() as folder:
    without = os.path.join(folder, "python")
    with open(without, "w") as file:
        file.write(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n')
    os.chmod(without, 0o755)
    for target, python, said in (("book", without, f"book: Python's packages for the book are missing; type: {build.INSTALL}\n"),
                                 ("book-serve", without, "book: Python's packages"), ("book", folder + "/none", "setup.sh: there is no program ")):
        result = subprocess.run(["make", "-s", "-C", ROOT, "BACKEND=sim", f"BUILD={folder}/build", "PYTHON=" + python, target], capture_output=True, text=True)
        ok(result.returncode == 2 and result.stderr.startswith(said) and result.stderr.count("\n") == 2 and not os.path.exists(folder + "/build"),
           f"make {target} PYTHON={os.path.basename(python)}: one line, and make's, and nothing is built", result)
done()
