#!/usr/bin/env python3
"""tools/draw/plots.py: every picture is drawn, well-formed, with no text over other text or
outside; broken input is refused and leaves the pictures that are there alone. And of the
pictures of this repository: each is shown by a page, and readable on a dark one."""
import contextlib
import glob
import itertools
import math
import io
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [ROOT + "/tools/draw", ROOT + "/tools/pages", ROOT + "/book"]
import dark
import ideas
import layout
import pictures as picture_parts
import output
import plots
import rows
import synthetic
import tap
from lighter import lighter
from pages import files
from tap import ok

SVG = "{http://www.w3.org/2000/svg}"


def draw(results, pictures, **environment):
    return subprocess.run([sys.executable, ROOT + "/tools/draw/plots.py", results, pictures], capture_output=True, timeout=300,
                          text=True, env={**os.environ, **environment})


def draw_here(results, pictures):
    """The same without a process of its own, for the many that are refused."""
    sys.argv = ["plots.py", results, pictures]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as said:
        try:
            output.run(plots.main)
        except SystemExit as end:
            return subprocess.CompletedProcess(sys.argv, end.code, "", said.getvalue())


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def boxes(svg):
    """Each text of a picture as (text, left, top, right, bottom), in pixels. A letter is
    taken to be 0.6 of the font's size wide, as in DejaVu Sans, wider than most; a Chinese one is a square."""
    found = set()
    for group in xml.parse(svg).getroot().iter(SVG + "g"):
        for element in group.findall(SVG + "text"):
            text = "".join(element.itertext()).strip()
            place = re.match(r"translate\(([-\d.]+),([-\d.]+)\)(.*)", element.get("transform", "translate(0,0)"))
            x, y = float(place[1]) + float(element.get("x", 0)), float(place[2]) + float(element.get("y", 0))
            size = float(group.get("font-size"))
            width = size * sum(1 if letter >= "\u2e80" else 0.6 for letter in text)
            before = {"start": 0, "middle": width / 2, "end": width}[group.get("text-anchor", "start")]
            if "rotate" in place[3]:
                found.add((text, x - 0.8 * size, y - width / 2, x + 0.1 * size, y + width / 2))
            elif text:
                found.add((text, x - before, y - 0.8 * size, x - before + width, y + 0.1 * size))
    return sorted(found)


def check_texts(svg):
    view = [float(v) for v in xml.parse(svg).getroot().get("viewBox").split()]
    texts = boxes(svg)
    outside = [t[0] for t in texts if t[1] < 0 or t[2] < 0 or t[3] > view[2] or t[4] > view[3]]
    clashes = [a[0] + " / " + b[0] for i, a in enumerate(texts) for b in texts[:i]
               if a[1] < b[3] and b[1] < a[3] and a[2] < b[4] and b[2] < a[4]]
    name = os.path.basename(svg)
    ok(len(texts) > 4 and not outside and not clashes, name + ": texts, all inside, none over another",
       "\n".join([f"{len(texts)} texts", *outside, *clashes]))
    return " ".join(t[0] for t in texts)


def leaders(svg):
    """How many lines go to where a panel's names begin, 15 pixels right of it, and those of them that come across it."""
    ends = [(float(a), float(b)) for a, b in re.findall(r'd="M([\d.]+),[\d.]+ L([\d.]+),[\d.]+"', svg)]
    right = max(b for a, b in ends)
    ends = [(a, b) for a, b in ends if b > right - 0.1]
    return len(ends), [a for a, b in ends if b - a > 15.1]


def contents(folder):
    return {name: read(os.path.join(folder, name)) for name in sorted(os.listdir(folder))}


def refused(what, status, message, results, pictures, **environment):
    before = contents(pictures)
    result = draw(results, pictures, **environment) if environment else draw_here(results, pictures)
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


def line_3(change):
    def apply(text):
        lines = text.split("\n")
        lines[2] = change(lines[2])
        return "\n".join(lines)
    return apply


def unshown(pictures, pages):
    """The pictures that no page shows; of a folder that no page knows, one may look at all."""
    shown = {os.path.normpath(os.path.join(os.path.dirname(page), target))
             for page, text in pages.items() for target in re.findall(r"\]\(([^()\s]+\.svg)\)", text)}
    folders = {os.path.dirname(picture) for picture in shown}
    return [picture for picture in pictures if picture not in shown and os.path.dirname(picture) in folders]


# The pictures of this repository.
tracked = files()
pages = {name: read(os.path.join(ROOT, name)) for name in tracked if name.endswith(".md")}
pictures = [name for name in tracked if name.endswith((".svg", ".png", ".jpg", ".gif", ".pdf"))]
ok(unshown(pictures, pages) == [], "every picture is shown by a page", unshown(pictures, pages))
ok(unshown(["plots/a.svg", "plots/b.svg"], {"docs/x.md": "![a b](../plots/a.svg)"}) == ["plots/b.svg"], "one that is not is found")
ok(all(re.search(r"<rect [^<]*fill=.#ffffff|<g fill=.#ffffff.>\s*<rect ", read(os.path.join(ROOT, name))) for name in pictures), "each is SVG, and white on any page")
git = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], capture_output=True, text=True) if shutil.which("git") and os.path.exists(ROOT + "/.git") else None
if git is None or git.returncode != 0:
    tap.skip("all tracked files have at most 9.5 MB", "no git here says which they are")
