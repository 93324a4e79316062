#!/usr/bin/env bash
# tools/measure/list_variants.sh PROGRAM...: what these programs say of their variants, as CSV. ./run_all.sh puts it beside
# what it measured (variants.csv), and tools/measure/check_results.py judges the folder by it: not by what came later.
# Exit status: that of the first program that fails.
set -u
[ $# -gt 0 ] || { echo 'usage: tools/measure/list_variants.sh PROGRAM..., as in tools/measure/list_variants.sh build/sim/step*' >&2; exit 2; }
columns=step,variant,task,runs_here,known_wrong,on_cpu,roof,many_gpus,min_row,max_row,capability,asks_room
echo "$columns" || exit 1
for program; do
    list=$("$program" --list --csv -) || exit
    awk -F, -v columns="$columns" '
    NR == 1 { for (i = 1; i <= NF; i++) place[$i] = i; count = split(columns, column, ","); next }
    { for (i = 1; i <= count; i++) printf "%s%s", place[column[i]] ? $place[column[i]] : 0, i < count ? "," : "\n" }' <<<"$list" || exit 1
done
