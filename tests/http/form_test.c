/* SPDX-License-Identifier: MIT */
/*
 * form_test.c - urlencoded forms and queries; limits; the urlencoded suites
 *
 * Two suites are run. In that of the WHATWG, names that come again are looked for in our array, and
 * a row whose expected text holds U+FFFD for ill-formed UTF-8 has to be refused. Of Node's, the rows
 * are taken that call parse() with a string and nothing else.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "http/form.h"

#include "conformance.h"

#include <skua/err.h>

/* The object as JSON. */
static void assert_form(skua_str text, const char *expected)
{
    skua_arena *arena = skua_arena_new(0);
    skua_value *form;
    skua_str json;

    assert_int_equal(skua__form_read(&form, arena, text), 0);
    assert_int_equal(skua_json_write(&json, arena, form), 0);
    assert_string_equal(json.ptr, expected);
    skua_arena_free(arena);
}

static void each_value_ends_in_a_zero_byte_of_its_own(void **state)
{
    skua_arena *arena = skua_arena_new(0);
    skua_value *form;

    (void)state;
    assert_int_equal(skua__form_read(&form, arena, SKUA_STR("a=%3C&b&c=xyz&d=")), 0);
    assert_string_equal(skua_as_text(skua_get_value(form, "a")), "<");
    assert_string_equal(skua_as_text(skua_get_value(form, "b")), "");
    assert_string_equal(skua_as_text(skua_get_value(form, "c")), "xyz");
    assert_string_equal(skua_as_text(skua_get_value(form, "d")), "");
    skua_arena_free(arena);
}

static void names_and_values_are_decoded(void **state)
{
    (void)state;
    assert_form(skua_str_of(NULL, 0), "{}");
    assert_form(SKUA_STR("a=1&b=2"), "{\"a\":\"1\",\"b\":\"2\"}");
    assert_form(SKUA_STR("a+b=c+d%20e%2B"), "{\"a b\":\"c d e+\"}");
    assert_form(SKUA_STR("a=b=c"), "{\"a\":\"b=c\"}");
    assert_form(SKUA_STR("a&=b&&"), "{\"a\":\"\",\"\":\"b\"}");
    assert_form(SKUA_STR("a%3Db%26c=%c3%a9"), "{\"a=b&c\":\"\xc3\xa9\"}");
    assert_form(SKUA_STR("q=100%&p=%zz&r=%4"), "{\"q\":\"100%\",\"p\":\"%zz\",\"r\":\"%4\"}");
    assert_form(SKUA_STR("a[b]=c&a[]=d;e"), "{\"a[b]\":\"c\",\"a[]\":\"d;e\"}");
    assert_form(SKUA_STR("__proto__=x&constructor=y"),
                "{\"__proto__\":\"x\",\"constructor\":\"y\"}");
}

static void a_name_that_comes_again_makes_an_array(void **state)
{
    (void)state;
    assert_form(SKUA_STR("a=1&b=x&a=2"), "{\"a\":[\"1\",\"2\"],\"b\":\"x\"}");
    assert_form(SKUA_STR("a=1&a=2&%61=3"), "{\"a\":[\"1\",\"2\",\"3\"]}");
    assert_form(SKUA_STR("a&a"), "{\"a\":[\"\",\"\"]}");
}

static void assert_refused(skua_str text, int err)
{
    skua_arena *arena = skua_arena_new(0);
    skua_value *form;

    assert_int_equal(skua__form_read(&form, arena, text), err);
    assert_null(form);
    skua_arena_free(arena);
}

static void what_is_no_text_is_refused(void **state)
{
    (void)state;
    assert_refused(SKUA_STR("a=%ff"), SKUA_ERR_BAD_FORM);
    assert_refused(SKUA_STR("%c3=a"), SKUA_ERR_BAD_FORM);
    assert_refused(SKUA_STR("a=\xc3"), SKUA_ERR_BAD_FORM);
    assert_refused(SKUA_STR("a=%ed%a0%80"), SKUA_ERR_BAD_FORM);
    assert_refused(SKUA_STR("a=%00"), SKUA_ERR_BAD_FORM);
    assert_refused(SKUA_STR("a%00=b"), SKUA_ERR_BAD_FORM);
    assert_refused(skua_str_of("a=b\0c", 5), SKUA_ERR_BAD_FORM);
}

static void both_sides_of_the_field_limit(void **state)
{
    static char text[SKUA__FORM_MAX_FIELDS * 2 + 4];
    skua_arena *arena = skua_arena_new(0);
    skua_value *form;

    (void)state;
    for (size_t i = 0; i < sizeof(text); i += 2)
        memcpy(text + i, "a&", 2);
    assert_int_equal(skua__form_read(&form, arena, skua_str_of(text, SKUA__FORM_MAX_FIELDS * 2)),
                     0);
    assert_int_equal(skua_count(skua_get_value(form, "a")), SKUA__FORM_MAX_FIELDS);
    skua_arena_free(arena);
    assert_refused(skua_str_of(text, SKUA__FORM_MAX_FIELDS * 2 + 1), SKUA_ERR_TOO_LARGE);
}

