#!/usr/bin/env python3
"""tools/draw/draw.sh: every picture is drawn, well-formed, with no text over other text or
outside; broken input is refused and leaves the pictures that are there alone."""
import glob
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

sys.dont_write_bytecode = True
import synthetic
import tap
from tap import ok

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def draw(results, pictures, **environment):
    return subprocess.run([ROOT + "/tools/draw/draw.sh", results, pictures], capture_output=True,
                          text=True, env={**os.environ, **environment})


def boxes(svg):
    """Each text of a picture as (text, left, top, right, bottom), in pixels. A letter is
    taken to be 0.6 of the font's size wide, as in DejaVu Sans, wider than most."""
    found = {}
    for group in xml.parse(svg).getroot().iter("{http://www.w3.org/2000/svg}g"):
        texts = group.findall("{http://www.w3.org/2000/svg}text")
        place = re.match(r"translate\(([-\d.]+),([-\d.]+)\)(.*)", group.get("transform", ""))
        if not texts or not place:
            continue
        text = "".join(texts[0].itertext()).strip()
        x, y, size = float(place[1]), float(place[2]), float(group.get("font-size"))
        width = 0.6 * size * len(text)
        before = {"start": 0, "middle": width / 2, "end": width}[group.get("text-anchor", "start")]
        if "rotate" in place[3]:
            found[text, x, y] = (text, x - 0.8 * size, y - width / 2, x + 0.1 * size, y + width / 2)
        elif text:
            found[text, x, y] = (text, x - before, y - 0.8 * size, x - before + width, y + 0.1 * size)
    return list(found.values())


def check_texts(svg):
    view = [float(v) for v in xml.parse(svg).getroot().get("viewBox").split()]
    texts = boxes(svg)
    outside = [t[0] for t in texts if t[1] < 0 or t[2] < 0 or t[3] > view[2] or t[4] > view[3]]
    clashes = [a[0] + " / " + b[0] for i, a in enumerate(texts) for b in texts[:i]
               if a[1] < b[3] and b[1] < a[3] and a[2] < b[4] and b[2] < a[4]]
    name = os.path.basename(svg)
    ok(len(texts) > 10, name + " has texts", len(texts))
    ok(not outside, name + ": all texts are inside", outside)
    ok(not clashes, name + ": no text lies over another", "\n".join(clashes))
    return " ".join(t[0] for t in texts)


def check_png(path):
    with open(path, "rb") as file:
        start = file.read(24)
    good = start[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">I", start[16:20])[0] == 1600
    ok(good and os.path.getsize(path) > 20000, os.path.basename(path) + " is a picture of 1600 pixels",
       start)


def contents(folder):
    return {name: open(os.path.join(folder, name), "rb").read() for name in sorted(os.listdir(folder))}


def refused(what, status, message, results, pictures, **environment):
    before = contents(pictures)
    result = draw(results, pictures, **environment)
    ok(result.returncode == status, f"{what}: status {status}", result)
    ok(re.fullmatch(r"draw\.sh: [^\n]*\n", result.stderr), f"{what}: one line", result.stderr)
    ok(message in result.stderr, f"{what}: it says so", result.stderr)
    ok(contents(pictures) == before, f"{what}: the pictures stay as they were")


def spoil(folder, name, change):
    """A copy of a results folder with one file's text changed; None removes the file."""
    copy = tempfile.mkdtemp(dir=work) + "/results"
    shutil.copytree(folder, copy)
    path = os.path.join(copy, name)
    text = open(path).read()
    os.remove(path)
    if change is not None:
        with open(path, "w") as out:
            out.write(change(text))
    return copy


def line_3(change):
    def apply(text):
        lines = text.split("\n")
        lines[2] = change(lines[2])
        return "\n".join(lines)
    return apply


if shutil.which("gnuplot") is None:
    print("1..0 # SKIP gnuplot is missing")
    sys.exit()

