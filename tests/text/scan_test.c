/* SPDX-License-Identifier: MIT */
/*
 * scan_test.c - every byte's classes against the words of the RFCs, and the scanners against the
 * plain loop over those classes
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "text/scan.h"

#include <stdlib.h>

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

/* ---- scanners ---- */

typedef size_t scanner(const char *ptr, size_t len);

static const struct {
    scanner *scan;
    enum skua__char_class class;
} scanners[] = {
    {skua__scan_token, SKUA__CHAR_TOKEN},
    {skua__scan_value, SKUA__CHAR_VALUE},
    {skua__scan_visible, SKUA__CHAR_VISIBLE},
    {skua__scan_host, SKUA__CHAR_HOST},
};

#define SCANNERS (sizeof(scanners) / sizeof(scanners[0]))

/* One byte, one look-up: what each scanner has to give. */
static size_t scan_plainly(const char *ptr, size_t len, enum skua__char_class class)
{
    size_t at = 0;

    while (at < len && skua__char_is(ptr[at], class))
        at++;
    return at;
}

/* The text in a block of its own, so that a byte read behind it is found. */
static void assert_scans(size_t i, const char *text, size_t len)
{
    char *block = malloc(len > 0 ? len : 1);

    assert_non_null(block);
    memcpy(block, text, len);
    if (scanners[i].scan(block, len) != scan_plainly(block, len, scanners[i].class))
        fail_msg("scanner %zu differs on %zu bytes", i, len);
    free(block);
}

/* In runs of a byte that is skipped in blocks, and of one that only the table knows. */
static void any_byte_at_any_place_of_any_length(void **state)
{
    static const char runs[SCANNERS][2] = {{'a', '_'}, {'a', '\t'}, {'a', '~'}, {'a', '!'}};
    char text[64];

    (void)state;
    for (size_t i = 0; i < SCANNERS; i++) {
        for (size_t len = 0; len <= sizeof(text); len++) {
            for (size_t at = 0; at < len; at++) {
                for (int c = 0; c < 512; c++) {
                    memset(text, runs[i][c / 256], len);
                    text[at] = (char)c;
                    assert_scans(i, text, len);
                }
            }
        }
    }
}

/* A peer may choose the bytes that are skipped worst. */
static void runs_without_a_common_byte_are_scanned_too(void **state)
{
    char text[256];
    size_t count = 0;

    (void)state;
    for (size_t i = 0; i < SCANNERS; i++) {
        for (int c = 0; c < 256; c++) {
            memset(text, c, sizeof(text));
            assert_scans(i, text, sizeof(text));
            for (size_t at = 0; at < sizeof(text); at += 2)
                text[at] = 'a';
            assert_scans(i, text, sizeof(text));
            count += scanners[i].scan(text, sizeof(text)) == sizeof(text);
        }
    }
    assert_int_equal(count, 77 + 224 + 94 + 77);
}

static uint32_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33);
}

/* Mostly members, so that the runs are long. */
static void random_texts_are_scanned_the_same(void **state)
{
    uint64_t seed = 1;
    char text[300];

    (void)state;
    for (int round = 0; round < 100000; round++) {
        size_t i = (size_t)round % SCANNERS, len = next_random(&seed) % sizeof(text);
        uint32_t rare = 1 + next_random(&seed) % 100;

        for (size_t at = 0; at < len; at++) {
            char c = (char)next_random(&seed);
            bool keep = skua__char_is(c, scanners[i].class) || next_random(&seed) % rare == 0;

            text[at] = keep ? c : 'a';
        }
        assert_scans(i, text, len);
    }
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
        cmocka_unit_test(any_byte_at_any_place_of_any_length),
        cmocka_unit_test(runs_without_a_common_byte_are_scanned_too),
        cmocka_unit_test(random_texts_are_scanned_the_same),
        cmocka_unit_test(only_ascii_letters_have_a_lower_case),
        cmocka_unit_test(equal_without_case_still_looks_at_every_byte),
    };

    return cmocka_run_group_tests_name("scan", tests, NULL, NULL);
}
