# tools/measure/results_folder.sh: where ./run_all.sh writes to (it reads this file): which folder, by one run
# at a time, and replaced whole or not at all. The functions set out, partial (where new results are
# collected until then) and pictures; stop() and root are the caller's.
# shellcheck shell=bash disable=SC2034,SC2154

out="" partial=""

choose_folder() { # what --out says, or nothing; backend, gpu, "-quick" or nothing
    local name=sim
    [ "$2" = sim ] || name=$(printf '%s' "${3#NVIDIA }" | tr '[:upper:]' '[:lower:]' | tr -cs '[:alnum:]' '-')
    out=${1:-$root/results/${name%-}$4}
    if [ -n "$1" ]; then
        [ ! -e "$out" ] || [ -d "$out" ] || stop 2 "--out: $out is a file, not a folder"
        [ -e "$out/machine.json" ] || [ -z "$(ls -A "$out" 2>/dev/null)" ] ||
            stop 2 "--out: $out holds something else than results (no machine.json); choose another folder"
    fi
    pictures=$out/plots
    [ "${out%/*}" != "$root/results" ] || pictures=$root/plots/${out##*/}
}

# Whoever holds DIR.lock has its process's number in it.
lock_folder() {
    mkdir -p "${out%/*}" 2>/dev/null
    until [ "$out.lock" -ef /proc/self/fd/9 ]; do # the one before removes the file that it held
        { exec 9>>"$out.lock"; } 2>/dev/null || stop 2 "cannot write into ${out%/*}; choose another folder with --out"
        flock -n 9 ||
            stop 1 "another run (process $(cat "$out.lock")) is writing $out; wait for it, or choose another folder with --out"
    done
    partial=$out.partial
    echo $$ >"$out.lock"
    [ -e "$out" ] || [ ! -e "$out.old" ] || mv "$out.old" "$out" || stop 1 "cannot bring back $out"
    rm -rf "$partial" "$out.old" # of a run that could not clean up
    mkdir -p "$partial/toolbox" || stop 2 "cannot make the folder $partial"
}

# Files of other commands (counters.csv, say) stay. In a subshell, so that signals are ignored only here.
replace_folder() (
    trap '' INT TERM HUP
    for entry in "$out"/* "$out"/.[!.]*; do
        case ${entry##*/} in
        [0-9][0-9]_*.csv | machine.json | toolbox) ;;
        *) [ ! -e "$entry" ] || cp -a "$entry" "$partial"/ || stop 1 "cannot copy $entry" ;;
        esac
    done
    [ ! -e "$out" ] || mv "$out" "$out.old" || stop 1 "cannot replace $out"
    mv "$partial" "$out" || stop 1 "cannot write $out"
    rm -rf "$out.old"
)

clean_folder() {
    [ -z "$partial" ] || rm -rf "$partial" "$out.lock"
}
