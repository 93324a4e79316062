#!/usr/bin/env bash
# tools/measure/compare_types.sh FOLDER [--quick]: the library's sums of each type against CUB's, a plain read and PyTorch's,
# on this GPU; make compare-types calls it. Writes types.csv (CUB and the read), types_torch.csv and
# types.json (where and when) to FOLDER, each whole or not at all. CCCL=FOLDER has the headers of a newer CCCL;
# PYTHON=... is a python3 that has PyTorch: without one, types_torch.csv is left out. --quick: every
# other power of two.
# Exit status: 0, 1 if a sum is slower than CUB's somewhere, or wrong, 2 usage, 77 no GPU here.
set -u
. "$(dirname -- "$0")/../environment.sh"
export LC_ALL=C

usage='usage: tools/measure/compare_types.sh FOLDER [--quick], a folder such as results/h200'
[ $# -eq 1 ] || [ "$*" = "${1:-} --quick" ] || { echo "$usage" >&2; exit 2; }
[ -d "$1" ] || { echo "compare_types.sh: no folder $1: ./run_all.sh makes one" >&2; exit 2; }
folder=$(realpath "$1") quick=${2:-}
cd "$(dirname "$0")/../.." || exit 1
tools/setup.sh --check gpu || exit
torch=yes
tools/setup.sh --check torch || torch=no # it says so before hours of work; ours is timed without it
build=build/cuda
make -s -j"$(nproc)" BACKEND=cuda ${CCCL:+CCCL="$CCCL"} $build/compare_types $build/libsum_f32.so $build/machine || exit 1

newer=$(sed -n 's/.*CCCL_VERSION \([0-9]*\).*/\1/p' "${CCCL:-.}/cuda/std/__cccl/version.h" 2>/dev/null | head -1)
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
$build/compare_types --most 1G ${quick:+"$quick"} --csv "$scratch/types.csv"
status=$?
[ $status -le 1 ] && [ -s "$scratch/types.csv" ] || exit $status

step=2
[ -z "$quick" ] || step=4
sizes=$(for k in $(seq 0 $step 30); do echo $((1 << k)); done | paste -sd,)
torch_status=77
if [ $torch = yes ]; then
    "${PYTHON:-python3}" tools/measure/time_torch_sum.py "$scratch/types_torch.csv" $build/libsum_f32.so "$sizes"
    torch_status=$?
fi
[ $torch_status -eq 0 ] || [ $torch_status -eq 77 ] || exit $torch_status
version=$(sed -n '2s/.*,\([^,]*\),[^,]*$/\1/p' "$scratch/types_torch.csv" 2>/dev/null)
origin=$(tools/provenance.sh) || exit
mapfile -t origin <<<"$origin"
$build/machine "${origin[@]}" ${newer:+newer_cccl="$newer"} ${version:+torch="$version"} >"$scratch/types.json" || exit
rm -f "$folder/types_torch.csv" # it belongs to the run before
tools/put_files.sh "$folder" "$scratch"/types* || exit 1
exit $status
