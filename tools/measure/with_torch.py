#!/usr/bin/env -S python3 -B
"""tools/measure/with_torch.py KIND FILE.csv ...: PyTorch's times on this GPU, and the library's beside them, in turn.

    sums FILE.csv LIBRARY.so SIZES
        of each type (half, bfloat16, float, int32, double) and number of elements (1048576,268435456): torch.sum(x, 0, out=y)
        and our function on the same numbers, cold and warm. PyTorch's sum of halves is a half, and of bfloat16 a bfloat16.
        Columns: element, n, cache, launch, rival, ours_us, rival_us, ratio, low, high, rounds, ours_error, rival_error (over
        the sum of magnitudes, against PyTorch's sum in doubles or 64-bit integers), torch
    rows FILE.csv LIBRARY.so SIZES COLUMNS [ELEMENTS]
        of each number of elements (4194304,268435456) and of columns (8,32,4097): reduce_rows() and reduce_columns(), PyTorch's
        own operator, and that operator compiled by torch.compile, cold. ELEMENTS: float, or half,bfloat16, which have fewer
        operators. Both sides add those in floats. Our answers are floats, and so are PyTorch's sums, as it is asked for; its
        other answers have the elements' type. What torch.compile cannot do is said, and left out.
        Columns: element, operator, of (rows or columns), columns, n, cache, launch, rival (torch or torch_compile), ours_us,
        rival_us, ratio, low, high, rounds, torch
    softmax FILE.csv ROWS SIZES
        torch.softmax(x, dim=-1, out=y) of float32 for each row (32,1024) and number of floats (what is no multiple of the row
        is left out); tools/measure/compare.py has measured ours before.
        Columns: row, n, median_us, min_us, p90_us, runs, gbps (8 n bytes over the median), torch

LIBRARY.so is build/cuda/libsum_f32.so. Sums and rows are timed many times in a CUDA graph on PyTorch's stream, in rounds, in an
order that is drawn anew each round, as library/compare/rounds.c does. Cold: the L2 cache is flushed first, and each call in a
graph has numbers of its own; warm: all have the same. Softmax is timed run by run, as common/timing.c does it.

Exit status: 0 all right, 1 a wrong answer, 2 usage, 77 no PyTorch or no GPU for it here."""
import ctypes
import random
import re

import programs
from programs import stop, typed, write_file

ROUNDS = 15
# The 95 % interval of a median of 15 lies between the 4th and the 12th value (binomial: 96.5 %).
LOW, HIGH = 3, 11
APART = 4 << 20  # bytes from one cold call to the next, at least
RATIOS = ("rival", "ours_us", "rival_us", "ratio", "low", "high", "rounds")


