/* SPDX-License-Identifier: MIT */
#ifndef SKUA__BASE_DIGITS_H
#define SKUA__BASE_DIGITS_H

#include <stdint.h>

/* The most digits of an integer of 64 bits. */
#define SKUA__MOST_DIGITS 20

/* 10^0 to 10^19, all that fit in 64 bits. */
extern const uint64_t skua__powers_of_10[SKUA__MOST_DIGITS];

/* Write a number in decimal; returns the place behind. No zero byte is added. */
char *skua__digits_write(char out[SKUA__MOST_DIGITS], uint64_t number);

#endif
