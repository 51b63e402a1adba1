/* SPDX-License-Identifier: MIT */
#ifndef SKUA__VIEW_FILTER_H
#define SKUA__VIEW_FILTER_H

#include <skua/str.h>
#include <skua/value.h>
#include <stdint.h>

/* A C function that templates call by name: args[0] is the filtered value, then what follows. */
struct skua__filter {
    const char *name;
    skua_callable fn;
    uint16_t least; /* arguments, with the filtered value */
    uint16_t most;
};

/* NULL when there is no filter of that name. */
const struct skua__filter *skua__filter_find(skua_str name);

#endif
