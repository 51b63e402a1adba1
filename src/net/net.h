/* SPDX-License-Identifier: MIT */
#ifndef SKUA__NET_NET_H
#define SKUA__NET_NET_H

#include "async/log.h"
#include "async/loop.h"
#include "base/list.h"
#include "http/h1.h"
#include "net/deadline.h"

struct skua__conn;

/*
 * What a worker makes of its connections. All are called on the thread's own stack, and a
 * connection makes at most one call at a time.
 */
struct skua__conn_events {
    /* A head is complete: skua__conn_head. The body follows through `body`, then `end`. */
    void (*head)(struct skua__conn *conn);
    /* A piece of the body. It stays where it is until the request is finished if it is the whole
     * body (`whole`), else only for the length of the call. */
    void (*body)(struct skua__conn *conn, skua_str piece, bool whole);
    /* The request is complete. */
    void (*end)(struct skua__conn *conn);
    /* What came cannot be read further; after the answer the connection closes. The request may have
     * got as far as `head` or not. */
    void (*bad)(struct skua__conn *conn, int err);
    /* The peer is gone or too slow (SKUA_ERR_CANCELED, SKUA_ERR_TIMEOUT) while a request is in
     * progress. It must still be finished, soon. */
    void (*gone)(struct skua__conn *conn, int err);
};

#define SKUA__SPARE_BUFFERS 64u

/* A buffer that bytes are read into, lent to a connection that has something to read. It carries the
 * codec's state too, so an idle connection has neither.
 *
 *   data: | head in use | consumed | unread      | free |
 *                       ^keep      ^start        ^end   ^cap
 *
 *   keep <= start <= end <= cap */
struct skua__inbuf {
    struct skua__inbuf *next; /* in the pool */
    size_t keep;              /* nothing before it moves: the head in use, and a body used in place;
                                 <= start, 0 while no request is in use */
    size_t start;
    size_t end;
    size_t cap;
    struct skua__h1 h1;
    char data[];
};

/* A buffer of bytes to send, lent to a connection that has some. */
struct skua__outbuf {
    struct skua__outbuf *next; /* in the pool */
    struct skua__buf buf;
    size_t sent; /* <= buf.len */
};

struct skua__net_opts {
    const struct skua__conn_events *events;
    const struct skua__log *log;
    struct skua__h1_limits limits;
    uint32_t max_connections;
    uint32_t timeouts[SKUA__DEADLINE_COUNT]; /* ms */
};

/* The connections of one worker, and the buffers that they share. */
struct skua__net {
    struct skua__loop *loop;
    struct skua__net_opts opts;
    struct skua__link conns; /* all of them */
    uint32_t count;
    uint32_t crowd; /* the most there were since memory was last given back */
    bool draining;
    void (*drained)(void *ctx); /* called once, when draining and count is 0 */
    void *ctx;
    struct skua__inbuf *inbufs; /* not lent; at most SKUA__SPARE_BUFFERS of each kind */
    struct skua__outbuf *outbufs;
    uint32_t inbuf_count;
    uint32_t outbuf_count;
    struct skua__deadlines deadlines;
    struct skua__link listeners;
};

/* 0, SKUA_ERR_NOMEM or a negated errno. `ctx` is for the owner (skua__conn_net(conn)->ctx). */
int skua__net_init(struct skua__net *net, struct skua__loop *loop,
                   const struct skua__net_opts *opts, void *ctx);

/* No connection and no listener may be left open, except for what the loop still has to close. */
void skua__net_finish(struct skua__net *net);

/*
 * Stop listening, close what is idle, let the rest finish its request and close; then call
 * `drained(net->ctx)` on the thread's own stack, perhaps at once.
 */
void skua__net_drain(struct skua__net *net, void (*drained)(void *ctx));

/* Close every connection now; requests in progress are told that the peer is gone. */
void skua__net_abort(struct skua__net *net);

#endif
