/* SPDX-License-Identifier: MIT */
/*
 * cache.c - templates, each loaded and compiled once
 *
 * Looking up an entry that is there takes no lock and no reference: entries live as long as the
 * cache. Loading is a single flight per entry. Its flight hangs on an attempt, which those who wait
 * for it hold; the last one to leave frees it. An attempt that failed for a reason that may pass
 * (memory, open files) is forgotten, and whoever comes next makes another; any other outcome is
 * published and stays.
 *
 *   skua__cache_load:  compiled? --yes--> done
 *                      join the attempt (under the lock), fly, leave (under the lock)
 *
 * A flight compiles its own template only and merely creates the entries of those it names, so no
 * flight waits for another one, whatever circle the templates make. graph.c follows the names.
 */
#include "view/cache.h"

#include "async/flight.h"
#include "base/hash.h"
#include "view/error.h"
#include "view/name.h"

#include <skua/err.h>
#include <stdlib.h>

#define FIRST_SLOTS 64u

struct skua__cache_slots {
    uint32_t cap; /* a power of two */
    _Atomic(struct skua__entry *) slot[];
};

struct skua__attempt {
    struct skua__flight flight;
    uint32_t holders; /* under the cache's lock */
};

/* ---- the table ---- */

static struct skua__cache_slots *new_slots(skua_arena *arena, uint32_t cap)
{
    struct skua__cache_slots *slots =
        skua_alloc(arena, sizeof(*slots) + cap * sizeof(slots->slot[0]));

    if (slots == NULL)
        return NULL;
    slots->cap = cap;
    for (uint32_t i = 0; i < cap; i++)
        atomic_init(&slots->slot[i], NULL);
    return slots;
}

int skua__cache_init(struct skua__cache *cache, const struct skua__loader *loader,
                     struct skua__cache_counters *counters)
{
    struct skua__cache_slots *slots;

    memset(cache, 0, sizeof(*cache));
    cache->loader = loader;
    cache->counters = counters;
    cache->arena = skua_arena_new(0);
    slots = new_slots(cache->arena, FIRST_SLOTS);
    if (slots == NULL || pthread_mutex_init(&cache->lock, NULL) != 0) {
        skua_arena_free(cache->arena);
        return SKUA_ERR_NOMEM;
    }
    atomic_init(&cache->slots, slots);
    return 0;
}

void skua__cache_finish(struct skua__cache *cache)
{
    struct skua__cache_slots *slots = atomic_load(&cache->slots);

    for (uint32_t i = 0; i < slots->cap; i++) {
        struct skua__entry *entry = atomic_load(&slots->slot[i]);
        const struct skua__compiled *compiled =
            entry != NULL ? atomic_load(&entry->compiled) : NULL;

        if (compiled != NULL)
            skua_arena_free(compiled->arena);
    }
    pthread_mutex_destroy(&cache->lock);
    skua_arena_free(cache->arena);
}

static bool same_key(const struct skua__cache_key *a, const struct skua__cache_key *b)
{
    return a->hash == b->hash && a->given == b->given && a->indented == b->indented &&
           skua_str_eq(a->name, b->name);
}

static struct skua__entry *find(struct skua__cache *cache, const struct skua__cache_key *key)
{
    struct skua__cache_slots *slots = atomic_load_explicit(&cache->slots, memory_order_acquire);
    uint32_t at = (uint32_t)key->hash & (slots->cap - 1);
    struct skua__entry *entry;

    while ((entry = atomic_load_explicit(&slots->slot[at], memory_order_acquire)) != NULL &&
           !same_key(&entry->key, key))
        at = (at + 1) & (slots->cap - 1);
    return entry;
}

struct skua__entry *skua__cache_find(struct skua__cache *cache, skua_str name)
{
    return find(cache, &(struct skua__cache_key){.name = name, .hash = skua__hash(name)});
}

/* Under the lock, as all that follows up to `add`. */
static void put(struct skua__cache_slots *slots, struct skua__entry *entry)
{
    uint32_t at = (uint32_t)entry->key.hash & (slots->cap - 1);

    while (atomic_load_explicit(&slots->slot[at], memory_order_relaxed) != NULL)
        at = (at + 1) & (slots->cap - 1);
    atomic_store_explicit(&slots->slot[at], entry, memory_order_release);
}

/* The table, with room for one more entry; NULL when memory is gone. */
static struct skua__cache_slots *make_room(struct skua__cache *cache)
{
    struct skua__cache_slots *old = atomic_load_explicit(&cache->slots, memory_order_relaxed);
    struct skua__cache_slots *slots;

