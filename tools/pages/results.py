"""results.py: reads results/, for whatever writes or checks something with the numbers recorded there."""
import functools
import glob
import os
import re

import schema
import tree
from page_markdown import REPOSITORY, Problem, elements, escaped, ratio, size_name

LADDER_SIZES = ("1M", "16M", "256M")
LESSON_SIZES = ("64K", "1M", "16M", "256M")
STEP_SIZES = ("1K", "64K", "1M", "16M", "256M", "2G")
RUNS = "runs.csv"  # what ./run_all.sh wrote: the ladder, then the toolbox
OLDER = " is of an older layout: measure again with ./run_all.sh"
ON_THE_LADDER = ("sum", "roof")  # tasks; every other is one of the toolbox

root, below = REPOSITORY, None  # below: the folder of folders of results, if it is not root/results
caches = []  # of what was read below it


def cached(function):
    """Remembers what it returns, until another root is used."""
    caches.append(functools.cache(function))
    return caches[-1]


def use_root(folder, others=None):
    """From now on, read FOLDER/results, or these others."""
    global root, below
    root, below = folder, others
    for function in caches:
        function.cache_clear()


def path_of(*names):
    return os.path.join(below or os.path.join(root, "results"), *names)


def read_csv(path):
    """The rows of a run, by column; numbers are floats, what was not measured is None."""
    rows, faults = schema.read_run(path)
    if faults:
        name = os.path.relpath(path, root)
        raise Problem(name + OLDER if faults[0] == "line 1: the header has no column task" else f"{name}: {faults[0]}")
    return rows


def label(row):
    """The variant; NAME@1K if it works on rows, here of so many floats."""
    return row["variant"] + (f"@{size_name(row['row'])}" if row.get("row") else "")


# Counts of the simulator: columns of the CSV, per how many elements, what to call them.
COUNTS = {
    "requests": (("gld_requests", "gst_requests"), 32, "requests / 32"),
    "sectors": (("gld_sectors", "gst_sectors"), 32, "sectors / 32"),
    "wavefronts": (("shared_ld_wavefronts", "shared_st_wavefronts"), 1024, "shared wavefronts / 1K"),
    "barrier_count": (("barriers",), 1024, "barriers / 1K"),
    "shuffle_count": (("shuffles",), 1024, "shuffles / 1K"),
    "atomic_count": (("atomics",), 1024, "atomics / 1K"),
}


class Results:
    """One folder of results/."""

    def __init__(self, folder):
        self.rows = read_csv(path_of(folder, RUNS)) if os.path.exists(path_of(folder, RUNS)) else []
        if not self.rows:
            raise Problem(f"results/{folder} holds no results; ./run_all.sh makes them")
        self.folder, self.machine = folder, about(folder, "machine.json")
        self.index = {}
        for row in self.rows:
            graph = row["launch"] == "graph"
            if row["cache"] != ("cold" if graph else "warm"):
                self.index.setdefault((label(row), row["n"], graph), row)
        self.step_of = {label(row): row["step"] for row in self.rows}

    def steps(self):
        """(step, variant), each once: the ladder and the toolbox, then what they are compared with."""
        return sorted(dict.fromkeys((row["step"], label(row)) for row in self.rows), key=lambda pair: pair[0] == "00_baselines")

    def sums(self):
        """Those of the ladder."""
        others = {label(row) for row in self.rows if row["task"] not in ON_THE_LADDER}
        return [pair for pair in self.steps() if pair[1] not in others]

    def row(self, variant, n, graph=False):
        """The row of a variant at n elements, launched alone or in a graph; or None. NAME@1K: in rows of so many."""
        return self.index.get((variant, elements(n), graph))

    def get(self, variant, n, column):
        """A number, or None where it was not measured."""
        if column in DERIVED:
            return DERIVED[column](self, variant, n)
        return (self.row(variant, n) or {}).get(column)


def percentage(part, whole):
    share = ratio(part, whole)
    return None if share is None else 100 * share


def counted(run, variant, n, names, per):
    row = run.row(variant, n) or {}
    parts = [row.get(name) for name in names]
    return per * sum(parts) / row["n"] if None not in parts and n else None


DERIVED = {
    "graph_us": lambda run, variant, n: (run.row(variant, n, graph=True) or {}).get("median_us"),
    "speedup": lambda run, variant, n: ratio(run.get("v0", n, "median_us"), run.get(variant, n, "median_us")),
    "error_percent": lambda run, variant, n: percentage(run.get(variant, n, "rel_err"), run.get(variant, n, "err_bound")),
    "theory_pct": lambda run, variant, n: percentage(run.get(variant, n, "gbps"), run.machine.get("theoretical_gbps")),
    **{column: functools.partial(counted, names=names, per=per) for column, (names, per, _) in COUNTS.items()},
}


def check_folder(folder):
    if not re.fullmatch(r"\w[\w.-]*", folder) or not os.path.isdir(path_of(folder)):
        raise Problem(f"no folder results/{folder}; ./run_all.sh makes it")
    return folder


@cached
def in_folder(folder):
    return Results(check_folder(folder))


def split(names, there):
    """Of these variants those that are there, and those that are not: not measured yet, as the page then says."""
    return [name for name in names if name in there], [name for name in names if name not in there]


