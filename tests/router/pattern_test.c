/* SPDX-License-Identifier: MIT */
/*
 * pattern_test.c - what a pattern is taken apart into, and each way in which it is refused
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "router/pattern.h"

#include <skua/err.h>
#include <stdio.h>

/* The parts in one line: "static" text as it is, ":name", "*", with a bar between parts. */
static const char *describe(skua_arena *arena, skua_str source)
{
    static const char *const marks[] = {"", ":", "="};
    struct skua__pattern pattern;
    const char *why = NULL;
    const char *text = "";

    assert_int_equal(skua__pattern_read(&pattern, source, arena, &why), 0);
    for (uint16_t i = 0; i < pattern.count; i++)
        text =
            skua_format(arena, "%s%s%s%.*s", text, i > 0 ? "|" : "", marks[pattern.parts[i].kind],
                        (int)pattern.parts[i].text.len, pattern.parts[i].text.ptr);
    return text;
}

static void parts_are(const char *source, const char *expected)
{
    skua_arena *arena = skua_arena_new(0);

    assert_string_equal(describe(arena, skua_str_c(source)), expected);
    skua_arena_free(arena);
}

static void refused(const char *source, const char *expected)
{
    skua_arena *arena = skua_arena_new(0);
    struct skua__pattern pattern;
    const char *why = NULL;

    assert_int_equal(skua__pattern_read(&pattern, skua_str_c(source), arena, &why), SKUA_ERR_SETUP);
    assert_string_equal(why, expected);
    skua_arena_free(arena);
}

/* "/:p0/:p1/..." with `count` parameters, and `tail` behind. */
static const char *make_params(char *out, size_t size, int count, const char *tail)
{
    size_t len = 0;

    for (int i = 0; i < count; i++)
        len += (size_t)snprintf(out + len, size - len, "/:p%d", i);
    snprintf(out + len, size - len, "%s", tail);
    return out;
}

static void static_text_is_one_part(void **state)
{
    (void)state;
    parts_are("/", "/");
    parts_are("/users/all.json", "/users/all.json");
    parts_are("//double//", "//double//");
    parts_are("/caf\xc3\xa9/a b", "/caf\xc3\xa9/a b");
}

static void a_parameter_fills_its_segment(void **state)
{
    (void)state;
    parts_are("/:id", "/|:id");
    parts_are("/:id/", "/|:id|/");
    parts_are("/users/:id/files/:file_name/edit", "/users/|:id|/files/|:file_name|/edit");
    parts_are("/:$p/:p_1/:caf\xc3\xa9", "/|:$p|/|:p_1|/|:caf\xc3\xa9");
}

static void a_wildcard_is_last(void **state)
{
    (void)state;
    parts_are("/*", "/|=*");
    parts_are("/files/:id/*", "/files/|:id|/|=*");
}

static void a_star_alone_stands_for_slash_star(void **state)
{
    (void)state;
    parts_are("*", "/|=*");
}

static void two_colons_are_a_literal_one(void **state)
{
    (void)state;
    parts_are("/name::verb", "/name:verb");
    parts_are("/::id", "/:id");
    parts_are("/a::", "/a:");
    parts_are("/::::/:id", "/::/|:id");
}

static void a_percent_sign_is_written_as_a_canonical_path_has_it(void **state)
{
    (void)state;
    parts_are("/100%", "/100%25");
    parts_are("/a%20b/:id", "/a%2520b/|:id");
}

static void names_point_into_a_copy_of_the_source(void **state)
{
    char source[] = "/users/:id/*";
    skua_arena *arena = skua_arena_new(0);
    struct skua__pattern pattern;
    const char *why = NULL;

    (void)state;
    assert_int_equal(skua__pattern_read(&pattern, skua_str_c(source), arena, &why), 0);
    memset(source, 'x', sizeof(source));
    assert_string_equal(pattern.source.ptr, "/users/:id/*");
    assert_int_equal(pattern.count, 4);
    assert_int_equal(pattern.params, 2);
    assert_ptr_equal(pattern.parts[1].text.ptr, pattern.source.ptr + 8);
    assert_ptr_equal(pattern.parts[3].text.ptr, pattern.source.ptr + 11);
    skua_arena_free(arena);
}

static void a_pattern_that_does_not_begin_with_a_slash_is_refused(void **state)
{
    (void)state;
    refused("", "'' does not begin with a '/': write '/'");
    refused("users", "'users' does not begin with a '/': write '/users'");
    refused(":id", "':id' does not begin with a '/': write '/:id'");
    refused("*1", "'*1' does not begin with a '/': write '/*1'");
}

static void a_parameter_without_a_name_is_refused(void **state)
{
    (void)state;
    refused("/:", "'/:' has a parameter without a name: write one behind the ':', as in '/:id', "
                  "or '::' for a colon");
    refused("/a/:/b", "'/a/:/b' has a parameter without a name: write one behind the ':', as in "
                      "'/:id', or '::' for a colon");
    refused("/:::", "'/:::' has a parameter without a name: write one behind the ':', as in "
                    "'/:id', or '::' for a colon");
}

