#!/usr/bin/env bash
# run_all.sh: builds and runs every step and every topic of the toolbox, collects the results, draws the plots.
# Results are collected in a temporary folder beside the one that they belong in, and replace that at the end:
# a run that fails or is interrupted leaves the earlier results whole.
[ -n "${BASH_VERSION:-}" ] && [ -z "${POSIXLY_CORRECT+set}" ] || { # sh run_all.sh: another shell, or bash that plays it
    unset POSIXLY_CORRECT
    exec bash "$0" "$@"
}
set -u
shopt -s nullglob
export LC_ALL=C # decimal points, whatever the language
root=$(dirname -- "$(realpath -- "$0")") # a link may lead here
. "$root/tools/environment.sh"
typed_in=$PWD
cd -- "$root" || exit 1
. tools/measure/results_folder.sh
. tools/measure/run.sh

usage='usage: ./run_all.sh [options]

Builds and runs every step and the toolbox, on the GPU if there is one, else on the
simulator; then prints a table and draws the plots.

  --quick        a few small sizes, few repeats: a minute on a GPU. Goes to its own
                 folder, results/<name>-quick
  --gpu, --sim   where to run, instead of choosing
  --rounds R     processes that time each step on a GPU; the results are their means
                 (default 15: times differ more from process to process than within
                 one; sizes above 16M, which differ little, are left to the first 3)
  --sizes LIST   numbers to sum, as in 64K,1M,16M (powers of 1024) or 1<<20
                 (default: 1K,4K,16K ... 1G and 2G on a GPU; 1K,64K,256K on the simulator);
                 a program that takes none of them is left out
  --out DIR      the folder for the results: new, empty, or of an earlier run, whose
                 files are replaced; others in it stay
                 (default: results/<name of the GPU>, or results/sim)
  --no-plots     draw nothing; make plots draws later. Without gnuplot and python3 nothing is drawn, either
  --setup        only find what is missing, for make test too, and install it if it may
  --help         this text

The pictures go to plots/<name> if the results go to results/<name>, else to DIR/plots.
Missing tools (make, gcc, g++, awk, gnuplot, python3) are installed with apt-get if that needs no
password; RUN_ALL_APT=no ./run_all.sh forbids it. Where there is no git, COMMIT=... says
which commit the results belong to.

Exit status: 0 all right, 1 something was wrong, 2 usage or a tool is missing,
77 nothing could run here.'

stop() { # status, message
    printf 'run_all.sh: %s\n' "$2" >&2
    exit "$1"
}

announce() { # as printf: what comes before all work, so that nothing is lost if it cannot be read
    { printf "$@"; } 2>/dev/null || stop 1 "cannot write to standard output"
}

read_options() {
    local why
    where="" asked=() quick="" sizes="" folder="" plots=yes setup=no rounds=15
    while [ $# -gt 0 ]; do
        case $1 in
        --quick) quick=-quick ;;
        --no-plots) plots=no ;;
        --setup) setup=yes ;;
        --gpu | --sim)
            [ "${where:-$1}" = "$1" ] || stop 2 "--gpu and --sim exclude each other"
            where=$1 asked=(BACKEND=sim)
            [ "$1" = --sim ] || asked=(BACKEND=cuda)
            ;;
        --sizes=?*)
            sizes=${1#*=}
            why=$(tools/measure/parse_sizes.sh "$sizes" 2>&1 >/dev/null) || stop 2 "--sizes: $why"
            ;;
        --out=*[[:cntrl:]]*) stop 2 "--out: a name without control characters is needed" ;;
        --out=?*) folder=$(cd -- "$typed_in" 2>/dev/null && realpath -ms -- "${1#*=}") || stop 2 "--out ${1#*=}: there is no such place" ;;
        --rounds=[1-9] | --rounds=[1-9][0-9]) rounds=${1#*=} ;;
        --rounds=?*) stop 2 "--rounds ${1#*=}: a number from 1 to 99 is needed" ;;
        --sizes= | --out= | --rounds=) stop 2 "${1%=} needs a value; see ./run_all.sh --help" ;;
        --sizes | --out | --rounds) set -- "$1=${2:-}" "${@:3}" && continue ;; # the value is the next word
        --help | -h) printf '%s\n' "$usage" && exit || exit 1 ;;
        *) stop 2 "unknown option $1; there are --quick, --gpu, --sim, --rounds, --sizes, --out, --no-plots, --setup and --help" ;;
        esac
        shift
    done
}

