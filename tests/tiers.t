#!/usr/bin/env python3
"""The tiers of the tests: tests/README.md has a row for every test and none for another, both tiers stay within their
limits, and tests/run says what a run took, passes its status on, and refuses what it does not know. So does tests/run-gpu,
with stand-ins for the GPU and for make; and it builds while tests run."""
import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tiers
from tap import done, ok

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
# Seconds of processor time of a first run, without the build, on cores that others use too.
MOST = {"test": 210, "test-all": 900}


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

# tests/run-gpu in a tree of its own: its tests say what was built when they began.
STAND_INS = {"bin/nvidia-smi": """case "$*" in
*-L*) echo 'GPU 0: none' ;;
*memory.total*) echo 81559 ;;
*compute_cap*) echo 9.0 ;;
*) echo 'no GPU, 1.0' ;;
esac
""", "bin/compute-sanitizer": "", "tools/provenance.sh": "echo commit=none\n"}
SAYS = """name=$(basename "$0" .t)
echo "$name $ONLY:" $(ls "$READY") >>said
touch "$name.began"
printf 'ok 1 - %s\\n1..1\\n' "$name"
"""
# Says that it has begun when its process can be found: the build may fail at once then.
HANGS = """echo ok 1 - begun
sleep 300 &
echo $! >$$.sleeper
touch "$(basename "$0" .t).began"
wait
"""
# Ends only if the tests begin meanwhile, each as soon as what it needs is there.
IN_TURN = """wait_for() { until [ -e "$1" ]; do sleep 0.1; done; }
mkdir -p build
case "$*" in
*gpu-steps) wait_for simcc.began && touch "$READY/steps" ;;
*gpu-library) wait_for variants.began && touch "$READY/library" ;;
*gpu-practice) wait_for sanitizers.began && touch "$READY/practice" ;;
*gpu-older) wait_for sanitizers.began && touch "$READY/older" ;;
esac
"""
AT_ONCE = 'mkdir -p build && cd "$READY" && touch steps library older practice\n'
# One of two that make at once; the other is to be ended.
FAILS = """case "$*" in
*gpu-%s) until [ -e simcc.began ]; do sleep 0.1; done; echo 'x.cu:1: error: planted' >&2; exit 2 ;;
*) sleep 300 & echo $! >$$.sleeper; wait ;;
esac
"""
ON_GPU = [os.path.basename(path) for path in glob.glob("tests/gpu/*.t")]


def gpu_tree(work, make, **others):
    """A folder with tests/run-gpu, and what it runs: the script `make`, and of tests those of others, by name."""
    for folder in ("bin", "tests/gpu", "tools"):
        os.makedirs(f"{work}/{folder}")
    for path in ("tests/run-gpu", "tests/timed", "tools/environment.sh"):
        shutil.copy(path, f"{work}/{path}")
    for path in ("steps", "toolbox"):
        os.symlink(os.path.abspath(path), f"{work}/{path}")
    tests = {f"tests/gpu/{name}": others.get(name[:-2], SAYS) for name in ON_GPU} | {"tests/variants.t": others.get("variants", SAYS)}
    for path, script in (STAND_INS | {"bin/make": make} | tests).items():
        with open(f"{work}/{path}", "w") as file:
            file.write("#!/bin/sh\n" + script)
        os.chmod(f"{work}/{path}", 0o755)
    return {**os.environ, "PATH": f"{work}/bin:{os.environ['PATH']}", "JOBS": "4", "LIMIT": "100"}


def text_of(path):
    with open(path) as file:
        return file.read()


def ended(work):
    """Whether the processes that HANGS and FAILS left are gone, now or soon."""
    left = [pid for pid in (text_of(path).strip() for path in glob.glob(f"{work}/*sleeper")) if pid]  # the last one may have been ended as it wrote
    for _ in range(100):
        left = [pid for pid in left if os.path.exists(f"/proc/{pid}") and " Z " not in text_of(f"/proc/{pid}/stat")]
        if not left:
            return glob.glob(f"{work}/*sleeper") != []
        time.sleep(0.1)
    return False


