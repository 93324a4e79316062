"""tables_experiments.py: what the experiments found (results/FOLDER/experiments, which make experiments writes)."""
import re

from page_markdown import UNMEASURED, Problem, bytes_text, elements, fenced, link, ratio, read, short, size_name, table
from results import LADDER_SIZES, about, cached, path_of, read_csv, read_rows
from tables_ladder import life_us


@cached
def timed_rows(folder, name):
    """(variant, n, block, in a graph) -> its row, of an experiment that uses the driver."""
    rows = read_csv(path_of(folder, "experiments", "timed.csv"))
    return {(row["variant"], row["n"], row["block"], row["launch"] == "graph"): row for row in rows if row["step"] == name}


def of_timed(rows, variant, n, graph=False, column="median_us", block=256):
    return rows.get((variant, elements(n), block, graph), {}).get(column)


def unrolled(at):
    rows = timed_rows(at.folder, "unrolled")
    return table(["variant", *(f"µs {size}" for size in LADDER_SIZES), "GB/s 256M"],
                 [[variant, *(of_timed(rows, variant, size) for size in LADDER_SIZES), of_timed(rows, variant, "256M", column="gbps")]
                  for variant in dict.fromkeys(key[0] for key in rows)], 1)


def finishes(at):
    rows = timed_rows(at.folder, "finishes")
    ways = [f"{loop}_{finish}" for loop in ("narrow", "wide") for finish in ("atomic", "two_pass", "grid_sync")]
    return table(["launched", "n", *(way.replace("_", " ", 1) for way in ways)],
                 [["in a graph" if graph else "alone", size_name(n), *(of_timed(rows, way, n, graph) for way in ways)]
                  for graph, n in sorted({(key[3], key[1]) for key in rows})], 2)


SIXTEEN_MORE = {"barrier": ("barriers_1", "barriers_17", False), "launch": ("launches_2", "launches_18", False),
                "graph_barrier": ("barriers_1", "barriers_17", True), "graph_launch": ("launches_2", "launches_18", True)}


def grid_sync_costs(folder):
    """(threads, blocks) -> what -> a sixteenth of the difference between a sum and one with sixteen more."""
    rows = timed_rows(folder, "grid_sync")

    def cost(n, block, few, many, graph):
        ends = [of_timed(rows, variant, n, graph, block=block) for variant in (few, many)]
        return None if None in ends else (ends[1] - ends[0]) / 16
    return {(int(block), int(grid)): {what: cost(n, block, *runs) for what, runs in SIXTEEN_MORE.items()}
            for block, n, grid in sorted({(key[2], key[1], row["grid"]) for key, row in rows.items()})}


def grid_sync(at):
    return table(["threads", "blocks", "barrier, µs", "launch, µs", "barrier in a graph, µs", "launch in a graph, µs"],
                 [[*shape, *of_what.values()] for shape, of_what in grid_sync_costs(at.folder).items()], 0)


LOADS = {"f1": 4, "f2": 8, "f4": 16, "f8": 32, "v1": 16, "v2": 32, "v4": 64}  # bytes of a thread in flight


def little(at):
    rows = timed_rows(at.folder, "little")
    n = max(key[1] for key in rows)
    return table([f"blocks per SM, GB/s, n = {size_name(n)}", *(f"{b // 4}×4 B" if kind[0] == "f" else f"{b // 16}×16 B" for kind, b in LOADS.items())],
                 [[blocks, *(of_timed(rows, f"b{blocks}_{kind}", n, column="gbps") for kind in LOADS)] for blocks in (1, 2, 4, 8)], 1)


