/* SPDX-License-Identifier: MIT */
/*
 * fiber_test.c - starting, waiting, resuming, cancelling, and what a switch keeps
 */
#include "async/on_loop.h"

#include "async/loop_private.h"
#include "async/tools.h"

#include <skua/err.h>

#include <errno.h>
#include <execinfo.h>
#include <fenv.h>
#include <stdio.h>
#include <string.h>

/* TSan counts each fiber as a thread and ends the program past 8,128 of them. */
#define MANY (SKUA__TSAN ? 2000 : 10000)

struct log {
    char text[64];
    size_t len;
};

static void note(struct log *log, char c)
{
    if (log->len < sizeof(log->text) - 1)
        log->text[log->len++] = c;
}

/* ---- starting and ending ---- */

static void do_nothing(void *arg)
{
    (void)arg;
}

static void count_up(void *arg)
{
    ++*(int *)arg;
}

static void a_fiber_that_does_not_wait_is_done_at_once(void **state)
{
    struct skua__loop *loop = new_loop();
    int count = 0;

    (void)state;
    assert_int_equal(skua__fiber_start(loop, NULL, count_up, count_up, &count), SKUA__FIBER_DONE);
    assert_int_equal(count, 1); /* fn, and not done */
    assert_null(skua__fiber_current());
    skua__loop_free(loop);
}

struct waiting {
    struct skua__fiber *fiber;
    struct log log;
    struct skua__fiber *current_in_fn;
    struct skua__fiber *current_in_done;
    struct skua__loop *loop_in_fn;
};

static void wait_once(void *arg)
{
    struct waiting *waiting = arg;

    waiting->current_in_fn = skua__fiber_current();
    waiting->loop_in_fn = skua__loop_current();
    note(&waiting->log, 'a');
    skua__fiber_wait(NULL, NULL);
    note(&waiting->log, 'b');
}

static void note_done(void *arg)
{
    struct waiting *waiting = arg;

    waiting->current_in_done = skua__fiber_current();
    note(&waiting->log, 'd');
}

static void a_fiber_that_waits_is_done_when_it_is_resumed(void **state)
{
    struct skua__loop *loop = new_loop();
    struct waiting waiting = {0};

    (void)state;
    assert_int_equal(skua__fiber_start(loop, &waiting.fiber, wait_once, note_done, &waiting),
                     SKUA__FIBER_WAITING);
    assert_string_equal(waiting.log.text, "a");
    assert_ptr_equal(waiting.current_in_fn, waiting.fiber);
    assert_ptr_equal(waiting.loop_in_fn, loop);
    assert_ptr_equal(skua__fiber_loop(waiting.fiber), loop);
    assert_null(skua__loop_current()); /* nobody runs the loop */

    skua__fiber_resume(waiting.fiber);
    assert_string_equal(waiting.log.text, "abd");
    assert_null(waiting.current_in_done);
    assert_int_equal(skua__loop_run(loop), 0);
    skua__loop_free(loop);
}

static long resident_pages(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    long size, resident = -1;

    if (file == NULL)
        return -1;
    if (fscanf(file, "%ld %ld", &size, &resident) != 2)
        resident = -1;
    fclose(file);
    return resident;
}

static void a_hundred_thousand_starts_use_one_stack(void **state)
{
    struct skua__loop *loop = new_loop();
    int count = 0;
    long before;

    (void)state;
    skua__fiber_start(loop, NULL, count_up, NULL, &count);
    before = resident_pages();
    for (int i = 1; i < 100000; i++)
        skua__fiber_start(loop, NULL, count_up, NULL, &count);
    assert_int_equal(count, 100000);
    assert_int_equal(loop->pool.made, 1);
    /* One page lost in a thousand starts would be 99. The tools allocate for themselves. */
    if (!SKUA__ASAN && !SKUA__TSAN)
        assert_true(resident_pages() - before < 99);
    skua__loop_free(loop);
}

struct sleeper {
    int *ended;
    int *failed;
    uint64_t ms;
};

static void sleep_and_count(void *arg)
{
    struct sleeper *sleeper = arg;

    if (skua_sleep(sleeper->ms) != 0)
        ++*sleeper->failed;
    ++*sleeper->ended;
}

