"""quotes.py: what a page repeats from elsewhere is kept true to it: code of the sources, and numbers of results/.

A quote is a fenced block that says where its lines stand, from the root of the repository:
    ```cuda steps/01_interleaved/reduce.cu:20-27
Where the lines have moved, it writes their new numbers, and so it does with "line 22" or "lines 22 to 25" in the text of the
page that lie within the quote. An empty block is filled. Above each stands a link to these lines, for GitHub does not show what
follows the ticks. Where the lines themselves have changed, it says so: somebody must read the page again.

A number is typed, and pinned by one comment after its paragraph or table, in which it stands as often as it is pinned:
    <!-- 1.87 = h200 v0/v1 256M median_us; 677 = h200 v1 256M gbps -->"""
import os
import re

from page_markdown import CAPTION, FENCE, UNMEASURED, Problem, blank, edited, line_of, read, without_code, written

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


# ---- pinned numbers ----

COMMENT = re.compile(r"<!--\s+(?P<pins>[-\d](?:(?!-->).)*?)\s*-->", re.S)
PIN = re.compile(r"(?P<number>\S[^=]*?)\s+=\s+(?P<what>[^=;]*\S)")


def numbers_in(text, number):
    """Where it stands: not within a word or a longer number, as 2^28, 1.87 or 64K for 28, 1 or 64."""
    pattern = r"\s+".join(map(re.escape, number.split()))
    return list(re.finditer(rf"(?<![\w^])(?<!\d[.,]){pattern}(?!\w|[.,]\d)", text))


def with_pins(page, text, make_value):
    """The text of a page with its numbers as they should be, in the paragraphs and in the comments."""
    visible, edits = without_code(text), []
    for comment in COMMENT.finditer(visible):
        end = len(text[:comment.start()].rstrip())
        start = max((gap.end() for gap in re.finditer(r"\n[ \t]*\n", text[:end])), default=0)  # of the paragraph before
        try:
            edits += edits_of(comment, make_value, written(text)[start:end], start)
        except Problem as problem:
            raise Problem(f"{page}: line {line_of(text, comment.start())}: {problem}")
    return edited(text, edits)


def edits_of(comment, make_value, paragraph, start):
    """(start, end, new text) of each number that changes."""
    places, position = {}, comment.start("pins")
    for part in comment["pins"].split(";"):
        pin = PIN.fullmatch(part.strip())
        if not pin:
            raise Problem(f"{part.strip()}: a pin is NUMBER = what a value takes, as in 1.87 = h200 v0/v1 256M median_us")
        begin = position + part.index(part.strip())
        places.setdefault(pin["number"], []).append((begin, begin + len(pin["number"]), make_value(pin["what"].split())))
        position += len(part) + 1
    for number, pinned in places.items():
        found = numbers_in(paragraph, number)
        if not found:
            raise Problem(f"{number} does not stand in the paragraph before")
        if len(found) != len(pinned):
            raise Problem(f"{number} stands {len(found)} times in the paragraph before, and is pinned {len(pinned)} times")
        for place, (begin, end, new) in zip(found, pinned):
            if new == UNMEASURED:
                raise Problem(f"{number} is not measured; a pinned number must be")
            if re.search(r"[=;<>|\\`]|--", new):
                raise Problem(f"{number} is no number or name that a pin can hold: {new}")
            if new != number:
                yield begin, end, new
                yield start + place.start(), start + place.end(), new
