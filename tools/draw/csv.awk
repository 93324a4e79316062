# csv.awk: reads the CSV files that the steps write, for every awk script here:
#     awk -f tools/draw/csv.awk -f tools/draw/bars.awk results/h200/*.csv
# The rules of the second script find each row in f[], by the names of the header:
# f["variant"], f["n"], f["median_us"] ... An empty field was not measured.
# Alone it only checks: a broken line is named on stderr, exit status 1.

BEGIN {
    FS = ","
    text = " step variant backend device pattern cache launch task "
    columns = split("step variant backend device n block grid pattern cache launch median_us " \
                    "min_us p90_us runs gbps pct_roof rel_err err_bound ok gld_requests " \
                    "gld_sectors gst_requests gst_sectors shared_ld_wavefronts " \
                    "shared_st_wavefronts atomics barriers shuffles simt_efficiency row task", column, " ")
}

FNR == 1 {
    read_header()
    next
}

{
    read_row()
}

function read_header(    i, have)
{
    fields = NF
    for (i = 1; i <= NF; i++) {
        name[i] = $i
        have[$i] = 1
    }
    if (("step" in have) && !("task" in have))
        broken("no column task, so of an older layout: measure again with ./run_all.sh, or rename as results/README.md says")
    for (i = 1; i <= columns; i++)
        if (!(column[i] in have))
            broken("the header has no column " column[i])
}

function read_row(    i)
{
    if (NF != fields)
        broken(NF " fields, the header has " fields)
    for (i = 1; i <= fields; i++) {
        f[name[i]] = $i
        if (!index(text, " " name[i] " ") && $i != "" && !is_number($i, name[i]))
            broken(name[i] " is not a number: " $i)
    }
    if (f["variant"] == "")
        broken("variant is empty")
    if (f["backend"] !~ /^(cuda|sim|cpu)$/)
        broken("backend is not cuda, sim or cpu: " f["backend"])
    if (f["n"] !~ /^[0-9]+$/)
        broken("n is not a whole number: " f["n"])
}

# A wrong sum may be infinite or not a number, and so may its error.
function is_number(s, column_name)
{
    return s ~ /^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$/ ||
           (column_name == "rel_err" && s ~ /^[-+]?(inf|nan)$/)
}

function broken(why)
{
    print program FILENAME ": line " FNR ": " why > "/dev/stderr"
    exit 1
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

# The two digits of the step's name: 05_warp_shuffle -> 05.
function step_number()
{
    return substr(f["step"], 1, 2)
}

# Whether a lesson that shows no more than the steps up to `upto` has met it; -v upto=05.
function met()
{
    return upto == "" || step_number() <= upto
}

# Whether it sums, and so has a place on the ladder: the toolbox answers other questions.
function sums_up()
{
    return f["task"] == "sum"
}

# Three significant digits, as a reader wants them: 0.123, 1.23, 12.3, 123, 1234.
function short(x)
{
    return x == 0 ? "0" : sprintf(x >= 100 ? "%.0f" : x >= 10 ? "%.1f" : x >= 1 ? "%.2f" : "%.3g", x)
}

# Another CSV, row by row: open_rows(file, "n us", maker) is 0 when there is none, and ends
# the run, after one line, when its header lacks one of these columns (maker says who writes
# it); next_row(file) fills g["n"], g["us"] ... and is 0 after the last row.
function open_rows(file, wanted, maker,    i, count, names, line)
{
    delete g
    if ((getline line < file) <= 0)
        return 0
    g_count = split(line, g_name, ",")
    count = split(wanted, names, " ")
    for (i = 1; i <= count; i++)
        if (!index("," line ",", "," names[i] ",")) {
            print program file ": line 1: not what " maker " prints" > "/dev/stderr"
            failed = 1
            exit 1
        }
    return 1
}

function next_row(file,    i, line, field)
{
    if ((getline line < file) <= 0) {
        close(file)
        return 0
    }
    if (split(line, field, ",") != g_count) {
        print program file ": a line has not " g_count " fields: " line > "/dev/stderr"
        failed = 1
        exit 1
    }
    for (i = 1; i <= g_count; i++)
        g[g_name[i]] = field[i]
    return 1
}

# The value of one key of a flat JSON file, without its quotes; "" when absent.
function json(file, key,    line, value)
{
    value = ""
    while ((getline line < file) > 0)
        if (match(line, "\"" key "\"[ ]*:[ ]*(\"[^\"]*\"|[-+0-9.eE]+)")) {
            value = substr(line, RSTART, RLENGTH)
            sub(/^"[^"]*"[ ]*:[ ]*"?/, "", value)
            sub(/"$/, "", value)
        }
    close(file)
    return value
}
