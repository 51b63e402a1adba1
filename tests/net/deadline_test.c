/* SPDX-License-Identifier: MIT */
/*
 * deadline_test.c - deadlines pass in order, not early, and not after they were cleared
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "net/deadline.h"

#include <string.h>
#include <time.h>
#include <uv.h>

struct clock_under_test {
    struct skua__loop *loop;
    struct skua__deadlines deadlines;
    struct skua__deadline all[4];
    struct skua__task task;
    uv_timer_t alive; /* as a listener would, it keeps the loop running: the deadlines do not */
    int passed[4];
    uint64_t at[4];
    int count;
    int wanted;
};

static struct clock_under_test test;

static uint64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void note_passed(struct skua__deadline *deadline)
{
    int which = (int)(deadline - test.all);

    test.passed[test.count] = which;
    test.at[test.count++] = now_ms();
    if (test.count == test.wanted)
        skua__loop_stop(test.loop);
}

static void give_up(uv_timer_t *timer)
{
    (void)timer;
    fail_msg("only %d of %d deadlines passed", test.count, test.wanted);
}

static int open_loop(void **state)
{
    static const uint32_t timeouts[SKUA__DEADLINE_COUNT] = {[SKUA__DEADLINE_IDLE] = 60,
                                                            [SKUA__DEADLINE_REQUEST] = 20,
                                                            [SKUA__DEADLINE_WRITE] = 100,
                                                            [SKUA__DEADLINE_LINGER] = 40};

    (void)state;
    memset(&test, 0, sizeof(test));
    assert_int_equal(skua__loop_new(&test.loop, NULL), 0);
    assert_int_equal(skua__deadlines_init(&test.deadlines, test.loop, timeouts, note_passed), 0);
    for (int i = 0; i < 4; i++)
        skua__deadline_init(&test.all[i]);
    assert_int_equal(uv_timer_init(skua__loop_uv(test.loop), &test.alive), 0);
    assert_int_equal(uv_timer_start(&test.alive, give_up, 10000, 0), 0);
    return 0;
}

static int close_loop(void **state)
{
    (void)state;
    uv_close((uv_handle_t *)&test.alive, NULL);
    skua__deadlines_finish(&test.deadlines);
    skua__loop_free(test.loop);
    return 0;
}

static void run_set_up(void (*set_up)(struct skua__task *task), int wanted)
{
    test.wanted = wanted;
    test.task.run = set_up;
    skua__loop_post(test.loop, &test.task);
    assert_int_equal(skua__loop_run(test.loop), 0);
}

static uint64_t started;

static void set_one_of_each(struct skua__task *task)
{
    (void)task;
    started = now_ms();
    skua__deadline_set(&test.deadlines, &test.all[0], SKUA__DEADLINE_WRITE);
    skua__deadline_set(&test.deadlines, &test.all[1], SKUA__DEADLINE_IDLE);
    skua__deadline_set(&test.deadlines, &test.all[2], SKUA__DEADLINE_REQUEST);
    skua__deadline_set(&test.deadlines, &test.all[3], SKUA__DEADLINE_LINGER);
}

static void each_kind_has_its_own_length(void **state)
{
    static const int order[4] = {2, 3, 1, 0};
    static const uint64_t lengths[4] = {20, 40, 60, 100};

    (void)state;
    run_set_up(set_one_of_each, 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(test.passed[i], order[i]);
        assert_true(test.at[i] - started + 1 >= lengths[i]); /* never early */
    }
}

static void set_and_change_one(struct skua__task *task)
{
    (void)task;
    skua__deadline_set(&test.deadlines, &test.all[0], SKUA__DEADLINE_REQUEST);
    skua__deadline_set(&test.deadlines, &test.all[1], SKUA__DEADLINE_REQUEST);
    skua__deadline_set(&test.deadlines, &test.all[2], SKUA__DEADLINE_REQUEST);
    skua__deadline_set(&test.deadlines, &test.all[0], SKUA__DEADLINE_REQUEST); /* again: now last */
    skua__deadline_clear(&test.all[1]);
    skua__deadline_clear(&test.all[1]); /* harmless */
}

static void setting_again_moves_behind_and_clearing_takes_out(void **state)
{
    (void)state;
    run_set_up(set_and_change_one, 2);
    assert_int_equal(test.passed[0], 2);
    assert_int_equal(test.passed[1], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_kind_has_its_own_length, open_loop, close_loop),
        cmocka_unit_test_setup_teardown(setting_again_moves_behind_and_clearing_takes_out,
                                        open_loop, close_loop),
    };

    return cmocka_run_group_tests_name("deadlines", tests, NULL, NULL);
}
