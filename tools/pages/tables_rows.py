"""tables_rows.py: reduce_rows(), reduce_columns() and reduce_segments() beside their rivals, as make compare-rows recorded them:
rows.csv, rows_torch.csv, segments.csv; and of half and bfloat16, as make compare-row-types did: row_types.csv, row_types_torch.csv,
segment_types.csv. The roof is a plain read's speed in the same run, for bytes read and written together."""
import os
import statistics

import schema
from page_markdown import UNMEASURED, Figure, Problem, elements, percent, size_name, table
from results import cached, path_of, read_rows

ELEMENT_BYTES, OFFSET_BYTES = {"float": 4, "half": 2, "bfloat16": 2}, 8
ANSWER_BYTES = {"argmax": 8, "argmin": 8, "mean_var": 8}  # others 4
OPERATORS = {"sum": "sum", "max": "max", "argmax": "argmax", "mean_var": "mean and variance", "log_sum_exp": "log-sum-exp", "norm": "norm"}
RIVALS = {"cub_newer_rows": "CUB", "cub_newer_offsets": "CUB, offsets", "cub_offsets": "older CUB", "torch": "PyTorch", "torch_compile": "torch.compile"}
KINDS = {"three": "all of 3", "hundred": "all of 100", "4097": "all of 4097", "every_power": "powers of two up to 64K", "half_empty": "half of them empty",
         "one_of_all": "one with nearly all, others of 3"}
OF = ("rows", "columns", "segments")
FILES = {"rows": ("rows.csv", "rows_torch.csv"), "segments": ("segments.csv",),
         "row_types": ("row_types.csv", "row_types_torch.csv"), "segment_types": ("segment_types.csv",)}
READ = 1 << 28  # elements, of the plain read that is the roof
TYPES = ("half", "bfloat16")
AHEAD = 1.02  # our time over a rival's, from which on the rival is called faster


@cached
class Shapes:
    """The rows of one of FILES by what was asked: (element, operator, of, columns, n) or ([element,] operator, of, n), and rival."""

    def __init__(self, folder, kind):
        self.folder, self.kind, self.found = folder, kind, {}
        for file in FILES[kind]:
            if file == FILES[kind][0] or os.path.exists(path_of(folder, file)):
                for row in read_rows(folder, file, ("operator", "of", "n", "rival", "ours_us", "rival_us", "ratio")):
                    self.found.setdefault(self.asked(row), {})[row["rival"]] = row

    def asked(self, row):
        """n of segments and of odd columns lies a little below the power of two that was asked for, which tells it here."""
        n = int(row["n"])
        nominal = 1 << (n - 1).bit_length() if n > 1 else n
        if self.kind == "segments":
            return row["operator"], row["of"], nominal
        if self.kind == "segment_types":
            return row["element"], row["operator"], row["of"], nominal
        return row.get("element") or "float", row["operator"], row["of"], int(row["columns"]), nominal

    def rivals(self, *asked):
        return {name: row for name, row in self.found.get(asked, {}).items() if name in RIVALS}

    def best(self, *asked):
        """(name, row) of the fastest rival beside which ours was timed, or None."""
        rivals = self.rivals(*asked)
        return max(rivals.items(), key=lambda pair: float(pair[1]["ratio"])) if rivals else None

    def bytes_of(self, row):
        n, answers, element = int(row["n"]), self.answers(row), ELEMENT_BYTES[row.get("element") or "float"]
        return n * element + answers * ANSWER_BYTES.get(row["operator"], 4) + ("columns" not in row) * (answers + 1) * OFFSET_BYTES

    def answers(self, row):
        if "columns" not in row:
            return int(row["segments"])
        columns = int(row["columns"])
        return int(row["n"]) // columns if row["of"] == "rows" else columns

    def share(self, row, us, roof="read"):
        """Percent of the roof, of `us` microseconds for this shape."""
        return 100 * self.bytes_of(row) / us / 1e3 / self.roof(roof)

    def roof(self, name="read"):
        """GB/s of a plain read, or copy, of 256M elements, floats where there are some: the median of all in the file."""
        reads = [rivals[name] for asked, rivals in self.found.items() if asked[-1] == READ and name in rivals]
        floats = [row for row in reads if row.get("element", "float") == "float"]
        if not reads:
            raise Problem(f"results/{self.folder}/{FILES[self.kind][0]} has no plain {name} of 256M elements")
        return statistics.median(int(row["n"]) * ELEMENT_BYTES[row.get("element", "float")] / 1e3 / float(row["rival_us"]) for row in floats or reads)

    def ours(self, *asked, roof="read"):
        """Percent of the roof, of ours; None where it was not measured."""
        rows = self.found.get(asked)
        row = rows and (rows.get("read") or next(iter(rows.values())))
        return row and self.share(row, float(row["ours_us"]), roof)


def widths(shapes, of, n):
    return sorted({key[3] for key in shapes.found if key[0] == "float" and key[2] == of and key[4] == n})


def asked_for(at):
    """OF,SIZE[,COLUMNS...]"""
    of, size, *chosen = at.names
    return of, elements(size), [elements(text) for text in chosen]


def shares(at):
    """A line for each number of columns, a column for each operator: percent of the roof."""
    (of, n, chosen), shapes = asked_for(at), Shapes(at.folder, "rows")
    operators = [name for name in OPERATORS if any(key[1:3] == (name, of) for key in shapes.found)]
    return table(["columns", *(OPERATORS[name] for name in operators)],
                 [[f"{columns:,}"] + [percent(shapes.ours("float", name, of, columns, n)) for name in operators]
                  for columns in chosen or widths(shapes, of, n)], 1)


