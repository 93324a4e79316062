"""ladder.ipynb, in a copy of the repository and on the simulator: every cell runs, and shows what its text says. The notebook is kept
without outputs."""
import os

import nbformat
import pages
import pytest
from common import read
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError


@pytest.fixture(scope="module")
def notebook():
    """The cells of code."""
    whole = nbformat.read("ladder.ipynb", as_version=4)
    nbformat.validate(whole)
    return whole


def error_of(notebook, folder):
    """None, or the error that a cell ended with."""
    try:
        NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(folder)}}, extra_arguments=["--log-level=ERROR"]).execute()
    except CellExecutionError as error:
        return str(error)
    return None


def code_of(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def shown(cell):
    """What a cell printed, and the kinds of what it displayed."""
    return "".join(output.get("text", "") or " ".join(output.get("data", {})) for output in cell.outputs)


def test_alone(ok, notebook, tmp_path):
    ok(not any(cell.outputs or cell.execution_count for cell in code_of(notebook)), "the notebook is kept without outputs")
    error = error_of(nbformat.v4.new_notebook(cells=code_of(notebook)[:1]), tmp_path)
    ok(error is not None and "set REPOSITORY to the address of the repository that you took this notebook from" in error and "Traceback" not in error, "alone, it asks where the repository is", error)
    ok(error_of(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("%%bash\nmake step05")]), tmp_path), "a command that fails is an error")


def test_every_cell_runs(ok, notebook, tmp_path, monkeypatch):
    monkeypatch.setenv("RUN_ALL_APT", "no")
    monkeypatch.setenv("BACKEND", "sim")
    monkeypatch.setenv("PATH", os.pathsep.join(folder for folder in os.environ["PATH"].split(os.pathsep) if not os.path.exists(os.path.join(folder, "nvidia-smi"))))  # as without a GPU
    pages.Tree(str(tmp_path), with_build=True)
    error = error_of(notebook, tmp_path)
    ok(error is None, "every cell runs", error)
    for words in (["no GPU: everything runs on the simulator"], ["v7", "block_reduce", "ok"], ["<", "17664"], ["image/svg+xml"], ["02-2", "WRONG", "hint 1"], ["solved"]):
        ok([cell for cell in code_of(notebook) if all(word in shown(cell) for word in words)], f"a cell shows {', '.join(words)}", "\n\n".join(map(shown, code_of(notebook))))
    exercise = "practice/exercises/02_sequential/2_any_block.cu"
    ok.equal(read(f"{tmp_path}/{exercise}"), read(exercise), "the reader's own exercise is put back")
