/* SPDX-License-Identifier: MIT */
/*
 * media_type_file.c - the media type for the extension of a file name
 *
 * Only what a web site is made of; everything else is a download. Text says that it is UTF-8, as
 * browsers would guess otherwise. A name that only begins with a dot (".html") has no extension.
 */
#include "text/media_type.h"
#include "text/scan.h"

#include <skua/media_type.h>

static const struct {
    skua_str extension;
    skua_str type;
} types[] = {
/* X(extension, media type) */
#define TYPE_MAP(X)                               \
    X("html", "text/html; charset=utf-8")         \
    X("htm", "text/html; charset=utf-8")          \
    X("css", "text/css; charset=utf-8")           \
    X("js", "text/javascript; charset=utf-8")     \
    X("mjs", "text/javascript; charset=utf-8")    \
    X("json", "application/json")                 \
    X("map", "application/json")                  \
    X("webmanifest", "application/manifest+json") \
    X("txt", "text/plain; charset=utf-8")         \
    X("md", "text/markdown; charset=utf-8")       \
    X("csv", "text/csv; charset=utf-8")           \
    X("ics", "text/calendar; charset=utf-8")      \
    X("xml", "application/xml")                   \
    X("xhtml", "application/xhtml+xml")           \
    X("rss", "application/rss+xml")               \
    X("atom", "application/atom+xml")             \
    X("svg", "image/svg+xml")                     \
    X("png", "image/png")                         \
    X("jpg", "image/jpeg")                        \
    X("jpeg", "image/jpeg")                       \
    X("gif", "image/gif")                         \
    X("webp", "image/webp")                       \
    X("avif", "image/avif")                       \
    X("bmp", "image/bmp")                         \
    X("ico", "image/vnd.microsoft.icon")          \
    X("woff", "font/woff")                        \
    X("woff2", "font/woff2")                      \
    X("ttf", "font/ttf")                          \
    X("otf", "font/otf")                          \
    X("mp3", "audio/mpeg")                        \
    X("ogg", "audio/ogg")                         \
    X("wav", "audio/wav")                         \
    X("flac", "audio/flac")                       \
    X("mp4", "video/mp4")                         \
    X("webm", "video/webm")                       \
    X("wasm", "application/wasm")                 \
    X("pdf", "application/pdf")                   \
    X("zip", "application/zip")                   \
    X("gz", "application/gzip")
#define TYPE_ROW(extension, type) {{extension, sizeof(extension) - 1}, {type, sizeof(type) - 1}},
    TYPE_MAP(TYPE_ROW)};

static skua_str extension_of(skua_str name)
{
    size_t at = name.len;

    while (at > 0 && name.ptr[at - 1] != '.' && name.ptr[at - 1] != '/')
        at--;
    if (at < 2 || name.ptr[at - 1] != '.' || name.ptr[at - 2] == '/')
        return SKUA_STR("");
    return skua_str_of(name.ptr + at, name.len - at);
}

skua_str skua__media_type_of_file(skua_str name)
{
    skua_str extension = extension_of(name);

    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        if (skua__equal_nocase(types[i].extension, extension))
            return types[i].type;
    }
    return SKUA_STR("application/octet-stream");
}

const char *skua_media_type(const char *file_name)
{
    return skua__media_type_of_file(skua_str_c(file_name)).ptr;
}
