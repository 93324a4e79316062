"""tools/measure/check_results.py finds what is wrong with a folder of results, and nothing in those of this repository;
tools/measure/measure.py results (make results) measures, asks for counters, checks, and says what next."""
import glob
import json
import os
import re
import shutil
import sys

import pytest
from common import ROOT, edited, fake_machine, plant, ran, read, write

import programs
import schema
import tree

pytestmark = pytest.mark.more
LIST = ",".join(programs.LISTED)
# A few programs: step or topic -> what each said of its variants.
PROGRAMS = {
    "01_interleaved": ("01_interleaved,v0,sum,1,0,0,0,0,0,0,0,0", "01_interleaved,v0_wrong,sum,1,1,0,0,0,0,0,0,0"),
    "00_baselines": ("00_baselines,cpu,sum,1,0,1,0,0,0,0,0,0", "00_baselines,read,roof,1,0,0,1,0,0,0,0,0", "00_baselines,cub,sum,0,0,0,0,0,0,0,0,0"),
    "10_clusters": ("10_clusters,cluster,sum,1,0,0,0,0,0,0,90,0", "10_clusters,ring,sum,1,0,0,0,0,0,0,90,1"),
    "vote": ("vote,vote,vote,1,0,0,0,0,0,0,0,0", "vote,redux,redux,1,0,0,0,0,0,0,80,0"),
    "soft": ("soft,soft,soft,1,0,0,0,0,32,1024,0,0", "soft,soft_cluster,soft,1,0,0,0,0,512,16384,90,0")}
LINES = [line for lines in PROGRAMS.values() for line in lines]
NAMES = {step: f"step{step[:2]}" if step[0].isdigit() else step for step in PROGRAMS}
LESSONS = sorted(NAMES, key=lambda step: (not step[0].isdigit(), step))
HEADER = ",".join(schema.RUN)
MACHINE = {"gpu": "NVIDIA Toy", "compute_capability": "9.0", "driver": "13.0", "runtime": "13.0", "nvidia_driver": "1.2.3", "sm_count": 77, "l2_bytes": 30 << 20,
           "memory_bytes": 20 << 30, "theoretical_gbps": 4200, "read_gbps": 4000.5, "copy_gbps": 4100, "cpu": "Toy CPU", "host_compiler": "gcc 1", "kernel_compiler": "nvcc 1",
           "commit": "abc1234", "processes": 15, "date": "2001-02-03T04:05:06Z"}


def write_folder(folder, backend="cuda"):
    """Good results: 1 µs for 4 KB."""
    lines = [HEADER]
    for step, variant, task, runs_here, known_wrong, on_cpu, _, _, least, most, _, _ in (line.split(",") for line in LINES):
        if known_wrong == "1" or backend == "sim" and runs_here == "0":
            continue
        for n in (1 << 10, 1 << 20, 1 << 24, 1 << 28):
            for row in [row for row in (32, 1024, 8192) if int(least) <= row <= int(most)] if int(most) else [""]:
                us, right, where = n / 1000, "" if task == "roof" else 1, "cpu,Toy CPU" if on_cpu == "1" else f"{backend},NVIDIA Toy"
                times = f"{us},{us},{us},9,4,50" if backend == "cuda" else ",,,,,"
                lines.append(f"{step},{variant},{where},{n},256,1,uniform,cold,plain,{times},1e-8,1e-6,{right},,,,,,,,,,,,,{row},{4 * n},{task}")
    write(f"{folder}/runs.csv", "\n".join(lines) + "\n")
    write(f"{folder}/variants.csv", "\n".join([LIST, *LINES]) + "\n")
    write(f"{folder}/machine.json", json.dumps({"backend": backend, **MACHINE}))


def edit(path, change):
    """Of runs.csv, with the name of a step instead: its rows, under the header. change: a function of the text; None: there are none."""
    folder, step = os.path.split(path)
    if step in PROGRAMS:
        path = f"{folder}/runs.csv"
        header, *lines = read(path).splitlines(True)
        own = "".join(line for line in lines if line.startswith(step + ","))
        new = change(header + own) if change else header
        plant(path, (own, new.partition("\n")[2]), (header, new.partition("\n")[0] + "\n"))
    elif change:
        text = read(path)
        assert change(text) != text, f"{path}: nothing was planted"
        write(path, change(text))
    else:
        os.remove(path)


