/* SPDX-License-Identifier: MIT */
/*
 * date.c - the date of HTTP, written and read by plain arithmetic
 *
 * No locale, no time zone, no libc calendar: an IMF-fixdate (RFC 9110, 5.6.7) is always in English
 * and always in GMT.
 *
 * Days are counted in a year that begins on the first of March, so that the leap day comes last and
 * the length of every month before it is the same in each year.
 *
 * Reading builds the number and then writes it again: only a text that comes out equal is a date.
 * That one comparison checks the weekday, the month's length, the ranges and every fixed byte. The
 * obsolete forms of RFC 850 and asctime are not read, and neither is a leap second.
 */
#include "text/date.h"

#include "text/scan.h"

#include <skua/str.h>

#define DAY        86400
#define ERA_DAYS   146097                /* 400 years of the Gregorian calendar */
#define EPOCH_DAYS 719468                /* from 0000-03-01 to 1970-01-01 */
#define FIRST      INT64_C(-62167219200) /* 0000-01-01 00:00:00 */
#define LAST       INT64_C(253402300799) /* 9999-12-31 23:59:59 */

static const char weekdays[] = "SunMonTueWedThuFriSat";
static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

/* Days from 0000-03-01 to the first of month `m` (0 is March) of the March year `y`. */
static int64_t days_before(int64_t y, int64_t m)
{
    return y * 365 + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5;
}

static void put_digits(char *out, int64_t number, int count)
{
    while (count-- > 0) {
        out[count] = (char)('0' + number % 10);
        number /= 10;
    }
}

/* The March year that the day (counted from 0000-03-01, not negative) falls into. */
static int64_t year_of(int64_t day)
{
    int64_t era = day / ERA_DAYS;
    int64_t left = day % ERA_DAYS;

    /* Taking the leap days out of the count makes every year 365 long. */
    return era * 400 + (left - left / 1460 + left / 36524 - left / 146096) / 365;
}

void skua__date_write(char out[SKUA__DATE_LEN], int64_t unix_seconds)
{
    int64_t seconds = unix_seconds < FIRST ? FIRST : unix_seconds > LAST ? LAST : unix_seconds;
    int64_t day = (seconds - FIRST) / DAY - 60 + ERA_DAYS; /* 0000-01-01 is 60 days before March */
    int64_t second = (seconds - FIRST) % DAY;
    int64_t year = year_of(day);
    int64_t of_year = day - days_before(year, 0);
    int64_t month = (5 * of_year + 2) / 153;
    int64_t of_month = of_year - (153 * month + 2) / 5;

    memcpy(out, "Day, 00 Mon 0000 00:00:00 GMT", SKUA__DATE_LEN);
    memcpy(out, weekdays + 3 * ((day + 3) % 7), 3); /* 0000-03-01 was a Wednesday */
    put_digits(out + 5, of_month + 1, 2);
    memcpy(out + 8, months + 3 * ((month + 2) % 12), 3);
    put_digits(out + 12, year - 400 + (month >= 10), 4);
    put_digits(out + 17, second / 3600, 2);
    put_digits(out + 20, second / 60 % 60, 2);
    put_digits(out + 23, second % 60, 2);
}

/* The number in `count` digits, or some number if they are none: the comparison finds out. */
static int64_t take_digits(const char *text, int count)
{
    int64_t number = 0;

    while (count-- > 0)
        number = number * 10 + (*text++ - '0');
    return number;
}

/* The index of the three letters in `months`, or -1. */
static int month_of(const char *text)
{
    for (int i = 0; i < 12; i++) {
        if (memcmp(months + 3 * i, text, 3) == 0)
            return i;
    }
    return -1;
}

bool skua__date_read(int64_t *unix_seconds, skua_str text)
{
    char again[SKUA__DATE_LEN];
    int64_t year, days, seconds;
    int month;

    if (text.len != SKUA__DATE_LEN || (month = month_of(text.ptr + 8)) < 0)
        return false;
    year = take_digits(text.ptr + 12, 4) + 400 - (month < 2);
    days = days_before(year, (month + 10) % 12) - ERA_DAYS + take_digits(text.ptr + 5, 2) - 1;
    seconds = (days - EPOCH_DAYS) * DAY + take_digits(text.ptr + 17, 2) * 3600 +
              take_digits(text.ptr + 20, 2) * 60 + take_digits(text.ptr + 23, 2);
    skua__date_write(again, seconds);
    if (memcmp(again, text.ptr, SKUA__DATE_LEN) != 0)
        return false;
    *unix_seconds = seconds;
    return true;
}
