/* SPDX-License-Identifier: MIT */
/*
 * skua/arena.h - memory that dies together
 *
 * Everything reached through a request lives in the request's arena: allocate freely, free nothing.
 * An arena belongs to one thread at a time.
 *
 * Running out of memory, or of the arena's byte budget, is sticky: the call returns NULL, every
 * builder accepts that NULL and does nothing, and whatever the handler does next the reply is 503.
 * So set-up of a page needs no checks on the way.
 */
#ifndef SKUA_ARENA_H
#define SKUA_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#include <skua/attr.h>
#include <skua/str.h>

SKUA_C_BEGIN

typedef struct skua_arena skua_arena;

/**
 * Make an arena of your own, for work outside a request.
 *
 * @param budget  the most bytes it may ever hold, 0 for no bound
 * @return NULL when there is no memory; free it with skua_arena_free
 */
SKUA_API skua_arena *skua_arena_new(size_t budget);

/** Run the deferred clean-ups, last first, and give everything back. NULL is fine. */
SKUA_API void skua_arena_free(skua_arena *arena);

/**
 * Allocate `size` bytes, aligned for any type, not cleared.
 *
 * @param arena  NULL gives NULL
 * @param size   0 gives a valid pointer to nothing
 * @return NULL when memory or budget is gone; sticky (skua_arena_failed)
 */
SKUA_API void *skua_alloc(skua_arena *arena, size_t size);

/** As skua_alloc for `count` items of `size` bytes, cleared; an overflow of the product fails. */
SKUA_API void *skua_alloc_zero(skua_arena *arena, size_t count, size_t size);

/** Copy a slice and add a zero byte. NULL when memory is gone. */
SKUA_API char *skua_strdup(skua_arena *arena, skua_str text);

/** Format into the arena. NULL when memory is gone. */
SKUA_API SKUA_PRINTF(2, 3) char *skua_format(skua_arena *arena, const char *format, ...);

/**
 * Have `fn(ptr)` called when the arena ends; the last deferred runs first.
 *
 * It runs on every way out. A clean-up may not wait.
 *
 * @return 0, or SKUA_ERR_NOMEM: then `fn(ptr)` has been called at once, so nothing leaks
 */
SKUA_API int skua_defer(skua_arena *arena, void (*fn)(void *ptr), void *ptr);

/** Whether an allocation has ever failed here. NULL counts as failed. */
SKUA_API bool skua_arena_failed(const skua_arena *arena);

SKUA_C_END

#endif
