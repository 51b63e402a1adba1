/* SPDX-License-Identifier: MIT */
/*
 * local_test.c - who sees which value, and for how long
 */
#include "async/on_loop.h"

#include "async/loop_private.h"

#include <skua/err.h>

#include <pthread.h>

static char red[] = "red", green[] = "green", blue[] = "blue";

struct test {
    struct skua__locals *table, *other_table;
    skua_local *color, *shape, *foreign;
    struct skua__loop *loop;
    void *seen[16];
    size_t count;
    int result;
};

static void look(struct test *test)
{
    if (test->count < sizeof(test->seen) / sizeof(test->seen[0]))
        test->seen[test->count++] = skua_local_get(test->color);
}

static struct test *open_test(void **state)
{
    static struct test test;

    test = (struct test){.table = skua__locals_new(), .other_table = skua__locals_new()};
    test.color = skua__locals_add(test.table, "color");
    test.shape = skua__locals_add(test.table, "shape");
    test.foreign = skua__locals_add(test.other_table, "foreign");
    test.loop = new_loop();
    assert_non_null(test.foreign);
    *state = &test;
    return &test;
}

/* Run `fn` on a fiber until nothing is left to do, then free everything. */
static void run_and_free(struct test *test, void (*fn)(void *arg))
{
    assert_true(skua__fiber_start(test->loop, NULL, fn, NULL, test) >= 0);
    assert_int_equal(skua__loop_run(test->loop), 0);
    assert_null(test->loop->frame);
    skua__loop_free(test->loop);
    skua__locals_free(test->table);
    skua__locals_free(test->other_table);
}

static void assert_seen(const struct test *test, size_t count, char *const expected[])
{
    assert_int_equal(test->count, count);
    for (size_t i = 0; i < count; i++)
        assert_ptr_equal(test->seen[i], expected[i]);
}

#define assert_colors(test, ...) \
    assert_seen(test, sizeof((char *[]){__VA_ARGS__}) / sizeof(char *), (char *[]){__VA_ARGS__})

/* ---- nesting ---- */

static int look_once(void *arg)
{
    look(arg);
    return 0;
}

static int look_around_green(void *arg)
{
    struct test *test = arg;

    look(test);
    skua_local_run(test->color, green, look_once, test);
    look(test);
    skua_local_run(test->shape, blue, look_once, test); /* another key leaves this one alone */
    return 17;
}

static void nest(void *arg)
{
    struct test *test = arg;

    look(test);
    test->result = skua_local_run(test->color, red, look_around_green, test);
    look(test);
}

static void a_value_is_bound_for_the_length_of_the_call(void **state)
{
    struct test *test = open_test(state);

    run_and_free(test, nest);
    assert_int_equal(test->result, 17);
    assert_colors(test, NULL, red, green, red, red, NULL);
}

/* ---- other apps ---- */

static int look_for_foreign(void *arg)
{
    struct test *test = arg;

    test->seen[test->count++] = skua_local_get(test->foreign);
    look(test);
    return 0;
}

static int bind_foreign(void *arg)
{
    struct test *test = arg;

    look_for_foreign(test);
    skua_local_run(test->foreign, blue, look_for_foreign, test);
    return look_for_foreign(test);
}

static void meet_foreign(void *arg)
{
    struct test *test = arg;

    skua_local_run(test->color, red, bind_foreign, test);
}

static void another_apps_key_sees_nothing(void **state)
{
    struct test *test = open_test(state);

    run_and_free(test, meet_foreign);
    assert_colors(test, NULL, red, blue, NULL, NULL, red);
}

/* ---- following the work ---- */

static int look_through_waits(void *arg)
{
    struct test *test = arg;

    skua_sleep(2);
    look(test);
    skua_sleep(0);
    look(test);
    skua_work(look_once, test); /* on the pool it is seen too */
    look(test);
    skua__on_thread_stack(look_once, test);
    return 0;
}

static void wait_in_green(void *arg)
{
    struct test *test = arg;

    skua_local_run(test->color, green, look_through_waits, test);
    look(test);
}

static void a_value_is_there_after_every_wait(void **state)
{
    struct test *test = open_test(state);

    run_and_free(test, wait_in_green);
    assert_colors(test, green, green, green, green, green, NULL);
}

