#!/usr/bin/env -S python3 -B
"""tools/measure/check_results.py FOLDER: is this a whole and consistent folder of results?

It is judged by what it recorded: variants.csv has the programs of that time, with all that they said of their
variants. Its runs.csv must hold every step and every topic of the toolbox, with all variants that such a machine can
run, at the sizes of the notes. Every answer must be right, every time in order, the bandwidths those of the
times and within what the memory delivers, and machine.json must say where the numbers come from. What is wrong is
listed, a line each. What the sources have besides, by now, is no fault: it is listed too, as not measured yet.

Exit status: 0 nothing is wrong, 1 something is, 2 usage.
"""
import os
import re
import sys

sys.dont_write_bytecode = True
from programs import ROOT
from page_markdown import Problem, entries, run
import tree
from schema import MACHINE, PARTS, VARIANTS, machine_fault, read_json, read_run, read_table, shown

# What the columns of the other files may hold besides: kernels of templates.
OTHER_TEXT = re.compile(r"[A-Za-z0-9_ .+@()<>&:,-]*")
SIZES = (1 << 20, 1 << 24, 1 << 28)  # at which a GPU times every variant, if they fit into its memory
ROWS = (32, 1024, 8192)  # and those on rows at these lengths: collect() of programs.py
OLDER = "of an older layout ({}): measure again with ./run_all.sh"
LIST, RUNS = "variants.csv", "runs.csv"
ROOFS = ("read_gbps", "copy_gbps")  # which step 00 finds
MOST_SAID = 20


# ---- what there should be ----

def read_programs(folder):
    """Step or topic -> what its program said of its variants, by name, when this was measured."""
    path = os.path.join(folder, LIST)
    if not os.path.lexists(path):
        raise Problem(f"{LIST} is missing, so this is of an older layout: measure again with ./run_all.sh")
    rows, faults = read_run(path, VARIANTS)
    programs = {}
    for row in rows:
        programs.setdefault(row["step"], {})[row["variant"]] = {key: int(value) if isinstance(value, float) else value for key, value in row.items()}
    if faults or not rows:
        raise Problem(f"{LIST}: {(faults or ['it lists nothing'])[0]}; ./run_all.sh writes it")
    return programs


def can_run(variant, machine):
    """Whether this kind of machine runs it. Some folders hold one step alone (make compare-gpus)."""
    if variant["known_wrong"] or machine["backend"] == "cuda" and not tree.in_folder(variant["step"], machine):
        return False
    if machine["backend"] == "sim":
        return variant["runs_here"]
    major, _, minor = str(machine.get("compute_capability") or 0).partition(".")
    return variant["capability"] <= 10 * int(major) + int(minor or 0)


def wanted_runs(variant, machine):
    """row -> the n at which it must have been timed; row None: it has no rows."""
    if machine["backend"] == "sim" or variant["on_cpu"]:
        return {}
    rows = [row for row in ROWS if variant["min_row"] <= row <= variant["max_row"]] if variant["max_row"] else [None]
    return dict.fromkeys(rows, [n for n in SIZES if 8 * n + (512 << 20) <= (machine.get("memory_bytes") or 0)])


# ---- what there is ----

def check_machine(path):
    """machine.json as far as it is right, and what is wrong with it."""
    machine, why = read_json(path)
    if why:
        raise Problem(f"machine.json {why}")
    faults = {name: machine_fault(name, value) if name in MACHINE else f"a key {shown(name)}, which is unknown"
              for name, value in machine.items()}
    backend = machine.get("backend")
    if faults.get("backend") or backend is None:
        raise Problem(f"machine.json: backend is {shown(backend)}, not cuda or sim")
    wrong = [f"machine.json: {why}" for why in faults.values() if why]
    machine = {name: value for name, value in machine.items() if not faults[name] and value != "unknown"}
    wrong += [f"machine.json does not tell {name}" for name, field in MACHINE.items()
              if backend in field.needed.split() and machine.get(name) is None and not faults.get(name)
              and not (name in ROOFS and machine.get("only"))]
    if machine.get("commit", "").endswith("+changes"):
        wrong.append(f"machine.json: commit {machine['commit']}: measured with changes that no commit has; "
                     "commit them, then measure again")
    return machine, wrong


