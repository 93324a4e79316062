#!/usr/bin/env -S python3 -B
"""tools/measure/measure.py COMMAND...: what measures a part, or compares what was measured.

    results              make results: every step and topic on this GPU, its counters if Nsight Compute (ncu) is here, into
                         results/NAME of the GPU's name; checks that folder, and says what to do with it
    rows FOLDER [PROGRAMS [SIZES]]
                         make rows: step 16 alone, after the other steps of FOLDER: its lines of runs.csv and of variants.csv, 16_rows.json; rows_map.csv, its faster kernels in rows of 1 to 16M floats; and machine.json where
                         there is none, or of such a folder. PROGRAMS: build/cuda; SIZES: 64K,1M,16M,256M
    counters-sim FILE.csv
                         the simulator's counts of every program, all launches of a run, at two of the settings of make
                         counters and with the SMs of the GPU that it profiled; beside it what ./run_all.sh --sim counted at
                         64K elements and more, and its machine.json
    errors FILE.csv      how wrong step 11's sums and CUB's are, of numbers of both signs: seeds 1 to 8, 2^31 and 2^24
                         elements, on a GPU; error in units of 2^-24 times the sum of magnitudes
    noise FIRST SECOND   how much two whole runs of ./run_all.sh differ, on the ladder: each time of the folder FIRST beside
                         that of SECOND, and the difference in percent, as a CSV
    variants PROGRAM...  variants.csv of these programs
    time ROUNDS FILE.csv PROGRAM SIZES OTHER_SIZES [OPTION...]
                         the CSV of one program, by several processes, as ./run_all.sh makes it

Exit status: 0 done; 1 a program failed, and then nothing is written; 2 usage, 77 no GPU, or nothing for this program."""
import csv
import io
import os
import re
import shlex
import sys

import programs
import schema
from programs import Failed, collect, described, has, is_other, need, provenance, run, stop, typed, write, write_file

SETTINGS = (("65536", "256"), ("20000", "128"))
LENGTHS = "1,2,4,8,16,32,64,128,256,1K,4K,16K,64K,256K,1M,16M"


def writable(path):
    """A file to be, in a folder that is there."""
    path = typed(path)
    if not os.access(os.path.dirname(path), os.W_OK):
        stop(2, f"cannot write to {os.path.dirname(path)}")
    return path


def results():
    gpu = programs.facts("build/cuda")["gpu"]
    name = programs.folder_name(gpu)
    folder = f"results/{name}"
    programs.shown(["./run_all.sh", "--gpu", "--out", folder])
    print(flush=True)
    ncu = run(["ncu", "--version"]).returncode != 127
    if not ncu:
        print("No counters.csv: ncu (Nsight Compute) is missing. The rest is whole without it.", flush=True)
    elif run(["make", "-s", "counters", f"COUNTERS={folder}/counters.csv"], stdout=None, stderr=None).returncode:  # some machines forbid it
        print("No counters.csv: the rest is whole without it (ncu may need root, or a setting of the driver).", flush=True)
    programs.shown(["tools/measure/check_results.py", folder])
    print(f"""
What to do next:
    look at       {folder} and plots/{name}
    put it into   a branch of your own:
                  git checkout -b results-{name}
                  git add results/{name} plots/{name}
                  git commit -m {shlex.quote(f"Results: {gpu}")}
    then open     a pull request. CONTRIBUTING.md says what it should tell.""")


def rows(folder, where="build/cuda", sizes="64K,1M,16M,256M"):
    folder, rounds = typed(folder), 5
    step = f"{where}/step16"
    if not all(os.access(path, os.X_OK) for path in (step, f"{where}/machine")):
        stop(2, f"no program {step} or machine: make builds them")

    def part(what, make):
        try:
            return make()
        except Failed as failed:
            stop(1, f"{what} failed: {failed.why}; {os.path.relpath(folder)} is as it was")
    origin = [*provenance(), f"processes={rounds}"]
    new = {"16_rows.json": part(f"{where}/machine", lambda: programs.machine(where, *origin))}
    text = part("timing step 16", lambda: collect(rounds, "runs.csv", step, f"1K,{sizes}", f"1K,{sizes}")[0])
    others = programs.read_run(f"{folder}/runs.csv") if os.path.exists(f"{folder}/runs.csv") else []
    new["runs.csv"] = programs.runs([row for row in others if row["step"] != "16_rows"] + list(csv.DictReader(io.StringIO(text))))
    new["rows_map.csv"] = part("timing rows of all lengths", lambda: collect(
        1, "rows_map.csv", step, sizes, sizes, "--row", LENGTHS, "-v", "row_[!t]*,column_s*,ragged_e*")[0])
    header, *lines = part("listing the variants", lambda: programs.list_variants([step])).splitlines(True)
    there = [header]
    if os.path.exists(f"{folder}/variants.csv"):
        with open(f"{folder}/variants.csv") as file:
            there = [line for line in file if not line.startswith("16_rows,")]
        if there[:1] != [header]:
            stop(1, f"adding to {folder}/variants.csv, which has other columns, failed; {os.path.relpath(folder)} is as it was")
    new["variants.csv"] = "".join(there + lines)
    known = f"{folder}/machine.json"
    if not os.path.exists(known) or (schema.read_json(known)[0] or {}).get("only") == "16_rows":
        new["machine.json"] = part(f"{where}/machine", lambda: programs.machine(where, *origin, "only=16_rows"))
    write(folder, new)


