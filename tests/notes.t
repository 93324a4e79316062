#!/usr/bin/env python3
# tier: more
"""tools/pages/notes.py: a number that disagrees with results/ is found, whatever it is; what else it brings up to date is written
or reported, and is no fault; and what it cannot read it refuses without writing anything. Then what its tables and values compute,
from made-up results that can be worked out by hand, and what stands there before anything was measured."""
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
from run_notes import PAGE, ROOT, has, notes, one_number, read, refused, table, values, write
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
       and f"| {us(8, 100, 1 << 28) / us(6, 950, 1 << 28):.2f} |" in row[0], "with time, bandwidth and speedup", row)
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
    broken("no tasks", " is of an older layout: measure again with ./run_all.sh", lambda lines: [line.rsplit(",", 1)[0] for line in lines])
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


# ---- what the tables and values compute ----

COUNTERS = ("step,variant,n,block,grid,pass,kernel,gld_requests,gld_sectors,gst_requests,gst_sectors,shared_ld_wavefronts,"
            "shared_st_wavefronts,simt_efficiency,branch_efficiency,barriers,shuffles,votes,atomics,reductions,inst_per_warp\n")


def rows(name, *rows):
    """Rows of (variant, n, µs, and what else), in the format of a run."""
    synthetic.write_rows(f"{run_notes.root}/results/{name}.csv", [
        {"step": "x", "variant": variant, "n": n, "median_us": us, "block": 256, "grid": 1, "cache": "cold", "launch": "plain", **more}
        for variant, n, us, more in rows], "a" if name == "sim/runs" else "w")


def nothing_yet():
    for name, file in (("flight", "sweep.csv"), ("targets", "compare.csv"), ("softmax", "softmax.csv"), ("why:v0", "counters.csv"),
                       ("experiment:levels", "experiments/levels.csv"), ("experiment:known_wrong:x", "experiments/errata.txt"),
                       ("passes", "passes.csv")):
        made = table(f"{name} toy")
        ok(made[0].startswith("*Not measured yet: ") and f"results/toy/{file}" in made[0], f"{name}: not measured yet: {file}", made)
    values({f"toy {marker}": "–" for marker in (
        "sweep latency_ns", "compare 1K cold graph cub ratio", "softmax warp 1K 256M gbps", "counter v0 shuffles",
        "experiment levels l2 cycles")})
    rows("sim/runs", ("ticket", 1024, "", {}), ("slots", 1024, "", {}))
    write("steps/09_single_pass/README.md", "")
    has("sizes:v0,ticket,slots toy", "| [01](../steps/01_interleaved/README.md) | v0 |",
        "*Not measured yet on toy: ticket, slots: `./run_all.sh --out results/toy` writes results/toy.*")
    has("step:09_single_pass toy", "*Not measured yet on toy: 09_single_pass: ")
    values({"toy ticket 1M median_us": "–", "toy v0/ticket 1M median_us": "–"})


def newer():
    """What the sources have, and a folder does not: a line below the tables of all that it has, and in make notes."""
    write("steps/02_sequential/lesson.c", "    &variant_v2, &variant_v2b, &variant_v2_wrong, &variant_v2_cpu, &variant_v2_most, NULL,\n")
    write("steps/02_sequential/v2_wrong.cu", "extern const struct variant variant_v2_wrong = {\n    .flags = KNOWN_WRONG,\n};\n")
    write("steps/02_sequential/v2_most.cu", "extern const struct variant variant_v2_most = {\n    .task = &maximum_task,\n};\n")
    write("steps/02_sequential/v2_cpu.c", "const struct variant variant_v2_cpu = {\n    .flags = ON_CPU,\n};\n")
    write("steps/toolbox/vote/lesson.c", "    &variant_vote_new, NULL,\n")
    run_notes.program.results.use_root(run_notes.root)
    line = "*Not measured yet on toy: v2b, v2_cpu: `./run_all.sh --out results/toy` writes results/toy.*"
    for name, wanted in ("ladder", line), ("step:02_sequential", line.replace("v2_cpu", "v2_cpu, v2_most")), ("errors", line), ("depths", line):
        ok(table(f"{name} toy")[-1] == wanted, f"{name}: what came later; other answers than sums in the step's own", table(f"{name} toy"))
    ok(table("work sim")[-1] == line.replace("./run_all.sh --out results/toy", "make counters-sim COUNTERS=results/toy/counters.csv").replace("toy", "sim"), "work: what came later", table("work sim"))
    ok("Not measured" not in "".join(table("step:01_interleaved toy")), "step: nothing of another", table("step:01_interleaved toy"))
    has("lesson:v2,v2b toy", "| v2 |", "*Not measured yet on toy: v2b: ")
    has("why:vote_new toy", "*Not measured yet")
    write("results/sim/counters.csv", "variant\nv2\nvote_new\n")
    listed = notes().stdout.splitlines()
    ok(all(entry in listed for entry in ("not measured yet on toy: v2b, v2_cpu, v2_most of 02_sequential: ./run_all.sh --out results/toy",
                                         "not measured yet on sim: v2b, v2_cpu, v2_most of 02_sequential: make counters-sim COUNTERS=results/sim/counters.csv",
                                         "not measured yet on toy: vote_new of vote: ./run_all.sh --out results/toy",
                                         "not counted yet on sim: v2b, v2_most of 02_sequential: make counters-sim COUNTERS=results/sim/counters.csv")), "make notes lists them", listed)
    for name in ("steps/02_sequential", "steps/toolbox/vote"):
        shutil.rmtree(f"{run_notes.root}/{name}")
    os.remove(run_notes.root + "/results/sim/counters.csv")


