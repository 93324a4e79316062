#!/usr/bin/env bash
# trace.sh [PICTURE...]: runs variants on the simulator, with --trace, and draws which thread touches
# which element: every picture of the table below, or those named, into plots/trace/ (make traces).
# Exit status: 0 drawn; 1 a program failed or its trace cannot be drawn, and then no picture is
# touched; 2 usage.
set -u
. "$(dirname -- "$0")/../environment.sh"
export LC_ALL=C # decimal points, whatever the language
shopt -s nullglob
cd "$(dirname "$0")/../.." || exit 1

stop() { # status, message
    echo "trace.sh: $2" >&2
    exit "$1"
}

# The picture, the script here that draws it, the program, its variant, n, the threads of a block,
# and perhaps what that script is told before this trace; lines of one picture are its panels.
# Small enough to be looked at: two warps, and one block of a few.
pictures="
v0                 accesses  step01    v0                    64 64
v1                 accesses  step01    v1                    64 64
v2                 accesses  step02    v2                    64 64
v3x2               accesses  step03    v3x2                 128 64
v3x4               accesses  step03    v3x4                 256 64
v3x8               accesses  step03    v3x8                 512 64
v4                 accesses  step03    v4                   512 64
v6                 accesses  step04    v6                   512 64
v6_interleaved     accesses  step04    v6_interleaved       512 64
banks              banks     step04    v6_interleaved      2048 256 rounds=5
atomic_per_warp    accesses  step05    atomic_per_warp     1024 64
atomic_per_block   accesses  step05    atomic_per_block    1024 64
block_reduce       accesses  step05    block_reduce        1024 64
two_pass           accesses  step06    two_pass            1024 64
cooperative        accesses  step07    cooperative         4096 64 skip=8-11:block_sum()
cooperative_source accesses  step07    cooperative_source   512 64 first=1
vector_x1          accesses  step08    vector_x1           1024 64
vector_x2          accesses  step08    vector_x2           1024 64
vector_x4          accesses  step08    vector_x4           2048 64
vector_x8          accesses  step08    vector_x8           4096 64
vector_x16         accesses  step08    vector_x16          8192 64
ticket             accesses  step09    ticket              8192 64 skip=2-5:block_sum()
flagged_slots      accesses  step09    flagged_slots       8192 64 skip=3-6:block_sum(),9-14:block_sum()
fixed_point        accesses  step09    fixed_point         8192 64
cluster_8          accesses  step10    cluster_8           8192 64
cluster_16         accesses  step10    cluster_16         16384 64
clusters           accesses  step10    clusters           32768 64 skip=6-6:warp_sum(),9-14:block_sum()
sum_f32            accesses  step11    sum_f32             1024 64
butterfly          accesses  exchange  butterfly            256 32 every=8
transpose          registers transpose transpose           1024 32
trees              trees     step01    v1                    32 32 title=v0, v1: neighbours first
trees              trees     step02    v2                    32 32 title=v2: half a block apart first
trees              trees     step03    v3x4                  32  8 title=v3x4: each thread adds four, then as v2
trees              trees     step05    atomic_per_warp       32 32 title=A warp's shuffles: every lane adds in every round
"

# shellcheck disable=SC2046  # names are words
[ $# -gt 0 ] || set -- $(awk '{ print $1 }' <<<"$pictures" | uniq)
for name in "$@"; do
    grep -q "^$name " <<<"$pictures" || stop 2 "no picture \"$name\"; usage: tools/draw/trace.sh [PICTURE...]"
done
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
headers=({steps,toolbox}/*/*.{h,cuh} library/*.{h,cu} common/*.{h,cuh})

# One SM, so that a grid sized by the device is small, too, and its threads have more than one element. Two where block 0
# waits for others: on one SM it has none (steps/09_single_pass/waiting.h).
record() { # program, variant, n, threads of a block, trace
    local sms=1
    [ "$2" != flagged_slots ] || sms=2
    [ -x "build/sim/$1" ] || stop 1 "no program build/sim/$1: make traces builds it"
    "build/sim/$1" -v "$2" -n "$3" -b "$4" --sms $sms --trace "$5" >"$work/output" 2>&1 ||
        [ -s "$5" ] || # a kernel that is wrong on purpose has status 1; a program that fails writes no trace
        stop 1 "$1 -v $2: $(grep . "$work/output" | tail -n 1 | grep . || echo "no trace; is there room in ${TMPDIR:-/tmp}?")"
    [ -s "$5" ] || stop 1 "$1 -v $2: no trace"
}

draw() { # picture
    local name script program variant n threads option trace arguments=() sources=()
    while read -r name script program variant n threads option; do
        [ "$name" = "$1" ] || continue
        trace=$work/$1-$program.csv
        record "$program" "$variant" "$n" "$threads" "$trace"
        sources+=(steps/"${program#step}"_*/*.cu toolbox/"$program"/*.cu)
        arguments+=("threads=$threads" ${option:+"$option"} "$trace")
        set -- "$1" "$script"
    done <<<"$pictures"
    awk -v sources="${sources[*]} ${headers[*]}" -f tools/draw/svg.awk -f tools/draw/read_trace.awk \
        -f "tools/draw/$2.awk" "${arguments[@]}" >"$work/$1.svg" 2>"$work/why" || stop 1 "$1: $(grep -m 1 . "$work/why" || echo "failed, and no word why; is there room in ${TMPDIR:-/tmp}?")"
}

for name in "$@"; do
    draw "$name"
done
why=$(tools/put_files.sh plots/trace "$work"/*.svg 2>&1) || stop 1 "${why#put_files.sh: }"
echo "drew $# pictures of traces into plots/trace"
