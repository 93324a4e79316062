#!/usr/bin/env python3
# tier: nightly
# What the simulator may cost: each step's default run, and all of its variants at n = 1M. A topic of the toolbox has
# more variants, which do more with each element: n = 256K there. A slow machine takes longer for everything, so the
# limits are in turns: one is the processor time that this Python takes for a loop, in the same run. A turn is some 0.4 s
# on the machine that set the limits. Step 13 may take more: its accumulators are many.
import glob
import os
import re
import resource
import subprocess
import sys

from tap import done, ok

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
TURN = [sys.executable, "-c", "for i in range(5_000_000): i * i"]


def run(arguments):
    """Seconds of processor time, the largest memory so far in MB, the exit status."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    status = subprocess.run(arguments, stdout=subprocess.DEVNULL, stderr=sys.stderr).returncode
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, after.ru_maxrss / 1024, status


def costs(what, program, limit):
    """It may take so many turns. If it took more, both are timed once more: others use this machine, too."""
    for turn in (turns, None):
        turn = turn or run(TURN)[0]
        seconds, megabytes, status = run(program)
        if seconds < limit * turn:
            break
    ok(status == 0 and seconds < limit * turn, f"{what}: {seconds / turn:.2f} turns, under {limit}", f"{seconds:.2f} s, status {status}")
    return megabytes


turns = run(TURN)[0]
steps = ["step" + re.search(r"/(\d\d)_", folder)[1] for folder in sorted(glob.glob("steps/*/lesson.c"))]
topics = [os.path.basename(folder[:-1]) for folder in sorted(glob.glob("steps/toolbox/*/"))]
for name in steps + topics:
    program = f"build/sim/{name}"
    limit, n = (5, "256K") if name in topics else (2.5 if name == "step13" else 1.25, "1M")
    costs(f"{name} by default", [program], limit)
    megabytes = costs(f"{name} at n = {n}", [program, "--check", "-n", n], 20)
    ok(megabytes < 500, f"{name}: {megabytes:.0f} MB at most, under 500")
done()
