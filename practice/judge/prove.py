"""prove.py: tries exercises that define launch() with every file that is known: the solution, the file as given, mistakes, right
answers. Half of a compiler's time is that of its own headers, so many are one program."""
import concurrent.futures
import os
import re
import tempfile

import source
from building import build_many
from exercise import Fault
from kernel import LaunchJudge
from program import Machine, Wrong
from result import wrong

MOST = 60  # versions of one program


class Proof:
    """Of one exercise: which of its files were judged as they should be."""

    def __init__(self, name, points):
        self.name, self.points, self.problems, self.tables, self.notes = name, points, [], [], []
        self.planted = self.found = self.right = self.refused = 0

    def add(self, what, says, lines, text=lambda r: r.text):
        """says: what must be said of it; None of a right one."""
        bad, right = [text(r) for r in lines if r.met is False], says is None
        self.right, self.refused = self.right + right, self.refused + (right and bool(bad))
        self.planted, self.found = self.planted + (not right), self.found + (not right and bool(bad))
        if right and bad:
            self.problems.append(f"{what} is refused: {bad[0]}")
        elif not right and not bad:
            solved = "; or is it solved here? make reset puts that aside" if what.endswith(" as given") else ""
            self.problems.append(f"{what} has all points: no criterion sees it{solved}")
        elif says and not re.search(says, "\n".join(bad)):
            self.problems.append(f"{what}: nothing says {says!r}: {bad[0]}")
        self.tables.append({"exercise": self.name, "file": what, "right": right, "not_met": [r.criterion.name for r in lines if r.met is False]})


def cases_of(e):
    """[(what it is, its text, what must be said: None if it is right)]"""
    solution = e.solved()
    cases = [("the solution", solution, None)]
    if os.path.exists(e.given):
        with open(e.given, encoding="utf-8") as file:
            cases.append((os.path.basename(e.given) + " as given", file.read(), getattr(e, "as_given", "")))
    return cases + [(mistake["name"], e.edited(mistake, solution), None if mistake.get("right") else mistake.get("says", "")) for mistake in e.mistakes()]


def chunks_of(work):
    """What can be one program: launch() is of one kind, and the static shared memory of all kernels fits; it counts where blocks are
    counted that run together."""
    chunk, kind = [], lambda one: ("launch(const struct share" in one[2], "Cooperative" in one[2] or "this_grid" in one[2])
    for one in work:
        if chunk and (len(chunk) >= MOST or kind(one) != kind(chunk[0]) or sum("__shared__" in other[2] for other in chunk) > 40):
            yield chunk
            chunk = []
        chunk.append(one)
    if chunk:
        yield chunk


def lines_of(judge, program, says, said):
    """The verdict. Of a mistake that its text shows, nothing else is looked at; of one that a limit is to name, the limits at first: the
    answer is right there."""
    if says and said and re.search(says, said):
        return [wrong("file", said)]
    if says and not said and any(words in says for words in ("at most", "at least", "should be none")):
        lines = judge.limits(program)
        if re.search(says, "\n".join(r.text for r in lines if r.met is False)):
            return lines
    return judge.judge(program, said)


def judge_chunk(machine, folder, chunk, seed):
    """[lines of each]."""
    paths = []
    for k, (e, what, text, says) in enumerate(chunk):
        paths.append(os.path.join(folder, f"{k}.cu"))
        with open(paths[-1], "w", encoding="utf-8") as file:
            file.write(text)
    try:
        program = build_many(paths, os.path.join(folder, "many"))
    except Wrong as refused:
        if len(chunk) == 1:
            return [[wrong("file", str(refused))]]
        found = []
        for k, one in enumerate(chunk):  # one of them does not compile: each by itself
            os.mkdir(os.path.join(folder, f"of_{k}"))
            found += judge_chunk(machine, os.path.join(folder, f"of_{k}"), [one], seed)
        return found
    found = []
    for k, (e, what, text, says) in enumerate(chunk):
        said = source.by_text(e, text, e.name)
        try:
            found.append(lines_of(LaunchJudge(machine, e, seed, text, {"PROOF": str(k)}), program, says, said))
        except Fault as fault:
            found.append([wrong("file", str(fault))])
    return found


def prove(session, names):
    """A Proof of each."""
    proofs, work, machine = {}, [], Machine(confines=False)
    for name in names:
        e = session.course.exercise(name)
        proofs[name] = Proof(name, e.points)
        try:
            work += [(e, *case) for case in cases_of(e)]
        except (Fault, OSError) as fault:
            proofs[name].problems.append(str(fault))
    with tempfile.TemporaryDirectory(prefix="prove.") as folder, concurrent.futures.ThreadPoolExecutor(session.options.jobs) as pool:
        chunks = list(chunks_of(work))
        places = [tempfile.mkdtemp(dir=folder) for _ in chunks]
        for chunk, found in zip(chunks, pool.map(lambda pair: judge_chunk(machine, *pair, session.seed), zip(places, chunks))):
            for (e, what, _, says), lines in zip(chunk, found):
                proofs[e.name].add(what, says, lines)
                if what == "the solution":
                    proofs[e.name].problems += wide_limits(e, lines)
    return list(proofs.values())


def wide_limits(e, lines):
    """Upper limits that are wider than what the solution needs."""
    found = []
    for limit in e.limits_of_counts:
        for r in lines:
            if r.criterion.name != limit.name or limit.bound != "at_most" or limit.forbids:
                continue
            for most in set(limit.limits):
                nearest = max((value for value, of in r.values if of == most), default=0)
                if most - nearest > limit.slack:
                    found.append(f"{limit.count}, at most {most}: the solution needs {nearest:.0f}")
    return found
