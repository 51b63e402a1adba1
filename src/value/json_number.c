/* SPDX-License-Identifier: MIT */
/*
 * json_number.c - numbers of JSON text (RFC 8259, section 6)
 *
 *   an integer that fits in 64 bits      INT
 *   any other                            DOUBLE, the nearest one; too large is refused
 *
 * With exact_numbers, a number that would not be written again as the same number stays text, a
 * STRING that is marked as a numeral:
 *
 *   an integer that does not fit, a decimal with digits that the double's shortest text lacks, too
 *   large, or so small that the double is zero
 *
 * Only the value counts, not how it is written: 1.50 is 1.5, and -0 is 0.
 */
#include "value/decimal.h"
#include "value/json_reader.h"

#include <math.h>

struct number {
    const char *digits; /* the first digit */
    const char *end;    /* behind the last digit before an exponent */
    uint64_t value;     /* of all digits, right if there are at most MOST_DIGITS */
    int64_t exponent;   /* of the last digit */
    bool negative;
    bool whole; /* neither point nor exponent */
};

#define MOST_DIGITS 19 /* as many as always fit in 64 bits */

/* A larger exponent could not matter, but would overflow. */
#define HUGE_EXPONENT 1000000000000000

/* Append the digits at `at`, if any, to *value. */
static char *take_digits(char *at, uint64_t *value)
{
    for (; skua__json_is_digit(*at); at++)
        *value = *value * 10 + (uint64_t)(*at - '0');
    return at;
}

/* Behind the `e`. */
static char *take_exponent(struct skua__json_reader *reader, char *at, int64_t *exponent)
{
    bool negative = *at == '-';
    int64_t value = 0;

    if (*at == '-' || *at == '+')
        at++;
    if (!skua__json_is_digit(*at))
        return skua__json_refuse(reader, at, "a digit is expected");
    for (; skua__json_is_digit(*at); at++) {
        if (value < HUGE_EXPONENT)
            value = value * 10 + (*at - '0');
    }
    *exponent += negative ? -value : value;
    return at;
}

static char *scan_number(struct skua__json_reader *reader, char *at, struct number *number)
{
    char *first, *point;

    *number = (struct number){.negative = *at == '-', .whole = true};
    first = at + number->negative;
    at = *first == '0' ? first + 1 : take_digits(first, &number->value);
    if (at == first)
        return skua__json_refuse(reader, at, "a digit is expected");
    number->digits = first;
    if (*at == '.') {
        point = at + 1;
        at = take_digits(point, &number->value);
        if (at == point)
            return skua__json_refuse(reader, at, "a digit is expected");
        number->whole = false;
        number->exponent = point - at;
    }
    number->end = at;
    if (*at == 'e' || *at == 'E') {
        number->whole = false;
        at = take_exponent(reader, at + 1, &number->exponent);
    }
    return at;
}

/* Whether it is an integer that fits: up to 2^63 - 1, or from -1 down to -2^63. Minus zero is not
 * one: only a double can hold it. */
static bool fits_int(const struct number *number)
{
    return number->whole && number->end - number->digits <= MOST_DIGITS &&
           number->value - number->negative <= INT64_MAX;
}

static double to_double(const struct number *number)
{
    if (number->end - number->digits <= MOST_DIGITS)
        return skua__decimal_value(number->value, number->exponent);
    return skua__decimal_value_long(number->digits, number->end, number->exponent);
}

/* The number without zeros at its ends. It is cut off past 17 digits: no shortest text has more. */
static struct skua__decimal strip_zeros(const struct number *number)
{
    struct skua__decimal decimal = {.digits = 0, .exponent = number->exponent};
    const char *at = number->digits, *end = number->end;

    while (end > at && (end[-1] == '0' || end[-1] == '.'))
        decimal.exponent += *--end == '0';
    for (; at < end && decimal.digits < SKUA__DECIMAL_LIMIT; at++) {
        if (*at != '.')
            decimal.digits = decimal.digits * 10 + (uint64_t)(*at - '0');
    }
    return decimal;
}

/* Whether the shortest text of the double is the same number. */
static bool is_given_back(const struct number *number, double value)
{
    struct skua__decimal decimal = strip_zeros(number), shortest;

    if (value == 0 || isinf(value))
        return decimal.digits == 0;
    shortest = skua__decimal_shortest(value);
    return shortest.digits == decimal.digits && shortest.exponent == decimal.exponent;
}

static char *keep_text(struct skua__json_reader *reader, const char *start, char *end,
                       skua_value *cell)
{
    skua_str text = skua_str_of(start, (size_t)(end - start));

    if (!skua__copy_text(cell, reader->arena, SKUA_STRING, text))
        return skua__json_out_of_memory(reader, start);
    cell->head |= SKUA__NUMERAL;
    return end;
}

char *skua__json_read_number(struct skua__json_reader *reader, char *at, skua_value *cell)
{
    const char *start = at;
    struct number number;
    double value;

    at = scan_number(reader, at, &number);
    if (at == NULL)
        return NULL;
    if (fits_int(&number)) {
        uint64_t bits = number.negative ? 0 - number.value : number.value;

        *cell = skua__int_cell(SKUA_INT, (int64_t)bits);
        return at;
    }
    value = to_double(&number);
    if (reader->exact_numbers && !is_given_back(&number, value))
        return keep_text(reader, start, at, cell);
    if (isinf(value))
        return skua__json_refuse(reader, start, "the number is too large");
    *cell = skua__double_cell(number.negative ? -value : value);
    return at;
}
