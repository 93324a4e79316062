"""run_all.sh: its options, the folder it writes, what it leaves alone when something goes wrong. In a copy, with a make and programs that only
pretend: no GPU, few seconds."""
import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import pytest
from common import read, script, write

import programs
import schema

nightly = pytest.mark.nightly
# A program: FAKE_STATUS_step01=77 sets its exit status, FAKE_SLEEP_step01=5 makes it slow, FAKE_BROKEN_step01=yes spoils its third line.
LESSONS = {"step00": ("00_baselines", "serial cub read"), "step01": ("01_interleaved", "v0 v1"), "step02": ("02_sequential", "v2"), "soft": ("soft", "soft")}
PYTHON = f"#!{sys.executable}\nimport csv, json, os, re, sys\nLESSONS, LISTED, RUN = {LESSONS}, {programs.LISTED}, {list(schema.RUN)}\nfake = os.environ.get\n"
PROGRAM = PYTHON + r"""
name, words = os.path.basename(sys.argv[0]), sys.argv[1:]
step, variants = LESSONS[name]
task = {"read": "roof", "soft": "soft"}
after = dict(zip(words, words[1:]))

def table(path, columns, rows):
    with open(path, "w") as file:
        writer = csv.DictWriter(file, columns, restval=0 if columns == LISTED else "", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)

def row(variant, size):
    n = eval(re.sub("[KMG]", lambda unit: f" << {' KMG'.index(unit[0])}0", size))
    times, launch = dict(median_us=7, min_us=7, p90_us=7, runs=5), dict(block=256, grid=4)
    counts = {count: 0 if re.match("shared|atomics|shuffles", count) else n for count in RUN[RUN.index("gld_requests"):RUN.index("simt_efficiency")]}
    how = dict(backend="sim", device="toy", **launch, **counts, simt_efficiency=0.5)
    if variant == "serial":
        how = dict(backend="cpu", device="toy", gbps=1, **times)
    elif fake("FAKE_BACKEND") == "cuda":
        how = dict(backend="cuda", device=fake("FAKE_GPU"), cache="cold", launch="plain", gbps=n // 1000, pct_roof=50, **launch, **times)
    return dict(how, step=step, variant=variant, n=n, pattern="uniform", rel_err="1e-8", err_bound="1e-6", ok=1, worst_conflict=0, bytes_per_element=4,
                row=8192 if "--row" in words else "", bytes=4 * n, task=task.get(variant, "sum"))

if words[0] == "--list":
    table("/dev/stdout", LISTED, [{"step": step, "variant": variant, "task": task.get(variant, "sum"), "runs_here": 1, "on_cpu": int(variant == "serial"),
                                   "roof": int(variant == "read"), "max_row": 1024 * (variant == "soft")} for variant in variants.split()])
    sys.exit()
if words[0] == "--model":  # whether there is such a GPU
    sys.exit()
print(name, *words, file=open(fake("FAKE_LOG"), "a"))
if fake("FAKE_SLEEP_" + name):
    print(os.getpid(), file=open(fake("FAKE_LOG") + ".sleeping", "w"), flush=True)
    os.execvp("sleep", ["sleep", fake("FAKE_SLEEP_" + name)])
print(f"what {name} printed")
print(f"a note of {name}", file=sys.stderr)
if fake("FAKE_STATUS_" + name):
    sys.exit(int(fake("FAKE_STATUS_" + name)))
rows = [row(variant, size) for variant in after.get("-v", variants).replace(",", " ").split() for size in after["-n"].split(",")]
if fake("FAKE_BROKEN_" + name):
    rows[1]["rel_err"] = "oops"
table(after["--csv"], RUN, rows)
"""
MACHINE = PYTHON + r"""
if len(sys.argv) > int(fake("FAKE_MACHINE_FAILS", 99)):
    sys.exit("machine: no GPU any more")
print(json.dumps({"backend": fake("FAKE_BACKEND"), "gpu": fake("FAKE_GPU"), "memory_bytes": int(fake("FAKE_MEMORY")), "theoretical_gbps": 5000,
                  **dict(pair.split("=", 1) for pair in sys.argv[1:])}, indent=2))
"""
MAKE = r'''#!/usr/bin/env bash
[ -z "${MAKEFLAGS:-}${MAKELEVEL:-}" ] || echo "make[1]: Entering directory '/repo'"
case $* in
'-s backend') echo "$FAKE_BACKEND" && exit ;;
'-s BACKEND='*' backend') set -- ${2#*=} && echo "$1" && exit ;;
esac
[ -z "${FAKE_BUILD_FAILS:-}" ] || { echo "reduce.cu:3: no such thing"; exit 2; }
mkdir -p build/$FAKE_BACKEND
for program in step00 step01 step02 soft; do install "$FAKE/program" build/$FAKE_BACKEND/$program; done
install "$FAKE/machine" build/$FAKE_BACKEND/machine
'''
DRAW = r'''[ -z "${FAKE_UNDRAWN:-}" ] || { echo "plots.py: no fonts" >&2; exit 1; }
[ -s "$1/runs.csv" ] && mkdir -p "$2" && echo "skipped small: no times" && echo "$1" >"$2/work.svg"
'''


