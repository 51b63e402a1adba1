/* SPDX-License-Identifier: MIT */
/*
 * conn.c - one connection: bytes to requests, replies to bytes (RFC 9112, 9)
 *
 * The states are drawn in conn.h. All progress is made in drive(), which takes steps until none is
 * possible and then settles: sends the batch, lends or gives back buffers, sets the deadline, closes.
 * Calls of the owner that come while drive() is on the stack only note that it has to go round again,
 * so the connection is never freed under anybody's feet.
 *
 * Several requests in one read are answered into one buffer, which is sent once. A request that has
 * to wait ends the batch: what is answered is sent, and nothing behind it is read until it is
 * finished, so replies keep their order.
 *
 * A connection owns its buffers while they are lent to it. It does not know what a request means:
 * that is the owner's (struct skua__conn_events).
 */
#include "net/conn.h"

#include "async/fiber.h"
#include "net/conn_private.h"

#include <errno.h>
#include <skua/err.h>

#define HIGH_WATER  ((size_t)262144) /* with more unsent, no further request is read */
#define MUCH        ((size_t)65536)  /* with more unsent, a long reply waits */
#define MOST_UNREAD 65536 /* bytes of a body nobody wants that are read to keep the connection */
#define MOST_AWAY   ((uint64_t)16777216) /* bytes read away after the last reply */

static void drive(struct skua__conn *conn);

static size_t unsent(const struct skua__conn *conn)
{
    return conn->out != NULL ? conn->out->buf.len - conn->out->sent : 0;
}

/* ---- opening and closing ---- */

void skua__conn_open(struct skua__conn *conn, struct skua__net *net,
                     const struct skua__transport *transport)
{
    memset(conn, 0, sizeof(*conn));
    conn->net = net;
    conn->transport = transport;
    skua__link_init(&conn->link);
    skua__deadline_init(&conn->deadline);
    skua__link_append(&net->conns, &conn->link);
    skua__net_count_up(net);
    drive(conn);
}

static void drop_out(struct skua__conn *conn)
{
    if (conn->out != NULL)
        skua__outbuf_give(conn->net, conn->out);
    conn->out = NULL;
}

static void drop_in(struct skua__conn *conn)
{
    if (conn->in != NULL)
        skua__inbuf_give(conn->net, conn->in);
    conn->in = NULL;
}

static void close_now(struct skua__conn *conn)
{
    struct skua__net *net = conn->net;

    skua__deadline_clear(&conn->deadline);
    drop_out(conn);
    drop_in(conn);
    skua__link_remove(&conn->link);
    conn->transport->close(conn);
    skua__net_count_down(net);
}

/* The peer is lost, or too slow to be kept. */
static void lose(struct skua__conn *conn, int err)
{
    if (conn->gone)
        return;
    conn->gone = conn->last = true;
    conn->fault = err;
    drop_out(conn);
}

/* ---- reading ---- */

/* Make room behind `end`. What the request in use points at stays where it is. */
static void make_room(struct skua__inbuf *in, bool head_unfinished)
{
    size_t keep = in->keep;

    if (in->start == in->end) {
        in->start = in->end = keep;
    } else if (keep == 0 && in->start > 0) {
        memmove(in->data, in->data + in->start, in->end - in->start);
        if (head_unfinished)
            skua__h1_rebase(&in->h1, in->data + in->start, in->data);
        in->end -= in->start;
        in->start = 0;
    }
}

static void read_in(struct skua__conn *conn)
{
    struct skua__inbuf *in = conn->in;
    ssize_t got;

    if (in == NULL && (in = conn->in = skua__inbuf_take(conn->net)) == NULL) {
        lose(conn, SKUA_ERR_NOMEM);
        return;
    }
    if (in->end == in->cap)
        make_room(in, conn->state == SKUA__CONN_HEAD);
    if (in->end == in->cap)
        return; /* full behind a request that waits; settle() stops watching */
    got = conn->transport->recv(conn, in->data + in->end, in->cap - in->end);
    if (got > 0)
        in->end += (size_t)got;
    else if (got == 0)
        conn->eof = true;
    else if (got != -EAGAIN)
        lose(conn, SKUA_ERR_CANCELED);
}

/* After the last reply: read what the peer still sends, so that closing does not reset the
 * connection before the reply has been read (RFC 9112, 9.6). */
