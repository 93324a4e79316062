"""A stand-in for PyTorch, for tests/softmax.t: as much of it as tools/measure/time_torch.py uses, in lists.

FAKE_TORCH=nogpu finds no GPU, wrong gives wrong answers; else a run of row floats takes row / 1024 ms.
"""
import math
import os
import random
import sys

sys.path.append(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
from toy_gpu import cuda

__version__ = "2.11.0+toy"
FAKE = os.environ.get("FAKE_TORCH", "")


class Tensor:
    def __init__(self, values, row=None):
        self.values, self.row = values, row or len(values)

    def view(self, rows, row):
        assert rows == -1 and len(self.values) % row == 0
        return Tensor(self.values, row)

    def split(self, rows):
        step = rows * self.row
        return [Tensor(self.values[k:k + step], self.row) for k in range(0, len(self.values), step)]

    def numel(self):
        return len(self.values)

    def double(self):
        return self

    def each(self, function, other):
        others = other.values if isinstance(other, Tensor) else [other] * len(self.values)
        return Tensor([function(a, b) for a, b in zip(self.values, others)], self.row)

    def __sub__(self, other):
        return self.each(lambda a, b: a - b, other)

    def __mul__(self, other):
        return self.each(lambda a, b: a * b, other)

    __rmul__ = __mul__

    def __le__(self, other):
        return self.each(lambda a, b: a <= b, other)

    def abs(self):
        return self.each(lambda a, _: abs(a), 0)

    def all(self):
        return all(self.values)


def softmax(x, dim, out=None):
    assert dim == -1
    values = []
    for k in range(0, len(x.values), x.row):
        powers = [math.exp(value) for value in x.values[k:k + x.row]]
        values += [power / sum(powers) for power in powers]
    if out is None:
        return Tensor(values, x.row)
    cuda.now += x.row / 1024
    out.values[:] = [1.1 * value for value in values] if FAKE == "wrong" else values
    return out


def rand(n, device):
    return Tensor([random.random() for _ in range(n)])


def zeros(n, device):
    return Tensor([0.0] * n)


def empty(shape, device):
    return Tensor([0.0])


def empty_like(x):
    return Tensor([math.nan] * len(x.values), x.row)


def amax(x, dim, out):
    cuda.now += 7  # the flush must not be within the time


def manual_seed(seed):
    random.seed(seed)