class Toy:
    """A made-up repository: the scripts that are tested, the sources of the variants as far as they read them, and a good folder of results."""

    def __init__(self, root):
        self.root, self.good = root, root + "/results/toy"
        shutil.copytree("tools", f"{root}/tools", ignore=shutil.ignore_patterns("__pycache__"))
        for step, variants in PROGRAMS.items():
            there, names = f"{root}/steps/{'' if step[0].isdigit() else 'toolbox/'}{step}", [line.split(",")[1] for line in variants]
            write(there + "/lesson.c", "extern const struct variant x;\n" + "".join(f"    &variant_{name},\n" for name in names))
            for name in names:
                write(f"{there}/{name}.cu", f'extern const struct variant variant_{name} = {{\n    .name = "{name}",\n}};\n')
        write_folder(self.good)

    def check(self, folder):
        return ran("bash", "-c", 'ulimit -v 1048576 -t 60; exec "$@"', "", sys.executable, self.root + "/tools/measure/check_results.py", folder)

    def copy(self):
        shutil.rmtree(self.root + "/gpu", ignore_errors=True)
        return shutil.copytree(self.good, self.root + "/gpu")

    def planted(self, ok, what, name, change, *messages):
        """A copy of the good folder with one fault (or several files with one each): these lines, and no others."""
        folder = self.copy()
        for name, change in [(name, change)] if isinstance(name, str) else name:
            edit(f"{folder}/{name}", change)
        result = self.check(folder)
        said = result.stderr.splitlines()
        ok(result.returncode == bool(messages) and len(said) == len(messages) and all(m in line for m, line in zip(messages, said)), what, f"wanted {messages}\n{result}")


@pytest.fixture(scope="module")
def toy(scratch):
    return Toy(scratch)


def machine(**changes):
    return lambda text: json.dumps({**json.loads(text), **changes})


def without(pattern):
    return lambda text: re.sub(rf".*{pattern}.*\n", "", text)


def swapped(old, new):
    return lambda text: text.replace(old, new)


def once_more(line, old="", new=""):
    """That line of it stands there again, with an edit."""
    return lambda text: text + text.splitlines(True)[line].replace(old, new)


def at_16m(old, new):
    """Changes the line at n = 16M."""
    return lambda text: "".join(re.sub(old, new, line, count=1) if ",16777216,256" in line else line for line in text.splitlines(True))


def test_this_repository(ok):
    step01 = lambda *words: ran("build/sim/step01", *words)  # noqa: E731
    ok.equal(step01("-n", "1", "-v", "v0", "--csv", "-").stdout.split("\n")[0].split(","), list(schema.RUN), "schema.csv has the columns that the programs print")
    ok(step01("--pattern", "none").stderr.endswith("there are " + ", ".join(schema.RUN["pattern"].values) + "\n"), "and the patterns that they know")
    printed = {step: ran(f"build/sim/step{step[:2]}" if step[:2].isdigit() else f"build/sim/{step}", "--list", "--csv", "-").stdout.splitlines() for step in tree.names(ROOT)}
    ok(all(set(schema.VARIANTS) <= set(lines[0].split(",")) for lines in printed.values()), "and those of their lists")
    ok.equal({step: [line.split(",")[1] for line in lines[1:]] for step, lines in printed.items()}, tree.names(ROOT), "each program has the variants that its lesson.c lists, by the names there")
    for folder in sorted(os.path.dirname(path) for path in glob.glob("results/*/variants.csv") if "-quick/" not in path):  # which git ignores: somebody's try
        result = ran("tools/measure/check_results.py", folder)
        print(result.stdout, end="")
        # ./run_all.sh --out results/sim knows no commit without git, or of sources that changed.
        ok.equal([line for line in result.stderr.splitlines() if folder != "results/sim" or "commit" not in line], [], f"{folder} is whole and consistent")


