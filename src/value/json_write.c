/* SPDX-License-Identifier: MIT */
/*
 * json_write.c - values to JSON text (RFC 8259)
 *
 * The open containers stand on a stack of frames, each with its place in the container:
 *
 *   begin scalar:     text
 *   begin container:  bracket, push       next item: comma, key, begin       no item: pop, bracket
 *
 * The depth is bounded, so a value that holds itself ends in an error, and the frames, 16 KiB, fit
 * on any stack. Only the buffer is written; when it has failed the work ends. The text is always
 * valid JSON in valid UTF-8, whatever bytes the strings hold.
 */
#include "value/json.h"

#include "base/utf8.h"
#include "value/decimal.h"
#include "value/value.h"

#include <math.h>
#include <skua/err.h>

/* ---- strings ---- */

static void put_utf8(struct skua__buf *out, skua_str text)
{
    for (;;) {
        size_t valid = skua__utf8_valid(text);

        skua__buf_put(out, text.ptr, valid);
        if (valid == text.len)
            return;
        skua__buf_put_literal(out, "\xef\xbf\xbd");
        text = skua_str_of(text.ptr + valid + 1, text.len - valid - 1);
    }
}

static void put_escape(struct skua__buf *out, char c)
{
    static const char digits[] = "0123456789abcdef";
    static const char letters[] = {['"'] = '"',  ['\\'] = '\\', ['\b'] = 'b', ['\f'] = 'f',
                                   ['\n'] = 'n', ['\r'] = 'r',  ['\t'] = 't'};
    unsigned byte = (unsigned char)c;

    if (letters[byte] != 0) {
        skua__buf_put(out, (char[]){'\\', letters[byte]}, 2);
    } else {
        skua__buf_put_literal(out, "\\u00");
        skua__buf_put(out, (char[]){digits[byte >> 4], digits[byte & 15]}, 2);
    }
}

/* Up to seven bytes as a word, zero behind them; overlapping loads instead of a loop. */
static uint64_t load_few(const char *text, size_t len)
{
    uint32_t first, last;
    uint64_t word = 0;

    if (len >= sizeof(first)) {
        memcpy(&first, text, sizeof(first));
        memcpy(&last, text + len - sizeof(last), sizeof(last));
        return first | (uint64_t)last << 8 * (len - sizeof(last));
    }
    for (size_t i = 0; i < len; i++)
        word |= (uint64_t)(unsigned char)text[i] << 8 * i;
    return word;
}

/* The first bytes of the text as a chunk, zero behind the end. */
static skua__json_chunk load_chunk(skua_str text)
{
    skua__json_words words = {0, 0};
    uint64_t first;

    if (text.len >= sizeof(words)) {
        memcpy(&words, text.ptr, sizeof(words));
    } else if (text.len >= sizeof(first)) {
        memcpy(&first, text.ptr, sizeof(first));
        words[0] = first;
        words[1] = load_few(text.ptr + sizeof(first), text.len - sizeof(first));
    } else {
        words[0] = load_few(text.ptr, text.len);
    }
    return (skua__json_chunk)words;
}

/* Put the text up to the first byte that needs a second look; returns how many bytes that were. */
static size_t put_plain(struct skua__buf *out, skua_str text)
{
    size_t taken = 0, plain;
    char *to;

    if (!skua__buf_reserve(out, text.len + SKUA__JSON_CHUNK))
        return text.len;
    to = out->ptr + out->len;
    do {
        skua__json_chunk chunk = load_chunk(skua_str_of(text.ptr + taken, text.len - taken));

        memcpy(to + taken, &chunk, sizeof(chunk));
        plain = skua__json_plain(chunk);
        taken += plain;
    } while (plain == SKUA__JSON_CHUNK);
    out->len += taken;
    return taken;
}

/* Put the bytes that are not ASCII, or else one escape; returns how many bytes of the text. */
static size_t put_special(struct skua__buf *out, skua_str text)
{
    size_t high = skua__json_high(text);

    if (high == 0) {
        put_escape(out, text.ptr[0]);
        return 1;
    }
    put_utf8(out, skua_str_of(text.ptr, high));
    return high;
}

void skua__json_append_string(struct skua__buf *out, skua_str text)
{
    size_t at = 0;

    if (text.len == 0)
        text.ptr = ""; /* not NULL, which nothing may be added to */
    skua__buf_put_char(out, '"');
    for (;;) {
        at += put_plain(out, skua_str_of(text.ptr + at, text.len - at));
        if (at == text.len)
            break;
        at += put_special(out, skua_str_of(text.ptr + at, text.len - at));
    }
    skua__buf_put_char(out, '"');
}

