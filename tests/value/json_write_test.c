/* SPDX-License-Identifier: MIT */
/* Writing JSON text, exactly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <skua/err.h>
#include <skua/json.h>

#include "value/arena_support.h"
#include "value/json.h"

static void assert_written(skua_arena *arena, const skua_value *value, const char *want)
{
    skua_str text;

    assert_int_equal(skua_json_write(&text, arena, value), 0);
    assert_string_equal(text.ptr, want);
    assert_int_equal(text.len, strlen(want));
}

static void each_kind_is_written(void **state)
{
    skua_arena *arena = *state;
    skua_value *object = skua_object(arena), *list = skua_array(arena);

    assert_written(arena, skua_null(arena), "null");
    assert_written(arena, skua_bool(arena, true), "true");
    assert_written(arena, skua_bool(arena, false), "false");
    assert_written(arena, skua_int(arena, 0), "0");
    assert_written(arena, skua_int(arena, INT64_MIN), "-9223372036854775808");
    assert_written(arena, skua_int(arena, INT64_MAX), "9223372036854775807");
    assert_written(arena, skua_string(arena, "text"), "\"text\"");
    assert_written(arena, skua_safe(arena, SKUA_STR("<b>")), "\"<b>\"");
    assert_written(arena, list, "[]");
    assert_written(arena, object, "{}");
    skua_add_int(list, 1);
    skua_add_string(list, "two");
    skua_set_value(object, "list", list);
    skua_set_value(object, "empty", skua_object(arena));
    skua_set_null(object, "none");
    assert_written(arena, object, "{\"list\":[1,\"two\"],\"empty\":{},\"none\":null}");
}

static void doubles_are_written_as_javascript_does(void **state)
{
    static const struct {
        double number;
        const char *text;
    } rows[] = {
        {1.0, "1"},
        {-0.0, "0"},
        {0.1, "0.1"},
        {-1.5e-7, "-1.5e-7"},
        {1e21, "1e+21"},
        {100000000000000000000.0, "100000000000000000000"},
        {0.30000000000000004, "0.30000000000000004"},
        {(double)NAN, "null"},
        {(double)INFINITY, "null"},
        {-(double)INFINITY, "null"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_written(*state, skua_double(*state, rows[i].number), rows[i].text);
}

static skua_value *produce(skua_arena *arena, void *ctx)
{
    (void)arena;
    return ctx;
}

static skua_value *call_nothing(struct skua_call *call)
{
    (void)call;
    return NULL;
}

static void undefined_and_callables_are_left_out_of_objects_and_null_elsewhere(void **state)
{
    skua_arena *arena = *state;
    skua_value *function = skua_function(arena, call_nothing, NULL);
    skua_value *nothing = skua_lazy(arena, produce, NULL);
    skua_value *object = skua_object(arena), *list = skua_array(arena);

    skua_set_value(object, "undefined", NULL);
    skua_set_int(object, "a", 1);
    skua_set_value(object, "function", function);
    skua_set_value(object, "nothing", nothing);
    skua_set_int(object, "b", 2);
    assert_written(arena, object, "{\"a\":1,\"b\":2}");
    skua_add_value(list, NULL);
    skua_add_value(list, function);
    skua_add_value(list, nothing);
    assert_written(arena, list, "[null,null,null]");
    assert_written(arena, NULL, "null");
    assert_written(arena, function, "null");
    object = skua_set_value(skua_object(arena), "undefined", NULL);
    assert_written(arena, object, "{}");
}

static void lazies_are_written_as_what_they_produce(void **state)
{
    skua_value *inner = skua_set_int(skua_object(*state), "a", 1);
    skua_value *lazy = skua_lazy(*state, produce, inner);

    assert_written(*state, lazy, "{\"a\":1}");
    assert_written(*state, skua_set_value(skua_object(*state), "lazy", lazy),
                   "{\"lazy\":{\"a\":1}}");
}

static void strings_and_keys_are_escaped(void **state)
{
    skua_arena *arena = *state;
    char text[3] = "";

    assert_written(arena, skua_string(arena, "\"\\/\b\f\n\r\t\x7f"),
                   "\"\\\"\\\\/\\b\\f\\n\\r\\t\x7f\"");
    assert_written(arena, skua_string_of(arena, skua_str_of("a\0b", 3)), "\"a\\u0000b\"");
    assert_written(arena, skua_string(arena, "</script>\xe2\x80\xa8\xe2\x80\xa9"),
                   "\"</script>\xe2\x80\xa8\xe2\x80\xa9\"");
    assert_written(arena, skua_set_int(skua_object(arena), "a\"\n\x01", 1),
                   "{\"a\\\"\\n\\u0001\":1}");
    for (text[0] = 1; text[0] < ' '; text[0]++) {
        skua_value *copy;
        skua_str written;

        assert_int_equal(skua_json_write(&written, arena, skua_string(arena, text)), 0);
        assert_int_equal(written.ptr[1], '\\');
        assert_int_equal(skua_json_read(&copy, arena, written, NULL), 0);
        assert_string_equal(skua_as_text(copy), text);
    }
}

static void an_escape_is_written_wherever_it_stands(void **state)
{
    for (size_t len = 1; len < 40; len++) {
        for (size_t at = 0; at < len; at++) {
            char text[41], want[44];

            memset(text, 'x', len);
            text[at] = '\n';
            memset(want, 'x', sizeof(want));
            want[0] = want[len + 2] = '"';
            want[1 + at] = '\\';
            want[2 + at] = 'n';
            want[len + 3] = '\0';
            assert_written(*state, skua_string_of(*state, skua_str_of(text, len)), want);
        }
    }
}

static void ill_formed_utf8_becomes_the_replacement_character(void **state)
{
    skua_arena *arena = *state;

    assert_written(arena, skua_string(arena, "\xff"), "\"\xef\xbf\xbd\"");
    assert_written(arena, skua_string(arena, "a\xc3\xa9\xc3z"), "\"a\xc3\xa9\xef\xbf\xbdz\"");
    assert_written(arena, skua_string(arena, "\xed\xa0\x80\n"),
                   "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\\n\"");
    assert_written(arena, skua_set_int(skua_object(arena), "\x80", 1), "{\"\xef\xbf\xbd\":1}");
}

static void bytes_are_written_as_base64(void **state)
{
    static const char *const rows[][2] = {
        {"", "\"\""},
        {"f", "\"Zg==\""},
        {"fo", "\"Zm8=\""},
        {"foo", "\"Zm9v\""},
        {"foob", "\"Zm9vYg==\""},
        {"fooba", "\"Zm9vYmE=\""},
        {"foobar", "\"Zm9vYmFy\""},
        {"\xff\xfe\xfb", "\"//77\""},
        {"\xfb\xef\xbe", "\"++++\""},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_written(*state, skua_bytes(*state, rows[i][0], strlen(rows[i][0])), rows[i][1]);
}

static skua_value *nest(skua_arena *arena, int levels)
{
    skua_value *value = skua_int(arena, 1);

    for (int i = 0; i < levels; i++)
        value = i % 2 == 0 ? skua_add_value(skua_array(arena), value)
                           : skua_set_value(skua_object(arena), "k", value);
    return value;
}

static void the_512th_level_is_written_and_the_513th_refused(void **state)
{
    skua_value *ring = skua_array(*state), *copy;
    skua_str text;

    assert_int_equal(skua_json_write(&text, *state, nest(*state, 512)), 0);
    assert_int_equal(text.len, 256 * 2 + 256 * 6 + 1);
    assert_int_equal(skua_json_read(&copy, *state, text, NULL), 0);
    assert_int_equal(skua_json_write(&text, *state, nest(*state, 513)), SKUA_ERR_TOO_DEEP);
    assert_int_equal(text.len, 0);
    assert_string_equal(text.ptr, "");
    skua_add_value(ring, ring);
    assert_int_equal(skua_json_write(&text, *state, ring), SKUA_ERR_TOO_DEEP);
}

static void appending_keeps_what_the_buffer_holds(void **state)
{
    struct skua__buf buf;

    skua__buf_init(&buf, NULL);
    skua__buf_put_literal(&buf, "data: ");
    assert_int_equal(skua__json_append(&buf, skua_int(*state, 12)), 0);
    skua__json_append_string(&buf, SKUA_STR("\n"));
    skua__json_append_string(&buf, skua_str_of(NULL, 0));
    assert_string_equal(skua__buf_str(&buf).ptr, "data: 12\"\\n\"\"\"");
    skua__buf_finish(&buf);
}

/* Keys and strings of every length around the short ones, and the buffer full at every place. */
static void items_of_any_size_fit_wherever_the_buffer_ends(void **state)
{
    char text[80], key[80];

    memset(text, 't', sizeof(text));
    memset(key, 'k', sizeof(key));
    for (size_t i = 0; i < 70 * 70; i++) {
        skua_arena *arena = skua_arena_new(0);
        size_t key_len = i % 70, len = i / 70;
        skua_value *object = skua_object(arena), *list = skua_array(arena);
        struct skua__buf buf;

        skua_set_key(object, skua_str_of(key, key_len),
                     skua_string_of(arena, skua_str_of(text, len)));
        skua_set_double(object, "x", -0.0000012345678901234567);
        skua_add_value(skua_add_value(list, object), skua_double(arena, -1.2345678901234567e-308));
        skua__buf_init(&buf, NULL);
        for (size_t room = i % 64; room > 0; room--)
            skua__buf_put_char(&buf, ' ');
        assert_int_equal(skua__json_append(&buf, list), 0);
        assert_int_equal(buf.len, i % 64 + key_len + len +
                                      strlen("[{\"\":\"\",\"x\":-0.0000012345678901234567},"
                                             "-1.2345678901234567e-308]"));
        skua__buf_finish(&buf);
        skua_arena_free(arena);
    }
    (void)state;
}

