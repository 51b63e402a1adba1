/* SPDX-License-Identifier: MIT */
/*
 * loop_test.c - posting from other threads, stopping, and what keeps a loop running
 */
#include "async/on_loop.h"

#include "async/loop_private.h"

#include <skua/err.h>

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>

#define POSTERS 4
#define POSTS   10000

struct poster;

struct post {
    struct skua__task task;
    struct poster *poster;
    int number;
};

struct poster {
    struct skua__loop *loop;
    int *left; /* of all posters */
    int next;  /* expected */
    int misplaced;
    struct post posts[POSTS];
};

static void take_post(struct skua__task *task)
{
    struct post *post = (struct post *)(void *)task;
    struct poster *poster = post->poster;

    if (post->number != poster->next || skua__loop_current() != poster->loop)
        poster->misplaced++;
    poster->next++;
    if (--*poster->left == 0)
        skua__loop_stop(poster->loop);
}

static void *post_all(void *arg)
{
    struct poster *poster = arg;

    for (int i = 0; i < POSTS; i++) {
        poster->posts[i] = (struct post){{.run = take_post}, poster, i};
        skua__loop_post(poster->loop, &poster->posts[i].task);
    }
    return NULL;
}

static void never(uv_timer_t *timer)
{
    (void)timer;
}

static void posts_of_four_threads_all_run_in_the_order_of_each(void **state)
{
    struct skua__loop *loop = new_loop();
    struct poster *posters = calloc(POSTERS, sizeof(*posters));
    pthread_t threads[POSTERS];
    int left = POSTERS * POSTS;
    uv_timer_t timer; /* keeps the loop running until it is stopped */

    (void)state;
    assert_non_null(posters);
    uv_timer_init(skua__loop_uv(loop), &timer);
    uv_timer_start(&timer, never, 1000000000, 0);
    for (int i = 0; i < POSTERS; i++) {
        posters[i].loop = loop;
        posters[i].left = &left;
        assert_int_equal(pthread_create(&threads[i], NULL, post_all, &posters[i]), 0);
    }
    assert_int_equal(skua__loop_run(loop), 0);
    for (int i = 0; i < POSTERS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(posters[i].next, POSTS);
        assert_int_equal(posters[i].misplaced, 0);
    }
    assert_int_equal(left, 0);
    skua__loop_free(loop);
    free(posters);
}

struct again {
    struct skua__task task;
    struct skua__loop *loop;
    int left;
};

static void post_again(struct skua__task *task)
{
    struct again *again = (struct again *)(void *)task;

    if (--again->left > 0)
        skua__loop_post(again->loop, task);
}

static void a_loop_runs_what_was_posted_before_and_then_ends(void **state)
{
    struct again again = {.task = {.run = post_again}, .loop = new_loop(), .left = 5};

    (void)state;
    skua__loop_post(again.loop, &again.task);
    assert_int_equal(again.left, 5);
    assert_int_equal(skua__loop_run(again.loop), 0);
    assert_int_equal(again.left, 0);
    skua__loop_free(again.loop);
}

static void freeing_a_loop_runs_what_was_posted(void **state)
{
    struct again again = {.task = {.run = post_again}, .loop = new_loop(), .left = 3};

    (void)state;
    skua__loop_post(again.loop, &again.task);
    skua__loop_free(again.loop);
    assert_int_equal(again.left, 0);
}

static void *stop_it(void *arg)
{
    skua__loop_stop(arg);
    return NULL;
}

static void another_thread_stops_the_loop(void **state)
{
    struct skua__loop *loop = new_loop();
    uv_timer_t timer;
    pthread_t thread;

    (void)state;
    uv_timer_init(skua__loop_uv(loop), &timer);
    uv_timer_start(&timer, never, 1000000000, 0);
    assert_int_equal(pthread_create(&thread, NULL, stop_it, loop), 0);
    assert_int_equal(skua__loop_run(loop), 0); /* whichever came first, the stop is not lost */
    pthread_join(thread, NULL);

    skua__loop_stop(loop);
    assert_int_equal(skua__loop_run(loop), 0);
    assert_true(uv_is_active((uv_handle_t *)&timer));
    skua__loop_free(loop);
}

static void stop_after_a_wait(void *arg)
{
    struct again *again = arg;

    skua_sleep(1);
    again->left--;
    skua__loop_stop(again->loop);
}

static void a_stopped_loop_can_run_again(void **state)
{
    struct again again = {.loop = new_loop(), .left = 2};
    uv_timer_t timer;

    (void)state;
    uv_timer_init(skua__loop_uv(again.loop), &timer);
    uv_timer_start(&timer, never, 1000000000, 0);
    for (int left = 1; left >= 0; left--) {
        skua__fiber_start(again.loop, NULL, stop_after_a_wait, NULL, &again);
        assert_int_equal(skua__loop_run(again.loop), 0);
        assert_int_equal(again.left, left);
    }
    skua__loop_free(again.loop);
}

struct far {
    struct skua__task task;
    struct skua__fiber *fiber;
    bool went_on;
};

static void wait_for_far(void *arg)
{
    struct far *far = arg;

    skua__fiber_wait(NULL, NULL);
    far->went_on = true;
}

