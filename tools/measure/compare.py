#!/usr/bin/env -S python3 -B
"""tools/measure/compare.py SUBJECT FOLDER [--quick]: ours against its rivals on this GPU; make compare, compare-types,
compare-exact, compare-gpus, compare-rows, compare-row-types and compare-softmax call it. Writes to FOLDER, whole or not at all:
  floats    compare.csv; tune.csv and sweep.csv, from which the limits of sum_f32_plan.c and step 08 come
  types     types.csv; types_torch.csv if there is PyTorch
  exact     exact.csv
  gpus      many_gpus.csv (on 1, 2, 4 and 8 GPUs, if there are so many), runs.csv (step 14 on all, by 3 processes),
            machine.json, variants.csv, topology.txt (nvidia-smi's); makes the folder, which is of several GPUs alone
  rows      rows.csv, segments.csv; tune_rows.csv, from which the limits of reduce_plan.c come;
            rows_torch.csv if there is PyTorch, whose torch.compile takes minutes
  row_types row_types.csv, segment_types.csv: the same of half and bfloat16;
            row_types_torch.csv if there is PyTorch
  softmax   softmax.csv; softmax_torch.csv if there is PyTorch
Each is a part of FOLDER (results/README.md). CCCL=FOLDER has the headers of a newer CCCL, PYTHON=... is a python3 that has PyTorch.
--quick: fewer sizes; not for softmax.
Exit status: 0, 1 if a sum is wrong or slower than CUB's somewhere, 2 usage, 77 no GPU here (of gpus: no two that reach
each other's memory; of softmax: no PyTorch either: then ours alone is written)."""
import os
import re
import subprocess
import sys
import tempfile

import programs
import schema
from programs import read, rows_of, run, shown, stop, typed

BUILT = "build/cuda"
LIBRARY = f"{BUILT}/libsum_f32.so"
# Subject: programs, name of its files, what ./compare times for it, whether PyTorch is a rival.
SUBJECTS = {"floats": (["compare", "step08"], "compare", ["tune", "floats"], False), "types": (["compare", "libsum_f32.so"], "types", ["types"], True),
            "exact": (["compare"], "exact", ["exact"], False), "rows": (["compare", "libsum_f32.so"], "rows", ["tune_rows", "rows", "segments"], True),
            "row_types": (["compare", "libsum_f32.so"], "row_types", ["row_types", "segment_types"], True),
            "gpus": (["compare", "step14"], "many_gpus", [], False), "softmax": (["softmax"], "softmax", [], True)}
USAGE = f"usage: tools/measure/compare.py {'|'.join(SUBJECTS)} FOLDER [--quick], a folder such as results/mine"


# Of each file, what no page, picture or test uses: columns; and of which rows that is not so.
STEPS, SHOWN = (1 << 10, 1 << 16, 1 << 20, 1 << 24, 1 << 28, 1 << 31), (1 << 22, 1 << 26, 1 << 28)


def is_power(n):
    return n & (n - 1) == 0


def in_graph(row):
    return (row["cache"], row["launch"]) == ("cold", "graph")


def is_shown(*sizes):
    """Our own time stands in a rival's row, too; those of a plain read and copy at the sizes of the pages alone (n may lie a little below)."""
    return lambda row: row["rival"] not in ("read", "copy") or 1 << (int(row["n"]) - 1).bit_length() in sizes[row["rival"] == "copy" and len(sizes) - 1:]


KEPT = {
    "compare": ("ci rounds ours_error rival_error", lambda row: int(row["n"]) in STEPS if row["rival"] != "cub" else
                row["launch"] != "single" or row["offset"] == "0" and is_power(int(row["n"]))),
    "types": ("ci rounds low high ours_error rival_error", lambda row: row["rival"] != "cub_own_type" and
              (int(row["n"]) == 1 << 28 if row["rival"] == "read" else in_graph(row) or int(row["n"]) in (1, 2, 256, 1 << 22))),
    "exact": ("ci rounds low high", lambda row: in_graph(row) or row["rival"] == "sum_f32"),
    "many_gpus": ("way low high above_low above_high rounds", lambda row: row["launch"] == "graphs" or int(row["n"]) in (1, 2, 1 << 10, 1 << 20)),
    "rows": ("ci rounds low high cache launch element", is_shown(1 << 22, 1 << 28)), "row_types": ("ci rounds low high cache launch", is_shown(1 << 22, 1 << 28)),
    "segments": ("ci rounds low high cache launch", is_shown(*SHOWN)), "segment_types": ("ci rounds low high cache launch", is_shown(*SHOWN)),
    "tune_rows": ("cache", lambda row: True)}


