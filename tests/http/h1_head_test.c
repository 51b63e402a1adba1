/* SPDX-License-Identifier: MIT */
/*
 * h1_head_test.c - the reader of request heads: slices, refusals, limits, cuts
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "h1_feed.h"

#define H "Host: a\r\n"

/* Read a whole head out of a literal. */
static int read_head(struct skua__h1 *h1, const char *text, size_t len)
{
    char *data = malloc(len);
    size_t used;
    int result;

    assert_non_null(data);
    memcpy(data, text, len);
    skua__h1_init(h1, &skua__h1_default_limits);
    result = skua__h1_head(h1, data, len, &used);
    assert_int_equal(used, result == SKUA__H1_END ? len : 0);
    free(data); /* only numbers are looked at afterwards */
    return result;
}

static int result_of(const char *text)
{
    static struct skua__h1 h1;

    return read_head(&h1, text, strlen(text));
}

static void every_slice_points_at_its_bytes(void **state)
{
    static const char wire[] = "POST /a?b=c HTTP/1.1\r\nHost: x:80\r\nX-Empty:\r\nX-Blank: \t \r\n"
                               "CONTENT-length:\t5 \r\nx: a b\tc\r\n\r\nhello";
    char data[sizeof(wire)];
    struct skua__h1 h1;
    const struct skua__h1_head *head = &h1.head;
    size_t used;

    (void)state;
    memcpy(data, wire, sizeof(wire));
    skua__h1_init(&h1, &skua__h1_default_limits);
    assert_int_equal(skua__h1_head(&h1, data, sizeof(wire) - 1, &used), SKUA__H1_END);
    assert_int_equal(used, sizeof(wire) - 1 - 5);

    assert_int_equal(head->method, SKUA_POST);
    assert_ptr_equal(head->method_text.ptr, data);
    assert_string_equal(head->method_text.ptr, "POST");
    assert_ptr_equal(head->target.ptr, data + 5);
    assert_string_equal(head->target.ptr, "/a?b=c");
    assert_int_equal(head->minor, 1);
    assert_int_equal(head->content_length, 5);
    assert_false(head->chunked);
    assert_true(head->keep_alive);
    assert_false(head->expect_continue);

    assert_int_equal(head->field_count, 5);
    assert_int_equal(head->fields[0].id, SKUA__FIELD_HOST);
    assert_true(skua_str_eq(head->fields[0].name, SKUA_STR("Host")));
    assert_ptr_equal(head->fields[0].value.ptr, data + 28);
    assert_string_equal(head->fields[0].value.ptr, "x:80");
    assert_string_equal(head->fields[1].value.ptr, "");
    assert_string_equal(head->fields[2].value.ptr, "");
    assert_int_equal(head->fields[3].id, SKUA__FIELD_CONTENT_LENGTH);
    assert_string_equal(head->fields[3].value.ptr, "5");
    assert_string_equal(head->fields[4].value.ptr, "a b\tc");
    assert_memory_equal(data + used, "hello", 5);
}

static void fields_are_found_by_number_and_by_name(void **state)
{
    char data[] = "GET / HTTP/1.1\r\nHost: a\r\nX-A: 1\r\nAccept: x\r\nACCEPT: y\r\nx-a: 2\r\n\r\n";
    struct skua__h1 h1;
    size_t used;

    (void)state;
    skua__h1_init(&h1, &skua__h1_default_limits);
    assert_int_equal(skua__h1_head(&h1, data, sizeof(data) - 1, &used), SKUA__H1_END);
    assert_string_equal(skua__h1_field(&h1.head, SKUA__FIELD_ACCEPT).ptr, "x");
    assert_null(skua__h1_field(&h1.head, SKUA__FIELD_COOKIE).ptr);
    assert_string_equal(skua__h1_field_named(&h1.head, SKUA_STR("x-A")).ptr, "1");
    assert_string_equal(skua__h1_field_named(&h1.head, SKUA_STR("accept")).ptr, "x");
    assert_null(skua__h1_field_named(&h1.head, SKUA_STR("x-b")).ptr);
}

