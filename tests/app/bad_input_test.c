/* SPDX-License-Identifier: MIT */
/*
 * bad_input_test.c - what is wrong gets a clear refusal, and nothing of it comes back
 *
 * Each row is sent on a connection of its own with a good request behind it. The reply's status and
 * code are compared, whether the connection is closed or the good request is answered, and that no
 * reply holds a piece of the request.
 */
#include "support/birds_app.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HOST  "Host: birds.example\r\n"
#define AFTER "GET /text HTTP/1.1\r\n" HOST "\r\n"

enum after { CLOSES, KEEPS };

struct row {
    const char *bytes;
    int status;
    const char *code;
    enum after after;
};

static const struct row rows[] = {
    /* malformed: 400 and close */
    {"EVIL\r\n\r\n", 400, "SKUA_ERR_BAD_INPUT", CLOSES},
    {"GET /EVIL HTTP/1.1\n" HOST "\r\n", 400, "SKUA_ERR_BAD_INPUT", CLOSES},
    {"GET /text HTTP/1.1\r\n\r\n", 400, "SKUA_ERR_BAD_INPUT", CLOSES},
    {"GET /text HTTP/1.1\r\nHost: EVIL\r\nHost: b\r\n\r\n", 400, "SKUA_ERR_BAD_INPUT", CLOSES},
    {"GET /text HTTP/1.1\r\n" HOST "EVIL : x\r\n\r\n", 400, "SKUA_ERR_BAD_INPUT", CLOSES},
    {"GET /text HTTP/1.1\r\n" HOST "A: b\r\n EVIL\r\n\r\n", 400, "SKUA_ERR_BAD_INPUT", CLOSES},
    {"GET /text HTTP/1.1\r\n" HOST "A: EVIL\rX: y\r\n\r\n", 400, "SKUA_ERR_BAD_INPUT", CLOSES},
    {"POST /api/count HTTP/1.1\r\n" HOST "Content-Length: 1\r\nContent-Length: 2\r\n\r\na", 400,
     "SKUA_ERR_BAD_INPUT", CLOSES},
    {"POST /api/count HTTP/1.1\r\n" HOST
     "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
     400, "SKUA_ERR_BAD_INPUT", CLOSES},
    {"POST /api/count HTTP/1.1\r\n" HOST "Content-Length: +4\r\n\r\nEVIL", 400,
     "SKUA_ERR_BAD_INPUT", CLOSES},
    {"POST /api/count HTTP/1.1\r\n" HOST "Content-Type: text/plain\r\nTransfer-Encoding: "
     "chunked\r\n\r\n0x5\r\nEVIL!\r\n0\r\n\r\n",
     400, "SKUA_ERR_BAD_INPUT", CLOSES},
    {"POST /api/count HTTP/1.1\r\n" HOST "Transfer-Encoding: gzip, chunked\r\n\r\n", 501,
     "SKUA_ERR_NOT_IMPLEMENTED", CLOSES},
    {"GET /text HTTP/2.0\r\n" HOST "\r\n", 505, "SKUA_ERR_VERSION", CLOSES},
    {"POST /api/count HTTP/1.1\r\n" HOST "Expect: EVIL\r\nContent-Length: 1\r\n\r\na", 417,
     "SKUA_ERR_EXPECT", CLOSES},
    /* well formed, but not to be had: an answer, and the connection goes on */
    {"GET /%zzEVIL HTTP/1.1\r\n" HOST "\r\n", 400, "SKUA_ERR_BAD_INPUT", KEEPS},
    {"GET /EVIL%00 HTTP/1.1\r\n" HOST "\r\n", 400, "SKUA_ERR_BAD_INPUT", KEEPS},
    {"GET /%E4%A HTTP/1.1\r\n" HOST "\r\n", 400, "SKUA_ERR_BAD_INPUT", KEEPS},
    {"GET /x%0d%0aSet-Cookie:EVIL HTTP/1.1\r\n" HOST "\r\n", 400, "SKUA_ERR_BAD_INPUT", KEEPS},
    {"GET /EVIL#x HTTP/1.1\r\n" HOST "\r\n", 400, "SKUA_ERR_BAD_INPUT", KEEPS},
    {"GET /EVIL HTTP/1.1\r\n" HOST "\r\n", 404, "SKUA_ERR_NOT_FOUND", KEEPS},
    {"GET //EVIL/%2e%2e HTTP/1.1\r\n" HOST "\r\n", 404, "SKUA_ERR_NOT_FOUND", KEEPS},
    {"GET /?a=<EVIL> HTTP/1.1\r\n" HOST "\r\n", 404, "SKUA_ERR_NOT_FOUND", KEEPS},
    {"PATCH /text HTTP/1.1\r\n" HOST "\r\n", 405, "SKUA_ERR_METHOD", KEEPS},
    {"EVIL /text HTTP/1.1\r\n" HOST "\r\n", 501, "SKUA_ERR_NOT_IMPLEMENTED", KEEPS},
    {"TRACE /text HTTP/1.1\r\n" HOST "X: EVIL\r\n\r\n", 501, "SKUA_ERR_NOT_IMPLEMENTED", KEEPS},
    {"POST /api/echo HTTP/1.1\r\n" HOST "Content-Type: EVIL\r\nContent-Length: 2\r\n\r\n{}", 415,
     "SKUA_ERR_MEDIA_TYPE", KEEPS},
    {"POST /api/echo HTTP/1.1\r\n" HOST "Content-Type: text/plain; x=\"application/json\"\r\n"
     "Content-Length: 6\r\n\r\n\"EVIL\"",
     200, "", KEEPS}, /* the essence decides: it is text */
    {"POST /api/echo HTTP/1.1\r\n" HOST
     "Content-Type: application/json\tx\r\nContent-Length: 2\r\n\r\n{}",
     415, "SKUA_ERR_MEDIA_TYPE", KEEPS},
    {"POST /api/echo HTTP/1.1\r\n" HOST
     "Content-Type: application/json\r\nContent-Length: 6\r\n\r\n[EVIL]",
     400, "SKUA_ERR_BAD_JSON", KEEPS},
    {"POST /api/count HTTP/1.1\r\n" HOST
     "Content-Type: text/plain\r\nContent-Length: 5\r\n\r\nEVIL\xff",
     400, "SKUA_ERR_BAD_INPUT", KEEPS},
    /* over a limit */
    {"POST /api/count HTTP/1.1\r\n" HOST
     "Content-Type: text/plain\r\nContent-Length: 200001\r\n\r\n",
     413, "SKUA_ERR_TOO_LARGE", CLOSES},
    {"POST /api/count HTTP/1.1\r\n" HOST "Content-Type: text/plain\r\nExpect: 100-continue\r\n"
     "Content-Length: 99999999\r\n\r\n",
     413, "SKUA_ERR_TOO_LARGE", CLOSES},
};

