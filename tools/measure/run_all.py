#!/usr/bin/env -S python3 -B
"""What ./run_all.sh does: builds and runs every step and every topic of the toolbox, collects the results, draws the
plots. Results are written at the end: a run that fails or is interrupted leaves the earlier ones whole."""
import fcntl
import glob
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time

import programs
from programs import ROOT, Failed, Interrupted, no_room, number, parse_sizes, rows_of, run, scratch, stop
import schema
from page_markdown import Problem, short, size_name

USAGE = """usage: ./run_all.sh [options]

Builds and runs every step and the toolbox, on the GPU if there is one, else on the
simulator; then prints a table and draws the plots.

  --quick        a few small sizes, few repeats: a minute on a GPU. Goes to its own
                 folder: results/mine-quick, or build/results/sim-quick
  --gpu, --sim   where to run, instead of choosing
  --model GPU    on the simulator: the GPU of model_speedup.svg (default: h200; docs/time.md)
  --rounds R     processes that time each step on a GPU; the results are their means
                 (default 15: times differ more from process to process than within
                 one; sizes above 16M, which differ little, are left to the first 3)
  --sizes LIST   numbers to sum, as in 64K,1M,16M (powers of 1024) or 1<<20
                 (default: 1K,4K,16K ... 1G and 2G on a GPU; 1K,64K,256K on the simulator);
                 a program that takes none of them is left out
  --out DIR      the folder for the results: new, empty, or of an earlier run, whose
                 files are replaced; others in it stay
                 (default: results/mine, or build/results/sim on the simulator: git ignores both)
  --no-plots     draw nothing; make plots draws later. Without gnuplot nothing is drawn, either
  --setup        only find what is missing, for make test too, and install it if it may
  --help         this text

The pictures go to plots/<name> if the results go to results/<name>, to build/plots/<name> from
build/results/<name>, else to DIR/plots. Missing tools (python3, make, gcc, g++, gnuplot) are installed
with apt-get if that needs no password; RUN_ALL_APT=no ./run_all.sh forbids it. Where there is no
git, COMMIT=... says which commit the results belong to.

Exit status: 0 all right, 1 something was wrong, 2 usage or a tool is missing,
77 nothing could run here."""
OPTIONS = ("--quick", "--gpu", "--sim", "--rounds", "--sizes", "--out", "--no-plots", "--setup", "--model")
# Sizes of sums, and of what answers other questions and so has many variants, whose answers the CPU judges word by word.
SIZES = {"cuda": ("1K,4K,16K,64K,256K,1M,4M,16M,64M,256M,1G,2G", "1K,64K,1M,16M,256M"), "cuda-quick": ("64K,1M,16M", None),
         "sim": ("1K,64K,256K", None), "sim-quick": ("1K,16K", None)}
MOST_OF_OTHERS = {"cuda": 256 << 20, "sim": 64 << 10}


def read_options(arguments):
    given, rest = {"rounds": "15", "sizes": "", "out": "", "model": "h200"}, list(arguments)
    while rest:
        option = rest.pop(0)
        name, equals, value = option.partition("=")
        if name[2:] in ("sizes", "out", "rounds", "model"):
            given[name[2:]] = value if equals else rest.pop(0) if rest else ""
            if not given[name[2:]]:
                stop(2, f"{name} needs a value; see ./run_all.sh --help")
        elif option in ("--help", "-h"):
            print(USAGE, flush=True)
            sys.exit(0)
        elif option in OPTIONS:
            given[option[2:]] = True
        else:
            stop(2, f"unknown option {option}; there are {', '.join(OPTIONS)} and --help")
    try:
        parse_sizes(given["sizes"] or "1K")
    except ValueError as why:
        stop(2, f"--sizes: {why}")
    for wrong, why in (("gpu" in given and "sim" in given, "--gpu and --sim exclude each other"),
                       (not re.fullmatch("[1-9][0-9]?", given["rounds"]), f"--rounds {given['rounds']}: a number from 1 to 99 is needed"),
                       (re.search(r"[\x00-\x1f\x7f]", given["out"]), "--out: a name without control characters is needed")):
        if wrong:
            stop(2, why)
    return given


