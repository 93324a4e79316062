# gpus_model.awk: the model of docs/many_gpus.md, with constants of many_gpus.csv (many=FILE): how many times as fast as one
# GPU are 8 of a host, and 64 machines of 8 each? Measured: k = 2. All else is foretold: finish(8) of slots is taken to be
# finish(2); that of 64 machines is what NCCL itself expects of 512 GPUs (docs/many_gpus.md). Laid out by lines.awk.

BEGIN {
    why_not = "no many_gpus.csv; on a machine with two GPUs: make compare-gpus"
    MACHINES = 6.8 + 2 * (7 * 0.6 + 6 * 5) # µs
    x_title = "elements in all"
    y_title = "times as fast as one GPU"
    logarithmic = 1
    pixels_wide = 400
    pixels_high = 400
    names_wide = 200
}

END {
    if (open_rows(many, "gpus n cache launch way rival way_us rival_us above", "make compare-gpus"))
        while (next_row(many))
            if (g["cache"] == "cold" && g["launch"] == "graphs" && g["way"] == "nvlink_slots")
                keep_constants()
    for (i = 1; i <= measured; i++)
        point(1, "measured", "2 GPUs, measured", "9 1 7", m_n[i], m_speedup[i])
    if (measured > 0)
        for (n = 1024; n <= 2 ^ 40; n *= 2) {
            foretold("2", 2, n, finish, "2 GPUs, foretold", "9 2 0")
            foretold("8", 8, n, finish, "8 GPUs, foretold", "5 2 0")
            foretold("512", 512, n, MACHINES, "64 machines, foretold", "1 2 0")
        }
    title = "A model: what would more GPUs bring?"
    subtitle = "T(n, k) = launch + 4 n / (k B) + finish(k); constants of " json(machine, "gpu")
}

function keep_constants()
{
    if (g["gpus"] == 1 && g["rival"] == "local" && g["n"] == 1024)
        launch = g["rival_us"]
    if (g["gpus"] == 1 && g["rival"] == "local" && g["n"] == 2 ^ 30)
        bytes_per_us = 4 * g["n"] / g["rival_us"]
    if (g["gpus"] == 2 && g["rival"] == "local" && g["n"] == 1024)
        finish = g["above"]
    if (g["gpus"] == 2 && g["rival"] == "one_gpu") {
        m_n[++measured] = g["n"]
        m_speedup[measured] = g["rival_us"] / g["way_us"]
    }
}

function foretold(curve, k, n, end, name, looks)
{
    point(1, curve, name, looks, n, (launch + 4 * n / bytes_per_us) / (launch + 4 * n / (k * bytes_per_us) + end))
}
