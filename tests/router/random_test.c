/* SPDX-License-Identifier: MIT */
/*
 * random_test.c - the tree against a matcher that is too simple to be wrong
 *
 * The oracle knows no tree. It matches each route by itself, segment by segment, and writes down the
 * kinds of the segments as a word: "0" static, "1" parameter, "2" wildcard. Of the routes that match
 * the one with the smallest word is right, because static text goes before a parameter before the
 * wildcard, at the first place where two routes differ.
 *
 * Route sets and paths are drawn over two letters, so that they collide all the time. The seed is
 * fixed: a failure is a failure every time.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "router/router.h"

#include <skua/err.h>
#include <stdio.h>

enum { SETS = 20000, PATHS = 30, MOST_ROUTES = 14, MOST_SEGMENTS = 5 };

struct route {
    enum skua_method method;
    char pattern[64]; /* as "/ab/:n1/b" */
};

struct found {
    const struct route *route;
    char word[MOST_SEGMENTS + 2];
    uint16_t count;
    skua_str names[MOST_SEGMENTS + 1];
    skua_str values[MOST_SEGMENTS + 1];
};

static uint64_t seed = 20261130;

/* xorshift64*: enough for drawing lots. */
static unsigned draw(unsigned below)
{
    seed ^= seed >> 12;
    seed ^= seed << 25;
    seed ^= seed >> 27;
    return (unsigned)((seed * UINT64_C(2685821657736338717)) >> 33) % below;
}

/* "/" and up to three letters. */
static size_t draw_static(char *out)
{
    size_t len = 1 + draw(4) * (draw(8) != 0);

    out[0] = '/';
    for (size_t i = 1; i < len; i++)
        out[i] = "ab"[draw(2)];
    return len;
}

static void draw_route(struct route *route)
{
    unsigned segments = 1 + draw(MOST_SEGMENTS);
    size_t len = 0;

    route->method = draw(2) ? SKUA_GET : SKUA_POST;
    for (unsigned i = 0; i < segments; i++) {
        unsigned kind = draw(8);

        if (kind < 3)
            len += (size_t)snprintf(route->pattern + len, 8, "/:%c%u", "nm"[draw(2)], i);
        else if (kind == 3 && i + 1 == segments)
            len += (size_t)snprintf(route->pattern + len, 8, "/*");
        else
            len += draw_static(route->pattern + len);
    }
    route->pattern[len] = '\0';
}

static size_t draw_path(char *out)
{
    unsigned segments = 1 + draw(MOST_SEGMENTS + 1);
    size_t len = 0;

    for (unsigned i = 0; i < segments; i++)
        len += draw_static(out + len);
    out[len] = '\0';
    return len;
}

/* Cut the next segment off, without its slash. */
static skua_str take_segment(const char **at)
{
    const char *start = *at + 1;

    *at = start + strcspn(start, "/");
    return skua_str_of(start, (size_t)(*at - start));
}

static bool match_one(struct found *out, const struct route *route, const char *path)
{
    const char *at = route->pattern;
    size_t kinds = 0;

    memset(out, 0, sizeof(*out));
    out->route = route;
    while (*at != '\0' && *path != '\0') {
        const char *rest = path + 1;
        skua_str wanted = take_segment(&at);
        skua_str got = take_segment(&path);
        char kind = wanted.len > 0 && wanted.ptr[0] == ':'   ? '1'
                    : wanted.len > 0 && wanted.ptr[0] == '*' ? '2'
                                                             : '0';

        out->word[kinds++] = kind;
        if (kind == '0' && !skua_str_eq(wanted, got))
            return false;
        if (kind == '0')
            continue;
        out->names[out->count] =
            kind == '1' ? skua_str_of(wanted.ptr + 1, wanted.len - 1) : SKUA_STR("*");
        out->values[out->count++] = kind == '1' ? got : skua_str_c(rest);
        if (kind == '2')
            return true;
    }
    return *at == '\0' && *path == '\0';
}

