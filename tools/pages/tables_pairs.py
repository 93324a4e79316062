"""tables_pairs.py: our functions beside their rivals, as the comparisons recorded them: compare.csv (lesson 11), types.csv and
types_torch.csv (12), exact.csv (13), many_gpus.csv (14), softmax.csv (the toolbox); and why those of 08, 11 and 13 are as fast as
they are: sweep.csv, tune.csv, profile.csv, exact_profile.csv."""
import os

from page_markdown import UNMEASURED, Problem, count_text, elements, figure, percent, ratio, short, size_name, table
from results import STEP_SIZES, about, cached, measured_on, path_of, read_csv, read_rows, version

# What is compared: its files, and the column besides n, cache, launch and rival that tells rows apart.
KINDS = {"compare": ("offset", "compare.csv"), "types": ("element", "types.csv", "types_torch.csv"), "exact": ("pattern", "exact.csv"),
         "gpus": ("gpus", "many_gpus.csv")}
CACHES, WHOLE = ("cold", "warm"), ("offset", "gpus", "n")


@cached
class Pairs:
    """Rows of one kind by (offset, element, pattern or gpus), n, cache, launch and rival."""

    def __init__(self, folder, kind):
        first, *files = KINDS[kind]
        keys = first, "n", "cache", "launch", "rival"
        self.rows = {tuple(int(row[key]) if key in WHOLE else row[key] for key in keys): row for file in files
                     if file == files[0] or os.path.exists(path_of(folder, file)) for row in read_rows(folder, file, (*keys, "ratio"))
                     if row.get("way", "nvlink_slots") == "nvlink_slots"}
        self.firsts = list(dict.fromkeys(key[0] for key in self.rows))

    def get(self, column, first, n, rival, cache="cold", launch="graph"):
        """A number, or None where it was not measured."""
        row = self.rows.get((first, elements(n), cache, launch, rival))
        return float(row[column]) if row and row[column] else None

    def sizes(self, first, rival=None):
        return sorted({key[1] for key in self.rows if key[0] == first and rival in (None, key[4])})


MADE = {  # a column that no file has: of a row, and results/FOLDER
    "gbps": lambda row, folder: 4 * int(row["n"]) / float(row["ours_us"]) / 1e3,
    "theory_pct": lambda row, folder: 100 * MADE["gbps"](row, folder) / about(folder, "machine.json")["theoretical_gbps"],
    "share": lambda row, folder: 100 / float(row["ratio"]),
    "speedup": lambda row, folder: 1 / float(row["ratio"]),
    "efficiency": lambda row, folder: 100 / float(row["ratio"]) / int(row["gpus"]),  # of one_gpu: percent of as many times its speed
}


def value(kind):
    """Of compare.csv those of aligned arrays; so they have no first word."""
    def get(folder, *words):
        first, size, cache, launch, rival, column = (0, *words) if kind == "compare" else words
        row = Pairs(folder, kind).rows[int(first) if kind == "gpus" else first, elements(size), cache, launch, rival]
        number = float(row[column]) if row.get(column) else MADE[column](row, folder)
        return number if kind == "gpus" else figure(number, column)
    return get


# ---- sum_f32() ----

# Elements up to which a ratio of times over CUB's was aimed at, one sum after another in a graph.
TARGETS = ((1 << 12, 0.95), (1 << 17, 0.75), (1 << 23, 0.85), (1 << 25, 0.955), (1 << 26, 0.975), (1 << 31, 0.985))
STREAM_TARGETS = ((1 << 25, 0.95), (1 << 31, 0.985))
RIVALS = {"cub": "CUB", "cub_newer": "newer CUB", "cub_not_guaranteed": "its `not_guaranteed`", "cublas_asum": "cuBLAS asum",
          "apart": "without overlap"}


def judged(ratio, aim=None):
    """A ratio, marked where it is above what was aimed at, if something was."""
    return UNMEASURED if ratio is None else f"**{ratio:.3f}** ✗" if aim is not None and ratio > aim else f"{ratio:.3f}"