static void ask(const struct sk_server *server, const struct row *row)
{
    char request[2048];
    char *reply;

    snprintf(request, sizeof(request), "%s%s", row->bytes, AFTER);
    reply = sk_exchange(server, request);
    if (sk_status(reply) != row->status || strstr(reply, row->code) == NULL)
        fail_msg("%s\ngave: %s", row->bytes, reply);
    if (sk_count(reply, "HTTP/1.1 ") != (row->after == KEEPS ? 2 : 1))
        fail_msg("%s\nwas to %s, but gave: %s", row->bytes, row->after == KEEPS ? "go on" : "close",
                 reply);
    if ((strstr(reply, "\r\nconnection: close\r\n") != NULL) != (row->after == CLOSES))
        fail_msg("%s\ndid not say how it goes on: %s", row->bytes, reply);
    if (row->status >= 400 && strstr(reply, "EVIL") != NULL)
        fail_msg("%s\ncame back in: %s", row->bytes, reply);
    free(reply);
}

static void each_is_refused_clearly(void **state)
{
    struct sk_server server = {.app = sk_app()};

    (void)state;
    birds_describe(server.app);
    sk_start(&server, server.app);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        ask(&server, &rows[i]);
    sk_stop(&server);
}

/* ---- limits, on both sides ---- */

/* A GET whose target is `len` bytes, or whose head is `len` bytes, or which has `len` fields. */
static char *long_target(size_t len)
{
    char *request = malloc(len + 64);

    assert_non_null(request);
    sprintf(request, "GET /%*s HTTP/1.1\r\n" HOST "\r\n", (int)len - 1, "");
    memset(request + 5, 'a', len - 1);
    return request;
}

static char *long_head(size_t len)
{
    static const char start[] = "GET /text HTTP/1.1\r\n" HOST "X: ";
    char *request = malloc(len + 1);

    assert_non_null(request);
    memset(request, 'a', len);
    memcpy(request, start, sizeof(start) - 1);
    memcpy(request + len - 4, "\r\n\r\n", 5);
    return request;
}

