/* SPDX-License-Identifier: MIT */
/* Random values, written, read and written again: the same bytes, and the same value. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <skua/json.h>
#include <stdio.h>

#include "value/arena_support.h"

struct maker {
    skua_arena *arena;
    uint64_t seed;
};

static uint64_t next_random(struct maker *maker)
{
    maker->seed ^= maker->seed << 13;
    maker->seed ^= maker->seed >> 7;
    maker->seed ^= maker->seed << 17;
    return maker->seed;
}

static size_t below(struct maker *maker, size_t bound)
{
    return (size_t)(next_random(maker) >> 33) % bound;
}

static double random_double(struct maker *maker)
{
    uint64_t bits = next_random(maker);
    double number;

    switch (below(maker, 3)) {
    case 0:
        return (double)(int64_t)bits / 1e10;
    case 1:
        return (double)(bits % 100000) / 100 - 300;
    default:
        memcpy(&number, &bits, sizeof(number));
        return isfinite(number) ? number : 0.5;
    }
}

/* Text of all kinds of characters, those that need escapes often among them. */
static skua_str random_text(struct maker *maker, char *out)
{
    static const char *const parts[] = {"a",
                                        "bcd",
                                        "\"",
                                        "\\",
                                        "/",
                                        "\n",
                                        "\x1f",
                                        "\x7f",
                                        "\xc3\xa9",
                                        "Z ",
                                        "12345678",
                                        "\t",
                                        "\b",
                                        "<>",
                                        "\xe2\x82\xac",
                                        "\xf0\x9f\x98\x80",
                                        "long plain text "};
    size_t len = 0;

    for (size_t left = below(maker, 12); left > 0; left--) {
        size_t choice = below(maker, sizeof(parts) / sizeof(parts[0]) + 1);
        const char *part = choice == 0 ? "" : parts[choice - 1];
        size_t size = choice == 0 ? 1 : strlen(part); /* choice 0 is a zero byte */

        memcpy(out + len, part, size);
        len += size;
    }
    return skua_str_of(out, len);
}

static skua_value *random_value(struct maker *maker, int depth)
{
    skua_arena *arena = maker->arena;
    char text[256];
    skua_value *value;

    switch (below(maker, depth < 6 ? 9 : 6)) {
    case 0:
        return skua_null(arena);
    case 1:
        return skua_bool(arena, below(maker, 2) == 1);
    case 2:
        return skua_int(arena, (int64_t)next_random(maker) >> below(maker, 64));
    case 3:
        return skua_double(arena, random_double(maker));
    case 4:
    case 5:
        return skua_string_of(arena, random_text(maker, text));
    case 6:
        value = skua_array(arena);
        for (size_t left = below(maker, 12); left > 0; left--)
            skua_add_value(value, random_value(maker, depth + 1));
        return value;
    default:
        value = skua_object(arena);
        for (size_t left = below(maker, below(maker, 8) == 0 ? 40 : 8); left > 0; left--)
            skua_set_key(value, random_text(maker, text), random_value(maker, depth + 1));
        return value;
    }
}

static void assert_same(const skua_value *a, const skua_value *b)
{
    struct skua_each one = {0}, two = {0};

    if (skua_kind_of(a) == SKUA_DOUBLE) { /* a whole one comes back as an int */
        assert_true(skua_as_double(a, 0) == skua_as_double(b, 1));
        return;
    }
    assert_int_equal(skua_kind_of(a), skua_kind_of(b));
    assert_true(skua_as_int(a, 0) == skua_as_int(b, 0));
    assert_true(skua_as_bool(a, false) == skua_as_bool(b, false));
    assert_true(skua_str_eq(skua_as_str(a), skua_as_str(b)));
    assert_int_equal(skua_count(a), skua_count(b));
    while (skua_each(&one, a)) {
        assert_true(skua_each(&two, b));
        assert_true(skua_str_eq(one.key, two.key));
        assert_same(one.value, two.value);
    }
}

static void random_values_survive_the_way_to_text_and_back(void **state)
{
    struct maker maker = {.seed = 0x5ca1ab1e0ddba11u};
    size_t containers = 0;

    (void)state;
    for (int i = 0; i < 3000; i++) {
        skua_value *value, *again, *clone;
        skua_str first, second, third;

        maker.arena = skua_arena_new(0);
        value = random_value(&maker, 0);
        assert_int_equal(skua_json_write(&first, maker.arena, value), 0);
        assert_int_equal(skua_json_read(&again, maker.arena, first, NULL), 0);
        assert_int_equal(skua_json_write(&second, maker.arena, again), 0);
        assert_int_equal(first.len, second.len);
        assert_memory_equal(first.ptr, second.ptr, first.len);
        assert_same(value, again);
        clone = skua_clone(maker.arena, value);
        assert_int_equal(skua_json_write(&third, maker.arena, clone), 0);
        assert_true(skua_str_eq(first, third));
        containers += skua_count(value) > 0;
        skua_arena_free(maker.arena);
    }
    assert_in_range(containers, 500, 2500);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_values_survive_the_way_to_text_and_back),
    };

    return cmocka_run_group_tests_name("json_roundtrip", tests, NULL, NULL);
}
