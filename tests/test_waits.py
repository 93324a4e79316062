"""No kernel of the lessons waits for a block that cannot begin: all of them run where an SM holds one block, and the GPU has one SM, or few.
docs/robustness.md says why. (Waits that never end: tests/simt/waits.cu; long ones that end: good.cu.)"""
import glob
import re

import pytest
from common import PROGRAMS, read, right
from mutants import planted_program

pytestmark = pytest.mark.more
WAITS = r"\.sync\(\)|barrier_wait\(\)|\b(?:finish_in_slots|finish_exactly|await_partials|await_states|await_sums|sum_of_peers|look_back|waiting_grid)\(|\btake_slots<"


def waits(program):
    """Whether a kernel of it waits for another block."""
    if "library" in program.name:
        return True
    return any(re.search(WAITS, re.sub(r"/\*.*?\*/", "", read(path), flags=re.S)) for path in glob.glob(f"{program.folder}/*.cu") + glob.glob(f"{program.folder}/*.h"))


@pytest.mark.parametrize("command", [
    *(f"{program.command} --check -n 3000,70K --sms {sms} --schedule {seed}{' --gpus 2' if 'many_gpus' in program.name else ''}"
      for program in PROGRAMS for sms, seed in [(1, 0)] + [(2, 2), (3, 3)] * waits(program)),
    "SIMT_SMS=1 build/sim/library_types sum_f32", "SIMT_SMS=1 build/sim/library_exact 16", "SIMT_SMS=1 build/sim/library_rows part blocks",
    "SIMT_SMS=3 build/sim/library_rows part blocks", "SIMT_SMS=1 SIMT_GPUS=2 build/sim/library_all"])
def test_one_block_on_each_sm(command):
    right(f"export SIMT_SM_BLOCKS=1; {command}")


def test_without_the_rule(scratch):
    """Of waiting.h one does not run: block 0 keeps the only place."""
    program = planted_program(scratch, "steps/13_exact", ["steps/13_exact/accumulators.cu"],
                              {"library/parts/waiting.h": [("sms > 1 ?", "sms > 1 || mutated(0) ?")]})
    command = f"ulimit -t 10; SIMT_SM_BLOCKS=1 {program} --check -n 70K --sms 1 -v accumulators"
    right(command, 1, r"^simulator: \S+: \S+, block \(0,0,0\), .*deadlock: .*blocks have not begun: there is room for 1 at once$", MUTANT="0")
    right(command, MUTANT="1")  # with it


@pytest.mark.parametrize("setting, of_what, most", [("SIMT_SM_BLOCKS=0", "blocks", 32), ("SIMT_SM_BLOCKS=33", "blocks", 32), ("SIMT_SMS=none", "SMs", 256), ("SIMT_SMS=-1", "SMs", 256)])
def test_settings(ok, setting, of_what, most):
    ok.refused(f"{setting} build/sim/step01 -n 1000", 1, f"^simulator: {setting}: a number of {of_what} from 1 to {most} is needed$")
