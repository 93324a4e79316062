"""tables_library.py: why the sums of steps 08, 11 and 13 are as fast as they are: sweep.csv, tune.csv, profile.csv, exact_profile.csv."""
from figures import UNMEASURED, percent, short, size_name
from page_markdown import Problem, table
from results import about, read_rows


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


# ---- its kernel alone ----

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
