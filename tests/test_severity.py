"""The simulator's severities, as far as no program of tests/simt says it at its lines: settings for what comes after a finding, SIMT_EXPLORE, and
mistakes that depend on what else stands in a file."""
import platform
import re

import pytest
from common import right, run, write
from mutants import planted_program

pytestmark = pytest.mark.more
GO_ON = """#include <cstdio>
__global__ void past_end(int *p) { p[threadIdx.x + 60] = 1; }
__global__ void unwritten(int *p)
{
    __shared__ int tile[64];
    p[threadIdx.x] = tile[threadIdx.x];
}
__global__ void races(int *p)
{
    p[threadIdx.x / 2] = threadIdx.x;
}
__global__ void waits(volatile int *p)
{
    if (threadIdx.x == 3)
        while (p[0] != -1)
            ;
    __syncthreads();
}
__global__ void overflows(int *p, int n)
{
    volatile char frame[8192];
    frame[n] = 1;
    if (n < 100)
        overflows(p, n + 1);
    p[0] = frame[n];
}
__global__ void right(int *p) { p[threadIdx.x] = 5; }
int main()
{
    int *p, first = 0;
    cudaMalloc(&p, 64 * sizeof *p);
    cudaMemset(p, 0, 64 * sizeof *p);
    past_end<<<2, 64>>>(p);
    printf("%s\\n", cudaGetErrorString(cudaGetLastError()));
    unwritten<<<1, 64>>>(p);
    printf("%s\\n", cudaGetErrorString(cudaGetLastError()));
    races<<<1, 64>>>(p);
    waits<<<1, 64>>>(p);
    overflows<<<1, 1>>>(p, 0);
    p[0] = 7;
    right<<<1, 64>>>(p);
    cudaMemcpy(&first, p, sizeof first, cudaMemcpyDeviceToHost);
    printf("in the end: %d\\n", first);
    return 0;
}
"""
FINDINGS, RACE = [2, 6, 10, 15, 22, 40], 10  # their lines


def built(scratch, name, text, options=""):
    """-> the program."""
    write(f"{scratch}/{name}.cu", text)
    right(f"simulator/simcc {options} {scratch}/{name}.cu -o {scratch}/{name}")
    return f"{scratch}/{name}"


def test_what_comes_after_a_finding(ok, scratch):
    program = built(scratch, "go_on", GO_ON, "-g1")  # a fault ends it at once, if nobody says otherwise:
    right(program, 1, r"\Asimulator: \S+go_on\.cu:2: past_end, .*: writes 4 bytes at byte 256 of an allocation of 256 bytes, made at \S+go_on\.cu:\d+\n\Z")
    for settings, lines in ("SIMT_GO_ON=1", FINDINGS), ("SIMT_RACES=0 SIMT_GO_ON=1", [line for line in FINDINGS if line != RACE]):
        output = right(f"{settings} {program}", 1, "^in the end: 5$")  # it goes on, and status 1 comes in the end
        listed = output.partition(f"simulator: {len(lines)} findings in all:\n")[2]
        ok.equal(list(map(int, re.findall(r"^simulator: \d\. \S+go_on\.cu:(\d+): ", listed, re.M))), lines, f"{settings}: a list at the end: {output}")
        ok(re.search("^unspecified launch failure\n(.*\n)*no error\n", output, re.M), f"{settings}: a launch that is abandoned returns an error, one that can go on does not", output)
    ok.refused(f"SIMT_RACES=no {program}", 1, "^simulator: SIMT_RACES=no: 0 or 1 is needed$")


def test_locals(ok, scratch):
    """Beside tests/simt/locals.cu."""
    right(f"simulator/simcc --locals tests/simt/locals.cu -o {scratch}/locals && SIMT_GO_ON=1 {scratch}/locals past", 1, "^simulator: 1 finding in all:$")
    ok.refused(f"simulator/simcc --locals -fsanitize=address tests/simt/locals.cu -o {scratch}/both", 2, "--locals needs")


PAIR = """struct pair { double x, y; };
__global__ void k(double *d)
{
    TYPE *p = (TYPE *)(d + 1);
    p[2 + threadIdx.x] = p[threadIdx.x];
}
int main()
{
    double *d;
    cudaMalloc(&d, 1024);
    cudaMemset(d, 0, 1024);
    k<<<1, 1>>>(d);
    return cudaDeviceSynchronize();
}
"""
STORE = ("__global__ void k(float *p)\n{\n    *(float4 *)(p + 2) = make_float4(1, 2, 3, 4);\n}\n"
         "int main()\n{\n    float *p;\n    cudaMalloc(&p, 64);\n    k<<<1, 1>>>(p);\n    return cudaDeviceSynchronize();\n}\n")


@pytest.mark.parametrize("what, source, line", [
    ("two doubles", PAIR.replace("TYPE", "pair"), 0), ("two doubles beside a float4", "float4 unused;\n" + PAIR.replace("TYPE", "pair"), 0),
    ("a float4", "float4 unused;\n" + PAIR.replace("TYPE", "float4"), 6),
    pytest.param("a float4 where the processor refuses it", STORE, 3, marks=pytest.mark.skipif(platform.machine() != "x86_64", reason="others take 16 bytes anywhere"))])
