/* SPDX-License-Identifier: MIT */
/* Arenas: alignment, budgets, growth in place, deferred clean-ups, the pool of chunks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"

#define ALIGNED(ptr) (((uintptr_t)(ptr)&15) == 0)

static void allocations_are_aligned_and_apart(void **state)
{
    skua_arena *arena = skua_arena_new(0);
    char *blocks[400];

    (void)state;
    for (size_t i = 0; i < 400; i++) {
        blocks[i] = skua_alloc(arena, i * 7);
        assert_non_null(blocks[i]);
        assert_true(ALIGNED(blocks[i]));
        memset(blocks[i], (int)i, i * 7);
    }
    for (size_t i = 0; i < 400; i++) {
        for (size_t at = 0; at < i * 7; at++)
            assert_int_equal((unsigned char)blocks[i][at], i & 0xff);
    }
    assert_false(skua_arena_failed(arena));
    skua_arena_free(arena);
}

static void the_first_allocation_may_be_of_nothing(void **state)
{
    skua_arena *arena = skua_arena_new(0);
    void *nothing = skua_alloc(arena, 0);

    (void)state;
    assert_non_null(nothing);
    assert_non_null(skua_alloc_zero(arena, 0, 8));
    assert_false(skua_arena_failed(arena));
    skua_arena_free(arena);
}

static void null_is_an_arena_that_has_failed(void **state)
{
    (void)state;
    assert_null(skua_alloc(NULL, 1));
    assert_null(skua_alloc_zero(NULL, 1, 1));
    assert_null(skua_alloc_zero(NULL, SIZE_MAX, 2));
    assert_null(skua_strdup(NULL, SKUA_STR("text")));
    assert_null(skua_format(NULL, "%d", 1));
    assert_null(skua__arena_grow(NULL, NULL, 0, 8));
    assert_true(skua_arena_failed(NULL));
    skua_arena_free(NULL);
}

static void zeroed_memory_is_zero_even_when_used_before(void **state)
{
    struct skua__chunk_pool pool = {.most = 4};
    skua_arena arena;
    char *bytes;

    (void)state;
    skua__arena_init(&arena, &pool, 0);
    memset(skua_alloc(&arena, 1000), 0xff, 1000);
    skua__arena_reset(&arena);
    bytes = skua_alloc_zero(&arena, 10, 100);
    for (size_t i = 0; i < 1000; i++)
        assert_int_equal(bytes[i], 0);
    skua__arena_reset(&arena);
    skua__chunk_pool_finish(&pool);
}

static void sizes_that_cannot_be_fail_for_good(void **state)
{
    skua_arena *arena;

    (void)state;
    arena = skua_arena_new(0);
    assert_null(skua_alloc(arena, SIZE_MAX));
    assert_true(skua_arena_failed(arena));
    skua_arena_free(arena);
    arena = skua_arena_new(0);
    assert_null(skua_alloc_zero(arena, SIZE_MAX / 2, 3));
    assert_true(skua_arena_failed(arena));
    assert_non_null(skua_alloc(arena, 1)); /* what still fits is given, but the failure is kept */
    assert_true(skua_arena_failed(arena));
    skua_arena_free(arena);
    arena = skua_arena_new(0);
    assert_null(skua_strdup(arena, skua_str_of("", SIZE_MAX)));
    assert_true(skua_arena_failed(arena));
    skua_arena_free(arena);
}

static void a_budget_bounds_what_is_taken_from_the_system(void **state)
{
    skua_arena *arena = skua_arena_new(3 * SKUA__CHUNK_SIZE);
    size_t count = 0;

    (void)state;
    while (skua_alloc(arena, 512) != NULL)
        count++;
    assert_true(skua_arena_failed(arena));
    assert_in_range(count, 3 * SKUA__CHUNK_SIZE / 512 - 6, 3 * SKUA__CHUNK_SIZE / 512);
    assert_true(arena->spent <= arena->budget);
    skua_arena_free(arena);
    arena = skua_arena_new(10000);
    assert_null(skua_alloc(arena, 10001));
    assert_true(skua_arena_failed(arena));
    skua_arena_free(arena);
    arena = skua_arena_new(10000);
    assert_non_null(skua_alloc(arena, 9000));
    assert_null(skua_alloc(arena, 2000));
    skua_arena_free(arena);
}