static void ten_thousand_fibers_sleep_at_once(void **state)
{
    static struct sleeper sleepers[MANY];
    struct skua__loop *loop = new_loop();
    int ended = 0, failed = 0;

    (void)state;
    for (int i = 0; i < MANY; i++) {
        sleepers[i] =
            (struct sleeper){.ended = &ended, .failed = &failed, .ms = 1 + (uint64_t)i % 20};
        assert_int_equal(skua__fiber_start(loop, NULL, sleep_and_count, NULL, &sleepers[i]),
                         SKUA__FIBER_WAITING);
    }
    assert_int_equal(loop->pool.made, MANY);
    assert_int_equal(ended, 0);
    assert_int_equal(skua__loop_run(loop), 0);
    assert_int_equal(ended, MANY);
    assert_int_equal(failed, 0);
    assert_int_equal(loop->waiting, 0);
    skua__loop_free(loop);
}

static void no_more_fibers_than_the_limit(void **state)
{
    struct skua__loop_opts opts = {.max_fibers = 3};
    struct waiting waiting[4] = {0};
    struct skua__loop *loop;

    (void)state;
    assert_int_equal(skua__loop_new(&loop, &opts), 0);
    for (int i = 0; i < 3; i++)
        assert_int_equal(
            skua__fiber_start(loop, &waiting[i].fiber, wait_once, note_done, &waiting[i]),
            SKUA__FIBER_WAITING);
    assert_int_equal(skua__fiber_start(loop, &waiting[3].fiber, wait_once, note_done, &waiting[3]),
                     SKUA_ERR_NOMEM);
    assert_string_equal(waiting[3].log.text, "");

    skua__fiber_resume(waiting[0].fiber);
    assert_int_equal(skua__fiber_start(loop, &waiting[3].fiber, wait_once, note_done, &waiting[3]),
                     SKUA__FIBER_WAITING);
    for (int i = 1; i < 4; i++)
        skua__fiber_resume(waiting[i].fiber);
    skua__loop_free(loop);
}

struct from_fiber {
    struct skua__loop *loop;
    int result;
};

static void start_another(void *arg)
{
    struct from_fiber *test = arg;

    test->result = skua__fiber_start(test->loop, NULL, do_nothing, NULL, NULL);
}

static void a_fiber_does_not_start_another(void **state)
{
    struct from_fiber test = {.loop = new_loop()};

    (void)state;
    skua__fiber_start(test.loop, NULL, start_another, NULL, &test);
    assert_int_equal(test.result, SKUA_ERR_STATE);
    skua__loop_free(test.loop);
}

/* ---- resuming ---- */

struct pair {
    struct skua__fiber *first;
    struct log log;
};

static void first_of_pair(void *arg)
{
    struct pair *pair = arg;

    note(&pair->log, '1');
    skua__fiber_wait(NULL, NULL);
    note(&pair->log, '4');
}

static void second_of_pair(void *arg)
{
    struct pair *pair = arg;

    note(&pair->log, '2');
    skua__fiber_resume(pair->first);
    skua__fiber_resume(pair->first); /* it is ready already */
    note(&pair->log, '3');
}

static void a_fiber_resumed_by_another_runs_after_it(void **state)
{
    struct skua__loop *loop = new_loop();
    struct pair pair = {0};

    (void)state;
    skua__fiber_start(loop, &pair.first, first_of_pair, NULL, &pair);
    skua__fiber_start(loop, NULL, second_of_pair, NULL, &pair);
    assert_int_equal(skua__loop_run(loop), 0);
    assert_string_equal(pair.log.text, "1234");
    skua__loop_free(loop);
}

#define ROUNDS 1000000

struct echo {
    struct skua__fiber *fiber;
    struct echo *other;
    int rounds;
    int most;
    bool ended;
};

static void wake_each_other(void *arg)
{
    struct echo *echo = arg;

    skua__fiber_wait(NULL, NULL);
    while (echo->rounds < echo->most) {
        echo->rounds++;
        skua__fiber_resume(echo->other->fiber);
        skua__fiber_wait(NULL, NULL);
    }
    echo->ended = true;
    if (!echo->other->ended)
        skua__fiber_resume(echo->other->fiber);
}

