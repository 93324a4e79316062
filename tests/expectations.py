"""For pytest: a program whose text says what must be found in it is a test. So a new test of the simulator is one file, and
tests/run tests/simt/races.cu -k neighbours tries one kernel of it; a file of your own may lie anywhere. Its first comment has

    run: NAME=VALUE ... KERNEL 0..5    the settings and the arguments of the program. KERNEL: each name in KERNEL(name, ...), CASE(name) or
                                       {"name", ...}, a test each, which the program lists when it is called alone; KERNEL(pattern): of
                                       those the ones that fit; 0..5: each of these numbers
    quiet: NAME=VALUE ... KERNEL       the same, but nothing may be found
    build: -std=c++14                  options of simcc, which must compile it without a word; CCCL: the folder of NVIDIA's own headers, without which there is no test
    prints: KERNEL ran                 what must stand in the output, in this order, and no more often
    prints neighbours ...: a word      the same, when one of these kernels runs
    seconds: 10                        of the processor, at most (600)
    tier: more                         which of make test, make test-more and (nightly) make test-all runs it; else make test

and at the lines themselves (a program without KERNEL is called as its file)

    /* EXPECT neighbours: a race .* memory */   a finding names this line when that kernel runs, and matches. Kernels may be
                                                several; without a pattern that of a line "expect:" of the first comment holds
                                                (expect neighbours: a word    stands there for what some finding of it must say,
                                                which may name no line at all)
    /* MAY neighbours: waits */                 the same of one of such lines at least

Each line that a finding names must have such a mark. A kernel without one must be right: status 0, and not a word of the simulator's.
A kernel with one ends with status 1; where its findings are notes alone (EXPECT neighbours: note: ...), with 0, and on a line
"run: SIMT_STRICT=1 ..." with 1, and one of these lines.

test_*.py are pytest's own: with @pytest.mark.more, or nightly, where they are not make test's, and common.py's fixtures."""
import itertools
import os
import re
import subprocess

import pytest
from common import ROOT, Wrong, cuda_home, nvcc, ok, scratch

__all__ = ["ok", "scratch"]  # fixtures, which pytest finds here
MARK = re.compile(r"/\* (EXPECT|MAY) (\w+(?: \w+)*)(?:: (.*?))? \*/")
MACRO, NAME = re.compile(r"^#(?:.*\\\n)*.*", re.M), re.compile(r'(?:\b(?:KERNEL|LAUNCHED|CASE|WAIT)\(|\{")(\w+)')


def kernels_of(text):
    return NAME.findall(MACRO.sub("", text.partition("*/")[2]))


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class Program(pytest.File):
    """A .cu file with a line "run: ..." in its first comment."""

    def collect(self):
        text = text_of(self.path)
        head = text.partition("*/")[0]
        self.said = {name: re.findall(rf"^\W*{name}: (.*)", head, re.M) for name in ("run", "quiet", "build", "expect", "seconds", "tier")}
        self.prints = [(kernels.split(), text) for kernels, text in re.findall(r"^\W*prints ?([\w ]*): (.*)", head, re.M)]
        self.anywhere = [(kernel, pattern) for kernels, pattern in re.findall(r"^\W*expect (\w[\w ]*): (.*)", head, re.M) for kernel in kernels.split()]
        self.program = f"{ROOT}/build/tests/{self.path.stem}"
        self.marks = [(number, must, kernel, pattern or "".join(self.said["expect"])) for number, line in enumerate(text.splitlines(), 1)
                      for must, kernels, pattern in MARK.findall(line) for kernel in kernels.split()]
        kernels = [self.path.stem]
        self.lists = any("KERNEL" in run for run in self.said["run"])
        if self.lists:
            kernels = kernels_of(text)
            unknown = {kernel for _, _, kernel, _ in self.marks} - set(kernels)
            if unknown:
                raise self.CollectError(f"{self.path}: marks of no kernel: {', '.join(sorted(unknown))}")
        self.kernels = kernels
        for kernel in kernels:
            test = Kernel.from_parent(self, name=kernel)
            test.kernel = kernel
            in_tiers(test, self.said["tier"])
            yield test

    def build(self):
        os.makedirs(os.path.dirname(self.program), exist_ok=True)
        options = " ".join(self.said["build"])
        if "CCCL" in options:
            folder = f"{cuda_home(f'{ROOT}/build')}/include/cccl" if nvcc() else ""
            if not os.path.isdir(folder):
                pytest.skip("no CCCL here: it comes with CUDA's toolkit")
            options = options.replace("CCCL", folder)
        self.made_by = f"simulator/simcc -g1 {options} {os.path.relpath(self.path, ROOT)} -o {os.path.relpath(self.program, ROOT)}"
        done = subprocess.run(self.made_by.split(), cwd=ROOT, capture_output=True, text=True)
        if done.returncode or done.stdout + done.stderr:
            raise Wrong(f"{self.made_by}\n{done.stdout}{done.stderr}")
        listed = subprocess.run([self.program], capture_output=True, text=True).stdout.split() if self.lists else self.kernels
        if sorted(listed) != sorted(self.kernels):  # one would never be run
            raise Wrong(f"{self.path}: the program lists other kernels than its text: {' '.join(sorted(set(listed) ^ set(self.kernels)))}")

    def setup(self):
        super().setup()
        self.wrong = None
        try:
            self.build()
        except Wrong as wrong:  # each of its kernels says so
            self.wrong = wrong


