#!/usr/bin/env bash
# tools/measure/compare_softmax.sh FOLDER: the softmax of the toolbox and PyTorch's, one after the other on this GPU;
# make compare-softmax calls it. Writes softmax.csv (ours), softmax_torch.csv and softmax.json (where and
# when) to FOLDER, each whole or not at all. PYTHON=... is a python3 that has PyTorch.
# Exit status: 0, 1 if an answer is wrong, 2 usage, 77 no GPU here, or no PyTorch: then ours alone
# is written.
set -u
. "$(dirname -- "$0")/../environment.sh"
export LC_ALL=C

[ $# -eq 1 ] || { echo "usage: tools/measure/compare_softmax.sh FOLDER, such as results/h200" >&2; exit 2; }
[ -d "$1" ] || { echo "compare_softmax.sh: no folder $1: ./run_all.sh makes one" >&2; exit 2; }
folder=$(realpath "$1")
cd "$(dirname "$0")/../.." || exit 1
tools/setup.sh --check gpu || exit
torch=yes
tools/setup.sh --check torch || torch=no # it says so before hours of work; ours is timed without it
build=build/cuda
rows=32,64,128,256,512,1024,2048,4096,8192,16384
sizes=$((1 << 20)),$((16 << 20)),$((256 << 20))
make -s -j"$(nproc)" BACKEND=cuda $build/softmax $build/machine || exit 1

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
$build/softmax -n "$sizes" --row "$rows" --csv "$scratch/softmax.csv" || exit
status=77
if [ $torch = yes ]; then
    "${PYTHON:-python3}" tools/measure/time_torch.py "$scratch/softmax_torch.csv" "$rows" "$sizes"
    status=$?
fi
[ $status -eq 0 ] || [ $status -eq 77 ] || exit $status
version=$(sed -n '2s/.*,\([^,]*\),[^,]*$/\1/p' "$scratch/softmax_torch.csv" 2>/dev/null)
origin=$(tools/provenance.sh) || exit
mapfile -t origin <<<"$origin"
$build/machine "${origin[@]}" ${version:+torch="$version"} >"$scratch/softmax.json" || exit
tools/put_files.sh "$folder" "$scratch"/softmax* || exit 1
[ $status -eq 0 ] || rm -f "$folder/softmax_torch.csv" # it belongs to the run before
exit $status
