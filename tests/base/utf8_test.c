/* SPDX-License-Identifier: MIT */
/* Well-formed UTF-8, exhaustively. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>

#include "base/utf8.h"

static bool is_surrogate(uint32_t point)
{
    return point >= 0xd800 && point <= 0xdfff;
}

/* The length RFC 3629 gives the encoding of a code point. */
static size_t length_of(uint32_t point)
{
    return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
}

static void every_code_point_is_encoded_and_accepted(void **state)
{
    (void)state;
    for (uint32_t point = 0; point <= 0x10ffff; point++) {
        char bytes[4];
        size_t len;

        if (is_surrogate(point))
            continue;
        len = skua__utf8_encode(bytes, point);
        assert_int_equal(len, length_of(point));
        assert_int_equal(skua__utf8_valid(skua_str_of(bytes, len)), len);
        for (size_t cut = 0; cut < len; cut++)
            assert_int_equal(skua__utf8_valid(skua_str_of(bytes, cut)), 0);
    }
}

static void known_characters_have_their_bytes(void **state)
{
    char bytes[4];

    (void)state;
    skua__utf8_encode(bytes, 0x7f);
    assert_memory_equal(bytes, "\x7f", 1);
    skua__utf8_encode(bytes, 0xe9);
    assert_memory_equal(bytes, "\xc3\xa9", 2);
    skua__utf8_encode(bytes, 0x20ac);
    assert_memory_equal(bytes, "\xe2\x82\xac", 3);
    skua__utf8_encode(bytes, 0x1f600);
    assert_memory_equal(bytes, "\xf0\x9f\x98\x80", 4);
}

/* Decode by the rules alone: 0 when the bytes are not one whole character. */
static bool is_one_character(const unsigned char *s, size_t len)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    uint32_t point;
    size_t need = s[0] < 0x80             ? 1
                  : (s[0] & 0xe0) == 0xc0 ? 2
                  : (s[0] & 0xf0) == 0xe0 ? 3
                  : (s[0] & 0xf8) == 0xf0 ? 4
                                          : 0;

    if (need != len)
        return false;
    point = need == 1 ? s[0] : s[0] & (0x7fu >> need);
    for (size_t i = 1; i < len; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return false;
        point = point << 6 | (s[i] & 0x3f);
    }
    return point >= smallest[need] && point <= 0x10ffff && !is_surrogate(point);
}

/* All first and second bytes, and of the later ones those at the edges. */
static void every_sequence_is_judged_by_the_rules(void **state)
{
    static const unsigned char edges[] = {0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0xbf, 0xc0, 0xff};

    (void)state;
    for (unsigned first = 0x80; first < 256; first++) {
        for (unsigned second = 0; second < 256; second++) {
            for (size_t i = 0; i < sizeof(edges) * sizeof(edges); i++) {
                unsigned char s[4] = {(unsigned char)first, (unsigned char)second,
                                      edges[i % sizeof(edges)], edges[i / sizeof(edges)]};
                bool starts =
                    is_one_character(s, 2) || is_one_character(s, 3) || is_one_character(s, 4);

                assert_int_equal(skua__utf8_valid(skua_str_of((char *)s, 4)) > 0, starts);
            }
        }
    }
}

static void the_first_ill_formed_byte_is_found_wherever_it_stands(void **state)
{
    (void)state;
    for (size_t len = 1; len < 40; len++) {
        for (size_t at = 0; at < len; at++) {
            char text[40];

            memset(text, 'a', sizeof(text));
            text[at] = '\xff';
            assert_int_equal(skua__utf8_valid(skua_str_of(text, len)), at);
            memcpy(text + at, "\xe2\x82\xac", at + 3 <= len ? 3 : 1);
            assert_int_equal(skua__utf8_valid(skua_str_of(text, len)), at + 3 <= len ? len : at);
        }
    }
    assert_int_equal(skua__utf8_valid(skua_str_of(NULL, 0)), 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_code_point_is_encoded_and_accepted),
        cmocka_unit_test(known_characters_have_their_bytes),
        cmocka_unit_test(every_sequence_is_judged_by_the_rules),
        cmocka_unit_test(the_first_ill_formed_byte_is_found_wherever_it_stands),
    };

    return cmocka_run_group_tests_name("utf8", tests, NULL, NULL);
}
