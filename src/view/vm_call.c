/* SPDX-License-Identifier: MIT */
/*
 * vm_call.c - the machine's way into other templates, and into blocks
 *
 * INCLUDE and BLOCK push a frame that says where to go on, RETURN pops it.
 *
 * Template inheritance: the frame of INCLUDE also says which blocks of the caller are arguments to
 * the callee (their set). A BLOCK, wherever it stands, asks these frames from the bottom up, so the
 * template that is furthest derived wins; if no frame knows the name, the block's own body runs.
 * SUPER goes on with the search where it had stopped:
 *
 *   frames:  [call, set of C] [call, set of B] [block x: searched = 1]
 *             C extends B      B extends A      A has the block x and C's runs; SUPER: B's, then A's
 */
#include "view/machine.h"

#define SEARCHED_ALL UINT32_MAX
#define MOST_INDENT  ((size_t)4096)

int skua__vm_start(struct skua__vm *vm, const struct skua__program *program, uint32_t address)
{
    size_t count = (size_t)(vm->top - vm->values);

    while (vm->value_cap - count < program->stack) {
        skua_value *values = skua__vm_grow(vm, vm->values, &vm->value_cap, sizeof(*values));

        if (values == NULL)
            return SKUA_ERR_NOMEM;
        vm->values = values;
        vm->top = values + count;
    }
    vm->program = program;
    skua__vm_jump(vm, address);
    return 0;
}

/* A frame that says where to go on, and a scope, so that the callee's bindings are its own. */
static struct skua__frame *push_call(struct skua__vm *vm, enum skua__frame_kind kind)
{
    struct skua__frame *frame;

    if (vm->depth == vm->limits->depth) {
        skua__vm_fail(vm, SKUA_ERR_LIMIT, "templates are nested deeper than %u",
                      (unsigned)vm->limits->depth);
        return NULL;
    }
    frame = skua__vm_push_frame(vm, kind);
    if (frame == NULL || skua__vm_enter(vm, SKUA__SCOPE_MARK, (skua_value){0}) < 0)
        return NULL;
    vm->depth++;
    memset(&frame->as.call, 0, sizeof(frame->as.call));
    frame->as.call.program = vm->program;
    frame->as.call.next = vm->next;
    frame->as.call.indent = vm->indent;
    return frame;
}

/* Indent what is run next by `more` after what is in force. */
static int add_indent(struct skua__vm *vm, skua_str more)
{
    size_t len = vm->indent.len + more.len;
    char *both;

    if (len > MOST_INDENT)
        return skua__vm_fail(vm, SKUA_ERR_LIMIT, "the indentation is longer than %zu bytes",
                             MOST_INDENT);
    if (vm->indent.len == 0 || more.len == 0) {
        vm->indent = more.len == 0 ? vm->indent : more;
        return 0;
    }
    both = skua_alloc(vm->arena, len);
    if (both == NULL)
        return skua__vm_fail_memory(vm);
    memcpy(both, vm->indent.ptr, vm->indent.len);
    memcpy(both + vm->indent.len, more.ptr, more.len);
    vm->indent = skua_str_of(both, len);
    return 0;
}

int skua__run_include(struct skua__vm *vm, struct skua__ins ins)
{
    struct skua__dep *dep = &vm->program->deps[ins.b];
    const struct skua__program *callee = atomic_load_explicit(&dep->program, memory_order_acquire);
    struct skua__frame *frame;
    int err = 0;

    if (callee == NULL)
        return 0;
    frame = push_call(vm, SKUA__FRAME_CALL);
    if (frame == NULL)
        return vm->error->code;
    frame->as.call.set = ins.a;
    if (dep->indented)
        err = add_indent(vm, dep->indent);
    else
        vm->indent = SKUA_STR("");
    return err == 0 ? skua__vm_start(vm, callee, 0) : err;
}

int skua__run_return(struct skua__vm *vm, struct skua__ins ins)
{
    const struct skua__frame *frame;

    (void)ins;
    if (vm->frame_count == 0)
        return SKUA__VM_DONE;
    frame = skua__vm_top_frame(vm);
    vm->program = frame->as.call.program;
    vm->next = frame->as.call.next;
    vm->indent = frame->as.call.indent;
    vm->depth--;
    skua__vm_pop_frame(vm);
    return 0;
}

/* The block of that name among the arguments that a call frame passes, or NULL. */
static const struct skua__view_block *find_argument(const struct skua__frame *frame, skua_str name)
{
    const struct skua__program *program;

    if (frame->kind != SKUA__FRAME_CALL || frame->as.call.set == 0)
        return NULL;
    program = frame->as.call.program;
    for (uint32_t i = 0; i < program->block_count; i++) {
        const struct skua__view_block *block = &program->blocks[i];

        if (block->set == frame->as.call.set && skua_str_eq(block->name, name))
            return block;
    }
    return NULL;
}

/* Run the first override from frame `from` on, below `to`; else the block where it stands. */
static int run_block(struct skua__vm *vm, const struct skua__program *home,
                     const struct skua__view_block *block, uint32_t from, uint32_t to)
{
    const struct skua__view_block *found = NULL;
    const struct skua__program *program = home;
    struct skua__frame *frame;
    uint32_t at = from;

    while (at < to && (found = find_argument(&vm->frames[at], block->name)) == NULL)
        at++;
    if (found != NULL)
        program = vm->frames[at].as.call.program;
    frame = push_call(vm, SKUA__FRAME_BLOCK);
    if (frame == NULL)
        return vm->error->code;
    frame->as.call.home = home;
    frame->as.call.block = block;
    frame->as.call.searched = found != NULL ? at + 1 : SEARCHED_ALL;
    return skua__vm_start(vm, program, found != NULL ? found->code : block->code);
}

int skua__run_block(struct skua__vm *vm, struct skua__ins ins)
{
    const struct skua__view_block *block = &vm->program->blocks[ins.b];
    int err;

    err = run_block(vm, vm->program, block, 0, vm->frame_count);
    return err == 0 ? add_indent(vm, block->indent) : err;
}

int skua__run_super(struct skua__vm *vm, struct skua__ins ins)
{
    uint32_t at = vm->frame_count;
    struct skua__frame frame;

    (void)ins;
    while (at > 0 && vm->frames[at - 1].kind != SKUA__FRAME_CALL &&
           vm->frames[at - 1].kind != SKUA__FRAME_BLOCK)
        at--;
    if (at == 0)
        return 0;
    frame = vm->frames[at - 1];
    if (frame.kind != SKUA__FRAME_BLOCK || frame.as.call.searched == SEARCHED_ALL)
        return 0;
    return run_block(vm, frame.as.call.home, frame.as.call.block, frame.as.call.searched, at - 1);
}
