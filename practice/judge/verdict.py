"""verdict.py: judges one submission by the criteria of its exercise."""
import array
import itertools
import math
import random
import re
import threading

import source
from exercise import BOUND, FLOATS, Fault, value_of
from kernel import LaunchJudge
from program import Builder, Program, Wrong, named_counts, read_source
from result import Result, wrong


FEW = 16  # elements: so many do not come out right by chance
MOST_IN_ORDERS = 20000  # elements: a larger run is tried in the natural order alone


def allowed(a, want):
    """How far an element may be off: by what the exercise says, relative to the largest element of the right answer; else as far as
    64 roundings take it. Whole numbers are exact."""
    if a.code not in FLOATS:
        return a.tolerance or 0
    largest = max((abs(x) for x in want if math.isfinite(x)), default=0)
    relative = a.tolerance if a.tolerance is not None else 64 * 2.0 ** (-24 if a.code == "f" else -53)
    return relative * largest


def name_of(a, shape, i):
    """c[2][17]; of a vector .y, too."""
    part, i = i % a.parts, i // a.parts
    indices = []
    for extent in reversed(shape):
        indices.insert(0, i % extent)
        i //= extent
    return a.name + "".join(f"[{k}]" for k in indices) + ("." + "xyzw"[part] if a.parts > 1 else ""), indices


def where_they_are(a, shape, wrong):
    """"12 of 255 are wrong: rows 0 to 3, columns 16 to 16"."""
    total = math.prod(shape) * a.parts
    text = f"{len(wrong)} of {total} are wrong" if len(wrong) < total else f"all {total} are wrong" if total > 1 else ""
    if 1 < len(wrong) < total:
        indices = [name_of(a, shape, i)[1] for i in wrong]
        axes = {1: ["elements"], 2: ["rows", "columns"]}.get(len(shape), [f"index {k + 1}:" for k in range(len(shape))])
        ranges = []
        for k, axis in enumerate(axes):
            low, high = min(index[k] for index in indices), max(index[k] for index in indices)
            if (low, high) != (0, shape[k] - 1) or len(shape) == 1:
                ranges.append(f"{axis} {low} to {high}")
        text += f": {', '.join(ranges)}" if ranges else ""
    return text


