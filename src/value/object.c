/* SPDX-License-Identifier: MIT */
/*
 * object.c - members: finding and setting them
 *
 *   up to SKUA__LINEAR members   searched one after the other
 *   more                         through an index, made by the writer that adds the next one
 *
 * Every public function takes NULL, or a value of another kind, and then does nothing: the failed
 * allocation that made the NULL is remembered by the arena.
 */
#include "base/hash.h"
#include "value/index.h"
#include "value/value.h"

static skua_value *find_member(const struct skua__container *object, skua_str key)
{
    struct skua__cursor cursor = skua__cursor_of(object);
    const skua_value *member;

    if (object->index != NULL)
        return skua__index_find(object->index, skua__hash(key), key);
    while ((member = skua__cursor_next(&cursor, 2)) != NULL) {
        if (skua_str_eq(skua__text(member), key))
            break;
    }
    return (skua_value *)(uintptr_t)member;
}

static skua_value *add_member(struct skua__container *object, skua_str key)
{
    bool indexed = object->count >= SKUA__LINEAR;
    skua_value *member;

    if (indexed && !skua__index_reserve(&object->index, object))
        return NULL;
    member = skua__container_append(object);
    if (member == NULL)
        return NULL;
    *member = skua__text_cell(SKUA_STRING, key);
    if (indexed)
        skua__index_add(object->index, skua__hash(key), member);
    return member;
}

skua_value *skua__object_put(struct skua__container *object, skua_str key, bool take)
{
    skua_value *member = find_member(object, key);

    if (member == NULL) {
        if (!take)
            key.ptr = skua_strdup(object->arena, key);
        member = key.ptr != NULL ? add_member(object, key) : NULL;
    }
    return member != NULL ? member + 1 : NULL;
}

/* ---- filling ---- */

skua_value *skua_object(skua_arena *arena)
{
    struct skua__container *container = skua__container_new(arena, 2, SKUA__FIRST_MEMBERS);

    return container != NULL ? skua__new_value(arena, skua__container_cell(container)) : NULL;
}

static struct skua__container *object_of(const skua_value *object)
{
    return object != NULL && skua__kind(object) == SKUA_OBJECT ? object->as.container : NULL;
}

static skua_value *set_cell(skua_value *object, skua_str key, skua_value cell)
{
    struct skua__container *container = object_of(object);
    skua_value *slot = container != NULL ? skua__object_put(container, key, false) : NULL;

    if (slot == NULL)
        return NULL;
    *slot = cell;
    return object;
}

skua_value *skua_set_null(skua_value *object, const char *key)
{
    return set_cell(object, skua_str_c(key), skua__int_cell(SKUA_NULL, 0));
}

skua_value *skua_set_bool(skua_value *object, const char *key, bool b)
{
    return set_cell(object, skua_str_c(key), skua__int_cell(SKUA_BOOL, b));
}

skua_value *skua_set_int(skua_value *object, const char *key, int64_t i)
{
    return set_cell(object, skua_str_c(key), skua__int_cell(SKUA_INT, i));
}

skua_value *skua_set_uint(skua_value *object, const char *key, uint64_t u)
{
    return u <= INT64_MAX ? skua_set_int(object, key, (int64_t)u)
                          : skua_set_double(object, key, (double)u);
}

skua_value *skua_set_double(skua_value *object, const char *key, double d)
{
    return set_cell(object, skua_str_c(key), skua__double_cell(d));
}

skua_value *skua_set_string(skua_value *object, const char *key, const char *text)
{
    return text != NULL ? skua_set_str(object, key, skua_str_c(text)) : skua_set_null(object, key);
}

skua_value *skua_set_str(skua_value *object, const char *key, skua_str text)
{
    struct skua__container *container = object_of(object);
    skua_value cell;

    if (container == NULL || !skua__copy_text(&cell, container->arena, SKUA_STRING, text))
        return NULL;
    return set_cell(object, skua_str_c(key), cell);
}

skua_value *skua_set_value(skua_value *object, const char *key, const skua_value *value)
{
    return skua_set_key(object, skua_str_c(key), value);
}

skua_value *skua_set_key(skua_value *object, skua_str key, const skua_value *value)
{
    return set_cell(object, key, value != NULL ? *value : (skua_value){0});
}

/* ---- reading ---- */

const skua_value *skua_get_value(const skua_value *object, const char *key)
{
    return skua_get_key(object, skua_str_c(key));
}

const skua_value *skua_get_key(const skua_value *object, skua_str key)
{
    const struct skua__container *container = object_of(skua__resolve(object));
    const skua_value *member = container != NULL ? find_member(container, key) : NULL;

    return member != NULL ? member + 1 : NULL;
}
