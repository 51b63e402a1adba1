/* SPDX-License-Identifier: MIT */
/*
 * json_write.c - values to JSON text (RFC 8259)
 *
 * The open containers stand on a stack of frames, each with its place in the container:
 *
 *   scalar     text                  next item   key, colon, scalar and comma, or container
 *   container  bracket, push         no item     pop, bracket in the place of the last comma
 *
 * The depth is bounded, so a value that holds itself ends in an error, and the frames, 16 KiB, fit
 * on any stack. The text is always valid JSON in valid UTF-8, whatever bytes the strings hold.
 *
 * The buffer is not asked for room byte by byte. Each item makes sure of ROOM bytes, enough for all
 * of it but long strings; such a string makes sure of itself and of ROOM behind it:
 *
 *   " k e y " : " a   s t r i n g   t h a t   i s   l o n g " , ............ ROOM ............
 *   |           `- its length, 2 and ROOM
 *   `- ROOM
 */
#include "value/json.h"

#include "base/digits.h"
#include "base/utf8.h"
#include "value/base64.h"
#include "value/decimal.h"
#include "value/value.h"

#include <math.h>
#include <skua/err.h>

#define ROOM ((size_t)128)

/* Below this a string is short. */
#define SHORT SKUA__JSON_CHUNK

_Static_assert(ROOM >= 2 * (SHORT + 2) + SKUA__DECIMAL_TEXT + 3, "an item with short texts fits");

struct frame {
    const struct skua__block *block;
    const skua_value *item; /* the next one, */
    const skua_value *end;  /* up to what the block held when it was last looked at */
    uint32_t width;
};

struct writer {
    struct skua__buf *out; /* its len is set when the buffer grows, and at the end */
    const char *limit;     /* the end of the buffer */
    int err;
    struct frame *top; /* behind the innermost one */
    struct frame frames[SKUA__MAX_DEPTH];
};

/* Every step takes the place where it writes and returns the one behind, or NULL when it fails. */

static char *fail(struct writer *writer, const char *to, int err)
{
    writer->out->len = (size_t)(to - writer->out->ptr);
    writer->err = err;
    return NULL;
}

static bool grow(struct writer *writer, char **to, size_t more)
{
    struct skua__buf *out = writer->out;

    out->len = (size_t)(*to - out->ptr);
    if (!skua__buf_grow(out, more)) {
        writer->err = SKUA_ERR_NOMEM;
        return false;
    }
    writer->limit = out->ptr + out->cap;
    *to = out->ptr + out->len;
    return true;
}

/* Make sure of `more` bytes behind *to, and of ROOM behind them. The buffer may move. */
static inline bool make_room(struct writer *writer, char **to, size_t more)
{
    more += ROOM;
    return (size_t)(writer->limit - *to) >= more || grow(writer, to, more);
}

static inline char *put(char *to, const char *text, size_t len)
{
    memcpy(to, text, len);
    return to + len;
}

/* What saves registers is kept out of line, away from the many items that need none. */
#define OUT_OF_LINE __attribute__((noinline))

#define put_literal(to, literal) put(to, "" literal "", sizeof(literal) - 1)

/* ---- strings ---- */

static inline bool is_plain(char c)
{
    return (signed char)c >= ' ' && c != '"' && c != '\\';
}

/* Copy a chunk or more, the last of them overlapping; how many bytes from the start are plain. */
static size_t copy_chunks(char *to, skua_str text)
{
    const size_t last = text.len - SKUA__JSON_CHUNK;

    for (size_t at = 0;; at = at + SKUA__JSON_CHUNK < last ? at + SKUA__JSON_CHUNK : last) {
        skua__json_chunk chunk;
        unsigned special;

        memcpy(&chunk, text.ptr + at, sizeof(chunk));
        memcpy(to + at, &chunk, sizeof(chunk));
        special = skua__json_special(chunk);
        if (special != 0)
            return at + (size_t)__builtin_ctz(special);
        if (at == last)
            return text.len;
    }
}

