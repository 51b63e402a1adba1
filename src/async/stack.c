/* SPDX-License-Identifier: MIT */
/*
 * stack.c - memory for the stacks of fibers, each with a guard below it
 *
 * The kernel gives a stack its pages as they are touched, so a stack costs address space, and as
 * many pages as its fiber has ever reached down to.
 *
 * A guard by mprotect(2) splits a mapping in three, and a process may have only vm.max_map_count
 * mappings (65,530 by default): 32,000 stacks would leave none for malloc. Linux 6.13 can guard a
 * range inside one mapping. Where it cannot, the guards of the whole process may take up a share of
 * that limit, and then there are no more stacks. A stack without a guard is never given out.
 *
 * The count of guards is the one variable here that the whole process shares: so is the limit it
 * stands for. It bounds, and decides nothing else.
 *
 * The guard is wide, so that also code which does not touch its frame page by page (a library built
 * without -fstack-clash-protection) does not step over it.
 */
#include "async/stack.h"

#include "async/tools.h"

#include <skua/err.h>

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102 /* Linux 6.13; younger than the headers of some C libraries */
#endif

#define SLAB_STACKS        ((size_t)64)
#define MAPS_PER_GUARD     ((size_t)2)  /* itself, and the stack it cuts off */
#define MAPS_SHARE_PERCENT ((size_t)40) /* of vm.max_map_count */
#define MAPS_DEFAULT       ((size_t)65530)

struct skua__slab {
    struct skua__slab *next;
    void *ptr;
    size_t size;
};

static atomic_size_t guards_of_process;

/*
 * Whether advice guards a page. Some emulators take any advice and do nothing, so it is tried.
 * Valgrind would read through such a guard, as it reads whatever is mapped, and crash.
 */
static bool can_guard_by_range(size_t page)
{
    bool guarded = false;
    char *ptr;

    if (RUNNING_ON_VALGRIND)
        return false;
    ptr = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (ptr == MAP_FAILED)
        return false;
    if (madvise(ptr, page, MADV_GUARD_INSTALL) == 0)
        guarded = access(ptr, F_OK) != 0 && errno == EFAULT; /* an empty name would be ENOENT */
    munmap(ptr, page);
    return guarded;
}

static size_t guards_allowed(void)
{
    FILE *file = fopen("/proc/sys/vm/max_map_count", "re");
    size_t maps;

    if (file == NULL || fscanf(file, "%zu", &maps) != 1)
        maps = MAPS_DEFAULT;
    if (file != NULL)
        fclose(file);
    return maps / 100 * MAPS_SHARE_PERCENT / MAPS_PER_GUARD;
}

void skua__stacks_init(struct skua__stacks *stacks, size_t size)
{
    *stacks = (struct skua__stacks){.page = (size_t)sysconf(_SC_PAGESIZE)};
    stacks->size = (size + stacks->page - 1) & ~(stacks->page - 1);
    stacks->guard_by_range = can_guard_by_range(stacks->page);
    stacks->guards_most = guards_allowed();
}

void skua__stacks_finish(struct skua__stacks *stacks)
{
    while (stacks->slabs != NULL) {
        struct skua__slab *slab = stacks->slabs;

        stacks->slabs = slab->next;
        skua__tools_forget_memory(slab->ptr, slab->size);
        munmap(slab->ptr, slab->size);
        free(slab);
    }
    atomic_fetch_sub(&guards_of_process, stacks->guards);
    stacks->fresh = stacks->end = NULL;
    stacks->guards = 0;
}

static int add_slab(struct skua__stacks *stacks)
{
    struct skua__slab *slab;
    void *ptr;
    size_t size;

    if (__builtin_mul_overflow(SLAB_STACKS, SKUA__STACK_GUARD + stacks->size, &size))
        return SKUA_ERR_NOMEM;
    slab = malloc(sizeof(*slab));
    if (slab == NULL)
        return SKUA_ERR_NOMEM;
    ptr = mmap(NULL, size, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (ptr == MAP_FAILED) {
        free(slab);
        return SKUA_ERR_NOMEM;
    }
    madvise(ptr, size, MADV_NOHUGEPAGE); /* 2 MiB for the first touch would be eight stacks */
    *slab = (struct skua__slab){.next = stacks->slabs, .ptr = ptr, .size = size};
    stacks->slabs = slab;
    stacks->fresh = ptr;
    stacks->end = stacks->fresh + size;
    return 0;
}

static bool guard_by_mapping(struct skua__stacks *stacks, void *ptr)
{
    if (atomic_fetch_add(&guards_of_process, 1) < stacks->guards_most &&
        mprotect(ptr, SKUA__STACK_GUARD, PROT_NONE) == 0) {
        stacks->guards++;
        return true;
    }
    atomic_fetch_sub(&guards_of_process, 1);
    return false;
}

static bool guard(struct skua__stacks *stacks, void *ptr)
{
    if (stacks->guard_by_range)
        return madvise(ptr, SKUA__STACK_GUARD, MADV_GUARD_INSTALL) == 0;
    return guard_by_mapping(stacks, ptr);
}

int skua__stack_new(struct skua__stacks *stacks, void **low)
{
    *low = NULL;
    if (stacks->fresh == stacks->end && add_slab(stacks) != 0)
        return SKUA_ERR_NOMEM;
    if (!guard(stacks, stacks->fresh))
        return SKUA_ERR_NOMEM;
    *low = stacks->fresh + SKUA__STACK_GUARD;
    stacks->fresh += SKUA__STACK_GUARD + stacks->size;
    return 0;
}

void skua__stack_trim(const struct skua__stacks *stacks, const void *low, const void *sp)
{
    uintptr_t from = (uintptr_t)low;
    uintptr_t to = (uintptr_t)sp & ~(uintptr_t)(stacks->page - 1);

    if (to > from)
        madvise((void *)from, to - from, MADV_DONTNEED);
}
