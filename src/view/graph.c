/* SPDX-License-Identifier: MIT */
/*
 * graph.c - everything that a page needs, made ready before it is run
 *
 *   queue:  root, root | what they include | what those include | …
 *           visited ---------^ next
 *
 * A plain walk with a list of what has been met, so circles end and nothing recurses. Each entry is
 * loaded through its own single flight, by whoever comes to it first; the walk then waits for one
 * entry at a time while it holds none, so two walks can never wait for each other.
 *
 * A dep means the first of its candidates that exists. Writing that into the program is the only
 * change a finished program ever sees; every walk writes the same.
 *
 * Once all is there, every entry of the walk is marked complete: what it reaches is a part of what
 * the walk has reached. From then on a render only looks at the mark.
 */
#include "view/graph.h"

#include "base/arena.h"
#include "view/error.h"

#include <skua/err.h>

#define FIRST_QUEUE 16u

void skua__graph_init(struct skua__graph *graph)
{
    graph->queue = NULL;
    graph->count = 0;
    graph->cap = 0;
    graph->met = skua_alloc_zero(graph->arena, SKUA__MAX_ENTRIES / 8, 1);
}

int skua__graph_add(struct skua__graph *graph, struct skua__entry *entry)
{
    unsigned char bit = (unsigned char)(1u << (entry->id & 7));

    if (graph->met == NULL)
        return SKUA_ERR_NOMEM;
    if ((graph->met[entry->id / 8] & bit) != 0)
        return 0;
    if (graph->count == graph->cap) {
        size_t size = graph->cap * sizeof(*graph->queue);
        size_t cap = graph->cap == 0 ? FIRST_QUEUE : graph->cap * 2;
        struct skua__entry **queue =
            skua__arena_grow(graph->arena, graph->queue, size, cap * sizeof(*queue));

        if (queue == NULL)
            return SKUA_ERR_NOMEM;
        graph->queue = queue;
        graph->cap = cap;
    }
    graph->met[entry->id / 8] |= bit;
    graph->queue[graph->count++] = entry;
    return 0;
}

/* Failures of the one who asks, not of the template. */
static bool is_own_failure(int err)
{
    return err == SKUA_ERR_NOMEM || err == SKUA_ERR_CANCELED || err == SKUA_ERR_NO_FIBER;
}

/* Load an entry; *error says what is wrong with it. 0 or a failure of the one who asks. */
static int load_entry(struct skua__graph *graph, struct skua__entry *entry,
                      const struct skua__compiled **out, struct skua__view_error *error)
{
    int err = skua__cache_load(out, graph->cache, entry);

    if (is_own_failure(err))
        return err;
    if (err < 0)
        skua__view_error_set(error, graph->arena, err, entry->key.name.ptr, "%s",
                             skua_err_text(err));
    else
        *error = (*out)->error;
    return 0;
}

static int report_missing(struct skua__graph *graph, const struct skua__program *program,
                          const struct skua__dep *dep)
{
    const struct skua__entry *first = dep->candidates[0];
    struct skua__view_error error;

    skua__view_error_set(&error, graph->arena, SKUA_ERR_NO_TEMPLATE, program->name,
                         "there is no template '%s'", first->key.name.ptr);
    skua__view_error_place(&error, graph->arena, program->source, dep->offset);
    return graph->report(graph->arg, &error);
}

/* Find out what a dep means, and queue that. */
static int resolve_dep(struct skua__graph *graph, const struct skua__program *program,
                       struct skua__dep *dep, bool *wrong)
{
    const struct skua__compiled *compiled;
    struct skua__view_error error;
    int i = 0;

    do {
        int err = load_entry(graph, dep->candidates[i], &compiled, &error);

        if (err < 0)
            return err;
        if (error.code == SKUA_ERR_NO_TEMPLATE)
            continue;
        if (error.code == 0)
            atomic_store_explicit(&dep->program, &compiled->program, memory_order_release);
        return skua__graph_add(graph, dep->candidates[i]);
    } while (++i < 2 && dep->candidates[i] != NULL);
    if (graph->empty_partials)
        return 0;
    *wrong = true;
    return report_missing(graph, program, dep);
}

static int visit(struct skua__graph *graph, struct skua__entry *entry, bool *wrong)
{
    const struct skua__compiled *compiled;
    struct skua__view_error error;
    int err;

    err = load_entry(graph, entry, &compiled, &error);
    if (err != 0)
        return err;
    if (error.code != 0) {
        *wrong = true;
        return graph->report(graph->arg, &error);
    }
    for (uint32_t i = 0; i < compiled->program.dep_count && err == 0; i++)
        err = resolve_dep(graph, &compiled->program, &compiled->program.deps[i], wrong);
    return err;
}

int skua__graph_load(struct skua__graph *graph)
{
    bool wrong = false;
    int err = 0;

    for (size_t at = 0; at < graph->count && err == 0; at++)
        err = visit(graph, graph->queue[at], &wrong);
    if (err != 0)
        return err;
    if (wrong)
        return SKUA_ERR_SETUP;
    for (size_t i = 0; i < graph->count; i++)
        atomic_store_explicit(&graph->queue[i]->complete, true, memory_order_release);
    return 0;
}
