#!/usr/bin/env python3
"""quotes.py [--check] [--root FOLDER]: keeps the code that the pages quote true to the source.

A quote is a fenced block that says where its lines stand, from the root of the repository:
    ```cuda steps/01_interleaved/reduce.cu:20-27
Where the lines have moved, it writes their new numbers, and so it does with "line 22" or
"lines 22 to 25" in the text of the page that lie within the quote. An empty block is filled. Above each
stands a link to these lines, for GitHub does not show what follows the ticks.
Where the lines themselves have changed, it says so: somebody must read the page again.
Quoted C and CUDA begins and ends at whole statements (statements.py has the rule).

A line that the text names must hold what the text names: "line 22" and "lines 22 to 25" mean
lines that the page quotes (with "of common/lesson.h" after it, or as common/lesson.h:22, lines of
that file), and the same paragraph or list item must have some of their code in backticks.

--check writes nothing and lists what is wrong, with exit status 1.
"""
import os
import re
import sys

sys.dont_write_bytecode = True
import statements
from page_markdown import CAPTION, FENCE, Problem, blank, edited, line_of, options, page_names, read, run, write

PLACE = re.compile(r"(?P<word>\w+) +(?P<path>[\w./-]+):(?P<first>\d+)-(?P<last>\d+) *")
NAMED = re.compile(r"\b(?P<word>[Ll]ines?) (?P<first>\d+)(?:(?P<to>-|–| to | and )(?P<last>\d+))?\b"
                   r"(?: of \[?`?(?P<path>[\w./-]+\.\w+))?"
                   r"|\b(?P<path2>[\w./-]+\.(?:cu|c|h|py|sh|awk|gp)):(?P<line2>\d+)\b(?!-\d)")


def source_lines(root, path, cache={}):
    full = os.path.join(root, path)
    if not os.path.isfile(full):
        raise Problem(f"there is no file {path}")
    if full not in cache:
        cache[full] = read(full).split("\n")
    return cache[full]


def numbers(first, last):
    return f"{first}-{last}"


def quote_now(root, place, body):
    """(first, last, text) of a quote as it should be."""
    path, first, last = place["path"], int(place["first"]), int(place["last"])
    lines = source_lines(root, path)
    if not 1 <= first <= last <= len(lines):
        raise Problem(f"{path} has no lines {numbers(first, last)}, but {len(lines)}")
    if not body.strip():
        return first, last, "\n".join(lines[first - 1:last]) + "\n"
    wanted = body.rstrip("\n").split("\n")
    found = [i for i in range(len(lines) - len(wanted) + 1) if lines[i:i + len(wanted)] == wanted]
    if not found:
        near = next((f"; they have {theirs.strip() or 'an empty line'} where the page has {ours.strip() or 'one'}"
                     for ours, theirs in zip(wanted, lines[first - 1:]) if ours != theirs), "")
        raise Problem(f"{path}: no longer has these lines {numbers(first, last)}{near}; "
                      "empty the block, make notes fills it, and read the page again")
    begin = min(found, key=lambda i: abs(i + 1 - first)) + 1
    return begin, begin + len(wanted) - 1, body


def code_spans(text):
    return [span for _, span in re.findall(r"(`+)(.+?)\1", text, re.S)]


def squeezed(text):
    return re.sub(r"\s+", " ", text).strip()


def paragraph(text, position):
    """The paragraph, list item or table row around a position of a page."""
    begin = max((match.start() for match in re.finditer(r"\n[ \t]*\n|\n(?=[ \t]*(?:[-*|]|\d+\.) ?)", text[:position])),
                default=0)
    after = re.search(r"\n[ \t]*\n|\n(?=[ \t]*(?:[-*|]|\d+\.) ?)", text[position:])
    return text[begin:position + after.start() if after else len(text)]


