#!/usr/bin/env python3
# tier: nightly
"""Three steps for aarch64, the processor of Grace and of Jetson, built here and run under qemu-user, where both are
installed: they print what the same steps print on this machine, sums and counts, to the last digit."""
import os
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import pages
from tap import GUARD, done, ok, skip

STEPS = ("step01", "step05", "step09")  # a tree of additions, shuffles, and blocks that wait for each other
SYSROOT = "/usr/aarch64-linux-gnu"
QEMU = shutil.which("qemu-aarch64-static") or shutil.which("qemu-aarch64")
GCC = next((gcc for gcc in ("aarch64-linux-gnu-gcc", "aarch64-linux-gnu-gcc-12", "aarch64-linux-gnu-gcc-13", "aarch64-linux-gnu-gcc-14")
            if shutil.which(gcc) and shutil.which(gcc.replace("gcc", "g++", 1))), None)


def counted(*command):
    """What a step prints, at a size that is quick. qemu keeps a record of every page that is reserved, so there are few."""
    result = subprocess.run(["bash", "-c", 'ulimit -v 16000000; exec "$@"', "bash", *command, "-n", "1000,64K", "--counters"],
                            capture_output=True, text=True, timeout=GUARD)
    return result.returncode, result.stdout, result.stderr


if QEMU and GCC and os.uname().machine != "aarch64":
    with tempfile.TemporaryDirectory() as clone:
        pages.Tree(clone)
        cross = ["make", "-j2", "BACKEND=sim", "CC=" + GCC, "CXX=" + GCC.replace("gcc", "g++", 1)]
        made = subprocess.run([*cross, *STEPS], cwd=clone, capture_output=True, text=True)
        ok(made.returncode == 0, "a cross compiler builds them", made.stdout + made.stderr)
        for step in STEPS:
            with open(f"{clone}/build/sim/{step}", "rb") as program:
                ok(program.read(20)[18:20] == b"\xb7\x00", f"{step} is a program for aarch64")
            there = counted(QEMU, "-L", SYSROOT, f"{clone}/build/sim/{step}")
            ok(there[0] == 0 and there == counted(f"{pages.ROOT}/build/sim/{step}"), f"{step}: the same sums and counts as here", there)
else:
    skip("three steps for aarch64", "needs qemu-user-static and g++-aarch64-linux-gnu")
done()
