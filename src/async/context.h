/* SPDX-License-Identifier: MIT */
#ifndef SKUA__ASYNC_CONTEXT_H
#define SKUA__ASYNC_CONTEXT_H

#include "async/tools.h"

#include <errno.h>
#include <stddef.h>

/*
 * A stack that can be left and entered again: a fiber's, or the thread's own.
 *
 *   low            sp                       low + size
 *   |  not in use  | registers | frames ... |            (the stack grows downwards)
 *
 * `sp` is valid while the context is left. The bounds of the thread's own stack are filled in by
 * ASan, the only one that asks for them.
 *
 *   skua__context_switch(a, b)
 *     tell ASan and TSan that b is next
 *     skua__switch             ---->  b runs on ... and some day switches to a
 *     tell ASan that a is here <----
 *
 * Contexts come in pairs: a fiber is entered from its thread's own stack only, and goes back there.
 * So whoever comes back to `from` comes from `to`, and that is where ASan reports `to`'s bounds.
 */
struct skua__context {
    void *sp;
    const void *low;
    size_t size;
    void *fake;       /* ASan: its heap frames for this stack, while it is left */
    void *tsan;       /* TSan: its name for this stack */
    unsigned tool_id; /* valgrind: the same */
};

/* Make a context on the stack [low, low + size) that will call `fn(arg)`, which must not return. */
void skua__context_init(struct skua__context *context, void *low, size_t size,
                        void (*fn)(void *arg), void *arg);

/* Forget a context that is left for good. Its stack is the caller's to free. */
void skua__context_finish(struct skua__context *context);

/*
 * The switch itself, in assembly: push the callee-saved registers and floating-point control, store
 * the stack pointer, load the other one, pop.
 */
void skua__switch(void **from_sp, void *to_sp);

/* Lay out what skua__switch pops, below `top`, so that it calls `fn(arg)`. The stack pointer. */
void *skua__switch_prepare(void *top, void (*fn)(void *arg), void *arg);

/*
 * The rest is inline for the processor's sake. It predicts returns from the calls it has seen, and
 * a switch is one that it predicts wrongly. Each call around the switch made that one more, on both
 * sides: starting and ending a fiber took 57 ns with functions here and takes 32 ns without.
 */
static inline void skua__context_switch_with(struct skua__context *from, struct skua__context *to,
                                             void **fake)
{
    skua__tools_before_switch(fake, to->low, to->size, &from->tsan, to->tsan);
    skua__switch(&from->sp, to->sp);
    skua__tools_after_switch(from->fake, &to->low, &to->size);
}

/*
 * Leave `from`, which is running, for `to`. Returns when somebody enters `from` again. errno
 * belongs to the code on a stack, not to the thread, so it is kept.
 */
static inline void skua__context_switch(struct skua__context *from, struct skua__context *to)
{
    int kept = errno;

    skua__context_switch_with(from, to, &from->fake);
    errno = kept;
}

/* As skua__context_switch, when nothing on `from` is needed any more but the caller's own frame. */
static inline void skua__context_switch_last(struct skua__context *from, struct skua__context *to)
{
    from->fake =
        NULL; /* ASan frees the heap frames of this stack, and begins with none next time */
    skua__context_switch_with(from, to, NULL);
}

/* The first thing that `fn` of a new context calls; `from` is where it was entered from. */
static inline void skua__context_arrive(struct skua__context *from)
{
    skua__tools_after_switch(NULL, &from->low, &from->size);
}

#endif
