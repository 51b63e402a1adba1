/* SPDX-License-Identifier: MIT */
/*
 * h1_body_test.c - the reader of bodies: by length, chunked, bounds, cuts
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "h1_feed.h"

#include <stdio.h>

#define CHUNKED "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
#define LENGTH  "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: "

/* A reader that has read `head`. */
static void start(struct skua__h1 *h1, const char *head, const struct skua__h1_limits *limits)
{
    static char data[256];
    size_t len = strlen(head), used;

    assert_true(len < sizeof(data));
    memcpy(data, head, len);
    skua__h1_init(h1, limits != NULL ? limits : &skua__h1_default_limits);
    assert_int_equal(skua__h1_head(h1, data, len, &used), SKUA__H1_END);
    assert_int_equal(used, len);
}

static void a_body_by_length_comes_in_pieces(void **state)
{
    struct skua__h1 h1;
    skua_str piece;
    size_t used;

    (void)state;
    start(&h1, LENGTH "5\r\n\r\n", NULL);
    assert_int_equal(skua__h1_body(&h1, "", 0, &used, &piece), SKUA__H1_MORE);
    assert_int_equal(skua__h1_body(&h1, "he", 2, &used, &piece), SKUA__H1_DATA);
    assert_int_equal(used, 2);
    assert_true(skua_str_eq(piece, SKUA_STR("he")));
    assert_int_equal(skua__h1_body(&h1, "lloGET", 6, &used, &piece), SKUA__H1_DATA);
    assert_int_equal(used, 3);
    assert_true(skua_str_eq(piece, SKUA_STR("llo")));
    assert_int_equal(skua__h1_body(&h1, "GET", 3, &used, &piece), SKUA__H1_END);
    assert_int_equal(used, 0);
    assert_int_equal(piece.len, 0);
    assert_int_equal(skua__h1_body(&h1, "GET", 3, &used, &piece), SKUA__H1_END);
}

static void a_request_without_a_body_ends_at_once(void **state)
{
    static const char *const heads[] = {
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "POST / HTTP/1.0\r\n\r\n",
        LENGTH "0\r\n\r\n",
    };
    struct skua__h1 h1;
    skua_str piece;
    size_t used;

    (void)state;
    for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
        start(&h1, heads[i], NULL);
        assert_int_equal(skua__h1_body(&h1, "x", 1, &used, &piece), SKUA__H1_END);
        assert_int_equal(used, 0);
    }
}

static void the_longest_length_is_counted_down(void **state)
{
    struct skua__h1 h1;
    skua_str piece;
    size_t used;

    (void)state;
    start(&h1, LENGTH "9223372036854775807\r\n\r\n", NULL);
    assert_int_equal(skua__h1_body(&h1, "abc", 3, &used, &piece), SKUA__H1_DATA);
    assert_int_equal(used, 3);
    assert_true(h1.left == (uint64_t)INT64_MAX - 3);
}

static void chunks_are_taken_in_the_largest_pieces(void **state)
{
    static const char wire[] = "3\r\nabc\r\n5\r\nhello\r\n0\r\n\r\nNEXT";
    struct skua__h1 h1;
    const char *at = wire;
    size_t len = sizeof(wire) - 1, used;
    skua_str piece;

    (void)state;
    start(&h1, CHUNKED, NULL);
    assert_int_equal(skua__h1_body(&h1, at, len, &used, &piece), SKUA__H1_DATA);
    assert_int_equal(used, 6);
    assert_ptr_equal(piece.ptr, at + 3);
    assert_int_equal(piece.len, 3);
    at += used;
    len -= used;
    assert_int_equal(skua__h1_body(&h1, at, 7, &used, &piece), SKUA__H1_DATA);
    assert_int_equal(used, 7);
    assert_true(skua_str_eq(piece, SKUA_STR("he")));
    at += used;
    len -= used;
    assert_int_equal(skua__h1_body(&h1, at, len, &used, &piece), SKUA__H1_DATA);
    assert_int_equal(used, 3);
    assert_true(skua_str_eq(piece, SKUA_STR("llo")));
    at += used;
    len -= used;
    assert_int_equal(skua__h1_body(&h1, at, 2, &used, &piece), SKUA__H1_MORE);
    assert_int_equal(used, 2);
    at += used;
    len -= used;
    assert_int_equal(skua__h1_body(&h1, at, len, &used, &piece), SKUA__H1_END);
    assert_int_equal(used, 5);
    assert_memory_equal(at + used, "NEXT", 4);
}

