"""Bad input: one line that says what is wrong and what would work, a status that is not zero, and nothing half-written. (What the command line and a variant
take is tried in unit/options.c and unit/plan.c.)"""
import glob
import os
import re
import shlex

import pytest
from common import PROGRAMS, STEPS, read, right, run, script, write

NOWHERE = "/nowhere/at/all.csv"
REFUSED = [
    ("./step01 --frobnicate", "frobnicate.*--help"), ("./step01 -v \"$(printf 'a\\nb\\033[31m')\"", r'no variant "a\?b\?\[31m" here'), ("./step01 -é", "no option -é;"),
    ("./step01 -n 10 x -q", '"x" belongs to no option'), ("./step01 -n 10 -- x", '"x" belongs to no option'),
    ("POSIXLY_CORRECT=1 ./step01 x -q", '"x" belongs to no option'), ("SIMT_SCHEDULE=abc ./step01 -n 10 2>&1 >/dev/null", "SIMT_SCHEDULE=abc: a whole number"),
    ("./step01 -n 1G", "memory"), (f"./step01 --list --csv {NOWHERE}", NOWHERE), (f"./step01 --csv {NOWHERE} -n 10", NOWHERE), ("./step01 --csv /tmp -n 10", "/tmp"),
    ("./step01 -n 10 --csv " + "x" * 300, "File name too long"), ("./step05 --demo --csv x", "--demo prints what it finds, and writes no file"), ("./step05 --csv -n 10", "--csv needs a value, a file's name, before -n"),
    ("./step05 --model h200 --counters", "--model predicts times; take --counters without it"), ("./step01 --demo", "demo"),
    *((f"build/sim/{name} --help", f'{name}: "--help": there are no options') for name in ("absent_lanes", "levels", "shuffle_cost", "subnormals", "vote_cost")),
    ('run=$(mktemp -u); ln -s "$PWD"/run_all.sh $run; $run --nope 2>&1; status=$?; rm $run; exit $status', "run_all.sh: unknown option --nope"), ("tools/measure/measure.py nope", "usage: .*results.*gpu"),
    ("tools/measure/measure.py counters-sim --help", "usage: .*FILE"), ("tools/measure/measure.py gpu results/sim", "that folder is of no GPU"),
    ("RUN_ALL_APT=no ./run_all.sh --out tools", "holds something else than results"),
    ("TMPDIR=/nonexistent tools/draw/plots.py results/sim plots/sim", "plots.py: cannot write to /nonexistent: is it there"),
    ("TMPDIR=/nonexistent RUN_ALL_APT=no ./run_all.sh --no-plots", "run_all.sh: cannot write to /nonexistent: is it there")]


@pytest.mark.parametrize("command, says", REFUSED)
def test_refused(ok, command, says):
    ok.refused(command, 1 if "SIMT_SCHEDULE" in command or "TMPDIR" in command else 2, says)


def test_other_answers():
    right("LC_ALL=zh_CN.UTF-8 ./step01 --frobnicate", 2, "frobnicate.*\n    中文：没有这个选项.*\n$")
    right("./step00 -v cub", 77, "cub.*nvcc")  # nothing that could run here
    right("./step05 --demo", 0, "thread 32: undefined: lane 16 of warp 1 does not exist")


# ---- make ----

GCC = r"\S+ is gcc 11"


@pytest.fixture(scope="module")
def tools(scratch):
    script(f"{scratch}/gcc", "echo 11.4.0\n")
    script(f"{scratch}/clang", '[ "$1" = --version ]\n')  # of a version that has no _Float16
    script(f"{scratch}/nvcc", "false\n")
    few = "sh bash env grep sed awk mkdir cat find xargs id dirname nproc ls rm tr uname mktemp head realpath make gcc"
    right(f"mkdir {scratch}/few; PATH=$(echo $PATH | sed 's#[^:]*/ccache:##g'); for tool in {few}; do ln -s $(command -v $tool) {scratch}/few/; done")
    return scratch


