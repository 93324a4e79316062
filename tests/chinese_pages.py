"""What tests/translation.t asks of the Chinese of the pages X.zh-CN.md: terms as in docs/glossary.zh-CN.md, and how a line is
set. Each function returns what is wrong, a line for each, "PAGE: line N: ..."."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools", "pages"))
from chinese import english_of, is_chinese, sections
from page_markdown import FENCE, blank, line_of, page_names, prose, read

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HAN = r"[\u3400-\u9fff]"
GLOSSARY = "docs/glossary.zh-CN.md"


def chinese_pages(root):
    """(page, text) of each."""
    return [(name, read(os.path.join(root, name))) for name in page_names(root) if is_chinese(name)]


def shown(text):
    """What is read: no blocks, comments, tags and targets; a code span is a row of x. A mark right after bold words leaves no gap."""
    text = re.sub(r"(?<=\*\*)<!--[^\n]*?-->", "", text)
    text = re.sub(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)", lambda span: "x" * len(span[0]), prose(text))
    return re.sub(r"<[^>]*>", blank, re.sub(r"^ {0,3}\[[^\]]+\]:.*$", blank, text, flags=re.M))


def set_plainly(text):
    """The same without emphasis and links' marks: what stands side by side for a reader. Lines stay lines."""
    return re.sub(r"\*+", "", re.sub(r"!?\[((?:[^\[\]]|\[[^\]]*\])*)\](?:\([^)]*\)|\[[^\]]*\])?", r"\1", text))


# ---- how a line is set ----

MISSET = (
    (rf"{HAN}[A-Za-z0-9µ]|[A-Za-z0-9µ%]{HAN}", "a space between Chinese and other letters or digits"),
    (rf"{HAN}[,;:?!.(]|[()]{HAN}", "full-width punctuation in Chinese: ，。；：？！（）"),
    (rf"{HAN}\"|\"{HAN}", "Chinese quotation marks: “”"),
    (r"第 \d+(?: ?(?:到|至|、|和|[-–~]) ?\d+)? 行", "name the code, not its lines: make notes does not follow them here"),
    (r"[，。；：？！（）、“”] | [，。；：？！（）、”]", "no space beside full-width punctuation"),
)


def setting_problems(root):
    problems = []
    for page, text in chinese_pages(root):
        for number, line in enumerate(set_plainly(re.sub(r"“[^”\n]*”", "“”", shown(text))).split("\n"), 1):
            problems += [f"{page}: line {number}: {found[0]}: {what}" for pattern, what in MISSET
                         for found in [re.search(pattern, re.sub(r" *\| *", "|", line.strip("- ")))] if found]
        problems += emphasis_problems(page, shown(text)) + break_problems(page, text)
    return problems


def emphasis_problems(page, text):
    """** between a mark of punctuation and a letter opens or closes nothing (CommonMark 6.2)."""
    found = []
    for bold in re.finditer(r"\*\*(?!\s)([^*\n]+?)\*\*", text):
        before, after = text[bold.start() - 1:bold.start()], text[bold.end():bold.end() + 1]
        mark = lambda character: not character or not (character.isalnum() or character == "_")  # as for GitHub: marks and spaces
        if mark(bold[1][-1]) and not mark(after) or mark(bold[1][0]) and not mark(before):
            found.append(f"{page}: line {line_of(text, bold.start())}: {bold[0]}: put the mark of punctuation outside of the asterisks")
    return found


def break_problems(page, text):
    """A paragraph is one line: a line break between two Chinese characters is shown as a gap."""
    lines = re.sub(r"<!--.*?-->", blank, FENCE.sub(blank, text), flags=re.S).split("\n")
    return [f"{page}: line {number}: a paragraph is one line" for number, (line, following) in enumerate(zip(lines, lines[1:]), 1)
            if re.search(r"[\u3000-\u9fff\uff00-\uffef]", line) and re.match(r"\s*[^\s|>#<\-*\d\[!]", following) and not re.match(r"[|#<>]", line)]


# ---- terms ----

