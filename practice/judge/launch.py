"""launch.py: exercises that define launch(in, out, n, block): how many floats and which blocks are tried follows from a few lines of
NAME.toml, as for all of ours; and quizzes. docs/courses.md has every key."""
import array
import ctypes
import hashlib
import math
import os
import re
import struct
import subprocess
import tempfile

import source
from exercise import BOUND, Common, Fault, known_keys, value_of
from program import (ALL_GPUS, ANSWERS, BACKEND, COUNT_REQUESTS, CXX, IN, KEEP, LAST_BLOCK_FIRST, OUT, OVERWRITES, ROOT, SCALAR, STRICT, TIME,
                     VECTORS, Program, Wrong, cxx_library, keep_only, named_counts, one_line, PARTS, run_tool, symbols_of)

SCHEDULES, DRAWN, LARGE, OTHER_GPUS, PROBES = 5, 32, 3, 3, 8
MOST_GPUS, MOST_PROBES, MOST_THREADS, TIMED_BLOCK = 8, 2048, 1024, 256
# Around warps, blocks, and a power of two beyond. The first one that is wrong is shown: so small ones come first, and none at all
# is no good example.
STANDARD = (31, 33, 1, 0, 255, 257, 1000, 1023, 1025, 4095, 4097)
ONE_LARGER = 70000  # more than 2^16, and than 1,024 blocks of 64
CALLS = 300  # more than an epoch of 8 bits
PLAIN, VARIED, LATE = range(3)  # runner/reference.c
# What is right: the function of runner/reference.c, how many words it has, whether each is a sum of elements.
USUAL = {"the sum": ("sum", "1"), "the sum of each block": ("sum_blocks", "max(1, ceil_div(n, share))"),
         "the alternating sum of each block": ("alternate_blocks", "max(1, ceil_div(n, share))"),
         "the sum of the warp, in every lane": ("sum_warps", "n"), "the running sum": ("scan", "n"), "the array from its end": ("reverse", "n")}
POISON = b"\xff\xff\xff\xff"
KEYS = {
    "exercise": {"title", "task", "hints", "explanation", "as_given", "stays", "without", "file", "solution", "extra", "limits", "answer", "quiz", "questions",
                 "criteria", "mistakes", "zh", "points", "blob"},
    "answer": {"is", "words", "code", "linear", "called", "blocks", "sizes", "gpus", "per_thread", "unit", "most", "shift", "most_n", "roundings", "scale",
               "kernel_words", "most_unfair", "timed", "vectors", "all_read", "whole", "no_zeros", "host_reads", "of_faults", "against", "overwrites_input",
               "points", "larger", "faults_points", "calls"},
    "quiz": {"sizes", "blocks", "gpus", "words", "per_thread", "overwrites_input"},
    "question": {"asks", "is", "traps", "points"},
    "criterion": {"count", "at_most", "at_least", "runs", "slack", "says", "points", "name"},
    "zh": {"title", "task", "hints", "explanation", "words"},
}


def check_keys(where, table, kind):
    known_keys(where, table, KEYS[kind])


class Named:
    """What a line of a verdict is about, and the points that it has."""

    def __init__(self, name, points=1):
        self.name, self.points = name, points


class Result:
    """A line of a verdict. met: None where it was not judged."""

    def __init__(self, criterion, met, text):
        self.criterion, self.met, self.text = criterion, met, text
        self.points = criterion.points if met else 0

    def as_table(self):
        return {"name": self.criterion.name, "met": self.met, "points": self.points, "of": self.criterion.points, "says": self.text}


class Limit:
    """count = "barriers", at_most or at_least, at each of its runs."""

    def __init__(self, where, table):
        check_keys(where, table, "criterion")
        self.count, self.says, self.slack = table.get("count"), table.get("says", ""), table.get("slack", 0)
        bounds = [bound for bound in ("at_most", "at_least") if bound in table]
        if not self.count or len(bounds) != 1 or not table.get("runs"):
            raise Fault(f"{where}: count, at_most or at_least, and runs = [{{ n = 4096, block = 256 }}] are needed")
        self.bound, limits = bounds[0], table[bounds[0]]
        self.runs = table["runs"]
        self.limits = limits if isinstance(limits, list) else [limits] * len(self.runs)
        if len(self.limits) != len(self.runs) or any(not {"n", "block"} <= set(run) <= {"n", "block", "offset", "gpus", "sms"} for run in self.runs):
            raise Fault(f"{where}: runs: each has n and block, perhaps offset, gpus, sms; and a list of limits has one for each")
        self.points = table.get("points", 1)
        self.name = table.get("name") or f"{self.count}, {BOUND[self.bound]} {self.limits[0]}"
        self.forbids = self.bound == "at_most" and self.limits[0] == 0

    def keeps(self, value, limit):
        return value <= limit if self.bound == "at_most" else value >= limit


