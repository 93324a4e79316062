"""The experiments on the simulator: their sums are right; what they take apart is what the steps run; each wrong kernel of the sources is found out.
(test_measure.py has a stand-in for ncu.)"""
import os
import re

import pytest
from common import EXPERIMENTS, plant, read, right, rows

pytestmark = pytest.mark.more
TIMED = "unrolled", "finishes", "grid_sync", "little"
UNDEFINED = "^simulator: .*reads lane 16, which does not exist: undefined"


@pytest.mark.parametrize("name", TIMED)
def test_sums(scratch, name):
    for how in ("-n 0,1,31,33,255,257,1000,4097,65537", "-n 1,1000,4097 --offset 3 --pattern cancel", "-n 33,4097 --schedule 3", "-n 33,4097 --pattern nan", "-n 1,1000,4097 -b 64"):
        of_64 = "-b" in how and name == "unrolled"  # v5 knows blocks of 256 alone
        right(f"./{name} --check {how} --csv {scratch}/{name}.csv", 2 if of_64 else 0)
        assert of_64 or {row["ok"] for row in rows(f"{scratch}/{name}.csv")} <= {"1", ""}, how


def test_taken_apart(ok, scratch):
    """And nothing else changed."""
    def counted(program, variants):
        right(f"./{program} --counters -n 64K -v {variants} --csv {scratch}/counted.csv")
        return {row["variant"]: row for row in rows(f"{scratch}/counted.csv")}

    def same(row):
        return [row[name] for name in ("gld_requests", "gld_sectors", "gst_requests", "gst_sectors", "barriers", "rel_err")]
    apart, step = counted("unrolled", "v4,v5,loads_only,tree_v4,x1_flight1,x8_flight1,x8_flight2,x8_flight4,x8_flight8"), counted("step03", "v3x8,v4,v5")
    for ours, theirs in ("v4", "v4"), ("v5", "v5"), *((f"x8_flight{count}", "v3x8") for count in (1, 2, 4, 8)):
        ok.equal(same(apart[ours]), same(step[theirs]), f"{ours} of unrolled is {theirs} of step 03")
    finish, barrier = counted("finishes", "narrow_two_pass,narrow_atomic"), counted("grid_sync", "barriers_1,barriers_17")
    ok.equal(apart["x1_flight1"]["rel_err"], counted("step02", "v2")["v2"]["rel_err"], "unrolled: x1_flight1 adds as v2 does")
    ok.equal(finish["narrow_two_pass"]["rel_err"], counted("step06", "two_pass")["two_pass"]["rel_err"], "finishes: two_pass adds as step 06 does")
    ok.equal(barrier["barriers_17"]["rel_err"], barrier["barriers_1"]["rel_err"], "grid_sync: 16 barriers change no sum")
    # Of v4's first launch: the loads, the store and the read of idata[0] are in both parts, the barrier after them too.
    table = re.search("^Global memory:(.*?)^Shared", right("./unrolled --counters -n 64K -v v4,loads_only,tree_v4"), re.M | re.S)[1]
    loads = {name: int(count) for name, count in re.findall(r"^(v4|loads_only|tree_v4) +64K +1 +(\d+) ", table, re.M)}
    ok.equal(loads["loads_only"] + loads["tree_v4"] - 32, loads["v4"], "unrolled: the loads and the tree are all that v4 loads")


# Its lines; a fault: a shuffle that adds, sums that do not, elements that are not read; and the line that shows it.
@pytest.mark.parametrize("name, lines, file, fault, shows", [
    ("shuffle_cost", 25, "shuffle_cost.cu", ("l->value, 1);", "l->value, 1) + 1;"), "^shuffle,32,4,0,,,$"),
    ("vote_cost", 18, "vote_cost.cu", (" + l->lane;", ";"), "^reduce_add,1,1,0,,,$"),
    ("levels", 4, "levels.h", ("read++", "read += 2"), r"^l2,\d+,1,\d+,\d+,0,,,$")])
def test_values_of_cycles_and_levels(scratch, name, lines, file, fault, shows):
    output = right(f"./{name}")
    assert len(re.findall(r"^\w+(?:,\d+)+,1,,,$", output, re.M)) == lines, output  # every value right, no times
    right(f"cp steps/experiments/{name}.cu steps/experiments/{file} {scratch}/")
    plant(f"{scratch}/{file}", fault)
    right(f"simulator/simcc -g1 -Icommon -Isteps/experiments -c {scratch}/{name}.cu -o {scratch}/{name}.o && g++ -fopenmp {scratch}/{name}.o build/sim/libcommon.a -o {scratch}/{name} -lm")
    right(f"{scratch}/{name}", 1, shows)


def test_subnormals():
    """The simulator loses those that an H200 loses."""
    assert right("./subnormals") == re.search(r"^\$ \./subnormals\n((?:.+\n)+)exit status 0\n", read("results/h200/experiments/errata.txt"), re.M)[1]


@pytest.mark.parametrize("command, status, says", [
    ("./errata --check -n 4096 -v not_zeroed", 1, "wrong as expected: nothing was written"),
    ("./errata --check -n 4096 -v warps_32", 1, r"^simulator: steps/experiments/errata\.cu:\d+: .*reads shared memory that no thread"),
    ("./errata --check -n 4096 -v no_shared_bytes", 1, "^simulator: .*the launch gave it 0 bytes"),
    ("./errata --check -n 4096 -v product_32", 77, "^errata: product_32 cannot run here"),
    ("./errata --check -n 4096 -v partial_warp -b 100", 1, UNDEFINED),
    ("./errata --check -n 4096 -v twice", 1, "^simulator: .*calls_002<2>: read-write race in shared memory"),
    ("./in_place --check -n 4096 -v in_place_twice", 1, r"wrong as expected: \S+ instead of"),
    ("./in_place --check -n 4096 -v no_guard -b 96", 1, "^simulator: .*no_guard: read-write race in global memory"),
    ("./absent_lanes", 1, UNDEFINED),
    ("./errata --check -n 4096,100003", 0, ""),  # its one right kernel
    ("./errata --check -n 4096 -v partial_warp,twice -b 32", 0, ""),  # whole warps, one of them
    ("./in_place --check -n 4096 -v no_guard", 0, "")])  # blocks of a power of two, and no end inside one
def test_known_wrong(command, status, says):
    right(command, status, says)


def test_the_script(ok, scratch):
    assert len(EXPERIMENTS) >= 7
    output = right("BACKEND=sim tools/measure/experiments.py sim")
    for name in TIMED:
        ok(re.search(f"^{name}: the sums are right$", output, re.M), f"on the simulator it only checks: {name}", output)
    right("tools/measure/experiments.py", 2)
    right(f"env PATH=/usr/bin:/bin tools/measure/experiments.py cuda {scratch}/none", 77)
    ok(not os.path.exists(f"{scratch}/none"), "no ncu: nothing is written")
