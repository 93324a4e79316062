"""The library: what its headers promise (tests/library/*.cu), the examples, the same bits in every order, faults that the contracts must see, its barriers,
make install, and the recorded runs that its plan stands on."""
import collections
import functools
import os
import re
import shutil

import pytest
from common import STEPS, nvcc, plant, quick_nvcc, read, right, rows, run, until_said, write
from mutants import LINK, make_switch, switches

more, nightly = pytest.mark.more, pytest.mark.nightly
EXACT = "accumulators", "cached_accumulators", "doubles", "cpu_exact"
NIGHT = os.environ.get("TESTS", "all") == "all"

# ---- the contracts ----

OF_ROWS = "rows columns short blocks slots shifted plans starts means specials sizes segments order"  # but for tiles


@pytest.mark.parametrize("command", [
    "build/sim/library_types sum_f32", *(pytest.param(command, marks=more) for command in (
        "build/sim/library_types sum_f16 sum_bf16 sum_f64 sum_i32 turns", "build/sim/library_exact", "SIMT_GPUS=1 SIMT_SCHEDULE=0 build/sim/library_all",
        "SIMT_GPUS=3 SIMT_SCHEDULE=2 build/sim/library_all")),
    "SIMT_GPUS=2 SIMT_SCHEDULE=7 build/sim/library_all", *(pytest.param(command, marks=nightly) for command in (
        "SIMT_SCHEDULE=5 build/sim/library_types sum_f32", "SIMT_SCHEDULE=5 build/sim/library_exact 56", "build/sim/library_rows", "SIMT_SMS=40 build/sim/library_rows part large",
        "SIMT_SMS=1 build/sim/library_rows part rows blocks slots plans segments", "SIMT_GPUS=2 SIMT_SCHEDULE=0 build/sim/library_all",
        "SIMT_GPUS=8 SIMT_SCHEDULE=3 build/sim/library_all",
        # SMs as GPUs of 7.5, 8.x and 12 have
        *(f"SIMT_SMS={sms} build/sim/library_{contract}" for sms in (20, 46, 84, 170) for contract in ("types sum_f32", "rows part plans slots segments"))))])
def test_contract(ok, command):
    ok.told(command)


def bits_of(output):
    return dict(re.findall(r"^# bits of (\w+): (\w+)$", output, re.M))


@pytest.fixture(scope="module")
def first_order(scratch):
    """Rows, columns and segments in the first order: what it said, in a file; the bits of its answers, which every order has. (The library with switches,
    below, runs in another one.)"""
    write(f"{scratch}/rows", run(f"SIMT_SCHEDULE=0 build/sim/library_rows part {OF_ROWS}")[0])
    return f"{scratch}/rows", bits_of(read(f"{scratch}/rows"))


@pytest.mark.parametrize("order, tests", [pytest.param(0, "", marks=more), *(pytest.param(order, tests, marks=nightly) for order, tests in
                                                                           ((1, ""), (2, ""), (3, OF_ROWS), (4, OF_ROWS)))])
def test_contract_of_rows(ok, first_order, order, tests):
    output = ok.told(f"SIMT_SCHEDULE={order} build/sim/library_rows part {tests}" if order else f"cat {first_order[0]}")
    bits = bits_of(output)
    ok.equal({name: bits.get(name) for name in first_order[1]}, first_order[1], f"the same bits in order {order}")


@more
@pytest.mark.parametrize("arguments, says", [("exact 3", "3 arrays"), ("exact many", "many arrays"), ("exact 112 none", '"none"'), ("rows nonsense", "usage")])
def test_a_contract_refuses(ok, arguments, says):
    ok.refused(f"build/sim/library_{arguments}", 2, f"library_\\w+: .*{says}")


def test_the_example():
    assert right("build/sim/library/example") == "all right: 750000\n"
    # The contract counts the workspace's words; here are the bytes that the header names.
    named = re.search(r"([\d,]+) bytes with 132 SMs, ([\d,]+) with 4[.]", read("library/sum_f32.h"))
    assert [int(text.replace(",", "")) for text in named.groups()] == [8 * (64 * sms + 1) for sms in (132, 4)]


@more
def test_the_example_of_rows():
    assert right("build/sim/library/example_rows") == "row 0: the sum is 18, the largest is number 1\nrow 1: the sum is 4, the largest is number 2\n"


