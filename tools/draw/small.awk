# small.awk: microseconds against n up to 1M, launched alone (cold) and inside a CUDA
# graph of many sums (warm), side by side: what remains of a time when the launch is cheap.
# With -v upto=06 no variant of a later step. Laid out by lines.awk.

BEGIN {
    why_not = "no in-graph times"
    drawn = " v0 v6 atomic_per_block two_pass cooperative vector_x8 ticket flagged_slots fixed_point cluster_8 sum_f32 cub "
    logarithmic = 1
    x_title = "elements"
    y_title = "µs per sum"
    pixels_wide = 225
    pixels_high = 380
    names_wide = 140
    panel_title[1] = "launched alone, cold L2 cache"
    panel_title[2] = "inside a CUDA graph, warm"
}

f["backend"] == "cuda" && f["median_us"] > 0 && f["n"] > 0 && f["n"] <= 1048576 &&
    index(drawn, " " f["variant"] " ") && met() {
    kept++
    k_variant[kept] = f["variant"]
    k_n[kept] = f["n"]
    k_us[kept] = f["median_us"]
    k_panel[kept] = f["launch"] == "plain" && f["cache"] == "cold" ? 1 : f["launch"] == "graph" && f["cache"] == "warm" ? 2 : 0
    if (k_panel[kept] == 2)
        in_graph[f["variant"]]
}

END {
    for (k = 1; k <= kept; k++) # the same variants on both sides
        if (k_panel[k] > 0 && k_variant[k] in in_graph)
            point(k_panel[k], k_variant[k], k_variant[k], look[k_variant[k]], k_n[k], k_us[k])
    title = "Small sums, " json(machine, "gpu")
    subtitle = "median times"
}
