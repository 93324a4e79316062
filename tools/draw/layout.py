"""layout.py: bars and curves, laid out for gnuplot: a picture is the text that plots/bars.gp or plots/lines.gp loads first,
and the numbers that it plots."""
import itertools
import math
import re
from typing import NamedTuple

from page_markdown import size_name

LINE_HEIGHT = 16  # pixels between two names


class Skipped(Exception):
    """Why there is nothing to draw."""


def quoted(text):
    """A text for gnuplot, which obeys nothing between single quotes. The only way there."""
    return "'" + re.sub(r"[\x00-\x1f\x7f]", "?", str(text)).replace("'", "''") + "'"


def arrays(**lists):
    """As gnuplot reads them; texts are quoted already."""
    return [f"array {name}[{len(values)}] = [{', '.join(map(str, values))}]" for name, values in lists.items()]


class Bars:
    """Bars in panels side by side: one row per variant in the order of the ladder."""
    script = "bars.gp"

    def __init__(self, why_not, reference=None, names={}):
        self.why_not, self.reference, self.names = why_not, reference, names  # reference: the variant with a dashed line in each panel
        self.title = self.subtitle = ""
        self.steps, self.panels = {}, []  # of each variant; of each panel [title, largest value, {variant: (value, label)}]

    def panel(self, title):
        self.panels.append([title, 0, {}])

    def bar(self, step, variant, value, label, panel=-1):
        """With a label at its end; in the last panel, or another. The first of several of one variant counts."""
        self.steps.setdefault(variant, step[:2])
        if variant not in self.panels[panel][2]:
            self.panels[panel][1] = max(self.panels[panel][1], value)
            self.panels[panel][2][variant] = value, label

    def lay_out(self):
        if not self.steps:
            raise Skipped(self.why_not)
        steps, (titles, largest, bars) = list(self.steps.values()), zip(*self.panels)
        params = [f"title = {quoted(self.title)}", f"subtitle = {quoted(self.subtitle)}", f"rows = {len(steps)}", f"panels = {len(bars)}", *arrays(
            panel_title=[*map(quoted, titles)], panel_max=[f"{most or 1:g}" for most in largest],
            line_at=[f"{of.get(self.reference, (0,))[0]:g}" for of in bars], row_name=[quoted(self.names.get(variant, variant)) for variant in self.steps],
            row_step=[quoted("" if step == before else step) for step, before in zip(steps, [None, *steps])])]
        return params, [line for of in bars for line in (*(f'{of[variant][0]:g} {r} "{of[variant][1]}" {int(step) if step.isdecimal() else 0}'
                                                           for r, (variant, step) in enumerate(self.steps.items(), 1) if variant in of), "", "")]


class Look(NamedTuple):
    """Colour (the number of a step, see plots/style.gp), dash, marker and width of a curve."""
    colour: int
    dash: int
    marker: int
    width: float = 1.6


class Curve:
    def __init__(self, name, look, beside):
        self.name, self.look, self.beside = name, Look(*look), beside
        self.points, self.bands, self.name_at = {}, {}, 0  # y, and (low, high), by x; where the name stands, 0 to 1

    def end(self):
        return max(self.points)


