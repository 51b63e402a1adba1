/* SPDX-License-Identifier: MIT */
/* Entries: found, added, loaded once, remembered, tried again. */
#include "async/on_loop.h"

#include "view/cache.h"
#include "view/memory.h"

#include <errno.h>
#include <pthread.h>
#include <skua/err.h>
#include <stdio.h>

struct fixture {
    struct memory memory;
    struct skua__loader loader;
    struct skua__cache_counters counters;
    struct skua__cache cache;
};

static struct fixture fixture;

static int set_up(void **state)
{
    (void)state;
    memset(&fixture, 0, sizeof(fixture));
    fixture.loader = memory_loader(&fixture.memory);
    return skua__cache_init(&fixture.cache, &fixture.loader, &fixture.counters);
}

static int tear_down(void **state)
{
    (void)state;
    skua__cache_finish(&fixture.cache);
    return 0;
}

static struct skua__entry *entry_of(struct skua__cache_key key)
{
    struct skua__entry *entry;

    assert_int_equal(skua__cache_entry(&entry, &fixture.cache, key), 0);
    return entry;
}

static struct skua__entry *entry_named(const char *name)
{
    return entry_of((struct skua__cache_key){.name = skua_str_c(name)});
}

static void a_name_has_one_entry_for_each_way_it_is_compiled(void **state)
{
    const struct skua__dialect *mustache = skua__dialect_of(SKUA_STR("x.html"));
    struct skua__entry *plain = entry_named("a.html");
    struct skua__entry *indented =
        entry_of((struct skua__cache_key){.name = SKUA_STR("a.html"), .indented = true});
    struct skua__entry *given =
        entry_of((struct skua__cache_key){.name = SKUA_STR("a.html"), .given = mustache});

    (void)state;
    assert_ptr_equal(plain, entry_named("a.html"));
    assert_ptr_not_equal(plain, indented);
    assert_ptr_not_equal(plain, given);
    assert_ptr_not_equal(given, indented);
    assert_ptr_equal(skua__cache_find(&fixture.cache, SKUA_STR("a.html")), plain);
    assert_null(skua__cache_find(&fixture.cache, SKUA_STR("b.html")));
    assert_int_equal(atomic_load(&fixture.counters.loads), 0);
}

static void entries_stay_where_they_are_while_the_table_grows(void **state)
{
    struct skua__entry *entries[1000];
    char name[32];

    (void)state;
    for (unsigned i = 0; i < 1000; i++) {
        snprintf(name, sizeof(name), "page-%u.html", i);
        entries[i] = entry_named(name);
        assert_int_equal(entries[i]->id, i);
    }
    for (unsigned i = 0; i < 1000; i++) {
        snprintf(name, sizeof(name), "page-%u.html", i);
        assert_ptr_equal(skua__cache_find(&fixture.cache, skua_str_c(name)), entries[i]);
        assert_string_equal(entries[i]->key.name.ptr, name);
    }
}

static void entries_have_a_bound(void **state)
{
    struct skua__entry *entry;
    char name[32];

    (void)state;
    for (unsigned i = 0; i < SKUA__MAX_ENTRIES; i++) {
        snprintf(name, sizeof(name), "%u.html", i);
        entry_named(name);
    }
    assert_int_equal(skua__cache_entry(&entry, &fixture.cache,
                                       (struct skua__cache_key){.name = SKUA_STR("x.html")}),
                     SKUA_ERR_LIMIT);
    assert_null(entry);
    assert_non_null(entry_named("7.html"));
}

/* ---- several threads ---- */

#define NAMES 2000

struct adder {
    pthread_t thread;
    struct skua__entry *entries[NAMES];
};

static void *add_all(void *arg)
{
    struct adder *adder = arg;
    char name[32];

    for (int i = 0; i < NAMES; i++) {
        struct skua__cache_key key;

        snprintf(name, sizeof(name), "%d.html", i);
        key = (struct skua__cache_key){.name = skua_str_c(name)};
        if (skua__cache_entry(&adder->entries[i], &fixture.cache, key) != 0)
            return NULL;
    }
    return arg;
}

