# simulated.awk: what the simulator counted; never a time. The n is the largest counted.
# -v picture=work: traffic with memory, per 32 elements, the share of one warp. A warp
#  that reads 32 floats side by side needs one request and four 32-byte sectors.
# -v picture=exchange: how threads hand partial sums to each other, per 1024 elements.
# Laid out by bars.awk.

BEGIN {
    if (picture == "work") {
        per = 32
        quantities = split("requests sectors efficiency", quantity, " ")
        title = "Work per 32 elements"
    } else {
        per = 1024
        quantities = split("wavefronts barriers shuffles atomics", quantity, " ")
        title = "Exchange per 1024 elements"
    }
    what["requests"] = "requests, global memory"
    what["sectors"] = "32-byte sectors"
    what["efficiency"] = "SIMT efficiency"
    what["wavefronts"] = "shared wavefronts"
    what["barriers"] = "block barriers"
    what["shuffles"] = "warp shuffles"
    what["atomics"] = "atomics"
    why_not = "no simulator counts for it"
}

# copy is no kernel: nothing is counted there; read is one, and the roof.
f["backend"] == "sim" && f["n"] > 0 && (sums_up() || f["variant"] == "read") && met() {
    if (f["n"] + 0 > largest_n + 0 && (count("requests") != "" || count("barriers") != "")) {
        largest_n = f["n"]
        kept = 0
    }
    if (f["n"] == largest_n) {
        kept++
        k_step[kept] = f["step"]
        k_variant[kept] = f["variant"]
        for (q = 1; q <= quantities; q++)
            k_count[kept, q] = count(quantity[q])
    }
}

# "" where it was not measured.
function count(quantity)
{
    if (quantity == "requests")
        return sum_of("gld_requests", "gst_requests")
    if (quantity == "sectors")
        return sum_of("gld_sectors", "gst_sectors")
    if (quantity == "wavefronts")
        return sum_of("shared_ld_wavefronts", "shared_st_wavefronts")
    if (quantity == "efficiency")
        return f["simt_efficiency"]
    return f[quantity]
}

function sum_of(loads, stores)
{
    return f[loads] == "" ? "" : f[loads] + f[stores]
}

END {
    for (q = 1; q <= quantities; q++) {
        measured = 0
        for (k = 1; k <= kept; k++)
            if (k_count[k, q] != "")
                measured = 1
        if (!measured)
            continue
        panel_title[++p] = what[quantity[q]]
        count_bars(p, q, 0)
        count_bars(p, q, 1)
    }
    title = title ", n = " size_name(largest_n)
    subtitle = "counted by the simulator, which shows no times"
}

# The bars of the steps, or those of the baselines, which come last.
function count_bars(p, q, baselines,    k)
{
    for (k = 1; k <= kept; k++) {
        f["step"] = k_step[k]
        f["variant"] = k_variant[k]
        if (k_count[k, q] == "" || (step_number() == "00") != baselines)
            continue
        if (quantity[q] == "efficiency")
            bar(p, 100 * k_count[k, q], sprintf("%.0f %%", 100 * k_count[k, q]))
        else
            bar(p, per * k_count[k, q] / largest_n, short(per * k_count[k, q] / largest_n))
    }
}
