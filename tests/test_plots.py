"""tools/draw/plots.py: the pictures of a folder of results are drawn, in XML that can be read, and say what must stand in them; broken
input is refused and leaves the pictures that are there alone."""
import glob
import os
import re
import shutil
import xml.etree.ElementTree as xml

import pytest
import synthetic
from common import ROOT, edited, ran, read, script, write
from pages import files

import layout
import output

pytestmark = pytest.mark.more
# What must stand in the pictures of made-up results: numbers from the synthetic model, worked out here once more.
V0, V6 = 8 + (1 << 24) / 1e5, 6 + (1 << 24) / 9.5e5
SAYS = {"toy": {"speedup": (f"{V0 / V6:.1f}×", "NVIDIA Toy", "read (the roof)"), "share": ("At 256M, of a plain read's speed: v0 ", "cub", "v6"),
                "bandwidth": ("Half of the bandwidth takes ", "read (the roof)", "cub", "8G"), "small": (), "accuracy": (),
                "memory": ("one of 77 SMs", "128 KiB of shared memory in each SM, 23 cycles away", "20.1 TB/s", "20 GiB for all SMs, 678 cycles away"),
                "flight": ("predicted knee: 16 KB", "measured knee: 32 KB"), "tile": ("64 threads", "persistent, best"), "ratio": ("cold L2 cache", "CUB"),
                "softmax": ("a warp for each row", "PyTorch", "256M floats, cold L2 cache; PyTorch 2.11.0+toy"),
                "rows": ("87 95 L W", "rows: L row_lanes, W row_warp"), "03_speedup": ("v5",), "05_share": (), "08_share": ()},
        "sim": {"work": ("256K", f"{32 * (1 / 8 + 1 / 64):.2f}")}}


def draw(results, pictures, **environment):
    return ran(f"{ROOT}/tools/draw/plots.py", results, pictures, **environment)


def texts(svg):
    """All that is written in a picture; "" if it is no XML, or nothing is written."""
    try:
        return " ".join("".join(element.itertext()).strip() for element in xml.parse(svg).getroot().iter("{http://www.w3.org/2000/svg}text"))
    except xml.ParseError:
        return ""


def test_pictures_of_this_repository(ok, tmp_path):
    pictures = [name for name in files() if name.endswith((".svg", ".png", ".jpg", ".gif", ".pdf"))]
    ok.equal([name for name in pictures if not texts(name)], [], "each is SVG that can be read")
    ok.equal(output.bilingual("<svg a=''><text x='1'>warp 3: 4 words in 2 banks, so 2 wavefronts</text><text>v6.cu:3: a &lt; b</text></svg>").split("</style>")[1],
             "<text class='en' x='1'>warp 3: 4 words in 2 banks, so 2 wavefronts</text><text class='zh' x='1'>线程束 3：4 个字在 2 个存储体中，所以是 2 个波前</text><text>v6.cu:3: a &lt; b</text></svg>",
             "a picture has its words in both languages; code stays")
    for name in ("h200", "h200x2", "sim"):
        result = draw(f"results/{name}", f"{tmp_path}/{name}")
        ok(not result.returncode and not result.stderr and len(pictures) > 50 and sorted(os.listdir(tmp_path / name)) == sorted(os.listdir(f"plots/{name}")), f"plots/{name} can be drawn", result)
    result = draw("results/h100", f"{tmp_path}/h100")
    ok(result.returncode == 77 and "nothing to draw in" in result.stdout and not os.path.exists(tmp_path / "h100"), "nothing to draw: status 77", result)


@pytest.fixture(scope="module")
def toy(scratch):
    """The folder that has toy and sim, made-up results, and toy-plots and sim-plots, their pictures."""
    gpu = f"{scratch}/toy"
    synthetic.write_gpu(gpu)
    synthetic.write_sim(f"{scratch}/sim")
    for name in ("levels", "sweep", "compare", "softmax"):
        getattr(synthetic, "write_" + name)(gpu)
    synthetic.write_rows(gpu + "/rows_map.csv", [
        {"variant": variant, "n": 1 << 20, "row": row, "pct_roof": percent, "launch": launch, "cache": "cold", "median_us": 2, "block": 256, "task": "rows"}
        for variant, row, percent, launch in (("row_warp", 8, 11, "plain"), ("row_lanes", 8, 87, "plain"), ("row_warp", 1024, 95, "plain"), ("row_block", 1024, 99, "graph"))])
    for name in SAYS:
        result = draw(f"{scratch}/{name}", f"{scratch}/{name}-plots")
        assert not result.returncode and not result.stderr, result
    return scratch


