/* SPDX-License-Identifier: MIT */
#ifndef SKUA__APP_APP_H
#define SKUA__APP_APP_H

#include "async/local.h"
#include "async/log.h"
#include "base/arena.h"
#include "base/buf.h"
#include "router/router.h"
#include "view/views.h"

#include <skua/app.h>
#include <skua/view.h>
#include <stdatomic.h>

struct skua__worker;

/* Functions of one phase of one scope, in the order of adding. They live in the app's arena. */
struct skua__hook_list {
    skua_handler *fns;
    uint32_t count;
    uint32_t cap;
};

/*
 * A scope: what holds for the routes in it and below it. The root scope is the application.
 *
 *   root --first--> child --next--> child --next--> NULL
 *
 * Everything in it is written while the application is described, and only read after ready().
 */
struct skua_app {
    struct skua__root *root;
    skua_app *parent; /* NULL for the root scope */
    skua_app *first;
    skua_app *next;
    skua_str prefix; /* whole: with those of the scopes above; "" or "/…" without a slash behind */
    struct skua__hook_list hooks[SKUA_HOOK_COUNT];
    skua_error_handler on_error;
    skua_handler on_not_found;
    const skua_views_opts *views_opts; /* NULL: those of the scope above */
    struct skua__views *views;         /* made of them at ready() */
    struct skua__route
        *not_found; /* made at ready() where there is on_not_found; always at the root */
};

/*
 * A route. The functions of all phases stand in one flat array, scopes first, outermost first:
 *
 *   chain: | onRequest … | preParsing … | … | onRequestAbort … |
 *          ^at[0]        ^at[1]                                ^at[SKUA_HOOK_COUNT]
 */
struct skua__route {
    struct skua__route *next; /* in the order of adding */
    skua_app *scope;
    const char *pattern; /* with the scope's prefix */
    enum skua_method method;
    struct skua__constraints constraints;
    skua_handler handler;
    void *data;
    size_t body_limit;
    skua_handler own[SKUA_HOOK_COUNT];
    skua_handler *chain;
    uint16_t at[SKUA_HOOK_COUNT + 1];
};

struct skua__plugin {
    struct skua__plugin *next;
    skua_app *scope;
    skua_plugin fn;
    void *opts;
};

/* What skua_on_worker was given. */
struct skua__worker_slot {
    struct skua__worker_slot *next;
    int (*start)(void **out, skua_app *app);
    void (*stop)(void *data);
};

/* A slot that skua_decorate_req gave out. */
struct skua__decorator {
    struct skua__decorator *next; /* newest first; its number is that of those behind it */
    const char *name;
};

enum skua__app_state { SKUA__APP_OPEN, SKUA__APP_FAILED, SKUA__APP_READY };

/* The application. Read-only for workers once it is READY, but for the atomics and `inject`. */
struct skua__root {
    skua_app scope; /* first: a skua_app of the user is often this */
    skua_app_opts opts;
    skua_arena arena; /* the description */
    enum skua__app_state state;
    bool check; /* only to look for mistakes: compile all templates */
    bool built; /* ready() has run, well or not */
    struct skua__log log;
    struct skua__locals *locals;
    struct skua__router *router;
    struct skua__route *routes;
    struct skua__route *asterisk; /* answers OPTIONS * */
    struct skua__route **routes_end;
    struct skua__plugin *plugins;
    struct skua__plugin **plugins_end;
    struct skua__worker_slot *slots;
    struct skua__worker_slot **slots_end;
    int slot_count;
    struct skua__decorator *decorators;
    int decorator_count;
    struct skua__buf mistakes;
    struct skua__buf tree; /* the routes as text */
    atomic_int port;
    atomic_bool running;
    int stop_fd;                 /* an eventfd: skua_app_stop writes, the first worker reads */
    struct skua__worker *inject; /* made for the first injection */
};

/* Whether the description can still be added to; a mistake is noted if not. NULL scope: false. */
bool skua__describing(skua_app *scope, const char *what);

/* Make the scope's views; mistakes are noted. */
void skua__views_open(skua_app *scope);

/* The nearest views of the scope or above, or NULL. */
struct skua__views *skua__scope_views(const skua_app *scope);

/* The route that answers where no route matches: the not-found route of the longest prefix. */
const struct skua__route *skua__not_found_route(const struct skua__root *root, skua_str path);

/* All scopes in order, a parent before what is in it, from the root to NULL. */
skua_app *skua__next_scope(const skua_app *scope);

#endif
