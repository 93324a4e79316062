#!/usr/bin/env python3
# tier: more
"""tools/measure/check_results.py finds what is wrong with a folder of results, and nothing in those of this
repository; tools/measure/measure.py results (make results) measures, asks for counters, checks, and says what next."""
import glob
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(1, os.path.join(sys.path[0], "..", "tools", "pages"))
import schema
import tap
import tree
from tap import ok

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIST = "step,variant,task,runs_here,known_wrong,on_cpu,roof,many_gpus,min_row,max_row,capability,asks_room"
# A few programs: step or topic -> what each said of its variants.
PROGRAMS = {
    "01_interleaved": ("01_interleaved,v0,sum,1,0,0,0,0,0,0,0,0", "01_interleaved,v0_wrong,sum,1,1,0,0,0,0,0,0,0"),
    "00_baselines": ("00_baselines,cpu,sum,1,0,1,0,0,0,0,0,0", "00_baselines,read,roof,1,0,0,1,0,0,0,0,0",
                     "00_baselines,cub,sum,0,0,0,0,0,0,0,0,0"),
    "10_clusters": ("10_clusters,cluster,sum,1,0,0,0,0,0,0,90,0", "10_clusters,ring,sum,1,0,0,0,0,0,0,90,1"),
    "vote": ("vote,vote,vote,1,0,0,0,0,0,0,0,0", "vote,redux,redux,1,0,0,0,0,0,0,80,0"),
    "soft": ("soft,soft,soft,1,0,0,0,0,32,1024,0,0", "soft,soft_cluster,soft,1,0,0,0,0,512,16384,90,0"),
}
HEADER = ("step,variant,backend,device,n,block,grid,pattern,cache,launch,median_us,min_us,p90_us,runs,gbps,pct_roof,rel_err,err_bound,"
          "ok,gld_requests,gld_sectors,gst_requests,gst_sectors,shared_ld_wavefronts,shared_st_wavefronts,atomics,barriers,shuffles,"
          "simt_efficiency,worst_conflict,bytes_per_element,row,bytes,task")
MACHINE = {"gpu": "NVIDIA Toy", "compute_capability": "9.0", "driver": "13.0", "runtime": "13.0", "nvidia_driver": "1.2.3",
           "sm_count": 77, "l2_bytes": 30 << 20, "memory_bytes": 20 << 30, "theoretical_gbps": 4200, "read_gbps": 4000.5,
           "copy_gbps": 4100, "cpu": "Toy CPU", "host_compiler": "gcc 1", "kernel_compiler": "nvcc 1", "commit": "abc1234",
           "processes": 15, "date": "2001-02-03T04:05:06Z"}


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def script(path, text):
    write(path, "#!/bin/sh\n" + text)
    os.chmod(path, 0o755)


def write_repository(root):
    """The script that is tested, and the sources of the variants, as far as it reads them."""
    shutil.copytree(f"{ROOT}/tools", f"{root}/tools", ignore=shutil.ignore_patterns("__pycache__"))
    for step, variants in PROGRAMS.items():
        there = f"{root}/steps/{'' if step[0].isdigit() else 'toolbox/'}{step}"
        names = [line.split(",")[1] for line in variants]
        write(there + "/lesson.c", "extern const struct variant x;\n" + "".join(f"    &variant_{name},\n" for name in names))
        for name in names:
            write(f"{there}/{name}.cu", f'extern const struct variant variant_{name} = {{\n    .name = "{name}",\n}};\n')


def write_folder(folder, backend="cuda"):
    """Good results: 1 µs for 4 KB."""
    lines = [HEADER]
    for variants in PROGRAMS.values():
        for step, variant, task, runs_here, known_wrong, on_cpu, _, _, least, most, _, _ in (line.split(",") for line in variants):
            if known_wrong == "1" or backend == "sim" and runs_here == "0":
                continue
            for n in (1 << 10, 1 << 20, 1 << 24, 1 << 28):
                for row in [row for row in (32, 1024, 8192) if int(least) <= row <= int(most)] if int(most) else [""]:
                    us, right = n / 1000, "" if task == "roof" else 1
                    where = "cpu,Toy CPU" if on_cpu == "1" else f"{backend},NVIDIA Toy"
                    times = f"{us},{us},{us},9,4,50" if backend == "cuda" else ",,,,,"
                    lines.append(f"{step},{variant},{where},{n},256,1,uniform,cold,plain,{times},1e-8,1e-6,{right},,,,,,,,,,,,,{row},{4 * n},{task}")
    write(f"{folder}/runs.csv", "\n".join(lines) + "\n")
    write(f"{folder}/variants.csv", "\n".join([LIST, *(line for variants in PROGRAMS.values() for line in variants)]) + "\n")
    write(f"{folder}/machine.json", json.dumps({"backend": backend, **MACHINE}))


