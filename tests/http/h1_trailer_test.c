/* SPDX-License-Identifier: MIT */
/*
 * h1_trailer_test.c - trailers that the caller keeps
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "h1_feed.h"

#define CHUNKED "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"

/* Reads a request whose body is `body`, of which `step` bytes come at a time, into `kept`. */
static int read_request(const char *body, size_t step, struct skua__buf *kept)
{
    char head[] = CHUNKED;
    size_t len = strlen(body), at = 0, used;
    struct skua__h1 h1;
    int result;

    skua__h1_init(&h1, &(const struct skua__h1_limits){.trailer_fields = 4});
    assert_int_equal(skua__h1_head(&h1, head, sizeof(head) - 1, &used), SKUA__H1_END);
    skua__h1_keep_trailer(&h1, kept);
    do {
        char block[64];
        size_t size = len - at < step ? len - at : step;
        skua_str piece;

        /* what has been read is overwritten: nothing may point to it */
        assert_true(size <= sizeof(block));
        memset(block, '?', sizeof(block));
        memcpy(block, body + at, size);
        result = skua__h1_body(&h1, block, size, &used, &piece);
        at += used;
    } while (result >= 0 && result != SKUA__H1_END && at < len);
    skua__h1_next(&h1);
    assert_null(h1.trailer);
    return result;
}

static const struct {
    const char *body;
    const char *trailer; /* name=[value](number) */
} rows[] = {
    {"0\r\n\r\n", ""},
    {"3\r\nabc\r\n0\r\n\r\n", ""},
    {"0\r\nA: b\r\n\r\n", "A=[b](0)"},
    {"1\r\nx\r\n0;last\r\nDigest: \t a b: c \t \r\nB:\r\nC: \r\n\r\n",
     "Digest=[a b: c](0)B=[](0)C=[](0)"},
    {"0\r\nHOST: y\r\nContent-Length: 7\r\nhost:z\r\n\r\n",
     "HOST=[y](7)Content-Length=[7](3)host=[z](7)"},
    {"0\r\nX: \xc3\xa9\r\n\r\n", "X=[\xc3\xa9](0)"},
};

static void put_trailer(struct skua__buf *out, skua_str rest)
{
    struct skua__field field;

    while (skua__h1_trailer_next(&field, &rest)) {
        skua__buf_put_str(out, field.name);
        skua__buf_put_literal(out, "=[");
        skua__buf_put_str(out, field.value);
        skua__buf_printf(out, "](%d)", (int)field.id);
    }
}

static void the_fields_are_kept_wherever_the_bytes_are_cut(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        for (size_t step = 1; step <= 60; step++) {
            struct skua__buf kept, text;

            skua__buf_init(&kept, NULL);
            skua__buf_init(&text, NULL);
            assert_int_equal(read_request(rows[i].body, step, &kept), SKUA__H1_END);
            put_trailer(&text, skua_str_of(kept.ptr, kept.len));
            assert_string_equal(skua__buf_str(&text).ptr, rows[i].trailer);
            skua__buf_finish(&kept);
            skua__buf_finish(&text);
        }
    }
}

static void what_is_kept_is_checked_and_counted_as_ever(void **state)
{
    static const struct {
        const char *body;
        int err;
        size_t kept;
    } bad[] = {
        {"0\r\nA: b\r\nB : c\r\n\r\n", SKUA_ERR_BAD_INPUT, 7},
        {"0\r\nA: b\r\n c\r\n\r\n", SKUA_ERR_BAD_INPUT, 6},
        {"0\r\nA: b\n\r\n", SKUA_ERR_BAD_INPUT, 4},
        {"0\r\nA:\r\nB:\r\nC:\r\nD:\r\nE:\r\n\r\n", SKUA_ERR_HEADERS_TOO_LARGE, 20},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct skua__buf kept;

        skua__buf_init(&kept, NULL);
        assert_int_equal(read_request(bad[i].body, 60, &kept), bad[i].err);
        assert_int_equal(kept.len, bad[i].kept);
        skua__buf_finish(&kept);
    }
}

/* When there was no memory for all of it the rest is missing; there is an end to the walk anywhere. */
static void a_trailer_that_is_cut_off_ends_before_the_cut(void **state)
{
    static const char text[] = "A: b\r\nC: d\r\n";

    (void)state;
    for (size_t len = 0; len < sizeof(text); len++) {
        char *block = malloc(len > 0 ? len : 1);
        struct skua__field field;
        skua_str rest = skua_str_of(block, len);
        size_t count = 0;

        assert_non_null(block);
        memcpy(block, text, len);
        while (skua__h1_trailer_next(&field, &rest))
            count++;
        assert_int_equal(count, len / 6);
        free(block);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fields_are_kept_wherever_the_bytes_are_cut),
        cmocka_unit_test(what_is_kept_is_checked_and_counted_as_ever),
        cmocka_unit_test(a_trailer_that_is_cut_off_ends_before_the_cut),
    };

    return cmocka_run_group_tests_name("h1 trailer", tests, NULL, NULL);
}
