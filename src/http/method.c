/* SPDX-License-Identifier: MIT */
/*
 * method.c - method names and their numbers (RFC 9110, 9)
 *
 * A method is case-sensitive. The lengths in the table are known to the compiler, so a comparison
 * costs an instruction or two, and the commonest methods are at its front.
 */
#include "http/method.h"

static const char *const names[] = {
#define NAME(name) #name,
    SKUA_METHOD_MAP(NAME)
#undef NAME
};

const char *skua_method_name(enum skua_method method)
{
    return method < SKUA_METHOD_COUNT ? names[method] : "";
}

enum skua_method skua__method_read(skua_str name)
{
#define FIND(method)                          \
    if (skua_str_eq(name, SKUA_STR(#method))) \
        return SKUA_##method;
    SKUA_METHOD_MAP(FIND)
#undef FIND
    return SKUA_METHOD_UNKNOWN;
}
