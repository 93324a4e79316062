# lines.awk: the numbers behind a picture of curves (lines.gp) over n, in one or more
# panels side by side. The script before this one on the command line calls point()
# and sets title, subtitle, x_title, y_title, panel_title[p] and:
#   logarithmic  1 for a logarithmic y axis
#   pixels_wide, pixels_high, names_wide  of one panel: the curves, and their names
#   exact_floor  1 to call the foot of a logarithmic y axis "exact": zeros lie there
#   y_limit      where a logarithmic y axis ends, although some values lie above
# Each curve is named right of the panel, and a line leads there from its end; where curves end
# earlier and such lines would cross others, a piece of each curve stands before its name instead.
# Names that would overlap are moved apart. beside[p, curve] is "left" or "right" to put the name into the panel, at
# the curve's end: there it begins, or ends.
# -v data=FILE receives the curves; standard output is gnuplot text for lines.gp.
# Exit status 77, with why_not on stderr, when there is nothing to draw.

# Colour (the number of a step, see style.gp), dash and marker of each variant, the
# same in every picture.
BEGIN {
    look["v0"] = "1 1 7"
    look["v1"] = "1 2 6"
    look["v2"] = "2 1 5"
    look["v3x8"] = "3 1 9"
    look["v5"] = "3 2 8"
    look["v6"] = "4 1 13"
    look["atomic_per_block"] = "5 1 11"
    look["block_reduce"] = "5 2 10"
    look["two_pass"] = "6 1 4"
    look["cooperative"] = "7 4 12"
    look["vector_x8"] = "8 1 9"
    look["ticket"] = "9 2 8"
    look["flagged_slots"] = "9 1 7"
    look["fixed_point"] = "9 4 6"
    look["cluster_8"] = "10 1 5"
    look["sum_f32"] = "11 1 13"
    look["cub"] = "-1 1 2"
    look["read"] = "0 2 0"
    look["copy"] = "4 1 13"
    look["thrust"] = "1 2 6"
    look["cpu_serial"] = "1 1 7"
    look["cpu_pairwise"] = "4 2 13"
    look["cpu_kahan"] = "-1 4 2"
    line_height = 16 # pixels between two names
}

# One point of a curve in panel p = 1, 2, ... A curve without a name is not named in
# the picture; looks is "colour dash marker". The first of several points at one x counts.
function point(p, curve, name, looks, x, y,    c, k)
{
    x += 0
    y += 0
    if (x <= 0 || x > 1e19 || y < -1e19 || y > 1e19)
        return # no place on these axes
    if (!((p, curve) in index_of)) {
        index_of[p, curve] = ++curves
        curve_panel[curves] = p
        key_of[curves] = p SUBSEP curve
        curves_in[p]++
        curve_name[curves] = name
        curve_look[curves] = looks
        panels = p > panels ? p : panels
    }
    c = index_of[p, curve]
    if ((c, x) in has_point)
        return
    has_point[c, x]
    for (k = ++points[c]; k > 1 && px[c, k - 1] > x + 0; k--) {
        px[c, k] = px[c, k - 1]
        py[c, k] = py[c, k - 1]
    }
    px[c, k] = x + 0
    py[c, k] = y + 0
    x_min = x_min == "" || x + 0 < x_min ? x + 0 : x_min
    x_max = x + 0 > x_max + 0 ? x + 0 : x_max
    y_max = y + 0 > y_max + 0 ? y + 0 : y_max
    if (y > 0)
        y_min = y_min == "" || y + 0 < y_min ? y + 0 : y_min
}

# A point whose y lies between low and high: a band is shaded between those of a curve.
function band_point(p, curve, name, looks, x, y, low, high)
{
    point(p, curve, name, looks, x, y)
    shaded[index_of[p, curve]] = 1
    band_low[index_of[p, curve], x + 0] = low + 0
    band_high[index_of[p, curve], x + 0] = high + 0
    y_max = high + 0 > y_max + 0 ? high + 0 : y_max
}

# Where x and y lie in a panel, each 0 to 1.
function across(x)
{
    return x_max > x_min ? log(x / x_min) / log(x_max / x_min) : 0.5
}

function up(y)
{
    if (!logarithmic)
        return y / y_high
    return y > y_low ? log(y / y_low) / log(y_high / y_low) : 0
}

END {
    if (curves == 0) {
        print why_not > "/dev/stderr"
        exit 77
    }
    choose_range()
    printf "title = %s\nsubtitle = %s\nx_title = %s\ny_title = %s\n", quoted(title), quoted(subtitle), quoted(x_title), quoted(y_title)
    printf "pixels_wide = %d\npixels_high = %d\nnames_wide = %d\n", pixels_wide, pixels_high, names_wide
    printf "set logscale x 2\nset xrange [%.10g:%.10g]\nset yrange [%.10g:%.10g]\n", 0.999 * x_min, 1.001 * x_max, y_low, y_high
    print_tics()
    printf "array bands[%d]\narray panel_title[%d]\narray first_curve[%d]\narray last_curve[%d]\n", panels, panels, panels, panels
    printf "array name[%d]\narray name_y[%d]\narray end_x[%d]\narray end_y[%d]\narray name_colour[%d]\narray name_dash[%d]\narray name_mark[%d]\narray beside[%d]\narray keyed[%d]\n", curves, curves, curves, curves, curves, curves, curves, curves, curves
    for (p = 1; p <= panels; p++) {
        if (!curves_in[p])
            continue
        shown++
        printf "bands[%d] = ''\npanel_title[%d] = %s\nfirst_curve[%d] = %d\n", shown, shown, quoted(panel_title[p]), shown, written + 1
        place_names(p)
        for (c = 1; c <= curves; c++)
            if (curve_panel[c] == p)
                print_curve(c, ++written)
        printf "last_curve[%d] = %d\n", shown, written
    }
    printf "panels = %d\n", shown
}

