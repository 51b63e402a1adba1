/* SPDX-License-Identifier: MIT */
/*
 * scope.c - describing: scopes, hooks, routes, plugins, worker state
 *
 * Each call copies what it is given into the app's arena and checks what can be checked at once.
 * Nothing here returns an error: mistakes are collected, and a call with a NULL scope does nothing,
 * because the call that failed to make the scope has said so.
 */
#include "app/app.h"

#include <string.h>

skua_app *skua__next_scope(const skua_app *scope)
{
    if (scope->first != NULL)
        return scope->first;
    while (scope != NULL && scope->next == NULL)
        scope = scope->parent;
    return scope != NULL ? scope->next : NULL;
}

static void *describe(skua_app *scope, size_t size)
{
    void *memory = skua_alloc_zero(&scope->root->arena, 1, size);

    if (memory == NULL)
        skua_app_mistake(scope, "out of memory while the application was described");
    return memory;
}

/* The prefix of a scope inside `scope`: joined without a double slash. NULL after a mistake. */
static const char *join_prefix(skua_app *scope, const char *prefix)
{
    skua_str own = skua_str_c(prefix);
    const char *joined;

    while (own.len > 0 && own.ptr[own.len - 1] == '/')
        own.len--;
    if (own.len > 0 && own.ptr[0] != '/') {
        skua_app_mistake(scope, "the prefix '%s' of a scope does not begin with '/': write '/%s'",
                         prefix, prefix);
        return NULL;
    }
    joined = skua_format(&scope->root->arena, "%.*s%.*s", (int)scope->prefix.len, scope->prefix.ptr,
                         (int)own.len, own.ptr);
    if (joined == NULL)
        skua_app_mistake(scope, "out of memory for the scope '%s'", prefix);
    return joined;
}

skua_app *skua_scope(skua_app *app, const char *prefix)
{
    const char *joined;
    skua_app **end;
    skua_app *scope;

    if (!skua__describing(app, "skua_scope"))
        return NULL;
    joined = join_prefix(app, prefix != NULL ? prefix : "");
    scope = joined != NULL ? describe(app, sizeof(*scope)) : NULL;
    if (scope == NULL)
        return NULL;
    scope->root = app->root;
    scope->parent = app;
    scope->prefix = skua_str_c(joined);
    for (end = &app->first; *end != NULL; end = &(*end)->next)
        continue;
    *end = scope;
    return scope;
}

void skua_register(skua_app *app, const char *prefix, skua_plugin plugin, const void *opts,
                   size_t opts_size)
{
    skua_app *scope = skua_scope(app, prefix);
    struct skua__plugin *registered = scope != NULL ? describe(scope, sizeof(*registered)) : NULL;

    if (registered == NULL)
        return;
    if (plugin == NULL) {
        skua_app_mistake(app, "skua_register was called without a plugin");
        return;
    }
    registered->scope = scope;
    registered->fn = plugin;
    if (opts_size > 0) {
        registered->opts = describe(scope, opts_size);
        if (registered->opts == NULL)
            return;
        memcpy(registered->opts, opts, opts_size);
    }
    *app->root->plugins_end = registered;
    app->root->plugins_end = &registered->next;
}

void skua_hook(skua_app *app, enum skua_phase phase, skua_handler fn)
{
    struct skua__hook_list *list;

    if (!skua__describing(app, "skua_hook"))
        return;
    if ((unsigned)phase >= SKUA_HOOK_COUNT || fn == NULL) {
        skua_app_mistake(app, "skua_hook was called %s",
                         fn == NULL ? "without a function" : "with a phase that does not exist");
        return;
    }
    list = &app->hooks[phase];
    if (list->count == list->cap) {
        uint32_t cap = list->cap == 0 ? 4 : list->cap * 2;
        skua_handler *fns = skua__arena_grow(&app->root->arena, list->fns, list->cap * sizeof(fn),
                                             cap * sizeof(fn));

        if (fns == NULL) {
            skua_app_mistake(app, "out of memory for a hook");
            return;
        }
        list->fns = fns;
        list->cap = cap;
    }
    list->fns[list->count++] = fn;
}

void skua_set_error_handler(skua_app *app, skua_error_handler fn)
{
    if (!skua__describing(app, "skua_set_error_handler"))
        return;
    if (app->on_error != NULL)
        skua_app_mistake(
            app,
            "the scope '%s' has two error handlers: keep one, or put the other in a scope "
            "of its own (skua_scope)",
            app->prefix.len > 0 ? app->prefix.ptr : "/");
    app->on_error = fn;
}

