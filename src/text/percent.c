/* SPDX-License-Identifier: MIT */
/*
 * percent.c - percent-encoding (RFC 3986, 2.1)
 *
 * Decoding goes once over the bytes, in place if the caller likes, and never twice over the same
 * escape: "%2541" gives "%41". Nothing is said here about UTF-8; that is the reader's of the
 * decoded text. A zero byte is refused in every mode, because too much behind us ends at one.
 */
#include "text/percent.h"

#include "text/scan.h"

#include <skua/err.h>
#include <skua/url.h>

int skua__hex_value(char c)
{
    if (skua__char_is_digit(c))
        return c - '0';
    c = skua__char_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

int skua__escape_value(skua_str in, size_t at)
{
    int high, low;

    if (in.len - at < 3)
        return -1;
    high = skua__hex_value(in.ptr[at + 1]);
    low = skua__hex_value(in.ptr[at + 2]);
    return high < 0 || low < 0 ? -1 : high << 4 | low;
}

long skua__percent_decode(char *out, skua_str in, bool form)
{
    size_t len = 0;

    for (size_t at = 0; at < in.len; at++) {
        char c = in.ptr[at];

        if (c == '%') {
            int value = skua__escape_value(in, at);

            if (value == 0 || (value < 0 && !form))
                return SKUA_ERR_BAD_INPUT;
            if (value > 0) {
                c = (char)value;
                at += 2;
            }
        } else if (c == '+' && form) {
            c = ' ';
        }
        out[len++] = c;
    }
    return (long)len;
}

void skua__percent_encode(struct skua__buf *buf, skua_str in)
{
    static const char digits[] = "0123456789ABCDEF";

    for (size_t at = 0; at < in.len; at++) {
        unsigned char byte = (unsigned char)in.ptr[at];
        char escape[3] = {'%', digits[byte >> 4], digits[byte & 15]};

        if (skua__char_is(in.ptr[at], SKUA__CHAR_UNRESERVED))
            skua__buf_put_char(buf, in.ptr[at]);
        else
            skua__buf_put(buf, escape, sizeof(escape));
    }
}

const char *skua_url_encode(skua_arena *arena, const char *text)
{
    struct skua__buf encoded;

    if (text == NULL)
        return NULL;
    skua__buf_init(&encoded, arena);
    skua__percent_encode(&encoded, skua_str_c(text));
    text = skua__buf_str(&encoded).ptr;
    return encoded.failed ? NULL : text;
}
