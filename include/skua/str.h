/* SPDX-License-Identifier: MIT */
/*
 * skua/str.h - a slice: bytes that somebody else owns
 *
 * A slice is passed by value. It need not end in a zero byte and may hold any byte. `ptr` may be
 * NULL only when `len` is 0. How long the bytes live is said by the function that returned it.
 */
#ifndef SKUA_STR_H
#define SKUA_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <skua/attr.h>

SKUA_C_BEGIN

typedef struct skua_str {
    const char *ptr;
    size_t len;
} skua_str;

/** A slice of a string literal, its length known to the compiler. */
#define SKUA_STR(literal) skua_str_of("" literal "", sizeof(literal) - 1)

/** A slice of `len` bytes at `ptr`. */
static inline skua_str skua_str_of(const char *ptr, size_t len)
{
    skua_str s;

    s.ptr = ptr;
    s.len = len;
    return s;
}

/** A slice of a zero-terminated string; NULL gives the empty slice. */
static inline skua_str skua_str_c(const char *text)
{
    return skua_str_of(text, text != NULL ? strlen(text) : 0);
}

/** Whether two slices hold the same bytes. */
static inline bool skua_str_eq(skua_str a, skua_str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

SKUA_C_END

#endif
