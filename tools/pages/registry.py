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
from page_markdown import UNMEASURED, Problem, ratio, short
from results import check_folder, of_results, path_of


class Entry(NamedTuple):
    """takes: what follows the name of a table and a colon, in brackets if it may be left out; or the words after a value's, of which a
    VARIANT, WHAT, OPERATION or LEVEL may be A/B or A-B. make: of an At, or of the folder and those words. file: without it the page
    says that nothing was measured yet, and which command measures it."""
    takes: str
    make: Callable
    help: str
    file: str = None
    command: str = None


class At(NamedTuple):
    """What a table is made of, and for which page."""
    folder: str
    argument: str
    page: str

    @property
    def names(self):
        return self.argument.split(",") if self.argument else []


def of(file, command):
    return f"{file}.csv", "make " + command


TIMED, SWEPT, GPUS = of("experiments/timed", "experiments"), of("sweep", "compare"), of("many_gpus", "compare-gpus")
ROWS, SEGMENTS, ROW_TYPES = of("rows", "compare-rows"), of("segments", "compare-rows"), of("row_types", "compare-row-types")
COUNTERS, COMPARE, SOFTMAX = of("counters", "counters"), of("compare", "compare"), of("softmax", "compare-softmax")
TYPES, EXACT = of("types", "compare-types"), of("exact", "compare-exact")


