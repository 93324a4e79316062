#!/usr/bin/env python3
"""traces.py [PICTURE...]: runs variants on the simulator, with --trace, and draws which thread touches which element: every
picture of the table below, or those named, into plots/trace/ (make traces).

Exit status: 0 drawn; 1 a program failed or its trace cannot be drawn, and then no picture is touched; 2 usage."""
import csv
import glob
import os
import re
import subprocess
from collections import namedtuple

import output
import accesses
import panels
import schema
from output import REPOSITORY, Problem, run

# The picture, the script here that draws it, the program, its variant, n, the threads of a block, and perhaps options
# of that script; lines of one picture are its panels. Small enough to be looked at: two warps, and one block of a few.
PICTURES = """
v0                 accesses  step01    v0                    64 64
v1                 accesses  step01    v1                    64 64
v2                 accesses  step02    v2                    64 64
v3x2               accesses  step03    v3x2                 128 64
v3x4               accesses  step03    v3x4                 256 64
v3x8               accesses  step03    v3x8                 512 64
v4                 accesses  step03    v4                   512 64
v6                 accesses  step04    v6                   512 64
v6_interleaved     accesses  step04    v6_interleaved       512 64
banks              banks     step04    v6_interleaved      2048 256 rounds=5
atomic_per_warp    accesses  step05    atomic_per_warp     1024 64
atomic_per_block   accesses  step05    atomic_per_block    1024 64
block_reduce       accesses  step05    block_reduce        1024 64
two_pass           accesses  step06    two_pass            1024 64
cooperative        accesses  step07    cooperative         4096 64 skip=8-11:block_sum()
cooperative_source accesses  step07    cooperative_source   512 64 first=1
vector_x1          accesses  step08    vector_x1           1024 64
vector_x2          accesses  step08    vector_x2           1024 64
vector_x4          accesses  step08    vector_x4           2048 64
vector_x8          accesses  step08    vector_x8           4096 64
vector_x16         accesses  step08    vector_x16          8192 64
ticket             accesses  step09    ticket              8192 64 skip=2-5:block_sum()
flagged_slots      accesses  step09    flagged_slots       8192 64 skip=3-6:block_sum(),9-14:block_sum()
fixed_point        accesses  step09    fixed_point         8192 64
cluster_8          accesses  step10    cluster_8           8192 64
cluster_16         accesses  step10    cluster_16         16384 64
clusters           accesses  step10    clusters           32768 64 skip=6-6:warp_sum(),9-14:block_sum()
sum_f32            accesses  step11    sum_f32             1024 64
butterfly          accesses  exchange  butterfly            256 32 every=8
transpose          registers transpose transpose           1024 32
trees              trees     step01    v1                    32 32 title=v0, v1: neighbours first
trees              trees     step02    v2                    32 32 title=v2: half a block apart first
trees              trees     step03    v3x4                  32  8 title=v3x4: each thread adds four, then as v2
trees              trees     step05    atomic_per_warp       32 32 title=A warp's shuffles: every lane adds in every round
"""
PICTURES = [line.split(None, 6) for line in PICTURES.strip().splitlines()]
DRAW = {"accesses": accesses.draw, "banks": panels.banks, "registers": panels.registers, "trees": panels.trees}
HEADER = "variant,n,block,step,epoch,warp,lane,kind,array,element,bytes,line,block_barriers,cluster_barriers,grid_barriers"
NUMBERS = [k for k, name in enumerate(HEADER.split(",")) if name not in ("variant", "kind", "array", "line")]
LINE = re.compile(",".join("([0-9]{1,7})" if k in NUMBERS else "([^,]*)" for k in range(15)))  # no loop is to run for years


# A line of a trace; passed: the barriers of its block, its cluster and the grid that its thread came through.
Access = namedtuple("Access", "variant n block step epoch warp lane kind array element bytes line passed")
Trace = namedtuple("Trace", "name threads option accesses sources title")  # title: of the facts that it names


