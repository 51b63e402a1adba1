/* SPDX-License-Identifier: MIT */
#ifndef SKUA__TEXT_PERCENT_H
#define SKUA__TEXT_PERCENT_H

#include "base/buf.h"
#include <skua/str.h>
#include <stdbool.h>

/* The value of a hexadecimal digit, or -1. */
int skua__hex_value(char c);

/* The byte that the escape "%XX" at `in.ptr[at]` stands for, or -1 when it is broken. */
int skua__escape_value(skua_str in, size_t at);

/*
 * Percent-decode into `out` (which may be `in.ptr`: the result is never longer). `form` reads by the
 * rules of forms: '+' is a space, and a '%' that begins no escape stays as it is. Returns the
 * length, or SKUA_ERR_BAD_INPUT for an escape that yields a zero byte or, without `form`, is broken.
 */
long skua__percent_decode(char *out, skua_str in, bool form);

/* Append `in` with everything but the unreserved characters of RFC 3986 escaped. */
void skua__percent_encode(struct skua__buf *buf, skua_str in);

#endif
