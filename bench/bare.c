/* SPDX-License-Identifier: MIT */
/*
 * bare.c - the least that a server on libuv can do
 *
 *   bare PORT
 *
 * It finds where each request ends and answers all that have ended with one send; it looks at
 * nothing else, so what it costs is the kernel and the loop. The server is measured against it.
 *
 * All connections read into one buffer. A request may end across two reads, so a connection keeps
 * the last bytes after its last complete request, at most three, and they are put before what is
 * read next:
 *
 *   input   | tail, 0 to 3 | what recv gave ............ |
 *                            ^ read_at
 *
 * While a connection still owes bytes it does not read: a peer that does not take its replies gets
 * no more of them.
 */
#include <netinet/in.h>
#include <netinet/tcp.h>

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#define END        "\r\n\r\n"
#define TAIL       (sizeof(END) - 2) /* an end that is not complete */
#define INPUT_SIZE (TAIL + 65536)
#define COPIES     256 /* replies that one send can take */

struct server {
    uv_poll_t poll;
    int fd;
    size_t reply_len;
    char *replies; /* COPIES of the reply in a row */
    char input[INPUT_SIZE];
};

struct conn {
    uv_poll_t poll;
    struct server *server;
    int fd;
    size_t owed; /* bytes; always up to the end of a reply */
    size_t tail_len;
    char tail[TAIL];
};

static void free_conn(uv_handle_t *handle)
{
    struct conn *c = handle->data;

    close(c->fd);
    free(c);
}

/* Send what is owed. false: the connection is of no more use. */
static bool send_owed(struct conn *c)
{
    const struct server *s = c->server;

    while (c->owed > 0) {
        size_t skip = (s->reply_len - c->owed % s->reply_len) % s->reply_len;
        size_t room = s->reply_len * COPIES - skip;
        ssize_t sent =
            send(c->fd, s->replies + skip, c->owed < room ? c->owed : room, MSG_NOSIGNAL);

        if (sent < 0)
            return errno == EAGAIN || errno == EINTR;
        c->owed -= (size_t)sent;
    }
    return true;
}

/* Count the requests that end in `len` bytes of the input, and keep what comes after the last. */
static size_t count_requests(struct conn *c, size_t len)
{
    const char *at = c->server->input;
    const char *stop = at + len;
    const char *end;
    size_t count = 0;

    while ((end = memmem(at, (size_t)(stop - at), END, strlen(END))) != NULL) {
        at = end + strlen(END);
        count++;
    }
    c->tail_len = (size_t)(stop - at) < TAIL ? (size_t)(stop - at) : TAIL;
    memcpy(c->tail, stop - c->tail_len, c->tail_len);
    return count;
}

/* Read once and answer. false: the connection is of no more use. */
static bool read_requests(struct conn *c)
{
    struct server *s = c->server;
    char *read_at = s->input + c->tail_len;
    ssize_t got;

    memcpy(s->input, c->tail, c->tail_len);
    got = recv(c->fd, read_at, INPUT_SIZE - c->tail_len, 0);
    if (got <= 0)
        return got < 0 && (errno == EAGAIN || errno == EINTR);
    c->owed = s->reply_len * count_requests(c, c->tail_len + (size_t)got);
    return send_owed(c);
}

static void on_conn(uv_poll_t *poll, int status, int events)
{
    struct conn *c = poll->data;
    bool owed = c->owed > 0;
    bool alive = status == 0;

    (void)events;
    if (alive)
        alive = owed ? send_owed(c) : read_requests(c);
    if (!alive)
        uv_close((uv_handle_t *)poll, free_conn);
    else if (owed != (c->owed > 0))
        uv_poll_start(poll, c->owed > 0 ? UV_WRITABLE : UV_READABLE, on_conn);
}

static void on_listener(uv_poll_t *poll, int status, int events)
{
    struct server *s = poll->data;
    int on = 1;
    int fd;

    (void)status;
    (void)events;
    while ((fd = accept4(s->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        struct conn *c = calloc(1, sizeof(*c));

        if (c == NULL || uv_poll_init(poll->loop, &c->poll, fd) != 0) {
            free(c);
            close(fd);
            continue;
        }
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
        c->poll.data = c;
        c->server = s;
        c->fd = fd;
        uv_poll_start(&c->poll, UV_READABLE, on_conn);
    }
}

static int listen_on(int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port),
                                  .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    int on = 1;

    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) != 0 ||
        bind(fd, (struct sockaddr *)&address, sizeof(address)) != 0 || listen(fd, 1024) != 0) {
        perror("bare: listen");
        exit(1);
    }
    return fd;
}

/* A reply with the head that a server sends, its date once and for all. */
static void make_replies(struct server *s)
{
    char reply[256];
    char date[64];
    time_t now = time(NULL);

    strftime(date, sizeof(date), "%a, %d %b %Y %H:%M:%S GMT", gmtime(&now));
    s->reply_len = (size_t)snprintf(reply, sizeof(reply),
                                    "HTTP/1.1 200 OK\r\n"
                                    "Content-Type: text/plain; charset=utf-8\r\n"
                                    "Content-Length: 13\r\n"
                                    "Date: %s\r\n"
                                    "\r\n"
                                    "Hello, World!",
                                    date);
    s->replies = malloc(s->reply_len * COPIES);
    if (s->replies == NULL)
        exit(1);
    for (size_t i = 0; i < COPIES; i++)
        memcpy(s->replies + i * s->reply_len, reply, s->reply_len);
}

int main(int argc, char **argv)
{
    static struct server s;
    int port = argc == 2 ? atoi(argv[1]) : 0;

    if (port < 1 || port > 65535) {
        fputs("usage: bare PORT\n", stderr);
        return 2;
    }
    make_replies(&s);
    s.fd = listen_on(port);
    s.poll.data = &s;
    if (uv_poll_init(uv_default_loop(), &s.poll, s.fd) != 0 ||
        uv_poll_start(&s.poll, UV_READABLE, on_listener) != 0)
        return 1;
    return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}