/* Base64 (RFC 4648, section 4), with padding. */
static void put_bytes(struct skua__buf *out, skua_str bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *in = (const unsigned char *)bytes.ptr;

    skua__buf_put_char(out, '"');
    for (size_t left = bytes.len; left > 0; left -= left < 3 ? left : 3, in += 3) {
        unsigned group = (unsigned)in[0] << 16;
        char text[4] = {'=', '=', '=', '='};

        if (left > 1)
            group |= (unsigned)in[1] << 8;
        if (left > 2)
            group |= in[2];
        for (size_t i = 0; i < 4 && i <= left; i++)
            text[i] = digits[group >> (18 - 6 * i) & 63];
        skua__buf_put(out, text, sizeof(text));
    }
    skua__buf_put_char(out, '"');
}

/* ---- values ---- */

struct frame {
    struct skua__cursor cursor;
    uint32_t width;
    bool begun; /* an item has been written */
};

struct writer {
    struct skua__buf *out;
    size_t depth; /* open frames */
    struct frame frames[SKUA__MAX_DEPTH];
};

static void put_double(struct skua__buf *out, double number)
{
    if (!isfinite(number))
        skua__buf_put_literal(out, "null");
    else if (skua__buf_reserve(out, SKUA__DECIMAL_TEXT))
        out->len += skua__decimal_text(out->ptr + out->len, number);
}

static int open_container(struct writer *writer, const struct skua__container *container)
{
    if (writer->depth == SKUA__MAX_DEPTH)
        return SKUA_ERR_TOO_DEEP;
    skua__buf_put_char(writer->out, container->width == 2 ? '{' : '[');
    writer->frames[writer->depth++] =
        (struct frame){.cursor = skua__cursor_of(container), .width = container->width};
    return 0;
}

static void close_container(struct writer *writer)
{
    writer->depth--;
    skua__buf_put_char(writer->out, writer->frames[writer->depth].width == 2 ? '}' : ']');
}

/* Write a scalar, or the beginning of a container. `value` is resolved. */
static int begin_value(struct writer *writer, const skua_value *value)
{
    struct skua__buf *out = writer->out;

    switch (skua__kind(value)) {
    case SKUA_BOOL:
        skua__buf_put_str(out, value->as.integer != 0 ? SKUA_STR("true") : SKUA_STR("false"));
        return 0;
    case SKUA_INT:
        skua__buf_put_int(out, value->as.integer);
        return 0;
    case SKUA_DOUBLE:
        put_double(out, value->as.number);
        return 0;
    case SKUA_STRING:
    case SKUA_SAFE:
        skua__json_append_string(out, skua__text(value));
        return 0;
    case SKUA_BYTES:
        put_bytes(out, skua__text(value));
        return 0;
    case SKUA_ARRAY:
    case SKUA_OBJECT:
        return open_container(writer, value->as.container);
    default:
        skua__buf_put_literal(out, "null");
        return 0;
    }
}

static bool is_left_out(const skua_value *value)
{
    return skua__kind(value) == SKUA_UNDEFINED || skua__kind(value) == SKUA_CALLABLE;
}

/* Write an item's comma and key and begin its value. */
static int begin_item(struct writer *writer, struct frame *frame, const skua_value *item)
{
    const skua_value *value = skua__resolve(item + (frame->width - 1));

    if (frame->width == 2 && is_left_out(value))
        return 0;
    if (frame->begun)
        skua__buf_put_char(writer->out, ',');
    frame->begun = true;
    if (frame->width == 2) {
        skua__json_append_string(writer->out, skua__text(item));
        skua__buf_put_char(writer->out, ':');
    }
    return begin_value(writer, value);
}

int skua__json_append(struct skua__buf *out, const skua_value *value)
{
    struct writer writer;
    int err;

    writer.out = out;
    writer.depth = 0;
    err = begin_value(&writer, skua__resolve(value));
    while (err == 0 && writer.depth > 0 && !out->failed) {
        struct frame *frame = &writer.frames[writer.depth - 1];
        const skua_value *item = skua__cursor_next(&frame->cursor, frame->width);

        if (item == NULL)
            close_container(&writer);
        else
            err = begin_item(&writer, frame, item);
    }
    return out->failed ? SKUA_ERR_NOMEM : err;
}

int skua_json_write(skua_str *out, skua_arena *arena, const skua_value *value)
{
    struct skua__buf buf;
    int err;

    *out = SKUA_STR("");
    if (arena == NULL)
        return SKUA_ERR_NOMEM;
    skua__buf_init(&buf, arena);
    err = skua__json_append(&buf, value);
    if (err == 0)
        *out = skua__buf_str(&buf);
    return buf.failed ? SKUA_ERR_NOMEM : err;
}