M, STEP, TOOL, RUNS, ALL = "machine.json", "01_interleaved", "soft", "runs.csv", "variants.csv"
ALONE = [(ALL, lambda text: text + "16_rows,row_block,rows,1,0,0,0,0,32,1024,0,0\n"), (STEP, None)]
LACKING = [("10_clusters", None), (TOOL, without("soft_cluster"))]  # what an older GPU cannot run
TOO_OLD = "10_clusters: it is missing", "no variant soft_cluster"
ODD = dict(gpu="NVIDIA `touch x`", cpu='a"b', driver=[1], runtime=True, nvidia_driver={}, sm_count="77", l2_bytes=1e300, memory_bytes=10**400, theoretical_gbps=-4, host_compiler=7,
           commit="a;b", processes=None, backquote="`", compute_capability="9.x")
# What schema.csv refuses, each fault in a row of its own.
FAULTS = (("step", "", "step is empty"), ("variant", "v0`id`", "variant is not of letters, digits, blanks and _.+@()- alone: v0`id`"),
          ("variant", 'v0; system(1)', "variant is not of letters"), ("variant", "v0]]>", "variant is not"), ("device", "Toy|<b>", "device is not"),
          ("device", "Töy", "device is not of letters, digits, blanks and _.+@()- alone: T?y"), ("backend", "abacus", "backend is none of cuda, sim, cpu"),
          ("pattern", "zigzag", "pattern is none of"), ("cache", "tepid", "cache is none of cold, warm: tepid"), ("launch", "moon", "launch is none of"),
          ("n", "-1", "n is not a whole number: -1"), ("n", "9" * 400, "n is not between 0 and 1.15292e+18: 99999"), ("n", "", "n is empty"),
          ("n", "\u0661", "n is not a whole number"), ("block", "0", "block is not between 1 and 1024: 0"), ("runs", "-3", "runs is not a whole number: -3"),
          ("pct_roof", "900", "pct_roof is not between 0 and 850: 900"), ("median_us", "nan", "median_us is not a number: nan"),
          ("min_us", "1e999", "min_us is not a number: 1e999"), ("gbps", "0x10", "gbps is not a number: 0x10"), ("rel_err", "-1", "rel_err is not between"),
          ("ok", "2", "ok is not between 0 and 1"), ("bytes", "", "bytes is empty"), ("task", "a\tb", "task is not of letters"))


def spoiled(text):
    lines, names = text.splitlines(), HEADER.split(",")
    for column, value, _ in FAULTS:
        row = dict(zip(names, lines[1].split(",")), n=str(len(lines)))
        lines.append(",".join({**row, column: value}.values()))
    return "\n".join(lines) + "\n"