def is_power(n):
    return n & (n - 1) == 0


def power_name(n):
    return f"2^{n.bit_length() - 1}"


def worst(pairs, places, cache, launch="graph"):
    """Of these (offset, n), each ratio to CUB's time with its n, the worst last."""
    found = ((pairs.get("ratio", offset, n, "cub", cache, launch), n) for offset, n in places)
    return sorted(pair for pair in found if pair[0] is not None)


def targets(at):
    """The worst of each range, and where it is."""
    pairs, rows, start = Pairs(at.folder, "compare"), [], 0
    for most, aim in TARGETS:
        of_range = [n for n in filter(is_power, pairs.sizes(0)) if start < n <= most]
        start, cells = most, []
        for cache in CACHES:
            found = worst(pairs, [(0, n) for n in of_range], cache)
            reached = len(of_range) - sum(ratio > aim for ratio, _ in found)
            cells += [f"{judged(found[-1][0], aim)} at {power_name(found[-1][1])}", f"{reached} of {len(of_range)}"] if found else [None, None]
        if of_range:
            rows.append([" … ".join(dict.fromkeys((power_name(of_range[0]), power_name(of_range[-1])))), f"≤ {aim:g}", *cells])
    return table(["n", "aimed at", "cold, worst", "reached", "warm, worst", "reached"], rows, 1)


def ratios(at):
    pairs = Pairs(at.folder, "compare")

    def cells(n, aims, *launches):
        aim = next((ratio for most, ratio in aims if n <= most), aims[-1][1])
        return [f"{aim:g}"] + [judged(pairs.get("ratio", 0, n, "cub", cache, launch), aim) for launch in launches for cache in CACHES]
    return table(["n", "graph: aimed at", "cold", "warm", "plain: aimed at", "one after another, cold", "warm", "a single call, cold", "warm"],
                 [[power_name(n)] + cells(n, TARGETS, "graph") + cells(n, STREAM_TARGETS, "plain", "single")
                  for n in filter(is_power, pairs.sizes(0))], 1)


def rivals(at):
    get = Pairs(at.folder, "compare").get
    return table(["n", "L2", "sum_f32(), µs", *(f"÷ {what}" for what in RIVALS.values()), "÷ Thrust, a single call"],
                 [[size, cache, get("ours_us", 0, size, "cub", cache), *(judged(get("ratio", 0, size, rival, cache)) for rival in RIVALS),
                   judged(get("ratio", 0, size, "thrust", cache, "single"))] for size in STEP_SIZES for cache in CACHES], 2)


def against(at):
    """Cold, in a graph: our time, and the ratio to both versions of CUB, by name. At these sizes alone, if some are named."""
    get, facts = Pairs(at.folder, "compare").get, about(at.folder, "machine.json")
    return table(["n", "sum_f32(), µs", f"÷ CUB of CCCL {facts.get('cccl')}", f"÷ CUB of CCCL {version(facts.get('newer_cccl'))}"],
                 [[size_name(n), get("ours_us", 0, n, "cub"), *(judged(get("ratio", 0, n, rival)) for rival in ("cub", "cub_newer"))]
                  for n in map(elements, at.names or STEP_SIZES)], 1)


def awkward(at):
    pairs, rows = Pairs(at.folder, "compare"), []
    places = sorted({key[:2] for key in pairs.rows})
    for what, chosen in (("2^k ± 1, 3·2^k, 1111111", [place for place in places if place[0] == 0 and not is_power(place[1])]),
                         ("2^k, 1 to 3 floats past an aligned address", [place for place in places if place[0] > 0])):
        found = [worst(pairs, chosen, cache, launch) for launch in ("graph", "plain") for cache in CACHES]
        rows.append([what, len(chosen), *(f"{of[-1][0]:.3f} at {of[-1][1]:,}" if of else None for of in found)])
    return table(["sizes", "how many", "in a graph, worst: cold", "warm", "one after another, worst: cold", "warm"], rows, 1)


# ---- other types, exact sums ----

