# rows.awk: reads the CSV files that our programs print, for the awk scripts beside it. Their rules find each row in
# f[], by the names of the header: f["variant"], f["n"], f["median_us"] ... An empty field was not measured. A line that was cut
# off ends all, after one line. What a field may hold is tools/pages/schema.py's business.
BEGIN {
    FS = ","
}

FNR == 1 {
    fields = split($0, name)
    next
}

NF != fields {
    print program FILENAME ": line " FNR ": " NF " fields, the header has " fields > "/dev/stderr"
    exit 1
}

{
    for (i = 1; i <= fields; i++)
        f[name[i]] = $i
}

# 1048576 -> 1M; a number that is not a whole K, M or G stays as it is.
function size_name(n)
{
    if (n > 0 && n % 1073741824 == 0)
        return n / 1073741824 "G"
    if (n > 0 && n % 1048576 == 0)
        return n / 1048576 "M"
    return n > 0 && n % 1024 == 0 ? n / 1024 "K" : n ""
}

# Three significant digits, as a reader wants them: 0.123, 1.23, 12.3, 123, 1234.
function short(x)
{
    return x == 0 ? "0" : sprintf(x >= 100 ? "%.0f" : x >= 10 ? "%.1f" : x >= 1 ? "%.2f" : "%.3g", x)
}