static void methods_are_tokens_known_or_not(void **state)
{
    static const struct {
        const char *wire;
        enum skua_method method;
    } rows[] = {
        {"GET / HTTP/1.1\r\n" H "\r\n", SKUA_GET},
        {"QUERY / HTTP/1.1\r\n" H "\r\n", SKUA_QUERY},
        {"OPTIONS * HTTP/1.1\r\n" H "\r\n", SKUA_OPTIONS},
        {"get / HTTP/1.1\r\n" H "\r\n", SKUA_METHOD_UNKNOWN},
        {"BREW /pot HTTP/1.1\r\n" H "\r\n", SKUA_METHOD_UNKNOWN},
        {"!#$%&'*+-.^_`|~ / HTTP/1.1\r\n" H "\r\n", SKUA_METHOD_UNKNOWN},
    };
    struct skua__h1 h1;

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        assert_int_equal(read_head(&h1, rows[i].wire, strlen(rows[i].wire)), SKUA__H1_END);
        assert_int_equal(h1.head.method, rows[i].method);
    }
}

static void the_peer_may_go_on_or_not(void **state)
{
    static const struct {
        const char *wire;
        bool keep_alive;
    } rows[] = {
        {"GET / HTTP/1.1\r\n" H "\r\n", true},
        {"GET / HTTP/1.1\r\n" H "Connection: close\r\n\r\n", false},
        {"GET / HTTP/1.1\r\n" H "Connection: CLOSE\r\n\r\n", false},
        {"GET / HTTP/1.1\r\n" H "Connection: upgrade, ,close\r\n\r\n", false},
        {"GET / HTTP/1.1\r\n" H "Connection: keep-alive\r\nConnection: close\r\n\r\n", false},
        {"GET / HTTP/1.1\r\n" H "Connection: close, keep-alive\r\n\r\n", false},
        {"GET / HTTP/1.1\r\n" H "Connection: closed\r\n\r\n", true},
        {"GET / HTTP/1.1\r\n" H "Connection: \"close\"\r\n\r\n", true},
        {"GET / HTTP/1.1\r\n" H "Connection:\r\n\r\n", true},
        {"GET / HTTP/1.0\r\n\r\n", false},
        {"GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", true},
        {"GET / HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n", false},
        {"GET / HTTP/1.0\r\n" H "Connection: x\r\n\r\n", false},
    };
    struct skua__h1 h1;

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        assert_int_equal(read_head(&h1, rows[i].wire, strlen(rows[i].wire)), SKUA__H1_END);
        assert_int_equal(h1.head.keep_alive, rows[i].keep_alive);
    }
}

static void only_a_1_1_peer_waits_for_100_continue(void **state)
{
    struct skua__h1 h1;

    (void)state;
    assert_int_equal(result_of("PUT / HTTP/1.1\r\n" H "Expect: banana\r\n\r\n"), SKUA_ERR_EXPECT);
    assert_int_equal(result_of("PUT / HTTP/1.1\r\n" H "Expect:\r\n\r\n"), SKUA_ERR_EXPECT);
    assert_int_equal(result_of("PUT / HTTP/1.1\r\n" H "Expect: 100-continue, x\r\n\r\n"),
                     SKUA_ERR_EXPECT);
    assert_int_equal(result_of("PUT / HTTP/1.1\r\n" H "Expect: 100-continue\r\nExpect: x\r\n\r\n"),
                     SKUA_ERR_EXPECT);
#define READ(wire) assert_int_equal(read_head(&h1, wire, sizeof(wire) - 1), SKUA__H1_END)
    READ("PUT / HTTP/1.1\r\n" H "Expect: 100-Continue\r\nContent-Length: 1\r\n\r\n");
    assert_true(h1.head.expect_continue);
    READ("PUT / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n");
    assert_false(h1.head.expect_continue);
#undef READ
}

struct refusal {
    const char *wire;
    int err;
};

