/* SPDX-License-Identifier: MIT */
#ifndef SKUA__VIEW_PROGRAM_H
#define SKUA__VIEW_PROGRAM_H

#include "view/filter.h"
#include "view/ir.h"

#include <skua/arena.h>
#include <skua/str.h>
#include <skua/value.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct skua__entry;

/* A template that a program includes or extends, by the name that stands in the template. */
struct skua__dep {
    skua_str name;
    skua_str indent; /* put before every line of it, after the indentation in force */
    bool indented;   /* it is compiled with INDENT at the start of every line */
    uint32_t offset; /* of the tag in the source */
    /* The cache's entries that it may mean: one, or two of which the first that exists is meant. */
    struct skua__entry *candidates[2];
    /* Set before the first render; NULL prints nothing. */
    _Atomic(const struct skua__program *) program;
};

/* A piece of code that a template extending this one may replace. */
struct skua__view_block {
    skua_str name;
    skua_str indent; /* as in a dep: put before every line of what is run here */
    uint32_t code;   /* address of its first instruction */
    uint32_t set;    /* which INCLUDE it is an argument of; 0: of none */
};

/*
 * A compiled template.
 *
 * Immutable, apart from deps[].program, so any number of threads may run it at once. Every array
 * lives in the arena it was built in; texts and names are slices of the source where they can be.
 * It has been verified: no operand is out of range, no stack runs under.
 *
 *   code     [ins][ins][ins]…       length of both: code_count
 *   offsets  [u32][u32][u32]…       where in the source each instruction comes from
 */
struct skua__program {
    const char *name; /* of the template, for messages */
    skua_str source;
    const struct skua__ins *code;
    const uint32_t *offsets;
    const skua_str *texts;
    const skua_value *const *consts;
    const skua_str *names;
    const struct skua__filter *const *filters;
    struct skua__dep *deps;
    const struct skua__view_block *blocks;
    uint32_t code_count;
    uint32_t text_count;
    uint32_t const_count;
    uint32_t name_count;
    uint32_t filter_count;
    uint32_t dep_count;
    uint32_t block_count;
    uint32_t stack; /* the most values it has on the stack at once */
};

#endif