def until(come):
    """-> whether it came, within five minutes."""
    end = time.monotonic() + 300
    while not come() and time.monotonic() < end:
        time.sleep(0.05)
    return come()


class World:
    """The pretended repository, three lessons and one topic, and what the last run left: status, out, err."""

    def __init__(self, folder):
        self.folder, self.repo, self.log = folder, f"{folder}/repo", f"{folder}/log"
        for name in ("00_baselines", "01_interleaved", "02_sequential", "toolbox/soft"):
            write(f"{self.repo}/steps/{name}/lesson.c", "")
        shutil.copy("run_all.sh", self.repo)
        shutil.copytree("tools", f"{self.repo}/tools")
        script(f"{self.repo}/tools/draw/plots.py", DRAW)
        write(f"{folder}/program", PROGRAM, executable=True)
        write(f"{folder}/machine", MACHINE, executable=True)
        write(f"{folder}/bin/make", MAKE, executable=True)
        script(f"{folder}/bin/nvidia-smi", '[ -n "${FAKE_NO_GPU:-}" ] && exit 9\n[ "$1" = -L ] && echo "GPU 0: toy" || echo 1.2.3\n')
        self.environment = {**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}", "FAKE": folder, "FAKE_LOG": self.log, "FAKE_BACKEND": "sim",
                            "FAKE_GPU": "toy GPU", "FAKE_MEMORY": str(9 << 30), "RUN_ALL_APT": "no"}

    def start(self, *words, out=subprocess.PIPE, **environment):
        return subprocess.Popen(words, cwd=self.repo, stdout=out, stderr=subprocess.PIPE, text=True, env={**self.environment, **environment})

    def run(self, *options, **environment):
        write(self.log, "")
        program = self.start("./run_all.sh", *options, **environment)
        self.out, self.err = program.communicate()
        self.status = program.returncode

    def bare(self, *options, **environment):
        """Where no picture is looked at."""
        self.run("--no-plots", *options, **environment)

    def gpu(self, *options, **environment):
        self.bare(*options, FAKE_BACKEND="cuda", FAKE_GPU="NVIDIA Toy 9000", **environment)

    def slow(self, *options):
        """One that sleeps in step01."""
        if os.path.exists(f"{self.log}.sleeping"):
            os.remove(f"{self.log}.sleeping")
        program = self.start("./run_all.sh", *options, FAKE_SLEEP_step01="600")
        until(lambda: self.has(f"{self.log}.sleeping", "\n"))
        return program

    def sleeping(self):
        return int(read(f"{self.log}.sleeping"))

    def path(self, name):
        return os.path.join(self.repo, name)

    def has(self, path, text=""):
        return os.path.exists(self.path(path)) and text in read(self.path(path))

    def ran(self, pattern):
        return len(re.findall(pattern, read(self.log), re.M))

    def one_line(self):
        return re.fullmatch(r"[a-z_]+\.sh: .*\n", self.err)

    def earlier(self):
        """What lies in the folder of an earlier run: names, places on the disk, contents."""
        folder = self.path("build/results/sim")
        return {name: (os.stat(f"{folder}/{name}").st_ino, read(f"{folder}/{name}")) for name in sorted(os.listdir(folder)) if os.path.isfile(f"{folder}/{name}")}

    def leftovers(self):
        return [path for pattern in ("build/results/*.measured*", "build/results/*/.put*", "results/*/.put*") for path in glob.glob(self.path(pattern))]


