/* SPDX-License-Identifier: MIT */
/*
 * router_path_fuzz.c - any path in two fixed trees
 *
 *   path TAB host TAB version, of which the last two may be missing
 *
 * One tree has static text, parameters and wildcards. It is compared with a matcher that is too simple
 * to be wrong, which knows no tree. It matches each route by itself, segment by segment, and writes down the
 * kinds of the segments as a word: "0" static, "1" parameter, "2" wildcard. Of the routes that match
 * the one with the smallest word is right, because static text goes before a parameter before the
 * wildcard, at the first place where two routes differ.
 *
 * The other tree has all the rest: several values in a segment, expressions, conditions, any case.
 * There the values that were found are put back into the pattern, which has to give the path.
 */
#include "fuzz.h"

#include "router/pattern.h"
#include "text/percent.h"
#include "text/scan.h"

struct route {
    enum skua_method method;
    const char *pattern;
    struct skua__constraints constraints;
};

/* ---- the plain tree ---- */

static struct route routes[] = {
    {SKUA_GET, "/", {0}},
    {SKUA_GET, "/a", {0}},
    {SKUA_GET, "/ab", {0}},
    {SKUA_GET, "/abc/", {0}},
    {SKUA_GET, "/:x", {0}},
    {SKUA_GET, "/:x/b", {0}},
    {SKUA_GET, "/:x/:y/c", {0}},
    {SKUA_GET, "/a/:y", {0}},
    {SKUA_GET, "/a/b/c/d", {0}},
    {SKUA_GET, "/a/*", {0}},
    {SKUA_GET, "/b/:p/*", {0}},
    {SKUA_GET, "/b/:p/b/", {0}},
    {SKUA_GET, "/b/b", {0}},
    {SKUA_GET, "//", {0}},
    {SKUA_POST, "/a", {0}},
    {SKUA_POST, "/a/b", {0}},
    {SKUA_POST, "/:n/b", {0}},
    {SKUA_POST, "/:n/:m", {0}},
    {SKUA_POST, "/:n/:m/*", {0}},
    {SKUA_POST, "/a/:k/b/:l", {0}},
    {SKUA_POST, "/a/b/:k/:l", {0}},
    {SKUA_PUT, "/*", {0}},
    {SKUA_PUT, "/users/:id/files/:name", {0}},
    {SKUA_PUT, "/users/:id/files/all", {0}},
    {SKUA_PUT, "/users/me/files/:name", {0}},
    {SKUA_DELETE, "/\xc3\xa9/:x", {0}},
    {SKUA_OPTIONS, "*", {0}},
    {SKUA_OPTIONS, "/a/:x", {0}},
};

enum { ROUTES = sizeof(routes) / sizeof(routes[0]), MOST = 8 };

struct found {
    const struct route *route; /* NULL: none */
    char word[MOST + 1];
    uint16_t count;
    skua_str names[MOST];
    skua_str values[MOST];
};

/* Cut the slash and the segment behind it off; returns the segment. */
static skua_str take_segment(skua_str *rest)
{
    const char *start = rest->ptr + 1;
    const char *slash = memchr(start, '/', rest->len - 1);
    size_t len = slash != NULL ? (size_t)(slash - start) : rest->len - 1;

    *rest = skua_str_of(start + len, rest->len - 1 - len);
    return skua_str_of(start, len);
}

static bool match_route(struct found *out, const struct route *route, skua_str path)
{
    skua_str whole = path, pattern = skua_str_c(route->pattern);
    bool alone = skua_str_eq(pattern, SKUA_STR("*"));

    memset(out, 0, sizeof(*out));
    out->route = route;
    if (alone)
        pattern = SKUA_STR("/*");
    for (size_t kinds = 0; pattern.len > 0 && path.len > 0; kinds++) {
        skua_str rest = skua_str_of(path.ptr + 1, path.len - 1);
        skua_str wanted = take_segment(&pattern), got = take_segment(&path);
        char first = wanted.len > 0 ? wanted.ptr[0] : '\0';

        out->word[kinds] = first == ':' ? '1' : first == '*' ? '2' : '0';
        if (out->word[kinds] == '0' && !skua_str_eq(wanted, got))
            return false;
        if (out->word[kinds] == '0')
            continue;
        out->names[out->count] =
            first == '*' ? wanted : skua_str_of(wanted.ptr + 1, wanted.len - 1);
        out->values[out->count++] = first != '*' ? got : alone ? whole : rest;
        if (first == '*')
            return true;
    }
    return pattern.len == 0 && path.len == 0;
}

