"""synthetic.py: a small results folder with made-up numbers, for the tests of what reads one.

No number here was measured: a variant's time is a constant plus n over a rate, its
error a fraction of its bound, its counts a multiple of n.
"""
import itertools
import json
import math
import os

from common import read, write

import schema

# microseconds for nothing, thousands of elements per microsecond; "soft@32": soft in rows of 32
GPU = {"00_baselines": {"copy": (2, 500), "read": (2, 1000), "cub": (4, 900), "thrust": (8, 900)}, "01_interleaved": {"v0": (8, 100), "v1": (8, 200)},
    "02_sequential": {"v2": (8, 250)}, "03_unrolled": {"v3x2": (7, 400), "v3x4": (7, 600), "v3x8": (7, 800), "v4": (7, 800), "v5": (7, 810)},
    "04_shared": {"v6": (6, 950), "v6_interleaved": (6, 900)}, "05_warp_shuffle": {"atomic_per_warp": (5, 300), "atomic_per_block": (5, 600), "block_reduce": (5, 600)},
    "06_two_pass": {"two_pass": (7, 600)}, "07_cooperative": {"cooperative": (8, 600)}}
CPU = {"cpu_serial": 1, "cpu_pairwise": 4, "cpu_kahan": 0.5, "cpu_threads": 30, "cub_copied": 10}
ROOFS = ("copy", "read")


def times(us, bytes_moved, **more):
    return {"median_us": us, "min_us": us, "p90_us": us, "runs": 9, "bytes": bytes_moved, "gbps": bytes_moved / us / 1e3, **more}


def error(depth, n):
    bound = depth * 2.0**-24
    return {"rel_err": 0 if n == 1024 else bound / 50, "err_bound": bound, "ok": 1}


def cpu_row(variant, n):
    return {"backend": "cpu", "device": "Toy CPU", **times(n / CPU[variant], 4 * n), **error(n if variant == "cpu_serial" else math.log2(n), n)}


def gpu_rows(step, variant, n, rate, same):
    fixed, thousands = (2, 1000) if same else GPU[step][variant]
    alone, read = fixed + n / (1000 * thousands * rate), 2 + n / (1e6 * rate)
    for cache, launch, us in (("cold", "plain", alone), ("warm", "graph", alone / 4))[:1 if n > 1 << 20 else 2]:
        yield {"backend": "cuda", "device": "NVIDIA Toy", "block": 256, "grid": n // 256 + 1, "cache": cache, "launch": launch,
               **times(us, 8 * n if variant == "copy" else 4 * n, pct_roof=100 * read / us), **({} if variant in ROOFS else error(math.log2(n), n))}


