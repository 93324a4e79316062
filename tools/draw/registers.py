"""registers.py: a 32 x 32 tile in the registers of a warp, before and after each round of swaps, from the trace of the
toolbox's transpose.

Down: the 32 registers, in the order in which they are loaded; across: the 32 lanes. From the trace come the element of each
register, which lanes swap, and where each register goes. In a round with distance m, lane l gives register k + m, or k if l
has bit m, for each k without that bit: the trace does not say so, but the stores prove it.
"""
from output import Problem
from svg import GREY, SECOND, TITLES, Picture, several

SIDE, CELL, LEFT, TOP, GAP_X, GAP_Y = 32, 7, 16, 96 + SECOND, 24, 50
MARKED = 5  # the row that is drawn in black
LIGHT, DARK = (165, 205, 232), (0, 112, 178)  # the others from pale to full blue: on dark pages, too, one sees them all, and tells row 5 from them


def shade(row):
    return "#" + "".join(f"{int(light + (dark - light) * row / (SIDE - 1)):02x}" for light, dark in zip(LIGHT, DARK))


STYLES = {**TITLES, **{f"row{k}": f"shape-rendering='crispEdges' fill='{'#202020' if k == MARKED else shade(k)}'" for k in range(SIDE)},
          "round": "font-size='13'", "summary": f"font-size='11' {GREY}"}


def draw(trace):
    lanes = {kind: [[] for _ in range(SIDE)] for kind in ("load", "shuffle", "store")}
    for access in trace.accesses:
        if access.n != SIDE * SIDE or access.block or access.warp or access.kind not in lanes:
            raise Problem(f"{trace.name}: not one warp with one tile of 32 x 32")
        lanes[access.kind][access.lane].append(access.element)
    distances = find_distances(trace.name, lanes["shuffle"])
    if {len(elements) for kind in ("load", "store") for elements in lanes[kind]} != {SIDE}:
        raise Problem(f"{trace.name}: not {SIDE} loads and {SIDE} stores of each lane")
    held = [[[lanes["load"][lane][k] for lane in range(SIDE)] for k in range(SIDE)]]
    for distance in distances:
        held.append(swapped(held[-1], distance))
    for k in range(SIDE):
        for lane in range(SIDE):
            to = lanes["store"][lane][k]
            if held[-1][k][lane] != SIDE * (to % SIDE) + to // SIDE:
                raise Problem(f"{trace.name}: what lane {lane} stores at {to} is not transposed")
    picture, last = Picture(STYLES), len(distances)
    for r, tile in enumerate(held):
        left, top = LEFT + r % 3 * (SIDE * CELL + GAP_X) + 24, TOP + r // 3 * (SIDE * CELL + GAP_Y)
        draw_tile(picture, [[element // SIDE for element in registers] for registers in tile], left, top)
        picture.text("round", left, top - 26, f"lanes l and l ^ {distances[r - 1]} have swapped" if r else "loaded")
        picture.text("summary", left, top - 11, "register k of each lane: row k" if r == 0 else "register k of lane l: row l" if r == last else "")
    return picture.svg(top + SIDE * CELL + 14, trace.title(shuffles=several(len(lanes["shuffle"][0]), "shuffle")),
                       "transpose on the simulator: the 32 registers of a warp's 32 lanes",
                       f"Down: registers. Across: lanes. The darker, the lower its row was in the tile; row {MARKED} is marked.")


def find_distances(name, shuffles):
    """A round is 16 shuffles of each lane, all over the same distance."""
    found = [{abs(element - lane) for lane, elements in enumerate(shuffles) for element in elements[k:k + SIDE // 2]}
             for k in range(0, len(shuffles[0]), SIDE // 2)]
    if not found or any(len(elements) != len(found) * SIDE // 2 for elements in shuffles):
        raise Problem(f"{name}: no rounds of {SIDE // 2} shuffles")
    if any(len(distances) > 1 or not distances <= {1, 2, 4, 8, 16} for distances in found):
        raise Problem(f"{name}: lanes that swap in one round over several distances, or over one that is no power of two")
    return [distance for distance, in found]


def swapped(tile, m):
    """What lies on its side of the diagonal stays."""
    return [[tile[k][lane] if bool(k & m) == bool(lane & m) else tile[k ^ m][lane ^ m] for lane in range(SIDE)] for k in range(SIDE)]


def draw_tile(picture, rows, left, top):
    """Equal neighbours are one box: a picture of some hundred boxes, and not of 6144."""
    done = set()
    for k in range(SIDE):
        for lane in range(SIDE):
            if (k, lane) in done:
                continue
            value, wide, high = rows[k][lane], 1, 1
            while lane + wide < SIDE and rows[k][lane + wide] == value and (k, lane + wide) not in done:
                wide += 1
            while k + high < SIDE and rows[k + high][lane:lane + wide] == [value] * wide:
                high += 1
            done.update((y, x) for y in range(k, k + high) for x in range(lane, lane + wide))
            picture.box(f"row{value}", left + lane * CELL, top + k * CELL, wide * CELL, high * CELL)
