"""tables_experiments.py: what the experiments found (results/FOLDER/experiments, which make experiments writes)."""
import re

from page_markdown import Problem, bytes_text, elements, fenced, link, ratio, read, short, size_name, table
from results import LADDER_SIZES, about, cached, path_of, read_csv, read_rows
from tables_ladder import life_us


@cached
def timed_rows(folder, name):
    """(variant, n, block, in a graph) -> its row, of an experiment that uses the driver."""
    rows = read_csv(path_of(folder, "experiments", "timed.csv"))
    return {(row["variant"], row["n"], row["block"], row["launch"] == "graph"): row for row in rows if row["step"] == name}


def of_timed(rows, variant, n, graph=False, column="median_us", block=256):
    return rows.get((variant, n, block, graph), {}).get(column)


def chosen(make):
    """The whole table, or with experiment:NAME:ROWS those rows alone, in their order."""
    def made(at):
        head, line, *rows = make(at).split("\n")
        of = {row.split(" | ")[0].strip("| "): row for row in rows}
        for cell in at.names:
            if cell not in of:
                raise Problem(f"experiment {make.__name__} has no row {cell}")
        return "\n".join([head, line, *(map(of.get, at.names) if at.argument else rows)])
    return made


@chosen
def unrolled(at):
    rows = timed_rows(at.folder, "unrolled")
    return table(["variant"] + [f"µs {size}" for size in LADDER_SIZES] + ["GB/s 256M"], [
        [variant] + [short(of_timed(rows, variant, elements(size))) for size in LADDER_SIZES]
        + [short(of_timed(rows, variant, elements("256M"), column="gbps"))]
        for variant in dict.fromkeys(key[0] for key in rows)], 1)


@chosen
def finishes(at):
    rows = timed_rows(at.folder, "finishes")
    ways = [loop + "_" + finish for loop in ("narrow", "wide") for finish in ("atomic", "two_pass", "grid_sync")]
    lines = []
    for graph in (False, True):
        for n in sorted({key[1] for key in rows if key[3] == graph}):
            lines.append(["in a graph" if graph else "alone", size_name(n)]
                         + [short(of_timed(rows, way, n, graph)) for way in ways])
    return table(["launched", "n"] + [way.replace("_", " ", 1) for way in ways], lines, 2)


SIXTEEN_MORE = {"barrier": ("barriers_1", "barriers_17", False), "launch": ("launches_2", "launches_18", False),
                "graph_barrier": ("barriers_1", "barriers_17", True), "graph_launch": ("launches_2", "launches_18", True)}


def grid_sync_costs(folder):
    """(threads, blocks) -> what -> a sixteenth of the difference between a sum and one with sixteen more."""
    rows, costs = timed_rows(folder, "grid_sync"), {}
    for n, block, grid in sorted({(key[1], key[2], row["grid"]) for key, row in rows.items()}, key=lambda k: (k[1], k[0])):
        def cost(few, many, graph):
            ends = [of_timed(rows, variant, n, graph, block=block) for variant in (few, many)]
            return None if None in ends else (ends[1] - ends[0]) / 16
        costs[int(block), int(grid)] = {what: cost(*runs) for what, runs in SIXTEEN_MORE.items()}
    return costs


@chosen
def grid_sync(at):
    return table(["threads", "blocks", "barrier, µs", "launch, µs", "barrier in a graph, µs", "launch in a graph, µs"],
                 [[str(block), str(grid)] + [short(value) for value in of_what.values()]
                  for (block, grid), of_what in grid_sync_costs(at.folder).items()], 0)


LOADS = {"f1": 4, "f2": 8, "f4": 16, "f8": 32, "v1": 16, "v2": 32, "v4": 64}  # bytes of a thread in flight


@chosen
def little(at):
    rows = timed_rows(at.folder, "little")
    n = max(key[1] for key in rows)
    return table([f"blocks per SM, GB/s, n = {size_name(n)}"]
                 + [f"{b // 4}×4 B" if kind[0] == "f" else f"{b // 16}×16 B" for kind, b in LOADS.items()],
                 [[str(blocks)] + [short(of_timed(rows, f"b{blocks}_{kind}", n, column="gbps")) for kind in LOADS]
                  for blocks in (1, 2, 4, 8)], 1)


