/* SPDX-License-Identifier: MIT */
/*
 * worker.c - what one worker consists of
 *
 * A worker shares nothing with the others but the finished application. It owns its loop, its
 * connections, the memory of its requests, and the state that skua_on_worker made for it.
 */
#include "app/worker.h"

#include "app/request.h"
#include "async/run.h"

#include <stdlib.h>
#include <time.h>

#define SPARE_MOST  256u  /* requests kept for use again */
#define CHUNKS_MOST 1024u /* 4 MiB of arena chunks kept */

static void default_net(struct skua__net_opts *net, const struct skua__root *root)
{
    const skua_app_opts *opts = &root->opts;

    *net = (struct skua__net_opts){
        .events = &skua__request_events,
        .log = &root->log,
        .limits = skua__h1_default_limits,
        .max_connections = opts->max_connections,
        .timeouts =
            {
                [SKUA__DEADLINE_IDLE] = opts->keep_alive_timeout,
                [SKUA__DEADLINE_REQUEST] = opts->request_timeout,
                [SKUA__DEADLINE_WRITE] = opts->write_timeout,
                [SKUA__DEADLINE_LINGER] = 2000,
            },
    };
}

int skua__worker_open(struct skua__worker *worker, struct skua__root *root)
{
    const struct skua__loop_opts loop_opts = {.stack_size = root->opts.stack_size};
    struct skua__net_opts net_opts;
    int err;

    memset(worker, 0, sizeof(*worker));
    worker->root = root;
    worker->chunks.most = CHUNKS_MOST;
    worker->data = calloc((size_t)root->slot_count + 1, sizeof(*worker->data));
    if (worker->data == NULL)
        return SKUA_ERR_NOMEM;
    err = skua__loop_new(&worker->loop, &loop_opts);
    if (err < 0)
        goto fail;
    default_net(&net_opts, root);
    err = skua__net_init(&worker->net, worker->loop, &net_opts, worker);
    if (err < 0)
        goto fail;
    return 0;

fail:
    skua__loop_free(worker->loop);
    free(worker->data);
    return err;
}

static void run_starts(void *arg)
{
    struct skua__worker *worker = arg;
    struct skua__root *root = worker->root;

    for (struct skua__worker_slot *slot = root->slots; slot != NULL; slot = slot->next) {
        int err = slot->start(&worker->data[worker->started], &root->scope);

        if (err < 0) {
            worker->error = err;
            return;
        }
        worker->started++;
    }
}

int skua__worker_start(struct skua__worker *worker)
{
    int err = skua__run_fiber(worker->loop, run_starts, worker);

    if (err < 0)
        worker->error = err;
    return worker->error;
}

static void run_stop(const struct skua__worker *worker, const struct skua__worker_slot *slot,
                     int index)
{
    if (slot == NULL || index >= worker->started)
        return;
    run_stop(worker, slot->next, index + 1); /* last first */
    if (slot->stop != NULL)
        slot->stop(worker->data[index]);
}

static void run_stops(void *arg)
{
    const struct skua__worker *worker = arg;

    run_stop(worker, worker->root->slots, 0);
}

void skua__worker_close(struct skua__worker *worker)
{
    if (worker->started > 0)
        skua__run_fiber(worker->loop, run_stops, worker);
    skua__net_finish(&worker->net);
    skua__loop_free(worker->loop);
    while (worker->spare != NULL) {
        skua_req *req = worker->spare;

        worker->spare = req->next;
        free(req);
    }
    skua__chunk_pool_finish(&worker->chunks);
    free(worker->data);
}

skua_req *skua__req_take(struct skua__worker *worker)
{
    skua_req *req = worker->spare;

    if (req != NULL) {
        worker->spare = req->next;
        worker->spare_count--;
        return req;
    }
    req = malloc(sizeof(*req));
    if (req == NULL)
        return NULL;
    req->worker = worker;
    skua__arena_init(&req->arena, &worker->chunks, worker->root->opts.request_memory);
    skua__buf_init(&req->body, NULL);
    return req;
}

void skua__req_give(struct skua__worker *worker, skua_req *req)
{
    if (worker->spare_count >= SPARE_MOST) {
        free(req);
        return;
    }
    req->next = worker->spare;
    worker->spare = req;
    worker->spare_count++;
}

skua_str skua__worker_date(struct skua__worker *worker)
{
    uint64_t now = skua__loop_now(worker->loop);

    if (now >= worker->date_due) {
        struct timespec wall = {0};

        clock_gettime(CLOCK_REALTIME, &wall);
        skua__date_write(worker->date, wall.tv_sec);
        worker->date_due = now + 1000 - (uint64_t)wall.tv_nsec / 1000000;
    }
    return skua_str_of(worker->date, SKUA__DATE_LEN);
}
