/* SPDX-License-Identifier: MIT */
/*
 * media_type.c - Content-Type read strictly (RFC 9110, 8.3.1)
 *
 *   OWS type "/" subtype *( OWS ";" OWS [ name "=" ( token / quoted-string ) ] ) OWS
 *
 * Everything of the value must belong to that grammar; anything behind it, a comma included, makes
 * the whole value malformed. So the body parser, the schema and a guard cannot see different types
 * in one field. Of two parameters with one name the first counts.
 *
 * Results point into the text where it is in lower case already, and into the arena otherwise.
 */
#include "text/media_type.h"

#include "text/media_range.h"
#include "text/scan.h"

#include <skua/err.h>

/* `text` in lower case. `quoted` also takes away the backslashes of quoted pairs. */
static int lower(skua_str *out, skua_arena *arena, skua_str text, bool quoted)
{
    bool same = true;
    size_t len = 0;
    char *copy;

    for (size_t i = 0; i < text.len; i++)
        same &= text.ptr[i] == skua__char_lower(text.ptr[i]) && !(quoted && text.ptr[i] == '\\');
    *out = text;
    if (same)
        return 0;
    copy = skua_alloc(arena, text.len);
    if (copy == NULL)
        return SKUA_ERR_NOMEM;
    for (size_t i = 0; i < text.len; i++) {
        if (quoted && text.ptr[i] == '\\')
            i++; /* the grammar has made sure that a byte follows */
        copy[len++] = skua__char_lower(text.ptr[i]);
    }
    *out = skua_str_of(copy, len);
    return 0;
}

int skua__media_type_read(struct skua__media_type *out, skua_arena *arena, skua_str text)
{
    struct skua__media_range range;
    struct skua__media_param param;
    bool has_charset = false;
    int err, more;

    *out = (struct skua__media_type){SKUA_STR(""), SKUA_STR("")};
    if (!skua__media_range_take(&range, &text))
        return SKUA_ERR_MEDIA_TYPE;
    err = lower(&out->essence, arena, range.essence, false);
    while (err == 0 && (more = skua__media_param_take(&param, &text)) != 0) {
        if (more < 0)
            return SKUA_ERR_MEDIA_TYPE;
        if (has_charset || !skua__equal_nocase(param.name, SKUA_STR("charset")))
            continue;
        has_charset = true;
        err = lower(&out->charset, arena, param.value, param.quoted);
    }
    return err != 0 || text.len == 0 ? err : SKUA_ERR_MEDIA_TYPE;
}
