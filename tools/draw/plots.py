#!/usr/bin/env python3
"""plots.py RESULTS_FOLDER PICTURE_FOLDER: draws every picture, as SVG, from the CSV files and the machine.json of one
results folder and nothing else.

Exit status: 0 drawn; 1 a broken CSV file, 77 nothing to draw, and then no picture is touched; 2 usage, or gnuplot is missing."""
import contextlib
import glob
import os
import shutil
import subprocess
import xml.etree.ElementTree as xml

import output
import pictures
import results
import rows
import schema
from layout import Skipped
from output import REPOSITORY, TOOLS, Problem, run

# What draws each picture, and the last step that a picture of one lesson shows.
PICTURES = {"speedup": (pictures.speedup, "11"), "share": (pictures.share, "11"), "small": (pictures.small, "11"),
            "bandwidth": (pictures.bandwidth, "11"), "03_speedup": (pictures.speedup, "03"), "05_share": (pictures.share, "05"),
            "08_share": (pictures.share, "08"),
            "accuracy": (pictures.accuracy, "11"), "work": (pictures.work, "11"),
            "memory": (pictures.memory, ""), "flight": (pictures.flight, ""), "tile": (pictures.tile, ""),
            "ratio": (pictures.ours_against_cub, ""), "softmax": (pictures.softmax, ""), "many_gpus": (pictures.many_gpus, ""),
            "gpus_model": (pictures.gpus_model, ""), "rows": (rows.rows, ""), "row_rivals": (rows.row_rivals, "")}
OF_ONE_STEP = {"14_many_gpus": ("many_gpus", "gpus_model"), "16_rows": ("rows", "row_rivals")}  # folders that have nothing else


class Folder(results.Results):
    """A folder of results: its rows of steps, machine.json, and the GPU's name."""

    def __init__(self, name):
        super().__init__(name)
        self.rows, self.gpu = [row for row in self.rows if row["step"][:1].isdigit()], self.machine.get("gpu", "")

    def number(self, key):
        """Of machine.json; 0 where it is absent."""
        return self.machine.get(key) or 0

    def has(self, name):
        return os.path.lexists(results.path_of(self.folder, name))


@results.of_results
def draw(name, folder, work):
    """The path of a picture."""
    make, upto = PICTURES[name]
    picture, path = make(folder, upto), f"{work}/{name}.svg"
    if isinstance(picture, str):
        output.write(path, picture)
        return path
    for suffix, lines in zip((".params", ".data"), picture.lay_out()):
        output.write(f"{work}/{name}{suffix}", "\n".join([*lines, ""]))
    # It is run where the files are, so that gnuplot gets no name from outside; -d: without the user's settings.
    result = subprocess.run(["gnuplot", "-d", "-e", f"params='{name}.params'; data='{name}.data'; picture='{name}.svg'", picture.script], cwd=work,
                            env={**os.environ, "LC_ALL": "C"}, capture_output=True, text=True, errors="replace")
    try:
        if result.returncode == 0:
            output.write(path, output.lighter(schema.read_text(path)[0] or ""))
            return path
    except xml.ParseError:  # gnuplot says nothing of a full disk
        pass
    raise Problem(f"{name}: {output.complaint(result.stderr)}")


def main(arguments):
    if len(arguments) != 2:
        return output.refused("usage: tools/draw/plots.py RESULTS_FOLDER PICTURE_FOLDER")
    if not shutil.which("gnuplot"):
        said = subprocess.run([TOOLS + "/setup.sh", "--check", "gnuplot"], capture_output=True, text=True).stderr
        return output.refused(output.complaint(said).removeprefix("setup.sh: "))
    if not os.path.isdir(arguments[0]):
        return output.refused(f"no folder {arguments[0]}; ./run_all.sh makes one")
    source, to = arguments
    results.use_root(REPOSITORY, os.path.dirname(os.path.realpath(source)))
    folder = Folder(os.path.basename(os.path.realpath(source)))
    names = OF_ONE_STEP.get(folder.machine.get("only"), PICTURES)
    drawn, report = {}, []
    with output.work_folder() as work:
        for script in glob.glob(glob.escape(REPOSITORY) + "/plots/*.gp"):
            shutil.copy(script, work)
        for name in names:
            try:
                drawn[name] = draw(name, folder, work)
            except Skipped as why:
                report.append(f"skipped {name}: {why}")
        if not drawn:
            print(f"nothing to draw in {source}")
            return 77
        output.put(to, list(drawn.values()))
    for name in names:
        if name not in drawn:
            with contextlib.suppress(FileNotFoundError):  # it would show other results
                os.remove(f"{to}/{name}.svg")
    print("\n".join([*report, *(f"drew {to}/{name}.svg" for name in drawn)]))
    return 0


if __name__ == "__main__":
    run(main)
