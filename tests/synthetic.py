"""A small results folder with made-up numbers, for plots.t and notes.t.

No number here was measured: a variant's time is a constant plus n over a rate, its
error a fraction of its bound, its counts a multiple of n.
"""
import json
import math
import os

HEADER = ("step,variant,backend,device,n,block,grid,pattern,cache,launch,median_us,min_us,p90_us,"
          "runs,gbps,pct_roof,rel_err,err_bound,ok,gld_requests,gld_sectors,gst_requests,"
          "gst_sectors,shared_ld_wavefronts,shared_st_wavefronts,atomics,barriers,shuffles,"
          "simt_efficiency").split(",")

# microseconds for nothing, thousands of elements per microsecond; "soft@32": soft in rows of 32
GPU = {
    "00_baselines": {"copy": (2, 500), "read": (2, 1000), "cub": (4, 900), "thrust": (8, 900)},
    "01_interleaved": {"v0": (8, 100), "v1": (8, 200)},
    "02_sequential": {"v2": (8, 250)},
    "03_unrolled": {"v3x2": (7, 400), "v3x4": (7, 600), "v3x8": (7, 800), "v4": (7, 800),
                    "v5": (7, 810)},
    "04_shared": {"v6": (6, 950), "v6_interleaved": (6, 900)},
    "05_warp_shuffle": {"atomic_per_warp": (5, 300), "atomic_per_block": (5, 600),
                        "block_reduce": (5, 600)},
    "06_two_pass": {"two_pass": (7, 600)},
    "07_cooperative": {"cooperative": (8, 600)},
}
CPU = {"cpu_serial": 1, "cpu_pairwise": 4, "cpu_kahan": 0.5}
NO_SUM = ("copy", "read")
LATER = ["row", "bytes", "task"]  # the columns behind those of HEADER, in a file of the ladder


def gpu_rows(step, variant, n, rate, same):
    fixed, thousands = (2, 1000) if same else GPU[step][variant]
    alone = fixed + n / (1000 * thousands * rate)
    read = 2 + n / (1e6 * rate)
    for cache, launch, us in (("cold", "plain", alone), ("warm", "graph", alone / 4)):
        if launch == "graph" and n > 1 << 20:
            continue
        row = {"backend": "cuda", "device": "NVIDIA Toy", "block": 256, "grid": n // 256 + 1,
               "cache": cache, "launch": launch, "median_us": us, "min_us": us, "p90_us": us,
               "runs": 9, "gbps": (8 if variant == "copy" else 4) * n / us / 1e3, "pct_roof": 100 * read / us}
        yield row if variant in NO_SUM else {**row, **error(math.log2(n), n)}


def cpu_rows(variant, n):
    us = n / CPU[variant]
    yield {"backend": "cpu", "device": "Toy CPU", "median_us": us, "min_us": us, "p90_us": us,
           "runs": 3, "gbps": 4 * n / us / 1e3,
           **error(n if variant == "cpu_serial" else math.log2(n), n)}