def titles():
    """{picture: what it shows}; tools/draw/titles.csv has them in both languages, with the names of facts in braces."""
    with open(os.path.join(output.HERE, "titles.csv"), encoding="utf-8", newline="") as file:
        return {row["picture"]: row["english"] for row in csv.DictReader(file)}


def read_accesses(path):
    """What was counted, and raced (# ...), is not drawn here."""
    name = os.path.basename(path)
    text, why = schema.read_text(path)
    lines = (text or "").splitlines()
    if why or lines[:2] != ["# trace 2", HEADER]:
        raise Problem(f"{name}: {why or 'its first two lines are not those of a trace of this version'}")
    found = []
    for number, line in enumerate(lines[2:], 3):
        if line.startswith("# "):
            continue
        match = LINE.fullmatch(line)
        if not match:
            raise Problem(f"{name}: line {number}: no access to an array, or no number below ten million: {line}")
        fields = list(match.groups())
        for k in NUMBERS:
            fields[k] = int(fields[k])
        access = Access(*fields[:12], tuple(fields[12:]))
        if access.kind == "shuffle":
            access = access._replace(bytes=4)
        elif access.array == "remote":  # shared memory of another block of the cluster: drawn as this block's
            access = access._replace(array="shared")
        if access.lane > 31:
            raise Problem(f"{name}: line {number}: no lane of a warp: {line}")
        found.append(access)
    if not found:
        raise Problem(f"{name}: no accesses")
    return found


def record(work, program, variant, n, threads):
    """The path of a trace. One SM, so that a grid sized by the device is small, too, and its threads have more than one
    element. Two where block 0 waits for others: on one SM it has none (library/parts/waiting.h)."""
    path, binary = os.path.join(work, f"{program}-{variant}.csv"), f"build/sim/{program}"
    if not os.access(binary, os.X_OK):
        raise Problem(f"no program {binary}: make traces builds it")
    sms = "2" if variant == "flagged_slots" else "1"
    result = subprocess.run([binary, "-v", variant, "-n", n, "-b", threads, "--sms", sms, "--trace", path], stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    if not os.path.exists(path) or os.path.getsize(path) == 0:  # a kernel that is wrong on purpose has status 1; a program that fails writes no trace
        raise Problem(f"{program} -v {variant}: {output.complaint(result.stdout, -1)}")
    return path


def sources_of(program):
    """In the order in which a name is looked for: the program's own folder comes first."""
    own = [f"{folder}/*{kind}" for folder in (f"steps/{program.removeprefix('step')}_*", f"steps/toolbox/{program}") for kind in (".cu", ".h", ".cuh")]
    patterns = own + ["steps/*/*.h", "steps/*/*.cuh", "steps/toolbox/*/*.h", "steps/toolbox/*/*.cuh", "library/parts/*.h", "library/*.h", "library/*.cu", "common/*.h", "common/*.cuh"]
    return [path for pattern in patterns for path in sorted(glob.glob(pattern))]


def draw(work, name):
    traces = []
    for _, script, program, variant, n, threads, *option in (line for line in PICTURES if line[0] == name):
        option = dict(part.split("=", 1) for part in option)
        traces.append(Trace(name, int(threads), option, read_accesses(record(work, program, variant, n, threads)), sources_of(program), titles()[name].format))
    output.write(f"{work}/{name}.svg", DRAW[script](*traces))
    return f"{work}/{name}.svg"


def main(names):
    known = list(dict.fromkeys(line[0] for line in PICTURES))
    for name in names:
        if name not in known:
            return output.refused(f'no picture "{name}"; usage: tools/draw/traces.py [PICTURE...]')
    os.chdir(REPOSITORY)
    with output.work_folder() as work:
        drawn = [draw(work, name) for name in names or known]
        output.put("plots/trace", drawn)
    print(f"drew {len(drawn)} pictures of traces into plots/trace")
    return 0


if __name__ == "__main__":
    run(main)