static void resume_far(struct skua__task *task)
{
    skua__fiber_resume(((struct far *)(void *)task)->fiber);
}

static void *post_far(void *arg)
{
    struct far *far = arg;

    skua__loop_post(skua__fiber_loop(far->fiber), &far->task);
    return NULL;
}

static void a_waiting_fiber_keeps_its_loop_running(void **state)
{
    struct skua__loop *loop = new_loop();
    struct far far = {.task = {.run = resume_far}};
    pthread_t thread;

    (void)state;
    skua__fiber_start(loop, &far.fiber, wait_for_far, NULL, &far);
    assert_int_equal(pthread_create(&thread, NULL, post_far, &far), 0);
    assert_int_equal(skua__loop_run(loop), 0); /* nothing else is there to wait for */
    assert_true(far.went_on);
    pthread_join(thread, NULL);
    skua__loop_free(loop);
}

struct nested {
    struct skua__task task;
    struct skua__loop *loop;
    int result;
    int slept;
    struct skua__loop *current;
};

static void run_own_loop(struct skua__task *task)
{
    struct nested *nested = (struct nested *)(void *)task;

    nested->result = skua__loop_run(nested->loop);
    nested->current = skua__loop_current();
}

static void a_loop_is_not_run_inside_itself(void **state)
{
    struct nested nested = {.task = {.run = run_own_loop}, .loop = new_loop()};

    (void)state;
    skua__loop_post(nested.loop, &nested.task);
    assert_int_equal(skua__loop_run(nested.loop), 0);
    assert_int_equal(nested.result, SKUA_ERR_STATE);
    assert_ptr_equal(nested.current, nested.loop);
    assert_null(skua__loop_current());
    skua__loop_free(nested.loop);
}

static void sleep_a_little(void *arg)
{
    struct nested *nested = arg;

    nested->slept = skua_sleep(1);
}

static void run_other_loop(void *arg)
{
    struct nested *nested = arg;
    struct skua__loop *mine = skua__loop_current();

    skua__fiber_start(nested->loop, NULL, sleep_a_little, NULL, nested);
    nested->result = skua__loop_run(nested->loop);
    nested->current = skua__loop_current() == mine ? mine : NULL;
}

static void a_loop_runs_inside_another(void **state)
{
    struct nested nested = {.loop = new_loop(), .result = 1, .slept = 1};

    (void)state;
    on_loop(run_other_loop, &nested);
    assert_int_equal(nested.result, 0);
    assert_int_equal(nested.slept, 0);
    assert_non_null(nested.current);
    skua__loop_free(nested.loop);
}

static void two_loops_live_side_by_side_on_one_thread(void **state)
{
    struct skua__loop *a = new_loop(), *b = new_loop();
    struct far on_a = {.went_on = false}, on_b = {.went_on = false};

    (void)state;
    skua__fiber_start(a, &on_a.fiber, wait_for_far, NULL, &on_a);
    skua__fiber_start(b, &on_b.fiber, wait_for_far, NULL, &on_b);
    skua__fiber_resume(on_a.fiber);
    assert_true(on_a.went_on);
    assert_false(on_b.went_on);
    skua__fiber_resume(on_b.fiber);
    assert_true(on_b.went_on);
    skua__loop_free(a);
    skua__loop_free(b);
    skua__loop_free(NULL);
}

static void without_descriptors_there_is_no_loop(void **state)
{
    struct rlimit before, none;
    struct skua__loop *loop = (struct skua__loop *)(void *)state;
    int err;

    (void)state;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    none = (struct rlimit){.rlim_cur = 0, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    err = skua__loop_new(&loop, NULL);
    setrlimit(RLIMIT_NOFILE, &before);
    assert_int_equal(err, -EMFILE);
    assert_null(loop);
}

static void run_loop_of_own(void *arg)
{
    struct nested *nested = arg;

    nested->result = skua__loop_run(nested->loop);
}

static void a_fiber_does_not_run_its_own_loop(void **state)
{
    struct nested nested = {.loop = new_loop()};

    (void)state;
    skua__fiber_start(nested.loop, NULL, run_loop_of_own, NULL, &nested);
    assert_int_equal(nested.result, SKUA_ERR_STATE);
    skua__loop_free(nested.loop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(posts_of_four_threads_all_run_in_the_order_of_each),
        cmocka_unit_test(a_loop_runs_what_was_posted_before_and_then_ends),
        cmocka_unit_test(freeing_a_loop_runs_what_was_posted),
        cmocka_unit_test(another_thread_stops_the_loop),
        cmocka_unit_test(a_stopped_loop_can_run_again),
        cmocka_unit_test(a_waiting_fiber_keeps_its_loop_running),
        cmocka_unit_test(a_loop_is_not_run_inside_itself),
        cmocka_unit_test(a_loop_runs_inside_another),
        cmocka_unit_test(a_fiber_does_not_run_its_own_loop),
        cmocka_unit_test(without_descriptors_there_is_no_loop),
        cmocka_unit_test(two_loops_live_side_by_side_on_one_thread),
    };

    return cmocka_run_group_tests_name("async/loop", tests, NULL, NULL);
}
