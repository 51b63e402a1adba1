/* SPDX-License-Identifier: MIT */
/* Objects and arrays: finding, setting, growing, running out of memory, sharing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <skua/value.h>
#include <stdio.h>

#include "base/arena.h"
#include "value/arena_support.h"
#include "value/value.h"

static void assert_str(skua_str got, const char *want, size_t len)
{
    assert_int_equal(got.len, len);
    assert_memory_equal(got.ptr, want, len);
}

static skua_value *echo_context(struct skua_call *call)
{
    return call->ctx;
}

/* ---- objects ---- */

static void set_chooses_by_the_type_of_the_argument(void **state)
{
    skua_value *object = skua_object(*state);
    char text[] = "text";
    const char *none = NULL;

    skua_set(object, "bool", (_Bool)1);
    skua_set(object, "int", 3);
    skua_set(object, "unsigned", 4000000000u);
    skua_set(object, "long", -5L);
    skua_set(object, "float", 0.5f);
    skua_set(object, "double", 2.25);
    skua_set(object, "chars", text);
    skua_set(object, "none", none);
    skua_set(object, "slice", SKUA_STR("slice"));
    skua_set(object, "value", skua_array(*state));
    skua_set_null(object, "null");
    assert_int_equal(skua_count(object), 11);
    assert_true(skua_as_bool(skua_get_value(object, "bool"), false));
    assert_int_equal(skua_as_int(skua_get_value(object, "int"), 0), 3);
    assert_true(skua_as_int(skua_get_value(object, "unsigned"), 0) == 4000000000);
    assert_int_equal(skua_as_int(skua_get_value(object, "long"), 0), -5);
    assert_true(skua_as_double(skua_get_value(object, "float"), 0) == 0.5);
    assert_true(skua_as_double(skua_get_value(object, "double"), 0) == 2.25);
    assert_string_equal(skua_as_text(skua_get_value(object, "chars")), "text");
    assert_int_equal(skua_kind_of(skua_get_value(object, "none")), SKUA_NULL);
    assert_string_equal(skua_as_text(skua_get_value(object, "slice")), "slice");
    assert_int_equal(skua_kind_of(skua_get_value(object, "value")), SKUA_ARRAY);
    assert_int_equal(skua_kind_of(skua_get_value(object, "null")), SKUA_NULL);
}

static void setters_return_the_object(void **state)
{
    skua_value *object = skua_object(*state);

    assert_ptr_equal(skua_set_int(object, "a", 1), object);
    assert_ptr_equal(skua_set_string(object, "b", NULL), object);
    assert_ptr_equal(skua_set_value(object, "c", NULL), object);
    assert_int_equal(skua_kind_of(skua_get_value(object, "c")), SKUA_UNDEFINED);
    assert_int_equal(skua_count(object), 3);
}

static void a_key_set_again_keeps_its_place(void **state)
{
    skua_value *object = skua_object(*state);
    struct skua_each each = {0};

    skua_set(object, "first", 1);
    skua_set(object, "second", 2);
    skua_set(object, "first", "again");
    assert_true(skua_each(&each, object));
    assert_str(each.key, "first", 5);
    assert_string_equal(skua_as_text(each.value), "again");
    assert_true(skua_each(&each, object));
    assert_str(each.key, "second", 6);
    assert_false(skua_each(&each, object));
}

static void keys_are_copied_and_may_hold_any_byte(void **state)
{
    skua_value *object = skua_object(*state);
    char key[] = "a\0b";

    skua_set_key(object, skua_str_of(key, 3), skua_int(*state, 1));
    skua_set_key(object, skua_str_of(key, 1), skua_int(*state, 2));
    skua_set_key(object, skua_str_of(NULL, 0), skua_int(*state, 3));
    memset(key, 'x', sizeof(key));
    assert_int_equal(skua_as_int(skua_get_key(object, skua_str_of("a\0b", 3)), 0), 1);
    assert_int_equal(skua_as_int(skua_get_value(object, "a"), 0), 2);
    assert_int_equal(skua_as_int(skua_get_value(object, ""), 0), 3);
    assert_int_equal(skua_as_int(skua_get_value(object, NULL), 0), 3);
    assert_int_equal(skua_count(object), 3);
}