static const struct refusal refusals[] = {
    /* the request line */
    {"GET /\r\n", SKUA_ERR_BAD_INPUT},
    {"GET\r\n", SKUA_ERR_BAD_INPUT},
    {"GET \r\n", SKUA_ERR_BAD_INPUT},
    {"GET  / HTTP/1.1\r\n", SKUA_ERR_BAD_INPUT},
    {"GET /  HTTP/1.1\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1.1 \r\n", SKUA_ERR_BAD_INPUT},
    {" GET / HTTP/1.1\r\n", SKUA_ERR_BAD_INPUT},
    {"GET\t/\tHTTP/1.1\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / a HTTP/1.1\r\n", SKUA_ERR_BAD_INPUT},
    {"GET /\x01 HTTP/1.1\r\n", SKUA_ERR_BAD_INPUT},
    {"GET /\x7f HTTP/1.1\r\n", SKUA_ERR_BAD_INPUT},
    {"GET /\xc3\xa9 HTTP/1.1\r\n", SKUA_ERR_BAD_INPUT},
    {"G(T / HTTP/1.1\r\n", SKUA_ERR_BAD_INPUT},
    {"G\xc3\xa9T / HTTP/1.1\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1.\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/11\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1.10\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/01.1\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / http/1.1\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/x.1\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1.x\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1,1\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / XTTP/1.1\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1.2\r\n", SKUA_ERR_VERSION},
    {"GET / HTTP/0.9\r\n", SKUA_ERR_VERSION},
    {"GET / HTTP/2.0\r\n", SKUA_ERR_VERSION},
    {"PRI * HTTP/2.0\r\n", SKUA_ERR_VERSION},
    {"GET / HTTP/9.9\r\n", SKUA_ERR_VERSION},
    /* line ends */
    {"GET / HTTP/1.1\n", SKUA_ERR_BAD_INPUT},
    {"\n", SKUA_ERR_BAD_INPUT},
    {"\r\n\n", SKUA_ERR_BAD_INPUT},
    {"\r\r\n", SKUA_ERR_BAD_INPUT},
    {"\r\n\r\n\r\n\r\n\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1.1\r\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1.1\rHost: a\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1.1\r\nHost: a\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1.1\r\n" H "\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1.1\r\n" H "\rX\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1.1\r\n" H "\r\r\n", SKUA_ERR_BAD_INPUT},
    /* fields */
    {"GET / HTTP/1.1\r\n Host: a\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1.1\r\n" H "X : a\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1.1\r\n" H "X\t: a\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1.1\r\n" H "X: a\r\n b\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1.1\r\n" H "X: a\r\n\tb\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1.1\r\n" H " \r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1.1\r\n" H ": a\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1.1\r\n" H "X\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1.1\r\n" H "X(: a\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1.1\r\n" H "X\xc3\xa9: a\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1.1\r\n" H "X: a\rb\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1.1\r\n" H "X: a\x01\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1.1\r\n" H "X: a\x0b\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1.1\r\n" H "X: a\x7f\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1.1\r\n" H "X: \r \r\n", SKUA_ERR_BAD_INPUT},
    /* Host */
    {"GET / HTTP/1.1\r\n\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1.1\r\nX: a\r\n\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1.1\r\n" H H, SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1.1\r\n" H "hOST: b\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1.0\r\n" H H, SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1.1\r\nHost:\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1.1\r\nHost: \t\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1.0\r\nHost:\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1.1\r\nHost: a b\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1.1\r\nHost: a, b\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1.1\r\nHost: a/b\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1.1\r\nHost: u@a\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1.1\r\nHost: a:b\r\n", SKUA_ERR_BAD_INPUT},
    {"GET / HTTP/1.0\r\nHost: a/b\r\n", SKUA_ERR_BAD_INPUT},
    /* Content-Length */
    {"PUT / HTTP/1.1\r\n" H "Content-Length:\r\n", SKUA_ERR_BAD_INPUT},
    {"PUT / HTTP/1.1\r\n" H "Content-Length: +1\r\n", SKUA_ERR_BAD_INPUT},
    {"PUT / HTTP/1.1\r\n" H "Content-Length: -1\r\n", SKUA_ERR_BAD_INPUT},
    {"PUT / HTTP/1.1\r\n" H "Content-Length: -0\r\n", SKUA_ERR_BAD_INPUT},
    {"PUT / HTTP/1.1\r\n" H "Content-Length: 1,1\r\n", SKUA_ERR_BAD_INPUT},
    {"PUT / HTTP/1.1\r\n" H "Content-Length: 1 2\r\n", SKUA_ERR_BAD_INPUT},
    {"PUT / HTTP/1.1\r\n" H "Content-Length: 0x1\r\n", SKUA_ERR_BAD_INPUT},
    {"PUT / HTTP/1.1\r\n" H "Content-Length: 1_0\r\n", SKUA_ERR_BAD_INPUT},
    {"PUT / HTTP/1.1\r\n" H "Content-Length: 1.0\r\n", SKUA_ERR_BAD_INPUT},
    {"PUT / HTTP/1.1\r\n" H "Content-Length: \"1\"\r\n", SKUA_ERR_BAD_INPUT},
    {"PUT / HTTP/1.1\r\n" H "Content-Length: 9223372036854775808\r\n", SKUA_ERR_BAD_INPUT},
    {"PUT / HTTP/1.1\r\n" H "Content-Length: 18446744073709551616\r\n", SKUA_ERR_BAD_INPUT},
    {"PUT / HTTP/1.1\r\n" H "Content-Length: 99999999999999999999999\r\n", SKUA_ERR_BAD_INPUT},
    {"PUT / HTTP/1.1\r\n" H "Content-Length: 1\r\nContent-Length: 1\r\n", SKUA_ERR_BAD_INPUT},
    {"PUT / HTTP/1.1\r\n" H "Content-Length: 1\r\ncontent-length: 2\r\n", SKUA_ERR_BAD_INPUT},
    {"PUT / HTTP/1.1\r\n" H " Content-Length: 1\r\n", SKUA_ERR_BAD_INPUT},
    {"PUT / HTTP/1.1\r\n" H "Content-Length : 1\r\n", SKUA_ERR_BAD_INPUT},
    /* Content-Type */
    {"PUT / HTTP/1.1\r\n" H "Content-Type: text/plain\r\ncontent-type: text/plain\r\n",
     SKUA_ERR_BAD_INPUT},
    /* Transfer-Encoding */
    {"PUT / HTTP/1.1\r\n" H "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n",
     SKUA_ERR_BAD_INPUT},
    {"PUT / HTTP/1.1\r\n" H "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n",
     SKUA_ERR_BAD_INPUT},
    {"PUT / HTTP/1.1\r\n" H "Content-Length: 1\r\nTransfer-Encoding: identity\r\n\r\n",
     SKUA_ERR_BAD_INPUT},
    {"PUT / HTTP/1.1\r\n" H "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
     SKUA_ERR_BAD_INPUT},
    {"PUT / HTTP/1.1\r\n" H "Transfer-Encoding: chunked, chunked\r\n\r\n", SKUA_ERR_BAD_INPUT},
    {"PUT / HTTP/1.1\r\n" H "Transfer-Encoding: chunked, gzip\r\n\r\n", SKUA_ERR_BAD_INPUT},
    {"PUT / HTTP/1.1\r\n" H "Transfer-Encoding: gzip, chunked, x\r\n\r\n", SKUA_ERR_BAD_INPUT},
    {"PUT / HTTP/1.1\r\n" H "Transfer-Encoding: chunked,\r\n\r\n", SKUA_ERR_BAD_INPUT},
    {"PUT / HTTP/1.1\r\n" H "Transfer-Encoding: ,chunked\r\n\r\n", SKUA_ERR_BAD_INPUT},
    {"PUT / HTTP/1.1\r\n" H "Transfer-Encoding:\r\n\r\n", SKUA_ERR_BAD_INPUT},
    {"PUT / HTTP/1.1\r\n" H "Transfer-Encoding: ,\r\n\r\n", SKUA_ERR_BAD_INPUT},
    {"PUT / HTTP/1.0\r\n" H "Transfer-Encoding: chunked\r\n\r\n", SKUA_ERR_BAD_INPUT},
    {"PUT / HTTP/1.0\r\n" H "Transfer-Encoding: gzip\r\n\r\n", SKUA_ERR_BAD_INPUT},
    {"PUT / HTTP/1.1\r\n" H "Transfer-Encoding: chunked\x0b\r\n", SKUA_ERR_BAD_INPUT},
    {"PUT / HTTP/1.1\r\n" H "Transfer-Encoding: gzip\r\n\r\n", SKUA_ERR_NOT_IMPLEMENTED},
    {"PUT / HTTP/1.1\r\n" H "Transfer-Encoding: gzip, chunked\r\n\r\n", SKUA_ERR_NOT_IMPLEMENTED},
    {"PUT / HTTP/1.1\r\n" H "Transfer-Encoding: identity\r\n\r\n", SKUA_ERR_NOT_IMPLEMENTED},
    {"PUT / HTTP/1.1\r\n" H "Transfer-Encoding: xchunked\r\n\r\n", SKUA_ERR_NOT_IMPLEMENTED},
    {"PUT / HTTP/1.1\r\n" H "Transfer-Encoding: chunked;q=1\r\n\r\n", SKUA_ERR_NOT_IMPLEMENTED},
    {"PUT / HTTP/1.1\r\n" H "Transfer-Encoding: \"chunked\"\r\n\r\n", SKUA_ERR_NOT_IMPLEMENTED},
};

