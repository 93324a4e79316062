"""The book, as far as it can be tested without the packages that make it: how a page is changed for the generator, that broken links
are found, and bad input. tests/book/ makes the book, and looks at it in a browser."""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

import pytest
from common import ROOT, ran, rows, script, write

import build
import check_book
import pdf
from page_markdown import Problem, page_names, read

pytestmark = pytest.mark.more
PAGE = "steps/02_sequential/README.md"
SIZE = "loading=lazy width=800 height=683}"
PICTURE = "![e f](../../plots/trace/v2.svg)"
DRAWN = f"{PICTURE}{{.on-light {SIZE}![e f](../../plots/trace/v2.dark.svg){{.on-dark {SIZE}"  # what it becomes
US = {row["variant"]: float(row["median_us"]) for row in rows("results/h200/runs.csv") if (row["n"], row["launch"]) == (str(1 << 28), "plain")}
TIMES = f"{US['v1'] / US['v2']:.3g}"
NO_SCRIPT = f"<noscript>{build.NO_SCRIPT[False]}</noscript></div>\n"
SECTORS = 'data-kind="sectors" data-at="stride=3 offset=0"'
# (the page's text, what it becomes, the files that it leads to): without the list of files at its end
BECOMES = {
    "headings have GitHub's anchors": ("# One `code` & more: *x*\n\n# Again\n# Again\n", "# One `code` & more: *x* {#one-code--more-x}\n\n# Again {#again}\n# Again {#again-1}\n"),
    "headings name that of the Chinese page": ("## Why\n", '## Why {#why data-twin="原因"}\n'),
    "links lead to the book's pages": (
        f"[a](../01_interleaved/README.md#why), [b](../../README.md), [c](v2.cu#L22-L26), [d](../../common), {PICTURE}\n",
        f"[a](../01_interleaved/index.md#why), [b](../../index.md), [c](v2.cu.md#__codelineno-0-22), [d](../../common/index.md), {DRAWN}\n", "steps/02_sequential/v2.cu", "common"),
    "other links, and code, stay as they are": ("[a](https://a.org) [b](#here) [c](no.md) `[d](v2.cu)`\n\n[e]: ../../docs/card.md\n",) * 2,
    "comments are gone": ("a\n<!-- 1 = pinned -->\n\nb <!-- c --> `<!-- d -->`\n\n- e\n<!-- f -->\n- g\n\nh\n<!-- i\nj -->\nk\n", "a\n\nb  `<!-- d -->`\n\n- e\n- g\n\nh\n\nk\n"),
    "quoted code has its numbers, and its link belongs to it": (
        "[`v2.cu:22-23`](v2.cu#L22-L23)\n\n```cuda steps/02_sequential/v2.cu:22-23\nfor # it\n# that\n```\n",
        '[`v2.cu:22-23`](v2.cu.md#__codelineno-0-22){.quoted}\n\n```cuda linenums="22"\nfor # it\n# that\n```\n', "steps/02_sequential/v2.cu"),
    "a fence for the generator has a language alone": ("````markdown steps/19/README.md\n[a](b.md)\n````\n", "````markdown\n[a](b.md)\n````\n"),
    "a list begins after an empty line": ("Look:\n- a\n  b\n- c\n\n```output\n1. x\n```\n", "Look:\n\n- a\n  b\n- c\n\n```text\n1. x\n```\n"),
    "what is folded is Markdown": ("<details>\n<summary>x</summary>\n\n</details>\n", '<details markdown="1">\n<summary>x</summary>\n\n</details>\n'),
    "a marker is a player, and a picture has its size": (
        f"{PICTURE}\n\n<!-- player: 02_sequential v1 v2 -->\n\nx\n", f'{DRAWN}\n\n\n<div class="player" data-traces="02_sequential" data-variants="v1 v2">{NO_SCRIPT}\nx\n'),
    "one without names lets the reader choose": ("<!-- player: -->\n", f'\n<div class="player" data-choose>{NO_SCRIPT}'),
    "a marker is a figure with sliders": (
        "<!-- interaction: sectors stride=3 offset=0 -->\n", f'\n<div class="interaction" {SECTORS}><noscript>{build.STATIC[False]}</noscript></div>\n'),
    "the picture of the next line stands there without JavaScript": (
        f"<!-- interaction: sectors stride=3 offset=0 -->\n{PICTURE}\n\nx\n", f'\n<div class="interaction with-picture" {SECTORS} markdown="1">\n\n{DRAWN}\n\n</div>\n\nx\n'),
    "a number that is foretold carries the one that it is compared with, from results/": (
        f"**95**<!-- counted -->, **2 to 3**<!-- measured: h200 v1/v2 256M median_us in times -->. It was {TIMES}.\n",
        f'**95**<span class="book-answer" data-how="counted"></span>, **2 to 3**<span class="book-answer" data-how="measured" data-is="{TIMES}" data-unit="times"></span>. It was {TIMES}.\n'),
    "below measured times nothing of what the model does not know": ("<!-- table: lesson:cub h200 -->\n| x |\n| :-- |\n<!-- end -->\n", "\n| x |\n| :-- |\n")}
