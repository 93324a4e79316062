#!/usr/bin/env python3
# tier: more
"""tools/pages/notes.py: a number that disagrees with results/ is found, whatever it is; what else it brings up to date is written
or reported, and is no fault; and what it cannot read it refuses without writing anything."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import run_notes
import synthetic
import tap
from run_notes import PAGE, ROOT, notes, one_number, read, refused, write
from tap import ok

FRONT = """# Ladder
<!-- table: ladder toy -->
<!-- end -->
Between.
<!-- table: machine toy --><!-- end -->
<!-- table: work sim -->
old
<!-- end -->

v6 is 1.01 times as fast as v0; the roof
is 1.02 GB/s. Last words.
<!-- 1.01 = toy v6 16M speedup; 1.02 = toy machine read_gbps -->
"""


def us(fixed, thousands, n):  # the synthetic model
    return fixed + n / (1000 * thousands)


def noticed(what, name, old, new):
    """--check finds that a page has NEW for OLD, shows both, and writes nothing."""
    text = read(name)
    write(name, text.replace(old, new, 1))
    result = notes("--check")
    ok(old in text and result.returncode == 1 and f"{name}: its numbers are not those of results/" in result.stderr and read(name) != text
       and re.search(rf"^-.*{re.escape(new)}", result.stdout, re.M) and re.search(rf"^\+.*{re.escape(old)}", result.stdout, re.M), f"{what} is noticed", result)
    write(name, text)


def all_that_is_written():
    write("README.md", FRONT)
    result = notes("--check")
    ok(result.returncode == 1 and "README.md" in result.stderr and read("README.md") == FRONT, "--check finds unwritten tables, and writes nothing", result)
    result, page = notes(), read("README.md")
    v0, v6 = us(8, 100, 1 << 24), us(6, 950, 1 << 24)
    ok(result.returncode == 0 and result.stderr == "" and "wrote README.md\n" in result.stdout, "status 0", result)
    ok("Between." in page and "GB/s. Last words.\n<!-- " in page, "the text around stays", page)
    ok(len(re.findall(r"^\| \[0", page.split("Between")[0], re.M)) == 17, "the ladder has a row for each variant that sums, and the roof", page)
    row = re.search(r"^\| \[04\]\(steps/04_shared/README\.md\) \| v6 \|.*$", page, re.M)
    ok(row and f"| {v6:.1f} |" in row[0] and f"| {4 * (1 << 28) / us(6, 950, 1 << 28) / 1e3:.0f} |" in row[0]
       and f"| {v0 / v6:.2f} |" in row[0], "with time, bandwidth and speedup", row)
    ok(f"v6 is {v0 / v6:.2f} times as fast" in page, "a pinned number is written into its sentence", page)
    ok("NVIDIA Toy: driver 1.2.3, CUDA 98.0, CUB of CCCL 97.0.1; 2001-02-03, commit abc1234" in page, "the machine is named", page)
    ok(f"| v0 | {32 * (1 / 8 + 1 / 64):.2f} |" in page and "µs" not in page[page.index("work sim"):page.index("v6 is")],
       "counts of the simulator, and no time", page)
    result = notes("--check")
    ok(result.returncode == 0 and result.stderr == "", "then --check agrees", result)
    notes()
    ok(read("README.md") == page, "writing again changes nothing")
    noticed("a number in a table, changed by hand,", "README.md", f"| {v6:.1f} |", "| 1.23 |")
    noticed("a text in a table", "README.md", "| two_pass |", "| two_passes |")
    write("README.md", "\n".join(page.split("\n")[:5] + page.split("\n")[6:]))
    ok(notes("--check").returncode == 1, "a row that was removed is noticed")
    write("README.md", page)
    synthetic.write_toolbox(run_notes.root + "/results/toy")
    ok(notes("--check").returncode == 0, "the toolbox is no part of the ladder")
    for name in ("steps/05_x", "steps/toolbox/x", "simulator", "results"):
        write(name + "/README.md", one_number("toy v0 16M median_us"))
        notes()
        ok(f"x {v0:.0f}\n" in read(name + "/README.md"), name + "/README.md is a page, too")


def pinned():
    """v0 takes 176 µs at 16M and v1 91.9: a ratio of 1.91."""
    good = ("First v0, 176 µs.\n\nThen v1 takes 91.9 µs, 1.91 times less,\nand 1.91 it is; not `1.91`, 11.91, 1.914, 1.91x or 2^1.91."
            " v0: 176.\n<!-- 1.91 = toy v0/v1 16M median_us; 1.91 = toy v0/v1 16M median_us;\n"
            "     91.9 = toy v1 16M median_us; 176 = toy v0 16M median_us -->\n\nLast, 91.9.\n")
    write(PAGE, good)
    result = notes("--check")
    ok(result.returncode == 0 and result.stderr == "", "pins: right ones pass", result)
    write(PAGE, good.replace(" 1.91 ", " 1.78 ").replace(" 91.9 ", " 90 "))
    result = notes("--check")
    ok(result.returncode == 1 and PAGE in result.stderr and result.stdout.count("1.78") == 4, "pins: wrong numbers are noticed", result)
    notes()
    ok(read(PAGE) == good, "pins: a number is written in its paragraph and in the comment, and nowhere else", read(PAGE))
    for pins, message in (("1.91 = toy v0/v1 16M median_us", "line 2: 1.91 does not stand in the paragraph before"),
                          ("176 = toy v0 16M median_us; 176 = toy v0 16M median_us", "line 2: 176 stands 1 times in the paragraph before"),
                          ("176 = toy v9 16M median_us", "176 is not measured; a pinned number must be"),
                          ("176 = toy v0 16M price", "holds no price of v0"), ("176 = v0", "a value takes a folder"),
                          ("176 = counted v0 16M median_us", "no folder results/counted"),
                          ("176 toy v0 16M median_us", "a pin is NUMBER = "), ("176 = toy v0 16M median_us;", "a pin is NUMBER = "),
                          ("176 = toy only_sim 16M median_us", "176 is not measured")):
        refused(message, f"v0 takes 176 µs.\n<!-- {pins} -->\n", f"pins: {pins}")
    write(PAGE, "```\n1.9\n<!-- 2 = x -->\n```\nWrite `<!-- 2 = x -->`.\n")
    ok(notes().returncode == 0, "pins: in code they are none")


def bad_pages():
    for message, page in (
            ("line 2: no <!-- end --> after this marker", "x\n<!-- table: ladder toy -->\n| 1 |\n"),
            ("line 2: <!-- end --> without a marker", "x\n<!-- end -->\n"),
            ("line 2: a number is typed, and pinned after its paragraph", "x\n1 <!-- value: toy v0 16M gbps -->1<!-- end -->\n")):
        refused(message, page)
    for message, marker in (("line 1: no table leader; there are ladder, ", "leader toy"), ("a table takes a name and a folder", "ladder"),
                            ("the table ladder takes no x", "ladder:x toy"), ("the table step takes STEP, as in step:STEP", "step toy"),
                            ("holds no step 99_none", "step:99_none toy"), ("no folder results/h900; ./run_all.sh makes it", "ladder h900"),
                            ("holds no counts", "work toy"),
                            ("no folder results/..;", "ladder ..")):
        refused(message, f"<!-- table: {marker} -->\n<!-- end -->\n")
    for message, marker in (("1.01 is not measured", "toy v99 16M gbps"), ("holds no gbps of v0 at 3M", "toy v0 3M gbps"),
                            ('"16X" is not a size', "toy v0 16X gbps"), ("holds no price", "toy machine price"), ("a value takes a folder, a variant", "toy v0 16M")):
        refused(message, one_number(marker))
    # Rows beside their rivals: the fastest is found, in both files; what was not timed is refused.
    columns = "operator,of,columns,n,cache,launch,rival,ours_us,rival_us,ratio"
    write("results/toy/rows.csv", f"element,{columns}\nfloat,sum,rows,3,1023,cold,graph,cub_newer_rows,1,2,0.5\n")
    write("results/toy/rows_torch.csv", f"{columns}\nsum,rows,3,1023,cold,graph,torch,2,2.5,0.8\n")
    page = "<!-- table: row_ratios:rows,1K toy -->\n<!-- end -->\n\nIt is 0.8 of it.\n<!-- 0.8 = toy rows sum rows 3 1K best ratio -->\n"
    write("docs/page.md", page)
    ok(notes().returncode == 0 and "| 3 | 0.800 PyTorch |" in read("docs/page.md") and "0.800 of it" in read("docs/page.md"), "rows: the fastest rival of both files", notes())
    # In how many shapes a rival is faster: by 2 % is none, by more is one.
    for ratio, ahead in (("1.02", 0), ("1.03", 1)):
        write("results/toy/rows_torch.csv", f"{columns}\nsum,rows,3,1023,cold,graph,torch,2,2.5,0.8\nsum,rows,5,1020,cold,graph,torch,2,2.5,{ratio}\n")
        write("docs/page.md", "<!-- table: rivals_ahead toy -->\n<!-- end -->\n")
        ok(notes().returncode == 0 and f"| rows | sum | 2 | {ahead} | {ratio}0 PyTorch (columns: 5; n = 1K) |" in read("docs/page.md"),
           f"rows: {ahead} where a rival is faster", read("docs/page.md"))
    write("docs/page.md", page)
    for message, marker in (("holds no ratio of sum rows 3 1K torch_compile", "toy rows sum rows 3 1K torch_compile ratio"),
                            ("holds no ratio of sum rows 8 1K best", "toy rows sum rows 8 1K best ratio")):
        refused(message, one_number(marker))
    for name in ("rows.csv", "rows_torch.csv"):
        os.remove(f"{run_notes.root}/results/toy/{name}")
    result = notes("--root", "/nonexistent")
    ok(result.returncode == 2 and result.stderr.count("\n") == 1, "an unknown root: status 2, one line", result)
    refused("a pin is NUMBER = what a value takes", "1 is\n<!-- 1 = toy v0 16M gbps; -- \n\n v1 -->\n", "a pin of several lines")


def broken(what, message, change):
    synthetic.write_gpu(run_notes.root + "/results/broken")
    lines = read("results/broken/runs.csv").split("\n")
    write("results/broken/runs.csv", "\n".join(change(lines)))
    refused(f"results/broken/runs.csv{message}", "<!-- table: ladder broken -->\n<!-- end -->\n", what)


def bad_results():
    broken("a broken CSV line", ": line 3: 33 fields, the header has 34", lambda lines: lines[:2] + [lines[2].rsplit(",", 1)[0]] + lines[3:])
    broken("a word for a number", ": line 3: runs is not a whole number: many", lambda lines: lines[:2] + [lines[2].replace(",9,", ",many,", 1)] + lines[3:])
    broken("a missing column", ": line 1: the header has no column variant", lambda lines: [lines[0].replace("variant", "kind")] + lines[1:])
    broken("an empty CSV", ": line 1: the header has no column step", lambda lines: [])
    broken("no tasks", " is of an older layout: measure again with ./run_all.sh, or rename as results/README.md says", lambda lines: [line.rsplit(",", 1)[0] for line in lines])
    synthetic.write_gpu(run_notes.root + "/results/broken")
    write("results/broken/machine.json", "{")
    refused("broken/machine.json cannot be read", "<!-- table: machine broken -->\n<!-- end -->\n")
    for change, message in (({"sm_count": "77"}, 'sm_count is not a number: "77"'), ({"cpu": "`id`"}, "cpu is not of letters"),
                            ({"x": ["`id`"]}, "x is neither text nor number")):
        synthetic.write_gpu(run_notes.root + "/results/broken", **change)
        refused("results/broken/machine.json " + message, "<!-- table: machine broken -->\n<!-- end -->\n")
    synthetic.write_gpu(run_notes.root + "/results/broken", sm_count=None)
    refused("broken v0 1M life_us: its results lack something, or hold another kind of thing (TypeError",
            "a 1\n<!-- 1 = broken v0 1M life_us -->\n", "a value that a null leaves without its number")


def hostile_names():
    """What has no form of its own, is shown as a text."""
    synthetic.write_gpu(run_notes.root + "/results/hostile", x="a|b `c` <b>d</b> <!-- end --> [e](f) *g* 2 < 3 $h$\n| i")
    hostile = run_notes.program.results.about("hostile", "machine.json")["x"]
    ok(hostile == "a\\|b \\`c\\` &lt;b>d&lt;/b> &lt;!-- end --&gt; \\[e\\](f) \\*g\\* 2 < 3 \\$h\\$ \\| i", "a name with marks of Markdown", hostile)
    refused("1 is no number or name that a pin can hold: a", "is 1\n<!-- 1 = hostile machine x -->\n", "a name that a page pins")
    write("results/hostile/experiments/errata.txt", "$ ./x twice\n```\n# <!-- end -->\nexit status 0\n")
    write(PAGE, "<!-- table: experiment:known_wrong:twice hostile -->\n<!-- end -->\n")
    result = notes()
    ok(result.returncode == 0 and "\n````text\n$ ./x twice\n```\n# <!-- end -- >\nexit status 0\n````\n" in read(PAGE) and notes("--check").returncode == 0,
       "a session with the end of a block in it", f"{result}{read(PAGE)}")


def repository():
    """The repository's address: of none, no link and an empty line in the notebook; of GitHub's, both."""
    cell = '    "REPOSITORY = \\"{}\\"\\n",\n'
    page = "a\n\n<!-- table: notebook book -->\n{}\n<!-- end -->\n"
    for setting, wanted, link in (('repository = ""', "", ""), ("", "", ""), ('repository = "https://example.org/a/b"', "https://example.org/a/b", ""),
                                  ('repository = "https://github.com/a/b.git"', "https://github.com/a/b",
                                   "**[Open it in Colab](https://colab.research.google.com/github/a/b/blob/main/ladder.ipynb)**, in a browser, without installing anything.")):
        write("tools/book/zensical.toml", f"[project.extra]\n{setting}\n")
        write("ladder.ipynb", cell.format("https://old.example.org/c"))
        write(PAGE, page.format("old"))
        ok("--- ladder.ipynb" in notes("--check").stdout, f"{setting}: --check shows the old address")
        result = notes()
        ok(result.returncode == 0 and read("ladder.ipynb") == cell.format(wanted) and read(PAGE) == page.format(link) and notes("--check").returncode == 0,
           f"{setting}: written into the notebook and the page", f"{result}{read(PAGE)}")
    write("tools/book/zensical.toml", '[project.extra]\nrepository = "git@github.com:a/b"\n')
    refused('repository = "git@github.com:a/b": an address such as https://', page.format(""))
    os.remove(run_notes.root + "/ladder.ipynb")
    os.remove(run_notes.root + "/tools/book/zensical.toml")


# ---- what is no fault: written, or reported ----

def quotes():
    source = "".join(f"int x{k};\n" for k in range(1, 31))
    page = "# x\n\nSee `x12` in line 12.\n\n```c src/a.c:10-12\nint x10;\nint x11;\nint x12;\n```\n\n```c src/a.c:3-4\n```\n"
    write("src/a.c", "// new\n" + source)
    write(PAGE, page)
    result = notes("--check")
    ok(result.returncode == 0 and "+See `x12` in line 13.\n" in result.stdout and read(PAGE) == page, "quotes: what moved is shown, and is no fault", result)
    notes()
    ok(read(PAGE) == page.replace("line 12", "line 13").replace("```c src/a.c:10-12", "[`a.c:11-13`](../src/a.c#L11-L13)\n\n```c src/a.c:11-13")
       .replace("```c src/a.c:3-4\n", "[`a.c:3-4`](../src/a.c#L3-L4)\n\n```c src/a.c:3-4\nint x2;\nint x3;\n"), "quotes: new numbers, a link above, an empty one filled", read(PAGE))
    write("src/a.c", source.replace("x11", "y"))
    for text, message in ((read(PAGE), "docs/page.md: line 7: src/a.c no longer has these lines 11-13"), ("```c src/b.c:1-2\n```\n", "there is no file src/b.c"),
                          ("```c src/a.c:40-50\n```\n", "src/a.c has no lines 40-50, but 31")):
        write(PAGE, text)
        result = notes()
        ok(result.returncode == 0 and message in result.stdout and result.stderr == "", f"quotes: reported: {message}", result)


def ladder():
    """A variant that is new against a file gets a row, and no row keeps a wrong number of lines."""
    for name, text in (("01_a/v0", "/* v0\n * New: all\n */\nint a;\n"), ("02_b/v1", "/* v1\n * New:     against ../01_a/v0.cu: one thing,\n *          or two. And more.\n */\nint b;\nint c;\n")):
        write(f"steps/{name}.cu", text)
    row = "| `diff steps/01_a/v0.cu steps/02_b/v1.cu` | {} | 3 |\n"
    write("docs/ladder.md", "# L\n\n## The diffs\n\n| from, to | what changes | lines |\n| :-- | :-- | --: |\n" + row.format("mine").replace("| 3 |", "| 9 |"))
    notes()
    ok(row.format("mine") in read("docs/ladder.md"), "ladder: the lines are counted, the words stay", read("docs/ladder.md"))
    write("steps/02_b/v2.cu", read("steps/02_b/v1.cu"))
    notes()
    ok(read("docs/ladder.md").endswith(row.format("mine") + row.format("one thing, or two").replace("v1.cu", "v2.cu")), "ladder: a new variant has its row", read("docs/ladder.md"))
    shutil.rmtree(run_notes.root + "/steps/01_a")
    shutil.rmtree(run_notes.root + "/steps/02_b")
    os.remove(run_notes.root + "/docs/ladder.md")


def front():
    """The front page's table, and the first lines of lessons."""
    write("tools/pages/front.csv", 'lesson,variant,minutes,english,chinese\n01_interleaved,v1,20,"a tree, first",树\n02_sequential,,9,another,另一棵\n')
    shutil.rmtree(run_notes.root + "/steps/05_x")
    for name in ("01_interleaved", "02_sequential"):
        write(f"steps/{name}/README.md", f"# {name}\n")
    write("steps/01_interleaved/README.zh-CN.md", "# 01\n")
    write("README.md", "# x\n\n<!-- table: lessons toy -->\n<!-- end -->\n")
    write("README.zh-CN.md", read("README.md"))
    ok(notes("--check").returncode == 0, "front: other words are no fault")
    notes()
    gbps = f"{4 * (1 << 28) / us(8, 200, 1 << 28) / 1e3:.0f}"
    ok(f"| [01_interleaved](steps/01_interleaved/README.md) | a tree, first | 20 | {gbps} | " in read("README.md")
       and "| [02_sequential](steps/02_sequential/README.md) | another | 9 | – | – |" in read("README.md"), "front: a row for each lesson", read("README.md"))
    ok(f"| [01_interleaved](steps/01_interleaved/README.zh-CN.md) | 树 | 20 | {gbps} | " in read("README.zh-CN.md"), "front: in Chinese, too", read("README.zh-CN.md"))
    ok(read("steps/01_interleaved/README.md") == "[中文](README.zh-CN.md) · [02_sequential →](../02_sequential/README.md)\n\n# 01_interleaved\n" and
       read("steps/02_sequential/README.md") == "[← 01_interleaved](../01_interleaved/README.md)\n\n# 02_sequential\n", "the first line of a lesson",
       read("steps/01_interleaved/README.md"))
    noticed("front: a speed that is not the recorded one", "README.md", f"| {gbps} | ", "| 9999 | ")
    write("tools/pages/front.csv", read("tools/pages/front.csv").replace("a tree, first", "other words"))
    result = notes("--check")
    ok(result.returncode == 0 and "+| [01_interleaved](steps/01_interleaved/README.md) | other words |" in result.stdout, "front: changed words are shown, and are no fault", result)
    for name in ("README.zh-CN.md", "steps/01_interleaved/README.zh-CN.md"):
        os.remove(f"{run_notes.root}/{name}")


