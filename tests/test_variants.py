"""Every variant of the ladder and the toolbox: awkward sizes, admitted blocks, all patterns, unaligned starts, in pairs. One test for each answer.
(Shuffled schedules are test_mutations.py's, and that these runs see a fault.) It runs on a GPU, too: -k scan is one program."""
import fcntl
import os
import re
import time

import pytest
from common import BACKEND, PROGRAMS, TOOLS, rows, run, takes_rows, variants

SIM = BACKEND == "sim"
SIZES = 0, 1, 2, 3, 31, 32, 33, 63, 64, 65, 255, 256, 257, 1000, 1023, 1024, 1025, 2047, 2048, 2049, 4097
PATTERNS = "uniform", "ones", "cancel", "huge", "nan"
# The toolbox has more variants than the ladder, and takes fewer runs: sizes that divide into its tiles and rows, and that do not.
TOOL_SIZES = 0, 1, 31, 32, 33, 255, 257, 1000, 1023, 1024, 1025, 2048, 4095, 4097
# Rows: length and gap. Rows of 0 floats need a gap; a gap is not for ragged ones.
SHAPES = (1, 0), (3, 2), (7, 0), (32, 0), (33, 1), (100, 0), (128, 4), (129, 0), (1000, 1), (4099, 0), (0, 3)
DATA = "", *(f" --pattern {pattern}" for pattern in ("nan", "ones", "far", "cancel", "huge"))


def in_pairs(every, sizes, blocks, starts, rest=""):
    """Every two of a size, a block, a pattern and a start come together in some run; not every three. With blocks i, patterns j, starts (i + 2j) and every
    fifth size from (i + j) on, each value of one meets each of another. (test_mutations.py counts them.)"""
    for i, block in enumerate(blocks):
        for j, pattern in enumerate(PATTERNS):
            if every or (i + 2 * j) % 6 == 0:
                these = ",".join(str(size) for k, size in enumerate(sizes) if k % 5 == (i + j) % 5)
                yield f"-n {these} {f'-b {block} ' if block else ''}--pattern {pattern} --offset {starts[(i + 2 * j) % len(starts)]}{rest}"


def of_shapes(every):
    """Every operator with every shape of a matrix, and with every kind of ragged rows; patterns, starts and blocks in turn."""
    shapes = [(operator, *shape) for operator in ("sum", "maximum", "argmax", "mean_variance", "log_sum_exp", "norm") for shape in SHAPES]
    for k, (operator, row, gap) in enumerate(shapes):
        if every or k % 7 == 0:
            sizes = ",".join(str(count * (row + gap)) for count in ((0, 1, 31, 33, 70) if row < 1000 else (0, 1, 3, 9)))
            block = (64, 96, 1024, 32, 256)[k % 5]
            ragged = f" --gap {gap}" if gap else f" --lengths {('one_long', 'random', 'equal')[k % 3]}"
            yield f"-n {sizes} --row {row} --operator {operator}{DATA[k % len(DATA)]} --offset {k % 4} -b {block}{ragged}"


def runs_of(kind, every):
    """Those of a step, of a topic of the toolbox, and of a step of rows. make test has no time for all. On a GPU a run waits longer for its context than for
    its sums, and makes its array anew: so there, too, are few, which test_mutations.py finds the same with, and one has all large sizes. The last is 2^32 + 101."""
    more = every or not SIM
    if kind == "steps":
        return [*in_pairs(every, SIZES, ("", 2, 33, 64, 96, 1000, 1024), (0, 1, 2, 3, 17)),
                "-n 4095,8191,8193,65537" + ("" if SIM else ",1111111,16M,256M,4294967397"),  # several blocks, and several elements for a thread
                *(f"-n 20000 -b {block} --pattern positive" for block in ([32, 1024] if every else [32])),
                *(f"-n 33,1000,4097 -b {block} --pattern ramp" for block in ([3, 512, 32, 100, 128, 992] if every else [3, 512])),
                *(f"-n 33,4097 --pattern nan --seed {seed}" for seed in range(2, 6 if every else 3)),
                *(["-n 333333", f"-n 65535,65536{'' if SIM else ',16M'} --pattern ones", "-n 20001 --pattern cancel"] if more else [])]
    if kind == "tools":  # --row is left out where there are no rows
        return [*in_pairs(every, TOOL_SIZES, ("", 2, 96, 100, 1024), (0, 1, 2, 3), " --row 256"),
                "-n 0,32,1024,2048,8193 --row 32,1K", "-n 2048 --pattern positive --row 512",
                *(f"-n 33,1024,4096 -b {block} --pattern ramp --row 256" for block in ([512, 32] if more else [512])),
                *(["-n 4096,16384 --row 32,1K", f"-n 65537{'' if SIM else ',333333,1111111'}", "-n 65536 --row 2K,8K,16K"] if more else []),
                *([] if SIM else ["-n 16M,256M --row 1K,16K", "-n 16M --pattern ones"])]
    # More rows and columns than a grid has warps, and blocks; and more tiles than ragged_even's has blocks.
    return [*of_shapes(every), "-n 6000 --row 6000,10,1", "-n 16384 --row 4 --lengths random", "-n 65536 --row 4 --lengths random -v ragged_even",
            "-n 65536 --row 16K -b 64 --lengths one_long",
            *([] if SIM else ["-n 16M --row 8,1K,64K", "-n 64M -v 'row_[!t]*','r[a]*','c*' --row 1,4M", "-n 4294967397 -v row_warp,row_slots --row 1431655799",
                              "-n 16M --row 16 --lengths random --operator argmax", "-n 16000000 --row 100 --operator mean_variance"])]


