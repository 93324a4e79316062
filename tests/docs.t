#!/usr/bin/env python3
"""The pages, in a copy such as a clone would be: every command runs, every link, anchor and
picture leads somewhere, every figure has a text, words are spelled. And each of these checks finds a fault planted for it.

tests/docs.t PAGE... runs the commands of these pages alone, and plants nothing."""
import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(1, os.path.join(sys.path[0], "..", "tools", "pages"))
import pages
import tap
from tap import ok, skip


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def none(problems, what):
    ok(not problems, what, "\n".join(problems))


def same(found, wanted, what):
    ok(found == wanted, what, f"found  {found}\nwanted {wanted}")


# ---- faults planted in a page of its own ----

SOURCE = "".join(f"int x{k};\n" for k in range(1, 31))


def planted(check, text, *wanted, what, **files):
    """The check finds these, each "LINE: what it must say", in this page and no more."""
    with tempfile.TemporaryDirectory() as root, tempfile.TemporaryDirectory() as work:
        write(root + "/docs/page.md", text)
        write(root + "/src/a.c", SOURCE)
        write(root + "/docs/other.md", "# One `code` & more: *x*\n\n# Again\n# Again\n<a id=\"mine\"></a>\n# 归约\n")
        write(root + "/docs/page.zh-CN.md", "Teh 归约, 4 µs\n")  # neither spelled nor pinned here
        for name, content in files.items():
            write(f"{root}/tests/{name}.txt", content)
        found = check(root, work) if check is pages.spelling_problems else check(root)
    passed = len(found) == len(wanted) and all(
        problem.startswith(("docs/page.md: line " + told.split(": ")[0] + ": ", told)) and told.split(": ", 1)[1] in problem
        for problem, told in zip(found, wanted))
    ok(passed, what, "found:\n" + "\n".join(found) + "\nwanted:\n" + "\n".join(wanted))


def planted_links():
    check, good = pages.link_problems, "A [link](other.md#again-1), [one](other.md#one-code--more-x), [a](../src/a.c#L2-L30),\n" \
        "[down](#here), [mine](other.md#mine), [中](other.md#归约), <https://a.org>, [b](https://a.org/x_(y)).\n\n# Here\n"
    planted(check, good, what="links: good ones pass")
    planted(check, good + "[x](oter.md)\n", "5: oter.md: there is no such file", what="links: a file that is not there")
    planted(check, good + "[x](other.md#againn)\n", "5: no such heading", what="links: an anchor that is not there")
    planted(check, good + "[x](other.md#again-2)\n", "5: no such heading", what="links: a heading that comes only twice")
    planted(check, good + "[x](#there)\n", "5: no such heading", what="links: an anchor of the page itself")
    planted(check, good + "![a picture](../plots/no.png)\n", "5: no such file", what="links: a picture that is not there")
    planted(check, good + "[![a picture](no.png)](other.md)\n", "5: no.png", what="links: a picture that is a link")
    planted(check, good + '<source srcset="no.svg"><img src="other.md" alt="a b">\n', "5: no.svg", what="links: in HTML")
    planted(check, good + "[x][y]\n\n[y]: no.md\n", "7: no.md", what="links: defined elsewhere")
    planted(check, good + "[x](../src/a.c#L31)\n", "5: no such lines", what="links: a line after the end of a file")
    planted(check, good + "[x](https://)\n[x](htp://a.org)\n", "5: no address", "6: no address", what="links: broken addresses")
    planted(check, good + "[x](../../elsewhere/)\n", "5: ../../elsewhere/: ", what="links: out of the repository")
    planted(check, good + "`[x](no.md)`\n```\n[x](no.md)\n```\n<!-- [x](no.md) -->\n", what="links: in code they are none")


def planted_figures():
    check = pages.figure_problems
    planted(check, "![two words](a.png)\n", what="figures: one with alt text")
    planted(check, "x\n![](a.png)\n", "2: without alt text", what="figures: one without")
    planted(check, "![plot](a.png)\n[![](a.png)](b.md)\n", "1: without", "2: without", what="figures: one word is none")
    planted(check, "![两个词语](a.png)\n![词](a.png)\n", "2: without alt text", what="figures: Chinese words")
    planted(check, '<img src="a.png">\n<img alt="two words" src="a.png">\n', "1: without", what="figures: in HTML")


