#!/usr/bin/env python3
"""rows.py RESULTS PICTURES: draws rows_map.csv of a folder of results (make rows) as PICTURES/rows.svg: the share of the
roof over rows and columns, of the best kernel of step 16 for each shape, and which one that is. PICTURES is made if it is
not there.

Exit status: 0 drawn, or, after one line, nothing to draw; 1 it cannot be written, and then no picture is touched; 2 usage."""
import os
import sys

import output
from output import Problem, run
from svg import INK, px

sys.path.insert(1, os.path.join(output.TOOLS, "pages"))
import schema  # noqa: E402
from figures import size_name  # noqa: E402

CELL, LEFT, TOP, BETWEEN = 40, 58, 74, 50
SHAPES = (("row_", "rows"), ("column_", "columns"), ("ragged_", "ragged rows, one of them long"))
SHORT = {"row_lanes": "L", "row_warp": "W", "row_block": "B", "row_slots": "S", "row_thread": "T", "column_lanes": "L", "column_slots": "S",
         "ragged_warp": "W", "ragged_even": "E"}
# From 0 to 100 %: pale to full blue, seen on white and on dark pages; letters are black on the pale ones.
PALE, DARK = (0xe6, 0xf1, 0xfa), (0x00, 0x70, 0xb2)


def colour(percent):
    share = min(max(percent / 100, 0), 1)
    return "#" + "".join(f"{round(pale + (dark - pale) * share):02x}" for pale, dark in zip(PALE, DARK))


def letters(percent):
    """On a cell."""
    return "#ffffff" if percent > 90 else "#000000"


def best(rows):
    """{(shape, n, row): (percent of the roof, variant)}: the most that some kernel of that shape reaches, cold."""
    found = {}
    for row in rows:
        if row["launch"] != "plain" or row["cache"] != "cold" or not row["pct_roof"] or not row["row"]:
            continue
        for shape, _ in SHAPES:
            if row["variant"].startswith(shape):
                key = shape, int(row["n"]), int(row["row"])
                found[key] = max(found.get(key, (0, "")), (row["pct_roof"], row["variant"]))
    return found


class Text(str):
    """A text element; those of the same look are written in one group."""


def text(x, y, words, size=11, anchor="middle", fill="#202020", more=""):
    element = Text(f"<text x='{px(x)}' y='{px(y)}'>{words}</text>")
    element.look = f"font-size='{size}' text-anchor='{anchor}' fill='{fill}'{more}"
    return element


def cell(x, y, percent, letter):
    """With its number, and a letter below it or none."""
    fill = letters(percent)
    yield f"<rect x='{px(x)}' y='{px(y)}' width='{CELL - 1}' height='{CELL - 1}' fill='{colour(percent)}'/>"
    yield text(x + CELL / 2, y + (17 if letter else 23), f"{percent:.0f}", 12, fill=fill, more=" " + INK)
    if letter:
        yield text(x + CELL / 2, y + 32, letter, 10, fill=fill, more=" " + INK)


def picture(wide, high, parts):
    """The SVG of these rectangles and texts."""
    looks = {}
    for part in parts:
        looks.setdefault(getattr(part, "look", ""), []).append(part)
    groups = [line for look, same in looks.items() if look for line in (f"<g {look}>", *same, "</g>")]
    return "\n".join([f"<svg xmlns='http://www.w3.org/2000/svg' width='{px(wide)}' height='{px(high)}' viewBox='0 0 {px(wide)} {px(high)}' font-family='sans-serif'>",
                      "<rect width='100%' height='100%' fill='#ffffff'/>", *looks.get("", []), *groups, "</svg>", ""])


def drawn(found, gpu):
    """The picture: a panel for each shape, a column for each length of a row, a line for each n."""
    sizes, lengths = (sorted({key[k] for key in found}) for k in (1, 2))
    wide, parts, y = max(LEFT + CELL * len(lengths) + 12, 600), [], TOP
    of_rows = [variant for key, (_, variant) in found.items() if key[:2] == ("row_", sizes[-1])]
    kernels = len(set(of_rows))
    parts.append(text(wide / 2, 20, f"No kernel is the best for all rows: {kernels} share {len(of_rows)} lengths at {size_name(sizes[-1])}" if kernels > 1 else
                      f"The best kernels for {len(found)} shapes of a matrix", 15))
    parts.append(text(wide / 2, 40, f"{gpu}; percent of a plain read, sums, cold L2 cache; letter: the best kernel", 12, fill="#505050"))
    for shape, name in SHAPES:
        if not any(key[0] == shape for key in found):
            continue
        kernels = sorted({variant for key, (_, variant) in found.items() if key[0] == shape})
        parts.append(text(LEFT, y - 8, f"{name}: " + ", ".join(f"{SHORT[kernel]} {kernel}" for kernel in kernels), 12, "start"))
        for line, n in enumerate(reversed(sizes)):
            parts.append(text(LEFT - 6, y + CELL * (line + 0.6), size_name(n), anchor="end"))
            for column, row in enumerate(lengths):
                if (shape, n, row) not in found:
                    continue
                percent, variant = found[shape, n, row]
                parts += cell(LEFT + CELL * column, y + CELL * line, percent, SHORT[variant])
        y += CELL * len(sizes)
        for column, row in enumerate(lengths):
            parts.append(text(LEFT + CELL * (column + 0.5), y + 14, size_name(row)))
        parts.append(text(LEFT + CELL * len(lengths) / 2, y + 30, "floats of a row"))
        y += BETWEEN + 24
    high = y - BETWEEN + 14
    return picture(wide, high, parts)


def put(pictures, name, svg):
    """Writes the picture, whole or not at all, and says so; returns the exit status."""
    with output.work_folder() as work:
        output.write(f"{work}/{name}", svg)
        output.put(pictures, [f"{work}/{name}"])
    print(f"drew {os.path.join(pictures, name)}")
    return 0


def main(arguments):
    if len(arguments) != 2 or arguments[0].startswith("-"):
        return output.refused("usage: tools/draw/rows.py RESULTS PICTURES")
    path = os.path.join(arguments[0], "rows_map.csv")
    if not os.path.exists(path):
        print(f"rows.py: nothing to draw: {path} is not there; on a GPU: make rows")
        return 0
    rows, faults = schema.read_run(path)
    if faults:
        raise Problem(f"{path}: {faults[0]}")
    found = best(rows)
    if not found:
        print(f"rows.py: nothing to draw: {path} has no cold times of rows on a GPU")
        return 0
    return put(arguments[1], "rows.svg", drawn(found, page_escaped(rows[0]["device"])))


def page_escaped(name):
    return name.replace("&", "&amp;").replace("<", "&lt;")


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    run(main)
