"""tables_rows.py: reduce_rows(), reduce_columns() and reduce_segments() beside their rivals, as make compare-rows recorded them:
rows.csv, rows_torch.csv, segments.csv; and of half and bfloat16, as make compare-row-types did: row_types.csv, row_types_torch.csv,
segment_types.csv. The roof is a plain read's speed in the same run, for bytes read and written together."""
import os
import statistics

from page_markdown import UNMEASURED, Problem, elements, figure, percent, size_name, table
from results import cached, path_of, read_csv, read_rows

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
        element = () if self.kind == "segments" else (row.get("element") or "float",)
        columns = () if self.kind.startswith("segment") else (int(row["columns"]),)
        return *element, row["operator"], row["of"], *columns, 1 << (int(row["n"]) - 1).bit_length()

    def best(self, *asked):
        """(name, row) of the fastest rival beside which ours was timed, or None."""
        rivals = [(name, row) for name, row in self.found.get(asked, {}).items() if name in RIVALS]
        return max(rivals, key=lambda pair: float(pair[1]["ratio"]), default=None)

    def bytes_of(self, row):
        n, element = int(row["n"]), ELEMENT_BYTES[row.get("element") or "float"]
        segments = "columns" not in row
        answers = int(row["segments"]) if segments else n // int(row["columns"]) if row["of"] == "rows" else int(row["columns"])
        return n * element + answers * ANSWER_BYTES.get(row["operator"], 4) + segments * (answers + 1) * OFFSET_BYTES

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
        return row and 100 * self.bytes_of(row) / float(row["ours_us"]) / 1e3 / self.roof(roof)


def widths(shapes, of, n):
    return sorted({key[3] for key in shapes.found if key[0] == "float" and key[2] == of and key[4] == n})


def of_rows(cell):
    """OF,SIZE[,COLUMNS...]: a line for each number of columns, a column for each operator: cell(shapes, element, operator, of, columns, n)."""
    def make(at):
        (of, size, *chosen), shapes = at.names, Shapes(at.folder, "rows")
        n, operators = elements(size), [name for name in OPERATORS if any(key[1:3] == (name, of) for key in shapes.found)]
        return table(["columns", *(OPERATORS[name] for name in operators)],
                     [[f"{columns:,}", *(cell(shapes, "float", name, of, columns, n) for name in operators)]
                      for columns in [*map(elements, chosen)] or sorted({key[3] for key in shapes.found if (key[0], key[2], key[4]) == ("float", of, n)})], 1)
    return make


def beside(shapes, *asked):
    """Our time over that of the fastest rival, and which that is."""
    best = shapes.best(*asked)
    return best and f"{float(best[1]['ratio']):.3f} {RIVALS[best[0]]}"


shares, row_ratios = of_rows(lambda shapes, *asked: percent(shapes.ours(*asked))), of_rows(beside)


def segment_shares(at):
    """A line for each kind of lengths and SIZE: percent of the roof, and our time over the fastest rival's."""
    shapes, operators = Shapes(at.folder, "segments"), ("sum", "max", "argmax")
    return table(["lengths", "n", *(f"{name}, % of the roof" for name in operators), *(f"{name} ÷ CUB" for name in operators)],
                 [[words, size, *(percent(shapes.ours(name, kind, elements(size))) for name in operators),
                   *(best and f"{float(best[1]['ratio']):.3f}" for best in (shapes.best(name, kind, elements(size)) for name in operators))]
                  for kind, words in KINDS.items() for size in at.names], 2)


def share_and_rival(shapes, *asked):
    share, rival = shapes.ours(*asked), beside(shapes, *asked)
    return UNMEASURED if share is None else percent(share) + (f"; {rival}" if rival else "")


def row_types(at):
    """OF,SIZE...: a line for each type, number of columns (or lengths of segments) and SIZE."""
    (of, *sizes), lines = at.names, []
    segments = of == "segments"
    shapes = Shapes(at.folder, "segment_types" if segments else "row_types")
    keys = [key for key in shapes.found if segments or key[2] == of]
    operators = [name for name in OPERATORS if any(key[1] == name for key in keys)]
    for size in sizes:
        n = elements(size)
        shown = {(kind,): words for kind, words in KINDS.items() if any(key[2] == kind for key in keys)} if segments else \
            {(of, columns): f"{columns:,}" for columns in sorted({key[3] for key in keys if key[4] == n})}
        lines += [[size, words, element, *(share_and_rival(shapes, element, name, *what, n) for name in operators)]
                  for what, words in shown.items() for element in TYPES]
    return table(["n", "lengths" if segments else "columns", "type", *(OPERATORS[name] for name in operators)], lines, 3)


def rivals_ahead(at):
    """A line for each operator: the shapes of floats that have a rival, those in which it is faster, and the worst of them."""
    timed = {}
    for kind in ("rows", "segments"):
        shapes = Shapes(at.folder, kind) if os.path.exists(path_of(at.folder, FILES[kind][0])) else None
        for key in shapes.found if shapes else ():
            best = shapes.best(*key)
            if best and (kind == "segments" or key[0] == "float"):
                operator, of, *columns, n = key[-4:] if kind == "rows" else key
                of, where = (of, f"columns: {columns[0]:,}") if columns else (kind, KINDS[of])
                timed.setdefault((of, operator), []).append((float(best[1]["ratio"]), f"{RIVALS[best[0]]} ({where}; n = {size_name(n)})"))
    return table(["of", "operator", "shapes timed", "a rival is faster in", "at worst, our time over the rival's"],
                 [[of, OPERATORS[operator], len(found), sum(pair[0] > AHEAD for pair in found), "{:.3f} {}".format(*max(found))]
                  for of in OF for operator in OPERATORS for found in [timed.get((of, operator))] if found], 2)


def map_value(folder, variant, row, size, column):
    """Of rows_map.csv: kernels of step 16 in rows of so many floats, cold, launched alone."""
    wanted = {"variant": variant, "row": elements(row), "n": elements(size), "cache": "cold", "launch": "plain"}
    return next((line[column] for line in read_csv(path_of(folder, "rows_map.csv")) if wanted.items() <= line.items()), None)


def rows_value(kind):
    """RIVAL: its name, best, read or copy; COLUMN: of the CSV, or share: percent of the roof, of ours; with copy, of a copy's speed."""
    def get(folder, *words):
        *asked, size, rival, column = words
        if kind == "rows":
            operator, of, columns = asked
            asked = "float", operator, of, elements(columns)
        shapes, key = Shapes(folder, kind), (*asked, elements(size))
        row = (shapes.best(*key) or [None, {}])[1] if rival == "best" else shapes.found[key][rival]
        return figure(shapes.ours(*key, roof="copy" if rival == "copy" else "read") if column == "share" else float(row[column]), column)
    return get
