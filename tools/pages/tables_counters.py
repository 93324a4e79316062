"""tables_counters.py: a GPU's own counters (counters.csv, which make counters writes), beside the simulator's."""
import csv
import os
import textwrap

import results
from page_markdown import Problem, count_text, link, percent, short, size_name, table
from results import in_folder, read_rows

PROFILED_SIZE = 65536
PROFILED_BLOCKS = {65536: 256, 20000: 128}  # n: threads in a block, of the launches that the pages speak of
COMPARED = {"gld_requests": "load requests", "gld_sectors": "load sectors", "gst_requests": "store requests", "gst_sectors": "store sectors",
            "shared_ld_wavefronts": "shared load wavefronts", "shared_st_wavefronts": "shared store wavefronts"}
# All launches of a sum: a column of both, and what a table calls it.
SUMMED = {**COMPARED, "barriers": "barriers", "shuffles": "shuffles and votes", "atomics": "atomics"}
# The first launch alone, as the GPU measured it: a mean cannot be added up.
MEANS = {"inst_per_warp": "instructions per warp", "simt_efficiency": "SIMT efficiency, %", "branch_efficiency": "branch efficiency, %"}


def profiled(folder, n=PROFILED_SIZE):
    """The launches at one size, and at the block that the pages speak of."""
    rows = read_rows(folder, "counters.csv", ("step", "variant", "n", "block", "grid", "pass"))
    try:
        chosen = [row for row in rows if (int(row["n"]), int(row["block"])) == (n, PROFILED_BLOCKS.get(n))]
    except ValueError as error:
        raise Problem(f"results/{folder}/counters.csv cannot be read ({error}); make counters writes it")
    if not chosen:
        raise Problem(f"results/{folder}/counters.csv holds nothing for n = {n}; the pages know {list(PROFILED_BLOCKS)}")
    return chosen


def first_launch(folder, variant, column, n=PROFILED_SIZE):
    """What a GPU counted in the first launch, as text."""
    row = next((row for row in profiled(folder, n) if row["variant"] == variant and row["pass"] == "1"), {})
    if not row.get(column):
        raise Problem(f"results/{folder}/counters.csv holds no {column} of {variant}")
    return row[column]


def counter_line(at):
    values = []
    for variant in ("v0", "v1", "v2"):
        value = first_launch(at.folder, variant, at.argument)
        share = at.argument.endswith("efficiency") and at.argument != "branch_efficiency"
        values.append(f"{variant} {percent(100 * float(value)) if share else count_text(value)}" + " %" * at.argument.endswith("efficiency"))
    return " · ".join(values)


def beside(at):
    """One number where both counted the same. A grid sized by the device differs: left out."""
    simulator, sums, rows = in_folder(at.argument), {}, []
    for row in profiled(at.folder):
        sums.setdefault((row["step"], row["variant"]), []).append(row)
    for (step, variant), launches in sums.items():
        simulated = simulator.row(variant, PROFILED_SIZE)
        if simulated and simulated["task"] == "sum" and simulated["grid"] == float(launches[0]["grid"]):
            counts = [(sum(int(row[column]) for row in launches), simulated[column]) for column in COMPARED]
            rows.append([link(step, at.page), variant, *(f"{gpu:,}" if gpu == sim else f"{gpu:,} / {short(sim)}" for gpu, sim in counts)])
    return table(["step", f"variant, n = {size_name(PROFILED_SIZE)}", *COMPARED.values()], rows, 2)


def as_blocks_count(row):
    """A GPU's launch with the simulator's names: it counts barriers once for each warp of a block, votes beside shuffles, and two kinds of atomics."""
    warps = -(-int(row.get("threads") or row["block"]) // 32)  # threads: of this launch
    return {**{column: int(row[column]) for column in COMPARED}, "barriers": int(row["barriers"]) // warps,
            "shuffles": int(row["shuffles"]) + int(row["votes"]), "atomics": int(row["atomics"]) + int(row["reductions"])}


def differences():
    """(variants, counts, why) where the simulator counts something else than a GPU; tests/test_counters.py holds them to it."""
    with open(os.path.join(os.path.dirname(__file__), "differences.csv")) as file:
        return [(row["variants"].split(), row["counts"].split(), row["why"]) for row in csv.DictReader(file)]


def entries(chosen):
    """A list: counts, variants, and why."""
    called = {**SUMMED, "simt_efficiency": "SIMT efficiency"}
    return "\n".join(textwrap.fill(f"- *{', '.join(map(called.get, counts))}* of {', '.join(variants)}: {why}.", 120,
                                   subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
                     for variants, counts, why in chosen)


def differ(_):
    return entries(differences())


def reasons(names, columns):
    """Under a table of such variants: why they differ where they do. columns: what the table says of each."""
    cells_of = dict(zip(names, columns))
    here = [([name for name in names if name in variants and any("(simulator" in cells_of[name][count] for count in counts)], counts, why)
            for variants, counts, why in differences()]
    chosen = [entry for entry in here if entry[0]]
    return f"\n\nWhere the simulator counts something else:\n\n{entries(chosen)}" if chosen else ""


def why_cells(launches, simulated):
    """counter -> what a table says of it; GPU and simulator in one if they agree."""
    counted, cells = [as_blocks_count(row) for row in launches], {"launches": str(len(launches))}
    for column in SUMMED:
        gpu, other = sum(row[column] for row in counted), int(simulated[column])
        cells[column] = f"{gpu:,}" if gpu == other else f"{gpu:,} (simulator {other:,})"
    for column in MEANS:
        mean = launches[0][column] and float(launches[0][column]) * (100 if column == "simt_efficiency" else 1)
        if not mean and not int(launches[0].get("branches") or 0):
            mean = None  # without a branch there is no efficiency; with some it may be 0
        cells[column] = (short if column == "inst_per_warp" else percent)(mean)
    cells["simt_efficiency"] += f" (simulator {percent(100 * float(simulated['simt_efficiency']))})"
    return cells


def why(at):
    """A counter in each row, a variant in each column."""
    listed, _, size = at.argument.partition("@")
    names, n = listed.split(","), int(size or PROFILED_SIZE)
    names, missing = results.split(names, {row["variant"] for row in profiled(at.folder, n)})
    line = f"*Not profiled yet: {', '.join(missing)}: `make counters`, on a GPU, writes results/{at.folder}/counters.csv.*"
    if not names:
        return line
    recorded = {(row["variant"], int(row["n"])): row for row in
                read_rows("sim", "counters.csv", ("variant", "n", "block", "task", "simt_efficiency", *SUMMED))}
    without = [name for name in names if (name, n) not in recorded]
    if without:
        raise Problem(f"results/sim/counters.csv has no {without[0]} at n = {n}; make counters-sim COUNTERS=results/sim/counters.csv writes it")
    columns = [why_cells([row for row in profiled(at.folder, n) if row["variant"] == name], recorded[name, n]) for name in names]
    what = {"launches": "launches", **SUMMED, **MEANS}
    rows = [[what[counter], *(cells[counter] for cells in columns)] for counter in what
            if counter in ("launches", "gld_requests") or any(cells[counter] not in ("0", "–") for cells in columns)]
    one = "one sum" if recorded[names[0], n]["task"] == "sum" else "one run"
    size = size_name(n) if n % 1024 == 0 else f"{n:,}"
    return table([f"{one}, n = {size}, blocks of {PROFILED_BLOCKS[n]}"] + names, rows, 1) + reasons(names, columns) + \
        f"\n\n{line}" * bool(missing)
