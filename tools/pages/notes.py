#!/usr/bin/env python3
"""notes.py [--check] [--root FOLDER]: writes the numbers of the pages from results/.

In the pages it replaces what stands between
    <!-- table: NAME FOLDER -->  and the next  <!-- end -->
with a table made from results/FOLDER, and the numbers that a comment after their paragraph or table pins:
    <!-- 1.87 = h200 v0/v1 256M median_us; 677 = h200 v1 256M gbps -->
It writes the repository's address of tools/book/zensical.toml into ladder.ipynb, too.
--check writes nothing and lists what is out of date, with exit status 1. --help lists the tables and values.
"""
import os
import re
import sys

sys.dont_write_bytecode = True
import chinese
import notebook
import pins
import registry
import results
from page_markdown import Problem, blank, line_of, options, page_names, read, run, write

MARKER = re.compile(r"<!-- (?:(table|value): ([^\n]*?)|end) -->")
PAGE_WITHIN = re.compile(r"^````markdown .*?^````$", re.M | re.S)  # a page that a page shows: its markers are none
PINNED = "a number is typed, and pinned after its paragraph: <!-- 1.87 = h200 v0/v1 256M median_us -->"


def places(page, text):
    """(line, its words, start, end) of each table to be written."""
    opened = None
    for marker in MARKER.finditer(PAGE_WITHIN.sub(blank, text)):
        line = line_of(text, marker.start())
        if marker[1]:
            if opened:
                break
            if marker[1] == "value":
                raise Problem(f"{page}: line {line}: {PINNED}")
            opened = line, marker[2].split(), marker.end()
        elif opened:
            yield *opened, marker.start()
            opened = None
        else:
            raise Problem(f"{page}: line {line}: <!-- end --> without a marker before it")
    if opened:
        raise Problem(f"{page}: line {opened[0]}: no <!-- end --> after this marker")


def rewritten(page, text):
    """The text of a page with all its numbers made anew."""
    result, position = "", 0
    for line, words, start, end in places(page, text):
        try:
            made = registry.make_table(words, page)
            made = f"\n{chinese.table(results.root, page, made) if chinese.is_chinese(page) else made}\n"
        except Problem as problem:
            raise Problem(f"{page}: line {line}: {problem}")
        result += text[position:start] + made
        position = end
    return pins.rewritten(page, result + text[position:], registry.make_value)


def differences(page, old, new):
    """What is out of date, one entry for each line of the page."""
    old_lines, new_lines = old.split("\n"), new.split("\n")
    if len(old_lines) != len(new_lines):
        first = next((i for i, (a, b) in enumerate(zip(old_lines, new_lines)) if a != b),
                     min(len(old_lines), len(new_lines)))
        return [f"{page}: line {first + 1}: a table has other rows now; make notes writes them"]
    return [f"{page}: line {i}: has {a.strip()}\n{' ' * len(page)}  now {b.strip()}"
            for i, (a, b) in enumerate(zip(old_lines, new_lines), 1) if a != b]


def main(arguments):
    if arguments == ["--help"]:
        print(__doc__ + "\n" + registry.help_text())
        return 0
    try:
        check, root = options("notes.py", arguments, "[--check] [--root FOLDER]")
    except Problem as problem:
        print(f"notes.py: {problem}", file=sys.stderr)
        return 2
    results.use_root(root)
    try:
        notebook.address()
    except Problem as problem:
        print(f"notes.py: {problem}", file=sys.stderr)
        return 1
    changed, problems, pages = {}, [], page_names(root)
    writers = dict.fromkeys(pages, rewritten)
    if os.path.exists(os.path.join(root, notebook.NOTEBOOK)):
        writers[notebook.NOTEBOOK] = notebook.rewritten
    for page, rewrite in writers.items():
        try:
            old = read(os.path.join(root, page))
            new = rewrite(page, old)
        except Problem as problem:
            problems.append(str(problem))
            continue
        if new != old:
            changed[page] = (old, new)
    if check:
        problems += [line for page, (old, new) in changed.items() for line in differences(page, old, new)]
    for problem in problems:
        print(f"notes.py: {problem}", file=sys.stderr)
    if problems:
        return 1
    for page, (_, new) in changed.items():
        write(os.path.join(root, page), new)
        print(f"wrote {page}")
    print(f"{len(pages)} pages agree with results/")
    for line in results.not_measured_lines():
        print(line)
    return 0


if __name__ == "__main__":
    run(main)
