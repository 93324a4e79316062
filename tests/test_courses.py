"""Courses (docs/courses.md): the mistakes of the worked exercises are found and named, and each criterion is needed; wrong data files,
hostile submissions, ten thousand of them; two jobs, the same table by the same seed; the page's figures."""
import csv
import itertools
import json
import os
import re
import shutil
import sys
import types
import xml.etree.ElementTree

import pytest
from common import ROOT, plant, ran, read, rows, write

sys.path.append(f"{ROOT}/practice/judge")
from exercise import Course  # noqa: E402
from verdict import pattern  # noqa: E402

pytestmark = pytest.mark.more
NIGHT = os.environ.get("TESTS", "all") == "all"  # by day less of the same
TEMPLATE = f"{ROOT}/practice/courses/template"
SOLUTION = f"{TEMPLATE}/solutions/scale.cu"
SCALE = read(SOLUTION)
folder = None  # of this file's courses and submissions


@pytest.fixture(scope="module", autouse=True)
def somewhere(scratch):
    global folder
    folder = scratch
    write(f"{folder}/target", "as it was\n")


def course(of, *words, **environment):
    """practice/run --course OF WORDS: its status, standard output, standard error. What stands behind the names that a file may not call is tried, too."""
    done = ran(f"{ROOT}/practice/run", "--course", of, *words, cwd=folder, **{"SEED": "1", "ALLOW_SYSTEM_CALLS": "1", **environment})
    return done.returncode, done.stdout, done.stderr


def edited(name, *edits, file="scale.toml"):
    """A copy of the template with these edits of a file."""
    shutil.copytree(TEMPLATE, f"{folder}/{name}")
    plant(f"{folder}/{name}/{file}", *edits)
    return f"{folder}/{name}"


def complained(ok, what, status, says, *asked, **environment):
    """One line alone."""
    got, out, err = course(*asked, **environment)
    ok(got == status and out == "" and err.startswith("practice: ") and says in err and err.count("\n") == 1, f"{what}: status {status}, and one line: {says}", f"{got} {out}{err}")


def grades(name):
    return {row["student"]: row for row in rows(f"{folder}/{name}.csv")}


# ---- the template: a teacher's and a student's way ----

def test_the_template(ok):
    status, out, err = course(TEMPLATE, "prove")
    ok(status == 0 and "3 of 3 wrong files found; 0 of 2 right ones refused" in out and "the host computes" not in out, "it proves itself", out + err)
    status, out, err = course(TEMPLATE, "check", "scale", SOLUTION, "--json", "--junit", "verdict.xml")
    verdict = json.loads(out)["exercises"][0]
    ok(status == 0 and verdict["points"] == verdict["of"] == 10 and len(verdict["criteria"]) == 3, "its solution has all points, in JSON", out + err)
    suite = xml.etree.ElementTree.parse(f"{folder}/verdict.xml").getroot()[0]
    ok.equal((len(suite), suite.get("failures")), (3, "0"), "and in JUnit's form")
    status, out, err = course(TEMPLATE)
    ok(status == 1 and "out[i] = factor * in[i]" in out and "WRONG  answer (0 of 6): n = 1: out[0]: expected " in out, "a student's first look: task, verdict", out + err)
    status, out, err = course(TEMPLATE, "check", "scale", SOLUTION, "--only", "faults")
    ok(status == 0 and "2 of 2 points" in out, "one criterion by itself", out + err)
    # Files for CI services: what they run is there, and the points are those of the course.
    status, out, err = course(TEMPLATE, "classroom", "github")
    commands = re.findall(r'command: "ladder/practice/run --course course (.*)"', out)
    ok(status == 0 and commands == ["check scale scale.cu --only answer", "check scale scale.cu --only faults", "check scale scale.cu --only 'work is shared'"]
       and re.findall(r"max-score: (\d+)", out) == ["6", "2", "2"] and "SCALE-3_RESULTS" in out, "GitHub Classroom's workflow", out)
    status, out, err = course(TEMPLATE, "classroom", "gitlab")
    ok(status == 0 and "check --junit verdict.xml" in out, "GitLab's", out)


