#!/usr/bin/env python3
"""tools/measure/check_results.py FOLDER: is this a whole and consistent folder of results?

It must hold the CSV of every step and of every topic of the toolbox, with all variants that such a machine can
run, at the sizes of the notes, as the programs tell of themselves (--list --csv: make all builds them, for a GPU or
for the simulator). Every answer must be right, every time in order, the bandwidths those of the times
and within what the memory delivers, and machine.json must say where the numbers come from. What
is wrong is listed, a line each.

Exit status: 0 nothing is wrong, 1 something is, 2 usage, or no programs here.
"""
import csv
import glob
import io
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, ROOT + "/tools/pages")
from markdown import Problem  # noqa: E402
from results import COLUMNS, rows_of  # noqa: E402

WANTED = COLUMNS + ("worst_conflict", "bytes_per_element", "row", "bytes")
PROVENANCE = {
    "sim": ("backend", "gpu", "compute_capability", "sm_count", "host_compiler", "kernel_compiler", "commit", "date"),
    "cuda": ("backend", "gpu", "compute_capability", "driver", "runtime", "nvidia_driver", "sm_count", "l2_bytes",
             "memory_bytes", "theoretical_gbps", "read_gbps", "copy_gbps", "cpu", "host_compiler",
             "kernel_compiler", "commit", "processes", "date"),
}
SIZES = (1 << 20, 1 << 24, 1 << 28)  # at which a GPU times every variant, if they fit into its memory
ROWS = (32, 1024, 8192)  # and those on rows at these lengths: tools/measure/time_program.sh
OLDER = "of an older layout ({}): measure again with ./run_all.sh, or rename as results/README.md says"
MOST_SAID = 20


# ---- what there should be ----

def read_programs():
    """File of the folder -> what the program says of its variants, by name."""
    programs = {}
    for folder in map(os.path.dirname, sorted(glob.glob(ROOT + "/steps/*/lesson.c") + glob.glob(ROOT + "/toolbox/*/lesson.c"))):
        name = os.path.basename(folder)
        on_ladder = folder.startswith(ROOT + "/steps/")
        built = [path for path in (f"{ROOT}/build/{backend}/{'step' + name[:2] if on_ladder else name}" for backend in ("sim", "cuda"))
                 if os.access(path, os.X_OK)]
        done = subprocess.run([built[0], "--list", "--csv", "-"], capture_output=True, text=True) if built else None
        if done is None or done.returncode != 0:
            print(f"check_results.py: no program of {name} here that tells its variants: make all", file=sys.stderr)
            sys.exit(2)
        programs[name + ".csv" if on_ladder else f"toolbox/{name}.csv"] = {
            row["variant"]: {key: int(value) if value.isdigit() else value for key, value in row.items()}
            for row in csv.DictReader(io.StringIO(done.stdout))}
    return programs


def can_run(variant, machine):
    """Whether this kind of machine runs it."""
    if variant["specimen"]:
        return False
    if machine["backend"] == "sim":
        return variant["runs_here"]
    return variant["capability"] <= int("".join(re.findall(r"\d", str(machine.get("compute_capability")))) or 0)


def wanted_runs(variant, machine):
    """(n, row) at which it must have been timed; row None: it has no rows."""
    if machine["backend"] == "sim" or variant["on_cpu"]:
        return []
    rows = [row for row in ROWS if variant["min_row"] <= row <= variant["max_row"]] if variant["max_row"] else [None]
    return [(n, row) for n in SIZES for row in rows if 8 * n + (512 << 20) <= (machine.get("memory_bytes") or 0)]


# ---- what there is ----

def check_layout(folder, programs):
    """Names of an older layout would be read as if nothing were there."""
    files = [os.path.relpath(path, folder) for pattern in ("[0-9][0-9]_*.csv", "toolbox/*.csv")
             for path in sorted(glob.glob(os.path.join(folder, pattern)))]
    for name in files:
        if name not in programs:
            raise Problem(OLDER.format(name))
        with open(os.path.join(folder, name)) as file:
            if "task" not in file.readline().strip().split(","):
                raise Problem(OLDER.format(f"{name} has no column task"))


def check_machine(path):
    """machine.json, and what is wrong with it."""
    try:
        with open(path) as file:
            machine = json.load(file)
    except (OSError, ValueError) as error:
        raise Problem(f"machine.json cannot be read: {error}")
    backend = machine.get("backend") if isinstance(machine, dict) else None
    if backend not in PROVENANCE:
        raise Problem(f"machine.json: backend is {backend}, not cuda or sim")
    wrong = [f"machine.json does not tell {key}" for key in PROVENANCE[backend] if machine.get(key) in (None, "", "unknown")]
    if "+changes" in str(machine.get("commit")):
        wrong.append(f"machine.json: commit {machine['commit']}: measured with changes that nobody else has; "
                     "commit them, then measure again")
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", str(machine.get("date"))):
        wrong.append(f"machine.json: date is {machine.get('date')}, not as in 2026-01-31T12:00:00Z")
    return machine, wrong


def read_rows(path):
    """The rows of a file that has all columns."""
    with open(path, newline="") as file:
        header, *lines = list(csv.reader(file)) or [[]]
    for column in WANTED:
        if column not in header:
            raise Problem(f"line 1: the header has no column {column}")
    return rows_of(header, lines)