# (what, the file or step, or several with their changes, the change, what is said)
PLANTED = [
    ("no machine.json", M, None, "machine.json cannot be read"), ("half of a machine.json", M, lambda text: text[:40], "machine.json cannot be read"),
    ("no object in it", M, lambda text: "[]", "machine.json holds no object"), ("no driver", M, machine(nvidia_driver=None), "machine.json does not tell nvidia_driver"),
    ("no commit", M, machine(commit="unknown"), "machine.json does not tell commit"), ("changes that no commit has", M, machine(commit="abc1234+changes"), "commit abc1234+changes: measured with changes"),
    ("a date like none", M, machine(date="yesterday"), "date is not as in 2026-01-31T12:00:00Z: yesterday"), ("another backend", M, machine(backend="abacus"), "backend is abacus"),
    ("faster than the memory", M, machine(theoretical_gbps=3), *["more than the memory delivers (3)"] * 12),
    ("all of it faster, with a small cache", M, machine(theoretical_gbps=3, l2_bytes=1), *["more than the memory delivers"] * 20, " more"),
    ("no runs.csv", RUNS, None, "runs.csv is missing: ./run_all.sh writes it"), ("a step is missing", STEP, None, f"{STEP}: it is missing: ./run_all.sh measures it"),
    ("a topic is missing", TOOL, None, f"{TOOL}: it is missing: ./run_all.sh measures it"), ("of two steps that are missing both are wanted", ALONE, None, f"{STEP}: it is missing", "16_rows: it is missing"),
    ("but of a folder of one step alone no other", [(M, machine(only="16_rows")), *ALONE], None, "16_rows: it is missing"),
    ("a folder of a step alone that has no such folders", M, machine(only="01_interleaved"), "only is none of 14_many_gpus, 16_rows: 01_interleaved"),
    ("a cut-off file", RUNS, lambda text: text[:-40], f"{RUNS}: line "), ("a number that is none", STEP, at_16m(",50,", ",fifty,"), f"{RUNS}: line 4: pct_roof is not a number: fifty"),
    ("a variant is missing", "00_baselines", without(",cub,"), "no variant cub"), ("a size is missing", STEP, without(",16777216,256"), "v0 was not timed at n = 16777216"),
    ("rows of one length are missing", TOOL, without(r",soft,.*,32,\d+,soft"), "no variant soft in rows of 32"), ("a wrong sum", STEP, at_16m("1e-6,1,", "1e-6,0,"), "v0 at n = 16777216: the sum is wrong"),
    ("a sum that was not checked", STEP, at_16m("1e-6,1,", "1e-6,,"), "v0 at n = 16777216: the sum was not checked"),
    ("times out of order", STEP, at_16m(r"(plain,[^,]*,)[^,]*,", r"\g<1>1e9,"), "not in order"), ("no time", STEP, at_16m(r"plain,[^,]*,", "plain,,"), "no time"),
    ("a bandwidth that is not the time's", STEP, at_16m(",9,4,", ",9,1234,"), "1234.0 GB/s, but "), ("other bytes than the bandwidth has", STEP, at_16m(",67108864,", ",6710886,"), "4.0 GB/s, but "),
    ("another GPU", STEP, at_16m("NVIDIA Toy", "NVIDIA Other"), "measured on NVIDIA Other, but machine.json is of NVIDIA Toy"),
    ("wrong on purpose", STEP, once_more(1, ",v0,", ",v0_wrong,"), "v0_wrong at n = 1024: a variant that is wrong on purpose"),
    ("a variant that is unknown", STEP, once_more(1, ",v0,", ",v9,"), "v9 at n = 1024: variants.csv lists no such variant"),
    ("another task", STEP, at_16m(",sum$", ",vote"), "task vote; the program says 01_interleaved, sum"),
    (f"{len(FAULTS)} fields that no program writes", STEP, spoiled, *(f"line {k}: {why}" for k, (_, _, why) in enumerate(FAULTS[:20], 6)), f"and {len(FAULTS) - 20} more"),
    ("the last of them", STEP, lambda text: "\n".join([*text.splitlines(), *spoiled(text).splitlines()[-4:]]) + "\n", *(f"line {k}: {why}" for k, (_, _, why) in enumerate(FAULTS[-4:], 6))),
    ("a row twice", STEP, once_more(2), "v0 at n = 1048576: recorded twice"),
    ("a row of the simulator", STEP, at_16m("cuda,NVIDIA", "sim,NVIDIA"), "backend sim in a folder of cuda", "a time on the simulator"),
    ("another step", STEP, at_16m("^01_interleaved", "99_nowhere"), "v0 at n = 16777216: variants.csv lists no such variant", "01_interleaved: v0 was not timed at n = 16777216"),
    ("no cache, and no 90th percentile", STEP, lambda text: text.replace("cold,plain", ",plain", 1).replace(f"{2**24 / 1000},9,", ",9,"), "v0 at n = 1024: no cache", "v0 at n = 16777216: no p90_us"),
    ("lines as of Windows", STEP, swapped("\n", "\r\n"), *(f"{RUNS}: line {k}: a carriage return; our programs write none" for k in range(1, 6))),
    ("quotes", STEP, lambda text: text.replace("NVIDIA Toy", '"NVIDIA Toy"', 1), f"{RUNS}: line 2: a quote"),
    ("a column that is unknown, and one twice", RUNS, lambda text: text.replace(",ok,", ",okay,").replace(",runs,", ",n,"),
     *(f"{RUNS}: line 1: the header has {what}" for what in ("no column runs", "no column ok", "a column okay, which is unknown", "two columns n"))),
    ("a file that is empty", RUNS, lambda text: "", *[f"{RUNS}: line 1: the header has no column"] * 16),
    *((f"machine.json: {text[:40]}", M, lambda _, text=text: text, message) for text, message in (
        ('[{"backend": "cuda"}]', "machine.json holds no object"), ("null", "machine.json holds no object"), ("7", "machine.json holds no object"), ("[" * 10**5, "machine.json cannot be read: "),
        ("{}", "machine.json: backend is None"), ('{"backend": ["cuda"]}', "machine.json: backend is ['cuda']"),
        ('{"backend": "cuda", "backend": "sim"}', "machine.json cannot be read: backend comes twice"), ('{"backend": NaN}', "machine.json cannot be read: NaN is no number of JSON"))),
    ("keys and values that no program writes", M, machine(**ODD), *(f"machine.json: {why}" for why in (
        "gpu is not of letters", "compute_capability is not a version such as 13.0: 9.x", "driver is not a text: [1]", "runtime is not a text: true", "nvidia_driver is not a text: {}",
        "sm_count is not a number", "l2_bytes is not a whole number: 1e+300", "memory_bytes is not between", "theoretical_gbps is not between 1 and 1e+06: -4", "cpu is not of letters",
        "host_compiler is not a text: 7", "commit is not a commit", "a key backquote, which is unknown")), "does not tell processes"),
    ("a driver that looks like a number", M, machine(nvidia_driver=550.54)),
    ("no column task", RUNS, lambda text: re.sub(",[a-z]*$", "", text, flags=re.M), "of an older layout (runs.csv has no column task): measure again with ./run_all.sh"),
    ("a GPU that could run them", LACKING, None, *TOO_OLD), ("one that cannot", LACKING + [(M, machine(compute_capability="8.9"))], None),
    ("nor the toolbox's redux", LACKING + [(M, machine(compute_capability="7.5")), ("vote", without("redux"))], None),
    ("one that is newer", LACKING + [(M, machine(compute_capability="10.0"))], None, *TOO_OLD),
    ("one without room for a variant that asks for it", "10_clusters", without("ring,")), ("which has room for some sizes", "10_clusters", without("ring,.*,268435456"), "ring was not timed at n = 268435456"),
    ("one with little memory", [(M, machine(memory_bytes=2 << 30)), (STEP, without(",268435456,256"))], None),
    # Judged by its own list. What the sources have besides is listed, with what measures it, and is no fault; what they lack now is nothing.
    ("no list", ALL, None, "variants.csv is missing, so this is of an older layout: measure again with ./run_all.sh"),
    ("an empty list", ALL, lambda text: LIST + "\n", "variants.csv: it lists nothing; ./run_all.sh writes it"),
    ("a list without a column", ALL, swapped("capability", "ability"), "variants.csv: line 1: the header has no column capability"),
    ("a list of other than numbers", ALL, swapped(",80,0\n", ",many,0\n"), "variants.csv: line 10: capability is not a whole number: many"),
    ("a step that it does not list", ALL, without("10_clusters"), *["variants.csv lists no such variant"] * 8), ("a variant that it lists, and that was cut out", STEP, without(",v0,"), f"{STEP}: it is missing")]


