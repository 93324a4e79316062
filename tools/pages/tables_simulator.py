"""tables_simulator.py: the simulator's files, their lines, and what the first comment of each says."""
import glob
import os
import re
import textwrap

import results
from page_markdown import Problem, read, table

# Those to read first, in this order; then the groups of all, each with what belongs to it.
CORE = ("thread.h", "scheduler.c", "fibre.c", "grid.c", "access.c", "warp.c")
COMPILER = ("simcc", "toolkit_headers.txt", "rewrite.c", "merge.c", "extras/ptx.c", "extras/ptx.h")
GROUPS = (("The core: read these first, in this order", lambda name: name in CORE),
          ("What else the engine does", lambda name: re.fullmatch(r"\w+\.[ch]", name) and name not in CORE + COMPILER),
          ("What few programs need, and others do not contain", lambda name: name.startswith("extras/") and name not in COMPILER),
          ("From CUDA to C++", lambda name: name in COMPILER),
          ("Headers that stand for CUDA's", lambda name: name.startswith("include/")))
LEFT_OUT = ("README.md", "README.zh-CN.md", "example.cu", "product.cu", "build/")  # begin so: pages about the simulator, its examples, what was built


def first_comment(name, text):
    about = re.search(r"(?:\*|#) +[\w./]+: ((?:.|\n)+?)(?:[.:](?=\s)|\?| \*/)", text)
    if not about:
        raise Problem(f"{name}: line 1: the first comment doesn't say what the file is")
    return re.sub(r"\s*\n[ *#]*", " ", about[1])


def files(at):
    folder = os.path.join(results.root, at.folder)
    paths = [path for path in glob.glob(os.path.join(folder, "**"), recursive=True) if os.path.isfile(path)]
    texts = {name: read(path) for path in paths for name in [os.path.relpath(path, folder)] if not name.startswith(LEFT_OUT)}
    for name in [name for name in texts if name.endswith(".h") and name[:-2] + ".c" in texts and name not in CORE + COMPILER]:
        texts[name[:-2] + ".c"] += texts.pop(name)  # a file and its header: one row
    if not set(CORE) <= set(texts):
        raise Problem(f"{at.folder} holds no simulator")
    strangers = [name for name in sorted(texts) if not any(belongs(name) for _, belongs in GROUPS)]
    if strangers:
        raise Problem(f"{at.folder}/{strangers[0]}: no group of files takes it")
    rows, lines = [], {name: text.count("\n") for name, text in texts.items()}
    for title, belongs in GROUPS:
        group = sorted(filter(belongs, texts), key=lambda name: (CORE.index(name) if name in CORE else len(CORE), name))
        rows.append([f"**{title}**", "", f"**{sum(lines[name] for name in group)}**"])
        for name in group:
            where = os.path.relpath(os.path.join(folder, name), os.path.dirname(os.path.join(results.root, at.page)))
            what = first_comment(f"{at.folder}/{name}", texts[name])
            rows.append([f"[{name}]({where})", textwrap.shorten(what, 140 - len(name) - len(where), placeholder=" …"), str(lines[name])])
    return table(["file", "what it does", "lines"], rows + [["**all**", "", f"**{sum(lines.values())}**"]], 2)
