"""accesses.py: which thread of a block touches which element, from the trace of one variant.

A band for each round and line of the source: the threads above, the elements of an array below, as many in a row as there
are threads, a line from each thread to each element it touches; a box is what one access takes, 4 bytes or more. Shuffles
one after another are one band, a row after each of them. Between two bands a line across all threads where they came
through a barrier of the block, its cluster or the grid, and a dashed one across a warp that waited for its own lanes
alone. A word that a thread reads again and again until it changes is one band, which says how often. Options:
  every=8     a row only after each eighth shuffle: a thread does the same with eight registers
  first=1     only so many bands: the others are those of other pictures
  skip=3-6:block_sum(),9-9:warp_sum()   not these: the function named tells what they are
"""
import os
import re
from collections import Counter

import schema
from output import GREY, SECOND, SMALL, TITLES, Picture, Problem, dots, several, stroke

LEFT, RIGHT, GAP = 92, 786, 10  # of the threads; between two warps
TOP, CAPTION, THREADS_AT, FALL, ROW, SHUFFLE, SPACE = 58 + SECOND, 13, 28, 30, 11, 20, 18
ABOVE, WAITS, LEFT_OUT = 4, 12, 24  # from a barrier's line down to its band, or to the next line; a note for bands left out
BARRIERS = ("block", "cluster", "grid")
NAMES = {"in": "array", "scratch": "partial sums", "out": "the sum", "shared": "shared", "other": "words"}
COLOURS = ("#0072b2", "#e69f00")  # two warps, told apart by the colour-blind and on grey paper
STYLES = {**TITLES, "untouched": stroke("#e2e2e2", ROW - 2.4),
          **{f"line{w}": stroke(COLOURS[w], 0.7) for w in (0, 1)},
          **{f"touched{w}": stroke(COLOURS[w], ROW - 2.4) for w in (0, 1)},
          "written": stroke("#202020", ROW - 2.4),
          "idle": dots("#949494", 6.2), "hollow": dots("#ffffff", 4.8),  # a ring: with a smaller white dot on it
          **{f"busy{w}": dots(COLOURS[w], 6.2) for w in (0, 1)},
          "wait1": stroke("#404040", 1.6), "wait2": stroke("#404040", 3), "wait3": stroke("#202020", 5),
          "wait0": stroke("#404040", 1.6, " stroke-dasharray='20 30'"),
          "waiting": SMALL, "source": "font-size='11'", "summary": f"font-size='11' text-anchor='end' {GREY}", "name": f"{SMALL} {GREY}"}