static void escapes_fit_wherever_the_buffer_ends(void **state)
{
    static const char bytes[][2] = {"\x01", "\n", "\xff"};
    static const size_t sizes[] = {6, 2, 3};
    char text[150];

    (void)state;
    for (size_t kind = 0; kind < 3; kind++) {
        memset(text, bytes[kind][0], sizeof(text));
        for (size_t len = 0; len <= sizeof(text); len++) {
            struct skua__buf buf;

            skua__buf_init(&buf, NULL);
            skua__json_append_string(&buf, skua_str_of(text, len));
            assert_int_equal(buf.len, 2 + len * sizes[kind]);
            skua__buf_finish(&buf);
        }
    }
}

static void closing_brackets_fit_wherever_the_buffer_ends(void **state)
{
    for (int levels = 1; levels <= 512; levels++) {
        struct skua__buf buf;

        skua__buf_init(&buf, NULL);
        assert_int_equal(skua__json_append(&buf, nest(*state, levels)), 0);
        assert_int_equal(buf.ptr[buf.len - 1], levels % 2 == 1 ? ']' : '}');
        skua__buf_finish(&buf);
    }
}

static skua_value *grow_list(skua_arena *arena, void *ctx)
{
    skua_value *list = ctx;

    for (int i = 0; i < 20; i++)
        skua_add_int(list, i);
    return skua_null(arena);
}

