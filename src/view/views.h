/* SPDX-License-Identifier: MIT */
#ifndef SKUA__VIEW_VIEWS_H
#define SKUA__VIEW_VIEWS_H

#include "view/loader.h"
#include <skua/arena.h>
#include <skua/attr.h>
#include <skua/str.h>
#include <skua/value.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * A set of templates with its root, layout and cache: template and value in, bytes out. It knows
 * nothing of requests, sets no header and sends nothing. Shared by all workers.
 */
struct skua__views;

struct skua__views_opts {
    const char *root;   /* folder that no template name leads out of; unused with `loader` */
    const char *layout; /* rendered around every page, which it prints as {{{body}}}; NULL: none */
    const struct skua__loader *loader; /* NULL: files below `root` */
    bool reload;                       /* read and compile anew for every render (development) */
    bool empty_partials; /* an unknown partial renders as nothing, as Mustache's specification
                                  has it, instead of being an error */
};

/* What is wrong with a template, and where. Strings live in the arena of the failed call. */
struct skua__view_error {
    int code;             /* SKUA_ERR_TEMPLATE, SKUA_ERR_NO_TEMPLATE, SKUA_ERR_LIMIT, … */
    const char *template; /* its name below the root, or NULL */
    uint32_t line;        /* from 1; 0 when there is no place */
    uint32_t column;      /* in bytes, from 1 */
    const char *text;     /* one line for people, without the place */
    const char *excerpt;  /* the offending line and a caret under the column, or NULL */
};

/* 0, SKUA_ERR_NOMEM, or -ENOENT/-ENOTDIR when the root is no folder. Strings are copied. */
int skua__views_new(struct skua__views **out, const struct skua__views_opts *opts);
void skua__views_free(struct skua__views *views);

/*
 * Load and compile every template below the root (and so fill the cache), the layout and all that
 * they name. `report` is called once for each thing that is wrong.
 *
 * 0; SKUA_ERR_SETUP when something was reported; SKUA_ERR_NOMEM; SKUA_ERR_NO_FIBER.
 */
SKUA_YIELDS int skua__views_check(struct skua__views *views,
                                  void (*report)(void *ctx, const struct skua__view_error *error),
                                  void *ctx);

struct skua__render_opts {
    const char *layout; /* instead of the set's; "" for none; NULL: the set's */
};

/*
 * Render a page.
 *
 * `name` is relative to the root ("home.html", "admin/list.html"). `data` may be NULL. Names are
 * looked up in `data`; the layout sees the same data and `body`, the page as a safe string.
 *
 * 0 and the text in `arena`; otherwise a negative code, `*error` filled and nothing rendered:
 * SKUA_ERR_NO_TEMPLATE, SKUA_ERR_TEMPLATE, SKUA_ERR_LIMIT (output over 64 MiB, partials deeper than
 * 256, too many steps), SKUA_ERR_NOMEM, SKUA_ERR_CANCELED, SKUA_ERR_NO_FIBER.
 */
SKUA_YIELDS int skua__views_render(skua_str *out, struct skua__views *views, skua_arena *arena,
                                   const char *name, const skua_value *data,
                                   const struct skua__render_opts *opts,
                                   struct skua__view_error *error);

/* How often the set has opened and compiled templates, for tests and statistics. */
struct skua__views_stats {
    uint64_t loads;
    uint64_t compiles;
};
struct skua__views_stats skua__views_stats(const struct skua__views *views);

#endif
