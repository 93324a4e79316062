#!/usr/bin/env python3
"""The Chinese pages: each section is that of its English page, with the same code, tables, numbers, links and pictures; terms
are those of the glossary. A section whose English text has changed is named. Each check finds a fault planted for it."""
import contextlib
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import chinese_pages
import chinese
import tap
import translation
from chinese_pages import ROOT
from tap import ok

PROGRAM = ROOT + "/tools/pages/translation.py"
ENGLISH = """[中文](page.zh-CN.md)

# Sums

About 20 minutes; see [other](other.md#here-it-is) and [why](#why).

## Why

A block takes 1.87 times as long, 64 of them 3 µs, each 16th of 15 million more.
<!-- 1.87 = toy v0/v1 16M median_us -->

![two words](a.png)

<!-- table: lesson:v0 toy -->
| variant | 176 |
<!-- end -->

```c src/a.c:3-4
int x3;
int x4;
```

As `x3` in line 3. Then:

```sh
make step01    # builds
```
```text
stride 16   all
```

| a | b |
|---|---|
| 1 | [2][x] |
| 2 | [y] |

[x]: x.md
[y]: y.md

<details>
<summary>What the sources say</summary>

Nothing of [v0](../src/a.c).

</details>

<details>
<summary>Going deeper</summary>

### Far

Deep.

</details>
"""
CHINESE = """[English](page.md)

# 求和
<!-- en: -->

约 20 分钟；见[另一页](other.md#here-it-is)和[原因](#原因)。

## 原因
<!-- en: -->

一个线程块的用时是 1.87 倍，64 个要 3 µs，1500 万个中每 16 个多一些。
<!-- 1.87 = toy v0/v1 16M median_us -->

![两个词语](a.png)

<!-- table: lesson:v0 toy -->
| 变体 | 176 |
<!-- end -->

```c src/a.c:3-4
int x3;
int x4;
```

`x3` 就在那里。然后：

```sh
make step01    # 编译
```
```text
跨度 16   全部
```

| 甲 | 乙 |
|---|---|
| 1 | [二][x] |
| 2 | [y] |

[x]: x.md
[y]: y.md

<details>
<summary>源文档怎么说</summary>
<!-- en: -->

没有提到 [v0](../src/a.c)。

</details>

<!-- fold in English -->
[深入（英文）](page.md)
"""
OTHER = "# Other\n\n## Here it is\n\nA word.\n"
GLOSSARY = '[中文](glossary.zh-CN.md)\n\n# Glossary\n\n- <a id="block"></a>**block** 线程块 – a\n- <a id="divergence"></a>**divergence** 线程束分化 (001)；线程发散 (003) – b\n' \
    '- <a id="warp"></a>**warp** 线程束 – c\n'
GLOSSAR = '[English](glossary.md)\n\n# 术语表\n<!-- en: -->\n\n- <a id="block"></a>**线程块**（block）：甲\n- <a id="divergence"></a>**线程发散**（divergence）：乙（001、003）\n' \
    '- <a id="warp"></a>**线程束**（warp）：丙\n'


class Folder:
    """Files of a made-up repository, and translation.py run on it."""

    def __init__(self, **files):
        self.held = tempfile.TemporaryDirectory()
        self.root = self.held.name
        for name, text in {"docs/page.md": ENGLISH, "docs/page.zh-CN.md": CHINESE, "docs/other.md": OTHER, "src/a.c": "", "docs/glossary.md": GLOSSARY,
                           "docs/glossary.zh-CN.md": GLOSSAR, **files}.items():
            self.write(name, text)

    def write(self, name, text):
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        with open(os.path.join(self.root, name), encoding="utf-8") as file:
            return file.read()

    def change(self, name, *pairs):
        text = self.read(name)
        for old, new in pairs:
            assert old in text, old
            text = text.replace(old, new, 1)
        self.write(name, text)

    def run(self, *arguments):
        """As a process of its own would run it; that takes longer."""
        printed, complaints, here = io.StringIO(), io.StringIO(), os.getcwd()
        chinese.places_of.cache_clear()
        os.chdir(self.root)
        try:
            with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(complaints):
                status = translation.main([*(arguments or ("--root", self.root))])
        except (translation.Problem, OSError) as problem:
            status = 1
            complaints.write(f"translation.py: {problem}\n")
        finally:
            os.chdir(here)
        return subprocess.CompletedProcess(arguments, status, printed.getvalue(), complaints.getvalue())

    def check(self):
        return self.run("--check", "--root", self.root)