def translated():
    """A Chinese page: sections whose English changed are named below its title until somebody takes the name away."""
    english = "# Page\n\nA [link](other.md#x).\n\n## One\n\nIt is 176.\n<!-- 176 = toy v0 16M median_us -->\n\n## Two\n\nText\n\n<details>\n<summary>More</summary>\n\nFold\n</details>\n"
    chinese = "# 页\n\n[链接](other.md#x)\n\n## 一\n\n176\n<!-- 176 = toy v0 16M median_us -->\n\n## 1_b：二\n\n文字\n\n<!-- fold in English -->\n[更多](page.md#y)\n"
    write("docs/other.md", "# Other\n\n# x\n")
    write("docs/other.zh-CN.md", "# 别\n\n# 另\n")
    write(PAGE, english)
    write("docs/page.zh-CN.md", chinese)
    stale = lambda: re.findall("^> 译文待更新[^：]*：(.*)$", read("docs/page.zh-CN.md"), re.M)
    notes()
    page = read("docs/page.zh-CN.md")
    ok(page.startswith("[English](page.md)\n\n# 页\n<!-- en: ") and "](other.zh-CN.md#另)" in page and "[更多](page.md#two)" in page and not stale(),
       "translation: links, and hashes below the title", page)
    notes()
    ok(read("docs/page.zh-CN.md") == page, "translation: writing again changes nothing")
    write(PAGE, read(PAGE).replace("Text", "Other text"))
    result = notes("--check")
    ok(result.returncode == 0 and "docs/page.zh-CN.md: stale: 1_b：二" in result.stdout, "translation: a section whose English changed is reported, and is no fault", result)
    notes()
    page = read("docs/page.zh-CN.md")
    ok(stale() == ["1_b：二"], "translation: and named on the page", page)
    notes()
    ok(read("docs/page.zh-CN.md") == page, "translation: it stays, and the page as it is", read("docs/page.zh-CN.md"))
    write(PAGE, read(PAGE).replace("It is", "That was"))
    notes()
    ok(stale() == ["一；1_b：二"], "translation: one more", stale())
    write("docs/page.zh-CN.md", read("docs/page.zh-CN.md").replace("：一；1_b：二", "：1_b：二"))
    notes()
    ok(stale() == ["1_b：二"], "translation: a name that was taken away stays away", stale())
    write("docs/page.zh-CN.md", re.sub("> 译文待更新.*\n", "", read("docs/page.zh-CN.md")))
    write(PAGE, read(PAGE).replace("That\n", "That ").replace("## Two", "## Two\n\nnew\n\n## Three"))
    result = notes()
    ok("its sections are not those of docs/page.md: 4 and 5" in result.stdout and result.returncode == 0, "translation: other sections are reported", result)
    os.remove(run_notes.root + "/docs/page.zh-CN.md")
    result = subprocess.run([sys.executable, ROOT + "/tools/pages/translation.py", "--new", PAGE], cwd=run_notes.root, capture_output=True, text=True)
    notes()
    ok(result.returncode == 0 and stale() == ["Page；One；Two；Three；More"], "translation --new: begins a page, all of it stale", f"{result}{stale()}")
    # What a generated table says needs its Chinese; and its numbers are found wrong, too.
    write("docs/page.zh-CN.md", "# 页\n\n<!-- table: lesson:v0 toy -->\n<!-- end -->\n")
    notes()
    ok("| 变体 | " in read("docs/page.zh-CN.md"), "tables in Chinese", read("docs/page.zh-CN.md"))
    noticed("a number in a Chinese table", "docs/page.zh-CN.md", f"{us(8, 100, 1 << 20):.1f}", "1.23")
    for name in ("page", "other"):
        os.remove(f"{run_notes.root}/docs/{name}.zh-CN.md")


