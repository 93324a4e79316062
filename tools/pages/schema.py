"""schema.py: what a file of results may hold, as schema.csv tells it.

Of the columns of runs.csv (of: run) and of variants.csv, and the keys of machine.json: their kind,
the least and most of a number, the only values of a text, and whether it may be missing: needed is "yes" or the
backends whose machines tell it. Kinds: text, whole, number, error (a number, inf or nan), version (13.0), commit, date.
"""
import csv
import io
import json
import os
import re
from collections import Counter
from typing import NamedTuple

from page_markdown import content, not_read

TEXT = re.compile(r"[A-Za-z0-9_ .+@()-]+")  # nothing that gnuplot, SVG, Markdown or a shell would obey
NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d{1,2})?", re.A)
INFINITE = re.compile(r"[-+]?(inf|nan)")
FORMS = {
    "version": (re.compile(r"\d{1,9}(\.\d{1,9})*", re.A), "a version such as 13.0"),
    "commit": (re.compile(r"[A-Za-z0-9_.+-]+"), "a commit such as 1a2b3c4"),
    "date": (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.A), "as in 2026-01-31T12:00:00Z"),
}


def shown(text):
    """A text from outside, in a message."""
    return re.sub("[^ -~]", "?", str(text))[:60]


class Field(NamedTuple):
    """One line of schema.csv."""
    name: str
    kind: str
    least: float
    most: float
    values: tuple
    needed: str

    @property
    def is_text(self):
        return self.kind in ("text", *FORMS)

    def fault(self, text):
        """What is wrong with a text that is to be such a field, or None."""
        why = self.why_not(text)
        return why and f"{self.name} is {why}: {shown(text)}"

    def why_not(self, text):
        if self.values:
            return None if text in self.values else f"none of {', '.join(self.values)}"
        if self.kind == "text":
            return None if TEXT.fullmatch(text) else "not of letters, digits, blanks and _.+@()- alone"
        if self.kind in FORMS:
            return None if FORMS[self.kind][0].fullmatch(text) else f"not {FORMS[self.kind][1]}"
        if self.kind == "error" and INFINITE.fullmatch(text):
            return None
        if self.kind == "whole" and not re.fullmatch(r"\d+", text, re.A):
            return "not a whole number"
        if not NUMBER.fullmatch(text):
            return "not a number"
        return None if len(text) <= 40 and self.least <= float(text) <= self.most else f"not between {self.least:g} and {self.most:g}"


def read_schema():
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "schema.csv"), newline="") as file:
        lines = list(csv.DictReader(file))
    return {of: {name: Field(name, line["kind"], float(line["least"] or 0), float(line["most"] or 0), tuple(line["values"].split()), line["needed"])
                 for line in lines if line["of"] == of for name in line["names"].split()} for of in ("run", "variants", "machine")}


PARTS = ("part", "commit", "kernels", "date", "seconds", "files")  # columns of parts.csv
SCHEMA = read_schema()
RUN, VARIANTS, MACHINE = SCHEMA["run"], SCHEMA["variants"], SCHEMA["machine"]
COUNTS = tuple(RUN)[list(RUN).index("ok") + 1:-2]  # of the simulator, and row: a run that holds none may lack the columns
# What follows from the other columns, and from the machine.json of its folder: so a run may lack these, too.
FOLLOWS = {"cache": lambda row, machine: {"plain": "cold", "graph": "warm"}.get(row.get("launch"), ""),
           "backend": lambda row, machine: machine.get("backend", "") if row.get("launch") or row.get("block") or row.get("gld_requests") else "cpu",
           "device": lambda row, machine: machine.get("cpu" if (row.get("backend") or FOLLOWS["backend"](row, machine)) == "cpu" else "gpu", ""),
           "pattern": lambda row, machine: "uniform",
           "gbps": lambda row, machine: f"{float(row['bytes']) / float(row['median_us']) / 1e3:.2f}" if row.get("median_us") else ""}


def read_text(path):
    """(a file's text, None), or (None, why it is none that our programs write)."""
    try:
        why = not_read(path)
        return (None, f"cannot be read: {why}") if why else (content(path).decode("utf-8"), None)
    except OSError as error:
        return None, f"cannot be read: {error.strerror}"
    except UnicodeDecodeError as error:
        return None, f"byte {error.start + 1} is not UTF-8"


