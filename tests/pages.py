"""The Markdown pages below a folder: links that lead nowhere, a line for each, "PAGE: line N: ..."; and the commands of a
page, which test_docs.py runs in a copy of the repository."""
import os
import re
import shutil
import subprocess
import urllib.parse

from common import GUARD, ROOT, same_compiler

from page_markdown import FENCE, anchors, blank, line_of, page_names, read, targets, written

LARGEST = 64 << 10  # elements that a command is run with; more take long on the simulator


# ---- links ----

def target_problem(root, page, target):
    """Why a link leads nowhere, or None. The network is not asked."""
    url = urllib.parse.urlsplit(target)
    if url.scheme or url.netloc:
        well_formed = url.scheme in ("http", "https") and re.fullmatch(r"[\w-]+(\.[\w-]+)+(:\d+)?", url.netloc)
        return None if well_formed else "no address that a browser takes"
    path = urllib.parse.unquote(url.path)
    file = os.path.normpath(os.path.join(root, os.path.dirname(page), path)) if path else os.path.join(root, page)
    if not os.path.exists(file) or not target:
        return "there is no such file"
    if path and not os.path.relpath(file, root).count("..") == 0:
        return "it leads out of the repository"
    if not url.fragment:
        return None
    if file.endswith(".svg"):
        return None if f"id='{url.fragment}'" in read(file) else "the picture has no such element"
    if not file.endswith(".md"):
        lines = re.fullmatch(r"L(\d+)(?:-L(\d+))?", url.fragment)
        if not lines or not 1 <= int(lines[1]) <= int(lines[2] or lines[1]) <= read(file).count("\n"):
            return "the file has no such lines"
    elif url.fragment not in anchors(read(file)):
        return "the page has no such heading"
    return None


def link_problems(root):
    problems = []
    for page in page_names(root):
        text = written(read(os.path.join(root, page)))
        for position, end in targets(text):
            target = text[position:end]
            why = target_problem(root, page, target)
            if why:
                problems.append(f"{page}: line {line_of(text, position)}: {target or 'an empty link'}: {why}")
    return problems


# ---- commands ----

# What is not run here, and why. The test names each that it meets.
NOT_RUN = (
    (r"(ncu|nsys|nvprof|compute-sanitizer|cuobjdump|nvidia-smi|nvcc)\b", "a tool of the CUDA toolkit"),
    (r".*BACKEND=cuda|.* --gpu\b|make (test-gpu|counters|rows|compare|compare-exact|compare-gpus|compare-rows|compare-row-types|compare-types|compare-softmax|sum_mpi)( |$)|\./step08 --demo", "needs a GPU"),
    (r"\./run_all\.sh(?!.*--(quick|help))|make results\b", "takes minutes, and has a test of its own"),
    (r"make experiments\b", "they have a test of their own"),
    (r"make (practice|hint|solution|reset)", "each exercise is proved by a test of its own"),
    (r"tools/measure/(?!check|.*--help)", "it measures; tests run it with made-up tools"),
    (r"make (book|book-serve|test-book)\b|.*\.venv/", "needs Python's packages: tests/book/ has them"),
    (r"make (plots|traces)\b|tools/draw/", "other tests draw"),
    (r"make test\b|tests/run\b|\.ci/run", "the tests themselves"),
    (r"make (clean|format|lint|counters-sim)\b", "changes what the other commands need, or takes long"),
    (r"(sudo|apt-get|git|make install)\b", "changes the machine or needs the network"),
    (r".*\bgdb\b", "this session has a test of its own"),
    (r".*(…|\.\.\.|\b[A-Z]{3,}\b(?!=))", "a pattern, with a name to be filled in"),
)
TOPICS = sorted(name for name in os.listdir(os.path.join(ROOT, "steps", "toolbox")) if os.path.isdir(os.path.join(ROOT, "steps", "toolbox", name)))
PROGRAM = rf"\./(?:step\d\d|{'|'.join(TOPICS)})"
COMMAND = re.compile(r"(make|diff|simulator/simcc|\./[\w.]+|(python3 )?tools/\S+|tests/run)( |$)")
REMEMBERED = re.compile(rf"(make|diff|{PROGRAM}|build/sim/\w+|\./run_all\.sh) ")
SIZES = re.compile(r"(?<= -n )[^ ]+")


class Command:
    """One command of a page: its text, and what the page says of how it ends."""

    def __init__(self, page, line, text, marked=None, output=None):
        self.page, self.line, self.output = page, line, output
        comment = re.search(r"(?:^|\s)#(?!.*['\"]).*", text)
        self.text = (text[:comment.start()] if comment else text).strip()
        status = re.search(r"\bexit status (\d+)", comment[0]) if comment else None
        self.status = int(status[1]) if status else None
        self.parts = [self.text] if self.text.startswith("cd ") else self.text.split(" && ")
        self.why_not = marked or next((why for part in self.parts for pattern, why in NOT_RUN
                                       if re.match(pattern, part.replace("BACKEND=sim ", ""))), None)

    def place(self):
        return f"{self.page}: line {self.line}: {self.text}"


