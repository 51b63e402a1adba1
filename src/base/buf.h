/* SPDX-License-Identifier: MIT */
#ifndef SKUA__BASE_BUF_H
#define SKUA__BASE_BUF_H

#include <skua/arena.h>
#include <skua/str.h>
#include <stdint.h>

/*
 * A growing byte string.
 *
 *   len <= cap; ptr is NULL while cap is 0. With an arena the bytes belong to it, without one they
 *   come from malloc and skua__buf_finish frees them. Running out of memory is sticky: `failed` is
 *   set, further appends do nothing, and the owner looks once at the end.
 */
struct skua__buf {
    char *ptr;
    size_t len;
    size_t cap;
    skua_arena *arena; /* NULL: malloc */
    bool failed;
};

/* Start empty in the caller's memory. */
void skua__buf_init(struct skua__buf *buf, skua_arena *arena);

/* Give the memory back and start empty again. */
void skua__buf_finish(struct skua__buf *buf);

/* The slow path of skua__buf_reserve. */
bool skua__buf_grow(struct skua__buf *buf, size_t more);

/* Make room for `more` bytes behind `len`. false: out of memory, buf->failed is set. */
static inline bool skua__buf_reserve(struct skua__buf *buf, size_t more)
{
    return buf->cap - buf->len >= more || skua__buf_grow(buf, more);
}

static inline void skua__buf_put(struct skua__buf *buf, const char *ptr, size_t len)
{
    if (len == 0 || !skua__buf_reserve(buf, len))
        return;
    memcpy(buf->ptr + buf->len, ptr, len);
    buf->len += len;
}

static inline void skua__buf_put_str(struct skua__buf *buf, skua_str text)
{
    skua__buf_put(buf, text.ptr, text.len);
}

static inline void skua__buf_put_char(struct skua__buf *buf, char c)
{
    skua__buf_put(buf, &c, 1);
}

#define skua__buf_put_literal(buf, literal) skua__buf_put(buf, "" literal "", sizeof(literal) - 1)

/* Decimal, without printf. */
void skua__buf_put_uint(struct skua__buf *buf, uint64_t number);
void skua__buf_put_int(struct skua__buf *buf, int64_t number);

SKUA_PRINTF(2, 3) void skua__buf_printf(struct skua__buf *buf, const char *format, ...);

/* The bytes so far, with a zero byte behind them; the empty slice "" when it failed. */
skua_str skua__buf_str(struct skua__buf *buf);

#endif
