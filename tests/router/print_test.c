/* SPDX-License-Identifier: MIT */
/*
 * print_test.c - the drawing of the tree, byte by byte
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "router/router.h"

#include <skua/err.h>
#include <stdio.h>

struct row {
    enum skua_method method;
    const char *pattern;
};

static void drawn(const struct row *rows, size_t count, const char *expected)
{
    struct skua__router *router = skua__router_new();
    skua_arena *arena = skua_arena_new(0);
    struct skua__buf out;
    const char *why = NULL;

    skua__buf_init(&out, NULL);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(skua__router_add(router, rows[i].method, skua_str_c(rows[i].pattern),
                                          router, arena, &why),
                         0);
    skua__router_print(router, &out);
    assert_string_equal(skua__buf_str(&out).ptr, expected);
    skua__buf_finish(&out);
    skua_arena_free(arena);
    skua__router_free(router);
}

#define DRAWN(rows, expected) drawn(rows, sizeof(rows) / sizeof((rows)[0]), expected)

static void a_tree_without_routes_says_so(void **state)
{
    (void)state;
    drawn(NULL, 0, "(empty tree)");
}

static void the_root_alone(void **state)
{
    const struct row rows[] = {{SKUA_GET, "/"}};

    (void)state;
    DRAWN(rows, "└── / (GET)\n");
}

static void siblings_stand_in_the_order_of_adding(void **state)
{
    const struct row rows[] = {{SKUA_GET, "/test"},
                               {SKUA_GET, "/*"},
                               {SKUA_GET, "/test/hello"},
                               {SKUA_GET, "/:page"},
                               {SKUA_GET, "/hello/world"}};

    (void)state;
    DRAWN(rows, "└── /\n"
                "    ├── test (GET)\n"
                "    │   └── /hello (GET)\n"
                "    ├── hello/world (GET)\n"
                "    ├── :page (GET)\n"
                "    └── * (GET)\n");
}

static void a_split_keeps_the_place_of_what_was_there_first(void **state)
{
    const struct row rows[] = {
        {SKUA_GET, "/romane"}, {SKUA_GET, "/a"}, {SKUA_GET, "/romulus"}, {SKUA_GET, "/rom"}};

    (void)state;
    DRAWN(rows, "└── /\n"
                "    ├── rom (GET)\n"
                "    │   ├── ane (GET)\n"
                "    │   └── ulus (GET)\n"
                "    └── a (GET)\n");
}

static void methods_stand_in_the_order_of_their_table(void **state)
{
    const struct row rows[] = {
        {SKUA_QUERY, "/x"}, {SKUA_POST, "/x"}, {SKUA_GET, "/x"}, {SKUA_DELETE, "/x/:id/*"}};

    (void)state;
    DRAWN(rows, "└── /\n"
                "    └── x (GET, POST, QUERY)\n"
                "        └── /\n"
                "            └── :id\n"
                "                └── /\n"
                "                    └── * (DELETE)\n");
}

static void a_parameter_with_two_names_has_a_line_for_each(void **state)
{
    const struct row rows[] = {{SKUA_GET, "/a/:id"},       {SKUA_POST, "/a/:name"},
                               {SKUA_PUT, "/a/:id"},       {SKUA_GET, "/a/:key/x"},
                               {SKUA_GET, "/b/:one/:two"}, {SKUA_GET, "/a/b"}};

    (void)state;
    DRAWN(rows, "└── /\n"
                "    ├── a/\n"
                "    │   ├── b (GET)\n"
                "    │   └── :id (GET, PUT)\n"
                "    │       :name (POST)\n"
                "    │       └── /x (GET)\n"
                "    └── b/\n"
                "        └── :one\n"
                "            └── /\n"
                "                └── :two (GET)\n");
}

static void a_tree_as_deep_as_it_has_routes_is_drawn(void **state)
{
    enum { DEPTH = 300 };
    struct skua__router *router = skua__router_new();
    skua_arena *arena = skua_arena_new(0);
    char pattern[DEPTH + 2] = "/";
    struct skua__buf out;
    const char *why = NULL;
    size_t lines = 0;

    (void)state;
    for (int i = 1; i <= DEPTH; i++) {
        pattern[i] = 'a';
        assert_int_equal(skua__router_add(router, SKUA_GET, skua_str_of(pattern, (size_t)i + 1),
                                          router, arena, &why),
                         0);
    }
    skua__buf_init(&out, NULL);
    skua__router_print(router, &out);
    for (size_t i = 0; i < out.len; i++)
        lines += out.ptr[i] == '\n';
    assert_int_equal(lines, DEPTH + 1);
    assert_int_equal(out.failed, 0);
    skua__buf_finish(&out);
    skua_arena_free(arena);
    skua__router_free(router);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_without_routes_says_so),
        cmocka_unit_test(the_root_alone),
        cmocka_unit_test(siblings_stand_in_the_order_of_adding),
        cmocka_unit_test(a_split_keeps_the_place_of_what_was_there_first),
        cmocka_unit_test(methods_stand_in_the_order_of_their_table),
        cmocka_unit_test(a_parameter_with_two_names_has_a_line_for_each),
        cmocka_unit_test(a_tree_as_deep_as_it_has_routes_is_drawn),
    };

    return cmocka_run_group_tests_name("print", tests, NULL, NULL);
}
