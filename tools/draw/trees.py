"""trees.py: the trees of additions in a few traces, one panel each, named by the option title=.

Each row of dots is the values after a round, and each line leads from a value that was read to the one that was written:
from element to element, or from lane to lane of a shuffle. Blue is what the sum is made of; grey is added up, too, but
not used.
"""
from output import Problem
from svg import GREY, SECOND, TITLES, Picture, dots, several, stroke

PANEL, MARGIN, TOP, HEADER, ROW, FOOTER = 384, 16, 56 + SECOND, 44, 30, 44
STYLES = {**TITLES, "unused line": stroke("#c4c4c4", 0.8), "unused dot": dots("#b0b0b0", 3),
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
            return left + MARGIN + (value + 0.5) * (PANEL - 2 * MARGIN) / self.values
        for k, lines in enumerate(self.rounds):
            for value, to in lines:
                picture.line("used line" if to in self.needed[k + 1] else "unused line", (x(value), top + HEADER + k * ROW), (x(to), top + HEADER + (k + 1) * ROW))
        for k, needed in enumerate(self.needed):
            for value in range(self.values):
                if k == 0 or value in self.written[k - 1]:
                    picture.dot("used dot" if value in needed else "unused dot", x(value), top + HEADER + k * ROW)
        picture.text("name", left, top + 14, self.title)
        picture.text("summary", left, top + HEADER + len(self.rounds) * ROW + 20, self.summary())


def draw(*traces):
    trees = [Tree(trace) for trace in traces]
    picture = Picture(STYLES, (PANEL - 2 * MARGIN) / trees[0].values)
    high = HEADER + max(len(tree.rounds) for tree in trees) * ROW + FOOTER
    for k, tree in enumerate(trees):
        tree.draw(picture, 8 + k % 2 * (PANEL + 16), TOP + k // 2 * high)
    return picture.svg(TOP + (len(trees) + 1) // 2 * high - 6, traces[0].title(**{"values": several(trees[0].values, "value"), "least additions": several(min(tree.additions for tree in trees), "addition"),
                                                                                          "most additions": several(max(tree.additions for tree in trees), "addition")}),
                       "Variants of steps 01, 02, 03 and 05 on the simulator, one block or one warp of each",
                       "A row of dots: the values after a round. Blue: what the sum is made of. Grey: added too, and never used.")