class Page:
    """The quotes of one page and the lines that its text names."""

    def __init__(self, root, name):
        self.root, self.name = root, name
        self.text = read(os.path.join(root, name))
        self.problems, self.edits, self.quotes = [], [], []
        for fence in FENCE.finditer(self.text):
            place = PLACE.fullmatch(fence["info"].strip())
            if place:
                self.attempt(fence.start(), self.look_at_quote, fence, place)
        prose = FENCE.sub(blank, self.text)
        for named in NAMED.finditer(prose):
            self.attempt(named.start(), self.look_at_line, named, prose)

    def attempt(self, position, look, *arguments):
        try:
            look(*arguments)
        except Problem as problem:
            self.problems.append(f"{self.name}: line {line_of(self.text, position)}: {problem}")

    def edit(self, start, end, new, why):
        """why: what --check says of it; None if it follows from another edit."""
        if self.text[start:end] != new:
            self.edits.append((start, end, new, why and f"{self.name}: line {line_of(self.text, start)}: {why}"))

    def edit_caption(self, fence, path, first, last, moved):
        above = next((caption for caption in CAPTION.finditer(self.text) if caption.end() == fence.start()), None)
        link = os.path.relpath(path, os.path.dirname(self.name) or ".")
        self.edit(above.start() if above else fence.start(), fence.start(),
                  f"[`{os.path.basename(path)}:{numbers(first, last)}`]({link}#L{first}-L{last})\n\n",
                  None if above and moved else f"{path}:{numbers(first, last)}: no link to these lines above the quote; make notes writes it")

    def look_at_quote(self, fence, place):
        old = int(place["first"]), int(place["last"])
        first, last, body = quote_now(self.root, place, fence["body"])
        self.quotes.append((fence.start(), place["path"], old, first - old[0]))
        start = fence.start("info") + fence["info"].index(place["path"])
        self.edit(start, start + len(f"{place['path']}:{numbers(*old)}"), f"{place['path']}:{numbers(first, last)}",
                  f"{place['path']}: the quoted lines are {numbers(first, last)} now, not {numbers(*old)}; make notes writes it")
        self.edit(fence.start("body"), fence.end("body"), body, "an empty quote; make notes fills it")
        self.edit_caption(fence, place["path"], first, last, (first, last) != old)
        wrong = re.search(r"\.(cu|c|h)$", place["path"]) and statements.cut(source_lines(self.root, place["path"]), first, last)
        if wrong:
            raise Problem(f"{place['path']}:{numbers(first, last)} {wrong}; quote whole statements")

    def look_at_line(self, named, prose):
        path = named["path"] or named["path2"]
        first = int(named["first"] or named["line2"])
        last = int(named["last"] or first)
        moved = 0
        if path is None:
            around = [quote for quote in self.quotes if quote[2][0] <= first <= last <= quote[2][1]]
            if not around:
                raise Problem(f"{named[0]} of what? Quote it in this page, or name the file: {named[0]} of common/lesson.h")
            before = [quote for quote in around if quote[0] < named.start()]
            _, path, _, moved = (before or around)[-1 if before else 0]
        elif not os.path.exists(os.path.join(self.root, path)):
            beside = os.path.join(os.path.dirname(self.name), path)
            path = beside if os.path.exists(os.path.join(self.root, beside)) else path
        lines = source_lines(self.root, path)
        if last + moved > len(lines) or first > last:
            raise Problem(f"{path} has no line {last + moved}, but {len(lines)}")
        held = squeezed(" ".join(lines[first + moved - 1:last + moved]))
        spans = [squeezed(span) for span in code_spans(paragraph(prose, named.start()))]
        if not any(span in held for span in spans if span != path):
            raise Problem(f"{named[0]}: {path} has there {held or 'nothing'}; nothing in backticks beside it is in that")
        if moved:
            old = named["first"] + (named["to"] + named["last"] if named["last"] else "")
            new = str(first + moved) + (named["to"] + str(last + moved) if named["last"] else "")
            start = named.start("first")
            self.edit(start, start + len(old), new, f"line {old} is {new} now; make notes writes it")

    def rewritten(self):
        return edited(self.text, [edit[:3] for edit in self.edits])


def main(arguments):
    try:
        check, root = options("quotes.py", arguments, "[--check] [--root FOLDER]")
    except Problem as problem:
        print(f"quotes.py: {problem}", file=sys.stderr)
        return 2
    pages = [Page(root, name) for name in page_names(root)]
    problems = [problem for page in pages for problem in page.problems]
    if check:
        problems += [why for page in pages for _, _, _, why in page.edits if why]
    for problem in problems:
        print(f"quotes.py: {problem}", file=sys.stderr)
    if problems:
        return 1
    for page in pages:
        if page.edits:
            write(os.path.join(root, page.name), page.rewritten())
            print(f"wrote {page.name}")
    print(f"{sum(len(page.quotes) for page in pages)} quotes agree with the source")
    return 0


if __name__ == "__main__":
    run(main)
