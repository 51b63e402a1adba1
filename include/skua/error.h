/* SPDX-License-Identifier: MIT */
/*
 * skua/error.h - what went wrong with a request
 *
 * A failure is a negative code plus a skua_error on the request:
 *
 *   return skua_fail(req, 404, "NO_BIRD", "there is no bird with the number %d", id);
 *
 * A bare negative code becomes one from the table in skua/err.h.
 */
#ifndef SKUA_ERROR_H
#define SKUA_ERROR_H

#include <skua/attr.h>
#include <skua/hook.h>

SKUA_C_BEGIN

struct skua_error {
    int code;           /* negative; SKUA_ERR_… or a negated errno */
    int status;         /* of the reply, 400 to 599 */
    const char *name;   /* stable, for programs: "NO_BIRD", "SKUA_ERR_NOT_FOUND" */
    const char *text;   /* one line for people. Shown to the peer below 500; from 500 on only in
                           development and in the log */
    const char *detail; /* more for the developer: a template's place and excerpt; or NULL */
};
typedef struct skua_error skua_error;

/**
 * Describe a failure of the request, in its arena; a later one replaces it.
 *
 * @param status  400 to 599; anything else becomes 500
 * @param name    a stable code, kept by pointer (use a literal)
 * @param format  printf-style, the text
 * @return always a negative code, to be returned from the handler
 */
SKUA_API SKUA_PRINTF(4, 5) int skua_fail(skua_req *req, int status, const char *name,
                                         const char *format, ...);

SKUA_C_END

#endif
