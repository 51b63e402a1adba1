/* SPDX-License-Identifier: MIT */
/*
 * path.c - the slashes that do not count
 *
 *   //birds///7/  --duplicates-->  /birds/7/  --trailing-->  /birds/7
 *
 * This is done once, before anything looks at the path, so that guards, handlers and the router see
 * the same one. An escaped slash is no slash.
 */
#include "router/tree.h"

#include <skua/err.h>

static int drop_duplicates(skua_str *path, skua_arena *arena)
{
    char *text = skua_alloc(arena, path->len);
    size_t len = 0;

    if (text == NULL)
        return SKUA_ERR_NOMEM;
    for (size_t i = 0; i < path->len; i++) {
        if (path->ptr[i] != '/' || len == 0 || text[len - 1] != '/')
            text[len++] = path->ptr[i];
    }
    *path = skua_str_of(text, len);
    return 0;
}

int skua__router_drop_slashes(const struct skua__router *router, skua_str *path, skua_arena *arena)
{
    int err = 0;

    if (router->opts.ignore_duplicate_slashes && memmem(path->ptr, path->len, "//", 2) != NULL)
        err = drop_duplicates(path, arena);
    if (err == 0 && router->opts.ignore_trailing_slash && path->len > 1 &&
        path->ptr[path->len - 1] == '/')
        path->len--;
    return err;
}
