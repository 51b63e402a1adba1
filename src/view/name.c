/* SPDX-License-Identifier: MIT */
/*
 * name.c - the names of templates
 *
 * A name is checked here once, before it is looked up or loaded, whoever it comes from. There is no
 * normalising: "a//b" and "./a" are refused, not repaired, so a template has exactly one name and
 * the cache cannot hold it twice.
 */
#include "view/name.h"

static const char *segment_wrong(skua_str segment)
{
    if (segment.len == 0)
        return "has an empty part";
    if (skua_str_eq(segment, SKUA_STR(".")) || skua_str_eq(segment, SKUA_STR("..")))
        return "has a part '.' or '..'";
    for (size_t i = 0; i < segment.len; i++) {
        if ((unsigned char)segment.ptr[i] < ' ' || segment.ptr[i] == 0x7f)
            return "holds a control character";
        if (segment.ptr[i] == '\\')
            return "holds a backslash";
    }
    return NULL;
}

const char *skua__name_wrong(skua_str name)
{
    const char *wrong = NULL;

    if (name.len == 0)
        return "is empty";
    if (name.len > SKUA__MAX_NAME)
        return "is too long";
    if (name.ptr[0] == '/')
        return "begins with '/'";
    for (size_t start = 0; start <= name.len && wrong == NULL;) {
        const char *rest = name.ptr + start;
        const char *slash = memchr(rest, '/', name.len - start);
        size_t len = slash != NULL ? (size_t)(slash - rest) : name.len - start;

        wrong = segment_wrong(skua_str_of(rest, len));
        start += len + 1;
    }
    return wrong;
}

skua_str skua__name_extension(skua_str name)
{
    for (size_t i = name.len; i > 0 && name.ptr[i - 1] != '/'; i--) {
        if (name.ptr[i - 1] == '.')
            return skua_str_of(name.ptr + i, name.len - i);
    }
    return SKUA_STR("");
}
