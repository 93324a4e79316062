"""tools/pages/notes.py: a number that disagrees with results/ is found, whatever it is; what else it brings up to date is written or
reported, and is no fault; and what it cannot read it refuses without writing anything. Then what its tables and values compute, from
made-up results that can be worked out by hand, and what stands there before anything was measured."""
import contextlib
import io
import os
import re
import shutil
import subprocess
import traceback

import pytest
import synthetic
from common import ROOT, ran, read, write

import notes as program

pytestmark = pytest.mark.more
PAGE = "docs/page.md"
TABLE = "<!-- table: {} -->\n<!-- end -->\n"


def read_once(path, stored={}, read_run=program.results.schema.read_run):
    """A run that is as it was is not read again: that took half the time. Copies keep their time."""
    status = os.lstat(path)
    key = os.path.basename(path), status.st_mode, status.st_size, status.st_mtime_ns
    if key not in stored:
        stored[key] = read_run(path)
    return stored[key]


@pytest.fixture(scope="module")
def results(scratch):
    synthetic.write_gpu(f"{scratch}/toy")
    synthetic.write_sim(f"{scratch}/sim")
    return scratch


@pytest.fixture(autouse=True)
def repository(results, tmp_path, monkeypatch):
    """The folder of a test: results/ of toy and sim, and a README.md."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(program.results.schema, "read_run", read_once)
    shutil.copytree(results, "results")
    write("README.md", "")
    program.results.use_root(str(tmp_path))
    yield
    program.results.use_root(ROOT)


def notes(*arguments):
    """As a process of its own would run it, but imported only once: that takes most of the time."""
    printed, complaints = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(complaints):
        try:
            status = program.main([*arguments, "--root", os.getcwd()])
        except Exception:
            traceback.print_exc()
            status = 1
    return subprocess.CompletedProcess(arguments, status, printed.getvalue(), complaints.getvalue())


def notes_of(page, *arguments):
    write(PAGE, page)
    return notes(*arguments)


def table(marker):
    """The lines that a table gets, or the message."""
    result = notes_of(TABLE.format(marker))
    return result.stderr if result.returncode else read(PAGE).split("\n")[1:-2]


def one_number(what):
    """A page with one number, which is not yet what it should be."""
    return f"x 1.01\n<!-- 1.01 = {what} -->\n"


def value(what):
    result = notes_of(one_number(what))
    if "1.01 is not measured" in result.stderr:
        return "–"
    return result.stderr if result.returncode else read(PAGE)[2:].split("\n")[0]


def has(marker, *lines):
    """These lines, or beginnings of lines, are in the table."""
    made = table(marker)
    missing = [line for line in lines if isinstance(made, str) or not any(of.startswith(line) for of in made)]
    assert not missing, (marker, made)


def values(expected):
    assert {marker: value(marker) for marker in expected} == expected


def refused(message, page):
    """In one line. A page beside a README.md with work to do: neither may be written."""
    unwritten, before = TABLE.format("machine toy"), read("README.md")
    write("README.md", unwritten)
    result = notes_of(page)
    assert result.returncode == 1 and re.fullmatch(r"notes\.py: [^\n]*\n", result.stderr) and message in result.stderr
    assert (read("README.md"), read(PAGE)) == (unwritten, page)
    write("README.md", before)


def noticed(what, name, old, new):
    """--check finds that a page has NEW for OLD, shows both, and writes nothing."""
    text = read(name)
    write(name, text.replace(old, new, 1))
    result = notes("--check")
    assert (old in text and result.returncode == 1 and f"{name}: its numbers are not those of results/" in result.stderr and read(name) != text
            and re.search(rf"^-.*{re.escape(new)}", result.stdout, re.M) and re.search(rf"^\+.*{re.escape(old)}", result.stdout, re.M)), (what, result)
    write(name, text)


def us(fixed, thousands, n):  # the synthetic model
    return fixed + n / (1000 * thousands)


def test_this_repository():
    result = ran("tools/pages/notes.py", "--check")
    print(result.stdout, end="")  # what make notes would write
    assert result.returncode == 0, f"the numbers of this repository's pages are not those of results/: {result.stderr}"


FRONT = f"""# Ladder
{TABLE.format('ladder toy')}Between.
<!-- table: machine toy --><!-- end -->
<!-- table: work sim -->
old
<!-- end -->

