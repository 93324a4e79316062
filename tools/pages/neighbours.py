#!/usr/bin/env python3
"""neighbours.py [--check] [--root FOLDER]: writes the first line of each lesson: the page in the other language, the lesson
before and the next. GitHub shows no other way from one to another at the top. With --check it lists what it would write."""
import glob
import os
import re
import sys

from chinese import chinese_of, english_of, is_chinese
from page_markdown import Problem, options, read, run, write


def first_line(root, page, before, after):
    """What the page begins with. before, after: folders of lessons, or None."""
    other = english_of(page) if is_chinese(page) else chinese_of(page)
    links = [f"[{'English' if is_chinese(page) else '中文'}]({os.path.basename(other)})"] if os.path.exists(os.path.join(root, other)) else []

    def link(lesson, text):
        name = os.path.basename(page) if os.path.exists(os.path.join(root, lesson, os.path.basename(page))) else "README.md"
        return f"[{text}](../{os.path.basename(lesson)}/{name})"
    links += [link(before, "← " + os.path.basename(before))] if before else []
    links += [link(after, os.path.basename(after) + " →")] if after else []
    return " · ".join(links)


def changes(root):
    """(page, its text as it should be) of each lesson's page that is not so."""
    lessons = [os.path.relpath(folder, root) for folder in sorted(glob.glob(os.path.join(root, "steps", "[0-9]*"))) if os.path.exists(os.path.join(folder, "README.md"))]
    for before, lesson, after in zip([None, *lessons], lessons, [*lessons[1:], None]):
        for page in (f"{lesson}/README.md", chinese_of(f"{lesson}/README.md")):
            if not os.path.exists(os.path.join(root, page)):
                continue
            text, line = read(os.path.join(root, page)), first_line(root, page, before, after)
            title = re.search(r"^# ", text, re.M)
            if not title:
                raise Problem(f"{page}: it has no title: a line that begins with #")
            new = (line + "\n\n" if line else "") + text[title.start():]
            if new != text:
                yield page, new


def main(arguments):
    try:
        check, root = options("neighbours.py", arguments, "[--check] [--root FOLDER]")
    except Problem as problem:
        print(f"neighbours.py: {problem}", file=sys.stderr)
        return 2
    wanted = list(changes(root))
    for page, text in wanted:
        if check:
            print(f"neighbours.py: {page}: line 1: not its neighbours; make notes writes them", file=sys.stderr)
        else:
            write(os.path.join(root, page), text)
            print(f"wrote {page}")
    return 1 if check and wanted else 0


if __name__ == "__main__":
    run(main)