static void a_reset_gives_budget_and_good_standing_back(void **state)
{
    skua_arena arena;

    (void)state;
    skua__arena_init(&arena, NULL, SKUA__CHUNK_SIZE);
    for (int round = 0; round < 3; round++) {
        assert_non_null(skua_alloc(&arena, 100));
        assert_null(skua_alloc(&arena, 2 * SKUA__CHUNK_SIZE));
        assert_true(skua_arena_failed(&arena));
        skua__arena_reset(&arena);
        assert_false(skua_arena_failed(&arena));
        assert_int_equal(arena.spent, 0);
    }
}

static void the_newest_allocation_grows_in_place(void **state)
{
    skua_arena *arena = skua_arena_new(0);
    char *first = skua_alloc(arena, 10), *newest = skua_alloc(arena, 10), *moved;

    (void)state;
    memcpy(first, "first----", 10);
    memcpy(newest, "newest---", 10);
    assert_ptr_equal(skua__arena_grow(arena, newest, 10, 500), newest);
    memset(newest + 10, 'x', 490);
    moved = skua__arena_grow(arena, first, 10, 500);
    assert_ptr_not_equal(moved, first);
    assert_string_equal(moved, "first----");
    moved = skua__arena_grow(arena, newest, 500, 5000); /* too large to stay in the chunk */
    assert_ptr_not_equal(moved, newest);
    assert_memory_equal(moved, "newest---", 10);
    assert_int_equal(moved[499], 'x');
    skua_arena_free(arena);
}

static void growth_keeps_the_bytes_at_every_size(void **state)
{
    skua_arena *arena = skua_arena_new(0);
    unsigned char *bytes = NULL;
    size_t size = 0;

    (void)state;
    while (size < 20000) {
        size_t larger = size + 1 + size / 3;

        bytes = skua__arena_grow(arena, bytes, size, larger);
        assert_non_null(bytes);
        for (size_t i = size; i < larger; i++)
            bytes[i] = (unsigned char)(i * 31);
        size = larger;
        for (size_t i = 0; i < size; i++)
            assert_int_equal(bytes[i], (unsigned char)(i * 31));
    }
    skua_arena_free(arena);
}

static void growth_without_memory_fails_for_good(void **state)
{
    skua_arena *arena = skua_arena_new(SKUA__CHUNK_SIZE);
    void *block = skua_alloc(arena, 100);

    (void)state;
    assert_null(skua__arena_grow(arena, block, 100, 10 * SKUA__CHUNK_SIZE));
    assert_true(skua_arena_failed(arena));
    skua_arena_free(arena);
}

/* What is spent is what is there: nothing of the smaller sizes is left behind. */
static void a_large_allocation_grows_without_leaving_garbage(void **state)
{
    skua_arena *arena = skua_arena_new(0);
    size_t size = 2 * SKUA__ARENA_BIG, head;
    char *bytes = skua_alloc(arena, size);

    (void)state;
    head = arena->spent - size;
    memset(bytes, 'x', size);
    for (; size < 1000000; size *= 2) {
        bytes = skua__arena_grow(arena, bytes, size, 2 * size);
        assert_non_null(bytes);
        assert_true(ALIGNED(bytes));
        assert_int_equal(bytes[0], 'x');
        assert_int_equal(bytes[size - 1], 'x');
        memset(bytes + size, 'x', size);
        assert_int_equal(arena->spent, head + 2 * size);
    }
    skua_arena_free(arena);
}

