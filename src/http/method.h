/* SPDX-License-Identifier: MIT */
#ifndef SKUA__HTTP_METHOD_H
#define SKUA__HTTP_METHOD_H

#include <skua/method.h>
#include <skua/str.h>

/* The method with this name (case-sensitive, RFC 9110, 9.1), or SKUA_METHOD_UNKNOWN. */
enum skua_method skua__method_read(skua_str name);

#endif
