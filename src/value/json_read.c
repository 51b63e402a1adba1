/* SPDX-License-Identifier: MIT */
/*
 * json_read.c - JSON text to values (RFC 8259)
 *
 * The text is copied into the arena once. Strings stay where they are in the copy: escapes are
 * undone in place, which never takes more room, and the closing quote becomes the zero byte. The
 * copy itself ends in zero bytes, which stand nowhere in JSON, so no step looks for the end.
 *
 * Values are collected on a stack of cells, since the size of a container is known only at its end:
 *
 *   {"a":[1,2     bottom | OBJECT | "a" | ARRAY | 1 | 2
 *   {"a":[1,2]    bottom | OBJECT | "a" | the array      its cells moved to a container of their own
 *
 * An open container's cell holds the place of the one around it in its length, so this is the stack
 * of levels too. It starts in the caller's frame and moves to malloc when it grows; nobody keeps a
 * pointer into it.
 *
 * The reader does not resolve what RFC 8259 leaves open by guessing: text behind the value, lone
 * surrogates, ill-formed UTF-8 and numbers beyond a double are refused.
 */
#include "base/utf8.h"
#include "value/decimal.h"
#include "value/json.h"
#include "value/value.h"

#include <math.h>
#include <skua/err.h>
#include <stdlib.h>

#define FIRST_CELLS 64

struct reader {
    skua_arena *arena;
    const char *end;   /* the zero byte behind the copy */
    skua_value *stack; /* stack[0] is the bottom, an undefined cell that is never closed */
    skua_value *top;   /* the first free cell */
    skua_value *limit;
    skua_value *open; /* the innermost open container, or the bottom */
    size_t depth;     /* open containers */
    int err;
    const char *wrong; /* why, */
    const char *place; /* and where */
    skua_value first_cells[FIRST_CELLS];
};

/* Every step takes the place where it begins and returns the one behind it, or NULL when it fails. */

static char *fail(struct reader *reader, int err, const char *place, const char *wrong)
{
    reader->err = err;
    reader->place = place;
    reader->wrong = wrong;
    return NULL;
}

static char *refuse(struct reader *reader, const char *place, const char *wrong)
{
    if (place == reader->end)
        wrong = "the text ends too early";
    return fail(reader, SKUA_ERR_BAD_JSON, place, wrong);
}

static char *run_out_of_memory(struct reader *reader, const char *place)
{
    return fail(reader, SKUA_ERR_NOMEM, place, skua_err_text(SKUA_ERR_NOMEM));
}