static struct found ask_oracle(const struct route *routes, unsigned count, enum skua_method method,
                               const char *path)
{
    struct found best = {0};
    struct found one;

    for (unsigned i = 0; i < count; i++) {
        if (routes[i].method == method && match_one(&one, &routes[i], path) &&
            (best.route == NULL || strcmp(one.word, best.word) < 0))
            best = one;
    }
    return best;
}

/* Whether two patterns are the same but for the names. */
static bool same_place(const char *a, const char *b)
{
    while (*a != '\0' && *b != '\0') {
        skua_str left = take_segment(&a);
        skua_str right = take_segment(&b);
        bool params = left.len > 0 && right.len > 0 && left.ptr[0] == ':' && right.ptr[0] == ':';

        if (!params && !skua_str_eq(left, right))
            return false;
    }
    return *a == *b;
}

static bool is_taken(const struct route *routes, unsigned count, const struct route *route)
{
    for (unsigned i = 0; i < count; i++) {
        if (routes[i].method == route->method && same_place(routes[i].pattern, route->pattern))
            return true;
    }
    return false;
}

/* Draw routes and add them; those that are taken must be refused. Returns how many there are. */
static unsigned add_routes(struct skua__router *router, struct route *routes)
{
    unsigned wanted = 1 + draw(MOST_ROUTES);
    unsigned count = 0;

    for (unsigned i = 0; i < wanted; i++) {
        struct route *route = &routes[count];
        skua_arena *arena = skua_arena_new(0);
        const char *why = NULL;
        int expected;

        draw_route(route);
        expected = is_taken(routes, count, route) ? SKUA_ERR_SETUP : 0;
        assert_int_equal(
            skua__router_add(router, route->method, skua_str_c(route->pattern), route, arena, &why),
            expected);
        count += expected == 0;
        skua_arena_free(arena);
    }
    return count;
}

static void compare(const struct skua__router *router, const struct route *routes, unsigned count,
                    enum skua_method method, const char *path, size_t len)
{
    struct found expected = ask_oracle(routes, count, method, path);
    struct skua__match match;

    skua__router_find(router, method, skua_str_of(path, len), &match);
    if (match.route != expected.route)
        fail_msg("%s: expected %s, got %s", path,
                 expected.route ? expected.route->pattern : "nothing",
                 match.route ? ((struct route *)match.route)->pattern : "nothing");
    assert_int_equal(match.count, expected.count);
    for (uint16_t i = 0; i < match.count; i++) {
        assert_true(skua_str_eq(match.names[i], expected.names[i]));
        assert_ptr_equal(match.values[i].ptr, expected.values[i].ptr);
        assert_int_equal(match.values[i].len, expected.values[i].len);
    }
}

static void the_tree_and_the_oracle_agree(void **state)
{
    unsigned matched = 0;
    unsigned missed = 0;

    (void)state;
    for (unsigned set = 0; set < SETS; set++) {
        struct skua__router *router = skua__router_new();
        struct route routes[MOST_ROUTES];
        unsigned count = add_routes(router, routes);

        for (unsigned i = 0; i < PATHS; i++) {
            char path[64];
            size_t len = draw_path(path);
            bool get = ask_oracle(routes, count, SKUA_GET, path).route != NULL;
            bool post = ask_oracle(routes, count, SKUA_POST, path).route != NULL;

            compare(router, routes, count, SKUA_GET, path, len);
            compare(router, routes, count, SKUA_POST, path, len);
            assert_int_equal(skua__router_methods(router, skua_str_of(path, len)),
                             (unsigned)get << SKUA_GET | (unsigned)post << SKUA_POST);
            matched += get + post;
            missed += 2u - get - post;
        }
        skua__router_free(router);
    }
    printf("random: %u lookups found a route, %u did not\n", matched, missed);
    assert_true(matched > SETS && missed > SETS); /* the lots are worth drawing */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tree_and_the_oracle_agree),
    };

    return cmocka_run_group_tests_name("random", tests, NULL, NULL);
}
