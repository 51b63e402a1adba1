/* SPDX-License-Identifier: MIT */
#ifndef SKUA__HTTP_FORM_H
#define SKUA__HTTP_FORM_H

#include <skua/arena.h>
#include <skua/str.h>
#include <skua/value.h>

/* The most fields taken: 1000. */
#define SKUA__FORM_MAX_FIELDS 1000

/*
 * Read application/x-www-form-urlencoded (WHATWG URL, 5.1), also the query of an address, into an
 * object of strings. A name that comes again makes its value an array of all, in order. Names and
 * values must decode to well-formed UTF-8 without NUL.
 *
 * 0, SKUA_ERR_BAD_FORM, SKUA_ERR_TOO_LARGE past SKUA__FORM_MAX_FIELDS, SKUA_ERR_NOMEM.
 */
int skua__form_read(skua_value **out, skua_arena *arena, skua_str text);

#endif
