/* SPDX-License-Identifier: MIT */
/*
 * arena.c - bump allocation in chunks, everything freed at once
 *
 * Small allocations are cut from the newest chunk; one over SKUA__ARENA_BIG gets a block of its own
 * aside, which is resized when it grows, so that a long buffer leaves no garbage behind. Chunks
 * come from the thread's pool if there is one, so a keep-alive connection's next request usually
 * takes the very chunk its last one gave back, still in the cache.
 *
 * The arena owns its chunks and its deferred clean-ups. It is used by one thread at a time. Under
 * ASan the unused part of a chunk is poisoned, so an overrun is found although malloc is not asked.
 */
#include "base/arena.h"

#include <stdio.h>
#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__)
#define SKUA__ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SKUA__ASAN 1
#endif
#endif

#ifdef SKUA__ASAN
#include <sanitizer/asan_interface.h>
#define GAP                 16 /* poisoned bytes between allocations */
#define poison(ptr, size)   ASAN_POISON_MEMORY_REGION(ptr, size)
#define unpoison(ptr, size) ASAN_UNPOISON_MEMORY_REGION(ptr, size)
#else
#define GAP                 0
#define poison(ptr, size)   ((void)(ptr), (void)(size))
#define unpoison(ptr, size) ((void)(ptr), (void)(size))
#endif

#define ALIGN         ((size_t)16)
#define ROUND(size)   (((size) + (ALIGN - 1)) & ~(ALIGN - 1))
#define CHUNK_HEADER  ROUND(sizeof(struct skua__chunk))
#define BIG_HEADER    ROUND(sizeof(struct skua__big))
#define LARGEST_BLOCK ((size_t)PTRDIFF_MAX / 2)

void skua__arena_init(skua_arena *arena, struct skua__chunk_pool *pool, size_t budget)
{
    memset(arena, 0, sizeof(*arena));
    arena->pool = pool;
    arena->budget = budget;
}

skua_arena *skua_arena_new(size_t budget)
{
    skua_arena *arena = malloc(sizeof(*arena));

    if (arena != NULL)
        skua__arena_init(arena, NULL, budget);
    return arena;
}

void skua_arena_free(skua_arena *arena)
{
    if (arena == NULL)
        return;
    skua__arena_reset(arena);
    free(arena);
}

static struct skua__chunk *take_chunk(struct skua__chunk_pool *pool)
{
    struct skua__chunk *chunk;

    if (pool == NULL || pool->free == NULL)
        return malloc(SKUA__CHUNK_SIZE);
    chunk = pool->free;
    unpoison(chunk, SKUA__CHUNK_SIZE);
    pool->free = chunk->next;
    pool->count--;
    return chunk;
}

static void give_chunk(struct skua__chunk_pool *pool, struct skua__chunk *chunk)
{
    unpoison(chunk, SKUA__CHUNK_SIZE);
    if (pool == NULL || pool->count >= pool->most) {
        free(chunk);
        return;
    }
    chunk->next = pool->free;
    pool->free = chunk;
    pool->count++;
    poison((char *)chunk + CHUNK_HEADER, SKUA__CHUNK_SIZE - CHUNK_HEADER);
}

void skua__chunk_pool_finish(struct skua__chunk_pool *pool)
{
    while (pool->free != NULL) {
        struct skua__chunk *chunk = pool->free;

        pool->free = chunk->next;
        unpoison(chunk, SKUA__CHUNK_SIZE);
        free(chunk);
    }
    pool->count = 0;
}

static void run_deferred(skua_arena *arena)
{
    while (arena->deferred != NULL) {
        struct skua__deferred *deferred = arena->deferred;

        arena->deferred = deferred->next;
        deferred->fn(deferred->ptr);
    }
}

void skua__arena_reset(skua_arena *arena)
{
    run_deferred(arena);
    while (arena->chunks != NULL) {
        struct skua__chunk *chunk = arena->chunks;

        arena->chunks = chunk->next;
        give_chunk(arena->pool, chunk);
    }
    while (arena->big != NULL) {
        struct skua__big *big = arena->big;

        arena->big = big->next;
        free(big);
    }
    arena->tip = arena->end = NULL;
    arena->spent = 0;
    arena->failed = false;
}

/* Account for `size` bytes from the system; false past the budget. */
static bool spend(skua_arena *arena, size_t size)
{
    if (arena->budget != 0 && size > arena->budget - arena->spent)
        return false;
    arena->spent += size;
    return true;
}

static void *fail(skua_arena *arena)
{
    arena->failed = true;
    return NULL;
}

/* Let the neighbours know where a large block lies now. */
static void join_big(struct skua__big *big)
{
    *big->link = big;
    if (big->next != NULL)
        big->next->link = &big->next;
}

