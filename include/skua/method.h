/* SPDX-License-Identifier: MIT */
/*
 * skua/method.h - the request methods that can be routed (RFC 9110, 9; RFC 5789; QUERY)
 */
#ifndef SKUA_METHOD_H
#define SKUA_METHOD_H

#include <skua/attr.h>

SKUA_C_BEGIN

/* X(name) */
#define SKUA_METHOD_MAP(X) X(GET) X(HEAD) X(POST) X(PUT) X(DELETE) X(PATCH) X(OPTIONS) X(QUERY)

enum skua_method {
#define SKUA_METHOD_ENUM(name) SKUA_##name,
    SKUA_METHOD_MAP(SKUA_METHOD_ENUM)
#undef SKUA_METHOD_ENUM
        SKUA_METHOD_COUNT,
    SKUA_METHOD_UNKNOWN = SKUA_METHOD_COUNT /* any other token: such a request gets 501 */
};

/** "GET" for SKUA_GET; "" for anything that is not in the table. */
SKUA_API const char *skua_method_name(enum skua_method method);

SKUA_C_END

#endif