def test_planted_faults(ok, toy):
    result = toy.check(toy.good)
    ok(result.returncode == 0 and result.stderr == "" and "whole and consistent" in result.stdout, "a good folder", result)
    for what, name, change, *messages in PLANTED:
        toy.planted(ok, what, name, change, *messages)


def test_files_of_other_commands(ok, toy):
    folder = toy.copy()
    write(f"{folder}/compare.csv", "n,rival\n1,`id`\n2\n")
    write(f"{folder}/experiments/other.json", '{"gpu": "`id`", "x": "$(id)", "date": "2001-02-03T04:05:06Z"}')
    with open(f"{folder}/tune.csv", "wb") as file:
        file.write(b"n\xff\n")
    said = toy.check(folder).stderr.splitlines()
    ok(len(said) == 5 and all(m in line for m, line in zip((
        "compare.csv: line 3: 1 fields, the header has 2", "compare.csv: line 2: a field holds other than", "tune.csv: byte 2 is not UTF-8",
        "other.json: gpu is not of letters", "other.json: x holds other than"), said)), "files of other commands", said)


@pytest.mark.parametrize("plant, why", [
    (lambda path: os.symlink("/dev/zero", path), "is a link, not a regular file"), (lambda path: os.symlink(f"{ROOT}/results/sim/machine.json", path), "is a link, not a regular file"),
    (os.mkfifo, "is not a regular file"), (os.mkdir, "is not a regular file"), (lambda path: open(path, "w").truncate(9 << 20), "is larger than 8 MiB")])
