#!/usr/bin/env python3
# tier: test more
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

sys.dont_write_bytecode = True
from tap import GUARD, done, in_tier, ok

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDER = tempfile.mkdtemp(prefix="practice.")
for name in ("LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES"):
    os.environ.pop(name, None)
os.environ["SEED"] = "1"
sys.path.insert(0, os.path.join(ROOT, "practice/judge"))
import programs
import program
import prove
import source
from chinese import Chinese, is_chinese
from kernel import LaunchJudge
from practice import Practice
from program import Machine, Unknown, Wrong, build_parts


def run(*words, root=ROOT, **environment):
    """Status, standard output and error of practice/run."""
    done = subprocess.run([os.path.join(root, "practice/run"), *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd="/", timeout=GUARD,
                          env={**os.environ, **environment})
    return done.returncode, done.stdout, done.stderr


def read(path):
    with open(os.path.join(ROOT, path)) as file:
        return file.read()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def edited(text, *edits):
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new)
    return text


build_parts()
practice = Practice(False)
MACHINE = Machine(confines=False)

# ---- each exercise, as its own TOML says; the first lesson in make test, the others in make test-more, right answers of other kinds by night ----


def proved(names, which):
    """The proofs of these exercises by those of their files that which(what it is, its text, what must be said) chooses."""
    cases_of, prove.cases_of = prove.cases_of, lambda e: [case for case in cases_of(e) if which(*case)]
    found = prove.prove(types.SimpleNamespace(course=practice.course, seed=1, options=types.SimpleNamespace(jobs=os.cpu_count())), names)
    prove.cases_of = cases_of
    return [table for proof in found for table in proof.tables], [f"{proof.name}: {problem}" for proof in found for problem in proof.problems]


lessons = list(dict.fromkeys(name.partition("/")[0] for name in practice.names))
mine = [lesson for lesson in lessons if in_tier("test" if lesson == lessons[0] else "more")]
if mine:
    files, problems = proved([name for name in practice.names if name.partition("/")[0] in mine], lambda what, _, says: says is not None or what == "the solution")
    ok(not problems, "holes fail, solutions pass, mistakes are named", "\n".join(problems))
if in_tier("nightly"):
    others, problems = proved(practice.names, lambda what, _, says: says is None and what != "the solution")
    ok(len(others) > 50 and not problems, f"{len(others)} right answers of other kinds pass", "\n".join(problems))
for name in [name for name in practice.names if name.partition("/")[0] in mine]:
    e, judged = practice.course.exercise(name), [file for file in files if file["exercise"] == name]
    ok(sum(file["right"] is False for file in judged) >= 3 and judged[0]["right"] and judged[1]["file"].endswith("as given"), f"{name}: its solution, the file as given, two mistakes", judged)
    said = [e.answer_is, e.given_answer.get("of_faults"), *(e.called or []), *(limit.says for limit in e.limits_of_counts), *(q["asks"] for q in e.questions),
            *(trap["says"] for q in e.questions for trap in q.get("traps", []))]
    chinese = Chinese(practice.course.chinese)
    chinese.of_exercise = e.chinese.get("words", {})
    missing = [text for text in said if text and re.search("[a-z]{3} ", text) and chinese.text(text) == text]
    ok(len(e.hints) == 2 == len(e.chinese["hints"]) and e.explanation and {"title", "task", "explanation"} <= set(e.chinese) and not missing, f"{name}: hints, and all in Chinese", missing)
    lesson = name.partition("/")[0]
    page = f"steps/{'toolbox/' + lesson[8:] if lesson.startswith('toolbox_') else lesson}/README.md"
    ok(f"make practice{practice.dashed(name)}" in read(page), f"{page} lists {practice.key(name)}")
    ok(practice.given.is_pristine(name) or subprocess.run(["git", "status", "--porcelain", practice.file(name)], capture_output=True, cwd=ROOT).stdout, f"{name} is as its blob says (practice/run pristine)")