def kept(name, text):
    """A file without those. Of CUB's ways to reduce rows, and of plans that were tried, the fastest for each shape; and the chosen plan."""
    columns, is_kept = KEPT.get(name.replace("_torch", ""), ("", None))
    rows, fastest = rows_of(text), {}
    if not is_kept or not rows or not {"rival", "us"} & set(rows[0]):
        return text

    def is_one_of_many(row):
        return "us" in row or name in ("rows", "row_types", "segments", "segment_types") and row["rival"].startswith("cub")

    def time(row):
        return float(row.get("us") or row["rival_us"])

    def shape(row):
        return tuple(row.get(key) for key in ("element", "operator", "of", "columns", "segments", "n"))
    for row in sorted(filter(is_one_of_many, rows), key=time):
        fastest.setdefault(shape(row), row)
    return programs.table([column for column in rows[0] if column not in (*columns.split(), "torch")], [
        row for row in rows if (row.get("chosen") == "1" or fastest[shape(row)] is row if is_one_of_many(row) else is_kept(row))])


def defined(header, name):
    """The numbers that a header defines, if there is one."""
    try:
        with open(header) as file:
            return re.findall(rf"^#define {name} (\d+)", file.read(), re.M)
    except OSError:
        return []


def part_name(subject):
    """In parts.csv; softmax is a topic's, too."""
    return f"compare_{subject}"