def sim_row(variant, n):
    return {"backend": "sim", "device": "toy", "block": 256, "grid": n // 256 + 1, **error(math.log2(n), n),
            "gld_requests": n // 8 if variant == "v0" else n // 32, "gld_sectors": n, "gst_requests": n // 64,
            "gst_sectors": n // 8, "shared_ld_wavefronts": 0, "shared_st_wavefronts": 0, "atomics": 0,
            "barriers": n // 256, "shuffles": 0, "simt_efficiency": 0.75, "bytes": 4 * n}


def write_rows(path, rows, how="w"):
    """how: "a" adds them to a file."""
    lines = [read(path).rstrip("\n") if how == "a" and os.path.exists(path) else ",".join(schema.RUN)]
    for row in rows:
        row = {"step": "toy", "backend": "cuda", "device": "NVIDIA Toy", "pattern": "uniform", "bytes": 4 * row["n"],
               "task": "roof" if row["variant"] in ROOFS else "sum", **row}
        lines.append(",".join(str(row.get(column, "")) for column in schema.RUN))
    write(path, "\n".join(lines) + "\n")


def write_machine(folder, **facts):
    write(folder + "/machine.json", json.dumps(facts, indent=2))


def write_gpu(folder, rate=1, same=False, **machine):
    """rate: makes all variants faster or slower; same: they are all equally fast."""
    sizes = [1 << k for k in range(10, 31, 2)] + [1 << 31]
    rows = [dict(cpu_row(name, n), step="00_baselines", variant=name, n=n) for name in CPU for n in sizes]
    for step, variants in GPU.items():
        for name in variants:
            variant, _, length = name.partition("@")
            rows += [dict(row, step=step, variant=variant, row=length, n=n) for n in sizes for row in gpu_rows(step, name, n, rate, same)]
    write_rows(f"{folder}/runs.csv", rows)
    write_machine(folder, **{"backend": "cuda", "gpu": "NVIDIA Toy", "driver": "99.0", "runtime": "98.0", "cccl": "97.0.1", "nvidia_driver": "1.2.3",
                  "theoretical_gbps": 4200, "read_gbps": 4000.5, "copy_gbps": 4100, "commit": "abc1234", "sm_count": 77,
                  "sm_clock_mhz": 1000, "l2_bytes": 30 << 20, "memory_bytes": 20 << 30, "date": "2001-02-03T04:05:06Z", **machine})


def write_sim(folder):
    rows = []
    for step, variants in GPU.items():
        names, row_of = (CPU, cpu_row) if step == "00_baselines" else (variants, sim_row)
        rows += [dict(row_of(name, n), step=step, variant=name, n=n) for name in names for n in (1 << 10, 1 << 16, 1 << 18)]
    write_rows(f"{folder}/runs.csv", rows)
    write_machine(folder, backend="sim", gpu="toy", commit="abc1234", date="2001-02-03T04:05:06Z")


def tool_row(topic, variant, n, us, task, **more):
    return {"step": topic, "variant": variant, "task": task, "n": n, "backend": "cuda", "device": "NVIDIA Toy", "block": 256, "grid": 7,
            "cache": "cold", "launch": "plain", **times(us, 8 * n, pct_roof=75), **error(20, n), **more}


def write_toolbox(folder):
    """The toolbox: µs for 1M elements; soft in rows of 1K and of 8K."""
    for topic, variants in {"vote": (("vote", "", 10), ("vote_shared", "", 20)), "softmax": (("soft", 1024, 30), ("soft", 8192, 40))}.items():
        write_rows(f"{folder}/runs.csv", [tool_row(topic, name, n, us * n / (1 << 20), topic, row=length)
                                          for name, length, us in variants for n in (1 << 20, 1 << 24, 1 << 28)], "a")


def write_levels(folder):
    """What steps/experiments/levels.cu prints."""
    write(folder + "/experiments/levels.csv", "level,bytes,count,walked_bytes,read_bytes,ok,cycles,ns,gbps\nregisters,65536,77,,,,,,\n"
          "shared,131072,77,16384,16384,1,23.4,12,19000\nl1,0,77,16384,65536,1,34.5,17,20100\n"
          "l2,31457280,1,16777216,16777216,1,234,120,6100\nmemory,21474836480,1,268435456,1073741824,1,678,350,3900\n")


def write_sweep(folder):
    """What ./step08 --demo prints: 1 µs to memory, a roof of 1260 GB/s on 77 SMs, so that the knee
    should lie at 16 KiB; half of the bandwidth there, all of it from twice as much on."""
    text = "question,threads,loads,blocks_per_sm,bytes_in_flight,bytes_per_block,us,gbps\nlatency,1,1,,16,,1.0,\n"
    for loads, threads in itertools.product((1, 2, 4, 8, 16), (64, 128, 256, 512, 1024)):
        tile = 16 * loads * threads
        for blocks in (blocks for blocks in (1, 2, 4, 8) if blocks * threads <= 2048):
            text += f"in_flight,{threads},{loads},{blocks},{blocks * tile},{tile},1,{min(1200, 600 * blocks * tile / 16384) - loads}\n"
        text += f"tile,{threads},{loads},1,{tile},{tile},1,{min(1260, tile)}\n"
    write(folder + "/sweep.csv", text)


COMPARE = "n,offset,cache,launch,rival,ours_us,rival_us,ratio,low,high,ci,rounds,ours_error,rival_error\n"


def compare_row(n, ratio, cache="cold", launch="graph", rival="cub", offset=0, errors=(0.25, 0.5), width=0.01):
    return (f"{n},{offset},{cache},{launch},{rival},{10 * ratio:.4f},10,{ratio:.4f},{ratio - width:.4f},{ratio + width:.4f},{width},31,{errors[0]},{errors[1]}\n")


def write_compare(folder):
    """What make compare writes: the ratio grows from 0.5 to 1.1 with n."""
    kinds = itertools.product(range(32), ("graph", "plain", "single"), ("cold", "warm"))
    rows = [compare_row(1 << k, 0.5 + 0.6 * k / 31 + (0.01 if cache == "warm" else 0), cache, launch) for k, launch, cache in kinds]
    rows += [compare_row(1000, 2.5), compare_row(1024, 0.1, offset=3), compare_row(1024, 0.2, rival="cub_newer")]
    write(folder + "/compare.csv", "".join([COMPARE, *rows]))


def write_softmax(folder):
    """What make compare-softmax writes: a roof of 4000 GB/s; a warp reaches 95 % of it, a block more with
    each longer row, a cluster 90 %, PyTorch 80 %."""
    ours, torch = [], "row,n,median_us,min_us,p90_us,runs,gbps,torch\n"
    for n in (1 << 20, 1 << 28):
        for k in range(5, 15):
            us = 8 * n / 3200 / 1e3
            torch += f"{1 << k},{n},{us},{us},{us},9,3200,2.11.0+toy\n"
            percents = {"softmax_warp": 95 if k <= 11 else None, "softmax_warp_shared": 91 if k <= 11 else None,
                        "softmax_block": min(94, 10 * (k - 4)), "softmax_cluster": 90 if k >= 9 else None}
            for variant, percent in percents.items():
                us = percent and 8 * n / (4000 * percent / 100) / 1e3
                launches = [(us, "plain", "cold")] + [(us / 2, "graph", "warm")] * (n <= 1 << 20) if percent else []
                ours += [tool_row("softmax", variant, n, us, "softmax", row=1 << k, launch=launch, cache=cache, grid=1, pct_roof=percent)
                         for us, launch, cache in launches]
    write_rows(folder + "/softmax.csv", ours)
    write(folder + "/softmax_torch.csv", torch)