def flights(folder):
    """KiB in flight on each SM -> the GB/s of the ways to have as many, and the latencies that
    follow by Little's law."""
    rows, ways = timed_rows(folder, "little"), {}
    n = max(key[1] for key in rows)
    sms = float(about(folder, "machine.json").get("sm_count"))
    for variant in dict.fromkeys(key[0] for key in rows):
        blocks, kind = variant[1:].split("_")
        ways.setdefault(int(blocks) * 256 * LOADS[kind] // 1024, []).append(of_timed(rows, variant, n, column="gbps"))
    return {kib: {"ways": len(speeds), "least": min(speeds), "most": max(speeds),
                  "least_ns": kib * 1024 * sms / min(speeds), "most_ns": kib * 1024 * sms / max(speeds)}
            for kib, speeds in sorted(ways.items())}


@chosen
def in_flight(at):
    lines = []
    for kib, ways in flights(at.folder).items():
        span = dict.fromkeys([short(ways["least"]), short(ways["most"])])
        lines.append([str(kib), str(ways["ways"]), "–".join(span), short(ways["most_ns"])])
    return table(["KiB in flight per SM", "ways", "GB/s", "ns, by Little's law"], lines, 0)


def cold_and_warm(folder):
    """(cold or warm, n) -> its row: one variant, with the L2 cache emptied before each run and without."""
    return {(row["cache"], row["n"]): row for row in read_csv(path_of(folder, "experiments", "timed.csv"))
            if (row["step"], row["launch"]) == ("04_shared", "plain")}


@chosen
def cold_warm(at):
    times = {key: row["median_us"] for key, row in cold_and_warm(at.folder).items()}
    return table(["v6, n", "MB", "cold, µs", "warm, µs", "cold / warm"],
                 [[size_name(n), short(4e-6 * n), short(times.get(("cold", n))), short(times.get(("warm", n))),
                   short(ratio(times.get(("cold", n)), times.get(("warm", n))))] for n in sorted({n for _, n in times})], 1)


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
    """(operation, latency or rate) -> a number: latency of a chain of one value, rate of 32 warps with
    four each."""
    rows = read_rows(folder, "experiments/shuffle_cost.csv", ("operation", "values", "cycles_a_round", "per_cycle"))
    return {(row["operation"], "latency" if row["values"] == "1" else "rate"):
            float(row["cycles_a_round" if row["values"] == "1" else "per_cycle"]) for row in rows}


def shuffle_cost(at):
    """All that was measured, or those operations."""
    numbers = operations(at.folder)
    names = at.names or [op for op in OPERATIONS if (op, "latency") in numbers]
    missing = [op for op in names if op not in OPERATIONS]
    if missing:
        raise Problem(f"experiment shuffle_cost has no operation {missing[0]}")
    return table(["operation of a warp", "latency, cycles", "rate, per SM and cycle"],
                 [[OPERATIONS[op], short(numbers.get((op, "latency"))), short(numbers.get((op, "rate")))] for op in names], 1)


def shuffle_cost_value(folder, operation, what):
    if operation not in OPERATIONS or what not in ("latency", "rate"):
        raise Problem(f"results/{folder}/experiments has no shuffle_cost {operation} {what}")
    return operations(folder).get((operation, what))


LEVELS = {"registers": "registers, in each SM", "shared": "shared memory, in each SM", "l1": "L1 cache, in each SM",
          "l2": "L2 cache", "memory": "device memory"}


def level_rows(folder):
    """level -> its row, with cells that may be empty."""
    return {row["level"]: row for row in read_rows(folder, "experiments/levels.csv", ("level", "bytes", "count"))}


@chosen
def levels(at):
    rows = level_rows(at.folder)

    def number(level, column):
        return short(float(rows[level][column])) if rows[level].get(column) else "–"
    return table(["memory", "size", "latency, cycles", "latency, ns", "all SMs together, GB/s"],
                 [[what, bytes_text(float(rows[level]["bytes"]))] + [number(level, column) for column in ("cycles", "ns", "gbps")]
                  for level, what in LEVELS.items()], 1)


BYTES = {"load_mb": "MB loaded", "l2_mb": "MB in L2", "dram_read_mb": "MB read", "dram_write_mb": "MB written",
         "instructions": "instructions, M", "issue_pct": "slots, %", "warps_pct": "places, %",
         "stalled_memory": "wait for loads", "stalled_barrier": "for barrier"}


def first_launches(folder):
    """variant -> column -> a number, of one size."""
    launches = {}
    for row in read_rows(folder, "experiments/bytes.csv", ("variant", "n", "duration_us", *BYTES)):
        numbers = launches[row["variant"]] = {column: float(row[column]) for column in row
                                              if column not in ("program", "variant", "kernel") and row[column]}
        numbers["instructions"] /= 1e6
        numbers["gld_gbps"] = numbers["load_mb"] * 1e3 / numbers["duration_us"]
    return launches


@chosen
def bytes_moved(at):
    launches = first_launches(at.folder)
    n = next(iter(launches.values()))["n"]
    return table([f"first launch, n = {size_name(n)}", "µs", "load GB/s"] + list(BYTES.values()),
                 [[variant] + [short(numbers[column]) for column in ("duration_us", "gld_gbps", *BYTES)]
                  for variant, numbers in launches.items()], 1)


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

def value_of(name, number):
    """number(folder, *words), or the line that results have none."""
    def found(folder, *words):
        try:
            value = number(folder, *words)
        except (KeyError, TypeError, ValueError):
            value = None
        if not isinstance(value, float):
            raise Problem(f"results/{folder}/experiments has no {' '.join((name, *words))}")
        return value
    return found


grid_sync_value = value_of("grid_sync", lambda folder, what, threads, blocks: grid_sync_costs(folder)[int(threads), int(blocks)][what])
in_flight_value = value_of("in_flight", lambda folder, what, kib: flights(folder)[int(kib)][what])
cold_warm_value = value_of("cold_warm", lambda folder, what, size, column: cold_and_warm(folder)[what, elements(size)][column])
levels_value = value_of("levels", lambda folder, level, column: float(level_rows(folder)[level][column]))
bytes_value = value_of("bytes", lambda folder, variant, column: first_launches(folder)[variant][column])


def timed_value(name):
    """Of an experiment that uses the driver: VARIANT SIZE COLUMN."""
    def number(folder, variant, size, column):
        rows, n = timed_rows(folder, name), elements(size)
        if column == "life_us":
            return life_us(*(of_timed(rows, variant, n, column=what) for what in ("median_us", "block", "grid")), about(folder, "machine.json"))
        return of_timed(rows, variant, n, graph=True) if column == "graph_us" else of_timed(rows, variant, n, column=column)
    return value_of(name, number)
