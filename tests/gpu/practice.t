#!/usr/bin/env python3
"""The solutions of all exercises on a GPU: right at all sizes, and their time beside the lesson's. ONLY=toolbox: those whose folders
begin so."""
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
names = [name for name in practice.names if name.startswith(os.environ.get("ONLY", ""))]
build_parts()
status, said = make(*(f"build/cuda/practice/{kind}/{name}" for kind in ("exercises", "solutions") for name in names))
ok(status == 0, "all exercises and solutions compile", said)
for name in names:
    exercise = practice.course.exercise(name)
    try:
        status, _, lines, _, _ = practice.judge(name, exercise.solution)
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
