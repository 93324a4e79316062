"""Kernels under Nsight Compute (ncu), for the scripts beside it: a row for each launch, and what its cells mean;
where and when that was; files that are written whole or not at all."""
import csv
import glob
import io
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, ROOT + "/tools/pages")
import page_markdown  # noqa: E402
csv.field_size_limit(1 << 30)  # a long kernel's instructions, one by one, in a cell
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


def find_ncu():
    if not shutil.which("ncu"):
        stop(77, "ncu is missing: install NVIDIA Nsight Compute, on a machine with a GPU")


def programs(names=()):
    """The program of every step and topic, or of those named, in order, with what it says of its variants (--list --csv)."""
    left = set(names)
    for folder in map(os.path.dirname, sorted(glob.glob(ROOT + "/steps/*/lesson.c")) + sorted(glob.glob(ROOT + "/steps/toolbox/*/lesson.c"))):
        name = os.path.basename(folder)
        name = "step" + name[:2] if name[:2].isdigit() else name
        if names and name not in names:
            continue
        left.discard(name)
        program = "build/cuda/" + name
        done = run([program, "--list", "--csv", "-"])
        if done is None or done.returncode != 0:
            stop(1, f"{program} --list failed: make BACKEND=cuda all")
        variants = list(csv.DictReader(io.StringIO(done.stdout)))
        for variant in variants:
            variant.update({key: value == "1" for key, value in variant.items() if key in ("runs_here", "known_wrong", "on_cpu", "roof")})
        yield program, variants
    if left:
        stop(2, f"no program {min(left)}: they are called step01 ... and as the topics of the toolbox")


def under_ncu(command, metrics, *options, helpers=HELPERS, statuses=(0,)):
    """A row of ncu's CSV for each launch of a kernel that is not one of the driver's own. The command
    may end with one of these statuses."""
    done = run(["ncu", "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base",
                *options, "--metrics", ",".join(metrics), *command])
    if done is None or done.returncode not in statuses:
        lines = (done.stdout + done.stderr).splitlines() if done else ["it cannot be started"]
        why = [line for line in lines if "ERROR" in line] or lines[-1:] or ["no message"]
        stop(1, f"{command[0]} under ncu: exit status {done.returncode if done else '?'}: {why[0]}")
    lines = done.stdout.splitlines()
    begin = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if begin is None:
        stop(1, f"{command[0]} under ncu: no CSV came out of it")
    rows = csv.DictReader(io.StringIO("\n".join(lines[begin:])))
    # the row without an ID held the units
    return [row for row in rows if row["ID"] and kernel_name(row["Kernel Name"]) not in helpers]


def kernel_name(text):
    """'void v3<(int)8>(float *, unsigned long)' -> 'v3<8>', 'void two<(int)8, float>(float *)' -> 'two<8:float>'"""
    name = re.sub(r"\((int|unsigned int|bool)\)", "", text)
    return name.split("(")[0].replace(", ", ":").split(" ")[-1]


def number(text, factor):
    """'24,320 (…)', 1 -> '24320'; what was not measured stays empty."""
    match = re.match(r"-?[\d,]*\.?\d+(e[-+]?\d+)?", text or "")
    if not match:
        return ""
    value = float(match.group().replace(",", "")) * factor
    return f"{value:.0f}" if value == int(value) else f"{value:.6g}"


def size(text):
    """'(256, 1, 1)' -> '256'; '(1,024, 1, 1)' -> '1024'"""
    return text.strip("()").split(", ")[0].replace(",", "")


def provenance():
    """Where and when: what ./run_all.sh writes to machine.json, and ncu's version."""
    origin = run(["tools/provenance.sh"])
    version = run(["ncu", "--version"])
    ncu = re.search(r"Version ([\d.]+)", version.stdout if version else "")
    done = run(["build/cuda/machine", *origin.stdout.split("\n")[:-1], f"ncu={ncu[1] if ncu else 'unknown'}"])
    if done is None or done.returncode != 0:
        stop(1, "build/cuda/machine failed: make BACKEND=cuda all")
    return done.stdout


def table(columns, rows):
    """CSV text of rows, which are dictionaries."""
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def write(path, text):
    """Whole or not at all."""
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    try:
        page_markdown.write(path, text)
    except OSError as error:
        stop(1, f"cannot write {path}: {error.strerror}")
