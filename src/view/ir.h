/* SPDX-License-Identifier: MIT */
#ifndef SKUA__VIEW_IR_H
#define SKUA__VIEW_IR_H

#include <stdint.h>

/*
 * The instructions that every template language is compiled to.
 *
 * A program is a flat array of 8-byte instructions. `a` is a small number; `b` indexes one of the
 * program's side arrays or is an address in the code, as the table says. The machine has
 *
 *   values   a stack for operands, empty between two pieces of a template
 *   scopes   a stack that names are looked up in, from the top down. Entries:
 *              context   a value: an object's members are names
 *              binding   one name and its value (SET)
 *              scope     only a mark, so that bindings end somewhere
 *   frames   a stack of what has been begun: calls, blocks, loops, captures
 *   output   bytes, only ever appended to
 *
 * Columns: constant, function, values taken, values left, way through the code, what `b` is.
 * FILTER and CALL take `a` values more. The ways are checked before a program is run (verify.c):
 *
 *   STEP     goes on                  JUMP    goes to b           BRANCH  goes on or to b
 *   OPEN     goes on, in a loop, or past it to b
 *   CLOSE    goes back to b, or on behind the loop
 *   BEGIN    starts a capture         END     ends it
 *   ENTER    starts a scope           LEAVE   ends it
 *   RETURN   ends the block or the program
 */
#define SKUA__OP_MAP(X)                                                                            \
    /* Output. */                                                                                  \
    X(TEXT, text, 0, 0, STEP, TEXT)              /* print texts[b] as it is */                     \
    X(PRINT, print, 1, 0, STEP, NONE)            /* v -- : print escaped for HTML */               \
    X(PRINT_RAW, print_raw, 1, 0, STEP, NONE)    /* v -- : print as it is */                       \
    X(INDENT, indent, 0, 0, STEP, NONE)          /* print the indentation, where a line starts */  \
    X(CAPTURE, capture, 0, 0, BEGIN, NONE)       /* output goes into a string */                   \
    X(END_CAPTURE, end_capture, 0, 1, END, NONE) /* -- v : that string, safe */                    \
    /* Values. */                                                                                  \
    X(CONST, const, 0, 1, STEP, CONST)    /* -- v : consts[b] */                                   \
    X(LOAD, load, 0, 1, STEP, NAME)       /* -- v : names[b] in the scopes, or undefined */        \
    X(CONTEXT, context, 0, 1, STEP, NONE) /* -- v : the context, a of them further out */          \
    X(MEMBER, member, 1, 1, STEP, NAME)   /* v -- v.name */                                        \
    X(INDEX, index, 2, 1, STEP, NONE)     /* v key -- v[key] */                                    \
    X(REQUIRE, require, 1, 1, STEP, NAME) /* v -- v : fails on undefined, naming names[b] */       \
    X(DUP, dup, 1, 2, STEP, NONE)         /* v -- v v */                                           \
    X(POP, pop, 1, 0, STEP, NONE)         /* v -- */                                               \
    X(FILTER, filter, 0, 1, STEP, FILTER) /* args -- v : filters[b] of a arguments */              \
    X(CALL, call, 1, 1, STEP, NONE)       /* f args -- v : f of a arguments */                     \
    /* Scopes. */                                                                                  \
    X(SET, set, 1, 0, STEP, NAME)      /* v -- : bind names[b] in the innermost scope */           \
    X(ENTER, enter, 1, 0, ENTER, NONE) /* v -- : v becomes the context */                          \
    X(SCOPE, scope, 0, 0, ENTER, NONE) /* start a scope with the same context */                   \
    X(LEAVE, leave, 0, 0, LEAVE, NONE) /* end ENTER or SCOPE */                                    \
    /* Ways. */                                                                                    \
    X(JUMP, jump, 0, 0, JUMP, CODE)                                                                \
    X(JUMP_TRUE, jump_true, 1, 0, BRANCH, CODE)   /* v -- : a is an enum skua__truth */            \
    X(JUMP_FALSE, jump_false, 1, 0, BRANCH, CODE) /* v -- : a is an enum skua__truth */            \
    X(LOOP, loop, 1, 0, OPEN, CODE)               /* v -- : for elements or members, in a scope */ \
    X(SECTION, section, 1, 0, OPEN, CODE)         /* v -- : Mustache's section (vm_loop.c) */      \
    X(LOOP_VAR, loop_var, 0, 1, STEP, NONE)       /* -- v : an enum skua__loop_var, b loops out */ \
    X(NEXT, next, 0, 0, CLOSE, CODE)              /* the next turn of the innermost loop */        \
    /* Other templates. */                                                                         \
    X(INCLUDE, include, 0, 0, STEP, DEP) /* run deps[b]; set a of blocks is passed to it */        \
    X(BLOCK, block, 0, 0, STEP, BLOCK)   /* run blocks[b] or what overrides it */                  \
    X(SUPER, super, 0, 0, STEP, NONE)    /* in a block: run what it overrides */                   \
    X(RETURN, return, 0, 0, RETURN, NONE)

enum skua__op {
#define SKUA__OP_ENUM(NAME, name, takes, leaves, way, operand) SKUA__OP_##NAME,
    SKUA__OP_MAP(SKUA__OP_ENUM)
#undef SKUA__OP_ENUM
};

#define SKUA__OP_COUNT (SKUA__OP_RETURN + 1)

/* What counts as true. */
enum skua__truth {
    SKUA__TRUTH_JS,   /* skua_truthy */
    SKUA__TRUTH_FULL, /* the same, but an empty array is false too */
};

enum skua__loop_var {
    SKUA__LOOP_ITEM,
    SKUA__LOOP_KEY,   /* of an object's member; undefined in an array */
    SKUA__LOOP_INDEX, /* from 0 */
    SKUA__LOOP_FIRST,
    SKUA__LOOP_LAST,
};

struct skua__ins {
    uint16_t op;
    uint16_t a;
    uint32_t b;
};

_Static_assert(sizeof(struct skua__ins) == 8, "instructions are read in one load");

#endif