static void read_away(struct skua__conn *conn)
{
    char waste[4096];
    ssize_t got = conn->transport->recv(conn, waste, sizeof(waste));

    if (got == 0)
        conn->eof = true;
    else if (got > 0)
        conn->dropped += (uint64_t)got;
    else if (got != -EAGAIN)
        conn->gone = true;
}

/* ---- sending ---- */

static void send_out(struct skua__conn *conn)
{
    struct skua__outbuf *out = conn->out;
    ssize_t sent;

    if (conn->gone || out == NULL) {
        drop_out(conn);
        return;
    }
    if (out->buf.failed) {
        lose(conn, SKUA_ERR_NOMEM);
        return;
    }
    if (unsent(conn) > 0) {
        sent = conn->transport->send(conn, out->buf.ptr + out->sent, unsent(conn));
        if (sent < 0 && sent != -EAGAIN) {
            lose(conn, SKUA_ERR_CANCELED);
            return;
        }
        if (sent > 0) {
            out->sent += (size_t)sent;
            skua__deadline_clear(&conn->deadline); /* progress: settle() sets it anew */
        }
    }
    if (unsent(conn) == 0)
        drop_out(conn);
}

static void wake_writer(struct skua__conn *conn)
{
    struct skua__fiber *writer = conn->writer;

    if (writer == NULL || (!conn->gone && unsent(conn) >= MUCH))
        return;
    conn->writer = NULL;
    skua__fiber_resume(writer);
}

/* ---- steps ---- */

static void accept_head(struct skua__conn *conn, size_t used)
{
    struct skua__inbuf *in = conn->in;

    in->start += used;
    in->keep = in->start;
    conn->state = SKUA__CONN_BODY;
    conn->answered = false;
    conn->net->opts.events->head(conn);
}

static void report_bad(struct skua__conn *conn, int err)
{
    struct skua__inbuf *in = conn->in;

    /* Nothing behind it is read, and what was read of the head stays where it is. */
    in->keep = in->start = in->end;
    conn->state = SKUA__CONN_BUSY;
    conn->last = true;
    conn->net->opts.events->bad(conn, err);
}

static bool step_head(struct skua__conn *conn)
{
    struct skua__inbuf *in = conn->in;
    size_t used = 0;
    int result;

    if (conn->last || in == NULL || in->start == in->end)
        return false;
    conn->state = SKUA__CONN_HEAD;
    result = skua__h1_head(&in->h1, in->data + in->start, in->end - in->start, &used);
    if (result == SKUA__H1_MORE)
        return false;
    if (result < 0)
        report_bad(conn, result);
    else
        accept_head(conn, used);
    return true;
}

static void next_request(struct skua__conn *conn)
{
    skua__h1_next(&conn->in->h1);
    conn->in->keep = 0;
    conn->state = SKUA__CONN_HEAD;
    skua__deadline_clear(&conn->deadline);
}

/* The end of the body has been read. */
static void accept_end(struct skua__conn *conn)
{
    if (conn->answered) {
        next_request(conn);
        return;
    }
    conn->state = SKUA__CONN_BUSY;
    conn->net->opts.events->end(conn);
}

static void accept_piece(struct skua__conn *conn, skua_str piece)
{
    int64_t length = conn->in->h1.head.content_length;
    bool whole = length >= 0 && piece.len == (uint64_t)length;

    if (whole)
        conn->in->keep = conn->in->start; /* it is used where it lies */
    if (!conn->answered)
        conn->net->opts.events->body(conn, piece, whole);
}

static bool step_body(struct skua__conn *conn)
{
    struct skua__inbuf *in = conn->in;
    skua_str piece = {0};
    size_t used = 0;
    int result;

    if (conn->answered && conn->last)
        return false;
    result = skua__h1_body(&in->h1, in->data + in->start, in->end - in->start, &used, &piece);
    in->start += used;
    if (result == SKUA__H1_DATA) {
        accept_piece(conn, piece);
        return true;
    }
    if (result == SKUA__H1_END) {
        accept_end(conn);
        return true;
    }
    if (result == SKUA__H1_MORE && !conn->eof)
        return false;
    if (conn->answered)
        conn->last = true;
    else
        report_bad(conn, result < 0 ? result : SKUA_ERR_BAD_INPUT);
    return !conn->answered;
}

/* Whether there is a fault that the owner has to hear of. */
static bool has_fault(const struct skua__conn *conn)
{
    return conn->fault != 0 && (!conn->gone || conn->request != NULL);
}

