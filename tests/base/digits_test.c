/* SPDX-License-Identifier: MIT */
/* Integers in decimal, against the C library. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/digits.h"

/* As many bytes as it says, and none behind them. */
static void assert_written(uint64_t number)
{
    char got[SKUA__MOST_DIGITS + 1], want[SKUA__MOST_DIGITS + 1];
    size_t len = (size_t)snprintf(want, sizeof(want), "%" PRIu64, number);

    memset(got, '?', sizeof(got));
    assert_ptr_equal(skua__digits_write(got, number), got + len);
    assert_memory_equal(got, want, len);
    for (size_t i = len; i < sizeof(got); i++)
        assert_int_equal(got[i], '?');
}

static void every_small_number_is_written(void **state)
{
    (void)state;
    for (uint64_t number = 0; number < 100000; number++)
        assert_written(number);
}

static void numbers_around_powers_of_ten_and_two_are_written(void **state)
{
    (void)state;
    for (int i = 0; i < SKUA__MOST_DIGITS; i++) {
        for (uint64_t step = 0; step < 3; step++)
            assert_written(skua__powers_of_10[i] - 1 + step);
    }
    for (int i = 0; i < 64; i++) {
        for (uint64_t step = 0; step < 3; step++)
            assert_written(((uint64_t)1 << i) - 1 + step);
    }
    assert_written(UINT64_MAX);
}

static void random_numbers_of_all_lengths_are_written(void **state)
{
    uint64_t seed = 88172645463325252u;

    (void)state;
    for (int i = 0; i < 200000; i++) {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        assert_written(seed >> i % 64);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_small_number_is_written),
        cmocka_unit_test(numbers_around_powers_of_ten_and_two_are_written),
        cmocka_unit_test(random_numbers_of_all_lengths_are_written),
    };

    return cmocka_run_group_tests_name("digits", tests, NULL, NULL);
}