SAYS = {
    "a term leads to the glossary, and says what it means": ("A **wavefront**, **wavefronts**, **not a term** and `**bank**`.\n", (
        'A <a class="term" href="../../docs/glossary.html#wavefront" data-means="wavefront 波前 – What the banks of shared memory serve at once: one word of each.',
        '<strong>wavefronts</strong></a>, **not a term** and `**bank**`.')),
    "below measured times, folded: what the model says": ("<!-- table: lesson:v1,v2 h200 -->\n| x |\n| :-- |\n<!-- end -->\n", (
        '<details markdown="1">\n<summary>What the model says</summary>', "[model of time](../../docs/time.md)", "| v2 | ", " | launches |"))}
REFUSED = {"**2**<!-- measured: h200 v1/v2 256M median_us in times -->. It was 9.15.\n": "does not stand on the page", "2 <!-- counted -->\n": "right after a prediction", "**few**<!-- counted -->\n": "is a number",
           f"**2**<!-- measured: h200 v1/v2 256M median_us in miles -->. It was {TIMES}.\n": "unit", "**2**<!-- measured: h200 v99 256M median_us -->\n": "v99",
           **dict.fromkeys((f"<!-- interaction: {what} -->" for what in ("sectors", "sectors stride=a", "stride=3")), f"{PAGE}: a figure that moves "),
           "x <!-- interaction: sectors stride=3 -->": f"{PAGE}: a figure that moves ",
           **dict.fromkeys(("<!-- player: 02_sequential -->", "x <!-- player: 02_sequential v1 -->"), f"{PAGE}: a player is a line of its own")}


def page_text(text):
    led_to = []
    return build.page_text(PAGE, text, led_to).split("\n\nThe files of steps/02_sequential: ")[0].removeprefix("---\ntwin: README.zh-CN.html\n---\n"), led_to


@pytest.mark.parametrize("what", BECOMES)
def test_a_page_for_the_generator(what):
    before, after, *files = BECOMES[what]
    found, led_to = page_text(before)
    assert found == after and {*files} <= {*led_to}


@pytest.mark.parametrize("what", SAYS)
def test_what_a_page_says(what):
    found, _ = page_text(SAYS[what][0])
    assert [words for words in SAYS[what][1] if words not in found] == []


@pytest.mark.parametrize("text", REFUSED)
def test_markers_that_are_refused(text):
    with pytest.raises(Problem, match=re.escape(REFUSED[text])):
        build.page_text(PAGE, text, [])


@pytest.mark.parametrize("before, after", [
    ('<h2 id="why">Why</h2>', '<h2 id="chapter2--why">Why</h2>'),
    ('<a href="../../docs/a.html#x">a</a> <a href="#why">b</a>', '<a href="#chapter1--x">a</a> <a href="#chapter2--why">b</a>'),
    ('<a href="../../docs/a.html">a</a>', '<a href="#chapter1">a</a>'),
    ('<a href="v2.cu.html#__codelineno-0-1">a</a>', "<a>a</a>"),  # the PDF does not hold it
    ('<a href="https://a.org/?b=1&amp;c">a &lt; b &#38; c</a>', '<a href="https://a.org/?b=1&amp;c">a &lt; b &#38; c</a>'),
    ('<details><summary>x</summary></details>', '<details open="open"><summary>x</summary></details>'),
    ('<img src="../../plots/p.svg" loading="lazy" alt="&quot;">', '<img src="plots/p.svg" alt="&quot;">'),
    ('<nav class="book-pager"><a href="#"><span>x</span></a></nav>a<iframe src="x"></iframe><div class="player"><noscript>c<br>d</noscript></div>b', "ab")])
