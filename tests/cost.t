#!/usr/bin/env python3
# What the simulator may cost: each step's default run under 2 s; every variant at
# n = 1M together under 20 s and 500 MB. The toolbox has three times as many variants as any
# other: under 4 s, and n = 256K. Times are of this machine, so they are only
# limits; the measured ones are printed for the reader.
import glob
import os
import re
import resource
import subprocess
import sys
import time

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
tests = failures = 0


def ok(good, what):
    global tests, failures
    tests += 1
    failures += not good
    print(f"{'ok' if good else 'not ok'} {tests} - {what}")


def run(arguments):
    """Seconds of processor time, the largest memory so far in MB, the exit status."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    status = subprocess.run(arguments, stdout=subprocess.DEVNULL, stderr=sys.stderr).returncode
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, after.ru_maxrss / 1024, status


for folder in sorted(glob.glob("steps/[0-9]*")):
    number = re.search(r"steps/(\d\d)_", folder).group(1)
    program = f"build/sim/step{number}"
    limit, n = (4, "256K") if number == "08" else (2, "1M")
    seconds, _, status = run([program])
    ok(status == 0 and seconds < limit, f"step{number}: {seconds:.2f} s by default, under {limit}")
    seconds, megabytes, status = run([program, "--check", "-n", n])
    ok(status == 0 and seconds < 20, f"step{number}: {seconds:.2f} s at n = {n}, under 20")
    ok(megabytes < 500, f"step{number}: {megabytes:.0f} MB at most, under 500")
print(f"1..{tests}")
sys.exit(failures > 0)
