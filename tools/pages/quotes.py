"""quotes.py: keeps the code that the pages quote true to the source.

A quote is a fenced block that says where its lines stand, from the root of the repository:
    ```cuda steps/01_interleaved/reduce.cu:20-27
Where the lines have moved, it writes their new numbers, and so it does with "line 22" or "lines 22 to 25" in the text of the
page that lie within the quote. An empty block is filled. Above each stands a link to these lines, for GitHub does not show what
follows the ticks. Where the lines themselves have changed, it says so: somebody must read the page again."""
import os
import re

from page_markdown import CAPTION, FENCE, Problem, blank, edited, line_of, read

PLACE = re.compile(r"(?P<word>\w+) +(?P<path>[\w./-]+):(?P<first>\d+)-(?P<last>\d+) *")
NAMED = re.compile(r"\b(?P<word>[Ll]ines?) (?P<first>\d+)(?:(?P<to>-|–| to | and )(?P<last>\d+))?\b(?! of \[?`?[\w./-]+\.\w)")


def lines_now(root, place, body):
    """(first, last, text) of a quote as it should be."""
    path, first, last = place["path"], int(place["first"]), int(place["last"])
    if not os.path.isfile(os.path.join(root, path)):
        raise Problem(f"there is no file {path}")
    lines = read(os.path.join(root, path)).split("\n")
    if not body.strip():
        if not 1 <= first <= last <= len(lines):
            raise Problem(f"{path} has no lines {first}-{last}, but {len(lines)}")
        return first, last, "\n".join(lines[first - 1:last]) + "\n"
    wanted = body.rstrip("\n").split("\n")
    found = [i + 1 for i in range(len(lines) - len(wanted) + 1) if lines[i:i + len(wanted)] == wanted]
    if not found:
        raise Problem(f"{path} no longer has these lines {first}-{last}: empty the block, make notes fills it, and read the page again")
    begin = min(found, key=lambda line: abs(line - first))
    return begin, begin + len(wanted) - 1, body


def rewritten(root, page, text, report):
    """The text of a page with its quotes as they should be; report(line) is told what somebody must mend."""
    edits, quotes, captions = [], [], {caption.end(): caption.start() for caption in CAPTION.finditer(text)}
    for fence in FENCE.finditer(text):
        place = PLACE.fullmatch(fence["info"].strip())
        if not place:
            continue
        try:
            first, last, body = lines_now(root, place, fence["body"])
        except Problem as problem:
            report(f"{page}: line {line_of(text, fence.start())}: {problem}")
            continue
        quotes.append((fence.start(), int(place["first"]), int(place["last"]), first - int(place["first"])))
        link = os.path.relpath(place["path"], os.path.dirname(page) or ".")
        edits += [(captions.get(fence.start(), fence.start()), fence.start(), f"[`{os.path.basename(link)}:{first}-{last}`]({link}#L{first}-L{last})\n\n"),
                  (*fence.span("info"), f"{place['word']} {place['path']}:{first}-{last}"), (*fence.span("body"), body)]
    for named in NAMED.finditer(FENCE.sub(blank, text)):
        first, last = int(named["first"]), int(named["last"] or named["first"])
        around = [quote for quote in quotes if quote[1] <= first <= last <= quote[2]]
        if around:
            moved = ([quote for quote in around if quote[0] < named.start()] or around[:1])[-1][3]
            edits += [(*named.span(group), str(int(named[group]) + moved)) for group in ("first", "last") if named[group]]
    return edited(text, edits)
