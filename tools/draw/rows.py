"""rows.py: maps of step 16 and of the library's rows: a cell for each shape of a matrix, the bluer the nearer to the roof, or the faster than a
rival; what is slower than that is orange."""
import math

import results
from page_markdown import size_name
from layout import Skipped
from output import INK, TITLES, Picture
from tables_rows import Shapes

CELL, LEFT, TOP, BETWEEN = 40, 58, 74, 50
SHAPES = (("row_", "rows"), ("column_", "columns"), ("ragged_", "ragged rows, one of them long"))
SHORT = {"row_lanes": "L", "row_warp": "W", "row_block": "B", "row_slots": "S", "row_thread": "T", "row_stream": "R", "column_lanes": "L", "column_slots": "S",
         "ragged_warp": "W", "ragged_even": "E"}
# From 0 to 100: pale to full blue, and from 0 to -100 to orange, seen on white and on dark pages; letters are black on the pale ones.
PALE, DARK, ORANGE = (0xe6, 0xf1, 0xfa), (0x00, 0x70, 0xb2), (0xd5, 0x5e, 0x00)
LETTERS = {f"{what} on {ground}": f"font-size='{size}' text-anchor='middle' fill='{colour}' {INK}" for what, size in (("number", 12), ("letter", 10))
           for ground, colour in (("pale", "#000000"), ("dark", "#ffffff"))}
STYLES = {**{str(percent): "fill='#" + "".join(f"{round(pale + (dark - pale) * abs(percent) / 100):02x}" for pale, dark in zip(PALE, DARK if percent >= 0 else ORANGE)) + "'" for percent in range(-100, 101)},
          **LETTERS, "axis": "font-size='11' text-anchor='middle' fill='#202020'", "size": "font-size='11' text-anchor='end' fill='#202020'",
          "heading": "font-size='12' fill='#202020'", **TITLES}


def panel(picture, x, y, heading, cells, sizes, widths):
    """cells: {(n, floats of a row): (colour, -100 to 100, what is written there, a letter or none)}, n upwards and the length of a row to the
    right. Returns where it ends."""
    picture.text("heading", x, y - 12, heading)
    picture.text("size", x - 6, y - 12, "elements")
    for line, n in enumerate(reversed(sizes)):
        picture.text("size", x - 6, y + CELL * (line + 0.6) - 4, size_name(n))
        for place, width in enumerate(widths):
            if (n, width) in cells:
                (colour, words, letter), left, top = cells[n, width], x + CELL * place, y + CELL * line
                ground = "dark" if colour > 90 else "pale"
                picture.box(str(round(min(max(colour, -100), 100))), left, top, CELL - 1, CELL - 1)
                picture.text("number on " + ground, left + CELL / 2, top + (13 if letter else 19), words)
                picture.text("letter on " + ground, left + CELL / 2, top + 28, letter)
    for place, width in enumerate(widths):
        picture.text("axis", x + CELL * (place + 0.5), y + CELL * len(sizes) + 10, size_name(width))
    picture.text("axis", x + CELL * len(widths) / 2, y + CELL * len(sizes) + 26, "floats of a row")
    return y + CELL * len(sizes)


def best(rows):
    """{shape: {(n, row): (percent of the roof, variant)}}: the most that some kernel of that shape reaches, cold."""
    found = {}
    for row in rows:
        if row["launch"] == "plain" and row["cache"] == "cold" and row["pct_roof"] and row["row"] and not int(row["n"]) & (int(row["n"]) - 1):
            for shape in (shape for shape, _ in SHAPES if row["variant"].startswith(shape)):  # of rows of odd lengths there are a few, for lesson 16
                of_shape, key = found.setdefault(shape, {}), (int(row["n"]), int(row["row"]))
                of_shape[key] = max(of_shape.get(key, (0, "")), (row["pct_roof"], row["variant"]))
    return found