static void a_parameter_that_does_not_fill_its_segment_is_refused(void **state)
{
    static const char *const rows[][2] = {
        {"/:file.:ext", "file"}, {"/:from-:to", "from"},   {"/v:major", "major"},
        {"/:id(\\d+)", "id"},    {"/a/:id?", "id"},        {"/:id::action", "id"},
        {"/:id*", "id"},         {"/x::y:verb/z", "verb"}, {"/:::name", "name"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char expected[256];

        snprintf(expected, sizeof(expected),
                 "'%s' has a parameter that does not fill its segment: write '/:%s' and split the "
                 "value, or '::' for a colon",
                 rows[i][0], rows[i][1]);
        refused(rows[i][0], expected);
    }
}

static void a_name_given_twice_is_refused(void **state)
{
    (void)state;
    refused("/:id/friends/:id",
            "'/:id/friends/:id' has two parameters named 'id': give each a name of its own");
    parts_are("/:id/:i/:idx", "/|:id|/|:i|/|:idx");
}

static void a_wildcard_that_is_not_last_is_refused(void **state)
{
    static const char *const rows[] = {"/*/x", "/foo*/", "/foo*123", "/**"};

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char expected[256];

        snprintf(expected, sizeof(expected),
                 "'%s' has a '*' before its end, but '*' takes all that is left: put it last, or "
                 "write ':name' for one segment",
                 rows[i]);
        refused(rows[i], expected);
    }
}

static void a_wildcard_that_does_not_follow_a_slash_is_refused(void **state)
{
    (void)state;
    refused("/foo*", "'/foo*' has a '*' that does not follow a '/': write '/*'");
}

static void a_query_or_fragment_in_a_pattern_is_refused(void **state)
{
    (void)state;
    refused("/search?q", "'/search?q' has a '?', which no path has: leave out all from there and "
                         "read the query in the handler");
    refused("/page#top", "'/page#top' has a '#', which no path has: leave out all from there and "
                         "read the query in the handler");
}

static void sixteen_parameters_are_taken_and_seventeen_refused(void **state)
{
    char text[256];
    char expected[512];
    skua_arena *arena = skua_arena_new(0);
    struct skua__pattern pattern;
    const char *why = NULL;

    (void)state;
    make_params(text, sizeof(text), 16, "/end");
    assert_int_equal(skua__pattern_read(&pattern, skua_str_c(text), arena, &why), 0);
    assert_int_equal(pattern.params, 16);
    assert_int_equal(pattern.count, 33);
    skua_arena_free(arena);

    for (int wild = 0; wild < 2; wild++) { /* the wildcard counts as one */
        make_params(text, sizeof(text), wild ? 16 : 17, wild ? "/*" : "");
        snprintf(expected, sizeof(expected),
                 "'%s' has more than 16 parameters: let a '*' at the end take the last of them",
                 text);
        refused(text, expected);
    }
    make_params(text, sizeof(text), 15, "/*");
    arena = skua_arena_new(0);
    assert_int_equal(skua__pattern_read(&pattern, skua_str_c(text), arena, &why), 0);
    assert_int_equal(pattern.params, 16);
    skua_arena_free(arena);
}

static void a_pattern_of_65535_bytes_is_taken_and_one_more_refused(void **state)
{
    static char text[65536];
    skua_arena *arena = skua_arena_new(0);
    struct skua__pattern pattern;
    const char *why = NULL;

    (void)state;
    memset(text, '%', sizeof(text)); /* each becomes three bytes */
    text[0] = '/';
    assert_int_equal(skua__pattern_read(&pattern, skua_str_of(text, 65535), arena, &why), 0);
    assert_int_equal(pattern.parts[0].text.len, 1 + 65534 * 3);
    assert_int_equal(skua__pattern_read(&pattern, skua_str_of(text, 65536), arena, &why),
                     SKUA_ERR_SETUP);
    assert_string_equal(why, "a pattern is longer than 65535 bytes");
    skua_arena_free(arena);
}

static void an_arena_without_room_is_out_of_memory(void **state)
{
    skua_arena *arena = skua_arena_new(1);
    struct skua__pattern pattern;
    const char *why = NULL;

    (void)state;
    assert_int_equal(skua__pattern_read(&pattern, SKUA_STR("/a"), arena, &why), SKUA_ERR_NOMEM);
    assert_int_equal(skua__pattern_read(&pattern, SKUA_STR("/:"), NULL, &why), SKUA_ERR_NOMEM);
    skua_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(static_text_is_one_part),
        cmocka_unit_test(a_parameter_fills_its_segment),
        cmocka_unit_test(a_wildcard_is_last),
        cmocka_unit_test(a_star_alone_stands_for_slash_star),
        cmocka_unit_test(two_colons_are_a_literal_one),
        cmocka_unit_test(a_percent_sign_is_written_as_a_canonical_path_has_it),
        cmocka_unit_test(names_point_into_a_copy_of_the_source),
        cmocka_unit_test(a_pattern_that_does_not_begin_with_a_slash_is_refused),
        cmocka_unit_test(a_parameter_without_a_name_is_refused),
        cmocka_unit_test(a_parameter_that_does_not_fill_its_segment_is_refused),
        cmocka_unit_test(a_name_given_twice_is_refused),
        cmocka_unit_test(a_wildcard_that_is_not_last_is_refused),
        cmocka_unit_test(a_wildcard_that_does_not_follow_a_slash_is_refused),
        cmocka_unit_test(a_query_or_fragment_in_a_pattern_is_refused),
        cmocka_unit_test(sixteen_parameters_are_taken_and_seventeen_refused),
        cmocka_unit_test(a_pattern_of_65535_bytes_is_taken_and_one_more_refused),
        cmocka_unit_test(an_arena_without_room_is_out_of_memory),
    };

    return cmocka_run_group_tests_name("pattern", tests, NULL, NULL);
}
