#!/usr/bin/env python3
# What the simulator may cost: each step's default run under 0.5 s of processor time (step 13 under 1 s: its
# accumulators are many, and block 0 polls four words of each block); all of its
# variants at n = 1M under 20 s and 500 MB. A topic of the toolbox has more variants, which do more
# with each element: under 2 s, and n = 256K. Times are of this machine, so they are only limits;
# the measured ones are printed for the reader.
import glob
import os
import re
import resource
import subprocess
import sys

from tap import done, ok

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))


def run(arguments):
    """Seconds of processor time, the largest memory so far in MB, the exit status."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    status = subprocess.run(arguments, stdout=subprocess.DEVNULL, stderr=sys.stderr).returncode
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, after.ru_maxrss / 1024, status


steps = ["step" + re.search(r"/(\d\d)_", folder)[1] for folder in sorted(glob.glob("steps/*/lesson.c"))]
topics = [os.path.basename(folder[:-1]) for folder in sorted(glob.glob("toolbox/*/"))]
for name in steps + topics:
    program = f"build/sim/{name}"
    limit, n = (2, "256K") if name in topics else (1 if name == "step13" else 0.5, "1M")
    seconds, _, status = run([program])
    ok(status == 0 and seconds < limit, f"{name}: {seconds:.2f} s by default, under {limit}")
    seconds, megabytes, status = run([program, "--check", "-n", n])
    ok(status == 0 and seconds < 20, f"{name}: {seconds:.2f} s at n = {n}, under 20")
    ok(megabytes < 500, f"{name}: {megabytes:.0f} MB at most, under 500")
done()
