/* SPDX-License-Identifier: MIT */
/*
 * net.c - the connections of one worker and the buffers they share
 *
 * Buffers are lent to connections that have bytes in them and come back when these are used, so the
 * number of buffers follows the number of busy connections, not of open ones. The pools are LIFO: the
 * buffer lent next is the one that was used last and is still in the cache.
 *
 * Everything here runs on the worker's thread.
 */
#include "net/net.h"

#include "net/conn.h"
#include "net/conn_private.h"
#include "net/listener.h"

#include <fcntl.h>
#include <malloc.h>
#include <skua/err.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>
#include <uv.h>

#define READ_ROOM   ((size_t)16384) /* what is left for bodies beside the longest head */
#define CROWD       1024u           /* connections that are worth the trouble of trimming */
#define KEPT_OUTBUF ((size_t)65536) /* a larger one gives its memory back when it is empty */

static void pass_deadline(struct skua__deadline *deadline)
{
    skua__conn_expire(SKUA__OWNER(deadline, struct skua__conn, deadline), deadline->kind);
}

static void ignore_event(uv_poll_t *poll, int status, int events)
{
    (void)poll;
    (void)status;
    (void)events;
}

static void free_poll(uv_handle_t *handle)
{
    free(handle);
}

/* A descriptor as high as those of so many connections will get; -1 if there is none to be had. */
static int open_high(uint32_t connections)
{
    struct rlimit limit;
    rlim_t wanted = (rlim_t)connections + 256;
    int low, high;

    if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
        return -1;
    if (wanted >= limit.rlim_cur)
        wanted = limit.rlim_cur - 1;
    low = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (low < 0)
        return -1;
    high = fcntl(low, F_DUPFD_CLOEXEC, (int)wanted);
    close(low);
    return high;
}

/*
 * libuv keeps a table by descriptor and aborts the process when it cannot grow it. So it is grown here,
 * at the start, by watching a high descriptor for a moment; later nothing is left to fail.
 */
static int reserve_watchers(const struct skua__net *net)
{
    uv_poll_t *poll = malloc(sizeof(*poll));
    int high = open_high(net->opts.max_connections);
    int err = poll != NULL ? 0 : SKUA_ERR_NOMEM;

    if (err == 0 && high >= 0)
        err = uv_poll_init(skua__loop_uv(net->loop), poll, high);
    if (err == 0 && high >= 0) {
        uv_poll_start(poll, UV_READABLE, ignore_event);
        uv_close((uv_handle_t *)poll, free_poll);
    } else {
        free(poll);
    }
    if (high >= 0)
        close(high);
    return err;
}

int skua__net_init(struct skua__net *net, struct skua__loop *loop,
                   const struct skua__net_opts *opts, void *ctx)
{
    int err;

    memset(net, 0, sizeof(*net));
    net->loop = loop;
    net->opts = *opts;
    net->ctx = ctx;
    skua__link_init(&net->conns);
    skua__link_init(&net->listeners);
    err = reserve_watchers(net);
    if (err < 0)
        return err;
    return skua__deadlines_init(&net->deadlines, loop, net->opts.timeouts, pass_deadline);
}

void skua__net_finish(struct skua__net *net)
{
    skua__deadlines_finish(&net->deadlines);
    while (net->inbufs != NULL) {
        struct skua__inbuf *in = net->inbufs;

        net->inbufs = in->next;
        free(in);
    }
    while (net->outbufs != NULL) {
        struct skua__outbuf *out = net->outbufs;

        net->outbufs = out->next;
        skua__buf_finish(&out->buf);
        free(out);
    }
}

struct skua__inbuf *skua__inbuf_take(struct skua__net *net)
{
    struct skua__inbuf *in = net->inbufs;

    if (in != NULL) {
        net->inbufs = in->next;
        net->inbuf_count--;
    } else {
        size_t cap = net->opts.limits.head + READ_ROOM;

        in = malloc(sizeof(*in) + cap);
        if (in == NULL)
            return NULL;
        in->cap = cap;
    }
    in->keep = in->start = in->end = 0;
    skua__h1_init(&in->h1, &net->opts.limits);
    return in;
}

void skua__inbuf_give(struct skua__net *net, struct skua__inbuf *in)
{
    if (net->inbuf_count >= SKUA__SPARE_BUFFERS) {
        free(in);
        return;
    }
    in->next = net->inbufs;
    net->inbufs = in;
    net->inbuf_count++;
}

struct skua__outbuf *skua__outbuf_take(struct skua__net *net)
{
    struct skua__outbuf *out = net->outbufs;

    if (out != NULL) {
        net->outbufs = out->next;
        net->outbuf_count--;
    } else {
        out = malloc(sizeof(*out));
        if (out == NULL)
            return NULL;
        skua__buf_init(&out->buf, NULL);
    }
    out->sent = 0;
    return out;
}

void skua__outbuf_give(struct skua__net *net, struct skua__outbuf *out)
{
    bool spare = net->outbuf_count < SKUA__SPARE_BUFFERS;

    if (!spare || out->buf.failed || out->buf.cap > KEPT_OUTBUF)
        skua__buf_finish(&out->buf);
    if (!spare) {
        free(out);
        return;
    }
    out->buf.len = 0;
    out->next = net->outbufs;
    net->outbufs = out;
    net->outbuf_count++;
}

/* What a crowd has used lies scattered between what is still in use, and malloc keeps it. Once most of
 * the crowd has left, have it given back to the system. */
static void trim_after_crowd(struct skua__net *net)
{
    if (net->crowd < CROWD || net->count > net->crowd / 8)
        return;
    net->crowd = net->count;
    malloc_trim(0);
}

void skua__net_count_up(struct skua__net *net)
{
    net->count++;
    if (net->count > net->crowd)
        net->crowd = net->count;
}

/* Ends the drain when the last connection has gone. */
void skua__net_count_down(struct skua__net *net)
{
    net->count--;
    trim_after_crowd(net);
    if (!net->draining)
        skua__listeners_resume(net);
    else if (net->count == 0)
        net->drained(net->ctx);
}

/* Call `fn` for every connection; it may close the one it is given. */
static void each_conn(struct skua__net *net, void (*fn)(struct skua__conn *conn))
{
    struct skua__link *link = net->conns.next;

    while (link != &net->conns) {
        struct skua__link *next = link->next;

        fn(SKUA__OWNER(link, struct skua__conn, link));
        link = next;
    }
}

void skua__net_drain(struct skua__net *net, void (*drained)(void *ctx))
{
    net->drained = drained;
    skua__listeners_close(net);
    /* One more than there are, so that the drain ends here or later, but once. */
    net->count++;
    net->draining = true;
    each_conn(net, skua__conn_retire);
    skua__net_count_down(net);
}

void skua__net_abort(struct skua__net *net)
{
    each_conn(net, skua__conn_abort);
}