v6 is 1.01 times as fast as v0; the roof
is 1.02 GB/s. Last words.
<!-- 1.01 = toy v6 16M speedup; 1.02 = toy machine read_gbps -->
"""


def test_all_that_is_written(ok):
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
    ok(f"| v0 | {32 * (1 / 8 + 1 / 64):.2f} |" in page and "µs" not in page[page.index("work sim"):page.index("v6 is")], "counts of the simulator, and no time", page)
    result = notes("--check")
    ok(result.returncode == 0 and result.stderr == "", "then --check agrees", result)
    ok.equal((notes(), read("README.md"))[1], page, "writing again changes nothing")
    noticed("a number in a table, changed by hand,", "README.md", f"| {v6:.1f} |", "| 1.23 |")
    noticed("a text in a table", "README.md", "| two_pass |", "| two_passes |")
    write("README.md", "\n".join(page.split("\n")[:5] + page.split("\n")[6:]))
    ok(notes("--check").returncode == 1, "a row that was removed is noticed")
    write("README.md", page)
    synthetic.write_toolbox("results/toy")
    ok(notes("--check").returncode == 0, "the toolbox is no part of the ladder")
    for name in ("steps/05_x", "steps/toolbox/x", "simulator", "results"):
        write(name + "/README.md", one_number("toy v0 16M median_us"))
        notes()
        ok(f"x {v0:.0f}\n" in read(name + "/README.md"), name + "/README.md is a page, too")


def test_pins(ok):
    """v0 takes 176 µs at 16M and v1 91.9: a ratio of 1.91."""
    good = ("First v0, 176 µs.\n\nThen v1 takes 91.9 µs, 1.91 times less,\nand 1.91 it is; not `1.91`, 11.91, 1.914, 1.91x or 2^1.91."
            " v0: 176.\n<!-- 1.91 = toy v0/v1 16M median_us; 1.91 = toy v0/v1 16M median_us;\n"
            "     91.9 = toy v1 16M median_us; 176 = toy v0 16M median_us -->\n\nLast, 91.9.\n")
    result = notes_of(good, "--check")
    ok(result.returncode == 0 and result.stderr == "", "right ones pass", result)
    result = notes_of(good.replace(" 1.91 ", " 1.78 ").replace(" 91.9 ", " 90 "), "--check")
    ok(result.returncode == 1 and PAGE in result.stderr and result.stdout.count("1.78") == 4, "wrong numbers are noticed", result)
    notes()
    ok.equal(read(PAGE), good, "a number is written in its paragraph and in the comment, and nowhere else")
    ok(notes_of("```\n1.9\n<!-- 2 = x -->\n```\nWrite `<!-- 2 = x -->`.\n").returncode == 0, "in code they are none")


@pytest.mark.parametrize("page, message", [
    *((f"v0 takes 176 µs.\n<!-- {pins} -->\n", message) for pins, message in (
        ("1.91 = toy v0/v1 16M median_us", "line 2: 1.91 does not stand in the paragraph before"),
        ("176 = toy v0 16M median_us; 176 = toy v0 16M median_us", "line 2: 176 stands 1 times in the paragraph before"),
        ("176 = toy v9 16M median_us", "176 is not measured; a pinned number must be"), ("176 = toy v0 16M price", "holds no price of v0"), ("176 = v0", "a value takes a folder"),
        ("176 = counted v0 16M median_us", "no folder results/counted"), ("176 toy v0 16M median_us", "a pin is NUMBER = "), ("176 = toy v0 16M median_us;", "a pin is NUMBER = "),
        ("176 = toy only_sim 16M median_us", "176 is not measured"))),
    ("x\n<!-- table: ladder toy -->\n| 1 |\n", "line 2: no <!-- end --> after this marker"), ("x\n<!-- end -->\n", "line 2: <!-- end --> without a marker"),
    ("x\n1 <!-- value: toy v0 16M gbps -->1<!-- end -->\n", "line 2: a number is typed, and pinned after its paragraph"),
    ("1 is\n<!-- 1 = toy v0 16M gbps; -- \n\n v1 -->\n", "a pin is NUMBER = what a value takes"),
    *((TABLE.format(marker), message) for marker, message in (
        ("leader toy", "line 1: no table leader; there are ladder, "), ("ladder", "a table takes a name and a folder"), ("ladder:x toy", "the table ladder takes no x"),
        ("step toy", "the table step takes STEP, as in step:STEP"), ("step:99_none toy", "holds no step 99_none"), ("ladder h900", "no folder results/h900; ./run_all.sh makes it"),
        ("work toy", "holds no counts"), ("ladder ..", "no folder results/..;"))),
    *((one_number(marker), message) for marker, message in (
        ("toy v99 16M gbps", "1.01 is not measured"), ("toy v0 3M gbps", "holds no gbps of v0 at 3M"), ("toy v0 16X gbps", '"16X" is not a size'), ("toy machine price", "holds no price"),
        ("toy v0 16M", "a value takes a folder, a variant")))])
def test_pages_that_are_refused(page, message):
    synthetic.write_rows("results/sim/runs.csv", [dict(synthetic.sim_row("only_sim", 1024), step="09_later", variant="only_sim", n=1024)], "a")
    refused(message, page)


def test_rows_beside_their_rivals(ok):
    """The fastest is found, in both files; what was not timed is refused. In how many shapes a rival is faster: by 2 % is none, by more is one."""
    columns = "operator,of,columns,n,cache,launch,rival,ours_us,rival_us,ratio"
    write("results/toy/rows.csv", f"element,{columns}\nfloat,sum,rows,3,1023,cold,graph,cub_newer_rows,1,2,0.5\n")
    for ratio, ahead in (("1.02", 0), ("1.03", 1)):
        write("results/toy/rows_torch.csv", f"{columns}\nsum,rows,3,1023,cold,graph,torch,2,2.5,0.8\nsum,rows,5,1020,cold,graph,torch,2,2.5,{ratio}\n")
        has("rivals_ahead toy", f"| rows | sum | 2 | {ahead} | {ratio}0 PyTorch (columns: 5; n = 1K) |")
    has("row_ratios:rows,1K toy", "| 3 | 0.800 PyTorch |")
    values({"toy rows sum rows 3 1K best ratio": "0.800"})
    for message, marker in (("holds no ratio of sum rows 3 1K torch_compile", "toy rows sum rows 3 1K torch_compile ratio"),
                            ("holds no ratio of sum rows 8 1K best", "toy rows sum rows 8 1K best ratio")):
        refused(message, one_number(marker))


@pytest.mark.parametrize("message, change", [
    (": line 3: 33 fields, the header has 34", lambda lines: lines[:2] + [lines[2].rsplit(",", 1)[0]] + lines[3:]),
    (": line 3: runs is not a whole number: many", lambda lines: lines[:2] + [lines[2].replace(",9,", ",many,", 1)] + lines[3:]),
    (": line 1: the header has no column variant", lambda lines: [lines[0].replace("variant", "kind")] + lines[1:]), (": line 1: the header has no column step", lambda lines: []),
    (" is of an older layout: measure again with ./run_all.sh", lambda lines: [line.rsplit(",", 1)[0] for line in lines])])
def test_broken_runs(message, change):
    shutil.copytree("results/toy", "results/broken")
    write("results/broken/runs.csv", "\n".join(change(read("results/toy/runs.csv").split("\n"))))
    refused(f"results/broken/runs.csv{message}", TABLE.format("ladder broken"))


def test_broken_machines():
    for change, message in (({"sm_count": "77"}, 'sm_count is not a number: "77"'), ({"cpu": "`id`"}, "cpu is not of letters"), ({"x": ["`id`"]}, "x is neither text nor number")):
        synthetic.write_gpu("results/broken", **change)
        refused("results/broken/machine.json " + message, TABLE.format("machine broken"))
    synthetic.write_gpu("results/broken", sm_count=None)
    refused("broken v0 1M life_us: its results lack something, or hold another kind of thing (TypeError", "a 1\n<!-- 1 = broken v0 1M life_us -->\n")
    write("results/broken/machine.json", "{")
    refused("broken/machine.json cannot be read", TABLE.format("machine broken"))
    result = notes("--root", "/nonexistent")
    assert result.returncode == 2 and result.stderr.count("\n") == 1


def test_hostile_names(ok):
    """What has no form of its own, is shown as a text."""
    synthetic.write_gpu("results/hostile", x="a|b `c` <b>d</b> <!-- end --> [e](f) *g* 2 < 3 $h$\n| i")
    ok.equal(program.results.about("hostile", "machine.json")["x"], "a\\|b \\`c\\` &lt;b>d&lt;/b> &lt;!-- end --&gt; \\[e\\](f) \\*g\\* 2 < 3 \\$h\\$ \\| i", "a name with marks of Markdown")
    refused("1 is no number or name that a pin can hold: a", "is 1\n<!-- 1 = hostile machine x -->\n")
    write("results/hostile/experiments/errata.txt", "$ ./x twice\n```\n# <!-- end -->\nexit status 0\n")
    result = notes_of(TABLE.format("experiment:known_wrong:twice hostile"))
    ok(result.returncode == 0 and "\n````text\n$ ./x twice\n```\n# <!-- end -- >\nexit status 0\n````\n" in read(PAGE) and notes("--check").returncode == 0,
       "a session with the end of a block in it", f"{result}{read(PAGE)}")


def test_the_repositorys_address(ok):
    """Of none, no link and an empty line in the notebook; of GitHub's, both."""
    cell, page = '    "REPOSITORY = \\"{}\\"\\n",\n', "a\n\n<!-- table: notebook book -->\n{}\n<!-- end -->\n"
    for setting, wanted, link in (('repository = ""', "", ""), ("", "", ""), ('repository = "https://example.org/a/b"', "https://example.org/a/b", ""),
                                  ('repository = "https://github.com/a/b.git"', "https://github.com/a/b",
                                   "**[Open it in Colab](https://colab.research.google.com/github/a/b/blob/main/ladder.ipynb)**, in a browser, without installing anything.")):
        write("tools/book/zensical.toml", f"[project.extra]\n{setting}\n")
        write("ladder.ipynb", cell.format("https://old.example.org/c"))
        ok("--- ladder.ipynb" in notes_of(page.format("old"), "--check").stdout, f"{setting}: --check shows the old address")
        result = notes()
        ok(result.returncode == 0 and read("ladder.ipynb") == cell.format(wanted) and read(PAGE) == page.format(link) and notes("--check").returncode == 0,
           f"{setting}: written into the notebook and the page", f"{result}{read(PAGE)}")
    write("tools/book/zensical.toml", '[project.extra]\nrepository = "git@github.com:a/b"\n')
    refused('repository = "git@github.com:a/b": an address such as https://', page.format(""))


