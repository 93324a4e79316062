# trees.awk: the trees of additions in a few traces, one panel each, named by title=... before each
# trace. Each row of dots is the values after a round, and each line leads from a value that was read
# to the one that was written: from element to element, or from lane to lane of a shuffle.
# Blue is what the sum is made of; grey is added up, too, but nobody uses it. All in pixels, written
# by svg.awk; traces are read by read_trace.awk.

BEGIN {
    panel_width = 384; margin = 16; top = 56; header = 44; row_height = 30; footer = 44
    style("unused line", "fill='none' stroke='#c4c4c4' stroke-width='0.8'")
    style("unused dot", dots("#b0b0b0", 3))
    style("used line", "fill='none' stroke='#0072b2' stroke-width='1.1'")
    style("used dot", dots("#202020", 4.2))
    style("name", "font-size='13'")
    style("summary", "font-size='11' fill='#505050'")
    where["in"]; where["scratch"]; where["shared"]
}

{
    p = traces
    values[p] = $2 + 0 # n: a value for each element to begin with
}

$8 == "load" && ($9 in where) {
    key = p SUBSEP $7
    loaded[key, ++loads[key]] = $10 + 0
}

$8 == "store" && ($9 in where) {
    key = p SUBSEP $7
    for (i = 1; i <= loads[key]; i++)
        keep_line(loaded[key, i], $10 + 0)
    additions[p] += loads[key] - 1
    loads[key] = 0
}

$8 == "shuffle" {
    keep_line($10 + 0, $7 + 0)
    if ($10 != $7)
        keep_line($7 + 0, $7 + 0)
    additions[p]++
}

END {
    for (p = 1; p <= traces; p++) {
        if (rounds[p] == 0)
            fail(file[p] ": no additions")
        find_used(p)
        if (rounds[p] > most_rounds)
            most_rounds = rounds[p]
    }
    panel_height = header + most_rounds * row_height + footer
    for (p = 1; p <= traces; p++) {
        draw_lines(p)
        draw_dots(p)
        add_text("name", panel_x(p), panel_y(p) + 14, title_of[p])
        add_text("summary", panel_x(p), panel_y(p) + header + rounds[p] * row_height + 20, summary(p))
    }
    print_svg(top + int((traces + 1) / 2) * panel_height - 6, "Four trees over 32 numbers", \
              "A row of dots: the values after a round. Blue: what the sum is made of. Grey: added too, and never used.")
}

# A round ends where the trace says that all waited for each other.
function keep_line(from, to)
{
    if (rounds[p] == 0 || $5 != epoch[p]) {
        rounds[p]++
        epoch[p] = $5
    }
    line[p, rounds[p], ++lines[p, rounds[p]]] = from SUBSEP to
    written[p, rounds[p], to] = 1
}

# Backwards from value 0, which is the sum: what it was made of, and what that was made of.
function find_used(p,    r, i, ends)
{
    needed[p, rounds[p], 0] = 1
    for (r = rounds[p]; r >= 1; r--) {
        for (i = 0; i < values[p]; i++) # a value that nobody writes stays
            if (((p, r, i) in needed) && !((p, r, i) in written))
                needed[p, r - 1, i] = 1
        for (i = 1; i <= lines[p, r]; i++) {
            split(line[p, r, i], ends, SUBSEP)
            if ((p, r, ends[2]) in needed) {
                needed[p, r - 1, ends[1]] = 1
                useful[p] += ends[1] != ends[2]
            }
        }
    }
}

function panel_x(p)
{
    return 8 + ((p - 1) % 2) * (panel_width + 16)
}

function panel_y(p)
{
    return top + int((p - 1) / 2) * panel_height
}

function x_of(p, value)
{
    return panel_x(p) + margin + (value + 0.5) * (panel_width - 2 * margin) / values[p]
}

function y_of(p, r)
{
    return panel_y(p) + header + r * row_height
}

function draw_lines(p,    r, i, ends)
{
    for (r = 1; r <= rounds[p]; r++)
        for (i = 1; i <= lines[p, r]; i++) {
            split(line[p, r, i], ends, SUBSEP)
            add_line(((p, r, ends[2]) in needed ? "used" : "unused") " line", \
                     x_of(p, ends[1]), y_of(p, r - 1), x_of(p, ends[2]), y_of(p, r))
        }
}

function draw_dots(p,    r, i)
{
    for (r = 0; r <= rounds[p]; r++)
        for (i = 0; i < values[p]; i++)
            if (r == 0 || ((p, r, i) in written))
                add_dot(((p, r, i) in needed ? "used" : "unused") " dot", x_of(p, i), y_of(p, r))
}

function summary(p)
{
    return values[p] " values, " rounds[p] " rounds, " additions[p] " additions" \
        (useful[p] < additions[p] ? ", of which " useful[p] " count" : "")
}
