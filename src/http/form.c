/* SPDX-License-Identifier: MIT */
/*
 * form.c - application/x-www-form-urlencoded into an object (WHATWG URL, 5.1)
 *
 *   name "=" value, joined by "&"; '+' is a space, %XX a byte, a '%' that begins no escape is itself
 *
 * Stricter than the standard in one point: what decodes to ill-formed UTF-8 or holds a zero byte is
 * refused instead of being patched, because nobody means it and everything behind would have to
 * cope. Brackets in names mean nothing here.
 *
 * The decoded text of all fields lives in one block of the arena. A value is zero-terminated there: the
 * separator behind it, or the end, has paid for that byte. Names are copied by the object.
 */
#include "http/form.h"

#include "base/utf8.h"
#include "text/percent.h"

#include <skua/err.h>

/* Take everything before the first `c` off the front, and `c` itself. */
static skua_str take_until(skua_str *rest, char c)
{
    const char *found = rest->len > 0 ? memchr(rest->ptr, c, rest->len) : NULL;
    size_t len = found != NULL ? (size_t)(found - rest->ptr) : rest->len;
    skua_str front = skua_str_of(rest->ptr, len);
    size_t used = found != NULL ? len + 1 : len;

    *rest = skua_str_of(rest->ptr + used, rest->len - used);
    return front;
}

/* Decode `raw` at *room and move *room behind it. */
static int decode(skua_str *out, char **room, skua_str raw)
{
    long len = skua__percent_decode(*room, raw, true);

    if (len < 0)
        return SKUA_ERR_BAD_FORM;
    *out = skua_str_of(*room, (size_t)len);
    *room += len;
    if (skua__utf8_valid(*out) != out->len || (len > 0 && memchr(out->ptr, 0, out->len) != NULL))
        return SKUA_ERR_BAD_FORM;
    return 0;
}

/* Set name to value; the second value of a name makes an array of both. */
static void add_field(skua_value *form, skua_arena *arena, skua_str name, skua_str value)
{
    const skua_value *old = skua_get_key(form, name);
    skua_value *text = skua_string_static(arena, value);
    skua_value *all;

    switch (skua_kind_of(old)) {
    case SKUA_UNDEFINED:
        skua_set_key(form, name, text);
        break;
    case SKUA_ARRAY:
        skua_add_value((skua_value *)old, text); /* made below, so it is ours to change */
        break;
    default:
        all = skua_array(arena);
        skua_add_value(all, old);
        skua_add_value(all, text);
        skua_set_key(form, name, all);
    }
}

int skua__form_read(skua_value **out, skua_arena *arena, skua_str text)
{
    skua_value *form = skua_object(arena);
    char *room = skua_alloc(arena, text.len + 1);
    size_t count = 0;

    *out = NULL;
    if (form == NULL || room == NULL)
        return SKUA_ERR_NOMEM;
    while (text.len > 0) {
        skua_str value = take_until(&text, '&');
        skua_str name, raw_name;
        int err;

        if (value.len == 0)
            continue;
        if (++count > SKUA__FORM_MAX_FIELDS)
            return SKUA_ERR_TOO_LARGE;
        raw_name = take_until(&value, '=');
        if ((err = decode(&name, &room, raw_name)) != 0 ||
            (err = decode(&value, &room, value)) != 0)
            return err;
        *room++ = '\0';
        add_field(form, arena, name, value);
    }
    if (skua_arena_failed(arena))
        return SKUA_ERR_NOMEM;
    *out = form;
    return 0;
}
