"""quiz.py: judges a quiz: answers to numbers, computed by a run at this moment."""
import array
import re

from exercise import value_of
from program import BACKEND, Wrong
from result import line
from session import Draw, Failed, Run


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
