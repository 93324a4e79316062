"""notebook.py: the repository's address, which stands in tools/book/zensical.toml alone; the link that opens the notebook from there, and
the address in the notebook itself."""
import os
import re

import results
from page_markdown import Problem, read

SETTING = "tools/book/zensical.toml"
NOTEBOOK = "ladder.ipynb"
ADDRESS = re.compile(r"https://[\w.-]+(/[\w.~-]+)+")
LINE = re.compile(r'(?<="REPOSITORY = \\")[^"\\]*(?=\\"\\n")')  # as JSON writes it


def address():
    """The repository's address, or "" where it has none yet."""
    path = os.path.join(results.root, SETTING)
    found = re.search(r'^repository = "(.*)"', read(path), re.M) if os.path.exists(path) else None
    if found and found[1] and not ADDRESS.fullmatch(found[1]):
        raise Problem(f'{SETTING}: repository = "{found[1]}": an address such as https://github.com/OWNER/NAME is needed, or ""')
    return found[1].removesuffix("/").removesuffix(".git") if found else ""


def link(at):
    """A service opens notebooks of public repositories on GitHub."""
    place = re.fullmatch(r"https://github\.com/([^/]+/[^/]+)", address())
    return f"**[Open it in Colab](https://colab.research.google.com/github/{place[1]}/blob/main/{NOTEBOOK})**, in a browser, without installing anything." if place else ""


def rewritten(name, text):
    if not LINE.search(text):
        raise Problem(f'{name}: no line REPOSITORY = "" to write the address to')
    return LINE.sub(address(), text)
