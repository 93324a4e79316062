#!/usr/bin/env bash
# tools/regular.sh FILE...: may these files of a results folder be read? Strangers send such folders: a link to
# /dev/zero or a FIFO never ends. Regular files of at most 8 MiB are read, and nothing else; a file that is not there is no
# fault. tools/pages/regular.py is the same for Python. Exit status: 1, after one line, if one may not.
set -u
most=$((8 << 20))
for file; do
    why=""
    if [ -L "$file" ]; then
        why="is a link, not a regular file"
    elif [ -e "$file" ] && [ ! -f "$file" ]; then
        why="is not a regular file"
    elif [ -e "$file" ] && [ "$(stat -c %s -- "$file")" -gt $most ]; then
        why="is larger than $((most >> 20)) MiB"
    fi
    [ -z "$why" ] || { echo "regular.sh: $file $why" >&2; exit 1; }
done