def edit(path, change):
    """Of runs.csv, with the name of a step instead: its rows, under the header; None: there are none."""
    folder, step = os.path.split(path)
    step = step if step in PROGRAMS else None
    path = f"{folder}/runs.csv" if step else path
    with open(path) as file:
        text = file.read()
    if step:
        header, *lines = text.splitlines(True)
        of_step = [k for k, line in enumerate(lines) if line.startswith(step + ",")]
        new = change(header + "".join(lines[k] for k in of_step)).splitlines(True) if change else [header]
        changed = "".join([new[0], *lines[:of_step[0]], *new[1:], *lines[of_step[-1] + 1:]])
    else:
        changed = change(text)
    assert changed != text, f"{path}: nothing was planted"
    write(path, changed)


def check(folder):
    return subprocess.run([sys.executable, work + "/tools/measure/check_results.py", folder], capture_output=True, text=True, timeout=60,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30)))


def planted(what, name, change, *messages):
    """A copy of the good folder with one fault (or several files with one each): these lines, and no others."""
    with tempfile.TemporaryDirectory() as copy:
        folder = shutil.copytree(good, copy + "/gpu")
        for name, change in {name: change}.items() if isinstance(name, str) else name:
            if change is None and name not in PROGRAMS:
                os.remove(f"{folder}/{name}")
            else:
                edit(f"{folder}/{name}", change)
        result = check(folder)
        said = result.stderr.splitlines()
        ok(result.returncode == (1 if messages else 0) and len(said) == len(messages) and all(m in line for m, line in zip(messages, said)),
           what, f"wanted {messages}\n{result}")


def machine(**changes):
    return lambda text: json.dumps({**json.loads(text), **changes})


def without(pattern):
    return lambda text: re.sub(rf".*{pattern}.*\n", "", text)


def at_16m(old, new):
    """Changes the line at n = 16M."""
    return lambda text: "".join(re.sub(old, new, line, count=1) if ",16777216,256" in line else line for line in text.splitlines(True))


# ---- this repository ----

def this_repository():
    printed = subprocess.run([ROOT + "/build/sim/step01", "-n", "1", "-v", "v0", "--csv", "-"], capture_output=True, text=True).stdout
    ok(printed.split("\n")[0].split(",") == list(schema.RUN), "schema.csv has the columns that the programs print", printed)
    patterns = subprocess.run([ROOT + "/build/sim/step01", "--pattern", "none"], capture_output=True, text=True).stderr
    ok(patterns.endswith("there are " + ", ".join(schema.RUN["pattern"].values) + "\n"), "and the patterns that they know", patterns)
    programs = {step: ROOT + "/build/sim/" + (f"step{step[:2]}" if step[:2].isdigit() else step) for step in tree.names(ROOT)}
    printed = {step: subprocess.run([path, "--list", "--csv", "-"], capture_output=True, text=True).stdout.splitlines() for step, path in programs.items()}
    ok(all(set(schema.VARIANTS) <= set(lines[0].split(",")) for lines in printed.values()), "and those of their lists")
    ok({step: [line.split(",")[1] for line in lines[1:]] for step, lines in printed.items()} == tree.names(ROOT), "each program has the variants that its lesson.c lists, by the names there")
    folders = (os.path.basename(os.path.dirname(path)) for path in glob.glob(ROOT + "/results/*/variants.csv"))
    for name in sorted(name for name in folders if not name.endswith("-quick")):  # which git ignores: somebody's try
        result = subprocess.run([sys.executable, ROOT + "/tools/measure/check_results.py", f"{ROOT}/results/{name}"], capture_output=True, text=True)
        # ./run_all.sh --out results/sim knows no commit without git, or of sources that changed.
        said = [line for line in result.stderr.splitlines() if name != "sim" or "commit" not in line]
        print("".join(f"# {line}\n" for line in result.stdout.splitlines()), end="")
        ok(not said, f"results/{name} is whole and consistent", said)