@pytest.mark.parametrize("names", [(RUNS, "compare.csv", "experiments/x.json"), (M,)])
def test_what_never_ends_or_is_no_file(ok, toy, plant, why, names):
    """A line for each, in bounded memory and without waiting."""
    folder = toy.copy()
    os.mkdir(folder + "/experiments")
    for path in (f"{folder}/{name}" for name in names):
        if os.path.exists(path):
            os.remove(path)
        plant(path)
    said = [line.split("/gpu: ")[-1] for line in toy.check(folder).stderr.splitlines()]
    ok.equal(sorted(said), sorted(f"{name}{':' * (name == RUNS)} {'cannot be read: ' * (name in (RUNS, M))}{why}" for name in names), "a line each")


def test_more_files(ok, toy):
    folder, good = toy.copy(), toy.good
    os.symlink("/", folder + "/trials")
    ok(toy.check(folder).stderr.endswith("/gpu: trials is a link, not a regular file\n"), "a link to a folder is not followed")
    write(good + "/10_clusters.csv", "step\n10_clusters\n")
    toy.planted(ok, "a step of an older layout", M, machine(processes=9), "of an older layout (10_clusters.csv beside runs.csv): measure again")
    os.remove(good + "/10_clusters.csv")
    # parts.csv says what was measured when, and with which kernels.
    p, head, line = "parts.csv", "part,commit,kernels,date,seconds,files\n", "01_interleaved,abc1234,0123456789ab,2001-02-03T04:05:06Z,1,runs.csv variants.csv\n"
    write(f"{good}/{p}", head + line)
    ok.equal(toy.check(good).stdout, f"{good}: whole and consistent\n", p)
    toy.planted(ok, "a file that it lists, and that is gone", p, lambda text: text + line.replace("runs", "gone"), "parts.csv lists gone.csv, which is missing")
    toy.planted(ok, "other columns", p, swapped("kernels", "sources"), "parts.csv: its columns are not part, commit, kernels")
    write(good + "/counters.csv", "step\n01_interleaved\n")
    toy.planted(ok, "a file that it does not list", M, machine(processes=9), "counters.csv: parts.csv does not list it: measure it again, or delete it")
    write(f"{good}/{p}", f"{head}{line}{line}counters,abc1234,ba9876543210,2001-02-03T04:05:06Z,1,counters.csv\n")
    result = toy.check(good)
    ok(result.returncode == 0 and result.stdout.startswith(f"{good}: measured with other kernels than the rest: counters: make results RESULTS={good} "), "a part of other kernels", result)
    os.remove(good + "/counters.csv")
    os.remove(f"{good}/{p}")


def test_what_came_later(ok, toy):
    later, good, sim = toy.root + "/steps/03_later", toy.good, toy.root + "/sim"
    write(later + "/lesson.c", "    &variant_new, &variant_wrong, &variant_new_cub, &variant_new_cpu, NULL,\n")
    for name, fields in (("new.cu", "launch"), ("new_cub.cu", "NVCC_ONLY(launch)"), ("wrong.cu", "launch,\n    .flags = KNOWN_WRONG"), ("new_cpu.c", "launch,\n    .flags = ON_CPU")):
        write(f"{later}/{name}", f"{'extern ' * name.endswith('u')}const struct variant variant_{name.split('.')[0]} = {{\n    .launch = {fields},\n}};\n")
    result = toy.check(good)
    ok.equal((result.returncode, result.stderr, result.stdout), (0, "", f"{good}: not measured yet: new, new_cub, new_cpu of 03_later: ./run_all.sh --out {good}\n{good}: whole and consistent\n"), "a step that came later is listed")
    edit(toy.root + "/steps/01_interleaved/lesson.c", lambda text: text + "    &variant_v0x2,\n")
    edit(toy.root + "/steps/toolbox/vote/lesson.c", without("variant_vote"))
    result = toy.check(good)
    ok(result.returncode == 0 and f"{good}: not measured yet: v0x2 of 01_interleaved: ./run_all.sh --out {good}\n" in result.stdout, "a variant, too; one that the sources do not list any more is nothing to complain of", result)
    write_folder(sim, "sim")
    result = toy.check(sim)
    ok(result.returncode == 0 and f"{sim}: not measured yet: new, new_cpu of 03_later: make counters-sim COUNTERS={sim}/counters.csv\n" in result.stdout, "the simulator's", result)
    edit(f"{sim}/{STEP}", at_16m("cold,plain,", "cold,plain,12"))
    ok("v0 at n = 16777216: a time on the simulator" in toy.check(sim).stderr, "a time on the simulator")
    ok(toy.check(toy.root + "/nowhere").returncode == 2, "no such folder: status 2")
    shutil.rmtree(later)