def is_whole(command):
    return subprocess.run(["bash", "-n", "-c", command], capture_output=True).returncode == 0


def block_commands(page, start_line, body, marked):
    found, pending, begun = [], "", 0
    for number, line in enumerate(body.splitlines(), start_line):
        begun = begun if pending else number
        pending += line
        if pending.endswith("\\"):
            pending = pending[:-1] + " "
        elif pending.strip() and not is_whole(pending):
            pending += "\n"
        else:
            found += [Command(page, begun, re.sub(r" {2,}", " ", pending), marked)] if pending.strip() and not pending.lstrip().startswith("#") else []
            pending = ""
    return found + ([Command(page, begun, pending, marked)] if pending.strip() else [])


def commands(page, text):
    """All commands of a page in its order."""
    found, position = [], 0
    for fence in FENCE.finditer(text):
        found += inline_commands(page, text, position, fence.start())
        info, between = fence["info"].strip(), text[position:fence.start()]
        marked = re.search(r"<!-- not run: ([^\n]*?) -->\s*$", between)
        if info == "sh":
            found += block_commands(page, line_of(text, fence.start("body")), fence["body"], marked and marked[1])
        elif info == "output" and found and not between.strip():
            found[-1].output = fence["body"].splitlines()
        position = fence.end()
    return found + inline_commands(page, text, position, len(text))


def inline_commands(page, text, start, end):
    """Those in the text, in backticks."""
    part = re.sub(r"<!--.*?-->", blank, text[start:end], flags=re.S)
    return [Command(page, line_of(text, start + span.start()), span[2]) for span in
            re.finditer(r"(`+)([^`\n]+)\1", part) if COMMAND.match(span[2]) and " " in span[2]]


def small_enough(match):
    """The sizes after -n, each at most LARGEST."""
    factors = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}

    def smaller(size):
        number = re.fullmatch(r"(\d+)([KMG]?)(?:<<(\d+))?", size.strip("'\""))
        return f"{LARGEST >> 10}K" if number and int(number[1]) * factors.get(number[2], 1) << int(number[3] or 0) > LARGEST else size
    return ",".join(dict.fromkeys(smaller(size) for size in match[0].split(",")))


def files():
    """The names of the repository's files."""
    listed = subprocess.run([ROOT + "/tools/files.sh"], capture_output=True, text=True, check=True).stdout
    return listed.split("\0")[:-1]


def pattern_of(line):
    """What a line of output must match. SIMT efficiency, last in tables of counts, is that of one compiler's basic blocks."""
    pattern = re.escape(re.sub(r"\s+", " ", line)).replace("…", ".*")
    return pattern if same_compiler() else re.sub(r"(?<=\ )\d+\\\.\d$", r"\\d+\\.\\d", pattern)


class Tree:
    """A copy of the repository, as a clone would be, with what is built already: commands run there."""

    def __init__(self, folder, with_build=False):
        self.folder, self.done = folder, {}
        for name in files():
            os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
            shutil.copy2(os.path.join(ROOT, name), os.path.join(folder, name))
        for built in ("build/sim", "simulator/build") if with_build else ():
            shutil.copytree(os.path.join(ROOT, built), os.path.join(folder, built), symlinks=True)
        shutil.copy2(os.path.join(ROOT, "tests/simcc/vector_add.cu"), os.path.join(folder, "my.cu"))

    def run_part(self, part):
        """(status, output) of one command; those that have no state of their own run once."""
        if part not in self.done or not REMEMBERED.match(part + " "):
            environment = {**os.environ, "BACKEND": "sim", "LC_ALL": "C.UTF-8", "RUN_ALL_APT": "no", "SEED": "1"}
            try:
                result = subprocess.run(["bash", "-c", part], cwd=self.folder, env=environment, timeout=GUARD,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                        text=True, errors="replace")
                self.done[part] = result.returncode, result.stdout
            except subprocess.TimeoutExpired:
                self.done[part] = f"none within {GUARD} s: it hangs", ""
        return self.done[part]

    def problem(self, command):
        """Why a command does not do what its page says, or None."""
        text, status = "", 0
        for part in command.parts:
            status, output = self.run_part(part if command.output else SIZES.sub(small_enough, part))
            text += output
            if status != 0:
                break
        wanted = [0, 1] if command.text.startswith("diff ") else [0]
        if status not in ([command.status] if command.status is not None else wanted):
            last = text.strip().split("\n")[-1]
            return f"{command.place()}: exit status {status}, not {wanted[0] if command.status is None else command.status}: {last}"
        if command.output:
            lines, begin = text.split("\n"), 0
            for wanted_line in filter(None, map(str.strip, command.output)):
                pattern = pattern_of(wanted_line)
                begin = next((k + 1 for k in range(begin, len(lines))
                              if re.fullmatch(pattern, re.sub(r"\s+", " ", lines[k]).strip())), None)
                if begin is None:
                    return f"{command.place()}: it does not print \"{wanted_line}\""
        return None
