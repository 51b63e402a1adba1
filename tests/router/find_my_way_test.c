/* SPDX-License-Identifier: MIT */
/*
 * find_my_way_test.c - the recorded calls of find-my-way's own tests, replayed
 *
 * A row of the data is one router: routes added, then looked up. It passes when every call gives what
 * it gave there: the route, the decoded values, a refusal, or the drawing. Left out are the rows that
 * take routes away again (off, reset), as a description only grows, and the one that draws 35 methods.
 * Rows that differ on purpose are in find_my_way_exceptions.txt with the reason; one of them that
 * starts to pass, or names no row, fails the run. The query string is not the router's and is not
 * compared.
 *
 * A URL of the data goes the way of a request: it is written as a client sends it, read by
 * skua__target_read, and looked up if it is well-formed.
 *
 * The data knows 35 methods, of which a row uses two at most. To the router a method is a number, so
 * one that Skua does not route (such as ACL) gets the number of one that the row does not use.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "router/router.h"
#include "text/target.h"

#include <skua/err.h>
#include <skua/json.h>
#include <stdio.h>
#include <stdlib.h>

#define DATA       SKUA_SOURCE_DIR "/../shared/conformance/find-my-way/cases.jsonl"
#define EXCEPTIONS SKUA_SOURCE_DIR "/tests/router/find_my_way_exceptions.txt"

enum { ROWS = 319, TAKEN = 309, EXCEPTED = 3 };

struct replay {
    struct skua__router *router;
    skua_arena *arena;
    skua_str methods[SKUA_METHOD_COUNT]; /* that the row uses, each under its number */
};

static skua_str member(const skua_value *object, const char *key)
{
    return skua_as_str(skua_get_value(object, key));
}

static bool has_member(const skua_value *object, const char *key)
{
    return skua_get_value(object, key) != NULL;
}

static bool is_true(const skua_value *options, const char *key)
{
    return skua_truthy(skua_get_value(options, key));
}

/* ---- methods ---- */

static int find_name(const char *const *names, size_t count, skua_str name)
{
    size_t at = 0;

    while (at < count && !skua_str_eq(name, skua_str_c(names[at])))
        at++;
    return (int)at;
}

/* Whether it is a method at all, though not one of Skua's. */
static bool is_foreign_method(skua_str name)
{
    static const char *const names[] = {
        "ACL",    "BIND",      "CHECKOUT",    "CONNECT", "COPY",       "LINK",   "LOCK",
        "MERGE",  "M-SEARCH",  "MKACTIVITY",  "MKCOL",   "MKCALENDAR", "MOVE",   "NOTIFY",
        "PURGE",  "PROPPATCH", "PROPFIND",    "REBIND",  "REPORT",     "SEARCH", "SOURCE",
        "UNBIND", "SUBSCRIBE", "UNSUBSCRIBE", "TRACE",   "UNLOCK",     "UNLINK",
    };
    const int count = sizeof(names) / sizeof(names[0]);

    return find_name(names, (size_t)count, name) < count;
}

/* Take a number for a foreign method: the last that is free, or the one it has. */
static int take_number(const struct replay *r, skua_str name)
{
    int number = SKUA_METHOD_COUNT - 1;

    while (r->methods[number].len > 0 && !skua_str_eq(r->methods[number], name))
        number--;
    return number;
}

static enum skua_method read_method(struct replay *r, skua_str name)
{
    static const char *const names[] = {
#define NAME(name) #name,
        SKUA_METHOD_MAP(NAME)
#undef NAME
    };
    int number = find_name(names, SKUA_METHOD_COUNT, name);

    if (number == SKUA_METHOD_COUNT && is_foreign_method(name))
        number = take_number(r, name);
    if (number == SKUA_METHOD_COUNT)
        return SKUA_METHOD_UNKNOWN;
    if (r->methods[number].len > 0 && !skua_str_eq(r->methods[number], name))
        fail_msg("a row uses so many methods that '%.*s' has no number", (int)name.len, name.ptr);
    r->methods[number] = name;
    return (enum skua_method)number;
}

/* ---- options and constraints ---- */

static struct skua__router *make_router(const skua_value *options)
{
    const struct skua__router_opts opts = {
        .case_insensitive =
            has_member(options, "caseSensitive") && !is_true(options, "caseSensitive"),
        .ignore_trailing_slash = is_true(options, "ignoreTrailingSlash"),
        .ignore_duplicate_slashes = is_true(options, "ignoreDuplicateSlashes"),
        .max_param_length = (uint32_t)skua_as_int(skua_get_value(options, "maxParamLength"), 0),
    };

    return skua__router_new(&opts);
}

/* What C cannot pass, such as a version that is a number, is passed as an empty string. */
static struct skua__constraints read_constraints(struct replay *r, const skua_value *op)
{
    const skua_value *constraints = skua_get_value(op, "constraints");
    const skua_value *host = skua_get_value(constraints, "host");
    struct skua__constraints out = {0};

