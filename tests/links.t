#!/usr/bin/env python3
# tier: test
"""Links of the pages: every file, line, heading and picture that one names is there. Planted faults are found."""
import os
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import pages
from tap import done, ok

GOOD = "A [link](other.md#again-1), [one](other.md#one-code--more-x), [a](../src/a.c#L2-L30), [中](other.md#归约),\n" \
    "[down](#here), [mine](other.md#mine), <https://a.org>, [b](https://a.org/x_(y)).\n`[x](no.md)`\n<!-- [x](no.md) -->\n\n# Here\n"

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
done()
