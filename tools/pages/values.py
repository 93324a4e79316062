"""values.py: single numbers: of a run, of machine.json, of a GPU's counters, of the launches of a sum."""
import results
from figures import BYTE_UNITS, Figure, count_text, elements
from page_markdown import Problem
from results import in_folder, read_rows
from tables_counters import PROFILED_BLOCKS, PROFILED_SIZE, first_launch, split
from tables_ladder import launch_times

THREADS_OF_AN_SM, ISSUED_A_CYCLE = 2048, 4  # of an H200


def machine_value(folder, key, unit=None):
    value = in_folder(folder).machine.get(key)
    if value is None:
        raise Problem(f"results/{folder}/machine.json holds no {key}")
    if unit is None:
        return value
    if unit not in BYTE_UNITS or not isinstance(value, (int, float)):
        raise Problem(f"{key} in {unit}? A number can be given in {', '.join(BYTE_UNITS)}")
    return f"{value / 1024 ** (BYTE_UNITS.index(unit) + 1):.4g} {unit}"


def counter_value(folder, variant, column):
    _, missing = split(folder, [variant], PROFILED_SIZE)
    if missing:
        return None
    text = first_launch(folder, variant, column)
    return Figure(text, count_text(text))


def life_us(time, block, grid, machine):
    """How long a block lives: as many at once as the SMs have room for, one after another."""
    return time * machine["sm_count"] * (THREADS_OF_AN_SM // int(block)) / int(grid)


def issue_us(instructions, machine):
    """How long the SMs need to issue so many, if none ever waits."""
    return instructions / (machine["sm_count"] * ISSUED_A_CYCLE * machine["sm_clock_mhz"])


def launch_value(folder, variant, size, part):
    """What passes.csv says of a variant's launches, or our arithmetic on it."""
    machine, block = in_folder(folder).machine, PROFILED_BLOCKS[PROFILED_SIZE]
    kernel = variant if variant in launch_times(folder) else first_launch(folder, variant, "kernel")  # as recorded once
    if size not in launch_times(folder).get(kernel, {}):
        raise Problem(f"results/{folder}/passes.csv holds no {kernel} at {size}")
    first, rest = launch_times(folder)[kernel][size]
    grid = next(int(row["grid"]) for row in read_rows(folder, "passes.csv", ("kernel", "n", "pass", "grid"))
                if (row["kernel"], row["n"], row["pass"]) == (kernel, size, "1"))
    parts = {"first": lambda: first, "rest": lambda: rest, "life": lambda: life_us(first, block, grid, machine),
             "issue": lambda: issue_us(float(first_launch(folder, variant, "inst_per_warp")) * grid * (block // 32), machine)}
    if part not in parts:
        raise Problem(f"a launch has no {part}; it has {', '.join(parts)}")
    return parts[part]()


def of_row(run, variant, n, number):
    row = run.row(variant, n)
    return row and number(row)


COMPUTED = {  # columns of a value that no table has
    "life_us": lambda run, variant, n: of_row(run, variant, n, lambda row: life_us(
        row["median_us"], row["block"], row["grid"], run.machine)),
    "row_ns": lambda run, variant, n: of_row(run, variant, n, lambda row: 1000 * row["median_us"] * 32 / n),
    "issue_us": lambda run, variant, n: of_row(run, variant, n, lambda row: issue_us(
        float(first_launch(run.folder, variant, "inst_per_warp")) * row["grid"] * row["block"] / 32, run.machine)),
}


def run_value(folder, variant, size, column):
    run, n = in_folder(folder), elements(size)
    _, missing = results.split_by_known([variant], run.step_of, f"results/{folder}")
    if missing:
        return None
    value = COMPUTED[column](run, variant, n) if column in COMPUTED else run.get(variant, n, column)
    if not isinstance(value, float):
        raise Problem(f"results/{folder} holds no {column} of {variant} at {size}")
    return value
