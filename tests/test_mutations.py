"""Proof by mutation: every barrier and fence in the kernels of steps, toolbox and library, and in their headers, is taken out, one at a time, and the
simulator must notice: a race, a wrong sum, a deadlock, a barrier half used or a copy that is not waited for. (Of what no step calls, test_library.py takes
them.) Those that it cannot notice stand in docs/robustness.md. As they are, all kernels are clean. A program is compiled once, with a switch around each of
its barriers."""
import glob
import itertools
import os
import re
import shutil

import pytest
from common import PROGRAMS, TOOLS, plant, read, right, run, takes_rows, variants
from mutants import barriers, build_switched, make_switch, switches
from test_variants import runs_of

# How a mutated program is caught: status 1, and a line. Where a read of shared memory comes before any write, another
# schedule may have them the other way round, and then it is a race: so that is the last.
CAUGHT = {r"^simulator: .* (race|deadlock)\b": "", "without having arrived|again before it waited|barrier of its cluster|may not have begun|may have ended": "barrier half used",
          "asynchronous copy": "copy not waited for", r" wrong\b": "wrong sum"}
UNWRITTEN = ": reads shared memory that no thread "

# The large sizes are for kernels whose blocks take many elements each, for the library's cluster, and for rings of lesson 10 that
# go round. Of rows: more rows, and columns, than blocks; longer than a tile. Toolbox: whole tiles and rows, since some of its variants take no others.
ORDERS = [f"--schedule {seed}" for seed in range(1, 9)]
RUNS = {"steps": ["-n 4097", "-n 1000 -b 64", "-n 30000,100000 -b 64", "-n 100000 -b 64 --sms 1", *(f"-n 1000 -b 64 {order}" for order in ORDERS)],
        "rows": [f"{run} {how}" for how in ("--row 100", "--row 500 --operator argmax") for run in ("-n 1000", "-n 30000 -b 64", *(f"-n 1000 -b 64 {order}" for order in ORDERS[:5]))]
        + ["-n 30000 --row 5000 -b 64", "-n 30000 --row 10 -b 64", "-n 28000 --row 7000 -b 64"],
        "tools": ["-n 4097,8192", "-n 1000,2048 -b 64", "-n 32768 -b 64", *(f"-n 1000,2048 -b 64 {order}" for order in ORDERS)]}
# The library's kernels are tried by lesson 12, which calls them for every type and is linked with them, and those of the exact sum by lesson 13.
LINKED = {"steps/12_types": ["library/sum_f32.cu"], "steps/13_exact": ["library/sum_exact.cu"]}
# No step calls them: test_library.py takes their barriers.
ELSEWHERE = {"library/sum_all.cu", *(f"library/reduce_{name}" for name in ("state.h", "meet.h", "common.h", "whole.h", "rows.cu", "columns.cu", "segments.cu"))}


def kind_of(program):
    return "tools" if program in TOOLS else "rows" if takes_rows(program.command) else "steps"


def compiled_from(path):
    """The files of steps/, steps/toolbox/ and library/ that it was compiled from, by the compiler's own list."""
    listed = re.match(r"[^:]*:((?:.*\\\n)*.*)", read(f"build/sim/{os.path.splitext(path)[0]}.d"))[1]
    return re.findall(r"(?<!\S)(?:steps|library)/[^\s\\]+", listed)


@pytest.fixture(scope="module")
def homes():
    """-> {file: the folder of the program that tries its barriers}, {folder: {file: those of the program's own files that are compiled from it}}, files that
    nothing tries: what is wrong on purpose, or cannot run here, shows nothing."""
    home, users, left_out = {}, {}, set(ELSEWHERE)
    for program in PROGRAMS:
        folder, users[program.folder] = program.folder, {}
        variant = {row["variant"]: row for row in variants(program.command)}
        linked = LINKED.get(folder, [])
        for path in sorted(glob.glob(f"{folder}/*.cu")) + linked:
            if path.endswith("/first.cu"):  # a program of its own, without a barrier
                continue
            row = variant.get(os.path.basename(path)[:-3])
            parts = compiled_from(path)
            if row and (row["known_wrong"] or not row["runs_here"]):
                left_out.update(parts)
                continue
            for part in parts:
                users[folder].setdefault(part, []).append(path)
                if part not in home or part.startswith(f"{folder}/") or part in linked or folder.endswith("_types") and part.startswith("library/"):
                    home[part] = folder
    return home, users, left_out


