/* SPDX-License-Identifier: MIT */
#ifndef SKUA__VALUE_JSON_H
#define SKUA__VALUE_JSON_H

#include "base/buf.h"
#include <skua/json.h>
#include <skua/str.h>
#include <skua/value.h>
#include <stdint.h>

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
typedef signed char skua__json_chunk __attribute__((vector_size(16)));
typedef uint64_t skua__json_words __attribute__((vector_size(16)));

#define SKUA__JSON_CHUNK sizeof(skua__json_chunk)

/*
 * How many bytes from the start, up to all of them, can stand in a JSON string without a second
 * look: not quote, backslash, control bytes and those that are not ASCII (negative here).
 */
static inline size_t skua__json_plain(skua__json_chunk chunk)
{
    skua__json_words hits;

    hits = (skua__json_words)((chunk == '"') | (chunk == '\\') | (chunk < ' '));
    if (hits[0] != 0)
        return (size_t)__builtin_ctzll(hits[0]) / 8;
    if (hits[1] != 0)
        return 8 + (size_t)__builtin_ctzll(hits[1]) / 8;
    return SKUA__JSON_CHUNK;
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
