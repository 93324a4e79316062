"""pictures.py: what each picture of a results folder is made of. A picture of one lesson has variants up to its step, `upto`,
and no later ones. Steps 12 and 13 are about types and bits: they have tables and no picture."""
import math

from page_markdown import ratio, short, size_name
from layout import Bars, Lines, Skipped
from output import INK, TITLES, Picture
from tables_experiments import level_rows
from tables_pairs import Pairs, Softmax, Sweep

# Colour, dash and marker of each variant, the same in every picture (layout.Look).
LOOKS = {"v0": (1, 1, 7), "v1": (1, 2, 6), "v2": (2, 1, 5), "v3x8": (3, 1, 9), "v5": (3, 2, 8), "v6": (4, 1, 13),
         "atomic_per_block": (5, 1, 11), "block_reduce": (5, 2, 10), "two_pass": (6, 1, 4), "cooperative": (7, 4, 12), "vector_x8": (8, 1, 9),
         "ticket": (9, 2, 8), "flagged_slots": (9, 1, 7), "fixed_point": (9, 4, 6), "cluster_8": (10, 1, 5), "sum_f32": (11, 1, 13), "cub": (-1, 1, 2),
         "read": (0, 2, 0), "copy": (4, 1, 13), "thrust": (1, 2, 6), "cpu_serial": (1, 1, 7), "cpu_pairwise": (4, 2, 13), "cpu_kahan": (-1, 4, 2)}
NAMES, MANY_GPUS = {"read": "read (the roof)"}, "no many_gpus.csv; on a machine with two GPUs: make compare-gpus"


def cold(row):
    return row["backend"] == "cuda" and row["cache"] == "cold" and row["launch"] == "plain" and row["n"] > 0


def met(row, upto):
    """Whether a lesson has met it that shows the steps up to `upto`; of step 10 without its many ways to load, which its notes compare."""
    return row["step"][:2] <= upto and not row["variant"].startswith(("load_", "bulk_"))


def speedup(folder, upto):
    """How many times faster than v0 (step 01) each variant is, at three sizes: cold times only. CUB and the plain read,
    the roof, come last, to compare with."""
    picture = Bars("no cold times of v0 on a GPU at 1M, 16M or 256M elements", reference="cub", names=NAMES)
    picture.title, picture.subtitle = "Times faster than v0", f"{folder.gpu}; median times, cold L2 cache; dashed: CUB"
    rows = [row for row in folder.rows if cold(row) and (row["median_us"] or 0) > 0 and met(row, upto) and (
        row["variant"] in ("cub", "read") or row["task"] == "sum" and row["step"][:2] != "00")]
    rows.sort(key=lambda row: {"cub": 1, "read": 2}.get(row["variant"], 0))
    v0 = {row["n"]: row["median_us"] for row in rows if row["variant"] == "v0"}
    sizes = [n for n in (1 << 20, 1 << 24, 1 << 28) if n in v0]
    for n in sizes:
        picture.panel(f"{size_name(n)} elements")
    for row in rows:
        if row["n"] in sizes:
            times = v0[row["n"]] / row["median_us"]
            picture.bar(row["step"], row["variant"], times, f"{times:.1f}×", sizes.index(row["n"]))
    if sizes:
        reached = {variant: value for variant, (value, _) in picture.panels[-1][2].items()}
        best = max((variant for variant in reached if variant not in ("cub", "read")), key=reached.get)
        picture.title = f"At {size_name(sizes[-1])} {best} is {reached[best]:.1f} times as fast as v0" + (f", CUB {reached['cub']:.1f} times" if "cub" in reached else "")
    for panel in picture.panels:  # one scale for all panels, so that they compare
        panel[1] = max(panel[1] for panel in picture.panels)
    return picture


# At most seven curves each: of the whole ladder, and of a lesson.
SHARE = {"11": "v0 v1 v3x8 v6 two_pass sum_f32 cub", "05": "v0 v3x8 v6 atomic_per_block block_reduce cub", "08": "v0 v3x8 v6 two_pass vector_x8 cub"}
SMALL = "v0 v6 two_pass flagged_slots cluster_8 sum_f32 cub"


def told(picture, variants, n, form, panel=0):
    """The finding, for a title: what those of these variants that are drawn reach at n."""
    curves = picture.panels[panel]
    return ", ".join(f"{variant} {form.format(curves[variant].points[n])}" for variant in variants if variant in curves and n in curves[variant].points)


