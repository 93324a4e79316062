#!/usr/bin/env python3
"""tools/measure/check.py FOLDER: is this a whole and consistent folder of results?

It must hold the CSV of every step that results/h200 has, with the same variants at the
sizes of the notes (what this kind of GPU cannot run may be missing); every answer must be right, every time in order, the bandwidths those of the times and within what
the memory delivers, and machine.json must say where the numbers come from. What is wrong
is listed, a line each.

Exit status: 0 nothing is wrong, 1 something is, 2 usage.
"""
import csv
import glob
import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "plots"))
import notes
from notes import LADDER_SIZES, elements, label, size_name

PROVENANCE = {
    "sim": ("backend", "gpu", "compute_capability", "sm_count", "host_compiler", "kernel_compiler", "commit", "date"),
    "cuda": ("backend", "gpu", "compute_capability", "driver", "runtime", "nvidia_driver", "sm_count", "l2_bytes",
             "memory_bytes", "theoretical_gbps", "read_gbps", "copy_gbps", "cpu", "host_compiler",
             "kernel_compiler", "commit", "processes", "date"),
}
MOST_SAID = 20
# What needs a compute capability: steps and variants whose names begin so. Older GPUs skip them, or parts.
NEEDS = {"10_clusters": (9, 0), "softmax_cluster": (9, 0), "redux": (8, 0)}


def check_machine(path):
    """machine.json, or None, and what is wrong with it."""
    try:
        with open(path) as file:
            machine = json.load(file)
    except (OSError, ValueError) as error:
        return None, [f"machine.json cannot be read: {error}"]
    backend = machine.get("backend")
    if backend not in PROVENANCE:
        return None, [f"machine.json: backend is {backend}, not cuda or sim"]
    wrong = [f"machine.json does not tell {key}" for key in PROVENANCE[backend] if machine.get(key) in (None, "", "unknown")]
    if "+changes" in str(machine.get("commit")):
        wrong.append(f"machine.json: commit {machine['commit']}: measured with changes that nobody else has; "
                     "commit them, then measure again")
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", str(machine.get("date"))):
        wrong.append(f"machine.json: date is {machine.get('date')}, not as in 2026-01-31T12:00:00Z")
    return machine, wrong


def check_row(row, machine, summed):
    """What is wrong with one line of a CSV; summed: some variants only move the bytes."""
    if row["ok"] == 0:
        yield "the sum is wrong"
    elif row["ok"] != 1 and summed:
        yield "the sum was not checked"
    if row["variant"] in specimens():
        yield "a specimen that is wrong on purpose is no result"
    if row["backend"] == "sim" and row["median_us"] is not None:
        yield "a time on the simulator, which has none"
    if row["backend"] == "cuda" and row["device"] != machine["gpu"]:
        yield f"measured on {row['device']}, but machine.json is of {machine['gpu']}"
    if row["backend"] == "sim" or machine["backend"] == "sim":
        return
    if row["median_us"] is None:
        yield "no time"
        return
    if not 0 < row["min_us"] <= row["median_us"] <= row["p90_us"]:
        yield f"min {row['min_us']}, median {row['median_us']}, p90 {row['p90_us']} µs: not in order"
    bytes_moved = row.get("bytes") or row["n"] * (8 if row["variant"] == "copy" else 4)  # older files do not tell
    gbps = bytes_moved / row["median_us"] / 1e3 if row["median_us"] else 0
    if row["gbps"] is not None and abs(row["gbps"] - gbps) > 0.02 * gbps + 0.01:
        yield f"{row['gbps']} GB/s, but {row['median_us']} µs make {gbps:.4g}"
    theory = machine.get("theoretical_gbps")
    if theory and row["cache"] == "cold" and bytes_moved > 4 * (machine.get("l2_bytes") or 0) and gbps > 1.02 * theory:
        yield f"{gbps:.4g} GB/s, more than the memory delivers ({theory:.4g}): was the cache emptied?"


def specimens(cache=[]):
    """The variants that the steps' programs mark as SPECIMEN."""
    for path in glob.glob(os.path.join(ROOT, "steps", "*", "*.cu")) if not cache else ():
        with open(path) as file:
            entries = re.split(r'(?:[{(]|\.name =)\s*"(\w+)",', re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S))
        cache += [name for name, entry in zip(entries[1::2], entries[2::2]) if re.search(r"\bSPECIMEN\b", entry)]
    return cache


