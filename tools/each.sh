#!/usr/bin/env bash
# Runs each argument as a command, continuing after failures, then lists those that failed.
set -uo pipefail
# The commands do not inherit make's job server, so cargo must not look for it.
unset MAKEFLAGS MFLAGS

failed=()
for command in "$@"; do
    printf '\n== %s\n' "$command"
    bash -c "$command" || failed+=("$command")
done
if [ ${#failed[@]} -gt 0 ]; then
    printf '\n== failed:\n' >&2
    printf '   %s\n' "${failed[@]}" >&2
    exit 1
fi
