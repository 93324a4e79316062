"""model.py: what the model of time (docs/time.md) says of a kernel that is right, and of its solution: a line for whoever practises on
the simulator."""
import re

from program import ROOT, Wrong

GPU, N = "h200", 1 << 17
KERNEL = re.compile(r"(?P<kernel>.*)<<<.*>>>: (?:(?P<low>[\d.]+) to (?P<high>[\d.]+) us, (?P<limit>[a-z]+ \d+ %)|not predicted: (?P<why>.*?))(?:, the first of \d+ launches)?$")


def predicted(judge, program, run, seed):
    """(low, high, what limits the longest kernel) of all kernels of one launch(), in µs; or why not, a text."""
    before, judge.environment = judge.environment, {**(judge.environment or {}), "SIMT_MODEL": GPU, "SIMT_SOURCES": ROOT}
    try:
        judge.in_program(program, lambda session: session.call(run, judge.exercise.data(run.n, seed, 0), judge.exercise.words(run.n, session.share(run))))
    except Wrong as wrong:
        return str(wrong)
    finally:
        judge.environment = before
    found = [found for found in map(KERNEL.fullmatch, judge.faults) if found]
    why = next((f["why"] for f in found if f["why"]), None)
    if why or not found:
        return why or "no kernel was launched"
    return sum(float(f["low"]) for f in found), sum(float(f["high"]) for f in found), max(found, key=lambda f: float(f["low"]))["limit"]


def shown(times):
    return " to ".join(f"{us:.3g}" if us < 100 else f"{us:.0f}" for us in times[:2])


def line(judge, program, its, run, seed):
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