/* A lazy value may change what is just being written: that is written, too. */
static void what_a_lazy_value_appends_is_written(void **state)
{
    skua_value *list = skua_array(*state);

    skua_add_value(list, skua_lazy(*state, grow_list, list));
    assert_written(*state, list, "[null,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19]");
}

static void what_failed_before_is_not_gone_on_with(void **state)
{
    struct skua__buf buf;

    skua__buf_init(&buf, NULL);
    skua__buf_put_literal(&buf, "before");
    assert_false(skua__buf_reserve(&buf, SIZE_MAX));
    assert_int_equal(skua__json_append(&buf, skua_int(*state, 1)), SKUA_ERR_NOMEM);
    skua__json_append_string(&buf, SKUA_STR("x"));
    assert_int_equal(buf.len, strlen("before"));
    skua__buf_finish(&buf);
}

static void without_memory_it_ends_in_nomem(void **state)
{
    static _Alignas(16) char memory[8192];
    skua_value *list = skua_array(*state);
    skua_str text;
    size_t good = 0;

    for (int i = 0; i < 60; i++)
        skua_add_string(list, "text\n");
    skua_add_value(list, skua_double(*state, 0.1));
    for (size_t size = 0; size < sizeof(memory); size += 16) {
        skua_arena arena;
        int err;

        sk_arena_init_small(&arena, memory, size, 1);
        err = skua_json_write(&text, &arena, list);
        assert_int_equal(err, skua_arena_failed(&arena) ? SKUA_ERR_NOMEM : 0);
        assert_int_equal(text.len, err == 0 ? 545 : 0);
        good += err == 0;
        skua__arena_reset(&arena);
    }
    assert_in_range(good, 100, sizeof(memory) / 16 - 38);
    assert_int_equal(skua_json_write(&text, NULL, list), SKUA_ERR_NOMEM);
    assert_string_equal(text.ptr, "");
}

/* Two objects that hold the next one twice, 500 deep: nobody waits for 2^500 items. */
static void running_out_of_memory_ends_the_work(void **state)
{
    skua_value *value = skua_int(*state, 1);
    skua_arena *small = skua_arena_new(100000);
    skua_str text;

    for (int i = 0; i < 500; i++) {
        skua_value *list = skua_array(*state);

        skua_add_value(list, value);
        value = skua_add_value(list, value);
    }
    assert_int_equal(skua_json_write(&text, small, value), SKUA_ERR_NOMEM);
    assert_null(skua_clone(small, value));
    skua_arena_free(small);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, sk_arena_open, sk_arena_close)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        CASE(each_kind_is_written),
        CASE(doubles_are_written_as_javascript_does),
        CASE(undefined_and_callables_are_left_out_of_objects_and_null_elsewhere),
        CASE(lazies_are_written_as_what_they_produce),
        CASE(strings_and_keys_are_escaped),
        CASE(an_escape_is_written_wherever_it_stands),
        CASE(ill_formed_utf8_becomes_the_replacement_character),
        CASE(bytes_are_written_as_base64),
        CASE(the_512th_level_is_written_and_the_513th_refused),
        CASE(appending_keeps_what_the_buffer_holds),
        CASE(items_of_any_size_fit_wherever_the_buffer_ends),
        CASE(escapes_fit_wherever_the_buffer_ends),
        CASE(closing_brackets_fit_wherever_the_buffer_ends),
        CASE(what_a_lazy_value_appends_is_written),
        CASE(what_failed_before_is_not_gone_on_with),
        CASE(without_memory_it_ends_in_nomem),
        CASE(running_out_of_memory_ends_the_work),
    };

    return cmocka_run_group_tests_name("json_write", tests, NULL, NULL);
}
