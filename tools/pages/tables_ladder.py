"""tables_ladder.py: tables of the steps and of the toolbox, made from what ./run_all.sh recorded."""
import os

import results
import tree
from page_markdown import BYTE_UNITS, UNMEASURED, Figure, Problem, count_text, link, percent, ratio, short, size_name, table, times, whole
from results import COUNTS, LADDER_SIZES, LESSON_SIZES, STEP_SIZES, date_and_commit, in_folder, label, measured_on, part, percentage, read_rows
from tables_counters import PROFILED_BLOCKS, PROFILED_SIZE, first_launch, profiled

UNIT, LARGE = 2.0 ** -24, "256M"


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
    run, largest = in_folder(at.folder), LADDER_SIZES[-1]
    rows = [[link(step, at.page), variant + " (the roof)" * (variant == "read"), *(run.get(variant, size, "median_us") for size in LADDER_SIZES),
             run.get(variant, largest, "speedup"), run.get(variant, largest, "gbps"), percent(run.get(variant, largest, "pct_roof"))]
            for step, variant in run.sums() if step != "00_baselines" or variant in ("cub", "read")]
    return with_newer(table(["step", "variant", *(f"µs {size}" for size in LADDER_SIZES), f"× {largest}", f"GB/s {largest}", "% of roof"], rows, 2), at.folder)


def counts(run, pairs, page):
    largest = max((row["n"] for row in run.rows if row["gld_requests"] is not None and (row["step"], label(row)) in pairs), default=None)
    if largest is None:
        raise Problem(f"results/{run.folder} holds no counts; make counters-sim COUNTERS=results/{run.folder}/counters.csv makes them")
    # what has no count runs on the CPU, or is no kernel
    rows = [[link(step, page), variant, *(run.get(variant, largest, column) for column in COUNTS),
             percent(percentage(run.get(variant, largest, "simt_efficiency"), 1))]
            for step, variant in pairs if run.get(variant, largest, "requests") is not None and variant != "copy"]
    return table(["step", f"variant, n = {size_name(largest)}", *(what for _, _, what in COUNTS.values()), "SIMT efficiency, %"], rows, 2)


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
    rows = [[variant, size, *((percent if column == "pct_roof" else short)(run.get(variant, size, column))
                              for column in ("median_us", "gbps", "pct_roof", "graph_us", "error_percent"))]
            for _, variant in pairs for size in STEP_SIZES if run.row(variant, size)]
    return with_newer(table(["variant", "n", "µs", "GB/s", "% of roof", "µs in a graph", "error, % of its bound"], rows, 2), at.folder, step)


def of_variants(at, header, left, cells):
    """A row for each variant of the marker that has results: cells(run, variant)."""
    run = in_folder(at.folder)
    there, missing = results.split(at.names, run.step_of)
    return with_missing(table(header, [cells(run, variant) for variant in there], left) if there else "", missing, at.folder)


LAST = {  # what stands behind times at some sizes: (heading, cell of a run, a variant and the first that is named), all at 256M
    "gbps": ("GB/s at 256M", lambda run, variant, _: run.get(variant, LARGE, "gbps")),
    "roof": ("% of roof", lambda run, variant, _: percent(run.get(variant, LARGE, "pct_roof"))),
    "speedup": ("speedup over {}", lambda run, variant, first: over(run, first, variant)),
    "time": ("time over {}", lambda run, variant, first: over(run, variant, first)),
}


def over(run, *names):
    return times(ratio(*(run.get(name, LARGE, "median_us") for name in names)))


def timed(sizes, *last, step=False):
    """A table of times at these sizes, and of some of LAST."""
    def make(at):
        return of_variants(at, ["step"] * step + ["variant"] + [f"µs at {size}" for size in sizes] + [LAST[what][0].format(at.names[0]) for what in last],
                           1 + step, lambda run, variant: [link(run.step_of[variant], at.page)] * step + [variant]
                           + [run.get(variant, size, "median_us") for size in sizes]
                           + [LAST[what][1](run, variant, at.names[0]) for what in last])
    return make


sizes, toolbox = timed(LESSON_SIZES, "gbps", "roof", "speedup", step=True), timed(LADDER_SIZES, "gbps", "roof", "time")
lesson = timed(("1M", "256M"), "roof")  # what a lesson needs at a glance


