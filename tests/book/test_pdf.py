"""The book as a PDF, in both languages: its pages, its contents, links that lead to a place in it."""
import html
import os
import re
import sys

import pytest
from common import ran
from conftest import build

import pdf


def lost(text):
    """Links to places that the book does not have."""
    places = {html.unescape(place) for place in re.findall(r' id="([^"]*)"', text)}
    return [link for link in map(html.unescape, re.findall(r' href="#([^"]*)"', text)) if link not in places]


@pytest.mark.parametrize("words, name, pages", [([], "book.pdf", 300), (["--chinese"], "book.zh-CN.pdf", 120)])
def test_the_pdf(ok, words, name, pages):
    *english, chinese = build.navigation()
    text = pdf.whole_book(build.SITE, chinese["中文"] if words else english, "x", "en")
    ok(text.count("<section ") > 50 and not lost(text), "each link leads to a place", lost(text)[:20])
    ok(lost(text.replace(' id="chapter2"', "", 1)), "a place that is gone is noticed")
    result = ran(sys.executable, "tools/book/pdf.py", *words)
    ok(result.returncode == 0 and f"build/{name}" in result.stdout, "it is written", result)
    with open(os.path.join(build.BUILD, name), "rb") as file:
        made = file.read()
    ok(made.startswith(b"%PDF-") and len(re.findall(rb"/Type ?/Page\b", made)) >= pages, f"{pages} pages or more")
    ok(b"/Outlines" in made and b"file://" not in made, "contents at the side, and no link to this machine")
    ok(not os.path.exists(os.path.join(build.SITE, "print.html")), "nothing is left")
