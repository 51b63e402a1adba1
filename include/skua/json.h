/* SPDX-License-Identifier: MIT */
/*
 * skua/json.h - JSON text to values and back (RFC 8259)
 *
 * Reading is strict: one value, UTF-8 without surrogates, no trailing commas, no comments, no byte
 * order mark. Integers that fit in 64 bits stay exact; every other number, `-0` too, becomes the
 * nearest double, and one that is too large for a double is refused. Of two members with one name
 * the last wins, in the place of the first. Names mean nothing: `__proto__` is one like any other.
 */
#ifndef SKUA_JSON_H
#define SKUA_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include <skua/arena.h>
#include <skua/attr.h>
#include <skua/str.h>
#include <skua/value.h>

SKUA_C_BEGIN

/** What becomes of a member whose name an earlier one of the object has. */
enum skua_json_duplicates {
    SKUA_JSON_LAST_WINS,     /* its value takes the place of the earlier one */
    SKUA_JSON_FIRST_WINS,    /* it is dropped */
    SKUA_JSON_NO_DUPLICATES, /* the text is refused */
};

/** How to read; whatever is zero is the default. */
struct skua_json_opts {
    size_t depth; /* the most levels; 0 or more than 512 mean 512, as far as writing follows */
    size_t size;  /* the most bytes of text; 0 for no bound */
    enum skua_json_duplicates duplicates;
    bool exact_numbers; /* keep a number as text rather than change it: see skua_is_numeral */
};

/** Where and why a text is not JSON. */
struct skua_json_error {
    size_t offset;       /* of the first byte that cannot stand there, from 0 */
    size_t line;         /* from 1 */
    size_t column;       /* in bytes, from 1 */
    const char *text;    /* a constant line for people */
    const char *pointer; /* to the value there, such as "/birds/0/name"; lives as the arena */
};

/**
 * Read one JSON text.
 *
 * @param[out] out    the value; NULL on failure
 * @param arena       where it belongs
 * @param text        not needed afterwards: strings are copied
 * @param[out] error  may be NULL; set on failure only
 * @return 0, SKUA_ERR_BAD_JSON (see `error`), SKUA_ERR_TOO_DEEP past 512 levels (see `error`),
 *         SKUA_ERR_NOMEM
 */
SKUA_API SKUA_MUST_CHECK int skua_json_read(skua_value **out, skua_arena *arena, skua_str text,
                                            struct skua_json_error *error);

/**
 * Read one JSON text in a stricter or a more exact way.
 *
 * `error->pointer` is a JSON pointer (RFC 6901) to the value in which, or right behind which, the
 * place is, or which is missing there; "" is the whole. It is never NULL, and ends early at a name
 * with a zero byte.
 *
 * @param opts  NULL for the defaults
 * @return as skua_json_read, and SKUA_ERR_TOO_LARGE for a text of more than opts->size bytes, of
 *         which nothing is read (see `error`)
 */
SKUA_API SKUA_MUST_CHECK int skua_json_read_with(skua_value **out, skua_arena *arena, skua_str text,
                                                 const struct skua_json_opts *opts,
                                                 struct skua_json_error *error);

/**
 * Write a value as JSON, without white space.
 *
 * undefined members are left out and undefined elements become null, as in JSON.stringify; so do
 * callables; alone they are null too. NaN and the infinities become null. Doubles are the shortest
 * text that reads back equal. A byte of a string that is not part of well-formed UTF-8 becomes
 * U+FFFD. `<`, U+2028 and U+2029 are written as they are: embedding in HTML is the template's work.
 *
 * @param[out] out  zero-terminated text in the arena; empty on failure
 * @return 0, SKUA_ERR_NOMEM, SKUA_ERR_TOO_DEEP past 512 levels (a cycle)
 */
SKUA_API SKUA_MUST_CHECK int skua_json_write(skua_str *out, skua_arena *arena,
                                             const skua_value *value);

SKUA_C_END

#endif
