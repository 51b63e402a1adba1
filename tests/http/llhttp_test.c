/* SPDX-License-Identifier: MIT */
/*
 * llhttp_test.c - the request rows of llhttp's own tests, played to the codec
 *
 * Each row is fed whole, cut in two at every byte, and byte by byte; all transcripts must agree.
 * Then it is judged. How a row is read where llhttp and this codec differ in kind:
 *
 *   - llhttp does not ask for a Host. Where a message on HTTP/1.1 has none, "Host: h" is put in
 *     behind its request line and expected as its first field, so that no row is refused (or
 *     passes as refused) only for the missing Host.
 *   - White space round values is not part of them here, so it is trimmed off the expected ones.
 *   - The codec reads whole lines. A row that must be refused and ends inside a line of a head is
 *     completed with CR LF.
 *   - After a message with keep_alive false the codec is not asked for another, so bytes behind it
 *     count as refused (llhttp: CLOSED_CONNECTION).
 *   - A method that llhttp refuses as INVALID_METHOD passes as SKUA_METHOD_UNKNOWN, which is
 *     answered with 501.
 *   - Upgrades are not the codec's: a row is cut where llhttp hands over to the other protocol.
 *   - Chunk sizes, extensions and trailers are checked and dropped by the codec, so they are not
 *     compared; of flags, the ones about keeping the connection and about upgrades are.
 *   - Rows of llhttp's lenient modes must be refused.
 *
 * Rows that still differ are in llhttp_exceptions.txt with the reason; one of them that starts to
 * pass, or names no row, fails the run.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "h1_feed.h"
#include "http/method.h"
#include "text/scan.h"

#include "conformance.h"

#define EXCEPTIONS SKUA_SOURCE_DIR "/tests/http/llhttp_exceptions.txt"

enum { STRICT_ROWS = 137, LENIENT_ROWS = 29, EXCEPTION_ROWS = 10 };

/* ---- reading a row ---- */

static skua_str member(const skua_value *object, const char *key)
{
    return skua_as_str(skua_get_value(object, key));
}

static bool has_flag(const skua_value *message, const char *flag)
{
    const skua_value *flags = skua_get_value(message, "flags");

    for (size_t i = 0; i < skua_count(flags); i++) {
        if (skua_str_eq(skua_as_str(skua_at(flags, i)), skua_str_c(flag)))
            return true;
    }
    return false;
}

static unsigned sextet(char c)
{
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = strchr(alphabet, c);

    assert_non_null(found);
    return (unsigned)(found - alphabet);
}

static void put_base64(struct skua__buf *out, skua_str text)
{
    unsigned bits = 0, count = 0;

    for (size_t i = 0; i < text.len && text.ptr[i] != '='; i++) {
        bits = bits << 6 | sextet(text.ptr[i]);
        count += 6;
        if (count < 8)
            continue;
        count -= 8;
        skua__buf_put_char(out, (char)(bits >> count));
    }
}

/* A string, which is {"b64": ...} when it is not ASCII. */
static void put_text(struct skua__buf *out, const skua_value *value)
{
    if (skua_kind_of(value) == SKUA_OBJECT)
        put_base64(out, member(value, "b64"));
    else
        skua__buf_put_str(out, skua_as_str(value));
}

/* Where `needle` is in `text`, at `from` or behind it and in any case; text.len when nowhere. */
static size_t find(skua_str text, size_t from, skua_str needle)
{
    for (; from + needle.len <= text.len; from++) {
        if (skua__equal_nocase(skua_str_of(text.ptr + from, needle.len), needle))
            return from;
    }
    return text.len;
}

/* ---- making Host right ---- */

#define HOST "Host: h\r\n"

/* Where a Host has to go in for the message that starts at `start`; 0 when it needs none. */
static size_t place_for_host(skua_str raw, size_t start)
{
    const skua_str version = SKUA_STR(" HTTP/1.1\r\n");
    size_t line, head;

    while (start < raw.len && (raw.ptr[start] == '\r' || raw.ptr[start] == '\n'))
        start++;
    line = find(raw, start, SKUA_STR("\r\n")) + 2;
    if (line > raw.len || line < start + version.len ||
        find(raw, line - version.len, version) != line - version.len)
        return 0;
    head = find(raw, line - 2, SKUA_STR("\r\n\r\n"));
    return find(skua_str_of(raw.ptr, head), line - 1, SKUA_STR("\nHost:")) == head ? line : 0;
}