def sim_rows(variant, n):
    yield {"backend": "sim", "device": "toy", "block": 256, "grid": n // 256 + 1,
           **error(math.log2(n), n), "gld_requests": n // 8 if variant == "v0" else n // 32,
           "gld_sectors": n, "gst_requests": n // 64, "gst_sectors": n // 8,
           "shared_ld_wavefronts": 0, "shared_st_wavefronts": 0, "atomics": 0,
           "barriers": n // 256, "shuffles": 0, "simt_efficiency": 0.75}


def error(depth, n):
    bound = depth * 2.0**-24
    return {"rel_err": 0 if n == 1024 else bound / 50, "err_bound": bound, "ok": 1}


def write(folder, machine, sizes, rows_of):
    os.makedirs(folder, exist_ok=True)
    for step in GPU:
        with open(os.path.join(folder, step + ".csv"), "w") as out:
            header = HEADER + LATER
            out.write(",".join(header) + "\n")
            for variant in (list(CPU) if step == "00_baselines" else []) + list(GPU[step]):
                for n in sizes:
                    for row in rows_of(step, variant, n):
                        name, _, length = variant.partition("@")
                        row.update(step=step, variant=name, row=length, n=n, pattern="uniform", bytes=4 * n,
                                   task="roof" if name in NO_SUM else "sum")
                        out.write(",".join(str(row.get(column, "")) for column in header) + "\n")
    with open(os.path.join(folder, "machine.json"), "w") as out:
        json.dump(machine, out, indent=2)


def write_gpu(folder, rate=1, same=False, **machine):
    """rate: makes all variants faster or slower; same: they are all equally fast."""
    write(folder,
          {"backend": "cuda", "gpu": "NVIDIA Toy", "driver": "99.0", "runtime": "98.0",
           "cccl": "97.0.1", "nvidia_driver": "1.2.3", "theoretical_gbps": 4200,
           "read_gbps": 4000.5, "copy_gbps": 4100, "commit": "abc1234", "sm_count": 77, "sm_clock_mhz": 1000,
           "l2_bytes": 30 << 20, "memory_bytes": 20 << 30, "date": "2001-02-03T04:05:06Z", **machine},
          [1 << k for k in range(10, 31, 2)] + [1 << 31],
          lambda step, variant, n: cpu_rows(variant, n) if variant in CPU
          else gpu_rows(step, variant, n, rate, same))


def write_toolbox(folder):
    """The toolbox: µs for 1M elements; soft in rows of 1K and of 8K."""
    with open(folder + "/08_warp_toolbox.csv", "w") as out:
        out.write(",".join(HEADER) + ",row,bytes\n")
        for variant, length, us in (("vote", "", 10), ("vote_shared", "", 20), ("soft", 1024, 30), ("soft", 8192, 40)):
            for n in (1 << 20, 1 << 24, 1 << 28):
                time = us * n / (1 << 20)
                row = {"step": "08_warp_toolbox", "variant": variant, "backend": "cuda", "device": "NVIDIA Toy", "n": n, "block": 256,
                       "grid": 7, "pattern": "uniform", "cache": "cold", "launch": "plain", "median_us": time, "min_us": time,
                       "p90_us": time, "runs": 9, "gbps": 8 * n / time / 1e3, "pct_roof": 75, **error(20, n)}
                out.write(",".join(str(row.get(name, "")) for name in HEADER) + f",{length},{8 * n}\n")


def write_levels(folder):
    """What experiments/levels.cu prints."""
    os.makedirs(folder + "/experiments")
    with open(folder + "/experiments/levels.csv", "w") as out:
        out.write("level,bytes,count,walked_bytes,read_bytes,ok,cycles,ns,gbps\n"
                  "registers,65536,77,,,,,,\nshared,131072,77,16384,16384,1,23.4,12,19000\n"
                  "l1,0,77,16384,65536,1,34.5,17,20100\nl2,31457280,1,16777216,16777216,1,234,120,6100\n"
                  "memory,21474836480,1,268435456,1073741824,1,678,350,3900\n")


def write_sweep(folder):
    """What ./step08 --demo prints: 1 µs to memory, a roof of 1260 GB/s on 77 SMs, so that the knee
    should lie at 16 KiB; half of the bandwidth there, all of it from twice as much on."""
    with open(folder + "/sweep.csv", "w") as out:
        out.write("question,threads,loads,blocks_per_sm,bytes_in_flight,bytes_per_block,us,gbps\n"
                  "latency,1,1,,16,,1.0,\n")
        for loads in (1, 2, 4, 8, 16):
            for threads in (64, 128, 256, 512, 1024):
                tile = 16 * loads * threads
                for blocks in (1, 2, 4, 8):
                    if blocks * threads <= 2048:
                        gbps = min(1200, 600 * blocks * tile / 16384) - loads
                        out.write(f"in_flight,{threads},{loads},{blocks},{blocks * tile},{tile},1,{gbps}\n")
                out.write(f"tile,{threads},{loads},1,{tile},{tile},1,{min(1260, tile)}\n")


COMPARE = "n,offset,cache,launch,rival,ours_us,rival_us,ratio,low,high,ci,rounds,ours_error,rival_error\n"


def compare_row(n, ratio, cache="cold", launch="graph", rival="cub", offset=0, errors=(0.25, 0.5), width=0.01):
    return (f"{n},{offset},{cache},{launch},{rival},{10 * ratio:.4f},10,{ratio:.4f},{ratio - width:.4f},{ratio + width:.4f},"
            f"{width},31,{errors[0]},{errors[1]}\n")


def write_compare(folder):
    """What make compare writes: the ratio grows from 0.5 to 1.1 with n."""
    with open(folder + "/compare.csv", "w") as out:
        out.write(COMPARE)
        for k in range(32):
            for launch in ("graph", "plain", "single"):
                for cache in ("cold", "warm"):
                    out.write(compare_row(1 << k, 0.5 + 0.6 * k / 31 + (0.01 if cache == "warm" else 0), cache, launch))
        out.write(compare_row(1000, 2.5))
        out.write(compare_row(1024, 0.1, offset=3))
        out.write(compare_row(1024, 0.2, rival="cub_newer"))


def write_softmax(folder):
    """What make softmax writes: a roof of 4000 GB/s; a warp reaches 95 % of it, a block more with
    each longer row, a cluster 90 %, PyTorch 80 %."""
    with open(folder + "/softmax.csv", "w") as out:
        out.write(",".join(HEADER + ["row", "bytes"]) + "\n")
        for n in (1 << 20, 1 << 28):
            for k in range(5, 15):
                percents = {"softmax_warp": 95 if k <= 11 else None, "softmax_warp_shared": 91 if k <= 11 else None,
                            "softmax_block": min(94, 10 * (k - 4)), "softmax_cluster": 90 if k >= 9 else None}
                for variant, percent in percents.items():
                    for launch, cache in (("plain", "cold"), ("graph", "warm")):
                        if percent is None or launch == "graph" and n > 1 << 20:
                            continue
                        gbps = 4000 * percent / 100 * (1 if launch == "plain" else 2)
                        row = {"step": "08_warp_toolbox", "variant": variant, "backend": "cuda", "device": "NVIDIA Toy", "n": n,
                               "block": 256, "grid": 1, "pattern": "uniform", "cache": cache, "launch": launch,
                               "median_us": 8 * n / gbps / 1e3, "gbps": gbps, "pct_roof": percent, "row": 1 << k, "bytes": 8 * n,
                               "runs": 9, **error(1, n)}
                        out.write(",".join(str(row.get(name, "")) for name in HEADER + ["row", "bytes"]) + "\n")
    with open(folder + "/softmax_torch.csv", "w") as out:
        out.write("row,n,median_us,min_us,p90_us,runs,gbps,torch,gpu\n")
        for n in (1 << 20, 1 << 28):
            for k in range(5, 15):
                us = 8 * n / 3200 / 1e3
                out.write(f"{1 << k},{n},{us},{us},{us},9,3200,2.11.0+toy,NVIDIA Toy\n")
    with open(folder + "/softmax.json", "w") as out:
        json.dump({"gpu": "NVIDIA Toy", "runtime": "13.0", "torch": "2.11.0+toy", "date": "2001-02-03T00:00:00Z", "commit": "abc1234"}, out)


def write_sim(folder):
    write(folder, {"backend": "sim", "gpu": "toy", "commit": "abc1234", "date": "2001"},
          [1 << 10, 1 << 16, 1 << 18],
          lambda step, variant, n: cpu_rows(variant, n) if variant in CPU
          else [] if step == "00_baselines" else sim_rows(variant, n))
