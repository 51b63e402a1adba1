/* SPDX-License-Identifier: MIT */
/*
 * views.c - a set of templates: from a page's name and data to its text
 *
 *   name --> entry --complete?--> run the page [run the layout around it] --> text
 *                `--no--> load it and all that it reaches (graph.c), once for everybody
 *
 * A set owns its options and its cache, and is shared by all threads. With `reload` each render
 * makes a cache of its own instead, which sees the templates as they are now, and throws it away.
 *
 * The most that a page has printed is remembered, and the next output begins with as much room.
 */
#include "view/views.h"

#include "view/cache.h"
#include "view/error.h"
#include "view/graph.h"
#include "view/name.h"
#include "view/vm.h"

#include <errno.h>
#include <skua/err.h>
#include <stdlib.h>
#include <sys/stat.h>

#define MOST_EXPECTED ((size_t)256 << 10)

struct skua__views {
    skua_arena *arena; /* of the strings here */
    struct skua__loader loader;
    const char *layout; /* or NULL */
    bool reload;
    bool empty_partials;
    struct skua__cache cache;
    struct skua__cache_counters counters;
};

/* ---- the set ---- */

static int check_root(const char *root)
{
    struct stat stat_of_root;

    if (root == NULL || stat(root, &stat_of_root) != 0)
        return root == NULL ? -ENOENT : -errno;
    return S_ISDIR(stat_of_root.st_mode) ? 0 : -ENOTDIR;
}

static int copy_opts(struct skua__views *views, const struct skua__views_opts *opts)
{
    char *root;
    int err;

    views->reload = opts->reload;
    views->empty_partials = opts->empty_partials;
    if (opts->layout != NULL && opts->layout[0] != '\0')
        views->layout = skua_strdup(views->arena, skua_str_c(opts->layout));
    if (opts->loader != NULL) {
        views->loader = *opts->loader;
    } else {
        err = check_root(opts->root);
        if (err < 0)
            return err;
        root = skua_strdup(views->arena, skua_str_c(opts->root));
        views->loader = skua__file_loader(root);
    }
    return skua_arena_failed(views->arena) ? SKUA_ERR_NOMEM : 0;
}

int skua__views_new(struct skua__views **out, const struct skua__views_opts *opts)
{
    struct skua__views *views = calloc(1, sizeof(*views));
    int err = SKUA_ERR_NOMEM;

    *out = NULL;
    if (views == NULL)
        return err;
    views->arena = skua_arena_new(0);
    if (views->arena != NULL)
        err = copy_opts(views, opts);
    if (err == 0)
        err = skua__cache_init(&views->cache, &views->loader, &views->counters);
    if (err < 0) {
        skua_arena_free(views->arena);
        free(views);
        return err;
    }
    *out = views;
    return 0;
}

void skua__views_free(struct skua__views *views)
{
    if (views == NULL)
        return;
    skua__cache_finish(&views->cache);
    skua_arena_free(views->arena);
    free(views);
}

struct skua__views_stats skua__views_stats(const struct skua__views *views)
{
    return (struct skua__views_stats){
        .loads = atomic_load_explicit(&views->counters.loads, memory_order_relaxed),
        .compiles = atomic_load_explicit(&views->counters.compiles, memory_order_relaxed),
    };
}

/* The cache to use: the set's, or one for this occasion, in the caller's memory. */
static int open_cache(struct skua__cache **out, struct skua__views *views, struct skua__cache *own,
                      bool apart)
{
    *out = apart ? own : &views->cache;
    return apart ? skua__cache_init(own, &views->loader, &views->counters) : 0;
}

static void close_cache(struct skua__cache *own, bool apart)
{
    if (apart)
        skua__cache_finish(own);
}

/* ---- rendering ---- */

struct render {
    struct skua__views *views;
    struct skua__cache *cache;
    skua_arena *arena;
    struct skua__view_error *error;
};

static int fail(const struct render *render, int code)
{
    return skua__view_error_set(render->error, render->arena, code, NULL, "%s",
                                skua_err_text(code));
}

/* 0, or SKUA_ERR_NO_TEMPLATE and *error says what is wrong with the name. */
static int check_name(struct skua__view_error *error, skua_arena *arena, const char *name)
{
    const char *wrong = skua__name_wrong(skua_str_c(name));

    if (wrong == NULL)
        return 0;
    return skua__view_error_set(error, arena, SKUA_ERR_NO_TEMPLATE, NULL,
                                "'%.100s' names no template: it %s", name != NULL ? name : "",
                                wrong);
}

/* The entry of a page or layout. */
static int find_entry(const struct render *render, struct skua__entry **out, const char *name)
{
    int err;

    *out = skua__cache_find(render->cache, skua_str_c(name));
    if (*out != NULL)
        return 0; /* only valid names ever become entries */
    err = check_name(render->error, render->arena, name);
    if (err < 0)
        return err;
    err = skua__cache_entry(out, render->cache, (struct skua__cache_key){.name = skua_str_c(name)});
    return err < 0 ? fail(render, err) : 0;
}

static int keep_first(void *arg, const struct skua__view_error *error)
{
    const struct render *render = arg;

    skua__view_error_copy(render->error, render->arena, error);
    return error->code;
}

static bool is_complete(struct skua__entry *entry)
{
    return entry == NULL || atomic_load_explicit(&entry->complete, memory_order_acquire);
}

