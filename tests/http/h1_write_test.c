/* SPDX-License-Identifier: MIT */
/*
 * h1_write_test.c - reply heads and chunks, byte for byte
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "http/h1.h"
#include "http/status.h"

#include <stdio.h>
#include <stdlib.h>

#define DATE "Mon, 30 Nov 2026 14:00:00 GMT"

static const struct skua__field no_fields[1];

static struct skua__h1_reply reply_of(int status, int minor, bool keep_alive,
                                      enum skua__h1_framing framing, uint64_t length)
{
    return (struct skua__h1_reply){.status = status,
                                   .minor = minor,
                                   .keep_alive = keep_alive,
                                   .framing = framing,
                                   .length = length,
                                   .date = SKUA_STR(DATE)};
}

static void assert_head(struct skua__h1_reply reply, const struct skua__field *fields, size_t count,
                        const char *expected)
{
    struct skua__buf out;

    skua__buf_init(&out, NULL);
    skua__h1_write_head(&out, &reply, fields, count);
    assert_false(out.failed);
    assert_string_equal(skua__buf_str(&out).ptr, expected);
    skua__buf_finish(&out);
}

static void a_head_has_its_parts_in_order(void **state)
{
    const struct skua__field fields[] = {
        {SKUA_STR("content-type"), SKUA_STR("text/html; charset=utf-8"), SKUA__FIELD_CONTENT_TYPE},
        {SKUA_STR("x-empty"), skua_str_of(NULL, 0), SKUA__FIELD_OTHER},
        {SKUA_STR("set-cookie"), SKUA_STR("a=b"), SKUA__FIELD_OTHER},
        {SKUA_STR("set-cookie"), SKUA_STR("c=d"), SKUA__FIELD_OTHER},
    };

    (void)state;
    assert_head(reply_of(200, 1, true, SKUA__H1_LENGTH, 1234567890), fields, 4,
                "HTTP/1.1 200 OK\r\n"
                "date: " DATE "\r\n"
                "content-type: text/html; charset=utf-8\r\n"
                "x-empty: \r\n"
                "set-cookie: a=b\r\n"
                "set-cookie: c=d\r\n"
                "content-length: 1234567890\r\n"
                "\r\n");
}

static void framing_and_connection_are_spelled_out_where_they_must(void **state)
{
    (void)state;
    assert_head(reply_of(200, 1, true, SKUA__H1_LENGTH, 0), no_fields, 0,
                "HTTP/1.1 200 OK\r\ndate: " DATE "\r\ncontent-length: 0\r\n\r\n");
    assert_head(reply_of(200, 1, false, SKUA__H1_LENGTH, UINT64_MAX), no_fields, 0,
                "HTTP/1.1 200 OK\r\ndate: " DATE "\r\ncontent-length: 18446744073709551615\r\n"
                "connection: close\r\n\r\n");
    assert_head(reply_of(200, 0, true, SKUA__H1_LENGTH, 10), no_fields, 0,
                "HTTP/1.1 200 OK\r\ndate: " DATE "\r\ncontent-length: 10\r\n"
                "connection: keep-alive\r\n\r\n");
    assert_head(reply_of(200, 0, false, SKUA__H1_LENGTH, 10), no_fields, 0,
                "HTTP/1.1 200 OK\r\ndate: " DATE "\r\ncontent-length: 10\r\n"
                "connection: close\r\n\r\n");
    assert_head(reply_of(200, 1, true, SKUA__H1_CHUNKED, 7), no_fields, 0,
                "HTTP/1.1 200 OK\r\ndate: " DATE "\r\ntransfer-encoding: chunked\r\n\r\n");
    assert_head(reply_of(304, 1, true, SKUA__H1_NONE, 7), no_fields, 0,
                "HTTP/1.1 304 Not Modified\r\ndate: " DATE "\r\n\r\n");
    assert_head(reply_of(204, 1, false, SKUA__H1_NONE, 0), no_fields, 0,
                "HTTP/1.1 204 No Content\r\ndate: " DATE "\r\nconnection: close\r\n\r\n");
}

static void a_body_until_the_end_always_closes(void **state)
{
    (void)state;
    assert_head(reply_of(200, 0, true, SKUA__H1_CLOSE, 0), no_fields, 0,
                "HTTP/1.1 200 OK\r\ndate: " DATE "\r\nconnection: close\r\n\r\n");
}

static void an_interim_reply_is_a_line_and_nothing_else(void **state)
{
    struct skua__h1_reply reply = reply_of(100, 1, true, SKUA__H1_NONE, 0);

    (void)state;
    reply.date = skua_str_of(NULL, 0);
    assert_head(reply, no_fields, 0, "HTTP/1.1 100 Continue\r\n\r\n");
}

static void an_unregistered_status_is_written_too(void **state)
{
    (void)state;
    assert_head(reply_of(499, 1, true, SKUA__H1_LENGTH, 0), no_fields, 0,
                "HTTP/1.1 499 Unknown\r\ndate: " DATE "\r\ncontent-length: 0\r\n\r\n");
    assert_head(reply_of(999, 1, true, SKUA__H1_LENGTH, 0), no_fields, 0,
                "HTTP/1.1 999 Unknown\r\ndate: " DATE "\r\ncontent-length: 0\r\n\r\n");
}

static void every_status_has_its_line(void **state)
{
    int registered = 0;

    (void)state;
    for (int status = 0; status < 1100; status++) {
        skua_str line = skua__status_line(status), reason = skua__status_reason(status);
        char expected[80];

        if (line.len == 0) {
            assert_string_equal(reason.ptr, "Unknown");
            continue;
        }
        registered++;
        snprintf(expected, sizeof(expected), "HTTP/1.1 %d %.*s\r\n", status, (int)reason.len,
                 reason.ptr);
        assert_string_equal(line.ptr, expected);
        assert_int_equal(line.len, strlen(expected));
    }
    assert_int_equal(registered, 61);
    assert_true(skua_str_eq(skua__status_reason(404), SKUA_STR("Not Found")));
    assert_int_equal(skua__status_line(-1).len, 0);
}

static void bodiless_statuses_are_known(void **state)
{
    (void)state;
    for (int status = 0; status < 600; status++)
        assert_int_equal(skua__status_bodiless(status),
                         status / 100 == 1 || status == 204 || status == 304);
}

static void heads_are_appended(void **state)
{
    struct skua__h1_reply reply = reply_of(100, 1, true, SKUA__H1_NONE, 0);
    struct skua__buf out;

    (void)state;
    reply.date = skua_str_of(NULL, 0);
    skua__buf_init(&out, NULL);
    skua__buf_put_literal(&out, "before ");
    skua__h1_write_head(&out, &reply, no_fields, 0);
    skua__h1_write_head(&out, &reply, no_fields, 0);
    assert_string_equal(skua__buf_str(&out).ptr,
                        "before HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n");
    skua__buf_finish(&out);
}

/* Memory of exactly the size that was asked for, so that a byte too many is found. */
static void a_head_never_takes_more_than_it_reserved(void **state)
{
    const struct skua__field field = {SKUA_STR("a"), SKUA_STR("b"), SKUA__FIELD_OTHER};

    (void)state;
    for (int status = 100; status < 600; status++) {
        for (unsigned kind = 0; kind < 16; kind++) {
            struct skua__h1_reply reply = reply_of(status, (kind & 1) != 0, (kind & 2) != 0,
                                                   (enum skua__h1_framing)(kind >> 2), UINT64_MAX);
            struct skua__buf out;
            size_t whole;

            skua__buf_init(&out, NULL);
            skua__h1_write_head(&out, &reply, &field, 1);
            whole = out.len;
            skua__buf_finish(&out);
            /* with less room than the head takes, the buffer has to have grown first */
            out.ptr = malloc(whole - 1);
            assert_non_null(out.ptr);
            out.cap = whole - 1;
            skua__h1_write_head(&out, &reply, &field, 1);
            assert_int_equal(out.len, whole);
            assert_true(out.cap >= whole);
            skua__buf_finish(&out);
        }
    }
}

