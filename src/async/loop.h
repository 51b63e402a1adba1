/* SPDX-License-Identifier: MIT */
#ifndef SKUA__ASYNC_LOOP_H
#define SKUA__ASYNC_LOOP_H

#include <stddef.h>
#include <stdint.h>

typedef struct uv_loop_s uv_loop_t;

/*
 * One loop per thread: libuv's loop, the pool of fibers, the tasks posted from other threads.
 */
struct skua__loop;

/*
 * A piece of work for a loop's thread, embedded in its owner: posting allocates nothing and cannot
 * fail. The owner keeps it alive until `run` has been called. It runs on the thread's own stack, in
 * the async context of the poster if that is on the same loop, else in the empty one.
 */
struct skua__task {
    struct skua__task *next;
    void (*run)(struct skua__task *task);
    struct skua__frame *frame; /* private */
};

struct skua__loop_opts {
    size_t stack_size; /* bytes of each fiber's stack; 0: 256 KiB (1 MiB under ASan) */
    size_t max_fibers; /* 0: 65,536 */
};

/* 0, SKUA_ERR_NOMEM or a negated errno. `opts` may be NULL. */
int skua__loop_new(struct skua__loop **out, const struct skua__loop_opts *opts);

/*
 * The loop must not be running and no fiber of it may be waiting. Tasks still posted are run, and
 * handles still open are closed. NULL is fine.
 */
void skua__loop_free(struct skua__loop *loop);

/*
 * Run on the calling thread until skua__loop_stop, or until nothing is left to wait for. A stop
 * that comes before is not lost. 0, or SKUA_ERR_STATE inside the loop itself.
 */
int skua__loop_run(struct skua__loop *loop);

/* From any thread: have skua__loop_run return soon. */
void skua__loop_stop(struct skua__loop *loop);

/* From any thread: have the task run on the loop's thread. Tasks of one poster keep their order. */
void skua__loop_post(struct skua__loop *loop, struct skua__task *task);

/* The loop that the calling thread is running, or NULL. */
struct skua__loop *skua__loop_current(void);

/* For net: libuv's loop, to put handles on. */
uv_loop_t *skua__loop_uv(struct skua__loop *loop);

/* Milliseconds of the monotonic clock as of this turn of the loop. */
uint64_t skua__loop_now(const struct skua__loop *loop);

#endif
