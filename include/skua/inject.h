/* SPDX-License-Identifier: MIT */
/*
 * skua/inject.h - a request without a socket
 *
 *   skua_injected res;
 *   if (skua_inject(app, &res, .url = "/birds/7") == 0)
 *       assert(res.status == 200);
 *   skua_injected_finish(&res);
 *
 * The request goes the whole way, from the codec to the reply's bytes, over a transport in memory:
 * what a socket's peer would get is what you get. Workers' state is started for the first injection
 * and stopped by skua_app_free.
 *
 * Source: Fastify's Testing page (light-my-request).
 */
#ifndef SKUA_INJECT_H
#define SKUA_INJECT_H

#include <stddef.h>

#include <skua/app.h>
#include <skua/attr.h>
#include <skua/str.h>

SKUA_C_BEGIN

typedef struct skua_inject_opts {
    const char *method; /* NULL: GET, or POST with a payload */
    const char *url;    /* NULL: "/" */
    const char
        *headers;     /* whole lines, each ending in "\r\n"; NULL: none. Host is added if absent */
    const char *type; /* the payload's Content-Type; NULL: application/json */
    const char *payload; /* NULL: none */
    skua_str raw;        /* instead of all these: the very bytes, several requests if you like */
} skua_inject_opts;

typedef struct skua_injected {
    int status;       /* of the first final reply; 0 if the connection was closed without one */
    skua_str headers; /* its field lines */
    skua_str body;    /* its content, as the first reply of `raw` has it */
    skua_str raw;     /* all bytes that came back */
    bool closed;      /* the server closed the connection */
    char *memory;     /* private: holds the slices */
} skua_injected;

/**
 * Send one request (or raw bytes) into the application and wait for the reply on this thread.
 *
 * Not from inside a handler, and from one thread at a time.
 *
 * @return 0, SKUA_ERR_SETUP (see skua_app_mistakes), SKUA_ERR_NOMEM, SKUA_ERR_STATE while the app runs
 */
SKUA_API int skua_inject_with(skua_app *app, skua_injected *out, const skua_inject_opts *opts);

#ifndef __cplusplus
#define skua_inject(app, out, ...) skua_inject_with(app, out, &(skua_inject_opts){__VA_ARGS__})
#endif

/** Free what skua_inject gave. A zeroed struct is fine. */
SKUA_API void skua_injected_finish(skua_injected *injected);

SKUA_C_END

#endif
