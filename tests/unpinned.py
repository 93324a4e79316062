"""What tests/docs.t asks of the figures with a unit in the text of the pages, outside code and generated tables. A comment
pins them to results/. What no comment pins is a prediction, arithmetic that is shown, another's figure, of a run that is
named, rounded in words, or a cell of a table of its page; else tests/unpinned.txt says why it is right."""
import math
import os
import re

import pins
from chinese import is_chinese
from page_markdown import blank, line_of, page_names, read, without_code

UNIT = r"(?:µs|ns|ms|GB/s|TB/s|%)"
FIGURE = re.compile(rf"(?<![\w^.,–])(?P<number>\d[\d,]*(?:\.\d+)?)(?:\s(?:and|or|to|instead of|in place of)\s\d[\d,.]*)*\s{UNIT}(?!\w)")
SUM = re.compile(r"(?<![-−+×·/=]\s)(?<![\w.,^(])(\d[\d,]*(?:\.\d+)?) ([-−+×·/]) (\d[\d,]*(?:\.\d+)?) = (-?\d[\d,]*(?:\.\d+)?)(?![\w^]| [·×/]|[.,]\d)( ?%)?")
# What a figure may be that no comment pins: a prediction, another's figure with its source, a run that is named, arithmetic
# that is shown, or a figure that says of itself that it is rounded.
FORESEEN = re.compile(r"(?i)\b(predict\w*|expect\w*|aim\w*|thought|guess\w*|assum\w*|would|should|must|model|hypothes\w*)\b")
ELSEWHERE = re.compile(r"https?://|\bsource 00\d|\b00\d\b|\breports?\b|\bpublished\b|results/|trials?\b|\.(?:csv|txt)\b|commits? [0-9a-f]{7}|\((?:P|D)\)|confidence|interval")
WORKED = re.compile(r"[=×·]|\d / \d")
ROUNDED = re.compile(r"(?i)\b(some|nearly|about|within|most|least|than|below|above|just|almost|roughly|up to|by)\s(?:the\s|a\s)?(?:\w+\s)?$|between [\d.]+ and $")
BLOCK = re.compile(r"(?:^[ \t]*\n|^(?=[ \t]*(?:[-*]|\d+\.) )|^(?=\|))", re.M)


def number_of(text):
    return float(text.replace(",", "").replace("−", "-"))


def figure_sources(root):
    """Of each figure with a unit in the text of the pages: (page, line, figure, why nothing need pin it, or None)."""
    for name in page_names(root):
        if is_chinese(name):
            continue  # its figures are those of the English page: tests/translation.t
        text = read(os.path.join(root, name))
        visible = without_code(text)
        made = " ".join(re.findall(r"<!-- table:.*?<!-- end -->", visible, re.S))
        visible = re.sub(r"<!-- table:.*?<!-- end -->", blank, visible, flags=re.S)
        prose = re.sub(r"<!--.*?-->", blank, visible, flags=re.S)
        pinned = set()
        for comment in pins.COMMENT.finditer(visible):
            start, end = pins.paragraph_before(text, comment.start())
            for part in comment["pins"].split(";"):
                number = pins.PIN.fullmatch(part.strip())["number"]
                pinned.update(start + found.start() for found in pins.numbers_in(prose[start:end], number))
        ends = [found.start() for found in BLOCK.finditer(prose)] + [len(prose)]
        headings = [(found.start(), found[0]) for found in re.finditer(r"^#+ .*$", prose, re.M)]
        for figure in FIGURE.finditer(prose):
            if figure.start() in pinned:
                continue
            start = max(end for end in ends if end <= figure.start())
            block = prose[start:min(end for end in ends if end > figure.start())]
            sentence = re.split(r"(?<=[.:?!])\s", prose[start:figure.start()])[-1] + re.split(r"(?<=[.:?!])\s", prose[figure.start():start + len(block)])[0]
            heading = max((h for h in headings if h[0] < figure.start()), default=(0, ""))[1]
            section = text[max((h[0] for h in headings if h[0] < figure.start()), default=0):start + len(block)]
            why = ("foreseen" if FORESEEN.search(sentence) or re.search(r"\*\*(?:Expected|Predict)|Expected: ", block) or re.search(r"(?i)predict|aims|first written", heading) else
                   "elsewhere" if ELSEWHERE.search(text[start:start + len(block)]) or "results/" in section and "/trials/" in section else
                   "worked" if WORKED.search(sentence) else
                   "rounded" if ROUNDED.search(prose[max(0, figure.start() - 40):figure.start()]) else
                   "table" if re.search(rf"[|] (?:\**|.* · ){re.escape(figure['number'])}\**(?: [|·x×]|%)", made) else None)
            yield name, line_of(text, figure.start()), " ".join(figure[0].split()), why, " ".join(sentence.split())


def problems(root):
    """A figure without any of these, a sum that is shown and wrong, a line of unpinned.txt without need."""
    path = os.path.join(root, "tests", "unpinned.txt")
    listed = {tuple(line.split(": ", 2)[:2]): line for line in read(path).splitlines()} if os.path.exists(path) else {}
    found, used = [], set()
    for name, line, figure, why, sentence in figure_sources(root):
        if why is None and (name, figure) in listed:
            used.add((name, figure))
        elif why is None:
            found.append(f"{name}: line {line}: {figure}: not pinned, no arithmetic, no source: {sentence[:80]}")
    found += [f"tests/unpinned.txt: {line}: no page needs it" for key, line in listed.items() if key not in used]
    for name in page_names(root):
        prose = re.sub(r"<!--.*?-->", blank, without_code(read(os.path.join(root, name))), flags=re.S)
        for shown in SUM.finditer(prose):
            a, b, total = (number_of(shown[k]) for k in (1, 3, 4))
            right = {"+": a + b, "×": a * b, "·": a * b, "/": a / b if b else math.inf}.get(shown[2], a - b) * (100 if shown[5] else 1)
            if abs(right - total) > 0.51 * 10.0 ** -len(shown[4].partition(".")[2]):
                found.append(f"{name}: line {line_of(prose, shown.start())}: {shown[0]}: it is {right:g}")
    return found
