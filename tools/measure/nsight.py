#!/usr/bin/env -S python3 -B
"""tools/measure/nsight.py COMMAND FILE.csv...: our kernels under Nsight Compute (ncu), on a GPU.

    counters FILE.csv [PROGRAM...]
                     what the GPU's own counters say about every kernel: runs every variant of the steps and the toolbox, or
                     of these programs (step15), once for each of the SETTINGS below. A line for each launch.
                     make counters builds the programs and calls it; tests/test_counters.py compares the simulator with what it wrote
    passes FILE.csv  how long each launch of a sum takes where several make it. The variants called v0, v1 ... launch their
                     kernel again until one value is left, so the time that ./step01 prints is that of all. A line for each
                     launch: step, kernel (the variant's name), n, pass, grid, duration_us
    peak FILE.csv [exact]
                     how near to its limits the memory is under step 11's kernel, CUB's and a plain read: kernel, n, us of
                     the kernel, GB/s read from memory, percent of the peak that ncu knows, percent of the reads that the L2
                     cache answered, percent of the cycles with an instruction issued. exact: what the exact sum does
                     besides, and waits for, of numbers between -1 and 1 and of all exponents (_wide); further: instructions
                     of all warps; percent of the peak of the units for conversions (XU) and whole numbers; and of a warp
                     between two of its instructions, the cycles that it waits for device memory, for a fence; wavefronts of
                     loads and stores of shared memory

Each is a part of the folder that it writes to (results/README.md). COMMIT=... says which commit this is where there is no git.
ncu empties the caches before each kernel, and leaves the clocks alone.
Exit status: 0 all right, 1 a program or ncu failed, 2 usage, 77 no ncu or no GPU here."""
import csv
import os
import re
import shutil

import programs
from programs import Failed, has, rows_of, run, stop, table, typed

csv.field_size_limit(1 << 30)  # a long kernel's instructions, one by one, in a cell
HELPERS = ("spin_kernel", "read_kernel")  # of common/device.cu
OTHERS = ("step00", "step14")  # libraries; kernels that wait for other GPUs


def find_ncu():
    if not shutil.which("ncu"):
        stop(77, "ncu is missing: install NVIDIA Nsight Compute, on a machine with a GPU")


def all_programs(names=()):
    """The program of every step and topic, or of those named, in order, with what it says of its variants."""
    known = [name for _, name in programs.lessons()]
    for name in names:
        if name not in known:
            stop(2, f"no program {name}: they are called step01 ... and as the topics of the toolbox")
    for name in known:
        if name in names or not names and name not in OTHERS:
            try:
                yield f"build/cuda/{name}", programs.described(f"build/cuda/{name}")
            except Failed:
                stop(1, f"build/cuda/{name} --list failed: make BACKEND=cuda all")


def under_ncu(command, metrics, *options, helpers=HELPERS, statuses=(0,), refused=()):
    """A row of ncu's CSV for each launch of a kernel that is not one of the driver's own. The command may end with one of these
    statuses; with one of refused it asked for what it cannot do, and no kernel ran: None."""
    done = run(["ncu", "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base",
                *options, "--metrics", ",".join(metrics), *command])
    if done.returncode in refused:
        return None
    if done.returncode not in statuses:
        lines = (done.stdout + done.stderr).splitlines()
        why = [line for line in lines if "ERROR" in line] or lines[-1:] or ["no message"]
        stop(1, f"{command[0]} under ncu: exit status {done.returncode}: {why[0]}")
    lines = done.stdout.splitlines()
    begin = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if begin is None:
        stop(1, f"{command[0]} under ncu: no CSV came out of it")
    # the row without an ID holds the units
    return [row for row in rows_of("\n".join(lines[begin:])) if row["ID"] and kernel_name(row["Kernel Name"]) not in helpers]


def kernel_name(text):
    """'void v3<(int)8>(float *, unsigned long)' -> 'v3<8>', 'void two<(int)8, float>(float *)' -> 'two<8:float>'; of a library
    without its types: 'void cub::Scan<float *, 1>(T1, int)' -> 'cub::Scan'"""
    name = re.sub(r"\((int|unsigned int|bool)\)", "", text).removeprefix("void ").split("(")[0].replace(", ", ":")
    return name.split("<")[0] if "::" in name else name


