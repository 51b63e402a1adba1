/* SPDX-License-Identifier: MIT */
/*
 * flight_test.c - many ask, one does the work, all get its result
 */
#include "async/on_loop.h"

#include "async/flight.h"
#include "async/loop_private.h"

#include <skua/err.h>

#include <pthread.h>
#include <string.h>

#define MANY 1000

struct test {
    struct skua__flight flight;
    atomic_int calls;
    int give;
};

struct asker {
    struct test *test;
    struct skua__fiber *fiber;
    int *ended;
    int result;
    int after; /* of a wait after it */
};

static int work_slowly(void *arg)
{
    struct test *test = arg;

    atomic_fetch_add(&test->calls, 1);
    skua_sleep(5);
    return test->give;
}

static void ask(void *arg)
{
    struct asker *asker = arg;

    asker->result = skua__flight_do(&asker->test->flight, work_slowly, asker->test);
    asker->after = skua_sleep(0);
    if (asker->ended != NULL)
        ++*asker->ended;
}

static void write_over(void *arg)
{
    char large[8192];

    (void)arg;
    explicit_bzero(large, sizeof(large));
}

/* Whoever still thinks of the fiber that ended last finds nothing on its stack. */
static void use_last_stack(struct skua__loop *loop)
{
    assert_int_equal(skua__fiber_start(loop, NULL, write_over, NULL, NULL), SKUA__FIBER_DONE);
}

static void init(struct test *test, int give)
{
    *test = (struct test){.give = give};
    assert_int_equal(skua__flight_init(&test->flight), 0);
}

static void ask_from_all_fibers(int give)
{
    static struct asker askers[MANY];
    struct skua__loop *loop = new_loop();
    struct test test;

    init(&test, give);
    for (int i = 0; i < MANY; i++) {
        askers[i] = (struct asker){.test = &test, .result = -1};
        assert_int_equal(skua__fiber_start(loop, NULL, ask, NULL, &askers[i]), SKUA__FIBER_WAITING);
    }
    assert_int_equal(skua__loop_run(loop), 0);
    assert_int_equal(test.calls, 1);
    for (int i = 0; i < MANY; i++)
        assert_int_equal(askers[i].result, give);

    askers[0].result = -1;
    skua__fiber_start(loop, NULL, ask, NULL, &askers[0]);
    assert_int_equal(askers[0].result, give); /* at once */
    assert_int_equal(skua__loop_run(loop), 0);
    assert_int_equal(test.calls, 1);
    skua__flight_finish(&test.flight);
    skua__loop_free(loop);
}

static void a_thousand_fibers_cause_one_call(void **state)
{
    (void)state;
    ask_from_all_fibers(0);
}

static void an_error_is_shared_too(void **state)
{
    (void)state;
    ask_from_all_fibers(SKUA_ERR_TEMPLATE);
}

struct worker {
    struct asker askers[MANY / 10];
    struct test *test;
    pthread_barrier_t *start;
    int failed;
};

static void *ask_from_thread(void *arg)
{
    struct worker *worker = arg;
    struct skua__loop *loop;
    int most = (int)(sizeof(worker->askers) / sizeof(worker->askers[0]));

    if (skua__loop_new(&loop, NULL) != 0) {
        worker->failed = 1;
        loop = NULL;
    }
    pthread_barrier_wait(worker->start);
    if (loop == NULL)
        return NULL;
    for (int i = 0; i < most; i++) {
        worker->askers[i] = (struct asker){.test = worker->test, .result = -1};
        worker->failed += skua__fiber_start(loop, NULL, ask, NULL, &worker->askers[i]) < 0;
    }
    skua__loop_run(loop);
    for (int i = 0; i < most; i++)
        worker->failed += worker->askers[i].result != worker->test->give;
    skua__loop_free(loop);
    return NULL;
}

static void two_loops_cause_one_call(void **state)
{
    (void)state;
    for (int round = 0; round < 20; round++) {
        struct test test;
        pthread_barrier_t start;
        pthread_t threads[2];
        struct worker workers[2] = {{.test = &test, .start = &start},
                                    {.test = &test, .start = &start}};

        init(&test, round);
        pthread_barrier_init(&start, NULL, 2);
        for (int i = 0; i < 2; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, ask_from_thread, &workers[i]), 0);
        for (int i = 0; i < 2; i++)
            pthread_join(threads[i], NULL);
        assert_int_equal(workers[0].failed + workers[1].failed, 0);
        assert_int_equal(test.calls, 1);
        pthread_barrier_destroy(&start);
        skua__flight_finish(&test.flight);
    }
}