# ---- what is no fault: written, or reported ----

def test_quotes(ok):
    source = "".join(f"int x{k};\n" for k in range(1, 31))
    page = "# x\n\nSee `x12` in line 12.\n\n```c src/a.c:10-12\nint x10;\nint x11;\nint x12;\n```\n\n```c src/a.c:3-4\n```\n"
    write("src/a.c", "// new\n" + source)
    result = notes_of(page, "--check")
    ok(result.returncode == 0 and "+See `x12` in line 13.\n" in result.stdout and read(PAGE) == page, "what moved is shown, and is no fault", result)
    notes()
    ok.equal(read(PAGE), page.replace("line 12", "line 13").replace("```c src/a.c:10-12", "[`a.c:11-13`](../src/a.c#L11-L13)\n\n```c src/a.c:11-13")
             .replace("```c src/a.c:3-4\n", "[`a.c:3-4`](../src/a.c#L3-L4)\n\n```c src/a.c:3-4\nint x2;\nint x3;\n"), "new numbers, a link above, an empty one filled")
    write("src/a.c", source.replace("x11", "y"))
    for text, message in ((read(PAGE), "docs/page.md: line 7: src/a.c no longer has these lines 11-13"), ("```c src/b.c:1-2\n```\n", "there is no file src/b.c"),
                          ("```c src/a.c:40-50\n```\n", "src/a.c has no lines 40-50, but 31")):
        result = notes_of(text)
        ok(result.returncode == 0 and message in result.stdout and result.stderr == "", f"reported: {message}", result)


