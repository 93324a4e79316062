"""dark.py: a picture for the book's dark pages, from the same file that stands on white. Greys keep their contrast with the ground;
colours keep their hue, and are made lighter where they would not be seen. What has class='ink' stays: dark letters on a pale box."""
import colorsys
import re

WHITE, GROUND = "#ffffff", "#0b0c0f"
SEEN, READ = 3, 4.5  # the least contrast of a shape in colour, and of letters
MOST = 14  # of greys: white on black is too much for the eye
TURNED = {"black": "white", "Black": "White", "黑色": "白色"}  # words of a picture: what is black on white is white on black
WORDS = re.compile(r"\b[Bb]lack\b|黑色")
COLOUR = re.compile(r"#[0-9a-f]{6}\b")


def parts(colour):
    """Red, green, blue from 0 to 1."""
    return [int(colour[k:k + 2], 16) / 255 for k in (1, 3, 5)]


def written(red, green, blue):
    return "#" + "".join(f"{round(255 * min(1, max(0, part))):02x}" for part in (red, green, blue))


def linear(colour):
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts(colour)]


def light(colour):
    """Relative luminance, of WCAG."""
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear(colour)))


def hue(colour):
    """In degrees."""
    return 360 * colorsys.rgb_to_hls(*parts(colour))[0]


def contrast(a, b):
    low, high = sorted((light(a), light(b)))
    return (high + 0.05) / (low + 0.05)


def is_grey(colour):
    return max(parts(colour)) - min(parts(colour)) < 0.02


def dark(colour, least):
    """The same on the dark ground, with at least this contrast if it is no grey."""
    if colour == WHITE:
        return GROUND
    if is_grey(colour):
        wanted = min(contrast(colour, WHITE), MOST) * (light(GROUND) + 0.05) - 0.05
        return written(*[12.92 * wanted if wanted <= 0.0031308 else 1.055 * wanted ** (1 / 2.4) - 0.055] * 3)
    hue, lightness, saturation = colorsys.rgb_to_hls(*parts(colour))
    while contrast(colour, GROUND) < least:
        lightness += 0.005
        colour = written(*colorsys.hls_to_rgb(hue, lightness, saturation))
    return colour


def darkened(svg):
    """The same picture on the dark ground. What names no colour is black: letters."""
    def of_tag(tag):
        least = READ if "font-size=" in tag[0] or tag[0].startswith("<text") else SEEN
        return tag[0] if re.search(r"class=['\"]ink['\"]", tag[0]) else COLOUR.sub(lambda colour: dark(colour[0], least), tag[0])
    svg = re.sub(r"(?<=>)[^<]+(?=</text>)", lambda words: WORDS.sub(lambda word: TURNED[word[0]], words[0]), svg)
    return re.sub(r"<\w[^>]*>", of_tag, svg).replace("<svg ", f"<svg fill='{dark('#000000', READ)}' ", 1)
