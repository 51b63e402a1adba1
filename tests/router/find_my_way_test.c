/* SPDX-License-Identifier: MIT */
/*
 * find_my_way_test.c - the recorded calls of find-my-way's own tests, replayed
 *
 * A row of the data is one router: routes added, then looked up. A row is taken when it needs no
 * more than there is (`needs_more` lists what else rows need); it passes when every call gives what
 * it gave there: the route, the decoded values, a refusal, or the drawing. The query string is not
 * the router's and is not compared.
 *
 * A URL of the data goes the way of a request: it is written as a client sends it, read by
 * skua__target_read, and looked up if it is well-formed.
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

#define DATA SKUA_SOURCE_DIR "/../shared/conformance/find-my-way/cases.jsonl"

enum { ROWS = 319, TAKEN = 121 };

struct replay {
    struct skua__router *router;
    skua_arena *arena;
};

static skua_str member(const skua_value *object, const char *key)
{
    return skua_as_str(skua_get_value(object, key));
}

static bool has_member(const skua_value *object, const char *key)
{
    return skua_get_value(object, key) != NULL;
}

static enum skua_method read_method(skua_str name)
{
    static const char *const names[] = {
#define NAME(name) #name,
        SKUA_METHOD_MAP(NAME)
#undef NAME
    };
    int method = 0;

    while (method < SKUA_METHOD_COUNT && !skua_str_eq(name, skua_str_c(names[method])))
        method++;
    return (enum skua_method)method;
}

/* ---- which rows are taken ---- */

/* Several parameters in a segment, static text beside one, an expression, an optional one. */
static bool is_rich_pattern(skua_str path)
{
    bool in_param = false;

    for (size_t i = 0; i < path.len; i++) {
        char c = path.ptr[i];

        if (c == ':' && i + 1 < path.len && path.ptr[i + 1] == ':') {
            i++;
        } else if (c == ':') {
            if (i > 0 && path.ptr[i - 1] != '/')
                return true;
            in_param = true;
        } else if (c == '/') {
            in_param = false;
        } else if (c == '(' || (in_param && (c == '-' || c == '.' || c == '?'))) {
            return true;
        }
    }
    return false;
}

static bool needs_more_methods(const skua_value *methods)
{
    for (size_t i = 0; i < skua_count(methods); i++) {
        if (read_method(skua_as_str(skua_at(methods, i))) == SKUA_METHOD_UNKNOWN)
            return true;
    }
    return false;
}

static bool op_needs_more(const skua_value *op)
{
    static const char *const known[] = {"on", "lookup", "find", "prettyPrint"};
    skua_str name = member(op, "op");
    bool is_known = false;

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        is_known |= skua_str_eq(name, skua_str_c(known[i]));
    if (!is_known || skua_count(skua_get_value(op, "constraints")) > 0)
        return true;
    if (!skua_str_eq(name, SKUA_STR("on")))
        return false;
    return skua_kind_of(skua_get_value(op, "path")) != SKUA_STRING ||
           is_rich_pattern(member(op, "path")) ||
           needs_more_methods(skua_get_value(op, "methods")) ||
           skua_str_eq(member(op, "throws"), SKUA_STR("Handler should be a function"));
}

/* Rows in which Skua differs on purpose: it refuses what would lose a value. */
static bool differs(const skua_value *row)
{
    return skua_str_eq(member(row, "file"), SKUA_STR("issue-59.test.js")) &&
           skua_str_eq(member(row, "test"), SKUA_STR("with parameter / 6")); /* a name twice */
}

/* Options, constraints, richer patterns, other methods, other calls, JavaScript's own mistakes. */
static bool needs_more(const skua_value *row)
{
    struct skua_each option = {0};
    struct skua_each op = {0};

    while (skua_each(&option, skua_get_value(row, "options"))) {
        bool otherwise = skua_str_eq(option.key, SKUA_STR("caseSensitive"));

        if (!skua_str_eq(option.key, SKUA_STR("defaultRoute")) &&
            skua_truthy(option.value) != otherwise)
            return true;
    }
    while (skua_each(&op, skua_get_value(row, "ops"))) {
        if (op_needs_more(op.value))
            return true;
    }
    return false;
}

/* ---- replaying ---- */

static bool replay_on(struct replay *r, const skua_value *op)
{
    const skua_value *methods = skua_get_value(op, "methods");
    void *route = (void *)(uintptr_t)(skua_as_int(skua_get_value(op, "id"), -1) + 1);
    const char *why = NULL;
    int err = 0;

    for (size_t i = 0; err == 0 && i < skua_count(methods); i++)
        err = skua__router_add(r->router, read_method(skua_as_str(skua_at(methods, i))),
                               member(op, "path"), route, r->arena, &why);
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
    skua_str url = has_member(op, "url") ? member(op, "url") : member(op, "path");
    struct skua__match match = {.route = NULL};
    struct skua__target target;

    if (skua__target_read(&target, r->arena, write_target(r->arena, url)) == 0)
        skua__router_find(r->router, read_method(member(op, "method")), target.path, &match);
    if (skua_kind_of(result) != SKUA_OBJECT)
        return match.route == NULL;
    return has_id(skua_get_value(result, "route"), match.route) &&
           same_params(r, &match, skua_get_value(result, "params"));
}

static bool replay_print(struct replay *r, const skua_value *op)
{
    struct skua__buf out;

    skua__buf_init(&out, r->arena);
    skua__router_print(r->router, &out);
    return skua_str_eq(skua__buf_str(&out), member(op, "text"));
}

static bool replay_op(struct replay *r, const skua_value *op)
{
    skua_str name = member(op, "op");

    if (skua_str_eq(name, SKUA_STR("on")))
        return replay_on(r, op);
    if (skua_str_eq(name, SKUA_STR("prettyPrint")))
        return replay_print(r, op);
    return replay_find(r, op);
}

static bool replay_row(const skua_value *row, skua_arena *arena)
{
    struct replay r = {.router = skua__router_new(), .arena = arena};
    struct skua_each op = {0};
    bool passed = r.router != NULL;

    while (passed && skua_each(&op, skua_get_value(row, "ops")))
        passed = replay_op(&r, op.value);
    if (!passed)
        printf("not as recorded: %s, call %zu\n", skua_as_text(skua_get_value(row, "test")),
               op.index);
    skua__router_free(r.router);
    return passed;
}

static void the_rows_that_need_no_more_than_there_is_pass(void **state)
{
    FILE *file = fopen(DATA, "r");
    char *line = NULL;
    size_t cap = 0;
    ssize_t len;
    int rows = 0;
    int taken = 0;
    int passed = 0;

    (void)state;
    if (file == NULL) {
        printf("SKIPPED: conformance data not found: %s\n", DATA);
        if (getenv("SKUA_CI") != NULL)
            fail();
        skip();
    }
    while ((len = getline(&line, &cap, file)) > 0) {
        skua_arena *arena = skua_arena_new(0);
        skua_value *row;

        rows++;
        assert_int_equal(skua_json_read(&row, arena, skua_str_of(line, (size_t)len), NULL), 0);
        if (!needs_more(row) && !differs(row)) {
            taken++;
            passed += replay_row(row, arena);
        }
        skua_arena_free(arena);
    }
    free(line);
    fclose(file);
    printf("find-my-way (subset): %d/%d\n", passed, taken);
    assert_int_equal(rows, ROWS);
    assert_int_equal(taken, TAKEN);
    assert_int_equal(passed, TAKEN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rows_that_need_no_more_than_there_is_pass),
    };

    return cmocka_run_group_tests_name("find-my-way", tests, NULL, NULL);
}