static void every_member_is_found_whatever_the_size(void **state)
{
    skua_value *object = skua_object(*state);
    char key[16];

    for (int count = 1; count <= 600; count++) {
        snprintf(key, sizeof(key), "key-%d", count);
        assert_ptr_equal(skua_set_int(object, key, count), object);
        assert_int_equal(skua_count(object), count);
        assert_int_equal(object->as.container->index != NULL, count > SKUA__LINEAR);
        for (int i = 1; i <= count; i++) {
            snprintf(key, sizeof(key), "key-%d", i);
            assert_int_equal(skua_as_int(skua_get_value(object, key), 0), i);
        }
        assert_null(skua_get_value(object, "key-0"));
    }
}

static void a_large_object_replaces_in_place_too(void **state)
{
    skua_value *object = skua_object(*state);
    struct skua_each each = {0};
    char key[16];

    for (int i = 0; i < 2000; i++) {
        snprintf(key, sizeof(key), "%d", i % 1000);
        skua_set_int(object, key, i);
    }
    assert_int_equal(skua_count(object), 1000);
    while (skua_each(&each, object)) {
        snprintf(key, sizeof(key), "%zu", each.index);
        assert_str(each.key, key, strlen(key));
        assert_int_equal(skua_as_int(each.value, 0), each.index + 1000);
    }
    assert_int_equal(each.index, 999);
}

static void containers_are_shared_by_reference(void **state)
{
    skua_value *shared = skua_array(*state);
    skua_value *one = skua_set_value(skua_object(*state), "list", shared);
    skua_value *two = skua_set_value(skua_object(*state), "list", shared);

    skua_add_int(shared, 42);
    assert_int_equal(skua_as_int(skua_at(skua_get_value(one, "list"), 0), 0), 42);
    assert_int_equal(skua_as_int(skua_at(skua_get_value(two, "list"), 0), 0), 42);
}

/* ---- arrays ---- */

static void every_element_is_found_whatever_the_size(void **state)
{
    skua_value *array = skua_array(*state);

    for (int count = 0; count < 400; count++) {
        assert_null(skua_at(array, (size_t)count));
        assert_ptr_equal(skua_add_int(array, count), array);
        for (int i = 0; i <= count; i++)
            assert_int_equal(skua_as_int(skua_at(array, (size_t)i), -1), i);
    }
    assert_null(skua_at(array, SIZE_MAX));
}

static void elements_of_every_kind_are_added(void **state)
{
    skua_value *array = skua_array(*state);

    skua_add_string(array, "text");
    skua_add_string(array, NULL);
    skua_add_value(array, NULL);
    skua_add_value(array, skua_double(*state, 0.5));
    assert_string_equal(skua_as_text(skua_at(array, 0)), "text");
    assert_int_equal(skua_kind_of(skua_at(array, 1)), SKUA_NULL);
    assert_int_equal(skua_kind_of(skua_at(array, 2)), SKUA_UNDEFINED);
    assert_true(skua_as_double(skua_at(array, 3), 0) == 0.5);
}

static void addresses_stay_valid_while_a_container_grows(void **state)
{
    skua_value *array = skua_array(*state), *object = skua_object(*state);
    skua_value *added[500];
    const skua_value *members[500];
    char key[16];

    for (int i = 0; i < 500; i++) {
        snprintf(key, sizeof(key), "%d", i);
        skua_set_int(object, key, i);
        members[i] = skua_get_value(object, key);
        added[i] = skua_add_object(array);
    }
    for (int i = 0; i < 500; i++) {
        snprintf(key, sizeof(key), "%d", i);
        assert_ptr_equal(skua_get_value(object, key), members[i]);
        assert_int_equal(skua_as_int(members[i], -1), i);
        assert_ptr_equal(skua_at(array, (size_t)i), added[i]);
        skua_set_int(added[i], "id", i);
        assert_int_equal(skua_as_int(skua_get_value(skua_at(array, (size_t)i), "id"), -1), i);
    }
}

static void a_container_that_cannot_count_further_fails_for_good(void **state)
{
    skua_value *array = skua_array(*state);

    array->as.container->count = UINT32_MAX;
    assert_null(skua_add_int(array, 1));
    assert_true(skua_arena_failed(*state));
}

