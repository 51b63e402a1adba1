/* SPDX-License-Identifier: MIT */
/*
 * media_range.c - "type/subtype" and its parameters (RFC 9110, 5.6.6 and 8.3.1)
 *
 * A reader holds a slice of what is left and takes parts off its front. Nothing is copied and
 * nothing is put back; every byte is looked at a bounded number of times, whatever the input.
 *
 * No white space is taken around '=' and '/': the grammar has none there.
 */
#include "text/media_range.h"

#include "text/scan.h"

static skua_str take(skua_str *rest, size_t len)
{
    skua_str front = skua_str_of(rest->ptr, len);

    *rest = skua_str_of(rest->ptr + len, rest->len - len);
    return front;
}

static skua_str take_token(skua_str *rest)
{
    return take(rest, skua__scan_token(rest->ptr, rest->len));
}

static bool take_char(skua_str *rest, char c)
{
    if (rest->len == 0 || rest->ptr[0] != c)
        return false;
    take(rest, 1);
    return true;
}

void skua__blanks_take(skua_str *rest)
{
    while (rest->len > 0 && skua__char_is_blank(rest->ptr[0]))
        take(rest, 1);
}

bool skua__media_range_take(struct skua__media_range *out, skua_str *rest)
{
    skua__blanks_take(rest);
    out->type = take_token(rest);
    if (out->type.len == 0 || !take_char(rest, '/'))
        return false;
    out->subtype = take_token(rest);
    if (out->subtype.len == 0)
        return false;
    out->essence = skua_str_of(out->type.ptr, out->type.len + 1 + out->subtype.len);
    skua__blanks_take(rest);
    return true;
}

/* A quoted string whose opening quote is taken already (RFC 9110, 5.6.4). */
static bool take_quoted(skua_str *value, skua_str *rest)
{
    size_t at = 0;

    while (at < rest->len && rest->ptr[at] != '"') {
        if (rest->ptr[at] == '\\')
            at++;
        else if (!skua__char_is(rest->ptr[at], SKUA__CHAR_QUOTED))
            return false;
        if (at == rest->len || !skua__char_is(rest->ptr[at], SKUA__CHAR_VALUE))
            return false;
        at++;
    }
    *value = take(rest, at);
    return take_char(rest, '"');
}

static bool take_value(struct skua__media_param *out, skua_str *rest)
{
    out->quoted = take_char(rest, '"');
    if (out->quoted)
        return take_quoted(&out->value, rest);
    out->value = take_token(rest);
    return out->value.len > 0;
}

int skua__media_param_take(struct skua__media_param *out, skua_str *rest)
{
    if (!take_char(rest, ';'))
        return 0;
    do { /* a semicolon with nothing behind it is allowed */
        skua__blanks_take(rest);
    } while (take_char(rest, ';'));
    out->name = take_token(rest);
    if (out->name.len == 0)
        return rest->len == 0 || rest->ptr[0] == ',' ? 0 : -1;
    if (!take_char(rest, '=') || !take_value(out, rest))
        return -1;
    skua__blanks_take(rest);
    return 1;
}
