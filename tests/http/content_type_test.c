/* SPDX-License-Identifier: MIT */
/*
 * content_type_test.c - the strict content-type suite, through skua__media_type_read
 *
 * A code point of a row up to U+00FF is a byte of the header; a row with a higher one cannot come
 * over the wire and is left out, as are calls with something that is no string. Of the parameters,
 * charset is compared.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "text/media_type.h"
#include "text/scan.h"

#include "conformance.h"

#include <skua/err.h>

/* UTF-8 to bytes; false when there is a code point over U+00FF. */
static bool to_bytes(char *out, size_t *len, skua_str text)
{
    *len = 0;
    for (size_t at = 0; at < text.len; at++) {
        unsigned char c = (unsigned char)text.ptr[at];

        if (c > 0xc3)
            return false;
        if (c >= 0xc2)
            c = (unsigned char)(c << 6 | (text.ptr[++at] & 0x3f));
        out[(*len)++] = (char)c;
    }
    return true;
}

static skua_str charset_of(const skua_value *parameters)
{
    for (size_t i = 0; i < skua_count(parameters); i++) {
        if (skua_str_eq(skua_as_str(skua_at(skua_at(parameters, i), 0)), SKUA_STR("charset")))
            return skua_as_str(skua_at(skua_at(parameters, i), 1));
    }
    return SKUA_STR("");
}

static void the_suite_agrees(void **state)
{
    size_t total = 0, refused = 0, left_out = 0;
    const skua_value *row;
    struct rows rows;

    (void)state;
    rows_open(&rows, CONFORMANCE "content-type/cases.jsonl");
    while ((row = rows_next(&rows)) != NULL) {
        const skua_value *header = skua_get_value(row, "header");
        const skua_value *result = skua_get_value(row, "result");
        struct skua__media_type type;
        char bytes[1024];
        size_t len;
        int err;

        if (skua_kind_of(header) != SKUA_STRING || !to_bytes(bytes, &len, skua_as_str(header))) {
            left_out++;
            continue;
        }
        err = skua__media_type_read(&type, rows.arena, skua_str_of(bytes, len));
        total++;
        if (result == NULL) {
            assert_int_equal(err, SKUA_ERR_MEDIA_TYPE);
            refused++;
            continue;
        }
        assert_int_equal(err, 0);
        assert_true(skua_str_eq(type.essence, skua_as_str(skua_get_value(result, "type"))));
        assert_true(
            skua__equal_nocase(type.charset, charset_of(skua_get_value(result, "parameters"))));
    }
    rows_close(&rows);
    printf("content-type: %zu/%zu, %zu refused as they must be, %zu left out\n", total, total,
           refused, left_out);
    assert_int_equal(total, 87);
    assert_int_equal(refused, 53);
    assert_int_equal(left_out, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_suite_agrees),
    };

    return cmocka_run_group_tests_name("content-type", tests, NULL, NULL);
}
