#!/usr/bin/env python3
"""tools/measure/memory_peak.py FILE.csv: how near to its limits the memory is under step 11's kernel, CUB's and a
plain read, by Nsight Compute.

Columns: kernel, n, µs of the kernel, GB/s read from memory, percent of the peak that ncu knows, percent of
the reads that the L2 cache answered, percent of the cycles with an instruction issued.

Exit status: 0 all right, 1 a program or ncu failed, 2 usage, 77 no ncu or no GPU here.
"""
import sys

from nsight import find_ncu, stop, table, under_ncu, write

SIZES = (1 << 25, 1 << 26, 1 << 28, 1 << 31)
# Name in FILE.csv: program, variant, its kernel that reads the array.
KERNELS = {"sum_f32": ("build/cuda/step11", "sum_f32", "many_blocks"),
           "cub": ("build/cuda/step00", "cub", "DeviceReduceKernel"),
           "read": ("build/cuda/step00", "read", "read_kernel")}
# Column: ncu's metric, what to multiply it with, how it is written.
METRICS = {
    "us": ("gpu__time_duration.sum", 1e-3, ".2f"),
    "gbps": ("dram__bytes_read.sum.per_second", 1e-9, ".1f"),
    "pct_of_peak": ("dram__throughput.avg.pct_of_peak_sustained_elapsed", 1, ".2f"),
    "l2_hit_pct": ("lts__t_sector_op_read_hit_rate.pct", 1, ".2f"),
    "issue_pct": ("smsp__issue_active.avg.pct_of_peak_sustained_active", 1, ".2f"),
}


def line_of(name, n):
    program, variant, kernel = KERNELS[name]
    rows = under_ncu([program, "-v", variant, "--check", "-n", str(n)], [metric for metric, _, _ in METRICS.values()],
                     "--kernel-name", f"regex:{kernel}", "--launch-count", "1", helpers=())
    if len(rows) != 1:
        stop(1, f"{program} -v {variant} under ncu: no kernel {kernel} ran")
    cells = {column: format(float(rows[0][metric].replace(",", "")) * factor, form)
             for column, (metric, factor, form) in METRICS.items()}
    return {"kernel": name, "n": n, **cells}


def main(arguments):
    if len(arguments) != 1 or not arguments[0].endswith(".csv"):
        stop(2, "usage: tools/measure/memory_peak.py FILE.csv")
    find_ncu()
    write(arguments[0], table(("kernel", "n", *METRICS), [line_of(name, n) for n in SIZES for name in KERNELS]))


if __name__ == "__main__":
    main(sys.argv[1:])
