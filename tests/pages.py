"""What tests/docs.t asks of the Markdown pages below a folder: each function returns what is
wrong, a line for each, "PAGE: line N: ..."."""
import functools
import glob
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.parse

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tools", "pages"))
from chinese import is_chinese
from page_markdown import DEFINED, FENCE, LINK, TAG, anchors, attribute, blank, line_of, page_names, read, targets, written
from tap import GUARD

LARGEST = 64 << 10  # elements that a command is run with; more take long on the simulator
WORDS = "tests/words.txt"  # that the spelling checker does not know


# ---- links, anchors, figures ----

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


def figure_problems(root):
    problems = []
    for page in page_names(root):
        text = written(read(os.path.join(root, page)))
        images = [(link.start(), link["text"]) for link in LINK.finditer(text) if link["image"]]
        images += [(link.start("text") + inner.start(), inner["text"]) for link in LINK.finditer(text)
                   for inner in LINK.finditer(link["text"]) if inner["image"]]
        images += [(tag.start(), attribute(tag, "alt") or "") for tag in TAG.finditer(text) if tag["name"] == "img"]
        problems += [f"{page}: line {line_of(text, position)}: a picture without alt text"
                     for position, alt in images if len(re.findall(r"[^\s\u3400-\u9fff]+|[\u3400-\u9fff]{2}", alt)) < 2]
    return problems


# ---- spelling ----

def own_words(root):
    path = os.path.join(root, WORDS)
    return read(path).split() if os.path.exists(path) else []


def words_only(text):
    """The words that a person wrote: no code, no targets, no tables made from results/."""
    text = re.sub(r"<!-- (?:table|value): .*?<!-- end -->", blank, FENCE.sub(blank, text), flags=re.S)
    text = written(text)
    text = re.sub(r"\]\([^)]*\)|<[^>]*>|https?://\S+|^ {0,3}\[[^\]]+\]:.*$", blank, text, flags=re.M)
    text = re.sub(r"[\w./-]+/[\w./-]*|[\w.-]+\.(?:md|cu|c|h|py|sh|csv|json)\b", blank, text)  # files
    text = re.sub(r"\S*[\d_]\S*|[\u0370-\uffef]+", blank, text)  # names, numbers, Greek, Chinese
    return re.sub(r"['’]s\b", blank, text)


def misspelled(text, words, work):
    personal = os.path.join(work, "words.pws")
    with open(personal, "w", encoding="utf-8") as file:
        file.write("personal_ws-1.1 en 0 utf-8\n" + "".join(word + "\n" for word in words))
    result = subprocess.run(["aspell", "list", "--lang=en_GB", "--encoding=utf-8", "--personal", personal],
                            input=text, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"aspell: {result.stderr.strip()}; on Debian or Ubuntu: apt-get install aspell aspell-en")
    return result.stdout.split()


def spelling_problems(root, work):
    words, problems, everything = own_words(root), [], ""
    for page in page_names(root):
        if is_chinese(page):
            continue
        text = words_only(read(os.path.join(root, page)))
        everything += text
        for word in sorted(set(misspelled(text, words, work))):
            first = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text)
            line = line_of(text, first.start()) if first else "?"
            problems.append(f"{page}: line {line}: {word}: misspelled, or a word for {WORDS}")
    used = set(re.findall(r"[^\W\d_]+", everything))
    used |= {word.lower() for word in used}
    problems += [f"{WORDS}: {word}: no page has it" for word in words if word not in used]
    if words != sorted(words, key=lambda word: (word.lower(), word)):
        problems.append(f"{WORDS}: not in alphabetical order")
    return problems


# ---- the glossary ----

EMPHASIS = ("source", "one", "no ", "nothing", "bold")  # bold words of one or two that are no terms begin so


def glossary_problems(root):
    """docs/glossary.md is in order, and has what the lessons print in bold: terms of one or two words."""
    path = os.path.join(root, "docs", "glossary.md")
    if not os.path.exists(path):
        return []
    page = "docs/glossary.md"
    terms = re.findall(r'^- <a id="([^"]*)"></a>\*\*(.+?)\*\*\s', read(path), re.M)
    key = lambda term: term.lower().replace("-", " ")
    problems = [f"{page}: {b} comes before {a}" for (_, a), (_, b) in zip(terms, terms[1:]) if key(b) < key(a)]
    problems += [f"{page}: {term} has the anchor {anchor}" for anchor, term in terms
                 if anchor != re.sub(r"[^a-z0-9 -]", "", term.lower()).replace(" ", "-")]
    problems += [f"{page}: {entries - len(terms)} entries without a term and its anchor" for entries in
                 [len(re.findall(r"^- ", read(path), re.M))] if entries != len(terms)]
    known = {stem(term) for _, term in terms}
    for name in page_names(root):
        text = written(read(os.path.join(root, name))) if name.startswith("steps/") else ""
        for bold in re.finditer(r"\*\*(?:[Tt]he )?([A-Za-z][\w-]*(?:\s+[A-Za-z][\w-]*)?)\*\*", text):
            words = re.sub(r"\s+", " ", bold[1])
            if not words.lower().startswith(EMPHASIS) and not re.search(r"\bv\d", words) and stem(words) not in known:
                problems.append(f"{name}: line {line_of(text, bold.start())}: **{words}** is not in docs/glossary.md")
    return problems