def written():
    """A folder whose pages agree."""
    folder = Folder()
    folder.run()
    return folder


def what_is_written():
    folder = Folder()
    before = folder.check()
    ok(before.returncode == 1 and before.stderr.count("nothing should be") >= 3 and folder.read("docs/page.zh-CN.md") == CHINESE,
       "--check lists empty marks, and writes nothing", before)
    result = folder.run()
    page = folder.read("docs/page.zh-CN.md")
    marks = re.findall(r"<!-- en: ([0-9a-f]{10}) -->", page)
    ok(result.returncode == 0 and len(marks) == len(set(marks)) == 3 and "](page.md#far)" in page, "hashes are filled in, and the link to a fold", f"{result}{page}")
    text = re.search(r"# Sums.*?why\]\(#why\)\.", ENGLISH, re.S)[0]
    blob = (" ".join(text.split()) + "\n").encode()
    wanted = hashlib.sha1(b"blob %d\0" % len(blob) + blob).hexdigest()[:10]  # as git hash-object has it
    ok(marks[:1] == [wanted], "the hash is git's of the section's text, without line breaks", f"{marks} {wanted}")
    ok(folder.check().returncode == 0 and folder.run().stdout.startswith("2 Chinese pages"), "then --check agrees")
    folder.write("docs/other.zh-CN.md", "[English](other.md)\n\n# 另一页\n<!-- en: -->\n\n## 在这里\n<!-- en: -->\n\n一个词。\n")
    folder.write("docs/other.md", "[中文](other.zh-CN.md)\n\n" + OTHER)
    ok("other.md#here-it-is should be other.zh-CN.md#在这里" in folder.check().stderr, "a link to a page that is there in Chinese is noticed")
    folder.run()
    ok("[另一页](other.zh-CN.md#在这里)" in folder.read("docs/page.zh-CN.md") and folder.check().returncode == 0, "and leads to the same heading in Chinese",
       folder.read("docs/page.zh-CN.md"))


def no_changes():
    """What make notes writes in the English page, and where its lines break."""
    for what, old, new in (("a pinned number", "1.87", "1.93"), ("a generated table", "| variant | 176 |", "| variant | 180 |\n| v1 | 3 |"),
                           ("where quoted lines stand", "a.c:3-4", "a.c:13-14"), ("a line that is named", "in line 3", "in line 13"),
                           ("a line break", "20 minutes; see", "20 minutes;\nsee")):
        folder = written()
        text = folder.read("docs/page.md").replace(old, new)
        assert text != folder.read("docs/page.md")
        folder.write("docs/page.md", text)
        if old == "1.87" or "3-4" in old:
            folder.write("docs/page.zh-CN.md", folder.read("docs/page.zh-CN.md").replace(old, new))
        result = folder.check()
        ok(result.returncode == 0, f"no change: {what}", result)


def changes():
    """What is written anew in the English page, and where the test says that the Chinese one did not follow."""
    for what, old, new, section in (("a word", "as long", "as much", "原因: \"Why\""), ("code", "int x3;", "int x5;", "原因: \"Why\""), ("the title", "# Sums", "# A sum", "求和"),
                                    ("the introduction", "About", "Some", "求和: \"Sums\""), ("a fold", "Nothing of", "All of", "源文档怎么说: \"What the sources say\"")):
        folder = written()
        folder.change("docs/page.md", (old, new))
        if what == "code":
            folder.change("docs/page.zh-CN.md", (old, new))
        result = folder.check()
        ok(result.returncode == 1 and result.stderr.count("has changed since") == 1 and re.search(rf"^translation\.py: docs/page\.zh-CN\.md: line \d+: {section}", result.stderr, re.M),
           f"a change: {what}", result)
    folder = written()
    folder.change("docs/page.md", ("Deep.", "Deeper."))
    ok(folder.check().returncode == 0, "no change: in a fold that stayed in English")


