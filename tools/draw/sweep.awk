# sweep.awk: what ./step08 --demo measured (sweep=FILE): bandwidth against the bytes in flight
# on each SM beside Little's law (picture "flight"), and against the bytes that a block reads
# (picture "tile"). Laid out by lines.awk.

BEGIN {
    why_not = "no sweep.csv; on a GPU: ./step08 --demo >sweep.csv"
    y_title = "GB/s"
    pixels_wide = 540
    pixels_high = 400
    names_wide = 185
}

END {
    if (open_rows(sweep, "question threads loads bytes_in_flight bytes_per_block us gbps", "./step08 --demo")) {
        read_sweep()
        subtitle = json(machine, "gpu") ", reading 1 GiB, cold L2 cache"
        if (picture == "flight")
            draw_flight(json(machine, "sm_count"))
        else
            draw_tile()
    }
}

function read_sweep(    k)
{
    while (next_row(sweep))
        if (g["question"] == "latency")
            latency = g["us"]
        else if (g["question"] == "in_flight")
            keep(g["loads"], g["bytes_in_flight"])
        else
            keep(g["threads"], g["bytes_per_block"])
}

# The best of the ways that have the same bytes in flight, or per block.
function keep(curve, x)
{
    if (!((g["question"], curve, x) in best)) {
        rows++
        question[rows] = g["question"]
        curve_of[rows] = curve
        x_of[rows] = x
    }
    if (g["gbps"] + 0 > best[g["question"], curve, x])
        best[g["question"], curve, x] = g["gbps"] + 0
    if (g["gbps"] + 0 > top[g["question"]])
        top[g["question"]] = g["gbps"] + 0
    if (g["question"] == "in_flight" && g["gbps"] + 0 > reached[x + 0])
        reached[x + 0] = g["gbps"] + 0
}

function put_curves(wanted, what,    i, looks)
{
    split("1 1 7|3 1 5|5 1 9|4 1 13|7 1 11", looks, "|")
    for (i = 1; i <= rows; i++)
        if (question[i] == wanted) {
            if (!(curve_of[i] in number))
                number[curve_of[i]] = ++numbers
            point(1, curve_of[i], sprintf(what, curve_of[i]), looks[(numbers - 1) % 5 + 1], x_of[i], \
                  best[wanted, curve_of[i], x_of[i]])
        }
}

# Little's law up to the roof; where it meets the roof is the knee that it predicts. The one
# measured is the least that comes within 5 % of the best.
function draw_flight(sms,    knee, found, x, least)
{
    title = "Bytes in flight and bandwidth: Little's law"
    logarithmic = 1
    x_title = "bytes in flight on each SM, at most"
    put_curves("in_flight", "%d × 16 bytes a thread")
    for (x in reached)
        if (reached[x] >= 0.95 * top["in_flight"] && (found == "" || x + 0 < found))
            found = x + 0
    if (!(latency > 0) || !(sms > 0) || found == "")
        return
    knee = top["tile"] * 1e3 * latency / sms
    least = y_min
    for (x = x_min; x < knee; x *= 1.3)
        point(1, "law", "Little's law", "-1 3 0 1.2", x, x * sms / latency / 1e3)
    point(1, "law", "Little's law", "-1 3 0 1.2", knee, top["tile"])
    point(1, "roof", "a block for each tile", "0 1 0 1.2", x_min, top["tile"])
    point(1, "roof", "a block for each tile", "0 1 0 1.2", x_max, top["tile"])
    mark(knee, least, "predicted knee: " sprintf("%.0f KB", knee / 1024), knee < found ? "right" : "left")
    mark(found, least, "measured knee: " sprintf("%.0f KB", found / 1024), knee < found ? "left" : "right")
}

# An upright line, named at its foot, on the side where the other is not.
function mark(x, low, name, side)
{
    beside[1, name] = side
    point(1, name, name, "-1 2 0 1", x, top["tile"])
    point(1, name, name, "-1 2 0 1", x * 1.0001, low)
}

function draw_tile()
{
    title = "Bytes of a block's tile and bandwidth"
    x_title = "bytes that a block reads"
    put_curves("tile", "%d threads")
    point(1, "persistent", "persistent, best", "0 3 0", x_min, top["in_flight"])
    point(1, "persistent", "persistent, best", "0 3 0", x_max, top["in_flight"])
}
