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

__version__ = "2.11.0+toy"
uint8, float32, int64, float16, bfloat16 = "B", "f", "q", "e", "bf"
BITS = {float16: lambda value: struct.unpack("<H", struct.pack("<e", value))[0],
        bfloat16: lambda value: struct.unpack("<I", struct.pack("<f", value))[0] >> 16}
VALUES = {float16: lambda bits: struct.unpack("<e", struct.pack("<H", bits))[0],
          bfloat16: lambda bits: struct.unpack("<f", struct.pack("<I", bits << 16))[0]}


class cuda:
    now = 0.0

    class Event:
        def __init__(self, enable_timing):
            pass

        def record(self):
            self.at = cuda.now

        def synchronize(self):
            pass

        def elapsed_time(self, end):
            return end.at - self.at

    class Stream:
        cuda_stream = 0

        def wait_stream(self, other):
            pass

    class CUDAGraph:
        took = 0.0

        def replay(self):
            cuda.now += self.took

    @staticmethod
    @contextmanager
    def stream(stream):
        yield

    @staticmethod
    @contextmanager
    def graph(graph, stream):
        start = cuda.now
        yield
        graph.took = max(cuda.now - start, 0.01)

    @staticmethod
    def current_stream():
        return cuda.Stream()

    @staticmethod
    def synchronize():
        pass

    @staticmethod
    def is_available():
        return os.environ.get("FAKE_TORCH") != "nogpu"

    @staticmethod
    def _sleep(cycles):
        cuda.now += 1

    @staticmethod
    def get_device_properties(device):
        class Properties:
            L2_cache_size = 64
        return Properties


class Tensor:
    """Elements start, start + step, ... of an array, as many as its shape has. Those of two bytes lie there as bits."""

    def __init__(self, memory, shape, start=0, step=1, dtype=None):
        self.memory, self.shape, self.start, self.step, self.dtype = memory, shape, start, step, dtype or memory.typecode

    def element_size(self):
        return self.memory.itemsize

    def numel(self):
        return math.prod(self.shape)

    def data_ptr(self):
        return self.memory.buffer_info()[0] + self.start * self.memory.itemsize

    def view(self, rows, columns):
        assert rows * columns == self.numel() and self.step == 1
        return Tensor(self.memory, (rows, columns), self.start, dtype=self.dtype)

    def double(self):
        return self

    def __getitem__(self, place):
        if isinstance(place, tuple):  # [:, i]
            return Tensor(self.memory, (self.shape[0],), self.start + place[1], self.shape[1], self.dtype)
        if isinstance(place, slice):
            assert len(self.shape) == 1 and self.step == 1
            first, last, _ = place.indices(self.shape[0])
            return Tensor(self.memory, (last - first,), self.start + first, dtype=self.dtype)
        width = math.prod(self.shape[1:])
        return Tensor(self.memory, self.shape[1:], self.start + place * width * self.step, self.step, self.dtype)

    def tolist(self):
        value = VALUES.get(self.dtype, lambda number: number)
        return [value(self.memory[self.start + i * self.step]) for i in range(self.numel())]

    def item(self):
        assert self.numel() == 1
        return self.tolist()[0]


def lines_of(x, dim):
    cuda.now += 0.02
    if len(x.shape) == 1:
        return [x.tolist()]
    return [(x[i] if dim == 1 else x[:, i]).tolist() for i in range(x.shape[1 - dim])]


def tensor(values, kind="d"):
    return Tensor(array.array(kind, values), (len(values),))


def sum(x, dim, dtype=None):
    assert (dtype == float32) == (x.dtype in BITS)
    return tensor([math.fsum(line) for line in lines_of(x, dim)])


def amax(x, dim, out=None):
    if out is not None:
        cuda.now += 7  # the flush must not be within the time
        return out
    return tensor([max(line) for line in lines_of(x, dim)])


def argmax(x, dim):
    return tensor([line.index(max(line)) for line in lines_of(x, dim)], "q")


def var_mean(x, dim):
    variances, means = [], []
    for line in lines_of(x, dim):
        means.append(math.fsum(line) / len(line))
        squares = math.fsum((value - means[-1]) ** 2 for value in line)
        variances.append(squares / (len(line) - 1) if len(line) > 1 else math.nan)
    return tensor(variances), tensor(means)


def logsumexp(x, dim):
    return tensor([math.log(math.fsum(math.exp(value) for value in line)) for line in lines_of(x, dim)])


class linalg:
    @staticmethod
    def vector_norm(x, order, dim):
        assert order == 2
        return tensor([math.sqrt(math.fsum(value * value for value in line)) for line in lines_of(x, dim)])


def compile(function, dynamic):
    assert not dynamic

    def compiled(part):
        if os.environ.get("FAKE_TORCH") == "nocompiler":
            raise RuntimeError("no Triton here\nand more")
        result = function(part)
        cuda.now -= 0.01
        return result
    return compiled


class compiler:
    @staticmethod
    def reset():
        pass


def rand(n, dtype, device):
    bits = BITS.get(dtype)
    return Tensor(array.array("H" if bits else dtype, (bits(random.random()) if bits else random.random() for _ in range(n))), (n,), dtype=dtype)


def zeros(n, dtype=float32, device=None):
    return Tensor(array.array(dtype, bytes(n * array.array(dtype).itemsize)), (n,))


def empty(shape, device):
    return zeros(1)


def manual_seed(seed):
    random.seed(seed)