@pytest.mark.parametrize("arguments, says", [
    ("CXX={}/clang step01", r"\S+clang has no type _Float16; the simulator needs gcc and g\+\+ 12 or later \(or clang 15 or later\)\n"),
    ("CC={}/gcc step01", GCC + r"\.4\.0; the simulator needs gcc and g\+\+ 12 or later: make CC=gcc-12 CXX=g\+\+-12\n"), ("CXX={}/gcc step01", GCC),
    ("ARCH=x86_64 step01", "ARCH=x86_64: a kind of GPU is needed, as in ARCH=sm_90"), ('BACKEND="sim cuda" step01', "BACKEND=sim cuda: there are two"),
    ('ARCH="sm_80 sm_90" step01', "ARCH=sm_80 sm_90: a kind"), ("step99", f"there is no step99: there are step00 to {STEPS[-1].command[2:]}; make help-all lists them\n"),
    ("PREFIX= NVCC=/bin/true install", "PREFIX=: a path"), ("PREFIX=usr NVCC=/bin/true install", "PREFIX=usr: a path from / on is needed"),
    ("PREFIX='/a\"b' NVCC=/bin/true install", "PREFIX=/")])
def test_make_refuses(tools, arguments, says):
    output = right(f"make -s BACKEND=sim {arguments.format(tools)}", 2, rf"\A(?:make:|\S+ \*\*\*) (?:{says})")
    assert output.count("\n") <= 2, output


# What is missing is reported before anything is built.
PYTHON, GPU = r"setup\.sh: missing: python3; on Debian or Ubuntu type: .*apt-get install .*python3", r"setup\.sh: no GPU here that nvidia-smi finds"


@pytest.mark.parametrize("arguments, says", [
    ("BACKEND=sim CC=nope step01", r"make: no compiler nope here: on Debian or Ubuntu, apt-get install g\+\+; or CC="), ("BACKEND=sim step01", r"make: no compiler g\+\+ here"),
    *((f"BACKEND=sim {target}", PYTHON) for target in ("notes", "player", "traces", "book", "book-serve", "book-pdf", "experiments")),
    ("BACKEND=sim format", r"setup\.sh: missing: clang-format;"), ("NVCC={}/nvcc counters", r"setup\.sh: ncu is missing: install"),
    ("plots", r"setup\.sh: missing: gnuplot python3; on Debian or Ubuntu type: "), ("results", r"setup\.sh: missing: python3;"),
    ("NVCC={0}/nvcc PREFIX={0}/nvcc/x install", r"make: cannot write to \S+/nvcc: PREFIX="),
    *((f"NVCC={{}}/nvcc compare{what}", GPU) for what in ("", "-exact", "-rows", "-row-types", "-types", "-softmax"))])
def test_what_is_missing(tools, arguments, says):
    right(f"env -u CC -u CXX PATH={tools}/few RUN_ALL_APT=no make -s BUILD={tools}/built {arguments.format(tools)}", 2,
          rf"\A(?:{says})[^\n]*\nmake: \*\*\* [^\n]*\n\Z")
    assert not glob.glob(f"{tools}/built/*/*")


@pytest.mark.parametrize("name", ["a:b", "a;b", "a|b", "-a  b*[c]?%#$x'\"\\ü码"])
def test_a_folders_name(ok, scratch, name):
    """What make cannot read in a list of dependences is refused at once; with all else its second run has nothing to do. (By night with a kernel, whose list
    has names from the root of the disk.)"""
    copy = shlex.quote(f"{scratch}/{name}")
    right(f"mkdir {copy} && tools/files.sh | grep -zE '^(Makefile|tools/mk/|simulator/|common/|steps/01)' | xargs -0 cp --parents -t {copy}")
    if re.search("[:;|]", name):
        ok.refused(f"make -s -C {copy} BACKEND=sim clean", 2, r"\*\*\* .*: make does not work in a folder with : ; or \| in its path")
    else:
        make = f"make -C {copy} --no-print-directory BACKEND=sim build/sim/{'steps/01_interleaved/v0.o' if os.environ.get('TESTS', 'all') == 'all' else 'common/numbers.o'}"
        assert re.fullmatch(r"(.* is up to date\.\n)?", right(f"{make} >/dev/null && {make}"))


