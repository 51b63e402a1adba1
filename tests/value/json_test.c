/* SPDX-License-Identifier: MIT */
/* Reading JSON text: what is accepted, what it becomes, and where and why the rest is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <skua/err.h>
#include <skua/json.h>
#include <stdio.h>
#include <stdlib.h>

#include "value/arena_support.h"
#include "value/value.h"

/* A document with something of everything, for changing and cutting. */
static const char rich[] =
    " {\"id\": 42, \"minus\":-7,\n\"half\": 0.5e+1 ,\"tiny\":1E-2,\"ok\":true,\"no\" : false,"
    "\"none\":null, \"list\":[ ], \"obj\":{ },\"text\":\"a\\\"b\\\\c\\/\\b\\f\\n\\r\\t\\u00e9\","
    "\"pair\":\"\\ud83d\\ude00\",\"utf8\":\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\","
    "\"deep\":[[1,[2,{\"a\":[3]}]],\"x\"], \"\":\"empty key\"}\t\r\n";

/* The same bytes in memory of their own, so that reading past the end is found. */
static char *copy_exactly(const char *text, size_t len)
{
    char *copy = malloc(len > 0 ? len : 1);

    assert_non_null(copy);
    memcpy(copy, text, len);
    return copy;
}

static int read_exactly(skua_value **out, skua_arena *arena, const char *text, size_t len,
                        struct skua_json_error *error)
{
    char *copy = copy_exactly(text, len);
    int err = skua_json_read(out, arena, skua_str_of(copy, len), error);

    free(copy);
    return err;
}

static skua_value *read_good(skua_arena *arena, const char *text)
{
    struct skua_json_error error = {0};
    skua_value *value;

    if (read_exactly(&value, arena, text, strlen(text), &error) != 0)
        fail_msg("refused: %s at %zu: %s", text, error.offset, error.text);
    return value;
}

static void assert_string(const skua_value *value, const char *want, size_t len)
{
    assert_int_equal(skua_kind_of(value), SKUA_STRING);
    assert_int_equal(skua_as_str(value).len, len);
    assert_memory_equal(skua_as_text(value), want, len + 1);
}

/* ---- what is accepted ---- */