def runs():
    v0, v1 = 8 + (1 << 20) / 1e5, 8 + (1 << 20) / 2e5
    values({"toy v0 1M row_ns": f"{v0 * 1000 / 32768:.3g}", "toy v0 1M life_us": f"{v0 * 77 * 8 / 4097:.2f}",
            "toy v0/v1 1M median_us": f"{v0 / v1:.2f}", "toy v0-v1 1M median_us": f"{v0 - v1:.2f}", "toy machine l2_bytes MiB": "30 MiB"})
    has("step:05_warp_shuffle toy", "| block_reduce | 1M | 6.75 |", "| block_reduce | 16M |")
    has("step:05_warp_shuffle sim", "| [05](../steps/05_warp_shuffle/README.md) | block_reduce |")
    synthetic.write_toolbox(run_notes.root + "/results/toy")
    has("toolbox:vote,vote_shared toy", "| vote | 10.0 | 160 | 2560 | 839 | 75.0 | 1.00× |",
        "| vote_shared | 20.0 | 320 | 5120 | 419 | 75.0 | 2.00× |")
    has("toolbox:soft@1K,soft@8K toy", "| soft@8K | 40.0 | 640 | 10240 | 210 | 75.0 | 1.33× |")
    has("sizes:vote toy", "| [vote](../steps/toolbox/vote/README.md) | vote |")
    values({"toy soft@8K/vote 16M median_us": "4.00"})


def write_counters(votes=2, sim_sectors=800, task="task", n=65536):
    write("results/toy/counters.csv", COUNTERS + "".join(
        f"{step},{name},{n},256,9,{k},{name},{1000 + 256 * k},400,9,9,5,6,0.91,6{k}.44,72,40,{votes},3,4,55\n"
        for step, name in (("01_interleaved", "v0"), ("01_interleaved", "v1"), ("02_sequential", "v2"), ("vote", "vote")) for k in (1, 2)))
    write("results/sim/counters.csv", "variant,n,block,gld_requests,gld_sectors,gst_requests,gst_sectors,shared_ld_wavefronts,"
          f"shared_st_wavefronts,barriers,shuffles,atomics,simt_efficiency,{task}\nv0,65536,256,2768,{sim_sectors},18,18,10,12,18,84,14,0.9,sum\n"
          "vote,65536,256,1,2,3,4,5,6,7,8,9,0.9,vote\n")


