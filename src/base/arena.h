/* SPDX-License-Identifier: MIT */
#ifndef SKUA__BASE_ARENA_H
#define SKUA__BASE_ARENA_H

#include <skua/arena.h>
#include <skua/err.h>
#include <stdarg.h>
#include <stdint.h>

/*
 * Layout of an arena:
 *
 *   chunk (newest)      chunk (oldest)            big (newest)          big (oldest)
 *   +----+----------+   +----+----------+         +----+----+-------+   +----+----+-------+
 *   |next| used|free|-->|next| used     |-->NULL  |next|link| bytes |<->|next|link| bytes |-->NULL
 *   +----+----------+   +----+----------+         +----+----+-------+   +----+----+-------+
 *             ^tip ^end
 *
 *   tip <= end; both NULL before the first allocation. An allocation over SKUA__ARENA_BIG goes
 *   aside, so a chunk's tail is never wasted on it, and it can be resized: *big->link == big.
 *   spent <= budget when budget != 0.
 */
#define SKUA__CHUNK_SIZE ((size_t)4096)
#define SKUA__ARENA_BIG  ((size_t)1024)

struct skua__chunk {
    struct skua__chunk *next;
};

struct skua__big {
    struct skua__big *next;
    struct skua__big **link; /* what points here: the arena or the newer one */
};

/* Empty chunks of one thread, kept for the next request. All of SKUA__CHUNK_SIZE. */
struct skua__chunk_pool {
    struct skua__chunk *free;
    uint32_t count;
    uint32_t most; /* count <= most; more are given back to the system */
};

struct skua__deferred {
    struct skua__deferred *next;
    void (*fn)(void *ptr);
    void *ptr;
};

struct skua_arena {
    char *tip;
    char *end;
    struct skua__chunk *chunks;
    struct skua__big *big;
    struct skua__deferred *deferred; /* newest first */
    struct skua__chunk_pool *pool;   /* NULL: chunks come from malloc */
    size_t spent;                    /* bytes taken from the system */
    size_t budget;                   /* 0: no bound */
    bool failed;
};

/* Start an arena in the caller's memory. `pool` may be NULL. */
void skua__arena_init(skua_arena *arena, struct skua__chunk_pool *pool, size_t budget);

/* Run the deferred clean-ups and give the memory back; the arena may be used again, unfailed. */
void skua__arena_reset(skua_arena *arena);

/*
 * Make an allocation larger, in place where that can be, else it moves. `old` is its present size.
 * The old place is not to be used any more: a large one has been given back.
 */
void *skua__arena_grow(skua_arena *arena, void *ptr, size_t old, size_t size);

char *skua__format_v(skua_arena *arena, const char *format, va_list args);

/* Give every chunk of the pool back to the system. */
void skua__chunk_pool_finish(struct skua__chunk_pool *pool);

#endif