TABLES = {
    "ladder": Entry("", ladder.ladder, "all steps: times, bandwidth, speedup over v0"),
    "step": Entry("STEP", ladder.step_table, "one step in full, or one topic; counts if FOLDER is the simulator's"),
    "sizes": Entry("VARIANTS", ladder.sizes, "one row each: times at four sizes, speedup over the first named"),
    "lesson": Entry("VARIANTS", ladder.lesson, "one row each, in four columns: times at 1M and at 256M, share of the roof at 256M"),
    "toolbox": Entry("VARIANTS", ladder.toolbox, "the same at three sizes, and the time over the first's; NAME@1K: in rows of 1K"),
    "launched": Entry("VARIANTS", ladder.launched, "one row each: alone with a cold L2 cache, and in a graph with a warm one"),
    "model": Entry("", model.accuracy, "how far the model of time is from what was measured"),
    "model-ladder": Entry("", model.ladder, "the ladder, predicted and measured"),
    "work": Entry("", ladder.work, "what the simulator counted"),
    "depths": Entry("", ladder.depths, "the depth of each variant's tree of additions"),
    "errors": Entry("", ladder.errors, "the measured error of each variant, in units of 2^-24"),
    "machine": Entry("[PART]", ladder.machine_line, "one line: where the numbers come from; PART: those of this one of parts.csv"),
    "passes": Entry("", ladder.passes, "steps 01 to 04: the first launch of a sum, and those that finish it", *of("passes", "results PARTS=passes")),
    "noise": Entry("", ladder.noise, "one line: how far times were apart that were measured twice", *of("noise", "results PARTS=noise")),
    "differ": Entry("", counters.differ, "where the simulator counts something else than a GPU, and why"),
    "counter": Entry("COLUMN", counters.counter_line, "one line: a GPU's own counter, in the first launch of v0, v1 and v2", *COUNTERS),
    "beside": Entry("FOLDER", counters.beside, "a GPU's counters and the simulator's of results/FOLDER, all launches of a sum", *COUNTERS),
    "why": Entry("VARIANTS", counters.why, "the same with every counter, a column for each variant (in rows of 1K floats); VARIANTS@20000: at another n that was profiled", *COUNTERS),
    "beside:published": Entry("VARIANTS", others.beside_published, "source 001's GTX 1060 and the GPU of FOLDER"),
    "nvprof": Entry("VARIANTS", others.nvprof, "source 001's nvprof counters, and their successors today", *COUNTERS),
    "experiment:unrolled": Entry("[ROWS]", experiments.unrolled, "loads in flight and trees; ROWS: these alone, by their first cells", *TIMED),
    "experiment:finishes": Entry("[ROWS]", experiments.finishes, "three ways to finish a sum", *TIMED),
    "experiment:grid_sync": Entry("[ROWS]", experiments.grid_sync, "what a barrier of the grid costs, and a launch", *TIMED),
    "experiment:little": Entry("[ROWS]", experiments.little, "bandwidth of few blocks with few bytes", *TIMED),
    "experiment:in_flight": Entry("[ROWS]", experiments.in_flight, "the same by bytes in flight", *TIMED),
    "experiment:shuffle_cost": Entry("[OPERATIONS]", experiments.shuffle_cost, "what a shuffle, a vote, a barrier cost; OPERATIONS: these alone", *of("experiments/shuffle_cost", "experiments")),
    "experiment:levels": Entry("[ROWS]", experiments.levels, "how large and how far the memories are", *of("experiments/levels", "experiments")),
    "experiment:cold_warm": Entry("[ROWS]", experiments.cold_warm, "with the L2 cache emptied, and not", *TIMED),
    "experiment:bytes": Entry("[ROWS]", experiments.bytes_moved, "what moves in a first launch", *of("experiments/bytes", "experiments")),
    "experiment:reproducible": Entry("", experiments.reproducible, "different sums in several runs", *of("experiments/reproducible", "experiments")),
    "experiment:known_wrong": Entry("WORD", experiments.known_wrong, "a session of errata.txt: the command with this word", "experiments/errata.txt", "make experiments"),
    "flight": Entry("", pairs.flight, "bandwidth by bytes in flight on each SM", *SWEPT),
    "tiles": Entry("", pairs.tiles, "bandwidth by bytes of a block", *SWEPT),
    "tune": Entry("", pairs.tune, "the best time of each kind of plan, and of the one chosen", *of("tune", "compare")),
    "targets": Entry("", pairs.targets, "sum_f32() over CUB, beside what was aimed at", *COMPARE),
    "ratios": Entry("", pairs.ratios, "the same at every power of two", *COMPARE),
    "rivals": Entry("", pairs.rivals, "sum_f32() over the other rivals", *COMPARE),
    "against": Entry("[SIZES]", pairs.against, "sum_f32() over both versions of CUB, cold, in a graph; SIZES: at these alone", *COMPARE),
    "awkward": Entry("", pairs.awkward, "sum_f32() over CUB at other sizes", *COMPARE),
    "profile": Entry("", pairs.profile, "step 11's kernel, CUB's and a plain read alone", *of("profile", "results PARTS=profile")),
    "exact_profile": Entry("", pairs.exact_profile, "sum_f32_exact()'s kernel and sum_f32()'s alone", *of("exact_profile", "results PARTS=exact_profile")),
    "softmax": Entry("[SIZE]", pairs.softmax, "the toolbox's softmax and PyTorch's, a line for each length of a row; of 256M floats", *SOFTMAX),
    "types": Entry("[SIZE]", pairs.types, "step 12's types over their rivals; at 256M", *TYPES),
    "type_sizes": Entry("RIVAL", pairs.type_sizes, "the same, size by size, over cub, cub_newer or torch", *TYPES),
    "exact": Entry("PATTERN", pairs.exact, "sum_f32_exact() over its rivals, for such numbers", *EXACT),
    "shares": Entry("OF,SIZE[,COLUMNS...]", rows.shares, "OF: rows or columns; of SIZE floats: percent of a plain read's speed, by columns and operator", *ROWS),
    "row_ratios": Entry("OF,SIZE[,COLUMNS...]", rows.row_ratios, "the same: our time over the fastest rival's, and which that is", *ROWS),
    "segment_shares": Entry("SIZES", rows.segment_shares, "reduce_segments(), by the lengths: percent of a plain read's speed, our time over CUB's", *SEGMENTS),
    "rivals_ahead": Entry("", rows.rivals_ahead, "in how many shapes a rival is more than 2 % faster than those functions, and the worst", *ROWS),
    "row_types": Entry("OF,SIZE...", rows.row_types, "those functions of half and bfloat16, OF rows, columns or segments: percent of a plain read's speed, and the fastest rival", *ROW_TYPES),
    "gpus": Entry("GPUS", pairs.gpus_table, "step 14 on so many GPUs, size by size, cold, in a graph of each", *GPUS),
    "gpus_calls": Entry("GPUS", pairs.calls_table, "what one sum takes, by the way it is called, cold", *GPUS),
    "gpus_line": Entry("", pairs.gpus_line, "one line: where those come from", *GPUS),
    "machines": Entry("", others.machines, "the README's commands on minimal systems", "machines.csv", "tests/machines --record"),
    "notebook": Entry("", others.notebook, "a link that opens the notebook, once the repository has an address (FOLDER is book)"),
    "lessons": Entry("", others.lessons, "the front page's table: a row for each of tools/pages/front.csv"),
}

