/* SPDX-License-Identifier: MIT */
/*
 * h1_write.c - writer of HTTP/1 reply heads and chunks (RFC 9112, 4 to 7)
 *
 *   status line, date, the caller's fields, content-length or transfer-encoding, connection, CR LF
 *
 * The size is summed up first, room is reserved once, and then everything is copied without another
 * check: no printf, no growing in between. Names and values are copied as they are; whoever takes
 * them from an application has refused CR, LF and NUL before (skua__field_value_valid).
 *
 * Memory belongs to the buffer; running out of it is sticky there.
 */
#include "http/h1.h"

#include "http/status.h"

#define STATUS_ROOM sizeof("HTTP/1.1 999 Unknown\r\n")
#define NUMBER_ROOM 20 /* decimal digits of 2^64 - 1 */
#define FRAME_ROOM  sizeof("transfer-encoding: chunked\r\nconnection: keep-alive\r\n\r\n")
#define HEX_ROOM    16

static char *put(char *at, skua_str text)
{
    memcpy(at, text.ptr, text.len);
    return at + text.len;
}

#define put_literal(at, literal) put(at, SKUA_STR(literal))

static char *put_number(char *at, uint64_t number)
{
    char digits[NUMBER_ROOM];
    size_t start = sizeof(digits);

    do {
        digits[--start] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    return put(at, skua_str_of(digits + start, sizeof(digits) - start));
}

static char *put_field(char *at, skua_str name, skua_str value)
{
    at = put(at, name);
    at = put_literal(at, ": ");
    if (value.len > 0)
        at = put(at, value);
    return put_literal(at, "\r\n");
}

static char *put_status(char *at, int status)
{
    skua_str line = skua__status_line(status);

    if (line.len > 0)
        return put(at, line);
    at = put_literal(at, "HTTP/1.1 ");
    at = put_number(at, (uint64_t)status);
    return put_literal(at, " Unknown\r\n");
}

static char *put_framing(char *at, const struct skua__h1_reply *reply)
{
    switch (reply->framing) {
    case SKUA__H1_LENGTH:
        at = put_literal(at, "content-length: ");
        at = put_number(at, reply->length);
        return put_literal(at, "\r\n");
    case SKUA__H1_CHUNKED:
        return put_literal(at, "transfer-encoding: chunked\r\n");
    case SKUA__H1_CLOSE:
    case SKUA__H1_NONE:
        break;
    }
    return at;
}

static char *put_connection(char *at, const struct skua__h1_reply *reply)
{
    if (!reply->keep_alive || reply->framing == SKUA__H1_CLOSE)
        return put_literal(at, "connection: close\r\n");
    if (reply->minor == 0)
        return put_literal(at, "connection: keep-alive\r\n");
    return at;
}

/* At least the bytes that the head takes. */
static size_t head_size(const struct skua__h1_reply *reply, const struct skua__field *fields,
                        size_t count)
{
    size_t line = skua__status_line(reply->status).len;
    size_t size = (line > 0 ? line : STATUS_ROOM) + reply->date.len + sizeof("date: \r\n") +
                  FRAME_ROOM + NUMBER_ROOM;

    for (size_t i = 0; i < count; i++)
        size += fields[i].name.len + fields[i].value.len + sizeof(": \r\n");
    return size;
}

void skua__h1_write_head(struct skua__buf *out, const struct skua__h1_reply *reply,
                         const struct skua__field *fields, size_t count)
{
    char *at;

    if (!skua__buf_reserve(out, head_size(reply, fields, count)))
        return;
    at = put_status(out->ptr + out->len, reply->status);
    if (reply->date.len > 0)
        at = put_field(at, SKUA_STR("date"), reply->date);
    for (size_t i = 0; i < count; i++)
        at = put_field(at, fields[i].name, fields[i].value);
    at = put_framing(at, reply);
    at = put_connection(at, reply);
    at = put_literal(at, "\r\n");
    out->len = (size_t)(at - out->ptr);
}

void skua__h1_write_chunk(struct skua__buf *out, skua_str data)
{
    static const char hex[] = "0123456789abcdef";
    char digits[HEX_ROOM];
    size_t start = sizeof(digits);
    char *at;

    if (data.len == 0 || !skua__buf_reserve(out, HEX_ROOM + data.len + sizeof("\r\n\r\n")))
        return;
    for (size_t left = data.len; left > 0; left >>= 4)
        digits[--start] = hex[left & 15];
    at = put(out->ptr + out->len, skua_str_of(digits + start, sizeof(digits) - start));
    at = put_literal(at, "\r\n");
    at = put(at, data);
    at = put_literal(at, "\r\n");
    out->len = (size_t)(at - out->ptr);
}

void skua__h1_write_last_chunk(struct skua__buf *out)
{
    skua__buf_put_literal(out, "0\r\n\r\n");
}
