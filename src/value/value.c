/* SPDX-License-Identifier: MIT */
/*
 * value.c - making and reading single values
 *
 * A maker puts a handle into the arena; a reader first lets a lazy value become its product, then
 * looks at the kind and falls back to its default for any other. The layout is drawn in value.h.
 *
 *   lazy: untouched --first reader--> being produced (reads as undefined) --> produced, for ever
 *
 * Readers write nothing but that, which is why a finished value without lazies may be read by
 * several threads, and why a lazy belongs to one.
 */
#include "value/value.h"

static const skua_value undefined;

/* ---- making ---- */

skua_value *skua__new_value(skua_arena *arena, skua_value cell)
{
    skua_value *value = skua_alloc(arena, sizeof(*value));

    if (value != NULL)
        *value = cell;
    return value;
}

bool skua__copy_text(skua_value *cell, skua_arena *arena, enum skua_kind kind, skua_str text)
{
    const char *copy = skua_strdup(arena, text);

    if (copy == NULL)
        return false;
    *cell = skua__text_cell(kind, skua_str_of(copy, text.len));
    return true;
}

static skua_value *new_text(skua_arena *arena, enum skua_kind kind, skua_str text)
{
    skua_value cell;

    return skua__copy_text(&cell, arena, kind, text) ? skua__new_value(arena, cell) : NULL;
}

skua_value *skua_null(skua_arena *arena)
{
    return skua__new_value(arena, skua__int_cell(SKUA_NULL, 0));
}

skua_value *skua_bool(skua_arena *arena, bool b)
{
    return skua__new_value(arena, skua__int_cell(SKUA_BOOL, b));
}

skua_value *skua_int(skua_arena *arena, int64_t i)
{
    return skua__new_value(arena, skua__int_cell(SKUA_INT, i));
}

skua_value *skua_double(skua_arena *arena, double d)
{
    return skua__new_value(arena, skua__double_cell(d));
}

skua_value *skua_string(skua_arena *arena, const char *text)
{
    return text != NULL ? new_text(arena, SKUA_STRING, skua_str_c(text)) : skua_null(arena);
}

skua_value *skua_string_of(skua_arena *arena, skua_str text)
{
    return new_text(arena, SKUA_STRING, text);
}

skua_value *skua_string_static(skua_arena *arena, skua_str text)
{
    if (text.ptr == NULL)
        text = SKUA_STR("");
    return skua__new_value(arena, skua__text_cell(SKUA_STRING, text));
}

skua_value *skua_safe(skua_arena *arena, skua_str text)
{
    return new_text(arena, SKUA_SAFE, text);
}

skua_value *skua_bytes(skua_arena *arena, const void *data, size_t len)
{
    return new_text(arena, SKUA_BYTES, skua_str_of(data, len));
}

skua_value *skua_function(skua_arena *arena, skua_callable fn, void *ctx)
{
    struct skua__function *function = skua_alloc(arena, sizeof(*function));

    if (function == NULL)
        return NULL;
    *function = (struct skua__function){.fn = fn, .ctx = ctx};
    return skua__new_value(
        arena, (skua_value){.head = skua__head(SKUA_CALLABLE, 0), .as.function = function});
}

skua_value *skua_lazy(skua_arena *arena, skua_producer fn, void *ctx)
{
    struct skua__lazy *lazy = skua_alloc(arena, sizeof(*lazy));

    if (lazy == NULL)
        return NULL;
    *lazy = (struct skua__lazy){.fn = fn, .ctx = ctx, .arena = arena};
    return skua__new_value(arena, (skua_value){.head = skua__head(SKUA_LAZY, 0), .as.lazy = lazy});
}

/* ---- reading ---- */

/* Lazies that lead to lazies are followed this far, so that a ring of them reads as undefined. */
#define MOST_HOPS 32

const skua_value *skua__resolve_lazy(const skua_value *value)
{
    for (int hops = 0; value != NULL && hops < MOST_HOPS; hops++) {
        struct skua__lazy *lazy = value->as.lazy;

        if (skua__kind(value) != SKUA_LAZY)
            return value;
        if (!lazy->touched) {
            lazy->touched =
                true; /* before the call: a producer that reads itself must not recurse */
            lazy->product = lazy->fn(lazy->arena, lazy->ctx);
        }
        value = lazy->product;
    }
    return &undefined;
}

enum skua_kind skua_kind_of(const skua_value *value)
{
    return skua__kind(skua__resolve(value));
}

bool skua_truthy(const skua_value *value)
{
    value = skua__resolve(value);
    switch (skua__kind(value)) {
    case SKUA_UNDEFINED:
    case SKUA_NULL:
        return false;
    case SKUA_BOOL:
    case SKUA_INT:
        return value->as.integer != 0;
    case SKUA_DOUBLE:
        return value->as.number < 0 || value->as.number > 0; /* neither zero nor NaN */
    case SKUA_STRING:
    case SKUA_SAFE:
        return skua__length(value) > 0;
    default:
        return true;
    }
}

bool skua_as_bool(const skua_value *value, bool otherwise)
{
    value = skua__resolve(value);
    return skua__kind(value) == SKUA_BOOL ? value->as.integer != 0 : otherwise;
}

int64_t skua_as_int(const skua_value *value, int64_t otherwise)
{
    double number;

    value = skua__resolve(value);
    if (skua__kind(value) == SKUA_INT)
        return value->as.integer;
    if (skua__kind(value) != SKUA_DOUBLE)
        return otherwise;
    number = value->as.number;
    /* 2^63 is a double, the largest int64_t is not: hence < and not <=. NaN fails both. */
    if (!(number >= -0x1p63 && number < 0x1p63))
        return otherwise;
    return (double)(int64_t)number == number ? (int64_t)number : otherwise;
}

double skua_as_double(const skua_value *value, double otherwise)
{
    value = skua__resolve(value);
    if (skua__kind(value) == SKUA_DOUBLE)
        return value->as.number;
    return skua__kind(value) == SKUA_INT ? (double)value->as.integer : otherwise;
}

bool skua_is_numeral(const skua_value *value)
{
    return skua__is_numeral(skua__resolve(value));
}

static bool is_text(const skua_value *value)
{
    return skua__kind(value) >= SKUA_STRING && skua__kind(value) <= SKUA_BYTES;
}

skua_str skua_as_str(const skua_value *value)
{
    value = skua__resolve(value);
    return is_text(value) ? skua__text(value) : SKUA_STR("");
}

const char *skua_as_text(const skua_value *value)
{
    value = skua__resolve(value);
    return is_text(value) ? value->as.text : NULL;
}
