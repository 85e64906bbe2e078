#!/usr/bin/env bash
# Prints the path of a Python that is 3.11 or newer. 3.11 is preferred, as the locked requirements were resolved for it.
set -euo pipefail

for name in python3.11 python3.12 python3.13 python3.14 python3; do
    path=$(command -v "$name") || continue
    if "$path" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        echo "$path"
        exit 0
    fi
done
echo "plyhouse needs Python 3.11 or newer, and none is on the PATH (Debian: apt-get install python3 python3-venv)" >&2
exit 1