else:
    size = sum(os.path.getsize(path) for path in (os.path.join(ROOT, name) for name in git.stdout.split("\0")[:-1]) if os.path.exists(path))
    ok(size <= 19 << 19, "all tracked files have at most 9.5 MB", size)
for name in pictures:
    check_texts(os.path.join(ROOT, name))

# ---- the idea of each lesson ----

def idea_problems(root, lesson):
    """What is wrong with the picture of a lesson's idea, in both languages: it is drawn by the script, the page begins with it, and has the same as text."""
    number, found = lesson[:2], []
    for name, page, chinese in zip(ideas.names_of(number), ("README.md", "README.zh-CN.md"), (False, True)):
        if read(f"{root}/plots/idea/{name}") != ideas.drawn(number, chinese):
            found.append(f"plots/idea/{name} is not what tools/draw/ideas.py draws: make ideas")
        if not re.search(rf"^## .*\n(<!-- .*-->\n(> .*\n)?)?\n!\[.{{30,}}\]\(\.\./\.\./plots/idea/{name}\)\n\n<details>\n<summary>.+</summary>\n(<!-- .*-->\n(> .*\n)?)?\n```text\n",
                         read(f"{root}/steps/{lesson}/{page}"), re.M):
            found.append(f"{lesson}/{page}: no picture of the idea, or it is not there as text")
    for size in re.findall(r"font-size='(\d+)'", ideas.drawn(number, False) + ideas.drawn(number, True)):
        if int(size) * 368 / ideas.WIDTH < 9:
            found.append(f"{number}: letters of {size} are too small on a phone")
    return found


LESSONS = sorted(name for name in os.listdir(ROOT + "/steps") if name[:2] in ideas.LESSONS)
ok(len(LESSONS) == len(ideas.LESSONS) >= 16, "a lesson for each picture of an idea", LESSONS)
for lesson in LESSONS:
    ok(not idea_problems(ROOT, lesson), f"{lesson}: its idea is drawn, and there as text", idea_problems(ROOT, lesson))
with tempfile.TemporaryDirectory() as copy:
    for folder in ("plots/idea", "steps/01_interleaved"):
        shutil.copytree(f"{ROOT}/{folder}", f"{copy}/{folder}")
    for name, change in (("plots/idea/01.svg", ("stride 2", "stride 3")), ("steps/01_interleaved/README.zh-CN.md", ("```text", "```"))):
        with open(f"{copy}/{name}", "w", encoding="utf-8") as file:
            file.write(read(f"{ROOT}/{name}").replace(*change, 1))
        ok(any(os.path.basename(name) in why for why in idea_problems(copy, "01_interleaved")), f"{name}, changed by hand, is found", idea_problems(copy, "01_interleaved"))

# ---- the map of step 16 ----

FIELDS = read(f"{ROOT}/results/h200/15_operators.csv").split("\n")[0].split(",")


def rows_map(folder, *cells):
    """A rows_map.csv of these (variant, n, row, percent, launch)."""
    os.makedirs(folder, exist_ok=True)
    given = dict.fromkeys(FIELDS, "") | {"step": "16_rows", "backend": "cuda", "device": "NVIDIA Toy 100", "block": "256", "grid": "1", "pattern": "uniform", "cache": "cold",
                                         "median_us": "2", "min_us": "1", "p90_us": "3", "runs": "9", "gbps": "1", "rel_err": "0", "err_bound": "0", "ok": "1", "bytes": "4", "task": "rows"}
    with open(folder + "/rows_map.csv", "w", encoding="utf-8") as file:
        print(*FIELDS, sep=",", file=file)
        for variant, n, row, percent, launch in cells:
            print(*(given | {"variant": variant, "n": n, "row": row, "pct_roof": percent, "launch": launch}).values(), sep=",", file=file)


