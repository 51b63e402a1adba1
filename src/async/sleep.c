/* SPDX-License-Identifier: MIT */
/*
 * sleep.c - waiting for time to pass
 *
 * Each fiber has one timer, opened with it and kept open, because closing a handle of libuv takes
 * a turn of the loop. Fibers whose time comes in the same turn go on in the order of their times.
 *
 * A sleep of nothing goes through the queue of ready fibers: with libuv 1.44 a timer of 0 ms set by
 * a timer runs in the same turn, and two such sleepers would keep the loop from its sockets.
 *
 * The time of the loop is not brought up to date here but allowed for. It stands still for a turn,
 * and moving it would let timers of this turn make each other due for ever.
 */
#include "async/loop_private.h"

static void on_time(uv_timer_t *timer)
{
    skua__fiber_resume(timer->data);
}

static void end_early(void *arg)
{
    struct skua__fiber *fiber = arg;

    uv_timer_stop(&fiber->timer);
    skua__fiber_resume(fiber);
}

/* Milliseconds that this turn of the loop has taken so far. */
static uint64_t lateness(const uv_loop_t *uv)
{
    uint64_t now = uv_hrtime() / 1000000;

    return now > uv_now(uv) ? now - uv_now(uv) : 0;
}

int skua_sleep(uint64_t milliseconds)
{
    struct skua__fiber *fiber = skua__fiber_current();
    uint64_t late;
    int err;

    if (fiber == NULL || milliseconds == 0)
        return skua__fiber_yield();
    late = lateness(&fiber->loop->uv);
    if (milliseconds > UINT64_MAX - late)
        milliseconds -= late;
    uv_timer_start(&fiber->timer, on_time, milliseconds + late, 0);
    err = skua__fiber_wait(end_early, fiber);
    uv_timer_stop(&fiber->timer); /* still running if the fiber was cancelled before */
    return err;
}