def stem(term):
    """One form for kernel and kernels, launch and launches, L2 and L2 cache."""
    return re.sub(r"(es|s| cache)$", "", term.lower().replace("-", " "))


# ---- words ----

OF_OUR_OWN = re.compile(r"(?<![\"\w])(?:nobody|whoever|on\s+(?:its|their)\s+way)\b(?!\")", re.I)  # what a stranger stumbles over: CONTRIBUTING.md
AS_WRITTEN = re.compile(r"^#+ [^\n]*(?:first written|as they were written).*?(?=^#|\Z)|^>[^\n]*|^\*\*Expected:.*?(?=^$)", re.M | re.S)


def word_problems(root):
    """Words that the pages do without, outside code and predictions, which stay as they were written."""
    problems = []
    for name in page_names(root):
        text = "" if is_chinese(name) else AS_WRITTEN.sub(blank, written(read(os.path.join(root, name))))
        problems += [f"{name}: line {line_of(text, found.start())}: {found[0]}: plain words are better, see CONTRIBUTING.md"
                     for found in OF_OUR_OWN.finditer(text)]
    return problems


def atomics_problems(root):
    """docs/accuracy.md names the variants that add floats by atomics on global memory, which flush subnormal numbers."""
    page = "docs/accuracy.md"
    if not os.path.exists(os.path.join(root, page)):
        return []
    named = set(re.findall(r"\w+", re.search(r"That concerns (.*?) of step 05", read(os.path.join(root, page)), re.S)[1])) - {"and"}
    adding = {os.path.splitext(os.path.basename(path))[0] for folder in ("steps/*", "steps/toolbox/*", "library") for kind in ("cu", "h")
              for path in glob.glob(f"{root}/{folder}/*.{kind}") for text in [read(path)] if "float *out" in text and "atomicAdd(out, " in text}
    return [f"{page}: {name} {'adds' if name in adding else 'does not add'} floats by atomics" for name in sorted(named ^ adding)]


# ---- tables ----

WIDEST = 160  # characters: a table must be readable in an editor, too


def table_problems(root):
    """No line of a table is longer than an editor shows."""
    return [f"{name}: line {number}: {len(line)} characters in a line of a table, {WIDEST} at most; a list can be wrapped"
            for name in page_names(root) for number, line in enumerate(FENCE.sub(blank, read(os.path.join(root, name))).split("\n"), 1)
            if line.startswith("|") and len(line) > WIDEST]


# ---- the map of the lessons ----

def map_problems(root):
    """README.md has a row for each lesson, with the minutes that the lesson itself states."""
    front, problems = read(os.path.join(root, "README.md")), []
    for name in page_names(root):
        if not re.fullmatch("(steps/[^/]*|steps/toolbox)/README.md", name):
            continue
        row = re.search(rf"^\|[^\n]*\({re.escape(name)}\)[^\n]*$", front, re.M)
        stated = re.search(r"^\*(\d+) minutes\.", read(os.path.join(root, name)), re.M)
        if not row:
            rows = [line_of(front, found.start()) for found in re.finditer(r"^\| \[[^\n]*\(steps/", front, re.M)]
            problems.append(f"README.md: line {max(rows, default=1)}: no row for {name}: add | [{os.path.basename(os.path.dirname(name))}]({name}) | its idea | minutes | – | – |")
        elif not stated:
            problems.append(f"{name}: line 3: does not say how many minutes it takes, as in *20 minutes. Before it: ...*")
        elif stated[1] not in [cell.strip().partition(" + ")[0] for cell in row[0].split("|")]:
            problems.append(f"README.md: line {line_of(front, row.start())}: {name} takes {stated[1]} minutes")
    return problems


# ---- the table of the sources ----

CLAIM = re.compile(r"^\| (?:claim|code|command|figure|picture) \|.*$", re.M)