struct row {
    const char *body;
    const char *content; /* NULL: refused */
};

static const struct row rows[] = {
    {"0\r\n\r\n", ""},
    {"000\r\n\r\n", ""},
    {"5\r\nhello\r\n0\r\n\r\n", "hello"},
    {"a\r\n0123456789\r\nA\r\n0123456789\r\n0\r\n\r\n", "01234567890123456789"},
    {"000000000000005\r\nhello\r\n0\r\n\r\n", "hello"},
    {"2\r\n\r\n\r\n0\r\n\r\n", "\r\n"},
    {"1;a\r\nx\r\n0\r\n\r\n", "x"},
    {"1;a=b;c=\"d;e\\\"=\\\\\\;\t :,\";f\r\nx\r\n0;last\r\n\r\n", "x"},
    {"1;a=\"\"\r\nx\r\n0\r\n\r\n", "x"},
    {"0\r\nA: b\r\nC:\r\nD: \xc3\xa9 \"\\;=:\t\r\n\r\n", ""},
    {"0\r\nContent-Length: 7\r\nTransfer-Encoding: x\r\nHost: y\r\n\r\n", ""},
    /* sizes */
    {"\r\n", NULL},
    {"x\r\n", NULL},
    {"0x5\r\n", NULL},
    {"5x\r\n", NULL},
    {"+5\r\n", NULL},
    {"-5\r\n", NULL},
    {" 5\r\n", NULL},
    {"5 \r\n", NULL},
    {"5\t\r\n", NULL},
    {"5_0\r\n", NULL},
    {"5,\r\n", NULL},
    {"5.\r\n", NULL},
    {"0000000000000005\r\n", NULL},
    {"fffffffffffffffff\r\n", NULL},
    /* line ends */
    {"5\n", NULL},
    {"\n", NULL},
    {"5\rx", NULL},
    {"5\r\r\n", NULL},
    {"2\r\nab0\r\n", NULL},
    {"2\r\nab\n0\r\n", NULL},
    {"2\r\nab\r0\r\n", NULL},
    {"2\r\nab\r\n\r\n", NULL},
    {"2\r\nabc\r\n", NULL},
    {"0\r\n\n", NULL},
    {"0\n\n", NULL},
    {"0\r\n\rx", NULL},
    /* extensions */
    {"1;\r\nx\r\n", NULL},
    {"1;;a\r\n", NULL},
    {"1;a;\r\n", NULL},
    {"1; a\r\n", NULL},
    {"1 ;a\r\n", NULL},
    {"1;=b\r\n", NULL},
    {"1;a=\r\n", NULL},
    {"1;a=b=c\r\n", NULL},
    {"1;a =b\r\n", NULL},
    {"1;a= b\r\n", NULL},
    {"1;a\"\r\n", NULL},
    {"1;a=\"b\r\n", NULL},
    {"1;a=\"b\"c\r\n", NULL},
    {"1;a=\"b\\\r\n", NULL},
    {"1;a=\"\x01\"\r\n", NULL},
    {"1;a\n", NULL},
    {"1;a=\"\n\"\r\n", NULL},
    {"1;a\x7f\r\n", NULL},
    /* trailers */
    {"0\r\nA\r\n", NULL},
    {"0\r\n: a\r\n", NULL},
    {"0\r\nA : b\r\n", NULL},
    {"0\r\n A: b\r\n", NULL},
    {"0\r\nA: b\r\n c\r\n", NULL},
    {"0\r\nA: b\n", NULL},
    {"0\r\nA: b\rc", NULL},
    {"0\r\nA: \x01", NULL},
    {"0\r\nA\xc3: b\r\n", NULL},
};

static void chunked_bodies_are_read_strictly(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct feed feed;

        feed_init(&feed, NULL);
        feed_bytes(&feed, CHUNKED, sizeof(CHUNKED) - 1);
        skua__buf_finish(&feed.transcript);
        feed_bytes(&feed, rows[i].body, strlen(rows[i].body));
        if (rows[i].content != NULL) {
            char expected[64];

            snprintf(expected, sizeof(expected), "body [%s]\n", rows[i].content);
            assert_string_equal(skua__buf_str(&feed.transcript).ptr, expected);
            assert_int_equal(feed.messages, 1);
            assert_int_equal(feed.len, 0);
        } else {
            assert_int_equal(feed.result, SKUA_ERR_BAD_INPUT);
            assert_int_equal(feed.messages, 0);
        }
        feed_finish(&feed);
    }
}

