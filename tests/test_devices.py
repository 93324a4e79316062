"""Step 14 on one GPU to eight of the simulator: shares of all kinds, schedules, sums back to back of other numbers each time, bad input. And what keeps
the slots between GPUs right, taken out one at a time, is missed. (What several devices may do is in tests/simt/devices.cu and nccl.cu.)"""
import re

import pytest
from common import right, run, write
from mutants import LINK, planted

pytestmark = pytest.mark.more
CHECK = "./step14 --check -n"
SIZES = "0,1,2,3,7,8,9,31,1000,4097,20001"
BACK_TO_BACK = "--sums 100"


@pytest.mark.parametrize("command", [
    *(f"{CHECK} {SIZES} --gpus {gpus}" for gpus in range(1, 9)), *(f"{CHECK} {SIZES} --gpus 4 --schedule {seed}" for seed in (1, 2)),
    *(f"{CHECK} {SIZES} --shares {shares}" for shares in ("3,1", "0,0,5,1", "0,1", "1,0", "1000000,1")),
    *(f"{CHECK} 33,4097 --gpus 3 --offset {offset}" for offset in (1, 2, 3)),
    *(f"{CHECK} 33,4097 --gpus 3 --pattern {pattern}" for pattern in "ones ramp cancel huge nan".split()), f"{CHECK} 200000,700001 --gpus 2",
    *(f"build/sim/back_to_back {BACK_TO_BACK} --gpus {gpus}" for gpus in (1, 2, 5)),
    *(f"SIMT_SCHEDULE={seed} build/sim/back_to_back {BACK_TO_BACK} --streams --gpus 3" for seed in (1, 2, 3))])
def test_sums(command):
    right(command)


@pytest.mark.parametrize("options, says", [
    ("--demo", r"2 of 2 GPUs launch: 1 \+ 2 = 3\n1 of 2 GPUs launch: NaN; GPU 0 waited 100 ms, and GPU 1 did not answer\n"), ("", "2 x SIMT simulator")])
def test_two_gpus(options, says):
    """A GPU that does not answer; and two GPUs, if nobody asks."""
    right(f"./step14 {options}", 0, f"^{says}")


@pytest.mark.parametrize("options, says", [
    ("step14 --gpus 0", '--gpus "0": it takes a whole number from 1 to 8'), ("step14 --gpus 9", '--gpus "9"'), ("step14 --gpus 3 --device 1", "--gpus 3: from number 1 on there are 2"),
    ("step14 --shares 1,2 --gpus 3", "--shares: 2 of them, for 3 GPUs"), ("step14 --shares 0,0", "--shares: all are 0"), ("step14 --shares 1,x", '--shares "x"'),
    ("step14 --shares 1,1,1,1,1,1,1,1,1", "--shares: more than 8 GPUs"),
    ("step11 --gpus 2", "--gpus: this lesson is about one GPU; step14 takes several"), ("step11 --shares 2", "--shares: this lesson is about one GPU; step14 takes several")])
def test_bad_input(ok, options, says):
    ok.refused(f"./{options}", 2, says)


MUTANTS = [  # of peer_slots.h; what it is, and this becomes that, if it is taken out
    ("the epoch that is waited for", "!= epoch;", "!= epoch && !mutated(0);"), ("two slots, by the parity", "epoch % 2 * MOST_GPUS;", "(mutated(1) ? 0 : epoch % 2 * MOST_GPUS);"),
    ("the epoch that is written", "if (lane == 0)", "if (lane == 0 && !mutated(2))"),
    # GPU 1 is late: all others have had their sum and gone on to the next, before it looks
    (None, "answered = await_peer", "for (int i = 0; i < 3000 && (mutated(1) || mutated(3)) && peers->rank == 1; i++)"
     " (void)*(volatile word *)&ours[i % (2 * MOST_GPUS)]; answered = await_peer")]


@pytest.fixture(scope="module")
def mutant(scratch):
    """Back to back, with switches."""
    planted(scratch, {"library/parts/peer_slots.h": [(old, new) for _, old, new in MUTANTS]})
    right(f"simulator/simcc -std=c++20 -g1 -I{scratch}/steps -I{scratch} -Icommon -Isimulator -include {scratch}/switch.h "
          f"-c {scratch}/steps/14_many_gpus/nvlink_slots.cu -o {scratch}/slots.o")
    others = [f"build/sim/steps/14_many_gpus/{name}.o" for name in ("one_gpu", "host", "nccl")] + [f"build/sim/library/{name}.o" for name in ("sum_f32", "sum_exact", "sum_f32_plan")]
    right(f"{LINK} {scratch}/slots.o build/sim/tests/many_gpus/back_to_back.o {' '.join(others)} {scratch}/switch.o build/sim/libcommon.a -o {scratch}/mutant -lm")
    return f"{scratch}/mutant"