# Logarithmic axes end at whole decades, or at 1, 2 or 5 where there are few of them.
function choose_range()
{
    if (x_max == x_min)
        x_max = 2 * x_min # one size only: a dot at the left edge
    if (!logarithmic) {
        y_low = 0
        y_high = 1.05 * y_max
        return
    }
    if (y_limit > 0 && y_max > y_limit)
        y_max = y_limit
    fine = y_max < 1000 * y_min
    for (y_low = 1e-30; next_tic(y_low) <= y_min; y_low = next_tic(y_low))
        ;
    for (y_high = next_tic(y_low); y_high < 0.999 * y_max; y_high = next_tic(y_high))
        ;
}

function next_tic(y,    exponent, digit)
{
    exponent = int(log(y) / log(10) + 100.001) - 100
    digit = sprintf("%.0f", y / 10 ^ exponent)
    if (!fine)
        return 10 ^ (exponent + 1)
    return (digit == 1 ? 2 : digit == 2 ? 5 : 10) * 10 ^ exponent
}

# The second and later panels share the first one's axis and carry no numbers.
function print_tics(    x, stride, comma, last, y, numbers, blanks)
{
    stride = pixels_wide / (log(x_max / x_min) / log(2)) >= 24 ? 4 : 16
    for (x = 1; x < x_min; x *= 2)
        ;
    printf "set xtics ("
    for (; x <= x_max; x *= stride) {
        printf "%s\"%s\" %.0f", comma, size_name(x), x
        comma = ", "
        last = x
    }
    if (stride == 4 && x_max == 2 * last)
        printf ", \"%s\" %.0f", size_name(x_max), x_max
    printf ")\n"
    if (logarithmic) {
        for (y = y_low; y <= 1.001 * y_high; y = next_tic(y)) {
            numbers = numbers sprintf("%s'%s' %g", (numbers ? ", " : ""), tic_name(y), y)
            blanks = blanks sprintf("%s'' %g", (blanks ? ", " : ""), y)
        }
        printf "set logscale y 10\nset ytics (%s)\nblank_tics = \"set ytics (%s)\"\n", numbers, blanks
    } else
        printf "blank_tics = \"set format y ''\"\n"
}

function tic_name(y)
{
    if (exact_floor && y == y_low)
        return "exact"
    return y > 0.0099 && y < 99999 ? sprintf("%g", y) : sprintf("1e%.0f", log(y) / log(10))
}

function print_curve(c, i,    k, l)
{
    split(curve_look[c], l, " ")
    printf "set style line %d linecolor rgb colour(%d) dashtype %d linewidth %g pointtype %d pointsize 0.6\n", \
           i, l[1], l[2], (l[4] ? l[4] : 1.6), l[3]
    printf "name_colour[%d] = colour(%d)\nname_dash[%d] = %d\nname_mark[%d] = %d\n", i, l[1], i, l[2], i, l[3]
    printf "keyed[%d] = %d\nbeside[%d] = %s\n", i, keyed, i, quoted((key_of[c] in beside) ? beside[key_of[c]] : "")
    printf "name[%d] = %s\nname_y[%d] = %.4f\nend_x[%d] = %.4f\nend_y[%d] = %.4f\n", i, quoted(curve_name[c]), \
           i, name_at[c], i, across(px[c, points[c]]), i, up(py[c, points[c]])
    for (k = 1; k <= points[c]; k++) {
        printf "%.10g %.10g", px[c, k], (logarithmic && py[c, k] < y_low ? y_low : py[c, k]) > data
        printf (shaded[c] ? " %.10g %.10g\n" : "\n"), band_low[c, px[c, k]], band_high[c, px[c, k]] > data
    }
    if (shaded[c])
        printf "bands[%d] = bands[%d] . 'data index %d using 1:3:4 with filledcurves fillstyle transparent solid 0.25 noborder linecolor rgb colour(%d), '\n", shown, shown, i - 1, l[1]
    printf "\n\n" > data
}

# Names start at the height of their curve's end. Neighbours that are too close are
# put into one group, which is centred on its members' ends, but stays in the panel;
# groups that then meet are joined in turn.
function place_names(p,    c, k, m, order, groups, first, size, middle, low, j)
{
    gap = line_height / pixels_high
    keyed = 0
    for (c = 1; c <= curves; c++)
        if (curve_panel[c] == p && curve_name[c] != "" && !(key_of[c] in beside)) {
            if (across(px[c, points[c]]) < 0.99)
                keyed = 1
            for (k = ++m; k > 1 && up_end(order[k - 1]) > up_end(c); k--)
                order[k] = order[k - 1]
            order[k] = c
        }
    for (k = 1; k <= m; k++) {
        first[++groups] = k
        size[groups] = 1
        middle[groups] = up_end(order[k])
        while (groups > 1 && foot(middle[groups], size[groups]) < \
                                 foot(middle[groups - 1], size[groups - 1]) + gap * size[groups - 1]) {
            middle[groups - 1] = (middle[groups - 1] * size[groups - 1] + middle[groups] * size[groups]) / \
                                 (size[groups - 1] + size[groups])
            size[groups - 1] += size[groups]
            groups--
        }
    }
    for (j = 1; j <= groups; j++)
        for (k = 0; k < size[j]; k++)
            name_at[order[first[j] + k]] = foot(middle[j], size[j]) + gap * k
}

# Where the lowest of a group's names lies.
function foot(middle, size,    low)
{
    low = middle - gap * (size - 1) / 2
    if (low > 1 - gap * (size - 1))
        low = 1 - gap * (size - 1)
    return low > 0 ? low : 0
}

function up_end(c)
{
    return up(py[c, points[c]])
}
