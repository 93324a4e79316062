"""The check itself: kernels broken on purpose must be caught, each in the way that it is broken; a right one must pass the same runs; those wrong on purpose
must show it. What a GPU notices in every run is tried there, too."""
import re

import pytest
from common import BACKEND, STEPS, right, rows, run, variants, write
from mutants import planted, planted_program

SIM = BACKEND == "sim"
on_sim = pytest.mark.skipif(not SIM, reason="of the simulator")
WORD = r"out\[500\] is .* instead of "
CAUGHT = [("dropped_tail", "-n 1001 --pattern ones", ""), ("swapped_operand", "-n 1000", ""), ("unwritten_output", "-n 1000", ""), ("unwritten_output", "-n 0", ""),
          ("first_block_only", "-n 1000", ""), ("hides_nan", "-n 1000 --pattern nan", ""), ("overflows", "-n 1000 --pattern huge", ""),
          ("last_element", "-n 1000 --pattern ramp", ""), ("missing_barrier", "-n 1000", ""),
          # the simulator has the line; after the input lies a NaN
          ("one_too_many", "-n 1000", r"^simulator: tests/broken/reduce\.cu:\d+: serial, block \(0,0,0\)" if SIM else ""),
          # answers of many words: one of them wrong
          ("copy_wrong_word", "-n 1000", WORD), ("copy_unwritten_word", "-n 1000", WORD), ("copy_unwritten_word", "-n 1000 --pattern nan", WORD),
          ("copy_written_twice", "-n 1000", f"{WORD}|: race |write-write race"),
          ("copy_unwritten_nan", "-n 1000 --pattern nan", r"out\[\d+\] is -?nan instead of -?nan"),
          ("copy_other_nan", "-n 1000 --pattern nan", r"out\[\d+\] is 0 instead of nan")]


@pytest.mark.parametrize("variant, how, line", [case for case in CAUGHT if SIM or case[0] != "missing_barrier"])
def test_caught(ok, variant, how, line):
    output = right(f"./broken --check -v {variant} {how}", 1, line)
    copies = variant.startswith("copy")
    ok(not copies or "others, too" not in output, "it is one word", output)
    right(f"./broken --check -v copy_right {how.replace('1000', '0,1,1000')}" if copies else f"./broken --check -v right {how}")


@on_sim
def test_newer_gpus(ok):
    why = "needs compute capability 99.0, this GPU has 9.0"
    ok.refused("./broken --check -v for_newer_gpus -n 1000", 77, f"for_newer_gpus cannot run here: {why}")
    right("./broken --check -v right,for_newer_gpus -n 1000", 0, f"^for_newer_gpus +skipped: {why}$")  # beside another one


@on_sim
def test_skipped_in_part(ok):
    """What a variant does not take of several sizes and rows is left out, and said."""
    output = right("./softmax --check -v 'softmax*' --row 32,16K -n 64K,1000")
    for line in "softmax_warp +skipped in part: takes an n that is a multiple of 32, not 1000", r"softmax_cluster +skipped in part: takes rows of 512 to 16384 [^\n]*, not 32":
        ok(re.search(f"^{line}$", output, re.M), line, output)
    ran = [" ".join(found) for found in re.findall(r"^softmax_(\w+) +(\S+) +(\S+) .* ok$", output, re.M)]
    ok.equal(ran, ["warp 64K 32", "warp_shared 64K 32", "block 64K 32", "block 64K 16K", "cluster 64K 16K"], "what is left runs")


# Wrong on purpose: they run when named, and then show how they fail, status 1, whether or not the simulator sees a race, too.
ENOUGH_TO_BE_STUCK, SQUARES_OVERFLOW = "-n 64K --pattern positive", "-n 4096 --pattern huge"
KNOWN_WRONG = {"v6_volatile": "-n 4096", "cooperative_source": "-n 4096", "half_naive": ENOUGH_TO_BE_STUCK, "bfloat16_naive": ENOUGH_TO_BE_STUCK,
               "norm_naive": SQUARES_OVERFLOW, "variance_naive": SQUARES_OVERFLOW}