class Launch(Common):
    """NAME.toml without call = "...". Raises Fault."""

    def __init__(self, course, name, table):
        self.read_common(course, name, table)
        check_keys(self.path, table, "exercise")
        self.as_given, self.stays, self.without = table.get("as_given", ""), table.get("stays", []), table.get("without", [])
        self.is_quiz = "quiz" in table
        given = table.get("quiz" if self.is_quiz else "answer")
        where = f"{self.path}: [{'quiz' if self.is_quiz else 'answer'}]"
        if given is None or "quiz" in table and "answer" in table:
            raise Fault(f"{self.path}: it needs call = \"...\", or [answer], or [quiz]")
        check_keys(where, given, "quiz" if self.is_quiz else "answer")
        self.given_answer = given
        self.blocks, self.sizes, self.gpus = given.get("blocks"), given.get("sizes", []), given.get("gpus", [])
        if not self.blocks or self.is_quiz and not self.sizes:
            raise Fault(f"{where}: blocks = [64, 256] are needed{', and sizes' if self.is_quiz else ''}")
        for key in ("per_thread", "unit"):
            setattr(self, key, given.get(key, 1))
        for key in ("roundings", "scale", "most_n"):
            setattr(self, key, given.get(key, 0))
        self.most, self.shift, self.larger = given.get("most", 8), given.get("shift", 0), given.get("larger", ONE_LARGER)
        self.kernel_words = given.get("kernel_words", 0xffffffff)
        for key in ("vectors", "all_read", "whole", "no_zeros", "host_reads", "overwrites_input"):
            setattr(self, key, given.get(key, False))
        self.answer_is = given.get("is", "")
        self.function, words = USUAL.get(self.answer_is, ("answer", "")) if not self.is_quiz else ("sum", "1")
        self.words_text, self.code = given.get("words", words), given.get("code", "")
        self.linear = given.get("linear", self.answer_is in USUAL)
        if not self.is_quiz and self.function == "answer" and not self.code:
            raise Fault(f"{where}: is = \"{self.answer_is}\": code = '''void answer(const float *in, size_t n, size_t share, float *out) ...''' says how; "
                        f"without it there are {', '.join(USUAL)}")
        self.called = given.get("called")
        self.questions = table.get("questions", [])
        for k, question in enumerate(self.questions):
            check_keys(f"{self.path}: question {k + 1}", question, "question")
        self.limits_of_counts = [Limit(f"{self.path}: criterion {k + 1}", one) for k, one in enumerate(table.get("criteria", []))]
        self.points = sum(question.get("points", 1) for question in self.questions) if self.is_quiz else \
            given.get("points", 1) + given.get("faults_points", 1) + sum(limit.points for limit in self.limits_of_counts)
        self.criteria = [Named("the verdict", self.points)]
        self.arguments, self.result, self.reference = [], None, None

    # ---- what is right: practice/runner/reference.c with the exercise's code, compiled into a library ----

    def library(self):
        if hasattr(self, "loaded"):
            return self.loaded
        with open(f"{ROOT}/practice/runner/reference.c") as file:
            text = file.read() + (f'\n#line 1 "{self.path}, code"\n' + self.code if self.code else "")
        path = f"{ROOT}/build/sim/practice/references/{hashlib.sha256(text.encode()).hexdigest()[:20]}.so"
        if not os.path.exists(path):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with tempfile.TemporaryDirectory() as folder:
                with open(f"{folder}/reference.c", "w") as file:
                    file.write(text)
                compiler = (os.environ.get("CC") or "gcc").split()
                status, said = run_tool(compiler + ["-std=gnu11", "-O1", "-w", "-ffp-contract=off", "-shared", "-fPIC", f"{folder}/reference.c", "-o", f"{folder}/it.so", "-lm"])
                if status != 0:
                    raise Fault(f"{self.path}: code: it does not compile: {one_line(said)}")
                new = f"{path}.{os.getpid()}"
                with open(f"{folder}/it.so", "rb") as made, open(new, "wb") as file:
                    file.write(made.read())
                os.replace(new, path)
        self.loaded = ctypes.CDLL(path)
        self.loaded.draw.restype = ctypes.c_uint64
        return self.loaded

    def words(self, n, share):
        if not self.words_text:
            function = self.library().words
            function.restype = ctypes.c_size_t
            return function(ctypes.c_size_t(n), ctypes.c_size_t(share))
        return int(value_of(f"{self.path}: words", self.words_text, {"n": n, "share": share}))

    def right(self, numbers, share, words):
        out = array.array("f", bytes(4 * words + 4))
        function = getattr(self.library(), self.function)
        function.restype = None
        place = lambda values: ctypes.c_void_p(values.buffer_info()[0])  # noqa: E731
        function(place(numbers), ctypes.c_size_t(len(numbers)), ctypes.c_size_t(share), place(out))
        return out[:words]

    def data(self, n, seed, kind):
        """n floats, as the exercise says of them."""
        numbers = array.array("f", bytes(4 * n + 4))
        says = struct.pack("<II??2x", self.most, self.shift, self.whole, self.no_zeros)
        self.library().draw_data(says, ctypes.c_void_p(numbers.buffer_info()[0]), ctypes.c_size_t(n), ctypes.c_uint64(seed), ctypes.c_int(kind))
        return numbers[:n]

    def to_unit(self, n):
        return n // self.unit * self.unit

    def all_blocks(self):
        """The block sizes from the smallest to the largest: any, or whole warps, or powers of two, if all of those are."""
        warps, powers = all(block % 32 == 0 for block in self.blocks), all(block & (block - 1) == 0 for block in self.blocks)
        return [block for block in range(min(self.blocks), max(self.blocks) + 1) if (not powers or block & (block - 1) == 0) and (not warps or block % 32 == 0)]


