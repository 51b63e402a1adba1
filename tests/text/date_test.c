/* SPDX-License-Identifier: MIT */
/*
 * date_test.c - IMF-fixdate against libc's calendar and against malformed texts
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "text/date.h"

#include <time.h>

static void assert_writes(int64_t seconds, const char *expected)
{
    char out[SKUA__DATE_LEN];

    skua__date_write(out, seconds);
    assert_memory_equal(out, expected, SKUA__DATE_LEN);
}

static void known_dates_are_written(void **state)
{
    (void)state;
    assert_writes(0, "Thu, 01 Jan 1970 00:00:00 GMT");
    assert_writes(784111777, "Sun, 06 Nov 1994 08:49:37 GMT"); /* the example of the RFC */
    assert_writes(1796047200, "Mon, 30 Nov 2026 14:00:00 GMT");
    assert_writes(951782400, "Tue, 29 Feb 2000 00:00:00 GMT");
    assert_writes(-1, "Wed, 31 Dec 1969 23:59:59 GMT");
    assert_writes(-2203977600, "Wed, 28 Feb 1900 00:00:00 GMT");
    assert_writes(-2203891200, "Thu, 01 Mar 1900 00:00:00 GMT");
}

static void seconds_outside_four_digit_years_give_the_nearest_date(void **state)
{
    (void)state;
    assert_writes(253402300799, "Fri, 31 Dec 9999 23:59:59 GMT");
    assert_writes(253402300800, "Fri, 31 Dec 9999 23:59:59 GMT");
    assert_writes(INT64_MAX, "Fri, 31 Dec 9999 23:59:59 GMT");
    assert_writes(-62167219200, "Sat, 01 Jan 0000 00:00:00 GMT");
    assert_writes(-62167219201, "Sat, 01 Jan 0000 00:00:00 GMT");
    assert_writes(INT64_MIN, "Sat, 01 Jan 0000 00:00:00 GMT");
}

/* Each day of 400 years and more, with another time of day each. */
static void every_day_agrees_with_the_calendar_of_libc(void **state)
{
    int64_t second = 0;

    (void)state;
    for (int64_t day = -140000; day < 100000; day++) {
        time_t now = (time_t)(day * 86400 + second);
        char expected[64], got[SKUA__DATE_LEN];
        int64_t again;
        struct tm tm;

        assert_non_null(gmtime_r(&now, &tm));
        assert_int_equal(strftime(expected, sizeof(expected), "%a, %d %b %Y %H:%M:%S GMT", &tm),
                         SKUA__DATE_LEN);
        skua__date_write(got, now);
        assert_memory_equal(got, expected, SKUA__DATE_LEN);
        assert_true(skua__date_read(&again, skua_str_of(got, SKUA__DATE_LEN)));
        assert_true(again == now);
        second = (second + 7919) % 86400;
    }
}

static void malformed_dates_are_refused(void **state)
{
    static const char *const bad[] = {
        "",
        "Sun, 06 Nov 1994 08:49:37 GM",
        "Sun, 06 Nov 1994 08:49:37 GMT ",
        "Mon, 06 Nov 1994 08:49:37 GMT",
        "sun, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06 nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 06 Nov 1994 24:49:37 GMT",
        "Sun, 06 Nov 1994 08:60:37 GMT",
        "Sun, 06 Nov 1994 08:49:60 GMT",
        "Sun, 00 Nov 1994 08:49:37 GMT",
        "Thu, 31 Nov 1994 08:49:37 GMT",
        "Tue, 29 Feb 1994 08:49:37 GMT",
        "Sun,  6 Nov 1994 08:49:37 GMT",
        "Sun, +6 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:3x GMT",
        "Sun, 06 Nov -994 08:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
        "Sun, 06-Nov-1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08.49.37 GMT",
    };
    int64_t seconds = 42;

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_false(skua__date_read(&seconds, skua_str_c(bad[i])));
    assert_true(seconds == 42);
}

static void the_first_and_the_last_second_are_read(void **state)
{
    int64_t seconds;

    (void)state;
    assert_true(skua__date_read(&seconds, SKUA_STR("Fri, 31 Dec 9999 23:59:59 GMT")));
    assert_true(seconds == 253402300799);
    assert_true(skua__date_read(&seconds, SKUA_STR("Sat, 01 Jan 0000 00:00:00 GMT")));
    assert_true(seconds == -62167219200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_dates_are_written),
        cmocka_unit_test(seconds_outside_four_digit_years_give_the_nearest_date),
        cmocka_unit_test(every_day_agrees_with_the_calendar_of_libc),
        cmocka_unit_test(malformed_dates_are_refused),
        cmocka_unit_test(the_first_and_the_last_second_are_read),
    };

    return cmocka_run_group_tests_name("date", tests, NULL, NULL);
}