static void start_pair(struct skua__loop *loop, struct echo *a, struct echo *b)
{
    a->other = b;
    b->other = a;
    skua__fiber_start(loop, &a->fiber, wake_each_other, NULL, a);
    skua__fiber_start(loop, &b->fiber, wake_each_other, NULL, b);
    skua__fiber_resume(a->fiber);
}

static void fibers_that_wake_each_other_take_turns(void **state)
{
    struct skua__loop *loop = new_loop();
    struct echo a = {.most = 1000}, b = {.most = 1000};

    (void)state;
    start_pair(loop, &a, &b);
    assert_int_equal(skua__loop_run(loop), 0);
    assert_int_equal(a.rounds, 1000);
    assert_int_equal(b.rounds, 1000);
    assert_int_equal(loop->waiting, 0);
    skua__loop_free(loop);
}

static void end_pair_after_a_millisecond(void *arg)
{
    struct echo *echo = arg;

    skua_sleep(1);
    echo->most = echo->other->most = 0;
}

static void fibers_that_wake_each_other_do_not_stop_the_clock(void **state)
{
    struct skua__loop *loop = new_loop();
    struct echo a = {.most = ROUNDS}, b = {.most = ROUNDS};

    (void)state;
    skua__fiber_start(loop, NULL, end_pair_after_a_millisecond, NULL, &a);
    start_pair(loop, &a, &b);
    assert_int_equal(skua__loop_run(loop), 0);
    assert_true(a.rounds < ROUNDS); /* a million turns of a loop take longer than that */
    skua__loop_free(loop);
}

/* ---- cancelling ---- */

struct cancelled {
    struct skua__fiber *fiber;
    bool at_shield;
    int first, second, yield, shielded, work;
};

static int return_seven(void *arg)
{
    (void)arg;
    return 7;
}

static void sleep_twice(void *arg)
{
    struct cancelled *test = arg;

    test->first = skua_sleep(1000000000);
    test->second = skua_sleep(1000000000);
    test->yield = skua_sleep(0);
    test->work = skua_work(return_seven, NULL);
    test->at_shield = true;
    test->shielded = skua__fiber_wait(NULL, NULL);
}

static void cancel_it(void *arg)
{
    struct cancelled *test = arg;

    skua__fiber_cancel(test->fiber);
    skua__fiber_cancel(test->fiber);
    while (!test->at_shield)
        skua_sleep(0);
    skua__fiber_cancel(test->fiber);
    test->shielded = -1;
    skua__fiber_resume(test->fiber);
}

static void a_cancelled_fiber_is_told_by_every_wait_but_the_shielded(void **state)
{
    struct skua__loop *loop = new_loop();
    struct cancelled test = {0};

    (void)state;
    assert_int_equal(skua__fiber_start(loop, &test.fiber, sleep_twice, NULL, &test), 0);
    skua__fiber_start(loop, NULL, cancel_it, NULL, &test);
    assert_int_equal(skua__loop_run(loop), 0);
    assert_int_equal(test.first, SKUA_ERR_CANCELED);
    assert_int_equal(test.second, SKUA_ERR_CANCELED);
    assert_int_equal(test.yield, SKUA_ERR_CANCELED);
    assert_int_equal(test.work, 7);
    assert_int_equal(test.shielded, 0);
    skua__loop_free(loop);
}

static void the_next_use_of_a_fiber_is_not_cancelled(void **state)
{
    struct skua__loop *loop = new_loop();
    struct cancelled test = {0};
    int ended = 0, failed = 0;
    struct sleeper sleeper = {.ended = &ended, .failed = &failed, .ms = 1};

    (void)state;
    skua__fiber_start(loop, &test.fiber, sleep_twice, NULL, &test);
    skua__fiber_start(loop, NULL, cancel_it, NULL, &test);
    skua__loop_run(loop);
    skua__fiber_start(loop, NULL, sleep_and_count, NULL, &sleeper);
    skua__loop_run(loop);
    assert_int_equal(ended, 1);
    assert_int_equal(failed, 0);
    assert_int_equal(loop->pool.made, 2);
    skua__loop_free(loop);
}

