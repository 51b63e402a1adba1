/* SPDX-License-Identifier: MIT */
/*
 * socket.c - the transport over stream sockets
 *
 * libuv only watches the descriptor (uv_poll); bytes are moved by recv and send directly, which saves
 * its buffers and callbacks. The watch is changed only when the interest changes, so a connection
 * that is answered at once costs one recv and one send.
 */
#include "net/socket.h"

#include "net/conn.h"

#include <errno.h>
#include <skua/err.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

struct socket_conn {
    struct skua__conn conn;
    uv_poll_t poll;
    int fd;
};

static struct socket_conn *socket_of(struct skua__conn *conn)
{
    return SKUA__OWNER(conn, struct socket_conn, conn);
}

static ssize_t recv_bytes(struct skua__conn *conn, void *buf, size_t len)
{
    ssize_t got;

    do {
        got = recv(socket_of(conn)->fd, buf, len, MSG_DONTWAIT);
    } while (got < 0 && errno == EINTR);
    return got < 0 ? -errno : got;
}

static ssize_t send_bytes(struct skua__conn *conn, const void *buf, size_t len)
{
    ssize_t sent;

    do {
        sent = send(socket_of(conn)->fd, buf, len, MSG_DONTWAIT | MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent < 0 ? -errno : sent;
}

static void pass_events(uv_poll_t *poll, int status, int uv_events)
{
    struct socket_conn *socket = poll->data;
    unsigned events = 0;

    if ((uv_events & UV_READABLE) != 0)
        events |= SKUA__WATCH_READ;
    if ((uv_events & UV_WRITABLE) != 0)
        events |= SKUA__WATCH_WRITE;
    skua__conn_ready(&socket->conn, events, status);
}

static void watch_socket(struct skua__conn *conn, unsigned interest)
{
    struct socket_conn *socket = socket_of(conn);
    int uv_events = 0;

    if ((interest & SKUA__WATCH_READ) != 0)
        uv_events |= UV_READABLE;
    if ((interest & SKUA__WATCH_WRITE) != 0)
        uv_events |= UV_WRITABLE;
    /* Neither can fail: the handle is open, the mask valid, the table large enough (net.c). */
    if (uv_events != 0)
        uv_poll_start(&socket->poll, uv_events, pass_events);
    else
        uv_poll_stop(&socket->poll);
}

static void shut_socket(struct skua__conn *conn)
{
    /* Fails only if the peer is gone, which the next read tells. */
    shutdown(socket_of(conn)->fd, SHUT_WR);
}

static void free_socket(uv_handle_t *handle)
{
    free(handle->data);
}

static void close_socket(struct skua__conn *conn)
{
    struct socket_conn *socket = socket_of(conn);

    uv_close((uv_handle_t *)&socket->poll, free_socket);
    close(socket->fd);
}

static const struct skua__transport socket_transport = {
    .recv = recv_bytes,
    .send = send_bytes,
    .watch = watch_socket,
    .shut = shut_socket,
    .close = close_socket,
};

int skua__socket_open(struct skua__net *net, int fd)
{
    struct socket_conn *socket = malloc(sizeof(*socket));
    int err = SKUA_ERR_NOMEM;

    if (socket == NULL)
        goto fail;
    err = uv_poll_init_socket(skua__loop_uv(net->loop), &socket->poll, fd);
    if (err < 0)
        goto fail;
    socket->fd = fd;
    socket->poll.data = socket;
    skua__conn_open(&socket->conn, net, &socket_transport);
    return 0;

fail:
    free(socket);
    close(fd);
    return err;
}