static void each_malformed_head_gets_its_code(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++)
        assert_int_equal(result_of(refusals[i].wire), refusals[i].err);
}

static void zero_bytes_are_refused_wherever_they_stand(void **state)
{
    static const char wire[] = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    struct skua__h1 h1;
    char text[sizeof(wire)];

    (void)state;
    for (size_t at = 0; at < sizeof(wire) - 1; at++) {
        memcpy(text, wire, sizeof(wire));
        text[at] = '\0';
        /* at once: no byte behind it is needed */
        assert_int_equal(read_head(&h1, text, at + 1), SKUA_ERR_BAD_INPUT);
        memcpy(text, wire, at);
        assert_int_equal(read_head(&h1, text, sizeof(wire) - 1), SKUA_ERR_BAD_INPUT);
    }
}

static void an_error_needs_no_more_than_its_own_line(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
        size_t len = strlen(refusals[i].wire);
        struct feed feed;

        feed_init(&feed, NULL);
        for (size_t at = 0; at < len && feed.result == SKUA__H1_MORE; at++)
            feed_bytes(&feed, refusals[i].wire + at, 1);
        assert_int_equal(feed.result, refusals[i].err);
        feed_finish(&feed);
    }
}

static void up_to_four_empty_lines_may_come_first(void **state)
{
    (void)state;
    assert_int_equal(result_of("\r\nGET / HTTP/1.1\r\n" H "\r\n"), SKUA__H1_END);
    assert_int_equal(result_of("\r\n\r\n\r\n\r\nGET / HTTP/1.1\r\n" H "\r\n"), SKUA__H1_END);
    assert_int_equal(result_of("\r\n\r\n\r\n\r\n\r\nGET / HTTP/1.1\r\n" H "\r\n"),
                     SKUA_ERR_BAD_INPUT);
}