def test_the_ladders_diffs(ok):
    """A variant that is new against a file gets a row, and no row keeps a wrong number of lines."""
    for name, text in (("01_a/v0", "/* v0\n * New: all\n */\nint a;\n"), ("02_b/v1", "/* v1\n * New:     against ../01_a/v0.cu: one thing,\n *          or two. And more.\n */\nint b;\nint c;\n")):
        write(f"steps/{name}.cu", text)
    row = "| `diff steps/01_a/v0.cu steps/02_b/v1.cu` | {} | 3 |\n"
    write("docs/ladder.md", "# L\n\n## The diffs\n\n| from, to | what changes | lines |\n| :-- | :-- | --: |\n" + row.format("mine").replace("| 3 |", "| 9 |"))
    notes()
    ok(row.format("mine") in read("docs/ladder.md"), "the lines are counted, the words stay", read("docs/ladder.md"))
    write("steps/02_b/v2.cu", read("steps/02_b/v1.cu"))
    notes()
    ok(read("docs/ladder.md").endswith(row.format("mine") + row.format("one thing, or two").replace("v1.cu", "v2.cu")), "a new variant has its row", read("docs/ladder.md"))


def test_the_front_page(ok):
    """Its table, and the first lines of lessons."""
    write("tools/pages/front.csv", 'lesson,variant,minutes,english,chinese\n01_interleaved,v1,20,"a tree, first",树\n02_sequential,,9,another,另一棵\n')
    for name in ("01_interleaved", "02_sequential"):
        write(f"steps/{name}/README.md", f"# {name}\n")
    write("steps/01_interleaved/README.zh-CN.md", "# 01\n")
    for name in ("README.md", "README.zh-CN.md"):
        write(name, f"# x\n\n{TABLE.format('lessons toy')}")
    ok(notes("--check").returncode == 0, "other words are no fault")
    notes()
    gbps = f"{4 * (1 << 28) / us(8, 200, 1 << 28) / 1e3:.0f}"
    ok(f"| [01_interleaved](steps/01_interleaved/README.md) | a tree, first | 20 | {gbps} | " in read("README.md")
       and "| [02_sequential](steps/02_sequential/README.md) | another | 9 | – | – |" in read("README.md"), "a row for each lesson", read("README.md"))
    ok(f"| [01_interleaved](steps/01_interleaved/README.zh-CN.md) | 树 | 20 | {gbps} | " in read("README.zh-CN.md"), "in Chinese, too", read("README.zh-CN.md"))
    ok.equal([read(f"steps/{name}/README.md") for name in ("01_interleaved", "02_sequential")],
             ["[中文](README.zh-CN.md) · [02_sequential →](../02_sequential/README.md)\n\n# 01_interleaved\n", "[← 01_interleaved](../01_interleaved/README.md)\n\n# 02_sequential\n"], "the first line of a lesson")
    noticed("a speed that is not the recorded one", "README.md", f"| {gbps} | ", "| 9999 | ")
    write("tools/pages/front.csv", read("tools/pages/front.csv").replace("a tree, first", "other words"))
    result = notes("--check")
    ok(result.returncode == 0 and "+| [01_interleaved](steps/01_interleaved/README.md) | other words |" in result.stdout, "changed words are shown, and are no fault", result)


