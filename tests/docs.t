#!/usr/bin/env python3
# tier: test nightly
"""Links of the pages: every file, line, heading and picture that one names is there. By night the commands, in a copy such as a clone would be: each runs, and prints what the page shows; and this finds a
fault planted for it.

tests/docs.t PAGE... tries the links, runs the commands of these pages alone, and plants nothing there."""
import os
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(1, os.path.join(sys.path[0], "..", "tools", "pages"))
import pages
import tap
from translation import is_chinese
from tap import ok, skip


GOOD = "A [link](other.md#again-1), [one](other.md#one-code--more-x), [a](../src/a.c#L2-L30), [中](other.md#归约),\n" \
    "[down](#here), [mine](other.md#mine), <https://a.org>, [b](https://a.org/x_(y)).\n`[x](no.md)`\n<!-- [x](no.md) -->\n\n# Here\n"


def links():
    with tempfile.TemporaryDirectory() as root:
        for name, text in (("src/a.c", "int x;\n" * 30), ("docs/a.svg", "<svg/>"), ("docs/other.md", "# One `code` & more: *x*\n\n# Again\n# Again\n<a id=\"mine\"></a>\n# 归约\n")):
            os.makedirs(os.path.dirname(f"{root}/{name}"), exist_ok=True)
            with open(f"{root}/{name}", "w", encoding="utf-8") as file:
                file.write(text)
        for line, wanted in (("", None), ("[x](oter.md)", "oter.md: there is no such file"), ("[x](other.md#againn)", "no such heading"),
                             ("[x](other.md#again-2)", "no such heading"), ("[x](#there)", "no such heading"), ("![a picture](no.png)", "no such file"), ("![a picture](a.svg#zh)", "no such element"),
                             ("[![a picture](no.png)](other.md)", "no.png"), ('<img src="no.svg">', "no.svg"), ("[x][y]\n\n[y]: no.md", "no.md"),
                             ("[x](../src/a.c#L31)", "no such lines"), ("[x](htp://a.org)", "no address"), ("[x](../../elsewhere/)", "../../elsewhere/: ")):
            with open(root + "/docs/page.md", "w", encoding="utf-8") as file:
                file.write(GOOD + line + "\n")
            found = pages.link_problems(root)
            ok(len(found) == (wanted is not None) and (wanted or "") in "".join(found), f"links: {line.split(chr(10))[0] or 'good ones'}: {wanted or 'pass'}", found)

    found = pages.link_problems(pages.ROOT)
    ok(not found, "every link, anchor and picture leads somewhere", "\n".join(found))
    built = [name for name in pages.files() if os.path.islink(os.path.join(pages.ROOT, name))]
    ok(not built, "there are no links to what was built", built)


def planted_commands(tree):
    def block(*lines):
        return "```sh\n" + "\n".join(lines) + "\n```\n"

    def outcome(*lines, output=""):
        found, _ = pages.commands("page.md", block(*lines) + (f"```output\n{output}```\n" if output else ""))
        return next(filter(None, map(tree.problem, found)), None)

    for what, arguments, output in (("a right one", ["make BACKEND=sim step01 && ./step01 -n 2G --list"], ""),
                                    ("one that says how it ends", ["./step01 -n 0x  # exit status 2"], ""),
                                    ("a diff that finds something", ["diff README.md LICENSE"], ""),
                                    ("one with its output", ["echo 'a  b'; echo c; echo d 17"], "a b\nd …\n")):
        ok(outcome(*arguments, output=output) is None, f"commands: {what} passes")
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


links()
if not tap.in_tier("nightly"):
    tap.done()
    sys.exit()
CHOSEN = sys.argv[1:]
if not os.path.exists(os.path.join(pages.ROOT, "build/sim/machine")):
    sys.exit("docs.t: the commands of the pages need what `make BACKEND=sim test-programs` builds")
with tempfile.TemporaryDirectory() as clone:
    tree = pages.Tree(clone)
    tree.with_build()
    if not CHOSEN:
        planted_commands(tree)
    for name in CHOSEN or pages.page_names(clone):
        if is_chinese(name):
            continue  # its commands are those of the English page: tests/translation.t
        commands, problems = pages.commands(name, pages.read(os.path.join(clone, name)))
        to_run = [command for command in commands if command.why_not is None]
        problems += filter(None, map(tree.problem, to_run))
        smaller = sum(command.smaller() for command in to_run)
        ok(not problems, f"{name}: {len(to_run)} commands do what the page says"
             + (f", {smaller} with {pages.LARGEST >> 10}K elements" if smaller else ""), "\n".join(problems))
        for text, why in dict.fromkeys((command.text, command.why_not) for command in commands if command.why_not):
            skip(f"{name}: {text}", why)

tap.done()
