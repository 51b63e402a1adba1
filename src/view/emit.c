/* SPDX-License-Identifier: MIT */
/*
 * emit.c - writing programs
 *
 * A language's compiler (and a test) calls this in the order of the template: an instruction, its
 * operand in the side array that ir.h names, its place in the source. A forward jump is written
 * with an open address and closed when its target is reached:
 *
 *   at = emit_jump(JUMP_FALSE) … emit_land(at)
 *
 * A block's body is written in place and jumped over, so that a template is compiled in one pass:
 *
 *   BLOCK n; JUMP after; body…; RETURN; after:
 *
 * Nothing here knows what the instructions mean. Mistakes are found by verify.c at the end.
 */
#include "view/emit.h"

#include "base/arena.h"
#include "view/verify.h"

#include <skua/err.h>

#define SMALLEST 16u

void skua__emit_init(struct skua__emit *emit, skua_arena *arena)
{
    memset(emit, 0, sizeof(*emit));
    emit->arena = arena;
}

static bool grow(struct skua__emit *emit, struct skua__vec *vec, size_t size)
{
    uint32_t cap = vec->cap == 0 ? SMALLEST : vec->cap * 2;
    void *items = NULL;

    if (vec->cap <= UINT32_MAX / 4)
        items = skua__arena_grow(emit->arena, vec->items, vec->cap * size, cap * size);
    if (items == NULL) {
        emit->err = SKUA_ERR_NOMEM;
        return false;
    }
    vec->items = items;
    vec->cap = cap;
    return true;
}

/* Copy an item of `size` bytes to the end of a vector and return its index. */
static uint32_t push(struct skua__emit *emit, struct skua__vec *vec, const void *item, size_t size)
{
    if (emit->err != 0)
        return 0;
    if (vec->count == vec->cap && !grow(emit, vec, size))
        return 0;
    memcpy((char *)vec->items + vec->count * size, item, size);
    return vec->count++;
}

uint32_t skua__emit_op(struct skua__emit *emit, enum skua__op op, uint16_t a, uint32_t b)
{
    struct skua__ins ins = {.op = (uint16_t)op, .a = a, .b = b};

    push(emit, &emit->offsets, &emit->offset, sizeof(emit->offset));
    return push(emit, &emit->code, &ins, sizeof(ins));
}

void skua__emit_text(struct skua__emit *emit, skua_str text)
{
    if (text.len > 0)
        skua__emit_op(emit, SKUA__OP_TEXT, 0, push(emit, &emit->texts, &text, sizeof(text)));
}

void skua__emit_const(struct skua__emit *emit, const skua_value *value)
{
    if (value == NULL)
        emit->err = SKUA_ERR_NOMEM;
    skua__emit_op(emit, SKUA__OP_CONST, 0, push(emit, &emit->consts, &value, sizeof(value)));
}

void skua__emit_name(struct skua__emit *emit, enum skua__op op, skua_str name)
{
    skua__emit_op(emit, op, 0, push(emit, &emit->names, &name, sizeof(name)));
}

void skua__emit_filter(struct skua__emit *emit, const struct skua__filter *filter, uint16_t args)
{
    skua__emit_op(emit, SKUA__OP_FILTER, args, push(emit, &emit->filters, &filter, sizeof(filter)));
}

void skua__emit_include(struct skua__emit *emit, const struct skua__dep *dep, uint16_t set)
{
    struct skua__dep item = {.name = dep->name, .indent = dep->indent, .indented = dep->indented};

    item.offset = emit->offset;
    skua__emit_op(emit, SKUA__OP_INCLUDE, set, push(emit, &emit->deps, &item, sizeof(item)));
}

uint32_t skua__emit_jump(struct skua__emit *emit, enum skua__op op, uint16_t a)
{
    return skua__emit_op(emit, op, a, UINT32_MAX);
}

void skua__emit_land(struct skua__emit *emit, uint32_t jump)
{
    struct skua__ins *code = emit->code.items;

    if (emit->err == 0)
        code[jump].b = skua__emit_here(emit);
}

uint32_t skua__emit_block(struct skua__emit *emit, skua_str name, skua_str indent, uint32_t set)
{
    struct skua__view_block block = {.name = name, .indent = indent, .set = set};

    block.code = skua__emit_here(emit) + 2;
    skua__emit_op(emit, SKUA__OP_BLOCK, 0, push(emit, &emit->blocks, &block, sizeof(block)));
    return skua__emit_jump(emit, SKUA__OP_JUMP, 0);
}

void skua__emit_end_block(struct skua__emit *emit, uint32_t block)
{
    skua__emit_op(emit, SKUA__OP_RETURN, 0, 0);
    skua__emit_land(emit, block);
}

int skua__emit_finish(struct skua__emit *emit, struct skua__program *program, const char *name,
                      skua_str source)
{
    skua__emit_op(emit, SKUA__OP_RETURN, 0, 0);
    if (emit->err != 0)
        return emit->err;
    *program = (struct skua__program){
        .name = name,
        .source = source.ptr != NULL ? source : SKUA_STR(""),
        .code = emit->code.items,
        .offsets = emit->offsets.items,
        .texts = emit->texts.items,
        .consts = emit->consts.items,
        .names = emit->names.items,
        .filters = emit->filters.items,
        .deps = emit->deps.items,
        .blocks = emit->blocks.items,
        .code_count = emit->code.count,
        .text_count = emit->texts.count,
        .const_count = emit->consts.count,
        .name_count = emit->names.count,
        .filter_count = emit->filters.count,
        .dep_count = emit->deps.count,
        .block_count = emit->blocks.count,
    };
    return skua__program_verify(program);
}
