/* SPDX-License-Identifier: MIT */
/*
 * skua/fs.h - files, read on the thread pool
 *
 * Paths can be confined to a root: then no "..", no symbolic link and no absolute path leads out of
 * it, also when somebody renames folders meanwhile (openat2 with RESOLVE_BENEATH).
 */
#ifndef SKUA_FS_H
#define SKUA_FS_H

#include <stddef.h>
#include <stdint.h>

#include <skua/arena.h>
#include <skua/attr.h>
#include <skua/str.h>

SKUA_C_BEGIN

/** An open regular file. It closes itself when its arena ends. */
typedef struct skua_file skua_file;

/**
 * Open a regular file for reading.
 *
 * @param[out] out  NULL on failure
 * @param arena     the file lives as long
 * @param root      the folder that `path` may not leave; NULL takes `path` as the system does
 * @param path      relative to `root` if one is given
 * @return 0, SKUA_ERR_NOT_FILE for a folder, FIFO or device, SKUA_ERR_OUTSIDE when it leads out of
 *         `root`, SKUA_ERR_NOMEM, SKUA_ERR_NO_FIBER, -ENOENT, -EACCES and other negated errnos
 */
SKUA_API SKUA_YIELDS SKUA_MUST_CHECK int skua_file_open(skua_file **out, skua_arena *arena,
                                                        const char *root, const char *path);

/** The size in bytes when it was opened. */
SKUA_API int64_t skua_file_size(const skua_file *file);

/** The time of the last change when it was opened, in nanoseconds since 1970. */
SKUA_API int64_t skua_file_mtime(const skua_file *file);

/**
 * Read up to `cap` bytes at `offset` into `buf`.
 *
 * @param[out] got  bytes read; fewer than `cap` only at the end of the file
 * @return 0, SKUA_ERR_NO_FIBER or a negated errno
 */
SKUA_API SKUA_YIELDS SKUA_MUST_CHECK int skua_file_read(skua_file *file, size_t *got, void *buf,
                                                        size_t cap, int64_t offset);

/**
 * Read a whole file.
 *
 * @param[out] out  the bytes, with a zero byte after the last that is not counted; empty on failure
 * @param arena     where they live
 * @param path      as for skua_file_open without a root
 * @param limit     the most bytes to take, 0 for 64 MiB
 * @return 0, SKUA_ERR_TOO_LARGE past `limit`, and the errors of skua_file_open
 */
SKUA_API SKUA_YIELDS SKUA_MUST_CHECK int skua_fs_read(skua_str *out, skua_arena *arena,
                                                      const char *path, size_t limit);

/** As skua_fs_read, confined to `root` (see skua_file_open). */
SKUA_API SKUA_YIELDS SKUA_MUST_CHECK int
skua_fs_read_in(skua_str *out, skua_arena *arena, const char *root, const char *path, size_t limit);

SKUA_C_END

#endif
