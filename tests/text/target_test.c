/* SPDX-License-Identifier: MIT */
/*
 * target_test.c - the one reading of a request target
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "text/target.h"

#include <skua/err.h>
#include <stdlib.h>

struct row {
    const char *raw;
    const char *path;
    const char *query;
    const char *host;
};

static const struct row good[] = {
    {"/", "/", "", ""},
    {"*", "*", "", ""},
    {"/a/b.c", "/a/b.c", "", ""},
    {"/a?x=1&y=%20?", "/a", "x=1&y=%20?", ""},
    {"/?", "/", "", ""},
    {"/a?%zz", "/a", "%zz", ""},
    {"/%61dmin", "/admin", "", ""},
    {"/a%20b", "/a b", "", ""},
    {"/caf%C3%A9", "/caf\xc3\xa9", "", ""},
    {"/%F0%9F%90%A6", "/\xf0\x9f\x90\xa6", "", ""},
    /* reserved escapes stay as they came, so that nothing is decoded twice */
    {"/a%2Fb%2fc", "/a%2Fb%2fc", "", ""},
    {"/%23%24%26%2B%2C%2F%3A%3B%3D%3F%40%25", "/%23%24%26%2B%2C%2F%3A%3B%3D%3F%40%25", "", ""},
    {"/%2561", "/%2561", "", ""},
    {"/%252F%41", "/%252FA", "", ""},
    {"/a+b", "/a+b", "", ""},
    /* empty and dot segments are seen as they are, in one spelling */
    {"//a//b/", "//a//b/", "", ""},
    {"/./a/../b", "/./a/../b", "", ""},
    {"/%2e%2E/x", "/../x", "", ""},
    {"/a;v=1", "/a;v=1", "", ""},
    {"/a|b[c]{d}^`\"<>", "/a|b[c]{d}^`\"<>", "", ""},
    {"/a%5Cb", "/a\\b", "", ""},
    {"/a?b\\c", "/a", "b\\c", ""},
    {"http://h", "/", "", "h"},
    {"http://h/", "/", "", "h"},
    {"HTTP://h:80/a?b", "/a", "b", "h:80"},
    {"https://[::1]:8443/%61", "/a", "", "[::1]:8443"},
    {"http://h?next=/admin", "/", "next=/admin", "h"},
    {"http://h//x", "//x", "", "h"},
};

static void assert_str(skua_str got, const char *expected)
{
    assert_int_equal(got.len, strlen(expected));
    assert_memory_equal(got.ptr, expected, got.len);
}

/* The bytes in a block of their own, so that a read past the end is found. */
static int read_target(struct skua__target *out, skua_arena *arena, const char *raw, char **block)
{
    size_t len = strlen(raw);

    *block = malloc(len > 0 ? len : 1);
    assert_non_null(*block);
    memcpy(*block, raw, len);
    return skua__target_read(out, arena, skua_str_of(*block, len));
}

static void every_form_has_one_reading(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        skua_arena *arena = skua_arena_new(0);
        struct skua__target target;
        char *block;

        assert_int_equal(read_target(&target, arena, good[i].raw, &block), 0);
        assert_str(target.path, good[i].path);
        assert_str(target.query, good[i].query);
        assert_str(target.host, good[i].host);
        skua_arena_free(arena);
        free(block);
    }
}

static void anything_else_is_refused(void **state)
{
    static const char *const bad[] = {
        "",
        "a",
        "?a",
        "**",
        "*?a",
        "*/",
        "a/b",
        "example.com:443",
        "/a#b",
        "/#",
        "/a?b#c",
        "#",
        "http://h#f",
        "/%",
        "/%4",
        "/%zz",
        "/%E4%A",
        "/%00",
        "/a%0d%0aX:1",
        "/%1f",
        "/%7F",
        "/%FF",
        "/%C0%AF",
        "/%C3",
        "/%ED%A0%80",
        "/%F4%90%80%80",
        "/caf\xc3\xa9",
        "/a?caf\xc3\xa9",
        "/a b",
        "/a?b c",
        "/a\tb",
        "/a\x7f",
        "/a\x01",
        "/a?\x1f",
        "/a\\b",
        "\\",
        "http:",
        "http:/",
        "http:/h/",
        "http://",
        "http:///a",
        "http://?a",
        "http://u@h/",
        "http://h:x/",
        "http://h:8o/",
        "ftp://h/",
        "ws://h/",
        "javascript:alert(1)",
        "http//h/",
        " /",
        "/a%2",
        "http://a b/",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        skua_arena *arena = skua_arena_new(0);
        struct skua__target target;
        char *block;

        assert_int_equal(read_target(&target, arena, bad[i], &block), SKUA_ERR_BAD_INPUT);
        skua_arena_free(arena);
        free(block);
    }
}