    if ((cache->count + 1) * 4 <= old->cap * 3)
        return old;
    slots = new_slots(cache->arena, old->cap * 2);
    if (slots == NULL)
        return NULL;
    for (uint32_t i = 0; i < old->cap; i++) {
        struct skua__entry *entry = atomic_load_explicit(&old->slot[i], memory_order_relaxed);

        if (entry != NULL)
            put(slots, entry);
    }
    atomic_store_explicit(&cache->slots, slots, memory_order_release);
    return slots;
}

static struct skua__entry *add(struct skua__cache *cache, const struct skua__cache_key *key)
{
    struct skua__cache_slots *slots = make_room(cache);
    struct skua__entry *entry = skua_alloc_zero(cache->arena, 1, sizeof(*entry));
    const char *name = skua_strdup(cache->arena, key->name);

    if (slots == NULL || entry == NULL || name == NULL)
        return NULL;
    entry->key = *key;
    entry->key.name.ptr = name;
    entry->id = cache->count++;
    atomic_init(&entry->compiled, NULL);
    atomic_init(&entry->complete, false);
    atomic_init(&entry->expected, 0);
    put(slots, entry);
    return entry;
}

int skua__cache_entry(struct skua__entry **out, struct skua__cache *cache,
                      struct skua__cache_key key)
{
    int err = 0;

    key.hash = skua__hash(key.name);
    *out = find(cache, &key);
    if (*out != NULL)
        return 0;
    pthread_mutex_lock(&cache->lock);
    *out = find(cache, &key); /* somebody may have been quicker */
    if (*out == NULL && cache->count == SKUA__MAX_ENTRIES)
        err = SKUA_ERR_LIMIT;
    else if (*out == NULL && (*out = add(cache, &key)) == NULL)
        err = SKUA_ERR_NOMEM;
    pthread_mutex_unlock(&cache->lock);
    return err;
}

bool skua__cache_is_full(struct skua__cache *cache)
{
    bool full;

    pthread_mutex_lock(&cache->lock);
    full = cache->count == SKUA__MAX_ENTRIES;
    pthread_mutex_unlock(&cache->lock);
    return full;
}

/* ---- loading and compiling ---- */

static int add_candidate(struct skua__cache *cache, struct skua__entry **slot, skua_str name,
                         const struct skua__dialect *dialect, bool indented)
{
    struct skua__cache_key key = {.name = name, .indented = indented};

    key.given = skua__dialect_of(name) == NULL ? dialect : NULL;
    return skua__cache_entry(slot, cache, key);
}

/* Make the entries that a dep may mean: with the extension of its template, and as it is written. */
static int name_dep(struct skua__cache *cache, struct skua__dep *dep, skua_arena *arena,
                    skua_str extension, const struct skua__dialect *dialect)
{
    struct skua__entry **slot = dep->candidates;
    const char *longer;
    int err;

    if (skua__name_extension(dep->name).len == 0 && extension.len > 0) {
        longer = skua_format(arena, "%.*s.%.*s", (int)dep->name.len, dep->name.ptr,
                             (int)extension.len, extension.ptr);
        if (longer == NULL)
            return SKUA_ERR_NOMEM;
        err = add_candidate(cache, slot++, skua_str_c(longer), dialect, dep->indented);
        if (err < 0)
            return err;
    }
    return add_candidate(cache, slot, dep->name, dialect, dep->indented);
}

static int name_deps(struct skua__cache *cache, const struct skua__program *program,
                     skua_arena *arena, skua_str extension, const struct skua__dialect *dialect)
{
    int err = 0;

    for (uint32_t i = 0; i < program->dep_count && err == 0; i++)
        err = name_dep(cache, &program->deps[i], arena, extension, dialect);
    return err;
}

/* Some editors put a byte order mark before the text; it is no part of it. */
static skua_str without_mark(skua_str text)
{
    if (text.len >= 3 && memcmp(text.ptr, "\xef\xbb\xbf", 3) == 0)
        return skua_str_of(text.ptr + 3, text.len - 3);
    return text;
}

static int load_text(struct skua__cache *cache, const struct skua__entry *entry,
                     struct skua__source *source, struct skua__view_error *error)
{
    const struct skua__loader *loader = cache->loader;
    int err;

    atomic_fetch_add_explicit(&cache->counters->loads, 1, memory_order_relaxed);
    err = loader->load(loader->ctx, source->arena, entry->key.name, &source->text);
    if (err == SKUA_ERR_NO_TEMPLATE)
        return skua__view_error_set(error, source->arena, err, NULL, "there is no template '%s'",
                                    source->name);
    if (err == SKUA_ERR_LIMIT || (err == 0 && source->text.len > SKUA__MAX_TEMPLATE))
        return skua__view_error_set(error, source->arena, SKUA_ERR_LIMIT, source->name,
                                    "the template is larger than %zu bytes", SKUA__MAX_TEMPLATE);
    source->text = without_mark(source->text);
    return err;
}