/* ---- what a switch keeps ---- */

struct kept {
    struct skua__fiber *fiber;
    int errno_after;
    int rounding_after;
    double third_up, third_after;
    long sum;
    double float_sum;
};

static void keep_things(void *arg)
{
    volatile double one = 1.0, three = 3.0;
    struct kept *kept = arg;

    errno = 4711;
    fesetround(FE_UPWARD);
    kept->third_up = one / three;
    skua__fiber_wait(NULL, NULL);
    kept->errno_after = errno;
    kept->rounding_after = fegetround();
    kept->third_after = one / three;
    fesetround(FE_TONEAREST);
}

static void a_switch_keeps_errno_and_floating_point_control(void **state)
{
    volatile double one = 1.0, three = 3.0;
    struct skua__loop *loop = new_loop();
    struct kept kept = {0};

    (void)state;
    errno = 42;
    skua__fiber_start(loop, &kept.fiber, keep_things, NULL, &kept);
    assert_int_equal(errno, 42);
    assert_int_equal(fegetround(), FE_TONEAREST);
    assert_true(one / three != kept.third_up); /* nearest rounds a third down */
    errno = 43;
    skua__fiber_resume(kept.fiber);
    assert_int_equal(errno, 43);
    assert_int_equal(fegetround(), FE_TONEAREST);
    assert_int_equal(kept.errno_after, 4711);
    assert_int_equal(kept.rounding_after, FE_UPWARD);
    assert_true(kept.third_after == kept.third_up);
    skua__loop_free(loop);
}

static void add_up_with_waits(void *arg)
{
    struct kept *kept = arg;
    long a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7;
    double t = 1, u = 2, v = 3, w = 4, x = 5, y = 6, z = 7;

    for (int i = 0; i < 3; i++) { /* more values than registers, all alive over the wait */
        skua__fiber_wait(NULL, NULL);
        a += b, b += c, c += d, d += e, e += f, f += g, g += a;
        t += u, u += v, v += w, w += x, x += y, y += z, z += t;
    }
    kept->sum = a + 2 * b + 3 * c + 5 * d + 7 * e + 11 * f + 13 * g;
    kept->float_sum = t + 2 * u + 3 * v + 5 * w + 7 * x + 11 * y + 13 * z;
}

static void a_switch_keeps_the_registers(void **state)
{
    struct skua__loop *loop = new_loop();
    struct kept here = {0}, there = {0};

    (void)state;
    skua__fiber_start(loop, &here.fiber, add_up_with_waits, NULL, &here);
    skua__fiber_start(loop, &there.fiber, add_up_with_waits, NULL, &there);
    for (int i = 0; i < 3; i++) {
        skua__fiber_resume(here.fiber);
        skua__fiber_resume(there.fiber);
    }
    assert_int_equal(here.sum, 1678);
    assert_int_equal(there.sum, 1678);
    assert_true(here.float_sum == 1678.0);
    assert_true(there.float_sum == 1678.0);
    skua__loop_free(loop);
}

struct walk {
    int depth;
    void *frames[64];
};

static void walk_up(void *arg)
{
    struct walk *walk = arg;

    walk->depth = backtrace(walk->frames, 64);
}

static void a_walk_up_the_stack_ends_where_the_fiber_begins(void **state)
{
    struct skua__loop *loop = new_loop();
    struct walk walk = {0};

    (void)state;
    skua__fiber_start(loop, NULL, walk_up, NULL, &walk);
    assert_in_range(walk.depth, 2, 5); /* walk_up, skua__fiber_main, the entry, a tool's frame */
    skua__loop_free(loop);
}

/* ---- the thread's own stack ---- */

struct errand_test {
    bool was_inside;
    int sleep_result, wait_result, work_result;
    int result, nested_result;
    struct skua__fiber *fiber;
    struct skua__fiber *current_inside, *current_after;
    struct skua__fiber *other;
    struct pair pair;
};

