#!/usr/bin/env bash
# run_all.sh: builds and runs every step, collects the results, draws the plots.
# Results are collected beside the folder they belong in and replace it at the end,
# so that a run that fails or is interrupted leaves the earlier results whole.
set -u
export LC_ALL=C # decimal points, whatever the language

usage='usage: ./run_all.sh [options]

Builds and runs every step, on the GPU if there is one, else on the simulator; then
prints a table and draws the plots.

  --quick        a few small sizes, few repeats: a minute on a GPU. Goes to its own
                 folder, results/<name>-quick
  --gpu, --sim   where to run, instead of choosing
  --rounds R     processes that time each step on a GPU; the results are their means
                 (default 15: times differ more from process to process than within
                 one; sizes above 16M, which differ little, are left to the first 3)
  --sizes LIST   numbers to sum, as in 64K,1M,16M (powers of 1024) or 1<<20
                 (default: 1K,4K,16K ... 1G and 2G on a GPU; 1K,64K,256K on the simulator)
  --out DIR      the folder for the results, which is replaced whole
                 (default: results/<name of the GPU>, or results/sim)
  --no-plots     draw nothing, and do without gnuplot; make plots draws later
  --setup        only find what is missing, for make test too, and install it if it may
  --help         this text

The pictures go to plots/<name> if the results go to results/<name>, else to DIR/plots.
Missing tools (make, gcc, g++, gnuplot) are installed with apt-get if that needs no
password; RUN_ALL_APT=no ./run_all.sh forbids it. Where there is no git, COMMIT=... says
which commit the results belong to.

Exit status: 0 all right, 1 something was wrong, 2 usage or a tool is missing,
77 nothing could run here.'

say() {
    printf '%s\n' "$*"
}

stop() { # status, message
    printf 'run_all.sh: %s\n' "$2" >&2
    exit "$1"
}

# ---- what is asked for ----

read_options() {
    backend="" quick=no sizes="" out="" setup=no plots=yes rounds=""
    while [ $# -gt 0 ]; do
        case $1 in
        --quick) quick=yes ;;
        --no-plots) plots=no ;;
        --setup) setup=yes ;;
        --gpu | --sim) set_backend "$1" ;;
        --sizes | --out | --rounds)
            [ $# -ge 2 ] || stop 2 "$1 needs a value; see ./run_all.sh --help"
            set_value "$1" "$2"
            shift
            ;;
        --sizes=* | --out=* | --rounds=*) set_value "${1%%=*}" "${1#*=}" ;;
        --help | -h)
            say "$usage"
            exit 0
            ;;
        *) stop 2 "unknown option $1; there are --quick, --gpu, --sim, --rounds, --sizes, --out, --no-plots, --setup and --help" ;;
        esac
        shift
    done
}

set_backend() {
    local wanted=cuda
    [ "$1" = --gpu ] || wanted=sim
    [ -z "$backend" ] || [ "$backend" = $wanted ] || stop 2 "--gpu and --sim exclude each other"
    backend=$wanted
}

