#!/usr/bin/env python3
"""docs/messages.md, in both languages, explains each message of the simulator: what a simt_fault(), simt_wrong() or simt_note()
says. A message without a row is found, and so is a row without a message."""
import glob
import re
import sys

sys.dont_write_bytecode = True
from run_notes import ROOT
from tap import ok
import tap

# Of an option, or of what the machine lacks: the line itself says what to do.
PLAIN = re.compile(r"^no memory|is needed|SIMT_EXPLORE|no thread can be started|^…$|^simt_gpus")


def shape(text):
    """Names and numbers are …"""
    return re.sub(r"0x…", "…", re.sub(r"%[-0-9.]*(?:zu|zx|llu|ld|[sudpxg])", "…", text))


def messages(code):
    """Each text that a call may say: all of its strings before the values, and where there is a choice of two, either."""
    found = set()
    for call in re.finditer(r"\bsimt_(?:fault|wrong|note)\s*\(", code):
        words, depth = [], 0
        for token in re.finditer(r'/\*.*?\*/|"(?:[^"\\]|\\.)*"|[()?:,]|[^"()?:,/]+|/', code[call.end() - 1:], re.S):
            text = token[0]
            depth += (text == "(") - (text == ")")
            if depth == 0:
                break
            if not text.startswith("/*") and text.strip():
                words.append(text)
        strings, joined, choice = [], None, False
        for word in words + [","]:
            if word.startswith('"'):
                joined = (joined or "") + word[1:-1]
            elif joined is not None:
                strings.append(joined)
                joined = None
                if word == ",":  # the format ends: what follows are values
                    break
                choice = word == ":"
            if word == "," and strings:
                break
        found |= {shape(text) for text in (strings if choice or len(strings) == 2 else strings[:1])}
    return {text for text in found if not PLAIN.search(text)}


def rows(page):
    """The messages that a page lists: - `message`: what it means."""
    return [row["text"] for row in re.finditer(r"^- (`+)(?P<text>.+?)\1[:：]", re.sub(r"\n  +", " ", page), re.M)]


def differences(code, english, chinese, race=""):
    """What is wrong with the pages."""
    said, explained = messages(code), [shape(row) for row in rows(english)]
    problems = [f"docs/messages.md: no row for {text}" for text in sorted(said - set(explained))]
    problems += [f"docs/messages.md: nothing says {text}" for text in explained if text not in said and text not in shape(race)]
    return problems + ([] if rows(english) == rows(chinese) else ["docs/messages.zh-CN.md: other messages than docs/messages.md"])


def read(name):
    with open(name, encoding="utf-8") as file:
        return file.read()


CODE = 'simt_fault(t, pc, "reads %u bytes " /* of */ "at %p", f(x), "writes"); simt_wrong(NULL, p, b ? "one (1)" : "two"); simt_fault(0, 0, "no memory left");'
PAGE = "- `reads … bytes\n  at …`: x\n- `one (1)`: y\n- `two`: z\n"
ok(differences(CODE, PAGE, PAGE.replace("x", "甲")) == [], "pages that have each message", differences(CODE, PAGE, PAGE))
for what, english, chinese, said in (("no row", PAGE.replace("- `two`: z\n", ""), None, "no row for two"), ("another message", PAGE.replace("one", "won"), None, "nothing says won (1)"),
                                     ("another in Chinese", PAGE, PAGE.replace("two", "too"), "docs/messages.zh-CN.md: other messages")):
    found = differences(CODE, english, chinese or english)
    ok(any(said in line for line in found), f"a fault: {what}", found)

code = "\n".join(map(read, sorted(glob.glob(ROOT + "/simulator/*.c") + glob.glob(ROOT + "/simulator/extras/*.c"))))
race = re.sub(r'"\s*"', "", read(ROOT + "/simulator/race.c"))
found = differences(code, read(ROOT + "/docs/messages.md"), read(ROOT + "/docs/messages.zh-CN.md"), race)
ok(len(messages(code)) > 60 and not found, f"{len(messages(code))} messages of the simulator are explained", "\n".join(found))
tap.done()
