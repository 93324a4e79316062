"""AddressSanitizer and UndefinedBehaviorSanitizer: over the simulator's and the driver's C, and, the second, over the kernels too. (Kernels have the
simulator's own checks of every address; g++ cannot have AddressSanitizer beside the instrumentation for them.) Every kernel of steps and toolbox
runs, and a third of tests/simcc; planted faults must be found."""
import glob
import os
import re

import pytest
from common import PROGRAMS, TOOLS, plant, read, right, run, write
from mutants import compile_as_one

pytestmark = pytest.mark.nightly
BOTH = "-fsanitize=address,undefined"
BUILD = "build/sim-address,undefined"
ARCHIVE, LINK = f"{BUILD}/libcommon.a", f"${{CXX:-g++}} {BOTH} -fopenmp"
SIMCC = f"simulator/simcc -g1 {BOTH}"
LIBRARY = ["library/sum_f32.cu", "library/sum_exact.cu", "library/sum_f32_plan.c"]  # which steps 11 to 14 call: compiled once
# Of the toolbox's many variants, a trace of those whose pictures the pages show.
TRACED = {"transpose": "-v 'transpose*'", "scan": "-v 'scan_w*'", "exchange": "-v 'butterfly*'"}


def objects(paths):
    return [f"{BUILD}/{os.path.splitext(path)[0]}.o" for path in paths]


@pytest.fixture(scope="module")
def built():
    """What is in C, by make; and the library."""
    in_c = [path for path in [*LIBRARY, *(path for program in PROGRAMS for path in glob.glob(f"{program.folder}/*.c"))] if path.endswith(".c") and not path.endswith("/sum_mpi.c")]
    commands = [f"make -j{os.cpu_count()} BACKEND=sim SANITIZE=address,undefined CFLAGS='-O1 -g1' {ARCHIVE} {' '.join(objects(in_c))}"]
    commands += [f"{SIMCC} -std=c++20 -Wall -Icommon -Isimulator -Isteps -I. -c {path} -o {objects([path])[0]}" for path in LIBRARY[:2]]
    for command in commands:
        output, status = run(command)
        assert status == 0 and not re.search(r"\bwarning\b", output, re.I), f"{command}\n{output}"


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_a_program(ok, built, scratch, program):
    folder, path = program.folder, program.command.replace("./", f"{BUILD}/")
    in_c = [name for name in glob.glob(f"{folder}/*.c") if not name.endswith("/sum_mpi.c")]
    in_c += ["steps/15_operators/operators_check.c"] if folder.endswith("_rows") else []  # its tasks
    called = LIBRARY if re.search("_(library|types|exact|many_gpus)$", folder) else []
    output, status = compile_as_one(f"{path}.o", f"{BOTH} -Wall", [name for name in glob.glob(f"{folder}/*.cu") if not name.endswith("/first.cu")])
    ok(status == 0 and not re.search(r"\bwarning\b", output, re.I), f"{folder} compiles without a warning", output)
    right(f"{LINK} {path}.o {' '.join(objects([*in_c, *called]))} {ARCHIVE} -o {path} -lm")
    traced = [f"-n 1024 --trace {scratch}/trace.csv {TRACED.get(program.name, '')}"] if program.name in TRACED or program not in TOOLS else []
    for options in ("-n 0,1,33,1000,4096,4097 --check", "-n 1000,2048 --schedule 3 --counters", "-n 1000 -b 64 --offset 3", *traced):
        output, status = run(f"{path} {options}")
        if status != 2 or not re.search("takes (?:blocks of|an n that)|--trace", output):  # else no variant takes that
            ok(status == 0 and not re.search("Sanitizer|runtime error", output), f"{path} {options}: nothing found", output)


# Programs of tests/simcc: those that run lines of simulator that no step runs, by gcov, or headers of cooperative groups. They are linked with the
# simulator that make has built.
OTHERS = [f"simcc/{name}" for name in "async_copies atomics cluster_reduce cooperative_grid cooperative_groups device_printf half_precision intrinsics single_pass "
          "symbols textures matrices".split()] + ["simt/good", "simt/counts"]


