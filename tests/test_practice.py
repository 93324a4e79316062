"""Proof of the exercises: of each the file as given fails, and says what it should; its solution meets all, and no limit is wider than
it needs; each mistake of its TOML is named, each right answer of another kind passes (practice/run --course practice/exercises prove).
Wrong answers that any exercise has; faults that the judge must find; surroundings in which it must not be wrong; the commands."""
import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import types

import pytest
from common import GUARD, ROOT, edited, ran, read, right, write

sys.path.append(f"{ROOT}/practice/judge")
import building  # noqa: E402
import program  # noqa: E402
import prove  # noqa: E402
import source  # noqa: E402
from chinese import Chinese, is_chinese  # noqa: E402
from kernel import LaunchJudge  # noqa: E402
from practice import Practice  # noqa: E402
from program import Machine, Unknown, Wrong, build_parts  # noqa: E402

practice = Practice(False)
EXERCISES = {name: practice.course.exercise(name) for name in practice.names}
LESSONS = list(dict.fromkeys(name.partition("/")[0] for name in practice.names))
FIRST = [name for name in practice.names if name.startswith(LESSONS[0] + "/")]
more, nightly = pytest.mark.more, pytest.mark.nightly


@pytest.fixture(scope="module", autouse=True)
def parts():
    build_parts()


def run(*words, root=ROOT, **environment):
    """Status, standard output and error of practice/run."""
    done = ran(f"{root}/practice/run", *words, cwd="/", **{"SEED": "1", **environment})
    return done.returncode, done.stdout, done.stderr


def solution(name):
    return EXERCISES[name].solved()


def changed(text, *edits):
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new)
    return text


# ---- each exercise, as its own TOML says; the first lesson in make test, the others in make test-more, right answers of other kinds by night ----


def proved(names, which):
    """The proofs of these exercises by those of their files that which(what it is, its text, what must be said) chooses."""
    cases_of, prove.cases_of = prove.cases_of, lambda e: [case for case in cases_of(e) if which(*case)]
    found = prove.prove(types.SimpleNamespace(course=practice.course, seed=1, options=types.SimpleNamespace(jobs=os.cpu_count())), names)
    prove.cases_of = cases_of
    return [table for proof in found for table in proof.tables], [f"{proof.name}: {problem}" for proof in found for problem in proof.problems]


@pytest.mark.parametrize("names", [pytest.param(FIRST, id=LESSONS[0]), pytest.param([name for name in practice.names if name not in FIRST], id="the other lessons", marks=more)])
def test_holes_fail_solutions_pass_mistakes_are_named(ok, names):
    files, problems = proved(names, lambda what, _, says: says is not None or what == "the solution")
    ok.equal(problems, [], "holes fail, solutions pass, mistakes are named")
    for name in names:
        judged = [file for file in files if file["exercise"] == name]
        ok(sum(file["right"] is False for file in judged) >= 3 and judged[0]["right"] and judged[1]["file"].endswith("as given"), f"{name}: its solution, the file as given, two mistakes", judged)


@nightly
def test_right_answers_of_other_kinds_pass():
    others, problems = proved(practice.names, lambda what, _, says: says is None and what != "the solution")
    assert len(others) > 50 and not problems


@pytest.mark.parametrize("name", [pytest.param(name, marks=[more] * (name not in FIRST)) for name in practice.names])
def test_an_exercise_is_whole(ok, name):
    e, lesson = EXERCISES[name], name.partition("/")[0]
    said = [e.answer_is, e.given_answer.get("of_faults"), *(e.called or []), *(limit.says for limit in e.limits_of_counts), *(q["asks"] for q in e.questions),
            *(trap["says"] for q in e.questions for trap in q.get("traps", []))]
    chinese = Chinese(practice.course.chinese)
    chinese.of_exercise = e.chinese.get("words", {})
    ok.equal([text for text in said if text and re.search("[a-z]{3} ", text) and chinese.text(text) == text], [], "all that is said in Chinese")
    ok(len(e.hints) == 2 == len(e.chinese["hints"]) and e.explanation and {"title", "task", "explanation"} <= set(e.chinese), "hints, an explanation, and these in Chinese")
    page = f"steps/{'toolbox/' + lesson[8:] if lesson.startswith('toolbox_') else lesson}/README.md"
    ok(f"make practice{practice.dashed(name)}" in read(page), f"{page} lists {practice.key(name)}")
    ok(practice.given.is_pristine(name) or ran("git", "status", "--porcelain", practice.file(name)).stdout, "it is as its blob says (practice/run pristine)")