static void odd_but_legal_heads_are_taken(void **state)
{
    static const char *const rows[] = {
        "GET / HTTP/1.1\r\nHost:a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: \t a \t\r\n\r\n",
        "GET / HTTP/1.0\r\n\r\n",
        "GET http://h/x HTTP/1.1\r\n" H "\r\n",
        "CONNECT a:443 HTTP/1.1\r\n" H "\r\n",
        "GET /#f HTTP/1.1\r\n" H "\r\n", /* skua__target_read refuses it */
        "PUT / HTTP/1.1\r\n" H "Content-Length: 000\r\n\r\n",
        "PUT / HTTP/1.1\r\n" H "Content-Length: 00000000000000000000000000000012\r\n\r\n",
        "PUT / HTTP/1.1\r\n" H "Content-Length: 9223372036854775807\r\n\r\n",
        "PUT / HTTP/1.1\r\n" H "Transfer-Encoding: CHUNKED \r\n\r\n",
        "GET / HTTP/1.1\r\n" H "X: \xc3\xa9\xff\r\n\r\n",
        "GET / HTTP/1.1\r\n" H "!#$%&'*+-.^_`|~1aZ: a\r\n\r\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_int_equal(result_of(rows[i]), SKUA__H1_END);
}

/* ---- upgrades ---- */

static void an_upgrade_needs_its_option_and_its_field_and_http_1_1(void **state)
{
    static const struct {
        const char *wire;
        bool upgrade;
    } rows[] = {
        {"GET / HTTP/1.1\r\n" H "Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n", true},
        {"GET / HTTP/1.1\r\n" H "Upgrade: a, b/2\r\nConnection: keep-alive, upgrade\r\n\r\n", true},
        {"POST / HTTP/1.1\r\n" H "Connection: upgrade\r\nUpgrade: x\r\nContent-Length: 1\r\n\r\n",
         true},
        {"GET / HTTP/1.1\r\n" H "Upgrade: websocket\r\n\r\n", false},
        {"GET / HTTP/1.1\r\n" H "Connection: upgrade\r\n\r\n", false},
        {"GET / HTTP/1.1\r\n" H "Connection: upgrade\r\nUpgrade:\r\n\r\n", false},
        {"GET / HTTP/1.1\r\n" H "Connection: upgrades\r\nUpgrade: websocket\r\n\r\n", false},
        {"GET / HTTP/1.0\r\n" H "Connection: upgrade\r\nUpgrade: websocket\r\n\r\n", false},
    };
    struct skua__h1 h1;

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char data[256];
        size_t len = strlen(rows[i].wire), used;

        assert_true(len < sizeof(data));
        memcpy(data, rows[i].wire, len);
        skua__h1_init(&h1, &skua__h1_default_limits);
        assert_int_equal(skua__h1_head(&h1, data, len, &used), SKUA__H1_END);
        assert_int_equal(h1.head.upgrade, rows[i].upgrade);
    }
}

