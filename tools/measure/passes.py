#!/usr/bin/env python3
"""tools/measure/passes.py FILE.csv: how long each launch of a sum takes where several make it, by Nsight Compute.

The variants called v0, v1 ... launch their kernel again until one value is left, so the time that
./step01 prints is that of all. A line for each launch: step, kernel (the variant's name), n, pass, grid, duration_us.
ncu empties the caches before each kernel, and leaves the clocks alone.

Exit status: 0 all right, 1 a program or ncu failed, 2 usage, 77 no ncu or no GPU here.
"""
import re
import sys

from nsight import find_ncu, number, programs, size, stop, table, under_ncu, write

SIZES = ("1M", "16M", "256M")
DURATION = "gpu__time_duration.sum"


def passes(program, variant, n):
    for k, row in enumerate(under_ncu([program, "--check", "-n", n, "-v", variant["variant"]], [DURATION]), 1):
        yield {"step": variant["step"][:2], "kernel": variant["variant"], "n": n, "pass": k,
               "grid": size(row["Grid Size"]), "duration_us": number(row[DURATION], 1e-3)}


def main(arguments):
    if len(arguments) != 1 or not arguments[0].endswith(".csv"):
        stop(2, "usage: tools/measure/passes.py FILE.csv")
    find_ncu()
    rows = []
    for program, variants in programs():
        ladder = [variant for variant in variants if re.match("v[0-9]", variant["variant"]) and not variant["known_wrong"]]
        for n in SIZES:
            for variant in ladder:
                rows += passes(program, variant, n)
    write(arguments[0], table(("step", "kernel", "n", "pass", "grid", "duration_us"), rows))


if __name__ == "__main__":
    main(sys.argv[1:])
