#!/usr/bin/env python3
"""The table of tests/README.md, which says which test is in which tier, and how many seconds of processor time it takes.
For tests/run:

    tests/tiers.py list TIER                                  the tests of test, or of test-all, the longest first
    tests/tiers.py sum TIER TIMES BUILT SECONDS [--record]    the closing line of a run; --record writes the table

TIMES is a folder with a file of each test's seconds, BUILT what the shell's `times` said after the build. Row `unit` is
all programs of tests/unit."""
import glob
import math
import os
import re
import sys

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "README.md")
TIERS = ("test", "test-all")
NONE = "–"
ROW = re.compile(r"^\| \[`([\w/]+)(?:\.t)?`\]\((\S+)\) \| (.+) \| (\d+|–) \| (\d+) \|$", re.M)


def rows(text):
    """{name: {"guards": text, "test": seconds or None, "test-all": seconds}}"""
    return {name: {"guards": guards, "test": None if part == NONE else int(part), "test-all": int(whole)}
            for name, _, guards, part, whole in ROW.findall(text)}


def files_of(name):
    return sorted(glob.glob("build/sim/tests/unit/*.t")) if name == "unit" else [f"tests/{name}.t"]


def listed(text, tier):
    """The files of a tier, the longest first. A test that has no row yet is in both."""
    table = rows(text)
    names = sorted((name for name in table if table[name][tier] is not None), key=lambda name: -table[name][tier])
    new = sorted(path for path in glob.glob("tests/*.t") if os.path.basename(path)[:-2] not in table)
    return new + [path for name in names for path in files_of(name) if os.path.exists(path)]


def taken(folder):
    """{row: seconds} of a run."""
    seconds = {}
    for path in glob.glob(folder + "/*.t"):
        name = os.path.basename(path)[:-2]
        name = name if os.path.exists(f"tests/{name}.t") else "unit"
        with open(path) as file:
            seconds[name] = seconds.get(name, 0) + float(file.read().split()[0])
    return seconds


def of_shell(text):
    """Seconds of processor time in what the shell's `times` says: 0m1.234s, for itself and for its children."""
    return sum(60 * int(minutes) + float(seconds) for minutes, seconds in re.findall(r"(\d+)m([\d.]+)s", text))


def closing_line(tier, seconds, built, wall):
    longest = sorted(seconds, key=lambda name: -seconds[name])[:4]
    return (f"make {tier}: {wall} s; of processor time {built + sum(seconds.values()):.0f} s: {built:.0f} to build, "
            f"{sum(seconds.values()):.0f} in {len(seconds)} tests (" + ", ".join(f"{name} {seconds[name]:.0f}" for name in longest) + ")")


def recorded(text, tier, seconds):
    """The page with these seconds in the tier's column; what did not run keeps its own."""
    def row(found):
        name, link, guards, part, whole = found.groups()
        if name in seconds:
            now = str(math.ceil(seconds[name]))
            part, whole = (now, whole) if tier == "test" else (part, now)
        shown = name if name == "unit" else name + ".t"
        return f"| [`{shown}`]({link}) | {guards} | {part} | {whole} |"
    return ROW.sub(row, text)


def main(arguments):
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    if arguments[0] == "list":
        print("\n".join(listed(page, arguments[1])))
        return
    tier, folder, built, wall = arguments[1:5]
    with open(built) as file:
        built = of_shell(file.read())
    seconds = taken(folder)
    if arguments[5:] == ["--record"]:
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(recorded(page, tier, seconds))
    print(closing_line(tier, seconds, built, wall))


if __name__ == "__main__":
    main(sys.argv[1:])