static void nothing_behind_an_upgrade_is_touched(void **state)
{
    static const char wire[] = "GET / HTTP/1.1\r\n" H "Connection: upgrade\r\nUpgrade: x\r\n"
                               "Content-Length: 2\r\n\r\nokGET / HTTP/1.1\r\n\n\0";
    char data[sizeof(wire)];
    struct skua__h1 h1;
    skua_str piece;
    size_t head, used;

    (void)state;
    memcpy(data, wire, sizeof(wire));
    skua__h1_init(&h1, &skua__h1_default_limits);
    assert_int_equal(skua__h1_head(&h1, data, sizeof(data), &head), SKUA__H1_END);
    assert_int_equal(skua__h1_body(&h1, data + head, sizeof(data) - head, &used, &piece),
                     SKUA__H1_DATA);
    assert_int_equal(used, 2);
    assert_memory_equal(data + head, wire + head, sizeof(wire) - head);
    head += used;
    assert_int_equal(skua__h1_body(&h1, data + head, sizeof(data) - head, &used, &piece),
                     SKUA__H1_END);
    assert_int_equal(used, 0);
    assert_int_equal(skua__h1_head(&h1, data + head, sizeof(data) - head, &used), SKUA_ERR_STATE);
    assert_memory_equal(data + head, wire + head, sizeof(wire) - head);
}

/* ---- cuts ---- */

static void same_answer_wherever_the_bytes_are_cut(void **state)
{
    static const char *const rows[] = {
        "GET / HTTP/1.1\r\nHost: 127.0.0.1:3000\r\n\r\n",
        "\r\n\r\nGET /a?b HTTP/1.0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: \ta \r\nX:\r\nY: a \r\nContent-Length: 3\r\n\r\nabc",
        "GET /1 HTTP/1.1\r\n" H "\r\nPUT /2 HTTP/1.1\r\n" H "Content-Length: 2\r\n\r\nok"
        "\r\nGET /3 HTTP/1.1\r\n" H "\r\nGET /4 HTTP/1.1\r\n" H "Connection: close\r\n\r\nGET /5",
        "PUT / HTTP/1.1\r\n" H "Transfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n"
        "3;a=\"b\\\"c\"\r\nabc\r\nA\r\n0123456789\r\n0\r\nX: y\r\n\r\nGET / HTTP/1.1\r\n" H "\r\n",
        "GET / HTTP/1.1\r\n" H "\r\nGET / HTTP/1.1\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_same_at_every_cut(skua_str_c(rows[i]), NULL);
    for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++)
        assert_same_at_every_cut(skua_str_c(refusals[i].wire), NULL);
}