def test_16_bytes_at_a_multiple_of_8(scratch, what, source, line):
    """Two doubles may lie there, a float4 may not."""
    said = rf"simulator: \S+:{line}: k, .* 16 bytes at an address that is no multiple of 16: misaligned\n" if line else ""
    right(built(scratch, "wide", source), int(line > 0), rf"\A{said}\Z")


ORDER = """#include <cstdio>
__global__ void order(int *p)
{
    if (threadIdx.x % 32 == 0)
        p[1 + atomicAdd(&p[0], 1)] = threadIdx.x;
}
int main()
{
    int *p;
    cudaMallocManaged(&p, 64);
    p[0] = 0;
    order<<<1, 64>>>(p);
    cudaDeviceSynchronize();
    printf("first came %d\\n", p[1]);
    return p[1] == 0 ? 0 : 3;
}
"""


def test_explore(ok, scratch):
    """A program that is right in the natural order, and under some others: SIMT_EXPLORE finds one that is not."""
    program = built(scratch, "order", ORDER)
    right(program)  # in the natural order
    output, status = run(f"SIMT_EXPLORE=20 {program}")
    found = re.fullmatch(r"(?:.*\n)*first came 32\nsimulator: schedule \d+ of 20: this is what was found \(SIMT_SCHEDULE=(\d+)\)\n", output)
    ok(found and status == 3 and run(f"SIMT_SCHEDULE={found[1]} {program}")[1] == 3, "the schedule that it names, with the program's own status", f"{status} {output}")
    # As many at once as there are cores (where the input is no file): the same on one and on all.
    for cores in "", "taskset -c $(taskset -cp $$ | sed 's/.*: //; s/[-,].*//') ":
        ok.equal(run(f"SIMT_EXPLORE=20 {cores}{program} </dev/null"), (output, 3), f"SIMT_EXPLORE=20, {cores}: the same schedule")
    ok.equal(run(f"SIMT_EXPLORE=1 {program}"), ("first came 0\nsimulator: 1 schedules tried, and nothing found\n", 0), "SIMT_EXPLORE=1")
    ok.refused(f"SIMT_EXPLORE=many {program}", 1, "^simulator: SIMT_EXPLORE=many: a number of schedules from 1 to 100000 is needed$")
    ok.equal(run("SIMT_EXPLORE=2 ./step01 -n 1000 --csv - 2>/dev/null | grep -vc ,")[0], "0\n", "what goes to standard error stays out of standard output")


READ_TOO_EARLY = """#include <cstdio>
__global__ void mean(const float *in, float *sum, float *out)
{
    atomicAdd(sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
    __syncthreads();
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0)
        *out = *sum / (gridDim.x * blockDim.x);
}
int main()
{
    float *p;
    cudaMallocManaged(&p, 1024);
    for (int i = 0; i < 66; i++)
        p[i] = i < 64;
    mean<<<2, 32>>>(p, p + 64, p + 65);
    cudaDeviceSynchronize();
    return p[65] != 1;
}
"""


def test_the_last_block_first(ok, scratch):
    """It reads a sum that earlier blocks have added to, as they have in the natural order: schedules of odd numbers begin with it."""
    program = built(scratch, "mean", READ_TOO_EARLY)
    ok.equal([run(f"SIMT_SCHEDULE={seed} {program}") for seed in (0, 2)], [("", 0)] * 2, "the last block last")
    ok.refused(f"SIMT_SCHEDULE=1 {program}", 1, r"^simulator: \S+:4: mean: read-write race in global memory: thread .* of block \(0,0,0\) overwrites what thread \(0,0,0\) of block \(1,0,0\) read at \S+:7")


def test_a_barrier_that_moves_into_its_if(ok, scratch):
    """A reader's first experiment, with v2 of step 02. CUDA allows it, and the sum stays right."""
    v2 = "steps/02_sequential/v2.cu"
    step02 = planted_program(scratch, "steps/02_sequential", [v2], {v2: [("< count)", "< count) {"), ("__syncthreads(); /*", "__syncthreads(); } /*")]})
    skipped = r"\S+/v2\.cu:25: (?:n0::)?sum_blocks, block \(\d+,0,0\), thread \(\d+,0,0\): waits at __syncthreads\(\), but thread \d+ has returned without it"
    for settings, options, expected, said in ("", "", 1, skipped), ("", "--schedule 3", 1, skipped), ("SIMT_STRICT=0", "", 0, f"note: {skipped}"):
        output, status = run(f"{settings} MUTANT=0 {step02} {options}")
        ok(status == expected and re.findall("^simulator: (.*)", output, re.M) == re.findall(f"^simulator: ({said})$", output, re.M) and output.count("simulator: ") == 1,
           f"{settings} {options}: one line says what was skipped", f"{status} {output}")
