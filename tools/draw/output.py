"""output.py: what the programs here share: a folder to work in, pictures that are put in place all or none, and SVG for the
scripts that work out each pixel themselves."""
import contextlib
import csv
import functools
import html
import os
import re
import shutil
import signal
import sys
import tempfile
import xml.etree.ElementTree as xml

HERE = os.path.dirname(os.path.abspath(__file__))
TOOLS = os.path.dirname(HERE)
REPOSITORY = os.path.dirname(TOOLS)
sys.dont_write_bytecode = True
sys.path.insert(1, os.path.join(TOOLS, "pages"))
import page_markdown  # noqa: E402

Problem, run, write = page_markdown.Problem, page_markdown.run, page_markdown.write


# ---- the words of pictures in both languages: SVG.svg#zh shows the Chinese ones, on a Git host as in the book ----

def read_csv(*names):
    with open(os.path.join(TOOLS, *names), encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@functools.cache
def chinese_words():
    """{English: Chinese}; {} in the English stands for anything, and is {0}, {1} ... in the Chinese. The player has them, too."""
    return {row["english"]: row["chinese"] for row in read_csv("book", "chinese.csv")}


@functools.cache
def chinese_patterns():
    """They, and the titles of traces, where what stands for anything has a name, as (pattern, Chinese); those with the most words first."""
    number = lambda row: lambda name: f"{{{re.findall(r'{.*?}', row['english']).index(name[0])}}}"
    titles = {re.sub(r"{.*?}", "{}", row["english"]): re.sub(r"{.*?}", number(row), row["chinese"]) for row in read_csv("draw", "traces.csv")}
    entries = sorted({**chinese_words(), **titles}.items(), key=lambda entry: -len(entry[0].replace("{}", "")))
    return [(re.compile(re.escape(english.strip()).replace(r"\{\}", "(.+?)")), chinese.strip()) for english, chinese in entries if english.strip("{}:., ")]


def in_chinese(words):
    """A text of a picture; what has no translation stays: names, numbers, lines of code."""
    for pattern, chinese in chinese_patterns():
        found = pattern.fullmatch(words)
        if found:
            return chinese.format(*map(in_chinese, found.groups()))
    return words


def bilingual(svg):
    """The same picture with the Chinese words beside the English ones; "load" and "read" alone are variants."""
    def both(text):
        if text[2] in ("load", "read"):
            return text[0]
        chinese = html.escape(in_chinese(html.unescape(text[2])), quote=False)
        return text[0] if chinese == text[2] else f"<text class='en'{text[1]}>{text[2]}</text><text class='zh'{text[1]}>{chinese}</text>"
    made = re.sub(r"<text\b([^>]*)>([^<]+)</text>", both, svg)
    return svg if made == svg else re.sub(r"<svg ([^>]*>)", r"<svg id='zh' \1\n<style>svg:target .en,svg:not(:target) .zh{display:none}</style>", made, count=1)


def put(folder, pictures):
    for path in pictures:
        write(path, bilingual(page_markdown.read(path)))
    page_markdown.put(folder, pictures)


def refused(message, status=2):
    """For usage, and for tools that are missing."""
    print(f"{os.path.basename(sys.argv[0])}: {message}", file=sys.stderr)
    return status


@contextlib.contextmanager
def work_folder():
    """A folder that goes at the end, also after an interrupt."""
    where = os.environ.get("TMPDIR") or "/tmp"
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    try:
        folder = tempfile.mkdtemp(dir=where)
    except OSError:
        raise Problem(f"cannot write to {where}: is it there, and is there room?")
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def complaint(said, which=0):
    """The first line, or another, of what a program said; what a full disk did has no words."""
    lines = [line for line in said.splitlines() if line.strip() and ": warning: " not in line]
    return lines[which] if lines else f"failed, and no word why; is there room in {os.environ.get('TMPDIR') or '/tmp'}?"


# ---- SVG: all that has one style is one element of the file, and so the file is small ----

SMALL, GREY = "font-size='10'", "fill='#505050'"
TITLES = {"title": "font-size='15' text-anchor='middle'", "subtitle": f"font-size='12' text-anchor='middle' {GREY}"}
INK = "class='ink'"  # letters on a box in colour: on dark pages they stay as they are (tools/book/dark.py)
SECOND = 17  # pixels for one more line below the title


def stroke(colour, wide, more=""):
    """The attributes of lines; paths are in tenths of a pixel."""
    return f"fill='none' stroke='{colour}' stroke-width='{10 * wide:g}'{more}"


def dots(colour, diameter):
    """Of dots: of lines of no length, whose round ends are what one sees."""
    return stroke(colour, diameter, " stroke-linecap='round'")


def several(count, what):
    return f"{count} {what}{'' if count == 1 else 's'}"


def path(lines):
    """The points of each line, relative to the point before and in tenths of a pixel: the fewest digits."""
    pieces, last = [], (0, 0)
    for points in lines:
        piece = ""
        for x, y in points:
            x, y = round(10 * x), round(10 * y)
            right, down = x - last[0], y - last[1]
            piece += f"v{down}" if piece and right == 0 else f"h{right}" if piece and down == 0 else \
                f"{'l' if piece else 'm'}{right}{'' if down < 0 else ' '}{down}"
            last = x, y
        if not pieces or len(pieces[-1]) + len(piece) > 100:
            pieces.append("")
        pieces[-1] += piece
    return "\n".join(pieces)


# ---- gnuplot's pictures in a third of the bytes: it writes markers that no curve has, groups of nothing, and each line with its whole style ----

PLACE = ("d", "points", "x", "y", "width", "height", "href", "transform")
INITIAL = {"fill": "black", "stroke": "none", "stroke-width": "1", "stroke-linecap": "butt", "stroke-linejoin": "miter", "text-anchor": "start",
           "font-family": "sans-serif"}  # the last is written once, for all


def short(value, digits):
    value = re.sub(r"rgb\(([\d, ]+)\)", lambda match: "#" + "".join(f"{int(part):02x}" for part in match[1].split(",")), " ".join(value.split()))
    return re.sub(r"\d+\.\d+", lambda match: f"{round(float(match[0]), digits):g}", value)


def opened(tag, attributes):
    return f"<{tag}" + "".join(f' {name}="{value}"' for name, value in attributes.items())


def shapes(element, style, place):
    """(style, tag, place, text) of all that is seen, from the lowest."""
    style = {**style, **{name: short(value, 2) for name, value in element.items() if name not in (*PLACE, "id", "class", "viewBox")}}
    place = {**place, **{name: short(value, 1) for name, value in element.items() if name in PLACE}}  # a tenth of a pixel
    if element.tag == "g":
        for child in element:
            yield from shapes(child, style, place)
    elif element.tag not in ("defs", "title", "desc") and (element.tag != "text" or element.text):
        if element.tag == "text" and re.fullmatch(r"translate\([^)]*\)", place.get("transform", "")):
            place = dict(zip("xy", place["transform"][10:-1].split(",")))
        if element.tag != "use":  # a marker takes its colour from there
            colour = style.pop("color", "black")
            style = {name: colour if value == "currentColor" else value for name, value in style.items()}
        yield {name: value for name, value in style.items() if value != INITIAL.get(name)}, element.tag, place, element.text


def outline(tag, place):
    """The lines of a path or a polygon, as points."""
    text = f"M{place['points']}Z" if tag == "polygon" else place.get("d", "")
    lines = [([(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+),(-?[\d.]+)", line)], end) for line, end in re.findall("M([^MZz]*)([Zz]?)", text)]
    return [[*points, points[0]] if end else points for points, end in lines]


def lighter(svg):
    root = xml.fromstring(re.sub(r' xmlns="[^"]*"|xlink:', "", svg))
    drawn = [shape for child in root for shape in shapes(child, {}, {})]
    sized = {}  # (marker, its size): a name for it
    for _, tag, place, _ in drawn:
        found = tag == "use" and re.fullmatch(r"translate\((.*),(.*)\) (scale.*)", place.get("transform", ""))
        if found:
            name = sized.setdefault((place["href"], found[3]), f"m{len(sized)}")
            place.update(href=f"#{name}", x=found[1], y=found[2])
            del place["transform"]
    markers, used = {marker.get("id"): marker for marker in root.iterfind(".//defs/*")}, {href for href, _ in sized} | {place.get("href") for _, _, place, _ in drawn}
    for name, marker in reversed(markers.items()):  # one may be made of an earlier one
        if f"#{name}" in used:
            used.add(marker.get("href"))
    lines = [opened("svg", {"xmlns": "http://www.w3.org/2000/svg", **root.attrib, "font-family": "sans-serif"}) + ">", "<defs>",
             *(opened(marker.tag, marker.attrib) + "/>" for name, marker in markers.items() if f"#{name}" in used),
             *(opened("use", {"id": name, "href": href, "transform": size}) + "/>" for (href, size), name in sized.items()), "</defs>"]
    groups, at = [], 0
    for style, *shape in drawn:  # of an axis the lines, tics and numbers come by turns: three groups, and so painted in that order
        places = [at, at + 1] if at + 1 < len(groups) else [at, at - 2]
        at = next((k for k in places if 0 <= k < len(groups) and groups[k][0] == style), len(groups))
        if at == len(groups):
            groups.append((style, []))
        groups[at][1].append(shape)
    for style, group in groups:
        lines.append(opened("g", style) + ">")
        outlines = [line for tag, place, _ in group for line in outline(tag, place)]
        if outlines:
            tenths = {name: " ".join(f"{10 * float(part):g}" for part in re.findall(r"[\d.]+", style.get(name, "1")))
                      for name in ("stroke-width", "stroke-dasharray") if name in style or name == "stroke-width" and "stroke" in style}
            lines.append(opened("path", {"transform": "scale(.1)", **tenths, "d": path(outlines)}) + "/>")
        lines += [opened(tag, place) + (f">{html.escape(text, quote=False)}</text>" if tag == "text" else "/>") for tag, place, text in group if not outline(tag, place)]
        lines.append("</g>")
    return "\n".join([*lines, "</svg>", ""])


class Picture:
    """Boxes, bars, lines, dots and texts, each of a style; styles are painted in the order of their names in the dict.
    Bars, and dots, which are bars of no length, that are a pitch apart in a row are one dashed line."""

    def __init__(self, styles, pitch=0, wide=800):
        self.styles, self.pitch, self.wide, self.lines, self.rows, self.texts = styles, pitch, wide, {}, {}, {}

    def box(self, style, x, y, wide, high):
        self.lines.setdefault(style, []).append(((x, y), (x + wide, y), (x + wide, y + high), (x, y + high)))

    def bar(self, style, x, y, wide):
        """A line as wide as a box is high, which is less to write. y is its middle; all of a style are equally wide."""
        rows = self.rows.setdefault(style, [])  # of each its left end, y, width, and where it would go on
        if rows and rows[-1][1] == y and abs(rows[-1][3] - x) < 0.01:
            rows[-1][3] += self.pitch
        else:
            rows.append([x, y, wide, x + self.pitch])

    def line(self, style, *ends):
        """From the end that is at the height where the line before ended, if one is."""
        lines = self.lines.setdefault(style, [])
        lines.append(ends[::-1] if lines and lines[-1][-1][1] == ends[1][1] else ends)

    def text(self, style, x, y, words):
        """The middle of its letters is at y, as of a box or a dot beside it."""
        words = str(words).replace("&", "&amp;").replace("<", "&lt;")
        if words:
            self.texts[style] = self.texts.get(style, "") + f"\n<text x='{round(x, 1):g}' y='{round(y + 4, 1):g}'>{words}</text>"

    def svg(self, height, title, *below):
        self.text("title", self.wide / 2, 18, title)
        for k, line in enumerate(below):
            self.text("subtitle", self.wide / 2, 37 + SECOND * k, line)
        height = int(height)
        lines = [f"<svg xmlns='http://www.w3.org/2000/svg' width='{self.wide}' height='{height}' viewBox='0 0 {self.wide} {height}' font-family='sans-serif'>",
                 "<rect width='100%' height='100%' fill='#ffffff'/>", "<g transform='scale(.1)'>"]  # pages may be dark
        for style, attributes in self.styles.items():
            if style in self.rows:
                wide = self.rows[style][0][2]
                attributes += f" stroke-dasharray='{10 * wide:g} {10 * (self.pitch - wide):g}'"
                self.lines[style] = [((x, y), (after - self.pitch + (wide or 0.1), y)) for x, y, _, after in self.rows[style]]
            if style in self.lines:
                lines.append(f"<path {attributes} d='{path(self.lines[style])}'/>")
        lines.append("</g>")
        lines += [f"<g {attributes}>{self.texts[style]}\n</g>" for style, attributes in self.styles.items() if style in self.texts]
        return "\n".join([*lines, "</svg>", ""])
