/* SPDX-License-Identifier: MIT */
/* Doubles to decimal text and back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "value/decimal.h"

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static double double_of_bits(uint64_t bits)
{
    double number;

    memcpy(&number, &bits, sizeof(number));
    return number;
}

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof(a)) == 0;
}

static const char *text_of(double number)
{
    static char text[SKUA__DECIMAL_TEXT + 1];

    text[skua__decimal_text(text, number)] = '\0';
    return text;
}

static void text_is_what_javascript_prints(void **state)
{
    static const struct {
        double number;
        const char *text;
    } rows[] = {
        {0.0, "0"},
        {-0.0, "0"},
        {1, "1"},
        {-1, "-1"},
        {100, "100"},
        {0.5, "0.5"},
        {-0.25, "-0.25"},
        {0.1, "0.1"},
        {0.1 + 0.2, "0.30000000000000004"},
        {1.0 / 3, "0.3333333333333333"},
        {2.0 / 3, "0.6666666666666666"},
        {123456.789, "123456.789"},
        {4.35, "4.35"},
        {1e15, "1000000000000000"},
        {9007199254740993.0, "9007199254740992"},
        {123456789012345680000.0, "123456789012345680000"},
        {1e20, "100000000000000000000"},
        {1e21, "1e+21"},
        {1.5e21, "1.5e+21"},
        {1.7976931348623157e308, "1.7976931348623157e+308"},
        {1e-6, "0.000001"},
        {1.5e-6, "0.0000015"},
        {-0.0000012345678901234567, "-0.0000012345678901234567"},
        {1e-7, "1e-7"},
        {1.5e-7, "1.5e-7"},
        {-1.2345678901234567e-308, "-1.2345678901234567e-308"},
        {5e-324, "5e-324"},
        {DBL_MIN, "2.2250738585072014e-308"},
        {1e23, "1e+23"},
        {9.5367431640625e-7, "9.5367431640625e-7"},
        {0x1p-44, "5.684341886080802e-14"},          /* the nearest 16 digits are the neighbour's */
        {0x1p63, "9223372036854776000"},             /* digits that do not matter are zeros */
        {2023347301156851.25, "2023347301156851.2"}, /* of two equally near the even one */
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_string_equal(text_of(rows[i].number), rows[i].text);
}

/* Fewer digits than the text has never read back equal, and the text itself always does. */
static void assert_shortest(double number)
{
    const char *text = text_of(number);
    const char *first = text + strspn(text, "-0.");
    const char *end = strchr(text, 'e') != NULL ? strchr(text, 'e') : text + strlen(text);
    char shorter[64];
    int digits = 0;

    assert_true(strtod(text, NULL) == number);
    if (strchr(text, '.') == NULL)
        while (end > first && end[-1] == '0')
            end--;
    for (const char *at = first; at < end; at++)
        digits += *at != '.';
    if (digits == 1)
        return;
    snprintf(shorter, sizeof(shorter), "%.*e", digits - 2, number);
    assert_false(strtod(shorter, NULL) == number);
}

static void text_is_shortest_and_reads_back_equal(void **state)
{
    uint64_t seed = 88172645463325252u;

    (void)state;
    for (int i = 0; i < 100000; i++) {
        double number = double_of_bits(next_random(&seed));

        if (isfinite(number))
            assert_shortest(number);
        assert_shortest((double)(next_random(&seed) >> 11) * 0x1p-53);
        assert_shortest((double)(next_random(&seed) % 100000000 + 1) / 100);
        assert_shortest(double_of_bits(next_random(&seed) >> 12 | 1)); /* subnormal */
    }
}

/*
 * The plain way: the C library prints one digit more until it reads back equal. At a power of two
 * the nearest decimal may read as the neighbour below, while the next one is still the number's.
 */
static struct skua__decimal find_plainly(double number)
{
    struct skua__decimal decimal = {0, 0};