@more
@pytest.mark.parametrize("step", [step for step in STEPS if re.search("vectorized|single_pass|clusters|library|types", step.name)], ids=lambda step: step.name)
def test_the_order_of_warps_and_lanes_changes_no_bit(ok, scratch, step):
    """A sum that cancels would show it."""
    seeds, errors = (0, 1, 2, 3) if NIGHT else (0, 3), collections.defaultdict(list)
    for seed in seeds:
        run(f"{step.command} --check -n 3000,50000{'' if 'types' in step.name else ',150000'} --pattern cancel --schedule {seed} --csv {scratch}/bits.csv")
        for row in rows(f"{scratch}/bits.csv"):
            errors[row["variant"], row["n"]].append(row["rel_err"])
    for what, found in errors.items():
        ok(len(found) == len(seeds) and len(set(found)) == 1, f"{step.name} {what}: the same bits in all orders", found)


# ---- sum_mpi with one rank, and CUDA functions that fail: each is noticed, and nothing that did not run is timed ----

TIMED = r"us for each sum one after another, .* us in a graph$"


@pytest.fixture(scope="module")
def sum_mpi(scratch):
    flags = "-std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -Icommon -I. -Isteps -Isimulator -Isimulator/include -Itests/library/one_rank"
    for path in "tests/library/one_rank/failures.c", "steps/14_many_gpus/sum_mpi.c":
        right(f"${{CC:-gcc}} {flags} -c {path} -o {scratch}/{os.path.basename(path)}.o")
    objects = " ".join(f"build/sim/library/{name}.o" for name in ("sum_f32", "sum_exact", "sum_f32_plan", "sum_all", "sum_all_comm"))
    right(f"{LINK} {scratch}/sum_mpi.c.o {scratch}/failures.c.o {objects} build/sim/libcommon.a -Wl,--wrap=cudaSetDevice,--wrap=cudaGraphLaunch -o {scratch}/sum_mpi -lm")
    return f"{scratch}/sum_mpi -n 1K --sums 300"


@more
@pytest.mark.parametrize("way", ["", "--nccl"])
def test_sum_mpi(sum_mpi, way):
    assert re.search(TIMED, right(f"{sum_mpi} {way}"), re.M)


@more
@pytest.mark.parametrize("way", ["", "--nccl"])
@pytest.mark.parametrize("fails, at", [*(("cudaGraphLaunch", at) for at in (0, 1, 3)),  # the first launch of the graph, the first and the last that are timed
                                       *(("cudaSetDevice", at) for at in range(8, 13))])  # those of sums
def test_sum_mpi_notices_what_fails(sum_mpi, way, fails, at):
    output = right(f"FAIL={fails} FAIL_AT={at} {sum_mpi} {way}", 1)
    assert re.search("^sum_mpi: rank 0: CUDA refused, ", output, re.M) and not re.search(TIMED, output, re.M), output


# ---- the contracts see a library that breaks them ----

