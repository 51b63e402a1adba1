/* SPDX-License-Identifier: MIT */
/*
 * sleep_test.c - the order in which sleepers wake, and sleeps at the ends of the range
 */
#include "async/on_loop.h"

#include "async/loop_private.h"

#include <skua/err.h>

#include <string.h>

struct sleepers {
    char order[16];
    size_t len;
};

struct sleeper {
    struct sleepers *all;
    char name;
    uint64_t ms;
};

static void sleep_and_sign(void *arg)
{
    struct sleeper *sleeper = arg;

    if (skua_sleep(sleeper->ms) == 0)
        sleeper->all->order[sleeper->all->len++] = sleeper->name;
}

static void stop_the_world(uint64_t ms)
{
    uint64_t end = uv_hrtime() + ms * 1000000;

    while (uv_hrtime() < end)
        continue;
}

static void sleepers_wake_in_the_order_of_their_times(void **state)
{
    struct skua__loop *loop = new_loop();
    struct sleepers all = {.len = 0};
    struct sleeper sleepers[] = {
        {&all, 0, 9}, {&all, 1, 3}, {&all, 2, 6}, {&all, 3, 1}, {&all, 4, 12}};
    uint64_t due[5];

    (void)state;
    for (size_t i = 0; i < 5; i++) {
        struct skua__fiber *fiber;

        skua__fiber_start(loop, &fiber, sleep_and_sign, NULL, &sleepers[i]);
        due[i] = uv_timer_get_due_in(&fiber->timer); /* the time of the loop stands still */
        assert_true(due[i] >= sleepers[i].ms);
    }
    stop_the_world(due[4] + 30); /* now all of them are due in one and the same turn */
    assert_int_equal(skua__loop_run(loop), 0);
    assert_int_equal(all.len, 5);
    for (size_t i = 1; i < 5; i++)
        assert_true(due[(size_t)all.order[i - 1]] <= due[(size_t)all.order[i]]);
    skua__loop_free(loop);
}

static void equal_sleepers_wake_in_the_order_they_came(void **state)
{
    struct skua__loop *loop = new_loop();
    struct sleepers all = {.len = 0};
    struct sleeper sleepers[] = {{&all, 'a', 0}, {&all, 'b', 0}, {&all, 'c', 0}};

    (void)state;
    for (size_t i = 0; i < 3; i++)
        skua__fiber_start(loop, NULL, sleep_and_sign, NULL, &sleepers[i]);
    assert_int_equal(skua__loop_run(loop), 0);
    assert_string_equal(all.order, "abc");
    skua__loop_free(loop);
}

struct slept {
    uint64_t from, to;
};

static void work_then_sleep(void *arg)
{
    struct slept *slept = arg;

    stop_the_world(20);
    slept->from = uv_hrtime();
    skua_sleep(10);
    slept->to = uv_hrtime();
}

static void a_busy_turn_is_not_taken_off_the_sleep(void **state)
{
    struct slept slept;

    (void)state;
    on_loop(work_then_sleep, &slept);
    /* Both ends are counted in whole milliseconds, so one may be missing, and no more. */
    assert_true(slept.to - slept.from >= 9000000);
}

struct longest {
    struct skua__fiber *fiber;
    int result;
};

static void sleep_for_ever(void *arg)
{
    struct longest *longest = arg;

    stop_the_world(2);
    longest->result = skua_sleep(UINT64_MAX);
}

static void the_longest_sleep_does_not_wrap_round(void **state)
{
    struct skua__loop *loop = new_loop();
    struct longest longest = {.result = 1};

    (void)state;
    skua__fiber_start(loop, &longest.fiber, sleep_for_ever, NULL, &longest);
    uv_run(skua__loop_uv(loop), UV_RUN_NOWAIT);
    uv_run(skua__loop_uv(loop), UV_RUN_NOWAIT);
    assert_int_equal(longest.result, 1);
    skua__fiber_cancel(longest.fiber);
    assert_int_equal(longest.result, SKUA_ERR_CANCELED);
    assert_int_equal(skua__loop_run(loop), 0); /* the timer is gone, so nothing is left */
    skua__loop_free(loop);
}

static void cancel_own(void *arg)
{
    struct longest *longest = arg;

    skua__fiber_cancel(skua__fiber_current());
    longest->result = skua_sleep(1000000000);
}

static void a_cancelled_fiber_leaves_no_timer_behind(void **state)
{
    struct longest longest = {.result = 1};

    (void)state;
    on_loop(cancel_own, &longest);
    assert_int_equal(longest.result, SKUA_ERR_CANCELED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sleepers_wake_in_the_order_of_their_times),
        cmocka_unit_test(equal_sleepers_wake_in_the_order_they_came),
        cmocka_unit_test(a_busy_turn_is_not_taken_off_the_sleep),
        cmocka_unit_test(the_longest_sleep_does_not_wrap_round),
        cmocka_unit_test(a_cancelled_fiber_leaves_no_timer_behind),
    };

    return cmocka_run_group_tests_name("async/sleep", tests, NULL, NULL);
}