    if (host != NULL)
        out.host = skua_strdup(r->arena, skua_as_str(host));
    if (has_member(host, "regexp"))
        out.host = skua_format(r->arena, "/%s/", member(host, "regexp").ptr);
    if (has_member(constraints, "version"))
        out.version = skua_strdup(r->arena, member(constraints, "version"));
    return out;
}

/* A call of lookup has fields, which are read if a route asks for them; find is told directly. */
static void read_fields(const struct replay *r, struct skua__lookup *lookup, const skua_value *op)
{
    const skua_value *headers = skua_get_value(op, "headers");
    const skua_value *constraints = skua_get_value(op, "constraints");
    uint8_t reads = skua__router_reads(r->router);

    if (has_member(constraints, "host"))
        lookup->host = member(constraints, "host");
    if (has_member(constraints, "version"))
        lookup->version = member(constraints, "version");
    if ((reads & SKUA__READS_HOST) != 0 && has_member(headers, "host"))
        lookup->host = member(headers, "host");
    if ((reads & SKUA__READS_VERSION) != 0 && has_member(headers, "accept-version"))
        lookup->version = member(headers, "accept-version");
}

/* ---- calls ---- */

static bool replay_on(struct replay *r, const skua_value *op)
{
    const skua_value *methods = skua_get_value(op, "methods");
    const struct skua__constraints constraints = read_constraints(r, op);
    void *route = (void *)(uintptr_t)(skua_as_int(skua_get_value(op, "id"), -1) + 1);
    const char *why = NULL;
    int err = 0;

    if (skua_str_eq(member(op, "throws"), SKUA_STR("Handler should be a function")))
        route = NULL;
    for (size_t i = 0; err == 0 && i < skua_count(methods); i++)
        err = skua__router_add(r->router, read_method(r, skua_as_str(skua_at(methods, i))),
                               member(op, "path"), &constraints, route, r->arena, &why);
    return err == (has_member(op, "throws") ? SKUA_ERR_SETUP : 0);
}

/* As a client sends it: without the fragment, and spaces and bytes over 127 as escapes. */
static skua_str write_target(skua_arena *arena, skua_str url)
{
    struct skua__buf out;

    skua__buf_init(&out, arena);
    for (size_t i = 0; i < url.len && url.ptr[i] != '#'; i++) {
        unsigned char c = (unsigned char)url.ptr[i];

        if (c <= ' ' || c > 126)
            skua__buf_printf(&out, "%%%02X", c);
        else
            skua__buf_put_char(&out, (char)c);
    }
    return skua__buf_str(&out);
}

static bool same_params(struct replay *r, const struct skua__match *match, const skua_value *params)
{
    if (skua_count(params) != match->count)
        return false;
    for (uint16_t i = 0; i < match->count; i++) {
        const skua_value *expected = skua_get_key(params, match->names[i]);
        skua_str value;

        if (expected == NULL || skua__segment_decode(&value, r->arena, match->values[i]) != 0 ||
            !skua_str_eq(value, skua_as_str(expected)))
            return false;
    }
    return true;
}

static bool has_id(const skua_value *ids, const void *route)
{
    for (size_t i = 0; i < skua_count(ids); i++) {
        if ((uintptr_t)route == (uintptr_t)(skua_as_int(skua_at(ids, i), -1) + 1))
            return true;
    }
    return false;
}

static bool replay_find(struct replay *r, const skua_value *op)
{
    const skua_value *result = skua_get_value(op, "result");
    skua_str special = member(result, "special");
    skua_str url = has_member(op, "url") ? member(op, "url") : member(op, "path");
    struct skua__match match = {.route = NULL};
    struct skua__lookup lookup = {.method = read_method(r, member(op, "method"))};
    struct skua__target target;
    int err = skua__target_read(&target, r->arena, write_target(r->arena, url));

    read_fields(r, &lookup, op);
    if (err == 0) {
        lookup.path = target.path;
        assert_int_equal(skua__router_drop_slashes(r->router, &lookup.path, r->arena), 0);
        err = skua__router_find(r->router, &lookup, &match);
    }
    if (special.len > 0)
        return err == (skua_str_eq(special, SKUA_STR("badUrl")) ? SKUA_ERR_BAD_INPUT
                                                                : SKUA_ERR_URI_TOO_LONG);
    if (skua_kind_of(result) != SKUA_OBJECT)
        return match.route == NULL;
    return has_id(skua_get_value(result, "route"), match.route) &&
           same_params(r, &match, skua_get_value(result, "params"));
}

static bool same_names(const struct skua__match *match, const skua_value *names)
{
    bool same = skua_count(names) == match->count;

    for (uint16_t i = 0; same && i < match->count; i++)
        same = skua_str_eq(match->names[i], skua_as_str(skua_at(names, i)));
    return same;
}

