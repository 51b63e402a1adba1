/* SPDX-License-Identifier: MIT */
/*
 * skua/attr.h - the attributes that the other headers use as documentation
 *
 * Each is a promise to the reader first and to the compiler second:
 *
 *   SKUA_API         exported from the library
 *   SKUA_YIELDS      the call may suspend the calling fiber (never the loop). It needs a fiber: on
 *                    any other stack it returns SKUA_ERR_NO_FIBER and does nothing
 *   SKUA_MUST_CHECK  the result says whether it worked; ignoring it is a warning
 *   SKUA_PRINTF      printf-style arguments, checked by the compiler
 */
#ifndef SKUA_ATTR_H
#define SKUA_ATTR_H

#ifdef __cplusplus
#define SKUA_C_BEGIN extern "C" {
#define SKUA_C_END   }
#else
#define SKUA_C_BEGIN
#define SKUA_C_END
#endif

#define SKUA_API __attribute__((visibility("default")))
#define SKUA_YIELDS
#define SKUA_MUST_CHECK                  __attribute__((warn_unused_result))
#define SKUA_PRINTF(format_at, first_at) __attribute__((format(printf, format_at, first_at)))

#endif