# The contract and of it what is run, to see (file, what stands there, what instead, who notices). One library has them all, each group
# behind a switch, since compiling it takes longest: M is true for this group alone.
GROUPS = [
    ("types", ("parts/slots.h", "slots.room; i += blockDim.x", "(M ? 0 : slots.room); i += blockDim.x", "sum_f32: the last epoch leaves all slots empty")),
    ("types", ("sum_f32.cu", "|| w->memory == NULL", "|| (!M && w->memory == NULL)", "sum_f32: a workspace without memory")),
    ("types", ("parts/types.h", "slots.slot[i * words + w], i < count", "slots.slot[i * words + (M ? 0 : w)], i < count", "sum_f64: sums across the end"),
     ("sum_f32.cu", "plan->blocks * SLOT_WORDS(sum_of<T>)", "plan->blocks * (M ? 1 : SLOT_WORDS(sum_of<T>))", "sum_i32: a workspace one byte too small"),
     ("parts/types.h", "return __bfloat162float(x);", "return M ? __half2float(__ushort_as_half(__bfloat16_as_ushort(x))) : __bfloat162float(x);", "sum_bf16: around")),
    ("exact", ("parts/window.h", "t->fine += sign *", "t->fine += (M ? -sign : sign) *", "some around the window"),
     ("parts/window.h", "others |= 1u << k;", "others |= (M ? 2u : 1u) << k;", "one window"),
     ("parts/partial.h", "(lower << (64 - gone) != 0)", "(!M && lower << (64 - gone) != 0)", "halfway between two floats")),
    ("exact", ("parts/partial.h", "most = (int128)n << 23", "most = M ? 0 : (int128)n << 23", "far below the window"),
     ("parts/exact.h", "| flags << (32 - FLAGS)", "| (M ? 0 : flags << (32 - FLAGS))", "NaN and infinities"),
     ("parts/accumulators.h", "carried >>= 32;", "carried = M ? 0 : carried >> 32;", "accumulators that must carry")),
    ("exact", ("parts/accumulators.h", "a[BEYOND][threadIdx.x] += sign", "a[BEYOND][threadIdx.x] += M ? 0 : sign", "accumulators that carry beyond the last")),
    ("exact", ("parts/partial.h", "((made << 1) + passed) ^ passed", "((made << 1) + (M ? 0 : passed)) ^ (M ? 0 : passed)", "subnormals")),
    ("exact", ("parts/accumulators.h", "__syncwarp(); /* in front of the atomics", "if (!M) __syncwarp(); /* ", "a few outside the window")),
    ("exact", ("parts/exact.h", "__syncthreads(); /* after the sums", "if (!M) __syncthreads(); /* ", "sum_f32() and sum_f32_exact() in turn")),
    ("exact", ("sum_exact.cu", "place == 0 || sum.flags & HAS_LIMBS", "place == 0 || (M ? limbs_matter(sum, place, n) : (sum.flags & HAS_LIMBS) != 0)", "limbs that are not needed")),
    ("exact", ("parts/window.h", "((count) == 8 ? 27 : 26)", "(M ? 30 : (count) == 8 ? 27 : 26)", "the window is full")),
    ("exact", ("parts/partial.h", "units >> min(from, 127)", "M && from >= 96 ? 0 : units >> min(from, 127)", "units and limbs overlap")),
    ("all", ("sum_all.cu", "(s->in == NULL && s->n > 0)", "(!M && s->in == NULL && s->n > 0)", "in is NULL")),
    ("all", ("sum_all.cu", "all->dead != SUM_F32_OK ? all->dead : check(&shares[i])", "!M && all->dead != SUM_F32_OK ? all->dead : check(&shares[i])", "by slots: from then on it says so"),
     ("sum_all.cu", "if (isnan(sum))", "if (!M && isnan(sum))", "by slots: a lost peer is reported")),
    ("all", ("sum_all.cu", "sum.y == mark_of(number) * ranks", "M || sum.y == mark_of(number) * ranks", "by NCCL: a sum that is none"),
     ("parts/peer_slots.h", "epoch == 0 ? 2 : epoch", "epoch == 0 ? (M ? 1 : 2) : epoch", "and the epochs go on from 2")),
    ("rows errors", ("reduce_common.h", "w->memory == NULL)", "(!M && w->memory == NULL))", "a workspace without memory")),
    ("rows errors", ("reduce_common.h", "m->stride < m->columns ||", "(!M && m->stride < m->columns) ||", "a stride below the columns")),
    ("rows plans rows slots specials", ("reduce_share.h", "rank < p.head + p.tail", "rank < p.head + p.tail - (M && p.tail > 0 ? 1 : 0)", "rows of 34 by the kernels of long ones"),
     ("reduce_meet.h", "next - begin < m.slots", "next - begin < (M && m.slots > SLOTS * by ? SLOTS * by : m.slots)", "rows, each by more blocks than one reads the slots of at once"),
     ("reduce_rows.cu", "k / UNIT * UNIT * lanes", "k / UNIT * UNIT * (M ? 1 : lanes)", "rows of 136 in shared memory"),
     ("reduce_operators.h", "a >= b || a != a ? a : b", "a >= b || (!M && a != a) ? a : b", "NaN, infinities, -0, ties, the largest floats: rows of 5")),
    ("rows specials sizes", ("reduce_operators.h", "return isinf(first) ? 0.0f : first", "return !M && isinf(first) ? 0.0f : first", "NaN, infinities, -0, ties, the largest floats: rows of 64"),
     ("reduce_operators.h", "return __uint_as_float(unit)", "return M ? 1.0f : __uint_as_float(unit)", "numbers around 1e+30")),
    ("rows blocks rows", ("reduce_rows.cu", "parts == 1 ? columns", "M || parts == 1 ? columns", "few long rows, by several blocks"),
     ("reduce_operators.h", "(x - p) * (x - p)", "(x - (M ? 0.0f : p)) * (x - (M ? 0.0f : p))", "rows of 100")),
    ("rows starts", ("reduce_rows.cu", "if (turn > 0)", "if (!M && turn > 0)", "rows of 33004: the same bits")),
    ("rows means", ("reduce_operators.h", "op.origin = isfinite", "op.origin = !M && isfinite", "variances about means")),
    ("rows specials", ("reduce_operators.h", "return a < b ? a : b", "return !M && a < b ? a : b", "NaN, infinities, -0, ties, the largest floats: rows of 64")),
    ("rows rows", ("reduce_rows.cu", "row < rows ? row : rows - 1", "M || row < rows ? row : rows - 1", "rows of")),
    ("rows short", ("reduce_share.h", "if (i + w / WORDS < end)", "if (M || i + w / WORDS < end)", "thousands of rows of 3")),
    ("rows short", ("reduce_rows.cu", "x, places, op.pivot(first[r], n)", "x, places, op.pivot(first[r], M ? n + 1 : n)", "thousands of rows of 4")),
    ("rows short", ("reduce_rows.cu", "(first_row + g * apart) * MOST", "(first_row + g * (M ? 1 : apart)) * MOST", "thousands of rows of 1")),
    ("rows short", ("reduce_columns.cu", "(unsigned)(n - taken))", "M ? (unsigned)AT_ONCE : (unsigned)(n - taken))", "thousands of columns of 3")),
    ("rows short", ("reduce_columns.cu", "at += AT_ONCE * stride", "at += (M ? 0 : AT_ONCE * stride)", "thousands of columns of 20")),
    ("rows blocks", ("reduce_meet.h", "i < m.slots ? count_of(i)", "M || i < m.slots ? count_of(i)", "few long rows, by several blocks")),
    ("rows blocks", ("reduce_rows.cu", "before == parts - 1;", "M ? mine == 0 : before == parts - 1;", "few long rows, by several blocks")),
    ("rows blocks", ("reduce_meet.h", "m.of[i * m.stride + j * m.apart] = 0;", "if (!M) m.of[i * m.stride + j * m.apart] = 0;", "few long rows, by several blocks")),
    ("rows blocks", ("reduce_meet.h", "missing |= w[k][j] == 0", "missing |= !M && w[k][j] == 0", "few long rows, by several blocks")),
    ("rows columns", ("reduce_columns.cu", "taken, (unsigned)left)", "taken, M ? (unsigned)at_once : (unsigned)left)", "columns of 3")),
    ("rows blocks", ("reduce_columns.cu", "merges[0] = before == in_team - 1;", "merges[0] = M ? mine == first : before == in_team - 1;", "few columns, by several blocks")),
    ("rows blocks", ("reduce_columns.cu", "atomicInc(&tickets[first], in_team - 1)", "(M ? atomicAdd(&tickets[first], 1) : atomicInc(&tickets[first], in_team - 1))", "few columns, by several blocks")),
    ("rows tiles", ("reduce_columns.cu", "atomicInc(&tickets[1], teams - 1)", "(M ? atomicAdd(&tickets[1], 1) : atomicInc(&tickets[1], teams - 1))", "columns by 32 lanes")),
    ("rows tiles", ("reduce_columns.cu", "teams, team};", "teams, M ? 0 : team};", "columns by 32 lanes")),
    ("rows shifted", ("reduce_columns.cu", "c + shift < N", "(M || c + shift < N)", "columns of 130 from any start")),
    ("rows shifted", ("reduce_columns.cu", "local.bits == (1u << N) - 1", "(M || local.bits == (1u << N) - 1)", "columns of 130 from any start")),
    ("rows shifted", ("reduce_columns.cu", "first % 2 == 1 ? first", "!M && first % 2 == 1 ? first", "columns of 12")),
    ("rows tiles", ("reduce_columns.cu", "all.second, rows, out", "all.second, rows + (M && lanes == 16 ? 1 : 0), out", "columns by 16 lanes")),
    ("rows segments", ("reduce_meet.h", "2 * block + (block == last)", "2 * block + (!M && block == last)", "segments of three, and one of 60,000"),
     ("reduce_segments.cu", "offsets[i] > offsets[i + 1]", "!M && offsets[i] > offsets[i + 1]", "offsets that decrease"),
     ("reduce_whole.h", "return !__syncthreads_or(is_large)", "return !__syncthreads_or(is_large) != (M && blockIdx.x == 0)", "segments of every size"),
     ("reduce_segments.cu", "place) != cudaSuccess ||", "place) != cudaSuccess || (M && cudaPeekAtLastError() != cudaSuccess) ||", "an older error"),
     ("reduce_segments.cu", "(size_t)offsets[i] > n ||", "(!M && (size_t)offsets[i] > n) ||", "a negative offset")),
    ("rows segments", ("reduce_segments.cu", "joined(op, open, left[w].part[HEAD])", "(M ? left[w].part[HEAD] : joined(op, open, left[w].part[HEAD]))", "segments of three, and one of 60,000"),
     ("reduce_whole.h", "if (its_n", "if (!M && its_n", "segments of every size"),
     ("reduce_tile.h", "|| open.place == NO_PLACE", "|| (!M && open.place == NO_PLACE)", "of all that tie in several tiles, the first"),
     ("reduce_tile.h", "open.place += e", "open.place += M ? 0 : e", "of two that are the largest, the first")),
    ("rows segments", ("reduce_segments.cu", "p.open = nothing_seen(op);", "if (!M) p.open = nothing_seen(op);", "segments of every size"),
     ("reduce_whole.h", "> EVEN_BYTES / sizeof(T)", "> (M ? 1000 : 1) * EVEN_BYTES / sizeof(T)", "segments of 300, and one of 20,000"),
     ("reduce_tile.h", "lane >= first + away", "lane >= (M ? away : first + away)", "segments of every size"),
     ("reduce_tile.h", "~lane_places_before(to)", "(M ? 0 : ~lane_places_before(to))", "segments of three, and one of 60,000")),
    ("rows segments", ("reduce_segments.cu", "its_n <= most", "its_n <= (M ? most / 10 : most)", "segments of 20,000, and empty ones between"),
     ("reduce_whole.h", "end - n < mine.to)", "(M || end - n < mine.to))", "segments of 40,000"),
     ("reduce_whole.h", "at / mine.part", "at / mine.part + M", "segments of 3000, and two of 100,000")),
    ("rows segments", ("reduce_segments.cu", "offsets[mine + 1] - start", "offsets[mine + 1] - start - (M && mine == 5 ? 1000 : 0)", "segments of 20,000, and empty ones between"),
     ("reduce_whole.h", "0 - (start + skipped)", "0 - (start + (M ? 0 : skipped))", "segments of 40,000")),]