def faults():
    """(what, old, new, what is said) planted in the Chinese page."""
    for what, old, new, said in (
            ("a heading too few", "## 原因\n", "原因\n", "its sections are not those of docs/page.md: there ## Why, here fold 源文档怎么说"),
            ("a heading too many", "## 原因\n", "## 甲\n<!-- en: -->\n\n## 原因\n", "there fold What the sources say, here ## 原因"),
            ("a heading of another level", "## 原因\n", "### 原因\n", "there ## Why, here ### 原因"),
            ("a fold too few", "<!-- fold in English -->\n", "", "there fold Going deeper, here no more"),
            ("another heading than other pages have", "## 原因\n", "## 为什么\n", '"Why" is 原因 in Chinese pages'),
            ("no mark", "## 原因\n<!-- en: {hash} -->\n", "## 原因\n", "原因: no mark"),
            ("no link to the English page", "[English](page.md)\n\n", "", "docs/page.zh-CN.md: line 1: begins with [English](page.md)"),
            ("other code", "int x4;", "int x5;", "原因: code blocks: c src/a.c int x3; int x4; in English, c src/a.c int x3; int x5; in Chinese"),
            ("a block too few", "```sh\nmake step01    # 编译\n```\n", "", "code blocks: sh make step01 in English, none in Chinese"),
            ("another command", "make step01 ", "make step02 ", "code blocks: sh make step01 in English, sh make step02 in Chinese"),
            ("another figure in a diagram", "跨度 16", "跨度 32", "code blocks: text 16 in English, text 32 in Chinese"),
            ("another table", "table: lesson:v0 toy", "table: lesson:v1 toy", "comments: <!-- table: lesson:v0 toy --> in English"),
            ("no pin", "<!-- 1.87 = toy v0/v1 16M median_us -->\n", "", "pinned numbers: 1.87 = toy v0/v1 16M median_us in English, none in Chinese"),
            ("another figure", "64 个", "46 个", "figures: 64 in English, 46 in Chinese"),
            ("another count", "1500 万", "1500 亿", "figures: 15,000,000 in English, 150,000,000,000 in Chinese"),
            ("a count without its unit", "1500 万", "1500", "figures: 15,000,000 in English, 1500 in Chinese"),
            ("a row too few", "| 甲 | 乙 |\n", "", "rows of tables: 4 in English, 3 in Chinese"),
            ("another label", "[二][x]", "[二][y]", "links of rows: x in English, y in Chinese"),
            ("another picture", "(a.png)", "(b.png)", "links: a.png in English, b.png in Chinese"),
            ("a link too few", "[v0](../src/a.c)", "v0", "源文档怎么说: links: ../src/a.c in English, none in Chinese"),
            ("a link to another heading", "(#原因)", "(#求和)", "links: #原因 in English, #求和 in Chinese"),
            ("an old link to a fold", "page.md#far", "page.md#near", "page.md#near should be page.md#far; make notes writes it")):
        folder = written()
        page = folder.read("docs/page.zh-CN.md")
        old = re.escape(old).replace(r"\{hash\}", "[0-9a-f]*")
        assert re.search(old, page), old
        folder.write("docs/page.zh-CN.md", re.sub(old, lambda found: new, page, count=1))
        result = folder.check()
        ok(result.returncode == 1 and said in result.stderr and all(line.startswith("translation.py: docs/page") for line in result.stderr.splitlines()),
           f"a fault: {what}", result)
    folder = written()
    folder.change("docs/page.md", ("[中文](page.zh-CN.md)\n\n", ""))
    ok("docs/page.md: line 1: begins with [中文](page.zh-CN.md)" in folder.check().stderr, "a fault: no link to the Chinese page")
    os.remove(folder.root + "/docs/page.md")
    ok("docs/page.zh-CN.md: there is no docs/page.md" in folder.check().stderr, "a fault: no English page")


