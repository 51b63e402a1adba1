/* SPDX-License-Identifier: MIT */
/*
 * loop.c - one thread's loop: libuv's, and the tasks that others post to it
 *
 * Posting is one compare-and-swap: a task is pushed on the list `posted`, and uv_async_send wakes
 * the loop (several wakes before it looks are one). The loop takes the list as a whole, turns it
 * round so that the oldest is first, and runs it. What is posted meanwhile makes a new list for the
 * next turn, so tasks that post tasks do not starve the sockets.
 *
 *   poster A --push--.
 *   poster B --push--+-> posted: t4 -> t3 -> t2 -> t1   --take--> t1, t2, t3, t4
 *   poster C --push--'
 *
 * A task posted by the loop's own thread runs in the poster's async context. One from another
 * thread runs in the empty context: frames are counted by one thread, without atomics, and what
 * they point at usually belongs to a request of that thread.
 *
 * The handle that wakes the loop does not keep it running; fibers that wait do (fiber.c).
 */
#include "async/loop_private.h"

#include "async/tools.h"

#include <skua/err.h>

#include <stdlib.h>

#define STACK_SIZE  ((SKUA__ASAN ? (size_t)1024 : (size_t)256) * 1024)
#define STACK_LEAST ((size_t)16 * 1024)
#define FIBERS_MOST ((size_t)65536)

static _Thread_local struct skua__loop *current;

/* Never inlined: the address of a thread-local must not be kept in a register over a switch. */
SKUA__NOINLINE struct skua__loop *skua__loop_current(void)
{
    return current;
}

SKUA__NOINLINE struct skua__loop *skua__loop_bind(struct skua__loop *loop)
{
    struct skua__loop *outer = current;

    if (loop == outer)
        return outer;
    if (outer != NULL)
        skua__overflow_unwatch(outer);
    if (loop != NULL)
        skua__overflow_watch(loop);
    current = loop;
    return outer;
}

static struct skua__task *take_posted(struct skua__loop *loop)
{
    struct skua__task *newest = atomic_exchange_explicit(&loop->posted, NULL, memory_order_acquire);
    struct skua__task *oldest = NULL;

    while (newest != NULL) {
        struct skua__task *next = newest->next;

        newest->next = oldest;
        oldest = newest;
        newest = next;
    }
    return oldest;
}

static void run_posted(struct skua__loop *loop)
{
    struct skua__task *task = take_posted(loop);

    while (task != NULL) {
        struct skua__task *next = task->next; /* `run` may free the task */
        struct skua__frame *frame = task->frame;

        loop->frame = frame;
        task->run(task);
        loop->frame = NULL;
        skua__frame_unref(frame);
        task = next;
    }
}

static void on_wake(uv_async_t *wake)
{
    struct skua__loop *loop = wake->data;

    run_posted(loop);
    if (atomic_load(&loop->stop))
        uv_stop(&loop->uv);
}

/* libuv's loop and the two handles of ours; nothing is left open on failure. */
static int open_uv(struct skua__loop *loop)
{
    int err = uv_loop_init(&loop->uv);

    if (err != 0)
        return err;
    err = uv_async_init(&loop->uv, &loop->wake, on_wake);
    if (err != 0) {
        uv_loop_close(&loop->uv);
        return err;
    }
    uv_unref((uv_handle_t *)&loop->wake);
    loop->wake.data = loop;
    uv_idle_init(&loop->uv, &loop->turn);
    loop->turn.data = loop;
    return 0;
}

int skua__loop_new(struct skua__loop **out, const struct skua__loop_opts *opts)
{
    size_t stack_size = opts != NULL && opts->stack_size > 0 ? opts->stack_size : STACK_SIZE;
    size_t max_fibers = opts != NULL && opts->max_fibers > 0 ? opts->max_fibers : FIBERS_MOST;
    struct skua__loop *loop = calloc(1, sizeof(*loop));
    int err = SKUA_ERR_NOMEM;

    *out = NULL;
    if (loop == NULL)
        return SKUA_ERR_NOMEM;
    loop->ready_end = &loop->ready;
    atomic_init(&loop->stop, false);
    atomic_init(&loop->posted, NULL);
    skua__pool_init(&loop->pool, stack_size < STACK_LEAST ? STACK_LEAST : stack_size, max_fibers);
    if (skua__overflow_init(loop) == 0)
        err = open_uv(loop);
    if (err != 0) {
        skua__overflow_finish(loop);
        free(loop);
        return err;
    }
    *out = loop;
    return 0;
}

static void close_handle(uv_handle_t *handle, void *arg)
{
    (void)arg;
    if (!uv_is_closing(handle))
        uv_close(handle, NULL);
}

void skua__loop_free(struct skua__loop *loop)
{
    struct skua__loop *outer;

    if (loop == NULL)
        return;
    outer = skua__loop_bind(loop);
    while (atomic_load(&loop->posted) != NULL)
        run_posted(loop); /* the owners wait for their tasks to be run */
    uv_walk(&loop->uv, close_handle, NULL);
    uv_run(&loop->uv, UV_RUN_DEFAULT);
    uv_loop_close(&loop->uv);
    skua__loop_bind(outer != loop ? outer : NULL);
    skua__pool_finish(&loop->pool);
    skua__overflow_finish(loop);
    free(loop);
}

int skua__loop_run(struct skua__loop *loop)
{
    struct skua__loop *outer;

    if (loop->running || loop->fiber != NULL)
        return SKUA_ERR_STATE;
    outer = skua__loop_bind(loop);
    loop->running = true;
    do {
        run_posted(loop); /* libuv does not look at them when nothing else is left */
        if (!atomic_load(&loop->stop))
            uv_run(&loop->uv, UV_RUN_DEFAULT);
    } while (!atomic_load(&loop->stop) && atomic_load(&loop->posted) != NULL);
    atomic_store(&loop->stop, false);
    loop->running = false;
    skua__loop_bind(outer);
    return 0;
}

void skua__loop_stop(struct skua__loop *loop)
{
    atomic_store(&loop->stop, true);
    uv_async_send(&loop->wake);
}

void skua__loop_post(struct skua__loop *loop, struct skua__task *task)
{
    struct skua__task *newest = atomic_load_explicit(&loop->posted, memory_order_relaxed);

    task->frame = skua__loop_current() == loop ? skua__frame_ref(loop->frame) : NULL;
    do {
        task->next = newest;
    } while (!atomic_compare_exchange_weak_explicit(&loop->posted, &newest, task,
                                                    memory_order_release, memory_order_relaxed));
    uv_async_send(&loop->wake);
}

uv_loop_t *skua__loop_uv(struct skua__loop *loop)
{
    return &loop->uv;
}

uint64_t skua__loop_now(const struct skua__loop *loop)
{
    return uv_now(&loop->uv);
}