static struct found ask_oracle(enum skua_method method, skua_str path)
{
    struct found best = {0}, one;

    for (unsigned i = 0; i < ROUTES && path.len > 0 && path.ptr[0] == '/'; i++) {
        if (routes[i].method == method && match_route(&one, &routes[i], path) &&
            (best.route == NULL || strcmp(one.word, best.word) < 0))
            best = one;
    }
    return best;
}

static struct skua__router *make_router(struct route *list, size_t count,
                                        const struct skua__router_opts *opts)
{
    struct skua__router *router = fuzz_have(skua__router_new(opts));
    skua_arena *arena = fuzz_have(skua_arena_new(0));
    const char *why;

    for (size_t i = 0; i < count; i++)
        fuzz_check(skua__router_add(router, list[i].method, skua_str_c(list[i].pattern),
                                    &list[i].constraints, &list[i], arena, &why) == 0);
    skua_arena_free(arena);
    return router;
}

static void check_method(const struct skua__router *router, enum skua_method method, skua_str path)
{
    struct found expected = ask_oracle(method, path);
    const struct skua__lookup lookup = {.method = method, .path = path};
    struct skua__match match;
    uint8_t vary = 0;

    fuzz_check(skua__router_find(router, &lookup, &match) == 0);
    fuzz_check(match.route == expected.route && match.count == expected.count);
    for (uint16_t i = 0; i < match.count; i++) {
        fuzz_check(skua_str_eq(match.names[i], expected.names[i]));
        fuzz_check(match.values[i].ptr == expected.values[i].ptr);
        fuzz_check(match.values[i].len == expected.values[i].len);
    }
    fuzz_check((skua__router_methods(router, &lookup, &vary) >> method & 1) ==
               (expected.route != NULL));
}

/* ---- the other tree ---- */

#define HOST(name)      .constraints.host = name
#define VERSION(digits) .constraints.version = digits

static struct route special[] = {
    {SKUA_GET, "/", HOST("a.com")},
    {SKUA_GET, "/", HOST("/[.]b[.]com$/")},
    {SKUA_GET, "/", HOST("a.com:80"), VERSION("1.2.3")},
    {SKUA_GET, "/", VERSION("1.2.3")},
    {SKUA_GET, "/", VERSION("1.10.0")},
    {SKUA_GET, "/:a-:b", {0}},
    {SKUA_GET, "/:a.png", {0}},
    {SKUA_GET, "/:a.tar.gz", {0}},
    {SKUA_GET, "/:a-:b.png", {0}},
    {SKUA_GET, "/:a::@:b", {0}},
    {SKUA_GET, "/at/:h(\\d+)h:m", {0}},
    {SKUA_GET, "/at/:d(^[a-f]*)-%:e(.*?)x", {0}},
    {SKUA_GET, "/at/:slow((?:a+)+b)", {0}},
    {SKUA_GET, "/at/:word", HOST("a.com")},
    {SKUA_GET, "/Birds/:id?", {0}},
    {SKUA_GET, "/files/*", {0}},
};

/* Text between values is decoded in a pattern; in a path its "%" is an escape. */
static void put_glue(struct skua__buf *out, skua_str glue)
{
    for (size_t i = 0; i < glue.len; i++) {
        skua__buf_put_char(out, glue.ptr[i]);
        if (glue.ptr[i] == '%')
            skua__buf_put_literal(out, "25");
    }
}

