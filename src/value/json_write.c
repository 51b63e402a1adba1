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
 * on any stack. The text is always valid JSON in valid UTF-8, whatever bytes the strings hold.
 *
 * The buffer is not asked for room byte by byte. Each item makes sure of ROOM bytes, enough for all
 * of it that is not text; a string makes sure of its own length and of ROOM again:
 *
 *   , " k e y " : " t e x t "  ................ ROOM ................
 *   |   |           `- 4 + 2 + ROOM
 *   |   `- 3 + 2 + ROOM
 *   `- ROOM
 */
#include "value/json.h"

#include "base/digits.h"
#include "base/utf8.h"
#include "value/decimal.h"
#include "value/value.h"

#include <math.h>
#include <skua/err.h>

#define ROOM ((size_t)64)

/* Comma, colon, bracket, a number; and a chunk, since copying writes more than it takes. */
_Static_assert(ROOM >= 3 + SKUA__DECIMAL_TEXT + SKUA__JSON_CHUNK, "an item without its texts fits");

struct frame {
    struct skua__cursor cursor;
    uint32_t width;
    bool begun; /* an item has been written */
};

struct writer {
    struct skua__buf *out; /* its len is set when the buffer grows, and at the end */
    const char *limit;     /* the end of the buffer */
    int err;
    size_t depth; /* open frames */
    struct frame frames[SKUA__MAX_DEPTH];
};

/* Every step takes the place where it writes and returns the one behind, or NULL when it fails. */

static char *fail(struct writer *writer, const char *to, int err)
{
    writer->out->len = (size_t)(to - writer->out->ptr);
    writer->err = err;
    return NULL;
}

static char *grow(struct writer *writer, char *to, size_t more)
{
    struct skua__buf *out = writer->out;

    out->len = (size_t)(to - out->ptr);
    if (!skua__buf_grow(out, more))
        return fail(writer, to, SKUA_ERR_NOMEM);
    writer->limit = out->ptr + out->cap;
    return out->ptr + out->len;
}

/* Make sure of `more` bytes, and of ROOM behind them. */
static inline char *make_room(struct writer *writer, char *to, size_t more)
{
    more += ROOM;
    return (size_t)(writer->limit - to) >= more ? to : grow(writer, to, more);
}

static inline char *put(char *to, const char *text, size_t len)
{
    memcpy(to, text, len);
    return to + len;
}

#define put_literal(to, literal) put(to, "" literal "", sizeof(literal) - 1)

/* ---- strings ---- */

static bool is_plain(char c)
{
    return (signed char)c >= ' ' && c != '"' && c != '\\';
}

/* Copy a chunk; a bit for each byte that cannot stand in a string as it is. */
static inline unsigned copy_chunk(char *to, const char *from)
{
    skua__json_chunk chunk;

    memcpy(&chunk, from, sizeof(chunk));
    memcpy(to, &chunk, sizeof(chunk));
    return skua__json_special(chunk);
}

/* Copy less than a chunk, as two words that may overlap; whether all of it can stand as it is. */
static inline bool copy_few(char *to, skua_str text)
{
    const uint64_t blanks = 0x2020202020202020u;
    uint64_t first, last;
    uint32_t low, high;

    if (text.len >= sizeof(first)) {
        memcpy(&first, text.ptr, sizeof(first));
        memcpy(&last, text.ptr + text.len - sizeof(last), sizeof(last));
        memcpy(to, &first, sizeof(first));
        memcpy(to + text.len - sizeof(last), &last, sizeof(last));
        return skua__json_special((skua__json_chunk)(skua__json_words){first, last}) == 0;
    }
    if (text.len >= sizeof(low)) {
        memcpy(&low, text.ptr, sizeof(low));
        memcpy(&high, text.ptr + text.len - sizeof(high), sizeof(high));
        memcpy(to, &low, sizeof(low));
        memcpy(to + text.len - sizeof(high), &high, sizeof(high));
        first = low | (uint64_t)high << 32;
        return skua__json_special((skua__json_chunk)(skua__json_words){first, blanks}) == 0;
    }
    for (size_t at = 0; at < text.len; at++) {
        to[at] = text.ptr[at];
        if (!is_plain(text.ptr[at]))
            return false;
    }
    return true;
}

/* Copy up to the first byte that needs a second look; returns how many bytes those are. */
static inline size_t copy_plain(char *to, skua_str text)
{
    const size_t size = SKUA__JSON_CHUNK;
    unsigned special = 0;
    size_t at = 0;

    if (text.len < size) {
        if (copy_few(to, text))
            return text.len;
        while (is_plain(text.ptr[at]))
            at++;
        return at;
    }
    for (; at < text.len && special == 0; at += size) {
        at = at + size <= text.len ? at : text.len - size; /* the last chunk overlaps */
        special = copy_chunk(to + at, text.ptr + at);
    }
    return special == 0 ? text.len : at - size + (size_t)__builtin_ctz(special);
}

static char *put_escape(char *to, char c)
{
    static const char digits[] = "0123456789abcdef";
    static const char letters[] = {['"'] = '"',  ['\\'] = '\\', ['\b'] = 'b', ['\f'] = 'f',
                                   ['\n'] = 'n', ['\r'] = 'r',  ['\t'] = 't'};
    unsigned byte = (unsigned char)c;

    if (letters[byte] != 0)
        return put(to, (char[]){'\\', letters[byte]}, 2);
    to = put_literal(to, "\\u00");
    return put(to, (char[]){digits[byte >> 4], digits[byte & 15]}, 2);
}

/*
 * Put what begins with a byte that is not plain, and take it off the text: all UTF-8 that there is,
 * or else one byte, which then takes up to six. There is room for the whole text.
 */
static char *put_special(struct writer *writer, char *to, skua_str *text)
{
    size_t high = skua__json_high(*text);
    size_t taken = skua__utf8_valid(skua_str_of(text->ptr, high));

    if (taken > 0) {
        to = put(to, text->ptr, taken);
    } else {
        to = make_room(writer, to, text->len + 6);
        if (to == NULL)
            return NULL;
        to = high > 0 ? put_literal(to, "\xef\xbf\xbd") : put_escape(to, text->ptr[0]);
        taken = 1;
    }
    *text = skua_str_of(text->ptr + taken, text->len - taken);
    return to;
}

static char *put_string(struct writer *writer, char *to, skua_str text)
{
    to = make_room(writer, to, text.len + 2);
    if (to == NULL)
        return NULL;
    *to++ = '"';
    for (;;) {
        size_t plain = copy_plain(to, text);

        to += plain;
        if (plain == text.len)
            break;
        text = skua_str_of(text.ptr + plain, text.len - plain);
        to = put_special(writer, to, &text);
        if (to == NULL)
            return NULL;
    }
    *to++ = '"';
    return to;
}

/* Base64 (RFC 4648, section 4), with padding. */
static char *put_bytes(struct writer *writer, char *to, skua_str bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *in = (const unsigned char *)bytes.ptr;

    to = make_room(writer, to, (bytes.len / 3 + 1) * 4 + 2);
    if (to == NULL)
        return NULL;
    *to++ = '"';
    for (size_t left = bytes.len; left > 0; left -= left < 3 ? left : 3, in += 3) {
        unsigned group = (unsigned)in[0] << 16;
        char text[4] = {'=', '=', '=', '='};

        if (left > 1)
            group |= (unsigned)in[1] << 8;
        if (left > 2)
            group |= in[2];
        for (size_t i = 0; i < 4 && i <= left; i++)
            text[i] = digits[group >> (18 - 6 * i) & 63];
        to = put(to, text, sizeof(text));
    }
    *to++ = '"';
    return to;
}

static char *put_numeral(struct writer *writer, char *to, skua_str text)
{
    to = make_room(writer, to, text.len);
    return to != NULL ? put(to, text.ptr, text.len) : NULL;
}

/* ---- values ---- */

static char *put_int(char *to, int64_t number)
{
    uint64_t size = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;

    *to = '-';
    to += number < 0;
    return to + skua__digits_write(to, size);
}

static char *open_container(struct writer *writer, char *to,
                            const struct skua__container *container)
{
    if (writer->depth == SKUA__MAX_DEPTH)
        return fail(writer, to, SKUA_ERR_TOO_DEEP);
    *to++ = container->width == 2 ? '{' : '[';
    writer->frames[writer->depth++] =
        (struct frame){.cursor = skua__cursor_of(container), .width = container->width};
    return to;
}

static char *close_container(struct writer *writer, char *to)
{
    writer->depth--;
    *to++ = writer->frames[writer->depth].width == 2 ? '}' : ']';
    return to;
}

/* Put a scalar, or the beginning of a container. `value` is resolved. */
static char *begin_value(struct writer *writer, char *to, const skua_value *value)
{
    switch (skua__kind(value)) {
    case SKUA_BOOL:
        return value->as.integer != 0 ? put_literal(to, "true") : put_literal(to, "false");
    case SKUA_INT:
        return put_int(to, value->as.integer);
    case SKUA_DOUBLE:
        if (!isfinite(value->as.number))
            return put_literal(to, "null");
        return to + skua__decimal_text(to, value->as.number);
    case SKUA_STRING:
        if (skua__is_numeral(value))
            return put_numeral(writer, to, skua__text(value));
        return put_string(writer, to, skua__text(value));
    case SKUA_SAFE:
        return put_string(writer, to, skua__text(value));
    case SKUA_BYTES:
        return put_bytes(writer, to, skua__text(value));
    case SKUA_ARRAY:
    case SKUA_OBJECT:
        return open_container(writer, to, value->as.container);
    default:
        return put_literal(to, "null");
    }
}

static bool is_left_out(const skua_value *value)
{
    return skua__kind(value) == SKUA_UNDEFINED || skua__kind(value) == SKUA_CALLABLE;
}

/* Put an item's comma and key and begin its value. */
static char *begin_item(struct writer *writer, char *to, struct frame *frame,
                        const skua_value *item)
{
    const skua_value *value = skua__resolve(item + (frame->width - 1));

    if (frame->width == 2 && is_left_out(value))
        return to;
    *to = ',';
    to += frame->begun;
    frame->begun = true;
    if (frame->width == 2) {
        to = put_string(writer, to, skua__text(item));
        if (to == NULL)
            return NULL;
        *to++ = ':';
    }
    return begin_value(writer, to, value);
}

/* Put the next item of the innermost container, or its end. */
static char *step(struct writer *writer, char *to)
{
    struct frame *frame = &writer->frames[writer->depth - 1];
    const skua_value *item = skua__cursor_next(&frame->cursor, frame->width);

    to = make_room(writer, to, 0);
    if (to == NULL)
        return NULL;
    return item != NULL ? begin_item(writer, to, frame, item) : close_container(writer, to);
}

/* Make the buffer ready; where to go on. */
static char *start(struct writer *writer, struct skua__buf *out)
{
    writer->out = out;
    writer->err = 0;
    writer->depth = 0;
    if (out->failed || !skua__buf_reserve(out, ROOM)) {
        writer->err = SKUA_ERR_NOMEM;
        return NULL;
    }
    writer->limit = out->ptr + out->cap;
    return out->ptr + out->len;
}

static int finish(struct writer *writer, const char *to)
{
    if (to != NULL)
        writer->out->len = (size_t)(to - writer->out->ptr);
    return writer->err;
}

int skua__json_append(struct skua__buf *out, const skua_value *value)
{
    struct writer writer;
    char *to = start(&writer, out);

    if (to != NULL)
        to = begin_value(&writer, to, skua__resolve(value));
    while (to != NULL && writer.depth > 0)
        to = step(&writer, to);
    return finish(&writer, to);
}

void skua__json_append_string(struct skua__buf *out, skua_str text)
{
    struct writer writer;
    char *to = start(&writer, out);

    if (to != NULL)
        to = put_string(&writer, to, text);
    finish(&writer, to);
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
