#!/usr/bin/env python3
"""translation.py --new PAGE: begins PAGE.zh-CN.md for an English page: all of it in English, each section to be translated.

make notes uses the rest. It writes the first line of a page: its other language, and of a lesson the ones before and after. Below
the title of a Chinese page stands what its sections were written from, and which of them are stale, for the reader, too:
    <!-- en: 1f0e9a 7c4281 -->       a hash of each English section
    > 译文待更新，以[英文版](README.md)为准：实测；原因
A section whose English text has changed joins that line. Whoever has translated it takes its name away, or the whole line. What
make notes itself writes (tables, pinned numbers, places of quoted lines) is no change. A fold may stay in English:
    <!-- fold in English -->
    [its name](README.md#next)       the first heading in the fold, or the one above it
X.md and X.zh-CN.md have the same sections in the same order: a heading with what follows it, or a fold (<details>) that stands
outside of another. chinese.csv has the headings that many pages have, and what generated tables say."""
import csv
import functools
import glob
import hashlib
import os
import re
import sys
import urllib.parse
from typing import NamedTuple

sys.dont_write_bytecode = True
import quotes
from page_markdown import CAPTION, FENCE, Problem, anchors, blank, edited, heading_text, headings, read, run, targets, write, written

SUFFIX = ".zh-CN.md"
STRINGS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "chinese.csv")
FOLD = re.compile(r"^<!-- fold in English -->\n\[(?P<text>[^\n]*)\]\((?P<target>[^)\n]*)\)$", re.M)
TABLE = re.compile(r"(<!-- table: [^\n]*? -->).*?(<!-- end -->)", re.S)


def is_chinese(page):
    return page.endswith(SUFFIX)


def english_of(page):
    return page[:-len(SUFFIX)] + ".md"


def chinese_of(page):
    return page[:-len(".md")] + SUFFIX


class Section(NamedTuple):
    """kind: #, ## ..., or fold; name: its heading, or its summary; body: where its first line ends; pieces: (start, end) of its text."""
    kind: str
    name: str
    body: int
    pieces: list

    def text(self, page):
        return "".join(page[start:end] for start, end in self.pieces)


MARKS = re.compile(r"^(?:(?P<level>#{1,6})[ \t]+(?P<heading>.*?)[ \t]*#*$|(?P<open><details>)(?:\s*<summary>(?P<summary>.*?)</summary>)?"
                   r"|(?P<close></details>)|(?P<english><!-- fold in English -->\n\[(?P<name>.*)\]\(.*\))$)", re.M)


def sections(text):
    """In order. What stands before the first heading is none: the link to the other language."""
    shown, found, parent, depth = re.sub(r"<!--(?! fold in English).*?-->", blank, FENCE.sub(blank, text), flags=re.S), [], None, 0
    for mark in MARKS.finditer(shown):
        depth += bool(mark["open"]) - bool(mark["close"])
        if mark["close"] and depth == 0 and parent:
            found[-1].pieces[-1][1] = mark.end()
            parent.pieces.append([mark.end(), len(text)])
        if depth > bool(mark["open"]) or mark["close"]:
            continue
        if found:
            (parent or found[-1]).pieces[-1][1] = mark.start()
        if mark["level"]:
            parent = Section(mark["level"], heading_text(mark["heading"]), mark.end(), [[mark.start(), len(text)]])
            found.append(parent)
        elif mark["open"]:
            found.append(Section("fold", heading_text(mark["summary"] or ""), mark.end(), [[mark.start(), len(text)]]))
        else:
            found.append(Section("fold", mark["name"], mark.end(), [[mark.start(), mark.end()]]))
            (parent or found[0]).pieces.append([mark.end(), len(text)])
    return found


# ---- links ----

@functools.lru_cache(None)
def places_of(root, page):
    """{anchor of the English page: anchor of the Chinese one}, and all anchors of both."""
    texts = [read(os.path.join(root, name)) for name in (english_of(page), page)]
    found = [{}, {}]
    for text, numbered in zip(texts, found):
        parts = sections(text)
        for end, anchor in headings(text):
            index = next((i for i, part in enumerate(parts) if any(start <= end <= stop for start, stop in part.pieces)), None)
            numbered[index, sum(key[0] == index for key in numbered)] = anchor
    return {anchor: found[1][key] for key, anchor in found[0].items() if key in found[1]}, *map(anchors, texts)


def localised(root, page, target):
    """Where a link of a Chinese page leads that leads to an English one: to the same place in Chinese, if there is one."""
    url = urllib.parse.urlsplit(target)
    if url.scheme or url.netloc:
        return target
    file = os.path.normpath(os.path.join(os.path.dirname(page), url.path)) if url.path else english_of(page)
    if file.endswith(".svg"):  # a picture that has Chinese words, too, shows them for #zh
        return url.path + "#zh" * ("id='zh'" in read(os.path.join(root, file))) if os.path.exists(os.path.join(root, file)) else target
    if is_chinese(file) or not file.endswith(".md") or not os.path.exists(os.path.join(root, chinese_of(file))):
        return target
    there, fragment = chinese_of(file), urllib.parse.unquote(url.fragment)
    same, theirs, ours = places_of(root, there)
    if fragment and fragment not in same and fragment not in ours:  # in a fold that is in English
        return f"{os.path.basename(file)}#{fragment}" if not url.path and fragment in theirs else target
    path = chinese_of(url.path) if url.path else ""
    return path + (f"#{same.get(fragment, fragment)}" if fragment else "")