def test_a_target_for_each_program():
    right("make -s help-all")
    built = [os.path.basename(path) for path in glob.glob("build/sim/*") if os.path.isfile(path) and os.access(path, os.X_OK)]
    right(f"make -n BACKEND=sim {' '.join(name for name in built if not re.search('library_|^machine', name))}")  # make machine asks a GPU


@pytest.mark.more
def test_the_environment(ok, scratch):
    """One ARCH may be of something else. MAKEFLAGS=rR leaves make no names for its tools."""
    compile_one = "make -n BACKEND=cuda NVCC=/bin/true build/cuda/common/multi_pass.o"
    ok("code=sm_90" in run(compile_one, ARCH="x86_64")[0], "ARCH=x86_64 in the environment is not ours")
    ok("-arch=sm_80" in run(compile_one, ARCH="sm_80")[0], "ARCH=sm_80 is")
    output = run("env -u CC -u CXX MAKEFLAGS=rR make -n BACKEND=sim NVCC= build/sim/libcommon.a -W common/check.c")[0]
    ok(re.search("^gcc -std=c11 .*^ar rcs", output, re.M | re.S), "MAKEFLAGS=rR: gcc and ar all the same", output)
    output = run(f"trap '' XFSZ; ulimit -f 0; make -s BACKEND=sim BUILD={scratch}/full step01; rm -r {scratch}/full")[0]
    ok(re.match(r"make: \S+full cannot be written: is the disk full\?\nmake: \*\*\* ", output), "a full disk: make says which", output)
    # What scripts may not inherit (tools/environment.sh): CDPATH leads into another folder, or prints; MAKEFLAGS of a make around
    # them change what theirs does and prints.
    os.makedirs(f"{scratch}/decoy/tools/draw")
    os.makedirs(f"{scratch}/decoy/tools/measure")
    for folder in ".", f"{scratch}/decoy":
        ok(re.fullmatch(r"(\w+=\S+\n)+", run(f"env -u COMMIT CDPATH={folder} tools/provenance.sh")[0]), f"CDPATH={folder} tools/provenance.sh: lines KEY=VALUE alone")
        ok.equal(run(f"GIT_DIR={scratch} CDPATH={folder} tools/files.sh | cksum")[0], run("tools/files.sh | cksum")[0], f"CDPATH={folder} tools/files.sh: the same files")
        ok.refused(f"CDPATH={folder} tools/draw/traces.py v99", 2, 'no picture "v99"')
        ok.refused(f"CDPATH={folder} RUN_ALL_APT=no ./run_all.sh --nope", 2, "unknown option --nope")
    for flags in "MAKEFLAGS=w MAKELEVEL=1", "MAKEFLAGS=n":
        ok.equal(run(f"{flags} bash -c '. tools/environment.sh; make -s BACKEND=sim backend'")[0], "sim\n", flags)
    for path in glob.glob("run_all.sh") + glob.glob(".ci/run") + glob.glob("tests/run*") + glob.glob("tools/*.sh") + glob.glob("tools/*/*.sh"):
        before = re.split(r'^\. \S.*environment\.sh"?$', read(path), flags=re.M)[0]
        ok(path.endswith(".py") or not re.search(r"(^|[(;|&]|\$\() *(cd|make) ", re.sub("^#.*", "", before, flags=re.M), re.M), f"{path}: reads tools/environment.sh before it uses cd or make")


# ---- output ----

NO_ROOM = ">/dev/full", ">&-"