def can_run(name, machine):
    """Whether this GPU is new enough for a step or a variant."""
    capability = tuple(int(part) for part in re.findall(r"\d+", str(machine.get("compute_capability"))))
    return machine["backend"] == "sim" or all(capability >= least for what, least in NEEDS.items() if name.startswith(what))


def check_step(folder, step, machine):
    """What is wrong with the CSV of one step."""
    name, backend = step + ".csv", machine["backend"]
    all_of_it = can_run(step, machine)
    if not os.path.exists(os.path.join(folder, name)) and not all_of_it:
        return []
    try:
        rows = notes.read_csv(os.path.join(folder, name))
    except OSError:
        return [f"{name} is missing: ./run_all.sh writes it"]
    except notes.Problem as problem:
        return [name + ": " + str(problem).split(".csv: ", 1)[-1]]
    known = reference(step, backend)
    moving = {variant for variant in {row["variant"] for row in known}
              if all(row["ok"] is None for row in known if row["variant"] == variant)}
    wrong = [f"{name}: {label(row)} at n = {size_name(row['n'])}: {why}" for row in rows
             for why in check_row(row, machine, row["variant"] not in moving)]
    have = timed_sizes(rows, backend)
    for variant, sizes in sorted(timed_sizes(known, backend).items()) if all_of_it else ():
        if variant not in have and not can_run(variant, machine):
            continue
        if variant not in have:
            wrong.append(f"{name}: no variant {variant}")
            continue
        for size in LADDER_SIZES if backend == "cuda" else ():
            fits = 8 * elements(size) + (512 << 20) <= machine.get("memory_bytes", 0)
            if elements(size) in sizes - have[variant] and fits:
                wrong.append(f"{name}: {variant} was not timed at n = {size}")
    return wrong


def reference(step, backend):
    """The rows of the folder that is in the repository: the GPU's, or the simulator's."""
    path = os.path.join(ROOT, "results", "sim" if backend == "sim" else "h200", step + ".csv")
    return notes.read_csv(path) if os.path.exists(path) else []


def timed_sizes(rows, backend):
    """variant, in rows of so many -> the n at which it was launched alone"""
    sizes = {}
    for row in rows:
        if row["backend"] == backend and row["launch"] != "graph":
            sizes.setdefault(label(row), set()).add(row["n"])
    return sizes


def check_counters(folder, machine):
    """A GPU's counters.csv needs ncu, so a folder may do without."""
    if machine["backend"] == "sim" or not os.path.exists(os.path.join(folder, "counters.csv")):
        return []
    try:
        with open(os.path.join(folder, "counters.json")) as file:
            about = json.load(file)
        with open(os.path.join(folder, "counters.csv"), newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, ValueError) as error:
        return [f"counters.csv: {error}; make counters writes it and counters.json"]
    wrong = []
    if about.get("gpu") != machine["gpu"]:
        wrong.append(f"counters.json is of {about.get('gpu')}, machine.json of {machine['gpu']}")
    steps = {row.get("step") for row in rows}
    return wrong + [f"counters.csv holds nothing of {step}" for step in steps_in("h200")
                    if "01" <= step[:2] <= "07" and step not in steps]


def steps_in(name):
    return sorted(os.path.basename(path)[:-4] for path in glob.glob(os.path.join(ROOT, "results", name, "[0-9][0-9]_*.csv")))


def check(folder):
    """Everything that is wrong."""
    machine, wrong = check_machine(os.path.join(folder, "machine.json"))
    if machine is None:
        return wrong
    for step in steps_in("h200" if machine["backend"] == "cuda" else "sim"):
        wrong += check_step(folder, step, machine)
    return wrong + check_counters(folder, machine)


def main(arguments):
    if len(arguments) != 1 or not os.path.isdir(arguments[0]):
        print("usage: tools/measure/check.py FOLDER, as in tools/measure/check.py results/h200", file=sys.stderr)
        return 2
    wrong = check(arguments[0])
    for why in wrong[:MOST_SAID] + ([f"and {len(wrong) - MOST_SAID} more"] if len(wrong) > MOST_SAID else []):
        print(f"check.py: {os.path.normpath(arguments[0])}: {why}", file=sys.stderr)
    if not wrong:
        print(f"{os.path.normpath(arguments[0])}: whole and consistent")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
