/* SPDX-License-Identifier: MIT */
/*
 * skua/view.h - server-rendered pages
 *
 *   skua_views(app, .root = "views", .layout = "layout.html");
 *   …
 *   return skua_reply_view(reply, "home.html", page);
 *
 * Templates are Mustache (by the extensions .html and .mustache). No template name leads out of the
 * root. All templates below the root are compiled at ready(), and what is broken is a set-up mistake
 * with file, line and column; in development they are read anew for each reply instead, and what is
 * broken becomes an error page.
 *
 * Source: @fastify/view.
 */
#ifndef SKUA_VIEW_H
#define SKUA_VIEW_H

#include <skua/app.h>
#include <skua/attr.h>

SKUA_C_BEGIN

typedef struct skua_views_opts {
    skua_app *app;    /* the scope whose replies use them, and the scopes inside it */
    const char *root; /* NULL: "views". Relative to the working folder */
    const char
        *layout; /* rendered around every page, which it prints with {{{body}}}; NULL: none */
    bool lazy;   /* compile each template when it is first used, not at ready() */
} skua_views_opts;

/** Give a scope its views; a scope inside may have others. */
SKUA_API void skua_views_with(const skua_views_opts *opts);

#ifndef __cplusplus
#define skua_views(...) skua_views_with(&(skua_views_opts){.app = __VA_ARGS__})
#endif

SKUA_C_END

#endif
