/* SPDX-License-Identifier: MIT */
/* Strings in JSON text, read and written as byte after byte would be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <skua/json.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "value/arena_support.h"
#include "value/json.h"

static uint64_t seed = 0x9e3779b97f4a7c15u;

static unsigned below(unsigned bound)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (unsigned)(seed >> 33) % bound;
}

/* ---- chunks ---- */

static bool is_special(unsigned char byte)
{
    return byte < ' ' || byte == '"' || byte == '\\' || byte >= 0x80;
}

static skua__json_chunk load(const unsigned char *bytes)
{
    skua__json_chunk chunk;

    memcpy(&chunk, bytes, sizeof(chunk));
    return chunk;
}

static void a_byte_is_special_or_not_wherever_it_stands(void **state)
{
    (void)state;
    for (unsigned at = 0; at < SKUA__JSON_CHUNK; at++) {
        for (unsigned byte = 0; byte < 256; byte++) {
            unsigned char bytes[SKUA__JSON_CHUNK];

            memset(bytes, 'x', sizeof(bytes));
            bytes[at] = (unsigned char)byte;
            assert_int_equal(skua__json_special(load(bytes)), (unsigned)is_special(bytes[at])
                                                                  << at);
        }
    }
}

static void special_bytes_are_found_among_any_others(void **state)
{
    (void)state;
    for (int i = 0; i < 100000; i++) {
        unsigned char bytes[SKUA__JSON_CHUNK];
        unsigned want = 0;

        for (unsigned at = 0; at < SKUA__JSON_CHUNK; at++) {
            bytes[at] = (unsigned char)below(256);
            want |= (unsigned)is_special(bytes[at]) << at;
        }
        assert_int_equal(skua__json_special(load(bytes)), want);
    }
}

/* What machines without a fitting instruction do instead. */
static void top_bits_are_gathered_from_words_too(void **state)
{
    (void)state;
    for (int i = 0; i < 100000; i++) {
        unsigned char bytes[SKUA__JSON_CHUNK];
        unsigned want = 0;
        skua__json_words words;

        for (unsigned at = 0; at < SKUA__JSON_CHUNK; at++) {
            bytes[at] = (unsigned char)below(256);
            want |= (unsigned)(bytes[at] >> 7) << at;
        }
        memcpy(&words, bytes, sizeof(words));
        assert_int_equal(skua__json_bits_of_words(words), want);
        assert_int_equal(skua__json_bits(words), want);
    }
}

/* ---- writing ---- */

/* The length of the well-formed sequence of two to four bytes at the start, 0 if there is none. */
static size_t sequence_length(skua_str text)
{
    for (size_t len = 2; len <= 4 && len <= text.len; len++) {
        if (skua__utf8_valid(skua_str_of(text.ptr, len)) == len)
            return len;
    }
    return 0;
}

/* The plain way to write a string: looks at each byte alone. */
static void put_plainly(struct skua__buf *out, skua_str text)
{
    static const char *const escapes[128] = {
        ['"'] = "\\\"", ['\\'] = "\\\\", ['\b'] = "\\b", ['\f'] = "\\f",
        ['\n'] = "\\n", ['\r'] = "\\r",  ['\t'] = "\\t"};

    skua__buf_put_char(out, '"');
    while (text.len > 0) {
        unsigned char byte = (unsigned char)*text.ptr;
        size_t len = 1;

        if (byte >= 0x80 && (len = sequence_length(text)) > 0)
            skua__buf_put(out, text.ptr, len);
        else if (byte >= 0x80)
            skua__buf_put_literal(out, "\xef\xbf\xbd");
        else if (escapes[byte] != NULL)
            skua__buf_put_str(out, skua_str_c(escapes[byte]));
        else if (byte < ' ')
            skua__buf_printf(out, "\\u%04x", byte);
        else
            skua__buf_put_char(out, (char)byte);
        len = len > 0 ? len : 1;
        text = skua_str_of(text.ptr + len, text.len - len);
    }
    skua__buf_put_char(out, '"');
}

/* In memory of exactly its size, so that reading past the end is found. */
static void assert_written_as_plainly(const char *bytes, size_t len)
{
    struct skua__buf got, want;
    char *copy = malloc(len > 0 ? len : 1);

    assert_non_null(copy);
    memcpy(copy, bytes, len);
    skua__buf_init(&got, NULL);
    skua__buf_init(&want, NULL);
    skua__json_append_string(&got, skua_str_of(copy, len));
    put_plainly(&want, skua_str_of(copy, len));
    assert_int_equal(got.len, want.len);
    assert_memory_equal(got.ptr, want.ptr, want.len);
    skua__buf_finish(&got);
    skua__buf_finish(&want);
    free(copy);
}

