/* SPDX-License-Identifier: MIT */
/* Reading JSON with options: depth, size, equal keys; and where an error is, as a JSON pointer. */
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

static int read_with(skua_value **out, skua_arena *arena, const char *text,
                     struct skua_json_opts opts, struct skua_json_error *error)
{
    return skua_json_read_with(out, arena, skua_str_c(text), &opts, error);
}

static void assert_written(skua_arena *arena, const skua_value *value, const char *want)
{
    skua_str text;

    assert_int_equal(skua_json_write(&text, arena, value), 0);
    assert_string_equal(text.ptr, want);
}

/* ---- depth ---- */

static void nest(char *text, size_t levels)
{
    memset(text, '[', levels);
    memset(text + levels, ']', levels);
    text[2 * levels] = '\0';
}

static void assert_deepest(skua_arena *arena, size_t option, size_t deepest)
{
    struct skua_json_opts opts = {.depth = option};
    struct skua_json_error error;
    char text[2048];
    skua_value *value;

    nest(text, deepest);
    assert_int_equal(read_with(&value, arena, text, opts, NULL), 0);
    nest(text, deepest + 1);
    assert_int_equal(read_with(&value, arena, text, opts, &error), SKUA_ERR_TOO_DEEP);
    assert_null(value);
    assert_int_equal(error.offset, deepest);
    assert_string_equal(error.text, "the value is nested too deeply");
    assert_int_equal(strlen(error.pointer), 2 * deepest); /* /0/0/0… */
}

static void the_depth_is_what_the_option_says_up_to_512(void **state)
{
    assert_deepest(*state, 0, 512);
    assert_deepest(*state, 1, 1);
    assert_deepest(*state, 3, 3);
    assert_deepest(*state, 511, 511);
    assert_deepest(*state, 512, 512);
    assert_deepest(*state, 513, 512);
    assert_deepest(*state, SIZE_MAX, 512);
}

static void scalars_have_no_depth(void **state)
{
    skua_value *value;

    assert_int_equal(read_with(&value, *state, "\"x\"", (struct skua_json_opts){.depth = 1}, NULL),
                     0);
}

/* ---- size ---- */

static void a_text_may_be_as_long_as_the_option_says(void **state)
{
    struct skua_json_error error = {0};
    skua_value *value;

    assert_int_equal(
        read_with(&value, *state, "[1,\n22]", (struct skua_json_opts){.size = 7}, NULL), 0);
    assert_int_equal(skua_count(value), 2);
    assert_int_equal(
        read_with(&value, *state, "[1,\n22]", (struct skua_json_opts){.size = 6}, &error),
        SKUA_ERR_TOO_LARGE);
    assert_null(value);
    assert_int_equal(error.offset, 6);
    assert_int_equal(error.line, 2);
    assert_int_equal(error.column, 3);
    assert_string_equal(error.text, "the text is longer than its limit");
    assert_string_equal(error.pointer, "");
}

static void too_long_a_text_costs_no_memory(void **state)
{
    skua_arena *arena = skua_arena_new(1);
    skua_value *value;

    (void)state;
    assert_int_equal(read_with(&value, arena, "[]", (struct skua_json_opts){.size = 1}, NULL),
                     SKUA_ERR_TOO_LARGE);
    assert_false(skua_arena_failed(arena));
    skua_arena_free(arena);
}

static void an_empty_text_is_never_too_long(void **state)
{
    struct skua_json_opts opts = {.size = 1};
    skua_value *value;

    assert_int_equal(skua_json_read_with(&value, *state, skua_str_of(NULL, 0), &opts, NULL),
                     SKUA_ERR_BAD_JSON);
}

/* ---- equal keys ---- */

