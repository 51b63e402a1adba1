/* SPDX-License-Identifier: MIT */
/*
 * skua/static.h - files from a folder
 *
 *   skua_static(app, .root = "public", .prefix = "/assets");
 *
 * Only regular files below the root are served: no "..", no encoded separator and no symbolic link
 * leads out of it, no hidden file (".env") is found, no folder is listed; a path that ends in a slash
 * stands for the index.html there. Replies carry an ETag and nosniff; a matching If-None-Match gives
 * 304. Large files are streamed.
 *
 * Source: @fastify/static.
 */
#ifndef SKUA_STATIC_H
#define SKUA_STATIC_H

#include <stdint.h>

#include <skua/app.h>
#include <skua/attr.h>
#include <skua/reply.h>
#include <skua/req.h>

SKUA_C_BEGIN

typedef struct skua_static_opts {
    skua_app *app;
    const char *root;   /* NULL: "public" */
    const char *prefix; /* NULL: "/" */
    uint32_t max_age;   /* seconds for Cache-Control; 0: "no-cache", ask each time */
} skua_static_opts;

/** Serve a folder under a prefix (GET and HEAD). */
SKUA_API void skua_static_with(const skua_static_opts *opts);

#ifndef __cplusplus
#define skua_static(...) skua_static_with(&(skua_static_opts){.app = __VA_ARGS__})
#endif

/**
 * Reply with one file.
 *
 * @param root  the folder that `path` may not leave
 * @param path  as it came from the peer, decoded
 * @return 0; SKUA_ERR_NOT_FOUND for everything that is not to be served; SKUA_ERR_NOMEM,
 *         SKUA_ERR_CANCELED, a negated errno
 */
SKUA_API SKUA_YIELDS int skua_reply_static(skua_req *req, skua_reply *reply, const char *root,
                                           const char *path);

SKUA_C_END

#endif