def test_headers_of_cuda(ok):
    """A file with any of them: its words are read, too, and an atomicAdd is found there."""
    words = edited("words", ("[[criteria]]", '[[criteria]]\nforbid = ["atomicAdd"]\npoints = 1\n\n[[criteria]]'))
    for more, wanted in (("", 0), ("__global__ void planted(int *p) { atomicAdd(p, 1); }\n", 1)):
        write(f"{folder}/words.cu", "#include <cuda/barrier>\n#include <device_launch_parameters.h>\n" + SCALE + more)
        status, out, err = course(words, "check", "scale", f"{folder}/words.cu")
        ok(status == wanted and ("atomicAdd is used, and may not be" in out) == bool(wanted), f"headers of CUDA, {'a' if more else 'no'} forbidden word", out + err)


@pytest.mark.parametrize("want, got, says", [
    ([0, 0, 0, 1], [0, 0, 0, 0], "too small, by 1"), ([1, 0, 0, 0], [0, 0, 0, 0], "too small, by 1"),  # shifted zeros say nothing of where an element is
    ([5, 6, 7, 8], [9, 5, 6, 7], "where the next one belongs"), ([5, 6, 7, 8], [6, 7, 8, 9], "where the one before belongs")])
def test_what_is_said_of_wrong_elements(want, got, says):
    array = types.SimpleNamespace(code="I", parts=1, written=False, also_read=False, poison=lambda: 0xAAAAAAAA)
    assert says in pattern(array, (4,), want, got, [i for i in range(4) if want[i] != got[i]], 0)


# ---- usage, and courses that are wrong: a line each ----

def test_usage(ok):
    for what, words, status, says in (
            ("no folder at all", [""], 2, "--course needs a folder"),
            ("no such file", [TEMPLATE, "check", "scale", "none.cu"], 2, "none.cu: there is no such file"),
            ("no such folder", ["nowhere"], 3, "nowhere: there is no such folder"),
            ("no such command", [TEMPLATE, "nonsense"], 2, "nonsense: there are check, "),
            ("no such exercise", [TEMPLATE, "check", "scal"], 2, "there is no exercise scal; there are scale"),
            ("no such criterion", [TEMPLATE, "check", "scale", SOLUTION, "--only", "x"], 2, "scale has no criterion x; there are answer, faults"),
            ("no such hint", [TEMPLATE, "hint", "scale", "9"], 2, "scale has 2 hints"),
            ("no submissions", [TEMPLATE, "grade", "nowhere"], 2, "nowhere: there is no such folder"),
            ("a call on a GPU", [TEMPLATE, "grade", ROOT], 2, "with BACKEND=cuda check runs on a GPU"),
            ("no jobs", [TEMPLATE, "grade", ROOT, "--jobs", "0"], 2, "--jobs 0: 1 to 256")):
        complained(ok, what, status, says, *words, **({"BACKEND": "cuda"} if "GPU" in what else {}))