static void tell_fault(struct skua__conn *conn)
{
    int fault = conn->fault;

    conn->fault = 0;
    if (conn->gone)
        conn->net->opts.events->gone(conn, fault);
    else
        report_bad(conn, fault);
}

/* One step of progress; false when there is none to make now. */
static bool step(struct skua__conn *conn)
{
    if (has_fault(conn)) {
        tell_fault(conn);
        return true;
    }
    if (unsent(conn) > HIGH_WATER)
        send_out(conn);
    if (conn->gone || conn->paused || unsent(conn) > HIGH_WATER)
        return false;
    switch (conn->state) {
    case SKUA__CONN_IDLE:
    case SKUA__CONN_HEAD:
        return step_head(conn);
    case SKUA__CONN_BODY:
        return step_body(conn);
    default:
        return false;
    }
}

/* ---- settling ---- */

/* The deadline that fits the state, or SKUA__DEADLINE_COUNT for none. */
static enum skua__deadline_kind choose_deadline(const struct skua__conn *conn)
{
    if (conn->state == SKUA__CONN_LINGER)
        return SKUA__DEADLINE_LINGER;
    if (unsent(conn) > 0)
        return SKUA__DEADLINE_WRITE;
    if (conn->state == SKUA__CONN_IDLE)
        return SKUA__DEADLINE_IDLE;
    if (conn->state == SKUA__CONN_BUSY || conn->paused)
        return SKUA__DEADLINE_COUNT; /* it is our turn, not the peer's */
    return SKUA__DEADLINE_REQUEST;
}

static void settle_deadline(struct skua__conn *conn)
{
    enum skua__deadline_kind kind = choose_deadline(conn);

    if (kind == SKUA__DEADLINE_COUNT)
        skua__deadline_clear(&conn->deadline);
    else if (kind == SKUA__DEADLINE_IDLE || conn->deadline.kind != kind)
        skua__deadline_set(&conn->net->deadlines, &conn->deadline, kind);
}

static void settle_watch(struct skua__conn *conn)
{
    unsigned interest = 0;

    if (!conn->eof && (conn->in == NULL || conn->in->end < conn->in->cap) &&
        unsent(conn) <= HIGH_WATER)
        interest |= SKUA__WATCH_READ;
    if (unsent(conn) > 0)
        interest |= SKUA__WATCH_WRITE;
    if (interest != conn->interest) {
        conn->interest = (uint8_t)interest;
        conn->transport->watch(conn, interest);
    }
}

/* With nothing left to read of a request, rest without a buffer. */
static void settle_buffer(struct skua__conn *conn)
{
    struct skua__inbuf *in = conn->in;

    if (in == NULL)
        return;
    if (conn->state <= SKUA__CONN_HEAD && in->start == in->end) {
        conn->state = SKUA__CONN_IDLE;
        drop_in(conn);
    } else if (in->start == in->end || in->end == in->cap) {
        make_room(in, conn->state == SKUA__CONN_HEAD);
    }
}

/* Resting in a worker that drains: no further request is waited for. */
static bool is_retired(const struct skua__conn *conn)
{
    return conn->net->draining && conn->state == SKUA__CONN_IDLE;
}

/* Whether no further request is answered and every byte of the replies is sent. */
static bool is_over(const struct skua__conn *conn)
{
    if (conn->request != NULL || conn->state == SKUA__CONN_BUSY)
        return false;
    if (conn->gone)
        return true;
    return unsent(conn) == 0 && (conn->last || conn->eof || is_retired(conn));
}

static void settle(struct skua__conn *conn)
{
    if (conn->state != SKUA__CONN_LINGER) {
        settle_buffer(conn);
        if (is_over(conn)) {
            if (conn->gone || conn->eof) {
                close_now(conn);
                return;
            }
            conn->state = SKUA__CONN_LINGER;
            conn->dropped = 0;
            drop_in(conn);
            conn->transport->shut(conn);
        }
    } else if (conn->gone || conn->eof || conn->dropped > MOST_AWAY) {
        close_now(conn);
        return;
    }
    settle_deadline(conn);
    settle_watch(conn);
}

static void drive(struct skua__conn *conn)
{
    if (conn->driving) {
        conn->again = true;
        return;
    }
    conn->driving = true;
    do {
        conn->again = false;
        while (step(conn))
            continue;
        send_out(conn);
        wake_writer(conn);
    } while (conn->again || has_fault(conn));
    conn->driving = false;
    settle(conn);
}