def sizes_of_run(kind, memory, asked):
    """(for programs that answer other questions than the sum, for sums): what such a device holds."""
    sums, others = (asked, asked) if asked else SIZES[kind]
    backend = kind.split("-")[0]
    # The input, and as much again for variants that overwrite it or answer with n words.
    most = (memory - (512 << 20)) // 8 if backend == "cuda" and memory else 1 << 62
    fitting = parse_sizes(sums, most)
    if not fitting:
        stop(2, "no size fits into the memory of this GPU; choose smaller ones")
    left = [size for size in sums.split(",") if size not in fitting]
    if left:
        print(f"Left out, too large for the memory of this GPU ({memory >> 30} GiB): {','.join(left)}", file=sys.stderr)
    return ",".join(parse_sizes(others or sums, min(most, MOST_OF_OTHERS[backend]))), ",".join(fitting)


# ---- the folder ----

def is_results(folder):
    """Whether an earlier run wrote into it: a machine.json that says where and when."""
    facts, _ = schema.read_json(folder + "/machine.json")
    return bool(facts) and facts.get("backend") in ("cuda", "sim") and bool(facts.get("date"))


def in_root(path):
    return path[len(ROOT) + 1:] if path.startswith(ROOT + "/") else path


class Folder:
    """Where the results go, a link followed: three files, put there at the end, all or none. What others wrote there stays."""

    def __init__(self, asked, default):
        named = programs.typed(asked) if asked else f"{ROOT}/{default}"
        self.out, self.is_whole = os.path.realpath(named), False
        parent, name = os.path.realpath(os.path.dirname(named)), os.path.basename(named)
        rooms = {f"{ROOT}/results": f"{ROOT}/plots", f"{ROOT}/build/results": f"{ROOT}/build/plots"}
        self.pictures = f"{rooms[parent]}/{name}" if parent in rooms else self.out + "/plots"
        there = os.path.exists(self.out)
        for wrong, why in ((os.path.lexists(self.out) and not there, "is a link that leads nowhere"),
                           (there and not os.path.isdir(self.out), "is a file, not a folder"),
                           (f"{ROOT}/".startswith(self.out.rstrip("/") + "/"), "holds this repository; choose a folder of its own")):
            if wrong:
                stop(2, f"--out: {self.out} {why}")
        try:
            if asked and there and os.listdir(self.out) and not is_results(self.out):
                stop(2, f"--out: {self.out} holds something else than results (no machine.json of ours); choose another folder")
            os.makedirs(self.out, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=self.out):
                pass
            if not there:
                os.rmdir(self.out)
        except OSError:
            stop(2, f"cannot write into {parent}; choose another folder with --out")

    def put(self, texts):
        """Hours of measuring are not thrown away because of what comes after them: texts() may fail, and so may the writing."""
        runs, kept = {"runs.csv": texts.pop("runs.csv")}, self.out + time.strftime(".measured-%Y%m%dT%H%M%SZ", time.gmtime())
        try:
            programs.write(self.out, {**runs, **{name: make() for name, make in texts.items()}})
            self.is_whole = True
        except (Failed, OSError, Problem) as error:
            programs.write(kept, runs)
            stop(1, f"{error.why if isinstance(error, Failed) else error}; what was measured is in {in_root(kept)}")

    def state(self, rest=""):
        """What there is after a run that did not come to its end."""
        if self.is_whole:
            return f"{in_root(self.out)} is complete{rest}"
        return f"{in_root(self.out)} is as it was" if os.path.lexists(self.out) else "nothing was written"


