"""given.py: files as they were given to the reader: git has them by their names in NAME.toml, or kept/ has a copy."""
import hashlib
import os
import re
import subprocess

from program import ROOT
from result import Stop
from source import quiz_kernel

KEPT = os.path.join(ROOT, "kept")
KERNEL = re.compile(r'^kernel = "\w*"', re.M)  # of a quiz: a digest of what stays as it is
BLOB = re.compile(r'^blob = "(\w*)"', re.M)  # git's name for a file as it was given


def read(path):
    with open(path, "rb") as file:
        return file.read()


def put(path, data):
    """At once and whole."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    new = f"{path}.new.{os.getpid()}"
    try:
        with open(new, "wb") as file:
            file.write(data)
        os.replace(new, path)
    finally:
        if os.path.exists(new):
            os.remove(new)


def keep(name, path):
    """Copies this file to the first free kept/NAME.1.cu, .2.cu ...; nothing is ever overwritten there. Where to."""
    number = 1
    while os.path.lexists(f"{KEPT}/{name}.{number}.cu"):
        number += 1
    to = f"{KEPT}/{name}.{number}.cu"
    os.makedirs(os.path.dirname(to), exist_ok=True)
    with open(to, "xb") as file:
        file.write(read(path))
    return os.path.relpath(to, ROOT)


def blob_of(path_or_data):
    """What git calls this content. An editor's or a checkout's CR before each newline is no change."""
    data = (path_or_data if isinstance(path_or_data, bytes) else read(path_or_data)).replace(b"\r", b"")
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


class Given:
    """The exercises of this folder."""

    def __init__(self, folder, names):
        self.folder, self.names, self.known = folder, names, {}

    def blobs(self):
        """What git calls each file as it was given: so it can be had from git, whatever was committed since."""
        for name in self.names if not self.known else ():
            found = BLOB.search(read(os.path.join(self.folder, name + ".toml")).decode("utf-8"))
            self.known[name] = found[1] if found else ""
        return self.known

    def file(self, name):
        return os.path.join(self.folder, name + ".cu")

    def is_pristine(self, name):
        return os.path.isfile(self.file(name)) and blob_of(self.file(name)) == self.blobs().get(name)

    def git(self, *words):
        try:
            return subprocess.run(["git", *words], cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True)
        except OSError:
            return subprocess.CompletedProcess(words, 127, b"", b"")

    def remember(self, names):
        """Where git has no history, as in a downloaded archive: copies these pristine files, for reset."""
        if self.git("cat-file", "-e", next(iter(self.blobs().values()))).returncode == 0:
            return
        for name in names:
            to = f"{KEPT}/pristine/{name}.cu"
            if not os.path.exists(to):
                try:
                    put(to, read(self.file(name)))
                except OSError:
                    pass

    def restore(self, name):
        """Puts the file back; where the reader's is kept, or None. Raises Stop."""
        path, shown = self.file(name), os.path.relpath(self.file(name), ROOT)
        there = self.git("cat-file", "blob", self.blobs().get(name, ""))
        text = there.stdout if there.returncode == 0 else None
        if text is None and os.path.exists(f"{KEPT}/pristine/{name}.cu"):
            text = read(f"{KEPT}/pristine/{name}.cu")
        if text is None:
            raise Stop(1, f"git does not have {shown} as it was, and nor has kept/: take it from where you got it")
        if blob_of(text) != self.blobs()[name]:
            raise Stop(1, f"what git or kept/ has is not whole: {shown} stays as it is")
        kept = None
        if os.path.isfile(path) and read(path) != text:
            try:
                kept = keep(name, path)
            except OSError:
                raise Stop(1, f"yours cannot be kept (is the disk full, or kept/ not yours?): {shown} stays as it is") from None
        try:
            put(path, text)
        except OSError:
            raise Stop(1, f"{os.path.dirname(shown)} cannot be written (is the disk full?): {shown} stays as it is") from None
        return kept

    def record(self):
        """Writes into each NAME.toml what git calls its file now, and of a quiz a digest of its kernel."""
        for name in self.names:
            path = os.path.join(self.folder, name + ".toml")
            text, line = read(path).decode("utf-8"), f'blob = "{blob_of(self.file(name))}"'
            text = BLOB.sub(line, text, 1) if BLOB.search(text) else text.replace("\n", f"\n{line}\n", 1)
            put(path, KERNEL.sub(f'kernel = "{quiz_kernel(read(self.file(name)).decode())}"', text, 1).encode())
