/* SPDX-License-Identifier: MIT */
/*
 * utf8.c - checking and writing UTF-8 (RFC 3629)
 */
#include "base/utf8.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "words are read as little-endian");

/* The length of the well-formed sequence that starts at `s`, 0 if there is none. */
static size_t sequence_length(const unsigned char *s, size_t len)
{
    size_t need = s[0] < 0x80 ? 1 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
    unsigned char lowest = 0x80, highest = 0xbf; /* of the second byte */

    if (s[0] >= 0x80 && (s[0] < 0xc2 || s[0] > 0xf4))
        return 0;
    if (need > len)
        return 0;
    switch (s[0]) {
    case 0xe0: /* shorter forms exist below */
        lowest = 0xa0;
        break;
    case 0xed: /* surrogates above */
        highest = 0x9f;
        break;
    case 0xf0:
        lowest = 0x90;
        break;
    case 0xf4: /* past U+10FFFF above */
        highest = 0x8f;
        break;
    }
    if (need > 1 && (s[1] < lowest || s[1] > highest))
        return 0;
    for (size_t i = 2; i < need; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    }
    return need;
}

size_t skua__utf8_valid(skua_str text)
{
    size_t at = 0;

    while (at < text.len) {
        uint64_t word;
        size_t step;

        if (text.len - at >= sizeof(word)) {
            memcpy(&word, text.ptr + at, sizeof(word));
            word &= 0x8080808080808080u; /* the top bits of eight bytes, the first one lowest */
            if (word == 0) {
                at += sizeof(word);
                continue;
            }
            at += (size_t)__builtin_ctzll(word) >> 3;
        }
        step = sequence_length((const unsigned char *)text.ptr + at, text.len - at);
        if (step == 0)
            break;
        at += step;
    }
    return at;
}

size_t skua__utf8_encode(char out[4], uint32_t point)
{
    if (point < 0x80) {
        out[0] = (char)point;
        return 1;
    }
    if (point < 0x800) {
        out[0] = (char)(0xc0 | point >> 6);
        out[1] = (char)(0x80 | (point & 0x3f));
        return 2;
    }
    if (point < 0x10000) {
        out[0] = (char)(0xe0 | point >> 12);
        out[1] = (char)(0x80 | (point >> 6 & 0x3f));
        out[2] = (char)(0x80 | (point & 0x3f));
        return 3;
    }
    out[0] = (char)(0xf0 | point >> 18);
    out[1] = (char)(0x80 | (point >> 12 & 0x3f));
    out[2] = (char)(0x80 | (point >> 6 & 0x3f));
    out[3] = (char)(0x80 | (point & 0x3f));
    return 4;
}
