/* SPDX-License-Identifier: MIT */
/*
 * decimal.c - double <-> decimal
 *
 * A decimal is digits * 10^exponent with an integer of up to 19 digits. Since 10^k = 5^k * 2^k and
 * 5^27 fits in 64 bits, every scaling by 10^-27 to 10^27 is one exact multiplication or division in
 * 128 bits, and rounding the exact result is rounding correctly. That covers what people write.
 *
 * Beyond that range the C library works, which rounds correctly too. It is only ever given, or
 * asked for, digits and an exponent: the decimal point is the one part that depends on the locale.
 */
#include "value/decimal.h"

#include "base/digits.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

#define MAX_POWER     27
#define MANTISSA_BITS 53
#define EXPONENT_BIAS 1075 /* of the lowest mantissa bit */
#define HIDDEN_BIT    ((uint64_t)1 << 52)

static const uint64_t powers_of_5[MAX_POWER + 1] = {
    1u,
    5u,
    25u,
    125u,
    625u,
    3125u,
    15625u,
    78125u,
    390625u,
    1953125u,
    9765625u,
    48828125u,
    244140625u,
    1220703125u,
    6103515625u,
    30517578125u,
    152587890625u,
    762939453125u,
    3814697265625u,
    19073486328125u,
    95367431640625u,
    476837158203125u,
    2384185791015625u,
    11920928955078125u,
    59604644775390625u,
    298023223876953125u,
    1490116119384765625u,
    7450580596923828125u,
};

/* ---- decimal to double ---- */

static int bit_length(wide n)
{
    uint64_t high = (uint64_t)(n >> 64);

    return high != 0 ? 128 - __builtin_clzll(high) : 64 - __builtin_clzll((uint64_t)n);
}

/*
 * The double nearest to n * 2^scale, or to a little more than that if `more`. n has more bits than
 * a mantissa, and the result is a normal double.
 */
static double round_binary(wide n, bool more, int scale)
{
    int excess = bit_length(n) - MANTISSA_BITS;
    wide half = (wide)1 << (excess - 1);
    wide rest = n & (half + half - 1);
    uint64_t mantissa = (uint64_t)(n >> excess);
    uint64_t bits;
    double number;

    if (rest > half || (rest == half && (more || (mantissa & 1) != 0)))
        mantissa++;
    /* Added, not or-ed: a mantissa that has become 2^53 carries into the exponent. */
    bits = ((uint64_t)(excess + scale + EXPONENT_BIAS) << 52) + (mantissa - HIDDEN_BIT);
    memcpy(&number, &bits, sizeof(number));
    return number;
}

/* digits / 10^power. Both sides are shifted up to their top bits, for a quotient of 62 or more. */
static double divide(uint64_t digits, int power)
{
    int digits_shift = __builtin_clzll(digits);
    int divisor_shift = __builtin_clzll(powers_of_5[power]);
    uint64_t divisor = powers_of_5[power] << divisor_shift;
    wide dividend = (wide)(digits << digits_shift) << 63;
    wide quotient = dividend / divisor;
    bool more = quotient * divisor != dividend;

    return round_binary(quotient, more, divisor_shift - digits_shift - 63 - power);
}

