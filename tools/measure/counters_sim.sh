#!/usr/bin/env bash
# counters_sim.sh FILE.csv: the simulator's counts of steps 01 to 10, all launches of a sum, at
# two of the settings of tools/measure/counters.py and with the SMs of the GPU that it profiled.
# make counters-sim builds the programs and calls it; make notes puts both beside each other.
# Exit status: 0 written; 1 a program failed, and then FILE.csv is not touched; 2 usage.
set -u
cd "$(dirname "$0")/.." || exit 1
[ $# -eq 1 ] || { echo "usage: tools/measure/counters_sim.sh FILE.csv" >&2; exit 2; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
sms=$(sed -n 's/.*"sm_count": \([0-9]*\).*/\1/p' results/h200/counters.json)

for step in 01 02 03 04 05 06 07 08 09 10 11; do
    for setting in "65536 256" "20000 128"; do
        case $step,$setting in
        07,65536*) continue ;; # more threads at once than it has room for
        08,20000*) continue ;; # not a whole number of its tiles and rows
        esac
        build/sim/step$step --counters --sms "$sms" -n "${setting% *}" -b "${setting#* }" --csv "$work/one.csv" \
            >"$work/output" 2>&1 || { echo "counters_sim.sh: $(tail -n 1 "$work/output")" >&2; exit 1; }
        [ -s "$work/all.csv" ] || head -n 1 "$work/one.csv" >"$work/all.csv"
        tail -n +2 "$work/one.csv" >>"$work/all.csv"
    done
done
cp "$work/all.csv" "$1"
