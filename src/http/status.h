/* SPDX-License-Identifier: MIT */
#ifndef SKUA__HTTP_STATUS_H
#define SKUA__HTTP_STATUS_H

#include <skua/str.h>
#include <stdbool.h>

/* The reason phrase of a status (IANA registry), "Unknown" for one that is not registered. */
skua_str skua__status_reason(int status);

/* "HTTP/1.1 200 OK\r\n", prebuilt; empty for a status that is not registered. */
skua_str skua__status_line(int status);

/* Whether a reply of this status never has content: 1xx, 204, 304 (RFC 9110, 6.4.1). */
bool skua__status_bodiless(int status);

#endif