def sources_problems(root):
    """docs/sources.md: each claim has a place that exists and a verdict."""
    page = "docs/sources.md"
    path = os.path.join(root, page)
    if not os.path.exists(path):
        return []
    text = read(path)
    defined, problems = {link["text"] for link in DEFINED.finditer(text)}, []
    for row in CLAIM.finditer(text):
        cells = [cell.strip() for cell in row[0].strip("|").split(" | ")]
        named = re.findall(r"\[([^\]]+)\](?!\[)", written(row[0]))  # [05], and 01 of [errata][e01]
        wrong = [f"{label} is not defined below" for label in named if label not in defined]
        wrong += ["a claim has four columns"] if len(cells) != 4 or not all(cells) else \
                 ["no place"] if "[" not in cells[2] else []
        problems += [f"{page}: line {line_of(text, row.start())}: {what}" for what in wrong]
    used = re.findall(r"\[([^\]]+)\](?!:)", text)
    return problems + [f"{page}: nothing uses [{label}]" for label in sorted(defined) if label not in used]


# ---- commands ----

# What is not run here, and why. The test names each that it meets.
NOT_RUN = (
    (r"(ncu|nsys|nvprof|compute-sanitizer|cuobjdump|nvidia-smi|nvcc)\b", "a tool of the CUDA toolkit"),
    (r".*BACKEND=cuda|.* --gpu\b|make (test-gpu|counters|rows|compare|compare-exact|compare-gpus|compare-rows|compare-row-types|compare-types|compare-softmax|sum_mpi)( |$)|\./step08 --demo", "needs a GPU"),
    (r"\./run_all\.sh(?!.*--(quick|help))|make results\b", "takes minutes: tests/run_all.t"),
    (r"make experiments\b", "tests/experiments.t runs them"),
    (r"make (practice|hint|solution|reset)", "tests/practice.t proves each exercise"),
    (r"tools/measure/(?!check|.*--help)", "it measures; tests run it with made-up tools"),
    (r"make (book|book-serve|test-book)\b|.*\.venv/", "needs Python's packages: tests/book/ has them"),
    (r"make (plots|traces)\b|tools/draw/", "tests/plots.t and tests/trace.t draw"),
    (r"make test\b|tests/run\b|prove\b|\.ci/run", "the tests themselves"),
    (r"make (clean|format|lint|counters-sim)\b", "changes what the other commands need, or takes long"),
    (r"(sudo|apt-get|git|make install)\b", "changes the machine or needs the network"),
    (r".*\bgdb\b", "tests/debugger.t has this session"),
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

    def smaller(self):
        """Whether it is run with fewer elements than it says: not where the page shows what it prints."""
        return self.output is None and SIZES.sub(small_enough, self.text) != self.text

    def place(self):
        return f"{self.page}: line {self.line}: {self.text}"


def is_whole(command):
    return subprocess.run(["bash", "-n", "-c", command], capture_output=True).returncode == 0


def block_commands(page, start_line, body, marked):
    found, pending, begun = [], "", 0
    for number, line in enumerate(body.split("\n"), start_line):
        begun = begun if pending else number
        pending += line
        if pending.endswith("\\") or (pending.strip() and not is_whole(pending)):
            pending = pending[:-1] + " " if pending.endswith("\\") else pending + "\n"
            continue
        if pending.strip() and not pending.lstrip().startswith("#"):
            found.append(Command(page, begun, re.sub(r" {2,}", " ", pending), marked))
        pending = ""
    return found + ([Command(page, begun, pending, marked)] if pending.strip() else [])


def commands(page, text):
    """All commands of a page in its order, and what is wrong with how they stand there."""
    found, problems, position = [], [], 0
    for fence in FENCE.finditer(text):
        found += inline_commands(page, text, position, fence.start())
        info, line = fence["info"].strip(), line_of(text, fence.start("body"))
        marked = re.search(r"<!-- not run: ([^\n]*?) -->\s*$", text[position:fence.start()])
        if info == "sh":
            found += block_commands(page, line, fence["body"], marked and marked[1])
        elif info == "output" and found and not text[position:fence.start()].strip():
            found[-1].output = fence["body"].rstrip("\n").split("\n")
        elif info == "output":
            problems.append(f"{page}: line {line - 1}: an output block stands right after a sh block")
        elif not info.startswith("markdown "):  # a page within a page
            problems += [f"{page}: line {line + k}: {command}: commands stand in ```sh blocks, where they are tested"
                         for k, command in enumerate(fence["body"].split("\n")) if re.match(rf"(make|{PROGRAM}) ", command)]
        position = fence.end()
    found += inline_commands(page, text, position, len(text))
    indented = re.compile(r"(?:^|(?<=\n\n))(?: {4}|\t)(make |\./)[^\n]*")
    problems += [f"{page}: line {line_of(text, block.start())}: {block[0].strip()}: commands stand in ```sh blocks, "
                 "where they are tested" for block in indented.finditer(FENCE.sub(blank, text))]
    return found, problems


def inline_commands(page, text, start, end):
    """Those in the text, in backticks."""
    part = re.sub(r"<!--.*?-->", blank, text[start:end], flags=re.S)
    return [Command(page, line_of(text, start + span.start()), span[2]) for span in
            re.finditer(r"(`+)([^`\n]+)\1", part) if COMMAND.match(span[2]) and " " in span[2]]


def small_enough(match):
    """The sizes after -n, each at most LARGEST."""
    factors = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}

    def smaller(size):
        number = re.fullmatch(r"(\d+)([KMG]?)|(\d+)<<(\d+)", size.strip("'\""))
        if not number:
            return size
        value = int(number[1]) * factors.get(number[2], 1) if number[1] else int(number[3]) << int(number[4])
        return size if value <= LARGEST else f"{LARGEST >> 10}K"
    return ",".join(dict.fromkeys(smaller(size) for size in match[0].split(",")))