with tempfile.TemporaryDirectory() as work:
    gpu, sim = work + "/toy", work + "/sim"
    synthetic.write_gpu(gpu)
    synthetic.write_sim(sim)
    synthetic.write_levels(gpu)
    synthetic.write_sweep(gpu)
    synthetic.write_compare(gpu)
    synthetic.write_softmax(gpu)
    wanted = {gpu: ["speedup", "bandwidth", "small", "accuracy", "memory", "flight", "tile", "ratio", "softmax"], sim: ["accuracy", "work", "exchange"]}
    texts = {}
    for results, names in wanted.items():
        pictures = results + "-plots"
        result = draw(results, pictures)
        ok(result.returncode == 0, os.path.basename(results) + ": status 0", result)
        ok(result.stderr == "", os.path.basename(results) + ": no warning", result.stderr)
        ok(sorted(os.listdir(pictures)) == sorted(n + e for n in names for e in (".png", ".svg")),
           os.path.basename(results) + ": these pictures and no others", os.listdir(pictures))
        skipped = re.findall(r"^skipped (\w+): .", result.stdout, re.M)
        ok(len(skipped) == 11 - len(names), "each of the others is skipped with a reason", result.stdout)
        for name in names:
            texts[os.path.basename(results), name] = check_texts(f"{pictures}/{name}.svg")
            check_png(f"{pictures}/{name}.png")

    # Numbers: from the synthetic model, worked out here once more.
    v0, v6 = 8 + (1 << 24) / 1e5, 6 + (1 << 24) / 9.5e5
    ok(f"{v0 / v6:.1f}×" in texts["toy", "speedup"], "the speedup of v6 at 16M is in the picture")
    ok("NVIDIA Toy" in texts["toy", "speedup"], "and the machine")
    for name in ("theoretical", "read (the roof)", "cub", "v6", "2G", "GB/s"):
        ok(name in texts["toy", "bandwidth"].split("  ")[0], f"bandwidth names {name}")
    ok("256K" in texts["sim", "work"], "the simulator's largest n is named")
    ok(f"{32 * (1 / 8 + 1 / 64):.2f}" in texts["sim", "work"], "requests of v0 are in the picture")
    for name in ("one of 77 SMs", "64 KiB in each SM", "128 KiB of shared memory in each SM, 23 cycles away", "20.1 TB/s",
                 "30 MiB for all SMs, 234 cycles away", "6.10 TB/s", "20 GiB for all SMs, 678 cycles away", "4.00 TB/s"):
        ok(name in texts["toy", "memory"], f"memory: {name}", texts["toy", "memory"])
    for name in ("predicted knee: 16 KB", "measured knee: 32 KB", "4 × 16 bytes a thread", "a block for each tile", "Little's law"):
        ok(name in texts["toy", "flight"], f"flight: {name}", texts["toy", "flight"])
    for name in ("64 threads", "1024 threads", "persistent, best", "bytes that a block reads"):
        ok(name in texts["toy", "tile"], f"tile: {name}", texts["toy", "tile"])
    for name in ("cold L2 cache", "warm L2 cache", "aimed at", "CUB", "256M"):
        ok(name in texts["toy", "ratio"], f"ratio: {name}", texts["toy", "ratio"])
    for name in ("a warp for each row", "a block", "a cluster of 4 blocks", "PyTorch", "plain copy", "% of a plain copy", "16K",
                 "256M floats, cold L2 cache; PyTorch 2.11.0+toy"):
        ok(name in texts["toy", "softmax"], f"softmax: {name}", texts["toy", "softmax"])
    svg = open(gpu + "-plots/ratio.svg").read()
    ok(svg.count("fill-opacity = '0.25") == 2, "ratio: two bands are shaded", svg.count("fill-opacity"))
    for name in wanted[sim]:
        ok(not re.search(r"µs|GB/s|faster", texts["sim", name]), f"{name} on the simulator shows no time")

    # Curves that all end at the foot of the picture, or all at its top.
    for name, change in (("foot", {"theoretical_gbps": 10**6}), ("top", {"theoretical_gbps": 0})):
        crowded = work + "/" + name
        synthetic.write_gpu(crowded, rate=0.001 if name == "foot" else 1, same=True, **change)
        result = draw(crowded, crowded + "-plots")
        ok(result.returncode == 0, f"all names at the {name}: status 0", result)
        check_texts(crowded + "-plots/bandwidth.svg")
        check_texts(crowded + "-plots/small.svg")

    # Without experiments/levels.csv: what machine.json tells.
    synthetic.write_gpu(work + "/plain")
    result = draw(work + "/plain", work + "/plain-plots")
    text = check_texts(work + "/plain-plots/memory.svg")
    ok(result.returncode == 0 and "thin: not measured" in text and "cycles" not in text and text.count("TB/s") == 1,
       "memory: without levels.csv it shows what is known", text)

    # The steps after 07 have colours and names, too.
    later = work + "/later"
    synthetic.write_gpu(later)
    with open(later + "/07_cooperative.csv") as file:
        cooperative = file.read()
    for step, variant in (("08_vectorized", "vector_x8"), ("09_single_pass", "ticket"), ("10_clusters", "load_cs"),
                          ("10_clusters", "cluster_8"), ("11_library", "sum_f32")):
        with open(f"{later}/{step}.csv", "w") as out:
            out.write(cooperative.replace("07_cooperative,cooperative", f"{step},{variant}"))
    result = draw(later, later + "-plots")
    ok(result.returncode == 0 and result.stderr == "", "steps 08 to 11: status 0, no warning", result)
    text = check_texts(later + "-plots/speedup.svg") + check_texts(later + "-plots/small.svg") + check_texts(later + "-plots/bandwidth.svg")
    ok(all(text.count(name) >= 2 for name in ("vector_x8", "ticket", "cluster_8", "sum_f32")) and "load_cs" not in text,
       "steps 08 to 11 are named", text)

    # Sizes in whatever order somebody typed them, and one row twice.
    def shuffle(text):
        rows = text.strip().split("\n")
        return "\n".join(rows[:1] + sorted(rows[1:], key=lambda row: -int(row.split(",")[4])) + rows[-1:]) + "\n"
    mixed = gpu
    for name in [name + ".csv" for name in synthetic.GPU]:
        mixed = spoil(mixed, name, shuffle)
    draw(mixed, work + "/mixed-plots")
    ok(contents(work + "/mixed-plots") == contents(gpu + "-plots"), "the order of sizes makes no difference")

    pictures = gpu + "-plots"
    csv = "01_interleaved.csv"
    refused("a field too few", 1, f"{csv}: line 3: 28 fields, the header has 29",
            spoil(gpu, csv, line_3(lambda line: line[:-1])), pictures)
    refused("a word for a number", 1, f"{csv}: line 3: grid is not a number: five",
            spoil(gpu, csv, line_3(lambda line: re.sub(r",256,\d+,", ",256,five,", line))), pictures)
    refused("a cut-off file", 1, f"{csv}: line 3: ",
            spoil(gpu, csv, lambda text: text[:text.index("\n", text.index("\n") + 1) + 40]), pictures)
    refused("a missing column", 1, f"{csv}: line 1: the header has no column err_bound",
            spoil(gpu, csv, lambda text: text.replace("err_bound", "bound")), pictures)
    refused("an empty file", 1, f"{csv}: line 1: the file is empty",
            spoil(gpu, csv, lambda text: ""), pictures)
    refused("an unknown backend", 1, "backend is not cuda, sim or cpu: abacus",
            spoil(gpu, csv, line_3(lambda line: line.replace("cuda", "abacus"))), pictures)
    refused("no machine.json", 1, "no machine.json", spoil(gpu, "machine.json", None), pictures)
    refused("a levels.csv that is none", 1, "levels.csv: line 1: not what experiments/levels.cu prints",
            spoil(gpu, "experiments/levels.csv", lambda text: text.replace("cycles", "miles")), pictures)
    refused("a sweep.csv that is none", 1, "sweep.csv: line 1: not what ./step08 --demo prints",
            spoil(gpu, "sweep.csv", lambda text: text.replace("bytes_in_flight", "bites")), pictures)
    refused("a softmax.csv that is none", 1, "softmax.csv: line 1: not what make softmax prints",
            spoil(gpu, "softmax.csv", lambda text: text.replace("pct_roof", "percent")), pictures)
    without = draw(spoil(gpu, "softmax_torch.csv", None), work + "/without-plots")
    ok(without.returncode == 0 and "PyTorch" not in check_texts(work + "/without-plots/softmax.svg"),
       "softmax: without PyTorch it shows ours", without)
    refused("a row too short in compare.csv", 1, "compare.csv: a line has not 14 fields: ",
            spoil(gpu, "compare.csv", line_3(lambda line: line[:line.rindex(",")])), pictures)
    refused("no such folder", 2, "no folder", work + "/nowhere", pictures)
    os.mkdir(work + "/empty")
    refused("a folder without CSV", 1, "no CSV files", work + "/empty", pictures)

    few = work + "/bin"
    os.mkdir(few)
    for tool in ("bash", "env", "dirname"):
        os.symlink(shutil.which(tool), os.path.join(few, tool))
    refused("no gnuplot", 2, "apt-get install -y gnuplot-nox", gpu, pictures, PATH=few)

    # A picture whose data are gone must not stay behind and tell of other results.
    result = draw(sim, pictures)
    ok(result.returncode == 0 and not glob.glob(pictures + "/speedup.*"), "a picture without data goes",
       os.listdir(pictures))

    # One size and one variant, an error of 0: still a picture, without a warning.
    def one_row(text):
        return "\n".join(text.split("\n")[:2]) + "\n"
    tiny = work + "/tiny"
    os.mkdir(tiny)
    for name in (csv, "machine.json"):
        shutil.copy(os.path.join(gpu, name), tiny)
    with open(os.path.join(tiny, csv)) as file:
        text = one_row(file.read())
    with open(os.path.join(tiny, csv), "w") as file:
        file.write(text)
    result = draw(tiny, work + "/tiny-plots")
    ok(result.returncode == 0 and result.stderr == "" and "drew" in result.stdout, "one row is enough", result)

tap.done()
