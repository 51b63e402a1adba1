/* SPDX-License-Identifier: MIT */
#ifndef SKUA__BASE_UTF8_H
#define SKUA__BASE_UTF8_H

#include <skua/str.h>
#include <stdint.h>

/* How many bytes from the start are well-formed UTF-8 (RFC 3629: no surrogates, no overlongs). */
size_t skua__utf8_valid(skua_str text);

/* Write a code point (not a surrogate, <= 0x10FFFF) as 1 to 4 bytes; returns how many. */
size_t skua__utf8_encode(char out[4], uint32_t point);

#endif