def counters():
    write_counters()
    has("counter:gld_requests toy", "v0 1,256 · v1 1,256 · v2 1,256")
    has("counter:simt_efficiency toy", "v0 91.0 % · ")
    has("why:vote toy", "| one run, n = 64K", "Where the simulator counts something else:", "- *shuffles and votes* of vote: the mask is computed")
    has("why:v0,ticket toy", "| one sum, n = 64K, blocks of 256 | v0 |", "| launches | 2 |", "| load requests | 2,768 |", "| load sectors | 800 |",
        "| barriers | 18 |", "| shuffles and votes | 84 |", "| atomics | 14 |", "| SIMT efficiency, % | 91.0 (simulator 90.0) |",
        "*Not profiled yet: ticket: `make counters`")
    write("results/toy/passes.csv", "step,kernel,n,pass,grid,duration_us\n01,v0,1M,1,77,10\n01,v0,1M,2,1,2\n01,v0,1M,3,1,1\n")
    values({"toy counter v0 gld_requests": "1,256", "toy counter v0/v1 gld_requests": "1.00", "toy counter ticket shuffles": "–",
            "toy launch v0 1M rest": "3.00", "toy launch v0 1M life": "80.0", "toy vote 1M issue_us": f"{55 * 7 * 8 / 77 / 4 / 1000:.3g}"})
    of_sim = {"grid": 9, "gld_requests": 2768, "gst_requests": 18, "gst_sectors": 18, "shared_ld_wavefronts": 10, "shared_st_wavefronts": 12}
    rows("other/runs", ("v0", 65536, "", dict(of_sim, gld_sectors=800)), ("v1", 65536, "", dict(of_sim, gld_sectors=801)),
         ("v2", 65536, "", dict(of_sim, grid=8)), ("vote", 65536, "", dict(of_sim, task="vote")))
    write("results/other/machine.json", '{"backend": "sim"}')
    ok([line.split(" | ")[1:4] for line in table("beside:other toy")[2:]] == [["v0", "2,768", "800"], ["v1", "2,768", "800 / 801"]],
       "beside: one number or two; sums alone, of equal grids", table("beside:other toy"))
    for message, marker in (("holds no price of v0", "counter:price"), ("holds nothing for n = 7", "why:v0@7")):
        refused(message, f"<!-- table: {marker} toy -->\n<!-- end -->\n")
    has("why:v0 toy")
    write_counters(votes=3, sim_sectors=801)
    lines = notes("--check").stdout
    ok("+| load sectors | 800 (simulator 801) |" in lines and "+| shuffles and votes | 86 (simulator 84) |" in lines,
       "counts that changed are noticed", lines)
    for message, change in (("results/toy/counters.csv cannot be read", {"n": "many"}), ("results/sim/counters.csv is of an older layout", {"task": "x"})):
        write_counters(**change)
        refused(message, "<!-- table: why:v0 toy -->\n<!-- end -->\n")
    write_counters()


def printed_figures():
    n, rest = 1 << 25, 1 << 17  # 2^25 floats read, 2^17 partial sums written
    figures = "document,section,gpu,variant,quantity,unit,value\n" + "".join(f"001,x,Old,{line}\n" for line in (
        "v0,time,ms,8", f"v0,bandwidth,GB/s,{4 * (n + rest) / 8e6}", "v1,time,ms,2.004", f"v1,bandwidth,GB/s,{4 * (n + rest) / 2.004e6}",
        "gtx1060,theory,GB/s,100"))
    write("results/published/figures.csv", figures)
    has("beside:published:v0,v1 toy", f"| v0 | 8.00 | 16.8 | 16.8 | 1.00× | {8 + (1 << 28) / 1e5:.0f} | ", "| v1 | 2.00 | 67.2 | 67.2 | 3.99× | ")
    values({"published v0 time": "8", "published v0/v1 time": "3.99", "published v0 block_share": "256", "published v1 speedup": "3.99"})
    refused("figures.csv holds no price of v0", one_number("published v0 price"))
    write("results/published/figures.csv", figures.replace("2.004\n", "fast\n"))
    refused("figures.csv: line 4: value is not a number: fast", one_number("published v0 time"))


def experiments():
    rows("toy/experiments/grid_sync", *((name, 512, us, {"grid": 2}) for name, us in
                                        (("barriers_1", 5), ("barriers_17", 21), ("launches_2", 4), ("launches_18", 36))))
    has("experiment:grid_sync toy", "| 256 | 2 | 1.00 | 2.00 | – | – |")
    rows("toy/experiments/little", *((name, 1 << 20, 1, {"gbps": gbps}) for name, gbps in (("b2_f1", 8), ("b1_f2", 4), ("b1_v2", 40))))
    has("experiment:in_flight toy", "| 2 | 2 | 4.00–8.00 | 19712 |", "| 8 | 1 | 40.0 | 15770 |")
    rows("toy/experiments/unrolled", ("v4", 1 << 20, 8, {}), ("v5", 1 << 20, 2, {}), ("v4", 1 << 20, 6, {"launch": "graph"}))
    ok(table("experiment:unrolled:v5,v4 toy")[2:] == ["| v5 | 2.00 | – | – | – |", "| v4 | 8.00 | – | – | – |"], "rows in the order asked for")
    operation = "operation,warps,values,ok,cycles,cycles_a_round,per_cycle\n"
    write("results/toy/experiments/shuffle_cost.csv", operation + "shuffle,1,1,1,6144,24.00,0.04\nshuffle,32,4,1,32768,128.00,0.5\nany,1,1,1,5120,20.00,0.4\n")
    has("experiment:shuffle_cost:any,shuffle toy", "| `__any_sync()` | 20.0 | – |", "| shuffle | 24.0 | 0.5 |")
    write("results/toy/experiments/levels.csv", "level,bytes,count,cycles,ns,gbps\nregisters,65536,1,,,\nl2,2048,1,200,100,8000\nmemory,4096,1,600,300,4000\n")
    write("results/toy/experiments/errata.txt", "$ ./errata -v twice -n 1\na\nexit status 0\n\n$ ./absent_lanes\n$b\nexit status 1\n\n")
    ok(table("experiment:known_wrong:twice toy") == ["```text", "$ ./errata -v twice -n 1", "a", "exit status 0", "```"], "known_wrong: one command")
    values({"toy experiment " + marker: expected for marker, expected in (
        ("unrolled v4 1M graph_us", "6.00"), ("unrolled v4 1M life_us", "4928"), ("unrolled v4/v5 1M median_us", "4.00"),
        ("grid_sync launch-barrier 256 2", "1.00"), ("in_flight most_ns 2", "19712"), ("levels l2/memory gbps", "2.00"),
        ("shuffle_cost shuffle/any latency", "1.20"), ("shuffle_cost ballot latency", "–"))})
    for marker, message in (("finnishes", "no table experiment:finnishes; there are "), ("unrolled:v9", "experiment unrolled has no row v9"),
                            ("shuffle_cost:balot", "has no operation balot"), ("known_wrong:thrice", "errata.txt has no command with thrice")):
        refused(message, f"<!-- table: experiment:{marker} toy -->\n<!-- end -->\n")