static void threads_that_add_the_same_names_get_the_same_entries(void **state)
{
    static struct adder adders[2];
    void *done;

    (void)state;
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&adders[i].thread, NULL, add_all, &adders[i]), 0);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_join(adders[i].thread, &done), 0);
        assert_non_null(done);
    }
    assert_memory_equal(adders[0].entries, adders[1].entries, sizeof(adders[0].entries));
    assert_int_equal(fixture.cache.count, NAMES);
}

/* ---- loading ---- */

static int load(const char *name, const struct skua__compiled **out)
{
    return skua__cache_load(out, &fixture.cache, entry_named(name));
}

static void a_template_is_loaded_and_compiled_once(void **state)
{
    const struct skua__compiled *first, *second;

    (void)state;
    memory_add(&fixture.memory, SKUA_STR("a.html"), SKUA_STR("{{>b}}"));
    assert_int_equal(load("a.html", &first), 0);
    assert_int_equal(load("a.html", &second), 0);
    assert_ptr_equal(first, second);
    assert_int_equal(first->err, 0);
    assert_int_equal(atomic_load(&fixture.counters.loads), 1);
    assert_int_equal(atomic_load(&fixture.counters.compiles), 1);
}

static void what_it_names_becomes_entries_that_are_not_loaded(void **state)
{
    const struct skua__compiled *compiled;

    (void)state;
    memory_add(&fixture.memory, SKUA_STR("a.html"), SKUA_STR("{{>b}}\n  {{>c.html}}\n"));
    assert_int_equal(load("a.html", &compiled), 0);
    assert_int_equal(compiled->program.dep_count, 2);
    assert_string_equal(compiled->program.deps[0].candidates[0]->key.name.ptr, "b.html");
    assert_false(compiled->program.deps[0].candidates[0]->key.indented);
    assert_string_equal(compiled->program.deps[0].candidates[1]->key.name.ptr, "b");
    assert_string_equal(compiled->program.deps[1].candidates[0]->key.name.ptr, "c.html");
    assert_true(compiled->program.deps[1].candidates[0]->key.indented);
    assert_null(compiled->program.deps[1].candidates[1]);
    assert_int_equal(atomic_load(&fixture.memory.asked), 1);
}

static void what_is_missing_or_broken_is_remembered(void **state)
{
    const struct skua__compiled *compiled;

    (void)state;
    memory_add(&fixture.memory, SKUA_STR("broken.html"), SKUA_STR("{{#a}}"));
    for (int i = 0; i < 2; i++) {
        assert_int_equal(load("broken.html", &compiled), 0);
        assert_int_equal(compiled->err, SKUA_ERR_TEMPLATE);
        assert_int_equal(compiled->error.code, SKUA_ERR_TEMPLATE);
        assert_int_equal(load("missing.html", &compiled), 0);
        assert_int_equal(compiled->err, SKUA_ERR_NO_TEMPLATE);
        assert_string_equal(compiled->error.text, "there is no template 'missing.html'");
    }
    assert_int_equal(atomic_load(&fixture.counters.loads), 2);
    assert_int_equal(atomic_load(&fixture.counters.compiles), 1);
}

static void a_failure_that_may_pass_is_tried_again(void **state)
{
    const struct skua__compiled *compiled;

    (void)state;
    memory_add(&fixture.memory, SKUA_STR("a.html"), SKUA_STR("A"));
    atomic_store(&fixture.memory.failing, -EMFILE);
    assert_int_equal(load("a.html", &compiled), -EMFILE);
    assert_null(compiled);
    atomic_store(&fixture.memory.failing, SKUA_ERR_NOMEM);
    assert_int_equal(load("a.html", &compiled), SKUA_ERR_NOMEM);
    atomic_store(&fixture.memory.failing, 0);
    assert_int_equal(load("a.html", &compiled), 0);
    assert_int_equal(compiled->err, 0);
    assert_int_equal(atomic_load(&fixture.counters.loads), 3);
}

static void a_template_without_a_language_is_refused(void **state)
{
    const struct skua__compiled *compiled;

    (void)state;
    memory_add(&fixture.memory, SKUA_STR("a.txt"), SKUA_STR("A"));
    assert_int_equal(load("a.txt", &compiled), 0);
    assert_int_equal(compiled->err, SKUA_ERR_TEMPLATE);
    assert_string_equal(compiled->error.text, "no template language has the extension 'txt'");
    assert_string_equal(compiled->error.template, "a.txt");
}

