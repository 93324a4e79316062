# tree.awk: the trees of additions (tree.gp) in a few traces, one panel each:
#     awk -v titles="one|two" -v data=DATA -f traced.awk -f tree.awk TRACE.csv... >PARAMS
# Each row of dots is the values after a round, and each line leads from a value that was read
# to the one that was written: from element to element, or from lane to lane of a shuffle.
# Blue is what the sum is made of; grey is added up, too, but nobody uses it. All in pixels.
# Exit status 1, with one line on stderr, when a trace cannot be drawn.

BEGIN {
    panel_width = 384; margin = 16; top = 56; header = 44; row_height = 30; footer = 44
    panels = split(titles, title_of, "|")
    where["in"]; where["scratch"]; where["shared"]
}

FNR == 1 {
    file[++p] = FILENAME
    next
}

{
    if (NF != 12 || $10 !~ /^[0-9]+$/)
        broken("no access to an array: " $0)
    values[p] = $2 + 0 # n: a value for each element to begin with
}

$8 == "load" && ($9 in where) {
    key = p SUBSEP $7
    loaded[key, ++loads[key]] = $10 + 0
}

$8 == "store" && ($9 in where) {
    key = p SUBSEP $7
    for (i = 1; i <= loads[key]; i++)
        add_line(loaded[key, i], $10 + 0)
    additions[p] += loads[key] - 1
    loads[key] = 0
}

$8 == "shuffle" {
    add_line($10 + 0, $7 + 0)
    if ($10 != $7)
        add_line($7 + 0, $7 + 0)
    additions[p]++
}

END {
    if (failed)
        exit 1
    if (p != panels)
        fail("a title for each trace is needed: " panels " titles, " p " traces")
    for (p = 1; p <= panels; p++) {
        if (rounds[p] == 0)
            fail(file[p] ": no additions")
        find_used(p)
        if (rounds[p] > most_rounds)
            most_rounds = rounds[p]
    }
    panel_height = header + most_rounds * row_height + footer
    for (used = 0; used <= 1; used++) { # grey below blue
        for (p = 1; p <= panels; p++)
            put_lines(p, used)
        next_block()
    }
    for (used = 0; used <= 1; used++) {
        for (p = 1; p <= panels; p++)
            put_dots(p, used)
        next_block()
    }
    for (p = 1; p <= panels; p++)
        put(panel_x(p), panel_y(p) + 14, title_of[p])
    next_block()
    for (p = 1; p <= panels; p++)
        put(panel_x(p), panel_y(p) + header + rounds[p] * row_height + 20, summary(p))
    next_block()
    printf "title = \"Four trees over 32 numbers\"\nheight = %d\n", top + int((panels + 1) / 2) * panel_height - 14
}

# A round ends where the trace says that all waited for each other.
function add_line(from, to)
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

function put_lines(p, used,    r, i, ends, x, y)
{
    for (r = 1; r <= rounds[p]; r++)
        for (i = 1; i <= lines[p, r]; i++) {
            split(line[p, r, i], ends, SUBSEP)
            if (((p, r, ends[2]) in needed) == used) {
                x = x_of(p, ends[1])
                y = y_of(p, r - 1)
                put(x, y, x_of(p, ends[2]) - x, y_of(p, r) - y)
            }
        }
}

function put_dots(p, used,    r, i)
{
    for (r = 0; r <= rounds[p]; r++)
        for (i = 0; i < values[p]; i++)
            if ((r == 0 || ((p, r, i) in written)) && ((p, r, i) in needed) == used)
                put(x_of(p, i), y_of(p, r))
}

function summary(p)
{
    return values[p] " values, " rounds[p] " rounds, " additions[p] " additions" \
        (useful[p] < additions[p] ? ", of which " useful[p] " count" : "")
}

function put(a, b, c, d)
{
    printf "%s\t%s\t%s\t%s\n", a, b, c, d > data
}

# No block may be empty, or gnuplot would not count it: a point far outside is in each.
function next_block()
{
    printf "-99\t-99\t-99\t-99\n\n\n" > data
}
