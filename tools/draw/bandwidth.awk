# bandwidth.awk: GB/s against n, cold: the main variants of each step, CUB, the roof
# (a plain read, measured) and the theoretical bandwidth (from machine.json).
# Laid out by lines.awk.

BEGIN {
    why_not = "no cold times on a GPU"
    drawn = " v0 v1 v2 v3x8 v5 v6 atomic_per_block block_reduce two_pass cooperative vector_x8 flagged_slots sum_f32 cub read "
    x_title = "elements"
    y_title = "GB/s"
    pixels_wide = 560
    pixels_high = 400
    names_wide = 165
}

f["backend"] == "cuda" && f["cache"] == "cold" && f["launch"] == "plain" && f["gbps"] != "" &&
    f["n"] > 0 && index(drawn, " " f["variant"] " ") {
    point(1, f["variant"], f["variant"] == "read" ? "read (the roof)" : f["variant"], look[f["variant"]], f["n"], f["gbps"])
}

END {
    theoretical = json(machine, "theoretical_gbps")
    if (theoretical > 0 && curves > 0) {
        point(1, "theoretical", "theoretical", "0 3 0", x_min, theoretical)
        point(1, "theoretical", "theoretical", "0 3 0", x_max, theoretical)
    }
    title = "Bandwidth, " json(machine, "gpu")
    subtitle = "bytes of the input per median time, cold L2 cache"
}
