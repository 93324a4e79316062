# merge_rounds.awk: one CSV from those of several processes that ran the same program.
# A GPU's times differ more from process to process than from run to run, so each
# row gets the mean of the processes' medians (and of their 90th percentiles), the
# least minimum, the sum of the runs and the largest error. Needs rows.awk before it.
{
    key = f["step"] "," f["variant"] "," f["n"] "," f["cache"] "," f["launch"] "," f["row"]
    if (!(key in count)) {
        order[++rows] = key
        line[key] = $0
        least[key] = f["min_us"]
        worst[key] = f["rel_err"]
        bytes[key] = f["gbps"] * f["median_us"]
    }
    count[key]++
    median[key] += f["median_us"]
    p90[key] += f["p90_us"]
    runs[key] += f["runs"]
    roof[key] += f["pct_roof"]
    if (f["min_us"] + 0 < least[key] + 0) least[key] = f["min_us"]
    if (f["rel_err"] + 0 > worst[key] + 0) worst[key] = f["rel_err"]
}

function put(column_name, value)
{
    for (j = 1; j <= fields; j++)
        if (name[j] == column_name && cell[j] != "") cell[j] = value
}

END {
    for (j = 1; j <= fields; j++) printf "%s%s", name[j], (j < fields ? "," : "\n")
    for (i = 1; i <= rows; i++) {
        key = order[i]
        us = median[key] / count[key]
        split(line[key], cell, ",")
        put("median_us", sprintf("%.4f", us))
        put("min_us", least[key])
        put("p90_us", sprintf("%.4f", p90[key] / count[key]))
        put("runs", runs[key])
        if (us > 0) put("gbps", sprintf("%.2f", bytes[key] / us))
        put("pct_roof", sprintf("%.2f", roof[key] / count[key]))
        put("rel_err", worst[key])
        for (j = 1; j <= fields; j++) printf "%s%s", cell[j], (j < fields ? "," : "\n")
    }
}