    for (int count = 1; count <= 17; count++) {
        char text[48];
        char *end;

        snprintf(text, sizeof(text), "%.*e", count - 1, number);
        end = strchr(text, 'e');
        decimal.exponent = atoi(end + 1) - (count - 1);
        *end = '\0';
        if (count > 1)
            memmove(text + 1, text + 2, strlen(text + 1)); /* over the point */
        decimal.digits = strtoull(text, NULL, 10);
        for (int up = 0; up < 2; up++, decimal.digits++) {
            snprintf(text, sizeof(text), "%" PRIu64 "e%" PRId64, decimal.digits, decimal.exponent);
            if (strtod(text, NULL) == number)
                return decimal;
        }
    }
    fail();
    return decimal;
}

static void assert_nearest(double number)
{
    struct skua__decimal got = skua__decimal_shortest(number), want = find_plainly(number);

    for (; want.digits % 10 == 0; want.digits /= 10)
        want.exponent++;
    if (got.digits != want.digits || got.exponent != want.exponent)
        fail_msg("%a: %" PRIu64 "e%" PRId64 ", not %" PRIu64 "e%" PRId64, number, got.digits,
                 got.exponent, want.digits, want.exponent);
}

static void of_the_shortest_texts_it_is_the_nearest(void **state)
{
    uint64_t seed = 2463534242u;

    (void)state;
    for (int i = 0; i < 30000; i++) {
        uint64_t random = next_random(&seed);
        double anywhere = double_of_bits(random >> 1);
        int scale = (int)(next_random(&seed) % 240) - 120;

        if (isfinite(anywhere) && anywhere > 0)
            assert_nearest(anywhere);
        assert_nearest(ldexp((double)(random >> 11 | 1), scale - 52)); /* about 1e-36 to 1e36 */
        assert_nearest((double)(random % 1000000000 + 1) / 100);
        assert_nearest((double)(random % 100000000000000 + 1) / 1e6);
        assert_nearest((double)(random % 1000000000000000 + 1) / 1e7);
        assert_nearest((double)(random >> 1 | 1));
    }
}

/* The ways to find it meet at a billion, at six places behind the point, and at 10^-27 and 10^27
 * times a number of 16 digits. */
static void it_is_the_nearest_where_one_way_ends_and_the_next_begins(void **state)
{
    static const double borders[] = {1e9, 1e-6, 5e-7, 1e-12, 6e-12, 1e-11, 1e43, 1e44, 1e21, 1e22};

    (void)state;
    for (size_t i = 0; i < sizeof(borders) / sizeof(borders[0]); i++) {
        double below = borders[i], above = borders[i];

        for (int step = 0; step < 200; step++) {
            assert_nearest(below);
            assert_nearest(above);
            below = nextafter(below, 0);
            above = nextafter(above, INFINITY);
        }
    }
    for (int exponent = -1074; exponent < 1024; exponent++) {
        double power = ldexp(1, exponent);

        assert_nearest(power);
        assert_nearest(nextafter(power, INFINITY));
        if (exponent > -1074)
            assert_nearest(nextafter(power, 0));
    }
    assert_nearest(DBL_MAX);
    assert_nearest(DBL_MIN);
}

static void powers_of_two_and_their_neighbours_read_back_equal(void **state)
{
    (void)state;
    for (uint64_t exponent = 1; exponent < 2047; exponent++) {
        for (uint64_t step = 0; step < 3; step++) {
            double number = double_of_bits((exponent << 52) - 1 + step);

            assert_true(strtod(text_of(number), NULL) == number);
        }
    }
}

static void short_decimals_are_rounded_as_the_c_library_rounds(void **state)
{
    uint64_t seed = 1234567890123456789u;
    char text[48];

    (void)state;
    for (int i = 0; i < 300000; i++) {
        uint64_t digits = next_random(&seed) >> next_random(&seed) % 64;
        int exponent = (int)(next_random(&seed) % 80) - 40;

        snprintf(text, sizeof(text), "%" PRIu64 "e%d", digits, exponent);
        assert_true(same_bits(skua__decimal_value(digits, exponent), strtod(text, NULL)));
    }
}