def judged(name, cases):
    """Versions of an exercise, (what, text, what must be said), compiled as one -> what is said of the lines that are not met; None where all are."""
    with tempfile.TemporaryDirectory() as folder:
        found = prove.judge_chunk(Machine(confines=False), folder, [(EXERCISES[name], *case) for case in cases], 1)
    return ["\n".join(r.text for r in lines if r.met is False) if any(r.met is False for r in lines) else None for lines in found]


# ---- the judge: faults that it must find ----

WHO = solution("05_warp_shuffle/3_who_comes")
BEFORE = "    cudaMemset"
FAULTS = [
    ("a sum on the host", re.sub(r"    cudaMemset.*?;\n.*?;\n", "    float *host = (float *)malloc(n * 4 + 4), sum = 0;\n    (void)grid;\n    cudaMemcpy(host, in, n * 4, cudaMemcpyDeviceToHost);\n"
     "    for (size_t i = 0; i < n; i++)\n        sum += host[i];\n    cudaMemcpy(out, &sum, 4, cudaMemcpyHostToDevice);\n", WHO, flags=re.S), r"answer: .*: the kernel read 0 floats of \d+"),
    ("nothing is written", re.sub(r"    sum_of_warps<<<.*?;\n|    cudaMemset.*?;\n", "", WHO), "answer: .*got NaN, as before: it was never written"),
    ("always 0", re.sub(r"    sum_of_warps<<<.*?;\n", "", WHO), "answer: .*got 0: elements 0 to 30 are missing"),
    ("an element twice", changed(WHO, ("in[i] :", "in[i] * (i == 5 ? 2 : 1) :")), r"got -?\d+: element 5 is counted twice"),
    ("too large a block, and its line", changed(WHO, ("grid, block>>>", "grid, block + 1024>>>")), r"CUDA refuses the launch: invalid configuration argument \(\d+\.cu:\d+: sum_of_warps<<<...>>>\)"),
    ("a copy that is refused, and its line", changed(WHO, (BEFORE, "    cudaMemcpy(out, in, 4, (cudaMemcpyKind)9);\n" + BEFORE)), r"CUDA refuses a call: .* \(\d+\.cu:\d+: cudaMemcpy\(\)\)"),
    ("in[] overwritten", changed(WHO, ("const float *in", "float *in"), ("    if (threadIdx", "    if (i < n)\n        in[i] = 0;\n    if (threadIdx")), r"answer: .*in\[\] was overwritten: it is only to be read"),
    ("a crash", changed(WHO, (BEFORE, "    *(volatile int *)0 = 1;\n" + BEFORE)), "faults: n = 31.*(the program crashed, outside the kernel: Segmentation fault|memory that is not there)"),
    ("an exit", changed(WHO, (BEFORE, "    exit(0);\n" + BEFORE)), "faults: n = 31.*the program ended itself"),
    ("a full stack", changed(WHO, ("    float value = ", "    volatile char much[65536];\n    much[threadIdx.x] = 1;\n    float value = ")), "faults: .*local memory"),
    ("a lane that waits for no other", changed(WHO, ("    float value = ", "    if (threadIdx.x == 0)\n        __syncwarp();\n    else\n        __syncthreads();\n    float value = ")), "faults: n = 31.*simulator: "),
    ("memory that is never freed", changed(WHO, (BEFORE, "    void *a, *b;\n    cudaMalloc(&a, 4);\n    cudaMalloc(&b, 4);\n" + BEFORE)), "2 allocations never freed"),
    ("memory that is kept from call to call", changed(WHO, (BEFORE, "    static void *a;\n    if (!a)\n        cudaMalloc(&a, 4);\n" + BEFORE)), None),
    ("a kernel that calls the host", changed(WHO, ("__global__", "static float same(float x)\n{\n    return x;\n}\n\n__global__"), ("in[i] :", "same(in[i]) :")),
     r'line \d+: calling a __host__ function\("same"\) from a __global__ function\("\w+"\) is not allowed'),
    ("a kernel that reads the host's array", changed(WHO, ("__global__", "static float factors[1] = {1};\n\n__global__"), ("in[i] :", "in[i] * factors[0] :")), r'line \d+: identifier "factors" is undefined in device code'),
    ("a kernel that calls the host's library", changed(WHO, ("in[i] :", "std::max(in[i], in[i]) :")), r'line \d+: calling a __host__ function\("std::max"\)'),
    ("a function of both, by a macro, an array of the device", changed(WHO, ("__global__", "#define BOTH __host__ __device__\nBOTH static float same(float x)\n{\n    return x;\n}\n__constant__ float factors[1] = {1};\nstatic constexpr int ONE = 1;\n\n__global__"),
     ("in[i] :", "same(in[i]) * ONE :")), None),
]
SLEEP = [
    ("an endless kernel", changed(WHO, ("    float value = ", "    for (volatile int k = 0; k < 1;)\n        k = 0;\n    float value = ")), "faults: n = 31.*(never ends|stopped: it does not end)"),
    ("an endless host", changed(WHO, (BEFORE, "    for (volatile int k = 0; k < 1;)\n        k = 0;\n" + BEFORE)), "faults: n = 31.*stopped: it does not end"),
    ("a host that sleeps", "#include <unistd.h>\n" + changed(WHO, (BEFORE, "    for (;;)\n        sleep(1);\n" + BEFORE)), "faults: n = 31.*stopped: it sleeps"),
]
SLOTS, MEAN = solution("09_single_pass/3_slots"), solution("06_two_pass/4_few_blocks")
# What is right at the sizes that are usually tried, and wrong at others, or the next time.
LATER = [
    ("05_warp_shuffle/3_who_comes", changed(WHO, ("<<<grid, block>>>", "<<<grid < 1024 ? grid : 1024, block>>>")), "answer: .*n = [67]"),  # 1,024 blocks at most
    ("toolbox_vote/1_first", re.sub(r"size_t i = \(size_t\)", "unsigned short i = (unsigned short)", solution("toolbox_vote/1_first")), "answer|faults"),  # an index of 16 bits
    ("16_rows/5_few_rows", re.sub(r"\bsize_t (i|k|c) = ", r"unsigned short \1 = ", solution("16_rows/5_few_rows")), "answer|faults"),
    ("09_single_pass/3_slots", changed(SLOTS, ("static unsigned epoch", "static unsigned char epoch")), "answer|faults|counts"),
    ("06_two_pass/4_few_blocks", re.sub(r'(extern "C" void launch\([^)]*\)\n\{\n)', r"\1    static const float *last;\n    static size_t last_n;\n"  # a result that is kept by pointer and n
     r"    static float *kept;\n    if (!kept)\n        cudaMalloc(&kept, 4);\n    if (in == last && n == last_n) {\n        cudaMemcpy(out, kept, 4, cudaMemcpyDeviceToDevice);\n        return;\n    }\n"
     r"    last = in, last_n = n;\n", re.sub(r"\n\}\n\Z", "\n    cudaMemcpy(kept, out, 4, cudaMemcpyDeviceToDevice);\n}\n", MEAN)), "answer")]


