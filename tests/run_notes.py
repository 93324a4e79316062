"""What the tests of tools/pages/notes.py share: files of a made-up repository, and notes.py run on it."""
import contextlib
import io
import os
import re
import subprocess
import sys
import traceback

from tap import ok

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tools", "pages"))
import notes as program

root = None  # of the made-up repository
PAGE = "docs/page.md"


def write(name, text):
    path = os.path.join(root, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def read(name):
    with open(os.path.join(root, name)) as file:
        return file.read()


def notes(*arguments):
    """As a process of its own would run it, but imported only once: that takes most of the time."""
    printed, complaints = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(complaints):
        try:
            status = program.main([*arguments, "--root", root])
        except Exception:
            traceback.print_exc()
            status = 1
    return subprocess.CompletedProcess(arguments, status, printed.getvalue(), complaints.getvalue())


def table(marker):
    """The lines that a table gets, or the message."""
    write(PAGE, f"<!-- table: {marker} -->\n<!-- end -->\n")
    result = notes()
    return result.stderr if result.returncode else read(PAGE).split("\n")[1:-2]


def one_number(what):
    """A page with one number, which is not yet what it should be."""
    return f"x 1.01\n<!-- 1.01 = {what} -->\n"


def value(what):
    write(PAGE, one_number(what))
    result = notes()
    if "1.01 is not measured" in result.stderr:
        return "–"
    return result.stderr if result.returncode else read(PAGE)[2:].split("\n")[0]


def has(marker, *lines):
    """These lines, or beginnings of lines, are in the table."""
    made = table(marker)
    missing = [line for line in lines if isinstance(made, str) or not any(of.startswith(line) for of in made)]
    ok(not missing, marker, f"missing {missing}\nin {made}")


def values(expected):
    found = {marker: value(marker) for marker in expected}
    ok(found == expected, f"values: {', '.join(expected)}"[:100], f"found  {found}\nwanted {expected}")


def refused(message, page, what=None):
    """A page beside a README.md with work to do: neither may be written."""
    unwritten = "<!-- table: machine toy -->\n<!-- end -->\n"
    before = read("README.md")
    write("README.md", unwritten)
    write(PAGE, page)
    result = notes()
    ok(result.returncode == 1 and re.fullmatch(r"notes\.py: [^\n]*\n", result.stderr) and message in result.stderr
       and (read("README.md"), read(PAGE)) == (unwritten, page),
       f"refused in one line, nothing written: {what or message}", result)
    write("README.md", before)