/* The bytes to feed, and for up to 8 messages whether a Host was put in. */
static void put_wire(struct skua__buf *out, const skua_value *row, skua_str raw, bool added[8])
{
    const skua_value *messages = skua_get_value(row, "messages");
    size_t from = 0, start = 0;

    for (size_t i = 0; i < 8; i++) {
        size_t place = i < skua_count(messages) ? place_for_host(raw, start) : 0;
        const skua_value *end = skua_get_value(skua_at(messages, i), "end");

        added[i] = place != 0;
        if (added[i]) {
            skua__buf_put(out, raw.ptr + from, place - from);
            skua__buf_put_literal(out, HOST);
            from = place;
        }
        start = (size_t)skua_as_int(end, (int64_t)raw.len);
    }
    skua__buf_put(out, raw.ptr + from, raw.len - from);
}

/* ---- what the transcript should be ---- */

static void put_fields(struct skua__buf *out, const skua_value *headers)
{
    for (size_t i = 0; i < skua_count(headers); i++) {
        struct skua__buf value;
        skua_str text;

        skua__buf_init(&value, NULL);
        put_text(&value, skua_at(skua_at(headers, i), 1));
        text = skua__buf_str(&value);
        while (text.len > 0 && skua__char_is_blank(text.ptr[text.len - 1]))
            text.len--;
        put_text(out, skua_at(skua_at(headers, i), 0));
        skua__buf_put_literal(out, "=[");
        skua__buf_put_str(out, text);
        skua__buf_put_literal(out, "]\n");
        skua__buf_finish(&value);
    }
}

static void put_head(struct skua__buf *out, const skua_value *message, bool host)
{
    int64_t minor = skua_as_int(skua_at(skua_get_value(message, "http"), 1), -1);
    bool keep = !has_flag(message, "connection_close") &&
                (minor == 1 || has_flag(message, "connection_keep_alive"));
    bool upgrade =
        minor == 1 && has_flag(message, "connection_upgrade") && has_flag(message, "upgrade");
    skua_str method = member(message, "method");

    skua__buf_put_str(out, method);
    skua__buf_printf(out, "(%d) ", (int)skua__method_read(method));
    put_text(out, skua_get_value(message, "url"));
    skua__buf_printf(out, " 1.%d%s%s%s length %d\n", (int)minor, keep ? " keep" : "",
                     has_flag(message, "chunked") ? " chunked" : "", upgrade ? " upgrade" : "",
                     (int)skua_as_int(skua_get_value(message, "content_length"), -1));
    if (host)
        skua__buf_put_literal(out, "Host=[h]\n");
    put_fields(out, skua_get_value(message, "headers"));
}

/* The transcript of all messages; `partial` gets the body of one that is not complete. */
static void put_expected(struct skua__buf *out, struct skua__buf *partial, const skua_value *row,
                         const bool hosts[8], bool complete_only)
{
    const skua_value *messages = skua_get_value(row, "messages");

    for (size_t i = 0; i < skua_count(messages); i++) {
        const skua_value *message = skua_at(messages, i);
        bool complete = skua_as_bool(skua_get_value(message, "complete"), false);

        if (!skua_as_bool(skua_get_value(message, "headers_complete"), false) ||
            (complete_only && !complete))
            return;
        put_head(out, message, hosts[i]);
        if (!complete) {
            put_base64(partial, member(message, "body_b64"));
            return;
        }
        skua__buf_put_literal(out, "body [");
        put_base64(out, member(message, "body_b64"));
        skua__buf_put_literal(out, "]\n");
    }
}

/* ---- judging ---- */

static bool starts_with(skua_str text, skua_str start)
{
    return text.len >= start.len && skua_str_eq(skua_str_of(text.ptr, start.len), start);
}

/* Whether the one message that was read has a method that is in no table. */
static bool has_unknown_method(struct feed *feed)
{
    skua_str text = skua__buf_str(&feed->transcript);
    char number[8];

    snprintf(number, sizeof(number), "(%d) ", (int)SKUA_METHOD_UNKNOWN);
    return feed->messages == 1 && find(text, 0, skua_str_c(number)) < find(text, 0, SKUA_STR(" "));
}

static bool is_refused(struct feed *feed, const skua_value *error)
{
    if (feed->result == SKUA__H1_MORE && !feed->in_body && feed->len > 0 &&
        feed->data[feed->len - 1] != '\n')
        feed_bytes(feed, "\r\n", 2);
    if (feed->result == SKUA__H1_END)
        return feed->len > 0;
    if (feed->result < 0)
        return true;
    return skua_str_eq(member(error, "name"), SKUA_STR("INVALID_METHOD")) &&
           has_unknown_method(feed);
}

/* What llhttp_finish says: 0 between two messages, 2 inside of one. */
static bool finish_agrees(const struct feed *feed, const skua_value *finish)
{
    bool inside = feed->in_body || feed->len > 0;

    return finish == NULL || (skua_as_int(finish, -1) == 2) == inside;
}

