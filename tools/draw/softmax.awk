# softmax.awk: percent of a plain copy's speed against the length of a row: who shares a row of the
# toolbox's softmax, and PyTorch's (softmax=FILE, torch=FILE, which make compare-softmax writes), at the largest
# n of both. What lanes meet through, shuffles or shared memory, would be one line: it is in the table.
# PyTorch was timed in a process of its own: its roof is the copy that ours was compared with.
# Laid out by lines.awk.

BEGIN {
    why_not = "no softmax.csv; on a GPU: make compare-softmax"
    x_title = "floats of a row"
    y_title = "% of a plain copy"
    pixels_wide = 540
    pixels_high = 400
    names_wide = 185
    split("softmax_warp softmax_block softmax_cluster", shown_variants, " ")
    split("a warp for each row|a block|a cluster of 4 blocks", shown_names, "|")
    split("5 1 7|2 1 5|7 1 9", shown_looks, "|")
}

END {
    if (open_rows(softmax, "variant n row cache launch gbps pct_roof", "make compare-softmax"))
        while (next_row(softmax))
            if (g["launch"] == "plain" && g["cache"] == "cold" && g["pct_roof"] > 0)
                keep_ours()
    for (i = 1; i <= 3; i++)
        for (k = 1; k <= ours; k++)
            if (our_n[k] == largest && our_variant[k] == shown_variants[i])
                point(1, i, shown_names[i], shown_looks[i], our_row[k], our_percent[k])
    if (curves > 0 && open_rows(torch, "row n gbps torch", "make compare-softmax"))
        while (next_row(torch))
            if (g["n"] + 0 == largest) {
                point(1, "torch", "PyTorch", "-1 2 2", g["row"], 100 * g["gbps"] / roof)
                version = g["torch"]
            }
    if (curves > 0) {
        point(1, "roof", "plain copy", "0 3 0 1.2", x_min, 100)
        point(1, "roof", "plain copy", "0 3 0 1.2", x_max, 100)
    }
    title = "Softmax: who shares a row of a matrix?"
    subtitle = json(machine, "gpu") ", " size_name(largest) " floats, cold L2 cache" (version ? "; PyTorch " version : "")
}

function keep_ours()
{
    our_variant[++ours] = g["variant"]
    our_n[ours] = g["n"] + 0
    our_row[ours] = g["row"]
    our_percent[ours] = g["pct_roof"]
    if (g["n"] + 0 >= largest) {
        largest = g["n"] + 0
        roof = 100 * g["gbps"] / g["pct_roof"]
    }
}
