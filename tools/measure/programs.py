"""programs.py: what the commands here share: our programs are run, by several processes, and their CSV collected; sizes;
files that are written whole or not at all; signals."""
import csv
import glob
import hashlib
import io
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(1, ROOT + "/tools/pages")
import page_markdown  # noqa: E402
import schema  # noqa: E402
from page_markdown import Problem, read  # noqa: E402

LISTED = "step,variant,task,runs_here,known_wrong,on_cpu,roof,many_gpus,min_row,max_row,capability,asks_room".split(",")
SIGNALS = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 143}
typed_in = None


class Failed(Exception):
    """A program that did not do what it was to do: its exit status, and what it printed."""

    def __init__(self, status, output, errors):
        super().__init__(status)
        self.status, self.output, self.errors = status, output, errors

    @property
    def why(self):
        return ((self.output + self.errors).strip().splitlines() or [f"no message; is there room in {scratch()}?"])[-1]


class Interrupted(SystemExit):
    pass


def name_of_script():
    return os.path.basename(sys.argv[0])


def stop(status, message):
    print(f"{name_of_script()}: {message}", file=sys.stderr)
    sys.exit(status)


def end_by(number, _):
    for each in SIGNALS:
        signal.signal(each, signal.SIG_IGN)
    raise Interrupted(SIGNALS[number])


def begin(main, about=None):
    """Runs main(arguments), in the root of the repository, with nothing inherited that no script may inherit
    (tools/environment.sh); ends the process with its status. about: what --help prints, where main does not."""
    global typed_in
    for name in "CDPATH MAKEFLAGS MFLAGS GNUMAKEFLAGS MAKEOVERRIDES MAKELEVEL MAKEFILES".split():
        os.environ.pop(name, None)
    os.environ["LC_ALL"] = "C"  # decimal points, whatever the language
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup asks
            signal.signal(number, end_by)
    try:
        typed_in = os.getcwd()
    except OSError:  # the folder is gone
        pass
    os.chdir(ROOT)
    sys.stderr = sys.stderr or open(os.devnull, "w")

    def guarded(arguments):
        if about and arguments in (["--help"], ["-h"]):
            print(about)
            return 0
        try:
            return main(arguments)
        except Failed as failed:
            stop(failed.status, failed.why)
    page_markdown.run(guarded)


def typed(path):
    """A path as its user meant it."""
    if typed_in is None and not os.path.isabs(path):
        stop(2, f"{path}: there is no such place")
    return os.path.normpath(os.path.join(typed_in or "/", path))


def scratch():
    return os.environ.get("TMPDIR") or "/tmp"


def no_room():
    """What a full disk did looks like something else."""
    try:
        with tempfile.TemporaryFile(dir=scratch()) as file:
            file.write(bytes(4096))
    except OSError:
        return f"no room is left in {scratch()}"


def run(command, **options):
    """The finished command, with what it printed. It does not outlive a signal to us."""
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "errors": "replace", **options}
    try:
        child = subprocess.Popen(command, **options)
    except OSError as error:
        return subprocess.CompletedProcess(command, 127, "", f"{command[0]}: {error.strerror}\n")
    with child:
        try:
            output, errors = child.communicate()
        except BaseException:
            child.terminate()
            raise
    return subprocess.CompletedProcess(command, child.returncode if child.returncode >= 0 else 128 - child.returncode, output or "", errors or "")


def checked(command, **options):
    done = run(command, **options)
    if done.returncode:
        raise Failed(done.returncode, done.stdout, done.stderr)
    return done.stdout


def csv_of(command):
    """The text of the CSV that a program writes."""
    with tempfile.TemporaryDirectory(dir=scratch()) as work:
        checked([*command, "--csv", work + "/one.csv"])
        return read(work + "/one.csv")


def shown(command, *, to=None, may_be=(0,)):
    """Runs a command that speaks for itself; where it ends with another status than these, so do we. to: where its output goes."""
    done = run(command, stdout=to, stderr=None)
    if done.returncode not in may_be:
        sys.exit(done.returncode)
    return done


def make(*goals):
    shown(["make", "-s", f"-j{os.cpu_count()}", "BACKEND=cuda", *goals])


def provenance():
    """Which sources, when, which driver, as KEY=VALUE."""
    return shown(["tools/provenance.sh"], to=subprocess.PIPE).stdout.splitlines()


def machine(programs, *facts):
    """The text of machine.json."""
    return checked([f"{programs}/machine", *facts])


def facts(programs):
    """What machine.json would say, as an object."""
    return json.loads(machine(programs))


# ---- a folder of results: of one GPU, and of one state of the kernels ----


def kernels():
    """Which kernels these are: the first digits of a SHA-1 of all sources that a time may depend on."""
    digest = hashlib.sha1()
    for path in sorted(path for root in ("common", "library", "steps") for path in glob.glob(root + "/**", recursive=True)):
        if path.endswith((".c", ".cu", ".h")):
            with open(path, "rb") as file:
                digest.update(path.encode() + b"\0" + hashlib.sha1(file.read()).digest())
    return digest.hexdigest()[:12]