def planted_spelling():
    check = pages.spelling_problems
    good = "A warp's lanes colour 16M `flots`; CUDA, GB/s, 归约, µs. See [words](teh.md), docs/teh.md.\n" \
           "<!-- teh --> <!-- table: x y -->\nteh\n<!-- end -->\n```sh\nteh\n```\n"
    planted(check, good, what="spelling: names, code, numbers, generated tables pass", words="CUDA\n")
    planted(check, good + "\nThe recieved color.\n", "9: color: misspelled", "9: recieved: misspelled",
            what="spelling: a slip, and American spelling", words="CUDA\n")
    planted(check, good + "Wrap and [kernal](x.md)\n", "8: kernal", what="spelling: in the text of a link", words="CUDA\n")
    planted(check, good, "tests/words.txt: zebu: no page has it", "tests/words.txt: not in alphabetical",
            what="spelling: the list of words is in order and in use", words="zebu\nCUDA\n")


def planted_glossary():
    def problems(glossary, lesson):
        with tempfile.TemporaryDirectory() as root:
            write(root + "/docs/glossary.md", glossary)
            write(root + "/steps/01_x/README.md", lesson)
            return pages.glossary_problems(root)
    good = '- <a id="bank"></a>**bank** 存储体 – a\n- <a id="grid-sync"></a>**grid sync** b\n- <a id="launch"></a>**launch** c\n'
    lesson = "**Banks** and **a word of three**, **launches**, **grid-sync**, **`code`**, **v3x8**, **Stop.**\n"
    same(problems(good, lesson), [], "glossary: a good one")
    same(problems(good, lesson + "**warp**\n"), ["steps/01_x/README.md: line 2: **warp** is not in docs/glossary.md"], "glossary: a word too few")
    same(problems(good.replace("bank", "tank"), ""), ["docs/glossary.md: grid sync comes before tank"], "glossary: out of order")
    same(problems(good.replace('"bank"', '"blank"'), ""), ["docs/glossary.md: bank has the anchor blank"], "glossary: a wrong anchor")
    same(problems(good + "- **warp** d\n", ""), ["docs/glossary.md: 1 entries without a term and its anchor"], "glossary: no anchor")


def planted_map():
    def problems(row, lesson):
        with tempfile.TemporaryDirectory() as root:
            write(root + "/README.md", "| lesson | minutes |\n|:--|--:|\n" + row)
            write(root + "/steps/01_x/README.md", lesson)
            return pages.map_problems(root)
    row, lesson = "| [01](steps/01_x/README.md) | 20 | 1 |\n", "# x\n\n*20 minutes. Before it: nothing.*\n"
    same(problems(row, lesson), [], "map: minutes as in the lesson")
    same(problems(row.replace("20", "25"), lesson), ["README.md: line 3: steps/01_x/README.md takes 20 minutes"], "map: other minutes")
    same(problems("[01](steps/01_x/README.md)\n", lesson), ["README.md: line 1: no row for steps/01_x/README.md: add | [01_x](steps/01_x/README.md) | its idea | minutes | – | – |"], "map: a lesson without a row")
    same(len(problems(row, "# x\n")), 1, "map: a lesson without minutes")


def planted_sources():
    def problems(row):
        with tempfile.TemporaryDirectory() as root:
            write(os.path.join(root, "docs", "sources.md"), row + "\n[05]: a.md\n[e01]: b.md\n")
            return pages.sources_problems(root)
    row = "| claim | it says `smem[tid]` | [05], [errata][e01] | wrong |\n"
    same(problems(row), [], "sources: a claim with a place and a verdict")
    for what, broken, wanted in (
            ("no place", row + row.replace("[05], [errata][e01]", "nowhere"), ["line 2: no place"]),
            ("no verdict", row + row.replace("wrong", ""), ["line 2: a claim has four columns"]),
            ("an unknown place", row + row.replace("[05]", "[06]"), ["line 2: 06 is not defined below"]),
            ("a place that is named nowhere", row.replace("[05]", "[e01]"), ["nothing uses [05]"])):
        same(problems(broken), [f"docs/sources.md: {problem}" for problem in wanted], f"sources: {what}")


def planted_words():
    check = pages.word_problems
    good = '# A\n\n`nobody`, "nobody"; widths.\n> 12 KB on their way\n\n```\nnobody\n```\n\n**Expected:** 8 KB on its way,\nnobody waits.\n\n' \
        "### The predictions as first written\n\nNobody waits.\n\n## B\n"
    planted(check, good, what="words: code, quotes and predictions stay")
    planted(check, good + "Whoever waits.\nLoads on their\nway: nobody.\n", "18: Whoever", "19: on", "20: nobody", what="words: ours are named")