static void an_unfinished_line_is_not_searched_twice(void **state)
{
    static const char wire[] = "GET / HTTP/1.1\r\nHost: a\r\nX: 0123456789\r\n\r\n";
    char data[sizeof(wire)];
    struct skua__h1 h1;
    size_t used;

    (void)state;
    memcpy(data, wire, sizeof(wire));
    skua__h1_init(&h1, &skua__h1_default_limits);
    for (size_t len = 1; len < sizeof(wire) - 1; len++) {
        assert_int_equal(skua__h1_head(&h1, data, len, &used), SKUA__H1_MORE);
        /* a CR is looked at again, with what follows it */
        assert_int_equal(h1.seen, wire[len - 1] == '\r' ? len - 1 : len);
    }
    assert_int_equal(skua__h1_head(&h1, data, sizeof(wire) - 1, &used), SKUA__H1_END);
}

static void pipelined_requests_are_read_one_after_another(void **state)
{
    static const char wire[] = "GET /1 HTTP/1.1\r\n" H "\r\n"
                               "PUT /2 HTTP/1.1\r\n" H "Content-Length: 2\r\n\r\nok"
                               "GET /3 HTTP/1.1\r\n" H "Connection: close\r\n\r\n"
                               "GET /4 HTTP/1.1\r\n" H "\r\n";
    struct feed feed;

    (void)state;
    feed_init(&feed, NULL);
    feed_bytes(&feed, wire, sizeof(wire) - 1);
    assert_string_equal(skua__buf_str(&feed.transcript).ptr,
                        "GET(0) /1 1.1 keep length -1\nHost=[a]\nbody []\n"
                        "PUT(3) /2 1.1 keep length 2\nHost=[a]\nContent-Length=[2]\nbody [ok]\n"
                        "GET(0) /3 1.1 length -1\nHost=[a]\nConnection=[close]\nbody []\n");
    assert_int_equal(feed.len, 28); /* the fourth is left alone */
    feed_finish(&feed);
}

static void nothing_of_a_request_is_left_in_the_next(void **state)
{
    static const char first[] =
        "PUT /x HTTP/1.0\r\n" H "Content-Length: 0\r\nExpect: 100-continue\r\n"
        "Connection: keep-alive\r\n\r\n";
    static const char second[] = "BREW /y HTTP/1.1\r\n" H "\r\n";
    char data[sizeof(first) + sizeof(second)];
    struct skua__h1 h1;
    skua_str piece;
    size_t used;

    (void)state;
    skua__h1_init(&h1, &skua__h1_default_limits);
    memcpy(data, first, sizeof(first));
    assert_int_equal(skua__h1_head(&h1, data, sizeof(first) - 1, &used), SKUA__H1_END);
    assert_int_equal(skua__h1_body(&h1, data, 0, &used, &piece), SKUA__H1_END);
    skua__h1_next(&h1);
    memcpy(data, second, sizeof(second));
    assert_int_equal(skua__h1_head(&h1, data, sizeof(second) - 1, &used), SKUA__H1_END);
    assert_int_equal(h1.head.content_length, -1);
    assert_int_equal(h1.head.field_count, 1);
    assert_int_equal(h1.head.minor, 1);
    assert_true(h1.head.keep_alive);
    assert_null(skua__h1_field(&h1.head, SKUA__FIELD_CONTENT_LENGTH).ptr);
    assert_null(skua__h1_field(&h1.head, SKUA__FIELD_EXPECT).ptr);
}

static void an_error_keeps_what_was_read_before_it(void **state)
{
    char data[] = "POST /where HTTP/1.1\r\nHost: a\r\nX: y\r\nbroken\r\n";
    struct skua__h1 h1;
    size_t used;

    (void)state;
    skua__h1_init(&h1, &skua__h1_default_limits);
    assert_null(h1.head.target.ptr);
    assert_int_equal(skua__h1_head(&h1, data, sizeof(data) - 1, &used), SKUA_ERR_BAD_INPUT);
    assert_int_equal(h1.head.method, SKUA_POST);
    assert_string_equal(h1.head.target.ptr, "/where");
    assert_int_equal(h1.head.field_count, 2);
}