def check_row(row, variant, machine):
    """What is wrong with one line of a CSV."""
    if variant is None:
        yield f"{LIST} lists no such variant"
        return
    if variant["known_wrong"]:
        yield "a variant that is wrong on purpose is no result"
    if (row["step"], row["task"]) != (variant["step"], variant["task"]):
        yield f"step {row['step']}, task {row['task']}; the program says {variant['step']}, {variant['task']}"
    if row["backend"] != ("cpu" if variant["on_cpu"] else machine["backend"]):
        yield f"backend {row['backend']} in a folder of {machine['backend']}, of a variant that runs on the {'CPU' if variant['on_cpu'] else 'GPU'}"
    if row["ok"] == 0:
        yield "the sum is wrong"
    elif row["ok"] != 1 and not variant["roof"]:
        yield "the sum was not checked"
    if row["backend"] == "sim" and row["median_us"] is not None:
        yield "a time on the simulator, which has none"
    device = machine.get("gpu", row["device"])
    if variant.get("many_gpus") and machine.get("gpus"):
        device = f"{machine['gpus']:.0f} x {device}"
    if row["backend"] == "cuda" and row["device"] != device:
        yield f"measured on {row['device']}, but machine.json is of {device}"
    if machine["backend"] == "cuda" and row["backend"] != "sim":
        yield from check_time(row, machine, machine.get("gpus", 1) if variant.get("many_gpus") else 1)


def check_time(row, machine, gpus):
    us, moved = row["median_us"], row["bytes"]
    absent = [name for name in ("median_us", "min_us", "p90_us", "runs", "gbps") if row[name] is None]
    if row["backend"] == "cuda":
        absent += [name for name in ("cache", "launch") if row[name] == ""]
    if absent:
        yield "no time" if us is None else f"no {absent[0]}"
        return
    if not 0 < row["min_us"] <= us <= row["p90_us"]:
        yield f"min {row['min_us']}, median {us}, p90 {row['p90_us']} µs: not in order"
    gbps = moved / us / 1e3 if us else 0
    if abs(row["gbps"] - gbps) > 0.02 * gbps + 0.01:
        yield f"{row['gbps']} GB/s, but {us} µs make {gbps:.4g}"
    theory = gpus * (machine.get("theoretical_gbps") or 0)
    if theory and row["cache"] == "cold" and moved > 4 * (machine.get("l2_bytes") or 0) and gbps > 1.02 * theory:
        yield f"{gbps:.4g} GB/s, more than the memory delivers ({theory:.4g}): was the cache emptied?"


def repeated(rows):
    """What was recorded twice."""
    seen = set()
    for row in rows:
        key = tuple(row[name] for name in ("variant", "n", "row", "cache", "launch"))
        if key in seen:
            yield f"{label(row['variant'], row['row'])} at n = {row['n']:.0f}: recorded twice"
        seen.add(key)


def label(variant, row):
    return variant + (f" in rows of {row:.0f}" if row else "")


def check_runs(folder, programs, machine):
    """What is wrong with runs.csv."""
    path = os.path.join(folder, RUNS)
    if not os.path.lexists(path):
        return [f"{RUNS} is missing: ./run_all.sh writes it"]
    rows, faults = read_run(path)
    if faults[:1] == ["line 1: the header has no column task"]:
        raise Problem(OLDER.format(f"{RUNS} has no column task"))
    wrong = [f"{RUNS}: {why}" for why in [*faults, *repeated(rows)]]
    wrong += [f"{RUNS}: {label(row['variant'], row['row'])} at n = {row['n']:.0f}: {why}" for row in rows
              for why in check_row(row, programs.get(row["step"], {}).get(row["variant"]), machine)]
    if faults:
        return wrong  # what is missing cannot be told
    there = {}
    for row in rows:
        if row["launch"] != "graph":
            there.setdefault((row["step"], row["variant"], row["row"]), set()).add(row["n"])
    return wrong + [f"{RUNS}: {step}: {why}" for step, variants in programs.items() for why in missing(step, variants, there, machine)]


def missing(step, variants, there, machine):
    """What should be there of one step. there: (step, variant, row) -> the n at which it ran."""
    wanted, ran = {name: variant for name, variant in variants.items() if can_run(variant, machine)}, {key[1] for key in there if key[0] == step}
    if wanted and not ran:
        yield "it is missing: ./run_all.sh measures it"
        return
    for name, variant in sorted(wanted.items()):
        if name not in ran:
            if not variant["asks_room"]:  # where it asks, there may be none
                yield f"no variant {name}"
            continue
        for row, sizes in wanted_runs(variant, machine).items():
            timed = there.get((step, name, row))
            yield from [f"no variant {label(name, row)}"] if timed is None else [f"{label(name, row)} was not timed at n = {n}" for n in sizes if n not in timed]


