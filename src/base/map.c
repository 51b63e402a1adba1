/* SPDX-License-Identifier: MIT */
/*
 * map.c - string to pointer, open addressing
 *
 * The map owns its slots, neither keys nor values. Not for several writers, and not for a reader
 * beside a writer.
 */
#include "base/map.h"

#include "base/hash.h"

#include <skua/err.h>
#include <stdlib.h>

#define SMALLEST 8u

void skua__map_finish(struct skua__map *map)
{
    free(map->slots);
    memset(map, 0, sizeof(*map));
}

/* The slot that holds `key`, or the free one where it belongs. Needs a free slot in the table. */
static struct skua__map_slot *find_slot(struct skua__map_slot *slots, uint32_t cap, uint64_t hash,
                                        skua_str key)
{
    uint32_t at = (uint32_t)hash & (cap - 1);

    while (slots[at].value != NULL && (slots[at].hash != hash || !skua_str_eq(slots[at].key, key)))
        at = (at + 1) & (cap - 1);
    return &slots[at];
}

void *skua__map_get(const struct skua__map *map, skua_str key)
{
    if (map->count == 0)
        return NULL;
    return find_slot(map->slots, map->cap, skua__hash(key), key)->value;
}

static int grow(struct skua__map *map)
{
    uint32_t cap = map->cap == 0 ? SMALLEST : map->cap * 2;
    struct skua__map_slot *slots = calloc(cap, sizeof(*slots));

    if (slots == NULL)
        return SKUA_ERR_NOMEM;
    for (uint32_t i = 0; i < map->cap; i++) {
        const struct skua__map_slot *old = &map->slots[i];

        if (old->value != NULL)
            *find_slot(slots, cap, old->hash, old->key) = *old;
    }
    free(map->slots);
    map->slots = slots;
    map->cap = cap;
    return 0;
}

int skua__map_put(struct skua__map *map, skua_str key, void *value)
{
    uint64_t hash = skua__hash(key);
    struct skua__map_slot *slot;
    int err;

    if ((map->count + 1) * 4 > map->cap * 3 && (err = grow(map)) < 0)
        return err;
    slot = find_slot(map->slots, map->cap, hash, key);
    if (slot->value == NULL)
        map->count++;
    slot->hash = hash;
    slot->key = key;
    slot->value = value;
    return 0;
}
