#!/usr/bin/env python3
"""profile.py [--raw FOLDER] OUT.csv: what the GPU's own counters say about every kernel.

Runs every variant of steps 01 to 07 once under Nsight Compute (ncu), for each of the
SETTINGS below, and writes one line per launch to OUT.csv, and where and when this was
to OUT.json. `make counters` builds the programs and calls it; tests/counters.t compares
the simulator with what it wrote. --raw keeps what ncu printed.

Exit status: 0 all right, 1 a program or ncu failed, 2 usage, 77 no ncu or no GPU here.
"""
import csv
import datetime
import glob
import io
import json
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SETTINGS = ((65536, 256), (100003, 256), (20000, 128))  # n, block

# Kernels whose variant has another name; the helpers of the driver are in no variant.
VARIANT_OF = {"v3<2>": "v3x2", "v3<4>": "v3x4", "v3<8>": "v3x8", "v5<128>": "v5", "v5<256>": "v5",
              "sum_blocks": "two_pass"}
OURS = r"regex:^(v[0-6].*|atomic_per_.*|block_reduce|sum_blocks|cooperative.*)$"

# Column of OUT.csv: metric of ncu, factor.
METRICS = {
    "gld_requests": ("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 1),
    "gld_sectors": ("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 1),
    "gst_requests": ("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", 1),
    "gst_sectors": ("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 1),
    "shared_ld_wavefronts": ("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 1),
    "shared_st_wavefronts": ("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 1),
    "shared_ld_requests": ("smsp__inst_executed_op_shared_ld.sum", 1),
    "shared_st_requests": ("smsp__inst_executed_op_shared_st.sum", 1),
    "atomics": ("l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", 1),
    "reductions": ("l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", 1),
    "simt_efficiency": ("smsp__thread_inst_executed_per_inst_executed.ratio", 1 / 32),
    "pred_on_efficiency": ("smsp__thread_inst_executed_pred_on_per_inst_executed.ratio", 1 / 32),
    "inst_executed": ("smsp__inst_executed.sum", 1),
    "inst_per_warp": ("smsp__average_inst_executed_per_warp.ratio", 1),
    "branches": ("smsp__sass_branch_targets.sum", 1),
    "divergent_branches": ("smsp__sass_branch_targets_threads_divergent.sum", 1),
    "branch_efficiency": ("smsp__sass_average_branch_targets_threads_uniform.pct", 1),
    "gld_gbps": ("l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum.per_second", 1e-9),
    "duration_us": ("gpu__time_duration.sum", 1e-3),
}
# Executed warp instructions by opcode: what each opcode is counted as.
OPCODES = "sass__inst_executed_per_opcode"
OPCODE_COLUMNS = {"barriers": ("BAR",), "shuffles": ("SHFL",), "votes": ("VOTE", "VOTEU", "MATCH"),
                  "warp_syncs": ("WARPSYNC",)}
HEADER = ("step", "variant", "n", "block", "grid", "pass", "kernel") + tuple(METRICS) + tuple(OPCODE_COLUMNS)


def stop(status, message):
    print("profile.py: " + message, file=sys.stderr)
    sys.exit(status)


def output_of(command):
    """What a command prints, or None if it cannot be run or fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None


def available_metrics():
    text = output_of(["ncu", "--query-metrics"])
    if text is None:
        stop(77, "ncu --query-metrics failed: a GPU and Nsight Compute are needed")
    return {line.split()[0] for line in text.splitlines() if re.match(r"[a-z]\w+__\w+\s", line)}


def profile(program, n, block, metrics):
    """What ncu printed about one program: CSV, after lines that begin with ==."""
    command = ["ncu", "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base",
               "--print-metric-instances", "details", "--kernel-name", OURS, "--metrics", ",".join(metrics),
               program, "--check", "--specimens", "-n", str(n), "-b", str(block)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    # Status 1 is the wrong sum of nobody: specimens are not judged. Anything else is an error.
    if done.returncode != 0:
        why = [line for line in (done.stdout + done.stderr).splitlines() if "ERROR" in line or "cannot" in line]
        stop(1, f"{program} under ncu failed: {why[0] if why else 'exit status %d' % done.returncode}")
    return done.stdout


def number(text):
    """'24,320' or '24320.5 (…)' -> a float; None where nothing was measured."""
    match = re.match(r"-?[\d,]*\.?\d+(e[-+]?\d+)?", text)
    return float(match.group().replace(",", "")) if match else None


def opcode_counts(text):
    """'1,234 (BAR: 32; SHFL: 5)' -> {'BAR': 32, 'SHFL': 5}"""
    return {name: float(count.replace(",", "")) for name, count in re.findall(r"([A-Z][A-Z0-9_.]*): ?([\d,]+)", text)}


def kernel_name(text):
    """'void v3<(int)8>(float *, float *, unsigned long)' -> 'v3<8>'"""
    name = re.sub(r"\((?:int|unsigned int|unsigned)\)", "", text)
    name = re.sub(r"\(.*", "", name)
    return re.sub(r"(\d)u\b", r"\1", name.split(" ")[-1])


def launches(text):
    """The rows of the CSV in what ncu printed; the first of them holds the units."""
    lines = text.splitlines()
    begin = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if begin is None:
        stop(1, "ncu printed no CSV: " + (lines[-1] if lines else "nothing at all"))
    rows = list(csv.DictReader(io.StringIO("\n".join(lines[begin:]))))
    return [row for row in rows if row["ID"].strip()]


def results(step, n, block, text):
    """The lines of OUT.csv."""
    passes = {}
    for launch in launches(text):
        kernel = kernel_name(launch["Kernel Name"])
        passes[kernel] = passes.get(kernel, 0) + 1
        grid = int(re.findall(r"\d+", launch["Grid Size"])[0])
        row = dict(step=step, variant=VARIANT_OF.get(kernel, kernel), n=n, block=block, grid=grid, kernel=kernel)
        row["pass"] = passes[kernel]
        for column, (metric, factor) in METRICS.items():
            value = number(launch.get(metric, ""))
            row[column] = "" if value is None else f"{value * factor:.6g}" if factor != 1 or value != int(value) \
                else f"{value:.0f}"
        opcodes = opcode_counts(launch.get(OPCODES, ""))
        for column, names in OPCODE_COLUMNS.items():
            row[column] = f"{sum(opcodes.get(name, 0) for name in names):.0f}" if opcodes else ""
        yield row


def provenance():
    """Where and when: the GPU, the versions, the commit."""
    def first(command, pattern):
        match = re.search(pattern, output_of(command) or "")
        return match.group(1).strip() if match else "unknown"
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    smi = ["nvidia-smi", "--format=csv,noheader", "-i", "0"]
    return {"gpu": first(smi + ["--query-gpu=name"], "(.+)"),
            "driver": first(smi + ["--query-gpu=driver_version"], "(.+)"),
            "nvcc": first([nvcc, "--version"], r"V([\d.]+)"),
            "ncu": first(["ncu", "--version"], r"Version ([\d.]+)"),
            "commit": first(["git", "rev-parse", "--short", "HEAD"], "(.+)"),
            "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")}


def write(path, text):
    """Whole or not at all."""
    with open(path + ".tmp", "w") as file:
        file.write(text)
    os.replace(path + ".tmp", path)


def main(arguments):
    raw = None
    if len(arguments) == 3 and arguments[0] == "--raw":
        raw, arguments = arguments[1], arguments[2:]
    if len(arguments) != 1 or not arguments[0].endswith(".csv"):
        stop(2, "usage: tests/profile.py [--raw FOLDER] OUT.csv")
    if not shutil.which("ncu"):
        stop(77, "no ncu here: install NVIDIA Nsight Compute (it comes with the CUDA toolkit)")
    have = available_metrics()
    wanted = [metric for metric, _ in METRICS.values() if metric.split(".")[0] in have]
    wanted += [OPCODES]  # of instruction-level metrics, not listed by every version
    missing = [column for column, (metric, _) in METRICS.items() if metric.split(".")[0] not in have]
    if missing:
        print("profile.py: this GPU has no metric for " + ", ".join(missing), file=sys.stderr)
    rows = []
    for folder in sorted(glob.glob(ROOT + "/steps/0[1-7]_*")):
        step = os.path.basename(folder)
        for n, block in SETTINGS:
            text = profile(f"build/cuda/step{step[:2]}", n, block, wanted)
            if raw:
                os.makedirs(raw, exist_ok=True)
                write(f"{raw}/{step}-{n}-{block}.txt", text)
            rows += results(step, n, block, text)
        print(f"{step}: {len(rows)} launches so far")
    out = io.StringIO()
    table = csv.DictWriter(out, HEADER, lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    write(arguments[0], out.getvalue())
    write(arguments[0][:-4] + ".json", json.dumps(provenance(), indent=2) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