CRITERIA = "".join(read(f"{TEMPLATE}/scale.toml").partition("[[criteria]]")[1:])
WRONG = {
    "no criteria": ([(CRITERIA, "")], 'it has no criteria, so all would be right: add [[criteria]] with check = "answer"'),
    "no answer": ([('check = "answer" ', 'check = "faults"\nname = "x" ')], "no criterion looks at the answer"),
    "a key that is not there": ([("points = 6", "point = 6")], "criterion 1: no such key: point; there are at_least, at_most"),
    "no runs": ([("runs = [{ n = 1 }, { n = 256 }, { n = 1000 }]\nrandom = 3", "")], "it would never be tried"),
    "not TOML": ([("[sizes]", "[sizes")], "not TOML"),
    "a shape that is not there": ([('in = { shape = "n"', 'in = { shape = "m"')], "in: shape: m: there is no size m; there are n"),
    "no shape": ([('out = { shape = "n" }', "")], 'out: an array needs its shape, as out = { shape = "n" }'),
    "a size that is not there": ([("{ n = 256 }", "{ m = 256 }")], "there is no size m; [sizes] has n"),
    "a count that is not there": ([('"accesses of the busiest thread"', '"loads"')], "count: there is no loads; there are launches, blocks, "),
    "a call that is none": ([("int n, float factor)", "int n, factor)")], "call: factor: TYPE NAME or TYPE *NAME is needed"),
    "a type that is none": ([("int n, float", "widget n, float")], "call: widget n: TYPE NAME"),
    "a scalar without a value": ([('factor = { value = "3" }', "")], "factor of call is neither in [sizes] nor has a value"),
    "an endless array": ([("{ n = 256 }", "{ n = 3000000000 }")], "a whole number from 0 to 2^31 is needed"),
    "what is no expression": ([('"4 * solution"', '"__import__(1)"')], "there is no size __import__"),
    "two of one name": ([('name = "work is shared"', 'name = "faults"')], 'another has the name "faults", too')}


@pytest.mark.parametrize("what", WRONG)
def test_wrong_courses(ok, what):
    edits, says = WRONG[what]
    complained(ok, what, 3, says, edited(f"wrong: {what}", *edits), "check", "scale", SOLUTION)


def test_a_solution_that_fails_its_own_criteria(ok):
    """And a bound that no run can meet: the other exercise is graded."""
    two = edited("two", ("exercises = [\"scale\"]", "exercises = [\"scale\", \"copy\", \"tight\"]"), file="course.toml")
    for name, old, new in (("copy", "i < n", "i + 1 < n"), ("tight", "i < n", "i < n")):
        shutil.copy(f"{two}/scale.toml", f"{two}/{name}.toml")
        write(f"{two}/solutions/{name}.cu", SCALE.replace(old, new))
    write(f"{two}/copy.toml", read(f"{two}/copy.toml").replace("points = 6", 'points = 6\n#') + '\n[[criteria]]\ncount = "atomics"\nat_least = 1\nruns = [{ n = 9 }]\n')
    plant(f"{two}/tight.toml", ('at_most = "4 * solution"', "at_most = -1"))
    write(f"{folder}/some/ann/scale.cu", SCALE)
    status, out, err = course(two, "grade", "some", "-o", "some_grades")
    ok.equal([status, *csv.reader(read(f"{folder}/some_grades.csv").splitlines())], [3, ["student", "points", "of", "scale", "copy", "tight", "notes"], ["ann", "10", "10", "10", "", "", "copy: not judged; tight: not judged"]],
             "exercises whose solutions fail are not judged; the rest is")
    ok(err.count(" is not judged: ") == 2 and re.search(r"copy is not judged: its own solution does not meet .*\n.*tight is not judged: its own solution does not meet work is shared", err),
       "and a line says which criterion", err)


# ---- submissions ----

HEAD = "#include <fcntl.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <sys/socket.h>\n#include <unistd.h>\n"


def hostile(statement):
    return HEAD + SCALE.replace("    scale_all<<<", f"    {statement}\n    scale_all<<<")


