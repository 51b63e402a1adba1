/* SPDX-License-Identifier: MIT */
/*
 * scan_test.c - every byte's classes against the words of the RFCs, and the scanners
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "text/scan.h"

#define ALNUM "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

static void assert_class_is(enum skua__char_class class, const char *members)
{
    for (int c = 0; c < 256; c++)
        assert_int_equal(skua__char_is((char)c, class), c != 0 && strchr(members, c) != NULL);
}

static void classes_hold_the_bytes_of_the_grammar(void **state)
{
    (void)state;
    assert_class_is(SKUA__CHAR_TOKEN, ALNUM "!#$%&'*+-.^_`|~");
    assert_class_is(SKUA__CHAR_UNRESERVED, ALNUM "-._~");
    assert_class_is(SKUA__CHAR_HOST, ALNUM "-._~!$&'()*+,;=");
    assert_class_is(SKUA__CHAR_RESERVED, "#$&+,/:;=?@%");
}

static void ranges_have_both_their_ends(void **state)
{
    (void)state;
    for (int c = 0; c < 256; c++) {
        bool visible = c > 0x20 && c < 0x7f;
        bool value = visible || c == ' ' || c == '\t' || c > 0x7f;

        assert_int_equal(skua__char_is((char)c, SKUA__CHAR_VISIBLE), visible);
        assert_int_equal(skua__char_is((char)c, SKUA__CHAR_QUERY), visible && c != '#');
        assert_int_equal(skua__char_is((char)c, SKUA__CHAR_VALUE), value);
        assert_int_equal(skua__char_is((char)c, SKUA__CHAR_QUOTED), value && c != '"' && c != '\\');
    }
}

/* Every byte at every place of a run up to 40 bytes long. */
static void assert_scans(size_t (*scan)(const char *, size_t), enum skua__char_class class)
{
    char text[40];

    for (int c = 0; c < 256; c++) {
        for (size_t at = 0; at < sizeof(text); at++) {
            memset(text, 'a', sizeof(text));
            text[at] = (char)c;
            assert_int_equal(scan(text, sizeof(text)),
                             skua__char_is((char)c, class) ? sizeof(text) : at);
            assert_int_equal(scan(text, at), at);
        }
    }
}

static void a_scan_stops_at_the_first_byte_of_another_class(void **state)
{
    (void)state;
    assert_scans(skua__scan_token, SKUA__CHAR_TOKEN);
    assert_scans(skua__scan_value, SKUA__CHAR_VALUE);
    assert_scans(skua__scan_visible, SKUA__CHAR_VISIBLE);
}

static void only_ascii_letters_have_a_lower_case(void **state)
{
    (void)state;
    for (int c = 0; c < 256; c++)
        assert_int_equal((unsigned char)skua__char_lower((char)c),
                         c >= 'A' && c <= 'Z' ? c + 32 : c);
}

static void equal_without_case_still_looks_at_every_byte(void **state)
{
    (void)state;
    assert_true(skua__equal_nocase(SKUA_STR("Content-Length"), SKUA_STR("cONTENT-lENGTH")));
    assert_true(skua__equal_nocase(SKUA_STR(""), skua_str_of(NULL, 0)));
    assert_false(skua__equal_nocase(SKUA_STR("host"), SKUA_STR("hos")));
    assert_false(skua__equal_nocase(SKUA_STR("hosT"), SKUA_STR("hosu")));
    assert_false(skua__equal_nocase(SKUA_STR("@"), SKUA_STR("`")));
    assert_false(skua__equal_nocase(SKUA_STR("["), SKUA_STR("{")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_hold_the_bytes_of_the_grammar),
        cmocka_unit_test(ranges_have_both_their_ends),
        cmocka_unit_test(a_scan_stops_at_the_first_byte_of_another_class),
        cmocka_unit_test(only_ascii_letters_have_a_lower_case),
        cmocka_unit_test(equal_without_case_still_looks_at_every_byte),
    };

    return cmocka_run_group_tests_name("scan", tests, NULL, NULL);
}
