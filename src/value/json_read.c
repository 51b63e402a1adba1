/* SPDX-License-Identifier: MIT */
/*
 * json_read.c - JSON text to values (RFC 8259)
 *
 * Goes from value to value; the layout of its stack is drawn in json_reader.h.
 *
 *   open:   take a cell for the frame        close:  move the cells above it to a container,
 *   key:    take a cell                              whose handle takes the place of the frame
 *   value:  take a cell
 *
 * The reader does not resolve what RFC 8259 leaves open by guessing: text behind the value, lone
 * surrogates, ill-formed UTF-8 and numbers beyond a double are refused, and what becomes of equal
 * keys is for the caller to say.
 */
#include "value/json.h"
#include "value/json_reader.h"
#include "value/value.h"

#include <skua/err.h>
#include <stdlib.h>

static char *skip_space(char *at)
{
    while ((unsigned char)*at <= ' ' && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t'))
        at++;
    return at;
}

/* ---- containers ---- */

/* Twice as many cells. */
static bool grow_stack(struct skua__json_reader *reader)
{
    size_t used = (size_t)(reader->top - reader->stack);
    size_t open = (size_t)(reader->open - reader->stack);
    size_t cap = (size_t)(reader->limit - reader->stack) * 2;
    bool first = reader->stack == reader->first_cells;
    skua_value *larger = realloc(first ? NULL : reader->stack, cap * sizeof(*larger));

    if (larger == NULL)
        return false;
    if (first)
        memcpy(larger, reader->first_cells, used * sizeof(*larger));
    reader->stack = larger;
    reader->top = larger + used;
    reader->limit = larger + cap;
    reader->open = larger + open;
    return true;
}

/* Room for a key and a value. */
static inline bool reserve_cells(struct skua__json_reader *reader)
{
    return reader->limit - reader->top >= 2 || grow_stack(reader);
}

static bool is_same_key(const skua_value *a, const skua_value *b)
{
    return a->head == b->head && memcmp(a->as.text, b->as.text, skua__length(a)) == 0;
}

/* Only a key whose length, first and last byte may have been there is compared with the others. The
 * byte before an empty key is its opening quote. */
static bool has_duplicate(const skua_value *members, size_t count)
{
    uint64_t seen = 0;

    for (const skua_value *key = members; key < members + 2 * count; key += 2) {
        const unsigned char *text = (const unsigned char *)key->as.text;
        size_t len = skua__length(key);
        uint64_t bit = (uint64_t)1 << (len * 7 + text[0] * 3u + (text + len)[-1]) % 64;

        if ((seen & bit) != 0) {
            for (const skua_value *other = members; other < key; other += 2) {
                if (is_same_key(key, other))
                    return true;
            }
        }
        seen |= bit;
    }
    return false;
}

/* The place of the error is the second of the keys, in the copy still behind its opening quote. */
static void refuse_duplicate(struct skua__json_reader *reader, skua_value *member)
{
    skua__json_refuse(reader, member->as.text - 1, "the object has this key already");
    reader->top = member + 2;
}

/* Fill an object member by member, for the index or because of equal keys. */
static struct skua__container *put_members(struct skua__json_reader *reader,
                                           struct skua__container *object, skua_value *members,
                                           size_t count)
{
    for (size_t i = 0; i < 2 * count; i += 2) {
        uint32_t before = object->count;
        skua_value *value = skua__object_put(object, skua__text(&members[i]), true);
        bool is_new = object->count > before;

        if (value == NULL)
            return NULL;
        if (!is_new && reader->duplicates == SKUA_JSON_NO_DUPLICATES) {
            refuse_duplicate(reader, &members[i]);
            return NULL;
        }
        if (is_new || reader->duplicates == SKUA_JSON_LAST_WINS)
            *value = members[i + 1];
    }
    return object;
}

/* Move cells from the stack to a container of their own. NULL: out of memory, or refused. */
static struct skua__container *make_container(struct skua__json_reader *reader, enum skua_kind kind,
                                              skua_value *cells, size_t used)
{
    uint32_t width = kind == SKUA_OBJECT ? 2 : 1;
    size_t count = used / width;
    struct skua__container *container = NULL;

    if (count <= UINT32_MAX)
        container = skua__container_new(reader->arena, width, (uint32_t)count);
    if (container == NULL)
        return NULL;
    if (width == 2 && (count > SKUA__LINEAR || has_duplicate(cells, count)))
        return put_members(reader, container, cells, count);
    memcpy(skua__block_cells(&container->first), cells, used * sizeof(*cells));
    container->first.used = container->count = (uint32_t)count;
    return container;
}

static char closing(enum skua_kind kind)
{
    return kind == SKUA_OBJECT ? '}' : kind == SKUA_ARRAY ? ']' : 0;
}

/* At the closing bracket: the handle of the finished container takes the place of its frame. */
static char *close_container(struct skua__json_reader *reader, char *at)
{
    skua_value *frame = reader->open;
    size_t used = (size_t)(reader->top - frame) - 1;
    struct skua__container *container;

    container = make_container(reader, skua__kind(frame), frame + 1, used);
    if (container == NULL)
        return reader->err < 0 ? NULL : skua__json_out_of_memory(reader, at);
    reader->depth--;
    reader->open = reader->stack + skua__length(frame);
    reader->bracket = closing(skua__kind(reader->open));
    reader->top = frame + 1;
    *frame = skua__container_cell(container);
    return at + 1;
}

static char *open_container(struct skua__json_reader *reader, char *at, skua_value *frame,
                            enum skua_kind kind)
{
    if (reader->depth == reader->most_depth)
        return skua__json_fail(reader, SKUA_ERR_TOO_DEEP, at, "the value is nested too deeply");
    reader->depth++;
    frame->head = skua__head(kind, (size_t)(reader->open - reader->stack));
    reader->open = frame;
    reader->bracket = closing(kind);
    at = skip_space(at + 1);
    return *at == reader->bracket ? close_container(reader, at) : at;
}

/* ---- values ---- */

static char *read_key(struct skua__json_reader *reader, char *at)
{
    skua_value *cell = reader->top++;

    if (*at != '"')
        return skua__json_refuse(reader, at, "a key in double quotes is expected");
    at = skua__json_read_string(reader, at, cell);
    if (at == NULL)
        return NULL;
    at = skip_space(at);
    if (*at != ':')
        return skua__json_refuse(reader, at, "a colon is expected");
    return skip_space(at + 1);
}

static char *read_word(struct skua__json_reader *reader, char *at, const char *word,
                       skua_value *cell, skua_value value)
{
    for (; *word != '\0'; word++, at++) {
        if (*at != *word)
            return skua__json_refuse(reader, at, "a value is expected");
    }
    *cell = value;
    return at;
}

/* Read a value, or the opening of one. */
static char *read_value(struct skua__json_reader *reader, char *at)
{
    skua_value *cell = reader->top++;

    switch (*at) {
    case '{':
        return open_container(reader, at, cell, SKUA_OBJECT);
    case '[':
        return open_container(reader, at, cell, SKUA_ARRAY);
    case '"':
        return skua__json_read_string(reader, at, cell);
    case 't':
        return read_word(reader, at, "true", cell, skua__int_cell(SKUA_BOOL, true));
    case 'f':
        return read_word(reader, at, "false", cell, skua__int_cell(SKUA_BOOL, false));
    case 'n':
        return read_word(reader, at, "null", cell, skua__int_cell(SKUA_NULL, 0));
    default:
        if (skua__json_is_digit(*at) || *at == '-')
            return skua__json_read_number(reader, at, cell);
        return skua__json_refuse(reader, at, "a value is expected");
    }
}

/* Behind a value: close containers up to the next comma, which is skipped, or to the outermost. */
static char *read_separators(struct skua__json_reader *reader, char *at)
{
    while (at != NULL && reader->bracket != 0) {
        at = skip_space(at);
        if (*at == ',')
            return skip_space(at + 1);
        if (*at != reader->bracket)
            return skua__json_refuse(reader, at,
                                     reader->bracket == '}' ? "a comma or } is expected"
                                                            : "a comma or ] is expected");
        at = close_container(reader, at);
    }
    return at;
}

static char *read_text(struct skua__json_reader *reader, char *at)
{
    at = skip_space(at);
    do {
        size_t depth = reader->depth;

        if (!reserve_cells(reader))
            return skua__json_out_of_memory(reader, at);
        if (reader->bracket == '}')
            at = read_key(reader, at);
        if (at != NULL)
            at = read_value(reader, at);
        if (at != NULL && reader->depth == depth) /* else it was an opening */
            at = read_separators(reader, at);
    } while (at != NULL && reader->bracket != 0);
    if (at == NULL)
        return NULL;
    at = skip_space(at);
    return at == reader->end ? at
                             : skua__json_refuse(reader, at, "there is more text behind the value");
}

/* ---- the whole ---- */

static void start(struct skua__json_reader *reader, skua_arena *arena, skua_str text,
                  const struct skua_json_opts *opts)
{
    bool is_bounded = opts->depth > 0 && opts->depth < SKUA__MAX_DEPTH;

    reader->arena = arena;
    reader->copy = text.ptr;
    reader->end = NULL;
    reader->stack = reader->open = reader->first_cells;
    reader->limit = reader->stack + SKUA__JSON_FIRST_CELLS;
    reader->stack[0] = (skua_value){0};
    reader->top = reader->stack + 1;
    reader->depth = 0;
    reader->bracket = 0;
    reader->most_depth = is_bounded ? opts->depth : SKUA__MAX_DEPTH;
    reader->duplicates = opts->duplicates;
    reader->exact_numbers = opts->exact_numbers;
    reader->err = 0;
}

/* Behind the copy are enough zero bytes to read a chunk at its end. */
static char *copy_text(struct skua__json_reader *reader, skua_str text)
{
    char *copy = skua_alloc(reader->arena, text.len + SKUA__JSON_CHUNK);

    if (copy == NULL)
        return skua__json_out_of_memory(reader, text.ptr);
    if (text.len > 0)
        memcpy(copy, text.ptr, text.len);
    memset(copy + text.len, 0, SKUA__JSON_CHUNK);
    reader->copy = copy;
    reader->end = copy + text.len;
    return copy;
}

static skua_value *read_whole(struct skua__json_reader *reader, skua_str text)
{
    char *copy = copy_text(reader, text);
    skua_value *value;

    if (copy == NULL || read_text(reader, copy) == NULL)
        return NULL;
    value = skua__new_value(reader->arena, reader->stack[1]);
    if (value == NULL)
        skua__json_out_of_memory(reader, copy);
    return value;
}

int skua_json_read_with(skua_value **out, skua_arena *arena, skua_str text,
                        const struct skua_json_opts *opts, struct skua_json_error *error)
{
    static const struct skua_json_opts defaults;
    struct skua__json_reader reader;

    *out = NULL;
    if (opts == NULL)
        opts = &defaults;
    start(&reader, arena, text, opts);
    if (opts->size > 0 && text.len > opts->size)
        skua__json_fail(&reader, SKUA_ERR_TOO_LARGE, text.ptr + opts->size,
                        "the text is longer than its limit");
    else
        *out = read_whole(&reader, text);
    if (reader.err < 0 && error != NULL)
        skua__json_describe(error, &reader, text);
    if (reader.stack != reader.first_cells)
        free(reader.stack);
    return reader.err;
}

int skua_json_read(skua_value **out, skua_arena *arena, skua_str text,
                   struct skua_json_error *error)
{
    return skua_json_read_with(out, arena, text, NULL, error);
}
