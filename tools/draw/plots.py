#!/usr/bin/env python3
"""plots.py RESULTS_FOLDER PICTURE_FOLDER: draws every picture, as SVG, from the CSV files and the machine.json of one
results folder and nothing else.

Exit status: 0 drawn; 1 a broken CSV file or nothing to draw, and then no picture is touched; 2 usage, or gnuplot is missing."""
import contextlib
import glob
import os
import re
import shutil
import subprocess
from xml.etree.ElementTree import ParseError

import output
import memory
import pictures
import results
import schema
from layout import Skipped
from lighter import lighter
from output import REPOSITORY, TOOLS, Problem, run

# What draws each picture, and the last step that a picture of one lesson shows.
PICTURES = {"speedup": (pictures.speedup, "11"), "share": (pictures.share, "11"), "small": (pictures.small, "11"),
            "bandwidth": (pictures.bandwidth, "11"), "03_speedup": (pictures.speedup, "03"), "05_share": (pictures.share, "05"),
            "06_small": (pictures.small, "06"), "08_share": (pictures.share, "08"), "09_small": (pictures.small, "09"),
            "accuracy": (pictures.accuracy, "11"), "work": (pictures.work, "11"), "exchange": (pictures.exchange, "11"),
            "memory": (lambda folder, _: memory.draw(folder), ""), "flight": (pictures.flight, ""), "tile": (pictures.tile, ""),
            "ratio": (pictures.ours_against_cub, ""), "softmax": (pictures.softmax, ""), "many_gpus": (pictures.many_gpus, ""),
            "gpus_model": (pictures.gpus_model, "")}


class Folder:
    """A folder of results: rows of all steps, machine.json, and tables that some pictures need."""

    def __init__(self, path):
        self.path = path
        self.rows = [row for file in results.run_files(path) for row in results.read_csv(file, file) if row["step"][:1].isdigit()]
        if not self.rows:
            raise Problem(f"no CSV files in {path}; ./run_all.sh makes them")
        if not os.path.lexists(path + "/machine.json"):
            raise Problem(f"no machine.json in {path}; ./run_all.sh makes it")
        self.machine, why = schema.read_json(path + "/machine.json")
        if why:
            raise Problem(f"{path}/machine.json: {why}")
        self.gpu = re.sub("[^A-Za-z0-9_ .+@()-]", "?", str(self.machine.get("gpu", "")))[:60]  # what fits

    def number(self, key):
        """Of machine.json; 0 where it is absent, or nothing that can have been measured."""
        value = self.machine.get(key)
        return value if type(value) in (int, float) and 0 < value <= 1e18 else 0

    def table(self, name, maker, texts, numbers):
        """The rows of another CSV, or none where there is no such file; a number that was not measured is 0."""
        path = f"{self.path}/{name}"
        if not os.path.lexists(path):
            return []
        (header, *lines), faults = schema.read_table(path)
        if not faults and not {*texts, *numbers} <= {*header}:
            faults = [f"line 1: not what {maker} prints"]
        fields = [schema.Field(column, "text", 0, 0, (), "") for column in texts] + [schema.Field(column, "number", -1e18, 1e18, (), "") for column in numbers]
        rows = [] if faults else [dict(zip(header, line)) for line in lines]
        for number, row in enumerate(rows, 2):
            faults += [f"line {number}: {field.fault(row[field.name])}" for field in fields if row[field.name] and field.fault(row[field.name])]
            row.update({column: float(row[column] or 0) for column in numbers if not faults})
        if faults:
            raise Problem(f"{path}: {faults[0]}")
        return rows


def draw(folder, work, name):
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
            output.write(path, lighter(schema.read_text(path)[0] or ""))
            return path
    except ParseError:  # gnuplot says nothing of a full disk
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
    folder = Folder(source)
    # Of several GPUs nothing else is measured; and of rows alone tools/draw/rows.py draws all there is.
    only = folder.machine.get("only")
    names = [name for name in PICTURES if not only or only == "14_many_gpus" and "gpus" in name]
    if not names:
        print(f"plots.py: {source} has {only} alone, which other scripts draw")
        return 0
    drawn, report = {}, []
    with output.work_folder() as work:
        for script in glob.glob(glob.escape(REPOSITORY) + "/plots/*.gp"):
            shutil.copy(script, work)
        for name in names:
            try:
                drawn[name] = draw(folder, work, name)
            except Skipped as why:
                report.append(f"skipped {name}: {why}")
        if not drawn:
            raise Problem(f"nothing to draw in {source}")
        output.put(to, list(drawn.values()))
    for name in names:
        if name in drawn:
            report.append(f"drew {to}/{name}.svg")
        else:
            with contextlib.suppress(FileNotFoundError):  # it would show other results
                os.remove(f"{to}/{name}.svg")
    print("\n".join(report))
    return 0


if __name__ == "__main__":
    run(main)