def share(folder, upto):
    """Percent of the roof, a plain read, against n, cold: one variant of each idea, and CUB. So one sees small n as well as large."""
    picture = Lines("no cold times on a GPU", 560, 400, 165, "% of a plain read")
    drawn = SHARE[upto].split()
    for row in folder.rows:
        if cold(row) and row["variant"] in drawn and met(row, upto):
            picture.point(row["variant"], row["variant"], LOOKS[row["variant"]], row["n"], row["pct_roof"])
    finding = told(picture, ("atomic_per_block" if "atomic_per_block" in drawn else "v0", "v6", "block_reduce", "vector_x8", "sum_f32"), 1 << 28, "{:.0f} %")
    picture.title = f"At 256M, of a plain read's speed: {finding}" if finding else "How near each sum comes to a plain read"
    picture.subtitle = f"{folder.gpu}; time of a plain read over the median time; cold L2 cache"
    return picture


def small(folder, _):
    """Microseconds against n up to 1M, launched alone (cold) and inside a CUDA graph of many sums (warm), side by side: what
    remains of a time when the launch is cheap."""
    picture = Lines("no in-graph times", 225, 380, 140, "µs per sum", logarithmic=True,
                    panel_titles=("launched alone, cold L2 cache", "inside a CUDA graph, warm"))
    rows = [row for row in folder.rows if row["backend"] == "cuda" and (row["median_us"] or 0) > 0 and 0 < row["n"] <= 1 << 20
            and row["variant"] in SMALL.split() and (cold(row) or (row["launch"], row["cache"]) == ("graph", "warm"))]
    in_graph = {row["variant"] for row in rows if row["launch"] == "graph"}  # the same variants on both sides
    for row in rows:
        if row["variant"] in in_graph:
            picture.point(row["variant"], row["variant"], LOOKS[row["variant"]], row["n"], row["median_us"], panel=int(row["launch"] == "graph"))
    finding = told(picture, ("two_pass", "sum_f32", "cub"), 1 << 16, "{:.1f} µs", panel=1)
    picture.title = f"64K floats in a graph take {finding}" if finding else "Small sums"
    picture.subtitle = f"{folder.gpu}, median times"
    return picture


def bandwidth(folder, _):
    """Percent of the theoretical bandwidth, of machine.json, against the bytes that are moved, cold: what the sums are compared
    with, a plain read (the roof), a copy, CUB and Thrust."""
    picture = Lines("no cold times on a GPU, or no theoretical bandwidth", 560, 400, 165, "% of the theoretical bandwidth", "bytes that are moved")
    theory, rows = folder.number("theoretical_gbps"), [row for row in folder.rows if cold(row) and (row["gbps"] or 0) > 0 and row["variant"] in ("copy", "thrust", "cub", "read")]
    largest = max((row["n"] for row in rows), default=0)
    for row in rows if theory else []:
        moved = row["n"] * (2 if row["variant"] == "copy" else 1)
        if moved <= largest:
            picture.point(row["variant"], NAMES.get(row["variant"], row["variant"]), LOOKS[row["variant"]], 4 * moved, 100 * row["gbps"] / theory)
    reads = picture.panels[0]["read"].points if "read" in picture.panels[0] else {}
    half = min((n for n, percent in reads.items() if percent >= 50), default=None)
    picture.title = "Bandwidth" if not half else f"Half of the bandwidth takes {size_name(half)} bytes or more: small arrays cannot use the memory"
    picture.subtitle = f"{folder.gpu}, {short(theory)} GB/s in theory; bytes over the median time, cold L2 cache"
    return picture


# Four errors and three bounds: seven curves.
ERRORS, BOUNDS = ("cpu_serial", "cpu_pairwise", "block_reduce", "sum_f32"), ("cpu_serial", "block_reduce", "sum_f32")


