/* SPDX-License-Identifier: MIT */
#ifndef SKUA__VALUE_VALUE_H
#define SKUA__VALUE_VALUE_H

#include <skua/arena.h>
#include <skua/str.h>
#include <skua/value.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * A value is a handle of 16 bytes, copied freely:
 *
 *   head: kind (7 bits) | numeral (1 bit) | length (56 bits)   as (64 bits)
 *   ---------------------------------------------------------  --------------------------------
 *   UNDEFINED, NULL       0                 0                  0
 *   BOOL                  0                 0                  integer, 0 or 1
 *   INT                   0                 0                  integer
 *   DOUBLE                0                 0                  number
 *   STRING                0 or 1            bytes              text: that many bytes, then a zero
 *   SAFE, BYTES           0                 bytes              text
 *   ARRAY, OBJECT         0                 0                  container, which copies share
 *   CALLABLE              0                 0                  function
 *   LAZY                  0                 0                  lazy, with one product for all
 *
 * A numeral is text that is a JSON number. A handle of all zero bytes is undefined.
 */
struct skua_value {
    uint64_t head;
    union {
        int64_t integer;
        double number;
        const char *text;
        struct skua__container *container;
        const struct skua__function *function;
        struct skua__lazy *lazy;
    } as;
};

/*
 * Arrays and objects are one structure: items in a list of blocks. An item of an array is one cell,
 * its element; an item of an object is two, its key (a STRING) and its value. Cells never move, so
 * a pointer to one is good for the life of the arena.
 *
 *   container                          block                     block
 *   +-------+-------+-------+--------+------+--------------+     +------+--------------------+
 *   | arena | index | count | last * | next | cells        | --> | next | cells       : free | --> NULL
 *   +-------+-------+-------+------|-+------+--------------+     +------+--------------------+
 *                                  |  `first', built in          ^
 *                                  `-----------------------------'
 *
 *   used == cap in every block but the last; count is the sum of `used`.
 *   index != NULL exactly when an object has more than SKUA__LINEAR members. Only writers build it.
 */
struct skua__block {
    struct skua__block *next;
    uint32_t used; /* items */
    uint32_t cap;  /* items */
    /* cap * width cells follow */
};

struct skua__container {
    skua_arena *arena;
    struct skua__index *index;
    struct skua__block *last;
    uint32_t count; /* items */
    uint32_t width; /* cells of an item: 1 in an array, 2 in an object */
    struct skua__block first;
};

/* What a builder makes room for at first: eight cells either way. */
#define SKUA__FIRST_ELEMENTS 8
#define SKUA__FIRST_MEMBERS  4

/* The most members of an object that are searched one after the other. */
#define SKUA__LINEAR 16

/* The most containers inside each other that JSON and clone follow. */
#define SKUA__MAX_DEPTH 512

/* In the head: JSON writes the text as it is. */
#define SKUA__NUMERAL ((uint64_t)1 << 7)

struct skua__function {
    skua_callable fn;
    void *ctx;
};

struct skua__lazy {
    skua_producer fn;
    void *ctx;
    skua_arena *arena;
    const skua_value *product; /* NULL reads as undefined */
    bool touched;              /* fn has been called, perhaps has not returned yet */
};

/* ---- handles ---- */

static inline uint64_t skua__head(enum skua_kind kind, size_t length)
{
    return (uint64_t)kind | (uint64_t)length << 8;
}

/* The kind as stored: may be SKUA_LAZY. */
static inline enum skua_kind skua__kind(const skua_value *value)
{
    return (enum skua_kind)(value->head & (SKUA__NUMERAL - 1));
}

static inline size_t skua__length(const skua_value *value)
{
    return (size_t)(value->head >> 8);
}

static inline skua_value skua__int_cell(enum skua_kind kind, int64_t integer)
{
    return (skua_value){.head = skua__head(kind, 0), .as.integer = integer};
}

static inline skua_value skua__double_cell(double number)
{
    return (skua_value){.head = skua__head(SKUA_DOUBLE, 0), .as.number = number};
}

/* `text` is zero-terminated and lives as long as the handle is used. */
static inline skua_value skua__text_cell(enum skua_kind kind, skua_str text)
{
    return (skua_value){.head = skua__head(kind, text.len), .as.text = text.ptr};
}

static inline skua_value skua__container_cell(struct skua__container *container)
{
    enum skua_kind kind = container->width == 2 ? SKUA_OBJECT : SKUA_ARRAY;

    return (skua_value){.head = skua__head(kind, 0), .as.container = container};
}

static inline bool skua__is_numeral(const skua_value *value)
{
    return (value->head & SKUA__NUMERAL) != 0;
}

/* The bytes of a STRING, SAFE or BYTES handle. */
static inline skua_str skua__text(const skua_value *value)
{
    return skua_str_of(value->as.text, skua__length(value));
}

/* Copy `text` into the arena and make *cell a handle to it. false: out of memory. */
bool skua__copy_text(skua_value *cell, skua_arena *arena, enum skua_kind kind, skua_str text);

/* Put the handle itself into the arena. NULL: out of memory. */
skua_value *skua__new_value(skua_arena *arena, skua_value cell);

/* The slow path of skua__resolve. */
const skua_value *skua__resolve_lazy(const skua_value *value);

/* What readers see: never NULL, never lazy. */
static inline const skua_value *skua__resolve(const skua_value *value)
{
    return value != NULL && skua__kind(value) != SKUA_LAZY ? value : skua__resolve_lazy(value);
}

/* ---- containers ---- */

/* A new container with room for `cap` items before it needs another block. NULL: out of memory. */
struct skua__container *skua__container_new(skua_arena *arena, uint32_t width, uint32_t cap);

/* Append an item, its cells undefined, and return its first cell. NULL: out of memory. */
skua_value *skua__container_append(struct skua__container *container);

/*
 * The value cell of the member `key`, appended with an undefined value if it is new. The bytes of
 * the key are copied unless `take` says that they are zero-terminated and live as long as the
 * object. NULL: out of memory, and the object is as it was.
 */
skua_value *skua__object_put(struct skua__container *object, skua_str key, bool take);

static inline skua_value *skua__block_cells(const struct skua__block *block)
{
    return (skua_value *)(uintptr_t)(block + 1);
}

/* A place in a container; {block = &container->first, at = 0} is before the first item. */
struct skua__cursor {
    const struct skua__block *block;
    size_t at;
};

static inline struct skua__cursor skua__cursor_of(const struct skua__container *container)
{
    return (struct skua__cursor){.block = &container->first, .at = 0};
}

/* Step to the next item and return its first cell; NULL at the end, again and again. */
static inline const skua_value *skua__cursor_next(struct skua__cursor *cursor, uint32_t width)
{
    while (cursor->at == cursor->block->used) {
        if (cursor->block->next == NULL)
            return NULL;
        cursor->block = cursor->block->next;
        cursor->at = 0;
    }
    return skua__block_cells(cursor->block) + cursor->at++ * width;
}

#endif