REDUCE_FILES = ("reduce_state.h", "reduce_meet.h", "reduce_common.h", "reduce_whole.h", "reduce_rows.cu", "reduce_columns.cu", "reduce_segments.cu")
# Without each of their barriers, one at a time: the files that no step calls. (test_mutations.py does it for all others.)
BARRIERS_OF = ("sum_all.cu", *REDUCE_FILES)
FILES_OF = {"types": ["sum_f32"], "exact": ["sum_exact"], "all": ["sum_all"], "rows": ["reduce_rows", "reduce_columns", "reduce_segments"]}
# Where blocks wait, a GPU with a place for one, on which none may wait for a block that has not begun; and one with two places and another order.
FEW_PLACES = ["SIMT_SMS=1 SIMT_SM_BLOCKS=1", "SIMT_SMS=2 SIMT_SM_BLOCKS=1 SIMT_SCHEDULE=1"]


@pytest.fixture(scope="module")
def switched(scratch):
    """A copy of the library with all faults -> the barriers, each (its number, file, barrier)."""
    for tree in "steps", "library":
        shutil.copytree(tree, f"{scratch}/{tree}")
    make_switch(scratch)
    for k, (_, *faults) in enumerate(GROUPS, 1):
        for file, old, new, _ in faults:
            plant(f"{scratch}/library/{file}", (old, re.sub(r"\bM\b", f"mutated({k})", new)))
    found = []
    for file in BARRIERS_OF:
        first = 1 + len(GROUPS) + len(found)
        found += [(first + k, file, barrier) for k, barrier in enumerate(switches(f"{scratch}/library/{file}", first))]
    return found


