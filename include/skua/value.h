/* SPDX-License-Identifier: MIT */
/*
 * skua/value.h - the one data model: JSON bodies, replies, template data
 *
 * A value belongs to an arena and dies with it. Strings are copied unless the name of the call ends
 * in `_static` (the caller promises that the bytes outlive the arena). Builders are NULL-tolerant:
 * given the NULL of a failed call they do nothing and return NULL; the failure is sticky on the
 * arena. Readers accept NULL too and treat it as `undefined`.
 *
 * A value is a small handle; arrays and objects are shared by reference. Setting one object as a
 * member of two others copies nothing, and a later change is seen through both.
 *
 * Objects keep their keys in the order of first insertion; setting a key again replaces its value
 * in place. Reading a finished value from several threads at once is safe.
 */
#ifndef SKUA_VALUE_H
#define SKUA_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <skua/arena.h>
#include <skua/attr.h>
#include <skua/str.h>

SKUA_C_BEGIN

typedef struct skua_value skua_value;

enum skua_kind {
    SKUA_UNDEFINED, /* nothing: also what NULL reads as */
    SKUA_NULL,
    SKUA_BOOL,
    SKUA_INT,    /* int64_t */
    SKUA_DOUBLE, /* double */
    SKUA_STRING, /* UTF-8 text, escaped where a template prints it */
    SKUA_SAFE,   /* text that templates print as it is */
    SKUA_BYTES,  /* any bytes; JSON writes them as base64 */
    SKUA_ARRAY,
    SKUA_OBJECT,
    SKUA_CALLABLE, /* a C function, for template lambdas and helpers */
    SKUA_LAZY      /* made when first touched; readers never see this kind, only its product */
};

/** One call of a C function from a template. */
struct skua_call {
    skua_arena *arena;             /* where the result belongs */
    void *ctx;                     /* given with the function */
    const skua_value *const *args; /* `count` arguments, none NULL */
    size_t count;
};

/** Returns the result, or NULL for undefined. May wait if the template is rendered on a fiber. */
typedef skua_value *(*skua_callable)(struct skua_call *call);

/** Produces the value of a lazy node, at most once. NULL reads as undefined. */
typedef skua_value *(*skua_producer)(skua_arena *arena, void *ctx);

/* ---- making ---- */

SKUA_API skua_value *skua_null(skua_arena *arena);
SKUA_API skua_value *skua_bool(skua_arena *arena, bool b);
SKUA_API skua_value *skua_int(skua_arena *arena, int64_t i);
SKUA_API skua_value *skua_double(skua_arena *arena, double d);
/** A copy of a zero-terminated string; NULL makes the value null. */
SKUA_API skua_value *skua_string(skua_arena *arena, const char *text);
SKUA_API skua_value *skua_string_of(skua_arena *arena, skua_str text);
/** Not copied: `text` must outlive the arena, and a zero byte must follow its last byte. */
SKUA_API skua_value *skua_string_static(skua_arena *arena, skua_str text);
/** Text that is already in the output language: templates do not escape it. Copied. */
SKUA_API skua_value *skua_safe(skua_arena *arena, skua_str text);
SKUA_API skua_value *skua_bytes(skua_arena *arena, const void *data, size_t len);
SKUA_API skua_value *skua_array(skua_arena *arena);
SKUA_API skua_value *skua_object(skua_arena *arena);
SKUA_API skua_value *skua_function(skua_arena *arena, skua_callable fn, void *ctx);
/**
 * A value that is produced when a reader first touches it.
 *
 * Since that reader then changes it, a value that holds a lazy one belongs to one thread. While it
 * is being produced it reads as undefined.
 */
SKUA_API skua_value *skua_lazy(skua_arena *arena, skua_producer fn, void *ctx);

/* ---- filling objects ----
 * `key` is copied. They return the object, so that a failed one stays NULL. */

SKUA_API skua_value *skua_set_null(skua_value *object, const char *key);
SKUA_API skua_value *skua_set_bool(skua_value *object, const char *key, bool b);
SKUA_API skua_value *skua_set_int(skua_value *object, const char *key, int64_t i);
/** A number up to INT64_MAX exactly, a larger one as a double. */
SKUA_API skua_value *skua_set_uint(skua_value *object, const char *key, uint64_t u);
SKUA_API skua_value *skua_set_double(skua_value *object, const char *key, double d);
SKUA_API skua_value *skua_set_string(skua_value *object, const char *key, const char *text);
SKUA_API skua_value *skua_set_str(skua_value *object, const char *key, skua_str text);
/** Set `value` itself: containers are shared, not copied. NULL sets undefined. */
SKUA_API skua_value *skua_set_value(skua_value *object, const char *key, const skua_value *value);
/** As skua_set_value with a key that is a slice. */
SKUA_API skua_value *skua_set_key(skua_value *object, skua_str key, const skua_value *value);

