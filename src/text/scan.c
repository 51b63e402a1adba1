/* SPDX-License-Identifier: MIT */
/*
 * scan.c - character classes and the scanning of runs
 *
 * The table is computed by the compiler out of the grammar's own words, one predicate a class, so
 * it can be read against the RFC instead of being trusted.
 *
 * The scanners are the plain versions: one byte, one look-up. They look at no byte past `len` and
 * need no alignment, so a wider twin can stand in for each of them and be tested against it.
 */
#include "text/scan.h"

#define IS_DIGIT(c)   ((c) >= '0' && (c) <= '9')
#define IS_ALPHA(c)   (((c) >= 'A' && (c) <= 'Z') || ((c) >= 'a' && (c) <= 'z'))
#define IS_VISIBLE(c) ((c) >= 0x21 && (c) <= 0x7e)
#define IS_VALUE(c)   (IS_VISIBLE(c) || (c) == ' ' || (c) == '\t' || (c) >= 0x80)
#define IS_QUOTED(c)  (IS_VALUE(c) && (c) != '"' && (c) != '\\')
#define IS_QUERY(c)   (IS_VISIBLE(c) && (c) != '#')
#define IS_UNRESERVED(c) \
    (IS_ALPHA(c) || IS_DIGIT(c) || (c) == '-' || (c) == '.' || (c) == '_' || (c) == '~')
#define IS_SUB_DELIM(c)                                                                   \
    ((c) == '!' || (c) == '$' || (c) == '&' || (c) == '\'' || (c) == '(' || (c) == ')' || \
     (c) == '*' || (c) == '+' || (c) == ',' || (c) == ';' || (c) == '=')
#define IS_TOKEN(c)                                                                        \
    (IS_ALPHA(c) || IS_DIGIT(c) || (c) == '!' || (c) == '#' || (c) == '$' || (c) == '%' || \
     (c) == '&' || (c) == '\'' || (c) == '*' || (c) == '+' || (c) == '-' || (c) == '.' ||  \
     (c) == '^' || (c) == '_' || (c) == '`' || (c) == '|' || (c) == '~')
#define IS_RESERVED(c)                                                                   \
    ((c) == '#' || (c) == '$' || (c) == '&' || (c) == '+' || (c) == ',' || (c) == '/' || \
     (c) == ':' || (c) == ';' || (c) == '=' || (c) == '?' || (c) == '@' || (c) == '%')

#define CLASSES(c)                                                                       \
    ((IS_TOKEN(c) ? SKUA__CHAR_TOKEN : 0) | (IS_VALUE(c) ? SKUA__CHAR_VALUE : 0) |       \
     (IS_VISIBLE(c) ? SKUA__CHAR_VISIBLE : 0) | (IS_QUOTED(c) ? SKUA__CHAR_QUOTED : 0) | \
     (IS_UNRESERVED(c) ? SKUA__CHAR_UNRESERVED : 0) |                                    \
     (IS_UNRESERVED(c) || IS_SUB_DELIM(c) ? SKUA__CHAR_HOST : 0) |                       \
     (IS_RESERVED(c) ? SKUA__CHAR_RESERVED : 0) | (IS_QUERY(c) ? SKUA__CHAR_QUERY : 0))

#define ROW4(c)  CLASSES(c), CLASSES((c) + 1), CLASSES((c) + 2), CLASSES((c) + 3)
#define ROW16(c) ROW4(c), ROW4((c) + 4), ROW4((c) + 8), ROW4((c) + 12)
#define ROW64(c) ROW16(c), ROW16((c) + 16), ROW16((c) + 32), ROW16((c) + 48)

const uint8_t skua__char_classes[256] = {ROW64(0), ROW64(64), ROW64(128), ROW64(192)};

static inline size_t scan(const char *ptr, size_t len, enum skua__char_class class)
{
    size_t at = 0;

    while (at < len && skua__char_is(ptr[at], class))
        at++;
    return at;
}

size_t skua__scan_token(const char *ptr, size_t len)
{
    return scan(ptr, len, SKUA__CHAR_TOKEN);
}

size_t skua__scan_value(const char *ptr, size_t len)
{
    return scan(ptr, len, SKUA__CHAR_VALUE);
}

size_t skua__scan_visible(const char *ptr, size_t len)
{
    return scan(ptr, len, SKUA__CHAR_VISIBLE);
}

bool skua__equal_nocase(skua_str a, skua_str b)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++) {
        if (a.ptr[i] != b.ptr[i] && skua__char_lower(a.ptr[i]) != skua__char_lower(b.ptr[i]))
            return false;
    }
    return true;
}