with tempfile.TemporaryDirectory() as work:
    environment = gpu_tree(work, IN_TURN)
    result = subprocess.run(["tests/run-gpu"], cwd=work, env=environment, capture_output=True, text=True, timeout=300)
    last = re.search(r"^make test-gpu: \d+ s, \d+ of them to build; (\d+) files, 4 at once; build/gpu_tests.txt has each file's seconds\n\Z", result.stdout, re.M)
    ok(result.returncode == 0 and last, "tests/run-gpu: tests run while make builds; the last line says how long all took", result)
    said = [line.split(":") for line in text_of(f"{work}/said").splitlines()]
    needs = {"simcc": "", "random": "", "variants": "steps", "checker": "steps", "sanitizers": "steps", "library": "library", "many_gpus": "library",
             "older_code": "older steps", "practice": "practice library", "library_all": "practice library"}
    programs = {"racecheck_rows", "racecheck_exact", "memcheck"}
    early = [line for line in said if line[0].split()[-1] in programs and "library" not in line[1]]
    early += [line for line in said if not set(needs[line[0].split()[0]].split()) <= set(line[1].split())]
    ok(not early and {line[0].split()[0] for line in said} == {name[:-2] for name in ON_GPU} | {"variants"}, "all files run, each when what it needs is built", said)
    ok(said[0][1] == "", "the first one before anything is", said)
    programs = [os.path.basename(os.path.dirname(path)) for path in glob.glob("steps/*/lesson.c") + glob.glob("steps/toolbox/*/")]
    ok(sorted(line[0].split()[1] for line in said if line[0].startswith("variants")) == sorted(programs), "every program's variants once", said)
    lessons = [path.split("/")[1] for path in glob.glob("practice/solutions/*/")]
    parts = [line[0].split()[1] for line in said if line[0].startswith("practice")]
    ok(all(sum(re.match(part, lesson) is not None for part in parts) == 1 for lesson in lessons), "every lesson's exercises once", parts)
    ok({line[0] for line in said if line[0].startswith("older")} == {f"older_code {arch}_{contract}" for arch in (75, 80) for contract in ("rows", "types", "contract")},
       "code for older GPUs than this one, in parts", said)
    parts = [line[0].split()[1] for line in said if line[0].startswith("sanitizers")]
    checks = [f"{tool}_{what}" for tool in ("memcheck", "racecheck") for what in ("steps", "toolbox", "exact", "rows")]
    checks += [f"{tool}_{what}" for tool in ("initcheck", "synccheck") for what in ("steps", "toolbox")]
    ok(all(sum(check.startswith(part) for part in parts) == 1 for check in checks), "every tool of compute-sanitizer once", parts)
    record = text_of(f"{work}/build/gpu_tests.txt")
    ok(len(re.findall(r"^\S+\.t +[\d.]+ +\d+$", record, re.M)) == int(last[1]) == len(said) and "\nResult: PASS\nmake test-gpu: " in record, "the record has a row for each", record)

for part in ("steps", "older"):
    with tempfile.TemporaryDirectory() as work:
        fails = FAILS % part if part == "steps" else FAILS.replace("*)", "*gpu-library | *gpu-practice) ;;\n*gpu-long*) touch $READY/steps ;;\n*)") % part
        environment = gpu_tree(work, fails, simcc=HANGS, variants=HANGS)
        result = subprocess.run(["tests/run-gpu"], cwd=work, env=environment, capture_output=True, text=True, timeout=90)
        ok(result.returncode == 1 and result.stderr.endswith("x.cu:1: error: planted\ntests/run-gpu: the build failed\n"), f"a build that fails while tests run, gpu-{part}: said, status 1", result)
        ok(ended(work) and not os.path.exists(f"{work}/build/gpu_tests.txt"), "what ran is ended, and nothing is recorded")

with tempfile.TemporaryDirectory() as work:
    environment = gpu_tree(work, AT_ONCE, simcc=HANGS, checker="echo not ok 1 - planted; echo 1..1\n")
    result = subprocess.run(["tests/run-gpu", "tests/gpu/simcc.t", "tests/variants.t"], cwd=work, env={**environment, "LIMIT": "1"}, capture_output=True, text=True, timeout=90)
    ok(result.returncode == 1 and "simcc.t: ended after 1 s; the last check that it printed: ok 1 - begun\n" in result.stdout and ended(work),
       "a file that does not end: ended, and its last check is said", result)
    record = text_of(f"{work}/build/gpu_tests.txt")
    ok(re.search(r"^variants.t +[\d.]+ +0$", record, re.M) and "Result: FAIL\nmake test-gpu: " in record, "the others pass, all is recorded", record)
    result = subprocess.run(["tests/run-gpu", "tests/gpu/checker.t"], cwd=work, env=environment, capture_output=True, text=True, timeout=90)
    ok(result.returncode == 1 and "\nmake test-gpu: " in result.stdout, "a check that fails: status 1", result)
    for arguments, more, line in ((["tests/gpu/nowhere.t"], {}, "there is no tests/gpu/nowhere.t"), ([], {"JOBS": "0"}, "JOBS=0 LIMIT=100: whole numbers are needed")):
        result = subprocess.run(["tests/run-gpu", *arguments], cwd=work, env={**environment, **more}, capture_output=True, text=True, timeout=90)
        ok(result.returncode == 2 and result.stderr == f"tests/run-gpu: {line}\n", f"tests/run-gpu: {line}", result)

with tempfile.TemporaryDirectory() as work:
    environment = gpu_tree(work, AT_ONCE, simcc=HANGS)
    # A shell cannot trap what was ignored when it began, as in a job in the background.
    with subprocess.Popen(["tests/run-gpu", "tests/gpu/simcc.t"], cwd=work, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) as running:
        for _ in range(300):
            if glob.glob(f"{work}/*sleeper"):
                break
            time.sleep(0.1)
        running.send_signal(signal.SIGINT)
        ok(running.wait(60) == 130 and ended(work), "interrupted: all that it started is ended")

# What it waits for is what make says.
waited = set(re.findall(r"(?<=[' ])(?:steps|library|practice|older)\b", " ".join(re.findall(r"^ +(?:\*/|for .*part|part).*$", text_of("tests/run-gpu"), re.M))))
ok(waited == {name[4:] for name in re.search(r"^GPU_PARTS := (.*)$", text_of("tools/mk/tests.mk"), re.M)[1].split()}, "tests/run-gpu waits for what tools/mk/tests.mk makes", waited)
done()
