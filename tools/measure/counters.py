#!/usr/bin/env python3
"""tools/measure/counters.py FILE.csv: what a GPU's own counters say about every kernel.

Runs every variant of steps 01 to 11 once under Nsight Compute (ncu), for each of the
SETTINGS below. Writes one line per launch to FILE.csv, and where and when this was to
FILE.json. `make counters` builds the programs and calls it; tests/counters.t compares
the simulator with what it wrote. COMMIT=... says which commit this is where there is
no git.

Exit status: 0 all right, 1 a program or ncu failed, 2 usage, 77 no ncu or no GPU here.
"""
import csv
import datetime
import glob
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# n, block. All blocks of step 07 are on the GPU at once, and the simulator has room for
# that many threads only with the last one.
SETTINGS = ((65536, 256), (100003, 256), (20000, 128))
WHOLE_TILES = SETTINGS[:1]  # the toolbox, whose tiles and rows divide no other n

# Column of FILE.csv: ncu's metric, and what to multiply it with.
# Wavefronts by what the instructions need: the counter of the pipe itself
# (l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld) has a few more in some runs, where
# the polls of step 07's grid.sync() get in the way.
METRICS = {
    "gld_requests": ("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 1),
    "gld_sectors": ("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 1),
    "gst_requests": ("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", 1),
    "gst_sectors": ("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 1),
    "shared_ld_wavefronts": ("smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 1),
    "shared_st_wavefronts": ("smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 1),
    "atomics": ("l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", 1),
    "reductions": ("l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", 1),
    "simt_efficiency": ("smsp__thread_inst_executed_per_inst_executed.ratio", 1 / 32),
    "pred_on_efficiency": ("smsp__thread_inst_executed_pred_on_per_inst_executed.ratio", 1 / 32),
    "inst_per_warp": ("smsp__average_inst_executed_per_warp.ratio", 1),
    "branches": ("smsp__sass_branch_targets.sum", 1),
    "divergent_branches": ("smsp__sass_branch_targets_threads_divergent.sum", 1),
    "branch_efficiency": ("smsp__sass_average_branch_targets_threads_uniform.pct", 1),
    "gld_gbps": ("l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum.per_second", 1e-9),
    "duration_us": ("gpu__time_duration.sum", 1e-3),
}
# Executed instructions of warps by opcode: which opcodes a column counts.
OPCODES = "sass__inst_executed_per_opcode"
OPCODE_COLUMNS = {"barriers": ("BAR",), "shuffles": ("SHFL",), "votes": ("VOTE", "VOTEU", "MATCH", "REDUX")}
HEADER = ("step", "variant", "n", "block", "grid", "threads", "pass", "kernel") + tuple(METRICS) + tuple(OPCODE_COLUMNS)
HELPERS = ("spin_kernel", "read_kernel")  # of common/device.cu


def stop(status, message):
    print(f"{os.path.basename(sys.argv[0])}: {message}", file=sys.stderr)
    sys.exit(status)


def run(command):
    """The finished command; None if it cannot be started."""
    try:
        return subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    except OSError:
        return None


def under_ncu(command, metrics, *options):
    """A row of ncu's CSV for each launch of a kernel that is not the driver's own."""
    done = run(["ncu", "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base",
                *options, "--metrics", ",".join(metrics), *command])
    if done is None or done.returncode != 0:
        lines = (done.stdout + done.stderr).splitlines() if done else ["it cannot be started"]
        why = [line for line in lines if "ERROR" in line] or lines[-1:] or ["no message"]
        stop(1, f"{command[0]} under ncu: exit status {done.returncode if done else '?'}: {why[0]}")
    lines = done.stdout.splitlines()
    begin = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if begin is None:
        stop(1, f"{command[0]} under ncu: no CSV came out of it")
    rows = csv.DictReader(io.StringIO("\n".join(lines[begin:])))
    # the row without an ID held the units
    return [row for row in rows if row["ID"] and kernel_name(row["Kernel Name"]) not in HELPERS]


def profile(program, n, block, *which):
    """The variants that ran, in order, and a row of ncu's CSV for each launch."""
    with tempfile.NamedTemporaryFile(suffix=".csv") as results:
        rows = under_ncu([program, "--check", *which, "-n", str(n), "-b", str(block), "--csv", results.name],
                         [metric for metric, _ in METRICS.values()] + [OPCODES], "--print-metric-instances", "details")
        with open(results.name) as file:
            return [row["variant"] for row in csv.DictReader(file)], rows


def kernel_name(text):
    """'void v3<(int)8>(float *, float *, unsigned long)' -> 'v3<8>'"""
    name = re.sub(r"\((int|unsigned int|bool)\)", "", text)
    return name.split("(")[0].split(" ")[-1]


def number(text, factor):
    """'24,320 (…)', 1 -> '24320'; what was not measured stays empty."""
    match = re.match(r"-?[\d,]*\.?\d+(e[-+]?\d+)?", text or "")
    if not match:
        return ""
    value = float(match.group().replace(",", "")) * factor
    return f"{value:.0f}" if value == int(value) else f"{value:.6g}"


def by_opcode(text):
    """'1,234 (BAR: 32; SHFL: 1,205)' -> {'BAR': 32, 'SHFL': 1205}"""
    pairs = re.findall(r"([A-Z][A-Z0-9_.]*): ?([\d,]+)", text or "")
    return {name: int(count.replace(",", "")) for name, count in pairs}


def size(text):
    """'(256, 1, 1)' -> '256'"""
    return text.strip("()").split(", ")[0].replace(",", "")


def line_of(row, step, variant, n, block, launch):
    """A line of FILE.csv: the launch-th launch of a variant."""
    line = {"step": step, "variant": variant, "n": n, "block": block, "pass": launch,
            "kernel": kernel_name(row["Kernel Name"]),
            "grid": size(row["Grid Size"]), "threads": size(row["Block Size"])}
    for column, (metric, factor) in METRICS.items():
        line[column] = number(row.get(metric), factor)
    opcodes = by_opcode(row.get(OPCODES))
    for column, names in OPCODE_COLUMNS.items():
        line[column] = sum(opcodes.get(name, 0) for name in names) if opcodes else ""
    return line


def lines_of(step, n, block):
    """The lines of FILE.csv for one step whose variants have a kernel each, so that one run tells them apart."""
    variants, rows = profile(f"build/cuda/step{step[:2]}", n, block, "--specimens")
    kernel, count, at = None, 0, -1
    for row in rows:
        name = kernel_name(row["Kernel Name"])
        at, count = (at, count + 1) if name == kernel else (at + 1, 1)
        kernel = name
        if at == len(variants):
            stop(1, f"{step}: more kernels than variants: {kernel}")
        yield line_of(row, step, variants[at], n, block, count)
    if at != len(variants) - 1:
        stop(1, f"{step}: {len(variants)} variants, but {at + 1} kernels")


def cannot_run(program, variant, n, block):
    """Whether this GPU cannot run the variant, or it does not take such an n or block."""
    done = run([program, "--check", "-v", variant, "-n", str(n), "-b", str(block)])
    return done is None or done.returncode in (2, 77)


def lines_by_variant(step, n, block):
    """The same where variants share a kernel, or have several: a run for each."""
    program = f"build/cuda/step{step[:2]}"
    done = run([program, "--list"])
    for variant, what in re.findall(r"^([a-z]\w*) .*\n(.*)", done.stdout if done else "", re.MULTILINE):
        if "specimen" in what or cannot_run(program, variant, n, block):
            continue
        _, rows = profile(program, n, block, "-v", variant)
        for launch, row in enumerate(rows, 1):
            yield line_of(row, step, variant, n, block, launch)


def provenance():
    """Where and when: what ./run_all.sh writes to machine.json, and ncu's version."""
    def first(command, pattern):
        done = run(command)
        match = re.search(pattern, done.stdout) if done else None
        return match.group(1).strip() if match else "unknown"
    commit = os.environ.get("COMMIT") or first(["git", "rev-parse", "--short", "HEAD"], "(.+)")
    driver = first(["nvidia-smi", "-i", "0", "--query-gpu=driver_version", "--format=csv,noheader"], "(.+)")
    date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    ncu = first(["ncu", "--version"], r"Version ([\d.]+)")
    done = run(["build/cuda/machine", f"commit={commit}", f"date={date}", f"nvidia_driver={driver}", f"ncu={ncu}"])
    if done is None or done.returncode != 0:
        stop(1, "build/cuda/machine failed: make BACKEND=cuda all")
    return done.stdout


def write(path, text):
    """Whole or not at all."""
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path + ".tmp", "w") as file:
        file.write(text)
    os.replace(path + ".tmp", path)


def main(arguments):
    if len(arguments) != 1 or not arguments[0].endswith(".csv"):
        stop(2, "usage: tools/measure/counters.py FILE.csv")
    if not shutil.which("ncu"):
        stop(77, "ncu is missing: install NVIDIA Nsight Compute, on a machine with a GPU")
    out = io.StringIO()
    table = csv.DictWriter(out, HEADER, lineterminator="\n")
    table.writeheader()
    for folder in sorted(glob.glob(ROOT + "/steps/[0-9]*_*")):
        step = os.path.basename(folder)
        if step.startswith("00"):
            continue  # the libraries' own kernels
        for n, block in WHOLE_TILES if step.startswith("08") else SETTINGS:
            table.writerows((lines_of if step < "08" else lines_by_variant)(step, n, block))
        print(step)
    write(arguments[0], out.getvalue())
    write(arguments[0][:-len("csv")] + "json", provenance())


if __name__ == "__main__":
    main(sys.argv[1:])