@pytest.fixture(scope="module")
def fresh(scratch):
    return World(os.path.realpath(scratch))


@pytest.fixture(scope="module")
def world(fresh):
    """With results of the simulator in it."""
    fresh.run()
    assert fresh.status == 0 and fresh.err == "", fresh.err
    return fresh


@pytest.fixture
def kept(ok, world):
    """After the test the earlier results are whole, and nothing is left beside them -> the same question, in between."""
    before = world.earlier()

    def whole(when="in the end"):
        ok(world.earlier() == before and not world.leftovers(), f"{when}: the earlier results are whole, and nothing is left beside them", world.leftovers())
    yield whole
    whole()


def said(ok, world, what, status, out="", err=""):
    ok(world.status == status and re.search(out, world.out, re.M) and re.search(err, world.err, re.M), what,
       f"expected: status {status}, {out!r}, on stderr {err!r}\nstatus {world.status}\n{world.out}\nstderr: {world.err}")


def test_help(ok, fresh):
    fresh.run("--help")
    for option in "--quick --gpu --sim --rounds --sizes --out --no-plots --setup --help RUN_ALL_APT".split():
        said(ok, fresh, f"--help tells of {option}", 0, option)


@pytest.mark.parametrize("options, says", [
    ("--fast", "unknown option --fast"), ("--setup --fast", "unknown option --fast"), ("--sizes", "--sizes needs a value"), ("--out  ", "--out needs a value"),
    ("--sizes 0x", '"0x" is not a size'), ("--sizes 1K,,2K", "a size is missing"), ("--gpu --sim", "exclude each other"), ("--rounds 0", "--rounds 0: a number from 1 to 99")])
def test_an_option_is_refused(fresh, options, says):
    fresh.run(*[word for word in options.replace("  ", " ").split(" ")])
    assert fresh.status == 2 and fresh.one_line() and says in fresh.err, fresh.err
    assert not os.path.exists(fresh.path("build")), "something was built for that"


def test_a_run(ok, world):
    said(ok, world, "the table counts", 0, r"^01 v0 +64.0 +64.0 +50 % +0 +1024 .* 3 of 3$")
    ok.equal(sorted(os.listdir(world.path("build/results/sim"))), ["machine.json", "runs.csv", "variants.csv"], "three files")
    ok.equal(list(dict.fromkeys(re.findall(r"^(\w+),", read(world.path("build/results/sim/runs.csv")), re.M))), ["step", "00_baselines", "01_interleaved", "02_sequential", "soft"], "with the rows of each")
    ok.equal(re.findall(r"^\w+,\w+,\w+", read(world.path("build/results/sim/variants.csv")), re.M)[4:], ["01_interleaved,v0,sum", "01_interleaved,v1,sum", "02_sequential,v2,sum", "soft,soft,soft"], "and all variants")
    ok(world.ran("^step02 -n 1K,64K,256K --counters --csv ") == 1, "default sizes, with counters")
    ok(world.ran("^soft -n 1K,64K --row 32,1K,8K --counters --csv ") == 1, "other questions than the sum: rows, and no size above 64K")
    ok(re.search('"date": "20.*Z"', read(world.path("build/results/sim/machine.json"))), "machine.json holds the date")
    ok(world.has("build/plots/sim/work.svg", world.path("build/results/sim")), "they are drawn from the folder, into plots/")
    ok(not world.leftovers(), "nothing is left beside the folder")


