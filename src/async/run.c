/* SPDX-License-Identifier: MIT */
/*
 * run.c - a loop that lives for one call
 *
 * For work that may wait where no loop runs yet: before an application serves, in tests and commands.
 */
#include "async/run.h"

#include "async/fiber.h"
#include "base/list.h"

#include <skua/err.h>

struct run {
    struct skua__task task;
    struct skua__loop *loop;
    void (*fn)(void *arg);
    void *arg;
    int err;
};

static void end_run(void *arg)
{
    struct run *run = arg;

    skua__loop_stop(run->loop);
}

static void call_fn(void *arg)
{
    struct run *run = arg;

    run->fn(run->arg);
}

static void start_fiber(struct skua__task *task)
{
    struct run *run = SKUA__OWNER(task, struct run, task);

    run->err = skua__fiber_start(run->loop, NULL, call_fn, end_run, run);
    if (run->err != SKUA__FIBER_WAITING)
        skua__loop_stop(run->loop);
}

int skua__run_fiber(struct skua__loop *loop, void (*fn)(void *arg), void *arg)
{
    struct run run = {.task = {.run = start_fiber}, .loop = loop, .fn = fn, .arg = arg};
    int err;

    if (skua__loop_current() != NULL)
        return SKUA_ERR_STATE; /* the task would stay posted after this frame has gone */
    skua__loop_post(loop, &run.task);
    err = skua__loop_run(loop);
    return run.err < 0 ? run.err : err;
}