def test_a_chapter_of_the_pdf(before, after):
    made = pdf.Chapter("steps/b/index.html", {"docs/a.html": "chapter1", "steps/b/index.html": "chapter2"})
    made.feed(before)
    made.close()
    assert "".join(made.out) == after


def test_all_pages(ok):
    ok.equal([page for page in page_names(ROOT) if "<!--" in build.without_code(build.page_text(page, read(page), []))], [], "nothing is left that a reader should not see")
    *english, chinese = build.navigation()
    ok.equal([page for page in page_names(ROOT) if f"'{build.staged(page)}'" not in str([*english, chinese])], [], "each page stands in the navigation")
    ladder = [place for entry in english if "Lessons" in entry for lesson in entry["Lessons"] for place in lesson.values()]
    ok(ladder == sorted(ladder) and len(ladder) > 12, "the lessons stand there in order", ladder)
    ok([*chinese] == ["中文"] and "'首页': 'README.zh-CN.md'" in str(chinese) and "zh-CN" not in str(english), "the Chinese pages have a navigation of their own, at the end", chinese)


def test_chinese_words(ok):
    """Of the player and of pictures."""
    words = build.output.chinese_words()
    ok.equal([english for english, chinese in words.items() if sorted(re.findall(r"\{\d\}", chinese)) != [f"{{{k}}}" for k in range(english.count("{}"))]], [], "each Chinese text has the same gaps")
    ok.equal([english for english, chinese in words.items() if re.search(r"[\u3000-\u9fff]", english) or not re.search(r"[\u4e00-\u9fff，：/]|\{\d\}", chinese)], [], "no row of tools/book/chinese.csv is torn at a comma")


def html_of(page):
    return re.sub(r"\.md$", ".html", build.staged(page))


def test_the_index_of_the_search(ok):
    english, chinese = build.search_index("en"), build.search_index("zh")
    ok.equal({address for address, _, _ in english + chinese}, {html_of(page) for page in [*build.page_names(ROOT), *build.EXERCISES, build.PLAYER_PAGE + ".md", build.PLAYER_PAGE + ".zh-CN.md"]}, "each page is in an index")
    alone = {html_of(place.partition("#")[0]) for place in build.search_words("en") if not build.twin(place.partition("#")[0])}
    in_english = {address: title for address, title, _ in chinese if "zh-CN" not in address}
    ok(not any("zh-CN" in address for address, _, _ in english) and set(in_english) == alone and all(title.endswith("（英文）") for title in in_english.values()),
       "an index has the pages of its language, and the Chinese one leads to an English page where there is no other", (set(in_english) ^ alone, in_english))
    for language, index in (("en", english), ("zh", chinese)):
        there = {address + fragment for address, _, sections in index for fragment in ("", *("#" + section[0] for section in sections))}
        ok.equal([place for place in build.search_words(language) if re.sub("^[^#]*", lambda page: html_of(page[0]), place) not in there], [], f"{language}: each place of tools/book/search.csv is one of the index")
    ok.equal(build.plain_text("a <!-- b --> [c](d) `e`\n\n| f | g |\n|:--|--:|\n"), "a c e f g", "what is searched is what is read")


