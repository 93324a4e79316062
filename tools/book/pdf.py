#!/usr/bin/env python3
"""tools/book/pdf.py [--chinese]: one PDF of the book, which make book has made: build/book.pdf, or build/book.zh-CN.pdf.
tools/book/pdf.py --check: whether there is a browser to print it.

The pages of the navigation follow each other as chapters of one HTML file, which chromium prints. A link to a page
leads to its chapter; one to the source of a program, which the PDF does not hold, becomes plain text. Folds are open."""
import html.parser
import os
import posixpath
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

import build
from page_markdown import Problem, read, run

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FOR_A_SCREEN = ("book-pager", "player", "interaction", "on-dark")
MINUTES = 10  # one core prints some 500 pages in half a minute
STYLE = """
@page { size: A4; margin: 18mm 16mm 20mm; @bottom-center { content: counter(page); font: 8pt sans-serif } }
section { break-before: page }
.contents { columns: 2 } .contents ul { list-style: none } .contents a { color: inherit }
"""


class Chapter(html.parser.HTMLParser):
    """The text of a page: its own ids get a prefix, links lead within the book, pictures to the files of the site."""

    def __init__(self, page, chapters):
        super().__init__(convert_charrefs=False)
        self.page, self.chapters, self.out, self.depth, self.skipped, self.links = page, chapters, [], 0, 0, []

    def target(self, address):
        """(chapter or None, fragment) of a link of this page."""
        url = urllib.parse.urlsplit(address)
        path = posixpath.normpath(posixpath.join(posixpath.dirname(self.page), urllib.parse.unquote(url.path))) if url.path else self.page
        return self.chapters.get(path), url.fragment

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if self.skipped or tag in ("iframe", "script") or values.get("class") in FOR_A_SCREEN:
            self.skipped += tag not in ("img", "br", "input", "hr", "wbr", "col")
            return
        if "id" in values:
            values["id"] = f"{self.chapters[self.page]}--{values['id']}"
        if tag == "details":
            values["open"] = "open"
        values.pop("loading", None)  # what comes near is loaded: in print nothing does
        values.pop("name", None)
        if "src" in values:
            values["src"] = posixpath.normpath(posixpath.join(posixpath.dirname(self.page), values["src"]))
        if tag == "a":
            address = values.pop("href", None)
            self.links.append(address)
            if address and not urllib.parse.urlsplit(address).scheme:
                chapter, fragment = self.target(address)
                if chapter:
                    values["href"] = f"#{chapter}--{fragment}" if fragment else f"#{chapter}"
            elif address:
                values["href"] = address
        self.out.append(f"<{tag}{''.join(f' {name}' if value is None else f' {name}={chr(34)}{html.escape(value)}{chr(34)}' for name, value in values.items())}>")

    def handle_endtag(self, tag):
        if self.skipped:
            self.skipped -= 1
        else:
            self.out.append(f"</{tag}>")

    def handle_data(self, text):
        if not self.skipped:
            self.out.append(text)

    def handle_entityref(self, name):
        self.handle_data(f"&{name};")

    def handle_charref(self, name):
        self.handle_data(f"&#{name};")


def entries(navigation):
    """(title, page or list of entries) of each."""
    return [next(iter(entry.items())) for entry in navigation]


def pages_of(navigation):
    """(title, page) in the order of the book."""
    for label, value in entries(navigation):
        if isinstance(value, str):
            yield label, re.sub(r"\.md$", ".html", value)
        else:
            yield from pages_of(value)


def contents(navigation, chapters):
    rows = ""
    for label, value in entries(navigation):
        if isinstance(value, str):
            page = re.sub(r"\.md$", ".html", value)
            rows += f'<li><a href="#{chapters[page]}">{html.escape(label)}</a></li>' if page in chapters else ""
        else:
            inner = contents(value, chapters)
            rows += f"<li>{html.escape(label)}{inner}</li>" if inner else ""
    return f"<ul>{rows}</ul>" if rows else ""


def whole_book(site, navigation, name, language):
    """The HTML of all chapters."""
    chapters = {page: f"chapter{number}" for number, (_, page) in enumerate(pages_of(navigation)) if not page.startswith("player")}
    sections = []
    for page, anchor in chapters.items():
        text = read(os.path.join(site, page))
        article = re.search(r"<article\b[^>]*>(.*)</article>", text, re.S)
        if not article:
            raise Problem(f"{site}/{page}: no text in it; make book makes the pages again")
        chapter = Chapter(page, chapters)
        chapter.feed(article[1])
        chapter.close()
        sections.append(f'<section id="{anchor}">{"".join(chapter.out)}</section>')
    styles = "".join(re.findall(r'<link rel="stylesheet" [^>]*>', read(os.path.join(site, "index.html"))))
    return (f'<!doctype html><html lang="{language}"><head><meta charset="utf-8"><title>{html.escape(name)}</title>{styles}<style>{STYLE}</style></head>'
            f'<body data-md-color-scheme="default" data-md-color-primary="indigo"><article class="md-content__inner md-typeset">'
            f'<h1>{html.escape(name)}</h1><div class="contents">{contents(navigation, chapters)}</div>{"".join(sections)}</article></body></html>')


def browser_here():
    found = next(filter(shutil.which, [os.environ["CHROMIUM"]] if os.environ.get("CHROMIUM") else BROWSERS), None)
    if not found:
        raise Problem("no browser that prints: on Debian or Ubuntu, apt-get install chromium; or CHROMIUM=/path/to/one")
    return found


def print_pdf(page, target):
    browser = browser_here()
    with tempfile.TemporaryDirectory() as home:
        made = os.path.join(home, "book.pdf")
        command = [browser, "--headless", "--disable-gpu", f"--user-data-dir={home}/profile", "--no-pdf-header-footer",
                   "--generate-pdf-document-outline", f"--print-to-pdf={made}", "file://" + urllib.parse.quote(os.path.abspath(page))]
        command[1:1] = ["--no-sandbox"] * (os.geteuid() == 0)
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=60 * MINUTES)
        except subprocess.TimeoutExpired:
            raise Problem(f"{browser} did not print the book in {MINUTES} minutes") from None
        if not os.path.exists(made):
            raise Problem(f"{browser} printed nothing: {(done.stderr.strip().splitlines() or ['it says nothing'])[-1]}")
        shutil.move(made, target)


def main(arguments):
    if arguments not in ([], ["--chinese"], ["--check"]):
        print("usage: tools/book/pdf.py [--chinese | --check]", file=sys.stderr)
        return 2
    browser_here()
    if arguments == ["--check"]:
        return 0
    chinese = bool(arguments)
    site, navigation = build.SITE, build.navigation()
    if not os.path.exists(os.path.join(site, "index.html")):
        raise Problem(f"no book in {os.path.relpath(site)}: make book first")
    if chinese:
        navigation = next(value for label, value in entries(navigation) if label == "中文")
    else:
        navigation = [entry for entry in navigation if "中文" not in entry]
    page = os.path.join(site, "print.html")
    target = os.path.join(build.BUILD, "book.zh-CN.pdf" if chinese else "book.pdf")
    name = build.NAMES["zh" if chinese else "en"]
    try:
        with open(page, "w", encoding="utf-8") as file:
            file.write(whole_book(site, navigation, name, "zh" if chinese else "en"))
        print_pdf(page, target)
    finally:
        if os.path.exists(page):
            os.remove(page)
    print(f"wrote {os.path.relpath(target)}")
    return 0


if __name__ == "__main__":
    run(main)
