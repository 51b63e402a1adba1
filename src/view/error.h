/* SPDX-License-Identifier: MIT */
#ifndef SKUA__VIEW_ERROR_H
#define SKUA__VIEW_ERROR_H

#include "view/views.h"

#include <skua/arena.h>
#include <skua/attr.h>
#include <skua/str.h>
#include <stddef.h>

/* Fill *error, without a place. `template` is copied and may be NULL. Returns `code`. */
SKUA_PRINTF(5, 6)
int skua__view_error_set(struct skua__view_error *error, skua_arena *arena, int code,
                         const char *template, const char *format, ...);

/* Add the place: line, column and excerpt of the byte at `offset` of the template's source. */
void skua__view_error_place(struct skua__view_error *error, skua_arena *arena, skua_str source,
                            size_t offset);

/* "home.html:3:5: what is wrong" and, on lines of their own, the excerpt; in `arena`, NULL when memory is
 * gone. For logs, set-up mistakes and terminals. */
const char *skua__view_error_format(const struct skua__view_error *error, skua_arena *arena);

/* Copy an error into another arena. */
void skua__view_error_copy(struct skua__view_error *to, skua_arena *arena,
                           const struct skua__view_error *from);

#endif
