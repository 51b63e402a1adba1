/* SPDX-License-Identifier: MIT */
#ifndef SKUA__VALUE_DECIMAL_H
#define SKUA__VALUE_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

/*
 * Between double and decimal text, correctly rounded in both directions and the same in every
 * locale.
 */

/* digits * 10^exponent, rounded to the nearest double, ties to even; infinity when too large. */
double skua__decimal_value(uint64_t digits, int64_t exponent);

/*
 * The same for any number of digits. [digits, end) holds decimal digits and at most one point,
 * which is skipped: `exponent` is that of the last digit.
 */
double skua__decimal_value_long(const char *digits, const char *end, int64_t exponent);

/* digits * 10^exponent */
struct skua__decimal {
    uint64_t digits;
    int64_t exponent;
};

/* What the digits of a shortest text are below: there are 17 at most. */
#define SKUA__DECIMAL_LIMIT ((uint64_t)100000000000000000)

/* The fewest digits that read back as `number`, which is positive and finite; the last is not 0. */
struct skua__decimal skua__decimal_shortest(double number);

/* The room that skua__decimal_text needs. The longest text has 25 bytes, -0.00000 and 17 digits;
 * what lies behind a text may be written over. */
#define SKUA__DECIMAL_TEXT 40

/*
 * Write a finite number as JavaScript does: the fewest digits that read back equal, 1e21 and 1e-7
 * with an exponent, whole numbers without a point, minus zero as 0. Returns how many bytes; no zero
 * byte is added.
 */
size_t skua__decimal_text(char out[SKUA__DECIMAL_TEXT], double number);

#endif