/* hasRoute and findRoute. */
static bool replay_find_pattern(struct replay *r, const skua_value *op)
{
    const skua_value *result = skua_get_value(op, "result");
    const struct skua__constraints constraints = read_constraints(r, op);
    struct skua__match match;
    const char *why = NULL;
    int err = skua__router_find_pattern(r->router, read_method(r, member(op, "method")),
                                        member(op, "path"), &constraints, r->arena, &match, &why);

    if (err != 0 || has_member(op, "throws"))
        return err == SKUA_ERR_SETUP && has_member(op, "throws");
    if (skua_kind_of(result) == SKUA_OBJECT)
        return has_id(skua_get_value(result, "route"), match.route) &&
               same_names(&match, skua_get_value(result, "params"));
    return skua_truthy(result) == (match.route != NULL);
}

static bool replay_print(struct replay *r, const skua_value *op)
{
    struct skua__buf out;

    skua__buf_init(&out, r->arena);
    skua__router_print(r->router, &out);
    return skua_str_eq(skua__buf_str(&out), member(op, "text"));
}

/* ---- rows ---- */

static const struct call {
    const char *name;
    bool (*replay)(struct replay *r, const skua_value *op); /* NULL: the row is left out */
} calls[] = {
    {"on", replay_on},
    {"lookup", replay_find},
    {"find", replay_find},
    {"hasRoute", replay_find_pattern},
    {"findRoute", replay_find_pattern},
    {"prettyPrint", replay_print},
    {"off", NULL},
    {"reset", NULL},
};

static const struct call *find_call(const skua_value *op)
{
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        if (skua_str_eq(member(op, "op"), skua_str_c(calls[i].name)))
            return &calls[i];
    }
    fail_msg("the data has a call '%s'", skua_as_text(skua_get_value(op, "op")));
    return NULL;
}

static bool is_taken(const skua_value *row)
{
    struct skua_each op = {0};

    while (skua_each(&op, skua_get_value(row, "ops"))) {
        if (find_call(op.value)->replay == NULL ||
            skua_count(skua_get_value(op.value, "methods")) > SKUA_METHOD_COUNT)
            return false;
    }
    return true;
}

static bool replay_row(const skua_value *row, skua_arena *arena)
{
    struct replay r = {.router = make_router(skua_get_value(row, "options")), .arena = arena};
    struct skua_each op = {0};
    bool passed = r.router != NULL;

    while (passed && skua_each(&op, skua_get_value(row, "ops")))
        passed = find_call(op.value)->replay(&r, op.value);
    skua__router_free(r.router);
    return passed;
}

/* ---- the suite ---- */

static FILE *open_data(void)
{
    FILE *file = fopen(DATA, "r");

    if (file != NULL)
        return file;
    printf("SKIPPED: conformance data not found: %s\n", DATA);
    if (getenv("SKUA_CI") != NULL)
        fail();
    skip();
    return NULL;
}

/* The exceptions, or NULL; free it. */
static char *read_exceptions(void)
{
    FILE *file = fopen(EXCEPTIONS, "r");
    char *text = NULL;
    size_t cap = 0;

    if (file == NULL)
        return NULL;
    if (getdelim(&text, &cap, '\0', file) < 0) {
        free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

static bool is_excepted(const char *exceptions, const skua_value *row, skua_arena *arena)
{
    const char *line =
        skua_format(arena, "\n%s / %s\t", member(row, "file").ptr, member(row, "test").ptr);

    return strstr(exceptions, line) != NULL;
}

static int count_lines(const char *text)
{
    int lines = 0;

    for (; *text != '\0'; text++)
        lines += *text == '\n';
    return lines;
}

struct score {
    int rows, taken, passed, excepted, wrong;
};

static void replay_line(struct score *score, const char *exceptions, skua_str line)
{
    skua_arena *arena = skua_arena_new(0);
    skua_value *row;

    assert_int_equal(skua_json_read(&row, arena, line, NULL), 0);
    score->rows++;
    if (is_taken(row)) {
        bool passed = replay_row(row, arena), excepted = is_excepted(exceptions, row, arena);

        score->taken++;
        score->passed += passed;
        score->excepted += excepted;
        score->wrong += passed == excepted;
        if (passed == excepted)
            printf("%s: %s / %s\n", passed ? "passes, but is an exception" : "not as recorded",
                   member(row, "file").ptr, member(row, "test").ptr);
    }
    skua_arena_free(arena);
}

static void the_recorded_calls_give_what_they_gave(void **state)
{
    FILE *file = open_data();
    char *exceptions = read_exceptions();
    struct score score = {0};
    char *line = NULL;
    size_t cap = 0;
    ssize_t len;

    (void)state;
    assert_non_null(exceptions);
    while ((len = getline(&line, &cap, file)) > 0)
        replay_line(&score, exceptions, skua_str_of(line, (size_t)len));
    printf("find-my-way: %d/%d, %d exceptions\n", score.passed, score.taken, score.excepted);
    assert_int_equal(score.wrong, 0);
    assert_int_equal(score.rows, ROWS);
    assert_int_equal(score.taken, TAKEN);
    assert_int_equal(score.excepted, EXCEPTED);
    assert_int_equal(count_lines(exceptions) - 1, EXCEPTED); /* the first line is the heading */
    free(exceptions);
    free(line);
    fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_recorded_calls_give_what_they_gave),
    };

    return cmocka_run_group_tests_name("find-my-way", tests, NULL, NULL);
}
