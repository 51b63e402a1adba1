/* SPDX-License-Identifier: MIT */
#ifndef SKUA__VIEW_GRAPH_H
#define SKUA__VIEW_GRAPH_H

#include "view/cache.h"
#include "view/views.h"

#include <skua/arena.h>
#include <skua/attr.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Templates and what they include, from some roots on. Fill in all but the last three members.
 */
struct skua__graph {
    struct skua__cache *cache;
    skua_arena *arena;   /* for working memory */
    bool empty_partials; /* an unknown template that is included renders as nothing */
    /* Called for each thing that is wrong; the error is valid during the call. Not 0: stop. */
    int (*report)(void *arg, const struct skua__view_error *error);
    void *arg;

    struct skua__entry **queue; /* every entry met so far; those below `done` have been visited */
    size_t count, cap;
    unsigned char *met; /* a bit for each entry of the cache */
};

void skua__graph_init(struct skua__graph *graph);

/* Add a root. 0 or SKUA_ERR_NOMEM. */
int skua__graph_add(struct skua__graph *graph, struct skua__entry *entry);

/*
 * Load whatever is reachable from the roots, and resolve the deps of each. When nothing is wrong
 * every entry met is marked complete, so that it can be run.
 *
 * 0; SKUA_ERR_SETUP when something was reported; what `report` returned; SKUA_ERR_NOMEM,
 * SKUA_ERR_CANCELED, SKUA_ERR_NO_FIBER.
 */
SKUA_YIELDS int skua__graph_load(struct skua__graph *graph);

#endif
