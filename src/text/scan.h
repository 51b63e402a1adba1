/* SPDX-License-Identifier: MIT */
#ifndef SKUA__TEXT_SCAN_H
#define SKUA__TEXT_SCAN_H

#include <skua/str.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * The alphabets of HTTP and of addresses, each byte looked up once: skua__char_classes[byte] is a
 * set of these.
 */
enum skua__char_class {
    SKUA__CHAR_TOKEN = 0x01,      /* tchar of RFC 9110, 5.6.2 */
    SKUA__CHAR_VALUE = 0x02,      /* SP, HTAB, VCHAR, obs-text: may stand in a field value */
    SKUA__CHAR_VISIBLE = 0x04,    /* VCHAR: 0x21 to 0x7e */
    SKUA__CHAR_QUOTED = 0x08,     /* qdtext: VALUE but '"' and '\' */
    SKUA__CHAR_UNRESERVED = 0x10, /* RFC 3986, 2.3 */
    SKUA__CHAR_HOST = 0x20,       /* UNRESERVED and sub-delims: a reg-name but for its escapes */
    SKUA__CHAR_RESERVED = 0x40,   /* # $ & + , / : ; = ? @ %: kept escaped in a canonical path */
    SKUA__CHAR_QUERY = 0x80       /* VISIBLE but '#' */
};

extern const uint8_t skua__char_classes[256];

static inline bool skua__char_is(char c, enum skua__char_class class)
{
    return (skua__char_classes[(unsigned char)c] & class) != 0;
}

static inline bool skua__char_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* White space within a line: SP and HTAB. */
static inline bool skua__char_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static inline char skua__char_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

/* How many bytes from the start belong to the class. These carry the reading of a head. */
size_t skua__scan_token(const char *ptr, size_t len);
size_t skua__scan_value(const char *ptr, size_t len);
size_t skua__scan_visible(const char *ptr, size_t len);
size_t skua__scan_host(const char *ptr, size_t len);

/* Equal without regard to ASCII case. */
bool skua__equal_nocase(skua_str a, skua_str b);

#endif