def test_translations(ok):
    """A Chinese page: sections whose English changed are named below its title until somebody takes the name away."""
    twin = "docs/page.zh-CN.md"
    stale = lambda: re.findall("^> 译文待更新[^：]*：(.*)$", read(twin), re.M)  # noqa: E731
    change = lambda name, *edits: [write(name, read(name).replace(old, new)) for old, new in edits]  # noqa: E731
    made = lambda: (notes(), read(twin))[1]  # noqa: E731
    write("docs/other.md", "# Other\n\n# x\n")
    write("docs/other.zh-CN.md", "# 别\n\n# 另\n")
    write(PAGE, "# Page\n\nA [link](other.md#x).\n\n## One\n\nIt is 176.\n<!-- 176 = toy v0 16M median_us -->\n\n## Two\n\nText\n\n<details>\n<summary>More</summary>\n\nFold\n</details>\n")
    write(twin, "# 页\n\n[链接](other.md#x)\n\n## 一\n\n176\n<!-- 176 = toy v0 16M median_us -->\n\n## 1_b：二\n\n文字\n\n<!-- fold in English -->\n[更多](page.md#y)\n")
    page = made()
    ok(page.startswith("[English](page.md)\n\n# 页\n<!-- en: ") and "](other.zh-CN.md#另)" in page and "[更多](page.md#two)" in page and not stale(), "links, and hashes below the title", page)
    ok.equal(made(), page, "writing again changes nothing")
    change(PAGE, ("Text", "Other text"))
    result = notes("--check")
    ok(result.returncode == 0 and f"{twin}: stale: 1_b：二" in result.stdout, "a section whose English changed is reported, and is no fault", result)
    page = made()
    ok.equal(stale(), ["1_b：二"], "and named on the page")
    ok.equal(made(), page, "it stays, and the page as it is")
    change(PAGE, ("It is", "That was"))
    notes()
    ok.equal(stale(), ["一；1_b：二"], "one more")
    change(twin, ("：一；1_b：二", "：1_b：二"))
    notes()
    ok.equal(stale(), ["1_b：二"], "a name that was taken away stays away")
    write(twin, re.sub("> 译文待更新.*\n", "", read(twin)))
    change(PAGE, ("That\n", "That "), ("## Two", "## Two\n\nnew\n\n## Three"))
    result = notes()
    ok("its sections are not those of docs/page.md: 4 and 5" in result.stdout and result.returncode == 0, "other sections are reported", result)
    os.remove(twin)
    result = ran(ROOT + "/tools/pages/translation.py", "--new", PAGE, cwd=os.getcwd())
    notes()
    ok(result.returncode == 0 and stale() == ["Page；One；Two；Three；More"], "translation.py --new: begins a page, all of it stale", f"{result}{stale()}")
    # What a generated table says needs its Chinese; and its numbers are found wrong, too.
    write(twin, f"# 页\n\n{TABLE.format('lesson:v0 toy')}")
    ok("| 变体 | " in made(), "tables in Chinese", read(twin))
    noticed("a number in a Chinese table", twin, f"{us(8, 100, 1 << 20):.1f}", "1.23")


# ---- what the tables and values compute ----

COUNTERS = ("step,variant,n,block,grid,pass,kernel,gld_requests,gld_sectors,gst_requests,gst_sectors,shared_ld_wavefronts,"
            "shared_st_wavefronts,simt_efficiency,branch_efficiency,barriers,shuffles,votes,atomics,reductions,inst_per_warp\n")


def rows(name, *rows):
    """Rows of (variant, n, µs, and what else), in the format of a run."""
    synthetic.write_rows(f"results/{name}.csv", [
        {"step": "x", "variant": variant, "n": n, "median_us": us, "block": 256, "grid": 1, "cache": "cold", "launch": "plain", **more}
        for variant, n, us, more in rows], "a" if name == "sim/runs" else "w")


