#!/usr/bin/env -S python3 -B
"""model.py speedup|shares PICTURE [GPU]: draws what the model of time says of the ladder at 256M elements (docs/time.md):
its speed-ups over v0, as ranges, with the recorded ones where results/ has that GPU; or what limits v0 to v7.

Exit status: 0 drawn; 1 a program or gnuplot fails; 2 usage, or no such GPU."""
import csv
import glob
import io
import json
import os
import subprocess
import sys

import output
from page_markdown import read

SPEEDUP = {"step01": "v0,v1", "step02": "v2", "step03": "v3x8,v4,v5", "step04": "v6", "step05": "v7,v7_atomic", "step06": "two_pass",
           "step08": "vector_x4", "step09": "flagged_slots,fixed_point", "step11": "sum_f32"}
SHARES = {"step01": "v0,v1", "step02": "v2", "step03": "v3x8,v4,v5", "step04": "v6", "step05": "v7"}
LIMITS = (("instructions", 0xd55e00), ("barriers", 0xe69f00), ("latency", 0x56b4e9), ("bytes", 0x0072b2), ("atomics", 0xcc79a7), ("launches", 0x8c8c8c))
N = 1 << 28


def predictions(gpu, programs):
    rows = []
    for program, names in programs.items():
        if os.path.exists(f"build/sim/{program}"):
            done = subprocess.run([f"build/sim/{program}", "--model", gpu, "-n", str(N), "-v", names, "--csv", "-"], capture_output=True, text=True)
            if done.returncode:
                sys.exit(output.refused((done.stderr.strip().splitlines() or [program])[-1], 2 if done.returncode == 2 else 1))
            rows += [row for row in csv.DictReader(io.StringIO(done.stdout)) if row.get("model_limit", "refused") != "refused"]
    if not rows:
        print("model.py: these programs predict nothing")
        sys.exit(77)
    return rows


def recorded(gpu):
    """{variant: microseconds} at N of a folder of results that is of this GPU."""
    for path in sorted(glob.glob("results/*/machine.json")):
        if json.loads(read(path)).get("gpu") == gpu:
            times = {r["variant"]: float(r["median_us"]) for r in csv.DictReader(io.StringIO(read(os.path.dirname(path) + "/runs.csv")))
                     if (r["n"], r["launch"]) == (str(N), "plain") and r["step"][:2] < "12"}
            if "v0" in times:
                return times
    return {}


def gnuplot(picture, height, title, subtitle, body):
    script = (f'picture = "{picture}.new"; width = 800; height = {height}\nload "plots/style.gp"\ntitle = "{title}"; subtitle = "{subtitle}"\n'
              "eval heading\nset lmargin at screen 0.18\nset rmargin at screen 0.95\nset tmargin at screen from_top(84)\n"
              "set bmargin at screen from_top(height - 44)\n" + body)
    done = subprocess.run(["gnuplot"], input=script, capture_output=True, text=True, check=False)
    if done.returncode:
        raise output.Problem(done.stderr.strip())
    output.write(picture, output.bilingual(output.lighter(read(picture + ".new"))))
    os.remove(picture + ".new")


def speedup(picture, gpu):
    rows = predictions(gpu, SPEEDUP)
    middle = {r["variant"]: (float(r["model_low_us"]) + float(r["model_high_us"])) / 2 for r in rows}
    times, name = recorded(rows[0]["gpu"]), rows[0]["gpu"]
    ranges = "".join(f'{i} {middle["v0"] / float(r["model_high_us"]):.4g} {middle["v0"] / float(r["model_low_us"]):.4g} "{r["variant"]}"\n'
                     for i, r in enumerate(rows, 1))
    points = "".join(f'{times["v0"] / times[r["variant"]]:.4g} {i}\n' for i, r in enumerate(rows, 1) if r["variant"] in times)
    what = "bars: the model's ranges" + (f"; dots: recorded, {name}" if points else "")
    gnuplot(picture, 140 + 24 * len(rows), f"Speed-up over v0, 256M floats: model, not a measurement: {name}", what,
            f"$ranges << E\n{ranges}E\n$points << E\n{points}E\nset xrange [0:*]\nset yrange [{len(rows) + 0.6}:0.4]\nset xlabel 'times as fast as v0'\n"
            "set style fill solid 0.5 noborder\nplot $ranges using (($2+$3)/2):1:2:3:($1-0.3):($1+0.3):ytic(4) with boxxyerror linecolor rgb '#0072b2'"
            + (", $points using 1:2 with points pointtype 7 pointsize 0.7 linecolor rgb '#000000'" if points else "") + "\n")


def shares(picture, gpu):
    rows = predictions(gpu, SHARES)
    names = [name for name, _ in LIMITS]
    data = "".join(f'{r["variant"]} ' + " ".join(f'{100 * float(r["share_" + name]):.1f}' for name in names) + "\n" for r in rows)
    plots = ", ".join(f"$data using {k}:xtic(1) title '{name}' linecolor rgb '#{colour:06x}'" for k, (name, colour) in enumerate(LIMITS, 2))
    gnuplot(picture, 420, f"What limits, 256M floats: model, not a measurement: {rows[0]['gpu']}", "shares of the time of an average warp",
            f"$data << E\n{data}E\nset yrange [0:100]\nset ylabel '%'\nset key outside bottom center horizontal\nset style data histograms\n"
            f"set style histogram rowstacked\nset style fill solid 1 noborder\nset boxwidth 0.7\nset bmargin at screen 0.24\nplot {plots}\n")


def main(arguments):
    if len(arguments) not in (2, 3) or arguments[0] not in ("speedup", "shares"):
        return output.refused("usage: model.py speedup|shares PICTURE [GPU]")
    picture = os.path.abspath(arguments[1])
    os.chdir(output.REPOSITORY)
    {"speedup": speedup, "shares": shares}[arguments[0]](picture, (arguments + ["h200"])[2])
    return 0


if __name__ == "__main__":
    output.run(main)