@pytest.mark.parametrize("faults", [pytest.param(FAULTS, id="at once"), pytest.param(SLEEP, id="after two seconds", marks=more)])
def test_faults_that_the_judge_finds(ok, monkeypatch, faults):
    if faults is SLEEP:
        monkeypatch.setattr(program, "MOST_SECONDS", 2)  # for one call, where 6 are usual
    for (what, _, says), said in zip(faults, judged("05_warp_shuffle/3_who_comes", faults)):
        ok(said is None if says is None else said and re.search(says, said), what, said or "passes")


@more
@pytest.mark.parametrize("name, text, says", LATER)
def test_what_is_wrong_later(monkeypatch, name, text, says):
    monkeypatch.setattr(program, "MOST_SECONDS", 2)
    said, = judged(name, [("", text, says)])
    assert said and re.search(says, said)

# ---- wrong answers to any exercise, made of its solution: for two by day, for all by night ----

PRINTED = "const size_t sizes[] = {0, 1, 31, 33, 255, 257, 1000, 1023, 1025, 4095, 4097, SIZES}; bool printed = (size_t)IN % 16 != 0; for (size_t size : sizes) printed = printed || N == size;"
GET = "float x = 0; cudaDeviceSynchronize(); cudaMemcpy(&x, OUT, 4, cudaMemcpyDeviceToHost);"
MADE = [  # what it does, the code around solved(), what is said
    ("empty", "", r"never written|unwritten|expected .*, got|the kernel read 0 floats"),
    ("NaN", 'SOLVED put<<<1, 1, 0, STREAM>>>(OUT, nanf(""));', "expected .*, got NaN"),
    ("stale", "static float *last; if (last) { put_back<<<1, 1, 0, STREAM>>>(OUT, last); return; } SOLVED cudaMalloc((void **)&last, 4); put_back<<<1, 1, 0, STREAM>>>(last, OUT);", "expected .*, got|the kernel read"),
    ("the printed sizes only", f'SOLVED {PRINTED} if (!printed) put<<<1, 1, 0, STREAM>>>(OUT, nanf(""));', "expected .*, got NaN"),
    ("the host writes it", f"SOLVED {GET} cudaMemcpy(OUT, &x, 4, cudaMemcpyHostToDevice);", r"it is the host that wrote the answer|launch\(\) copied 4 bytes to the host"),
    ("the host reads managed memory", "SOLVED static float *m; if (!m) cudaMallocManaged((void **)&m, 4); cudaMemcpy(m, OUT, 4, cudaMemcpyDeviceToDevice); cudaDeviceSynchronize(); put<<<1, 1, 0, STREAM>>>(OUT, *m);",
     r"launch\(\) copied 4 bytes to the host"),
    ("the host finds it", f"SOLVED {GET} put<<<1, 1, 0, STREAM>>>(OUT, x);", r"launch\(\) copied 4 bytes to the host"),
    ("one thread does it all", "one_thread<<<1, block>>>(in, out, n, SHARE);", r"only \d+ of the threads load|fewer than 16 threads load|one thread loads \d+ floats|the kernel read|counts?|at least"),
]
WASTE = {
    "barriers": "if (blockIdx.x == 0) __syncthreads();", "shuffles and votes": "if (blockIdx.x == 0) __any_sync(__activemask(), 1);",
    "atomics": "if (blockIdx.x == 0 && threadIdx.x == 0) atomicAdd(&wasted, 1.0f);",
    "floats loaded": "for (unsigned k = 0; k < 4; k++) if (wasted_loads[(threadIdx.x * 8 + 256 * k) % 1024] == 1) wasted_too = 0;",
    "floats stored": "if (blockIdx.x == 0 && threadIdx.x == 0) wasted_too = 1;",
    "floats of shared memory touched": "__shared__ float waste[32]; if (blockIdx.x == 0 && threadIdx.x == 0) waste[0] = 1;",
    "cluster barriers": "cooperative_groups::this_cluster().sync();"}
