"""lesson_shape.py: what a reader of a lesson meets before the folds, and in which order.

A lesson (README.md of a step, or of the toolbox) shows an idea first and the proof in a fold,
<details>. Above the folds it has the headings of ORDER, at most MOST_WORDS words and MOST_FIGURES
figures; one that needs more stands in MORE. Words are those of the text and of tables; figures are the numbers in them that
are no name of a step or a document, and no plain count up to twelve. Code, comments and the targets
of links do not count, nor does what the picture of the idea shows: its description.
"""
import glob
import math
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools", "pages"))
from page_markdown import CAPTION

ORDER = ["The idea", "The kernel, line by line", "Predict", "Measured", "Why", "Careful", "Practice", "Next"]
MOST_WORDS, MOST_FIGURES = 1200, 40
WORDS_A_MINUTE, LINES_A_MINUTE = 70, 7  # and half a minute for each block of commands
MOST_WORDS_OF_A_SENTENCE = 30  # CONTRIBUTING.md asks for 20; this is where no reader follows
MOST_MINUTES = 180  # of lessons 00 to 07 together
MORE = {"steps/00_baselines/README.md": (1500, 40)}


def above_the_folds(text):
    text = re.sub(r"\A\[中文\].*", "", text)  # the link to the other language
    text = re.sub(r"<details>.*?</details>", " ", CAPTION.sub("", text), flags=re.S)
    text = re.sub(r"^```.*?^```", " ", text, flags=re.S | re.M)
    text = re.sub(r"!\[[^\]\n]*\]\(\S*/plots/idea/\S+\)", " ", text)
    return re.sub(r"<!--.*?-->", " ", text, flags=re.S)


def spent(text):
    """(words, figures)"""
    seen = re.sub(r"`[^`\n]*`", " code ", above_the_folds(text))
    seen = re.sub(r"!?\[((?:[^\[\]]|\[[^\]]*\])*)\]\([^)]*\)", r" \1 ", seen)
    words = re.findall(r"[^\W\d_][\w'’-]*", seen)
    named = re.sub(r"(?i)\b(steps?|lessons?|sources?|documents?)\s+\d+(\s*(,|and|to|–|-)\s*\d+)*", " ", seen)
    named = re.sub(r"\b[A-Za-z_]\w*", " ", named)
    figures = [x for x in re.findall(r"\d+(?:[.,]\d+)*", named) if not re.fullmatch(r"\d|1[0-2]|0\d", x)]
    return len(words), len(figures)


def minutes(text):
    """To read a lesson and to run its commands, without exercises and folds: docs/measuring.md has the rule."""
    lesson = re.sub(r"^## Practice\n.*?(?=^## |\Z)", "", re.sub(r"<details>.*?</details>", " ", text, flags=re.S), flags=re.S | re.M)
    code = [line for block in re.findall(r"^```(?:c|cuda)\b[^\n]*\n(.*?)^```", lesson, re.S | re.M) for line in block.split("\n") if line.strip()]
    return math.ceil(spent(lesson)[0] / WORDS_A_MINUTE + len(code) / LINES_A_MINUTE + len(re.findall(r"^```sh$", lesson, re.M)) / 2)


def lessons(root):
    """(page, text) of each."""
    for pattern in ("steps/*/README.md", "steps/toolbox/README.md", "steps/toolbox/*/README.md"):
        for path in sorted(glob.glob(os.path.join(root, pattern))):
            with open(path, encoding="utf-8") as file:
                yield os.path.relpath(path, root), file.read()


def problems(root):
    found = []
    for page, text in lessons(root):
        limits = MORE.get(page, (MOST_WORDS, MOST_FIGURES))
        found += [f"{page}: {count} {what} above the folds, {most} at most"
                  for what, count, most in zip(("words", "figures"), spent(text), limits) if count > most]
        found += heading_problems(page, text)
    return found


def sentence_problems(root):
    """Sentences above the folds that are too long. A part up to a colon or semicolon is one; code, tables and pictures do not count."""
    found = []
    for page, text in lessons(root):
        seen = re.sub(r"!\[[^\]]*\]\([^)]*\)", " ", above_the_folds(text))
        seen = re.sub(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\([^)]*\)", r"\1", re.sub(r"`[^`\n]*`", "code", seen))
        parts = [part.strip() for part in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.)\s)|\n(?=[#|])", seen)]
        sentences = [" ".join(sentence.split()) for part in parts if not part.startswith(("#", "|", "<"))
                     for sentence in re.split(r"(?<=[.!?;:])[\"”)*_]*\s+", part)]
        found += [f"{page}: a sentence of {count} words, {MOST_WORDS_OF_A_SENTENCE} at most: {sentence[:60]}" for sentence in sentences
                  for count in [len(re.findall(r"\S*\w\S*", sentence))] if count > MOST_WORDS_OF_A_SENTENCE]
    return found


def heading_problems(page, text):
    """The first place where the headings are not those of ORDER."""
    headings = re.findall(r"^## (.*)", above_the_folds(text), re.M) + ["(the end)"]
    for heading, wanted in zip(headings, ORDER + ["(the end)"]):
        if heading != wanted:
            line = 1 + (text[:text.index(f"\n## {heading}\n") + 1] if heading in re.findall(r"^## (.*)", text, re.M) else text.rstrip()).count("\n")
            here = "the page ends" if heading == "(the end)" else f"## {heading} stands"
            return [f"{page}: line {line}: {here} where " + (f"## {wanted} belongs" if wanted in ORDER else "no more belongs")
                    + f"; a lesson has, above the folds and in this order: {', '.join(ORDER)}"]
    return []


def minutes_problems(root):
    """Each lesson states the minutes of the rule, and the first eight keep within theirs."""
    found, first = [], 0
    for page, text in lessons(root):
        right, stated = minutes(text), re.search(r"^\*(\d+) minutes", text, re.M)
        if stated and int(stated[1]) != right:
            found.append(f"{page}: line {1 + text.count(chr(10), 0, stated.start())}: states {stated[1]} minutes; by the rule of docs/measuring.md it takes {right}")
        first += right if re.match(r"steps/0[0-7]", page) else 0
    return found + [f"lessons 00 to 07 take {first} minutes, {MOST_MINUTES} at most"] * (first > MOST_MINUTES)
