/* SPDX-License-Identifier: MIT */
#ifndef SKUA__ASYNC_POOL_H
#define SKUA__ASYNC_POOL_H

#include "async/stack.h"

struct skua__fiber;
struct skua__loop;

/*
 * The fibers of a loop, running or not.
 *
 *   idle:  | trimmed ............ | rested ......... | warm ........ |
 *          0                      trimmed            least           idle_count
 *
 *   least <= idle_count <= made <= most. Fibers are taken from and given to the end, so the next
 *   one's stack is in the cache. Those below `least` have not been taken since the last look; those
 *   below both `trimmed` and `least` have given their memory back.
 */
struct skua__fiber_pool {
    struct skua__fiber **all;
    struct skua__fiber **idle;
    size_t made;
    size_t cap; /* of both arrays */
    size_t most;
    size_t idle_count;
    size_t least;
    size_t trimmed;
    unsigned gives; /* since the last look */
    struct skua__stacks stacks;
};

void skua__pool_init(struct skua__fiber_pool *pool, size_t stack_size, size_t most);

/* Free every fiber. The handles in them must be closed. */
void skua__pool_finish(struct skua__fiber_pool *pool);

/* A fiber that is at its beginning; NULL when there is no memory or `most` are in use. */
struct skua__fiber *skua__pool_take(struct skua__fiber_pool *pool, struct skua__loop *loop);

void skua__pool_give(struct skua__fiber_pool *pool, struct skua__fiber *fiber);

#endif
