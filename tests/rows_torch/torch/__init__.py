"""A stand-in for PyTorch, for tests/test_compare.py: as much of it as tools/measure/with_torch.py uses for rows, in lists.

Its tensors lie in the host's memory, where the stand-in for the library (tests/rows_torch/library.c) finds them. What is
compiled takes half as long. The clock of its GPU is a number, which what runs moves on. FAKE_TORCH=nogpu finds no GPU,
nocompiler has none.
"""
import array
import math
import os
import random
import struct
from contextlib import contextmanager
from unittest.mock import MagicMock

__version__ = "2.11.0+toy"
uint8, float32, int64, float16, bfloat16 = "B", "f", "q", "e", "bf"
BITS = {float16: lambda value: struct.unpack("<H", struct.pack("<e", value))[0],
        bfloat16: lambda value: struct.unpack("<I", struct.pack("<f", value))[0] >> 16}
VALUES = {float16: lambda bits: struct.unpack("<e", struct.pack("<H", bits))[0],
          bfloat16: lambda bits: struct.unpack("<f", struct.pack("<I", bits << 16))[0]}
manual_seed, empty, compiler = random.seed, MagicMock(), MagicMock()
cuda = MagicMock(now=0.0)  # all else in it does nothing
cuda.is_available.return_value = os.environ.get("FAKE_TORCH") != "nogpu"
cuda.get_device_properties.return_value.L2_cache_size = 64
cuda.current_stream.return_value.cuda_stream = 0


def passes(ms):
    cuda.now += ms


class Event(MagicMock):
    def record(self):
        self.at = cuda.now

    def elapsed_time(self, end):
        return end.at - self.at


class CUDAGraph:
    def replay(self):
        passes(self.took)


@contextmanager
def graph(graph, stream):
    start = cuda.now
    yield
    graph.took = max(cuda.now - start, 0.01)


cuda.Event, cuda.CUDAGraph, cuda.graph, cuda._sleep = Event, CUDAGraph, graph, lambda cycles: passes(1)


class Tensor:
    """The elements of an array at some places, in rows of so many columns, if it has two dimensions. Those of two bytes lie there as bits."""

    def __init__(self, memory, places, dtype, columns=None):
        self.memory, self.places, self.dtype, self.columns = memory, places, dtype, columns
        self.shape = (len(places) // columns, columns) if columns else (len(places),)

    def element_size(self):
        return self.memory.itemsize

    def numel(self):
        return len(self.places)

    def data_ptr(self):
        return self.memory.buffer_info()[0] + self.places.start * self.memory.itemsize

    def view(self, rows, columns):
        assert rows * columns == self.numel() and self.places.step == 1
        return Tensor(self.memory, self.places, self.dtype, columns)

    def double(self):
        return self

    def __getitem__(self, at):
        places = (self.places[at[1]::self.columns] if isinstance(at, tuple) else self.places[at] if isinstance(at, slice)  # [:, i], [a:b]
                  else self.places[at * self.shape[-1]:][:self.shape[-1]] if self.columns else self.places[at:at + 1])
        return Tensor(self.memory, places, self.dtype)

    def tolist(self):
        value = VALUES.get(self.dtype, lambda number: number)
        return [value(self.memory[place]) for place in self.places]

    def item(self):
        number, = self.tolist()
        return number


def lines_of(x, dim):
    passes(0.02)
    return [(x[i] if dim == 1 else x[:, i]).tolist() for i in range(x.shape[1 - dim])] if x.columns else [x.tolist()]


def tensor(values):
    memory = array.array("d", values)
    return Tensor(memory, range(len(memory)), "d")


def sum(x, dim, dtype=None):
    assert (dtype == float32) == (x.dtype in BITS)
    return tensor(map(math.fsum, lines_of(x, dim)))


def amax(x, dim, out=None):
    if out is not None:
        passes(7)  # the flush must not be within the time
        return out
    return tensor(map(max, lines_of(x, dim)))


def argmax(x, dim):
    return tensor(line.index(max(line)) for line in lines_of(x, dim))


def var_mean(x, dim):
    lines = lines_of(x, dim)
    means = [math.fsum(line) / len(line) for line in lines]
    squares = [math.fsum((value - mean) ** 2 for value in line) for line, mean in zip(lines, means)]
    return tensor(total / (len(line) - 1) if len(line) > 1 else math.nan for line, total in zip(lines, squares)), tensor(means)


def logsumexp(x, dim):
    return tensor(math.log(math.fsum(map(math.exp, line))) for line in lines_of(x, dim))


class linalg:
    @staticmethod
    def vector_norm(x, order, dim):
        assert order == 2
        return tensor(math.hypot(*line) for line in lines_of(x, dim))


def compile(function, dynamic):
    assert not dynamic

    def compiled(part):
        if os.environ.get("FAKE_TORCH") == "nocompiler":
            raise RuntimeError("no Triton here\nand more")
        result = function(part)
        passes(-0.01)
        return result
    return compiled


def rand(n, dtype, device):
    bits, numbers = BITS.get(dtype), (random.random() for _ in range(n))
    return Tensor(array.array("H", map(bits, numbers)) if bits else array.array(dtype, numbers), range(n), dtype)


def zeros(n, dtype=float32, device=None):
    return Tensor(array.array(dtype, [0]) * n, range(n), dtype)
