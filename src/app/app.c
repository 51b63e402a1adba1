/* SPDX-License-Identifier: MIT */
/*
 * app.c - an application's life, from new to free, and its list of mistakes
 *
 * The application owns everything described, in one arena. What lives longer than an arena's memory
 * (views, router, locals) is freed here by name.
 */
#include "app/app.h"

#include "app/worker.h"

#include <skua/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

const char *skua_version(void)
{
    return SKUA_VERSION;
}

static void default_u32(uint32_t *option, uint32_t value)
{
    if (*option == 0)
        *option = value;
}

static void default_size(size_t *option, size_t value)
{
    if (*option == 0)
        *option = value;
}

/* From here on every option says what it means. */
static void fill_defaults(skua_app_opts *opts)
{
    if (opts->host == NULL)
        opts->host = "localhost";
    if (opts->port == 0)
        opts->port = 3000;
    if (opts->workers <= 0)
        opts->workers = 1;
    if (opts->log == SKUA_LOG_DEFAULT)
        opts->log = SKUA_LOG_WARN;
    default_size(&opts->body_limit, (size_t)1 << 20);
    default_size(&opts->request_memory, (size_t)64 << 20);
    default_u32(&opts->max_connections, 16384);
    default_u32(&opts->request_timeout, 30000);
    default_u32(&opts->keep_alive_timeout, 72000);
    default_u32(&opts->write_timeout, 30000);
    default_u32(&opts->drain_timeout, 10000);
}

static struct skua__router *new_router(const skua_app_opts *opts)
{
    const struct skua__router_opts router = {
        .case_insensitive = opts->ignore_case,
        .ignore_trailing_slash = opts->ignore_trailing_slash,
        .ignore_duplicate_slashes = opts->ignore_duplicate_slashes,
        .max_param_length = opts->max_param_length,
    };

    return skua__router_new(&router);
}

skua_app *skua_app_new(void)
{
    const skua_app_opts defaults = {0};

    return skua_app_new_with(&defaults);
}

skua_app *skua_app_new_with(const skua_app_opts *opts)
{
    struct skua__root *root = calloc(1, sizeof(*root));

    if (root == NULL)
        return NULL;
    skua__arena_init(&root->arena, NULL, 0);
    skua__buf_init(&root->mistakes, NULL);
    skua__buf_init(&root->tree, NULL);
    root->opts = *opts;
    fill_defaults(&root->opts);
    root->opts.host = skua_strdup(&root->arena, skua_str_c(root->opts.host));
    root->scope.root = root;
    root->scope.prefix = skua_str_of("", 0);
    root->routes_end = &root->routes;
    root->plugins_end = &root->plugins;
    root->slots_end = &root->slots;
    root->locals = skua__locals_new();
    root->router = new_router(opts);
    root->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (root->opts.host == NULL || root->locals == NULL || root->router == NULL ||
        root->stop_fd < 0) {
        skua_app_free(&root->scope);
        return NULL;
    }
    return &root->scope;
}

void skua_app_free(skua_app *app)
{
    struct skua__root *root = app != NULL ? app->root : NULL;

    if (root == NULL)
        return;
    skua__inject_finish(root);
    for (skua_app *scope = &root->scope; scope != NULL; scope = skua__next_scope(scope))
        skua__views_free(scope->views);
    if (root->stop_fd >= 0)
        close(root->stop_fd);
    skua__router_free(root->router);
    skua__locals_free(root->locals);
    skua__buf_finish(&root->tree);
    skua__buf_finish(&root->mistakes);
    skua__arena_reset(&root->arena);
    free(root);
}

/* Too late to stop anything, and other threads may be reading: only the log hears of it. */
static void log_mistake(const struct skua__root *root, const char *format, va_list args)
{
    char text[512];

    vsnprintf(text, sizeof(text), format, args);
    skua__log(&root->log, SKUA_LOG_ERROR, "%s", text);
}

static void note_mistake(struct skua__root *root, const char *format, va_list args)
{
    char *text = skua__format_v(&root->arena, format, args);

    root->state = SKUA__APP_FAILED;
    if (text != NULL)
        skua__buf_printf(&root->mistakes, "%s\n", text);
}

void skua_app_mistake(skua_app *scope, const char *format, ...)
{
    va_list args;

    if (scope == NULL)
        return; /* what made it NULL has been noted, or there is no memory for anything */
    va_start(args, format);
    if (scope->root->state == SKUA__APP_READY)
        log_mistake(scope->root, format, args);
    else
        note_mistake(scope->root, format, args);
    va_end(args);
}

bool skua__describing(skua_app *scope, const char *what)
{
    if (scope == NULL)
        return false;
    if (scope->root->state != SKUA__APP_READY)
        return true;
    skua_app_mistake(
        scope, "%s was called after the application was made ready: describe first, then serve",
        what);
    return false;
}

const char *skua_app_mistakes(const skua_app *app)
{
    if (app == NULL)
        return "out of memory\n";
    return skua__buf_str(&app->root->mistakes).ptr;
}

int skua_app_port(const skua_app *app)
{
    return app != NULL ? atomic_load(&app->root->port) : 0;
}

const char *skua_app_routes(skua_app *app)
{
    return app != NULL ? skua__buf_str(&app->root->tree).ptr : "";
}

skua_local *skua_local_new(skua_app *app, const char *name)
{
    skua_local *local;

    if (!skua__describing(app, "skua_local_new"))
        return NULL;
    local = skua__locals_add(app->root->locals, name);
    if (local == NULL)
        skua_app_mistake(app, "out of memory for the local '%s'", name);
    return local;
}
