#!/usr/bin/env bash
# tools/measure/time_program.sh ROUNDS FILE.csv PROGRAM SIZES OTHER_SIZES [option...]: the CSV of one program, by
# several processes, one after the other; merge_rounds.awk says how theirs become one.
# Times differ more from process to process than within one. Sizes above 16M, which differ little,
# are left to the first 3 processes; what runs on the CPU, which is slow, to the first.
# A program that answers other questions than the sum has many variants, whose answers the CPU judges
# word by word: it takes OTHER_SIZES, 5 processes at most, and those above 16M only once.
# Prints how many variants and sizes these were. Exit status: the program's; if that is not 0, what it
# printed is shown, and no file is written. 77, after one line, if no size is for it.
set -u
export LC_ALL=C
[ $# -ge 5 ] || { echo 'usage: tools/measure/time_program.sh ROUNDS FILE.csv PROGRAM SIZES OTHER_SIZES [option...]' >&2; exit 2; }
here=$(dirname "$0")
. "$here/run.sh"
rounds=$1 file=$2 program=$3 sizes=$4 few=3
[[ $rounds =~ ^[0-9]{1,3}$ ]] || { echo "time_program.sh: \"$rounds\" is no number of rounds" >&2; exit 2; }
[ -f "$program" ] && [ -x "$program" ] || { echo "time_program.sh: no program $program: make builds it" >&2; exit 2; }
variants() { "$here/variants.sh" "$program" "$1" 2>/dev/null; } # if it fails, its run will say why

if [ -n "$(variants 'f["task"] != "sum" && !f["roof"]')" ]; then
    sizes=$5 few=1
    [ "$rounds" -le 5 ] || rounds=5
fi
shift 5
[ -z "$(variants 'f["max_row"] > 0')" ] || set -- --row 32,1K,8K "$@"
[ -n "$sizes" ] || { echo 'none of the sizes is for this program' >&2; exit 77; }
small=$("$here/parse_sizes.sh" "$sizes" 16M) || exit
work=$(mktemp -d) || exit 1
trap 'trap "" INT TERM HUP; rm -rf "$work"' EXIT
trap 'trap "" INT TERM HUP; stop_child; exit 130' INT
trap 'trap "" INT TERM HUP; stop_child; exit 143' TERM HUP

for ((round = 1; round <= rounds; round++)); do
    mkdir "$work/$round"
    csv=$work/$round/${file##*/} # the name that a complaint about a line shows
    run "$program" -n "$sizes" "$@" --csv "$csv" >"$work/table" 2>"$work/notes"
    status=$?
    if [ $status -ne 0 ]; then
        cat "$work/table"
        { head -c 4096 /dev/zero >"$work/room"; } 2>/dev/null || echo "time_program.sh: no room is left in ${TMPDIR:-/tmp}" >&2
        cat "$work/notes" >&2
        exit $status
    fi
    if [ $round -eq 1 ] && [ -n "$(variants 'f["on_cpu"]')" ]; then
        set -- "$@" -v "$(variants 'f["runs_here"] && !f["on_cpu"] && !f["known_wrong"]')"
    fi
    [ $round -lt $few ] || sizes=$small
    [ -n "$sizes" ] || break
done
cat "$work/notes" >&2
if ! why=$(python3 "$here/../pages/schema.py" "$work"/*/*.csv 2>&1) && python3 -c '' 2>/dev/null; then # where none works, our programs are believed
    echo "time_program.sh: ${why#*: "$work"/*/}" >&2
    exit 1
fi
awk -v program='time_program.sh: ' -f "$here/rows.awk" -f "$here/merge_rounds.awk" "$work"/*/*.csv >"$work/merged" &&
    mkdir "$work/whole" && mv "$work/merged" "$work/whole/${file##*/}" || exit 1
"$here/../put_files.sh" "$(dirname -- "$file")" "$work/whole/${file##*/}" || exit 1
awk -F, 'FNR > 1 { variants += !v[$2]++; sizes += !n[$5]++ }
    END { printf "%d variant%s, %d size%s\n", variants, (variants == 1 ? "" : "s"), sizes, (sizes == 1 ? "" : "s") }' "$file"