def check_row(row, variant, machine):
    """What is wrong with one line of a CSV."""
    if variant is None:
        yield "no program has such a variant"
        return
    if variant["specimen"]:
        yield "a specimen that is wrong on purpose is no result"
    if (row["step"], row["task"]) != (variant["step"], variant["task"]):
        yield f"step {row['step']}, task {row['task']}; the program says {variant['step']}, {variant['task']}"
    if row["ok"] == 0:
        yield "the sum is wrong"
    elif row["ok"] != 1 and not variant["roof"]:
        yield "the sum was not checked"
    if row["backend"] == "sim" and row["median_us"] is not None:
        yield "a time on the simulator, which has none"
    if row["backend"] == "cuda" and row["device"] != machine["gpu"]:
        yield f"measured on {row['device']}, but machine.json is of {machine['gpu']}"
    if machine["backend"] == "cuda" and row["backend"] != "sim":
        yield from check_time(row, machine)


def check_time(row, machine):
    us, moved = row["median_us"], row["bytes"] or 0
    if us is None:
        yield "no time"
        return
    if not 0 < row["min_us"] <= us <= row["p90_us"]:
        yield f"min {row['min_us']}, median {us}, p90 {row['p90_us']} µs: not in order"
    gbps = moved / us / 1e3 if us else 0
    if row["gbps"] is not None and abs(row["gbps"] - gbps) > 0.02 * gbps + 0.01:
        yield f"{row['gbps']} GB/s, but {us} µs make {gbps:.4g}"
    theory = machine.get("theoretical_gbps")
    if theory and row["cache"] == "cold" and moved > 4 * (machine.get("l2_bytes") or 0) and gbps > 1.02 * theory:
        yield f"{gbps:.4g} GB/s, more than the memory delivers ({theory:.4g}): was the cache emptied?"


def label(variant, row):
    return variant + (f" in rows of {row:.0f}" if row else "")


def check_file(folder, name, variants, machine):
    """What is wrong with the CSV of one program."""
    wanted = {key: variant for key, variant in variants.items() if can_run(variant, machine)}
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        return [f"{name} is missing: ./run_all.sh writes it"] if wanted else []
    try:
        rows = read_rows(path)
    except Problem as problem:
        return [f"{name}: {problem}"]
    wrong = [f"{name}: {label(row['variant'], row['row'])} at n = {row['n']:.0f}: {why}" for row in rows
             for why in check_row(row, variants.get(row["variant"]), machine)]
    timed = {(row["variant"], row["n"], row["row"]) for row in rows if row["launch"] != "graph"}
    there = {(variant, row) for variant, _, row in timed}
    for key, variant in sorted(wanted.items()):
        runs = wanted_runs(variant, machine)
        absent = [row for row in dict.fromkeys(row for _, row in runs) if (key, row) not in there]
        if key not in {variant for variant, _ in there}:
            wrong.append(f"{name}: no variant {key}")
        else:
            wrong += [f"{name}: no variant {label(key, row)}" for row in absent]
            wrong += [f"{name}: {label(key, row)} was not timed at n = {n}" for n, row in runs
                      if row not in absent and (key, n, row) not in timed]
    return wrong


def check_counters(folder, machine, programs):
    """A GPU's counters.csv needs ncu, so a folder may do without."""
    if machine["backend"] == "sim" or not os.path.exists(os.path.join(folder, "counters.csv")):
        return []
    try:
        with open(os.path.join(folder, "counters.json")) as file:
            about = json.load(file)
        with open(os.path.join(folder, "counters.csv"), newline="") as file:
            there = {row.get("step") for row in csv.DictReader(file)}
    except (OSError, ValueError) as error:
        return [f"counters.csv: {error}; make counters writes it and counters.json"]
    wrong = []
    if about.get("gpu") != machine["gpu"]:
        wrong.append(f"counters.json is of {about.get('gpu')}, machine.json of {machine['gpu']}")
    kernels = {variant["step"] for variants in programs.values() for variant in variants.values()
               if can_run(variant, machine) and variant["runs_here"] and variant["task"] == "sum" and not variant["on_cpu"]}
    return wrong + [f"counters.csv holds nothing of {step}" for step in sorted(kernels - there)]


def check(folder):
    """Everything that is wrong."""
    programs = read_programs()
    try:
        check_layout(folder, programs)
        machine, wrong = check_machine(os.path.join(folder, "machine.json"))
    except Problem as problem:
        return [str(problem)]
    for name, variants in programs.items():
        wrong += check_file(folder, name, variants, machine)
    return wrong + check_counters(folder, machine, programs)


def main(arguments):
    if len(arguments) != 1 or not os.path.isdir(arguments[0]):
        print("usage: tools/measure/check_results.py FOLDER, as in tools/measure/check_results.py results/h200", file=sys.stderr)
        return 2
    wrong = check(arguments[0])
    for why in wrong[:MOST_SAID] + ([f"and {len(wrong) - MOST_SAID} more"] if len(wrong) > MOST_SAID else []):
        print(f"check_results.py: {os.path.normpath(arguments[0])}: {why}", file=sys.stderr)
    if not wrong:
        print(f"{os.path.normpath(arguments[0])}: whole and consistent")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
