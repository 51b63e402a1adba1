/* SPDX-License-Identifier: MIT */
/*
 * flight.c - single flight: many ask, one does the work, all get its result
 *
 *   first caller:  IDLE -> RUNNING   fn(arg)   -> DONE, post a wake-up to every waiter's loop
 *   others:        put a waiter in the list, wait for the wake-up
 *
 * A waiter lives on its fiber's stack. It is in the list until either the runner takes the whole
 * list (then its wake-up is on the way and the fiber stays for it), or its cancellation takes it
 * out (then no wake-up will come). Both happen under the lock, so exactly one of them does.
 *
 * The runner works for everybody, so its own cancellation does not reach into fn: one peer that
 * goes away must not be the result of a thousand others.
 *
 * Whoever owns the flight sees to it that nobody is in skua__flight_do when it is finished.
 */
#include "async/flight.h"

#include "async/loop_private.h"
#include "base/list.h"

#include <skua/err.h>

enum { IDLE, RUNNING, DONE };

struct skua__flight_waiter {
    struct skua__flight_waiter *next;
    struct skua__flight *flight;
    struct skua__fiber *fiber;
    struct skua__task wake;
};

int skua__flight_init(struct skua__flight *flight)
{
    atomic_init(&flight->state, IDLE);
    flight->result = 0;
    flight->waiters = NULL;
    return -pthread_mutex_init(&flight->lock, NULL);
}

void skua__flight_finish(struct skua__flight *flight)
{
    pthread_mutex_destroy(&flight->lock);
}

static void wake_waiter(struct skua__task *task)
{
    skua__fiber_resume(SKUA__OWNER(task, struct skua__flight_waiter, wake)->fiber);
}

static int run_shielded(int (*fn)(void *arg), void *arg)
{
    struct skua__fiber *fiber = skua__fiber_current();
    int result;

    if (fiber != NULL)
        fiber->shields++;
    result = fn(arg);
    if (fiber != NULL)
        fiber->shields--;
    return result;
}

/* Take the waiters, who stand newest first, out of the flight; oldest first. */
static struct skua__flight_waiter *take_waiters(struct skua__flight *flight)
{
    struct skua__flight_waiter *oldest = NULL;

    while (flight->waiters != NULL) {
        struct skua__flight_waiter *waiter = flight->waiters;

        flight->waiters = waiter->next;
        waiter->next = oldest;
        oldest = waiter;
    }
    return oldest;
}

static int run_for_all(struct skua__flight *flight, int (*fn)(void *arg), void *arg)
{
    int result = run_shielded(fn, arg);
    struct skua__flight_waiter *waiter;

    pthread_mutex_lock(&flight->lock);
    flight->result = result;
    atomic_store_explicit(&flight->state, DONE, memory_order_release);
    waiter = take_waiters(flight);
    pthread_mutex_unlock(&flight->lock);
    while (waiter != NULL) {
        struct skua__flight_waiter *next = waiter->next; /* gone once it is woken */

        skua__loop_post(waiter->fiber->loop, &waiter->wake);
        waiter = next;
    }
    return result;
}

static void leave(void *arg)
{
    struct skua__flight_waiter *waiter = arg;
    struct skua__flight *flight = waiter->flight;
    struct skua__flight_waiter **at = &flight->waiters;
    bool found;

    pthread_mutex_lock(&flight->lock);
    while (*at != NULL && *at != waiter)
        at = &(*at)->next;
    found = *at != NULL;
    if (found)
        *at = waiter->next;
    pthread_mutex_unlock(&flight->lock);
    if (found)
        skua__fiber_resume(waiter->fiber);
}

/* Become the runner or a waiter. The state as it was found, or why there is no waiting. */
static int join(struct skua__flight *flight, struct skua__flight_waiter *waiter)
{
    int state;

    pthread_mutex_lock(&flight->lock);
    state = atomic_load_explicit(&flight->state, memory_order_relaxed);
    if (state == IDLE) {
        atomic_store_explicit(&flight->state, RUNNING, memory_order_relaxed);
    } else if (state == RUNNING && waiter->fiber == NULL) {
        state = SKUA_ERR_NO_FIBER;
    } else if (state == RUNNING && skua__fiber_must_stop(waiter->fiber)) {
        state = SKUA_ERR_CANCELED;
    } else if (state == RUNNING) {
        waiter->next = flight->waiters;
        flight->waiters = waiter;
    }
    pthread_mutex_unlock(&flight->lock);
    return state;
}

int skua__flight_do(struct skua__flight *flight, int (*fn)(void *arg), void *arg)
{
    struct skua__flight_waiter waiter = {.flight = flight, .wake = {.run = wake_waiter}};
    int state = atomic_load_explicit(&flight->state, memory_order_acquire);

    if (state == DONE)
        return flight->result;
    waiter.fiber = skua__fiber_current();
    state = join(flight, &waiter);
    if (state == IDLE)
        return run_for_all(flight, fn, arg);
    if (state == RUNNING)
        state = skua__fiber_wait(leave, &waiter);
    return state < 0 ? state : flight->result;
}
