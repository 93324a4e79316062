"""On one GPU or more: what sum_all.h promises, in one process, in one for each GPU, in two programs at once, with one that is killed, and over MPI. On two or
more: lesson 14 with all kinds of shares, very many sums back to back, a GPU that does not answer, a build without NCCL."""
import os
import re
import signal
import subprocess
import time

import pytest
from common import read, right, run

GPUS = min(8, len(re.findall("^GPU", run("nvidia-smi -L")[0], re.M)))
SUMS = int(os.environ.get("SUMS", 100_000))
MPI = "timeout 40 mpirun" + (" --oversubscribe" if "Open MPI" in run("mpirun --version")[0] else "")
SUM_MPI = "build/cuda/sum_mpi"
HAS_MPI = os.path.exists(SUM_MPI) and run("command -v mpirun")[1] == 0
pytestmark = pytest.mark.xdist_group("several GPUs")  # one after another: their kernels wait for each other, and not for long (tests/run has them alone)
two = pytest.mark.skipif(GPUS < 2, reason=f"two GPUs are needed, here are {GPUS}")
nccl = pytest.mark.skipif(not os.path.exists("build/cuda/library_all"), reason="no NCCL here, so no sum_f32_all()")
mpi = pytest.mark.skipif(not HAS_MPI, reason="no sum_mpi, or no mpirun")
SIZES = "0,1,2,3,7,8,9,31,1000,4097,65537,1000003,20000001"


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    monkeypatch.setenv("NCCL_NVLS_ENABLE", os.environ.get("NCCL_NVLS_ENABLE", "0"))
    monkeypatch.setenv("OMPI_ALLOW_RUN_AS_ROOT", "1")
    monkeypatch.setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")


@nccl
@pytest.mark.parametrize("program", ["library_all", pytest.param("library_processes", marks=two)])
def test_the_sum_of_all_gpus(ok, program):
    ok.told(f"timeout 200 build/cuda/{program} {SUMS}")


@nccl
@two
def test_two_programs_at_once(ok, scratch):
    """They share the GPUs in turns of milliseconds, and a sum waits until both GPUs are at it: so fewer of them."""
    many = f"timeout 60 build/cuda/library_all {min(SUMS, 2000)} many"
    ok.told(f"{many} >{scratch}/first 2>&1 & {many} && wait $! && cat {scratch}/first")


# ---- sum_mpi ----

@mpi
@pytest.mark.parametrize("how", [f"-n {GPUS} {SUM_MPI}", f"-n {GPUS} {SUM_MPI} -n {','.join(str(3000 + 700_000 * k) for k in range(1, GPUS + 1))}",
                                 f"-n {GPUS} {SUM_MPI} -n 1", f"-n {GPUS} {SUM_MPI} --nccl", f"-n 1 {SUM_MPI}"])
def test_mpi(how):
    """Equal shares, shares that differ, one number in all, NCCL's sum, one rank."""
    output = right(f"{MPI} {how}", 0, r"^sum \S+, exactly \S+: right, and the same bits on all ranks$")
    assert re.search(r"^[\d.]+ us for each sum one after another, [\d.]+ us in a graph$", output, re.M), output


@mpi
@pytest.mark.parametrize("how, says", [(f"-n {GPUS + 1} {SUM_MPI}", "one for each is needed" if GPUS > 1 else "have the same GPU"),
                                       (f"-n {GPUS} {SUM_MPI} -n 1,2,3,4,5,6,7,8,9,10", f"-n has 10 shares, and there are {GPUS} ranks"),
                                       (f"-n {GPUS} {SUM_MPI} -n 1X", "'1X' is not a size")])
def test_mpi_refuses(how, says):
    output, status = run(f"{MPI} {how}")
    assert status != 0 and len(re.findall("^sum_mpi: ", output, re.M)) == 1 and re.search(rf"^sum_mpi: rank \d+: .*{says}", output, re.M), output


@mpi
@two
@pytest.mark.parametrize("way", ["", "--nccl"])
def test_a_rank_that_is_killed(scratch, way):
    """Open MPI ends all when one is killed, unless an option leaves that to the program. (Then its own status is 0.)"""
    with open(f"{scratch}/killed", "w", encoding="utf-8") as said:
        program = subprocess.Popen(f"exec {MPI} --enable-recovery -n {GPUS} {SUM_MPI} --sums 1000000000 --limit 2 {way}", shell=True, stdout=said, stderr=said)
    for _ in range(60):
        time.sleep(1)
        if "right" in read(f"{scratch}/killed"):
            break
    os.kill(int(run("pgrep -x sum_mpi")[0].split()[-1]), signal.SIGKILL)
    program.wait(timeout=20)
    assert re.search(r"^sum_mpi: rank \d+: another GPU, or its process, did not come", read(f"{scratch}/killed"), re.M)


# ---- lesson 14 ----

@two
@pytest.mark.parametrize("how", [f"-n {SIZES} --gpus {k}" for k in range(1, GPUS + 1)] + [f"-n {SIZES} --shares {shares}" for shares in ("3,1", "1,3", "0,1", "1,0", "1000000,1")]
                         + [f"-n 33,100001 --pattern {name}" for name in ("ramp", "cancel", "huge", "nan")] + [f"-n 33,100001 --offset {k}" for k in (1, 2, 3)] + ["-n 4294967397"])
def test_step14(how):
    right(f"./step14 --check {how}")


@two
def test_a_gpu_that_does_not_answer():
    assert re.search(r"1 \+ 2 = 3\n.*NaN; GPU 0 waited 100 ms, and GPU 1 did not answer\n", right("./step14 --demo"), re.S)


@two
@pytest.mark.skipif(GPUS == 8, reason="here are eight")
def test_more_gpus_than_there_are(ok):
    ok.refused("./step14 --gpus 8", 2, f"step14: --gpus 8: there are {GPUS}")


@two
@pytest.mark.parametrize("streams", ["", "--streams"])
@pytest.mark.parametrize("gpus", range(1, GPUS + 1))
@pytest.mark.parametrize("variant", ["nvlink_slots", "nccl"])
def test_very_many_sums(variant, gpus, streams):
    right(f"build/cuda/back_to_back --variant {variant} --gpus {gpus} --sums {100000 if gpus == GPUS else 10000} {streams}")


@two
def test_two_processes_at_once():
    at_once = "build/cuda/back_to_back --sums 5000"
    right(f"{at_once} & {at_once} --streams; first=$?; wait $! && exit $first")


@two
def test_a_build_without_nccl():
    right("make -s BACKEND=cuda BUILD=build/no_nccl NCCL_HOME=/nowhere build/no_nccl/step14 -j$(nproc)")
    output = right("build/no_nccl/step14 --check -n 1000", 0, "^nccl +skipped: NCCL was not there when this was built")
    assert re.search("^nvlink_slots .* ok$", output, re.M), output  # the others run
