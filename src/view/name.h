/* SPDX-License-Identifier: MIT */
#ifndef SKUA__VIEW_NAME_H
#define SKUA__VIEW_NAME_H

#include <skua/str.h>

/* The most bytes of a template's name. */
#define SKUA__MAX_NAME ((size_t)1024)

/*
 * Template names are paths below the root, and there is one way to write each: segments divided by
 * "/", none of them empty, "." or "..", no backslash, no control byte. NULL if `name` is one, else
 * what is wrong with it, as the end of a sentence.
 */
const char *skua__name_wrong(skua_str name);

/* What follows the last dot of the last segment; empty when there is none. */
skua_str skua__name_extension(skua_str name);

#endif
