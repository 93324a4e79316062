#!/usr/bin/env python3
"""row_rivals.py RESULTS PICTURES: draws rows.csv and rows_torch.csv of results/NAME (make compare-rows) as
PICTURES/row_rivals.svg: the share of the roof over rows and columns, of reduce_rows() on the left and of the fastest rival
for each shape on the right. PICTURES is made if it is not there.

Exit status: 0 drawn, or, after one line, nothing to draw; 1 it cannot be written, and then no picture is touched; 2 usage."""
import os
import sys

import output
from output import Problem, run
from rows import CELL, LEFT, TOP, cell, page_escaped, picture, put, text

sys.path.insert(1, os.path.join(output.TOOLS, "pages"))
import results  # noqa: E402
from figures import size_name  # noqa: E402
from page_markdown import Problem as PageProblem  # noqa: E402
from tables_rows import Shapes  # noqa: E402

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


def drawn(shapes, gpu):
    maps = {operator: found_in(shapes, operator) for operator in SHOWN}
    maps = {operator: found for operator, found in maps.items() if found}
    across = CELL * max(len({key[1] for key in found}) for found in maps.values())
    wide, y, parts = 2 * (LEFT + across) + 24, TOP + 20, []
    ratios = [rival / ours for found in maps.values() for ours, rival, _ in found.values()]
    level = sum(ratio <= TIE for ratio in ratios)
    parts.append(text(wide / 2, 20, f"For {level} of {len(ratios)} shapes no rival that was timed is faster, ties within 2 % counted", 15))
    parts.append(text(wide / 2, 40, f"{gpu}; reduce_rows() of floats; percent of a plain read's speed, cold L2 cache, in a CUDA graph", 12, fill="#505050"))
    parts.append(text(wide / 2, 56, "left: all numbers; below: columns; C: CUB; P: PyTorch, T: torch.compile, timed at a few of them", 12, fill="#505050"))
    for operator, found in maps.items():
        parts += panel(found, LEFT, y, f"{operator}: ours", 0)
        parts += panel(found, 2 * LEFT + across + 12, y, f"{operator}: the fastest rival", 1)
        y += CELL * len({key[0] for key in found}) + 50
    return picture(wide, y - 20, parts)


def main(arguments):
    if len(arguments) != 2 or arguments[0].startswith("-"):
        return output.refused("usage: tools/draw/row_rivals.py RESULTS PICTURES")
    path = os.path.join(arguments[0], "rows.csv")
    if not os.path.exists(path):
        print(f"row_rivals.py: nothing to draw: {path} is not there; on a GPU: make compare-rows")
        return 0
    folder = os.path.basename(os.path.realpath(arguments[0]))
    results.use_root(os.path.dirname(os.path.dirname(os.path.realpath(arguments[0]))))
    try:
        shapes = Shapes(folder, "rows")
        svg = drawn(shapes, page_escaped(str(results.about(folder, "rows.json").get("gpu"))))
    except (PageProblem, LookupError, TypeError, ValueError) as error:
        raise Problem(f"{path}: {error}")
    return put(arguments[1], "row_rivals.svg", svg)


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    run(main)
