#!/usr/bin/env bash
# tools/setup.sh [--check] [TOOL...]: finds which of these programs are missing (without names: all that make test
# needs), and installs them with apt-get if that needs no password; --check and RUN_ALL_APT=no forbid it. A command
# reads it before it does any work. Besides programs: venv, Python's; gpu, one that nvidia-smi finds; torch,
# PyTorch in python3, or in PYTHON=...
# Exit status: 0 all there; 2 something is missing, 77 no GPU, after one line that says what to do.
set -u
check=""
[ "${1:-}" != --check ] || { check=yes && shift; }
[ $# -gt 0 ] || set -- make gcc g++ awk gnuplot python3 pytest

stop() { # status, message
    echo "setup.sh: $2" >&2
    exit "$1"
}

may_install() {
    [ -z "$check" ] && [ "${RUN_ALL_APT:-yes}" != no ] && command -v apt-get >/dev/null || return
    [ ${#sudo[@]} -eq 0 ] || sudo -n true 2>/dev/null
}

there() {
    case $1 in
    pytest) python3 -m pytest -p xdist --version >/dev/null 2>&1 || pytest-3 -p xdist --version >/dev/null 2>&1 || pytest -p xdist --version >/dev/null 2>&1 ;;
    venv) python3 -c 'import ensurepip' 2>/dev/null ;; # Debian has it in a package of its own
    torch) "${PYTHON:-python3}" -c 'import torch' 2>/dev/null ;;
    gpu) nvidia-smi -L 2>/dev/null | grep -q '^GPU' ;;
    *) command -v "$1" >/dev/null ;;
    esac
}

missing=() packages=() sudo=()
for tool; do
    there "$tool" && continue
    missing+=("$tool")
    case $tool in
    gpu) stop 77 "no GPU here that nvidia-smi finds; look after the driver" ;;
    torch) stop 2 "PyTorch is missing in ${PYTHON:-python3}: PYTHON=... names a python3 that has it" ;;
    ncu) stop 2 "ncu is missing: install NVIDIA Nsight Compute, on a machine with a GPU" ;;
    awk) packages+=(mawk) ;;
    gnuplot) packages+=(gnuplot-nox) ;;
    pytest) packages+=(python3-pytest python3-pytest-xdist) ;;
    venv) packages+=(python3-venv) ;;
    */*) stop 2 "there is no program $tool" ;;
    *) packages+=("$tool") ;;
    esac
done
[ ${#missing[@]} -gt 0 ] || exit 0
[ "$(id -u)" -eq 0 ] || sudo=(sudo)
install=("${sudo[@]}" apt-get install -y --no-install-recommends "${packages[@]}")
may_install || stop 2 "missing: ${missing[*]}; on Debian or Ubuntu type: ${install[*]}"
echo "Installing ${packages[*]}: ${missing[*]} missing here (RUN_ALL_APT=no forbids it)"
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT
"${install[@]}" >"$log" 2>&1 || { "${sudo[@]}" apt-get update && "${install[@]}"; } >>"$log" 2>&1 || {
    cat "$log" >&2
    stop 2 "could not install ${packages[*]}; try: ${install[*]}"
}
