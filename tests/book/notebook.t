#!/usr/bin/env python3
"""ladder.ipynb, in a copy of the repository and on the simulator: every cell runs, and shows what its text says. The
notebook is kept without outputs."""
import os
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests"))
import nbformat
import pages
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from tap import done, ok

PATH = os.path.join(ROOT, "ladder.ipynb")


def run(notebook, folder):
    """None, or the error that a cell ended with."""
    try:
        NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": folder}},
                       extra_arguments=["--log-level=ERROR"]).execute()
    except CellExecutionError as error:
        return str(error)
    return None


def shown(cell):
    """What a cell printed, and the kinds of what it displayed."""
    return "".join(output.get("text", "") or " ".join(output.get("data", {})) for output in cell.outputs)


notebook = nbformat.read(PATH, as_version=4)
nbformat.validate(notebook)
code = [cell for cell in notebook.cells if cell.cell_type == "code"]
ok(not any(cell.outputs or cell.execution_count for cell in code), "the notebook is kept without outputs")

os.environ.update(BACKEND="sim", RUN_ALL_APT="no")
os.environ["PATH"] = os.pathsep.join(folder for folder in os.environ["PATH"].split(os.pathsep)
                                     if not os.path.exists(os.path.join(folder, "nvidia-smi")))  # as without a GPU
with tempfile.TemporaryDirectory() as clone:
    pages.Tree(clone).with_build()
    error = run(notebook, clone)
    ok(error is None, "every cell runs", error)
    for words in (["no GPU: everything runs on the simulator"], ["v7", "block_reduce", "ok"], ["<", "17664"], ["image/svg+xml"],
                  ["02-2", "WRONG", "hint 1"], ["solved"]):
        found = [cell for cell in code if all(word in shown(cell) for word in words)]
        ok(found, f"a cell shows {', '.join(words)}", "\n\n".join(map(shown, code)))
    solved = open(os.path.join(clone, "practice/exercises/02_sequential/2_any_block.cu")).read()
    ok(solved == open(os.path.join(ROOT, "practice/exercises/02_sequential/2_any_block.cu")).read(), "the reader's own exercise is put back")

with tempfile.TemporaryDirectory() as elsewhere:
    error = run(nbformat.v4.new_notebook(cells=code[:1]), elsewhere)
    ok(error is not None and 'set REPOSITORY to the address of the repository that you took this notebook from' in error and "Traceback" not in error, "alone, it asks where the repository is", error)
    error = run(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("%%bash\nmake step05")]), elsewhere)
    ok(error is not None, "a command that fails is an error")
done()
