"""Three steps for aarch64, the processor of Grace and of Jetson, built here and run under qemu-user, where both are
installed: they print what the same steps print on this machine, sums and counts, to the last digit."""
import os
import shutil

import pages
import pytest
from common import ROOT, right, run

STEPS = ("step01", "step05", "step09")  # a tree of additions, shuffles, and blocks that wait for each other
QEMU = shutil.which("qemu-aarch64-static") or shutil.which("qemu-aarch64")
GCC = next((gcc for gcc in ("aarch64-linux-gnu-gcc", *(f"aarch64-linux-gnu-gcc-{version}" for version in (12, 13, 14)))
            if shutil.which(gcc) and shutil.which(gcc.replace("gcc", "g++", 1))), None)


@pytest.mark.nightly
@pytest.mark.skipif(not QEMU or not GCC or os.uname().machine == "aarch64", reason="needs qemu-user-static and g++-aarch64-linux-gnu")
def test_three_steps_for_aarch64(ok, scratch):
    def counted(program):
        """At a size that is quick. qemu keeps a record of every page that is reserved, so there are few."""
        return run(f"ulimit -v 16000000; exec {program} -n 1000,64K --counters")

    pages.Tree(scratch)
    right(f"make -C {scratch} -j2 BACKEND=sim CC={GCC} CXX={GCC.replace('gcc', 'g++', 1)} {' '.join(STEPS)}")
    for step in STEPS:
        with open(f"{scratch}/build/sim/{step}", "rb") as program:
            ok(program.read(20)[18:20] == b"\xb7\x00", f"{step} is a program for aarch64")
        there = counted(f"{QEMU} -L /usr/aarch64-linux-gnu {scratch}/build/sim/{step}")
        ok(there[1] == 0 and there == counted(f"{ROOT}/build/sim/{step}"), f"{step}: the same sums and counts as here", there[0])