@pytest.mark.parametrize("name", OTHERS)
def test_another_program(built, scratch, name):
    path = f"{scratch}/{os.path.basename(name)}"
    command = f"{SIMCC} -c tests/{name}.cu -o {path}.o && {LINK} {path}.o {ARCHIVE} -o {path} -lm && {path}"
    output, status = run(command)
    assert status == 0 and not re.search("Sanitizer|runtime error", output), f"{command}\n{output}"


@pytest.mark.parametrize("file, as_it_is, faulty, found", [
    ("shared_memory.c", "b->written = malloc(shared_room + SHARED_ALIGN + SM_SHARED)", "b->written = malloc(8)", r"AddressSanitizer: heap-buffer-overflow.*shared_memory\.(?:c|h):\d+"),
    ("warp.c", "uint64_t results[WARP];", "uint64_t results[WARP / 2];", r"AddressSanitizer: stack-buffer-overflow.*warp\.c:\d+|warp\.c:\d+.*runtime error: index 16 out of bounds"),
    ("warp.c", "(t->warp->mask >> l & 1)", "(t->warp->mask >> (l + 32) & 1)", r"warp\.c:\d+:\d+: runtime error: shift exponent 32 is too large")])
def test_a_fault_in_the_simulator_is_found(built, scratch, file, as_it_is, faulty, found):
    """The object of the faulty file stands before the archive that holds the right one."""
    write(f"{scratch}/{file}", read(f"simulator/{file}"))
    plant(f"{scratch}/{file}", (as_it_is, faulty))
    right(f"{SIMCC} -c tests/simt/good.cu -o {scratch}/good.o && ${{CC:-gcc}} -std=c11 -D_GNU_SOURCE -O2 -g {BOTH} -fno-sanitize-recover -Isimulator -Isimulator/include"
          f" -c {scratch}/{file} -o {scratch}/faulty.o && {LINK} {scratch}/faulty.o {scratch}/good.o {ARCHIVE} -o {scratch}/planted -lm")
    output, status = run(f"{scratch}/planted")
    assert status != 0 and re.search(found, output, re.S), output


# A kernel's line; what must be found, with its line. All in one program, a kernel for each.
IN_KERNELS = [("p[threadIdx.x] = n + (int)threadIdx.x;", "signed integer overflow"), ("p[threadIdx.x] = 1 << (threadIdx.x + 8);", "shift exponent 32 is too large"),
              ("int a[4] = {0, 1, 2, 3}; p[threadIdx.x] = a[threadIdx.x / 4 + (n == 0)];", "index 4 out of bounds")]


def test_a_fault_in_a_kernel_is_found(ok, built, scratch):
    kernels = "".join(f"__global__ void k{k}(int *p, int n) {{ {line} }}\n" for k, (line, _) in enumerate(IN_KERNELS))
    calls = "".join(f"    if (argv[1][0] == '{k}')\n        k{k}<<<1, 32>>>(p, 2147483647);\n" for k in range(len(IN_KERNELS)))
    write(f"{scratch}/kernel.cu", f"{kernels}int main(int, char **argv)\n{{\n    int *p;\n    cudaMallocManaged(&p, 128);\n{calls}    return 0;\n}}\n")
    run(f"simulator/simcc {BOTH} -c {scratch}/kernel.cu -o {scratch}/kernel.o && {LINK} {scratch}/kernel.o {ARCHIVE} -o {scratch}/checked -lm")
    run(f"simulator/simcc {scratch}/kernel.cu -o {scratch}/unchecked")
    for k, (line, found) in enumerate(IN_KERNELS):
        output, status = run(f"{scratch}/checked {k}")
        ok(status != 0 and re.search(rf"kernel\.cu:{k + 1}:\d+: runtime error: {found}", output), f"{line}: found, with its line", output)
        ok(run(f"{scratch}/unchecked {k}")[1] == 0, f"{line}: no error without the sanitizer")
