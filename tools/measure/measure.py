#!/usr/bin/env -S python3 -B
"""tools/measure/measure.py COMMAND...: what measures a folder of results, and what the simulator and the model of time say beside it.

    results [FOLDER [MINUTES [PART...]]]
                         make results: all parts of a folder of results, on this GPU, or these parts; FOLDER: results/NAME of the
                         GPU's name. What FOLDER has is not measured again, so it goes on where it stopped; after MINUTES it
                         begins no further part. At the end it checks the folder, and says what to do with it
    counters-sim FILE.csv
                         the simulator's counts of every program, all launches of a run, at two of the settings of make
                         counters and with the SMs of the GPU that it profiled; beside it what ./run_all.sh --sim counted at
                         64K elements and more, and its machine.json
    model FILE.csv [PROGRAM...]
                         what the model of time predicts where results/ has measurements
    gpu [FOLDER]         what that model must know of a GPU (docs/time.md), as far as it can be measured: lines for a file.toml. What
                         they do not say is as in a GPU of the same generation

Exit status: 0 done; 1 a program failed, and nothing of that part is written; 2 usage, 77 no GPU, or nothing for this program."""
import json
import os
import re
import shlex
import sys
import time

import compare
import programs
import schema
import tables_model
import tree
from programs import Failed, Part, collect, described, has, is_other, read, rows_of, run, stop, typed, write, write_file
from run_all import roofs, sizes_of_run

SETTINGS = (("65536", "256"), ("20000", "128"))


ROUNDS = 3  # processes that time each step: fewer than ./run_all.sh has, since there are many parts
NOISE = ("01_interleaved", "03_unrolled", "05_warp_shuffle")  # steps that are timed once more


def lesson(part, name, program, memory):
    """Its lines of runs.csv, beside those of the others."""
    other_sizes, sizes = sizes_of_run("cuda", memory, "")
    text, notes, _ = collect(ROUNDS, "runs.csv", f"build/cuda/{program}", sizes, other_sizes)
    print(notes, end="")
    path, order = f"{part.folder}/runs.csv", [name for name, _ in programs.lessons()]
    rows = [row for row in (programs.read_run(path) if os.path.exists(path) else []) if row["step"] != name] + rows_of(text)
    rows.sort(key=lambda row: order.index(row["step"]))
    part.write({"runs.csv": programs.runs(rows), "variants.csv": programs.list_variants([f"build/cuda/{program}" for _, program in programs.lessons()])},
               f"processes={ROUNDS}", *roofs(rows))


def rows_map(part):
    """The faster kernels of step 16 in rows of 1 to 16M floats, cold, and in rows of some odd lengths."""
    rows = [row for sizes, lengths in (("64K,1M,16M,256M", "1,2,4,8,16,32,64,128,256,1K,4K,16K,64K,256K,1M,16M"), ("252M", "7,21,63"))
            for row in rows_of(collect(1, "rows_map.csv", "build/cuda/step16", sizes, sizes, "--row", lengths, "-v", "row_[!t]*,column_s*,ragged_e*")[0])]
    part.write({"rows_map.csv": programs.runs([row for row in rows if (row["cache"], row["launch"]) == ("cold", "plain")])})


def noise(part):
    """Some steps once more: how far a time may be from that of runs.csv."""
    key, lines = ("step", "variant", "n", "cache", "launch"), []
    first = {tuple(row[name] for name in key): row["median_us"] for row in programs.read_run(part.folder + "/runs.csv") if row["backend"] == "cuda"}
    for name, program in programs.lessons():
        if name in NOISE:
            for row in rows_of(collect(ROUNDS, "noise.csv", f"build/cuda/{program}", "1M,16M,256M", "")[0]):
                where = tuple(row[name] for name in key)
                if where in first:
                    lines.append({**dict(zip(key, where)), "difference_pct": f"{100 * (float(row['median_us']) / float(first[where]) - 1):.2f}"})
    part.write({"noise.csv": programs.table((*key, "difference_pct"), lines)})


def texts(part):
    """What two programs print: hard arrays summed exactly, and the race of step 04's specimen."""
    race = ["compute-sanitizer", "--tool", "racecheck", "build/cuda/step04", "--check", "-v", "v6_volatile", "-n", "4096", "-b", "256"]
    programs.make("build/cuda/library_exact")
    found = run(race).stdout
    if "COMPUTE-SANITIZER" not in found:
        raise Failed(1, found, "compute-sanitizer did not run\n")
    part.write({"exact_contract.txt": programs.checked(["build/cuda/library_exact"]), "racecheck.txt": f"# {' '.join(race)}\n{found}"})


