"""panels.py: three pictures of one kind each, from traces: the banks that a block's tree touches, the trees of additions, and a
tile in the registers of a warp."""
from output import GREY, SECOND, SMALL, TITLES, Picture, Problem, dots, several, stroke


# ---- banks ----
# Which banks of shared memory a block's tree touches, round by round, from the trace of one variant.
#
# A panel for each round: 32 columns, one for each bank, and a row for each 32 words. What the first request of each warp
# touches has its warp's colour; black are the words of the first warp's busiest bank, for a bank serves one word in each
# wavefront. Option rounds=5: no more than these.

BANK_LEFT, BANK_RIGHT, BANK_TOP = 92, 786, 78 + SECOND
BANK_CAPTION, BANK_ROWS_AT, BANK_ROW, BANK_SPACE = 10, 25, 11, 12
BANK_PITCH = (BANK_RIGHT - BANK_LEFT) / 32
BANK_STYLES = {**TITLES, "untouched": stroke("#e2e2e2", BANK_ROW - 2.4), "touched0": stroke("#0072b2", BANK_ROW - 2.4), "touched1": stroke("#e69f00", BANK_ROW - 2.4),
          "busiest": stroke("#202020", BANK_ROW - 2.4), "source": "font-size='11'", "summary": f"font-size='11' text-anchor='end' {GREY}",
          "name": f"{SMALL} {GREY}", "bank": f"font-size='10' text-anchor='middle' {GREY}"}


class Round:
    """What each warp's first request between two waits loads."""

    def __init__(self):
        self.request, self.owner, self.in_bank = {}, {}, {}  # by warp; warps by word; words of warp 0 by bank

    def add(self, access):
        word = access.element
        if access.step == self.request.setdefault(access.warp, access.step):
            self.owner[word] = access.warp
            if access.warp == 0:
                self.in_bank.setdefault(word % 32, set()).add(word)


def banks(trace):
    rounds, stored = {}, set()
    first = trace.accesses[0]
    for access in trace.accesses:
        if access.block != 0 or access.variant != first.variant:
            raise Problem(f"{trace.name}: a picture shows one variant and its block 0")
        if access.array == "shared" and access.kind == "load":
            rounds.setdefault(access.epoch, Round()).add(access)
        elif access.array == "shared" and access.kind == "store":
            stored.add(access.epoch)
    loaded = [access.element for access in trace.accesses if access.array == "shared" and access.kind == "load"]
    rounds = [found for epoch, found in rounds.items() if epoch in stored]
    if not rounds:
        raise Problem(f"{trace.name}: no rounds in shared memory")
    rows, shown = max(loaded) // 32 + 1, rounds[:int(trace.option.get("rounds", len(rounds)))]
    picture, y = Picture(BANK_STYLES, BANK_PITCH), BANK_TOP
    for bank in range(32):
        picture.text("bank", BANK_LEFT + (bank + 0.5) * BANK_PITCH, BANK_TOP - 14, bank)
    picture.text("name", 10, BANK_TOP - 14, "bank")
    for number, found in enumerate(shown, 1):
        draw_round(picture, number, found, rows, y)
        y += BANK_ROWS_AT + rows * BANK_ROW + BANK_SPACE
    worst = max(len(words) for found in rounds for words in found.in_bank.values())
    return picture.svg(y, trace.title(**{"most wavefronts": several(worst, "wavefront")}), f"{first.variant} on the simulator: block 0 of {trace.threads} threads, "
                       + (f"the first {len(shown)} of {len(rounds)} rounds" if len(shown) < len(rounds) else f"{len(rounds)} rounds"),
                       "What a warp's first load of a round touches: blue and orange by turns. Black: the busiest bank of warp 0.")


def draw_round(picture, number, found, rows, y):
    worst = max(map(len, found.in_bank.values()), default=0)
    busiest = next((bank for bank, words in found.in_bank.items() if len(words) == worst), None)
    picture.text("source", BANK_LEFT, y + BANK_CAPTION, f"round {number}: {several(max(found.request) + 1, 'warp')} at work")
    picture.text("summary", BANK_RIGHT, y + BANK_CAPTION, f"warp 0: {several(sum(map(len, found.in_bank.values())), 'word')} in "
                 f"{several(len(found.in_bank), 'bank')}, so {several(worst, 'wavefront')}")
    for row in range(rows):
        row_y = y + BANK_ROWS_AT + row * BANK_ROW
        picture.text("name", 10, row_y, f"word {32 * row}")
        for bank in range(32):
            warp = found.owner.get(32 * row + bank)
            style = "untouched" if warp is None else "busiest" if warp == 0 and bank == busiest else f"touched{warp % 2}"
            for under in dict.fromkeys(("untouched", style)):
                picture.bar(under, BANK_LEFT + bank * BANK_PITCH + 0.8, row_y, BANK_PITCH - 1.6)