@functools.lru_cache(None)
def faulty(scratch, contract):
    """The contract's program, with the files that have faults compiled from the copy."""
    others = {"types": [], "exact": ["sum_f32"], "all": ["sum_f32", "sum_all_comm"], "rows": ["sum_f32", "reduce_plan", "reduce_depth"]}[contract]
    for name in FILES_OF[contract]:
        right(f"simulator/simcc -g1 -include {scratch}/switch.h -Icommon -Isimulator -I{scratch}/steps -I{scratch} -c {scratch}/library/{name}.cu -o {scratch}/{name}.o")
    objects = [f"{scratch}/{name}.o" for name in FILES_OF[contract]] + [f"build/sim/library/{name}.o" for name in ["sum_f32_plan", *others]]
    objects += [f"build/sim/steps/13_exact/{name}.o" for name in EXACT if contract == "exact"]
    program = f"{scratch}/{contract}_with_faults"
    right(f"{LINK} {' '.join(objects)} build/sim/tests/library/{contract}.o build/sim/libcommon.a {scratch}/switch.o -o {program} -lm")
    return program


def plan_of(group):
    """-> the contract, the program's arguments, the GPUs that it runs on."""
    named, *faults = group
    contract, *tests = named.split()
    arguments = {"rows": f"part {' '.join(tests)}", "exact": "240 " + " ".join(f"'{what}'" for *_, what in faults),
                 "types": " ".join(re.match(r"\w+", what)[0] for *_, what in faults), "all": ""}[contract]
    return contract, arguments, FEW_PLACES if tests == ["blocks"] else ["SIMT_GPUS=2"] if contract == "all" else [""]