static void same_answer_wherever_the_bytes_are_cut(void **state)
{
    char wire[256];

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        int len = snprintf(wire, sizeof(wire), CHUNKED "%s%s", rows[i].body,
                           "GET / HTTP/1.1\r\nHost: b\r\n\r\n");

        assert_same_at_every_cut(skua_str_of(wire, (size_t)len), NULL);
    }
}

static void zero_bytes_are_refused_in_all_framing(void **state)
{
    static const char wire[] = "1;a=\"b\"\r\nx\r\n0\r\nA: b\r\n\r\n";

    (void)state;
    for (size_t at = 0; at < sizeof(wire) - 1; at++) {
        char text[sizeof(wire)];
        struct feed feed;

        memcpy(text, wire, sizeof(wire));
        text[at] = '\0';
        feed_init(&feed, NULL);
        feed_bytes(&feed, CHUNKED, sizeof(CHUNKED) - 1);
        feed_bytes(&feed, text, sizeof(wire) - 1);
        if (at == 9) /* the one byte of data */
            assert_int_equal(feed.messages, 1);
        else
            assert_int_equal(feed.result, SKUA_ERR_BAD_INPUT);
        feed_finish(&feed);
    }
}

static void sixty_bits_of_size_are_kept(void **state)
{
    struct skua__h1 h1;
    skua_str piece;
    size_t used;

    (void)state;
    start(&h1, CHUNKED, NULL);
    assert_int_equal(skua__h1_body(&h1, "fffffffffffffff\r\nab", 19, &used, &piece), SKUA__H1_DATA);
    assert_int_equal(used, 19);
    assert_true(h1.left == (UINT64_C(1) << 60) - 1 - 2);
}

/* Feed pieces of `text` until an error, at most `most` bytes; returns how many were used. */
static size_t feed_framing(struct skua__h1 *h1, const char *text, size_t most, int *result)
{
    size_t len = strlen(text), total = 0;

    while (total < most) {
        size_t at = 0;

        while (at < len) {
            skua_str piece;
            size_t used;

            *result = skua__h1_body(h1, text + at, len - at, &used, &piece);
            at += used;
            total += used;
            if (*result < 0 || *result == SKUA__H1_END)
                return total;
        }
    }
    return total;
}

static void both_sides_of_the_size_line_limit(void **state)
{
    static char line[1100];
    struct skua__h1 h1;
    skua_str piece;
    size_t used;

    (void)state;
    memset(line, 'e', sizeof(line));
    memcpy(line, "1;", 2);
    memcpy(line + 1022, "\r\nx", 3);
    start(&h1, CHUNKED, NULL);
    assert_int_equal(skua__h1_body(&h1, line, 1025, &used, &piece), SKUA__H1_DATA);
    assert_int_equal(used, 1025);

    memset(line + 2, 'e', 1021);
    memcpy(line + 1023, "\r\nx", 3);
    start(&h1, CHUNKED, NULL);
    assert_int_equal(skua__h1_body(&h1, line, 1026, &used, &piece), SKUA_ERR_BAD_INPUT);
    assert_int_equal(used, 1025);
}

static void every_size_line_has_the_same_limit(void **state)
{
    const struct skua__h1_limits limits = {.chunk_line = 6};
    struct skua__h1 h1;
    int result;

    (void)state;
    start(&h1, CHUNKED, &limits);
    assert_int_equal(feed_framing(&h1, "1;ab\r\nx\r\n", 900, &result), 900);
    assert_int_equal(result, SKUA__H1_MORE);
    start(&h1, CHUNKED, &limits);
    assert_int_equal(feed_framing(&h1, "1;ab\r\nx\r\n1;abc\r\nx\r\n", 1000, &result), 9 + 7);
    assert_int_equal(result, SKUA_ERR_BAD_INPUT);
}

