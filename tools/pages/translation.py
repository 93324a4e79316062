#!/usr/bin/env python3
"""translation.py [--check] [--root FOLDER]: keeps the Chinese pages (X.zh-CN.md) equal to the English ones (X.md).
translation.py --new PAGE: begins PAGE.zh-CN.md for an English page, all of it awaiting translation.
translation.py --changes PAGE: what became of the English sections since PAGE.zh-CN.md was written from them.

After each heading and each <summary> of a Chinese page stands what it was written from:
    <!-- en: 1f0e9a7c42 -->          git's hash of the English section, shortened
    <!-- en: -->                     translated just now: this program fills in the hash
    <!-- awaiting translation -->    the English section is newer: this program adds a line that says so to the reader
A section whose English text has changed since is named, and so is one with other headings, code, tables, pinned numbers,
figures, links or pictures. What make notes writes does not count as a change. A fold may stay in English:
    <!-- fold in English -->
    [its name](README.md#next)       the first heading in the fold, or the one above it
It writes the hashes, the lines and links to Chinese pages; --check writes nothing, and lists what is wrong.
"""
import collections
import difflib
import hashlib
import os
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
import pins
from chinese import FOLD, TABLE, chinese_of, english_of, is_chinese, localised, sections, strings
from page_markdown import CAPTION, FENCE, Problem, blank, edited, headings, line_of, options, page_names, read, run, targets, without_code, write, written
from quotes import NAMED, PLACE

MARK = re.compile(r"\s*<!-- (?:en:(?P<hash>[^\n]*?)|(?P<awaiting>awaiting translation)) -->\n(?P<line>> 本节的译文[^\n]*\n)?")
AWAITING = "> 本节的译文有待更新，以[英文版]({})为准。\n"
HOW = "translate what changed and empty its mark, <!-- en: -->, or write <!-- awaiting translation --> there"
IN_ENGLISH = "（英文）"
SOURCES = "What the sources say"


# ---- the English text ----

def settled(page, text):
    """A page without what make notes writes: generated tables, pinned numbers, places of quoted lines, the links to them."""
    text = CAPTION.sub("", text)
    text = TABLE.sub(r"\1\2", pins.rewritten(page, text, lambda what: "0"))
    text = FENCE.sub(lambda fence: fence[0].replace(fence["info"], place_free(fence["info"]), 1), text)
    code = [(fence.start(), fence.end()) for fence in FENCE.finditer(text)]
    return NAMED.sub(lambda named: named[0] if any(a <= named.start() < b for a, b in code) else re.sub(r"\d+", "0", named[0]), text)


def place_free(info):
    place = PLACE.fullmatch(info.strip())
    return f"{place['word']} {place['path']}" if place else info


def squeezed(text):
    """One line for each paragraph: where lines break is no change."""
    parts, position = [], 0
    for fence in FENCE.finditer(text):
        parts += [" ".join(text[position:fence.start()].split()), fence[0]]
        position = fence.end()
    return "\n".join(parts + [" ".join(text[position:].split())]).strip() + "\n"


def blob(text):
    """git's hash of this text, shortened."""
    data = text.encode()
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()[:10]


def task(page, section, file):
    """What an exercise asks, from the head of its file: a page of exercises has it in Chinese, below the heading."""
    named = re.match(r"(\d+_\w+):", section.name) if page.startswith("practice/exercises/") and section.kind == "##" else None
    head = named and re.match(r"/\*\n \* \w+-\d+, [^\n]*?[:,] (.*?)\*/", file(f"{os.path.dirname(page)}/{named[1]}.cu") or "", re.S)
    return re.sub(r"\n \* ?", "\n", "\n" + head[1]) if head else ""


def english_texts(page, text, file):
    """[(section, its text as it is hashed)]; file(NAME): the text of another file, or None."""
    text = settled(page, text)
    return [(section, squeezed(section.text(text) + task(page, section, file))) for section in sections(text)]


# ---- what two sections have in common ----

def code_of(text):
    """The blocks. Diagrams (text) and the comments of commands (sh) may be in Chinese: of these the figures and the commands."""
    found = []
    for fence in FENCE.finditer(text):
        info, body = place_free(fence["info"]).strip(), fence["body"]
        if info == "text":
            body = " ".join(re.findall(r"\d+", body))
        elif info == "sh":
            body = "\n".join(re.sub(r"(^|\s+)# .*", "", line) for line in body.split("\n"))
        found.append(f"{info}\n{body}".strip())
    return found


