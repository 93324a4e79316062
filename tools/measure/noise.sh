#!/usr/bin/env bash
# tools/measure/noise.sh FIRST SECOND: how much two whole runs of ./run_all.sh differ, on the ladder. Prints a
# CSV: each time of the folder FIRST beside that of SECOND, and the difference in percent.
set -eu
[ $# -eq 2 ] || { echo 'usage: tools/measure/noise.sh FIRST_FOLDER SECOND_FOLDER >noise.csv' >&2; exit 2; }
echo 'step,variant,n,cache,launch,first_us,second_us,difference_pct'
awk -v program='noise.sh: ' -v second="$2" -f "$(dirname "$0")/../draw/csv.awk" -f <(cat <<'AWK'
f["backend"] == "cuda" && f["median_us"] > 0 {
    key = f["step"] "," f["variant"] "," f["n"] "," f["cache"] "," f["launch"]
    if (index(FILENAME, second "/") == 1 && key in first)
        printf "%s,%s,%s,%.2f\n", key, first[key], f["median_us"], 100 * (f["median_us"] / first[key] - 1)
    else
        first[key] = f["median_us"]
}
AWK
) "$1"/[0-9]*.csv "$2"/[0-9]*.csv
