/* SPDX-License-Identifier: MIT */
#ifndef SKUA__TEXT_TARGET_H
#define SKUA__TEXT_TARGET_H

#include <skua/arena.h>
#include <skua/str.h>

/*
 * The one reading of a request target (RFC 9112, 3.2) that routing, guards, static files and logs
 * share.
 *
 *   path   begins with "/"; decoded once except for escapes of reserved characters
 *          (# $ & + , / : ; = ? @ %), which stay as they came; well-formed UTF-8 without control
 *          bytes. "*" for the server-wide OPTIONS.
 *   query  what follows the first "?", undecoded, without it; empty if there is none
 *   host   the authority of an absolute-form target; empty otherwise
 */
struct skua__target {
    skua_str path;
    skua_str query;
    skua_str host;
};

/*
 * Read a target. `arena` is used only if something has to be decoded; the slices point into `raw`
 * otherwise. Returns 0, SKUA_ERR_BAD_INPUT (broken escape, NUL, invalid UTF-8, fragment, unknown
 * form), SKUA_ERR_NOMEM.
 */
int skua__target_read(struct skua__target *out, skua_arena *arena, skua_str raw);

/*
 * Decode what is left of a path segment or wildcard after routing: the reserved escapes. The result
 * is zero-terminated in the arena. 0, SKUA_ERR_NOMEM, or SKUA_ERR_BAD_INPUT for a broken escape,
 * which no part of a path that skua__target_read made can hold.
 */
int skua__segment_decode(skua_str *out, skua_arena *arena, skua_str segment);

#endif
