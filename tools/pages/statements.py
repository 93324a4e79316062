"""statements.py: does a quote of C or CUDA begin and end at whole statements?

Read without comments, strings and preprocessor lines:
- what stands before it ends in ; { } or : and the quote does not begin with else;
- every ( [ { that opens in it closes in it, and nothing else does;
- it ends in ; or } and what follows is not else, nor ; , or ) that belongs to it.
Nor may it begin or end within a comment or a preprocessor line."""
import re

UNREAD = re.compile(r"/\*.*?\*/|//[^\n]*|^[ \t]*#(?:/\*.*?\*/|\\\n|[^\n])*"
                    r'|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.S | re.M)
CLOSES = {")": "(", "]": "[", "}": "{"}


def bare(match):
    """A string is still a word of the code; comments and preprocessor lines are none."""
    word = match[0][0] in "\"'"
    return re.sub(r"[^\n]", "x" if word else " ", match[0])


def unclosed(code):
    """The bracket that opens or closes in this code and has no other, or None."""
    opened = []
    for bracket in re.findall(r"[][(){}]", code):
        if bracket not in CLOSES:
            opened.append(bracket)
        elif not opened or opened.pop() != CLOSES[bracket]:
            return bracket
    return opened[-1] if opened else None


def cut(lines, first, last):
    """What is wrong with quoting lines first to last of a source, or None."""
    text = "\n".join(lines)
    begin, end = len("\n".join(lines[:first - 1])) + (first > 1), len("\n".join(lines[:last]))
    for unread in UNREAD.finditer(text):
        if unread.start() < begin < unread.end():
            return "begins within a comment or a preprocessor line"
        if unread.start() < end < unread.end():
            return "ends within a comment or a preprocessor line"
    code = UNREAD.sub(bare, text)
    before, quoted, after = code[:begin].rstrip(), code[begin:end].strip(), code[end:].lstrip()
    if not quoted:
        return None
    if before and before[-1] not in ";{}:" or re.match(r"else\b", quoted):
        return "begins in the middle of a statement"
    bracket = unclosed(quoted)
    if bracket:
        return f"has a {bracket} without its other half"
    if quoted[-1] not in ";}" or re.match(r"else\b|[;,)]", after):
        return "ends in the middle of a statement"
    return None