static void both_sides_of_the_trailer_limit(void **state)
{
    const struct skua__h1_limits limits = {.trailer = 100};
    char trailer[120];
    struct skua__h1 h1;
    int result;

    (void)state;
    memset(trailer, 'v', sizeof(trailer));
    memcpy(trailer, "0\r\nX:", 5);
    memcpy(trailer + 3 + 96, "\r\n\r\n", 5);
    start(&h1, CHUNKED, &limits);
    assert_int_equal(feed_framing(&h1, trailer, 1000, &result), 103);
    assert_int_equal(result, SKUA__H1_END);

    trailer[3 + 96] = 'v';
    memcpy(trailer + 3 + 97, "\r\n\r\n", 5);
    start(&h1, CHUNKED, &limits);
    assert_int_equal(feed_framing(&h1, trailer, 1000, &result), 104);
    assert_int_equal(result, SKUA_ERR_HEADERS_TOO_LARGE);
}

static void both_sides_of_the_number_of_trailer_fields(void **state)
{
    const struct skua__h1_limits limits = {.trailer_fields = 2};
    struct skua__h1 h1;
    int result;

    (void)state;
    start(&h1, CHUNKED, &limits);
    feed_framing(&h1, "0\r\nA:\r\nB:\r\n\r\n", 1000, &result);
    assert_int_equal(result, SKUA__H1_END);
    start(&h1, CHUNKED, &limits);
    assert_int_equal(feed_framing(&h1, "0\r\nA:\r\nB:\r\nC:\r\n\r\n", 1000, &result), 15);
    assert_int_equal(result, SKUA_ERR_HEADERS_TOO_LARGE);
}

static void a_peer_that_sends_mostly_framing_is_refused(void **state)
{
    struct skua__h1 h1;
    int result;

    (void)state;
    /* five bytes of framing for one of data: over the free 100 KiB it is too much at once */
    start(&h1, CHUNKED, NULL);
    assert_int_equal(feed_framing(&h1, "1\r\nx\r\n", 1000000, &result), 102401 + 102400 / 5);
    assert_int_equal(result, SKUA_ERR_BAD_INPUT);

    /* five for two never is */
    start(&h1, CHUNKED, NULL);
    assert_int_equal(feed_framing(&h1, "2\r\nxy\r\n", 7000000, &result), 7000000);
    assert_int_equal(result, SKUA__H1_MORE);

    /* extensions count */
    start(&h1, CHUNKED, NULL);
    feed_framing(&h1, "8;e=0123456789012345678901234567890123\r\nabcdefgh\r\n", 1000000, &result);
    assert_int_equal(result, SKUA_ERR_BAD_INPUT);
    assert_int_equal(h1.framing, 102401);

    /* and there may be less of it */
    start(&h1, CHUNKED, &(const struct skua__h1_limits){.chunk_overhead = 20});
    assert_int_equal(feed_framing(&h1, "1\r\nx\r\n", 1000, &result), 21 + 20 / 5);
    assert_int_equal(result, SKUA_ERR_BAD_INPUT);
}

static void an_error_in_a_body_is_final(void **state)
{
    struct skua__h1 h1;
    skua_str piece;
    size_t used;

    (void)state;
    start(&h1, CHUNKED, NULL);
    assert_int_equal(skua__h1_body(&h1, "1\r\nxy", 5, &used, &piece), SKUA__H1_DATA);
    assert_int_equal(skua__h1_body(&h1, "y", 1, &used, &piece), SKUA_ERR_BAD_INPUT);
    assert_int_equal(used, 1);
    assert_int_equal(skua__h1_body(&h1, "\r\n0\r\n\r\n", 7, &used, &piece), SKUA_ERR_STATE);
    assert_int_equal(used, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_by_length_comes_in_pieces),
        cmocka_unit_test(a_request_without_a_body_ends_at_once),
        cmocka_unit_test(the_longest_length_is_counted_down),
        cmocka_unit_test(chunks_are_taken_in_the_largest_pieces),
        cmocka_unit_test(chunked_bodies_are_read_strictly),
        cmocka_unit_test(same_answer_wherever_the_bytes_are_cut),
        cmocka_unit_test(zero_bytes_are_refused_in_all_framing),
        cmocka_unit_test(sixty_bits_of_size_are_kept),
        cmocka_unit_test(both_sides_of_the_size_line_limit),
        cmocka_unit_test(every_size_line_has_the_same_limit),
        cmocka_unit_test(both_sides_of_the_trailer_limit),
        cmocka_unit_test(both_sides_of_the_number_of_trailer_fields),
        cmocka_unit_test(a_peer_that_sends_mostly_framing_is_refused),
        cmocka_unit_test(an_error_in_a_body_is_final),
    };

    return cmocka_run_group_tests_name("h1 body", tests, NULL, NULL);
}