def counters_sim(path):
    path = writable(path)
    about, why = schema.read_json("results/h200/counters.json")
    sms = (about or {}).get("sm_count")
    if not sms:
        stop(1, f"results/h200/counters.json {why or 'does not tell how many SMs the GPU has'}")
    lines = []
    for lesson, name in programs.lessons():
        program = f"build/sim/{name}"
        variants = described(program)
        kernels = [v["variant"] for v in variants if has(v, "runs_here") and not has(v, "known_wrong", "on_cpu", "roof")]
        named = ["-v", ",".join(kernels)] if any(has(v, "on_cpu", "roof") for v in variants) else []
        # Of no whole number of their tiles and rows: what answers other questions.
        for n, block in SETTINGS[:1] if any(map(is_other, variants)) else SETTINGS:
            if not kernels:
                continue
            try:
                text = programs.csv_of([program, "--counters", *named, "--sms", str(sms), "-n", n, "-b", block])
            except Failed as failed:
                if "threads cannot be there at once" not in failed.why:
                    stop(1, f"{lesson}: {failed.why}")
                print(f"{programs.name_of_script()}: left out {lesson} at n, block = {n} {block}: {failed.why}", file=sys.stderr)
                continue
            lines += text.splitlines(True)[bool(lines):]
    texts, counted = {os.path.basename(path): "".join(lines)}, "build/results/sim"  # where ./run_all.sh --sim has written
    if os.path.exists(counted + "/runs.csv") and os.path.dirname(path) != f"{programs.ROOT}/{counted}":
        rows = [row for row in programs.read_run(counted + "/runs.csv") if int(row["n"]) >= 1 << 16]
        texts["runs.csv"] = programs.table(list(schema.RUN), rows)
        with open(counted + "/machine.json") as file:
            texts["machine.json"] = file.read()
    write(os.path.dirname(path), texts)


def errors(path):
    path = writable(path)
    need("gpu")
    programs.make("step00", "step11")
    lines = []
    for seed in map(str, range(1, 9)):
        for program, variant in (("step11", "sum_f32"), ("step00", "cub")):
            try:
                text = programs.checked([f"build/cuda/{program}", "-v", variant, "-n", "16M,2G", "--seed", seed, "--check", "--csv", "-"])
            except Failed as failed:
                stop(1, f"./{program} --seed {seed}: {failed.why}")
            lines += [{"variant": row["variant"], "n": row["n"], "seed": seed, "error": f"{float(row['rel_err']) * 2 ** 24:.4g}"}
                      for row in csv.DictReader(io.StringIO(text))]
    write_file(path, programs.table(("variant", "n", "seed", "error"), lines))


def noise(*folders):
    key, times = ("step", "variant", "n", "cache", "launch"), []
    for folder in map(typed, folders):
        path = folder + "/runs.csv"
        if not os.path.lexists(path):
            stop(2, f"no {path}: ./run_all.sh writes it")
        times.append([(tuple(row.get(name) for name in (*key, "row")), row["median_us"]) for row in programs.read_run(path, path)
                      if row["backend"] == "cuda" and row["step"][0].isdigit() and programs.number(row["median_us"]) > 0])
    first, second = dict(times[0]), times[1]
    print(",".join((*key, "first_us", "second_us", "difference_pct")))
    for where, us in second:
        if where in first:
            print(",".join((*where[:-1], first[where], us, f"{100 * (float(us) / float(first[where]) - 1):.2f}")))


def variants(*names):
    print(programs.list_variants(names), end="")


def time(rounds, path, program, sizes, other_sizes, *options):
    if not re.fullmatch("[0-9]{1,3}", rounds):
        stop(2, f'"{rounds}" is no number of rounds')
    text, notes, counts = collect(int(rounds), os.path.basename(path), program, sizes, other_sizes, *options)
    sys.stderr.write(notes)
    write_file(typed(path), text)
    print(counts)


# Command: what does it, how many arguments, at most, and how they look.
COMMANDS = {"results": (results, 0, 0, ""), "rows": (rows, 1, 3, "FOLDER [PROGRAMS [SIZES]], a folder that is there"),
            "counters-sim": (counters_sim, 1, 1, "FILE.csv"), "errors": (errors, 1, 1, "FILE.csv"),
            "noise": (noise, 2, 2, "FIRST_FOLDER SECOND_FOLDER >noise.csv"), "variants": (variants, 1, 999, "PROGRAM..., as in build/sim/step*"),
            "time": (time, 5, 999, "ROUNDS FILE.csv PROGRAM SIZES OTHER_SIZES [OPTION...]")}


def main(arguments):
    if arguments in (["--help"], ["-h"]):
        print(__doc__)
        return 0
    name, *rest = arguments or [""]
    if name not in COMMANDS:
        stop(2, f"usage: tools/measure/measure.py {'|'.join(COMMANDS)} ...; --help tells more")
    does, least, most, usage = COMMANDS[name]
    if not least <= len(rest) <= most or any(text.startswith("-") for text in rest[:least]) or does is rows and not os.path.isdir(typed(rest[0])):
        stop(2, f"usage: tools/measure/measure.py {name} {usage}")
    does(*rest)
    return 0


if __name__ == "__main__":
    programs.begin(main)
