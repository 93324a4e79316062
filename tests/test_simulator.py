"""What the simulator says of long loops, and simcc of a missing file. (What it must run, count and refuse: tests/simt.)"""
import re

import pytest
from common import plant, read, right, run, write

SIMCC = "SIMT_STRICT=1 simulator/simcc"  # what is wrong by the memory model alone is refused, too


@pytest.fixture(scope="module")
def impatient(scratch):
    """A part of the simulator whose clock ticks ten times as often."""
    write(f"{scratch}/hang_detector.c", read("simulator/hang_detector.c"))
    plant(f"{scratch}/hang_detector.c", ("TICK_US = 500000", "TICK_US = 50000"))
    right(f"${{CC:-gcc}} -std=c11 -D_GNU_SOURCE -O2 -Isimulator -Isimulator/include -c {scratch}/hang_detector.c -o {scratch}/hang_detector.o")
    return f"{scratch}/hang_detector.o"


LONG = r"""#include <cstdio>
#include <ctime>
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
    const unsigned few = 1 << 24; // a try: the loop shall take 1 s of any machine; watched, it is some times slower
    const clock_t begun = clock();
    long_loop<<<1, 1>>>(p, few);
    cudaDeviceSynchronize();
    long_loop<<<1, 1>>>(p, (unsigned)(1.0 * CLOCKS_PER_SEC / (double)(clock() - begun) * few));
    puts(cudaGetErrorName(cudaDeviceSynchronize()));
}
"""


@pytest.mark.more
def test_a_loop_that_ends_late_is_no_endless_one(scratch, impatient):
    """A line says that it is still at work. So it does of one that nothing proves endless, as its memory changes in each round."""
    write(f"{scratch}/long.cu", LONG)
    right(f"{SIMCC} -c {scratch}/long.cu -o {scratch}/long.o && {SIMCC} {impatient} {scratch}/long.o -o {scratch}/long")
    at_work = r"block \(0,0,0\), thread \(\d+,0,0\): still at work: for 0\.6 s no thread has ended: a long loop, or an endless one\n"
    right(f"{scratch}/long", 0, rf"\Asimulator: \S+long\.cu:[67]: long_loop, {at_work}cudaSuccess\n\Z")
    output, _ = run(f"sh -c 'ulimit -t 3; exec {scratch}/long changes'")
    assert re.search(rf"^simulator: \S+long\.cu:1[234]: changes, {at_work}", output, re.M), output


def test_a_missing_file(ok, scratch):
    ok.refused(f"simulator/simcc {scratch}/missing.cu -o {scratch}/x", 2, r"simcc: \S+missing\.cu: no such file")
