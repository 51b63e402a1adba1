/* SPDX-License-Identifier: MIT */
#ifndef SKUA__ROUTER_EXPRESSION_H
#define SKUA__ROUTER_EXPRESSION_H

#include <skua/arena.h>
#include <skua/str.h>
#include <stdint.h>

/* A regular expression, compiled once, then read by all workers. It dies with its arena. */
struct skua__expression;

/*
 * Compile `source`. With `groups`, which it must have as named ones and no others, it has to match a
 * text as a whole; without, some part is enough. 0; SKUA_ERR_SETUP: `why`, in `scratch`, tells what is
 * wrong as the end of a sentence; SKUA_ERR_NOMEM.
 */
int skua__expression_new(struct skua__expression **out, skua_arena *arena, skua_str source,
                         uint16_t groups, skua_arena *scratch, const char **why);

/* 1: it matches, and taken[i] is the slice of `text` for group i + 1; 0: it does not, or would need
 * too many steps; SKUA_ERR_NOMEM. */
int skua__expression_match(const struct skua__expression *expression, skua_str text,
                           skua_str *taken);

#endif