static char *many_fields(size_t count)
{
    char *request = malloc(64 + count * 8), *end = request;

    assert_non_null(request);
    end += sprintf(end, "GET /text HTTP/1.1\r\n" HOST);
    for (size_t i = 1; i < count; i++)
        end += sprintf(end, "X: y\r\n");
    sprintf(end, "\r\n");
    return request;
}

static void check_limit(const struct sk_server *server, char *request, int status)
{
    char *reply = sk_exchange(server, request);

    assert_int_equal(sk_status(reply), status);
    assert_int_equal(strstr(reply, "\r\nconnection: close\r\n") != NULL,
                     status == 413 || status == 414 || status == 431);
    free(reply);
    free(request);
}

static void limits_hold_to_the_byte(void **state)
{
    struct sk_server server = {.app = sk_app()};

    (void)state;
    birds_describe(server.app);
    sk_start(&server, server.app);
    check_limit(&server, long_target(8192), 404);
    check_limit(&server, long_target(8193), 414);
    check_limit(&server, long_head(16384), 200);
    check_limit(&server, long_head(16385), 431);
    check_limit(&server, many_fields(100), 200);
    check_limit(&server, many_fields(101), 431);
    sk_stop(&server);
}

static char *big_body(size_t len, bool chunked)
{
    char *request = malloc(len + 256), *end = request;

    assert_non_null(request);
    end += sprintf(end, "POST /api/count HTTP/1.1\r\n" HOST "Content-Type: text/plain\r\n");
    if (chunked)
        end += sprintf(end, "Transfer-Encoding: chunked\r\n\r\n%zx\r\n", len);
    else
        end += sprintf(end, "Content-Length: %zu\r\n\r\n", len);
    memset(end, 'b', len);
    strcpy(end + len, chunked ? "\r\n0\r\n\r\n" : "");
    return request;
}

static void a_body_may_have_the_limit_and_not_one_byte_more(void **state)
{
    struct sk_server server = {.app = sk_app()};

    (void)state;
    birds_describe(server.app);
    sk_start(&server, server.app);
    for (int chunked = 0; chunked <= 1; chunked++) {
        check_limit(&server, big_body(200000, chunked), 200);
        check_limit(&server, big_body(200001, chunked), 413);
    }
    sk_stop(&server);
}

/* ---- the refusal is read, although the body was not ---- */

static void a_refusal_is_not_lost_behind_an_unread_body(void **state)
{
    struct sk_server server = {.app = sk_app()};
    char *body = malloc(4 << 20);

    (void)state;
    assert_non_null(body);
    memset(body, 'c', 4 << 20);
    birds_describe(server.app);
    sk_start(&server, server.app);
    for (int round = 0; round < 20; round++) {
        static const char head[] = "POST /api/count HTTP/1.1\r\n" HOST
                                   "Content-Type: text/plain\r\nContent-Length: 4194304\r\n\r\n";
        int fd = sk_connect(&server);
        char *reply;

        sk_send(fd, head, sizeof(head) - 1);
        sk_send(fd, body, 200000);
        reply = sk_read_all(fd, NULL);
        assert_int_equal(sk_status(reply), 413);
        assert_non_null(strstr(reply, "SKUA_ERR_TOO_LARGE"));
        free(reply);
        close(fd);
    }
    sk_stop(&server);
    free(body);
}

static void a_405_names_the_methods_there_are(void **state)
{
    skua_app *app = sk_app();
    skua_injected res;

    (void)state;
    birds_describe(app);
    assert_int_equal(skua_inject(app, &res, .method = "PUT", .url = "/text"), 0);
    assert_int_equal(res.status, 405);
    assert_non_null(strstr(res.raw.ptr, "\r\nallow: GET, HEAD, DELETE\r\n"));
    skua_injected_finish(&res);
    assert_int_equal(skua_inject(app, &res, .url = "/nowhere", .headers = "Accept: text/html\r\n"),
                     0);
    assert_int_equal(res.status, 404);
    assert_non_null(strstr(res.raw.ptr, "content-type: text/html; charset=utf-8\r\n"));
    assert_non_null(strstr(res.raw.ptr, "<h1>404 Not Found</h1>"));
    skua_injected_finish(&res);
    skua_app_free(app);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_refused_clearly),
        cmocka_unit_test(limits_hold_to_the_byte),
        cmocka_unit_test(a_body_may_have_the_limit_and_not_one_byte_more),
        cmocka_unit_test(a_refusal_is_not_lost_behind_an_unread_body),
        cmocka_unit_test(a_405_names_the_methods_there_are),
    };

    return cmocka_run_group_tests_name("bad input", tests, NULL, NULL);
}