def pattern(a, shape, want, got, wrong, tolerance):
    """What the whole array looks like, if it is something that is often done; or ""."""
    poison = a.poison()

    def same(x, y):
        return abs(x - y) <= tolerance

    def is_poison(x):
        return x != x if a.code in FLOATS else x == poison
    if a.written and not a.also_read:
        if all(is_poison(got[i]) for i in wrong):
            if a.code in FLOATS:
                return "NaN, as before the call: never written, or added to what lay there"
            return "never written"
        if a.code not in FLOATS and all(same(got[i] - poison, want[i]) for i in wrong):
            return "added to what lay there: it has to be set to 0 first"
    if len(wrong) == len(want) > 1 and all(x == 0 for x in got):
        return "all is 0"
    if len(shape) == 2 and a.parts == 1 and shape[0] == shape[1] > 1 and all(same(got[i], want[i % shape[0] * shape[0] + i // shape[0]]) for i in range(len(want))):
        return "it is the right answer transposed"
    if len(want) > 2 and a.parts == 1:  # shifted zeros say nothing
        if any(want[:-1]) and all(same(x, y) for x, y in zip(got[1:], want)) and not all(same(x, y) for x, y in zip(got, want)):
            return "each element is where the next one belongs"
        if any(want[1:]) and all(same(x, y) for x, y in zip(got, want[1:])):
            return "each element is where the one before belongs"
    if abs(sum(got) - sum(want)) <= tolerance and sorted(got) == sorted(want):
        return "the right numbers, in other places"
    if a.code in "BHIQ" and all(got[i] < want[i] for i in wrong):
        return f"too small, by {sum(want[i] - got[i] for i in wrong)} in all: something is not counted, or is lost where two threads write at once"
    return ""


def difference(exercise, run, right, got):
    """In one line how the first array differs from the right one, or None."""
    for a in exercise.arguments + ([exercise.result] if exercise.result else []):
        if a.name not in right:
            continue
        want, have, shape = right[a.name], got[a.name], run.shapes.get(a.name, [])
        if a.is_array and "compare" in a.table:
            names = {**run.sizes, **{name: values[0] for name, values in right.items() if len(values) == 1}}
            count = exercise.whole(f"{a.where}: compare", a.table["compare"], names)
            want, have, shape = want[:count], have[:count], [count]
        if a.table.get("order") == "any":
            want, have = array.array(a.code, sorted(want)), array.array(a.code, sorted(have, key=lambda x: (x != x, x)))
        if want.tobytes() == have.tobytes():
            continue
        tolerance = allowed(a, want)
        wrong = [i for i, (x, y) in enumerate(zip(want, have)) if not (x == y or abs(x - y) <= tolerance or x != x and y != y)]
        if not wrong:
            continue
        i = wrong[0]
        what = f"{name_of(a, shape, i)[0]}: expected {want[i]:.6g}, got {have[i]:.6g}" if a.code in FLOATS else \
            f"{name_of(a, shape, i)[0]}: expected {want[i]}, got {have[i]}"
        more = [where_they_are(a, shape, wrong) if a.is_array else "", pattern(a, shape, want, have, wrong, tolerance)]
        more = [text for text in more if text]
        return what + (f" ({'; '.join(more)})" if more else "")
    return None


class Judge:
    """Judges submissions to one exercise. All runs, and the right answers, are made once. Raises Fault if the exercise is wrong."""

    def __init__(self, machine, exercise, seed):
        self.machine, self.exercise, self.seed = machine, exercise, seed
        self.of_thread = threading.local()  # .text: the submission that it judges
        self.builder = Builder(machine, exercise)
        try:
            self.prepare()
        except BaseException:
            self.builder.close()
            raise

    def close(self):
        self.builder.close()

    def prepare(self):
        e = self.exercise
        self.runs = {c.name: e.runs_of(c, self.seed) for c in e.criteria if c.kind in ("answer", "faults", "count")}
        source = random.Random(f"{self.seed} {e.name} schedules")
        # The odd ones start with the grid's last block (runner.c).
        self.schedules = [2 + 2 * source.getrandbits(20) + k % 2 for k in range(100)]
        self.right, self.counts = {}, {}
        needs_solution = not e.reference or any("solution" in str(c.table.get(bound, "")) for c in e.criteria for bound in BOUND)
        self.solution = None
        if needs_solution:
            try:
                text, _ = read_source(e.solution)
            except Wrong as wrong:
                raise Fault(f"{e.path}: {e.solution}: {wrong}; the right answers come from it: solution = or reference = names another") from None
            try:
                self.solution = self.builder.compile(text, trusted=True)
            except Wrong as wrong:
                raise Fault(f"{e.solution}: {wrong}") from None
        program = self.builder.reference(e.reference) if e.reference else self.solution
        try:
            with Program(self.machine, program, e.limits, trusted=True) as running:
                self.known = list(named_counts(running.counts, [0] * len(running.counts), 0))
                for c in e.criteria:
                    if c.kind == "count" and c.table["count"] not in self.known:
                        raise Fault(f"{c.where}: count: there is no {c.table['count']}; there are {', '.join(self.known)}")
                    if c.kind in ("answer", "faults"):
                        self.right[c.name] = [running.call(e, run, on_host=bool(e.reference))[0] for run in self.runs[c.name]]
            if self.solution:
                with Program(self.machine, self.solution, e.limits, trusted=True) as running:
                    for c in e.criteria:
                        if c.kind == "count":
                            self.counts[c.name] = [running.call(e, run, requests=True)[1][c.table["count"]] for run in self.runs[c.name]]
        except Wrong as wrong:
            raise Fault(f"{e.reference or e.solution}: the right answers cannot be had: {wrong}") from None
        for c in e.criteria:
            for run, k in zip(self.runs.get(c.name, []), itertools.count()):
                for bound in c.bounds if c.kind == "count" else ():
                    self.bound(c, bound, run, k)

    def bound(self, criterion, bound, run, k):
        names = {**run.sizes, **({"solution": int(self.counts[criterion.name][k])} if self.solution else {})}
        return math.floor(value_of(f"{criterion.where}: {bound}", criterion.table[bound], names))

    def judge(self, text):
        """The results of all criteria, in their order, and what the program printed."""
        e, self.of_thread.text = self.exercise, text
        self_faults, printed = [], [b""]
        try:
            program = self.builder.compile(text)
        except Wrong as wrong:
            return [Result(c, False if k == 0 else None, str(wrong) if k == 0 else "not judged") for k, c in enumerate(e.criteria)], b""
        results = {}
        ordered = sorted(e.criteria, key=lambda c: (c is not e.first_answer, c.kind != "answer"))
        for c in ordered:
            if c is not e.first_answer and not results[e.first_answer.name].met:
                results[c.name] = Result(c, None, "not judged, since the answer is wrong")
                continue
            try:
                results[c.name] = Result(c, True, getattr(self, "try_" + ("words" if c.kind in ("forbid", "require") else c.kind))(
                    c, text if c.kind in ("forbid", "require") else program, self_faults, printed))
            except Wrong as wrong:
                results[c.name] = Result(c, False, f"{wrong}{': ' + c.says if c.says else ''}")
        return [results[c.name] for c in e.criteria], printed[0]

    # Each returns what is said of a criterion that is met, and raises Wrong if it is not.

    def try_answer(self, c, program, faults, printed):
        e, has_faults = self.exercise, any(other.kind == "faults" for other in self.exercise.criteria)
        run, launches, schedule = None, 0, 0
        on_host = any(a.on_host for a in e.arguments)
        try:
            with Program(self.machine, program, e.limits, source=self.of_thread.text) as running:
                try:
                    for run, right in zip(self.runs[c.name], self.right[c.name]):
                        schedule = 0
                        got, counts = running.call(e, run)
                        new = running.faults()
                        faults += [f"{run}: {line}" for line in new[:1] if not faults]
                        problem = difference(e, run, right, got)
                        if problem:
                            raise Wrong(problem + (f"; {new[0]}" if new else ""))
                        if new and not has_faults:
                            raise Wrong(new[0])
                        if counts["bytes copied to the host"] > e.host_bytes and not on_host:
                            raise Wrong(f"the host can see {counts['bytes copied to the host']:.0f} bytes of the device's memory, and needs no more "
                                        f"than {e.host_bytes}: the GPU has to do the work")
                        launches += counts["launches"]
                        # CUDA promises no order: an answer that comes by one order alone is none.
                        for schedule in self.schedules[:2 if not c.table.get("races") and sum(map(len, run.values)) <= MOST_IN_ORDERS else 0]:
                            problem = difference(e, run, right, running.call(e, run, schedule)[0])
                            if problem:
                                new = running.faults()
                                raise Wrong(f"{new[0]}: {problem}" if new else problem)
                    if launches == 0:
                        raise Wrong("no kernel was launched: the GPU has to do the work")
                finally:
                    running.end()
                    printed[0] = printed[0] or running.printed
                if running.ended != 0 and not running.faults():
                    raise Wrong(running.how_it_ended())
        except Wrong as wrong:
            raise Wrong(f"{run}{f', schedule {schedule}' if schedule else ''}: {wrong}" if run else str(wrong)) from None
        if on_host and self.right_without_kernels(program, c):
            raise Wrong("the result is right even where kernels do nothing, so the host has found it: the GPU has to do the work")
        return f"right in {len(self.runs[c.name])} runs"

    def host_would_do(self):
        """Whether a solution that the host computes would have all points: all that it needs may be seen by the host."""
        e = self.exercise
        if any(c.kind == "count" and {"at_least", "exactly"} & set(c.bounds) for c in e.criteria):
            return False
        for c in e.criteria:
            for run, right in zip(self.runs[c.name], self.right[c.name]) if c.kind == "answer" else ():
                seen = sum(len(value) * value.itemsize for a, value in zip(e.arguments, run.values) if a.drawn and not a.on_host)
                if seen > e.host_bytes or any(a.on_host for a in e.arguments) and sum(len(values) for values in right.values()) >= FEW:
                    return False
        return True

    def right_without_kernels(self, program, c):
        """Whether the answer to the largest run comes out though no kernel does anything."""
        e = self.exercise
        run, right = max(zip(self.runs[c.name], self.right[c.name]), key=lambda pair: sum(len(v) for v in pair[1].values()))
        if sum(len(v) for v in right.values()) < FEW:
            return False
        try:
            with Program(self.machine, program, e.limits, source=self.of_thread.text) as running:
                return difference(e, run, right, running.call(e, run, kernels=False)[0]) is None
        except Wrong:
            return False

    def try_faults(self, c, program, faults, printed):
        e = self.exercise
        if faults:
            raise Wrong(faults[0])
        run = schedule = None
        try:
            with Program(self.machine, program, e.limits, source=self.of_thread.text) as running:
                for schedule in self.schedules[:c.schedules]:
                    for run, right in zip(self.runs[c.name], self.right[c.name]):
                        got, _ = running.call(e, run, schedule)
                        new = running.faults()
                        problem = new[0] if new else difference(e, run, right, got)
                        if problem:
                            raise Wrong(problem)
        except Wrong as wrong:
            raise Wrong(f"{run}, schedule {schedule}: {wrong}") from None
        return f"none under {c.schedules} schedules: no race, no deadlock, no access outside of arrays"

    def try_count(self, c, program, faults, printed):
        e, said = self.exercise, ""
        with Program(self.machine, program, e.limits, source=self.of_thread.text) as running:
            for k, run in enumerate(self.runs[c.name]):
                try:
                    got = running.call(e, run, requests=True)[1][c.table["count"]]
                except Wrong as wrong:
                    raise Wrong(f"{run}: {wrong}") from None
                limits = {bound: self.bound(c, bound, run, k) for bound in c.bounds}
                said = f"{c.table['count']}: {got:.0f}, {' and '.join(f'{BOUND[bound]} {limit}' for bound, limit in limits.items())} ({run})"
                for bound, limit in limits.items():
                    if bound == "at_most" and got > limit or bound == "at_least" and got < limit or bound == "exactly" and got != limit:
                        raise Wrong(f"{c.table['count']}: {got:.0f}, and it should be {BOUND[bound]} {limit} ({run})")
        return said

    def try_words(self, c, text, faults, printed):
        words = self.builder.words(text)
        for word in c.table.get("forbid", []) + c.table.get("require", []):
            there = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", words)
            if there and "forbid" in c.table:
                raise Wrong(f"{word} is used, and may not be")
            if not there and "require" in c.table:
                raise Wrong(f"{word} is not used, and has to be")
        return "as asked"


class LaunchVerdict:
    """The same for an exercise that defines launch() (launch.py)."""

    def __init__(self, machine, exercise, seed):
        self.machine, self.exercise, self.seed = machine, exercise, seed
        self.builder = Builder(machine, exercise)

    def close(self):
        self.builder.close()

    def host_would_do(self):
        return False  # it has to read all, and may not copy

    def judge(self, text):
        e = self.exercise
        try:
            program = self.builder.compile(text)
        except Wrong as refused:
            return [wrong("file", str(refused))], b""
        said = source.by_text(e, text, e.name)
        judge = LaunchJudge(self.machine, e, self.seed, text)
        return judge.judge(program, said), judge.printed
