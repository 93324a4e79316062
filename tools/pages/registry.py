"""registry.py: every table and every value that a page may ask for: its name, what it takes, who makes it."""
import os
import textwrap
from typing import Callable, NamedTuple

import tables_counters as counters
import tables_experiments as experiments
import tables_ladder as ladder
import tables_model as model
import tables_others as others
import tables_pairs as pairs
import tables_rows as rows
from page_markdown import Problem, combined, short
from results import check_folder, of_results, path_of


class Table(NamedTuple):
    """takes: what follows the name and a colon, in brackets if it may be left out. file: without
    it the page says that nothing was measured yet, and what measures it: command, or somebody's hand."""
    takes: str
    make: Callable
    help: str
    file: str = None
    command: str = None


class Value(NamedTuple):
    """takes: the words after the name; a VARIANT, WHAT, OPERATION or LEVEL may be A/B or A-B."""
    takes: str
    get: Callable
    help: str
    file: str = None


class At(NamedTuple):
    """What a table is made of, and for which page."""
    folder: str
    argument: str
    page: str

    @property
    def names(self):
        return self.argument.split(",") if self.argument else []


GPUS = ("many_gpus.csv", "make compare-gpus")
TYPES, EXACT = ("types.csv", "make compare-types"), ("exact.csv", "make compare-exact")
ROWS, SEGMENTS = ("rows.csv", "make compare-rows"), ("segments.csv", "make compare-rows")
ROW_TYPES = ("row_types.csv", "make compare-row-types")
COUNTERS, COMPARE, SOFTMAX = ("counters.csv", "make counters"), ("compare.csv", "make compare"), ("softmax.csv", "make compare-softmax")


def asked(name):
    return f"experiments/{name}", "make experiments"


def part(name):
    return f"{name}.csv", f"make results PARTS={name}"


