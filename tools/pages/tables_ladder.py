"""tables_ladder.py: tables of the steps and of the toolbox, made from what ./run_all.sh recorded."""
import os

import results
import tree
from page_markdown import BYTE_UNITS, Figure, Problem, count_text, elements, link, percent, ratio, short, size_name, table, times, whole
from results import COUNTS, LADDER_SIZES, LESSON_SIZES, STEP_SIZES, date_and_commit, in_folder, label, measured_on, part, read_rows
from tables_counters import PROFILED_BLOCKS, PROFILED_SIZE, first_launch, split

UNIT, LARGE = 2.0 ** -24, 1 << 28


def with_missing(made, missing, folder):
    """A table, and a line about the variants that the folder has no results of."""
    command = tree.measuring(in_folder(folder).machine, f"results/{folder}")
    line = f"*Not measured yet on {folder}: {', '.join(missing)}: `{command}` writes results/{folder}.*"
    return "\n\n".join(filter(None, [made, line if missing else ""]))


def with_newer(made, folder, *steps):
    """A table of all that these steps have measured, or of the whole ladder's sums, and a line about what came later."""
    def is_row(step, name):
        return step in steps if steps else step[:2].isdigit() and step != "00_baselines" and tree.is_sum(results.root, step, name)
    newer = results.not_measured(folder).items()
    return with_missing(made, [name for step, names in newer for name in names if is_row(step, name)], folder)


def ladder(at):
    run, rows = in_folder(at.folder), []
    for step, variant in run.sums():
        if step == "00_baselines" and variant not in ("cub", "read"):
            continue

        def row_of(column):
            return [short(run.get(variant, elements(size), column)) for size in LADDER_SIZES]
        name = variant + (" (the roof)" if variant == "read" else "")
        rows.append([link(step, at.page), name] + row_of("median_us") + row_of("speedup")[-1:] + row_of("gbps")[-1:]
                    + [percent(run.get(variant, elements("256M"), "pct_roof"))])
    header = ["step", "variant"] + [f"µs {size}" for size in LADDER_SIZES] + [f"× {LADDER_SIZES[-1]}", f"GB/s {LADDER_SIZES[-1]}", "% of roof"]
    return with_newer(table(header, rows, 2), at.folder)


def counts(run, pairs, page):
    largest = max((row["n"] for row in run.rows
                   if row["gld_requests"] is not None and (row["step"], label(row)) in pairs), default=None)
    if largest is None:
        raise Problem(f"results/{run.folder} holds no counts; make counters-sim COUNTERS=results/{run.folder}/counters.csv makes them")
    rows = []
    for step, variant in pairs:
        if run.get(variant, largest, "requests") is None or variant == "copy":
            continue  # not counted: it runs on the CPU, or is no kernel
        efficiency = run.get(variant, largest, "simt_efficiency")
        rows.append([link(step, page), variant] + [short(run.get(variant, largest, column)) for column in COUNTS]
                    + [percent(None if efficiency is None else 100 * efficiency)])
    header = ["step", f"variant, n = {size_name(largest)}"]
    return table(header + [what for _, _, what in COUNTS.values()] + ["SIMT efficiency, %"], rows, 2)


def work(at):
    run = in_folder(at.folder)
    return with_newer(counts(run, run.sums(), at.page), at.folder)


def step_table(at):
    run, step = in_folder(at.folder), at.argument
    pairs = [pair for pair in run.steps() if pair[0] == step]
    if not pairs and any(os.path.isdir(os.path.join(results.root, where, step)) for where in ("steps", "steps/toolbox")):
        return with_missing("", [step], at.folder)
    if not pairs:
        raise Problem(f"results/{at.folder} holds no step {step}")
    if run.machine.get("backend") == "sim":
        return with_newer(counts(run, pairs, at.page), at.folder, step)
    rows = []
    for _, variant in pairs:
        for size in STEP_SIZES:
            n = elements(size)
            if run.row(variant, n) is not None:
                time, gbps, roof, graph, error = (run.get(variant, n, column) for column in
                                                  ("median_us", "gbps", "pct_roof", "graph_us", "error_percent"))
                rows.append([variant, size, short(time), short(gbps), percent(roof), short(graph), short(error)])
    if not rows:
        raise Problem(f"results/{at.folder} holds none of the sizes {', '.join(STEP_SIZES)}")
    return with_newer(table(["variant", "n", "µs", "GB/s", "% of roof", "µs in a graph", "error, % of its bound"], rows, 2), at.folder, step)