def planted_atomics():
    def problems(names, **sources):
        with tempfile.TemporaryDirectory() as root:
            write(root + "/docs/accuracy.md", f"That concerns {names} of step 05.\n")
            for name, text in sources.items():
                write(f"{root}/steps/05_x/{name}.cu", text)
            return pages.atomics_problems(root)
    floats, whole = "float *out\natomicAdd(out, sum);\n", "unsigned *out\natomicAdd(out, sum);\n"
    same(problems("a, b and c", a=floats, b=floats, c=floats, d=whole), [], "float atomics: those that add floats")
    same(problems("a and d", a=floats, b=floats, d=whole), ["docs/accuracy.md: b adds floats by atomics", "docs/accuracy.md: d does not add floats by atomics"],
         "float atomics: one too few, and one of whole numbers")


def planted_tables():
    check, row = pages.table_problems, "| " + 156 * "x" + " |\n"
    planted(check, row + 200 * "x" + "\n```\n| " + 200 * "x" + " |\n```\n", what="tables: 160 characters pass, and prose and code are none")
    planted(check, "x\n\n" + row.replace("x ", "xx "), "3: 161 characters", what="tables: one more is too many")


def changed_back(tree):
    """A source that commands change and change back: how make sees it."""
    name, made = "library/parts/slots.h", tree.folder + "/build/sim/steps/09_single_pass/flagged_slots.o"
    as_given = lambda: os.stat(f"{tree.folder}/{name}").st_mtime_ns == tree.as_given[name].st_mtime_ns
    change, back = f"sed -i 's/^#if/# if/' {name}", f"sed -i 's/^# if/#if/' {name}"
    tree.run_part(change)
    ok(not as_given(), "a source that a command changes is new")
    tree.run_part(back)
    ok(as_given(), "changed back, it is as old as it was")
    before = os.stat(made)
    tree.run_part(f"{change} && touch {made} # made of it")
    tree.run_part(f"{back} && true")
    ok(not as_given(), "but not while there is an object of the changed one")
    tree.run_part(f"touch {made} # made again")
    ok(as_given(), "when that is made again, it is")
    os.utime(made, ns=(before.st_atime_ns, before.st_mtime_ns))


def planted_commands(tree):
    def block(*lines):
        return "```sh\n" + "\n".join(lines) + "\n```\n"

    def problems_of(text):
        found, problems = pages.commands("page.md", text)
        return [c.text for c in found], [c.why_not for c in found], problems

    texts, _, problems = problems_of("Do `make step01` and `make`, not `make  x`\n" + block(
        "make a && ./b  # why", "# no command", "for i in 1 2; do", "  echo $i", "done", "x \\", "  y") + "`./step01 -v v0`.\n")
    same((texts, problems), (["make step01", "make  x", "make a && ./b", "for i in 1 2; do\n echo $i\ndone", "x y",
                              "./step01 -v v0"], []), "commands: found in blocks and in the text")
    for text, why in (("ncu ./step01", "a tool of the CUDA toolkit"), ("make BACKEND=cuda step01", "needs a GPU"),
                      ("./run_all.sh", "takes minutes: tests/run_all.t"), ("./run_all.sh --quick", None),
                      ("make step01 && ncu ./step01", "a tool of the CUDA toolkit"), ("make -j8 step01", None)):
        same(problems_of(block(text))[1], [why], f"commands: {text}: {'run' if why is None else 'not run, with the reason'}")
    same(problems_of("<!-- not run: needs patience -->\n" + block("sleep 9") + block("sleep 8"))[1], ["needs patience", None],
         "commands: a mark is for the next block alone")
    for line, recorded, printed, wanted in (("v1  64K  97.5", True, "v1 64K 96.9", False), ("v1  64K  97.5", False, "v1 64K 96.9", True),
                                        ("v1  64K  97.5", False, "v1 65K 97.5", False), ("sum 97.5 of 8", False, "sum 96.9 of 8", False)):
        ok(bool(re.fullmatch(pages.pattern_of(line, recorded), printed)) == wanted,
           f"commands: {'the recorded' if recorded else 'another'} compiler: {printed} {'passes' if wanted else 'is refused'} for {line}")
    for what, text in (("in an indented block", "Look:\n\n    make step01 && ./step01\n"),
                       ("in a block of another kind", "```\n./step01 -n 5\n```\n"),
                       ("of the toolbox, too", "```\n./scan -n 5\n```\n"),
                       ("an output without its command", "```output\nx\n```\n")):
        ok(len(problems_of(text)[2]) == 1, f"commands: refused {what}", problems_of(text)[2])
    same(pages.SIZES.sub(pages.small_enough, "x -n 1000,64K,128K,1G,1<<30 -v y"), "x -n 1000,64K -v y", "commands: sizes made smaller")

    def outcome(*lines, output=""):
        found, _ = pages.commands("page.md", block(*lines) + (f"```output\n{output}```\n" if output else ""))
        return next(filter(None, map(tree.problem, found)), None)

    for what, arguments, output in (("a right one", ["make BACKEND=sim step01 && ./step01 -n 2G --list"], ""),
                                    ("one that says how it ends", ["./step01 -n 0x  # exit status 2"], ""),
                                    ("a diff that finds something", ["diff README.md LICENSE"], ""),
                                    ("one with its output", ["echo 'a  b'; echo c; echo d 17"], "a b\nd …\n")):
        same(outcome(*arguments, output=output), None, f"commands: {what} passes")
    for what, arguments, output, said in (
            ("a program that is not there", ["./step99"], "", "page.md: line 2: ./step99: exit status 127, not 0: "),
            ("an option that is not there", ["make BACKEND=sim step01 && ./step01 --chekc"], "", "exit status 2, not 0: step01: "),
            ("a target that is not there", ["true", "make stop01"], "", "line 3: make stop01: exit status 2"),
            ("a variant that is not there", ["./step01 -n 5 -v v9"], "", "exit status 2"),
            ("another exit status than said", ["./step01 -n 5  # exit status 1"], "", "exit status 0, not 1"),
            ("a diff of a file that is not there", ["diff README.md REDME.md"], "", "exit status 2"),
            ("another output", ["echo a; echo b"], "a\nc\n", 'it does not print "c"'),
            ("output in another order", ["echo a; echo b"], "b\na\n", 'it does not print "a"')):
        found = outcome(*arguments, output=output)
        ok(found is not None and said in found, f"commands: {what} is noticed", found)