def beside(name, row):
    return f"{float(row['ratio']):.3f} {RIVALS[name]}"


def row_ratios(at):
    """The same: our time over that of the fastest rival, and which that is."""
    (of, n, chosen), shapes = asked_for(at), Shapes(at.folder, "rows")
    operators = [name for name in OPERATORS if any(key[1:3] == (name, of) for key in shapes.found)]
    lines = []
    for columns in chosen or widths(shapes, of, n):
        best = [shapes.best("float", name, of, columns, n) for name in operators]
        lines.append([f"{columns:,}"] + [beside(*pair) if pair else UNMEASURED for pair in best])
    return table(["columns", *(OPERATORS[name] for name in operators)], lines, 1)


def segment_shares(at):
    """A line for each kind of lengths and SIZE: percent of the roof, and our time over the fastest rival's."""
    shapes, operators = Shapes(at.folder, "segments"), ("sum", "max", "argmax")
    lines = []
    for kind, words in KINDS.items():
        for size in at.names:
            n = elements(size)
            best = [shapes.best(name, kind, n) for name in operators]
            lines.append([words, size] + [percent(shapes.ours(name, kind, n)) for name in operators]
                         + [f"{float(pair[1]['ratio']):.3f}" if pair else UNMEASURED for pair in best])
    return table(["lengths", "n", *(f"{name}, % of the roof" for name in operators), *(f"{name} ÷ CUB" for name in operators)], lines, 2)


def share_and_rival(shapes, *key):
    share, best = shapes.ours(*key), shapes.best(*key)
    return UNMEASURED if share is None else percent(share) + (f"; {beside(*best)}" if best else "")


def row_types(at):
    """OF,SIZE...: a line for each type, number of columns (or lengths of segments) and SIZE."""
    of, *sizes = at.names
    segments = of == "segments"
    shapes, lines = Shapes(at.folder, "segment_types" if segments else "row_types"), []
    keys = [key for key in shapes.found if segments or key[2] == of]
    operators = [name for name in OPERATORS if any(key[1] == name for key in keys)]
    for size in sizes:
        n = elements(size)
        for what in [kind for kind in KINDS if any(key[2] == kind for key in keys)] if segments else sorted({key[3] for key in keys if key[4] == n}):
            for element in TYPES:
                lines.append([size, KINDS[what] if segments else f"{what:,}", element]
                             + [share_and_rival(shapes, element, name, *((what,) if segments else (of, what)), n) for name in operators])
    return table(["n", "lengths" if segments else "columns", "type", *(OPERATORS[name] for name in operators)], lines, 3)


def rivals_ahead(at):
    """A line for each operator: the shapes of floats that have a rival, those in which it is faster, and the worst of them."""
    timed = {}
    for kind in ("rows", "segments"):
        if not os.path.exists(path_of(at.folder, FILES[kind][0])):
            continue
        shapes = Shapes(at.folder, kind)
        for key in shapes.found:
            best = shapes.best(*key)
            if best is None or kind == "rows" and key[0] != "float":
                continue
            operator, of, *columns, n = key[-4:] if kind == "rows" else key
            of, where = (of, f"columns: {columns[0]:,}") if columns else (kind, KINDS[of])
            timed.setdefault((of, operator), []).append((float(best[1]["ratio"]), f"{RIVALS[best[0]]} ({where}; n = {size_name(n)})"))
    lines = []
    for of in OF:
        for operator in OPERATORS:
            found = timed.get((of, operator))
            if found:
                ratio, rival = max(found)
                lines.append([of, OPERATORS[operator], str(len(found)), str(sum(pair[0] > AHEAD for pair in found)), f"{ratio:.3f} {rival}"])
    return table(["of", "operator", "shapes timed", "a rival is faster in", "at worst, our time over the rival's"], lines, 2)


def map_value(folder, variant, row, size, column):
    """Of rows_map.csv: kernels of step 16 in rows of so many floats, cold, launched alone."""
    lines, faults = schema.read_run(path_of(folder, "rows_map.csv"))
    if faults:
        raise Problem(f"results/{folder}/rows_map.csv: {faults[0]}")
    for line in lines:
        if (line["variant"], line["row"], line["n"], line["cache"], line["launch"]) == (variant, elements(row), elements(size), "cold", "plain"):
            return line[column]
    raise Problem(f"results/{folder}/rows_map.csv holds no {variant} in rows of {row} at {size}")


def rows_value(kind):
    """RIVAL: its name, best, read or copy; COLUMN: of the CSV, or share: percent of the roof, of ours; with copy, of a copy's speed."""
    def get(folder, *words):
        *asked, size, rival, column = words
        if kind == "rows":
            operator, of, columns = asked
            asked = "float", operator, of, elements(columns)
        shapes, key = Shapes(folder, kind), (*asked, elements(size))
        pair = shapes.best(*key) if rival == "best" else (rival, shapes.found.get(key, {}).get(rival))
        if pair is None or pair[1] is None or column != "share" and not pair[1].get(column):
            raise Problem(f"results/{folder}/{FILES[kind][0]} holds no {column} of {' '.join(words[:-1])}")
        if column == "share":
            number = shapes.ours(*key, roof="copy" if rival == "copy" else "read")
            return Figure(number, f"{number:.1f}")
        number = float(pair[1][column])
        return Figure(number, f"{number:.3f}") if column in ("ratio", "low", "high") else number
    return get