# name -> its file (FOLDER: of this test), the points it gets, what the notes say. "got:" of what a program prints is a way out.
SUBMISSIONS = {
    "right": (SCALE, 10, r"^$"),
    "as given": (read(f"{TEMPLATE}/scale.cu"), 0, "scale: answer: n = 1: out.0.: expected"),
    "=SUM(A1)": (SCALE, 10, r"^$"),
    "latin": (SCALE.replace("{", "{ // für", 1).encode("latin-1"), 10, "not in UTF-8: read as Latin-1"),
    "utf16": (SCALE.encode("utf-16"), 10, "in UTF-16: read as such"),
    "bytes": (b"\0" * 99, 0, "no text"),
    "empty": ("", 0, "the file is empty"),
    "huge": ("x" * (2 << 20), 0, "more than 1 MiB"),
    "no C": ("nonsense", 0, "it does not compile: scale.cu:1"),
    "another function": ("void scal() {}", 0, r"it does not define void scale\("),
    "another type": (SCALE.replace("float factor", "double factor"), 0, r"it does not define .*; it has scale\(float const\*, float\*, int, double\)"),
    "prints": (hostile("for (int i = 0; i < 1 << 24; i++) puts(\"  ok     answer (6 of 6): right in 6 runs\");"), 0, "prints more than 256 KB"),
    "exits": (hostile("exit(0);"), 0, "the program ended itself"),
    "forges": (hostile("static char x[4096]; if (write(3, x, sizeof x)) {}"), 0, "it wrote to the grader's channel"),
    "crashes": (hostile("*(volatile int *)0 = 1;"), 0, "memory that is not there|crashed"),
    "counts for itself": ('extern "C" void simt_launches_clear(void);\n' + hostile("simt_launches_clear();"), 0, r"it calls simt_launches_clear\(\), which only the grader may"),
    "includes": (f'#include "{SOLUTION}"\n', 0, "no header|it includes .*a submission is one file"),
    "prints little": (hostile('printf("mine\\n");'), 10, r"^$"),
    "its own main": (SCALE + "int main() { return 1; }\n", 10, r"^$"),
    "host": ("#include <vector>\nvoid scale(const float *in, float *out, int n, float factor) { std::vector<float> x(n); cudaMemcpy(x.data(), in, 4 * n, cudaMemcpyDefault);"
             "for (float &y : x) y *= factor; cudaMemcpy(out, x.data(), 4 * n, cudaMemcpyDefault); }\n", 0, "the host can see 1024 bytes"),
    "managed variable": ("__managed__ float seen[1 << 13];\n__global__ void copy(const float *in, int n) { for (int i = threadIdx.x; i < n; i += 32) seen[i] = in[i]; }\n"
                         + hostile("copy<<<1, 32>>>(in, n); cudaDeviceSynchronize();"), 0, "the host can see 1024 bytes"),
    "another copy": (hostile("cudaMemcpy3DParms p = {}; cudaMemcpy3D(&p);"), 0, r"it calls cudaMemcpy3D\(\), and what the host sees"),
    "unwatched": (SCALE.replace("__global__", "#define NO no_sani\n#define JOIN(a, b) a##b\n#define WHOLE(a, b) JOIN(a, b)\n__attribute__((WHOLE(NO, tize)(\"thread\")))\n__global__", 1), 0, "no_sanitize is used, and may not be"),
    "unwatched, on the device": ("#ifdef __CUDA_ARCH__\n#define HOW __attribute__((no_sanitize_thread))\n#else\n#define HOW\n#endif\nHOW " + SCALE, 0, "no_sanitize_thread is used"),
    "calls the watch": ('extern "C" void __tsan_read4(void *);\n' + hostile("__tsan_read4(0);"), 0, "__tsan_read4 is used|which only the grader may"),
    "before main()": ("__attribute__((constructor)) static void early() {}\n" + SCALE, 0, "constructor is used"),
    "another stream": (hostile("stdout->_fileno = 3; puts(\"x\");"), 0, "_fileno is used"),
    "the standard input": (hostile("char x[9]; if (fgets(x, 9, stdin)) {}"), 0, "stdin is used"),
    "a stream in memory": (hostile("char *p; size_t m; FILE *f = open_memstream(&p, &m); fclose(f);"), 0, "open_memstream is used"),
    "a refused call": (hostile("cudaMemcpy(out, 0, 4, (cudaMemcpyKind)9);"), 0, r"CUDA refuses a call: .* \(scale.cu:\d+: cudaMemcpy\(\)\)"),
    "managed": (hostile("float *x; cudaMallocManaged(&x, 4096);"), 0, "the host can see 4096 bytes"),
}
ESCAPES = {
    "writes": 'int f = open("FOLDER/target", O_WRONLY | O_APPEND); if (f >= 0 && write(f, "!", 1) == 1) puts("got: write");',
    "makes": 'if (open("FOLDER/made", O_WRONLY | O_CREAT, 0600) >= 0 || open("made", O_WRONLY | O_CREAT, 0600) >= 0) puts("got: create");',
    "removes": 'if (unlink("FOLDER/target") == 0 || rename("FOLDER/target", "FOLDER/target2") == 0) puts("got: unlink");',
    "network": 'if (socket(AF_INET, SOCK_STREAM, 0) >= 0) puts("got: socket");',
    "forks once": 'if (fork() > 0) puts("got: fork");',
}
SLOW = {
    "endless": (hostile("for (volatile int k = 0; k < 1;) k = 0;"), 0, r"it does not end: more than 2 s of processor time"),
    "forks": (hostile("for (;;) if (fork() == 0) for (;;) ;"), 0, r"it does not end: more than 2 s|more than 32 processes"),
    "fills memory": (hostile("for (;;) memset(malloc(1 << 20), 1, 1 << 20);"), 0, "it takes more than 300 MB of memory"),
    "fills the disk": (hostile('static char x[1 << 20]; int f = open("FOLDER/full", O_WRONLY | O_CREAT | O_APPEND, 0600); '
                               'for (int i = 0; i < 99; i++) if (write(f, x, sizeof x) < 0) exit(1);'), 0, "the program ended itself"),
    "sleeps": (hostile("sleep(1000);"), 0, "it sleeps, and waits for something that does not happen"),
    "compiles for ever": ("template <int n> struct a { a<n + 1> x; };\na<0> b;\n", 0, "it does not compile"),
}


