/* SPDX-License-Identifier: MIT */
/*
 * h1_limits_test.c - both sides of each limit of a request head, whole and byte by byte
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "h1_feed.h"

/* The result of `wire` under limits, the same whole and byte by byte. */
static int limited(const struct skua__h1_limits *limits, skua_str wire)
{
    struct feed whole, bytes;
    int result;

    feed_init(&whole, limits);
    feed_init(&bytes, limits);
    feed_bytes(&whole, wire.ptr, wire.len);
    feed_one_by_one(&bytes, wire);
    assert_same_feed(&whole, &bytes);
    result = whole.messages > 0 ? SKUA__H1_END : whole.result;
    feed_finish(&whole);
    feed_finish(&bytes);
    return result;
}

static skua_str request_of(char *out, size_t target, size_t value, size_t fields)
{
    size_t len = 0;

    memcpy(out, "GET /", 5);
    len = 5;
    memset(out + len, 't', target - 1);
    len += target - 1;
    memcpy(out + len, " HTTP/1.1\r\nHost: ", 17);
    len += 17;
    memset(out + len, 'h', value);
    len += value;
    memcpy(out + len, "\r\n", 2);
    len += 2;
    while (fields-- > 1) {
        memcpy(out + len, "X:\r\n", 4);
        len += 4;
    }
    memcpy(out + len, "\r\n", 2);
    return skua_str_of(out, len + 2);
}

static void both_sides_of_the_target_limit(void **state)
{
    const struct skua__h1_limits limits = {.target = 100, .head = 1000, .fields = 10};
    char wire[400];

    (void)state;
    assert_int_equal(limited(&limits, request_of(wire, 100, 1, 1)), SKUA__H1_END);
    assert_int_equal(limited(&limits, request_of(wire, 101, 1, 1)), SKUA_ERR_URI_TOO_LONG);
}

static void both_sides_of_the_head_limit(void **state)
{
    char wire[400];
    skua_str request = request_of(wire, 1, 100, 3);
    struct skua__h1_limits limits = {.target = 100, .fields = 10};

    (void)state;
    limits.head = (uint32_t)request.len;
    assert_int_equal(limited(&limits, request), SKUA__H1_END);
    limits.head--;
    assert_int_equal(limited(&limits, request), SKUA_ERR_HEADERS_TOO_LARGE);
}

static void every_head_limit_gives_the_same_answer_whole_and_in_bytes(void **state)
{
    char wire[400];
    skua_str request = request_of(wire, 40, 60, 3);
    struct skua__h1_limits limits = {.fields = 10};

    (void)state;
    for (limits.head = 1; limits.head < request.len + 2; limits.head++) {
        for (limits.target = 38; limits.target < 42; limits.target++) {
            int expected = limits.head < 55     ? SKUA_ERR_HEADERS_TOO_LARGE /* the request line */
                           : limits.target < 40 ? SKUA_ERR_URI_TOO_LONG
                           : limits.head < request.len ? SKUA_ERR_HEADERS_TOO_LARGE
                                                       : SKUA__H1_END;

            assert_int_equal(limited(&limits, request), expected);
        }
    }
}

/* The line of the field is "Host: ", 60 bytes and CR LF; the request line is longer. */
static void both_sides_of_the_limit_of_a_fields_line(void **state)
{
    struct skua__h1_limits limits = {.line = 68};
    char wire[400];

    (void)state;
    assert_int_equal(limited(&limits, request_of(wire, 90, 60, 3)), SKUA__H1_END);
    limits.line--;
    assert_int_equal(limited(&limits, request_of(wire, 90, 60, 3)), SKUA_ERR_HEADERS_TOO_LARGE);
    limits.line = 2; /* what is left for the empty line */
    assert_int_equal(limited(&limits, SKUA_STR("GET / HTTP/1.0\r\n\r\n")), SKUA__H1_END);
    limits.line = 1;
    assert_int_equal(limited(&limits, SKUA_STR("GET / HTTP/1.0\r\n\r\n")),
                     SKUA_ERR_HEADERS_TOO_LARGE);
}

