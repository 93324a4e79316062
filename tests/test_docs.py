"""The pages: every file, line, heading and picture that a link names is there. By night the commands, in a copy such as a clone would
be: each runs, and prints what its page shows. -k docs/card.md runs those of one page."""
import os
import tempfile

import pages
import pytest
from common import ROOT, write

GOOD = "A [link](other.md#again-1), [one](other.md#one-code--more-x), [a](../src/a.c#L2-L30), [中](other.md#归约),\n" \
    "[down](#here), [mine](other.md#mine), <https://a.org>, [b](https://a.org/x_(y)).\n`[x](no.md)`\n<!-- [x](no.md) -->\n\n# Here\n"


def test_links_lead_somewhere(ok):
    ok.equal(pages.link_problems(ROOT), [], "every link, anchor and picture leads somewhere")
    ok.equal([name for name in pages.files() if os.path.islink(name)], [], "there are no links to what was built")


def test_planted_links(ok, tmp_path):
    for name, text in (("src/a.c", "int x;\n" * 30), ("docs/a.svg", "<svg/>"), ("docs/other.md", "# One `code` & more: *x*\n\n# Again\n# Again\n<a id=\"mine\"></a>\n# 归约\n")):
        write(f"{tmp_path}/{name}", text)
    for line, wanted in (("", None), ("[x](oter.md)", "oter.md: there is no such file"), ("[x](other.md#againn)", "no such heading"),
                         ("[x](other.md#again-2)", "no such heading"), ("[x](#there)", "no such heading"), ("![a picture](no.png)", "no such file"), ("![a picture](a.svg#zh)", "no such element"),
                         ("[![a picture](no.png)](other.md)", "no.png"), ('<img src="no.svg">', "no.svg"), ("[x][y]\n\n[y]: no.md", "no.md"),
                         ("[x](../src/a.c#L31)", "no such lines"), ("[x](htp://a.org)", "no address"), ("[x](../../elsewhere/)", "../../elsewhere/: ")):
        write(f"{tmp_path}/docs/page.md", GOOD + line + "\n")
        found = pages.link_problems(str(tmp_path))
        ok(len(found) == (wanted is not None) and (wanted or "") in "".join(found), f"{line or 'good ones'}: {wanted or 'pass'}", found)


@pytest.fixture(scope="module")
def tree():
    """What `make BACKEND=sim test-programs` builds is needed there."""
    with tempfile.TemporaryDirectory() as clone:
        yield pages.Tree(clone, with_build=True)


@pytest.mark.nightly
@pytest.mark.parametrize("lines, output, said", [
    ("make BACKEND=sim step01 && ./step01 -n 2G --list", "", None), ("./step01 -n 0x  # exit status 2", "", None), ("diff README.md LICENSE", "", None),
    ("echo 'a  b'; echo c; echo d 17", "a b\nd …\n", None), ("./step99", "", "page.md: line 2: ./step99: exit status 127, not 0: "),
    ("make BACKEND=sim step01 && ./step01 --chekc", "", "exit status 2, not 0: step01: "), ("true\nmake stop01", "", "line 3: make stop01: exit status 2"),
    ("./step01 -n 5 -v v9", "", "exit status 2"), ("./step01 -n 5  # exit status 1", "", "exit status 0, not 1"), ("diff README.md REDME.md", "", "exit status 2"),
    ("echo a; echo b", "a\nc\n", 'it does not print "c"'), ("echo a; echo b", "b\na\n", 'it does not print "a"')])
def test_planted_commands(tree, lines, output, said):
    """said: nothing, of one that is right."""
    found = pages.commands("page.md", f"```sh\n{lines}\n```\n" + (f"```output\n{output}```\n" if output else ""))
    problem = next(filter(None, map(tree.problem, found)), None)
    assert problem is None if said is None else said in problem


@pytest.mark.nightly
@pytest.mark.parametrize("page", [name for name in pages.page_names(ROOT) if ".zh-CN." not in name])  # whose commands are those of the English page
def test_commands(ok, tree, page):
    commands = pages.commands(page, pages.read(f"{tree.folder}/{page}"))
    ok.equal(list(filter(None, [tree.problem(command) for command in commands if command.why_not is None])), [], "the commands do what the page says")
    for text, why in dict.fromkeys((command.text, command.why_not) for command in commands if command.why_not):
        ok.skip(text, why)
