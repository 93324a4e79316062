#!/usr/bin/env bash
# tools/measure/softmax.sh FOLDER: the softmax of the toolbox and PyTorch's, one after the other on this GPU;
# make softmax calls it. Writes softmax.csv (ours), softmax_torch.csv and softmax.json (where and
# when) to FOLDER, each whole or not at all. PYTHON=... is a python3 that has PyTorch, COMMIT=...
# says which commit this is where there is no git.
# Exit status: 0, 1 if an answer is wrong, 2 usage, 77 no GPU here, or no PyTorch: then ours alone
# is written.
set -u
export LC_ALL=C

[ $# -eq 1 ] || { echo "usage: tools/measure/softmax.sh FOLDER, such as results/h200" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$1
[ -d "$folder" ] || { echo "softmax.sh: no folder $folder: ./run_all.sh makes one" >&2; exit 2; }
build=$root/build/cuda
rows=32,64,128,256,512,1K,2K,4K,8K,16K
sizes=1M,16M,256M
make -C "$root" -s -j"$(nproc)" BACKEND=cuda build/cuda/step08 build/cuda/machine || exit 1

commit=${COMMIT:-$(git -C "$root" describe --always --dirty --exclude='*' 2>/dev/null || echo unknown)}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$build/step08" -v 'softmax*' -n "$sizes" --row "$rows" --csv "$scratch/softmax.csv" || exit
"${PYTHON:-python3}" "$root/tools/measure/softmax_torch.py" "$scratch/softmax_torch.csv" "$rows" "$sizes"
status=$?
[ $status -eq 0 ] || [ $status -eq 77 ] || exit $status
version=$(sed -n '2s/.*,\([^,]*\),[^,]*$/\1/p' "$scratch/softmax_torch.csv" 2>/dev/null)
driver=$(nvidia-smi -i 0 --query-gpu=driver_version --format=csv,noheader 2>/dev/null)
"$build/machine" commit="$commit" date="$(date -u +%Y-%m-%dT%H:%M:%SZ)" ${driver:+nvidia_driver="$driver"} \
    ${version:+torch="$version"} >"$scratch/softmax.json" || exit
rm -f "$folder/softmax_torch.csv" # it belongs to the run before
mv "$scratch"/softmax* "$folder/" || exit 1
exit $status
