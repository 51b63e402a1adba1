/* SPDX-License-Identifier: MIT */
/*
 * pool.c - fibers kept for the next use
 *
 * A fiber is made once, with its stack, and then used again and again: it is taken, runs one
 * function and is given back. The last given is the first taken.
 *
 * After a crowd has gone, most fibers are idle and hold whatever pages they once touched. Every
 * LOOK_EVERY gives the pool looks which fibers nobody needed since the last look, and lets these,
 * all but KEEP_WARM, give their memory back down to the page that their saved registers are in. So
 * a steady load costs no system call, and what a burst leaves behind is bounded.
 */
#include "async/pool.h"

#include "async/loop_private.h"

#include <skua/err.h>

#include <stdlib.h>

#define KEEP_WARM  ((size_t)64)
#define LOOK_EVERY 256u /* also the most stacks that are trimmed at one look */

void skua__pool_init(struct skua__fiber_pool *pool, size_t stack_size, size_t most)
{
    *pool = (struct skua__fiber_pool){.most = most};
    skua__stacks_init(&pool->stacks, stack_size);
}

void skua__pool_finish(struct skua__fiber_pool *pool)
{
    for (size_t i = 0; i < pool->made; i++) {
        skua__context_finish(&pool->all[i]->context);
        free(pool->all[i]);
    }
    free(pool->all);
    free(pool->idle);
    skua__stacks_finish(&pool->stacks);
}

/* Room in both arrays for one fiber more. */
static int grow(struct skua__fiber_pool *pool)
{
    size_t cap = pool->cap > 0 ? 2 * pool->cap : 64;
    struct skua__fiber **all, **idle;

    if (pool->made < pool->cap)
        return 0;
    all = realloc(pool->all, cap * sizeof(struct skua__fiber *));
    if (all == NULL)
        return SKUA_ERR_NOMEM;
    pool->all = all;
    idle = realloc(pool->idle, cap * sizeof(struct skua__fiber *));
    if (idle == NULL)
        return SKUA_ERR_NOMEM;
    pool->idle = idle;
    pool->cap = cap;
    return 0;
}

/* Add an idle fiber to the pool. */
static int make(struct skua__fiber_pool *pool, struct skua__loop *loop)
{
    struct skua__fiber *fiber;
    void *low;

    if (pool->made == pool->most || grow(pool) != 0)
        return SKUA_ERR_NOMEM;
    fiber = calloc(1, sizeof(*fiber));
    if (fiber == NULL)
        return SKUA_ERR_NOMEM;
    if (skua__stack_new(&pool->stacks, &low) != 0) {
        free(fiber);
        return SKUA_ERR_NOMEM;
    }
    fiber->loop = loop;
    skua__context_init(&fiber->context, low, pool->stacks.size, skua__fiber_main, fiber);
    uv_timer_init(&loop->uv, &fiber->timer);
    fiber->timer.data = fiber;
    pool->all[pool->made++] = fiber;
    pool->idle[pool->idle_count++] = fiber;
    return 0;
}

struct skua__fiber *skua__pool_take(struct skua__fiber_pool *pool, struct skua__loop *loop)
{
    if (pool->idle_count == 0 && make(pool, loop) != 0)
        return NULL;
    pool->idle_count--;
    if (pool->idle_count < pool->least)
        pool->least = pool->idle_count;
    return pool->idle[pool->idle_count];
}

static void trim_rested(struct skua__fiber_pool *pool)
{
    size_t to = pool->least > KEEP_WARM ? pool->least - KEEP_WARM : 0;

    if (pool->trimmed > pool->least)
        pool->trimmed = pool->least;
    if (to > pool->trimmed + LOOK_EVERY)
        to = pool->trimmed + LOOK_EVERY;
    for (; pool->trimmed < to; pool->trimmed++) {
        const struct skua__context *context = &pool->idle[pool->trimmed]->context;

        skua__stack_trim(&pool->stacks, context->low, context->sp);
    }
    pool->least = pool->idle_count;
    pool->gives = 0;
}

void skua__pool_give(struct skua__fiber_pool *pool, struct skua__fiber *fiber)
{
    fiber->state = SKUA__FIBER_IS_IDLE;
    pool->idle[pool->idle_count++] = fiber;
    if (++pool->gives == LOOK_EVERY)
        trim_rested(pool);
}