@pytest.mark.parametrize("stdout", NO_ROOM)
def test_output_that_cannot_be_written(ok, scratch, stdout):
    """A failure, which is said in one line."""
    programs = [f"{program.command} {what}" for program in PROGRAMS for what in ("--help", "--list")]
    for command in [*programs, *(f"build/sim/{name}" for name in ("machine", "levels", "vote_cost")), "./step01 -n 10", "./step05 --demo", "./step01 -n 10 --counters", "./step01 --list --csv -"]:
        output, status = run(f"{command} {stdout}")
        ok(status == 1 and re.fullmatch(r"(?:simulator: note: [^\n]*\n)?\w+: cannot write [^\n]*\n", output), f"{command} {stdout}", f"status {status}\n{output}")
    for command in f"tools/draw/plots.py results/sim {scratch}/pictures", "tools/provenance.sh", "tools/files.sh", "tools/measure/measure.py gpu results/h200":
        output, status = run(f"{command} {stdout}")
        ok(status != 0 and re.fullmatch(r"[^\n]*\n", output), f"{command} {stdout}", f"status {status}\n{output}")
    ok(run(f"./step01 -n 10 --csv - 2{stdout}")[1] == 1, f"--csv - 2{stdout}: the table is lost, status 1")
    right("build/sim/library/example >/dev/full", 1)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_help_and_list(program):
    right(f"{program.command} --help && {program.command} --list")


def test_files(ok, tmp_path):
    """A run that fails leaves an earlier file as it was, and leaves no other; two outputs that lead to one file; a file's rights; a limit of its size."""
    here, other = tmp_path, tmp_path / "other.csv"
    step = "./step01 -n 10 --csv"
    other.write_text("earlier\n")
    run(f"{step} {other} -v v0 -b 1")
    run(f"./broken --check -n 1000 -v one_too_many --csv {other}")
    ok(other.read_text() == "earlier\n" and os.listdir(here) == ["other.csv"], "a run that stops half-way writes nothing")
    run(f"{step} {here}/closed.csv >&-; {step} {here}/open.csv")
    ok.equal(read(f"{here}/closed.csv"), read(f"{here}/open.csv"), "--csv FILE >&-: nothing but the CSV is in it")
    os.symlink(other, here / "link")
    for csv, trace in (f"{here}/new", f"{here}/./new"), (other, f"{here}/link"), ("-", "/dev/stdout"), (f"{here}/../{here.name}/new", f"{here}/new"):
        ok.refused(f"{step} {csv} --trace {trace}", 2, "--csv and --trace both write to")
    right(f"{step} /dev/null --trace /dev/null")
    os.chmod(other, 0o600)
    right(f"{step} {other}; umask 027; {step} {here}/fresh.csv")
    ok.equal([os.stat(here / name).st_mode & 0o777 for name in ("other.csv", "fresh.csv")], [0o600, 0o640], "a file that is replaced keeps its rights; a new one has those of the umask")
    before = other.read_text()
    right(f"ulimit -f 0; {step} {other}", 1, r"^step01: cannot write the CSV file [^\n]*File too large")
    ok.equal(other.read_text(), before, "what was there stays")
    run(f"sh -c 'ln -s {other} {here}/p.csv.tmp-$$; exec {step.replace('./step01', 'build/sim/step01')} {here}/p.csv'; rm {here}/p.csv*")
    ok.equal(other.read_text(), before, "a link with the name that a temporary file once had leads nowhere")
    ok.equal(sorted(os.listdir(here)), ["closed.csv", "fresh.csv", "link", "open.csv", "other.csv"], "and nothing else is left")


def test_files_are_put_into_a_folder_all_or_none(ok, tmp_path):
    here = tmp_path
    write(f"{here}/from/small", "new\n")
    write(f"{here}/from/large", "\0" * 99999)
    write(f"{here}/to/small", "old\n")
    put = ("python3 -Bc 'import os, sys; sys.path.insert(0, \"tools/pages\"); import page_markdown; page_markdown.run(lambda names: page_markdown.put(names[0], names[1:]))'")
    ok.refused(f"(trap '' XFSZ; ulimit -f 16; {put} {here}/to {here}/from/small {here}/from/large)", 1, rf"cannot write to {here}/to \(File too large\)")
    ok.equal((read(f"{here}/to/small"), os.listdir(here / "to")), ("old\n", ["small"]), "nothing was put, and nothing is left")
    ok.refused(f"{put} {here}/to/small/x {here}/from/small", 1, r"cannot write to .* \(Not a directory\)")
    right(f"{put} {here}/to {here}/from/*")
    ok.equal((read(f"{here}/to/small"), sorted(os.listdir(here / "to"))), ("new\n", ["large", "small"]), "all were put")