def test_what_stands_in_them(ok, toy):
    for results, names in SAYS.items():
        ok.equal(sorted(os.listdir(f"{toy}/{results}-plots")), sorted(name + ".svg" for name in names), f"{results}: these pictures and no others")
        for name, words in names.items():
            said = texts(f"{toy}/{results}-plots/{name}.svg")
            ok(said and all(word in said for word in words), f"{name}: {words}", said)
    ok(not re.search(r"µs|GB/s|faster", texts(toy + "/sim-plots/work.svg")), "the simulator shows no time")
    ok("v6" not in texts(toy + "/toy-plots/03_speedup.svg"), "03_speedup: no variant of a later step")
    ok(read(toy + "/toy-plots/ratio.svg").count('fill-opacity="0.25"') == 2, "ratio: two bands are shaded")
    shutil.copytree(f"{toy}/toy-plots", f"{toy}/both")
    ok(not draw(f"{toy}/sim", f"{toy}/both").returncode and not glob.glob(f"{toy}/both/speedup.*"), "a picture whose data are gone goes", os.listdir(f"{toy}/both"))


def refused(toy, status, message, results, **environment):
    contents = {name: read(name) for name in glob.glob(f"{toy}/toy-plots/*")}
    result = draw(results, f"{toy}/toy-plots", **environment)
    assert result.returncode == status and re.fullmatch(r"plots\.py: [^\n]*\n", result.stderr) and message in result.stderr
    assert contents == {name: read(name) for name in glob.glob(f"{toy}/toy-plots/*")}, "the pictures stay as they were"


def line_3(text, old, new):
    line = text.split("\n")[2]
    return line, re.sub(old, new, line, count=1)


@pytest.mark.parametrize("name, old, new, message", [
    ("runs.csv", ",[^,]*$", "", "runs.csv: line 3: 33 fields, the header has 34"),
    ("runs.csv", ",cpu_serial,", ",v0`id`,", "variant is not of letters, digits, blanks and _.+@()- alone: v0"),  # a command
    ("compare.csv", ",", ",x", "ratio: its results lack something, or hold another kind of thing"),
    ("sweep.csv", None, None, "sweep.csv: line 2: a field of "), ("machine.json", None, None, "machine.json cannot be read")])
def test_broken_results(toy, name, old, new, message):
    path = f"{toy}/toy/{name}"
    edit = line_3(read(path), old, new) if old else ("bytes_in_flight", "bites") if name.endswith("csv") else (read(path), "")
    with edited(path, edit):
        refused(toy, 1, message, f"{toy}/toy")


def test_other_refusals(toy, tmp_path):
    refused(toy, 2, "no folder", f"{toy}/nowhere")
    script(f"{tmp_path}/cutting/gnuplot", f"{shutil.which('gnuplot')} \"$@\" || exit\nfor picture in *.svg; do truncate -s 5000 $picture; done\n")  # as a full disk does
    refused(toy, 1, "is there room in ", f"{toy}/toy", PATH=f"{tmp_path}/cutting:{os.environ['PATH']}")
    os.mkdir(tmp_path / "bin")
    for tool in ("bash", "env", "dirname", "id"):
        os.symlink(shutil.which(tool), f"{tmp_path}/bin/{tool}")
    refused(toy, 2, "missing: gnuplot; on Debian or Ubuntu type: ", f"{toy}/toy", PATH=f"{tmp_path}/bin")


def test_names_that_would_be_obeyed(ok, toy):
    """Where they are shown they are refused, and folders with such names are taken."""
    hostile = "`touch obeyed`$(touch obeyed)\"; system('touch obeyed'); x=\"'.system('touch obeyed').'|]]><b>&\\\x01é"
    synthetic.write_gpu(toy + "/hostile", gpu=hostile)
    os.makedirs(toy + "/it's `touch obeyed`")
    refused(toy, 1, "gpu is not of letters, digits, blanks and _.+@()- alone: ", toy + "/hostile")
    result = draw(toy + "/toy", toy + "/it's \"here\" ü", TMPDIR=toy + "/it's `touch obeyed`")
    ok(not result.returncode and not result.stderr and "NVIDIA Toy" in texts(toy + "/it's \"here\" ü/bandwidth.svg") and not [
        path for folder in (toy, ROOT, ROOT + "/plots") for path in glob.glob(folder + "/**/obeyed", recursive=folder == toy)], "nothing is obeyed", result)
    write(toy + "/quoted", f"x = {layout.quoted(hostile)}; print x")
    ok.equal(ran("gnuplot", "-d", toy + "/quoted", cwd=toy).stderr.rstrip("\n"), hostile.replace("\x01", "?"), "what is quoted for gnuplot stays a text")