TABLES = {
    "ladder": Table("", ladder.ladder, "all steps: times, bandwidth, speedup over v0"),
    "step": Table("STEP", ladder.step_table, "one step in full, or one topic; counts if FOLDER is the simulator's"),
    "sizes": Table("VARIANTS", ladder.sizes, "one row each: times at four sizes, speedup over the first named"),
    "lesson": Table("VARIANTS", ladder.lesson, "one row each, in four columns: times at 1M and at 256M, share of the roof at 256M"),
    "toolbox": Table("VARIANTS", ladder.toolbox, "the same at three sizes, and the time over the first's; NAME@1K: in rows of 1K"),
    "launched": Table("VARIANTS", ladder.launched, "one row each: alone with a cold L2 cache, and in a graph with a warm one"),
    "model": Table("", model.accuracy, "how far the model of time is from what was measured"),
    "model-ladder": Table("", model.ladder, "the ladder, predicted and measured"),
    "work": Table("", ladder.work, "what the simulator counted"),
    "depths": Table("", ladder.depths, "the depth of each variant's tree of additions"),
    "errors": Table("", ladder.errors, "the measured error of each variant, in units of 2^-24"),
    "machine": Table("[PART]", ladder.machine_line, "one line: where the numbers come from; PART: those of this one of parts.csv"),
    "passes": Table("", ladder.passes, "steps 01 to 04: the first launch of a sum, and those that finish it", *part("passes")),
    "noise": Table("", ladder.noise, "one line: how far times were apart that were measured twice", *part("noise")),
    "differ": Table("", counters.differ, "where the simulator counts something else than a GPU, and why"),
    "counter": Table("COLUMN", counters.counter_line, "one line: a GPU's own counter, in the first launch of v0, v1 and v2", *COUNTERS),
    "beside": Table("FOLDER", counters.beside, "a GPU's counters and the simulator's of results/FOLDER, all launches of a sum", *COUNTERS),
    "why": Table("VARIANTS", counters.why, "the same with every counter, a column for each variant (in rows of 1K floats); VARIANTS@20000: at another n that was profiled", *COUNTERS),
    "beside:published": Table("VARIANTS", others.beside_published, "source 001's GTX 1060 and the GPU of FOLDER"),
    "nvprof": Table("VARIANTS", others.nvprof, "source 001's nvprof counters, and their successors today", *COUNTERS),
    "experiment:unrolled": Table("[ROWS]", experiments.unrolled, "loads in flight and trees; ROWS: these alone, by their first cells", *asked("timed.csv")),
    "experiment:finishes": Table("[ROWS]", experiments.finishes, "three ways to finish a sum", *asked("timed.csv")),
    "experiment:grid_sync": Table("[ROWS]", experiments.grid_sync, "what a barrier of the grid costs, and a launch", *asked("timed.csv")),
    "experiment:little": Table("[ROWS]", experiments.little, "bandwidth of few blocks with few bytes", *asked("timed.csv")),
    "experiment:in_flight": Table("[ROWS]", experiments.in_flight, "the same by bytes in flight", *asked("timed.csv")),
    "experiment:shuffle_cost": Table("[OPERATIONS]", experiments.shuffle_cost, "what a shuffle, a vote, a barrier cost; OPERATIONS: these alone", *asked("shuffle_cost.csv")),
    "experiment:levels": Table("[ROWS]", experiments.levels, "how large and how far the memories are", *asked("levels.csv")),
    "experiment:cold_warm": Table("[ROWS]", experiments.cold_warm, "with the L2 cache emptied, and not", *asked("timed.csv")),
    "experiment:bytes": Table("[ROWS]", experiments.bytes_moved, "what moves in a first launch", *asked("bytes.csv")),
    "experiment:reproducible": Table("", experiments.reproducible, "different sums in several runs", *asked("reproducible.csv")),
    "experiment:known_wrong": Table("WORD", experiments.known_wrong, "a session of errata.txt: the command with this word", *asked("errata.txt")),
    "flight": Table("", pairs.flight, "bandwidth by bytes in flight on each SM", "sweep.csv", "make compare"),
    "tiles": Table("", pairs.tiles, "bandwidth by bytes of a block", "sweep.csv", "make compare"),
    "tune": Table("", pairs.tune, "the best time of each kind of plan, and of the one chosen", "tune.csv", "make compare"),
    "targets": Table("", pairs.targets, "sum_f32() over CUB, beside what was aimed at", *COMPARE),
    "ratios": Table("", pairs.ratios, "the same at every power of two", *COMPARE),
    "rivals": Table("", pairs.rivals, "sum_f32() over the other rivals", *COMPARE),
    "against": Table("[SIZES]", pairs.against, "sum_f32() over both versions of CUB, cold, in a graph; SIZES: at these alone", *COMPARE),
    "awkward": Table("", pairs.awkward, "sum_f32() over CUB at other sizes", *COMPARE),
    "profile": Table("", pairs.profile, "step 11's kernel, CUB's and a plain read alone", *part("profile")),
    "exact_profile": Table("", pairs.exact_profile, "sum_f32_exact()'s kernel and sum_f32()'s alone", *part("exact_profile")),
    "softmax": Table("[SIZE]", pairs.softmax, "the toolbox's softmax and PyTorch's, a line for each length of a row; of 256M floats", *SOFTMAX),
    "types": Table("[SIZE]", pairs.types, "step 12's types over their rivals; at 256M", *TYPES),
    "type_sizes": Table("RIVAL", pairs.type_sizes, "the same, size by size, over cub, cub_newer or torch", *TYPES),
    "exact": Table("PATTERN", pairs.exact, "sum_f32_exact() over its rivals, for such numbers", *EXACT),
    "shares": Table("OF,SIZE[,COLUMNS...]", rows.shares, "OF: rows or columns; of SIZE floats: percent of a plain read's speed, by columns and operator", *ROWS),
    "row_ratios": Table("OF,SIZE[,COLUMNS...]", rows.row_ratios, "the same: our time over the fastest rival's, and which that is", *ROWS),
    "segment_shares": Table("SIZES", rows.segment_shares, "reduce_segments(), by the lengths: percent of a plain read's speed, our time over CUB's", *SEGMENTS),
    "rivals_ahead": Table("", rows.rivals_ahead, "in how many shapes a rival is more than 2 % faster than those functions, and the worst", *ROWS),
    "row_types": Table("OF,SIZE...", rows.row_types, "those functions of half and bfloat16, OF rows, columns or segments: percent of a plain read's speed, and the fastest rival", *ROW_TYPES),
    "gpus": Table("GPUS", pairs.gpus_table, "step 14 on so many GPUs, size by size, cold, in a graph of each", *GPUS),
    "gpus_calls": Table("GPUS", pairs.calls_table, "what one sum takes, by the way it is called, cold", *GPUS),
    "gpus_line": Table("", pairs.gpus_line, "one line: where those come from", *GPUS),
    "machines": Table("", others.machines, "the README's commands on minimal systems", "machines.csv", "tests/machines --record"),
    "notebook": Table("", others.notebook, "a link that opens the notebook, once the repository has an address (FOLDER is book)"),
    "lessons": Table("", others.lessons, "the front page's table: a row for each of tools/pages/front.csv"),
}