def link_edits(root, page, text, but=()):
    """Of the text of a Chinese page, for these links; but: (start, end) of what stays."""
    return [(start, end, localised(root, page, text[start:end])) for start, end in targets(written(text)) if not any(a <= start < b for a, b in but)]


# ---- generated tables ----

@functools.lru_cache(None)
def strings():
    """{English text: Chinese text} of the table of strings; {} stands for anything, and is taken over in order."""
    with open(STRINGS, encoding="utf-8", newline="") as file:
        return dict(list(csv.reader(file))[1:])


@functools.lru_cache(None)
def patterns():
    return [(re.compile(re.escape(english).replace(r"\{\}", "(.+?)")), chinese) for english, chinese in strings().items()]


@functools.lru_cache(None)
def string(text, is_name):
    """A cell or a line in Chinese. is_name(text): what may stay as it is."""
    for english, chinese in patterns():
        found = english.fullmatch(text)
        if found:
            return chinese.format(*(string(part, bool) for part in found.groups()))
    if is_name(text):
        return text
    raise Problem(f'no Chinese for "{text}": add it to tools/pages/chinese.csv')


# What needs no Chinese: in a header v0, `branch`, GB/s, n; in a line and in a cell.
is_header_name = lambda text: not re.search(r"[a-z]{2}", text) or bool(re.search(r"[\d_`]|^\[", text)) and " " not in text
is_line_name = lambda text: not re.search("[a-z]{2}", text)
is_cell_name = lambda text: not re.search(r"[A-Za-z]{2,},? [a-z]{2,}", re.sub(r"`[^`]*`|\]\([^)]*\)", "", text))


def table(root, page, made):
    """A generated table, or line, of a Chinese page."""
    lines, code = made.split("\n"), False
    for number, line in enumerate(lines):
        code ^= line.startswith("```")
        if code or line.startswith("```"):  # what a program printed stays
            continue
        if line.startswith("|"):
            is_header = number + 1 < len(lines) and re.match(r"\| *:?-+", lines[number + 1])
            cells = [string(cell, is_header_name if is_header else is_cell_name) for cell in line.strip("| ").split(" | ")]
            lines[number] = "| " + " | ".join(cells) + " |" if not re.match(r"\| *:?-+", line) else line
        elif line.strip():
            lines[number] = string(line, is_line_name)
    made = "\n".join(lines)
    return edited(made, link_edits(root, page, made))


# ---- what make notes writes ----

HEAD = re.compile(r"^(?P<title># .*\n)(?:<!-- en:(?P<hashes>[^>]*)-->\n)?(?:> 译文待更新[^\n：]*：(?P<stale>[^\n]*)\n)?", re.M)
IN_ENGLISH = "（英文）"


def with_first_line(root, page, text):
    """It begins with links. Of lessons GitHub shows no other way from one to another at the top."""
    other, name = english_of(page) if is_chinese(page) else chinese_of(page), os.path.basename(page)
    links = [f"[{'English' if is_chinese(page) else '中文'}]({os.path.basename(other)})"] if os.path.exists(os.path.join(root, other)) else []
    if re.fullmatch(r"steps/\d\d_\w+/README(\.zh-CN)?\.md", page):
        lessons = [os.path.basename(os.path.dirname(path)) for path in sorted(glob.glob(os.path.join(root, "steps/[0-9]*/README.md")))]
        at = lessons.index(page.split("/")[1])
        for form, lesson in [("← {}", lesson) for lesson in lessons[:at][-1:]] + [("{} →", lesson) for lesson in lessons[at + 1:at + 2]]:
            there = name if os.path.exists(os.path.join(root, "steps", lesson, name)) else "README.md"
            links.append(f"[{form.format(lesson)}](../{lesson}/{there})")
    title = re.search(r"^# ", text, re.M)
    return f"{' · '.join(links)}\n\n{text[title.start():]}" if links and title else text


def hash_of(page, text):
    """Of a section without what make notes writes; where its lines break counts for nothing."""
    text = CAPTION.sub("", TABLE.sub(r"\1\2", quotes.with_pins(page, text, lambda what: "0")))
    text = FENCE.sub(lambda fence: re.sub(r":\d+-\d+", "", fence[0], count=1), text)
    return hashlib.sha1(" ".join(re.sub(r"\b([Ll]ines?) \d+(?:(?:-|–| to | and )\d+)?", r"\1", text).split()).encode()).hexdigest()[:6]


def settled(root, page, text, english, report):
    """A Chinese page with its links and its head, beside the text of the English page."""
    parts, theirs = sections(text), sections(english)
    head = HEAD.search(text)
    stay = [match.span() for pattern in (FOLD, TABLE) for match in pattern.finditer(text)] + [(0, head.end())]
    edits = link_edits(root, page, text, stay)
    if [part.kind for part in parts] != [section.kind for section in theirs]:
        report(f"{page}: its sections are not those of {english_of(page)}: {len(parts)} and {len(theirs)}")
        return edited(text, edits)
    for part, section in zip(parts, theirs):
        fold, (start, end) = FOLD.match(text, part.pieces[0][0]), section.pieces[0]
        if fold:  # leads to the first heading in it, else to the last one above
            inside = [anchor for at, anchor in headings(english) if start <= at <= end]
            above = [anchor for at, anchor in headings(english) if at < start]
            edits.append((*fold.span("target"), f"{os.path.basename(english_of(page))}#{(inside or above[-1:])[0]}"))
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
