/* SPDX-License-Identifier: MIT */
#ifndef SKUA__BASE_MAP_H
#define SKUA__BASE_MAP_H

#include <skua/str.h>
#include <stdint.h>

/*
 * String -> pointer, open addressing with linear probing.
 *
 *   slots is NULL or holds cap entries, cap a power of two, count * 4 <= cap * 3. A slot is free
 *   when its value is NULL. Keys are borrowed: they must outlive the map. Nothing is ever removed.
 */
struct skua__map_slot {
    uint64_t hash;
    skua_str key;
    void *value;
};

struct skua__map {
    struct skua__map_slot *slots;
    uint32_t count;
    uint32_t cap;
};

void skua__map_finish(struct skua__map *map);

/* The value under `key`, or NULL. */
void *skua__map_get(const struct skua__map *map, skua_str key);

/* Put a non-NULL value, replacing an older one. 0 or SKUA_ERR_NOMEM. */
int skua__map_put(struct skua__map *map, skua_str key, void *value);

#endif
