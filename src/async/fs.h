/* SPDX-License-Identifier: MIT */
#ifndef SKUA__ASYNC_FS_H
#define SKUA__ASYNC_FS_H

#include <skua/fs.h>

/*
 * Call `each(arg, name)` for every regular file below the folder `root`, sorted by name. A name is
 * relative to `root`, with '/' between folders, ends in a zero byte and lives as long as `arena`.
 * What begins with a dot is left out, and symbolic links are not followed.
 *
 * Returns 0, the first result of `each` that is not 0 (then it stops), SKUA_ERR_TOO_DEEP past 32
 * folders, SKUA_ERR_LIMIT past 64 MiB of names, SKUA_ERR_NOMEM, SKUA_ERR_NO_FIBER, -ENOENT,
 * -ENOTDIR and other negated errnos.
 */
SKUA_YIELDS int skua__fs_list(const char *root, skua_arena *arena,
                              int (*each)(void *arg, skua_str name), void *arg);

/*
 * Make bytes from malloc the arena's, to be freed with it, and count them against its budget. 0 or
 * SKUA_ERR_NOMEM: then they are freed at once. NULL is fine.
 */
SKUA_MUST_CHECK int skua__adopt(skua_arena *arena, void *ptr, size_t size);

#endif