@nightly
def test_where_it_writes(ok, world):
    world.run("--quick")
    ok(world.has("build/results/sim-quick/machine.json") and world.has("build/plots/sim-quick/work.svg"), "--quick: a folder of its own")
    ok(world.ran("^step02 -n 1K,16K --counters") == 1, "--quick takes fewer sizes")
    os.mkdir(f"{world.folder}/elsewhere")
    write(world.log, "")
    done = subprocess.run(["../repo/run_all.sh", "--sizes", "1<<10,4K", "--out", "mine/"], cwd=f"{world.folder}/elsewhere", capture_output=True, env=world.environment)
    ok(done.returncode == 0 and os.path.exists(f"{world.folder}/elsewhere/mine/plots/work.svg"), "--out is relative to where it was typed, pictures go inside", done.stderr)
    ok(world.ran("^step02 -n 1<<10,4K --counters") == 1, "--sizes reaches the programs")
    world.run("--out", "results/a \"b\" it's \\n=x")
    ok(world.status == 0 and world.has("results/a \"b\" it's \\n=x/machine.json"), "a name with blanks, quotes, a backslash", world.err)

    for name in ("counters.csv", ".hidden", "plots/work.svg"):
        write(world.path(f"build/results/sim/{name}"), "precious")
    world.run("--out", "build/results/sim")
    ok(world.status == 0 and all(world.has(f"build/results/sim/{name}", "precious") for name in ("counters.csv", ".hidden", "plots/work.svg")), "what others wrote stays", world.err)
    os.makedirs(f"{world.folder}/disk/toy")
    os.makedirs(world.path("results"), exist_ok=True)
    os.symlink(f"{world.folder}/disk/toy", world.path("results/linked"))
    world.run("--out", "results/linked")
    ok(world.status == 0 and os.path.islink(world.path("results/linked")) and os.path.exists(f"{world.folder}/disk/toy/machine.json") and world.has("plots/linked/work.svg"), "a link to a folder stays, and what it leads to is written", world.err)
    os.chmod(world.path("build/results/sim"), 0o2750)
    world.bare("--out", "build/results/sim", MAKEFLAGS="w", MAKELEVEL="1")
    ok(world.status == 0 and os.stat(world.path("build/results/sim")).st_mode & 0o7777 == 0o2750, "under another make; the folder keeps its rights", world.err)
    os.chmod(world.path("build/results/sim"), 0o755)
    write(f"{world.folder}/target", "precious")
    os.remove(world.path("build/results/sim/runs.csv"))
    os.symlink(f"{world.folder}/target", world.path("build/results/sim/runs.csv"))
    world.bare("--out", "build/results/sim")
    ok(world.status == 0 and read(f"{world.folder}/target") == "precious" and not os.path.islink(world.path("build/results/sim/runs.csv")), "a planted link leads to nothing that is written", world.err)


@nightly
def test_on_a_gpu(ok, world):
    world.gpu()
    said(ok, world, "what does not fit is left out", 0, r"n = 16M +median us +GB/s +% of roof +vs v0", r"^Left out, too large for the memory of this GPU \(9 GiB\): 2G$")
    ok(world.has("results/mine/machine.json", '"read_gbps": "1073741'), "the folder is one that git ignores, the roof is noted")
    ok(world.ran("^step02 -n 1K,4K,16K,64K,256K,1M,4M,16M,64M,256M,1G --csv ") == 3 and world.ran("^step02 ") == 15, "the rest runs, in 15 processes for a step")
    ok(world.ran("^soft ") == 5, "other questions: five processes at most")
    world.gpu("--sizes", "1M,64M", "--rounds", "5")
    ok((world.ran("^step02 "), world.ran("^step02 -n 1M,64M "), world.ran("^step02 -n 1M --csv ")) == (5, 3, 2), "rounds: five processes for each step, three with every size, two with the small ones")
    ok(re.search("^02_sequential,v2,cuda.*,1048576,.*plain,7.0000,7,7.0000,25,", read(world.path("results/mine/runs.csv")), re.M), "rounds: all runs are counted")
    world.gpu("--sizes", "1G")
    said(ok, world, "other questions: none of these sizes", 0, "soft +skipped: none of the sizes is for this program")
    world.gpu("--quick")
    ok(world.ran("^step02 -n 64K,1M,16M --repeat 10 --csv ") == 1, "--quick on a GPU: few repeats")
    world.gpu("--sizes", "1G,2G", FAKE_MEMORY=str(1 << 30))
    ok(world.status == 2 and world.one_line(), "no size fits: status 2, one line", world.err)
    world.run("--gpu", FAKE_NO_GPU="yes")
    ok(world.status == 77 and world.one_line(), "--gpu without a GPU: status 77, one line", world.err)


ALL = ("step00", "step01", "step02", "soft")


def each(status):
    return {f"FAKE_STATUS_{name}": status for name in ALL}