static void a_template_that_is_too_large_is_refused(void **state)
{
    static char text[SKUA__MAX_TEMPLATE + 1];
    const struct skua__compiled *compiled;

    (void)state;
    memset(text, 'x', sizeof(text));
    memory_add(&fixture.memory, SKUA_STR("fits.html"), skua_str_of(text, SKUA__MAX_TEMPLATE));
    memory_add(&fixture.memory, SKUA_STR("large.html"), skua_str_of(text, sizeof(text)));
    assert_int_equal(load("fits.html", &compiled), 0);
    assert_int_equal(compiled->err, 0);
    assert_int_equal(load("large.html", &compiled), 0);
    assert_int_equal(compiled->err, SKUA_ERR_LIMIT);
    assert_string_equal(compiled->error.text, "the template is larger than 16777216 bytes");
}

/* ---- fibers ---- */

#define ASKING 100

struct asking {
    struct skua__fiber *fiber;
    int err;
    const struct skua__compiled *compiled;
};

static struct asking asking[ASKING];

static void ask(void *arg)
{
    struct asking *one = arg;
    struct skua__cache_key key = {.name = SKUA_STR("a.html")};
    struct skua__entry *entry;

    one->err = skua__cache_entry(&entry, &fixture.cache, key);
    if (one->err == 0)
        one->err = skua__cache_load(&one->compiled, &fixture.cache, entry);
}

static void start_asking(struct skua__loop *loop)
{
    memset(asking, 0, sizeof(asking));
    fixture.memory.delay = 1;
    for (int i = 0; i < ASKING; i++)
        assert_int_equal(skua__fiber_start(loop, &asking[i].fiber, ask, NULL, &asking[i]),
                         SKUA__FIBER_WAITING);
}

static void many_who_ask_at_once_get_the_work_of_one(void **state)
{
    struct skua__loop *loop = new_loop();

    (void)state;
    memory_add(&fixture.memory, SKUA_STR("a.html"), SKUA_STR("A"));
    start_asking(loop);
    skua__loop_run(loop);
    skua__loop_free(loop);
    for (int i = 0; i < ASKING; i++) {
        assert_int_equal(asking[i].err, 0);
        assert_non_null(asking[i].compiled);
        assert_ptr_equal(asking[i].compiled, asking[0].compiled);
    }
    assert_int_equal(atomic_load(&fixture.counters.loads), 1);
}

static void who_is_cancelled_leaves_and_the_others_get_theirs(void **state)
{
    struct skua__loop *loop = new_loop();

    (void)state;
    memory_add(&fixture.memory, SKUA_STR("a.html"), SKUA_STR("A"));
    start_asking(loop);
    skua__fiber_cancel(asking[0].fiber); /* who does the work for all */
    skua__fiber_cancel(asking[1].fiber); /* who waits */
    skua__loop_run(loop);
    skua__loop_free(loop);
    assert_int_equal(asking[1].err, SKUA_ERR_CANCELED);
    assert_null(asking[1].compiled);
    for (int i = 0; i < ASKING; i++) {
        if (i != 1)
            assert_int_equal(asking[i].err, 0);
    }
    assert_int_equal(atomic_load(&fixture.counters.loads), 1);
}

#define test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(a_name_has_one_entry_for_each_way_it_is_compiled),
        test(entries_stay_where_they_are_while_the_table_grows),
        test(entries_have_a_bound),
        test(threads_that_add_the_same_names_get_the_same_entries),
        test(a_template_is_loaded_and_compiled_once),
        test(what_it_names_becomes_entries_that_are_not_loaded),
        test(what_is_missing_or_broken_is_remembered),
        test(a_failure_that_may_pass_is_tried_again),
        test(a_template_without_a_language_is_refused),
        test(a_template_that_is_too_large_is_refused),
        test(many_who_ask_at_once_get_the_work_of_one),
        test(who_is_cancelled_leaves_and_the_others_get_theirs),
    };

    return cmocka_run_group_tests_name("view/cache", tests, NULL, NULL);
}