def known_wrong():
    return {row["variant"]: step for step in STEPS for row in variants(step.command) if row["known_wrong"] and row["runs_here"]}


@pytest.mark.parametrize("variant", KNOWN_WRONG if SIM else ["cooperative_source"])
def test_wrong_on_purpose(ok, scratch, variant):
    step, csv = known_wrong()[variant], f"{scratch}/known_wrong.csv"
    ok(not re.search(f"^ *{variant}", run(f"{step.command} --check -n 4096")[0], re.M), "it does not run unless named")
    for how in f"-v {variant}", "--known-wrong":
        output = right(f"{step.command} --check {KNOWN_WRONG[variant]} {how} --csv {csv}", 1)
        if variant == "v6_volatile":
            ok(re.search(rf"^simulator: {step.folder}/{variant}\.cu:\d+: sum_blocks: read-write race in shared memory: ", output, re.M), f"{how}: the race is reported", output)
        else:
            ok(" race " not in output, f"{how}: no race", output)
        ok("wrong on purpose" in output, f"{how}: it says so", output)
        ok.equal([row["ok"] for row in rows(csv) if row["variant"] == variant], ["0"], f"{how}: the sum is wrong")


@on_sim
def test_all_that_are_wrong_on_purpose():
    assert set(known_wrong()) == set(KNOWN_WRONG)


# Lesson 16: of many answers one is wrong, or not written, or of another row.
ROWS = [("row_warp", "the last row is not written", "-n 3300 --row 33", "row 99: nothing was written",
         ("if (lane == 0)", "if (lane == 0 && !(mutated({}) && r == m.rows - 1))")),
        ("row_warp", "a row is one float short", "-n 3300 --row 33 --operator mean_variance", r"row \d+: out\[0\] is", ("m.row, at", "m.row - (mutated({}) ? 1 : 0), at")),
        ("row_warp", "the gap counts as a row", "-n 3600 --row 33 --gap 3 --operator maximum", r"row \d+: out\[0\] is", ("r * m.lead", "r * (mutated({}) ? m.row : m.lead)")),
        ("row_warp", "the answers of two rows are exchanged", "-n 3300 --row 33 --operator argmax", r"row \d+: out\[\d\] is .* others, too",
         ("m.out + r", "m.out + (mutated({}) ? r ^ 1 : r)")),
        ("column_lanes", "the last column has a row less", "-n 3300 --row 33 --pattern ones", "column 32: ",
         ("column_state<BY_BATCH>(op, m", "column_state<BY_BATCH>(op, last_is_short(m, column)"),
         ("template <bool BY_BATCH, class OP> static __global__", "static __device__ struct matrix last_is_short(struct matrix m, size_t column)\n{{\n"
          "    m.rows -= mutated({}) && column == m.row - 1;\n    return m;\n}}\n\ntemplate <bool BY_BATCH, class OP> static __global__")),
        ("ragged_even", "what threads before know is lost", "-n 3300 --row 33 --pattern ones", r"row \d+: ", ("op.merge(before, head), m", "mutated({}) ? head : op.merge(before, head), m")),
        ("ragged_even", "the number is that in the array", "-n 3300 --row 33 --operator argmax", r"row \d+: out\[1\] is",
         ("begin + i - row_begin", "begin + i - (mutated({}) ? 0 : row_begin)"))]


@pytest.fixture(scope="module")
def faulty_rows(scratch):
    faults = {}
    for k, (file, _, _, _, *edits) in enumerate(ROWS, 1):
        faults.setdefault(f"steps/16_rows/{file}.cu", []).extend((old, new.format(k)) for old, new in edits)
    return planted_program(scratch, "steps/16_rows", [*faults], faults)


@on_sim
@pytest.mark.parametrize("k", range(len(ROWS)), ids=[row[1] for row in ROWS])
def test_a_fault_of_rows(faulty_rows, k):
    file, _, how, line, *_ = ROWS[k]
    right(f"{faulty_rows} --check -v {file} {how}", 1, line, MUTANT=str(k + 1))
    right(f"{faulty_rows} --check -v {file} {how}", MUTANT="0")


