/* SPDX-License-Identifier: MIT */
#ifndef SKUA__TEXT_MEDIA_TYPE_H
#define SKUA__TEXT_MEDIA_TYPE_H

#include <skua/arena.h>
#include <skua/str.h>
#include <stdbool.h>

/*
 * The one reading of a Content-Type (RFC 9110, 8.3.1). `essence` is "type/subtype" in lower case.
 * Parameters must be well formed; `charset` is the value of that parameter in lower case, or empty.
 */
struct skua__media_type {
    skua_str essence;
    skua_str charset;
};

/* 0, SKUA_ERR_MEDIA_TYPE when it is malformed, SKUA_ERR_NOMEM. */
int skua__media_type_read(struct skua__media_type *out, skua_arena *arena, skua_str text);

/*
 * Whether an Accept header prefers HTML to JSON for an error page: text/html (or a range over it)
 * has a higher quality than application/json, or an equal one by a more specific or earlier range.
 * An absent or malformed header does not.
 */
bool skua__accept_prefers_html(skua_str accept);

/* The media type for a file name's extension, "application/octet-stream" when it is unknown. */
skua_str skua__media_type_of_file(skua_str name);

#endif
