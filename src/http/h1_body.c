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
 * Bounds: a size has MAX_DIGITS (60 bits, so `left` cannot overflow), its line MAX_SIZE_LINE bytes,
 * the trailer limits->head. A peer that sends more framing than data, such as one byte per chunk,
 * is refused once it has used up FREE_FRAMING.
 */
#include "http/h1.h"

#include "text/percent.h"
#include "text/scan.h"

#include <skua/err.h>

#define MAX_DIGITS    15
#define MAX_SIZE_LINE 1024
#define FREE_FRAMING  (UINT64_C(100) * 1024)

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
    h1->run++;
    if (h1->chunk_phase >= TRAILER)
        return h1->run > h1->limits->head ? SKUA_ERR_HEADERS_TOO_LARGE : 0;
    h1->framing++;
    if (h1->run > MAX_SIZE_LINE || (h1->framing > FREE_FRAMING && h1->payload < h1->framing / 4))
        return SKUA_ERR_BAD_INPUT;
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
    if (next == DATA) {
        next = h1->left > 0 ? DATA : TRAILER;
        h1->chunk_digits = 0;
        h1->run = 0;
    }
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

int skua__h1_body(struct skua__h1 *h1, const char *data, size_t len, size_t *used, skua_str *piece)
{
    int result;

    *used = 0;
    *piece = skua_str_of("", 0);
    switch (h1->phase) {
    case SKUA__H1_BODY_LENGTH:
        result = read_length(h1, data, len, used, piece);
        break;
    case SKUA__H1_BODY_CHUNKED:
        result = read_chunked(h1, data, len, used, piece);
        break;
    case SKUA__H1_DONE:
        return SKUA__H1_END;
    default:
        return SKUA_ERR_STATE;
    }
    if (result < 0)
        h1->phase = SKUA__H1_FAILED;
    return result;
}
