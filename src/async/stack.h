/* SPDX-License-Identifier: MIT */
#ifndef SKUA__ASYNC_STACK_H
#define SKUA__ASYNC_STACK_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Where the stacks of one loop's fibers come from. A slab is one mapping cut into equal slots:
 *
 *   slab -->  | guard | stack    | guard | stack    | ...  | guard | stack    |
 *                       used already ^fresh                                   ^end
 *
 *   fresh <= end; both NULL before the first slab. A guard is put in place when its slot is first
 *   given out. Slots are given out once and unmapped all together.
 */
struct skua__slab;

struct skua__stacks {
    struct skua__slab *slabs;
    char *fresh;
    char *end;
    size_t page;
    size_t size;         /* usable bytes of a stack, whole pages */
    bool guard_by_range; /* the kernel guards without splitting the mapping */
    size_t guards_most;  /* else: the most guards that the process may have */
    size_t guards;       /* and those that are ours */
};

/* Bytes below each stack that nobody can touch: whole pages, whatever the size of a page. */
#define SKUA__STACK_GUARD ((size_t)64 * 1024)

/* `size` is rounded up to whole pages. */
void skua__stacks_init(struct skua__stacks *stacks, size_t size);

/* Unmap every stack. */
void skua__stacks_finish(struct skua__stacks *stacks);

/* A stack that was never used. 0, or SKUA_ERR_NOMEM when there is no memory or no guard for it. */
int skua__stack_new(struct skua__stacks *stacks, void **low);

/* Give the memory below `sp` back to the system; the stack can be used as before. */
void skua__stack_trim(const struct skua__stacks *stacks, const void *low, const void *sp);

#endif
