# tools/measure/results_folder.sh: where ./run_all.sh writes to (it reads this file): which folder, replaced whole or
# not at all. The functions set out, pictures, and beside: a folder of a fresh name beside out, where all is
# collected, in beside/new. stop() and root, without links in it, are the caller's.
# shellcheck shell=bash disable=SC2034,SC2154

out="" beside=""

json() { # file, key: its value in a flat JSON file, or nothing
    sed -nE 's/.*"'"$2"'" *: *("([^"]*)"|([-+0-9.eE]+)).*/\2\3/p' "$1" | tail -n 1 | tr -c 'A-Za-z0-9_ .+@()\n-' '?'
}

# Whether an earlier run wrote into a folder: a machine.json that says where and when.
is_results() { # folder
    [ -e "$1/machine.json" ] && "$root/tools/regular.sh" "$1/machine.json" 2>/dev/null &&
        [[ $(json "$1/machine.json" backend) =~ ^(cuda|sim)$ ]] && [ -n "$(json "$1/machine.json" date)" ]
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
    [ -e "$out" ] || [ ! -L "$out" ] || stop 2 "--out: $out is a link that leads nowhere"
    [ ! -e "$out" ] || [ -d "$out" ] || stop 2 "--out: $out is a file, not a folder"
    [[ $root/ != "${out%/}/"* ]] || stop 2 "--out: $out holds this repository; choose a folder of its own"
    [ ! -e "$out" ] || [ "$(stat -c %d -- "$out")" = "$(stat -c %d -- "$out/..")" ] ||
        stop 2 "--out: $out is a file system of its own, which cannot be replaced; choose a folder in it"
    [ ! -e "$out/toolbox" ] || { [ -d "$out/toolbox" ] && [ ! -L "$out/toolbox" ]; } ||
        stop 2 "--out: $out/toolbox is a link or a file, not a folder; choose another folder"
    [ -n "$1" ] && [ -e "$out" ] && ! is_results "$out" || return 0
    entries=$(ls -A -- "$out") && [ -z "$entries" ] ||
        stop 2 "--out: $out holds something else than results (no machine.json of ours); choose another folder"
}

# mktemp makes what was not there before, so no file or link that somebody put there is followed.
make_beside() {
    local parent=${out%/*} left pid
    [ -z "$beside" ] || return 0
    beside=$({ mkdir -p -- "$parent/" && made=$(mktemp -d -- "$parent/.run_all-$$-XXXXXX") && mkdir -p -- "$made/new/toolbox" && echo "$made"; } 2>/dev/null)
    { [ -n "$beside" ] && mkdir -p -- "$beside/try/${out##*/}" && rm -r -- "$beside/try"; } 2>/dev/null ||
        stop 2 "cannot write into ${parent:-/}; choose another folder with --out"
    for left in "$parent"/.run_all-*; do
        pid=${left##*/.run_all-} pid=${pid%%-*}
        if [ "$left" = "$beside" ]; then
            continue
        elif [ -d "/proc/$pid" ]; then
            echo "run_all.sh: note: another run (process $pid) is at work; each disturbs the other's times" >&2
        else
            echo "run_all.sh: note: $left is of a run that was killed: see what you need of it, and remove it" >&2
        fi
    done
}

# Whether run_all.sh wrote a file: machine.json, variants.csv, or the CSV of the step or topic that it is named after.
is_ours() { # file
    case ${1#"$out"/} in
    machine.json | variants.csv) return 0 ;;
    [0-9][0-9]_*.csv | toolbox/*.csv) "$root/tools/regular.sh" "$1" 2>/dev/null && awk -F, -v name="${1##*/}" 'NR == 1 { ours = /^step,variant,backend,device,n,block,/ }
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
        new=$beside/new/${entry#"$out"/}
        [ -e "$new" ] || [ -L "$new" ] || is_ours "$entry" || cp -a -- "$entry" "$new" 2>/dev/null || { echo "cannot copy $entry" && exit 1; }
    done
    { [ ! -e "$out" ] || { chmod --reference="$out" "$beside/new" && mv -T -- "$out" "$beside/old"; }; } 2>/dev/null || { echo "cannot replace $out" && exit 1; }
    mv -T -- "$beside/new" "$out" 2>/dev/null || {
        echo "cannot write $out"
        [ ! -e "$beside/old" ] || mv -T -- "$beside/old" "$out" 2>/dev/null
        exit 1
    }
    rm -rf -- "$beside/old"
)

# Whether the new results are where they belong.
is_replaced() { [ -n "$beside" ] && [ ! -e "$beside/new" ]; }

# Hours of measuring are not thrown away because of what comes after them.
keep_measured() { # why they are not where they belong
    local kept
    trap '' INT TERM HUP
    kept=$out.measured-$(date -u +%Y%m%dT%H%M%SZ)
    mv -T -- "$beside/new" "$kept" 2>/dev/null || kept=$beside/new beside=""
    stop 1 "$1; what was measured is in ${kept#"$root"/}"
}

# What was set aside, and could not be brought back, is not removed.
clean_folder() {
    [ -n "$beside" ] || return 0
    [ -e "$beside/old" ] || { rm -rf -- "$beside" && return; }
    echo "run_all.sh: the earlier results are in $beside/old" >&2
}