static void a_raw_zero_byte_is_refused(void **state)
{
    struct skua__target target;

    (void)state;
    assert_int_equal(skua__target_read(&target, NULL, skua_str_of("/a\0b", 4)), SKUA_ERR_BAD_INPUT);
    assert_int_equal(skua__target_read(&target, NULL, skua_str_of("/?\0", 3)), SKUA_ERR_BAD_INPUT);
}

static void nothing_is_copied_unless_something_is_decoded(void **state)
{
    static const char raw[] = "http://h/a/b?c%20d";
    struct skua__target target;

    (void)state;
    assert_int_equal(skua__target_read(&target, NULL, skua_str_c(raw)), 0);
    assert_ptr_equal(target.host.ptr, raw + 7);
    assert_ptr_equal(target.path.ptr, raw + 8);
    assert_ptr_equal(target.query.ptr, raw + 13);
    assert_int_equal(skua__target_read(&target, NULL, SKUA_STR("/%61")), SKUA_ERR_NOMEM);
}

static void a_long_run_of_escapes_takes_one_pass(void **state)
{
    enum { COUNT = 100000 };
    skua_arena *arena = skua_arena_new(0);
    char *raw = malloc(1 + 3 * COUNT);
    struct skua__target target;
    skua_str segment;

    (void)state;
    assert_non_null(raw);
    raw[0] = '/';
    for (int i = 0; i < COUNT; i++)
        memcpy(raw + 1 + 3 * i, "%25", 3);
    assert_int_equal(skua__target_read(&target, arena, skua_str_of(raw, 1 + 3 * COUNT)), 0);
    assert_int_equal(target.path.len, 1 + 3 * COUNT);
    assert_int_equal(skua__segment_decode(&segment, arena, target.path), 0);
    assert_int_equal(segment.len, 1 + COUNT);
    skua_arena_free(arena);
    free(raw);
}

static void a_segment_decodes_what_routing_left(void **state)
{
    skua_arena *arena = skua_arena_new(0);
    skua_str segment;

    (void)state;
    assert_int_equal(skua__segment_decode(&segment, arena, SKUA_STR("x%2Fy%2fz%3F")), 0);
    assert_string_equal(segment.ptr, "x/y/z?");
    assert_int_equal(segment.len, 6);
    assert_int_equal(skua__segment_decode(&segment, arena, SKUA_STR("a%252Fb")), 0);
    assert_string_equal(segment.ptr, "a%2Fb");
    assert_int_equal(skua__segment_decode(&segment, arena, SKUA_STR("a+b%2B")), 0);
    assert_string_equal(segment.ptr, "a+b+");
    assert_int_equal(skua__segment_decode(&segment, arena, SKUA_STR("")), 0);
    assert_string_equal(segment.ptr, "");
    assert_int_equal(skua__segment_decode(&segment, arena, SKUA_STR("%zz")), SKUA_ERR_BAD_INPUT);
    assert_int_equal(skua__segment_decode(&segment, NULL, SKUA_STR("a")), SKUA_ERR_NOMEM);
    skua_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_has_one_reading),
        cmocka_unit_test(anything_else_is_refused),
        cmocka_unit_test(a_raw_zero_byte_is_refused),
        cmocka_unit_test(nothing_is_copied_unless_something_is_decoded),
        cmocka_unit_test(a_long_run_of_escapes_takes_one_pass),
        cmocka_unit_test(a_segment_decodes_what_routing_left),
    };

    return cmocka_run_group_tests_name("target", tests, NULL, NULL);
}