def note_others():
    """Another run in this repository. The lock is held until we end."""
    try:
        fcntl.flock(os.open(ROOT, os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print("run_all.sh: note: another run is at work here; each disturbs the other's times", file=sys.stderr)
    except OSError:  # a file system without locks
        pass


# ---- the table for people ----

def or_dash(text, form):
    return form(number(text)) if text else "-"


def summary(rows):
    """On a GPU: times at 1M, 16M and 256M elements (else at the three largest sizes). On the simulator: counts at the
    largest n, and no time."""
    first, right, shown, on_gpu = {}, {}, {}, any(row["backend"] == "cuda" for row in rows)
    for row in ({**dict.fromkeys(schema.RUN, ""), **row} for row in rows):  # one may lack the columns of counts
        name, n = row["variant"] + (f"@{size_name(int(row['row']))}" if row["row"] else ""), int(row["n"])
        first.setdefault(name, row)
        if row["ok"] and row["launch"] != "graph":
            right.setdefault(name, []).append(int(row["ok"]))
        if (row["launch"] == "plain" or row["backend"] == "cpu") and row["median_us"] if on_gpu else row["backend"] == "sim" and n and row["variant"] != "copy":
            shown[name, n] = row  # a copy is no kernel: nothing is counted there
    sizes = sorted({n for _, n in shown})
    for n in ({1 << 20, 1 << 24, 1 << 28} <= {*sizes} and [1 << 20, 1 << 24, 1 << 28] or sizes[-3:]) if on_gpu else sizes[-1:] or [0]:
        if not on_gpu:
            yield "\nCounted on the simulator: requests and 32-byte sectors of global memory per 32\n" \
                  "elements (what one warp reads at once); what comes after, per 1024 elements."
        columns = TIMES if on_gpu else COUNTS
        yield f"\n{'':3}{'n = ' + size_name(n):18}{aligned(columns, columns)}   sums ok"
        for name, row in first.items():
            if (name, n) in shown or not on_gpu:
                cells = times(shown[name, n], shown.get(("v0", n))) if on_gpu else counts(shown.get((name, n)), n)
                step, sums = row["step"], right.get(name)
                yield f"{step[:2] if step[:1].isdigit() else '':3}{name:18}{aligned(cells, columns)}   {f'{sum(sums)} of {len(sums)}' if sums else '-'}"


TIMES = {"median us": 11, "GB/s": 10, "% of roof": 11, "vs v0": 9}  # a column, and how wide it is
COUNTS = dict.fromkeys(("requests", "sectors", "SIMT eff.", "wavefronts", "barriers", "shuffles", "atomics"), 11)


def aligned(cells, columns):
    return "".join(f"{cell:>{wide}}" for cell, wide in zip(cells, columns.values()))


def times(row, v0):
    us = number(row["median_us"])
    return (short(us), or_dash(row["gbps"], short), or_dash(row["pct_roof"], "{:.1f}".format),
            short(number(v0["median_us"]) / us) + "x" if v0 and us and row["task"] == "sum" else "-")


def counts(row, n):
    def per(count, *columns):
        return or_dash(row[columns[0]], lambda _: short(count * sum(number(row[column]) for column in columns) / n))
    return [""] * len(COUNTS) if row is None else [
        per(32, "gld_requests", "gst_requests"), per(32, "gld_sectors", "gst_sectors"), or_dash(row["simt_efficiency"], lambda part: f"{100 * part:.0f} %"),
        per(1024, "shared_ld_wavefronts", "shared_st_wavefronts"), *(per(1024, column) for column in ("barriers", "shuffles", "atomics"))]


def roofs(rows):
    """The largest bandwidth at which each roof moved data from memory, as in read_gbps=4629.29."""
    best = {}
    for row in rows:
        gbps = number(row["gbps"])
        if (row["task"], row["cache"], row["launch"]) == ("roof", "cold", "plain") and gbps > best.get(row["variant"], 0):
            best[row["variant"]] = gbps
    return [f"{variant}_gbps={programs.figure(gbps)}" for variant, gbps in best.items()]


# ---- the run ----

def build(backend):
    """make, whose line moves on a terminal; elsewhere it is silent unless it fails."""
    start, command = time.monotonic(), ["make", f"BACKEND={backend}", "all", f"-j{os.cpu_count()}"]
    print(f"Building ({' '.join(command[:3])})")
    done = run(command, stdout=None, stderr=None) if os.isatty(1) else run(command, stderr=subprocess.STDOUT)
    if done.returncode:
        print(done.stdout or "", end="", file=sys.stderr)
        stop(1, no_room() or "the build failed")
    print(f"Built in {time.monotonic() - start:.0f} s")


class Run:
    def __init__(self):
        self.folder, self.drawing, self.left_out, self.rows, self.parts = None, False, [], [], []

    def state(self, rest=""):
        return self.folder.state(rest) if self.folder else "nothing was written"

    def choose_backend(self):
        asked = [f"BACKEND={backend}" for option, backend in (("gpu", "cuda"), ("sim", "sim")) if option in self.given]
        done = run(["make", "-s", *asked, "backend"], stderr=None)
        if done.returncode:
            sys.exit(2)  # it said why
        self.backend = done.stdout.strip()
        self.quick = "-quick" if "quick" in self.given else ""
        self.programs = f"{ROOT}/build/{self.backend}"  # not ./step00: that link changes when somebody builds for another backend
        if "gpu" in self.given and "\nGPU" not in "\n" + run(["nvidia-smi", "-L"]).stdout:
            stop(77, "--gpu: nvidia-smi finds no GPU here; look after the driver, or use --sim")
        self.rounds = int(self.given["rounds"]) if self.backend + self.quick == "cuda" else 1
        if self.backend == "sim":
            print("On the simulator, which counts; a model predicts times (docs/time.md). A GPU run needs nvcc and a GPU.")

    def one(self, name, program):
        """The CSV of a program and what it remarked; None where it was skipped. A program that takes none of the sizes is
        skipped, too: the others do what was asked for."""
        start = time.monotonic()
        if (self.backend, name) == ("cuda", "14_many_gpus"):
            print("skipped: it is about several GPUs: make compare-gpus")
            return None
        options = [] if self.backend == "cuda" else ["--counters"]
        if self.backend + self.quick == "cuda-quick":
            options = ["--repeat", "10"]
        try:
            text, notes, counts = programs.collect(self.rounds, name + ".csv", f"{self.programs}/{program}", self.sizes, self.other_sizes, *options)
        except Failed as failed:
            why = (failed.errors.splitlines() or [""])[-1]
            if failed.status in (2, 77):
                if failed.status == 2:
                    self.left_out.append((name, why))
                print("skipped: " + why.removeprefix(program + ": "))
                return None
            print(f"failed (exit status {failed.status}):\n{failed.output}{failed.errors}", end="")
            self.table()
            stop(1, no_room() or f"{name} failed; {self.state()}")
        print(f"{counts}, {time.monotonic() - start:.0f} s\n" + "".join(f"      {line}\n" for line in notes.splitlines()), end="")
        return text

    def all(self):
        lessons = list(programs.lessons())
        for k, (name, program) in enumerate(lessons, 1):
            print(f"[{k}/{len(lessons)}] {name:16} ", end="", flush=True)
            start, text = time.monotonic(), self.one(name, program)
            if text is not None:
                self.parts.append((name, time.monotonic() - start, ["runs.csv"]))
                self.rows += rows_of(text)
        if not self.rows and self.left_out:
            stop(2, f"nothing takes these sizes: {self.left_out[0][1]}")
        if not self.rows:
            stop(77, "no step could run here")
        return [f"{self.programs}/{program}" for _, program in lessons]

    def table(self):
        if self.rows:
            print("\n".join(summary(self.rows)))

    def do(self, arguments):
        self.given = given = read_options(arguments)
        if "setup" in given:
            return programs.shown(["tools/setup.sh"]).returncode
        self.drawing = "no-plots" not in given
        try:
            tempfile.TemporaryDirectory(dir=scratch()).cleanup()
        except OSError:
            stop(1, f"cannot write to {scratch()}: is it there, and is there room?")
        programs.shown(["tools/setup.sh", "make", "gcc", "g++"])
        no_pictures = ""
        if self.drawing:
            done = run(["tools/setup.sh", "gnuplot"], stdout=None)
            no_pictures = done.stderr.strip().split("\n")[-1].removeprefix("setup.sh: ") if done.returncode else ""
        if given["out"]:  # before all work, what would not do after it
            self.folder = Folder(given["out"], "")
        self.choose_backend()
        if no_pictures:
            print(f"No pictures: {no_pictures}")
        note_others()
        origin = programs.provenance()
        build(self.backend)
        if self.backend == "sim" and (asked := run([f"{self.programs}/step01", "--model", given["model"], "-n", "1K"])).returncode == 2:
            stop(2, asked.stderr.strip().removeprefix("step01: "))
        facts = programs.facts(self.programs)
        gpu = re.sub("[^A-Za-z0-9_ .+@()-]", "?", str(facts.get("gpu")))
        if not self.folder:
            self.folder = Folder("", ("build/results/sim" if self.backend == "sim" else "results/mine") + self.quick)
        self.other_sizes, self.sizes = sizes_of_run(self.backend + self.quick, int(facts.get("memory_bytes") or 0), given["sizes"])
        print(f"Running on {gpu}, sizes {self.sizes}")
        listed, out = self.all(), in_root(self.folder.out)
        about = dict(fact.split("=", 1) for fact in origin)
        self.folder.put({"runs.csv": programs.runs(self.rows), "variants.csv": lambda: programs.list_variants(listed),
                         "machine.json": lambda: programs.machine(self.programs, *origin, f"processes={self.rounds}", *roofs(self.rows)),
                         **({"parts.csv": lambda: programs.table(schema.PARTS, [programs.line_of_part(name, about, *rest) for name, *rest in self.parts])}
                            if self.backend == "cuda" else {})})
        self.table()
        print(f"\nResults, every size: {out}/runs.csv and machine.json")
        if self.left_out:
            print("Left out, since they take none of these sizes: " + " ".join(name for name, _ in self.left_out))
        if no_pictures:
            print("Pictures: none, without gnuplot; once it is there: " + shlex.join(["tools/draw/plots.py", self.folder.out, self.folder.pictures]))
        elif self.drawing:
            self.draw()
        return 0

    def draw(self):
        done = run(["tools/draw/plots.py", self.folder.out, self.folder.pictures])
        if done.returncode:
            why = (done.stderr.strip().splitlines() or [f"is there room in {scratch()}?"])[0]
            stop(1, f"no pictures: {why}; the results are whole, in {in_root(self.folder.out)}")
        self.drawing = False
        if self.backend == "sim":
            run(["tools/draw/model.py", "speedup", self.folder.pictures + "/model_speedup.svg", self.given["model"]], stdout=None, stderr=None)
        skipped = re.findall(r"^skipped (\w+)", done.stdout, re.M)
        if skipped:
            print(f"Not drawn, since nothing was measured for them: {', '.join(skipped)}")
        print("Pictures:", *(f"  {in_root(path)}" for path in sorted(glob.glob(glob.escape(self.folder.pictures) + "/*.svg"))), sep="\n")


def main(arguments):
    sys.stdout.reconfigure(line_buffering=True, errors="surrogateescape")
    sys.stderr.reconfigure(errors="surrogateescape")
    here = Run()
    try:
        return here.do(arguments)
    except Interrupted as end:
        stop(end.code, "interrupted; " + here.state(", but not its pictures" * here.drawing))
    except BrokenPipeError:  # its reader is gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 141
    except OSError as error:
        why = "cannot write to standard output" if error.filename is None else f"{error.filename}: {error.strerror}"
        stop(1, why + (f"; {here.state()}" if here.folder else ""))


if __name__ == "__main__":
    sys.argv[0] = "run_all.sh"
    programs.begin(main)
