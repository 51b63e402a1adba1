/* SPDX-License-Identifier: MIT */
/*
 * support.c - a server on a thread, and a blocking client to ask it
 */
#include "support/support.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

skua_app *sk_app_with(skua_app_opts opts)
{
    skua_app *app;

    if (opts.port == 0)
        opts.port = -1;
    if (opts.log == SKUA_LOG_DEFAULT)
        opts.log = SKUA_LOG_SILENT;
    app = skua_app_new_with(&opts);
    assert_non_null(app);
    return app;
}

skua_app *sk_app(void)
{
    return sk_app_with((skua_app_opts){.port = -1});
}

/* ---- server ---- */

static void *run_app(void *arg)
{
    struct sk_server *server = arg;

    server->result = skua_app_run(server->app);
    return NULL;
}

void sk_start(struct sk_server *server, skua_app *app)
{
    uint64_t give_up = sk_now() + 10000;

    server->app = app;
    server->result = 1;
    if (skua_app_ready(app) < 0)
        fail_msg("the app cannot be made ready: %s", skua_app_mistakes(app));
    assert_int_equal(pthread_create(&server->thread, NULL, run_app, server), 0);
    while ((server->port = skua_app_port(app)) == 0 && sk_now() < give_up)
        usleep(500);
    assert_int_not_equal(server->port, 0);
}

void sk_stop(struct sk_server *server)
{
    skua_app_stop(server->app);
    assert_int_equal(pthread_join(server->thread, NULL), 0);
    assert_int_equal(server->result, 0);
    skua_app_free(server->app);
}

/* ---- client ---- */

int sk_connect(const struct sk_server *server)
{
    const struct timeval patience = {.tv_sec = 10};
    struct sockaddr_in address = {.sin_family = AF_INET};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_true(fd >= 0);
    address.sin_port = htons((uint16_t)server->port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)), 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof(address)), 0);
    return fd;
}

/* The peer may close while we send, which is an answer too: the reads tell. */
void sk_send(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t sent = send(fd, bytes, len, MSG_NOSIGNAL);

        if (sent < 0) {
            assert_true(errno == EPIPE || errno == ECONNRESET);
            return;
        }
        bytes += sent;
        len -= (size_t)sent;
    }
}

void sk_send_bytewise(int fd, const char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        sk_send(fd, bytes + i, 1);
}

char *sk_read_all(int fd, size_t *len)
{
    size_t cap = 65536, have = 0;
    char *all = malloc(cap);

    assert_non_null(all);
    for (;;) {
        ssize_t got = recv(fd, all + have, cap - have - 1, 0);

        if (got < 0 && errno == EAGAIN)
            fail_msg("nothing came for ten seconds after %zu bytes", have);
        if (got <= 0)
            break;
        have += (size_t)got;
        if (cap - have < 4096) {
            cap *= 2;
            all = realloc(all, cap);
            assert_non_null(all);
        }
    }
    all[have] = '\0';
    if (len != NULL)
        *len = have;
    return all;
}

/* The length that the head in `reply` promises, head included; 0 while the head is incomplete. */
static size_t promised(const char *reply)
{
    const char *end = strstr(reply, "\r\n\r\n");
    const char *length = strcasestr(reply, "content-length:");
    size_t head;

    if (end == NULL)
        return 0;
    head = (size_t)(end + 4 - reply);
    return length != NULL && length < end ? head + strtoul(length + 15, NULL, 10) : head;
}

char *sk_read_reply(int fd)
{
    size_t cap = 1 << 20, have = 0, want = 1;
    char *reply = malloc(cap);

    assert_non_null(reply);
    while (want == 0 || have < want || have == 1) {
        /* Byte by byte until the length is known, so that the next reply stays in the socket. */
        ssize_t got = recv(fd, reply + have, want > 1 ? want - have : 1, 0);

        if (got <= 0)
            fail_msg("the reply ended after %zu bytes", have);
        have += (size_t)got;
        assert_true(have < cap);
        reply[have] = '\0';
        want = promised(reply);
        if (want == 0)
            continue;
        assert_true(want < cap);
    }
    return reply;
}

char *sk_exchange(const struct sk_server *server, const char *bytes)
{
    int fd = sk_connect(server);
    char *reply;

    sk_send(fd, bytes, strlen(bytes));
    if (shutdown(fd, SHUT_WR) < 0) /* it may have been reset meanwhile, which the reads tell */
        assert_int_equal(errno, ENOTCONN);
    reply = sk_read_all(fd, NULL);
    close(fd);
    return reply;
}

/* ---- looking at replies ---- */

void sk_mask_dates(char *reply)
{
    for (char *date = reply; (date = strstr(date, "\r\ndate: ")) != NULL; date += 8)
        memset(date + 8, '#', strcspn(date + 8, "\r"));
}

int sk_status(const char *reply)
{
    return strncmp(reply, "HTTP/1.1 ", 9) == 0 ? atoi(reply + 9) : 0;
}

size_t sk_count(const char *text, const char *needle)
{
    size_t count = 0;

    for (const char *at = text; (at = strstr(at, needle)) != NULL; at += strlen(needle))
        count++;
    return count;
}

/* ---- machine ---- */

void sk_allow_descriptors(unsigned long count)
{
    struct rlimit limit;

    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    if (limit.rlim_cur >= count)
        return;
    limit.rlim_cur = count;
    if (limit.rlim_max < count)
        limit.rlim_max = count; /* only root may */
    if (setrlimit(RLIMIT_NOFILE, &limit) < 0)
        fail_msg("this test needs %lu descriptors: raise the hard limit (ulimit -Hn)", count);
}

long sk_resident(pid_t pid)
{
    long size = 0, resident = 0;
    char path[64];
    FILE *file;

    snprintf(path, sizeof(path), "/proc/%ld/statm", (long)pid);
    file = fopen(path, "r");

    assert_non_null(file);
    assert_int_equal(fscanf(file, "%ld %ld", &size, &resident), 2);
    fclose(file);
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

uint64_t sk_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}
