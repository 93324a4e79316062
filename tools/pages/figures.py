"""figures.py: numbers as the pages write them, and sizes as they name them."""
import re

from page_markdown import Problem

UNMEASURED = "–"
BYTE_UNITS = ("KiB", "MiB", "GiB")


class Figure(float):
    """A number that a page writes in its own way: Figure(24320, "24,320")."""

    def __new__(cls, value, text):
        made = super().__new__(cls, value)
        made.text = text
        return made


def short(x):
    """Three significant digits, and all digits before the point: 0.123, 12.3, 1234."""
    if x is None:
        return UNMEASURED
    if isinstance(x, Figure):
        return x.text
    if x == 0:
        return "0"
    return f"{x:.0f}" if x >= 99.95 else f"{x:.1f}" if x >= 9.995 else f"{x:.2f}" if x >= 0.9995 else f"{x:.3g}"


def percent(x):
    return UNMEASURED if x is None else f"{x:.1f}"


def times(x):
    return UNMEASURED if x is None else short(x) + "×"


def whole(x):
    """A count, of which the CSV has nine digits."""
    return UNMEASURED if x is None else f"{x:.0f}" if x < 1e6 else f"{x:.2g}".replace("e+0", "e")


def count_text(text):
    """24320 -> 24,320; 65.44 as it is."""
    return f"{int(text):,}" if re.fullmatch(r"\d+", text) else short(float(text)) if text else UNMEASURED


def bytes_text(count):
    """233472 -> 228 KiB"""
    if not count:
        return UNMEASURED
    for unit in BYTE_UNITS:
        count /= 1024
        if count < 1024 or unit == BYTE_UNITS[-1]:
            return f"{count:.3g} {unit}"


def elements(text):
    """16M -> 16777216"""
    match = re.fullmatch(r"(\d+)([KMG]?)", text)
    if not match:
        raise Problem(f'"{text}" is not a size; write 1000, 64K, 16M or 1G')
    return int(match[1]) << {"": 0, "K": 10, "M": 20, "G": 30}[match[2]]


def size_name(n):
    for shift, letter in ((30, "G"), (20, "M"), (10, "K")):
        if n > 0 and n % (1 << shift) == 0:
            return f"{int(n) >> shift}{letter}"
    return str(int(n))


def ratio(a, b):
    return a / b if a is not None and b else None


def combined(names, number):
    """A/B and A-B: the ratio and the difference of two numbers; None where one was not measured."""
    for sign in "/-":
        if sign in names:
            first, second = (number(name) for name in names.split(sign, 1))
            return None if first is None or second is None else ratio(first, second) if sign == "/" else first - second
    return number(names)