def judged(name, texts):
    """The lines that are not met of each of these versions of an exercise, compiled as one."""
    e, found = practice.course.exercise(name), []
    folder = tempfile.mkdtemp(dir=FOLDER)
    for lines in prove.judge_chunk(MACHINE, folder, [(e, "", text, None) for text in texts], 1):
        found.append([r for r in lines if r.met is False])
    return found


def planted(name, cases):
    """(what, the text, what must be said; None: it must pass)"""
    for (what, _, says), lines in zip(cases, judged(name, [text for _, text, _ in cases])):
        said = "\n".join(r.text for r in lines)
        ok(not lines if says is None else lines and re.search(says, said), f"{name}: {what}", said or "passes")


# ---- the judge: faults that it must find ----

who = read("practice/solutions/05_warp_shuffle/3_who_comes.cu")
BEFORE = "    cudaMemset"
FAULTS = [
    ("a sum on the host", re.sub(r"    cudaMemset.*?;\n.*?;\n", "    float *host = (float *)malloc(n * 4 + 4), sum = 0;\n    (void)grid;\n    cudaMemcpy(host, in, n * 4, cudaMemcpyDeviceToHost);\n"
     "    for (size_t i = 0; i < n; i++)\n        sum += host[i];\n    cudaMemcpy(out, &sum, 4, cudaMemcpyHostToDevice);\n", who, flags=re.S), r"answer: .*: the kernel read 0 floats of \d+"),
    ("nothing is written", re.sub(r"    sum_of_warps<<<.*?;\n|    cudaMemset.*?;\n", "", who), "answer: .*got NaN, as before: it was never written"),
    ("always 0", re.sub(r"    sum_of_warps<<<.*?;\n", "", who), "answer: .*got 0: elements 0 to 30 are missing"),
    ("an element twice", edited(who, ("in[i] :", "in[i] * (i == 5 ? 2 : 1) :")), r"got -?\d+: element 5 is counted twice"),
    ("too large a block, and its line", edited(who, ("grid, block>>>", "grid, block + 1024>>>")), r"CUDA refuses the launch: invalid configuration argument \(\d+\.cu:\d+: sum_of_warps<<<...>>>\)"),
    ("a copy that is refused, and its line", edited(who, (BEFORE, "    cudaMemcpy(out, in, 4, (cudaMemcpyKind)9);\n" + BEFORE)), r"CUDA refuses a call: .* \(\d+\.cu:\d+: cudaMemcpy\(\)\)"),
    ("in[] overwritten", edited(who, ("const float *in", "float *in"), ("    if (threadIdx", "    if (i < n)\n        in[i] = 0;\n    if (threadIdx")), r"answer: .*in\[\] was overwritten: it is only to be read"),
    ("a crash", edited(who, (BEFORE, "    *(volatile int *)0 = 1;\n" + BEFORE)), "faults: n = 31.*(the program crashed, outside the kernel: Segmentation fault|memory that is not there)"),
    ("an exit", edited(who, (BEFORE, "    exit(0);\n" + BEFORE)), "faults: n = 31.*the program ended itself"),
    ("a full stack", edited(who, ("    float value = ", "    volatile char much[65536];\n    much[threadIdx.x] = 1;\n    float value = ")), "faults: .*local memory"),
    ("a lane that waits for no other", edited(who, ("    float value = ", "    if (threadIdx.x == 0)\n        __syncwarp();\n    else\n        __syncthreads();\n    float value = ")), "faults: n = 31.*simulator: "),
    ("memory that is never freed", edited(who, (BEFORE, "    void *a, *b;\n    cudaMalloc(&a, 4);\n    cudaMalloc(&b, 4);\n" + BEFORE)), "2 allocations never freed"),
    ("memory that is kept from call to call", edited(who, (BEFORE, "    static void *a;\n    if (!a)\n        cudaMalloc(&a, 4);\n" + BEFORE)), None),
    ("a kernel that calls the host", edited(who, ("__global__", "static float same(float x)\n{\n    return x;\n}\n\n__global__"), ("in[i] :", "same(in[i]) :")),
     r'line \d+: calling a __host__ function\("same"\) from a __global__ function\("\w+"\) is not allowed'),
    ("a kernel that reads the host's array", edited(who, ("__global__", "static float factors[1] = {1};\n\n__global__"), ("in[i] :", "in[i] * factors[0] :")), r'line \d+: identifier "factors" is undefined in device code'),
    ("a kernel that calls the host's library", edited(who, ("in[i] :", "std::max(in[i], in[i]) :")), r'line \d+: calling a __host__ function\("std::max"\)'),
    ("a function of both, by a macro, an array of the device", edited(who, ("__global__", "#define BOTH __host__ __device__\nBOTH static float same(float x)\n{\n    return x;\n}\n__constant__ float factors[1] = {1};\nstatic constexpr int ONE = 1;\n\n__global__"),
     ("in[i] :", "same(in[i]) * ONE :")), None),
]
SLEEP = {
    "an endless kernel": (edited(who, ("    float value = ", "    for (volatile int k = 0; k < 1;)\n        k = 0;\n    float value = ")), "faults: n = 31.*(never ends|stopped: it does not end)"),
    "an endless host": (edited(who, (BEFORE, "    for (volatile int k = 0; k < 1;)\n        k = 0;\n" + BEFORE)), "faults: n = 31.*stopped: it does not end"),
    "a host that sleeps": ("#include <unistd.h>\n" + edited(who, (BEFORE, "    for (;;)\n        sleep(1);\n" + BEFORE)), "faults: n = 31.*stopped: it sleeps"),
}
if in_tier("test"):
    planted("05_warp_shuffle/3_who_comes", FAULTS)
