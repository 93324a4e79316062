"""What the tests in Python share: the programs and their variants, running a command, tables, and two fixtures, ok and scratch."""
import contextlib
import csv
import functools
import glob
import os
import re
import shlex
import signal
import stat
import subprocess
import sys
import tempfile

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
os.chdir(ROOT)
sys.path += [f"{ROOT}/tools/{folder}" for folder in ("pages", "measure", "draw", "book")]  # what the scripts there share
for name in "CDPATH MAKEFLAGS MFLAGS GNUMAKEFLAGS MAKELEVEL MAKEFILES LANGUAGE LC_ALL LC_MESSAGES LANG".split():  # as tools/environment.sh
    os.environ.pop(name, None)
BACKEND = os.environ.get("TEST_BACKEND", "sim")  # tests/run --gpu says cuda
# Seconds for a command that might hang for ever. What only takes long, on a slow machine, is not ended: what something
# may cost is counted in work.
GUARD = 600


class Program:
    """One of a lesson or of the toolbox. name: as in the column step of its CSV; command: how it is run."""

    def __init__(self, folder, command):
        self.folder, self.name, self.command = folder, os.path.basename(folder), command


STEPS = [Program(os.path.dirname(path), f"./step{os.path.basename(os.path.dirname(path))[:2]}") for path in sorted(glob.glob("steps/*/lesson.c"))]
TOOLS = [Program(path[:-1], f"./{os.path.basename(path[:-1])}") for path in sorted(glob.glob("steps/toolbox/*/"))]
PROGRAMS = STEPS + TOOLS
EXPERIMENTS = sorted(os.path.basename(path)[:-3] for path in glob.glob("steps/experiments/*.cu"))
NAMES = "|".join([program.command[2:] for program in PROGRAMS] + ["broken", *EXPERIMENTS])


class Wrong(Exception):
    """What differs, and the command that shows it again."""


class Checks:
    """What the fixture ok is: ok(passed, what, details) is one test of many in a function, which goes on after one that fails."""

    def __init__(self):
        self.numbers, self.failures = [0, 0, 0], []  # passed, failed, skipped

    def __call__(self, passed, what, details=""):
        self.numbers[0 if passed else 1] += 1
        if not passed:
            self.failures.append(f"{what}\n{details}".rstrip())
        return bool(passed)

    def equal(self, got, expected, what):
        return self(got == expected, what, f"expected {expected!r}\ngot      {got!r}")

    def skip(self, what, why):
        """One that cannot be made here."""
        self.numbers[2] += 1
        print(f"not run: {what}: {why}")

    def told(self, command, **environment):
        """A program in C that prints its tests by tap.h: each of its lines counts here -> what it printed."""
        output, status = run(command, **environment)
        for passed, what in re.findall(r"^(ok|not ok) \d+ - (.*(?:\n#.*)*)", output, re.M):
            self(passed == "ok", what)
        self(status == 0 and re.search(r"^1\.\.\d+$", output, re.M), f"{command}: to the end, status 0", f"status {status}\n{output[-2000:]}")
        return output

    def refused(self, command, status, text, **environment):
        """Bad input: this status, and one line that matches."""
        output, got = run(command, **environment)
        self(got == status and re.fullmatch(rf"[^\n]*(?:{text})[^\n]*\n", output), f"{command}: status {status}, and one line: {text}", f"status {got}\n{output}")


@pytest.fixture
def ok(request, record_property):
    checks = Checks()
    record_property("tests", checks.numbers)  # which the report of the call shows as they are then
    yield checks
    if checks.failures:
        again = f"again: tests/run '{os.path.relpath(request.path, ROOT)}::{request.node.name}'"
        pytest.fail("\n".join([*checks.failures, "", again]), pytrace=False)


@pytest.fixture(scope="module")
def scratch():
    """A folder for the tests of one file, gone at the end."""
    with tempfile.TemporaryDirectory() as folder:
        yield folder


def built(command):
    """./step05 is the program of the backend under test, whatever the link in the root points to."""
    return re.sub(rf"(?<![\w/])\./({NAMES})\b", rf"build/{BACKEND}/\1", command)


def run(command, **environment):
    """A command of the shell's -> stdout and stderr together; the exit status, -1 for a signal, or after ten minutes."""
    program = subprocess.Popen(["sh", "-c", f"exec 2>&1; ({built(command)})"], stdout=subprocess.PIPE, env={**os.environ, **environment}, start_new_session=True)
    try:
        output, late = program.communicate(timeout=GUARD)[0], ""
    except BaseException as why:  # all that it started is ended with it
        os.killpg(program.pid, signal.SIGKILL)
        if not isinstance(why, subprocess.TimeoutExpired):
            raise
        output, late = program.communicate()[0], f"\nended after {GUARD} s\n"
    return output.decode("utf-8", "replace") + late, max(program.returncode, -1)


def right(command, status=0, says="", **environment):
    """It ends with this status, and what it says matches -> what it said."""
    output, got = run(command, **environment)
    assert got == status and re.search(says, output, re.M), f"{command}: status {got}, and {status} is right, with {says!r}\n{output}"
    return output