def flights(folder):
    """KiB in flight on each SM -> the GB/s of the ways to have as many, and the latencies that follow by Little's law."""
    rows, ways = timed_rows(folder, "little"), {}
    n, sms = max(key[1] for key in rows), float(about(folder, "machine.json").get("sm_count"))
    for variant in dict.fromkeys(key[0] for key in rows):
        blocks, kind = variant[1:].split("_")
        ways.setdefault(int(blocks) * 256 * LOADS[kind] // 1024, []).append(of_timed(rows, variant, n, column="gbps"))
    return {kib: {"ways": len(speeds), "least": least, "most": most, "least_ns": kib * 1024 * sms / least, "most_ns": kib * 1024 * sms / most}
            for kib, speeds in sorted(ways.items()) for least, most in [(min(speeds), max(speeds))]}


def in_flight(at):
    return table(["KiB in flight per SM", "ways", "GB/s", "ns, by Little's law"],
                 [[kib, ways["ways"], "–".join(dict.fromkeys([short(ways["least"]), short(ways["most"])])), ways["most_ns"]]
                  for kib, ways in flights(at.folder).items()], 0)


def cold_and_warm(folder):
    """(cold or warm, n) -> its row: one variant, with the L2 cache emptied before each run and without."""
    return {(row["cache"], row["n"]): row for row in read_csv(path_of(folder, "experiments", "timed.csv"))
            if (row["step"], row["launch"]) == ("04_shared", "plain")}


def cold_warm(at):
    times = {key: row["median_us"] for key, row in cold_and_warm(at.folder).items()}
    return table(["v6, n", "MB", "cold, µs", "warm, µs", "cold / warm"],
                 [[size_name(n), 4e-6 * n, cold, warm, ratio(cold, warm)]
                  for n in sorted({n for _, n in times}) for cold, warm in [(times.get(("cold", n)), times.get(("warm", n)))]], 1)


OPERATIONS = {
    "add": "addition", "add_int": "addition of whole numbers",
    "shuffle": "shuffle", "broadcast": "shuffle that all lanes read from one, and an addition",
    "shuffle_index": "shuffle from the lane that the one before named",
    "shared": "store, `__syncwarp()`, load, `__syncwarp()`", "shared_barrier": "the same with `__syncthreads()`",
    "syncwarp": "`__syncwarp()` alone", "barrier": "`__syncthreads()` alone, a block of 1 warp",
    "barrier_8": "`__syncthreads()` alone, 8 warps", "barrier_32": "`__syncthreads()` alone, 32 warps",
    "any": "`__any_sync()`", "all": "`__all_sync()`", "ballot": "test of a bit, `__ballot_sync()`",
    "match_1": "`__match_any_sync()`, all lanes equal", "match_2": "`__match_any_sync()`, two values",
    "match_32": "`__match_any_sync()`, all lanes different",
    "reduce_add": "`__reduce_add_sync()`, and an addition", "reduce_max": "`__reduce_max_sync()`, and an addition",
    "sum_shuffles": "five shuffles with additions, and an addition",
    "atomic": "`atomicAdd()` in shared memory, each lane its word",
    "atomic_one": "`atomicAdd()` in shared memory, all lanes one word",
    "atomic_known": "the same, and the compiler knows it"}


def operations(folder):
    """(operation, latency or rate) -> a number: latency of a chain of one value, rate of 32 warps with four each."""
    rows = read_rows(folder, "experiments/shuffle_cost.csv", ("operation", "values", "cycles_a_round", "per_cycle"))
    return {(row["operation"], what): float(row[column]) for row in rows
            for what, column in [("latency", "cycles_a_round") if row["values"] == "1" else ("rate", "per_cycle")]}


def shuffle_cost(at):
    """All that was measured, or those operations."""
    numbers = operations(at.folder)
    names = at.names or [op for op in OPERATIONS if (op, "latency") in numbers]
    for op in names:
        if op not in OPERATIONS:
            raise Problem(f"experiment shuffle_cost has no operation {op}")
    return table(["operation of a warp", "latency, cycles", "rate, per SM and cycle"],
                 [[OPERATIONS[op], numbers.get((op, "latency")), numbers.get((op, "rate"))] for op in names], 1)


LEVELS = {"registers": "registers, in each SM", "shared": "shared memory, in each SM", "l1": "L1 cache, in each SM", "l2": "L2 cache",
          "memory": "device memory"}


def level_rows(folder):
    """level -> its row, with cells that may be empty."""
    return {row["level"]: row for row in read_rows(folder, "experiments/levels.csv", ("level", "bytes", "count"))}


def levels(at):
    rows = level_rows(at.folder)
    return table(["memory", "size", "latency, cycles", "latency, ns", "all SMs together, GB/s"],
                 [[what, bytes_text(float(rows[level]["bytes"]))]
                  + [float(rows[level][column]) if rows[level].get(column) else None for column in ("cycles", "ns", "gbps")]
                  for level, what in LEVELS.items()], 1)


BYTES = {"load_mb": "MB loaded", "l2_mb": "MB in L2", "dram_read_mb": "MB read", "dram_write_mb": "MB written",
         "instructions": "instructions, M", "issue_pct": "slots, %", "warps_pct": "places, %",
         "stalled_memory": "wait for loads", "stalled_barrier": "for barrier"}


def first_launches(folder):
    """variant -> column -> a number, of one size."""
    launches = {}
    for row in read_rows(folder, "experiments/bytes.csv", ("variant", "n", "duration_us", *BYTES)):
        numbers = launches[row["variant"]] = {column: float(text) for column, text in row.items() if column not in ("program", "variant", "kernel") and text}
        numbers["instructions"] /= 1e6
        numbers["gld_gbps"] = numbers["load_mb"] * 1e3 / numbers["duration_us"]
    return launches


def bytes_moved(at):
    launches = first_launches(at.folder)
    n = next(iter(launches.values()))["n"]
    return table([f"first launch, n = {size_name(n)}", "µs", "load GB/s", *BYTES.values()],
                 [[variant, *(numbers[column] for column in ("duration_us", "gld_gbps", *BYTES))] for variant, numbers in launches.items()], 1)


def reproducible(at):
    rows = read_rows(at.folder, "experiments/reproducible.csv", ("step", "variant", "n", "runs", "different"))
    return table(["step", f"variant, n = {size_name(int(rows[0]['n']))}", "runs", "different sums"],
                 [[link(row["step"], at.page), row["variant"], row["runs"], row["different"]] for row in rows], 2)


def known_wrong(at):
    """One command of errata.txt and what it printed."""
    sessions = re.split(r"^(?=\$ )", read(path_of(at.folder, "experiments", "errata.txt")), flags=re.M)
    for session in sessions:
        if at.argument in re.findall(r"\w+", session.split("\n")[0]):
            return fenced(session)
    raise Problem(f"results/{at.folder}/experiments/errata.txt has no command with {at.argument}; make experiments, on a GPU, writes it")


# ---- single numbers ----

grid_sync_value = lambda folder, what, threads, blocks: grid_sync_costs(folder)[int(threads), int(blocks)][what]
in_flight_value = lambda folder, what, kib: flights(folder)[int(kib)][what]
cold_warm_value = lambda folder, what, size, column: cold_and_warm(folder)[what, elements(size)][column]
shuffle_cost_value = lambda folder, operation, what: operations(folder).get((operation, what), UNMEASURED if operation in OPERATIONS else None)
levels_value = lambda folder, level, column: float(level_rows(folder)[level][column])
bytes_value = lambda folder, variant, column: first_launches(folder)[variant][column]


def timed_value(name):
    """Of an experiment that uses the driver: VARIANT SIZE COLUMN."""
    def number(folder, variant, size, column):
        rows = timed_rows(folder, name)
        if column == "life_us":
            return life_us(*(of_timed(rows, variant, size, column=what) for what in ("median_us", "block", "grid")), about(folder, "machine.json"))
        return of_timed(rows, variant, size, graph=True) if column == "graph_us" else of_timed(rows, variant, size, column=column)
    return number
