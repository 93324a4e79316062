#!/usr/bin/env python3
"""notes.py [--check] [--root FOLDER]: writes the numbers of the notes from results/.

In README.md, steps/*/*.md and docs/*.md it replaces what stands between
    <!-- table: NAME FOLDER -->     and the next <!-- end -->, with a table, and
    <!-- value: FOLDER VARIANT SIZE COLUMN -->  and the next <!-- end -->, with a number,
made from results/FOLDER. The tables (VARIANTS: names with commas between):
    ladder FOLDER           all steps: times, bandwidth, speedup over v0
    step:05_warp_shuffle FOLDER   one step in full; counts if FOLDER is the simulator's
    sizes:VARIANTS FOLDER   one row each: times at four sizes, speedup over the first named
    toolbox:VARIANTS FOLDER the same of the toolbox: three sizes, time over the first named; NAME@1K: in rows of 1K
    work FOLDER             what the simulator counted
    machine FOLDER          one line: where the numbers come from
    profiled FOLDER         one line: where counters.csv comes from
    counter:COLUMN FOLDER   one line: a GPU's own counter, in the first launch of v0, v1 and v2
    beside:sim FOLDER       a GPU's counters and those of results/sim, all launches of a sum
    why:VARIANTS FOLDER     the same with every counter, one column for each variant (in rows of 1K floats);
                            why:VARIANTS@20000 at another n that was profiled
    beside:published:VARIANTS FOLDER   source 001's GTX 1060 and the GPU of FOLDER
    nvprof:VARIANTS FOLDER  source 001's nvprof counters, and their successors today
    shuffles:THREADS published   what source 004's threads read
    passes FOLDER           steps 01 to 04: the first launch of a sum, and those that finish it
    noise FOLDER            one line: how far two whole runs were apart
    files simulator       the simulator's files, their lines, and the first words of each
    depths FOLDER           the depth of each variant's tree of additions
    errors FOLDER           the measured error of each variant, in units of 2^-24
    experiment:NAME FOLDER  what tools/measure/experiments.py found; a line that says so while it has not
                            run. NAME: unrolled, finishes, grid_sync, little, in_flight, exchange, levels,
                            cold_warm, bytes, reproducible, machine, or specimen:WORD, a session of errata.txt.
                            NAME:ROWS takes these rows only, by their first cells; of exchange by the CSV's operation
    launched:VARIANTS FOLDER   one row each: alone with a cold L2 cache, and in a graph with a warm one
    flight, tiles FOLDER    sweep.csv: bandwidth by bytes in flight on each SM, by bytes of a block
    tune FOLDER             tune.csv: the best time of each kind of plan, and of the one chosen
    profile FOLDER          profile.csv: step 11's kernel, CUB's and a plain read alone (tools/measure/profile.sh)
    draws FOLDER            errors.csv: errors of several draws of numbers (tools/measure/errors.sh)
    targets, ratios, rivals, awkward, sum_errors FOLDER   compare.csv: sum_f32() over CUB, beside what
                            was aimed at; every power of two; the other rivals; other sizes; errors
    compared FOLDER         one line: where those come from
    trial:NAME FOLDER       trials/NAME.csv: 8_look_back, 9_match (its README.md says what was tried)
    softmax FOLDER          softmax.csv, softmax_torch.csv: the toolbox's softmax and PyTorch's, a line for each length of a
                            row; softmax:1M at another n; softmaxed, one line: where those come from
COLUMN is a column of the CSV (cold and launched alone), graph_us (in a CUDA graph),
error_percent (of its bound), theory_pct (of the theoretical bandwidth), life_us (how long a block lives),
issue_us (to issue its instructions, as many a warp as at the size that was profiled) row_ns (for each 32 floats) or speedup (over v0).
NAME@8K is a variant in rows of 8K floats. Other values:
    value: FOLDER machine KEY             of machine.json; KEY KiB, MiB or GiB: bytes in that unit
    value: FOLDER counter VARIANT COLUMN  of counters.csv, first launch, n = 64K
    value: FOLDER launch VARIANT SIZE first   or rest: µs of the first launch or of the others;
             life: µs that one of its blocks lives; issue: µs that it needs to issue its instructions
    value: FOLDER sweep KEY               latency_ns, predicted_kb, measured_kb (the knees), flight, tile (the
             best of each), gain_pct (of tile over flight); flight:KB, least:KB, law:KB, tile:KB, blocks:KB (begun in a µs)
    value: FOLDER compare SIZE CACHE LAUNCH RIVAL COLUMN   of compare.csv, or gbps, theory_pct (ours)
    value: FOLDER softmax VARIANT ROW SIZE COLUMN   of those; VARIANT: warp, warp_shared, block, cluster, torch, or best (the
             fastest of ours); COLUMN: median_us, gbps, pct_roof (of our plain copy, for PyTorch, too) or
             block_ns, the time over the number of blocks (not for torch)
    value: FOLDER trial LOG2_N CACHE WAY  the best time of trials/*.csv; WAY: KIND+OVERLAP, then @TOKEN
             for each word of THREADSxLOADS and shape that it must have; A/B and A-B are of one file
    value: FOLDER trial 9_match VARIANT SIZE PATTERN COLUMN   of trials/9_match.csv; COLUMN: us or row_ns
    value: FOLDER experiment NAME ...     of results/FOLDER/experiments, where NAME ... is
             unrolled, finishes or little VARIANT SIZE COLUMN; COLUMN may be life_us, how long
             one of its blocks lives; cold_warm cold SIZE COLUMN, or warm
             grid_sync WHAT THREADS BLOCKS; WHAT: barrier, launch, graph_barrier, graph_launch, in µs
             in_flight WHAT KIB; WHAT: least, most (GB/s), least_ns, most_ns (by Little's law)
             exchange OPERATION latency, or rate (exchange.csv and votes.csv)
             levels LEVEL COLUMN; LEVEL: shared, l1, l2 or memory; COLUMN: cycles, ns or gbps
             bytes VARIANT COLUMN; COLUMN may be gld_gbps
    value: published VARIANT QUANTITY     of results/published
VARIANT, WHAT, OPERATION may be A/B, the ratio of two, or A-B, their difference.

--check writes nothing and lists what is out of date, with exit status 1.
"""
import csv
import glob
import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LADDER_SIZES = ("1M", "16M", "256M")
LESSON_SIZES = ("64K", "1M", "16M", "256M")
STEP_SIZES = ("1K", "64K", "1M", "16M", "256M", "2G")
NO_SUMS = "08"  # the step whose variants answer other questions: it is no part of the ladder
TEXT_COLUMNS = ("step", "variant", "backend", "device", "pattern", "cache", "launch")
COLUMNS = TEXT_COLUMNS + (
    "n", "block", "grid", "median_us", "min_us", "p90_us", "runs", "gbps", "pct_roof", "rel_err",
    "err_bound", "ok", "gld_requests", "gld_sectors", "gst_requests", "gst_sectors",
    "shared_ld_wavefronts", "shared_st_wavefronts", "atomics", "barriers", "shuffles",
    "simt_efficiency")


class Problem(Exception):
    """One line for the reader."""


# ---- reading results ----

def read_csv(path):
    """A list of rows by column; numbers are floats, what was not measured is None."""
    name = os.path.relpath(path, ROOT)
    with open(path, newline="") as file:
        lines = list(csv.reader(file))
    header = lines[0] if lines else []
    missing = [column for column in COLUMNS if column not in header]
    if missing:
        raise Problem(f"{name}: line 1: the header has no column {missing[0]}")
    rows = []
    for number, fields in enumerate(lines[1:], 2):
        if len(fields) != len(header):
            raise Problem(f"{name}: line {number}: {len(fields)} fields, the header has {len(header)}")
        row = dict(zip(header, fields))
        for column in header:
            if column not in TEXT_COLUMNS:
                try:
                    row[column] = float(row[column]) if row[column] else None
                except ValueError:
                    raise Problem(f"{name}: line {number}: {column} is not a number: {row[column]}")
        if row["n"] is None or row["variant"] == "":
            raise Problem(f"{name}: line {number}: variant or n is empty")
        rows.append(row)
    return rows


def label(row):
    """The variant; NAME@1K if it works on rows, here of so many floats."""
    return row["variant"] + (f"@{size_name(row['row'])}" if row.get("row") else "")


