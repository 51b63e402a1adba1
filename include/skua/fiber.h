/* SPDX-License-Identifier: MIT */
/*
 * skua/fiber.h - straight-line code that waits
 *
 * Handlers and hooks run on a fiber: a small stack of its own that its loop thread switches to and
 * from. A call marked SKUA_YIELDS suspends the fiber until its result is there; the loop serves
 * others meanwhile. A fiber stays on its thread for life, so thread-local data of C libraries is
 * safe, but must not be assumed unchanged across a call that waits.
 *
 * Never block the thread itself (sleep(3), a lock held elsewhere, a slow system call): put such work
 * on the pool with skua_work.
 */
#ifndef SKUA_FIBER_H
#define SKUA_FIBER_H

#include <stdint.h>

#include <skua/attr.h>

SKUA_C_BEGIN

/**
 * Wait.
 *
 * @param milliseconds  0 lets everything else that is ready run once
 * @return 0, SKUA_ERR_NO_FIBER outside a fiber, SKUA_ERR_CANCELED when the request was cancelled
 */
SKUA_API SKUA_YIELDS int skua_sleep(uint64_t milliseconds);

/**
 * Run a blocking function on the thread pool and wait for it.
 *
 * `fn` runs on another thread with a full-size stack: it may block, and must not touch the request,
 * its arena or anything else of the loop while it runs, apart from `arg`. Cancellation does not
 * shorten the wait, so `arg` may live on the fiber's stack.
 *
 * @return what `fn` returned; SKUA_ERR_NO_FIBER outside a fiber; a negated errno when the pool
 *         cannot take it
 */
SKUA_API SKUA_YIELDS int skua_work(int (*fn)(void *arg), void *arg);

SKUA_C_END

#endif
