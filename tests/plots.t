#!/usr/bin/env python3
# tier: more
"""tools/draw/plots.py: the pictures of a folder of results are drawn, in XML that can be read, and say what must stand in them;
broken input is refused and leaves the pictures that are there alone. And each picture of this repository is shown by a page."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [ROOT + "/tools/draw", ROOT + "/tools/pages"]
import layout
import output
import synthetic
import tap
from pages import files
from tap import ok


def draw(results, pictures, **environment):
    return subprocess.run([sys.executable, ROOT + "/tools/draw/plots.py", results, pictures], capture_output=True, timeout=300,
                          text=True, env={**os.environ, **environment})


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def texts(svg):
    """All that is written in a picture; "" if it is no XML, or nothing is written."""
    try:
        return " ".join("".join(element.itertext()).strip() for element in xml.parse(svg).getroot().iter("{http://www.w3.org/2000/svg}text"))
    except xml.ParseError:
        return ""


def contents(folder):
    return {name: read(os.path.join(folder, name)) for name in sorted(os.listdir(folder))}


def refused(what, status, message, results, pictures, **environment):
    before = contents(pictures)
    result = draw(results, pictures, **environment)
    ok(result.returncode == status and re.fullmatch(r"plots\.py: [^\n]*\n", result.stderr) and message in result.stderr and
       contents(pictures) == before, f"{what}: status {status}, one line, the pictures stay as they were", result)


def spoil(folder, name, change):
    """A copy of a results folder with one file's text changed; None removes the file."""
    copy = tempfile.mkdtemp(dir=work) + "/results"
    shutil.copytree(folder, copy)
    path = os.path.join(copy, name)
    text = read(path)
    os.remove(path)
    if change is not None:
        with open(path, "w") as out:
            out.write(change(text))
    return copy


# ---- the pictures of this repository ----

tracked = files()
shown = {os.path.normpath(os.path.join(os.path.dirname(page), target)) for page in tracked if page.endswith(".md")
         for target in re.findall(r"\]\(([^()\s]+\.svg)(?:#zh)?\)", read(os.path.join(ROOT, page)))}
pictures = [name for name in tracked if name.endswith((".svg", ".png", ".jpg", ".gif", ".pdf"))]
hidden = [name for name in pictures if name not in shown and os.path.dirname(name) in {os.path.dirname(picture) for picture in shown}]
ok(not hidden, "every picture is shown by a page", hidden)
unread = [name for name in pictures if not texts(os.path.join(ROOT, name))]
ok(len(pictures) > 50 and not unread, "each is SVG that can be read", unread)
ok(output.bilingual("<svg a=''><text x='1'>warp 3: 4 words in 2 banks, so 2 wavefronts</text><text>v6.cu:3: a &lt; b</text></svg>").split("</style>")[1] ==
   "<text class='en' x='1'>warp 3: 4 words in 2 banks, so 2 wavefronts</text><text class='zh' x='1'>线程束 3：4 个字在 2 个存储体中，所以是 2 个波前</text><text>v6.cu:3: a &lt; b</text></svg>",
   "a picture has its words in both languages; code stays")
left = [f"{name}: {text}" for name in pictures for text in re.findall(r"<text(?! class='(?:en|zh)')\b[^>]*>([^<]*[a-z]{3}[^<]*)</text>", read(os.path.join(ROOT, name)))
        if not name.startswith("plots/idea/") and not re.fullmatch(r"[\w.]+|.*\.(cu|h):\d.*|[A-Z]\w*( \w+)*", text)]
ok(not left, "all words of the pictures that are drawn are in tools/book/chinese.csv", left)
with tempfile.TemporaryDirectory() as work:
    for name in ("h200", "h200x2", "sim"):
        result = draw(f"{ROOT}/results/{name}", f"{work}/{name}")
        ok(result.returncode == 0 and result.stderr == "" and os.listdir(f"{work}/{name}") and sorted(os.listdir(f"{work}/{name}")) == sorted(os.listdir(f"{ROOT}/plots/{name}")),
           f"plots/{name} can be drawn", result)
    result = draw(f"{ROOT}/results/h100", work + "/h100")
    ok(result.returncode == 77 and "nothing to draw in" in result.stdout and not os.path.exists(work + "/h100"), "nothing to draw: status 77", result)

# ---- made-up results: numbers from the synthetic model, worked out here once more ----

