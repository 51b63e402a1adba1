/* SPDX-License-Identifier: MIT */
#ifndef SKUA__ASYNC_OPEN_H
#define SKUA__ASYNC_OPEN_H

#include <sys/stat.h>

/*
 * Open a regular file for reading, below `root` unless that is NULL. Blocks: for the thread pool.
 *
 * A descriptor, with what it is in `*stat`; or SKUA_ERR_NOT_FILE, SKUA_ERR_OUTSIDE, or a negated
 * errno.
 */
int skua__open_file(const char *root, const char *path, struct stat *stat);

/*
 * For a kernel without openat2: open `path` below the folder `root_fd`, one component at a time,
 * refusing every symbolic link and every "..". A descriptor or a negative code.
 */
int skua__open_stepwise(int root_fd, const char *path, int flags);

#endif
