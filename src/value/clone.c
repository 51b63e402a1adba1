/* SPDX-License-Identifier: MIT */
/*
 * clone.c - a deep copy into another arena
 *
 * The open containers stand on a stack of frames, each with its place in the original and the copy
 * that grows beside it. The depth is bounded, so a value that holds itself ends in an error. What
 * is shared in the original is copied once for every place where it is seen.
 */
#include "value/value.h"

struct frame {
    struct skua__cursor from;
    struct skua__container *to;
};

struct cloner {
    skua_arena *arena;
    size_t depth; /* open frames */
    struct frame frames[SKUA__MAX_DEPTH];
};

static bool open_container(struct cloner *cloner, skua_value *to,
                           const struct skua__container *from)
{
    struct skua__container *copy;

    if (cloner->depth == SKUA__MAX_DEPTH)
        return false;
    copy = skua__container_new(cloner->arena, from->width, from->count);
    if (copy == NULL)
        return false;
    *to = skua__container_cell(copy);
    cloner->frames[cloner->depth++] = (struct frame){.from = skua__cursor_of(from), .to = copy};
    return true;
}

/* Make *to a copy of `from`, or the beginning of one when it is a container. */
static bool copy_cell(struct cloner *cloner, skua_value *to, const skua_value *from)
{
    struct skua__function *function;

    from = skua__resolve(from);
    switch (skua__kind(from)) {
    case SKUA_STRING:
    case SKUA_SAFE:
    case SKUA_BYTES:
        if (!skua__copy_text(to, cloner->arena, skua__kind(from), skua__text(from)))
            return false;
        to->head = from->head; /* a numeral stays one */
        return true;
    case SKUA_ARRAY:
    case SKUA_OBJECT:
        return open_container(cloner, to, from->as.container);
    case SKUA_CALLABLE:
        function = skua_alloc(cloner->arena, sizeof(*function));
        if (function == NULL)
            return false;
        *function = *from->as.function;
        *to = *from;
        to->as.function = function;
        return true;
    default:
        *to = *from;
        return true;
    }
}

static bool copy_item(struct cloner *cloner, struct skua__container *to, const skua_value *item)
{
    skua_value *cell;

    if (to->width == 2)
        cell = skua__object_put(to, skua__text(item), false);
    else
        cell = skua__container_append(to);
    return cell != NULL && copy_cell(cloner, cell, item + (to->width - 1));
}

skua_value *skua_clone(skua_arena *arena, const skua_value *value)
{
    struct cloner cloner;
    skua_value root;

    cloner.arena = arena;
    cloner.depth = 0;
    if (!copy_cell(&cloner, &root, value))
        return NULL;
    while (cloner.depth > 0) {
        struct frame *frame = &cloner.frames[cloner.depth - 1];
        const skua_value *item = skua__cursor_next(&frame->from, frame->to->width);

        if (item == NULL)
            cloner.depth--;
        else if (!copy_item(&cloner, frame->to, item))
            return NULL;
    }
    return skua__new_value(arena, root);
}
