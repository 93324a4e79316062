"""tables_library.py: steps 08 and 11 beside their rivals: sweep.csv, tune.csv, compare.csv, profile.csv."""
from figures import UNMEASURED, Figure, elements, percent, short, size_name
from page_markdown import Problem, table
from results import STEP_SIZES, about, measured_on, read_rows, version


# ---- the sweep: bandwidth by bytes in flight on each SM, and by bytes of a block ----

class Sweep:
    """What ./step08 --demo measured."""

    def __init__(self, folder):
        rows = read_rows(folder, "sweep.csv", ("question", "threads", "loads", "bytes_in_flight", "us"))
        self.sms = about(folder, "machine.json").get("sm_count")
        try:
            self.latency = next(float(row["us"]) for row in rows if row["question"] == "latency")
            self.flight, self.tile = ({}, {})  # bytes -> GB/s of each way
            for row in rows:
                if row["question"] != "latency":
                    ways, column = (self.flight, "bytes_in_flight") if row["question"] == "in_flight" else (self.tile, "bytes_per_block")
                    ways.setdefault(int(row[column]), []).append((float(row["gbps"]), row))
            self.best_flight, self.best_tile = (max(speed for ways in of.values() for speed, _ in ways)
                                                for of in (self.flight, self.tile))
        except (StopIteration, ValueError, TypeError) as error:
            raise Problem(f"results/{folder}/sweep.csv is not what ./step08 --demo prints: {error}")

    def law(self, count):
        """GB/s, by Little's law."""
        return count * self.sms / self.latency / 1e3

    def knee(self):
        """The least bytes in flight on an SM with which some way comes within 5 % of the best."""
        return min(count for count, ways in self.flight.items()
                   if max(speed for speed, _ in ways) >= 0.95 * self.best_flight)


def speeds(ways):
    return [speed for speed, _ in ways]


SWEPT = {  # KEY -> its number
    "latency_ns": lambda sweep: 1e3 * sweep.latency,
    "predicted_kb": lambda sweep: sweep.best_tile * 1e3 * sweep.latency / sweep.sms / 1024,
    "measured_kb": lambda sweep: sweep.knee() / 1024,
    "flight": lambda sweep: sweep.best_flight, "tile": lambda sweep: sweep.best_tile,
    "gain_pct": lambda sweep: 100 * (sweep.best_tile / sweep.best_flight - 1),
}
SWEPT_AT = {  # KEY:KIB -> its number at so many bytes
    "flight": lambda sweep, count: max(speeds(sweep.flight[count])), "least": lambda sweep, count: min(speeds(sweep.flight[count])),
    "tile": lambda sweep, count: max(speeds(sweep.tile[count])), "law": Sweep.law,
    # that begin in a microsecond, on the whole GPU
    "blocks": lambda sweep, count: max(speeds(sweep.tile[count])) * 1e3 / count,
}


def sweep_value(folder, key):
    word, _, kib = key.partition(":")
    try:
        return SWEPT_AT[word](Sweep(folder), int(kib) * 1024) if kib else SWEPT[word](Sweep(folder))
    except (KeyError, ValueError):
        raise Problem(f"the sweep has no {key}")