CHOSEN = sys.argv[1:]
for planted_faults in () if CHOSEN else (
        planted_links, planted_figures, planted_spelling, planted_glossary, planted_map, planted_sources,
        planted_words, planted_atomics, planted_tables):
    planted_faults()

# ---- this repository ----

with tempfile.TemporaryDirectory() as clone, tempfile.TemporaryDirectory() as work:
    tree = pages.Tree(clone)
    names = pages.page_names(clone)
    ok(len(names) >= 12, "there are pages", names)
    none(pages.link_problems(clone), "every link, anchor and picture leads somewhere")
    none(pages.figure_problems(clone), "every figure has alt text")
    none(pages.spelling_problems(clone, work), "every word is spelled as in Britain, or in tests/words.txt")
    none(pages.glossary_problems(clone), "the glossary is in order, and has the words of the lessons")
    none(pages.map_problems(clone), "the front page has every lesson, and its minutes")
    none(pages.table_problems(clone), "tables can be read in an editor")
    none(pages.word_problems(clone), "no page has a word of our own for a thread or a load")
    none(pages.atomics_problems(clone), "docs/accuracy.md names each variant that adds floats by atomics")
    none(pages.sources_problems(clone), "each claim of the sources has a place here, and a verdict")

    none([name + ": a link" for name in pages.files() if os.path.islink(os.path.join(pages.ROOT, name))], "there are no links to what was built")

    if not os.path.exists(os.path.join(pages.ROOT, "build/sim/machine")):
        sys.exit("docs.t: the commands of the pages need what `make BACKEND=sim test-programs` builds")
    tree.with_build()
    if os.environ.get("TESTS") == "part":  # make test has no time for the commands of all pages
        names = ["README.md", "steps/01_interleaved/README.md"]
    if not CHOSEN:
        changed_back(tree)
        planted_commands(tree)
    for name in CHOSEN or names:
        if pages.is_chinese(name):
            continue  # its commands are those of the English page
        commands, problems = pages.commands(name, pages.read(os.path.join(clone, name)))
        to_run = [command for command in commands if command.why_not is None]
        problems += filter(None, map(tree.problem, to_run))
        smaller = sum(command.smaller() for command in to_run)
        none(problems, f"{name}: {len(to_run)} commands do what the page says"
             + (f", {smaller} with {pages.LARGEST >> 10}K elements" if smaller else ""))
        for text, why in dict.fromkeys((command.text, command.why_not) for command in commands if command.why_not):
            skip(f"{name}: {text}", why)

tap.done()
