#!/usr/bin/env python3
"""traces.py [PICTURE...]: runs variants on the simulator, with --trace, and draws which thread touches which element: every
picture of the table below, or those named, into plots/trace/ (make traces).

Exit status: 0 drawn; 1 a program failed or its trace cannot be drawn, and then no picture is touched; 2 usage."""
import glob
import os
import re
import subprocess
from collections import namedtuple

import output
import accesses
import schema
from output import REPOSITORY, Problem, run

# traces.csv: the picture, the program, its variant, n, the threads of a block, perhaps an option of accesses.py, and what the
# picture shows, in both languages, with the names of facts in braces. Small enough to be looked at: two warps, and one block of
# a few.
PICTURES = {line["picture"]: line for line in output.read_csv("draw", "traces.csv")}
HEADER = "variant,n,block,step,epoch,warp,lane,kind,array,element,bytes,line,block_barriers,cluster_barriers,grid_barriers"
NUMBERS = [k for k, name in enumerate(HEADER.split(",")) if name not in ("variant", "kind", "array", "line")]
LINE = re.compile(",".join("([0-9]{1,7})" if k in NUMBERS else "([^,]*)" for k in range(15)))  # no loop is to run for years


# A line of a trace; passed: the barriers of its block, its cluster and the grid that its thread came through.
Access = namedtuple("Access", "variant n block step epoch warp lane kind array element bytes line passed")
Trace = namedtuple("Trace", "name threads option accesses sources title")  # title: of the facts that it names


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
        fields = [int(field) if k in NUMBERS else field for k, field in enumerate(match.groups())]
        access = Access(*fields[:12], tuple(fields[12:]))
        if access.lane > 31:
            raise Problem(f"{name}: line {number}: no lane of a warp: {line}")
        if access.kind == "shuffle":
            access = access._replace(bytes=4)
        elif access.array == "remote":  # shared memory of another block of the cluster: drawn as this block's
            access = access._replace(array="shared")
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
    result = subprocess.run([binary, "-v", variant, "-n", n, "-b", threads, "--sms", "2" if variant == "flagged_slots" else "1", "--trace", path],
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    if not os.path.exists(path) or os.path.getsize(path) == 0:  # a kernel that is wrong on purpose has status 1; a program that fails writes no trace
        raise Problem(f"{program} -v {variant}: {output.complaint(result.stdout, -1)}")
    return path


def sources_of(program):
    """In the order in which a name is looked for: the program's own folder comes first."""
    patterns = [f"{folder}/*{kind}" for folder in (f"steps/{program.removeprefix('step')}_*", f"steps/toolbox/{program}") for kind in (".cu", ".h", ".cuh")]
    patterns += [f"{folder}/*{kind}" for folder in ("steps/*", "steps/toolbox/*") for kind in (".h", ".cuh")]
    patterns += ["library/parts/*.h", "library/*.h", "library/*.cu", "common/*.h", "common/*.cuh"]
    return [path for pattern in patterns for path in sorted(glob.glob(pattern))]


def draw(work, name):
    line, path = PICTURES[name], f"{work}/{name}.svg"
    found = read_accesses(record(work, line["program"], line["variant"], line["n"], line["threads"]))
    option = dict([line["option"].split("=", 1)] if line["option"] else [])
    output.write(path, accesses.Drawing(Trace(name, int(line["threads"]), option, found, sources_of(line["program"]), line["english"].format)).svg())
    return path


def main(names):
    for name in names:
        if name not in PICTURES:
            return output.refused(f'no picture "{name}"; usage: tools/draw/traces.py [PICTURE...]')
    os.chdir(REPOSITORY)
    with output.work_folder() as work:
        drawn = [draw(work, name) for name in names or PICTURES]
        output.put("plots/trace", drawn)
    print(f"drew {len(drawn)} pictures of traces into plots/trace")
    return 0


if __name__ == "__main__":
    run(main)
