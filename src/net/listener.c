/* SPDX-License-Identifier: MIT */
/*
 * listener.c - listening sockets, and accepting from them
 *
 *   ACCEPTING --no descriptor left, or the worker is full--> PAUSED --a connection closed--> ACCEPTING
 *
 * While paused, new connections wait in the kernel's backlog: nobody is refused, and a shortage of
 * descriptors (EMFILE) does not make the loop spin. A timer tries again as well, because the shortage
 * may be another's.
 *
 * A listener owns its descriptor and frees itself when both of its handles have closed.
 */
#include "net/listener.h"

#include "net/socket.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <skua/err.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#define BACKLOG     1024
#define ACCEPT_MOST 64  /* connections taken in one go, so that open ones get their turn */
#define RETRY_AFTER 100 /* ms */

struct listener {
    struct skua__link link;
    struct skua__net *net;
    uv_poll_t poll;
    uv_timer_t retry;
    int fd;
    int open_handles;
    bool paused;
};

/* ---- sockets ---- */

static int open_socket(const struct addrinfo *address, bool share)
{
    const int on = 1;
    int fd = socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    int err;

    if (fd < 0)
        return -errno;
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) < 0 ||
        (share && setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof(on)) < 0) ||
        (address->ai_family == AF_INET6 &&
         setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on)) < 0) ||
        /* Accepted sockets inherit it. */
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) < 0 ||
        bind(fd, address->ai_addr, address->ai_addrlen) < 0 || listen(fd, BACKLOG) < 0) {
        err = -errno;
        close(fd);
        return err;
    }
    return fd;
}

static int port_of(int fd)
{
    struct sockaddr_storage name;
    socklen_t len = sizeof(name);

    if (getsockname(fd, (struct sockaddr *)&name, &len) < 0)
        return -errno;
    if (name.ss_family == AF_INET6)
        return ntohs(((struct sockaddr_in6 *)(void *)&name)->sin6_port);
    return ntohs(((struct sockaddr_in *)(void *)&name)->sin_port);
}

static int resolve(struct addrinfo **out, const char *host, int port)
{
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    char service[8];
    int err;

    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
    snprintf(service, sizeof(service), "%d", port & 0xffff);
    err = getaddrinfo(host, service, &hints, out);
    if (err == EAI_SYSTEM)
        return -errno;
    return err == 0 ? 0 : err == EAI_MEMORY ? SKUA_ERR_NOMEM : -EADDRNOTAVAIL;
}

/* Open one socket for `host`; when *port is 0 it becomes the one that was given. */
static int listen_at(const char *host, int *port, bool share)
{
    struct addrinfo *address = NULL;
    int fd = resolve(&address, host, *port);
    int given;

    if (fd < 0)
        return fd;
    fd = open_socket(address, share);
    freeaddrinfo(address);
    if (fd < 0 || *port != 0)
        return fd;
    given = port_of(fd);
    if (given < 0) {
        close(fd);
        return given;
    }
    *port = given;
    return fd;
}

/* With SO_REUSEPORT a second server would silently share the port, so ask without it first. */
static int probe(const char *host, int port)
{
    int fd = listen_at(host, &port, false);

    if (fd >= 0)
        close(fd);
    return fd < 0 ? fd : 0;
}

int skua__listen(int *fds, int most, const char *host, int *port, bool share, bool first)
{
    static const char *const local[] = {"127.0.0.1", "::1", NULL};
    const char *const single[] = {host, NULL};
    const char *const *hosts = strcmp(host, "localhost") == 0 ? local : single;
    int count = 0;

    for (int i = 0; hosts[i] != NULL && count < most; i++) {
        int fd = share && first && *port != 0 ? probe(hosts[i], *port) : 0;

        if (fd == 0)
            fd = listen_at(hosts[i], port, share);
        if (fd >= 0)
            fds[count++] = fd;
        else if (i == 0 || (fd != -EADDRNOTAVAIL && fd != -EAFNOSUPPORT)) {
            while (count > 0)
                close(fds[--count]);
            return fd;
        }
    }
    return count;
}

/* ---- accepting ---- */

static void retry_listener(uv_timer_t *timer);

static void pause_listener(struct listener *listener, const char *why)
{
    skua__log(listener->net->opts.log, SKUA_LOG_WARN, "accepting pauses: %s", why);
    listener->paused = true;
    uv_poll_stop(&listener->poll);
    uv_timer_start(&listener->retry, retry_listener, RETRY_AFTER, 0);
}

static void accept_some(uv_poll_t *poll, int status, int events)
{
    struct listener *listener = poll->data;
    struct skua__net *net = listener->net;

    (void)events;
    if (status < 0) {
        pause_listener(listener, uv_strerror(status));
        return;
    }
    for (int i = 0; i < ACCEPT_MOST; i++) {
        int fd;

        if (net->count >= net->opts.max_connections) {
            pause_listener(listener, "there are max_connections connections");
            return;
        }
        fd = accept4(listener->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd >= 0) {
            skua__socket_open(net, fd); /* on failure the peer sees a closed connection */
            continue;
        }
        if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
            pause_listener(listener, strerror(errno));
        if (errno != EINTR && errno != ECONNABORTED)
            return;
    }
}

static void resume_listener(struct listener *listener)
{
    if (!listener->paused)
        return;
    listener->paused = false;
    uv_timer_stop(&listener->retry);
    uv_poll_start(&listener->poll, UV_READABLE, accept_some);
}

static void retry_listener(uv_timer_t *timer)
{
    resume_listener(timer->data);
}

void skua__listeners_resume(struct skua__net *net)
{
    for (struct skua__link *link = net->listeners.next; link != &net->listeners; link = link->next)
        resume_listener(SKUA__OWNER(link, struct listener, link));
}

/* ---- life ---- */

static void free_listener(uv_handle_t *handle)
{
    struct listener *listener = handle->data;

    if (--listener->open_handles == 0)
        free(listener);
}

int skua__listener_open(struct skua__net *net, int fd)
{
    struct listener *listener = calloc(1, sizeof(*listener));
    uv_loop_t *loop = skua__loop_uv(net->loop);
    int err = SKUA_ERR_NOMEM;

    if (listener == NULL)
        goto fail;
    err = uv_poll_init_socket(loop, &listener->poll, fd);
    if (err < 0)
        goto fail;
    uv_timer_init(loop, &listener->retry); /* cannot fail */
    listener->poll.data = listener->retry.data = listener;
    listener->open_handles = 2;
    listener->net = net;
    listener->fd = fd;
    skua__link_init(&listener->link);
    skua__link_append(&net->listeners, &listener->link);
    uv_poll_start(&listener->poll, UV_READABLE, accept_some);
    return 0;

fail:
    free(listener);
    close(fd);
    return err;
}

void skua__listeners_close(struct skua__net *net)
{
    while (!skua__link_alone(&net->listeners)) {
        struct listener *listener = SKUA__OWNER(net->listeners.next, struct listener, link);

        skua__link_remove(&listener->link);
        uv_close((uv_handle_t *)&listener->poll, free_listener);
        uv_close((uv_handle_t *)&listener->retry, free_listener);
        close(listener->fd);
    }
}
