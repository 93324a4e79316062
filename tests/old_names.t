#!/usr/bin/env python3
# What had another name before (common/old_names.def): the old name is refused in one line that has the new one, which is
# there; only recorded results may still have it, and are read as if they had the new one.
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

from tap import done, ok

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
os.chdir(ROOT)
sys.path.insert(0, "tools/pages")
from old_names import new_names  # noqa: E402
import results  # noqa: E402
import schema  # noqa: E402

KINDS = ("variant", "option", "target", "comparison", "results")


def text(path):
    with open(path) as file:
        return file.read()


def said(command, **options):
    """(the exit status, its lines on stderr)"""
    done_ = subprocess.run(command, capture_output=True, text=True, **options)
    return done_.returncode, done_.stderr.splitlines()


lines = [line for line in text("common/old_names.def").splitlines() if line.startswith("OLD_NAME")]
ok(len(lines) == sum(len(new_names(kind)) for kind in KINDS), "each line is of a kind that is known, and each old name there once")
sources = "".join(text(path) for path in glob.glob("steps/*/*.cu") + glob.glob("steps/toolbox/*/*.cu"))

for old, new in new_names("variant").items():
    ok(f'.name = "{new}"' in sources and f'.name = "{old}"' not in sources, f"variant {old}: there is {new} in its place")
    path = next(path for path in glob.glob("steps/*/*.cu") if f'.name = "{new}"' in text(path))
    program = "step" + path.split("/")[1][:2]
    status, told = said([f"build/sim/{program}", "-v", old])
    ok(status == 2 and told == [f'{program}: no variant "{old}" here: it is {new} now'], f"{program} -v {old}: one line", told)
    other = "step01" if program != "step01" else "step02"
    status, told = said([f"build/sim/{other}", "-v", old])
    ok(status == 2 and len(told) == 1 and new not in told[0], f"{other} -v {old}: has none of that name", told)

for old, new in new_names("option").items():
    status, told = said(["build/sim/step01", old])
    ok(status == 2 and told == [f"step01: no option {old}: it is {new} now"], f"option {old}: one line", told)
    ok(said(["build/sim/step01", new, "--list"])[0] == 0, f"option {new} is one")

for old, new in new_names("target").items():
    status, told = said(["make", "-s", "BACKEND=sim", old])
    ok(status == 2 and told[0] == f"make: there is no {old}: it is {new} now; make help-all lists them", f"make {old}: one line", told)
    ok(" " in new or said(["make", "-n", "BACKEND=sim", new])[0] == 0, f"make {new} is a target")

for old, new in new_names("comparison").items():
    for target in (old, f"build/sim/{old}"):
        status, told = said(["make", "-s", "BACKEND=sim", target])
        ok(status == 2 and told[0] == f"make: there is no {target}: make build/sim/compare, and type {new}", f"make {target}: one line", told)
    status, told = said([f"build/sim/{old}", "--csv", "x"])
    ok(status == 2 and told == [f"{old}: this is {new} now"], f"build/sim/{old}: one line", told)
    ok(f'.name = "{new.split()[1]}"' in "".join(text(path) for path in glob.glob("library/compare/*.c") + glob.glob("steps/14_many_gpus/compare/*.c")), f"{new} is there")

# Results: files with old names are refused, variants with old names are read.
with tempfile.TemporaryDirectory() as copy:
    folder = shutil.copytree("results/h200", copy + "/results/h200")
    check = [sys.executable, "tools/measure/check_results.py", folder]
    results.use_root(copy)
    for old, new in new_names("results").items():
        os.makedirs(os.path.dirname(f"{folder}/{old}"), exist_ok=True)
        shutil.copy(f"{folder}/01_interleaved.csv", f"{folder}/{old}")
        status, told = said(check)
        ok(status == 1 and len(told) == 1 and told[0].endswith(f"of an older layout ({old}, {new} now): measure again with ./run_all.sh, "
                                                              "or rename as results/README.md says"), f"check_results.py, {old}: one line", told)
        ok("TOPIC" in new or os.path.exists(f"results/h200/{new}"), f"{new} is there")
        os.remove(f"{folder}/{old}")
    for old, new in new_names("variant").items():
        recorded = [path for path in glob.glob("results/*/[0-9]*_*.csv") if re.search(rf"(?m)^\w+,{old},", text(path))]
        ok(recorded, f"{old} is in recorded results")
        rows = [row for row in schema.read_run(recorded[0])[0] if row["variant"] in (old, new)]
        ok({row["variant"] for row in rows} == {new}, f"{recorded[0]}: {old} is read as {new}", rows[:1])
done()
