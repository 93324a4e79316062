"""session.py: runs of launch(): each compared with what is right, and what is wrong named by its elements."""
import array
import ctypes
import math
import struct

from program import (ALL_GPUS, ANSWERS, BACKEND, COUNT_REQUESTS, IN, KEEP, LAST_BLOCK_FIRST, OUT, OVERWRITES, SCALAR, STRICT, VECTORS, named_counts)

MOST_PROBES = 2048  # runs that look for an element
PLAIN, VARIED, LATE = range(3)  # runner/reference.c
POISON = b"\xff\xff\xff\xff"


class Draw:
    """Whole numbers below 2^64, or below another, by draw() of runner/reference.c."""

    def __init__(self, exercise, seed):
        self.draw, self.state = exercise.library().draw, ctypes.c_uint64(seed)

    def __call__(self, below=1 << 64):
        return self.draw(ctypes.byref(self.state)) % below

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
        new = self.program.faults()
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