def awaiting():
    """A contributor who knows only English."""
    folder = written()
    folder.change("docs/page.md", ("as long", "as much"), ("64 of them", "65 of them"))
    text = re.sub(r"(## 原因\n)<!-- en: \w+ -->", r"\1<!-- awaiting translation -->", folder.read("docs/page.zh-CN.md"))
    folder.write("docs/page.zh-CN.md", text)
    result = folder.check()
    ok(result.returncode == 1 and result.stderr.count("\n") == 1 and "make notes writes it" in result.stderr, "awaiting: without the line for the reader", result)
    result = folder.run()
    page = folder.read("docs/page.zh-CN.md")
    ok(result.returncode == 0 and "docs/page.zh-CN.md: awaiting translation: 原因\n" in result.stdout and
       "<!-- awaiting translation -->\n> 本节的译文有待更新，以[英文版](page.md#why)为准。\n" in page, "awaiting: make notes writes it, and lists the section", f"{result}{page}")
    ok(folder.check().returncode == 0, "awaiting: no failure")
    folder.change("docs/page.zh-CN.md", ("<!-- awaiting translation -->", "<!-- en: -->"), ("64 个", "65 个"))
    result = folder.run()
    ok(result.returncode == 0 and "本节的译文" not in folder.read("docs/page.zh-CN.md") and folder.check().returncode == 0, "awaiting: translated, the line goes", result)


def new_pages():
    folder = Folder(**{"steps/01_x/README.md": ENGLISH.replace("[中文](page.zh-CN.md)\n\n", "").replace("(other.md#here-it-is)", "(../../docs/page.md#why)")
                       .replace("../src", "../../src")})
    result = folder.run("--new", "steps/01_x/README.md")
    page = folder.read("steps/01_x/README.zh-CN.md")
    ok(result.returncode == 0 and page.startswith("[English](README.md)\n\n# Sums\n<!-- awaiting translation -->\n") and "## 原因\n<!-- awaiting translation -->\n" in page and
       "<summary>源文档怎么说</summary>\n<!-- awaiting translation -->\n" in page and "<!-- fold in English -->\n[深入（英文）]" in page and
       folder.read("steps/01_x/README.md").startswith("[中文](README.zh-CN.md)\n\n# Sums\n"), "--new begins a page", f"{result}{page}")
    result = folder.run()
    ok(result.returncode == 0 and folder.check().returncode == 0 and "(../../docs/page.zh-CN.md#原因)" in folder.read("steps/01_x/README.zh-CN.md"),
       "which make notes completes", f"{result}{folder.check()}")
    folder.write("practice/exercises/01_x/README.md", "# Exercises\n\n## 1_one: why?\n\nThink.\n")
    folder.run("--new", "practice/exercises/01_x/README.md")
    ok("## 1_one：why?\n<!-- awaiting" in folder.read("practice/exercises/01_x/README.zh-CN.md") and folder.run().returncode == 0, "--new: an exercise keeps the name of its file", folder.check())
    for page in ("steps/01_x/README.md", "docs/page.zh-CN.md", "docs/none.md"):
        result = folder.run("--new", page)
        ok(result.returncode == 1 and re.fullmatch(r"translation\.py: [^\n]*\n", result.stderr), f"--new {page}: refused in one line", result)
    ok(folder.run("--chekc").returncode == 2, "an unknown option: status 2")


