"""On a GPU: compute-sanitizer, other people's programs, the library's promises, the library that was built for older GPUs,
random kernels, exercises. (variants.py's and checker.py's tests run there, too.)"""
import os
import pathlib
import re

import pytest
from common import PROGRAMS, ROOT, STEPS, capability, cuda_home, nvcc, quick_nvcc, read, right, takes_rows

SANITIZER = "compute-sanitizer --error-exitcode 9 --print-limit 5"
SIMCC = sorted(name[:-3] for name in os.listdir("tests/simcc") if name.endswith(".cu"))
# What takes in Thrust, CUB or libcu++ compiles for half a minute, so it begins first.
SIMCC.sort(key=lambda name: not re.search("#include <(?:thrust|cub|cuda)/", read(f"tests/simcc/{name}.cu")))
EXERCISES = sorted(f"{path.parent.name}/{path.stem}" for path in pathlib.Path("practice/exercises").glob("*/*.cu"))
HERE = capability()
# Rows of the contracts are short: on busy cores a team of threads waits for itself longer than it computes.
ALONE = "OMP_NUM_THREADS=1"


# ---- the library: first, since it takes longest; the driver compiles what was built for older GPUs ----

@pytest.mark.parametrize("arch", [arch for arch in (75, 80, 90) if arch < HERE])
@pytest.mark.parametrize("contract", ["rows part", "types"])
def test_the_library_for_an_older_gpu(ok, arch, contract):
    """The driver compiles its PTX for this one, but clusters and overlapping launches are not in it: every answer must be right all the same."""
    output = ok.told(f"{ALONE} build/cuda-sm_{arch}/library_{contract}")
    clusters = "yes" if arch == 90 else "no"
    ok(f"# code with clusters: {clusters}\n" in output, f"sm_{arch}: with clusters: {clusters}", output)


@pytest.mark.parametrize("contract", [*(f"rows {name}" for name in re.findall(r"^TEST\((\w+)\)", read("tests/library/rows.cu"), re.M)), "exact", "types"])
def test_the_librarys_contract(ok, contract):
    ok.told(f"{ALONE} build/cuda/library_{contract}")


def test_the_examples():
    assert right("build/cuda/library/example") == "all right: 750000\n"
    assert right("build/cuda/library/example_rows") == "row 0: the sum is 18, the largest is number 1\nrow 1: the sum is 4, the largest is number 2\n"


# ---- exercises, programs that the simulator runs, random kernels ----

@pytest.mark.parametrize("name", EXERCISES)
def test_the_solution_of_an_exercise(ok, name, monkeypatch):
    """Right at all sizes, and its time beside the lesson's."""
    monkeypatch.setenv("BACKEND", "cuda")
    monkeypatch.setenv("SEED", "1")
    monkeypatch.syspath_prepend(f"{ROOT}/practice/judge")
    from practice import Practice
    from program import Unknown
    practice = Practice(False)
    exercise = practice.course.exercise(name)
    try:
        status, _, lines, _, _ = practice.study.judge(name, exercise.given if exercise.is_quiz else exercise.solution)
    except Unknown as unknown:
        if "needs two GPUs" not in str(unknown):
            raise
        pytest.skip(str(unknown))
    said = "\n".join(line.text for line in lines)
    if exercise.is_quiz:
        ok("a quiz is about counts" in said, f"{name}: the simulator's to judge", said)
        return
    ok(status == 0 and "answer: " in said, f"{name}: solved", said)
    ok(re.search(r"time: ([\d.]+ us at n|not reported for several GPUs)", said), f"{name}: its time", said)


@pytest.mark.parametrize("name", SIMCC)
def test_a_program_of_simcc(scratch, name):
    """What they expect of the simulator, hardware does too. (cooperative_groups.h without libcu++, as in tools/mk/backend.mk.)"""
    if name.startswith(("cluster", "bulk")) and HERE < 90:
        pytest.skip("it needs compute capability 9.0")
    options = re.match("// nvcc: (.*)|", read(f"tests/simcc/{name}.cu"))[1] or ""
    right(f"{quick_nvcc()} -std=c++20 --extended-lambda -arch=native -D_CG_LIMIT_INCLUDED_DEPENDENCIES {options} tests/simcc/{name}.cu -o {scratch}/{name} -Xlinker --as-needed -lcurand")
    # cuRAND is not always where the loader looks; other people's streams run side by side (see tests/run)
    right(f"env -u CUDA_DEVICE_MAX_CONNECTIONS LD_LIBRARY_PATH={cuda_home(scratch)}/lib64:$LD_LIBRARY_PATH {scratch}/{name}")


@pytest.mark.parametrize("seed", range(1, 9))
def test_random_kernels(scratch, seed):
    """They leave in memory what the reference says, and with it what they leave on the simulator."""
    seed += int(os.environ.get("RANDOM_SEED", 1))
    right(f"tests/random/generate.py 125 {seed} >{scratch}/{seed}.cu")
    right(f"{nvcc()} -std=c++20 -arch=native -diag-suppress 550 -Itests/random {scratch}/{seed}.cu -o {scratch}/{seed}")
    right(f"simulator/simcc -std=c++20 -O0 -g0 -Itests/random {scratch}/{seed}.cu -o {scratch}/{seed}.sim")
    simulated = re.sub("^simulator: note: .*\n", "", right(f"{scratch}/{seed}.sim"), flags=re.M)  # of what a GPU takes, and says nothing
    assert right(f"{scratch}/{seed}") == simulated


# ---- what NVIDIA's check finds ----

@pytest.mark.parametrize("command", ["./broken --check -v missing_barrier -n 1000", "./step04 --check -v v6_volatile -n 4096"])
def test_racecheck_finds(command):
    right(f"{SANITIZER} --tool racecheck {command}", 9)


@pytest.mark.parametrize("program", [program for program in PROGRAMS if "baselines" not in program.name], ids=lambda program: program.name)  # whose kernels are not ours
@pytest.mark.parametrize("tool", ["racecheck", *(pytest.param(tool, marks=pytest.mark.xdist_group(tool)) for tool in ("memcheck", "initcheck", "synccheck"))])
def test_sanitizer(tool, program):
    how = "-n 0,33,4097," + ("65537" if program in STEPS else "8192")  # the toolbox: whole tiles and rows, too
    if "16_rows" in program.name:
        how = "-n 0,3300,66000 --row 33,1100"
    elif takes_rows(program.command):
        how += " --row 32,1K,8K"
    if "many_gpus" in program.name:  # the tools make kernels wait that another GPU waits for, and NCCL's are not ours
        how += " --gpus 1 -v one_gpu,host,nvlink_slots"
    right(f"{SANITIZER} --tool {tool} {program.command} --check {how}")


@pytest.mark.parametrize("contract", ["exact 112", "rows part rows columns blocks plans specials segments order"])
@pytest.mark.parametrize("tool", ["racecheck", "memcheck --report-api-errors no"])  # a launch that CUDA refuses is an error to memcheck, too
def test_sanitizer_of_the_library(tool, contract):
    right(f"{ALONE} {SANITIZER} --tool {tool} build/cuda/library_{contract}")


def test_a_program_for_another_gpu(ok):
    other = "sm_90" if HERE // 10 == 10 else "sm_100"
    right(f"make -j4 BACKEND=cuda BUILD=build/other ARCH={other} build/other/step02")
    ok.refused("build/other/step02 -n 1000", 77, "ARCH=sm_")