def comments_of(text):
    """Markers of tables and players, reasons why commands are not run."""
    return [" ".join(comment.split()) for comment in re.findall(r"<!--.*?-->", FENCE.sub(blank, text), re.S)
            if not re.match(r"<!--\s+(?:[-\d].* = |en:|awaiting )", comment, re.S)]


def pins_of(text):
    return {" ".join(part.split()) for comment in pins.COMMENT.finditer(without_code(text)) for part in comment["pins"].split(";")}


COUNTS = {"thousand": 10**3, "万": 10**4, "million": 10**6, "× 10^6": 10**6, "亿": 10**8, "billion": 10**9}


def figures_of(text):
    """Those of the text and of tables; small counts may be words. 15 million and 1500 万 are 15,000,000; a 16th is 16."""
    shown = re.sub(r"\]\([^)]*\)|https?://\S+|<[^>]*>|^ {0,3}\[[^\]]+\]:.*$", " ", NAMED.sub(" ", written(TABLE.sub(blank, text))), flags=re.M)
    shown = re.sub(rf"([\d.,]*\d)\s*({'|'.join(map(re.escape, COUNTS))})", lambda count: f"{round(float(count[1].replace(',', '')) * COUNTS[count[2]]):,}", shown)
    found = re.findall(r"(?<![A-Za-z0-9_.,])\d+(?:[.,]\d+)*(?:(?:st|nd|rd|th)\b|[A-Za-z]*)", shown)
    found = [re.sub(r"(st|nd|rd|th)$", "", figure) for figure in found]
    return {figure for figure in found if not re.fullmatch(r"\d|1[0-2]", figure)}


def rows_of(text):
    return [str(sum(line.startswith("|") for line in FENCE.sub(blank, TABLE.sub(r"\1\2", text)).split("\n")))]


def labels_of(text):
    """Of each row that has some, the labels of its links: [05], [errata][e05]."""
    rows = [line for line in FENCE.sub(blank, written(TABLE.sub(r"\1\2", text))).split("\n") if line.startswith("|")]
    found = [sorted(re.findall(r"\[([^\[\]]+)\](?![\[(:])", row)) for row in rows]
    return [" and ".join(labels) for labels in found if labels]


def links_of(text, lead=lambda target: target):
    return {lead(text[start:end]) for start, end in targets(written(TABLE.sub(blank, text)))}


def differences(what, english, chinese):
    """What one has and the other has not."""
    if isinstance(english, set):
        missing, more = sorted(english - chinese), sorted(chinese - english)
    else:
        missing, more = (list((collections.Counter(a) - collections.Counter(b)).elements()) for a, b in ((english, chinese), (chinese, english)))
        if not missing and not more and english != chinese:
            missing = ["another order"]
    short = lambda entries: " · ".join(" ".join(entry.split())[:70] for entry in entries)
    return [f"{what}: {short(missing) or 'none'} in English, {short(more) or 'none'} in Chinese"] if missing or more else []


# ---- one pair of pages ----