if in_tier("more"):
    program.MOST_SECONDS = 2  # for one call, where 6 are usual
    planted("05_warp_shuffle/3_who_comes", [(what, *case) for what, case in SLEEP.items()])
    # What is right at the sizes that are usually tried, and wrong at others, or the next time.
    planted("05_warp_shuffle/3_who_comes", [("1,024 blocks at most", edited(who, ("<<<grid, block>>>", "<<<grid < 1024 ? grid : 1024, block>>>")), "answer: .*n = [67]")])
    vote = read("practice/solutions/toolbox_vote/1_first.cu")
    planted("toolbox_vote/1_first", [("an index of 16 bits", re.sub(r"size_t i = \(size_t\)", "unsigned short i = (unsigned short)", vote), "answer|faults")])
    few = read("practice/solutions/16_rows/5_few_rows.cu")
    planted("16_rows/5_few_rows", [("an index of 16 bits", re.sub(r"\bsize_t (i|k|c) = ", r"unsigned short \1 = ", few), "answer|faults")])
    slots = read("practice/solutions/09_single_pass/3_slots.cu")
    planted("09_single_pass/3_slots", [("an epoch of 8 bits", edited(slots, ("static unsigned epoch", "static unsigned char epoch")), "answer|faults|counts")])
    mean = read("practice/solutions/06_two_pass/4_few_blocks.cu")
    planted("06_two_pass/4_few_blocks", [("a result that is kept by pointer and n", re.sub(r'(extern "C" void launch\([^)]*\)\n\{\n)', r"\1    static const float *last;\n    static size_t last_n;\n"
            r"    static float *kept;\n    if (!kept)\n        cudaMalloc(&kept, 4);\n    if (in == last && n == last_n) {\n        cudaMemcpy(out, kept, 4, cudaMemcpyDeviceToDevice);\n        return;\n    }\n"
            r"    last = in, last_n = n;\n", re.sub(r"\n\}\n\Z", "\n    cudaMemcpy(kept, out, 4, cudaMemcpyDeviceToDevice);\n}\n", mean)), "answer")])
    program.MOST_SECONDS = 6

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
    solution = read(e.solution)
    cases = [(what, made(e, solution, code), says) for what, code, says in MADE
             if not ("one thread" in what and e.gpus) and (not e.all_read or what == "empty" or "the host" in what)]
    counts = {limit.count for limit in e.limits_of_counts if limit.bound == "at_most"}
    return cases + [(f"one more of {count}", wasteful(solution, count), "at most|should be none") for count in sorted(counts & set(WASTE))]