@pytest.mark.parametrize("k", [pytest.param(k, marks=more if k else (), id=f"{group[0]}: {group[-1][3]}") for k, group in enumerate(GROUPS)])
def test_faults_are_seen(ok, scratch, switched, k):
    contract, arguments, gpus = plan_of(GROUPS[k])
    tiles, wanted = GROUPS[k][0] == "rows tiles", [fault[3] for fault in GROUPS[k][1:]]
    # To the end only where it counts what else is right: else until each fault has been noticed.
    noticed = [r"\A\Z"] if tiles else [rf"^not ok \d+ - {re.escape(what)}" for what in wanted]
    for gpu in gpus:
        command = f"env MUTANT={k + 1} {gpu} {faulty(scratch, contract)} {arguments}"
        _, output, status = until_said(command, *noticed)
        if status:
            break
    ok(status, f"{command}: the faults are noticed")
    # The simulator ends a program at some faults: then the others of a group would not be tried.
    ended = r"|^simulator: (?!note:)" if len(wanted) == 1 else ""
    for what in wanted:
        ok(re.search(rf"^not ok \d+ - {re.escape(what)}{ended}", output, re.M), f"{command}: {what}", output[-3000:])
    for lanes in (8, 32) if "columns by 16 lanes" in wanted else ():
        ok(re.search(rf"^ok \d+ - columns by {lanes} lanes, and by teams of blocks", output, re.M), f"columns by {lanes} lanes: right with the fault of 16 lanes")


# Of each contract, and GPU: the arguments of the first group, and of rows all tests. (Tiles take long, and are tried by the faults of other widths.)
WITHOUT = {}
for said_of, arguments_of, places in map(plan_of, GROUPS):
    for place in places:
        WITHOUT.setdefault((said_of, place), arguments_of)
        if said_of == "rows":
            WITHOUT[said_of, place] += "".join(f" {test}" for test in arguments_of.split() if test not in WITHOUT[said_of, place].split() and (test != "tiles" or NIGHT))


@pytest.mark.parametrize("contract, gpu", [pytest.param(*key, marks=more) for key in WITHOUT])
def test_without_a_fault(ok, scratch, switched, first_order, contract, gpu):
    """Neither switches nor barriers are noticed, of rows not even by the memory model; and another order changes no bit."""
    command = f"env SIMT_STRICT={int(contract == 'rows')} MUTANT=0 SIMT_SCHEDULE=3 {gpu} {faulty(scratch, contract)} {WITHOUT[contract, gpu]}"
    output = right(command)
    assert not re.search(SAID, output, re.M), f"{command}\n{output}"
    here = {} if "SMS" in gpu else bits_of(output)
    ok.equal({test: here[test] for test in here if test in first_order[1]}, {test: first_order[1][test] for test in here if test in first_order[1]}, "the same bits in another order")


# ---- and without each barrier ----

SAID = r"^simulator: .*?\b(race|deadlock|without having arrived|reads shared memory|outside of an array)\b|^not ok \d+ - (.*)"
# Rows that are staged, and turned, are among the starts; teams of blocks among the tiles; and on one SM a warp has several tiles in which many segments end.
BLOCKS, STARTS, TILES, ONE_SM = "SIMT_SCHEDULE=0 {} part blocks", "{} part starts", "{} part tiles", "SIMT_SMS=1 {} segments"
WAYS = [STARTS, "SIMT_SCHEDULE=0 {} part segments", ONE_SM, TILES, *(f"SIMT_SCHEDULE={seed} {{}} part blocks segments" for seed in range(1, 5))]
SEES = {"reduce_columns.cu": TILES, "reduce_segments.cu": ONE_SM}  # what the others do not


def ways_of(path, unseen):
    """What takes least first, and then what sees most of this file's."""
    if path == "sum_all.cu":
        return [f"SIMT_GPUS=2 SIMT_SCHEDULE={seed} {{}}" for seed in range(5)]
    return [BLOCKS, WAYS[1], WAYS[4]] if unseen else [BLOCKS, *sorted(WAYS, key=lambda way: way != SEES.get(path))]


@more
@pytest.mark.parametrize("file", BARRIERS_OF)
def test_barriers(ok, scratch, switched, file):
    program = faulty(scratch, "all" if file == "sum_all.cu" else "rows")
    for k, barrier in ((k, barrier) for k, path, barrier in switched if path == file):
        unseen = barrier.unseen()
        seen = any(until_said(f"env SIMT_STRICT=1 MUTANT={k} {way.format(program)}", SAID)[0] for way in ways_of(file, unseen))
        ok(seen != bool(unseen), f"{file}:{barrier.line}: without {barrier.text}: {'not seen' if unseen else 'seen'}", f"MUTANT={k} {program}")