/* Each may be the newest, the oldest or one between: the others are still found and freed. */
static void large_allocations_grow_in_any_order(void **state)
{
    skua_arena *arena = skua_arena_new(0);
    unsigned char *blocks[5];
    size_t sizes[5];

    (void)state;
    for (size_t i = 0; i < 5; i++) {
        sizes[i] = SKUA__ARENA_BIG + 1 + i;
        blocks[i] = skua_alloc(arena, sizes[i]);
        memset(blocks[i], (int)i, sizes[i]);
    }
    for (size_t round = 0; round < 60; round++) {
        size_t i = round * 3 % 5, larger = sizes[i] + sizes[i] / 3;

        blocks[i] = skua__arena_grow(arena, blocks[i], sizes[i], larger);
        memset(blocks[i] + sizes[i], (int)i, larger - sizes[i]);
        sizes[i] = larger;
        for (size_t j = 0; j < 5; j++) {
            assert_int_equal(blocks[j][0], j);
            assert_int_equal(blocks[j][sizes[j] - 1], j);
        }
    }
    skua_arena_free(arena);
}

static void growth_is_bounded_by_the_budget(void **state)
{
    const size_t old = 2000, larger = 3000;
    skua_arena *arena = skua_arena_new(0);
    size_t head;
    void *block;

    (void)state;
    assert_non_null(skua_alloc(arena, old));
    head = arena->spent - old;
    skua_arena_free(arena);
    arena = skua_arena_new(head + larger);
    block = skua_alloc(arena, old);
    block = skua__arena_grow(arena, block, old, larger);
    assert_non_null(block);
    assert_false(skua_arena_failed(arena));
    assert_int_equal(arena->spent, arena->budget);
    assert_null(skua__arena_grow(arena, block, larger, larger + 1));
    assert_true(skua_arena_failed(arena));
    memset(block, 'x', larger); /* it is still there */
    skua_arena_free(arena);
    arena = skua_arena_new(0);
    block = skua_alloc(arena, old);
    assert_null(skua__arena_grow(arena, block, old, SIZE_MAX));
    assert_true(skua_arena_failed(arena));
    skua_arena_free(arena);
}

static void strings_are_copied_with_a_zero_byte(void **state)
{
    skua_arena *arena = skua_arena_new(0);
    char text[] = "abcdef";
    char *copy = skua_strdup(arena, skua_str_of(text, 3));

    (void)state;
    text[0] = 'X';
    assert_string_equal(copy, "abc");
    assert_string_equal(skua_strdup(arena, skua_str_of(NULL, 0)), "");
    assert_memory_equal(skua_strdup(arena, skua_str_of("a\0b", 3)), "a\0b", 4);
    skua_arena_free(arena);
}

static void formatted_text_is_as_long_as_it_needs(void **state)
{
    skua_arena *arena = skua_arena_new(0);
    char *text = skua_format(arena, "%s:%d", "port", 80);

    (void)state;
    assert_string_equal(text, "port:80");
    text = skua_format(arena, "%5000d", 1);
    assert_int_equal(strlen(text), 5000);
    assert_string_equal(skua_format(arena, "%s", ""), "");
    skua_arena_free(arena);
}

/* ---- clean-ups ---- */

struct trace {
    char text[16];
    size_t len;
};

struct step {
    struct trace *trace;
    char letter;
};

static void note(void *ptr)
{
    struct step *step = ptr;

    step->trace->text[step->trace->len++] = step->letter;
}

static void clean_ups_run_last_first_and_once(void **state)
{
    struct trace trace = {0};
    struct step a = {&trace, 'a'}, b = {&trace, 'b'}, c = {&trace, 'c'};
    skua_arena arena;

    (void)state;
    skua__arena_init(&arena, NULL, 0);
    assert_int_equal(skua_defer(&arena, note, &a), 0);
    assert_int_equal(skua_defer(&arena, note, &b), 0);
    assert_int_equal(skua_defer(&arena, note, &c), 0);
    skua__arena_reset(&arena);
    assert_string_equal(trace.text, "cba");
    skua__arena_reset(&arena);
    assert_string_equal(trace.text, "cba");
}