def accuracy(folder, _):
    """The error of each sum, |sum - exact| / sum of |x|, against n, beside the bound that its tree of additions promises
    (dashed). Left the CPU, right the GPU; the simulator computes the same float additions."""
    picture = Lines("no errors of a GPU", 225, 380, 140, "relative error", panel_titles=("on the CPU", "on the GPU"), logarithmic=True, exact_floor=True,
                    y_limit=1)  # a bound above 1 promises nothing
    picture.title, picture.subtitle = "Rounding error", f"{folder.gpu}; |sum - exact| / sum of |x|; dashed: the bound"
    least = math.inf
    for row in folder.rows if folder.machine.get("backend") == "cuda" else []:
        if row["rel_err"] is not None and row["rel_err"] < 1e99 and row["n"] > 0 and row["variant"] in ERRORS and row["launch"] != "graph":
            (colour, _, marker), panel = LOOKS[row["variant"]], int(row["backend"] != "cpu")
            picture.point(row["variant"], row["variant"], (colour, 1, marker), row["n"], row["rel_err"], panel)
            if (row["err_bound"] or 0) > 0:
                least = min(least, row["err_bound"] / row["rel_err"] if row["rel_err"] > 0 else math.inf)
                if row["variant"] in BOUNDS:
                    picture.point(row["variant"] + " bound", "", (colour, 2, 0, 1), row["n"], row["err_bound"], panel)
    if 1 < least < math.inf:
        picture.title = f"Each error is at least {least:.0f} times smaller than rounding can make it"
    return picture


# What the simulator counts: what to call it, and its columns.
COUNTS = {"requests, global memory": ("gld_requests", "gst_requests"), "32-byte sectors": ("gld_sectors", "gst_sectors"), "SIMT efficiency": ("simt_efficiency",)}


def work(folder, upto):
    """Traffic with memory at the largest n that the simulator counted, per 32 elements, the share of one warp, which reads 32 floats side
    by side with one request and four 32-byte sectors; never a time. The roof comes last."""
    picture = Bars("no simulator counts for it")
    rows = [row for row in folder.rows if row["backend"] == "sim" and row["n"] > 0 and (row["task"] == "sum" or row["variant"] == "read") and met(row, upto)
            and row["gld_requests"] is not None]
    n = max((row["n"] for row in rows), default=0)
    rows = sorted((row for row in rows if row["n"] == n), key=lambda row: row["step"][:2] == "00")
    picture.title, picture.subtitle = f"Work per 32 elements, n = {size_name(n)}", f"work per 32 elements, n = {size_name(n)}; counted by the simulator, which shows no times"
    for what, (first, *more) in COUNTS.items():
        counted = [row for row in rows if row[first] is not None]
        if counted:
            picture.panel(what)
        for row in counted:
            value = (row[first] + sum(row[column] or 0 for column in more)) * (32 / n if more else 100)
            picture.bar(row["step"], row["variant"], value, short(value) if more else f"{value:.0f} %")
    asked = picture.panels[0][2] if picture.panels else {}
    if {"v0", "sum_f32"} <= set(asked):
        picture.title = "v0 asks the memory {} times for 32 elements, sum_f32 {} times".format(asked["v0"][1], asked["sum_f32"][1])
    return picture


def swept(folder, x_title, names, curve_of, **layout):
    """What ./step08 --demo measured: (its numbers or None, a picture of the best of the ways that have the same bytes in flight, or per block)."""
    picture = Lines("no sweep.csv; on a GPU: ./step08 --demo >sweep.csv", 540, 400, 185, "GB/s", x_title, **layout)
    picture.subtitle = f"{folder.gpu}, reading 1 GiB, cold L2 cache"
    if not folder.has("sweep.csv"):
        raise Skipped(picture.why_not)
    sweep, looks = Sweep(folder.folder), ((1, 1, 7), (3, 1, 5), (2, 1, 9), (4, 1, 13), (11, 1, 11))
    curves = curve_of(sweep)
    known = list(dict.fromkeys(curve for curve, _ in curves))
    for (curve, x), gbps in curves.items():
        picture.point(curve, names.format(curve), looks[known.index(curve) % 5], x, gbps)
    return sweep, picture