set_value() {
    [ -n "$2" ] || stop 2 "$1 needs a value; see ./run_all.sh --help"
    if [ "$1" = --rounds ]; then
        [[ $2 =~ ^[1-9][0-9]?$ ]] || stop 2 "--rounds $2: a number from 1 to 99 is needed"
        rounds=$2
    elif [ "$1" = --sizes ]; then
        sizes=$2
        local size
        [[ $sizes != ,* && $sizes != *, && $sizes != *,,* ]] || stop 2 "--sizes $sizes: a size is missing"
        for size in ${sizes//,/ }; do
            [[ $size =~ ^[0-9]+[KMGkmg]?$ || $size =~ ^[0-9]+\<\<[0-9]+$ ]] ||
                stop 2 "--sizes: \"$size\" is not a size; write 1000, 64K, 16M, 1G or 1<<20"
        done
    else
        case $2 in # relative to where the command was typed
        /*) out=$2 ;;
        *) out=$PWD/$2 ;;
        esac
        while [ "$out" != / ] && [ "${out%/}" != "$out" ]; do out=${out%/}; done
    fi
}

# 64K -> 65536
elements() {
    case $1 in
    *[Kk]) echo $((10#${1%?} << 10)) ;;
    *[Mm]) echo $((10#${1%?} << 20)) ;;
    *[Gg]) echo $((10#${1%?} << 30)) ;;
    *'<<'*) echo $((10#${1%<<*} << 10#${1#*<<})) ;;
    *) echo $((10#$1)) ;;
    esac
}

# ---- what must be there ----

find_tools() { # tool...
    local tool missing=() packages=() sudo=()
    for tool in "$@"; do
        command -v "$tool" >/dev/null && continue
        missing+=("$tool")
        case $tool in
        gnuplot) packages+=(gnuplot-nox) ;;
        prove) packages+=(perl) ;;
        aspell) packages+=(aspell aspell-en) ;;
        *) packages+=("$tool") ;;
        esac
    done
    [ ${#missing[@]} -gt 0 ] || return
    local install=(apt-get install -y --no-install-recommends "${packages[@]}")
    [ "$(id -u)" -eq 0 ] || sudo=(sudo)
    may_install || stop 2 "missing: ${missing[*]}; on Debian or Ubuntu type: ${sudo[*]:+sudo }${install[*]}"
    say "Installing ${packages[*]}"
    run "${sudo[@]}" "${install[@]}" >/dev/null 2>&1 ||
        { run "${sudo[@]}" apt-get update && run "${sudo[@]}" "${install[@]}"; } >/dev/null 2>&1 ||
        stop 2 "could not install ${packages[*]}; try: ${sudo[*]:+sudo }${install[*]}"
}

may_install() {
    [ "${RUN_ALL_APT:-yes}" != no ] && command -v apt-get >/dev/null || return
    [ "$(id -u)" -eq 0 ] || sudo -n true 2>/dev/null
}

choose_backend() {
    if [ "$backend" = cuda ]; then
        [ -n "${NVCC:-}" ] || command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ] ||
            stop 2 "--gpu needs nvcc: install the CUDA toolkit, or use --sim"
        nvidia-smi -L 2>/dev/null | grep -q '^GPU' ||
            stop 77 "--gpu: nvidia-smi finds no GPU here; look after the driver, or use --sim"
    elif [ -z "$backend" ]; then
        backend=$(make -s backend) || stop 1 "make cannot tell which backend to use"
    fi
    [ "$backend" = cuda ] || say "On the simulator, which counts but shows no times (a GPU run needs nvcc and a GPU)."
}

# ---- running things so that an interrupt stops them ----

child="" partial="" locked=no

run() {
    "$@" &
    child=$!
    wait "$child"
    local status=$?
    child=""
    return $status
}

clean_up() {
    [ -z "$partial" ] || rm -rf "$partial"
    [ $locked = no ] || rm -rf "$out.lock"
}

interrupted() { # status
    trap '' INT TERM HUP
    exec >&3 2>&4 # it may come while run's output goes to a file
    say
    if [ -n "$child" ]; then
        kill "$child" 2>/dev/null
        wait "$child" 2>/dev/null
    fi
    stop "$1" "interrupted${out:+; ${out#"$root"/} is as it was}"
}

# ---- the folder ----

# What a run of all steps makes. Other files (counters.csv, say) come from commands of
# their own and stay.
ours() { # file name
    case $1 in
    [0-9][0-9]_*.csv | machine.json | plots) ;;
    *) false ;;
    esac
}

choose_folder() {
    gpu=$(json machine.json gpu)
    if [ -z "$out" ]; then
        local name=sim
        [ "$backend" = sim ] || name=$(printf '%s' "${gpu#NVIDIA }" | tr '[:upper:]' '[:lower:]' | tr -cs '[:alnum:]' '-')
        name=${name%-}
        [ $quick = no ] || name=$name-quick
        out=$root/results/$name
    fi
    case $out in
    "$root"/results/*/*) pictures=$out/plots ;;
    "$root"/results/*) pictures=$root/plots/${out##*/} ;;
    *) pictures=$out/plots ;;
    esac
    [ ! -e "$out" ] || [ -d "$out" ] || stop 2 "--out: $out is a file, not a folder"
}

