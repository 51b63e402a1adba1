/* SPDX-License-Identifier: MIT */
/*
 * work_test.c - blocking calls on the thread pool
 */
#include "async/on_loop.h"

#include <skua/err.h>

#include <pthread.h>
#include <stdatomic.h>

struct job {
    pthread_t thread;
    int input;
    int output;
    struct skua__loop *loop;
    struct skua__fiber *fiber;
};

struct test {
    struct job job;
    int result;
    pthread_t thread;
    pthread_t thread_after;
};

static int square(void *arg)
{
    struct job *job = arg;

    job->thread = pthread_self();
    job->output = job->input * job->input;
    job->loop = skua__loop_current();
    job->fiber = skua__fiber_current();
    return job->input + 1;
}

static void send_work(void *arg)
{
    struct test *test = arg;

    test->thread = pthread_self();
    test->job.input = 12;
    test->result = skua_work(square, &test->job);
    test->thread_after = pthread_self();
}

static void work_runs_on_another_thread_and_brings_its_result_back(void **state)
{
    struct test test = {0};

    (void)state;
    on_loop(send_work, &test);
    assert_int_equal(test.result, 13);
    assert_int_equal(test.job.output, 144);
    assert_false(pthread_equal(test.job.thread, test.thread));
    assert_true(pthread_equal(test.thread_after, test.thread));
    assert_null(test.job.loop);
    assert_null(test.job.fiber);
}

static int wait_in_pool(void *arg)
{
    (void)arg;
    return skua_sleep(1);
}

static void send_sleep(void *arg)
{
    *(int *)arg = skua_work(wait_in_pool, NULL);
}

static void a_call_that_waits_on_the_pool_is_refused(void **state)
{
    int result = 0;

    (void)state;
    on_loop(send_sleep, &result);
    assert_int_equal(result, SKUA_ERR_NO_FIBER);
}

struct crowd {
    struct skua__loop *loop;
    atomic_int calls;
    int ended;
};

static int count_call(void *arg)
{
    struct crowd *crowd = arg;

    return atomic_fetch_add(&crowd->calls, 1);
}

static void send_call(void *arg)
{
    struct crowd *crowd = arg;

    if (skua_work(count_call, crowd) >= 0)
        crowd->ended++;
}

static void a_thousand_fibers_share_the_pool(void **state)
{
    struct crowd crowd = {.loop = new_loop()};

    (void)state;
    for (int i = 0; i < 1000; i++)
        assert_int_equal(skua__fiber_start(crowd.loop, NULL, send_call, NULL, &crowd),
                         SKUA__FIBER_WAITING);
    assert_int_equal(skua__loop_run(crowd.loop), 0);
    assert_int_equal(crowd.calls, 1000);
    assert_int_equal(crowd.ended, 1000);
    skua__loop_free(crowd.loop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_runs_on_another_thread_and_brings_its_result_back),
        cmocka_unit_test(a_call_that_waits_on_the_pool_is_refused),
        cmocka_unit_test(a_thousand_fibers_share_the_pool),
    };

    return cmocka_run_group_tests_name("async/work", tests, NULL, NULL);
}
