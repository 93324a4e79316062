#!/usr/bin/env python3
"""budget.py [--root FOLDER]: what a reader of a lesson meets above the folds: words and figures.

A lesson (README.md of a step) shows an idea first and the proof behind a fold, <details>. Above
the folds it has at most MOST_WORDS words and MOST_FIGURES figures; a lesson may ask for more in MORE.
Words are those of the text and of tables; figures are numbers in them that are no name of a step,
a variant or a document, and no plain count up to twelve. Code, comments, links' targets and
generated markers do not count. Prints a line for each lesson; exit status 1 if one is over.
"""
import glob
import os
import re
import sys

MOST_WORDS, MOST_FIGURES = 1200, 40
MORE = {"00_baselines": (1500, 40)}
HELD = tuple("01234567")  # the lessons 00 to 07, by their second digit; those behind them are longer yet


def above_the_folds(text):
    text = re.sub(r"<details>.*?</details>", " ", text, flags=re.S)
    text = re.sub(r"^```.*?^```", " ", text, flags=re.S | re.M)
    text = re.sub(r"<!--.*?-->", " ", text, flags=re.S)
    text = re.sub(r"`[^`\n]*`", " code ", text)
    return re.sub(r"!?\[((?:[^\[\]]|\[[^\]]*\])*)\]\([^)]*\)", r" \1 ", text)


def spent(text):
    """(words, figures)"""
    seen = above_the_folds(text)
    words = re.findall(r"[^\W\d_][\w'’-]*", seen)
    named = re.sub(r"(?i)\b(steps?|lessons?|sources?|documents?)\s+\d+(\s*(,|and|to|–|-)\s*\d+)*", " ", seen)
    named = re.sub(r"\b[A-Za-z_]\w*", " ", named)
    figures = [x for x in re.findall(r"\d+(?:[.,]\d+)*", named) if not re.fullmatch(r"\d|1[0-2]|0\d", x)]
    return len(words), len(figures)


def problems(root):
    found = []
    for path in sorted(glob.glob(os.path.join(root, "steps", "*", "README.md"))):
        name = os.path.basename(os.path.dirname(path))
        if not (name[0] == "0" and name[1] in HELD):
            continue
        with open(path, encoding="utf-8") as file:
            words, figures = spent(file.read())
        most_words, most_figures = MORE.get(name, (MOST_WORDS, MOST_FIGURES))
        for what, count, most in (("words", words, most_words), ("figures", figures, most_figures)):
            if count > most:
                found.append(f"steps/{name}/README.md: {count} {what} above the folds, {most} at most")
    return found


if __name__ == "__main__":
    ROOT = sys.argv[2] if sys.argv[1:2] == ["--root"] else os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    for path in sorted(glob.glob(os.path.join(ROOT, "steps", "*", "README.md"))):
        with open(path, encoding="utf-8") as file:
            print("%-20s %5d words %4d figures" % ((os.path.basename(os.path.dirname(path)),) + spent(file.read())))
    lines = problems(ROOT)
    print(*lines, sep="\n")
    sys.exit(bool(lines))
