"""page_markdown.py: what the page tools share: which pages there are, their code blocks, links, anchors, tables;
and how they write numbers and sizes."""
import errno
import functools
import glob
import itertools
import os
import re
import shutil
import signal
import stat
import sys
import tempfile

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGES = ("*.md", "steps/*/*.md", "steps/toolbox/*/*.md", "docs/*.md", "library/*.md", "tools/book/*.md", "simulator/*.md", "results/*.md",
         "results/*/*.md")
LARGEST = 8 << 20  # bytes of a file
FENCE = re.compile(r"^(?P<mark>`{3,})(?P<info>[^\n`]*)\n(?P<body>.*?)^(?P=mark)`*[ \t]*$", re.M | re.S)

# Above quoted code, for GitHub: [`v0.cu:20-27`](v0.cu#L20-L27). quotes.py writes it.
CAPTION = re.compile(r"^\[`[^`\n]+:\d+-\d+`\]\([^)\n]+#L\d+-L\d+\)\n\n(?=`{3})", re.M)


class Problem(Exception):
    """One line for the reader, whatever it quotes."""

    def __init__(self, line):
        super().__init__(re.sub(r"\s*\n\s*", " ", line))


# ---- files, which a stranger may have sent: a link to /dev/zero or a FIFO never ends, and so is not read ----

def not_read(path):
    """Why a file is not read, or None."""
    status = os.lstat(path)
    if stat.S_ISLNK(status.st_mode):
        return "is a link, not a regular file"
    if not stat.S_ISREG(status.st_mode):
        return "is not a regular file"
    return f"is larger than {LARGEST >> 20} MiB" if status.st_size > LARGEST else None


def content(path):
    """Its bytes."""
    why = not_read(path)
    if why:
        raise Problem(f"{path} {why}")
    with open(path, "rb") as file:
        return file.read(LARGEST)


def entries(folder):
    """(the files, {file: why it is not read}) below a folder, as paths from it. No link is followed."""
    files, faults = [], {}
    for where, folders, names in os.walk(folder):
        for path in (os.path.join(where, name) for name in sorted(folders + names)):
            if not stat.S_ISDIR(os.lstat(path).st_mode) or path.endswith((".csv", ".json")):
                why = not_read(path)
                faults.update({os.path.relpath(path, folder): why} if why else {})
                files += [] if why else [os.path.relpath(path, folder)]
    return sorted(files), faults


def read(path):
    try:
        return content(path).decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise Problem(f"{path}: byte {error.start + 1} is not UTF-8")


def write(path, text):
    """Whole or not at all, with the rights of the file that it replaces."""
    path = os.path.realpath(path)
    mask = os.umask(0)
    os.umask(mask)
    handle, beside = tempfile.mkstemp(suffix=".tmp", dir=os.path.dirname(path))
    try:
        with open(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(beside, os.stat(path).st_mode & 0o777 if os.path.exists(path) else 0o666 & ~mask)
        os.replace(beside, path)
    except BaseException:
        os.remove(beside)
        raise


def put(folder, files):
    """Copies files into a folder, over those of the same names: all or none, and none in part. Signals wait while they are moved."""
    beside = None
    try:
        os.makedirs(folder, exist_ok=True)
        beside = tempfile.mkdtemp(prefix=".put-", dir=folder)
        for path in files:
            if os.path.isdir(os.path.join(folder, os.path.basename(path))):
                raise IsADirectoryError(errno.EISDIR, f"{os.path.basename(path)} is a folder")
            shutil.copy(path, beside)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
        try:
            for name in os.listdir(beside):
                os.replace(os.path.join(beside, name), os.path.join(folder, name))
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
    except OSError as error:
        raise Problem(f"cannot write to {folder} ({error.strerror})")
    finally:
        if beside:
            shutil.rmtree(beside, ignore_errors=True)


def run(main):
    """Ends the process with the status of main(arguments); what stopped it, or could not be printed, is reported in one line."""
    status = 1
    try:
        if sys.stdout is None:
            raise OSError("standard output is closed")
        status = main(sys.argv[1:])
        sys.stdout.flush()
    except (Problem, OSError) as error:
        sys.stdout = None  # not once more at the end
        print(f"{os.path.basename(sys.argv[0])}: {error}", file=sys.stderr)
        status = status or 1
    sys.exit(status)


def page_names(root):
    return [path for pattern in PAGES for path in sorted(glob.glob(pattern, root_dir=root))]


def edited(text, edits):
    """The text with each (start, end, what stands there now)."""
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def blank(match):
    """For re.sub: spaces in place of a match, its lines kept."""
    return re.sub(r"[^\n]", " ", match[0])


@functools.lru_cache(None)
def without_code(text):
    """The page with its code blocks and code spans blanked, all else in place."""
    return re.sub(r"(`+)(?!`)(?:(?!\n[ \t]*\n).)+?(?<!`)\1(?!`)", blank, FENCE.sub(blank, text), flags=re.S)


@functools.lru_cache(None)
def prose(text):
    """The page with its code blocks and comments blanked, all else in place."""
    return re.sub(r"<!--.*?-->", blank, FENCE.sub(blank, text), flags=re.S)


def written(text):
    """The same without its code spans: what a person wrote."""
    return prose(without_code(text))


# What follows a bracket within the text is taken in one way only: with two, an unclosed bracket took seconds.
LINK = re.compile(r"(?P<image>!?)\[(?P<text>(?:[^\[\]]|\[[^\]]*\](?:\([^)]*\)|(?!\()))*)\]\((?P<target>[^)\s]*)[^)]*\)")
DEFINED = re.compile(r"^ {0,3}\[(?P<text>[^\]]+)\]:[ \t]*(?P<target>\S+)", re.M)
TAG = re.compile(r"<(?P<name>img|a|source)\b(?P<attributes>[^>]*)>", re.S)


def targets(text, begin=0):
    """(start, end) of the target of each link and picture in what written() gives."""
    for pattern in (LINK, DEFINED):
        for link in pattern.finditer(text):
            yield begin + link.start("target"), begin + link.end("target")
            yield from targets(link["text"], begin + link.start("text"))  # a picture that is a link
    for tag in TAG.finditer(text):
        for value in re.finditer(r'\b(?:href|src|srcset)="([^"]*)"', tag["attributes"]):
            yield begin + tag.start("attributes") + value.start(1), begin + tag.start("attributes") + value.end(1)


def heading_text(heading):
    """A heading as it is read: no marks, no targets of links."""
    return re.sub(r"[`*]", "", re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)).strip()


