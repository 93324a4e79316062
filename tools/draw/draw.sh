#!/usr/bin/env bash
# draw.sh RESULTS_FOLDER PICTURE_FOLDER: draws every picture, as SVG, from the CSV files and the
# machine.json of one results folder and nothing else.
# Exit status: 0 drawn; 1 a broken CSV file or nothing to draw, and then no picture
# is touched; 2 usage, or gnuplot is missing.
set -u
. "$(dirname -- "$0")/../environment.sh"
export LC_ALL=C # decimal points, whatever the language

stop() { # status, message
    echo "draw.sh: $2" >&2
    exit "$1"
}

[ $# -eq 2 ] || stop 2 "usage: tools/draw/draw.sh RESULTS_FOLDER PICTURE_FOLDER"
here=$(cd -- "$(dirname -- "$0")" && pwd)
why=$("$here/../setup.sh" --check gnuplot 2>&1) || stop 2 "${why#setup.sh: }"
results=$(cd -- "$1" 2>/dev/null && pwd) || stop 2 "no folder $1; ./run_all.sh makes one"
files=("$results"/[0-9][0-9]_*.csv)
[ -e "${files[0]}" ] || stop 1 "no CSV files in $1; ./run_all.sh makes them"
others=("$results"/{sweep,compare,many_gpus,softmax,softmax_torch,experiments/levels}.csv)
why=$("$here/../regular.sh" "${files[@]}" "$results/machine.json" "${others[@]}" 2>&1) || stop 1 "${why#regular.sh: }"
[ -s "$results/machine.json" ] || stop 1 "no machine.json in $1; ./run_all.sh makes it"
for file in "${files[@]}"; do
    [ -s "$file" ] || stop 1 "$file: line 1: the file is empty"
done
schema=$here/../pages/schema.csv
schema=${schema//\\/\\\\} # awk takes a backslash in -v for an escape
awk -v program="draw.sh: " -v schema="$schema" -f "$here/csv.awk" "${files[@]}" || exit 1

work=$(mktemp -d 2>/dev/null) && cp "$here"/../../plots/*.gp "$work/" 2>/dev/null || {
    [ -z "$work" ] || rm -rf "$work"
    stop 1 "cannot write to ${TMPDIR:-/tmp}: is it there, and is there room?"
}
from=${results//\\/\\\\} to=${work//\\/\\\\}
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# What each picture is made of: the script that selects its numbers, and the one that lays them out:
# svg.awk writes the picture, the others the text for the gnuplot script of their name. A picture of
# one lesson has variants up to its step, no later ones. Steps 12 and 13 are about types and bits: they
# have tables and no picture.
pictures="
speedup     speedup    bars   11
share       share      lines  11
small       small      lines  11
bandwidth   bandwidth  lines  11
03_speedup  speedup    bars   03
05_share    share      lines  05
06_small    small      lines  06
08_share    share      lines  08
09_small    small      lines  09
accuracy    accuracy   lines  11
work        simulated  bars   11
exchange    simulated  bars   11
memory      memory     svg
flight      sweep      lines
tile        sweep      lines
ratio       ratio      lines
softmax     softmax    lines
many_gpus   many_gpus  lines
gpus_model  gpus_model lines
"

# Of several GPUs nothing else is measured.
! grep -q '"only": "14_many_gpus"' "$results/machine.json" || pictures=$(grep gpus <<<"$pictures")

complaint() { # what a full disk did has no words
    grep -v ': warning: ' "$work/why" | grep -m 1 . || echo "failed, and no word why; is there room in ${TMPDIR:-/tmp}?"
}

draw() { # picture, selecting script, layout, last step
    local status
    (awk -v picture="$1" -v upto="$4" -v machine="$from/machine.json" -v data="$to/$1.data" \
        -v levels="$from/experiments/levels.csv" -v sweep="$from/sweep.csv" -v compare="$from/compare.csv" \
        -v many="$from/many_gpus.csv" -v softmax="$from/softmax.csv" -v torch="$from/softmax_torch.csv" -v program="draw.sh: " -v schema="$schema" \
        -f "$here/csv.awk" -f "$here/$2.awk" -f "$here/$3.awk" "${files[@]}" >"$work/$1.svg" 2>"$work/why"
        exit) 2>/dev/null # an awk that is stopped by a full disk
    status=$?
    if [ $status -eq 77 ]; then
        report+=("skipped $1: $(cat "$work/why")")
        return
    fi
    [ $status -eq 0 ] || stop 1 "$1: $(complaint)"
    if [ "$3" != svg ]; then
        mv "$work/$1.svg" "$work/$1.params"
        # Where the files are, so that gnuplot is told no name from outside; -d: without the user's settings.
        (cd "$work" && gnuplot -d -e "params='$1.params'; data='$1.data'; picture='$1.svg'" "$3.gp") 2>"$work/why" ||
            stop 1 "$1: $(complaint)"
    fi
    tail -c 20 "$work/$1.svg" | grep -q '</svg>' || stop 1 "$1: $(complaint)" # gnuplot says nothing of a full disk
    drawn+=("$work/$1.svg")
}

drawn=() report=()
while read -r picture selection layout upto; do
    [ -z "$picture" ] || draw "$picture" "$selection" "$layout" "$upto"
done <<<"$pictures"
[ ${#drawn[@]} -gt 0 ] || stop 1 "nothing to draw in $1"

# Only now touch the pictures that are there; one that could not be drawn again goes.
why=$("$here/../put_files.sh" "$2" "${drawn[@]}" 2>&1) || stop 1 "${why#put_files.sh: }"
while read -r picture _; do
    case " ${drawn[*]} " in
    *"/$picture.svg "*) report+=("drew $2/$picture.svg") ;;
    *) [ -z "$picture" ] || rm -f "$2/$picture.svg" ;;
    esac
done <<<"$pictures"
{ printf '%s\n' "${report[@]}"; } 2>/dev/null || stop 1 "cannot write to standard output; the pictures are in $2"
