/* SPDX-License-Identifier: MIT */
/*
 * h1_body.c - reader of an HTTP/1 request body: by length, or chunked (RFC 9112, 6 and 7.1)
 *
 *   START, SIZE -hex-> DIGITS -CR-> SIZE_LF -LF-> DATA -n bytes-> DATA_CR -CR-> DATA_LF -LF-> SIZE
 *      DIGITS -';'-> extensions -CR-> SIZE_LF -LF-> TRAILER (size 0) -CR-> LAST_LF -LF-> END
 *     TRAILER -name ':' value CR LF-> TRAILER
 *
 * The reader keeps nothing but numbers, edits nothing and can stop after any byte. Data goes out in
 * the largest pieces there are; every framing byte takes one step in the table below, in which an
 * empty place means "refused". So there is no white space round a size, no "0x", no bare LF, no
 * extension without a name, and a trailer field has to be as well formed as one of the head.
 *
 * Bounds: a size has MAX_DIGITS (60 bits, so `left` cannot overflow), the rest is in the limits. A
 * peer that sends more framing than data, such as one byte per chunk, is refused once it has used up
 * limits.chunk_overhead.
 *
 * A trailer that is to be kept goes into the caller's buffer byte by byte, as it is checked.
 */
#include "http/h1.h"

#include "text/percent.h"
#include "text/scan.h"

#include <skua/err.h>

#define MAX_DIGITS 15

/* What a framing byte is to the table. */
enum byte_class { NONE, TOKEN, SEMI, EQUAL, QUOTE, SLASH, COLON, TEXT, CR, LF, CLASS_COUNT };

enum chunk_phase {
    START, /* as the next phase: refused */
    SIZE,
    DIGITS,
    EXT,
    EXT_NAME,
    EXT_VALUE,
    EXT_TOKEN,
    EXT_QUOTED,
    EXT_PAIR,
    EXT_END,
    SIZE_LF,
    DATA,
    DATA_CR,
    DATA_LF,
    TRAILER, /* from here on the bytes belong to the trailer */
    FIELD_NAME,
    FIELD_VALUE,
    FIELD_LF,
    LAST_LF,
    END,
    PHASE_COUNT
};

/* TEXT is what may stand in a field value and has no class of its own: blanks, ( ) , and so on. */
#define ANY_TEXT(phase) \
    [TOKEN] = phase, [SEMI] = phase, [EQUAL] = phase, [COLON] = phase, [TEXT] = phase

static const uint8_t steps[PHASE_COUNT][CLASS_COUNT] = {
    [START] = {[TOKEN] = DIGITS},
    [SIZE] = {[TOKEN] = DIGITS},
    [DIGITS] = {[TOKEN] = DIGITS, [SEMI] = EXT, [CR] = SIZE_LF},
    [EXT] = {[TOKEN] = EXT_NAME},
    [EXT_NAME] = {[TOKEN] = EXT_NAME, [EQUAL] = EXT_VALUE, [SEMI] = EXT, [CR] = SIZE_LF},
    [EXT_VALUE] = {[TOKEN] = EXT_TOKEN, [QUOTE] = EXT_QUOTED},
    [EXT_TOKEN] = {[TOKEN] = EXT_TOKEN, [SEMI] = EXT, [CR] = SIZE_LF},
    [EXT_QUOTED] = {ANY_TEXT(EXT_QUOTED), [QUOTE] = EXT_END, [SLASH] = EXT_PAIR},
    [EXT_PAIR] = {ANY_TEXT(EXT_QUOTED), [QUOTE] = EXT_QUOTED, [SLASH] = EXT_QUOTED},
    [EXT_END] = {[SEMI] = EXT, [CR] = SIZE_LF},
    [SIZE_LF] = {[LF] = DATA},
    [DATA_CR] = {[CR] = DATA_LF},
    [DATA_LF] = {[LF] = SIZE},
    [TRAILER] = {[TOKEN] = FIELD_NAME, [CR] = LAST_LF},
    [FIELD_NAME] = {[TOKEN] = FIELD_NAME, [COLON] = FIELD_VALUE},
    [FIELD_VALUE] =
        {ANY_TEXT(FIELD_VALUE), [QUOTE] = FIELD_VALUE, [SLASH] = FIELD_VALUE, [CR] = FIELD_LF},
    [FIELD_LF] = {[LF] = TRAILER},
    [LAST_LF] = {[LF] = END},
};

static enum byte_class class_of(char c)
{
    switch (c) {
    case ';':
        return SEMI;
    case '=':
        return EQUAL;
    case '"':
        return QUOTE;
    case '\\':
        return SLASH;
    case ':':
        return COLON;
    case '\r':
        return CR;
    case '\n':
        return LF;
    default:
        return skua__char_is(c, SKUA__CHAR_TOKEN)   ? TOKEN
               : skua__char_is(c, SKUA__CHAR_VALUE) ? TEXT
                                                    : NONE;
    }
}

static int take_digit(struct skua__h1 *h1, char c)
{
    int value = skua__hex_value(c);

    if (value < 0 || ++h1->chunk_digits > MAX_DIGITS)
        return SKUA_ERR_BAD_INPUT;
    h1->left = h1->left << 4 | (unsigned)value;
    return 0;
}