# ---- trees ----
# The trees of additions in a few traces, one panel each, named by the option title=.
#
# Each row of dots is the values after a round, and each line leads from a value that was read to the one that was written:
# from element to element, or from lane to lane of a shuffle. Blue is what the sum is made of; grey is added up, too, but
# not used.

TREE_PANEL, TREE_MARGIN, TREE_TOP, TREE_HEADER, TREE_ROW, TREE_FOOTER = 384, 16, 56 + SECOND, 44, 30, 44
TREE_STYLES = {**TITLES, "unused line": stroke("#c4c4c4", 0.8), "unused dot": dots("#b0b0b0", 3),
          "used line": stroke("#0072b2", 1.1), "used dot": dots("#202020", 4.2),
          "name": "font-size='13'", "summary": f"font-size='11' {GREY}"}


class Tree:
    """The rounds of a trace: of each its lines (from, to)."""

    def __init__(self, trace):
        self.title, self.values, self.rounds, self.additions = trace.option["title"], trace.accesses[-1].n, [], 0  # a value for each element to begin with
        self.epoch, loaded = None, {}
        for access in trace.accesses:
            if access.kind == "shuffle":
                self.add(access.epoch, [(value, access.lane) for value in dict.fromkeys((access.element, access.lane))])
                self.additions += 1
            elif access.array in ("in", "scratch", "shared") and access.kind == "load":
                loaded.setdefault(access.lane, []).append(access.element)
            elif access.array in ("in", "scratch", "shared") and access.kind == "store":
                values = loaded.pop(access.lane, [])
                self.add(access.epoch, [(value, access.element) for value in values])
                self.additions += len(values) - 1
        if not self.rounds:
            raise Problem(f"{trace.name}: no additions")
        self.find_used()

    def add(self, epoch, lines):
        """A round ends where the trace says that all waited for each other."""
        if lines and epoch != self.epoch:
            self.rounds.append([])
            self.epoch = epoch
        if lines:
            self.rounds[-1] += lines

    def find_used(self):
        """Backwards from value 0, which is the sum: what it was made of, and what that was made of."""
        self.written = [{to for _, to in lines} for lines in self.rounds]
        self.needed, self.useful = [{0}], 0
        for lines, written in zip(reversed(self.rounds), reversed(self.written)):
            used = [(value, to) for value, to in lines if to in self.needed[0]]
            self.useful += sum(value != to for value, to in used)
            self.needed.insert(0, {value for value, _ in used} | (self.needed[0] - written))  # a value that is not written stays

    def summary(self):
        return f"{self.values} values, {len(self.rounds)} rounds, {self.additions} additions" + \
            (f", of which {self.useful} count" if self.useful < self.additions else "")

    def draw(self, picture, left, top):
        def x(value):
            return left + TREE_MARGIN + (value + 0.5) * (TREE_PANEL - 2 * TREE_MARGIN) / self.values
        for k, lines in enumerate(self.rounds):
            for value, to in lines:
                picture.line("used line" if to in self.needed[k + 1] else "unused line", (x(value), top + TREE_HEADER + k * TREE_ROW), (x(to), top + TREE_HEADER + (k + 1) * TREE_ROW))
        for k, needed in enumerate(self.needed):
            for value in range(self.values):
                if k == 0 or value in self.written[k - 1]:
                    picture.dot("used dot" if value in needed else "unused dot", x(value), top + TREE_HEADER + k * TREE_ROW)
        picture.text("name", left, top + 14, self.title)
        picture.text("summary", left, top + TREE_HEADER + len(self.rounds) * TREE_ROW + 20, self.summary())


def trees(*traces):
    trees = [Tree(trace) for trace in traces]
    picture = Picture(TREE_STYLES, (TREE_PANEL - 2 * TREE_MARGIN) / trees[0].values)
    high = TREE_HEADER + max(len(tree.rounds) for tree in trees) * TREE_ROW + TREE_FOOTER
    for k, tree in enumerate(trees):
        tree.draw(picture, 8 + k % 2 * (TREE_PANEL + 16), TREE_TOP + k // 2 * high)
    return picture.svg(TREE_TOP + (len(trees) + 1) // 2 * high - 6, traces[0].title(**{"values": several(trees[0].values, "value"), "least additions": several(min(tree.additions for tree in trees), "addition"),
                                                                                          "most additions": several(max(tree.additions for tree in trees), "addition")}),
                       "Variants of steps 01, 02, 03 and 05 on the simulator, one block or one warp of each",
                       "A row of dots: the values after a round. Blue: what the sum is made of. Grey: added too, and never used.")


# ---- registers ----
# A 32 x 32 tile in the registers of a warp, before and after each round of swaps, from the trace of the
# toolbox's transpose.
#
# Down: the 32 registers, in the order in which they are loaded; across: the 32 lanes. From the trace come the element of each
# register, which lanes swap, and where each register goes. In a round with distance m, lane l gives register k + m, or k if l
# has bit m, for each k without that bit: the trace does not say so, but the stores prove it.

