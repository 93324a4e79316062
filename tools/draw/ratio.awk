# ratio.awk: the time of sum_f32() over CUB's, for each power of two, in a graph (compare=FILE,
# which make compare writes): cold and warm, with the 95 % interval; what was aimed at, in
# steps. Laid out by lines.awk.

BEGIN {
    why_not = "no compare.csv; on a GPU: make compare"
    x_title = "elements"
    y_title = "time of sum_f32() / time of CUB"
    pixels_wide = 600
    pixels_high = 400
    names_wide = 125
    look["cold"] = "4 1 7"
    look["warm"] = "2 1 5"
    split("0.95 4096 0.75 131072 0.85 8388608 0.955 33554432 0.975 67108864 0.985 2147483648", target, " ")
}

END {
    if (open_rows(compare, "n offset cache launch rival ratio low high", "make compare"))
        while (next_row(compare))
            if (g["rival"] == "cub" && g["launch"] == "graph" && g["offset"] == 0 && is_power(g["n"] + 0))
                band_point(1, g["cache"], g["cache"] " L2 cache", look[g["cache"]], g["n"], g["ratio"], g["low"], g["high"])
    if (curves > 0)
        put_targets()
    title = "sum_f32() against CUB, one sum after another in a CUDA graph"
    subtitle = json(machine, "gpu") "; below 1 sum_f32() is faster; shaded: 95 % interval of the median"
}

function is_power(n)
{
    while (n > 1 && n % 2 == 0)
        n /= 2
    return n == 1
}

function put_targets(    k, from, last)
{
    last = x_max
    for (k = 1; k <= 6 && from < last; k++) {
        point(1, "target", "aimed at", "0 3 0", (k == 1 ? x_min : 1.0002 * from), target[2 * k - 1])
        from = target[2 * k] + 0
        point(1, "target", "aimed at", "0 3 0", (from < last ? from : last) * 1.0001, target[2 * k - 1])
    }
    point(1, "one", "CUB", "-1 1 0", x_min, 1)
    point(1, "one", "CUB", "-1 1 0", last, 1)
}
