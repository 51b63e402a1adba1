/* SPDX-License-Identifier: MIT */
/* Single values, lazies and callables; NULL everywhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <skua/value.h>

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

/* ---- single values ---- */

static void null_reads_as_undefined_everywhere(void **state)
{
    struct skua_each each = {0};

    (void)state;
    assert_int_equal(skua_kind_of(NULL), SKUA_UNDEFINED);
    assert_false(skua_truthy(NULL));
    assert_true(skua_as_bool(NULL, true));
    assert_int_equal(skua_as_int(NULL, -7), -7);
    assert_true(skua_as_double(NULL, 2.5) == 2.5);
    assert_str(skua_as_str(NULL), "", 0);
    assert_null(skua_as_text(NULL));
    assert_int_equal(skua_count(NULL), 0);
    assert_null(skua_get_value(NULL, "key"));
    assert_null(skua_at(NULL, 0));
    assert_false(skua_each(&each, NULL));
    assert_null(skua_clone(NULL, NULL));
}

static void builders_given_null_do_nothing(void **state)
{
    (void)state;
    assert_null(skua_null(NULL));
    assert_null(skua_bool(NULL, true));
    assert_null(skua_int(NULL, 1));
    assert_null(skua_double(NULL, 1));
    assert_null(skua_string(NULL, "text"));
    assert_null(skua_string(NULL, NULL));
    assert_null(skua_string_static(NULL, SKUA_STR("text")));
    assert_null(skua_bytes(NULL, "text", 4));
    assert_null(skua_array(NULL));
    assert_null(skua_object(NULL));
    assert_null(skua_function(NULL, echo_context, NULL));
    assert_null(skua_lazy(NULL, NULL, NULL));
    assert_null(skua_set_null(NULL, "key"));
    assert_null(skua_set_int(NULL, "key", 1));
    assert_null(skua_set_string(NULL, "key", "text"));
    assert_null(skua_set_str(NULL, "key", SKUA_STR("text")));
    assert_null(skua_set_value(NULL, "key", NULL));
    assert_null(skua_add_int(NULL, 1));
    assert_null(skua_add_string(NULL, "text"));
    assert_null(skua_add_value(NULL, NULL));
    assert_null(skua_add_object(NULL));
}

static void builders_given_another_kind_do_nothing(void **state)
{
    skua_value *array = skua_array(*state), *object = skua_object(*state);

    assert_null(skua_set_int(array, "key", 1));
    assert_null(skua_set_str(array, "key", SKUA_STR("text")));
    assert_null(skua_add_int(object, 1));
    assert_null(skua_add_string(object, "text"));
    assert_null(skua_add_object(object));
    assert_null(skua_add_int(skua_int(*state, 1), 1));
    assert_int_equal(skua_count(array), 0);
    assert_int_equal(skua_count(object), 0);
    assert_false(skua_arena_failed(*state));
}

static void single_values_read_back_as_they_were_made(void **state)
{
    skua_arena *arena = *state;

    assert_int_equal(skua_kind_of(skua_null(arena)), SKUA_NULL);
    assert_int_equal(skua_kind_of(skua_bool(arena, true)), SKUA_BOOL);
    assert_true(skua_as_bool(skua_bool(arena, true), false));
    assert_false(skua_as_bool(skua_bool(arena, false), true));
    assert_int_equal(skua_kind_of(skua_int(arena, 5)), SKUA_INT);
    assert_true(skua_as_int(skua_int(arena, INT64_MIN), 0) == INT64_MIN);
    assert_true(skua_as_int(skua_int(arena, INT64_MAX), 0) == INT64_MAX);
    assert_true(skua_as_double(skua_int(arena, -3), 0) == -3.0);
    assert_int_equal(skua_kind_of(skua_double(arena, 0.5)), SKUA_DOUBLE);
    assert_true(skua_as_double(skua_double(arena, 0.1), 0) == 0.1);
    assert_int_equal(skua_kind_of(skua_string(arena, "a")), SKUA_STRING);
    assert_int_equal(skua_kind_of(skua_string(arena, NULL)), SKUA_NULL);
    assert_int_equal(skua_kind_of(skua_safe(arena, SKUA_STR("<b>"))), SKUA_SAFE);
    assert_str(skua_as_str(skua_safe(arena, SKUA_STR("<b>"))), "<b>", 3);
    assert_int_equal(skua_kind_of(skua_bytes(arena, "\0\xff", 2)), SKUA_BYTES);
    assert_str(skua_as_str(skua_bytes(arena, "\0\xff", 2)), "\0\xff", 2);
    assert_str(skua_as_str(skua_bytes(arena, NULL, 0)), "", 0);
    assert_int_equal(skua_kind_of(skua_array(arena)), SKUA_ARRAY);
    assert_int_equal(skua_kind_of(skua_object(arena)), SKUA_OBJECT);
    assert_int_equal(skua_kind_of(skua_function(arena, echo_context, NULL)), SKUA_CALLABLE);
}

