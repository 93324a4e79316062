#!/usr/bin/env bash
# tools/measure/count_on_simulator.sh FILE.csv: the simulator's counts of every program, all launches of a run, at
# two of the settings of profile_kernels.py and with the SMs of the GPU that it profiled.
# make counters-sim builds the programs and calls it; make notes puts both beside each other.
# Exit status: 0 written; 1 a program failed, and then FILE.csv is not touched; 2 usage.
set -u
. "$(dirname -- "$0")/../environment.sh"
shopt -s nullglob
[ $# -eq 1 ] && [ "${1#-}" = "$1" ] || { echo "usage: tools/measure/count_on_simulator.sh FILE.csv" >&2; exit 2; }
file=$(realpath -m -- "$1")
cd "$(dirname "$0")/../.." || exit 1
[ -w "$(dirname -- "$file")" ] || { echo "count_on_simulator.sh: cannot write to $(dirname -- "$file")" >&2; exit 2; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
tools/regular.sh results/h200/counters.json || exit 1
sms=$(sed -n 's/.*"sm_count": \([0-9]*\).*/\1/p' results/h200/counters.json)
[ -n "$sms" ] || { echo "count_on_simulator.sh: results/h200/counters.json does not tell how many SMs the GPU has" >&2; exit 1; }

for folder in steps/*/lesson.c steps/toolbox/*/lesson.c; do
    folder=${folder%lesson.c}
    name=$(basename "$folder")
    case $folder in
    steps/[0-9]*) program=build/sim/step${name%%_*} ;;
    *) program=build/sim/$name ;;
    esac
    kernels=$(tools/measure/variants.sh "$program" 'f["runs_here"] && !f["known_wrong"] && !f["on_cpu"] && !f["roof"]') || exit 1
    uncounted=$(tools/measure/variants.sh "$program" 'f["on_cpu"] || f["roof"]')
    others=$(tools/measure/variants.sh "$program" 'f["task"] != "sum" && !f["roof"]')
    for setting in "65536 256" "20000 128"; do
        [ -n "$kernels" ] || continue
        [ -z "$others" ] || [ "$setting" = "65536 256" ] || continue # of no whole number of their tiles and rows
        # shellcheck disable=SC2086  # names with commas
        if ! "$program" --counters ${uncounted:+-v $kernels} --sms "$sms" -n "${setting% *}" -b "${setting#* }" --csv "$work/one.csv" \
            >"$work/output" 2>"$work/errors"; then
            why=$(cat "$work/output" "$work/errors" | grep . | tail -n 1 | grep . || echo "no output; is there room in ${TMPDIR:-/tmp}?")
            case $why in
            *"threads cannot be there at once"*) # it has not room for so many threads at once
                echo "count_on_simulator.sh: left out $name at n, block = $setting: $why" >&2
                continue
                ;;
            esac
            echo "count_on_simulator.sh: $name: $why" >&2
            exit 1
        fi
        [ -s "$work/all.csv" ] || head -n 1 "$work/one.csv" >"$work/all.csv"
        tail -n +2 "$work/one.csv" >>"$work/all.csv"
    done
done
mkdir "$work/whole" && cp "$work/all.csv" "$work/whole/${file##*/}" && tools/put_files.sh "$(dirname -- "$file")" "$work/whole/${file##*/}"