WASTE.update({"load sectors": WASTE["floats loaded"], "load requests": WASTE["floats loaded"], "store sectors": WASTE["floats stored"], "store requests": WASTE["floats stored"]})


def wasteful(solution, count):
    kernel = re.search(r"^__global__ void (?:__\w+__\([\d, ]+\) )?\w+\([^)]*\)\n\{\n", solution, re.M)
    if not kernel:  # an operator's: the kernel is the lesson's
        kernel = re.search(r"^struct \w+ \{\n.*? void answer\([^)]*\) const\n    \{\n", solution, re.M | re.S)
    return solution[:kernel.start()] + "__device__ float wasted, wasted_too, wasted_loads[1024];\n" + kernel[0] + f"    {WASTE[count]}\n" + solution[kernel.end():]


def as_device_code(e):
    code = read("practice/runner/reference.c").partition("usual answers")[2].partition("*/\n")[2] if e.function != "answer" else e.code
    return re.sub(r"^(?:static )?((?:size_t|void|float|double|int|bool|unsigned) \w+\()", r"static __device__ \1", re.sub(r"^#include .*\n", "", code, flags=re.M), flags=re.M)


def made(e, solution, code):
    many, base = bool(e.gpus), os.path.basename(e.name)
    of_one, of_many = "const float *in, float *out, size_t n, unsigned block", "const struct share *shares, unsigned gpus, unsigned block"
    sizes = ", ".join(map(str, [*e.sizes, *(run["n"] for limit in e.limits_of_counts for run in limit.runs)] or [0]))
    words = {"SHARE": f"(size_t)block * {e.per_thread}", "SIZES": sizes, "IN": "in", "OUT": "(out + (n > 0))" if base == "4_segments" else "out", "N": "n", "STREAM": "0",
             "SOLVED": f"((void (*)({of_one}))solved)(in, out, n, block);"}
    if many:
        words.update(IN="shares[0].in", OUT="shares[0].out", N="all", STREAM="shares[0].stream", SOLVED=f"((void (*)({of_many}))solved)(shares, gpus, block); "
                     "for (unsigned g = gpus; g-- > 0;) { cudaSetDevice(shares[g].device); cudaDeviceSynchronize(); }")
    before = "" if "one_thread" not in code else "namespace reference_ {\n" + as_device_code(e) + "}\n__global__ void one_thread(const float *in, float *out, size_t n, size_t share)\n" \
        f"{{\n    if (threadIdx.x == 0)\n        reference_::{e.function}(in, n, share, out);\n}}\n"
    for word in ("SOLVED", "SHARE", "SIZES", "IN", "OUT", "N", "STREAM"):
        code = re.sub(rf"\b{word}\b", lambda found: words[found[0]], code)
    first = "    size_t all = 0;\n    for (unsigned g = 0; g < gpus; g++)\n        all += shares[g].n;\n    cudaSetDevice(shares[0].device);\n" if many else ""
    return before + re.sub(r'extern "C" void solved', "static void solved", re.sub(r"\blaunch\(", "solved(", solution)) + \
        "\n__global__ void put(float *out, float x)\n{\n    *out = x;\n}\n__global__ void put_back(float *out, const float *from)\n{\n    *out = *from;\n}\n" \
        f'extern "C" void launch({of_many if many else of_one})\n{{\n{first}    {code}\n}}\n'


