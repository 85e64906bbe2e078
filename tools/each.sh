#!/usr/bin/env bash
# Runs each argument as a command, continuing after failures, then lists those that failed. With `--jobs N` first, N run
# at a time, and each prints its output when it ends.
set -uo pipefail
# The commands do not inherit make's job server, so cargo must not look for it.
unset MAKEFLAGS MFLAGS

jobs=1
if [ "$1" = --jobs ]; then
    jobs=$2
    shift 2
fi
failures=$(mktemp)
trap 'rm -f "$failures"' EXIT
export failures

run() {
    printf '\n== %s\n' "$1"
    bash -c "$1" || printf '   %s\n' "$1" >>"$failures"
}
run_quietly() {
    output=$(run "$1" 2>&1)
    printf '%s\n' "$output"
}
export -f run run_quietly

if [ "$jobs" = 1 ]; then
    for command in "$@"; do run "$command"; done
else
    printf '%s\0' "$@" | xargs -0 -P "$jobs" -I {} bash -c 'run_quietly "$1"' _ {}
fi
if [ -s "$failures" ]; then
    printf '\n== failed:\n' >&2
    cat "$failures" >&2
    exit 1
fi
