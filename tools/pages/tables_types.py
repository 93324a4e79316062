"""tables_types.py: lessons 12 and 13 beside their rivals: types.csv, types_torch.csv, exact.csv."""
import os

from figures import Figure, elements, percent, short, size_name
from page_markdown import Problem, table
from results import about, measured_on, path_of, read_rows

COLUMNS = ("n", "cache", "launch", "rival", "ours_us", "rival_us", "ratio", "low", "high")
RIVALS = {"cub": "÷ CUB", "torch": "÷ PyTorch"}
PATTERNS = ("uniform", "normal", "lognormal", "wide")


class Pairs:
    """Rows of a comparison by kind (element or pattern), n, cache, launch and rival."""

    def __init__(self, folder, kind, *files):
        self.folder, self.file, self.rows = folder, files[0], {}
        for file in files:
            if file == files[0] or os.path.exists(path_of(folder, file)):
                for row in read_rows(folder, file, (kind, *COLUMNS)):
                    self.rows[(row[kind], int(row["n"]), row["cache"], row["launch"], row["rival"])] = row
        self.kinds = list(dict.fromkeys(key[0] for key in self.rows))

    def sizes(self, kind, rival):
        return sorted({key[1] for key in self.rows if (key[0], key[4]) == (kind, rival)})

    def get(self, column, kind, n, rival, cache="cold", launch="graph"):
        """A number, or None. share: 100 * rival's time / ours."""
        row = self.rows.get((kind, n, cache, launch, rival))
        if row is None:
            return None
        if column == "share":
            share = 100 / float(row["ratio"])
            return Figure(share, percent(share))
        return Figure(row[column], f"{float(row[column]):.3f}") if column in ("ratio", "low", "high") else float(row[column])


def of_types(folder):
    return Pairs(folder, "element", "types.csv", "types_torch.csv")


def of_exact(folder):
    return Pairs(folder, "pattern", "exact.csv")


def value(pairs_of):
    def get(folder, kind, size, cache, launch, rival, column):
        if column not in ("ours_us", "rival_us", "ratio", "low", "high", "share"):
            raise Problem(f"no column {column}; there are ours_us, rival_us, ratio, low, high, share")
        pairs = pairs_of(folder)
        found = pairs.get(column, kind, elements(size), rival, cache, launch)
        if found is None:
            raise Problem(f"results/{folder}/{pairs.file} holds no {rival}, {launch}, {cache} of {kind} at {size}")
        return found
    return get


def types(at):
    """A line for each type, at one size."""
    pairs, n, lines = of_types(at.folder), elements(at.argument or "256M"), []
    for kind in pairs.kinds:
        lines.append([kind, short(pairs.get("share", kind, n, "read"))] +
                     [short(pairs.get("ratio", kind, n, rival)) for rival in RIVALS])
    return table(["type", "% of a plain read", *RIVALS.values()], lines, 1)


def type_sizes(at):
    """Our time over a rival's, size by size."""
    pairs = of_types(at.folder)
    sizes = sorted({n for kind in pairs.kinds for n in pairs.sizes(kind, at.argument)})
    if not sizes:
        raise Problem(f"results/{at.folder}/types.csv has no rival {at.argument}")
    return table(["n", *pairs.kinds], [[size_name(n)] + [short(pairs.get("ratio", kind, n, at.argument)) for kind in pairs.kinds]
                                       for n in sizes], 1)


def exact(at):
    """sum_f32_exact() over others, for numbers of one kind."""
    pairs = of_exact(at.folder)
    sizes = pairs.sizes(at.argument, "sum_f32")
    if not sizes:
        raise Problem(f"results/{at.folder}/exact.csv has no numbers of the kind {at.argument}; there are {', '.join(PATTERNS)}")
    lines = [[size_name(n), short(pairs.get("ours_us", at.argument, n, "sum_f32"))] +
             [short(pairs.get("ratio", at.argument, n, rival)) for rival in ("sum_f32", "read", "cub_gpu_to_gpu")] for n in sizes]
    return table(["n", "µs", "÷ sum_f32()", "÷ plain read", "÷ CUB `gpu_to_gpu`"], lines, 1)


def line(file):
    return lambda at: measured_on(about(at.folder, file), "nvidia_driver", "runtime", "cccl", "newer_cccl", "torch") + " Cold, in a graph."
