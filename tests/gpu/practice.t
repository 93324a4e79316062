#!/usr/bin/env python3
"""Solutions of exercises on a GPU: right at all sizes, and their time beside the lesson's. Alone it takes those that compile soon, for
the GPU that is there; ONLY=0[0-4], or ONLY=toolbox, takes all whose names begin so."""
import os
import re
import sys

sys.dont_write_bytecode = True
os.environ.update(BACKEND="cuda", SEED="1")
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [f"{ROOT}/tests", f"{ROOT}/practice/judge"]
from practice import Practice
from program import Unknown, build_parts, make
from tap import done, ok, skip

practice = Practice(False)
FEW = "01_interleaved/3|02_sequential/3|04_shared/3|05_warp_shuffle/3|06_two_pass/4|07_cooperative/3|08_vectorized/3|09_single_pass/3|14_many_gpus/2" \
    "|toolbox_(masks/3|transpose/2|vote/1)"  # the others' lessons have larger kernels to compile
names = [name for name in practice.names if re.match(os.environ.get("ONLY") or FEW, name)]
ok(names, "there are such exercises", os.environ.get("ONLY"))
build_parts()
status, said = make(*(f"build/cuda/practice/{kind}/{name}" for kind in ("exercises", "solutions") for name in names))
ok(status == 0, f"{len(names)} exercises and their solutions compile", said)
for name in names:
    exercise = practice.course.exercise(name)
    try:
        status, _, lines, _, _ = practice.study.judge(name, exercise.solution)
    except Unknown as unknown:
        (skip if "needs two GPUs" in str(unknown) else lambda *what: ok(False, *what))(name, str(unknown))
        continue
    said = "\n".join(r.text for r in lines)
    if exercise.is_quiz:
        ok("a quiz is about counts" in said, f"{name}: the simulator's to judge", said)
        continue
    ok(status == 0 and "answer: " in said, f"{name}: solved", said)
    ok(re.search(r"time: ([\d.]+ us at n|not reported for several GPUs)", said), f"{name}: its time", said)
    print("# " + "".join(re.findall("time: .*", said)))
done()
