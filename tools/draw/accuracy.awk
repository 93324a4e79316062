# accuracy.awk: the error of each sum, |sum - exact| / sum of |x|, against n, beside the
# bound that its tree of additions promises (dashed). Left the CPU, right the GPU; the
# simulator computes the same float additions. Laid out by lines.awk.

BEGIN {
    why_not = "no errors of a GPU"
    on_gpu = json(machine, "backend") == "cuda"
    drawn = " cpu_serial cpu_pairwise cpu_kahan v0 v6 block_reduce two_pass cooperative sum_f32 cub "
    logarithmic = 1
    exact_floor = 1
    y_limit = 1 # a bound above 1 promises nothing
    x_title = "elements"
    y_title = "relative error"
    pixels_wide = 225
    pixels_high = 380
    names_wide = 140
    panel_title[1] = "on the CPU"
    panel_title[2] = "on the GPU"
    subtitle = "|sum - exact| / sum of |x|, and dashed what rounding can do at worst"
}

on_gpu && f["rel_err"] ~ /[0-9]/ && f["n"] > 0 && index(drawn, " " f["variant"] " ") && f["launch"] != "graph" {
    side = f["backend"] == "cpu" ? 1 : 2
    split(look[f["variant"]], l, " ")
    point(side, f["variant"], f["variant"], l[1] " 1 " l[3], f["n"], f["rel_err"])
    if (f["err_bound"] > 0)
        point(side, f["variant"] " bound", "", l[1] " 2 0 1", f["n"], f["err_bound"])
}

END {
    title = "Rounding error, " json(machine, "gpu")
}
