#!/usr/bin/env -S python3 -B
"""tools/measure/experiments.py cuda|sim [FOLDER]: runs the experiments of docs/experiments.md.

On a GPU it writes into FOLDER/experiments (FOLDER: results/mine, where none is named), all or nothing:
    timed.csv         times, in the columns of results/README.md, means of ROUNDS processes
    shuffle_cost.csv  cycles of a shuffle, of what it replaces, and of barriers; of votes, matches and reductions (./vote_cost)
    levels.csv        size, latency and bandwidth of each memory
    bytes.csv         the first launch of v0 to v6, and parts of v4 and v5, by Nsight Compute:
                      bytes that moved, instructions, issue slots, stalls
    reproducible.csv  how many different sums of the same numbers came out of several runs
    errata.txt        what each wrong kernel of the sources prints, and its exit status
`make experiments` builds the programs and calls it. COMMIT=... says which commit this is
where there is no git. On the simulator each experiment runs once, small, and is checked;
nothing is written.

Exit status: 0 all right, 1 something failed, 2 usage, 77 no ncu or no GPU here.
"""
import itertools
import os
import subprocess
import sys

import programs
from nsight import cells, find_ncu, kernel_name, under_ncu, version
from programs import Failed, run, stop, table, typed

ROUNDS = 3
# Program: for each run of it the sizes and the options.
TIMED = {
    "unrolled": ("1M,16M,256M",),
    "finishes": ("1K,4K,16K,64K,256K,1M,4M,16M,64M,256M",),
    "grid_sync": ("256,1K,4K,16K,33792,64K,67584,135168,270336 --warm", "1K,4K,16K,64K,135168,270336 --warm -b 1024"),
    "little": ("64M",),
    "step04": ("64K,1M,4M,16M,64M -v v6", "64K,1M,4M,16M,64M --warm -v v6"),
}
CLOCKED = {"shuffle_cost": ("shuffle_cost", "vote_cost"), "levels": ("levels",)}  # file: programs, which print their CSV
PROFILED = {"step01": ("v0", "v1"), "step02": ("v2",), "step03": ("v3x8", "v4", "v5"), "step04": ("v6",),
            "unrolled": ("loads_only", "tree_v4", "tree_v5")}
PROFILED_SIZE = 1 << 25  # that of source 001
# Column of bytes.csv: ncu's metric, and what to multiply it with.
METRICS = {
    "duration_us": ("gpu__time_duration.sum", 1e-3),
    "instructions": ("smsp__inst_executed.sum", 1),
    "issue_pct": ("smsp__issue_active.avg.per_cycle_active", 100),
    "warps_pct": ("sm__warps_active.avg.pct_of_peak_sustained_active", 1),
    "stalled_memory": ("smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio", 1),
    "stalled_barrier": ("smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio", 1),
    "cycles_between": ("smsp__average_warp_latency_per_inst_issued.ratio", 1),
    "load_mb": ("l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum", 1e-6),
    "l2_mb": ("lts__t_bytes.sum", 1e-6),
    "dram_read_mb": ("dram__bytes_read.sum", 1e-6),
    "dram_write_mb": ("dram__bytes_write.sum", 1e-6),
}
REPEATED, REPEATED_SIZE = 10, "1M"  # processes, elements
KNOWN_WRONG = [
    "in_place --check -n 960 -b 96 -v no_guard", "in_place --check -n 1M -v in_place_twice",
    *(f"errata --check -n 1M -v {name}" for name in ("not_zeroed", "warps_32", "no_shared_bytes", "product_32")),
    "errata --check -n 1M -b 100 --pattern ones -v partial_warp", "errata --check -n 1M -v twice",
    "absent_lanes", "subnormals", "step04 --check -n 1M -v v6_volatile", "step05 --demo", "step07 --check -n 64K -v cooperative_source",
    *(f"masks --check -n 1000 -v masks_{name}" for name in ("full_tail", "branch", "caller", "source", "activemask", "edge", "twelve", "no_syncwarp")),
]


