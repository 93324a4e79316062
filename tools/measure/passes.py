#!/usr/bin/env python3
"""tools/measure/passes.py FILE.csv: how long each launch of a sum takes where several make it, by Nsight Compute.

The variants called v0, v1 ... launch their kernel again until one value is left, so the time that
./step01 prints is that of all. A line for each launch: step, kernel, n, pass, grid, duration_us.
ncu empties the caches before each kernel, and leaves the clocks alone.

Exit status: 0 all right, 1 a program or ncu failed, 2 usage, 77 no ncu or no GPU here.
"""
import re
import sys

from nsight import find_ncu, kernel_name, number, programs, size, stop, table, under_ncu, write

SIZES = ("1M", "16M", "256M")
DURATION = "gpu__time_duration.sum"


def passes(program, step, n):
    """A pass of one block is the last of its sum; another kernel begins another sum."""
    last = {"kernel": "", "pass": 0, "grid": 1}
    for row in under_ncu([program, "--check", "-n", n], [DURATION], "--kernel-name", "regex:^v[0-9]"):
        kernel = kernel_name(row["Kernel Name"])
        more = kernel == last["kernel"] and last["grid"] != "1"
        last = {"step": step, "kernel": kernel, "n": n, "pass": last["pass"] + 1 if more else 1,
                "grid": size(row["Grid Size"]), "duration_us": number(row[DURATION], 1e-3)}
        yield last


def main(arguments):
    if len(arguments) != 1 or not arguments[0].endswith(".csv"):
        stop(2, "usage: tools/measure/passes.py FILE.csv")
    find_ncu()
    rows = []
    for program, variants in programs():
        if any(re.match("v[0-9]", variant["variant"]) for variant in variants):
            for n in SIZES:
                rows += passes(program, variants[0]["step"][:2], n)
    write(arguments[0], table(("step", "kernel", "n", "pass", "grid", "duration_us"), rows))


if __name__ == "__main__":
    main(sys.argv[1:])