class Kernel(pytest.Item):
    def runtest(self):
        if self.parent.wrong:
            raise self.parent.wrong
        for key in "run", "quiet":
            for run in self.parent.said[key]:
                for words in itertools.product(*map(self.meant, run.split())):
                    self.try_it(words, key == "quiet")
                    self.user_properties.append(("tests", (1, 0, 0)))  # for the closing line: an item may be many

    def repr_failure(self, excinfo, style=None):
        return str(excinfo.value) if isinstance(excinfo.value, Wrong) else super().repr_failure(excinfo, style)

    def reportinfo(self):
        return self.path, None, f"{self.path.name}: {self.name}"

    def meant(self, word):
        """What a word of a line run: stands for."""
        kernel, numbers = re.fullmatch(r"KERNEL(?:\((.*)\))?", word), re.fullmatch(r"(\S*?)(\d+)\.\.(\d+)", word)
        if kernel:
            return [self.kernel] if re.fullmatch(kernel[1] or ".*", self.kernel) else []
        return [f"{numbers[1]}{k}" for k in range(int(numbers[2]), int(numbers[3]) + 1)] if numbers else [word]

    def try_it(self, words, quiet):
        settings = [word for word in words if re.match(r"[A-Z_]+=", word)]
        seconds = (self.parent.said["seconds"] or ["600"])[0]
        command = " ".join(settings + [os.path.relpath(self.parent.program, ROOT), *words[len(settings):]])
        done = subprocess.run(["bash", "-c", f"ulimit -t {seconds}; exec env {command}"], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)
        why = list(self.faults(done.returncode, done.stdout, quiet, "SIMT_STRICT=1" in settings))
        if why:
            raise Wrong("\n".join([*why, "", f"again: {self.parent.made_by} && {command}", done.stdout]))

    def faults(self, status, output, quiet, strict):
        """Lines that say what is not as the file says."""
        marks = [(number, must == "EXPECT", text) for number, must, kernel, text in self.parent.marks if kernel == self.kernel and not quiet]
        anywhere = [text for kernel, text in self.parent.anywhere if kernel == self.kernel and not quiet]
        if strict:  # what is a note elsewhere
            marks = [(number, must and not text.startswith("note:"), "" if text.startswith("note:") else text) for number, must, text in marks]
        findings = re.findall(r"^simulator: (.*)", output, re.M)
        named = [sorted(set(map(int, re.findall(rf"{re.escape(self.parent.path.name)}:(\d+)", finding)))) for finding in findings]
        matched = {number for number, _, text in marks for finding, lines in zip(findings, named) if number in lines and re.search(text, finding)}
        wanted = int(any(not text.startswith("note:") for text in [text for *_, text in marks] + anywhere))
        if status != wanted:
            yield f"status {status}, and {wanted} is right"
        for number, must, text in marks:
            if must and number not in matched:
                yield f"line {number} is not named, as it should be: {text}"
        for text in anywhere:
            if not re.search(text, "\n".join(findings)):
                yield f"not said: {text}"
        if marks and not matched:
            yield f"no line is named of {', '.join(str(number) for number, _, _ in marks)}"
        for finding, lines in zip(findings, named):
            if not {number for number, _, _ in marks}.issuperset(lines) or not marks and not any(re.search(text, finding) for text in anywhere):
                yield f"not asked for: {finding}"
        for lines in {tuple(lines) for lines in named if lines and named.count(lines) > 1}:
            yield f"said more than once: line {', '.join(map(str, lines))}"
        at = 0
        printed = [text.replace("KERNEL", self.kernel) for kernels, text in self.parent.prints if not kernels or self.kernel in kernels]
        for text in printed:
            found = output.find(text, at)
            if found < 0 or output.count(text) > printed.count(text):
                yield f"not printed, too often, or not in this order: {text}"
            at = max(at, found + 1)