def parts(folder, memory):
    """(name, what measures it) of all parts of a folder: a function of a Part, or a command that makes one."""
    for name, program in programs.lessons():
        if tree.in_folder(name, {}):
            yield name, lambda part, name=name, program=program: lesson(part, name, program, memory)
    nsight = ["tools/measure/nsight.py"]
    yield "counters", [*nsight, "counters", f"{folder}/counters.csv"]
    for subject in compare.SUBJECTS:
        if subject != "gpus":
            yield compare.part_name(subject), ["tools/measure/compare.py", subject, folder]
    yield "experiments", ["tools/measure/experiments.py", "cuda", folder]
    yield from (("rows_map", rows_map), ("noise", noise), ("texts", texts))
    yield "passes", [*nsight, "passes", f"{folder}/passes.csv"]
    yield "profile", [*nsight, "peak", f"{folder}/profile.csv"]
    yield "exact_profile", [*nsight, "peak", f"{folder}/exact_profile.csv", "exact"]


def recorded(folder):
    """Part -> seconds, of those that were measured with the kernels of today."""
    now = programs.kernels()
    return {line["part"]: line["seconds"] for line in programs.parts_of(folder) if line["kernels"] == now}


def results(folder="", minutes="", *asked):
    if minutes and not re.fullmatch(r"\d{1,4}", minutes):
        stop(2, f'"{minutes}" is no number of minutes')
    gpu, memory = (programs.facts("build/cuda").get(key) for key in ("gpu", "memory_bytes"))
    folder = typed(folder) if folder else f"{programs.ROOT}/results/{programs.folder_name(gpu)}"
    shown, begun, all_of_them, failed = os.path.relpath(folder), time.monotonic(), dict(parts(folder, memory)), 0
    for name in asked:
        if name not in all_of_them:
            stop(2, f"no part {name}: there are {', '.join(all_of_them)}")
    os.makedirs(folder, exist_ok=True)
    for name, how in all_of_them.items():
        if name in recorded(folder) or asked and name not in asked:
            continue
        if minutes and time.monotonic() - begun > 60 * float(minutes):
            print(f"{minutes} minutes are over; the same command goes on with {name}", flush=True)
            return failed
        print(f"{name}: ", end="", flush=True)
        part, status = Part(folder, name), 0
        try:
            if callable(how):
                how(part)
            else:
                print(flush=True)
                status = run(how, stdout=None, stderr=None).returncode
        except Failed as why:
            print(why.why)
            status = why.status
        if name in recorded(folder):
            print(f"{recorded(folder)[name]} s", flush=True)
        else:
            print(f"left out: {name}", flush=True)
            failed = failed or status != 77  # what is missing here is no failure
    lacking = [name for name in all_of_them if name not in recorded(folder)]
    if lacking:
        print(f"Not measured: {', '.join(lacking)}", flush=True)
    if any(tree.in_folder(name, {}) and name in lacking for name, _ in programs.lessons()):
        return failed
    programs.shown(["tools/measure/check_results.py", folder])
    print(f"""
What to do next:
    draw it       make plots
    look at       {shown} and plots/{os.path.basename(folder)}
    put it into   a branch of your own:
                  git checkout -b results-{os.path.basename(folder)}
                  git add {shown} plots/{os.path.basename(folder)}
                  git commit -m {shlex.quote(f"Results: {gpu}")}
    then open     a pull request. CONTRIBUTING.md says what it should tell.""")
    return failed


def counters_sim(path):
    folder, name = os.path.split(typed(path))
    if not os.access(folder, os.W_OK):
        stop(2, f"cannot write to {folder}")
    about, why = schema.read_json("results/h200/machine.json")
    sms = (about or {}).get("sm_count")
    if not sms:
        stop(1, f"results/h200/machine.json {why or 'does not tell how many SMs the GPU has'}")
    counts = []
    for lesson, program in ((lesson, f"build/sim/{name}") for lesson, name in programs.lessons()):
        variants = described(program)
        kernels = [v["variant"] for v in variants if has(v, "runs_here") and not has(v, "known_wrong", "on_cpu", "roof")]
        named = ["-v", ",".join(kernels)] if any(has(v, "on_cpu", "roof") for v in variants) else []
        # Of no whole number of their tiles and rows: what answers other questions.
        for n, block in SETTINGS[:1] if any(map(is_other, variants)) else SETTINGS:
            if not kernels:
                continue
            try:
                counts.append(programs.csv_of([program, "--counters", *named, "--sms", str(sms), "-n", n, "-b", block]))
            except Failed as failed:
                if "threads cannot be there at once" not in failed.why:
                    stop(1, f"{lesson}: {failed.why}")
                print(f"{programs.name_of_script()}: left out {lesson} at n, block = {n} {block}: {failed.why}", file=sys.stderr)
    texts, counted = {name: programs.joined(counts)}, "build/results/sim"  # where ./run_all.sh --sim has written
    if os.path.exists(counted + "/runs.csv") and folder != f"{programs.ROOT}/{counted}":
        texts["runs.csv"] = programs.runs([row for row in programs.read_run(counted + "/runs.csv") if int(row["n"]) >= 1 << 16])
        texts["machine.json"] = read(counted + "/machine.json")
        texts = {name: programs.light(text, json.loads(texts["machine.json"])) for name, text in texts.items()}
    write(folder, texts)


