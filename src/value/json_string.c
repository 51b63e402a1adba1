/* SPDX-License-Identifier: MIT */
/*
 * json_string.c - strings of JSON text that are not plain (RFC 8259, section 7)
 *
 * Escapes are undone in place, behind what has been read; UTF-8 is checked where it stands.
 *
 *   "caf\u00e9\t1"     start        to      at
 *                       c a f é \t   ......  1 "
 */
#include "base/utf8.h"
#include "value/json.h"
#include "value/json_reader.h"

static int hex_value(char c)
{
    if (skua__json_is_digit(c))
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Read XXXX of \uXXXX. */
static char *read_hex(struct skua__json_reader *reader, char *at, uint32_t *unit)
{
    *unit = 0;
    for (int i = 0; i < 4; i++, at++) {
        int digit = hex_value(*at);

        if (digit < 0)
            return skua__json_refuse(reader, at, "four hexadecimal digits are expected");
        *unit = *unit << 4 | (uint32_t)digit;
    }
    return at;
}

/* Undo \uXXXX, or two that make a surrogate pair; the bytes go to *to. */
static char *read_unicode_escape(struct skua__json_reader *reader, char *at, char **to)
{
    const char *start = at;
    uint32_t point, low;

    at = read_hex(reader, at + 2, &point);
    if (at == NULL)
        return NULL;
    if (point >= 0xd800 && point < 0xdc00 && at[0] == '\\' && at[1] == 'u') {
        at = read_hex(reader, at + 2, &low);
        if (at == NULL)
            return NULL;
        if (low >= 0xdc00 && low < 0xe000)
            point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
    }
    if (point >= 0xd800 && point < 0xe000)
        return skua__json_refuse(reader, start, "half a surrogate pair stands for no character");
    *to += skua__utf8_encode(*to, point);
    return at;
}

static char *read_escape(struct skua__json_reader *reader, char *at, char **to)
{
    static const char meanings[256] = {['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
                                       ['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t'};
    char meaning = meanings[(unsigned char)at[1]];

    if (at[1] == 'u')
        return read_unicode_escape(reader, at, to);
    if (meaning == 0)
        return skua__json_refuse(reader, at + 1, "there is no such escape");
    *(*to)++ = meaning;
    return at + 2;
}

/* Check the bytes that are not ASCII, up to the next one that is. */
static char *check_utf8(struct skua__json_reader *reader, char *at)
{
    size_t len = skua__json_high(skua_str_of(at, (size_t)(reader->end - at)));
    size_t valid = skua__utf8_valid(skua_str_of(at, len));

    if (valid < len)
        return skua__json_refuse(reader, at + valid, "this is not well-formed UTF-8");
    return at + len;
}

char *skua__json_read_special(struct skua__json_reader *reader, char *start, char *at,
                              skua_value *cell)
{
    char *to = at;

    while (*at != '"') {
        char *from = at;

        if (*at == '\\') {
            from = at = read_escape(reader, at, &to);
        } else if ((unsigned char)*at >= 0x80) {
            at = check_utf8(reader, at);
        } else {
            return skua__json_refuse(reader, at, "control characters must be escaped");
        }
        if (at == NULL)
            return NULL;
        at = skua__json_skip_plain(at);
        if (to != from)
            memmove(to, from, (size_t)(at - from));
        to += at - from;
    }
    return skua__json_end_string(start, to, at, cell);
}
