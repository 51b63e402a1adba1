/* SPDX-License-Identifier: MIT */
/*
 * fs.c - files
 *
 * Every call is one trip to the thread pool, however many system calls it takes: a trip costs more
 * than they do. What a trip needs and brings back is a struct on the waiting fiber's stack.
 *
 *   fiber                        pool thread
 *   skua_fs_read  --work-->      open, fstat, malloc, read ..., close
 *   adopt the bytes  <------
 *
 * The pool thread must not touch the arena, and how much there is to read is only known there. So
 * the bytes come from malloc, and the arena adopts them afterwards instead of copying them: a copy
 * of many megabytes would stop the loop.
 *
 * A file may change while it is read. The size that fstat gives is a first guess, no more: reading
 * goes on until the end is seen or the limit is passed.
 */
#include "async/fs.h"

#include "async/open.h"
#include "base/arena.h"

#include <skua/err.h>
#include <skua/fiber.h>

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define LIMIT_DEFAULT ((size_t)64 * 1024 * 1024)

struct skua_file {
    int fd;
    int64_t size;
    int64_t mtime;
};

struct open_trip {
    const char *root;
    const char *path;
    struct skua_file file;
};

struct pread_trip {
    int fd;
    char *buf;
    size_t cap;
    size_t got;
    int64_t offset;
};

struct read_trip {
    const char *root;
    const char *path;
    size_t limit;
    char *bytes; /* cap of them, len read */
    size_t cap;
    size_t len;
};

int skua__adopt(skua_arena *arena, void *ptr, size_t size)
{
    if (ptr == NULL)
        return 0;
    if (arena == NULL || (arena->budget != 0 && size > arena->budget - arena->spent)) {
        if (arena != NULL)
            arena->failed = true;
        free(ptr);
        return SKUA_ERR_NOMEM;
    }
    arena->spent += size;
    return skua_defer(arena, free, ptr);
}

static int open_on_pool(void *arg)
{
    struct open_trip *trip = arg;
    struct stat stat;
    int fd = skua__open_file(trip->root, trip->path, &stat);

    if (fd < 0)
        return fd;
    trip->file.fd = fd;
    trip->file.size = stat.st_size;
    trip->file.mtime = stat.st_mtim.tv_sec * INT64_C(1000000000) + stat.st_mtim.tv_nsec;
    return 0;
}

static void close_file(void *ptr)
{
    struct skua_file *file = ptr;

    close(file->fd);
}

int skua_file_open(skua_file **out, skua_arena *arena, const char *root, const char *path)
{
    struct open_trip trip = {.root = root, .path = path};
    struct skua_file *file;
    int err;

    *out = NULL;
    err = skua_work(open_on_pool, &trip);
    if (err != 0)
        return err;
    file = skua_alloc(arena, sizeof(*file));
    if (file == NULL) {
        close_file(&trip.file);
        return SKUA_ERR_NOMEM;
    }
    *file = trip.file;
    err = skua_defer(arena, close_file, file);
    if (err == 0)
        *out = file;
    return err;
}

int64_t skua_file_size(const skua_file *file)
{
    return file->size;
}

int64_t skua_file_mtime(const skua_file *file)
{
    return file->mtime;
}

static int pread_on_pool(void *arg)
{
    struct pread_trip *trip = arg;

    while (trip->got < trip->cap) {
        ssize_t got = pread(trip->fd, trip->buf + trip->got, trip->cap - trip->got,
                            trip->offset + (int64_t)trip->got);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -errno;
        if (got == 0)
            break;
        trip->got += (size_t)got;
    }
    return 0;
}

int skua_file_read(skua_file *file, size_t *got, void *buf, size_t cap, int64_t offset)
{
    struct pread_trip trip = {.fd = file->fd, .buf = buf, .cap = cap, .offset = offset};
    int err = skua_work(pread_on_pool, &trip);

    *got = err == 0 ? trip.got : 0;
    return err;
}

/* Room for at least one byte more, which shows whether the file has ended. */
static int make_room(struct read_trip *trip)
{
    size_t cap = trip->cap < 2048 ? 4096 : 2 * trip->cap;
    char *bytes;

    if (trip->len < trip->cap)
        return 0;
    if (cap > trip->limit + 1)
        cap = trip->limit + 1;
    bytes = realloc(trip->bytes, cap);
    if (bytes == NULL)
        return SKUA_ERR_NOMEM;
    trip->bytes = bytes;
    trip->cap = cap;
    return 0;
}

static int read_to_end(struct read_trip *trip, int fd)
{
    for (;;) {
        int err = make_room(trip);
        ssize_t got;

        if (err != 0)
            return err;
        got = read(fd, trip->bytes + trip->len, trip->cap - trip->len);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -errno;
        if (got == 0)
            return 0;
        trip->len += (size_t)got;
        if (trip->len > trip->limit)
            return SKUA_ERR_TOO_LARGE;
    }
}

static int read_on_pool(void *arg)
{
    struct read_trip *trip = arg;
    struct stat stat;
    int fd = skua__open_file(trip->root, trip->path, &stat);
    int err = SKUA_ERR_TOO_LARGE;

    if (fd < 0)
        return fd;
    if ((uint64_t)stat.st_size > trip->limit)
        goto done;
    trip->cap = (size_t)stat.st_size + 1;
    trip->bytes = malloc(trip->cap);
    err = trip->bytes != NULL ? read_to_end(trip, fd) : SKUA_ERR_NOMEM;
done:
    close(fd);
    if (err != 0) {
        free(trip->bytes);
        trip->bytes = NULL;
    }
    return err;
}

int skua_fs_read_in(skua_str *out, skua_arena *arena, const char *root, const char *path,
                    size_t limit)
{
    struct read_trip trip = {.root = root, .path = path, .limit = limit};
    int err;

    *out = SKUA_STR("");
    if (limit == 0)
        trip.limit = LIMIT_DEFAULT;
    else if (limit == SIZE_MAX)
        trip.limit = limit - 1; /* so that there is room for the zero byte */
    err = skua_work(read_on_pool, &trip);
    if (err != 0)
        return err;
    trip.bytes[trip.len] = '\0';
    err = skua__adopt(arena, trip.bytes, trip.cap);
    if (err == 0)
        *out = skua_str_of(trip.bytes, trip.len);
    return err;
}

int skua_fs_read(skua_str *out, skua_arena *arena, const char *path, size_t limit)
{
    return skua_fs_read_in(out, arena, NULL, path, limit);
}
