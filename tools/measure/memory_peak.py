#!/usr/bin/env python3
"""tools/measure/memory_peak.py FILE.csv: how near to its limits the memory is under step 11's kernel, CUB's and a
plain read, by Nsight Compute. With `exact` after FILE.csv: what the exact sum does besides, and waits for, of numbers
between -1 and 1 and of all exponents (_wide).

Columns: kernel, n, µs of the kernel, GB/s read from memory, percent of the peak that ncu knows, percent of
the reads that the L2 cache answered, percent of the cycles with an instruction issued. With `exact` for that, further:
instructions of all warps; percent of the peak of the units for conversions (XU), doubles and whole numbers; and of
a warp between two of its instructions, the cycles that it waits for device memory, for shared memory or a
conversion, at a barrier, for a fence; wavefronts of loads and stores of shared memory.

Exit status: 0 all right, 1 a program or ncu failed, 2 usage, 77 no ncu or no GPU here.
"""
import sys

from nsight import find_ncu, stop, table, under_ncu, write

SIZES = (1 << 25, 1 << 26, 1 << 28, 1 << 31)
SIZES_OF_EXACT = (1 << 10, 1 << 14, 1 << 16, 1 << 20, 1 << 24, 1 << 28)
# Name in FILE.csv: program, variant, its kernel that reads the array, further options.
KERNELS = {"sum_f32": ("build/cuda/step11", "sum_f32", "many_blocks"),
           "cub": ("build/cuda/step00", "cub", "DeviceReduceKernel"),
           "read": ("build/cuda/step00", "read", "read_kernel")}
ANY = "one_block|one_cluster|many_blocks"
KERNELS_OF_EXACT = {"sum_f32": ("build/cuda/step11", "sum_f32", ANY),
                    "sum_f32_exact": ("build/cuda/step13", "sum_f32_exact", ANY),
                    "sum_f32_exact_wide": ("build/cuda/step13", "sum_f32_exact", ANY, "--pattern", "wide")}
# Column: ncu's metric, what to multiply it with, how it is written.
METRICS = {
    "us": ("gpu__time_duration.sum", 1e-3, ".2f"),
    "gbps": ("dram__bytes_read.sum.per_second", 1e-9, ".1f"),
    "pct_of_peak": ("dram__throughput.avg.pct_of_peak_sustained_elapsed", 1, ".2f"),
    "l2_hit_pct": ("lts__t_sector_op_read_hit_rate.pct", 1, ".2f"),
    "issue_pct": ("smsp__issue_active.avg.pct_of_peak_sustained_active", 1, ".2f"),
}
SHARED = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared"
STALL = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"
METRICS_OF_EXACT = {
    **METRICS,
    "inst": ("smsp__inst_executed.sum", 1, ".0f"),
    "xu_pct": ("sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active", 1, ".2f"),
    "fp64_pct": ("sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active", 1, ".2f"),
    "alu_pct": ("sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active", 1, ".2f"),
    "wait_memory": (STALL.format("long_scoreboard"), 1, ".2f"),
    "wait_shared": (STALL.format("short_scoreboard"), 1, ".2f"),
    "wait_barrier": (STALL.format("barrier"), 1, ".2f"),
    "wait_fence": (STALL.format("membar"), 1, ".2f"),
    "shared_loads": (SHARED + "_op_ld.sum", 1, ".0f"),
    "shared_stores": (SHARED + "_op_st.sum", 1, ".0f"),
}


def line_of(kernels, metrics, name, n):
    program, variant, kernel, *options = kernels[name]
    rows = under_ncu([program, "-v", variant, "--check", "-n", str(n), *options], [metric for metric, _, _ in metrics.values()],
                     "--kernel-name", f"regex:{kernel}", "--launch-count", "1", helpers=())
    if len(rows) != 1:
        stop(1, f"{program} -v {variant} under ncu: no kernel {kernel} ran")
    cells = {column: format(float(rows[0][metric].replace(",", "")) * factor, form)
             for column, (metric, factor, form) in metrics.items()}
    return {"kernel": name, "n": n, **cells}


def main(arguments):
    if arguments[1:] not in ([], ["exact"]) or not arguments or not arguments[0].endswith(".csv"):
        stop(2, "usage: tools/measure/memory_peak.py FILE.csv [exact]")
    find_ncu()
    kernels, sizes, metrics = KERNELS, SIZES, METRICS
    if arguments[1:]:
        kernels, sizes, metrics = KERNELS_OF_EXACT, SIZES_OF_EXACT, METRICS_OF_EXACT
    lines = [line_of(kernels, metrics, name, n) for n in sizes for name in kernels]
    write(arguments[0], table(("kernel", "n", *metrics), lines))


if __name__ == "__main__":
    main(sys.argv[1:])
