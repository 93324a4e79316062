#!/usr/bin/env python3
"""tools/measure/time_torch_rows.py FILE.csv LIBRARY.so SIZES COLUMNS [ELEMENTS]: the library's rows and columns beside PyTorch's, in turn.

LIBRARY.so is build/cuda/libsum_f32.so. For each number of elements (4194304,268435456) and of columns (8,32,4097) it times
reduce_rows() and reduce_columns(), PyTorch's own operator, and that operator compiled by torch.compile, all on the same
numbers: each many times in a CUDA graph, in rounds, in an order that is drawn anew each round. Cold: the L2 cache is
flushed first, and each call in a graph has numbers of its own. Writes two lines for each to FILE.csv: element, operator, of (rows
or columns), columns, n, cache, launch, rival (torch or torch_compile), ours_us, rival_us, ratio, low, high, rounds,
compile_s (seconds of the rival's first call), torch, gpu. What torch.compile cannot do is said, and left out. tools/measure/compare.sh calls it.

ELEMENTS: float, or half,bfloat16, which have fewer operators. Both sides add those in floats. Our answers are floats, and
so are PyTorch's sums, as it is asked for; its other answers have the elements' type.

Exit status: 0 all right, 1 a wrong answer of ours, 2 usage, 77 no PyTorch or no GPU for it here.
"""
import ctypes
import os
import random
import re
import sys
import time

from time_torch_sum import APART, HIGH, LOW, ROUNDS, Workspace, graph_of, median
from with_torch import Gpu, stop, write_csv

COLUMNS = ("element", "operator", "of", "columns", "n", "cache", "launch", "rival", "ours_us", "rival_us", "ratio", "low", "high", "rounds",
           "compile_s", "torch")
# By operator: its number in reduce_rows.h, floats of an answer (0: an integer of 64 bits), and PyTorch's function.
OPERATORS = {
    "sum": (0, 1, lambda torch, x, dim: torch.sum(x, dim, dtype=torch.float32 if x.dtype in (torch.float16, torch.bfloat16) else None)),
    "max": (1, 1, lambda torch, x, dim: torch.amax(x, dim)),
    "argmax": (3, 0, lambda torch, x, dim: torch.argmax(x, dim)),
    "mean_var": (5, 2, lambda torch, x, dim: torch.var_mean(x, dim)),
    "log_sum_exp": (6, 1, lambda torch, x, dim: torch.logsumexp(x, dim)),
    "norm": (7, 1, lambda torch, x, dim: torch.linalg.vector_norm(x, 2, dim)),
}
# By type: its number in reduce_rows.h, its name in torch, what is asked of rows, and of columns.
TYPES = {
    "float": (0, "float32", tuple(OPERATORS), ("sum", "argmax", "mean_var", "log_sum_exp")),
    "half": (1, "float16", ("sum", "max", "mean_var", "log_sum_exp"), ("sum", "mean_var")),
    "bfloat16": (2, "bfloat16", ("sum", "max", "mean_var", "log_sum_exp"), ("sum", "mean_var")),
}
SAMPLES, TOLERANCE = 20, 1e-4  # answers that are checked, and how far they may be from PyTorch's in doubles


class Matrix(ctypes.Structure):
    _fields_ = (("data", ctypes.c_void_p), ("type", ctypes.c_int), ("rows", ctypes.c_size_t), ("columns", ctypes.c_size_t),
                ("stride", ctypes.c_size_t))


class Library:
    """The functions of libsum_f32.so, with a zeroed workspace."""

    def __init__(self, torch, path):
        self.functions = ctypes.CDLL(os.path.abspath(path))
        size = ctypes.c_size_t()
        if self.functions.reduce_workspace_bytes(ctypes.byref(size)):
            stop(77, f"{path} finds no GPU that it has code for")
        self.torch, self.memory = torch, torch.zeros(size.value, dtype=torch.uint8, device="cuda")
        self.workspace = Workspace(self.memory.data_ptr(), size.value)

    def reduce(self, element, name, dim, x, out):
        matrix = Matrix(x.data_ptr(), TYPES[element][0], x.shape[0], x.shape[1], x.shape[1])
        function = self.functions.reduce_rows if dim == 1 else self.functions.reduce_columns
        status = function(ctypes.c_int(OPERATORS[name][0]), ctypes.byref(matrix), ctypes.c_void_p(out.data_ptr()),
                          ctypes.byref(self.workspace), ctypes.c_void_p(self.torch.cuda.current_stream().cuda_stream))
        if status:
            stop(1, f"{name}: status {status}")