/* ---- events ---- */

void skua__conn_ready(struct skua__conn *conn, unsigned events, int err)
{
    if (err < 0)
        lose(conn, SKUA_ERR_CANCELED);
    else if ((events & SKUA__WATCH_READ) != 0 && conn->state == SKUA__CONN_LINGER)
        read_away(conn);
    else if ((events & SKUA__WATCH_READ) != 0)
        read_in(conn);
    drive(conn);
}

void skua__conn_expire(struct skua__conn *conn, enum skua__deadline_kind kind)
{
    skua__deadline_clear(&conn->deadline);
    switch (kind) {
    case SKUA__DEADLINE_REQUEST:
        if (conn->state == SKUA__CONN_BODY && conn->answered)
            conn->last = true; /* the rest of a body that nobody wants did not come */
        else
            conn->fault = SKUA_ERR_TIMEOUT;
        break;
    default:
        lose(conn, SKUA_ERR_TIMEOUT);
        break;
    }
    drive(conn);
}

void skua__conn_retire(struct skua__conn *conn)
{
    if (conn->state == SKUA__CONN_IDLE && conn->out == NULL)
        conn->gone = true;
    else if (conn->state == SKUA__CONN_IDLE)
        conn->last = true; /* when the peer has taken what it was answered */
    drive(conn);
}

void skua__conn_abort(struct skua__conn *conn)
{
    lose(conn, SKUA_ERR_CANCELED);
    drive(conn);
}

/* ---- for the owner ---- */

struct skua__h1_head *skua__conn_head(struct skua__conn *conn)
{
    return &conn->in->h1.head;
}

void skua__conn_pause(struct skua__conn *conn)
{
    conn->paused = true;
}

void skua__conn_go(struct skua__conn *conn)
{
    conn->paused = false;
    drive(conn);
}

struct skua__buf *skua__conn_out(struct skua__conn *conn)
{
    if (conn->out == NULL && (conn->out = skua__outbuf_take(conn->net)) == NULL) {
        lose(conn, SKUA_ERR_NOMEM);
        return NULL;
    }
    return &conn->out->buf;
}

/* Send now; what is left over is watched for here, unless drive() is on the stack to settle. */
static void push_out(struct skua__conn *conn)
{
    send_out(conn);
    if (conn->driving)
        return;
    settle_deadline(conn);
    settle_watch(conn);
}

void skua__conn_flush(struct skua__conn *conn)
{
    if (!conn->driving)
        push_out(conn);
}

/* A writer that is cancelled stops waiting; whoever cancelled it knows why. */
static void cancel_writer(void *arg)
{
    struct skua__conn *conn = arg;
    struct skua__fiber *writer = conn->writer;

    conn->writer = NULL;
    if (writer != NULL)
        skua__fiber_resume(writer);
}

int skua__conn_flush_much(struct skua__conn *conn)
{
    int err = 0;

    if (unsent(conn) < MUCH)
        return conn->gone ? SKUA_ERR_CANCELED : 0;
    push_out(conn);
    while (err == 0 && !conn->gone && unsent(conn) >= MUCH) {
        conn->writer = skua__fiber_current();
        err = skua__fiber_wait(cancel_writer, conn);
        conn->writer = NULL;
    }
    return conn->gone ? SKUA_ERR_CANCELED : err;
}

void skua__conn_finish(struct skua__conn *conn, bool keep_alive, bool cut)
{
    conn->request = NULL;
    conn->paused = false;
    conn->fault = 0;
    if (cut) {
        send_out(conn); /* the replies before it are whole */
        lose(conn, SKUA_ERR_CANCELED);
    }
    if (!keep_alive)
        conn->last = true;
    if (conn->state == SKUA__CONN_BODY)
        conn->answered = true;
    else
        next_request(conn);
    drive(conn);
}

bool skua__conn_keeps(const struct skua__conn *conn)
{
    const struct skua__h1_head *head = &conn->in->h1.head;

    if (conn->last || conn->gone || conn->net->draining || !head->keep_alive)
        return false;
    /* A body that was not read has to be read away first: only if it is short, and surely comes. */
    return conn->state != SKUA__CONN_BODY ||
           (!head->chunked && !head->expect_continue && head->content_length <= MOST_UNREAD);
}
