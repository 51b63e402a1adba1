/* SPDX-License-Identifier: MIT */
#ifndef SKUA__VIEW_CACHE_H
#define SKUA__VIEW_CACHE_H

#include "view/dialect.h"
#include "view/loader.h"
#include "view/program.h"
#include "view/views.h"

#include <pthread.h>
#include <skua/arena.h>
#include <skua/attr.h>
#include <skua/str.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* The most entries of a cache: names asked for are remembered, also those there is nothing under. */
#define SKUA__MAX_ENTRIES 4096u

/* The most bytes of a template's text. */
#define SKUA__MAX_TEMPLATE ((size_t)16 << 20)

/* What came of loading and compiling a template. Immutable; it lives in its own arena. */
struct skua__compiled {
    skua_arena *arena;
    int err;                      /* 0: `program`, else `error` */
    struct skua__program program; /* but for its deps, which graph.c completes */
    struct skua__view_error error;
};

/* What a template is found by: one text may be compiled in more than one way. */
struct skua__cache_key {
    skua_str name;
    const struct skua__dialect *given; /* the language, when the extension does not tell; or NULL */
    bool indented;                     /* compiled with INDENT at the start of every line */
    uint64_t hash;                     /* of the name; set by the cache */
};

/*
 * A template that somebody has asked for.
 *
 *   unknown --first load--> being loaded (attempt) --> settled (compiled), for ever
 *                 ^                   |
 *                 `-- no memory, too many open files, …: the next one tries again
 */
struct skua__entry {
    struct skua__cache_key key;                      /* its name ends in a zero byte */
    uint32_t id;                                     /* 0, 1, 2… in the cache */
    struct skua__attempt *attempt;                   /* under the cache's lock */
    _Atomic(const struct skua__compiled *) compiled; /* NULL until settled */
    atomic_bool complete;   /* all that it reaches is compiled, so it can be run */
    atomic_size_t expected; /* the most bytes it has printed yet, up to a bound */
};

/* How often templates were opened and compiled. */
struct skua__cache_counters {
    atomic_uint_fast64_t loads;
    atomic_uint_fast64_t compiles;
};

/*
 * Names to entries. Entries are only ever added; readers take no lock.
 *
 *   slots --> { cap, [ entry | entry | NULL | … ] }      open addressing, at most 3/4 full
 *
 * A table that is full is replaced by a larger one with the same entries. Readers may still be in
 * the old one, so it stays until the end, as everything in `arena` does.
 */
struct skua__cache {
    _Atomic(struct skua__cache_slots *) slots;
    pthread_mutex_t lock; /* for adding, and for attempts */
    skua_arena *arena;    /* under the lock */
    uint32_t count;       /* under the lock */
    const struct skua__loader *loader;
    struct skua__cache_counters *counters;
};

/* 0 or SKUA_ERR_NOMEM; then there is nothing to finish. Loader and counters are borrowed. */
int skua__cache_init(struct skua__cache *cache, const struct skua__loader *loader,
                     struct skua__cache_counters *counters);
void skua__cache_finish(struct skua__cache *cache);

/* Whether no further name can be kept: SKUA_ERR_LIMIT for each new one. */
bool skua__cache_is_full(struct skua__cache *cache);

/*
 * The entry of a key, whose name is a valid one (name.h); added if it is new. 0, SKUA_ERR_NOMEM,
 * SKUA_ERR_LIMIT when there are too many. An entry that is there is found without a lock.
 */
int skua__cache_entry(struct skua__entry **out, struct skua__cache *cache,
                      struct skua__cache_key key);

/* The entry of a name with an extension that tells the language; NULL when there is none yet. */
struct skua__entry *skua__cache_find(struct skua__cache *cache, skua_str name);

/*
 * Load and compile the template unless that has been done; many who ask at once wait for one who
 * does it. It does not wait for any other template. 0 and *out (which may hold an error), or
 * SKUA_ERR_NOMEM, SKUA_ERR_CANCELED, SKUA_ERR_NO_FIBER or what else the loader says may pass.
 */
SKUA_YIELDS int skua__cache_load(const struct skua__compiled **out, struct skua__cache *cache,
                                 struct skua__entry *entry);

#endif
