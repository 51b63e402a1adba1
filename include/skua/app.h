/* SPDX-License-Identifier: MIT */
/*
 * skua/app.h - applications: routes, hooks, scopes, workers, lifecycle
 *
 * An application is described first and served afterwards. Describing calls return nothing:
 * mistakes (a bad pattern, a route declared twice, a missing folder, a broken template, no memory)
 * are collected, and skua_app_ready or skua_main reports all of them together, each with its place
 * and a next step. From then on nothing can be added; every worker reads the same flat tables.
 *
 * A skua_app is the root scope or a scope inside it (skua_scope, skua_register). Hooks, handlers of
 * errors and views of a scope hold for the routes in it and in the scopes below it, never outside.
 *
 * Options are structs in which zero is always the default. The macros fill them:
 *
 *   skua_get(app, "/birds/:id", show_bird, .data = db);
 *
 * Source: Fastify's Server, Routes, Hooks and Encapsulation pages.
 */
#ifndef SKUA_APP_H
#define SKUA_APP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <skua/attr.h>
#include <skua/err.h>
#include <skua/hook.h>
#include <skua/local.h>
#include <skua/log.h>
#include <skua/method.h>

SKUA_C_BEGIN

typedef struct skua_app skua_app;

/* ---- the application ---- */

/**
 * Settings of the server. Zero is the default everywhere. skua_main overrides host, port, workers, log
 * and development from the command line.
 */
typedef struct skua_app_opts {
    const char *host;              /* NULL: "localhost", both 127.0.0.1 and ::1 */
    int port;                      /* 0: 3000; -1: any free port (skua_app_port tells which) */
    int workers;                   /* threads, each with its own loop and listener; 0: 1 */
    bool development;              /* error pages show causes; templates are read anew each time */
    enum skua_log_level log;       /* 0: warnings and errors; SKUA_LOG_INFO: also each request */
    size_t body_limit;             /* bytes of a request body, 413 past it; 0: 1 MiB */
    size_t request_memory;         /* bytes a request's arena may hold, 503 past it; 0: 64 MiB */
    size_t stack_size;             /* bytes of a fiber's stack; 0: 256 KiB */
    uint32_t max_connections;      /* per worker; 0: 16,384 */
    uint32_t request_timeout;      /* ms for a whole request to arrive, 408 past it; 0: 30,000 */
    uint32_t keep_alive_timeout;   /* ms a connection may idle; 0: 72,000 */
    uint32_t write_timeout;        /* ms without progress of a reply; 0: 30,000 */
    uint32_t drain_timeout;        /* ms that requests in flight have after SIGTERM; 0: 10,000. What
                                    skua_work has begun is waited for all the same */
    bool ignore_case;              /* /Birds is /birds: for ASCII letters of patterns, not values */
    bool ignore_trailing_slash;    /* /birds/ is /birds */
    bool ignore_duplicate_slashes; /* //birds is /birds */
    uint32_t max_param_length;     /* UTF-16 units of a decoded parameter, 414 past it; 0: 100 */
} skua_app_opts;

/** A new application with the defaults. NULL when there is no memory; every call accepts that. */
SKUA_API skua_app *skua_app_new(void);

/** A new application with settings, which are copied. */
SKUA_API skua_app *skua_app_new_with(const skua_app_opts *opts);

/** Free it. It must not be serving. NULL is fine. */
SKUA_API void skua_app_free(skua_app *app);

/* ---- routes ---- */

/**
 * One route. `path` is written decoded and begins with "/":
 *
 *   static text     itself; "::" is one colon
 *   :name           a value up to the next "/"
 *   :a-:b.png       values and text in one segment; the text after a value begins with "-", "." or "::"
 *   :id(\d+)        a value that a regular expression (PCRE2) matches as a whole
 *   :id?            at the end: the last segment may be missing
 *   *               at the end: all the rest
 *
 * In a scope the scope's prefix comes before it. A GET route also answers HEAD. Routes of one path may
 * differ in `host` and `version`; replies that depend on these say so in Vary.
 */
typedef struct skua_route_opts {
    skua_app *app;
    const char *path;
    skua_handler handler;
    enum skua_method method; /* set by skua_get and its kin; 0 is GET */
    void *data;              /* skua_req_data; not owned */
    size_t body_limit;       /* 0: the application's */
    const char *host;        /* "example.com" only; or hosts as "/[.]org$/" */
    const char *version;     /* "1.2.0" only, as Accept-Version 1.2.0, 1.2.x, 1.x or * */
    skua_handler hooks[SKUA_HOOK_COUNT]; /* run after the scope's: .hooks[SKUA_PRE_HANDLER] = fn */
} skua_route_opts;

/** Add a route. Mistakes are collected. */
SKUA_API void skua_route_with(const skua_route_opts *opts);

#ifndef __cplusplus
/* skua_get(app, path, handler, .data = …) */
#define skua_route(verb, ...) \
    skua_route_with(&(skua_route_opts){.method = (verb), .app = __VA_ARGS__})
