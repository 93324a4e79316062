"""memory.py: the levels of memory from the nearest to the farthest: a box for each, and between two of them a pipe, as wide
as what flows through it.

How large each is comes from machine.json, and, where experiments/levels.csv of the folder tells, how many cycles away it is
and how much all SMs together can read from it.
"""
from figures import short
from layout import Skipped
from svg import INK, TITLES, Picture

BOX, PIPE, LONGER, TOP = 46, 42, 14, 92  # the pipe between L2 and the SMs is longer: it leaves the box of the SM
WIDTHS = (300, 470, 590, 720)
TOPS = [TOP + k * (BOX + PIPE) + LONGER * (k > 1) for k in range(4)]
STYLES = {"shadow": "fill='#c4c4c4'", "SM": "fill='#f2f2f2'", "pipe": "fill='#0072b2'", "level": "fill='#c5e0f2'",
          "name": f"font-size='14' text-anchor='middle' fill='#000000' {INK}", "size": f"font-size='12' text-anchor='middle' fill='#404040' {INK}",
          "rate": "font-size='12' fill='#00517f'", "which": "font-size='12' fill='#404040'", **TITLES}


def size_text(count):
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if count < 1024 or unit == "GiB":
            return f"{count:.1f} {unit}" if count < 10 else f"{count:.0f} {unit}"
        count /= 1024


def levels(folder):
    """(name, how large and of what, cycles, GB/s) of each."""
    measured = {row["level"]: row for row in folder.table("experiments/levels.csv", "steps/experiments/levels.cu", ["level"], ["bytes", "cycles", "gbps"])}

    def told(level, column):
        return measured.get(level, {}).get(column, 0)

    for name, level, size, of, rate in (
            ("registers", "", told("registers", "bytes"), "in each SM", 0),
            # one memory: the faster of the two ways to read it
            ("shared memory and L1 cache", "shared", told("shared", "bytes"), "of shared memory in each SM", max(told("l1", "gbps"), told("shared", "gbps"))),
            ("L2 cache", "l2", folder.number("l2_bytes"), "for all SMs", told("l2", "gbps")),
            # step 00's roof, as everywhere
            ("device memory", "memory", folder.number("memory_bytes"), "for all SMs", folder.number("read_gbps") or told("memory", "gbps"))):
        yield name, f"{size_text(size)} {of}" if size else of.removeprefix("of shared memory "), told(level, "cycles"), rate


def draw(folder):
    sms = folder.number("sm_count")
    if folder.machine.get("backend") != "cuda" or not sms or not folder.number("l2_bytes"):
        raise Skipped("machine.json names no GPU's SMs and L2 cache")
    picture, unknown = Picture(STYLES), False
    top, high = TOPS[0] - 30, TOPS[1] + BOX + 10 - TOPS[0] + 30
    picture.box("shadow", 136, top + 6, 540, high)  # one SM of many
    picture.box("SM", 130, top, 540, high)
    picture.text("which", 138, top + 13, f"one of {sms:.0f} SMs")
    for k, (name, size, cycles, gbps) in enumerate(levels(folder)):
        picture.box("level", 400 - WIDTHS[k] / 2, TOPS[k], WIDTHS[k], BOX)
        picture.text("name", 400, TOPS[k] + 16, name)
        picture.text("size", 400, TOPS[k] + 34, size + (f", {cycles:.0f} cycles away" if cycles > 0 else ""))
        if k > 0:
            unknown |= not gbps > 0
            draw_pipe(picture, PIPE + LONGER * (k == 2), TOPS[k], gbps / 1000)
    speeds = [gbps / 1000 for _, _, _, gbps in levels(folder)][1:]
    title = "The nearer a memory, the faster" + (": {:.3g}, {:.3g} and {:.3g} TB/s".format(*speeds) if all(speed > 0 for speed in speeds) else "")
    return picture.svg(TOPS[3] + BOX + 14, title,
                       f"{folder.gpu}. A pipe is as wide as what all SMs together can read through it" + ("; thin: not measured" if unknown else ""))


def draw_pipe(picture, long, bottom, tbps):
    """2 pixels for a TB/s, and never too thin to be seen."""
    half = tbps if tbps > 0 else 0.75
    picture.box("pipe", 400 - half, bottom - long, 2 * half, long)
    if tbps > 0:
        picture.text("rate", 410 + half, bottom - long / 2, f"{short(tbps)} TB/s")
