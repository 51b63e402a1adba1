/* SPDX-License-Identifier: MIT */
#ifndef SKUA__TEXT_DATE_H
#define SKUA__TEXT_DATE_H

#include <skua/str.h>
#include <stdbool.h>
#include <stdint.h>

/* "Mon, 30 Nov 2026 14:00:00 GMT": the IMF-fixdate of RFC 9110, 5.6.7, without a zero byte. */
#define SKUA__DATE_LEN 29

/* A second outside the years 0 to 9999 gives the nearest one inside. */
void skua__date_write(char out[SKUA__DATE_LEN], int64_t unix_seconds);

/* Read an IMF-fixdate. false: it is none. */
bool skua__date_read(int64_t *unix_seconds, skua_str text);

#endif
