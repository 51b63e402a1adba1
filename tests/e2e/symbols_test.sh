#!/usr/bin/env bash
# The shared library exports what the public headers declare, and nothing else.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Every function that a header marks SKUA_API, apart from comments and macros.
for header in "$SKUA_SOURCE_DIR"/include/skua/*.h; do
    grep -v '^#' "$header" | tr '\n' ' ' | sed 's|/\*[^*]*\*\+\([^/*][^*]*\*\+\)*/||g' |
        grep -o 'SKUA_API [^;]*;' | grep -o 'skua_[a-z0-9_]*(' | tr -d '(' || true
done | sort -u >"$work/declared"
nm -D --defined-only --format=posix "$SKUA_BUILD_DIR/libskua.so" |
    awk '$2 != "A" { sub(/@.*/, "", $1); print $1 }' | sort -u >"$work/exported"

[[ -s $work/declared ]]
if ! diff "$work/declared" "$work/exported" >"$work/diff"; then
    echo "< is declared but not in the library, > is exported but in no header:"
    grep '^[<>]' "$work/diff"
    exit 1
fi
echo "$(wc -l <"$work/exported") symbols"
