# memory.awk: the levels of memory from the nearest to the farthest: a box for each, and between two
# of them a pipe, as wide as what flows through it. How large each is comes from machine.json, and
# where experiments/levels.csv of the folder tells (levels=FILE), how many cycles away it is and how
# much all SMs together can read from it. All in pixels, written by svg.awk.
# Exit status 77, with why_not on stderr, when there is nothing to draw.

BEGIN {
    box_height = 46; pipe_height = 42; top = 92
    split("300 470 590 720", box_width, " ")
    split("#cfe8dd #fbe3c0 #d5eaf7 #e3e3e3", fill, " ")
    style("shadow", "fill='#ececec'")
    style("shade", "fill='#dcdcdc'")
    style("SM", "fill='#f7f7f7'")
    style("pipe", "fill='#0072b2'")
    for (i = 1; i <= 4; i++)
        style("level" i, "fill='" fill[i] "'")
    style("name", "font-size='14' text-anchor='middle'")
    style("size", "font-size='12' text-anchor='middle' fill='#404040'")
    style("rate", "font-size='12' fill='#00517f'")
    style("which", "font-size='12' fill='#404040'")
}

END {
    if (failed)
        exit 1
    sms = json(machine, "sm_count")
    if (json(machine, "backend") != "cuda" || sms !~ /^[0-9]+$/ || json(machine, "l2_bytes") !~ /^[0-9]/) {
        print "machine.json tells of no GPU's SMs and L2 cache" > "/dev/stderr"
        exit 77
    }
    find_levels()
    if (failed)
        exit 1
    draw_levels()
}

function find_levels()
{
    read_levels()
    level(1, "registers", "", size["registers"], " in each SM")
    level(2, "shared memory and L1 cache", "shared", size["shared"], " of shared memory in each SM")
    if (rate["l1"] + 0 > gbps[2] + 0)
        gbps[2] = rate["l1"] # one memory: the faster of the two ways to read it
    level(3, "L2 cache", "l2", json(machine, "l2_bytes"), " for all SMs")
    level(4, "device memory", "memory", json(machine, "memory_bytes"), " for all SMs")
    if (json(machine, "read_gbps") > 0)
        gbps[4] = json(machine, "read_gbps") + 0 # step 00's roof, as everywhere
}

function level(i, what, key, bytes, whose)
{
    level_name[i] = what
    sub(/^ of shared memory/, (bytes > 0 ? "&" : ""), whose)
    level_size[i] = bytes > 0 ? size_text(bytes) whose : substr(whose, 2)
    cycles[i] = away[key]
    gbps[i] = rate[key]
}

function read_levels()
{
    if (!open_rows(levels, "level bytes cycles gbps", "experiments/levels.cu"))
        return
    while (next_row(levels)) {
        size[g["level"]] = g["bytes"]
        away[g["level"]] = g["cycles"]
        rate[g["level"]] = g["gbps"]
    }
}

function size_text(bytes,    unit, i)
{
    split("KiB MiB GiB", unit, " ")
    for (i = 0; bytes >= 1024 && i < 3; i++)
        bytes /= 1024
    return sprintf(bytes < 10 ? "%.1f %s" : "%.0f %s", bytes, unit[i])
}

function draw_levels(    i, y, sm_top, sm_height)
{
    sm_top = box_top(1) - 30
    sm_height = box_top(2) + box_height + 10 - sm_top
    add_box("shadow", 138, sm_top + 8, 540, sm_height) # one SM of many
    add_box("shade", 134, sm_top + 4, 540, sm_height)
    add_box("SM", 130, sm_top, 540, sm_height)
    add_text("which", 138, sm_top + 13, "one of " sms " SMs")
    for (i = 1; i <= 4; i++) {
        y = box_top(i)
        add_box("level" i, 400 - box_width[i] / 2, y, box_width[i], box_height)
        add_text("name", 400, y + 16, level_name[i])
        add_text("size", 400, y + 34, level_size[i] (cycles[i] > 0 ? sprintf(", %.0f cycles away", cycles[i]) : ""))
        if (i > 1)
            draw_pipe(i, y - pipe_gap(i), gbps[i] / 1000)
    }
    print_svg(box_top(4) + box_height + 14, "Near and far: the memories of an " json(machine, "gpu"), \
              "A pipe is as wide as what all SMs together can read through it" (unknown_pipes ? "; thin: not measured" : ""))
}

# 2 pixels for a TB/s, and never too thin to be seen.
function draw_pipe(i, y, tbps,    half)
{
    half = tbps > 0 ? tbps : 0.75
    unknown_pipes += !(tbps > 0)
    add_box("pipe", 400 - half, y, 2 * half, pipe_gap(i))
    if (tbps > 0)
        add_text("rate", 410 + half, y + pipe_gap(i) / 2, short(tbps) " TB/s")
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
