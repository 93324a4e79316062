#!/usr/bin/env bash
# tools/measure/profile.sh FILE.csv: how near to its limits the memory is under step 11's kernel, CUB's and
# a plain read, by Nsight Compute. Needs a GPU and ncu.
# Columns: kernel, n, µs of the kernel, GB/s read from memory, percent of the peak that ncu knows,
# percent of the reads that the L2 cache answered, percent of the cycles with an instruction issued.
# Exit status: 0, 1 a program or ncu failed, 2 usage or no ncu.
set -u
export LC_ALL=C
[ $# -eq 1 ] || { echo 'usage: tools/measure/profile.sh FILE.csv' >&2; exit 2; }
command -v ncu >/dev/null || { echo 'profile.sh: ncu (Nsight Compute) is missing' >&2; exit 2; }
file=$(realpath "$1")
cd "$(dirname "$0")/.." || exit
make -s -j"$(nproc)" BACKEND=cuda step00 step11 || exit 1
work=$(mktemp)
trap 'rm -f "$work"' EXIT
metrics=gpu__time_duration.sum,dram__bytes_read.sum.per_second,dram__throughput.avg.pct_of_peak_sustained_elapsed
metrics=$metrics,lts__t_sector_op_read_hit_rate.pct,smsp__issue_active.avg.pct_of_peak_sustained_active
echo 'kernel,n,us,gbps,pct_of_peak,l2_hit_pct,issue_pct' >"$work"
for n in 33554432 67108864 268435456 2147483648; do
    for program in 'step11 -v sum_f32 many_blocks sum_f32' 'step00 -v cub DeviceReduceKernel cub' 'step00 -v read read_kernel read'; do
        # shellcheck disable=SC2086  # words
        set -- $program
        rows=$(ncu --clock-control none --csv --page raw --print-units base --metrics $metrics --kernel-name "regex:$4" \
            --launch-count 1 build/cuda/$1 $2 $3 --check -n $n) || { echo "profile.sh: ncu of $1 failed" >&2; exit 1; }
        echo "$rows" | python3 -c '
import csv, sys
lines = [line for line in sys.stdin.read().splitlines() if line.startswith("\"")]
rows = [row for row in csv.DictReader(lines) if row["ID"]]
number = lambda text: float(text.replace(",", ""))
names = sys.argv[3].split(",")
for row in rows[:1]:
    us, rate, *rest = [number(row[name]) for name in names]
    print(f"{sys.argv[1]},{sys.argv[2]},{us / 1000:.2f},{rate / 1e9:.1f}," + ",".join(f"{x:.2f}" for x in rest))
' "$5" $n $metrics >>"$work" || exit 1
    done
done
mv "$work" "$file" && chmod 644 "$file"