# ---- the model of time: what it predicts, and what it must know of a GPU ----

PREDICTED = "gpu,step,variant,n,row,model_low_us,model_high_us,model_limit".split(",")


def predict(gpu, program, sizes, row):
    """The rows of one program for one GPU, as dictionaries; row: floats of a row, "" for none."""
    command = [f"./{program}", "--model", gpu, "-n", ",".join(map(str, sorted(sizes))), "--csv", "-"] + (["--row", row] if row else [])
    done = programs.run(command)
    if done.returncode not in (0, 77):
        stop(1, f"{' '.join(command)}: {done.stderr.strip().splitlines()[-1]}")
    return [dict(line, gpu=gpu) for line in rows_of(done.stdout) if not row or line["row"] in (row, "0")]


def model(path, *names):
    """What it predicts where results/ has measurements, for the GPUs and shapes that were measured. Builds nothing: make model does."""
    write_file(typed(path), programs.table(PREDICTED, [
        row for gpu, program, row, sizes in tables_model.asked() if not names or program in names
        for row in predict(gpu, program, sizes, row) if row["model_limit"] != "refused"]))


ALIKE = {"10": "h200", "9": "h200", "8.9": "rtx4090", "8.6": "rtx3060", "8": "a30", "7": "t4", "6": "gtx1060"}  # by compute capability


def text_of(path, *names):
    """Of a file, or what these programs print, one after another."""
    if path:
        try:
            with open(path) as file:
                return file.read()
        except OSError as error:
            stop(2, f"{path}: {error.strerror}")
    return programs.joined(programs.checked([f"build/cuda/{name}"]) for name in names)


def figures(machine, level, at):
    """(name, value, source) of each line. at: cycles of an operation that depends on the one before it."""
    each = (at["barrier_8"] - at["barrier"]) / 7
    yield from (("sms", machine["sm_count"], "machine"), ("mhz", machine["sm_clock_mhz"], "machine: the highest"),
                ("gbps", machine["theoretical_gbps"], "machine: the memory's peak"), ("l2_mb", machine["l2_bytes"] / (1 << 20), "machine"))
    yield from ((name, float(level[of]["cycles"]), "levels") for name, of in (("l1", "l1"), ("l2", "l2"), ("dram", "memory"), ("shared", "shared")))
    yield "l2_gbps", float(level["l2"]["gbps"]), "levels"
    yield from (("alu", round(at["add"]), "shuffle_cost"), ("shuffle", at["shuffle"], "shuffle_cost"), ("barrier", at["barrier"] - each, "shuffle_cost"),
                ("barrier_warp", each, "shuffle_cost"), ("vote", at["any"], "vote_cost"), ("match", at["match_1"], "vote_cost"),
                ("match_value", (at["match_32"] - at["match_1"]) / 31, "vote_cost"), ("reduce", at["reduce_add"] - at["add"], "vote_cost"))
    if machine.get("copy_gbps"):
        yield "write_cost", 2 * machine["read_gbps"] / machine["copy_gbps"] - 1, "a copy against a plain read"


def gpu(folder=None):
    """Lines for a file.toml: of this GPU, by the programs that make machine builds, or of a folder of results that has its experiments."""
    of = (lambda name: os.path.join(typed(folder), name)) if folder else lambda name: None
    about = json.loads(text_of(of("machine.json"), "machine"))
    if about["backend"] != "cuda":
        stop(2, "that folder is of no GPU")
    level = {r["level"]: r for r in rows_of(text_of(of("experiments/levels.csv"), "levels"))}
    cycles = {r["operation"]: float(r["cycles_a_round"]) for r in reversed(rows_of(text_of(of("experiments/shuffle_cost.csv"), "shuffle_cost", "vote_cost")))}
    capability = about["compute_capability"]
    print(f'like = "{ALIKE.get(capability, ALIKE.get(capability.split(".")[0], "h200"))}"\nname = "{about["gpu"]}"')
    for name, value, source in figures(about, level, cycles):
        print(f"{f'{name} = {value:.5g}':<22} # measured: {source}")
    print("uncertainty = 0.2      # no time of a kernel was compared")


# Command: what does it, how many arguments, at least and at most, and how they look.
COMMANDS = {"results": (results, 0, 99, "[FOLDER [MINUTES [PART...]]]"), "counters-sim": (counters_sim, 1, 1, "FILE.csv"),
            "model": (model, 1, 99, "FILE.csv [PROGRAM...]"), "gpu": (gpu, 0, 1, "[FOLDER]")}


def main(arguments):
    name, *rest = arguments or [""]
    if name not in COMMANDS:
        stop(2, f"usage: tools/measure/measure.py {'|'.join(COMMANDS)} ...; --help tells more")
    does, least, most, usage = COMMANDS[name]
    if not least <= len(rest) <= most or any(text.startswith("-") for text in rest):
        stop(2, f"usage: tools/measure/measure.py {name} {usage}")
    return int(does(*rest) or 0)


if __name__ == "__main__":
    programs.begin(main, __doc__)
