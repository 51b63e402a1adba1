/* SPDX-License-Identifier: MIT */
/*
 * option_test.c - case, slashes, and how long a value may be
 */
#include "routes.h"

#include <string.h>

static struct skua__router *make(struct skua__router_opts opts)
{
    struct skua__router *router = skua__router_new(&opts);

    assert_non_null(router);
    return router;
}

/* ---- case ---- */

static void letters_of_a_pattern_match_in_any_case_and_values_keep_theirs(void **state)
{
    struct skua__router *router = make((struct skua__router_opts){.case_insensitive = true});

    (void)state;
    add(router, "/Users/:ID");
    add(router, "/users/ALL");
    add(router, "/my-:Param");
    add(router, "/:a-TO-:b.PNG");
    add(router, "/Of/*");
    gives(router, "/uSERS/Ann", "/Users/:ID ID=Ann");
    gives(router, "/USERS/all", "/users/ALL");
    gives(router, "/MY-Bar", "/my-:Param Param=Bar");
    gives(router, "/X-to-Y.pNg", "/:a-TO-:b.PNG a=X b=Y");
    gives(router, "/oF/A/b", "/Of/* *=A/b");
    refused(router, SKUA_GET, "/USERS/All",
            "is already taken by '/users/ALL': remove one of the two");
    skua__router_free(router);
}

static void only_ascii_letters_have_a_case(void **state)
{
    struct skua__router *router = make((struct skua__router_opts){.case_insensitive = true});

    (void)state;
    add(router, "/caf\xc3\x89[");
    gives(router, "/CAF\xc3\x89[", "/caf\xc3\x89[");
    gives(router, "/caf\xc3\xa9[", "-");
    gives(router, "/caf\xc3\x89{", "-");
    skua__router_free(router);
}

static void an_expression_keeps_its_case_but_not_the_text_beside_it(void **state)
{
    struct skua__router *router = make((struct skua__router_opts){.case_insensitive = true});

    (void)state;
    add(router, "/:id([a-f]+)X");
    add(router, "/any/:id((?i)[a-f]+)");
    gives(router, "/abx", "/:id([a-f]+)X id=ab");
    gives(router, "/ABX", "-");
    gives(router, "/any/aB", "/any/:id((?i)[a-f]+) id=aB");
    skua__router_free(router);
}

/* ---- slashes ---- */

static void dropped(struct skua__router_opts opts, const char *path, const char *expected)
{
    struct skua__router *router = make(opts);
    skua_arena *arena = skua_arena_new(0);
    skua_str text = skua_str_c(path);

    assert_int_equal(skua__router_drop_slashes(router, &text, arena), 0);
    assert_int_equal(text.len, strlen(expected));
    assert_memory_equal(text.ptr, expected, text.len);
    skua_arena_free(arena);
    skua__router_free(router);
}

static void slashes_count_by_default(void **state)
{
    const struct skua__router_opts opts = {0};

    (void)state;
    dropped(opts, "//a//b//", "//a//b//");
}

static void a_trailing_slash_is_dropped_but_never_the_root(void **state)
{
    const struct skua__router_opts opts = {.ignore_trailing_slash = true};

    (void)state;
    dropped(opts, "/a/", "/a");
    dropped(opts, "/a//", "/a/");
    dropped(opts, "/a", "/a");
    dropped(opts, "/a%2F", "/a%2F");
    dropped(opts, "//", "/");
    dropped(opts, "/", "/");
    dropped(opts, "*", "*");
}

static void duplicate_slashes_become_one_and_then_the_trailing_one_is_dropped(void **state)
{
    const struct skua__router_opts duplicate = {.ignore_duplicate_slashes = true};
    const struct skua__router_opts both = {.ignore_duplicate_slashes = true,
                                           .ignore_trailing_slash = true};

    (void)state;
    dropped(duplicate, "//a///b//", "/a/b/");
    dropped(duplicate, "/a/%2F/b", "/a/%2F/b");
    dropped(duplicate, "////", "/");
    dropped(duplicate, "/a", "/a");
    dropped(both, "//a///b//", "/a/b");
    dropped(both, "////", "/");
}

static void dropping_duplicates_without_memory_says_so(void **state)
{
    struct skua__router *router =
        make((struct skua__router_opts){.ignore_duplicate_slashes = true});
    skua_arena *arena = skua_arena_new(1);
    skua_str path = SKUA_STR("//a");

    (void)state;
    assert_int_equal(skua__router_drop_slashes(router, &path, arena), SKUA_ERR_NOMEM);
    skua_arena_free(arena);
    skua__router_free(router);
}