# ---- this repository ----

def read_once(path, stored={}, read_run=run_notes.program.results.schema.read_run):
    """A run that is as it was is not read again: that took half the time."""
    status = os.lstat(path)
    key = path, status.st_mode, status.st_size, status.st_mtime_ns
    if key not in stored:
        stored[key] = read_run(path)
    return stored[key]


run_notes.program.results.schema.read_run = read_once
with tempfile.TemporaryDirectory() as run_notes.root:
    synthetic.write_gpu(run_notes.root + "/results/toy")
    synthetic.write_sim(run_notes.root + "/results/sim")
    all_that_is_written()
    synthetic.write_rows(run_notes.root + "/results/sim/runs.csv", [dict(synthetic.sim_row("only_sim", 1024), step="09_later",
                                                                           variant="only_sim", n=1024)], "a")
    for test in (pinned, bad_pages, bad_results, repository, hostile_names, quotes, ladder, front, translated):
        test()
result = subprocess.run([sys.executable, ROOT + "/tools/pages/notes.py", "--check"], capture_output=True, text=True)
print("".join(f"# {line}\n" for line in result.stdout.splitlines()), end="")  # what make notes would write, for who reads the log
ok(result.returncode == 0, "the numbers of this repository's pages are those of results/", result.stderr)
tap.done()
