/* SPDX-License-Identifier: MIT */
/* Arenas for tests; include it behind <cmocka.h>. */
#ifndef SK_ARENA_SUPPORT_H
#define SK_ARENA_SUPPORT_H

#include "base/arena.h"

/* Fixtures: *state is an unbounded arena. */
static inline int sk_arena_open(void **state)
{
    *state = skua_arena_new(0);
    return *state == NULL;
}

static inline int sk_arena_close(void **state)
{
    skua_arena_free(*state);
    return 0;
}

/* An arena that has `size` bytes and gets no chunk, only `budget` bytes for large allocations. */
static inline void sk_arena_init_small(skua_arena *arena, char *memory, size_t size, size_t budget)
{
    assert_true(budget > 0 && budget < SKUA__CHUNK_SIZE);
    skua__arena_init(arena, NULL, budget);
    arena->tip = memory;
    arena->end = memory + size;
}

#endif