/* Every budget from nothing up to enough: an error or the whole form, never a part of it. */
static void running_out_of_memory_loses_nothing_silently(void **state)
{
    static char text[9000];
    int ok = 0;

    (void)state;
    for (size_t i = 0; i < sizeof(text); i += 9)
        memcpy(text + i, "abc=defg&", 9);
    for (size_t budget = 1000; budget < 200000; budget += 500) {
        skua_arena *arena = skua_arena_new(budget);
        skua_value *form;
        int err = skua__form_read(&form, arena, skua_str_of(text, sizeof(text)));

        if (err == 0) {
            assert_int_equal(skua_count(skua_get_value(form, "abc")), sizeof(text) / 9);
            ok++;
        } else {
            assert_int_equal(err, SKUA_ERR_NOMEM);
            assert_null(form);
            assert_int_equal(ok, 0); /* more memory never makes it worse */
        }
        skua_arena_free(arena);
    }
    assert_true(ok > 0);
}

/* The `n`th value under `name`: of an array, or the only one. */
static skua_str nth_value(const skua_value *form, skua_str name, size_t n)
{
    const skua_value *value = skua_get_key(form, name);

    if (skua_kind_of(value) == SKUA_ARRAY)
        value = skua_at(value, n);
    return skua_as_str(value);
}

/* How many of the pairs before `index` have this name. */
static size_t earlier(const skua_value *pairs, size_t index, skua_str name)
{
    size_t count = 0;

    for (size_t i = 0; i < index; i++)
        count += skua_str_eq(skua_as_str(skua_at(skua_at(pairs, i), 0)), name);
    return count;
}

static bool has_replacement(const skua_value *pairs)
{
    for (size_t i = 0; i < skua_count(pairs); i++) {
        for (size_t side = 0; side < 2; side++) {
            if (strstr(skua_as_text(skua_at(skua_at(pairs, i), side)), "\xef\xbf\xbd") != NULL)
                return true;
        }
    }
    return false;
}

static void the_whatwg_suite_agrees(void **state)
{
    size_t total = 0, refused = 0;
    const skua_value *row;
    struct rows rows;

    (void)state;
    rows_open(&rows, CONFORMANCE "querystring/wpt-urlencoded-parser.jsonl");
    for (; (row = rows_next(&rows)) != NULL; total++) {
        const skua_value *pairs = skua_get_value(row, "output");
        skua_value *form;
        int err = skua__form_read(&form, rows.arena, skua_as_str(skua_get_value(row, "input")));

        if (has_replacement(pairs)) {
            assert_int_equal(err, SKUA_ERR_BAD_FORM);
            refused++;
            continue;
        }
        assert_int_equal(err, 0);
        for (size_t i = 0; i < skua_count(pairs); i++) {
            skua_str name = skua_as_str(skua_at(skua_at(pairs, i), 0));
            skua_str value = skua_as_str(skua_at(skua_at(pairs, i), 1));

            assert_true(skua_str_eq(nth_value(form, name, earlier(pairs, i, name)), value));
        }
    }
    rows_close(&rows);
    printf("wpt urlencoded: %zu/35, %zu of them refused\n", total, refused);
    assert_int_equal(total, 35);
    assert_int_equal(refused, 5);
}

static void the_node_suite_agrees(void **state)
{
    size_t total = 0;
    const skua_value *row;
    struct rows rows;

    (void)state;
    rows_open(&rows, CONFORMANCE "querystring/node-querystring.jsonl");
    while ((row = rows_next(&rows)) != NULL) {
        const skua_value *args = skua_get_value(row, "args");
        skua_str expected, got;
        skua_value *form;

        if (!skua_str_eq(skua_as_str(skua_get_value(row, "fn")), SKUA_STR("parse")) ||
            skua_count(args) != 1 || skua_kind_of(skua_at(args, 0)) != SKUA_STRING)
            continue;
        assert_int_equal(skua__form_read(&form, rows.arena, skua_as_str(skua_at(args, 0))), 0);
        assert_int_equal(skua_json_write(&got, rows.arena, form), 0);
        assert_int_equal(skua_json_write(&expected, rows.arena, skua_get_value(row, "result")), 0);
        assert_string_equal(got.ptr, expected.ptr);
        total++;
    }
    rows_close(&rows);
    printf("node querystring: %zu/%d\n", total, 65);
    assert_int_equal(total, 65);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_values_are_decoded),
        cmocka_unit_test(each_value_ends_in_a_zero_byte_of_its_own),
        cmocka_unit_test(a_name_that_comes_again_makes_an_array),
        cmocka_unit_test(what_is_no_text_is_refused),
        cmocka_unit_test(both_sides_of_the_field_limit),
        cmocka_unit_test(running_out_of_memory_loses_nothing_silently),
        cmocka_unit_test(the_whatwg_suite_agrees),
        cmocka_unit_test(the_node_suite_agrees),
    };

    return cmocka_run_group_tests_name("form", tests, NULL, NULL);
}
