/* SPDX-License-Identifier: MIT */
/* The map from strings to pointers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>
#include <stdio.h>

#include "base/map.h"

static void an_empty_map_has_nothing(void **state)
{
    struct skua__map map = {0};

    (void)state;
    assert_null(skua__map_get(&map, SKUA_STR("key")));
    assert_null(skua__map_get(&map, skua_str_of(NULL, 0)));
    skua__map_finish(&map);
    assert_null(map.slots);
}

static void keys_are_bytes(void **state)
{
    struct skua__map map = {0};
    int values[4];

    (void)state;
    assert_int_equal(skua__map_put(&map, SKUA_STR("a"), &values[0]), 0);
    assert_int_equal(skua__map_put(&map, skua_str_of("a\0", 2), &values[1]), 0);
    assert_int_equal(skua__map_put(&map, skua_str_of(NULL, 0), &values[2]), 0);
    assert_int_equal(skua__map_put(&map, SKUA_STR("A"), &values[3]), 0);
    assert_int_equal(map.count, 4);
    assert_ptr_equal(skua__map_get(&map, SKUA_STR("a")), &values[0]);
    assert_ptr_equal(skua__map_get(&map, skua_str_of("a\0", 2)), &values[1]);
    assert_ptr_equal(skua__map_get(&map, SKUA_STR("")), &values[2]);
    assert_ptr_equal(skua__map_get(&map, SKUA_STR("A")), &values[3]);
    assert_null(skua__map_get(&map, SKUA_STR("aa")));
    skua__map_finish(&map);
}

static void putting_a_key_again_replaces_its_value(void **state)
{
    struct skua__map map = {0};
    int old, new;

    (void)state;
    skua__map_put(&map, SKUA_STR("key"), &old);
    skua__map_put(&map, SKUA_STR("key"), &new);
    assert_int_equal(map.count, 1);
    assert_ptr_equal(skua__map_get(&map, SKUA_STR("key")), &new);
    skua__map_finish(&map);
}

static void every_key_is_found_while_it_grows(void **state)
{
    static char keys[3000][8];
    static int values[3000];
    struct skua__map map = {0};

    (void)state;
    for (size_t i = 0; i < 3000; i++) {
        snprintf(keys[i], sizeof(keys[i]), "%zu", i);
        assert_null(skua__map_get(&map, skua_str_c(keys[i])));
        assert_int_equal(skua__map_put(&map, skua_str_c(keys[i]), &values[i]), 0);
        assert_int_equal(map.count, i + 1);
        assert_true(map.count * 4 <= map.cap * 3);
        assert_int_equal(map.cap & (map.cap - 1), 0);
    }
    for (size_t i = 0; i < 3000; i++)
        assert_ptr_equal(skua__map_get(&map, skua_str_c(keys[i])), &values[i]);
    assert_null(skua__map_get(&map, SKUA_STR("3000")));
    skua__map_finish(&map);
    assert_int_equal(map.count, 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_map_has_nothing),
        cmocka_unit_test(keys_are_bytes),
        cmocka_unit_test(putting_a_key_again_replaces_its_value),
        cmocka_unit_test(every_key_is_found_while_it_grows),
    };

    return cmocka_run_group_tests_name("map", tests, NULL, NULL);
}
