#!/usr/bin/env bash
# tools/measure/errors.sh FILE.csv: how wrong are step 11's sums and CUB's, of numbers of both signs? One
# draw says little, so several: seeds 1 to 8, 2^31 and 2^24 elements. Needs a GPU.
# Columns: variant, n, seed, error in units of 2^-24 times the sum of magnitudes.
# Exit status: 0, 1 a sum was wrong, 2 usage.
set -u
. "$(dirname -- "$0")/../environment.sh"
export LC_ALL=C
[ $# -eq 1 ] && [ "${1#-}" = "$1" ] || { echo 'usage: tools/measure/errors.sh FILE.csv' >&2; exit 2; }
file=$(realpath -m -- "$1")
[ -w "$(dirname -- "$file")" ] || { echo "errors.sh: cannot write to $(dirname -- "$file")" >&2; exit 2; }
cd "$(dirname "$0")/../.." || exit
tools/setup.sh --check gpu || exit
make -s -j"$(nproc)" BACKEND=cuda step00 step11 || exit 1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
work=$folder/${file##*/}
echo 'variant,n,seed,error' >"$work"
for seed in 1 2 3 4 5 6 7 8; do
    for program in 'step11 -v sum_f32' 'step00 -v cub'; do
        # shellcheck disable=SC2086  # words
        rows=$(build/cuda/$program -n 16M,2G --seed $seed --check --csv - 2>"$folder/why") || { echo "errors.sh: ./$program --seed $seed: $(tail -n 1 "$folder/why")" >&2; exit 1; }
        awk -F, -v seed=$seed 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
            { printf "%s,%s,%d,%.4g\n", $at["variant"], $at["n"], seed, $at["rel_err"] * 2 ^ 24 }' <<<"$rows" >>"$work"
    done
done
tools/put_files.sh "$(dirname -- "$file")" "$work"
