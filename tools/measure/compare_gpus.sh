#!/usr/bin/env bash
# tools/measure/compare_gpus.sh FOLDER: several GPUs of one host; make compare-gpus calls it. Makes the folder if it is
# not there (it is of several GPUs alone: its machine.json says only=14_many_gpus), and writes to it, whole or not at all:
#   14_many_gpus.csv  step 14 on all GPUs, by 3 processes
#   many_gpus.csv     slots over NVLink, NCCL, local sums and one GPU in turn, on 1, 2, 4 and 8 GPUs, if there are so many
#   machine.json      where and when, how many GPUs, how many links of NVLink each, and which NCCL
#   topology.txt      how they are connected, as nvidia-smi tells it
# Exit status: 0, 1 if a sum is wrong, 2 usage, 77 no two GPUs that reach each other's memory here.
set -u
. "$(dirname -- "$0")/../environment.sh"
export LC_ALL=C
export NCCL_NVLS_ENABLE=${NCCL_NVLS_ENABLE:-0} # as in steps/14_many_gpus/nccl.cu
[ $# -eq 1 ] || { echo 'usage: tools/measure/compare_gpus.sh FOLDER, a folder such as results/h200x2' >&2; exit 2; }
folder=$(realpath -m "$1")
"$(dirname -- "$0")/../regular.sh" "$folder/machine.json" || exit 2
[ ! -e "$folder/machine.json" ] || grep -q '"only": "14_many_gpus"' "$folder/machine.json" ||
    { echo "compare_gpus.sh: $1 holds the results of one GPU: choose another folder, such as results/h200x2" >&2; exit 2; }
cd "$(dirname "$0")/../.." || exit 1
gpus=$(nvidia-smi -L 2>/dev/null | grep -c '^GPU')
[ "$gpus" -ge 2 ] || { echo "compare_gpus.sh: $gpus GPUs here, two are needed" >&2; exit 77; }
[ "$gpus" -le 8 ] || gpus=8
build=build/cuda
make -s -j"$(nproc)" BACKEND=cuda $build/compare_gpus $build/step14 $build/machine || exit 1

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/new" || exit 1
wrong=0
for k in 1 2 4 8; do
    [ $k -le "$gpus" ] || break
    $build/compare_gpus --gpus $k --csv "$scratch/$k.csv"
    status=$?
    [ $status -le 1 ] && [ -s "$scratch/$k.csv" ] || exit $status
    [ $status -eq 0 ] || wrong=1
done
awk 'FNR > 1 || NR == 1' "$scratch"/[1248].csv >"$scratch/new/many_gpus.csv" || exit 1
tools/measure/time_program.sh 3 "$scratch/new/14_many_gpus.csv" $build/step14 1K,64K,1M,16M,256M,1G 1K || exit

origin=$(tools/provenance.sh) || exit
mapfile -t origin <<<"$origin"
nvlinks=$(nvidia-smi nvlink -s -i 0 2>/dev/null | grep -c 'Link [0-9]*: [0-9]')
nccl=$(sed -n 's/^#define NCCL_\(MAJOR\|MINOR\|PATCH\) \([0-9]*\).*/\2/p' "$(make -s BACKEND=cuda nccl-header)" | paste -sd.)
$build/machine "${origin[@]}" processes=3 only=14_many_gpus "gpus=$gpus" "nvlinks=$nvlinks" ${nccl:+"nccl=$nccl"} >"$scratch/new/machine.json" || exit
nvidia-smi topo -m | sed 's/\x1b\[[0-9;]*m//g; s/[ \t]*$//' >"$scratch/new/topology.txt"
mkdir -p "$folder" && tools/put_files.sh "$folder" "$scratch"/new/* || exit 1
exit $wrong
