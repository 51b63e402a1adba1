/* SPDX-License-Identifier: MIT */
/*
 * static.c - files from a folder, on the public API alone
 *
 * The path is the one that routing saw. An escaped slash that is left in it was no separator for routing,
 * so it may not be one for the file system either: such a path names nothing. Everything that cannot be served looks the same to the peer: 404.
 *
 * A small file is read at once, a large one while it is sent. The file closes itself with the request.
 */
#include <skua/static.h>

#include <errno.h>
#include <limits.h>
#include <skua/fs.h>
#include <skua/media_type.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define WHOLE ((int64_t)262144) /* bytes up to which a file is read at once */
#define PIECE ((size_t)65536)

struct folder {
    uint32_t max_age;
    char root[PATH_MAX];
};

struct stream {
    skua_file *file;
    int64_t at;
    char *piece;
};

/* Whether the system's or our own code says "nothing here that may be served". */
static bool is_absent(int err)
{
    static const int absent[] = {-ENOENT, -ENOTDIR, -EACCES, -ENAMETOOLONG,     -ELOOP,
                                 -EPERM,  -ENXIO,   -EINVAL, SKUA_ERR_NOT_FILE, SKUA_ERR_OUTSIDE};

    for (size_t i = 0; i < sizeof(absent) / sizeof(absent[0]); i++) {
        if (err == absent[i])
            return true;
    }
    return false;
}

/* No segment may begin with a dot (hidden files, "..") or be empty, and none may hold a backslash. */
static bool is_plain(const char *path)
{
    if (path[0] == '/' || strchr(path, '\\') != NULL)
        return false;
    for (const char *segment = path; segment != NULL; segment = strchr(segment, '/')) {
        segment += *segment == '/';
        if (*segment == '.' || *segment == '/')
            return false;
    }
    return true;
}

static int open_file(skua_file **file, skua_req *req, const char *root, const char **path)
{
    size_t len = strlen(*path);
    int err;

    if (!is_plain(*path))
        return SKUA_ERR_NOT_FOUND;
    if (len == 0 || (*path)[len - 1] == '/')
        *path = skua_format(skua_req_arena(req), "%sindex.html", *path);
    if (*path == NULL)
        return SKUA_ERR_NOMEM;
    err = skua_file_open(file, skua_req_arena(req), root, *path);
    return is_absent(err) ? SKUA_ERR_NOT_FOUND : err;
}

/* Whether the validator stands in the list of If-None-Match, compared weakly (RFC 9110, 13.1.2). */
static bool is_fresh(const skua_req *req, const char *etag)
{
    const char *known = skua_req_header(req, "if-none-match");

    return known != NULL && (strcmp(known, "*") == 0 || strstr(known, etag) != NULL);
}

static int next_piece(void *ctx, skua_str *piece)
{
    struct stream *stream = ctx;
    int64_t left =
        skua_file_size(stream->file) - stream->at; /* it may have grown since: not promised */
    size_t most = left < (int64_t)PIECE ? (size_t)left : PIECE, got = 0;
    int err = skua_file_read(stream->file, &got, stream->piece, most, stream->at);

    stream->at += (int64_t)got;
    *piece = skua_str_of(stream->piece, got);
    return err;
}

static int reply_stream(skua_req *req, skua_reply *reply, skua_file *file)
{
    struct stream *stream = skua_alloc(skua_req_arena(req), sizeof(*stream));

    if (stream == NULL)
        return SKUA_ERR_NOMEM;
    stream->file = file;
    stream->at = 0;
    stream->piece = skua_alloc(skua_req_arena(req), PIECE);
    if (stream->piece == NULL)
        return SKUA_ERR_NOMEM;
    return skua_reply_stream(reply, next_piece, stream, skua_file_size(file));
}

static int reply_whole(skua_req *req, skua_reply *reply, skua_file *file)
{
    size_t size = (size_t)skua_file_size(file), got = 0;
    char *bytes = skua_alloc(skua_req_arena(req), size);
    int err;

    if (bytes == NULL)
        return SKUA_ERR_NOMEM;
    err = skua_file_read(file, &got, bytes, size, 0);
    return err < 0 ? err : skua_reply_bytes_static(reply, bytes, got);
}

int skua_reply_static(skua_req *req, skua_reply *reply, const char *root, const char *path)
{
    skua_file *file = NULL;
    char etag[48];
    int err = open_file(&file, req, root, &path);

    if (err < 0)
        return err;
    snprintf(etag, sizeof(etag), "\"%llx-%llx\"", (unsigned long long)skua_file_mtime(file),
             (unsigned long long)skua_file_size(file));
    if ((err = skua_reply_header(reply, "etag", etag)) < 0 ||
        (err = skua_reply_header(reply, "x-content-type-options", "nosniff")) < 0 ||
        (err = skua_reply_type(reply, skua_media_type(path))) < 0)
        return err;
    if (is_fresh(req, etag)) {
        skua_reply_status(reply, 304);
        return skua_reply_empty(reply);
    }
    if (skua_file_size(file) > WHOLE)
        return reply_stream(req, reply, file);
    return reply_whole(req, reply, file);
}

static int serve_file(skua_req *req, skua_reply *reply)
{
    const struct folder *folder = skua_req_data(req);
    const char *path = skua_req_path(req), *name = skua_param(req, "*");
    char age[40] = "no-cache";
    int err;

    if (path == NULL || name == NULL)
        return SKUA_ERR_NOMEM;
    if (strcasestr(path, "%2f") != NULL)
        return SKUA_ERR_NOT_FOUND;
    if (folder->max_age > 0)
        snprintf(age, sizeof(age), "public, max-age=%u", folder->max_age);
    err = skua_reply_header(reply, "cache-control", age);
    if (err < 0)
        return err;
    return skua_reply_static(req, reply, folder->root, name);
}

/* The plugin. Its options are the copy that skua_register made, which lives as the app. */
static int add_folder(skua_app *scope, const void *opts)
{
    const struct folder *folder = opts;
    skua_route_opts route = {.app = scope, .path = "/*", .handler = serve_file};
    struct stat info;

    if (stat(folder->root, &info) < 0 || !S_ISDIR(info.st_mode))
        skua_app_mistake(scope,
                         "the folder of static files, '%s', is not there. Start the program in the "
                         "folder that holds it, or give .root",
                         folder->root);
    route.data = (void *)(uintptr_t)folder;
    skua_route_with(&route);
    return 0;
}

void skua_static_with(const skua_static_opts *opts)
{
    const char *root = opts->root != NULL ? opts->root : "public";
    struct folder folder = {.max_age = opts->max_age};

    if (strlen(root) >= sizeof(folder.root)) {
        skua_app_mistake(opts->app, "the folder of static files has a name that is too long");
        return;
    }
    memcpy(folder.root, root, strlen(root) + 1);
    skua_register(opts->app, opts->prefix, add_folder, &folder, sizeof(folder));
}
