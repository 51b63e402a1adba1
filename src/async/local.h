/* SPDX-License-Identifier: MIT */
#ifndef SKUA__ASYNC_LOCAL_H
#define SKUA__ASYNC_LOCAL_H

#include <skua/local.h>
#include <stdint.h>

/*
 * The keys of one app. Each key is a slot in a frame; a frame knows its table, so a key of another
 * app finds nothing in it.
 */
struct skua__locals;

/* NULL when there is no memory. */
struct skua__locals *skua__locals_new(void);

/* Frees the keys too; no frame of it may be alive. NULL is fine. */
void skua__locals_free(struct skua__locals *locals);

/* A new key, owned by the table; NULL when there is no memory. Not after the first frame. */
skua_local *skua__locals_add(struct skua__locals *locals, const char *name);

/*
 * A frame: the values bound at one point, immutable once published, counted by the one thread that
 * uses it. The loop's current frame pointer is the async context; switching fibers swaps it.
 */
struct skua__frame;

struct skua__frame *skua__frame_ref(struct skua__frame *frame); /* NULL is fine */
void skua__frame_unref(struct skua__frame *frame);              /* NULL is fine */

#endif
