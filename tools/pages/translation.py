#!/usr/bin/env python3
"""translation.py --new PAGE: begins PAGE.zh-CN.md for an English page: all of it in English, each section to be translated.

make notes uses the rest. It writes the first line of a page: its other language, and of a lesson the ones before and after. Below
the title of a Chinese page stands what its sections were written from, and which of them are stale, for the reader, too:
    <!-- en: 1f0e9a 7c4281 -->       a hash of each English section
    > 译文待更新，以[英文版](README.md)为准：实测；原因
A section whose English text has changed joins that line. Whoever has translated it takes its name away, or the whole line. What
make notes itself writes (tables, pinned numbers, places of quoted lines) is no change. A fold may stay in English:
    <!-- fold in English -->
    [its name](README.md#next)       the first heading in the fold, or the one above it"""
import glob
import hashlib
import os
import re
import sys

sys.dont_write_bytecode = True
import pins
from chinese import FOLD, TABLE, chinese_of, english_of, is_chinese, localised, sections, strings
from page_markdown import CAPTION, FENCE, Problem, edited, headings, read, run, targets, write, written

HEAD = re.compile(r"^(?P<title># .*\n)(?:<!-- en:(?P<hashes>[^>]*)-->\n)?(?:> 译文待更新[^\n：]*：(?P<stale>[^\n]*)\n)?", re.M)
IN_ENGLISH = "（英文）"


def first_line(root, page):
    """The links that a page begins with. Of lessons GitHub shows no other way from one to another at the top."""
    other, name = english_of(page) if is_chinese(page) else chinese_of(page), os.path.basename(page)
    links = [f"[{'English' if is_chinese(page) else '中文'}]({os.path.basename(other)})"] if os.path.exists(os.path.join(root, other)) else []
    if re.fullmatch(r"steps/\d\d_\w+/README(\.zh-CN)?\.md", page):
        lessons = [os.path.basename(os.path.dirname(path)) for path in sorted(glob.glob(os.path.join(root, "steps/[0-9]*/README.md")))]
        at = lessons.index(page.split("/")[1])
        for lesson, form in ((at - 1, "← {}"), (at + 1, "{} →")):
            if 0 <= lesson < len(lessons):
                there = name if os.path.exists(os.path.join(root, "steps", lessons[lesson], name)) else "README.md"
                links.append(f"[{form.format(lessons[lesson])}](../{lessons[lesson]}/{there})")
    return " · ".join(links)


def with_first_line(root, page, text):
    line, title = first_line(root, page), re.search(r"^# ", text, re.M)
    return f"{line}\n\n{text[title.start():]}" if line and title else text


def hash_of(page, text):
    """Of a section without what make notes writes; where its lines break counts for nothing."""
    text = CAPTION.sub("", TABLE.sub(r"\1\2", pins.rewritten(page, text, lambda what: "0")))
    text = FENCE.sub(lambda fence: re.sub(r":\d+-\d+", "", fence[0], count=1), text)
    return hashlib.sha1(" ".join(re.sub(r"\b([Ll]ines?) \d+(?:(?:-|–| to | and )\d+)?", r"\1", text).split()).encode()).hexdigest()[:6]


def english_place(page, text, section):
    """Where a section is in the English page: its anchor, or for a fold that of the first heading in it, else of the last one above."""
    start, end = section.pieces[0]
    inside = [anchor for at, anchor in headings(text) if start <= at <= end]
    above = [anchor for at, anchor in headings(text) if at < start]
    return f"{os.path.basename(page)}#{(inside or above[-1:])[0]}"


def settled(root, page, text, english, report):
    """A Chinese page with its links and its head, beside the text of the English page."""
    parts, theirs = sections(text), sections(english)
    stay = [match.span() for pattern in (FOLD, TABLE) for match in pattern.finditer(text)] + [(0, parts[0].pieces[0][0] if parts else 0)]
    edits = [(start, end, localised(root, page, text[start:end])) for start, end in targets(written(text)) if not any(a <= start < b for a, b in stay)]
    if [part.kind for part in parts] != [section.kind for section in theirs]:
        report(f"{page}: its sections are not those of {english_of(page)}: {len(parts)} and {len(theirs)}")
        return edited(text, edits)
    for part, section in zip(parts, theirs):
        fold = FOLD.match(text, part.pieces[0][0])
        if fold:
            edits.append((*fold.span("target"), english_place(english_of(page), english, section)))
    head = HEAD.search(text)
    now = [hash_of(english_of(page), section.text(english)) for section in theirs]
    then, names = (head["hashes"] or "").split(), (head["stale"] or "").split("；")
    stale = [part.name for k, part in enumerate(parts) if not FOLD.match(text, part.pieces[0][0]) and (part.name in names or then and now[k] not in then)]
    lines = [" ".join(now[k:k + 15]) for k in range(0, len(now), 15)]
    made = head["title"] + "<!-- en: " + "\n     ".join(lines) + " -->\n"
    if stale:
        made += f"> 译文待更新，以[英文版]({os.path.basename(english_of(page))})为准：{'；'.join(stale)}\n"
        report(f"{page}: stale: {'; '.join(stale)}")
    return edited(text, [*edits, (*head.span(), made)])


def begun(page, text):
    """A Chinese page to be: the English text, its folds as links to English, and every section stale."""
    names = []
    for section in reversed(sections(text)):
        start, end = section.pieces[0]
        name = strings().get(section.name, re.sub(r"^(\d+_\w+): ", r"\1：", section.name))
        if section.kind == "fold" and section.name != "What the sources say" and page.startswith("steps/"):
            text = f"{text[:start]}<!-- fold in English -->\n[{name}{IN_ENGLISH}]({os.path.basename(page)}){text[end:]}"
        else:
            text = text[:start] + text[start:section.body].replace(section.name, name) + text[section.body:]
            names.insert(0, name)
    text = text[re.search(r"^# ", text, re.M).start():]
    return HEAD.sub(lambda head: f"{head['title']}> 译文待更新：{'；'.join(names)}\n", text, count=1)


def main(arguments):
    if len(arguments) != 2 or arguments[0] != "--new":
        print("usage: tools/pages/translation.py --new PAGE; make notes does the rest", file=sys.stderr)
        return 2
    page = arguments[1]
    if not page.endswith(".md") or is_chinese(page) or os.path.exists(chinese_of(page)):
        raise Problem(f"--new takes an English page that has no Chinese one yet, such as docs/gpu.md, not {page}")
    write(chinese_of(page), begun(page, read(page)))
    print(f"wrote {chinese_of(page)}: translate it section by section, and take the name of each from the line below the title; then make notes")
    return 0


if __name__ == "__main__":
    run(main)