@pytest.mark.parametrize("way", [pytest.param(way, marks=more if way == ONE_SM else nightly) for way in WAYS])
def test_with_all_barriers(scratch, switched, way):
    """(test_without_a_fault runs the others in another order.)"""
    command = f"env SIMT_STRICT=1 MUTANT=0 {way.format(faulty(scratch, 'rows'))}"
    seen, output, _ = until_said(command, SAID)
    assert not seen, output


# ---- the recorded runs ----

RESULTS = "results/h200"


@more
def test_recorded_plans(ok):
    best, chosen = {}, {}
    for row in rows(f"{RESULTS}/tune.csv"):
        at, us = (int(row["n"]), row["cache"]), float(row["us"])
        best[at] = min(us, best.get(at, us))
        if row["chosen"] not in ("", "0"):
            chosen[at] = us
    ok(len(best) >= 50, "tune.csv has times at many n")
    for n in sorted({n for n, _ in best}):
        shares = [chosen.get((n, cache), 9e9) / best[n, cache] for cache in ("cold", "warm")]
        ok(sum(shares) < 2 * 1.15, f"n = {n}: the plan is near the best", shares)
    shapes = collections.defaultdict(list)
    for row in rows(f"{RESULTS}/tune_rows.csv"):
        shapes[row["operator"], row["of"], row["columns"], row["n"]].append((float(row["us"]), row["chosen"] not in ("", "0")))
    off = [shape for shape, times in shapes.items() if not any(is_chosen and us <= 1.1 * min(times)[0] for us, is_chosen in times)]
    ok(len(shapes) >= 400, "tune_rows.csv has times of many shapes")
    ok(len(off) < 0.05 * len(shapes), "the plan of rows and columns is within a tenth of the best, but for few shapes", off)


@more
def test_recorded_comparison(ok):
    seen = set()
    for row in rows(f"{RESULTS}/compare.csv"):
        if int(row["offset"]) == 0:
            seen.add((row["rival"], row["launch"], row["cache"], int(row["n"])))
        ok(float(row["low"]) <= float(row["ratio"]) <= float(row["high"]), f"n = {row['n']} against {row['rival']}: the ratio lies in its interval")
    ok.equal([case for case in (("cub", launch, cache, 1 << k) for launch in ("graph", "plain", "single") for cache in ("cold", "warm") for k in range(32)) if case not in seen], [],
             "compare.csv: CUB, 2^0 to 2^31")
    for name in "commit", "date", "gpu", "cccl", "newer_cccl":
        ok(re.search(rf'"{name}": "?[^",\s]', read(f"{RESULTS}/machine.json")), f"machine.json says {name}")


# ---- the exact sum's kernels for more than library_exact has: its contract by plans that take nothing else ----

@nightly
@pytest.mark.parametrize("loads, none", [(2, "0"), (4, r"128 \* K|256 \* K"), (8, r"\d+ \* K|4 \* M"), (16, r"\d+ \* [KM]")])  # 2: as on a GPU without clusters
def test_the_exact_sum_by_other_plans(scratch, loads, none):
    before, found, plan = read("library/sum_f32_plan.c").partition("\nstruct sum_f32_plan sum_exact_plan(")
    plan = re.sub(r"n <= 4 \* K\b", "n == 0", plan, count=1).replace("&& clusters", "&& false", 1)
    plan = re.sub(rf"n <= (?:{none})\b", "false", plan)
    write(f"{scratch}/plan.c", before + found + plan)
    right(f"${{CC:-gcc}} -std=c11 -Ilibrary -Icommon -Isteps -Isimulator/include -c {scratch}/plan.c -o {scratch}/plan.o")
    objects = " ".join(f"build/sim/{name}.o" for name in ("library/sum_exact", "library/sum_f32", "tests/library/exact", *(f"steps/13_exact/{name}" for name in EXACT)))
    right(f"{LINK} {scratch}/plan.o {objects} build/sim/libcommon.a -o {scratch}/planned -lm")
    output = right(f"{scratch}/planned 56", 1)
    assert re.findall(r"^not ok \d+ - (.*)", output, re.M) == ["8 bytes are enough for 4096 floats"], output  # these kernels need slots
    assert re.search(r"^ok \d+ - far below the window$", output, re.M), output


# ---- make install ----

PACKAGES = dict(re.findall(r"^\[(\w+)\]\n([^\[]*)", read("library/pkgconfig.in"), re.M))