class Draw:
    """SplitMix64, as runner/reference.c."""

    def __init__(self, seed):
        self.state = seed & 0xffffffffffffffff

    def __call__(self, below=None):
        self.state = (self.state + 0x9e3779b97f4a7c15) & 0xffffffffffffffff
        z = self.state
        z = ((z ^ z >> 30) * 0xbf58476d1ce4e5b9) & 0xffffffffffffffff
        z = ((z ^ z >> 27) * 0x94d049bb133111eb) & 0xffffffffffffffff
        z ^= z >> 31
        return z if below is None else z % below

    def size(self):
        """2 to 4096, small ones as often as large ones."""
        below = 4 << self(11)
        return below // 2 + self(below // 2)


class Run:
    def __init__(self, n, block, gpus=0, offset=0, schedule=0, sms=0, hole=0):
        self.n, self.block, self.gpus, self.offset, self.schedule, self.sms, self.hole = n, block, gpus, offset, schedule, sms, hole

    def __str__(self):
        return f"n = {self.n}, blocks of {self.block}" + (f", {self.gpus} GPU{'s' * (self.gpus > 1)}" if self.gpus else "") + \
            (", in[] not aligned" if self.offset else "") + (f", a GPU of {self.sms} SMs" if self.sms else "") + (f", schedule {self.schedule}" if self.schedule else "")


class Failed(Exception):
    """A run that is not right: by which criterion, and how."""

    def __init__(self, criterion, text):
        super().__init__(text)
        self.criterion, self.text = criterion, text


def as_word(x):
    return "NaN" if x != x else f"{x:g}"


def bits(x):
    return struct.pack("<f", x)


def what_is_wrong(weight, right):
    """With an element that has this weight, and not the right one; "" if nothing is."""
    if weight == right:
        return ""
    if weight == 0:
        return "missing"
    if right == 0:
        return "there and should not be"
    if weight == -right:
        return "subtracted, not added" if right > 0 else "added, not subtracted"
    return "counted twice" if weight == 2 * right else f"counted {weight / right:g} times"


def elements(weights, should):
    """Names those with which the same is wrong as with the first: ": elements 1, 2, 5 and 4 more are missing"."""
    wrong = [what_is_wrong(weight, right) for weight, right in zip(weights, should)]
    what = next((text for text in wrong if text), "")
    found = [i for i, text in enumerate(wrong) if text == what]
    if not what:
        return ""
    if len(found) == 1:
        return f": element {found[0]} is {what}"
    if found[-1] - found[0] + 1 == len(found):
        return f": elements {found[0]} to {found[-1]} are {what}"
    if len(found) <= 3:
        return f": elements {', '.join(map(str, found[:-1]))} and {found[-1]} are {what}"
    return f": elements {found[0]}, {found[1]}, {found[2]} and {len(found) - 3} more are {what}"