def flight(folder, _):
    """Bandwidth against the bytes in flight on each SM, beside Little's law up to the roof; where it meets the roof is the
    knee that it predicts. The one measured is the least that comes within 5 % of the best."""
    sweep, picture = swept(folder, "bytes in flight on each SM, at most", "{} × 16 bytes a thread", lambda sweep: sweep.by_loads, logarithmic=True)
    picture.title = "Bytes in flight and bandwidth: Little's law"
    roof = sweep.best_tile
    if not (sweep.latency > 0 and sweep.sms and picture.x_min):
        return picture
    knee, measured, least, x = roof * 1e3 * sweep.latency / sweep.sms, sweep.knee(), picture.y_min, picture.x_min
    while x < knee:
        picture.point("law", "Little's law", (-1, 3, 0, 1.2), x, sweep.law(x))
        x *= 1.3
    picture.point("law", "Little's law", (-1, 3, 0, 1.2), knee, roof)
    picture.level("roof", "a block for each tile", (0, 1, 0, 1.2), roof)
    picture.title = f"An SM needs {measured / 1024:.0f} KB in flight; Little's law with the latency of one load says {knee / 1024:.0f}"
    for x, which, left in ((knee, "predicted", knee >= measured), (measured, "measured", knee < measured)):
        name = f"{which} knee: {x / 1024:.0f} KB"  # an upright line, named at its foot, on the side where the other is not
        for place, y in ((x, roof), (x * 1.0001, least)):
            picture.point(name, name, (-1, 2, 0, 1), place, y, beside="left" if left else "right")
    return picture


def tile(folder, _):
    """Bandwidth against the bytes that a block reads."""
    sweep, picture = swept(folder, "bytes that a block reads", "{} threads", lambda sweep: {
        (threads, size): gbps for size, ways in sweep.tile.items() for threads, gbps in ways.items()})
    enough = min(size for size, ways in sweep.tile.items() if max(ways.values()) >= 0.95 * sweep.best_tile)
    picture.title = f"From {enough / 1024:.0f} KB on, the size of a tile no longer counts"
    picture.level("persistent", "persistent, best", (0, 3, 0), sweep.best_flight)
    return picture


def ours_against_cub(folder, _):
    """The time of sum_f32() over CUB's, for each power of two, in a graph (make compare): cold and warm, with the 95 % interval."""
    picture = Lines("no compare.csv; on a GPU: make compare", 600, 400, 125, "time of sum_f32() / time of CUB")
    picture.title = "sum_f32() against CUB, one sum after another in a CUDA graph"
    picture.subtitle = f"{folder.gpu}, in a CUDA graph; below 1 sum_f32() is faster; shaded: 95 % interval"
    for (offset, n, cache, launch, rival), row in Pairs(folder.folder, "compare").rows.items() if folder.has("compare.csv") else ():
        if rival == "cub" and launch == "graph" and offset == 0 and n > 0 and n & n - 1 == 0:
            ratio, low, high = (float(row[column]) for column in ("ratio", "low", "high"))
            picture.point(cache, f"{cache} L2 cache", {"cold": (4, 1, 7)}.get(cache, (2, 1, 5)), n, ratio, band=(low, high))
    ratios = [y for curve in picture.panels[0].values() for y in curve.points.values()]
    if ratios:
        picture.title = f"sum_f32() takes {min(ratios):.2f} to {max(ratios):.2f} of CUB's time, one sum after another"
    picture.level("one", "CUB", (-1, 1, 0), 1)
    return picture


def softmax(folder, _):
    """Percent of a plain copy's speed against the length of a row: what shares a row of the toolbox's softmax, and PyTorch's
    (make compare-softmax), at the largest n of both. What lanes meet through, shuffles or shared memory, would be one line: it
    is in the table. PyTorch was timed in a process of its own: its roof is the copy that ours was compared with."""
    picture = Lines("no softmax.csv; on a GPU: make compare-softmax", 540, 400, 185, "% of a plain copy", "floats of a row")
    if not folder.has("softmax.csv"):
        raise Skipped(picture.why_not)
    run = Softmax(folder.folder)
    largest = max(n for name, _, n in run.rows if name != "torch")
    for name, words, look in (("warp", "a warp for each row", (3, 1, 7)), ("block", "a block", (2, 1, 5)), ("cluster", "a cluster of 4 blocks", (7, 1, 9)),
                              ("torch", "PyTorch", (-1, 2, 2))):
        for row in (row for kind, row, n in run.rows if (kind, n) == (name, largest)):
            picture.point(name, words, look, row, run.get(name, row, largest, "pct_roof"))
    version = "".join({f"; PyTorch {row['torch']}" for (name, _, n), row in run.rows.items() if (name, n) == ("torch", largest)})
    ours = [picture.panels[0][name].points for name in ("warp", "block", "cluster") if name in picture.panels[0]]
    best = {length: max(curve[length] for curve in ours if length in curve) for curve in ours for length in curve}
    picture.level("roof", "plain copy", (0, 3, 0, 1.2), 100)
    picture.title = f"Softmax: with the way that suits a row's length, {min(best.values()):.0f} % of a plain copy or more" if best else "Softmax"
    picture.subtitle = f"{folder.gpu}, {size_name(largest)} floats, cold L2 cache{version}"
    return picture