@pytest.mark.parametrize("name, file", [("flight", "sweep.csv"), ("targets", "compare.csv"), ("softmax", "softmax.csv"), ("why:v0", "counters.csv"), ("experiment:levels", "experiments/levels.csv"),
                                        ("experiment:known_wrong:x", "experiments/errata.txt"), ("passes", "passes.csv")])
def test_no_table_yet(name, file):
    made = table(f"{name} toy")
    assert made[0].startswith("*Not measured yet: ") and f"results/toy/{file}" in made[0]


def test_nothing_yet():
    values({f"toy {marker}": "–" for marker in ("sweep latency_ns", "compare 1K cold graph cub ratio", "softmax warp 1K 256M gbps", "counter v0 shuffles", "experiment levels l2 cycles")})
    rows("sim/runs", ("ticket", 1024, "", {}), ("slots", 1024, "", {}))
    write("steps/09_single_pass/README.md", "")
    has("sizes:v0,ticket,slots toy", "| [01](../steps/01_interleaved/README.md) | v0 |",
        "*Not measured yet on toy: ticket, slots: `./run_all.sh --out results/toy` writes results/toy.*")
    has("step:09_single_pass toy", "*Not measured yet on toy: 09_single_pass: ")
    values({"toy ticket 1M median_us": "–", "toy v0/ticket 1M median_us": "–"})


def test_newer(ok):
    """What the sources have, and a folder does not: a line below the tables of all that it has, and in make notes."""
    write("steps/02_sequential/lesson.c", "    &variant_v2, &variant_v2b, &variant_v2_wrong, &variant_v2_cpu, &variant_v2_most, NULL,\n")
    for file, field in (("v2_wrong.cu", "flags = KNOWN_WRONG"), ("v2_most.cu", "task = &maximum_task"), ("v2_cpu.c", "flags = ON_CPU")):
        write(f"steps/02_sequential/{file}", f"{'extern ' * file.endswith('u')}const struct variant variant_{file.split('.')[0]} = {{\n    .{field},\n}};\n")
    write("steps/toolbox/vote/lesson.c", "    &variant_vote_new, NULL,\n")
    program.results.use_root(os.getcwd())
    by, by_sim = "./run_all.sh --out results/toy", "make counters-sim COUNTERS=results/sim/counters.csv"
    line = f"*Not measured yet on toy: v2b, v2_cpu: `{by}` writes results/toy.*"
    for name, wanted in (("ladder toy", line), ("step:02_sequential toy", line.replace("v2_cpu", "v2_cpu, v2_most")), ("errors toy", line), ("depths toy", line),
                         ("work sim", line.replace(by, by_sim).replace("toy", "sim"))):
        ok.equal(table(name)[-1], wanted, f"{name}: what came later; other answers than sums in the step's own")
    ok("Not measured" not in "".join(table("step:01_interleaved toy")), "step: nothing of another")
    has("lesson:v2,v2b toy", "| v2 |", "*Not measured yet on toy: v2b: ")
    has("why:vote_new toy", "*Not measured yet")
    write("results/sim/counters.csv", "variant\nv2\nvote_new\n")
    listed = notes().stdout.splitlines()
    for entry in (f"not measured yet on toy: v2b, v2_cpu, v2_most of 02_sequential: {by}", f"not measured yet on sim: v2b, v2_cpu, v2_most of 02_sequential: {by_sim}",
                  f"not measured yet on toy: vote_new of vote: {by}", f"not counted yet on sim: v2b, v2_most of 02_sequential: {by_sim}"):
        ok(entry in listed, f"make notes lists it: {entry}", listed)


def test_runs():
    v0, v1 = 8 + (1 << 20) / 1e5, 8 + (1 << 20) / 2e5
    values({"toy v0 1M row_ns": f"{v0 * 1000 / 32768:.3g}", "toy v0 1M life_us": f"{v0 * 77 * 8 / 4097:.2f}",
            "toy v0/v1 1M median_us": f"{v0 / v1:.2f}", "toy v0-v1 1M median_us": f"{v0 - v1:.2f}", "toy machine l2_bytes MiB": "30 MiB"})
    has("step:05_warp_shuffle toy", "| block_reduce | 1M | 6.75 |", "| block_reduce | 16M |")
    has("step:05_warp_shuffle sim", "| [05](../steps/05_warp_shuffle/README.md) | block_reduce |")
    synthetic.write_toolbox("results/toy")
    has("toolbox:vote,vote_shared toy", "| vote | 10.0 | 160 | 2560 | 839 | 75.0 | 1.00× |", "| vote_shared | 20.0 | 320 | 5120 | 419 | 75.0 | 2.00× |")
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