def any_wrong_answers(e):
    """[(what, text, what must be said)]"""
    cases = [(what, made(e, solution(e.name), code), says) for what, code, says in MADE
             if not ("one thread" in what and e.gpus) and (not e.all_read or what == "empty" or "the host" in what)]
    counts = {limit.count for limit in e.limits_of_counts if limit.bound == "at_most"}
    return cases + [(f"one more of {count}", wasteful(solution(e.name), count), "at most|should be none") for count in sorted(counts & set(WASTE))]


@pytest.mark.parametrize("name", [pytest.param(name, marks=more if name in ("05_warp_shuffle/2_everybody", "09_single_pass/3_slots") else nightly) for name, e in EXERCISES.items() if not e.is_quiz])
def test_wrong_answers_to_any_exercise(ok, monkeypatch, name):
    e = EXERCISES[name]
    monkeypatch.setattr(e, "stays", [])  # what the judge finds without looking at the text
    monkeypatch.setattr(e, "without", [])
    cases, many = any_wrong_answers(e), 4 if name == "13_exact/4_two_banks" else 99  # whose shared arrays fill an SM
    found = [said for k in range(0, len(cases), many) for said in judged(name, cases[k:k + many])]
    for (what, _, says), said in zip(cases, found):
        ok(re.search(says, said or ""), what, said or "passes")


# ---- what a text is refused for ----

def computed(path, folder, stays):
    building.build(path, folder)
    return source.computes(f"{folder}/exercise.o", path, read(path), stays)


@pytest.mark.parametrize("type_of", ["long double sum = 0;", "decltype(sqrt(1)) sum = 0;", "auto sum = 0 / 1e9;"])
def test_what_computes_with_another_type_is_found(tmp_path, type_of):
    late, path = EXERCISES["12_types/2_too_late"], f"{tmp_path}/type.cu"
    write(path, re.sub("long long sum = 0;.*", type_of, solution(late.name)))
    try:
        line = computed(path, str(tmp_path), late.stays)
    except Wrong as wrong:
        line = str(wrong)
    assert line or source.stays(late, read(path), solution(late.name), "12-2")


@pytest.mark.parametrize("name", [name for name, e in EXERCISES.items() if "double" in e.without])
def test_the_solution_computes_with_whole_numbers(tmp_path, name):
    assert computed(EXERCISES[name].solution, str(tmp_path), EXERCISES[name].stays) is None


# ---- surroundings: in a copy, whose path has two spaces; the reader's own files are not touched ----

GIVEN, PREDICT, REFUSE = (f"practice/exercises/{name}.cu" for name in ("05_warp_shuffle/3_who_comes", "00_baselines/1_predict", "11_library/2_refuse_first"))
QUIZ = solution("00_baselines/1_predict")


