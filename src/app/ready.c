/* SPDX-License-Identifier: MIT */
/*
 * ready.c - from the description to flat tables
 *
 * Runs once: plugins in the order of registration, then the chains of hooks, the router, the templates.
 * After it nothing changes any more, so workers read without locks. Whatever is wrong is noted and the
 * rest is still looked at, so that one start shows all mistakes.
 */
#include "app/app.h"
#include "async/run.h"
#include "text/scan.h"
#include "view/error.h"

#include <skua/error.h>
#include <skua/reply.h>
#include <skua/req.h>
#include <string.h>

/* ---- chains ---- */

static size_t count_chain(const struct skua__route *route)
{
    size_t count = 0;

    for (int phase = 0; phase < SKUA_HOOK_COUNT; phase++) {
        for (const skua_app *scope = route->scope; scope != NULL; scope = scope->parent)
            count += scope->hooks[phase].count;
        count += route->own[phase] != NULL;
    }
    return count;
}

/* Append the functions of a phase, outermost scope first. The depth is that of the scopes. */
static skua_handler *append_scope(skua_handler *end, const skua_app *scope, int phase)
{
    const struct skua__hook_list *list = &scope->hooks[phase];

    if (scope->parent != NULL)
        end = append_scope(end, scope->parent, phase);
    if (list->count > 0)
        memcpy(end, list->fns, list->count * sizeof(*end));
    return end + list->count;
}

static void build_chain(struct skua__route *route)
{
    size_t count = count_chain(route);
    skua_handler *end;

    if (count > UINT16_MAX) {
        skua_app_mistake(route->scope, "the route '%s' has more than 65,535 hooks", route->pattern);
        return;
    }
    route->chain = skua_alloc(&route->scope->root->arena, count * sizeof(*route->chain));
    if (route->chain == NULL) {
        skua_app_mistake(route->scope, "out of memory for the hooks of the route '%s'",
                         route->pattern);
        return;
    }
    end = route->chain;
    for (int phase = 0; phase < SKUA_HOOK_COUNT; phase++) {
        route->at[phase] = (uint16_t)(end - route->chain);
        end = append_scope(end, route->scope, phase);
        if (route->own[phase] != NULL)
            *end++ = route->own[phase];
    }
    route->at[SKUA_HOOK_COUNT] = (uint16_t)(end - route->chain);
}

/* ---- routes ---- */

static void add_route(struct skua__root *root, struct skua__route *route)
{
    const char *why = NULL;
    int err = skua__router_add(root->router, route->method, skua_str_c(route->pattern),
                               &route->constraints, route, &root->arena, &why);

    if (err < 0)
        skua_app_mistake(&root->scope, "the route %s '%s' %s", skua_method_name(route->method),
                         route->pattern, err == SKUA_ERR_SETUP ? why : "has found no memory");
}

/* A GET route answers HEAD too, unless there is a HEAD route of its own. */
static void add_head(struct skua__root *root, struct skua__route *route)
{
    const char *why;

    if (skua__router_add(root->router, SKUA_HEAD, skua_str_c(route->pattern), &route->constraints,
                         route, &root->arena, &why) == SKUA_ERR_NOMEM)
        skua_app_mistake(&root->scope, "out of memory for the route HEAD '%s'", route->pattern);
}

static void build_routes(struct skua__root *root)
{
    for (struct skua__route *route = root->routes; route != NULL; route = route->next) {
        build_chain(route);
        add_route(root, route);
    }
    if (root->state == SKUA__APP_FAILED)
        return; /* a pattern that was refused would be refused again for HEAD */
    for (struct skua__route *route = root->routes; route != NULL; route = route->next) {
        if (route->method == SKUA_GET)
            add_head(root, route);
    }
    skua__router_print(root->router, &root->tree);
}

/* A route that stands under no pattern. NULL after a mistake. */
static struct skua__route *build_hidden(skua_app *scope, skua_handler handler)
{
    struct skua__route *route = skua_alloc_zero(&scope->root->arena, 1, sizeof(*route));

    if (route == NULL) {
        skua_app_mistake(scope, "out of memory");
        return NULL;
    }
    route->scope = scope;
    route->pattern = "";
    route->handler = handler;
    route->body_limit = scope->root->opts.body_limit;
    build_chain(route);
    return route;
}

static void build_not_found(skua_app *scope)
{
    if (scope->on_not_found != NULL || scope->parent == NULL)
        scope->not_found = build_hidden(scope, scope->on_not_found);
}

