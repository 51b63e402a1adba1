/* SPDX-License-Identifier: MIT */
/*
 * method.c - method names and their numbers (RFC 9110, 9)
 *
 * A method is case-sensitive, and no name in the table is longer than seven bytes. So a name and its
 * length fit one word, and finding it is a comparison of numbers.
 */
#include "http/method.h"

#include <stdint.h>

#define LONGEST 7

static const char *const names[] = {
#define NAME(name) #name,
    SKUA_METHOD_MAP(NAME)
#undef NAME
};

/* The bytes of a name with its length behind them; 0 for one that is too long to be in the table. */
static uint64_t pack(const char *name, size_t len)
{
    uint64_t word = len;

    if (len > LONGEST)
        return 0;
    for (size_t i = 0; i < len; i++)
        word = word << 8 | (unsigned char)name[i];
    return word;
}

const char *skua_method_name(enum skua_method method)
{
    return method < SKUA_METHOD_COUNT ? names[method] : "";
}

enum skua_method skua__method_read(skua_str name)
{
    uint64_t word = pack(name.ptr, name.len);

#define FIND(method)                                \
    if (word == pack(#method, sizeof(#method) - 1)) \
        return SKUA_##method;
    SKUA_METHOD_MAP(FIND)
#undef FIND
    return SKUA_METHOD_UNKNOWN;
}
