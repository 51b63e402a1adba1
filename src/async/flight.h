/* SPDX-License-Identifier: MIT */
#ifndef SKUA__ASYNC_FLIGHT_H
#define SKUA__ASYNC_FLIGHT_H

#include <skua/attr.h>

#include <pthread.h>
#include <stdatomic.h>

/*
 * Single flight: many ask, one does the work, all get its result, across fibers and threads.
 *
 *   IDLE --first caller--> RUNNING --fn returned--> DONE (for ever; make a new flight to redo)
 *
 * `state` is read without the lock on the fast path; waiters, result and the changes of state are
 * under the lock.
 */
struct skua__flight {
    atomic_int state;
    int result;
    pthread_mutex_t lock;
    struct skua__flight_waiter *waiters;
};

int skua__flight_init(struct skua__flight *flight);
void skua__flight_finish(struct skua__flight *flight);

/*
 * Run `fn(arg)` if nobody has yet, else wait for whoever does; the result is what `fn` returned.
 * `fn` may wait, and as it works for all, its waits are not cancelled. It must not ask for another
 * flight that could be waiting for this one. SKUA_ERR_CANCELED only for a cancelled waiter. Off a
 * fiber it runs `fn` if it is first; when the flight is RUNNING, off a fiber, SKUA_ERR_NO_FIBER.
 */
SKUA_YIELDS int skua__flight_do(struct skua__flight *flight, int (*fn)(void *arg), void *arg);

#endif
