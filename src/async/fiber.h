/* SPDX-License-Identifier: MIT */
#ifndef SKUA__ASYNC_FIBER_H
#define SKUA__ASYNC_FIBER_H

#include "async/loop.h"
#include <skua/fiber.h>
#include <stdbool.h>

struct skua__fiber;

enum { SKUA__FIBER_WAITING = 0, SKUA__FIBER_DONE = 1 };

/*
 * Run `fn(arg)` at once on a pooled fiber, in the present async context. Call it on the thread of
 * `loop`, on the thread's own stack (not from another fiber).
 *
 * Returns SKUA__FIBER_DONE when `fn` returned without waiting: `done` is not called. Returns
 * SKUA__FIBER_WAITING when it waits: `done(arg)` is called on the thread's own stack after `fn` has
 * returned. Returns SKUA_ERR_NOMEM when there is no stack for it and SKUA_ERR_STATE on a fiber:
 * nothing was called. `done` may be NULL. If `out` is not NULL it receives the fiber before `fn`
 * starts (for skua__fiber_cancel); it is valid until fn has returned.
 */
int skua__fiber_start(struct skua__loop *loop, struct skua__fiber **out, void (*fn)(void *arg),
                      void (*done)(void *arg), void *arg);

/* The fiber that is running on this thread, or NULL on the thread's own stack. */
struct skua__fiber *skua__fiber_current(void);

/*
 * Suspend the current fiber until skua__fiber_resume.
 *
 * `cancel(arg)` is called, on the loop's thread, if the fiber is cancelled while it waits; it must
 * see to it that the fiber is resumed (soon, or at once). With cancel == NULL the wait is shielded.
 * Cancellation is level-triggered: an unshielded wait of a cancelled fiber returns at once.
 *
 * Returns 0, SKUA_ERR_CANCELED if the fiber is cancelled (never for a shielded wait),
 * SKUA_ERR_NO_FIBER outside a fiber.
 */
int skua__fiber_wait(void (*cancel)(void *arg), void *arg);

/*
 * On the loop's thread: let a waiting fiber go on; one that does not wait is left alone. On the
 * thread's own stack it runs before this returns; called from another fiber it runs in the next
 * turn of the loop, after that one has waited or ended.
 */
void skua__fiber_resume(struct skua__fiber *fiber);

/* Until the matching skua__fiber_unshield, waits of the current fiber are not cancelled: for clean-ups. */
void skua__fiber_shield(void);
void skua__fiber_unshield(void);

/* On the loop's thread: tell the fiber that nobody wants its result. */
void skua__fiber_cancel(struct skua__fiber *fiber);

/* The loop that the fiber belongs to. */
struct skua__loop *skua__fiber_loop(const struct skua__fiber *fiber);

/*
 * Run `fn(arg)` on the thread's own stack and come back with its result; on that stack already, it
 * is a plain call. For code that scans or bounds the thread's stack (JavaScriptCore). A call that
 * waits inside `fn` gets SKUA_ERR_NO_FIBER.
 */
int skua__on_thread_stack(int (*fn)(void *arg), void *arg);

#endif