VALUES = {
    "": Value("VARIANT SIZE COLUMN", ladder.run_value, "of the CSV, cold and alone; graph_us, error_percent, theory_pct, life_us (of a block), issue_us (its instructions), row_ns (32 floats), speedup (over v0)"),
    "machine": Value("KEY [UNIT]", ladder.machine_value, "of machine.json; UNIT: KiB, MiB or GiB"),
    "counter": Value("VARIANT COLUMN", ladder.counter_value, "of counters.csv, first launch, n = 64K", "counters.csv"),
    "launch": Value("VARIANT SIZE PART", ladder.launch_value, "first, rest: µs of the first launch, of the others; life: that one of its blocks lives; issue: that it needs to issue its instructions", "passes.csv"),
    "published": Value("VARIANT QUANTITY", others.published_value, "of results/published"),
    "experiment unrolled": Value("VARIANT SIZE COLUMN", experiments.timed_value("unrolled"), "of an experiment; also graph_us, life_us", "experiments/timed.csv"),
    "experiment finishes": Value("VARIANT SIZE COLUMN", experiments.timed_value("finishes"), "the same", "experiments/timed.csv"),
    "experiment little": Value("VARIANT SIZE COLUMN", experiments.timed_value("little"), "the same", "experiments/timed.csv"),
    "experiment cold_warm": Value("WHAT SIZE COLUMN", experiments.cold_warm_value, "WHAT: cold or warm", "experiments/timed.csv"),
    "experiment grid_sync": Value("WHAT THREADS BLOCKS", experiments.grid_sync_value, "WHAT: barrier, launch, graph_barrier, graph_launch; µs", "experiments/timed.csv"),
    "experiment in_flight": Value("WHAT KIB", experiments.in_flight_value, "WHAT: least, most (GB/s), least_ns, most_ns (by Little's law)", "experiments/timed.csv"),
    "experiment shuffle_cost": Value("OPERATION PART", experiments.shuffle_cost_value, "PART: latency or rate", "experiments/shuffle_cost.csv"),
    "experiment levels": Value("LEVEL COLUMN", experiments.levels_value, "LEVEL: shared, l1, l2 or memory; COLUMN: cycles, ns or gbps", "experiments/levels.csv"),
    "experiment bytes": Value("VARIANT COLUMN", experiments.bytes_value, "also gld_gbps", "experiments/bytes.csv"),
    "sweep": Value("KEY", pairs.sweep_value, "latency_ns, predicted_kb, measured_kb (the knees), flight, tile (the best of each), gain_pct (of tile over flight); flight:KB, least:KB, law:KB, tile:KB, blocks:KB (begun in a µs)", "sweep.csv"),
    "compare": Value("SIZE CACHE LAUNCH RIVAL COLUMN", pairs.value("compare"), "of compare.csv, or gbps, theory_pct (ours)", "compare.csv"),
    "types": Value("ELEMENT SIZE CACHE LAUNCH RIVAL COLUMN", pairs.value("types"), "of types.csv; share: rival's time over ours, %", "types.csv"),
    "exact": Value("PATTERN SIZE CACHE LAUNCH RIVAL COLUMN", pairs.value("exact"), "of exact.csv; the same", "exact.csv"),
    "gpus": Value("GPUS SIZE CACHE LAUNCH RIVAL COLUMN", pairs.value("gpus"), "of many_gpus.csv: nvlink_slots beside local, nccl, one_gpu or host; speedup: the rival's time over it; efficiency: of one_gpu, percent of as many times its speed", "many_gpus.csv"),
    "rows": Value("OPERATOR OF COLUMNS SIZE RIVAL COLUMN", rows.rows_value("rows"), "of rows.csv and rows_torch.csv, floats, cold, in a graph; OF: rows or columns; RIVAL: best, too; share: ours, % of a plain read's speed", "rows.csv"),
    "rows_map": Value("VARIANT ROW SIZE COLUMN", rows.map_value, "of rows_map.csv, cold and launched alone", "rows_map.csv"),
    "segments": Value("OPERATOR LENGTHS SIZE RIVAL COLUMN", rows.rows_value("segments"), "of segments.csv; the same", "segments.csv"),
    "softmax": Value("VARIANT ROW SIZE COLUMN", pairs.softmax_value, "VARIANT: warp, warp_shared, block, cluster, torch, or best (of ours); COLUMN: median_us, gbps, pct_roof (of our plain copy) or block_ns, the time over the number of blocks", "softmax.csv"),
}
PROSE = ("lessons", "differ", "notebook", "machines")  # tables whose words others write: no fault where they differ
COMBINED = ("VARIANT", "WHAT", "OPERATION", "LEVEL")


