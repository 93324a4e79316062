#!/usr/bin/env python3
"""tools/measure/check.py finds what is wrong with a folder of results, and nothing in those of this
repository; tools/measure/new.sh (make results) measures, asks for counters, checks, and says what next."""
import csv
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import synthetic
import tap
from tap import ok

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# What the recorded folder has and the made-up one does not: the later steps.
for path in sorted(glob.glob(ROOT + "/results/h200/[0-9]*.csv")):
    step = os.path.basename(path)[:-len(".csv")]
    with open(path, newline="") as file:
        synthetic.GPU.setdefault(step, {row["variant"] + (f"@{row['row']}" if row.get("row") else ""): (5, 700)
                                        for row in csv.DictReader(file)})


def check(folder):
    return subprocess.run([sys.executable, ROOT + "/tools/measure/check.py", folder], capture_output=True, text=True)


def edit(path, change):
    with open(path) as file:
        text = file.read()
    changed = change(text)
    assert changed != text, f"{path}: nothing was planted"
    with open(path, "w") as file:
        file.write(changed)


def planted(what, name, change, *messages):
    """A copy of the good folder with one fault: these lines, and no others."""
    with tempfile.TemporaryDirectory() as copy:
        folder = shutil.copytree(good, copy + "/gpu")
        if change is None:
            os.remove(f"{folder}/{name}")
        else:
            edit(f"{folder}/{name}", change)
        result = check(folder)
        said = result.stderr.splitlines()
        ok(result.returncode == 1 and len(said) == len(messages) and all(m in line for m, line in zip(messages, said)),
           what, f"wanted {messages}\n{result}")


def machine(**changes):
    return lambda text: json.dumps({**json.loads(text), **changes})


def line_of(variant, n, old, new):
    """Changes the cold line of a variant at n."""
    return lambda text: "\n".join(re.sub(old, new, line) if re.match(rf"[^,]+,{variant},[^,]*,[^,]*,{n},", line) and "cold" in line
                                  else line for line in text.split("\n"))


def write_counters(folder, gpu, steps):
    with open(folder + "/counters.json", "w") as file:
        json.dump({"gpu": gpu}, file)
    with open(folder + "/counters.csv", "w") as file:
        file.write("step\n" + "".join(f"{step}\n" for step in synthetic.GPU if int(step[:2]) in steps))


