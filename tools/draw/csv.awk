# csv.awk: reads the CSV files that the steps write, for every awk script here:
#     awk -f tools/draw/csv.awk -f tools/draw/bars.awk results/h200/*.csv
# The rules of the second script find each row in f[], by the names of the header:
# f["variant"], f["n"], f["median_us"] ... An empty field was not measured.
# Alone it only checks: a broken line is named on stderr, exit status 1.

# What each column may hold is in tools/pages/schema.csv (schema=FILE where that is not below the
# working folder).

BEGIN {
    FS = ","
    if (schema == "")
        schema = "tools/pages/schema.csv"
}

FNR == 1 {
    read_header()
    next
}

{
    read_row()
}

function read_schema(    line, part)
{
    while ((getline line < schema) > 0) {
        split(line, part, ",")
        if (part[1] != "run")
            continue
        column[++columns] = part[2]
        kind[part[2]] = part[3]
        least[part[2]] = part[4] + 0
        most[part[2]] = part[5] + 0
        allowed[part[2]] = part[6]
        needed[part[2]] = part[7]
    }
    close(schema)
    if (columns == 0)
        broken("no schema.csv to check it with")
}

function read_header(    i, have)
{
    if (columns == 0)
        read_schema()
    fields = NF
    for (i = 1; i <= NF; i++) {
        name[i] = $i
        have[$i]++
    }
    if (("step" in have) && !("task" in have))
        broken("no column task, so of an older layout: measure again with ./run_all.sh, or rename as results/README.md says")
    for (i = 1; i <= columns; i++)
        if (have[column[i]] != 1)
            broken("the header has " (have[column[i]] ? "two columns " : "no column ") column[i])
    if (NF != columns)
        broken("the header has " NF " columns, not " columns)
}

function read_row(    i, why)
{
    if (NF != fields)
        broken(NF " fields, the header has " fields)
    for (i = 1; i <= fields; i++) {
        f[name[i]] = $i
        why = $i == "" ? (needed[name[i]] ? "empty" : "") : fault(name[i], $i)
        if (why != "")
            broken(name[i] " is " why)
    }
}

# What is wrong with a text that is to be such a field, or "". A wrong sum may be infinite or not a
# number, and so may its error.
function fault(name, text,    shown, list)
{
    shown = substr(text, 1, 60)
    gsub(/[^ -~]/, "?", shown)
    if (allowed[name] != "") {
        list = allowed[name]
        gsub(/ /, ", ", list)
        return index(" " allowed[name] " ", " " text " ") && text !~ / / ? "" : "none of " list ": " shown
    }
    if (kind[name] == "text")
        return is_plain(text) ? "" : "not of letters, digits, blanks and _.+@()- alone: " shown
    if (kind[name] == "error" && text ~ /^[-+]?(inf|nan)$/)
        return ""
    if (kind[name] == "whole" && text !~ /^[0-9]+$/)
        return "not a whole number: " shown
    if (!is_number(text))
        return "not a number: " shown
    return length(text) <= 40 && text + 0 >= least[name] && text + 0 <= most[name] ? "" : \
        sprintf("not between %g and %g: %s", least[name], most[name], shown)
}

function is_plain(text)
{
    return text ~ /^[A-Za-z0-9_ .+@()-]+$/
}

# No larger exponent: some awks take 1e999 for infinite, others for a text.
function is_number(text)
{
    return text ~ /^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9][0-9]?)?$/
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
# it); next_row(file) fills g["n"], g["us"] ... and is 0 after the last row. Its fields are names and
# numbers, none of them larger than anything that was ever counted.
function open_rows(file, wanted, maker,    i, words, names, line)
{
    delete g
    if ((getline line < file) <= 0)
        return 0
    g_count = split(line, g_name, ",")
    words = split(wanted, names, " ")
    for (i = 1; i <= words; i++)
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
    for (i = 1; i <= g_count; i++) {
        g[g_name[i]] = field[i]
        if (field[i] != "" && (!is_plain(field[i]) || field[i] ~ /^[-+.0-9][-+.0-9eE]*$/ && is_huge(field[i]))) {
            print program file ": a field is no name and no number below 1e18: " line > "/dev/stderr"
            failed = 1
            exit 1
        }
    }
    return 1
}

# The value of one key of a flat JSON file, without its quotes; "" when absent, or a number that
# nothing measured can be. What is in a text besides letters, digits, blanks and _.+@()- is ?.
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
    gsub(/[^A-Za-z0-9_ .+@()-]/, "?", value)
    return is_number(value) && is_huge(value) ? "" : value
}

function is_huge(number)
{
    return !is_number(number) || length(number) > 40 || number + 0 > 1e18 || number + 0 < -1e18
}

# A text for gnuplot, which obeys nothing between single quotes. The only way there.
function quoted(text)
{
    gsub(/[[:cntrl:]]/, "?", text)
    gsub(/'/, "''", text)
    return "'" text "'"
}