def headings(text):
    """(where its line ends, anchor) of each heading, in order. GitHub's anchors: lower case, spaces to dashes,
    other punctuation gone; -1, -2 for those that come again."""
    found = set()
    for heading in re.finditer(r"^#{1,6}[ \t]+(.*?)[ \t]*#*$", prose(text), re.M):
        slug = re.sub(r"[^\w\- ]", "", heading_text(heading[1]).lower()).replace(" ", "-")
        name = next(name for name in itertools.chain([slug], map(f"{slug}-{{}}".format, itertools.count(1))) if name not in found)
        found.add(name)
        yield heading.end(1), name


def anchors(text):
    return {name for _, name in headings(text)} | set(re.findall(r'<a\s+(?:id|name)="([^"]+)"', prose(text)))


PLAIN = re.compile(r"[A-Za-z0-9_. ]*")  # as most are


def escaped(text):
    """A text from outside, as Markdown shows it: no mark of Markdown's, no tag, one line."""
    if PLAIN.fullmatch(text):
        return text
    text = re.sub(r"([\\`*\[\]|$~])", r"\\\1", re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]", " ", text))
    return re.sub(r"<(?=[A-Za-z/!?])", "&lt;", text).replace("-->", "--&gt;")


def fenced(text):
    """A text from outside as a code block, which it cannot end; nor is a marker of ours in it."""
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}text\n{text.strip().replace('-->', '-- >')}\n{fence}"


def table(header, rows, left):
    """A Markdown table; the first columns, left of them, are text. Numbers are written by short(), counts whole."""
    if not rows:
        raise LookupError("no rows")
    lines = [header, [":--"] * left + ["--:"] * (len(header) - left), *rows]
    return "\n".join("| " + " | ".join(str(cell) if isinstance(cell, (str, int)) else short(cell) for cell in line) + " |" for line in lines)


def link(step, page):
    """From a page to a step's lesson, or to that of a topic of the toolbox."""
    folder, name = ("steps", step[:2]) if step[:2].isdigit() else ("steps/toolbox", step)
    return f"[{name}]({os.path.relpath(os.path.join(folder, step, 'README.md'), os.path.dirname(page) or '.')})"


# ---- numbers and sizes ----

UNMEASURED = "–"
BYTE_UNITS = ("KiB", "MiB", "GiB")


class Figure(float):
    """A number that a page writes in its own way: Figure(24320, "24,320")."""

    def __new__(cls, value, text):
        made = super().__new__(cls, value)
        made.text = text
        return made


def figure(number, column):
    """As a page writes a ratio of times, or a percentage."""
    digits = {"ratio": 3, "low": 3, "high": 3, "share": 1, "theory_pct": 1, "pct_roof": 1}
    return Figure(number, f"{number:.{digits[column]}f}") if column in digits else number


def short(x):
    """Three significant digits, and all digits before the point: 0.123, 12.3, 1234."""
    if x is None:
        return UNMEASURED
    if isinstance(x, Figure):
        return x.text
    return f"{x:.0f}" if x >= 99.95 or x == 0 else f"{x:.1f}" if x >= 9.995 else f"{x:.2f}" if x >= 0.9995 else f"{x:.3g}"


def percent(x):
    return UNMEASURED if x is None else f"{x:.1f}"


def times(x):
    return UNMEASURED if x is None else short(x) + "×"


def whole(x):
    """A count, of which the CSV has nine digits."""
    return UNMEASURED if x is None else f"{x:.0f}" if x < 1e6 else f"{x:.2g}".replace("e+0", "e")


def count_text(text):
    """24320 -> 24,320; 65.44 as it is."""
    return f"{int(text):,}" if re.fullmatch(r"\d+", text) else short(float(text)) if text else UNMEASURED


def bytes_text(count):
    """233472 -> 228 KiB"""
    power = 1 + (count >= 1 << 20) + (count >= 1 << 30)
    return f"{count / 1024 ** power:.3g} {BYTE_UNITS[power - 1]}" if count else UNMEASURED


def elements(text):
    """16M -> 16777216; a number as it is"""
    if not isinstance(text, str):
        return text
    match = re.fullmatch(r"(\d+)([KMG]?)", text)
    if not match:
        raise Problem(f'"{text}" is not a size; write 1000, 64K, 16M or 1G')
    return int(match[1]) << {"": 0, "K": 10, "M": 20, "G": 30}[match[2]]


def size_name(n):
    shift = next((shift for shift in (30, 20, 10) if n > 0 and n % (1 << shift) == 0), 0)
    return str(int(n) >> shift) + {30: "G", 20: "M", 10: "K", 0: ""}[shift]


def ratio(a, b):
    return a / b if a is not None and b else None
