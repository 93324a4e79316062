#!/usr/bin/env bash
# tools/measure/noise.sh FIRST SECOND: how much two whole runs of ./run_all.sh differ, on the ladder. Prints a
# CSV: each time of the folder FIRST beside that of SECOND, and the difference in percent.
set -eu
. "$(dirname -- "$0")/../environment.sh"
[ $# -eq 2 ] || { echo 'usage: tools/measure/noise.sh FIRST_FOLDER SECOND_FOLDER >noise.csv' >&2; exit 2; }
here=$(cd -- "$(dirname -- "$0")" && pwd)
first=$(cd -- "$1" && pwd) # a name with = in it would set a variable of awk's
second=$(cd -- "$2" && pwd)
[ -n "$(compgen -G "$first/[0-9]*.csv")" ] && [ -n "$(compgen -G "$second/[0-9]*.csv")" ] ||
    { echo 'noise.sh: no CSV files of ./run_all.sh in one of these folders' >&2; exit 2; }
"$here/../setup.sh" --check python3
why=$(python3 "$here/../pages/schema.py" "$first"/[0-9]*.csv "$second"/[0-9]*.csv 2>&1) || { echo "noise.sh: ${why#schema.py: }" >&2; exit 1; }
echo 'step,variant,n,cache,launch,first_us,second_us,difference_pct'
awk -v program='noise.sh: ' -v second="$second" -f "$here/rows.awk" -f <(cat <<'AWK'
f["backend"] == "cuda" && f["median_us"] > 0 {
    key = f["step"] "," f["variant"] "," f["n"] "," f["cache"] "," f["launch"]
    if (index(FILENAME, second "/") == 1 && key in first)
        printf "%s,%s,%s,%.2f\n", key, first[key], f["median_us"], 100 * (f["median_us"] / first[key] - 1)
    else
        first[key] = f["median_us"]
}
AWK
) "$first"/[0-9]*.csv "$second"/[0-9]*.csv