@pytest.mark.parametrize("k, what", [(k, what) for k, (what, _, _) in enumerate(MUTANTS)])
def test_the_slots(mutant, k, what):
    """Without what keeps them right a wrong sum, a race, a deadlock or a wait that ends shows that. A GPU that is late, and nothing taken out: right."""
    for seed in range(6):
        output, status = run(f"MUTANT={k} SIMT_SCHEDULE={seed} {mutant} {BACK_TO_BACK} --streams --gpus 3")
        assert status >= 0, f"schedule {seed}: it ends by itself"
        if status or re.search("did not answer|deadlock| race ", output):
            break
    assert (status != 0 or "did not answer" in output) == (what is not None), output


@pytest.mark.parametrize("number", ["0", "9", "two", "-1"])
def test_numbers_of_devices(ok, number):
    ok.refused(f"SIMT_GPUS={number} build/sim/step01 -n 1000", 1, f"^simulator: SIMT_GPUS={number}: a number of devices from 1 to 8 is needed$")


SMALL = r"""#include <cstdio>
__global__ void k() { }
static const char *launched(unsigned blocks, size_t shared)
{
    cudaLaunchAttribute cluster = {};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {blocks, 1, 1};
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks, config.blockDim = 32, config.dynamicSmemBytes = shared, config.attrs = &cluster, config.numAttrs = 1;
    int clusters, per_sm;
    cudaOccupancyMaxActiveClusters(&clusters, k, &config);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, k, 32, shared);
    printf("%d clusters, %d blocks an SM, ", clusters, per_sm);
    return cudaGetErrorName(cudaLaunchKernelEx(&config, k));
}
int main()
{
    int block, sm;
    cudaDeviceGetAttribute(&block, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
    cudaDeviceGetAttribute(&sm, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0);
    printf("%d %d\n", block / 1024, sm / 1024);
    cudaFuncSetAttribute(k, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    for (int kb : {99, 100})
        printf("%d KB: %s\n", kb, cudaGetErrorName(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, kb * 1024)));
    printf("%s\n", launched(1, 99 * 1024));
    printf("%s\n", launched(8, 0));
    printf("%s\n", launched(16, 0));
}
"""


def test_a_smaller_device(ok, scratch):
    """Less shared memory in a block, room for smaller clusters."""
    write(f"{scratch}/small.cu", SMALL)
    right(f"simulator/simcc {scratch}/small.cu -o {scratch}/small")
    for setting, kb, hundred, full, sixteen in [("", "227 228", "cudaSuccess", "8 clusters, 2", "8 clusters, 32 blocks an SM, cudaSuccess"),
                                                ("SIMT_SHARED_KB=99 SIMT_CLUSTER=8", "99 100", "cudaErrorInvalidValue", "4 clusters, 1", "0 clusters, 32 blocks an SM, cudaErrorInvalidClusterSize")]:
        ok.equal(run(f"{setting} {scratch}/small")[0],
                 f"{kb}\n99 KB: cudaSuccess\n100 KB: {hundred}\n{full} blocks an SM, cudaSuccess\n16 clusters, 32 blocks an SM, cudaSuccess\n{sixteen}\n", f"{setting}: what the device says, and refuses")
    for setting, needed in [("SIMT_SHARED_KB=47", "KB of shared memory in a block from 48 to 227"), ("SIMT_SHARED_KB=228", "KB of shared memory in a block from 48 to 227"),
                            ("SIMT_CLUSTER=0", "blocks in a cluster from 1 to 16"), ("SIMT_CLUSTER=17", "blocks in a cluster from 1 to 16")]:
        ok.refused(f"{setting} {scratch}/small", 1, f"^simulator: {setting}: a number of {needed} is needed$")


def test_step_10_on_a_smaller_device(ok):
    """What has no room is left out with a line each, and the others run."""
    setting = "SIMT_SHARED_KB=99 SIMT_CLUSTER=8"
    output = right(f"{setting} ./step10 --check -n 1000")
    shared = r" +skipped: needs more than 192 KB of shared memory in a block, this GPU has 99\n"
    ok(re.search(rf"^cluster_16 +skipped: this GPU has no room for a cluster of 16 blocks of 256 threads\nbulk_6x32k{shared}bulk_3x64k{shared}\nvariant.*\n"
                 r"(?:(?!cluster_16|bulk_6x32k|bulk_3x64k)\w+ .* ok\n){9}\n", output, re.M), "all", output)
    for variant, why in ("bulk_3x64k", "needs more than 192 KB"), ("cluster_16", "this GPU has no room for a cluster of 16 blocks"):
        ok.refused(f"{setting} ./step10 -n 1000 -v {variant}", 77, f"step10: {variant} cannot run here: {why}")
