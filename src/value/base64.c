/* SPDX-License-Identifier: MIT */
/*
 * base64.c - bytes as text (RFC 4648, section 4)
 *
 *   3 bytes   aaaaaaaa bbbbbbbb cccccccc
 *   4 digits  aaaaaa aabbbb bbbbcc cccccc      a last group of 1 or 2 bytes: 2 or 3 digits and `=`
 */
#include "value/base64.h"

char *skua__base64_write(char *to, skua_str bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *in = (const unsigned char *)bytes.ptr;

    for (size_t left = bytes.len; left > 0; left -= left < 3 ? left : 3, in += 3) {
        unsigned group = (unsigned)in[0] << 16;

        if (left > 1)
            group |= (unsigned)in[1] << 8;
        if (left > 2)
            group |= in[2];
        for (size_t i = 0; i < 4; i++)
            *to++ = i <= left ? digits[group >> (18 - 6 * i) & 63] : '=';
    }
    return to;
}
