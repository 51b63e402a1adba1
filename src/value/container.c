/* SPDX-License-Identifier: MIT */
/*
 * container.c - what arrays and objects share: blocks of cells
 *
 * A container is made with room for some items; when that is full a block twice as large follows,
 * so n items need O(log n) blocks and no cell ever moves. The arena owns all of it. The layout is
 * drawn in value.h.
 *
 * Nothing is ever removed: a value is built, then read.
 */
#include "base/arena.h"
#include "value/value.h"

#define SMALLEST_BLOCK 4u
#define LARGEST_BLOCK  (1u << 20) /* items; larger blocks would only waste more of their tail */

struct skua__container *skua__container_new(skua_arena *arena, uint32_t width, uint32_t cap)
{
    struct skua__container *container;

    container = skua_alloc(arena, sizeof(*container) + sizeof(skua_value) * width * cap);
    if (container == NULL)
        return NULL;
    container->arena = arena;
    container->index = NULL;
    container->last = &container->first;
    container->count = 0;
    container->width = width;
    container->first = (struct skua__block){.next = NULL, .used = 0, .cap = cap};
    return container;
}

static struct skua__block *add_block(struct skua__container *container)
{
    uint32_t full = container->last->cap;
    uint32_t cap = full < LARGEST_BLOCK / 2 ? full * 2 : LARGEST_BLOCK;
    struct skua__block *block;

    if (cap < SMALLEST_BLOCK)
        cap = SMALLEST_BLOCK;
    block =
        skua_alloc(container->arena, sizeof(*block) + sizeof(skua_value) * container->width * cap);
    if (block == NULL)
        return NULL;
    *block = (struct skua__block){.next = NULL, .used = 0, .cap = cap};
    container->last->next = block;
    container->last = block;
    return block;
}

skua_value *skua__container_append(struct skua__container *container)
{
    struct skua__block *block = container->last;
    skua_value *cells;

    if (container->count == UINT32_MAX) {
        container->arena->failed = true;
        return NULL;
    }
    if (block->used == block->cap && (block = add_block(container)) == NULL)
        return NULL;
    cells = skua__block_cells(block) + (size_t)block->used * container->width;
    memset(cells, 0, sizeof(*cells) * container->width);
    block->used++;
    container->count++;
    return cells;
}

static const struct skua__container *read_container(const skua_value *value)
{
    value = skua__resolve(value);
    if (skua__kind(value) != SKUA_ARRAY && skua__kind(value) != SKUA_OBJECT)
        return NULL;
    return value->as.container;
}

size_t skua_count(const skua_value *value)
{
    const struct skua__container *container = read_container(value);

    return container != NULL ? container->count : 0;
}

bool skua_each(struct skua_each *each, const skua_value *value)
{
    const struct skua__container *container = read_container(value);
    struct skua__cursor cursor = {.block = each->block, .at = each->at};
    const skua_value *item;

    if (container == NULL)
        return false;
    if (cursor.block == NULL)
        cursor = skua__cursor_of(container);
    item = skua__cursor_next(&cursor, container->width);
    if (item == NULL)
        return false;
    each->index = each->block == NULL ? 0 : each->index + 1;
    each->key = container->width == 2 ? skua__text(item) : SKUA_STR("");
    each->value = item + (container->width - 1);
    each->block = cursor.block;
    each->at = cursor.at;
    return true;
}
