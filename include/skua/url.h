/* SPDX-License-Identifier: MIT */
/*
 * skua/url.h - text in addresses
 */
#ifndef SKUA_URL_H
#define SKUA_URL_H

#include <skua/arena.h>
#include <skua/attr.h>

SKUA_C_BEGIN

/**
 * Percent-encode text so that it can stand as one segment of a path or one value of a query: all but
 * letters, digits and -._~ become %XX (RFC 3986, 2.3). encodeURIComponent of JavaScript, but stricter.
 *
 * @param text  zero-terminated; NULL gives NULL
 * @return the encoded text in `arena`; NULL when memory is gone
 */
SKUA_API const char *skua_url_encode(skua_arena *arena, const char *text);

SKUA_C_END

#endif