static void halves_are_rounded_to_even(void **state)
{
    (void)state;
    assert_true(skua__decimal_value(9007199254740993u, 0) == 9007199254740992.0);
    assert_true(skua__decimal_value(9007199254740995u, 0) == 9007199254740996.0);
    assert_true(skua__decimal_value(90071992547409935u, -1) == 9007199254740994.0);
    assert_true(skua__decimal_value(UINT64_MAX, 0) == 0x1p64);
    assert_true(skua__decimal_value(1, -1) == 0.1);
    assert_true(skua__decimal_value(0, 1000000) == 0.0);
    assert_true(isinf(skua__decimal_value(1, 309)));
    assert_true(isinf(skua__decimal_value(1, 1000000000000)));
    assert_true(skua__decimal_value(1, -1000000000000) == 0.0);
    assert_true(skua__decimal_value(17976931348623157u, 292) == DBL_MAX);
}

static double value_long(const char *digits, int64_t exponent)
{
    return skua__decimal_value_long(digits, digits + strlen(digits), exponent);
}

static void any_number_of_digits_is_rounded_correctly(void **state)
{
    static char text[3000];

    (void)state;
    assert_true(value_long("000000000000000000000000.0", -1) == 0.0);
    assert_true(value_long("00000000000000000000000012.50", -2) == 12.5);
    assert_true(value_long("9007199254740993.00000000000000000000000000000", -29) ==
                9007199254740992.0);
    assert_true(value_long("9007199254740993.00000000000000000000000000001", -29) ==
                9007199254740994.0);
    /* 2^53 + 1, then only a digit far behind all that count says which way to round. */
    memset(text, '0', sizeof(text) - 1);
    memcpy(text, "9007199254740993", 16);
    assert_true(value_long(text, -(int64_t)(sizeof(text) - 1 - 16)) == 9007199254740992.0);
    text[sizeof(text) - 2] = '1';
    assert_true(value_long(text, -(int64_t)(sizeof(text) - 1 - 16)) == 9007199254740994.0);
    assert_true(isinf(value_long("123456789012345678901234567890", 300)));
    assert_true(value_long("123456789012345678901234567890", -400) == 0.0);
}

/* Texts and values are the same in a locale that writes 1,5. */
static void a_locale_with_a_comma_changes_nothing(void **state)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8"};
    const char *found = NULL;

    (void)state;
    for (size_t i = 0; found == NULL && i < sizeof(names) / sizeof(names[0]); i++)
        found = setlocale(LC_NUMERIC, names[i]);
    if (found == NULL) {
        print_message("SKIPPED: no locale with a decimal comma is installed\n");
        skip();
    }
    assert_string_equal(localeconv()->decimal_point, ",");
    assert_string_equal(text_of(1.5e-300), "1.5e-300");
    assert_string_equal(text_of(0.1), "0.1");
    assert_true(skua__decimal_value(15, -301) == 15e-301);
    assert_true(value_long("1.50000000000000000000000000000", -29) == 1.5);
    setlocale(LC_NUMERIC, "C");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_what_javascript_prints),
        cmocka_unit_test(text_is_shortest_and_reads_back_equal),
        cmocka_unit_test(of_the_shortest_texts_it_is_the_nearest),
        cmocka_unit_test(it_is_the_nearest_where_one_way_ends_and_the_next_begins),
        cmocka_unit_test(powers_of_two_and_their_neighbours_read_back_equal),
        cmocka_unit_test(short_decimals_are_rounded_as_the_c_library_rounds),
        cmocka_unit_test(halves_are_rounded_to_even),
        cmocka_unit_test(any_number_of_digits_is_rounded_correctly),
        cmocka_unit_test(a_locale_with_a_comma_changes_nothing),
    };

    return cmocka_run_group_tests_name("decimal", tests, NULL, NULL);
}
