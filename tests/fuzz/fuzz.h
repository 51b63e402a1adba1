/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <skua/arena.h>
#include <skua/err.h>
#include <skua/str.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * What the fuzz targets share. A target is one function: it is given any bytes, checks what has to
 * hold for all of them, and dies if it does not. libFuzzer calls it with bytes that it makes up, and
 * replay.c with those of files.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline _Noreturn void fuzz_fail(const char *file, int line, const char *condition)
{
    fprintf(stderr, "%s:%d: this does not hold: %s\n", file, line, condition);
    abort();
}

/* Unlike assert, it is there in every build. */
#define fuzz_check(condition) ((condition) ? (void)0 : fuzz_fail(__FILE__, __LINE__, #condition))

/* What may be gone, but not in a fuzzer: memory. */
static inline void *fuzz_have(void *ptr)
{
    fuzz_check(ptr != NULL);
    return ptr;
}

/* The bytes in a block of their exact size, so that ASan sees a read past their end. Free it. */
static inline char *fuzz_copy(skua_str bytes)
{
    char *copy = fuzz_have(malloc(bytes.len > 0 ? bytes.len : 1));

    if (bytes.len > 0)
        memcpy(copy, bytes.ptr, bytes.len);
    return copy;
}

/* Stands between the parts of an input that has several; no format has it as a valid byte. */
#define FUZZ_CUT '\x1f'

/* Take the bytes up to the next FUZZ_CUT off the front, and it. */
static inline skua_str fuzz_take_part(skua_str *rest)
{
    const char *cut = rest->len > 0 ? memchr(rest->ptr, FUZZ_CUT, rest->len) : NULL;
    size_t len = cut != NULL ? (size_t)(cut - rest->ptr) : rest->len;
    size_t used = cut != NULL ? len + 1 : len;
    skua_str part = skua_str_of(rest->ptr, len);

    *rest = skua_str_of(rest->ptr + used, rest->len - used);
    return part;
}

/* Whether `part` lies within `whole`. */
static inline bool fuzz_within(skua_str part, skua_str whole)
{
    return part.ptr >= whole.ptr && part.ptr <= whole.ptr + whole.len &&
           part.len <= (size_t)(whole.ptr + whole.len - part.ptr);
}

/*
 * Call `attempt` with arenas that hold nothing, one chunk, two and so on, until it is not out of
 * memory any more; the last result. Whatever it does on the way, ASan looks on.
 */
static inline int fuzz_starve(int (*attempt)(skua_arena *arena, void *arg), void *arg)
{
    int err = SKUA_ERR_NOMEM;

    for (size_t chunks = 0; chunks < 64 && err == SKUA_ERR_NOMEM; chunks++) {
        skua_arena *arena = fuzz_have(skua_arena_new(chunks * 4096 + 1));

        err = attempt(arena, arg);
        skua_arena_free(arena);
    }
    return err;
}

#endif
