#!/usr/bin/env bash
# tools/files.sh: the names of this repository's files, each ended by a zero byte: what git would commit or, where
# there is no git (an archive that was unpacked, perhaps within another repository), all but what is built.
set -u
cd -- "$(dirname -- "$0")/.." || exit 1
if [ -e .git ] && names=$(git -c core.quotePath=false ls-files --cached --others --exclude-standard 2>/dev/null); then
    while read -r name; do
        [ ! -e "$name" ] && [ ! -L "$name" ] || printf '%s\0' "$name"
    done <<<"$names"
else
    find . \( -path ./.git -o -path ./build -o -path ./simulator/build -o -name __pycache__ -o -name '*-quick' -o -name '.run_all-*' \) -prune \
        -o -type f ! -name '*.tmp' -printf '%P\0'
fi