@cached
def not_measured(folder):
    """{step: variants that the sources have, and a folder of results does not yet, nor one that holds their step alone}"""
    run, names = in_folder(folder), set(in_folder(folder).step_of)
    if run.machine.get("backend") != "sim":
        names.update(*(in_folder(there).step_of for there in run_folders() if holds_one_step(there)))
    return tree.not_measured(root, {name.partition("@")[0] for name in names}, run.machine)


def holds_one_step(folder):
    """False of one that cannot be read, too: pages about others do not fail for it."""
    return bool((schema.read_json(path_of(folder, "machine.json"))[0] or {}).get("only"))


def run_folders(file=RUNS):
    """The folders of results that hold runs of our programs, or another file."""
    return [os.path.basename(os.path.dirname(path)) for path in sorted(glob.glob(path_of("*", file)))]


def not_measured_lines():
    """A line for each folder and step: what came after it was measured, and what measures it. Of counts, one GPU's are enough."""
    lines = []
    for folder in run_folders():
        machine, of_step = in_folder(folder).machine, lambda names, step: f"{', '.join(names)} of {step}"
        lines += [f"not measured yet on {folder}: {of_step(names, step)}: {tree.measuring(machine, f'results/{folder}')}"
                  for step, names in not_measured(folder).items()]
        if os.path.exists(path_of(folder, "counters.csv")):
            simulated = machine.get("backend") == "sim"
            counted = {row["variant"] for there in run_folders("counters.csv") if (there == "sim") == simulated
                       for row in read_rows(there, "counters.csv", ("variant",))}
            how = "counted yet on sim: {}: make counters-sim COUNTERS=results/sim/counters.csv" if simulated else f"profiled yet on {folder}: {{}}: make counters"
            lines += ["not " + how.format(of_step(names, step)) for step, names in tree.not_measured(root, counted, machine, kernels=True).items()]
    return lines


@cached
def read_rows(folder, name, columns):
    """The rows of another CSV of the folder, its numbers still text; these columns are filled in."""
    path = f"results/{folder}/{name}"
    (header, *lines), faults = schema.read_table(path_of(folder, name))
    if faults:
        raise Problem(f"{path}: {faults[0]}")
    if not lines:
        raise Problem(f"{path} holds no rows")
    if "task" in columns and "task" not in header:
        raise Problem(path + OLDER)
    rows = [dict(zip(header, map(escaped, fields))) for fields in lines]
    for line, row in enumerate(rows, 2):
        if any(row.get(column) in (None, "") for column in columns):
            raise Problem(f"{path}: line {line}: a field of {', '.join(columns)} is missing")
    return rows


@cached
def about(folder, name):
    """What a JSON file beside a CSV says of where and when, its texts as Markdown takes them."""
    facts, why = schema.read_json(path_of(folder, name))
    for key, value in (facts or {}).items():
        why = why or (schema.machine_fault(key, value) if key in schema.MACHINE else None)
        why = why or (f"{key} is neither text nor number" if isinstance(value, (dict, list)) else None)
    if why:
        raise Problem(f"results/{folder}/{name} {why}")
    return {key: escaped(value) if isinstance(value, str) else value for key, value in facts.items()}


def of_results(make):
    """make(), whose stumbling over results that lack something, or hold another kind of thing, is a Problem."""
    def made(what, *rest):
        try:
            return make(what, *rest)
        except (ArithmeticError, LookupError, RuntimeError, TypeError, ValueError) as error:
            what = what if isinstance(what, str) else " ".join(what)
            raise Problem(f"{what}: its results lack something, or hold another kind of thing ({error!r})")
    return made


def part(folder, name):
    """When and at which commit a part was measured, where it is not that of the whole folder."""
    lines = [line for line in read_rows(folder, "parts.csv", ("part", "commit", "date")) if line["part"] == name] if name else [{}]
    if not lines:
        raise Problem(f"results/{folder}/parts.csv has no part {name}")
    return {key: lines[0][key] for key in ("commit", "date") if key in lines[0]}


def date_and_commit(facts):
    return f"{str(facts.get('date'))[:10]}, commit {facts.get('commit')}"


# A fact of a JSON file -> what stands before it in a line that says where numbers come from.
NAMED = {"nvidia_driver": "driver", "runtime": "CUDA", "cccl": "CUB of CCCL", "newer_cccl": "newer CUB of CCCL", "torch": "PyTorch", "nccl": "NCCL",
         "ncu": "Nsight Compute"}


def version(number):
    """3005000 -> 3.5.0; another text as it is"""
    text = str(number or "")
    return f"{int(text) // 10**6}.{int(text) // 1000 % 1000}.{int(text) % 1000}" if text.isdigit() else text


def measured_on(facts, *wanted, gpu=None):
    """One line: where these numbers come from, as far as it is known."""
    values = [(NAMED[key], version(facts[key]) if key == "newer_cccl" else facts[key]) for key in wanted if facts.get(key)]
    return f"Measured on {gpu or 'an ' + str(facts.get('gpu'))}: {', '.join(f'{name} {value}' for name, value in values)}; {date_and_commit(facts)}."
