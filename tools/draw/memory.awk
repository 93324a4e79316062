# memory.awk: the picture of the levels of memory (memory.gp), from what levels.awk found: a box
# for each, and between two of them a pipe, as wide as what flows through it. In pixels.
# Exit status 77, with why_not on stderr, when there is nothing to draw.

END {
    if (failed)
        exit 1
    if (shown == 0) {
        print why_not > "/dev/stderr"
        exit 77
    }
    box_height = 46; pipe_height = 42; top = 92
    split("300 470 590 720", box_width, " ")
    for (i = 2; i <= shown; i++)
        unknown += !(gbps[i] > 0)
    printf "title = \"Near and far: the memories of an %s\"\n", machine_name
    printf "subtitle = \"A pipe is as wide as what all SMs together can read through it%s\"\n", (unknown ? "; thin: not measured" : "")
    printf "height = %d\n", box_top(shown) + box_height + 14
    for (i = 1; i <= shown; i++)
        put(400, box_top(i) + box_height / 2, box_width[i] / 2, box_height / 2, i)
    next_block()
    for (i = 2; i <= shown; i++) # 2 pixels for a TB/s, and never too thin to be seen
        put(400, box_top(i) - pipe_gap(i) / 2, gbps[i] > 0 ? gbps[i] / 1000 : 0.75, pipe_gap(i) / 2, i)
    next_block()
    sm_top = box_top(1) - 30
    sm_bottom = box_top(2) + box_height + 10
    put(400, (sm_top + sm_bottom) / 2, 270, (sm_bottom - sm_top) / 2)
    next_block()
    for (i = 1; i <= shown; i++)
        put(400, box_top(i) + 16, level_name[i])
    next_block()
    for (i = 1; i <= shown; i++)
        put(400, box_top(i) + 34, level_size[i] (cycles[i] > 0 ? sprintf(", %.0f cycles away", cycles[i]) : ""))
    next_block()
    for (i = 2; i <= shown; i++)
        if (gbps[i] > 0)
            put(410 + gbps[i] / 1000, box_top(i) - pipe_gap(i) / 2, short(gbps[i] / 1000) " TB/s")
    next_block()
    put(138, sm_top + 13, "one of " sms " SMs")
    next_block()
}

# The one between L2 and the SMs is longer: it leaves the box of the SM.
function pipe_gap(i)
{
    return pipe_height + (i == 3 ? 14 : 0)
}

function box_top(i,    y, k)
{
    y = top
    for (k = 2; k <= i; k++)
        y += box_height + pipe_gap(k)
    return y
}

function put(a, b, c, d, e)
{
    printf "%s\t%s\t%s\t%s\t%s\n", a, b, c, d, e > data
}

# No block may be empty, or gnuplot would not count it: a point far outside is in each.
function next_block()
{
    printf "-99\t-99\t \t0\t0\n\n\n" > data
}
