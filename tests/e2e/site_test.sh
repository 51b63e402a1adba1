#!/usr/bin/env bash
# The example site as a browser and a program see it: pages, form, API, files, failures, stop.
set -euo pipefail

: "${SKUA_BUILD_DIR:?the folder that the site was built in}"
cd "$(dirname "${BASH_SOURCE[0]}")/../../examples/02-site"
site=$SKUA_BUILD_DIR/examples/02-site/site
work=$(mktemp -d)
pid=
trap '[[ -z $pid ]] || kill "$pid" 2>/dev/null || true; rm -rf "$work"' EXIT

failed=0
what=
fail() {
    echo "$what: $1"
    failed=1
}

# ---- asking: `ask PATH [curl option…]` as a browser or `json …` as a program, then what is expected ----

send() { # ACCEPT PATH [curl option…]
    what="${*:2}"
    : >"$work/head"
    : >"$work/body"
    size=$(curl -sS --path-as-is --max-time 5 -H "accept: $1" -D "$work/head" -o "$work/body" \
        -w '%{size_download}' "$base$2" "${@:3}") || fail "curl failed"
    status=$(sed -n '1s/^[^ ]* \([0-9]*\).*/\1/p' "$work/head")
}
ask() { send 'text/html,*/*;q=0.8' "$@"; }
json() { send application/json "$@" -H 'content-type: application/json'; }
field() { sed -n "s/^$1: \(.*\)\r$/\1/p" "$work/head"; }

is_status() { [[ $status == "$1" ]] || fail "status $status, wanted $1"; }
# shellcheck disable=SC2053 # what is wanted is a pattern
is_field() { [[ $(field "$1") == $2 ]] || fail "$1 is '$(field "$1")', wanted '$2'"; }
has() { grep -qF -- "$1" "$work/body" || fail "'$1' is not on the page"; }
has_not() { ! grep -qF -- "$1" "$work/body" || fail "'$1' is on the page"; }
has_entries() { [[ $(grep -c '<h2><a ' "$work/body") == "$1" ]] || fail "it does not list $1 birds"; }

# ---- start ----

: >"$work/log"
SITE_DB=$work/site.db "$site" --port 0 --workers 2 2>"$work/log" &
pid=$!
base=
for ((i = 0; i < 100; i++)); do
    base=$(sed -n 's/^listening on //p' "$work/log")
    [[ -z $base ]] || break
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.05
done
if [[ -z $base ]]; then
    echo "the site did not start:"
    cat "$work/log"
    exit 1
fi

# ---- list and search ----

ask / && is_status 200 && is_field content-type 'text/html; charset=utf-8' && has_entries 12
has '<title>All birds – Birds of the North</title>'
has '<a href="/birds/1">Arctic Tern</a>'
has 'Page 1 of 5'
has '<a href="/?page=2" rel="next">'
is_field content-security-policy "default-src 'none'*"

ask '/?page=2' && is_status 200 && has_entries 12 && has 'Page 2 of 5' && has 'rel="prev"'
ask '/?page=0' && is_status 200 && has 'Page 1 of 5'
ask '/?page=-3' && is_status 200 && has 'Page 1 of 5'
ask '/?page=99999' && is_status 200 && has 'Page 5 of 5' && has_not 'rel="next"'
ask '/?page=99999999999999999999' && is_status 200 && has 'Page 1 of 5'
ask '/?page=abc' && is_status 200 && has 'Page 1 of 5'

ask '/?q=TERN' && is_status 200 && has_entries 5 && has 'Arctic Tern' && has_not 'Puffin'
ask '/?q=anatidae' && has_entries 9
ask '/?q=laridae' && has '<a href="/?q=laridae&amp;page=2" rel="next">'
ask '/?q=%25' && is_status 200 && has_entries 0 # a wildcard of LIKE is a letter here
ask '/?q=_' && has_entries 0
ask '/?q=%5C' && is_status 200 && has_entries 0
ask '/?q=%22%3E%3Cscript%3E' && is_status 200 && has_not '<script>' && has '&quot;&gt;&lt;script&gt;'
ask "/?q=$(printf 'a%.0s' {1..60})" && is_status 200
ask "/?q=$(printf 'a%.0s' {1..61})" && is_status 400

# ---- a bird ----

ask /birds/18 && is_status 200 && has '<title>Atlantic Puffin – ' && has 'Fratercula arctica' && has 'Látrabjarg'
ask /birds/11 && is_status 200 && has 'Nobody has reported this bird yet'
ask /birds/999 && is_status 404 && has 'there is no bird with this number'
ask /birds/-1 && is_status 404
ask /birds/abc && is_status 400 && has 'has to be a whole number'
ask /birds/1x && is_status 400

# ---- the form ----