def in_tiers(test, tiers):
    for tier in " ".join(tiers or ["test"]).split():
        test.add_marker(tier)


def is_program(path):
    return path.endswith(".cu") and re.search(r"^\W*run: ", text_of(path).partition("*/")[0], re.M)


def named(config):
    """The files that the command names."""
    return [os.path.abspath(word.partition("::")[0]) for word in config.args]


def pytest_ignore_collect(collection_path, config):
    """What needs a GPU, or a browser, is run by name."""
    folders = [f"{ROOT}/tests/{name}" for name in ("gpu", "book")]
    return any(str(path) in folders and not any(word.startswith(str(path)) for word in named(config)) for path in (collection_path, collection_path.parent)) or None


def pytest_collect_file(file_path, parent):
    return Program.from_parent(parent, path=file_path) if is_program(str(file_path)) else None


def pytest_configure(config):
    for tier in TIERS:
        config.addinivalue_line("markers", f"{tier}: one of the tiers of tests/run")
    for path in named(config):
        if path.endswith(".cu") and os.path.isfile(path) and not is_program(path):
            raise pytest.UsageError(f'{path}: its first comment has no line "run:"; tests/expectations.py tells what stands there')


# The longest first, so that none of them is left to run alone at the end.
LONGEST = "gpu library practice mutations courses variants simcc devices simcc_alone counters simulator".split()
TIERS = "test", "more", "nightly"


def pytest_make_parametrize_id(val):
    """Of a long text its beginning."""
    return re.sub(r"[\x00-\x1f]", "?", val.split("\n")[0][:60]) or None if isinstance(val, str) and (len(val) > 60 or "\n" in val) else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    for item in items:
        if not any(item.get_closest_marker(tier) for tier in TIERS):
            item.add_marker("test")
    name = [item.path.stem.removeprefix("test_") for item in items]
    order = sorted(range(len(items)), key=lambda k: LONGEST.index(name[k]) if name[k] in LONGEST else len(LONGEST))
    items[:] = [items[k] for k in order]


def pytest_unconfigure(config):
    """The last line: how many tests there were."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if not reporter or hasattr(config, "workerinput"):
        return
    total, stats = [0, 0, 0], reporter.stats
    for place, outcome in enumerate(("passed", "failed", "skipped")):
        for report in stats.get(outcome, ()):
            counted = [numbers for name, numbers in report.user_properties if name == "tests"]
            for numbers in counted:
                total = [a + b for a, b in zip(total, numbers)]
            if not any(map(any, counted)) or place == 1 and not any(numbers[1] for numbers in counted):
                total[place] += 1
    total[1] += sum(not any(numbers[1] for name, numbers in getattr(report, "user_properties", ()) if name == "tests") for report in stats.get("error", ()))
    print("{} passed, {} failed, {} skipped".format(*total))
