/* SPDX-License-Identifier: MIT */
/*
 * stack_test.c - guards of both kinds, their limit, and memory that is given back
 */
#include "async/on_loop.h"

#include "async/loop_private.h"
#include "async/stack.h"
#include "async/tools.h"

#include <skua/err.h>

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Whether the kernel lets this process read the byte; it says so instead of a signal. */
static bool is_readable(const char *ptr)
{
    int ends[2];
    bool readable;

    assert_int_equal(pipe(ends), 0);
    readable = write(ends[1], ptr, 1) == 1;
    if (!readable)
        assert_int_equal(errno, EFAULT);
    close(ends[0]);
    close(ends[1]);
    return readable;
}

static void check_stack(const char *low, size_t size)
{
    assert_true(is_readable(low));
    assert_true(is_readable(low + size - 1));
    assert_false(is_readable(low - 1));
    assert_false(is_readable(low - SKUA__STACK_GUARD));
}

static void check_stacks(bool guard_by_range)
{
    struct skua__stacks stacks;

    skua__stacks_init(&stacks, 100 * 1024 - 7);
    assert_int_equal(stacks.size % (size_t)sysconf(_SC_PAGESIZE), 0);
    assert_true(stacks.size >= 100 * 1024 - 7);
    if (guard_by_range && !stacks.guard_by_range) {
        print_message("SKIPPED: this kernel has no MADV_GUARD_INSTALL\n");
        skip();
    }
    stacks.guard_by_range = guard_by_range;
    for (int i = 0; i < 200; i++) { /* more than a slab holds */
        void *low;

        assert_int_equal(skua__stack_new(&stacks, &low), 0);
        check_stack(low, stacks.size);
        memset(low, i, stacks.size);
    }
    assert_int_equal(stacks.guards, guard_by_range ? 0 : 200);
    skua__stacks_finish(&stacks);
    assert_int_equal(stacks.guards, 0);
}

static void every_stack_has_a_guard_below(void **state)
{
    (void)state;
    check_stacks(true);
}

static void so_it_has_on_an_older_kernel(void **state)
{
    (void)state;
    check_stacks(false);
}

static void past_the_share_of_mappings_there_is_no_stack(void **state)
{
    struct skua__stacks a, b;
    void *low;

    (void)state;
    skua__stacks_init(&a, 65536);
    skua__stacks_init(&b, 65536);
    assert_in_range(a.guards_most, 1000, INT32_MAX / 2);
    a.guard_by_range = b.guard_by_range = false;
    a.guards_most = b.guards_most = 3; /* for both together */
    assert_int_equal(skua__stack_new(&a, &low), 0);
    assert_int_equal(skua__stack_new(&b, &low), 0);
    assert_int_equal(skua__stack_new(&a, &low), 0);
    assert_int_equal(skua__stack_new(&b, &low), SKUA_ERR_NOMEM);
    assert_null(low);
    assert_int_equal(skua__stack_new(&a, &low), SKUA_ERR_NOMEM);
    skua__stacks_finish(&b);
    assert_int_equal(skua__stack_new(&a, &low), 0);
    check_stack(low, a.size);
    skua__stacks_finish(&a);
}

static void a_stack_that_is_too_large_is_refused(void **state)
{
    struct skua__stacks stacks;
    void *low;

    (void)state;
    skua__stacks_init(&stacks, SIZE_MAX / 64);
    assert_int_equal(skua__stack_new(&stacks, &low), SKUA_ERR_NOMEM);
    stacks.size = (size_t)1 << 46;
    assert_int_equal(skua__stack_new(&stacks, &low), SKUA_ERR_NOMEM);
    skua__stacks_finish(&stacks);
}

/* How many pages of [low, low + size) have memory. */
static size_t resident(const void *low, size_t size)
{
    unsigned char pages[1024];
    size_t page = (size_t)sysconf(_SC_PAGESIZE), count = 0;

    assert_true(size / page <= sizeof(pages));
    assert_int_equal(mincore((void *)(uintptr_t)low, size, pages), 0);
    for (size_t i = 0; i < size / page; i++)
        count += pages[i] & 1;
    return count;
}

