"""What the simulator may cost: each step's default run, and all of its variants at n = 1M. A topic of the toolbox has more variants, which do more
with each element: n = 256K there. A slow machine takes longer for everything, so the limits are in turns: one is the processor time that this Python
takes for a loop, in the same run. They leave room: what the system takes of a program's time differs from one machine to the next."""
import os
import subprocess
import sys

import pytest
from common import PROGRAMS, TOOLS, built

pytestmark = pytest.mark.nightly
TURN = [sys.executable, "-c", "for i in range(5_000_000): i * i"]


def cost(arguments):
    """Seconds of processor time, the largest memory in MB, the exit status."""
    program = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(program.pid, 0)
    program.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, program.returncode


@pytest.fixture(scope="module")
def turns():
    return [cost(TURN)[0]]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_what_a_program_costs(ok, turns, program):
    default, n = (5, "256K") if program in TOOLS else (2.5, "1M")
    for limit, options in (default, []), (20, ["--check", "-n", n]):
        command = [built(program.command), *options]
        seconds, megabytes, status = cost(command)
        if seconds >= limit * turns[-1]:  # both are timed once more: others use this machine, too
            turns.append(cost(TURN)[0])
            seconds, megabytes, status = cost(command)
        ok(status == 0 and seconds < limit * turns[-1], f"{' '.join(command)}: {seconds / turns[-1]:.2f} turns, under {limit}", f"{seconds:.2f} s, status {status}")
        ok(megabytes < 500, f"{' '.join(command)}: {megabytes:.0f} MB at most, under 500")
