/* SPDX-License-Identifier: MIT */
/*
 * load.c - asks a server as fast as it answers, and counts
 *
 *   load [-c CONNECTIONS] [-d DEPTH] [-s SECONDS] PORT PATH
 *   load -p PORT PATH     asks once and prints the body of the reply
 *
 * Each connection sends DEPTH requests with one send, waits for all their replies, and sends the next
 * batch. So there are always CONNECTIONS x DEPTH requests on the way, and the generator makes no
 * more system calls than the server has to. Prints one line of JSON; a reply that is not a 200, or
 * not as long as the first one, ends it with status 1.
 *
 *   connection:   send_batch --> due > 0 --recv...--> due == 0 --+--> send_batch
 *                                                                +--> idle, when the time is up
 *
 * The replies must have one fixed length, which is learnt from one request before the clock starts;
 * then counting them is counting bytes. The last batches are waited for, so what is counted is just
 * what the server has answered.
 */
#include <netinet/in.h>
#include <netinet/tcp.h>

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define STATUS     "HTTP/1.1 200 "
#define STALL_MS   10000
#define MOST_CONNS 10000
#define MOST_DEPTH 1000
#define INPUT_SIZE 262144

struct conn {
    int fd;
    size_t unsent; /* bytes of the batch */
    size_t due;    /* bytes of its replies */
    bool is_full;  /* the socket takes no more; epoll tells when it does */
};

struct load {
    int port;
    int conn_count;
    int depth;
    double seconds;
    const char *path;
    bool only_prints;

    char *batch; /* depth times the request */
    size_t batch_len;
    size_t reply_len;
    struct conn *conns;
    int epoll;
    int busy; /* connections that wait for replies */
    uint64_t requests;
    bool is_over;
    char input[INPUT_SIZE];
};

static void die(const char *what)
{
    if (errno != 0)
        fprintf(stderr, "load: %s: %s\n", what, strerror(errno));
    else
        fprintf(stderr, "load: %s\n", what);
    exit(1);
}

static void complain(const char *what)
{
    errno = 0;
    die(what);
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int open_conn(const struct load *load)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)load->port),
                                  .sin_addr = {htonl(INADDR_LOOPBACK)}};
    struct timeval patience = {.tv_sec = STALL_MS / 1000};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int on = 1;

    if (fd < 0 || setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) != 0 ||
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)) != 0 ||
        connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0)
        die("connect");
    return fd;
}

static void make_batch(struct load *load)
{
    char request[1024];
    int len = snprintf(request, sizeof(request), "GET %s HTTP/1.1\r\nHost: localhost:%d\r\n\r\n",
                       load->path, load->port);

    if (len >= (int)sizeof(request))
        complain("the path is too long");
    load->batch_len = (size_t)len * (size_t)load->depth;
    load->batch = malloc(load->batch_len);
    if (load->batch == NULL)
        die("memory");
    for (int i = 0; i < load->depth; i++)
        memcpy(load->batch + i * len, request, (size_t)len);
}

/* ---- the length of a reply ---- */

/* The whole reply's length by its head, 0 while that is not complete. `input` ends in a zero. */
static size_t read_reply_len(const char *input)
{
    const char *end = strstr(input, "\r\n\r\n");
    const char *field = strcasestr(input, "\r\ncontent-length:");

    if (end == NULL)
        return 0;
    if (strncmp(input, STATUS, strlen(STATUS)) != 0)
        complain("the reply is not a 200");
    if (field == NULL || field > end)
        complain("the reply has no Content-Length");
    return (size_t)(end + 4 - input) + strtoul(field + strlen("\r\ncontent-length:"), NULL, 10);
}

/* Ask once, on a connection of its own. */
static void learn_reply_len(struct load *load)
{
    size_t request_len = load->batch_len / (size_t)load->depth;
    int fd = open_conn(load);
    size_t len = 0;

    if (send(fd, load->batch, request_len, MSG_NOSIGNAL) != (ssize_t)request_len)
        die("send");
    while (load->reply_len == 0 || len < load->reply_len) {
        ssize_t got = recv(fd, load->input + len, INPUT_SIZE - 1 - len, 0);

        if (got <= 0)
            got < 0 ? die("recv") : complain("the server closed the connection early");
        len += (size_t)got;
        load->input[len] = '\0';
        load->reply_len = read_reply_len(load->input);
        if (load->reply_len >= INPUT_SIZE || len == INPUT_SIZE - 1)
            complain("the reply is too long");
    }
    if (len != load->reply_len)
        complain("the server sent more than it was asked for");
    close(fd);
}

/* ---- batches ---- */

static void watch(const struct load *load, struct conn *c, int op)
{
    struct epoll_event event = {.events = c->is_full ? EPOLLIN | EPOLLOUT : EPOLLIN, .data.ptr = c};

    if (epoll_ctl(load->epoll, op, c->fd, &event) != 0)
        die("epoll_ctl");
}

