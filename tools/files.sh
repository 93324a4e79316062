#!/usr/bin/env bash
# tools/files.sh: the names of this repository's files, each ended by a zero byte: what git would commit or, where
# there is no git (an archive that was unpacked, perhaps within another repository), all that .gitignore
# does not name.
set -u
. "$(dirname -- "$0")/environment.sh"
cd -- "$(dirname -- "$0")/.." || exit 1
if ! { [ -e .git ] && mapfile -d '' -t names < <(git ls-files -z --cached --others --exclude-standard 2>/dev/null) && wait $!; }; then
    ignored=(-path ./.git)
    while read -r pattern; do # /NAME from the root, or NAME anywhere
        pattern=${pattern%/}
        case $pattern in
        '') ;;
        /*) ignored+=(-o -path ".$pattern") ;;
        *) ignored+=(-o -name "$pattern") ;;
        esac
    done <.gitignore
    mapfile -d '' -t names < <(find . \( "${ignored[@]}" \) -prune -o -type f -printf '%P\0')
fi
for name in "${names[@]}"; do
    [ ! -e "$name" ] && [ ! -L "$name" ] || printf '%s\0' "$name" || exit 1
done
