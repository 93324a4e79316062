"""chinese.py: how a page and its Chinese version belong together: X.md and X.zh-CN.md have the same sections in the same
order. A section is a heading with what follows it, or a fold (<details>) that stands outside of another. chinese.csv is the
table of strings: headings that many pages have, and what generated tables say."""
import csv
import functools
import os
import re
import urllib.parse
from typing import NamedTuple

from page_markdown import FENCE, Problem, anchors, blank, heading_text, headings, read, targets, written

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
            close_piece(found[-1], mark.end())
            parent.pieces.append([mark.end(), len(text)])
        if depth > bool(mark["open"]) or mark["close"]:
            continue
        if found:
            close_piece(parent or found[-1], mark.start())
        if mark["level"]:
            parent = Section(mark["level"], heading_text(mark["heading"]), mark.end(), [[mark.start(), len(text)]])
            found.append(parent)
        elif mark["open"]:
            found.append(Section("fold", heading_text(mark["summary"] or ""), mark.end(), [[mark.start(), len(text)]]))
        else:
            found.append(Section("fold", mark["name"], mark.end(), [[mark.start(), mark.end()]]))
            (parent or found[0]).pieces.append([mark.end(), len(text)])
    return found


def close_piece(section, position):
    section.pieces[-1][1] = position


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
    if file.endswith(".svg"):  # a picture, where it is drawn in Chinese, too
        other = file.removesuffix(".svg") + ".zh-CN.svg"
        return target.removesuffix(".svg") + ".zh-CN.svg" if os.path.exists(os.path.join(root, other)) else target
    if is_chinese(file) or not file.endswith(".md") or not os.path.exists(os.path.join(root, chinese_of(file))):
        return target
    there, fragment = chinese_of(file), urllib.parse.unquote(url.fragment)
    same, theirs, ours = places_of(root, there)
    if fragment and fragment not in same and fragment not in ours:  # in a fold that is in English
        return f"{os.path.basename(file)}#{fragment}" if not url.path and fragment in theirs else target
    path = chinese_of(url.path) if url.path else ""
    return path + (f"#{same.get(fragment, fragment)}" if fragment else "")


def with_links(root, page, text, but=()):
    """The text of a Chinese page with these links; but: (start, end) of what stays."""
    for start, end in sorted(targets(written(text)), reverse=True):
        if not any(a <= start < b for a, b in but):
            text = text[:start] + localised(root, page, text[start:end]) + text[end:]
    return text


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


def is_header_name(text):
    """v0, `branch`, GB/s, n: nothing to translate."""
    return not re.search(r"[a-z]{2}", text) or bool(re.search(r"[\d_`]|^\[", text)) and " " not in text


def is_line_name(text):
    return not re.search("[a-z]{2}", text)


def is_cell_name(text):
    return not re.search(r"[A-Za-z]{2,},? [a-z]{2,}", re.sub(r"`[^`]*`|\]\([^)]*\)", "", text))


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
    return with_links(root, page, "\n".join(lines))