def read_parts(folder):
    """(the lines of parts.csv, what is wrong with it): which files were measured when, and with which kernels."""
    path = os.path.join(folder, "parts.csv")
    if not os.path.exists(path):
        return [], []  # on the simulator, or on several GPUs
    (header, *lines), faults = read_table(path)
    if faults or header != list(PARTS):
        return [], [f"parts.csv: {(faults or ['its columns are not ' + ', '.join(PARTS)])[0]}"]
    lines = [dict(zip(PARTS, line)) for line in lines]
    listed, files = {name for line in lines for name in line["files"].split()}, {name for name in entries(folder)[0] if name.endswith(".csv") and not name.startswith("experiments/")} - {"parts.csv"}
    return lines, [f"parts.csv lists {shown(name)}, which is missing" for name in sorted(listed) if not os.path.exists(os.path.join(folder, name))] + [
        f"{shown(name)}: parts.csv does not list it: measure it again, or delete it" for name in sorted(files - listed)]


def of_other_kernels(lines):
    """What is to be measured again before the folder is of one state of the kernels: that of most of its parts."""
    states = [line["kernels"] for line in lines]
    most = max(states, key=states.count, default="")
    others = [line["part"] for line in lines if line["kernels"] != most]
    return [f"measured with other kernels than the rest: {', '.join(others)}: make results RESULTS={{}} measures them again"] if others else []


def check_others(folder):
    """The files of other commands: tables of as many fields in each line, and of nothing that could be obeyed where it is shown."""
    files, faults = entries(folder)
    yield from (f"{shown(name)} {why}" for name, why in sorted(faults.items()) if name != RUNS)
    for name in files:
        if not name.endswith(".csv") or name == RUNS:
            continue
        if re.fullmatch(r"(\d\d_|toolbox/)[^/]*\.csv", name):
            yield OLDER.format(f"{name} beside {RUNS}")
        lines, faults = read_table(os.path.join(folder, name))
        yield from (f"{name}: {why}" for why in faults)
        yield from (f"{name}: line {number}: a field holds other than letters, digits, blanks and _.+@()<>&:,-: {shown(field)}"
                    for number, fields in enumerate(lines, 1) for field in fields if not OTHER_TEXT.fullmatch(field))
    for name in files:
        if not name.endswith(".json") or name == "machine.json":
            continue
        facts, why = read_json(os.path.join(folder, name))
        wrong = [why] if why else [machine_fault(key, value) if key in MACHINE else None if OTHER_TEXT.fullmatch(f"{key}{value}")
                                   else f"{shown(key)} holds other than letters, digits, blanks and _.+@()<>&:,-"
                                   for key, value in facts.items()]
        yield from (f"{name}: {why}" for why in wrong if why)


def check(folder):
    """(everything that is wrong, what the sources have besides what it holds: a line each)"""
    try:
        machine, wrong = check_machine(os.path.join(folder, "machine.json"))
        programs = read_programs(folder)
        wrong += check_runs(folder, programs, machine)
    except Problem as problem:
        return [str(problem)], []
    recorded = {variant for variants in programs.values() for variant in variants}
    newer = [f"not measured yet: {', '.join(names)} of {step}: {tree.measuring(machine, os.path.normpath(folder))}"
             for step, names in tree.not_measured(ROOT, recorded, machine).items()]
    lines, of_parts = read_parts(folder)
    return wrong + of_parts + list(check_others(folder)), newer + [line.format(os.path.normpath(folder)) for line in of_other_kernels(lines)]


def main(arguments):
    if len(arguments) != 1 or not os.path.isdir(arguments[0]):
        print("usage: tools/measure/check_results.py FOLDER, as in tools/measure/check_results.py results/h200", file=sys.stderr)
        return 2
    wrong, newer = check(arguments[0])
    for why in wrong[:MOST_SAID] + ([f"and {len(wrong) - MOST_SAID} more"] if len(wrong) > MOST_SAID else []):
        print(f"check_results.py: {os.path.normpath(arguments[0])}: {why}", file=sys.stderr)
    for line in newer + ["whole and consistent"] * (not wrong):
        print(f"{os.path.normpath(arguments[0])}: {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    run(main)
