/* SPDX-License-Identifier: MIT */
#ifndef SKUA__TEXT_HOST_H
#define SKUA__TEXT_HOST_H

#include <skua/str.h>
#include <stdbool.h>

/*
 * How many bytes from the start are uri-host [ ":" port ] (RFC 9110, 7.2) with a host that is not
 * empty: what a Host field or the authority of an http address may hold. 0 when there is none. User
 * information ("user@") is no part of it (RFC 9110, 4.2.4).
 */
size_t skua__host_length(const char *ptr, size_t len);

/* Whether the text is one, all of it. */
bool skua__host_valid(skua_str text);

#endif
