#!/usr/bin/env bash
# Makes sure that the system packages that Plyhouse needs are installed.
#
#   tools/system.sh build      compilers, Python with venv, Node: for make build and make serve
#   tools/system.sh tests      Chromium, Redis, Postgres, PgBouncer and Caddy: for make test
#
# As root, missing Debian packages are installed; otherwise they are listed. Node and Rust are only listed: there are
# too many ways to install them (distribution, rustup, version managers) to choose one for the user.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

missing=()   # messages about what the user has to install
packages=()  # Debian packages that would help

need_c_compiler() {
    if ! echo 'int main(void) { return 0; }' | cc -x c -o /dev/null - 2>/dev/null; then
        packages+=(gcc libc6-dev)
    fi
}

need_python() {
    local python
    if ! python=$(tools/find_python.sh 2>/dev/null); then
        packages+=(python3 python3-venv)
    elif ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
        packages+=("$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')")
    fi
}

need_cargo() {
    cargo --version >/dev/null 2>&1 || missing+=("cargo (a stable Rust toolchain)")
}

need_node() {
    local wanted='const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)'
    if ! node -e "$wanted" 2>/dev/null || ! command -v npm >/dev/null; then
        missing+=("node 20.19 or newer, with npm")
    fi
}

need_chromium() {
    [ -x /usr/bin/chromium-headless-shell ] || packages+=(chromium-headless-shell fonts-liberation)
}

need_redis() {
    command -v redis-server >/dev/null || packages+=(redis-server)
}

need_postgres() {
    compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || command -v initdb >/dev/null || packages+=(postgresql)
}

need_pgbouncer() {
    command -v pgbouncer >/dev/null || [ -x /usr/sbin/pgbouncer ] || packages+=(pgbouncer)
}

need_caddy() {
    command -v caddy >/dev/null || packages+=(caddy)
}

# Postgres runs as another user when we are root, and its shell writes there.
need_null() {
    [ "$(stat -c %a /dev/null)" = 666 ] || [ "$(id -u)" -ne 0 ] || chmod 666 /dev/null
}

install_packages() {
    [ ${#packages[@]} -gt 0 ] || return 0
    if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
        echo "installing Debian packages: ${packages[*]}"
        apt-get -qq update
        DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${packages[@]}" >/dev/null
    else
        missing+=("Debian packages: apt-get install ${packages[*]}")
    fi
}

case "${1:-}" in
    build)
        need_c_compiler
        need_python
        need_cargo
        need_node
        ;;
    tests)
        need_chromium
        need_redis
        need_postgres
        need_pgbouncer
        need_caddy
        need_null
        ;;
    *)
        echo "usage: tools/system.sh build|tests" >&2
        exit 2
        ;;
esac
install_packages
if [ ${#missing[@]} -gt 0 ]; then
    echo "plyhouse needs what is not installed here:" >&2
    printf '  - %s\n' "${missing[@]}" >&2
    exit 1
fi
if [ "$1" = build ]; then
    tools/find_python.sh >/dev/null
fi