static void send_rest(const struct load *load, struct conn *c)
{
    const char *rest = load->batch + (load->batch_len - c->unsent);
    ssize_t sent = send(c->fd, rest, c->unsent, MSG_NOSIGNAL | MSG_DONTWAIT);

    if (sent < 0 && errno != EAGAIN && errno != EINTR)
        die("send");
    c->unsent -= sent > 0 ? (size_t)sent : 0;
    if (c->is_full != (c->unsent > 0)) {
        c->is_full = c->unsent > 0;
        watch(load, c, EPOLL_CTL_MOD);
    }
}

static void send_batch(struct load *load, struct conn *c)
{
    c->unsent = load->batch_len;
    c->due = load->reply_len * (size_t)load->depth;
    send_rest(load, c);
}

static void finish_batch(struct load *load, struct conn *c)
{
    load->requests += (uint64_t)load->depth;
    if (load->is_over)
        load->busy--;
    else
        send_batch(load, c);
}

static void read_replies(struct load *load, struct conn *c)
{
    bool is_first = c->due == load->reply_len * (size_t)load->depth;
    ssize_t got = recv(c->fd, load->input, INPUT_SIZE, MSG_DONTWAIT);

    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (got <= 0)
        got < 0 ? die("recv") : complain("the server closed the connection");
    if (is_first && got >= (ssize_t)strlen(STATUS) &&
        memcmp(load->input, STATUS, strlen(STATUS)) != 0)
        complain("a reply is not a 200");
    if ((size_t)got > c->due)
        complain("a reply is longer than the first one");
    c->due -= (size_t)got;
    if (c->due == 0)
        finish_batch(load, c);
}

/* Returns the seconds from the first request to the last reply. */
static double run(struct load *load)
{
    struct epoll_event events[256];
    double start = now();

    for (int i = 0; i < load->conn_count; i++)
        send_batch(load, &load->conns[i]);
    load->busy = load->conn_count;
    while (load->busy > 0) {
        int count = epoll_wait(load->epoll, events, 256, STALL_MS);

        if (count == 0)
            complain("the server stopped answering");
        if (count < 0 && errno != EINTR)
            die("epoll_wait");
        load->is_over = now() - start >= load->seconds;
        for (int i = 0; i < count; i++) {
            struct conn *c = events[i].data.ptr;

            if (events[i].events & EPOLLOUT)
                send_rest(load, c);
            if (events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR))
                read_replies(load, c);
        }
    }
    return now() - start;
}

static void open_conns(struct load *load)
{
    load->conns = calloc((size_t)load->conn_count, sizeof(*load->conns));
    load->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (load->conns == NULL || load->epoll < 0)
        die("epoll_create1");
    for (int i = 0; i < load->conn_count; i++) {
        load->conns[i].fd = open_conn(load);
        watch(load, &load->conns[i], EPOLL_CTL_ADD);
    }
}

static bool read_args(struct load *load, int argc, char **argv)
{
    int option;

    while ((option = getopt(argc, argv, "c:d:s:p")) != -1) {
        if (option == 'c')
            load->conn_count = atoi(optarg);
        else if (option == 'd')
            load->depth = atoi(optarg);
        else if (option == 's')
            load->seconds = atof(optarg);
        else if (option == 'p')
            load->only_prints = true;
        else
            return false;
    }
    if (argc - optind != 2)
        return false;
    load->port = atoi(argv[optind]);
    load->path = argv[optind + 1];
    return load->port > 0 && load->port < 65536 && load->path[0] == '/' && load->seconds > 0 &&
           load->conn_count > 0 && load->conn_count <= MOST_CONNS && load->depth > 0 &&
           load->depth <= MOST_DEPTH;
}

int main(int argc, char **argv)
{
    static struct load load = {.conn_count = 64, .depth = 1, .seconds = 3};
    double seconds;

    if (!read_args(&load, argc, argv)) {
        fputs("usage: load [-p] [-c CONNECTIONS] [-d DEPTH] [-s SECONDS] PORT PATH\n", stderr);
        return 2;
    }
    make_batch(&load);
    learn_reply_len(&load);
    if (load.only_prints) {
        const char *body = strstr(load.input, "\r\n\r\n") + 4;

        fwrite(body, 1, load.reply_len - (size_t)(body - load.input), stdout);
        return 0;
    }
    open_conns(&load);
    seconds = run(&load);
    printf("{\"requests\":%" PRIu64 ",\"seconds\":%.3f,\"rps\":%.0f,\"reply_bytes\":%zu}\n",
           load.requests, seconds, (double)load.requests / seconds, load.reply_len);
    return 0;
}
