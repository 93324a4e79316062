"""result.py: a line of a verdict, and what a program of the command line says."""
import re
import sys

SOLVED, OPEN, USAGE, UNKNOWN = range(4)  # exit status


class Stop(Exception):
    def __init__(self, status, text):
        super().__init__(text)
        self.status, self.text = status, text


class Named:
    """What a line of a verdict is about, and the points that it has."""

    def __init__(self, name, points=1):
        self.name, self.points = name, points


def printable(text):
    """Without what a terminal would obey."""
    text = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", text.replace("\r\n", "\n"))
    return "".join(c if c.isprintable() or c in "\n\t" else "?" for c in text)


class Result:
    """A line of a verdict. met: None where it was not judged."""

    def __init__(self, criterion, met, text):
        self.criterion, self.met, self.text = criterion, met, printable(text)
        self.points = criterion.points if met else 0

    def as_table(self):
        return {"name": self.criterion.name, "met": self.met, "points": self.points, "of": self.criterion.points, "says": self.text}


def line(name, met, text, points=0):
    return Result(Named(name, points), met, text)


def wrong(name, text):
    return line(name, False, text)


def mark(met, colours):
    """The word with which the line begins."""
    word, colour = {True: ("ok", "32"), False: ("WRONG", "1;31"), None: ("-", "33")}[met]
    return f"  \x1b[{colour}m{word:6}\x1b[0m" if colours else f"  {word:6}"


def lines_printed(printed, most):
    """What a program has printed, as far as it is text."""
    return ["  | " + printable(one) for one in printed.decode("utf-8", "replace").splitlines()[:most]]


def complain(text):
    print(f"practice: {printable(text)}", file=sys.stderr)