static void of_equal_keys_the_last_the_first_or_none_wins(void **state)
{
    static const char text[] = "{\"a\":1,\"b\":2,\"\\u0061\":{\"x\":3},\"c\":4,\"b\":5}";
    struct skua_json_opts opts = {.duplicates = SKUA_JSON_LAST_WINS};
    struct skua_json_error error;
    skua_value *value;

    assert_int_equal(read_with(&value, *state, text, opts, NULL), 0);
    assert_written(*state, value, "{\"a\":{\"x\":3},\"b\":5,\"c\":4}");
    opts.duplicates = SKUA_JSON_FIRST_WINS;
    assert_int_equal(read_with(&value, *state, text, opts, NULL), 0);
    assert_written(*state, value, "{\"a\":1,\"b\":2,\"c\":4}");
    opts.duplicates = SKUA_JSON_NO_DUPLICATES;
    assert_int_equal(read_with(&value, *state, text, opts, &error), SKUA_ERR_BAD_JSON);
    assert_null(value);
    assert_int_equal(error.offset, strlen("{\"a\":1,\"b\":2,"));
    assert_string_equal(error.text, "the object has this key already");
    assert_string_equal(error.pointer, "/a");
}

/* `count` members, and once more the one of that number if there is one. */
static void make_members(char *text, size_t size, int count, int again)
{
    size_t at = 0;

    for (int i = 0; i < count; i++)
        at += (size_t)snprintf(text + at, size - at, "%c\"k%d\":%d", i > 0 ? ',' : '{', i, i);
    if (again >= 0)
        at += (size_t)snprintf(text + at, size - at, ",\"k%d\":-1", again);
    snprintf(text + at, size - at, "}");
}

/* Small objects are searched one by one, large ones by hash. */
static void an_equal_key_is_found_in_objects_of_any_size(void **state)
{
    for (int count = 1; count < 70; count++) {
        for (int again = 0; again < count; again++) {
            struct skua_json_opts opts = {.duplicates = SKUA_JSON_NO_DUPLICATES};
            struct skua_json_error error;
            char text[2048], key[16];
            skua_value *value;

            make_members(text, sizeof(text), count, -1);
            assert_int_equal(read_with(&value, *state, text, opts, NULL), 0);
            make_members(text, sizeof(text), count, again);
            assert_int_equal(read_with(&value, *state, text, opts, &error), SKUA_ERR_BAD_JSON);
            snprintf(key, sizeof(key), "/k%d", again);
            assert_string_equal(error.pointer, key);
            assert_ptr_equal(text + error.offset, strrchr(text, ',') + 1);
            opts.duplicates = SKUA_JSON_FIRST_WINS;
            assert_int_equal(read_with(&value, *state, text, opts, NULL), 0);
            assert_int_equal(skua_count(value), count);
            assert_int_equal(skua_as_int(skua_get_value(value, key + 1), -2), again);
            opts.duplicates = SKUA_JSON_LAST_WINS;
            assert_int_equal(read_with(&value, *state, text, opts, NULL), 0);
            assert_int_equal(skua_as_int(skua_get_value(value, key + 1), -2), -1);
        }
    }
}

static void keys_are_equal_only_when_all_their_bytes_are(void **state)
{
    struct skua_json_opts opts = {.duplicates = SKUA_JSON_NO_DUPLICATES};
    skua_value *value;

    assert_int_equal(read_with(&value, *state,
                               "{\"\":1,\"a\":2,\"A\":3,\"a\\u0000\":4,\"\\u0000\":5,\"ab\":6,"
                               "\"axb\":7,\"ayb\":8,\"\xc3\xa9\":9,\"e\xcc\x81\":10}",
                               opts, NULL),
                     0);
    assert_int_equal(skua_count(value), 10);
    assert_int_equal(read_with(&value, *state, "{\"\":1,\"\":2}", opts, NULL), SKUA_ERR_BAD_JSON);
    assert_int_equal(
        read_with(&value, *state, "[{\"a\":1},{\"a\":2},{\"b\":{\"b\":1}}]", opts, NULL), 0);
}