def test_measure_results(ok, toy):
    """On programs that only pretend: each has its rows of the good folder."""
    work, good = toy.root, toy.good
    for step, name in NAMES.items():
        write(f"{work}/build/cuda/{name}", f"""#!{sys.executable}
import os, sys
if "--list" in sys.argv:
    print({LIST!r}, *{PROGRAMS[step]!r}, sep="\\n")
else:
    open({work!r} + "/ran", "a").write({name!r} + "\\n")
    if os.environ.get("FAILS") == {name!r}:
        sys.exit("{name}: a wrong sum")
    lines = open({good!r} + "/runs.csv").readlines()
    open(sys.argv[sys.argv.index("--csv") + 1], "w").writelines(line for line in lines if line.startswith(("step,", {step!r} + ",")))
""", executable=True)
    fake_machine(work + "/build/cuda/machine", backend="cuda", **MACHINE)

    def results(what, asked, status, says, runs=None, **environment):
        result = ran(work + "/tools/measure/measure.py", "results", *asked, cwd=work, COMMIT="abc1234", **environment)
        ok(result.returncode == status and says in (result.stderr if says.startswith("measure.py: ") else result.stdout) and (runs is None or read(work + "/ran").count("\n") == runs), what, result)
        return result
    new, first, second = "results/new", *LESSONS[:2]
    ok("whole" not in results("two parts, by three processes each", (new, "", first, second), 0, "", 6).stdout, "not yet whole")
    result = results("it goes on where it stopped", (new, "", *LESSONS), 0, "results/new: whole and consistent", 15)
    ok("git add results/new plots/new\n" in result.stdout and "git commit -m 'Results: NVIDIA Toy'\n" in result.stdout, "what to do next", result)
    rows, wanted = (schema.read_run(f"{folder}/runs.csv")[0] for folder in (f"{work}/{new}", good))
    key = lambda row: (row["step"], row["variant"], row["n"], row["row"] or 0)  # noqa: E731
    ok([key(row) for row in rows] == sorted(map(key, wanted), key=lambda row: LESSONS.index(row[0])) and {row["runs"] for row in rows} == {27}, "all rows, in the order of the lessons")
    parts = [line.split(",") for line in read(work + "/results/new/parts.csv").splitlines()[1:]]
    ok([line[0] for line in parts] == LESSONS and len({line[2] for line in parts}) == 1 and {line[1] for line in parts} == {"abc1234"}, "a line for each part", parts)
    with edited(work + "/steps/01_interleaved/v0.cu", ("extern", "// another kernel\nextern")):
        results("with other kernels it is measured again", (new, "", first), 0, "", 18)
        ok("measured with other kernels than the rest: " + first in toy.check(f"{work}/{new}").stdout, "and the others are of the kernels before")
        results("a program that fails: its part is left out", (new, "", second), 1, f"{NAMES[second]}: a wrong sum\nleft out: {second}\n", FAILS=NAMES[second])
        results("another GPU", (new, "", second), 1, "measure.py: results/new is of NVIDIA Toy, and this GPU is NVIDIA Other\n",
                MACHINE='{"gpu": "NVIDIA Other"}')
        results("so many minutes", ("results/other", "0", first, second), 0, f"0 minutes are over; the same command goes on with {first}\n")
        for asked, line in (((new, "x"), '"x" is no number of minutes'), ((new, "", "17_none"), "no part 17_none: there are 00_baselines"), (("--all",), "usage: ")):
            ok(results(f"results {asked}", asked, 2, "measure.py: " + line).stderr.count("\n") == 1, f"results {asked}: one line")