def slots(folder):
    """What make compare-gpus wrote of step 14's slots over NVLink, in a graph of each GPU, cold: (GPUS, rival, n, column) -> its number."""
    return {(gpus, rival, n, column): float(row[column] or 0) for (gpus, n, cache, launch, rival), row in (
        Pairs(folder.folder, "gpus").rows.items() if folder.has("many_gpus.csv") else ()) if (cache, launch) == ("cold", "graphs")
        for column in ("way_us", "rival_us", "above")}


def by_n(rows, *key):
    """{n: number} of these GPUS, rival and column."""
    return {n: number for (gpus, rival, n, column), number in rows.items() if (gpus, rival, column) == key}


def pays_from(gains):
    """The least n from which on all gains, by n, are above 1; None where the last is not."""
    loses = [n for n, gain in gains.items() if not gain or gain <= 1]
    return min((n for n in gains if n > max(loses, default=0)), default=None)


def many_gpus(folder, _):
    """Step 14 on as many GPUs as were measured, beside one: µs per sum against n in all."""
    picture = Lines(MANY_GPUS, 400, 400, 175, "µs per sum", "elements in all", logarithmic=True)
    rows = slots(folder)
    gpus = max((key[0] for key in rows), default=0)
    one, way = (by_n(rows, gpus, "one_gpu", column) for column in ("rival_us", "way_us"))
    for name, words, look, times in (("nccl", "NCCL", (-1, 1, 2), by_n(rows, gpus, "nccl", "rival_us")), ("one", "one GPU", (0, 2, 0), one),
                                     ("slots", "slots over NVLink", (9, 1, 7), way)):
        for n, us in times.items():
            picture.point(name, words, look, n, us)
    pays = pays_from({n: ratio(one[n], way[n]) for n in one if n in way})
    picture.title = f"{gpus:.0f} GPUs pay from {size_name(pays)} elements on" if pays else f"One sum over {gpus:.0f} GPUs: does it pay?"
    picture.subtitle = f"{gpus:.0f} x {folder.gpu}, NVLink; in a graph of each GPU, cold L2 cache"
    return picture


def gpus_model(folder, _):
    """The model of docs/many_gpus.md: how many times as fast as one GPU are 8 of a host, and 64 machines of 8 each? Measured:
    k = 2. All else is foretold: finish(8) of slots is taken to be finish(2); that of 64 machines is what NCCL itself expects
    of 512 GPUs (docs/many_gpus.md)."""
    picture = Lines(MANY_GPUS, 400, 400, 200, "times as fast as one GPU", "elements in all", logarithmic=True)
    picture.title, picture.subtitle = "A model: what would more GPUs bring?", f"T(n, k) = launch + 4 n / (k B) + finish(k); constants of {folder.gpu}"
    rows = slots(folder)
    way, local = by_n(rows, 2, "one_gpu", "way_us"), {gpus: by_n(rows, gpus, "local", "rival_us") for gpus in (1, 2)}
    for n, us in by_n(rows, 2, "one_gpu", "rival_us").items():
        picture.point("measured", "2 GPUs, measured", (9, 1, 7), n, ratio(us, way[n]))
    if not picture.x_max or not {1 << 10, 1 << 30} <= set(local[1]) or 1 << 10 not in local[2] or not local[1][1 << 30] > 0:
        return picture
    launch, rate, finish = local[1][1 << 10], 4 * (1 << 30) / local[1][1 << 30], by_n(rows, 2, "local", "above")[1 << 10]
    for n in (1 << k for k in range(10, 41)):
        for gpus, end, name, colour in ((2, finish, "2 GPUs, foretold", 9), (8, finish, "8 GPUs, foretold", 3),
                                        (512, 6.8 + 2 * (7 * 0.6 + 6 * 5), "64 machines, foretold", 1)):
            picture.point(gpus, name, (colour, 2, 0), n, ratio(launch + 4 * n / rate, launch + 4 * n / (gpus * rate) + end))
    many = pays_from(picture.panels[0][512].points)
    if many:
        picture.title = f"A model: one GPU is the fastest for small arrays, 64 machines only from {size_name(many)} elements on"
    return picture


