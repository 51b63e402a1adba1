/* SPDX-License-Identifier: MIT */
#ifndef SKUA__VIEW_DIALECT_H
#define SKUA__VIEW_DIALECT_H

#include "view/program.h"
#include "view/views.h"

#include <skua/arena.h>
#include <skua/attr.h>
#include <skua/str.h>
#include <stdbool.h>
#include <stddef.h>

/* The text of a template, to be compiled. It lives as long as the program will. */
struct skua__source {
    skua_arena *arena; /* for the program */
    const char *name;
    skua_str text;
    bool indented; /* put INDENT at the start of every line */
};

/* A template language. */
struct skua__dialect {
    const char *name;
    const char *const *extensions; /* ends with NULL */
    /* 0, SKUA_ERR_TEMPLATE, SKUA_ERR_NOMEM; then *error is filled. */
    int (*compile)(struct skua__program *program, const struct skua__source *source,
                   struct skua__view_error *error);
};

/* By the extension of a template's name; NULL when it has none or an unknown one. */
const struct skua__dialect *skua__dialect_of(skua_str name);

/* For compilers: fill *error with what is wrong at `offset`. Returns SKUA_ERR_TEMPLATE. */
SKUA_PRINTF(4, 5)
int skua__compile_fail(struct skua__view_error *error, const struct skua__source *source,
                       size_t offset, const char *format, ...);

/* For compilers: finish the program; *error is filled when that fails. */
struct skua__emit;
int skua__compile_finish(struct skua__emit *emit, struct skua__program *program,
                         const struct skua__source *source, struct skua__view_error *error);

int skua__mustache_compile(struct skua__program *program, const struct skua__source *source,
                           struct skua__view_error *error);

#endif