/* Make sure that a page and its layout can be run. */
static int complete(struct render *render, struct skua__entry *page, struct skua__entry *layout)
{
    struct skua__graph graph = {
        .cache = render->cache,
        .arena = render->arena,
        .empty_partials = render->views->empty_partials,
        .report = keep_first,
        .arg = render,
    };
    int err;

    if (is_complete(page) && is_complete(layout))
        return 0;
    render->error->code = 0;
    skua__graph_init(&graph);
    err = skua__graph_add(&graph, page);
    if (err == 0 && layout != NULL)
        err = skua__graph_add(&graph, layout);
    if (err == 0)
        err = skua__graph_load(&graph);
    return err < 0 && render->error->code == 0 ? fail(render, err) : err;
}

static const struct skua__program *program_of(struct skua__entry *entry)
{
    return entry != NULL ? &atomic_load_explicit(&entry->compiled, memory_order_acquire)->program
                         : NULL;
}

/* The mark is written only when it rises, so that threads do not fight for its cache line. */
static void remember_size(struct skua__entry *page, size_t size, size_t expected)
{
    if (size > MOST_EXPECTED)
        size = MOST_EXPECTED;
    if (size > expected)
        atomic_store_explicit(&page->expected, size, memory_order_relaxed);
}

static int run(skua_str *out, const struct render *render, struct skua__entry *page,
               struct skua__entry *layout, const skua_value *data)
{
    struct skua__vm_job job = {
        .page = program_of(page),
        .layout = program_of(layout),
        .data = data,
        .limits = &skua__vm_limits,
        .arena = render->arena,
        .expected = atomic_load_explicit(&page->expected, memory_order_relaxed),
    };
    int err = skua__vm_run(out, &job, render->error);

    if (err == 0)
        remember_size(page, out->len, job.expected);
    return err;
}

static int render_page(skua_str *out, struct render *render, const char *name, const char *layout,
                       const skua_value *data)
{
    struct skua__entry *page, *around = NULL;
    int err;

    err = find_entry(render, &page, name);
    if (err == 0 && layout != NULL && layout[0] != '\0')
        err = find_entry(render, &around, layout);
    if (err == 0)
        err = complete(render, page, around);
    return err == 0 ? run(out, render, page, around, data) : err;
}

static int render_from(skua_str *out, struct render *render, const char *name, const char *layout,
                       const skua_value *data, bool apart)
{
    struct skua__cache own;
    int err = open_cache(&render->cache, render->views, &own, apart);

    if (err < 0) {
        err = fail(render, err);
    } else {
        err = render_page(out, render, name, layout, data);
        close_cache(&own, apart);
    }
    render->cache = NULL; /* `own` ends here */
    return err;
}

int skua__views_render(skua_str *out, struct skua__views *views, skua_arena *arena,
                       const char *name, const skua_value *data,
                       const struct skua__render_opts *opts, struct skua__view_error *error)
{
    struct render render = {.views = views, .arena = arena, .error = error};
    const char *layout = opts != NULL && opts->layout != NULL ? opts->layout : views->layout;
    int err;

    *out = SKUA_STR("");
    err = render_from(out, &render, name, layout, data, views->reload);
    /* Somebody asks for ever new names: what is not kept yet is served all the same, and forgotten. */
    if (err == SKUA_ERR_LIMIT && skua__cache_is_full(&views->cache))
        err = render_from(out, &render, name, layout, data, true);
    return err;
}

/* ---- checking ---- */

struct check {
    struct skua__graph graph;
    void (*report)(void *ctx, const struct skua__view_error *error);
    void *ctx;
    bool wrong;
};

static int report_each(void *arg, const struct skua__view_error *error)
{
    struct check *check = arg;

    check->wrong = true;
    check->report(check->ctx, error);
    return 0;
}

static int add_root(struct check *check, skua_str name)
{
    struct skua__entry *entry;
    int err = skua__cache_entry(&entry, check->graph.cache, (struct skua__cache_key){.name = name});

    return err == 0 ? skua__graph_add(&check->graph, entry) : err;
}

/* What is no template by its extension, or could not be asked for, is passed over. */
static int add_listed(void *arg, skua_str name)
{
    if (skua__dialect_of(name) == NULL || skua__name_wrong(name) != NULL)
        return 0;
    return add_root(arg, name);
}

static int add_all(struct check *check, const struct skua__loader *loader)
{
    struct skua__view_error error;
    int err = loader->list(loader->ctx, check->graph.arena, add_listed, check);

    if (err == 0 || err == SKUA_ERR_NOMEM || err == SKUA_ERR_NO_FIBER || err == SKUA_ERR_CANCELED)
        return err;
    skua__view_error_set(&error, check->graph.arena, err, NULL,
                         "the templates cannot be listed: %s", skua_err_text(err));
    return report_each(check, &error);
}

static int add_layout(struct check *check, const char *layout)
{
    struct skua__view_error error;

    if (layout == NULL)
        return 0;
    if (check_name(&error, check->graph.arena, layout) < 0)
        return report_each(check, &error);
    return add_root(check, skua_str_c(layout));
}

int skua__views_check(struct skua__views *views,
                      void (*report)(void *ctx, const struct skua__view_error *error), void *ctx)
{
    struct check check = {.report = report, .ctx = ctx};
    skua_arena *arena = skua_arena_new(0);
    struct skua__cache *cache, own;
    int err;

    err = open_cache(&cache, views, &own, views->reload);
    if (err < 0)
        goto done;
    check.graph = (struct skua__graph){
        .cache = cache,
        .arena = arena,
        .empty_partials = views->empty_partials,
        .report = report_each,
        .arg = &check,
    };
    skua__graph_init(&check.graph);
    err = add_all(&check, &views->loader);
    if (err == 0)
        err = add_layout(&check, views->layout);
    if (err == 0)
        err = skua__graph_load(&check.graph);
    if (err == 0 && check.wrong)
        err = SKUA_ERR_SETUP;
    close_cache(&own, views->reload);
done:
    skua_arena_free(arena);
    return err;
}