with tempfile.TemporaryDirectory() as work:
    good = work + "/gpu"
    synthetic.write_gpu(good, compute_capability="9.9", cpu="Toy CPU", host_compiler="gcc 1", kernel_compiler="nvcc 1", processes=15)
    result = check(good)
    ok(result.returncode == 0 and result.stderr == "" and "whole and consistent" in result.stdout, "a good folder", result)
    for name in ("h200", "sim"):
        result = check(f"{ROOT}/results/{name}")
        ok(result.returncode == 0, f"results/{name} is whole and consistent", result.stderr)

    m = "machine.json"
    planted("no machine.json", m, None, "machine.json cannot be read")
    planted("half of a machine.json", m, lambda text: text[:40], "machine.json cannot be read")
    planted("no driver", m, machine(nvidia_driver=None), "machine.json does not tell nvidia_driver")
    planted("no commit", m, machine(commit="unknown"), "machine.json does not tell commit")
    planted("changes that nobody has", m, machine(commit="abc1234+changes"), "commit abc1234+changes: measured with changes")
    planted("a date like none", m, machine(date="yesterday"), "date is yesterday")
    planted("another backend", m, machine(backend="abacus"), "backend is abacus")
    step = "05_warp_shuffle.csv"
    planted("a step is missing", step, None, f"{step} is missing: ./run_all.sh writes it")
    planted("a cut-off file", step, lambda text: text[:-40], f"{step}: line ")
    planted("a variant is missing", step, lambda text: re.sub(r".*,atomic_per_warp,.*\n", "", text), "no variant atomic_per_warp")
    planted("a size is missing", step, lambda text: re.sub(r".*,block_reduce,[^,]*,[^,]*,16777216,.*\n", "", text),
            "block_reduce was not timed at n = 16M")
    at = "block_reduce", 1 << 24
    planted("a wrong sum", step, line_of(*at, ",1,(,*)$", r",0,\1"), "block_reduce at n = 16M: the sum is wrong")
    planted("a sum that nobody checked", step, line_of(*at, ",1,(,*)$", r",,\1"), "block_reduce at n = 16M: the sum was not checked")
    planted("times out of order", step, line_of(*at, r"(plain,[^,]*,)[^,]*,", r"\g<1>1e9,"), "not in order")
    planted("a bandwidth that is not the time's", step, line_of(*at, r"(,9,)[\d.]+,", r"\g<1>1234,"), "1234.0 GB/s, but ")
    planted("another GPU", step, line_of(*at, "NVIDIA Toy", "NVIDIA Other"), "measured on NVIDIA Other, but machine.json is of NVIDIA Toy")
    planted("faster than the memory", m, machine(theoretical_gbps=3900), *["more than the memory delivers (3900)"] * 5)
    planted("all of it faster", m, machine(theoretical_gbps=1), *["more than the memory delivers"] * 20, " more")
    planted("a specimen", step, lambda text: text + text.split("\n")[1].replace("atomic_per_warp", "cooperative_source") + "\n",
            "cooperative_source at n = 1K: a specimen")
    write_counters(good, "NVIDIA Toy", range(1, 8))
    ok(check(good).returncode == 0, "with counters")
    planted("counters of another GPU", "counters.json", lambda text: text.replace("Toy", "Other"), "counters.json is of NVIDIA Other")
    planted("counters without their origin", "counters.json", None, "counters.csv: ")
    planted("counters of a step are missing", "counters.csv", lambda text: text.replace("06_two_pass\n", ""), "nothing of 06_two_pass")
    sim = work + "/sim"
    synthetic.write_sim(sim)
    edit(sim + "/machine.json", machine(compute_capability="9.0", sm_count=4, host_compiler="gcc 1", kernel_compiler="g++ 1",
                                        date="2001-02-03T04:05:06Z"))
    result = check(sim)
    ok(result.returncode == 1 and re.findall("no variant (.*)", result.stderr) == ["copy", "read"], "the simulator's, all but two variants", result)
    edit(f"{sim}/{step}", lambda text: re.sub(r"(block_reduce,sim,toy,65536,.*uniform,,),", r"\1,12", text))
    ok("block_reduce at n = 64K: a time on the simulator" in check(sim).stderr, "a time on the simulator", check(sim).stderr)
    # What an older GPU cannot run may be missing: in a copy of this repository's, its step 07 named 11.
    with tempfile.TemporaryDirectory() as copy:
        for name in ("tools/measure/check.py", "tools/pages/notes.py"):
            os.makedirs(os.path.dirname(f"{copy}/{name}"))
            shutil.copy(f"{ROOT}/{name}", f"{copy}/{name}")
        for folder in (copy + "/results/h200", copy + "/old"):
            shutil.copytree(good, folder)
            os.rename(folder + "/07_cooperative.csv", folder + "/10_clusters.csv")
        os.remove(copy + "/old/10_clusters.csv")
        there = lambda: subprocess.run([sys.executable, copy + "/tools/measure/check.py", copy + "/old"], capture_output=True, text=True)
        edit(copy + "/old/machine.json", machine(compute_capability="8.6"))
        ok(there().returncode == 0, "a step that this GPU cannot run", there())
        edit(copy + "/old/machine.json", machine(compute_capability="10.0"))
        ok("10_clusters.csv is missing" in there().stderr, "a step that it can", there())
        # The toolbox: answers of any length, on rows, and variants that an older GPU lacks.
        shutil.copy(copy + "/results/h200/10_clusters.csv", copy + "/old/")
        for folder in (copy + "/results/h200", copy + "/old"):
            synthetic.write_toolbox(folder)
            edit(folder + "/08_warp_toolbox.csv", lambda text: text.replace(",vote_shared,", ",softmax_cluster,"))
        ok(there().returncode == 0, "the bytes of an answer, rows of two lengths", there())
        tools = copy + "/old/08_warp_toolbox.csv"
        edit(tools, lambda text: re.sub(r".*,softmax_cluster,.*\n", "", text))
        ok(there().stderr.count("\n") == 1 and "no variant softmax_cluster" in there().stderr, "a variant that this GPU could run", there())
        edit(copy + "/old/machine.json", machine(compute_capability="8.9"))
        ok(there().returncode == 0, "a variant that this GPU cannot run", there())
        edit(tools, lambda text: re.sub(r"(,vote,.*,268435456,.*),2147483648\n", r"\1,1073741824\n", text))
        ok("vote at n = 256M: 838.8608 GB/s, but 2560.0 µs make 419.4" in there().stderr, "other bytes than the bandwidth has", there())
        edit(tools, lambda text: re.sub(r".*,soft,.*,8192,.*\n", "", text))
        ok("no variant soft@8K" in there().stderr and "soft@1K" not in there().stderr, "rows of one length are missing", there())
    ok(check(work + "/nowhere").returncode == 2, "no such folder: status 2")

