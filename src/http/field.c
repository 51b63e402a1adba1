/* SPDX-License-Identifier: MIT */
/*
 * field.c - header field names, values and lists (RFC 9110, 5)
 *
 * A known name is found by its length, then its bytes are compared eight or four at a time. The
 * lengths and the bytes are constants, from which the compiler makes a jump and a few instructions.
 */
#include "http/field.h"

#include "text/scan.h"

/* Whether eight bytes are `known`, which is in lower case, when letters lose their 0x20. */
static inline bool same_word(const char *ptr, const char *known)
{
    uint64_t word, expected;

    memcpy(&word, ptr, sizeof(word));
    memcpy(&expected, known, sizeof(expected));
    return (word | (expected & UINT64_C(0x4040404040404040)) >> 1) == expected;
}

static inline bool same_half(const char *ptr, const char *known)
{
    uint32_t half, expected;

    memcpy(&half, ptr, sizeof(half));
    memcpy(&expected, known, sizeof(expected));
    return (half | (expected & UINT32_C(0x40404040)) >> 1) == expected;
}

/* The last comparison overlaps the one before. No known name is shorter than four bytes. */
static inline bool same_name(const char *ptr, const char *known, size_t len)
{
    if (len < 8)
        return same_half(ptr, known) && same_half(ptr + len - 4, known + len - 4);
    for (size_t at = 0; at + 8 < len; at += 8) {
        if (!same_word(ptr + at, known + at))
            return false;
    }
    return same_word(ptr + len - 8, known + len - 8);
}

enum skua__field_id skua__field_id_of(skua_str name)
{
#define FIND(id, text)                                                               \
    _Static_assert(sizeof(text) > 4, "shorter than a comparison");                   \
    if (name.len == sizeof(text) - 1 && same_name(name.ptr, text, sizeof(text) - 1)) \
        return SKUA__FIELD_##id;
    SKUA__FIELD_MAP(FIND)
#undef FIND
    return SKUA__FIELD_OTHER;
}

bool skua__field_name_eq(skua_str a, skua_str b)
{
    return skua__equal_nocase(a, b);
}

bool skua__token_valid(skua_str name)
{
    return name.len > 0 && skua__scan_token(name.ptr, name.len) == name.len;
}

bool skua__field_value_valid(skua_str value)
{
    if (value.len == 0)
        return true;
    return !skua__char_is_blank(value.ptr[0]) && !skua__char_is_blank(value.ptr[value.len - 1]) &&
           skua__scan_value(value.ptr, value.len) == value.len;
}

/* Where the element that starts at 0 ends: at a comma outside of quotes, or at the end. */
static size_t element_length(skua_str text)
{
    bool quoted = false;
    size_t at;

    for (at = 0; at < text.len; at++) {
        if (quoted && text.ptr[at] == '\\' && at + 1 < text.len)
            at++;
        else if (text.ptr[at] == '"')
            quoted = !quoted;
        else if (text.ptr[at] == ',' && !quoted)
            break;
    }
    return at;
}

bool skua__list_next(skua_str *element, skua_str *rest)
{
    size_t len;

    while (rest->len > 0 && (rest->ptr[0] == ',' || skua__char_is_blank(rest->ptr[0])))
        *rest = skua_str_of(rest->ptr + 1, rest->len - 1);
    if (rest->len == 0)
        return false;
    len = element_length(*rest);
    *element = skua_str_of(rest->ptr, len);
    *rest = skua_str_of(rest->ptr + len, rest->len - len);
    while (skua__char_is_blank(element->ptr[element->len - 1]))
        element->len--;
    return true;
}
