/* SPDX-License-Identifier: MIT */
/*
 * escape.c - text into HTML
 *
 * Most text holds nothing to escape, so the work is to find that out quickly and copy it in one
 * run. Sixteen bytes are looked at together, as vectors that both compilers know on every platform;
 * only in a block that has a hit, and in the tail, bytes are looked at one by one.
 *
 *   text   |run.........|&|run....|<|run.....|
 *   out    |copied......|&amp;|copied.|&lt;|...
 *
 * Bytes above 127 pass unchanged: no byte of a UTF-8 sequence is one of the five.
 */
#include "view/escape.h"

#include <stdint.h>

#define VECTOR(type) type __attribute__((vector_size(16)))

typedef VECTOR(uint8_t) block;
typedef VECTOR(uint64_t) words;

/* 0 for a byte that stays, else its place in `entities`. */
static const uint8_t special[256] = {['&'] = 1, ['<'] = 2, ['>'] = 3, ['"'] = 4, ['\''] = 5};

static const skua_str entities[] = {
    {"", 0}, {"&amp;", 5}, {"&lt;", 4}, {"&gt;", 4}, {"&quot;", 6}, {"&#39;", 5},
};

/* Whether one of sixteen bytes is to be escaped: " and & differ in one bit, so do < and >. */
static int has_special(const char *at)
{
    block bytes;
    words hits;

    memcpy(&bytes, at, sizeof(bytes));
    hits = (words)((bytes & (uint8_t)~4) == '"');  /* " & */
    hits |= (words)((bytes & (uint8_t)~2) == '<'); /* < > */
    hits |= (words)(bytes == '\'');
    return (hits[0] | hits[1]) != 0;
}

/* The first byte to escape in [at, end), or end. */
static const char *skip_plain(const char *at, const char *end)
{
    while ((size_t)(end - at) >= sizeof(block) && !has_special(at))
        at += sizeof(block);
    while (at < end && special[(unsigned char)*at] == 0)
        at++;
    return at;
}

void skua__escape_html(struct skua__buf *out, skua_str text)
{
    const char *at = text.ptr;
    const char *end = text.ptr + text.len;

    while (at < end) {
        const char *hit = skip_plain(at, end);

        skua__buf_put(out, at, (size_t)(hit - at));
        if (hit == end)
            return;
        skua__buf_put_str(out, entities[special[(unsigned char)*hit]]);
        at = hit + 1;
    }
}
