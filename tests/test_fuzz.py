"""What no user would type or write, a few hundred times over, always the same (FUZZ=3000 tests/run tests/test_fuzz.py: more of it, and
FUZZ_SEED=7 others): options of a program, rows of a CSV, a machine.json, a page. Each is taken or refused in one line, in
time, without a traceback or a signal."""
import contextlib
import glob
import json
import os
import random
import shutil
import signal
import subprocess
import types

import pytest
import synthetic
from common import GUARD, ROOT, built, read, write

import check_results
import page_markdown
import notes
import output
import plots
import programs
import quotes
import results
import run_all
import schema
from layout import Skipped

MANY = int(os.environ.get("FUZZ", 60))
dice = random.Random(int(os.environ.get("FUZZ_SEED", 1)))
NASTY = ["", "-1", "0", "1e999", "-1e999", "9" * 400, "1e-999", "nan", "inf", "0x10", "007", "+5", " 5", "5 ", "1e5", "1_000", "٣", ".", "-", "--",
         "`id`", "$(id)", '"', "'", "\\", "\r", "\t", "\0", "\x1b[31m", "é", "]]>", "<!-- end -->", "<b>", "|", "%s%n", "*", "[", ",", ",,", "\n",
         "a" * 5000, "null", "[]", "{}", "true", "1<<20", "1<<99", "16Q", "64K", "K", "<<", "../../x", "/dev/null", "scan*", "v0", "read", "uniform"]
OPTIONS = ["-n", "-v", "-b", "--size", "--variant", "--block", "--repeat", "--pattern", "--seed", "--offset", "--row", "--gap", "--lengths", "--operator", "--check", "--warm", "--counters",
           "--schedule", "--sms", "--trace-blocks", "--known-wrong", "--device", "--list", "--help", "--", "-", "-é", "--no", "-nv", "-x"]


# Pieces of CUDA that stand where they make no sense.
PIECES = ["<<<", ">>>", "(", ")", "{", "}", "<", ">", "[", "]", '"', "'", 'R"(', "\\", "#", "/*", "__shared__ ", "extern __shared__ ", "template <",
          "asm(", "__global__ ", "(void *)", "__cluster_dims__(", "operator "]


class Late(BaseException):
    pass


def late(*_):
    raise Late()


signal.signal(signal.SIGALRM, late)


def spoiled(text):
    """The text with one to three faults."""
    for _ in range(dice.randint(1, 3)):
        lines = text.split("\n")
        k = dice.randrange(len(lines))
        line, fields, nasty = lines[k], lines[k].split(","), dice.choice(NASTY)
        at, field = dice.randrange(len(line) + 1), dice.randrange(len(fields))
        lines[k:k + 1] = dice.choice([
            [",".join([*fields[:field], nasty, *fields[field + 1:]])], [line.replace(fields[field], nasty)],
            [line[:at] + nasty + line[at + dice.randint(0, 4):]], [line[:at]], [",".join(dice.sample(fields, len(fields)))], [dice.choice(lines), line], []])
        text = "\n".join(lines)
    return text


def in_time(call, *arguments):
    """(what it returns, None), or (None, what it raised)."""
    signal.alarm(GUARD)
    try:
        return call(*arguments), None
    except (Exception, Late) as error:
        return None, error
    finally:
        signal.alarm(0)


def refused(command, status, text=""):
    """It ends with 0, or with this status and one line; else what it did."""
    try:
        done = subprocess.run(command, input=text.encode(), capture_output=True, timeout=GUARD)
    except subprocess.TimeoutExpired:
        return "hangs"
    in_one_line = done.returncode == status and done.stderr.count(b"\n") == 1 and done.stderr.endswith(b"\n")
    return None if done.returncode == 0 or in_one_line and not done.stdout else str(done)


@pytest.fixture(scope="module")
def toy(scratch):
    """A folder that is a repository with results, and the texts that are spoiled."""
    folder, one_run = f"{scratch}/results/toy", f"{scratch}/one_run"
    subprocess.run(["gcc", "-std=c11", "-D_GNU_SOURCE", "simulator/rewrite.c", "simulator/extras/ptx.c", "-o", f"{scratch}/rewrite"], check=True)
    synthetic.write_gpu(folder)
    synthetic.write_sweep(folder)
    os.mkdir(one_run)
    shutil.copy(f"{folder}/machine.json", one_run)
    shutil.copytree("tools/pages", f"{scratch}/tools/pages")
    shutil.copy("results/h200/variants.csv", folder)
    results.use_root(scratch)
    csv, sweep, machine = (read(f"{folder}/{name}") for name in ("runs.csv", "sweep.csv", "machine.json"))
    csv = "".join(line for line in csv.splitlines(True) if line.startswith(("step", "01_interleaved")))  # few lines, which soon are spoiled
    yield types.SimpleNamespace(root=scratch, folder=folder, one_run=one_run, csv=csv, sweep=sweep, machine=machine,
                                sources=[read(name) for name in sorted(glob.glob("tests/simcc/*.cu"))])
    results.use_root(ROOT)


