"""The diff is the lesson: each rung of docs/ladder.md is small enough for one idea outside the header comments. (make notes writes
the rows.)"""
import difflib
import re

import pytest
from common import read

MOST, MOST_WITH_LAUNCH = 25, 30
TABLES = re.findall(r"^\|.*\n(?:^\|.*\n)+", re.search(r"^## The diffs\n(.*?)(?:^## |\Z)", read("docs/ladder.md"), re.M | re.S)[1], re.M)
RUNGS = re.findall(r"^\| `diff (\S+\.cu) (\S+\.cu)` \| [^|]+ \| \d+( \(launch\))? \|$", TABLES[0], re.M)
HEADER = re.compile(r"\A\s*/\*(.*?)\*/\n?", re.S)


def changed(*texts):
    """Lines that only one of two has, the first comment of each left out."""
    return sum(line[0] in "+-" for line in difflib.ndiff(*(HEADER.sub("", text).splitlines() for text in texts)))


def test_the_rungs():
    assert len(TABLES) == 2  # the rungs; the contrasts and protocols
    reached = {RUNGS[0][0]}
    for before, after, _ in RUNGS:
        assert before in reached, f"{before} was not reached before"
        reached.add(after)
    assert len(reached) >= 19


@pytest.mark.parametrize("before, after, launch", RUNGS)
def test_one_idea(before, after, launch):
    assert changed(read(before), read(after)) <= (MOST_WITH_LAUNCH if launch else MOST), f"diff {before} {after}"


def test_what_counts():
    """A line in the header is none, a line of the kernel is one, or two if it changed."""
    text = read("steps/01_interleaved/v0.cu")
    assert changed(text, text) == 0
    assert changed(text, re.sub("^ \\* v0", " *\n * v0", text.replace("New:", "Old:", 1), flags=re.M)) == 0
    assert changed(text, text + "int one_more;\n") == 1
    assert changed(text, text.replace("__syncthreads();", "__syncwarp();", 1)) == 2
