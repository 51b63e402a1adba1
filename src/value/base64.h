/* SPDX-License-Identifier: MIT */
#ifndef SKUA__VALUE_BASE64_H
#define SKUA__VALUE_BASE64_H

#include <skua/str.h>

/* How many bytes skua__base64_write writes for `len`. */
static inline size_t skua__base64_size(size_t len)
{
    return len / 3 * 4 + (len % 3 != 0 ? 4 : 0);
}

/* Write bytes in base64 (RFC 4648, section 4), with padding; returns the place behind. */
char *skua__base64_write(char *to, skua_str bytes);

#endif