class Results:
    """One folder of results/."""

    def __init__(self, folder):
        path = os.path.join(ROOT, "results", folder)
        if not re.fullmatch(r"[\w.-]+", folder) or not os.path.isdir(path):
            raise Problem(f"no folder results/{folder}; ./run_all.sh makes it")
        self.rows = [row for file in sorted(glob.glob(path + "/[0-9][0-9]_*.csv"))
                     for row in read_csv(file)]
        if not self.rows:
            raise Problem(f"results/{folder} holds no results; ./run_all.sh makes them")
        try:
            with open(path + "/machine.json") as file:
                self.machine = json.load(file)
        except (OSError, ValueError) as error:
            raise Problem(f"results/{folder}/machine.json cannot be read: {error}")
        self.folder = folder

    def steps(self):
        """(step, variant), each once: the ladder, then what it is compared with."""
        pairs = dict.fromkeys((row["step"], label(row)) for row in self.rows)
        return sorted(pairs, key=lambda pair: pair[0] == "00_baselines")

    def sums(self):
        """Those of the steps that sum."""
        return [pair for pair in self.steps() if not pair[0].startswith(NO_SUMS)]

    def row(self, variant, n, graph=False):
        """The row of a variant at n elements, launched alone or in a graph; or None. NAME@1K: in rows of so many."""
        name, _, length = variant.partition("@")
        length = elements(length) if length else None
        for row in self.rows:
            if row["variant"] == name and row["n"] == n and row.get("row") == length \
                    and row["cache"] != ("cold" if graph else "warm") and (row["launch"] == "graph") == graph:
                return row
        return None

    def get(self, variant, n, column):
        """A number, or None where it was not measured."""
        if column == "graph_us":
            return (self.row(variant, n, graph=True) or {}).get("median_us")
        if column == "speedup":
            return ratio(self.get("v0", n, "median_us"), self.get(variant, n, "median_us"))
        if column == "life_us":  # of a block: as many at once as the SMs have room for, one after another
            row, sms = self.row(variant, n), self.machine.get("sm_count")
            return row and row["median_us"] * sms * (THREADS_OF_AN_SM // row["block"]) / row["grid"]
        if column == "row_ns":  # for each 32 floats
            time = self.get(variant, n, "median_us")
            return time and 1000 * time * 32 / n
        if column == "issue_us":  # of a kernel whose warps do the same whatever the n
            row = self.row(variant, n)
            return row and issue_us(float(first_launch(self.folder, variant, "inst_per_warp")) * row["grid"] * row["block"] / 32, self.machine)
        if column == "error_percent":
            share = ratio(self.get(variant, n, "rel_err"), self.get(variant, n, "err_bound"))
            return None if share is None else 100 * share
        if column == "theory_pct":
            share = ratio(self.get(variant, n, "gbps"), self.machine.get("theoretical_gbps"))
            return None if share is None else 100 * share
        if column in COUNTS:
            row, (names, elements, _) = self.row(variant, n) or {}, COUNTS[column]
            parts = [row.get(name) for name in names]
            return elements * sum(parts) / n if None not in parts and n else None
        return (self.row(variant, n) or {}).get(column)


def ratio(a, b):
    return a / b if a is not None and b else None


# Counts of the simulator: columns of the CSV, per how many elements, what to call them.
COUNTS = {
    "requests": (("gld_requests", "gst_requests"), 32, "requests / 32"),
    "sectors": (("gld_sectors", "gst_sectors"), 32, "sectors / 32"),
    "wavefronts": (("shared_ld_wavefronts", "shared_st_wavefronts"), 1024, "shared wavefronts / 1K"),
    "barrier_count": (("barriers",), 1024, "barriers / 1K"),
    "shuffle_count": (("shuffles",), 1024, "shuffles / 1K"),
    "atomic_count": (("atomics",), 1024, "atomics / 1K"),
}


# ---- writing numbers ----

def short(x):
    """Three significant digits, and all digits before the point: 0.123, 12.3, 1234."""
    if x is None:
        return "–"
    if x == 0:
        return "0"
    return f"{x:.0f}" if x >= 99.95 else f"{x:.1f}" if x >= 9.995 else f"{x:.2f}" if x >= 0.9995 else f"{x:.3g}"


def percent(x):
    return "–" if x is None else f"{x:.1f}"


def elements(text):
    """16M -> 16777216"""
    match = re.fullmatch(r"(\d+)([KMG]?)", text)
    if not match:
        raise Problem(f'"{text}" is not a size; write 1000, 64K, 16M or 1G')
    return int(match[1]) << {"": 0, "K": 10, "M": 20, "G": 30}[match[2]]


def size_name(n):
    for shift, letter in ((30, "G"), (20, "M"), (10, "K")):
        if n > 0 and n % (1 << shift) == 0:
            return f"{int(n) >> shift}{letter}"
    return str(int(n))


def table(header, rows, left):
    """A Markdown table; the first columns, left of them, are text."""
    lines = [header, [":--"] * left + ["--:"] * (len(header) - left)] + rows
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def link(step, page):
    target = os.path.relpath(os.path.join("steps", step, "README.md"), os.path.dirname(page) or ".")
    return f"[{step[:2]}]({target})"


# ---- the tables ----

def ladder(results, page):
    rows = []
    for step, variant in results.sums():
        if step == "00_baselines" and variant not in ("cub", "read"):
            continue

        def row_of(column):
            return [short(results.get(variant, elements(size), column)) for size in LADDER_SIZES]
        speedups = row_of("speedup")
        name = variant + (" (the roof)" if variant == "read" else "")
        rows.append([link(step, page), name] + row_of("median_us") + speedups + row_of("gbps")[-1:]
                    + [percent(results.get(variant, elements("256M"), "pct_roof"))])
    header = ["step", "variant"] + [f"{what} {size}" for what in ("µs", "×")
                                    for size in LADDER_SIZES] + ["GB/s 256M", "% of roof"]
    return table(header, rows, 2)


def counts(results, pairs, page):
    largest = max((row["n"] for row in results.rows if row["gld_requests"] is not None and (row["step"], label(row)) in pairs),
                  default=None)
    if largest is None:
        raise Problem(f"results/{results.folder} holds no counts; ./run_all.sh --sim makes them")
    rows = []
    for step, variant in pairs:
        if results.get(variant, largest, "requests") is None or variant == "copy":
            continue  # not counted: it runs on the CPU, or is no kernel
        efficiency = results.get(variant, largest, "simt_efficiency")
        rows.append([link(step, page), variant]
                    + [short(results.get(variant, largest, column)) for column in COUNTS]
                    + [percent(None if efficiency is None else 100 * efficiency)])
    if not rows:
        raise Problem(f"results/{results.folder} holds no counts of this step")
    header = ["step", f"variant, n = {size_name(largest)}"]
    return table(header + [what for _, _, what in COUNTS.values()] + ["SIMT efficiency, %"], rows, 2)


def step_table(results, step, page):
    pairs = [pair for pair in results.steps() if pair[0] == step]
    if not pairs:
        raise Problem(f"results/{results.folder} holds no step {step}")
    if results.machine.get("backend") == "sim":
        return counts(results, pairs, page)
    rows = []
    for _, variant in pairs:
        for size in STEP_SIZES:
            n = elements(size)
            if results.row(variant, n) is None:
                continue
            get = lambda column: results.get(variant, n, column)
            rows.append([variant, size, short(get("median_us")), short(get("gbps")), percent(get("pct_roof")),
                         short(get("graph_us")), short(get("error_percent"))])
    if not rows:
        raise Problem(f"results/{results.folder} holds none of the sizes {', '.join(STEP_SIZES)}")
    return table(["variant", "n", "µs", "GB/s", "% of roof", "µs in a graph", "error, % of its bound"], rows, 2)


def sizes(results, names, page):
    """One row for each variant; how many times as fast as the first named."""
    steps = {variant: step for step, variant in results.steps()}
    rows = []
    for variant in names:
        if variant not in steps and not variant_not_run(results.folder, variant):
            raise Problem(f"results/{results.folder} holds no variant {variant}")

        def get(size, column):
            return results.get(variant, elements(size), column)
        gain = ratio(results.get(names[0], elements("256M"), "median_us"), get("256M", "median_us"))
        rows.append([link(steps[variant], page) if variant in steps else "", variant]
                    + [short(get(size, "median_us")) for size in LESSON_SIZES]
                    + [short(get("256M", "gbps")), percent(get("256M", "pct_roof")), short(gain) + "×" * (gain is not None)])
    header = ["step", "variant"] + [f"µs at {size}" for size in LESSON_SIZES]
    return table(header + ["GB/s at 256M", "% of roof", f"speedup over {names[0]}"], rows, 2)


def toolbox(results, names):
    """One row for each variant of the toolbox; how many times as long as the first named."""
    there = {variant for _, variant in results.steps()}
    rows = []
    for name in names:
        if name not in there and not step_of(name):
            raise Problem(f"results/{results.folder} holds no variant {name}")
        times = [results.get(name, elements(size), "median_us") for size in LADDER_SIZES]
        share = ratio(times[-1], results.get(names[0], elements(LADDER_SIZES[-1]), "median_us"))
        rows.append([name] + [short(time) for time in times] + [short(results.get(name, elements("256M"), "gbps")),
                    percent(results.get(name, elements("256M"), "pct_roof")), short(share) + "×" * (share is not None)])
    if all(cell == "–" for row in rows for cell in row[1:4]):
        raise Problem(f"results/{results.folder} holds no times of {', '.join(names)}; name the rows as in softmax_warp@1K")
    return table(["variant"] + [f"µs at {size}" for size in LADDER_SIZES]
                 + ["GB/s at 256M", "% of roof", f"time over {names[0]}"], rows, 1)


def machine_line(results, page):
    def get(key):
        return results.machine.get(key) or "unknown"
    date, commit = str(get("date"))[:10], get("commit")
    if results.machine.get("backend") == "sim":
        return f"Counted on the {get('gpu')}, {date}, commit {commit}."
    roof = results.machine.get("read_gbps")
    theory = results.machine.get("theoretical_gbps")
    return (f"Measured on an {get('gpu')}: driver {get('nvidia_driver')}, CUDA {get('runtime')}, "
            f"CUB of CCCL {get('cccl')}; {date}, commit {commit}. "
            f"The roof, a plain read: {short(roof)} GB/s; in theory {short(theory)} GB/s.")


# ---- a GPU's own counters: results/FOLDER/counters.csv, which make counters writes ----

PROFILED_SIZE = 65536
PROFILED_BLOCKS = {65536: 256, 20000: 128}  # n: threads in a block
COMPARED = {"gld_requests": "load requests", "gld_sectors": "load sectors", "gst_requests": "store requests",
            "gst_sectors": "store sectors", "shared_ld_wavefronts": "shared load wavefronts",
            "shared_st_wavefronts": "shared store wavefronts"}


def profiled(folder, n=PROFILED_SIZE):
    """The launches at one size, and at the block that the notes speak of."""
    name = f"results/{folder}/counters.csv"
    try:
        with open(os.path.join(ROOT, name), newline="") as file:
            rows = list(csv.DictReader(file))
        chosen = [row for row in rows if (int(row["n"]), int(row["block"])) == (n, PROFILED_BLOCKS.get(n))]
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise Problem(f"{name} cannot be read ({error}); make counters writes it")
    if not chosen:
        raise Problem(f"{name} holds nothing for n = {n}; the notes know {list(PROFILED_BLOCKS)}")
    return chosen


def count_text(text):
    """24320 -> 24,320; 65.44 as it is."""
    return f"{int(text):,}" if re.fullmatch(r"\d+", text) else short(float(text)) if text else "–"


def first_launch(folder, variant, column, n=PROFILED_SIZE):
    """What a GPU counted in the first launch, as text."""
    row = next((row for row in profiled(folder, n) if row["variant"] == variant and row["pass"] == "1"), {})
    if not row.get(column):
        raise Problem(f"results/{folder}/counters.csv holds no {column} of {variant}")
    return row[column]


def counter_line(folder, column):
    values = []
    for variant in ("v0", "v1", "v2"):
        value = first_launch(folder, variant, column)
        share = column.endswith("efficiency") and column != "branch_efficiency"
        text = percent(100 * float(value)) if share else count_text(value)
        percents = " %" if column.endswith("efficiency") else ""
        values.append(f"{variant} {text}{percents}")
    return " · ".join(values)


def read_about(folder, name):
    """What a JSON file beside a CSV says of where and when."""
    path = f"results/{folder}/{name}"
    try:
        with open(os.path.join(ROOT, path)) as file:
            return json.load(file)
    except (OSError, ValueError) as error:
        raise Problem(f"{path} cannot be read: {error}")


def profiled_line(folder):
    about = read_about(folder, "counters.json")
    return (f"Profiled on an {about.get('gpu')} with Nsight Compute {about.get('ncu')}, "
            f"{str(about.get('date'))[:10]}, commit {about.get('commit')}.")


def beside(folder, other, page):
    """One number where both counted the same. A grid sized by the device differs: left out."""
    simulator = Results(other)
    sums = {}
    for row in profiled(folder):
        if row["step"].startswith(NO_SUMS):
            continue
        sums.setdefault((row["step"], row["variant"]), []).append(row)
    rows = []
    for (step, variant), launches in sums.items():
        simulated = simulator.row(variant, PROFILED_SIZE)
        if simulated is None or simulated["grid"] != float(launches[0]["grid"]):
            continue
        cells = []
        for column in COMPARED:
            gpu, sim = sum(int(row[column]) for row in launches), simulated[column]
            cells.append(f"{gpu:,}" if gpu == sim else f"{gpu:,} (simulator {short(sim)})")
        rows.append([link(step, page), variant] + cells)
    if not rows:
        raise Problem(f"results/{folder}/counters.csv and results/{other} have no variant in common")
    return table(["step", f"variant, n = {size_name(PROFILED_SIZE)}"] + list(COMPARED.values()), rows, 2)


# All launches of a sum: a column of both, and what a table calls it.
SUMMED = {**COMPARED, "barriers": "barriers", "shuffles": "shuffles and votes", "atomics": "atomics"}
# The first launch alone, as the GPU measured it: a mean cannot be added up.
MEANS = {"inst_per_warp": "instructions per warp", "simt_efficiency": "SIMT efficiency, %",
         "branch_efficiency": "branch efficiency, %"}


def as_blocks_count(row):
    """A GPU's launch with the simulator's names: it counts barriers once for each warp of a block,
    votes beside shuffles, and two kinds of atomics."""
    warps = -(-int(row.get("threads") or row["block"]) // 32)  # threads: of this launch
    return {**{column: int(row[column]) for column in COMPARED}, "barriers": int(row["barriers"]) // warps,
            "shuffles": int(row["shuffles"]) + int(row["votes"]), "atomics": int(row["atomics"]) + int(row["reductions"])}


def why(folder, arguments, page):
    """A counter in each row; GPU and simulator in one cell if they agree."""
    names, _, size = arguments.partition("@")
    n = int(size or PROFILED_SIZE)
    there = {row["variant"] for row in profiled(folder, n)}
    if any(variant not in there and step_of(variant) for variant in names.split(",")):
        return f"*Not profiled yet: `make counters`, on a GPU, writes results/{folder}/counters.csv.*"
    recorded = {(row["variant"], int(row["n"])): row for row in
                read_extra("sim", "counters.csv", ("variant", "n", "block", "simt_efficiency", *SUMMED))}
    columns = []
    for variant in names.split(","):
        launches = [row for row in profiled(folder, n) if row["variant"] == variant]
        sim = recorded.get((variant, n))
        if not launches or sim is None:
            raise Problem(f"results/{folder}/counters.csv or results/sim/counters.csv has no {variant} at n = {n}")
        counted = [as_blocks_count(row) for row in launches]
        cells = {"launches": str(len(launches))}
        for column in SUMMED:
            gpu, other = sum(row[column] for row in counted), int(sim[column])
            cells[column] = f"{gpu:,}" if gpu == other else f"{gpu:,} (simulator {other:,})"
        for column in MEANS:
            mean = launches[0][column] and float(launches[0][column]) * (100 if column == "simt_efficiency" else 1)
            if not mean and not int(launches[0].get("branches") or 0):
                mean = None  # without a branch there is no efficiency; with some it may be 0
            cells[column] = (short if column == "inst_per_warp" else percent)(mean)
        cells["simt_efficiency"] += f" (simulator {percent(100 * float(sim['simt_efficiency']))})"
        columns.append(cells)
    what = {"launches": "launches", **SUMMED, **MEANS}
    rows = [[what[column]] + [cells[column] for cells in columns] for column in what
            if column in ("launches", "gld_requests") or any(cells[column] not in ("0", "–") for cells in columns)]
    title = f"{'one run' if (step_of(names.split(',')[0]) or '').startswith(NO_SUMS) else 'one sum'}, n = {size_name(n) if n % 1024 == 0 else f'{n:,}'}, blocks of {PROFILED_BLOCKS[n]}"
    return table([title] + names.split(","), rows, 1)


# ---- results/published: figures that the source documents print ----

THEIR_SIZE = 1 << 25  # elements of source 001: see bytes below
OURS = {"v3": "v3x8"}  # source 001's name -> the variant here with as many elements for each block
NVPROF = {"inst_per_warp": "inst_per_warp", "gld_throughput": "gld_gbps", "branch_efficiency": "branch_efficiency",
          "branch": "branches", "divergent_branch": "divergent_branches"}  # its counter -> our column


def published():
    """(variant, quantity) -> its row."""
    columns = ("document", "section", "gpu", "variant", "quantity", "unit", "value")
    rows = read_extra("published", "figures.csv", columns)
    for line, row in enumerate(rows, 2):
        try:
            float(row["value"])
        except ValueError:
            raise Problem(f"results/published/figures.csv: line {line}: value is not a number: {row['value']}")
    return {(row["variant"], row["quantity"]): row for row in rows}


def printed(text):
    """A figure of a document, two digits behind the point: 26,214,400, 380.88, 100."""
    return f"{float(text):,.2f}".rstrip("0").rstrip(".")


def published_number(variant, quantity):
    """As printed, or our arithmetic on it."""
    def get(quantity, variant=variant):
        row = figures.get((variant, quantity))
        if row is None:
            raise Problem(f"results/published/figures.csv holds no {quantity} of {variant}")
        return float(row["value"])
    figures = published()
    if quantity == "bytes":  # what the printed bandwidth and time were made of
        return get("time") * get("bandwidth") * 1e6
    if quantity == "block_share":  # elements of a block: one partial sum for each block is written
        return THEIR_SIZE / ((published_number(variant, "bytes") - 4 * THEIR_SIZE) / 4)
    if quantity == "speedup":
        return get("time", "v0") / get("time")
    if quantity == "theory_share":
        return 100 * get("bandwidth") / get("theory", "gtx1060")
    if quantity == "million_elements":  # source 004: the bytes that share, theory and time make
        return get("share") / 100 * get("theory", "a30") * get("time") * 1e3 / 4 / 1e6
    return get(quantity)


def beside_published(names, folder):
    results, theory = Results(folder), Results(folder).machine.get("theoretical_gbps")
    rows = []
    for name in names:
        ours, n = OURS.get(name, name), elements("256M")
        theirs = {quantity: published_number(name, quantity) for quantity in
                  ("time", "bandwidth", "theory_share", "speedup")}
        gbps = results.get(ours, n, "gbps")
        share = ratio(gbps, theory)
        rows.append([name if ours == name else f"{name} (here {ours})", short(theirs["time"]), short(theirs["bandwidth"]),
                     percent(theirs["theory_share"]), short(theirs["speedup"]) + "×",
                     short(results.get(ours, n, "median_us")), short(gbps), percent(share and 100 * share),
                     short(results.get(ours, n, "speedup")) + "×"])
    gpu = str(results.machine.get("gpu")).replace("NVIDIA ", "")
    return table(["variant", "GTX 1060, 2^25: ms", "GB/s", "% of theory", "over v0",
                  f"{gpu}, 2^28: µs", "GB/s", "% of theory", "over v0"], rows, 1)


def nvprof(names, folder):
    figures = published()
    rows = []
    for quantity, column in NVPROF.items():
        cells = [printed(figures[name, quantity]["value"]) if (name, quantity) in figures else "–" for name in names]
        if set(cells) != {"–"}:
            rows.append([f"`{quantity}`"] + cells + [count_text(first_launch(folder, name, column)) for name in names])
    if not rows:
        raise Problem(f"results/published/figures.csv holds no counter of {', '.join(names)}")
    gpu = str(Results(folder).machine.get("gpu")).replace("NVIDIA ", "")
    return table(["nvprof's name"] + [f"{name}, GTX 1060" for name in names] + [f"{name}, {gpu}" for name in names], rows, 1)


def shuffles(threads):
    rows = [[row["thread"], row["value"], row["read"]] for row in
            read_extra("published", "shuffles.csv", ("threads", "thread", "value", "read")) if row["threads"] == threads]
    if not rows:
        raise Problem(f"results/published/shuffles.csv holds nothing of {threads} threads")
    return "\n".join("| " + " | ".join([what] + list(cells)) + " |" for what, cells in
                     [("thread", [row[0] for row in rows]), ("---", ["--:"] * len(rows)),
                      ("has", [row[1] for row in rows]), ("reads", [row[2] for row in rows])])


def read_extra(folder, name, columns):
    """The rows of another CSV of the folder, its numbers still text."""
    path = f"results/{folder}/{name}"
    try:
        with open(os.path.join(ROOT, path), newline="") as file:
            rows = list(csv.DictReader(file))
    except OSError as error:
        raise Problem(f"{path} cannot be read: {error}")
    for line, row in enumerate(rows, 2):
        if any(row.get(column) in (None, "") for column in columns):
            raise Problem(f"{path}: line {line}: a field of {', '.join(columns)} is missing")
    return rows


def pass_times(folder):
    """(step, kernel) -> size -> the first launch, which reads the array, and all that follow it, in µs."""
    sums = {}
    for row in read_extra(folder, "passes.csv", ("step", "kernel", "n", "pass", "duration_us")):
        times = sums.setdefault((row["step"], row["kernel"]), {}).setdefault(row["n"], [0.0, 0.0])
        times[int(row["pass"]) > 1] += float(row["duration_us"])
    return sums


def passes(folder, page):
    sums = pass_times(folder)
    folders = {os.path.basename(path)[:2]: os.path.basename(path) for path in glob.glob(f"{ROOT}/steps/*")}
    rows = [[link(folders[step], page), kernel] + [short(part) for size in LADDER_SIZES for part in of_size[size]]
            for (step, kernel), of_size in sums.items()]
    header = ["step", "kernel"] + [f"{what} {size}" for size in LADDER_SIZES for what in ("first, µs", "rest, µs")]
    return table(header, rows, 2)


THREADS_OF_AN_SM, ISSUED_A_CYCLE = 2048, 4  # of an H200


def issue_us(instructions, machine):
    """How long the SMs need to issue so many, if none ever waits."""
    return instructions / (machine["sm_count"] * ISSUED_A_CYCLE * machine["sm_clock_mhz"])


def of_launches(folder, variant, size, what):
    """What passes.csv says of a variant's launches, or our arithmetic on it."""
    kernel = first_launch(folder, variant, "kernel")
    times = {kernel: of_size for (_, kernel), of_size in pass_times(folder).items()}
    if kernel not in times or size not in times[kernel]:
        raise Problem(f"results/{folder}/passes.csv holds no {kernel} at {size}")
    first, rest = times[kernel][size]
    if what in ("first", "rest"):
        return first if what == "first" else rest
    machine, block = Results(folder).machine, PROFILED_BLOCKS[PROFILED_SIZE]
    grid = next(int(row["grid"]) for row in read_extra(folder, "passes.csv", ("kernel", "n", "pass", "grid"))
                if (row["kernel"], row["n"], row["pass"]) == (kernel, size, "1"))
    if what == "life":  # as many blocks at once as the SMs have room for, one after another
        return first * machine["sm_count"] * (THREADS_OF_AN_SM // block) / grid
    if what == "issue":
        instructions = float(first_launch(folder, variant, "inst_per_warp")) * grid * (block // 32)
        return issue_us(instructions, machine)
    raise Problem(f"a launch has no {what}; it has first, rest, life and issue")


def noise_line(folder):
    rows = [row for row in read_extra(folder, "noise.csv", ("n", "variant", "difference_pct"))
            if int(row["n"]) >= 1 << 20]
    worst = max(rows, key=lambda row: abs(float(row["difference_pct"])))
    return (f"Two whole runs, {len(rows)} times from 1M elements up: at most "
            f"{abs(float(worst['difference_pct'])):.1f} % apart ({worst['variant']}, {size_name(int(worst['n']))}).")


# ---- the simulator's files ----

# Those to read first, in this order; then the rest.
CORE = ("engine.h", "engine.c", "fibre.c", "access.c", "warp.c")
FILES = (("The core: read these first, in this order", lambda name: name in CORE),
         ("What else the engine does", lambda name: name.endswith((".c", ".h")) and "/" not in name and name != "rewrite.c"),
         ("From CUDA to C++", lambda name: name in ("simcc", "rewrite.c")),
         ("Headers that stand for CUDA's", lambda name: name.startswith("include/")))


def simulator_files(folder, page):
    files, rows, total = {}, [], 0
    for path in glob.glob(os.path.join(ROOT, folder, "**"), recursive=True):
        if path.endswith((".c", ".h", "/simcc")):
            with open(path) as file:
                files[os.path.relpath(path, os.path.join(ROOT, folder))] = file.read()
    if not set(CORE) <= set(files):
        raise Problem(f"{folder} holds no simulator")
    order = sorted(files, key=lambda name: (CORE.index(name) if name in CORE else len(CORE), name))
    for title, belongs in FILES:
        group = [name for name in order if belongs(name)]
        order = [name for name in order if name not in group]
        lines = [files[name].count("\n") for name in group]
        total += sum(lines)
        rows.append([f"**{title}**", "", f"**{sum(lines)}**"])
        for name, count in zip(group, lines):
            about = re.search(r"(?:\*|#) +[\w./]+: ((?:.|\n)+?)(?:[.:](?=\s)|\?| \*/)", files[name])
            if not about:
                raise Problem(f"{folder}/{name}: line 1: the first comment doesn't say what the file is")
            about = re.sub(r"\s*\n[ *#]*", " ", about[1])
            where = os.path.relpath(os.path.join(ROOT, folder, name), os.path.dirname(os.path.join(ROOT, page)))
            rows.append([f"[{name}]({where})", about, str(count)])
    if order:
        raise Problem(f"{folder}/{order[0]}: no group of files takes it")
    return table(["file", "what it does", "lines"], rows + [["**all**", "", f"**{total}**"]], 2)


# ---- accuracy ----

ERROR_SIZES = ("1K", "64K", "1M", "16M", "256M", "2G")
UNIT = 2.0 ** -24


def whole(x):
    """A count, of which the CSV has nine digits."""
    return "–" if x is None else f"{x:.0f}" if x < 1e6 else f"{x:.2g}".replace("e+0", "e")


def in_units(column, text):
    """A table of this column of every variant that sums, divided by 2^-24."""
    def make(results, page):
        rows = []
        for step, variant in results.sums():
            values = [results.get(variant, elements(size), column) for size in ERROR_SIZES]
            if any(value is not None for value in values):
                rows.append([link(step, page), variant] + [text(None if x is None else x / UNIT) for x in values])
        return table(["step", "variant"] + list(ERROR_SIZES), rows, 2)
    return make


# ---- experiments: results/FOLDER/experiments, which tools/measure/experiments.py writes ----

NOT_YET = "*Not measured yet: `make experiments`, on a GPU, writes results/{}/experiments.*"


def timed_rows(folder, name):
    """(variant, n, block, in a graph) -> its row, of an experiment that uses the driver."""
    rows = read_csv(os.path.join(ROOT, "results", folder, "experiments", name + ".csv"))
    return {(row["variant"], row["n"], row["block"], row["launch"] == "graph"): row for row in rows}


def of_timed(rows, variant, n, graph=False, column="median_us", block=256):
    return rows.get((variant, n, block, graph), {}).get(column)


def unrolled_table(folder):
    rows = timed_rows(folder, "unrolled")
    variants = dict.fromkeys(key[0] for key in rows)
    return table(["variant"] + [f"µs {size}" for size in LADDER_SIZES] + ["GB/s 256M"], [
        [variant] + [short(of_timed(rows, variant, elements(size))) for size in LADDER_SIZES]
        + [short(of_timed(rows, variant, elements("256M"), column="gbps"))] for variant in variants], 1)


def finishes_table(folder):
    rows = timed_rows(folder, "finishes")
    ways = [loop + "_" + finish for loop in ("narrow", "wide") for finish in ("atomic", "two_pass", "grid_sync")]
    lines = []
    for graph in (False, True):
        for n in sorted({key[1] for key in rows if key[3] == graph}):
            lines.append(["in a graph" if graph else "alone", size_name(n)]
                         + [short(of_timed(rows, way, n, graph)) for way in ways])
    return table(["launched", "n"] + [way.replace("_", " ", 1) for way in ways], lines, 2)


SIXTEEN_MORE = {"barrier": ("barriers_1", "barriers_17", False), "launch": ("launches_2", "launches_18", False),
                "graph_barrier": ("barriers_1", "barriers_17", True), "graph_launch": ("launches_2", "launches_18", True)}


def grid_sync_costs(folder):
    """(threads, blocks) -> what -> a sixteenth of the difference between a sum and one with sixteen more."""
    rows = timed_rows(folder, "grid_sync")
    costs = {}
    for n, block, grid in sorted({(key[1], key[2], row["grid"]) for key, row in rows.items()}, key=lambda k: (k[1], k[0])):
        def cost(few, many, graph):
            ends = [of_timed(rows, variant, n, graph, block=block) for variant in (few, many)]
            return None if None in ends else (ends[1] - ends[0]) / 16
        costs[int(block), int(grid)] = {what: cost(*runs) for what, runs in SIXTEEN_MORE.items()}
    return costs


def grid_sync_table(folder):
    return table(["threads", "blocks", "barrier, µs", "launch, µs", "barrier in a graph, µs", "launch in a graph, µs"],
                 [[str(block), str(grid)] + [short(value) for value in of_what.values()]
                  for (block, grid), of_what in grid_sync_costs(folder).items()], 0)


LOADS = {"f1": 4, "f2": 8, "f4": 16, "f8": 32, "v1": 16, "v2": 32, "v4": 64}  # bytes of a thread in flight


def little_table(folder):
    rows = timed_rows(folder, "little")
    n = max(key[1] for key in rows)
    return table([f"blocks per SM, GB/s, n = {size_name(n)}"]
                 + [f"{b // 4}×4 B" if kind[0] == "f" else f"{b // 16}×16 B" for kind, b in LOADS.items()],
                 [[str(blocks)] + [short(of_timed(rows, f"b{blocks}_{kind}", n, column="gbps")) for kind in LOADS]
                  for blocks in (1, 2, 4, 8)], 1)


def in_flight(folder):
    """KiB in flight on each SM -> the GB/s of the ways to have as many, and the latencies that
    follow by Little's law."""
    rows = timed_rows(folder, "little")
    n = max(key[1] for key in rows)
    sms = read_about(folder, "experiments/experiments.json").get("sm_count")
    ways = {}
    for variant in dict.fromkeys(key[0] for key in rows):
        blocks, kind = variant[1:].split("_")
        ways.setdefault(int(blocks) * 256 * LOADS[kind] // 1024, []).append(of_timed(rows, variant, n, column="gbps"))
    return {kib: {"ways": len(speeds), "least": min(speeds), "most": max(speeds),
                  "least_ns": kib * 1024 * float(sms) / min(speeds), "most_ns": kib * 1024 * float(sms) / max(speeds)}
            for kib, speeds in sorted(ways.items())}


def in_flight_table(folder):
    lines = []
    for kib, found in in_flight(folder).items():
        span = dict.fromkeys([short(found["least"]), short(found["most"])])
        lines.append([str(kib), str(found["ways"]), "–".join(span), short(found["most_ns"])])
    return table(["KiB in flight per SM", "ways", "GB/s", "ns, by Little's law"], lines, 0)


def cold_warm(folder):
    """(cold or warm, n) -> its row: one variant, with the L2 cache emptied before each run and without."""
    return {(row["cache"], row["n"]): row for row in
            read_csv(os.path.join(ROOT, "results", folder, "experiments", "cold_warm.csv")) if row["launch"] == "plain"}


def cold_warm_table(folder):
    times = {key: row["median_us"] for key, row in cold_warm(folder).items()}
    names = sorted({n for _, n in times})
    return table(["v6, n", "MB", "cold, µs", "warm, µs", "cold / warm"],
                 [[size_name(n), short(4e-6 * n), short(times.get(("cold", n))), short(times.get(("warm", n))),
                   short(ratio(times.get(("cold", n)), times.get(("warm", n))))] for n in names], 1)


OPERATIONS = {
    "add": "addition", "add_int": "addition of whole numbers",
    "shuffle": "shuffle", "broadcast": "shuffle that all lanes read from one, and an addition",
    "shuffle_index": "shuffle from the lane that the one before named",
    "shared": "store, `__syncwarp()`, load, `__syncwarp()`", "shared_barrier": "the same with `__syncthreads()`",
    "syncwarp": "`__syncwarp()` alone", "barrier": "`__syncthreads()` alone, a block of 1 warp",
    "barrier_8": "`__syncthreads()` alone, 8 warps", "barrier_32": "`__syncthreads()` alone, 32 warps",
    "any": "`__any_sync()`", "all": "`__all_sync()`", "ballot": "test of a bit, `__ballot_sync()`",
    "match_1": "`__match_any_sync()`, all lanes equal", "match_2": "`__match_any_sync()`, two values",
    "match_32": "`__match_any_sync()`, all lanes different",
    "reduce_add": "`__reduce_add_sync()`, and an addition", "reduce_max": "`__reduce_max_sync()`, and an addition",
    "sum_shuffles": "five shuffles with additions, and an addition",
    "atomic": "`atomicAdd()` in shared memory, each lane its word",
    "atomic_one": "`atomicAdd()` in shared memory, all lanes one word",
    "atomic_known": "the same, and the compiler knows it"}


def exchanges(folder):
    """(operation, latency or rate) -> a number: latency of a chain of one value, rate of 32 warps with
    four each. votes.csv came later than exchange.csv."""
    columns, rows = ("operation", "values", "cycles_a_round", "per_cycle"), []
    for name in ("exchange", "votes"):
        if name == "exchange" or os.path.exists(os.path.join(ROOT, "results", folder, "experiments", name + ".csv")):
            rows += read_extra(folder, f"experiments/{name}.csv", columns)
    return {(row["operation"], "latency" if row["values"] == "1" else "rate"):
            float(row["cycles_a_round" if row["values"] == "1" else "per_cycle"]) for row in rows}


def exchange_table(folder, chosen):
    """All that was measured, or those operations."""
    found = exchanges(folder)
    names = chosen.split(",") if chosen else [op for op in OPERATIONS if (op, "latency") in found]
    missing = [op for op in names if op not in OPERATIONS]
    if missing:
        raise Problem(f"experiment exchange has no operation {missing[0]}")
    return table(["operation of a warp", "latency, cycles", "rate, per SM and cycle"],
                 [[OPERATIONS[op], short(found.get((op, "latency"))), short(found.get((op, "rate")))] for op in names], 1)


LEVELS = {"registers": "registers, in each SM", "shared": "shared memory, in each SM", "l1": "L1 cache, in each SM",
          "l2": "L2 cache", "memory": "device memory"}


BYTE_UNITS = ("KiB", "MiB", "GiB")


def bytes_text(count):
    """233472 -> 228 KiB"""
    if not count:
        return "–"
    for unit in BYTE_UNITS:
        count /= 1024
        if count < 1024 or unit == "GiB":
            return f"{count:.3g} {unit}"


def levels(folder):
    """level -> its row, with cells that may be empty."""
    return {row["level"]: row for row in read_extra(folder, "experiments/levels.csv", ("level", "bytes", "count"))}


def levels_table(folder):
    rows = levels(folder)

    def number(level, column):
        return short(float(rows[level][column])) if rows[level].get(column) else "–"
    return table(["memory", "size", "latency, cycles", "latency, ns", "all SMs together, GB/s"],
                 [[what, bytes_text(float(rows[level]["bytes"]))] + [number(level, column) for column in ("cycles", "ns", "gbps")]
                  for level, what in LEVELS.items()], 1)


BYTES = {"load_mb": "MB, sectors of loads", "l2_mb": "MB through L2", "dram_read_mb": "MB read from memory",
         "dram_write_mb": "MB written to it", "instructions": "million instructions", "issue_pct": "issue slots used, %",
         "warps_pct": "places for warps used, %", "stalled_memory": "cycles an instruction waits for loads",
         "stalled_barrier": "for a barrier"}


def first_launches(folder):
    """variant -> column -> a number, of one size."""
    rows = read_extra(folder, "experiments/bytes.csv", ("variant", "n", "duration_us", *BYTES))
    launches = {}
    for row in rows:
        found = launches[row["variant"]] = {column: float(row[column]) for column in row
                                            if column not in ("program", "variant", "kernel") and row[column]}
        found["instructions"] /= 1e6
        found["gld_gbps"] = found["load_mb"] * 1e3 / found["duration_us"]
    return launches


def bytes_table(folder):
    launches = first_launches(folder)
    n = next(iter(launches.values()))["n"]
    return table([f"first launch, n = {size_name(n)}", "µs", "gld_throughput, GB/s"] + list(BYTES.values()),
                 [[variant] + [short(found[column]) for column in ("duration_us", "gld_gbps", *BYTES)]
                  for variant, found in launches.items()], 1)


def reproducible_table(folder, page):
    rows = read_extra(folder, "experiments/reproducible.csv", ("step", "variant", "n", "runs", "different"))
    return table(["step", f"variant, n = {size_name(int(rows[0]['n']))}", "runs", "different sums"],
                 [[link(row["step"], page), row["variant"], row["runs"], row["different"]] for row in rows], 2)


def specimen(folder, word):
    """One command of errata.txt and what it printed."""
    with open(os.path.join(ROOT, "results", folder, "experiments", "errata.txt")) as file:
        sessions = re.split(r"^(?=\$ )", file.read(), flags=re.M)
    for session in sessions:
        if word in re.findall(r"\w+", session.split("\n")[0]):
            return "```text\n" + session.strip() + "\n```"
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "results", "experiments.py")) as file:
        if re.search(rf"\b{re.escape(word)}\b", file.read()):
            return NOT_YET.format(folder)
    raise Problem(f"results/{folder}/experiments/errata.txt has no command with {word}")


def experiments_line(folder):
    about = read_about(folder, "experiments/experiments.json")
    return (f"Measured on an {about.get('gpu')}: driver {about.get('nvidia_driver')}, CUDA {about.get('runtime')}, "
            f"Nsight Compute {about.get('ncu')}; {str(about.get('date'))[:10]}, commit {about.get('commit')}.")


def experiment(folder, name, page):
    chosen = None
    if not name.startswith("specimen:"):
        name, _, chosen = name.partition(":")
    makers = {"unrolled": unrolled_table, "finishes": finishes_table, "grid_sync": grid_sync_table,
              "little": little_table, "in_flight": in_flight_table, "bytes": bytes_table,
              "levels": levels_table, "cold_warm": cold_warm_table, "exchange": lambda folder: exchange_table(folder, chosen),
              "reproducible": lambda folder: reproducible_table(folder, page), "machine": experiments_line}
    if name not in makers and not name.startswith("specimen:"):
        raise Problem(f"no experiment {name}; there are {', '.join(makers)}, specimen:WORD")
    if not os.path.isdir(os.path.join(ROOT, "results", folder)):
        raise Problem(f"no folder results/{folder}; ./run_all.sh makes it")
    results = os.path.join(ROOT, "results", folder, "experiments")
    if not os.path.isdir(results) or name == "levels" and not os.path.exists(results + "/levels.csv"):
        return NOT_YET.format(folder)
    try:
        made = specimen(folder, name[len("specimen:"):]) if name not in makers else makers[name](folder)
    except OSError as error:
        raise Problem(f"results/{folder}/experiments cannot be read: {error}")
    return only(made, chosen.split(","), name) if chosen and name != "exchange" else made


def only(made, first_cells, name):
    """Those rows of a table, in their order."""
    lines = {line.split(" | ")[0].strip("| "): line for line in made.split("\n")[2:]}
    missing = [cell for cell in first_cells if cell not in lines]
    if missing:
        raise Problem(f"experiment {name} has no row {missing[0]}")
    return "\n".join(made.split("\n")[:2] + [lines[cell] for cell in first_cells])


class Unmeasured(Exception):
    """It will be there when the experiment runs again."""


def experiment_value(folder, name, names, rest):
    """A number of an experiment, or two of them combined."""
    def timed(variant, size, column):
        rows, n = timed_rows(folder, name), elements(size)
        if column == "graph_us":
            return of_timed(rows, variant, n, graph=True)
        if column == "life_us":  # as many blocks at once as the SMs have room for, one after another
            sms = float(read_about(folder, "experiments/experiments.json")["sm_count"])
            time, grid, block = (of_timed(rows, variant, n, column=what) for what in ("median_us", "grid", "block"))
            return time * sms * (THREADS_OF_AN_SM // block) / grid
        return of_timed(rows, variant, n, column=column)
    getters = {
        "unrolled": timed, "finishes": timed, "little": timed,
        "cold_warm": lambda cache, size, column: cold_warm(folder)[cache, elements(size)][column],
        "grid_sync": lambda what, threads, blocks: grid_sync_costs(folder)[int(threads), int(blocks)][what],
        "in_flight": lambda what, kib: in_flight(folder)[int(kib)][what],
        "exchange": lambda operation, what: exchanges(folder)[operation, what],
        "bytes": lambda variant, column: first_launches(folder)[variant][column],
        "levels": lambda level, column: float(levels(folder)[level][column]),
    }
    if name not in getters:
        raise Problem(f"no values of experiment {name}; there are {', '.join(getters)}")

    def number(first):
        try:
            value = getters[name](first, *rest)
        except (KeyError, TypeError, ValueError):
            value = None
            if name == "exchange" and first in OPERATIONS and rest in (["latency"], ["rate"]):
                raise Unmeasured()
        except OSError as error:
            raise Problem(f"results/{folder}/experiments cannot be read: {error}")
        if not isinstance(value, float):
            raise Problem(f"results/{folder}/experiments has no {name} {' '.join([first, *rest])}")
        return value
    try:
        return short(combined(names, number))
    except Unmeasured:
        return UNMEASURED


# ---- steps 08 to 11: results/FOLDER/sweep.csv, tune.csv, compare.csv (tools/measure/compare.sh), trials ----

NOT_RUN = "*Not measured yet: `./run_all.sh`, on a GPU, writes results/{}/{}.csv.*"
NOT_COMPARED = "*Not measured yet: `make compare`, on a GPU, writes results/{}/{}.*"
UNMEASURED = "–"


def compared_rows(folder, name, columns):
    """The rows of one of those files, or None while there is none."""
    if not os.path.isdir(os.path.join(ROOT, "results", folder)):
        raise Problem(f"no folder results/{folder}; ./run_all.sh makes it")
    if not os.path.exists(os.path.join(ROOT, "results", folder, name)):
        return None
    rows = read_extra(folder, name, columns)
    if not rows:
        raise Problem(f"results/{folder}/{name} holds no rows")
    return rows


def step_not_run(folder, step):
    """A step of this repository that the folder's run did not have yet."""
    return os.path.isdir(os.path.join(ROOT, "steps", step)) \
        and not os.path.exists(os.path.join(ROOT, "results", folder, step + ".csv"))


def step_of(variant):
    """The step of this repository whose programs have a table of variants with this one, or None."""
    entry = re.compile(rf'(?:[{{(]|\.name =)\s*"{re.escape(variant.split("@")[0])}",')
    for path in glob.glob(os.path.join(ROOT, "steps", "*", "*.cu")):
        with open(path) as file:
            if entry.search(file.read()):
                return os.path.basename(os.path.dirname(path))
    return None


def variant_not_run(folder, variant):
    step = step_of(variant)
    return step is not None and step_not_run(folder, step)


def launched(results, names, page):
    """Times alone and in a graph; a variant that has not run yet has a row without them."""
    steps = {variant: step for step, variant in results.steps()}
    rows = []
    for variant in names:
        if variant not in steps and not variant_not_run(results.folder, variant):
            raise Problem(f"results/{results.folder} holds no variant {variant}")
        rows.append([link(steps[variant], page) if variant in steps else "", variant]
                    + [short(results.get(variant, elements(size), column)) for column, sizes in
                       (("median_us", LESSON_SIZES[:3]), ("graph_us", STEP_SIZES[:3])) for size in sizes])
    return table(["step", "variant"] + [f"alone, {size}" for size in LESSON_SIZES[:3]]
                 + [f"in a graph, {size}" for size in STEP_SIZES[:3]], rows, 2)


class Sweep:
    """What ./step08 --demo measured."""

    def __init__(self, folder, rows):
        self.sms = read_about(folder, "machine.json").get("sm_count")
        try:
            self.latency = next(float(row["us"]) for row in rows if row["question"] == "latency")
            self.flight, self.tile = ({}, {})  # bytes -> GB/s of each way
            for row in rows:
                if row["question"] != "latency":
                    ways, column = (self.flight, "bytes_in_flight") if row["question"] == "in_flight" else (self.tile, "bytes_per_block")
                    ways.setdefault(int(row[column]), []).append((float(row["gbps"]), row))
            self.best_flight, self.best_tile = (max(speed for ways in of.values() for speed, _ in ways)
                                                for of in (self.flight, self.tile))
        except (StopIteration, ValueError, TypeError) as error:
            raise Problem(f"results/{folder}/sweep.csv is not what ./step08 --demo prints: {error}")

    def law(self, count):
        """GB/s, by Little's law."""
        return count * self.sms / self.latency / 1e3

    def knee(self):
        """The least bytes in flight on an SM with which some way comes within 5 % of the best."""
        return min(count for count, ways in self.flight.items()
                   if max(speed for speed, _ in ways) >= 0.95 * self.best_flight)

    def value(self, key):
        word, _, kib = key.partition(":")
        at = int(kib) * 1024 if kib.isdigit() else None
        simple = {"latency_ns": 1e3 * self.latency, "predicted_kb": self.best_tile * 1e3 * self.latency / self.sms / 1024,
                  "measured_kb": self.knee() / 1024, "flight": self.best_flight, "tile": self.best_tile,
                  "gain_pct": 100 * (self.best_tile / self.best_flight - 1)}
        ways = (self.tile if word == "tile" else self.flight).get(at)
        if kib == "" and word in simple:
            return simple[word]
        if word == "law" and at:
            return self.law(at)
        if word == "blocks" and at in self.tile:  # in a microsecond, on the whole GPU
            return max(speed for speed, _ in self.tile[at]) * 1e3 / at
        if ways and word in ("flight", "tile", "least"):
            return (min if word == "least" else max)(speed for speed, _ in ways)
        raise Problem(f"the sweep has no {key}")


def sweep_of(folder):
    rows = compared_rows(folder, "sweep.csv", ("question", "threads", "loads", "bytes_in_flight", "us"))
    return rows and Sweep(folder, rows)


def flight_table(folder):
    sweep = sweep_of(folder)
    if sweep is None:
        return NOT_COMPARED.format(folder, "sweep.csv")
    rows = []
    for count, ways in sorted(sweep.flight.items()):
        speeds = [speed for speed, _ in ways]
        rows.append([str(count // 1024), str(len(ways)), "–".join(dict.fromkeys((short(min(speeds)), short(max(speeds))))),
                     percent(100 * max(speeds) / sweep.best_flight), short(min(sweep.law(count), sweep.best_tile)),
                     short(count * sweep.sms / max(speeds))])
    return table(["KiB in flight on each SM", "ways", "GB/s", "% of the best", "GB/s, by Little's law and the roof",
                  "latency by the law, ns"], rows, 0)


def tiles_table(folder):
    sweep = sweep_of(folder)
    if sweep is None:
        return NOT_COMPARED.format(folder, "sweep.csv")
    threads = sorted({int(row["threads"]) for ways in sweep.tile.values() for _, row in ways})
    rows = [[str(count // 1024)] + [next((short(speed) for speed, row in ways if int(row["threads"]) == width), "")
                                    for width in threads] for count, ways in sorted(sweep.tile.items())]
    return table(["KiB of a block"] + [f"{width} threads" for width in threads], rows, 0)


PLANS = {"block": "one block", "cluster": "one cluster", "blocks": "many blocks"}


def tune_table(folder):
    rows = compared_rows(folder, "tune.csv", ("n", "cache", "kind", "loads", "threads", "blocks", "chosen", "us"))
    if rows is None:
        return NOT_COMPARED.format(folder, "tune.csv")
    lines = []
    for n in sorted({int(row["n"]) for row in rows}):
        if n & (n - 1):
            continue
        cells, chosen_kind = [], ""
        for cache in ("cold", "warm"):
            of_n = [(float(row["us"]), row) for row in rows if int(row["n"]) == n and row["cache"] == cache]
            least = {kind: min((us for us, row in of_n if row["kind"] == kind), default=None) for kind in PLANS}
            chosen = next(((us, row) for us, row in of_n if row["chosen"] == "1"), None)
            cells += [short(least[kind]) for kind in PLANS] + [short(chosen and chosen[0])]
            if chosen:
                row = chosen[1]
                chosen_kind = f"{PLANS[row['kind']]}, {row['blocks']} × {row['threads']} × {row['loads']}"
        lines.append([size_name(n), chosen_kind or UNMEASURED] + cells)
    return table(["n", "chosen: blocks × threads × loads"] + [f"{cache}, {what}" for cache in ("cold", "warm")
                 for what in (*PLANS.values(), "chosen")], lines, 2)


# Elements up to which a ratio of times over CUB's was aimed at, one sum after another in a graph.
TARGETS = ((1 << 12, 0.95), (1 << 17, 0.75), (1 << 23, 0.85), (1 << 25, 0.955), (1 << 26, 0.975), (1 << 31, 0.985))
STREAM_TARGETS = ((1 << 25, 0.95), (1 << 31, 0.985))


def target(n, targets=TARGETS):
    return next((ratio for most, ratio in targets if n <= most), targets[-1][1])


class Comparison:
    """What make compare measured: rows by n, offset, cache, launch and rival."""

    COLUMNS = ("n", "offset", "cache", "launch", "rival", "ours_us", "rival_us", "ratio", "low", "high")

    def __init__(self, folder, rows):
        self.rows = {(int(row["n"]), int(row["offset"]), row["cache"], row["launch"], row["rival"]): row for row in rows}
        self.powers = sorted({key[0] for key in self.rows if key[0] & (key[0] - 1) == 0 and key[1] == 0})
        self.folder = folder

    def ratio(self, n, cache, launch, rival="cub", offset=0):
        row = self.rows.get((n, offset, cache, launch, rival))
        return None if row is None else float(row["ratio"])

    def value(self, size, cache, launch, rival, column):
        row = self.rows.get((elements(size), 0, cache, launch, rival))
        if row is None or column not in row and column not in ("gbps", "theory_pct"):
            raise Problem(f"results/{self.folder}/compare.csv holds no {column} of {rival}, {launch}, {cache} at {size}")
        if column in row:
            return f"{float(row[column]):.3f}" if column in ("ratio", "low", "high") else short(float(row[column]))
        gbps = 4 * elements(size) / float(row["ours_us"]) / 1e3
        return short(gbps) if column == "gbps" else percent(100 * gbps / read_about(self.folder, "machine.json")["theoretical_gbps"])


def comparison_of(folder):
    rows = compared_rows(folder, "compare.csv", Comparison.COLUMNS)
    return rows and Comparison(folder, rows)


def judged(ratio, aim=None):
    """A ratio, marked where it is above what was aimed at."""
    return UNMEASURED if ratio is None else f"**{ratio:.3f}** ✗" if aim is not None and ratio > aim else f"{ratio:.3f}"


def power_name(n):
    return f"2^{n.bit_length() - 1}"


def targets_table(comparison):
    """The worst of each range, and where it is."""
    rows, start = [], 0
    for most, aim in TARGETS:
        of_range = [n for n in comparison.powers if start < n <= most]
        start, cells = most, []
        for cache in ("cold", "warm"):
            worst = max(((comparison.ratio(n, cache, "graph"), n) for n in of_range
                         if comparison.ratio(n, cache, "graph") is not None), default=None)
            missed = sum((comparison.ratio(n, cache, "graph") or 0) > aim for n in of_range)
            cells += [UNMEASURED] * 2 if worst is None else \
                [f"{judged(worst[0], aim)} at {power_name(worst[1])}", f"{len(of_range) - missed} of {len(of_range)}"]
        if of_range:
            ends = dict.fromkeys((power_name(of_range[0]), power_name(of_range[-1])))
            rows.append([" … ".join(ends), f"≤ {aim:g}"] + cells)
    return table(["n", "aimed at", "cold, worst", "reached", "warm, worst", "reached"], rows, 1)


def ratios_table(comparison):
    rows = [[power_name(n), f"{target(n):g}"]
            + [judged(comparison.ratio(n, cache, "graph"), target(n)) for cache in ("cold", "warm")]
            + [f"{target(n, STREAM_TARGETS):g}"]
            + [judged(comparison.ratio(n, cache, launch), target(n, STREAM_TARGETS)) for launch in ("plain", "single")
               for cache in ("cold", "warm")] for n in comparison.powers]
    return table(["n", "graph: aimed at", "cold", "warm", "plain: aimed at", "one after another, cold", "warm",
                  "a single call, cold", "warm"], rows, 1)


RIVALS = {"cub": "CUB", "cub_newer": "newer CUB", "cub_not_guaranteed": "its `not_guaranteed`", "cublas_asum": "cuBLAS asum",
          "apart": "without overlap"}


def rivals_table(comparison):
    rows = []
    for n in (elements(size) for size in STEP_SIZES):
        for cache in ("cold", "warm"):
            ours = comparison.rows.get((n, 0, cache, "graph", "cub"))
            thrust = comparison.ratio(n, cache, "single", "thrust")
            rows.append([size_name(n), cache, short(ours and float(ours["ours_us"]))]
                        + [judged(comparison.ratio(n, cache, "graph", rival)) for rival in RIVALS] + [judged(thrust)])
    return table(["n", "L2", "sum_f32(), µs"] + [f"÷ {what}" for what in RIVALS.values()] + ["÷ Thrust, a single call"], rows, 2)


def awkward_table(comparison):
    rows = []
    for what, chosen in (("2^k ± 1, 3·2^k, 1111111", lambda n, offset: offset == 0 and n not in comparison.powers),
                         ("2^k, 1 to 3 floats past an aligned address", lambda n, offset: offset > 0)):
        sizes = sorted({key[:2] for key in comparison.rows if chosen(*key[:2])})
        cells = []
        for launch in ("graph", "plain"):
            for cache in ("cold", "warm"):
                found = [(comparison.ratio(n, cache, launch, offset=offset), n) for n, offset in sizes
                         if comparison.ratio(n, cache, launch, offset=offset) is not None]
                cells.append(f"{max(found)[0]:.3f} at {max(found)[1]:,}" if found else UNMEASURED)
        rows.append([what, str(len(sizes))] + cells)
    return table(["sizes", "how many", "in a graph, worst: cold", "warm", "one after another, worst: cold", "warm"], rows, 1)


def sum_errors_table(comparison):
    rows = []
    for n in (elements(size) for size in STEP_SIZES):
        of_rival = {rival: comparison.rows.get((n, 0, "cold", launch, rival)) for rival, launch in
                    [(name, "graph") for name in RIVALS if name != "apart"] + [("thrust", "single")]}
        del of_rival["cublas_asum"]  # it sums |x|
        ours = of_rival["cub"]
        rows.append([size_name(n), short(float(ours["ours_error"])) if ours and ours["ours_error"] else UNMEASURED]
                    + [short(float(row["rival_error"])) if row and row["rival_error"] else UNMEASURED for row in of_rival.values()])
    return table(["n", "sum_f32()"] + [RIVALS[name] for name in RIVALS if name not in ("apart", "cublas_asum")] + ["Thrust"], rows, 1)


def compared_line(folder):
    if not os.path.exists(os.path.join(ROOT, "results", folder, "compare.json")):
        return NOT_COMPARED.format(folder, "compare.json")
    about = read_about(folder, "compare.json")
    newer = str(about.get("newer_cccl") or "")
    newer = f"{int(newer) // 10**6}.{int(newer) // 1000 % 1000}.{int(newer) % 1000}" if newer.isdigit() else newer
    driver = f"driver {about['nvidia_driver']}, " if about.get("nvidia_driver") else ""
    return (f"Measured on an {about.get('gpu')}: {driver}CUDA {about.get('runtime')}, "
            f"CUB of CCCL {about.get('cccl')}" + (f", newer CUB of CCCL {newer}" if newer else "")
            + f"; {str(about.get('date'))[:10]}, commit {about.get('commit')}.")


def trial_number(folder, log2_n, cache, names):
    """The least time of a way in trials/*.csv; of two ways both from one file: GPUs differ."""
    paths = sorted(glob.glob(os.path.join(ROOT, "results", folder, "trials", "*.csv")))
    if not paths:
        return UNMEASURED

    def least(rows, way):
        (kind, _, overlap), *tokens = [part.partition("+") for part in way.split("@")]
        return min((float(row[7]) for row in rows if row[2] == kind and overlap in ("", row[3])
                    and {token[0] for token in tokens} <= {f"{row[4]}x{row[5]}", *row[6].split()}), default=None)
    for path in paths:
        with open(path, newline="") as file:
            rows = [row for row in csv.reader(file) if len(row) == 9 and row[:2] == [log2_n, {"cold": "1", "warm": "0"}.get(cache)]]
        if all(least(rows, way) is not None for way in re.split("[/-]", names)):
            return short(combined(names, lambda way: least(rows, way)))
    raise Problem(f"results/{folder}/trials has no file with {names} at 2^{log2_n}, {cache}")


def trial_rows(folder, name, columns):
    """The rows of trials/NAME.csv, or None while there is none."""
    return compared_rows(folder, f"trials/{name}.csv", columns)


def look_back_table(folder):
    """Blocks of 256 threads that do not rest between two looks, or for 200 ns."""
    rows = trial_rows(folder, "8_look_back", ("kind", "us", "gbps"))
    if rows is None:
        return None
    cub = next(float(row["us"]) for row in rows if row["kind"] == "cub")
    again = {"all": "all 32", "missing": "those missing"}
    lines = [[row["rows"], row["slot_bytes"], again[row["reread"]], row["nap_ns"]] + [short(float(row[column])) for column in ("us", "gbps")]
             + [short(float(row["us"]) / cub)] for row in rows if row["threads"] == "256" and row["nap_ns"] in ("0", "200")]
    lines.sort(key=lambda line: [int(cell) for cell in (line[0], line[3], line[1])] + [line[2]])
    return table(["float4 of a thread", "bytes from slot to slot", "read again", "ns between", "µs at 256M", "GB/s", "time over CUB"], lines, 0)


MATCHED = ("variant", "n", "pattern", "us")


def matched_table(folder):
    """A row for each variant, a column for each pattern and size."""
    rows = trial_rows(folder, "9_match", MATCHED)
    if rows is None:
        return None
    times = {(row["variant"], row["pattern"], int(row["n"])): float(row["us"]) for row in rows}
    columns = list(dict.fromkeys(key[1:] for key in times))
    return table(["variant"] + [f"µs, {pattern}, {size_name(n)}" for pattern, n in columns],
                 [[variant] + [short(times.get((variant, *column))) for column in columns] for variant in dict.fromkeys(key[0] for key in times)], 1)


def matched_number(folder, names, size, pattern, column):
    rows = trial_rows(folder, "9_match", MATCHED)
    if column not in ("us", "row_ns"):
        raise Problem(f"no column {column} of trials/9_match.csv; there are us and row_ns")

    def of_variant(name):
        for row in rows:
            if (row["variant"], row["n"], row["pattern"]) == (name, str(elements(size)), pattern):
                return float(row["us"]) * (1 if column == "us" else 1000 * 32 / elements(size))
        raise Problem(f"results/{folder}/trials/9_match.csv holds no {name} of {pattern} at {size}")
    return UNMEASURED if rows is None else short(combined(names, of_variant))


TRIALS = {"8_look_back": look_back_table, "9_match": matched_table}


def trial_table(folder, name):
    if name not in TRIALS:
        raise Problem(f"no table of the trial {name}; there are {', '.join(TRIALS)}")
    return TRIALS[name](folder) or f"*Not measured yet: results/{folder}/trials/{name}.csv is written by hand.*"


OF_COMPARISON = {"targets": targets_table, "ratios": ratios_table, "rivals": rivals_table, "awkward": awkward_table,
                 "sum_errors": sum_errors_table}
def draws_table(folder):
    """errors.csv: of each variant and size, the errors of several draws of numbers."""
    path = os.path.join(ROOT, "results", folder, "errors.csv")
    if not os.path.exists(path):
        return f"*Not measured yet: `tools/measure/errors.sh results/{folder}/errors.csv`, on a GPU, writes it.*"
    errors = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            errors.setdefault((int(row["n"]), row["variant"]), []).append(float(row["error"]))
    return table(["n", "variant", "draws", "least", "greatest", "root mean square"],
                 [[size_name(n), variant, str(len(of)), short(min(of)), short(max(of)),
                   short((sum(error * error for error in of) / len(of)) ** 0.5)] for (n, variant), of in sorted(errors.items())], 2)


def profile_table(folder):
    """profile.csv: a kernel alone, under Nsight Compute."""
    path = os.path.join(ROOT, "results", folder, "profile.csv")
    if not os.path.exists(path):
        return f"*Not measured yet: `tools/measure/profile.sh results/{folder}/profile.csv`, on a GPU, writes it.*"
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    return table(["n", "kernel", "µs", "GB/s from memory", "% of the peak", "% of reads that L2 answered", "% of cycles with an instruction"],
                 [[size_name(int(row["n"])), row["kernel"]] + [short(float(row[column])) for column in
                   ("us", "gbps", "pct_of_peak", "l2_hit_pct", "issue_pct")] for row in rows], 2)


# ---- the softmax of the toolbox ----

NO_SOFTMAX = "*Not measured yet: `make softmax`, on a GPU, writes results/{}/softmax.csv.*"
SOFTMAX = {"warp": "warp", "warp_shared": "warp, shared memory", "block": "block", "cluster": "cluster", "torch": "PyTorch"}


class Softmax:
    """What make softmax measured, cold and launched alone: rows of the CSV by name, row and n."""

    def __init__(self, folder, ours, torch):
        self.folder, self.roof = folder, {}
        self.rows = {("torch", int(row["row"]), int(row["n"])): row for row in torch}
        for row in ours:
            if row["launch"] != "plain" or not row["pct_roof"]:
                continue
            n = int(row["n"])
            self.rows[row["variant"][len("softmax_"):], int(row["row"]), n] = row
            self.roof[n] = 100 * float(row["gbps"]) / float(row["pct_roof"])

    def get(self, name, row, n, column):
        """A number, or None where it was not measured."""
        if name == "best":
            ours = [(float(of["median_us"]), key[0]) for key, of in self.rows.items() if key[0] != "torch" and key[1:] == (row, n)]
            name = min(ours)[1] if ours else None
        of = self.rows.get((name, row, n))
        if of is None:
            return None
        if column == "block_ns":
            return 1000 * float(of["median_us"]) / int(of["grid"]) if "grid" in of else None
        return 100 * float(of["gbps"]) / self.roof[n] if column == "pct_roof" else float(of[column])

    def value(self, names, row, size, column):
        if column not in ("median_us", "gbps", "pct_roof", "block_ns"):
            raise Problem(f"no column {column} of a softmax; there are median_us, gbps, pct_roof, block_ns")

        def number(name):
            value = self.get(name, elements(row), elements(size), column)
            if value is None:
                raise Problem(f"results/{self.folder} holds no {column} of a softmax of {name} in rows of {row} at {size}")
            return value
        value = combined(names, number)
        return percent(value) if column == "pct_roof" and "/" not in names else short(value)


def softmax_of(folder):
    ours = compared_rows(folder, "softmax.csv", ("variant", "n", "row", "launch", "grid", "median_us", "gbps", "pct_roof"))
    torch = compared_rows(folder, "softmax_torch.csv", ("row", "n", "median_us", "gbps", "torch"))
    return ours and Softmax(folder, ours, torch or [])


def softmax_table(folder, size="256M"):
    softmax, n = softmax_of(folder), elements(size)
    if softmax is None:
        return NO_SOFTMAX.format(folder)
    lines = []
    for row in sorted({key[1] for key in softmax.rows if key[2] == n}):
        cells = []
        for name in SOFTMAX:
            gbps, share = (softmax.get(name, row, n, column) for column in ("gbps", "pct_roof"))
            cells.append(UNMEASURED if gbps is None else f"{short(gbps)} · {percent(share)}")
        faster = ratio(softmax.get("torch", row, n, "median_us"), softmax.get("best", row, n, "median_us"))
        lines.append([size_name(row)] + cells + [UNMEASURED if faster is None else f"{faster:.2f}×"])
    if not lines:
        raise Problem(f"results/{folder}/softmax.csv has no n = {size}")
    return table(["floats of a row"] + [f"{what}, GB/s · %" for what in SOFTMAX.values()] + ["best of ours over PyTorch"], lines, 1)


def softmaxed_line(folder):
    if softmax_of(folder) is None:
        return NO_SOFTMAX.format(folder)
    about = read_about(folder, "softmax.json")
    torch = f", PyTorch {about['torch']}" if about.get("torch") else ""
    return (f"Measured on an {about.get('gpu')}: CUDA {about.get('runtime')}{torch}; {str(about.get('date'))[:10]}, "
            f"commit {about.get('commit')}. Percent are of a plain copy of as many floats in the same run.")


OF_FOLDER = {"softmax": softmax_table, "softmaxed": softmaxed_line, "draws": draws_table, "profile": profile_table, "flight": flight_table, "tiles": tiles_table, "tune": tune_table, "compared": compared_line}


def make_table(arguments, page):
    if len(arguments) != 2:
        raise Problem("a table takes a name and a folder, as in: table: ladder h200")
    name, folder = arguments
    if name in OF_FOLDER:
        return OF_FOLDER[name](folder)
    if name in OF_COMPARISON:
        comparison = comparison_of(folder)
        return OF_COMPARISON[name](comparison) if comparison else NOT_COMPARED.format(folder, "compare.csv")
    if name.startswith("softmax:"):
        return softmax_table(folder, name[len("softmax:"):])
    if name.startswith("trial:"):
        return trial_table(folder, name[len("trial:"):])
    if name.startswith("launched:"):
        return launched(Results(folder), name[len("launched:"):].split(","), page)
    if name.startswith("step:") and step_not_run(folder, name[len("step:"):]):
        Results(folder)
        return NOT_RUN.format(folder, name[len("step:"):])
    if name.startswith("toolbox:"):
        results, step = Results(folder), "08_warp_toolbox"
        return NOT_RUN.format(folder, step) if step_not_run(folder, step) else toolbox(results, name[len("toolbox:"):].split(","))
    makers = {"ladder": ladder, "machine": machine_line,
              "work": lambda results, page: counts(results, results.sums(), page),
              "depths": in_units("err_bound", whole), "errors": in_units("rel_err", short)}
    if name.startswith("experiment:"):
        return experiment(folder, name[len("experiment:"):], page)
    if name == "passes":
        return passes(folder, page)
    if name == "noise":
        return noise_line(folder)
    if name == "files":
        return simulator_files(folder, page)
    if name == "profiled":
        return profiled_line(folder)
    if name.startswith("counter:"):
        return counter_line(folder, name[len("counter:"):])
    if name.startswith("beside:published:"):
        return beside_published(name.split(":")[2].split(","), folder)
    if name.startswith("nvprof:"):
        return nvprof(name[len("nvprof:"):].split(","), folder)
    if name.startswith("shuffles:") and folder == "published":
        return shuffles(name[len("shuffles:"):])
    if name.startswith("why:"):
        return why(folder, name[len("why:"):], page)
    if name.startswith("sizes:"):
        return sizes(Results(folder), name[len("sizes:"):].split(","), page)
    if name.startswith("beside:"):
        return beside(folder, name[len("beside:"):], page)
    if name.startswith("step:"):
        return step_table(Results(folder), name[len("step:"):], page)
    if name not in makers:
        others = ("step:NAME, sizes:VARIANTS, toolbox:VARIANTS, passes, noise, files, profiled, counter:COLUMN, "
                  "launched:VARIANTS, trial:NAME, " + ", ".join([*OF_FOLDER, *OF_COMPARISON]) + ", "
                  "beside:FOLDER, beside:published:VARIANTS, why:VARIANTS, nvprof:VARIANTS, shuffles:THREADS, experiment:NAME")
        raise Problem(f"no table {name}; there are {others}, {', '.join(makers)}")
    return makers[name](Results(folder), page)


def make_value(arguments):
    if len(arguments) in (3, 4) and arguments[1] == "machine":
        results, key = Results(arguments[0]), arguments[2]
        if results.machine.get(key) is None:
            raise Problem(f"results/{arguments[0]}/machine.json holds no {key}")
        value = results.machine[key]
        if arguments[3:]:
            if arguments[3] not in BYTE_UNITS or not isinstance(value, (int, float)):
                raise Problem(f"{key} in {arguments[3]}? A number can be given in {', '.join(BYTE_UNITS)}")
            return f"{value / 1024 ** (BYTE_UNITS.index(arguments[3]) + 1):.4g} {arguments[3]}"
        return short(value) if isinstance(value, (int, float)) else str(value)
    if arguments[0] == "published" and len(arguments) == 3:
        figures, (variant, quantity) = published(), arguments[1:]
        if (variant, quantity) in figures:
            return printed(figures[variant, quantity]["value"])
        return short(combined(variant, lambda name: published_number(name, quantity)))
    if len(arguments) == 4 and arguments[1] == "counter":
        folder, _, variant, column = arguments
        there = {row["variant"] for row in profiled(folder)}
        if any(name not in there and step_of(name) for name in re.split("[/-]", variant)):
            return UNMEASURED
        if "/" not in variant and "-" not in variant:
            return count_text(first_launch(folder, variant, column))
        return short(combined(variant, lambda name: float(first_launch(folder, name, column))))
    if len(arguments) > 3 and arguments[1] == "experiment":
        folder, _, name, names, *rest = arguments
        return experiment_value(folder, name, names, rest)
    if len(arguments) == 5 and arguments[1] == "launch":
        folder, _, variant, size, what = arguments
        return short(combined(variant, lambda name: of_launches(folder, name, size, what)))
    if len(arguments) == 3 and arguments[1] == "sweep":
        sweep = sweep_of(arguments[0])
        return UNMEASURED if sweep is None else short(sweep.value(arguments[2]))
    if len(arguments) == 7 and arguments[1] == "compare":
        comparison = comparison_of(arguments[0])
        return UNMEASURED if comparison is None else comparison.value(*arguments[2:])
    if len(arguments) == 6 and arguments[1] == "softmax":
        softmax = softmax_of(arguments[0])
        return UNMEASURED if softmax is None else softmax.value(*arguments[2:])
    if len(arguments) == 5 and arguments[1] == "trial":
        return trial_number(arguments[0], *arguments[2:])
    if len(arguments) == 7 and arguments[1:3] == ["trial", "9_match"]:
        return matched_number(arguments[0], *arguments[3:])
    if len(arguments) != 4:
        raise Problem("a value takes a folder, a variant, a size and a column, as in: value: h200 v0 16M median_us")
    folder, variant, size, column = arguments
    results = Results(folder)

    def of_variant(name):
        value = results.get(name, elements(size), column)
        if not isinstance(value, float):
            raise Problem(f"results/{folder} holds no {column} of {name} at {size}")
        return value
    if any(variant_not_run(folder, name) for name in re.split("[/-]", variant)):
        return UNMEASURED
    return short(combined(variant, of_variant))


def combined(names, number):
    """A/B and A-B: the ratio and the difference of two variants' numbers."""
    for sign in "/-":
        if sign in names:
            first, second = (number(name) for name in names.split(sign, 1))
            return ratio(first, second) if sign == "/" else first - second
    return number(names)


# ---- the pages ----

MARKER = re.compile(r"<!-- (?:(table|value): ([^\n]*?)|end) -->")


def places(page, text):
    """(line, table or value, its arguments, start, end) of each text to be written."""
    opened = None
    for marker in MARKER.finditer(text):
        line = text.count("\n", 0, marker.start()) + 1
        if marker[1]:
            if opened:
                break
            before = text[text.rfind("\n", 0, marker.start()) + 1:marker.start()]
            if marker[1] == "value" and re.fullmatch(r"\s*(?:[-*+]|\d+\.)?\s*", before):
                raise Problem(f"{page}: line {line}: a line that begins with a value is HTML to Markdown; move a word down")
            opened = line, marker[1], marker[2].split(), marker.end()
        elif opened:
            yield *opened, marker.start()
            opened = None
        else:
            raise Problem(f"{page}: line {line}: <!-- end --> without a marker before it")
    if opened:
        raise Problem(f"{page}: line {opened[0]}: no <!-- end --> after this marker")


def rewrite(page, text):
    """The text of a page with everything between markers made anew."""
    result, position = "", 0
    for line, kind, arguments, start, end in places(page, text):
        try:
            made = make_value(arguments) if kind == "value" else f"\n{make_table(arguments, page)}\n"
        except Problem as problem:
            raise Problem(f"{page}: line {line}: {problem}")
        result += text[position:start] + made
        position = end
    return result + text[position:]


def differences(page, old, new):
    """What is out of date, one entry for each line of the page."""
    old_lines, new_lines = old.split("\n"), new.split("\n")
    if len(old_lines) != len(new_lines):
        first = next((i for i, (a, b) in enumerate(zip(old_lines, new_lines)) if a != b),
                     min(len(old_lines), len(new_lines)))
        return [f"{page}: line {first + 1}: a table has other rows now; make notes writes them"]
    return [f"{page}: line {i}: has {a.strip()}\n{' ' * len(page)}  now {b.strip()}"
            for i, (a, b) in enumerate(zip(old_lines, new_lines), 1) if a != b]


def main(arguments):
    global ROOT
    check = "--check" in arguments
    arguments = [argument for argument in arguments if argument != "--check"]
    if len(arguments) == 2 and arguments[0] == "--root":
        ROOT = arguments[1]
    elif arguments:
        print("notes.py: usage: notes.py [--check] [--root FOLDER]", file=sys.stderr)
        return 2
    pages = [os.path.relpath(path, ROOT) for pattern in ("README.md", "steps/*/*.md", "docs/*.md")
             for path in sorted(glob.glob(os.path.join(ROOT, pattern)))]
    changed = {}
    problems = []
    for page in pages:
        with open(os.path.join(ROOT, page)) as file:
            old = file.read()
        try:
            new = rewrite(page, old)
        except Problem as problem:
            problems.append(str(problem))
            continue
        if new != old:
            changed[page] = (old, new)
    if check:
        problems += [line for page, (old, new) in changed.items() for line in differences(page, old, new)]
    for problem in problems:
        print(f"notes.py: {problem}", file=sys.stderr)
    if problems:
        return 1
    for page, (_, new) in changed.items():
        with open(os.path.join(ROOT, page), "w") as file:
            file.write(new)
        print(f"wrote {page}")
    print(f"{len(pages)} pages agree with results/")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