def ran(*words, cwd=ROOT, **environment):
    """A command without a shell (a script of Python's by this Python) -> its returncode, stdout and stderr."""
    words = [sys.executable] * words[0].endswith(".py") + [*words]
    return subprocess.run(words, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=GUARD, env={**os.environ, **environment})


def until_said(command, *patterns):
    """The command, without a shell, is ended as soon as each pattern has matched a line -> the last match, the output so far, the status (1 then)."""
    patterns, found, output = list(patterns), None, ""
    program = subprocess.Popen(["sh", "-c", f"exec 2>&1; exec {built(command)}"], stdout=subprocess.PIPE, text=True, errors="replace")
    for line in program.stdout:
        output += line
        for pattern in [pattern for pattern in patterns if re.search(pattern, line)]:
            found = re.search(pattern, line)
            patterns.remove(pattern)
        if not patterns:
            program.send_signal(signal.SIGTERM)
            break
    program.stdout.close()
    status = program.wait()
    return found, output, 1 if not patterns else max(status, -1)


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def write(path, text, executable=False):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    if executable:
        os.chmod(path, 0o755)


def script(path, text):
    """One of the shell's."""
    write(path, f"#!/bin/sh\n{text}", executable=True)


def fake_machine(path, **facts):
    """A program that prints these facts, those of $MACHINE, and its arguments."""
    write(path, f"""#!{sys.executable}
import json, os, sys
given = {{key: json.loads(text) if key.endswith(("_gbps", "processes")) else text for key, text in (one.split("=", 1) for one in sys.argv[1:])}}
print(json.dumps({{**{facts!r}, **json.loads(os.environ.get("MACHINE", "{{}}")), **given}}))
""", executable=True)


def plant(path, *edits):
    """A fault in a file, each edit (old, new) -> the text as it was."""
    whole = text = read(path)
    for old, new in edits:
        assert old in text, f"{path} has no {old!r}"
        text = text.replace(old, new, 1)
    write(path, text)
    return whole


@contextlib.contextmanager
def edited(path, *edits):
    """A file of the tree, or of a copy, with a fault planted: as it was, afterwards."""
    whole = plant(path, *edits)
    try:
        yield
    finally:
        write(path, whole)


def rows(path):
    """A CSV file's rows, by column; none where there is no file."""
    if not os.path.exists(path):
        return []
    found = os.stat(path)
    assert stat.S_ISREG(found.st_mode) and found.st_size <= 8 << 20, f"{path}: not a regular file of at most 8 MiB"  # results/ may hold a stranger's
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@functools.lru_cache(None)
def capability():
    """That of this GPU, 90 for an H200. The simulator's has all."""
    found = re.search(r'"compute_capability": "(\d+)\.(\d+)"', run(f"build/{BACKEND}/machine")[0])
    return 10 * int(found[1]) + int(found[2]) if found else 0


@functools.lru_cache(None)
def variants(command):
    """(program, as ./step05) -> its variants, as --list --csv tells them; runs_here is false, too, where this GPU is too old for one."""
    listed = list(csv.DictReader(run(f"{command} --list --csv - 2>/dev/null")[0].splitlines()))
    for row in listed:
        row["runs_here"] = row["runs_here"] == "1" and int(row["capability"]) <= capability()
        row["known_wrong"] = row["known_wrong"] not in ("", "0")
    return listed


def takes_rows(command):
    """Whether some variant of the program works on the rows of a matrix."""
    return any(int(row["max_row"] or 0) > 0 for row in variants(command))


def nvcc():
    """The path of nvcc, or None."""
    folders = [*os.environ["PATH"].split(":"), "/usr/local/cuda/bin"]
    return next((f"{folder}/nvcc" for folder in folders if os.access(f"{folder}/nvcc", os.X_OK)), None)


def quick_nvcc():
    """A script that calls nvcc for code that nobody runs: with less optimization (from 12.9 on), in half of the time. Its place is always the
    same, since the Makefile compiles all again for another compiler."""
    compiler = nvcc()
    if not compiler:
        return None
    faster = "-Ofc=max" if "--Ofast-compile" in run(f"{compiler} --help")[0] else ""
    path, text = "build/quick/nvcc", f'#!/bin/sh\nexec {compiler} {faster} "$@"\n'
    if not (os.access(path, os.X_OK) and read(path) == text):
        write(f"{path}.{os.getpid()}", text, executable=True)
        os.replace(f"{path}.{os.getpid()}", path)  # another test may be running it
    return path


def cuda_home(scratch):
    """The folder of nvcc's toolkit, which has include/ and lib64/, as the Makefile finds it. (BUILD: where no other make writes.)"""
    return run(f"make -s BACKEND=cuda BUILD={shlex.quote(scratch)}/none --eval='home:;@echo $(CUDA_HOME)' home")[0].strip()


def same_compiler():
    """Whether the kernels were compiled by the compiler that results/sim was recorded with. Another one may make a store more or fewer in a
    thousand, and divides a kernel into other basic blocks, by which SIMT efficiency is counted."""
    here, recorded = (re.search(r'"kernel_compiler": "\D*(\d+)', text)[1] for text in (run(f"build/{BACKEND}/machine")[0], read("results/sim/machine.json")))
    return here == recorded
