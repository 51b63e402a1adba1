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

/* Whether eight bytes, the first one lowest, are digits: 0x30 to 0x39, also with 6 added. */
static bool are_digits(uint64_t bytes)
{
    uint64_t high = 0xf0f0f0f0f0f0f0f0u;

    return (bytes & high) == 0x3030303030303030u &&
           ((bytes + 0x0606060606060606u) & high) == 0x3030303030303030u;
}

/* The value of eight digits: neighbours are joined to pairs, those to fours, those to the whole. */
static uint64_t join_digits(uint64_t bytes)
{
    bytes = (bytes & 0x0f0f0f0f0f0f0f0fu) * (10 << 8 | 1) >> 8;
    bytes = (bytes & 0x00ff00ff00ff00ffu) * (100 << 16 | 1) >> 16;
    return (bytes & 0x0000ffff0000ffffu) * (10000ull << 32 | 1) >> 32;
}

/* One digit at least, appended to *value. Behind the copy are enough bytes to load eight. */
static char *take_digits(struct skua__json_reader *reader, char *at, uint64_t *value)
{
    uint64_t bytes;

    if (!skua__json_is_digit(*at))
        return skua__json_refuse(reader, at, "a digit is expected");
    for (; memcpy(&bytes, at, sizeof(bytes)), are_digits(bytes); at += sizeof(bytes))
        *value = *value * 100000000 + join_digits(bytes);
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
    *number = (struct number){.negative = *at == '-', .whole = true};
    at += number->negative;
    number->digits = at;
    at = *at == '0' ? at + 1 : take_digits(reader, at, &number->value);
    if (at != NULL && *at == '.') {
        const char *point = at;

        number->whole = false;
        at = take_digits(reader, at + 1, &number->value);
        number->exponent = at != NULL ? point + 1 - at : 0;
    }
    number->end = at;
    if (at != NULL && (*at == 'e' || *at == 'E')) {
        number->whole = false;
        at = take_exponent(reader, at + 1, &number->exponent);
    }
    return at;
}

/* Whether it is an integer that fits. Minus zero is not: only a double can hold it. */
static bool fits_int(const struct number *number)
{
    uint64_t most = number->negative ? (uint64_t)INT64_MAX + 1 : INT64_MAX;

    return number->whole && number->end - number->digits <= MOST_DIGITS && number->value <= most &&
           !(number->negative && number->value == 0);
}

static double to_double(const struct number *number)
{
    if (number->end - number->digits <= MOST_DIGITS)
        return skua__decimal_value(number->value, number->exponent);
    return skua__decimal_value_long(number->digits, number->end, number->exponent);
}

/* The number without zeros at its ends. Past 17 digits, which no shortest text has, it is cut off. */
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