for name in practice.names if in_tier("nightly") else ["05_warp_shuffle/2_everybody", "09_single_pass/3_slots"] if in_tier("more") else []:
    e = practice.course.exercise(name)
    if e.is_quiz:
        continue
    e.stays = e.without = []  # what the judge finds without looking at the text
    cases, found, many = any_wrong_answers(e), [], 4 if name == "13_exact/4_two_banks" else 99  # whose shared arrays fill an SM
    for k in range(0, len(cases), many):
        found += prove.judge_chunk(MACHINE, tempfile.mkdtemp(dir=FOLDER), [(e, *case) for case in cases[k:k + many]], 1)
    for (what, _, says), lines in zip(cases, found):
        said = "\n".join(r.text for r in lines if r.met is False)
        ok(re.search(says, said), f"{name}: {what}", said or "passes")

# ---- what a text is refused for ----

if in_tier("test"):
    late = practice.course.exercise("12_types/2_too_late")
    solution = read(late.solution)
    for what, old, new in (("long double", "long long sum = 0;", "long double sum = 0;"), ("decltype()", "long long sum = 0;", "decltype(sqrt(1)) sum = 0;"), ("auto", "long long sum = 0;", "auto sum = 0 / 1e9;")):
        write(f"{FOLDER}/type.cu", re.sub(re.escape(old) + ".*", new, solution))
        try:
            programs.build(f"{FOLDER}/type.cu", FOLDER)
            line = source.computes(f"{FOLDER}/exercise.o", f"{FOLDER}/type.cu", read(f"{FOLDER}/type.cu"), late.stays)
        except Wrong as wrong:
            line = str(wrong)
        said = source.stays(late, read(f"{FOLDER}/type.cu"), solution, "12-2")
        ok(line or said, f"12-2: {what} is computed, and found", (line, said))
    for name in [name for name in practice.names if "double" in practice.course.exercise(name).without]:
        e = practice.course.exercise(name)
        programs.build(e.solution, FOLDER)
        ok(source.computes(f"{FOLDER}/exercise.o", e.solution, read(e.solution), e.stays) is None, f"{name}: the solution computes with whole numbers")

# ---- surroundings: in a copy, whose path has two spaces; the reader's own files are not touched ----

COPY = os.path.join(FOLDER, "my  copy")
for folder in ("common", "library", "practice", "simulator", "steps", "tools"):
    shutil.copytree(f"{ROOT}/{folder}", f"{COPY}/{folder}", symlinks=True)
for folder in ("common", "practice/runner", "simulator"):
    shutil.copytree(f"{ROOT}/build/sim/{folder}", f"{COPY}/build/sim/{folder}") if os.path.isdir(f"{ROOT}/build/sim/{folder}") else None
for name in ("Makefile", "build/sim/flags", "build/sim/libcommon.a", "build/sim/runner.a", "build/sim/runner.names", "build/sim/practice/confined"):
    os.makedirs(os.path.dirname(f"{COPY}/{name}"), exist_ok=True)
    shutil.copy2(f"{ROOT}/{name}", f"{COPY}/{name}")
GIVEN = "practice/exercises/05_warp_shuffle/3_who_comes.cu"


def put(text, name=GIVEN):
    write(f"{COPY}/{name}", text)


def check(*words, **environment):
    return run("check", *words, root=COPY, **environment)