def files():
    """The names of the repository's files."""
    listed = subprocess.run([ROOT + "/tools/files.sh"], capture_output=True, text=True, check=True).stdout
    return listed.split("\0")[:-1]


def pattern_of(line, same_compiler):
    """What a line of output must match. SIMT efficiency, last in tables of counts, is that of one compiler's basic blocks."""
    pattern = re.escape(re.sub(r"\s+", " ", line)).replace("…", ".*")
    return pattern if same_compiler else re.sub(r"(?<=\ )\d+\\\.\d$", r"\\d+\\.\\d", pattern)


@functools.lru_cache(None)
def same_compiler():
    """Whether the kernels here were compiled by the compiler that results/sim was recorded with."""
    built = subprocess.run([ROOT + "/build/sim/machine"], capture_output=True, text=True).stdout
    return len({re.search(r'"kernel_compiler": "\D*(\d+)', text)[1] for text in (built, read(ROOT + "/results/sim/machine.json"))}) == 1


class Tree:
    """A copy of the repository, as a clone would be, with what is built already: commands run there."""

    def __init__(self, folder):
        self.folder, self.done, self.as_given, self.changed = folder, {}, {}, {}
        for name in files():
            os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
            shutil.copy2(os.path.join(ROOT, name), os.path.join(folder, name))

    def with_build(self):
        self.as_given = {name: os.stat(os.path.join(self.folder, name)) for name in files() if name.endswith((".cu", ".c", ".h"))}
        for built in ("build/sim", "simulator/build"):
            if os.path.isdir(os.path.join(ROOT, built)):
                shutil.copytree(os.path.join(ROOT, built), os.path.join(self.folder, built), symlinks=True)
        shutil.copy2(os.path.join(ROOT, "tests/simcc/vector_add.cu"), os.path.join(self.folder, "my.cu"))

    def run_part(self, part):
        """(status, output) of one command; those that have no state of their own run once."""
        if part not in self.done or not REMEMBERED.match(part + " "):
            environment = {**os.environ, "BACKEND": "sim", "LC_ALL": "C.UTF-8", "RUN_ALL_APT": "no", "SEED": "1"}
            for inherited in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL"):
                environment.pop(inherited, None)
            begun = time.time()
            try:
                result = subprocess.run(["bash", "-c", part], cwd=self.folder, env=environment, timeout=GUARD,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                        text=True, errors="replace")
                self.done[part] = result.returncode, result.stdout
            except subprocess.TimeoutExpired:
                self.done[part] = f"none within {GUARD} s: it hangs", ""
            self.put_back(begun)
        return self.done[part]

    def put_back(self, begun):
        """A source that commands changed, and changed back, gets its old time again, so that make does not compile all that
        includes it: if no object is older than that and younger than the change. The last command began at this time."""
        for name, given in self.as_given.items():
            path = os.path.join(self.folder, name)
            if not os.path.exists(path) or os.stat(path).st_mtime_ns == given.st_mtime_ns:
                continue
            first = self.changed.setdefault(name, begun)
            if read(path) != read(os.path.join(ROOT, name)):
                continue
            last = os.stat(path).st_mtime
            lists = glob.glob(self.folder + "/build/**/*.d", recursive=True)
            objects = [list_[:-2] + ".o" for list_ in lists if re.search(rf"(?<!\S){re.escape(name)}(?!\S)", read(list_))]
            if not any(os.path.exists(made) and first <= os.stat(made).st_mtime <= last for made in objects):
                os.utime(path, ns=(given.st_atime_ns, given.st_mtime_ns))
                del self.changed[name]

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
                pattern = pattern_of(wanted_line, same_compiler())
                begin = next((k + 1 for k in range(begin, len(lines))
                              if re.fullmatch(pattern, re.sub(r"\s+", " ", lines[k]).strip())), None)
                if begin is None:
                    return f"{command.place()}: it does not print \"{wanted_line}\""
        return None
