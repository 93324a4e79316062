#!/usr/bin/env bash
# tools/measure/compare_library.sh FOLDER: the library against CUB and others, and the sweep behind steps 08
# and 11, on this GPU; make compare calls it. Writes compare.csv, tune.csv, sweep.csv and compare.json
# (where and when) to FOLDER, each whole or not at all. CCCL=FOLDER has the headers of a newer CCCL.
# Exit status: 0, 1 if sum_f32() is slower than CUB somewhere, 2 usage, 77 no GPU here.
set -u
. "$(dirname -- "$0")/../environment.sh"
export LC_ALL=C

[ $# -eq 1 ] || { echo "usage: tools/measure/compare_library.sh FOLDER, such as results/h200" >&2; exit 2; }
[ -d "$1" ] || { echo "compare_library.sh: no folder $1: ./run_all.sh makes one" >&2; exit 2; }
folder=$(realpath "$1")
cd "$(dirname "$0")/../.." || exit 1
tools/setup.sh --check gpu || exit
build=build/cuda
make -s -j"$(nproc)" BACKEND=cuda ${CCCL:+CCCL="$CCCL"} $build/compare $build/tune $build/step08 $build/machine || exit 1

newer=$(sed -n 's/.*CCCL_VERSION \([0-9]*\).*/\1/p' "${CCCL:-.}/cuda/std/__cccl/version.h" 2>/dev/null | head -1)
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
origin=$(tools/provenance.sh) || exit
mapfile -t origin <<<"$origin"
$build/machine "${origin[@]}" ${newer:+newer_cccl="$newer"} >"$scratch/compare.json" || exit

$build/tune "$scratch/tune.csv" || exit
$build/step08 --demo >"$scratch/sweep.csv" || exit
$build/compare --csv "$scratch/compare.csv"
status=$?
[ $status -le 1 ] && [ -s "$scratch/compare.csv" ] || exit $status
tools/put_files.sh "$folder" "$scratch"/*.csv "$scratch"/*.json || exit 1
exit $status
