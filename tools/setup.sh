#!/usr/bin/env bash
# tools/setup.sh [TOOL...]: finds which of these programs are missing (without names: all that make test needs), and
# installs them with apt-get if that needs no password; RUN_ALL_APT=no forbids it.
# Exit status: 0 all there, 2 something is missing, after one line that says what to type.
set -u
[ $# -gt 0 ] || set -- make gcc g++ gnuplot python3 prove aspell

stop() {
    echo "setup.sh: $*" >&2
    exit 2
}

may_install() {
    [ "${RUN_ALL_APT:-yes}" != no ] && command -v apt-get >/dev/null || return
    [ ${#sudo[@]} -eq 0 ] || sudo -n true 2>/dev/null
}

there() {
    case $1 in
    venv) python3 -c 'import ensurepip' 2>/dev/null ;; # Debian has it in a package of its own
    *) command -v "$1" >/dev/null ;;
    esac
}

missing=() packages=() sudo=()
for tool; do
    there "$tool" && continue
    missing+=("$tool")
    case $tool in
    gnuplot) packages+=(gnuplot-nox) ;;
    prove) packages+=(perl) ;;
    venv) packages+=(python3-venv) ;;
    aspell) packages+=(aspell aspell-en) ;;
    *) packages+=("$tool") ;;
    esac
done
[ ${#missing[@]} -gt 0 ] || exit 0
[ "$(id -u)" -eq 0 ] || sudo=(sudo)
install=("${sudo[@]}" apt-get install -y --no-install-recommends "${packages[@]}")
may_install || stop "missing: ${missing[*]}; on Debian or Ubuntu type: ${install[*]}"
echo "Installing ${packages[*]}: ${missing[*]} missing here (RUN_ALL_APT=no forbids it)"
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT
"${install[@]}" >"$log" 2>&1 || { "${sudo[@]}" apt-get update && "${install[@]}"; } >>"$log" 2>&1 || {
    cat "$log" >&2
    stop "could not install ${packages[*]}; try: ${install[*]}"
}