def turn_for_large(name):
    """On a GPU not all that run side by side have room for an array of 17 GB: $LARGE_AT_ONCE have. A step takes two whose variants sum in place, or doubles, or
    shares of several GPUs besides. -> locks, to be closed; None: not now."""
    at_once = int(os.environ.get("LARGE_AT_ONCE", 0))
    wanted = 2 if re.match("(0[123]|12|14)_", name) and at_once > 1 else min(at_once, 1)
    turns = []
    for k in range(at_once):
        turn = open(f"build/{BACKEND}/large.{k}", "w", encoding="utf-8")
        try:
            fcntl.flock(turn, fcntl.LOCK_EX | fcntl.LOCK_NB)
            turns.append(turn)
        except OSError:
            turn.close()
        if len(turns) == wanted:
            break
    if len(turns) == wanted:
        return turns
    for turn in turns:
        turn.close()
    return None


def in_turn(name, runs):
    """Those with 2^32 elements first, or as soon as it is their turn."""
    large = [run for run in runs if re.search(r"\b\d{10}\b", run)]
    others = [run for run in runs if run not in large]
    while large or others:
        turns = turn_for_large(name) if large else None
        if turns is not None:
            yield large.pop(0)
            for turn in turns:
                turn.close()
        elif others:
            yield others.pop(0)
        else:
            time.sleep(1)


def check(command, how, csv):
    if os.path.exists(csv):
        os.unlink(csv)
    return run(f"{command} --check {how} --csv {csv}")


CASES = [pytest.param(program, rest, id=program.name + "-rest" * rest, marks=pytest.mark.more if rest else ()) for program in PROGRAMS
         for rest in ((False, True) if SIM else (False,))]  # nothing twice


@pytest.mark.parametrize("program, rest", CASES)
def test_variants(ok, scratch, program, rest):
    name, of_rows, csv = program.name, takes_rows(program.command), f"{scratch}/variants.csv"
    kind = "tools" if program in TOOLS else "rows" if of_rows else "steps"
    few = runs_of(kind, False)
    runs = [run for run in runs_of(kind, True) if run not in few] if rest else few
    if rest and name in ("scan", "compact", "match"):  # blocks that need each other, or take several tiles
        runs.append("-n 333333")
    seen = set()
    for how in in_turn(name, runs if of_rows else [re.sub(r" --row \S+", "", run) for run in runs]):
        output, status = check(program.command, how, csv)
        multiple, sizes = re.search(r"takes an n that is a multiple of (\d+)", output), re.match(r"-n ([\d,]+) ", how)
        if multiple and program in TOOLS and sizes:  # the next whole ones
            whole = {-(-int(size) // int(multiple[1])) * int(multiple[1]) for size in sizes[1].split(",")}
            how = re.sub(r"^-n \S+", f"-n {','.join(map(str, sorted(whole)))}", how)
            output, status = check(program.command, how, csv)
        refused = "takes blocks of" if "-b " in how else "takes an n that" if program in TOOLS else "$^"
        if status == 2 and re.fullmatch(rf"\S+: \w+ (?:{refused}) [^\n]*\n", output):
            ok(not os.path.exists(csv), f"{name} {how}: no variant takes that, and nothing is written")
            continue
        ok(status == 0, f"{name} {how}: exit status {status}", output)
        for row in rows(csv):
            seen.add(row["variant"])
            if row["ok"]:  # a roof sums nothing
                ok(row["ok"] == "1", f"{name} {row['variant']} n={row['n']} row={row['row']} {how}")
    expected = {row["variant"] for row in variants(program.command) if row["runs_here"] and not row["known_wrong"]}
    ok(expected, f"{name} has variants")
    ok.equal(expected - seen, set(), f"{name}: each variant was run")