void skua_set_not_found_handler(skua_app *app, skua_handler fn)
{
    if (!skua__describing(app, "skua_set_not_found_handler"))
        return;
    if (app->on_not_found != NULL)
        skua_app_mistake(app, "the scope '%s' has two not-found handlers: keep one",
                         app->prefix.len > 0 ? app->prefix.ptr : "/");
    else if (app->parent != NULL && app->prefix.len == app->parent->prefix.len)
        skua_app_mistake(
            app, "a not-found handler was set in a scope without a prefix: which address would "
                 "it answer? Give the scope a prefix, or set the handler in the scope above");
    app->on_not_found = fn;
}

/* The pattern with the scope's prefix: "/" of a scope "/api" is "/api". */
static const char *join_path(skua_app *scope, const char *path)
{
    if (scope->prefix.len > 0 && strcmp(path, "/") == 0)
        path = "";
    return skua_format(&scope->root->arena, "%s%s", scope->prefix.ptr, path);
}

/* NULL stays NULL. */
static const char *copy_text(skua_app *scope, const char *text)
{
    const char *copy = text != NULL ? skua_strdup(&scope->root->arena, skua_str_c(text)) : NULL;

    if (text != NULL && copy == NULL)
        skua_app_mistake(scope, "out of memory while the application was described");
    return copy;
}

void skua_route_with(const skua_route_opts *opts)
{
    skua_app *app = opts->app;
    const char *path = opts->path != NULL ? opts->path : "";
    struct skua__route *route;

    if (!skua__describing(app, "skua_route"))
        return;
    if (opts->handler == NULL) {
        skua_app_mistake(app, "the route %s '%s' has no handler: skua_get(app, path, handler)",
                         skua_method_name(opts->method), path);
        return;
    }
    if (path[0] != '/' && !(path[0] == '\0' && app->prefix.len > 0)) {
        skua_app_mistake(app, "the path '%s' of a route does not begin with '/': write '/%s'", path,
                         path);
        return;
    }
    route = describe(app, sizeof(*route));
    if (route == NULL)
        return;
    route->scope = app;
    route->pattern = join_path(app, path);
    if (route->pattern == NULL) {
        skua_app_mistake(app, "out of memory for the route '%s'", path);
        return;
    }
    route->method = opts->method;
    route->constraints.host = copy_text(app, opts->host);
    route->constraints.version = copy_text(app, opts->version);
    route->handler = opts->handler;
    route->data = opts->data;
    route->body_limit = opts->body_limit != 0 ? opts->body_limit : app->root->opts.body_limit;
    memcpy(route->own, opts->hooks, sizeof(route->own));
    *app->root->routes_end = route;
    app->root->routes_end = &route->next;
}

int skua_decorate_req(skua_app *app, const char *name)
{
    struct skua__decorator *decorator;

    if (!skua__describing(app, "skua_decorate_req"))
        return -1;
    for (decorator = app->root->decorators; decorator != NULL; decorator = decorator->next) {
        if (strcmp(decorator->name, name) == 0) {
            skua_app_mistake(app, "the request has a slot '%s' already: take another name", name);
            return -1;
        }
    }
    decorator = describe(app, sizeof(*decorator));
    if (decorator == NULL)
        return -1;
    decorator->name = skua_strdup(&app->root->arena, skua_str_c(name));
    if (decorator->name == NULL) {
        skua_app_mistake(app, "out of memory for the slot '%s'", name);
        return -1;
    }
    decorator->next = app->root->decorators;
    app->root->decorators = decorator;
    return app->root->decorator_count++;
}

int skua_on_worker(skua_app *app, int (*start)(void **out, skua_app *app), void (*stop)(void *data))
{
    struct skua__worker_slot *slot;

    if (!skua__describing(app, "skua_on_worker"))
        return -1;
    if (start == NULL) {
        skua_app_mistake(app, "skua_on_worker was called without a start function");
        return -1;
    }
    slot = describe(app, sizeof(*slot));
    if (slot == NULL)
        return -1;
    slot->start = start;
    slot->stop = stop;
    *app->root->slots_end = slot;
    app->root->slots_end = &slot->next;
    return app->root->slot_count++;
}
