#!/usr/bin/env python3
"""notes.py [--check] [--root FOLDER]: brings the pages up to date (make notes).

- numbers, from results/: what stands between <!-- table: NAME FOLDER --> and <!-- end --> is a table; numbers that a comment after
  their paragraph pins are <!-- 1.87 = h200 v0/v1 256M median_us; 677 = h200 v1 256M gbps -->; the front page has its in front.csv
- quoted code: where its lines stand now (quotes.py); rows of docs/ladder.md for variants that are new against another
- the first line of each page, and which sections of a Chinese page are stale (translation.py)
- the repository's address of tools/book/zensical.toml, in ladder.ipynb

It prints what it wrote, and what somebody must look at. Exit status: 1 where a number disagrees with results/ or cannot be made, and
then nothing is written; 2 usage. --check writes nothing, and prints the differences. --help lists the tables and values."""
import difflib
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import quotes
import registry
import results
import tables_others
import translation
from page_markdown import REPOSITORY, Problem, blank, line_of, page_names, read, run, write
from translation import english_of, is_chinese

MARKER = re.compile(r"<!-- (?:(table|value): ([^\n]*?)|end) -->")
PAGE_WITHIN = re.compile(r"^````markdown .*?^````$", re.M | re.S)  # a page that a page shows: its markers are none
NOTEBOOK, LADDER = "ladder.ipynb", "docs/ladder.md"
ADDRESS = re.compile(r'(?<="REPOSITORY = \\")[^"\\]*(?=\\"\\n")')  # as JSON writes it


# ---- numbers ----

def places(page, text):
    """(line, its words, start, end) of each table to be written."""
    opened = None
    for marker in MARKER.finditer(PAGE_WITHIN.sub(blank, text)):
        line = line_of(text, marker.start())
        if marker[1]:
            if opened:
                break
            if marker[1] == "value":
                raise Problem(f"{page}: line {line}: a number is typed, and pinned after its paragraph: <!-- 1.87 = h200 v0/v1 256M median_us -->")
            opened = line, marker[2].split(), marker.end()
        elif opened:
            yield *opened, marker.start()
            opened = None
        else:
            raise Problem(f"{page}: line {line}: <!-- end --> without a marker before it")
    if opened:
        raise Problem(f"{page}: line {opened[0]}: no <!-- end --> after this marker")


def with_tables(page, text, prose):
    """The text of a page with its tables made anew: those of results/, or those that others say (registry.PROSE)."""
    result, position = "", 0
    for line, words, start, end in places(page, text):
        of_others = words[:1] and words[0].split(":")[0] in registry.PROSE
        if of_others == prose or words[:1] == ["lessons"]:
            try:
                made = registry.make_table(words, page)
                made = f"\n{translation.table(results.root, page, made) if is_chinese(page) else made}\n"
            except Problem as problem:
                raise Problem(f"{page}: line {line}: {problem}")
            result += text[position:start] + (made if of_others == prose else with_cells(text[start:end], made))
            position = end
    return result + text[position:]


def with_cells(shown, made):
    """The rows that a page shows of the front page's table, with the speeds of today: they are results, the other words are not."""
    cells = {row.split(" | ")[0]: row.rsplit(" | ", 2)[1:] for row in made.split("\n")}
    return "\n".join(" | ".join([row.rsplit(" | ", 2)[0], *cells.get(row.split(" | ")[0], row.rsplit(" | ", 2)[1:])]) for row in shown.split("\n"))


def with_numbers(page, text):
    """The same with its pins, too."""
    return quotes.with_pins(page, with_tables(page, text, False), registry.make_value)


# ---- docs/ladder.md ----

def changed_lines(root, *files):
    """How many lines differ, old and new ones, without the comment at the head of each file."""
    with tempfile.TemporaryDirectory() as work:
        for k, name in enumerate(files):
            write(f"{work}/{k}", re.sub(r"\A\s*/\*.*?\*/\n?", "", read(os.path.join(root, name)), flags=re.S))
        return len(re.findall("^[<>]", subprocess.run(["diff", work + "/0", work + "/1"], capture_output=True, text=True).stdout, re.M))


