#!/usr/bin/env bash
# tools/lint.sh: each checker that is here finds a slip that is planted for it, and what is missing is skipped with a line.
# (make lint itself is no test: newer checkers find more, and a stranger's make test must stay green.)
set -u
cd "$(dirname "$0")/.." || exit 1
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
tests=0
ok() { # what, command...
    local what=$1
    shift
    tests=$((tests + 1))
    "$@" >/dev/null 2>&1 && echo "ok $tests - $what" || { echo "not ok $tests - $what" && sed 's/^/# /' "$root/said"; }
}
lint() { "$root/tools/lint.sh" >"$root/said" 2>&1; status=$?; }
clean() { rm -f "$root"/planted*; }

mkdir "$root/tools"
cp tools/lint.sh tools/files.sh tools/environment.sh "$root/tools/"
cp .clang-format "$root/"
echo said >"$root/.gitignore"

lint
ok 'nothing is planted: status 0' [ $status = 0 ]
ok 'nothing is planted: each checker says so, or is skipped' [ "$(grep -cE 'finds nothing$|: skipped, .* is missing$' "$root/said")" = 4 ]
while IFS='|' read -r checker file text; do
    clean
    printf '%b' "$text" >"$root/$file"
    lint
    if grep -q "skipped, $checker.* is missing" "$root/said"; then
        tests=$((tests + 1))
        echo "ok $tests # SKIP $checker is missing"
    else
        ok "$checker: a slip in $file is found" [ $status = 1 ]
        ok "$checker: and the end says so" grep -q "^lint: .*: $checker found something$" "$root/said"
    fi
done <<'PLANTED'
shellcheck|planted.sh|#!/usr/bin/env bash\ncd nowhere\n
shellcheck|planted|#!/usr/bin/env bash\ncd nowhere\n
pyflakes3|planted.py|import os\n
codespell|planted.md|This is teh end.\n
clang-format|planted.c|int   x;\n
PLANTED
clean
mkdir "$root/few"
for tool in bash dirname env find git grep xargs; do ln -s "$(command -v $tool)" "$root/few/"; done
PATH=$root/few lint
ok 'without checkers: status 0' [ $status = 0 ]
ok 'without checkers: four lines say what is missing' [ "$(grep -c 'skipped, .* is missing$' "$root/said")" = 4 ]
echo "1..$tests"