struct deferrer {
    skua_arena *arena;
    struct step *next;
};

static void defer_another(void *ptr)
{
    struct deferrer *deferrer = ptr;

    assert_int_equal(skua_defer(deferrer->arena, note, deferrer->next), 0);
}

static void a_clean_up_may_defer_another(void **state)
{
    struct trace trace = {0};
    struct step early = {&trace, '1'}, late = {&trace, '2'};
    skua_arena *arena = skua_arena_new(0);
    struct deferrer deferrer = {arena, &late};

    (void)state;
    skua_defer(arena, note, &early);
    skua_defer(arena, defer_another, &deferrer);
    skua_arena_free(arena);
    assert_string_equal(trace.text, "21");
}

static void a_clean_up_that_cannot_be_kept_runs_at_once(void **state)
{
    struct trace trace = {0};
    struct step a = {&trace, 'a'}, b = {&trace, 'b'};
    skua_arena *arena = skua_arena_new(1);

    (void)state;
    assert_int_equal(skua_defer(arena, note, &a), SKUA_ERR_NOMEM);
    assert_string_equal(trace.text, "a");
    assert_int_equal(skua_defer(NULL, note, &b), SKUA_ERR_NOMEM);
    skua_arena_free(arena);
    assert_string_equal(trace.text, "ab");
}

/* ---- the pool ---- */

static void the_next_arena_takes_the_chunk_of_the_last(void **state)
{
    struct skua__chunk_pool pool = {.most = 2};
    skua_arena arena;
    void *first;

    (void)state;
    skua__arena_init(&arena, &pool, 0);
    first = skua_alloc(&arena, 64);
    skua__arena_reset(&arena);
    assert_int_equal(pool.count, 1);
    assert_ptr_equal(skua_alloc(&arena, 64), first);
    assert_int_equal(pool.count, 0);
    skua__arena_reset(&arena);
    skua__chunk_pool_finish(&pool);
    assert_int_equal(pool.count, 0);
    assert_null(pool.free);
}

static void the_pool_keeps_no_more_than_its_most(void **state)
{
    struct skua__chunk_pool pool = {.most = 2};
    skua_arena arena;

    (void)state;
    skua__arena_init(&arena, &pool, 0);
    for (int i = 0; i < 100; i++)
        assert_non_null(skua_alloc(&arena, 1000));
    skua__arena_reset(&arena);
    assert_int_equal(pool.count, 2);
    skua__chunk_pool_finish(&pool);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocations_are_aligned_and_apart),
        cmocka_unit_test(the_first_allocation_may_be_of_nothing),
        cmocka_unit_test(null_is_an_arena_that_has_failed),
        cmocka_unit_test(zeroed_memory_is_zero_even_when_used_before),
        cmocka_unit_test(sizes_that_cannot_be_fail_for_good),
        cmocka_unit_test(a_budget_bounds_what_is_taken_from_the_system),
        cmocka_unit_test(a_reset_gives_budget_and_good_standing_back),
        cmocka_unit_test(the_newest_allocation_grows_in_place),
        cmocka_unit_test(growth_keeps_the_bytes_at_every_size),
        cmocka_unit_test(growth_without_memory_fails_for_good),
        cmocka_unit_test(a_large_allocation_grows_without_leaving_garbage),
        cmocka_unit_test(large_allocations_grow_in_any_order),
        cmocka_unit_test(growth_is_bounded_by_the_budget),
        cmocka_unit_test(strings_are_copied_with_a_zero_byte),
        cmocka_unit_test(formatted_text_is_as_long_as_it_needs),
        cmocka_unit_test(clean_ups_run_last_first_and_once),
        cmocka_unit_test(a_clean_up_may_defer_another),
        cmocka_unit_test(a_clean_up_that_cannot_be_kept_runs_at_once),
        cmocka_unit_test(the_next_arena_takes_the_chunk_of_the_last),
        cmocka_unit_test(the_pool_keeps_no_more_than_its_most),
    };

    return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