def line_of_part(name, about, seconds, files):
    """A line of parts.csv. about: what machine.json would say now."""
    return {"part": name, "commit": about.get("commit"), "kernels": kernels(), "date": about.get("date"), "seconds": f"{seconds:.0f}", "files": " ".join(files)}


def parts_of(folder):
    """The lines of its parts.csv."""
    path = folder + "/parts.csv"
    return [dict(zip(schema.PARTS, line)) for line in schema.read_table(path)[0][1:]] if os.path.exists(path) else []


class Part:
    """One part of a folder of results. Its files are put there at the end, all or none, with what machine.json and parts.csv say of them."""

    def __init__(self, folder, name, built="build/cuda"):
        self.folder, self.name, self.built, self.begun, self.known = folder, name, built, time.monotonic(), {}
        if os.path.lexists(folder + "/machine.json"):
            self.known, why = schema.read_json(folder + "/machine.json")
            if why:
                stop(2, f"{folder}/machine.json {why}")

    def write(self, files, *facts, to=""):
        """files: name -> text; to: a folder within. facts: KEY=VALUE, more of what machine.json says."""
        new = json.loads(machine(self.built, *provenance(), *facts))
        if self.known and new.get("gpu") != self.known.get("gpu"):
            stop(1, f"{os.path.relpath(self.folder)} is of {schema.shown(self.known.get('gpu'))}, and this GPU is {schema.shown(new.get('gpu'))}")
        told = {fact.partition("=")[0] for fact in facts}
        about = {**new, **{key: value for key, value in self.known.items() if key not in told and (key in ("commit", "date") or key not in new)}}
        lines = [line for line in parts_of(self.folder) if line["part"] != self.name] + [
            line_of_part(self.name, new, time.monotonic() - self.begun, [to] if to else sorted(files))]
        own = {"machine.json": json.dumps(about, indent=2) + "\n", "parts.csv": table(schema.PARTS, lines)}
        files = {name: light(text, about) for name, text in files.items()}
        if to:
            write(os.path.join(self.folder, to), files)
        write(self.folder, own if to else {**files, **own})


def folder_name(gpu):
    """NVIDIA H200 NVL -> h200-nvl"""
    return re.sub("[^a-z0-9]+", "-", gpu.replace("NVIDIA ", "", 1).lower()).strip("-") or "gpu"


def lessons():
    """(name, name of the program) of each step, then of each topic of the toolbox."""
    for root in ("steps", "steps/toolbox"):
        for name in sorted(os.listdir(root)):
            if os.path.exists(f"{root}/{name}/lesson.c"):
                yield name, f"step{name[:2]}" if name[:2].isdigit() else name


# ---- sizes ----

def elements(size):
    """16M or 1<<20, as a number; what is far too large for a number is infinite."""
    number, suffix, shift = re.fullmatch(r"([0-9]+)(?:([KMGkmg])|<<([0-9]+))?", size).groups()
    return float(number) * 2.0 ** min(10 * " KMG".index(suffix.upper()) if suffix else float(shift or 0), 1000)


def parse_sizes(text, most=None):
    """Those of a list of sizes, as in 1000,64K,16M,1<<20 (powers of 1024), up to most; ValueError if something is no size."""
    sizes = text.split(",")
    if "" in sizes:
        raise ValueError(f'a size is missing in "{text}"')
    for size in sizes:
        if not re.fullmatch(r"[0-9]+([KMGkmg]|<<[0-9]+)?", size):
            raise ValueError(f'"{size}" is not a size; write 1000, 64K, 16M, 1G or 1<<20')
    return [size for size in sizes if most is None or elements(size) <= most]


# ---- our programs ----

def described(program):
    """What a program says of each of its variants."""
    return rows_of(checked([program, "--list", "--csv", "-"]))


def has(variant, *columns):
    return any(float(variant.get(column) or 0) for column in columns)


def is_other(variant):
    """Whether it answers another question than the sum."""
    return variant.get("task") != "sum" and not has(variant, "roof")


def list_variants(programs):
    """The text of variants.csv: what these programs say of their variants."""
    return "".join(",".join(line) + "\n" for line in [LISTED] + [
        [variant.get(column) or "0" for column in LISTED] for program in programs for variant in described(program)])


def read_run(path):
    """The rows of a run, as texts; Problem if one is what no program writes."""
    _, faults = schema.read_run(path)
    if faults:
        raise Problem(f"{os.path.basename(path)}: {faults[0]}")
    header, *lines = schema.with_what_follows(path, schema.read_lines(path)[0])
    return [dict(zip(header, line)) for line in lines]


def number(text):
    return float(text or 0)


def figure(value):
    """A number as a file has it: six digits, and all of a whole one."""
    return f"{value:.0f}" if value == int(value) else f"{value:.6g}"