/* Copy up to the first byte that needs a second look; how many bytes those are. */
static size_t copy_plain(char *to, skua_str text)
{
    size_t at = 0;

    if (text.len >= SKUA__JSON_CHUNK)
        return copy_chunks(to, text);
    for (; at < text.len && is_plain(text.ptr[at]); at++)
        to[at] = text.ptr[at];
    return at;
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
 * or else one byte, which then takes up to six. There is room for the text as it is.
 */
static char *put_special(struct writer *writer, char *to, skua_str *text)
{
    size_t high = skua__json_high(*text);
    size_t taken = skua__utf8_valid(skua_str_of(text->ptr, high));

    if (taken > 0) {
        to = put(to, text->ptr, taken);
    } else {
        if (!make_room(writer, &to, text->len + 6))
            return NULL;
        to = high > 0 ? put_literal(to, "\xef\xbf\xbd") : put_escape(to, text->ptr[0]);
        taken = 1;
    }
    *text = skua_str_of(text->ptr + taken, text->len - taken);
    return to;
}

/* Put any string. */
OUT_OF_LINE static char *put_any_string(struct writer *writer, char *to, skua_str text)
{
    if (!make_room(writer, &to, text.len + 2))
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

/* Copy a short text, with loads that overlap; whether all of it can stand as it is. */
static inline bool copy_few(char *to, skua_str text)
{
    skua__json_words words = {0x2020202020202020u, 0x2020202020202020u};
    uint64_t first, last;
    uint32_t low, high;

    if (text.len >= sizeof(first)) {
        memcpy(&first, text.ptr, sizeof(first));
        memcpy(&last, text.ptr + text.len - sizeof(last), sizeof(last));
        memcpy(to, &first, sizeof(first));
        memcpy(to + text.len - sizeof(last), &last, sizeof(last));
        words = (skua__json_words){first, last};
    } else if (text.len >= sizeof(low)) {
        memcpy(&low, text.ptr, sizeof(low));
        memcpy(&high, text.ptr + text.len - sizeof(high), sizeof(high));
        memcpy(to, &low, sizeof(low));
        memcpy(to + text.len - sizeof(high), &high, sizeof(high));
        words[0] = low | (uint64_t)high << 32;
    } else {
        for (size_t at = 0; at < text.len; at++) {
            to[at] = text.ptr[at];
            if (!is_plain(text.ptr[at]))
                return false;
        }
    }
    return skua__json_special((skua__json_chunk)words) == 0;
}

/* Most strings are short and plain. */
static inline char *put_string(struct writer *writer, char *to, skua_str text)
{
    if (text.len >= SHORT || !copy_few(to + 1, text))
        return put_any_string(writer, to, text);
    to[0] = to[text.len + 1] = '"';
    return to + text.len + 2;
}

OUT_OF_LINE static char *put_numeral(struct writer *writer, char *to, skua_str text)
{
    return make_room(writer, &to, text.len) ? put(to, text.ptr, text.len) : NULL;
}

OUT_OF_LINE static char *put_bytes(struct writer *writer, char *to, skua_str bytes)
{
    if (!make_room(writer, &to, skua__base64_size(bytes.len) + 2))
        return NULL;
    *to++ = '"';
    to = skua__base64_write(to, bytes);
    *to++ = '"';
    return to;
}

/* ---- values ---- */

static char *put_int(char *to, int64_t number)
{
    uint64_t size = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;

    *to = '-';
    to += number < 0;
    return skua__digits_write(to, size);
}

OUT_OF_LINE static char *put_double(char *to, double number)
{
    return isfinite(number) ? to + skua__decimal_text(to, number) : put_literal(to, "null");
}

static char *put_scalar(struct writer *writer, char *to, const skua_value *value)
{
    switch (skua__kind(value)) {
    case SKUA_BOOL:
        return value->as.integer != 0 ? put_literal(to, "true") : put_literal(to, "false");
    case SKUA_INT:
        return put_int(to, value->as.integer);
    case SKUA_DOUBLE:
        return put_double(to, value->as.number);
    case SKUA_STRING:
    case SKUA_SAFE:
        if (skua__is_numeral(value))
            return put_numeral(writer, to, skua__text(value));
        return put_string(writer, to, skua__text(value));
    case SKUA_BYTES:
        return put_bytes(writer, to, skua__text(value));
    default:
        return put_literal(to, "null");
    }
}

static char *open_container(struct writer *writer, char *to,
                            const struct skua__container *container)
{
    const skua_value *cells = skua__block_cells(&container->first);

    if (writer->top == writer->frames + SKUA__MAX_DEPTH)
        return fail(writer, to, SKUA_ERR_TOO_DEEP);
    *writer->top++ = (struct frame){
        .block = &container->first, .item = cells, .end = cells, .width = container->width};
    *to++ = container->width == 2 ? '{' : '[';
    return to;
}

static char *close_container(struct writer *writer, char *to)
{
    bool is_object = (--writer->top)->width == 2;

    to -= to[-1] == ',';
    *to++ = is_object ? '}' : ']';
    *to = ',';
    return to + (writer->top > writer->frames);
}

/* Look at what the block holds by now, or else at the next block. false: no more. */
static bool refill(struct frame *frame)
{
    for (;;) {
        const skua_value *cells = skua__block_cells(frame->block);

        frame->end = cells + (size_t)frame->block->used * frame->width;
        if (frame->item != frame->end)
            return true;
        if (frame->block->next == NULL)
            return false;
        frame->block = frame->block->next;
        frame->item = skua__block_cells(frame->block);
    }
}

static bool is_container(const skua_value *value)
{
    return skua__kind(value) == SKUA_ARRAY || skua__kind(value) == SKUA_OBJECT;
}

static bool is_left_out(const skua_value *value)
{
    return skua__kind(value) == SKUA_UNDEFINED || skua__kind(value) == SKUA_CALLABLE;
}

/* Put the next item of the innermost container, or its end. */
static char *step(struct writer *writer, char *to)
{
    struct frame *frame = writer->top - 1;
    const skua_value *key, *value;

    if (!make_room(writer, &to, 0))
        return NULL;
    if (frame->item == frame->end && !refill(frame))
        return close_container(writer, to);
    key = frame->item;
    frame->item += frame->width;
    value = skua__resolve(frame->item - 1);
    if (frame->width == 2) {
        if (is_left_out(value))
            return to;
        to = put_string(writer, to, skua__text(key));
        if (to == NULL)
            return NULL;
        *to++ = ':';
    }
    if (is_container(value))
        return open_container(writer, to, value->as.container);
    to = put_scalar(writer, to, value);
    if (to != NULL)
        *to++ = ',';
    return to;
}

/* Make the buffer ready; where to go on. */
static char *start(struct writer *writer, struct skua__buf *out)
{
    writer->out = out;
    writer->err = 0;
    writer->top = writer->frames;
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

    if (to == NULL)
        return writer.err;
    value = skua__resolve(value);
    to = is_container(value) ? open_container(&writer, to, value->as.container)
                             : put_scalar(&writer, to, value);
    while (to != NULL && writer.top > writer.frames)
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