def with_diffs(root, text):
    """Each row of "The diffs" with the lines that differ today, and after the last a row for each variant that is new against a file,
    as its head says: "New: against ../01_interleaved/v1.cu: what changes"."""
    row = re.compile(r"^\| `diff (\S+) (\S+)` \| (.*) \| \d+( \(launch\))? \|\n", re.M)
    known, last = {found[2] for found in row.finditer(text)}, 0

    def made(before, after, what, launch=""):
        there = all(os.path.exists(os.path.join(root, name)) for name in (before, after))
        return f"| `diff {before} {after}` | {what} | {changed_lines(root, before, after)}{launch} |\n" if there else ""
    text = row.sub(lambda found: made(found[1], found[2], found[3], found[4] or ""), text)
    for folder in sorted(os.listdir(os.path.join(root, "steps"))):
        for name in sorted(os.listdir(os.path.join(root, "steps", folder))) if re.match(r"\d\d_", folder) else []:
            path = f"steps/{folder}/{name}"
            head = re.match(r"\s*/\*(.*?)\*/", read(os.path.join(root, path)), re.S) if name.endswith(".cu") and path not in known else None
            new = head and re.search(r"\bagainst ([\w./]+\.cu):\s+(.*?[.:;])(?: |$)", re.sub(r"\s*\n \*\s*", " ", head[1]))
            if new:
                last = max((found.end() for found in row.finditer(text)), default=len(text))
                text = text[:last] + made(os.path.normpath(f"steps/{folder}/{new[1]}"), path, new[2].rstrip(".:;")) + text[last:]
    return text


# ---- all pages ----

def main(arguments):
    if arguments == ["--help"]:
        print(__doc__ + "\n" + registry.help_text())
        return 0
    check, rest = "--check" in arguments, [argument for argument in arguments if argument != "--check"]
    root = rest[1] if len(rest) == 2 and rest[0] == "--root" else "" if rest else REPOSITORY
    if not root or not page_names(root):
        print(f"notes.py: usage: notes.py [--check] [--root FOLDER]: a folder with pages, such as {REPOSITORY}", file=sys.stderr)
        return 2
    results.use_root(root)
    pages = sorted(page_names(root), key=is_chinese)
    said, wrong, texts, changed = [], [], {}, {}
    for page in pages:
        old = read(os.path.join(root, page))
        try:
            text = with_numbers(page, old)
        except Problem as problem:
            wrong.append(str(problem))
            continue
        wrong += [f"{page}: its numbers are not those of results/; make notes writes them"] * (check and text != old)
        try:
            text = quotes.rewritten(root, page, translation.with_first_line(root, page, with_tables(page, text, True)), said.append)
            text = with_diffs(root, text) if page == LADDER else text
            if is_chinese(page) and english_of(page) in texts:
                text = translation.settled(root, page, text, texts[english_of(page)], said.append)
        except Problem as problem:
            said.append(str(problem))
        texts[page] = text
        if text != old:
            changed[page] = old
    notebook = os.path.join(root, NOTEBOOK)
    try:
        old = read(notebook) if os.path.exists(notebook) else ""
        texts[NOTEBOOK] = ADDRESS.sub(tables_others.address(), old) if old else ""
        changed.update({NOTEBOOK: old} if texts[NOTEBOOK] != old else {})
    except Problem as problem:
        wrong.append(str(problem))
    if check:
        for page, old in changed.items():
            print("\n".join(difflib.unified_diff(old.split("\n"), texts[page].split("\n"), page, page + ", by make notes", n=0, lineterm="")))
    for line in wrong:
        print(f"notes.py: {line}", file=sys.stderr)
    if wrong:
        return 1
    for page in () if check else changed:
        write(os.path.join(root, page), texts[page])
        print(f"wrote {page}")
    for line in said + results.not_measured_lines():
        print(line)
    print(f"{len(pages)} pages agree with results/")
    return 0


if __name__ == "__main__":
    run(main)
