"""kernel.py: judges launch(): how many floats and which blocks are tried follows from a few lines of NAME.toml, as for all of ours."""
import array
import re
import struct

from exercise import BOUND, Fault, value_of
from program import BACKEND, IN, OUT, SCALAR, TIME, Program, Unknown, Wrong
from result import line, wrong
from session import LATE, PLAIN, VARIED, Draw, Failed, Run, Session

SCHEDULES, DRAWN, LARGE, OTHER_GPUS, PROBES = 5, 32, 3, 3, 8
MOST_GPUS, TIMED_BLOCK = 8, 256
# Around warps, blocks, and a power of two beyond. The first one that is wrong is shown: so small ones come first, and none at all
# is no good example.
STANDARD = (31, 33, 1, 0, 255, 257, 1000, 1023, 1025, 4095, 4097)
CALLS = 40


class LaunchJudge:
    """Judges programs of one exercise, which run in this environment."""

    def __init__(self, machine, exercise, seed, text, environment=None):
        """text: of the file. environment: more of it for its program."""
        if BACKEND == "cuda":  # the driver takes its share
            exercise.limits.update(seconds=60, memory_mb=32768)
        self.machine, self.exercise, self.seed, self.text, self.environment = machine, exercise, seed, text, environment
        self.runs, self.forbidden, self.printed, self.heading, self.now, self.faults, self.gpus, self.begun = 0, {}, b"", [], None, [], [0], True

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

    def judge(self, path, said=None):
        """The lines of the verdict. said: what the text is refused for; then what else is wrong follows."""
        lines, self.runs, self.forbidden = [wrong("file", said)] if said else [], 0, {}
        if said and self.exercise.is_quiz:
            return lines
        return lines + [r for r in (quiz(self, path) if self.exercise.is_quiz else self.kernel(path)) if not said or r.met is False]

    def where(self):
        return str(self.now) if self.now else "at its start"

    # ---- a kernel ----

    def kernel(self, path):
        e, lines = self.exercise, []
        there = self.ask_gpus(path) if e.gpus else 0
        self.gpus = [count for count in e.gpus if count <= there] if e.gpus else [0]
        self.heading.append(f"Blocks of {', '.join(map(str, e.blocks))}{'; so many GPUs: ' + ', '.join(map(str, self.gpus)) if e.gpus else ''}; "
                            f"data and schedules drawn with SEED={self.seed}.")
        lines += [line("GPUs", None, f"with {count} GPUs: here are {there} that reach each other's memory; BACKEND=sim has {MOST_GPUS}") for count in e.gpus if count > there]
        problem = self.tried(path, "answer", self.try_sizes) or BACKEND == "sim" and self.tried(path, "answer", self.try_other_gpu)
        if problem:
            return lines + [problem]
        lines.append(line("answer", True, f"answer: {e.answer_is}, {self.runs} runs: n = 0, 1, 31, 33, 1000, 2^k - 1, 2^k + 1, drawn ones, starts not aligned",
                          e.given_answer.get("points", 1)))
        if e.gpus:
            lines.append(line("all GPUs", True, "all GPUs: each has the answer in its own memory, with the same bits"))
        if BACKEND != "sim":
            lines.append(line("schedules", None, "races and the like: not reported by a GPU; BACKEND=sim finds them"))
            return lines + [self.time(path)] + \
                [line("counts", None, "requests, sectors, barriers and the like: not reported by a GPU here; BACKEND=sim counts them")] * bool(e.limits_of_counts)
        problem = self.tried(path, "schedules", self.try_schedules)
        if problem:
            return lines + [problem]
        lines.append(line("schedules", True, "faults, five schedules: none: no race, no deadlock, no read of unwritten memory", e.given_answer.get("faults_points", 1)))
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
                return line(criterion, False, f"faults, five schedules: {self.where()}: {failed.text}")
            return line(failed.criterion, False, f"answer: {e.answer_is}: {self.where()}: {failed.text}")
        except Wrong as wrong:
            return self.of_fault(criterion, str(wrong))
        return None

    def of_fault(self, criterion, text):
        of_faults = self.exercise.given_answer.get("of_faults", "")
        how = "simulator: " + text if text in self.faults else text
        how += "" if self.begun or text != "the program ended itself" else " before its first launch"
        if criterion == "schedules":
            return line("schedules", False, f"faults, five schedules: {self.where()}: {how}")
        return line("faults", False, f"faults: {self.where()}: {how}{'; ' + of_faults if of_faults else ''}")

    def ask_gpus(self, path):
        there = []
        self.in_program(path, lambda session: there.append(session.gpus))
        if there[0] < 2:
            raise Unknown("this needs two GPUs that reach each other's memory, and here is no such pair; the simulator has 8: BACKEND=sim")
        return there[0]

    def try_sizes(self, session):
        e, draw = self.exercise, Draw(self.exercise, self.seed)
        if BACKEND != "sim" and session.gpus == 0:
            raise Unknown("here is no GPU; BACKEND=sim needs none")
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
        e, draw, blocks = self.exercise, Draw(self.exercise, self.seed ^ 0xd4a3), self.exercise.all_blocks()
        most = e.most_n or 20000
        for i in range(DRAWN):
            first = i % len(blocks)
            other = first + draw(len(blocks) - first)
            block = blocks[other]
            blocks[other], blocks[first] = blocks[first], block
            session.check(Run(e.to_unit(draw.size()), block, self.gpus[draw(len(self.gpus))]), draw(), VARIED)
        has_larger = not e.most_n and not e.gpus and e.larger
        for _ in range(1 if has_larger else LARGE):
            session.check(Run(e.to_unit(most - draw(most // 4)), e.blocks[0], self.gpus[0]), draw(), VARIED)
        if has_larger:
            session.check(Run(e.to_unit(e.larger - draw(100)), e.blocks[0]), draw(), VARIED)

    def try_again(self, session):
        """New data in the same memory, as a program that sums often has it; memory that stays allocated; many calls."""
        e, draw, leaks = self.exercise, Draw(self.exercise, self.seed ^ 0xa9a1), []
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
            n = (16 * share if k % 256 == 0 else 0) + 1 + k % 32
            session.check(Run(e.to_unit(n) or e.unit, e.blocks[0]), draw(), VARIED, keep=True)

    def try_other_gpu(self, session):
        """On a GPU with more SMs: a program of its own, since no GPU grows while a program runs."""
        e, draw = self.exercise, Draw(self.exercise, self.seed ^ 0x5a5a)
        sms = 5 + draw(4)
        for _ in range(OTHER_GPUS):
            session.check(Run(e.to_unit(draw.size()), e.blocks[0], self.gpus[0], sms=sms), draw(), VARIED)

    def try_schedules(self, session):
        e, draw = self.exercise, Draw(self.exercise, ~self.seed)
        for s in range(SCHEDULES):
            for b, block in enumerate(e.blocks[:3]):
                run = Run(e.to_unit(1000), block, self.gpus[(s + b) % len(self.gpus)], schedule=1 + draw(1000000))
                session.check(run, draw(), VARIED)

    def all_read(self, path):
        """Is each element read, where the answer does not show it? The place of one was never written: a fault says so."""
        e, draw = self.exercise, Draw(self.exercise, self.seed ^ 0x401e)
        if not e.all_read:
            return []
        for _ in range(PROBES):
            state = Draw(e, draw())
            n = e.to_unit((1, 1000, 4097)[state(3)])
            run, found = Run(n, e.blocks[0], hole=1 + state(n)), []

            def try_hole(session):
                try:
                    session.call(run, e.data(run.n, state.state.value, PLAIN), e.words(run.n, session.share(run)))
                except Failed:
                    pass
                found.extend(session.program.faults())
            try:
                self.in_program(path, try_hole)
            except Wrong:
                found.append("")
            if not found:
                return [line("all read", False, f"all read: element {run.hole - 1} of {run.n} is not read (blocks of {run.block})")]
        return [line("all read", True, f"all read: of {PROBES} elements, each in another run, none was left out")]

    def limits(self, path):
        """Each at its runs, and, where it is an upper one, at some blocks fewer than the first, too; what is forbidden in all runs."""
        e, values = self.exercise, {}
        if not e.limits_of_counts:
            return []

        def work(session, sms):
            draw = Draw(e, self.seed)
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
            return [line("counts" if failed.criterion == "answer" else failed.criterion, False, f"counts: {self.where()}: {failed.text}")]
        except Wrong as wrong:
            return [line("counts", False, f"counts: {self.where()}: {wrong}")]
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
        result = line(limit.name, met, text, limit.points)
        result.values = [(value, most) for value, _, most in places]
        return result

    def time(self, path):
        """On a GPU: the time of launch(), and of the variant that the exercise names."""
        e = self.exercise
        if e.gpus:
            return line("time", None, "time: not reported for several GPUs; ./step14 shows the lesson's")
        n, against, us = e.given_answer.get("timed", 1 << 24), e.given_answer.get("against", ""), []

        def work(session):
            words = e.words(n, TIMED_BLOCK * e.per_thread)
            arguments = [(IN, 0, e.data(n, 1, PLAIN).tobytes(), 0, 0), (OUT, 0, bytes(4 * words), 0, 0), (SCALAR, 0, struct.pack("<Q", n), 0, 0),
                         (SCALAR, 0, struct.pack("<I", TIMED_BLOCK), 0, 0), (SCALAR, 0, against.encode() + b"\0", 0, 0)]
            us.extend(session.program.ask(arguments, how=TIME)[1][:2])
        try:
            self.in_program(path, work)
        except Wrong as wrong:
            return line("time", None, f"time: {wrong}")
        size = f"{n >> 20}M" if n % (1 << 20) == 0 else f"{n >> 10}K" if n % 1024 == 0 else str(n)
        return line("time", None, f"time: {us[0]:.1f} us at n = {size}, blocks of {TIMED_BLOCK}" + (f"; the lesson's {against}, to one sum: {us[1]:.1f} us" if us[1] else ""))


# ---- a quiz: answers to numbers, computed by a run at this moment ----

def quiz(judge, path):
    """The lines of the verdict."""
    e, found = judge.exercise, {}
    if BACKEND != "sim":
        return [line("counts", None, "a quiz is about counts: only the simulator has them (make BACKEND=sim ...)")]

    def work(session):
        found["session"] = session
        if not session.is_quiz:
            return
        draw = Draw(e, session.seed)
        n, block = e.sizes[draw(len(e.sizes))], e.blocks[draw(len(e.blocks))]
        found["run"] = run = Run(n, block, e.gpus[draw(len(e.gpus))] if e.gpus else 0)
        words = int(value_of(f"{e.path}: words", e.words_text, {"n": n, "share": session.share(run)}))
        numbers = array.array("f", range(1, n + 1))
        out = session.call(run, numbers, words, requests=True)
        new = session.program.faults()
        if new:
            raise Failed("kernel", new[0])
        found["value"] = lambda text: value_of_text(e, text, session.counts, out)
    problem = None
    try:
        judge.in_program(path, work)
    except (Wrong, Failed) as failed:
        problem = str(failed)
    session, run = found.get("session"), found.get("run")
    if run:
        judge.heading.append(f"{run}; in[i] is i + 1 (drawn with the file's seed, {session.seed}):")
    if problem:
        return [line("kernel", False, f"the kernel of a quiz stays as it is: {problem}")]
    if not session.is_quiz:
        return [line("file", False, "the file defines no seed, or no answers[]: both lines belong into it")]
    return [question_line(k, question, session.answers[k], found["value"]) for k, question in enumerate(e.questions)]


def question_line(k, question, answer, value):
    name, right, asks = f"question {k + 1}", value(question["is"]), question["asks"]
    if answer == right:
        return line(name, True, f"{k + 1}. {asks}: {answer:g}", question.get("points", 1))
    if answer == -1:
        return line(name, False, f"{k + 1}. {asks}: no answer yet")
    trap = next((trap["says"] for trap in question.get("traps", []) if value(trap["is"]) == answer), "that is too little" if answer < right else "that is too much")
    return line(name, False, f"{k + 1}. {asks}: not {answer:g}: {trap}")


def value_of_text(e, text, counts, out):
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
    return float(value_of(f"{e.path}: is", text, names))
