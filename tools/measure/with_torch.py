"""What time_torch.py and time_torch_sum.py share: PyTorch and its GPU, one timed run, the CSV."""
import csv
import os
import sys


def stop(status, message):
    print(f"{os.path.basename(sys.argv[0])}: {message}", file=sys.stderr)
    sys.exit(status)


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


def write_csv(path, columns, rows):
    """Whole or not at all."""
    with open(path + ".tmp", "w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(columns)
        table.writerows(rows)
    os.replace(path + ".tmp", path)
