/* SPDX-License-Identifier: MIT */
/* The growing byte string, on malloc and in an arena. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>

#include "base/buf.h"

static void an_empty_buffer_is_the_empty_string(void **state)
{
    struct skua__buf buf;

    (void)state;
    skua__buf_init(&buf, NULL);
    assert_int_equal(buf.len, 0);
    assert_null(buf.ptr);
    skua__buf_put(&buf, NULL, 0);
    assert_null(buf.ptr);
    assert_string_equal(skua__buf_str(&buf).ptr, "");
    assert_int_equal(skua__buf_str(&buf).len, 0);
    assert_false(buf.failed);
    skua__buf_finish(&buf);
}

static void everything_put_is_there_in_order(void **state)
{
    struct skua__buf buf;

    (void)state;
    skua__buf_init(&buf, NULL);
    skua__buf_put_literal(&buf, "ab");
    skua__buf_put_char(&buf, 'c');
    skua__buf_put(&buf, "\0d", 2);
    skua__buf_put_str(&buf, SKUA_STR("ef"));
    skua__buf_printf(&buf, "%d-%s", 7, "g");
    assert_int_equal(skua__buf_str(&buf).len, 10);
    assert_memory_equal(skua__buf_str(&buf).ptr, "abc\0def7-g", 11);
    skua__buf_finish(&buf);
}

static void numbers_are_written_in_decimal(void **state)
{
    static const int64_t numbers[] = {0, 1, 9, 10, 99, 100, -1, -10, INT64_MAX, INT64_MIN};
    char want[32];
    struct skua__buf buf;

    (void)state;
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        skua__buf_init(&buf, NULL);
        skua__buf_put_int(&buf, numbers[i]);
        snprintf(want, sizeof(want), "%" PRId64, numbers[i]);
        assert_string_equal(skua__buf_str(&buf).ptr, want);
        skua__buf_finish(&buf);
    }
    skua__buf_init(&buf, NULL);
    skua__buf_put_uint(&buf, UINT64_MAX);
    assert_string_equal(skua__buf_str(&buf).ptr, "18446744073709551615");
    skua__buf_finish(&buf);
}

static void fill_and_check(skua_arena *arena)
{
    struct skua__buf buf;

    skua__buf_init(&buf, arena);
    for (int i = 0; i < 20000; i++) {
        skua__buf_put_char(&buf, (char)('a' + i % 26));
        assert_true(buf.len <= buf.cap);
    }
    skua__buf_printf(&buf, "%3000d", 1);
    assert_int_equal(buf.len, 23000);
    for (size_t i = 0; i < 20000; i++)
        assert_int_equal(buf.ptr[i], 'a' + i % 26);
    assert_string_equal(skua__buf_str(&buf).ptr + 22999, "1");
    skua__buf_finish(&buf);
    assert_null(buf.ptr);
    assert_int_equal(buf.len, 0);
    assert_ptr_equal(buf.arena, arena);
}

static void it_grows_on_malloc_and_in_an_arena(void **state)
{
    skua_arena *arena = skua_arena_new(0);

    (void)state;
    fill_and_check(NULL);
    fill_and_check(arena);
    skua_arena_free(arena);
}

static void running_out_of_memory_is_sticky(void **state)
{
    skua_arena *arena = skua_arena_new(8192);
    struct skua__buf buf;
    size_t len;

    (void)state;
    skua__buf_init(&buf, arena);
    while (!buf.failed)
        skua__buf_put_literal(&buf, "0123456789abcdef");
    len = buf.len;
    assert_in_range(len, 1024, 8192);
    skua__buf_put_char(&buf, 'x');
    skua__buf_put_int(&buf, 12345);
    skua__buf_printf(&buf, "%2000d", 1);
    assert_true(skua_arena_failed(arena));
    assert_true(buf.failed);
    assert_in_range(buf.len, len, buf.cap);
    skua_arena_free(arena);
}

static void a_size_that_cannot_be_fails_for_good(void **state)
{
    struct skua__buf buf;

    (void)state;
    skua__buf_init(&buf, NULL);
    skua__buf_put_char(&buf, 'x');
    assert_false(skua__buf_reserve(&buf, SIZE_MAX));
    assert_true(buf.failed);
    skua__buf_finish(&buf);
    assert_false(buf.failed);
}

static void a_failed_buffer_is_the_empty_string_when_nothing_fits(void **state)
{
    skua_arena *arena = skua_arena_new(1);
    struct skua__buf buf;

    (void)state;
    skua__buf_init(&buf, arena);
    skua__buf_put_char(&buf, 'x');
    assert_true(buf.failed);
    assert_string_equal(skua__buf_str(&buf).ptr, "");
    assert_int_equal(skua__buf_str(&buf).len, 0);
    skua_arena_free(arena);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_buffer_is_the_empty_string),
        cmocka_unit_test(everything_put_is_there_in_order),
        cmocka_unit_test(numbers_are_written_in_decimal),
        cmocka_unit_test(it_grows_on_malloc_and_in_an_arena),
        cmocka_unit_test(running_out_of_memory_is_sticky),
        cmocka_unit_test(a_size_that_cannot_be_fails_for_good),
        cmocka_unit_test(a_failed_buffer_is_the_empty_string_when_nothing_fits),
    };

    return cmocka_run_group_tests_name("buf", tests, NULL, NULL);
}