def pattern_of(program, paths):
    """For each variant of these files: one that is named would have to take all sizes."""
    names = [os.path.basename(path)[:-3] for path in paths]
    if not set(names) <= {row["variant"] for row in variants(program.command)}:
        return ""  # a file of several variants
    return "-v " + ",".join(f"'[{name[0]}]{name[1:]}'" for name in names)


def caught(command, runs, environment):
    """How it is noticed, or ''; what it said."""
    output, unwritten = "", ""
    for how in runs:
        output, status = run(f"{command} --check {how}", **environment)
        for pattern, name in CAUGHT.items() if status == 1 else ():
            found = re.search(pattern, output, re.M)
            if found:
                return name or found[1], output
        if status == 1 and UNWRITTEN in output:
            unwritten = "read of what nobody wrote"
    return unwritten, output


OF_PROGRAMS = [pytest.param(program, id=program.name, marks=() if re.search("shared|two_pass|single_pass|masks", program.name) else pytest.mark.more) for program in PROGRAMS]


@pytest.mark.parametrize("program", OF_PROGRAMS)
def test_barriers(ok, scratch, homes, program):
    home, users, _ = homes
    folder, kind = program.folder, kind_of(program)
    for tree in "steps", "library":
        shutil.copytree(tree, f"{scratch}/{tree}", dirs_exist_ok=True)  # without the switches of another program
    make_switch(scratch)
    runs = [f"{how} --row 512" if kind == "tools" and takes_rows(program.command) else how for how in RUNS[kind]]
    if program.name.endswith("_exact"):
        runs.append("-n 5000 --pattern wide")  # limbs
    mutants, needed = [], set()
    for path in sorted(users[folder]):
        if home[path] == folder:
            found = switches(f"{scratch}/{path}", len(mutants))
            mutants += [(path, barrier) for barrier in found]
            needed.update(users[folder][path] if found else ())
    if not mutants:
        return
    output, status = build_switched(scratch, f"{scratch}/mutated", folder, sorted(needed))
    assert status == 0, output
    for k, (path, barrier) in enumerate(mutants):
        unseen = barrier.unseen()
        command = f"{scratch}/mutated {pattern_of(program, users[folder][path])}"
        how, output = caught(command, runs[:2] if unseen else runs, {"MUTANT": str(k), "SIMT_STRICT": "1"})  # a race by the memory model alone counts here
        ok((how == "") == (unseen != ""), f"{path}:{barrier.line}: without {barrier.text}: {'caught' if unseen else 'not caught'}", f"MUTANT={k} {command}\n{output}")


@pytest.mark.parametrize("program", OF_PROGRAMS)
@pytest.mark.parametrize("seeds", ["1..4", pytest.param("5..12", marks=pytest.mark.nightly)])
def test_other_orders(program, seeds):
    first, last = map(int, seeds.split(".."))
    kind = kind_of(program)
    few_long = 1 if program.name.endswith("_exact") else 5  # its memory for each thread makes them very long
    for seed in range(first, 1 + (min(last, 8) if kind == "tools" else last)):
        sizes = {"tools": "1000,2048" + " --row 512" * takes_rows(program.command), "rows": "1000,30000 --row 100", "steps": 20000 if seed <= few_long else 3000}[kind]
        right(f"{program.command} --check -n {sizes} -b 64 --schedule {seed}", SIMT_STRICT="1")