static int compile_entry(struct skua__cache *cache, const struct skua__entry *entry,
                         struct skua__compiled *compiled)
{
    const struct skua__dialect *dialect = entry->key.given;
    skua_str name = entry->key.name;
    struct skua__source source = {
        .arena = compiled->arena, .name = name.ptr, .indented = entry->key.indented};
    int err;

    err = load_text(cache, entry, &source, &compiled->error);
    if (err < 0)
        return err;
    if (dialect == NULL)
        dialect = skua__dialect_of(name);
    if (dialect == NULL)
        return skua__view_error_set(&compiled->error, source.arena, SKUA_ERR_TEMPLATE, name.ptr,
                                    "no template language has the extension '%s'",
                                    skua__name_extension(name).ptr);
    atomic_fetch_add_explicit(&cache->counters->compiles, 1, memory_order_relaxed);
    err = dialect->compile(&compiled->program, &source, &compiled->error);
    if (err < 0)
        return err;
    err = name_deps(cache, &compiled->program, source.arena, skua__name_extension(name), dialect);
    if (err == SKUA_ERR_LIMIT)
        skua__view_error_set(&compiled->error, source.arena, err, name.ptr,
                             "there are more than %u templates", SKUA__MAX_ENTRIES);
    return err;
}

/* Whether trying again would come to the same. */
static bool is_settled(int err)
{
    return err == 0 || err == SKUA_ERR_TEMPLATE || err == SKUA_ERR_NO_TEMPLATE ||
           err == SKUA_ERR_LIMIT;
}

/* The work of a flight. */
struct work {
    struct skua__cache *cache;
    struct skua__entry *entry;
    bool ran; /* it was this caller who did it */
};

/* 0 when the outcome has been published, else why there is none. */
static int settle_entry(void *arg)
{
    struct work *work = arg;
    skua_arena *arena = skua_arena_new(0);
    struct skua__compiled *compiled = skua_alloc_zero(arena, 1, sizeof(*compiled));
    int err = SKUA_ERR_NOMEM;

    work->ran = true;
    if (compiled != NULL) {
        compiled->arena = arena;
        err = compile_entry(work->cache, work->entry, compiled);
        compiled->err = err;
    }
    if (!is_settled(err) || skua_arena_failed(arena)) {
        skua_arena_free(arena);
        return is_settled(err) ? SKUA_ERR_NOMEM : err;
    }
    atomic_store_explicit(&work->entry->compiled, compiled, memory_order_release);
    return 0;
}

static struct skua__attempt *new_attempt(void)
{
    struct skua__attempt *attempt = calloc(1, sizeof(*attempt));

    if (attempt == NULL || skua__flight_init(&attempt->flight) == 0)
        return attempt;
    free(attempt);
    return NULL;
}

/* Hold the entry's attempt, or a new one; NULL if it is settled by now, or memory is gone. */
static struct skua__attempt *join(struct skua__cache *cache, struct skua__entry *entry)
{
    struct skua__attempt *attempt = NULL;

    pthread_mutex_lock(&cache->lock);
    /* The attempt that settled it may be gone already: another one must not do it again. */
    if (atomic_load_explicit(&entry->compiled, memory_order_acquire) == NULL) {
        if (entry->attempt == NULL)
            entry->attempt = new_attempt();
        attempt = entry->attempt;
        if (attempt != NULL)
            attempt->holders++;
    }
    pthread_mutex_unlock(&cache->lock);
    return attempt;
}

/* Whoever did the work sees to it that nobody joins the attempt any more. */
static void leave(const struct work *work, struct skua__attempt *attempt)
{
    bool last;

    pthread_mutex_lock(&work->cache->lock);
    if (work->ran)
        work->entry->attempt = NULL;
    last = --attempt->holders == 0;
    pthread_mutex_unlock(&work->cache->lock);
    if (!last)
        return;
    skua__flight_finish(&attempt->flight);
    free(attempt);
}

int skua__cache_load(const struct skua__compiled **out, struct skua__cache *cache,
                     struct skua__entry *entry)
{
    struct work work = {.cache = cache, .entry = entry};
    struct skua__attempt *attempt;
    int err = SKUA_ERR_NOMEM;

    *out = atomic_load_explicit(&entry->compiled, memory_order_acquire);
    if (*out != NULL)
        return 0;
    attempt = join(cache, entry);
    if (attempt != NULL) {
        err = skua__flight_do(&attempt->flight, settle_entry, &work);
        leave(&work, attempt);
    }
    *out = atomic_load_explicit(&entry->compiled, memory_order_acquire);
    return *out != NULL ? 0 : err;
}
