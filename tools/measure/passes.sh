#!/usr/bin/env bash
# tools/measure/passes.sh FILE: how long each pass of steps 01 to 04 takes, by Nsight Compute.
# They launch their kernel again until one value is left, so a sum is several launches;
# the time that ./step01 prints is that of all. Needs a GPU and ncu.
set -eu
cd "$(dirname "$0")/.."

[ $# -eq 1 ] || { echo 'usage: tools/measure/passes.sh FILE' >&2; exit 2; }
command -v ncu >/dev/null || { echo 'passes.sh: ncu (Nsight Compute) is missing' >&2; exit 2; }
make -s -j"$(nproc)" BACKEND=cuda all
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# ncu empties the caches before each kernel, and leaves the clocks alone.
echo 'step,kernel,n,pass,grid,duration_us' >"$work/csv"
for step in 01 02 03 04; do
    for n in 1M 16M 256M; do
        ncu --clock-control none --csv --metrics gpu__time_duration.sum --kernel-name regex:'^v[0-9]' \
            "build/cuda/step$step" --check -n $n >"$work/log"
        # A pass of one block is the last of its sum.
        grep -E '^"[0-9]' "$work/log" | sed 's/", *"/|/g; s/^"//; s/"$//' |
            awk -F'|' -v step="$step" -v n=$n '{
                kernel = $5; sub(/^void /, "", kernel); sub(/\(.*/, "", kernel)
                gsub(/[(),]/, " ", $9); split($9, size, " "); gsub(/,/, "", $15)
                printf "%s,%s,%s,%d,%d,%.3f\n", step, kernel, n, ++pass, size[1], $15 / ($14 == "ns" ? 1000 : 1)
                if (size[1] == 1) pass = 0
            }' >>"$work/csv"
    done
done
mv "$work/csv" "$1"