def types(at):
    """A line for each type, at one size."""
    pairs, n = Pairs(at.folder, "types"), at.argument or "256M"
    return table(["type", "% of a plain read", "÷ CUB", "÷ PyTorch"],
                 [[element, percent(ratio(100, pairs.get("ratio", element, n, "read"))),
                   *(judged(pairs.get("ratio", element, n, rival)) for rival in ("cub", "torch"))]
                  for element in pairs.firsts], 1)


def type_sizes(at):
    """Our time over a rival's, size by size."""
    pairs = Pairs(at.folder, "types")
    sizes = sorted({n for kind in pairs.firsts for n in pairs.sizes(kind, at.argument)})
    return table(["n", *pairs.firsts], [[size_name(n), *(judged(pairs.get("ratio", kind, n, at.argument)) for kind in pairs.firsts)] for n in sizes], 1)


def exact(at):
    """sum_f32_exact() over others, for numbers of one kind."""
    pairs = Pairs(at.folder, "exact")
    sizes = pairs.sizes(at.argument, "sum_f32")
    return table(["n", "µs", "÷ sum_f32()", "÷ plain read", "÷ CUB `gpu_to_gpu`"],
                 [[size_name(n), pairs.get("ours_us", at.argument, n, "sum_f32"),
                   *(judged(pairs.get("ratio", at.argument, n, rival)) for rival in ("sum_f32", "read", "cub_gpu_to_gpu"))] for n in sizes], 1)


# ---- several GPUs ----

def gpus_table(at):
    """One line for each fourth power of two, from the local sums to what each way takes."""
    pairs, gpus = Pairs(at.folder, "gpus"), int(at.argument)
    what = [("rival_us", "local"), ("way_us", "local"), ("above", "local"), ("rival_us", "nccl"), ("ratio", "nccl"),
            ("rival_us", "one_gpu"), ("way_us", "one_gpu")]
    rows = [[size_name(n), *(pairs.get(column, gpus, n, rival, launch="graphs") for column, rival in what)] for n in pairs.sizes(gpus)]
    return table(["n in all", "local sums, µs", "slots, µs", "longer by", "NCCL, µs", "slots ÷ NCCL", "one GPU, µs", "slots: times as fast"],
                 [[*row, ratio(one, way)] for *row, way in rows for one in row[-1:]], 1)


def calls_table(at):
    """What one call takes, however it is made."""
    pairs, gpus = Pairs(at.folder, "gpus"), int(at.argument)
    names = {"graphs": "one of many in a graph of each GPU", "stream": "one of many calls on streams", "graph": "one, in a graph over all GPUs",
             "single": "one call"}
    return table(["how", "n", "slots, µs", "NCCL, µs", "host, µs"],
                 [[name, size, *(pairs.get(column, gpus, size, rival, launch=launch) if rival != "host" or launch == "single" else None
                                 for column, rival in (("way_us", "local"), ("rival_us", "nccl"), ("rival_us", "host")))]
                  for launch, name in names.items() for size in ("1K", "1M")], 2)


def gpus_line(at):
    facts = about(at.folder, "machine.json")
    gpu = f"{facts.get('gpus')} × {facts.get('gpu')} of one host, {facts.get('nvlinks')} links of NVLink each"
    return measured_on(facts, "nvidia_driver", "runtime", "nccl", gpu=gpu)


# ---- softmax.csv and softmax_torch.csv, which make compare-softmax writes ----

SOFTMAX = {"warp": "warp", "warp_shared": "warp, shared memory", "block": "block", "cluster": "cluster", "torch": "PyTorch"}