def lookup(entries, words, sign):
    """(entry, its name, the words after it) of the longest name that these words begin with."""
    for count in range(len(words), -1, -1):
        name = sign.join(words[:count])
        if name in entries:
            return entries[name], name, words[count:]
    return None, None, words


def is_there(folder, file):
    check_folder(folder)
    return os.path.exists(path_of(folder, file))


@of_results
def make_table(words, page):
    if len(words) != 2:
        raise Problem("a table takes a name and a folder, as in: table: ladder h200")
    table, name, rest = lookup(TABLES, words[0].split(":"), ":")
    folder, argument = words[1], ":".join(rest)
    if table is None:
        raise Problem(f"no table {words[0]}; there are {', '.join(TABLES)}")
    if bool(argument) != bool(table.takes) and not (table.takes.startswith("[") and not argument):
        raise Problem(f"the table {name} takes " + (f"{table.takes}, as in {name}:{table.takes}" if table.takes else f"no {argument}"))
    if table.file and not is_there(folder, table.file):
        path = f"results/{folder}/{table.file}"
        how = f"`{table.command.format(folder=folder)}`{', on a GPU,' * (folder != 'platforms')} writes {path}" if table.command else f"{path} is written by hand"
        return f"*Not measured yet: {how}.*"
    return table.make(At(folder, argument, page))


@of_results
def make_value(words):
    """What a page writes: a number, a text, or the sign that nothing was measured."""
    folder, *rest = ["published", *words] if words[:1] == ["published"] else words or [""]
    value, name, rest = lookup(VALUES, rest, " ")
    takes = value.takes.split()
    if not len([word for word in takes if word[0] != "["]) <= len(rest) <= len(takes):
        example = "a folder, a variant, a size and a column, as in h200 v0 16M median_us"
        raise Problem(f"a value takes {f'FOLDER {name} {value.takes}' if name else example}")
    if value.file and not is_there(folder, value.file):
        return short(None)
    if takes[0] in COMBINED:
        made = combined(rest[0], lambda first: value.get(folder, first, *rest[1:]))
    else:
        made = value.get(folder, *rest)
    return made if isinstance(made, str) else short(made)


def help_text():
    """A line for each."""
    markers = [(f"{name}{':' * bool(table.takes)}{table.takes} FOLDER".replace(":[", "[:"), table.help) for name, table in TABLES.items()]
    lines = ["Tables (VARIANTS: names with commas between):"] + [f"    {marker:<32} {about}" for marker, about in markers]
    lines += ["Values (a " + ", ".join(COMBINED) + " may be A/B, the ratio of two, or A-B, their difference):"]
    markers = [("" if name == "published" else "FOLDER ") + f"{name} {value.takes}".strip() for name, value in VALUES.items()]
    return "\n".join(lines + [f"    {marker}\n{textwrap.fill(value.help, 120, initial_indent=' ' * 8, subsequent_indent=' ' * 8)}"
                              for marker, value in zip(markers, VALUES.values())])