def options(_):
    arguments = [part.replace("\0", "") for _ in range(dice.randint(1, 5)) for part in (dice.choice(OPTIONS), dice.choice(NASTY))][:dice.randint(1, 10)]
    return refused([built(dice.choice(("./step01", "./softmax"))), *arguments, "--list"], 2)


def drawing(toy, path):
    """What drawing a folder of results raised besides a refusal, or None."""
    @results.of_results
    def pictures(_):
        results.use_root(toy.root, os.path.dirname(path))
        folder = plots.Folder(os.path.basename(path))
        for make, upto in plots.PICTURES.values():
            with contextlib.suppress(Skipped):
                picture = make(folder, upto)
                isinstance(picture, str) or picture.lay_out()
    raised = in_time(pictures, path)[1]
    return None if isinstance(raised, output.Problem) and "\n" not in str(raised) else raised


def rows_of_a_run(toy):
    path = f"{toy.one_run}/runs.csv"
    write(path, spoiled(toy.csv))
    rows, raised = in_time(schema.read_run, path)
    raised = raised or drawing(toy, toy.one_run)
    if not raised and not rows[1]:
        _, raised = in_time(lambda: (programs.merged([path, path]), list(run_all.summary(programs.read_run(path)))))
    return f"{raised!r} {rows}: {read(path)}" if raised or "\n" in "".join(rows[1]) else None


def folders_of_results(toy):
    """check_results.py and a machine.json."""
    write(f"{toy.folder}/machine.json", spoiled(toy.machine) if dice.random() < 0.6 else json.dumps(
        {**json.loads(toy.machine), dice.choice(list(schema.MACHINE)): dice.choice((None, [], {}, True, -1, 1e300, 10**400, 0.5, *NASTY))}))
    write(f"{toy.folder}/runs.csv", spoiled(toy.csv))
    write(f"{toy.folder}/sweep.csv", spoiled(toy.sweep))
    checked, raised = in_time(check_results.check, toy.folder)
    _, stopped = in_time(results.about, "toy", "machine.json")
    results.use_root(toy.root)
    wrong = raised or "\n" in "".join(checked[0]) or stopped and not isinstance(stopped, page_markdown.Problem) or drawing(toy, toy.folder)
    return wrong and f"{wrong!r} {stopped!r} {checked}: {read(toy.folder + '/machine.json')} {read(toy.folder + '/sweep.csv')}"


PAGE = ["# x", "```c tools/pages/notes.py:1-3", "```", "```", "text `a` line 3 of tools/pages/notes.py", "<!-- end -->",
        "1.2 3\\n<!-- 1.2 = toy v0 16M speedup; 3 = toy machine read_gbps -->", "7\\n<!-- 7 = toy machine date -->", "<!-- table: ladder toy -->",
        "<!-- end -->", "<!-- table: step:01_interleaved toy -->\n<!-- end -->", "1.87 is\n<!-- 1.87 = toy v0/v1 16M median_us; 2 = toy v1 1M gbps -->",
        "5\\n<!-- 5 = toy v0 1M life_us -->", "6\\n<!-- 6 = toy sweep tile:4 -->", "v <!-- value: toy v0 1M gbps -->1<!-- end -->", "| a | b |", "`` ` ``"]


def pages(toy):
    page = spoiled("\n".join(dice.sample(PAGE, 6)))
    for line in dice.sample(PAGE, 3):
        page += "\n" + " ".join(dice.choice(NASTY) if dice.random() < 0.15 else word for word in line.split(" "))
    write(f"{toy.root}/page.md", page)
    for call, arguments in ((notes.with_numbers, ("page.md", page)), (quotes.rewritten, (toy.root, "page.md", page, str))):
        _, raised = in_time(call, *arguments)
        if raised and (not isinstance(raised, page_markdown.Problem) or "\n" in str(raised)):
            return f"{call}: {raised!r}: {page!r}"
    return None


def programs_of_cuda(toy):
    """simcc's rewriter takes it, or refuses it in one line."""
    source = dice.choice(toy.sources)
    for _ in range(dice.randrange(1, 6)):
        start = dice.randrange(len(source))
        end, piece = start + dice.randrange(1, 60), dice.choice(PIECES) * dice.choice([1, 1, 2, 300])
        again = source[start:end] * dice.choice([1, 50])
        source = source[:start] + dice.choice([source[end:], piece + source[start:], again + source[end:]])
    wrong = refused([f"{toy.root}/rewrite", "/include/"], 1, '# 1 "x.cu"\n' + source)
    return wrong and f"{wrong}: {source!r}"


@pytest.mark.parametrize("once", [programs_of_cuda, pages, options, rows_of_a_run, folders_of_results], ids=lambda once: once.__name__)
def test_fuzz(toy, once):
    """once() returns None, or what went wrong."""
    wrong = [why for why in (once(toy) for _ in range(MANY)) if why]
    assert not wrong, "\n".join(map(str, wrong[:5]))
