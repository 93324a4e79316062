#!/usr/bin/env python3
"""tools/measure/profile_kernels.py FILE.csv [PROGRAM...]: what a GPU's own counters say about every kernel.

Runs every variant of the steps and the toolbox, or of these programs (step15), once under Nsight Compute (ncu), for each of the
SETTINGS below. Writes one line per launch to FILE.csv, and where and when this was to
FILE.json. `make counters` builds the programs and calls it; tests/counters.t compares
the simulator with what it wrote. COMMIT=... says which commit this is where there is
no git.

Exit status: 0 all right, 1 a program or ncu failed, 2 usage, 77 no ncu or no GPU here.
"""
import re
import sys

from nsight import find_ncu, kernel_name, number, programs, provenance, run, size, stop, table, under_ncu, write

# n, block. All blocks of step 07 are on the GPU at once, and the simulator has room for
# that many threads only with the last one.
SETTINGS = ((65536, 256), (100003, 256), (20000, 128))
WHOLE_TILES = SETTINGS[:1]  # for other questions than the sum: their tiles and rows divide no other n

# Column of FILE.csv: ncu's metric, and what to multiply it with.
# Wavefronts by what the instructions need: the counter of the pipe itself
# (l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld) has a few more in some runs, where
# the polls of step 07's grid.sync() get in the way.
METRICS = {
    "gld_requests": ("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 1),
    "gld_sectors": ("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 1),
    "gst_requests": ("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", 1),
    "gst_sectors": ("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 1),
    "shared_ld_wavefronts": ("smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 1),
    "shared_st_wavefronts": ("smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 1),
    "atomics": ("l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", 1),
    "reductions": ("l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", 1),
    "simt_efficiency": ("smsp__thread_inst_executed_per_inst_executed.ratio", 1 / 32),
    "pred_on_efficiency": ("smsp__thread_inst_executed_pred_on_per_inst_executed.ratio", 1 / 32),
    "inst_per_warp": ("smsp__average_inst_executed_per_warp.ratio", 1),
    "branches": ("smsp__sass_branch_targets.sum", 1),
    "divergent_branches": ("smsp__sass_branch_targets_threads_divergent.sum", 1),
    "branch_efficiency": ("smsp__sass_average_branch_targets_threads_uniform.pct", 1),
    "gld_gbps": ("l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum.per_second", 1e-9),
    "duration_us": ("gpu__time_duration.sum", 1e-3),
}
# Executed instructions of warps by opcode: which opcodes a column counts.
OPCODES = "sass__inst_executed_per_opcode"
OPCODE_COLUMNS = {"barriers": ("BAR",), "shuffles": ("SHFL",), "votes": ("VOTE", "VOTEU", "MATCH", "REDUX")}
HEADER = ("step", "variant", "n", "block", "grid", "threads", "pass", "kernel") + tuple(METRICS) + tuple(OPCODE_COLUMNS)


def by_opcode(text):
    """'1,234 (BAR: 32; SHFL: 1,205)' -> {'BAR': 32, 'SHFL': 1205}"""
    pairs = re.findall(r"([A-Z][A-Z0-9_.]*): ?([\d,]+)", text or "")
    return {name: int(count.replace(",", "")) for name, count in pairs}


def line_of(row, variant, n, block, launch):
    """A line of FILE.csv: the launch-th launch of a variant."""
    line = {"step": variant["step"], "variant": variant["variant"], "n": n, "block": block, "pass": launch,
            "kernel": kernel_name(row["Kernel Name"]),
            "grid": size(row["Grid Size"]), "threads": size(row["Block Size"])}
    for column, (metric, factor) in METRICS.items():
        line[column] = number(row.get(metric), factor)
    opcodes = by_opcode(row.get(OPCODES))
    for column, names in OPCODE_COLUMNS.items():
        line[column] = sum(opcodes.get(name, 0) for name in names) if opcodes else ""
    return line


def is_profiled(variant):
    """Kernels; the ladder's known wrong ones too, which are wrong sums. Others may never end."""
    return variant["runs_here"] and not variant["on_cpu"] and not variant["roof"] and (
        variant["task"] == "sum" or not variant["known_wrong"])


def lines_of(program, variant, n, block):
    """The lines of FILE.csv for one variant; none if it does not take such an n or block, or needs a newer GPU."""
    command = [program, "--check", "-v", variant["variant"], "-n", str(n), "-b", str(block)]
    done = run(command)
    if done is not None and done.returncode in (2, 77):
        return []
    rows = under_ncu(command, [metric for metric, _ in METRICS.values()] + [OPCODES], "--print-metric-instances", "details",
                     statuses=(0, 1) if variant["known_wrong"] else (0,))
    if not rows:
        stop(1, f"{' '.join(command)} under ncu: no kernel ran")
    return [line_of(row, variant, n, block, launch) for launch, row in enumerate(rows, 1)]


def main(arguments):
    if not arguments or not arguments[0].endswith(".csv"):
        stop(2, "usage: tools/measure/profile_kernels.py FILE.csv [PROGRAM...]")
    find_ncu()
    lines = []
    for program, variants in programs(arguments[1:]):
        for setting in SETTINGS:
            for variant in filter(is_profiled, variants):
                if variant["task"] == "sum" or setting in WHOLE_TILES:
                    lines += lines_of(program, variant, *setting)
        print(program, flush=True)
    write(arguments[0], table(HEADER, lines))
    write(arguments[0][:-len("csv")] + "json", provenance())


if __name__ == "__main__":
    main(sys.argv[1:])