# One run at a time: the folder DIR.lock holds the number of the process that has it.
lock_folder() {
    local pid
    mkdir -p "$(dirname "$out")" 2>/dev/null || stop 2 "cannot make the folder $(dirname "$out")"
    until mkdir "$out.lock" 2>/dev/null; do
        [ -d "$out.lock" ] || stop 2 "cannot write into $(dirname "$out"); choose another folder with --out"
        pid=$(cat "$out.lock/pid" 2>/dev/null) || { # being written this moment, or never
            sleep 1
            pid=$(cat "$out.lock/pid" 2>/dev/null)
        }
        if [ -n "$pid" ] && { kill -0 "$pid" 2>/dev/null || [ -d "/proc/$pid" ]; }; then
            stop 1 "another run (process $pid) is writing $out; wait for it, or choose another folder with --out"
        fi
        # Its owner is gone. Whoever renames it first removes it; the others try again.
        mv "$out.lock" "$out.stale-$$" 2>/dev/null || continue
        if [ "$(cat "$out.stale-$$/pid" 2>/dev/null)" = "$pid" ]; then
            rm -rf "$out.stale-$$"
        else
            mv "$out.stale-$$" "$out.lock" # somebody else took it over meanwhile
        fi
    done
    locked=yes
    echo $$ >"$out.lock/pid"
    rm -rf "$out".partial-* # of runs that could not clean up
    partial=$out.partial-$$
    mkdir "$partial" || stop 2 "cannot make the folder $partial"
}

replace_folder() {
    trap '' INT TERM HUP
    if [ $plots = yes ] && [ "$pictures" != "$out/plots" ]; then
        mkdir -p "$pictures" || stop 1 "cannot make the folder $pictures"
        rm -f "$pictures"/*.svg "$pictures"/*.png
        mv "$partial"/plots/* "$pictures"/ || stop 1 "cannot write into $pictures"
        rmdir "$partial/plots"
    fi
    local entry
    for entry in "$out"/* "$out"/.[!.]*; do
        [ ! -e "$entry" ] || ours "${entry##*/}" || cp -a "$entry" "$partial"/ || stop 1 "cannot copy $entry"
    done
    [ ! -e "$out" ] || mv "$out" "$out.old-$$" || stop 1 "cannot replace $out"
    mv "$partial" "$out" || stop 1 "cannot write $out"
    rm -rf "$out.old-$$"
}

# ---- the steps ----

build() {
    local start=$SECONDS
    printf 'Building (make BACKEND=%s all) ... ' "$backend"
    run make BACKEND="$backend" all -j"$(nproc)" >"$work/build" 2>&1 || {
        say failed
        cat "$work/build" >&2
        stop 1 "the build failed"
    }
    say "$((SECONDS - start)) s"
    # build/.../step00, not ./step00: that link changes when somebody builds for another backend
    programs=$root/build/$backend
    run "$programs/machine" >"$work/machine.json" 2>"$work/errors"
    local status=$?
    [ $status -eq 0 ] || stop $status "$(grep -m 1 . "$work/errors" || echo "build/$backend/machine failed")"
}

json() { # file in $work or $partial, key
    awk -f tools/draw/csv.awk -f <(echo 'BEGIN { print json(file, key) }') -v file="$work/$1" -v key="$2" </dev/null
}

