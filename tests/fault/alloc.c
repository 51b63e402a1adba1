/* SPDX-License-Identifier: MIT */
/*
 * alloc.c - the wrapped allocator
 */
#include "fault/alloc.h"

#include <stdatomic.h>
#include <stddef.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *ptr, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *ptr, size_t size);

static atomic_long left; /* until the failure; 0: disarmed */
static atomic_bool failing;
static atomic_bool for_ever;
static atomic_bool failed;

void fault_alloc_arm(long nth, bool rest)
{
    atomic_store(&failed, false);
    atomic_store(&failing, false);
    atomic_store(&for_ever, rest);
    atomic_store(&left, nth);
}

bool fault_alloc_disarm(void)
{
    atomic_store(&left, 0);
    atomic_store(&failing, false);
    return atomic_load(&failed);
}

static bool fails(void)
{
    bool now = atomic_load(&failing);

    if (!now && atomic_load(&left) > 0 && atomic_fetch_sub(&left, 1) == 1) {
        now = true;
        atomic_store(&failing, atomic_load(&for_ever));
    }
    if (now)
        atomic_store(&failed, true);
    return now;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *ptr, size_t size)
{
    return fails() ? NULL : __real_realloc(ptr, size);
}
