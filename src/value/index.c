/* SPDX-License-Identifier: MIT */
/*
 * index.c - the hash table of a large object
 *
 * It lies in the object's arena. One that has become too small is left there and a table twice as
 * large is filled anew, so all the old ones together take no more than the present one.
 *
 * Only writers call reserve and add; a finished object's index is read by several threads at once.
 */
#include "value/index.h"

#include "base/hash.h"

#define SMALLEST \
    64u /* the smallest power of two that holds SKUA__LINEAR + 1 without growing soon */

static bool holds_key(const skua_value *member, skua_str key)
{
    return skua_str_eq(skua__text(member), key);
}

skua_value *skua__index_find(const struct skua__index *index, uint64_t hash, skua_str key)
{
    uint32_t mask = index->cap - 1;
    uint32_t at = (uint32_t)hash & mask;

    for (; index->slots[at].member != NULL; at = (at + 1) & mask) {
        if (index->slots[at].hash == hash && holds_key(index->slots[at].member, key))
            return index->slots[at].member;
    }
    return NULL;
}

void skua__index_add(struct skua__index *index, uint64_t hash, skua_value *member)
{
    uint32_t mask = index->cap - 1;
    uint32_t at = (uint32_t)hash & mask;

    while (index->slots[at].member != NULL)
        at = (at + 1) & mask;
    index->slots[at] = (struct skua__index_slot){.hash = hash, .member = member};
    index->count++;
}

static struct skua__index *new_index(skua_arena *arena, uint32_t cap)
{
    size_t size = sizeof(struct skua__index) + sizeof(struct skua__index_slot) * (size_t)cap;
    struct skua__index *index = skua_alloc_zero(arena, 1, size);

    if (index != NULL)
        index->cap = cap;
    return index;
}

bool skua__index_reserve(struct skua__index **index, const struct skua__container *object)
{
    struct skua__cursor cursor = skua__cursor_of(object);
    struct skua__index *larger;
    const skua_value *member;

    if (*index != NULL && ((uint64_t)(*index)->count + 1) * 4 <= (uint64_t)(*index)->cap * 3)
        return true;
    larger = new_index(object->arena, *index == NULL ? SMALLEST : (*index)->cap * 2);
    if (larger == NULL)
        return false;
    while ((member = skua__cursor_next(&cursor, object->width)) != NULL)
        skua__index_add(larger, skua__hash(skua__text(member)), (skua_value *)(uintptr_t)member);
    *index = larger;
    return true;
}
