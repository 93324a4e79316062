"""lighter.py: the same picture in half the bytes. gnuplot writes markers that no curve has, groups of nothing, and the
whole style of each line again."""
import html
import re
import xml.etree.ElementTree as xml

PLACE = ("d", "points", "x", "y", "width", "height", "href", "transform")
INITIAL = {"fill": "black", "stroke": "none", "stroke-width": "1", "stroke-linecap": "butt", "stroke-linejoin": "miter", "text-anchor": "start",
           "font-family": "sans-serif"}  # the last is written once, for all


def short(value, digits):
    value = re.sub(r"rgb\(([\d, ]+)\)", lambda match: "#" + "".join(f"{int(part):02x}" for part in match[1].split(",")), " ".join(value.split()))
    return re.sub(r"\d+\.\d+", lambda match: f"{round(float(match[0]), digits):g}", value)


def opened(tag, attributes):
    return f"<{tag}" + "".join(f' {name}="{value}"' for name, value in attributes.items())


def shapes(element, style, place):
    """(style, tag, place, text) of all that is seen, from the lowest."""
    style = {**style, **{name: short(value, 2) for name, value in element.items() if name not in (*PLACE, "id", "class", "viewBox")}}
    place = {**place, **{name: short(value, 1) for name, value in element.items() if name in PLACE}}  # a tenth of a pixel
    if element.tag == "g":
        for child in element:
            yield from shapes(child, style, place)
    elif element.tag not in ("defs", "title", "desc") and (element.tag != "text" or element.text):
        if element.tag == "text" and re.fullmatch(r"translate\([^)]*\)", place.get("transform", "")):
            place = dict(zip("xy", place["transform"][10:-1].split(",")))
        if element.tag != "use":  # a marker takes its colour from there
            colour = style.pop("color", "black")
            style = {name: colour if value == "currentColor" else value for name, value in style.items()}
        yield {name: value for name, value in style.items() if value != INITIAL.get(name)}, element.tag, place, element.text


def lighter(svg):
    root = xml.fromstring(re.sub(r' xmlns="[^"]*"|xlink:', "", svg))
    drawn = [shape for child in root for shape in shapes(child, {}, {})]
    markers, used = {marker.get("id"): marker for marker in root.iterfind(".//defs/*")}, {place.get("href") for _, _, place, _ in drawn}
    for name, marker in reversed(markers.items()):  # one may be made of an earlier one
        if f"#{name}" in used:
            used.add(marker.get("href"))
    lines = [opened("svg", {"xmlns": "http://www.w3.org/2000/svg", **root.attrib, "font-family": "sans-serif"}) + ">", "<defs>",
             *(opened(marker.tag, marker.attrib) + "/>" for name, marker in markers.items() if f"#{name}" in used), "</defs>"]
    groups, at = [], 0
    for style, *shape in drawn:  # of an axis the lines, tics and numbers come by turns: three groups, and so painted in that order
        places = [at, at + 1] if at + 1 < len(groups) else [at, at - 2]
        at = next((k for k in places if 0 <= k < len(groups) and groups[k][0] == style), len(groups))
        if at == len(groups):
            groups.append((style, []))
        groups[at][1].append(shape)
    for style, group in groups:
        lines.append(opened("g", style) + ">")
        lines += [opened(tag, place) + (f">{html.escape(text, quote=False)}</text>" if tag == "text" else "/>") for tag, place, text in group]
        lines.append("</g>")
    return "\n".join([*lines, "</svg>", ""])