/* JavaScript's trap: there is no prototype here. */
static void names_that_javascript_treats_specially_are_plain_members(void **state)
{
    static const char text[] =
        "{\"__proto__\":{\"admin\":true},\"constructor\":{\"prototype\":{\"a\":"
        "1}},\"toString\":1,\"name\":\"x\"}";
    skua_value *value;

    assert_int_equal(skua_json_read(&value, *state, skua_str_c(text), NULL), 0);
    assert_int_equal(skua_count(value), 4);
    assert_null(skua_get_value(value, "admin"));
    assert_true(skua_as_bool(skua_get_value(skua_get_value(value, "__proto__"), "admin"), false));
    assert_written(*state, value, text);
    assert_int_equal(skua_json_read(&value, *state, SKUA_STR("{}"), NULL), 0);
    assert_null(skua_get_value(value, "__proto__"));
    assert_null(skua_get_value(value, "constructor"));
    assert_null(skua_get_value(value, "toString"));
}

/* ---- pointers ---- */

static void an_error_points_to_the_value_it_is_in(void **state)
{
    static const struct {
        const char *text;
        const char *pointer;
    } rows[] = {
        {"", ""},
        {"?", ""},
        {"1 2", ""},
        {"{}}", ""},
        {"tru", ""},
        {"[", "/0"},
        {"[?", "/0"},
        {"[1", "/0"}, /* right behind it */
        {"[1 2]", "/0"},
        {"[1,", "/1"},
        {"[1,]", "/1"},
        {"[1,2,tru]", "/2"},
        {"[1,\"\\x\"]", "/1"},
        {"[[],[1,[[],?]]]", "/1/1/1"},
        {"{", ""},
        {"{1", ""},
        {"{\"a", ""},
        {"{\"a\" 1}", ""},
        {"{\"a\":", "/a"},
        {"{\"a\":?}", "/a"},
        {"{\"a\":01}", "/a"},
        {"{\"a\":1", "/a"},
        {"{\"a\":1 \"b\":2}", "/a"},
        {"{\"a\":1,", ""},
        {"{\"a\":1,}", ""},
        {"{\"a\":1,\"b\":nul}", "/b"},
        {"{\"a\":[{\"b\":\"\n\"}]}", "/a/0/b"},
        {"{\"a\":{\"b\":{\"c\":1]}}", "/a/b/c"},
        {"[{},{\"list\":[1,2,{\"x\":{}},\"\xff\"]}]", "/1/list/3"},
        {"{\"a\":1,\"b\":[0,1,2],\"c\":1e400}", "/c"},
        {"{\"\":?}", "/"},
        {"{\"a/b\":{\"m~n\":?}}", "/a~1b/m~0n"},
        {"{\"~1\":?}", "/~01"},
        {"{\"~~//\":?}", "/~0~0~1~1"},
        {"{\"\\u00e9\\n\":?}", "/\xc3\xa9\n"},
        {"{\"a\\u0000b\":?}", "/a"}, /* ends early */
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct skua_json_error error = {0};
        skua_value *value;

        assert_int_equal(skua_json_read(&value, *state, skua_str_c(rows[i].text), &error),
                         SKUA_ERR_BAD_JSON);
        assert_string_equal(error.pointer, rows[i].pointer);
    }
}

/* The array has 120 elements by then, so the stack of cells has moved. */
static void an_error_is_found_in_the_midst_of_many_values(void **state)
{
    struct skua_json_error error;
    char text[4096] = "{\"before\":[1,2,3],\"list\":[";
    size_t at = strlen(text);
    skua_value *value;

    for (int i = 0; i < 120; i++)
        at += (size_t)snprintf(text + at, sizeof(text) - at, "{\"i\":%d},", i);
    snprintf(text + at, sizeof(text) - at, "{\"i\":0,\"deep\":[[[0,[0,0,-]]]]}]}");
    assert_int_equal(skua_json_read(&value, *state, skua_str_c(text), &error), SKUA_ERR_BAD_JSON);
    assert_string_equal(error.pointer, "/list/120/deep/0/0/1/2");
    assert_string_equal(error.text, "a digit is expected");
}

