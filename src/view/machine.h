/* SPDX-License-Identifier: MIT */
#ifndef SKUA__VIEW_MACHINE_H
#define SKUA__VIEW_MACHINE_H

#include "base/buf.h"
#include "value/value.h"
#include "view/vm.h"

#include <skua/err.h>
#include <stdbool.h>

/*
 * The inside of the machine, shared by the vm*.c. What the stacks hold is described in ir.h.
 *
 *   values   [v][v][v] top ->        values + most: as many as the running program may need
 *   scopes   [context: data][binding][scope][binding]…            scopes[0] is always there
 *   frames   [call][loop][block][capture]…       empty while the page's own code runs
 *
 * Values on the stack are handles, by value, and never lazy. The stacks begin in memory of
 * skua__vm_run and move into the arena when they grow. Nothing of C's stack is used for a template
 * inside a template, so only limits.depth bounds them.
 */

enum skua__scope_kind { SKUA__SCOPE_CONTEXT, SKUA__SCOPE_BINDING, SKUA__SCOPE_MARK };

struct skua__scope {
    enum skua__scope_kind kind;
    const skua_str *name; /* of a binding */
    skua_value value;     /* of a context or a binding */
};

enum skua__frame_kind {
    SKUA__FRAME_CALL,
    SKUA__FRAME_BLOCK,
    SKUA__FRAME_LOOP,
    SKUA__FRAME_CAPTURE
};

struct skua__frame {
    enum skua__frame_kind kind;
    uint32_t scopes; /* height of the scopes before it, to go back to */
    union {
        struct { /* CALL, BLOCK: where to go on */
            const struct skua__program *program;
            const struct skua__ins *next;
            skua_str indent;
            uint32_t set;      /* CALL: these blocks of `program` override the callee's; 0: none */
            uint32_t searched; /* BLOCK: frames below this hold only overrides that came before */
            const struct skua__program *home;     /* BLOCK: where it stands … */
            const struct skua__view_block *block; /* … and what stands there, run last by SUPER */
        } call;
        struct { /* LOOP */
            struct skua_each each;
            skua_value subject;
            size_t left;  /* turns after this one */
            bool section; /* each item becomes the context */
            size_t start; /* of a lambda's text in the output, when `subject` is one */
        } loop;
        struct {          /* CAPTURE */
            size_t start; /* in the output */
        } capture;
    } as;
};

struct skua__vm {
    const struct skua__program *program;
    const struct skua__ins *next;
    skua_value *top; /* behind the topmost value */
    uint64_t steps;  /* left */
    struct skua__buf out;
    skua_str indent; /* in force: what INDENT prints */

    skua_value *values;
    struct skua__scope *scopes;
    struct skua__frame *frames;
    uint32_t value_cap;
    uint32_t scope_count, scope_cap;
    uint32_t frame_count, frame_cap;
    uint32_t depth; /* calls and blocks among the frames */

    skua_arena *arena;
    const struct skua__vm_limits *limits;
    struct skua__view_error *error;
};

/* What an instruction does. 0, a negative code, or SKUA__VM_DONE when the page has returned. */
#define SKUA__VM_DONE 1
#define SKUA__OP_DECLARE(NAME, name, takes, leaves, way, operand) \
    int skua__run_##name(struct skua__vm *vm, struct skua__ins ins);
SKUA__OP_MAP(SKUA__OP_DECLARE)
#undef SKUA__OP_DECLARE

/* ---- vm.c ---- */

/* Fill vm->error with the place of the present instruction; returns `code`. */
SKUA_PRINTF(3, 4) int skua__vm_fail(struct skua__vm *vm, int code, const char *format, ...);
int skua__vm_fail_memory(struct skua__vm *vm);

/* Move a full stack of *cap items of `size` bytes to where twice as many fit; NULL: no memory. */
void *skua__vm_grow(struct skua__vm *vm, const void *items, uint32_t *cap, size_t size);

/* A new frame on top; NULL: no memory. */
struct skua__frame *skua__vm_push_frame(struct skua__vm *vm, enum skua__frame_kind kind);

/* Call a C function; the result is never lazy. */
skua_value skua__vm_call(struct skua__vm *vm, const struct skua__function *function,
                         const skua_value *const *args, size_t count);

/* Cut the output back to `start`; what was behind it becomes a safe string. */
int skua__vm_cut(struct skua__vm *vm, size_t start, skua_value *text);

/* The stack never overflows: verified programs say how much they need. */
static inline void skua__vm_push(struct skua__vm *vm, skua_value value)
{
    *vm->top++ = value;
}

static inline skua_value skua__vm_pop(struct skua__vm *vm)
{
    return *--vm->top;
}

static inline struct skua__frame *skua__vm_top_frame(const struct skua__vm *vm)
{
    return &vm->frames[vm->frame_count - 1];
}

/* End the topmost frame and the scopes begun since. */
static inline void skua__vm_pop_frame(struct skua__vm *vm)
{
    vm->scope_count = skua__vm_top_frame(vm)->scopes;
    vm->frame_count--;
}

static inline void skua__vm_jump(struct skua__vm *vm, uint32_t address)
{
    vm->next = vm->program->code + address;
}

/* ---- vm_scope.c ---- */

/* Start a context or a mark. */
int skua__vm_enter(struct skua__vm *vm, enum skua__scope_kind kind, skua_value value);

/* Bind a name in the innermost scope. The slice *name outlives the render. */
int skua__vm_bind(struct skua__vm *vm, const skua_str *name, skua_value value);

/* ---- vm_call.c ---- */

/* Start a program; its values come on top of those there are. */
int skua__vm_start(struct skua__vm *vm, const struct skua__program *program, uint32_t address);

/* ---- vm_print.c ---- */

int skua__vm_print(struct skua__vm *vm, const skua_value *value, bool escape);

int skua__vm_fail_output(struct skua__vm *vm);

/* Append bytes as they are. */
static inline int skua__vm_put(struct skua__vm *vm, skua_str text)
{
    if (text.len > vm->limits->output - vm->out.len)
        return skua__vm_fail_output(vm);
    if (!skua__buf_reserve(&vm->out, text.len))
        return skua__vm_fail_memory(vm);
    memcpy(vm->out.ptr + vm->out.len, text.ptr, text.len);
    vm->out.len += text.len;
    return 0;
}

#endif