class Lines:
    """Curves over n, in one or more panels side by side. Each is named right of the panel, and a line leads there from its end; where curves
    end earlier and such lines would cross others, a piece of each curve stands before its name instead. Names that would overlap are moved apart."""
    script = "lines.gp"

    def __init__(self, why_not, wide, high, names_wide, y_title, x_title="elements", panel_titles=("",), logarithmic=False, exact_floor=False, y_limit=0):
        """Pixels of one panel: wide and high the curves, names_wide their names. exact_floor: the foot of a logarithmic y
        axis is called "exact", for zeros lie there; y_limit: where that axis ends, although some values lie above."""
        self.why_not, self.wide, self.high, self.names_wide = why_not, wide, high, names_wide
        self.x_title, self.y_title, self.panel_titles = x_title, y_title, panel_titles
        self.logarithmic, self.exact_floor, self.y_limit = logarithmic, exact_floor, y_limit
        self.title = self.subtitle = ""
        self.panels = [{} for _ in panel_titles]  # curves by their keys
        self.x_min = self.x_max = self.y_min = self.y_max = 0  # above 0, once there is a point

    def point(self, curve, name, look, x, y, panel=0, band=None, beside=""):
        """One point of a curve; the first of several at one x counts. A curve without a name is not named in the picture.
        band: (low, high) around y, shaded. beside: "left" or "right": the name stands in the panel, at the curve's end."""
        if y is None or not (0 < x <= 1e19 and -1e19 <= y <= 1e19):
            return  # no place on these axes
        curve = self.panels[panel].setdefault(curve, Curve(name, look, beside))
        if x in curve.points:
            return
        curve.points[x] = y
        if band:
            curve.bands[x] = band
        self.x_min, self.x_max = min(self.x_min or x, x), max(self.x_max, x)
        self.y_max = max(self.y_max, y, *(band or ()))
        if y > 0:
            self.y_min = min(self.y_min or y, y)

    def level(self, curve, name, look, y):
        """A horizontal line."""
        for x in (self.x_min, self.x_max):
            self.point(curve, name, look, x, y)

    def across(self, x):
        """Where x lies in a panel, 0 to 1."""
        return math.log(x / self.x_min) / math.log(self.x_max / self.x_min)

    def up(self, y):
        if not self.logarithmic:
            return y / self.y_high if self.y_high else 0
        return math.log(y / self.y_low) / math.log(self.y_high / self.y_low) if y > self.y_low else 0

    def up_end(self, curve):
        return self.up(curve.points[curve.end()])

    def choose_range(self):
        """Logarithmic axes end at whole decades, or at 1, 2 or 5 where there are few of them."""
        if self.x_max == self.x_min:
            self.x_max = 2 * self.x_min  # one size only: a dot at the left edge
        self.y_low, self.y_high = 0, 1.05 * self.y_max
        if self.logarithmic:
            top = min(self.y_max, self.y_limit or self.y_max)
            tics = [float(f"{digit}e{decade}") for decade in range(-30, 20) for digit in ((1, 2, 5) if top < 1000 * self.y_min else (1,))]
            first = max(0, sum(tic <= self.y_min for tic in tics) - 1)
            self.y_tics = tics[first:1 + max(first + 1, next(k for k, tic in enumerate(tics) if tic >= 0.999 * top))]
            self.y_low, self.y_high = self.y_tics[0], self.y_tics[-1]

    def tic_name(self, y):
        if self.exact_floor and y == self.y_low:
            return "exact"
        return f"{y:g}" if 0.0099 < y < 99999 else f"1e{math.log10(y):.0f}"

    def tics(self):
        """The second and later panels share the first one's axis and carry no numbers."""
        doublings = 2 if self.wide / math.log2(self.x_max / self.x_min) >= 24 else 4
        first = 1 << max(0, math.ceil(math.log2(self.x_min)))
        places = [first << k for k in range(0, 64, doublings) if first << k <= self.x_max]
        if doublings == 2 and places and self.x_max == 2 * places[-1]:
            places.append(self.x_max)
        yield "set xtics ({})".format(", ".join(f'"{size_name(x)}" {x:.0f}' for x in places))
        if not self.logarithmic:
            yield "blank_tics = \"set format y ''\""
            return
        yield "set logscale y 10"
        yield "set ytics ({})".format(", ".join(f"'{self.tic_name(y)}' {y:g}" for y in self.y_tics))
        yield 'blank_tics = "set ytics ({})"'.format(", ".join(f"'' {y:g}" for y in self.y_tics))

    def lay_out(self):
        shown = [(title, list(curves.values())) for title, curves in zip(self.panel_titles, self.panels) if curves]
        if not shown:
            raise Skipped(self.why_not)
        self.choose_range()
        keyed = [self.place_names(of_panel) for _, of_panel in shown]
        curves = [curve for _, of_panel in shown for curve in of_panel]
        last = list(itertools.accumulate(len(of_panel) for _, of_panel in shown))
        looks = [curve.look for curve in curves]
        params = [*(f"{name} = {quoted(getattr(self, name))}" for name in ("title", "subtitle", "x_title", "y_title")), f"panels = {len(shown)}",
                  f"pixels_wide = {self.wide}", f"pixels_high = {self.high}", f"names_wide = {self.names_wide}", "set logscale x 2",
                  f"set xrange [{0.999 * self.x_min:.10g}:{1.001 * self.x_max:.10g}]", f"set yrange [{self.y_low:.10g}:{self.y_high:.10g}]", *self.tics(),
                  *arrays(panel_title=[quoted(title) for title, _ in shown], first_curve=[1 + before for before in [0, *last[:-1]]], last_curve=last,
                          bands=[quoted("".join(self.band(curve, curves.index(curve)) for curve in of_panel if curve.bands)) for _, of_panel in shown],
                          keyed=[int(keyed[p]) for p, (_, of_panel) in enumerate(shown) for _ in of_panel],
                          name=[quoted(curve.name) for curve in curves], beside=[quoted(curve.beside) for curve in curves],
                          name_y=[f"{curve.name_at:.4f}" for curve in curves], end_x=[f"{self.across(curve.end()):.4f}" for curve in curves],
                          end_y=[f"{self.up_end(curve):.4f}" for curve in curves], name_colour=[f"colour({look.colour})" for look in looks],
                          name_dash=[look.dash for look in looks], name_mark=[look.marker for look in looks]),
                  *(f"set style line {i} linecolor rgb colour({look.colour}) dashtype {look.dash} linewidth {look.width:g} pointsize 0.6 "
                    f"pointtype {look.marker}" for i, look in enumerate(looks, 1))]
        data = [line for curve in curves for line in (*(f"{x:.10g} {max(y, self.y_low) if self.logarithmic else y:.10g}" + "".join(
            f" {edge:.10g}" for edge in curve.bands.get(x, ())) for x, y in sorted(curve.points.items())), "", "")]
        return params, data

    @staticmethod
    def band(curve, index):
        return f"data index {index} using 1:3:4 with filledcurves fillstyle transparent solid 0.25 noborder linecolor rgb colour({curve.look.colour}), "

    def place_names(self, curves):
        """Names start at the height of their curve's end. Neighbours that are too close are put into one group, which is
        centred on its members' ends, but stays in the panel; groups that then meet are joined in turn. Returns whether a
        piece of each curve stands before its name."""
        gap, groups = LINE_HEIGHT / self.high, []  # of each group its curves, and the middle of their ends

        def foot(named, middle):
            return max(0, min(middle - gap * (len(named) - 1) / 2, 1 - gap * (len(named) - 1)))

        named = sorted((curve for curve in reversed(curves) if curve.name and not curve.beside), key=lambda curve: round(100 * self.up_end(curve)))  # those that end as good as together keep their order
        for curve in named:
            groups.append(([curve], self.up_end(curve)))
            while len(groups) > 1 and foot(*groups[-1]) < foot(*groups[-2]) + gap * len(groups[-2][0]):
                (lower, low), (upper, high) = groups[-2:]
                groups[-2:] = [(lower + upper, (low * len(lower) + high * len(upper)) / (len(lower) + len(upper)))]
        for members, middle in groups:
            for k, curve in enumerate(members):
                curve.name_at = foot(members, middle) + gap * k
        return any(self.across(curve.end()) < 0.99 for curve in named)
