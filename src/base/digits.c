/* SPDX-License-Identifier: MIT */
/*
 * digits.c - integers in decimal
 *
 * How many digits there are is known before the first is written: the number of bits says it up to
 * one, and one comparison says the rest. So they go straight to their place, from the last one
 * forwards, two with each division.
 */
#include "base/digits.h"

#include <string.h>

const uint64_t skua__powers_of_10[SKUA__MOST_DIGITS] = {
    1u,
    10u,
    100u,
    1000u,
    10000u,
    100000u,
    1000000u,
    10000000u,
    100000000u,
    1000000000u,
    10000000000u,
    100000000000u,
    1000000000000u,
    10000000000000u,
    100000000000000u,
    1000000000000000u,
    10000000000000000u,
    100000000000000000u,
    1000000000000000000u,
    10000000000000000000u,
};

static const char pairs[] = "00010203040506070809"
                            "10111213141516171819"
                            "20212223242526272829"
                            "30313233343536373839"
                            "40414243444546474849"
                            "50515253545556575859"
                            "60616263646566676869"
                            "70717273747576777879"
                            "80818283848586878889"
                            "90919293949596979899";

static size_t count_digits(uint64_t number)
{
    /* 1233 / 2^12 is a little more than log10(2); below 2^64 it never leads past the next power. */
    size_t bits = 64 - (size_t)__builtin_clzll(number | 1);
    size_t least = bits * 1233 >> 12;

    return least + ((number | 1) >= skua__powers_of_10[least]);
}

char *skua__digits_write(char out[SKUA__MOST_DIGITS], uint64_t number)
{
    size_t count = count_digits(number), at = count;

    for (; number >= 100; number /= 100)
        memcpy(out + (at -= 2), pairs + number % 100 * 2, 2);
    if (number >= 10)
        memcpy(out, pairs + number * 2, 2);
    else
        out[0] = (char)('0' + number);
    return out + count;
}