def test_the_notebooks_first_cell(ok, tmp_path):
    first = next("".join(cell["source"]) for cell in json.loads(read("ladder.ipynb"))["cells"] if cell["cell_type"] == "code")
    folder = os.path.realpath(tmp_path)

    def cell_in(name, repository="", **environment):
        """Its exit status, the last line of its complaint, and where it ended."""
        made = ran(sys.executable, "-c", first.replace('REPOSITORY = ""', f"REPOSITORY = {repository!r}", 1), cwd=f"{folder}/{name}", GIT_CEILING_DIRECTORIES=folder, **environment)
        return made.returncode, (made.stderr.splitlines() or [""])[-1], made.stdout.strip()

    for name in ("clone", "alone", "other", "remote"):
        os.mkdir(f"{folder}/{name}")
    write(folder + "/clone/run_all.sh", "")
    ok.equal(cell_in("clone"), (0, "", folder + "/clone"), "in a clone: it stays there")
    ok(cell_in("alone", PATH="/nonexistent")[1].endswith("Stop: git is missing: install it, then run this cell again"), "without git: one line")
    if not shutil.which("git"):
        return
    for command in ("init -q", "add .", "-c user.name=t -c user.email=t@t commit -qm t"):
        subprocess.run(["git", "-C", folder + "/clone", *command.split()], check=True)
    subprocess.run(f"git init -q {folder}/remote && git -C {folder}/remote remote add origin {folder}/clone", shell=True, check=True)
    for name, repository, status, says, ends in (
            ("alone", "", 1, "Stop: set REPOSITORY to the address of the repository that you took this notebook from, then run this cell again", ""),
            ("alone", folder + "/clone", 0, "", "/alone/ladder"), ("remote", "", 0, "", "/remote/ladder"), ("other", folder + "/none", 1, "Stop: set REPOSITORY to another address: ", "")):
        found = cell_in(name, repository)
        ok(found[0] == status and says in found[1] and found[2] == (ends and folder + ends), f"{name} {repository}: {says or ends}", found)


GOOD = '<a id="here" href="#here">x</a><a href="sub/b.html#t%C3%BC">y</a><img src="p.svg"><a href="https://a.org">z</a>'


@pytest.mark.parametrize("name, text, wanted", [
    ("a.html", GOOD, []), ("a.html", GOOD + '<a href="c.html">', ["a.html: c.html: there is no such file"]), ("a.html", GOOD + '<a href="sub/">', ["a.html: sub/: there is no such file"]),
    ("a.html", GOOD + '<a href="sub/b.html#x">', ["a.html: sub/b.html#x: there is no such anchor"]), ("a.html", GOOD + '<a href="#x">', ["a.html: #x: there is no such anchor"]),
    ("a.html", GOOD + '<img alt="a b" src="q.svg">', ["a.html: q.svg: there is no such file"]),
    ("sub/b.html", '<h1 id="tü"></h1><script src="https://a.org/x.js">', ["sub/b.html: https://a.org/x.js: is loaded from the network"]),
    ("a.html", GOOD + '<a href="/a.html">', ["a.html: /a.html: begins with /: the book may stand in any folder"])])
def test_broken_links(tmp_path, name, text, wanted):
    for file, content in {"a.html": GOOD, "sub/b.html": '<h1 id="tü"></h1>', "p.svg": "", name: text}.items():
        write(f"{tmp_path}/{file}", content)
    assert check_book.problems(str(tmp_path)) == wanted


def test_bad_input(ok, tmp_path):
    python = shlex.quote(sys.executable)
    for arguments, says in (("--serve", r"usage: build\.py \[--check\] \[--serve PORT\]"), ("x", "usage: "), ("--serve 0", "book: PORT=0: a port is a number from 1 to 65535"),
                            ("--serve a", "book: PORT=a: "), ("--check --serve a", "book: PORT=a: "), ("--serve a --check", "usage: ")):
        ok.refused(f"{python} tools/book/build.py {arguments}", 2, says)
    for arguments, status, says in (("--x", 2, "usage: tools/book/pdf.py"), ("", "[12]", "pdf.py: no browser that prints"), ("--check", "[12]", "pdf.py: no browser that prints")):
        found = ran("tools/book/pdf.py", *arguments.split(), CHROMIUM="/no/browser")
        ok(re.fullmatch(str(status), str(found.returncode)) and found.stderr.startswith(says) and found.stderr.count("\n") == 1, f"pdf.py {arguments}: one line", found)
    missing = f"book: Python's packages for the book are missing; type: {re.escape(build.INSTALL)}"
    ok.refused(f"{python} -S tools/book/build.py", 2, missing)
    # What is missing is reported before anything is built.
    script(f"{tmp_path}/python", f'exec {python} -S "$@"\n')
    for target, name, says in (("book", "python", missing), ("book-serve", "python", missing), ("book", "none", "setup.sh: there is no program ")):
        found = ran("make", "-s", "BACKEND=sim", f"BUILD={tmp_path}/build", f"PYTHON={tmp_path}/{name}", target)
        ok(found.returncode == 2 and re.match(says, found.stderr) and found.stderr.count("\n") == 2 and not os.path.exists(tmp_path / "build"), f"make {target} PYTHON={name}: one line, and make's, and nothing is built", found)
