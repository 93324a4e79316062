#!/usr/bin/env python3
"""tools/measure/time_torch.py FILE.csv ROWS SIZES: what PyTorch's own softmax takes on this GPU.

Times torch.softmax(x, dim=-1, out=y) of float32 for each row (32,1024) and number of floats
(1048576; what is no multiple of the row is left out) and writes a line for each to FILE.csv:
row, n, median_us, min_us, p90_us, runs, gbps (8 n bytes over the median), torch, gpu. As
common/timing.c: CUDA events around each run, the L2 cache flushed before it by reading a
buffer of twice its size. Each answer is compared with PyTorch's own in double precision.
tools/measure/compare.sh calls it, after ./softmax has measured ours on the same machine.

Exit status: 0 all right, 1 a wrong answer, 2 usage, 77 no PyTorch or no GPU for it here.
"""
import re
import sys

from with_torch import Gpu, stop, write_csv

RUNS = 100
COLUMNS = ("row", "n", "median_us", "min_us", "p90_us", "runs", "gbps", "torch")
# Floats against doubles: some roundings of 6e-8 for the difference, the exponential, the sum
# and the division. A wrong kernel is off by far more.
TOLERANCE = 1e-5


def numbers(text):
    """'32,1024' -> [32, 1024]"""
    if not re.fullmatch(r"\d+(,\d+)*", text):
        stop(2, f'"{text}" is no list of numbers; write 32,1024')
    return [int(item) for item in text.split(",")]


def check(torch, x, y, row):
    """By parts of the rows, so that the doubles need not all fit."""
    for part, answer in zip(x.view(-1, row).split(1 << 24 >> row.bit_length()), y.view(-1, row).split(1 << 24 >> row.bit_length())):
        right = torch.softmax(part.double(), dim=-1)
        if not bool(((answer.double() - right).abs() <= TOLERANCE * right).all()):
            stop(1, f"a wrong answer at rows of {row}, n = {x.numel()}")


def measure(gpu, x, row):
    """The times of RUNS runs, in microseconds, in order of length."""
    torch, x = gpu.torch, x.view(-1, row)
    y = torch.empty_like(x).view(-1, row)
    times = [gpu.timed_us(lambda: torch.softmax(x, dim=-1, out=y)) for _ in range(RUNS + 1)]
    check(torch, x, y, row)
    return sorted(times[1:])  # the first is a warm-up


def lines(gpu, rows, sizes):
    for n in sizes:
        x = gpu.torch.rand(n, device="cuda") * 2 - 1
        for row in (row for row in rows if n % row == 0):
            times = measure(gpu, x, row)
            median = times[RUNS // 2]
            yield (row, n, f"{median:.4f}", f"{times[0]:.4f}", f"{times[RUNS * 9 // 10]:.4f}", RUNS, f"{8 * n / median / 1e3:.3f}", gpu.version)
        del x


def main(arguments):
    if len(arguments) != 3 or not arguments[0].endswith(".csv"):
        stop(2, "usage: tools/measure/time_torch.py FILE.csv ROWS SIZES, as in 32,1024 and 1048576,268435456")
    rows, sizes = numbers(arguments[1]), numbers(arguments[2])
    write_csv(arguments[0], COLUMNS, lines(Gpu(), rows, sizes))


if __name__ == "__main__":
    main(sys.argv[1:])
