# tools/measure/run.sh: run COMMAND..., for scripts whose commands take long (they read this file). A signal to the script
# alone ends it at once, and stop_child its command: in the foreground the shell would wait for the command's end.
# shellcheck shell=bash
child=""

run() {
    local status
    (trap - INT TERM HUP && exec "$@") & # a shell's background commands would ignore Ctrl-C
    child=$!
    wait "$child"
    status=$?
    child=""
    return $status
}

stop_child() {
    [ -z "$child" ] || { kill "$child"; wait "$child"; } 2>/dev/null
}
