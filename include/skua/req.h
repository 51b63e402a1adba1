/* SPDX-License-Identifier: MIT */
/*
 * skua/req.h - the request
 *
 * Everything read from a request lives until its reply has been sent. Strings are zero-terminated
 * and hold no zero byte inside: an address, a form or a text with one is refused with 400. In JSON it
 * can be spelled (\u0000): skua_as_str tells the whole of such a string, skua_field does not give it.
 */
#ifndef SKUA_REQ_H
#define SKUA_REQ_H

#include <stddef.h>
#include <stdint.h>

#include <skua/app.h>
#include <skua/arena.h>
#include <skua/attr.h>
#include <skua/error.h>
#include <skua/hook.h>
#include <skua/method.h>
#include <skua/str.h>
#include <skua/value.h>

SKUA_C_BEGIN

/** Where everything of this request is allocated. */
SKUA_API skua_arena *skua_req_arena(skua_req *req);

SKUA_API enum skua_method skua_req_method(const skua_req *req);
/** The canonical path: decoded once, the one that routing used. Begins with "/". */
SKUA_API const char *skua_req_path(skua_req *req);
/** The pattern of the route, such as "/birds/:id"; "" for a request that no route matched. */
SKUA_API const char *skua_req_route(const skua_req *req);
/** `.data` of the route. */
SKUA_API void *skua_req_data(const skua_req *req);
/** The application that serves the request. */
SKUA_API skua_app *skua_req_app(const skua_req *req);
/** What `start` of skua_on_worker made on this worker; NULL for an unknown slot. */
SKUA_API void *skua_worker_data(const skua_req *req, int slot);

/** What was left in a slot of skua_decorate_req; NULL if nothing was. */
SKUA_API void *skua_req_slot(const skua_req *req, int slot);
/** Leave something for those who run later. Not owned. 0, SKUA_ERR_STATE for no slot, SKUA_ERR_NOMEM. */
SKUA_API int skua_req_set_slot(skua_req *req, int slot, void *value);

/** A parameter of the route, decoded; "*" is the wildcard's. NULL if the route has none such, or when
 * memory is gone. */
SKUA_API const char *skua_param(skua_req *req, const char *name);
/** A parameter as a whole number. 0, or a 400 (returned and described) if it is none. */
SKUA_API SKUA_MUST_CHECK int skua_param_int(skua_req *req, int64_t *out, const char *name);

/** The query as an object of strings; a name that is repeated has an array. NULL only when memory is
 * gone. */
SKUA_API const skua_value *skua_req_query(skua_req *req);
/** The first value of one query parameter, or `otherwise`. */
SKUA_API const char *skua_query(skua_req *req, const char *name, const char *otherwise);
/** The same as a whole number; `otherwise` if it is absent or none. */
SKUA_API int64_t skua_query_int(skua_req *req, const char *name, int64_t otherwise);

/** The first header field with this name, in any case of letters; NULL if there is none. */
SKUA_API const char *skua_req_header(const skua_req *req, const char *name);
/** Whether the peer would rather have HTML than JSON, by its Accept field (RFC 9110, 12.5.1). */
SKUA_API bool skua_req_prefers_html(const skua_req *req);
/** The authority the request was sent to (Host, or the absolute-form target); "" if unknown. */
SKUA_API skua_str skua_req_host(const skua_req *req);

/** The bytes of the body; empty if there is none. */
SKUA_API skua_str skua_req_body(const skua_req *req);
/**
 * The parsed body: any value for application/json, an object of strings for
 * application/x-www-form-urlencoded, a string for text/plain; undefined (NULL) if there is none.
 */
SKUA_API const skua_value *skua_body(const skua_req *req);
/** The first value of one field of a form or of a JSON object's string; `otherwise` if it is absent. */
SKUA_API const char *skua_field(const skua_req *req, const char *name, const char *otherwise);

/** The failure that is being answered, in onError, error handlers and onResponse; else NULL. */
SKUA_API const skua_error *skua_req_error(const skua_req *req);

/** Write a line to the application's log, with the request's method and path before it. */
SKUA_API SKUA_PRINTF(3, 4) void skua_log(skua_req *req, enum skua_log_level level,
                                         const char *format, ...);

SKUA_C_END

#endif