def after(command, *words):
    done = subprocess.run(["bash", "-c", f'{command} && exec sh "$0" "$@"', f"{COPY}/practice/run", *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd="/", timeout=GUARD)
    return done.returncode, done.stdout, done.stderr


if in_tier("test"):
    put(who)
    status, out, err = check("05-3")
    ok(status == 0 and "  solved: make practice shows the next" in out, "a solution, where the path has two spaces", out + err)
    ok(re.search(r"^  -      model of time, not a measurement: [\d.]+ to [\d.]+ us for n = \d+ on an H200 \(.*\); the solution .* us: too close to tell$", out, re.M), "and what the model of time says of it", out)
    for variable in ("SIMT_EXPLORE=50", "SIMT_SHARED_KB=1", "SIMT_SCHEDULE=abc", "SIMT_RACES=0"):
        put(f"// {variable}\n{who}")
        status, out, err = check("05-3", **dict([variable.split("=")]))
        ok(status == 0, f"{variable}: right stays right", out + err)
    status, out, err = check("09-2", SIMT_RACES="0")
    ok(status == 1 and "WRONG" in out, "SIMT_RACES=0: the file as given stays wrong", out + err)
    put(f"// future\n{who}")
    os.utime(f"{COPY}/{GIVEN}", (4e9, 4e9))
    status, out, err = check("05-3")
    ok(status == 0, "a file dated in the future", out + err)
    before = json.loads(run("--json", "check", "05-3", root=COPY)[1])["exercises"][0]["verdict"]
    for command, says in (("ulimit -v 300000", "ulimit"), ("ulimit -s 64", "ulimit"), ("exec >&-", "cannot write to standard output"), ("exec >/dev/full", "cannot write to standard output")):
        status, out, err = after(command, "check", "05-3")
        ok(status == 3 and "WRONG" not in out and err.count("\n") == 1 and says in err, f"{command}: it could not be judged", f"{status} {out}{err}")
    os.mkdir(f"{FOLDER}/temporary")
    with open(f"{COPY}/build/sim/practice.lock", "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        waiting = subprocess.Popen([f"{COPY}/practice/run", "check", "05-3"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": f"{FOLDER}/temporary"})
        said = waiting.stderr.readline()
        waiting.terminate()
        said += waiting.communicate(timeout=GUARD)[1]
    ok(re.fullmatch(r"practice: waits for another process that builds here \(.*practice\.lock\)\npractice: stopped: nothing is counted\n", said), "a lock that another process holds: what it waits for", said)
    ok(waiting.returncode == 143 and not os.listdir(f"{FOLDER}/temporary"), "SIGTERM: status 143, and no temporary folder is left", f"{waiting.returncode} {os.listdir(f'{FOLDER}/temporary')}")
    status, out, err = run("--json", "check", "05-3", root=COPY)
    ok(before == json.loads(out)["exercises"][0]["verdict"] == "solved", "and the progress is what it was", out + err)

# ---- the commands ----

