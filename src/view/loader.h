/* SPDX-License-Identifier: MIT */
#ifndef SKUA__VIEW_LOADER_H
#define SKUA__VIEW_LOADER_H

#include <skua/arena.h>
#include <skua/attr.h>
#include <skua/str.h>

/* Where template texts come from. Calls may wait; they may come from several workers at once. */
struct skua__loader {
    void *ctx;
    /* The text of a template. 0, SKUA_ERR_NO_TEMPLATE, SKUA_ERR_NOMEM, or another negative code. */
    int (*load)(void *ctx, skua_arena *arena, skua_str name, skua_str *text);
    /* Call `each` with every name there is (order does not matter). 0 or a negative code. */
    int (*list)(void *ctx, skua_arena *arena, int (*each)(void *arg, skua_str name), void *arg);
};

/* Files below a folder. The string `root` outlives the loader, which does not change it. */
struct skua__loader skua__file_loader(char *root);

#endif
