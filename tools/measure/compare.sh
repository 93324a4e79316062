#!/usr/bin/env bash
# tools/measure/compare.sh SUBJECT FOLDER [--quick]: ours against its rivals on this GPU; make compare, compare-types,
# compare-exact, compare-gpus, compare-rows, compare-row-types and compare-softmax call it. Writes to FOLDER, whole or not at all:
#   floats    compare.csv, compare.json; tune.csv and sweep.csv, from which the limits of sum_f32_plan.c and step 08 come
#   types     types.csv, types.json; types_torch.csv if there is PyTorch
#   exact     exact.csv, exact.json
#   gpus      many_gpus.csv (on 1, 2, 4 and 8 GPUs, if there are so many), 14_many_gpus.csv (step 14 on all, by 3 processes),
#             machine.json, variants.csv, topology.txt (nvidia-smi's); makes the folder, which is of several GPUs alone
#   rows      rows.csv, rows.json, segments.csv, segments.json; tune_rows.csv, from which the limits of reduce_plan.c come; rows_torch.csv if there is PyTorch, whose torch.compile takes minutes
#   row_types row_types.csv, row_types.json, segment_types.csv, segment_types.json: the same of half and bfloat16; row_types_torch.csv if there is PyTorch
#   softmax   softmax.csv, softmax.json; softmax_torch.csv if there is PyTorch
# A .json says where and when. CCCL=FOLDER has the headers of a newer CCCL, PYTHON=... is a python3 that has PyTorch.
# --quick: fewer sizes; not for softmax.
# Exit status: 0, 1 if a sum is wrong or slower than CUB's somewhere, 2 usage, 77 no GPU here (of gpus: no two that reach
# each other's memory; of softmax: no PyTorch either: then ours alone is written).
set -u
. "$(dirname -- "$0")/../environment.sh"
export LC_ALL=C
export NCCL_NVLS_ENABLE=${NCCL_NVLS_ENABLE:-0} # as in steps/14_many_gpus/nccl.cu

stop() { # status, message
    echo "compare.sh: $2" >&2
    exit "$1"
}
usage='usage: tools/measure/compare.sh floats|types|exact|gpus|rows|row_types|softmax FOLDER [--quick], a folder such as results/h200'
subject=${1:-} quick=${3:-} torch=no programs=(compare)
[ $# -eq 2 ] || [ "$#,$quick" = 3,--quick ] || { echo "$usage" >&2; exit 2; }
case $subject in
floats) name=compare programs=(compare step08) ;;
types) name=types torch=yes programs=(compare libsum_f32.so) ;;
exact) name=exact ;;
rows | row_types) name=$subject torch=yes programs=(compare libsum_f32.so) ;;
gpus) name=many_gpus programs=(compare step14) ;;
softmax) name=softmax torch=yes programs=(softmax) ;;
*) echo "$usage" >&2; exit 2 ;;
esac
[ "$subject,$quick" != softmax,--quick ] || stop 2 'softmax has no --quick'
folder=$(realpath -m -- "$2")
[ -d "$2" ] || [ "$subject" = gpus ] || stop 2 "no folder $2: ./run_all.sh makes one"
if [ "$subject" = gpus ]; then
    "$(dirname -- "$0")/../regular.sh" "$folder/machine.json" || exit 2
    [ ! -e "$folder/machine.json" ] || grep -q '"only": "14_many_gpus"' "$folder/machine.json" ||
        stop 2 "$2 holds the results of one GPU: choose another folder, such as results/h200x2"
fi

cd "$(dirname "$0")/../.." || exit 1
tools/setup.sh --check gpu || exit
gpus=$(nvidia-smi -L 2>/dev/null | grep -c '^GPU')
[ "$gpus" -le 8 ] || gpus=8
[ "$subject" != gpus ] || [ "$gpus" -ge 2 ] || stop 77 "$gpus GPUs here, two are needed"
[ $torch = no ] || tools/setup.sh --check torch || torch=missing # it says so before hours of work; ours is timed without it
build=build/cuda
make -s -j"$(nproc)" BACKEND=cuda ${CCCL:+CCCL="$CCCL"} "${programs[@]/#/$build/}" $build/machine || exit 1

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/new" || exit 1
origin=$(tools/provenance.sh) || exit
mapfile -t about <<<"$origin"
newer=$(sed -n 's/.*CCCL_VERSION \([0-9]*\).*/\1/p' "${CCCL:-.}/cuda/std/__cccl/version.h" 2>/dev/null | head -1)
[ -z "$newer" ] || about+=("newer_cccl=$newer")

