"""selfstudy.py: judges an exercise of ours by the reader's own file, which is no attacker's; remembers what is solved."""
import concurrent.futures
import hashlib
import json
import os
import re
import tempfile
import time

import building
import source
from given import put, read
from kernel import LaunchJudge
from program import BACKEND, BUILD, ROOT, Machine, Unknown, Wrong, build_parts, check_surroundings, first_error, make, one_line
from result import OPEN, SOLVED, USAGE, Stop, line, wrong
from session import Run

VERDICTS = os.path.join(BUILD, "practice/verdicts.json")
NO_ROOM = re.compile(r"[^\n]*(No space left on device|Read-only file system|Disk quota exceeded|Permission denied|Input/output error|cannot allocate memory"
                     r"|out of memory allocating|virtual memory exhausted|Cannot allocate memory|internal compiler error)[^\n]*")
SEED_OF_MODEL = 1  # of the data: what is predicted hardly depends on them
# Headers of lessons that explain what they do: from which lesson on they may be included.
FROM = {"warp_sum": 6, "tile": 9, "slots": 10, "waiting": 10, "zeroed_word": 10, "cluster": 11, "types": 13, "accumulators": 14, "exact": 14, "limbs": 14,
        "partial": 14, "window": 14, "peer_slots": 15, "larger": 16}
# What a verdict depends on beside the exercise itself.
PARTS_OF_ALL = [f"{BUILD}/runner.a", f"{BUILD}/libcommon.a", *(os.path.join(ROOT, "practice/judge", name) for name in
                ("building.py", "exercise.py", "kernel.py", "launch.py", "program.py", "selfstudy.py", "session.py", "source.py")), os.path.join(ROOT, "practice/runner/reference.c")]


def stamps(paths):
    found = []
    for path in sorted(set(paths)):
        try:
            with open(os.path.join(ROOT, path), "rb") as file:
                found.append([path, hashlib.sha1(file.read()).hexdigest() if not path.startswith("/usr") else ""])
        except OSError:
            found.append([path, None])
    return found


def seed_of():
    seed = os.environ.get("SEED") or str(int(time.time()) % 10000)
    if not re.fullmatch(r"\d{1,18}", seed):
        raise Stop(USAGE, f"SEED={seed}: a whole number is needed")
    return int(seed)


# ---- what the model of time (docs/time.md) says of a kernel that is right, and of its solution ----

MODEL_GPU, MODEL_N = "h200", 1 << 17
PREDICTED = re.compile(r"(?P<kernel>.*)<<<.*>>>: (?:(?P<low>[\d.]+) to (?P<high>[\d.]+) us, (?P<limit>[a-z]+ \d+ %)|not predicted: (?P<why>.*?))(?:, the first of \d+ launches)?$")


def predicted(judge, program, run, seed):
    """(low, high, what limits the longest kernel) of all kernels of one launch(), in µs; or why not, a text."""
    before, judge.environment = judge.environment, {**(judge.environment or {}), "SIMT_MODEL": MODEL_GPU, "SIMT_SOURCES": ROOT}
    try:
        judge.in_program(program, lambda session: session.call(run, judge.exercise.data(run.n, seed, 0), judge.exercise.words(run.n, session.share(run))))
    except Wrong as wrong:
        return str(wrong)
    finally:
        judge.environment = before
    found = [found for found in map(PREDICTED.fullmatch, judge.faults) if found]
    why = next((f["why"] for f in found if f["why"]), None)
    if why or not found:
        return why or "no kernel was launched"
    return sum(float(f["low"]) for f in found), sum(float(f["high"]) for f in found), max(found, key=lambda f: float(f["low"]))["limit"]


def shown(times):
    return " to ".join(f"{us:.3g}" if us < 100 else f"{us:.0f}" for us in times[:2])


def line_of_model(judge, program, its, run, seed):
    """What there is to say of both; its(): what is predicted of the solution, or None."""
    mine = predicted(judge, program, run, seed)
    if isinstance(mine, str):
        return f"model of time: not predicted: {mine}"
    text = f"model of time, not a measurement: {shown(mine)} us for n = {run.n} on an H200 ({mine[2]})"
    its = its()
    if isinstance(its, str):
        return text
    near = mine[0] <= its[1] and its[0] <= mine[1]
    return f"{text}; the solution {shown(its)} us" + (": too close to tell" if near else "")


# ---- judging ----


