/* SPDX-License-Identifier: MIT */
/*
 * date_fuzz.c - the date of HTTP, against the calendar of the C library
 *
 * The input is read as a date. Its first eight bytes are a number of seconds too, which is written
 * and read. The C library says for both what the date is.
 */
#include "fuzz.h"

#include "text/date.h"

#include <time.h>

#define FIRST INT64_C(-62167219200) /* of the year 0 */
#define LAST  INT64_C(253402300799) /* of the year 9999 */

/* The date of the seconds, which are in the years 0 to 9999, with the words of this file. */
static void ask_library(char out[64], int64_t seconds)
{
    static const char days[7][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static const char months[12][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    time_t time = seconds;
    struct tm tm;

    fuzz_have(gmtime_r(&time, &tm));
    snprintf(out, 64, "%s, %02d %s %04d %02d:%02d:%02d GMT", days[tm.tm_wday], tm.tm_mday,
             months[tm.tm_mon], tm.tm_year + 1900, tm.tm_hour, tm.tm_min, tm.tm_sec);
}

static void check_text(skua_str text)
{
    char expected[64];
    int64_t seconds;

    if (!skua__date_read(&seconds, text))
        return;
    fuzz_check(seconds >= FIRST && seconds <= LAST);
    ask_library(expected, seconds);
    fuzz_check(skua_str_eq(text, skua_str_c(expected)));
}

static void check_seconds(int64_t seconds)
{
    int64_t inside = seconds < FIRST ? FIRST : seconds > LAST ? LAST : seconds;
    char written[SKUA__DATE_LEN], expected[64];
    int64_t again;

    skua__date_write(written, seconds);
    ask_library(expected, inside);
    fuzz_check(skua_str_eq(skua_str_of(written, SKUA__DATE_LEN), skua_str_c(expected)));
    fuzz_check(skua__date_read(&again, skua_str_of(written, SKUA__DATE_LEN)) && again == inside);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int64_t seconds = 0;

    check_text(skua_str_of((const char *)data, size));
    if (size > 0)
        memcpy(&seconds, data, size < sizeof(seconds) ? size : sizeof(seconds));
    check_seconds(seconds);
    check_seconds(seconds % (LAST + 1)); /* which is more often inside */
    return 0;
}
