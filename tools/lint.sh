#!/usr/bin/env bash
# tools/lint.sh: make lint: what the usual checkers say of this repository: shellcheck of its scripts, pyflakes of its
# Python, codespell of all its text, rumdl of its pages (.rumdl.toml), clang-format 14 (others lay out otherwise) of its C
# and CUDA. A checker that is missing, here and in .venv/, is skipped, with a line.
# Exit status: 0 nothing found, 1 something.
set -u
. "$(dirname -- "$0")/environment.sh"
cd -- "$(dirname -- "$0")/.." || exit 1
status=0
PATH=$PATH:$PWD/.venv/bin

of_kind() { # pattern of a name, pattern of the first line, which may begin otherwise where the name fits
    local file line
    while IFS= read -r -d '' file; do
        line=""
        [ -L "$file" ] || [[ ${file##*/} == *.* ]] || IFS= read -r line <"$file"
        # shellcheck disable=SC2053  # patterns
        { [[ $file == $1 ]] || [[ $line == $2 ]]; } && printf '%s\0' "$file"
    done < <(tools/files.sh)
}

check() { # what is checked, command...: reads the names of the files
    command -v "$2" >/dev/null || { echo "lint: $1: skipped, $2 is missing" && return; }
    if xargs -0 -r "${@:2}"; then
        echo "lint: $1: $2 finds nothing"
    else
        echo "lint: $1: $2 found something" >&2
        status=1
    fi
}

# Not of results, which programs wrote, nor of tests that plant slips.
spelled() { tools/files.sh | grep -zvE '^(results|plots)/|\.json$|^tests/test_(docs|notes)\.py$'; }
names=upto,isnt,assum,ans,nd,nin,nown,valu,ines # that codespell takes for slips

check 'scripts' shellcheck -S warning < <(of_kind '*.sh' '#!*bash*')
check 'Python' pyflakes3 < <(of_kind '*.py' '#!*python3*')
check 'spelling' codespell -L "$names" < <(spelled 2>/dev/null)
check 'pages' rumdl check --quiet < <(of_kind '*.md' none)
if clang-format --version 2>/dev/null | grep -q 'version 14'; then
    check 'layout' clang-format --dry-run --Werror < <(tools/files.sh | grep -zE '\.(c|h|cu)$')
else
    echo 'lint: layout: skipped, clang-format 14 is missing'
fi
exit $status
