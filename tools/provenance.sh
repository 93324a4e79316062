#!/usr/bin/env bash
# tools/provenance.sh: which sources, when, which driver: a line KEY=VALUE each, for build/BACKEND/machine or a reader.
#   commit=1a2b3c4         the commit; +changes behind it where a source differs that can change a number.
#                          COMMIT=... in the environment says it where there is no git; else unknown
#   date=2026-01-31T12:00:00Z
#   nvidia_driver=580.1    where nvidia-smi is there
set -u
. "$(dirname -- "$0")/environment.sh"
cd "$(dirname "$0")/.." || exit 1

commit=${COMMIT:-}
[[ $commit =~ ^[A-Za-z0-9_.+-]*$ ]] || {
    echo "provenance.sh: COMMIT=$commit: a commit has letters, digits and _.+- alone" >&2
    exit 2
}
if [ -z "$commit" ] && [ -e .git ]; then # not the commit of a repository around this folder
    commit=$(git rev-parse --short HEAD 2>/dev/null) &&
        [ -n "$(git status --porcelain -- Makefile tools/mk common simulator library steps ':(exclude)*.md' 2>/dev/null)" ] &&
        commit=$commit+changes
fi
lines=("commit=${commit:-unknown}" "date=$(date -u +%Y-%m-%dT%H:%M:%SZ)")
driver=$(nvidia-smi -i 0 --query-gpu=driver_version --format=csv,noheader 2>/dev/null) && [ -n "$driver" ] &&
    lines+=("nvidia_driver=$driver")
printf '%s\n' "${lines[@]}"
