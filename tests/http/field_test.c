/* SPDX-License-Identifier: MIT */
/*
 * field_test.c - field names, values and lists, and method names
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "http/field.h"
#include "http/method.h"

static const char *const names[SKUA__FIELD_ID_COUNT] = {
#define NAME(id, name) [SKUA__FIELD_##id] = name,
    SKUA__FIELD_MAP(NAME)
#undef NAME
};

static void every_name_in_the_map_has_its_number(void **state)
{
    (void)state;
    for (int id = 1; id < SKUA__FIELD_ID_COUNT; id++) {
        char upper[32];
        size_t len = strlen(names[id]);

        for (size_t i = 0; i <= len; i++)
            upper[i] = names[id][i] >= 'a' && names[id][i] <= 'z' ? (char)(names[id][i] - 32)
                                                                  : names[id][i];
        assert_int_equal(skua__field_id_of(skua_str_c(names[id])), id);
        assert_int_equal(skua__field_id_of(skua_str_of(upper, len)), id);
    }
}

static void a_name_that_is_nearly_in_the_map_has_none(void **state)
{
    (void)state;
    assert_int_equal(skua__field_id_of(SKUA_STR("")), SKUA__FIELD_OTHER);
    for (int id = 1; id < SKUA__FIELD_ID_COUNT; id++) {
        size_t len = strlen(names[id]);
        char text[32];

        memcpy(text, names[id], len + 1);
        assert_int_equal(skua__field_id_of(skua_str_of(text, len - 1)), SKUA__FIELD_OTHER);
        text[len] = 's';
        assert_int_equal(skua__field_id_of(skua_str_of(text, len + 1)), SKUA__FIELD_OTHER);
        for (size_t at = 0; at < len; at++) {
            text[at] ^= 1;
            assert_int_equal(skua__field_id_of(skua_str_of(text, len)), SKUA__FIELD_OTHER);
            text[at] ^= 1;
        }
    }
}

static void names_are_equal_in_any_case(void **state)
{
    (void)state;
    assert_true(skua__field_name_eq(SKUA_STR("ETag"), SKUA_STR("etag")));
    assert_false(skua__field_name_eq(SKUA_STR("etag"), SKUA_STR("etags")));
    assert_false(skua__field_name_eq(SKUA_STR("e-tag"), SKUA_STR("e\rtag")));
}

static void a_token_has_one_byte_at_least_and_only_legal_ones(void **state)
{
    (void)state;
    assert_true(skua__token_valid(SKUA_STR("X-Request_Id.1")));
    assert_false(skua__token_valid(SKUA_STR("")));
    assert_false(skua__token_valid(SKUA_STR("a b")));
    assert_false(skua__token_valid(SKUA_STR("a:")));
    assert_false(skua__token_valid(SKUA_STR("a\r\nb")));
    assert_false(skua__token_valid(skua_str_of("a\0b", 3)));
    assert_false(skua__token_valid(SKUA_STR("caf\xc3\xa9")));
}

static void a_value_cannot_split_a_reply(void **state)
{
    (void)state;
    assert_true(skua__field_value_valid(SKUA_STR("")));
    assert_true(skua__field_value_valid(SKUA_STR("a\tb c; \"d\" \xc3\xa9")));
    assert_false(skua__field_value_valid(SKUA_STR(" a")));
    assert_false(skua__field_value_valid(SKUA_STR("a\t")));
    assert_false(skua__field_value_valid(SKUA_STR("a\r\nb: c")));
    assert_false(skua__field_value_valid(SKUA_STR("a\nb")));
    assert_false(skua__field_value_valid(SKUA_STR("a\rb")));
    assert_false(skua__field_value_valid(SKUA_STR("a\x7f")));
    assert_false(skua__field_value_valid(skua_str_of("a\0b", 3)));
}

/* The elements of `text` joined by '|'. */
static void assert_list(const char *text, const char *expected)
{
    skua_str rest = skua_str_c(text), element;
    char got[128];
    size_t len = 0;

    while (skua__list_next(&element, &rest)) {
        assert_true(element.len > 0);
        memcpy(got + len, element.ptr, element.len);
        len += element.len;
        got[len++] = '|';
    }
    got[len] = '\0';
    assert_string_equal(got, expected);
    assert_false(skua__list_next(&element, &rest));
}

static void a_list_gives_its_elements_trimmed(void **state)
{
    (void)state;
    assert_list("", "");
    assert_list(" \t", "");
    assert_list(",, ,\t,", "");
    assert_list("a", "a|");
    assert_list(" a b\t", "a b|");
    assert_list("a,b , c", "a|b|c|");
    assert_list(",a,,b,", "a|b|");
    assert_list("\"a,b\", c", "\"a,b\"|c|");
    assert_list("x=\"a\\\",b\";y , z", "x=\"a\\\",b\";y|z|");
    assert_list("\"a, b", "\"a, b|");
    assert_list("\"a\\", "\"a\\|");
    assert_list("W/\"1\",W/\"2\"", "W/\"1\"|W/\"2\"|");
}

static void method_names_and_numbers_agree(void **state)
{
    (void)state;
    for (int m = 0; m < SKUA_METHOD_COUNT; m++) {
        const char *name = skua_method_name((enum skua_method)m);

        assert_int_equal(skua__method_read(skua_str_c(name)), m);
    }
    assert_string_equal(skua_method_name(SKUA_GET), "GET");
    assert_string_equal(skua_method_name(SKUA_METHOD_UNKNOWN), "");
    assert_int_equal(skua__method_read(SKUA_STR("")), SKUA_METHOD_UNKNOWN);
    assert_int_equal(skua__method_read(SKUA_STR("get")), SKUA_METHOD_UNKNOWN);
    assert_int_equal(skua__method_read(SKUA_STR("GETS")), SKUA_METHOD_UNKNOWN);
    assert_int_equal(skua__method_read(SKUA_STR("OPTIONSX")), SKUA_METHOD_UNKNOWN);
    assert_int_equal(skua__method_read(SKUA_STR("PROPPATCH")), SKUA_METHOD_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_name_in_the_map_has_its_number),
        cmocka_unit_test(a_name_that_is_nearly_in_the_map_has_none),
        cmocka_unit_test(names_are_equal_in_any_case),
        cmocka_unit_test(a_token_has_one_byte_at_least_and_only_legal_ones),
        cmocka_unit_test(a_value_cannot_split_a_reply),
        cmocka_unit_test(a_list_gives_its_elements_trimmed),
        cmocka_unit_test(method_names_and_numbers_agree),
    };

    return cmocka_run_group_tests_name("field", tests, NULL, NULL);
}