class Comparison:
    def __init__(self, subject, folder, quick, work):
        self.subject, self.folder, self.quick, self.work, self.status = subject, folder, quick, work, 0
        self.names, self.name, self.timed, self.has_torch = SUBJECTS[subject]
        self.torch = None

    def compare(self, subject, *asked):
        """The text of its CSV. A sum that is wrong or slower is noted, and the rest is measured all the same."""
        to = f"{self.work}/{subject}{''.join(asked)}.csv"
        ended = shown([f"{BUILT}/compare", subject, *asked, *self.quick, "--csv", to], may_be=(0,) if subject.startswith("tune") else (0, 1)).returncode
        if not (os.path.exists(to) and os.path.getsize(to)):
            sys.exit(ended)
        self.status = self.status or ended
        return read(to)

    def time_torch(self, kind, *arguments):
        """PyTorch's times, or none; whether there are some."""
        name, ended = self.name + "_torch.csv", 77
        to = f"{self.work}/{name}"
        if self.there_is_torch:
            ended = shown([os.environ.get("PYTHON") or "python3", "-B", "tools/measure/with_torch.py", kind, to, *arguments], may_be=(0, 77)).returncode
        if os.path.exists(to):
            self.files[name] = read(to)
            self.torch = self.files[name].splitlines()[1].split(",")[-1]
            self.about.append(f"torch={self.torch}")
        return ended == 0

    # ---- of a subject what ./compare does not time ----

    def floats(self):
        self.files["sweep.csv"] = shown([f"{BUILT}/step08", "--demo"], to=subprocess.PIPE).stdout

    def exact(self):
        pass

    def types(self):
        self.time_torch("sums", LIBRARY, ",".join(str(1 << k) for k in range(0, 31, 4 if self.quick else 2)))

    def rows(self):
        self.torch_rows("8,128,4096" if self.quick else "3,8,32,128,1000,4096,50257,1048576")

    def row_types(self):
        self.torch_rows("128,4096" if self.quick else "32,128,1000,4096,50257", "half,bfloat16")

    def torch_rows(self, columns, *elements):
        self.time_torch("rows", LIBRARY, f"{1 << 22}" if self.quick else f"{1 << 22},{1 << 28}", columns, *elements)

    def softmax(self):
        rows, sizes = ",".join(str(32 << k) for k in range(10)), ",".join(str(k << 20) for k in (1, 16, 256))
        shown([f"{BUILT}/softmax", "-n", sizes, "--row", rows, "--csv", f"{self.work}/softmax.csv"])
        self.files["softmax.csv"] = programs.runs(programs.read_run(f"{self.work}/softmax.csv"))
        if not self.time_torch("softmax", rows, sizes):
            self.status = 77

    def gpus(self):
        lines = programs.joined(self.compare("gpus", "--gpus", str(k)) for k in (1, 2, 4, 8) if k <= self.count)
        links, topology = (run(["nvidia-smi", *asked]).stdout for asked in (("nvlink", "-s", "-i", "0"), ("topo", "-m")))
        header = run(["make", "-s", "BACKEND=cuda", "nccl-header"]).stdout.strip()
        nccl = ".".join(defined(header, "NCCL_(?:MAJOR|MINOR|PATCH)"))
        self.files = {self.name + ".csv": lines, "topology.txt": re.sub(r"[ \t]+$", "", re.sub(r"\x1b\[[0-9;]*m", "", topology), flags=re.M),
                      "runs.csv": programs.collect(3, "runs.csv", f"{BUILT}/step14", "1K,64K,1M,16M,256M,1G", "1K")[0],
                      "variants.csv": programs.list_variants([f"{BUILT}/step14"])}
        self.about += ["processes=3", "only=14_many_gpus", f"gpus={self.count}",
                       f"nvlinks={len(re.findall(r'Link [0-9]*: [0-9]', links))}", *([f"nccl={nccl}"] if nccl else [])]

    # ---- all of it ----

    def measure(self):
        shown(["tools/setup.sh", "--check", "gpu"])
        self.count = min(8, len(re.findall("^GPU", run(["nvidia-smi", "-L"]).stdout, re.M)))
        if self.subject == "gpus" and self.count < 2:
            stop(77, f"{self.count} GPUs here, two are needed")
        part = programs.Part(self.folder, part_name(self.subject))
        # It says so before hours of work; ours is timed without it.
        self.there_is_torch = self.has_torch and shown(["tools/setup.sh", "--check", "torch"], may_be=range(256)).returncode == 0
        cccl = os.environ.get("CCCL")
        programs.make(*([f"CCCL={cccl}"] if cccl else []), *(f"{BUILT}/{name}" for name in (*self.names, "machine")))
        self.about = [f"newer_cccl={version}" for version in defined(f"{cccl or '.'}/cuda/std/__cccl/version.h", "CCCL_VERSION")[:1]]
        self.files = {f"{self.name if asked == self.subject else asked}.csv": self.compare(asked) for asked in self.timed}
        getattr(self, self.subject)()
        part.write({name: kept(name[:-len(".csv")], text) for name, text in sorted(self.files.items())}, *self.about)
        old = f"{self.folder}/{self.name}_torch.csv"
        if self.has_torch and not self.torch and os.path.exists(old):
            os.remove(old)  # it belongs to the run before
        return self.status


def main(arguments):
    if len(arguments) not in (2, 3) or arguments[0] not in SUBJECTS or arguments[2:] not in ([], ["--quick"]):
        print(USAGE, file=sys.stderr)
        return 2
    subject, named, *quick = arguments
    folder = typed(named)
    if subject == "softmax" and quick:
        stop(2, "softmax has no --quick")
    if not os.path.isdir(folder) and subject != "gpus":
        stop(2, f"no folder {named}: ./run_all.sh makes one")
    if subject == "gpus" and os.path.lexists(folder + "/machine.json"):
        facts, why = schema.read_json(folder + "/machine.json")
        if why:
            stop(2, f"{named}/machine.json {why}")
        if facts.get("only") != "14_many_gpus":
            stop(2, f"{named} holds the results of one GPU: choose another folder, such as results/h200x2")
    os.environ.setdefault("NCCL_NVLS_ENABLE", "0")  # as in steps/14_many_gpus/nccl.cu
    with tempfile.TemporaryDirectory(dir=programs.scratch()) as work:
        return Comparison(subject, folder, quick, work).measure()


if __name__ == "__main__":
    programs.begin(main)