good=(-d 'place=Isle of May' -d 'date=2025-06-01' -d 'count=75' -d 'observer=Ruth')
ask /birds/2/report && is_status 200 && has 'name="place"' && has_not 'role="alert"' && has "value=\"$(date -u +%F)\""
ask /birds/999/report && is_status 404
ask /birds/2/report -d place= -d date=2025-02-29 -d count=0 --data-urlencode 'observer="><script>x</script>' -d note=n
is_status 422
has '<title>Error: Report: Common Tern – '
has 'role="alert"'
has '<p class="error" id="place-error">Say where the bird was.</p>'
has '<p class="error" id="date-error">Write the day'
has 'value="0" required autocomplete="off" aria-invalid="true" aria-describedby="count-error"'
has 'value="&quot;&gt;&lt;script&gt;x&lt;/script&gt;"'
has '>n</textarea>'
has_not '<script>'
ask /birds/2/report "${good[@]}" -d date=9999-01-01 && is_status 422 # two dates are none
ask /birds/2/report -d "date=$(date -u -d '3 days' +%F)" && has 'This day has not come yet.'
ask /birds/2/report -d date=1899-12-31 -d count=1000000 && has 'begins in the year 1900' && has 'At most 6 letters'
ask /birds/2/report -d count=999999 && has_not 'id="count-error"'
ask /birds/2/report -d "place=$(printf 'ø%.0s' {1..81})" && is_status 422 && has 'At most 80 letters, please; these are 81.'
ask /birds/2/report -d "place=$(printf 'x%.0s' {1..20000})" && is_status 413
ask /birds/999/report "${good[@]}" && is_status 404

ask /birds/2/report "${good[@]}" --data-urlencode 'note=<b>two</b>' && is_status 303
is_field location '/birds/2#sighting-*'
ask "$(field location)" && is_status 200 && has 'Isle of May' && has '&lt;b&gt;two&lt;/b&gt;' && has_not '<b>two'

# ---- the API ----

json /api/birds && is_status 200 && has '"total":60' && is_field content-type 'application/json; charset=utf-8'
is_field access-control-allow-origin '\*'
json '/api/birds?q=tern&page=9' && is_status 200 && has '"total":5,"page":1,"pages":1}'
json /api/birds/1 && is_status 200 && has '"name":"Arctic Tern"'
json /api/birds/999 && is_status 404 && has '{"error":{"code":"NO_BIRD","message":"there is no bird with this number"}}'
json /api/birds/x && is_status 400 && has '"code":"BAD_PARAM"'
json /api/nothing && is_status 404 && has '"code":"NO_ADDRESS"'
ask /api/nothing && is_status 404 && has '"code":"NO_ADDRESS"' # JSON for browsers, too

sighting='{"place":"Fair Isle","date":"2025-06-02","count":3,"observer":"Ruth"}'
json /api/birds/1/sightings -d "$sighting" && is_status 201 && is_field location /api/birds/1
has '"bird_id":1,"place":"Fair Isle","date":"2025-06-02","count":3,"observer":"Ruth","note":""}'
json /api/birds/1 && has '"place":"Fair Isle"'
json /api/birds/999/sightings -d "$sighting" && is_status 404
json /api/birds/1/sightings -d '{"place":["Fair Isle"],"count":2.5}' && is_status 422
has '"fields":{"place":"This has to be text or a whole number."'
json /api/birds/1/sightings -d '[1]' && is_status 422
json /api/birds/1/sightings -d '{"place":' && is_status 400 && has '"code":"SKUA_ERR_BAD_JSON"'
json /api/birds/1/sightings -d '' && is_status 400
ask /api/birds/1/sightings -d '<place/>' -H 'content-type: application/xml' && is_status 415 && has '"error":{'

# ---- methods, files, failures ----

ask / --head && is_status 200 && is_field content-type 'text/html*'
((size == 0)) || fail "HEAD has a body"
ask /birds/1 -X DELETE && is_status 405 && is_field allow 'GET, HEAD'
ask /birds/1/report -X PUT && is_status 405 && is_field allow 'GET, HEAD, POST'
ask /api/birds -d x && is_status 405 && has '"code":"SKUA_ERR_METHOD"'

ask /assets/site.css && is_status 200 && is_field content-type 'text/css*' && is_field cache-control '*max-age=3600*'
etag=$(field etag)
ask /assets/site.css -H "if-none-match: $etag" && is_status 304 && is_field etag "$etag"
[[ -n $etag ]] || fail "no ETag"
((size == 0)) || fail "304 has a body"
ask /assets/icon.svg && is_status 200 && is_field content-type image/svg+xml
for path in ../main.c %2e%2e/main.c ..%2fmain.c .%2e/site.db /etc/passwd %2fetc/passwd site.css%00 .gitignore '' nothing.css; do
    ask "/assets/$path"
    [[ $status == 40[04] ]] || fail "status $status, wanted 400 or 404"
    has_not SPDX
done

ask /nothing && is_status 404 && has 'Nothing has landed here' && has '<title>Not found – '
ask /broken && is_status 500 && has 'Something broke' && has_not 'this page is'
json /broken && is_status 500 && has '"code":"BROKEN"' && has_not 'this page is'
grep -q 'this page is broken on purpose' "$work/log" || fail "the log does not say why"

# ---- stop ----

what="SIGTERM"
kill -TERM "$pid"
code=0
wait "$pid" || code=$?
pid=
((code == 0)) || fail "exit code $code, wanted 0: $(tail -3 "$work/log")"

exit $failed