@pytest.fixture(scope="module")
def strict(somewhere):
    return edited("strict", ("seconds = 10", "seconds = 2"), ("memory_mb = 2048", "memory_mb = 300"), file="course.toml")


def graded(strict, name, files, *words, **environment):
    """A folder of submissions, graded: {student: (points, notes)}, and what was said."""
    for student, text in files.items():
        path = f"{folder}/{name}/{student}/scale.cu"
        write(path, text.replace("FOLDER", folder) if isinstance(text, str) else "")
        if isinstance(text, bytes):
            with open(path, "wb") as file:
                file.write(text)
    status, out, err = course(strict, "grade", name, "-o", f"{name}_grades", *words, **environment)
    return {student: (float(row["points"]), row["notes"]) for student, row in grades(f"{name}_grades").items()}, f"{status} {out}{err}", status


def test_a_class(ok, strict):
    some = {**SUBMISSIONS, **(SLOW if NIGHT else {"endless": SLOW["endless"]})}
    table, said, status = graded(strict, "class", {name: text for name, (text, _, _) in some.items()}, "--jobs", "2")
    ok(status == 0 and len(table) == len(some), "a class is graded", said)
    for name, (_, points, notes) in some.items():
        row = table.get("'" + name if name.startswith("=") else name, (-1, "not there"))
        ok(row[0] == points and re.search(notes, row[1]) and "\n" not in row[1], f"{name}: {points} points", row)
    os.makedirs(f"{folder}/links/linked")
    os.symlink(SOLUTION, f"{folder}/links/linked/scale.cu")
    table, said, _ = graded(strict, "links", {})
    ok(table.get("linked", (1, ""))[0] == 0 and "links are not followed" in table["linked"][1], "a link to the solution is not followed", said)