def worst_error(torch, name, x, dim, out):
    """How far some answers of ours are from PyTorch's in doubles, over the largest of 1 and that answer."""
    operator, floats, function = OPERATORS[name]
    answers, worst = x.shape[1 - dim], 0.0
    for i in range(0, answers, max(1, answers // SAMPLES)):
        line = (x[i] if dim == 1 else x[:, i]).double()
        if floats == 0:
            pairs = [(line[out[i:i + 1].tolist()[0]].item(), torch.amax(line, 0).item())]
        else:
            right = function(torch, line, 0)
            right = [right[1].item(), right[0].item()] if floats == 2 else [right.item()]
            pairs = list(zip(out[floats * i:floats * (i + 1)].tolist(), right))
        for ours, theirs in pairs:
            if not (ours != ours and theirs != theirs):  # the variance of one element: a NaN
                error = abs(ours - theirs) / max(1.0, abs(theirs))
                worst = error if not error <= worst else worst
    return worst


def measure(gpu, library, element, name, dim, x, n, columns):
    """One line for each rival."""
    torch, rows, function = gpu.torch, n // columns, OPERATORS[name][2]
    n, answers = rows * columns, rows if dim == 1 else columns
    each = x.element_size()
    calls = int(min(64, max(8, 300 / (2 + n * each / 4.5e6))))
    step = min(max(each * n, APART), each * (x.numel() - n) // max(calls - 1, 1)) // 256 * 256 // each
    slices = [x[i * step:i * step + n].view(rows, columns) for i in range(calls)]
    floats = OPERATORS[name][1]
    out = torch.zeros(max(floats, 1) * answers, dtype=torch.float32 if floats else torch.int64, device="cuda")
    compiled = torch.compile(lambda part: function(torch, part, dim), dynamic=False)
    ways = {"ours": lambda part: library.reduce(element, name, dim, part, out), "torch": lambda part: function(torch, part, dim),
            "torch_compile": compiled}
    graphs, seconds, times = {}, {}, {way: [] for way in ways}
    for way, queue in ways.items():
        start = time.monotonic()
        try:
            queue(slices[0])
        except Exception as error:
            if way != "torch_compile":
                raise
            print(f"{element} {name} {columns}: torch.compile fails: {str(error).strip().splitlines()[0]}")
            continue
        torch.cuda.synchronize()
        seconds[way] = time.monotonic() - start
        graphs[way] = graph_of(torch, queue, slices)
        gpu.timed_us(graphs[way].replay)
    for _ in range(ROUNDS):
        for way in random.sample(list(graphs), len(graphs)):
            times[way].append(gpu.timed_us(graphs[way].replay) / calls)
    error = worst_error(torch, name, slices[-1], dim, out)
    of = "rows" if dim == 1 else "columns"
    if not error <= TOLERANCE:
        stop(1, f"{element}: {name} of {of}: a wrong answer, {rows} x {columns}, off by {error:.3g}")
    for rival in list(graphs)[1:]:
        ratios = sorted(a / b for a, b in zip(times["ours"], times[rival]))
        yield (element, name, of, columns, n, "cold", "graph", rival, f"{median(times['ours']):.4f}", f"{median(times[rival]):.4f}",
               f"{median(ratios):.4f}", f"{ratios[LOW]:.4f}", f"{ratios[HIGH]:.4f}", ROUNDS, f"{seconds[rival]:.2f}", gpu.version)


def asked(elements, sizes, widths):
    """(element, n, columns, operator, dimension) of all that is timed."""
    for element in elements:
        _, _, across, down = TYPES[element]
        for n in sizes:
            for columns in widths:
                if columns <= n:
                    yield from ((element, n, columns, name, 1) for name in across)
                    yield from ((element, n, columns, name, 0) for name in down)


def lines(gpu, library, sizes, widths, elements):
    x = None
    for element, n, columns, name, dim in asked(elements, sizes, widths):
        dtype = getattr(gpu.torch, TYPES[element][1])
        if x is None or x.dtype != dtype:
            x = gpu.torch.rand(max(2 * max(sizes), 16 << 20 if max(sizes) > 1 << 16 else 0), dtype=dtype, device="cuda")
        gpu.torch.compiler.reset()  # it keeps code for a few shapes only
        for row in measure(gpu, library, element, name, dim, x, n, columns):
            print("%-8s %-12s %-8s %6d %11d ours %9.2f us, %-13s %9.2f us, ratio %s" % (
                element, name, row[2], columns, n, float(row[8]), row[7], float(row[9]), row[10]), flush=True)
            yield row


def main(arguments):
    numbers = r"[1-9]\d*(,[1-9]\d*)*"
    elements = arguments[4].split(",") if len(arguments) == 5 else ["float"]
    if len(arguments) not in (4, 5) or not arguments[0].endswith(".csv") or not set(elements) <= set(TYPES) or not all(
            re.fullmatch(numbers, text) for text in arguments[2:4]):
        stop(2, "usage: tools/measure/time_torch_rows.py FILE.csv LIBRARY.so SIZES COLUMNS [ELEMENTS], as in 4194304,268435456 8,32,4097 half,bfloat16")
    gpu = Gpu()
    random.seed(1)
    sizes, widths = ([int(number) for number in text.split(",")] for text in arguments[2:4])
    write_csv(arguments[0], COLUMNS, lines(gpu, Library(gpu.torch, arguments[1]), sizes, widths, elements))


if __name__ == "__main__":
    main(sys.argv[1:])