#define skua_get(...)     skua_route(SKUA_GET, __VA_ARGS__)
#define skua_head(...)    skua_route(SKUA_HEAD, __VA_ARGS__)
#define skua_post(...)    skua_route(SKUA_POST, __VA_ARGS__)
#define skua_put(...)     skua_route(SKUA_PUT, __VA_ARGS__)
#define skua_delete(...)  skua_route(SKUA_DELETE, __VA_ARGS__)
#define skua_patch(...)   skua_route(SKUA_PATCH, __VA_ARGS__)
#define skua_options(...) skua_route(SKUA_OPTIONS, __VA_ARGS__)
#endif

/* ---- hooks and handlers of a scope ---- */

/** Run `fn` in this phase of every request of the scope, also of its 404s. Order is that of adding. */
SKUA_API void skua_hook(skua_app *app, enum skua_phase phase, skua_handler fn);

/**
 * Answer the failures of the scope. If the handler fails itself, the scope above answers, at last the
 * built-in one. A second call in one scope is a set-up mistake.
 */
SKUA_API void skua_set_error_handler(skua_app *app, skua_error_handler fn);

/**
 * Answer what no route below the scope's prefix matches, with the status 404 unless it sets another;
 * unset, the answer is a failure with 404. All hooks of the scope run for it. A handler that returns the
 * bare SKUA_ERR_NOT_FOUND is answered in the same way. An address that has a route for another method is not it: that is a
 * failure with 405, answered by the error handler, with Allow set.
 */
SKUA_API void skua_set_not_found_handler(skua_app *app, skua_handler fn);

/* ---- scopes and plugins ---- */

/**
 * A scope inside `app`.
 *
 * @param prefix  begins with "/" and goes before every path in it; NULL or "" for none
 * @return the scope, owned by the app
 */
SKUA_API skua_app *skua_scope(skua_app *app, const char *prefix);

/** A plugin: adds to `scope` what it has to add. May wait. A negative result is a set-up mistake. */
typedef int (*skua_plugin)(skua_app *scope, const void *opts);

/**
 * Have `plugin` called with a new scope at ready(), on a fiber, in the order of registration.
 *
 * @param opts       copied (`opts_size` bytes) and given to the plugin; NULL and 0 for none
 * @param prefix     as for skua_scope
 */
SKUA_API void skua_register(skua_app *app, const char *prefix, skua_plugin plugin, const void *opts,
                            size_t opts_size);

/* ---- async context and per-worker state ---- */

/** A new local of this application (skua/local.h). NULL when there is no memory, which is collected. */
SKUA_API skua_local *skua_local_new(skua_app *app, const char *name);

/**
 * A slot on every request, for what hooks and handlers leave for one another (Fastify's
 * decorateRequest): a hook finds the user out, the handler asks who it is.
 *
 * @param name  for the mistake of taking one twice
 * @return the slot for skua_req_slot and skua_req_set_slot; -1 after a mistake, which is collected
 */
SKUA_API int skua_decorate_req(skua_app *app, const char *name);

/**
 * State that each worker has for itself, such as a database handle.
 *
 * `start` runs on a fiber of each worker before it accepts; it may wait. What it puts into `*out` is
 * found with skua_worker_data on that worker. A negative result ends the application. `stop` (may be
 * NULL) runs on a fiber of the worker after its last request.
 *
 * @return the slot for skua_worker_data, >= 0; -1 after a mistake, which is collected
 */
SKUA_API int skua_on_worker(skua_app *app, int (*start)(void **out, skua_app *app),
                            void (*stop)(void *data));

/* ---- life ---- */

/**
 * End the description: run the plugins, compile routes and hooks, check the templates. Called by
 * skua_main and skua_inject if it has not been called.
 *
 * @return 0, or SKUA_ERR_SETUP: skua_app_mistakes tells all that is wrong
 */
SKUA_API int skua_app_ready(skua_app *app);

/** Note a set-up mistake, for plugins: what is wrong, where, and what to do about it. */
SKUA_API SKUA_PRINTF(2, 3) void skua_app_mistake(skua_app *app, const char *format, ...);

/** Everything that is wrong, a paragraph each, zero-terminated; "" if nothing. Lives as the app. */
SKUA_API const char *skua_app_mistakes(const skua_app *app);

/**
 * Serve until skua_app_stop, SIGTERM or SIGINT, then drain: stop accepting, finish what is in flight,
 * at most `drain_timeout`.
 *
 * @return 0 after a clean stop; SKUA_ERR_SETUP; -EADDRINUSE and other negated errnos
 */
SKUA_API int skua_app_run(skua_app *app);

/** From any thread or a signal handler: begin to drain. */
SKUA_API void skua_app_stop(skua_app *app);

/** The port that is listened on, 0 before that. From any thread. */
SKUA_API int skua_app_port(const skua_app *app);

/** The routes as a tree in text. Lives as the app; "" before ready. */
SKUA_API const char *skua_app_routes(skua_app *app);

/**
 * The main function of an application: reads the command line (--help tells all of it), makes ready,
 * reports mistakes, serves, frees the app.
 *
 * @return what main should return: 0 done, 1 failed, 2 wrong usage
 */
SKUA_API int skua_main(skua_app *app, int argc, char **argv);

SKUA_C_END

#endif