/* Count the byte against the bounds that hold in this phase. */
static int count_framing(struct skua__h1 *h1)
{
    const struct skua__h1_limits *limits = &h1->limits;

    h1->run++;
    if (h1->chunk_phase >= TRAILER)
        return h1->run > limits->trailer ? SKUA_ERR_HEADERS_TOO_LARGE : 0;
    h1->framing++;
    if (h1->run > limits->chunk_line ||
        (h1->framing > limits->chunk_overhead && h1->payload < h1->framing / 4))
        return SKUA_ERR_BAD_INPUT;
    return 0;
}

/* The size line has been read. */
static uint8_t start_chunk(struct skua__h1 *h1)
{
    h1->chunk_digits = 0;
    h1->run = 0;
    return h1->left > 0 ? DATA : TRAILER;
}

static int take_trailer(struct skua__h1 *h1, char c)
{
    if (h1->trailer != NULL)
        skua__buf_put_char(h1->trailer, c);
    if (h1->chunk_phase == FIELD_LF && ++h1->trailer_fields > h1->limits.trailer_fields)
        return SKUA_ERR_HEADERS_TOO_LARGE;
    return 0;
}

static int take_framing(struct skua__h1 *h1, char c)
{
    uint8_t next = steps[h1->chunk_phase][class_of(c)];
    int err = count_framing(h1);

    if (err != 0)
        return err;
    if (next == START)
        return SKUA_ERR_BAD_INPUT;
    if (next == DIGITS)
        err = take_digit(h1, c);
    else if (next == SIZE)
        h1->run = 0;
    else if (next == DATA)
        next = start_chunk(h1);
    else if (h1->chunk_phase >= TRAILER && next < LAST_LF)
        err = take_trailer(h1, c);
    h1->chunk_phase = next;
    return err;
}

/* A piece of at most `left` bytes. */
static int take_data(struct skua__h1 *h1, const char *data, size_t len, size_t *used,
                     skua_str *piece)
{
    size_t size = len < h1->left ? len : (size_t)h1->left;

    if (size == 0)
        return SKUA__H1_MORE;
    *piece = skua_str_of(data, size);
    *used += size;
    h1->left -= size;
    return SKUA__H1_DATA;
}

static int read_length(struct skua__h1 *h1, const char *data, size_t len, size_t *used,
                       skua_str *piece)
{
    if (h1->left > 0)
        return take_data(h1, data, len, used, piece);
    h1->phase = SKUA__H1_DONE;
    return SKUA__H1_END;
}

static int read_chunked(struct skua__h1 *h1, const char *data, size_t len, size_t *used,
                        skua_str *piece)
{
    int result = SKUA__H1_MORE;

    while (*used < len && result == SKUA__H1_MORE) {
        if (h1->chunk_phase == DATA) {
            result = take_data(h1, data + *used, len - *used, used, piece);
            h1->payload += piece->len;
            if (h1->left == 0)
                h1->chunk_phase = DATA_CR;
            continue;
        }
        result = take_framing(h1, data[(*used)++]);
        if (h1->chunk_phase == END) {
            h1->phase = SKUA__H1_DONE;
            result = SKUA__H1_END;
        }
    }
    return result;
}

static int read_piece(struct skua__h1 *h1, const char *data, size_t len, size_t *used,
                      skua_str *piece)
{
    int result = h1->phase == SKUA__H1_BODY_LENGTH ? read_length(h1, data, len, used, piece)
                                                   : read_chunked(h1, data, len, used, piece);

    if (result < 0)
        h1->phase = SKUA__H1_FAILED;
    return result;
}

int skua__h1_body(struct skua__h1 *h1, const char *data, size_t len, size_t *used, skua_str *piece)
{
    *used = 0;
    *piece = skua_str_of("", 0);
    switch (h1->phase) {
    case SKUA__H1_BODY_LENGTH:
    case SKUA__H1_BODY_CHUNKED:
        return read_piece(h1, data, len, used, piece);
    case SKUA__H1_DONE:
        return SKUA__H1_END;
    default:
        return SKUA_ERR_STATE;
    }
}

/* ---- trailers ---- */

void skua__h1_keep_trailer(struct skua__h1 *h1, struct skua__buf *keep)
{
    h1->trailer = keep;
}

/* Each line is a token, a colon, text and CR LF, as has been checked; the last may have been cut off
 * for want of memory. */
bool skua__h1_trailer_next(struct skua__field *field, skua_str *rest)
{
    const char *text = rest->ptr;
    size_t name = skua__scan_token(text, rest->len);
    size_t start = name + 1, end, line;

    if (start >= rest->len)
        return false;
    end = start + skua__scan_value(text + start, rest->len - start);
    line = end + 2;
    if (line > rest->len)
        return false;
    while (start < end && skua__char_is_blank(text[start]))
        start++;
    while (start < end && skua__char_is_blank(text[end - 1]))
        end--;
    field->name = skua_str_of(text, name);
    field->value = skua_str_of(text + start, end - start);
    field->id = skua__field_id_of(field->name);
    *rest = skua_str_of(text + line, rest->len - line);
    return true;
}
