/* SPDX-License-Identifier: MIT */
/*
 * target_fuzz.c - the canonical path
 *
 *   raw --read--> path, query, host      path begins with "/", is UTF-8, holds no control byte and
 *                                        no escape but those of reserved characters
 *
 * A path may be written in many ways and has to come out the same: with the escapes that it needs,
 * with all escapes that there can be, in the absolute form. Each of its segments can be decoded.
 */
#include "fuzz.h"

#include "base/utf8.h"
#include "text/host.h"
#include "text/percent.h"
#include "text/scan.h"
#include "text/target.h"

/* ---- what holds for a canonical path ---- */

static void check_escape(skua_str path, size_t at)
{
    int value = skua__escape_value(path, at);

    fuzz_check(value > 0 && skua__char_is((char)value, SKUA__CHAR_RESERVED));
}

static void check_path(skua_str path)
{
    fuzz_check(path.len > 0 && path.ptr[0] == '/');
    fuzz_check(skua__utf8_valid(path) == path.len);
    for (size_t i = 0; i < path.len; i++) {
        unsigned char byte = (unsigned char)path.ptr[i];

        fuzz_check(byte >= ' ' && byte != 0x7f && byte != '?' && byte != '#');
        if (byte == '%')
            check_escape(path, i);
    }
}

static void check_query(skua_str query)
{
    for (size_t i = 0; i < query.len; i++)
        fuzz_check(skua__char_is(query.ptr[i], SKUA__CHAR_QUERY));
}

/* Decoding a segment takes away its last escapes and nothing else. */
static void check_segment(skua_arena *arena, skua_str segment)
{
    skua_str text;

    fuzz_check(skua__segment_decode(&text, arena, segment) == 0);
    fuzz_check(text.len <= segment.len && strlen(text.ptr) == text.len);
    fuzz_check((memchr(segment.ptr, '%', segment.len) != NULL) == (text.len < segment.len));
}

static void check_segments(skua_arena *arena, skua_str path)
{
    size_t start = 0;

    for (size_t i = 0; i <= path.len; i++) {
        if (i < path.len && path.ptr[i] != '/')
            continue;
        check_segment(arena, skua_str_of(path.ptr + start, i - start));
        start = i + 1;
    }
}

/* ---- other ways to write it ---- */

/* `all`: escape all that does not change its meaning so; else what has to be. */
static bool needs_escape(char c, bool all)
{
    if (all)
        return !skua__char_is(c, SKUA__CHAR_RESERVED);
    return !skua__char_is(c, SKUA__CHAR_QUERY) || c == '\\';
}

static void put_path(struct skua__buf *out, skua_str path, bool all)
{
    for (size_t i = 0; i < path.len; i++) {
        if (path.ptr[i] == '%') {
            skua__buf_put(out, path.ptr + i, 3);
            i += 2;
        } else if (needs_escape(path.ptr[i], all)) {
            skua__buf_printf(out, "%%%02x", (unsigned)(unsigned char)path.ptr[i]);
        } else {
            skua__buf_put_char(out, path.ptr[i]);
        }
    }
}

static void check_rewritten(skua_arena *arena, const struct skua__target *target,
                            const char *authority, bool all)
{
    struct skua__target again;
    struct skua__buf raw;

    skua__buf_init(&raw, arena);
    skua__buf_put_str(&raw, skua_str_c(authority));
    put_path(&raw, target->path, all);
    skua__buf_put_char(&raw, '?');
    skua__buf_put_str(&raw, target->query);
    fuzz_check(skua__target_read(&again, arena, skua__buf_str(&raw)) == 0);
    fuzz_check(skua_str_eq(again.path, target->path));
    fuzz_check(skua_str_eq(again.query, target->query));
}

static void check_target(skua_arena *arena, const struct skua__target *target)
{
    check_path(target->path);
    check_query(target->query);
    fuzz_check(target->host.len == 0 || skua__host_valid(target->host));
    check_segments(arena, target->path);
    check_rewritten(arena, target, "", false);
    check_rewritten(arena, target, "", true);
    check_rewritten(arena, target, "HTTPS://[::1]:80", false);
}

/* ---- the bytes themselves ---- */

static void check_percent(skua_arena *arena, skua_str bytes)
{
    char *out = fuzz_have(skua_alloc(arena, bytes.len));
    long lenient = skua__percent_decode(out, bytes, true);
    long strict = skua__percent_decode(out, bytes, false);
    struct skua__buf buf;
    skua_str encoded;
    long len;

    fuzz_check(lenient <= (long)bytes.len);
    fuzz_check(strict == lenient || strict == SKUA_ERR_BAD_INPUT);
    skua__buf_init(&buf, arena);
    skua__percent_encode(&buf, bytes);
    encoded = skua__buf_str(&buf);
    len = skua__percent_decode(buf.ptr, encoded, false); /* in place */
    if (memchr(bytes.ptr, 0, bytes.len) != NULL)
        fuzz_check(len == SKUA_ERR_BAD_INPUT);
    else
        fuzz_check(skua_str_eq(skua_str_of(buf.ptr, (size_t)len), bytes));
}

static int read_target(skua_arena *arena, void *arg)
{
    struct skua__target target;
    skua_str text;
    int err = skua__target_read(&target, arena, *(skua_str *)arg);

    return err == 0 ? skua__segment_decode(&text, arena, target.path) : err;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    skua_str raw = skua_str_of((const char *)data, size);
    skua_arena *arena = fuzz_have(skua_arena_new(0));
    struct skua__target target;
    int err = skua__target_read(&target, arena, raw);

    fuzz_check(err == 0 || err == SKUA_ERR_BAD_INPUT);
    if (skua_str_eq(raw, SKUA_STR("*")))
        fuzz_check(err == 0 && skua_str_eq(target.path, raw));
    else if (err == 0)
        check_target(arena, &target);
    if (size > 0)
        check_percent(arena, raw);
    fuzz_check(fuzz_starve(read_target, &raw) == err);
    skua_arena_free(arena);
    return 0;
}
