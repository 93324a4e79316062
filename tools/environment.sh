# tools/environment.sh: what no script may inherit; each reads this file before it uses cd or make.
# CDPATH leads cd into another folder, or makes it print one. Options for a make around us, or of a user's MAKEFLAGS
# (-n, -k, -w, -j), are not for ours: it would build nothing, or print lines that a script takes for an answer.
# Variables that were given to a make around us, as in make results NVCC=..., stay: make exports them.
# shellcheck shell=bash
unset CDPATH MAKEFLAGS MFLAGS GNUMAKEFLAGS MAKEOVERRIDES MAKELEVEL MAKEFILES
