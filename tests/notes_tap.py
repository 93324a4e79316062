"""What the tests of plots/notes.py share: TAP, files of a made-up repository, and notes.py run on it."""
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
root = None  # of the made-up repository
tests = 0


def ok(passed, what, details=""):
    global tests
    tests += 1
    print(("ok" if passed else "not ok"), tests, "-", what)
    if not passed:
        print("".join("# " + line + "\n" for line in str(details).splitlines()), end="")


def write(name, text):
    path = os.path.join(root, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def notes(*arguments):
    return subprocess.run([sys.executable, ROOT + "/plots/notes.py", "--root", root, *arguments], capture_output=True, text=True)
