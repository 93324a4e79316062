"""finish.py: what build.py changes in the HTML of the generator: its contents, its size, the Chinese name."""
import html
import os
import re

from page_markdown import edited, read

# Of a page: headings, and where folds begin and end.
PART = re.compile(r'<h(?P<level>[23])\b[^>]*?\bid="(?P<anchor>[^"]*)"|(?P<fold><details\b[^>]*>)\s*<summary>(?P<summary>.*?)</summary>|(?P<end></details>)', re.S)
AFTER = ("next", "下一课")  # a lesson's last heading: the folds after it are no part of it


def contents_of(page):
    """(start, end) of the list of contents in the HTML of a page, each time that it is there: a phone has it in a drawer."""
    for begin in re.finditer(r'data-md-component="toc"[^>]*>', page):
        depth = 1
        for tag in re.finditer(r"<(/?)ul\b", page[begin.end():]):
            depth += -1 if tag[1] else 1
            if depth == 0:
                yield begin.end(), begin.end() + tag.start()
                break


class Entry:
    """Of the contents at the side."""

    def __init__(self, link, name):
        self.link, self.name, self.within = link, name, []

    def html(self):
        inner = f'<nav class="md-nav"><ul class="md-nav__list">{"".join(one.html() for one in self.within)}</ul></nav>' if self.within else ""
        return f'<li class="md-nav__item">{self.link}{inner}</li>'


def with_folds_in_contents(page):
    """The HTML of a page whose contents have each fold with headings, and a lesson's last folds, with the headings below them. The
    generator puts these below whatever heading stands above the fold."""
    contents = list(contents_of(page))
    if not contents or "<details" not in page:
        return page
    links = {html.unescape(link[1]): link[0] for link in re.finditer(r'<a href="#([^"]*)" class="md-nav__link">.*?</a>', page[slice(*contents[0])], re.S)}
    top, above, folds, depth, edits = Entry("", ""), None, [], 0, []
    for part in PART.finditer(page, page.find("<article")):
        if part["fold"]:
            depth += 1
            if depth == 1:
                words = re.sub("<[^>]*>", "", part["summary"]).strip()
                name = "fold-" + re.sub(r"[^\w\- ]", "", html.unescape(words).lower()).replace(" ", "-")
                name += f"-{len(folds)}" * any(name == fold.name for fold in folds)
                folds.append(Entry(f'<a href="#{html.escape(name)}" class="md-nav__link"><span class="md-ellipsis">{words}</span></a>', name))
                edits.append((part.start("fold"), part.end("fold"), f'<details id="{html.escape(name)}">'))
        elif part["end"]:
            depth -= 1
            last = above is not None and above.name in AFTER
            if depth == 0 and (folds[-1].within or last):
                (top if last or above is None else above).within.append(folds[-1])
        elif html.unescape(part["anchor"]) in links:
            found = Entry(links[html.unescape(part["anchor"])], html.unescape(part["anchor"]))
            (folds[-1] if depth else top if part["level"] == "2" or above is None else above).within.append(found)
            above = found if part["level"] == "2" and not depth else above
    listed = "".join(one.html() for one in top.within)
    return edited(page, edits + [(start, end, listed) for start, end in contents])


# Blanks and names of code have the colour of all text.
PLAIN = re.compile(r'<span class="(n|w)">([^<]*)</span>')
# Of each line of code a place that can be linked to; no link of its own, at which Tab would stop.
LINE = re.compile(r'<a id="(__codelineno-[\d-]+)" name="\1" href="#\1">')


def finish(site, names):
    """The generator's HTML without its empty lines and indentation (what is in <pre> stays), some 10 KB a page, without links of lines
    of code to themselves, and with the folds in its contents. In Chinese pages the book has its Chinese name, which leads to the
    Chinese front page. names: of the book, in both languages."""
    for folder, _, files in os.walk(site):
        for name in files:
            path = os.path.join(folder, name)
            if name.endswith(".html"):
                text = re.sub(r'<a href="#__codelineno[^"]*">', "<a>", LINE.sub(r'<a id="\1">', PLAIN.sub(r"\2", read(path))))
                if name.endswith(".zh-CN.html"):
                    text = re.sub(rf'(<a href="[./]*)index\.html(" title="{names["en"]}")', r"\1README.zh-CN.html\2", text).replace(names["en"], names["zh"])
                parts = re.split(r"(<(pre|script)\b.*?</\2>)", text, flags=re.S)
                text = "".join(re.sub(r"\s*\n\s*", "\n", part) if k % 3 == 0 else part for k, part in enumerate(parts) if k % 3 != 2)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(with_folds_in_contents(text))