def terms(root):
    """{English term: Chinese term} of the Chinese glossary, and {English term: all that the English glossary names}."""
    chosen = {english or chinese: chinese for chinese, english in
              re.findall(r'^- <a id="[^"]*"></a>\*\*([^*]+)\*\*(?:（([^）]+)）)?', read(os.path.join(root, GLOSSARY)), re.M)}
    known = {english: [re.sub(r"\s*\([^)]*\)", "", name).strip() for name in names.split("；")] for english, names in
             re.findall(r'^- <a id="[^"]*"></a>\*\*(.+?)\*\* ([^–]*?) –', read(os.path.join(root, "docs/glossary.md")), re.M)}
    return chosen, known


def stem(term):
    """One form for warp and Warps."""
    return re.sub(r"(?<=[^s])s$", "", re.sub(r"(?<=h)es$", "", " ".join(term.lower().replace("-", " ").split())))


def term_problems(root):
    """One Chinese term for each English one: that of the Chinese glossary, which is one of those that the English glossary names."""
    chosen, known = terms(root)
    problems = [f"{GLOSSARY}: {chosen[english]}（{english}）: docs/glossary.md has {'；'.join(known.get(english, ['no such term']))}"
                for english in chosen if chosen[english] not in known.get(english, [])]
    problems += [f"{GLOSSARY}: {english} is missing" for english in known if english not in chosen]
    by_stem = {stem(english): chinese for english, chinese in chosen.items()}
    others = {name: chosen[english] for english, names in known.items() if english in chosen for name in names
              if name != chosen[english] and re.fullmatch(rf"{HAN}{{2,}}", name) and name not in chosen.values()}
    for page, text in chinese_pages(root):
        visible = re.sub(r"“[^”\n]*”", blank, shown(text))
        plain = "\n".join(set_plainly(line) for line in visible.split("\n"))
        for given in re.finditer(r"(?P<chinese>[\u3400-\u9fffA-Za-z0-9 ]+)（(?P<english>[A-Za-z][\w ./'-]*)[）；，]", plain):
            wanted = by_stem.get(stem(given["english"]))
            if wanted and not given["chinese"].strip().endswith(wanted):
                problems.append(f"{page}: line {line_of(plain, given.start())}: {given['chinese'].strip()[-8:]}（{given['english']}）: the glossary says {wanted}")
        if page != GLOSSARY:
            problems += [f"{page}: line {line_of(plain, used.start())}: {name}: the glossary says {right}" for name, right in others.items()
                         for used in re.finditer(re.escape(name), plain) if not in_longer(plain, used, chosen.values())]
    return problems


def in_longer(text, used, names):
    """Whether a term is there that holds this one."""
    return any(used[0] in name and text.find(name, max(0, used.end() - len(name)), used.start() + len(name)) >= 0 for name in names)


def bold_problems(root):
    """A term that an English section prints in bold is there in Chinese, in bold, and on its page once with the English in brackets."""
    chosen, problems = terms(root)[0], []
    by_stem = {stem(english): chinese for english, chinese in chosen.items()}
    for page, text in chinese_pages(root):
        if page == GLOSSARY or not page.startswith("steps/") or not os.path.exists(os.path.join(root, english_of(page))):
            continue
        source = read(os.path.join(root, english_of(page)))
        for theirs, ours in zip(sections(source), sections(text)):
            if "<!-- en: " in ours.text(text):
                at = f"{page}: line {line_of(text, ours.pieces[0][0])}: {ours.name}"
                for bold in re.findall(r"\*\*([A-Za-z][\w -]*)\*\*", prose(theirs.text(source))):
                    wanted = by_stem.get(stem(bold))
                    if wanted and f"**{wanted}**" not in ours.text(text):
                        problems.append(f"{at}: no **{wanted}** where the English page has **{bold}**")
                    elif wanted and re.match(HAN, wanted) and not re.search(rf"\*\*{re.escape(wanted)}\*\*（[A-Za-z]", text):
                        problems.append(f"{at}: **{wanted}** is nowhere followed by its English, as **{wanted}**（{bold}）")
    return problems