choose_backend() {
    backend=$(make -s "${asked[@]}" backend) || exit 2 # it says why
    programs=$root/build/$backend # not ./step00: that link changes when somebody builds for another backend
    [ "$where" != --gpu ] || nvidia-smi -L 2>/dev/null | grep -q '^GPU' ||
        stop 77 "--gpu: nvidia-smi finds no GPU here; look after the driver, or use --sim"
    [ "$backend$quick" = cuda ] || rounds=1
    [ "$backend" = cuda ] || announce 'On the simulator, which counts but shows no times (a GPU run needs nvcc and a GPU).\n'
}

what_is_there() { # after a run that did not come to its end
    if is_replaced; then
        echo "${out#"$root"/} is complete$([ $plots != yes ] || echo ", but not its pictures")"
    elif [ -e "$out" ]; then
        echo "${out#"$root"/} is as it was"
    else
        echo "nothing was written"
    fi
}

interrupted() { # status
    trap '' INT TERM HUP
    exec >&3 2>&4 # it may come while run's output goes to a file
    stop_child
    stop "$1" "interrupted; $(what_is_there)"
}

# ---- the run ----

# What a full disk did looks like something else.
check_room() {
    { head -c 4096 /dev/zero >"$work/room" && rm "$work/room"; } 2>/dev/null || stop 1 "no room is left in ${TMPDIR:-/tmp}"
}

build() {
    local start=$SECONDS
    announce 'Building (make BACKEND=%s all) ... ' "$backend"
    run make BACKEND="$backend" all -j"$(nproc)" >"$work/build" 2>&1 ||
        { echo failed && cat "$work/build" >&2 && check_room; stop 1 "the build failed"; }
    echo "$((SECONDS - start)) s"
}

machine() { # file, KEY=VALUE...; sets why if it fails
    run "$programs/machine" "${@:2}" >"$1" 2>"$work/errors"
    local status=$?
    [ $status -eq 0 ] || why=$(grep -m 1 . "$work/errors" || echo "build/$backend/machine failed")
    return $status
}

run_programs() {
    local folders=(steps/*/lesson.c steps/toolbox/*/lesson.c) folder name k=0 ran=0 refusal=""
    options=() list=()
    [ "$backend" = cuda ] || options+=(--counters)
    [ "$backend$quick" != cuda-quick ] || options+=(--repeat 10)
    for folder in "${folders[@]%/lesson.c}"; do
        name=${folder##*/}
        printf '[%d/%d] %-16s ' $((k += 1)) ${#folders[@]} "$name"
        case $folder in
        steps/[0-9]*) list+=("$programs/step${name%%_*}") && run_program "$name" "step${name%%_*}" "$beside/new/$name.csv" ;;
        *) list+=("$programs/$name") && run_program "$name" "$name" "$beside/new/toolbox/$name.csv" ;;
        esac && ran=$((ran + 1))
    done
    [ $ran -gt 0 ] || [ -z "$refusal" ] || stop 2 "nothing takes these sizes: $refusal"
    [ $ran -gt 0 ] || stop 77 "no step could run here"
}

# Returns 77 when it was skipped; stops everything when it failed. A program that takes none of the sizes is
# skipped, too: the others do what was asked for.
run_program() { # name, program, file; sets refusal
    local start=$SECONDS status why
    if [ "$backend $1" = "cuda 14_many_gpus" ]; then
        echo "skipped: it is about several GPUs: make compare-gpus"
        return 77
    fi
    run tools/measure/time_program.sh "$rounds" "$3" "$programs/$2" "$sizes" "$other_sizes" "${options[@]}" >"$work/output" 2>"$work/errors"
    status=$?
    if [ $status -eq 77 ] || [ $status -eq 2 ]; then
        why=$(tail -n 1 "$work/errors")
        [ $status -eq 77 ] || { left_out+=("$1") && refusal=${refusal:-$why}; }
        echo "skipped: ${why#"$2: "}"
        return 77
    elif [ $status -ne 0 ]; then
        echo "failed (exit status $status):"
        cat "$work/output" "$work/errors"
        check_room
        show_table
        stop 1 "$1 failed; $(what_is_there)"
    fi
    echo "$(cat "$work/output"), $((SECONDS - start)) s"
    sed 's/^/      /' "$work/errors"
    return 0
}