def read_lines(path):
    """(the fields of each line, the faults): a CSV as our programs write it, without quotes."""
    text, why = read_text(path)
    if why:
        return [], [why]
    *lines, rest = text.split("\n")
    faults = [f"line {number}: a {what}; our programs write none" for number, line in enumerate(lines, 1)
              for what, there in (("carriage return", "\r" in line), ("quote", '"' in line)) if there]
    if rest:
        faults.append(f"line {len(lines) + 1}: cut off: no end of the line")
    return ([] if faults else [line.split(",") for line in lines]), faults


def machine_of(path):
    """What the machine.json of the folder says that has this run, itself or in its experiments/; {} where there is none."""
    folder = os.path.dirname(os.path.realpath(path))
    return read_json(os.path.join(os.path.dirname(folder) if os.path.basename(folder) == "experiments" else folder, "machine.json"))[0] or {}


def with_what_follows(path, lines):
    """The lines of a run, with the columns of FOLLOWS that it lacks."""
    header, *lines = lines or [[]]
    lacking, machine = [name for name in FOLLOWS if name not in header], machine_of(path)
    return [header + lacking] + [line + [FOLLOWS[name](dict(zip(header, line)), machine) for name in lacking] for line in lines]


def read_run(path, columns=RUN):
    """(rows, faults) of a run, or a list of variants: a row is a dict of its columns; numbers are floats, what was not measured is None."""
    lines, faults = read_lines(path)
    if faults:
        return [], faults
    header, *lines = lines or [[]]
    faults = [f"line 1: the header has no column {name}" for name in columns if name not in header and name not in COUNTS and name not in FOLLOWS]
    faults += [f"line 1: the header has a column {shown(name)}, which is unknown" for name in header if name not in columns]
    faults += [f"line 1: the header has two columns {name}" for name in columns if header.count(name) > 1]
    if faults:
        return [], faults
    if columns is RUN:
        header, *lines = with_what_follows(path, [header, *lines])
    empty = {name: "" if field.is_text else None for name, field in columns.items() if not field.needed}
    rows, known = [], {(name, ""): value for name, value in empty.items()}  # (name, text): its value
    for number, fields in enumerate(lines, 2):
        if len(fields) != len(header):
            faults.append(f"line {number}: {len(fields)} fields, the header has {len(header)}")
            continue
        wrong = []
        for name, text in zip(header, fields):
            if (name, text) not in known:
                why = columns[name].fault(text) if text else f"{name} is empty"
                wrong += [f"line {number}: {why}"] * bool(why)
                known.update({} if why else {(name, text): text if columns[name].is_text else float(text)})
        faults += wrong
        if not wrong:
            rows.append({**empty, **{name: known[name, text] for name, text in zip(header, fields)}})
    return rows, faults


def read_table(path):
    """([header, lines...], faults) of any other CSV: as many fields in each line as in the header, nothing that is no text."""
    text, why = read_text(path)
    if why:
        return [[]], [why]
    try:
        lines = list(csv.reader(io.StringIO(text, newline=""), strict=True)) or [[]]
    except csv.Error as error:
        return [[]], [f"cannot be read: {error}"]
    return lines, [f"line {number}: {len(fields)} fields, the header has {len(lines[0])}"
                   for number, fields in enumerate(lines, 1) if len(fields) != len(lines[0])]


def read_json(path):
    """(an object, None), or (None, why it is none)."""
    def unique(pairs):
        (name, times), = Counter(name for name, _ in pairs).most_common(1) or [("", 0)]
        if times > 1:
            raise ValueError(f"{shown(name)} comes twice")
        return dict(pairs)

    def refuse(name):
        raise ValueError(f"{name} is no number of JSON")
    text, why = read_text(path)
    try:
        facts = None if why else json.loads(text, object_pairs_hook=unique, parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        why = f"cannot be read: {error}"
    return (None, why or "holds no object") if why or not isinstance(facts, dict) else (facts, None)


def machine_fault(name, value):
    """What is wrong with a value of machine.json, or None. A version without a second point may stand there as a number."""
    field = MACHINE[name]
    if value is None:
        return None
    if isinstance(value, str) != field.is_text and not (field.kind == "version" and type(value) in (int, float)) or \
            not isinstance(value, (str, int, float)) or isinstance(value, bool):
        return f"{name} is not a {'text' if field.is_text else 'number'}: {shown(json.dumps(value))}"
    try:
        return field.fault(value if isinstance(value, str) else repr(value))
    except (ValueError, OverflowError):
        return f"{name} is too large a number"
