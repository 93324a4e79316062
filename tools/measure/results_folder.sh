# tools/measure/results_folder.sh: where ./run_all.sh writes to (it reads this file): which folder, by one run
# at a time, and replaced whole or not at all. The functions set out, partial (where new results are
# collected until then) and pictures; stop() and root, without links in it, are the caller's.
# shellcheck shell=bash disable=SC2034,SC2154

out="" partial=""

json() { # file, key: its value in a flat JSON file, or nothing
    awk -f "$root/tools/draw/csv.awk" -f <(echo 'BEGIN { print json(file, key) }') -v file="$1" -v key="$2" </dev/null
}

# Whether an earlier run wrote into a folder: a machine.json that says where and when.
is_results() { # folder
    [ -f "$1/machine.json" ] && [[ $(json "$1/machine.json" backend) =~ ^(cuda|sim)$ ]] && [ -n "$(json "$1/machine.json" date)" ]
}

# A link is followed, and stays. Pictures of results/NAME go to plots/NAME.
choose_folder() { # what --out says, or nothing; backend, gpu, "-quick" or nothing
    local name=sim named entries
    [ "$2" = sim ] || name=$(printf '%s' "${3#NVIDIA }" | tr '[:upper:]' '[:lower:]' | tr -cs '[:alnum:]' '-')
    name=${name#-} name=${name%-}
    named=${1:-$root/results/${name:-gpu}$4}
    out=$(realpath -m -- "$named")
    pictures=$out/plots
    [ "$(realpath -m -- "$(dirname -- "$named")")" != "$(realpath -m -- "$root/results")" ] || pictures=$root/plots/${named##*/}
    [ ! -e "$out" ] || [ -d "$out" ] || stop 2 "--out: $out is a file, not a folder"
    [[ $root/ != "${out%/}/"* ]] || stop 2 "--out: $out holds this repository; choose a folder of its own"
    [ ! -e "$out/toolbox" ] || { [ -d "$out/toolbox" ] && [ ! -L "$out/toolbox" ]; } ||
        stop 2 "--out: $out/toolbox is a link or a file, not a folder; choose another folder"
    [ -n "$1" ] && [ -e "$out" ] && ! is_results "$out" || return 0
    entries=$(ls -A -- "$out") && [ -z "$entries" ] ||
        stop 2 "--out: $out holds something else than results (no machine.json of ours); choose another folder"
}

# Names beside the folder that nobody else's can be. Whoever holds the lock has its process's number in it.
lock_folder() {
    local beside=${out%/*}/.run_all-${out##*/}
    lock=$beside.lock partial=$beside.partial old=$beside.old
    mkdir -p "${out%/*}" 2>/dev/null
    until [ "$lock" -ef /proc/self/fd/9 ]; do # the one before removes the file that it held
        { exec 9>>"$lock"; } 2>/dev/null || { partial="" && stop 2 "cannot write into ${out%/*}; choose another folder with --out"; }
        flock -n 9 || {
            partial=""
            stop 1 "another run (process $(cat "$lock")) is writing $out; wait for it, or choose another folder with --out"
        }
    done
    echo $$ >"$lock"
    [ -e "$out" ] || [ ! -e "$old" ] || mv "$old" "$out" || stop 1 "cannot bring back $out"
    rm -rf "$partial" "$old" # of a run that could not clean up
    mkdir -p "$partial/toolbox" || stop 2 "cannot make the folder $partial"
}

# Whether run_all.sh wrote a file: machine.json, or the CSV of the step or topic that it is named after.
is_ours() { # file
    case ${1#"$out"/} in
    machine.json) return 0 ;;
    [0-9][0-9]_*.csv | toolbox/*.csv) [ -f "$1" ] && awk -F, -v name="${1##*/}" 'NR == 1 { ours = /^step,variant,backend,device,n,block,/ }
        NR == 2 { named = $1 ".csv" == name; exit }
        END { exit !(ours && named) }' "$1" ;;
    *) return 1 ;;
    esac
}

# All that is not ours stays: it is copied. Prints why it failed. In a subshell, so that signals are
# ignored only here.
replace_folder() (
    trap '' INT TERM HUP
    shopt -s dotglob
    for entry in "$out"/* "$out"/toolbox/*; do
        new=$partial/${entry#"$out"/}
        [ -e "$new" ] || is_ours "$entry" || cp -a "$entry" "$new" 2>/dev/null || { echo "cannot copy $entry" && exit 1; }
    done
    { [ ! -e "$out" ] || mv -T "$out" "$old"; } 2>/dev/null || { echo "cannot replace $out" && exit 1; }
    mv -T "$partial" "$out" 2>/dev/null || { echo "cannot write $out" && mv -T "$old" "$out"; exit 1; }
    rm -rf "$old"
)

# Hours of measuring are not thrown away because of what comes after them.
keep_measured() { # why they are not where they belong
    local kept
    kept=$out.measured-$(date -u +%Y%m%dT%H%M%SZ)
    mv -T "$partial" "$kept" || kept=$partial partial=""
    stop 1 "$1; what was measured is in ${kept#"$root"/}"
}

clean_folder() {
    [ -z "$partial" ] || rm -rf "$partial" "$lock"
}