static char *skip_space(char *at)
{
    while ((unsigned char)*at <= ' ' && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t'))
        at++;
    return at;
}

/* ---- strings ---- */

static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Read XXXX of \uXXXX. */
static char *read_hex(struct reader *reader, char *at, uint32_t *unit)
{
    *unit = 0;
    for (int i = 0; i < 4; i++, at++) {
        int digit = hex_value(*at);

        if (digit < 0)
            return refuse(reader, at, "four hexadecimal digits are expected");
        *unit = *unit << 4 | (uint32_t)digit;
    }
    return at;
}

/* Undo \uXXXX, or two that make a surrogate pair; the bytes go to *to. */
static char *read_unicode_escape(struct reader *reader, char *at, char **to)
{
    const char *start = at;
    uint32_t point, low;

    at = read_hex(reader, at + 2, &point);
    if (at == NULL)
        return NULL;
    if (point >= 0xd800 && point < 0xdc00 && at[0] == '\\' && at[1] == 'u') {
        at = read_hex(reader, at + 2, &low);
        if (at == NULL)
            return NULL;
        if (low >= 0xdc00 && low < 0xe000)
            point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
    }
    if (point >= 0xd800 && point < 0xe000)
        return refuse(reader, start, "half a surrogate pair stands for no character");
    *to += skua__utf8_encode(*to, point);
    return at;
}

static char *read_escape(struct reader *reader, char *at, char **to)
{
    static const char meanings[256] = {['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
                                       ['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t'};
    char meaning = meanings[(unsigned char)at[1]];

    if (at[1] == 'u')
        return read_unicode_escape(reader, at, to);
    if (meaning == 0)
        return refuse(reader, at + 1, "there is no such escape");
    *(*to)++ = meaning;
    return at + 2;
}

/* Skip what can stand in a string as it is. The zero bytes behind the copy end it at the latest. */
static char *skip_plain(char *at)
{
    for (;;) {
        skua__json_chunk chunk;
        size_t plain;

        memcpy(&chunk, at, sizeof(chunk));
        plain = skua__json_plain(chunk);
        at += plain;
        if (plain < sizeof(chunk))
            return at;
    }
}

/* Check the bytes that are not ASCII, up to the next one that is. */
static char *check_utf8(struct reader *reader, char *at)
{
    size_t len = skua__json_high(skua_str_of(at, (size_t)(reader->end - at)));
    size_t valid = skua__utf8_valid(skua_str_of(at, len));

    return valid == len ? at + len : refuse(reader, at + valid, "this is not well-formed UTF-8");
}

/* From the first byte that is not plain up to the closing quote; *to moves along behind it. */
static char *read_special(struct reader *reader, char *at, char **to)
{
    while (*at != '"') {
        char *from = at;

        if (*at == '\\') {
            from = at = read_escape(reader, at, to);
        } else if ((unsigned char)*at >= 0x80) {
            at = check_utf8(reader, at);
        } else {
            return refuse(reader, at, "control characters must be escaped");
        }
        if (at == NULL)
            return NULL;
        at = skip_plain(at);
        if (*to != from)
            memmove(*to, from, (size_t)(at - from));
        *to += at - from;
    }
    return at;
}

/* Read the string whose opening quote is at `at`. Most need no more than finding the other one. */
static char *read_string(struct reader *reader, char *at, skua_value *cell)
{
    char *start = at + 1, *to = skip_plain(start);

    at = *to == '"' ? to : read_special(reader, to, &to);
    if (at == NULL)
        return NULL;
    *to = '\0';
    *cell = skua__text_cell(SKUA_STRING, skua_str_of(start, (size_t)(to - start)));
    return at + 1;
}

/* ---- numbers ---- */

struct number {
    const char *digits; /* the first digit */
    const char *end;    /* behind the last digit before an exponent */
    uint64_t value;     /* of all digits, right if there are at most MOST_DIGITS */
    int64_t exponent;   /* of the last digit */
    bool negative;
    bool whole; /* neither point nor exponent */
};

#define MOST_DIGITS 19 /* as many as always fit in 64 bits */

/* A larger exponent could not matter, but would overflow. */
#define HUGE_EXPONENT 1000000000000000

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* One digit at least, appended to *value. */
static char *take_digits(struct reader *reader, char *at, uint64_t *value)
{
    if (!is_digit(*at))
        return refuse(reader, at, "a digit is expected");
    for (; is_digit(*at); at++)
        *value = *value * 10 + (uint64_t)(*at - '0');
    return at;
}

/* Behind the `e`. */
static char *take_exponent(struct reader *reader, char *at, int64_t *exponent)
{
    bool negative = *at == '-';
    int64_t value = 0;

    if (*at == '-' || *at == '+')
        at++;
    if (!is_digit(*at))
        return refuse(reader, at, "a digit is expected");
    for (; is_digit(*at); at++) {
        if (value < HUGE_EXPONENT)
            value = value * 10 + (*at - '0');
    }
    *exponent += negative ? -value : value;
    return at;
}

static char *scan_number(struct reader *reader, char *at, struct number *number)
{
    *number = (struct number){.negative = *at == '-', .whole = true};
    at += number->negative;
    number->digits = at;
    at = *at == '0' ? at + 1 : take_digits(reader, at, &number->value);
    if (at != NULL && *at == '.') {
        const char *point = at;

        number->whole = false;
        at = take_digits(reader, at + 1, &number->value);
        number->exponent = at != NULL ? point + 1 - at : 0;
    }
    number->end = at;
    if (at != NULL && (*at == 'e' || *at == 'E')) {
        number->whole = false;
        at = take_exponent(reader, at + 1, &number->exponent);
    }
    return at;
}

/* Whether it is an integer that fits. Minus zero is not: only a double can hold it. */
static bool fits_int(const struct number *number)
{
    uint64_t most = number->negative ? (uint64_t)INT64_MAX + 1 : INT64_MAX;

    return number->whole && number->end - number->digits <= MOST_DIGITS && number->value <= most &&
           !(number->negative && number->value == 0);
}

static char *read_number(struct reader *reader, char *at, skua_value *cell)
{
    const char *start = at;
    struct number number;
    double value;

    at = scan_number(reader, at, &number);
    if (at == NULL)
        return NULL;
    if (fits_int(&number)) {
        uint64_t bits = number.negative ? 0 - number.value : number.value;

        *cell = skua__int_cell(SKUA_INT, (int64_t)bits);
        return at;
    }
    if (number.end - number.digits <= MOST_DIGITS)
        value = skua__decimal_value(number.value, number.exponent);
    else
        value = skua__decimal_value_long(number.digits, number.end, number.exponent);
    if (isinf(value))
        return refuse(reader, start, "the number is too large");
    *cell = skua__double_cell(number.negative ? -value : value);
    return at;
}

/* ---- containers ---- */

/* Room for a key and a value. */
static bool reserve_cells(struct reader *reader)
{
    size_t used = (size_t)(reader->top - reader->stack);
    size_t open = (size_t)(reader->open - reader->stack);
    size_t cap = (size_t)(reader->limit - reader->stack) * 2;
    bool first = reader->stack == reader->first_cells;
    skua_value *larger;

    if (reader->limit - reader->top >= 2)
        return true;
    larger = realloc(first ? NULL : reader->stack, cap * sizeof(*larger));
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

static bool is_same_key(const skua_value *a, const skua_value *b)
{
    return a->head == b->head && memcmp(a->as.text, b->as.text, skua__length(a)) == 0;
}

/* Only a key whose length and first letter may have been there before is compared with the others. */
static bool has_duplicate(const skua_value *members, size_t count)
{
    uint64_t seen = 0;

    for (size_t i = 0; i < 2 * count; i += 2) {
        size_t mark = skua__length(&members[i]) * 7 + (unsigned char)members[i].as.text[0];
        uint64_t bit = (uint64_t)1 << mark % 64;

        for (size_t j = 0; (seen & bit) != 0 && j < i; j += 2) {
            if (is_same_key(&members[i], &members[j]))
                return true;
        }
        seen |= bit;
    }
    return false;
}

/* Fill an object member by member, for the index or because the last of two equal keys wins. */
static bool put_members(struct skua__container *object, const skua_value *members, size_t count)
{
    for (size_t i = 0; i < 2 * count; i += 2) {
        skua_value *value = skua__object_put(object, skua__text(&members[i]), true);

        if (value == NULL)
            return false;
        *value = members[i + 1];
    }
    return true;
}

/* Move cells from the stack to a container of their own. NULL: out of memory. */
static struct skua__container *make_container(skua_arena *arena, enum skua_kind kind,
                                              const skua_value *cells, size_t used)
{
    uint32_t width = kind == SKUA_OBJECT ? 2 : 1;
    size_t count = used / width;
    struct skua__container *container;

    if (count > UINT32_MAX)
        return NULL;
    container = skua__container_new(arena, width, (uint32_t)count);
    if (container == NULL)
        return NULL;
    if (width == 2 && (count > SKUA__LINEAR || has_duplicate(cells, count)))
        return put_members(container, cells, count) ? container : NULL;
    memcpy(skua__block_cells(&container->first), cells, used * sizeof(*cells));
    container->first.used = container->count = (uint32_t)count;
    return container;
}

/* At the closing bracket: the handle of the finished container takes the place of its frame. */
static char *close_container(struct reader *reader, char *at)
{
    skua_value *frame = reader->open;
    size_t used = (size_t)(reader->top - frame) - 1;
    struct skua__container *container;

    container = make_container(reader->arena, skua__kind(frame), frame + 1, used);
    if (container == NULL)
        return run_out_of_memory(reader, at);
    reader->depth--;
    reader->open = reader->stack + skua__length(frame);
    reader->top = frame + 1;
    *frame = skua__container_cell(container);
    return at + 1;
}

static char closing(enum skua_kind kind)
{
    return kind == SKUA_OBJECT ? '}' : ']';
}

static char *open_container(struct reader *reader, char *at, enum skua_kind kind)
{
    if (reader->depth == SKUA__MAX_DEPTH)
        return fail(reader, SKUA_ERR_TOO_DEEP, at, "the value is nested too deeply");
    reader->depth++;
    reader->top->head = skua__head(kind, (size_t)(reader->open - reader->stack));
    reader->open = reader->top++;
    at = skip_space(at + 1);
    return *at == closing(kind) ? close_container(reader, at) : at;
}

/* ---- values ---- */

static char *read_key(struct reader *reader, char *at)
{
    if (*at != '"')
        return refuse(reader, at, "a key in double quotes is expected");
    at = read_string(reader, at, reader->top++);
    if (at == NULL)
        return NULL;
    at = skip_space(at);
    if (*at != ':')
        return refuse(reader, at, "a colon is expected");
    return skip_space(at + 1);
}

static char *read_word(struct reader *reader, char *at, const char *word, skua_value cell)
{
    for (; *word != '\0'; word++, at++) {
        if (*at != *word)
            return refuse(reader, at, "a value is expected");
    }
    *reader->top++ = cell;
    return at;
}

/* Read a value, or the opening of one. */
static char *read_value(struct reader *reader, char *at)
{
    switch (*at) {
    case '{':
        return open_container(reader, at, SKUA_OBJECT);
    case '[':
        return open_container(reader, at, SKUA_ARRAY);
    case '"':
        return read_string(reader, at, reader->top++);
    case 't':
        return read_word(reader, at, "true", skua__int_cell(SKUA_BOOL, true));
    case 'f':
        return read_word(reader, at, "false", skua__int_cell(SKUA_BOOL, false));
    case 'n':
        return read_word(reader, at, "null", skua__int_cell(SKUA_NULL, 0));
    default:
        if (is_digit(*at) || *at == '-')
            return read_number(reader, at, reader->top++);
        return refuse(reader, at, "a value is expected");
    }
}

/* Behind a value: close containers up to the next comma, which is skipped, or to the outermost. */
static char *read_separators(struct reader *reader, char *at)
{
    while (at != NULL && reader->depth > 0) {
        char bracket = closing(skua__kind(reader->open));

        at = skip_space(at);
        if (*at == ',')
            return skip_space(at + 1);
        if (*at != bracket)
            return refuse(reader, at,
                          bracket == '}' ? "a comma or } is expected" : "a comma or ] is expected");
        at = close_container(reader, at);
    }
    return at;
}

static char *read_text(struct reader *reader, char *at)
{
    at = skip_space(at);
    do {
        size_t depth = reader->depth;

        if (!reserve_cells(reader))
            return run_out_of_memory(reader, at);
        if (skua__kind(reader->open) == SKUA_OBJECT)
            at = read_key(reader, at);
        if (at != NULL)
            at = read_value(reader, at);
        if (at != NULL && reader->depth == depth) /* else it was an opening */
            at = read_separators(reader, at);
    } while (at != NULL && reader->depth > 0);
    if (at == NULL)
        return NULL;
    at = skip_space(at);
    return at == reader->end ? at : refuse(reader, at, "there is more text behind the value");
}

/* ---- the whole ---- */

/* Lines are counted only now: who reads good JSON does not pay for them. */
static void describe(struct skua_json_error *error, skua_str text, size_t offset, const char *wrong)
{
    *error = (struct skua_json_error){.offset = offset, .line = 1, .column = 1, .text = wrong};
    for (size_t i = 0; i < offset; i++) {
        error->column++;
        if (text.ptr[i] == '\n') {
            error->line++;
            error->column = 1;
        }
    }
}

static void start(struct reader *reader, skua_arena *arena, const char *end)
{
    reader->arena = arena;
    reader->end = end;
    reader->stack = reader->open = reader->first_cells;
    reader->limit = reader->stack + FIRST_CELLS;
    reader->stack[0] = (skua_value){0};
    reader->top = reader->stack + 1;
    reader->depth = 0;
    reader->err = 0;
}

/* Behind the copy are enough zero bytes for skip_plain to read a chunk at the end. */
static char *copy_text(skua_arena *arena, skua_str text)
{
    char *copy = skua_alloc(arena, text.len + SKUA__JSON_CHUNK);

    if (copy == NULL)
        return NULL;
    if (text.len > 0)
        memcpy(copy, text.ptr, text.len);
    memset(copy + text.len, 0, SKUA__JSON_CHUNK);
    return copy;
}

int skua_json_read(skua_value **out, skua_arena *arena, skua_str text,
                   struct skua_json_error *error)
{
    char *copy = copy_text(arena, text);
    struct reader reader;

    *out = NULL;
    start(&reader, arena, copy != NULL ? copy + text.len : NULL);
    if (copy == NULL) {
        run_out_of_memory(&reader, copy);
    } else if (read_text(&reader, copy) != NULL) {
        *out = skua__new_value(arena, reader.stack[1]);
        if (*out == NULL)
            run_out_of_memory(&reader, copy);
    }
    if (reader.err < 0 && error != NULL)
        describe(error, text, (size_t)(reader.place - copy), reader.wrong);
    if (reader.stack != reader.first_cells)
        free(reader.stack);
    return reader.err;
}
