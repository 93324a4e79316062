#!/usr/bin/env bash
# tools/put_files.sh FOLDER FILE...: moves files into a folder, over those of the same names: all or none, and none in
# part, also where a disk is full or somebody interrupts. Exit status: 1, after one line, if they cannot be put there.
set -u
shopt -s dotglob
[ $# -ge 2 ] || { echo 'usage: tools/put_files.sh FOLDER FILE...' >&2; exit 2; }
folder=$1
shift
beside=""
trap '[ -z "$beside" ] || rm -rf "$beside"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
why=$({ mkdir -p -- "$folder" && mktemp -d -- "$folder/.put-XXXXXX"; } 2>&1) && beside=$why && why=$(cp -- "$@" "$beside/" 2>&1) || {
    echo "put_files.sh: cannot write to $folder (${why##*: })" >&2
    exit 1
}
trap '' INT TERM HUP
why=$(mv -f -- "$beside"/* "$folder/" 2>&1) && rm -f -- "$@" || {
    echo "put_files.sh: cannot write to $folder (${why##*: })" >&2
    exit 1
}