static void a_cancelled_waiter_leaves_the_others_waiting(void **state)
{
    struct skua__loop *loop = new_loop();
    struct asker askers[4];
    struct test test;
    int ended = 0;

    (void)state;
    init(&test, 5);
    for (int i = 0; i < 4; i++) {
        askers[i] = (struct asker){.test = &test, .ended = &ended, .result = -1};
        skua__fiber_start(loop, &askers[i].fiber, ask, NULL, &askers[i]);
    }
    skua__fiber_cancel(askers[2].fiber);
    assert_int_equal(ended, 1);
    assert_int_equal(askers[2].result, SKUA_ERR_CANCELED);
    use_last_stack(loop);
    assert_int_equal(skua__loop_run(loop), 0);
    assert_int_equal(ended, 4);
    assert_int_equal(askers[0].result, 5);
    assert_int_equal(askers[1].result, 5);
    assert_int_equal(askers[3].result, 5);
    assert_int_equal(test.calls, 1);
    skua__flight_finish(&test.flight);
    skua__loop_free(loop);
}

static void the_runner_is_not_cancelled_for_the_others(void **state)
{
    struct skua__loop *loop = new_loop();
    struct asker askers[2];
    struct test test;
    int ended = 0;

    (void)state;
    init(&test, 5);
    for (int i = 0; i < 2; i++) {
        askers[i] = (struct asker){.test = &test, .ended = &ended, .result = -1};
        skua__fiber_start(loop, &askers[i].fiber, ask, NULL, &askers[i]);
    }
    skua__fiber_cancel(askers[0].fiber);
    assert_int_equal(ended, 0);
    assert_int_equal(skua__loop_run(loop), 0);
    assert_int_equal(askers[0].result, 5);
    assert_int_equal(askers[0].after, SKUA_ERR_CANCELED);
    assert_int_equal(askers[1].result, 5);
    assert_int_equal(askers[1].after, 0);
    skua__flight_finish(&test.flight);
    skua__loop_free(loop);
}

static void ask_cancelled(void *arg)
{
    skua__fiber_cancel(skua__fiber_current());
    ask(arg);
}

static void a_fiber_cancelled_before_does_not_wait(void **state)
{
    struct skua__loop *loop = new_loop();
    struct asker first, second;
    struct test test;

    (void)state;
    init(&test, 5);
    first = second = (struct asker){.test = &test, .result = -1};
    skua__fiber_start(loop, NULL, ask, NULL, &first);
    assert_int_equal(skua__fiber_start(loop, NULL, ask_cancelled, NULL, &second), SKUA__FIBER_DONE);
    assert_int_equal(second.result, SKUA_ERR_CANCELED);
    use_last_stack(loop);
    assert_int_equal(skua__loop_run(loop), 0);
    assert_int_equal(first.result, 5);
    skua__flight_finish(&test.flight);
    skua__loop_free(loop);
}

static int count_call(void *arg)
{
    struct test *test = arg;

    test->calls++;
    return test->give;
}

static void off_a_fiber_only_the_first_works(void **state)
{
    struct skua__loop *loop = new_loop();
    struct asker asker;
    struct test test;

    (void)state;
    init(&test, 5);
    assert_int_equal(skua__flight_do(&test.flight, count_call, &test), 5);
    assert_int_equal(skua__flight_do(&test.flight, count_call, &test), 5);
    assert_int_equal(test.calls, 1);
    skua__flight_finish(&test.flight);

    init(&test, 6);
    asker = (struct asker){.test = &test};
    skua__fiber_start(loop, NULL, ask, NULL, &asker);
    assert_int_equal(skua__flight_do(&test.flight, count_call, &test), SKUA_ERR_NO_FIBER);
    assert_int_equal(skua__loop_run(loop), 0);
    assert_int_equal(skua__flight_do(&test.flight, count_call, &test), 6);
    assert_int_equal(test.calls, 1);
    skua__flight_finish(&test.flight);
    skua__loop_free(loop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thousand_fibers_cause_one_call),
        cmocka_unit_test(an_error_is_shared_too),
        cmocka_unit_test(two_loops_cause_one_call),
        cmocka_unit_test(a_cancelled_waiter_leaves_the_others_waiting),
        cmocka_unit_test(the_runner_is_not_cancelled_for_the_others),
        cmocka_unit_test(a_fiber_cancelled_before_does_not_wait),
        cmocka_unit_test(off_a_fiber_only_the_first_works),
    };

    return cmocka_run_group_tests_name("async/flight", tests, NULL, NULL);
}
