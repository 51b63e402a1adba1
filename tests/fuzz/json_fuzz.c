/* SPDX-License-Identifier: MIT */
/*
 * json_fuzz.c - JSON in and out
 *
 *   text --read--> value --write--> text' --read--> value' == value      and text'' == text'
 *        \-> error: at a place up to which the text could still become JSON
 *
 * Whether it is JSON at all is said by the grammar (json_grammar.h). The bytes also go the other way:
 * as a string, as binary data and as a double they are written, and what was written is read. Numbers
 * are compared with those of the C library.
 */
#include "fuzz.h"

#include "json_grammar.h"
#include "value/decimal.h"
#include "value/json.h"

/* ---- equality ---- */

static bool is_number(const skua_value *value)
{
    return skua_kind_of(value) == SKUA_INT || skua_kind_of(value) == SKUA_DOUBLE;
}

/* A whole double is written without a point, so it may come back as an integer. */
static bool same_number(const skua_value *a, const skua_value *b)
{
    if (skua_kind_of(a) == SKUA_INT && skua_kind_of(b) == SKUA_INT)
        return skua_as_int(a, 0) == skua_as_int(b, 1);
    return skua_as_double(a, 0) == skua_as_double(b, 1);
}

static bool same_value(const skua_value *a, const skua_value *b);

static bool same_items(const skua_value *a, const skua_value *b)
{
    struct skua_each left = {0}, right = {0};

    while (skua_each(&left, a)) {
        if (!skua_each(&right, b) || !skua_str_eq(left.key, right.key) ||
            !same_value(left.value, right.value))
            return false;
    }
    return !skua_each(&right, b);
}

/* Recursion is as deep as the reader lets values be. */
static bool same_value(const skua_value *a, const skua_value *b)
{
    if (is_number(a) && is_number(b))
        return same_number(a, b);
    if (skua_kind_of(a) != skua_kind_of(b))
        return false;
    switch (skua_kind_of(a)) {
    case SKUA_BOOL:
        return skua_as_bool(a, false) == skua_as_bool(b, true);
    case SKUA_STRING:
        return skua_str_eq(skua_as_str(a), skua_as_str(b));
    default:
        return same_items(a, b);
    }
}

/* ---- a text that is not JSON ---- */

static void check_position(skua_str text, const struct skua_json_error *error)
{
    size_t line = 1, column = 1;

    fuzz_check(error->offset <= text.len);
    for (size_t i = 0; i < error->offset; i++) {
        column = text.ptr[i] == '\n' ? 1 : column + 1;
        line += text.ptr[i] == '\n';
    }
    fuzz_check(error->line == line && error->column == column);
    fuzz_check(error->text != NULL && error->text[0] != '\0');
}

/* Up to the place the text is JSON, or a beginning of it: it is the first byte that is wrong. */
static void check_prefix(skua_arena *arena, skua_str text, size_t offset)
{
    struct skua_json_error error;
    skua_value *value;
    int err = skua_json_read(&value, arena, skua_str_of(text.ptr, offset), &error);

    fuzz_check(err == 0 || err == SKUA_ERR_BAD_JSON);
    if (err != 0)
        fuzz_check(error.offset == offset && strcmp(error.text, "the text ends too early") == 0);
}

static void check_error(skua_arena *arena, skua_str text, int err, const skua_value *value,
                        const struct skua_json_error *error)
{
    skua_value *again;

    fuzz_check(err == SKUA_ERR_BAD_JSON || err == SKUA_ERR_TOO_DEEP);
    fuzz_check(value == NULL);
    check_position(text, error);
    check_prefix(arena, text, error->offset);
    fuzz_check(skua_json_read(&again, arena, text, NULL) == err);
}

/* ---- a text that is ---- */

static skua_str write_value(skua_arena *arena, const skua_value *value)
{
    skua_str text;

    fuzz_check(skua_json_write(&text, arena, value) == 0);
    fuzz_check(text.ptr[text.len] == '\0' && skua__utf8_valid(text) == text.len);
    return text;
}

static const skua_value *read_value(skua_arena *arena, skua_str text)
{
    skua_value *value;

    fuzz_check(skua_json_read(&value, arena, text, NULL) == 0);
    return value;
}

static void check_round_trip(skua_arena *arena, const skua_value *value)
{
    skua_str text = write_value(arena, value);
    const skua_value *again = read_value(arena, text);

    fuzz_check(same_value(value, again));
    fuzz_check(skua_str_eq(write_value(arena, again), text));
}

