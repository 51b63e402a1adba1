/* SPDX-License-Identifier: MIT */
#ifndef SKUA__NET_CONN_H
#define SKUA__NET_CONN_H

#include "net/net.h"

#include <skua/attr.h>

#include <sys/types.h>

struct skua__fiber;

enum { SKUA__WATCH_READ = 1, SKUA__WATCH_WRITE = 2 };

/* How bytes come and go. recv and send return a count, 0 at the end (recv), or a negated errno. */
struct skua__transport {
    ssize_t (*recv)(struct skua__conn *conn, void *buf, size_t len);
    ssize_t (*send)(struct skua__conn *conn, const void *buf, size_t len);
    /* From now on call skua__conn_ready for these events, and only these. */
    void (*watch)(struct skua__conn *conn, unsigned interest);
    /* No more bytes to the peer; those from it may still come. */
    void (*shut)(struct skua__conn *conn);
    /* Close and free the connection, when the loop has let go of it. */
    void (*close)(struct skua__conn *conn);
};

/*
 * One connection: drives a codec over a transport.
 *
 *            bytes                 head done             body done
 *   IDLE ----------------> HEAD ----------------> BODY ----------------> BUSY
 *    ^                      ^                                             | skua__conn_finish
 *    |   nothing is left    |            more is there                    |
 *    +----------------------+---------------------------------------------+
 *                                                                         | must close, all sent
 *                                                    freed <-- LINGER <---+
 *
 * IDLE has no `in`, and an `out` only while the peer is slow to take it. A reply may be finished early, in BODY: what is left of the body is
 * then dropped if it is short, else the connection closes. `request` is the owner's; it is set from `head` until
 * skua__conn_finish.
 */
enum skua__conn_state {
    SKUA__CONN_IDLE,
    SKUA__CONN_HEAD,
    SKUA__CONN_BODY,
    SKUA__CONN_BUSY,
    SKUA__CONN_LINGER
};

struct skua__conn {
    const struct skua__transport *transport;
    struct skua__net *net;
    struct skua__link link; /* in net->conns */
    struct skua__deadline deadline;
    struct skua__inbuf *in;
    struct skua__outbuf *out;
    void *request;
    struct skua__fiber *writer; /* waits in skua__conn_write until `out` has drained */
    uint64_t dropped;           /* bytes read away after the last reply */
    int fault;                  /* to be told to the owner, then 0 */
    uint8_t state;              /* enum skua__conn_state */
    uint8_t interest;           /* what the transport watches */
    bool paused;                /* the owner works on a part of the request: do not read on */
    bool answered;              /* finished before its body was: drop the rest */
    bool eof;                   /* the peer sends no more */
    bool gone;                  /* the peer takes no more: drop what is written */
    bool last;                  /* close after this reply */
    bool driving;               /* drive() is on the stack: calls from the owner only set `again` */
    bool again;
};

/* Take a connection into a worker. Called by transports. */
void skua__conn_open(struct skua__conn *conn, struct skua__net *net,
                     const struct skua__transport *transport);

/* The transport has something (SKUA__WATCH_…), or failed with a negated errno. */
void skua__conn_ready(struct skua__conn *conn, unsigned events, int err);

/* ---- for the owner of the request ---- */

static inline struct skua__net *skua__conn_net(struct skua__conn *conn)
{
    return conn->net;
}

/* The head of the request in use; after `bad` without `head`, as far as it was read. */
struct skua__h1_head *skua__conn_head(struct skua__conn *conn);

/* Do not read on until skua__conn_go: the owner is busy with the head. */
void skua__conn_pause(struct skua__conn *conn);
void skua__conn_go(struct skua__conn *conn);

/* Where to append bytes for the peer; they are sent at the end of the batch. NULL: no memory, the
 * connection is lost. */
struct skua__buf *skua__conn_out(struct skua__conn *conn);

/*
 * Who sends: what is appended while drive() is on the stack (the owner was called by the connection, and
 * has not waited since) goes out in one send when the owner lets go. What is appended later is the owner's
 * to flush, before it does anything that may wait; skua__conn_finish does it too. A buffer got from
 * skua__conn_out is not to be kept over anything that may wait: it may have been sent and lent on.
 *
 * Send what has been appended, if it is much, and wait until it is on its way: backpressure for long
 * replies. 0; SKUA_ERR_CANCELED when the peer is gone.
 */
SKUA_YIELDS int skua__conn_flush_much(struct skua__conn *conn);

/* Send what has been appended, now, unless drive() is on the stack and will. */
void skua__conn_flush(struct skua__conn *conn);

/*
 * The reply to the request in use has been appended whole. Forgets `request`. `keep_alive`: the reply
 * told the peer that another request may follow. `cut`: the reply is incomplete, close at once.
 *
 * Must be called once for each `head`, and for a `bad` without one, on the thread's own stack.
 */
void skua__conn_finish(struct skua__conn *conn, bool keep_alive, bool cut);

/* Whether the peer may send another request after this one, as far as the connection is concerned. */
bool skua__conn_keeps(const struct skua__conn *conn);

#endif