def launched(at):
    """Times alone, and in a graph."""
    columns = [("alone", "median_us", size) for size in LESSON_SIZES[:3]] + [("in a graph", "graph_us", size) for size in STEP_SIZES[:3]]
    return of_variants(at, ["step", "variant"] + [f"{what}, {size}" for what, _, size in columns], 2,
                       lambda run, variant: [link(run.step_of[variant], at.page), variant]
                       + [run.get(variant, size, column) for _, column, size in columns])


def machine_line(at):
    machine = in_folder(at.folder).machine
    if machine.get("backend") == "sim":
        return f"Counted on the {machine.get('gpu') or 'unknown'}, {date_and_commit(machine)}."
    where = measured_on(machine | part(at.folder, at.argument), "nvidia_driver", "runtime", "cccl", "newer_cccl", "torch", "ncu")
    return where if at.argument else (f"{where} The roof, a plain read at its best size: {short(machine.get('read_gbps'))} GB/s; "
                                      f"in theory {short(machine.get('theoretical_gbps'))} GB/s.")


def in_units(column, text):
    """A table of this column of every variant that sums, divided by 2^-24; by 2^-53 where doubles are added."""
    def make(at):
        run, rows = in_folder(at.folder), []
        for step, variant in run.sums():
            unit = 2 ** -53 if 0 < max(run.get(variant, size, "err_bound") or 0 for size in STEP_SIZES) < UNIT else UNIT
            values = [run.get(variant, size, column) for size in STEP_SIZES]
            if any(value is not None for value in values):
                rows.append([link(step, at.page), variant, *(text(ratio(x, unit)) for x in values)])
        return with_newer(table(["step", "variant", *STEP_SIZES], rows, 2), at.folder)
    return make


depths, errors = in_units("err_bound", whole), in_units("rel_err", short)


# ---- the other files of the folder ----

PASSES = ("step", "kernel", "n", "pass", "grid", "duration_us")


def launch_times(folder):
    """kernel -> size -> µs of the first launch, which reads the array, and of all that follow it."""
    sums = {}
    for row in read_rows(folder, "passes.csv", PASSES):
        parts = sums.setdefault(row["kernel"], {}).setdefault(row["n"], [0.0, 0.0])
        parts[int(row["pass"]) > 1] += float(row["duration_us"])
    return sums


def passes(at):
    step_of = {row["kernel"]: row["step"] for row in read_rows(at.folder, "passes.csv", PASSES)}
    names = {step[:2]: step for step in in_folder(at.folder).step_of.values()}
    return table(["step", "kernel", *(f"{what} {size}" for size in LADDER_SIZES for what in ("first, µs", "rest, µs"))],
                 [[link(names.get(step_of[kernel], step_of[kernel]), at.page), kernel, *(part for size in LADDER_SIZES for part in of_size[size])]
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
    if variant not in {row["variant"] for row in profiled(folder)}:
        return UNMEASURED
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
    first, rest = launch_times(folder)[kernel][size]
    grid = next(int(row["grid"]) for row in read_rows(folder, "passes.csv", PASSES) if (row["kernel"], row["n"], row["pass"]) == (kernel, size, "1"))
    return {"first": lambda: first, "rest": lambda: rest, "life": lambda: life_us(first, block, grid, machine),
            "issue": lambda: issue_us(float(first_launch(folder, variant, "inst_per_warp")) * grid * (block // 32), machine)}[part]()


COMPUTED = {  # columns of a value that no table has
    "life_us": lambda run, row: life_us(row["median_us"], row["block"], row["grid"], run.machine),
    "row_ns": lambda run, row: 1000 * row["median_us"] * 32 / row["n"],
    "issue_us": lambda run, row: issue_us(float(first_launch(run.folder, label(row), "inst_per_warp")) * row["grid"] * row["block"] / 32, run.machine),
}


def run_value(folder, variant, size, column):
    run = in_folder(folder)
    if variant not in run.step_of:
        return UNMEASURED
    row = run.row(variant, size)
    value = row and COMPUTED[column](run, row) if column in COMPUTED else run.get(variant, size, column)
    return value if isinstance(value, float) else None
