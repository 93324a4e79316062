"""tables_model.py: what the model of time predicts (results/sim/model.csv, made by make model) beside what was measured."""
import csv
import re
from collections import namedtuple

from page_markdown import REPOSITORY, elements, short, size_name, table

SIZES = [1 << 16, 1 << 20, 1 << 24, 1 << 28]
SETTLED = {"v0", "v2", "v7", "v7_atomic", "two_pass", "read"}  # constants were settled on them
LADDER = "v0 v1 v2 v3x8 v4 v5 v6 v7 v7_atomic two_pass cooperative vector_x4 ticket flagged_slots sum_f32".split()


# of a variant, at n, in rows of a length or "": what is predicted, its middle, what was measured, and by how much the middle is off
Pair = namedtuple("Pair", "step variant n row low high us limit middle error")
# ninth: nine of ten are no larger; inside: share of measured times that lie in the stated range
Errors = namedtuple("Errors", "count median ninth worst inside")


def lines_of(*names):
    with open("/".join((REPOSITORY, "results", *names))) as lines:
        return list(csv.DictReader(lines))


def measured(folder):
    """{(step, variant, n, row): microseconds} of cold, plain launches; row is "" where there is none."""
    return {(r["step"], r["variant"], int(r["n"]), r.get("row") or ""): float(r["median_us"])
            for r in lines_of(folder, "runs.csv") if r["launch"] == "plain" and r["grid"] and int(r["n"]) in SIZES}


def asked():
    """What make model asks: (GPU, program, row, sizes). Of step 16 not the largest size, which takes minutes."""
    for folder in ("h200", "h100"):
        wanted = {}
        for step, _, n, row in measured(folder):
            program = re.sub(r"^(\d\d)_.*", r"step\1", step)
            if program != "step14" and (program != "step16" or n <= 1 << 24):
                wanted.setdefault((program, row), set()).add(n)
        for (program, row), sizes in wanted.items():
            yield folder, program, row, sizes


def pairs(predictions, folder):
    """predictions: rows of model.csv. Those that were measured in this folder, too, and were not refused."""
    times, found = measured(folder), []
    for r in predictions:
        key = r["step"], r["variant"], int(r["n"]), "" if r["row"] == "0" else r["row"]
        if r["gpu"] == folder and key in times and r["model_limit"] != "refused":
            low, high = float(r["model_low_us"]), float(r["model_high_us"])
            found.append(Pair(*key, low, high, times[key], r["model_limit"], (low + high) / 2, (low + high) / 2 / times[key] - 1))
    return found


def predictions():
    return lines_of("sim", "model.csv")


def errors(of):
    sizes = sorted(abs(p.error) for p in of)
    return Errors(len(sizes), sizes[len(sizes) // 2], sizes[len(sizes) * 9 // 10], sizes[-1], sum(p.low <= p.us <= p.high for p in of) / len(of))


def inverted(of, apart=1.1):
    """Pairs of the ladder, of one n, that were measured so far apart and are predicted the other way around."""
    ladder = [p for p in of if p.variant in LADDER and p.step[:2] < "12"]
    return [(a, b) for a in ladder for b in ladder if a.n == b.n and a.us > apart * b.us and a.middle <= b.middle]


GROUPS = {
    "all": lambda p: True, "00 to 09, 11, blind": lambda p: p.step[:2] in "00 01 02 03 04 05 06 07 08 09 11".split() and p.variant not in SETTLED,
    "00 to 07, settled on": lambda p: p.variant in SETTLED,
    **{name: lambda p, step=name[:2]: p.step.startswith(step) for name in ("10 clusters", "12 types", "13 exact", "15 operators", "16 rows")},
    "toolbox": lambda p: not p.step[:2].isdigit()}


def accuracy(at):
    """For each group of variants: how far the model is from what was measured."""
    of = pairs(predictions(), at.folder)
    found = [(name, errors(some)) for name, belongs in GROUPS.items() for some in [[p for p in of if belongs(p)]] if some]
    return table(["variants", "cases", "median error, %", "nine of ten below, %", "worst, %", "in the range, %"],
                 [[name, count, *(f"{100 * x:.0f}" for x in shares)] for name, (count, *shares) in found], 1)


def ladder(at):
    """The ladder: predicted ranges and measured times."""
    of, sizes = {(p.variant, p.n): p for p in pairs(predictions(), at.folder) if p.step[:2] < "12"}, (1 << 20, 1 << 28)
    return table(["variant", *(f"{what} {size_name(n)}" for n in sizes for what in ("model µs", "measured", "limit"))],
                 [[variant, *(cell for p in (of.get((variant, n)) for n in sizes)
                              for cell in ([f"{short(p.low)} to {short(p.high)}", p.us, p.limit] if p else [""] * 3))] for variant in LADDER], 1)


def beside(variants, folder):
    """For the book, below a table of measured times: the ranges of these variants at 1M and 256M, and what limits each; None if
    nothing of them is predicted. A name may have a row, as row_thread@1K."""
    of = {(p.variant, p.n, p.row): p for p in pairs(predictions(), folder)}
    keys = {name: (name.partition("@")[0], str(elements(name.partition("@")[2])) if "@" in name else "") for name in variants}
    sizes = [n for n in (1 << 20, 1 << 28) if any((v, n, row) in of for v, row in keys.values())]
    rows = [[name] + [cell for p in found for cell in ([f"{short(p.low)}–{short(p.high)}", p.limit] if p else ["–", "–"])]
            for name, (v, row) in keys.items() for found in [[of.get((v, n, row)) for n in sizes]] if any(found)]
    return table(["variant"] + [f"{what} at {size_name(n)}" for n in sizes for what in ("µs", "limit")], rows, 1) if rows else None
