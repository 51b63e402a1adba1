/* SPDX-License-Identifier: MIT */
#ifndef SKUA__TEXT_HOST_H
#define SKUA__TEXT_HOST_H

#include <skua/str.h>
#include <stdbool.h>

/*
 * Whether the text is uri-host [ ":" port ] (RFC 9110, 7.2) with a host that is not empty: what a
 * Host field or the authority of an http address may hold. User information ("user@") is refused
 * (RFC 9110, 4.2.4).
 */
bool skua__host_valid(skua_str text);

#endif
