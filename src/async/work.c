/* SPDX-License-Identifier: MIT */
/*
 * work.c - a blocking call, made on libuv's thread pool while the fiber waits
 *
 *   fiber: queue, wait  --------------------->  on_finished: resume the fiber
 *   pool thread:         run_on_pool: fn(arg)
 *
 * The request lives on the fiber's stack: the wait is shielded, so it cannot be left before the
 * pool has finished with it. The call sees the fiber's async context, which stands still meanwhile.
 */
#include "async/loop_private.h"

#include <skua/err.h>

struct work {
    uv_work_t req;
    int (*fn)(void *arg);
    void *arg;
    int result;
    struct skua__fiber *fiber;
    const struct skua__frame *frame;
};

static void run_on_pool(uv_work_t *req)
{
    struct work *work = req->data;

    skua__frame_lend(work->frame);
    work->result = work->fn(work->arg);
    skua__frame_lend(NULL);
}

static void on_finished(uv_work_t *req, int status)
{
    struct work *work = req->data;

    (void)status; /* only uv_cancel makes it other than 0 */
    skua__fiber_resume(work->fiber);
}

int skua_work(int (*fn)(void *arg), void *arg)
{
    struct work work = {.fn = fn, .arg = arg, .fiber = skua__fiber_current()};
    struct skua__loop *loop;
    int err;

    if (work.fiber == NULL)
        return SKUA_ERR_NO_FIBER;
    loop = work.fiber->loop;
    work.frame = loop->frame;
    work.req.data = &work;
    err = uv_queue_work(&loop->uv, &work.req, run_on_pool, on_finished);
    if (err != 0)
        return err;
    skua__fiber_wait(NULL, NULL);
    return work.result;
}