def of_variants(at, header, left, cells):
    """A row for each variant of the marker that has results: cells(run, variant)."""
    run = in_folder(at.folder)
    there, missing = results.split(at.names, run.step_of)
    rows = [cells(run, variant) for variant in there]
    return with_missing(table(header, rows, left) if rows else "", missing, at.folder)


LAST = {  # what stands behind times at some sizes: (heading, cell of a run, a variant and the first that is named), all at 256M
    "gbps": ("GB/s at 256M", lambda run, variant, _: short(run.get(variant, LARGE, "gbps"))),
    "roof": ("% of roof", lambda run, variant, _: percent(run.get(variant, LARGE, "pct_roof"))),
    "speedup": ("speedup over {}", lambda run, variant, first: times(ratio(*(run.get(name, LARGE, "median_us") for name in (first, variant))))),
    "time": ("time over {}", lambda run, variant, first: times(ratio(*(run.get(name, LARGE, "median_us") for name in (variant, first))))),
}


def timed(sizes, *last, step=False):
    """A table of times at these sizes, and of some of LAST."""
    def make(at):
        return of_variants(at, ["step"] * step + ["variant"] + [f"µs at {size}" for size in sizes] + [LAST[what][0].format(at.names[0]) for what in last],
                           1 + step, lambda run, variant: [link(run.step_of[variant], at.page)] * step + [variant]
                           + [short(run.get(variant, elements(size), "median_us")) for size in sizes]
                           + [LAST[what][1](run, variant, at.names[0]) for what in last])
    return make


sizes, toolbox = timed(LESSON_SIZES, "gbps", "roof", "speedup", step=True), timed(LADDER_SIZES, "gbps", "roof", "time")
lesson = timed(("1M", "256M"), "roof")  # what a lesson needs at a glance


def launched(at):
    """Times alone, and in a graph."""
    columns = [("alone", "median_us", size) for size in LESSON_SIZES[:3]] + [("in a graph", "graph_us", size) for size in STEP_SIZES[:3]]
    return of_variants(at, ["step", "variant"] + [f"{what}, {size}" for what, _, size in columns], 2,
                       lambda run, variant: [link(run.step_of[variant], at.page), variant]
                       + [short(run.get(variant, elements(size), column)) for _, column, size in columns])


def machine_line(at):
    machine = in_folder(at.folder).machine

    def get(key):
        return machine.get(key) or "unknown"
    if machine.get("backend") == "sim":
        return f"Counted on the {get('gpu')}, {date_and_commit(machine)}."
    where = measured_on(machine | part(at.folder, at.argument), "nvidia_driver", "runtime", "cccl", "newer_cccl", "torch", "ncu")
    return where if at.argument else (f"{where} The roof, a plain read at its best size: {short(machine.get('read_gbps'))} GB/s; "
            f"in theory {short(machine.get('theoretical_gbps'))} GB/s.")


def in_units(column, text):
    """A table of this column of every variant that sums, divided by 2^-24; by 2^-53 where doubles are added."""
    def make(at):
        run, rows = in_folder(at.folder), []
        for step, variant in run.sums():
            bounds = [run.get(variant, elements(size), "err_bound") or 0 for size in STEP_SIZES]
            unit = 2 ** -53 if 0 < max(bounds) < UNIT else UNIT
            values = [run.get(variant, elements(size), column) for size in STEP_SIZES]
            if any(value is not None for value in values):
                rows.append([link(step, at.page), variant] + [text(None if x is None else x / unit) for x in values])
        return with_newer(table(["step", "variant"] + list(STEP_SIZES), rows, 2), at.folder)
    return make


depths, errors = in_units("err_bound", whole), in_units("rel_err", short)


# ---- the other files of the folder ----

def launch_times(folder):
    """kernel -> size -> µs of the first launch, which reads the array, and of all that follow it."""
    sums = {}
    for row in read_rows(folder, "passes.csv", ("step", "kernel", "n", "pass", "grid", "duration_us")):
        parts = sums.setdefault(row["kernel"], {}).setdefault(row["n"], [0.0, 0.0])
        parts[int(row["pass"]) > 1] += float(row["duration_us"])
    return sums


