#!/usr/bin/env bash
# tools/measure/rows.sh FOLDER [PROGRAMS [SIZES]]: make rows. Times step 16 alone, after the other steps of FOLDER, and puts
# there:
#   16_rows.csv, 16_rows.json   as run_all.sh writes it: rows of 32, 1K and 8K; where and when
#   variants.csv                what is there of step 16, new; the lines of other steps stay
#   rows_map.csv                its faster kernels in rows of 1 to 16M floats, for the map (tools/draw/rows.py draws it)
#   machine.json                where there is none, or of such a folder: where and when, and that it holds step 16 alone
# PROGRAMS: build/cuda, or build/sim to try this script; SIZES: 64K,1M,16M,256M.
# Exit status: 0 written; 1 a program failed, and then FOLDER is as it was; 2 usage.
set -u
. "$(dirname -- "$0")/../environment.sh"
[ $# -ge 1 ] && [ $# -le 3 ] && [ -d "$1" ] || { echo 'usage: tools/measure/rows.sh FOLDER [PROGRAMS [SIZES]], a folder that is there' >&2; exit 2; }
folder=$(realpath -- "$1")
cd "$(dirname "$0")/../.." || exit 1
. tools/measure/run.sh
programs=${2:-build/cuda} sizes=${3:-64K,1M,16M,256M} rounds=5
[ -x "$programs/step16" ] && [ -x "$programs/machine" ] || { echo "rows.sh: no program $programs/step16 or machine: make builds them" >&2; exit 2; }
work=$(mktemp -d) || exit 1
trap 'trap "" INT TERM HUP; rm -rf "$work"' EXIT
trap 'trap "" INT TERM HUP; stop_child; exit 130' INT
trap 'trap "" INT TERM HUP; stop_child; exit 143' TERM HUP
failed() {
    echo "rows.sh: $1 failed; ${folder#"$PWD/"} is as it was" >&2
    exit 1
}

mapfile -t origin < <(tools/provenance.sh)
"$programs/machine" "${origin[@]}" processes=$rounds >"$work/16_rows.json" || failed "$programs/machine"
run tools/measure/time_program.sh $rounds "$work/16_rows.csv" "$programs/step16" "1K,$sizes" "1K,$sizes" || failed 'timing step 16'
run tools/measure/time_program.sh 1 "$work/rows_map.csv" "$programs/step16" "$sizes" "$sizes" \
    --row 1,2,4,8,16,32,64,128,256,1K,4K,16K,64K,256K,1M,16M -v 'row_[!t]*,column_s*,ragged_e*' || failed 'timing rows of all lengths'
tools/measure/list_variants.sh "$programs/step16" >"$work/listed" || failed 'listing the variants'
if [ -e "$folder/variants.csv" ]; then
    [ "$(head -n 1 "$folder/variants.csv")" = "$(head -n 1 "$work/listed")" ] || failed "adding to $folder/variants.csv, which has other columns,"
    { grep -v '^16_rows,' "$folder/variants.csv" && tail -n +2 "$work/listed"; } >"$work/variants.csv"
else
    mv "$work/listed" "$work/variants.csv"
fi
alone=()
if [ ! -e "$folder/machine.json" ] || grep -q '"only": "16_rows"' "$folder/machine.json"; then
    alone=("$work/machine.json")
    "$programs/machine" "${origin[@]}" processes=$rounds only=16_rows >"$work/machine.json" || failed "$programs/machine"
fi
tools/put_files.sh "$folder" "$work/16_rows.csv" "$work/16_rows.json" "$work/variants.csv" "$work/rows_map.csv" "${alone[@]}"