# ---- the levels of memory ----

BOX, PIPE, LONGER, TOP = 46, 42, 14, 92  # the pipe between L2 and the SMs is longer: it leaves the box of the SM
WIDTHS = (300, 470, 590, 720)
TOPS = [TOP + k * (BOX + PIPE) + LONGER * (k > 1) for k in range(4)]
MEMORY_STYLES = {"shadow": "fill='#c4c4c4'", "SM": "fill='#f2f2f2'", "pipe": "fill='#0072b2'", "level": "fill='#c5e0f2'",
          "name": f"font-size='14' text-anchor='middle' fill='#000000' {INK}", "size": f"font-size='12' text-anchor='middle' fill='#404040' {INK}",
          "rate": "font-size='12' fill='#00517f'", "which": "font-size='12' fill='#404040'", **TITLES}


def size_text(count):
    unit = sum(count >= 1024 ** k for k in (1, 2, 3))
    count /= 1024 ** unit
    return f"{count:.{int(count < 10)}f} {('bytes', 'KiB', 'MiB', 'GiB')[unit]}"


def memory_levels(folder):
    """(name, how large and of what, cycles, GB/s) of each."""
    measured = level_rows(folder.folder) if folder.has("experiments/levels.csv") else {}
    known = lambda level, column: float(measured.get(level, {}).get(column) or 0)
    for name, level, size, of, rate in (
            ("registers", "", known("registers", "bytes"), "in each SM", 0),
            # one memory: the faster of the two ways to read it
            ("shared memory and L1 cache", "shared", known("shared", "bytes"), "of shared memory in each SM", max(known("l1", "gbps"), known("shared", "gbps"))),
            ("L2 cache", "l2", folder.number("l2_bytes"), "for all SMs", known("l2", "gbps")),
            # step 00's roof, as everywhere
            ("device memory", "memory", folder.number("memory_bytes"), "for all SMs", folder.number("read_gbps") or known("memory", "gbps"))):
        yield name, f"{size_text(size)} {of}" if size else of.removeprefix("of shared memory "), known(level, "cycles"), rate


def memory(folder, _):
    """The levels of memory from the nearest to the farthest: a box for each, and between two of them a pipe, as wide as what flows
    through it. How large each is comes from machine.json; cycles and speed from experiments/levels.csv, where it is."""
    sms = folder.number("sm_count")
    if folder.machine.get("backend") != "cuda" or not sms or not folder.number("l2_bytes"):
        raise Skipped("machine.json names no GPU's SMs and L2 cache")
    picture = Picture(MEMORY_STYLES)
    top, high = TOPS[0] - 30, TOPS[1] + BOX + 10 - TOPS[0] + 30
    picture.box("shadow", 136, top + 6, 540, high)  # one SM of many
    picture.box("SM", 130, top, 540, high)
    picture.text("which", 138, top + 13, f"one of {sms:.0f} SMs")
    levels = list(memory_levels(folder))
    for k, (name, size, cycles, gbps) in enumerate(levels):
        picture.box("level", 400 - WIDTHS[k] / 2, TOPS[k], WIDTHS[k], BOX)
        picture.text("name", 400, TOPS[k] + 16, name)
        picture.text("size", 400, TOPS[k] + 34, size + (f", {cycles:.0f} cycles away" if cycles > 0 else ""))
        if k > 0:  # a pipe: 2 pixels for a TB/s, and never too thin to be seen
            half, long = (gbps / 1000 if gbps > 0 else 0.75), PIPE + LONGER * (k == 2)
            picture.box("pipe", 400 - half, TOPS[k] - long, 2 * half, long)
            picture.text("rate", 410 + half, TOPS[k] - long / 2, f"{short(half)} TB/s" if gbps > 0 else "")
    speeds = [gbps / 1000 for *_, gbps in levels[1:]]
    known = all(speed > 0 for speed in speeds)
    return picture.svg(TOPS[3] + BOX + 14, "The nearer a memory, the faster" + (": {:.3g}, {:.3g} and {:.3g} TB/s".format(*speeds) if known else ""),
                       f"{folder.gpu}. A pipe is as wide as what all SMs together can read through it" + ("" if known else "; thin: not measured"))