VALUES = {
    "": Entry("VARIANT SIZE COLUMN", ladder.run_value, "of the CSV, cold and alone; graph_us, error_percent, theory_pct, life_us (of a block), issue_us (its instructions), row_ns (32 floats), speedup (over v0)"),
    "machine": Entry("KEY [UNIT]", ladder.machine_value, "of machine.json; UNIT: KiB, MiB or GiB"),
    "counter": Entry("VARIANT COLUMN", ladder.counter_value, "of counters.csv, first launch, n = 64K", "counters.csv"),
    "launch": Entry("VARIANT SIZE PART", ladder.launch_value, "first, rest: µs of the first launch, of the others; life: that one of its blocks lives; issue: that it needs to issue its instructions", "passes.csv"),
    "published": Entry("VARIANT QUANTITY", others.published_value, "of results/published", "figures.csv"),
    "experiment unrolled": Entry("VARIANT SIZE COLUMN", experiments.timed_value("unrolled"), "of an experiment; also graph_us, life_us", "experiments/timed.csv"),
    "experiment finishes": Entry("VARIANT SIZE COLUMN", experiments.timed_value("finishes"), "the same", "experiments/timed.csv"),
    "experiment little": Entry("VARIANT SIZE COLUMN", experiments.timed_value("little"), "the same", "experiments/timed.csv"),
    "experiment cold_warm": Entry("WHAT SIZE COLUMN", experiments.cold_warm_value, "WHAT: cold or warm", "experiments/timed.csv"),
    "experiment grid_sync": Entry("WHAT THREADS BLOCKS", experiments.grid_sync_value, "WHAT: barrier, launch, graph_barrier, graph_launch; µs", "experiments/timed.csv"),
    "experiment in_flight": Entry("WHAT KIB", experiments.in_flight_value, "WHAT: least, most (GB/s), least_ns, most_ns (by Little's law)", "experiments/timed.csv"),
    "experiment shuffle_cost": Entry("OPERATION PART", experiments.shuffle_cost_value, "PART: latency or rate", "experiments/shuffle_cost.csv"),
    "experiment levels": Entry("LEVEL COLUMN", experiments.levels_value, "LEVEL: shared, l1, l2 or memory; COLUMN: cycles, ns or gbps", "experiments/levels.csv"),
    "experiment bytes": Entry("VARIANT COLUMN", experiments.bytes_value, "also gld_gbps", "experiments/bytes.csv"),
    "sweep": Entry("KEY", pairs.sweep_value, "latency_ns, predicted_kb, measured_kb (the knees), flight, tile (the best of each), gain_pct (of tile over flight); flight:KB, least:KB, law:KB, tile:KB, blocks:KB (begun in a µs)", "sweep.csv"),
    "compare": Entry("SIZE CACHE LAUNCH RIVAL COLUMN", pairs.value("compare"), "of compare.csv, or gbps, theory_pct (ours)", "compare.csv"),
    "types": Entry("ELEMENT SIZE CACHE LAUNCH RIVAL COLUMN", pairs.value("types"), "of types.csv; share: rival's time over ours, %", "types.csv"),
    "exact": Entry("PATTERN SIZE CACHE LAUNCH RIVAL COLUMN", pairs.value("exact"), "of exact.csv; the same", "exact.csv"),
    "gpus": Entry("GPUS SIZE CACHE LAUNCH RIVAL COLUMN", pairs.value("gpus"), "of many_gpus.csv: nvlink_slots beside local, nccl, one_gpu or host; speedup: the rival's time over it; efficiency: of one_gpu, percent of as many times its speed", "many_gpus.csv"),
    "rows": Entry("OPERATOR OF COLUMNS SIZE RIVAL COLUMN", rows.rows_value("rows"), "of rows.csv and rows_torch.csv, floats, cold, in a graph; OF: rows or columns; RIVAL: best, too; share: ours, % of a plain read's speed", "rows.csv"),
    "rows_map": Entry("VARIANT ROW SIZE COLUMN", rows.map_value, "of rows_map.csv, cold and launched alone", "rows_map.csv"),
    "segments": Entry("OPERATOR LENGTHS SIZE RIVAL COLUMN", rows.rows_value("segments"), "of segments.csv; the same", "segments.csv"),
    "softmax": Entry("VARIANT ROW SIZE COLUMN", pairs.softmax_value, "VARIANT: warp, warp_shared, block, cluster, torch, or best (of ours); COLUMN: median_us, gbps, pct_roof (of our plain copy) or block_ns, the time over the number of blocks", "softmax.csv"),
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


def chosen(name, made, cells):
    """These rows of a table, by their first cells."""
    head, line, *rows = made.split("\n")
    of = {row.split(" | ")[0].strip("| "): row for row in rows}
    for cell in cells:
        if cell not in of:
            raise Problem(f"{name.replace(':', ' ')} has no row {cell}")
    return "\n".join([head, line, *map(of.get, cells)])


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
    if table.file and not os.path.exists(path_of(check_folder(folder), table.file)):
        return f"*Not measured yet: `{table.command}`{', on a GPU,' * (folder != 'platforms')} writes results/{folder}/{table.file}.*"
    made = table.make(At(folder, argument, page))
    return chosen(name, made, argument.split(",")) if argument and table.takes == "[ROWS]" else made


@of_results
def make_value(words):
    """What a page writes: a number, a text, or the sign that nothing was measured."""
    folder, *rest = ["published", *words] if words[:1] == ["published"] else words or [""]
    value, name, rest = lookup(VALUES, rest, " ")
    takes = value.takes.split()
    if not len([word for word in takes if word[0] != "["]) <= len(rest) <= len(takes):
        example = "a folder, a variant, a size and a column, as in h200 v0 16M median_us"
        raise Problem(f"a value takes {f'FOLDER {name} {value.takes}' if name else example}")

    def number(first):
        try:
            made = value.make(folder, first, *rest[1:])
        except LookupError:
            made = None
        if made is None:
            *what, column = [first, *rest[1:]]
            where = "/".join(filter(None, ("results", folder, value.file)))
            raise Problem(f"{where} holds no {column}" + f" of {(' ' if name else ' at ').join(what)}" * bool(what))
        return None if made == UNMEASURED else made
    if value.file and not os.path.exists(path_of(check_folder(folder), value.file)):
        return UNMEASURED
    for sign in "/-" if takes[0] in COMBINED else "":
        if sign in rest[0]:  # the ratio and the difference of two numbers
            first, second = map(number, rest[0].split(sign, 1))
            return short(None if first is None or second is None else ratio(first, second) if sign == "/" else first - second)
    made = number(rest[0])
    return made if isinstance(made, str) else short(made)


def help_text():
    """A line for each."""
    lines = ["Tables (VARIANTS: names with commas between):"]
    for name, table in TABLES.items():
        marker = f"{name}{':' * bool(table.takes)}{table.takes} FOLDER".replace(":[", "[:")
        lines.append(f"    {marker:<32} {table.help}")
    lines.append(f"Values (a {', '.join(COMBINED)} may be A/B, the ratio of two, or A-B, their difference):")
    for name, value in VALUES.items():
        marker = ("" if name == "published" else "FOLDER ") + f"{name} {value.takes}".strip()
        lines += [f"    {marker}", textwrap.fill(value.help, 120, initial_indent=" " * 8, subsequent_indent=" " * 8)]
    return "\n".join(lines)
