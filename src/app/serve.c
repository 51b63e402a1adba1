/* SPDX-License-Identifier: MIT */
/*
 * serve.c - listening, running the workers, draining
 *
 * The first worker runs on the caller's thread, the others on threads of their own. Each has its own
 * listening sockets (SO_REUSEPORT), so the kernel spreads connections and workers share nothing.
 *
 * SIGTERM, SIGINT and skua_app_stop all end in the same way: something is written to the app's
 * eventfd, which the first worker reads; it drains itself and posts the same to the others. A
 * second SIGINT ends the process at once, also when a handler never returns: whoever types it means it.
 * SIGTERM may come twice from supervisors; they have SIGKILL for impatience. A worker
 * that has no connection left, or has waited for drain_timeout, leaves its loop.
 */
#include "app/worker.h"

#include "net/listener.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#include <uv.h>

/* What belongs to one run of the application. */
struct service {
    struct skua__root *root;
    struct skua__worker *workers;
    int count; /* opened */
    bool told; /* the other workers have been told to drain */
    uv_poll_t stop;
    uv_signal_t signals[2];
};

/* ---- draining ---- */

static void leave_loop(void *ctx)
{
    struct skua__worker *worker = ctx;

    uv_timer_stop(worker->drain_timer);
    skua__loop_stop(worker->loop);
}

static void abort_rest(uv_timer_t *timer)
{
    struct skua__worker *worker = timer->data;

    skua__log(&worker->root->log, SKUA_LOG_WARN, "drain timeout: closing %u connection%s",
              worker->net.count, worker->net.count == 1 ? "" : "s");
    skua__net_abort(&worker->net);
}

static void drain_worker(struct skua__task *task)
{
    struct skua__worker *worker = SKUA__OWNER(task, struct skua__worker, drain);

    worker->stop_wanted = true;
    if (!worker->serving)
        return; /* it looks at stop_wanted before it serves */
    worker->serving = false;
    uv_timer_start(worker->drain_timer, abort_rest, worker->root->opts.drain_timeout, 0);
    skua__net_drain(&worker->net, leave_loop);
    if (worker->net.count > 0)
        skua__log(
            &worker->root->log, SKUA_LOG_WARN,
            "stopping: %u connection%s to finish, for at most %u ms (Ctrl-C again to stop now)",
            worker->net.count, worker->net.count == 1 ? " has" : "s have",
            worker->root->opts.drain_timeout);
}

void skua_app_stop(skua_app *app)
{
    const uint64_t one = 1;
    int saved = errno; /* it may run in a signal handler */

    /* It fails only when it has been written to very often: then it is readable. */
    if (app == NULL || write(app->root->stop_fd, &one, sizeof(one)) < 0)
        errno = saved;
}

static void tell_others(struct service *service)
{
    if (service->told)
        return;
    service->told = true;
    for (int i = 1; i < service->count; i++)
        skua__loop_post(service->workers[i].loop, &service->workers[i].drain);
}

/* On the first worker: the app is to stop. */
static void stop_all(uv_poll_t *poll, int status, int events)
{
    struct service *service = poll->data;

    (void)status;
    (void)events;
    uv_poll_stop(poll);
    tell_others(service);
    drain_worker(&service->workers[0].drain);
}

static void pass_signal(uv_signal_t *signal, int number)
{
    struct service *service = signal->data;

    (void)number;
    skua_app_stop(&service->root->scope);
}

/* Let the first worker hear of signals and of skua_app_stop. */
static int watch_stop(struct service *service)
{
    static const int numbers[2] = {SIGTERM, SIGINT};
    uv_loop_t *loop = skua__loop_uv(service->workers[0].loop);
    int err = uv_poll_init(loop, &service->stop, service->root->stop_fd);

    if (err < 0)
        return err;
    service->stop.data = service;
    uv_poll_start(&service->stop, UV_READABLE, stop_all);
    for (int i = 0; i < 2; i++) {
        uv_signal_init(loop,
                       &service->signals[i]); /* it cannot fail once the loop has a signal pipe */
        service->signals[i].data = service;
        err = (numbers[i] == SIGINT ? uv_signal_start_oneshot : uv_signal_start)(
            &service->signals[i], pass_signal, numbers[i]);
        if (err < 0)
            return err;
        uv_unref((uv_handle_t *)&service->signals[i]);
    }
    return 0;
}

static void unwatch_stop(struct service *service)
{
    uint64_t count;

    uv_close((uv_handle_t *)&service->stop, NULL);
    uv_close((uv_handle_t *)&service->signals[0], NULL);
    uv_close((uv_handle_t *)&service->signals[1], NULL);
    if (read(service->root->stop_fd, &count, sizeof(count)) < 0)
        return; /* nothing was written: it ended otherwise */
}

