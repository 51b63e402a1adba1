/* SPDX-License-Identifier: MIT */
#ifndef TESTS_ROUTER_ROUTES_H
#define TESTS_ROUTER_ROUTES_H

/* cmocka wants these before it. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "router/router.h"

#include <skua/err.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * What tests of the router share. A route is a text, mostly its own pattern: what was added under a
 * pattern is the pattern's text.
 */

static inline int start(void **state)
{
    *state = skua__router_new(NULL);
    return *state == NULL;
}

static inline int stop(void **state)
{
    skua__router_free(*state);
    return 0;
}

static inline void add_for(struct skua__router *router, enum skua_method method,
                           const char *pattern, const struct skua__constraints *constraints,
                           const char *route)
{
    skua_arena *arena = skua_arena_new(0);
    const char *why = NULL;
    int err = skua__router_add(router, method, skua_str_c(pattern), constraints,
                               (void *)(uintptr_t)route, arena, &why);

    if (err != 0)
        fail_msg("%s: %s", pattern, why);
    skua_arena_free(arena);
}

static inline void add_as(struct skua__router *router, enum skua_method method, const char *pattern,
                          const char *route)
{
    add_for(router, method, pattern, NULL, route);
}

static inline void add(struct skua__router *router, const char *pattern)
{
    add_as(router, SKUA_GET, pattern, pattern);
}

static inline void refused_for(struct skua__router *router, enum skua_method method,
                               const char *pattern, const struct skua__constraints *constraints,
                               const char *expected)
{
    skua_arena *arena = skua_arena_new(0);
    const char *why = NULL;

    assert_int_equal(
        skua__router_add(router, method, skua_str_c(pattern), constraints, router, arena, &why),
        SKUA_ERR_SETUP);
    assert_string_equal(why, expected);
    skua_arena_free(arena);
}

static inline void refused(struct skua__router *router, enum skua_method method,
                           const char *pattern, const char *expected)
{
    refused_for(router, method, pattern, NULL, expected);
}

/* The route of a lookup and its values in one line: "/users/:id id=7"; "-" for none. */
static inline const char *look_up(const struct skua__router *router,
                                  const struct skua__lookup *lookup)
{
    static char text[512];
    struct skua__match match;
    int err = skua__router_find(router, lookup, &match);
    int len;

    if (match.route == NULL) {
        assert_null(match.names);
        assert_int_equal(match.count, 0);
        return err == 0 ? "-" : skua_err_name(err);
    }
    assert_int_equal(err, 0);
    len = snprintf(text, sizeof(text), "%s", (const char *)match.route);
    for (uint16_t i = 0; i < match.count; i++)
        len +=
            snprintf(text + len, sizeof(text) - (size_t)len, " %.*s=%.*s", (int)match.names[i].len,
                     match.names[i].ptr, (int)match.values[i].len, match.values[i].ptr);
    return text;
}

/* Paths are looked up in memory of just their length, so that reading on is found. */
static inline void gives_for(const struct skua__router *router, enum skua_method method,
                             const char *path, const char *expected)
{
    size_t len = strlen(path);
    char *copy = malloc(len + (len == 0));
    const struct skua__lookup lookup = {.method = method, .path = skua_str_of(copy, len)};

    assert_non_null(copy);
    memcpy(copy, path, len);
    assert_string_equal(look_up(router, &lookup), expected);
    free(copy);
}

static inline void gives(const struct skua__router *router, const char *path, const char *expected)
{
    gives_for(router, SKUA_GET, path, expected);
}

static inline uint32_t methods_of(const struct skua__router *router, const char *path)
{
    const struct skua__lookup lookup = {.path = skua_str_c(path)};
    uint8_t vary = 0;

    return skua__router_methods(router, &lookup, &vary);
}

#endif