def test_calls_of_the_system(ok, strict):
    calls = {**ESCAPES, "answers in place of the program": "static char x[99]; if (read(3, x, 16)) {}",
             "usual": 'cudaError_t e = cudaGetLastError(); if (e) fprintf(stderr, "%s", cudaGetErrorString(e)); float *x = (float *)malloc(4); free(x);'}
    table, said, _ = graded(strict, "calls", {name: hostile(statement) for name, statement in calls.items()}, ALLOW_SYSTEM_CALLS="0")
    ok(table.pop("usual", (0,))[0] == 10, "a file that reports errors and has memory of the host is not refused", said)
    for name, (points, notes) in table.items():
        ok(points == 0 and re.fullmatch(r"scale: answer: it calls \w+\(\): files, processes and memory of the system are out of bounds here", notes), f"refused: {name}", notes)


@pytest.mark.parametrize("environment", [pytest.param({}, marks=pytest.mark.nightly), {"BWRAP": ""}])  # with bubblewrap where there is one, and without
def test_there_is_no_way_out(ok, environment):
    for name, statement in ESCAPES.items():
        write(f"{folder}/escape.cu", hostile(statement).replace("FOLDER", folder))
        status, out, err = course(TEMPLATE, "check", "scale", "escape.cu", **environment)
        ok(status in (0, 1) and "got:" not in out, name, out + err)
    ok(read(f"{folder}/target") == "as it was\n" and not os.path.exists(f"{folder}/full"), "and nothing is written")


def test_without_bubblewrap(ok, strict):
    _, out, err = course(TEMPLATE, "check", "scale", SOLUTION, BWRAP="")
    ok("no bubblewrap works here" in err and "a submission can read files of this machine" in err and "10 of 10 points" in out, "a line says what is not protected", err)
    table, said, _ = graded(strict, "includes", {"thief": SUBMISSIONS["includes"][0]}, BWRAP="")
    ok(table["thief"][0] == 0 and "it includes" in table["thief"][1], "an include of the solution is found", table)


def test_jobs_and_seeds(ok, strict):
    quick = {name: SUBMISSIONS[name][0] for name in ("right", "as given", "no C")}
    for name, jobs, seed in (("one", "1", "7"), ("both", "2", "7"), ("other", "2", "8")):
        graded(strict, name, quick, "--jobs", jobs, SEED=seed)
    one, both, other = [read(f"{folder}/{name}_grades.json") for name in ("one", "both", "other")]
    ok(one == both, "one job or two: the same table")
    ok(json.loads(other)["seed"] == 8 and one != other, "another seed is recorded, and draws others")