@pytest.mark.more
def test_no_file_is_missed(homes):
    home, _, left_out = homes
    folders = ["library"] + [program.folder for program in PROGRAMS]
    found = {path: barriers(read(path)) for folder in folders for path in glob.glob(f"{folder}/*.cu") + glob.glob(f"{folder}/*.h")}
    assert [path for path in found if found[path] and path not in home and path not in left_out] == []
    assert sum(len(found[path]) for path in found if path in home) >= 60
    # docs/robustness.md names each removal that passes.
    section = re.search(r"^## Barriers, each taken out\n(.*?)^## ", read("docs/robustness.md"), re.M | re.S)[1]
    named = re.findall(r"^\| \[[^]]+\]\(\.\./([^)]+)\)", section, re.M)
    assert sorted(path for path in found for barrier in found[path] if barrier.unseen() == "nowhere") == sorted(named)


# ---- the runs of test_variants.py ----

EVERY = runs_of("steps", True)


def never_together(runs):
    """-> {what: its values}, and which two values never meet in a run."""
    values, together = {}, set()
    for how in runs:
        found = re.fullmatch(r"-n (?P<size>\S+) (?:-b (?P<block>\d+) )?--pattern (?P<pattern>\w+) --offset (?P<offset>\d+)", how)
        for size in found["size"].split(",") if found else ():
            here = {**found.groupdict(), "size": size}
            for what in here:
                values.setdefault(what, set()).add(here[what])
            together.update(itertools.permutations(here.items(), 2))
    pairs = {((one, a), (other, b)) for one, other in itertools.permutations(values, 2) for a in values[one] for b in values[other]}
    return values, pairs - together


def test_each_size_block_pattern_and_start_meets_each_of_the_others():
    values, missing = never_together(EVERY)
    assert {what: len(values[what]) for what in values} == {"block": 7, "offset": 5, "pattern": 5, "size": 21} and not missing
    _, missing = never_together(how for how in EVERY if "-b 33 --pattern nan" not in how)
    assert (("block", "33"), ("pattern", "nan")) in missing  # so a run that is left out is missed


# A fault in a sum is seen by them, whatever brings it out.
FAULTS = {"the last element of a block": ("tid + k * blockDim.x < count", "tid + k * blockDim.x + mutated(0) < count"),
          "a neighbour in place of each": ("? idata[tid + k * blockDim.x]", "? idata[tid + k * blockDim.x + mutated(1)]"),
          "a block whose share is full": ("k < LOADS", "k < LOADS - mutated(2)"),
          "a block of 128 or more": ("stride > 32;", "stride > 32u << mutated(3);"),
          "more than 32 threads with something": ("unsigned stride = 32;", "unsigned stride = 32u >> mutated(4);"),
          "a size and a block": ("float sum = 0.0f", "float sum = mutated(5) && n > 1024 && blockDim.x == 64"),
          "a start and a block": ("float sum = ", "float sum = mutated(6) && (size_t)in % 16 == 12 && blockDim.x == 1024 || "),
          "NaN": ("smem[tid] = sum;", "smem[tid] = mutated(7) && sum != sum ? 0.0f : sum;"),
          "large numbers": ("? 0.0f : sum;", "? 0.0f : mutated(8) ? 16.0f * sum / 16.0f : sum;"),
          "negative numbers": (": sum;", ": mutated(9) ? fabsf(sum) : sum;")}


def test_faults_of_a_sum(ok, scratch):
    path = "steps/04_shared/v6.cu"
    shutil.copytree("steps", f"{scratch}/steps", dirs_exist_ok=True)
    make_switch(scratch)
    plant(f"{scratch}/{path}", *FAULTS.values())
    output, status = build_switched(scratch, f"{scratch}/faulty", "steps/04_shared", [path])
    assert status == 0, output
    for k, what in enumerate(["none", *FAULTS], -1):
        seen = next((how for how in EVERY if run(f"{scratch}/faulty --check -v v6 {how}", MUTANT=str(k), SIMT_STRICT="1")[1] == 1), "")
        ok((seen != "") == (k >= 0), f"a fault that needs {what}: MUTANT={k} {scratch}/faulty -v v6", seen)
