# roofs.awk: the largest bandwidth at which each roof moved data from memory, as in read_gbps=4629.29.
# Needs rows.awk before it.
f["task"] == "roof" && f["cache"] == "cold" && f["launch"] == "plain" && f["gbps"] > 0 {
    if (!(f["variant"] in best))
        roof[++roofs] = f["variant"]
    if (f["gbps"] > best[f["variant"]])
        best[f["variant"]] = f["gbps"] + 0
}

END {
    for (i = 1; i <= roofs; i++)
        print roof[i] "_gbps=" best[roof[i]]
}