static void patterns_that_differ_in_slashes_that_do_not_count_are_one(void **state)
{
    struct skua__router *router = make((struct skua__router_opts){
        .ignore_trailing_slash = true, .ignore_duplicate_slashes = true});

    (void)state;
    add(router, "/a/b/");
    add(router, "/x/:id?");
    refused(router, SKUA_GET, "//a//b", "is already taken by '/a/b/': remove one of the two");
    gives(router, "/a/b", "/a/b/");
    gives(router, "/x", "/x/:id?");
    skua__router_free(router);
}

/* ---- lengths ---- */

static void too_long(const struct skua__router *router, const char *path)
{
    gives(router, path, "SKUA_ERR_URI_TOO_LONG");
}

static void a_value_has_a_hundred_units_at_most(void **state)
{
    struct skua__router *router = make((struct skua__router_opts){0});
    char path[300];

    (void)state;
    add(router, "/:x/end");
    snprintf(path, sizeof(path), "/%0100d/end", 0);
    assert_string_not_equal(look_up(router, &(struct skua__lookup){.path = skua_str_c(path)}), "-");
    snprintf(path, sizeof(path), "/%0101d/end", 0);
    too_long(router, path);
    skua__router_free(router);
}

/* "%2F" is one unit, "é" one of two bytes, "🍌" two of four. */
static void units_are_those_of_utf16_after_decoding(void **state)
{
    struct skua__router *router = make((struct skua__router_opts){.max_param_length = 3});

    (void)state;
    add(router, "/:x");
    gives(router, "/%2F%2F%2F", "/:x x=%2F%2F%2F");
    too_long(router, "/%2F%2F%2Fa");
    gives(router, "/\xc3\xa9\xc3\xa9\xc3\xa9", "/:x x=\xc3\xa9\xc3\xa9\xc3\xa9");
    too_long(router, "/\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9");
    gives(router, "/\xf0\x9f\x8d\x8c_", "/:x x=\xf0\x9f\x8d\x8c_");
    too_long(router, "/\xf0\x9f\x8d\x8c\xf0\x9f\x8d\x8c");
    skua__router_free(router);
}

static void every_value_of_a_segment_has_the_bound(void **state)
{
    struct skua__router *router = make((struct skua__router_opts){.max_param_length = 3});

    (void)state;
    add(router, "/:a-:b");
    add(router, "/x/:a(\\d+)");
    gives(router, "/abc-def", "/:a-:b a=abc b=def");
    too_long(router, "/abcd-e");
    too_long(router, "/a-bcde");
    too_long(router, "/abcdefgh"); /* too long for any two values */
    gives(router, "/abcdefg", "-");
    too_long(router, "/x/1234");
    gives(router, "/x/abc", "-");
    skua__router_free(router);
}

static void another_route_is_taken_before_a_value_is_too_long(void **state)
{
    struct skua__router *router = make((struct skua__router_opts){.max_param_length = 3});

    (void)state;
    add(router, "/a/:x");
    add(router, "/a/:x/end");
    add(router, "/a/b/*");
    add(router, "/c/:x");
    add(router, "/c/*");
    too_long(router, "/a/1234");
    too_long(router, "/a/1234/end");
    too_long(router, "/a/1234/other");
    gives(router, "/a/b/1234", "/a/b/* *=1234");
    gives(router, "/c/1234", "/c/* *=1234");
    gives(router, "/d/1234", "-");
    skua__router_free(router);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_of_a_pattern_match_in_any_case_and_values_keep_theirs),
        cmocka_unit_test(only_ascii_letters_have_a_case),
        cmocka_unit_test(an_expression_keeps_its_case_but_not_the_text_beside_it),
        cmocka_unit_test(slashes_count_by_default),
        cmocka_unit_test(a_trailing_slash_is_dropped_but_never_the_root),
        cmocka_unit_test(duplicate_slashes_become_one_and_then_the_trailing_one_is_dropped),
        cmocka_unit_test(dropping_duplicates_without_memory_says_so),
        cmocka_unit_test(patterns_that_differ_in_slashes_that_do_not_count_are_one),
        cmocka_unit_test(a_value_has_a_hundred_units_at_most),
        cmocka_unit_test(units_are_those_of_utf16_after_decoding),
        cmocka_unit_test(every_value_of_a_segment_has_the_bound),
        cmocka_unit_test(another_route_is_taken_before_a_value_is_too_long),
    };

    return cmocka_run_group_tests_name("option", tests, NULL, NULL);
}
