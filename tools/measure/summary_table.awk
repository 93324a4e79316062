# summary_table.awk: the table for people at the end of run_all.sh. On a GPU: times at 1M,
# 16M and 256M elements (else at the three largest sizes). On the simulator: counts at
# the largest n, and no time. Needs rows.awk before it.

{
    if (f["row"] != "")
        f["variant"] = f["variant"] "@" size_name(f["row"])
    if (!(f["variant"] in seen)) {
        seen[f["variant"]]
        variant[++variants] = f["variant"]
        step[variants] = f["step"] ~ /^[0-9][0-9]_/ ? substr(f["step"], 1, 2) : "" # a topic has none
        task[variants] = f["task"]
    }
    on_gpu = on_gpu || f["backend"] == "cuda"
    on_simulator = on_simulator || f["backend"] == "sim"
    if (f["ok"] != "" && f["launch"] != "graph") {
        checked[f["variant"]]++
        right[f["variant"]] += f["ok"]
    }
    if (f["backend"] != "sim" && (f["launch"] == "plain" || f["backend"] == "cpu") && f["median_us"] != "")
        keep_time()
    if (f["backend"] == "sim")
        keep_counts()
}

function keep_time()
{
    if (!(f["n"] in is_size)) {
        is_size[f["n"]]
        size[++sizes] = f["n"] + 0
    }
    us[f["variant"], f["n"] + 0] = f["median_us"]
    gbps[f["variant"], f["n"] + 0] = f["gbps"]
    roof[f["variant"], f["n"] + 0] = f["pct_roof"]
}

function keep_counts(    n)
{
    n = f["n"] + 0
    if (n < counted_n || n == 0 || f["variant"] == "copy")
        return # copy is no kernel: nothing is counted there
    counted_n = n
    counted[f["variant"]] = n
    line[f["variant"]] = per(32, f["gld_requests"], f["gst_requests"], n) \
        per(32, f["gld_sectors"], f["gst_sectors"], n) \
        sprintf("%11s", f["simt_efficiency"] == "" ? "-" : sprintf("%.0f %%", 100 * f["simt_efficiency"])) \
        per(1024, f["shared_ld_wavefronts"], f["shared_st_wavefronts"], n) \
        per(1024, f["barriers"], 0, n) per(1024, f["shuffles"], 0, n) per(1024, f["atomics"], 0, n)
}

function per(elements, a, b, n)
{
    return sprintf("%11s", a == "" ? "-" : short(elements * (a + b) / n))
}

function sums(v)
{
    return checked[v] ? right[v] " of " checked[v] : "-"
}

function print_times(n,    i, v)
{
    printf "\n%-3s%-18s %10s %9s %10s %8s   %s\n", "", "n = " size_name(n), "median us", "GB/s", "% of roof", "vs v0", "sums ok"
    for (i = 1; i <= variants; i++) {
        v = variant[i]
        if ((v, n) in us)
            printf "%-3s%-18s %10s %9s %10s %8s   %s\n", step[i], v, short(us[v, n]), \
                (gbps[v, n] == "" ? "-" : short(gbps[v, n])), \
                (roof[v, n] == "" ? "-" : sprintf("%.1f", roof[v, n])), \
                (us["v0", n] > 0 && task[i] == "sum" ? short(us["v0", n] / us[v, n]) "x" : "-"), sums(v)
    }
}

function print_counts(    i, v)
{
    if (counted_n > 0)
        print "\nCounted on the simulator: requests and 32-byte sectors of global memory per 32\n" \
              "elements (what one warp reads at once); what comes after, per 1024 elements."
    printf "\n%-3s%-18s%11s%11s%11s%11s%11s%11s%11s   %s\n", "", (counted_n > 0 ? "n = " size_name(counted_n) : ""), \
        "requests", "sectors", "SIMT eff.", "wavefronts", "barriers", "shuffles", "atomics", "sums ok"
    for (i = 1; i <= variants; i++) {
        v = variant[i]
        printf "%-3s%-18s%s   %s\n", step[i], v, (counted[v] == counted_n ? line[v] : sprintf("%77s", "")), sums(v)
    }
}

function has_all_of_the_ladder()
{
    return (1048576 in is_size) && (16777216 in is_size) && (268435456 in is_size)
}

END {
    if (on_gpu && has_all_of_the_ladder()) {
        for (n = 1048576; n <= 268435456; n *= 16)
            print_times(n)
    } else if (on_gpu) {
        for (i = 2; i <= sizes; i++)
            for (j = i; j > 1 && size[j - 1] > size[j]; j--) {
                n = size[j]
                size[j] = size[j - 1]
                size[j - 1] = n
            }
        for (i = sizes > 3 ? sizes - 2 : 1; i <= sizes; i++)
            print_times(size[i])
    } else if (on_simulator)
        print_counts()
}
