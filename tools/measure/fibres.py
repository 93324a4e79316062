#!/usr/bin/env python3
"""tools/measure/fibres.py [FOLDER]: what fibres cost, and what the simulator costs with them.

Writes into results/fibres, or FOLDER:
    switch.csv   nanoseconds of processor time from one fibre to another, for the way of
                 simulator/fibre.c (setjmp), for swapcontext() and for Boost.Context
    runs.csv     seconds of processor time and megabytes of whole runs, each variant at
                 n = 1M: only checked, with each of the three; and with --counters
    fibres.json  where and when
`make fibres` calls it. Needs libboost-context-dev for Boost.Context.

Exit status: 0 all right, 1 something failed, 2 usage.
"""
import csv
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
METHODS = {  # name: (C file, libraries)
    "setjmp": ("simulator/fibre.c", []),
    "swapcontext": ("tests/bench/fibre_swapcontext.c", []),
    "boost": ("tests/bench/fibre_boost.c", ["-lboost_context"]),
}
BOOST = "/usr/include/boost/version.hpp"
SIZE, REPEATS = 1 << 20, 3
COMPILE = ["gcc", "-std=c11", "-D_GNU_SOURCE", "-O2", "-g", "-Isimulator", "-Isimulator/include"]


def stop(status, message):
    print("fibres.py: " + message, file=sys.stderr)
    sys.exit(status)


def run(command):
    """Its standard output; stops if it fails."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        stop(1, f"{' '.join(command)} failed:\n{done.stderr}")
    return done.stdout


def cost(command):
    """Seconds of processor time and megabytes, the least of some runs."""
    best = (float("inf"), float("inf"))
    for _ in range(REPEATS):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        if status != 0:
            stop(1, f"{' '.join(command)} failed")
        best = min(best[0], used.ru_utime + used.ru_stime), min(best[1], used.ru_maxrss / 1024)
    return best


def variants(program):
    """Those that run on the simulator and are not wrong on purpose."""
    text = run([program, "--list"])
    return [name for name, about in re.findall(r"^(\w+) +(.*\n(?: {10}.*\n)*)", text, re.M)
            if "specimen" not in about and "CPU" not in about]


def write(path, header, rows):
    with open(path, "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header] + rows)


def main(arguments):
    if len(arguments) > 1 or (arguments and arguments[0].startswith("-")):
        stop(2, "usage: tools/measure/fibres.py [FOLDER]")
    folder = os.path.abspath(arguments[0]) if arguments else os.path.join(ROOT, "results", "fibres")
    if not os.path.exists(BOOST):
        stop(1, "no Boost.Context here to compare with: apt-get install libboost-context-dev")
    os.chdir(ROOT)
    run(["make", "-s", "BACKEND=sim", "all", f"-j{os.cpu_count()}"])
    objects = [path for path in glob.glob("build/sim/common/*.o") + glob.glob("build/sim/simulator/*.o")
               if not path.endswith(("/machine_main.o", "/fibre.o"))]
    switches, runs = [], []
    with tempfile.TemporaryDirectory() as scratch:
        for method, (source, libraries) in METHODS.items():
            fibre = f"{scratch}/{method}.o"
            run(COMPILE + ["-c", source, "-o", fibre])
            program = f"{scratch}/{method}"
            run(COMPILE + ["tests/bench/switch.c", fibre, "-o", program] + libraries)
            switches += [[method] + line.split(",") for line in run([program]).split()]
            for step in sorted(glob.glob("steps/0[1-7]_*")):
                own = glob.glob(f"build/sim/{step}/*.o")
                run(["g++", "-fopenmp"] + objects + own + [fibre, "-o", program, "-lm"] + libraries)
                for variant in variants(program):
                    command = [program, "-n", str(SIZE), "-v", variant, "--check"]
                    modes = {"check": [], "count": ["--counters"]} if method == "setjmp" else {"check": []}
                    for mode, options in modes.items():
                        seconds, megabytes = cost(command + options)
                        runs.append([method, os.path.basename(step), variant, SIZE, mode, f"{seconds:.3f}",
                                     f"{megabytes:.0f}"])
    commit = os.environ.get("COMMIT") or run(["git", "describe", "--always", "--dirty=+changes"]).strip()
    about = json.loads(run(["build/sim/machine", f"commit={commit}",
                            f"date={time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())}"]))
    about = {key: about[key] for key in ("cpu", "host_compiler", "commit", "date")}
    about["libc"] = " ".join(os.confstr("CS_GNU_LIBC_VERSION").split())
    with open(BOOST) as file:
        about["boost"] = re.search(r'BOOST_LIB_VERSION "(.*)"', file.read())[1].replace("_", ".")
    os.makedirs(folder, exist_ok=True)
    write(folder + "/switch.csv", ["method", "fibres", "switches", "runs", "min_ns", "median_ns"], switches)
    write(folder + "/runs.csv", ["method", "step", "variant", "n", "mode", "seconds", "megabytes"], runs)
    with open(folder + "/fibres.json", "w") as file:
        json.dump(about, file, indent=2)
        file.write("\n")
    print(f"wrote {os.path.relpath(folder, ROOT)}: switch.csv, runs.csv, fibres.json")


if __name__ == "__main__":
    main(sys.argv[1:])
