#!/usr/bin/env bash
# tools/measure/compare.sh FOLDER: step 11 against CUB and others, and the sweeps behind steps 08 and
# 12, on this GPU; make compare calls it. Writes compare.csv, tune.csv, sweep.csv and compare.json
# (where and when) to FOLDER, each whole or not at all. CCCL=FOLDER has the headers of a newer
# CCCL. COMMIT=... says which commit this is where there is no git.
# Exit status: 0, 1 if sum_f32() is slower than CUB somewhere, 2 usage, 77 no GPU here.
set -u
export LC_ALL=C

[ $# -eq 1 ] || { echo "usage: tools/measure/compare.sh FOLDER, such as results/h200" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$1
[ -d "$folder" ] || { echo "compare.sh: no folder $folder: ./run_all.sh makes one" >&2; exit 2; }
build=$root/build/cuda
make -C "$root" -s -j"$(nproc)" BACKEND=cuda ${CCCL:+CCCL="$CCCL"} build/cuda/compare build/cuda/tune \
    build/cuda/step08 build/cuda/machine || exit 1

commit=${COMMIT:-$(git -C "$root" describe --always --dirty --exclude='*' 2>/dev/null || echo unknown)}
newer=$(sed -n 's/.*CCCL_VERSION \([0-9]*\).*/\1/p' "${CCCL:-.}/cuda/std/__cccl/version.h" 2>/dev/null | head -1)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$build/machine" commit="$commit" date="$(date -u +%Y-%m-%dT%H:%M:%SZ)" ${newer:+newer_cccl="$newer"} \
    >"$scratch/compare.json" || exit

"$build/tune" "$scratch/tune.csv" || exit
"$build/step08" --demo >"$scratch/sweep.csv" || exit
"$build/compare" --csv "$scratch/compare.csv"
status=$?
[ $status -le 1 ] && [ -s "$scratch/compare.csv" ] || exit $status
mv "$scratch"/*.csv "$scratch"/*.json "$folder/" || exit 1
exit $status
