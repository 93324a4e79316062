"""The simulator: what it must run, what it must refuse (each fault at the line that is to blame), what it must count, and simcc's own messages."""
import re

import pytest
from common import plant, read, right, run, write

SIMCC = "SIMT_STRICT=1 simulator/simcc"  # what is wrong by the memory model alone is refused, too
FAULTS = "tests/simt/faults.cu"
# What is said of each stands before its function; and the line that must be named has its mark.
SAYS = {name: re.sub(r"\s+(?:\* )?", " ", says) for says, name in re.findall(r"^/\* ((?:(?!\*/).)+?) \*/\n(?:KERNEL\(|[\w ]+\bvoid [\w() ]*?)(\w+)[(,]", read(FAULTS), re.M | re.S)}
MARKED = [(name, number) for number, line in enumerate(read(FAULTS).splitlines(), 1) for name in " ".join(re.findall(r"/\* FAULT ([\w ]+) \*/", line)).split()]


@pytest.mark.parametrize("program", ["good", "counts"])
def test_right_programs(ok, scratch, program):
    right(f"{SIMCC} -g1 tests/simt/{program}.cu -o {scratch}/{program}")
    ok.told(f"SIMT_STRICT=1 {scratch}/{program}")


@pytest.fixture(scope="module")
def impatient(scratch):
    """A part of the simulator whose clock ticks ten times as often."""
    write(f"{scratch}/hang_detector.c", read("simulator/hang_detector.c"))
    plant(f"{scratch}/hang_detector.c", ("TICK_US = 500000", "TICK_US = 50000"))
    right(f"${{CC:-gcc}} -std=c11 -D_GNU_SOURCE -O2 -Isimulator -Isimulator/include -c {scratch}/hang_detector.c -o {scratch}/hang_detector.o")
    return f"{scratch}/hang_detector.o"


@pytest.fixture(scope="module")
def faults(scratch, impatient):
    """For one of the two that wait for the clock's 3 s it is impatient."""
    right(f"{SIMCC} -c {FAULTS} -o {scratch}/faults.o && {SIMCC} {scratch}/faults.o -o {scratch}/faults && {SIMCC} {impatient} {scratch}/faults.o -o {scratch}/impatient")
    return lambda name: f"SIMT_STRICT=1 {scratch}/{'impatient' if name == 'endless_loop' else 'faults'} {name}"


@pytest.mark.parametrize("name, line", MARKED)
def test_refuses(faults, name, line):
    """Status 1, or a signal's, and one line with place and reason. The limit is processor time: what is endless ends by then."""
    output, status = run(f"sh -c 'ulimit -t 10; exec env {faults(name)}'; exit $?")
    assert status == (139 if name == "host_null" else 1), output
    assert re.search(rf"^simulator: {FAULTS}:{line}: .*{re.escape(SAYS[name])}.*\n(?:Segmentation fault.*\n)?\Z", output, re.M), f"{SAYS[name]}\n{output}"


def test_every_fault_is_tried(faults):
    assert {name for name, _ in MARKED} == set(SAYS)
    assert run(faults("none")) == ("none: nothing was refused\n", 0)


LONG = r"""#include <cstdio>
__global__ void long_loop(unsigned *p, unsigned n)
{
    unsigned x = 1;
    for (unsigned i = 0; i < n; i++)
        x = x * 1664525 + 1013904223;
    *p = x;
}
__global__ void changes(unsigned *p, unsigned n)
{
    while (n > 0) {
        p[threadIdx.x] = p[threadIdx.x] + 1;
        __syncthreads();
    }
}
int main(int argc, char **)
{
    unsigned *p;
    cudaMalloc(&p, 256);
    cudaMemset(p, 0, 256);
    if (argc > 1)
        changes<<<1, 64>>>(p, 1);
    long_loop<<<1, 1>>>(p, 400000000);
    puts(cudaGetErrorName(cudaDeviceSynchronize()));
}
"""


def test_a_loop_that_ends_late_is_no_endless_one(scratch, impatient):
    """A line says that it is still at work. So it does of one that nothing proves endless, as its memory changes in each round."""
    write(f"{scratch}/long.cu", LONG)
    right(f"{SIMCC} -c {scratch}/long.cu -o {scratch}/long.o && {SIMCC} {impatient} {scratch}/long.o -o {scratch}/long")
    at_work = r"block \(0,0,0\), thread \(\d+,0,0\): still at work: for 0\.6 s no thread has ended: a long loop, or an endless one\n"
    output, status = run(f"{scratch}/long")
    assert status == 0 and re.fullmatch(rf"simulator: \S+long\.cu:[56]: long_loop, {at_work}cudaSuccess\n", output), output
    output, _ = run(f"sh -c 'ulimit -t 3; exec {scratch}/long changes'")
    assert re.search(rf"^simulator: \S+long\.cu:1[123]: changes, {at_work}", output, re.M), output


def test_a_missing_file(ok, scratch):
    ok.refused(f"simulator/simcc {scratch}/missing.cu -o {scratch}/x", 2, r"simcc: \S+missing\.cu: no such file")
