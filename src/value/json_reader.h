/* SPDX-License-Identifier: MIT */
#ifndef SKUA__VALUE_JSON_READER_H
#define SKUA__VALUE_JSON_READER_H

#include "value/json.h"
#include "value/value.h"
#include <skua/json.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Reading JSON, in steps: json_read.c walks from value to value, json_string.c and json_number.c
 * read those, json_error.c tells where it ended.
 *
 * The text is copied into the arena once. Strings stay where they are in the copy: escapes are
 * undone in place, which never takes more room, and the closing quote becomes the zero byte. The
 * copy itself ends in zero bytes, which stand nowhere in JSON, so no step looks for the end.
 *
 * Values are collected on a stack of cells, since the size of a container is known only at its end:
 *
 *   {"a":[1,2     bottom | OBJECT | "a" | ARRAY | 1 | 2
 *   {"a":[1,2]    bottom | OBJECT | "a" | the array      its cells are now in a container
 *
 * An open container's cell holds the place of the one around it in its length, so this is the stack
 * of levels too. A cell is taken before what belongs there is read, so at any time the cells say in
 * which value the reader is: the last of an array is it, and an object's keys and values come in
 * turn. The stack starts in the caller's frame and moves to malloc when it grows; nobody keeps a
 * pointer into it.
 */
#define SKUA__JSON_FIRST_CELLS 64

struct skua__json_reader {
    skua_arena *arena;
    const char *copy;  /* the text itself before there is a copy */
    const char *end;   /* the zero byte behind the copy */
    skua_value *stack; /* stack[0] is the bottom, an undefined cell that is never closed */
    skua_value *top;   /* the first free cell */
    skua_value *limit;
    skua_value *open; /* the innermost open container, or the bottom */
    size_t depth;     /* open containers */
    char bracket;     /* that closes the innermost one, 0 if there is none */
    size_t most_depth;
    enum skua_json_duplicates duplicates;
    bool exact_numbers;
    int err;
    const char *wrong; /* why, */
    const char *place; /* and where */
    skua_value first_cells[SKUA__JSON_FIRST_CELLS];
};

/* Every step takes the place where it begins and returns the one behind, or NULL when it fails. */

/* Fail with a code of its own. */
char *skua__json_fail(struct skua__json_reader *reader, int err, const char *place,
                      const char *wrong);

/* What stands at `place` is not JSON. */
char *skua__json_refuse(struct skua__json_reader *reader, const char *place, const char *wrong);

char *skua__json_out_of_memory(struct skua__json_reader *reader, const char *place);

/* Read the rest of a string that begins at `start`, from its first byte that is not plain. */
char *skua__json_read_special(struct skua__json_reader *reader, char *start, char *at,
                              skua_value *cell);

/* Read a number; `at` is its minus sign or where its first digit should be. */
char *skua__json_read_number(struct skua__json_reader *reader, char *at, skua_value *cell);

/* Tell where and why the reader has failed. For want of memory it becomes SKUA_ERR_NOMEM. */
void skua__json_describe(struct skua_json_error *error, struct skua__json_reader *reader,
                         skua_str text);

static inline bool skua__json_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Skip what can stand in a string as it is. The zero bytes behind the copy end it at the latest. */
static inline char *skua__json_skip_plain(char *at)
{
    for (;; at += SKUA__JSON_CHUNK) {
        skua__json_chunk chunk;
        unsigned special;

        memcpy(&chunk, at, sizeof(chunk));
        special = skua__json_special(chunk);
        if (special != 0)
            return at + (unsigned)__builtin_ctz(special);
    }
}

/* A string is [start, end), and its closing quote at `at`. */
static inline char *skua__json_end_string(const char *start, char *end, char *at, skua_value *cell)
{
    *end = '\0';
    *cell = skua__text_cell(SKUA_STRING, skua_str_of(start, (size_t)(end - start)));
    return at + 1;
}

/* Read the string whose opening quote is at `at`. For most, finding the other one is all of it. */
static inline char *skua__json_read_string(struct skua__json_reader *reader, char *at,
                                           skua_value *cell)
{
    char *start = at + 1, *end = skua__json_skip_plain(start);

    if (*end != '"')
        return skua__json_read_special(reader, start, end, cell);
    return skua__json_end_string(start, end, end, cell);
}

#endif