class Gpu:
    """PyTorch, the GPU that it finds, and what empties the GPU's L2 cache: a buffer of twice its size, to be read."""

    def __init__(self):
        try:
            import torch
        except ImportError:
            stop(77, "PyTorch is missing: pip install torch, on a machine with an NVIDIA GPU")
        if not torch.cuda.is_available():
            stop(77, f"PyTorch {torch.__version__} finds no GPU here")
        self.torch, self.version = torch, torch.__version__
        self.buffer, self.unused = torch.zeros(2 * torch.cuda.get_device_properties(0).L2_cache_size // 4, device="cuda"), torch.empty((), device="cuda")
        torch.manual_seed(1)

    def timed_us(self, run, cold=True):
        """Between CUDA events, as common/timing.c."""
        start, end = (self.torch.cuda.Event(enable_timing=True) for _ in range(2))
        self.torch.cuda._sleep(300000)  # cycles, in which the host queues what follows: its time must not count
        if cold:
            self.torch.amax(self.buffer, 0, out=self.unused)
        start.record()
        run()
        end.record()
        end.synchronize()
        return start.elapsed_time(end) * 1e3

    def graph_of(self, queue, slices):
        """A CUDA graph that calls it with each slice in turn."""
        cuda = self.torch.cuda
        stream = cuda.Stream()
        stream.wait_stream(cuda.current_stream())
        with cuda.stream(stream):
            queue(slices[0])  # what is made at the first call cannot be captured
        cuda.synchronize()
        graph = cuda.CUDAGraph()
        with cuda.graph(graph, stream=stream):
            for part in slices:
                queue(part)
        self.timed_us(graph.replay)
        return graph

    def in_turn(self, graphs, cold, calls):
        """Of each way the microseconds of one call, round by round."""
        times = {way: [] for way in graphs}
        for _ in range(ROUNDS):
            for way in random.sample(list(graphs), len(graphs)):
                times[way].append(self.timed_us(graphs[way].replay, cold) / calls)
        return times


class Workspace(ctypes.Structure):
    _fields_ = (("memory", ctypes.c_void_p), ("bytes", ctypes.c_size_t))


class Matrix(ctypes.Structure):
    _fields_ = (("data", ctypes.c_void_p), ("type", ctypes.c_int), ("rows", ctypes.c_size_t), ("columns", ctypes.c_size_t),
                ("stride", ctypes.c_size_t))


class Library:
    """The functions of libsum_f32.so, with a zeroed workspace."""

    def __init__(self, torch, path, workspace_bytes):
        self.functions = ctypes.CDLL(typed(path))
        size = ctypes.c_size_t()
        if getattr(self.functions, workspace_bytes)(ctypes.byref(size)):
            stop(77, f"{path} finds no GPU that it has code for")
        self.torch, self.memory = torch, torch.zeros(size.value, dtype=torch.uint8, device="cuda")
        self.workspace = Workspace(self.memory.data_ptr(), size.value)

    def call(self, what, function, *arguments):
        status = getattr(self.functions, function)(*arguments, ctypes.byref(self.workspace),
                                                   ctypes.c_void_p(self.torch.cuda.current_stream().cuda_stream))
        if status:
            stop(1, f"{what}: status {status}")

    def sum(self, name, x, y):
        self.call(name, name, ctypes.c_void_p(x.data_ptr()), ctypes.c_size_t(x.numel()), ctypes.c_void_p(y.data_ptr()))

    def reduce(self, element, name, dim, x, out):
        matrix = Matrix(x.data_ptr(), ROW_TYPES[element][0], x.shape[0], x.shape[1], x.shape[1])
        self.call(name, "reduce_rows" if dim == 1 else "reduce_columns", ctypes.c_int(OPERATORS[name][0]), ctypes.byref(matrix),
                  ctypes.c_void_p(out.data_ptr()))


def median(values):
    return sorted(values)[len(values) // 2]


def calls_in_graph(bytes_each):
    return int(min(64, max(8, 300 / (2 + bytes_each / 4.5e6))))


def apart(x, n, calls):
    """Elements from one cold call's numbers to the next one's."""
    size = x.element_size()
    return min(max(n * size, APART), (x.numel() - n) * size // max(calls - 1, 1)) // 256 * 256 // size


def against(rival, ours, theirs):
    ratios = sorted(a / b for a, b in zip(ours, theirs))
    return (rival, f"{median(ours):.4f}", f"{median(theirs):.4f}", f"{median(ratios):.4f}", f"{ratios[LOW]:.4f}", f"{ratios[HIGH]:.4f}", ROUNDS)


# ---- sums ----

# By type: (name in torch, our function, type of our sum, largest relative error of ours that is no fault: depth * u)
TYPES = {
    "half": ("float16", "sum_f16", "float32", 1e-4),
    "bfloat16": ("bfloat16", "sum_bf16", "float32", 1e-4),
    "float": ("float32", "sum_f32", "float32", 1e-4),
    "int32": ("int32", "sum_i32", "int64", 0),
    "double": ("float64", "sum_f64", "float64", 1e-12),
}


def numbers_of(torch, element, n):
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


def time_sum(gpu, library, element, x, n, cold):
    torch = gpu.torch
    _, name, dtype, tolerance = TYPES[element]
    calls = calls_in_graph(n * x.element_size())
    slices = [x[i * apart(x, n, calls) * cold:][:n] for i in range(calls)]
    ours, theirs = torch.zeros((), dtype=getattr(torch, dtype), device="cuda"), torch.sum(slices[0], 0)
    ways = {"ours": lambda part: library.sum(name, part, ours), "torch": lambda part: torch.sum(part, 0, out=theirs)}
    times = gpu.in_turn({way: gpu.graph_of(queue, slices) for way, queue in ways.items()}, cold, calls)
    right, magnitudes = exact(torch, slices[-1])
    errors = [abs(result.item() - right) / magnitudes for result in (ours, theirs)]
    if not errors[0] <= tolerance:
        stop(1, f"{name}: a wrong sum of {n} elements, off by {errors[0]:.3g} of the magnitudes")
    return (element, n, "cold" if cold else "warm", "graph", *against("torch", times["ours"], times["torch"]), *(f"{error:.4g}" for error in errors))


def sums(gpu, path, sizes):
    library = Library(gpu.torch, path, "sum_f32_workspace_bytes")
    for element in TYPES:
        x = numbers_of(gpu.torch, element, max(2 * max(sizes), 64 << 20))
        for n in sizes:
            for cold in (True, False):
                row = time_sum(gpu, library, element, x, n, cold)
                print("%-9s %11d %s ours %9.2f us, torch %9.2f us, ratio %s" % (element, n, row[2], float(row[5]), float(row[6]), row[7]), flush=True)
                yield row
        del x


# ---- rows and columns ----

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
ROW_TYPES = {
    "float": (0, "float32", tuple(OPERATORS), ("sum", "argmax", "mean_var", "log_sum_exp")),
    "half": (1, "float16", ("sum", "max", "mean_var", "log_sum_exp"), ("sum", "mean_var")),
    "bfloat16": (2, "bfloat16", ("sum", "max", "mean_var", "log_sum_exp"), ("sum", "mean_var")),
}
SAMPLES, TOLERANCE = 20, 1e-4  # answers that are checked, and how far they may be from PyTorch's in doubles


def worst_error(torch, name, x, dim, out):
    """How far some answers of ours are from PyTorch's in doubles, over the largest of 1 and that answer."""
    _, floats, function = OPERATORS[name]
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


def time_rows(gpu, library, element, name, dim, x, n, columns):
    """One line for each rival."""
    torch, lines = gpu.torch, n // columns
    _, floats, function = OPERATORS[name]
    n, answers = lines * columns, lines if dim == 1 else columns
    calls = calls_in_graph(n * x.element_size())
    slices = [x[i * apart(x, n, calls):][:n].view(lines, columns) for i in range(calls)]
    out = torch.zeros(max(floats, 1) * answers, dtype=torch.float32 if floats else torch.int64, device="cuda")
    ways = {"ours": lambda part: library.reduce(element, name, dim, part, out), "torch": lambda part: function(torch, part, dim),
            "torch_compile": torch.compile(lambda part: function(torch, part, dim), dynamic=False)}
    graphs = {}
    for way, queue in ways.items():
        try:
            queue(slices[0])
        except Exception as error:
            if way != "torch_compile":
                raise
            print(f"{element} {name} {columns}: torch.compile fails: {str(error).strip().splitlines()[0]}")
            continue
        graphs[way] = gpu.graph_of(queue, slices)
    times = gpu.in_turn(graphs, True, calls)
    error = worst_error(torch, name, slices[-1], dim, out)
    of = "rows" if dim == 1 else "columns"
    if not error <= TOLERANCE:
        stop(1, f"{element}: {name} of {of}: a wrong answer, {lines} x {columns}, off by {error:.3g}")
    for rival in list(graphs)[1:]:
        yield (element, name, of, columns, n, "cold", "graph", *against(rival, times["ours"], times[rival]))


def rows(gpu, path, sizes, widths, elements=("float",)):
    library, x = Library(gpu.torch, path, "reduce_workspace_bytes"), None
    for element, n, columns in ((element, n, columns) for element in elements for n in sizes for columns in widths if columns <= n):
        dtype = getattr(gpu.torch, ROW_TYPES[element][1])
        for name, dim in [(name, 1) for name in ROW_TYPES[element][2]] + [(name, 0) for name in ROW_TYPES[element][3]]:
            if x is None or x.dtype != dtype:
                x = gpu.torch.rand(max(2 * max(sizes), 16 << 20 if max(sizes) > 1 << 16 else 0), dtype=dtype, device="cuda")
            gpu.torch.compiler.reset()  # it keeps code for a few shapes only
            for row in time_rows(gpu, library, element, name, dim, x, n, columns):
                print("%-8s %-12s %-8s %6d %11d ours %9.2f us, %-13s %9.2f us, ratio %s" % (
                    element, name, row[2], columns, n, float(row[8]), row[7], float(row[9]), row[10]), flush=True)
                yield row


# ---- softmax ----

RUNS = 100
# Floats against doubles: some roundings of 6e-8 for the difference, the exponential, the sum and the division. A wrong
# kernel is off by far more.
OF_SOFTMAX = 1e-5


def check_softmax(torch, x, y, row):
    """By parts of the rows, so that the doubles need not all fit."""
    for part, answer in zip(x.view(-1, row).split(1 << 24 >> row.bit_length()), y.view(-1, row).split(1 << 24 >> row.bit_length())):
        right = torch.softmax(part.double(), dim=-1)
        if not bool(((answer.double() - right).abs() <= OF_SOFTMAX * right).all()):
            stop(1, f"a wrong answer at rows of {row}, n = {x.numel()}")


def softmax(gpu, lengths, sizes):
    torch = gpu.torch
    for n in sizes:
        all_of_it = torch.rand(n, device="cuda") * 2 - 1
        for row in (row for row in lengths if n % row == 0):
            x = all_of_it.view(-1, row)
            y = torch.empty_like(x).view(-1, row)
            times = [gpu.timed_us(lambda: torch.softmax(x, dim=-1, out=y)) for _ in range(RUNS + 1)]
            check_softmax(torch, x, y, row)
            times = sorted(times[1:])  # the first is a warm-up
            median_us = times[RUNS // 2]
            yield (row, n, f"{median_us:.4f}", f"{times[0]:.4f}", f"{times[RUNS * 9 // 10]:.4f}", RUNS, f"{8 * n / median_us / 1e3:.3f}")
        del all_of_it


# Kind: what times it, its columns, the form of each of its arguments, how many it needs.
NUMBERS, ELEMENTS = r"[1-9]\d*(,[1-9]\d*)*", "({0})(,({0}))*".format("|".join(ROW_TYPES))
KINDS = {"sums": (sums, ("element", "n", "cache", "launch", *RATIOS, "ours_error", "rival_error"), (".+", NUMBERS), 2),
         "rows": (rows, ("element", "operator", "of", "columns", "n", "cache", "launch", *RATIOS), (".+", NUMBERS, NUMBERS, ELEMENTS), 3),
         "softmax": (softmax, ("row", "n", "median_us", "min_us", "p90_us", "runs", "gbps"), (NUMBERS, NUMBERS), 2)}


def main(arguments):
    kind, path, *rest = [*arguments, "", ""][:max(2, len(arguments))]
    measure, columns, forms, least = KINDS.get(kind, KINDS["sums"])
    if kind not in KINDS or not path.endswith(".csv") or not least <= len(rest) <= len(forms) or not all(map(re.fullmatch, forms, rest)):
        stop(2, "usage: tools/measure/with_torch.py sums FILE.csv LIBRARY.so SIZES, rows FILE.csv LIBRARY.so SIZES COLUMNS [ELEMENTS], or "
                "softmax FILE.csv ROWS SIZES; numbers as in 1048576,268435456; --help tells more")
    gpu = Gpu()
    random.seed(1)
    given = [[int(part) if part.isdigit() else part for part in text.split(",")] if form != ".+" else text for form, text in zip(forms, rest)]
    lines = list(measure(gpu, *given))
    write_file(typed(path), programs.table((*columns, "torch"), [dict(zip((*columns, "torch"), (*line, gpu.version))) for line in lines]))
    return 0


if __name__ == "__main__":
    programs.begin(main, __doc__)