/* ---- workers ---- */

static void free_timer(uv_handle_t *handle)
{
    free(handle);
}

static int open_drain_timer(struct skua__worker *worker)
{
    worker->drain.run = drain_worker;
    worker->drain_timer = malloc(sizeof(*worker->drain_timer));
    if (worker->drain_timer == NULL)
        return SKUA_ERR_NOMEM;
    uv_timer_init(skua__loop_uv(worker->loop), worker->drain_timer); /* cannot fail */
    worker->drain_timer->data = worker;
    return 0;
}

static int open_listeners(struct skua__worker *worker)
{
    int err = 0;

    while (err == 0 && worker->fd_count > 0)
        err = skua__listener_open(&worker->net, worker->fds[--worker->fd_count]);
    return err;
}

/* The life of a worker on its thread. */
static void *serve(void *arg)
{
    struct skua__worker *worker = arg;
    int err = skua__worker_start(worker);

    if (err == 0)
        err = open_listeners(worker);
    if (err == 0 && !worker->stop_wanted) {
        worker->serving = true;
        if (worker->listening != NULL)
            worker->listening(worker->root);
        err = skua__loop_run(worker->loop);
    }
    if (err < 0) {
        worker->error = err;
        skua__log(&worker->root->log, SKUA_LOG_ERROR, "a worker could not start: %s (%s)",
                  skua_err_text(err), skua_err_name(err));
        skua_app_stop(&worker->root->scope); /* all or none */
    }
    skua__listeners_close(&worker->net);
    return NULL;
}

static void close_worker(struct skua__worker *worker)
{
    while (worker->fd_count > 0)
        close(worker->fds[--worker->fd_count]);
    if (worker->drain_timer != NULL)
        uv_close((uv_handle_t *)worker->drain_timer, free_timer);
    skua__worker_close(worker);
}

static int open_worker(struct service *service, int *port)
{
    struct skua__root *root = service->root;
    struct skua__worker *worker = &service->workers[service->count];
    int err = skua__worker_open(worker, root);

    if (err < 0)
        return err;
    service->count++;
    err = open_drain_timer(worker);
    if (err < 0)
        return err;
    err = skua__listen(worker->fds, 2, root->opts.host, port, root->opts.workers > 1,
                       service->count == 1);
    if (err < 0)
        return err;
    worker->fd_count = err;
    return 0;
}

static int open_workers(struct service *service)
{
    struct skua__root *root = service->root;
    int port = root->opts.port > 0 ? root->opts.port : 0;

    service->workers = calloc((size_t)root->opts.workers, sizeof(*service->workers));
    if (service->workers == NULL)
        return SKUA_ERR_NOMEM;
    for (int i = 0; i < root->opts.workers; i++) {
        int err = open_worker(service, &port);

        if (err < 0)
            return err;
    }
    atomic_store(&root->port, port);
    return 0;
}

/* Serve on all workers until each has drained. 0, or why one could not start. */
static int run_workers(struct service *service)
{
    int threads = 1, err = 0;

    while (err == 0 && threads < service->count) {
        struct skua__worker *worker = &service->workers[threads];

        err = -pthread_create(&worker->thread, NULL, serve, worker);
        threads += err == 0;
    }
    if (err < 0)
        skua_app_stop(&service->root->scope);
    serve(&service->workers[0]);
    tell_others(service); /* it may have failed before it could hear of anything */
    for (int i = threads - 1; i > 0; i--)
        pthread_join(service->workers[i].thread, NULL);
    for (int i = 0; i < service->count && err == 0; i++)
        err = service->workers[i].error;
    return err;
}

int skua__app_serve(struct skua__root *root, void (*listening)(struct skua__root *root))
{
    struct service service = {.root = root};
    int err = skua_app_ready(&root->scope);

    if (err < 0)
        return err;
    if (atomic_exchange(&root->running, true))
        return SKUA_ERR_STATE;
    err = open_workers(&service);
    if (err == 0)
        err = watch_stop(&service);
    if (err == 0) {
        service.workers[0].listening = listening;
        err = run_workers(&service);
        unwatch_stop(&service);
    }
    for (int i = 0; i < service.count; i++)
        close_worker(&service.workers[i]);
    free(service.workers);
    atomic_store(&root->port, 0);
    atomic_store(&root->running, false);
    return err;
}

int skua_app_run(skua_app *app)
{
    return app != NULL ? skua__app_serve(app->root, NULL) : SKUA_ERR_NOMEM;
}