if in_tier("test"):
    mine = "practice/exercises/05_warp_shuffle/5_one_barrier.cu"
    os.remove(f"{COPY}/{mine}")
    ok("the file is not there, deleted or renamed: make reset EXERCISE=05-5 brings it back" in check("05-5")[1], "a deleted file")
    status, out, err = run("reset", "05-5", root=COPY, GIT_DIR=f"{ROOT}/.git")  # as a hook of git sets it
    ok(status == 1 and "git does not have" in err and not os.path.exists(f"{COPY}/{mine}"), "no git, and never seen pristine: nothing half-written", err)
    put(who)
    status, out, err = run("list", root=COPY)
    ok(status == 1 and "1 of 95 solved" in out and "[#] 3_who_comes" in out, "list", out + err)
    status, out, err = run(root=COPY)
    ok(status == 1 and out.startswith("  00-1, predict: ") and "answers[]" in out and "edit practice/exercises/00_baselines/1_predict.cu, then: make practice00-1" in out, "the first exercise says what it asks: to predict", out + err)
    fourth = "practice/exercises/05_warp_shuffle/4_any_block.cu"
    for k in (1, 2):
        put(f"mine {k}\n", fourth)
        status, out, err = run("reset", "05-4", root=COPY)
        ok(status == 0 and out == f"yours is kept: kept/05_warp_shuffle/4_any_block.{k}.cu\n{fourth} is as it was\n" and read(f"{COPY}/{fourth}") == read(fourth), f"reset {k}: yours is kept", out + err)
    status, out, err = run("hint", "05-2")
    ok(status == 0 and out.startswith("05-2, hint 1\n  With `__shfl_down_sync`") and "one more: make hint EXERCISE=05-2 HINT=2" in out, "a hint", out)
    status, out, err = run("solution", "05-2", YES="1")
    ok(status == 0 and "__global__ void warp_sums" in out and "**butterfly**" in out, "a solution", out)
    for words, says in ((("check", "77"), "there is no exercise 77"), (("--json", "hint"), "--json is for check and list"), (("frob",), "frob: there are check, "), (("hint", "05"), "05 are several: say which")):
        status, out, err = run(*words)
        ok(status == 2 and out == "" and says in err and err.count("\n") == 1, f"practice/run {' '.join(words)}: one line", err)
    ok(run("list", BACKEND="gpu")[0] == 2, "another backend: status 2")

if in_tier("more"):
    for what, text, says in (
            ("no C++", edited(who, ("float value = ", "float valu = ")), r"WRONG  it does not compile\nsimcc: practice/exercises/05_warp_shuffle/3_who_comes\.cu:\d+: 'value' is declared neither"),
            ("what a terminal obeys", "int \x1b]0;x\x07 = \x1b[31m;\n" + who, r"WRONG  it does not compile\n[^\x1b\x07]*int \?\]0;x\? = ;[^\x1b\x07]*$"),
            ("no launch()", edited(who, ("launch(", "launched(")), r"WRONG  your file does not define launch\(\)"),
            ("its solution included", '#include "../../solutions/05_warp_shuffle/3_who_comes.cu"\n', r"WRONG  your file includes solutions/05_warp_shuffle/3_who_comes\.cu: write that part yourself"),
            ("a library that does it", f"#include <cub/cub.cuh>\n{who}", r"WRONG  your file includes cub/cub\.cuh: write"),
            ("a later lesson", f'#include "15_operators/reduce.h"\n{who}', r"WRONG  your file includes 15_operators/reduce\.h: write"),
            ("a main() of its own", f"{who}\nint main()\n{{\n}}\n", r"WRONG  your file defines main\(\): it is launch\(\) that is called")):
        put(text)
        status, out, err = check("05-3")
        ok(status == 1 and re.search(says, out, re.S), what, out + err)
    put(who.replace("\n", "\r\n"))
    ok(check("05-3", MAKEFLAGS="w", CDPATH=FOLDER)[0] == 0, "a file with CR LF, a make around it")
    for name, text, says in (("11_library/2_refuse_first", edited(read("practice/solutions/11_library/2_refuse_first.cu"), ("said[0] = sum", "said[0] = 1; sum")), "launch() stays as it is in this exercise, and yours is another: make reset EXERCISE=11-2"),
                             ("00_baselines/1_predict", edited(practice.course.exercise("00_baselines/1_predict").solved(), ("    if (i < n)\n", "    // \\\n    if (i < n)\n")), "the kernel of a quiz stays as it is, and yours is another"),
                             ("00_baselines/1_predict", edited(practice.course.exercise("00_baselines/1_predict").solved(), ("{48, ", "{3 * 16, ")), None)):
        put(text, f"practice/exercises/{name}.cu")
        status, out, err = check(practice.key(name))
        ok(status == 0 if says is None else status == 1 and says in out, f"{name}: {says or 'a computed answer'}", out + err)
    # Whose fault it is: a mistake that is not the reader's is no verdict.
    put(who)
    for path, old, new, says in (("simulator/api.c", "#include", "int int;\n#include", "the simulator or the judge does not build here, so nothing is judged: simulator/api.c:"),
                                 ("library/parts/slots.h", "#ifndef", "int int;\n#ifndef", "14-5 cannot be judged: even its solution does not compile here: ")):
        whole = read(f"{COPY}/{path}")
        write(f"{COPY}/{path}", whole.replace(old, new, 1))
        status, out, err = check("14-5")
        ok(status == 3 and says in err and "WRONG" not in out, f"a mistake in {path}: status 3", f"{status} {out}{err}")
        write(f"{COPY}/{path}", whole)
    status, out, err = check("05-3", MAKE="/bin/false")
    ok(status == 3 and "WRONG" not in out, "make that fails: status 3", f"{status} {out}{err}")
    # With several GPUs, on a machine that has fewer.
    folder = tempfile.mkdtemp(dir=FOLDER)
    write(f"{folder}/there.c", "#include <stdlib.h>\nint __wrap_cudaGetDeviceCount(int *count) { *count = atoi(getenv(\"THERE\")); return 0; }\n")
    e = practice.course.exercise("14_many_gpus/2_edge")
    programs.build(e.solution, folder)
    subprocess.run(["gcc", "-c", f"{folder}/there.c", "-o", f"{folder}/there.o"], check=True)
    programs.link(f"{folder}/own.o", f"{folder}/fewer", [f"{folder}/there.o", "-Wl,--wrap=cudaGetDeviceCount"])
    for there in (1, 2):
        try:
            lines = LaunchJudge(MACHINE, e, 1, "", {"THERE": str(there)}).judge(f"{folder}/fewer")
            said = [r.text for r in lines]
        except Unknown as not_here:
            said = [str(not_here)]
        ok("needs two GPUs that reach each other's memory" in said[0] if there == 1 else "here are 2 that reach each other's memory" in said[0] and not any(r.met is False for r in lines), f"{there} GPUs", said)

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
chinese = Chinese(practice.course.chinese)
for line in LINES.split("\n"):
    english, _, wanted = line.partition("|")
    ok(chinese.line(english) == wanted, f"in Chinese: {english.strip()}", chinese.line(english))