show_table() {
    local files=("$beside"/new/[0-9][0-9]_*.csv "$beside"/new/toolbox/*.csv)
    [ ${#files[@]} -eq 0 ] || awk -f tools/measure/rows.awk -f tools/measure/summary_table.awk "${files[@]}"
}

# ---- all of it ----

true 3>&2 || exec 2>/dev/null # it is closed
{ true >&1; } 2>/dev/null || stop 1 "cannot write to standard output"
exec 3>&1 4>&2
work=""
trap 'trap "" INT TERM HUP; clean_folder; rm -rf "$work"' EXIT
trap 'interrupted 130' INT
trap 'interrupted 143' TERM HUP
read_options "$@"
[ $setup = no ] || { tools/setup.sh; exit; }
work=$(mktemp -d 2>/dev/null) || stop 1 "cannot write to ${TMPDIR:-/tmp}: is it there, and is there room?"
tools/setup.sh make gcc g++ awk || exit
no_pictures=""
[ $plots = no ] || no_pictures=$(tools/setup.sh gnuplot python3 2>&1 >&3) || no_pictures=${no_pictures##*$'\n'} plots=no
[ -z "$folder" ] || { choose_folder "$folder" sim "" "" && make_beside; } # before all work, what would not do after it
choose_backend
[ -z "$no_pictures" ] || announce 'No pictures: %s\n' "${no_pictures#setup.sh: }"
origin=$(tools/provenance.sh) || exit
mapfile -t origin <<<"$origin"
build
machine "$work/machine.json" || stop $? "$why"
gpu=$(json "$work/machine.json" gpu)
choose_folder "$folder" "$backend" "$gpu" "$quick"
make_beside
sizes=$(tools/measure/sizes.sh "$backend$quick" "$(json "$work/machine.json" memory_bytes)" "$sizes") || exit
other_sizes=${sizes%$'\n'*} sizes=${sizes#*$'\n'}
echo "Running on $gpu, sizes $sizes"
left_out=()
run_programs
roofs=$(awk -f tools/measure/rows.awk -f tools/measure/roofs.awk "$beside"/new/[0-9][0-9]_*.csv) || keep_measured "the roofs cannot be found"
[ -z "$roofs" ] || mapfile -t roofs <<<"$roofs"
tools/measure/list_variants.sh "${list[@]}" >"$beside/new/variants.csv" 2>"$work/errors" || keep_measured "the variants cannot be listed"
table=$(show_table) || table=""
machine "$beside/new/machine.json" "${origin[@]}" "processes=$rounds" ${roofs:+"${roofs[@]}"} || keep_measured "$why"
why=$(replace_folder) || keep_measured "$why"
[ -n "$table" ] || stop 1 "the table could not be made; the results are in ${out#"$root"/}"
{
    printf '%s\n' "$table" && echo && echo "Results, every size: ${out#"$root"/}/*.csv and machine.json"
    [ ${#left_out[@]} -eq 0 ] || echo "Left out, since they take none of these sizes: ${left_out[*]}"
    [ -z "$no_pictures" ] || echo "Pictures: none, without gnuplot and python3; once they are there: tools/draw/plots.py ${out@Q} ${pictures@Q}"
} || stop 1 "cannot write to standard output; the results are in ${out#"$root"/}"
[ $plots = yes ] || exit 0
run tools/draw/plots.py "$out" "$pictures" >"$work/output" 2>"$work/errors" ||
    stop 1 "no pictures: $(grep -m 1 . "$work/errors" || echo "is there room in ${TMPDIR:-/tmp}?"); the results are whole, in ${out#"$root"/}"
plots=drawn
grep '^skipped' "$work/output"
echo "Pictures:"
for picture in "$pictures"/*.svg; do
    printf '  %s\n' "${picture#"$root"/}"
done