def library():
    """The sweep: a latency of 1 µs, 77 SMs, a roof of 1260 GB/s; ratios; a roof of 4000 GB/s."""
    synthetic.write_sweep(run_notes.root + "/results/toy")
    has("flight toy", "| 16 | 14 | 584–599 | 50.0 | 1260 | 2106 |", "| 8 | 10 | 292–299 | 24.9 | 631 | 2110 |")
    row = synthetic.compare_row
    write("results/toy/compare.csv", synthetic.COMPARE + row(4096, 0.9) + row(4096, 0.951, "warm") + row(8192, 0.8) + row(16384, 0.7) + row(8192, 0.6, "warm")
          + row(8191, 1.25) + row(1024, 1.5, offset=3))
    has("targets toy", "| 2^12 | ≤ 0.95 | 0.900 at 2^12 | 1 of 1 | **0.951** ✗ at 2^12 | 0 of 1 |",
        "| 2^13 … 2^14 | ≤ 0.75 | **0.800** ✗ at 2^13 | 1 of 2 | 0.600 at 2^13 | 2 of 2 |")
    write(PAGE, read(PAGE).replace("**0.800** ✗", "0.749"))
    ok(notes("--check").returncode == 1, "a ratio made better by hand is noticed")
    synthetic.write_softmax(run_notes.root + "/results/toy")
    has("softmax toy", "| 32 | 3800 · 95.0 | 3640 · 91.0 | 400 · 10.0 | – | 3200 · 80.0 | 1.19× |")
    values({"toy " + key: number for key, number in (
        ("sweep latency_ns", "1000"), ("sweep predicted_kb", "16.0"), ("sweep measured_kb", "32.0"), ("sweep gain_pct", "5.09"), ("sweep law:16", "1262"),
        ("sweep least:16", "584"), ("sweep blocks:1", "1000"), ("compare 8K cold graph cub ratio", "0.800"), ("compare 4K cold graph cub gbps", "1.82"),
        ("softmax best 1K 256M pct_roof", "95.0"),
        ("softmax torch/best 32 256M median_us", "1.19"), ("softmax block 16K 256M block_ns", "571139"))})
    for marker, message in (("sweep tile:3", "the sweep has no tile:3"), ("compare 16K warm graph cub ratio", "holds no ratio of 16K warm graph cub"),
                            ("softmax warp 4K 256M gbps", "no gbps of a softmax of warp"),
                            ("softmax warp 1K 256M us", "no column us")):
        refused(message, one_number("toy " + marker))
    write("results/toy/sweep.csv", read("results/toy/sweep.csv").replace(",1260\n", ",fast\n"))
    refused("is not what ./step08 --demo prints", "<!-- table: flight toy -->\n<!-- end -->\n")


with tempfile.TemporaryDirectory() as run_notes.root:
    write("README.md", "")
    synthetic.write_gpu(run_notes.root + "/results/toy")
    synthetic.write_sim(run_notes.root + "/results/sim")
    for test in (nothing_yet, newer, runs, counters, printed_figures, experiments, library):
        test()
tap.done()