@cached
class Softmax:
    """Cold and launched alone: rows of the CSV by name, row and n."""

    def __init__(self, folder):
        self.roof, self.rows = {}, {}
        if os.path.exists(path_of(folder, "softmax_torch.csv")):
            self.rows = {("torch", int(row["row"]), int(row["n"])): row for row in
                         read_rows(folder, "softmax_torch.csv", ("row", "n", "median_us", "gbps", "torch"))}
        for row in read_csv(path_of(folder, "softmax.csv")):
            if row["launch"] == "plain" and row["pct_roof"]:
                n = int(row["n"])
                self.rows[row["variant"][len("softmax_"):], int(row["row"]), n] = row
                self.roof[n] = 100 * float(row["gbps"]) / float(row["pct_roof"])

    def get(self, name, row, n, column):
        """A number, or None where it was not measured. best: the fastest of ours."""
        if name == "best":
            _, name = min(((float(of["median_us"]), key[0]) for key, of in self.rows.items() if key[0] != "torch" and key[1:] == (row, n)), default=(0, None))
        of = self.rows.get((name, row, n))
        if of is None or column == "block_ns" and "grid" not in of:
            return None
        made = {"block_ns": lambda: 1000 * float(of["median_us"]) / int(of["grid"]), "pct_roof": lambda: 100 * float(of["gbps"]) / self.roof[n]}
        return figure(made[column]() if column in made else float(of[column]), column)


def softmax_value(folder, variant, row, size, column):
    return Softmax(folder).get(variant, elements(row), elements(size), column)


def softmax(at):
    run, size = Softmax(at.folder), at.argument or "256M"
    lines, n = [], elements(size)
    for row in sorted({key[1] for key in run.rows if key[2] == n}):
        cells = [[short(run.get(name, row, n, column)) for column in ("gbps", "pct_roof")] for name in SOFTMAX]
        faster = ratio(run.get("torch", row, n, "median_us"), run.get("best", row, n, "median_us"))
        lines.append([size_name(row), *(UNMEASURED if cell[0] == UNMEASURED else " · ".join(cell) for cell in cells), faster and f"{faster:.2f}×"])
    return table(["floats of a row", *(f"{what}, GB/s · %" for what in SOFTMAX.values()), "best of ours over PyTorch"], lines, 1)


# ---- the sweep: bandwidth by bytes in flight on each SM, and by bytes of a block ----

@cached
class Sweep:
    """What ./step08 --demo measured: GB/s by bytes in flight on an SM, of each way to have as many; by bytes of a block, and its threads."""

    def __init__(self, folder):
        rows = read_rows(folder, "sweep.csv", ("question", "threads", "loads", "bytes_in_flight", "us"))
        self.sms, self.flight, self.tile, self.by_loads = about(folder, "machine.json").get("sm_count"), {}, {}, {}
        try:
            self.latency = next(float(row["us"]) for row in rows if row["question"] == "latency")
            for row in rows:
                if row["question"] == "in_flight":
                    count, gbps = int(row["bytes_in_flight"]), float(row["gbps"])
                    self.flight.setdefault(count, []).append(gbps)
                    # of 16-byte loads of a thread, and bytes in flight, the best
                    self.by_loads[int(row["loads"]), count] = max(gbps, self.by_loads.get((int(row["loads"]), count), 0))
                elif row["question"] != "latency":
                    self.tile.setdefault(int(row["bytes_per_block"]), {}).setdefault(int(row["threads"]), float(row["gbps"]))
            self.best_flight, self.best_tile = max(map(max, self.flight.values())), max(max(ways.values()) for ways in self.tile.values())
        except (StopIteration, ValueError, TypeError) as error:
            raise Problem(f"results/{folder}/sweep.csv is not what ./step08 --demo prints: {error}")

    def law(self, count):
        """GB/s, by Little's law."""
        return count * self.sms / self.latency / 1e3

    def knee(self):
        """The least bytes in flight on an SM with which some way comes within 5 % of the best."""
        return min(count for count, speeds in self.flight.items() if max(speeds) >= 0.95 * self.best_flight)


