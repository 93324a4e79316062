"""docs/messages.md has a row for each message of the simulator: for what a simt_fault(), simt_wrong() or simt_note() says."""
import glob
import re

import pytest
from common import read

# Of an option, or of what the machine lacks: the line itself says what to do.
PLAIN = re.compile(r"^no memory|is needed|SIMT_EXPLORE|ulimit -s|no thread can be started|^…$|^simt_gpus")
TOKEN = re.compile(r'/\*.*?\*/|"(?:[^"\\]|\\.)*"|[()?:,]|[^"()?:,/]+|/', re.S)


def shape(text):
    """Names and numbers are …"""
    return re.sub(r"0x…", "…", re.sub(r"%[-0-9.]*(?:zu|zx|llu|ld|[sudpxg])", "…", text))


def messages(code):
    """Each text that a call may say: all of its strings before the values, and where there is a choice of two, either."""
    found = set()
    for call in re.finditer(r"\bsimt_(?:fault|wrong|note)\s*\(", code):
        depth, strings, joined, choice = 0, [], None, False
        for word in filter(str.strip, (token[0] for token in TOKEN.finditer(code, call.end() - 1))):
            depth += (word == "(") - (word == ")")
            if word.startswith('"'):
                joined = (joined or "") + word[1:-1]
            elif joined is not None and not word.startswith("/*"):
                strings, joined, choice = strings + [joined], None, word == ":"
            if depth == 0 or word == "," and strings:  # the format ends: what follows are values
                break
        found |= {shape(text) for text in (strings if choice or len(strings) == 2 else strings[:1])}
    return {text for text in found if not PLAIN.search(text)}


def missing(code, page):
    rows = {shape(row[2]) for row in re.finditer(r"^- (`+)(.+?)\1:", re.sub(r"\n  +", " ", page), re.M)}
    return sorted(messages(code) - rows)


@pytest.mark.parametrize("old, new, wanted", [("", "", []), ("- `two`: z\n", "", ["two"]), ("one", "won", ["one (1)"])])
def test_a_message_without_a_row_is_found(old, new, wanted):
    code = 'simt_fault(t, pc, "reads %u bytes " /* of */ "at %p", f(x), "writes"); simt_wrong(NULL, p, b ? "one (1)" : "two"); simt_fault(0, 0, "no memory left");'
    assert missing(code, "- `reads … bytes\n  at …`: x\n- `one (1)`: y\n- `two`: z\n".replace(old, new)) == wanted


def test_each_message_is_explained():
    code = "".join(map(read, glob.glob("simulator/*.c") + glob.glob("simulator/extras/*.c")))
    assert len(messages(code)) > 60
    assert missing(code, read("docs/messages.md")) == []