double skua__decimal_value(uint64_t digits, int64_t exponent)
{
    static const double exact[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    char text[48];

    if (digits == 0)
        return 0;
    /* Both sides are exact doubles, so the machine's one operation rounds only once. What passes
     * this has more than 53 bits, once it is multiplied. */
    if (digits <= (uint64_t)1 << MANTISSA_BITS && exponent >= -22 && exponent <= 22)
        return exponent < 0 ? (double)digits / exact[-exponent] : (double)digits * exact[exponent];
    if (exponent >= 0 && exponent <= MAX_POWER)
        return round_binary((wide)digits * powers_of_5[exponent], false, (int)exponent);
    if (exponent < 0 && exponent >= -MAX_POWER)
        return divide(digits, (int)-exponent);
    snprintf(text, sizeof(text), "%" PRIu64 "e%" PRId64, digits, exponent);
    return strtod(text, NULL);
}

/* What lies half-way between two doubles has at most 767 digits, so of the digits behind those it
 * only matters whether one of them is not zero. */
#define MOST_DIGITS 768

double skua__decimal_value_long(const char *digits, const char *end, int64_t exponent)
{
    char text[MOST_DIGITS + 32];
    size_t len = 0;
    bool more = false;

    for (; digits < end; digits++) {
        if (*digits == '.' || (len == 0 && *digits == '0'))
            continue;
        if (len < MOST_DIGITS) {
            text[len++] = *digits;
        } else {
            more |= *digits != '0';
            exponent++;
        }
    }
    if (len == 0)
        return 0;
    if (more) {
        text[len++] = '1';
        exponent--;
    }
    snprintf(text + len, sizeof(text) - len, "e%" PRId64, exponent);
    return strtod(text, NULL);
}

/* ---- double to decimal ---- */

static struct skua__decimal strip_zeros(uint64_t digits, int exponent)
{
    for (; digits % 100000000 == 0; digits /= 100000000)
        exponent += 8;
    for (; digits % 100 == 0; digits /= 100)
        exponent += 2;
    for (; digits % 10 == 0; digits /= 10)
        exponent++;
    return (struct skua__decimal){.digits = digits, .exponent = exponent};
}

/*
 * The shortest decimal if it has up to six places behind the point and 15 digits, as most numbers
 * that people write. Its digits and 10^6 are exact doubles, so the one division here is how it would
 * be read. No two decimals of 15 digits read as the same double, so no other is as short.
 */
static bool find_plainly(struct skua__decimal *decimal, double number)
{
    int64_t digits;

    if (number >= 1e9)
        return false;
    digits = (int64_t)(number * 1e6 + 0.5);
    if ((double)digits / 1e6 != number)
        return false;
    *decimal = strip_zeros((uint64_t)digits, -6);
    return true;
}

/*
 * The shortest decimal of mantissa * 2^binary, in whole numbers alone (the idea is Schubfach:
 * Giulietti, 2020).
 *
 * A decimal reads back as the number when it lies between the middles to its neighbours, which are
 * half a unit of the mantissa away, below a power of two (`edge`) a quarter. The middles themselves
 * are rounded to the even mantissa.
 *
 *                    middle              number              middle
 *     -----|------------[--|----------------|--x-------------|--]-----     multiples of 10^power
 *                      low            `digits` number           high
 *
 * `power` is the largest for which 10^power <= high - low. So at least one multiple of 10^power
 * lies between them, and at most one of 10^(power + 1), which is shorter. Everything is counted in
 * a measure that divides both 10^power (`unit`) and a quarter of the mantissa's unit, so nothing is
 * ever rounded; for powers from -27 to 27 it fits in 122 bits.
 */
static struct skua__decimal find_exactly(uint64_t mantissa, bool edge, int binary, int power)
{
    int shift = binary - 2 - power;
    wide unit = (wide)powers_of_5[power > 0 ? power : 0] << (shift < 0 ? -shift : 0);
    wide quarter = (wide)powers_of_5[power < 0 ? -power : 0] << (shift > 0 ? shift : 0);
    wide number = 4 * mantissa * quarter;
    wide low = number - quarter * (edge ? 1 : 2) + (mantissa & 1);
    wide high = number + quarter * 2 - (mantissa & 1);
    uint64_t digits = (uint64_t)(shift < 0 ? number >> -shift : number / unit);
    uint64_t tens = digits - digits % 10;
    wide twice_rest = (number - digits * unit) * 2;

    if (tens * unit >= low)
        return strip_zeros(tens, power);
    if ((tens + 10) * unit <= high)
        return strip_zeros(tens + 10, power);
    /* The nearest one; of two equally near the even one. */
    if (digits * unit < low || twice_rest > unit || (twice_rest == unit && (digits & 1) != 0))
        digits++;
    return (struct skua__decimal){.digits = digits, .exponent = power};
}

#define SCALED_DIGITS 19 /* as many as always fit in 64 bits */

/* Twice the digits, so that what is cut off is seen. */
static struct skua__decimal scale_by_library(double number)
{
    struct skua__decimal decimal = {0, 0};
    char text[64];
    char *at = text;
    int count = 0;
    bool more = false;

    snprintf(text, sizeof(text), "%.*e", 2 * SCALED_DIGITS, number);
    for (; *at != 'e'; at++) {
        if (*at < '0' || *at > '9') /* the point of the locale */
            continue;
        if (count++ < SCALED_DIGITS)
            decimal.digits = decimal.digits * 10 + (uint64_t)(*at - '0');
        else
            more |= *at != '0';
    }
    decimal.digits |= more;
    decimal.exponent = atoi(at + 1) - (SCALED_DIGITS - 1);
    return decimal;
}

static bool reads_as(struct skua__decimal decimal, double number)
{
    return skua__decimal_value(decimal.digits, decimal.exponent) == number;
}

/* Rounded to `count` digits, ties to even. */
static struct skua__decimal round_decimal(struct skua__decimal scaled, int count)
{
    uint64_t unit = skua__powers_of_10[SCALED_DIGITS - count];
    uint64_t digits = scaled.digits / unit;
    uint64_t rest = scaled.digits % unit;

    if (rest > unit / 2 || (rest == unit / 2 && (digits & 1) != 0))
        digits++;
    return (struct skua__decimal){.digits = digits,
                                  .exponent = scaled.exponent + SCALED_DIGITS - count};
}

/*
 * The shortest decimal by trial: 15 digits always survive the way to a double and back, so if a
 * shorter text is equal then its 15 digits are too (with zeros at the end), and 17 digits always
 * tell a double from its neighbours. Subnormals have fewer bits, so there it starts at one digit.
 */
static struct skua__decimal find_by_trial(double number, bool edge, bool subnormal)
{
    struct skua__decimal scaled = scale_by_library(number), decimal = {0, 0};

    for (int tried = subnormal ? 1 : 15; tried <= 17; tried++) {
        decimal = round_decimal(scaled, tried);
        /* Below a power of two the nearest decimal may belong to the neighbour, while the next one
         * up is still ours. */
        if (edge && !reads_as(decimal, number))
            decimal.digits++;
        if (reads_as(decimal, number))
            break;
    }
    return strip_zeros(decimal.digits, (int)decimal.exponent);
}

struct skua__decimal skua__decimal_shortest(double number)
{
    struct skua__decimal decimal;
    uint64_t bits, mantissa;
    int exponent, binary, power;
    bool edge;

    if (find_plainly(&decimal, number))
        return decimal;
    memcpy(&bits, &number, sizeof(bits));
    exponent = (int)(bits >> 52);
    mantissa = bits & (HIDDEN_BIT - 1);
    edge = mantissa == 0;
    binary = exponent - EXPONENT_BIAS;
    /* floor(log10(high - low)): 2^binary, three quarters of it at an edge. */
    power = (binary * 78913 - (edge ? 32752 : 0)) >> 18;
    if (power < -MAX_POWER || power > MAX_POWER)
        return find_by_trial(number, edge, exponent == 0);
    return find_exactly(mantissa | HIDDEN_BIT, edge, binary, power);
}

#define MOST_WHOLE 21 /* digits before the point; above, an exponent says it */

/* A fixed number of bytes is copied by one or two instructions; `out` has room for the excess. */
#define COPIED 17

static char *put_with_exponent(char *out, const char *digits, int count, int exponent)
{
    out[0] = digits[0];
    out[1] = '.';
    memcpy(out + 2, digits + 1, COPIED - 1);
    out += count > 1 ? count + 1 : 1;
    *out++ = 'e';
    *out++ = exponent < 0 ? '-' : '+';
    return skua__digits_write(out, (uint64_t)abs(exponent));
}

static char *put_with_zeros(char *out, const char *digits, int count, int zeros)
{
    memcpy(out, digits, COPIED);
    memset(out + count, '0', MOST_WHOLE);
    return out + count + zeros;
}

static char *put_with_point(char *out, const char *digits, int count, int point)
{
    memcpy(out, digits, COPIED);
    out[point] = '.';
    memcpy(out + point + 1, digits + point, COPIED - 1);
    return out + count + 1;
}

static char *put_below_one(char *out, const char *digits, int count, int zeros)
{
    memcpy(out, "0.00000", 7);
    out += 2 + zeros;
    memcpy(out, digits, COPIED);
    return out + count;
}

/* The cases of Number::toString, ECMA-262. */
size_t skua__decimal_text(char out[SKUA__DECIMAL_TEXT], double number)
{
    char digits[SKUA__MOST_DIGITS + COPIED] = {0};
    struct skua__decimal decimal;
    char *at = out;
    int count, point; /* the number is 0.digits * 10^point */

    if (number == 0) {
        *out = '0';
        return 1;
    }
    if (number < 0)
        *at++ = '-';
    decimal = skua__decimal_shortest(fabs(number));
    count = (int)(skua__digits_write(digits, decimal.digits) - digits);
    point = count + (int)decimal.exponent;
    if (point > MOST_WHOLE || point < -5)
        at = put_with_exponent(at, digits, count, point - 1);
    else if (point >= count)
        at = put_with_zeros(at, digits, count, point - count);
    else if (point > 0)
        at = put_with_point(at, digits, count, point);
    else
        at = put_below_one(at, digits, count, -point);
    return (size_t)(at - out);
}