static void *alloc_aside(skua_arena *arena, size_t size)
{
    size_t whole = BIG_HEADER + size;
    struct skua__big *big;

    if (!spend(arena, whole))
        return fail(arena);
    big = malloc(whole);
    if (big == NULL)
        return fail(arena);
    big->next = arena->big;
    big->link = &arena->big;
    join_big(big);
    return (char *)big + BIG_HEADER;
}

static void *grow_aside(skua_arena *arena, void *ptr, size_t old, size_t size)
{
    struct skua__big *big;

    if (size > LARGEST_BLOCK || !spend(arena, size - old))
        return fail(arena);
    big = realloc((char *)ptr - BIG_HEADER, BIG_HEADER + size);
    if (big == NULL)
        return fail(arena);
    join_big(big);
    return (char *)big + BIG_HEADER;
}

static bool add_chunk(skua_arena *arena)
{
    struct skua__chunk *chunk;

    if (!spend(arena, SKUA__CHUNK_SIZE))
        return false;
    chunk = take_chunk(arena->pool);
    if (chunk == NULL)
        return false;
    chunk->next = arena->chunks;
    arena->chunks = chunk;
    arena->tip = (char *)chunk + CHUNK_HEADER;
    arena->end = (char *)chunk + SKUA__CHUNK_SIZE;
    poison(arena->tip, (size_t)(arena->end - arena->tip));
    return true;
}

void *skua_alloc(skua_arena *arena, size_t size)
{
    /* Nothing takes a place too: before the first chunk there is no pointer to give. */
    size_t step = ROUND(size > 0 ? size : 1) + GAP;
    void *ptr;

    if (arena == NULL)
        return NULL;
    if (size > LARGEST_BLOCK)
        return fail(arena);
    if (size > SKUA__ARENA_BIG)
        return alloc_aside(arena, size);
    if ((size_t)(arena->end - arena->tip) < step && !add_chunk(arena))
        return fail(arena);
    ptr = arena->tip;
    arena->tip += step;
    unpoison(ptr, size);
    return ptr;
}

void *skua_alloc_zero(skua_arena *arena, size_t count, size_t size)
{
    size_t whole;
    void *ptr;

    if (__builtin_mul_overflow(count, size, &whole))
        return arena != NULL ? fail(arena) : NULL;
    ptr = skua_alloc(arena, whole);
    return ptr != NULL ? memset(ptr, 0, whole) : NULL;
}

/* Whether [ptr, ptr+old) is the newest small allocation, so that its end is the tip. */
static bool is_newest(const skua_arena *arena, const char *ptr, size_t old)
{
    return ptr + ROUND(old) + GAP == arena->tip;
}

void *skua__arena_grow(skua_arena *arena, void *ptr, size_t old, size_t size)
{
    void *moved;

    if (arena == NULL)
        return NULL;
    if (old > SKUA__ARENA_BIG)
        return grow_aside(arena, ptr, old, size);
    if (ptr != NULL && size <= SKUA__ARENA_BIG && is_newest(arena, ptr, old) &&
        (size_t)(arena->end - (char *)ptr) >= ROUND(size) + GAP) {
        arena->tip = (char *)ptr + ROUND(size) + GAP;
        unpoison(ptr, size);
        return ptr;
    }
    moved = skua_alloc(arena, size);
    if (moved != NULL && ptr != NULL)
        memcpy(moved, ptr, old);
    return moved;
}

char *skua_strdup(skua_arena *arena, skua_str text)
{
    char *copy = skua_alloc(arena, text.len < LARGEST_BLOCK ? text.len + 1 : SIZE_MAX);

    if (copy == NULL)
        return NULL;
    if (text.len > 0)
        memcpy(copy, text.ptr, text.len);
    copy[text.len] = '\0';
    return copy;
}

char *skua__format_v(skua_arena *arena, const char *format, va_list args)
{
    va_list again;
    char *text = NULL;
    int len;

    va_copy(again, args);
    len = vsnprintf(NULL, 0, format, args);
    if (len >= 0)
        text = skua_alloc(arena, (size_t)len + 1);
    if (text != NULL)
        vsnprintf(text, (size_t)len + 1, format, again);
    va_end(again);
    return text;
}

char *skua_format(skua_arena *arena, const char *format, ...)
{
    va_list args;
    char *text;

    va_start(args, format);
    text = skua__format_v(arena, format, args);
    va_end(args);
    return text;
}

int skua_defer(skua_arena *arena, void (*fn)(void *ptr), void *ptr)
{
    struct skua__deferred *deferred = skua_alloc(arena, sizeof(*deferred));

    if (deferred == NULL) {
        fn(ptr);
        return SKUA_ERR_NOMEM;
    }
    deferred->fn = fn;
    deferred->ptr = ptr;
    deferred->next = arena->deferred;
    arena->deferred = deferred;
    return 0;
}

bool skua_arena_failed(const skua_arena *arena)
{
    return arena == NULL || arena->failed;
}