def output_of(command, may_fail=False):
    """What it prints, and its exit status."""
    done = run(command, stderr=subprocess.STDOUT)
    if done.returncode == 127:
        stop(1, f"{command[0]} cannot be started: make all experiments builds it")
    if done.returncode != 0 and not may_fail:
        stop(1, f"{' '.join(command)}: exit status {done.returncode}: {(done.stdout.splitlines() or ['no message'])[-1]}")
    return done.stdout, done.returncode


def program(name):
    return os.path.join("build", backend, name)


def timed():
    """Each run by several processes, and merged."""
    texts = []
    for name, arguments in ((name, arguments) for name, runs in TIMED.items() for arguments in runs):
        sizes, *options = arguments.split()
        try:
            texts.append(programs.collect(ROUNDS, f"{name}.csv", program(name), sizes, sizes, *options)[0])
        except Failed as failed:
            stop(1, f"{program(name)} {arguments}: exit status {failed.status}: {failed.why}")
    return programs.joined(texts)


def profiled():
    """The first launch of each kernel; it is the one that reads the array."""
    lines = []
    for name, variants in PROFILED.items():
        for variant in variants:
            rows = under_ncu([program(name), "--check", "-n", str(PROFILED_SIZE), "-v", variant], [metric for metric, _ in METRICS.values()],
                             "--kernel-name", "regex:^(sum_blocks|part)", "--launch-count", "1")
            if len(rows) != 1:
                stop(1, f"{name} -v {variant} under ncu: {len(rows)} launches where one was to be")
            lines.append({"program": name, "variant": variant, "n": PROFILED_SIZE, "kernel": kernel_name(rows[0]["Kernel Name"]), **cells(rows[0], METRICS)})
    return table(("program", "variant", "n", "kernel", *METRICS), lines)


def reproducible():
    """The error of a sum is as good as the sum to tell two apart, to its four digits."""
    errors = {}
    for name in ("step04", "step05", "step06", "step07") * REPEATED:
        for row in programs.rows_of(programs.csv_of([program(name), "--check", "-n", REPEATED_SIZE])):
            errors.setdefault((row["step"], row["variant"], row["n"]), []).append(row["rel_err"])
    columns = ("step", "variant", "n", "runs", "different")
    return table(columns, [dict(zip(columns, (*key, len(seen), len(set(seen))))) for key, seen in errors.items()])


def known_wrong(size, *first):
    """(command, what it printed, its exit status) of each wrong kernel, at this size."""
    for name, *arguments in (line.replace("1M", size).split() for line in KNOWN_WRONG):
        yield " ".join(["./" + name, *arguments]), *output_of([*first, program(name), *arguments], may_fail=True)


def errata():
    """A session: each command, what it printed, and how it ended (124: it hung, and was stopped)."""
    return "".join(f"$ {line}\n{printed}exit status {status}\n\n" for line, printed, status in known_wrong("1M", "timeout", "60"))


def on_gpu(folder):
    find_ncu()
    part = programs.Part(folder, "experiments")
    clocked = {f"{name}.csv": lambda names=names: programs.joined(output_of([program(name)])[0] for name in names) for name, names in CLOCKED.items()}
    files = {}
    for name, make in {**clocked, "timed.csv": timed, "errata.txt": errata, "reproducible.csv": reproducible, "bytes.csv": profiled}.items():
        files[name] = make()
        print(f"measured {name}", flush=True)
    part.write(files, version(), to="experiments")


def on_simulator():
    for name in TIMED:
        output_of([program(name), "--check", "-n", "0,1,1000,20000"])
        print(f"{name}: the sums are right")
    for name in itertools.chain(*CLOCKED.values()):
        output_of([program(name)])
        print(f"{name}: the values are right")
    for line, printed, status in known_wrong("4K"):
        print(f"{line}: exit status {status}: {printed.strip().splitlines()[-1]}")


def main(arguments):
    global backend
    if len(arguments) not in (1, 2) or arguments[0] not in ("cuda", "sim") or arguments[1:] and arguments[0] == "sim":
        print("usage: tools/measure/experiments.py cuda [FOLDER], or tools/measure/experiments.py sim", file=sys.stderr)
        return 2
    backend, *folder = arguments
    if backend == "sim":
        return on_simulator()
    return on_gpu(typed(*folder or [programs.ROOT + "/results/mine"]))


if __name__ == "__main__":
    programs.begin(main, __doc__)
