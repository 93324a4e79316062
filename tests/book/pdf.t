#!/usr/bin/env python3
"""The book as a PDF, in both languages: its pages, its contents, links that lead to a place in it."""
import html
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import ROOT
sys.path[:0] = [os.path.join(ROOT, "tests"), os.path.join(ROOT, "tools", "book")]
import build
import pdf
from tap import done, ok


def lost(text):
    """Links to places that the book does not have."""
    places = {html.unescape(place) for place in re.findall(r' id="([^"]*)"', text)}
    return [link for link in map(html.unescape, re.findall(r' href="#([^"]*)"', text)) if link not in places]


for words, name, pages in (([], "book.pdf", 300), (["--chinese"], "book.zh-CN.pdf", 120)):
    navigation = build.navigation()
    chinese = [entry for entry in navigation if "中文" in entry]
    text = pdf.whole_book(build.SITE, chinese[0]["中文"] if words else [entry for entry in navigation if entry not in chinese], "x", "en")
    ok(text.count("<section ") > 50 and not lost(text), f"{name}: each link leads to a place", "\n".join(lost(text)[:20]))
    ok(lost(text.replace(' id="chapter2"', "", 1)), f"{name}: a place that is gone is noticed")
    result = subprocess.run([sys.executable, f"{ROOT}/tools/book/pdf.py", *words], capture_output=True, text=True)
    ok(result.returncode == 0 and f"build/{name}" in result.stdout, f"{name} is written", result)
    with open(os.path.join(build.BUILD, name), "rb") as file:
        made = file.read()
    ok(made.startswith(b"%PDF-") and len(re.findall(rb"/Type ?/Page\b", made)) >= pages, f"{name}: {pages} pages or more")
    ok(b"/Outlines" in made and b"file://" not in made, f"{name}: contents at the side, and no link to this machine")
    ok(not os.path.exists(os.path.join(build.SITE, "print.html")), f"{name}: nothing is left")
done()