class Pair:
    """problems: what somebody must mend; text: the Chinese page as it should be."""

    def __init__(self, root, page):
        self.root, self.page, self.english = root, page, english_of(page)
        self.old = self.text = read(os.path.join(root, page))
        self.problems, self.edits = [], []
        if not os.path.exists(os.path.join(root, self.english)):
            self.problems.append(f"{page}: there is no {self.english}")
            return
        self.source = read(os.path.join(root, self.english))
        self.parts, self.texts = sections(self.old), english_texts(self.english, self.source, self.file)
        for name, text, label in ((self.english, self.source, "中文"), (page, self.old, "English")):
            link = f"[{label}]({os.path.basename(page if label == '中文' else self.english)})"
            if not re.match(re.escape(link) + r"( · .*)?\n\n# ", text):  # neighbours.py adds those of a lesson
                self.problems.append(f"{name}: line 1: begins with {link}, an empty line, and the title")
        if self.compared_order():
            for index, part in enumerate(self.parts):
                self.look_at(part, index)
            self.follow_links()
            self.text = edited(self.text, self.edits)

    def file(self, name):
        path = os.path.join(self.root, name)
        return read(path) if os.path.exists(path) else None

    def problem(self, part, what):
        self.problems.append(f"{self.page}: line {line_of(self.old, part.pieces[0][0])}: {part.name}: {what}")

    def compared_order(self):
        ours, theirs = ([part.kind for part in parts] for parts in (self.parts, [section for section, _ in self.texts]))
        if ours == theirs:
            return True
        at = next((i for i, (a, b) in enumerate(zip(ours, theirs)) if a != b), min(len(ours), len(theirs)))
        wanted = f"{self.texts[at][0].kind} {self.texts[at][0].name}" if at < len(theirs) else "no more"
        found = f"{self.parts[at].kind} {self.parts[at].name}" if at < len(ours) else "no more"
        self.problems.append(f"{self.page}: its sections are not those of {self.english}: there {wanted}, here {found}")
        return False

    def look_at(self, part, index):
        section, text = self.texts[index]
        named = strings().get(section.name)
        if named and part.name.removesuffix(IN_ENGLISH) != named:
            self.problem(part, f'"{section.name}" is {named} in Chinese pages')
        slug = re.match(r"\d+_\w+(?=:)", section.name)
        if slug and not re.match(rf"{slug[0]}(：|$)", part.name):
            self.problem(part, f"begins with {slug[0]}：, the name of its file")
        fold = FOLD.match(self.old, part.pieces[0][0])
        if fold:
            if fold["target"] != self.link_to(index):
                self.edits.append((fold.start("target"), fold.end("target"), self.link_to(index)))
            return
        mark = MARK.match(self.old, part.body)
        if not mark:
            self.problem(part, "no mark: after the heading stands <!-- en: -->, or <!-- awaiting translation -->")
        elif mark["awaiting"]:
            line = AWAITING.format(self.link_to(index))
            if mark["line"] != line:
                self.edits.append((mark.end() - len(mark["line"] or ""), mark.end(), line))
        else:
            if mark["line"]:
                self.edits.append((*mark.span("line"), ""))
            if not mark["hash"].strip():
                self.edits.append((*mark.span("hash"), " " + blob(text)))
            elif mark["hash"].strip() != blob(text):
                self.problem(part, f'"{section.name}" of {self.english} has changed since: {HOW}; --changes shows it')
            ours = part.text(self.old).replace(mark["line"] or mark[0], "")
            theirs = sections(self.source)[index]
            self.compare(part, theirs.text(self.source) + task(self.english, theirs, self.file), ours)

    def compare(self, part, english, chinese):
        lead = lambda target: localised(self.root, self.page, target)
        for what, of in (("code blocks", code_of), ("comments", comments_of), ("pinned numbers", pins_of), ("figures", figures_of),
                         ("rows of tables", rows_of), ("links of rows", labels_of)):
            for difference in differences(what, of(english), of(chinese)):
                self.problem(part, difference)
        for difference in differences("links", links_of(english, lead), links_of(chinese, lead)):
            self.problem(part, difference)

    def link_to(self, index):
        """The English section: its anchor, or for a fold that of the first heading in it, else of the last one above."""
        section, places = sections(self.source)[index], list(headings(self.source))
        inside = [anchor for end, anchor in places if section.pieces[0][0] <= end <= section.pieces[0][1]]
        above = [anchor for end, anchor in places if end < section.pieces[0][0]]
        return f"{os.path.basename(self.english)}#{(inside or above[-1:])[0]}"

    def follow_links(self):
        """Links to English pages that are there in Chinese."""
        stay = [match.span() for match in FOLD.finditer(self.old)] + [match.span() for match in re.finditer(r"^> 本节的译文.*$", self.old, re.M)]
        stay += [(0, self.parts[0].pieces[0][0] if self.parts else 0)] + [table.span() for table in TABLE.finditer(self.old)]
        for start, end in targets(written(self.old)):
            new = localised(self.root, self.page, self.old[start:end])
            if new != self.old[start:end] and not any(a <= start < b for a, b in stay):
                self.edits.append((start, end, new))

    def out_of_date(self):
        return [f"{self.page}: line {line_of(self.old, start)}: {self.old[start:end].strip() or 'nothing'} "
                f"should be {new.strip() or 'nothing'}; make notes writes it" for start, end, new in self.edits]

    def awaiting(self):
        return [part.name for part in self.parts if (MARK.match(self.old, part.body) or {"awaiting": None})["awaiting"]]

    def changes(self):
        """A diff for each section that is not up to date, from the text in git that it was written from."""
        for index, part in enumerate(self.parts):
            mark, (section, text) = MARK.match(self.old, part.body), self.texts[index]
            if mark and mark["hash"] and mark["hash"].strip() not in ("", blob(text)):
                then = self.text_of(mark["hash"].strip())
                if then is None:
                    yield f"{part.name}: no text in git has the hash {mark['hash'].strip()}\n"
                else:
                    lines = [re.split(r"(?<=[.:?!]) |(?<=\n)", version) for version in (then, text)]
                    yield "".join(line.rstrip("\n") + "\n" for line in difflib.unified_diff(*lines, f"{part.name}: then", f"{section.name}: now", n=1))

    def text_of(self, wanted):
        if shutil.which("git") is None:
            raise Problem("--changes needs git, and the history")
        git = lambda *words: subprocess.run(["git", "-C", self.root, *words], capture_output=True, text=True).stdout
        for commit in git("log", "--format=%H", "--", self.english, f"{os.path.dirname(self.english) or '.'}/*.cu").split():
            show = lambda name: git("show", f"{commit}:./{name}")
            try:
                found = [text for _, text in english_texts(self.english, show(self.english), show) if blob(text) == wanted]
            except Problem:
                continue
            if found:
                return found[0]
        return None


