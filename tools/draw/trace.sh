#!/usr/bin/env bash
# trace.sh [--record] [VARIANT...]: draws which thread touches which element, for every
# variant of steps 01 to 11 or those named, from results/sim/trace/ into plots/trace/; of step
# 08 some only. And the trees of additions of four of them, over a few numbers (named "trees"),
# and a tile in the registers of a warp (named "transpose").
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
# Step, variant, n; then, if not 64, the threads of a block; of how many shuffles in a row one
# is drawn, where a thread does the same with several registers; and how many of the bands are
# drawn, if not all, where the same comes again and again.
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
08 butterfly          256 32 8
08 scan_warp          256 32 1 3
09 vector_x1         1024
09 vector_x2         1024
09 vector_x4         2048
09 vector_x8         4096
09 vector_x16        8192
10 ticket            8192
10 flagged_slots     8192
10 fixed_point       8192
11 cluster_8         8192
11 cluster_16       16384
11 clusters         32768
11 load              8192
11 load_cs           8192
12 sum_f32           1024
"
# Step, variant, threads of a block, title: the trees over 32 numbers.
trees="
01 v1              32 v0, v1: neighbours first
02 v2              32 v2: half a block apart first
03 v3x4             8 v3x4: each thread adds four, then as v2
05 atomic_per_warp 32 A warp's shuffles: every lane adds in every round
"

record=no
[ "${1:-}" != --record ] || { record=yes; shift; }
for variant in "$@"; do
    [[ $'\n'$traced =~ $'\n'[0-9]+\ $variant\  || $variant = trees || $variant = transpose ]] || stop 2 "no variant \"$variant\" is drawn; usage: tools/draw/trace.sh [--record] [VARIANT...]"
done
command -v gnuplot >/dev/null ||
    stop 2 "gnuplot is missing; on Debian or Ubuntu type: sudo apt-get install -y gnuplot-nox"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

record_trace() { # step, variant, n, threads of a block, name
    "build/sim/step$1" -v "$2" -n "$3" -b "$4" --sms 1 --trace "$work/$5.csv" >"$work/output" 2>&1 ||
        [ -s "$work/$5.csv" ] || # a specimen's race is status 1; a step that fails writes no trace
        stop 1 "$2: $(tail -n 1 "$work/output")"
}

# The trace to draw: recorded anew, or that of results/sim/trace.
find_trace() { # as record_trace
    if [ $record = yes ]; then
        record_trace "$@"
    else
        cp "results/sim/trace/$5.csv" "$work/" 2>/dev/null
    fi
    [ -s "$work/$5.csv" ] || stop 1 "no results/sim/trace/$5.csv: make traces writes it"
    traces+=("$5")
}

draw() { # picture, layout, arguments of its awk script ...
    local picture=$1 layout=$2 format
    shift 2
    awk -v data="$work/$picture.data" -f tools/draw/traced.awk -f "plots/$layout.awk" "$@" >"$work/$picture.params" 2>"$work/why" ||
        stop 1 "$(cat "$work/why")"
    for format in svg png; do
        (cd plots && gnuplot -e "params='$work/$picture.params'; data='$work/$picture.data'; format='$format'; \
            picture='$work/$picture.$format'" "$layout.gp") 2>"$work/why" ||
            stop 1 "$picture.$format: $(grep -m 1 . "$work/why")"
    done
    drawn+=("$picture")
}

wanted() { # picture, names asked for ...
    [ $# -eq 1 ] || [[ " ${*:2} " == *" $1 "* ]]
}

traces=() drawn=()
while read -r step variant n threads every most; do
    [ -n "$step" ] && wanted "$variant" "$@" || continue
    find_trace "$step" "$variant" "$n" "${threads:=64}" "$variant"
    files=(steps/"$step"_*/*.cu steps/*/*.h)
    draw "$variant" trace -v sources="${files[*]}" -v threads="$threads" -v every="${every:-1}" -v most_bands="${most:-0}" "$work/$variant.csv"
done <<<"$traced"

if wanted transpose "$@"; then
    find_trace 08 transpose 1024 32 transpose
    draw transpose tile "$work/transpose.csv"
fi

if wanted trees "$@"; then
    titles="" files=()
    while read -r step variant threads title; do
        [ -n "$step" ] || continue
        find_trace "$step" "$variant" 32 "$threads" "tree_$variant"
        titles+=${titles:+|}$title
        files+=("$work/tree_$variant.csv")
    done <<<"$trees"
    draw trees tree -v titles="$titles" "${files[@]}"
fi

mkdir -p results/sim/trace plots/trace || stop 1 "cannot make results/sim/trace or plots/trace"
for trace in "${traces[@]}"; do
    [ $record = no ] || mv "$work/$trace.csv" results/sim/trace/ || stop 1 "cannot write to results/sim/trace"
done
for picture in "${drawn[@]}"; do
    mv "$work/$picture.svg" "$work/$picture.png" plots/trace/ || stop 1 "cannot write to plots/trace"
done
echo "drew ${#drawn[@]} pictures of traces into plots/trace"
