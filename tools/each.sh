#!/usr/bin/env bash
# Runs each argument as a command, all of them whatever happens, then names those that failed.
set -uo pipefail
# The commands are not make's children in its own sense: cargo would look for make's job server in vain.
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
