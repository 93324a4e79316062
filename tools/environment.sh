# tools/environment.sh: what no script may inherit; each reads this file before it uses cd or make.
# CDPATH leads cd into another folder, or makes it print one. Options for a make around us, or of a user's MAKEFLAGS
# (-n, -k, -w, -j), are not for ours: it would build nothing, or print lines that a script takes for an answer.
# GIT_DIR and its kin, as a hook of git has them, are of another repository.
# Variables that were given to a make around us, as in make results NVCC=..., stay: make exports them.
# shellcheck shell=bash
unset CDPATH MAKEFLAGS MFLAGS GNUMAKEFLAGS MAKEOVERRIDES MAKELEVEL MAKEFILES GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_COMMON_DIR GIT_OBJECT_DIRECTORY GIT_PREFIX
