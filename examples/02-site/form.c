/* SPDX-License-Identifier: MIT */
/*
 * form.c - what may be in a report, and what is wrong with one
 *
 * One table says it for the page and for the JSON API. The browser is asked to check nothing: what it
 * checks can be left out by whoever likes to, so the server has to check it all anyway.
 */
#include "form.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/* ---- dates ---- */

enum { DATE_LEN = 10 };

/* The date as 2025-05-31, so many hours from now, in UTC. */
static void write_date(char date[DATE_LEN + 1], int hours)
{
    time_t now = time(NULL) + (time_t)hours * 3600;
    struct tm tm;

    gmtime_r(&now, &tm);
    strftime(date, DATE_LEN + 1, "%Y-%m-%d", &tm);
}

static bool has_date_shape(const char *text)
{
    static const char shape[] = "dddd-dd-dd";

    for (int i = 0; i < DATE_LEN; i++) {
        bool digit = text[i] >= '0' && text[i] <= '9';

        if (shape[i] == 'd' ? !digit : text[i] != shape[i])
            return false;
    }
    return text[DATE_LEN] == '\0';
}

static bool is_date(const char *text)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int year, month, day;
    bool leap;

    if (!has_date_shape(text) || sscanf(text, "%4d-%2d-%2d", &year, &month, &day) != 3)
        return false;
    leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month >= 1 && month <= 12 && day >= 1 &&
           day <= days[month - 1] + (month == 2 && leap ? 1 : 0);
}

/* ---- what is wrong with one field: a line for people, or NULL ---- */

static const char *check_date(const char *text)
{
    char latest[DATE_LEN + 1];

    if (!is_date(text))
        return "Write the day as year-month-day, such as 2025-05-31.";
    if (strcmp(text, "1900-01-01") < 0)
        return "This register begins in the year 1900.";
    write_date(latest, 14); /* where the day begins first, it is 14 hours ahead of UTC */
    return strcmp(text, latest) > 0 ? "This day has not come yet." : NULL;
}

/* Digits only, as the number that they are; 0 for anything else. The table bounds their count. */
static int64_t read_count(const char *text)
{
    int64_t count = 0;

    for (; *text >= '0' && *text <= '9'; text++)
        count = count * 10 + (*text - '0');
    return *text == '\0' ? count : 0;
}

static const char *check_count(const char *text)
{
    return read_count(text) > 0 ? NULL : "Give a whole number above 0.";
}

static const struct field {
    const char *name;
    size_t most;         /* letters */
    const char *missing; /* what is said when it is empty; NULL: it may be */
    const char *(*check)(const char *text);
} fields[] = {
    {.name = "place", .most = 80, .missing = "Say where the bird was."},
    {.name = "date", .most = DATE_LEN, .missing = "Say on which day it was.", .check = check_date},
    {.name = "count", .most = 6, .missing = "Say how many there were.", .check = check_count},
    {.name = "observer", .most = 60, .missing = "Say who saw it."},
    {.name = "note", .most = 500},
};

/* Letters of UTF-8 text: its bytes without those that continue a letter. */
static size_t count_letters(const char *text)
{
    size_t count = 0;

    for (; *text != '\0'; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

static const char *check(const struct field *field, const char *text, skua_arena *arena)
{
    size_t letters = text != NULL ? count_letters(text) : 0;

    if (text == NULL)
        return "This has to be text or a whole number.";
    if (letters == 0)
        return field->missing;
    if (letters > field->most)
        return skua_format(arena, "At most %zu letters, please; these are %zu.", field->most,
                           letters);
    return field->check != NULL ? field->check(text) : NULL;
}

/* ---- the whole form ---- */

static const char *trim(skua_arena *arena, skua_str text)
{
    static const char blanks[] = " \t\r\n";

    while (text.len > 0 && strchr(blanks, text.ptr[0]) != NULL)
        text = skua_str_of(text.ptr + 1, text.len - 1);
    while (text.len > 0 && strchr(blanks, text.ptr[text.len - 1]) != NULL)
        text.len--;
    return skua_strdup(arena, text);
}

/* A field as text, whether it came as such or as a number of JSON; NULL if it is neither. */
static const char *read_text(skua_arena *arena, const skua_value *value)
{
    switch (skua_kind_of(value)) {
    case SKUA_STRING:
        return trim(arena, skua_as_str(value));
    case SKUA_INT:
        return skua_format(arena, "%lld", (long long)skua_as_int(value, 0));
    case SKUA_UNDEFINED:
    case SKUA_NULL:
        return "";
    default:
        return NULL;
    }
}

void form_begin(struct form *form, skua_req *req)
{
    char today[DATE_LEN + 1];

    write_date(today, 0);
    form->values = skua_object(skua_req_arena(req));
    form->errors = skua_object(skua_req_arena(req));
    skua_set(form->values, "date", today);
}

bool form_read(struct form *form, skua_req *req)
{
    skua_arena *arena = skua_req_arena(req);

    form->values = skua_object(arena);
    form->errors = skua_object(arena);
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        const char *name = fields[i].name;
        const char *text = read_text(arena, skua_get_value(skua_body(req), name));
        const char *wrong = check(&fields[i], text, arena);

        skua_set(form->values, name, text);
        if (wrong != NULL)
            skua_set(form->errors, name, wrong);
    }
    if (skua_count(form->errors) > 0)
        return false;
    skua_set(form->values, "count",
             read_count(skua_as_text(skua_get_value(form->values, "count"))));
    return true;
}
