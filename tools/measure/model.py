#!/usr/bin/env -S python3 -B
"""What the model of time predicts where results/ has measurements: model.py FILE [PROGRAM...] writes it as CSV, for the GPUs
and shapes that were measured. Without programs: all. Builds nothing: make model does."""
import csv
import io
import subprocess

from programs import begin, stop
import tables_model

COLUMNS = "gpu,step,variant,n,block,grid,row,model_low_us,model_high_us,model_limit,model_instructions".split(",")


def predict(gpu, program, sizes, row):
    """The rows of one program for one GPU, as dictionaries; row: floats of a row, "" for none."""
    command = [f"./{program}", "--model", gpu, "-n", ",".join(map(str, sorted(sizes))), "--csv", "-"] + (["--row", row] if row else [])
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode not in (0, 77):
        stop(1, f"{' '.join(command)}: {run.stderr.strip().splitlines()[-1]}")
    return [dict(line, gpu=gpu) for line in csv.DictReader(io.StringIO(run.stdout)) if not row or line["row"] in (row, "0")]


def main(arguments):
    if not arguments:
        stop(2, "usage: model.py FILE [PROGRAM...]")
    path, *programs = arguments
    rows = []
    for gpu, program, row, sizes in tables_model.asked():
        if not programs or program in programs:
            rows += predict(gpu, program, sizes, row)
    with open(path, "w", newline="") as out:
        writer = csv.DictWriter(out, COLUMNS, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return 0


if __name__ == "__main__":
    begin(main)