# The sizes to run, in the variable sizes; those that the GPU's memory cannot hold are
# left out. A step holds the input, and a copy of it when a variant eats its input.
choose_sizes() {
    own_sizes=yes
    if [ -z "$sizes" ]; then
        own_sizes=no
        case $backend-$quick in
        cuda-no) sizes=1K,4K,16K,64K,256K,1M,4M,16M,64M,256M,1G,2G ;;
        cuda-yes) sizes=64K,1M,16M ;;
        sim-no) sizes=1K,64K,256K ;;
        sim-yes) sizes=1K,16K ;;
        esac
    fi
    local memory size fitting="" left_out=""
    memory=$(json machine.json memory_bytes)
    [ "$backend" = cuda ] && [[ $memory =~ ^[0-9]+$ ]] || return
    for size in ${sizes//,/ }; do
        if [ $((8 * $(elements "$size") + (512 << 20))) -le "$memory" ]; then
            fitting=$fitting,$size
        else
            left_out=$left_out,$size
        fi
    done
    [ -z "$left_out" ] || say "Left out, too large for the memory of this GPU ($((memory >> 30)) GiB): ${left_out#,}"
    [ -n "$fitting" ] || stop 2 "no size fits into the memory of this GPU; choose smaller ones with --sizes"
    sizes=${fitting#,}
}

run_steps() {
    local folders=(steps/[0-9][0-9]_*/) folder k=0 ran=0
    options=() tools_most=256M
    [ "$backend" = cuda ] || tools_most=64K
    [ "$backend" = cuda ] || options+=(--counters)
    [ "$backend-$quick" != cuda-yes ] || options+=(--repeat 10)
    for folder in "${folders[@]}"; do
        k=$((k + 1))
        folder=${folder#steps/}
        printf '[%d/%d] %-16s ' $k ${#folders[@]} "${folder%/}"
        run_step "${folder%/}" && ran=$((ran + 1))
    done
    [ $ran -gt 0 ] || stop 77 "no step could run here"
}

# Of the sizes, those that a step runs: all, but the toolbox, with its many variants whose answers the
# CPU judges word by word, those up to 256M, on the simulator up to 64K; and fewer of the many
# sizes that a GPU run has by default.
sizes_of() { # step
    local size some=""
    for size in ${sizes//,/ }; do
        if [[ $1 == 08* ]]; then
            [ "$(elements "$size")" -le "$(elements "$tools_most")" ] || continue
            [ $own_sizes = yes ] || [[ ! $size =~ ^(4K|16K|256K|4M|64M)$ ]] || continue
        fi
        some=$some,$size
    done
    echo "${some#,}"
}

# Those of a list up to 16M.
small_of() { # list
    local size small=""
    for size in ${1//,/ }; do
        [ "$(elements "$size")" -gt $((16 << 20)) ] || small=$small,$size
    done
    echo "${small#,}"
}

# One step. Returns 77 when it was skipped; stops everything when it failed. On a GPU
# several processes time it in turn: the CPU's sums, which are slow, only the first, sizes
# above 16M only three; of the toolbox there are at most five, and one for the sizes above 16M.
run_step() {
    local csv=$partial/$1.csv start=$SECONDS status round only=() some small rows=() most=$rounds few=3
    some=$(sizes_of "$1")
    small=$(small_of "$some")
    [ -n "$some" ] || { say "skipped: no size up to $tools_most"; return 77; }
    if [[ $1 == 08* ]]; then
        rows=(--row 32,1K,8K) few=1
        [ "$most" -le 5 ] || most=5
    fi
    for ((round = 1; round <= most; round++)); do
        mkdir -p "$work/$round"
        run "$programs/step${1%%_*}" -n "$some" "${rows[@]}" "${options[@]}" "${only[@]}" --csv "$work/$round/$1.csv" >"$work/output" 2>"$work/errors"
        status=$?
        [ $status -eq 0 ] || break
        [ $round -lt $few ] || [ -n "$small" ] || break
        ! grep -q '^[^,]*,[^,]*,cpu,' "$work/1/$1.csv" ||
            only=(-v "$(awk -F, 'FNR > 1 && $3 != "cpu" && !($2 in seen) { seen[$2]; printf "%s%s", comma, $2; comma = "," }' "$work/1/$1.csv")")
        [ $round -lt $few ] || some=$small
    done
    if [ $status -eq 0 ]; then
        awk -v program="run_all.sh: " -f tools/draw/csv.awk -f tools/draw/merge.awk "$work"/[0-9]*/"$1.csv" >"$csv" || exit 1
    fi
    if [ $status -eq 77 ]; then
        say "skipped: $(tail -n 1 "$work/errors")"
        rm -f "$csv"
        return 77
    elif [ $status -ne 0 ]; then
        say "failed (exit status $status):"
        cat "$work/output" "$work/errors"
        show_table
        stop $((status == 2 ? 2 : 1)) "$1 failed; ${out#"$root"/} is left as it was"
    fi
    say "$(awk -F, 'FNR > 1 { v[$2]; n[$5] } END {
            for (k in v) variants++
            for (k in n) sizes++
            printf "%d variant%s, %d size%s", variants, (variants == 1 ? "" : "s"), sizes, (sizes == 1 ? "" : "s")
        }' "$csv"), $((SECONDS - start)) s"
    sed 's/^/      /' "$work/errors"
}

show_table() {
    local files=("$partial"/*.csv)
    [ ! -e "${files[0]}" ] || awk -f tools/draw/csv.awk -f tools/draw/table.awk "${files[@]}"
}

# ---- where the numbers come from ----

commit() {
    local id
    [ -z "${COMMIT:-}" ] || { echo "$COMMIT"; return; }
    id=$(git rev-parse --short HEAD 2>/dev/null) || id=unknown
    # Only what can change a number counts as a change.
    [ -z "$(git status --porcelain -- Makefile common steps ':(exclude)*.md' 2>/dev/null)" ] || id=$id+changes
    echo "$id"
}

# The largest bandwidth at which this variant of 00_baselines moved data from memory.
best_gbps() {
    awk -f tools/draw/csv.awk -f <(echo '
        f["variant"] == wanted && f["cache"] == "cold" && f["launch"] == "plain" && f["gbps"] > best { best = f["gbps"] + 0 }
        END { if (best) print best }') -v wanted="$1" "$partial"/00_*.csv 2>/dev/null
}

write_machine() {
    local extras=("commit=$commit_id" "processes=$rounds" "date=$(date -u +%Y-%m-%dT%H:%M:%SZ)") value variant
    for variant in read copy; do
        value=$(best_gbps $variant)
        [ -z "$value" ] || extras+=("${variant}_gbps=$value")
    done
    if [ "$backend" = cuda ]; then
        value=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null | head -n 1)
        [ -z "$value" ] || extras+=("nvidia_driver=$value")
    fi
    run "$programs/machine" "${extras[@]}" >"$partial/machine.json" 2>"$work/errors" ||
        stop 1 "build/$backend/machine failed: $(grep -m 1 . "$work/errors")"
}

# ---- all of it ----

read_options "$@"
cd "$(dirname "$0")" || exit 1
root=$PWD
work=$(mktemp -d) || exit 1
trap 'clean_up; rm -rf "$work"' EXIT
exec 3>&1 4>&2
trap 'interrupted 130' INT
trap 'interrupted 143' TERM HUP

if [ $setup = yes ]; then
    find_tools make gcc g++ gnuplot python3 prove aspell
    exit 0
fi
tools=(make gcc g++)
[ $plots = no ] || tools+=(gnuplot)
find_tools "${tools[@]}"
choose_backend
[ "$backend-$quick" = cuda-no ] || rounds=1
rounds=${rounds:-15}
commit_id=$(commit)
build
choose_folder
lock_folder
choose_sizes
say "Running on $gpu, sizes $sizes"
run_steps
write_machine
show_table
if [ $plots = yes ]; then
    run tools/draw/draw.sh "$partial" "$partial/plots" >"$work/output" || exit 1
fi
replace_folder

say
say "Results, every size: ${out#"$root"/}/*.csv and machine.json"
[ $plots = yes ] || exit 0
grep '^skipped' "$work/output"
say "Pictures:"
for picture in "$pictures"/*.svg; do
    say "  ${picture#"$root"/} and .png"
done