static void both_sides_of_the_field_limit(void **state)
{
    const struct skua__h1_limits five = {.target = 100, .head = 1000, .fields = 5};
    const struct skua__h1_limits hundred = {.target = 100, .head = 1000, .fields = 100};
    const struct skua__h1_limits more = {.target = 100, .head = 1000, .fields = 1000};
    char wire[1000];

    (void)state;
    assert_int_equal(limited(&five, request_of(wire, 1, 1, 5)), SKUA__H1_END);
    assert_int_equal(limited(&five, request_of(wire, 1, 1, 6)), SKUA_ERR_HEADERS_TOO_LARGE);
    assert_int_equal(limited(&hundred, request_of(wire, 1, 1, 100)), SKUA__H1_END);
    assert_int_equal(limited(&hundred, request_of(wire, 1, 1, 101)), SKUA_ERR_HEADERS_TOO_LARGE);
    assert_int_equal(limited(&more, request_of(wire, 1, 1, 101)), SKUA_ERR_HEADERS_TOO_LARGE);
}

/* How many bytes of an endless run of `c` behind `start` are taken before the error `err`. */
static size_t endless(const char *start, char c, const struct skua__h1_limits *limits, int err)
{
    static char data[20000];
    struct skua__h1 h1;
    size_t len = strlen(start), used;
    int result;

    memset(data, c, sizeof(data));
    memcpy(data, start, len);
    skua__h1_init(&h1, limits);
    while ((result = skua__h1_head(&h1, data, len, &used)) == SKUA__H1_MORE)
        len++;
    assert_int_equal(result, err);
    return len;
}

/* By the byte after which there is no room left for CR LF. */
static void an_endless_line_is_refused_without_its_end(void **state)
{
    const struct skua__h1_limits *usual = &skua__h1_default_limits;
    const struct skua__h1_limits line = {.line = 100};

    (void)state;
    assert_int_equal(endless("GET /", 'a', usual, SKUA_ERR_URI_TOO_LONG), 8192 + 64 - 1);
    assert_int_equal(endless("", 'A', usual, SKUA_ERR_NOT_IMPLEMENTED), 8192 + 64 - 1);
    assert_int_equal(endless("\r\n\r\nGET /", 'a', usual, SKUA_ERR_URI_TOO_LONG),
                     4 + 8192 + 64 - 1);
    assert_int_equal(endless("GET / HTTP/1.1\r\n", 'a', usual, SKUA_ERR_HEADERS_TOO_LARGE),
                     16384 - 1);
    assert_int_equal(endless("GET / HTTP/1.1\r\nX: ", ' ', usual, SKUA_ERR_HEADERS_TOO_LARGE),
                     16384 - 1);
    assert_int_equal(endless("GET / HTTP/1.1\r\nX: ", 'a', &line, SKUA_ERR_HEADERS_TOO_LARGE),
                     16 + 100 - 1);
}

static void the_largest_limits_do_not_overflow(void **state)
{
    const struct skua__h1_limits most = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX,
                                         UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
    char wire[20100];

    (void)state;
    assert_int_equal(limited(&most, request_of(wire, 9000, 10000, 100)), SKUA__H1_END);
    assert_int_equal(limited(&most, request_of(wire, 9000, 10000, 101)),
                     SKUA_ERR_HEADERS_TOO_LARGE);
}

static void a_limit_of_zero_is_the_documented_default(void **state)
{
    const struct skua__h1_limits none = {0}, some = {.head = 7, .trailer = 9};
    struct skua__h1_limits complete = skua__h1_limits_complete(&none);

    (void)state;
    assert_memory_equal(&complete, &skua__h1_default_limits, sizeof(complete));
    assert_int_equal(complete.target, 8192);
    assert_int_equal(complete.line, 16384);
    assert_int_equal(complete.head, 16384);
    assert_int_equal(complete.fields, 100);
    assert_int_equal(complete.chunk_line, 1024);
    assert_int_equal(complete.chunk_overhead, 102400);
    assert_int_equal(complete.trailer, 16384);
    assert_int_equal(complete.trailer_fields, 100);

    complete = skua__h1_limits_complete(&some);
    assert_int_equal(complete.head, 7);
    assert_int_equal(complete.trailer, 9);
    assert_int_equal(complete.target, 8192);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_sides_of_the_target_limit),
        cmocka_unit_test(both_sides_of_the_head_limit),
        cmocka_unit_test(every_head_limit_gives_the_same_answer_whole_and_in_bytes),
        cmocka_unit_test(both_sides_of_the_limit_of_a_fields_line),
        cmocka_unit_test(both_sides_of_the_field_limit),
        cmocka_unit_test(an_endless_line_is_refused_without_its_end),
        cmocka_unit_test(the_largest_limits_do_not_overflow),
        cmocka_unit_test(a_limit_of_zero_is_the_documented_default),
    };

    return cmocka_run_group_tests_name("h1 limits", tests, NULL, NULL);
}
