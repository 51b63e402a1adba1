/* SPDX-License-Identifier: MIT */
#ifndef SKUA__APP_WORKER_H
#define SKUA__APP_WORKER_H

#include "app/app.h"
#include "net/net.h"
#include "text/date.h"

#include <pthread.h>

/*
 * One worker: a loop with connections, and what its requests share. Only its thread touches it.
 *
 *   OPEN --start functions--> READY --loop runs--> SERVING --drain--> DRAINED --stop functions--> closed
 */
struct skua__worker {
    struct skua__root *root;
    struct skua__loop *loop;
    struct skua__net net;
    struct skua__chunk_pool chunks; /* for the arenas of requests */
    skua_req *spare;                /* requests to be used again, linked by `next` */
    uint32_t spare_count;
    char date[SKUA__DATE_LEN];
    uint64_t date_due; /* loop time at which the date is made anew */
    void **data;       /* root->slot_count of them */
    int started;       /* how many of these have been started */
    int error;         /* why it could not start, or 0 */
    /* serving */
    struct skua__task drain;
    struct uv_timer_s *drain_timer;
    bool serving;
    bool stop_wanted;                           /* perhaps before it served */
    void (*listening)(struct skua__root *root); /* called when it serves, or NULL */
    pthread_t thread;
    int fds[2];
    int fd_count;
};

/* Make the loop and its connections. 0 or a negative code; then nothing is left open. */
int skua__worker_open(struct skua__worker *worker, struct skua__root *root);

/* Run the start functions of skua_on_worker, in order, on a fiber. 0 or the first failure. */
int skua__worker_start(struct skua__worker *worker);

/* Run the stop functions of what was started, last first, and free everything. */
void skua__worker_close(struct skua__worker *worker);

/* A request of the worker's pool with an empty arena, or NULL. */
skua_req *skua__req_take(struct skua__worker *worker);
void skua__req_give(struct skua__worker *worker, skua_req *req);

/* The date of now, for the head of a reply. */
skua_str skua__worker_date(struct skua__worker *worker);

/* Serve as skua_app_run does; `listening` (may be NULL) is called when connections are accepted. */
int skua__app_serve(struct skua__root *root, void (*listening)(struct skua__root *root));

/* Close the injection worker, if there is one. */
void skua__inject_finish(struct skua__root *root);

#endif