static void trimming_keeps_what_is_above_the_stack_pointer(void **state)
{
    struct skua__stacks stacks;
    char *low;
    void *ptr;
    size_t page;

    (void)state;
    skua__stacks_init(&stacks, 16 * 65536);
    assert_int_equal(skua__stack_new(&stacks, &ptr), 0);
    low = ptr;
    page = stacks.page;
    memset(low, 'x', stacks.size);
    assert_int_equal(resident(low, stacks.size), stacks.size / page);
    skua__stack_trim(&stacks, low, low + stacks.size - page - 1);
    assert_int_equal(resident(low, stacks.size), 2);
    assert_int_equal(low[stacks.size - page - 1], 'x');
    assert_int_equal(low[0], 0);
    assert_false(is_readable(low - 1));
    skua__stacks_finish(&stacks);
}

/* ---- the pool ---- */

#define CROWD 2000
#define DEEP  80000 /* ASan keeps frames of up to 64 KiB elsewhere */

static void go_deep_and_wait(void *arg)
{
    char large[DEEP];

    (void)arg;
    explicit_bzero(large, sizeof(large));
    skua__fiber_wait(NULL, NULL);
    explicit_bzero(large, sizeof(large));
}

static void do_nothing(void *arg)
{
    (void)arg;
}

static size_t resident_of_pool(const struct skua__fiber_pool *pool)
{
    size_t count = 0;

    for (size_t i = 0; i < pool->made; i++)
        count += resident(pool->all[i]->context.low, pool->all[i]->context.size);
    return count;
}

static void after_a_crowd_the_memory_goes_back(void **state)
{
    static struct skua__fiber *fibers[CROWD];
    struct skua__loop *loop = new_loop();
    size_t page = loop->pool.stacks.page, deep = DEEP / page, warm = 64 + 256 + 256;

    (void)state;
    for (int i = 0; i < CROWD; i++)
        assert_int_equal(skua__fiber_start(loop, &fibers[i], go_deep_and_wait, NULL, NULL),
                         SKUA__FIBER_WAITING);
    assert_true(resident_of_pool(&loop->pool) >= CROWD * deep);
    for (int i = 0; i < CROWD; i++)
        skua__fiber_resume(fibers[i]);
    /* What the pool keeps warm, and what has come since it looked last or before; else a page. */
    assert_true(resident_of_pool(&loop->pool) <= warm * (deep + 4) + (CROWD - warm));

    for (int i = 0; i < 4 * 256 * 8; i++) /* a quiet time: one fiber is enough */
        skua__fiber_start(loop, NULL, do_nothing, NULL, NULL);
    assert_int_equal(loop->pool.made, CROWD);
    assert_true(resident_of_pool(&loop->pool) <= 65 * (deep + 4) + (CROWD - 65));

    for (int i = 0; i < CROWD; i++) /* and all of them can be used again */
        assert_int_equal(skua__fiber_start(loop, &fibers[i], go_deep_and_wait, NULL, NULL),
                         SKUA__FIBER_WAITING);
    assert_int_equal(loop->pool.made, CROWD);
    for (int i = 0; i < CROWD; i++)
        skua__fiber_resume(fibers[i]);
    assert_int_equal(loop->waiting, 0);
    skua__loop_free(loop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_stack_has_a_guard_below),
        cmocka_unit_test(so_it_has_on_an_older_kernel),
        cmocka_unit_test(past_the_share_of_mappings_there_is_no_stack),
        cmocka_unit_test(a_stack_that_is_too_large_is_refused),
        cmocka_unit_test(trimming_keeps_what_is_above_the_stack_pointer),
        cmocka_unit_test(after_a_crowd_the_memory_goes_back),
    };

    return cmocka_run_group_tests_name("async/stack", tests, NULL, NULL);
}