/* Put the values where the pattern has them. */
static skua_str put_values(skua_arena *arena, const struct skua__pattern *pattern,
                           const skua_str *values)
{
    struct skua__buf buf;

    skua__buf_init(&buf, arena);
    for (uint16_t i = 0; i < pattern->count; i++) {
        const struct skua__part *part = &pattern->parts[i];

        skua__buf_put_str(&buf, part->text);
        for (uint16_t at = part->first; at < part->first + part->count; at++) {
            skua__buf_put_str(&buf, values[at]);
            put_glue(&buf, pattern->pieces[at].glue);
        }
    }
    return skua__buf_str(&buf);
}

/* Text that stands in a path escaped may stand in a pattern as it is; both are compared decoded. */
static skua_str decode(skua_arena *arena, skua_str path)
{
    char *text = fuzz_have(skua_alloc(arena, path.len));
    long len = skua__percent_decode(text, path, true);

    return len >= 0 ? skua_str_of(text, (size_t)len) : SKUA_STR("");
}

static void check_values(const struct route *route, skua_str path, const struct skua__match *match,
                         skua_arena *arena)
{
    const struct skua__router_opts opts = {.case_insensitive = true};
    struct skua__pattern pattern;
    const char *why;

    fuzz_check(skua__pattern_read(&pattern, skua_str_c(route->pattern), &opts, arena, &why) == 0);
    if (match->count < pattern.params)
        skua__pattern_shorten(&pattern, &opts);
    fuzz_check(match->count == pattern.params);
    for (uint16_t i = 0; i < match->count; i++) {
        fuzz_check(fuzz_within(match->values[i], path));
        fuzz_check(skua_str_eq(match->names[i], SKUA_STR("*")) ||
                   memchr(match->values[i].ptr, '/', match->values[i].len) == NULL);
    }
    fuzz_check(skua__equal_nocase(decode(arena, put_values(arena, &pattern, match->values)),
                                  decode(arena, path)));
}

static void check_special(const struct skua__router *router, const struct skua__lookup *lookup)
{
    struct skua__match match;
    uint8_t vary = 0;
    int err = skua__router_find(router, lookup, &match);
    bool has_method = skua__router_methods(router, lookup, &vary) >> lookup->method & 1;
    const struct route *route = match.route;
    skua_arena *arena;

    fuzz_check(err == 0 || err == SKUA_ERR_URI_TOO_LONG);
    fuzz_check(has_method == (route != NULL));
    if (route == NULL)
        return;
    arena = fuzz_have(skua_arena_new(0));
    fuzz_check(err == 0);
    fuzz_check((route->constraints.version != NULL) == (lookup->version.ptr != NULL));
    fuzz_check(route->constraints.host == NULL || lookup->host.ptr != NULL);
    check_values(route, lookup->path, &match, arena);
    skua_arena_free(arena);
}

/* ---- both ---- */

/* Take the bytes before the next TAB; ptr is NULL if nothing is left. */
static skua_str take_word(skua_str *rest)
{
    const char *tab = rest->len > 0 ? memchr(rest->ptr, '\t', rest->len) : NULL;
    size_t len = tab != NULL ? (size_t)(tab - rest->ptr) : rest->len;
    size_t used = tab != NULL ? len + 1 : len;
    skua_str word = skua_str_of(rest->len > 0 ? rest->ptr : NULL, len);

    *rest = skua_str_of(rest->ptr + used, rest->len - used);
    return word;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct skua__router *plain, *other; /* reachable until the end, so nothing that leaks */
    skua_str rest = skua_str_of((const char *)data, size);
    struct skua__lookup lookup = {.method = SKUA_GET, .path = take_word(&rest)};

    lookup.host = take_word(&rest);
    lookup.version = take_word(&rest);
    if (plain == NULL) {
        plain = make_router(routes, ROUTES,
                            &(struct skua__router_opts){.max_param_length = UINT32_MAX});
        other = make_router(special, sizeof(special) / sizeof(special[0]),
                            &(struct skua__router_opts){.case_insensitive = true});
    }
    for (int method = 0; method < SKUA_METHOD_COUNT; method++)
        check_method(plain, (enum skua_method)method, lookup.path);
    check_special(other, &lookup);
    return 0;
}
