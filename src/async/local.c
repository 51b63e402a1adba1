/* SPDX-License-Identifier: MIT */
/*
 * local.c - values that follow the work: keys, tables of keys, frames
 *
 *   loop->frame --> { refs, table, count, slot[0] slot[1] ... }     one slot for each key
 *                                            ^ local->index
 *
 * skua_local_run copies the present frame, changes one slot, makes the copy current for the length
 * of a call and goes back. So a frame never changes once somebody can see it, whoever wants it
 * later just counts it, and looking a value up is two comparisons and a load, however many keys
 * there are or runs are nested. A frame of another app's table does not match and is not copied.
 *
 * Who holds a frame: the running skua_local_run that made it, each fiber started in it, each task
 * posted in it. All are on one thread, so the count is not atomic. The pool thread that runs
 * skua_work only reads the frame of a fiber that stands still meanwhile; it counts nothing.
 *
 * The values are not owned here.
 */
#include "async/loop_private.h"

#include <skua/err.h>

#include <stdlib.h>
#include <string.h>

struct skua_local {
    const struct skua__locals *table;
    struct skua_local *next;
    uint32_t index;
    char name[]; /* for people who look at it in a debugger */
};

struct skua__locals {
    struct skua_local *keys;
    uint32_t count;
};

struct skua__frame {
    uint32_t refs;
    uint32_t count; /* of slots */
    const struct skua__locals *table;
    void *slot[];
};

static _Thread_local const struct skua__frame *lent;

struct skua__locals *skua__locals_new(void)
{
    return calloc(1, sizeof(struct skua__locals));
}

void skua__locals_free(struct skua__locals *locals)
{
    if (locals == NULL)
        return;
    while (locals->keys != NULL) {
        struct skua_local *key = locals->keys;

        locals->keys = key->next;
        free(key);
    }
    free(locals);
}

skua_local *skua__locals_add(struct skua__locals *locals, const char *name)
{
    size_t len = strlen(name);
    struct skua_local *key = malloc(sizeof(*key) + len + 1);

    if (key == NULL)
        return NULL;
    key->table = locals;
    key->index = locals->count++;
    key->next = locals->keys;
    memcpy(key->name, name, len + 1);
    locals->keys = key;
    return key;
}

struct skua__frame *skua__frame_ref(struct skua__frame *frame)
{
    if (frame != NULL)
        frame->refs++;
    return frame;
}

void skua__frame_unref(struct skua__frame *frame)
{
    if (frame != NULL && --frame->refs == 0)
        free(frame);
}

SKUA__NOINLINE void skua__frame_lend(const struct skua__frame *frame)
{
    lent = frame;
}

SKUA__NOINLINE static const struct skua__frame *lent_frame(void)
{
    return lent;
}

/* A copy of `outer` with one slot changed; NULL when there is no memory. */
static struct skua__frame *extend(const struct skua__frame *outer, const skua_local *local,
                                  void *value)
{
    uint32_t count = local->table->count;
    struct skua__frame *frame = calloc(1, sizeof(*frame) + count * sizeof(void *));

    if (frame == NULL)
        return NULL;
    frame->refs = 1;
    frame->count = count;
    frame->table = local->table;
    if (outer != NULL && outer->table == local->table)
        memcpy(frame->slot, outer->slot, outer->count * sizeof(void *));
    frame->slot[local->index] = value;
    return frame;
}

int skua_local_run(skua_local *local, void *value, int (*fn)(void *arg), void *arg)
{
    struct skua__loop *loop = skua__loop_current();
    struct skua__frame *outer, *inner;
    int result;

    if (loop == NULL)
        return SKUA_ERR_NO_FIBER;
    outer = loop->frame;
    inner = extend(outer, local, value);
    if (inner == NULL)
        return SKUA_ERR_NOMEM;
    loop->frame = inner;
    result = fn(arg);
    loop->frame = outer;
    skua__frame_unref(inner);
    return result;
}

void *skua_local_get(const skua_local *local)
{
    const struct skua__loop *loop = skua__loop_current();
    const struct skua__frame *frame = loop != NULL ? loop->frame : lent_frame();

    if (frame == NULL || frame->table != local->table || local->index >= frame->count)
        return NULL;
    return frame->slot[local->index];
}
