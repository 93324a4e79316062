#!/usr/bin/env python3
"""check_book.py FOLDER: does every link of the HTML pages below lead somewhere, pictures, scripts and anchors, too?

The generator asks this of the Markdown's links alone; here it is asked of what a browser will see. The network is not
asked: a page that loads anything from there is reported. Exit status: 0 all do; 1 one line for each that does not; 2 usage.
"""
import functools
import html
import os
import re
import sys
import urllib.parse

# The generator's HTML is regular: names in small letters, values in double quotes.
LINK = re.compile(r'<(a|area|img|script|link(?! rel="canonical")|source|iframe)\s[^>]*?\b(href|src|srcset)="([^"]*)"')
ANCHOR = re.compile(r'<[a-z][^>]*\bid="([^"]*)"|<a\s[^>]*\bname="([^"]*)"')
NOT_LOADED = {"a", "area"}


class Pages:
    """The files below a folder; of HTML pages, the links and anchors."""

    def __init__(self, folder):
        self.folder = folder
        self.names = {os.path.relpath(os.path.join(where, name), folder) for where, _, names in os.walk(folder) for name in names}

    @functools.cache
    def text(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return file.read()

    @functools.cache
    def anchors(self, name):
        return {html.unescape(anchor) for pair in ANCHOR.findall(self.text(name)) for anchor in pair if anchor}

    def links(self, name):
        """(tag, target) of each, once."""
        return dict.fromkeys((tag, html.unescape(target)) for tag, _, target in LINK.findall(self.text(name)))


def problem(pages, name, link):
    """Why this link of the page `name` is none, or None."""
    tag, target = link
    url = urllib.parse.urlsplit(target)
    if url.scheme or url.netloc:
        return "is loaded from the network" if tag not in NOT_LOADED and url.scheme != "data" else None
    path = urllib.parse.unquote(url.path)
    file = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
    if path.startswith("/"):
        return "begins with /: the book may stand in any folder"
    if file not in pages.names:
        return "there is no such file"
    if url.fragment and file.endswith(".html") and urllib.parse.unquote(url.fragment) not in pages.anchors(file):
        return "there is no such anchor"
    return None


def problems(folder):
    pages, found = Pages(folder), []
    for name in sorted(pages.names):
        # The server's page for addresses that are none is shown at any depth, so its own begin with /.
        if name.endswith(".html") and name != "404.html":
            found += [f"{name}: {link[1]}: {why}" for link in pages.links(name)
                      for why in [problem(pages, name, link)] if why]
    return found


def main(arguments):
    if len(arguments) != 1 or not os.path.isdir(arguments[0]):
        print("usage: check_book.py FOLDER", file=sys.stderr)
        return 2
    found = problems(arguments[0])
    print(*found, sep="\n", end="\n" if found else "")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
