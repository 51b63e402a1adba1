/* SPDX-License-Identifier: MIT */
/*
 * array.c - filling and indexing arrays
 *
 * Every function takes NULL, or a value of another kind, and then does nothing: the failed
 * allocation that made the NULL is remembered by the arena.
 */
#include "value/value.h"

skua_value *skua_array(skua_arena *arena)
{
    struct skua__container *container = skua__container_new(arena, 1, SKUA__FIRST_ELEMENTS);

    return container != NULL ? skua__new_value(arena, skua__container_cell(container)) : NULL;
}

static struct skua__container *array_of(const skua_value *array)
{
    return array != NULL && skua__kind(array) == SKUA_ARRAY ? array->as.container : NULL;
}

static skua_value *add_cell(skua_value *array, skua_value cell)
{
    struct skua__container *container = array_of(array);
    skua_value *element = container != NULL ? skua__container_append(container) : NULL;

    if (element == NULL)
        return NULL;
    *element = cell;
    return array;
}

skua_value *skua_add_int(skua_value *array, int64_t i)
{
    return add_cell(array, skua__int_cell(SKUA_INT, i));
}

skua_value *skua_add_string(skua_value *array, const char *text)
{
    struct skua__container *container = array_of(array);
    skua_value cell = skua__int_cell(SKUA_NULL, 0);

    if (container == NULL)
        return NULL;
    if (text != NULL && !skua__copy_text(&cell, container->arena, SKUA_STRING, skua_str_c(text)))
        return NULL;
    return add_cell(array, cell);
}

skua_value *skua_add_value(skua_value *array, const skua_value *value)
{
    return add_cell(array, value != NULL ? *value : (skua_value){0});
}

skua_value *skua_add_object(skua_value *array)
{
    struct skua__container *container = array_of(array);
    struct skua__container *object;
    skua_value *element;

    if (container == NULL)
        return NULL;
    object = skua__container_new(container->arena, 2, SKUA__FIRST_MEMBERS);
    if (object == NULL || (element = skua__container_append(container)) == NULL)
        return NULL;
    *element = skua__container_cell(object);
    return element;
}

const skua_value *skua_at(const skua_value *array, size_t index)
{
    const struct skua__container *container = array_of(skua__resolve(array));
    const struct skua__block *block;

    if (container == NULL || index >= container->count)
        return NULL;
    for (block = &container->first; index >= block->used; block = block->next)
        index -= block->used;
    return skua__block_cells(block) + index;
}
