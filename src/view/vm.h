/* SPDX-License-Identifier: MIT */
#ifndef SKUA__VIEW_VM_H
#define SKUA__VIEW_VM_H

#include "view/program.h"
#include "view/views.h"

#include <skua/arena.h>
#include <skua/attr.h>
#include <skua/str.h>
#include <skua/value.h>
#include <stddef.h>
#include <stdint.h>

/* What one render may use. */
struct skua__vm_limits {
    size_t output;  /* bytes */
    uint32_t depth; /* templates and blocks inside each other */
    uint64_t steps; /* instructions */
};

extern const struct skua__vm_limits skua__vm_limits;

struct skua__vm_job {
    const struct skua__program *page;
    const struct skua__program *layout; /* NULL: none. It sees `body`, what the page printed */
    const skua_value *data;             /* NULL: undefined */
    const struct skua__vm_limits *limits;
    skua_arena *arena; /* for the result and everything needed on the way */
    size_t expected;   /* bytes of output to make room for at once */
};

/*
 * Run a page. Every program it reaches has its deps resolved. 0 and the text in the arena, or a
 * negative code and *error filled: SKUA_ERR_TEMPLATE, SKUA_ERR_LIMIT, SKUA_ERR_NOMEM. Callables in
 * the data may wait.
 */
SKUA_YIELDS int skua__vm_run(skua_str *out, const struct skua__vm_job *job,
                             struct skua__view_error *error);

#endif