@nightly
@pytest.mark.parametrize("options, environment, status, out, err", [
    ([], {"FAKE_STATUS_step01": "1"}, 1, "what step01 printed", "^[a-z_]+.sh: .*\n$"), (["--sizes", "64"], each("2"), 2, "", r"\Arun_all.sh: nothing takes these sizes: a note of step00\n$"),
    ([], each("77"), 77, "", ""), ([], {"FAKE_BROKEN_step01": "yes"}, 1, r"01_interleaved.csv: line 3: rel_err is not a number: oops", ""),
    ([], {"FAKE_BUILD_FAILS": "yes"}, 1, "", "reduce.cu:3")], ids=["a failing step", "sizes that all refuse", "all skipped", "a broken CSV line", "a failing build"])
def test_what_fails_leaves_the_earlier_results_whole(ok, world, kept, options, environment, status, out, err):
    world.run(*options, **environment)
    said(ok, world, "it says why", status, out, err)
    ok(world.ran("^step02") == 0 or status != 1 or "FAKE_STATUS_step01" not in environment, "later steps do not run")


@nightly
@pytest.mark.parametrize("environment, says", [({"FAKE_STATUS_soft": "2"}, "^Left out, since they take none of these sizes: soft$"), ({"FAKE_STATUS_soft": "77"}, "")])
def test_what_one_refuses_is_left_out(ok, world, environment, says):
    folder = "results/odd" + environment["FAKE_STATUS_soft"]
    world.bare("--sizes", "64", "--out", folder, **environment)
    said(ok, world, "the end says so", 0, says)
    ok(world.has(f"{folder}/runs.csv", "\n02_sequential,") and not world.has(f"{folder}/runs.csv", "\nsoft,"), "the others are there")


@nightly
def test_a_folder_that_is_not_ours(ok, world, kept):
    write(world.path("results/notes/thoughts.txt"), "precious")
    write(world.path("results/notes/05_mine.csv"), "precious")
    os.symlink("loop", world.path("results/loop"))
    shutil.copy(world.path("build/results/sim/machine.json"), world.path("machine.json"))
    for folder, says in [("results/notes", "holds something else than results"), *((parent, "holds this repository") for parent in (".", "..", "/", world.folder, "results/..")),
                         ("run_all.sh", "is a file, not a folder"), ("/dev/null/x", "cannot write into /dev/null; choose another"),
                         (f"results/{0:0300d}", f"cannot write into {world.repo}/results; choose another"), ("results/loop", "is a link that leads nowhere"),
                         ("a\nb", "a name without control characters is needed")]:
        world.run("--out", folder)
        said(ok, world, f"--out {folder[:40]!r}: refused", 2, "", re.escape(says))
        ok(world.one_line(), f"--out {folder[:40]!r}: one line", world.err)
    os.remove(world.path("machine.json"))
    write(world.path("results/notes/machine.json"), '{"name": "mine"}')
    world.run("--out", "results/notes")
    said(ok, world, "a machine.json of another kind", 2, "", r"holds something else than results \(no machine.json of ours\)")
    ok(world.has("results/notes/thoughts.txt", "precious") and world.has("results/notes/05_mine.csv", "precious"), "what it holds stays")


@nightly
def test_whatever_fails_at_the_end_the_figures_are_kept(ok, world, kept):
    world.run("--out", "results/undrawn", FAKE_UNDRAWN="yes")
    said(ok, world, "drawing fails: it says why, and where the results are", 1, "", "no pictures: plots.py: no fonts; the results are whole, in results/undrawn$")
    ok(world.one_line() and world.has("results/undrawn/machine.json"), "drawing fails: they are there", world.err)
    machine = world.path("build/results/sim/machine.json")
    for says, environment in (("machine: no GPU any more", {"FAKE_MACHINE_FAILS": "1"}), (f"cannot write to {world.repo}/build/results/sim .*", {})):
        if not environment:  # a file that cannot be replaced
            os.rename(machine, f"{world.folder}/kept")
            os.mkdir(machine)
        world.bare(**environment)
        if not environment:
            os.rmdir(machine)
            os.rename(f"{world.folder}/kept", machine)
        said(ok, world, says, 1, "", f"^run_all.sh: {says}; what was measured is in build/results/sim.measured-")
        measured = glob.glob(world.path("build/results/sim.measured-*"))
        ok(len(measured) == 1 and os.path.getsize(f"{measured[0]}/runs.csv"), f"{says}: they are there", measured)
        for folder in measured:
            shutil.rmtree(folder)
        kept(says)


