/* SPDX-License-Identifier: MIT */
/* Deep copies into another arena. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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

struct producer {
    int calls;
    skua_value *product;
    skua_value *reads; /* touched while producing */
    enum skua_kind seen;
};

static skua_value *produce(skua_arena *arena, void *ctx)
{
    struct producer *producer = ctx;

    (void)arena;
    producer->calls++;
    if (producer->reads != NULL)
        producer->seen = skua_kind_of(producer->reads);
    return producer->product;
}

static void a_clone_is_deep_and_independent(void **state)
{
    skua_arena *source = skua_arena_new(0);
    skua_value *object = skua_object(source), *list = skua_array(source), *clone;
    struct producer producer = {.product = skua_int(source, 8)};
    int context;

    skua_add_string(list, "x");
    skua_set_value(object, "list", list);
    skua_set_value(object, "safe", skua_safe(source, SKUA_STR("<i>")));
    skua_set_value(object, "bytes", skua_bytes(source, "\0\1", 2));
    skua_set_value(object, "lazy", skua_lazy(source, produce, &producer));
    skua_set_value(object, "fn", skua_function(source, echo_context, &context));
    skua_set_double(object, "half", 0.5);
    clone = skua_clone(*state, object);
    skua_add_string(list, "later");
    skua_set_int(object, "half", 0);
    skua_arena_free(source);

    assert_int_equal(skua_count(clone), 6);
    assert_int_equal(skua_count(skua_get_value(clone, "list")), 1);
    assert_string_equal(skua_as_text(skua_at(skua_get_value(clone, "list"), 0)), "x");
    assert_int_equal(skua_kind_of(skua_get_value(clone, "safe")), SKUA_SAFE);
    assert_str(skua_as_str(skua_get_value(clone, "bytes")), "\0\1", 2);
    assert_int_equal(skua__kind(skua_get_value(clone, "lazy")), SKUA_INT);
    assert_int_equal(skua_as_int(skua_get_value(clone, "lazy"), 0), 8);
    assert_int_equal(producer.calls, 1);
    assert_ptr_equal(skua_get_value(clone, "fn")->as.function->fn, echo_context);
    assert_ptr_equal(skua_get_value(clone, "fn")->as.function->ctx, &context);
    assert_true(skua_as_double(skua_get_value(clone, "half"), 0) == 0.5);
}

static void a_clone_of_a_large_object_is_searched_by_hash_too(void **state)
{
    skua_value *object = skua_object(*state), *clone;
    char key[16];

    for (int i = 0; i < 100; i++) {
        snprintf(key, sizeof(key), "%d", i);
        skua_set_int(object, key, i);
    }
    clone = skua_clone(*state, object);
    assert_non_null(clone->as.container->index);
    assert_int_equal(skua_as_int(skua_get_value(clone, "77"), 0), 77);
    skua_set_int(clone, "another", 1);
    assert_int_equal(skua_count(clone), 101);
    assert_int_equal(skua_count(object), 100);
}

static void a_clone_of_undefined_is_undefined(void **state)
{
    assert_int_equal(skua_kind_of(skua_clone(*state, NULL)), SKUA_UNDEFINED);
    assert_non_null(skua_clone(*state, NULL));
}

static skua_value *nest(skua_arena *arena, int levels)
{
    skua_value *value = skua_int(arena, 1);

    for (int i = 0; i < levels; i++) {
        skua_value *around = skua_array(arena);

        skua_add_value(around, value);
        value = around;
    }
    return value;
}

static void a_clone_goes_512_levels_deep_and_no_deeper(void **state)
{
    skua_value *ring = skua_object(*state);

    skua_set_value(ring, "itself", ring);
    assert_non_null(skua_clone(*state, nest(*state, 512)));
    assert_null(skua_clone(*state, nest(*state, 513)));
    assert_null(skua_clone(*state, ring));
    assert_false(skua_arena_failed(*state));
}

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

static void a_clone_without_memory_is_null(void **state)
{
    static _Alignas(16) char memory[32768];
    skua_value *page = build_page(*state);
    size_t clones = 0;

    for (size_t size = 0; size < sizeof(memory); size += 16) {
        skua_arena arena;
        skua_value *clone;

        sk_arena_init_small(&arena, memory, size, SKUA__CHUNK_SIZE - 1);
        clone = skua_clone(&arena, page);
        assert_int_equal(clone == NULL, skua_arena_failed(&arena));
        assert_int_equal(skua_count(clone), clone != NULL ? 22 : 0);
        clones += clone != NULL;
        skua__arena_reset(&arena);
    }
    assert_in_range(clones, 100, sizeof(memory) / 16 - 100);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, sk_arena_open, sk_arena_close)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        CASE(a_clone_is_deep_and_independent),
        CASE(a_clone_of_a_large_object_is_searched_by_hash_too),
        CASE(a_clone_of_undefined_is_undefined),
        CASE(a_clone_goes_512_levels_deep_and_no_deeper),
        CASE(a_clone_without_memory_is_null),
    };

    return cmocka_run_group_tests_name("clone", tests, NULL, NULL);
}