# Lesson 15: which of two elements is the larger, for special ones in both orders; no pattern has signed zeros or infinities.
PAIRS = """#include "15_operators/argmax.h"
#include "15_operators/argmax_packed.h"
#include <float.h>
#include <stdio.h>
template <class OP> static __device__ size_t number_of(OP op, typename OP::state s)
{
    float out[3];
    size_t number;
    op.answer(s, out);
    memcpy(&number, out + 1, sizeof number);
    return number;
}
template <class OP> static __global__ void first_larger(OP op, const float *x, size_t *number)
{
    typename OP::state s = op.merge(op.add(op.none(), x[threadIdx.y], 1), op.add(op.none(), x[threadIdx.x], 0));
    number[threadIdx.y * blockDim.x + threadIdx.x] = number_of(op, s);
    if (threadIdx.x + threadIdx.y == 0)
        number[blockDim.x * blockDim.y] = number_of(op, op.none());
}
template <class OP> static int wrong(OP op)
{
    const float special[] = {-NAN, NAN, INFINITY, -INFINITY, 0.0f, -0.0f, 1e-45f, -1e-45f, FLT_MAX, -FLT_MAX, 1.0f, -1.0f};
    const unsigned n = sizeof special / sizeof *special;
    float *x;
    size_t *number;
    cudaMallocManaged(&x, sizeof special);
    cudaMallocManaged(&number, (n * n + 1) * sizeof *number);
    memcpy(x, special, sizeof special);
    first_larger<<<1, dim3(n, n)>>>(op, x, number);
    cudaDeviceSynchronize();
    int count = number[n * n] != NO_NUMBER;
    for (unsigned i = 0; i < n * n; i++) {
        float a = special[i % n], b = special[i / n];
        count += number[i] != (size_t)(b > a || (b != b && a == a));
    }
    return count;
}
int main(void) { printf("wrong: %d, packed %d\\n", wrong(argmax()), wrong(argmax_packed())); }
"""
SLIPS = {"-0 is less than 0": ("x + 0.0f", "(mutated({}) ? x : x + 0.0f)"), "a negative NaN is the least": ("x != x ?", "!mutated({}) && x != x ?"),
         "the last of equal ones": ("| ~(unsigned)i", "| (mutated({}) ? (unsigned)i : ~(unsigned)i)"),
         "no element has a number": ("(unsigned)s == 0 ?", "!mutated({}) && (unsigned)s == 0 ?")}


@on_sim
def test_special_pairs(ok, scratch):
    planted(scratch, {"steps/15_operators/argmax_packed.h": [(old, new.format(k)) for k, (old, new) in enumerate(SLIPS.values(), 1)]})
    write(f"{scratch}/pairs.cu", PAIRS)
    right(f"simulator/simcc -std=c++20 -I{scratch}/steps -Icommon -Isteps -I. -include {scratch}/switch.h {scratch}/pairs.cu {scratch}/switch.o build/sim/libcommon.a -o {scratch}/pairs")
    ok.equal(right(f"{scratch}/pairs", MUTANT="0"), "wrong: 0, packed 0\n", "the larger of two special elements, and of equal ones the first")
    for k in range(1, 1 + len(SLIPS)):
        right(f"{scratch}/pairs", 0, "^wrong: 0, packed [1-9]", MUTANT=str(k))


@on_sim
def test_the_error_is_that_of_the_worst_row(scratch):
    """Though some threads of the CPU have no row to judge."""
    errors = []
    for threads in "1", "9":
        right(f"./step16 --check -n 4K --row 1K --csv {scratch}/errors.csv", OMP_NUM_THREADS=threads)
        errors.append([(row["variant"], float(row["rel_err"]), float(row["err_bound"])) for row in rows(f"{scratch}/errors.csv")])
    assert all(error != 0 and bound > 0 for _, error, bound in errors[0]), errors[0]
    assert errors[0] == errors[1]