class Session:
    """A program of an exercise that runs, and what is asked of it."""

    def __init__(self, judge, program):
        self.judge, self.exercise, self.program = judge, judge.exercise, program
        e = self.exercise
        self.now, self.counts = None, {}
        _, values, _ = program.ask([], how=ANSWERS + ALL_GPUS * bool(e.gpus), words=len(e.questions))
        self.gpus, self.is_quiz, self.seed, self.answers = int(values[0]), bool(values[1]), int(values[2]), values[3:3 + len(e.questions)]

    def share(self, run):
        return run.gpus or run.block * self.exercise.per_thread

    def call(self, run, numbers, words, requests=False, keep=False):
        """Calls launch(); returns words floats of each GPU. Raises Wrong where the program is gone, Failed where CUDA refuses."""
        e, self.now = self.exercise, run
        many = words * (run.gpus or 1)
        how = COUNT_REQUESTS * requests + KEEP * keep + STRICT + VECTORS * e.vectors + OVERWRITES * (e.overwrites_input or bool(run.hole)) + \
            LAST_BLOCK_FIRST * (run.schedule % 2 and not run.gpus)
        before = 4 if run.n == 0 else 4 * run.offset  # with nothing to sum, in points beyond all memory that is there
        arguments = [(IN, 0, numbers.tobytes(), before, run.hole), (OUT, 0, POISON * many, 0, 0), (SCALAR, 0, struct.pack("<Q", run.n), 0, 0),
                     (SCALAR, 0, struct.pack("<I", run.block), 0, 0)]
        _, counts, problem = self.program.ask(arguments, run.schedule, how, run.sms, run.gpus, run.offset, e.kernel_words)
        self.counts = named_counts(self.program.counts, counts, 0)
        if problem:
            raise Failed("answer", problem.replace("argument 1 was", "in[] was"))
        out = array.array("f")
        out.frombytes(self.program.read(4 * many))
        return out

    def faults(self):
        return self.program.faults()

    def name_of(self, run, i, words):
        e, word = self.exercise, i % words
        text = e.called[word] if e.called else f"out[{word}]"
        return f"GPU {i // words}'s {text[4:] if text.startswith('the ') else text}" if run.gpus else text

    def blame(self, run, i, words, numbers, got):
        """Each word is a sum of elements: a run with a single 1 shows how often one element is in it. If that does not explain what
        was got, something else was in it."""
        e, n = self.exercise, run.n
        if not e.linear or n > MOST_PROBES:
            return ""
        probe, weights, should, explained = array.array("f", bytes(4 * n)), [], [], 0.0
        try:
            if self.call(run, probe, words)[i] != 0:  # then no element is to blame
                return ": not 0 even where all elements are 0: does it read unwritten memory, or what an earlier launch left?"
            for k in range(n):
                probe[k] = 1
                weights.append(self.call(run, probe, words)[i])
                should.append(e.right(probe, self.share(run), words)[i % words])
                explained += weights[-1] * numbers[k]
                probe[k] = 0
        except Failed:
            return ""
        if explained == got:
            return elements(weights, should)
        return ": no sum of these elements: what else is in it, of an earlier launch perhaps?"

    def check(self, run, seed, kind, requests=False, keep=False):
        """Runs launch() and compares. Raises Failed."""
        e = self.exercise
        numbers, share = e.data(run.n, seed, kind), self.share(run)
        words = e.words(run.n, share)
        right = e.right(numbers, share, words)
        out = self.call(run, numbers, words, requests, keep)
        counts = dict(self.counts)
        new = self.faults()
        if new:
            raise Failed("faults", new[0])
        if out.tobytes() != right.tobytes() * (run.gpus or 1):
            self.compare(run, numbers, words, right, out)
        self.counts = counts
        if BACKEND == "sim":
            self.is_cheap(run)
        for limit in e.limits_of_counts:
            if limit.forbids and not self.judge.forbidden.get(limit.count, (0,))[0]:
                self.judge.forbidden[limit.count] = counts[limit.count], run
        self.judge.runs += 1

    def compare(self, run, numbers, words, right, out):
        e = self.exercise
        for i, got in enumerate(out):
            want = right[i % words]
            if (want != want or e.roundings) and run.gpus and bits(got) != bits(out[i % words]):
                raise Failed("answer", f"{self.name_of(run, i, words)}: {got:.9g}, and GPU 0 has {out[i % words]:.9g}: all GPUs should have the same bits")
            if got == want or want != want or e.roundings and abs(got - want) <= e.roundings * 2.0 ** -24 * max(abs(want), e.scale):
                continue
            is_poison = bits(got) == POISON
            text = f"{self.name_of(run, i, words)}: expected {as_word(want)}, got {'NaN, as before' if is_poison else as_word(got)}"
            if is_poison:
                text += ": it was never written" if BACKEND == "sim" and self.counts["atomics"] == 0 else \
                    ": never written, or added to what lay there, and that was no zero"
            else:
                text += self.blame(run, i, words, numbers, got)
            raise Failed("answer", text)

    def is_cheap(self, run):
        """The answer is right; was it a kernel that found it, and its threads together? Raises Failed."""
        e, n, c = self.exercise, run.n, self.counts
        of_gpu = n / (4 * run.gpus) if run.gpus else n
        least_threads = min(of_gpu / 64, run.block / 8)
        if not any(limit.count == "threads that load" for limit in e.limits_of_counts):  # which says more
            least_threads = max(least_threads, min(of_gpu, c["threads"]) / 24)
        many = n >= 250  # fewer elements show nothing
        for criterion, holds, text in (
                ("all read", c["floats loaded"] < n, f"the kernel read {c['floats loaded']:.0f} floats of {n}: all have to go through it"),
                ("host writes", c["words of the answer that the host wrote"] > 0,
                 f"it is the host that wrote the answer, {c['words of the answer that the host wrote']:.0f} of its words came from the host's memory: "
                 "let a kernel store them in out[]"),
                ("host reads", c["bytes that the host saw"] > 0 and not e.host_reads,
                 f"launch() copied {c['bytes that the host saw']:.0f} bytes to the host: the answer is to be found on the GPU; take out that copy, and let a kernel "
                 "do what the host did with it"),
                ("one thread", many and c["threads that load"] < math.floor(least_threads),
                 f"only {c['threads that load']:.0f} of the threads load anything: let all threads of a block share the work"),
                ("one thread", run.block >= 32 and c["floats that few threads load"] > 0,
                 f"a launch in which fewer than 16 threads load {c['floats that few threads load']:.0f} floats: let many threads share the work"),
                ("one thread", many and c["floats of the least fair thread"] > (e.given_answer.get("most_unfair") or 6) * c["floats of a fair share"],
                 f"one thread loads {c['floats of the least fair thread']:.0f} floats, where {c['floats of a fair share']:.0f} were its share: let all threads of a "
                 "block share the work")):
            if holds:
                raise Failed(criterion, text)

    def counted(self, run, seed):
        """Counts of a run, requests of memory, too. Raises Failed."""
        e = self.exercise
        self.check(run, seed, PLAIN, requests=True)
        stores, floats = self.counts["store requests"], self.counts["floats stored"]
        if e.words(run.n, self.share(run)) >= run.n > 0 and stores and floats < 4 * stores:
            raise Failed("stores", f"a store of a warp brings {floats / stores:.1f} floats: let its lanes store side by side, each its own")
        return self.counts


