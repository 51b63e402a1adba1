#!/usr/bin/env bash
# The skua command from outside: output, messages, exit codes.
set -uo pipefail
skua=$SKUA_BUILD_DIR/skua
hello=$SKUA_BUILD_DIR/examples/01-hello/hello
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failures=0

# expect CODE STDOUT-PART STDERR-PART COMMAND…: an empty part means that nothing may be there.
expect() {
    local code=$1 out=$2 err=$3 got

    shift 3
    "$@" >"$dir/out" 2>"$dir/err" </dev/null
    got=$?
    if ((got != code)) || ! holds "$dir/out" "$out" || ! holds "$dir/err" "$err"; then
        echo "FAILED: $* (exit $got, expected $code)"
        sed 's/^/  out: /' "$dir/out"
        sed 's/^/  err: /' "$dir/err"
        failures=$((failures + 1))
    fi
}

holds() {
    if [[ -z $2 ]]; then [[ ! -s $1 ]]; else grep -qF -- "$2" "$1"; fi
}

mkdir "$dir/views"
printf 'Hello {{name}}!\n{{> more}}\n' >"$dir/views/page.html"
printf '{{#list}}<li>{{.}}</li>{{/list}}\n' >"$dir/views/more.html"
printf '<body>{{{body}}}</body>\n' >"$dir/views/frame.html"
printf 'one\n{{#open}}\n' >"$dir/views/broken.html"
printf '{"name":"<Tern>","list":[1,2]}' >"$dir/data.json"
printf '{"name":}' >"$dir/bad.json"

expect 2 '' 'Usage: skua COMMAND' "$skua"
expect 0 'Usage: skua COMMAND' '' "$skua" --help
expect 2 '' "there is no command 'brew'" "$skua" brew
expect 0 '0.1.0' '' "$skua" version
expect 0 '0.1.0' '' "$skua" --version
expect 2 '' 'takes no arguments' "$skua" version x
expect 0 'Usage: skua render' '' "$skua" render --help
expect 2 '' 'which template?' "$skua" render
expect 2 '' 'needs a value' "$skua" render x --root
expect 2 '' "no option '--brew'" "$skua" render x --brew
expect 2 '' 'One template and one data file' "$skua" render a b c
expect 0 'Hello !' '' "$skua" render "$dir/views/page.html"
expect 0 'Hello &lt;Tern&gt;!' '' "$skua" render "$dir/views/page.html" "$dir/data.json"
expect 0 '<li>1</li><li>2</li>' '' "$skua" render page.html "$dir/data.json" --root "$dir/views"
expect 0 '<body>Hello' '' "$skua" render page.html --root "$dir/views" --layout frame.html
expect 1 '' 'broken.html:2:1:' "$skua" render "$dir/views/broken.html"
expect 1 '' 'none.html' "$skua" render "$dir/views/none.html"
expect 1 '' 'No such file' "$skua" render "$dir/nowhere/x.html"
expect 1 '' "bad.json:1:9:" "$skua" render "$dir/views/page.html" "$dir/bad.json"
expect 1 '' 'cannot be read' "$skua" render "$dir/views/page.html" "$dir/none.json"
expect 0 'Usage: skua routes' '' "$skua" routes --help
expect 2 '' 'Usage: skua routes' "$skua" routes
expect 1 '' 'cannot be started' "$skua" routes "$dir/none"
expect 0 ':name (GET, HEAD)' '' "$skua" routes "$hello"
expect 0 'Usage:' '' "$hello" --help
expect 2 '' "there is no option '--brew'" "$hello" --brew
expect 2 '' "--port takes a number from 0 to 65535, and 'x' is none" "$hello" --port x
expect 2 '' '--port needs a value' "$hello" --port
expect 2 '' "did you mean '--port 8080'?" "$hello" 8080
expect 2 '' '--dev takes no value' "$hello" --dev=1
expect 0 '<body>Hello' '' "$skua" render page.html "--root=$dir/views" --layout=frame.html
expect 1 '' '--root names another folder' "$skua" render "$dir/views/page.html" --layout "$dir/none.html"
expect 0 '' 'everything is in order' "$hello" --check

if ! printf '{"name":"stdin"}' | "$skua" render "$dir/views/page.html" - | grep -q 'Hello stdin!'; then
    echo "FAILED: data from standard input"
    failures=$((failures + 1))
fi
if "$skua" render "$dir/views/page.html" >/dev/full 2>"$dir/err" || ! grep -q 'cannot be written' "$dir/err"; then
    echo "FAILED: a full disk is not told"
    failures=$((failures + 1))
fi
((failures == 0)) || { echo "$failures failed"; exit 1; }
echo "all is well"
