# bandwidth.awk: GB/s against n, cold, of what the sums are compared with: a plain read (the roof), a
# copy, CUB and Thrust; and the theoretical bandwidth (from machine.json). Laid out by lines.awk.

BEGIN {
    why_not = "no cold times on a GPU"
    drawn = " copy thrust cub read "
    logarithmic = 1
    x_title = "elements"
    y_title = "GB/s"
    pixels_wide = 560
    pixels_high = 400
    names_wide = 165
}

f["backend"] == "cuda" && f["cache"] == "cold" && f["launch"] == "plain" && f["gbps"] > 0 &&
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
    subtitle = "bytes that must move, over the median time; cold L2 cache"
}
