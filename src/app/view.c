/* SPDX-License-Identifier: MIT */
/*
 * view.c - where views and scopes meet
 *
 * A scope may have views of its own; its routes, and those of the scopes inside that have none, use
 * them. Rendering is respond.c's: a reply only names the page.
 */
#include "app/app.h"

#include <skua/err.h>

static const char *copy_text(skua_app *scope, const char *text)
{
    const char *copy = text != NULL ? skua_strdup(&scope->root->arena, skua_str_c(text)) : NULL;

    if (text != NULL && copy == NULL)
        skua_app_mistake(scope, "out of memory for the views");
    return copy;
}

void skua_views_with(const skua_views_opts *opts)
{
    skua_app *app = opts->app;
    skua_views_opts *copy;

    if (!skua__describing(app, "skua_views"))
        return;
    if (app->views_opts != NULL) {
        skua_app_mistake(app,
                         "the scope '%s' has views already: put the others in a scope of their own",
                         app->prefix.len > 0 ? app->prefix.ptr : "/");
        return;
    }
    copy = skua_alloc(&app->root->arena, sizeof(*copy));
    if (copy == NULL) {
        skua_app_mistake(app, "out of memory for the views");
        return;
    }
    *copy = *opts;
    copy->root = copy_text(app, opts->root != NULL ? opts->root : "views");
    copy->layout = copy_text(app, opts->layout);
    app->views_opts = copy;
}

void skua__views_open(skua_app *scope)
{
    const skua_views_opts *opts = scope->views_opts;
    struct skua__views_opts views;
    int err;

    if (opts == NULL)
        return;
    views = (struct skua__views_opts){
        .root = opts->root, .layout = opts->layout, .reload = scope->root->opts.development};
    err = skua__views_new(&scope->views, &views);
    if (err < 0)
        skua_app_mistake(
            scope,
            "the folder of the views, '%s', cannot be read: %s. Start the program in the folder "
            "that holds it, or give .root",
            views.root, skua_err_text(err));
}

struct skua__views *skua__scope_views(const skua_app *scope)
{
    while (scope != NULL && scope->views == NULL)
        scope = scope->parent;
    return scope != NULL ? scope->views : NULL;
}
