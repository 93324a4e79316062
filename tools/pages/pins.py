"""pins.py: numbers that are typed, and pinned by one comment after their paragraph or table:
    <!-- 1.87 = h200 v0/v1 256M median_us; 677 = h200 v1 256M gbps -->
Each number stands in the paragraph as often as it is pinned."""
import re

from figures import UNMEASURED
from page_markdown import Problem, blank, edited, line_of, without_code

COMMENT = re.compile(r"<!--\s+(?P<pins>[-\d](?:(?!-->).)*?)\s*-->", re.S)
PIN = re.compile(r"(?P<number>\S[^=]*?)\s+=\s+(?P<what>[^=;]*\S)")


def numbers_in(text, number):
    """Where it stands: not within a word or a longer number, as 2^28, 1.87 or 64K for 28, 1 or 64."""
    pattern = r"\s+".join(map(re.escape, number.split()))
    return list(re.finditer(rf"(?<![\w^])(?<!\d[.,]){pattern}(?!\w|[.,]\d)", text))


def paragraph_before(text, position):
    """Where the paragraph begins that ends before a comment."""
    end = len(text[:position].rstrip())
    return max((gap.end() for gap in re.finditer(r"\n[ \t]*\n", text[:end])), default=0), end


def edits(page, text, make_value):
    """(start, end, new text) of each number that changes, in the paragraphs and in the comments."""
    visible = without_code(text)
    prose = re.sub(r"<!--.*?-->", blank, visible, flags=re.S)
    for comment in COMMENT.finditer(visible):
        start, end = paragraph_before(text, comment.start())
        try:
            yield from edits_of(comment, make_value, prose[start:end], start)
        except Problem as problem:
            raise Problem(f"{page}: line {line_of(text, comment.start())}: {problem}")


def edits_of(comment, make_value, paragraph, start):
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


def rewritten(page, text, make_value):
    return edited(text, edits(page, text, make_value))