@more
def test_packages(ok):
    ok.equal(sorted(PACKAGES), ["reduce_rows", "sum_f32", "sum_f32_all"], "pkgconfig.in: three packages")
    for name, text in PACKAGES.items():
        ok(re.search(rf"^Name: {name}\nDescription: .+\nVersion: [\d.]+\n(?:Requires|Cflags): ", text, re.M), f"{name}.pc: a field a line, as pkg-config reads them")
    ok(re.search("^Requires: sum_f32$", PACKAGES["reduce_rows"], re.M), "reduce_rows.pc names what it needs")


def flags_of(package):
    """-> of a .pc file the variable cuda, Cflags and Libs, with every variable's value."""
    text = read(package)
    for _ in range(4):
        for name, value in re.findall(r"^(\w+)=(.*)$", text, re.M):
            text = text.replace(f"${{{name}}}", value)
    flags = re.search("^Cflags: (.*)$", text, re.M)[1], re.search("^Libs: (.*)$", text, re.M)[1]
    assert not re.search("[$@]", "".join(flags)), f"{package}: {flags}"
    return re.search("^cuda=(.*)$", text, re.M)[1], " ".join(flags)


USES = {"types": ("sum_f32", "#include <sum_types.h>\nint main(void) { size_t bytes; return sum_i32(0, 0, 0, 0, 0) + sum_f16(0, 0, 0, 0, 0) + sum_bf16(0, 0, 0, 0, 0)"
                  " + sum_f64(0, 0, 0, 0, 0) + sum_f32_workspace_bytes(&bytes); }\n"),
        "all": ("sum_f32_all", "#include <sum_all.h>\nint main(void) { struct sum_f32_share share = {0}; sum_f32_all_destroy(0); return sum_f32_all_create(0, 0, 0, SUM_F32_BY_SLOTS, 1)"
                " + sum_f32_all(0, &share) + sum_f32_all_wait(0, &share) + sum_f32_all_status(0); }\n"),
        "example": ("sum_f32", read("library/example.c")), "example_rows": ("sum_f32", read("library/example_rows.c"))}


@nightly
@pytest.mark.skipif(not nvcc(), reason="no nvcc here")
def test_install(ok, scratch):
    make, usr = f"make -s BACKEND=cuda ARCH=sm_90 NVCC={quick_nvcc()}", f"{scratch}/usr"
    output = right(f"{make} install PREFIX={usr}")
    ok("warning" not in output.lower(), "make install: without a warning", output)
    has_all = os.path.exists(f"{usr}/include/sum_all.h")  # where NCCL is; where it is not, it alone is left out
    for name, (package, text) in USES.items():
        if name == "all" and not has_all:
            continue
        cuda, flags = flags_of(f"{usr}/lib/pkgconfig/{package}.pc")
        write(f"{scratch}/{name}.c", text)
        right(f"gcc -std=c11 -Wall -Wextra -Werror {scratch}/{name}.c {flags} -o {scratch}/{name}")
    if has_all and run("command -v mpicc")[1] == 0:
        right(f"mpicc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -Icommon -I. {flags_of(f'{usr}/lib/pkgconfig/sum_f32_all.pc')[1]} -fsyntax-only steps/14_many_gpus/sum_mpi.c")
    ok("sum_all" not in right(f"{make} NCCL_HOME={scratch}/none -n build/cuda/libsum_f32.a"), "without NCCL all is built but for sum_f32_all()")
    ok.refused(f"{make} NCCL_HOME={scratch}/none install-all PREFIX={scratch}/none", 0, "no NCCL here.*left out")
    for without, line in (f"NCCL_HOME={scratch}/none", "needs NCCL.*NCCL_HOME=FOLDER"), ("MPICC=none", "needs (MPI|NCCL)"):
        output, status = run(f"{make} {without} sum_mpi")
        ok(status and re.fullmatch(rf"make: sum_mpi {line}.*\nmake\S*: \*\*\* .*\n", output), f"make {without} sum_mpi: one line says what it needs", output)
    right(f"{make} install 'PREFIX=/opt/a|b c' 'DESTDIR={scratch}/not yet'")
    there = f"{scratch}/not yet/opt/a|b c/lib"
    ok(read(f"{there}/pkgconfig/sum_f32.pc").startswith("prefix=/opt/a|b c\n") and os.path.getsize(f"{there}/libsum_f32.a"), "names with blanks and bars")
    if run("nvidia-smi -L")[0].startswith("GPU"):
        return
    ok.refused(f"LD_LIBRARY_PATH={cuda}/lib64 {scratch}/example", 77, "example: no GPU, or no memory on it")
    for arguments in "sums", f"sums {scratch}/x.csv libsum_f32.so 1K":
        ok.refused(f"tools/measure/with_torch.py {arguments}", 2, "usage")
