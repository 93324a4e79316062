"""svg.py: writes SVG, for the scripts here that work out each pixel themselves. All that has one style is one element of
the file, and so the file is small."""

WIDTH = 800
SMALL, GREY = "font-size='10'", "fill='#505050'"
TITLES = {"title": "font-size='15' text-anchor='middle'", "subtitle": f"font-size='12' text-anchor='middle' {GREY}"}


def px(x):
    """To a tenth of a pixel."""
    return f"{x:.1f}".removesuffix(".0")


def dots(colour, diameter):
    """The attributes of dots: of lines of no length, whose round ends are what one sees."""
    return f"stroke='{colour}' stroke-width='{diameter:g}' stroke-linecap='round'"


def bars(colour, high):
    """The attributes of bars: of lines as wide as a box is high, which are less to write."""
    return f"stroke='{colour}' stroke-width='{high:g}'"


def several(count, what):
    return f"{count} {what}{'' if count == 1 else 's'}"


class Picture:
    """Boxes, bars, lines, dots and texts, each of a style; styles are painted in the order of their names in the dict."""

    def __init__(self, styles):
        self.styles, self.paths, self.texts, self.room = styles, {}, {}, {}

    def path(self, style, piece):
        """Lines of about a hundred characters."""
        if self.room.get(style, 0) < len(piece):
            self.paths[style] = self.paths.get(style, "") + "\n"
            self.room[style] = 100
        self.paths[style] += piece
        self.room[style] -= len(piece)

    def box(self, style, x, y, wide, high):
        self.path(style, f"M{px(x)},{px(y)}h{px(wide)}v{px(high)}h{px(-wide)}z")

    def bar(self, style, x, y, wide):
        """y is its middle."""
        self.path(style, f"M{px(x)},{px(y)}h{px(wide)}")

    def line(self, style, x1, y1, x2, y2):
        self.path(style, f"M{px(x1)},{px(y1)}L{px(x2)},{px(y2)}")

    def dot(self, style, x, y):
        self.path(style, f"M{px(x)},{px(y)}h0")

    def text(self, style, x, y, words):
        """The middle of its letters is at y, as of a box or a dot beside it."""
        words = str(words).replace("&", "&amp;").replace("<", "&lt;")
        if words:
            self.texts[style] = self.texts.get(style, "") + f"\n<text x='{px(x)}' y='{px(y + 4)}'>{words}</text>"

    def svg(self, height, title, subtitle):
        self.text("title", WIDTH / 2, 18, title)
        self.text("subtitle", WIDTH / 2, 37, subtitle)
        height = int(height)
        lines = [f"<svg xmlns='http://www.w3.org/2000/svg' width='{WIDTH}' height='{height}' viewBox='0 0 {WIDTH} {height}' font-family='sans-serif'>",
                 "<rect width='100%' height='100%' fill='#ffffff'/>"]  # pages may be dark
        for style, attributes in self.styles.items():
            if style in self.texts:
                lines.append(f"<g {attributes}>{self.texts[style]}\n</g>")
            elif style in self.paths:
                lines.append(f"<path {attributes} d='{self.paths[style]}'/>")
        return "\n".join([*lines, "</svg>", ""])