REGISTER_SIDE, REGISTER_CELL, REGISTER_LEFT, REGISTER_TOP, REGISTER_GAP_X, REGISTER_GAP_Y = 32, 7, 16, 96 + SECOND, 24, 50
REGISTER_MARKED = 5  # the row that is drawn in black
REGISTER_LIGHT, REGISTER_DARK = (165, 205, 232), (0, 112, 178)  # the others from pale to full blue: on dark pages, too, one sees them all, and tells row 5 from them


def shade(row):
    return "#" + "".join(f"{int(light + (dark - light) * row / (REGISTER_SIDE - 1)):02x}" for light, dark in zip(REGISTER_LIGHT, REGISTER_DARK))


REGISTER_STYLES = {**TITLES, **{f"row{k}": f"shape-rendering='crispEdges' fill='{'#202020' if k == REGISTER_MARKED else shade(k)}'" for k in range(REGISTER_SIDE)},
          "round": "font-size='13'", "summary": f"font-size='11' {GREY}"}


def registers(trace):
    lanes = {kind: [[] for _ in range(REGISTER_SIDE)] for kind in ("load", "shuffle", "store")}
    for access in trace.accesses:
        if access.n != REGISTER_SIDE * REGISTER_SIDE or access.block or access.warp or access.kind not in lanes:
            raise Problem(f"{trace.name}: not one warp with one tile of 32 x 32")
        lanes[access.kind][access.lane].append(access.element)
    distances = [abs(element) for element in lanes["shuffle"][0][::REGISTER_SIDE // 2]]  # a round is 16 shuffles; lane 0 reads lane 0 ^ m
    if not distances or not {*distances} <= {1, 2, 4, 8, 16}:
        raise Problem(f"{trace.name}: no rounds of shuffles over a power of two")
    if {len(elements) for kind in ("load", "store") for elements in lanes[kind]} != {REGISTER_SIDE}:
        raise Problem(f"{trace.name}: not {REGISTER_SIDE} loads and {REGISTER_SIDE} stores of each lane")
    held = [[[lanes["load"][lane][k] for lane in range(REGISTER_SIDE)] for k in range(REGISTER_SIDE)]]
    for distance in distances:
        held.append(swapped(held[-1], distance))
    for k in range(REGISTER_SIDE):
        for lane in range(REGISTER_SIDE):
            to = lanes["store"][lane][k]
            if held[-1][k][lane] != REGISTER_SIDE * (to % REGISTER_SIDE) + to // REGISTER_SIDE:
                raise Problem(f"{trace.name}: what lane {lane} stores at {to} is not transposed")
    picture, last = Picture(REGISTER_STYLES), len(distances)
    for r, tile in enumerate(held):
        left, top = REGISTER_LEFT + r % 3 * (REGISTER_SIDE * REGISTER_CELL + REGISTER_GAP_X) + 24, REGISTER_TOP + r // 3 * (REGISTER_SIDE * REGISTER_CELL + REGISTER_GAP_Y)
        draw_tile(picture, [[element // REGISTER_SIDE for element in registers] for registers in tile], left, top)
        picture.text("round", left, top - 26, f"lanes l and l ^ {distances[r - 1]} have swapped" if r else "loaded")
        picture.text("summary", left, top - 11, "register k of each lane: row k" if r == 0 else "register k of lane l: row l" if r == last else "")
    return picture.svg(top + REGISTER_SIDE * REGISTER_CELL + 14, trace.title(shuffles=several(len(lanes["shuffle"][0]), "shuffle")),
                       "transpose on the simulator: the 32 registers of a warp's 32 lanes",
                       f"Down: registers. Across: lanes. The darker, the lower its row was in the tile; row {REGISTER_MARKED} is marked.")


def swapped(tile, m):
    """What lies on its side of the diagonal stays."""
    return [[tile[k][lane] if bool(k & m) == bool(lane & m) else tile[k ^ m][lane ^ m] for lane in range(REGISTER_SIDE)] for k in range(REGISTER_SIDE)]


def draw_tile(picture, rows, left, top):
    """Equal neighbours are one box: a picture of some hundred boxes, and not of 6144."""
    done = set()
    for k in range(REGISTER_SIDE):
        for lane in range(REGISTER_SIDE):
            if (k, lane) in done:
                continue
            value, wide, high = rows[k][lane], 1, 1
            while lane + wide < REGISTER_SIDE and rows[k][lane + wide] == value and (k, lane + wide) not in done:
                wide += 1
            while k + high < REGISTER_SIDE and rows[k + high][lane:lane + wide] == [value] * wide:
                high += 1
            done.update((y, x) for y in range(k, k + high) for x in range(lane, lane + wide))
            picture.box(f"row{value}", left + lane * REGISTER_CELL, top + k * REGISTER_CELL, wide * REGISTER_CELL, high * REGISTER_CELL)
