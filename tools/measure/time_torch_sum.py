#!/usr/bin/env python3
"""tools/measure/time_torch_sum.py FILE.csv LIBRARY.so SIZES: the library's sums beside PyTorch's, in turn.

LIBRARY.so is build/cuda/libsum_f32.so. For each type (half, bfloat16, float, int32, double) and number of
elements (1048576,268435456) it times torch.sum(x, 0, out=y) and our function on the same numbers, on PyTorch's
stream, each many times in a CUDA graph, in rounds, every other round in the other order, as
library/compare/rounds.c does. Cold: the L2 cache is flushed first, and each sum of a graph has numbers
of its own; warm: all sum the same. Writes a line for each to FILE.csv: element, n, cache, launch, rival, ours_us,
rival_us, ratio, low, high, rounds, ours_error, rival_error (over the sum of magnitudes, against PyTorch's
sum in doubles or 64-bit integers), torch, gpu. PyTorch's sum of halves is a half, and of bfloat16 a bfloat16.
tools/measure/compare.sh calls it.

Exit status: 0 all right, 1 a wrong sum of ours, 2 usage, 77 no PyTorch or no GPU for it here.
"""
import ctypes
import os
import random
import re
import sys

from with_torch import Gpu, stop, write_csv

ROUNDS = 15
# The 95 % interval of a median of 15 lies between the 4th and the 12th value (binomial: 96.5 %).
LOW, HIGH = 3, 11
APART = 4 << 20  # bytes from one cold sum to the next, at least
COLUMNS = ("element", "n", "cache", "launch", "rival", "ours_us", "rival_us", "ratio", "low", "high", "rounds",
           "ours_error", "rival_error", "torch")
# By type: (name in torch, our function, type of our sum, largest relative error of ours that is no fault: depth * u)
TYPES = {
    "half": ("float16", "sum_f16", "float32", 1e-4),
    "bfloat16": ("bfloat16", "sum_bf16", "float32", 1e-4),
    "float": ("float32", "sum_f32", "float32", 1e-4),
    "int32": ("int32", "sum_i32", "int64", 0),
    "double": ("float64", "sum_f64", "float64", 1e-12),
}


class Workspace(ctypes.Structure):
    _fields_ = (("memory", ctypes.c_void_p), ("bytes", ctypes.c_size_t))


class Library:
    """The functions of libsum_f32.so, with a zeroed workspace."""

    def __init__(self, torch, path):
        self.functions = ctypes.CDLL(os.path.abspath(path))
        size = ctypes.c_size_t()
        if self.functions.sum_f32_workspace_bytes(ctypes.byref(size)):
            stop(77, f"{path} finds no GPU that it has code for")
        self.torch, self.memory = torch, torch.zeros(size.value, dtype=torch.uint8, device="cuda")
        self.workspace = Workspace(self.memory.data_ptr(), size.value)

    def sum(self, name, x, y):
        status = getattr(self.functions, name)(
            ctypes.c_void_p(x.data_ptr()), ctypes.c_size_t(x.numel()), ctypes.c_void_p(y.data_ptr()),
            ctypes.byref(self.workspace), ctypes.c_void_p(self.torch.cuda.current_stream().cuda_stream))
        if status:
            stop(1, f"{name}: status {status}")


def make(torch, element, n):
    if element == "int32":
        return torch.randint(-(1 << 24), 1 << 24, (n,), dtype=torch.int32, device="cuda")
    x = torch.empty(n, dtype=getattr(torch, TYPES[element][0]), device="cuda")
    for part in x.split(1 << 27):
        part.copy_(torch.rand(part.numel(), device="cuda") * 2 - 1)
    return x


def exact(torch, x):
    """(sum, sum of magnitudes), in doubles or integers, by parts."""
    wide = torch.int64 if x.dtype == torch.int32 else torch.float64
    parts = [(part.to(wide).sum().item(), part.to(torch.float64).abs().sum().item()) for part in x.split(1 << 26)]
    return sum(p[0] for p in parts), sum(p[1] for p in parts)


def graph_of(torch, queue, slices):
    """A CUDA graph that sums each slice in turn."""
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        queue(slices[0])  # what is made at the first call cannot be captured
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        for part in slices:
            queue(part)
    return graph


def median(values):
    return sorted(values)[len(values) // 2]


def measure(gpu, library, element, x, n, cold):
    torch = gpu.torch
    name, dtype = TYPES[element][1], getattr(torch, TYPES[element][2])
    bytes_each, size = n * x.element_size(), x.element_size()
    sums = int(min(64, max(8, 300 / (2 + bytes_each / 4.5e6))))
    step = min(max(bytes_each, APART), (x.numel() * size - bytes_each) // max(sums - 1, 1)) // 256 * 256 // size
    slices = [x[i * step * cold:i * step * cold + n] for i in range(sums)]
    ours, theirs = torch.zeros((), dtype=dtype, device="cuda"), torch.sum(slices[0], 0)
    ways = ((lambda part: library.sum(name, part, ours)), (lambda part: torch.sum(part, 0, out=theirs)))
    graphs = [graph_of(torch, way, slices) for way in ways]
    times = [[], []]
    for graph in graphs:
        gpu.timed_us(graph.replay, cold)
    for _ in range(ROUNDS):
        for k in random.sample((0, 1), 2):
            times[k].append(gpu.timed_us(graphs[k].replay, cold) / sums)
    ratios = sorted(a / b for a, b in zip(*times))
    right, magnitudes = exact(torch, slices[-1])
    errors = [abs(result.item() - right) / magnitudes for result in (ours, theirs)]
    if not errors[0] <= TYPES[element][3]:
        stop(1, f"{name}: a wrong sum of {n} elements, off by {errors[0]:.3g} of the magnitudes")
    return (element, n, "cold" if cold else "warm", "graph", "torch", f"{median(times[0]):.4f}", f"{median(times[1]):.4f}",
            f"{median(ratios):.4f}", f"{ratios[LOW]:.4f}", f"{ratios[HIGH]:.4f}", ROUNDS, *(f"{error:.4g}" for error in errors))


def lines(gpu, library, sizes):
    for element in TYPES:
        x = make(gpu.torch, element, max(2 * max(sizes), 64 << 20))
        for n in sizes:
            for cold in (True, False):
                row = measure(gpu, library, element, x, n, cold)
                print("%-9s %11d %s ours %9.2f us, torch %9.2f us, ratio %s" % (element, n, row[2], float(row[5]), float(row[6]), row[7]))
                yield (*row, gpu.version)
        del x


def main(arguments):
    if len(arguments) != 3 or not arguments[0].endswith(".csv") or not re.fullmatch(r"[1-9]\d*(,[1-9]\d*)*", arguments[2]):
        stop(2, "usage: tools/measure/time_torch_sum.py FILE.csv LIBRARY.so SIZES, sizes as in 1048576,268435456")
    gpu = Gpu()
    random.seed(1)
    write_csv(arguments[0], COLUMNS, lines(gpu, Library(gpu.torch, arguments[1]), [int(size) for size in arguments[2].split(",")]))


if __name__ == "__main__":
    main(sys.argv[1:])
