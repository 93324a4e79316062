#!/usr/bin/env python3
"""The tiers of the tests: tests/README.md has a row for every test and none for another, both tiers stay within their
limits, and tests/run says what a run took, passes its status on, and refuses what it does not know."""
import glob
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tiers
from tap import done, ok

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
# Seconds of processor time of a first run, without the build, on cores that others use too.
MOST = {"test": 210, "test-all": 1100}


def problems(text, names):
    table = tiers.rows(text)
    found = [f"tests/README.md: no row for {name}: | [`{name}.t`]({name}.t) | what it guards | seconds or – | seconds |"
             for name in sorted(names - set(table))]
    found += [f"tests/README.md: {name} has a row, and there is no such test" for name in sorted(set(table) - names)]
    if list(table) != sorted(table):
        found.append("tests/README.md: the rows are not in the order of their names")
    rough = len(re.findall(r"^\| \[`", text, re.M)) - len(table)
    if rough:
        found.append(f"tests/README.md: {rough} rows are not | [`NAME.t`](NAME.t) | text | seconds or – | seconds |")
    for tier, most in MOST.items():
        total = sum(row[tier] or 0 for row in table.values())
        if total > most:
            found.append(f"tests/README.md: make {tier} takes {total} s of processor time, more than {most}: leave something to the other tier")
    return found


with open(tiers.PAGE, encoding="utf-8") as file:
    page = file.read()
names = {os.path.basename(path)[:-2] for path in glob.glob("tests/*.t")} | {"unit"}
ok(problems(page, names) == [], "tests/README.md has a row for each test, within the limits", problems(page, names))

row = "| [`vote.t`](vote.t) | votes | 1 | 2 |\n"
for what, text, wanted in (("right", row, ""), ("no row", "", "no row for vote: "), ("a row too many", row + row.replace("vote", "wait"), "wait has a row"),
                           ("no order", row + row.replace("vote", "a"), "order"), ("no number", row.replace("| 2", "| two"), "1 rows are not"),
                           ("too long", row.replace("| 2", "| 9999"), "make test-all takes 9999 s"), ("too long, first", row.replace("| 1", "| 999"), "make test takes 999 s")):
    found = problems(text, {"vote", "a"} if what == "no order" else {"vote"})
    ok((found == []) if not wanted else any(wanted in problem for problem in found), f"a page with {what}: {wanted or 'nothing'}", found)

# Who is in which tier, and what is written back.
text = row + row.replace("vote", "masks").replace("| 1 | 2", "| – | 9")
ok(tiers.rows(text)["masks"]["test"] is None and tiers.rows(text)["masks"]["test-all"] == 9, "a row is read")
both = "".join(f"| [`{name}.t`]({name}.t) | what | {part} | {whole} |\n" for name, part, whole in (("kept", "–", 9), ("masks", 1, 5), ("tiers", 4, 3)))
ours = {"tests/kept.t", "tests/masks.t", "tests/tiers.t"}
ok([path for path in tiers.listed(both, "test") if path in ours] == ["tests/tiers.t", "tests/masks.t"], "make test: the longest first, and none of the other tier")
ok([path for path in tiers.listed(both, "test-all") if path in ours] == ["tests/kept.t", "tests/masks.t", "tests/tiers.t"], "make test-all: all")
ok("tests/docs.t" in tiers.listed(both, "test"), "a test without a row runs")
ok("| – | 3 |" in tiers.recorded(both, "test-all", {"kept": 2.1}) and "| 8 | 5 |" in tiers.recorded(both, "test", {"masks": 7.2}), "--record writes seconds, rounded up")
ok(tiers.of_shell("0m1.500s 0m0.250s\n1m0.000s 0m2.250s\n") == 64, "what the shell's times says")

# tests/run itself, with two tests: one passes and works for half a second, one fails.
with tempfile.TemporaryDirectory() as work:
    for name, script in (("good", "1 for 1 .. 2e7; print qq(1..1\\nok 1\\n);"), ("bad", "print qq(1..1\\nnot ok 1\\n);")):
        with open(f"{work}/{name}.t", "w") as file:
            file.write(f"#!/usr/bin/env perl\n{script}\n")
    for files, status, verdict in ((["good.t"], 0, "PASS"), (["good.t", "bad.t"], 1, "FAIL")):
        result = subprocess.run(["tests/run", *(f"{work}/{name}" for name in files)], capture_output=True, text=True)
        ok(result.returncode == status and f"Result: {verdict}\n" in result.stdout, f"{files}: {verdict}", result)
        took = re.search(r"^make test: \d+ s; of processor time \d+ s: \d+ to build, (\d+) in (\d+) tests \(unit (\d+)\)\n\Z", result.stdout, re.M)
        ok(took, f"{files}: the last line says how long it took", result.stdout)
    # What does not end is ended, with all that it started, and a line says where it was.
    with open(f"{work}/late.t", "w") as file:
        file.write("#!/bin/sh\necho ok 1 - begun\nsleep 300\n")
    os.chmod(f"{work}/late.t", 0o755)
    result = subprocess.run(["tests/timed", f"{work}/late.t"], capture_output=True, text=True, timeout=100, env={**os.environ, "LIMIT": "1"})
    ok(result.returncode == 1 and f"{work}/late.t: ended after 1 s; the last check that it printed: ok 1 - begun\n" in result.stderr
       and "\nnot ok - " in result.stdout, "a test that does not end: ended, with its last check", result)
for arguments, line in ((["--nope"], "there is no option --nope; there are --all and --record"), (["--record", "x.t"], "--record is for a whole tier, and not for some files")):
    result = subprocess.run(["tests/run", *arguments], capture_output=True, text=True)
    ok(result.returncode == 2 and result.stderr == f"tests/run: {line}\n", f"tests/run {' '.join(arguments)}: one line, status 2", result)
done()