with tempfile.TemporaryDirectory() as work:
    gpu, sim = work + "/toy", work + "/sim"
    synthetic.write_gpu(gpu)
    synthetic.write_sim(sim)
    for name in ("levels", "sweep", "compare", "softmax"):
        getattr(synthetic, "write_" + name)(gpu)
    synthetic.write_rows(gpu + "/rows_map.csv", [
        {"variant": variant, "n": 1 << 20, "row": row, "pct_roof": percent, "launch": launch, "cache": "cold", "median_us": 2, "block": 256, "task": "rows"}
        for variant, row, percent, launch in (("row_warp", 8, 11, "plain"), ("row_lanes", 8, 87, "plain"), ("row_warp", 1024, 95, "plain"), ("row_block", 1024, 99, "graph"))])
    v0, v6 = 8 + (1 << 24) / 1e5, 6 + (1 << 24) / 9.5e5
    wanted = {gpu: {"speedup": (f"{v0 / v6:.1f}×", "NVIDIA Toy", "read (the roof)"), "share": ("At 256M, of a plain read's speed: v0 ", "cub", "v6"),
                    "bandwidth": ("Half of the bandwidth takes ", "read (the roof)", "cub", "8G"), "small": (), "accuracy": (),
                    "memory": ("one of 77 SMs", "128 KiB of shared memory in each SM, 23 cycles away", "20.1 TB/s", "20 GiB for all SMs, 678 cycles away"),
                    "flight": ("predicted knee: 16 KB", "measured knee: 32 KB"), "tile": ("64 threads", "persistent, best"), "ratio": ("cold L2 cache", "CUB"),
                    "softmax": ("a warp for each row", "PyTorch", "256M floats, cold L2 cache; PyTorch 2.11.0+toy"),
                    "rows": ("87 95 L W", "rows: L row_lanes, W row_warp"), "03_speedup": ("v5",), "05_share": (), "08_share": ()},
              sim: {"work": ("256K", f"{32 * (1 / 8 + 1 / 64):.2f}")}}
    for results, names in wanted.items():
        pictures = results + "-plots"
        result = draw(results, pictures)
        ok(result.returncode == 0 and result.stderr == "" and sorted(os.listdir(pictures)) == sorted(name + ".svg" for name in names),
           f"{os.path.basename(results)}: these pictures and no others", f"{result}{os.listdir(pictures)}")
        for name, words in names.items():
            said = texts(f"{pictures}/{name}.svg")
            ok(said and all(word in said for word in words), f"{name}: what must stand in it", said)
    ok(not re.search(r"µs|GB/s|faster", texts(sim + "-plots/work.svg")), "the simulator shows no time")
    ok("v6" not in texts(gpu + "-plots/03_speedup.svg"), "03_speedup: no variant of a later step")
    ok(read(gpu + "-plots/ratio.svg").count('fill-opacity="0.25"') == 2, "ratio: two bands are shaded")

    # Names that would be obeyed where they are shown are refused, and folders with such names are taken.
    hostile = "`touch obeyed`$(touch obeyed)\"; system('touch obeyed'); x=\"'.system('touch obeyed').'|]]><b>&\\\x01é"
    synthetic.write_gpu(work + "/hostile", gpu=hostile)
    os.makedirs(work + "/it's `touch obeyed`")
    refused("a hostile name", 1, "gpu is not of letters, digits, blanks and _.+@()- alone: ", work + "/hostile", gpu + "-plots")
    result = draw(gpu, work + "/it's \"here\" ü", TMPDIR=work + "/it's `touch obeyed`")
    ok(result.returncode == 0 and result.stderr == "" and "NVIDIA Toy" in texts(work + "/it's \"here\" ü/bandwidth.svg") and not [
        path for folder in (work, ROOT, ROOT + "/plots") for path in glob.glob(folder + "/**/obeyed", recursive=folder == work)], "nothing is obeyed", result)
    quoted = f"x = {layout.quoted(hostile)}; print x"
    result = subprocess.run(["gnuplot", "-d", "-"], input=quoted, capture_output=True, text=True, cwd=work)
    ok(result.stderr.rstrip("\n") == hostile.replace("\x01", "?"), "what is quoted for gnuplot stays a text", f"{quoted}{result}")

    pictures, csv = gpu + "-plots", "runs.csv"
    line_3 = lambda change: lambda text: "\n".join(change(line) if k == 2 else line for k, line in enumerate(text.split("\n")))
    for what, name, change, message in (
            ("a field too few", csv, line_3(lambda line: line[:line.rindex(",")]), f"{csv}: line 3: 33 fields, the header has 34"),
            ("a variant that is a command", csv, line_3(lambda line: line.replace(",cpu_serial,", ',v0`id`,')), "variant is not of letters, digits, blanks and _.+@()- alone: v0"),
            ("a word for a number in compare.csv", "compare.csv", line_3(lambda line: line.replace(",", ",x", 1)), "ratio: its results lack something, or hold another kind of thing"),
            ("a sweep.csv that is none", "sweep.csv", lambda text: text.replace("bytes_in_flight", "bites"), "sweep.csv: line 2: a field of "),
            ("no machine.json", "machine.json", None, "machine.json cannot be read")):
        refused(what, 1, message, spoil(gpu, name, change), pictures)
    refused("no such folder", 2, "no folder", work + "/nowhere", pictures)
    os.mkdir(work + "/cutting")
    with open(work + "/cutting/gnuplot", "w") as file:
        file.write(f"#!/bin/sh\n{shutil.which('gnuplot')} \"$@\" || exit\nfor picture in *.svg; do truncate -s 5000 $picture; done\n")
    os.chmod(work + "/cutting/gnuplot", 0o755)
    refused("a picture that a full disk cut", 1, "is there room in ", gpu, pictures, PATH=f"{work}/cutting:{os.environ['PATH']}")
    os.mkdir(work + "/bin")
    for tool in ("bash", "env", "dirname", "id"):
        os.symlink(shutil.which(tool), f"{work}/bin/{tool}")
    refused("no gnuplot", 2, "missing: gnuplot; on Debian or Ubuntu type: ", gpu, pictures, PATH=work + "/bin")
    result = draw(sim, pictures)
    ok(result.returncode == 0 and not glob.glob(pictures + "/speedup.*"), "a picture whose data are gone goes", os.listdir(pictures))
tap.done()