static void chunks_frame_what_they_are_given(void **state)
{
    char block[300];
    struct skua__buf out;

    (void)state;
    memset(block, 'x', sizeof(block));
    skua__buf_init(&out, NULL);
    skua__h1_write_chunk(&out, SKUA_STR("hello"));
    skua__h1_write_chunk(&out, SKUA_STR("")); /* would end the body */
    skua__h1_write_chunk(&out, SKUA_STR("0123456789abcdef"));
    skua__h1_write_chunk(&out, skua_str_of("\r\n\0", 3));
    skua__h1_write_last_chunk(&out);
    assert_int_equal(out.len, 10 + 22 + 8 + 5);
    assert_memory_equal(out.ptr, "5\r\nhello\r\n10\r\n0123456789abcdef\r\n3\r\n\r\n\0\r\n0\r\n\r\n",
                        out.len);
    skua__buf_finish(&out);

    skua__h1_write_chunk(&out, skua_str_of(block, sizeof(block)));
    assert_int_equal(out.len, 5 + 300 + 2);
    assert_memory_equal(out.ptr, "12c\r\nxxx", 8);
    skua__buf_finish(&out);
}

static void running_out_of_memory_is_sticky(void **state)
{
    struct skua__h1_reply reply = reply_of(200, 1, true, SKUA__H1_LENGTH, 0);
    skua_arena *arena = skua_arena_new(16); /* not even a chunk */
    struct skua__buf out;

    (void)state;
    skua__buf_init(&out, arena);
    skua__h1_write_head(&out, &reply, no_fields, 0);
    assert_true(out.failed);
    skua__h1_write_chunk(&out, SKUA_STR("x"));
    skua__h1_write_last_chunk(&out);
    assert_int_equal(out.len, 0);
    skua_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_head_has_its_parts_in_order),
        cmocka_unit_test(framing_and_connection_are_spelled_out_where_they_must),
        cmocka_unit_test(a_body_until_the_end_always_closes),
        cmocka_unit_test(an_interim_reply_is_a_line_and_nothing_else),
        cmocka_unit_test(an_unregistered_status_is_written_too),
        cmocka_unit_test(every_status_has_its_line),
        cmocka_unit_test(bodiless_statuses_are_known),
        cmocka_unit_test(heads_are_appended),
        cmocka_unit_test(a_head_never_takes_more_than_it_reserved),
        cmocka_unit_test(chunks_frame_what_they_are_given),
        cmocka_unit_test(running_out_of_memory_is_sticky),
    };

    return cmocka_run_group_tests_name("h1 write", tests, NULL, NULL);
}