def exercises():
    """The task in the head of a file belongs to the section that is named after it."""
    names = "practice/exercises/01_x/README.md", "practice/exercises/01_x/README.zh-CN.md", "practice/exercises/01_x/1_one.cu"
    folder = Folder(**dict(zip(names, ("[中文](README.zh-CN.md)\n\n# Exercises\n\n## 1_one: why?\n\n<details>\n<summary>Hint 1</summary>\n\nThink.\n\n</details>\n",
                                       "[English](README.md)\n\n# 习题\n<!-- en: -->\n\n## 1_one：为什么？\n<!-- en: -->\n\n写 77 个。\n\n"
                                       "<details>\n<summary>提示 1</summary>\n<!-- en: -->\n\n想一想。\n\n</details>\n",
                                       "/*\n * 01-1, write: why?\n *\n * Write 77\n * of them.\n */\nint x;\n"))))
    result = folder.run()
    ok(result.returncode == 0 and folder.check().returncode == 0, "exercises: the task is in Chinese on the page", result)
    folder.change(names[2], ("int x", "int y"))
    ok(folder.check().returncode == 0, "exercises: what follows the task is no part of it")
    for old, new, said in (("77", "78", "figures: 78 in English, 77 in Chinese"), ("of them", "of those", '1_one：为什么？: "1_one: why?" of practice/exercises/01_x/README.md has changed')):
        text = folder.read(names[2])
        folder.change(names[2], (old, new))
        ok(said in folder.check().stderr, f"exercises: another task: {new}", folder.check())
        folder.write(names[2], text)
    folder.change(names[1], ("## 1_one：", "## 1_two："))
    ok("1_two：为什么？: begins with 1_one：, the name of its file" in folder.check().stderr, "exercises: the name of the file stays", folder.check())


def what_changed():
    folder = written()
    if shutil.which("git") is None:
        folder.change("docs/page.md", ("as long", "as much"))
        ok("--changes needs git" in folder.run("--changes", "docs/page.md").stderr, "--changes without git: one line")
        return
    git = lambda *words: subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *words], cwd=folder.root, capture_output=True, check=True)
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "a")
    folder.change("docs/page.md", ("as long", "as much"))
    git("commit", "-qam", "b")
    result = folder.run("--changes", "docs/page.md")
    ok(result.returncode == 0 and re.search(r"^-.*A block takes 0 times as long.*\n\+.*A block takes 0 times as much", result.stdout, re.M), "--changes shows what changed", result)
    folder.write("docs/page.zh-CN.md", re.sub(r"(## 原因\n<!-- en: )\w+", r"\g<1>0123456789", folder.read("docs/page.zh-CN.md")))
    ok("原因: no text in git has the hash 0123456789" in folder.run("--changes", "docs/page.md").stdout, "--changes says where it cannot")


def words():
    """Of the Chinese itself."""
    def problems(text, page="docs/page.zh-CN.md", english=ENGLISH):
        folder = Folder(**{page: "[English](page.md)\n\n# 求和\n<!-- en: 0 -->\n" + text, page.replace(".zh-CN", ""): english})
        return sum((found(folder.root) for found in (chinese_pages.setting_problems, chinese_pages.term_problems, chinese_pages.bold_problems)), [])
    good = "**线程束**（warp）有 32 个线程，`v0` 中 14.4% 的线程束（warps）空闲：见[第 02 课](a.md)（其中有 CUB）。“原文warp 照录,线程束分化”。\n\n" \
        "| 甲 | 乙（x） | 丙 |\n|---|---|---|\n- 一\n- 二\n<!-- 3\n = x -->\n```sh\nmake线程\n```\n"
    ok(problems(good) == [], "words: a good page", problems(good))
    for text, said in (("一个warp。", "line 5: 个w: a space"), ("共32 个。", "line 5: 共3: a space"), ("`v0`里。", "x里: a space"), ("`a`和[一](b.md)`c`。", "a space"), ("占 14%的。", "%的: a space"),
                       ("一,二。", "line 5: 一,: full-width"), ("一(二)。", "full-width"), ("一. 二。", "full-width"), ("“一”\"二\"。", "quotation marks"), ("一， 二。", "no space beside"),
                       ("**一。**二。", "outside of the asterisks"), ("一**“二”**三。", "outside of the asterisks"), ("一，\n二。", "line 5: a paragraph is one line"),
                       ("- 一，\n  二。", "line 5: a paragraph is one line"),
                       ("线程群（warp）。", "线程群（warp）: the glossary says 线程束"), ("**束**（Warps）。", "the glossary says 线程束"), ("[束](a.md)（warp）。", "the glossary says 线程束"),
                       ("看第 13 行。", "第 13 行: name the code"), ("这是线程束分化。", "line 5: 线程束分化: the glossary says 线程发散")):
        found = problems(text + "\n")
        ok(len(found) == 1 and said in found[0] and found[0].startswith("docs/page.zh-CN.md: line 5: "), f"words: {text!r}", found)
    found = problems("\n", "steps/01_x/README.zh-CN.md", "[中文](README.zh-CN.md)\n\n# A\n\nA **warp** and **blocks**.\n")
    ok([line.split(": ", 3)[3] for line in found] == [f"no **{term}** where the English page has **{bold}**" for term, bold in (("线程束", "warp"), ("线程块", "blocks"))],
       "words: a term that is bold in English", found)
    found = problems("\n**线程束**（warp）和**线程块**。\n", "steps/01_x/README.zh-CN.md", "[中文](README.zh-CN.md)\n\n# A\n\nA **warp** and **blocks**.\n")
    ok(len(found) == 1 and found[0].endswith("**线程块** is nowhere followed by its English, as **线程块**（blocks）"), "words: a term without its English in brackets", found)
    for old, new, said in (("线程发散", "线程分散", "线程分散（divergence）: docs/glossary.md has 线程束分化；线程发散"), ("- <a id=\"block\"></a>**线程块**（block）：甲\n", "", "block is missing")):
        folder = Folder(**{"docs/glossary.zh-CN.md": GLOSSAR.replace(old, new), "docs/page.zh-CN.md": "[English](page.md)\n"})
        found = chinese_pages.term_problems(folder.root)
        ok(len(found) == 1 and said in found[0], f"words: the glossary: {said}", found)