struct sibling {
    struct test *test;
    char *value;
    int wrong;
};

static int look_often(void *arg)
{
    struct sibling *sibling = arg;

    for (int i = 0; i < 50; i++) {
        sibling->wrong += skua_local_get(sibling->test->color) != sibling->value;
        skua_sleep((uint64_t)i % 2);
    }
    return 0;
}

static void bind_and_look_often(void *arg)
{
    struct sibling *sibling = arg;

    skua_local_run(sibling->test->color, sibling->value, look_often, sibling);
}

static void siblings_do_not_see_each_other(void **state)
{
    struct test *test = open_test(state);
    struct sibling siblings[] = {{test, red, 0}, {test, green, 0}, {test, blue, 0}};

    for (int i = 0; i < 3; i++)
        skua__fiber_start(test->loop, NULL, bind_and_look_often, NULL, &siblings[i]);
    run_and_free(test, nest);
    for (int i = 0; i < 3; i++)
        assert_int_equal(siblings[i].wrong, 0);
}

/* ---- fibers and tasks started inside ---- */

struct later {
    struct skua__task task;
    struct test *test;
};

static void look_later(void *arg)
{
    skua_sleep(2); /* the run it was started in is over by now */
    look(arg);
}

static void start_inside(void *arg)
{
    struct test *test = arg;

    skua__fiber_start(test->loop, NULL, look_later, NULL, test);
    look(test);
}

static int start_errand(void *arg)
{
    start_inside(arg);
    return 0;
}

static int start_on_thread_stack(void *arg)
{
    return skua__on_thread_stack(start_errand, arg);
}

static void bind_and_start(void *arg)
{
    struct test *test = arg;

    skua_local_run(test->color, red, start_on_thread_stack, test);
    look(test);
}

static void a_fiber_keeps_the_values_it_was_started_with(void **state)
{
    struct test *test = open_test(state);

    run_and_free(test, bind_and_start);
    assert_colors(test, red, NULL, red);
}

static void look_in_task(struct skua__task *task)
{
    look(((struct later *)(void *)task)->test);
}

static struct later later;

static int post_inside(void *arg)
{
    later = (struct later){{.run = look_in_task}, arg};
    skua__loop_post(later.test->loop, &later.task);
    return 0;
}

static void bind_and_post(void *arg)
{
    struct test *test = arg;

    skua_local_run(test->color, blue, post_inside, test);
    look(test);
    skua_sleep(0);
    look(test);
}

static void a_task_runs_with_the_values_of_its_poster(void **state)
{
    struct test *test = open_test(state);

    run_and_free(test, bind_and_post);
    assert_colors(test, NULL, blue, NULL);
}

static void *post_from_thread(void *arg)
{
    post_inside(arg);
    return NULL;
}

static int post_from_elsewhere(void *arg)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, post_from_thread, arg) == 0)
        pthread_join(thread, NULL);
    return 0;
}

static void bind_and_post_from_elsewhere(void *arg)
{
    struct test *test = arg;

    skua_local_run(test->color, blue, post_from_elsewhere, test);
}

static void a_task_from_another_thread_runs_without_values(void **state)
{
    struct test *test = open_test(state);

    run_and_free(test, bind_and_post_from_elsewhere);
    assert_colors(test, NULL);
}

static void off_a_loop_there_is_nothing_to_bind_to(void **state)
{
    struct test *test = open_test(state);

    assert_int_equal(skua_local_run(test->color, red, look_once, test), SKUA_ERR_NO_FIBER);
    assert_int_equal(test->count, 0);
    assert_null(skua_local_get(test->color));
    run_and_free(test, nest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_is_bound_for_the_length_of_the_call),
        cmocka_unit_test(another_apps_key_sees_nothing),
        cmocka_unit_test(a_value_is_there_after_every_wait),
        cmocka_unit_test(siblings_do_not_see_each_other),
        cmocka_unit_test(a_fiber_keeps_the_values_it_was_started_with),
        cmocka_unit_test(a_task_runs_with_the_values_of_its_poster),
        cmocka_unit_test(a_task_from_another_thread_runs_without_values),
        cmocka_unit_test(off_a_loop_there_is_nothing_to_bind_to),
    };

    return cmocka_run_group_tests_name("async/local", tests, NULL, NULL);
}