static bool is_on_stack_of(const struct skua__fiber *fiber, const void *ptr)
{
    uintptr_t low = (uintptr_t)fiber->context.low;

    return (uintptr_t)ptr - low < fiber->context.size;
}

static int run_errand(void *arg)
{
    struct errand_test *test = arg;
    char *frame = __builtin_frame_address(0);

    test->was_inside = is_on_stack_of(test->fiber, frame);
    test->current_inside = skua__fiber_current();
    test->sleep_result = skua_sleep(1);
    test->wait_result = skua__fiber_wait(NULL, NULL);
    test->work_result = skua_work(return_seven, NULL);
    test->nested_result = skua__on_thread_stack(return_seven, NULL);
    skua__fiber_resume(test->pair.first); /* on the thread's own stack it runs at once */
    note(&test->pair.log, 'e');
    return 99;
}

static void send_errand(void *arg)
{
    struct errand_test *test = arg;

    test->fiber = skua__fiber_current();
    test->result = skua__on_thread_stack(run_errand, test);
    test->current_after = skua__fiber_current();
    skua_sleep(0);
    test->result += skua__on_thread_stack(return_seven, NULL);
}

static void an_errand_runs_on_the_threads_own_stack(void **state)
{
    struct skua__loop *loop = new_loop();
    struct errand_test test = {.was_inside = true};

    (void)state;
    skua__fiber_start(loop, &test.pair.first, first_of_pair, NULL, &test.pair);
    skua__fiber_start(loop, NULL, send_errand, NULL, &test);
    assert_int_equal(skua__loop_run(loop), 0);
    assert_false(test.was_inside);
    assert_null(test.current_inside);
    assert_ptr_equal(test.current_after, test.fiber);
    assert_int_equal(test.sleep_result, SKUA_ERR_NO_FIBER);
    assert_int_equal(test.wait_result, SKUA_ERR_NO_FIBER);
    assert_int_equal(test.work_result, SKUA_ERR_NO_FIBER);
    assert_int_equal(test.nested_result, 7);
    assert_int_equal(test.result, 99 + 7);
    assert_string_equal(test.pair.log.text, "14e");
    skua__loop_free(loop);
}

static void outside_a_fiber_nothing_waits(void **state)
{
    (void)state;
    assert_int_equal(skua_sleep(1000), SKUA_ERR_NO_FIBER);
    assert_int_equal(skua_sleep(0), SKUA_ERR_NO_FIBER);
    assert_int_equal(skua_work(return_seven, NULL), SKUA_ERR_NO_FIBER);
    assert_int_equal(skua__fiber_wait(NULL, NULL), SKUA_ERR_NO_FIBER);
    assert_int_equal(skua__on_thread_stack(return_seven, NULL), 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fiber_that_does_not_wait_is_done_at_once),
        cmocka_unit_test(a_fiber_that_waits_is_done_when_it_is_resumed),
        cmocka_unit_test(a_hundred_thousand_starts_use_one_stack),
        cmocka_unit_test(ten_thousand_fibers_sleep_at_once),
        cmocka_unit_test(no_more_fibers_than_the_limit),
        cmocka_unit_test(a_fiber_does_not_start_another),
        cmocka_unit_test(a_fiber_resumed_by_another_runs_after_it),
        cmocka_unit_test(fibers_that_wake_each_other_take_turns),
        cmocka_unit_test(fibers_that_wake_each_other_do_not_stop_the_clock),
        cmocka_unit_test(a_cancelled_fiber_is_told_by_every_wait_but_the_shielded),
        cmocka_unit_test(the_next_use_of_a_fiber_is_not_cancelled),
        cmocka_unit_test(a_switch_keeps_errno_and_floating_point_control),
        cmocka_unit_test(a_switch_keeps_the_registers),
        cmocka_unit_test(a_walk_up_the_stack_ends_where_the_fiber_begins),
        cmocka_unit_test(an_errand_runs_on_the_threads_own_stack),
        cmocka_unit_test(outside_a_fiber_nothing_waits),
    };

    return cmocka_run_group_tests_name("async/fiber", tests, NULL, NULL);
}