static void a_call_out_of_turn_is_refused(void **state)
{
    char good[] = "PUT / HTTP/1.1\r\n" H "Content-Length: 1\r\n\r\nx";
    char bad[] = "x\r\n";
    struct skua__h1 h1;
    skua_str piece;
    size_t used;

    (void)state;
    skua__h1_init(&h1, &skua__h1_default_limits);
    assert_int_equal(skua__h1_body(&h1, good, 1, &used, &piece), SKUA_ERR_STATE);
    assert_int_equal(skua__h1_head(&h1, good, sizeof(good) - 1, &used), SKUA__H1_END);
    assert_int_equal(skua__h1_head(&h1, good, sizeof(good) - 1, &used), SKUA_ERR_STATE);

    skua__h1_init(&h1, &skua__h1_default_limits);
    assert_int_equal(skua__h1_head(&h1, bad, 3, &used), SKUA_ERR_BAD_INPUT);
    assert_int_equal(skua__h1_head(&h1, bad, 3, &used), SKUA_ERR_STATE);
    assert_int_equal(skua__h1_body(&h1, bad, 3, &used, &piece), SKUA_ERR_STATE);
}

static void a_rebase_moves_every_slice(void **state)
{
    char old[] = "GET /t HTTP/1.1\r\nHost: a\r\nX: y\r\n\r\n", new[sizeof(old)];
    struct skua__h1 h1;
    size_t used;

    (void)state;
    skua__h1_init(&h1, &skua__h1_default_limits);
    skua__h1_rebase(&h1, old, new); /* nothing there yet */
    assert_null(h1.head.target.ptr);
    assert_int_equal(skua__h1_head(&h1, old, sizeof(old) - 3, &used), SKUA__H1_MORE);
    memcpy(new, old, sizeof(old));
    skua__h1_rebase(&h1, old, new);
    assert_int_equal(skua__h1_head(&h1, new, sizeof(old) - 1, &used), SKUA__H1_END);
    assert_ptr_equal(h1.head.method_text.ptr, new);
    assert_ptr_equal(h1.head.target.ptr, new + 4);
    assert_ptr_equal(h1.head.fields[0].name.ptr, new + 17);
    assert_ptr_equal(h1.head.fields[0].value.ptr, new + 23);
    assert_ptr_equal(h1.head.fields[1].value.ptr, new + 29);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_slice_points_at_its_bytes),
        cmocka_unit_test(fields_are_found_by_number_and_by_name),
        cmocka_unit_test(methods_are_tokens_known_or_not),
        cmocka_unit_test(the_peer_may_go_on_or_not),
        cmocka_unit_test(only_a_1_1_peer_waits_for_100_continue),
        cmocka_unit_test(each_malformed_head_gets_its_code),
        cmocka_unit_test(zero_bytes_are_refused_wherever_they_stand),
        cmocka_unit_test(an_error_needs_no_more_than_its_own_line),
        cmocka_unit_test(up_to_four_empty_lines_may_come_first),
        cmocka_unit_test(odd_but_legal_heads_are_taken),
        cmocka_unit_test(an_upgrade_needs_its_option_and_its_field_and_http_1_1),
        cmocka_unit_test(nothing_behind_an_upgrade_is_touched),
        cmocka_unit_test(same_answer_wherever_the_bytes_are_cut),
        cmocka_unit_test(an_unfinished_line_is_not_searched_twice),
        cmocka_unit_test(pipelined_requests_are_read_one_after_another),
        cmocka_unit_test(nothing_of_a_request_is_left_in_the_next),
        cmocka_unit_test(an_error_keeps_what_was_read_before_it),
        cmocka_unit_test(a_call_out_of_turn_is_refused),
        cmocka_unit_test(a_rebase_moves_every_slice),
    };

    return cmocka_run_group_tests_name("h1 head", tests, NULL, NULL);
}
