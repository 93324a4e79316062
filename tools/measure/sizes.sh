#!/usr/bin/env bash
# tools/measure/sizes.sh cuda|cuda-quick|sim|sim-quick BYTES [LIST]: the sizes of a run, of those in LIST or by default,
# on a device with so many bytes of memory. Two lines: the sizes for programs that answer other questions
# than the sum, which have many variants, whose answers the CPU judges word by word; those for sums.
# Exit status: 2 if the memory holds none, after one line.
set -u
usage() {
    echo 'usage: tools/measure/sizes.sh cuda|cuda-quick|sim|sim-quick BYTES [LIST]' >&2
    exit 2
}
[ $# -eq 2 ] || [ $# -eq 3 ] || usage
[[ $1 =~ ^(cuda|sim)(-quick)?$ ]] || usage
parse=$(dirname "$0")/parse_sizes.sh
most=$((1 << 62)) most_of_others=$((256 << 20)) sums=${3:-} others=${3:-}
if [ -z "$sums" ]; then
    case $1 in
    cuda) sums=1K,4K,16K,64K,256K,1M,4M,16M,64M,256M,1G,2G others=1K,64K,1M,16M,256M ;;
    cuda-quick) sums=64K,1M,16M ;;
    sim) sums=1K,64K,256K ;;
    sim-quick) sums=1K,16K ;;
    esac
fi
case $1 in
sim*) most_of_others=$((64 << 10)) ;;
# The input, and as much again for variants that overwrite their input or answer with n words.
cuda*) ! [[ $2 =~ ^[0-9]+$ ]] || most=$((($2 - (512 << 20)) / 8)) ;;
esac
fitting=$("$parse" "$sums" $most)
[ -n "$fitting" ] || { echo 'sizes.sh: no size fits into the memory of this GPU; choose smaller ones' >&2; exit 2; }
left_out=$(tr , '\n' <<<"$sums" | grep -vxF "$(tr , '\n' <<<"$fitting")" | paste -sd,)
[ -z "$left_out" ] || echo "Left out, too large for the memory of this GPU ($(($2 >> 30)) GiB): $left_out" >&2
printf '%s\n' "$("$parse" "${others:-$sums}" $((most < most_of_others ? most : most_of_others)))" "$fitting"