static void a_handle_takes_sixteen_bytes(void **state)
{
    (void)state;
    assert_int_equal(sizeof(skua_value), 16);
    assert_int_equal(sizeof(struct skua__container) % sizeof(skua_value), 0);
    assert_int_equal(sizeof(struct skua__block) % sizeof(skua_value), 0);
}

static void another_kind_reads_as_the_default(void **state)
{
    skua_value *text = skua_string(*state, "1"), *number = skua_int(*state, 1);

    assert_int_equal(skua_as_int(text, -1), -1);
    assert_true(skua_as_double(text, -1) == -1);
    assert_true(skua_as_bool(number, true));
    assert_str(skua_as_str(number), "", 0);
    assert_string_equal(skua_as_str(number).ptr, "");
    assert_null(skua_as_text(number));
    assert_int_equal(skua_count(text), 0);
    assert_null(skua_at(skua_object(*state), 0));
    assert_null(skua_get_value(skua_array(*state), "key"));
}

static void an_int_is_read_from_a_whole_double_that_fits(void **state)
{
    static const struct {
        double number;
        int64_t want; /* -1: the default */
    } rows[] = {
        {0.0, 0},
        {-0.0, 0},
        {3.0, 3},
        {3.5, -1},
        {-0x1p63, INT64_MIN},
        {0x1p63, -1},
        {0x1.fffffffffffffp62, INT64_C(0x7ffffffffffffc00)},
        {-0x1.0000000000001p63, -1},
        {1e300, -1},
        {(double)NAN, -1},
        {(double)INFINITY, -1},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_true(skua_as_int(skua_double(*state, rows[i].number), -1) == rows[i].want);
}

static void truth_is_what_javascript_calls_true(void **state)
{
    skua_arena *arena = *state;

    assert_false(skua_truthy(skua_null(arena)));
    assert_false(skua_truthy(skua_bool(arena, false)));
    assert_false(skua_truthy(skua_int(arena, 0)));
    assert_false(skua_truthy(skua_double(arena, 0.0)));
    assert_false(skua_truthy(skua_double(arena, -0.0)));
    assert_false(skua_truthy(skua_double(arena, (double)NAN)));
    assert_false(skua_truthy(skua_string(arena, "")));
    assert_false(skua_truthy(skua_safe(arena, SKUA_STR(""))));
    assert_true(skua_truthy(skua_bool(arena, true)));
    assert_true(skua_truthy(skua_int(arena, -1)));
    assert_true(skua_truthy(skua_double(arena, 5e-324)));
    assert_true(skua_truthy(skua_double(arena, -(double)INFINITY)));
    assert_true(skua_truthy(skua_string(arena, "0")));
    assert_true(skua_truthy(skua_bytes(arena, "", 0)));
    assert_true(skua_truthy(skua_array(arena)));
    assert_true(skua_truthy(skua_object(arena)));
    assert_true(skua_truthy(skua_function(arena, echo_context, NULL)));
}

static void strings_are_copied_and_end_in_a_zero_byte(void **state)
{
    char text[] = "abc\0de";
    skua_value *value = skua_string_of(*state, skua_str_of(text, 3));
    skua_value *whole = skua_string_of(*state, skua_str_of(text, 6));

    text[0] = 'X';
    assert_string_equal(skua_as_text(value), "abc");
    assert_str(skua_as_str(value), "abc", 3);
    assert_str(skua_as_str(whole), "abc\0de", 7 - 1);
    assert_int_equal(skua_as_text(whole)[6], '\0');
    assert_string_equal(skua_as_text(skua_string_of(*state, skua_str_of(NULL, 0))), "");
}

static void static_strings_are_not_copied(void **state)
{
    static const char text[] = "lives for ever";
    skua_value *value = skua_string_static(*state, skua_str_c(text));

    assert_ptr_equal(skua_as_text(value), text);
    assert_string_equal(skua_as_text(skua_string_static(*state, skua_str_c(NULL))), "");
}

/* ---- lazies and callables ---- */

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

static void a_lazy_value_is_produced_once_for_all_its_copies(void **state)
{
    skua_arena *arena = *state;
    struct producer producer = {.product = skua_string(arena, "made")};
    skua_value *lazy = skua_lazy(arena, produce, &producer);
    skua_value *object = skua_set_value(skua_object(arena), "a", lazy);

    skua_set_value(object, "b", lazy);
    assert_int_equal(producer.calls, 0);
    assert_int_equal(skua_kind_of(skua_get_value(object, "b")), SKUA_STRING);
    assert_string_equal(skua_as_text(skua_get_value(object, "a")), "made");
    assert_string_equal(skua_as_text(lazy), "made");
    assert_true(skua_truthy(lazy));
    assert_int_equal(producer.calls, 1);
}

static void a_lazy_container_is_read_like_any_other(void **state)
{
    struct producer producer = {.product = skua_array(*state)};
    skua_value *lazy = skua_lazy(*state, produce, &producer);
    struct skua_each each = {0};

    skua_add_int(producer.product, 9);
    assert_int_equal(skua_count(lazy), 1);
    assert_int_equal(skua_as_int(skua_at(lazy, 0), 0), 9);
    assert_true(skua_each(&each, lazy));
    assert_int_equal(skua_as_int(each.value, 0), 9);
    assert_false(skua_each(&each, lazy));
    assert_int_equal(producer.calls, 1);
}

static void a_lazy_value_without_a_product_is_undefined(void **state)
{
    struct producer producer = {0};
    skua_value *lazy = skua_lazy(*state, produce, &producer);

    assert_int_equal(skua_kind_of(lazy), SKUA_UNDEFINED);
    assert_int_equal(skua_kind_of(lazy), SKUA_UNDEFINED);
    assert_int_equal(producer.calls, 1);
}

static void a_lazy_value_may_lead_to_another(void **state)
{
    struct producer inner = {.product = skua_int(*state, 5)};
    struct producer outer = {.product = skua_lazy(*state, produce, &inner)};
    skua_value *lazy = skua_lazy(*state, produce, &outer);

    assert_int_equal(skua_as_int(lazy, 0), 5);
    assert_int_equal(skua_as_int(lazy, 0), 5);
    assert_int_equal(inner.calls, 1);
    assert_int_equal(outer.calls, 1);
}

static void lazies_in_a_ring_are_undefined(void **state)
{
    struct producer one = {0}, two = {0}, itself = {0};
    skua_value *lazy_one = skua_lazy(*state, produce, &one);
    skua_value *lazy_two = skua_lazy(*state, produce, &two);
    skua_value *lazy = skua_lazy(*state, produce, &itself);

    one.product = lazy_two;
    two.product = lazy_one;
    itself.reads = lazy;
    itself.seen = SKUA_ARRAY;
    itself.product = skua_int(*state, 1);
    assert_int_equal(skua_kind_of(lazy_one), SKUA_UNDEFINED);
    assert_int_equal(skua_kind_of(lazy), SKUA_INT);
    assert_int_equal(itself.seen, SKUA_UNDEFINED);
    assert_int_equal(itself.calls, 1);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, sk_arena_open, sk_arena_close)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        CASE(null_reads_as_undefined_everywhere),
        CASE(builders_given_null_do_nothing),
        CASE(builders_given_another_kind_do_nothing),
        CASE(single_values_read_back_as_they_were_made),
        CASE(a_handle_takes_sixteen_bytes),
        CASE(another_kind_reads_as_the_default),
        CASE(an_int_is_read_from_a_whole_double_that_fits),
        CASE(truth_is_what_javascript_calls_true),
        CASE(strings_are_copied_and_end_in_a_zero_byte),
        CASE(static_strings_are_not_copied),
        CASE(a_lazy_value_is_produced_once_for_all_its_copies),
        CASE(a_lazy_container_is_read_like_any_other),
        CASE(a_lazy_value_without_a_product_is_undefined),
        CASE(a_lazy_value_may_lead_to_another),
        CASE(lazies_in_a_ring_are_undefined),
    };

    return cmocka_run_group_tests_name("value", tests, NULL, NULL);
}
