"""output.py: what both programs here share: a folder to work in, and pictures that are put in place all or none."""
import contextlib
import os
import shutil
import signal
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOOLS = os.path.dirname(HERE)
REPOSITORY = os.path.dirname(TOOLS)
sys.dont_write_bytecode = True
sys.path.insert(1, os.path.join(TOOLS, "pages"))
import page_markdown  # noqa: E402

Problem, put, run, write = page_markdown.Problem, page_markdown.put, page_markdown.run, page_markdown.write


def refused(message, status=2):
    """For usage, and for tools that are missing."""
    print(f"{os.path.basename(sys.argv[0])}: {message}", file=sys.stderr)
    return status


@contextlib.contextmanager
def work_folder():
    """A folder that goes at the end, also after an interrupt."""
    where = os.environ.get("TMPDIR") or "/tmp"
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    try:
        folder = tempfile.mkdtemp(dir=where)
    except OSError:
        raise Problem(f"cannot write to {where}: is it there, and is there room?")
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def complaint(said, which=0):
    """The first line, or another, of what a program said; what a full disk did has no words."""
    lines = [line for line in said.splitlines() if line.strip() and ": warning: " not in line]
    return lines[which] if lines else f"failed, and no word why; is there room in {os.environ.get('TMPDIR') or '/tmp'}?"