/* OPTIONS * asks what the server can do at all (RFC 9110, 9.3.7). */
static int answer_asterisk(skua_req *req, skua_reply *reply)
{
    struct skua__buf names;
    int err;

    skua__buf_init(&names, skua_req_arena(req));
    for (int method = 0; method < SKUA_METHOD_COUNT; method++)
        skua__buf_printf(&names, "%s%s", method > 0 ? ", " : "",
                         skua_method_name((enum skua_method)method));
    err = skua_reply_header(reply, "allow", skua__buf_str(&names).ptr);
    skua_reply_status(reply, 204);
    return err < 0 ? err : skua_reply_empty(reply);
}

/* Whether `path` is the prefix or lies below it. */
static bool lies_below(skua_str path, skua_str prefix, bool ignore_case)
{
    skua_str start = skua_str_of(path.ptr, prefix.len);

    if (path.len < prefix.len ||
        (path.len > prefix.len && prefix.len > 0 && path.ptr[prefix.len] != '/'))
        return false;
    return ignore_case ? skua__equal_nocase(start, prefix) : skua_str_eq(start, prefix);
}

const struct skua__route *skua__not_found_route(const struct skua__root *root, skua_str path)
{
    const skua_app *best = &root->scope;

    for (const skua_app *scope = skua__next_scope(best); scope != NULL;
         scope = skua__next_scope(scope)) {
        if (scope->not_found != NULL && scope->prefix.len >= best->prefix.len &&
            lies_below(path, scope->prefix, root->opts.ignore_case))
            best = scope;
    }
    return best->not_found;
}

/* ---- what may wait ---- */

static void report_view(void *ctx, const struct skua__view_error *error)
{
    skua_app *scope = ctx;
    const char *text = skua__view_error_format(error, &scope->root->arena);

    skua_app_mistake(scope, "template %s", text != NULL ? text : error->text);
}

static void open_views(struct skua__root *root)
{
    for (skua_app *scope = &root->scope; scope != NULL; scope = skua__next_scope(scope)) {
        int err;

        skua__views_open(scope);
        if (scope->views == NULL ||
            (!root->check && (scope->views_opts->lazy || root->opts.development)))
            continue;
        err = skua__views_check(scope->views, report_view, scope);
        if (err < 0 && err != SKUA_ERR_SETUP)
            skua_app_mistake(scope, "the templates cannot be read: %s", skua_err_text(err));
    }
}

static void run_plugins(struct skua__root *root)
{
    /* A plugin may register further ones, which then run after it. */
    for (struct skua__plugin *plugin = root->plugins; plugin != NULL; plugin = plugin->next) {
        int err = plugin->fn(plugin->scope, plugin->opts);

        if (err < 0)
            skua_app_mistake(plugin->scope, "a plugin of the scope '%s' failed: %s (%s)",
                             plugin->scope->prefix.len > 0 ? plugin->scope->prefix.ptr : "/",
                             skua_err_text(err), skua_err_name(err));
    }
}

static void build(void *arg)
{
    struct skua__root *root = arg;

    run_plugins(root);
    build_routes(root);
    for (skua_app *scope = &root->scope; scope != NULL; scope = skua__next_scope(scope))
        build_not_found(scope);
    root->asterisk = build_hidden(&root->scope, answer_asterisk);
    open_views(root);
}

/* Run `build` on a fiber of a loop that lives as long as it takes. */
static int run_build(struct skua__root *root)
{
    const struct skua__loop_opts opts = {.stack_size = root->opts.stack_size};
    struct skua__loop *loop = NULL;
    int err = skua__loop_new(&loop, &opts);

    if (err == 0)
        err = skua__run_fiber(loop, build, root);
    skua__loop_free(loop);
    return err;
}

static void check_options(struct skua__root *root)
{
    const skua_app_opts *opts = &root->opts;

    if (opts->port < -1 || opts->port > 65535)
        skua_app_mistake(&root->scope,
                         "the port %d does not exist: choose one from 1 to 65535, or -1 for "
                         "any free one",
                         opts->port);
    if (opts->body_limit > INT64_MAX)
        skua_app_mistake(&root->scope, "the body_limit is larger than any body: give it in bytes");
}

int skua_app_ready(skua_app *app)
{
    struct skua__root *root;
    int err;

    if (app == NULL)
        return SKUA_ERR_NOMEM;
    root = app->root;
    if (root->built)
        return root->state == SKUA__APP_READY ? 0 : SKUA_ERR_SETUP;
    root->built = true;
    check_options(root);
    skua__log_init(&root->log, root->opts.log);
    err = run_build(root);
    if (err < 0)
        skua_app_mistake(&root->scope, "the application cannot be made ready: %s",
                         skua_err_text(err));
    if (root->state == SKUA__APP_FAILED)
        return SKUA_ERR_SETUP;
    root->state = SKUA__APP_READY;
    return 0;
}
