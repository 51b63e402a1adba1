/* SPDX-License-Identifier: MIT */
/*
 * target.c - the one reading of a request target (RFC 9112, 3.2)
 *
 *   "*"                                 path "*"
 *   "/" path [ "?" query ]              origin form
 *   http[s]://host[:port] the same      absolute form; no path there means "/"
 *
 * Anything else is refused: another scheme, authority form, a fragment, a raw byte that is not
 * visible ASCII (UTF-8 comes escaped), a raw backslash in the path (browsers and URL libraries read
 * it as a slash, so it would be two paths), a broken escape, an escaped control byte, escapes that
 * are not well-formed UTF-8.
 *
 * What guards and static files may rely on: two targets that name the same segments have the same
 * path here. "%61dmin" is "admin" and "%2e%2e" is "..", so one comparison sees every spelling; an
 * escaped slash stays "%2F" (in the case it came in) and is never a separator; "%25" stays, so
 * nothing is decoded twice. What they must do themselves: empty and dot segments ("//", "/./",
 * "/../") are not folded, because folding after routing is how guards are walked around. A server
 * of files refuses the segments "." and "..", and any segment that holds a '/' once its last
 * escapes are decoded.
 *
 * Nothing is copied unless there is an escape in the path.
 */
#include "text/target.h"

#include "base/utf8.h"
#include "text/host.h"
#include "text/percent.h"
#include "text/scan.h"

#include <skua/err.h>

static bool has_scheme(skua_str raw, skua_str scheme)
{
    return raw.len >= scheme.len && skua__equal_nocase(skua_str_of(raw.ptr, scheme.len), scheme);
}

/* Take "http://host:port" off the front of an absolute-form target. */
static int take_authority(struct skua__target *out, skua_str *raw)
{
    static const skua_str schemes[] = {{"http://", 7}, {"https://", 8}};
    size_t start = 0, end;

    for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
        if (has_scheme(*raw, schemes[i]))
            start = schemes[i].len;
    }
    if (start == 0)
        return SKUA_ERR_BAD_INPUT;
    for (end = start; end < raw->len && raw->ptr[end] != '/' && raw->ptr[end] != '?'; end++)
        ;
    out->host = skua_str_of(raw->ptr + start, end - start);
    *raw = skua_str_of(raw->ptr + end, raw->len - end);
    return skua__host_valid(out->host) ? 0 : SKUA_ERR_BAD_INPUT;
}

/* Split "/path?query" and check the alphabet of both. */
static int split(struct skua__target *out, skua_str raw, bool *escaped)
{
    size_t at;

    *escaped = false;
    for (at = 0; at < raw.len && raw.ptr[at] != '?'; at++) {
        if (!skua__char_is(raw.ptr[at], SKUA__CHAR_QUERY) || raw.ptr[at] == '\\')
            return SKUA_ERR_BAD_INPUT;
        *escaped |= raw.ptr[at] == '%';
    }
    out->path = at > 0 ? skua_str_of(raw.ptr, at) : SKUA_STR("/");
    if (at == raw.len)
        return 0;
    out->query = skua_str_of(raw.ptr + at + 1, raw.len - at - 1);
    for (at++; at < raw.len; at++) {
        if (!skua__char_is(raw.ptr[at], SKUA__CHAR_QUERY))
            return SKUA_ERR_BAD_INPUT;
    }
    return 0;
}

/* Decode the escapes of `path` into `out`, but for the reserved ones. The length or an error. */
static long decode_unreserved(char *out, skua_str path)
{
    size_t len = 0;

    for (size_t at = 0; at < path.len; at++) {
        char c = path.ptr[at];

        if (c == '%') {
            int value = skua__escape_value(path, at);

            if (value < 0x20 || value == 0x7f)
                return SKUA_ERR_BAD_INPUT;
            if (!skua__char_is((char)value, SKUA__CHAR_RESERVED)) {
                c = (char)value;
                at += 2;
            } /* else the '%' stays, and its digits follow as plain bytes */
        }
        out[len++] = c;
    }
    return (long)len;
}

static int decode_path(skua_str *path, skua_arena *arena)
{
    char *text = skua_alloc(arena, path->len);
    long len;

    if (text == NULL)
        return SKUA_ERR_NOMEM;
    len = decode_unreserved(text, *path);
    if (len < 0)
        return (int)len;
    *path = skua_str_of(text, (size_t)len);
    return skua__utf8_valid(*path) == path->len ? 0 : SKUA_ERR_BAD_INPUT;
}

int skua__target_read(struct skua__target *out, skua_arena *arena, skua_str raw)
{
    bool escaped;
    int err = 0;

    *out = (struct skua__target){SKUA_STR(""), SKUA_STR(""), SKUA_STR("")};
    if (skua_str_eq(raw, SKUA_STR("*"))) {
        out->path = raw;
        return 0;
    }
    if (raw.len == 0 || raw.ptr[0] != '/')
        err = take_authority(out, &raw);
    if (err == 0)
        err = split(out, raw, &escaped);
    if (err == 0 && escaped)
        err = decode_path(&out->path, arena);
    return err;
}

int skua__segment_decode(skua_str *out, skua_arena *arena, skua_str segment)
{
    char *text = skua_alloc(arena, segment.len + 1);
    long len;

    *out = SKUA_STR("");
    if (text == NULL)
        return SKUA_ERR_NOMEM;
    len = skua__percent_decode(text, segment, false);
    if (len < 0)
        return (int)len;
    text[len] = '\0';
    *out = skua_str_of(text, (size_t)len);
    return 0;
}