/* What JSON has no word for is left out, and only more depth can be too much for the writer. */
static void check_wrapped(skua_arena *arena, const skua_value *value)
{
    skua_value *object = skua_object(arena);
    skua_str text;
    int err;

    skua_set_value(object, "undefined", NULL);
    skua_set_value(object, "callable", skua_function(arena, NULL, NULL));
    skua_set_value(object, "value", value);
    err = skua_json_write(&text, arena, object);
    fuzz_check(err == 0 || err == SKUA_ERR_TOO_DEEP);
    if (err == 0)
        fuzz_check(text.len == write_value(arena, value).len + strlen("{\"value\":}"));
}

/* A text that is one number: the C library has to read the same. */
static void check_number(skua_str text, const skua_value *value)
{
    if (skua_kind_of(value) == SKUA_INT)
        fuzz_check(strtoll(text.ptr, NULL, 10) == skua_as_int(value, 0));
    if (skua_kind_of(value) == SKUA_DOUBLE)
        fuzz_check(strtod(text.ptr, NULL) == skua_as_double(value, 0));
}

/* ---- other ways to read ---- */

static unsigned depth_of(const skua_value *value)
{
    struct skua_each item = {0};
    unsigned deepest = 0;

    while (skua_each(&item, value)) {
        unsigned depth = depth_of(item.value);

        deepest = depth > deepest ? depth : deepest;
    }
    return deepest + (skua_kind_of(value) == SKUA_ARRAY || skua_kind_of(value) == SKUA_OBJECT);
}

static int read_as(skua_value **out, skua_arena *arena, skua_str text, struct skua_json_opts opts)
{
    struct skua_json_error error;
    int err = skua_json_read_with(out, arena, text, &opts, &error);

    fuzz_check((err == 0) == (*out != NULL));
    if (err == 0)
        return 0;
    check_position(text, &error);
    fuzz_check(error.pointer[0] == '\0' || error.pointer[0] == '/');
    return err;
}

/* `value` is what the text is by default; `err` why it is nothing. */
static void check_duplicates(skua_arena *arena, skua_str text, int err, const skua_value *value)
{
    skua_value *first, *strict;

    fuzz_check(read_as(&first, arena, text,
                       (struct skua_json_opts){.duplicates = SKUA_JSON_FIRST_WINS}) == err);
    if (read_as(&strict, arena, text,
                (struct skua_json_opts){.duplicates = SKUA_JSON_NO_DUPLICATES}) != 0)
        return;
    fuzz_check(err == 0 && same_value(value, strict) && same_value(first, strict));
}

/* Numbers that are kept as text are written as they were, and mean the same to everybody else. */
static void check_exact(skua_arena *arena, skua_str text, int err, const skua_value *value)
{
    const struct skua_json_opts opts = {.exact_numbers = true};
    skua_value *exact, *again;
    skua_str written;

    if (read_as(&exact, arena, text, opts) != 0) {
        fuzz_check(err != 0);
        return;
    }
    written = write_value(arena, exact);
    fuzz_check(read_as(&again, arena, written, opts) == 0 && same_value(exact, again));
    fuzz_check(skua_str_eq(write_value(arena, again), written));
    if (err == 0)
        fuzz_check(same_value(value, read_value(arena, written)));
}

static void check_limits(skua_arena *arena, skua_str text, int err, const skua_value *value)
{
    size_t size = text.len / 2 + 1;
    skua_value *again;

    if (text.len > size)
        err = SKUA_ERR_TOO_LARGE;
    fuzz_check(read_as(&again, arena, text, (struct skua_json_opts){.size = size}) == err);
    if (read_as(&again, arena, text, (struct skua_json_opts){.depth = 2}) == 0)
        fuzz_check(depth_of(again) <= 2 && same_value(value, again));
    else
        fuzz_check(again == NULL);
}

static void check_text(skua_arena *arena, skua_str text)
{
    struct skua_json_error error;
    skua_value *value;
    int err = skua_json_read(&value, arena, text, &error);

    text.ptr = fuzz_have(skua_strdup(arena, text));
    fuzz_check((err == 0) == grammar_takes(text));
    check_duplicates(arena, text, err, value);
    check_exact(arena, text, err, value);
    check_limits(arena, text, err, value);
    if (err != 0) {
        check_error(arena, text, err, value, &error);
        return;
    }
    check_number(text, value);
    check_round_trip(arena, value);
    check_wrapped(arena, value);
}