static void each_walks_in_order_and_ends_for_good(void **state)
{
    skua_value *array = skua_array(*state);
    struct skua_each each = {0};
    size_t count = 0;

    assert_false(skua_each(&each, array));
    for (int i = 0; i < 100; i++)
        skua_add_int(array, i);
    while (skua_each(&each, array)) {
        assert_int_equal(each.index, count);
        assert_int_equal(skua_as_int(each.value, -1), count);
        assert_int_equal(each.key.len, 0);
        count++;
    }
    assert_int_equal(count, 100);
    assert_false(skua_each(&each, array));
    each = (struct skua_each){0};
    assert_false(skua_each(&each, skua_int(*state, 1)));
}

/* ---- no memory, several threads ---- */

static skua_value *build_page(skua_arena *arena)
{
    skua_value *page = skua_object(arena), *list = skua_array(arena);
    char key[16];

    for (int i = 0; i < 20; i++) {
        snprintf(key, sizeof(key), "key-%d", i);
        skua_set_string(page, key, "value");
        skua_set_int(skua_add_object(list), key, i);
    }
    skua_add_string(list, "text");
    skua_set_value(page, "list", list);
    skua_set_value(page, "fn", skua_function(arena, echo_context, NULL));
    return page;
}

/* Build a page in `arena`; whatever failed, what is there must be whole. */
static bool builds_page(skua_arena *arena)
{
    skua_value *page = build_page(arena);
    const skua_value *list = skua_get_value(page, "list");
    struct skua_each each = {0};
    size_t count = 0;

    while (skua_each(&each, page)) {
        assert_ptr_equal(skua_get_key(page, each.key), each.value);
        count++;
    }
    assert_int_equal(count, skua_count(page));
    return count == 22 && skua_count(list) == 21 && skua_count(skua_at(list, 19)) == 1 &&
           skua_kind_of(skua_get_value(page, "fn")) == SKUA_CALLABLE;
}

static void running_out_of_memory_is_sticky_and_leaves_values_whole(void **state)
{
    static _Alignas(16) char memory[32768];
    size_t failures = 0;

    (void)state;
    for (size_t budget = 1; budget < SKUA__CHUNK_SIZE; budget += SKUA__CHUNK_SIZE - 2) {
        for (size_t size = 0; size < sizeof(memory); size += 16) {
            skua_arena arena;
            bool built;

            sk_arena_init_small(&arena, memory, size, budget);
            built = builds_page(&arena);
            assert_int_equal(built, !skua_arena_failed(&arena));
            failures += !built;
            skua__arena_reset(&arena);
        }
    }
    assert_in_range(failures, sizeof(memory) / 16 + 100, sizeof(memory) / 8 - 100);
}

static void *read_all(void *arg)
{
    const skua_value *object = arg;
    char key[16];
    size_t found = 0;

    for (int i = 0; i < 1000; i++) {
        snprintf(key, sizeof(key), "%d", i);
        found += skua_as_int(skua_get_value(object, key), -1) == i;
    }
    return (void *)(uintptr_t)found;
}

static void several_threads_read_one_finished_value(void **state)
{
    skua_value *object = skua_object(*state);
    pthread_t threads[4];
    void *found;
    char key[16];

    for (int i = 0; i < 1000; i++) {
        snprintf(key, sizeof(key), "%d", i);
        skua_set_int(object, key, i);
    }
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, read_all, object), 0);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(threads[i], &found), 0);
        assert_int_equal((uintptr_t)found, 1000);
    }
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, sk_arena_open, sk_arena_close)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        CASE(set_chooses_by_the_type_of_the_argument),
        CASE(setters_return_the_object),
        CASE(a_key_set_again_keeps_its_place),
        CASE(keys_are_copied_and_may_hold_any_byte),
        CASE(every_member_is_found_whatever_the_size),
        CASE(a_large_object_replaces_in_place_too),
        CASE(containers_are_shared_by_reference),
        CASE(every_element_is_found_whatever_the_size),
        CASE(elements_of_every_kind_are_added),
        CASE(addresses_stay_valid_while_a_container_grows),
        CASE(a_container_that_cannot_count_further_fails_for_good),
        CASE(each_walks_in_order_and_ends_for_good),
        CASE(running_out_of_memory_is_sticky_and_leaves_values_whole),
        CASE(several_threads_read_one_finished_value),
    };

    return cmocka_run_group_tests_name("container", tests, NULL, NULL);
}