def number(text, factor):
    """'24,320 (…)', 1 -> '24320'; what was not measured stays empty."""
    match = re.match(r"-?[\d,]*\.?\d+(e[-+]?\d+)?", text or "")
    return programs.figure(float(match.group().replace(",", "")) * factor) if match else ""


def cells(row, columns):
    """Of a row of ncu's. columns: name -> ncu's metric, and what to multiply it with."""
    return {column: number(row.get(metric), factor) for column, (metric, factor) in columns.items()}


def size(text):
    """'(256, 1, 1)' -> '256'; '(1,024, 1, 1)' -> '1024'"""
    return text.strip("()").split(", ")[0].replace(",", "")


def version():
    """Of ncu, a fact of machine.json."""
    found = re.search(r"Version ([\d.]+)", run(["ncu", "--version"]).stdout)
    return f"ncu={found[1] if found else 'unknown'}"


# ---- counters ----

# n, block. All blocks of step 07 are on the GPU at once, and the simulator has room for
# that many threads only with the last one.
SETTINGS = ((65536, 256), (100003, 256), (20000, 128))
WHOLE_TILES = SETTINGS[:1]  # for other questions than the sum: their tiles and rows divide no other n

# Column of FILE.csv: ncu's metric, and what to multiply it with.
# Wavefronts by what the instructions need: the counter of the pipe itself
# (l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld) has a few more in some runs, where
# the polls of step 07's grid.sync() get in the way.
COUNTERS = {
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
HEADER = ("step", "variant", "n", "block", "grid", "threads", "pass", "kernel") + tuple(COUNTERS) + tuple(OPCODE_COLUMNS)


def line_of(row, variant, n, block, launch):
    """A line of FILE.csv: the launch-th launch of a variant."""
    # '1,234 (BAR: 32; SHFL: 1,205)'
    opcodes = {name: int(count.replace(",", "")) for name, count in re.findall(r"([A-Z][A-Z0-9_.]*): ?([\d,]+)", row.get(OPCODES) or "")}
    return {"step": variant["step"], "variant": variant["variant"], "n": n, "block": block, "pass": launch,
            "kernel": kernel_name(row["Kernel Name"]), "grid": size(row["Grid Size"]), "threads": size(row["Block Size"]), **cells(row, COUNTERS),
            **{column: sum(opcodes.get(name, 0) for name in names) if opcodes else "" for column, names in OPCODE_COLUMNS.items()}}


def is_profiled(variant):
    """Kernels; the ladder's known wrong ones too, which are wrong sums. Others may never end."""
    return has(variant, "runs_here") and not has(variant, "on_cpu", "roof") and (variant["task"] == "sum" or not has(variant, "known_wrong"))


def lines_of(program, variant, n, block):
    """The lines of FILE.csv for one variant; none if it does not take such an n or block, or needs a newer GPU."""
    command = [program, "--check", "-v", variant["variant"], "-n", str(n), "-b", str(block)]
    rows = under_ncu(command, [metric for metric, _ in COUNTERS.values()] + [OPCODES], "--print-metric-instances", "details",
                     statuses=(0, 1) if has(variant, "known_wrong") else (0,), refused=(2, 77))
    if rows is None:
        return []
    if not rows:
        stop(1, f"{' '.join(command)} under ncu: no kernel ran")
    return [line_of(row, variant, n, block, launch) for launch, row in enumerate(rows, 1)]


def counters(*names):
    lines = []
    for program, variants in all_programs(names):
        for setting in SETTINGS:
            for variant in filter(is_profiled, variants):
                if variant["task"] == "sum" or setting in WHOLE_TILES:
                    lines += lines_of(program, variant, *setting)
        print(program, flush=True)
    return table(HEADER, lines)


# ---- passes ----

DURATION = "gpu__time_duration.sum"


def passes():
    lines = []
    for program, variants in all_programs():
        ladder = [variant for variant in variants if re.match("v[0-9]", variant["variant"]) and not has(variant, "known_wrong")]
        for n in ("1M", "16M", "256M"):
            for variant in ladder:
                launches = under_ncu([program, "--check", "-n", n, "-v", variant["variant"]], [DURATION])
                lines += [{"step": variant["step"][:2], "kernel": variant["variant"], "n": n, "pass": k, "grid": size(row["Grid Size"]),
                           "duration_us": number(row[DURATION], 1e-3)} for k, row in enumerate(launches, 1)]
    return table(("step", "kernel", "n", "pass", "grid", "duration_us"), lines)


# ---- the memory's peak ----

PEAK_SIZES = (1 << 25, 1 << 26, 1 << 28, 1 << 31)
PEAK_SIZES_OF_EXACT = (1 << 10, 1 << 14, 1 << 16, 1 << 20, 1 << 24, 1 << 28)
# Name in FILE.csv: program, variant, its kernel that reads the array, further options.
KERNELS = {"sum_f32": ("build/cuda/step11", "sum_f32", "many_blocks"),
           "cub": ("build/cuda/step00", "cub", "DeviceReduceKernel"),
           "read": ("build/cuda/step00", "read", "read_kernel")}
ANY = "one_block|one_cluster|many_blocks"
KERNELS_OF_EXACT = {"sum_f32": ("build/cuda/step11", "sum_f32", ANY),
                    "sum_f32_exact": ("build/cuda/step13", "sum_f32_exact", ANY),
                    "sum_f32_exact_wide": ("build/cuda/step13", "sum_f32_exact", ANY, "--pattern", "wide")}
# Column: ncu's metric, what to multiply it with, how it is written.
PEAK = {
    "us": ("gpu__time_duration.sum", 1e-3, ".2f"),
    "gbps": ("dram__bytes_read.sum.per_second", 1e-9, ".1f"),
    "pct_of_peak": ("dram__throughput.avg.pct_of_peak_sustained_elapsed", 1, ".2f"),
    "l2_hit_pct": ("lts__t_sector_op_read_hit_rate.pct", 1, ".2f"),
    "issue_pct": ("smsp__issue_active.avg.pct_of_peak_sustained_active", 1, ".2f"),
}
SHARED = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared"
STALL = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"
PEAK_OF_EXACT = {
    **PEAK,
    "inst": ("smsp__inst_executed.sum", 1, ".0f"),
    "xu_pct": ("sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active", 1, ".2f"),
    "alu_pct": ("sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active", 1, ".2f"),
    "wait_memory": (STALL.format("long_scoreboard"), 1, ".2f"),
    "wait_fence": (STALL.format("membar"), 1, ".2f"),
    "shared_loads": (SHARED + "_op_ld.sum", 1, ".0f"),
    "shared_stores": (SHARED + "_op_st.sum", 1, ".0f"),
}


def peak_of(kernels, metrics, name, n):
    program, variant, kernel, *options = kernels[name]
    rows = under_ncu([program, "-v", variant, "--check", "-n", str(n), *options], [metric for metric, _, _ in metrics.values()],
                     "--kernel-name", f"regex:{kernel}", "--launch-count", "1", helpers=())
    if len(rows) != 1:
        stop(1, f"{program} -v {variant} under ncu: no kernel {kernel} ran")
    return {"kernel": name, "n": n, **{column: format(float(rows[0][metric].replace(",", "")) * factor, form)
                                       for column, (metric, factor, form) in metrics.items()}}


def peak(*exact):
    kernels, sizes, metrics = (KERNELS_OF_EXACT, PEAK_SIZES_OF_EXACT, PEAK_OF_EXACT) if exact else (KERNELS, PEAK_SIZES, PEAK)
    lines = [peak_of(kernels, metrics, name, n) for n in sizes for name in kernels]
    return table(("kernel", "n", *metrics), lines)


COMMANDS = {"counters": counters, "passes": passes, "peak": peak}


def main(arguments):
    name, path, *rest = arguments + [""] * (2 - len(arguments))
    if name not in COMMANDS or not path.endswith(".csv") or rest and (name == "passes" or name == "peak" and rest != ["exact"]):
        stop(2, "usage: tools/measure/nsight.py counters FILE.csv [PROGRAM...], passes FILE.csv, or peak FILE.csv [exact]")
    find_ncu()
    folder, file = os.path.split(typed(path))
    part = programs.Part(folder, file[:-len(".csv")])
    part.write({file: COMMANDS[name](*rest)}, version())
    return 0


if __name__ == "__main__":
    programs.begin(main, __doc__)
