/* SPDX-License-Identifier: MIT */
/*
 * skua/reply.h - describing the reply
 *
 * These calls send nothing. They record, copying text and bytes into the request's arena (values, and
 * what a stream is given, are kept by pointer and have to live until the reply has been sent); the
 * reply goes out after the handler has returned, from one place. So a handler may describe in any
 * order, and a failure later on throws the description away.
 *
 * The calls that set the content return 0, so a handler can end with `return skua_reply_…(…)`. A
 * second one in the same phase returns SKUA_ERR_REPLIED; hooks and error handlers may replace.
 *
 * Source: Fastify's Reply page.
 */
#ifndef SKUA_REPLY_H
#define SKUA_REPLY_H

#include <stddef.h>

#include <skua/attr.h>
#include <skua/hook.h>
#include <skua/str.h>
#include <skua/value.h>

SKUA_C_BEGIN

/* ---- head ---- */

/** The status, 200 to 599; anything else makes the reply a 500 that says so. Default 200. */
SKUA_API void skua_reply_status(skua_reply *reply, int status);

/**
 * Set a header field; an earlier one with this name is replaced, except set-cookie, which adds up.
 *
 * @return 0; SKUA_ERR_BAD_HEADER for a name that is no token, a value with CR, LF, NUL or another
 *         control byte (nothing is set, so no reply can be split), or a name that Skua itself owns
 *         (content-length, transfer-encoding, connection, date); SKUA_ERR_NOMEM
 */
SKUA_API int skua_reply_header(skua_reply *reply, const char *name, const char *value);

/** The media type of the content, such as "text/csv; charset=utf-8". As skua_reply_header. */
SKUA_API int skua_reply_type(skua_reply *reply, const char *media_type);

/* ---- content: one of these ---- */

/** A value, as JSON. NULL reads as undefined and is sent as null; when it is the NULL of a builder that
 * ran out of memory, the reply becomes 503. */
SKUA_API int skua_reply_send(skua_reply *reply, const skua_value *value);
/** Text; text/plain unless a type is set. */
SKUA_API int skua_reply_text(skua_reply *reply, const char *text);
/** A piece of HTML; text/html unless a type is set. */
SKUA_API int skua_reply_html(skua_reply *reply, const char *html);
/** Any bytes; application/octet-stream unless a type is set. */
SKUA_API int skua_reply_bytes(skua_reply *reply, const void *data, size_t len);
/** As skua_reply_bytes without a copy: constants, or memory of the request's arena. */
SKUA_API int skua_reply_bytes_static(skua_reply *reply, const void *data, size_t len);
/** A page of the scope's views (skua/view.h), rendered after the handler. `data` may be NULL. */
SKUA_API int skua_reply_view(skua_reply *reply, const char *page, const skua_value *data);
/** Go elsewhere. @param status 301, 302, 303, 307 or 308; 0: 302. The reply has no content. */
SKUA_API int skua_reply_redirect(skua_reply *reply, const char *location, int status);
/** No content: a 200 becomes 204 only if you say so with skua_reply_status. */
SKUA_API int skua_reply_empty(skua_reply *reply);

/**
 * Content that is produced piece by piece while it is sent, with backpressure: the next piece is
 * asked for when the one before is on its way.
 *
 * `next` runs on the request's fiber and may wait. It sets *piece (which must live until it is called
 * again) and returns 0; an empty piece ends the content. A negative result after the head has gone
 * out cuts the connection, as nothing else could tell the peer.
 *
 * @param length  the exact number of bytes, or -1 when it is not known
 */
SKUA_API int skua_reply_stream(skua_reply *reply, int (*next)(void *ctx, skua_str *piece),
                               void *ctx, int64_t length);

/* ---- looking at it and changing it, in hooks ---- */

SKUA_API int skua_reply_get_status(const skua_reply *reply);
/** A field that was set, or NULL. */
SKUA_API const char *skua_reply_get_header(const skua_reply *reply, const char *name);
/** In preSerialization: the value that will be sent or rendered; NULL if there is none. */
SKUA_API const skua_value *skua_reply_value(const skua_reply *reply);
/** In onSend: the bytes that will be sent; empty for a stream. */
SKUA_API skua_str skua_reply_body(const skua_reply *reply);

SKUA_C_END

#endif