/**
 * Set by the type of the argument: skua_set(page, "visits", 3).
 *
 * Note that in C17 `true` is an int; use skua_set_bool for a literal. C only: in C++ call the plain
 * functions.
 */
#ifndef __cplusplus
#define skua_set(object, key, v) \
    _Generic((v),                                                                                  \
        _Bool: skua_set_bool,                                                                      \
        int: skua_set_int,                                                                         \
        unsigned: skua_set_int,                                                                    \
        short: skua_set_int,                                                                       \
        unsigned short: skua_set_int,                                                              \
        signed char: skua_set_int,                                                                 \
        unsigned char: skua_set_int,                                                               \
        unsigned long: skua_set_uint,                                                              \
        unsigned long long: skua_set_uint,                                                         \
        long: skua_set_int,                                                                        \
        long long: skua_set_int,                                                                   \
        float: skua_set_double,                                                                    \
        double: skua_set_double,                                                                   \
        char *: skua_set_string,                                                                   \
        const char *: skua_set_string,                                                             \
        skua_str: skua_set_str,                                                                    \
        skua_value *: skua_set_value,                                                              \
        const skua_value *: skua_set_value)(object, key, v)
#endif

/* ---- filling arrays; they return the array ---- */

SKUA_API skua_value *skua_add_int(skua_value *array, int64_t i);
SKUA_API skua_value *skua_add_string(skua_value *array, const char *text);
SKUA_API skua_value *skua_add_value(skua_value *array, const skua_value *value);
/** Append a new empty object and return *it* (NULL when memory is gone). */
SKUA_API skua_value *skua_add_object(skua_value *array);

/* ---- reading; a wrong kind reads as the given or empty default ---- */

/** The kind, after a lazy value has been produced. NULL is SKUA_UNDEFINED. */
SKUA_API enum skua_kind skua_kind_of(const skua_value *value);
/** What JavaScript calls true: not undefined, null, false, 0, NaN or an empty string. */
SKUA_API bool skua_truthy(const skua_value *value);
SKUA_API bool skua_as_bool(const skua_value *value, bool otherwise);
/** An int, or a double without fraction that fits. */
SKUA_API int64_t skua_as_int(const skua_value *value, int64_t otherwise);
SKUA_API double skua_as_double(const skua_value *value, double otherwise);
/** The bytes of a string, safe string or bytes; otherwise empty with ptr "". Lives as the value. */
SKUA_API skua_str skua_as_str(const skua_value *value);
/** The same as a zero-terminated string; NULL for any other kind. */
SKUA_API const char *skua_as_text(const skua_value *value);

/**
 * Whether a string is a number that was kept as text.
 *
 * skua_json_read_with does so with `exact_numbers`, when neither an int64_t nor the shortest text
 * of a double would give the number back: 12345678901234567890, 1e400, a decimal of 20 digits. Such
 * a value is a SKUA_STRING that holds the number as it was written. To every reader it is a string,
 * but skua_json_write writes it without quotes.
 */
SKUA_API bool skua_is_numeral(const skua_value *value);

/** How many members or elements; 0 for every other kind. */
SKUA_API size_t skua_count(const skua_value *value);
/** A member by name, or NULL. Lives as the object. */
SKUA_API const skua_value *skua_get_value(const skua_value *object, const char *key);
SKUA_API const skua_value *skua_get_key(const skua_value *object, skua_str key);
/** An element, or NULL past the end. Lives as the array. */
SKUA_API const skua_value *skua_at(const skua_value *array, size_t index);

/** Walks members or elements: `struct skua_each e = {0}; while (skua_each(&e, v)) …` */
struct skua_each {
    skua_str key;            /* of a member; empty in an array */
    const skua_value *value; /* never NULL */
    size_t index;            /* 0 for the first */
    const void *block;       /* private */
    size_t at;               /* private */
};
SKUA_API bool skua_each(struct skua_each *each, const skua_value *container);

/**
 * A deep copy into another arena; callables keep their function and ctx, lazies are produced.
 *
 * @return NULL when memory is gone, or past 512 levels (a value that holds itself)
 */
SKUA_API skua_value *skua_clone(skua_arena *arena, const skua_value *value);

SKUA_C_END

#endif
