"""rows.py: maps of step 16 and of the library's rows: a cell for each shape of a matrix, the bluer the nearer to the roof."""
import os

import results
from page_markdown import size_name
from layout import Skipped
from output import INK, px
from tables_rows import Shapes

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


def rows(folder, _):
    """rows_map.csv (make rows): the share of the roof over rows and columns, of the best kernel of step 16 for each shape, and
    which one that is. A panel for each shape, a column for each length of a row, a line for each n."""
    found = best(results.read_csv(folder.path + "/rows_map.csv") if os.path.exists(folder.path + "/rows_map.csv") else [])
    if not found:
        raise Skipped("no cold times in rows_map.csv; on a GPU: make rows")
    sizes, lengths = (sorted({key[k] for key in found}) for k in (1, 2))
    wide, parts, y = max(LEFT + CELL * len(lengths) + 12, 600), [], TOP
    of_rows = [variant for key, (_, variant) in found.items() if key[:2] == ("row_", sizes[-1])]
    kernels = len(set(of_rows))
    parts.append(text(wide / 2, 20, f"No kernel is the best for all rows: {kernels} share {len(of_rows)} lengths at {size_name(sizes[-1])}" if kernels > 1 else
                      f"The best kernels for {len(found)} shapes of a matrix", 15))
    parts.append(text(wide / 2, 40, f"{folder.gpu}; percent of a plain read, sums, cold L2 cache; letter: the best kernel", 12, fill="#505050"))
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
    return picture(wide, y - BETWEEN + 14, parts)


# ---- beside their rivals ----

SHOWN, TIE = ("sum", "argmax"), 1.02
COLUMNS = {1 << k for k in (0, 3, 5, 7, 9, 12, 16, 20, 24)}  # with which PyTorch was timed, and some more
LETTERS = {"cub_newer_rows": "C", "cub_newer_offsets": "C", "cub_offsets": "C", "torch": "P", "torch_compile": "T"}


def found_in(shapes, operator):
    """{(n, columns): (ours, best rival's, its letter)}: percent of the roof; floats, these columns alone."""
    found = {}
    for key in shapes.found:
        element, name, of, columns, n = key
        best = shapes.best(*key)
        if (element, name, of) != ("float", operator, "rows") or columns not in COLUMNS or not best:
            continue
        rival, row = best
        ours = shapes.ours(*key)
        found[n, columns] = ours, ours * float(row["ratio"]), LETTERS[rival]
    return found


def panel(found, x, y, heading, which):
    sizes, widths = (sorted({key[k] for key in found}) for k in (0, 1))
    parts = [text(x, y - 8, heading, 12, "start")]
    for line, n in enumerate(reversed(sizes)):
        parts.append(text(x - 6, y + CELL * (line + 0.6), size_name(n), anchor="end"))
        for place, columns in enumerate(widths):
            if (n, columns) not in found:
                continue
            percent, left, top = found[n, columns][which], x + CELL * place, y + CELL * line
            parts += cell(left, top, percent, found[n, columns][2] if which else "")
    for place, columns in enumerate(widths):
        parts.append(text(x + CELL * (place + 0.5), y + CELL * len(sizes) + 14, size_name(columns)))
    return parts


def row_rivals(folder, _):
    """rows.csv and rows_torch.csv (make compare-rows): the share of the roof over rows and columns, of reduce_rows() on the left
    and of the fastest rival for each shape on the right."""
    if not os.path.exists(folder.path + "/rows.csv"):
        raise Skipped("no rows.csv; on a GPU: make compare-rows")
    results.use_root(os.path.dirname(os.path.dirname(os.path.realpath(folder.path))))
    shapes = Shapes(os.path.basename(os.path.realpath(folder.path)), "rows")
    maps = {operator: found_in(shapes, operator) for operator in SHOWN}
    maps = {operator: found for operator, found in maps.items() if found}
    across = CELL * max(len({key[1] for key in found}) for found in maps.values())
    wide, y, parts = 2 * (LEFT + across) + 24, TOP + 20, []
    ratios = [rival / ours for found in maps.values() for ours, rival, _ in found.values()]
    level = sum(ratio <= TIE for ratio in ratios)
    parts.append(text(wide / 2, 20, f"For {level} of {len(ratios)} shapes no rival that was timed is faster, ties within 2 % counted", 15))
    parts.append(text(wide / 2, 40, f"{folder.gpu}; reduce_rows() of floats; percent of a plain read's speed, cold L2 cache, in a CUDA graph", 12, fill="#505050"))
    parts.append(text(wide / 2, 56, "left: all numbers; below: columns; C: CUB; P: PyTorch, T: torch.compile, timed at a few of them", 12, fill="#505050"))
    for operator, found in maps.items():
        parts += panel(found, LEFT, y, f"{operator}: ours", 0)
        parts += panel(found, 2 * LEFT + across + 12, y, f"{operator}: the fastest rival", 1)
        y += CELL * len({key[0] for key in found}) + 50
    return picture(wide, y - 20, parts)
