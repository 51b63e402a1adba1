/* SPDX-License-Identifier: MIT */
#ifndef TESTS_VIEW_MEMORY_H
#define TESTS_VIEW_MEMORY_H

#include "view/loader.h"

#include <skua/err.h>
#include <skua/fiber.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Templates in memory. Names and texts are borrowed. */
#define MEMORY_MOST 512

struct memory {
    struct {
        skua_str name;
        skua_str text;
        atomic_uint loads;
    } items[MEMORY_MOST];
    size_t count;
    atomic_uint asked;  /* all loads, also of what is not there */
    atomic_int failing; /* answer this instead of loading; 0: load */
    uint64_t delay;     /* wait so many milliseconds in each load; 0: do not wait */
};

static inline void memory_add(struct memory *memory, skua_str name, skua_str text)
{
    memory->items[memory->count].name = name;
    memory->items[memory->count].text = text;
    memory->count++;
}

static inline int memory_load(void *ctx, skua_arena *arena, skua_str name, skua_str *text)
{
    struct memory *memory = ctx;
    int err = atomic_load(&memory->failing);

    atomic_fetch_add(&memory->asked, 1);
    if (memory->delay != 0 && err == 0)
        err = skua_sleep(memory->delay);
    if (err != 0)
        return err;
    for (size_t i = 0; i < memory->count; i++) {
        const char *copy;

        if (!skua_str_eq(memory->items[i].name, name))
            continue;
        atomic_fetch_add(&memory->items[i].loads, 1);
        copy = skua_strdup(arena, memory->items[i].text);
        *text = skua_str_of(copy, memory->items[i].text.len);
        return copy != NULL ? 0 : SKUA_ERR_NOMEM;
    }
    return SKUA_ERR_NO_TEMPLATE;
}

static inline int memory_list(void *ctx, skua_arena *arena, int (*each)(void *arg, skua_str name),
                              void *arg)
{
    struct memory *memory = ctx;
    int err = 0;

    (void)arena;
    for (size_t i = 0; i < memory->count && err == 0; i++)
        err = each(arg, memory->items[i].name);
    return err;
}

static inline struct skua__loader memory_loader(struct memory *memory)
{
    return (struct skua__loader){.ctx = memory, .load = memory_load, .list = memory_list};
}

#endif
