/* SPDX-License-Identifier: MIT */
/*
 * overflow.c - saying in one line that a fiber has overflowed its stack
 *
 * A fiber that runs down into its guard faults. Its own stack is used up, so the handler runs on a
 * signal stack that the loop lends to its thread. When the address lies in the guard of the fiber
 * that runs, the handler writes a line that was prepared beforehand and gives SIGSEGV its default
 * action back; the instruction faults again on return, and the process dies where it went wrong,
 * with a core dump that shows it. Any other fault goes to whoever handled SIGSEGV before.
 *
 * A signal handler belongs to the whole process, so this is the one thing the library puts there:
 * once, when a first loop runs, and for good. An overflow is a dead process in any case; the
 * handler only makes it a dead process that says why. It keeps what it replaced, and nothing else.
 *
 * Under ASan and TSan nothing is installed: they report the fault themselves.
 */
#include "async/loop_private.h"

#include "async/tools.h"

#include <skua/err.h>

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if SKUA__ASAN || SKUA__TSAN

int skua__overflow_init(struct skua__loop *loop)
{
    (void)loop;
    return 0;
}

void skua__overflow_finish(struct skua__loop *loop)
{
    (void)loop;
}

void skua__overflow_watch(struct skua__loop *loop)
{
    (void)loop;
}

void skua__overflow_unwatch(struct skua__loop *loop)
{
    (void)loop;
}

#else

#define SIGNAL_STACK ((size_t)64 * 1024) /* a frame with all vector registers takes up to 12 KiB */

static struct sigaction previous;
static pthread_once_t installed = PTHREAD_ONCE_INIT;

static bool is_in_guard(const struct skua__fiber *fiber, const void *address)
{
    uintptr_t low = (uintptr_t)fiber->context.low;

    return low - (uintptr_t)address - 1 < SKUA__STACK_GUARD;
}

static void pass_on(int signal, siginfo_t *info, void *machine)
{
    if (previous.sa_flags & SA_SIGINFO) {
        previous.sa_sigaction(signal, info, machine);
    } else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
        previous.sa_handler(signal);
    } else {
        sigaction(SIGSEGV, &previous, NULL);
        if (info->si_code <= 0) /* sent by somebody, so it does not come again by itself */
            raise(SIGSEGV);
    }
}

static void on_fault(int signal, siginfo_t *info, void *machine)
{
    struct sigaction fatal = {.sa_handler = SIG_DFL};
    struct skua__loop *loop = skua__loop_current();

    if (info->si_code <= 0 || loop == NULL || loop->fiber == NULL ||
        !is_in_guard(loop->fiber, info->si_addr)) {
        pass_on(signal, info, machine);
        return;
    }
    if (write(STDERR_FILENO, loop->overflow_line, strlen(loop->overflow_line)) < 0) {
        /* Nobody is left to tell. */
    }
    sigaction(SIGSEGV, &fatal, NULL);
}

static void install(void)
{
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};

    sigaction(SIGSEGV, &action, &previous);
}

int skua__overflow_init(struct skua__loop *loop)
{
    snprintf(
        loop->overflow_line, sizeof(loop->overflow_line),
        "skua: a fiber overflowed its stack of %zu KiB; look for deep recursion or large local "
        "variables, or give fibers more (stack_size of the settings)\n",
        loop->pool.stacks.size / 1024);
    loop->signal_stack = (stack_t){.ss_sp = malloc(SIGNAL_STACK), .ss_size = SIGNAL_STACK};
    return loop->signal_stack.ss_sp != NULL ? 0 : SKUA_ERR_NOMEM;
}

void skua__overflow_finish(struct skua__loop *loop)
{
    free(loop->signal_stack.ss_sp);
}

/* A thread that has a signal stack of its own keeps it. */
void skua__overflow_watch(struct skua__loop *loop)
{
    pthread_once(&installed, install);
    if (sigaltstack(NULL, &loop->signal_stack_kept) == 0 &&
        (loop->signal_stack_kept.ss_flags & SS_DISABLE) != 0)
        sigaltstack(&loop->signal_stack, NULL);
}

void skua__overflow_unwatch(struct skua__loop *loop)
{
    if (loop->signal_stack_kept.ss_flags & SS_DISABLE)
        sigaltstack(&loop->signal_stack_kept, NULL);
}

#endif
