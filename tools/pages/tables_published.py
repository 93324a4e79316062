"""tables_published.py: the figures that the source documents print (results/published), and ours beside them."""
from figures import Figure, count_text, elements, percent, short, times
from page_markdown import Problem, table
from results import in_folder, read_rows
from tables_counters import first_launch

THEIR_SIZE = 1 << 25  # elements of source 001: see bytes below
OURS = {"v3": "v3x8"}  # source 001's name -> the variant here with as many elements for each block
NVPROF = {"inst_per_warp": "inst_per_warp", "gld_throughput": "gld_gbps", "branch_efficiency": "branch_efficiency",
          "branch": "branches", "divergent_branch": "divergent_branches"}  # its counter -> our column


def published():
    """(variant, quantity) -> the figure as it is printed, two digits after the point: 26,214,400, 380.88, 100."""
    figures = {}
    columns = ("document", "section", "gpu", "variant", "quantity", "unit", "value")
    for line, row in enumerate(read_rows("published", "figures.csv", columns), 2):
        try:
            text = f"{float(row['value']):,.2f}".rstrip("0").rstrip(".")
        except ValueError:
            raise Problem(f"results/published/figures.csv: line {line}: value is not a number: {row['value']}")
        figures[row["variant"], row["quantity"]] = Figure(row["value"], text)
    return figures


WORKED_OUT = {  # quantity -> our arithmetic on figures of a variant: get(quantity, variant)
    # what the printed bandwidth and time were made of
    "bytes": lambda get: get("time") * get("bandwidth") * 1e6,
    # elements of a block: one partial sum for each block is written
    "block_share": lambda get: THEIR_SIZE / ((get("bytes") - 4 * THEIR_SIZE) / 4),
    "speedup": lambda get: get("time", "v0") / get("time"),
    "theory_share": lambda get: 100 * get("bandwidth") / get("theory", "gtx1060"),
    # source 004: the bytes that share, theory and time make
    "million_elements": lambda get: get("share") / 100 * get("theory", "a30") * get("time") * 1e3 / 4 / 1e6,
}


def published_value(folder, variant, quantity):
    def get(quantity, name=variant):
        if (name, quantity) in published():
            return published()[name, quantity]
        if quantity in WORKED_OUT:
            return WORKED_OUT[quantity](get)
        raise Problem(f"results/published/figures.csv holds no {quantity} of {name}")
    return get(quantity)


def gpu_name(folder):
    return str(in_folder(folder).machine.get("gpu")).replace("NVIDIA ", "")


def beside_published(at):
    run, n, rows = in_folder(at.folder), elements("256M"), []
    for name in at.names:
        ours = OURS.get(name, name)
        time, bandwidth, theory, speedup = (float(published_value("published", name, quantity)) for quantity in
                                            ("time", "bandwidth", "theory_share", "speedup"))
        rows.append([name if ours == name else f"{name} (here {ours})", short(time), short(bandwidth), percent(theory), times(speedup),
                     short(run.get(ours, n, "median_us")), short(run.get(ours, n, "gbps")), percent(run.get(ours, n, "theory_pct")),
                     times(run.get(ours, n, "speedup"))])
    return table(["variant", "GTX 1060, 2^25: ms", "GB/s", "% of theory", "over v0",
                  f"{gpu_name(at.folder)}, 2^28: µs", "GB/s", "% of theory", "over v0"], rows, 1)


def nvprof(at):
    figures, rows = published(), []
    for quantity, column in NVPROF.items():
        cells = [short(figures.get((name, quantity))) for name in at.names]
        if set(cells) != {"–"}:
            rows.append([f"`{quantity}`"] + cells + [count_text(first_launch(at.folder, name, column)) for name in at.names])
    if not rows:
        raise Problem(f"results/published/figures.csv holds no counter of {', '.join(at.names)}")
    return table(["nvprof's name"] + [f"{name}, GTX 1060" for name in at.names]
                 + [f"{name}, {gpu_name(at.folder)}" for name in at.names], rows, 1)


def shuffles(at):
    rows = [row for row in read_rows("published", "shuffles.csv", ("threads", "thread", "value", "read"))
            if row["threads"] == at.argument]
    if not rows:
        raise Problem(f"results/published/shuffles.csv holds nothing of {at.argument} threads")
    lines = [("thread", [row["thread"] for row in rows]), ("---", ["--:"] * len(rows)),
             ("has", [row["value"] for row in rows]), ("reads", [row["read"] for row in rows])]
    return "\n".join("| " + " | ".join([what] + cells) + " |" for what, cells in lines)
