#!/bin/sh
# run_all.sh: builds and runs every step and every topic of the toolbox, collects the results, draws the plots.
# tools/measure/run_all.py does it: ./run_all.sh --help
root=$(dirname -- "$(realpath -- "$0")") # a link may lead here
[ "$*" != --setup ] || exec "$root/tools/setup.sh"
"$root/tools/setup.sh" python3 || exit
exec python3 -B "$root/tools/measure/run_all.py" "$@"
