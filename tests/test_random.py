"""Random kernels of loads, stores, atomics, barriers, shuffles, votes, branches and loops (random/generate.py): the simulator leaves in memory what a
plain interpreter of the same operations does, in every order, and has nothing to complain of. RANDOM=10000 tests/run
tests/test_random.py: so many of them; RANDOM_SEED=7: others."""
import os
import re

import pytest
from common import right, run

pytestmark = pytest.mark.more
NIGHTLY = os.environ.get("TESTS", "all") in ("all", "nightly")
MANY, SEED = int(os.environ.get("RANDOM", 180 if NIGHTLY else 90)), int(os.environ.get("RANDOM_SEED", 1))
MOST = 250 if MANY > 1000 else min(MANY, 90)  # in one file


@pytest.fixture(scope="module")
def generated(scratch):
    """(name, arguments of generate.py) -> a program."""
    def build(name, arguments):
        path = f"{scratch}/{name}"
        right(f"tests/random/generate.py {arguments} >{path}.cu && simulator/simcc -std=c++20 -Itests/random -g1 {path}.cu -o {path}")
        return path
    return build


@pytest.mark.parametrize("seed", range(SEED + 1, SEED + 1 + -(-MANY // MOST)))
def test_the_same_memory_in_every_order(ok, generated, seed):
    program, sums = generated(f"random{seed}", f"{MOST} {seed}"), set()
    for schedule in (0, 10 * seed, 10 * seed + 1, 10 * seed + 2):
        command = f"SIMT_SCHEDULE={schedule} {program}"
        output, status = run(command)
        said = re.sub(r"^simulator: note: .*: waits at __syncthreads\(\), but thread \d+ has returned without it\n", "", output, flags=re.M)  # any other note counts
        found = re.fullmatch(rf"{MOST} kernels, 0 differ, checksum (\w+)\n", said)
        ok(found and status == 0, command, output)
        sums.add(found and found[1])
    ok(len(sums) == 1, "the same memory in every order", sums)


@pytest.mark.parametrize("fault, says", [("barrier", r"faulty\S*: \S+ race in shared memory"), ("lane", "^faulty: word 5 of thread 0 of block 0 is 0x00000001, not 0x00000000"),
                                         ("constant", "^faulty: word 6 of thread 0 ")])
def test_a_fault_in_a_kernel_is_found(generated, fault, says):
    right(f"SIMT_STRICT=1 {generated(fault, f'1 {SEED} --fault={fault}')}", 1, says)