def draw_rows(folder, pictures):
    done = subprocess.run([ROOT + "/tools/draw/rows.py", folder, pictures], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


with tempfile.TemporaryDirectory() as folder:
    status, said = draw_rows(folder, folder + "/none")
    ok(status == 0 and "nothing to draw" in said and "make rows" in said and said.count("\n") == 1 and not os.path.exists(folder + "/none"), "no results, no map", said)
    rows_map(folder, ("row_warp", 1 << 20, 8, "11", "plain"), ("row_lanes", 1 << 20, 8, "87", "plain"), ("row_warp", 1 << 20, 1024, "95", "plain"),
             ("row_block", 1 << 20, 1024, "99", "graph"), ("column_slots", 1 << 28, 8, "64", "plain"))
    status, said = draw_rows(folder, folder + "/drawn")
    shown = re.findall(r"<text [^>]*>([^<]*)</text>", read(folder + "/drawn/rows.svg")) if status == 0 else []
    ok(status == 0 and "NVIDIA Toy 100" in " ".join(shown), "the map is drawn", said)
    at = {(x, float(y)): words for x, y, words in re.findall(r"<text x='([^']*)' y='([^']*)'>([^<]*)</text>", read(folder + "/drawn/rows.svg"))} if status == 0 else {}
    pairs = [(words, at.get((x, y + 15))) for (x, y), words in at.items()]  # a number, and the letter below it
    ok(("87", "L") in pairs and ("95", "W") in pairs and ("64", "S") in pairs, "of each shape the best kernel, cold and alone", pairs)
    ok("11" not in shown and "99" not in shown and "256M" in shown and "rows: L row_lanes, W row_warp" in shown, "and no other", shown)
    rows_map(folder, ("row_warp", 1 << 20, 8, "much", "plain"))
    kept = read(folder + "/drawn/rows.svg")
    status, said = draw_rows(folder, folder + "/drawn")
    ok(status == 1 and "rows_map.csv" in said and said.count("\n") == 1 and read(folder + "/drawn/rows.svg") == kept, "a damaged file is refused in one line, and the picture stays", said)
    ok(subprocess.run([ROOT + "/tools/draw/rows.py"], capture_output=True).returncode == 2, "usage")

# Our functions beside the fastest rival for each shape; the title counts.
with tempfile.TemporaryDirectory() as folder:
    toy = folder + "/results/toy"
    os.makedirs(toy)
    for name, lines in (("rows.csv", ("element,operator,of,columns,n,cache,launch,rival,ours_us,rival_us,ratio", "float,sum,rows,8,1024,cold,graph,cub_newer_rows,1,2,0.5",
                                      "float,sum,rows,32,1024,cold,graph,cub_offsets,2,4,0.5", "float,sum,columns,8,1024,cold,graph,read,1,1,1", "float,sum,columns,8,268435456,cold,graph,read,300,250,1.2")),
                        ("rows_torch.csv", ("operator,of,columns,n,cache,launch,rival,ours_us,rival_us,ratio", "sum,rows,32,1024,cold,graph,torch_compile,2,1.9,1.05")),
                        ("rows.json", ('{"gpu": "NVIDIA Toy 100"}',))):
        with open(f"{toy}/{name}", "w", encoding="utf-8") as file:
            print(*lines, sep="\n", file=file)
    shutil.copy(ROOT + "/results/h200/00_baselines.csv", toy)
    shutil.copy(ROOT + "/results/h200/machine.json", toy)
    done = subprocess.run([ROOT + "/tools/draw/row_rivals.py", toy, folder + "/drawn"], capture_output=True, text=True)
    shown = re.findall(r"<text [^>]*>([^<]*)</text>", read(folder + "/drawn/row_rivals.svg")) if done.returncode == 0 else []
    ok("For 1 of 2 shapes no rival" in " ".join(shown) and "NVIDIA Toy 100" in " ".join(shown), "the rivals of reduce_rows() are drawn, and counted", done.stderr or shown)
    ok([shown[k + 1] for k in range(len(shown) - 1) if re.fullmatch(r"[CPT]", shown[k + 1])] == ["C", "T"], "for each shape the fastest", shown)

# ---- colours that can be told apart, on white and on dark pages ----

# How colours look to an eye without one of its three kinds of cones (Machado, Oliveira, Fernandes 2009), on linear light.
EYES = {"protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
        "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
        "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900))}
FURNITURE = ("#e0e0e0", "#606060")  # of plots/style.gp: the grid, the axes


def lab(light):
    """CIE L*a*b* of linear light, for the white of screens."""
    rows = ((0.4124, 0.3576, 0.1805, 0.9505), (0.2126, 0.7152, 0.0722, 1), (0.0193, 0.1192, 0.9505, 1.089))
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (sum(a * b for a, b in zip(row, light)) / row[3] for row in rows))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def seen(colour, eye):
    return lab([min(1, max(0, sum(a * b for a, b in zip(row, dark.linear(colour))))) for row in eye])


def lightness(colour):
    return lab(dark.linear(colour))[0]


def alike(a, b):
    """Why two looks (colour, dash, marker) look alike, or None. In grey a difference of shape will do."""
    apart = min(math.dist(seen(a[0], eye), seen(b[0], eye)) for eye in EYES.values())
    if a[0] == b[0] and a[1:] != b[1:]:
        return None  # two variants of one step: one line is dashed
    if apart < 12:
        return f"{apart:.1f} apart without red, green or blue"
    return "as grey as each other" if abs(lightness(a[0]) - lightness(b[0])) < 5 and a[1:] == b[1:] else None


def shapes(element, style):
    for child in element:
        own = {**style, **child.attrib}
        if child.tag == SVG + "g":
            yield from shapes(child, own)
        elif child.tag not in (SVG + "defs", SVG + "text"):
            yield child.tag.removeprefix(SVG), own


def looks(svg):
    """{"areas", "dots", "lines": the looks of those} of a picture; the marks of a curve come after its line."""
    found, last = {"areas": set(), "dots": set(), "lines": []}, {}
    for tag, style in shapes(xml.fromstring(svg), {}):
        stroke = style.get("stroke", "none")
        if tag == "use":
            if style["color"] in last and style["href"] != "#gpDot":
                last[style["color"]][2] = style["href"]
        elif style.get("stroke-linecap") == "round":
            found["dots"].add((stroke, "", ""))
        elif stroke == "none" or float(style.get("stroke-width", 1)) >= 40:  # a row of bars is one fat line
            if "fill-opacity" not in style:
                found["areas"].add((style["fill"] if stroke == "none" else stroke, "", ""))
        elif style.get("stroke-width", "1") not in ("0.8", "1") or "stroke-dasharray" in style:  # no axis, no line to a name
            last[stroke] = [stroke, style.get("stroke-dasharray", ""), ""]
            found["lines"].append(last[stroke])
    lines = {tuple(look) for look in found["lines"]}
    found["lines"] = {look for look in lines if look[2] or not any(other[:2] == look[:2] and other[2] for other in lines)}  # a piece beside a name
    return found


def shades(areas):
    """Of many areas those that are one scale from pale to full: of one hue, and so told apart by their lightness."""
    hues = {look: dark.hue(look[0]) for look in areas if not dark.is_grey(look[0])}
    scale = {look for look in hues if abs(hues[look] - statistics.median(hues.values())) < 15} if len(areas) > 12 else set()
    steps = sorted(lightness(look[0]) for look in scale)
    return scale if steps and steps[-1] - steps[0] > 35 and max(b - a for a, b in zip(steps, steps[1:])) < 8 else set()


def unnamed_bars(svg):
    """The bars without a name at their height left of all bars: there a colour need not be told from another."""
    root = xml.fromstring(svg)
    bars = [[tuple(map(float, point.split(","))) for point in style["points"].split()] for tag, style in shapes(root, {}) if tag == "polygon"]
    left = min((x for bar in bars for x, _ in bar), default=0)
    names = [float(text.get("y")) for text in root.iter(SVG + "text") if text.get("y") and 30 < float(text.get("x")) < left]
    return [bar for bar in bars if not any(min(y for _, y in bar) < name < max(y for _, y in bar) + 4 for name in names)] if bars else ["no bars"]


def cells_with_numbers(svg):
    """Whether a picture is a map each of whose cells has its number: there a colour need not be told from another."""
    cells = re.findall(r"<rect x='([\d.]+)' y='([\d.]+)' width='(\d+)'", svg)
    numbers = {(float(x), float(y)) for x, y in re.findall(r"<text x='([\d.]+)' y='([\d.]+)' [^>]*class='ink'>\d+</text>", svg)}
    return bool(cells) and all(any(float(x) < a < float(x) + float(wide) and float(y) < b < float(y) + float(wide) for a, b in numbers) for x, y, wide in cells)


def confused(svg, ground):
    """What of a picture cannot be told apart by every eye, or in grey."""
    if 'points="' in svg and "fill-opacity" not in svg and not unnamed_bars(svg) or cells_with_numbers(svg):
        return []
    found = []
    for kind, those in looks(svg).items():
        those = {look for look in those if look[0] not in (ground, *FURNITURE)}
        scale = shades(those) if kind == "areas" else set()
        found += [f"{kind} {a} {b}: {alike(a, b)}" for a, b in itertools.combinations(sorted(those), 2) if not {a, b} <= scale and alike(a, b)]
    return found


def pale(svg):
    """What of a picture for dark pages is not seen well enough there, and what has another colour than on white."""
    night, found = dark.darkened(svg), []
    for letters in (False, True):
        for (colour, _), (now, stays) in zip(colours(svg, letters), colours(night, letters)):
            least = dark.READ if letters else dark.SEEN
            grey = dark.is_grey(colour) and not letters
            if not stays and dark.contrast(now, dark.GROUND) < min(least, dark.contrast(colour, dark.WHITE) - 0.1 if grey else least):
                found.append(f"{colour} is {now} in the dark: {dark.contrast(now, dark.GROUND):.1f}:1")
            if not dark.is_grey(colour) and abs(dark.hue(colour) - dark.hue(now)) > 3:
                found.append(f"{colour} is {now} in the dark: another hue")
    return found


def colours(svg, letters):
    """(colour, whether it stays in the dark) of each element, of letters or of shapes."""
    for tag in re.findall(r"<\w[^>]*>", svg):
        if ("font-size=" in tag) == letters and not tag.startswith("<svg"):
            for colour in dark.COLOUR.findall(tag):
                yield colour, "class='ink'" in tag


white, several = dark.WHITE, {}
for name in pictures:
    several[name] = read(os.path.join(ROOT, name))
with tempfile.TemporaryDirectory() as folder:
    rows_map(folder, *((kernel, 1 << 20, 8 << k, str(8 * k + add), "plain") for kernel, add in (("row_warp", 0), ("column_slots", 4)) for k in range(13)))
    draw_rows(folder, folder + "/drawn")
    several["rows.svg"] = read(folder + "/drawn/rows.svg")
for name, svg in several.items():
    found = [f"{page}: {one}" for page, picture, ground in (("white", svg, white), ("dark", dark.darkened(svg), dark.GROUND)) for one in confused(picture, ground)]
    ok(not found, f"{name}: its colours are told apart by every eye, and in grey", "\n".join(found[:10]))
    ok(not pale(svg), f"{name}: on dark pages its colours are seen, and are the same", "\n".join(pale(svg)[:10]))
ok(shades(looks(several["rows.svg"])["areas"]) and shades(looks(several["plots/trace/transpose.svg"])["areas"]) and not shades(looks(several["plots/h200/memory.svg"])["areas"]),
   "a scale from pale to full is one, and a few colours are none")
for name, change, why in (("plots/trace/v0.svg", ("#0072b2", "#e0a010"), "apart without"), ("plots/trace/v0.svg", ("#949494", "#727272"), "as grey"),
                          ("plots/idea/00.svg", ("#c4c4c4", "#dedede"), "apart without"), ("plots/h200/flight.svg", ("#332288", "#7a4fa3"), "apart without"),
                          ("plots/trace/transpose.svg", ("#202020", "#e69f00"), "as grey")):
    found = confused(several[name].replace(*change), white)
    ok(any(why in one for one in found) and several[name] != several[name].replace(*change), f"{name} with {change[1]} is found", found[:3])
without = re.sub(r"<text [^>]*>\d+</text>", "", several["rows.svg"], count=20).replace(rows.colour(100), "#ff0000")
ok(confused(without, white), "so would cells without numbers", without[:500])
ok(unnamed_bars(re.sub(r'<text x="36".*', "", several["plots/h200/speedup.svg"])) and confused(re.sub(r'<text x="36".*', "", several["plots/h200/speedup.svg"]), white),
   "bars without names would have to be told apart")
right, dark.dark = dark.dark, lambda colour, least: colour if colour != white else dark.GROUND
ok(any(":1" in one for one in pale(several["plots/h200/share.svg"])), "colours that the dark swallows are found")
dark.dark = lambda colour, least: right("#cc0000" if colour == "#0072b2" else colour, least)
ok(any("hue" in one for one in pale(several["plots/h200/share.svg"])), "and another hue")
dark.dark = right
for kind, (fill, words) in ideas.KINDS.items():
    night = dark.dark(fill, dark.SEEN), words if words in ideas.ON_COLOURS else dark.dark(words, dark.READ)
    ok(min(dark.contrast(fill, words), dark.contrast(*night)) >= dark.READ, f"ideas: words in a box of kind {kind} can be read, on both pages", night)
cells = [(rows.colour(percent), rows.letters(percent)) for percent in range(101)]
ok(all(lightness(a[0]) > lightness(b[0]) for a, b in zip(cells[::4], cells[4::4])) and all(dark.contrast(*cell) >= dark.READ for cell in cells),
   "the map: the more, the darker, and each number can be read", [cell for cell in cells if dark.contrast(*cell) < dark.READ])


PALETTE = [f"#{colour}" for colour in re.findall(r"0x([0-9a-f]{6})", re.search(r"array colours(.|\n)*?\]\n", read(ROOT + "/plots/style.gp"))[0])]


def look(variant):
    colour, dash, marker = picture_parts.LOOKS[variant]
    return PALETTE[colour] if colour >= 0 else "#000000", dash, marker


for picture, sets in (("share", picture_parts.SHARE), ("small", picture_parts.SMALL)):
    for upto, variants in sets.items():
        pairs = {f"{a}, {b}": alike(look(a), look(b)) for a, b in itertools.combinations(variants.split(), 2)}
        ok(len(variants.split()) <= 7 and not any(pairs.values()), f"{upto} {picture}: at most seven curves, told apart by every eye", {pair: why for pair, why in pairs.items() if why})
ok("apart" in alike(("#d62728", 1, 7), ("#2ca02c", 1, 5)) and alike(("#777777", 1, 7), ("#777777", 1, 7)) and not alike(("#000000", 1, 2), ("#d55e00", 1, 7)),
   "colours that a colour-blind eye takes for one are found", alike(("#d62728", 1, 7), ("#2ca02c", 1, 5)))

for name in ("share", "bandwidth", "small", "05_share", "06_small", "08_share", "09_small", "accuracy", "flight", "tile", "ratio", "softmax"):
    count, across = leaders(read(f"{ROOT}/plots/h200/{name}.svg"))
    ok(count > 3 and not across, name + ": no line to a name crosses the curves", f"{count} {across}")
ok(leaders('d="M426,77.4 L621,148" d="M606,77.4 L621,100"') == (2, [426]), "one that does is found")
numbers = [(box[1], box[3]) for box in boxes(ROOT + "/plots/h200/speedup.svg") if box[0].endswith("×")]
lines = [float(x) for x in re.findall(r'd="M([\d.]+),[\d.]+ L\1,[\d.]+"', read(ROOT + "/plots/h200/speedup.svg"))]
ok(len(numbers) > 30 and len(lines) >= 3 and not [x for x in lines for box in numbers if box[0] < x < box[1]],
   "speedup: no number on a line", f"{len(numbers)} {lines}")

# A title says what one sees, with a number of these results.

def title_of(svg):
    """The largest letters."""
    texts = re.findall(r"font-size=['\"](\d+)['\"][^>]*>\s*<text[^>]*>([^<]+)</text>", svg)
    return max(texts, key=lambda text: int(text[0]))[1]


def finding(title):
    return re.search(r"(?<![\w.])\d[\d.]*( |K|M|G|$)", title) and len(title.split()) >= 6


shown_titles = {name: title_of(read(os.path.join(ROOT, name))) for name in pictures if re.match("plots/(h200|h200x2|sim)/", name)}
ok(len(shown_titles) >= 19 and all(map(finding, shown_titles.values())), "titles of measured pictures say a finding", [title for title in shown_titles.values() if not finding(title)])
ok(not finding("Bandwidth, NVIDIA H200") and not finding("Times faster than v0, NVIDIA H200") and finding("At 256M v5 is 10.2 times as fast as v0"), "a title that says none is found")

# gnuplot's pictures are made lighter, and show the same.
light = lighter('''<svg width="9" height="9" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><title>Gnuplot</title>
<defs><path id="P1" d="M0,0"/><path id="P2" d="M1,1"/><use xlink:href="#P2" id="P3"/></defs>
<g color="red" stroke="currentColor" stroke-width="2.00"><g></g><path class="x" d="M1.00,2.04
 L3,4 "/></g><g color="rgb( 1,  2, 16)"><use xlink:href="#P3" transform="translate(5.26,6) scale(2)"/></g>
<g transform="translate(5.00,6.26)" fill="black" fill-opacity="0.25"><text>a &lt; 1.50</text><text></text></g></svg>''')
ok(light == """<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" font-family="sans-serif">
<defs>
<path id="P2" d="M1,1"/>
<use href="#P2" id="P3"/>
</defs>
<g stroke="red" stroke-width="2">
<path d="M1,2 L3,4"/>
</g>
<g color="#010210">
<use href="#P3" transform="translate(5.3,6) scale(2)"/>
</g>
<g fill-opacity="0.25">
<text x="5" y="6.3">a &lt; 1.50</text>
</g>
</svg>
""", "a picture that is made lighter shows the same", light)

if os.environ.get("TESTS") == "part" or shutil.which("gnuplot") is None:
    tap.skip("plots.py", "gnuplot is missing" if shutil.which("gnuplot") is None else "make test-all does")
    tap.done()
    sys.exit()

# Of every folder of results; a picture that needs no gnuplot is the same everywhere.
with tempfile.TemporaryDirectory() as work:
    result = subprocess.run(["make", "-s", "plots", "PICTURES=" + work], capture_output=True, text=True, cwd=ROOT)
    ok(result.returncode == 0 and result.stderr == "", "make plots: status 0", result)
    for folder in sorted({name.split("/")[1] for name in files() if re.fullmatch(r"plots/\w+/\w+\.svg", name)} - {"idea", "trace"}):
        ok(sorted(os.listdir(f"{work}/{folder}")) == sorted(os.listdir(f"{ROOT}/plots/{folder}")), f"make plots: all of plots/{folder}")
    for name in ("rows", "row_rivals"):
        ok(read(f"{work}/h100/{name}.svg") == read(f"{ROOT}/plots/h100/{name}.svg"), f"plots/h100/{name}.svg is as make plots draws it")

with tempfile.TemporaryDirectory() as work:
    gpu, sim = work + "/toy", work + "/sim"
    synthetic.write_gpu(gpu)
    synthetic.write_sim(sim)
    synthetic.write_levels(gpu)
    synthetic.write_sweep(gpu)
    synthetic.write_compare(gpu)
    synthetic.write_softmax(gpu)
    wanted = {gpu: ["speedup", "share", "bandwidth", "small", "03_speedup", "05_share", "06_small", "08_share", "09_small", "accuracy", "memory", "flight", "tile", "ratio", "softmax"], sim: ["work", "exchange"]}
    texts = {}
    for results, names in wanted.items():
        toy, pictures = os.path.basename(results), results + "-plots"
        result = draw(results, pictures)
        ok(result.returncode == 0 and result.stderr == "", toy + ": status 0, no warning", result)
        ok(sorted(os.listdir(pictures)) == sorted(name + ".svg" for name in names), toy + ": these pictures and no others",
           os.listdir(pictures))
        skipped = re.findall(r"^skipped (\w+): .", result.stdout, re.M)
        ok(len(skipped) == 19 - len(names), "each of the others is skipped with a reason", result.stdout)
        for name in names:
            texts[toy, name] = check_texts(f"{pictures}/{name}.svg")
        typed = [name for name in names if name in ("speedup", "share", "small", "bandwidth", "flight", "memory", "softmax", "work", "exchange")
                 and title_of(read(f"{pictures}/{name}.svg")) in shown_titles.values()]
        ok(not typed, f"{toy}: other results have other titles", typed)

    several = work + "/several-plots"
    result = draw(ROOT + "/results/h200x2", several)
    ok(result.returncode == 0 and sorted(os.listdir(several)) == ["gpus_model.svg", "many_gpus.svg"], "of several GPUs: two pictures", result)
    for name in ("gpus_model", "many_gpus"):
        check_texts(f"{several}/{name}.svg")

    # What must stand in them; numbers from the synthetic model, worked out here once more.
    v0, v6 = 8 + (1 << 24) / 1e5, 6 + (1 << 24) / 9.5e5
    for picture, words in {
            "speedup": (f"{v0 / v6:.1f}×", "NVIDIA Toy", "read (the roof)"),
            "bandwidth": ("theoretical", "read (the roof)", "cub", "2G", "GB/s", "10000"),
            "share": ("At 256M, of a plain read's speed: v0 ", "cub", "v6", "2G", "% of a plain read", "80"),
            "memory": ("one of 77 SMs", "64 KiB in each SM", "128 KiB of shared memory in each SM, 23 cycles away", "20.1 TB/s",
                       "30 MiB for all SMs, 234 cycles away", "6.10 TB/s", "20 GiB for all SMs, 678 cycles away", "4.00 TB/s"),
            "flight": ("predicted knee: 16 KB", "measured knee: 32 KB", "4 × 16 bytes a thread", "a block for each tile", "Little's law"),
            "tile": ("64 threads", "1024 threads", "persistent, best", "bytes that a block reads"),
            "ratio": ("cold L2 cache", "warm L2 cache", "aimed at", "CUB", "256M"),
            "softmax": ("a warp for each row", "a block", "a cluster of 4 blocks", "PyTorch", "plain copy", "% of a plain copy",
                        "16K", "256M floats, cold L2 cache; PyTorch 2.11.0+toy")}.items():
        missing = [word for word in words if word not in texts["toy", picture]]
        ok(not missing, f"{picture}: what must stand in it", missing)
    ok("256K" in texts["sim", "work"] and f"{32 * (1 / 8 + 1 / 64):.2f}" in texts["sim", "work"],
       "work: the simulator's largest n, and requests of v0", texts["sim", "work"])
    svg = read(gpu + "-plots/ratio.svg")
    ok(svg.count('fill-opacity="0.25"') == 2, "ratio: two bands are shaded", svg.count("fill-opacity"))
    for name in wanted[sim]:
        ok(not re.search(r"µs|GB/s|faster", texts["sim", name]), f"{name} on the simulator shows no time")

    # Names that would be obeyed where they are shown: in machine.json they are made harmless, in a CSV refused.
    hostile = "`touch obeyed`$(touch obeyed)\"; system('touch obeyed'); x=\"'.system('touch obeyed').'|]]><b>&\\\x01é"
    synthetic.write_gpu(work + "/hostile", gpu=hostile)
    for name in ("levels", "sweep", "compare", "softmax"):
        getattr(synthetic, "write_" + name)(work + "/hostile")
    result = draw(work + "/hostile", work + "/it's \"here\" ü", TMPDIR=os.path.join(work, "it's"))
    ok(result.returncode == 1, "a TMPDIR that is not there: status 1", result)
    os.makedirs(work + "/it's `touch obeyed`")
    result = draw(work + "/hostile", work + "/it's \"here\" ü", TMPDIR=work + "/it's `touch obeyed`")
    ok(result.returncode == 0 and result.stderr == "", "a hostile name of a GPU, and TMPDIR with quotes: status 0, no warning", result)
    text = check_texts(work + "/it's \"here\" ü/bandwidth.svg")
    ok("?touch obeyed?" in text and "<b>" not in text and not [path for folder in (work, ROOT, ROOT + "/plots") for path in glob.glob(
        folder + "/**/obeyed", recursive=folder == work)], "it is shown, and not obeyed", text)
    quoted = f"x = {layout.quoted(hostile)}; print x"
    result = subprocess.run(["gnuplot", "-d", "-"], input=quoted, capture_output=True, text=True, cwd=work)
    ok(result.stderr.rstrip("\n") == hostile.replace("\x01", "?") and not os.path.exists(work + "/obeyed"),
       "what is quoted for gnuplot stays a text", f"{quoted}{result}")

    # Curves that all end at the foot of the picture, or all at its top.
    for name, change in (("foot", {"theoretical_gbps": 10**6}), ("top", {"theoretical_gbps": 0})):
        crowded = work + "/" + name
        synthetic.write_gpu(crowded, rate=0.001 if name == "foot" else 1, same=True, **change)
        result = draw(crowded, crowded + "-plots")
        ok(result.returncode == 0, f"all names at the {name}: status 0", result)
        check_texts(crowded + "-plots/bandwidth.svg")
        check_texts(crowded + "-plots/share.svg")
        check_texts(crowded + "-plots/small.svg")

    # Without experiments/levels.csv: what machine.json tells.
    synthetic.write_gpu(work + "/plain")
    result = draw(work + "/plain", work + "/plain-plots")
    text = check_texts(work + "/plain-plots/memory.svg")
    ok(result.returncode == 0 and "thin: not measured" in text and "cycles" not in text and text.count("TB/s") == 1,
       "memory: without levels.csv it shows what is known", text)

    # The steps after 07 have colours and names, too; what sums nothing has no place on the ladder.
    later = work + "/later"
    synthetic.write_gpu(later)
    cooperative = read(later + "/07_cooperative.csv")
    for step, variant in (("08_vectorized", "vector_x8"), ("09_single_pass", "ticket"), ("10_clusters", "load_cs"),
                          ("10_clusters", "cluster_8"), ("11_library", "sum_f32"), ("11_library", "vote")):
        with open(f"{later}/{step}{variant}.csv", "w") as out:
            text = cooperative.replace("07_cooperative,cooperative", f"{step},{variant}")
            out.write(text.replace(",sum\n", ",vote\n") if variant == "vote" else text)
    result = draw(later, later + "-plots")
    ok(result.returncode == 0 and result.stderr == "", "steps 08 to 11: status 0, no warning", result)
    text = " ".join(check_texts(f"{later}-plots/{name}.svg") for name in ("speedup", "small", "share", "08_share", "09_small"))
    ok(all(text.count(name) >= 2 for name in ("vector_x8", "ticket", "cluster_8", "sum_f32")) and "load_cs" not in text and
       "vote" not in text, "steps 08 to 11 are named", text)
    for name, last, next_one in (("03_speedup", "v5", "v6"), ("05_share", "atomic_per_block", "two_pass"), ("06_small", "two_pass", "cooperative"),
                                 ("08_share", "vector_x8", "sum_f32"), ("09_small", "ticket", "cluster_8")):
        text = check_texts(f"{later}-plots/{name}.svg").split()
        ok(last in text and next_one not in text, f"{name}: no variant of a later step", text)

    pictures = gpu + "-plots"
    csv = "01_interleaved.csv"
    for what, name, change, message in (
            ("a field too few", csv, line_3(lambda line: line[:line.rindex(",")]), f"{csv}: line 3: 33 fields, the header has 34"),
            ("a word for a number", csv, line_3(lambda line: re.sub(r",256,\d+,", ",256,five,", line)),
             f"{csv}: line 3: grid is not a whole number: five"),
            ("a cut-off file", csv, lambda text: text[:text.index("\n", text.index("\n") + 1) + 40], f"{csv}: line 3: "),
            ("a missing column", csv, lambda text: text.replace("err_bound", "bound"), f"{csv}: line 1: the header has no column err_bound"),
            ("an older layout", csv, lambda text: re.sub(r",\w+$", "", text, flags=re.M),
             f"{csv} is of an older layout: measure again with ./run_all.sh, or rename as results/README.md says"),
            ("an empty file", csv, lambda text: "", f"{csv}: line 1: the header has no column step"),
            ("an unknown backend", csv, line_3(lambda line: line.replace("cuda", "abacus")), "backend is none of cuda, sim, cpu: abacus"),
            ("a variant that is a command", csv, line_3(lambda line: line.replace(",v0,", ',v0`id`,')),
             "variant is not of letters, digits, blanks and _.+@()- alone: v0"),
            ("a number that no loop comes to the end of", csv, line_3(lambda line: re.sub(r",\d+,256,", f",{'9' * 400},256,", line)),
             "n is not between 0 and 1.15292e+18: 999"),
            ("an infinite number in sweep.csv", "sweep.csv", line_3(lambda line: re.sub(r"^(\w+,\d+,\d+,\d+),\d+,", r"\1,1e999,", line)),
             "sweep.csv: line 3: bytes_in_flight is not a number: 1e999"),
            ("a command in compare.csv", "compare.csv", line_3(lambda line: line.replace("cold", "`id`").replace("warm", "`id`")),
             "compare.csv: line 3: cache is not of letters, digits, blanks and _.+@()- alone: `id`"),
            ("no machine.json", "machine.json", None, "no machine.json"),
            ("a levels.csv that is none", "experiments/levels.csv", lambda text: text.replace("cycles", "miles"),
             "levels.csv: line 1: not what steps/experiments/levels.cu prints"),
            ("a sweep.csv that is none", "sweep.csv", lambda text: text.replace("bytes_in_flight", "bites"),
             "sweep.csv: line 1: not what ./step08 --demo prints"),
            ("a softmax.csv that is none", "softmax.csv", lambda text: text.replace("pct_roof", "percent"),
             "softmax.csv: line 1: not what make compare-softmax prints"),
            ("a row too short in compare.csv", "compare.csv", line_3(lambda line: line[:line.rindex(",")]),
             "compare.csv: line 3: 13 fields, the header has 14")):
        refused(what, 1, message, spoil(gpu, name, change), pictures)
    for what, plant, why in (("a link to /dev/zero", lambda path: os.symlink("/dev/zero", path), "is a link, not a regular file"),
                             ("a FIFO", os.mkfifo, "is not a regular file"), ("a folder", os.mkdir, "is not a regular file"),
                             ("a file of 9 MiB", lambda path: open(path, "w").truncate(9 << 20), "is larger than 8 MiB")):
        for name in (csv, "machine.json", "sweep.csv", "experiments/levels.csv"):
            folder = spoil(gpu, name, None)
            plant(os.path.join(folder, name))
            refused(f"{name}: {what}", 1, f"{name}: cannot be read: {why}", folder, pictures)
    refused("no such folder", 2, "no folder", work + "/nowhere", pictures)
    os.mkdir(work + "/empty")
    refused("a folder without CSV", 1, "no CSV files", work + "/empty", pictures)
    few = work + "/bin"
    os.mkdir(few)
    for tool in ("bash", "env", "dirname", "id"):
        os.symlink(shutil.which(tool), os.path.join(few, tool))
    os.mkdir(work + "/cutting")
    with open(work + "/cutting/gnuplot", "w") as file:
        file.write(f"#!/bin/sh\n{shutil.which('gnuplot')} \"$@\" || exit\nfor picture in *.svg; do truncate -s 5000 $picture; done\n")
    os.chmod(work + "/cutting/gnuplot", 0o755)
    refused("a picture that a full disk cut", 1, "is there room in ", gpu, pictures, PATH=f"{work}/cutting:{os.environ['PATH']}")
    refused("no gnuplot", 2, "missing: gnuplot; on Debian or Ubuntu type: ", gpu, pictures, PATH=few)

    without = draw(spoil(gpu, "softmax_torch.csv", None), work + "/without-plots")
    ok(without.returncode == 0 and "PyTorch" not in check_texts(work + "/without-plots/softmax.svg"),
       "softmax: without PyTorch it shows ours", without)

    # A picture whose data are gone must not stay and show other results.
    result = draw(sim, pictures)
    ok(result.returncode == 0 and not glob.glob(pictures + "/speedup.*"), "a picture without data goes", os.listdir(pictures))

    # One size and one variant, an error of 0: still a picture, without a warning.
    tiny = work + "/tiny"
    os.mkdir(tiny)
    shutil.copy(gpu + "/machine.json", tiny)
    with open(os.path.join(tiny, csv), "w") as file:
        file.write("\n".join(read(os.path.join(gpu, csv)).split("\n")[:2]) + "\n")
    result = draw(tiny, work + "/tiny-plots")
    ok(result.returncode == 0 and result.stderr == "" and "drew" in result.stdout, "one row is enough", result)

tap.done()