class Band:
    """What the threads do at one line of the source between two waits."""

    def __init__(self, access, threads):
        self.line, self.below, self.threads = access.line, access.array, threads
        self.unit = max(1, access.bytes // 4)  # elements of a box
        self.shuffles, self.accesses, self.looks = 0, [], []  # (access, thread, element), and those of looks at a word once more
        self.waits, self.alone = [], set()  # (which barrier, how many) new ones; warps that waited by themselves

    def complete(self):
        """What follows, once all accesses are known."""
        of = self.accesses
        self.passed = tuple(max(counts) for counts in zip((0, 0, 0), *(access.passed for access, _, _ in of)))
        self.since = {warp: min(access.epoch for access, _, _ in of if access.warp == warp) for warp in dict.fromkeys(access.warp for access, _, _ in of)}
        self.until = {warp: max(access.epoch for access in [*(access for access, _, _ in of), *self.looks] if access.warp == warp) for warp in self.since}
        self.looked, self.busy = {access.epoch for access in self.looks}, {thread for _, thread, _ in of}
        self.requests = {(access.step, access.warp) for access, _, _ in of}
        self.noun = of[-1][0].kind if of[-1][0].kind in ("shuffle", "atomic") else "request"
        self.touched = {element: access.warp for access, _, element in of}  # by which warp
        self.written = {element for access, _, element in of if access.kind in ("store", "atomic")}
        self.lowest = {}  # straight below its thread
        for _, thread, element in of:
            if element % self.threads == thread:
                self.lowest[thread] = max(element, self.lowest.get(thread, 0))
        self.sectors = {(access.step, access.warp, element * self.unit // 8) for access, _, element in of}  # 8 elements of 4 bytes
        # A bank serves one word in each wavefront, and word e lies in bank e % 32: of each request, the most in one.
        words = Counter((*key, element % 32) for *key, element in {(access.step, access.warp, element) for access, _, element in of})
        self.wavefronts = {key[:2]: count for key, count in sorted(words.items(), key=lambda of_bank: of_bank[1])}.values()

    def most_wavefronts(self):
        return max(self.wavefronts) if self.below == "shared" else 0

    def most_sectors(self):
        return 0 if self.shuffles or self.below == "shared" else max(Counter((step, warp) for step, warp, _ in self.sectors).values())


def bands_of(trace):
    """The bands, and (access, band, its row if it is a shuffle's) of each access but looks at a word once more."""
    bands, drawn, place_of, band_of_look = [], [], {}, {}
    for access in trace.accesses:
        if access[:3] != trace.accesses[0][:3]:
            raise Problem(f"{trace.name}: a picture shows one variant, one n and one block; its trace is of several")
        thread = 32 * access.warp + access.lane
        if thread >= trace.threads:
            raise Problem(f"{trace.name}: thread {thread} of a block of {trace.threads}")
        look = (access.line, access.warp, access.lane, access.element) if access.kind == "load" and access.array == "other" else None
        if look in band_of_look:
            band_of_look[look].looks.append(access)
            continue
        key = access.epoch, access.line, access.array, access.bytes
        if key not in place_of:
            shuffle = access.kind == "shuffle"
            if not (shuffle and bands and bands[-1].shuffles and bands[-1].line == access.line):
                bands.append(Band(access, trace.threads))
            bands[-1].shuffles += shuffle
            place_of[key] = bands[-1], bands[-1].shuffles
        band, row = place_of[key]
        if look:
            band_of_look[look] = band
        element = 32 * access.warp + access.element if band.shuffles else access.element // band.unit
        band.accesses.append((access, thread, element))
        drawn.append((thread, element, band, row))
    # What the threads waited for between each band and the one before: a barrier of each kind, or only a warp for its own
    # lanes, which between shuffles goes without saying.
    so_far, last = (0, 0, 0), {}
    for band in bands:
        band.complete()
        band.waits = [(k, now - before) for k, (now, before) in enumerate(zip(band.passed, so_far)) if now > before]
        so_far = tuple(map(max, so_far, band.passed))
        for warp in band.since:
            before = last.get(warp)
            if not band.waits and before and band.since[warp] > before.until[warp] and not band.shuffles and not before.shuffles:
                band.alone.add(warp)
            last[warp] = band
    return bands, drawn


class Drawing:
    def __init__(self, trace):
        self.trace, self.threads = trace, trace.threads
        self.every = int(trace.option.get("every", 1))
        self.pitch = (RIGHT - LEFT - GAP * (self.threads / 32 - 1)) / self.threads
        self.picture = Picture(STYLES, self.pitch)
        self.code = {}

    def svg(self):
        trace, (bands, accesses) = self.trace, bands_of(self.trace)
        first = bands[:int(trace.option.get("first", len(bands)))]
        notes, skipped = {}, set()  # what stands in place of the first of some bands that are left out
        for part in filter(None, trace.option.get("skip", "").split(",")):
            begin, end, function = re.split("[-:]", part)
            skipped.update(bands[int(begin) - 1:int(end)])
            notes[bands[int(begin) - 1]] = f"… left out here: {several(int(end) - int(begin) + 1, 'band')} of {function} …"
        shown = [band for band in first if band not in skipped]
        self.most = {below: max((max(band.touched) + 1) * band.unit for band in shown if band.below == below)  # elements of each array that are touched
                     for below in {band.below for band in shown}}
        y = TOP
        for band in first:
            if band in notes:
                self.picture.text("source", LEFT, y + CAPTION, notes[band])
                y += LEFT_OUT
            elif band in shown:
                y = self.draw_band(band, y)
        for thread, element, band, row in dict.fromkeys(accesses):
            if band in shown and not (element % self.threads == thread and band.lowest[thread] > element):  # part of a longer line
                self.draw_line(thread, element, band, row)
        access = trace.accesses[0]
        return self.picture.svg(y, trace.title(**self.facts(bands)), f"{access.variant} on the simulator: block {access.block} of {self.threads} threads, {access.n} elements in all"
                                + (f"; the first of {len(bands)} bands" if len(first) < len(bands) else ""), self.explanation(first))

    def facts(self, bands):
        """What a title may name."""
        accesses = self.trace.accesses
        of_lane = [access for access in accesses if access.warp == access.lane == 0]
        loads = [access for access in of_lane if access.kind == "load" and access.array == "in" and access.line == of_lane[0].line] or of_lane[:1]
        counts = {"elements": sum(access.bytes for access in loads) // 4, "loads": len(loads), "atomics": sum(access.kind == "atomic" for access in accesses),
                  "most sectors": max(band.most_sectors() for band in bands), "most wavefronts": max(band.most_wavefronts() for band in bands)}
        return {name: several(count, name.split()[-1][:-1]) for name, count in counts.items()}

    def explanation(self, bands):
        fours = any(band.below == "in" and band.unit == 4 for band in bands)
        return ("A dot is a thread, hollow when idle." if self.threads == 32 else "Blue: warp 0, orange: warp 1, hollow: idle." if fours else
                "A dot is a thread: blue in warp 0, orange in warp 1, hollow when idle.") + \
            f" A box is an element{', or four of the array;' if fours else ':'} black when written."

    def x(self, thread):
        return LEFT + (thread + 0.5) * self.pitch + GAP * (thread // 32)

    def drawn_shuffles(self, band):
        return (band.shuffles + self.every - 1) // self.every

    def draw_band(self, band, y):
        """From y down; returns where it ends."""
        y += WAITS * max(0, len(band.waits) - 1)
        self.draw_waits(band, y - ABOVE - WAITS * max(0, len(band.waits) - 1))
        band.y = y + THREADS_AT
        rows = () if band.shuffles else sorted({element // self.threads for element in band.touched})
        band.row_y = {row: band.y + FALL + k * ROW for k, row in enumerate(rows)}
        for row in band.row_y:
            self.draw_elements(band, row)
        for k in range(self.drawn_shuffles(band) + 1):
            for thread in range(self.threads):
                for style in (f"busy{thread // 32 % 2}",) if thread in band.busy else ("idle", "hollow"):
                    self.picture.bar(style, self.x(thread), band.y + k * SHUFFLE, 0)
        self.draw_texts(band, y)
        return band.y + SPACE + (self.drawn_shuffles(band) * SHUFFLE if band.shuffles else FALL + (len(band.row_y) - 1) * ROW)

    def draw_waits(self, band, y):
        for warp in sorted(band.alone):
            self.picture.line("wait0", (self.x(32 * warp) - self.pitch / 2, y), (self.x(32 * warp + 31) + self.pitch / 2, y))
        if band.alone:
            self.picture.text("waiting", 10, y, "warp waits")
        for k, count in band.waits:
            self.picture.line(f"wait{k + 1}", (LEFT, y), (RIGHT, y))
            self.picture.text("waiting", 10, y, f"{BARRIERS[k]} barrier" if count == 1 else f"{count} barriers")
            y += WAITS

    def draw_elements(self, band, row):
        elements = [element for element in range(row * self.threads, (row + 1) * self.threads) if element < self.size(band)]
        under = ["untouched"] * any(element not in band.touched for element in elements)  # in whole rows, which are less to write; the others lie on it
        for element in elements:
            what = ["written" if element in band.written else f"touched{band.touched[element] % 2}"] if element in band.touched else []
            for style in under + what:
                self.picture.bar(style, self.x(element % self.threads) - self.pitch / 2 + 0.8, band.row_y[row], self.pitch - 1.6)

    def size(self, band):
        """How many boxes the array has; where that is not known, as many as are touched, in whole warps."""
        boxes = self.most[band.below] / band.unit
        return self.trace.accesses[0].n / band.unit if band.below == "in" else boxes if band.below == "out" else 32 * int((boxes + 31) / 32)

    def draw_texts(self, band, y):
        summary = self.summary(band)
        self.picture.text("source", 10, y + CAPTION, self.source(band.line, int((RIGHT - 18) / 6.6) - len(summary)))
        self.picture.text("summary", RIGHT, y + CAPTION, summary)
        self.picture.text("name", 10, band.y, "threads")
        name = "answer" if band.below == "out" and self.most["out"] > 1 else NAMES.get(band.below, "")
        for row, row_y in band.row_y.items():
            self.picture.text("name", 10, row_y, name + (f" {row * self.threads * band.unit}" if max(band.row_y) > 0 else ""))

    def draw_line(self, thread, element, band, row):
        """From a thread down to the element that it touches; of a shuffle from the register that is read down to the lane that reads it."""
        if not band.shuffles:
            self.picture.line(f"line{thread // 32 % 2}", (self.x(thread), band.y), (self.x(element % self.threads), band.row_y[element // self.threads]))
        elif (row - 1) % self.every == 0:
            y = band.y + (row - 1) // self.every * SHUFFLE
            self.picture.line(f"line{thread // 32 % 2}", (self.x(element), y), (self.x(thread), y + SHUFFLE))

    def source(self, place, room):
        """"v0.cu:31" -> the text of that line, after its place, cut to the letters that fit if each is 0.6 of its height wide, as in wide fonts."""
        name, _, number = place.partition(":")
        if name not in self.code:
            path = next((path for path in self.trace.sources if os.path.basename(path) == name), None)
            text, why = schema.read_text(path) if path else (None, "no source file")
            if why:
                raise Problem(f"{self.trace.name}: {why} {name}")
            self.code[name] = text.splitlines()
        lines = self.code[name]
        text = lines[int(number) - 1] if number.isdecimal() and 0 < int(number) <= len(lines) else ""
        text = f"{place}: " + re.sub(r"[ \t]*/[*/].*", "", text).strip(" \t")
        return text[:room - 1] + "…" if len(text) > room else text

    def summary(self, band):
        text = f"{several(len(band.busy), 'thread')} at work, {several(len(band.requests), band.noun)}"
        if band.shuffles:
            return text + (f", of which {self.drawn_shuffles(band)} are drawn" if self.every > 1 else "")
        text += ", " + (several(sum(band.wavefronts), "wavefront") if band.below == "shared" else several(len(band.sectors), "sector"))
        return text + (f", and again {several(len(band.looked), 'time')}" if band.looked else "")
