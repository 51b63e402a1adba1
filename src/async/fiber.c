/* SPDX-License-Identifier: MIT */
/*
 * fiber.c - fibers: starting, waiting, resuming, cancelling
 *
 * Only the thread's own stack enters fibers, and a fiber goes back only there:
 *
 *   thread's stack   --enter-->  fiber   until it waits, ends, or has an errand for that stack
 *                    <---------
 *
 * So nobody's stack grows by somebody else's work, and "who runs" is one pointer, loop->fiber. A
 * fiber resumed by another fiber is put in a queue, which the loop runs down once in each turn: two
 * fibers that keep waking each other do not keep the loop from its sockets.
 *
 * Starting, entering and leaving a fiber that never waits costs two switches. A pooled fiber stays
 * inside skua__fiber_main between two uses, and is never laid out anew.
 *
 * The loop owns its fibers (pool.c). Everything here runs on the loop's thread.
 */
#include "async/loop_private.h"

#include <skua/err.h>

void skua__fiber_main(void *arg)
{
    struct skua__fiber *fiber = arg;
    struct skua__context *thread = &fiber->loop->thread;

    skua__context_arrive(thread);
    for (;;) {
        fiber->fn(fiber->arg);
        fiber->state = SKUA__FIBER_IS_ENDED;
        skua__context_switch_last(&fiber->context, thread);
    }
}

static void run_errand(struct skua__loop *loop, struct skua__fiber *fiber)
{
    struct skua__errand *errand = loop->errand;

    loop->errand = NULL;
    loop->fiber = NULL;
    errand->result = errand->fn(errand->arg);
    loop->fiber = fiber;
}

/* Run a fiber, on the thread's own stack, until it waits or has ended. */
static void enter(struct skua__loop *loop, struct skua__fiber *fiber)
{
    struct skua__loop *outer_loop = skua__loop_bind(loop);
    struct skua__frame *outer_frame = loop->frame;

    loop->fiber = fiber;
    loop->frame = fiber->frame;
    fiber->state = SKUA__FIBER_IS_RUNNING;
    skua__context_switch(&loop->thread, &fiber->context);
    while (loop->errand != NULL) {
        run_errand(loop, fiber);
        skua__context_switch(&loop->thread, &fiber->context);
    }
    fiber->frame = loop->frame;
    loop->frame = outer_frame;
    loop->fiber = NULL;
    if (outer_loop != loop)
        skua__loop_bind(outer_loop);
}

static void give_back(struct skua__fiber *fiber)
{
    skua__frame_unref(fiber->frame);
    skua__pool_give(&fiber->loop->pool, fiber);
}

int skua__fiber_start(struct skua__loop *loop, struct skua__fiber **out, void (*fn)(void *arg),
                      void (*done)(void *arg), void *arg)
{
    struct skua__fiber *fiber;

    if (loop->fiber != NULL)
        return SKUA_ERR_STATE;
    fiber = skua__pool_take(&loop->pool, loop);
    if (fiber == NULL)
        return SKUA_ERR_NOMEM;
    fiber->fn = fn;
    fiber->done = done;
    fiber->arg = arg;
    fiber->canceled = false;
    fiber->frame = skua__frame_ref(loop->frame);
    if (out != NULL)
        *out = fiber;
    enter(loop, fiber);
    if (fiber->state == SKUA__FIBER_IS_ENDED) {
        give_back(fiber);
        return SKUA__FIBER_DONE;
    }
    if (loop->waiting++ == 0)
        uv_ref((uv_handle_t *)&loop->wake);
    return SKUA__FIBER_WAITING;
}

/* Let a fiber that has waited go on, on the thread's own stack. */
static void proceed(struct skua__fiber *fiber)
{
    struct skua__loop *loop = fiber->loop;
    void (*done)(void *arg) = fiber->done;
    void *arg = fiber->arg;

    enter(loop, fiber);
    if (fiber->state != SKUA__FIBER_IS_ENDED)
        return;
    if (--loop->waiting == 0)
        uv_unref((uv_handle_t *)&loop->wake);
    give_back(fiber); /* first, so that `done` may start the next one on the same warm stack */
    if (done != NULL)
        done(arg);
}

static void make_ready(struct skua__fiber *fiber)
{
    struct skua__loop *loop = fiber->loop;

    if (loop->ready == NULL)
        uv_idle_start(&loop->turn, skua__fiber_run_ready);
    fiber->state = SKUA__FIBER_IS_READY;
    fiber->next_ready = NULL;
    *loop->ready_end = fiber;
    loop->ready_end = &fiber->next_ready;
}

void skua__fiber_run_ready(uv_idle_t *turn)
{
    struct skua__loop *loop = turn->data;
    struct skua__fiber *fiber = loop->ready;

    uv_idle_stop(turn);
    loop->ready = NULL;
    loop->ready_end = &loop->ready;
    while (fiber != NULL) {
        struct skua__fiber *next = fiber->next_ready;

        proceed(fiber);
        fiber = next;
    }
}

void skua__fiber_resume(struct skua__fiber *fiber)
{
    if (fiber->state != SKUA__FIBER_IS_WAITING)
        return;
    if (fiber->loop->fiber != NULL)
        make_ready(fiber);
    else
        proceed(fiber);
}

struct skua__fiber *skua__fiber_current(void)
{
    struct skua__loop *loop = skua__loop_current();

    return loop != NULL ? loop->fiber : NULL;
}

struct skua__loop *skua__fiber_loop(const struct skua__fiber *fiber)
{
    return fiber->loop;
}

int skua__fiber_wait(void (*cancel)(void *arg), void *arg)
{
    struct skua__fiber *fiber = skua__fiber_current();

    if (fiber == NULL)
        return SKUA_ERR_NO_FIBER;
    if (cancel != NULL && skua__fiber_must_stop(fiber))
        return SKUA_ERR_CANCELED;
    fiber->cancel = fiber->shields == 0 ? cancel : NULL;
    fiber->cancel_arg = arg;
    fiber->state = SKUA__FIBER_IS_WAITING;
    skua__context_switch(&fiber->context, &fiber->loop->thread);
    return cancel != NULL && skua__fiber_must_stop(fiber) ? SKUA_ERR_CANCELED : 0;
}

int skua__fiber_yield(void)
{
    struct skua__fiber *fiber = skua__fiber_current();

    if (fiber == NULL)
        return SKUA_ERR_NO_FIBER;
    if (!skua__fiber_must_stop(fiber)) {
        make_ready(fiber);
        skua__context_switch(&fiber->context, &fiber->loop->thread);
    }
    return skua__fiber_must_stop(fiber) ? SKUA_ERR_CANCELED : 0;
}

void skua__fiber_cancel(struct skua__fiber *fiber)
{
    void (*cancel)(void *arg) = fiber->cancel;

    fiber->canceled = true;
    if (fiber->state != SKUA__FIBER_IS_WAITING || cancel == NULL)
        return;
    fiber->cancel = NULL;
    cancel(fiber->cancel_arg);
}

int skua__on_thread_stack(int (*fn)(void *arg), void *arg)
{
    struct skua__fiber *fiber = skua__fiber_current();
    struct skua__errand errand = {.fn = fn, .arg = arg};

    if (fiber == NULL)
        return fn(arg);
    fiber->loop->errand = &errand;
    skua__context_switch(&fiber->context, &fiber->loop->thread);
    return errand.result;
}

void skua__fiber_shield(void)
{
    skua__fiber_current()->shields++;
}

void skua__fiber_unshield(void)
{
    skua__fiber_current()->shields--;
}