def passes(at):
    rows = read_rows(at.folder, "passes.csv", ("step", "kernel", "n", "pass", "grid", "duration_us"))
    step_of = {row["kernel"]: row["step"] for row in rows}
    run = in_folder(at.folder)
    names = {step[:2]: step for step in run.step_of.values()}
    return table(["step", "kernel"] + [f"{what} {size}" for size in LADDER_SIZES for what in ("first, µs", "rest, µs")],
                 [[link(names.get(step_of[kernel], step_of[kernel]), at.page), kernel]
                  + [short(part) for size in LADDER_SIZES for part in of_size[size]]
                  for kernel, of_size in launch_times(at.folder).items()], 2)


def noise(at):
    rows = sorted(((abs(float(row["difference_pct"])), row["variant"], int(row["n"])) for row in read_rows(at.folder, "noise.csv", ("n", "variant", "difference_pct"))
                   if int(row["n"]) >= 1 << 20))
    (half, *_), (most, variant, n) = rows[len(rows) // 2], rows[-1]
    return f"{len(rows)} times measured twice, from 1M elements up: half of them at most {half:.1f} % apart, all at most {most:.1f} % ({variant}, {size_name(n)})."


# ---- single numbers: of a run, of machine.json, of a GPU's counters, of the launches of a sum ----

THREADS_OF_AN_SM, ISSUED_A_CYCLE = 2048, 4  # of an H200


def machine_value(folder, key, unit=None):
    value = in_folder(folder).machine.get(key)
    if value is None:
        raise Problem(f"results/{folder}/machine.json holds no {key}")
    if unit is None:
        return value
    if unit not in BYTE_UNITS or not isinstance(value, (int, float)):
        raise Problem(f"{key} in {unit}? A number can be given in {', '.join(BYTE_UNITS)}")
    return f"{value / 1024 ** (BYTE_UNITS.index(unit) + 1):.4g} {unit}"


def counter_value(folder, variant, column):
    _, missing = split(folder, [variant], PROFILED_SIZE)
    if missing:
        return None
    text = first_launch(folder, variant, column)
    return Figure(text, count_text(text))


def life_us(time, block, grid, machine):
    """How long a block lives: as many at once as the SMs have room for, one after another."""
    return time * machine["sm_count"] * (THREADS_OF_AN_SM // int(block)) / int(grid)


def issue_us(instructions, machine):
    """How long the SMs need to issue so many, if none ever waits."""
    return instructions / (machine["sm_count"] * ISSUED_A_CYCLE * machine["sm_clock_mhz"])


def launch_value(folder, variant, size, part):
    """What passes.csv says of a variant's launches, or our arithmetic on it."""
    machine, block = in_folder(folder).machine, PROFILED_BLOCKS[PROFILED_SIZE]
    kernel = variant if variant in launch_times(folder) else first_launch(folder, variant, "kernel")  # as recorded once
    if size not in launch_times(folder).get(kernel, {}):
        raise Problem(f"results/{folder}/passes.csv holds no {kernel} at {size}")
    first, rest = launch_times(folder)[kernel][size]
    grid = next(int(row["grid"]) for row in read_rows(folder, "passes.csv", ("kernel", "n", "pass", "grid"))
                if (row["kernel"], row["n"], row["pass"]) == (kernel, size, "1"))
    parts = {"first": lambda: first, "rest": lambda: rest, "life": lambda: life_us(first, block, grid, machine),
             "issue": lambda: issue_us(float(first_launch(folder, variant, "inst_per_warp")) * grid * (block // 32), machine)}
    if part not in parts:
        raise Problem(f"a launch has no {part}; it has {', '.join(parts)}")
    return parts[part]()


def of_row(run, variant, n, number):
    row = run.row(variant, n)
    return row and number(row)


COMPUTED = {  # columns of a value that no table has
    "life_us": lambda run, variant, n: of_row(run, variant, n, lambda row: life_us(
        row["median_us"], row["block"], row["grid"], run.machine)),
    "row_ns": lambda run, variant, n: of_row(run, variant, n, lambda row: 1000 * row["median_us"] * 32 / n),
    "issue_us": lambda run, variant, n: of_row(run, variant, n, lambda row: issue_us(
        float(first_launch(run.folder, variant, "inst_per_warp")) * row["grid"] * row["block"] / 32, run.machine)),
}


def run_value(folder, variant, size, column):
    run, n = in_folder(folder), elements(size)
    if variant not in run.step_of:
        return None
    value = COMPUTED[column](run, variant, n) if column in COMPUTED else run.get(variant, n, column)
    if not isinstance(value, float):
        raise Problem(f"results/{folder} holds no {column} of {variant} at {size}")
    return value