static bool judge(struct feed *feed, const skua_value *row, const bool hosts[8])
{
    const skua_value *error = skua_get_value(row, "error");
    struct skua__buf expected, partial;
    bool pass;

    skua__buf_init(&expected, NULL);
    skua__buf_init(&partial, NULL);
    put_expected(&expected, &partial, row, hosts, error != NULL);
    if (error != NULL)
        pass = is_refused(feed, error) &&
               starts_with(skua__buf_str(&feed->transcript), skua__buf_str(&expected));
    else
        pass = feed->result >= 0 &&
               skua_str_eq(skua__buf_str(&feed->transcript), skua__buf_str(&expected)) &&
               skua_str_eq(skua__buf_str(&feed->body), skua__buf_str(&partial)) &&
               finish_agrees(feed, skua_get_value(row, "finish"));
    skua__buf_finish(&expected);
    skua__buf_finish(&partial);
    return pass;
}

static bool is_strict(const skua_value *row)
{
    skua_str type = member(row, "type");

    return skua_str_eq(type, SKUA_STR("request")) || skua_str_eq(type, SKUA_STR("request-finish"));
}

static bool row_passes(const skua_value *row)
{
    const skua_value *upgrade = skua_get_value(row, "upgrade");
    struct skua__buf raw, wire;
    struct feed feed;
    bool hosts[8], pass;

    skua__buf_init(&raw, NULL);
    skua__buf_init(&wire, NULL);
    put_base64(&raw, member(row, "raw_b64"));
    if (is_strict(row) && upgrade != NULL)
        raw.len = (size_t)skua_as_int(skua_get_value(upgrade, "off"), 0);
    put_wire(&wire, row, skua__buf_str(&raw), hosts);
    assert_same_at_every_cut(skua__buf_str(&wire), NULL);

    feed_init(&feed, NULL);
    feed_bytes(&feed, wire.ptr, wire.len);
    pass = is_strict(row) ? judge(&feed, row, hosts) : is_refused(&feed, NULL);
    feed_finish(&feed);
    skua__buf_finish(&raw);
    skua__buf_finish(&wire);
    return pass;
}

/* ---- the run ---- */

/* Lines of "name<TAB>reason"; '#' begins a comment. */
static bool is_excepted(skua_str list, skua_str name)
{
    size_t at = 0;

    while (at < list.len) {
        const char *end = memchr(list.ptr + at, '\n', list.len - at);
        skua_str line =
            skua_str_of(list.ptr + at, end != NULL ? (size_t)(end - list.ptr) - at : list.len - at);

        if (starts_with(line, name) && line.len > name.len + 1 && line.ptr[name.len] == '\t')
            return true;
        at += line.len + 1;
    }
    return false;
}

static size_t count_exceptions(skua_str list)
{
    size_t count = 0;

    for (size_t at = 0; at < list.len; at++)
        count +=
            list.ptr[at] != '#' && list.ptr[at] != '\n' && (at == 0 || list.ptr[at - 1] == '\n');
    return count;
}

static void the_suite_agrees(void **state)
{
    size_t strict = 0, lenient = 0, passed = 0, excepted = 0, wrong = 0, len = 0;
    const skua_value *row;
    struct rows rows;
    char *text;

    (void)state;
    rows_open(&rows, CONFORMANCE "http1-llhttp/request.jsonl");
    text = read_file(EXCEPTIONS, &len);
    assert_non_null(text);
    while ((row = rows_next(&rows)) != NULL) {
        skua_str name = member(row, "name");
        bool exception = is_excepted(skua_str_of(text, len), name);
        bool pass = row_passes(row);

        strict += is_strict(row);
        lenient += !is_strict(row);
        passed += pass;
        excepted += exception;
        if (pass != exception)
            continue;
        printf("%s: %s\n", pass ? "passes, but is an exception" : "fails", name.ptr);
        wrong++;
    }
    printf("llhttp: %zu/%zu, of these %zu strict and %zu lenient rows; %zu exceptions\n", passed,
           strict + lenient, strict, lenient, excepted);
    assert_int_equal(wrong, 0);
    assert_int_equal(count_exceptions(skua_str_of(text, len)), excepted);
    assert_int_equal(strict, STRICT_ROWS);
    assert_int_equal(lenient, LENIENT_ROWS);
    assert_int_equal(excepted, EXCEPTION_ROWS);
    rows_close(&rows);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_suite_agrees),
    };

    return cmocka_run_group_tests_name("llhttp", tests, NULL, NULL);
}