static void plain_strings_of_any_length_are_written(void **state)
{
    char text[200];

    (void)state;
    for (size_t i = 0; i < sizeof(text); i++)
        text[i] = (char)('a' + i % 26);
    for (size_t len = 0; len <= sizeof(text); len++)
        assert_written_as_plainly(text, len);
}

/* One byte in `rare` is any at all: from plain text down to bytes that are nearly all special. */
static void random_bytes_are_written_as_one_by_one(void **state)
{
    (void)state;
    for (int i = 0; i < 60000; i++) {
        char bytes[120];
        size_t len = below(sizeof(bytes) + 1);
        unsigned rare = 1 + below(30);

        for (size_t at = 0; at < len; at++)
            bytes[at] = (char)(below(rare) == 0 ? below(256) : 'a' + below(26));
        assert_written_as_plainly(bytes, len);
    }
}

static void random_utf8_is_written_as_one_by_one(void **state)
{
    (void)state;
    for (int i = 0; i < 30000; i++) {
        char bytes[128];
        size_t len = 0, most = below(sizeof(bytes) - 4);

        while (len < most) {
            static const uint32_t bounds[] = {0x80, 0x80, 0x800, 0x10000, 0x110000};

            len += skua__utf8_encode(bytes + len, below(bounds[below(5)]));
        }
        if (len > 0 && below(3) == 0)
            bytes[below((unsigned)len)] = (char)below(256);
        assert_written_as_plainly(bytes, len);
    }
}

/* ---- reading ---- */

/* Add a piece to a text and what it means to a string. */
static void put_piece(struct skua__buf *text, struct skua__buf *string)
{
    static const char *const pieces[][2] = {
        {"\\n", "\n"},
        {"\\\"", "\""},
        {"\\/", "/"},
        {"\\\\", "\\"},
        {"\\u0041", "A"},
        {"\\u00e9", "\xc3\xa9"},
        {"\\u20AC", "\xe2\x82\xac"},
        {"\\ud83d\\ude00", "\xf0\x9f\x98\x80"},
        {"\xc3\xa9", "\xc3\xa9"},
        {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
    };
    size_t count = sizeof(pieces) / sizeof(pieces[0]), choice = below((unsigned)count + 10);

    if (choice < count) {
        skua__buf_put_str(text, skua_str_c(pieces[choice][0]));
        skua__buf_put_str(string, skua_str_c(pieces[choice][1]));
        return;
    }
    for (unsigned left = below(40); left > 0; left--) {
        char c = (char)('a' + below(26));

        skua__buf_put_char(text, c);
        skua__buf_put_char(string, c);
    }
}

static void random_strings_are_read_piece_by_piece(void **state)
{
    (void)state;
    for (int i = 0; i < 30000; i++) {
        skua_arena *arena = skua_arena_new(0);
        struct skua__buf text, string;
        skua_value *value;
        skua_str got;

        skua__buf_init(&text, arena);
        skua__buf_init(&string, arena);
        skua__buf_put(&text, "                    \"", below(20) + 1);
        text.ptr[text.len - 1] = '"';
        for (unsigned left = below(8); left > 0; left--)
            put_piece(&text, &string);
        skua__buf_put_char(&text, '"');
        assert_int_equal(skua_json_read(&value, arena, skua_str_of(text.ptr, text.len), NULL), 0);
        got = skua_as_str(value);
        assert_int_equal(got.len, string.len);
        assert_memory_equal(got.ptr, skua__buf_str(&string).ptr, string.len + 1);
        skua_arena_free(arena);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_byte_is_special_or_not_wherever_it_stands),
        cmocka_unit_test(special_bytes_are_found_among_any_others),
        cmocka_unit_test(top_bits_are_gathered_from_words_too),
        cmocka_unit_test(plain_strings_of_any_length_are_written),
        cmocka_unit_test(random_bytes_are_written_as_one_by_one),
        cmocka_unit_test(random_utf8_is_written_as_one_by_one),
        cmocka_unit_test(random_strings_are_read_piece_by_piece),
    };

    return cmocka_run_group_tests_name("json_string", tests, NULL, NULL);
}