def test_ten_thousand(ok, strict):
    """Of which few differ."""
    many = 10000 if NIGHT else 1000
    table, said, status = graded(strict, "many", {f"s{k:05}": SUBMISSIONS["right" if k % 3 else "as given"][0] for k in range(many)})
    ok(status == 0 and len(table) == many and sum(points == 10 for points, _ in table.values()) == many * 2 // 3, f"{many} submissions", said)
    complained(ok, "where the table cannot be written", 2, "in a folder that is there", strict, "grade", "many", "-o", "no/such/folder/grades")


def test_names_of_the_simulator():
    """No submission names what it keeps to itself; what kernels need it may."""
    names = {*read("build/sim/runner.names").split()}
    assert {"counts_clear", "simt_now", "simt_launches_clear"} <= names and not {"cudaMalloc", "simt_copy_to", "threadIdx", "simt_launch_grid"} & names


# ---- what teachers asked for ----

def test_tables_and_feedback(ok):
    for name in ("Scan.cu", "scan (1).cu", "scan.cu.txt", "work.zip"):
        write(f"{folder}/near/{name.replace('.', '_')}/{name}", SCALE)
    write(f"{folder}/near/all.zip", "PK")
    scan = edited("scan", ('exercises = ["scale"]', 'exercises = ["scan", "scale"]'), file="course.toml")
    for old in ("scale.toml", "scale.cu", "solutions/scale.cu"):
        shutil.copy(f"{scan}/{old}", f"{scan}/{old.replace('scale', 'scan')}")
    write(f"{folder}/full_feedback", "")
    status, out, err = course(scan, "grade", "near", "scan", "-o", "full")
    ok(status == 2 and "full_feedback cannot be made" in err and not os.path.exists(f"{folder}/full.csv"), "no folder for the students' files: nothing half-written", err)
    for _ in range(2):  # it is written again
        status, out, err = course(scan, "grade", "near", "scan", "-o", "near_grades")
        found = grades("near_grades")
        ok(status == 0 and len(found) == 5 and all("no file scan.cu; there is " in row["notes"] for row in found.values()) and list(found["all"]) == ["student", "points", "of", "scan", "notes"],
           "files whose names are near are named; one exercise is graded alone", f"{found} {err}")
    feedback = read(f"{folder}/near_grades_feedback/Scan_cu.txt")
    ok("Scan_cu: 0 of 10 points" in feedback and "there is Scan.cu: rename it" in feedback, "each student has a file of what was found", feedback)
    for name, text in (("near_grades.csv", read(f"{folder}/near_grades.csv") + "eve,10,10,10,\n"), ("mine.csv", "my own\n"), ("mine.json", "{}"), ("theirs.xml", "<x/>")):
        write(f"{folder}/{name}", text)
        words = ["check", "scan", SOLUTION, "--junit", name] if name.endswith("xml") else ["grade", "near", "scan", "-o", name.rpartition(".")[0]]
        status, out, err = course(scan, *words)
        ok(status == 2 and read(f"{folder}/{name}") == text and f"{name} is there, and this program did not write it so" in err, f"{name}, which is not ours, stays", f"{status} {out}{err}")
        os.remove(f"{folder}/{name}")
    for words, says in ((["grade", "near", "blur"], "there is no exercise blur; there are scan, scale"), (["check", "scan", folder], "is a folder, and a file is needed")):
        complained(ok, words, 2, says, scan, *words)


def test_other_proofs(ok):
    bare = edited("bare", ("says = 'answer: n = 1: '", "#"), file="solutions/scale.mistakes.toml")
    ok(course(bare, "prove")[0] == 0, "a mistake without says must only be found")
    tiny = edited("tiny", ("runs = [{ n = 1 }, { n = 256 }, { n = 1000 }]\nrandom = 3", "runs = [{ n = 1 }, { n = 16 }]"))
    ok("a solution that the host computes would get all points" in course(tiny, "prove")[1], "prove says where the host could do it all")


COUNTER = "__global__ void k(const int *in, int *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n && in[i] > 0) ADD; }\n" \
    "void count(const int *in, int *out, int n) { cudaMemset(out, 0, 4); k<<<(n + 255) / 256, 256>>>(in, out, n); }\n"


def test_a_racing_counter(ok):
    """Right in the natural order, and in no other."""
    counter = f"{folder}/counter"
    write(f"{counter}/count.toml", 'call = "void count(const int *in, int *out, int n)"\n[sizes]\nn = [1, 2000]\n[arguments]\nin = { shape = "n" }\nout = { shape = "1" }\n'
          '[[criteria]]\ncheck = "answer"\nruns = [{ n = 256 }]\n[[criteria]]\ncheck = "faults"\n')
    write(f"{counter}/solutions/count.cu", COUNTER.replace("ADD", "atomicAdd(out, 1)"))
    write(f"{counter}/count.cu", COUNTER.replace("ADD", "*out = *out + 1"))
    status, out, err = course(counter, "check", "count")
    ok(status == 1 and re.search(r"WRONG  answer \(0 of 1\): n = 256, schedule \d+: .*race", out), "it has no right answer", out + err)
    plant(f"{counter}/count.toml", ('"answer"', '"answer"\nraces = true'))
    ok("ok     answer (1 of 1)" in course(counter, "check", "count")[1], "unless the teacher says otherwise")


TWICE = "__global__ void k(const float *in, float *out, size_t n) { size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; if (i < n) out[i] = 2 * in[i]; }\n" \
    'extern "C" void launch(const float *in, float *out, size_t n, unsigned block) { if (n) k<<<(n + block - 1) / block, block>>>(in, out, n); }\n'


def test_an_exercise_that_defines_launch(ok):
    """Of the form of ours, in a course of a teacher."""
    form = f"{folder}/form"
    write(f"{form}/twice.toml", 'title = "twice"\n[answer]\nis = "each element doubled"\nwords = "n"\ncode = "void answer(const float *in, size_t n, size_t share, float *out) { for (size_t i = 0; i < n; i++) out[i] = 2 * in[i]; }"\n'
          'blocks = [64, 256]\npoints = 6\n[[criteria]]\ncount = "atomics"\nat_most = 0\nruns = [{ n = 4096, block = 256 }]\nsays = "none"\n')
    for name, text in ((f"{form}/solutions", TWICE), (f"{folder}/forms/ann", TWICE), (f"{folder}/forms/bob", TWICE.replace("2 * in", "in"))):
        write(f"{name}/twice.cu", text)
    status, out, err = course(form, "prove")
    ok(status == 0 and "ok     twice: the solution has all 8 points" in out, "it is proved", out + err)
    status, out, err = course(form, "grade", "forms", "-o", "forms_grades")
    ok.equal([status, {student: row["points"] for student, row in grades("forms_grades").items()}], [0, {"ann": "8", "bob": "0"}], "it is graded, too")


# ---- the worked courses ----

@pytest.mark.parametrize("name, one", [("kernels", "histogram"), ("cs149", "saxpy")])  # by day these; the others take long
def test_worked_courses(ok, name, one):
    page = read("docs/courses.md")
    status, out, err = course(f"{ROOT}/practice/courses/{name}", "prove", *[] if NIGHT else [one], "--json")  # by SEED=1: another is for a person to draw
    proved = json.loads(out) if out else {"problems": [err], "files": []}
    ok(status == 0, "every mistake is found and named, no right answer is refused", "\n".join(proved["problems"]))
    for exercise, group in itertools.groupby(proved["files"], lambda file: file["exercise"]):
        group = list(group)
        wrong, right = [f for f in group if not f["right"]], [f for f in group if f["right"]]
        found, refused = sum(bool(f["not_met"]) for f in wrong), sum(bool(f["not_met"]) for f in right)
        row = f"| {exercise} | {len(wrong)} | {found} | {len(right)} | {refused} |"
        ok(row in page, f"docs/courses.md has the figures of {exercise}", row)
        if name != "kernels":
            continue
        ok(len(wrong) >= 11, f"{exercise}: ten mistakes and more")
        # A criterion that is taken away lets one of them pass. (Answers of few sizes give points for a part.)
        criteria = Course(f"{ROOT}/practice/courses/{name}").exercise(exercise).criteria
        answers = [c.name for c in criteria if c.kind == "answer"]
        for c in criteria:
            alone = [f["file"] for f in wrong if f["not_met"] == [c.name] or c.kind == "answer" and set(f["not_met"]) <= {*answers, "faults"} and c.name in f["not_met"]]
            ok(alone, f"{exercise}: without {c.name} one would pass")


@pytest.mark.parametrize("name, edits, says", [
    ("no criterion sees it, and a right one is refused", [('with = ["n / 256"]', 'with = ["(n + 511) / 256"]'), ('with = ["(n + 63) / 64, 64"]', 'with = ["n / 64, 64"]')],
     "WRONG  scale: a grid that misses the tail has all points: no criterion sees it(.|\n)*WRONG  scale: another block size is refused: answer: "),
    ("other words", [("'answer: n = 1: '", "'no such words'")], "WRONG  scale: a grid that misses the tail: nothing says 'no such words'"),
    ("an edit of nothing", [('replace = ["    if (i < n)\\n"]', 'replace = ["if (i <= n)"]')], "WRONG  scale: .* is 0 times in the solution, and should be once")])
def test_the_proof_itself(name, edits, says):
    status, out, err = course(edited(name, *edits, file="solutions/scale.mistakes.toml"), "prove")
    assert status == 1 and re.search(says, out), out + err