static void an_error_without_memory_for_its_pointer_is_nomem(void **state)
{
    static _Alignas(16) char memory[2048];
    static const char text[] =
        "{\"a key that is long enough to need some room of its own, and more "
        "of it than sixteen or sixty-four bytes are\":[[?]]}";
    size_t whole = strlen(text) - strlen("{\"\":[[?]]}") + strlen("//0/0"), told = 0;

    (void)state;
    for (size_t size = 0; size < sizeof(memory); size += 16) {
        struct skua_json_error error = {0};
        skua_arena arena;
        skua_value *value;
        int err;

        sk_arena_init_small(&arena, memory, size, 1);
        err = skua_json_read(&value, &arena, skua_str_c(text), &error);
        assert_int_equal(err, skua_arena_failed(&arena) ? SKUA_ERR_NOMEM : SKUA_ERR_BAD_JSON);
        assert_null(value);
        assert_string_equal(error.text, err == SKUA_ERR_NOMEM ? skua_err_text(SKUA_ERR_NOMEM)
                                                              : "a value is expected");
        assert_int_equal(strlen(error.pointer), err == SKUA_ERR_NOMEM ? 0 : whole);
        told += err == SKUA_ERR_BAD_JSON;
        skua__arena_reset(&arena);
    }
    assert_in_range(told, 80, sizeof(memory) / 16 - 16);
    assert_int_equal(skua_json_read(&(skua_value *){0}, NULL, SKUA_STR("?"), NULL), SKUA_ERR_NOMEM);
}

/* ---- all of them ---- */

static void no_options_and_options_of_zero_are_the_plain_call(void **state)
{
    static const struct skua_json_opts zero;
    static const char *const rows[] = {"{\"a\":1,\"a\":2}", "[1e5,12345678901234567890]", "[1,]",
                                       ""};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        skua_str text = skua_str_c(rows[i]), plain_text, text_of_null, text_of_zero;
        skua_value *plain, *by_null, *by_zero;
        int err = skua_json_read(&plain, *state, text, NULL);

        assert_int_equal(skua_json_read_with(&by_null, *state, text, NULL, NULL), err);
        assert_int_equal(skua_json_read_with(&by_zero, *state, text, &zero, NULL), err);
        assert_int_equal(skua_json_write(&plain_text, *state, plain), 0);
        assert_int_equal(skua_json_write(&text_of_null, *state, by_null), 0);
        assert_int_equal(skua_json_write(&text_of_zero, *state, by_zero), 0);
        assert_string_equal(text_of_null.ptr, plain_text.ptr);
        assert_string_equal(text_of_zero.ptr, plain_text.ptr);
    }
}

static void options_may_be_used_together(void **state)
{
    struct skua_json_opts opts = {
        .depth = 2, .size = 40, .duplicates = SKUA_JSON_FIRST_WINS, .exact_numbers = true};
    skua_value *value;

    assert_int_equal(read_with(&value, *state, "{\"a\":[1e999],\"a\":[2]}", opts, NULL), 0);
    assert_written(*state, value, "{\"a\":[1e999]}");
    assert_int_equal(read_with(&value, *state, "{\"a\":[[]]}", opts, NULL), SKUA_ERR_TOO_DEEP);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, sk_arena_open, sk_arena_close)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        CASE(the_depth_is_what_the_option_says_up_to_512),
        CASE(scalars_have_no_depth),
        CASE(a_text_may_be_as_long_as_the_option_says),
        CASE(too_long_a_text_costs_no_memory),
        CASE(an_empty_text_is_never_too_long),
        CASE(of_equal_keys_the_last_the_first_or_none_wins),
        CASE(an_equal_key_is_found_in_objects_of_any_size),
        CASE(keys_are_equal_only_when_all_their_bytes_are),
        CASE(names_that_javascript_treats_specially_are_plain_members),
        CASE(an_error_points_to_the_value_it_is_in),
        CASE(an_error_is_found_in_the_midst_of_many_values),
        CASE(an_error_without_memory_for_its_pointer_is_nomem),
        CASE(no_options_and_options_of_zero_are_the_plain_call),
        CASE(options_may_be_used_together),
    };

    return cmocka_run_group_tests_name("json_options", tests, NULL, NULL);
}
