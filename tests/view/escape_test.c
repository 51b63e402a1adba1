/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "view/escape.h"

#include <stdlib.h>

/* What escaping means, one byte at a time. */
static void escape_plainly(struct skua__buf *out, skua_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        switch (text.ptr[i]) {
        case '&':
            skua__buf_put_literal(out, "&amp;");
            break;
        case '<':
            skua__buf_put_literal(out, "&lt;");
            break;
        case '>':
            skua__buf_put_literal(out, "&gt;");
            break;
        case '"':
            skua__buf_put_literal(out, "&quot;");
            break;
        case '\'':
            skua__buf_put_literal(out, "&#39;");
            break;
        default:
            skua__buf_put_char(out, text.ptr[i]);
        }
    }
}

/* The text lies at the very end of its allocation, so that a byte read too far is found. */
static void check(const char *bytes, size_t len)
{
    char *copy = malloc(len + 1);
    struct skua__buf expected, got;
    skua_str text;

    memcpy(copy + 1, bytes, len);
    text = skua_str_of(copy + 1, len);
    skua__buf_init(&expected, NULL);
    skua__buf_init(&got, NULL);
    escape_plainly(&expected, text);
    skua__escape_html(&got, text);
    assert_int_equal(got.len, expected.len);
    if (got.len > 0)
        assert_memory_equal(got.ptr, expected.ptr, got.len);
    skua__buf_finish(&expected);
    skua__buf_finish(&got);
    free(copy);
}

static void five_characters_are_escaped(void **state)
{
    struct skua__buf out;

    (void)state;
    skua__buf_init(&out, NULL);
    skua__escape_html(&out, SKUA_STR("a&b<c>d\"e'f"));
    assert_string_equal(skua__buf_str(&out).ptr, "a&amp;b&lt;c&gt;d&quot;e&#39;f");
    skua__buf_finish(&out);
}

static void every_byte_at_every_place_of_a_block(void **state)
{
    char text[48] = {0};

    (void)state;
    for (int byte = 0; byte < 256; byte++) {
        for (size_t at = 0; at < sizeof(text); at++) {
            memset(text, 'x', sizeof(text));
            text[at] = (char)byte;
            check(text, sizeof(text));
        }
    }
}

static void every_length_of_plain_text_and_of_text_to_escape(void **state)
{
    char text[80] = {0};

    (void)state;
    for (size_t len = 0; len <= sizeof(text); len++) {
        memset(text, 'x', sizeof(text));
        check(text, len);
        memset(text, '<', sizeof(text));
        check(text, len);
    }
}

static void random_text_is_escaped_as_plainly(void **state)
{
    static const char often[] = "&<>\"'%(#$;:?=ab\xc3\xa9";
    char text[200] = {0};
    uint32_t random = 12345;

    (void)state;
    for (int round = 0; round < 20000; round++) {
        size_t len = (random >> 8) % sizeof(text);

        for (size_t i = 0; i < len; i++) {
            random = random * 1664525 + 1013904223;
            text[i] = random >> 30 == 0 ? often[(random >> 8) % (sizeof(often) - 1)]
                                        : (char)(random >> 16);
        }
        random = random * 1664525 + 1013904223;
        check(text, len);
    }
}

static void it_appends(void **state)
{
    struct skua__buf out;

    (void)state;
    skua__buf_init(&out, NULL);
    skua__buf_put_literal(&out, "<b>");
    skua__escape_html(&out, SKUA_STR(""));
    skua__escape_html(&out, SKUA_STR("<"));
    assert_string_equal(skua__buf_str(&out).ptr, "<b>&lt;");
    skua__buf_finish(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(five_characters_are_escaped),
        cmocka_unit_test(every_byte_at_every_place_of_a_block),
        cmocka_unit_test(every_length_of_plain_text_and_of_text_to_escape),
        cmocka_unit_test(random_text_is_escaped_as_plainly),
        cmocka_unit_test(it_appends),
    };

    return cmocka_run_group_tests_name("view/escape", tests, NULL, NULL);
}
