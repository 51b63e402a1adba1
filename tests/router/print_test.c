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
    struct skua__constraints constraints;
};

static void drawn(const struct row *rows, size_t count, const char *expected)
{
    struct skua__router *router = skua__router_new(NULL);
    skua_arena *arena = skua_arena_new(0);
    struct skua__buf out;
    const char *why = NULL;

    skua__buf_init(&out, NULL);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(skua__router_add(router, rows[i].method, skua_str_c(rows[i].pattern),
                                          &rows[i].constraints, router, arena, &why),
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
    const struct row rows[] = {{.pattern = "/"}};

    (void)state;
    DRAWN(rows, "└── / (GET)\n");
}

static void siblings_stand_in_the_order_of_adding(void **state)
{
    const struct row rows[] = {{SKUA_GET, "/test", {0}},
                               {SKUA_GET, "/*", {0}},
                               {SKUA_GET, "/test/hello", {0}},
                               {SKUA_GET, "/:page", {0}},
                               {SKUA_GET, "/hello/world", {0}}};

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
    const struct row rows[] = {{SKUA_GET, "/romane", {0}},
                               {SKUA_GET, "/a", {0}},
                               {SKUA_GET, "/romulus", {0}},
                               {SKUA_GET, "/rom", {0}}};

    (void)state;
    DRAWN(rows, "└── /\n"
                "    ├── rom (GET)\n"
                "    │   ├── ane (GET)\n"
                "    │   └── ulus (GET)\n"
                "    └── a (GET)\n");
}

static void methods_stand_in_the_order_of_their_table(void **state)
{
    const struct row rows[] = {{SKUA_QUERY, "/x", {0}},
                               {SKUA_POST, "/x", {0}},
                               {SKUA_GET, "/x", {0}},
                               {SKUA_DELETE, "/x/:id/*", {0}}};

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
    const struct row rows[] = {{SKUA_GET, "/a/:id", {0}},       {SKUA_POST, "/a/:name", {0}},
                               {SKUA_PUT, "/a/:id", {0}},       {SKUA_GET, "/a/:key/x", {0}},
                               {SKUA_GET, "/b/:one/:two", {0}}, {SKUA_GET, "/a/b", {0}}};

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

static void a_segment_is_drawn_as_it_is_written(void **state)
{
    const struct row rows[] = {{SKUA_GET, "/at/:h(^\\d{2})h:m(\\d+)m", {0}},
                               {SKUA_GET, "/at/:name", {0}},
                               {SKUA_GET, "/at/:from-:to", {0}},
                               {SKUA_POST, "/at/:a-:b", {0}},
                               {SKUA_GET, "/at/:pic.png/x", {0}},
                               {SKUA_GET, "/at/:id::act", {0}},
                               {SKUA_GET, "/go/:to?", {0}}};

    (void)state;
    DRAWN(rows, "└── /\n"
                "    ├── at/\n"
                "    │   ├── :pic.png\n"
                "    │   │   └── /x (GET)\n"
                "    │   ├── :id::act (GET)\n"
                "    │   ├── :h(^\\d{2})h:m(\\d+)m (GET)\n"
                "    │   ├── :from-:to (GET)\n"
                "    │   │   :a-:b (POST)\n"
                "    │   └── :name (GET)\n"
                "    └── go (GET)\n"
                "        └── /\n"
                "            └── :to (GET)\n");
}

static void constraints_have_a_line_each_in_the_order_of_adding(void **state)
{
    const struct row rows[] = {{SKUA_GET, "/x", {0}},
                               {SKUA_GET, "/x", {.host = "A.com"}},
                               {SKUA_GET, "/x/:id", {.version = "1.2"}},
                               {SKUA_GET, "/x/:id", {.version = "2.0.0"}},
                               {SKUA_POST, "/x/:id", {.version = "1.2.0"}},
                               {SKUA_GET, "/x/:id", {.host = "/[.]\"\\d$/", .version = "1.0.0"}}};

    (void)state;
    DRAWN(rows, "└── /\n"
                "    └── x (GET)\n"
                "        x (GET) {\"host\":\"a.com\"}\n"
                "        └── /\n"
                "            └── :id (GET, POST) {\"version\":\"1.2.0\"}\n"
                "                :id (GET) {\"version\":\"2.0.0\"}\n"
                "                :id (GET) {\"host\":\"/[.]\\\"\\\\d$/\",\"version\":\"1.0.0\"}\n");
}

static void a_tree_as_deep_as_it_has_routes_is_drawn(void **state)
{
    enum { DEPTH = 300 };
    struct skua__router *router = skua__router_new(NULL);
    skua_arena *arena = skua_arena_new(0);
    char pattern[DEPTH + 2] = "/";
    struct skua__buf out;
    const char *why = NULL;
    size_t lines = 0;

    (void)state;
    for (int i = 1; i <= DEPTH; i++) {
        pattern[i] = 'a';
        assert_int_equal(skua__router_add(router, SKUA_GET, skua_str_of(pattern, (size_t)i + 1),
                                          NULL, router, arena, &why),
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
        cmocka_unit_test(a_segment_is_drawn_as_it_is_written),
        cmocka_unit_test(constraints_have_a_line_each_in_the_order_of_adding),
        cmocka_unit_test(a_tree_as_deep_as_it_has_routes_is_drawn),
    };

    return cmocka_run_group_tests_name("print", tests, NULL, NULL);
}