class LaunchJudge:
    """Judges programs of one exercise, which run in this environment."""

    def __init__(self, machine, exercise, seed, environment=None):
        self.machine, self.exercise, self.seed, self.environment = machine, exercise, seed, environment
        self.runs, self.forbidden, self.printed, self.heading, self.now, self.faults = 0, {}, b"", [], None, []

    # ---- a program from its beginning to its end ----

    def in_program(self, path, work):
        """Starts it, calls work(session), and ends it. Raises Wrong where the program did not come to its own end."""
        self.now, running = None, Program(self.machine, path, self.exercise.limits, trusted=not self.machine.confines, environment=self.environment, source=self.text)
        session = None
        with running:
            try:
                session = Session(self, running)
                work(session)
            except Wrong:
                self.begun = session is not None
                raise
            finally:
                self.now = session.now if session else None
                running.end()
                self.faults = running.faults()
                self.printed = self.printed or running.printed
        if running.ended != 0 and not running.faults():
            raise Wrong(running.how_it_ended())

    def judge_program(self, path, text):
        """The lines of the verdict."""
        self.runs, self.forbidden, self.printed, self.heading, self.text, self.begun = 0, {}, b"", [], text, True
        return self.quiz(path) if self.exercise.is_quiz else self.kernel(path)

    def judge_nothing(self, text):
        self.text, self.gpus, self.begun = text, [0], True

    def where(self):
        return str(self.now) if self.now else "at its start"

    def line(self, name, met, text, points=0):
        return Result(Named(name, points), met, text)

    # ---- a kernel ----

    def kernel(self, path):
        e, lines = self.exercise, []
        there = self.ask_gpus(path) if e.gpus else 0
        self.gpus = [count for count in e.gpus if count <= there] if e.gpus else [0]
        self.heading.append(f"Blocks of {', '.join(map(str, e.blocks))}{'; so many GPUs: ' + ', '.join(map(str, self.gpus)) if e.gpus else ''}; "
                            f"data and schedules drawn with SEED={self.seed}.")
        lines += [self.line("GPUs", None, f"with {count} GPUs: here are {there} that reach each other's memory; BACKEND=sim has {MOST_GPUS}") for count in e.gpus if count > there]
        problem = self.tried(path, "answer", self.try_sizes) or BACKEND == "sim" and self.tried(path, "answer", self.try_other_gpu)
        if problem:
            return lines + [problem]
        lines.append(self.line("answer", True, f"answer: {e.answer_is}, {self.runs} runs: n = 0, 1, 31, 33, 1000, 2^k - 1, 2^k + 1, drawn ones, starts not aligned",
                               e.given_answer.get("points", 1)))
        if e.gpus:
            lines.append(self.line("all GPUs", True, "all GPUs: each has the answer in its own memory, with the same bits"))
        if BACKEND != "sim":
            lines.append(self.line("schedules", None, "races and the like: not reported by a GPU; BACKEND=sim finds them"))
            return lines + [self.time(path)] + \
                [self.line("counts", None, "requests, sectors, barriers and the like: not reported by a GPU here; BACKEND=sim counts them")] * bool(e.limits_of_counts)
        problem = self.tried(path, "schedules", self.try_schedules)
        if problem:
            return lines + [problem]
        lines.append(self.line("schedules", True, "faults, five schedules: none: no race, no deadlock, no read of unwritten memory", e.given_answer.get("faults_points", 1)))
        return lines + self.all_read(path) + self.limits(path)

    def tried(self, path, criterion, work):
        """None, or the line that says how it failed."""
        e = self.exercise
        try:
            self.in_program(path, work)
        except Failed as failed:
            if failed.criterion == "faults":
                return self.of_fault(criterion, failed.text)
            if criterion == "schedules":
                return self.line(criterion, False, f"faults, five schedules: {self.where()}: {failed.text}")
            return self.line(failed.criterion, False, f"answer: {e.answer_is}: {self.where()}: {failed.text}")
        except Wrong as wrong:
            return self.of_fault(criterion, str(wrong))
        return None

    def of_fault(self, criterion, text):
        of_faults = self.exercise.given_answer.get("of_faults", "")
        how = "simulator: " + text if text in self.faults else text
        how += "" if self.begun or text != "the program ended itself" else " before its first launch"
        if criterion == "schedules":
            return self.line("schedules", False, f"faults, five schedules: {self.where()}: {how}")
        return self.line("faults", False, f"faults: {self.where()}: {how}{'; ' + of_faults if of_faults else ''}")

    def ask_gpus(self, path):
        there = []
        self.in_program(path, lambda session: there.append(session.gpus))
        if there[0] < 2:
            raise NotHere("this needs two GPUs that reach each other's memory, and here is no such pair; the simulator has 8: BACKEND=sim")
        return there[0]

    def try_sizes(self, session):
        e, draw = self.exercise, Draw(self.seed)
        if BACKEND != "sim" and session.gpus == 0:
            raise NotHere("here is no GPU; BACKEND=sim needs none")
        first, gpus = e.blocks[0], self.gpus[0]
        for k, n in enumerate(STANDARD):
            session.check(Run(e.to_unit(n), first, gpus), self.seed + k, PLAIN)
        for count in self.gpus[1:]:
            for n in (1000, 33, 1, 0):
                session.check(Run(e.to_unit(n), first, count), draw(), VARIED)
        for block in e.blocks[1:]:
            for n in (33, 1000, 1025):
                session.check(Run(e.to_unit(n), block, gpus), draw(), VARIED)
        for n in e.sizes:
            session.check(Run(n, first, gpus), draw(), LATE)
        for offset in (1, 2, 3):
            session.check(Run(e.to_unit(1 + draw(2000)), first, gpus, offset), draw(), VARIED)
        self.try_drawn(session)
        self.try_again(session)

    def try_drawn(self, session):
        """Beyond what is printed: sizes and block sizes that were drawn, no block size twice as long as there are others, and large sizes."""
        e, draw, blocks = self.exercise, Draw(self.seed ^ 0xd4a3), self.exercise.all_blocks()
        most = e.most_n or 20000
        for i in range(DRAWN):
            first = i % len(blocks)
            other = first + draw(len(blocks) - first)
            block = blocks[other]
            blocks[other], blocks[first] = blocks[first], block
            session.check(Run(e.to_unit(draw.size()), block, self.gpus[draw(len(self.gpus))]), draw(), VARIED)
        for _ in range(LARGE):
            session.check(Run(e.to_unit(most - draw(most // 4)), e.blocks[0], self.gpus[0]), draw(), VARIED)
        if not e.most_n and not e.gpus and e.larger:
            session.check(Run(e.to_unit(e.larger - draw(100)), e.blocks[0]), draw(), VARIED)

    def try_again(self, session):
        """New data in the same memory, as a program that sums often has it; memory that stays allocated; many calls."""
        e, draw, leaks = self.exercise, Draw(self.seed ^ 0xa9a1), []
        if BACKEND != "sim":
            return
        n = e.to_unit(1000)
        for k in range(4):
            session.check(Run(n, e.blocks[0], self.gpus[0]), draw(), VARIED, keep=not e.gpus)
            leaks.append(session.counts["allocations never freed"])
        if min(leaks[1:]) > 0 and not e.gpus:
            raise Failed("memory", f"{leaks[1]:.0f} allocation{'s' * (leaks[1] != 1)} never freed, in each call of launch()")
        share = e.blocks[0] * e.per_thread
        for k in range(e.given_answer.get("calls", CALLS) if not e.gpus else 0):  # an epoch of 8 bits comes back where most blocks were idle
            n = (16 if k % 256 == 0 else 2) * share + 1 + k // 10 % 32
            session.check(Run(e.to_unit(n) or e.unit, e.blocks[0]), draw(), VARIED, keep=True)

    def try_other_gpu(self, session):
        """On a GPU with more SMs: a program of its own, since no GPU grows while a program runs."""
        e, draw = self.exercise, Draw(self.seed ^ 0x5a5a)
        sms = 5 + draw(4)
        for _ in range(OTHER_GPUS):
            session.check(Run(e.to_unit(draw.size()), e.blocks[0], self.gpus[0], sms=sms), draw(), VARIED)

    def try_schedules(self, session):
        e, draw = self.exercise, Draw(~self.seed)
        for s in range(SCHEDULES):
            for b, block in enumerate(e.blocks[:3]):
                run = Run(e.to_unit(1000), block, self.gpus[(s + b) % len(self.gpus)], schedule=1 + draw(1000000))
                session.check(run, draw(), VARIED)

    def all_read(self, path):
        """Is each element read, where the answer does not show it? The place of one was never written: a fault says so."""
        e, draw = self.exercise, Draw(self.seed ^ 0x401e)
        if not e.all_read:
            return []
        for _ in range(PROBES):
            state = Draw(draw())
            n = e.to_unit((1, 1000, 4097)[state(3)])
            run, found = Run(n, e.blocks[0], hole=1 + state(n)), []

            def try_hole(session):
                try:
                    session.call(run, e.data(run.n, state.state, PLAIN), e.words(run.n, session.share(run)))
                except Failed:
                    pass
                found.extend(session.faults())
            try:
                self.in_program(path, try_hole)
            except Wrong:
                found.append("")
            if not found:
                return [self.line("all read", False, f"all read: element {run.hole - 1} of {run.n} is not read (blocks of {run.block})")]
        return [self.line("all read", True, f"all read: of {PROBES} elements, each in another run, none was left out")]

    def limits(self, path):
        """Each at its runs, and, where it is an upper one, at some blocks fewer than the first, too; what is forbidden in all runs."""
        e, values = self.exercise, {}
        if not e.limits_of_counts:
            return []

        def work(session, sms):
            draw = Draw(self.seed)
            for limit in e.limits_of_counts:
                for k, given in enumerate(limit.runs):
                    run = Run(given["n"], given["block"], given.get("gpus", 0), given.get("offset", 0), sms=given.get("sms", 0))
                    if run.sms != sms:
                        continue
                    key = tuple(sorted(given.items()))
                    if key not in values:
                        values[key] = dict(session.counted(run, self.seed)), run
                    if k == 0 and limit.bound == "at_most" and (key, "fewer") not in values:
                        share = run.block * e.per_thread
                        fewer = run.n - (1 + draw(run.n // share // 4)) * share if run.n // share // 4 else run.n
                        run = Run(fewer, run.block, run.gpus, run.offset, sms=run.sms)
                        values[key, "fewer"] = dict(session.counted(run, self.seed)), run
        try:
            for sms in sorted({run.get("sms", 0) for limit in e.limits_of_counts for run in limit.runs}):
                self.in_program(path, lambda session: work(session, sms))  # noqa: B023
        except Failed as failed:
            return [self.line("counts" if failed.criterion == "answer" else failed.criterion, False, f"counts: {self.where()}: {failed.text}")]
        except Wrong as wrong:
            return [self.line("counts", False, f"counts: {self.where()}: {wrong}")]
        return [self.limit(limit, values) for limit in e.limits_of_counts]

    def limit(self, limit, values):
        places = []
        for given, most in zip(limit.runs, limit.limits):
            key = tuple(sorted(given.items()))
            if limit.count not in values[key][0]:
                raise Fault(f"{self.exercise.path}: count: there is no {limit.count}; there are {', '.join(values[key][0])}")
            for at in (key, (key, "fewer")) if given is limit.runs[0] and limit.bound == "at_most" else (key,):
                counts, run = values[at]
                places.append((counts[limit.count], run, most))
        if limit.forbids and limit.count in self.forbidden:
            places.append((*self.forbidden[limit.count], 0))
        broken = [place for place in places if not limit.keeps(place[0], place[2])]
        value, run, most = (broken or places)[0]
        met, bound = not broken, BOUND[limit.bound]
        if limit.forbids:
            text = f"{limit.count}: none ({run})" if met else f"{limit.count}: {value:.0f}, and there should be none ({run}): {limit.says}"
        else:
            text = f"{limit.count}: {value:.0f}, {bound} {most} ({run})" if met else \
                f"{limit.count}: {value:.0f}, and it should be {bound} {most} ({run}): {limit.says}"
        result = self.line(limit.name, met, text, limit.points)
        result.values = [(value, most) for value, _, most in places]
        return result

    def time(self, path):
        """On a GPU: the time of launch(), and of the variant that the exercise names."""
        e = self.exercise
        if e.gpus:
            return self.line("time", None, "time: not reported for several GPUs; ./step14 shows the lesson's")
        n, against, us = e.given_answer.get("timed", 1 << 24), e.given_answer.get("against", ""), []

        def work(session):
            words = e.words(n, TIMED_BLOCK * e.per_thread)
            arguments = [(IN, 0, e.data(n, 1, PLAIN).tobytes(), 0, 0), (OUT, 0, bytes(4 * words), 0, 0), (SCALAR, 0, struct.pack("<Q", n), 0, 0),
                         (SCALAR, 0, struct.pack("<I", TIMED_BLOCK), 0, 0), (SCALAR, 0, against.encode() + b"\0", 0, 0)]
            us.extend(session.program.ask(arguments, how=TIME)[1][:2])
        try:
            self.in_program(path, work)
        except Wrong as wrong:
            return self.line("time", None, f"time: {wrong}")
        size = f"{n >> 20}M" if n % (1 << 20) == 0 else f"{n >> 10}K" if n % 1024 == 0 else str(n)
        return self.line("time", None, f"time: {us[0]:.1f} us at n = {size}, blocks of {TIMED_BLOCK}" + (f"; the lesson's {against}, to one sum: {us[1]:.1f} us" if us[1] else ""))

    # ---- a quiz: answers to numbers, computed by a run at this moment ----

    def quiz(self, path):
        e, found = self.exercise, {}
        if BACKEND != "sim":
            return [self.line("counts", None, "a quiz is about counts: only the simulator has them (make BACKEND=sim ...)")]

        def work(session):
            found["session"] = session
            if not session.is_quiz:
                return
            draw = Draw(session.seed)
            n, block = e.sizes[draw(len(e.sizes))], e.blocks[draw(len(e.blocks))]
            found["run"] = run = Run(n, block, e.gpus[draw(len(e.gpus))] if e.gpus else 0)
            words = int(value_of(f"{e.path}: words", e.words_text, {"n": n, "share": session.share(run)}))
            numbers = array.array("f", range(1, n + 1))
            out = session.call(run, numbers, words, requests=True)
            new = session.faults()
            if new:
                raise Failed("kernel", new[0])
            found["value"] = lambda text: self.value(text, session.counts, out)
        problem = None
        try:
            self.in_program(path, work)
        except (Wrong, Failed) as wrong:
            problem = str(wrong)
        session, run = found.get("session"), found.get("run")
        if run:
            self.heading.append(f"{run}; in[i] is i + 1 (drawn with the file's seed, {session.seed}):")
        if problem:
            return [self.line("kernel", False, f"the kernel of a quiz stays as it is: {problem}")]
        if not session.is_quiz:
            return [self.line("file", False, "the file defines no seed, or no answers[]: both lines belong into it")]
        return [self.question(k, question, session.answers[k], found["value"]) for k, question in enumerate(e.questions)]

    def question(self, k, question, answer, value):
        name, right, asks = f"question {k + 1}", value(question["is"]), question["asks"]
        if answer == right:
            return self.line(name, True, f"{k + 1}. {asks}: {answer:g}", question.get("points", 1))
        if answer == -1:
            return self.line(name, False, f"{k + 1}. {asks}: no answer yet")
        trap = next((trap["says"] for trap in question.get("traps", []) if value(trap["is"]) == answer), "that is too little" if answer < right else "that is too much")
        return self.line(name, False, f"{k + 1}. {asks}: not {answer:g}: {trap}")

    def value(self, text, counts, out):
        """Of "2 * load requests / blocks" or "out[5]"."""
        if not isinstance(text, str):
            return float(text)
        names = {"blocks": counts["blocks"]}
        for k, name in enumerate(sorted(counts, key=len, reverse=True)):
            if name in text and name != "blocks":
                text = text.replace(name, f"count_{k}")
                names[f"count_{k}"] = counts[name]
        text = re.sub(r"\bout\[(\d+)\]", lambda found: f"out_{found[1]}", text)
        names.update({f"out_{i}": out[int(i)] for i in re.findall(r"\bout_(\d+)", text)})
        return float(value_of(f"{self.exercise.path}: is", text, names))


class NotHere(Exception):
    """Why nothing can be judged on this machine."""


# ---- programs ----

FLAGS = ["-std=c++20", "-g1", "-I.", "-Isteps", "-Icommon"]


def link(object_, program, more=()):
    status, said = run_tool(CXX + [object_, *more, *PARTS, "-o", program, "-lm", "-pthread", *cxx_library()], ROOT)
    if status != 0:
        raise Wrong(f"it does not compile\n{said}")


def own_names(object_):
    """Before it is linked: what a file has to define, and what it may not."""
    symbols = symbols_of(object_)
    if ("launch", "T") not in symbols:
        raise Wrong('your file does not define launch(), which is called: extern "C" void launch(...), as in the file that was given')
    if ("main", "T") in symbols:
        raise Wrong("your file defines main(): it is launch() that is called; take main() out, or rename it")


def build(path, folder, extra=()):
    """The program of this file, in this folder, and what it was made from. Raises Wrong: its first line is the verdict's."""
    object_, program = f"{folder}/exercise.o", f"{folder}/program"
    done = subprocess.run([f"{ROOT}/simulator/simcc", "-Wall", *FLAGS, *extra, "-MD", "-MF", f"{folder}/deps", "-c", path, "-o", object_], cwd=ROOT, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, "LC_ALL": "C"})
    if done.returncode != 0:
        raise Wrong("it does not compile\n" + done.stdout.decode("utf-8", "replace"))
    own_names(object_)
    keep_only(object_, f"{folder}/own.o", {"launch", "seed", "answers"})
    link(f"{folder}/own.o", program)
    return program, source.dependences(f"{folder}/deps")


def build_many(paths, program):
    """One program of many versions of exercises, since half of the compiler's time is that of its own headers: each in a namespace;
    PROOF=k of the environment chooses. Raises Wrong."""
    parts, includes, cases, choices = [], set(), [], []
    many = "launch(const struct share" in open(paths[0]).read()
    parameters = "const struct share *shares, unsigned gpus, unsigned block" if many else "const float *in, float *out, size_t n, unsigned block"
    arguments = "shares, gpus, block" if many else "in, out, n, block"
    for k, path in enumerate(paths):
        with open(path) as file:
            text = file.read()
        includes |= set(re.findall(r'^[ \t]*#[ \t]*include[ \t]*(["<][^">]+[">])', text, re.M))
        macros = re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", text, re.M)
        shared = ("launch", "seed", "answers")
        parts += [f"#define {name} {name}_{k}\n" for name in shared] + [f'#pragma push_macro("{name}")\n#undef {name}\n' for name in macros]
        parts += [f'namespace n{k} {{\n#include "{path}"\n}}\n'] + [f'#pragma pop_macro("{name}")\n' for name in macros] + [f"#undef {name}\n" for name in shared]
        cases.append(f"    case {k}: return ((void (*)({parameters}))n{k}::launch_{k})({arguments});\n")
        if re.search(r"^double answers\[", text, re.M):
            choices.append(f"    case {k}: seed = n{k}::seed_{k}; memcpy(answers, n{k}::answers_{k}, sizeof n{k}::answers_{k}); break;\n")
    with open(program + ".cu", "w") as file:
        file.write("#include <stdlib.h>\n#include <string.h>\n" + "".join(f"#if __has_include({name})\n#include {name}\n#endif\n" for name in sorted(includes)) + "".join(parts) +
                   "static int chosen() { return atoi(getenv(\"PROOF\")); }\nunsigned seed;\ndouble answers[8];\n__attribute__((constructor)) static void choose()\n"
                   f"{{\n    switch (chosen()) {{\n{''.join(choices)}    default: break;\n    }}\n}}\nextern \"C\" void launch({parameters})\n{{\n    switch (chosen()) {{\n"
                   f"{''.join(cases)}    }}\n}}\n")
    status, said = run_tool([f"{ROOT}/simulator/simcc", "-w", *FLAGS, "-c", program + ".cu", "-o", program + ".o"], ROOT)
    if status != 0:
        raise Wrong(said)
    keep_only(program + ".o", program + ".own.o", {"launch", "seed", "answers"})
    link(program + ".own.o", program)
    return program
