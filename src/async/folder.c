/* SPDX-License-Identifier: MIT */
/*
 * folder.c - the names of all files below a folder
 *
 * The whole walk is one trip to the thread pool. It keeps one folder open for each level that it is
 * below the root, opens each next one relative to its parent and without following a link, and so
 * stays inside however folders are renamed meanwhile. What vanishes between being listed and being
 * opened is taken as not there.
 *
 *   bytes:  "a.html\0" "mail/" ... one after the other, each name ended by a zero byte
 *   path:   the way from the root to where the walk is, '/' after each folder
 *
 * Names are sorted, so that what is made of them does not depend on the file system's order.
 */
#include "async/fs.h"

#include "base/buf.h"

#include <skua/err.h>
#include <skua/fiber.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#define MOST_FOLDERS 32
#define MOST_BYTES   ((size_t)64 * 1024 * 1024)

struct listing {
    const char *root;
    struct skua__buf bytes;
    skua_str *names; /* into bytes, sorted */
    size_t count;
    char path[PATH_MAX];
};

static int walk(struct listing *listing, int fd, size_t path_len, int depth);

/* Put `name`, and `end` behind it, at `path_len`; the new length, or -ENAMETOOLONG. */
static ssize_t extend_path(struct listing *listing, size_t path_len, const char *name, char end)
{
    size_t len = strlen(name);

    if (len + 1 > sizeof(listing->path) - path_len)
        return -ENAMETOOLONG;
    memcpy(listing->path + path_len, name, len);
    listing->path[path_len + len] = end;
    return (ssize_t)(path_len + len + 1);
}

static int add_file(struct listing *listing, size_t path_len, const char *name)
{
    ssize_t len = extend_path(listing, path_len, name, '\0');

    if (len < 0)
        return (int)len;
    if ((size_t)len > MOST_BYTES - listing->bytes.len)
        return SKUA_ERR_LIMIT;
    skua__buf_put(&listing->bytes, listing->path, (size_t)len);
    listing->count++;
    return listing->bytes.failed ? SKUA_ERR_NOMEM : 0;
}

static int add_folder(struct listing *listing, int parent_fd, size_t path_len, const char *name,
                      int depth)
{
    ssize_t len = extend_path(listing, path_len, name, '/');
    int fd;

    if (len < 0)
        return (int)len;
    if (depth == MOST_FOLDERS)
        return SKUA_ERR_TOO_DEEP;
    fd = openat(parent_fd, name, FOLDER_FLAGS);
    if (fd >= 0)
        return walk(listing, fd, (size_t)len, depth + 1);
    return errno == ENOENT || errno == ENOTDIR || errno == ELOOP ? 0 : -errno;
}

/* DT_REG, DT_DIR or whatever else; not every file system says it with the name. */
static int type_of(int folder_fd, const struct dirent *entry)
{
    struct stat stat;

    if (entry->d_type != DT_UNKNOWN)
        return entry->d_type;
    if (fstatat(folder_fd, entry->d_name, &stat, AT_SYMLINK_NOFOLLOW) != 0)
        return DT_UNKNOWN;
    return (int)IFTODT(stat.st_mode);
}

static int add_entry(struct listing *listing, int folder_fd, size_t path_len,
                     const struct dirent *entry, int depth)
{
    if (entry->d_name[0] == '.')
        return 0;
    switch (type_of(folder_fd, entry)) {
    case DT_REG:
        return add_file(listing, path_len, entry->d_name);
    case DT_DIR:
        return add_folder(listing, folder_fd, path_len, entry->d_name, depth);
    default:
        return 0;
    }
}

/* List the folder `fd` and those below it; closes it. */
static int walk(struct listing *listing, int fd, size_t path_len, int depth)
{
    DIR *folder = fdopendir(fd);
    int err = 0;

    if (folder == NULL) {
        err = -errno;
        close(fd);
        return err;
    }
    while (err == 0) {
        const struct dirent *entry;

        errno = 0;
        entry = readdir(folder);
        if (entry == NULL) {
            err = -errno;
            break;
        }
        err = add_entry(listing, fd, path_len, entry, depth);
    }
    closedir(folder);
    return err;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const skua_str *)a)->ptr, ((const skua_str *)b)->ptr);
}

static int sort_names(struct listing *listing)
{
    const char *at = listing->bytes.ptr;

    if (listing->count == 0)
        return 0;
    listing->names = calloc(listing->count, sizeof(*listing->names));
    if (listing->names == NULL)
        return SKUA_ERR_NOMEM;
    for (size_t i = 0; i < listing->count; i++) {
        listing->names[i] = skua_str_c(at);
        at += listing->names[i].len + 1;
    }
    qsort(listing->names, listing->count, sizeof(*listing->names), compare_names);
    return 0;
}

static int list_on_pool(void *arg)
{
    struct listing *listing = arg;
    int fd = open(listing->root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int err = fd >= 0 ? walk(listing, fd, 0, 0) : -errno;

    return err == 0 ? sort_names(listing) : err;
}

int skua__fs_list(const char *root, skua_arena *arena, int (*each)(void *arg, skua_str name),
                  void *arg)
{
    struct listing listing = {.root = root};
    int err;

    skua__buf_init(&listing.bytes, NULL);
    err = skua_work(list_on_pool, &listing);
    if (err != 0) {
        skua__buf_finish(&listing.bytes);
        goto done;
    }
    err = skua__adopt(arena, listing.bytes.ptr, listing.bytes.cap);
    for (size_t i = 0; err == 0 && i < listing.count; i++)
        err = each(arg, listing.names[i]);
done:
    free(listing.names);
    return err;
}
