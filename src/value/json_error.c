/* SPDX-License-Identifier: MIT */
/*
 * json_error.c - where a text is not JSON
 *
 * All of it is found out only when something was wrong: who reads good JSON does not pay for it.
 * Lines and columns are counted in the text, which is still as it came. The JSON pointer (RFC 6901)
 * is read off the reader's stack, whose open containers are its levels:
 *
 *   {"a":[1,{"b":?      OBJECT | "a" | ARRAY | 1 | OBJECT | "b" | (taken)       /a/1/b
 */
#include "base/buf.h"
#include "value/json_reader.h"

#include <skua/err.h>

char *skua__json_fail(struct skua__json_reader *reader, int err, const char *place,
                      const char *wrong)
{
    reader->err = err;
    reader->place = place;
    reader->wrong = wrong;
    return NULL;
}

char *skua__json_refuse(struct skua__json_reader *reader, const char *place, const char *wrong)
{
    if (place == reader->end)
        wrong = "the text ends too early";
    return skua__json_fail(reader, SKUA_ERR_BAD_JSON, place, wrong);
}

char *skua__json_out_of_memory(struct skua__json_reader *reader, const char *place)
{
    return skua__json_fail(reader, SKUA_ERR_NOMEM, place, skua_err_text(SKUA_ERR_NOMEM));
}

/* `~` and `/` have a meaning of their own in a pointer. */
static void put_key(struct skua__buf *out, skua_str key)
{
    for (size_t i = 0; i < key.len; i++) {
        if (key.ptr[i] == '~')
            skua__buf_put_literal(out, "~0");
        else if (key.ptr[i] == '/')
            skua__buf_put_literal(out, "~1");
        else
            skua__buf_put_char(out, key.ptr[i]);
    }
}

/* Put the step from the container of `frame` to its last value, if one has begun; `end` is behind
 * its cells. An object's last cell is a key without a value when their number is odd. */
static void put_step(struct skua__buf *out, const skua_value *frame, const skua_value *end)
{
    size_t used = (size_t)(end - frame) - 1;
    bool is_object = skua__kind(frame) == SKUA_OBJECT;

    if (used == 0 || (is_object && used % 2 != 0))
        return;
    skua__buf_put_char(out, '/');
    if (is_object)
        put_key(out, skua__text(end - 2));
    else
        skua__buf_put_uint(out, used - 1);
}

static const char *make_pointer(const struct skua__json_reader *reader)
{
    const skua_value *levels[SKUA__MAX_DEPTH];
    const skua_value *frame = reader->open;
    struct skua__buf out;

    skua__buf_init(&out, reader->arena);
    for (size_t i = reader->depth; i > 0; i--) {
        levels[i - 1] = frame;
        frame = reader->stack + skua__length(frame);
    }
    for (size_t i = 0; i < reader->depth; i++)
        put_step(&out, levels[i], i + 1 < reader->depth ? levels[i + 1] + 1 : reader->top);
    skua__buf_str(&out);
    return out.failed ? NULL : out.ptr;
}

/* The line and column of an offset. */
static void count_lines(struct skua_json_error *error, skua_str text)
{
    error->line = error->column = 1;
    for (size_t i = 0; i < error->offset; i++) {
        error->column++;
        if (text.ptr[i] == '\n') {
            error->line++;
            error->column = 1;
        }
    }
}

void skua__json_describe(struct skua_json_error *error, struct skua__json_reader *reader,
                         skua_str text)
{
    const char *pointer = reader->err != SKUA_ERR_NOMEM ? make_pointer(reader) : "";

    if (pointer == NULL) {
        skua__json_out_of_memory(reader, reader->place);
        pointer = "";
    }
    *error = (struct skua_json_error){.offset = (size_t)(reader->place - reader->copy),
                                      .text = reader->wrong,
                                      .pointer = pointer};
    count_lines(error, text);
}
