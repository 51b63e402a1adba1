/* SPDX-License-Identifier: MIT */
/*
 * expression_test.c - what PCRE2 is asked to do, and kept from doing
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "router/expression.h"

#include <skua/err.h>

enum { MOST = 2 };

static int make(void **state)
{
    *state = skua_arena_new(0);
    return *state == NULL;
}

static int drop(void **state)
{
    skua_arena_free(*state);
    return 0;
}

static struct skua__expression *compile(skua_arena *arena, const char *source, uint16_t groups)
{
    struct skua__expression *expression = NULL;
    const char *why = NULL;

    if (skua__expression_new(&expression, arena, skua_str_c(source), groups, arena, &why) != 0)
        fail_msg("%s: %s", source, why);
    return expression;
}

static void refused(skua_arena *arena, const char *source, uint16_t groups, const char *expected)
{
    struct skua__expression *expression;
    const char *why = NULL;

    assert_int_equal(
        skua__expression_new(&expression, arena, skua_str_c(source), groups, arena, &why),
        SKUA_ERR_SETUP);
    assert_string_equal(why, expected);
}

static void matches(const struct skua__expression *expression, const char *text, int expected)
{
    skua_str taken[MOST];

    assert_int_equal(skua__expression_match(expression, skua_str_c(text), taken), expected);
}

static void without_groups_a_part_is_enough(void **state)
{
    struct skua__expression *expression = compile(*state, "b+", 0);

    matches(expression, "abbc", 1);
    matches(expression, "b", 1);
    matches(expression, "ac", 0);
    matches(expression, "", 0);
}

static void with_groups_the_whole_text_has_to_match_and_each_gives_a_slice(void **state)
{
    struct skua__expression *expression = compile(*state, "(?<a>a*)-(?<b>.*)", 2);
    skua_str text = SKUA_STR("aa-x"), taken[MOST];

    assert_int_equal(skua__expression_match(expression, text, taken), 1);
    assert_ptr_equal(taken[0].ptr, text.ptr);
    assert_int_equal(taken[0].len, 2);
    assert_ptr_equal(taken[1].ptr, text.ptr + 3);
    assert_int_equal(taken[1].len, 1);
    matches(expression, "baa-x", 0);
    matches(expression, "-", 1);
    matches(expression, "-\n", 1); /* "." takes any byte, and the end is the end */
}

static void groups_that_are_not_ours_are_refused(void **state)
{
    static const char why[] =
        "it names a group or refers to one: write '(?:…)' for groups, and compare in the handler";

    refused(*state, "(?<a>(?<b>x))", 1, why);
    refused(*state, "(?<a>x)", 0, why);
    refused(*state, "(?<a>(x)\\1)", 1, why);
    refused(*state, "(?<a>\\Qx)-(?<b>y)", 2,
            "missing closing parenthesis (man pcre2pattern tells how "
            "they are written)");
    compile(*state, "(?<a>(x|(y)))", 1); /* plain ones are not counted */
}

static void what_reads_bytes_instead_of_characters_is_refused(void **state)
{
    refused(*state, "(?<a>\\C)", 1,
            "using \\C is disabled by the application (man pcre2pattern tells "
            "how they are written)");
    refused(*state, "\xff", 0,
            "UTF-8 error: illegal byte (0xfe or 0xff) (man pcre2pattern tells how "
            "they are written)");
}

/* The verb ends the match before the second group has been reached. */
static void a_match_that_leaves_a_group_out_is_a_miss(void **state)
{
    matches(compile(*state, "(?<a>x(*ACCEPT))(?<b>y)?", 2), "x", 0);
}

static void text_that_is_not_utf8_is_a_miss(void **state)
{
    struct skua__expression *expression = compile(*state, "(?<a>.*)", 1);

    matches(expression, "\xc3\xa9", 1);
    matches(expression, "\xc3", 0);
}

static void a_match_has_a_bound_of_steps(void **state)
{
    struct skua__expression *expression = compile(*state, "(?<a>(x+x+)+[yz]w)", 1);

    matches(expression, "xxxxyw", 1);
    matches(expression, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxyzw", 0);
}

static void running_out_of_memory_says_so(void **state)
{
    struct skua__expression *expression;
    skua_arena *small = skua_arena_new(1);
    const char *why = NULL;

    assert_int_equal(skua__expression_new(&expression, small, SKUA_STR("a"), 0, *state, &why),
                     SKUA_ERR_NOMEM);
    assert_int_equal(skua__expression_new(&expression, *state, SKUA_STR("("), 0, small, &why),
                     SKUA_ERR_NOMEM);
    skua_arena_free(small);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make, drop)
    const struct CMUnitTest tests[] = {
        TEST(without_groups_a_part_is_enough),
        TEST(with_groups_the_whole_text_has_to_match_and_each_gives_a_slice),
        TEST(groups_that_are_not_ours_are_refused),
        TEST(what_reads_bytes_instead_of_characters_is_refused),
        TEST(a_match_that_leaves_a_group_out_is_a_miss),
        TEST(text_that_is_not_utf8_is_a_miss),
        TEST(a_match_has_a_bound_of_steps),
        TEST(running_out_of_memory_says_so),
    };

    return cmocka_run_group_tests_name("expression", tests, NULL, NULL);
}