def strings():
    """What generated tables say."""
    def made(text):
        try:
            return chinese.table(ROOT, "docs/page.zh-CN.md", text)
        except chinese.Problem as problem:
            return str(problem)
    table = "| step | variant | µs at 64K | % of roof | speedup over v0 |\n| :-- | :-- | --: | --: | --: |\n| [01](../steps/01_interleaved/README.md) | read (the roof) | 9.17 | 7.8 | 1× |"
    ok(made(table) == "| 步骤 | 变体 | 64K 时 µs | 占上限的 % | 相对 v0 的加速比 |\n| :-- | :-- | --: | --: | --: |\n"
       "| [01](../steps/01_interleaved/README.zh-CN.md) | read（上限） | 9.17 | 7.8 | 1× |", "strings: a table", made(table))
    for text, said in ((table.replace("step", "stair"), "stair"), (table.replace("read (the roof)", "the roof"), "the roof"), ("A line of words.", "A line of words.")):
        ok(made(text) == f'no Chinese for "{said}": add it to tools/pages/chinese.csv', f"strings: {said}: refused", made(text))
    kept = "```text\n$ ./step04 -v v6\na line of words\n```\nv0 65.4 % · v1 96.3 %"
    ok(made(kept) == kept, "strings: what a program printed stays, and so do names with numbers", made(kept))
    late = made("*Not measured yet on h200: v3x16, again: `./run_all.sh --sim` writes results/h200.*")
    ok(late == "*在 h200 上尚未测量：v3x16, again。`./run_all.sh --sim` 会写出 results/h200。*", "strings: variants that came later", late)
    listed = list(chinese.strings())
    ok(listed == sorted(listed, key=lambda text: (text.lower(), text)), "strings: in alphabetical order")


what_is_written()
no_changes()
changes()
faults()
awaiting()
new_pages()
exercises()
what_changed()
words()
strings()

# ---- this repository ----

result = subprocess.run([sys.executable, PROGRAM, "--check"], capture_output=True, text=True)
ok(result.returncode == 0, "the Chinese pages of this repository agree with the English ones", result.stderr)
for found, what in ((chinese_pages.setting_problems, "lines are set as in Chinese"), (chinese_pages.term_problems, "one Chinese term for each English one"),
                    (chinese_pages.bold_problems, "a lesson's terms are bold in both languages")):
    problems = found(ROOT)
    ok(not problems, f"the Chinese pages: {what}", "\n".join(problems))
tap.done()
