/* SPDX-License-Identifier: MIT */
/*
 * buf.c - the slow paths of the growing byte string
 *
 * Growth doubles, so appending is linear in the end. The owner of the buffer owns its bytes (or the
 * arena does); nothing here keeps a pointer.
 */
#include "base/buf.h"

#include "base/arena.h"
#include "base/digits.h"

#include <stdio.h>
#include <stdlib.h>

#define SMALLEST ((size_t)64)

void skua__buf_init(struct skua__buf *buf, skua_arena *arena)
{
    memset(buf, 0, sizeof(*buf));
    buf->arena = arena;
}

void skua__buf_finish(struct skua__buf *buf)
{
    if (buf->arena == NULL)
        free(buf->ptr);
    skua__buf_init(buf, buf->arena);
}

bool skua__buf_grow(struct skua__buf *buf, size_t more)
{
    size_t cap = buf->cap < SMALLEST ? SMALLEST : buf->cap;
    char *ptr;

    if (buf->failed || more > (size_t)PTRDIFF_MAX / 4 - buf->len) {
        buf->failed = true;
        return false;
    }
    while (cap - buf->len < more)
        cap *= 2;
    ptr = buf->arena != NULL ? skua__arena_grow(buf->arena, buf->ptr, buf->cap, cap)
                             : realloc(buf->ptr, cap);
    if (ptr == NULL) {
        buf->failed = true;
        return false;
    }
    buf->ptr = ptr;
    buf->cap = cap;
    return true;
}

void skua__buf_put_uint(struct skua__buf *buf, uint64_t number)
{
    if (skua__buf_reserve(buf, SKUA__MOST_DIGITS))
        buf->len = (size_t)(skua__digits_write(buf->ptr + buf->len, number) - buf->ptr);
}

void skua__buf_put_int(struct skua__buf *buf, int64_t number)
{
    if (number < 0)
        skua__buf_put_char(buf, '-');
    skua__buf_put_uint(buf, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
}

void skua__buf_printf(struct skua__buf *buf, const char *format, ...)
{
    va_list args;
    int len;

    va_start(args, format);
    len = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (len < 0 || !skua__buf_reserve(buf, (size_t)len + 1))
        return;
    va_start(args, format);
    vsnprintf(buf->ptr + buf->len, (size_t)len + 1, format, args);
    va_end(args);
    buf->len += (size_t)len;
}

skua_str skua__buf_str(struct skua__buf *buf)
{
    if (!skua__buf_reserve(buf, 1))
        return skua_str_of("", 0);
    buf->ptr[buf->len] = '\0';
    return skua_str_of(buf->ptr, buf->len);
}
