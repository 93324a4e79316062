#!/usr/bin/env bash
# tools/measure/contribute.sh: make results. Measures every step and the toolbox on this machine's GPU, asks for its
# counters if Nsight Compute (ncu) is here, checks the folder that came out, and says what
# to do with it. Exit status as run_all.sh's: 77 where there is no GPU.
set -u
. "$(dirname -- "$0")/../environment.sh"
cd "$(dirname "$0")/../.." || exit 1
tools/setup.sh python3 || exit # for the check after hours of measuring
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

set -o pipefail
./run_all.sh --gpu | tee "$work/log" || exit
folder=$(sed -n 's|^Results, every size: \(.*\)/\*\.csv and .*|\1|p' "$work/log")
[ -n "$folder" ] || { echo 'contribute.sh: run_all.sh did not say where its results are' >&2; exit 1; }

echo
if command -v ncu >/dev/null; then
    make -s counters COUNTERS="$folder/counters.csv" || # some machines forbid it
        echo "No counters.csv: the rest is whole without it (ncu may need root, or a setting of the driver)."
else
    echo "No counters.csv: ncu (Nsight Compute) is missing. The rest is whole without it."
fi
tools/measure/check_results.py "$folder" || exit 1

typed() { # a text as one has to type it into a shell
    [[ $1 =~ ^[A-Za-z0-9_.+-]+$ ]] && echo "$1" || echo "${1@Q}"
}
name=$(typed "${folder#results/}")
title=$(typed "Results: $(sed -n 's/.*"gpu": "\([^"]*\)".*/\1/p' "$folder/machine.json")")
cat <<TEXT

What to do next:
    look at       $folder and plots/${folder#results/}
    put it into   a branch of your own:
                  git checkout -b results-$name
                  git add results/$name plots/$name
                  git commit -m $title
    then open     a pull request. CONTRIBUTING.md says what it should tell.
TEXT
