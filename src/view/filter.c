/* SPDX-License-Identifier: MIT */
/*
 * filter.c - functions that templates call by name
 *
 * Each is an ordinary callable, so a language's own filters, and later an application's, are added
 * by adding rows. args[0] is the value before the bar; the table says how many arguments may follow,
 * and compilers refuse any other number. A safe string stays safe only where that is certain.
 */
#include "view/filter.h"

#include "base/buf.h"
#include "value/value.h"
#include "view/escape.h"

/* ASCII letters; other bytes, and so the rest of Unicode, stay as they are. */
static skua_value *map_bytes(struct skua_call *call, char first, char last, int difference)
{
    skua_str text = skua_as_str(call->args[0]);
    char *copy = skua_strdup(call->arena, text);

    for (size_t i = 0; copy != NULL && i < text.len; i++) {
        if (copy[i] >= first && copy[i] <= last)
            copy[i] = (char)(copy[i] + difference);
    }
    return copy != NULL ? skua_string_static(call->arena, skua_str_of(copy, text.len)) : NULL;
}

static skua_value *upper(struct skua_call *call)
{
    return map_bytes(call, 'a', 'z', 'A' - 'a');
}

static skua_value *lower(struct skua_call *call)
{
    return map_bytes(call, 'A', 'Z', 'a' - 'A');
}

/* Code points of a text, elements of an array, members of an object. */
static skua_value *length(struct skua_call *call)
{
    skua_str text = skua_as_str(call->args[0]);
    size_t count = skua_count(call->args[0]);

    for (size_t i = 0; i < text.len; i++)
        count += ((unsigned char)text.ptr[i] & 0xc0) != 0x80;
    return skua_int(call->arena, (int64_t)count);
}

/* The texts of an array with args[1] between them. */
static skua_value *join(struct skua_call *call)
{
    skua_str between = call->count > 1 ? skua_as_str(call->args[1]) : SKUA_STR("");
    struct skua_each each = {0};
    struct skua__buf buf;

    skua__buf_init(&buf, call->arena);
    while (skua_each(&each, call->args[0])) {
        if (each.index > 0)
            skua__buf_put_str(&buf, between);
        if (skua_kind_of(each.value) == SKUA_INT)
            skua__buf_put_int(&buf, skua_as_int(each.value, 0));
        else
            skua__buf_put_str(&buf, skua_as_str(each.value));
    }
    return skua_string_static(call->arena, skua__buf_str(&buf));
}

/* args[1] instead of undefined and null. */
static skua_value *otherwise(struct skua_call *call)
{
    enum skua_kind kind = skua_kind_of(call->args[0]);
    bool missing = kind == SKUA_UNDEFINED || kind == SKUA_NULL;

    return skua__new_value(call->arena, *skua__resolve(call->args[missing ? 1 : 0]));
}

static skua_value *escape(struct skua_call *call)
{
    struct skua__buf buf;

    if (skua_kind_of(call->args[0]) == SKUA_SAFE)
        return skua__new_value(call->arena, *skua__resolve(call->args[0]));
    skua__buf_init(&buf, call->arena);
    skua__escape_html(&buf, skua_as_str(call->args[0]));
    return skua__new_value(call->arena, skua__text_cell(SKUA_SAFE, skua__buf_str(&buf)));
}

static skua_value *safe(struct skua_call *call)
{
    return skua_safe(call->arena, skua_as_str(call->args[0]));
}

static const struct skua__filter filters[] = {
    {"upper", upper, 1, 1},       {"lower", lower, 1, 1},   {"length", length, 1, 1},
    {"join", join, 1, 2},         {"escape", escape, 1, 1}, {"safe", safe, 1, 1},
    {"default", otherwise, 2, 2},
};

const struct skua__filter *skua__filter_find(skua_str name)
{
    for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++) {
        if (skua_str_eq(skua_str_c(filters[i].name), name))
            return &filters[i];
    }
    return NULL;
}