# ---- a new page ----

def begun(page, text):
    """A Chinese page to be: the English text, each section awaiting translation, and the folds of lessons in English."""
    for section in reversed(sections(text)):
        start, end = section.pieces[0]
        name = strings().get(section.name, re.sub(r"^(\d+_\w+): ", r"\1：", section.name))
        if section.kind == "fold" and section.name != SOURCES and page.startswith("steps/"):
            text = f"{text[:start]}<!-- fold in English -->\n[{name}{IN_ENGLISH}]({os.path.basename(page)}){text[end:]}"
        else:
            head = text[start:section.body].replace(section.name, name)
            text = f"{text[:start]}{head}\n<!-- awaiting translation -->{text[section.body:]}"
    return f"[English]({os.path.basename(page)})\n\n{text[re.search(r'^# ', text, re.M).start():]}"


def new_page(page):
    if not page.endswith(".md") or is_chinese(page) or os.path.exists(chinese_of(page)):
        raise Problem(f"--new takes an English page that has no Chinese one yet, such as docs/gpu.md, not {page}")
    text = read(page)
    write(chinese_of(page), begun(page, text))
    if not text.startswith("[中文]"):
        write(page, f"[中文]({os.path.basename(chinese_of(page))})\n\n{text}")
    print(f"wrote {chinese_of(page)}: translate it section by section, and empty the mark of each: <!-- en: -->; then make notes")
    return 0


def changes(page):
    page = page if is_chinese(page) else chinese_of(page)
    if not os.path.exists(page):
        raise Problem(f"there is no {page}")
    print("".join(Pair(".", os.path.relpath(page)).changes()), end="")
    return 0


def main(arguments):
    if len(arguments) == 2 and arguments[0] in ("--new", "--changes"):
        return (new_page if arguments[0] == "--new" else changes)(arguments[1])
    try:
        check, root = options("translation.py", arguments, "[--check] [--root FOLDER], --new PAGE or --changes PAGE")
    except Problem as problem:
        print(f"translation.py: {problem}", file=sys.stderr)
        return 2
    pairs = [Pair(root, page) for page in page_names(root) if is_chinese(page)]
    problems = [problem for pair in pairs for problem in pair.problems]
    if check:
        problems += [line for pair in pairs for line in pair.out_of_date()]
    for problem in problems:
        print(f"translation.py: {problem}", file=sys.stderr)
    if problems:
        return 1
    for pair in pairs:
        if pair.text != pair.old:
            write(os.path.join(root, pair.page), pair.text)
            print(f"wrote {pair.page}")
        for name in pair.awaiting():
            print(f"{pair.page}: awaiting translation: {name}")
    print(f"{len(pairs)} Chinese pages agree with the English ones")
    return 0


if __name__ == "__main__":
    run(main)
