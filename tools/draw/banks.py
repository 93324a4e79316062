"""banks.py: which banks of shared memory a block's tree touches, round by round, from the trace of one variant.

A panel for each round: 32 columns, one for each bank, and a row for each 32 words. What the first request of each warp
touches has its warp's colour; black are the words of the first warp's busiest bank, for a bank serves one word in each
wavefront. Option rounds=5: no more than these.
"""
from output import Problem
from svg import GREY, SECOND, SMALL, TITLES, Picture, several, stroke

LEFT, RIGHT, TOP = 92, 786, 78 + SECOND
CAPTION, ROWS_AT, ROW, SPACE = 10, 25, 11, 12
PITCH = (RIGHT - LEFT) / 32
STYLES = {**TITLES, "untouched": stroke("#e2e2e2", ROW - 2.4), "touched0": stroke("#0072b2", ROW - 2.4), "touched1": stroke("#e69f00", ROW - 2.4),
          "busiest": stroke("#202020", ROW - 2.4), "source": "font-size='11'", "summary": f"font-size='11' text-anchor='end' {GREY}",
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


def draw(trace):
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
    picture, y = Picture(STYLES, PITCH), TOP
    for bank in range(32):
        picture.text("bank", LEFT + (bank + 0.5) * PITCH, TOP - 14, bank)
    picture.text("name", 10, TOP - 14, "bank")
    for number, found in enumerate(shown, 1):
        draw_round(picture, number, found, rows, y)
        y += ROWS_AT + rows * ROW + SPACE
    worst = max(len(words) for found in rounds for words in found.in_bank.values())
    return picture.svg(y, trace.title(**{"most wavefronts": several(worst, "wavefront")}), f"{first.variant} on the simulator: block 0 of {trace.threads} threads, "
                       + (f"the first {len(shown)} of {len(rounds)} rounds" if len(shown) < len(rounds) else f"{len(rounds)} rounds"),
                       "What a warp's first load of a round touches: blue and orange by turns. Black: the busiest bank of warp 0.")


def draw_round(picture, number, found, rows, y):
    worst = max(map(len, found.in_bank.values()), default=0)
    busiest = next((bank for bank, words in found.in_bank.items() if len(words) == worst), None)
    picture.text("source", LEFT, y + CAPTION, f"round {number}: {several(max(found.request) + 1, 'warp')} at work")
    picture.text("summary", RIGHT, y + CAPTION, f"warp 0: {several(sum(map(len, found.in_bank.values())), 'word')} in "
                 f"{several(len(found.in_bank), 'bank')}, so {several(worst, 'wavefront')}")
    for row in range(rows):
        row_y = y + ROWS_AT + row * ROW
        picture.text("name", 10, row_y, f"word {32 * row}")
        for bank in range(32):
            warp = found.owner.get(32 * row + bank)
            style = "untouched" if warp is None else "busiest" if warp == 0 and bank == busiest else f"touched{warp % 2}"
            for under in dict.fromkeys(("untouched", style)):
                picture.bar(under, LEFT + bank * PITCH + 0.8, row_y, PITCH - 1.6)
