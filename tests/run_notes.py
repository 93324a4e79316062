"""What the tests of tools/pages/notes.py share: files of a made-up repository, and notes.py run on it."""
import contextlib
import io
import os
import subprocess
import traceback

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NOTES = ROOT + "/tools/pages/notes.py"
with open(NOTES) as source:
    CODE = compile(source.read(), NOTES, "exec")
root = None  # of the made-up repository


def write(name, text):
    path = os.path.join(root, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def notes(*arguments):
    """As a process of its own would run it, but compiled only once: that takes most of the time."""
    module = {"__name__": "notes", "__file__": NOTES}
    printed, complaints = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(complaints):
        try:
            exec(CODE, module)
            status = module["main"](["--root", root, *arguments])
        except Exception:
            traceback.print_exc()
            status = 1
    return subprocess.CompletedProcess(arguments, status, printed.getvalue(), complaints.getvalue())
