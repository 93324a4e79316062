# share.awk: percent of the roof, a plain read, against n, cold: the main variants of each step, and
# CUB. So one sees small n as well as large. With -v upto=05 no variant of a later step. Laid out by
# lines.awk.

BEGIN {
    why_not = "no cold times on a GPU"
    drawn = " v0 v1 v2 v3x8 v5 v6 atomic_per_block block_reduce two_pass cooperative vector_x8 flagged_slots sum_f32 cub read "
    x_title = "elements"
    y_title = "% of a plain read"
    pixels_wide = 560
    pixels_high = 400
    names_wide = 165
}

f["backend"] == "cuda" && f["cache"] == "cold" && f["launch"] == "plain" && f["pct_roof"] != "" &&
    f["n"] > 0 && index(drawn, " " f["variant"] " ") && met() {
    point(1, f["variant"], f["variant"] == "read" ? "read (the roof)" : f["variant"], look[f["variant"]], f["n"], f["pct_roof"])
}

END {
    title = "Share of the roof, " json(machine, "gpu")
    subtitle = "time of a plain read over the median time; cold L2 cache"
}
