"""The GPU of the stand-ins for PyTorch (softmax/torch, rows_torch/torch): its clock is a number, which what runs moves on.

FAKE_TORCH=nogpu: there is none.
"""
import os
from contextlib import contextmanager


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
