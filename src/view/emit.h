/* SPDX-License-Identifier: MIT */
#ifndef SKUA__VIEW_EMIT_H
#define SKUA__VIEW_EMIT_H

#include "view/program.h"

#include <skua/arena.h>
#include <skua/str.h>
#include <skua/value.h>
#include <stdint.h>

/* A growing array in an arena; items is NULL while cap is 0. */
struct skua__vec {
    void *items;
    uint32_t count;
    uint32_t cap;
};

/*
 * A program being written, instruction by instruction.
 *
 * Out of memory is sticky: what follows does nothing, and skua__emit_finish tells.
 */
struct skua__emit {
    skua_arena *arena; /* everything the program consists of goes here */
    uint32_t offset;   /* in the source, of the instructions that follow */
    int err;
    struct skua__vec code;
    struct skua__vec offsets;
    struct skua__vec texts;
    struct skua__vec consts;
    struct skua__vec names;
    struct skua__vec filters;
    struct skua__vec deps;
    struct skua__vec blocks;
};

void skua__emit_init(struct skua__emit *emit, skua_arena *arena);

/* The address of the next instruction. */
static inline uint32_t skua__emit_here(const struct skua__emit *emit)
{
    return emit->code.count;
}

/* Append an instruction whose operands are known; returns its address. */
uint32_t skua__emit_op(struct skua__emit *emit, enum skua__op op, uint16_t a, uint32_t b);

/* TEXT; nothing for an empty text. The bytes are not copied. */
void skua__emit_text(struct skua__emit *emit, skua_str text);
/* CONST. The value belongs to the arena of the program. */
void skua__emit_const(struct skua__emit *emit, const skua_value *value);
/* LOAD, MEMBER, REQUIRE or SET. The bytes of the name are not copied. */
void skua__emit_name(struct skua__emit *emit, enum skua__op op, skua_str name);
/* FILTER, for a filter that takes so many arguments. */
void skua__emit_filter(struct skua__emit *emit, const struct skua__filter *filter, uint16_t args);
/* INCLUDE. `dep` gives name, indent and indented; the bytes are not copied. */
void skua__emit_include(struct skua__emit *emit, const struct skua__dep *dep, uint16_t set);

/* A jump, branch or loop to an address that comes later; pass what it returns to skua__emit_land. */
uint32_t skua__emit_jump(struct skua__emit *emit, enum skua__op op, uint16_t a);
void skua__emit_land(struct skua__emit *emit, uint32_t jump);

/* A block at this place; its body follows, up to skua__emit_end_block with what this returns. */
uint32_t skua__emit_block(struct skua__emit *emit, skua_str name, skua_str indent, uint32_t set);
void skua__emit_end_block(struct skua__emit *emit, uint32_t block);

/*
 * Append RETURN, verify and fill *program (name and source are borrowed). 0, SKUA_ERR_NOMEM,
 * SKUA_ERR_LIMIT when it is nested too deeply, SKUA_ERR_STATE when what was emitted is no program.
 */
int skua__emit_finish(struct skua__emit *emit, struct skua__program *program, const char *name,
                      skua_str source);

#endif
