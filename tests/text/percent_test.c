/* SPDX-License-Identifier: MIT */
/*
 * percent_test.c - percent-encoding, strict and by the rules of forms
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "text/percent.h"

#include <skua/err.h>

struct row {
    const char *in;
    const char *strict; /* NULL: refused */
    const char *form;
};

static const struct row rows[] = {
    {"", "", ""},
    {"plain", "plain", "plain"},
    {"a%20b", "a b", "a b"},
    {"a+b", "a+b", "a b"},
    {"%2b", "+", "+"},
    {"%2541", "%41", "%41"},
    {"%c3%A9", "\xc3\xa9", "\xc3\xa9"},
    {"%ff", "\xff", "\xff"},
    {"100%", NULL, "100%"},
    {"%4", NULL, "%4"},
    {"%g1%41", NULL, "%g1A"},
    {"%1g", NULL, "%1g"},
    {"%%41", NULL, "%A"},
    {"a%00b", NULL, NULL},
};

static void assert_decodes(const char *in, bool form, const char *expected)
{
    char out[64];
    long len = skua__percent_decode(out, skua_str_c(in), form);

    if (expected == NULL) {
        assert_int_equal(len, SKUA_ERR_BAD_INPUT);
        return;
    }
    assert_int_equal(len, strlen(expected));
    assert_memory_equal(out, expected, strlen(expected));
}

static void each_escape_is_decoded_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        assert_decodes(rows[i].in, false, rows[i].strict);
        assert_decodes(rows[i].in, true, rows[i].form);
    }
}

static void decoding_works_in_place(void **state)
{
    char text[] = "%41+%42%43";

    (void)state;
    assert_int_equal(skua__percent_decode(text, skua_str_of(text, 10), true), 4);
    assert_memory_equal(text, "A BC", 4);
}

static void an_escape_past_the_end_is_not_read(void **state)
{
    const char text[] = {'%', '4', '1'};
    char out[3];

    (void)state;
    assert_int_equal(skua__escape_value(skua_str_of(text, 3), 0), 'A');
    assert_int_equal(skua__escape_value(skua_str_of(text, 2), 0), -1);
    assert_int_equal(skua__percent_decode(out, skua_str_of(text, 2), false), SKUA_ERR_BAD_INPUT);
}

static void only_hexadecimal_digits_have_a_value(void **state)
{
    (void)state;
    for (int c = 0; c < 256; c++) {
        int expected = c >= '0' && c <= '9'   ? c - '0'
                       : c >= 'a' && c <= 'f' ? c - 'a' + 10
                       : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                              : -1;

        assert_int_equal(skua__hex_value((char)c), expected);
    }
}

static void all_but_the_unreserved_is_encoded(void **state)
{
    struct skua__buf buf;
    skua_str got;

    (void)state;
    skua__buf_init(&buf, NULL);
    skua__percent_encode(&buf, skua_str_of("aZ09-._~ /?%\xc3\xa9\0+", 16));
    got = skua__buf_str(&buf);
    assert_string_equal(got.ptr, "aZ09-._~%20%2F%3F%25%C3%A9%00%2B");
    skua__buf_finish(&buf);
}

static void what_is_encoded_decodes_to_itself(void **state)
{
    char all[255], out[255];
    struct skua__buf buf;

    (void)state;
    for (int c = 1; c < 256; c++)
        all[c - 1] = (char)c;
    skua__buf_init(&buf, NULL);
    skua__percent_encode(&buf, skua_str_of(all, sizeof(all)));
    assert_int_equal(skua__percent_decode(out, skua__buf_str(&buf), false), 255);
    assert_memory_equal(out, all, sizeof(all));
    skua__buf_finish(&buf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_escape_is_decoded_once),
        cmocka_unit_test(decoding_works_in_place),
        cmocka_unit_test(an_escape_past_the_end_is_not_read),
        cmocka_unit_test(only_hexadecimal_digits_have_a_value),
        cmocka_unit_test(all_but_the_unreserved_is_encoded),
        cmocka_unit_test(what_is_encoded_decodes_to_itself),
    };

    return cmocka_run_group_tests_name("percent", tests, NULL, NULL);
}
