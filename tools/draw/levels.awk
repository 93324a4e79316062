# levels.awk: the levels of memory from the nearest to the farthest: how many there are, how
# large each is, and, where experiments/levels.csv of the folder tells (levels=FILE), how many
# cycles away and how much all SMs together can read from it. 1 to 4; laid out by memory.awk.

END {
    machine_name = json(machine, "gpu")
    sms = json(machine, "sm_count")
    if (json(machine, "backend") != "cuda" || sms !~ /^[0-9]+$/ || json(machine, "l2_bytes") !~ /^[0-9]/)
        why_not = "machine.json tells of no GPU's SMs and L2 cache"
    else
        find_levels()
}

function find_levels()
{
    read_levels()
    level(1, "registers", "", size["registers"], " in each SM")
    level(2, "shared memory and L1 cache", "shared", size["shared"], " of shared memory in each SM")
    if (rate["l1"] + 0 > gbps[2] + 0)
        gbps[2] = rate["l1"] # one memory: the faster of the two ways to read it
    level(3, "L2 cache", "l2", json(machine, "l2_bytes"), " for all SMs")
    level(4, "device memory", "memory", json(machine, "memory_bytes"), " for all SMs")
    if (json(machine, "read_gbps") > 0)
        gbps[4] = json(machine, "read_gbps") + 0 # step 00's roof, as everywhere
    shown = 4
}

function level(i, what, key, bytes, whose)
{
    level_name[i] = what
    sub(/^ of shared memory/, (bytes > 0 ? "&" : ""), whose)
    level_size[i] = bytes > 0 ? size_text(bytes) whose : substr(whose, 2)
    cycles[i] = away[key]
    gbps[i] = rate[key]
}

function read_levels()
{
    if (!open_rows(levels, "level bytes cycles gbps", "experiments/levels.cu"))
        return
    while (next_row(levels)) {
        size[g["level"]] = g["bytes"]
        away[g["level"]] = g["cycles"]
        rate[g["level"]] = g["gbps"]
    }
}

function size_text(bytes,    unit, i)
{
    split("KiB MiB GiB", unit, " ")
    for (i = 0; bytes >= 1024 && i < 3; i++)
        bytes /= 1024
    return sprintf(bytes < 10 ? "%.1f %s" : "%.0f %s", bytes, unit[i])
}