/* ---- the bytes as values ---- */

/* One character of well-formed text, taken off the front. */
static uint32_t take_point(skua_str *text)
{
    static const uint8_t lengths[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 4};
    const unsigned char *bytes = (const unsigned char *)text->ptr;
    uint8_t length = lengths[bytes[0] >> 4];
    uint32_t point = length == 1 ? bytes[0] : bytes[0] & (0x7fu >> length);

    for (uint8_t i = 1; i < length; i++)
        point = point << 6 | (bytes[i] & 0x3f);
    *text = skua_str_of(text->ptr + length, text->len - length);
    return point;
}

/* Well-formed text with every character as \uXXXX, or two of them. */
static void check_escapes(skua_arena *arena, skua_str bytes)
{
    skua_str rest = bytes;
    struct skua__buf buf;

    skua__buf_init(&buf, arena);
    skua__buf_put_char(&buf, '"');
    while (rest.len > 0) {
        uint32_t point = take_point(&rest);

        if (point >= 0x10000)
            skua__buf_printf(&buf, "\\u%04x", 0xd7c0 + (point >> 10));
        skua__buf_printf(&buf, "\\u%04X", point < 0x10000 ? point : 0xdc00 + (point & 0x3ff));
    }
    skua__buf_put_char(&buf, '"');
    fuzz_check(skua_str_eq(skua_as_str(read_value(arena, skua__buf_str(&buf))), bytes));
}

/* Well-formed text comes back as it was; anything else comes back well-formed. */
static void check_string(skua_arena *arena, skua_str bytes)
{
    skua_str text = write_value(arena, skua_string_of(arena, bytes));
    skua_str again = skua_as_str(read_value(arena, text));

    if (skua__utf8_valid(bytes) == bytes.len) {
        fuzz_check(skua_str_eq(again, bytes));
        check_escapes(arena, bytes);
    }
    fuzz_check(again.len >= bytes.len);
    fuzz_check(skua_str_eq(write_value(arena, skua_safe(arena, bytes)), text));
}

static void check_bytes(skua_arena *arena, skua_str bytes)
{
    skua_str text = write_value(arena, skua_bytes(arena, bytes.ptr, bytes.len));

    fuzz_check(skua_as_str(read_value(arena, text)).len == (bytes.len + 2) / 3 * 4);
}

/* The shortest text of a double is the same double, for the C library too. */
static void check_double(skua_arena *arena, skua_str bytes)
{
    double number = 0;
    skua_str text;

    memcpy(&number, bytes.ptr, bytes.len < sizeof(number) ? bytes.len : sizeof(number));
    text = write_value(arena, skua_double(arena, number));
    if (!isfinite(number)) {
        fuzz_check(skua_str_eq(text, SKUA_STR("null")));
        return;
    }
    fuzz_check(text.len <= SKUA__DECIMAL_TEXT);
    fuzz_check(strtod(text.ptr, NULL) == number);
    fuzz_check(skua_as_double(read_value(arena, text), NAN) == number);
}

/* ---- out of memory ---- */

static int read_and_write(skua_arena *arena, void *arg)
{
    struct skua_json_error error;
    skua_str text;
    skua_value *value;
    int err = skua_json_read(&value, arena, *(skua_str *)arg, &error);

    fuzz_check((err == 0) == (value != NULL));
    return err == 0 ? skua_json_write(&text, arena, value) : err;
}

static int write_only(skua_arena *arena, void *arg)
{
    skua_str text;
    int err = skua_json_write(&text, arena, arg);

    fuzz_check(err == 0 || text.len == 0);
    return err;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    skua_str text = skua_str_of((const char *)data, size);
    skua_arena *arena = fuzz_have(skua_arena_new(0));
    skua_value *value;

    check_text(arena, text);
    check_string(arena, text);
    check_bytes(arena, text);
    if (size > 0)
        check_double(arena, text);
    fuzz_starve(read_and_write, &text);
    fuzz_starve(write_only, skua_string_of(arena, text));
    if (skua_json_read(&value, arena, text, NULL) == 0)
        fuzz_starve(write_only, value);
    skua_arena_free(arena);
    return 0;
}