def test_counters(ok):
    synthetic.write_toolbox("results/toy")
    write_counters()
    has("counter:gld_requests toy", "v0 1,256 · v1 1,256 · v2 1,256")
    has("counter:simt_efficiency toy", "v0 91.0 % · ")
    has("why:vote toy", "| one run, n = 64K", "Where the simulator counts something else:", "- *shuffles and votes* of vote: the mask is computed")
    has("why:v0,ticket toy", "| one sum, n = 64K, blocks of 256 | v0 |", "| launches | 2 |", "| load requests | 2,768 |", "| load sectors | 800 |",
        "| barriers | 18 |", "| shuffles and votes | 84 |", "| atomics | 14 |", "| SIMT efficiency, % | 91.0 (simulator 90.0) |", "*Not profiled yet: ticket: `make counters`")
    write("results/toy/passes.csv", "step,kernel,n,pass,grid,duration_us\n01,v0,1M,1,77,10\n01,v0,1M,2,1,2\n01,v0,1M,3,1,1\n")
    values({"toy counter v0 gld_requests": "1,256", "toy counter v0/v1 gld_requests": "1.00", "toy counter ticket shuffles": "–",
            "toy launch v0 1M rest": "3.00", "toy launch v0 1M life": "80.0", "toy vote 1M issue_us": f"{55 * 7 * 8 / 77 / 4 / 1000:.3g}"})
    of_sim = {"grid": 9, "gld_requests": 2768, "gst_requests": 18, "gst_sectors": 18, "shared_ld_wavefronts": 10, "shared_st_wavefronts": 12}
    rows("other/runs", ("v0", 65536, "", dict(of_sim, gld_sectors=800)), ("v1", 65536, "", dict(of_sim, gld_sectors=801)),
         ("v2", 65536, "", dict(of_sim, grid=8)), ("vote", 65536, "", dict(of_sim, task="vote")))
    write("results/other/machine.json", '{"backend": "sim"}')
    ok.equal([line.split(" | ")[1:4] for line in table("beside:other toy")[2:]], [["v0", "2,768", "800"], ["v1", "2,768", "800 / 801"]], "beside: one number or two; sums alone, of equal grids")
    for message, marker in (("holds no price of v0", "counter:price"), ("holds nothing for n = 7", "why:v0@7")):
        refused(message, TABLE.format(f"{marker} toy"))
    has("why:v0 toy")
    write_counters(votes=3, sim_sectors=801)
    lines = notes("--check").stdout
    ok("+| load sectors | 800 (simulator 801) |" in lines and "+| shuffles and votes | 86 (simulator 84) |" in lines, "counts that changed are noticed", lines)
    for message, change in (("results/toy/counters.csv cannot be read", {"n": "many"}), ("results/sim/counters.csv is of an older layout", {"task": "x"})):
        write_counters(**change)
        refused(message, TABLE.format("why:v0 toy"))


def test_printed_figures():
    n, rest = 1 << 25, 1 << 17  # 2^25 floats read, 2^17 partial sums written
    figures = "document,section,gpu,variant,quantity,unit,value\n" + "".join(f"001,x,Old,{line}\n" for line in (
        "v0,time,ms,8", f"v0,bandwidth,GB/s,{4 * (n + rest) / 8e6}", "v1,time,ms,2.004", f"v1,bandwidth,GB/s,{4 * (n + rest) / 2.004e6}", "gtx1060,theory,GB/s,100"))
    write("results/published/figures.csv", figures)
    has("beside:published:v0,v1 toy", f"| v0 | 8.00 | 16.8 | 16.8 | 1.00× | {8 + (1 << 28) / 1e5:.0f} | ", "| v1 | 2.00 | 67.2 | 67.2 | 3.99× | ")
    values({"published v0 time": "8", "published v0/v1 time": "3.99", "published v0 block_share": "256", "published v1 speedup": "3.99"})
    refused("figures.csv holds no price of v0", one_number("published v0 price"))
    write("results/published/figures.csv", figures.replace("2.004\n", "fast\n"))
    refused("figures.csv: line 4: value is not a number: fast", one_number("published v0 time"))


