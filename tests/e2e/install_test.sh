#!/usr/bin/env bash
# What a user does after `cmake --install`: build the first example with pkg-config against the
# shared library, against the archive, and with CMake; each is run once.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix
hello=$SKUA_SOURCE_DIR/examples/01-hello
read -ra cflags <<<"$CFLAGS"

fail() { echo "$*"; exit 1; }
quietly() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }; }

says_help_and_checks() { # program
    [[ $("$1" --help) == *--port* ]] || fail "$1 --help does not tell of --port"
    quietly "$1" --check
}

quietly cmake --install "$SKUA_BUILD_DIR" --prefix "$prefix"
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name skua.pc)")
LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH")
export PKG_CONFIG_PATH LD_LIBRARY_PATH
cd "$work"

# shellcheck disable=SC2046 # the words are meant to be split
{
    quietly "$CC" "${cflags[@]}" -o shared "$hello/hello.c" $(pkg-config --cflags --libs skua)
    [[ $(ldd shared) == *"libskua.so.0 => $prefix/"* ]] || fail "not linked with libskua.so.0"
    says_help_and_checks ./shared

    quietly "$CC" "${cflags[@]}" -static -o static "$hello/hello.c" $(pkg-config --cflags --static --libs skua)
    says_help_and_checks ./static
}

cp -r "$hello" project
quietly cmake -G Ninja -S project -B build -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$CC" -DCMAKE_C_FLAGS="$CFLAGS"
quietly cmake --build build
says_help_and_checks build/hello

[[ $("$prefix/bin/skua" --help) == *render* ]] || fail "skua --help does not tell of render"
