# registers.awk: a 32 x 32 tile in the registers of a warp, before and after each round of swaps, from
# the trace of the toolbox's transpose. Down: the 32 registers, in the order in which they are loaded;
# across: the 32 lanes. From the trace come the element of each register, who swaps with whom, and
# where each register goes. In a round with distance m, lane l gives register k + m, or k if l has bit
# m, for each k without that bit: the trace does not say so, but the stores prove it. All in pixels,
# written by svg.awk; the trace is read by read_trace.awk.

BEGIN {
    side = 32; cell = 7; left = 16; top = 96; gap_x = 24; gap_y = 50
    marked = 5 # the row that is drawn in orange
    for (k = 0; k < side; k++) # the others from nearly white to dark blue
        style("row" k, "shape-rendering='crispEdges' fill='" (k == marked ? "#e69f00" : shade(k / (side - 1))) "'")
    style("round", "font-size='13'")
    style("summary", "font-size='11' fill='#505050'")
}

{
    if ($2 != side * side || $3 != 0 || $6 != 0)
        broken("not one warp with one tile of 32 x 32")
    lane = $7 + 0
}

$8 == "load" {
    held[0, loads[lane]++, lane] = $10 + 0
}

# A round is 16 shuffles of each lane, all over the same distance.
$8 == "shuffle" {
    m = $10 > lane ? $10 - lane : lane - $10
    r = int(2 * shuffles[lane] / side) + 1
    shuffles[lane]++
    if (r > rounds) {
        rounds = r
        distance[r] = m
    }
    if (m != distance[r])
        broken("lane " lane " swaps over " m " lanes, and not over " distance[r])
}

$8 == "store" {
    stored[stores[lane]++, lane] = $10 + 0
}

END {
    if (rounds == 0 || shuffles[0] != rounds * side / 2)
        fail(file[1] ": no rounds of " side / 2 " shuffles")
    for (r = 1; r <= rounds; r++)
        swap(r, distance[r])
    for (k = 0; k < side; k++)
        for (l = 0; l < side; l++) {
            e = stored[k, l]
            if (held[rounds, k, l] != side * (e % side) + int(e / side))
                fail(file[1] ": what lane " l " stores at " e " is not transposed")
        }
    for (r = 0; r <= rounds; r++) {
        draw_tile(r)
        add_text("round", panel_x(r), panel_y(r) - 26, r == 0 ? "loaded" : "lanes l and l ^ " distance[r] " have swapped")
        add_text("summary", panel_x(r), panel_y(r) - 11, summary(r))
    }
    print_svg(panel_y(rounds) + side * cell + 14, "transpose: the 32 registers of a warp's 32 lanes, " shuffles[0] " shuffles", \
              "Down: registers. Across: lanes. The darker, the lower its row was in the tile; row " marked " in orange.")
}

function shade(share)
{
    return sprintf("#%02x%02x%02x", between(234, 0, share), between(242, 48, share), between(248, 96, share))
}

function between(from, to, share)
{
    return int(from + (to - from) * share)
}

function has_bit(x, m)
{
    return int(x / m) % 2
}

function swap(r, m,    k, l, upper, partner)
{
    for (k = 0; k < side; k++)
        for (l = 0; l < side; l++) {
            upper = has_bit(l, m)
            partner = upper ? l - m : l + m
            if (has_bit(k, m) == upper) # it lies on its side of the diagonal
                held[r, k, l] = held[r - 1, k, l]
            else
                held[r, k, l] = held[r - 1, upper ? k + m : k - m, partner]
        }
}

function row(r, k, l)
{
    return k < side && l < side ? int(held[r, k, l] / side) : -1
}

# Equal neighbours are one box: a picture of some hundred boxes, and not of 6144.
function draw_tile(r,    k, l, x, y, value, wide, high, same)
{
    for (k = 0; k < side; k++)
        for (l = 0; l < side; l++) {
            if ((r, k, l) in done)
                continue
            value = row(r, k, l)
            for (wide = 1; row(r, k, l + wide) == value && !((r, k, l + wide) in done); wide++)
                ;
            same = 1
            for (high = 0; same; high += same)
                for (x = l; x < l + wide && same; x++)
                    same = row(r, k + high, x) == value
            for (y = k; y < k + high; y++)
                for (x = l; x < l + wide; x++)
                    done[r, y, x]
            add_box("row" value, panel_x(r) + l * cell, panel_y(r) + k * cell, wide * cell, high * cell)
        }
}

function panel_x(r)
{
    return left + (r % 3) * (side * cell + gap_x) + 24
}

function panel_y(r)
{
    return top + int(r / 3) * (side * cell + gap_y)
}

function summary(r)
{
    return r == 0 ? "register k of each lane: row k" : r == rounds ? "register k of lane l: row l" : ""
}
