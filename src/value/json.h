/* SPDX-License-Identifier: MIT */
#ifndef SKUA__VALUE_JSON_H
#define SKUA__VALUE_JSON_H

#include "base/buf.h"
#include <skua/json.h>
#include <skua/str.h>
#include <skua/value.h>
#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/*
 * Append a value as JSON text (see skua_json_write). 0, SKUA_ERR_NOMEM, SKUA_ERR_TOO_DEEP; after a
 * failure the buffer holds the beginning of the text.
 */
int skua__json_append(struct skua__buf *out, const skua_value *value);

/* Append a string in quotes, escaped; ill-formed UTF-8 becomes U+FFFD, byte by byte. */
void skua__json_append_string(struct skua__buf *out, skua_str text);

/* ---- what reading and writing share ---- */

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the first byte is the lowest one");

/* Sixteen bytes of text, and the same as words. */
typedef unsigned char skua__json_chunk __attribute__((vector_size(16)));
typedef uint64_t skua__json_words __attribute__((vector_size(16)));

#define SKUA__JSON_CHUNK sizeof(skua__json_chunk)

/* The top bit of each byte; the first byte's is the lowest. */
static inline unsigned skua__json_bits_of_words(skua__json_words words)
{
    /* Moved down, each is multiplied to another bit of the top byte. */
    uint64_t low = (words[0] >> 7 & 0x0101010101010101u) * 0x0102040810204080u >> 56;
    uint64_t high = (words[1] >> 7 & 0x0101010101010101u) * 0x0102040810204080u >> 56;

    return (unsigned)(low | high << 8);
}

static inline unsigned skua__json_bits(skua__json_words words)
{
#ifdef __SSE2__
    return (unsigned)_mm_movemask_epi8((__m128i)words);
#else
    return skua__json_bits_of_words(words);
#endif
}

/*
 * The bytes that cannot stand in a JSON string without a second look, a bit for each: quote,
 * backslash, control bytes and those that are not ASCII. Of these last two the top bit is set in
 * the byte itself, or once a blank is taken from it.
 */
static inline unsigned skua__json_special(skua__json_chunk chunk)
{
    skua__json_words marks = (skua__json_words)(chunk | (chunk - ' '));

    marks |= (skua__json_words)(chunk == '"') | (skua__json_words)(chunk == '\\');
    return skua__json_bits(marks);
}

/* How many bytes from the start are not ASCII. */
static inline size_t skua__json_high(skua_str text)
{
    size_t at = 0;

    while (at < text.len && (unsigned char)text.ptr[at] >= 0x80)
        at++;
    return at;
}

#endif