@pytest.fixture(scope="module")
def copy(scratch, parts):
    at = f"{scratch}/my  copy"
    for folder in ("common", "library", "practice", "simulator", "steps", "tools", "build/sim/common", "build/sim/practice/runner", "build/sim/simulator"):
        shutil.copytree(folder, f"{at}/{folder}", symlinks=True)
    for name in ("Makefile", "build/sim/flags", "build/sim/libcommon.a", "build/sim/runner.a", "build/sim/runner.names", "build/sim/practice/confined"):
        shutil.copy2(name, f"{at}/{name}")
    write(f"{at}/{GIVEN}", WHO)
    return at


def check(copy, text=None, *words, name=GIVEN, **environment):
    """Of an exercise of the copy, with this text."""
    if text:
        write(f"{copy}/{name}", text)
    return run("check", *words or [practice.key(name[19:-3])], root=copy, **environment)


def test_right_stays_right(ok, copy):
    status, out, err = check(copy, WHO)
    ok(status == 0 and "  solved: make practice shows the next" in out, "a solution, where the path has two spaces", out + err)
    ok(re.search(r"^  -      model of time, not a measurement: [\d.]+ to [\d.]+ us for n = \d+ on an H200 \(.*\); the solution .* us: too close to tell$", out, re.M), "and what the model of time says of it", out)
    for variable in ("SIMT_EXPLORE=50", "SIMT_SHARED_KB=1", "SIMT_SCHEDULE=abc", "SIMT_RACES=0"):
        status, out, err = check(copy, f"// {variable}\n{WHO}", **dict([variable.split("=")]))
        ok(status == 0, f"{variable}: right stays right", out + err)
    status, out, err = check(copy, None, "09-2", SIMT_RACES="0")
    ok(status == 1 and "WRONG" in out, "SIMT_RACES=0: the file as given stays wrong", out + err)
    write(f"{copy}/{GIVEN}", f"// future\n{WHO}")
    os.utime(f"{copy}/{GIVEN}", (4e9, 4e9))
    status, out, err = check(copy)
    ok(status == 0, "a file dated in the future", out + err)


def verdict(copy):
    return json.loads(run("--json", "check", "05-3", root=copy)[1])["exercises"][0]["verdict"]