def merged(paths):
    """One CSV from those of several processes that ran the same program. A GPU's times differ more from process to
    process than from run to run. So each row gets the mean of the processes' medians (and of their 90th percentiles), the
    least minimum, the sum of the runs and the largest error."""
    groups = {}
    for path in paths:
        for row in read_run(path):
            groups.setdefault(tuple(row.get(name) for name in ("step", "variant", "n", "cache", "launch", "row")), []).append(row)
    lines = []
    for rows in groups.values():
        def mean(column):
            return sum(number(row[column]) for row in rows) / len(rows)
        first, us = rows[0], mean("median_us")
        new = {"median_us": f"{us:.4f}", "min_us": min((row["min_us"] for row in rows), key=number), "p90_us": f"{mean('p90_us'):.4f}",
               "runs": str(sum(int(row["runs"] or 0) for row in rows)), "pct_roof": f"{mean('pct_roof'):.2f}",
               "rel_err": max((row["rel_err"] for row in rows), key=number)}
        if us > 0:
            new["gbps"] = f"{number(first['gbps']) * number(first['median_us']) / us:.2f}"
        lines.append({**first, **{column: text for column, text in new.items() if first[column]}})
    return table(list(lines[0]) if lines else list(schema.RUN), lines)


def runs(rows, columns=schema.RUN):
    """The text of runs.csv. Columns of counts that hold nothing are left out."""
    return table([name for name in columns if name not in schema.COUNTS or any(row.get(name) for row in rows)], rows)


def light(text, machine):
    """A CSV; of a run without the columns that follow from the others and this machine.json."""
    if not text.startswith("step,variant,") or ",median_us," not in text:
        return text
    rows, far = rows_of(text), 2e-3  # gbps is that of rounded times
    for name, of in ((name, of) for name, of in schema.FOLLOWS.items() if name in rows[0]):
        right = [(row[name], of({**row, name: ""}, machine)) for row in rows]
        if all(old == new or name == "gbps" and old and new and abs(number(old) - number(new)) <= 0.01 + far * number(new) for old, new in right):
            for row in rows:
                del row[name]
    return runs(rows, rows[0])


def collect(rounds, name, program, sizes, other_sizes, *options):
    """(the CSV of a program, what it remarked, how many variants and sizes), by several processes, one after the other.
    Times differ more from process to process than within one. Sizes above 16M, which differ little, are left to the first
    3 processes; what runs on the CPU, which is slow, to the first. A program that answers other questions than the sum has
    many variants, whose answers the CPU judges word by word: it takes other_sizes, 5 processes at most, and those above
    16M only once. Raises Failed: as the program, or with 77 if no size is for it. name: that of the file to be, for
    complaints."""
    if not os.access(program, os.X_OK):
        stop(2, f"no program {program}: make builds it")
    try:
        variants = described(program)
    except Failed:  # its run will say why
        variants = []
    few, options = 3, list(options)
    if any(map(is_other, variants)):
        sizes, few, rounds = other_sizes, 1, min(rounds, 5)
    if any(has(variant, "max_row") for variant in variants):
        options = ["--row", "32,1K,8K", *options]
    if not sizes:
        raise Failed(77, "", "none of the sizes is for this program\n")
    small = ",".join(parse_sizes(sizes, 16 << 20))
    with tempfile.TemporaryDirectory(dir=scratch()) as work:
        paths = []
        for k in range(1, rounds + 1):
            os.mkdir(f"{work}/{k}")
            paths.append(f"{work}/{k}/{name}")
            done = run([program, "-n", sizes, *options, "--csv", paths[-1]])
            if done.returncode:
                raise Failed(done.returncode, done.stdout, "\n".join(filter(None, (no_room(), done.stderr))))
            if k == 1 and any(has(variant, "on_cpu") for variant in variants):
                options += ["-v", ",".join(v["variant"] for v in variants if has(v, "runs_here") and not has(v, "on_cpu", "known_wrong"))]
            if k >= few:
                sizes = small
            if not sizes:
                break
        try:
            text = merged(sorted(paths))
        except Problem as problem:
            raise Failed(1, "", f"{problem}\n")
    rows = rows_of(text)
    counts = ((len({row[column] for row in rows}), what) for column, what in (("variant", "variant"), ("n", "size")))
    return text, done.stderr, ", ".join(f"{count} {what}{'s' * (count != 1)}" for count, what in counts)


# ---- files ----

def rows_of(text):
    """Those of a CSV, as dictionaries."""
    return list(csv.DictReader(io.StringIO(text)))


def table(columns, rows):
    """CSV text of these columns of rows, which are dictionaries."""
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def joined(texts):
    """One CSV of several that have the same header."""
    return "".join(text.partition("\n")[2] if k else text for k, text in enumerate(texts))


def write(folder, texts):
    """Puts files of these texts into a folder: all or none."""
    with tempfile.TemporaryDirectory(dir=scratch()) as work:
        for name, text in texts.items():
            with open(os.path.join(work, name), "w") as file:
                file.write(text)
        page_markdown.put(folder, [os.path.join(work, name) for name in texts])


def write_file(path, text):
    write(os.path.dirname(path) or ".", {os.path.basename(path): text})