class SelfStudy:
    def __init__(self, course, given, key):
        """given: its files, as they were given (given.py); key(name): the short name of an exercise."""
        self.course, self.given, self.key = course, given, key

    def verdicts(self):
        try:
            with open(VERDICTS) as file:
                return json.load(file)
        except (OSError, ValueError):
            return {}

    def note(self, name, made_of, what):
        """A verdict, and what is predicted of a solution, is known until a file changes that it depends on."""
        try:
            all_of_them = {**self.verdicts(), name: {"made_of": stamps(made_of + PARTS_OF_ALL), "solved": what}}
            put(VERDICTS, json.dumps(all_of_them, indent=1).encode())
        except OSError:
            pass  # then it is judged again the next time

    def known(self, name):
        one = self.verdicts().get(name)
        return one["solved"] if one and stamps([path for path, _ in one["made_of"]]) == one["made_of"] else None

    def model_of_solution(self, exercise, folder, run):
        """What is predicted of it, once for many verdicts."""
        name = f"model of {exercise.name}"
        known = self.known(name)
        if known is None:
            os.mkdir(folder)
            program, made_of = self.solution(exercise, folder)
            known = predicted(LaunchJudge(Machine(confines=False), exercise, SEED_OF_MODEL, ""), program, run, SEED_OF_MODEL)
            self.note(name, [exercise.path, *made_of], known)
        return known

    def look_at_includes(self, exercise, text):
        """What would do the exercise, as its solution, a library, or a lesson to come; or None."""
        lesson, own = int(exercise.name[:2]) if exercise.name[:2].isdigit() else 99, source.included(exercise.solved())
        for name in source.included(text):
            step, part = re.match(r"(?:steps/)?(\d\d)_\w+/", name), re.fullmatch(r"library/parts/(\w+)\.h", name)
            if "solutions/" in name or re.match("cub/|thrust/", name) or name not in own and (step and int(step[1]) >= lesson or part and FROM.get(part[1], 99) > lesson):
                return f"your file includes {name}: write that part yourself; headers of the system and of earlier lessons (library/parts/warp_sum.h and the like) may be included"
        return None

    def build(self, exercise, folder, path):
        """The program, and what it was made from. Raises Wrong, Unknown."""
        if BACKEND == "sim":
            return building.build(os.path.relpath(path, ROOT), folder)
        target = f"build/cuda/practice/{'solutions' if path == exercise.solution else 'exercises'}/{exercise.name}"
        status, said = make(target)
        if status != 0:
            first = next((line for line in said.split("\n") if "error" in line), "")
            raise Wrong("it does not compile\n" + (first + "\n" if first else "") + said)
        return os.path.join(ROOT, target), [path]

    def judge(self, name, path=None):
        """(status, the exercise, its lines, the heading, what it printed)."""
        exercise = self.course.exercise(name)
        path = path or self.given.file(name)
        if not os.path.isfile(path):
            return OPEN, exercise, [wrong("file", f"the file is not there, deleted or renamed: make reset EXERCISE={self.key(name)} brings it back")], [], b""
        text = read(path).decode("utf-8", "replace").replace("\r\n", "\n")
        check_surroundings()
        build_parts()
        if not exercise.is_quiz and not (os.path.isfile(exercise.solution) and read(exercise.solution)):
            raise Unknown(f"{self.key(name)} cannot be judged: nothing can be read of its solution")
        judge, run = LaunchJudge(Machine(confines=False), exercise, seed_of(), text), None
        with tempfile.TemporaryDirectory(prefix="practice.") as folder, concurrent.futures.ThreadPoolExecutor(1) as other:
            if BACKEND == "sim" and not exercise.is_quiz and not exercise.gpus and path == self.given.file(name):
                run = Run(exercise.to_unit(min(MODEL_N, exercise.most_n or MODEL_N)), exercise.blocks[0])
                its = other.submit(self.model_of_solution, exercise, f"{folder}/model", run)  # on another core, while the file is judged
            try:
                program, made_of = self.build(exercise, folder, path)
            except Wrong as refused:
                return OPEN, exercise, [wrong("file", self.why_not_built(exercise, str(refused), folder, path))], [], b""
            said = source.by_text(exercise, text, self.key(name)) or self.look_at_includes(exercise, text)
            if not said and "double" in exercise.without and BACKEND == "sim":
                place = source.computes(f"{folder}/exercise.o", path, text, exercise.stays)
                said = f"line {place}: a float or a double is computed there: the task forbids it, whatever it is called" if place else None
            lines = [wrong("file", said)] if said and "includes" in said else []
            lines = lines or judge.judge(program, said)
            if any(r.met is False and re.search("no device memory|too much memory|crashed|ended itself", r.text) for r in lines):
                self.blame_machine(exercise, folder)
            solved = bool(lines) and all(r.met is not False for r in lines) and any(r.met for r in lines)
            if solved and run:
                lines.append(line("model", None, line_of_model(judge, program, its.result, run, SEED_OF_MODEL)))
        if path == self.given.file(name):
            self.note(name, [path, exercise.path, *made_of], solved)
        return SOLVED if solved else OPEN, exercise, lines, judge.heading, judge.printed

    def solution(self, exercise, folder):
        """Its program, and what it was made from. Raises Unknown."""
        place = os.path.join(folder, "solution")
        os.mkdir(place)
        path = exercise.solution
        if exercise.is_quiz:
            path = f"{place}/{exercise.file}"
            put(path, exercise.solved().encode())
        try:
            return self.build(exercise, place, path)
        except Wrong as refused:
            raise Unknown(f"{self.key(exercise.name)} cannot be judged: even its solution does not compile here: "
                          f"{first_error(str(refused).partition(chr(10))[2]).replace('simcc: ', '')}") from None

    def blame_machine(self, exercise, folder):
        """A program that crashes, or has no memory: if the solution fares no better here, nothing is said of the file."""
        lines = LaunchJudge(Machine(confines=False), exercise, seed_of(), "").judge(self.solution(exercise, folder)[0])
        bad = [r.text for r in lines if r.met is False] if not exercise.is_quiz else []
        if bad:
            raise Unknown(f"{self.key(exercise.name)} cannot be judged: even its solution fails here: {bad[0]}")

    def why_not_built(self, exercise, said, folder, path):
        """Its own fault is a line of a verdict; that of others is none. Whose it is is shown by its solution, unless the first error is
        in its own lines."""
        room = NO_ROOM.search(said)
        if room:
            raise Unknown(f"{self.key(exercise.name)} cannot be built here: {one_line(room[0])}")
        own = re.search(r"^(?:simcc: )?(?:\./)?(\S[^\n]*?)[:(]\d+[:)]", said.partition("\n")[2], re.M)
        if said.startswith("it does not compile") and not (own and own[1].endswith(os.path.basename(path))):
            self.solution(exercise, folder)
        return said