def flight(at):
    sweep, rows = Sweep(at.folder), []
    for count, ways in sorted(sweep.flight.items()):
        least, most = min(speeds(ways)), max(speeds(ways))
        rows.append([str(count // 1024), str(len(ways)), "–".join(dict.fromkeys((short(least), short(most)))),
                     percent(100 * most / sweep.best_flight), short(min(sweep.law(count), sweep.best_tile)),
                     short(count * sweep.sms / most)])
    return table(["KiB in flight on each SM", "ways", "GB/s", "% of the best", "GB/s, by Little's law and the roof",
                  "latency by the law, ns"], rows, 0)


def tiles(at):
    sweep = Sweep(at.folder)
    threads = sorted({int(row["threads"]) for ways in sweep.tile.values() for _, row in ways})
    rows = [[str(count // 1024)] + [next((short(speed) for speed, row in ways if int(row["threads"]) == width), "")
                                    for width in threads] for count, ways in sorted(sweep.tile.items())]
    return table(["KiB of a block"] + [f"{width} threads" for width in threads], rows, 0)


# ---- the plans of step 11 ----

PLANS = {"block": "one block", "cluster": "one cluster", "blocks": "many blocks"}


def tune(at):
    """The best time of each kind of plan, and of the one chosen, at powers of two."""
    rows = read_rows(at.folder, "tune.csv", ("n", "cache", "kind", "loads", "threads", "blocks", "chosen", "us"))
    lines = []
    for n in sorted({int(row["n"]) for row in rows}):
        if n & (n - 1):
            continue
        cells, chosen_kind = [], ""
        for cache in ("cold", "warm"):
            of_n = [(float(row["us"]), row) for row in rows if int(row["n"]) == n and row["cache"] == cache]
            least = {kind: min((us for us, row in of_n if row["kind"] == kind), default=None) for kind in PLANS}
            chosen = next(((us, row) for us, row in of_n if row["chosen"] == "1"), None)
            cells += [short(least[kind]) for kind in PLANS] + [short(chosen and chosen[0])]
            if chosen:
                row = chosen[1]
                chosen_kind = f"{PLANS[row['kind']]}, {row['blocks']} × {row['threads']} × {row['loads']}"
        lines.append([size_name(n), chosen_kind or UNMEASURED] + cells)
    return table(["n", "chosen: blocks × threads × loads"] + [f"{cache}, {what}" for cache in ("cold", "warm")
                 for what in (*(kind.split()[-1] for kind in PLANS.values()), "chosen")], lines, 2)


# ---- sum_f32() over its rivals ----

# Elements up to which a ratio of times over CUB's was aimed at, one sum after another in a graph.
TARGETS = ((1 << 12, 0.95), (1 << 17, 0.75), (1 << 23, 0.85), (1 << 25, 0.955), (1 << 26, 0.975), (1 << 31, 0.985))
STREAM_TARGETS = ((1 << 25, 0.95), (1 << 31, 0.985))
RIVALS = {"cub": "CUB", "cub_newer": "newer CUB", "cub_not_guaranteed": "its `not_guaranteed`", "cublas_asum": "cuBLAS asum",
          "apart": "without overlap"}


def target(n, targets=TARGETS):
    return next((ratio for most, ratio in targets if n <= most), targets[-1][1])


class Comparison:
    """What make compare measured: rows by n, offset, cache, launch and rival."""

    COLUMNS = ("n", "offset", "cache", "launch", "rival", "ours_us", "rival_us", "ratio", "low", "high")

    def __init__(self, folder):
        self.rows = {(int(row["n"]), int(row["offset"]), row["cache"], row["launch"], row["rival"]): row
                     for row in read_rows(folder, "compare.csv", self.COLUMNS)}
        self.powers = sorted({key[0] for key in self.rows if key[0] & (key[0] - 1) == 0 and key[1] == 0})

    def ratio(self, n, cache, launch, rival="cub", offset=0):
        row = self.rows.get((n, offset, cache, launch, rival))
        return None if row is None else float(row["ratio"])


def compare_value(folder, size, cache, launch, rival, column):
    n = elements(size)
    row = Comparison(folder).rows.get((n, 0, cache, launch, rival))
    if row is None or column not in row and column not in ("gbps", "theory_pct"):
        raise Problem(f"results/{folder}/compare.csv holds no {column} of {rival}, {launch}, {cache} at {size}")
    if column in ("ratio", "low", "high"):
        return Figure(row[column], judged(float(row[column])))
    if column in row:
        return float(row[column])
    gbps = 4 * n / float(row["ours_us"]) / 1e3
    share = 100 * gbps / about(folder, "machine.json")["theoretical_gbps"]
    return gbps if column == "gbps" else Figure(share, percent(share))


def judged(ratio, aim=None):
    """A ratio, marked where it is above what was aimed at."""
    return UNMEASURED if ratio is None else f"**{ratio:.3f}** ✗" if aim is not None and ratio > aim else f"{ratio:.3f}"


def power_name(n):
    return f"2^{n.bit_length() - 1}"


def targets(at):
    """The worst of each range, and where it is."""
    comparison, rows, start = Comparison(at.folder), [], 0
    for most, aim in TARGETS:
        of_range = [n for n in comparison.powers if start < n <= most]
        start, cells = most, []
        for cache in ("cold", "warm"):
            found = [(comparison.ratio(n, cache, "graph"), n) for n in of_range if comparison.ratio(n, cache, "graph") is not None]
            worst, missed = max(found, default=None), sum(ratio > aim for ratio, _ in found)
            cells += [UNMEASURED] * 2 if worst is None else \
                [f"{judged(worst[0], aim)} at {power_name(worst[1])}", f"{len(of_range) - missed} of {len(of_range)}"]
        if of_range:
            ends = dict.fromkeys((power_name(of_range[0]), power_name(of_range[-1])))
            rows.append([" … ".join(ends), f"≤ {aim:g}"] + cells)
    return table(["n", "aimed at", "cold, worst", "reached", "warm, worst", "reached"], rows, 1)


def ratios(at):
    comparison = Comparison(at.folder)
    rows = [[power_name(n), f"{target(n):g}"]
            + [judged(comparison.ratio(n, cache, "graph"), target(n)) for cache in ("cold", "warm")]
            + [f"{target(n, STREAM_TARGETS):g}"]
            + [judged(comparison.ratio(n, cache, launch), target(n, STREAM_TARGETS)) for launch in ("plain", "single")
               for cache in ("cold", "warm")] for n in comparison.powers]
    return table(["n", "graph: aimed at", "cold", "warm", "plain: aimed at", "one after another, cold", "warm",
                  "a single call, cold", "warm"], rows, 1)


def rivals(at):
    comparison, rows = Comparison(at.folder), []
    for n in (elements(size) for size in STEP_SIZES):
        for cache in ("cold", "warm"):
            ours = comparison.rows.get((n, 0, cache, "graph", "cub"))
            thrust = comparison.ratio(n, cache, "single", "thrust")
            rows.append([size_name(n), cache, short(ours and float(ours["ours_us"]))]
                        + [judged(comparison.ratio(n, cache, "graph", rival)) for rival in RIVALS] + [judged(thrust)])
    return table(["n", "L2", "sum_f32(), µs"] + [f"÷ {what}" for what in RIVALS.values()] + ["÷ Thrust, a single call"], rows, 2)


def against(at):
    """Cold, in a graph: our time, and the ratio to both versions of CUB, by name. At these sizes alone, if some are named."""
    comparison, facts, rows = Comparison(at.folder), about(at.folder, "compare.json"), []
    for n in map(elements, at.argument.split(",") if at.argument else STEP_SIZES):
        ours = comparison.rows.get((n, 0, "cold", "graph", "cub"))
        rows.append([size_name(n), short(ours and float(ours["ours_us"]))]
                    + [judged(comparison.ratio(n, "cold", "graph", rival)) for rival in ("cub", "cub_newer")])
    return table(["n", "sum_f32(), µs", f"÷ CUB of CCCL {facts.get('cccl')}", f"÷ CUB of CCCL {version(facts.get('newer_cccl'))}"], rows, 1)


def awkward(at):
    comparison, rows = Comparison(at.folder), []
    for what, chosen in (("2^k ± 1, 3·2^k, 1111111", lambda n, offset: offset == 0 and n not in comparison.powers),
                         ("2^k, 1 to 3 floats past an aligned address", lambda n, offset: offset > 0)):
        sizes = sorted({key[:2] for key in comparison.rows if chosen(*key[:2])})
        cells = []
        for launch in ("graph", "plain"):
            for cache in ("cold", "warm"):
                found = [(comparison.ratio(n, cache, launch, offset=offset), n) for n, offset in sizes
                         if comparison.ratio(n, cache, launch, offset=offset) is not None]
                cells.append(f"{max(found)[0]:.3f} at {max(found)[1]:,}" if found else UNMEASURED)
        rows.append([what, str(len(sizes))] + cells)
    return table(["sizes", "how many", "in a graph, worst: cold", "warm", "one after another, worst: cold", "warm"], rows, 1)


def sum_errors(at):
    comparison, rows = Comparison(at.folder), []
    launches = {**{name: "graph" for name in RIVALS if name not in ("apart", "cublas_asum")}, "thrust": "single"}  # asum sums |x|

    def error(row, whose):
        return short(float(row[whose])) if row and row[whose] else UNMEASURED
    for n in (elements(size) for size in STEP_SIZES):
        of_rival = {name: comparison.rows.get((n, 0, "cold", launch, name)) for name, launch in launches.items()}
        rows.append([size_name(n), error(of_rival["cub"], "ours_error")] + [error(row, "rival_error") for row in of_rival.values()])
    return table(["n", "sum_f32()"] + [RIVALS.get(name, "Thrust") for name in launches], rows, 1)


def compared_line(at):
    return measured_on(about(at.folder, "compare.json"), "nvidia_driver", "runtime", "cccl", "newer_cccl")


IN_PROFILE = {"us": "µs", "gbps": "GB/s from memory", "pct_of_peak": "% of the peak", "l2_hit_pct": "% of reads that L2 answered",
              "issue_pct": "% of cycles with an instruction"}
IN_EXACT_PROFILE = {"us": "µs", "pct_of_peak": "memory, % of its peak", "issue_pct": "issue, %", "alu_pct": "ALU, %", "xu_pct": "conversions, %",
                    "wait_memory": "waits for memory", "wait_fence": "for a fence",
                    "shared_loads": "wavefronts: shared loads", "shared_stores": "shared stores"}


def profile_of(file, columns):
    """Kernels alone, under Nsight Compute: a column of the file for each name, with its heading. Counts stay whole."""
    def cell(text):
        return f"{int(text):,}" if text.isdigit() else short(float(text))

    def lines(at):
        return table(["n", "kernel", *columns.values()],
                     [[size_name(int(row["n"])), row["kernel"]] + [cell(row[column]) for column in columns]
                      for row in read_rows(at.folder, file, ("kernel", "n", *columns))], 2)
    return lines


profile = profile_of("profile.csv", IN_PROFILE)
exact_profile = profile_of("exact_profile.csv", IN_EXACT_PROFILE)