static void each_kind_of_value_is_read(void **state)
{
    skua_value *value = read_good(*state, rich);
    const skua_value *deep = skua_get_value(value, "deep");

    assert_int_equal(skua_count(value), 14);
    assert_int_equal(skua_kind_of(skua_get_value(value, "id")), SKUA_INT);
    assert_int_equal(skua_as_int(skua_get_value(value, "id"), 0), 42);
    assert_int_equal(skua_as_int(skua_get_value(value, "minus"), 0), -7);
    assert_int_equal(skua_kind_of(skua_get_value(value, "half")), SKUA_DOUBLE);
    assert_true(skua_as_double(skua_get_value(value, "half"), 0) == 5.0);
    assert_true(skua_as_double(skua_get_value(value, "tiny"), 0) == 0.01);
    assert_true(skua_as_bool(skua_get_value(value, "ok"), false));
    assert_false(skua_as_bool(skua_get_value(value, "no"), true));
    assert_int_equal(skua_kind_of(skua_get_value(value, "none")), SKUA_NULL);
    assert_int_equal(skua_kind_of(skua_get_value(value, "list")), SKUA_ARRAY);
    assert_int_equal(skua_count(skua_get_value(value, "list")), 0);
    assert_int_equal(skua_kind_of(skua_get_value(value, "obj")), SKUA_OBJECT);
    assert_int_equal(skua_count(skua_get_value(value, "obj")), 0);
    assert_string(skua_get_value(value, "text"), "a\"b\\c/\b\f\n\r\t\xc3\xa9", 13);
    assert_string(skua_get_value(value, "pair"), "\xf0\x9f\x98\x80", 4);
    assert_string(skua_get_value(value, "utf8"), "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 9);
    assert_int_equal(skua_count(deep), 2);
    assert_int_equal(
        skua_as_int(skua_at(skua_get_value(skua_at(skua_at(skua_at(deep, 0), 1), 1), "a"), 0), 0),
        3);
    assert_string(skua_at(deep, 1), "x", 1);
    assert_string(skua_get_value(value, ""), "empty key", 9);
}

static void the_text_is_not_needed_afterwards(void **state)
{
    char text[] = "{\"key\":\"value\"}";
    skua_value *value;

    assert_int_equal(skua_json_read(&value, *state, skua_str_c(text), NULL), 0);
    memset(text, 'x', sizeof(text));
    assert_string_equal(skua_as_text(skua_get_value(value, "key")), "value");
}

static void a_container_that_was_read_can_grow(void **state)
{
    skua_value *value = read_good(*state, "{\"list\":[1,2],\"empty\":[]}");

    skua_set_int(value, "more", 3);
    skua_set_int(value, "list", 4);
    assert_int_equal(skua_count(value), 3);
    assert_int_equal(skua_as_int(skua_get_value(value, "list"), 0), 4);
    value = read_good(*state, "[]");
    skua_add_int(value, 1);
    assert_int_equal(skua_as_int(skua_at(value, 0), 0), 1);
}

static void integers_are_exact_and_other_numbers_doubles(void **state)
{
    static const struct {
        const char *text;
        enum skua_kind kind;
        int64_t integer;
        double number;
    } rows[] = {
        {"0", SKUA_INT, 0, 0},
        {"-1", SKUA_INT, -1, 0},
        {"9007199254740993", SKUA_INT, 9007199254740993, 0},
        {"999999999999999999", SKUA_INT, 999999999999999999, 0},
        {"9223372036854775807", SKUA_INT, INT64_MAX, 0},
        {"-9223372036854775808", SKUA_INT, INT64_MIN, 0},
        {"9223372036854775808", SKUA_DOUBLE, 0, 0x1p63},
        {"-9223372036854775809", SKUA_DOUBLE, 0, -0x1p63},
        {"18446744073709551616", SKUA_DOUBLE, 0, 0x1p64},
        {"10000000000000000999", SKUA_DOUBLE, 0, 1e19},
        {"1.0", SKUA_DOUBLE, 0, 1.0},
        {"1e2", SKUA_DOUBLE, 0, 100.0},
        {"1E+2", SKUA_DOUBLE, 0, 100.0},
        {"-12.5e-1", SKUA_DOUBLE, 0, -1.25},
        {"0.1", SKUA_DOUBLE, 0, 0.1},
        {"0e0", SKUA_DOUBLE, 0, 0.0},
        {"-0", SKUA_DOUBLE, 0, -0.0},
        {"-0.0", SKUA_DOUBLE, 0, -0.0},
        {"1e-400", SKUA_DOUBLE, 0, 0.0},
        {"0e999999999999999999999", SKUA_DOUBLE, 0, 0.0},
        {"1e-999999999999999999999", SKUA_DOUBLE, 0, 0.0},
        {"5e-324", SKUA_DOUBLE, 0, 0x1p-1074},
        {"1.7976931348623157e308", SKUA_DOUBLE, 0, 0x1.fffffffffffffp1023},
        {"1.797693134862315700000000000000000001e308", SKUA_DOUBLE, 0, 0x1.fffffffffffffp1023},
        {"0.000000000000000000000000000000000000001e39", SKUA_DOUBLE, 0, 1.0},
        {"9007199254740993.0", SKUA_DOUBLE, 0, 9007199254740992.0},
        {"9007199254740993.00000000000000001", SKUA_DOUBLE, 0, 9007199254740994.0},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        skua_value *value = read_good(*state, rows[i].text);

        assert_int_equal(skua_kind_of(value), rows[i].kind);
        if (rows[i].kind == SKUA_INT)
            assert_true(skua_as_int(value, 1) == rows[i].integer);
        else
            assert_memory_equal(&value->as.number, &rows[i].number, sizeof(double));
    }
}

static void every_escape_is_undone(void **state)
{
    static const struct {
        const char *text;
        const char *want;
        size_t len;
    } rows[] = {
        {"\"\\\"\"", "\"", 1},
        {"\"\\\\\"", "\\", 1},
        {"\"\\/\"", "/", 1},
        {"\"\\b\\f\\n\\r\\t\"", "\b\f\n\r\t", 5},
        {"\"\\u0000\"", "\0", 1},
        {"\"a\\u0000b\"", "a\0b", 3},
        {"\"\\u0041\\u007f\"", "A\x7f", 2},
        {"\"\\u0080\\u07ff\"", "\xc2\x80\xdf\xbf", 4},
        {"\"\\u0800\\uFFFF\"", "\xe0\xa0\x80\xef\xbf\xbf", 6},
        {"\"\\ud7ff\\ue000\"", "\xed\x9f\xbf\xee\x80\x80", 6},
        {"\"\\uD800\\uDC00\"", "\xf0\x90\x80\x80", 4},
        {"\"\\udbff\\udfff\"", "\xf4\x8f\xbf\xbf", 4},
        {"\"x\\ud83d\\ude00y\"", "x\xf0\x9f\x98\x80y", 6},
        {"\"12345678\\n12345678\"", "12345678\n12345678", 17},
        {"\"\\n\\n\\n\\n\\n\\n\\n\\n\\n\"", "\n\n\n\n\n\n\n\n\n", 9},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_string(read_good(*state, rows[i].text), rows[i].want, rows[i].len);
}

static void an_escape_is_found_wherever_it_stands(void **state)
{
    for (size_t before = 0; before < 40; before++) {
        for (size_t behind = 0; behind < 20; behind++) {
            char text[80], want[80];
            size_t at = 0;

            text[at++] = '"';
            memset(text + at, 'b', before);
            at += before;
            memcpy(text + at, "\\t", 2);
            at += 2;
            memset(text + at, 'e', behind);
            at += behind;
            text[at++] = '"';
            text[at] = '\0';
            memset(want, 'b', before);
            want[before] = '\t';
            memset(want + before + 1, 'e', behind);
            want[before + 1 + behind] = '\0';
            assert_string(read_good(*state, text), want, before + 1 + behind);
        }
    }
}

static void of_two_equal_keys_the_last_wins_in_the_place_of_the_first(void **state)
{
    skua_value *value = read_good(*state, "{\"a\":1,\"b\":2,\"\\u0061\":3,\"c\":4,\"b\":5}");
    struct skua_each each = {0};

    assert_int_equal(skua_count(value), 3);
    assert_true(skua_each(&each, value));
    assert_string_equal(each.key.ptr, "a");
    assert_int_equal(skua_as_int(each.value, 0), 3);
    assert_true(skua_each(&each, value));
    assert_string_equal(each.key.ptr, "b");
    assert_int_equal(skua_as_int(each.value, 0), 5);
    assert_true(skua_each(&each, value));
    assert_string_equal(each.key.ptr, "c");
    assert_false(skua_each(&each, value));
}

static void large_objects_are_searched_by_hash(void **state)
{
    static char text[64 * 1024];
    size_t at = 0;
    skua_value *value;

    for (int i = 0; i < 2000; i++)
        at += (size_t)snprintf(text + at, sizeof(text) - at, "%c\"%d\":%d", i > 0 ? ',' : '{',
                               i % 1000, i);
    snprintf(text + at, sizeof(text) - at, "}");
    value = read_good(*state, text);
    assert_int_equal(skua_count(value), 1000);
    assert_non_null(value->as.container->index);
    for (int i = 0; i < 1000; i++) {
        char key[16];

        snprintf(key, sizeof(key), "%d", i);
        assert_int_equal(skua_as_int(skua_get_value(value, key), 0), 1000 + i);
    }
    skua_set_int(value, "another", 1);
    assert_int_equal(skua_as_int(skua_get_value(value, "another"), 0), 1);
}

/* Long arrays inside each other, so that the stack of cells grows while frames are open. */
static void containers_grow_at_every_level(void **state)
{
    static char text[64 * 1024];
    size_t at = 0;
    const skua_value *value;

    for (int level = 0; level < 10; level++) {
        for (int i = 0; i < 200; i++)
            at += (size_t)snprintf(text + at, sizeof(text) - at, "%c%d", i > 0 ? ',' : '[', i);
        at += (size_t)snprintf(text + at, sizeof(text) - at, ",");
    }
    at += (size_t)snprintf(text + at, sizeof(text) - at, "\"end\"");
    for (int level = 0; level < 10; level++)
        at += (size_t)snprintf(text + at, sizeof(text) - at, ",\"tail\"]");
    value = read_good(*state, text);
    for (int level = 0; level < 10; level++) {
        assert_int_equal(skua_count(value), 202);
        for (int i = 0; i < 200; i++)
            assert_int_equal(skua_as_int(skua_at(value, (size_t)i), -1), i);
        assert_string_equal(skua_as_text(skua_at(value, 201)), "tail");
        value = skua_at(value, 200);
    }
    assert_string_equal(skua_as_text(value), "end");
}

/* ---- what is refused ---- */

static void a_refusal_says_where_and_why(void **state)
{
    static const char early[] = "the text ends too early";
    static const struct {
        const char *text;
        size_t offset, line, column;
        const char *why;
    } rows[] = {
        {"", 0, 1, 1, early},
        {" \n ", 3, 2, 2, early},
        {"[1,", 3, 1, 4, early},
        {"[1", 2, 1, 3, early},
        {"{", 1, 1, 2, early},
        {"{\"a\"", 4, 1, 5, early},
        {"{\"a\":", 5, 1, 6, early},
        {"{\"a\":1", 6, 1, 7, early},
        {"\"abc", 4, 1, 5, early},
        {"\"abc\\", 5, 1, 6, early},
        {"\"\\u00", 5, 1, 6, early},
        {"tru", 3, 1, 4, early},
        {"-", 1, 1, 2, early},
        {"1.", 2, 1, 3, early},
        {"1e+", 3, 1, 4, early},
        {"nul!", 3, 1, 4, "a value is expected"},
        {"[\n\n  ?]", 5, 3, 3, "a value is expected"},
        {"[1,]", 3, 1, 4, "a value is expected"},
        {"[,1]", 1, 1, 2, "a value is expected"},
        {"{\"a\":}", 5, 1, 6, "a value is expected"},
        {"+1", 0, 1, 1, "a value is expected"},
        {".5", 0, 1, 1, "a value is expected"},
        {"NaN", 0, 1, 1, "a value is expected"},
        {"\xef\xbb\xbf[]", 0, 1, 1, "a value is expected"},
        {"[1 2]", 3, 1, 4, "a comma or ] is expected"},
        {"[1}", 2, 1, 3, "a comma or ] is expected"},
        {"[01]", 2, 1, 3, "a comma or ] is expected"},
        {"{\"a\":1]", 6, 1, 7, "a comma or } is expected"},
        {"{a:1}", 1, 1, 2, "a key in double quotes is expected"},
        {"{\"a\":1,}", 7, 1, 8, "a key in double quotes is expected"},
        {"{'a':1}", 1, 1, 2, "a key in double quotes is expected"},
        {"{\"a\" 1}", 5, 1, 6, "a colon is expected"},
        {"1 2", 2, 1, 3, "there is more text behind the value"},
        {"[]]", 2, 1, 3, "there is more text behind the value"},
        {"-x", 1, 1, 2, "a digit is expected"},
        {"[1.]", 3, 1, 4, "a digit is expected"},
        {"[1.e5]", 3, 1, 4, "a digit is expected"},
        {"[1e]", 3, 1, 4, "a digit is expected"},
        {"[1e+]", 4, 1, 5, "a digit is expected"},
        {"1e400", 0, 1, 1, "the number is too large"},
        {"[0,-1e999999999999999999999]", 3, 1, 4, "the number is too large"},
        {"\"a\nb\"", 2, 1, 3, "control characters must be escaped"},
        {"\"123456789\x1f\"", 10, 1, 11, "control characters must be escaped"},
        {"\"\\x41\"", 2, 1, 3, "there is no such escape"},
        {"\"\\U0041\"", 2, 1, 3, "there is no such escape"},
        {"\"\\u00g0\"", 5, 1, 6, "four hexadecimal digits are expected"},
        {"\"\\u 041\"", 3, 1, 4, "four hexadecimal digits are expected"},
        {"\"\\ud83d\\u00\"", 11, 1, 12, "four hexadecimal digits are expected"},
        {"\"a\\ud83d\"", 2, 1, 3, "half a surrogate pair stands for no character"},
        {"\"\\ude00\"", 1, 1, 2, "half a surrogate pair stands for no character"},
        {"\"\\ud83d\\u0041\"", 1, 1, 2, "half a surrogate pair stands for no character"},
        {"\"\\ud83d\\ud83d\"", 1, 1, 2, "half a surrogate pair stands for no character"},
        {"\"\\ud83dx\"", 1, 1, 2, "half a surrogate pair stands for no character"},
        {"\"\\n\\ud83d\\n\"", 3, 1, 4, "half a surrogate pair stands for no character"},
        {"\"\xff\"", 1, 1, 2, "this is not well-formed UTF-8"},
        {"\"ab\xc3\"", 3, 1, 4, "this is not well-formed UTF-8"},
        {"\"\xed\xa0\x80\"", 1, 1, 2, "this is not well-formed UTF-8"},
        {"\"\xc0\x80\"", 1, 1, 2, "this is not well-formed UTF-8"},
        {"\"\xf4\x90\x80\x80\"", 1, 1, 2, "this is not well-formed UTF-8"},
        {"\"\xc3\\n\xa9\"", 1, 1, 2, "this is not well-formed UTF-8"},
        {"{\"\xff\":1}", 2, 1, 3, "this is not well-formed UTF-8"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct skua_json_error error = {0};
        skua_value *value = (skua_value *)&error;
        int err = read_exactly(&value, *state, rows[i].text, strlen(rows[i].text), &error);

        assert_int_equal(err, SKUA_ERR_BAD_JSON);
        assert_null(value);
        assert_string_equal(error.text, rows[i].why);
        assert_int_equal(error.offset, rows[i].offset);
        assert_int_equal(error.line, rows[i].line);
        assert_int_equal(error.column, rows[i].column);
    }
}

static void a_zero_byte_is_refused_where_it_stands(void **state)
{
    struct skua_json_error error;
    skua_value *value;

    assert_int_equal(read_exactly(&value, *state, "[1\0]", 4, &error), SKUA_ERR_BAD_JSON);
    assert_int_equal(error.offset, 2);
    assert_string_equal(error.text, "a comma or ] is expected");
    assert_int_equal(read_exactly(&value, *state, "[]\0", 3, &error), SKUA_ERR_BAD_JSON);
    assert_int_equal(error.offset, 2);
    assert_string_equal(error.text, "there is more text behind the value");
    assert_int_equal(read_exactly(&value, *state, "\"\0\"", 3, &error), SKUA_ERR_BAD_JSON);
    assert_int_equal(error.offset, 1);
    assert_string_equal(error.text, "control characters must be escaped");
}

static void the_error_may_be_left_out(void **state)
{
    skua_value *value;

    assert_int_equal(skua_json_read(&value, *state, SKUA_STR("[1,]"), NULL), SKUA_ERR_BAD_JSON);
    assert_int_equal(skua_json_read(&value, *state, skua_str_of(NULL, 0), NULL), SKUA_ERR_BAD_JSON);
}

/* `levels` opening brackets, alternating or not, and the closing ones. */
static void nest(char *text, size_t levels, bool objects)
{
    size_t at = 0;

    for (size_t i = 0; i < levels; i++)
        at += (size_t)sprintf(text + at, objects && i % 2 == 1 ? "{\"k\":" : "[");
    text[at++] = '1';
    for (size_t i = levels; i-- > 0;)
        text[at++] = objects && i % 2 == 1 ? '}' : ']';
    text[at] = '\0';
}

static void the_512th_level_is_read_and_the_513th_refused(void **state)
{
    static char text[8192];

    for (int objects = 0; objects < 2; objects++) {
        struct skua_json_error error;
        skua_value *value;

        nest(text, 512, objects != 0);
        read_good(*state, text);
        nest(text, 513, objects != 0);
        assert_int_equal(read_exactly(&value, *state, text, strlen(text), &error),
                         SKUA_ERR_TOO_DEEP);
        assert_null(value);
        assert_int_equal(error.offset, objects != 0 ? 256 + 256 * 5 : 512);
        assert_string_equal(error.text, "the value is nested too deeply");
    }
}

static void levels_that_are_closed_do_not_count(void **state)
{
    static char text[4096];
    size_t at = 0;

    text[at++] = '[';
    for (int i = 0; i < 1000; i++)
        at += (size_t)snprintf(text + at, sizeof(text) - at, i > 0 ? ",[]" : "[]");
    snprintf(text + at, sizeof(text) - at, "]");
    assert_int_equal(skua_count(read_good(*state, text)), 1000);
}

/* ---- hostile input ---- */

static void a_text_cut_anywhere_is_refused_at_the_cut(void **state)
{
    size_t whole = strlen(rich) - strlen("\t\r\n");

    for (size_t len = 0; len < whole; len++) {
        struct skua_json_error error;
        skua_value *value;

        assert_int_equal(read_exactly(&value, *state, rich, len, &error), SKUA_ERR_BAD_JSON);
        assert_null(value);
        /* At most a sequence of UTF-8 or the first half of a surrogate pair lies behind. */
        assert_in_range(error.offset, len < 7 ? 0 : len - 7, len);
    }
    for (size_t len = whole; len <= strlen(rich); len++) {
        skua_value *value;

        assert_int_equal(read_exactly(&value, *state, rich, len, NULL), 0);
    }
}

static void a_text_with_any_byte_changed_is_refused_or_read(void **state)
{
    static char text[sizeof(rich)];
    size_t len = strlen(rich), good = 0;

    (void)state;
    for (size_t at = 0; at < len; at++) {
        for (int byte = 0; byte < 256; byte++) {
            struct skua_json_error error;
            skua_arena arena;
            skua_value *value;
            int err;

            memcpy(text, rich, sizeof(rich));
            text[at] = (char)byte;
            skua__arena_init(&arena, NULL, 0);
            err = skua_json_read(&value, &arena, skua_str_of(text, len), &error);
            if (err == 0) {
                good++;
            } else {
                assert_true(err == SKUA_ERR_BAD_JSON || err == SKUA_ERR_TOO_DEEP);
                assert_in_range(error.offset, 0, len);
            }
            skua__arena_reset(&arena);
        }
    }
    assert_in_range(good, 256, len * 256 / 2); /* each byte as it was, and letters for letters */
}

static void without_memory_it_ends_in_nomem(void **state)
{
    static const char seventeen[] =
        "{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1,\"j\":1,\"k\":1,"
        "\"l\":1,\"m\":1,\"n\":1,\"o\":1,\"p\":1,\"q\":1}";
    static _Alignas(16) char memory[32768];
    skua_arena arena;
    skua_value *value;
    size_t good = 0;

    (void)state;
    for (size_t size = 0; size < sizeof(memory); size += 16) {
        struct skua_json_error error;
        int err;

        sk_arena_init_small(&arena, memory, size, 1);
        err = skua_json_read(&value, &arena, skua_str_c(rich), &error);
        assert_int_equal(err, skua_arena_failed(&arena) ? SKUA_ERR_NOMEM : 0);
        assert_int_equal(value != NULL, err == 0);
        if (err < 0)
            assert_string_equal(error.text, skua_err_text(SKUA_ERR_NOMEM));
        good += err == 0;
        skua__arena_reset(&arena);
    }
    assert_in_range(good, 100, sizeof(memory) / 16 - 50);
    sk_arena_init_small(&arena, memory, sizeof(memory), 1); /* the index finds no room aside */
    assert_int_equal(skua_json_read(&value, &arena, skua_str_c(seventeen), NULL), SKUA_ERR_NOMEM);
    skua__arena_reset(&arena);
    assert_int_equal(skua_json_read(&(skua_value *){0}, NULL, SKUA_STR("1"), NULL), SKUA_ERR_NOMEM);
}

static void any_budget_ends_in_nomem_or_is_enough(void **state)
{
    static char text[40000];
    size_t at = 0, refused = 0;

    (void)state;
    for (int i = 0; i < 300; i++)
        at += (size_t)snprintf(text + at, sizeof(text) - at,
                               "%c{\"id\":%d,\"name\":\"n\",\"list\":[%d,0.5,{},[]],\"x\":null}",
                               i > 0 ? ',' : '[', i, i);
    text[at++] = ']';
    for (size_t budget = 512; budget < 200000; budget += 512) {
        skua_arena *arena = skua_arena_new(budget);
        skua_value *value;
        int err = skua_json_read(&value, arena, skua_str_of(text, at), NULL);

        assert_int_equal(err, skua_arena_failed(arena) ? SKUA_ERR_NOMEM : 0);
        refused += err < 0;
        assert_int_equal(skua_count(value), err == 0 ? 300 : 0);
        skua_arena_free(arena);
    }
    assert_in_range(refused, 100, 380);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, sk_arena_open, sk_arena_close)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        CASE(each_kind_of_value_is_read),
        CASE(the_text_is_not_needed_afterwards),
        CASE(a_container_that_was_read_can_grow),
        CASE(integers_are_exact_and_other_numbers_doubles),
        CASE(every_escape_is_undone),
        CASE(an_escape_is_found_wherever_it_stands),
        CASE(of_two_equal_keys_the_last_wins_in_the_place_of_the_first),
        CASE(large_objects_are_searched_by_hash),
        CASE(containers_grow_at_every_level),
        CASE(a_refusal_says_where_and_why),
        CASE(a_zero_byte_is_refused_where_it_stands),
        CASE(the_error_may_be_left_out),
        CASE(the_512th_level_is_read_and_the_513th_refused),
        CASE(levels_that_are_closed_do_not_count),
        CASE(a_text_cut_anywhere_is_refused_at_the_cut),
        CASE(a_text_with_any_byte_changed_is_refused_or_read),
        CASE(without_memory_it_ends_in_nomem),
        CASE(any_budget_ends_in_nomem_or_is_enough),
    };

    return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
