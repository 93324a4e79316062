#!/usr/bin/env -S python3 -B
"""gpu_file.py [FOLDER]: what the model of time must know of a GPU (docs/time.md), as far as it can be measured: lines for a file.toml.

Of this GPU, by build/cuda/machine, levels, shuffle_cost and vote_cost, which make machine builds; or of a folder of results/ that has
its experiments. What it does not say is as in a GPU of the same generation. Exit status: 0; 1 a program fails; 2 usage."""
import csv
import io
import json
import os
import subprocess

from programs import begin, stop

ALIKE = {"10": "h200", "9": "h200", "8.9": "rtx4090", "8.6": "rtx3060", "8": "a30", "7": "t4", "6": "gtx1060"}  # by compute capability


def text_of(path, *programs):
    """Of a file, or what the programs print, one after another."""
    if path:
        try:
            with open(path) as file:
                return file.read()
        except OSError as error:
            stop(2, f"{path}: {error.strerror}")
    printed = ""
    for program in programs:
        try:
            done = subprocess.run([f"build/cuda/{program}"], stdout=subprocess.PIPE, text=True, check=False)
        except OSError as error:
            stop(2, f"build/cuda/{program}: {error.strerror}: make machine builds it")
        if done.returncode:
            stop(1, f"build/cuda/{program} failed")
        printed += done.stdout
    return printed


def cycles(rows, operation):
    """Of one operation, of one that depends on the one before it."""
    return next(float(r["cycles_a_round"]) for r in rows if r["operation"] == operation)


def figures(machine, level, clocks):
    """(name, value, source) of each line."""
    at = {name: cycles(clocks, name) for name in ("add", "shuffle", "any", "match_1", "match_32", "reduce_add", "barrier", "barrier_8")}
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


def main(arguments):
    if len(arguments) > 1 or arguments[:1] and arguments[0].startswith("-"):
        stop(2, "usage: gpu_file.py [FOLDER]")
    of = (lambda name: os.path.join(arguments[0], name)) if arguments else lambda name: None
    machine = json.loads(text_of(of("machine.json"), "machine"))
    if machine["backend"] != "cuda":
        stop(2, "that folder is of no GPU")
    level = {r["level"]: r for r in csv.DictReader(io.StringIO(text_of(of("experiments/levels.csv"), "levels")))}
    clocks = list(csv.DictReader(io.StringIO(text_of(of("experiments/shuffle_cost.csv"), "shuffle_cost", "vote_cost"))))
    capability = machine["compute_capability"]
    print(f'like = "{ALIKE.get(capability, ALIKE.get(capability.split(".")[0], "h200"))}"\nname = "{machine["gpu"]}"')
    for name, value, source in figures(machine, level, clocks):
        print(f"{f'{name} = {value:.5g}':<22} # measured: {source}")
    print("uncertainty = 0.2      # no time of a kernel was compared")
    return 0


if __name__ == "__main__":
    begin(main)