def test_experiments(ok):
    unrolled = {"step": "unrolled"}
    rows("toy/experiments/timed", *((name, 512, us, {"grid": 2, "step": "grid_sync"}) for name, us in (("barriers_1", 5), ("barriers_17", 21), ("launches_2", 4), ("launches_18", 36))),
         *((name, 1 << 20, 1, {"gbps": gbps, "step": "little"}) for name, gbps in (("b2_f1", 8), ("b1_f2", 4), ("b1_v2", 40))),
         ("v4", 1 << 20, 8, unrolled), ("v5", 1 << 20, 2, unrolled), ("v4", 1 << 20, 6, {"launch": "graph", **unrolled}))
    has("experiment:grid_sync toy", "| 256 | 2 | 1.00 | 2.00 | – | – |")
    has("experiment:in_flight toy", "| 2 | 2 | 4.00–8.00 | 19712 |", "| 8 | 1 | 40.0 | 15770 |")
    ok.equal(table("experiment:unrolled:v5,v4 toy")[2:], ["| v5 | 2.00 | – | – | – |", "| v4 | 8.00 | – | – | – |"], "rows in the order asked for")
    operation = "operation,warps,values,ok,cycles,cycles_a_round,per_cycle\n"
    write("results/toy/experiments/shuffle_cost.csv", operation + "shuffle,1,1,1,6144,24.00,0.04\nshuffle,32,4,1,32768,128.00,0.5\nany,1,1,1,5120,20.00,0.4\n")
    has("experiment:shuffle_cost:any,shuffle toy", "| `__any_sync()` | 20.0 | – |", "| shuffle | 24.0 | 0.5 |")
    write("results/toy/experiments/levels.csv", "level,bytes,count,cycles,ns,gbps\nregisters,65536,1,,,\nl2,2048,1,200,100,8000\nmemory,4096,1,600,300,4000\n")
    write("results/toy/experiments/errata.txt", "$ ./errata -v twice -n 1\na\nexit status 0\n\n$ ./absent_lanes\n$b\nexit status 1\n\n")
    ok.equal(table("experiment:known_wrong:twice toy"), ["```text", "$ ./errata -v twice -n 1", "a", "exit status 0", "```"], "known_wrong: one command")
    values({"toy experiment " + marker: expected for marker, expected in (
        ("unrolled v4 1M graph_us", "6.00"), ("unrolled v4 1M life_us", "4928"), ("unrolled v4/v5 1M median_us", "4.00"), ("grid_sync launch-barrier 256 2", "1.00"),
        ("in_flight most_ns 2", "19712"), ("levels l2/memory gbps", "2.00"), ("shuffle_cost shuffle/any latency", "1.20"), ("shuffle_cost ballot latency", "–"))})
    for marker, message in (("finnishes", "no table experiment:finnishes; there are "), ("unrolled:v9", "experiment unrolled has no row v9"),
                            ("shuffle_cost:balot", "has no operation balot"), ("known_wrong:thrice", "errata.txt has no command with thrice")):
        refused(message, TABLE.format(f"experiment:{marker} toy"))


def test_library():
    """The sweep: a latency of 1 µs, 77 SMs, a roof of 1260 GB/s; ratios; a roof of 4000 GB/s."""
    synthetic.write_sweep("results/toy")
    has("flight toy", "| 16 | 14 | 584–599 | 50.0 | 1260 | 2106 |", "| 8 | 10 | 292–299 | 24.9 | 631 | 2110 |")
    row = synthetic.compare_row
    write("results/toy/compare.csv", synthetic.COMPARE + row(4096, 0.9) + row(4096, 0.951, "warm") + row(8192, 0.8) + row(16384, 0.7) + row(8192, 0.6, "warm")
          + row(8191, 1.25) + row(1024, 1.5, offset=3))
    has("targets toy", "| 2^12 | ≤ 0.95 | 0.900 at 2^12 | 1 of 1 | **0.951** ✗ at 2^12 | 0 of 1 |", "| 2^13 … 2^14 | ≤ 0.75 | **0.800** ✗ at 2^13 | 1 of 2 | 0.600 at 2^13 | 2 of 2 |")
    noticed("a ratio made better by hand", PAGE, "**0.800** ✗", "0.749")
    synthetic.write_softmax("results/toy")
    has("softmax toy", "| 32 | 3800 · 95.0 | 3640 · 91.0 | 400 · 10.0 | – | 3200 · 80.0 | 1.19× |")
    values({"toy " + key: number for key, number in (
        ("sweep latency_ns", "1000"), ("sweep predicted_kb", "16.0"), ("sweep measured_kb", "32.0"), ("sweep gain_pct", "5.09"), ("sweep law:16", "1262"), ("sweep least:16", "584"),
        ("sweep blocks:1", "1000"), ("compare 8K cold graph cub ratio", "0.800"), ("compare 4K cold graph cub gbps", "1.82"), ("softmax best 1K 256M pct_roof", "95.0"),
        ("softmax torch/best 32 256M median_us", "1.19"), ("softmax block 16K 256M block_ns", "571139"))})
    for marker, message in (("sweep tile:3", "sweep.csv holds no tile:3"), ("compare 16K warm graph cub ratio", "holds no ratio of 16K warm graph cub"),
                            ("softmax warp 4K 256M gbps", "softmax.csv holds no gbps of warp 4K 256M"), ("softmax warp 1K 256M us", "softmax.csv holds no us of warp")):
        refused(message, one_number("toy " + marker))
    write("results/toy/sweep.csv", read("results/toy/sweep.csv").replace(",1260\n", ",fast\n"))
    refused("is not what ./step08 --demo prints", TABLE.format("flight toy"))
