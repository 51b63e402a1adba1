/* SPDX-License-Identifier: MIT */
/*
 * context.c - making and forgetting contexts
 *
 * A new context looks as if it had been left by skua__switch just before its first instruction, so
 * entering it for the first time is no special case. TSan and valgrind are told that there is a
 * stack, and that it is gone. The switch itself is in context.h and switch_*.S.
 */
#include "async/context.h"

#include <stdint.h>

void skua__context_init(struct skua__context *context, void *low, size_t size,
                        void (*fn)(void *arg), void *arg)
{
    char *top = (char *)low + size;

    context->low = low;
    context->size = size;
    context->sp = skua__switch_prepare((char *)((uintptr_t)top & ~(uintptr_t)15), fn, arg);
    context->fake = NULL;
    context->tsan = skua__tools_add_stack();
    context->tool_id = (unsigned)VALGRIND_STACK_REGISTER(low, top);
}

void skua__context_finish(struct skua__context *context)
{
    skua__tools_remove_stack(context->tsan);
    VALGRIND_STACK_DEREGISTER(context->tool_id);
}