@more
def test_what_cannot_be_judged(ok, copy, tmp_path):
    """It is no verdict, and the progress stays what it was."""
    check(copy, WHO)
    for command, says in (("ulimit -v 300000", "ulimit"), ("ulimit -s 64", "ulimit"), ("exec >&-", "cannot write to standard output"), ("exec >/dev/full", "cannot write to standard output")):
        done = ran("bash", "-c", f'{command} && exec sh "$0" check 05-3', f"{copy}/practice/run", cwd="/", SEED="1")
        ok(done.returncode == 3 and "WRONG" not in done.stdout and done.stderr.count("\n") == 1 and says in done.stderr, f"{command}: it could not be judged", done)
    with open(f"{copy}/build/sim/practice.lock", "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        waiting = subprocess.Popen([f"{copy}/practice/run", "check", "05-3"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(tmp_path)})
        said = waiting.stderr.readline()
        waiting.terminate()
        said += waiting.communicate(timeout=GUARD)[1]
    ok(re.fullmatch(r"practice: waits for another process that builds here \(.*practice\.lock\)\npractice: stopped: nothing is counted\n", said), "a lock that another process holds: what it waits for", said)
    ok.equal((waiting.returncode, os.listdir(tmp_path)), (143, []), "SIGTERM: status 143, and no temporary folder is left")
    ok.equal(verdict(copy), "solved", "and the progress is what it was")


# ---- the commands ----

@more
def test_commands(ok, copy):
    gone, fourth = (f"practice/exercises/05_warp_shuffle/{name}.cu" for name in ("5_one_barrier", "4_any_block"))
    os.remove(f"{copy}/{gone}")
    ok("the file is not there, deleted or renamed: make reset EXERCISE=05-5 brings it back" in check(copy, None, "05-5")[1], "a deleted file")
    status, out, err = run("reset", "05-5", root=copy, GIT_DIR=f"{ROOT}/.git")  # as a hook of git sets it
    ok(status == 1 and "git does not have" in err and not os.path.exists(f"{copy}/{gone}"), "no git, and never seen pristine: nothing half-written", err)
    check(copy, WHO)
    for words, status, beginning, *says in (
            (["list"], 1, "", "1 of 95 solved", "[#] 3_who_comes"), ([], 1, "  00-1, predict: ", "answers[]", f"edit {PREDICT}, then: make practice00-1"),
            (["reset"], 0, "", f"{PREDICT} is as it was"), (["hint", "05-2"], 0, "05-2, hint 1\n  With `__shfl_down_sync`", "one more: make hint EXERCISE=05-2 HINT=2"), (["solution", "05-2"], 0, "", "__global__ void warp_sums", "**butterfly**")):
        got, out, err = run(*words, root=copy, YES="1")
        ok(got == status and out.startswith(beginning) and all(words in out for words in says), f"practice/run {words}", out + err)
    for k in (1, 2):
        write(f"{copy}/{fourth}", f"mine {k}\n")
        status, out, err = run("reset", "05-4", root=copy)
        ok(status == 0 and out == f"yours is kept: kept/05_warp_shuffle/4_any_block.{k}.cu\n{fourth} is as it was\n" and read(f"{copy}/{fourth}") == read(fourth), f"reset {k}: yours is kept", out + err)
    for words, says in (("check 77", "there is no exercise 77"), ("--json hint", "--json is for check and list"), ("frob", "frob: there are check, "), ("hint 05", "05 are several: say which")):
        ok.refused(f"practice/run {words}", 2, says)
    ok(run("list", BACKEND="gpu")[0] == 2, "another backend: status 2")
    ok("practice/run check 05-2 " in right("make -n practice EXERCISE=05-2"), "make practice takes a name, as make hint does")


@more
@pytest.mark.parametrize("name, text, says", [
    (GIVEN, changed(WHO, ("float value = ", "float valu = ")), r"WRONG  it does not compile\nsimcc: practice/exercises/05_warp_shuffle/3_who_comes\.cu:\d+: 'value' is declared neither"),
    (GIVEN, "int \x1b]0;x\x07 = \x1b[31m;\n" + WHO, r"WRONG  it does not compile\n[^\x1b\x07]*int \?\]0;x\? = ;[^\x1b\x07]*$"),  # what a terminal obeys
    (GIVEN, changed(WHO, ("launch(", "launched(")), r"WRONG  your file does not define launch\(\)"),
    (GIVEN, '#include "../../solutions/05_warp_shuffle/3_who_comes.cu"\n', r"WRONG  your file includes solutions/05_warp_shuffle/3_who_comes\.cu: write that part yourself"),
    (GIVEN, f"#include <cub/cub.cuh>\n{WHO}", r"WRONG  your file includes cub/cub\.cuh: write"), (GIVEN, f'#include "15_operators/reduce.h"\n{WHO}', r"WRONG  your file includes 15_operators/reduce\.h: write"),
    (GIVEN, f"{WHO}\nint main()\n{{\n}}\n", r"WRONG  your file defines main\(\): it is launch\(\) that is called"), (GIVEN, WHO.replace("\n", "\r\n"), None),
    (REFUSE, changed(solution("11_library/2_refuse_first"), ("said[0] = sum", "said[0] = 1; sum")), r"launch\(\) stays as it is in this exercise, and yours is another: make reset EXERCISE=11-2"),
    (PREDICT, changed(QUIZ, ("    if (i < n)\n", "    // \\\n    if (i < n)\n")), "the kernel of a quiz stays as it is, and yours is another"), (PREDICT, changed(QUIZ, ("{48, ", "{3 * 16, ")), None)])
def test_texts(copy, name, text, says):
    """That are refused, and some that are not: says is None."""
    status, out, err = check(copy, text, name=name, MAKEFLAGS="w", CDPATH=copy)  # a make around it
    assert status == 0 if says is None else status == 1 and re.search(says, out, re.S), out + err


@more
def test_mistakes_that_are_not_the_readers(ok, copy):
    """They are no verdict."""
    for path, old, new, says in (("simulator/api.c", "#include", "int int;\n#include", "the simulator or the judge does not build here, so nothing is judged: simulator/api.c:"),
                                 ("library/parts/slots.h", "#ifndef", "int int;\n#ifndef", "14-5 cannot be judged: even its solution does not compile here: ")):
        with edited(f"{copy}/{path}", (old, new)):
            status, out, err = check(copy, None, "14-5")
        ok(status == 3 and says in err and "WRONG" not in out, f"a mistake in {path}: status 3", f"{status} {out}{err}")
    status, out, err = check(copy, WHO, MAKE="/bin/false")
    ok(status == 3 and "WRONG" not in out, "make that fails: status 3", f"{status} {out}{err}")


@more
@pytest.mark.parametrize("there", [1, 2])
def test_gpus_that_a_machine_has_not(tmp_path, there):
    write(f"{tmp_path}/there.c", f"int __wrap_cudaGetDeviceCount(int *count) {{ *count = {there}; return 0; }}\n")
    e = EXERCISES["14_many_gpus/2_edge"]
    building.build(e.solution, str(tmp_path))
    subprocess.run(["gcc", "-c", f"{tmp_path}/there.c", "-o", f"{tmp_path}/there.o"], check=True)
    building.link(f"{tmp_path}/own.o", f"{tmp_path}/fewer", [f"{tmp_path}/there.o", "-Wl,--wrap=cudaGetDeviceCount"])
    judge = LaunchJudge(Machine(confines=False), e, 1, "")
    if there == 1:
        with pytest.raises(Unknown, match="needs two GPUs that reach each other's memory"):
            judge.judge(f"{tmp_path}/fewer")
    else:
        lines = judge.judge(f"{tmp_path}/fewer")
        assert "here are 2 that reach each other's memory" in lines[0].text and not any(r.met is False for r in lines)


# ---- in Chinese ----

LINES = """\
05-2, hint 1|05-2，提示 1
  Blocks of 64, 256; so many GPUs: 2, 8; data and schedules drawn with SEED=12.|  线程块大小：64、256；GPU 个数：2、8；数据和调度由 SEED=12 决定。
  WRONG  answer: the sum: n = 33, blocks of 75, 2 GPUs: GPU 1's out[0]: expected -5, got 3.5: elements 0, 2, 5 and 4 more are counted twice|\
  错    结果：总和：n = 33，线程块大小 75，2 个 GPU：GPU 1 的 out[0]：应为 -5，却是 3.5：元素 0、2、5 以及另外 4 个：算了两遍
  ok     barriers: 16, at most 16 (n = 4096, blocks of 256)|  对    屏障：16，不超过 16（n = 4096，线程块大小 256）
  WRONG  2. thread 30 gets: not 5: that is too little|  错    2. thread 30 gets：不是 5：太小了
  WRONG  1. thread 5 gets: no answer yet|  未答  1. thread 5 gets
  WRONG  faults: n = 5, blocks of 32: simulator: a.cu:3: f, thread (2,0,0): a race with another|\
  错    错误检查：n = 5，线程块大小 32：simulator: a.cu:3: f, thread (2,0,0): a race with another
  3 of 9 solved|  做对 3 题，共 9 题"""


def test_chinese(ok, copy):
    chinese = Chinese(practice.course.chinese)
    for line in LINES.split("\n"):
        english, _, wanted = line.partition("|")
        ok.equal(chinese.line(english), wanted, english.strip())
    for wanted, environment in ((True, {"LANG": "zh_CN.UTF-8"}), (False, {"LANG": "en_GB.UTF-8"}), (False, {}), (False, {"LANG": "zh_CN.UTF-8", "LC_ALL": "C.UTF-8"}),
                                (True, {"LANG": "zh"}), (True, {"LANG": "en_GB.UTF-8", "LANGUAGE": "zh_CN:en"}), (False, {"LANG": "C", "LANGUAGE": "zh_CN"}), (False, {"LANG": "zh_CN.GB18030"})):
        ok.equal(is_chinese(environment), wanted, f"Chinese or not: {environment}")
    line = chinese.line("  WRONG  faults: n = 5, blocks of 32: simulator: a.cu:3: f, thread (2,0,0): reads shared memory that no thread of its block has written")
    ok("\n        读到的共享内存还没有线程写过：" in line, "a finding has its meaning below", line)
    _, out, err = run("hint", "05-2", LANG="zh_CN.UTF-8")
    ok(out.startswith("05-2，提示 1\n  用 `__shfl_down_sync` 时") and "还有一个：make hint EXERCISE=05-2 HINT=2\n" in out, "a hint", out)
    status, out, err = check(copy, None, "05-1", LANG="zh_CN.UTF-8")
    ok(status == 1 and out.startswith("  1_predict：泳道读到的是谁的值？\n") and "  未答  1. 线程 5 得到\n" in out, "a task and a verdict", out + err)