# Runs the program; a sum that is wrong or slower is noted, and the rest is measured all the same.
status=0
compare() { # FILE.csv, option...
    local csv=$1 ended
    shift
    $build/compare "${asked:-$subject}" "$@" ${quick:+"$quick"} --csv "$csv"
    ended=$?
    [ $ended -le 1 ] && [ -s "$csv" ] || exit $ended
    [ $ended -eq 0 ] || status=1
}
time_torch() { # program, argument...: its times, or none
    local ended=77
    [ $torch = missing ] || { "${PYTHON:-python3}" "tools/measure/$1" "$scratch/new/${name}_torch.csv" "${@:2}"; ended=$?; }
    [ $ended -eq 0 ] || [ $ended -eq 77 ] || exit $ended
    version=$(sed -n '2s/.*,//p' "$scratch/new/${name}_torch.csv" 2>/dev/null)
    [ -z "$version" ] || about+=("torch=$version")
    return $ended
}

file=$scratch/new/$name.csv json=$scratch/new/$name.json
case $subject in
floats)
    $build/compare tune ${quick:+"$quick"} --csv "$scratch/new/tune.csv" || exit
    $build/step08 --demo >"$scratch/new/sweep.csv" || exit
    compare "$file"
    ;;
exact) compare "$file" ;;
types)
    compare "$file"
    step=2
    [ -z "$quick" ] || step=4
    time_torch time_torch_sum.py $build/libsum_f32.so "$(for ((k = 0; k <= 30; k += step)); do echo $((1 << k)); done | paste -sd,)"
    ;;
rows)
    $build/compare tune_rows ${quick:+"$quick"} --csv "$scratch/new/tune_rows.csv" || exit
    compare "$file"
    asked=segments compare "$scratch/new/segments.csv"
    sizes=$((1 << 22)),$((1 << 28)) columns=3,8,32,128,1000,4096,50257,1048576
    [ -z "$quick" ] || sizes=$((1 << 22)) columns=8,128,4096
    time_torch time_torch_rows.py $build/libsum_f32.so "$sizes" "$columns"
    ;;
row_types)
    compare "$file"
    asked=segment_types compare "$scratch/new/segment_types.csv"
    sizes=$((1 << 22)),$((1 << 28)) columns=32,128,1000,4096,50257
    [ -z "$quick" ] || sizes=$((1 << 22)) columns=128,4096
    time_torch time_torch_rows.py $build/libsum_f32.so "$sizes" "$columns" half,bfloat16
    ;;
softmax)
    rows=32,64,128,256,512,1024,2048,4096,8192,16384
    sizes=$((1 << 20)),$((16 << 20)),$((256 << 20))
    $build/softmax -n "$sizes" --row "$rows" --csv "$file" || exit
    time_torch time_torch.py "$rows" "$sizes" || status=77
    ;;
gpus)
    json=$scratch/new/machine.json
    for k in 1 2 4 8; do
        [ $k -gt "$gpus" ] || compare "$scratch/$k.csv" --gpus $k
    done
    awk 'FNR > 1 || NR == 1' "$scratch"/[1248].csv >"$file" || exit 1
    tools/measure/time_program.sh 3 "$scratch/new/14_many_gpus.csv" $build/step14 1K,64K,1M,16M,256M,1G 1K || exit
    tools/measure/list_variants.sh $build/step14 >"$scratch/new/variants.csv" || exit
    nvidia-smi topo -m | sed 's/\x1b\[[0-9;]*m//g; s/[ \t]*$//' >"$scratch/new/topology.txt"
    nccl=$(sed -n 's/^#define NCCL_\(MAJOR\|MINOR\|PATCH\) \([0-9]*\).*/\2/p' "$(make -s BACKEND=cuda nccl-header)" | paste -sd.)
    about+=(processes=3 only=14_many_gpus "gpus=$gpus" "nvlinks=$(nvidia-smi nvlink -s -i 0 2>/dev/null | grep -c 'Link [0-9]*: [0-9]')"
        ${nccl:+"nccl=$nccl"})
    ;;
esac
$build/machine "${about[@]}" >"$json" || exit
for csv in "$scratch"/new/segment*.csv; do # each has a file that says where and when: it may be measured alone later
    [ ! -e "$csv" ] || cp "$json" "${csv%csv}json" || exit
done
tools/put_files.sh "$folder" "$scratch"/new/* || exit 1
[ $torch = no ] || [ -n "${version:-}" ] || rm -f "$folder/${name}_torch.csv" # it belongs to the run before
exit $status