SWEPT = {  # KEY -> its number
    "latency_ns": lambda sweep: 1e3 * sweep.latency,
    "predicted_kb": lambda sweep: sweep.best_tile * 1e3 * sweep.latency / sweep.sms / 1024,
    "measured_kb": lambda sweep: sweep.knee() / 1024,
    "flight": lambda sweep: sweep.best_flight, "tile": lambda sweep: sweep.best_tile,
    "gain_pct": lambda sweep: 100 * (sweep.best_tile / sweep.best_flight - 1),
}
SWEPT_AT = {  # KEY:KIB -> its number at so many bytes
    "flight": lambda sweep, count: max(sweep.flight[count]), "least": lambda sweep, count: min(sweep.flight[count]),
    "tile": lambda sweep, count: max(sweep.tile[count].values()), "law": lambda sweep, count: sweep.law(count),
    # that begin in a microsecond, on the whole GPU
    "blocks": lambda sweep, count: max(sweep.tile[count].values()) * 1e3 / count,
}


def sweep_value(folder, key):
    word, _, kib = key.partition(":")
    return SWEPT_AT[word](Sweep(folder), int(kib) * 1024) if kib else SWEPT[word](Sweep(folder))


def flight(at):
    sweep = Sweep(at.folder)
    return table(["KiB in flight on each SM", "ways", "GB/s", "% of the best", "GB/s, by Little's law and the roof", "latency by the law, ns"],
                 [[count // 1024, len(speeds), "–".join(dict.fromkeys((short(min(speeds)), short(most)))), percent(100 * most / sweep.best_flight),
                   min(sweep.law(count), sweep.best_tile), count * sweep.sms / most]
                  for count, speeds in sorted(sweep.flight.items()) for most in [max(speeds)]], 0)


def tiles(at):
    sweep = Sweep(at.folder)
    threads = sorted({width for ways in sweep.tile.values() for width in ways})
    return table(["KiB of a block", *(f"{width} threads" for width in threads)],
                 [[count // 1024, *(ways.get(width, "") for width in threads)] for count, ways in sorted(sweep.tile.items())], 0)


# ---- the plans of step 11 ----

PLANS = {"block": "one block", "cluster": "one cluster", "blocks": "many blocks"}


def tune(at):
    """The best time of each kind of plan, and of the one chosen, at powers of two."""
    rows = read_rows(at.folder, "tune.csv", ("n", "cache", "kind", "loads", "threads", "blocks", "chosen", "us"))
    lines = []
    for n in filter(is_power, sorted({int(row["n"]) for row in rows})):
        cells, plan = [], None
        for cache in CACHES:
            of_n = [(float(row["us"]), row) for row in rows if int(row["n"]) == n and row["cache"] == cache]
            us, chosen = next((pair for pair in of_n if pair[1]["chosen"] == "1"), (None, None))
            cells += [*(min((us for us, row in of_n if row["kind"] == kind), default=None) for kind in PLANS), us]
            plan = "{}, {blocks} × {threads} × {loads}".format(PLANS[chosen["kind"]], **chosen) if chosen else plan
        lines.append([size_name(n), plan, *cells])
    return table(["n", "chosen: blocks × threads × loads"] + [f"{cache}, {what}" for cache in CACHES
                 for what in (*(kind.split()[-1] for kind in PLANS.values()), "chosen")], lines, 2)


# ---- its kernel alone ----

IN_PROFILE = {"us": "µs", "gbps": "GB/s from memory", "pct_of_peak": "% of the peak", "l2_hit_pct": "% of reads that L2 answered",
              "issue_pct": "% of cycles with an instruction"}
IN_EXACT_PROFILE = {"us": "µs", "pct_of_peak": "memory, % of its peak", "issue_pct": "issue, %", "alu_pct": "ALU, %", "xu_pct": "conversions, %",
                    "wait_memory": "waits for memory", "wait_fence": "for a fence",
                    "shared_loads": "wavefronts: shared loads", "shared_stores": "shared stores"}


def profile_of(file, columns):
    """Kernels alone, under Nsight Compute: a column of the file for each name, with its heading. Counts stay whole."""
    return lambda at: table(["n", "kernel", *columns.values()],
                            [[size_name(int(row["n"])), row["kernel"], *(count_text(row[column]) for column in columns)]
                             for row in read_rows(at.folder, file, ("kernel", "n", *columns))], 2)


profile = profile_of("profile.csv", IN_PROFILE)
exact_profile = profile_of("exact_profile.csv", IN_EXACT_PROFILE)
