/* SPDX-License-Identifier: MIT */
/*
 * open.c - opening a regular file, so that it is certain which one it is
 *
 * A path that comes from outside may say "..", be absolute, or run through a symbolic link that
 * somebody swaps between a check and the opening. So nothing is checked beforehand: openat2(2) with
 * RESOLVE_BENEATH lets the kernel refuse, at the moment of opening, whatever leads out of the root
 * (Linux 5.6; links that stay inside it are followed). Older kernels, and sandboxes that do not
 * know the call, get a stricter walk in steps, which follows no link at all.
 *
 * Opening must not wait either: O_NONBLOCK opens a FIFO without a writer, and what turns out not
 * to be a regular file is closed again. The root itself is the operator's and is taken as it is.
 */
#include "async/open.h"

#include <skua/err.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define OPEN_FLAGS (O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
#define STEP_FLAGS (O_PATH | O_NOFOLLOW | O_DIRECTORY | O_CLOEXEC)
#define TRIES      16 /* the kernel says EAGAIN when folders are renamed under a ".." */

static int open_beneath(int root_fd, const char *path)
{
    struct open_how how = {.flags = OPEN_FLAGS, .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
    long fd = -1;

    for (int i = 0; i < TRIES; i++) {
        fd = syscall(SYS_openat2, root_fd, path, &how, sizeof(how));
        if (fd >= 0 || (errno != EAGAIN && errno != EINTR))
            break;
    }
    return fd >= 0 ? (int)fd : -errno;
}

static bool is_link(int folder_fd, const char *name)
{
    struct stat stat;

    return fstatat(folder_fd, name, &stat, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(stat.st_mode);
}

/* Open the component of `len` bytes at `path`; an empty one, behind a last slash, is the folder. */
static int open_step(int folder_fd, const char *path, size_t len, int flags)
{
    char name[NAME_MAX + 1] = ".";
    int fd;

    if (len > NAME_MAX)
        return -ENAMETOOLONG;
    if (len > 0) {
        memcpy(name, path, len);
        name[len] = '\0';
    }
    if (strcmp(name, "..") == 0)
        return -EXDEV;
    fd = openat(folder_fd, name, flags);
    if (fd >= 0)
        return fd;
    return errno == ENOTDIR && is_link(folder_fd, name) ? -ELOOP : -errno;
}

int skua__open_stepwise(int root_fd, const char *path, int flags)
{
    int folder_fd = root_fd;
    int fd;
    bool is_last;

    if (path[0] == '\0')
        return -ENOENT;
    if (path[0] == '/')
        return -EXDEV;
    do {
        size_t len = strcspn(path, "/");

        is_last = path[len] == '\0';
        fd = open_step(folder_fd, path, len, is_last ? flags | O_NOFOLLOW : STEP_FLAGS);
        if (folder_fd != root_fd)
            close(folder_fd);
        folder_fd = fd;
        path += len + strspn(path + len, "/");
    } while (fd >= 0 && !is_last);
    return fd;
}

static int open_in(const char *root, const char *path)
{
    int root_fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
    int fd;

    if (root_fd < 0)
        return -errno;
    fd = open_beneath(root_fd, path);
    if (fd == -ENOSYS || fd == -EPERM) /* some sandboxes say EPERM to calls they do not know */
        fd = skua__open_stepwise(root_fd, path, OPEN_FLAGS);
    close(root_fd);
    if (fd == -EXDEV || fd == -ELOOP || fd == -EAGAIN)
        return SKUA_ERR_OUTSIDE;
    return fd;
}

static int open_anywhere(const char *path)
{
    int fd = open(path, OPEN_FLAGS);

    return fd >= 0 ? fd : -errno;
}

int skua__open_file(const char *root, const char *path, struct stat *stat)
{
    int fd = root != NULL ? open_in(root, path) : open_anywhere(path);
    int err = SKUA_ERR_NOT_FILE;

    if (fd == -ENXIO || fd == -ENODEV) /* a socket, or a device that nobody drives */
        return SKUA_ERR_NOT_FILE;
    if (fd < 0)
        return fd;
    if (fstat(fd, stat) != 0)
        err = -errno;
    else if (S_ISREG(stat->st_mode))
        return fd;
    close(fd);
    return err;
}
