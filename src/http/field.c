/* SPDX-License-Identifier: MIT */
/*
 * field.c - header field names, values and lists (RFC 9110, 5)
 *
 * The number of a known name is found by one look-up and one comparison: for the names in the map
 * (length + first letter) mod 32 gives each a slot of its own. The compiler warns when two rows here
 * meet, and a test holds the rows to the map.
 */
#include "http/field.h"

#include "text/scan.h"

#define SLOTS                32
#define SLOT(first, name)    (((first) + sizeof(name) - 1) % SLOTS)
#define ROW(first, id, name) [SLOT(first, name)] = SKUA__FIELD_##id

static const uint8_t slots[SLOTS] = {
    ROW('a', ACCEPT, "accept"),
    ROW('c', CONNECTION, "connection"),
    ROW('c', CONTENT_LENGTH, "content-length"),
    ROW('c', CONTENT_TYPE, "content-type"),
    ROW('c', COOKIE, "cookie"),
    ROW('e', EXPECT, "expect"),
    ROW('h', HOST, "host"),
    ROW('i', IF_MODIFIED_SINCE, "if-modified-since"),
    ROW('i', IF_NONE_MATCH, "if-none-match"),
    ROW('t', TRANSFER_ENCODING, "transfer-encoding"),
    ROW('u', UPGRADE, "upgrade"),
    ROW('u', USER_AGENT, "user-agent"),
};

#define WORD sizeof(uint64_t)

static const struct {
    char text[3 * WORD];
    size_t len;
} names[SKUA__FIELD_ID_COUNT] = {
#define NAME(id, name) [SKUA__FIELD_##id] = {name, sizeof(name) - 1},
    SKUA__FIELD_MAP(NAME)
#undef NAME
};

/* Up to eight bytes as a number, the same for the same bytes. */
static inline uint64_t load_word(const char *ptr, size_t len)
{
    uint64_t word = 0;
    uint32_t start, end;

    if (len >= WORD) {
        memcpy(&word, ptr, WORD);
        return word;
    }
    if (len < sizeof(end)) {
        while (len > 0)
            word = word << 8 | (unsigned char)ptr[--len];
        return word;
    }
    memcpy(&start, ptr, sizeof(start));
    memcpy(&end, ptr + len - sizeof(end), sizeof(end));
    return start | (uint64_t)end << 8 * (len - sizeof(end));
}

static bool is_name(enum skua__field_id id, skua_str name)
{
    if (name.len != names[id].len)
        return false;
    for (size_t at = 0; at < name.len; at += WORD) {
        size_t rest = name.len - at;
        uint64_t known = load_word(names[id].text + at, rest);
        uint64_t letters = known & UINT64_C(0x4040404040404040);

        if ((load_word(name.ptr + at, rest) | letters >> 1) != known)
            return false;
    }
    return true;
}

enum skua__field_id skua__field_id_of(skua_str name)
{
    enum skua__field_id id;

    if (name.len == 0)
        return SKUA__FIELD_OTHER;
    id = slots[((unsigned char)skua__char_lower(name.ptr[0]) + name.len) % SLOTS];
    return is_name(id, name) ? id : SKUA__FIELD_OTHER;
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
