/* SPDX-License-Identifier: MIT */
/*
 * skua/version.h - which Skua this is (semantic versioning)
 */
#ifndef SKUA_VERSION_H
#define SKUA_VERSION_H

#include <skua/attr.h>

SKUA_C_BEGIN

#define SKUA_VERSION_MAJOR 0
#define SKUA_VERSION_MINOR 1
#define SKUA_VERSION_PATCH 0
#define SKUA_VERSION       "0.1.0"

/** The version of the library that is linked, such as "0.1.0". */
SKUA_API const char *skua_version(void);

SKUA_C_END

#endif
