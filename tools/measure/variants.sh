#!/usr/bin/env bash
# tools/measure/variants.sh PROGRAM [CONDITION]: the names of a program's variants, with commas between; of those for
# which an awk condition on the columns of its --list --csv holds, as in 'f["task"] == "sum" && f["runs_here"]'.
# Exit status: the program's.
set -u
[ $# -eq 1 ] || [ $# -eq 2 ] || { echo 'usage: tools/measure/variants.sh PROGRAM [CONDITION]' >&2; exit 2; }
[ -f "$1" ] && [ -x "$1" ] || { echo "variants.sh: no program $1: make builds it" >&2; exit 2; }
list=$("$1" --list --csv -) || exit
awk -F, '
NR == 1 { for (i = 1; i <= NF; i++) column[i] = $i; next }
{ for (i = 1; i <= NF; i++) f[column[i]] = $i }
'"${2:-1}"' { printf "%s%s", comma, f["variant"]; comma = "," }
END { print "" }' <<<"$list"
