/* SPDX-License-Identifier: MIT */
#ifndef SKUA__VALUE_INDEX_H
#define SKUA__VALUE_INDEX_H

#include "value/value.h"

/*
 * From the key of a member to its cells, for objects too large to search one by one.
 *
 *   Open addressing with linear probing; cap is a power of two and count * 4 <= cap * 3. A slot is
 *   free when its member is NULL. A member's key is its first cell.
 */
struct skua__index_slot {
    uint64_t hash;
    skua_value *member;
};

struct skua__index {
    uint32_t cap;
    uint32_t count;
    struct skua__index_slot slots[];
};

/* The member with that key, or NULL. `hash` is skua__hash(key). */
skua_value *skua__index_find(const struct skua__index *index, uint64_t hash, skua_str key);

/*
 * Make sure that one more member fits. *index is NULL before the first; then the members of
 * `object` are entered. false: out of memory, and *index is as it was.
 */
bool skua__index_reserve(struct skua__index **index, const struct skua__container *object);

/* Enter a member whose key is not there yet; needs skua__index_reserve before it. */
void skua__index_add(struct skua__index *index, uint64_t hash, skua_value *member);

#endif
