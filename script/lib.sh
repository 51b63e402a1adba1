# shellcheck shell=bash
# Shared by the scripts beside it. Sourced by bash, from any folder; leaves it in the project's root.
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

say() { printf '%s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

# quietly COMMAND…: its output is seen only if it fails.
quietly() {
    local log status=0

    log=$(mktemp)
    "$@" >"$log" 2>&1 </dev/null || status=$?
    ((status == 0)) || cat "$log" >&2
    rm -f "$log"
    return $status
}

# ---- what the machine has to have ----

missing=()

# need PACKAGE COMMAND…: the Debian package is missing unless the command succeeds.
need() {
    local package=$1

    shift
    "$@" >/dev/null 2>&1 </dev/null || missing+=("$package")
}

has() { command -v "$1"; }
has_header() { printf '#include <%s>\n' "$1" | cc -E -; }
has_library() { pkg-config --exists "$1"; }

need_for_building() {
    need cmake has cmake
    need ninja-build has ninja
    need gcc has cc
    need libc6-dev has_header stdio.h
    need pkg-config has pkg-config
    need libuv1-dev has_library libuv
    need libpcre2-dev has_library libpcre2-8
    need libsqlite3-dev has_library sqlite3
}

# Install what need() found missing. Asks nothing: who may not install is told what to type.
install_missing() {
    local -a sudo=()

    ((${#missing[@]})) || return 0
    has apt-get >/dev/null || die "missing, by the names of the Debian packages: ${missing[*]}"
    if ((EUID != 0)); then
        sudo -n true 2>/dev/null ||
            die "missing packages; please run this, and then the script again: sudo apt-get install -y --no-install-recommends ${missing[*]}"
        sudo=(sudo -n)
    fi
    say "installing ${missing[*]}"
    quietly "${sudo[@]}" apt-get update || say "going on with the package lists that are there"
    quietly "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 \
        install -y --no-install-recommends "${missing[@]}" || die "could not install ${missing[*]}"
    missing=()
}

# build PRESET [TARGET…]: everything without targets.
build() {
    local preset=$1

    shift
    say "building build/$preset"
    quietly cmake --preset "$preset" || return
    quietly cmake --build --preset "$preset" ${1:+--target "$@"}
}