def rows(folder, _):
    """rows_map.csv (make results): the share of the roof over rows and columns, of the best kernel of step 16 for each shape, and
    which one that is. A panel for each shape, a column for each length of a row, a line for each n."""
    found = best(results.read_csv(results.path_of(folder.folder, "rows_map.csv")) if folder.has("rows_map.csv") else [])
    if not found:
        raise Skipped("no cold times in rows_map.csv; on a GPU: make results PARTS=rows_map")
    sizes, widths = (sorted({key[k] for cells in found.values() for key in cells}) for k in (0, 1))
    picture, y = Picture(STYLES, wide=max(LEFT + CELL * len(widths) + 12, 600)), TOP
    for shape, name in SHAPES:
        if shape in found:
            kernels = sorted({variant for _, variant in found[shape].values()})
            cells = {key: (percent, f"{percent:.0f}", SHORT[variant]) for key, (percent, variant) in found[shape].items()}
            y = panel(picture, LEFT, y, f"{name}: " + ", ".join(f"{SHORT[kernel]} {kernel}" for kernel in kernels), cells, sizes, widths)
            y += BETWEEN + 24
    of_rows = [variant for (n, _), (_, variant) in found.get("row_", {}).items() if n == sizes[-1]]
    kernels = len(set(of_rows))
    return picture.svg(y - BETWEEN + 14, f"No kernel is the best for all rows: {kernels} share {len(of_rows)} lengths at {size_name(sizes[-1])}" if kernels > 1 else
                       f"The best kernels for {sum(map(len, found.values()))} shapes of a matrix",
                       f"{folder.gpu}; percent of a plain read, sums, cold L2 cache; letter: the best kernel")


# ---- beside their rivals ----

SHOWN, TIE = ("sum", "argmax"), 1.02
COLUMNS = {1 << k for k in (0, 3, 5, 7, 9, 12, 16, 20, 24)}  # with which PyTorch was timed, and some more
RIVALS = {"cub_newer_rows": "C", "cub_newer_offsets": "C", "cub_offsets": "C", "torch": "P", "torch_compile": "T"}


def row_rivals(folder, _):
    """rows.csv and rows_torch.csv (make compare-rows): how many times as fast as the fastest rival reduce_rows() is, for each shape."""
    if not folder.has("rows.csv"):
        raise Skipped("no rows.csv; on a GPU: make compare-rows")
    shapes, maps, ratios = Shapes(folder.folder, "rows"), {operator: {} for operator in SHOWN}, []
    for element, operator, of, columns, n in shapes.found:
        rival = shapes.best(element, operator, of, columns, n)
        if (element, of) == ("float", "rows") and operator in SHOWN and columns in COLUMNS and rival:
            ratios.append(float(rival[1]["ratio"]))  # of the times: below 1 ours is faster
            times = 1 / ratios[-1]
            maps[operator][n, columns] = 100 * math.log2(times), f"{times:.2f}" if times < 9.95 else f"{times:.0f}", RIVALS[rival[0]]
    maps = {operator: cells for operator, cells in maps.items() if cells}
    if not maps:
        raise Skipped("no shapes in rows.csv that are shown")
    across = CELL * max(len({key[1] for key in cells}) for cells in maps.values())
    picture, end = Picture(STYLES, wide=len(maps) * (LEFT + across) + 24), 0
    for k, (operator, cells) in enumerate(maps.items()):
        sizes, widths = (sorted({key[i] for key in cells}) for i in (0, 1))
        end = max(end, panel(picture, LEFT + k * (LEFT + across + 12), TOP + 20, operator, cells, sizes, widths))
    return picture.svg(end + 40, f"For {sum(ratio <= TIE for ratio in ratios)} of {len(ratios)} shapes no rival that was timed is faster, ties within 2 % counted",
                       f"{folder.gpu}; how many times as fast as the fastest rival reduce_rows() is; full blue: twice; orange: slower",
                       "cold L2 cache, in a CUDA graph; C: CUB; P: PyTorch, T: torch.compile, timed at a few shapes")
