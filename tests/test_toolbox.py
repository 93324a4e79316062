"""scan_array waits for what other blocks publish, and a mistake there shows only if they publish late: under a shuffled schedule the simulator makes them. So
each mistake in the look-back must be caught under one of eight schedules, and the kernel as it is must be right under all. And what the topic masks shows."""
import re

import pytest
from common import right, run
from mutants import planted_program

pytestmark = pytest.mark.more
PATH = "steps/toolbox/scan/scan_array.cu"
# What is wrong: where, with {braces} around what is said; what is said instead.
GAPS, NEAREST, DISTANCE = "({~published << (31 - nearest) != 0})", "= {lane <= nearest} ?", "tile -= {32}"
MISTAKES = {"whatever is in a slot is taken": (", {status == AGGREGATE || status == PREFIX})", "true"),
            "an earlier launch's status is taken": ("{(unsigned)(w >> 32) - stamp(epoch, NOTHING)}", "(unsigned)(w >> 32) & 3"),
            "what is there is taken, in spite of gaps": (GAPS, "published == 0"),
            "nothing is waited for": (GAPS, "false"),
            "31 tiles at a time": (DISTANCE, "31"),
            "33 tiles at a time": (DISTANCE, "33"),
            "the nearest prefix is left out": (NEAREST, "lane < nearest"),
            "one more than the nearest prefix": (NEAREST, "lane <= nearest + 1"),
            "the farthest prefix instead": ("? {__ffs(prefixes) - 1} :", "31 - __clz(prefixes)"),
            "looks back once only": ("({prefixes == 0})", "false"),
            "a prefix is published as a sum of one tile": ("tile), {stamp(epoch, PREFIX)}, ", "stamp(epoch, AGGREGATE)"),
            "a sum of one tile is published as a prefix": ("tile), {stamp(epoch, AGGREGATE)}, ", "stamp(epoch, PREFIX)"),
            "a prefix without the tiles before": (", {before + aggregate}", "aggregate"),
            "all launches have one number": ("(word)({epoch + 1})", "epoch")}
# Many small tiles, more than the GPU has room for at once; then other numbers in the same slots. Fewer show most mistakes,
# in half of the time, so they are tried first.
ORDERS = [(1, "40K,20K"), *((seed, "80K,40K") for seed in range(1, 9))]


@pytest.fixture(scope="module")
def look_back(scratch):
    said = {}
    for k, (where, instead) in enumerate(MISTAKES.values()):
        said[where] = f"(mutated({k}) ? {instead} : {said.get(where) or re.search('{(.*)}', where)[1]})"
    edits = [(re.sub("[{}]", "", where), re.sub("{.*}", lambda _, text=text: text, where)) for where, text in said.items()]
    return f"{planted_program(scratch, 'steps/toolbox/scan', [PATH], {PATH: edits})} --check -v scan_array -b 32 --sms 16 --pattern huge"


def test_the_look_back(look_back):
    for seed, n in ORDERS[0], ORDERS[1], ORDERS[5]:
        right(f"{look_back} -n {n} --schedule {seed}", MUTANT="-1")


@pytest.mark.parametrize("k", range(len(MISTAKES)), ids=MISTAKES)
def test_a_mistake_in_the_look_back(look_back, k):
    tried = (run(f"{look_back} -n {n} --schedule {seed}", MUTANT=str(k)) for seed, n in ORDERS)
    assert any(status == 1 and re.search(r"\b(wrong|deadlock|race|never ends)\b", output) for output, status in tried), f"MUTANT={k} {look_back}"


# ---- the masks: each slip is found out, at its line; their right twins pass under every schedule ----

ABSENT, RETURNED = "reads lane 16, which does not exist: undefined", "reads lane 16, which has returned: undefined"


@pytest.mark.parametrize("variant, status, says", [
    ("masks_full_tail", 1, RETURNED), ("masks_full_tail -b 100", 1, ABSENT), ("masks_branch", 1, RETURNED),
    ("masks_caller", 1, "with mask 0x0000ffff, which does not name the calling lane"), ("masks_source", 1, "reads lane 16, which its mask 0x0000ffff does not name"),
    ("masks_edge", 1, "wrong as expected"), ("masks_twelve", 1, "with width 12: it must be 1, 2, 4, 8, 16 or 32"),
    ("masks_no_syncwarp", 1, "read-write race in shared memory"), ("masks_activemask", 0, "right this time, by luck")])
def test_masks(variant, status, says):
    name = variant.split()[0]
    place = "" if re.search("edge|activemask", name) else rf"^simulator: steps/toolbox/masks/{name}\.cu:\d+: {name}\b.*"
    right(f"./masks --check -n 1000 -v {variant}", status, place + says, SIMT_STRICT="1")  # some of these are wrong by the memory model alone


def test_activemask_is_found_out_under_nearly_every_schedule():
    """It may give any group that holds the caller: from a schedule's seed."""
    assert sum("by luck" in run(f"./masks --check -n 100 -v masks_activemask --schedule {seed}", SIMT_STRICT="1")[0] for seed in range(1, 21)) <= 4


def test_right_masks(scratch):
    for seed in range(1, 21):
        right(f"./masks --check -n 100,4097 --schedule {seed}", SIMT_STRICT="1")
    right(f"simulator/simcc tests/simcc/warp_aggregated.cu -o {scratch}/warp_aggregated")
    for seed in range(21):
        assert right(f"{scratch}/warp_aggregated", SIMT_SCHEDULE=str(seed), SIMT_STRICT="1") == "0 wrong\n"
