/* SPDX-License-Identifier: MIT */
/*
 * loader.c - templates from files
 *
 * A name is a path below the root. That it does not lead out, also through a symbolic link, is seen
 * to by the kernel when the file is opened (async/open.c); whatever does is simply not there. The
 * root is never part of an answer, so no message can show it.
 */
#include "view/loader.h"

#include "async/fs.h"
#include "view/cache.h"

#include <errno.h>
#include <skua/err.h>

/* Reasons why there is no file of that name, as far as a template is concerned. */
static bool is_missing(int err)
{
    return err == -ENOENT || err == -ENOTDIR || err == -ENAMETOOLONG || err == -ELOOP ||
           err == SKUA_ERR_OUTSIDE || err == SKUA_ERR_NOT_FILE;
}

static int load_file(void *ctx, skua_arena *arena, skua_str name, skua_str *text)
{
    const char *path = skua_strdup(arena, name);
    int err;

    if (path == NULL)
        return SKUA_ERR_NOMEM;
    err = skua_fs_read_in(text, arena, ctx, path, SKUA__MAX_TEMPLATE);
    if (is_missing(err))
        return SKUA_ERR_NO_TEMPLATE;
    return err == SKUA_ERR_TOO_LARGE ? SKUA_ERR_LIMIT : err;
}

static int list_files(void *ctx, skua_arena *arena, int (*each)(void *arg, skua_str name),
                      void *arg)
{
    return skua__fs_list(ctx, arena, each, arg);
}

struct skua__loader skua__file_loader(char *root)
{
    return (struct skua__loader){.ctx = root, .load = load_file, .list = list_files};
}