@nightly
def test_output_that_nobody_takes(ok, world, kept):
    with open("/dev/full", "w", encoding="utf-8") as full:
        program = world.start("./run_all.sh", "--no-plots", out=full)
    ok(program.communicate()[1] == "run_all.sh: cannot write to standard output\n" and program.returncode == 1, "nowhere to print to: status 1, before anything ran")
    program = world.start("bash", "-c", "./run_all.sh --no-plots | head -n 4 >/dev/null; exit ${PIPESTATUS[0]}")
    ok(program.communicate()[1] == "" and program.returncode == 141, "a broken pipe: status 141, and no word more", program.returncode)
    ok(world.start("sh", "run_all.sh", "--no-plots", "--out", "results/by-sh").wait() == 0 and world.has("results/by-sh/machine.json"), "sh run_all.sh")


@nightly
@pytest.mark.parametrize("number, status", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interrupted(ok, world, kept, number, status):
    for options, says in ((), "build/results/sim is as it was"), (("--out", f"results/fresh{status}"), "nothing was written"):
        program = world.slow(*options)
        program.send_signal(number)
        err = program.communicate()[1]
        ok(program.returncode == status and f"run_all.sh: interrupted; {says}\n" in err, f"status {status}, and a line: {says}", f"{program.returncode} {err}")
        ok(until(lambda: not os.path.exists(f"/proc/{world.sleeping()}")), "the program was stopped")
    ok(not os.path.exists(world.path(f"results/fresh{status}")), "where there was nothing before, nothing is")


@nightly
def test_two_runs_at_once(ok, world):
    program = world.slow()
    world.bare()
    ok(world.status == 0 and world.err == "run_all.sh: note: another run is at work here; each disturbs the other's times\n", "a second run into the folder says so", world.err)
    before = world.earlier()
    program.kill()
    os.kill(world.sleeping(), signal.SIGKILL)
    program.communicate()
    ok(world.earlier() == before, "a run that is killed: the second one's results are whole")
    world.bare()
    ok(world.status == 0 and world.err == "", "after a killed run: status 0, and no note", world.err)


@nightly
def test_a_tool_that_is_missing(ok, world):
    few = f"{world.folder}/few"
    os.mkdir(few)
    for name in ("bash sh env awk cat cp cut date chmod dirname grep head id install ls mkdir mktemp mv nproc paste realpath rm rmdir sed sleep sort stat tail "
                 "touch tr true gcc g++").split():
        os.symlink(shutil.which(name), f"{few}/{name}")
    os.symlink(f"{world.folder}/bin/make", f"{few}/make")
    os.symlink(sys.executable, f"{few}/python3")
    world.run(PATH=few)
    said(ok, world, "gnuplot is missing and must not be installed: the line to type", 0, "^No pictures: missing: gnuplot; .*apt-get install .*gnuplot-nox", r"\A$")
    world.run("--setup", PATH=few)
    said(ok, world, "--setup: what make test needs, too", 2, "", "^setup.sh: missing: gnuplot.*; .* gnuplot-nox")
    gnuplot = shutil.which("gnuplot")
    script(f"{few}/apt-get", f'echo "$@" >>"{world.folder}/apt"\n"{shutil.which("ln")}" -s "{gnuplot}" "{few}/"\n')
    script(f"{few}/sudo", '[ "$1" = -n ] && shift\nexec "$@"\n')
    os.rename(f"{few}/gcc", f"{world.folder}/gcc")
    world.run(PATH=few)
    said(ok, world, "a compiler is missing: the line to type", 2, "", "missing: gcc.*; .*apt-get install .* gcc")
    ok(world.one_line(), "a compiler is missing: one line", world.err)
    os.rename(f"{world.folder}/gcc", f"{few}/gcc")
    world.run(PATH=few, RUN_ALL_APT="yes")
    ok(world.status == 0 and read(f"{world.folder}/apt") == "install -y --no-install-recommends gnuplot-nox\n", "apt-get was asked for it and nothing else", world.err)
