"""tables_trials.py: what was tried on the way (results/FOLDER/trials), and the softmax of the toolbox beside PyTorch's."""
import glob
import os
import re

from figures import UNMEASURED, Figure, combined, elements, percent, ratio, short, size_name
from page_markdown import Problem, table
from results import about, measured_on, path_of, read_rows


# ---- step 11: files with the columns n_log2, cold, kind, overlap, threads, loads, shape, us ----

def trial_value(folder, log2_n, cache, way):
    """The least time of a way; of two ways both from one file: GPUs differ."""
    def least(rows, way):
        (kind, _, overlap), *tokens = [part.partition("+") for part in way.split("@")]
        return min((float(row["us"]) for row in rows if row["kind"] == kind and overlap in ("", row["overlap"])
                    and {token[0] for token in tokens} <= {f"{row['threads']}x{row['loads']}", *row["shape"].split()}), default=None)
    for path in sorted(glob.glob(path_of(folder, "trials", "*.csv"))):
        rows = [row for row in read_rows(folder, "trials/" + os.path.basename(path), ())
                if (row.get("n_log2"), row.get("cold")) == (log2_n, {"cold": "1", "warm": "0"}.get(cache))]
        if all(least(rows, part) is not None for part in re.split("[/-]", way)):
            return combined(way, lambda part: least(rows, part))
    raise Problem(f"results/{folder}/trials has no file with {way} at 2^{log2_n}, {cache}")


# ---- the toolbox ----

def look_back(at):
    """Blocks of 256 threads that do not rest between two looks, or for 200 ns."""
    rows = read_rows(at.folder, "trials/8_look_back.csv", ("kind", "us", "gbps"))
    cub = next(float(row["us"]) for row in rows if row["kind"] == "cub")
    again = {"all": "all 32", "missing": "those missing"}
    lines = [[row["rows"], row["slot_bytes"], again[row["reread"]], row["nap_ns"]]
             + [short(float(row["us"])), short(float(row["gbps"])), short(float(row["us"]) / cub)]
             for row in rows if row["threads"] == "256" and row["nap_ns"] in ("0", "200")]
    lines.sort(key=lambda line: [int(cell) for cell in (line[0], line[3], line[1])] + [line[2]])
    return table(["float4 of a thread", "bytes from slot to slot", "read again", "ns between", "µs at 256M", "GB/s",
                  "time over CUB"], lines, 0)


def match_times(folder):
    """(variant, pattern, n) -> µs"""
    return {(row["variant"], row["pattern"], int(row["n"])): float(row["us"]) for row in
            read_rows(folder, "trials/9_match.csv", ("variant", "n", "pattern", "us"))}


def matched(at):
    """A row for each variant, a column for each pattern and size."""
    times = match_times(at.folder)
    columns = list(dict.fromkeys(key[1:] for key in times))
    return table(["variant"] + [f"µs, {pattern}, {size_name(n)}" for pattern, n in columns],
                 [[variant] + [short(times.get((variant, *column))) for column in columns]
                  for variant in dict.fromkeys(key[0] for key in times)], 1)


def match_value(folder, variant, size, pattern, column):
    n, units = elements(size), {"us": 1, "row_ns": 1000 * 32 / elements(size)}
    if column not in units:
        raise Problem(f"no column {column} of trials/9_match.csv; there are us and row_ns")
    if (variant, pattern, n) not in match_times(folder):
        raise Problem(f"results/{folder}/trials/9_match.csv holds no {variant} of {pattern} at {size}")
    return match_times(folder)[variant, pattern, n] * units[column]


# ---- softmax.csv and softmax_torch.csv, which make compare-softmax writes ----

SOFTMAX = {"warp": "warp", "warp_shared": "warp, shared memory", "block": "block", "cluster": "cluster", "torch": "PyTorch"}


class Softmax:
    """Cold and launched alone: rows of the CSV by name, row and n."""

    def __init__(self, folder):
        self.roof, self.rows = {}, {}
        if os.path.exists(path_of(folder, "softmax_torch.csv")):
            self.rows = {("torch", int(row["row"]), int(row["n"])): row for row in
                         read_rows(folder, "softmax_torch.csv", ("row", "n", "median_us", "gbps", "torch"))}
        for row in read_rows(folder, "softmax.csv", ("variant", "n", "row", "launch", "grid", "median_us", "gbps", "task")):
            if row["launch"] == "plain" and row["pct_roof"]:
                n = int(row["n"])
                self.rows[row["variant"][len("softmax_"):], int(row["row"]), n] = row
                self.roof[n] = 100 * float(row["gbps"]) / float(row["pct_roof"])

    def get(self, name, row, n, column):
        """A number, or None where it was not measured. best: the fastest of ours."""
        if name == "best":
            ours = [(float(of["median_us"]), key[0]) for key, of in self.rows.items() if key[0] != "torch" and key[1:] == (row, n)]
            name = min(ours)[1] if ours else None
        of = self.rows.get((name, row, n))
        if of is None or column == "block_ns" and "grid" not in of:
            return None
        if column == "block_ns":
            return 1000 * float(of["median_us"]) / int(of["grid"])
        return 100 * float(of["gbps"]) / self.roof[n] if column == "pct_roof" else float(of[column])


def softmax_value(folder, variant, row, size, column):
    if column not in ("median_us", "gbps", "pct_roof", "block_ns"):
        raise Problem(f"no column {column} of a softmax; there are median_us, gbps, pct_roof, block_ns")
    value = Softmax(folder).get(variant, elements(row), elements(size), column)
    if value is None:
        raise Problem(f"results/{folder} holds no {column} of a softmax of {variant} in rows of {row} at {size}")
    return Figure(value, percent(value)) if column == "pct_roof" else value


def softmax(at):
    run, size = Softmax(at.folder), at.argument or "256M"
    lines, n = [], elements(size)
    for row in sorted({key[1] for key in run.rows if key[2] == n}):
        cells = []
        for name in SOFTMAX:
            gbps, share = (run.get(name, row, n, column) for column in ("gbps", "pct_roof"))
            cells.append(UNMEASURED if gbps is None else f"{short(gbps)} · {percent(share)}")
        faster = ratio(run.get("torch", row, n, "median_us"), run.get("best", row, n, "median_us"))
        lines.append([size_name(row)] + cells + [UNMEASURED if faster is None else f"{faster:.2f}×"])
    if not lines:
        raise Problem(f"results/{at.folder}/softmax.csv has no n = {size}")
    return table(["floats of a row"] + [f"{what}, GB/s · %" for what in SOFTMAX.values()] + ["best of ours over PyTorch"], lines, 1)


def softmaxed_line(at):
    return measured_on(about(at.folder, "softmax.json"), "runtime", "torch") + \
        " Percent are of a plain copy of as many floats in the same run."
