/* SPDX-License-Identifier: MIT */
/*
 * memory.c - the transport whose peer is a piece of memory
 *
 * Reads give the input, in steps if asked, and its end after that; writes are appended to the output
 * and never block. Readiness is delivered by a task posted to the loop, so a connection in memory sees
 * its events in the same way, one at a time and on the thread's own stack, as one on a socket.
 *
 *   QUIET --watch READ--> POSTED --task--> QUIET ...   CLOSED when close came while POSTED
 */
#include "net/memory.h"

#include "net/conn.h"

#include <skua/err.h>
#include <stdlib.h>

struct memory_conn {
    struct skua__conn conn;
    struct skua__task task;
    struct skua__memory_peer *peer;
    size_t taken; /* <= peer->input.len */
    bool posted;
    bool closed;
};

static struct memory_conn *memory_of(struct skua__conn *conn)
{
    return SKUA__OWNER(conn, struct memory_conn, conn);
}

static ssize_t take_input(struct skua__conn *conn, void *buf, size_t len)
{
    struct memory_conn *memory = memory_of(conn);
    struct skua__memory_peer *peer = memory->peer;
    size_t left = peer->input.len - memory->taken;

    if (len > left)
        len = left;
    if (peer->step != 0 && len > peer->step)
        len = peer->step;
    if (len > 0)
        memcpy(buf, peer->input.ptr + memory->taken, len);
    memory->taken += len;
    return (ssize_t)len;
}

static ssize_t add_output(struct skua__conn *conn, const void *buf, size_t len)
{
    struct skua__buf *output = memory_of(conn)->peer->output;

    skua__buf_put(output, buf, len);
    return output->failed ? SKUA_ERR_NOMEM : (ssize_t)len;
}

static void post_if_wanted(struct memory_conn *memory)
{
    if (memory->posted || memory->conn.interest == 0)
        return;
    memory->posted = true;
    skua__loop_post(memory->conn.net->loop, &memory->task);
}

static void finish_peer(struct memory_conn *memory)
{
    struct skua__memory_peer *peer = memory->peer;

    free(memory);
    peer->done(peer->ctx);
}

static void deliver(struct skua__task *task)
{
    struct memory_conn *memory = SKUA__OWNER(task, struct memory_conn, task);

    if (!memory->closed)
        skua__conn_ready(&memory->conn, memory->conn.interest, 0);
    memory->posted = false;
    if (memory->closed)
        finish_peer(memory);
    else
        post_if_wanted(memory);
}

static void watch_memory(struct skua__conn *conn, unsigned interest)
{
    (void)interest; /* conn->interest is it */
    post_if_wanted(memory_of(conn));
}

static void shut_memory(struct skua__conn *conn)
{
    (void)conn; /* the peer sees the end of the output when it is done */
}

static void close_memory(struct skua__conn *conn)
{
    struct memory_conn *memory = memory_of(conn);

    memory->closed = true;
    memory->peer->closed = conn->last || !conn->eof;
    if (!memory->posted) { /* the task frees it */
        memory->posted = true;
        skua__loop_post(conn->net->loop, &memory->task);
    }
}

static const struct skua__transport memory_transport = {
    .recv = take_input,
    .send = add_output,
    .watch = watch_memory,
    .shut = shut_memory,
    .close = close_memory,
};

int skua__memory_open(struct skua__net *net, struct skua__memory_peer *peer)
{
    struct memory_conn *memory = calloc(1, sizeof(*memory));

    if (memory == NULL)
        return SKUA_ERR_NOMEM;
    memory->peer = peer;
    memory->task.run = deliver;
    skua__conn_open(&memory->conn, net, &memory_transport);
    return 0;
}
