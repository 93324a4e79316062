#!/usr/bin/env bash
# tools/measure/compare_exact.sh FOLDER: the exact sum against sum_f32(), a plain read and, with
# CCCL=FOLDER, the headers of a newer CCCL, CUB's sum with the same bits on every GPU; make
# compare-exact calls it. Writes exact.csv and exact.json (where and when) to FOLDER, whole or not at all.
# Exit status: 0, 1 if a sum is wrong, 2 usage, 77 no GPU here.
set -u
. "$(dirname -- "$0")/../environment.sh"
export LC_ALL=C
[ $# -eq 1 ] || { echo 'usage: tools/measure/compare_exact.sh FOLDER, a folder such as results/h200' >&2; exit 2; }
[ -d "$1" ] || { echo "compare_exact.sh: no folder $1: ./run_all.sh makes one" >&2; exit 2; }
folder=$(realpath "$1")
cd "$(dirname "$0")/../.." || exit 1
tools/setup.sh --check gpu || exit
build=build/cuda
make -s -j"$(nproc)" BACKEND=cuda ${CCCL:+CCCL="$CCCL"} $build/compare_exact $build/machine || exit 1

newer=$(sed -n 's/.*CCCL_VERSION \([0-9]*\).*/\1/p' "${CCCL:-.}/cuda/std/__cccl/version.h" 2>/dev/null | head -1)
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
$build/compare_exact --csv "$scratch/exact.csv"
status=$?
[ $status -le 1 ] && [ -s "$scratch/exact.csv" ] || exit $status
origin=$(tools/provenance.sh) || exit
mapfile -t origin <<<"$origin"
$build/machine "${origin[@]}" ${newer:+newer_cccl="$newer"} >"$scratch/exact.json" || exit
tools/put_files.sh "$folder" "$scratch"/exact.* || exit 1
exit $status