if sys.argv[1:] == ["--here"]:  # and nothing planted
    this_repository()
    tap.done()
    sys.exit()

# ---- made-up ones ----

with tempfile.TemporaryDirectory() as work:
    write_repository(work)
    good = work + "/results/toy"
    write_folder(good)
    result = check(good)
    ok(result.returncode == 0 and result.stderr == "" and "whole and consistent" in result.stdout, "a good folder", result)

    m = "machine.json"
    planted("no machine.json", m, None, "machine.json cannot be read")
    planted("half of a machine.json", m, lambda text: text[:40], "machine.json cannot be read")
    planted("no object in it", m, lambda text: "[]", "machine.json holds no object")
    planted("no driver", m, machine(nvidia_driver=None), "machine.json does not tell nvidia_driver")
    planted("no commit", m, machine(commit="unknown"), "machine.json does not tell commit")
    planted("changes that no commit has", m, machine(commit="abc1234+changes"), "commit abc1234+changes: measured with changes")
    planted("a date like none", m, machine(date="yesterday"), "date is not as in 2026-01-31T12:00:00Z: yesterday")
    planted("another backend", m, machine(backend="abacus"), "backend is abacus")
    planted("faster than the memory", m, machine(theoretical_gbps=3), *["more than the memory delivers (3)"] * 12)
    planted("all of it faster, with a small cache", m, machine(theoretical_gbps=3, l2_bytes=1), *["more than the memory delivers"] * 20, " more")

    step, tool, runs = "01_interleaved", "soft", "runs.csv"
    planted("no runs.csv", runs, None, "runs.csv is missing: ./run_all.sh writes it")
    planted("a step is missing", step, None, f"{step}: it is missing: ./run_all.sh measures it")
    planted("a topic is missing", tool, None, f"{tool}: it is missing: ./run_all.sh measures it")
    alone = [("variants.csv", lambda text: text + "16_rows,row_block,rows,1,0,0,0,0,32,1024,0,0\n"), (step, None)]
    planted("of two steps that are missing both are wanted", alone, None, f"{step}: it is missing", "16_rows: it is missing")
    planted("but of a folder of one step alone no other", [(m, machine(only="16_rows")), *alone], None, "16_rows: it is missing")
    planted("a folder of a step alone that has no such folders", m, machine(only="01_interleaved"), "only is none of 14_many_gpus, 16_rows: 01_interleaved")
    planted("a cut-off file", runs, lambda text: text[:-40], f"{runs}: line ")
    planted("a number that is none", step, at_16m(",50,", ",fifty,"), f"{runs}: line 4: pct_roof is not a number: fifty")
    planted("a variant is missing", "00_baselines", without(",cub,"), "no variant cub")
    planted("a size is missing", step, without(",16777216,256"), "v0 was not timed at n = 16777216")
    planted("rows of one length are missing", tool, without(r",soft,.*,32,\d+,soft"), "no variant soft in rows of 32")
    planted("a wrong sum", step, at_16m("1e-6,1,", "1e-6,0,"), "v0 at n = 16777216: the sum is wrong")
    planted("a sum that was not checked", step, at_16m("1e-6,1,", "1e-6,,"), "v0 at n = 16777216: the sum was not checked")
    planted("times out of order", step, at_16m(r"(plain,[^,]*,)[^,]*,", r"\g<1>1e9,"), "not in order")
    planted("no time", step, at_16m(r"plain,[^,]*,", "plain,,"), "no time")
    planted("a bandwidth that is not the time's", step, at_16m(",9,4,", ",9,1234,"), "1234.0 GB/s, but ")
    planted("other bytes than the bandwidth has", step, at_16m(",67108864,", ",6710886,"), "4.0 GB/s, but ")
    planted("another GPU", step, at_16m("NVIDIA Toy", "NVIDIA Other"), "measured on NVIDIA Other, but machine.json is of NVIDIA Toy")
    planted("wrong on purpose", step, lambda text: text + text.splitlines(True)[1].replace(",v0,", ",v0_wrong,"), "v0_wrong at n = 1024: a variant that is wrong on purpose")
    planted("a variant that is unknown", step, lambda text: text + text.splitlines(True)[1].replace(",v0,", ",v9,"), "v9 at n = 1024: variants.csv lists no such variant")
    planted("another task", step, at_16m(",sum$", ",vote"), "task vote; the program says 01_interleaved, sum")

    # What schema.csv refuses, each fault in a row of its own.
    faults = (("step", "", "step is empty"), ("variant", "v0`id`", "variant is not of letters, digits, blanks and _.+@()- alone: v0`id`"),
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
        for column, value, _ in faults:
            row = dict(zip(names, lines[1].split(",")), n=str(len(lines)))
            lines.append(",".join({**row, column: value}.values()))
        return "\n".join(lines) + "\n"
    planted(f"{len(faults)} fields that no program writes", step, spoiled, *(f"line {k}: {why}" for k, (_, _, why) in enumerate(faults[:20], 6)),
            f"and {len(faults) - 20} more")
    planted("the last of them", step, lambda text: "\n".join([*text.splitlines(), *spoiled(text).splitlines()[-4:]]) + "\n",
            *(f"line {k}: {why}" for k, (_, _, why) in enumerate(faults[-4:], 6)))
    planted("a row twice", step, lambda text: text + text.splitlines(True)[2], "v0 at n = 1048576: recorded twice")
    planted("a row of the simulator", step, at_16m("cuda,NVIDIA", "sim,NVIDIA"), "backend sim in a folder of cuda", "a time on the simulator")
    planted("another step", step, at_16m("^01_interleaved", "99_nowhere"), "v0 at n = 16777216: variants.csv lists no such variant", "01_interleaved: v0 was not timed at n = 16777216")
    planted("no cache, and no 90th percentile", step, lambda text: text.replace("cold,plain", ",plain", 1).replace(
        f"{2**24 / 1000},9,", ",9,"), "v0 at n = 1024: no cache", "v0 at n = 16777216: no p90_us")
    planted("lines as of Windows", step, lambda text: text.replace("\n", "\r\n"),
            *(f"{runs}: line {k}: a carriage return; our programs write none" for k in range(1, 6)))
    planted("quotes", step, lambda text: text.replace("NVIDIA Toy", '"NVIDIA Toy"', 1), f"{runs}: line 2: a quote")
    planted("a column that is unknown, and one twice", runs, lambda text: text.replace(",ok,", ",okay,").replace(",runs,", ",n,"),
            *(f"{runs}: line 1: the header has {what}" for what in ("no column runs", "no column ok", "a column okay, which is unknown", "two columns n")))
    planted("a file that is empty", runs, lambda text: "", *[f"{runs}: line 1: the header has no column"] * 20, " more")

    for what, text, message in (("an array of them", '[{"backend": "cuda"}]', "holds no object"), ("null", "null", "holds no object"),
                                ("a number", "7", "holds no object"), ("a nest", "[" * 10**5, "cannot be read: "),
                                ("nothing of a GPU", "{}", "backend is None"), ("a backend that is none", '{"backend": ["cuda"]}', "backend is ['cuda']"),
                                ("a key twice", '{"backend": "cuda", "backend": "sim"}', "cannot be read: backend comes twice"),
                                ("not a number", '{"backend": NaN}', "cannot be read: NaN is no number of JSON")):
        planted("machine.json: " + what, m, lambda _, text=text: text, "machine.json" + ": " * message.startswith("backend") + " " * (not message.startswith("backend")) + message)
    odd = dict(gpu="NVIDIA `touch x`", cpu='a"b', driver=[1], runtime=True, nvidia_driver={}, sm_count="77", l2_bytes=1e300, memory_bytes=10**400,
               theoretical_gbps=-4, host_compiler=7, commit="a;b", processes=None, backquote="`", compute_capability="9.x")
    planted("machine.json: keys and values that no program writes", m, lambda text: json.dumps({**json.loads(text), **odd}),
            *(f"machine.json: {why}" for why in (
                "gpu is not of letters", "compute_capability is not a version such as 13.0: 9.x", "driver is not a text: [1]",
                "runtime is not a text: true", "nvidia_driver is not a text: {}", "sm_count is not a number", "l2_bytes is not a whole number: 1e+300",
                "memory_bytes is not between", "theoretical_gbps is not between 1 and 1e+06: -4", "cpu is not of letters",
                "host_compiler is not a text: 7", "commit is not a commit", "a key backquote, which is unknown")), "does not tell processes")
    planted("machine.json: a driver that looks like a number", m, machine(nvidia_driver=550.54))
    with tempfile.TemporaryDirectory() as copy:
        folder = shutil.copytree(good, copy + "/gpu")
        write(f"{folder}/compare.csv", "n,rival\n1,`id`\n2\n")
        write(f"{folder}/experiments/other.json", '{"gpu": "`id`", "x": "$(id)", "date": "2001-02-03T04:05:06Z"}')
        with open(f"{folder}/tune.csv", "wb") as file:
            file.write(b"n\xff\n")
        said = check(folder).stderr.splitlines()
        ok(len(said) == 5 and all(m in line for m, line in zip((
            "compare.csv: line 3: 1 fields, the header has 2", "compare.csv: line 2: a field holds other than", "tune.csv: byte 2 is not UTF-8",
            "other.json: gpu is not of letters", "other.json: x holds other than"), said)), "files of other commands", said)

    # What never ends, or is no file of ours: a line for each, in bounded memory and without waiting.
    for what, plant, why in (("links to /dev/zero", lambda path: os.symlink("/dev/zero", path), "is a link, not a regular file"),
                             ("links to a file", lambda path: os.symlink(good + "/machine.json", path), "is a link, not a regular file"),
                             ("FIFOs", os.mkfifo, "is not a regular file"), ("folders", os.mkdir, "is not a regular file"),
                             ("files of 9 MiB", lambda path: open(path, "w").truncate(9 << 20), "is larger than 8 MiB")):
        for names, messages in (((runs, "compare.csv", "experiments/x.json"), (f"{runs}: cannot be read: {why}", f"compare.csv {why}", f"experiments/x.json {why}")),
                                ((m,), (f"machine.json cannot be read: {why}",))):
            with tempfile.TemporaryDirectory() as copy:
                folder = shutil.copytree(good, copy + "/gpu")
                os.mkdir(folder + "/experiments")
                for path in (f"{folder}/{name}" for name in names):
                    if os.path.exists(path):
                        os.remove(path)
                    plant(path)
                said = [line.split("/gpu: ")[-1] for line in check(folder).stderr.splitlines()]
                ok(sorted(said) == sorted(messages), f"{what} called {', '.join(names)}: a line each", said)
    with tempfile.TemporaryDirectory() as copy:
        folder = shutil.copytree(good, copy + "/gpu")
        os.symlink("/", folder + "/trials")
        ok(check(folder).stderr.endswith("/gpu: trials is a link, not a regular file\n"), "a link to a folder is not followed")

    planted("no column task", runs, lambda text: re.sub(",[a-z]*$", "", text, flags=re.M),
            "of an older layout (runs.csv has no column task): measure again with ./run_all.sh")
    write(good + "/10_clusters.csv", "step\n10_clusters\n")
    planted("a step of an older layout", m, machine(processes=9), "of an older layout (10_clusters.csv beside runs.csv): measure again")
    os.remove(good + "/10_clusters.csv")

    # What an older GPU cannot run may be missing.
    lacking = [("10_clusters", None), (tool, without("soft_cluster"))]
    planted("a GPU that could run them", lacking, None, "10_clusters: it is missing", "no variant soft_cluster")
    planted("one that cannot", lacking + [(m, machine(compute_capability="8.9"))], None)
    planted("nor the toolbox's redux", lacking + [(m, machine(compute_capability="7.5")), ("vote", without("redux"))], None)
    planted("one that is newer", lacking + [(m, machine(compute_capability="10.0"))], None, "10_clusters: it is missing", "no variant soft_cluster")
    planted("one without room for a variant that asks for it", "10_clusters", without("ring,"))
    planted("which has room for some sizes", "10_clusters", without("ring,.*,268435456"), "ring was not timed at n = 268435456")
    planted("one with little memory", [(m, machine(memory_bytes=2 << 30)), (step, without(",268435456,256"))], None)

    # parts.csv says what was measured when, and with which kernels.
    p, line = "parts.csv", "01_interleaved,abc1234,0123456789ab,2001-02-03T04:05:06Z,1,runs.csv variants.csv\n"
    write(f"{good}/{p}", "part,commit,kernels,date,seconds,files\n" + line)
    result = check(good)
    ok(result.returncode == 0 and result.stdout == f"{good}: whole and consistent\n", "parts.csv", result)
    planted("a file that it lists, and that is gone", p, lambda text: text + line.replace("runs", "gone"), "parts.csv lists gone.csv, which is missing")
    planted("other columns", p, lambda text: text.replace("kernels", "sources"), "parts.csv: its columns are not part, commit, kernels")
    write(good + "/counters.csv", "step\n01_interleaved\n")
    planted("a file that it does not list", m, machine(processes=9), "counters.csv: parts.csv does not list it: measure it again, or delete it")
    write(f"{good}/{p}", f"part,commit,kernels,date,seconds,files\n{line}{line}counters,abc1234,ba9876543210,2001-02-03T04:05:06Z,1,counters.csv\n")
    result = check(good)
    ok(result.returncode == 0 and result.stdout.startswith(f"{good}: measured with other kernels than the rest: counters: make results RESULTS={good} "), "a part of other kernels", result)
    os.remove(good + "/counters.csv")
    os.remove(f"{good}/{p}")

    # Judged by its own list. What the sources have besides is listed, with what measures it, and is no fault; what they lack now is nothing.
    lists = "variants.csv"
    planted("no list", lists, None, "variants.csv is missing, so this is of an older layout: measure again with ./run_all.sh")
    planted("an empty list", lists, lambda text: LIST + "\n", "variants.csv: it lists nothing; ./run_all.sh writes it")
    planted("a list without a column", lists, lambda text: text.replace("capability", "ability"), "variants.csv: line 1: the header has no column capability")
    planted("a list of other than numbers", lists, lambda text: text.replace(",80,0\n", ",many,0\n"), "variants.csv: line 10: capability is not a whole number: many")
    planted("a step that it does not list", lists, without("10_clusters"), *["variants.csv lists no such variant"] * 8)
    planted("a variant that it lists, and that was cut out", step, without(",v0,"), f"{step}: it is missing")
    later = work + "/steps/03_later"
    write(later + "/lesson.c", "    &variant_new, &variant_wrong, &variant_new_cub, &variant_new_cpu, NULL,\n")
    write(later + "/new.cu", "extern const struct variant variant_new = {\n    .launch = launch,\n};\n")
    write(later + "/new_cub.cu", "extern const struct variant variant_new_cub = {\n    .launch = NVCC_ONLY(launch),\n};\n")
    write(later + "/wrong.cu", "extern const struct variant variant_wrong = {\n    .launch = launch,\n    .flags = KNOWN_WRONG,\n};\n")
    write(later + "/new_cpu.c", "const struct variant variant_new_cpu = {\n    .launch = launch,\n    .flags = ON_CPU,\n};\n")
    result = check(good)
    ok(result.returncode == 0 and result.stderr == "" and result.stdout == f"{good}: not measured yet: new, new_cub, new_cpu of 03_later: ./run_all.sh --out {good}\n"
       f"{good}: whole and consistent\n", "a step that came later is listed", result)
    edit(work + "/steps/01_interleaved/lesson.c", lambda text: text + "    &variant_v0x2,\n")
    edit(work + "/steps/toolbox/vote/lesson.c", without("variant_vote"))
    result = check(good)
    ok(result.returncode == 0 and f"{good}: not measured yet: v0x2 of 01_interleaved: ./run_all.sh --out {good}\n" in result.stdout,
       "a variant, too; one that the sources do not list any more is nothing to complain of", result)

    sim = work + "/sim"
    write_folder(sim, "sim")
    result = check(sim)
    ok(result.returncode == 0 and f"{sim}: not measured yet: new, new_cpu of 03_later: make counters-sim COUNTERS={sim}/counters.csv\n" in result.stdout, "the simulator's", result)
    edit(f"{sim}/{step}", at_16m("cold,plain,", "cold,plain,12"))
    ok("v0 at n = 16777216: a time on the simulator" in check(sim).stderr, "a time on the simulator", check(sim).stderr)
    ok(check(work + "/nowhere").returncode == 2, "no such folder: status 2")

    # ---- tools/measure/measure.py results, on programs that only pretend: each has its rows of the good folder ----

    def results(*asked, **environment):
        return subprocess.run([work + "/tools/measure/measure.py", "results", *asked], capture_output=True, text=True, cwd=work,
                              env={"PATH": f"{work}/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "COMMIT": "abc1234", **environment})

    def ran():
        with open(work + "/ran") as file:
            return len(file.readlines())
    shutil.rmtree(later)
    names = {step: f"step{step[:2]}" if step[0].isdigit() else step for step in PROGRAMS}
    for step, name in names.items():
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
""")
        os.chmod(f"{work}/build/cuda/{name}", 0o755)
    write(work + "/build/cuda/machine", f"#!{sys.executable}\nimport json, os, sys\n"
          f"print(json.dumps({{'backend': 'cuda', **{MACHINE!r}, 'gpu': os.environ.get('GPU', 'NVIDIA Toy'), **{{key: float(text) if key.endswith('_gbps') else text for key, text in (one.split('=', 1) for one in sys.argv[1:])}}, 'processes': 5}}))\n")
    os.chmod(work + "/build/cuda/machine", 0o755)
    lessons = sorted(names, key=lambda step: (not step[0].isdigit(), step))
    result = results("results/new", "", *lessons[:2])
    ok(result.returncode == 0 and "whole" not in result.stdout and ran() == 10, "two parts, by five processes each", result)
    result = results("results/new", "", *lessons)
    ok(result.returncode == 0 and "results/new: whole and consistent" in result.stdout and ran() == 25, "it goes on where it stopped", result)
    ok("git add results/new plots/new\n" in result.stdout and "git commit -m 'Results: NVIDIA Toy'\n" in result.stdout, "what to do next", result)
    rows, wanted = (schema.read_run(f"{folder}/runs.csv")[0] for folder in (work + "/results/new", good))
    key = lambda row: (row["step"], row["variant"], row["n"], row["row"] or 0)  # noqa: E731
    ok([key(row) for row in rows] == sorted(map(key, wanted), key=lambda row: lessons.index(row[0])) and {row["runs"] for row in rows} == {45}, "all rows, in the order of the lessons")
    with open(work + "/results/new/parts.csv") as file:
        parts = [line.split(",") for line in file.read().splitlines()[1:]]
    ok([line[0] for line in parts] == lessons and len({line[2] for line in parts}) == 1 and {line[1] for line in parts} == {"abc1234"}, "a line for each part", parts)
    write(work + "/steps/01_interleaved/v0.cu", "// another kernel\n")
    result = results("results/new", "", lessons[0])
    ok(result.returncode == 0 and ran() == 30, "with other kernels it is measured again", result)
    result = check(work + "/results/new")
    ok("measured with other kernels than the rest: " + lessons[0] in result.stdout, "and the others are of the kernels before", result)
    result = results("results/new", "", lessons[1], FAILS=names[lessons[1]])
    ok(result.returncode == 1 and f"{names[lessons[1]]}: a wrong sum\nleft out: {lessons[1]}\n" in result.stdout, "a program that fails: its part is left out", result)
    result = results("results/new", "", lessons[1], GPU="NVIDIA Other")
    ok(result.returncode == 1 and result.stderr == "measure.py: results/new is of NVIDIA Toy, and this GPU is NVIDIA Other\n", "another GPU", result)
    result = results("results/other", "0", lessons[0], lessons[1])
    ok(result.returncode == 0 and result.stdout == f"0 minutes are over; the same command goes on with {lessons[0]}\n", "so many minutes", result)
    for asked, status, line in ((("results/new", "x"), 2, '"x" is no number of minutes'), (("results/new", "", "17_none"), 2, "no part 17_none: there are 00_baselines"), (("--all",), 2, "usage: ")):
        result = results(*asked)
        ok(result.returncode == status and result.stderr.startswith("measure.py: " + line) and result.stderr.count("\n") == 1, f"results {' '.join(asked)}: one line", result)

this_repository()
tap.done()