for wanted, environment in ((True, {"LANG": "zh_CN.UTF-8"}), (False, {"LANG": "en_GB.UTF-8"}), (False, {}), (False, {"LANG": "zh_CN.UTF-8", "LC_ALL": "C.UTF-8"}),
                            (True, {"LANG": "zh"}), (True, {"LANG": "en_GB.UTF-8", "LANGUAGE": "zh_CN:en"}), (False, {"LANG": "C", "LANGUAGE": "zh_CN"}), (False, {"LANG": "zh_CN.GB18030"})):
    ok(is_chinese(environment) == wanted, f"Chinese or not: {environment}")
line = chinese.line("  WRONG  faults: n = 5, blocks of 32: simulator: a.cu:3: f, thread (2,0,0): reads shared memory that no thread of its block has written")
ok("\n        读到的共享内存还没有线程写过：" in line, "in Chinese: a finding has its meaning below", line)
status, out, err = run("hint", "05-2", LANG="zh_CN.UTF-8")
ok(out.startswith("05-2，提示 1\n  用 `__shfl_down_sync` 时") and "还有一个：make hint EXERCISE=05-2 HINT=2\n" in out, "a hint in Chinese", out)
status, out, err = run("check", "05-1", LANG="zh_CN.UTF-8", root=COPY)
ok(status == 1 and out.startswith("  1_predict：泳道读到的是谁的值？\n") and "  未答  1. 线程 5 得到\n" in out, "a task and a verdict in Chinese", out + err)

shutil.rmtree(FOLDER)
done()
