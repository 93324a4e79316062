# many_gpus.awk: step 14 on as many GPUs as were measured, beside one: µs per sum against n in all, in a graph of each GPU
# and cold; and percent of as many times the speed of one GPU. -v many=FILE, which make compare-gpus writes.
# Laid out by lines.awk.

BEGIN {
    why_not = "no many_gpus.csv; on a machine with two GPUs: make compare-gpus"
    logarithmic = 1
    x_title = "elements in all"
    y_title = "µs per sum"
    pixels_wide = 400
    pixels_high = 400
    names_wide = 175
}

END {
    if (open_rows(many, "gpus n cache launch way rival way_us rival_us", "make compare-gpus"))
        while (next_row(many))
            if (g["cache"] == "cold" && g["launch"] == "graphs" && g["way"] == "nvlink_slots")
                keep_pair()
    for (k = 1; k <= kept; k++)
        if (k_gpus[k] == gpus) {
            if (k_rival[k] == "one_gpu") {
                point(1, "one", "one GPU", "0 2 0", k_n[k], k_rival_us[k])
                point(1, "slots", "slots over NVLink", "9 1 7", k_n[k], k_us[k])
            }
            if (k_rival[k] == "nccl")
                point(1, "nccl", "NCCL", "-1 1 2", k_n[k], k_rival_us[k])
        }
    title = "One sum over " gpus " GPUs: from which n on does it pay?"
    subtitle = gpus " x " json(machine, "gpu") ", NVLink; in a graph of each GPU, cold L2 cache"
}

function keep_pair()
{
    k_gpus[++kept] = g["gpus"]
    k_rival[kept] = g["rival"]
    k_n[kept] = g["n"]
    k_us[kept] = g["way_us"]
    k_rival_us[kept] = g["rival_us"]
    if (g["gpus"] > gpus)
        gpus = g["gpus"] + 0
}
