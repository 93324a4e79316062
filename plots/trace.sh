#!/usr/bin/env bash
# trace.sh [--record] [VARIANT...]: draws which thread touches which element, for every
# variant of steps 01 to 07 or those named, from results/sim/trace/ into plots/trace/.
# --record first runs each on the simulator to write that trace anew (make traces).
# Exit status: 0 drawn; 1 a program failed or a trace is broken, and then no picture is
# touched; 2 usage, or gnuplot is missing.
set -u
export LC_ALL=C.UTF-8 # decimal points, whatever the language
cd "$(dirname "$0")/.." || exit 1

stop() { # status, message
    echo "trace.sh: $2" >&2
    exit "$1"
}

# Small enough to be looked at: two warps, and one block of a few. One SM, so that a
# grid sized by the device is small, too, and its threads have more than one element.
traced="
01 v0                  64
01 v1                  64
02 v2                  64
03 v3x2               128
03 v3x4               256
03 v3x8               512
03 v4                 512
03 v5                 512
04 v6                 512
04 v6_interleaved     512
04 v6_volatile        512
05 atomic_per_warp   1024
05 atomic_per_block  1024
05 block_reduce      1024
06 two_pass          1024
07 cooperative       4096
07 cooperative_source 512
"

record=no
[ "${1:-}" != --record ] || { record=yes; shift; }
for variant in "$@"; do
    [[ $'\n'$traced =~ $'\n'[0-9]+\ $variant\  ]] || stop 2 "no variant \"$variant\" is drawn; usage: plots/trace.sh [--record] [VARIANT...]"
done
command -v gnuplot >/dev/null ||
    stop 2 "gnuplot is missing; on Debian or Ubuntu type: sudo apt-get install -y gnuplot-nox"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

record_trace() { # step, variant, n
    "build/sim/step$1" -v "$2" -n "$3" -b 64 --sms 1 --trace "$work/$2.csv" >"$work/output" 2>&1 ||
        [ -s "$work/$2.csv" ] || # a specimen's race is status 1; a step that fails writes no trace
        stop 1 "$2: $(tail -n 1 "$work/output")"
}

draw() { # step, variant
    local folder=(steps/"$1"_*) format
    [ -s "$work/$2.csv" ] || stop 1 "no results/sim/trace/$2.csv: make traces writes it"
    awk -v source="${folder[0]}/reduce.cu" -v threads=64 -v data="$work/$2.data" -f plots/trace.awk "$work/$2.csv" \
        >"$work/$2.params" 2>"$work/why" || stop 1 "$(cat "$work/why")"
    for format in svg png; do
        (cd plots && gnuplot -e "params='$work/$2.params'; data='$work/$2.data'; format='$format'; \
            picture='$work/$2.$format'" trace.gp) 2>"$work/why" ||
            stop 1 "$2.$format: $(grep -m 1 . "$work/why")"
    done
}

drawn=()
while read -r step variant n; do
    [ -n "$step" ] || continue
    [ $# -eq 0 ] || [[ " $* " == *" $variant "* ]] || continue
    if [ $record = yes ]; then
        record_trace "$step" "$variant" "$n"
    else
        cp "results/sim/trace/$variant.csv" "$work/" 2>/dev/null
    fi
    draw "$step" "$variant"
    drawn+=("$variant")
done <<<"$traced"

mkdir -p results/sim/trace plots/trace || stop 1 "cannot make results/sim/trace or plots/trace"
for variant in "${drawn[@]}"; do
    [ $record = no ] || mv "$work/$variant.csv" results/sim/trace/ || stop 1 "cannot write to results/sim/trace"
    mv "$work/$variant.svg" "$work/$variant.png" plots/trace/ || stop 1 "cannot write to plots/trace"
done
echo "drew ${#drawn[@]} traces into plots/trace"
