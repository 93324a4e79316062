# speedup.awk: how many times faster than v0 (step 01) each variant is, at three sizes.
# A GPU's cold times only; of step 10 without its many ways to load, which its notes compare. CUB and
# the plain read, the roof, come last, to compare with. With -v upto=03 no variant of a later step.
# Laid out by bars.awk.

BEGIN {
    why_not = "no cold times of v0 on a GPU at 1M, 16M or 256M elements"
    name_of[1048576] = "1M"
    name_of[16777216] = "16M"
    name_of[268435456] = "256M"
    baseline["cub"]
    baseline["read"]
    other_name["read"] = "read (the roof)"
    reference = "cub" # a dashed line in each panel
}

f["backend"] == "cuda" && f["cache"] == "cold" && f["launch"] == "plain" && f["median_us"] > 0 &&
    f["n"] in name_of && (sums_up() || f["variant"] in baseline) && f["variant"] !~ /^(load|bulk)_/ && met() {
    if (f["variant"] == "v0")
        v0[f["n"]] = f["median_us"]
    if (f["variant"] in baseline || step_number() != "00") {
        kept++
        k_step[kept] = f["step"]
        k_variant[kept] = f["variant"]
        k_n[kept] = f["n"]
        k_us[kept] = f["median_us"]
    }
}

END {
    for (n = 1048576; n <= 268435456; n *= 16)
        if (n in v0) {
            panel[n] = ++sizes
            panel_title[sizes] = name_of[n] " elements"
        }
    for (k = 1; k <= kept; k++)
        if (!(k_variant[k] in baseline))
            speedup_bar(k)
    for (k = 1; k <= kept; k++)
        if (k_variant[k] == "cub")
            speedup_bar(k)
    for (k = 1; k <= kept; k++)
        if (k_variant[k] == "read")
            speedup_bar(k)
    for (p = 1; p <= sizes; p++)
        panel_max[p] = widest # one scale for all panels, so that they compare
    title = "Times faster than v0, " json(machine, "gpu")
    subtitle = "median times, cold L2 cache; dashed line: CUB"
}

function speedup_bar(k,    x)
{
    if (!(k_n[k] in v0))
        return
    f["step"] = k_step[k]
    f["variant"] = k_variant[k]
    x = v0[k_n[k]] / k_us[k]
    widest = x > widest ? x : widest
    bar(panel[k_n[k]], x, sprintf("%.1f×", x))
}