# ---- tools/measure/new.sh, with a run_all.sh, a make and an ncu that only pretend ----

with tempfile.TemporaryDirectory() as work:
    for name in ("results", "plots", "bin"):
        os.makedirs(f"{work}/{name}")
    for name in ("tools/measure/new.sh", "tools/measure/check.py", "tools/pages/notes.py"):
        shutil.copy(f"{ROOT}/{name}", f"{work}/{name}")
    shutil.copytree(ROOT + "/results/h200", work + "/results/h200")

    def script(name, text):
        with open(f"{work}/{name}", "w") as file:
            file.write("#!/bin/sh\n" + text)
        os.chmod(f"{work}/{name}", 0o755)

    def new():
        return subprocess.run([work + "/tools/measure/new.sh"], capture_output=True, text=True,
                              env={"PATH": f"{work}/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8"})
    script("bin/python3", f'exec {sys.executable} "$@"\n')
    script("run_all.sh", "echo 'run_all.sh: no GPU' >&2; exit 77\n")
    result = new()
    ok(result.returncode == 77 and result.stderr == "run_all.sh: no GPU\n" and "next" not in result.stdout, "no GPU: status 77", result)
    script("run_all.sh", 'echo "ran $*"; echo; echo "Results, every size: results/toy/*.csv and machine.json"\n')
    synthetic.write_gpu(work + "/results/toy", compute_capability="9.9", cpu="Toy CPU", host_compiler="gcc 1",
                        kernel_compiler="nvcc 1", processes=15)
    result = new()
    ok(result.returncode == 0 and "ran --gpu\n" in result.stdout and "results/toy: whole and consistent" in result.stdout,
       "measured and checked", result)
    ok("ncu (Nsight Compute) is missing" in result.stdout, "without ncu it says so", result)
    ok("git add results/toy plots/toy\n" in result.stdout and '"Results: NVIDIA Toy"' in result.stdout, "what to do next", result)
    script("bin/ncu", "exit 0\n")
    script("bin/make", 'echo "make $*"\n')
    ok("make -s counters COUNTERS=results/toy/counters.csv\n" in new().stdout, "with ncu, the counters too")
    script("bin/make", "exit 1\n")
    result = new()
    ok(result.returncode == 0 and "No counters.csv: the rest is whole" in result.stdout, "ncu that is not allowed", result)
    os.remove(work + "/results/toy/03_unrolled.csv")
    result = new()
    ok(result.returncode == 1 and "03_unrolled.csv is missing" in result.stderr and "next" not in result.stdout, "a folder that is not whole", result)

tap.done()
