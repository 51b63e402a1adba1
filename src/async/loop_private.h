/* SPDX-License-Identifier: MIT */
#ifndef SKUA__ASYNC_LOOP_PRIVATE_H
#define SKUA__ASYNC_LOOP_PRIVATE_H

#include "async/context.h"
#include "async/fiber.h"
#include "async/local.h"
#include "async/loop.h"
#include "async/pool.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <uv.h>

#define SKUA__NOINLINE __attribute__((noinline))

/* A call that a fiber wants made on the thread's own stack; it lives on the fiber's. */
struct skua__errand {
    int (*fn)(void *arg);
    void *arg;
    int result;
};

/*
 * The members are touched by the loop's thread only, apart from `posted`, `stop` and `wake`.
 *
 *   thread   the stack that the loop runs on; left while a fiber runs
 *   fiber    who runs now; NULL while the thread's own stack does
 *   frame    the async context of who runs now; borrowed from its fiber, task or skua_local_run
 *   ready    fibers resumed by another fiber, oldest first; `turn` is active while there are any
 *   posted   tasks, newest first; taken as a whole
 *   waiting  fibers that have waited and not ended; while there are any, `wake` keeps uv_run going
 */
struct skua__loop {
    struct skua__context thread;
    struct skua__fiber *fiber;
    struct skua__frame *frame;
    struct skua__errand *errand;
    struct skua__fiber *ready;
    struct skua__fiber **ready_end;
    size_t waiting;
    struct skua__fiber_pool pool;
    bool running;
    stack_t signal_stack;      /* lent to the thread while it is bound to the loop */
    stack_t signal_stack_kept; /* what the thread had before */
    char overflow_line[200];   /* written as it is by the signal handler */
    uv_loop_t uv;
    uv_async_t wake;
    uv_idle_t turn;
    atomic_bool stop;
    _Atomic(struct skua__task *) posted;
};

/*
 *            start                 wait                       resume, by a fiber
 *   IDLE  ----------->  RUNNING  ------->  WAITING ------------------+---> READY
 *     ^                  |    ^                | resume, by the       |       |
 *     +------ ENDED <----+    +----------------+ thread's own stack   |       | next turn
 *       give     fn returned  +---------------------------------------+-------+
 */
enum skua__fiber_state {
    SKUA__FIBER_IS_IDLE,
    SKUA__FIBER_IS_RUNNING,
    SKUA__FIBER_IS_WAITING,
    SKUA__FIBER_IS_READY,
    SKUA__FIBER_IS_ENDED
};

struct skua__fiber {
    struct skua__context context;
    enum skua__fiber_state state;
    bool canceled;
    unsigned shields; /* > 0: no wait is cancelled */
    struct skua__loop *loop;
    void (*fn)(void *arg);
    void (*done)(void *arg);
    void *arg;
    struct skua__frame *frame; /* its async context while it does not run; counted */
    void (*cancel)(void *arg); /* NULL unless the present wait can be cancelled */
    void *cancel_arg;
    struct skua__fiber *next_ready;
    uv_timer_t timer; /* for skua_sleep; open as long as the fiber exists */
};

/* Whether a wait that is not shielded ends with SKUA_ERR_CANCELED. */
static inline bool skua__fiber_must_stop(const struct skua__fiber *fiber)
{
    return fiber->canceled && fiber->shields == 0;
}

/* Make `loop` the thread's; returns what was before, to be put back. Either may be NULL. */
struct skua__loop *skua__loop_bind(struct skua__loop *loop);

/* What the stack of each fiber begins with. */
void skua__fiber_main(void *fiber);

/* Runs the fibers that are ready; the callback of `turn`. */
void skua__fiber_run_ready(uv_idle_t *turn);

/* Let everything else that is ready run once. 0, SKUA_ERR_CANCELED or SKUA_ERR_NO_FIBER. */
int skua__fiber_yield(void);

/* Bind the thread's pool-side view of a context for the length of one call; NULL ends it. */
void skua__frame_lend(const struct skua__frame *frame);

/* Fill in the loop's signal stack and its line. 0 or SKUA_ERR_NOMEM. */
int skua__overflow_init(struct skua__loop *loop);
void skua__overflow_finish(struct skua__loop *loop);

/* Have overflows on this thread noticed, or no longer. */
void skua__overflow_watch(struct skua__loop *loop);
void skua__overflow_unwatch(struct skua__loop *loop);

#endif
